"""Checkpoint files: one JSON line per finished piece of a long run, so that a resumed run skips what is done.

The first line, the head, says which run the pieces belong to. A truncated last line is dropped and redone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

Piece = TypeVar("Piece")

SHOWN = 80  # characters of a value that differs


@contextmanager
def open_checkpoint(
    path: str | None,
    kind: str,
    head: dict[str, Any],
    read: Callable[[Any], Piece | None],
    write: Callable[[Piece], dict[str, Any]],
) -> Iterator[tuple[list[Piece], Callable[[Sequence[Piece]], None]]]:
    """The pieces stored in a file, and a function that appends more; without a path, nothing is stored.

    `head` must equal the head in the file, and its first member is named like `kind`. `read` makes a piece of the data
    in a line, or returns None where that is not one. A file of another run raises ValueError with a sentence.
    """
    if path is None:
        yield [], lambda pieces: None
        return
    first = line_of(head)
    with open(path, "a+b") as file:
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        pieces = [] if is_truncated_head(data, kind, head) else read_pieces(path, kind, whole, head, read)
        file.truncate(len(whole))
        file.write(b"" if whole else first)

        def append(done: Sequence[Piece]) -> None:
            file.writelines(line_of(write(piece)) for piece in done)
            file.flush()

        yield pieces, append


def is_truncated_head(data: bytes, kind: str, head: dict[str, Any]) -> bool:
    """Whether a file holds only the beginning of a head of this kind, whatever its seed."""
    opening = line_of({kind: head[kind]})[:-2]
    return b"\n" not in data and (data.startswith(opening) or opening.startswith(data))


def line_of(data: dict[str, Any]) -> bytes:
    """One line of a checkpoint file."""
    return json.dumps(data).encode() + b"\n"


def read_line(line: bytes) -> Any:
    """The data in a line, or None where it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def read_head(path: str, kind: str, line: bytes) -> dict[str, Any]:
    """The head in the first line of a file; ValueError where it is not of this kind."""
    head = read_line(line)
    if not isinstance(head, dict) or kind not in head:
        raise ValueError(f"{path} is not the file of a {kind}.")
    return head


def stored_seed(path: str, kind: str) -> str | None:
    """The seed in the head of a file, so that a resumed run need not name it; None where there is none yet."""
    if not Path(path).exists():
        return None
    with open(path, "rb") as file:
        line = file.readline()
    seed = read_head(path, kind, line).get("seed") if line.endswith(b"\n") else None
    return seed if isinstance(seed, str) else None


def excerpts(one: str, other: str) -> tuple[str, str]:
    """Two texts that differ, each cut down to the place where they do."""
    start = 0
    if max(len(one), len(other)) > SHOWN:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
        start = max(0, same - SHOWN // 4)  # with a little of what both have in common
    first, second = (f"{'…' * bool(start)}{text[start : start + SHOWN]}" for text in (one, other))
    return first, second


def read_pieces(
    path: str, kind: str, data: bytes, wanted: dict[str, Any], read: Callable[[Any], Piece | None]
) -> list[Piece]:
    """The pieces in a file, which must have the wanted head."""
    first, _, rest = data.partition(b"\n")
    head = read_head(path, kind, first)
    for name, value in wanted.items():
        if head.get(name) != value:
            if name == "code":
                raise ValueError(f"{path} was written by a different version of the code. Use a new file.")
            found, asked = excerpts(json.dumps(head.get(name)), json.dumps(value))
            raise ValueError(f"{path} belongs to another {kind}, with {name} = {found}, not {asked}.")
    pieces = []
    for number, line in enumerate(rest.splitlines(), 2):
        piece = read(read_line(line))
        if piece is None:
            raise ValueError(f"Line {number} of {path} is not part of this {kind}.")
        pieces.append(piece)
    return pieces
