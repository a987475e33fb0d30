"""Output of the commands: exit codes, progress, files, and streams that never fail."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

GOOD, WRONG, MISUSE = 0, 1, 2
Piece = TypeVar("Piece")


class Misuse(Exception):
    """The command cannot be carried out as given; the message is one sentence."""


def complain(sentence: str) -> None:
    """Say something on standard error."""
    print(f"parlour: {sentence}", file=sys.stderr, flush=True)


# --- progress ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def progress(total: int, thing: str) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal."""
    start = time.monotonic()
    shown = sys.stderr.isatty()

    def show(done: int) -> None:
        if not shown:
            return
        share = done / total
        left = (time.monotonic() - start) * (1 - share) / share if share else 0
        bar = "█" * int(30 * share) + "░" * (30 - int(30 * share))
        line = f"\r{bar} {100 * share:3.0f} %  {done:,} of {total:,} {thing}, {left:.0f} s left   "
        print(line, end="", file=sys.stderr)

    try:
        yield show
    finally:
        if shown:
            print("\r" + " " * 90 + "\r", end="", file=sys.stderr)


@contextlib.contextmanager
def saving(
    total: int, thing: str, path: str | None, save: Callable[[Sequence[Piece]], None]
) -> Iterator[Callable[[Sequence[Piece]], None]]:
    """A function that saves finished pieces of work and shows progress; an interruption names the checkpoint file."""
    done = 0
    try:
        with progress(total, thing) as show:

            def note(pieces: Sequence[Piece]) -> None:
                nonlocal done
                save(pieces)
                done += len(pieces)
                show(done)

            yield note
    except BaseException:
        if path is not None:
            complain(f"Progress is saved in {path}. Run the same command to resume.")
        raise


# --- files ------------------------------------------------------------------------------------------------------------


def unwritable(path: str, error: OSError) -> Misuse:
    """The error for a file that cannot be written."""
    return Misuse(f"{path} cannot be written: {error.strerror}.")


def unreadable(path: str, error: OSError) -> Misuse:
    """The error for a file that cannot be read."""
    return Misuse(f"{path} cannot be read: {error.strerror}.")


def write_file(path: str, text: str, mode: str = "w") -> None:
    """Write a text to a file; raises Misuse where that fails."""
    try:
        with open(path, mode, encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise unwritable(path, error) from None


def check_writable(path: str) -> None:
    """Find out before a long run whether a file can be written, without changing it."""
    file = Path(os.path.realpath(path))
    is_new = not file.exists()
    write_file(path, "", "a")
    if is_new:
        file.unlink()


def check_apart(files: dict[str, str | None]) -> None:
    """Refuse two options that name the same file; `files` holds the path of each option."""
    named: dict[str, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        other = named.setdefault(os.path.normcase(os.path.realpath(path)), option)
        if other != option:
            raise Misuse(f"{other} and {option} both name {path}; each needs a file of its own.")


# --- standard streams -------------------------------------------------------------------------------------------------


def steady_streams() -> None:
    """Replace missing standard streams, and let output escape characters that its encoding lacks."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def silence_output() -> None:
    """Discard pending output, so that the interpreter does not fail to write it when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
