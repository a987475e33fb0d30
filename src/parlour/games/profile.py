"""Facts about a game for research interfaces: the `research` module in its folder, and defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from ..engine.game import Game

__all__ = ["Profile", "environment_name", "profile_of"]

MOST_MOVES = 10_000  # of an episode of a game that sets no bounds


class Bounds(NamedTuple):
    """The most decisions and draws of chance in an episode, and the least and greatest return of a seat."""

    decisions: int
    draws: int
    lowest: float
    highest: float


def generous_bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """Bounds that hold for any game: a step or a card is one of 64."""
    moves = MOST_MOVES * units
    return 64 * moves, 64 * (moves + players), -1e6, 1e6


@dataclass(frozen=True, slots=True)
class Profile:
    """Facts about one game; each is a name in capitals, or the function `bounds`, of the game's research module."""

    version: int = 1  # of the environment: raised when the rules, the steps or the layout of observations change
    length: tuple[str, int] | None = None  # the parameter that sets the length of an episode, and its default
    deals_per_unit: int = 0  # an episode ends after this many deals for each unit of length; 0 for no limit
    moves_per_unit: int = 0  # or after this many moves
    hidden_cards_stay: bool = False  # all see every card that moves, so hidden cards lie where they were dealt
    # Whether the end of the first deal can be played on its own (`endgames`). Until then chance gives two entries,
    # a dealer and a whole pack, and views need the fields `hand_sizes`, `may_hold` and, if cards are drawn, `pack`.
    has_endgames: bool = False
    bounds: Callable[[int, Mapping[str, Any], int], tuple[int, int, float, float]] = generous_bounds


@cache
def profile_of(game: Game) -> Profile:
    """The profile of a game."""
    module = game.part("research")
    if module is None:
        return Profile(moves_per_unit=MOST_MOVES)
    names = {fact.name: fact.name if fact.name == "bounds" else fact.name.upper() for fact in fields(Profile)}
    return Profile(**{name: getattr(module, given) for name, given in names.items() if hasattr(module, given)})


def environment_name(game: Game) -> str:
    """Such as `lost_heir_v2`: a game with the version of its rules, its steps and its observations together."""
    return f"{game.name.replace('-', '_')}_v{profile_of(game).version}"
