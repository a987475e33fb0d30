"""Bounded waiting: a test that waits in vain says for what."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

WAIT = 120.0  # seconds: a bound against hanging, far more than anything takes on a busy machine


def wait_until(ready: Callable[[], object], what: str, seconds: float = WAIT) -> None:
    """Wait until a condition holds; `what` names it where it never does."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} seconds in vain for {what}")
        time.sleep(0.02)


def wait_for_lines(file: Path, count: int) -> None:
    """Wait until a file has so many lines."""
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= count, f"{count} lines in {file.name}")


def next_line(process: subprocess.Popen[str], seconds: float = WAIT) -> str:
    """The next line that a process prints; the process is killed where none comes."""
    assert process.stdout is not None
    watchdog = threading.Timer(seconds, process.kill)
    watchdog.start()
    try:
        line = process.stdout.readline()
    finally:
        watchdog.cancel()
    if not line:
        raise AssertionError(f"{process.args} ended, or was silent for {seconds:.0f} seconds, before its next line")
    return line
