"""Writes the entries of a record as JSON, straight from the rows of a journal: no objects of Python for each entry."""

from __future__ import annotations

from collections.abc import Sequence

from . import bitset, encode, text
from .core import Journal, Seeded, State, play_randomly
from .types import Step
from .view import View

MOST_KINDS, MOST_FIELDS = 256, 5
SMALL = 256  # numbers below this one are pieces too
LONGEST_NUMBER = 24  # bytes of one, with its comma


class Scribe:
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

    def copy(self, journal: Journal) -> None:
        """Write the rows of a journal, and empty it."""
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
