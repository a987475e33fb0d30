"""Bases for a game in plain Python, such as one outside this package: the engine's hooks as methods to override.

The engine is compiled, and C can call only what C knows. These two classes hand each hook on to a Python method. A game
of this kind plays everywhere, but at the speed of Python; every step of it is a whole move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import calls
from .bitset import items
from .core import Seeded, State
from .fields import ALWAYS
from .types import Card, Cards, Kind, Points, Seat, Seats, Step, Steps
from .view import SIGHT_ALWAYS, View


def deal_unseen(luck: Seeded, cards: Cards, sizes: Sequence[int]) -> list[Cards]:
    """Deal a set of cards at random into hands of these sizes, every way equally likely."""
    left = items(cards)
    hands = []
    for size in sizes:
        hand = 0
        for _ in range(size):
            hand |= 1 << left.pop(luck.number_below(len(left)))
        hands.append(hand)
    return hands


class PlainState(State):
    """A state in plain Python. Override `start`, `choices`, `apply`, `score_of`, `why_not`, `steps_of` and `where`; if
    chance deals, `receive`; if the default is not right, `winners` and `forecast`. Set attributes in `__init__` first:
    numbers, and lists of numbers, are copied with the state."""

    # what a game defines

    def start(self) -> None:
        """Lay out a new sitting: set all attributes, then ask for chance or call `turn_to`."""
        raise NotImplementedError

    def choices(self) -> Steps:
        """The legal steps of the seat to decide, as a set."""
        raise NotImplementedError

    def apply(self, step: Step) -> None:
        """Take a legal step, with all its consequences up to the next decision or chance."""
        raise NotImplementedError

    def receive(self) -> None:
        """Go on with what chance gave: `drawn`, or `dealt()`."""

    def score_of(self, seat: Seat) -> float:
        """The score of a seat so far."""
        return 0.0

    def forecast(self, seat: Seat) -> float:
        """The chance that a seat wins, before the end."""
        return 1.0 / self.sides

    def shuffle_unseen(self, luck: Seeded) -> None:
        """Reorder the cards that nobody has seen or holds, where there are any."""

    def winners(self) -> list[Seat]:
        best = max(self.score_of(seat) for seat in range(self.players))
        return [seat for seat in range(self.players) if self.score_of(seat) == best]

    def scores(self) -> list[Points]:
        return [int(self.score_of(side)) for side in range(self.sides)]

    # what a game calls

    def turn_to(self, seat: Seat) -> None:
        """It is this seat's turn to decide."""
        self.seat = seat

    def end(self, cut: bool = False) -> None:
        """The sitting is over; `cut` says that a limit ended it."""
        self.seat = -1
        self.over = True
        self.cut = cut

    def next_deal(self) -> None:
        """A new deal begins: call this before asking for its chance."""
        self._begin_deal()

    def ask_one(self, kind: Kind, pool: Cards) -> None:
        """Ask chance for one item of a set; `receive` finds it in `drawn`."""
        self._await_one(kind, pool)

    def ask_deal(self, kind: Kind, size: int, draws: int) -> None:
        """Ask chance for the first `draws` cards of a pack of `size`; `receive` finds them by `dealt()`."""
        self._await_deal(kind, size, draws)

    def dealt(self) -> list[Card]:
        """The cards that chance dealt, in order."""
        return [self._pack[at] for at in range(self.draws)]

    def tell(self, kind: Kind, *values: int, items: Iterable[int] = ()) -> None:
        """Write a row to the journal: up to four values, and items."""
        row = [*values, 0, 0, 0, 0]
        self._tell(kind, row[0], row[1], row[2], row[3])
        for item in items:
            self._tell_item(item)

    # how the engine reaches them

    def _start(self) -> None:
        calls.start(self)

    def _choices(self) -> Steps:
        self.base = 0
        return calls.choices(self) if self.seat >= 0 else 0

    def _apply(self, step: Step) -> None:
        self.moves += 1
        calls.apply(self, step)

    def _receive(self) -> None:
        calls.receive(self)

    def _fill(self, other: State) -> None:
        State._fill(self, other)
        calls.fill(self, other)

    def _score_of(self, seat: Seat) -> float:
        return calls.score_of(self, seat)

    def _has_won(self, seat: Seat) -> bool:
        return calls.has_won(self, seat)

    def _forecast(self, seat: Seat) -> float:
        return calls.forecast(self, seat)

    def _shuffle_unseen(self, luck: Seeded) -> None:
        calls.shuffle_unseen(self, luck)

    def copy_attributes(self, other: State) -> None:
        """Take over all attributes of another state of this class; lists are copied."""
        for name, value in vars(other).items():
            if name not in ("journal", "chance"):
                setattr(self, name, value[:] if isinstance(value, list) else value)

    def fail(self, error: BaseException) -> None:
        """Store an error until it can be raised, and stop."""
        vars(self).setdefault("failure", error)
        self.seat = -1
        self.awaits = -1
        self.over = True

    def begin(self, chance: Any = None) -> State:
        State.begin(self, chance)
        raise_failure(self)
        return self

    def play(self, step: Any) -> object:
        State.play(self, step)
        raise_failure(self)
        return None


