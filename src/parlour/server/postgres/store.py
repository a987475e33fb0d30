"""The store of tables in PostgreSQL. Each table belongs to one process at a time, which alone adds to its log."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import psycopg

from ...engine.messages import say
from ..reading import good_lines, read_line, read_row
from ..rows import Damaged, LogRow
from ..schema import commitment_of
from ..store import DELETED, PURGED, Batch, Elsewhere, Line, Stamps, StoreError, Summary, Unrevealed, Unsure, Window
from ..table import OVER, PLAYING
from .deadline import within
from .lease import Lease
from .schema import connect, first_line, prepare
from .statements import (
    CLAIM,
    CLAIM_ONE,
    DELETE,
    FREE,
    LINE,
    LOG,
    OWNER,
    RELEASE,
    SET_LINE,
    Append,
    checksum_of,
    columns,
)
from .writer import ANSWER_SECONDS, Writer

BEAT, SINCE = "beat", "since"
SET_NUMBER = "INSERT INTO parlour_meta VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
OLD = "(touched < %s OR touched > %s) AND deleted IS NULL"
BUSY = say("table busy", "The table is just being taken over by another server; ask again.")

note = logging.getLogger("parlour.store")


class PostgresStore:
    """Tables in a database, as store.py describes a store."""

    def __init__(self, url: str, address: str = "") -> None:
        self._url = url
        self._reading = threading.Lock()
        self._reader: psycopg.Connection[Any] | None = connect(url)
        prepare(self._reader)
        self._epochs: dict[str, int] = {}  # of the tables that this process has claimed
        self._damaged: dict[str, str] = {}
        self.claims = 0
        self.lease = Lease(url, address)
        self.lease.start()
        self.writer = Writer(url, self.lease)
        self.writer.start()
        numbers = dict(self._select("SELECT name, value FROM parlour_meta"))
        newest = self._select("SELECT coalesce(max(touched), 0) FROM parlour_tables")[0][0]
        self._stamps = Stamps(newest, numbers.get(BEAT, 0), numbers.get(SINCE, 0))

    # writing, as asked for by any thread

    def append(self, batch: Batch) -> Future[None]:
        name = batch.summary.name
        if batch.rows[0].number == 0:
            self._epochs[name] = 1
            return self.writer.ask(batch)
        return self.writer.ask(Append(self._epochs.get(name, -1), batch))

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: self._mark(connection, names, old, now))

    def _mark(self, connection: psycopg.Connection[Any], names: Sequence[str], old: Window, now: int) -> None:
        which = f"name = ANY(%s) AND {OLD} AND {FREE}"
        for line in good_lines(
            connection.execute(f"{LINE} WHERE {which}", (list(names), *old, self.lease.node)).fetchall()
        ):
            set_line(connection, line, line._replace(deleted=now))

    def unmark(self, after: int, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: self._unmark(connection, after, now))

    def _unmark(self, connection: psycopg.Connection[Any], after: int, now: int) -> None:
        for line in good_lines(connection.execute(f"{LINE} WHERE deleted > %s", (after,)).fetchall()):
            set_line(connection, line, line._replace(deleted=None, summary=line.summary._replace(touched=now)))

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        return self._delete("name = ANY(%s)", names, why, int(time.time()) if now is None else now)

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        return self._delete("name = ANY(%s) AND deleted IS NOT NULL", names, PURGED, now)

    def _delete(self, which: str, names: Sequence[str], why: str, now: int) -> Future[None]:
        return self.writer.ask(lambda connection: delete(connection, which, names, why, now))

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        self._stamps = self._stamps._replace(beat=beat, since=since)

        def noted(connection: psycopg.Connection[Any]) -> None:
            for name, value in ((BEAT, beat), (SINCE, since)):
                connection.execute(SET_NUMBER, (name, value))

        return self.writer.ask(noted)

    # owning

    def claim(self, names: Sequence[str], force: bool = False) -> list[str]:
        """Become the owner of tables that nobody owns who lives; their names. `force` takes them from others, too."""
        with self._reading:
            how = CLAIM if len(names) > 1 else CLAIM_ONE
            rows = self._execute(how, {"node": self.lease.node, "names": list(names), "force": force})
        self._epochs.update(rows)
        self.claims += len(rows)
        return [name for name, _ in rows]

    @property
    def term(self) -> int:
        if not self.lease.holds():
            raise Unsure(BUSY)
        return self.lease.lost

    @property
    def shared(self) -> bool:
        return True

    def lost(self, names: Sequence[str]) -> list[str]:
        which = "name = ANY(%s) AND owner = %s AND deleted IS NULL"
        rows = self._select(f"SELECT name, epoch FROM parlour_tables WHERE {which}", list(names), self.lease.node)
        mine = dict(rows)
        return [name for name in names if mine.get(name) != self._epochs.get(name)]

    def release(self, names: Sequence[str]) -> Future[None]:
        mine = [(name, self._epochs.pop(name)) for name in names if name in self._epochs]
        values = (*columns(mine, 2), self.lease.node)

        def released(connection: psycopg.Connection[Any]) -> None:
            connection.execute(RELEASE, values)

        return self.writer.ask(released)

    def orphans(self) -> list[str]:
        """Tables at which something is due, and whose owner is gone."""
        which = f"due AND deleted IS NULL AND owner IS NOT NULL AND {FREE} AND owner <> %s"
        return [
            name for (name,) in self._select(f"SELECT name FROM parlour_tables WHERE {which}", *[self.lease.node] * 2)
        ]

    def nodes(self) -> list[tuple[str, str]]:
        """The processes that live, with their addresses."""
        return self._select("SELECT id, address FROM parlour_nodes WHERE until > clock_timestamp() ORDER BY id")

    def give_up(self) -> None:
        """Store nothing more, and leave all tables to others."""
        self.lease.give_up()

    # reading

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        if name in self._damaged:
            raise Damaged(self._damaged[name])
        if not self.lease.holds():
            raise Unsure(BUSY)
        if not self.claim([name]):
            owner = self._select(OWNER, name)
            if not owner:
                return None
            node, address = owner[0]
            if address is None or node == self.lease.node:
                raise Unsure(BUSY)
            raise Elsewhere("" if address == self.lease.address else address)
        return self.peek(name)

    def peek(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log as it is stored now, whoever owns it."""
        try:
            found = read_table(self, name)
        except Damaged as error:
            if not self._select("SELECT 1 FROM parlour_tables WHERE name = %s", name):
                return None  # it was deleted in the meantime
            self.set_apart(name, str(error))
            raise
        return (found[0].summary, found[1]) if found and found[0].deleted is None else None

    def due(self) -> list[Summary]:
        return self._summaries(f"due AND deleted IS NULL AND {FREE} ORDER BY name", self.lease.node)

    def open_tables(self, most: int) -> list[Summary]:
        return self._summaries("open AND deleted IS NULL ORDER BY touched DESC, name LIMIT %s", most)

    def finished(self, since: int, most: int) -> list[str]:
        which = "phase = %s AND deleted IS NULL AND touched >= %s ORDER BY touched DESC LIMIT %s"
        return [each.name for each in self._summaries(which, OVER, since, most)]

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        which = f"phase = ANY(%s) AND {OLD} AND {FREE} ORDER BY name"
        return [each.name for each in self._summaries(which, list(phases), *old, self.lease.node)]

    def marked(self, old: Window) -> list[str]:
        return [each.name for each in self._summaries("deleted < %s OR deleted > %s ORDER BY name", *old)]

    def _summaries(self, which: str, *values: Any) -> list[Summary]:
        return [line.summary for line in good_lines(self._select(f"{LINE} WHERE {which}", *values))]

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        count = self._select("SELECT count(*) FROM parlour_unrevealed")[0][0]
        columns = "commitment, game, opened, gone, why"
        order = "ORDER BY gone DESC, commitment LIMIT %s OFFSET %s"
        rows = self._select(f"SELECT {columns} FROM parlour_unrevealed {order}", None if most < 0 else most, first)
        return count, [Unrevealed(*row) for row in rows]

    def stamps(self) -> Stamps:
        return self._stamps

    def damaged(self) -> Mapping[str, str]:
        return self._damaged

    def set_apart(self, name: str, why: str) -> None:
        if name not in self._damaged:
            self._damaged[name] = why
            note.error("table %s is damaged and set apart: %s", name, why)

    def figures(self) -> dict[str, float]:
        writer = self.writer
        within = {f'commits{{within="{bound:g}"}}': count for bound, count in writer.cumulated()}
        return {
            "claims_total": self.claims,
            "tables_lost_total": writer.lost,
            "lease_lapses_total": self.lease.lost,
            "lease_held": int(self.lease.holds()),
            "tables_claimed": len(self._epochs),
            "batches_total": writer.batches,
            "batch_tables_total": writer.appended,
            **within,
            "commit_seconds_total": round(writer.commit_seconds, 3),
        }

    def health(self) -> dict[str, Any]:
        """Whether this process holds its lease, under which name and address, and how many tables it has."""
        lease = self.lease
        return {"node": lease.node, "address": lease.address, "lease": lease.holds(), "tables": len(self._epochs)}

    def healthy(self) -> bool:
        return self.writer.is_well and self.lease.holds()

    def close(self) -> None:
        self.writer.close()
        self.lease.give_up()
        with self._reading:
            self._disconnect()

    # the connection that reads

    def _select(self, query: str, *values: Any) -> list[Any]:
        with self._reading:
            return self._execute(query, values)

    def _execute(self, query: str, values: Any) -> list[Any]:
        """Ask the database; once more where the connection was lost meanwhile."""
        for last in (False, True):
            try:
                if self._reader is None or self._reader.closed:
                    self._reader = connect(self._url)
                with within(self._reader, ANSWER_SECONDS):
                    return self._reader.execute(query, values).fetchall()
            except psycopg.Error as error:
                self._disconnect()
                if last or not isinstance(error, psycopg.OperationalError):
                    raise StoreError(f"The database cannot be read: {first_line(error)}.") from None
        raise AssertionError

    def _disconnect(self) -> None:
        if self._reader is not None:
            with suppress(psycopg.Error):
                self._reader.close()
            self._reader = None


