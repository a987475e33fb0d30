"""A file layer for tests whose power can be cut: what was not synced is then lost, all of it or some."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw


class Disk(apsw.VFS):
    """Files as they are, beside what of them is safe. Each disk has a name, by which SQLite asks for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.safe: dict[str, bytes] = {}  # the content at the last sync
        self.unsynced: dict[str, list[tuple[int, bytes]]] = {}
        self.off = False
        self.full = False  # nothing more can be written
        self.failing = False  # nothing can be synced
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        if self.off:
            raise apsw.IOError("the power is off")
        super().xDelete(filename, syncdir)
        self.safe.pop(filename, None)
        self.unsynced.pop(filename, None)

    def cut(self, luck: random.Random) -> None:
        """Cut the power: of what was not synced any part may have reached the disk, in any order."""
        self.off = True
        for path, writes in self.unsynced.items():
            content = bytearray(self.safe.get(path, b""))
            kept = [write for write in writes if luck.random() < 0.5]
            luck.shuffle(kept)
            for offset, data in kept:
                data = data[: luck.choice((len(data), len(data), len(data) // 2))]
                content.extend(bytes(max(0, offset + len(data) - len(content))))
                content[offset : offset + len(data)] = data
            Path(path).write_bytes(content)


class DiskFile(apsw.VFSFile):
    """One file of a disk."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        self.path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)
        super().__init__("", name, flags)
        if Path(self.path).exists():
            disk.safe.setdefault(self.path, Path(self.path).read_bytes())

    def powered(self) -> None:
        if self.disk.off:
            raise apsw.IOError("the power is off")

    def xWrite(self, data: bytes, offset: int) -> None:
        self.powered()
        if self.disk.full:
            raise apsw.FullError("the disk is full")
        self.disk.unsynced.setdefault(self.path, []).append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self.powered()
        if self.disk.failing:
            raise apsw.IOError("it cannot be synced")
        super().xSync(flags)
        self.disk.safe[self.path] = Path(self.path).read_bytes()
        self.disk.unsynced[self.path] = []

    def xTruncate(self, size: int) -> None:
        self.powered()
        super().xTruncate(size)
        self.disk.unsynced.setdefault(self.path, [])
        self.disk.safe[self.path] = self.disk.safe.get(self.path, b"")[:size]
