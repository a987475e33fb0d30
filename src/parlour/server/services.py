"""Services that all tables in memory share: the store, the bots, the clock, and the counters of the metrics."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .cache import ByteCache
from .clock import ServerClock
from .days import Days
from .limits import Limits
from .messages import Pace
from .notices import Notices
from .puzzles import PuzzleReasons
from .replay_pages import ReplayPages
from .reviews import Reviews
from .rows import CLOSED
from .statements import Signer
from .store import Batch, Store, Summary
from .table import GATHERING, Table
from .thinking import BotPool

RECORD_BYTES = 16 * 1024 * 1024  # of all records that stay in memory
NEWS_BYTES = 16 * 1024 * 1024  # of whole news, as those are sent who come to a table


class Arrivals:
    """Waits for what other threads finish; what they finish together wakes the event loop once."""

    def __init__(self) -> None:
        self._arrived: deque[tuple[asyncio.Future[None], Future[None]]] = deque()
        self._waking = False  # the event loop will look

    async def wait(self, done: Future[None]) -> None:
        """Wait until something is finished; it goes on even where nobody waits any more."""
        waiter = asyncio.get_running_loop().create_future()
        done.add_done_callback(partial(self._arrive, waiter))
        await waiter

    def _arrive(self, waiter: asyncio.Future[None], done: Future[None]) -> None:
        """Called by the thread that has finished it."""
        self._arrived.append((waiter, done))
        if not self._waking:
            self._waking = True
            with suppress(RuntimeError):  # the event loop is closed
                waiter.get_loop().call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._waking = False  # first, so that what arrives from now on is not overlooked
        while self._arrived:
            waiter, done = self._arrived.popleft()
            if waiter.done():  # whoever waited has gone
                continue
            error = done.exception()
            if error is None:
                waiter.set_result(None)
            else:
                waiter.set_exception(error)


@dataclass
class Services:
    """Given to every table that comes into memory."""

    store: Store
    bots: BotPool = field(default_factory=BotPool)
    clock: Callable[[], float] = time.time
    awake: ServerClock = field(default_factory=ServerClock)  # by which people's time is measured
    pace: Pace | None = None  # of clients, which they are told
    limits: Limits | None = None  # of their addresses, which pay for bots
    closing: bool = False  # nothing new begins
    gone: int = 0  # tables and listeners, since their memory was last given back
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("moves", "rows", "refused", "stale", "failed", "tables", "hurried", "set_back", "set_back_unsigned"), 0
        )
    )
    signer: Signer | None = None  # signs what is told
    notices: Notices | None = None  # to people who are elsewhere, where this server may make outgoing calls
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)  # the event loop holds tasks weakly

    def __post_init__(self) -> None:
        self._stored = Arrivals()
        self.replays = ReplayPages(self.bots.workers)
        self.reviews = Reviews(self.bots.workers)
        self.days = Days(self.bots.workers, self.clock, self.store)
        self.puzzles = PuzzleReasons(self.bots.workers)
        self.records = ByteCache(RECORD_BYTES)  # by table, as they are sent
        self.news = ByteCache(NEWS_BYTES)

    def forget(self, name: str) -> None:
        """A table is deleted: nothing of it stays in memory."""
        self.replays.forget(name)
        self.reviews.forget(name)
        self.records.drop(name)
        self.news.drop_all(f"{name} ")

    def hurried(self) -> None:
        """A bot moved by rules of thumb, as the workers were busy."""
        self.counts["hurried"] += 1

    async def save(self, table: Table) -> None:
        """Store the rows that a table has written; done when they are safe."""
        rows = table.take_rows()
        if rows:
            listed = table.settings.is_open and table.phase == GATHERING
            summary = Summary(table.name, table.secret, table.phase, listed, table.due, int(self.clock()))
            await self._stored.wait(self.store.append(Batch(summary, rows)))
            self.counts["rows"] += len(rows)
            if rows[-1].entry[0] == CLOSED:
                self.days.count(table)

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
