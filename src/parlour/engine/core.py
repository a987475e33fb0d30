"""State, view, journal and chance: what all five games stand on. Nothing here knows a game, a clock or a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, SupportsIndex

from . import bitset, encode
from .bitset import UNTOLD, WORD
from .bitset import items as items_of

GOLDEN = 0x9E3779B97F4A7C15
MIX_A = 0xBF58476D1CE4E5B9
MIX_B = 0x94D049BB133111EB

ROOM = 1024  # a step tells of less: fifty-two players of Tontine fill two thirds of it
LONGEST_ROW = 80
MOST_STEPS = 1 << 12

SHUFFLE_VERSION = 1
COMMIT_LABEL = b"parlour commitment 1\0"
STREAM_LABEL = b"parlour stream 1\0"


class Refusal(ValueError):
    """A step or move that the rules refuse: one sentence, and the clause it comes from."""

    def __init__(self, sentence: str, clause: str = "") -> None:
        super().__init__(f"{sentence} ({clause})" if clause else sentence)
        self.sentence = sentence
        self.clause = clause


def whole_number(step: object) -> int:
    """A step given as some other kind of whole number; anything else is refused."""
    if isinstance(step, SupportsIndex) and not isinstance(step, bool):
        try:
            return index(step)
        except TypeError:
            pass  # an array can be a whole number, and mostly is none
    raise Refusal(f"A step is a whole number, not a {type(step).__name__}.")


# --- chance -----------------------------------------------------------------------------------------------------------


class Chance:
    """Where luck comes from. A state that awaits chance is served one entry: a card of a set, or an order of cards."""

    def serve(self, state: State) -> object:
        """Give the state what it awaits."""
        raise NotImplementedError


class Seeded(Chance):
    """Fast luck for simulation and search: the same seed and number give the same luck on every machine.

    Every chance entry has a stream of its own, by the number of its deal and its number within that, so that what
    players decide does not shift later deals.
    """

    def __init__(self, seed: int = 0, number: int = 0) -> None:
        self.restart(seed, number)

    def restart(self, seed: int, number: int = 0) -> None:
        """Begin the stream that belongs to this seed and number (any whole numbers)."""
        self.reseed(seed & WORD, number & WORD)

    def reseed(self, seed: int, number: int) -> None:
        """`restart`, for words of 64 bits."""
        self.used = WORD
        self.word = 0
        self.counter = number
        self.counter = self.next() ^ seed
        self.counter = self.next()
        self.key = self.counter

    def next(self) -> int:
        """The next 64 random bits (splitmix64)."""
        self.counter = (self.counter + GOLDEN) & WORD
        z = self.counter
        z = bitset.low(z ^ (z >> 30), MIX_A)
        z = bitset.low(z ^ (z >> 27), MIX_B)
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A number from 0 to n − 1. What one number leaves of a random word serves the next, down to 32 bits."""
        if self.used >> 32:
            self.word = self.next()
            self.used = 1
        drawn = bitset.high(self.word, n)
        self.word = bitset.low(self.word, n)
        self.used = self.used * n
        return drawn

    def draw(self, state: State) -> None:
        """Serve a state without going on with it."""
        self.counter = self.key ^ bitset.low(state.deals, MIX_A) ^ bitset.low(state.within, MIX_B)
        self.used = WORD
        if state.size == 0:
            state.drawn = bitset.nth(state.pool, self.below(bitset.count(state.pool)))
        else:
            for at in range(state.placed, state.draws):
                other = at + self.below(state.size - at)
                held = state.pack[at]
                state.pack[at] = state.pack[other]
                state.pack[other] = held

    def serve(self, state: State) -> object:
        if state is None or state.awaits < 0:
            raise Refusal("No chance is awaited here.")
        self.draw(state)
        state.awaits = -1
        state.receive()
        return None

    def number_below(self, n: int) -> int:
        """A number from 0 to n − 1, for callers in Python."""
        if not 0 < n < 1 << 31:
            raise ValueError(f"There is no whole number from 0 to below {n}.")
        return self.below(n)


class Scripted(Chance):
    """Luck that has already happened: the chance entries of a record, each as the kind and what it gave."""

    def __init__(self, entries: Iterable[tuple[int, Sequence[int]]]) -> None:
        self.entries = iter(entries)

    def serve(self, state: State) -> object:
        entry = next(self.entries, None)
        if entry is None:
            raise Refusal("The script of chance is at its end, but the game needs another entry.")
        kind, given = entry
        if kind != state.awaits:
            raise Refusal("The script of chance holds another kind of entry than the game awaits.")
        state.give(given)
        return None


