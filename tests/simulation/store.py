"""A store in memory for a simulated server, with a disk that is slow, full or failing, as disks are."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future

from parlour.server.rows import LogRow
from parlour.server.schema import commitment_of, entry_text
from parlour.server.store import (
    DELETED,
    PURGED,
    Alone,
    Batch,
    Stamps,
    StoreError,
    Summary,
    Unrevealed,
    Unsure,
    Window,
)
from parlour.server.table import OVER, PLAYING

from .loop import VirtualLoop

WELL, FULL, FAILING, SLOW = "well", "full", "failing", "slow"
ANOTHER = "Another has written to this table, or deleted it."


class Disk:
    """What survives when a server is killed: rows as text, as they would be in a file."""

    def __init__(self, loop: VirtualLoop, luck: random.Random) -> None:
        self.loop, self.luck = loop, luck
        self.state = WELL
        self.summaries: dict[str, Summary] = {}
        self.rows: dict[str, list[tuple[int, bytes, bytes | None, bytes | None]]] = {}
        self.marks: dict[str, int] = {}  # tables that are marked as deleted, and when
        self.unrevealed: list[Unrevealed] = []
        self.stamps = Stamps(0, 0, 0)
        self.written: Callable[[str, Sequence[LogRow]], None] = lambda name, rows: None
        self.cleared: Callable[[Sequence[str]], None] = lambda names: None
        self.syncing: list[Callable[[], bool]] = []  # what is being written at this moment
        self.deleted: set[str] = set()

    def open(self) -> SimulatedStore:
        newest = max((each.touched for each in self.summaries.values()), default=0)
        self.stamps = self.stamps._replace(newest=newest)
        return SimulatedStore(self)

    def size(self, name: str) -> int:
        """How many rows of a table are safe."""
        return len(self.rows.get(name, ()))

    def crash(self) -> None:
        """The server is killed: what was being written is there, or is not."""
        if self.syncing and self.luck.random() < 0.5:
            for work in self.syncing:
                work()
        self.syncing = []

    def append(self, batch: Batch) -> bool:
        """Write rows; False where they do not fit what is there."""
        summary, rows = batch
        there = self.rows.get(summary.name)
        if there is None:
            if rows[0].number != 0:
                return False
            there = self.rows[summary.name] = []
        if rows[0].number != len(there) or summary.name in self.marks:
            return False
        self.summaries[summary.name] = summary
        there.extend((row.number, entry_text(row.entry), row.action, row.head) for row in rows)
        self.written(summary.name, rows)
        return True

    def delete(self, names: Sequence[str], why: str, now: int) -> bool:
        for name in names:
            if name in self.summaries and (why != PURGED or name in self.marks):
                summary, settings = self.summaries.pop(name), self.log(name)[0].entry[1]
                if summary.phase == PLAYING:
                    commitment = commitment_of(summary.secret)
                    self.unrevealed.append(Unrevealed(commitment, settings["game"], settings["opened"], now, why))
                del self.rows[name]
                self.marks.pop(name, None)
                self.deleted.add(name)
        return True

    def mark(self, names: Sequence[str], old: Window, now: int) -> bool:
        there = (self.summaries[name] for name in names if name in self.summaries and name not in self.marks)
        self.marks.update((each.name, now) for each in there if is_old(each.touched, old))
        return True

    def unmark(self, after: int, now: int) -> bool:
        for name in [name for name, marked in self.marks.items() if marked > after]:
            del self.marks[name]
            self.summaries[name] = self.summaries[name]._replace(touched=now)
        return True

    def set_stamps(self, beat: int, since: int) -> bool:
        self.stamps = self.stamps._replace(beat=beat, since=since)
        return True

    def unmarked(self) -> list[Summary]:
        """The tables that players can find."""
        return [summary for name, summary in self.summaries.items() if name not in self.marks]

    def logs(self) -> Iterable[tuple[Summary, list[LogRow]]]:
        """Every table with its log."""
        for name, summary in self.summaries.items():
            yield summary, self.log(name)

    def phases(self) -> dict[str, str]:
        return {name: summary.phase for name, summary in self.summaries.items()}

    def clear(self) -> None:
        """Nothing is left of it."""

    def log(self, name: str) -> list[LogRow]:
        return [LogRow(number, json.loads(text), action, head) for number, text, action, head in self.rows[name]]


def is_old(stamp: int, old: Window) -> bool:
    return stamp < old.before or stamp > old.after


class SimulatedStore(Alone):
    """The store of one start of the server."""

    on_failure: Callable[[], None] | None = None

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._waiting: list[tuple[Callable[[], bool], Future[None]]] = []
        self._busy = False
        self._well = True
        self._failed = False
        self._damaged: dict[str, str] = {}
        self._finish: Callable[[], None] | None = None  # what is being written

    def append(self, batch: Batch) -> Future[None]:
        return self._ask(lambda: self.disk.append(batch))

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        return self._ask(lambda: self.disk.delete(names, why, now or 0))

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        self.disk.cleared(names)
        return self._ask(lambda: self.disk.delete(names, PURGED, now))

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        self.disk.cleared(names)
        return self._ask(lambda: self.disk.mark(names, old, now))

    def unmark(self, after: int, now: int) -> Future[None]:
        return self._ask(lambda: self.disk.unmark(after, now))

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        return self._ask(lambda: self.disk.set_stamps(beat, since))

    def _ask(self, work: Callable[[], bool]) -> Future[None]:
        done: Future[None] = Future()
        self._waiting.append((work, done))
        if not self._busy:
            self._busy = True
            self._later(self._begin, 0.0005)
        return done

    def _later(self, work: Callable[[], None], seconds: float) -> None:
        slow = 1000 if self.disk.state == SLOW else 1
        self.disk.loop.call_later(slow * self.disk.luck.expovariate(1 / seconds), work)

    def _begin(self) -> None:
        """Write some of what waits, and sync it."""
        disk = self.disk
        count = disk.luck.randint(1, len(self._waiting)) if disk.luck.random() < 0.2 else len(self._waiting)
        batch, self._waiting = self._waiting[:count], self._waiting[count:]
        fails = self._failed or disk.state == FULL or (disk.state == FAILING and disk.luck.random() < 0.7)
        took_effect = not fails or (not self._failed and disk.state == FAILING and disk.luck.random() < 0.5)
        breaks = fails and not self._failed and disk.state == FAILING
        disk.syncing = [work for work, _ in batch] if took_effect else []

        def finish() -> None:
            if self._finish is not finish:
                return  # it was finished at once, as the store was closed
            self._finish = None
            disk.syncing = []
            fitted = [work() for work, _ in batch] if took_effect else []
            self._well = not fails
            self._failed |= breaks
            if breaks and self.on_failure is not None:
                self.on_failure()
            for number, (_, done) in enumerate(batch):
                if fails:
                    done.set_exception(Unsure("It could not be stored; ask again later."))
                elif fitted[number]:
                    done.set_result(None)
                else:
                    done.set_exception(StoreError(ANOTHER))
            self._busy = bool(self._waiting)
            if self._busy:
                self._later(self._begin, 0.0005)

        self._finish = finish
        self._later(finish, 0.003)

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        if name not in self.disk.summaries or name in self.disk.marks:
            return None
        return self.disk.summaries[name], self.disk.log(name)

    def due(self) -> list[Summary]:
        return [each for each in self.disk.unmarked() if each.due]

    def open_tables(self, most: int) -> list[Summary]:
        return [each for each in reversed(self.disk.unmarked()) if each.open][:most]

    def finished(self, since: int, most: int) -> list[str]:
        found = [each for each in self.disk.unmarked() if each.phase == OVER and each.touched >= since]
        return [each.name for each in sorted(found, key=lambda each: -each.touched)][:most]

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        return [each.name for each in self.disk.unmarked() if each.phase in phases and is_old(each.touched, old)]

    def marked(self, old: Window) -> list[str]:
        return [name for name, stamp in self.disk.marks.items() if is_old(stamp, old)]

    def stamps(self) -> Stamps:
        return self.disk.stamps

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        return len(self.disk.unrevealed), self.disk.unrevealed[::-1][first : first + most]

    def damaged(self) -> Mapping[str, str]:
        return self._damaged

    def set_apart(self, name: str, why: str) -> None:
        self._damaged[name] = why

    def healthy(self) -> bool:
        return self._well

    def close(self) -> None:
        """Finish what was asked for."""
        while self._finish is not None or self._waiting:
            if self._finish is None:
                self._begin()
            else:
                self._finish()
