"""Time and luck: the event loop's clock, one that stands still while the server does, and where luck comes from."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

TICK_SECONDS = 0.25
LAG_SECONDS = 1.0  # that a tick may be late while the server runs, however busy it is

note = logging.getLogger("parlour.table")


class Luck(Protocol):
    """Where names, codes, tokens and secrets come from; the module `secrets` is one."""

    def token_bytes(self, nbytes: int | None = None) -> bytes:
        """Random bytes."""
        ...

    def token_urlsafe(self, nbytes: int | None = None) -> str:
        """Random bytes as text."""
        ...


def now() -> float:
    """Seconds on the event loop's clock: a loop with virtual time sets the time of the whole server."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:  # before the loop runs
        return time.monotonic()


class ServerClock:
    """Time as people at tables have it: it stands still while the server is stopped, suspended, or far too busy.

    A tick that comes much too late shows that the server stood still; whoever asks for the time first notices it.
    """

    def __init__(self) -> None:
        self.paused = 0.0  # seconds in which the server stood still
        self._due: float | None = None  # when the next tick comes; None where nobody lets it tick

    def time(self) -> float:
        """Seconds in which the server was running."""
        at = now()
        if self._due is not None and at - self._due > LAG_SECONDS:
            note.warning("the server stood still for %.1f seconds, which are charged to nobody", at - self._due)
            self.paused += at - self._due
            self._due = at
        return at - self.paused

    async def run(self) -> None:
        """Tick for ever."""
        try:
            while True:
                self._due = now() + TICK_SECONDS
                await asyncio.sleep(TICK_SECONDS)
                self.time()
        finally:
            self._due = None
