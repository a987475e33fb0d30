"""Reading a damaged file of tables without SQLite: every row is found by its shape, wherever it stands."""

from __future__ import annotations

import json
import mmap
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

import apsw

from .notes import Apart, apart_in, unrevealed_in
from .schema import CREATE, connect, line_checksum, note_checksum, row_checksum
from .store import Line, Summary, Unrevealed
from .wal import PAGE, read_wal

# A row begins with its head: how long that is, then the type of every column. These are the types of ours.
ANY = rb"(?:[\x80-\xff]{0,2}[\x00-\x7f])"  # text or bytes, of any length; nothing
NUMBER = rb"[\x01-\x06\x08\x09]"
CHECKSUM, NOTHING = rb"\x1c", rb"\x00"  # the key of a row that has one stands before the row, and in it nothing
LINE = rb"[\x0b-\x0f]" + NOTHING + ANY * 3 + NUMBER * 3 + ANY + NUMBER + CHECKSUM
LOG = rb"[\x07-\x0d]" + NUMBER * 2 + ANY * 3 + CHECKSUM
META = rb"[\x04-\x05]" + ANY + NUMBER + CHECKSUM
UNREVEALED = rb"[\x08-\x0e]" + NOTHING + ANY * 3 + NUMBER + ANY + CHECKSUM
APART = rb"[\x06-\x0a]" + NOTHING + ANY * 2 + NUMBER + CHECKSUM
NUMBER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
LONGEST_VARINT = 9


class Text(bytes):
    """Text, as it is stored."""


class Found(NamedTuple):
    """How many rows a scan found."""

    tables: int
    rows: int
    notes: int


