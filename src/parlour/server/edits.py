"""Changes to the tables of a file, each within a transaction of the writer: rows stored, tables marked or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from .notes import insert_unrevealed
from .reading import LINE, good_lines, read_line, unrevealed_of
from .schema import SCHEMA, select
from .store import GONE, Batch, Line, Summary, Window
from .writing import insert_line, insert_rows, update_line, update_size

DELETED_AT_ONCE = 500  # rows of logs, so that nobody waits long while a long one is deleted
MOST_KNOWN = 10_000  # tables whose line is remembered
TOUCHED_SECONDS = 3600  # tables are kept for days, so the time of the last event may be this much out of date
NEXT_KEY = "SELECT max((SELECT ifnull(max(key), 0) FROM tables), (SELECT ifnull(max(key), 0) FROM log)) + 1"
OLD = "(touched < ? OR touched > ?) AND deleted IS NULL"


class Gone(Exception):
    """Rows came for a table that is not there, or not for its end."""


def is_near(before: int, now: int) -> bool:
    """Whether a stamp is good enough still; one in the future was made by a clock that was wrong."""
    return abs(now - before) < TOUCHED_SECONDS


def _lines(connection: apsw.Connection, which: str, *values: Any) -> list[Line]:
    """The good lines that a query finds."""
    return good_lines(select(connection, f"{LINE[SCHEMA]} WHERE {which}", values))


class Edits:
    """What a transaction may do to tables, and the lines of those that were written before."""

    def __init__(self) -> None:
        self._known: dict[str, Line] = {}  # lines that this connection wrote
        self._uncommitted: dict[str, Line] = {}  # the same, as far as the current transaction changed them

    # around a transaction

    def begin(self) -> None:
        """Forget what the last transaction changed, in case it was not committed."""
        self._uncommitted = {}

    def committed(self) -> None:
        """What the transaction changed is known from now on."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._known.update(self._uncommitted)

    def distrust(self) -> None:
        """Read every line again before it is changed: another process may have written to the file."""
        self._known.clear()

    # within one

    def append(self, connection: apsw.Connection, batch: Batch) -> None:
        """Write rows at the end of a log, and the line of its table where that has changed."""
        summary, rows = batch
        name = summary.name
        line = self._uncommitted.get(name) or self._known.get(name) or self._line_of(connection, summary)
        if [row.number for row in rows] != list(range(line.size, line.size + len(rows))):
            raise Gone
        before = line.summary
        later = line._replace(size=line.size + len(rows))
        if not line.size:
            insert_line(connection, later)
        elif before._replace(touched=summary.touched) == summary and is_near(before.touched, summary.touched):
            update_size(connection, later)
        else:
            later = later._replace(summary=summary)
            update_line(connection, later)
        insert_rows(connection, later.key, name, rows)
        self._uncommitted[name] = later

    def _line_of(self, connection: apsw.Connection, summary: Summary) -> Line:
        """The line of a table; one that is not there is written with the first rows of its log."""
        found = select(connection, f"{LINE[SCHEMA]} WHERE name = ?", (summary.name,))
        if not found:
            return Line(select(connection, NEXT_KEY)[0][0], summary, 0, None)
        line = read_line(found[0])
        if line.deleted is not None:
            raise Gone
        return line

    def mark(self, connection: apsw.Connection, names: Sequence[str], old: Window, now: int) -> None:
        """Mark tables as deleted that nobody has touched within a window of time."""
        for name in names:
            for line in _lines(connection, f"name = ? AND {OLD}", name, *old):
                update_line(connection, line._replace(deleted=now))
            self._forget(name)

    def unmark(self, connection: apsw.Connection, after: int, now: int) -> None:
        """Bring back the tables that were marked after a time."""
        for line in _lines(connection, "deleted > ?", after):
            update_line(connection, line._replace(deleted=None, summary=line.summary._replace(touched=now)))

    def delete(self, connection: apsw.Connection, which: str, names: Sequence[str], why: str, now: int) -> bool:
        """Delete tables, or some rows of them, from the end; whether more is left to delete."""
        left = DELETED_AT_ONCE
        for name in names:
            for line in _lines(connection, which, name):
                if left <= 0:
                    return True
                for sitting in unrevealed_of(connection, line.key, line, now, why):
                    insert_unrevealed(connection, sitting)
                if line.size <= left:
                    connection.execute("DELETE FROM tables WHERE key = ?", (line.key,))
                else:
                    self._shorten(connection, line, line.size - left, now)
                left -= line.size
            self._forget(name)
        return left < 0

    def _shorten(self, connection: apsw.Connection, line: Line, size: int, now: int) -> None:
        """Delete the last rows of a log. Nobody finds its table any more, nor can bring it back."""
        connection.execute("DELETE FROM log WHERE key = ? AND number >= ?", (line.key, size))
        summary = line.summary._replace(phase=GONE, open=False, due=False)
        update_line(connection, Line(line.key, summary, size, line.deleted or now))

    def _forget(self, name: str) -> None:
        self._known.pop(name, None)
        self._uncommitted.pop(name, None)
