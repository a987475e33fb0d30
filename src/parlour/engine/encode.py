"""Writes what a view shows as small numbers from 0 to 255, field after field; compiled modules have a twin (encode.h).

Every function writes into a blank buffer from a place on, and says where the next field begins. Seats stand from the
writer's own on leftwards (a spectator, who is below 0, writes from seat 0 on).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import bitset


def buffer(held: memoryview) -> Any:
    """The bytes of a buffer, as the other functions take them; the caller holds on to the memoryview meanwhile."""
    if held.readonly or held.itemsize != 1 or held.ndim != 1 or not held.c_contiguous:
        raise ValueError("Numbers are written into a flat array of bytes that can be written to.")
    return held


def cards(buffer: Any, at: int, held: int, size: int) -> int:
    """A set of `size` things: 1 for each that is in it."""
    bitset.spread(buffer, at, held, size)
    return at + size


def chosen(buffer: Any, at: int, one: int, size: int) -> int:
    """One of `size` things, or (below 0) none of them."""
    if one >= 0:
        buffer[at + one] = 1
    return at + size


def number(buffer: Any, at: int, value: int) -> int:
    """A number; what is beyond 0 or 255 is written as those."""
    buffer[at] = min(max(value, 0), 255)
    return at + 1


def tally(buffer: Any, at: int, packed: int, size: int) -> int:
    """How many there are of each of `size` kinds, as they stand in a word: four bits a kind."""
    for kind in range(size):
        buffer[at + kind] = (packed >> (4 * kind)) & 15
    return at + size


def seat(buffer: Any, at: int, one: int, writer: int, seats: int) -> int:
    """One of the seats, or (below 0) none of them."""
    if one >= 0:
        buffer[at + (one - max(writer, 0)) % seats] = 1
    return at + seats


def each(buffer: Any, at: int, values: Sequence[int], writer: int, count: int, low: int) -> int:
    """A number for each of `count` seats or sides; `low` is written for 0."""
    for turn in range(count):
        at = number(buffer, at, low + values[(max(writer, 0) + turn) % count])
    return at


def sums(buffer: Any, at: int, values: Sequence[int], writer: int, seats: int, low: int) -> int:
    """A number for each seat, as `each`, where they may be greater than an int of C."""
    return each(buffer, at, values, writer, seats, low)


def rows(buffer: Any, at: int, values: Sequence[int], writer: int, seats: int, size: int) -> int:
    """For each seat one of `size` things, or none."""
    for turn in range(seats):
        at = chosen(buffer, at, values[(max(writer, 0) + turn) % seats], size)
    return at


def holders(buffer: Any, at: int, values: Sequence[int], writer: int, seats: int, size: int) -> int:
    """For each seat a set of `size` things, from sets of seats by thing."""
    for turn in range(seats):
        for thing in range(size):
            buffer[at + thing] = (values[thing] >> ((max(writer, 0) + turn) % seats)) & 1
        at += size
    return at


def sets(buffer: Any, at: int, values: Sequence[int], writer: int, seats: int, size: int) -> int:
    """For each seat a set of `size` things."""
    for turn in range(seats):
        at = cards(buffer, at, values[(max(writer, 0) + turn) % seats], size)
    return at
