"""Work that takes as long as it is told to, for other processes."""

from __future__ import annotations

import time


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
