"""The real store of a simulated server: SQLite on a disk that fails, with the work of its thread done in the loop."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from unittest import mock

from parlour.server import writer
from parlour.server.rows import LogRow
from parlour.server.sqlite import SqliteStore, logs
from parlour.server.store import DELETED, Batch, Summary, Window
from parlour.server.writer import Work, Writer
from support.disk import Disk as FailingDisk

from .loop import VirtualLoop
from .store import FAILING, FULL, SLOW, WELL

NUMBER = iter(range(10**9))  # of disks: SQLite knows them by name


class InlineWriter(Writer):
    """Does the work of the writer's thread in the loop: what waits is committed together, some time later."""

    disk: SqliteDisk
    asked: list[Work]

    def _put(self, work: Work) -> None:
        self.asked.append(work)
        if len(self.asked) == 1:
            slow = 1000 if self.disk.state == SLOW else 1
            self.disk.loop.call_later(slow * self.disk.luck.expovariate(1 / 0.003), self.commit_all)

    def commit_all(self) -> None:
        asked, self.asked = self.asked, []
        if asked:
            with mock.patch.object(writer.time, "sleep"):
                self._commit(asked)


class InlineSqlite(SqliteStore):
    """The store of one start of the server."""

    writer: InlineWriter

    def __init__(self, disk: SqliteDisk, path: Path, vfs: str) -> None:
        self.disk = disk
        super().__init__(path, vfs)

    def _writer_of(self, path: Path, vfs: str | None) -> InlineWriter:
        inline = InlineWriter(path, vfs, self._edits, self._reading)
        inline.disk, inline.asked = self.disk, []
        return inline

    def append(self, batch: Batch) -> Future[None]:
        return self._then(super().append(batch), lambda: self.disk.appended(batch))

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        self.disk.doubtful.update(names)  # a deletion that fails may have taken effect
        return self._then(super().delete(names, why, now), lambda: self.disk.were_deleted(names))

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        self.disk.cleared(names)
        return super().mark(names, old, now)

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        self.disk.cleared(names)
        return super().purge(names, now)

    def _then(self, done: Future[None], work: Callable[[], None]) -> Future[None]:
        done.add_done_callback(lambda found: work() if found.exception() is None else None)
        return done

    def close(self) -> None:
        while self.writer.asked:  # a long deletion is asked for again
            self.writer.commit_all()
        super().close()


class SqliteDisk:
    """A file that survives when the server is killed; where the power is cut, as much of it as was synced."""

    def __init__(self, loop: VirtualLoop, luck: random.Random) -> None:
        self.loop, self.luck = loop, luck
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-world-"))
        self.path = self.folder / "0" / "tables.db"
        self.path.parent.mkdir()
        self.deleted: set[str] = set()
        self.doubtful: set[str] = set()  # tables that were asked to be deleted
        self.written: Callable[[str, Sequence[LogRow]], None] = lambda name, rows: None
        self.cleared: Callable[[Sequence[str]], None] = lambda names: None
        self._state = WELL
        self._failing: FailingDisk
        self._store: InlineSqlite

    def open(self) -> InlineSqlite:
        self._failing = FailingDisk(f"world {next(NUMBER)}")
        self.state = self._state
        self._store = InlineSqlite(self, self.path, self._failing.name)
        return self._store

    @property
    def state(self) -> str:
        return self._state

    @state.setter
    def state(self, state: str) -> None:
        self._state = state
        self._failing.full = state == FULL
        self._failing.failing = state == FAILING

    def crash(self) -> None:
        """The server is killed, or the power is cut."""
        after = self.folder / str(int(self.path.parent.name) + 1)
        after.mkdir()
        if self.luck.random() < 0.5:
            self._failing.cut(self.luck, after)
        else:
            for each in self.path.parent.iterdir():
                if not each.name.endswith("-shm"):
                    shutil.copy(each, after)
            self._failing.off = True
        self._store.writer.asked = []
        self._store.close()
        shutil.rmtree(self.path.parent)
        self.path = after / self.path.name

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def appended(self, batch: Batch) -> None:
        self.written(batch.summary.name, batch.rows)

    def were_deleted(self, names: Sequence[str]) -> None:
        there = {summary.name for summary, _ in logs(self.path)}
        self.deleted.update(name for name in names if name not in there)

    def size(self, name: str) -> int:
        """How many rows of a table are there; a write that failed may have taken effect."""
        found = self._store.table(name)
        return len(found[1]) if found else 0

    def phases(self) -> dict[str, str]:
        return {summary.name: summary.phase for summary, _ in self.logs()}

    def logs(self) -> Iterable[tuple[Summary, list[LogRow]]]:
        found = list(logs(self.path))
        self.deleted |= self.doubtful - {summary.name for summary, _ in found}
        return found
