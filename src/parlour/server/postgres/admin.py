"""Looking after tables in a database: lists, audit, backup and restore, and moves from a file or into one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from ..admin import Listed, damage_of
from ..data import private_files, sync
from ..notes import BEAT, SINCE, VERSION, insert_unrevealed, read_time, read_unrevealed, write_numbers
from ..reading import Stored, opened, read_line, walk
from ..rebuild import Copied
from ..retention import gone_at
from ..rows import Damaged, LogRow
from ..schema import CREATE, SCHEMA, entry_text, row_checksum, version_of
from ..schema import connect as open_file
from ..store import GONE, Line, StoreError, Summary, Unrevealed
from ..writing import insert_line, insert_rows
from .schema import connect, first_line, prepare
from .statements import LINE, LOG, checksum_of
from .store import SET_NUMBER, log_of, set_line

AT_ONCE = 500  # names that are asked for together
INSERT_LINE = "INSERT INTO parlour_tables VALUES (%s, NULL, 1, %s, %s, %s, %s, %s, %s, %s, %s)"
INSERT_ROW = "INSERT INTO parlour_log VALUES (%s, %s, 1, %s, %s, %s, %s)"
INSERT_NOTE = "INSERT INTO parlour_unrevealed VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
Connection = psycopg.Connection[Any]


@contextmanager
def reached(url: str) -> Iterator[Connection]:
    """A database with the tables of this version."""
    try:
        with closing(connect(url)) as connection:
            prepare(connection)
            yield connection
    except psycopg.Error as error:
        raise StoreError(f"The database does not do this: {first_line(error)}.") from None


class Notes(NamedTuple):
    """What stands beside the tables."""

    beat: int
    since: int
    unrevealed: list[Unrevealed]  # the oldest first


# --- reading ----------------------------------------------------------------------------------------------------------


def names_of(connection: Connection) -> Iterator[str]:
    """The names of all tables, while servers may be running."""
    last = ""
    while True:
        query = "SELECT name FROM parlour_tables WHERE name > %s ORDER BY name LIMIT %s"
        found = [name for (name,) in connection.execute(query, (last, AT_ONCE))]
        if not found:
            return
        yield from found
        last = found[-1]


def stored_in(connection: Connection) -> Iterator[Stored]:
    """Every table, good or damaged, while servers may be running."""
    for name in names_of(connection):
        rows = connection.execute(f"{LINE} WHERE name = %s", (name,)).fetchall()
        if not rows:
            continue  # it was deleted in the meantime
        line = None
        try:
            line = read_line(rows[0])
            log = log_of(name, line.size, connection.execute(LOG, (name,)).fetchall())
        except Damaged as error:
            if connection.execute("SELECT 1 FROM parlour_tables WHERE name = %s", (name,)).fetchone():
                yield Stored(name, line, [], str(error))
        else:
            yield Stored(name, line, log)


def notes_in(connection: Connection) -> Notes:
    """What stands beside the tables."""
    numbers = dict(connection.execute("SELECT name, value FROM parlour_meta").fetchall())
    columns = "commitment, game, opened, gone, why"
    rows = connection.execute(f"SELECT {columns} FROM parlour_unrevealed ORDER BY gone, commitment").fetchall()
    return Notes(numbers.get(BEAT, 0), numbers.get(SINCE, 0), [Unrevealed(*row) for row in rows])


def logs(url: str) -> Iterator[tuple[Summary, list[LogRow]]]:
    """Every good table with its log, read while servers may be running."""
    with reached(url) as connection:
        for stored in stored_in(connection):
            if stored.line is not None and not stored.damage:
                yield stored.line.summary, stored.rows


def tables(url: str) -> Iterator[Listed]:
    """All tables by their names."""
    with reached(url) as connection:
        since, now = notes_in(connection).since, int(time.time())
        for stored in stored_in(connection):
            line, first = stored.line, stored.rows[:1]
            game = str(first[0].entry[1].get("game", "")) if first else ""
            gone = 0 if line is None or line.deleted is None else gone_at(line.deleted, since, now)
            yield Listed(stored.name, game, line, gone)


def unrevealed(url: str) -> list[Unrevealed]:
    """Sittings that went before they were over, the newest first."""
    with reached(url) as connection:
        return notes_in(connection).unrevealed[::-1]


def audit(url: str, tell: Callable[[str], None]) -> tuple[int, int]:
    """Replay and verify every stored sitting; how many there are, and how many are damaged."""
    count = wrong = 0
    with reached(url) as connection:
        for stored in stored_in(connection):
            count += 1
            damage = stored.damage or damage_of(stored)
            if damage:
                wrong += 1
                tell(f"{stored.name}: {damage}")
        whole = "SELECT 1 FROM parlour_tables t WHERE t.name = l.name"
        stray = f"SELECT DISTINCT name FROM parlour_log l WHERE NOT EXISTS ({whole})"
        for (name,) in connection.execute(stray).fetchall():
            count, wrong = count + 1, wrong + 1
            tell(f"{name}: its line is missing")
    return count, wrong


# --- changing ---------------------------------------------------------------------------------------------------------


def undelete(url: str, name: str) -> None:
    """Bring back a table that is marked as deleted, while servers may be running."""
    with reached(url) as connection:
        query = f"{LINE} WHERE name = %s AND deleted IS NOT NULL"
        rows = connection.execute(query, (name.encode(errors="replace").decode(),)).fetchall()
        if not rows:
            raise StoreError(f"No table of the name {name} is marked as deleted.")
        try:
            line = read_line(rows[0])
        except Damaged as error:
            raise StoreError(f"{name} is damaged: {error}.") from None
        if line.summary.phase == GONE:
            raise StoreError(f"{name} is being deleted; some of its rows are gone.")
        back = line._replace(deleted=None, summary=line.summary._replace(touched=int(time.time())))
        set_line(connection, line, back)


def check_quiet(connection: Connection) -> None:
    """Refuse while a server is running."""
    query = "SELECT address FROM parlour_nodes WHERE until > clock_timestamp() ORDER BY id LIMIT 1"
    found = connection.execute(query).fetchone()
    if found:
        raise StoreError(f"A server is running with these tables ({found[0]}); stop it first.")


def write_all(connection: Connection, notes: Notes, stored: Iterable[Stored]) -> Copied:
    """Write the good tables into a database that has none."""
    good, left_out = 0, []
    for name, value in ((BEAT, notes.beat), (SINCE, notes.since)):
        connection.execute(SET_NUMBER, (name, value))
    with connection.cursor() as cursor:
        cursor.executemany(INSERT_NOTE, notes.unrevealed)
        for each in stored:
            if each.line is None or each.damage:
                left_out.append(each)
                continue
            summary, size = each.line.summary, len(each.rows)
            name, secret, phase, is_open, due, touched = summary
            deleted = each.line.deleted
            values = (name, size, secret, phase, is_open, due, touched, deleted, checksum_of(summary, deleted, size))
            cursor.execute(INSERT_LINE, values)
            rows = []
            for number, entry, action, head in each.rows:
                text = entry_text(entry)
                rows.append((name, number, text, action, head, row_checksum(name.encode(), number, text, action, head)))
            cursor.executemany(INSERT_ROW, rows)
            good += 1
    return Copied(good, left_out)


def restore(url: str, source: Path, aside: Path) -> Copied:
    """Put the good tables of a copy in the place of those that are there, which are copied to a file first.

    Their retention counts from now on.
    """
    now = int(time.time())
    with reached(url) as connection, notes_and_tables(source) as (notes, stored):
        check_quiet(connection)
        backup(url, aside)
        with connection.transaction():
            known = notes_in(connection)
            connection.execute("TRUNCATE parlour_tables, parlour_log")
            return write_all(connection, Notes(notes.beat, now, [*known.unrevealed, *notes.unrevealed]), stored)


# --- files ------------------------------------------------------------------------------------------------------------


@contextmanager
def notes_and_tables(path: Path) -> Iterator[tuple[Notes, Iterator[Stored]]]:
    """A file of tables."""
    with opened(path) as connection:
        version = version_of(connection)
        if not version:
            raise StoreError(f"{path.name} is empty.")
        noted = read_time(connection) if version == SCHEMA else None
        time_notes = (noted.beat, noted.since) if noted else (0, 0)
        yield Notes(*time_notes, read_unrevealed(connection)[::-1] if version == SCHEMA else []), walk(connection)


def backup(url: str, to: Path) -> Copied:
    """Copy all good tables to a file, while servers may be running."""
    if to.exists():
        raise StoreError(f"{to} is there already; name another file.")
    with reached(url) as connection:
        return write_file(to, notes_in(connection), stored_in(connection))


def write_file(to: Path, notes: Notes, stored: Iterable[Stored]) -> Copied:
    """Write good tables into a new file."""
    part = to.with_name(to.name + ".part")
    part.unlink(missing_ok=True)
    good, left_out = 0, []
    try:
        with private_files(), closing(open_file(part)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one whole file, synced at the end
            with connection:
                connection.execute(CREATE)
                numbers = {VERSION: SCHEMA, BEAT: notes.beat, SINCE: notes.since}
                write_numbers(connection, [(name, value) for name, value in numbers.items() if value or name == SINCE])
                for sitting in notes.unrevealed:
                    insert_unrevealed(connection, sitting)
                for each in stored:
                    if each.line is None or each.damage:
                        left_out.append(each)
                        continue
                    good += 1
                    line = Line(good, each.line.summary, len(each.rows), each.line.deleted)
                    insert_line(connection, line)
                    insert_rows(connection, line.key, each.name, each.rows)
        sync(part)
        part.rename(to)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Copied(good, left_out)


def move(source: str | Path, to: str | Path) -> Copied:
    """Copy all good tables from a file or database into one that has none yet."""
    if isinstance(to, Path):
        if to.exists():
            raise StoreError(f"{to} is there already; name a folder without tables.")
        if isinstance(source, str):
            return backup(source, to)
        with notes_and_tables(source) as (notes, stored):
            return write_file(to, notes, stored)
    with reached(to) as connection:
        check_quiet(connection)
        if connection.execute("SELECT 1 FROM parlour_tables LIMIT 1").fetchone():
            raise StoreError("There are tables in that database already; name an empty one.")
        with connection.transaction():
            if isinstance(source, Path):
                with notes_and_tables(source) as (notes, stored):
                    return write_all(connection, notes, stored)
            with reached(source) as old:
                check_quiet(old)
                return write_all(connection, notes_in(old), stored_in(old))
