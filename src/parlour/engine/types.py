"""Names for the numbers that the engine works with, so that signatures say what they take and give."""

from __future__ import annotations

from typing import TypeAlias

Card: TypeAlias = int
"""A card, by its place in the pack, from 0."""

Cards: TypeAlias = int
"""A set of up to 64 cards (or other items), one bit each."""

Seat: TypeAlias = int
"""A seat at the table, from 0 leftwards; −1 stands for nobody, or for a spectator."""

Seats: TypeAlias = int
"""A set of seats, one bit each."""

Side: TypeAlias = int
"""A side of partners, from 0; where everyone plays alone, a side is a seat."""

Step: TypeAlias = int
"""A step, by its place among the step names of its game: a whole move, or a part of one."""

Steps: TypeAlias = int
"""A set of legal steps, one bit each, counted from `base`."""

Points: TypeAlias = int
"""Points or counters, won or lost."""

Clause: TypeAlias = int
"""A clause, by its place in the sheet."""

Kind: TypeAlias = int
"""A kind of entry, by its place among the entries of its game."""

MOST_ITEMS = 64  # that a row has: no pack is larger
