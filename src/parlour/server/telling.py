"""Telling listeners what happened at a table, in words, each as much as it may know; spectators perhaps later."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, NamedTuple

import msgspec

from ..engine.messages import say
from ..play.sentences import Teller
from ..play.sitting import SPECTATOR
from . import messages as wire
from .cache import ByteCache
from .clock import now
from .company import Company
from .listener import Listener
from .moves import legal_steps
from .protocols import Protocol
from .statements import Signer
from .table import PLAYING, Table

MOST_EVENTS = 1000  # that are sent at once; the record has earlier ones
SEAT_LOST = say("seat lost", "This seat is not yours any more.")


class DelayedMessage(NamedTuple):
    """News for the spectators of a delayed table, to be sent when it is due: to all of them, or to one newcomer."""

    due: float
    since: int | None
    number: int
    messages: dict[str, bytes]  # by protocol
    only: Listener | None


class Telling:
    """The listeners of one table, and what they are sent."""

    def __init__(self, table: Table, signer: Signer | None = None, cache: ByteCache | None = None) -> None:
        self.table = table
        self.cache = cache  # of whole news, which is the same for all who come while nothing happens
        self.listeners: dict[Listener, None] = {}  # in the order in which they came
        self.company = Company(table, self.listeners, lambda: self.is_delayed)
        self.signer = signer
        self._signed: tuple[int, str | None] = (0, None)  # the size of the log, and the signature under it
        self.delayed: deque[DelayedMessage] = deque()
        self._standing: tuple[int, dict[str, bytes]] = (-1, {})  # for newcomers, by protocol, at one size of the log
        self.timer: asyncio.TimerHandle | None = None  # for the first of them
        self.delayed_to = 0  # the size of the log up to which they go
        self._tellers: dict[tuple[int, bool], Teller] = {}  # by seat, and whether codes are given
        self._names: list[str] = []  # of the seats, as those tellers call them,
        self._named_at = -1  # at this size of the log

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return self.company.here()

    def still_seated(self, listener: Listener) -> bool:
        """Whether a listener's seat is still that person's."""
        seats = self.table.lobby.seats
        return listener.seat == SPECTATOR or listener.token in seats[listener.seat].tokens

    # news

    def news(self, seat: int, since: int | None, protocol: Protocol) -> wire.News:
        """What a listener at a seat must be sent: what it missed since a number, or everything."""
        table = self.table
        missed = None if since is None else table.missed(seat, since)
        listener = table.lobby.listener(seat)
        if missed is not None:
            told, public = missed
        else:
            told, public = table.sitting.told[listener] if table.sitting else [], table.log.public
        earlier = max(0, len(told) - MOST_EVENTS)
        view = table.view(seat)
        legal = self._legal(seat, protocol)
        more = protocol.shown(table.game, view) if legal and view is not None else {}
        return wire.News(
            number=table.size,
            since=None if missed is None else since,
            events=self._in_words(listener, len(told) - earlier, protocol),
            earlier=earlier,
            table_events=public[-MOST_EVENTS:],
            table=protocol.described(table) if public or missed is None else None,
            view=view.fields() if view is not None else None,
            legal=legal,
            head=None if table.log.head is None else table.log.head.hex(),
            signature=self._signature() if protocol.signed else None,
            whole=missed is None,
            **more,
        )

    def whole_news(self, seat: int, protocol: Protocol) -> Any:
        """Everything that a listener at a seat must be sent, as it is encoded within a message."""
        key = f"{self.table.name} {self.table.size} {seat} {protocol.name}"
        found = None if self.cache is None else self.cache.get(key)
        if found is None:
            found = wire.encode(self.news(seat, None, protocol))
            if self.cache is not None:
                self.cache.put(key, found)
        return msgspec.Raw(found)

    def _signature(self) -> str | None:
        """The server's signature under number and head, made once for all listeners."""
        table = self.table
        if self.signer is None or table.log.head is None:
            return None
        if self._signed[0] != table.size:
            self._signed = (table.size, self.signer.sign(table.name, table.size, table.log.head.hex()))
        return self._signed[1]

    def _legal(self, seat: int, protocol: Protocol) -> list[Any]:
        """The steps that a seat can take now; none where a bot plays for it."""
        table = self.table
        if table.sitting is None or seat < 0 or table.deciding != seat or table.lobby.seats[seat].bot:
            return []
        return protocol.choices(legal_steps(table.game, table.sitting.state))

    def _in_words(self, listener: int, count: int, protocol: Protocol) -> list[wire.Event]:
        """The last entries told to a listener, as events."""
        if self.table.sitting is None or count == 0:
            return []
        teller, told = self._teller(listener, protocol), self.table.sitting.told[listener]
        return [protocol.event(teller, told, at) for at in range(len(told) - count, len(told))]

    def _teller(self, listener: int, protocol: Protocol) -> Teller:
        """The teller for a seat, made again whenever the seats are called differently."""
        lobby = self.table.lobby
        if self._named_at != self.table.size:
            self._named_at = self.table.size
            names = lobby.called()
            if names != self._names:
                self._names = names
                self._tellers = {}
        key = (listener, protocol.codes)
        if key not in self._tellers:
            called, settings = lobby.called(listener), self.table.settings
            teller = Teller(settings.game, called, listener, settings.sides, protocol.codes, settings.options)
            self._tellers[key] = teller
        return self._tellers[key]

    # coming, staying and going

    def welcome(
        self,
        listener: Listener,
        last: int | None,
        left: float | None,
        pace: wire.Pace | None = None,
        set_back: str = "",
        away: dict[str, int] | None = None,
        waited: int | None = None,
    ) -> None:
        """Someone listens from now on, and is told how things stand, or what was missed since a number.

        `away` are the people who are not connected, with the seconds since they left; `waited` is how long the others
        have waited for the person who decides. Where the log contradicts what this listener was told before, `set_back`
        says so, and they are told everything.
        """
        table, protocol = self.table, listener.protocol
        key = self.signer.key if self.signer is not None and protocol.signed else None
        before = self.here()
        here = sorted({*before, listener.seat} - {SPECTATOR})
        pace = pace if protocol.tells_pace else None
        away = (away if protocol.tells_away else None) or {}
        company = self.company.told(listener) if protocol.tells_company else {}
        if listener.seat == SPECTATOR and self.is_delayed:
            # spectators of a delayed table see the past only; this one will see the present later
            waiting = wire.News(number=0, table=protocol.described(table), whole=True)
            welcome = wire.Welcome(protocol.number, SPECTATOR, waiting, here, None, pace, key, away, **company)
            listener.send(wire.encode(welcome))
            listener.number = -1
            self._delay(None, {protocol.name: protocol}, listener, set_back)
        else:
            if last is None and not set_back:
                news = self.whole_news(listener.seat, protocol)
            else:
                news = self.news(listener.seat, None if set_back else last, protocol)
                news.set_back = protocol.said(set_back) if protocol.signed else ""
            company |= {"waited": waited} if protocol.tells_company else {}
            welcome = wire.Welcome(protocol.number, listener.seat, news, here, left, pace, key, away, **company)
            listener.send(wire.encode(welcome))
            listener.number = table.size
        if here != before:
            self.company.tell_who_is_here(here)
        self.listeners[listener] = None
        if listener.seat == SPECTATOR:
            self.company.count_again()

    def leave(self, listener: Listener) -> bool:
        """Someone stops listening; whether the person of that seat is gone with it."""
        self.listeners.pop(listener, None)
        if listener.number == -1:  # a spectator who was still waiting for the present
            self.delayed = deque(each for each in self.delayed if each.only is not listener)
        here = self.here()
        gone = listener.seat != SPECTATOR and listener.seat not in here
        if gone:
            self.company.tell_who_is_here(here)
        elif listener.seat == SPECTATOR:
            self.company.count_again()
        return gone

    def publish(self) -> None:
        """Send every listener what it has not been told."""
        table = self.table
        made: dict[tuple[int, int | None, str], bytes] = {}
        delayed = self.is_delayed
        watching: dict[str, Protocol] = {}  # the protocols of those who are told later
        for listener in self.listeners:
            protocol = listener.protocol
            if not self.still_seated(listener):
                listener.cut_off(SEAT_LOST)
            if delayed and listener.seat == SPECTATOR:
                watching[protocol.name] = protocol
                continue
            if listener.number == table.size:
                continue
            # spectators who were told later start over when nothing is hidden any more
            late = table.settings.pace.spectator and listener.seat == SPECTATOR
            since = None if late else listener.number
            key = (listener.seat, since, protocol.name)
            if key not in made:
                made[key] = wire.encode(self.news(listener.seat, since, protocol))
            listener.number = table.size
            listener.send(made[key])
        if watching:
            self._delay(self.delayed_to, watching, None)
        if not delayed:
            self.forget_delayed()
        self.delayed_to = table.size

    # delayed spectators

    @property
    def is_delayed(self) -> bool:
        """Whether spectators now see the past, not the present."""
        return self.table.settings.pace.spectator > 0 and self.table.phase == PLAYING

    def _delay(
        self, since: int | None, protocols: dict[str, Protocol], only: Listener | None, set_back: str = ""
    ) -> None:
        """Hold back how things stand now, until spectators may see it."""
        due = now() + self.table.settings.pace.spectator
        messages = {}
        for name, protocol in protocols.items():
            messages[name] = self._held_back(since, protocol, set_back if protocol.signed else "")
        self.delayed.append(DelayedMessage(due, since, self.table.size, messages, only))
        self.delayed_to = self.table.size
        if self.timer is None:
            self.set_timer()

    def _held_back(self, since: int | None, protocol: Protocol, set_back: str) -> bytes:
        """How things stand now, for spectators; made once for all who come while nothing happens."""
        made: dict[str, bytes] = {}
        if since is None and not set_back:
            if self._standing[0] != self.table.size:
                self._standing = (self.table.size, made)
            made = self._standing[1]
        if protocol.name not in made:
            news = self.news(SPECTATOR, since, protocol)
            # how many rows the log has now is not for spectators to know yet
            news.set_back = protocol.said(set_back)
            made[protocol.name] = wire.encode(news)
        return made[protocol.name]

    def set_timer(self) -> None:
        """Wait until the first delayed message is due."""
        wait = max(0.0, self.delayed[0].due - now())
        self.timer = asyncio.get_running_loop().call_later(wait, self._release)

    def _release(self) -> None:
        """Send spectators what is due; each goes on from where they were."""
        self.timer = None
        at = now() + 0.001
        while self.delayed and self.delayed[0].due <= at:
            past = self.delayed.popleft()
            for listener in self.listeners:
                goes_on = past.only is listener or (past.only is None and listener.number == past.since)
                if listener.seat == SPECTATOR and goes_on:
                    listener.number = past.number
                    listener.send(past.messages[listener.protocol.name])
        if self.delayed:
            self.set_timer()

    def forget_delayed(self) -> None:
        """Nothing is held back any more."""
        self.delayed.clear()
        self._standing = (-1, {})
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
