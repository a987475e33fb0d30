"""The write-ahead log of SQLite as bytes: its pages, and whether damage in it hides transactions."""

from __future__ import annotations

import struct
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HEAD_BYTES = 32
FRAME_BYTES = 24  # before each page
PAGE = 4096  # bytes; SQLite's usual size, and the only one that was ever written
SALTS = slice(8, 16)  # of a frame: the same in all frames that were written since the log last began anew
SUMS = slice(16, 24)  # of a frame: its checksum, after those of all before it
LOOK_AGAIN_SECONDS = 0.2  # a server that runs has by then finished the frame that it was writing


class Frame(NamedTuple):
    """A page in the log."""

    page: int
    ends: bool  # a transaction
    current: bool  # it was written since the log last began anew
    good: bool  # its checksum follows from that of the frame before
    content: bytes


class Pages(NamedTuple):
    """The pages of a log by their numbers, and others that may have rows which these have lost."""

    placed: dict[int, bytes]
    doubtful: set[int]  # of which the file has another version
    more: list[bytes]


class Log(NamedTuple):
    """The frames of a log, of which SQLite can read so many, and the byte order of its checksums."""

    frames: list[Frame]
    whole: int

    @property
    def hidden(self) -> int:
        """How many transactions stand behind the frames that SQLite can read.

        SQLite stops at the first frame whose checksum is wrong. After a power cut that may be in the last transaction,
        which was not synced and which nobody was told of. Where two or more stand behind it, the log itself is damaged.
        """
        return sum(frame.ends and frame.current for frame in self.frames[self.whole :])

    @property
    def damaged(self) -> bool:
        """Whether the log itself is damaged."""
        return self.hidden > 1

    @property
    def pages(self) -> Pages:
        """The pages as of the last transaction that is whole; of a damaged log, as of the last one."""
        frames = self.frames if self.damaged else self.frames[: self.whole]
        last = max((at for at, frame in enumerate(frames) if frame.ends and frame.current), default=-1)
        found = Pages({}, set(), [])
        known = {frame.page for frame in frames if frame.good}
        for frame in frames[: last + 1]:
            if not frame.good:  # also the number of its page may be wrong
                found.doubtful.add(frame.page)
                found.more.append(found.placed.get(frame.page, frame.content))
            if frame.good or frame.page in known:
                found.placed[frame.page] = frame.content
        return found


def read_wal(path: Path) -> Log:
    """The write-ahead log at a path; one that is missing has no frames."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Log([], 0)
    head = content[:HEAD_BYTES].ljust(HEAD_BYTES, b"\0")
    parts = [
        (content[start : start + FRAME_BYTES], content[start + FRAME_BYTES : start + FRAME_BYTES + PAGE])
        for start in range(HEAD_BYTES, len(content) - FRAME_BYTES - PAGE + 1, FRAME_BYTES + PAGE)
    ]
    sums = struct.unpack(">2I", head[24:])
    order = ">" if head[3] & 1 else "<"
    intact = summed(head[:24], order, (0, 0)) == sums and int.from_bytes(head[8:12], "big") == PAGE
    current = head[16:24]
    if parts and not intact:
        current = Counter(frame[SALTS] for frame, _ in parts[:3]).most_common(1)[0][0]
        frame, page = parts[0]
        order = next((each for each in "<>" if summed(frame[:8] + page, each, sums) == sums_of(frame)), order)
    frames: list[Frame] = []
    whole = 0
    for frame, page in parts:
        is_current = frame[SALTS] == current
        good = is_current and summed(frame[:8] + page, order, sums) == sums_of(frame)
        sums = sums_of(frame)
        number, size = struct.unpack(">2I", frame[:8])
        whole += intact and good and whole == len(frames)
        frames.append(Frame(number, size > 0, is_current, good, page))
    return Log(frames, whole)


def sums_of(frame: bytes) -> tuple[int, ...]:
    """The checksum that a frame has."""
    return struct.unpack(">2I", frame[SUMS])


def damaged_wal(path: Path) -> str:
    """What is wrong with the write-ahead log of a file, in a clause; "" where nothing is."""
    beside = path.with_name(path.name + "-wal")
    missing = not path.exists() or not path.stat().st_size
    log = read_wal(beside)
    if log.damaged:
        time.sleep(LOOK_AGAIN_SECONDS)
        again = read_wal(beside)
        if again.damaged and again.whole == log.whole:
            return f"its write-ahead log is damaged: SQLite cannot read the last {again.hidden} transactions"
    if missing and any(frame.ends for frame in log.frames[: log.whole]):
        return "it is empty, and its write-ahead log is not"
    return ""


def summed(content: bytes, order: str, sums: tuple[int, ...]) -> tuple[int, ...]:
    """The checksum of SQLite's write-ahead log over some bytes, after those that were summed before."""
    first, second = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
