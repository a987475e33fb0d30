"""Bounded waiting: a test that waits in vain says for what."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

WAIT = 120.0  # seconds: a bound against hanging, far more than anything takes on a busy machine


def wait_until(ready: Callable[[], object], what: str, seconds: float = WAIT) -> None:
    """Wait until a condition holds; `what` names it where it does not come to hold."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.02)


def wait_for_lines(file: Path, count: int) -> None:
    """Wait until a file has so many lines."""
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= count, f"{count} lines in {file.name}")
