"""Reading stored tables: every value is checked, and one that is damaged hurts its own table alone."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from .notes import VERSION, keys_of, number_noted, text_of, wrong_notes
from .rows import CLOSED, STARTED, Damaged, LogRow
from .scan import scan
from .schema import (
    NONSENSE,
    SCHEMA,
    Newer,
    commitment_of,
    connect,
    has_schema,
    line_checksum,
    one_moment,
    row_checksum,
    select,
    user_version,
    version_of,
)
from .store import Line, StoreError, Summary, Unrevealed
from .table import PLAYING, Table
from .wal import damaged_wal

# Of the head of a file: how it is written and read (with a write-ahead log or without), and constants of SQLite.
HEADS = (b"\1\1\0\x40\x20\x20", b"\2\2\0\x40\x20\x20")
PHASES_OF_1 = ("gathering", "sealing", "playing", "over")
SECRET_BYTES = 32
SCANNED, LEFT_SECONDS = ".scan-", 3600  # how folders are called in which copies are made, and when they are left over
# Text is read as the bytes that are stored, and only where it is stored as text: the index of names has no others.
COLUMNS = f"key, {text_of('name')}, CAST(secret AS BLOB), {text_of('phase')}, open, due, touched"
LINE = {
    1: f"SELECT {COLUMNS}, NULL, NULL, NULL FROM tables",
    2: f"SELECT {COLUMNS}, deleted, size, CAST(checksum AS BLOB) FROM tables",
}
ENTRY = text_of("entry")
BYTES = "CAST(action AS BLOB), CAST(head AS BLOB)"
LOG = {
    1: f"SELECT number, {ENTRY}, {BYTES}, NULL FROM log WHERE key = ? ORDER BY number",
    2: f"SELECT number, {ENTRY}, {BYTES}, CAST(checksum AS BLOB) FROM log WHERE key = ? ORDER BY number",
}


class Unreadable(Damaged):
    """SQLite finds the file damaged where a table is."""


class Stored(NamedTuple):
    """A table as it is found in a file; where it is damaged, why, and its log is empty."""

    name: str
    line: Line | None
    rows: list[LogRow]
    damage: str = ""
    key: int = 0


def read_line(row: tuple[Any, ...], version: int = 2) -> Line:
    """The line of a table from its row; one that cannot be right raises Damaged."""
    key, name, secret, phase, is_open, due, touched, deleted, size, checksum = row
    wrong = Damaged("its line is not as it was written")
    try:
        summary = Summary(name.decode(), secret, phase.decode(), bool(is_open), bool(due), touched)
        numbers = (key, is_open, due, touched) if version == 1 else (key, is_open, due, touched, size)
        typed = all(type(number) is int for number in numbers) and type(deleted) in (int, type(None))
        if not typed or len(secret) != SECRET_BYTES or {is_open, due} - {0, 1}:
            raise wrong
        if version == 1:
            known = summary.phase in PHASES_OF_1
        else:
            known = checksum == line_checksum(key, summary, deleted, size)
        if not known:
            raise wrong
    except (AttributeError, TypeError, UnicodeError):
        raise wrong from None
    return Line(key, summary, -1 if version == 1 else size, deleted)


def good_lines(rows: list[tuple[Any, ...]]) -> list[Line]:
    """The lines among these rows that are as they were written."""
    found = []
    for row in rows:
        with suppress(Damaged):
            found.append(read_line(row))
    return found


def read_row(name: bytes, row: tuple[Any, ...], version: int = 2) -> LogRow | None:
    """A row of a log; None where it is not as it was written."""
    number, entry, action, head, checksum = row
    if type(number) is not int or type(entry) is not bytes:
        return None
    if version > 1 and checksum != row_checksum(name, number, entry, action, head):
        return None
    try:
        read = json.loads(entry.decode())
    except (ValueError, RecursionError):
        return None
    return LogRow(number, read, action, head) if isinstance(read, list) and read else None


def read_log(connection: apsw.Connection, line: Line, version: int = 2) -> list[LogRow]:
    """The log of a table; Damaged where a row is missing or wrong. A stray row of another table does not matter."""
    name = line.summary.name.encode()
    found: dict[int, LogRow] = {}
    wrong = 0
    for row in connection.execute(LOG[version], (line.key,)):
        read = read_row(name, row, version)
        if read is None:
            wrong += 1
        else:
            found[read.number] = read
    size = line.size if version > 1 else len(found) + wrong
    for number in range(size):
        if number not in found:
            raise Damaged(f"row {number} of its log is missing or not as it was written")
    if len(found) > size:
        raise Damaged(f"its log has {len(found)} rows, and its line says {size}")
    return [found[number] for number in range(size)]


def read_table(connection: apsw.Connection, name: str, version: int = 2) -> tuple[Line, list[LogRow]] | None:
    """A table by its name; one that cannot be read raises Damaged."""
    try:
        with one_moment(connection):
            found = select(connection, f"{LINE[version]} WHERE name = ?", (name,))
            if not found:
                return None
            line = read_line(found[0], version)
            return line, read_log(connection, line, version)
    except NONSENSE as error:
        raise Unreadable(f"it cannot be read ({type(error).__name__})") from None


def replayed(summary: Summary, rows: list[LogRow]) -> Table:
    """A table as its log tells it; Damaged where the log cannot be followed, whatever is wrong with it."""
    try:
        return Table.load(summary.name, summary.secret, rows)
    except Damaged:
        raise
    except Exception as error:
        raise Damaged(f"its log cannot be followed ({type(error).__name__})") from error


# --- whole files ------------------------------------------------------------------------------------------------------


def walk(connection: apsw.Connection) -> Iterator[Stored]:
    """Every table of a file by its key, good or damaged, while a server may be running."""
    version = version_of(connection)
    if not version:
        return
    with one_moment(connection):
        lines = keys_of(connection, "tables")
        lost = keys_of(connection, "log") - lines
    for key in sorted(lines):
        yield from stored_at(connection, key, version)
    for key in sorted(lost):
        yield Stored(f"(number {key})", None, [], "its line is missing", key)


def stored_at(connection: apsw.Connection, key: int, version: int) -> Iterator[Stored]:
    """The table of a key; nothing where it was deleted in the meantime."""
    name, line = f"(number {key})", None
    try:
        with one_moment(connection):
            found = select(connection, f"{LINE[version]} WHERE key = ?", (key,))
            if not found:
                return
            if isinstance(found[0][1], bytes):
                name = found[0][1].decode(errors="replace")
            line = read_line(found[0], version)
            rows = read_log(connection, line, version)
    except Damaged as error:
        yield Stored(name, line, [], str(error), key)
    except NONSENSE as error:
        yield Stored(name, line, [], f"it cannot be read ({type(error).__name__})", key)
    else:
        yield Stored(name, line, rows, key=key)


def settings_at(connection: apsw.Connection, key: int) -> dict[str, Any]:
    """The first row of a table's log, which says what is played there; empty where it cannot be read."""
    with suppress(*NONSENSE, TypeError, LookupError):
        (text,) = select(connection, "SELECT CAST(entry AS BLOB) FROM log WHERE key = ? AND number = 0", (key,))[0]
        return dict(json.loads(text)[1])
    return {}


