"""Services that all tables in memory share: the store, the bots, the clock, and the counters of the metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from .cache import ByteCache
from .clock import ServerClock
from .limits import Limits
from .messages import Pace
from .replay_pages import ReplayPages
from .statements import Signer
from .store import Batch, Store, Summary
from .table import GATHERING, Table
from .thinking import BotPool

RECORD_BYTES = 16 * 1024 * 1024  # of all records that stay in memory
NEWS_BYTES = 16 * 1024 * 1024  # of whole news, as those are sent who come to a table


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
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)  # the event loop holds tasks weakly

    def __post_init__(self) -> None:
        self.replays = ReplayPages(self.bots.workers)
        self.records = ByteCache(RECORD_BYTES)  # by table, as they are sent
        self.news = ByteCache(NEWS_BYTES)

    def forget(self, name: str) -> None:
        """A table is deleted: nothing of it stays in memory."""
        self.replays.forget(name)
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
            await asyncio.shield(asyncio.wrap_future(self.store.append(Batch(summary, rows))))
            self.counts["rows"] += len(rows)

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
