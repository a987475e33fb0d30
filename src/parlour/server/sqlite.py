"""The store of tables in an SQLite file: one writer, which syncs before it says that something is stored."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from .notes import BEAT, PROBE, SINCE, count_unrevealed, insert_unrevealed, read_unrevealed, write_numbers
from .opening import look_through, prepare
from .reading import LINE, Unreadable, good_lines, logs, problems, read_line, read_table, unrevealed_of
from .rows import Damaged, LogRow
from .schema import NONSENSE, SCHEMA, connect, select
from .store import DELETED, GONE, PURGED, Batch, Line, Stamps, StoreError, Summary, Unrevealed, Unsure, Window
from .writing import insert_line, insert_rows, update_line, update_size

__all__ = ["SqliteStore", "logs"]

LARGEST_BATCH = 512
TRY_SECONDS = 1.0  # between attempts to store something again, after one that failed
CHECKPOINT_PAGES = 1000  # of the write-ahead log, before they are brought into the file
EXAMINE_SECONDS = 600.0  # between two looks at the whole file, where something in it could not be read
DELETED_AT_ONCE = 500  # rows of logs, so that nobody waits long while a long one is deleted
MOST_KNOWN = 10_000  # tables whose line is remembered
TOUCHED_SECONDS = 3600  # tables are kept for days, so the time of the last event may be this much out of date
NEXT_KEY = "SELECT max((SELECT ifnull(max(key), 0) FROM tables), (SELECT ifnull(max(key), 0) FROM log)) + 1"
OLD = "(touched < ? OR touched > ?) AND deleted IS NULL"

note = logging.getLogger("parlour.store")


class Work(NamedTuple):
    """Something to store, and whom to tell."""

    do: Callable[[], bool | None]  # True where it must be done again, as more is left
    done: Future[None]
    wipes: bool  # what it deletes must be gone from the write-ahead log, too


def is_near(before: int, now: int) -> bool:
    """Whether a stamp is good enough still; one in the future was made by a clock that was wrong."""
    return abs(now - before) < TOUCHED_SECONDS


class Gone(Exception):
    """Rows came for a table that is not there, or not for its end."""


class SqliteStore:
    """One file. One connection writes, in a thread of its own; requests that wait together are committed together.

    After a failed sync nothing more is written or trusted: `on_failure` is called once, and whoever has the store
    starts again from the file. So it is where the structure of the file is damaged, which a new start mends.
    """

    def __init__(self, path: Path, vfs: str | None = None, on_failure: Callable[[], None] | None = None) -> None:
        self.path = path
        self.vfs = vfs
        self.on_failure = on_failure
        self._known: dict[str, Line] = {}  # lines that this connection wrote
        self._uncommitted: dict[str, Line] = {}  # the same, as far as the current batch changed them
        self._damaged: dict[str, str] = {}
        self._well = True
        self._failed = False  # a sync failed: what was written since may be there or not, whatever the disk says now
        self._suspect = False  # something in the file could not be read
        self._examined = -EXAMINE_SECONDS
        self._unwiped = False  # something deleted may still be in the write-ahead log
        self._pages = 0  # of the write-ahead log
        prepare(path, vfs)
        self._writer = self._connect()
        self._stamps, damaged = look_through(self._writer)
        for name, why in damaged.items():
            self.set_apart(name, why)
        self._reader = connect(path, vfs, readonly=True)
        self._reading = threading.Lock()
        self._waiting: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="parlour-store", daemon=True)
        self._thread.start()
        unfinished = [each.name for each in self._summaries("phase = ?", GONE)]
        if unfinished:  # the last process ended while it deleted them
            self.delete(unfinished)

    def _connect(self) -> apsw.Connection:
        connection = connect(self.path, self.vfs)
        connection.set_wal_hook(self._on_commit)
        return connection

    def _on_commit(self, connection: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    # writing, as asked for by any thread

    def append(self, batch: Batch) -> Future[None]:
        return self._ask(lambda: self._insert(batch))

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        return self._ask(lambda: self._mark(names, old, now))

    def unmark(self, after: int, now: int) -> Future[None]:
        return self._ask(lambda: self._unmark(after, now))

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        gone = int(time.time()) if now is None else now
        return self._ask(lambda: self._delete("name = ?", names, why, gone), wipes=True)

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        return self._ask(lambda: self._delete("name = ? AND deleted IS NOT NULL", names, PURGED, now), wipes=True)

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        self._stamps = self._stamps._replace(beat=beat, since=since, doubtful=False)
        return self._ask(lambda: write_numbers(self._writer, [(BEAT, beat), (SINCE, since)]))

    def _ask(self, do: Callable[[], bool | None], wipes: bool = False) -> Future[None]:
        work = Work(do, Future(), wipes)
        self._put(work)
        return work.done

    def _put(self, work: Work) -> None:
        self._waiting.put(work)

    # writing, in the writer's thread

    def _insert(self, batch: Batch) -> None:
        summary, rows = batch
        name = summary.name
        line = self._uncommitted.get(name) or self._known.get(name) or self._line_of(summary)
        if [row.number for row in rows] != list(range(line.size, line.size + len(rows))):
            raise Gone
        before = line.summary
        later = line._replace(size=line.size + len(rows))
        if not line.size:
            insert_line(self._writer, later)
        elif before._replace(touched=summary.touched) == summary and is_near(before.touched, summary.touched):
            update_size(self._writer, later)
        else:
            later = later._replace(summary=summary)
            update_line(self._writer, later)
        insert_rows(self._writer, later.key, name, rows)
        self._uncommitted[name] = later

    def _line_of(self, summary: Summary) -> Line:
        """The line of a table; one that is not there is written with the first rows of its log."""
        found = select(self._writer, f"{LINE[SCHEMA]} WHERE name = ?", (summary.name,))
        if not found:
            return Line(select(self._writer, NEXT_KEY)[0][0], summary, 0, None)
        line = read_line(found[0])
        if line.deleted is not None:
            raise Gone
        return line

    def _lines(self, which: str, *values: Any) -> list[Line]:
        """The good lines that a query finds."""
        return good_lines(select(self._writer, f"{LINE[SCHEMA]} WHERE {which}", values))

    def _mark(self, names: Sequence[str], old: Window, now: int) -> None:
        for name in names:
            for line in self._lines(f"name = ? AND {OLD}", name, *old):
                update_line(self._writer, line._replace(deleted=now))
            self._forget(name)

    def _unmark(self, after: int, now: int) -> None:
        for line in self._lines("deleted > ?", after):
            update_line(self._writer, line._replace(deleted=None, summary=line.summary._replace(touched=now)))

    def _delete(self, which: str, names: Sequence[str], why: str, now: int) -> bool:
        """Delete tables, or some rows of them, from the end; whether more is left to delete."""
        left = DELETED_AT_ONCE
        for name in names:
            for line in self._lines(which, name):
                if left <= 0:
                    return True
                for sitting in unrevealed_of(self._writer, line.key, line, now, why):
                    insert_unrevealed(self._writer, sitting)
                if line.size <= left:
                    self._writer.execute("DELETE FROM tables WHERE key = ?", (line.key,))
                else:
                    self._shorten(line, line.size - left, now)
                left -= line.size
            self._forget(name)
        return left < 0

    def _shorten(self, line: Line, size: int, now: int) -> None:
        """Delete the last rows of a log. Nobody finds its table any more, nor can bring it back."""
        self._writer.execute("DELETE FROM log WHERE key = ? AND number >= ?", (line.key, size))
        summary = line.summary._replace(phase=GONE, open=False, due=False)
        update_line(self._writer, Line(line.key, summary, size, line.deleted or now))

    def _forget(self, name: str) -> None:
        self._known.pop(name, None)
        self._uncommitted.pop(name, None)

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
            emptied = self._well and self._wiped()
        self._close_writer(emptied)

    def _next(self) -> Work | None:
        """The next request. While nothing can be stored or wiped, try now and then whether it can again."""
        while True:
            idle = self._failed or (self._well and not self._unwiped)
            try:
                return self._waiting.get(timeout=None if idle else TRY_SECONDS)
            except queue.Empty:
                if self._well:
                    self._tidy()
                else:
                    self._commit([Work(self._probe, Future(), False)])

    def _probe(self) -> None:
        write_numbers(self._writer, [(PROBE, int(time.time()))])

    def _commit(self, asked: Sequence[Work]) -> None:
        """Store all of it in one transaction, and say of each request whether it is stored."""
        self._uncommitted = {}
        asked = [work for work in asked if work.done.running() or work.done.set_running_or_notify_cancel()]
        try:
            if self._failed:
                raise apsw.IOError
            if not self._well:
                self._reopen()
            refused, more = self._transaction(asked)
        except Exception as error:
            # what was written may be there or not: nobody is told that it is, and all of it can be asked for again
            self._well = False
            self._roll_back()
            is_disk = isinstance(error, apsw.IOError)
            if is_disk:  # said first: whoever is told that it failed may ask whether the store is well
                self._fail("the disk failed", error)
            for work in asked:
                work.done.set_exception(Unsure(f"It could not be stored ({type(error).__name__}); ask again later."))
            if not is_disk:
                self._suspect |= isinstance(error, NONSENSE)
                self._examine()
                time.sleep(0.05)
            return
        self._well = True
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._known.update(self._uncommitted)
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

    def _transaction(self, asked: Sequence[Work]) -> tuple[dict[Future[None], StoreError], list[Work]]:
        """Do all the work and commit it; what is refused, as it does not fit what is there, and what is half done."""
        refused: dict[Future[None], StoreError] = {}
        more: list[Work] = []
        self._writer.execute("BEGIN IMMEDIATE")
        for work in asked:
            self._writer.execute("SAVEPOINT one")
            try:
                if work.do():
                    more.append(work)
            except (apsw.ConstraintError, Gone):
                refused[work.done] = StoreError("Another has written to this table, or deleted it.")
            except (apsw.CorruptError, Damaged) as error:
                note.error("something could not be stored, as the file is damaged there: %s", error)
                self._suspect |= isinstance(error, apsw.CorruptError)
                refused[work.done] = StoreError("This table cannot be written to, as its file is damaged.")
            if work.done in refused:
                self._known.clear()  # another process may have changed what was known
                self._writer.execute("ROLLBACK TO one")
            self._writer.execute("RELEASE one")
        self._writer.execute("COMMIT")
        return refused, more

    def _roll_back(self) -> None:
        with suppress(apsw.Error):  # a new connection is opened before anything else is written
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    def _examine(self) -> None:
        """Where something could not be read, look at the whole file: a new start writes a damaged one again."""
        now = time.monotonic()
        if self._suspect and not self._failed and now - self._examined >= EXAMINE_SECONDS:
            self._suspect, self._examined = False, now
            with suppress(apsw.Error), closing(connect(self.path, self.vfs, readonly=True)) as connection:
                found = problems(connection)
                if found:
                    self._fail("the file is damaged", found[0])

    def _doubt(self) -> None:
        """Let the writer look at the file, as something in it could not be read."""
        self._suspect = True
        if time.monotonic() - self._examined >= EXAMINE_SECONDS:
            self._ask(lambda: None)

    def _fail(self, what: str, error: object) -> None:
        """Write nothing more, as nobody can know what of it is on the disk."""
        if not self._failed:
            self._failed, self._well = True, False
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
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._pages = 0
        except apsw.IOError as error:
            self._fail("the disk failed", error)
        except apsw.Error as error:
            note.warning("the write-ahead log could not be brought into the file: %s", error)

    def _wiped(self) -> bool:
        """Bring the write-ahead log into the file and empty it, unless another process is reading it just now."""
        self._writer.set_busy_timeout(0)
        try:
            with self._reading:
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            return False
        finally:
            self._writer.set_busy_timeout(5000)
        return True

    def _reopen(self) -> None:
        """Begin with a new connection, which trusts nothing of what the last one had in memory."""
        self._known = {}
        self._close_writer()
        self._writer = self._connect()

    def _close_writer(self, emptied: bool = False) -> None:
        with suppress(apsw.Error):  # what was acknowledged is safe: the next to open the file finishes what is left
            if emptied:
                self._writer.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)  # the write-ahead log may go
            self._writer.close(True)

    # reading

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        if name in self._damaged:
            raise Damaged(self._damaged[name])
        try:
            with self._reading:
                found = read_table(self._reader, name)
        except Damaged as error:
            if isinstance(error, Unreadable):
                self._doubt()
            self.set_apart(name, str(error))
            raise
        return (found[0].summary, found[1]) if found and found[0].deleted is None else None

    def due(self) -> list[Summary]:
        return self._summaries("due AND deleted IS NULL ORDER BY key")

    def open_tables(self, most: int) -> list[Summary]:
        return self._summaries("open AND deleted IS NULL ORDER BY key DESC LIMIT ?", most)

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        marks = ", ".join("?" * len(phases))
        return [each.name for each in self._summaries(f"phase IN ({marks}) AND {OLD}", *phases, *old)]

    def marked(self, old: Window) -> list[str]:
        return [each.name for each in self._summaries("deleted < ? OR deleted > ?", *old)]

    def _summaries(self, which: str, *values: Any) -> list[Summary]:
        """The good tables among those that a query finds, without its index where that is damaged."""
        with self._reading:
            try:
                rows = select(self._reader, f"{LINE[SCHEMA]} WHERE {which}", values)
            except NONSENSE:
                self._doubt()
                rows = select(self._reader, f"{LINE[SCHEMA]} NOT INDEXED WHERE {which}", values)
        return [line.summary for line in good_lines(rows)]

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        with self._reading:
            return count_unrevealed(self._reader), read_unrevealed(self._reader, first, most)

    def stamps(self) -> Stamps:
        return self._stamps

    def damaged(self) -> Mapping[str, str]:
        return self._damaged

    def set_apart(self, name: str, why: str) -> None:
        if name not in self._damaged:
            self._damaged[name] = why
            note.error("table %s is damaged and set apart: %s", name, why)

    def healthy(self) -> bool:
        return self._well

    def close(self) -> None:
        with self._reading:
            self._reader.close()
        self._waiting.put(None)
        self._thread.join()