def unrevealed_of(connection: apsw.Connection, key: int, line: Line | None, now: int, why: str) -> list[Unrevealed]:
    """What is noted of a table that goes: its sitting, if that was dealt and is not over.

    Where its line is damaged, the log says so, and its first row has the commitment.
    """
    settings = settings_at(connection, key)
    commitment = str(settings.get("commitment", ""))
    if line is None:
        kinds = kinds_at(connection, key) if commitment else set()
        dealt = STARTED in kinds and CLOSED not in kinds
    else:
        dealt, commitment = line.summary.phase == PLAYING, commitment_of(line.summary.secret)
    game, opened_on = str(settings.get("game", "")), str(settings.get("opened", ""))
    return [Unrevealed(commitment, game, opened_on, now, why)] if dealt else []


def kinds_at(connection: apsw.Connection, key: int) -> set[str]:
    """The kinds of entries in a table's log, as far as they can be read."""
    kinds = set()
    with suppress(*NONSENSE):
        for (text,) in connection.execute(f"SELECT {ENTRY} FROM log WHERE key = ?", (key,)):
            with suppress(ValueError, TypeError, LookupError, RecursionError):
                kinds.add(str(json.loads(text)[0]))
    return kinds


class Listed(NamedTuple):
    """A table in a list; without a line where it is damaged."""

    key: int
    name: str
    line: Line | None


