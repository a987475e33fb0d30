"""Seeded chance, journal and state: the inner loop that all games run in. Nothing here knows a game, a clock or a file.

They stand in one module because they call each other for every card: compiled, such calls are direct only within one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from . import bitset
from .bitset import WORD
from .bitset import items as items_of
from .errors import Refusal, warn_renamed, whole_number
from .messages import say
from .types import Card, Cards, Kind, Points, Seat, Step, Steps

__all__ = ["Chance", "Journal", "Seeded", "State"]

GOLDEN = 0x9E3779B97F4A7C15
MIX_A = 0xBF58476D1CE4E5B9
MIX_B = 0x94D049BB133111EB

ROOM = 1024  # numbers in a journal: one step tells of less, and 52 players of one game fill two thirds of it
LONGEST_ROW = 80
MOST_STEPS = 1 << 12


def emphasise(score: float) -> float:
    """A score to the fourth power: being ahead raises the chance to win by more than in proportion."""
    return max(score, 1.0) * max(score, 1.0) * max(score, 1.0) * max(score, 1.0)


class NogilTask:
    """Long work that needs nothing of the interpreter, so that threads can share it (`nogil.run`)."""

    def _iterate(self, count: int) -> None:
        """Do a number of rounds of it."""


# --- chance -----------------------------------------------------------------------------------------------------------


class Chance:
    """A source of chance. A state that awaits chance is given one entry: an item of a set, or an order of cards."""

    def serve(self, state: State) -> object:
        """Give the state the entry that it awaits."""
        raise NotImplementedError


class Seeded(Chance):
    """Fast pseudo-random chance for simulation and search: the same seed and number, the same luck on every machine.

    Every chance entry has a stream of its own, found by the number of its deal and its number within that deal, so that
    decisions do not shift later deals.
    """

    def __init__(self, seed: int = 0, number: int = 0) -> None:
        self.restart(seed, number)

    def __reduce__(self) -> Any:
        raise TypeError("A source of chance cannot be copied or pickled; make another with the same seed and number.")

    def restart(self, seed: int, number: int = 0) -> None:
        """Begin the stream that belongs to this seed and number (any whole numbers)."""
        self._reseed(seed & WORD, number & WORD)

    def _reseed(self, seed: int, number: int) -> None:
        """`restart`, for words of 64 bits."""
        self._used = WORD  # how much of the word below was used up, as a product of ranges
        self._word = 0  # random bits that are left over
        self._counter = number  # the state of the generator
        self._counter = self._next() ^ seed
        self._counter = self._next()
        self._key = self._counter  # from which every chance entry starts its own stream

    def _copy(self, other: Seeded) -> None:
        """Go on from here as the other would."""
        self._key = other._key
        self._counter = other._counter
        self._word = other._word
        self._used = other._used

    def _next(self) -> int:
        """The next 64 random bits (splitmix64)."""
        self._counter = (self._counter + GOLDEN) & WORD
        z = self._counter
        z = bitset.low(z ^ (z >> 30), MIX_A)
        z = bitset.low(z ^ (z >> 27), MIX_B)
        return z ^ (z >> 31)

    def _below(self, n: int) -> int:
        """A number from 0 to n − 1. What one number leaves of a random word serves the next, down to 32 bits."""
        if self._used >> 32:
            self._word = self._next()
            self._used = 1
        drawn = bitset.high(self._word, n)
        self._word = bitset.low(self._word, n)
        self._used = self._used * n
        return drawn

    def _open(self, state: State) -> None:
        """Begin the stream of the entry that a state awaits."""
        self._counter = self._key ^ bitset.low(state.deals, MIX_A) ^ bitset.low(state.within, MIX_B)
        self._used = WORD

    def _place(self, state: State, n: int, wanted: int) -> int:
        """Which of n items the next entry of a state draws first, if one is wanted (1), and otherwise (0) 0."""
        state.chances += wanted
        state.within += wanted
        self._open(state)
        return self._below(n) * wanted

    def _draw(self, state: State) -> None:
        """Draw the entry that a state awaits, without going on with the game."""
        self._open(state)
        if state.size == 0:
            state.drawn = bitset.nth(state.pool, self._below(bitset.count(state.pool)))
        else:
            for at in range(state.placed, state.draws):
                other = at + self._below(state.size - at)
                held = state._pack[at]
                state._pack[at] = state._pack[other]
                state._pack[other] = held

    def _serve_all(self, state: State) -> None:
        """Serve a state until it awaits no more chance."""
        while state.awaits >= 0:
            self._draw(state)
            state.awaits = -1
            state._receive()

    def serve(self, state: State) -> object:
        if state is None or state.awaits < 0:
            raise Refusal("No chance is awaited here.")
        self._draw(state)
        state.awaits = -1
        state._receive()
        return None

    def number_below(self, n: int) -> int:
        """A random number from 0 to n − 1."""
        if not 0 < n < 1 << 31:
            raise ValueError(f"There is no whole number from 0 to below {n}.")
        return self._below(n)


# --- what happened ----------------------------------------------------------------------------------------------------


class Journal:
    """What happened, as rows of numbers: kind, four values, how many items, the items. Its reader empties it."""

    def __init__(self) -> None:
        self._room = [0] * 1024  # the rows, one after another
        self._teller = None  # type: Any  # the class of the state that writes,
        self._players = 0  # its players
        self._options = None  # type: Any  # and its options
        self.size = 0  # numbers written
        self._last = 0  # where the last row begins
        self._full = False  # whether rows were lost

    def __reduce__(self) -> Any:
        raise TypeError("A journal cannot be copied or pickled; its rows() can.")

    def sign(self, state: State) -> None:
        """From now on this state writes here."""
        same = self._teller is state.__class__ and self._players == state.players and self._options == state.options
        if self.size and not same:
            raise ValueError("This journal still holds what was told of another game; clear it first.")
        self._teller = state.__class__
        self._players = state.players
        self._options = state.options

    def _row(self, kind: Kind, a: int, b: int, c: int, d: int) -> None:
        """Begin a row."""
        if self.size + LONGEST_ROW > ROOM:
            self._full = True
            return
        self._last = self.size
        self._room[self._last] = kind
        self._room[self._last + 1] = a
        self._room[self._last + 2] = b
        self._room[self._last + 3] = c
        self._room[self._last + 4] = d
        self._room[self._last + 5] = 0
        self.size = self._last + 6

    def _item(self, value: int) -> None:
        """Add an item to the row begun last."""
        if self._full:
            return
        self._room[self.size] = value
        self._room[self._last + 5] += 1
        self.size += 1

    def rows(self) -> list[tuple[int, ...]]:
        """All rows, each as (kind, a, b, c, d, items…)."""
        self.check_whole()
        found: list[tuple[int, ...]] = []
        at = 0
        while at < self.size:
            length = self._room[at + 5]
            row = [self._room[at + i] for i in range(5)]
            row += [self._room[at + 6 + i] for i in range(length)]
            found.append(tuple(row))
            at += 6 + length
        return found

    def clear(self) -> None:
        """Forget all rows."""
        self.size = 0
        self._full = False

    def check_whole(self) -> None:
        """Raise OverflowError if the journal was not emptied in time and rows are missing."""
        if self._full:
            raise OverflowError("A journal must be read and emptied after each step.")


# --- the state of a sitting -------------------------------------------------------------------------------------------


class State:
    """A sitting at one moment: whole and Markov, with no memory of who saw what.

    `seat` decides among `legal()`; `awaits` is the kind of chance entry awaited, or −1; `over` says that the sitting
    has ended, `cut` that a limit ended it, or a game of it, before the sheet's own end. `rules` is the version of the
    game's rules that it is played by: behaviour of an older version stays behind its number.

    Compiled games override the methods with an underscore; a game in plain Python derives from `plain.PlainState`.
    """

    def __init__(self, players: int, options: dict[str, Any], rules: int = 1) -> None:
        self.players = players  # how many play
        self.sides = players  # sides of partners; as many as players where everyone plays alone
        self.goal = 0  # the points that end the sitting, where there is such a number
        self.options = options  # every option of the sheet, with its value; in an older version also the later ones
        self.rules = rules  # the version of the game's rules
        self._pack = [0] * 64  # the cards to be dealt; chance puts them in order
        self.journal = None  # type: Journal | None  # where what happens is written, if anyone reads it
        self.chance = None  # type: Chance | None  # what serves chance; without it chance is awaited
        self._clear()

    def _clear(self) -> None:
        """Set what every game has to its beginning."""
        self.seat = -1  # the seat that decides
        self.base = 0  # the step that the first bit of the legal steps stands for
        self.moves = 0  # whole moves made
        self.unfinished = 0  # steps taken of a move that is not whole
        self.awaits = -1  # the kind of chance entry awaited
        self.chances = -1  # the number of the chance entry awaited last, from 0
        self.deals = 0  # deals begun
        self.within = -1  # that entry's number within its deal
        self.over = False  # whether the sitting has ended
        self.cut = False  # whether a limit ended it, or a game of it, before the sheet's own end
        self.pool = 0  # the items of which chance draws one,
        self.drawn = 0  # and the one that it drew
        self.size = 0  # how much of the pack chance puts in order (0 for a single item),
        self.draws = 0  # how many items it draws,
        self.placed = 0  # and how many of them are drawn already

    def __repr__(self) -> str:
        if self.over:
            where = "over"
        elif self.awaits >= 0:
            where = "chance is awaited"
        else:
            where = f"seat {self.seat} decides"
        return f"<{type(self).__name__} state, {self.players} players, {self.moves} moves, {where}>"

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("A state cannot be pickled; pickle its Sitting, which can, or send its record.")

    def begin(self, chance: Chance | None = None) -> State:
        """Begin the sitting with this source of chance; without one it stops wherever chance is awaited."""
        if not self.players:
            raise ValueError("A state is made with its number of players and its options.")
        self.chance = chance
        self._clear()
        self._sign()
        self._start()
        self.serve_chance()
        return self

    def _sign(self) -> None:
        """Let the journal know its writer: its rows mean something only to views of this game and these options."""
        if self.journal is not None and self.journal._options is not self.options:
            self.journal.sign(self)

    def serve_chance(self) -> None:
        """Let chance serve until a seat must decide or the sitting is over."""
        while self.awaits >= 0 and self.chance is not None:
            self.chance.serve(self)

    def settle(self) -> None:
        """The old name of `serve_chance`."""
        warn_renamed("State.settle", "State.serve_chance")
        self.serve_chance()

    # what a game defines

    def _start(self) -> None:
        """Lay out a new sitting."""
        self.over = True  # a state of no game has nothing to play

    def _choices(self) -> Steps:
        """The legal steps as a set, counted from `base` (which this sets)."""
        return 0

    def _apply(self, step: Step) -> None:
        """Take a legal step, with all its consequences up to the next decision or chance."""

    def _receive(self) -> None:
        """Go on with what chance gave."""

    def _fill(self, other: State) -> None:
        """Become a copy of another state of the same game, players and options: all its numbers, as they lie."""
        bitset.copy_numbers(self, other)

    HIDDEN: tuple[tuple[str, int, str], ...] = ()
    """What no seat sees, beside hands, for training: name, how many numbers, meaning."""

    def _encode_hidden(self, buffer: Any, at: int) -> int:
        """Write what `HIDDEN` names into a blank buffer from a place on."""
        return at

    def _shuffle_unseen(self, luck: Seeded) -> None:
        """Reorder the cards that nobody has seen or holds: those of a pack or a surplus."""

    def _score_of(self, seat: Seat) -> float:
        """The score of a seat (or of its side) in the sitting so far."""
        return 0.0

    def _has_won(self, seat: Seat) -> bool:
        """Whether a seat is among the winners, once the sitting is over: nobody has a higher score."""
        for side in range(self.sides):
            if self._score_of(side) > self._score_of(seat):
                return False
        return True

    def _play_ahead(self, chance: Seeded, luck: Seeded) -> None:
        """Play on as `play_randomly` does, as far as a game knows a faster way: the same luck in the same order."""

    def _forecast(self, seat: Seat) -> float:
        """The chance that a seat wins the sitting, estimated between two deals from the scores alone."""
        return 0.0

    def _win_chance(self, seat: Seat) -> float:
        """The chance that a seat wins the sitting: estimated by `_forecast`, and known at the end."""
        if self.over:
            return 1.0 if self._has_won(seat) else 0.0
        return self._forecast(seat)

    def win_chance(self, seat: Seat) -> float:
        """The estimated chance that a seat wins the sitting, from the scores alone; 1 or 0 once it is over."""
        return self._win_chance(seat)

    def why_not(self, step: Step) -> tuple[str, str]:
        """Why a step is refused now: one sentence, and the clause."""
        raise NotImplementedError

    def completes(self, step: Step) -> bool:
        """Whether a legal step makes the move whole, so that no further step belongs to it."""
        trial = self.copy()
        trial._apply(step)
        return not trial.unfinished

    def take_back(self) -> None:
        """Drop the steps of an unfinished move; nobody has seen them."""

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        """The steps that make up a decision as a record writes it; raises Refusal if there are none."""
        raise NotImplementedError

    def scores(self) -> list[Points]:
        """Points or counters so far, by side (by seat where everyone plays alone)."""
        return [int(self._score_of(side)) for side in range(self.sides)]

    def winners(self) -> list[Seat]:
        """The winning seats, ascending, once the sitting is over."""
        return [seat for seat in range(self.players) if self._has_won(seat)]

    def where(self) -> dict[str, list[Card]]:
        """Where every card lies: the whole truth, for tests and for after the sitting."""
        raise NotImplementedError

    # decisions

    def legal(self) -> list[Step]:
        """The legal steps of the seat to decide, ascending; none while chance is awaited or when it is over."""
        found: list[Step] = []
        steps = self._choices()
        while steps:
            at = bitset.lowest(steps)
            found.append(self.base + at)
            steps &= steps - 1
        return found

    def play(self, step: SupportsIndex) -> object:
        """Take a step; an illegal step raises Refusal with its clause and changes nothing."""
        number = step if type(step) is int else whole_number(step)
        if not -1 < number < MOST_STEPS:
            raise Refusal(say("no step", "There is no step {step:text}.", step=f"{number!a:.30}"))
        taken = number
        steps = self._choices()
        at = taken - self.base
        if at < 0 or at > 63 or not steps & bitset.one(at) or not self.players:
            self._refuse(taken)
        self._sign()
        self._apply(taken)
        if self.awaits >= 0:
            self.serve_chance()
        return None

    def _refuse(self, step: Step) -> None:
        """Raise the refusal of an illegal step."""
        if self.over:
            raise Refusal(say("all over", "The sitting is over: nothing more can be played."))
        if self.awaits >= 0:
            raise Refusal(say("chance first", "Chance must have its turn before anyone decides."))
        sentence, clause = self.why_not(step)
        raise Refusal(sentence, clause)

    def copy(self) -> State:
        """An independent copy, without journal or source of chance: the luck to come is not the copy's to use."""
        other = self.__class__(self.players, self.options, self.rules)
        other._fill(self)
        return other

    # asking for chance, as games do

    def _begin_deal(self) -> None:
        """From now on chance is asked for what belongs to the next deal."""
        self.deals += 1
        self.within = -1

    def _await_one(self, kind: Kind, pool: Cards) -> None:
        """Ask chance for one item of a set."""
        self.awaits = kind
        self.chances += 1
        self.within += 1
        self.pool = pool
        self.size = 0
        self.draws = 1
        self.placed = 0
        self.seat = -1

    def _await_order(self, kind: Kind, size: int, draws: int) -> None:
        """Ask chance for the first `draws` of the `size` items of the pack, in order."""
        self.awaits = kind
        self.chances += 1
        self.within += 1
        self.size = size
        self.draws = draws
        self.placed = 0
        self.seat = -1

    def _await_deal(self, kind: Kind, size: int, draws: int) -> None:
        """Ask chance for the first `draws` cards of a whole pack of `size`."""
        for at in range(64):  # all of its room: with a length the compiler knows this is one wide store
            self._pack[at] = at
        self._await_order(kind, size, draws)

    # chance, as its sources and explicit chance nodes see it

    def wanted(self) -> int:
        """How many items of the awaited entry are still to be drawn."""
        return self.draws - self.placed if self.awaits >= 0 else 0

    def possible(self) -> list[Card]:
        """The items from which chance draws next, ascending; equal items as often as they are there."""
        if self.awaits < 0:
            return []
        if self.size == 0:
            return items_of(self.pool)
        return sorted([self._pack[at] for at in range(self.placed, self.size)])

    def outcomes(self) -> list[tuple[Card, float]]:
        """The next single draw: each item that can come, with its probability."""
        left = self.possible()
        return [(item, left.count(item) / len(left)) for item in sorted(set(left))]

    def draw(self, item: Card) -> None:
        """Settle the next single draw of the awaited entry; after the last one the game goes on."""
        if item not in self.possible():
            raise Refusal(f"Chance cannot give {item} here.")
        self._sign()
        if self.size == 0:
            self.drawn = item
        else:
            at = self.placed
            while self._pack[at] != item:
                at += 1
            held = self._pack[self.placed]
            self._pack[self.placed] = item
            self._pack[at] = held
        self.placed += 1
        if self.placed == self.draws:
            self.awaits = -1
            self._receive()

    def give(self, items: Sequence[Card]) -> None:
        """Settle the whole awaited entry; refused, with nothing changed, if chance could not have given this."""
        left = self.possible()
        if len(items) != self.wanted():
            raise Refusal(f"Chance gives {self.wanted()} here, not {len(items)}.")
        for item in items:
            if item not in left:
                raise Refusal("Chance cannot give this here: an item is not there to be drawn, or not so often.")
            left.remove(item)
        for item in items:
            self.draw(item)

    # writing to the journal, as games do; nothing happens without one

    def _tell(self, kind: Kind, a: int, b: int, c: int, d: int) -> None:
        if self.journal is not None:
            self.journal._row(kind, a, b, c, d)

    def _tell_item(self, value: int) -> None:
        if self.journal is not None:
            self.journal._item(value)

    def _tell_cards(self, cards: Cards) -> None:
        if self.journal is not None:
            rest = cards
            while rest:
                self.journal._item(bitset.lowest(rest))
                rest &= rest - 1

    def _tell_pack(self, size: int) -> None:
        if self.journal is not None:
            for at in range(size):
                self.journal._item(self._pack[at])


def play_randomly(state: State, chance: Seeded, luck: Seeded) -> None:
    """Play on to the end, every seat taking a random legal step: the bot `random` at every seat, without leaving C."""
    state._play_ahead(chance, luck)
    while not state.over:
        if state.awaits >= 0:
            chance._serve_all(state)
        else:
            steps = state._choices()
            state._apply(state.base + bitset.nth(steps, luck._below(bitset.count(steps))))
