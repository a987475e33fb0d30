"""Files that long work is kept in, a line a piece: what was done is not done again, and a torn last line is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

Piece = TypeVar("Piece")

SHOWN = 80  # characters of what differs


@contextmanager
def kept(
    path: str | None,
    kind: str,
    head: dict[str, Any],
    read: Callable[[Any], Piece | None],
    write: Callable[[Piece], dict[str, Any]],
) -> Iterator[tuple[list[Piece], Callable[[Sequence[Piece]], None]]]:
    """The pieces that a file holds, and how to add to it; ValueError, with a sentence, where it is another's.

    Pieces belong together where the heads are equal; a head begins with a member that is called as the kind. `read`
    makes a piece of what stands in a line, or None where it is none.
    """
    if path is None:
        yield [], lambda pieces: None
        return
    first = line_of(head)
    with open(path, "a+b") as file:
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]  # a last line that was torn is done again
        pieces = [] if is_torn(data, kind, head) else read_kept(path, kind, whole, head, read)
        file.truncate(len(whole))
        file.write(b"" if whole else first)

        def add(done: Sequence[Piece]) -> None:
            file.writelines(line_of(write(piece)) for piece in done)
            file.flush()

        yield pieces, add


def is_torn(data: bytes, kind: str, head: dict[str, Any]) -> bool:
    """Whether a file holds nothing yet but the beginning of a head, though it were that of another seed."""
    opening = line_of({kind: head[kind]})[:-2]
    return b"\n" not in data and (data.startswith(opening) or opening.startswith(data))


def line_of(data: dict[str, Any]) -> bytes:
    """A line of a file that is kept."""
    return json.dumps(data).encode() + b"\n"


def read_line(line: bytes) -> Any:
    """What stands in a line, or None where it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def read_head(path: str, kind: str, line: bytes) -> dict[str, Any]:
    """The first line of the file; ValueError where it is not of this kind."""
    head = read_line(line)
    if not isinstance(head, dict) or kind not in head:
        raise ValueError(f"{path} is not the file of a {kind}.")
    return head


def kept_seed(path: str, kind: str) -> str | None:
    """The seed in the head of a file, if there is one yet: who goes on need not know it."""
    if not Path(path).exists():
        return None
    with open(path, "rb") as file:
        line = file.readline()
    seed = read_head(path, kind, line).get("seed") if line.endswith(b"\n") else None
    return seed if isinstance(seed, str) else None


def apart(one: str, other: str) -> tuple[str, str]:
    """Two texts that differ, each cut to what shows it."""
    start = 0
    if max(len(one), len(other)) > SHOWN:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
        start = max(0, same - SHOWN // 4)  # and a little of what goes before
    first, second = (f"{'…' * bool(start)}{text[start:start + SHOWN]}" for text in (one, other))
    return first, second


def read_kept(
    path: str, kind: str, data: bytes, wanted: dict[str, Any], read: Callable[[Any], Piece | None]
) -> list[Piece]:
    """The pieces in a file, which must have this head."""
    first, _, rest = data.partition(b"\n")
    head = read_head(path, kind, first)
    for name, value in wanted.items():
        if head.get(name) != value:
            if name == "code":
                raise ValueError(f"{path} was played by other code than this; begin a new file.")
            found, asked = apart(json.dumps(head.get(name)), json.dumps(value))
            raise ValueError(f"{path} is of another {kind}, where {name} = {found}, not {asked}.")
    pieces = []
    for number, line in enumerate(rest.splitlines(), 2):
        piece = read(read_line(line))
        if piece is None:
            raise ValueError(f"Line {number} of {path} is not part of this {kind}.")
        pieces.append(piece)
    return pieces
