"""Notes beside the tables, each with a checksum: the time, sittings never revealed, tables that were set apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import apsw

from .schema import NONSENSE, note_checksum, one_moment, select
from .store import Unrevealed

BEAT, SINCE, PROBE, VERSION = "beat", "since", "probe", "schema"  # the names of the numbers in `meta`
DAMAGED = -1  # in the place of a number
MOST_TRIED = 100_000  # keys that are looked up one by one between two damaged pages


class Apart(NamedTuple):
    """A table that was damaged and left out when the file was written again."""

    name: str
    why: str
    noted: int  # in seconds since 1970


class Noted(NamedTuple):
    """What a file says of the time."""

    beat: int
    since: int
    doubtful: bool  # something is damaged, or there without the other


# --- writing ----------------------------------------------------------------------------------------------------------


def write_numbers(connection: apsw.Connection, values: Iterable[tuple[str, int]]) -> None:
    """Write numbers beside the tables."""
    rows = [(name, value, note_checksum("meta", (value,), name.encode())) for name, value in values]
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", rows)


def insert_unrevealed(connection: apsw.Connection, sitting: Unrevealed) -> None:
    """Note a sitting that goes before it is over."""
    key = next_key(connection, "unrevealed")
    connection.execute(
        "INSERT INTO unrevealed VALUES (?, ?, ?, ?, ?, ?, ?)", (key, *sitting, unrevealed_checksum(key, sitting))
    )


def insert_apart(connection: apsw.Connection, table: Apart) -> None:
    """Note a table that is left out."""
    key = next_key(connection, "damaged")
    connection.execute("INSERT INTO damaged VALUES (?, ?, ?, ?, ?)", (key, *table, apart_checksum(key, table)))


def next_key(connection: apsw.Connection, table: str) -> int:
    """The number of the next note: they are numbered from 1, so that one which is lost is missed."""
    key: int = select(connection, f"SELECT ifnull(max(key), 0) + 1 FROM {table}")[0][0]
    return key


def unrevealed_checksum(key: int, sitting: Unrevealed) -> bytes:
    """The checksum of a note of a sitting that was never revealed."""
    commitment, game, opened, gone, why = sitting
    return note_checksum("unrevealed", (key, gone), *(each.encode() for each in (commitment, game, opened, why)))


def apart_checksum(key: int, table: Apart) -> bytes:
    """The checksum of a note of a table that was left out."""
    return note_checksum("damaged", (key, table.noted), table.name.encode(), table.why.encode())


# --- reading ----------------------------------------------------------------------------------------------------------


def keys_of(connection: apsw.Connection, table: str) -> set[int]:
    """All keys of a table that can be found: from both ends, and one by one between damaged pages."""
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


def number_noted(connection: apsw.Connection, name: str) -> int | None:
    """A number beside the tables; None if it is missing, DAMAGED if it is not as it was written."""
    found = select(connection, "SELECT value, CAST(checksum AS BLOB) FROM meta WHERE name = ?", (name,))
    if not found:
        return None
    value, checksum = found[0]
    return value if type(value) is int and checksum == note_checksum("meta", (value,), name.encode()) else DAMAGED


def read_time(connection: apsw.Connection) -> Noted:
    """What a file says of the time."""
    with suppress(*NONSENSE):
        beat, since = number_noted(connection, BEAT), number_noted(connection, SINCE)
        doubtful = DAMAGED in (beat, since) or (beat is not None and since is None)
        return Noted(max(beat or 0, 0), max(since or 0, 0), doubtful)
    return Noted(0, 0, True)


def text_of(*columns: str) -> str:
    """Columns of text as the bytes that are stored: any bytes can be read, and checked afterwards."""
    return ", ".join(f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) END" for name in columns)


CHECKSUM = "CAST(checksum AS BLOB)"
FIRST_TEXTS = text_of("commitment", "game", "opened")
UNREVEALED = f"SELECT key, {FIRST_TEXTS}, gone, {text_of('why')}, {CHECKSUM} FROM unrevealed"
APART = f"SELECT key, {text_of('name', 'why')}, noted, {CHECKSUM} FROM damaged"
Row = tuple[Any, ...]


def unrevealed_in(row: Row) -> Unrevealed | None:
    """The sitting that a row notes; None where it is not as it was written."""
    key, commitment, game, opened, gone, why, checksum = row
    with suppress(AttributeError, TypeError, UnicodeError):
        sitting = Unrevealed(commitment.decode(), game.decode(), opened.decode(), gone, why.decode())
        if type(gone) is int and checksum == unrevealed_checksum(key, sitting):
            return sitting
    return None


def apart_in(row: Row) -> Apart | None:
    """The table that a row notes; None where it is not as it was written."""
    key, name, why, noted, checksum = row
    with suppress(AttributeError, TypeError, UnicodeError):
        table = Apart(name.decode(), why.decode(), noted)
        if type(noted) is int and checksum == apart_checksum(key, table):
            return table
    return None


def rows_of(connection: apsw.Connection, columns: str, first: int = 0, most: int = -1) -> list[Row]:
    """Notes, the newest first: all of a query, or, where a page is damaged, those that can be read one by one."""
    with suppress(*NONSENSE):
        return select(connection, f"{columns} ORDER BY key DESC LIMIT ? OFFSET ?", (most, first))
    found = []
    for key in sorted(keys_of(connection, columns.split()[-1]), reverse=True):
        with suppress(*NONSENSE):
            found += select(connection, f"{columns} WHERE key = ?", (key,))
    return found[first:] if most < 0 else found[first : first + most]


def read_unrevealed(connection: apsw.Connection, first: int = 0, most: int = -1) -> list[Unrevealed]:
    """Sittings that went before they were over, the newest first; a damaged note is left out."""
    rows = rows_of(connection, UNREVEALED, first, most)
    return [sitting for row in rows if (sitting := unrevealed_in(row)) is not None]


def count_unrevealed(connection: apsw.Connection) -> int:
    """How many sittings went before they were over."""
    with suppress(*NONSENSE):
        count: int = select(connection, "SELECT count(*) FROM unrevealed")[0][0]
        return count
    return len(rows_of(connection, UNREVEALED))


def read_apart(connection: apsw.Connection) -> list[Apart]:
    """Tables that were damaged and left out; a damaged note is left out."""
    rows = reversed(rows_of(connection, APART))
    return [table for row in rows if (table := apart_in(row)) is not None]


def wrong_notes(connection: apsw.Connection) -> list[str]:
    """Everything beside the tables that is missing or not as it was written, as a sentence."""
    with one_moment(connection):
        return [f"{note} is missing or not as it was written" for note in wrong_numbers(connection) + lost(connection)]


def wrong_numbers(connection: apsw.Connection) -> list[str]:
    """The numbers that are not as they were written."""
    with suppress(*NONSENSE):
        names = [row[0] for row in select(connection, f"SELECT {text_of('name')} FROM meta")]
        known = {name.encode(): name for name in (BEAT, SINCE, PROBE, VERSION)}
        good = [name in known and number_noted(connection, known[name]) != DAMAGED for name in names]
        if all(good) and not read_time(connection).doubtful:
            return []
    return ["the time that was noted"]


def lost(connection: apsw.Connection) -> list[str]:
    """The notes of sittings never revealed and of tables set apart that are not as they were written."""
    return [
        *(f"note {key} of a sitting never revealed" for key in wrong_keys(connection, UNREVEALED, unrevealed_in)),
        *(f"note {key} of a table set apart" for key in wrong_keys(connection, APART, apart_in)),
    ]


def wrong_keys(connection: apsw.Connection, columns: str, read: Callable[[Row], object]) -> list[int]:
    """The numbers of notes that are missing or not as they were written."""
    rows = rows_of(connection, columns)
    good = {row[0] for row in rows if read(row) is not None}
    return sorted(({row[0] for row in rows} | set(range(1, max(good, default=0) + 1))) - good)
