"""Thinking for the bots and people of a table: in worker processes, or by rules of thumb where these are busy."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
from array import array
from collections.abc import Awaitable, Callable
from typing import Any

from ..engine.messages import say
from ..games import GAMES
from ..play.sitting import Sitting
from ..players.hints import Advice
from ..players.seats import PLAIN, make
from ..records.seal import joined
from . import cost, mirrors
from .limits import Bucket
from .lobby import FALLBACK
from .sealed import SealedSitting
from .table import Table
from .workers import Busy, Done, Failed, Work, WorkerPool, Workers

QUICK_MOVES = 200.0  # a second, by the bots of all solo players who do not wait for them
FIRST = "first"  # the bot that takes the first legal step
HINT_PATIENCE = 20.0  # seconds that a person waits for a worker to begin with a hint
NO_HINT = say("no hint", "No hint was found in time; ask again in a moment.")

note = logging.getLogger("parlour.table")


class BotPool:
    """Whatever thinks for the bots of all tables, and gives hints."""

    def __init__(self, workers: Workers | None = None) -> None:
        self.workers = workers or WorkerPool()
        self.quick_moves = Bucket(QUICK_MOVES, 2 * QUICK_MOVES)

    def close(self) -> None:
        """Begin nothing more."""
        self.workers.close()


class Steps:
    """The steps of a sitting, as workers are sent them: only new ones are written, unless some were taken back."""

    def __init__(self) -> None:
        self._taken = array("I")
        self._moves = 0
        self._undone = 0

    def of(self, sitting: Sitting) -> bytes:
        """All steps so far."""
        if self._undone != sitting.undone:
            self._undone, self._moves, self._taken = sitting.undone, 0, array("I")
        for move in sitting.moves[self._moves :]:
            self._taken.extend(move.steps)
        self._moves = len(sitting.moves)
        return self._taken.tobytes()


class Thinking:
    """What is thought about for one table: the moves of its bots, one at a time, and a hint for each of its people."""

    def __init__(self, table: Table, pool: BotPool, hurried: Callable[[], None] = lambda: None) -> None:
        self.table = table
        self.pool = pool
        self.seats: set[int] = set()  # for which a worker is thinking
        self.turns: asyncio.Task[None] | None = None  # in which the bots move, as long as it is their turn
        self._hurried = hurried  # told of each move that was made by rules of thumb, as the workers were busy
        self._jobs: set[asyncio.Future[Done]] = set()
        self._opening = b""
        self._steps = Steps()

    def move(self, seat: int, level: str) -> Awaitable[list[int] | None]:
        """A bot's move, thought about from this moment on; None where the bot failed."""
        table = self.table
        if level in PLAIN and table.game.name in GAMES:
            found: asyncio.Future[list[int] | None] = asyncio.get_running_loop().create_future()
            found.set_result(self.move_at_once(seat, level))
            return found
        thinking = self._start(mirrors.bot_move, seat, level, bots_seed(table.secret))
        size = table.size

        async def thought() -> list[int] | None:
            try:
                return (await asyncio.shield(thinking)).value  # type: ignore[no-any-return]
            except Busy:
                self._hurried()
                return self.move_at_once(seat, FALLBACK) if table.size == size else None
            except Failed as error:
                note.error("table %s: the bot %s failed (%s)", table.name, level, error)
                return None

        return thought()

    def move_at_once(self, seat: int, level: str) -> list[int]:
        """A move without searching; in a game from elsewhere any, as its heuristic may take any time."""
        table = self.table
        sitting = table.begun().sitting
        bot = make(level if table.game.name in GAMES else FIRST, table.game, sitting.players, sitting.options, seat)
        bot.begin(bots_seed(table.secret), 0)
        view = table.game.view_type(sitting.players, seat, sitting.options)
        return mirrors.whole_move(bot, view, sitting.state.copy())

    def advice(self, seat: int) -> Awaitable[Advice]:
        """A hint, thought about from this moment on."""
        thinking = self._start(mirrors.hint, seat, patience=HINT_PATIENCE)

        async def thought() -> Advice:
            try:
                done = await asyncio.shield(thinking)
            except Failed as error:
                note.error("table %s: a hint failed (%s)", self.table.name, error)
                cost.add(error.cpu)
                raise Busy(NO_HINT) from None
            cost.add(done.cpu)
            advice: Advice = done.value
            return advice

        return thought()

    def _start(
        self, function: Callable[..., Any], seat: int, *more: Any, patience: float | None = None
    ) -> asyncio.Future[Done]:
        """Let a worker think for a seat from this moment on."""
        table, sealed = self.table, self.table.begun()
        if not self._opening:
            self._opening = opening_of(sealed)
        bots = {number for number, each in enumerate(table.lobby.seats) if each.bot and each.bot not in PLAIN}
        steps = self._steps.of(sealed.sitting)
        asked = (self._opening, steps, tuple(sorted(bots | {seat})), seat, *more)
        job = self.pool.workers.run(Work(table.name, function, asked, table.game.name, patience=patience))
        self.seats.add(seat)
        self._jobs.add(job)
        job.add_done_callback(lambda _: self._end(job, seat))
        return job

    def _end(self, job: asyncio.Future[Done], seat: int) -> None:
        self._jobs.discard(job)
        self.seats.discard(seat)
        if not job.cancelled():
            job.exception()  # whoever asked may have gone

    def stop(self) -> None:
        """The table leaves memory."""
        if self.turns is not None:
            self.turns.cancel()
        for job in self._jobs:
            job.cancel()


def opening_of(sealed: SealedSitting) -> bytes:
    """How a sitting begins, as workers are sent it."""
    settings = sealed.settings
    agreed = (settings.game.name, settings.rules, settings.players, settings.options)
    return pickle.dumps((*agreed, sealed.secret, joined(sealed.entropy), sealed.name))


def bots_seed(secret: bytes) -> int:
    """The luck of the bots at a table: nobody knows it, and it is independent of the deals."""
    return int.from_bytes(hashlib.sha256(b"parlour bots 1\0" + secret).digest()[:7], "big")
