"""Writes what happened as JSON or as columns, straight from the rows of a journal: an entry makes no Python objects."""

from __future__ import annotations

from collections.abc import Sequence

from . import bitset, encode, text
from .core import Journal, Seeded, State, play_randomly
from .text import NOTHING
from .types import Step
from .view import View

MOST_KINDS, MOST_FIELDS, MOST_COLUMNS = 256, 5, 64
SMALL = 256  # numbers below this one are pieces too
LONGEST_NUMBER = 24  # bytes of one, with its comma
SITTING, ENTRY, KIND, OWN_COLUMNS = 0, 1, 2, 3  # columns of every game, and how many


class Scribe:
    """Writes down the entries of a journal."""

    def copy(self, journal: Journal) -> int:
        """Write the rows of a journal, and empty it."""
        raise NotImplementedError


class LineScribe(Scribe):
    """Writes rows as entries, `["play",2,"M3"],`, into a buffer that grows.

    `heads` has for each kind of entry how it begins (`["play"`), empty for a kind that records leave out. `fields` has
    for each its fields in order: the slot in the row (0–3 a value, 4 the items), and either the pieces that stand for
    the values from 0 on (`,"M3"`), or nothing where the value itself is written.
    """

    def __init__(self, heads: Sequence[bytes], fields: Sequence[Sequence[tuple[int, Sequence[bytes]]]]) -> None:
        if len(heads) > MOST_KINDS or max(map(len, fields)) > MOST_FIELDS:
            raise ValueError(f"A scribe knows at most {MOST_KINDS} kinds of entry with {MOST_FIELDS} fields each.")
        pieces = [*heads, *[b",%d" % number for number in range(SMALL)]]
        self._numbers = len(heads)  # the piece of the number 0
        self._slots = [-1] * 1280  # by kind and field: the slot in the row; −1 behind the last
        self._firsts = [-1] * 1280  # by kind and field: the piece of the value 0
        self._sizes = [0] * 1280  # by kind and field: how many pieces it has
        places: dict[tuple[bytes, ...], int] = {}
        for kind, row in enumerate(fields):
            for number, (slot, values) in enumerate(row):
                at = MOST_FIELDS * kind + number
                self._slots[at] = slot
                if values:
                    known = tuple(values)
                    if known not in places:
                        places[known] = len(pieces)
                        pieces += known
                    self._firsts[at] = places[known]
                    self._sizes[at] = len(known)
        longest = max(map(len, pieces))
        if longest > 255:
            raise ValueError("A scribe writes pieces of at most 255 bytes.")
        self._width = (longest + 15) & ~15  # bytes from one piece to the next
        padded = b"".join([one.ljust(self._width, b"\0") for one in pieces])
        self._held = [memoryview(bytearray(padded + bytes(text.SLACK))), memoryview(bytearray(map(len, pieces)))]
        self._text = encode.buffer(self._held[0])  # all pieces
        self._lengths = encode.buffer(self._held[1])  # by piece: its bytes
        self._each = max(self._width, LONGEST_NUMBER)  # the most bytes that one number of a journal becomes
        self._strange = False  # whether a value had no piece
        self._make_room(1 << 16)
        self._at = 0  # the bytes written

    def _make_room(self, size: int) -> None:
        self._paper = bytearray(size)
        self._size = size
        self._sheet = memoryview(self._paper)
        self._room = encode.buffer(self._sheet)  # what is written

    def _grow(self) -> None:
        written = self._paper
        self._make_room(2 * self._size)
        self._paper[: self._at] = written[: self._at]

    def end(self, words: bytes) -> None:
        """Drop the comma behind the last entry, if there is one, and write something instead."""
        if self._at and self._paper[self._at - 1] == 44:
            self._at -= 1
        self.write(words)

    def write(self, words: bytes) -> None:
        """Write something besides entries."""
        size = len(words)
        while self._at + size + text.SLACK > self._size:
            self._grow()
        self._paper[self._at : self._at + size] = words
        self._at += size

    def take(self) -> bytes:
        """All that was written; from now on it is empty."""
        if self._strange:
            raise ValueError("A row of the journal holds a value for which there is no name.")
        written = bytes(self._sheet[: self._at])
        self._at = 0
        return written

    def _value(self, at: int, first: int, size: int, value: int) -> int:
        """Write one value with its comma at a place; returns where the next one begins."""
        piece = self._numbers
        if first >= 0:
            if value < 0 or value >= size:
                self._strange = True
                return at
            piece = first + value
        elif value >= 0 and value < SMALL:
            piece += value
        else:
            self._room[at] = 44
            return text.digits(self._room, at + 1, value)
        return text.piece(self._room, at, self._text, piece * self._width, self._lengths[piece])

    def copy(self, journal: Journal) -> int:
        return self._copy_lines(journal)

    def _copy_lines(self, journal: Journal) -> int:
        while self._at + journal.size * self._each + text.SLACK > self._size:
            self._grow()
        row = 0
        at = self._at
        while row < journal.size:
            kind = journal._room[row]
            items = journal._room[row + 5]
            if self._lengths[kind]:
                at = text.piece(self._room, at, self._text, kind * self._width, self._lengths[kind])
                field = MOST_FIELDS * kind
                last = field + MOST_FIELDS
                while field < last and self._slots[field] >= 0:
                    slot = self._slots[field]
                    first = self._firsts[field]
                    size = self._sizes[field]
                    if slot < 4:
                        at = self._value(at, first, size, journal._room[row + 1 + slot])
                    else:
                        self._room[at] = 44
                        at += 1
                        begins = at  # the comma before the first item becomes a bracket
                        for item in range(items):
                            at = self._value(at, first, size, journal._room[row + 6 + item])
                        if at == begins:
                            at += 1
                        self._room[begins] = 91
                        self._room[at] = 93
                        at += 1
                    field += 1
                self._room[at] = 93
                self._room[at + 1] = 44
                at += 2
            row += 6 + items
        self._at = at
        journal.size = 0
        return 0


