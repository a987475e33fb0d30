"""A line between a server and its database that can be cut, in either direction, at any moment."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Cuttable:
    """Passes what comes to a port on to a Unix socket, and back, as long as it is whole."""

    def __init__(self, to: str) -> None:
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._whole = threading.Event()
        self._whole.set()
        self._answers = threading.Event()  # what the database says passes
        self._answers.set()
        self._open: list[socket.socket] = []
        self._over = False
        threading.Thread(target=self._take, daemon=True).start()

    def __enter__(self) -> Cuttable:
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self.mend()
        self._listening.close()
        self._close_all()

    def cut(self, how: str) -> None:
        """`close` ends all connections, `answers` stops what comes back, `silence` stops everything."""
        if how == "close":
            self._close_all()
        elif how == "answers":
            self._answers.clear()
        else:
            self._answers.clear()
            self._whole.clear()

    def mend(self) -> None:
        """What goes through from now on passes; connections that were cut are gone."""
        if not (self._whole.is_set() and self._answers.is_set()):
            self._close_all()
        self._whole.set()
        self._answers.set()

    def _close_all(self) -> None:
        ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _take(self) -> None:
        while not self._over:
            try:
                client, _ = self._listening.accept()
                database = socket.socket(socket.AF_UNIX)
                database.connect(self._to)
            except OSError:
                continue
            self._open += [client, database]
            for source, to, gate in ((client, database, self._whole), (database, client, self._answers)):
                threading.Thread(target=self._pass_on, args=(source, to, gate), daemon=True).start()

    def _pass_on(self, source: socket.socket, to: socket.socket, gate: threading.Event) -> None:
        with suppress(OSError):
            while content := source.recv(65536):
                gate.wait()
                to.sendall(content)
        for end in (source, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
