"""Reading stored tables: every value is checked, and one that is damaged hurts its own table alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from .rows import Damaged, LogRow
from .schema import (
    NONSENSE,
    SCHEMA,
    commitment_of,
    connect,
    has_schema,
    line_checksum,
    meta_number,
    one_moment,
    row_checksum,
    select,
    user_version,
    version_of,
)
from .store import Line, StoreError, Summary, Unrevealed
from .table import Table

PHASES_OF_1 = ("gathering", "sealing", "playing", "over")
SECRET_BYTES = 32
MOST_TRIED = 100_000  # keys that are looked up one by one between two damaged pages
# Text is read as the bytes that are stored, and only where it is stored as text: the index of names has no others.
COLUMNS = "key, {name}, CAST(secret AS BLOB), {phase}, open, due, touched".format(
    **{name: f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) END" for name in ("name", "phase")}
)
LINE = {
    1: f"SELECT {COLUMNS}, NULL, NULL, NULL FROM tables",
    2: f"SELECT {COLUMNS}, deleted, size, CAST(checksum AS BLOB) FROM tables",
}
ENTRY = "CASE typeof(entry) WHEN 'text' THEN CAST(entry AS BLOB) END"
BYTES = "CAST(action AS BLOB), CAST(head AS BLOB)"
LOG = {
    1: f"SELECT number, {ENTRY}, {BYTES}, NULL FROM log WHERE key = ? ORDER BY number",
    2: f"SELECT number, {ENTRY}, {BYTES}, CAST(checksum AS BLOB) FROM log WHERE key = ? ORDER BY number",
}


class Stored(NamedTuple):
    """A table as it is found in a file; where it is damaged, why, and its log is empty."""

    name: str
    line: Line | None
    rows: list[LogRow]
    damage: str = ""


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
        raise Damaged(f"it cannot be read ({type(error).__name__})") from None


def replayed(summary: Summary, rows: list[LogRow]) -> Table:
    """A table as its log tells it; Damaged where the log cannot be followed, whatever is wrong with it."""
    try:
        return Table.load(summary.name, summary.secret, rows)
    except Damaged:
        raise
    except Exception as error:
        raise Damaged(f"its log cannot be followed ({type(error).__name__})") from error


# --- whole files ------------------------------------------------------------------------------------------------------


def keys_of(connection: apsw.Connection, table: str) -> set[int]:
    """All keys of `tables` or `log` that can be found: from both ends, and one by one between damaged pages."""
    reached: dict[str, int | None] = {">": None, "<": None}
    keys: set[int] = set()
    whole = False
    for side, order in ((">", ""), ("<", " DESC")):
        following = f"SELECT key FROM {table} WHERE key {side} ? ORDER BY key{order} LIMIT 1"
        last = -(1 << 63) if side == ">" else (1 << 63) - 1
        with suppress(*NONSENSE):
            while not whole:
                found = select(connection, following, (last,))
                if not found:
                    whole = True
                elif type(found[0][0]) is not int or (found[0][0] <= last if side == ">" else found[0][0] >= last):
                    break  # keys out of order: only a damaged page has them
                else:
                    last = found[0][0]
                    keys.add(last)
                    reached[side] = last
    if not whole and reached[">"] is not None and reached["<"] is not None:
        for key in range(reached[">"] + 1, min(reached["<"], reached[">"] + MOST_TRIED)):
            with suppress(*NONSENSE):
                if select(connection, f"SELECT 1 FROM {table} WHERE key = ? LIMIT 1", (key,)):
                    keys.add(key)
    return keys


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
        yield Stored(f"(number {key})", None, [], "its line is missing")


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
        yield Stored(name, line, [], str(error))
    except NONSENSE as error:
        yield Stored(name, line, [], f"it cannot be read ({type(error).__name__})")
    else:
        yield Stored(name, line, rows)


def set_apart(connection: apsw.Connection) -> list[tuple[str, str, int]]:
    """Tables that were damaged and left out when the file was written again: name, what was wrong, and since when."""
    with suppress(*NONSENSE):
        found = select(connection, "SELECT name, why, noted FROM damaged ORDER BY name")
        return [row for row in found if [type(each) for each in row] == [str, str, int]]
    return []


def settings_at(connection: apsw.Connection, key: int) -> dict[str, Any]:
    """The first row of a table's log, which says what is played there; empty where it cannot be read."""
    with suppress(*NONSENSE, TypeError, LookupError):
        (text,) = select(connection, "SELECT CAST(entry AS BLOB) FROM log WHERE key = ? AND number = 0", (key,))[0]
        return dict(json.loads(text)[1])
    return {}


def unrevealed_of(connection: apsw.Connection, line: Line, now: int, why: str) -> Unrevealed:
    """What is noted of a sitting that goes before it is over."""
    settings = settings_at(connection, line.key)
    game, opened_on = str(settings.get("game", "")), str(settings.get("opened", ""))
    return Unrevealed(commitment_of(line.summary.secret), game, opened_on, now, why)


def read_lines(connection: apsw.Connection, version: int) -> Iterator[tuple[str, Line | None]]:
    """Every table of a file by its key: its name and its line, or None where that is damaged."""
    for key in sorted(keys_of(connection, "tables")):
        name = f"(number {key})"
        try:
            found = select(connection, f"{LINE[version]} WHERE key = ?", (key,))
            if found and isinstance(found[0][1], bytes):
                name = found[0][1].decode(errors="replace")
            if found:
                yield name, read_line(found[0], version)
        except (Damaged, *NONSENSE):
            yield name, None


def logs(path: Path) -> Iterator[tuple[Summary, list[LogRow]]]:
    """Every good table with its log, read while a server may be running."""
    with opened(path) as connection:
        for stored in walk(connection):
            if stored.line is not None and not stored.damage:
                yield stored.line.summary, stored.rows


def opened(path: Path) -> closing[apsw.Connection]:
    """A file of tables to read from; one that cannot be read at all raises StoreError."""
    try:
        connection = connect(path, readonly=True)
        version_of(connection)
    except NONSENSE as error:
        raise StoreError(f"{path.name} cannot be read as a file of tables: {error}.") from None
    return closing(connection)


def problems(connection: apsw.Connection) -> list[str]:
    """What SQLite finds wrong with the structure of a file, and with the indexes of its tables."""
    try:
        found = [*select(connection, "PRAGMA quick_check(20)"), *select(connection, "PRAGMA integrity_check(tables)")]
        wrong = [str(line) for (line,) in found if line != "ok"]
        versions = (meta_number(connection, "schema"), user_version(connection))
        as_written = has_schema(connection) and versions == (SCHEMA, SCHEMA)
        return wrong if as_written else [*wrong, "the schema is not as it was written"]
    except NONSENSE as error:
        return [type(error).__name__]


def read_unrevealed(connection: apsw.Connection, first: int = 0, most: int = -1) -> list[Unrevealed]:
    """Sittings that went before they were over, the newest first."""
    with suppress(*NONSENSE):
        columns = "SELECT commitment, game, opened, gone, why FROM unrevealed"
        found = select(connection, f"{columns} ORDER BY rowid DESC LIMIT ? OFFSET ?", (most, first))
        return [Unrevealed(*row) for row in found if [type(each) for each in row] == [str, str, str, int, str]]
    return []
