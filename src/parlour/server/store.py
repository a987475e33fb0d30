"""Where tables are kept: an SQLite file with one writer, which syncs before it says that something is stored."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import apsw

from .rows import Damaged, Row

SCHEMA = 1
NEEDED = (3, 51, 3)  # SQLite before this can lose committed data when a checkpoint meets a writer
LARGEST_BATCH = 512
FOR_EVER = 1 << 62
TRY_SECONDS = 1.0
MOST_KNOWN = 10_000  # tables whose lines are remembered
TOUCHED_SECONDS = 3600  # what is kept is kept for days: when something last happened need not be known better
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
# From each version to the next; a copy of the file is kept before the first of them runs.
MIGRATIONS: dict[int, str] = {}


class StoreError(Exception):
    """Something could not be stored, or read; one sentence."""


class Gone(Exception):
    """Rows came for a table that is not there."""


class Unsure(StoreError):
    """Whether something was stored cannot be said: it was not acknowledged, and may be asked for again."""


FAULTS = (StoreError, apsw.Error)


def sentence(error: Exception) -> str:
    """What is wrong, for people."""
    return str(error) if isinstance(error, StoreError) else f"The file of tables cannot be read: {error}."


class Kept(NamedTuple):
    """What is known of a table without reading its log."""

    name: str
    secret: bytes
    phase: str
    open: bool  # and people may still sit down
    due: bool  # whether something is to happen there by itself
    touched: int


class Batch(NamedTuple):
    """Rows of one table that are stored together or not at all."""

    kept: Kept
    rows: Sequence[Row]


class Store(Protocol):
    """What a room needs of where tables are kept."""

    def append(self, batch: Batch) -> Future[None]:
        """Store rows after those that are there; done when they are safe. Rows with numbers that are there fail."""
        ...

    def table(self, name: str) -> tuple[Kept, list[Row]] | None:
        """A table with its log."""
        ...

    def due(self) -> list[Kept]:
        """The tables at which something is to happen by itself."""
        ...

    def open_ones(self, most: int) -> list[Kept]:
        """Open tables at which people gather, the newest first."""
        ...

    def old_ones(self, phases: Sequence[str], before: int) -> list[str]:
        """The names of tables in some phases at which nothing has happened since."""
        ...

    def delete(self, names: Sequence[str], before: int = FOR_EVER) -> Future[None]:
        """Delete tables with their logs, where nothing has happened there since."""
        ...

    def healthy(self) -> bool:
        """Whether the last attempt to store succeeded."""
        ...

    def close(self) -> None:
        """Finish what was asked for."""
        ...


def sqlite_version() -> tuple[int, ...]:
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


def ask(connection: apsw.Connection, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of an answer."""
    return list(connection.execute(text, tuple(values)))


KEPT = "SELECT name, secret, phase, open, due, touched FROM tables"
KEPT_AND_KEY = "SELECT name, secret, phase, open, due, touched, key FROM tables"
LOG = "SELECT number, entry, action, head FROM log JOIN tables USING (key) WHERE name = ? ORDER BY number"


def kept_of(row: tuple[Any, ...]) -> Kept:
    name, secret, phase, is_open, due, touched = row
    return Kept(name, secret, phase, bool(is_open), bool(due), touched)


def log_of(connection: apsw.Connection, name: str) -> list[Row]:
    found = ask(connection, LOG, (name,))
    try:
        return [Row(number, json.loads(entry), action, head) for number, entry, action, head in found]
    except ValueError:
        raise Damaged("a row of its log cannot be read") from None


def entry_text(entry: list[Any]) -> str:
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False)


