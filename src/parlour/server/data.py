"""The data directory of a server: its files, which are for one user alone, and the lock by which one server owns it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from .store import StoreError

try:
    import fcntl
except ImportError:  # Windows, where nothing of the server has been tested
    fcntl = None  # type: ignore[assignment]

FILE = "tables.db"
KEYS = "signing"  # how the files of the keys begin
PUSH_KEY = "push.key"
COPIED_BYTES = 1 << 20


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
    with private_files():
        data.mkdir(parents=True, exist_ok=True)
        with open(data / "lock", "a+", encoding="utf-8", errors="replace") as file:
            if fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    file.seek(0)
                    raise InUse(data, file.read().strip()) from None
            make_private(data)
            file.truncate(0)
            yield file
            file.truncate(0)


@contextlib.contextmanager
def shared(data: Path) -> Iterator[TextIO]:
    """The directory of several servers, which have only a key there; for one at a time, until the file is closed."""
    with private_files():
        data.mkdir(parents=True, exist_ok=True)
        with open(data / f"{KEYS}.lock", "a+", encoding="utf-8") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            make_private(data)
            yield file


@contextlib.contextmanager
def private_files() -> Iterator[None]:
    """Files that are made within are for this user alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def make_private(data: Path) -> None:
    """Take the directory and the files of tables from all other users, where an earlier version let them read."""
    files = (data / "lock", *data.glob(f"{FILE}*"), *data.glob(f"{KEYS}.*"), *data.glob(f"{PUSH_KEY}*"))
    for path, mode in ((data, 0o700), *((each, 0o600) for each in files)):
        with contextlib.suppress(OSError):  # it belongs to another user, who gave it to us
            path.chmod(mode)


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_again(path: Path) -> None:
    """Write a file over itself and sync it.

    When a sync fails, Linux may show pages as written that never reached the disk, and the next sync does not know of
    them. What is written again is synced again. Other processes may have the file open, so it is not replaced.
    """
    if not path.exists():
        return
    with open(path, "r+b", buffering=0) as file:
        while part := file.read(COPIED_BYTES):
            file.seek(-len(part), os.SEEK_CUR)
            while part:
                part = part[file.write(part) :]
        os.fsync(file.fileno())
    sync(path.parent)
