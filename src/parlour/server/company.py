"""The company at a table: who is here, who watches, who is ready, and what people say; none of it is ever stored."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from ..engine.errors import Refusal
from ..engine.messages import say
from ..play.sitting import SPECTATOR
from . import messages as wire
from .limits import Bucket
from .listener import Listener
from .rows import Action
from .table import GATHERING, Table

PHRASES = (0.2, 4)  # of one person: so many a second, and so many at once
READY = (0.5, 10)  # times to change one's mind
NUDGES = (1 / 60, 1)  # of the person whose turn it is, by anyone
ALL = (4.0, 20)  # messages of a whole table: each goes to everyone there
NUDGE_SECONDS = 10  # of a turn before a nudge
COUNT_SECONDS = 1.0  # between two messages about how many watch
MOST_REMEMBERED = 200  # requests, so that one that is sent again has no effect
USED_ID = say("used id", "This id was used for something else.")
TOO_OFTEN = say("said too often", "That is a lot at once; wait a few seconds.")


class Company:
    """The people and spectators of one table."""

    def __init__(self, table: Table, listeners: Mapping[Listener, None], is_delayed: Callable[[], bool]) -> None:
        self.table = table
        self.listeners = listeners
        self.is_delayed = is_delayed  # whether spectators now see the past
        self._ready: set[tuple[int, int]] = set()  # seats, and the rows by which their people sat down
        self._buckets: dict[tuple[str, int], Bucket] = {}  # by what is said, and by whom
        self._done: OrderedDict[bytes, bytes] = OrderedDict()  # by key of a request: its body
        self._counted = 0  # how many watched when that was last told
        self._timer: asyncio.TimerHandle | None = None

    # who is here

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({listener.seat for listener in self.listeners if listener.seat != SPECTATOR})

    def watching(self) -> int:
        """How many spectators there are."""
        return sum(listener.seat == SPECTATOR for listener in self.listeners)

    def ready(self) -> list[int]:
        """The seats whose people are ready, before the start."""
        seats = self.table.lobby.seats
        if self.table.phase != GATHERING:
            return []
        return sorted(seat for seat, since in self._ready if seats[seat].tokens and seats[seat].since == since)

    def told(self, newcomer: Listener) -> dict[str, Any]:
        """What someone is told of the others when they come."""
        return {"watching": self.watching() + (newcomer.seat == SPECTATOR), "ready": self.ready()}

    def tell_who_is_here(self, here: list[int]) -> None:
        """Tell everyone who is connected, who is ready, and how many watch."""
        self._counted = self.watching()
        plain = wire.encode(wire.Here(here))
        whole = wire.encode(wire.Here(here, self._counted, self.ready()))
        for listener in self.listeners:
            listener.send(whole if listener.protocol.tells_company else plain)

    def count_again(self) -> None:
        """A spectator has come or gone; where many do, everyone is told once a second."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(COUNT_SECONDS, self._tell_count)

    def _tell_count(self) -> None:
        self._timer = None
        if self.watching() != self._counted:
            message = wire.Here(self.here(), self.watching(), self.ready())
            self._counted = message.watching
            self._tell(message)

    def stop(self) -> None:
        """The table leaves memory."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # what they say

    def say(self, seat: int, phrase: wire.PhraseName) -> None:
        """A person says a set phrase."""
        if not self.table.settings.phrases:
            raise Refusal(say("no phrases", "Set phrases are switched off at this table."))
        self._limit("phrase", seat, PHRASES)
        self._tell(wire.Phrase(seat, phrase))

    def nudge(self, by: int, waited: int | None) -> None:
        """A person reminds the one whose turn it is; `waited` is how long the others have waited for them."""
        seat = self.table.deciding
        if waited is None or seat == by:
            raise Refusal(say("no nudge", "A nudge is for another person whose turn it is."))
        name = self.table.lobby.seats[seat].name
        if waited < NUDGE_SECONDS:
            how = "It became the turn of {name:text} less than {seconds|# second|# seconds} ago; give them a moment."
            raise Refusal(say("early nudge", how, name=name, seconds=NUDGE_SECONDS))
        if not self._bucket("nudge", seat, NUDGES).take():
            raise Refusal(say("nudged", "{name:text} was nudged less than a minute ago.", name=name))
        self._tell(wire.Nudged(seat, by))

    def be_ready(self, seat: int, on: bool) -> None:
        """A person is ready to start, or not yet."""
        if self.table.phase != GATHERING:
            raise Refusal(say("ready when", "People say that they are ready before the start."))
        before = self.ready()
        mark = (seat, self.table.lobby.seats[seat].since)
        if (mark in self._ready) == on:
            return
        self._limit("ready", seat, READY)
        self._ready = {each for each in self._ready if each[0] != seat} | ({mark} if on else set())
        if self.ready() != before:
            self.tell_who_is_here(self.here())

    def done_before(self, action: Action) -> bool:
        """Whether a request was done before; refused where its id was used for something else."""
        known = self._done.get(action.key)
        if known not in (None, action.body):
            raise Refusal(USED_ID)
        return known is not None

    def did(self, action: Action) -> None:
        """Remember a request that was done, as long as the table stays in memory and not much else is said."""
        self._done[action.key] = action.body
        if len(self._done) > MOST_REMEMBERED:
            self._done.popitem(last=False)

    def _limit(self, what: str, seat: int, rate: tuple[float, float]) -> None:
        """Refuse what one person, or all of them, say too often."""
        if not self._bucket(what, seat, rate).take() or not self._bucket("all", SPECTATOR, ALL).take():
            raise Refusal(TOO_OFTEN)

    def _bucket(self, what: str, seat: int, rate: tuple[float, float]) -> Bucket:
        return self._buckets.setdefault((what, seat), Bucket(*rate))

    def _tell(self, message: wire.Message) -> None:
        """Tell everyone; but spectators who see the past hear nothing of what is said now."""
        content = wire.encode(message)
        delayed = self.is_delayed()
        for listener in self.listeners:
            late = delayed and listener.seat == SPECTATOR and not isinstance(message, wire.Here)
            if listener.protocol.tells_company and not late:
                listener.send(content)
