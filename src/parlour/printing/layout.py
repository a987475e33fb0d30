"""Where things stand on paper: how many cards fit a page, where each lies in front and behind, and where to cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres, upright
SIZES = {"poker": (63.5, 88.9), "bridge": (57.15, 88.9), "large": (88.9, 124.46)}
BLEED = 1.8  # what is printed beyond each cut
MARGIN = 5.0  # what printers leave white
MARK, GAP = 3.6, 0.6  # the length of a crop mark, and its distance from what is printed


class Place(NamedTuple):
    """Where a card lies: its cut edges from the top left, and how far it is turned, clockwise in degrees."""

    left: float
    top: float
    width: float
    height: float
    turn: int


class Mark(NamedTuple):
    """A crop mark, a line from one point to another."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of cards, always upright, so that it is turned over along its long edge."""

    paper: tuple[float, float]
    card: tuple[float, float]
    columns: int
    rows: int
    turned: bool  # whether cards lie on their side, as more of them fit

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def cell(self) -> tuple[float, float]:
        """A card as it lies, with what is printed beyond its edges."""
        width, height = self.card[::-1] if self.turned else self.card
        return width + 2 * BLEED, height + 2 * BLEED

    def front(self, at: int) -> Place:
        """The place of a card, counted from the top left along the rows."""
        return self._place(at // self.columns, at % self.columns, 90)

    def back(self, at: int) -> Place:
        """The place of its back on the other side: columns from the right, and turned the other way."""
        return self._place(at // self.columns, self.columns - 1 - at % self.columns, 270)

    def _place(self, row: int, column: int, turn: int) -> Place:
        wide, high = self.cell
        left = (self.paper[0] - self.columns * wide) / 2 + column * wide + BLEED
        top = (self.paper[1] - self.rows * high) / 2 + row * high + BLEED
        return Place(left, top, wide - 2 * BLEED, high - 2 * BLEED, turn if self.turned else 0)

    def marks(self) -> Iterator[Mark]:
        """Crop marks at the edge of the page for every cut, the same on both sides."""
        first, last = self.front(0), self.front(self.count - 1)
        left, top = first.left - BLEED - GAP, first.top - BLEED - GAP
        right, bottom = last.left + last.width + BLEED + GAP, last.top + last.height + BLEED + GAP
        for column in range(self.columns):
            place = self.front(column)
            for x in (place.left, place.left + place.width):
                yield Mark(x, top - MARK, x, top)
                yield Mark(x, bottom, x, bottom + MARK)
        for row in range(self.rows):
            place = self.front(row * self.columns)
            for y in (place.top, place.top + place.height):
                yield Mark(left - MARK, y, left, y)
                yield Mark(right, y, right + MARK, y)


def sheet_of(paper: str, size: str) -> Sheet:
    """The page that holds most cards of a size, upright or on their side."""
    page, card = PAPERS[paper], SIZES[size]

    def fitted(turned: bool) -> Sheet:
        width, height = card[::-1] if turned else card
        columns = int((page[0] - 2 * MARGIN) // (width + 2 * BLEED))
        rows = int((page[1] - 2 * MARGIN) // (height + 2 * BLEED))
        return Sheet(page, card, columns, rows, turned)

    return max((fitted(False), fitted(True)), key=lambda sheet: sheet.count)


def booklet(pages: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Sheets to fold once, one within the other: the pages on the outside and on the inside, 0 for an empty one."""
    filled = -(-pages // 4) * 4

    def real(page: int) -> int:
        return page if page <= pages else 0

    return [
        (
            (real(filled - 2 * sheet), real(2 * sheet + 1)),
            (real(2 * sheet + 2), real(filled - 2 * sheet - 1)),
        )
        for sheet in range(filled // 4)
    ]
