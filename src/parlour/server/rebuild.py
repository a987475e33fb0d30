"""Writing a file of tables again from its good tables: after damage, for a newer schema, or into another file."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from .data import private_files, sync
from .notes import (
    BEAT,
    SINCE,
    VERSION,
    Apart,
    insert_apart,
    insert_unrevealed,
    lost,
    read_apart,
    read_time,
    read_unrevealed,
    write_numbers,
)
from .reading import Stored, examined, unrevealed_of, walk
from .schema import CREATE, DAMAGE, NONSENSE, SCHEMA, connect, version_of
from .store import StoreError, Unrevealed
from .wal import damaged_wal
from .writing import insert_line, insert_rows

DAMAGED = "its table was damaged"
FEW = 3  # tables that may be damaged in any file, so that one of few tables does not stop a server

note = logging.getLogger("parlour.table")


class Copied(NamedTuple):
    """How many good tables were copied, and the damaged ones that were left out."""

    good: int
    left_out: list[Stored]


def copy_good(source: Path, to: Path, remember: bool, since: int = 0, unrevealed: Iterable[Unrevealed] = ()) -> Copied:
    """Copy the good tables of a file into a new one; with `remember`, it names those that were left out.

    `since` and `unrevealed` are noted in the new file beside what the old one says. Where that is damaged, ages are
    counted from now on.
    """
    try:
        return _copy_good(source, to, remember, since, unrevealed)
    except NONSENSE as error:
        raise StoreError(f"{source.name} cannot be read: {error}.") from None


def _copy_good(source: Path, to: Path, remember: bool, since: int, unrevealed: Iterable[Unrevealed]) -> Copied:
    to.unlink(missing_ok=True)
    now = int(time.time())
    left_out: list[Stored] = []
    good = 0
    with ExitStack() as stack:
        stack.enter_context(private_files())
        old, _ = stack.enter_context(examined(source))
        if not version_of(old):
            raise StoreError(f"{source.name} is empty.")
        new = stack.enter_context(closing(connect(to)))
        new.execute("PRAGMA journal_mode = DELETE")  # one whole file, synced at the end
        with new:
            new.execute(CREATE)
            copy_notes(old, new, since, now)
            for sitting in unrevealed:
                insert_unrevealed(new, sitting)
            for stored in walk(old):
                if stored.line is None or stored.damage:
                    left_out.append(stored)
                    continue
                insert_line(new, stored.line._replace(size=len(stored.rows)))
                insert_rows(new, stored.line.key, stored.name, stored.rows)
                good += 1
            if remember:
                known = {table.name for table in read_apart(new)}
                for stored in left_out:
                    if stored.name not in known:
                        insert_apart(new, Apart(stored.name, stored.damage, now))
                    for sitting in unrevealed_of(old, stored.key, stored.line, now, DAMAGED):
                        insert_unrevealed(new, sitting)
    sync(to)
    return Copied(good, left_out)


def copy_notes(old: apsw.Connection, new: apsw.Connection, since: int, now: int) -> None:
    """Copy what stands beside the tables; notes that are damaged are named like tables that were left out."""
    numbers = {VERSION: SCHEMA}
    if version_of(old) == SCHEMA:
        noted = read_time(old)
        known = noted.beat and not noted.doubtful
        numbers |= {BEAT: noted.beat, SINCE: since or (noted.since if known else now)}
        for sitting in reversed(read_unrevealed(old)):
            insert_unrevealed(new, sitting)
        for table in read_apart(old):
            insert_apart(new, table)
        for each in lost(old):
            insert_apart(new, Apart(f"({each})", "it is missing or not as it was written", now))
    elif since:
        numbers[SINCE] = since
    write_numbers(new, [(name, value) for name, value in numbers.items() if value or name == SINCE])


# --- in the place of a file -------------------------------------------------------------------------------------------


def renew(path: Path, ending: str) -> Path:
    """Write a file again from its good tables; the old one is set aside. Returns where."""
    fresh = path.with_name(f"{path.name}.part")
    try:
        with suppress(*DAMAGE):  # then the write-ahead log is read, and kept, as it is
            checkpoint(path)
        copied = copy_good(path, fresh, remember=True)
    except apsw.BusyError:
        raise StoreError(f"{path.name} must be written again, but another program is reading it; try later.") from None
    except (StoreError, *NONSENSE) as error:
        raise StoreError(f"{path.name} is damaged: {str(error).rstrip('.')}. Restore a backup.") from None
    bad, every = len(copied.left_out), copied.good + len(copied.left_out)
    if bad > max(copied.good, FEW):
        fresh.unlink()
        way = "Restore a backup."
        if copied.good:
            way = "Restore a backup, or write the good ones to a new file with `parlour salvage`."
        raise StoreError(f"{bad} of {every} tables in {path.name} are damaged. {way}")
    aside = path.with_name(f"{path.name}.{ending}")
    if aside.exists():
        aside = path.with_name(f"{path.name}.{ending}-{time.strftime('%Y%m%d-%H%M%S')}")
    put_in_place(fresh, path, aside)
    for stored in copied.left_out:
        note.error("table %s is damaged: %s; it stays behind in %s", stored.name, stored.damage, aside.name)
    return aside


def checkpoint(path: Path) -> None:
    """Bring the whole write-ahead log of a file into it; a damaged one stays, as SQLite would drop part of it."""
    if damaged_wal(path):
        return
    with closing(connect(path)) as connection:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def put_in_place(fresh: Path, path: Path, aside: Path) -> None:
    """Let a new file take the place of an old one, of which a copy stays; one of the two is always there.

    A write-ahead log that could not be brought into the old file stays beside it.
    """
    log = path.with_name(f"{path.name}-wal")
    if aside != path and log.exists() and log.stat().st_size:
        shutil.copy2(log, kept := aside.with_name(f"{aside.name}-wal"))
        sync(kept)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    if path.exists():
        aside.unlink(missing_ok=True)
        try:
            os.link(path, aside)
        except OSError:  # a file system without links
            shutil.copy2(path, aside)
            sync(aside)
    fresh.replace(path)
    sync(path.parent)
