"""For tests that change the file of a server's tables behind its back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from parlour.server.reading import LINE, read_line
from parlour.server.schema import SCHEMA, connect, select
from parlour.server.writing import update_line


def cut(file: Path, table: str, size: int) -> None:
    """Cut off the rows of a table from a number on, as if they had never been written."""
    with closing(connect(file)) as connection, connection:
        (found,) = select(connection, f"{LINE[SCHEMA]} WHERE name = ?", (table,))
        line = read_line(found)
        connection.execute("DELETE FROM log WHERE number >= ? AND key = ?", (size, line.key))
        update_line(connection, line._replace(size=size))
