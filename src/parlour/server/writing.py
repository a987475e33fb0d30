"""Writing lines and rows of tables into a file, each with its checksum."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from .rows import LogRow
from .schema import entry_text, line_checksum, row_checksum
from .store import Line


def insert_line(connection: apsw.Connection, line: Line) -> None:
    """Write the line of a new table."""
    key, summary, size, deleted = line
    connection.execute(
        "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, *summary, deleted, size, line_checksum(key, summary, deleted, size)),
    )


def update_line(connection: apsw.Connection, line: Line) -> None:
    """Write all that can change in the line of a table."""
    key, summary, size, deleted = line
    connection.execute(
        "UPDATE tables SET (phase, open, due, touched, deleted, size, checksum) = (?, ?, ?, ?, ?, ?, ?) WHERE key = ?",
        (*summary[2:], deleted, size, line_checksum(key, summary, deleted, size), key),
    )


def update_size(connection: apsw.Connection, line: Line) -> None:
    """Write the size of a log, where nothing else in the line of its table has changed: no index has it."""
    key, summary, size, deleted = line
    values = (size, line_checksum(key, summary, deleted, size), key)
    connection.execute("UPDATE tables SET size = ?, checksum = ? WHERE key = ?", values)


def insert_rows(connection: apsw.Connection, key: int, name: str, rows: Sequence[LogRow]) -> None:
    """Write rows of a log; one with a number that is taken raises ConstraintError."""
    encoded = name.encode()
    values = []
    for number, entry, action, head in rows:
        text = entry_text(entry)
        values.append((key, number, text.decode(), action, head, row_checksum(encoded, number, text, action, head)))
    connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", values)
