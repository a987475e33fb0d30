"""Tasks for worker processes: such as take a given time, wait for a file, end the process, or never end."""

from __future__ import annotations

import os
import time
from pathlib import Path

from support.wait import wait_until


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def leave(code: int) -> None:
    os._exit(code)


def begin_and_wait(begun: str, go: str) -> int:
    """Say by a file that it has begun, and wait for another; the process in which that was."""
    Path(begun).touch()
    wait_until(Path(go).exists, f"the file {go}")
    return os.getpid()


def leave_once(path: str) -> int:
    """End the process, but not when it is asked again."""
    if not Path(path).exists():
        Path(path).touch()
        os._exit(3)
    return os.getpid()


def never_end(begun: str = "") -> None:
    """Keep a processor busy for ever."""
    if begun:
        Path(begun).write_text(str(os.getpid()), encoding="utf-8")
    while True:
        pass


def compute(number: int) -> int:
    return sum(range(number))


def compute_in_vain(number: int) -> None:
    raise ValueError(compute(number))