class Sealed(Chance):
    """Luck that can be verified: every chance entry has a SHAKE-256 stream of its own, from a committed secret.

    The stream of entry number k is SHAKE-256 over a label, the secret, the entropy of the seats, the table's name, the
    game's rules version and k. A number below n is a byte of it, bytes at or above the greatest multiple of n refused.
    An order is made by Fisher–Yates from the front, starting from the pack in ascending order.
    """

    def __init__(self, secret: bytes, entropy: bytes = b"", table: str = "", rules: int = 1) -> None:
        parts = (secret, entropy, table.encode(), str(rules).encode())
        self.prefix = STREAM_LABEL + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        self.commitment = hashlib.sha256(COMMIT_LABEL + secret).hexdigest()

    def given(self, state: State) -> list[int]:
        """What chance gives where this state awaits it."""
        stream = bytes_of(self.prefix + state.chances.to_bytes(4, "big"))
        left = state.possible()
        given = []
        for _ in range(state.wanted()):
            limit = 256 - 256 % len(left)
            byte = next(stream)
            while byte >= limit:
                byte = next(stream)
            chosen = byte % len(left)
            # Fisher–Yates: the chosen one comes to the front, and the one that was in front takes its place
            given.append(left[chosen])
            left[chosen] = left[0]
            del left[0]
        return given

    def serve(self, state: State) -> object:
        state.give(self.given(state))
        return None


def bytes_of(seed: bytes) -> Iterator[int]:
    """The endless SHAKE-256 stream of a seed."""
    shake = hashlib.shake_256(seed)
    start, length = 0, 256
    while True:
        yield from shake.digest(length)[start:]
        start, length = length, 2 * length


def steep(score: float) -> float:
    """What a score weighs when scores are compared between deals: who is ahead wins by more than in proportion."""
    return max(score, 1.0) * max(score, 1.0) * max(score, 1.0) * max(score, 1.0)


class Task:
    """Long work that needs nothing of the interpreter."""

    def iterate(self, count: int) -> None:
        """Do a number of rounds of it."""


# --- what happened ----------------------------------------------------------------------------------------------------


