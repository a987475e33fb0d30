"""The store of tables in an SQLite file: it reads by one connection, and has a writer change the file by another."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from .edits import OLD, Edits
from .notes import BEAT, SINCE, count_unrevealed, read_unrevealed, write_numbers
from .opening import look_through, prepare
from .reading import LINE, Unreadable, good_lines, logs, read_table
from .rows import Damaged, LogRow
from .schema import NONSENSE, SCHEMA, connect, select
from .store import DELETED, GONE, PURGED, Alone, Batch, Stamps, Summary, Unrevealed, Window
from .table import OVER
from .writer import Writer

__all__ = ["SqliteStore", "logs"]

note = logging.getLogger("parlour.store")


class SqliteStore(Alone):
    """Tables in one file, as store.py describes a store."""

    def __init__(self, path: Path, vfs: str | None = None, on_failure: Callable[[], None] | None = None) -> None:
        self._damaged: dict[str, str] = {}
        self._reading = threading.Lock()
        prepare(path, vfs)
        self._edits = Edits()
        self.writer = self._writer_of(path, vfs)
        self.writer.on_failure = on_failure
        self._stamps, damaged = look_through(self.writer.connection)
        for name, why in damaged.items():
            self.set_apart(name, why)
        self._reader = connect(path, vfs, readonly=True)
        self.writer.start()
        unfinished = [each.name for each in self._summaries("phase = ?", GONE)]
        if unfinished:  # the last process ended while it deleted them
            self.delete(unfinished)

    def _writer_of(self, path: Path, vfs: str | None) -> Writer:
        return Writer(path, vfs, self._edits, self._reading)

    @property
    def on_failure(self) -> Callable[[], None] | None:
        """Called when nothing more can be stored before a new start; at once where that is so already."""
        return self.writer.on_failure

    @on_failure.setter
    def on_failure(self, called: Callable[[], None] | None) -> None:
        self.writer.on_failure = called
        if called is not None and self.writer.has_failed:  # before anyone could be told
            called()

    # writing, as asked for by any thread

    def append(self, batch: Batch) -> Future[None]:
        return self.writer.ask(lambda connection: self._edits.append(connection, batch))

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: self._edits.mark(connection, names, old, now))

    def unmark(self, after: int, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: self._edits.unmark(connection, after, now))

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        return self._delete("name = ?", names, why, int(time.time()) if now is None else now)

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        return self._delete("name = ? AND deleted IS NOT NULL", names, PURGED, now)

    def _delete(self, which: str, names: Sequence[str], why: str, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: self._edits.delete(connection, which, names, why, now), wipes=True)

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        self._stamps = self._stamps._replace(beat=beat, since=since, doubtful=False)
        return self.writer.ask(lambda connection: write_numbers(connection, [(BEAT, beat), (SINCE, since)]))

    # reading

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        if name in self._damaged:
            raise Damaged(self._damaged[name])
        try:
            with self._reading:
                found = read_table(self._reader, name)
        except Damaged as error:
            if isinstance(error, Unreadable):
                self.writer.doubt()
            self.set_apart(name, str(error))
            raise
        return (found[0].summary, found[1]) if found and found[0].deleted is None else None

    def due(self) -> list[Summary]:
        return self._summaries("due AND deleted IS NULL ORDER BY key")

    def open_tables(self, most: int) -> list[Summary]:
        return self._summaries("open AND deleted IS NULL ORDER BY key DESC LIMIT ?", most)

    def finished(self, since: int, most: int) -> list[str]:
        which = "phase = ? AND deleted IS NULL AND touched >= ? ORDER BY touched DESC LIMIT ?"
        return [each.name for each in self._summaries(which, OVER, since, most)]

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        marks = ", ".join("?" * len(phases))
        return [each.name for each in self._summaries(f"phase IN ({marks}) AND {OLD}", *phases, *old)]

    def marked(self, old: Window) -> list[str]:
        return [each.name for each in self._summaries("deleted < ? OR deleted > ?", *old)]

    def _summaries(self, which: str, *values: Any) -> list[Summary]:
        """The good tables among those that a query finds, without its index where that is damaged."""
        with self._reading:
            try:
                rows = select(self._reader, f"{LINE[SCHEMA]} WHERE {which}", values)
            except NONSENSE:
                self.writer.doubt()
                rows = select(self._reader, f"{LINE[SCHEMA]} NOT INDEXED WHERE {which}", values)
        return [line.summary for line in good_lines(rows)]

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        with self._reading:
            return count_unrevealed(self._reader), read_unrevealed(self._reader, first, most)

    def stamps(self) -> Stamps:
        return self._stamps

    def damaged(self) -> Mapping[str, str]:
        return self._damaged

    def set_apart(self, name: str, why: str) -> None:
        if name not in self._damaged:
            self._damaged[name] = why
            note.error("table %s is damaged and set apart: %s", name, why)

    def healthy(self) -> bool:
        return self.writer.is_well

    def close(self) -> None:
        with self._reading:
            self._reader.close()
        self.writer.close()
