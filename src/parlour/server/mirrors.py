"""Sittings played along where bots think: from how a sitting began, and its steps, come the views of its seats."""

from __future__ import annotations

import pickle
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from ..engine.chance import Sealed
from ..engine.core import Journal, State
from ..engine.view import View
from ..games import game as game_of
from ..players.bots import Bot, Searcher
from ..players.hints import Advice, advise
from ..players.seats import make

SECONDS = 2.0  # for one step; the trials of every level take far less on a machine that is not overloaded
BOTS_KEPT = 12  # a search takes a megabyte
VIEWS_KEPT = 300  # of all sittings together: one that tracks beliefs can take 200 KiB

Value = TypeVar("Value")


class Opening(NamedTuple):
    """How a sitting at a table begins."""

    game: str
    rules: int
    players: int
    options: dict[str, Any]
    secret: bytes
    entropy: bytes  # of all seats, joined
    name: str  # on which chance depends

    def chance(self) -> Sealed:
        """The luck of the sitting, from its beginning."""
        return Sealed(self.secret, self.entropy, self.name, self.rules)


class Mirror:
    """A sitting as another process plays it, with the views of some seats, which remember what they were told."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.game = game_of(opening.game)
        self.views: dict[int, View] = {}
        self._begin(())

    def _begin(self, seats: Sequence[int]) -> None:
        opening = self.opening
        self.steps = b""  # that were taken
        self.state: State = self.game.state_type(opening.players, opening.options, opening.rules)
        self.views = {seat: self.game.view_type(opening.players, seat, opening.options) for seat in seats}
        for view in self.views.values():
            view.track_beliefs(trusting=True)
        self.state.journal = Journal()
        self.state.begin(opening.chance())
        self._tell()

    def _tell(self) -> None:
        journal = self.state.journal
        assert journal is not None
        for view in self.views.values():
            view.listen(journal)
        self.state.journal = None

    def follow(self, steps: bytes, seats: Sequence[int]) -> None:
        """Come to where these steps lead, with views of these seats; after an undo all is played again."""
        if not steps.startswith(self.steps) or not self.views.keys() >= set(seats):
            self._begin(sorted(self.views.keys() | set(seats)))
        new = array("I")
        new.frombytes(steps[len(self.steps) :])
        for step in new:
            if self.state.journal is None:
                self.state.journal = Journal()
            self.state.play(step)
            if not self.state.unfinished:
                self._tell()
        self.steps = steps


class Lent(Generic[Value]):
    """Things that are used again, those used last; each is taken out while someone uses it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._here: OrderedDict[Any, tuple[Value, int]] = OrderedDict()

    def take(self, key: Any) -> Value | None:
        """Take one out, if it is there."""
        return self._here.pop(key, (None, 0))[0]

    def give_back(self, key: Any, value: Value, size: int = 1) -> None:
        """Put one back, and drop those that were not used for longest, beyond so many in size."""
        self._here[key] = value, size
        while len(self._here) > 1 and sum(each for _, each in self._here.values()) > self.most:
            self._here.popitem(last=False)


MIRRORS: Lent[Mirror] = Lent(VIEWS_KEPT)
BOTS: Lent[Bot] = Lent(BOTS_KEPT)


def steps_of(moves: Sequence[Any]) -> bytes:
    """The steps of some moves, as they are sent to another process."""
    return array("I", [step for move in moves for step in move.steps]).tobytes()


def mirrored(opening: bytes, steps: bytes, seats: Sequence[int]) -> Mirror:
    """A sitting as it stands after some steps, played on from where it was last, if that is known."""
    mirror = MIRRORS.take(opening) or Mirror(Opening(*pickle.loads(opening)))
    mirror.follow(steps, seats)
    return mirror


def whole_move(bot: Bot, view: View, state: State) -> list[int]:
    """A whole move of the seat of a view; `state` is a copy to try its steps on, which the bot does not see."""
    steps: list[int] = []
    while not steps or state.unfinished:
        steps.append(bot.choose(view.see(state)))
        state.play(steps[-1])
    return steps


# --- what is asked of workers -----------------------------------------------------------------------------------------


def bot_move(opening: bytes, steps: bytes, seats: Sequence[int], seat: int, level: str, seed: int) -> list[int]:
    """The move of a bot at a seat; views of all `seats` with bots are made together, as these move soon."""
    mirror = mirrored(opening, steps, seats)
    view = mirror.views[seat]
    kind = (mirror.game.name, view.players, level, tuple(sorted(view.options.items(), key=str)))
    bot = BOTS.take(kind) or new_bot(level, mirror)
    bot.begin(seed, 0)
    move = whole_move(bot, view, mirror.state.copy())
    BOTS.give_back(kind, bot)
    MIRRORS.give_back(opening, mirror, len(mirror.views))
    return move


def new_bot(level: str, mirror: Mirror) -> Bot:
    """A bot of a level, for sittings of one kind."""
    bot = make(level, mirror.game, mirror.opening.players, mirror.opening.options, 0)
    if isinstance(bot, Searcher):
        bot.seconds = SECONDS
    return bot


def hint(opening: bytes, steps: bytes, seats: Sequence[int], seat: int) -> Advice:
    """A hint for a seat."""
    mirror = mirrored(opening, steps, seats)
    advice = advise(mirror.game, mirror.views[seat].see(mirror.state))
    MIRRORS.give_back(opening, mirror, len(mirror.views))
    return advice
