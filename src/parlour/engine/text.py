"""Pieces of text and numbers, written one after another into a buffer; compiled modules have a twin (text.h)."""

from __future__ import annotations

import sys
from typing import Any

NOTHING = -(1 << 62)  # stands in a column where an entry has no value
SLACK = 16  # bytes that both buffers need behind the end of a piece


def piece(room: Any, at: int, text: Any, start: int, length: int) -> int:
    """Copy some bytes of `text`; returns where the next piece begins."""
    room[at : at + length] = text[start : start + length]
    return at + length


def digits(room: Any, at: int, value: int) -> int:
    """A whole number in decimal digits."""
    written = b"%d" % value
    return piece(room, at, written, 0, len(written))


def store(room: Any, at: int, value: int) -> None:
    """The `at`-th number of 64 bits, as the machine has it."""
    room[8 * at : 8 * at + 8] = value.to_bytes(8, sys.byteorder, signed=True)
