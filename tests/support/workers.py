"""Tasks for worker processes: one that takes a given time, and one that ends the process."""

from __future__ import annotations

import os
import time


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def leave(code: int) -> None:
    os._exit(code)
