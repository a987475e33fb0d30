"""Long work without the interpreter's lock, so that threads can share it: what cannot be said in plain Python."""

from __future__ import annotations

from .core import Task


def run(task: Task, count: int) -> None:
    """Let a task do its work; compiled, other threads go on meanwhile."""
    task.iterate(count)
