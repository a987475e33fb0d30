"""The memory of a long-running server: when Python looks for garbage, and when free memory is given back."""

from __future__ import annotations

import contextlib
import ctypes
import gc


def rarely_collect() -> None:
    """Let Python look for garbage among the newest objects only, until it is asked to look at all of them.

    With thousands of sockets a full collection takes half a second, during which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 1_000_000, 1_000_000)


def clear_memory() -> None:
    """Find all garbage, and give free memory back to the machine where its C library can."""
    gc.collect()
    # TypeError: Windows has no library of that name (untested there)
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
