"""The bots: each is given a view and its legal steps, never a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.core import Seeded, State
from ..engine.net import Net
from ..engine.search import CAUTION, Search
from ..engine.types import Step
from ..engine.view import View

__all__ = ["BOTS", "LEVELS", "LISTED", "Blind", "Bot", "First", "Oracle", "Random", "Searcher", "Thumb"]


class Bot:
    """A player for many sittings and possibly several seats. It sees only the view of the deciding seat.

    The same seed, number and view give the same choice: a bot has no memory besides its view's.
    """

    listens = False  # whether it wants every event as well as the view, which remembers them
    tracks_beliefs = False  # whether its view should track beliefs, which sampling hidden cards needs
    gathers = False  # whether it is faster at choosing for many views at once, and remembers nothing

    def begin(self, seed: int, number: int) -> None:
        """Start a sitting; the seed and its number determine the bot's own luck."""

    def hear(self, told: Sequence[list[Any]]) -> None:
        """Receive the entries told to its seat since the last call; only for a bot that `listens`."""

    def choose(self, view: View) -> Step:
        """Choose one of `view.legal()`, which is never empty."""
        raise NotImplementedError

    def choose_many(self, views: Sequence[View]) -> list[Step]:
        """Choose for each of some views, which may be of several sittings; only for a bot that `gathers`."""
        return [self.choose(view) for view in views]

    def close(self) -> None:
        """Release everything; no more choices will be asked for."""


class Blind(Bot):
    """A bot that looks only at the legal steps and so needs no view."""

    def choose(self, view: View) -> Step:
        return self.pick(view.legal())

    def pick(self, steps: Sequence[Step]) -> Step:
        """Choose one of these steps."""
        raise NotImplementedError


class First(Blind):
    """Takes the first legal step."""

    def pick(self, steps: Sequence[Step]) -> Step:
        return steps[0]


class Random(Blind):
    """Takes a legal step at random, all equally likely."""

    def __init__(self, luck: Seeded | None = None) -> None:
        self.luck = Seeded() if luck is None else luck

    def begin(self, seed: int, number: int) -> None:
        self.luck.restart(seed, 2 * number + 1)  # even streams belong to the deals

    def pick(self, steps: Sequence[Step]) -> Step:
        return steps[self.luck.number_below(len(steps))]


class Thumb(Bot):
    """Plays by the game's heuristic policy: rules of thumb, as a good player of the period would use."""

    def __init__(self) -> None:
        self.luck = Seeded()

    def choose(self, view: View) -> Step:
        return view.heuristic(self.luck)


class Searcher(Bot):
    """Searches: samples worlds that agree with its view and takes the step that does best in them."""

    tracks_beliefs = True

    def __init__(self, trials: int, caution: float = CAUTION, net: Net | None = None) -> None:
        self.seconds = 0.0  # time limit where people wait; 0 for none
        self.trials = trials
        self.caution = caution
        self.net = net
        self.search: Search | None = None
        self.seed = 0
        self.number = 0

    def begin(self, seed: int, number: int) -> None:
        self.seed = seed ^ SALT  # keeps its luck independent of the deals
        self.number = number

    def choose(self, view: View) -> Step:
        return self.think(view, None)

    def think(self, view: View, truth: State | None) -> Step:
        """Choose with luck that depends only on the seat and the moment, so that an undone choice is repeated."""
        if self.search is None:
            self.search = Search(view, self.caution, self.net)
        moment = (self.number << 32) + (view.moves << 10) + (view.unfinished << 6) + view.seat
        return self.search.think(view, self.seed, moment, self.trials, truth, self.seconds)


class Oracle(Searcher):
    """Sees all hands but not the cards to come. It measures the value of hidden cards and never plays with people."""

    def choose(self, view: View) -> Step:
        raise TypeError("The oracle needs the whole state: call `think` with it. It is for measuring only.")


SALT = 0x2545F4914F6CDD1D
# trials for each choice; champion is no stronger than expert, so it is not offered, but old records and tables name it
LEVELS = {"novice": 24, "steady": 240, "expert": 4800, "champion": 19200}
BOTS = ("random", "first", "thumb", *LEVELS)
LISTED = tuple(name for name in BOTS if name != "champion")  # the bots that people are told of
