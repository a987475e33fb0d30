"""Pieces of text, written one after another into a buffer of bytes; compiled modules have a twin (text.h)."""

from __future__ import annotations

from typing import Any

SLACK = 16  # bytes that both buffers need behind the end of a piece


def piece(room: Any, at: int, text: Any, start: int, length: int) -> int:
    """Copy some bytes of `text`; returns where the next piece begins."""
    room[at : at + length] = text[start : start + length]
    return at + length


def digits(room: Any, at: int, value: int) -> int:
    """A whole number in decimal digits."""
    written = b"%d" % value
    return piece(room, at, written, 0, len(written))
