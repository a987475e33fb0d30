"""The lab: what each reading of a sheet does to its game, measured over many sittings."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("readings", "game")


@dataclass(frozen=True)
class Bots:
    """Who plays: at the table, a list that goes round the seats; and the two whose difference is skill."""

    table: str = "thumb"
    stronger: str = "thumb"
    weaker: str = "random"
