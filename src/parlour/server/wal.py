"""The write-ahead log of SQLite as bytes: whether damage in it hides transactions that were committed."""

from __future__ import annotations

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