class Journal:
    """What happened, as rows of numbers: kind, four values, how many items, the items. Its reader empties it."""

    def __init__(self) -> None:
        self.room = [0] * 1024
        self.teller = None  # type: Any
        self.players = 0
        self.options = None  # type: Any
        self.size = 0
        self.last = 0
        self.full = False

    def sign(self, state: State) -> None:
        """From now on this state tells."""
        same = self.teller is state.__class__ and self.players == state.players and self.options == state.options
        if self.size and not same:
            raise ValueError("This journal still holds what was told of another game; clear it first.")
        self.teller = state.__class__
        self.players = state.players
        self.options = state.options

    def row(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        """Begin a row."""
        if self.size + LONGEST_ROW > ROOM:
            self.full = True
            return
        self.last = self.size
        self.room[self.last] = kind
        self.room[self.last + 1] = a
        self.room[self.last + 2] = b
        self.room[self.last + 3] = c
        self.room[self.last + 4] = d
        self.room[self.last + 5] = 0
        self.size = self.last + 6

    def item(self, value: int) -> None:
        """Add an item to the row begun last."""
        if self.full:
            return
        self.room[self.size] = value
        self.room[self.last + 5] += 1
        self.size += 1

    def rows(self) -> list[tuple[int, ...]]:
        """All rows, each as (kind, a, b, c, d, items…)."""
        self.whole()
        found: list[tuple[int, ...]] = []
        at = 0
        while at < self.size:
            length = self.room[at + 5]
            row = [self.room[at + i] for i in range(5)]
            row += [self.room[at + 6 + i] for i in range(length)]
            found.append(tuple(row))
            at += 6 + length
        return found

    def clear(self) -> None:
        """Forget all rows."""
        self.size = 0
        self.full = False

    def whole(self) -> None:
        """Raise OverflowError where the journal was not emptied in time and rows are missing."""
        if self.full:
            raise OverflowError("A journal must be read and emptied after each step.")


# --- the state of a sitting -------------------------------------------------------------------------------------------


class State:
    """A sitting at one moment: whole, Markov, with no memory of who saw what.

    `seat` decides among `legal()`; `awaits` is the kind of chance entry awaited, else −1; `over` says it has ended,
    `cut` that a limit ended it, or a game of it, before the sheet's own end.
    `rules` is the version of the game's rules that it is played by: what an older version did stays behind its number.
    """

    def __init__(self, players: int, options: dict[str, Any], rules: int = 1) -> None:
        self.players = players
        self.options = options
        self.rules = rules
        self.pack = [0] * 64
        # how players who think ahead best do so
        self.scale = 1.0  # a difference in score that a deal often makes
        self.ambition = 0.5  # how much winning the sitting counts, beside what is gained on the others
        self.depth = 1  # steps that are weighed, before the rest is played by rule of thumb
        self.horizon = 4000  # and how many of those
        self.journal = None  # type: Journal | None
        self.chance = None  # type: Chance | None
        self.clear()

    def clear(self) -> None:
        """Set what every game has to its beginning."""
        self.seat = -1
        self.base = 0
        self.moves = 0
        self.unfinished = 0
        self.awaits = -1
        self.chances = -1  # the number of the entry that was asked for last, from 0
        self.deals = 0  # how many were begun
        self.within = -1  # that entry's number within its deal
        self.over = False
        self.cut = False
        self.pool = 0
        self.drawn = 0
        self.size = 0
        self.draws = 0
        self.placed = 0

    def begin(self, chance: Chance | None = None) -> State:
        """Begin the sitting anew, with this source of luck; without one it stops wherever chance is awaited."""
        if not self.players:
            raise ValueError("A state is made with its number of players and its options.")
        self.chance = chance
        self.clear()
        self.sign()
        self.start()
        self.settle()
        return self

    def sign(self) -> None:
        """Let the journal say whose it is: its rows mean something only to views of this game and these options."""
        if self.journal is not None and self.journal.options is not self.options:
            self.journal.sign(self)

    def settle(self) -> None:
        """Let chance serve until a seat must decide or the sitting is over."""
        while self.awaits >= 0 and self.chance is not None:
            self.chance.serve(self)

    # what a game says for itself

    def start(self) -> None:
        """Lay out a new sitting."""
        self.over = True  # there is nothing to play without a game

    def choices(self) -> int:
        """The legal steps as a set, counted from `base` (which this sets)."""
        return 0

    def apply(self, step: int) -> None:
        """Take a legal step, and all that follows from it up to the next decision or chance."""

    def receive(self) -> None:
        """Go on with what chance gave."""

    def fill(self, other: State) -> None:
        """Become a copy of another state of the same game, players and options: all its numbers, as they lie."""
        bitset.copy_numbers(self, other)

    # what players who think ahead ask of it

    def shuffle_unseen(self, luck: Seeded) -> None:
        """Put in a new order the cards that nobody has yet: what lies in a pack or a surplus is hidden from all."""

    def gain(self, seat: int) -> float:
        """What a seat has scored in the sitting, as it stands."""
        return 0.0

    def hope(self, seat: int) -> float:
        """The chance that a seat wins the sitting, judged between two deals by the scores alone; known at the end."""
        return 0.0

    def why_not(self, step: int) -> tuple[str, str]:
        """Why a step is refused now: one sentence, and the clause."""
        raise NotImplementedError

    def take_back(self) -> None:
        """Drop the steps of an unfinished move; nobody has seen them."""

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        """The steps that make up a decision as a record writes it; raises Refusal where there are none."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Points or counters as they stand, by seat (by side in Lost Heir)."""
        raise NotImplementedError

    def winners(self) -> list[int]:
        """The winning seats, ascending, once the sitting is over."""
        raise NotImplementedError

    def where(self) -> dict[str, list[int]]:
        """Where every card lies: the whole truth, for tests and for after the sitting."""
        raise NotImplementedError

    # decisions

    def legal(self) -> list[int]:
        """The legal steps of the seat to decide, ascending; none while chance is awaited or when it is over."""
        found: list[int] = []
        steps = self.choices()
        while steps:
            at = bitset.lowest(steps)
            found.append(self.base + at)
            steps &= steps - 1
        return found

    def play(self, step: SupportsIndex) -> object:
        """Take a step; a step that is not legal raises Refusal with its clause and changes nothing."""
        number = step if type(step) is int else whole_number(step)
        if not -1 < number < MOST_STEPS:
            raise Refusal(f"There is no step {number!a:.30}.")
        taken = number
        steps = self.choices()
        at = taken - self.base
        if at < 0 or at > 63 or not steps & bitset.one(at) or not self.players:
            self.refuse(taken)
        self.sign()
        self.apply(taken)
        if self.awaits >= 0:
            self.settle()
        return None

    def refuse(self, step: int) -> None:
        """Raise the refusal of a step that is not legal."""
        if self.over:
            raise Refusal("The sitting is over: nothing more can be played.")
        if self.awaits >= 0:
            raise Refusal("Chance must have its turn before anyone decides.")
        sentence, clause = self.why_not(step)
        raise Refusal(sentence, clause)

    def copy(self) -> State:
        """An independent copy, without journal or source of chance: the luck to come is not the copy's to use."""
        other = self.__class__(self.players, self.options, self.rules)
        other.fill(self)
        return other

    # chance, as games ask for it

    def begin_deal(self) -> None:
        """From now on chance is asked for what belongs to the next deal."""
        self.deals += 1
        self.within = -1

    def await_one(self, kind: int, pool: int) -> None:
        """Ask chance for one item of a set."""
        self.awaits = kind
        self.chances += 1
        self.within += 1
        self.pool = pool
        self.size = 0
        self.draws = 1
        self.placed = 0
        self.seat = -1

    def await_order(self, kind: int, size: int, draws: int) -> None:
        """Ask chance for the first `draws` of the `size` items of the pack, in order."""
        self.awaits = kind
        self.chances += 1
        self.within += 1
        self.size = size
        self.draws = draws
        self.placed = 0
        self.seat = -1

    def await_deal(self, kind: int, size: int, draws: int) -> None:
        """Ask chance for the first `draws` cards of a whole pack of `size`."""
        for at in range(64):  # all of its room: a number the compiler knows makes this one wide store
            self.pack[at] = at
        self.await_order(kind, size, draws)

    # chance, as its sources and explicit chance nodes see it

    def wanted(self) -> int:
        """How many items of the awaited entry are still to be drawn."""
        return self.draws - self.placed if self.awaits >= 0 else 0

    def possible(self) -> list[int]:
        """The items from which chance draws next, ascending, alike ones as often as they are there."""
        if self.awaits < 0:
            return []
        if self.size == 0:
            return items_of(self.pool)
        return sorted([self.pack[at] for at in range(self.placed, self.size)])

    def outcomes(self) -> list[tuple[int, float]]:
        """The next single draw: each item that can come, with its probability."""
        left = self.possible()
        return [(item, left.count(item) / len(left)) for item in sorted(set(left))]

    def draw(self, item: int) -> None:
        """Settle the next single draw of the awaited entry; the last one lets the game go on."""
        if item not in self.possible():
            raise Refusal(f"Chance cannot give {item} here.")
        self.sign()
        if self.size == 0:
            self.drawn = item
        else:
            at = self.placed
            while self.pack[at] != item:
                at += 1
            held = self.pack[self.placed]
            self.pack[self.placed] = item
            self.pack[at] = held
        self.placed += 1
        if self.placed == self.draws:
            self.awaits = -1
            self.receive()

    def give(self, items: Sequence[int]) -> None:
        """Settle the whole awaited entry; refused, with nothing changed, where chance could not have given this."""
        left = self.possible()
        if len(items) != self.wanted():
            raise Refusal(f"Chance gives {self.wanted()} here, not {len(items)}.")
        for item in items:
            if item not in left:
                raise Refusal("Chance cannot give this here: something is not there to be drawn, or not so often.")
            left.remove(item)
        for item in items:
            self.draw(item)

    # what happened, as games tell it; nothing is done where nobody listens

    def tell(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        if self.journal is not None:
            self.journal.row(kind, a, b, c, d)

    def tell_item(self, value: int) -> None:
        if self.journal is not None:
            self.journal.item(value)

    def tell_cards(self, cards: int) -> None:
        if self.journal is not None:
            rest = cards
            while rest:
                self.journal.item(bitset.lowest(rest))
                rest &= rest - 1

    def tell_pack(self, size: int) -> None:
        if self.journal is not None:
            for at in range(size):
                self.journal.item(self.pack[at])


# --- the view of a seat -----------------------------------------------------------------------------------------------


# By the class of a state, for each kind of row two sets of positions (0–3 the values, 4 the items): those told to the
# parties only, and those that name the parties.
SECRETS: dict[type[State], list[tuple[int, int]]] = {}


def secrets_of(teller: type[State] | None) -> list[tuple[int, int]] | None:
    """The secrets of the game that a class of states plays."""
    for kind in teller.__mro__ if teller is not None else ():
        if kind in SECRETS:
            return SECRETS[kind]
    return None


class View:
    """All that one seat may know (or, with seat −1, a spectator): what it sees now, and what it was told before.

    `look` names, field by field, what is to be seen of the state that it is attached to; `hear` folds one told row into
    the seat's memory. From both it can `imagine` worlds, and say what a good player does by rule of `thumb`.
    """

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        if not -1 <= seat < players:
            raise ValueError(f"A view is of a seat from 0 to {players - 1}, or of a spectator (-1), not of {seat}.")
        self.players = players
        self.seat = seat
        self.options = options
        self.to_act = -1
        self.base = 0
        self.steps = 0
        self.moves = 0
        self.unfinished = 0
        self.deals = 0
        self.over = False
        self.trusting = False
        self.secrets = None  # type: Any
        self.behind = None  # type: Any
        self.row = [0] * 80

    # looking

    def attach(self, state: Any) -> None:
        """The state that the next looks go to: the true one only while `see` runs, and else one that was imagined."""
        self.behind = state

    def glance(self) -> None:
        """See as much of the state that it is attached to as the rules of thumb need; refills in place."""
        self.steps = 0
        self.base = 0
        if self.behind.seat == self.seat and self.seat >= 0:
            self.steps = self.behind.choices()
            self.base = self.behind.base

    def look(self) -> None:
        """See all that this seat may."""
        self.glance()
        self.to_act = self.behind.seat
        self.over = self.behind.over
        self.moves = self.behind.moves
        self.deals = self.behind.deals
        self.unfinished = self.behind.unfinished if self.steps else 0

    def notice(self) -> None:
        """Fold what is seen now into memory."""

    def see(self, state: State) -> View:
        """Look at a state and keep nothing of it but what is seen."""
        if not isinstance(state, State) or state.players != self.players:
            raise TypeError("A view looks at a state of its own game with as many players.")
        self.attach(state)
        self.look()
        self.attach(None)
        self.notice()
        return self

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        """The fields that `paint` writes, in order: name, how many rows, how many numbers a row."""
        return [("to_act", 1, self.players)]

    def paint(self, page: Any, at: int) -> int:
        """Write down what is seen now, on a blank page from a place on, as `layout` says; where that ends."""
        return encode.seat(page, at, self.to_act, self.seat, self.players)

    def write(self, room: Any) -> None:
        """`paint`, for callers in Python: on a buffer that has room for exactly what it writes."""
        wide = sum([rows * size for _, rows, size in self.layout()])
        if len(room) != wide:
            raise ValueError(f"This view writes {wide} numbers, and there is room for {len(room)}.")
        held = room
        bitset.blank(held, 0, wide)
        self.paint(encode.page(held), 0)

    # listening

    def hear(self) -> None:
        """Fold the told row (kind, a, b, c, d, number of items, items…) into memory."""

    # thinking

    def new_world(self) -> State:
        """A state to imagine in."""
        raise NotImplementedError

    def attend(self, trusting: bool = False) -> None:
        """From now on remember all that is needed to imagine well, where that takes more room than a few words.

        Who is trusting takes it that the others mostly play by the rules of thumb; else what they choose unseen is
        taken to be any of what they could.
        """
        self.trusting = trusting

    def others(self) -> int:
        """All seats but this one."""
        return (1 << self.players) - 1 - (1 << self.seat if self.seat >= 0 else 0)

    def set_out(self) -> None:
        """Begin to imagine: what every game has, in the state that it is attached to."""
        self.behind.clear()
        self.behind.seat = self.to_act
        self.behind.moves = self.moves
        self.behind.unfinished = self.unfinished
        self.behind.deals = self.deals
        self.behind.within = self.moves

    def prepare(self) -> None:
        """Make ready to imagine many worlds from what is known now."""

    def imagine(self, luck: Seeded) -> int:
        """Make the state that it is attached to a world that agrees with everything this seat knows.

        Each world comes as often as chance would bring it, given what was seen. False where none was found.
        """
        return False

    def thumb(self, luck: Seeded) -> int:
        """What a good player of the period would do here, by the rules of thumb."""
        return self.base + bitset.lowest(self.steps)

    def sample(self, luck: Seeded) -> State:
        """A new state that agrees with everything this seat knows; its own turn or another's."""
        if luck is None:
            raise TypeError("To imagine takes luck.")
        state = self.new_world()
        self.attach(state)
        self.prepare()
        found = self.imagine(luck)
        self.attach(None)
        if not found:
            raise ValueError("No world agrees with what this view was told; it must have heard the whole deal.")
        return state

    def advice(self, luck: Seeded) -> int:
        """`thumb`, for callers in Python; it must be this seat's turn."""
        if luck is None or not self.steps:
            raise Refusal("It is not the turn of this seat.")
        return self.thumb(luck)

    def legal(self) -> list[int]:
        """The legal steps, where it is this seat's turn."""
        return [self.base + at for at in items_of(self.steps)]

    def fields(self) -> dict[str, Any]:
        """Everything in the view, by name."""
        return {"seat": self.seat, "players": self.players, "to_act": self.to_act, "over": bool(self.over)}

    def listen(self, journal: Journal) -> list[tuple[int, ...]]:
        """Hear every row of a journal, with what is not for this seat left out; returns the rows as they were told."""
        if journal is None:
            raise TypeError("There is no journal to listen to.")
        if self.secrets is None:
            self.secrets = secrets_of(self.new_world().__class__)
        # rows of another game would lead beyond the arrays of this one
        own = journal.players == self.players and journal.options == self.options
        if journal.size and not (own and secrets_of(journal.teller) is self.secrets):
            raise TypeError("A view listens to the journal of its own game, with its own players and options.")
        journal.whole()
        told: list[tuple[int, ...]] = []
        at = 0
        while at < journal.size:
            length = journal.room[at + 5]
            kind = journal.room[at]
            hidden, parties = self.secrets[kind]
            own = False
            for i in range(4):
                if (parties >> i) & 1 and journal.room[at + 1 + i] == self.seat:
                    own = True
            for i in range(6 + length):
                value = journal.room[at + i]
                if not own and ((1 <= i <= 4 and (hidden >> (i - 1)) & 1) or (i >= 6 and (hidden >> 4) & 1)):
                    value = UNTOLD
                self.row[i] = value
            self.hear()
            row = [self.row[i] for i in range(5)]
            row += [self.row[6 + i] for i in range(length)]
            told.append(tuple(row))
            at += 6 + length
        return told


# --- playing on at random ---------------------------------------------------------------------------------------------


def wander(state: State, chance: Seeded, luck: Seeded) -> None:
    """Play on to the end, every seat taking any legal step: what `Random` does at every seat, without leaving C."""
    while not state.over:
        if state.awaits >= 0:
            chance.draw(state)
            state.awaits = -1
            state.receive()
        else:
            steps = state.choices()
            state.apply(state.base + bitset.nth(steps, luck.below(bitset.count(steps))))


def play_out(state: State, chance: Seeded, luck: Seeded) -> None:
    """Begin a sitting and play it to its end at random, keeping nothing but the state."""
    if state is None or chance is None or luck is None or not state.players:
        raise TypeError("This needs a state of a game and two streams of luck.")
    if state.journal is not None:
        raise ValueError("What plays to the end in one go keeps no journal.")
    state.clear()
    state.start()
    wander(state, chance, luck)


def go_by_thumb(state: State, sight: View, chance: Seeded, luck: Seeded) -> None:
    """Play on to the end, every seat by rule of thumb from its own glance at the table."""
    while not state.over:
        if state.awaits >= 0:
            chance.draw(state)
            state.awaits = -1
            state.receive()
        else:
            sight.seat = state.seat
            sight.glance()
            state.apply(sight.thumb(luck))


def play_by_thumb(state: State, sight: View, chance: Seeded, luck: Seeded) -> None:
    """Begin a sitting and play it to its end by rule of thumb; `sight` is any view of the game, and looks for each."""
    if state is None or sight is None or chance is None or luck is None or not state.players:
        raise TypeError("This needs a state of a game, a view of it and two streams of luck.")
    if state.journal is not None:
        raise ValueError("What plays to the end in one go keeps no journal.")
    if sight.players != state.players:
        raise TypeError("A view looks at a state of its own game with as many players.")
    seat = sight.seat
    sight.attach(state)
    state.clear()
    state.start()
    go_by_thumb(state, sight, chance, luck)
    sight.seat = seat
    sight.glance()
    sight.attach(None)


def play_many(state: State, seed: int, sittings: int) -> int:
    """Play many sittings at random; how many decisions were made in all. For measuring speed."""
    chance = Seeded()
    luck = Seeded()
    decisions = 0
    word = seed & WORD
    for number in range(sittings):
        chance.reseed(word, 2 * number)
        luck.reseed(word, 2 * number + 1)
        play_out(state, chance, luck)
        decisions += state.moves
    return decisions
