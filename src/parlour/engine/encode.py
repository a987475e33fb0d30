"""Writes what a view shows as small numbers from 0 to 255, field after field; compiled modules have a twin (encode.h).

Every function writes into a blank buffer from a place on, and says where the next field begins. Seats stand from the
writer's own on leftwards (a spectator, who is below 0, writes from seat 0 on).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import bitset


def page(room: Any) -> Any:
    """A buffer as the others take it."""
    return room


def cards(page: Any, at: int, held: int, size: int) -> int:
    """A set of `size` things: 1 for each that is in it."""
    bitset.spread(page, at, held, size)
    return at + size


def chosen(page: Any, at: int, one: int, size: int) -> int:
    """One of `size` things, or (below 0) none of them."""
    if one >= 0:
        page[at + one] = 1
    return at + size


def number(page: Any, at: int, value: int) -> int:
    """A number; what is beyond 0 or 255 is written as those."""
    page[at] = min(max(value, 0), 255)
    return at + 1


def tally(page: Any, at: int, packed: int, size: int) -> int:
    """How many there are of each of `size` kinds, as they stand in a word: four bits a kind."""
    for kind in range(size):
        page[at + kind] = (packed >> (4 * kind)) & 15
    return at + size


def seat(page: Any, at: int, one: int, writer: int, seats: int) -> int:
    """One of the seats, or (below 0) none of them."""
    if one >= 0:
        page[at + (one - max(writer, 0)) % seats] = 1
    return at + seats


def each(page: Any, at: int, values: Sequence[int], writer: int, count: int, low: int) -> int:
    """A number for each of `count` seats or sides; `low` is written for 0."""
    for turn in range(count):
        at = number(page, at, low + values[(max(writer, 0) + turn) % count])
    return at


def sums(page: Any, at: int, values: Sequence[int], writer: int, seats: int, low: int) -> int:
    """A number for each seat, as `each`, where they may be greater than an int of C."""
    return each(page, at, values, writer, seats, low)


def rows(page: Any, at: int, values: Sequence[int], writer: int, seats: int, size: int) -> int:
    """For each seat one of `size` things, or none."""
    for turn in range(seats):
        at = chosen(page, at, values[(max(writer, 0) + turn) % seats], size)
    return at


def sets(page: Any, at: int, values: Sequence[int], writer: int, seats: int, size: int) -> int:
    """For each seat a set of `size` things."""
    for turn in range(seats):
        at = cards(page, at, values[(max(writer, 0) + turn) % seats], size)
    return at