class Roll:
    """Whole numbers of 64 bits one after another, as many as there come."""

    def __init__(self) -> None:
        self._at = 0  # the numbers written
        self._make_room(1 << 12)

    def _make_room(self, size: int) -> None:
        self._paper = bytearray(8 * size)
        self._sheet = memoryview(self._paper)
        self._room = encode.buffer(self._sheet)
        self._size = size

    def add(self, value: int) -> int:
        """Write one number."""
        if self._at == self._size:
            written = self._paper
            self._make_room(2 * self._size)
            self._paper[: len(written)] = written
        text.store(self._room, self._at, value)
        self._at += 1
        return 0

    def take(self) -> bytes:
        """All numbers as the machine has them; from now on there are none."""
        written = bytes(self._sheet[: 8 * self._at])
        self._at = 0
        return written


class RowScribe(Scribe):
    """Writes each entry as a row of numbers, and the items of entries that have many into rolls of their own.

    `columns` has for each kind of entry its fields: the slot in the row of the journal, and the column; None leaves a
    kind out. The first columns are the sitting, the entry and the kind. For a field with many items the column holds
    how many there are; they stand in `cards`, or in `scores` for a column from `scores_from` on.
    """

    def __init__(self, columns: Sequence[Sequence[tuple[int, int]] | None], width: int, scores_from: int) -> None:
        if len(columns) > MOST_KINDS or width > MOST_COLUMNS:
            raise ValueError(f"A scribe knows at most {MOST_KINDS} kinds of entry and {MOST_COLUMNS} columns.")
        self._left_out = [0] * 256  # by kind: whether it is left out
        self._slots = [-1] * 1280  # by kind and field: the slot in the row; −1 behind the last
        self._columns = [0] * 1280  # by kind and field: the column
        self._row = [0] * 64  # the row being written
        for kind, fields in enumerate(columns):
            self._left_out[kind] = fields is None
            for number, (slot, column) in enumerate(fields or ()):
                self._slots[MOST_FIELDS * kind + number] = slot
                self._columns[MOST_FIELDS * kind + number] = column
        self._width = width
        self._scores_from = scores_from
        self._sitting = 0
        self._entry = 0  # the number of the next entry
        self.rows = Roll()
        self.cards = Roll()
        self.scores = Roll()

    def begin(self, sitting: int) -> None:
        """What comes now belongs to this sitting."""
        self._sitting = sitting
        self._entry = 0

    def add(self, kind: int, values: Sequence[tuple[int, int]]) -> None:
        """Write a row that is no entry: pairs of a column and its value."""
        self._clear(kind)
        for column, value in values:
            self._row[column] = value
        self._write()

    def _clear(self, kind: int) -> None:
        for column in range(self._width):
            self._row[column] = NOTHING
        self._row[SITTING] = self._sitting
        self._row[ENTRY] = self._entry
        self._row[KIND] = kind

    def _write(self) -> int:
        for column in range(self._width):
            self.rows.add(self._row[column])
        self._entry += 1
        return 0

    def copy(self, journal: Journal) -> int:
        return self._copy_rows(journal)

    def _copy_rows(self, journal: Journal) -> int:
        row = 0
        while row < journal.size:
            kind = journal._room[row]
            items = journal._room[row + 5]
            if not self._left_out[kind]:
                self._clear(kind)
                field = MOST_FIELDS * kind
                last = field + MOST_FIELDS
                while field < last and self._slots[field] >= 0:
                    slot = self._slots[field]
                    column = self._columns[field]
                    if slot < 4:
                        self._row[column] = journal._room[row + 1 + slot]
                    else:
                        self._row[column] = items
                        roll = self.cards if column < self._scores_from else self.scores
                        for item in range(items):
                            roll.add(journal._room[row + 6 + item])
                    field += 1
                self._write()
            row += 6 + items
        journal.size = 0
        return 0