BASE = frozenset(("players", "sides", "seat", "options", *SIGHT_ALWAYS))  # of every view


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text, none, or a list of these."""
    if isinstance(value, list):
        return all(is_plain(one) for one in value)
    return value is None or isinstance(value, int | float | str)


class PlainView(View):
    """A view in plain Python. Set `STATE` to the class of its states, `FIELDS` to its fields, and override `look`,
    which sets an attribute for each field; with hidden cards `determinize`; for a good player `choose`; to remember
    what was told `hear`."""

    STATE = PlainState

    def look(self, state: Any) -> None:
        """Set the attributes of this view from a state: only what its seat may see."""
        raise NotImplementedError

    def hear(self, row: list[int]) -> None:
        """Remember a told row: kind, four values, then the items."""

    def determinize(self, state: Any, luck: Seeded) -> bool:
        """Set the attributes of a state to a sample of the positions that agree with this view; False if none does."""
        return False

    def choose(self, luck: Seeded) -> Step:
        """The step that the heuristic chooses; the lowest legal one, if the game has none."""
        return self.legal()[0]

    def seats(self) -> Seats:
        """All seats as a set."""
        return (1 << self.players) - 1

    def new_state(self) -> State:
        return self.STATE(self.players, self.options)

    def numbers(self) -> list[int]:
        """The observation, from the declared fields."""
        return [number for field in (*ALWAYS, *self.FIELDS) if field.encoded for number in field.write(self)]

    def numbers_remembered(self) -> list[int]:
        """What is remembered, from the declared fields."""
        return [number for field in self.FIELDS if field.remembered for number in field.write(self)]

    # how the engine reaches them

    def _glance(self) -> None:
        View._glance(self)
        calls.look(self, self._behind)

    def _hear(self) -> None:
        calls.hear(self, [self._row[at] for at in range(5)] + [self._row[6 + at] for at in range(self._row[5])])

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0:
            return False
        self._begin_state()
        return calls.determinize(self, self._behind, luck)

    def _heuristic(self, luck: Seeded) -> Step:
        return calls.choose(self, luck)

    def _encode(self, buffer: Any, at: int) -> int:
        return calls.write(self, buffer, at)

    def _encode_memory(self, buffer: Any, at: int) -> int:
        return calls.recall(self, buffer, at)

    def _copy_memory(self, other: View) -> None:
        for name, value in vars(other).items():
            setattr(self, name, value[:] if isinstance(value, list) else value)

    def fail(self, error: BaseException) -> None:
        """Store an error until it can be raised."""
        vars(self).setdefault("failure", error)

    def see(self, state: State) -> View:
        View.see(self, state)
        raise_failure(self)
        return self

    def sight(self) -> dict[str, Any]:
        """Every number, text and list of them that this view has as an attribute."""
        return View.sight(self) | {
            name: value[:] if isinstance(value, list) else value
            for name, value in vars(self).items()
            if name not in BASE and not name.startswith("_") and is_plain(value)
        }

    def adopt(self, sight: Mapping[str, Any]) -> View:
        own = {name: value for name, value in sight.items() if name not in SIGHT_ALWAYS}
        for name, value in own.items():
            if name in BASE or not name.isidentifier() or hasattr(type(self), name) or not is_plain(value):
                raise ValueError(f"A view of this game cannot see {name!a:.40} as {value!r:.60}.")
        vars(self).update({name: value[:] if isinstance(value, list) else value for name, value in own.items()})
        return View.adopt(self, {name: value for name, value in sight.items() if name in SIGHT_ALWAYS})

    def hear_rows(self, rows: Iterable[Sequence[int]]) -> None:
        View.hear_rows(self, rows)
        raise_failure(self)

    def sample(self, luck: Seeded) -> State:
        try:
            return View.sample(self, luck)
        finally:
            raise_failure(self)

    def heuristic(self, luck: Seeded) -> Step:
        step = View.heuristic(self, luck)
        raise_failure(self)
        return step


def raise_failure(failed: Any) -> None:
    """Raise the error that a hook has met, once."""
    error = vars(failed).pop("failure", None)
    if error is not None:
        raise error