class SqliteStore:
    """One file, one writing connection in a thread of its own; whatever waits together is committed together."""

    def __init__(self, path: Path, vfs: str | None = None) -> None:
        if sqlite_version() < NEEDED:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old; install a newer apsw.")
        self.path = path
        self.vfs = vfs
        self._known: dict[str, tuple[int, Kept]] = {}  # tables whose line was written by this connection, and how
        self._well = True
        self._open()
        self._reader = connect(path, vfs, readonly=True)
        self._reading = threading.Lock()
        self._waiting: queue.SimpleQueue[tuple[Callable[[], None], Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="parlour-store", daemon=True)
        self._thread.start()

    # opening

    def _open(self) -> None:
        self._writer = connect(self.path, self.vfs)
        if not ask(self._writer, "SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
            with self._writer:
                self._writer.execute(CREATE)
                self._writer.execute("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA,))
            return
        version = ask(self._writer, "SELECT value FROM meta WHERE name = 'schema'")[0][0]
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

    # writing

    def append(self, batch: Batch) -> Future[None]:
        return self._ask(lambda: self._insert(batch))

    def delete(self, names: Sequence[str], before: int = FOR_EVER) -> Future[None]:
        return self._ask(lambda: self._delete(names, before))

    def _ask(self, work: Callable[[], None]) -> Future[None]:
        done: Future[None] = Future()
        self._waiting.put((work, done))
        return done

    def _insert(self, batch: Batch) -> None:
        kept, rows = batch
        key, before = self._known.get(kept.name) or self._line_of(kept, first=rows[0].number == 0)
        if before._replace(touched=kept.touched) == kept and kept.touched - before.touched < TOUCHED_SECONDS:
            kept = before
        else:
            self._writer.execute(
                "UPDATE tables SET phase = ?, open = ?, due = ?, touched = ? WHERE key = ?",
                (kept.phase, kept.open, kept.due, kept.touched, key),
            )
        self._writer.executemany(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?)",
            [(key, row.number, entry_text(row.entry), row.action, row.head) for row in rows],
        )
        self._fresh[kept.name] = (key, kept)

    def _line_of(self, kept: Kept, first: bool) -> tuple[int, Kept]:
        """The line of a table, and how it stands; it is written with the first row."""
        found = ask(self._writer, f"{KEPT_AND_KEY} WHERE name = ?", (kept.name,))
        if found:
            return found[0][-1], kept_of(found[0][:-1])
        if not first:
            raise Gone
        self._writer.execute(
            "INSERT INTO tables (name, secret, phase, open, due, touched) VALUES (?, ?, ?, ?, ?, ?)", tuple(kept)
        )
        return self._writer.last_insert_rowid(), kept

    def _delete(self, names: Sequence[str], before: int) -> None:
        for name in names:
            self._writer.execute("DELETE FROM tables WHERE name = ? AND touched < ?", (name, before))
            self._known.pop(name, None)

    def _write_on(self) -> None:
        """Take all that waits, store it in one transaction, and say so."""
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

    def _next(self) -> tuple[Callable[[], None], Future[None]] | None:
        """The next that is asked for; while things cannot be stored, it is tried now and then whether they can."""
        while True:
            try:
                return self._waiting.get(timeout=None if self._well else TRY_SECONDS)
            except queue.Empty:
                self._commit([(self._probe, Future())])

    def _probe(self) -> None:
        self._writer.execute("INSERT OR REPLACE INTO meta VALUES ('probe', ?)", (time.time(),))

    def _commit(self, asked: Sequence[tuple[Callable[[], None], Future[None]]]) -> None:
        self._fresh: dict[str, tuple[int, Kept]] = {}
        asked = [(work, done) for work, done in asked if done.set_running_or_notify_cancel()]
        stored: list[Future[None]] = []
        refused: list[tuple[Future[None], StoreError]] = []
        try:
            if not self._well:
                self._reopen()
            self._writer.execute("BEGIN IMMEDIATE")
            for work, done in asked:
                self._writer.execute("SAVEPOINT one")
                try:
                    work()
                except (apsw.ConstraintError, Gone):
                    self._writer.execute("ROLLBACK TO one")
                    refused.append((done, StoreError("Another has written to this table, or deleted it.")))
                else:
                    stored.append(done)
                self._writer.execute("RELEASE one")
            self._writer.execute("COMMIT")
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
        self._known.update(self._fresh)
        for done in stored:
            done.set_result(None)
        for done, reason in refused:
            done.set_exception(reason)

    def _roll_back(self) -> None:
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except apsw.Error:
            pass  # the connection is opened anew before anything else is written

    def _reopen(self) -> None:
        """Begin with a new connection, which trusts nothing of what the last one had in memory."""
        self._known = {}
        self._close_writer()
        self._writer = connect(self.path, self.vfs)

    def _close_writer(self) -> None:
        try:
            self._writer.close(True)
        except apsw.Error:
            pass  # what was acknowledged is safe without it: whoever opens the file next finishes what is left

    # reading

    def table(self, name: str) -> tuple[Kept, list[Row]] | None:
        with self._reading:
            self._reader.execute("BEGIN")  # both as of one moment
            try:
                found = ask(self._reader, f"{KEPT} WHERE name = ?", (name,))
                rows = log_of(self._reader, name)
            finally:
                self._reader.execute("COMMIT")
        return (kept_of(found[0]), rows) if found else None

    def due(self) -> list[Kept]:
        with self._reading:
            return [kept_of(row) for row in ask(self._reader, f"{KEPT} WHERE due ORDER BY key")]

    def open_ones(self, most: int) -> list[Kept]:
        with self._reading:
            return [kept_of(row) for row in ask(self._reader, f"{KEPT} WHERE open ORDER BY key DESC LIMIT ?", (most,))]

    def old_ones(self, phases: Sequence[str], before: int) -> list[str]:
        marks = ", ".join("?" * len(phases))
        with self._reading:
            text = f"SELECT name FROM tables WHERE phase IN ({marks}) AND touched < ?"
            return [name for (name,) in ask(self._reader, text, (*phases, before))]

    def healthy(self) -> bool:
        return self._well

    def close(self) -> None:
        with self._reading:
            self._reader.close()
        self._waiting.put(None)
        self._thread.join()


def logs(path: Path) -> Iterator[tuple[Kept, list[Row]]]:
    """Every table with its log, read beside a server that may be running."""
    connection = connect(path, readonly=True)
    try:
        for (name,) in ask(connection, "SELECT name FROM tables ORDER BY key"):
            connection.execute("BEGIN")  # a line and its log as of one moment, and none that was deleted meanwhile
            try:
                found = ask(connection, f"{KEPT} WHERE name = ?", (name,))
                rows = log_of(connection, name) if found else []
            except Damaged:
                rows = []
            finally:
                connection.execute("COMMIT")
            if found:
                yield kept_of(found[0]), rows
    finally:
        connection.close()


def back_up(path: Path, to: Path) -> None:
    """A whole copy of the file as it stands, while it is in use."""
    connection = connect(path, readonly=True)
    try:
        connection.execute("VACUUM INTO ?", (str(to),))
    finally:
        connection.close()
