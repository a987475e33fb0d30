"""Belief marginals: how likely each other seat holds each hidden card, from worlds sampled by what a view knows."""

from __future__ import annotations

from array import array
from typing import Any

from . import bitset, encode
from .core import Seeded
from .fields import ALWAYS, OWNER, Counts
from .view import View

__all__ = ["Marginals"]

PROBABILITY = 255  # how a probability of 1 is written,
COUNT = 32  # and one thing of a kind that a hand may hold several of


class Marginals:
    """Writes down where hidden cards probably are: the share of sampled worlds in which each other seat holds each.

    Seats stand from the next one on leftwards. A probability is written times 255; how many of a kind a hand holds on
    average, times 32. The luck of the samples depends on nothing but the seat and how many moves were made, so that
    views that know the same write the same. Where no world agrees with what a view knows, everything is 0.

    >>> import parlour
    >>> sitting = parlour.Sitting("heraldry", players=3, seed=1)
    >>> view = sitting.view(sitting.seat)
    >>> marginals = Marginals(view, worlds=100)
    >>> [(name, rows, size) for name, rows, size, meaning in marginals.layout()]
    [('belief_hand', 2, 48)]
    """

    def __init__(self, view: View, worlds: int) -> None:
        if worlds < 1:
            raise ValueError(f"Belief marginals need at least 1 sampled world, not {worlds}.")
        self.worlds = worlds
        self.parts = []  # type: list[Any]  # of an observation, what its seat alone sees: name, first, end, unit
        at = 0
        for field in (*ALWAYS, *view.FIELDS):
            if field.encoded:
                rows, size = field.shape(view.players, view.sides)
                if field.seen_by == OWNER and not field.in_turn:
                    self.parts.append((field.name, at, at + rows * size, isinstance(field.kind, Counts)))
                at += rows * size
        self.seen = at
        self.others = view.players - 1
        self.width = self.others * sum([end - first for _, first, end, _ in self.parts])
        if not self.width:
            raise ValueError("Nothing is hidden in this game.")
        self.ends = array("i", [number for part in self.parts for number in part[1:3]])
        self.units = array("i", [COUNT if part[3] else PROBABILITY for part in self.parts])
        self.sums = array("i", bytes(4 * self.width))
        self.sight = view.__class__(view.players, 0, view.options)  # looks at each world for the other seats
        self.world = view.new_state()
        self.luck = Seeded()
        self.held = memoryview(bytearray(at))  # so that it stays where it is
        self.scratch = encode.buffer(self.held)

    def layout(self) -> list[tuple[str, int, int, str]]:
        """The fields that are written: name, how many rows, how many numbers a row, meaning."""
        found = []
        for name, first, end, counts in self.parts:
            what = "how many of each kind it holds on average, times 32" if counts else "of each card that it holds it"
            meaning = f"by other seat: {what}" if counts else f"by other seat: the probability {what}, times 255"
            found.append((f"belief_{name}", self.others, end - first, meaning))
        return found

    def write(self, view: View, buffer: Any) -> None:
        """Write what a view of this game that has heard everything believes into a buffer with room for just that."""
        if view.__class__ is not self.sight.__class__ or view.players != self.others + 1 or view.seat < 0:
            raise TypeError("Belief marginals are those of a seat's view of their own game.")
        if len(buffer) != self.width:
            raise ValueError(f"There are {self.width} numbers to write, and there is room for {len(buffer)}.")
        held = memoryview(buffer)
        self._write(view, encode.buffer(held), 0)

    def _write(self, view: View, room: Any, at: int) -> None:
        """Write them into a buffer from a place on."""
        found = 0
        for place in range(self.width):
            self.sums[place] = 0
        self.luck._reseed(view.moves, view.seat)
        view._attach(self.world)
        view._prepare()
        self.sight._attach(self.world)
        while found < self.worlds and view._determinize(self.luck):
            found += 1
            for turn in range(1, self.others + 1):
                self._count(view.seat, turn)
        view._attach(None)
        self.sight._attach(None)
        self._write_down(room, at, found)

    def _count(self, seat: int, turn: int) -> None:
        """Add what a seat holds in the sampled world."""
        self.sight.seat = (seat + turn) % (self.others + 1)
        self.sight._look()
        bitset.blank(self.scratch, 0, self.seen)
        self.sight._encode(self.scratch, 0)
        first = 0
        for part in range(len(self.units)):
            size = self.ends[2 * part + 1] - self.ends[2 * part]
            for place in range(size):
                self.sums[first + (turn - 1) * size + place] += self.scratch[self.ends[2 * part] + place]
            first += self.others * size

    def _write_down(self, room: Any, at: int, found: int) -> None:
        """Write what was counted in so many worlds."""
        first = 0
        for part in range(len(self.units)):
            size = self.others * (self.ends[2 * part + 1] - self.ends[2 * part])
            for place in range(first, first + size):
                value = (2 * self.units[part] * self.sums[place] + found) // (2 * found) if found else 0
                room[at + place] = value if value < 255 else 255
            first += size
