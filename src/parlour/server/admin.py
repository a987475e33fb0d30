"""Looking after the data of a server: backup, restore, audit, salvage, and lists of tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from ..engine.errors import Refusal
from ..records.seal import verify
from .data import FILE, held, private_files, sync
from .notes import read_apart, read_time, read_unrevealed
from .reading import LINE, Stored, examined, opened, read_line, read_lines, replayed, settings_at, unrevealed_of, walk
from .rebuild import Copied, checkpoint, copy_good, put_in_place
from .retention import gone_at
from .rows import Damaged
from .schema import NONSENSE, SCHEMA, connect, select, version_of
from .store import GONE, Line, StoreError, Unrevealed
from .table import OVER
from .writing import update_line

REPLACED = "its table was replaced by a backup"


# --- copies -----------------------------------------------------------------------------------------------------------


def backup(data: Path, to: Path) -> None:
    """A whole copy of all tables, while a server may be running."""
    path = existing(data)
    if to.exists():
        raise StoreError(f"{to} is there already; name another file.")
    part = to.with_name(to.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with private_files(), opened(path) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
    except NONSENSE as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{FILE} is damaged ({error}); `parlour salvage` copies the good tables.") from None
    sync(part)
    part.rename(to)


class Restored(NamedTuple):
    """What came of a restore: where the tables from before are, and the damaged ones that were left out."""

    aside: Path | None
    copied: Copied


def restore(data: Path, source: Path) -> Restored:
    """Put the good tables of a copy in the place of those that are there, which are set aside.

    Their retention counts from now on.
    """
    now = int(time.time())
    with held(data):
        path, fresh = data / FILE, data / f"{FILE}.part"
        copied = copy_good(source, fresh, remember=True, since=now, unrevealed=replaced_sittings(path, source, now))
        if copied.left_out and not copied.good:
            fresh.unlink()
            raise StoreError(f"All tables of {source} are damaged.")
        aside = None
        if path.exists():
            aside = data / f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}"
            with suppress(*NONSENSE):  # it is damaged: its write-ahead log stays beside it
                checkpoint(path)
        put_in_place(fresh, path, aside or path)
    return Restored(aside, copied)


def replaced_sittings(path: Path, source: Path, now: int) -> list[Unrevealed]:
    """Sittings that go without being revealed when a copy takes the place of a file."""
    found: list[Unrevealed] = []
    with suppress(StoreError, *NONSENSE):
        if path.exists():
            with opened(source) as new:
                version = version_of(new)
                stay = {each.name for each in read_lines(new, version)} if version else set()
            with opened(path) as old:
                version = version_of(old)
                found = read_unrevealed(old)[::-1] if version > 1 else []
                for key, name, line in read_lines(old, version) if version else ():
                    if name not in stay:
                        found += unrevealed_of(old, key, line, now, REPLACED)
    return found


def salvage(data: Path, to: Path) -> Copied:
    """Write the good tables into a new file; those that were left out."""
    path = existing(data)
    if to.exists():
        raise StoreError(f"{to} is there already; name another file.")
    part = to.with_name(to.name + ".part")
    copied = copy_good(path, part, remember=False)
    part.rename(to)
    return copied


def existing(data: Path) -> Path:
    """The file of tables in a directory."""
    if not any((data / f"{FILE}{ending}").exists() for ending in ("", "-wal")):
        raise StoreError(f"There are no tables in {data}.")
    return data / FILE


# --- audit ------------------------------------------------------------------------------------------------------------


def audit(path: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """Replay and verify every stored sitting; how many there are, and how many are damaged.

    A file whose structure or notes are damaged counts as one more that is.
    """
    count = wrong = 0
    with examined(path) as (connection, problems):
        for problem in problems:
            tell(f"{path.name}: {problem}")
        wrong += bool(problems)
        for stored in walk(connection):
            count += 1
            damage = stored.damage or damage_of(stored)
            if damage:
                wrong += 1
                tell(f"{stored.name}: {damage}")
        for table in read_apart(connection) if version_of(connection) > 1 else ():
            count, wrong = count + 1, wrong + 1
            tell(f"{table.name}: {table.why}; it was set apart")
    return count, wrong


def damage_of(stored: Stored) -> str:
    """What is wrong with a table that can be read; nothing, where it is good, or being deleted."""
    assert stored.line is not None
    summary = stored.line.summary
    if summary.phase == GONE:
        return ""
    try:
        table = replayed(summary, stored.rows)
        if table.phase != summary.phase:
            raise Damaged(f"it is {table.phase}, not {summary.phase}")
        difference = verify(json.loads(json.dumps(table.record()))) if table.phase == OVER else None
        return "" if difference is None else str(difference)
    except (Damaged, Refusal) as error:
        return str(error)


# --- lists ------------------------------------------------------------------------------------------------------------


class Listed(NamedTuple):
    """A table in a list; without a line where it is damaged."""

    name: str
    game: str
    line: Line | None
    gone: int = 0  # when it will be deleted, where it is marked


def tables(data: Path) -> Iterator[Listed]:
    """All tables, in the order in which they were opened."""
    with opened(existing(data)) as connection:
        version = version_of(connection)
        since, now = read_time(connection).since if version > 1 else 0, int(time.time())
        for _, name, line in read_lines(connection, version) if version else ():
            game = "" if line is None else str(settings_at(connection, line.key).get("game", ""))
            gone = 0 if line is None or line.deleted is None else gone_at(line.deleted, since, now)
            yield Listed(name, game, line, gone)


def undelete(data: Path, name: str) -> None:
    """Bring back a table that is marked as deleted, while a server may be running."""
    name = name.encode(errors="replace").decode()
    with closing(connect(existing(data))) as connection:
        found = None
        if version_of(connection) == SCHEMA:
            connection.execute("BEGIN IMMEDIATE")
            found = select(connection, f"{LINE[SCHEMA]} WHERE name = ? AND deleted IS NOT NULL", (name,))
        if not found:
            raise StoreError(f"No table of the name {name} is marked as deleted.")
        try:
            line = read_line(found[0])
            if line.summary.phase == GONE:
                raise StoreError(f"{name} is being deleted; some of its rows are gone.")
        except Damaged as error:
            raise StoreError(f"{name} is damaged: {error}.") from None
        update_line(connection, line._replace(deleted=None, summary=line.summary._replace(touched=int(time.time()))))
        connection.execute("COMMIT")


def unrevealed(data: Path) -> list[Unrevealed]:
    """Sittings that went before they were over, the newest first."""
    with opened(existing(data)) as connection:
        return read_unrevealed(connection) if version_of(connection) > 1 else []