def play_table(
    state: State, view: View, thumbs: int, chance: Seeded, luck: Seeded, own: Seeded, scribe: Scribe | None = None
) -> None:
    """Play a sitting: the seats of the set `thumbs` by the heuristic, with luck of their `own`, the others at random.

    A scribe writes the entries; the state then has a journal, and otherwise none. `view` is any view of the game.
    """
    if state is None or view is None or chance is None or luck is None or own is None or not state.players:
        raise TypeError("This needs a state of a game, a view of it and three streams of luck.")
    if view.players != state.players:
        raise TypeError("A view looks at a state of its own game with as many players.")
    journal = state.journal
    if (journal is None) != (scribe is None):
        raise ValueError("A sitting is played with a journal and a scribe, or with neither.")
    seat = view.seat
    view._attach(state)
    state._clear()
    state._start()
    if scribe is not None and journal is not None:
        journal.clear()
        _write_down(state, journal, view, thumbs, chance, luck, own, scribe)
        journal.check_whole()
    elif thumbs:
        _play_on(state, view, thumbs, chance, luck, own)
    else:
        play_randomly(state, chance, luck)
    view.seat = seat
    view._glance()
    view._attach(None)


def _decide(state: State, view: View, thumbs: int, luck: Seeded, own: Seeded) -> Step:
    """The step of the seat that decides."""
    if thumbs & bitset.one(state.seat):
        view.seat = state.seat
        view._glance()
        return view._heuristic(own)
    steps = state._choices()
    return state.base + bitset.nth(steps, luck._below(bitset.count(steps)))


def _play_on(state: State, view: View, thumbs: int, chance: Seeded, luck: Seeded, own: Seeded) -> None:
    while not state.over:
        if state.awaits >= 0:
            chance._serve_all(state)
        else:
            state._apply(_decide(state, view, thumbs, luck, own))


def _write_down(
    state: State,
    journal: Journal,
    view: View,
    thumbs: int,
    chance: Seeded,
    luck: Seeded,
    own: Seeded,
    scribe: Scribe,
) -> None:
    chance._serve_all(state)
    scribe.copy(journal)
    while not state.over:
        state._apply(_decide(state, view, thumbs, luck, own))
        chance._serve_all(state)
        scribe.copy(journal)
