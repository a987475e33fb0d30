"""Packs of cards, and the names of the steps that are done with them.

A pack is a plain module of its own in each game, because Cython 3.3 loses references to None in comprehensions at
module level.
"""

from __future__ import annotations

from collections.abc import Iterable

Pack = list[tuple[str, str]]
"""Every card's code and name, in the order of the numbers by which the engine knows them."""


def codes(pack: Pack) -> tuple[str, ...]:
    """The codes of a pack, in order."""
    return tuple(code for code, _ in pack)


def steps(verb: str, things: Iterable[object]) -> list[str]:
    """The names of the steps that do one thing with each of these."""
    return [f"{verb} {thing}" for thing in things]
