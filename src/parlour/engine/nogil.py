"""Long work without the interpreter's lock (GIL), so that threads can share it: what plain Python cannot say."""

from __future__ import annotations

from .core import NogilTask


def run(task: NogilTask, count: int) -> None:
    """Let a task do some rounds; compiled, other threads go on meanwhile."""
    task._iterate(count)
