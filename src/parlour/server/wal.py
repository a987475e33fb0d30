"""The write-ahead log of SQLite as bytes: its committed pages, and whether damage in it hides transactions."""

from __future__ import annotations

import struct
from pathlib import Path

HEAD_BYTES = 32
FRAME_BYTES = 24  # before each page
SALT_BYTES = slice(8, 16)  # of a frame: the same in all frames that were written since the log last began anew


def hidden_commits(path: Path, read: int) -> int:
    """How many transactions stand behind the frames that SQLite could read.

    SQLite stops at the first frame whose checksum is wrong. After a power cut that may be in the last transaction,
    which was not synced and which nobody was told of. Where two or more stand behind it, the log itself is damaged.
    """
    if not path.exists():
        return 0
    with open(path, "rb") as file:
        page = int.from_bytes(file.read(HEAD_BYTES)[8:12], "big")
        size = FRAME_BYTES + page
        salts: list[bytes] = []
        commits: list[bool] = []
        if not 512 <= page <= 65536:
            return 0
        while len(frame := file.read(size)) == size:
            salts.append(frame[SALT_BYTES])
            commits.append(frame[4:8] != bytes(4))
    if not salts:
        return 0
    current = salts[max(read - 1, 0)]
    return sum(commit for salt, commit in zip(salts[read:], commits[read:], strict=True) if salt == current)


def committed_pages(path: Path) -> dict[int, bytes]:
    """The pages of a write-ahead log as of its last transaction that is whole, by their numbers."""
    committed: dict[int, bytes] = {}
    if not path.exists():
        return committed
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
        if len(head) < HEAD_BYTES:
            return committed
        magic, _, page, _, *salts_and_sums = struct.unpack(">8I", head)
        salts, sums = salts_and_sums[:2], tuple(salts_and_sums[2:])
        order = ">" if magic & 1 else "<"
        if not 512 <= page <= 65536 or page % 8 or summed(head[:24], order, (0, 0)) != sums:
            return committed
        waiting: dict[int, bytes] = {}  # of a transaction whose end was not seen yet
        while len(frame := file.read(FRAME_BYTES + page)) == FRAME_BYTES + page:
            number, size, *rest = struct.unpack(">6I", frame[:FRAME_BYTES])
            content = frame[FRAME_BYTES:]
            sums = summed(frame[:8] + content, order, sums)
            if rest != [*salts, *sums]:
                break
            waiting[number] = content
            if size:
                committed |= waiting
                waiting = {}
    return committed


def summed(content: bytes, order: str, sums: tuple[int, ...]) -> tuple[int, ...]:
    """The checksum of SQLite's write-ahead log over some bytes, after those that were summed before."""
    first, second = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
