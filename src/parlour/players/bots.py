"""Players: each is given a view and the legal steps, never a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.core import Seeded, State
from ..engine.search import CAUTION, Search
from ..engine.view import View


class Bot:
    """A player, sitting after sitting. It looks at what its seat may know, and may serve several seats.

    The same seed, number and view give the same choice: a bot keeps no other memory than its view's.
    """

    listens = False  # whether it is to be told every event, beside the view that remembers them
    attends = False  # whether its view is to remember all that it takes to imagine well

    def begin(self, seed: int, number: int) -> None:
        """A new sitting, and the luck that is this bot's in it."""

    def hear(self, told: Sequence[list[Any]]) -> None:
        """What its seat was told since it last heard; for those who listen."""

    def choose(self, view: View) -> int:
        """One of the legal steps of the view (`view.legal()`, never none)."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing more will be asked of it."""


class Blind(Bot):
    """A player that looks at nothing but the legal steps, so that no view need be made for it."""

    def choose(self, view: View) -> int:
        return self.pick(view.legal())

    def pick(self, steps: Sequence[int]) -> int:
        """One of these steps."""
        raise NotImplementedError


class First(Blind):
    """Takes the first legal step."""

    def pick(self, steps: Sequence[int]) -> int:
        return steps[0]


class Random(Blind):
    """Takes any legal step, each as likely as the next."""

    def __init__(self, luck: Seeded | None = None) -> None:
        self.luck = Seeded() if luck is None else luck

    def begin(self, seed: int, number: int) -> None:
        self.luck.restart(seed, 2 * number + 1)  # the even ones are the deals'

    def pick(self, steps: Sequence[int]) -> int:
        return steps[self.luck.number_below(len(steps))]


class Thumb(Bot):
    """Plays by rule of thumb, as a good player of the period would."""

    def __init__(self) -> None:
        self.luck = Seeded()

    def choose(self, view: View) -> int:
        return view.heuristic(self.luck)


class Searcher(Bot):
    """Imagines worlds that agree with its view, and takes the step that does best in them."""

    attends = True

    def __init__(self, trials: int, caution: float = CAUTION) -> None:
        self.seconds = 0.0  # where people wait, so many at most; 0 is as many as the trials take
        self.trials = trials
        self.caution = caution
        self.search: Search | None = None
        self.seed = 0
        self.number = 0

    def begin(self, seed: int, number: int) -> None:
        self.seed = seed ^ SALT  # its luck has nothing to do with that of the deals
        self.number = number

    def choose(self, view: View) -> int:
        return self.think(view, None)

    def think(self, view: View, truth: State | None) -> int:
        """The luck of a choice is that of the seat and the moment, so that what is undone is chosen again."""
        if self.search is None:
            self.search = Search(view, self.caution)
        moment = (self.number << 32) + (view.moves << 10) + (view.unfinished << 6) + view.seat
        return self.search.think(view, self.seed, moment, self.trials, truth, self.seconds)


class Oracle(Searcher):
    """Sees all hands, though not the cards to come. It measures what hidden cards are worth; it plays with nobody."""

    def choose(self, view: View) -> int:
        raise TypeError("The oracle looks at the cards, and is for measuring only.")


SALT = 0x2545F4914F6CDD1D
LEVELS = {"novice": 24, "steady": 240, "expert": 4800, "champion": 19200}  # trials a choice
BOTS = ("random", "first", "thumb", *LEVELS)
