"""The one writer of an SQLite file: a thread that commits what waits together, syncs it, and only then says so."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from ..engine.messages import say
from .edits import Edits, Gone
from .notes import PROBE, write_numbers
from .reading import problems
from .rows import Damaged
from .schema import NONSENSE, connect
from .store import StoreError, Unsure

LARGEST_BATCH = 512
TRY_SECONDS = 1.0  # between attempts to store something again, after one that failed
CHECKPOINT_PAGES = 1000  # of the write-ahead log, before they are brought into the file
EXAMINE_SECONDS = 600.0  # between two looks at the whole file, where something in it could not be read

note = logging.getLogger("parlour.store")

UNFIT, DAMAGED = (apsw.ConstraintError, Gone), (apsw.CorruptError, Damaged)
REFUSALS = (*UNFIT, *DAMAGED)

Change = Callable[[apsw.Connection], "bool | None"]  # True where it must be done again, as more is left


class Work(NamedTuple):
    """Something to store, and whom to tell."""

    do: Change
    done: Future[None]
    wipes: bool  # what it deletes must be gone from the write-ahead log, too


class Writer:
    """One connection that writes, in a thread of its own; requests that wait together are committed together.

    After a failed sync nothing more is written or trusted: `on_failure` is called, and whoever has the store
    starts again from the file. So it is where the structure of the file is damaged, which a new start mends.
    """

    def __init__(self, path: Path, vfs: str | None, edits: Edits, reading: threading.Lock) -> None:
        self.path = path
        self.vfs = vfs
        self.edits = edits
        self.reading = reading  # held while the reader of this process reads
        self.on_failure: Callable[[], None] | None = None
        self.is_well = True
        self._failed = False  # a sync failed: what was written since may be there or not, whatever the disk says now
        self._suspect = False  # something in the file could not be read
        self._examined = -EXAMINE_SECONDS
        self._unwiped = False  # something deleted may still be in the write-ahead log
        self._pages = 0  # of the write-ahead log
        self.connection = self._connect()
        self._waiting: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="parlour-store", daemon=True)

    def _connect(self) -> apsw.Connection:
        connection = connect(self.path, self.vfs)
        connection.set_wal_hook(self._on_commit)
        return connection

    def _on_commit(self, connection: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    # as asked by any thread

    def start(self) -> None:
        """Begin to write what is asked for."""
        self._thread.start()

    @property
    def has_failed(self) -> bool:
        """Whether nothing more is written before a new start."""
        return self._failed

    def ask(self, do: Change, wipes: bool = False) -> Future[None]:
        """Have something done in a transaction; the answer comes when it is synced."""
        work = Work(do, Future(), wipes)
        self._put(work)
        return work.done

    def _put(self, work: Work) -> None:
        self._waiting.put(work)

    def doubt(self) -> None:
        """Look at the whole file, as something in it could not be read."""
        self._suspect = True
        if time.monotonic() - self._examined >= EXAMINE_SECONDS:
            self.ask(lambda connection: None)

    def close(self) -> None:
        """Store what waits, and end."""
        self._waiting.put(None)
        self._thread.join()

    # in the writer's thread

    def _write_on(self) -> None:
        """Take all that waits, store it in one transaction, and say so; until the end is asked for."""
        over = False
        while not over or not self._waiting.empty():
            waiting = [self._next()]
            while len(waiting) < LARGEST_BATCH and not self._waiting.empty():
                waiting.append(self._waiting.get())
            over = over or None in waiting
            asked = [each for each in waiting if each is not None]
            if asked:
                self._commit(asked)
        emptied = False
        with suppress(apsw.Error):
            emptied = self.is_well and self._wiped()
        self._disconnect(emptied)

    def _next(self) -> Work | None:
        """The next request. While nothing can be stored or wiped, try now and then whether it can again."""
        while True:
            idle = self._failed or (self.is_well and not self._unwiped)
            try:
                return self._waiting.get(timeout=None if idle else TRY_SECONDS)
            except queue.Empty:
                if self.is_well:
                    self._tidy()
                else:
                    self._commit([Work(self._probe, Future(), False)])

    def _probe(self, connection: apsw.Connection) -> None:
        write_numbers(connection, [(PROBE, int(time.time()))])

    def _commit(self, asked: Sequence[Work]) -> None:
        """Store all of it in one transaction, and say of each request whether it is stored."""
        self.edits.begin()
        asked = [work for work in asked if work.done.running() or work.done.set_running_or_notify_cancel()]
        try:
            if self._failed:
                raise apsw.IOError
            if not self.is_well:
                self._reopen()
            refused, more = self._transaction(asked)
        except Exception as error:
            self._not_stored(asked, error)
            return
        self.is_well = True
        self.edits.committed()
        for work in asked:
            if work.done in refused:
                work.done.set_exception(refused[work.done])
            elif not work.wipes:
                work.done.set_result(None)
        wiped = [work for work in asked if work.wipes and work.done not in refused and work not in more]
        self._unwiped |= bool(wiped)
        self._tidy()
        for work in wiped:
            work.done.set_result(None)
        for work in more:
            self._put(work)
        self._examine()

    def _not_stored(self, asked: Sequence[Work], error: Exception) -> None:
        """What was written may be there or not: nobody is told that it is, and all of it can be asked for again."""
        self.is_well = False
        self._roll_back()
        is_disk = isinstance(error, apsw.IOError)
        if is_disk:  # said first: whoever is told that it failed may ask whether the store is well
            self._fail("the disk failed", error)
        for work in asked:
            how = "It could not be stored ({fault:text}); ask again later."
            work.done.set_exception(Unsure(say("unsure", how, fault=type(error).__name__)))
        if not is_disk:
            self._suspect |= isinstance(error, NONSENSE)
            self._examine()
            time.sleep(0.05)

    def _transaction(self, asked: Sequence[Work]) -> tuple[dict[Future[None], StoreError], list[Work]]:
        """Do all the work and commit it; what is refused, as it does not fit what is there, and what is half done."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            more = [work for work in asked if work.do(self.connection)]
        except REFUSALS:  # seldom: then each is done by itself
            self._roll_back()
            self.edits.distrust()
            self.edits.begin()
            return self._one_by_one(asked)
        self.connection.execute("COMMIT")
        return {}, more

    def _one_by_one(self, asked: Sequence[Work]) -> tuple[dict[Future[None], StoreError], list[Work]]:
        """The same, so that what is refused does not hold up the rest."""
        refused: dict[Future[None], StoreError] = {}
        more: list[Work] = []
        self.connection.execute("BEGIN IMMEDIATE")
        for work in asked:
            self.connection.execute("SAVEPOINT one")
            try:
                if work.do(self.connection):
                    more.append(work)
            except UNFIT:
                how = "Another has written to this table, or deleted it."
                refused[work.done] = StoreError(say("written by other", how))
            except DAMAGED as error:
                note.error("something could not be stored, as the file is damaged there: %s", error)
                self._suspect |= isinstance(error, apsw.CorruptError)
                how = "This table cannot be written to, as its file is damaged."
                refused[work.done] = StoreError(say("file damaged", how))
            if work.done in refused:
                self.edits.distrust()
                self.connection.execute("ROLLBACK TO one")
            self.connection.execute("RELEASE one")
        self.connection.execute("COMMIT")
        return refused, more

    def _roll_back(self) -> None:
        with suppress(apsw.Error):  # a new connection is opened before anything else is written
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def _examine(self) -> None:
        """Where something could not be read, look at the whole file: a new start writes a damaged one again."""
        now = time.monotonic()
        if self._suspect and not self._failed and now - self._examined >= EXAMINE_SECONDS:
            self._suspect, self._examined = False, now
            with suppress(apsw.Error), closing(connect(self.path, self.vfs, readonly=True)) as connection:
                found = problems(connection)
                if found:
                    self._fail("the file is damaged", found[0])

    def _fail(self, what: str, error: object) -> None:
        """Write nothing more, as nobody can know what of it is on the disk."""
        if not self._failed:
            self._failed, self.is_well = True, False
            note.error("%s (%s): nothing more is stored until a new start", what, error)
            if self.on_failure is not None:
                self.on_failure()

    def _tidy(self) -> None:
        """Bring a long write-ahead log into the file, or one with something deleted in it."""
        if self._pages < CHECKPOINT_PAGES and not self._unwiped:
            return
        try:
            if self._unwiped:
                self._unwiped = not self._wiped()
            else:
                self.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._pages = 0
        except apsw.IOError as error:
            self._fail("the disk failed", error)
        except apsw.Error as error:
            note.warning("the write-ahead log could not be brought into the file: %s", error)

    def _wiped(self) -> bool:
        """Bring the write-ahead log into the file and empty it, unless another process is reading it just now."""
        self.connection.set_busy_timeout(0)
        try:
            with self.reading:
                self.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            return False
        finally:
            self.connection.set_busy_timeout(5000)
        return True

    def _reopen(self) -> None:
        """Begin with a new connection, which trusts nothing of what the last one had in memory."""
        self.edits.distrust()
        self._disconnect()
        self.connection = self._connect()

    def _disconnect(self, emptied: bool = False) -> None:
        with suppress(apsw.Error):  # what was acknowledged is safe: the next to open the file finishes what is left
            if emptied:
                self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)  # the write-ahead log may go
            self.connection.close(True)
