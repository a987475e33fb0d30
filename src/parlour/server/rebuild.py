"""Writing a file of tables again from its good tables: after damage, for a newer schema, or into another file."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw

from .data import private_files, sync
from .reading import Stored, opened, read_unrevealed, set_apart, unrevealed_of, walk
from .schema import CREATE, NONSENSE, SCHEMA, connect, meta_number, version_of
from .store import StoreError, Unrevealed
from .table import PLAYING
from .writing import insert_damaged, insert_line, insert_rows, insert_unrevealed

DAMAGED = "its table was damaged"

note = logging.getLogger("parlour.table")


class Copied(NamedTuple):
    """How many good tables were copied, and the damaged ones that were left out."""

    good: int
    left_out: list[Stored]


def copy_good(source: Path, to: Path, remember: bool, since: int = 0, unrevealed: Iterable[Unrevealed] = ()) -> Copied:
    """Copy the good tables of a file into a new one; with `remember`, it names those that were left out.

    `since` and `unrevealed` are noted in the new file beside what the old one says.
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
    with private_files(), opened(source) as old, closing(connect(to)) as new:
        new.execute("PRAGMA journal_mode = DELETE")  # one whole file, synced at the end
        with new:
            new.execute(CREATE)
            copy_beside(old, new, since)
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
                for stored in left_out:
                    insert_damaged(new, stored.name, stored.damage, now)
                    if stored.line is not None and stored.line.summary.phase == PLAYING:
                        insert_unrevealed(new, unrevealed_of(old, stored.line, now, DAMAGED))
    sync(to)
    return Copied(good, left_out)


def copy_beside(old: apsw.Connection, new: apsw.Connection, since: int) -> None:
    """Copy what stands beside the tables."""
    stamps = {"beat": meta_number(old, "beat"), "since": since or meta_number(old, "since")}
    meta = {"schema": SCHEMA} | {name: value for name, value in stamps.items() if value}
    new.executemany("INSERT INTO meta VALUES (?, ?)", list(meta.items()))
    if version_of(old) > 1:
        for sitting in reversed(read_unrevealed(old)):
            insert_unrevealed(new, sitting)
        for each in set_apart(old):
            insert_damaged(new, *each)


# --- in the place of a file -------------------------------------------------------------------------------------------


def renew(path: Path, ending: str) -> Path:
    """Write a file again from its good tables; the old one is set aside. Returns where."""
    fresh = path.with_name(f"{path.name}.part")
    try:
        checkpoint(path)
        copied = copy_good(path, fresh, remember=True)
    except apsw.BusyError:
        raise StoreError(f"{path.name} must be written again, but another program is reading it; try later.") from None
    except (StoreError, *NONSENSE) as error:
        raise StoreError(f"{path.name} is damaged: {str(error).rstrip('.')}. Restore a backup.") from None
    if len(copied.left_out) > copied.good:
        fresh.unlink()
        every = copied.good + len(copied.left_out)
        raise StoreError(
            f"{len(copied.left_out)} of {every} tables in {path.name} are damaged. Restore a backup, or write the good "
            "ones to a new file with `parlour salvage`."
        )
    aside = path.with_name(f"{path.name}.{ending}")
    if aside.exists():
        aside = path.with_name(f"{path.name}.{ending}-{time.strftime('%Y%m%d-%H%M%S')}")
    put_in_place(fresh, path, aside)
    for stored in copied.left_out:
        note.error("table %s is damaged: %s; it stays behind in %s", stored.name, stored.damage, aside.name)
    return aside


def checkpoint(path: Path) -> None:
    """Bring the whole write-ahead log of a file into it."""
    with closing(connect(path)) as connection:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def put_in_place(fresh: Path, path: Path, aside: Path) -> None:
    """Let a new file take the place of a checkpointed one, of which a copy stays; one of the two is always there."""
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
