"""The data directory of a server: the file of tables, and the lock by which one server at a time owns it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from .store import StoreError

try:
    import fcntl
except ImportError:  # Windows, where nothing of the server has been tested
    fcntl = None  # type: ignore[assignment]

FILE = "tables.db"


class InUse(StoreError):
    """Another server has the directory; `address` is where it can be found, if that is known."""

    def __init__(self, data: Path, address: str) -> None:
        super().__init__(f"Another server is using {data}.")
        self.address = address


@contextlib.contextmanager
def held(data: Path) -> Iterator[TextIO]:
    """The directory belongs to one server at a time, which writes its address into the lock.

    Where files cannot be locked (Windows), a second server would start; its rows would be refused by the store, which
    never writes over a row.
    """
    data.mkdir(parents=True, exist_ok=True)
    with open(data / "lock", "a+", encoding="utf-8") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                raise InUse(data, file.read().strip()) from None
        file.truncate(0)
        yield file
        file.truncate(0)
