"""Retention: which tables are old enough to be deleted, by a clock that may be wrong."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future

from .store import Store, Window
from .table import GATHERING, OVER, PLAYING, SEALING

HOUR, DAY = 3600, 86400
RETENTION_DAYS = (((GATHERING,), 2), ((SEALING, PLAYING), 90), ((OVER,), 365))  # since something last happened there
GRACE_DAYS = 14  # between marking a table and deleting it
MOST_AWAY_DAYS = 7  # between two looks at the clock, after which it is not believed

note = logging.getLogger("parlour.table")


class Retention:
    """Counts only time that is known to have passed: since the clock was last found to have jumped.

    A table's age is the time since it was touched, but never more than the time since the jump. A stamp in the future
    was made by a clock that was wrong, and counts as made at the jump.
    """

    def __init__(self, store: Store, clock: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.store = store
        self.clock = clock
        self.monotonic = monotonic
        self.since = 0
        self.jumps = 0
        self._ahead: float | None = None  # the clock, minus the monotonic clock

    def time(self) -> float:
        """The time for stamps: a clock that was set since the last look is not believed before the next one."""
        return self.clock() if self._ahead is None else self._ahead + self.monotonic()

    async def look(self) -> int:
        """Look at the clock, and note that it was looked at; the time in seconds since 1970."""
        now, ahead = int(self.clock()), self.clock() - self.monotonic()
        stamps = self.store.stamps()
        if self._ahead is None:
            self.since = stamps.since
            last = stamps.beat or stamps.newest
            jumped = stamps.doubtful or (bool(last) and not last - HOUR <= now <= last + MOST_AWAY_DAYS * DAY)
        else:
            last = int(self._ahead + self.monotonic())
            jumped = abs(ahead - self._ahead) > HOUR
        if jumped or self.since > now + HOUR:
            # Marks of a clock that was ahead are taken back. If that fails, this counts as not looked at.
            await done(self.store.unmark(now + HOUR, now))
            self._warn(now, "" if self._ahead is None and stamps.doubtful else shown(last))
            self.jumps += 1
            self.since = now
            self._ahead = ahead
        elif self._ahead is None:
            self._ahead = ahead
        await done(self.store.set_stamps(now, self.since))
        return now

    def _warn(self, now: int, expected: str) -> None:
        what = f"The clock jumped: it says {shown(now)} where {expected} was expected."
        if not expected:
            what = f"What was noted of the time is damaged; the clock says {shown(now)}."
        first = now + min(days for _, days in RETENTION_DAYS) * DAY
        note.warning("%s No table is deleted before %s.", what, shown(first))

    def old(self, now: int, days: int) -> Window | None:
        """The stamps that are so many days old; None where so much time is not known to have passed."""
        before = now - days * DAY
        return Window(before, now + HOUR) if self.since <= before else None


async def done(asked: Future[None]) -> None:
    """Wait until something is stored, even if nobody waits any more."""
    await asyncio.shield(asyncio.wrap_future(asked))


def gone_at(deleted: int, since: int, now: int) -> int:
    """When a table that was marked will be deleted, at the earliest."""
    return min(max(deleted, since), now) + GRACE_DAYS * DAY


def shown(stamp: int) -> str:
    """A time for people."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(stamp)) + " UTC"
    except (OverflowError, ValueError, OSError):
        return "an impossible time"
