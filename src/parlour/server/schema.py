"""The file of tables as SQLite sees it: its schema, connections to it, and the checksums of its rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import apsw

from ..engine.chance import COMMIT_LABEL
from .store import StoreError, Summary

SCHEMA = 2
NEEDED = (3, 51, 3)  # SQLite before this can lose committed data when a checkpoint meets a writer
CREATE = """
PRAGMA user_version = 2;
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret BLOB NOT NULL,
    phase TEXT NOT NULL,
    open INTEGER NOT NULL,
    due INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    deleted INTEGER,
    size INTEGER NOT NULL,
    checksum BLOB NOT NULL
);
CREATE INDEX tables_due ON tables (due) WHERE due;
CREATE INDEX tables_open ON tables (open) WHERE open;
CREATE INDEX tables_by_phase ON tables (phase, touched);
CREATE INDEX tables_deleted ON tables (deleted) WHERE deleted IS NOT NULL;
CREATE TABLE log (
    key INTEGER NOT NULL REFERENCES tables (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    entry TEXT NOT NULL,
    action BLOB,
    head BLOB,
    checksum BLOB NOT NULL,
    PRIMARY KEY (key, number)
) WITHOUT ROWID;
CREATE TABLE unrevealed (
    key INTEGER PRIMARY KEY,
    commitment TEXT NOT NULL,
    game TEXT NOT NULL,
    opened TEXT NOT NULL,
    gone INTEGER NOT NULL,
    why TEXT NOT NULL,
    checksum BLOB NOT NULL
);
CREATE TABLE damaged (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    why TEXT NOT NULL,
    noted INTEGER NOT NULL,
    checksum BLOB NOT NULL
);
"""
CHECKSUM_BYTES = 8
# What SQLite and Python raise for bytes that make no sense; a busy or interrupted query is another matter.
NONSENSE = (
    *(apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.MismatchError, apsw.TooBigError, apsw.NoMemError),
    *(apsw.SQLError, apsw.RangeError, apsw.FormatError, UnicodeError, ValueError, OverflowError, MemoryError),
)
DAMAGE = tuple(error for error in NONSENSE if error is not apsw.IOError)  # of the file, not of the disk


class Newer(StoreError):
    """A file was written by a newer version."""


def sqlite_version() -> tuple[int, ...]:
    """The version of SQLite that is used."""
    return tuple(int(part) for part in apsw.sqlite_lib_version().split("."))


def connect(path: Path, vfs: str | None = None, readonly: bool = False) -> apsw.Connection:
    """A connection that syncs every commit and overwrites what it deletes.

    It never checkpoints by itself: SQLite does not say when a checkpoint of its own could not be synced.
    """
    if sqlite_version() < NEEDED:
        raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old; install a newer apsw.")
    flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs)
    connection.set_busy_timeout(5000)
    connection.wal_autocheckpoint(0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if not readonly:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA secure_delete = ON")
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
        for end in ("COMMIT", "ROLLBACK"):  # in a damaged file, committing may fail although nothing was written
            with suppress(*NONSENSE):
                if connection.in_transaction:  # a query that failed may have ended it
                    connection.execute(end)


def version_of(connection: apsw.Connection) -> int:
    """The version of the schema that a file was written by; 0 for an empty file.

    It is noted twice, so that one flipped bit does not make a file look like one of another version.
    """
    if not select(connection, "SELECT 1 FROM sqlite_master LIMIT 1"):
        if select(connection, "PRAGMA page_count")[0][0] > 1:
            raise StoreError("the file of tables has lost its schema")
        return 0
    version = meta_number(connection, "schema")
    if SCHEMA in (version, user_version(connection)) and has_schema(connection):
        return SCHEMA
    if not version:
        raise StoreError("the file of tables does not say by which version it was written")
    if version > SCHEMA:
        raise Newer(f"The tables were written by a newer parlour (schema {version}; this knows {SCHEMA}).")
    return version


def user_version(connection: apsw.Connection) -> int:
    """The version of the schema, as the head of the file has it."""
    version: int = select(connection, "PRAGMA user_version")[0][0]
    return version


def has_schema(connection: apsw.Connection) -> bool:
    """Whether a file has the schema of this version."""
    return schema_texts(connection) == texts_of_schema()


def schema_texts(connection: apsw.Connection) -> set[str]:
    """The statements by which the schema was made."""
    return {text for (text,) in select(connection, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


@cache
def texts_of_schema() -> set[str]:
    """The statements of the schema of this version, as SQLite stores them."""
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(CREATE)
        return schema_texts(connection)


def meta_number(connection: apsw.Connection, name: str) -> int:
    """A number beside the tables, with any checksum; 0 if it is missing or invalid."""
    with suppress(*NONSENSE):
        found = select(connection, "SELECT value FROM meta WHERE name = ?", (name,))
        return found[0][0] if found and type(found[0][0]) is int and found[0][0] > 0 else 0
    return 0


def entry_text(entry: list[Any]) -> bytes:
    """An entry as it is stored."""
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()


def commitment_of(secret: bytes) -> str:
    """What was shown of the secret of a table before anyone sat down."""
    return hashlib.sha256(COMMIT_LABEL + secret).hexdigest()


# --- checksums --------------------------------------------------------------------------------------------------------


def checksum(numbers: Sequence[int | None], *texts: bytes | None) -> bytes:
    """A digest of numbers and texts, each of which could be missing."""
    lengths = [None if text is None else len(text) for text in texts]
    framed = repr((*numbers, *lengths)).encode() + b"".join(text for text in texts if text)
    return hashlib.blake2b(framed, digest_size=CHECKSUM_BYTES).digest()


def row_checksum(name: bytes, number: int, entry: bytes, action: bytes | None, head: bytes | None) -> bytes:
    """The checksum of a row of a log."""
    return checksum((number,), name, entry, action, head)


def note_checksum(table: str, numbers: Sequence[int], *texts: bytes) -> bytes:
    """The checksum of a row beside the tables."""
    return checksum(numbers, table.encode(), *texts)


def line_checksum(key: int, summary: Summary, deleted: int | None, size: int) -> bytes:
    """The checksum of the line of a table."""
    name, secret, phase, is_open, due, touched = summary
    numbers = (key, int(is_open), int(due), touched, deleted, size)
    return checksum(numbers, name.encode(), secret, phase.encode())
