"""The lab: many sittings by bots, and what each reading of a rule sheet does to its game."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("readings", "game")  # of studies: readings compared, or one rule set by number of players


@dataclass(frozen=True)
class Bots:
    """The bots of a study: those at the table, repeated round the seats, and the two whose difference is skill."""

    table: str = "thumb"
    stronger: str = "thumb"
    weaker: str = "random"
