"""When the people of one table are told elsewhere: at their turn, when they are reminded, at the end, at a rematch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from .notices import AGAIN, AWAY_SECONDS, HELLO, HERE_SECONDS, NUDGE, OVER, TURN, Notice, Notices
from .table import OVER as IS_OVER
from .table import PLAYING, Table

Change = Callable[[Callable[[Table], Any]], None]


class Reminding:
    """Looks at a table after every change, and tells people who are not there."""

    def __init__(self, table: Table, here: Callable[[], list[int]], sender: Notices, change: Change) -> None:
        self.table = table
        self.here = here  # the seats whose people are connected
        self.sender = sender
        self.change = change  # something at the table that nobody waits for
        self._pending = 0  # notices that are on their way
        self._ended = False
        self._seen = self._now()
        self._timer: asyncio.TimerHandle | None = None

    def _now(self) -> tuple[str, int, int, str]:
        """What people are told of: the phase, whose turn it is since which row, and the rematch."""
        table = self.table
        return table.phase, table.deciding, table.position if table.phase == PLAYING else 0, table.rematch

    def look(self) -> None:
        """Something may have happened."""
        before, self._seen = self._seen, self._now()
        if self._seen == before:
            return
        self._stop_timer()
        phase, deciding, _, rematch = self._seen
        if phase == PLAYING and deciding >= 0 and self._wants(deciding):
            wait = HERE_SECONDS if deciding in self.here() else AWAY_SECONDS
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell_away, TURN, [deciding])
        elif phase == IS_OVER and before[0] != IS_OVER:
            self._tell_away(OVER, range(len(self.table.lobby.seats)))
        elif rematch != before[3]:
            self._tell_away(AGAIN, range(len(self.table.lobby.seats)))

    def nudge(self, seat: int) -> None:
        """Somebody reminds the person whose turn it is."""
        self._tell_away(NUDGE, [seat])

    def say_hello(self, seat: int, id: str) -> None:
        """Show a person that a way works that they have just chosen."""
        self._tell(HELLO, seat, id)

    @property
    def busy(self) -> bool:
        """Whether somebody may still have to be told."""
        return self._timer is not None or self._pending > 0

    def end(self) -> None:
        """The table leaves memory."""
        self._ended = True
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wants(self, seat: int) -> bool:
        """Whether a person who plays for themselves wants to be told elsewhere."""
        found = self.table.lobby.seats[seat]
        return bool(found.ways) and bool(found.tokens) and not found.bot

    def _tell_away(self, kind: str, seats: Iterable[int]) -> None:
        """Tell those who are not connected."""
        self._stop_timer()
        here = self.here()
        for seat in seats:
            if seat not in here and (kind in (OVER, AGAIN) or self._wants(seat)):
                for id in list(self.table.lobby.seats[seat].ways):
                    self._tell(kind, seat, id)

    def _tell(self, kind: str, seat: int, id: str) -> None:
        way = self.table.lobby.seats[seat].ways.get(id)
        if way is None or not self.sender.may_tell(self.table.name, seat, id):
            return
        game, seen = self.table.game, self._seen

        def still() -> bool:
            known = self.table.lobby.seats[seat].ways.get(id) == way
            return known and not self._ended and (kind == HELLO or self._now() == seen)

        def ended(gone: bool) -> None:
            self._pending -= 1
            if gone and not self._ended:
                self.change(lambda table: table.lobby.silence(seat, id))

        self._pending += 1
        self.sender.tell(Notice(kind, game.name, game.title, self.table.name), way, still, ended)
