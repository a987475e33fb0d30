"""Views: what one seat sees of a state, remembers, and infers; its beliefs and its heuristic policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from . import bitset, encode
from .bitset import UNTOLD, WORD
from .bitset import items as items_of
from .core import Journal, Seeded, State
from .errors import Refusal, warn_renamed
from .fields import ALWAYS, Field
from .messages import say
from .types import MOST_ITEMS, Seat, Seats, Step

__all__ = ["SearchProfile", "View"]

# By the class of a state, for each kind of row two sets of positions (0–3 the values, 4 the items): those told to the
# parties only, and those that name the parties.
SECRETS: dict[type[State], list[tuple[int, int]]] = {}


# By the class of a view, how its fields become data: name, attribute, and the function that shows its value (or None).
PLANS: dict[type[View], list[tuple[str, str, Any]]] = {}


def secrets_of(teller: type[State] | None) -> list[tuple[int, int]] | None:
    """The secrets of the game that a class of states plays."""
    for kind in teller.__mro__ if teller is not None else ():
        if kind in SECRETS:
            return SECRETS[kind]
    return None


MANY = (0, 2**31 - 1)  # the range of a number that has no other limit


def by_name(*ranges: tuple[tuple[int, ...], str]) -> dict[str, tuple[int, ...]]:
    """The range of each number that a view sees; `ranges` has the names of those that share one."""
    return {name: limits for limits, names in ranges for name in names.split()}


# What views of every game see, as `View.SIGHT` has it.
SIGHT_ALWAYS = by_name(
    ((-1, 51), "to_act"),
    ((0, 4095), "base"),
    ((0, WORD), "steps"),
    ((0, 255), "unfinished"),
    ((0, 1), "over"),
    (MANY, "moves deals"),
)


def check_sight(sight: Mapping[str, Any], ranges: Mapping[str, tuple[int, ...]]) -> None:
    """Raise ValueError unless a sight has exactly these numbers, each within its range."""
    if sight.keys() != ranges.keys():
        names = ", ".join(sorted(sight.keys() ^ ranges.keys()))
        raise ValueError(f"What is seen differs from what a view of this game sees, in {names:.120}.")
    for name, (least, most, *size) in ranges.items():
        value = sight[name]
        numbers = value if size and isinstance(value, list) and len(value) == size[0] else [] if size else [value]
        if not numbers or not all(type(one) is int and least <= one <= most for one in numbers):
            raise ValueError(f"A view of this game cannot see {name} as {value!r:.60}.")


@dataclass(frozen=True)
class SearchProfile:
    """How a search judges and continues the positions of a game."""

    scale: float = 10.0  # a difference in score that one deal often makes
    ambition: float = 0.5  # the weight of winning the sitting, against gaining on the others
    depth: int = 1  # steps searched as a tree, before the heuristic plays on
    horizon: int = 4000  # and how many steps it plays on


class View:
    """All that one seat may know (or a spectator, seat −1): what it sees now, and what it was told before.

    `_look` copies, field by field, what is visible of the state that the view is attached to; `_hear` folds one told
    row into the seat's memory. From both it can `sample` states that agree with them (determinization), and choose a
    step by the game's `heuristic`. `fields()` gives everything in it by name; `FIELDS` declares these fields.
    """

    FIELDS: tuple[Field, ...] = ()  # beside those of every game

    # Every number that `_look` sets, beside those of every game, with the least and the greatest that it can be; where
    # it sets several, also how many there are.
    SIGHT: Mapping[str, tuple[int, ...]] = MappingProxyType({})

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        if not -1 <= seat < players:
            raise ValueError(f"A view is of a seat from 0 to {players - 1}, or of a spectator (-1), not of {seat}.")
        self.players = players
        self.sides = players
        self.seat = seat
        self.options = options
        self.to_act = -1  # the seat that decides
        self.base = 0
        self.steps = 0  # this seat's legal steps, counted from `base`
        self.moves = 0
        self.unfinished = 0
        self.deals = 0
        self.over = False
        self._width = 0  # how many numbers `encode` writes, once that is known
        self._trusting = False  # whether the others are believed to play by the heuristic
        self._secrets = None  # type: Any
        self._behind = None  # type: Any  # the state that it is attached to
        self._row = [0] * 80  # the row being heard

    def __repr__(self) -> str:
        whose = f"seat {self.seat}" if self.seat >= 0 else "a spectator"
        return f"<{type(self).__name__} of {whose}, {self.players} players, {self.moves} moves>"

    def __reduce__(self) -> Any:
        raise TypeError("A view cannot be copied or pickled; copy its Sitting, and ask the copy for a view.")

    # looking

    def _attach(self, state: Any) -> None:
        """Attach to the state that is looked at next: the true one only while `see` runs, otherwise a sampled one."""
        self._behind = state

    def _glance(self) -> None:
        """See as much of the attached state as the heuristic needs; refills in place."""
        self.steps = 0
        self.base = 0
        if self._behind.seat == self.seat and self.seat >= 0:
            self.steps = self._behind._choices()
            self.base = self._behind.base

    def _look(self) -> None:
        """See all that this seat may."""
        self._glance()
        self.to_act = self._behind.seat
        self.over = self._behind.over
        self.moves = self._behind.moves
        self.deals = self._behind.deals
        self.unfinished = self._behind.unfinished if self.steps else 0

    def _notice(self) -> None:
        """Fold what is seen now into memory."""

    def see(self, state: State) -> View:
        """Look at a state, and keep nothing of it but what is seen."""
        if not isinstance(state, State) or state.players != self.players:
            raise TypeError("A view looks at a state of its own game with as many players.")
        self._attach(state)
        self._look()
        self._attach(None)
        self._notice()
        return self

    def sight(self) -> dict[str, Any]:
        """All that is seen now, in numbers by name: `adopt` lets another view of this seat see the same.

        It holds nothing that was told before, which `hear_rows` brings.
        """
        found: dict[str, Any] = {}
        for name in (*SIGHT_ALWAYS, *self.SIGHT):
            value = getattr(self, name)
            found[name] = [int(one) for one in value] if isinstance(value, list) else int(value)
        return found

    def adopt(self, sight: Mapping[str, Any]) -> View:
        """See what another view of this seat sees, by its `sight`; ValueError where that does not fit this game."""
        ranges = {**SIGHT_ALWAYS, **self.SIGHT}
        check_sight(sight, ranges)
        for name in ranges:
            setattr(self, name, sight[name][:] if isinstance(sight[name], list) else sight[name])
        self._notice()
        return self

    # observations

    def layout(self) -> list[tuple[str, int, int]]:
        """The fields that `encode` writes, in order: name, how many rows, how many numbers a row."""
        found = []
        for field in (*ALWAYS, *self.FIELDS):
            if field.encoded:
                rows, size = field.shape(self.players, self.sides)
                found.append((field.name, rows, size))
        return found

    def _encode(self, buffer: Any, at: int) -> int:
        """Write what is seen now into a blank buffer from a place on, as `layout` says; returns where it ends."""
        return encode.seat(buffer, at, self.to_act, self.seat, self.players)

    def width(self) -> int:
        """How many numbers an observation has."""
        if not self._width:
            self._width = sum([rows * size for _, rows, size in self.layout()])
        return self._width

    def encode(self, buffer: Any) -> None:
        """Write what is seen now into a buffer of bytes that has room for exactly that: an observation."""
        if len(buffer) != self.width():
            raise ValueError(f"This view writes {self.width()} numbers, and there is room for {len(buffer)}.")
        held = memoryview(buffer)  # so that it stays where it is
        room = encode.buffer(held)
        bitset.blank(room, 0, self._width)
        self._encode(room, 0)

    def memory_layout(self) -> list[tuple[str, int, int]]:
        """The fields that `encode_memory` writes, in order, as in `layout`."""
        return [(field.name, *field.shape(self.players, self.sides)) for field in self.FIELDS if field.remembered]

    def _encode_memory(self, buffer: Any, at: int) -> int:
        """Write what is remembered into a blank buffer from a place on, as `memory_layout` says."""
        return at

    def encode_memory(self, buffer: Any) -> None:
        """Write what is remembered into a buffer of bytes that has room for exactly that."""
        width = sum([rows * size for _, rows, size in self.memory_layout()])
        if len(buffer) != width:
            raise ValueError(f"This view remembers {width} numbers, and there is room for {len(buffer)}.")
        held = memoryview(buffer)
        room = encode.buffer(held)
        bitset.blank(room, 0, width)
        self._encode_memory(room, 0)

    # listening

    def _copy_memory(self, other: View) -> None:
        """Remember what another view of the same seat remembers."""

    def remember(self, other: View) -> View:
        """Remember what another view of the same seat remembers, in place of all that this one was told."""
        if type(other) is not type(self) or (other.seat, other.players) != (self.seat, self.players):
            raise TypeError("A view remembers what another view of its own seat and game remembers.")
        self._copy_memory(other)
        return self

    def _hear(self) -> None:
        """Fold the told row (kind, a, b, c, d, number of items, items…) into memory."""

    def hear_rows(self, rows: Iterable[Sequence[int]]) -> None:
        """Hear rows as they were told to this seat elsewhere: those that `listen` returns, or `Game.row_of` makes."""
        for row in rows:
            if not 5 <= len(row) <= 5 + MOST_ITEMS:
                raise ValueError(f"A told row has 5 to {5 + MOST_ITEMS} numbers, not {len(row)}.")
            for i in range(5):
                self._row[i] = row[i]
            self._row[5] = len(row) - 5
            for i in range(len(row) - 5):
                self._row[6 + i] = row[5 + i]
            self._hear()

    # beliefs and heuristic

    def new_state(self) -> State:
        """A state of the game, to be filled with a sampled position."""
        raise NotImplementedError

    def search_profile(self) -> SearchProfile:
        """How a search judges the positions of this game."""
        return SearchProfile()

    def track_beliefs(self, trusting: bool = False) -> None:
        """Start tracking beliefs with a particle filter, where the game needs one (this takes more memory).

        A trusting view takes it that the others mostly play by the heuristic; otherwise any step that they could have
        taken unseen is thought equally likely.
        """
        self._trusting = trusting

    def _others(self) -> Seats:
        """All seats but this one."""
        return (1 << self.players) - 1 - (1 << self.seat if self.seat >= 0 else 0)

    def _begin_state(self) -> None:
        """Fill in what every game has, in the attached state, to sample a position."""
        self._behind._clear()
        self._behind.seat = self.to_act
        self._behind.moves = self.moves
        self._behind.unfinished = self.unfinished
        self._behind.deals = self.deals
        self._behind.within = self.moves

    def _prepare(self) -> None:
        """Make ready to sample many positions from what is known now."""

    def _determinize(self, luck: Seeded) -> bool:
        """Make the attached state a sample of the positions that agree with everything this seat knows.

        Each comes as often as chance would bring it, given what was seen. False if none was found.
        """
        return False

    def _heuristic(self, luck: Seeded) -> Step:
        """The step that the game's heuristic policy chooses."""
        return self.base + bitset.lowest(self.steps)

    def sample(self, luck: Seeded) -> State:
        """A new state that agrees with everything this seat knows, in its own turn or another's."""
        if luck is None:
            raise TypeError("Sampling a state needs a source of luck.")
        state = self.new_state()
        self._attach(state)
        self._prepare()
        found = self._determinize(luck)
        self._attach(None)
        if not found:
            raise ValueError("No state agrees with what this view was told; it must have heard the whole deal.")
        return state

    def heuristic(self, luck: Seeded) -> Step:
        """The step that the game's heuristic policy chooses; it must be this seat's turn."""
        if luck is None or not self.steps:
            raise Refusal(say("not this seat", "It is not the turn of this seat."))
        return self._heuristic(luck)

    # old names

    def advice(self, luck: Seeded) -> Step:
        """The old name of `heuristic`."""
        warn_renamed("View.advice", "View.heuristic")
        return self.heuristic(luck)

    def attend(self, trusting: bool = False) -> None:
        """The old name of `track_beliefs`."""
        warn_renamed("View.attend", "View.track_beliefs")
        self.track_beliefs(trusting)

    def write(self, buffer: Any) -> None:
        """The old name of `encode`."""
        warn_renamed("View.write", "View.encode")
        self.encode(buffer)

    # as data

    def legal(self) -> list[Step]:
        """The legal steps, if it is this seat's turn."""
        return [self.base + at for at in items_of(self.steps)]

    def fields(self) -> dict[str, Any]:
        """Everything in the view, by name, as plain data."""
        plan = PLANS.get(self.__class__)
        if plan is None:
            plan = PLANS[self.__class__] = [
                (field.name, field.source or field.name, None if field.kind.plain else field.kind.show)
                for field in (*ALWAYS, *self.FIELDS)
                if field.shown
            ]
        players, sides = self.players, self.sides
        return {
            name: getattr(self, source) if show is None else show(getattr(self, source), players, sides)
            for name, source, show in plan
        }

    def listen(self, journal: Journal) -> list[tuple[int, ...]]:
        """Hear every row of a journal, less what is not for this seat; returns the rows as they were told."""
        if journal is None:
            raise TypeError("There is no journal to listen to.")
        if self._secrets is None:
            self._secrets = secrets_of(self.new_state().__class__)
        # rows of another game would lead beyond the arrays of this one
        own = journal._players == self.players and journal._options == self.options
        if journal.size and not (own and secrets_of(journal._teller) is self._secrets):
            raise TypeError("A view listens to the journal of its own game, with its own players and options.")
        journal.check_whole()
        told: list[tuple[int, ...]] = []
        at = 0
        while at < journal.size:
            length = self._take_in(journal, at)
            row = [self._row[i] for i in range(5)]
            row += [self._row[6 + i] for i in range(length)]
            told.append(tuple(row))
            at += 6 + length
        return told

    def _take_in(self, journal: Journal, at: int) -> int:
        """Hear the row of a journal at a place, less what is not for this seat; returns how many items it has."""
        length = journal._room[at + 5]
        kind = journal._room[at]
        hidden, parties = self._secrets[kind]
        own = False
        for i in range(4):
            if (parties >> i) & 1 and journal._room[at + 1 + i] == self.seat:
                own = True
        for i in range(6 + length):
            value = journal._room[at + i]
            if not own and ((1 <= i <= 4 and (hidden >> (i - 1)) & 1) or (i >= 6 and (hidden >> 4) & 1)):
                value = UNTOLD
            self._row[i] = value
        self._hear()
        return length

    def _overhear(self, journal: Journal) -> int:
        """Hear every row of a journal of its own game, as `listen`, which must have come before."""
        at = 0
        while at < journal.size:
            at += 6 + self._take_in(journal, at)
        return at