class Image:
    """The bytes of a file of tables, as its pages were when the last transaction was committed."""

    def __init__(self, content: mmap.mmap | bytes) -> None:
        self.content = content

    def rows(self, shape: bytes, columns: int, keyed: bool) -> Iterator[tuple[Any, ...]]:
        """Everything that has the shape of a row; where rows have a key, it comes first."""
        for match in re.finditer(rb"(?=" + shape + rb")", self.content, re.DOTALL):
            start = match.start()
            row = self.row_at(start, PAGE - 35 if keyed else (PAGE - 12) * 64 // 255 - 23)
            if row is not None and len(row) == columns:
                yield (self.key_before(start), *row[1:]) if keyed else row

    def row_at(self, start: int, local: int) -> tuple[Any, ...] | None:
        """The row at a place, of which at most so many bytes are in its page; None where there can be none."""
        end = start + self.content[start]
        place, types = start + 1, []
        while place < end:
            kind, place = self.varint(place)
            types.append(kind)
        sizes = [NUMBER_BYTES.get(kind, 0) if kind < 12 else (kind - 12) // 2 for kind in types]
        payload = self.payload(start, end - start + sum(sizes), local) if place == end else None
        if payload is None:
            return None
        row: list[Any] = []
        place = end - start
        for kind, size in zip(types, sizes, strict=True):
            part = payload[place : place + size]
            place += size
            if kind in (8, 9):
                row.append(kind - 8)
            elif kind < 12:
                row.append(int.from_bytes(part, "big", signed=True) if kind in NUMBER_BYTES else None)
            else:
                row.append(Text(part) if kind % 2 else part)
        return tuple(row)

    def payload(self, start: int, size: int, local: int) -> bytes | None:
        """So many bytes from a place on: those that do not fit there are in a chain of other pages."""
        least = (PAGE - 12) * 32 // 255 - 23
        here = size
        if size > local:
            here = least + (size - least) % (PAGE - 4)
            here = here if here <= local else least
        if start % PAGE + here > PAGE or size > len(self.content):
            return None
        parts, place, left = [self.content[start : start + here]], start + here, size - here
        while left > 0:
            page = int.from_bytes(self.content[place : place + 4], "big")
            if not 1 < page <= len(self.content) // PAGE:
                return None
            place = (page - 1) * PAGE
            parts.append(self.content[place + 4 : place + 4 + min(left, PAGE - 4)])
            left -= PAGE - 4
        return b"".join(parts)

    def key_before(self, start: int) -> int:
        """The number that stands before a place: bytes of seven bits, of which all but the last are marked."""
        first = start - 1
        while first > max(0, start - LONGEST_VARINT) and self.content[first - 1] & 0x80:
            first -= 1
        return self.varint(first)[0]

    def varint(self, place: int) -> tuple[int, int]:
        """A number of variable length, and the place behind it."""
        value = 0
        while place < len(self.content):
            byte = self.content[place]
            value, place = value << 7 | byte & 0x7F, place + 1
            if not byte & 0x80:
                break
        return value, place

    # the rows of each table of the file, as far as they are as they were written

    def lines(self) -> Iterator[tuple[Line, bytes]]:
        for key, name, secret, phase, is_open, due, touched, deleted, size, checksum in self.rows(LINE, 10, keyed=True):
            try:
                summary = Summary(name.decode(), secret, phase.decode(), bool(is_open), bool(due), touched)
                if checksum == line_checksum(key, summary, deleted, size):
                    yield Line(key, summary, size, deleted), checksum
            except (AttributeError, TypeError, UnicodeError):
                continue

    def numbers(self) -> Iterator[tuple[str, int, bytes]]:
        for name, value, checksum in self.rows(META, 3, keyed=False):
            if isinstance(name, Text) and checksum == note_checksum("meta", (value,), name):
                yield name.decode(errors="replace"), value, checksum

    def unrevealed(self) -> Iterator[tuple[int, Unrevealed, bytes]]:
        for row in self.rows(UNREVEALED, 7, keyed=True):
            sitting = unrevealed_in(row)
            if sitting is not None:
                yield row[0], sitting, row[-1]

    def apart(self) -> Iterator[tuple[int, Apart, bytes]]:
        for row in self.rows(APART, 5, keyed=True):
            table = apart_in(row)
            if table is not None:
                yield row[0], table, row[-1]


def scan(path: Path, folder: Path) -> tuple[Path, Found]:
    """Write all good rows of a damaged file, and of its write-ahead log, to a new file in a folder."""
    copy, to = folder / "image", folder / "found"
    if path.exists():
        shutil.copyfile(path, copy)
    pages = read_wal(path.with_name(path.name + "-wal")).pages
    with open(copy, "r+b" if path.exists() else "w+b") as file:
        more = list(pages.more)
        for number in pages.doubtful & pages.placed.keys():
            file.seek((number - 1) * PAGE)
            more.append(file.read(PAGE))
        for number, content in pages.placed.items():
            file.seek((number - 1) * PAGE)
            file.write(content)
        end = file.seek(0, 2)
        file.seek(-(-end // PAGE) * PAGE)
        file.writelines(more)
        if file.tell() == 0:
            return to, Found(0, 0, 0)
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image, closing(connect(to)) as new:
            new.execute("PRAGMA synchronous = OFF")
            new.execute("PRAGMA foreign_keys = OFF")  # rows of a lost line are written, too
            new.execute("BEGIN")
            new.execute(CREATE)
            found = write_found(Image(image), new)
            new.execute("COMMIT")
    return to, found


def could_be(number: int, entry: bytes) -> bool:
    """Whether something with the shape of a row of a log can be one, where no line is left to check it by."""
    try:
        read = json.loads(entry.decode())
    except (ValueError, RecursionError):
        return False
    return number >= 0 and isinstance(read, list) and bool(read) and isinstance(read[0], str)


def write_found(image: Image, new: apsw.Connection) -> Found:
    """Write the good rows of an image to a new file; of a table whose line is lost, all that could be its rows."""
    lines: dict[int, tuple[Line, bytes]] = {}
    for line, checksum in image.lines():
        if line.key not in lines or lines[line.key][0].size <= line.size:
            lines[line.key] = line, checksum
    for (key, summary, size, deleted), checksum in lines.values():
        new.execute(
            "INSERT OR IGNORE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, *summary, deleted, size, checksum),
        )
    names = {key: line.summary.name.encode() for key, (line, _) in lines.items()}
    rows = notes = 0
    for key, number, entry, action, head, checksum in image.rows(LOG, 6, keyed=False):
        if not isinstance(entry, Text) or not all(type(each) in (bytes, NoneType) for each in (action, head)):
            continue
        good = key in names and checksum == row_checksum(names[key], number, bytes(entry), action, head)
        if good or (key not in names and could_be(number, entry)):
            how = "REPLACE" if good else "IGNORE"
            values = (key, number, bytes(entry), action, head, checksum)
            new.execute(f"INSERT OR {how} INTO log VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?)", values)
            rows += 1
    for name, value, checksum in sorted(image.numbers(), key=lambda number: number[1]):
        new.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (name, value, checksum))
        notes += 1
    for key, sitting, checksum in image.unrevealed():
        new.execute("INSERT OR REPLACE INTO unrevealed VALUES (?, ?, ?, ?, ?, ?, ?)", (key, *sitting, checksum))
        notes += 1
    for key, table, checksum in image.apart():
        new.execute("INSERT OR REPLACE INTO damaged VALUES (?, ?, ?, ?, ?)", (key, *table, checksum))
        notes += 1
    return Found(len(lines), rows, notes)
