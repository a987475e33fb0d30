"""The store of tables in an SQLite file: one writer, which syncs before it says that something is stored."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from .rows import Damaged, LogRow
from .store import FOREVER, Batch, StoreError, Summary, Unsure

SCHEMA = 1
NEEDED = (3, 51, 3)  # SQLite before this can lose committed data when a checkpoint meets a writer
LARGEST_BATCH = 512
TRY_SECONDS = 1.0  # between attempts to store something again, after one that failed
MOST_KNOWN = 10_000  # tables whose line is remembered
TOUCHED_SECONDS = 3600  # tables are kept for days, so the time of the last event may be this much out of date
CREATE = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE tables (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret BLOB NOT NULL,
    phase TEXT NOT NULL,
    open INTEGER NOT NULL,
    due INTEGER NOT NULL,
    touched INTEGER NOT NULL
);
CREATE INDEX tables_due ON tables (due) WHERE due;
CREATE INDEX tables_open ON tables (open) WHERE open;
CREATE INDEX tables_by_phase ON tables (phase, touched);
CREATE TABLE log (
    key INTEGER NOT NULL REFERENCES tables (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    entry TEXT NOT NULL,
    action BLOB,
    head BLOB,
    PRIMARY KEY (key, number)
) WITHOUT ROWID;
"""
# From each version to the next; the file is copied before the first of them runs.
MIGRATIONS: dict[int, str] = {}
SUMMARY = "SELECT name, secret, phase, open, due, touched FROM tables"
SUMMARY_AND_KEY = "SELECT name, secret, phase, open, due, touched, key FROM tables"
LOG = "SELECT number, entry, action, head FROM log JOIN tables USING (key) WHERE name = ? ORDER BY number"

Work = tuple[Callable[[], None], "Future[None]"]


class Gone(Exception):
    """Rows came for a table that is not there."""


def sqlite_version() -> tuple[int, ...]:
    """The version of SQLite that is used."""
    return tuple(int(part) for part in apsw.sqlite_lib_version().split("."))


def connect(path: Path, vfs: str | None = None, readonly: bool = False) -> apsw.Connection:
    """A connection that syncs every commit."""
    flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs)
    connection.set_busy_timeout(5000)
    if not readonly:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{1024 if readonly else 8192}")
    return connection


def select(connection: apsw.Connection, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows that a query finds."""
    return list(connection.execute(text, tuple(values)))


@contextmanager
def one_moment(connection: apsw.Connection) -> Iterator[None]:
    """All queries within see the file as of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def read_summary(row: tuple[Any, ...]) -> Summary:
    """A summary from its row."""
    name, secret, phase, is_open, due, touched = row
    return Summary(name, secret, phase, bool(is_open), bool(due), touched)


def read_log(connection: apsw.Connection, name: str) -> list[LogRow]:
    """The log of a table."""
    found = select(connection, LOG, (name,))
    try:
        return [LogRow(number, json.loads(entry), action, head) for number, entry, action, head in found]
    except ValueError:
        raise Damaged("a row of its log cannot be read") from None


def entry_text(entry: list[Any]) -> str:
    """An entry as it is stored."""
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False)


