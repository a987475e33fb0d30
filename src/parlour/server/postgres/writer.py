"""The writer of a process: a thread that stores what waits together in one statement, and only then says so."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg

from ...engine.messages import say
from ..store import Batch, StoreError, Unsure
from .deadline import within
from .lease import Lease
from .schema import connect, first_line
from .statements import APPEND, OPEN, ROWS, Append, append_values, open_values

LARGEST_BATCH = 256  # tables in one statement
TRY_SECONDS = 0.5  # between attempts to reach the database again
ANSWER_SECONDS = 10.0  # that a statement may take
TRIES = 5  # of a statement that the database rolled back, as another was in its way
ROLLED_BACK = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
COMMIT_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds, of a histogram

note = logging.getLogger("parlour.store")

Change = Callable[[psycopg.Connection[Any]], None]


class Work(NamedTuple):
    """Something to store, and whom to tell."""

    do: Append | Batch | Change  # rows of a table that is owned, of a new one, or something else
    done: Future[None]


class Writer:
    """One connection that writes, in a thread of its own. Each statement is a transaction.

    Where no answer comes, what was sent may be stored or not. Nobody is told anything then: whoever claims the table
    next raises its epoch, so that nothing can come after what they read.
    """

    def __init__(self, url: str, lease: Lease) -> None:
        self.is_well = True
        self.batches = 0
        self.appended = 0  # tables, in all batches
        self.lost = 0  # tables of which another process was found to be the owner
        self.commits: Counter[float] = Counter()  # by the bound in seconds
        self.commit_seconds = 0.0
        self._url = url
        self._lease = lease
        self._connection: psycopg.Connection[Any] | None = connect(url)
        self._waiting: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="parlour-store", daemon=True)

    # as asked by any thread

    def start(self) -> None:
        """Begin to write what is asked for."""
        self._thread.start()

    def ask(self, do: Append | Batch | Change) -> Future[None]:
        """Have something stored; the answer comes when it is committed."""
        work = Work(do, Future())
        self._waiting.put(work)
        return work.done

    def cumulated(self) -> Iterator[tuple[float, int]]:
        """How many statements took at most so many seconds, by bound."""
        count = 0
        for bound in (*COMMIT_BOUNDS, float("inf")):
            count += self.commits[bound]
            yield bound, count

    def close(self) -> None:
        """Store what waits, and end."""
        self._waiting.put(None)
        self._thread.join()

    # in the writer's thread

    def _write_on(self) -> None:
        over = False
        while not over or not self._waiting.empty():
            waiting = [self._next()]
            while len(waiting) < LARGEST_BATCH and not self._waiting.empty():
                waiting.append(self._waiting.get())
            over = over or None in waiting
            self._store([work for work in waiting if work is not None and work.done.set_running_or_notify_cancel()])
        self._disconnect()

    def _next(self) -> Work | None:
        """The next request; while the database cannot be reached, try now and then whether it can again."""
        while True:
            try:
                return self._waiting.get(timeout=None if self.is_well else TRY_SECONDS)
            except queue.Empty:
                with suppress(StoreError, psycopg.Error):
                    self._connected().execute("SELECT 1")
                    self.is_well = True

    def _store(self, asked: Sequence[Work]) -> None:
        """Store what was asked for, each kind in as few statements as there can be."""
        left = list(asked)
        while left:
            names: set[str] = set()
            appends: list[Work] = []
            batches: list[Work] = []
            later: list[Work] = []
            for work in left:
                if isinstance(work.do, Append | Batch):
                    name = (work.do.batch if isinstance(work.do, Append) else work.do).summary.name
                    if name in names:  # one statement writes to a table once
                        later.append(work)
                        continue
                    names.add(name)
                    (appends if isinstance(work.do, Append) else batches).append(work)
                else:
                    self._try([work], lambda connection, work=work: work.do(connection))  # type: ignore[misc]
            if appends:
                self._try(appends, lambda connection, appends=appends: self._append(connection, appends))  # type: ignore[misc]
            if batches:
                self._try(batches, lambda connection, batches=batches: self._open(connection, batches))  # type: ignore[misc]
            left = later

    def _try(self, asked: Sequence[Work], do: Change) -> None:
        """Do something for all who ask, and tell them how it went."""
        try:
            if not self._lease.holds():
                raise StoreError("the lease has run out")
            for attempt in range(1, TRIES + 1):
                try:
                    connection = self._connected()
                    with within(connection, ANSWER_SECONDS):
                        do(connection)
                    break
                except ROLLED_BACK:
                    if attempt == TRIES:
                        raise
        except (StoreError, psycopg.Error) as error:
            self._not_stored(asked, error)
        else:
            self.is_well = True
            for work in asked:
                if not work.done.done():
                    work.done.set_result(None)

    def _not_stored(self, asked: Sequence[Work], error: Exception) -> None:
        """It may be stored or not: nobody is told that it is, and all of it can be asked for again."""
        self.is_well = False
        said = first_line(error) if isinstance(error, psycopg.Error) else str(error)
        note.warning("something could not be stored: %s", said)
        if isinstance(error, psycopg.Error):
            self._disconnect()
        how = "It could not be stored ({fault:text}); ask again later."
        for work in asked:
            if not work.done.done():
                work.done.set_exception(Unsure(say("unsure", how, fault=type(error).__name__)))

    def _append(self, connection: psycopg.Connection[Any], asked: Sequence[Work]) -> None:
        """Store the rows of tables that this process owns; those that it has lost are refused."""
        appends = [work.do for work in asked if isinstance(work.do, Append)]
        self._execute(connection, APPEND + ROWS, append_values(appends), asked, [each.batch for each in appends])

    def _open(self, connection: psycopg.Connection[Any], asked: Sequence[Work]) -> None:
        """Store new tables."""
        batches = [work.do for work in asked if isinstance(work.do, Batch)]
        self._execute(connection, OPEN + ROWS, open_values(batches, self._lease.node), asked, batches)

    def _execute(
        self,
        connection: psycopg.Connection[Any],
        statement: Any,
        values: Sequence[Any],
        asked: Sequence[Work],
        batches: Sequence[Batch],
    ) -> None:
        began = time.monotonic()
        won = {name for (name,) in connection.execute(statement, values)}
        self._count(time.monotonic() - began, len(won))
        for work, batch in zip(asked, batches, strict=True):
            if batch.summary.name not in won:
                self.lost += 1
                how = "Another has written to this table, or deleted it."
                work.done.set_exception(StoreError(say("written by other", how)))

    def _count(self, seconds: float, tables: int) -> None:
        self.batches += 1
        self.appended += tables
        self.commit_seconds += seconds
        self.commits[next((bound for bound in COMMIT_BOUNDS if seconds <= bound), float("inf"))] += 1

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._url)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None
