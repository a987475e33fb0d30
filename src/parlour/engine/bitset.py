"""Sets of up to 64 things as one integer; compiled modules use the machine's own instructions for these (bitset.h)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from .types import Card, Cards

WORD = 0xFFFFFFFFFFFFFFFF
UNTOLD = -(1 << 30)  # stands in a row where a seat is told that something happened, but not what


def one(item: Card) -> Cards:
    """The set that holds this item alone."""
    return 1 << item


def count(cards: Cards) -> int:
    """How many items a set holds."""
    return cards.bit_count()


def lowest(cards: Cards) -> Card:
    """The lowest item of a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def highest(cards: Cards) -> Card:
    """The highest item of a set that is not empty."""
    return cards.bit_length() - 1


def beneath(cards: Cards) -> Cards:
    """All items lower than the lowest of a set that is not empty."""
    return (cards & -cards) - 1


def nth(cards: Cards, k: int) -> Card:
    """The k-th item of a set, from 0."""
    for _ in range(k):
        cards &= cards - 1
    return lowest(cards)


def high(a: int, b: int) -> int:
    """The upper half of the product of two 64-bit words."""
    return (a * b) >> 64


def low(a: int, b: int) -> int:
    """The lower half of the product of two 64-bit words."""
    return (a * b) & WORD


def spread(room: Any, at: int, cards: Cards, size: int) -> None:
    """Write a set as `size` bytes into a buffer: 1 for each item in the set, otherwise 0."""
    for item in range(size):
        room[at + item] = (cards >> item) & 1


def blank(room: Any, at: int, size: int) -> None:
    """Write `size` zeros into a buffer of bytes."""
    room[at : at + size] = bytes(size)


def copy_numbers(to: object, other: object) -> None:
    """Make all numbers of an object, and those of its lists, the same as another's; what it refers to stays."""
    mine = vars(to)
    for name, value in vars(other).items():
        if isinstance(value, list):
            mine[name][:] = value
        elif isinstance(value, int | float):
            mine[name] = value


def items(cards: Cards) -> list[Card]:
    """The items of a set, ascending."""
    found: list[Card] = []
    first = 0
    while cards:
        if cards & 255:
            found += _in_byte(first, cards & 255)
        cards >>= 8
        first += 8
    return found


@cache
def _in_byte(first: Card, byte: Cards) -> tuple[Card, ...]:
    """The items of a set of up to eight, counted from `first`."""
    return tuple(first + at for at in range(8) if byte >> at & 1)


def union(things: Iterable[Card]) -> Cards:
    """The set of these items."""
    cards = 0
    for item in things:
        cards |= 1 << item
    return cards