def read_lines(connection: apsw.Connection, version: int) -> Iterator[Listed]:
    """Every table of a file by its key."""
    for key in sorted(keys_of(connection, "tables")):
        name = f"(number {key})"
        try:
            found = select(connection, f"{LINE[version]} WHERE key = ?", (key,))
            if found and isinstance(found[0][1], bytes):
                name = found[0][1].decode(errors="replace")
            if found:
                yield Listed(key, name, read_line(found[0], version))
        except (Damaged, *NONSENSE):
            yield Listed(key, name, None)


def logs(path: Path) -> Iterator[tuple[Summary, list[LogRow]]]:
    """Every good table with its log, read while a server may be running."""
    with opened(path) as connection:
        for stored in walk(connection):
            if stored.line is not None and not stored.damage:
                yield stored.line.summary, stored.rows


@contextmanager
def opened(path: Path) -> Iterator[apsw.Connection]:
    """A file of tables to read from; one that cannot be read at all raises StoreError."""
    with examined(path, wholly=False) as (connection, _):
        yield connection


@contextmanager
def examined(path: Path, wholly: bool = True) -> Iterator[tuple[apsw.Connection, list[str]]]:
    """A file of tables to read from, and what is wrong with it as a whole, if all of it is looked at.

    Where the structure of the file is damaged, a copy is read that has all rows which a scan finds.
    """
    connection: apsw.Connection | None = None
    with ExitStack() as stack:
        try:
            hidden = damaged_wal(path)
            wrong = [hidden] if hidden else []
            if not hidden:  # SQLite would drop what it cannot read
                connection = stack.enter_context(closing(connect(path, readonly=True)))
                wrong = structure(connection, wholly)
        except Newer:
            raise
        except (StoreError, *NONSENSE) as error:
            wrong = [str(error)]
        if wrong or connection is None:
            folder = stack.enter_context(beside(path))
            with suppress(*NONSENSE):
                if connection is not None:  # a server that runs must not take pages from its log meanwhile
                    connection.execute("BEGIN")
                    select(connection, "SELECT 1 FROM sqlite_master")
            copy, found = scan(path, folder)
            if not any(found):
                raise StoreError(f"{path.name} cannot be read as a file of tables: {wrong[0].rstrip('.')}.")
            connection = stack.enter_context(closing(connect(copy, readonly=True)))
        yield connection, [*wrong, *(notes_of(connection) if wholly else [])]


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """A folder beside a file, for this user alone, while it is needed. What a killed process left behind goes, too."""
    for old in path.parent.glob(f"{SCANNED}*"):
        with suppress(OSError):
            if old.stat().st_mtime < time.time() - LEFT_SECONDS:
                shutil.rmtree(old)
    try:
        made = tempfile.TemporaryDirectory(prefix=SCANNED, dir=path.parent)
    except OSError as error:
        raise StoreError(f"{path.name} is damaged, and no copy can be made beside it: {error.strerror}.") from None
    with made as name:
        yield Path(name)


def structure(connection: apsw.Connection, wholly: bool) -> list[str]:
    """What is wrong with the structure of a file."""
    version = version_of(connection)
    if version != SCHEMA:
        return []
    if wholly:
        return problems(connection)
    return [] if has_schema(connection) else ["the schema is not as it was written"]


def notes_of(connection: apsw.Connection) -> list[str]:
    """What is wrong with the notes of a file."""
    return wrong_notes(connection) if version_of(connection) == SCHEMA else []


def problems(connection: apsw.Connection) -> list[str]:
    """What SQLite finds wrong with the structure of a file, and with the indexes of its tables."""
    try:
        found = [*select(connection, "PRAGMA quick_check(20)"), *select(connection, "PRAGMA integrity_check(tables)")]
        wrong = [str(line) for (line,) in found if line != "ok"]
        versions = (number_noted(connection, VERSION), user_version(connection))
        head = connection.read("main", 0, 18, 6)[1]  # SQLite would only say of some of it that it cannot write
        as_written = has_schema(connection) and versions == (SCHEMA, SCHEMA) and head in HEADS
        return wrong if as_written else [*wrong, "the schema is not as it was written"]
    except NONSENSE as error:
        return [type(error).__name__]
