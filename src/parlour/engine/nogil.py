"""Runs long work without the interpreter's lock (GIL) where it is compiled, so that threads work in parallel."""

from __future__ import annotations

from .core import NogilTask


def run(task: NogilTask, count: int) -> None:
    """Let a task do some rounds; compiled, other threads go on meanwhile."""
    task._iterate(count)
