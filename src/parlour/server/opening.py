"""Opening a file of tables: a new one, one of an older version, or one that a failing disk has hurt."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path

import apsw

from .data import write_again
from .notes import VERSION, keys_of, read_apart, read_time, write_numbers, wrong_notes
from .reading import LINE, problems, read_line
from .rebuild import renew
from .rows import Damaged
from .schema import CREATE, NONSENSE, SCHEMA, Newer, connect, version_of
from .store import Stamps, StoreError
from .wal import damaged_wal

note = logging.getLogger("parlour.store")


def prepare(path: Path, vfs: str | None) -> None:
    """See to it that a file can be used; one that cannot raises StoreError."""
    log = path.with_name(path.name + "-wal")
    try:
        write_again(log)
        version, wrong = examine(path, vfs)
        if wrong or version < SCHEMA:
            aside = renew(path, "damaged" if wrong else f"schema-{version}")
            for line in wrong:
                note.error("%s is damaged: %s", path.name, line)
            note.warning("%s was written again; the old file is %s", path.name, aside.name)
    except NONSENSE as error:
        raise StoreError(f"{path.name} cannot be read ({type(error).__name__}). Restore a backup.") from None
    except OSError as error:
        raise StoreError(f"{path.name} cannot be written: {error.strerror}.") from None


def examine(path: Path, vfs: str | None) -> tuple[int, list[str]]:
    """The version of a file, and what is wrong with it as a whole. An empty one is made one of this version."""
    hidden = damaged_wal(path)
    if hidden:  # SQLite would drop what it cannot read
        return SCHEMA, [hidden]
    try:
        with closing(connect(path, vfs)) as connection:
            version = version_of(connection)
            if version == 0:
                with connection:
                    connection.execute(CREATE)
                    write_numbers(connection, [(VERSION, SCHEMA)])
                return SCHEMA, []
            return version, [*problems(connection), *wrong_notes(connection)] if version == SCHEMA else []
    except (apsw.IOError, Newer):  # a disk that fails, and a file that is for others
        raise
    except (StoreError, *NONSENSE) as error:
        return SCHEMA, [str(error)]


def look_through(connection: apsw.Connection) -> tuple[Stamps, dict[str, str]]:
    """Check the line of every table: what the file says of the time, and which tables are damaged."""
    newest = 0
    keys, damaged = set(), {}
    for row in connection.execute(LINE[SCHEMA]):
        keys.add(row[0])
        try:
            newest = max(newest, read_line(row).summary.touched)
        except Damaged as error:
            name = row[1].decode(errors="replace") if isinstance(row[1], bytes) else f"(number {row[0]})"
            damaged[name] = str(error)
    for key in keys_of(connection, "log") - keys:
        damaged[f"(number {key})"] = "its line is missing"
    damaged |= {table.name: table.why for table in read_apart(connection)}
    return Stamps(newest, *read_time(connection)), damaged