class SqliteStore:
    """One file. One connection writes, in a thread of its own; requests that wait together are committed together."""

    def __init__(self, path: Path, vfs: str | None = None) -> None:
        if sqlite_version() < NEEDED:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old; install a newer apsw.")
        self.path = path
        self.vfs = vfs
        self._known: dict[str, tuple[int, Summary]] = {}  # tables whose line this connection wrote: key and content
        self._uncommitted: dict[str, tuple[int, Summary]] = {}  # the same, as far as the current batch changed it
        self._well = True
        self._writer = connect(path, vfs)
        self._prepare()
        self._reader = connect(path, vfs, readonly=True)
        self._reading = threading.Lock()
        self._waiting: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="parlour-store", daemon=True)
        self._thread.start()

    # opening

    def _prepare(self) -> None:
        """Create the schema, or migrate an older one."""
        if not select(self._writer, "SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
            with self._writer:
                self._writer.execute(CREATE)
                self._writer.execute("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA,))
            return
        version = select(self._writer, "SELECT value FROM meta WHERE name = 'schema'")[0][0]
        if version > SCHEMA:
            newer = f"{self.path.name} was written by a newer parlour (schema {version}; this knows {SCHEMA})."
            raise StoreError(newer)
        if version < SCHEMA:
            self._migrate(version)

    def _migrate(self, version: int) -> None:
        aside = self.path.with_name(f"{self.path.name}.schema-{version}")
        if not aside.exists():
            self._writer.execute("VACUUM INTO ?", (str(aside),))
        with self._writer:
            for step in range(version, SCHEMA):
                self._writer.execute(MIGRATIONS[step])
            self._writer.execute("UPDATE meta SET value = ? WHERE name = 'schema'", (SCHEMA,))

    # writing, as asked for by any thread

    def append(self, batch: Batch) -> Future[None]:
        return self._ask(lambda: self._insert(batch))

    def delete(self, names: Sequence[str], before: int = FOREVER) -> Future[None]:
        return self._ask(lambda: self._delete(names, before))

    def _ask(self, work: Callable[[], None]) -> Future[None]:
        done: Future[None] = Future()
        self._waiting.put((work, done))
        return done

    # writing, in the writer's thread

    def _insert(self, batch: Batch) -> None:
        summary, rows = batch
        key, before = self._known.get(summary.name) or self._line_of(summary, first=rows[0].number == 0)
        if before._replace(touched=summary.touched) == summary and summary.touched - before.touched < TOUCHED_SECONDS:
            summary = before
        else:
            self._writer.execute(
                "UPDATE tables SET phase = ?, open = ?, due = ?, touched = ? WHERE key = ?",
                (summary.phase, summary.open, summary.due, summary.touched, key),
            )
        self._writer.executemany(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?)",
            [(key, row.number, entry_text(row.entry), row.action, row.head) for row in rows],
        )
        self._uncommitted[summary.name] = (key, summary)

    def _line_of(self, summary: Summary, first: bool) -> tuple[int, Summary]:
        """The line of a table: its key and content. It is written with the first row of the log."""
        found = select(self._writer, f"{SUMMARY_AND_KEY} WHERE name = ?", (summary.name,))
        if found:
            return found[0][-1], read_summary(found[0][:-1])
        if not first:
            raise Gone
        self._writer.execute(
            "INSERT INTO tables (name, secret, phase, open, due, touched) VALUES (?, ?, ?, ?, ?, ?)", tuple(summary)
        )
        return self._writer.last_insert_rowid(), summary

    def _delete(self, names: Sequence[str], before: int) -> None:
        for name in names:
            self._writer.execute("DELETE FROM tables WHERE name = ? AND touched < ?", (name, before))
            self._known.pop(name, None)

    def _write_on(self) -> None:
        """Take all that waits, store it in one transaction, and say so; until the end is asked for."""
        over = False
        while not over:
            waiting = [self._next()]
            while len(waiting) < LARGEST_BATCH and not self._waiting.empty():
                waiting.append(self._waiting.get())
            over = None in waiting
            asked = [each for each in waiting if each is not None]
            if asked:
                self._commit(asked)
        self._close_writer()

    def _next(self) -> Work | None:
        """The next request. While nothing can be stored, try now and then whether it can again."""
        while True:
            try:
                return self._waiting.get(timeout=None if self._well else TRY_SECONDS)
            except queue.Empty:
                self._commit([(self._probe, Future())])

    def _probe(self) -> None:
        self._writer.execute("INSERT OR REPLACE INTO meta VALUES ('probe', ?)", (time.time(),))

    def _commit(self, asked: Sequence[Work]) -> None:
        """Store all of it in one transaction, and say of each request whether it is stored."""
        self._uncommitted = {}
        asked = [(work, done) for work, done in asked if done.set_running_or_notify_cancel()]
        try:
            if not self._well:
                self._reopen()
            refused = self._transaction(asked)
        except Exception as error:
            # what was written may be there or not: nobody is told that it is, and all of it can be asked for again
            self._well = False
            self._roll_back()
            for _, done in asked:
                done.set_exception(Unsure(f"It could not be stored ({type(error).__name__}); ask again later."))
            time.sleep(0.05)
            return
        self._well = True
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._known.update(self._uncommitted)
        for _, done in asked:
            if done in refused:
                done.set_exception(StoreError("Another has written to this table, or deleted it."))
            else:
                done.set_result(None)

    def _transaction(self, asked: Sequence[Work]) -> set[Future[None]]:
        """Do all the work and commit it; those whose rows do not fit what is there."""
        refused: set[Future[None]] = set()
        self._writer.execute("BEGIN IMMEDIATE")
        for work, done in asked:
            self._writer.execute("SAVEPOINT one")
            try:
                work()
            except (apsw.ConstraintError, Gone):
                self._writer.execute("ROLLBACK TO one")
                refused.add(done)
            self._writer.execute("RELEASE one")
        self._writer.execute("COMMIT")
        return refused

    def _roll_back(self) -> None:
        with suppress(apsw.Error):  # a new connection is opened before anything else is written
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    def _reopen(self) -> None:
        """Begin with a new connection, which trusts nothing of what the last one had in memory."""
        self._known = {}
        self._close_writer()
        self._writer = connect(self.path, self.vfs)

    def _close_writer(self) -> None:
        with suppress(apsw.Error):  # what was acknowledged is safe: the next to open the file finishes what is left
            self._writer.close(True)

    # reading

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        with self._reading, one_moment(self._reader):
            found = select(self._reader, f"{SUMMARY} WHERE name = ?", (name,))
            rows = read_log(self._reader, name)
        return (read_summary(found[0]), rows) if found else None

    def due(self) -> list[Summary]:
        return self._summaries("WHERE due ORDER BY key")

    def open_tables(self, most: int) -> list[Summary]:
        return self._summaries("WHERE open ORDER BY key DESC LIMIT ?", most)

    def _summaries(self, which: str, *values: Any) -> list[Summary]:
        with self._reading:
            return [read_summary(row) for row in select(self._reader, f"{SUMMARY} {which}", values)]

    def old_tables(self, phases: Sequence[str], before: int) -> list[str]:
        marks = ", ".join("?" * len(phases))
        with self._reading:
            text = f"SELECT name FROM tables WHERE phase IN ({marks}) AND touched < ?"
            return [name for (name,) in select(self._reader, text, (*phases, before))]

    def healthy(self) -> bool:
        return self._well

    def close(self) -> None:
        with self._reading:
            self._reader.close()
        self._waiting.put(None)
        self._thread.join()


def logs(path: Path) -> Iterator[tuple[Summary, list[LogRow]]]:
    """Every table with its log, read while a server may be running; a log that cannot be read is empty."""
    with closing(connect(path, readonly=True)) as connection:
        for (name,) in select(connection, "SELECT name FROM tables ORDER BY key"):
            rows: list[LogRow] = []
            with one_moment(connection):
                found = select(connection, f"{SUMMARY} WHERE name = ?", (name,))
                with suppress(Damaged):
                    rows = read_log(connection, name) if found else []
            if found:  # it was not deleted in the meantime
                yield read_summary(found[0]), rows


def back_up(path: Path, to: Path) -> None:
    """A whole copy of the file as it stands, while it may be in use."""
    with closing(connect(path, readonly=True)) as connection:
        connection.execute("VACUUM INTO ?", (str(to),))
