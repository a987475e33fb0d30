"""A bound on waiting for the database: a line on which no answer comes is cut, so that whoever waits goes on."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

LOOKED_SECONDS = 0.5  # between two looks


class Deadlines:
    """Connections that wait for an answer, and until when; watched by a thread of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[psycopg.Connection[Any], float] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def within(self, connection: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
        """Something is asked over a connection, which is cut if it takes longer."""
        with self._lock:
            self._waiting[connection] = time.monotonic() + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="parlour-deadlines", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(connection, None)

    def _watch(self) -> None:
        while True:
            time.sleep(LOOKED_SECONDS)
            now = time.monotonic()
            with self._lock:  # until it is cut, nobody takes the connection away
                for connection in [each for each, until in self._waiting.items() if until < now]:
                    del self._waiting[connection]
                    cut(connection)


def cut(connection: psycopg.Connection[Any]) -> None:
    """End the line under a connection; the thread that waits on it is told that it is closed."""
    with suppress(OSError, psycopg.Error):
        line = socket.socket(fileno=os.dup(connection.fileno()))
        with line:
            line.shutdown(socket.SHUT_RDWR)


within = Deadlines().within
