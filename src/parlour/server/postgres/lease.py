"""The lease of a process: while it is renewed, others leave its tables alone."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg

from ..store import StoreError
from .deadline import within
from .schema import connect, first_line

LEASE_SECONDS = 3.0
RENEWED_SECONDS = 1.0  # between two renewals
NAMESAKE_RENEWALS = 5  # longer than the lease of a process that was killed
SAFETY_SECONDS = 0.5  # before its end at which a process no longer counts on its lease

# A row of `parlour_nodes` for each process. Only the clock of the database counts.
RENEW = """
    INSERT INTO parlour_nodes VALUES (%s, %s, clock_timestamp() + make_interval(secs => %s))
    ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until"""
FORGET = "DELETE FROM parlour_nodes WHERE until < clock_timestamp() - interval '1 day'"
NAMESAKES = "SELECT count(*) FROM parlour_nodes WHERE address = %s AND id <> %s AND until > clock_timestamp()"
RELEASE = "UPDATE parlour_tables SET owner = NULL WHERE owner = %s"
LEAVE = "DELETE FROM parlour_nodes WHERE id = %s"

note = logging.getLogger("parlour.store")


class Lease:
    """Renewed every second by a thread of its own, on a connection of its own.

    It makes takeovers quick. What keeps two processes from writing to one log is the epoch, not the lease.
    """

    def __init__(self, url: str, address: str) -> None:
        self.node = secrets.token_urlsafe(9)
        self.address = address
        self._namesakes = 0  # at how many renewals in a row others had the same address
        self.lost = 0  # how often it had run out before it was renewed
        self._url = url
        self._until = -LEASE_SECONDS  # by the monotonic clock of this process
        self._connection: psycopg.Connection[Any] | None = None
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._renew_on, name="parlour-lease", daemon=True)

    def start(self) -> None:
        """Take the lease, and renew it from now on; StoreError where that fails."""
        self._renew()
        self._thread.start()

    def holds(self, clock: Callable[[], float] = time.monotonic) -> bool:
        """Whether others still leave the tables of this process alone."""
        return clock() < self._until - SAFETY_SECONDS

    def _renew(self) -> None:
        if self._connection is None:
            self._connection = connect(self._url)
        asked = time.monotonic()  # the database counts from a later moment
        with within(self._connection, LEASE_SECONDS):
            self._connection.execute(RENEW, (self.node, self.address, LEASE_SECONDS))
        if self._until > 0 and asked > self._until:
            self.lost += 1
            note.warning("the lease of this process had run out %.1f seconds ago", asked - self._until)
        self._until = asked + LEASE_SECONDS
        self._look_for_namesakes(self._connection)

    def _look_for_namesakes(self, connection: psycopg.Connection[Any]) -> None:
        """Say so where another process that lives has the same address; one that was killed has it for a moment."""
        found = connection.execute(NAMESAKES, (self.address, self.node)).fetchone()
        self._namesakes = self._namesakes + 1 if found and found[0] else 0
        if self._namesakes == NAMESAKE_RENEWALS:
            how = "another server has the same address, %s: give each a --public of its own, or people come to neither"
            note.error(how, self.address)

    def _renew_on(self) -> None:
        while not self._ending.wait(RENEWED_SECONDS):
            try:
                self._renew()
            except (StoreError, psycopg.Error) as error:
                said = first_line(error) if isinstance(error, psycopg.Error) else str(error)
                note.warning("the lease of this process could not be renewed: %s", said)
                self._disconnect()

    def give_up(self) -> None:
        """Leave all tables to others, at once: this process begins nothing new."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()
        self._until = -LEASE_SECONDS
        with suppress(StoreError, psycopg.Error):  # otherwise the lease runs out by itself
            connection = self._connection or connect(self._url)
            self._connection = connection
            connection.execute(RELEASE, (self.node,))
            connection.execute(LEAVE, (self.node,))
            connection.execute(FORGET)
        self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None
