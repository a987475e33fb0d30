"""Services that all tables in memory share: the store, the bots, the clock, and the counters of the metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from .store import Batch, Store, Summary
from .table import GATHERING, Table
from .thinking import BotPool


@dataclass
class Services:
    """Given to every table that comes into memory."""

    store: Store
    bots: BotPool = field(default_factory=BotPool)
    clock: Callable[[], float] = time.time
    closing: bool = False  # nothing new begins
    gone: int = 0  # tables and listeners, since their memory was last given back
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("moves", "rows", "refused", "stale", "failed", "tables"), 0)
    )
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)  # the event loop holds tasks weakly

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
