"""A disk for tests that can fail: after a power cut, any part of the writes that were not synced is lost."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import apsw


class Disk(apsw.VFS):
    """Files as they are, and as they were last synced. SQLite asks for a disk by its name."""

    # A write is an offset and bytes; a truncation is an offset and None.

    def __init__(self, name: str) -> None:
        self.name = name
        self.safe: dict[str, bytes] = {}  # the content at the last sync
        self.unsynced: dict[str, list[tuple[int, bytes | None]]] = {}
        self.lock = threading.Lock()  # a power cut comes before or after an operation, not within
        self.off = False
        self.full = False  # nothing more can be written
        self.failing = False  # nothing can be synced,
        self.failing_files: tuple[str, ...] = ()  # or not these files
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        with self.lock:
            self.powered()
            super().xDelete(filename, syncdir)
            self.safe.pop(filename, None)
            self.unsynced.pop(filename, None)

    def powered(self) -> None:
        if self.off:
            raise apsw.IOError("the power is off")

    def cut(self, luck: random.Random, folder: Path) -> None:
        """Cut the power, and put into a folder what the disk then holds.

        Any part of the writes that were not synced may have reached it, in any order. Files that live in memory only
        (the index of the log) are gone; the processes that wrote see the power off for ever.
        """
        with self.lock:
            self.off = True
            for path in sorted(self.safe.keys() | self.unsynced.keys()):
                if path.endswith("-shm"):
                    continue
                content = bytearray(self.safe.get(path, b""))
                survived = [write for write in self.unsynced.get(path, []) if luck.random() < 0.5]
                luck.shuffle(survived)
                for offset, data in survived:
                    if data is None:
                        del content[offset:]
                        continue
                    data = data[: luck.choice((len(data), len(data), len(data) // 2))]
                    content.extend(bytes(max(0, offset + len(data) - len(content))))
                    content[offset : offset + len(data)] = data
                (folder / Path(path).name).write_bytes(content)


class DiskFile(apsw.VFSFile):
    """One file of a disk."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        self.path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)
        super().__init__("", name, flags)
        if Path(self.path).exists():
            disk.safe.setdefault(self.path, Path(self.path).read_bytes())

    def xWrite(self, data: bytes, offset: int) -> None:
        with self.disk.lock:
            self.disk.powered()
            if self.disk.full:
                raise apsw.FullError("the disk is full")
            self.disk.unsynced.setdefault(self.path, []).append((offset, bytes(data)))
            super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        with self.disk.lock:
            self.disk.powered()
            if self.disk.failing or Path(self.path).name in self.disk.failing_files:
                raise apsw.IOError("it cannot be synced")
            super().xSync(flags)
            self.disk.safe[self.path] = Path(self.path).read_bytes()
            self.disk.unsynced[self.path] = []

    def xTruncate(self, size: int) -> None:
        with self.disk.lock:
            self.disk.powered()
            super().xTruncate(size)
            self.disk.unsynced.setdefault(self.path, []).append((size, None))