def read_table(store: PostgresStore, name: str) -> tuple[Line, list[LogRow]] | None:
    """A table by its name, with its log up to where its line says; one that is not as it was written raises Damaged."""
    found = store._select(f"{LINE} WHERE name = %s", name)
    return None if not found else (line := read_line(found[0]), log_of(name, line.size, store._select(LOG, name)))


def log_of(name: str, size: int, rows: Sequence[Any]) -> list[LogRow]:
    """The first rows of a log, from what is stored of it; later ones may have come since its line was read."""
    encoded, before = name.encode(), 0
    found: list[LogRow] = []
    for *row, epoch in rows[:size]:
        read = read_row(encoded, tuple(row))
        if read is None or read.number != len(found) or epoch < before:
            raise Damaged(f"row {len(found)} of its log is missing or not as it was written")
        found.append(read)
        before = epoch
    if len(found) < size:
        raise Damaged(f"row {len(found)} of its log is missing or not as it was written")
    return found


def set_line(connection: psycopg.Connection[Any], line: Line, later: Line) -> None:
    """Change the line of a table, unless something has happened there in the meantime."""
    summary = later.summary
    values = (later.deleted, summary.touched, checksum_of(summary, later.deleted, later.size))
    connection.execute(SET_LINE, (*values, summary.name, line.size, line.summary.touched, line.deleted))


def delete(connection: psycopg.Connection[Any], which: str, names: Sequence[str], why: str, now: int) -> None:
    """Delete tables with their logs; what of them was never revealed is noted in the same transaction."""
    lines = good_lines(connection.execute(f"{LINE} WHERE {which}", (list(names),)).fetchall())
    notes = []
    for line in lines:
        if line.summary.phase == PLAYING:
            first = connection.execute(f"{LOG} LIMIT 1", (line.summary.name,)).fetchall()
            settings = log_of(line.summary.name, 1, first)[0].entry[1]
            commitment = commitment_of(line.summary.secret)
            notes.append((line.summary.name, commitment, settings["game"], settings["opened"], now, why))
    found = [(line.summary.name, line.size) for line in lines]
    connection.execute(DELETE, (*columns(found, 2), *columns(notes, 6)))
