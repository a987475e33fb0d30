"""The seats next to a seat; compiled modules have these in line (turns.pxd)."""

from __future__ import annotations

from .types import Seat


def left(seat: Seat, players: int) -> Seat:
    """The next seat in the usual order of play."""
    return seat + 1 if seat + 1 < players else 0


def right(seat: Seat, players: int) -> Seat:
    """The seat before."""
    return seat - 1 if seat else players - 1
