"""Thinking for bots and hints: a pool of threads, and what each table has in hand there."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ..engine.core import State
from ..engine.game import Game
from ..engine.view import View
from ..players.bots import Bot, Searcher
from ..players.hints import Advice, advise
from ..players.seats import make
from .limits import Bucket
from .table import Table

SECONDS = 2.0  # for one step; the trials of every level take far less on a machine that is not overloaded
BOTS_CACHED = 12  # by each thread: a search takes a megabyte
BOT_SECONDS = 30.0  # before a bot that has not answered is taken to have failed
TABLES_REMEMBERED = 200  # whose bots' memories stay; others are made again from the log
QUICK_MOVES = 200.0  # a second, by the bots of all solo players who do not wait for them

Answer = TypeVar("Answer")
note = logging.getLogger("parlour.table")


class BotPool:
    """Threads that think for the bots of all tables, and give hints."""

    def __init__(self, threads: int = 2) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="parlour-bots")
        self.quick_moves = Bucket(QUICK_MOVES, 2 * QUICK_MOVES)
        self._cached = threading.local()
        self._recent: OrderedDict[str, Thinking] = OrderedDict()  # tables, those last thought about at the end

    def move(self, game: Game, level: str, view: View, state: State, seed: int) -> list[int]:
        """A whole move of the seat of a view; `state` is a copy to try its steps on, which the bot does not see."""
        bot = self._bot(game, view.players, view.options, level)
        bot.begin(seed, 0)
        steps: list[int] = []
        while not steps or state.unfinished:
            steps.append(bot.choose(view.see(state)))
            state.play(steps[-1])
        return steps

    def advice(self, game: Game, view: View) -> Advice:
        """A hint for the seat of a view."""
        return advise(game, view)

    def _bot(self, game: Game, players: int, options: dict[str, Any], level: str) -> Bot:
        """This thread's bot of a level, for tables of one kind."""
        cached: OrderedDict[Any, Bot] | None = getattr(self._cached, "bots", None)
        if cached is None:
            cached = self._cached.bots = OrderedDict()
        key = (game.name, players, level, tuple(sorted(options.items(), key=str)))
        bot = cached.get(key)
        if bot is None:
            bot = cached[key] = make(level, game, players, options, 0)
            if isinstance(bot, Searcher):
                bot.seconds = SECONDS
        cached.move_to_end(key)
        if len(cached) > BOTS_CACHED:
            cached.popitem(last=False)
        return bot

    def remember(self, thinking: Thinking) -> None:
        """Let the memories of the tables stay that were last thought about, and of no others."""
        name = thinking.table.name
        self._recent[name] = thinking
        self._recent.move_to_end(name)
        while len(self._recent) > TABLES_REMEMBERED:
            self._recent.popitem(last=False)[1].forget()

    def drop(self, thinking: Thinking) -> None:
        """A table has left memory."""
        if self._recent.get(thinking.table.name) is thinking:
            del self._recent[thinking.table.name]

    def close(self) -> None:
        """Begin nothing more."""
        self.threads.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """What threads think about for one table: the moves of its bots, and hints for its people."""

    def __init__(self, table: Table, pool: BotPool) -> None:
        self.table = table
        self.pool = pool
        self.seats: set[int] = set()  # for which a thread is thinking
        self.turns: asyncio.Task[None] | None = None  # in which the bots move, as long as it is their turn

    def move(self, seat: int, level: str) -> Awaitable[list[int] | None]:
        """A bot's move, thought about from this moment on; None where the bot failed."""
        table = self.table
        state, seed = table.begun().sitting.state.copy(), bots_seed(table.secret)
        thinking = self._start(seat, lambda view: self.pool.move(table.game, level, view, state, seed))

        async def thought() -> list[int] | None:
            try:
                return await thinking
            except Exception as error:
                note.error("table %s: the bot %s failed (%s)", table.name, level, type(error).__name__)
                return None

        return thought()

    def advice(self, seat: int) -> Awaitable[Advice]:
        """A hint, thought about from this moment on."""
        return self._start(seat, lambda view: self.pool.advice(self.table.game, view))

    def _start(self, seat: int, work: Callable[[View], Answer]) -> Awaitable[Answer]:
        """Let a thread think for a seat from this moment on."""
        table, sealed = self.table, self.table.begun()
        size = table.size
        self.pool.remember(self)
        memory = sealed.memory(seat)
        self.seats.add(seat)

        def think() -> tuple[View, Answer]:
            view = memory()
            return view, work(view)

        job = asyncio.get_running_loop().run_in_executor(self.pool.threads, think)
        job.add_done_callback(lambda _: self.seats.discard(seat))

        async def thought() -> Answer:
            view, found = await asyncio.wait_for(asyncio.shield(job), BOT_SECONDS)
            # the thread has the view to itself: one that was too slow, or has not heard everything, is not taken back
            if table.size == size and table.sealed is sealed:
                sealed.sitting.belief_views.setdefault(seat, view)
            return found

        return thought()

    def forget(self) -> None:
        """Drop the memories of the bots; they are made again when they are needed."""
        if self.table.sitting is not None and self.turns is None:
            self.table.sitting.belief_views.clear()

    def stop(self) -> None:
        """The table leaves memory."""
        if self.turns is not None:
            self.turns.cancel()
        self.pool.drop(self)


def bots_seed(secret: bytes) -> int:
    """The luck of the bots at a table: nobody knows it, and it is independent of the deals."""
    return int.from_bytes(hashlib.sha256(b"parlour bots 1\0" + secret).digest()[:7], "big")
