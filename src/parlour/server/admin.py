"""Looking after the data of a server: backup, restore, audit."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from ..engine.errors import Refusal
from ..records.seal import verify
from .data import FILE, held
from .rows import Damaged
from .sqlite import back_up, logs
from .store import StoreError
from .table import OVER, Table


def backup(data: Path, to: Path) -> None:
    """A whole copy of all tables, while a server may be running."""
    if not (data / FILE).exists():
        raise StoreError(f"There are no tables in {data}.")
    if to.exists():
        raise StoreError(f"{to} is there already; name another file.")
    part = to.with_name(to.name + ".part")
    copy(data / FILE, part)
    part.rename(to)


def restore(data: Path, source: Path) -> Path | None:
    """Put a copy in the place of the tables that are there. These are set aside; returns where."""
    for _ in logs(source):
        pass  # a file that cannot be read is not restored
    with held(data):
        aside = None
        fresh = data / f"{FILE}.part"
        copy(source, fresh)
        if (data / FILE).exists():
            aside = data / f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}"
            aside.unlink(missing_ok=True)
            back_up(data / FILE, aside)
        for ending in ("-wal", "-shm"):
            (data / (FILE + ending)).unlink(missing_ok=True)
        fresh.replace(data / FILE)
    return aside


def copy(source: Path, to: Path) -> None:
    """A whole copy of a file of tables, synced."""
    to.unlink(missing_ok=True)
    back_up(source, to)
    with open(to, "rb") as file:
        os.fsync(file.fileno())


def audit(path: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """Replay and verify every stored sitting; how many there are, and how many are damaged."""
    count = wrong = 0
    for summary, rows in logs(path):
        count += 1
        try:
            table = Table.load(summary.name, summary.secret, rows)
            difference = verify(json.loads(json.dumps(table.record()))) if table.phase == OVER else None
            if difference is not None:
                raise Damaged(str(difference))
            if table.phase != summary.phase:
                raise Damaged(f"it is {table.phase}, not {summary.phase}")
        except (Damaged, Refusal) as error:
            wrong += 1
            tell(f"{summary.name}: {error}")
    return count, wrong
