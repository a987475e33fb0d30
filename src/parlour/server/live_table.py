"""A table in memory: one change at a time, stored and then told, and clocks for what happens by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from ..engine.errors import Refusal
from ..engine.messages import say
from . import cost
from .clock import now
from .cost import Meter
from .listener import Listener
from .reminding import Reminding
from .services import Services
from .statements import Shown
from .store import StoreError, Unsure
from .table import PLAYING, SEALING, Table
from .telling import Telling
from .thinking import Thinking

SHOWING_SECONDS = 5.0  # to show promised entropy
SHORTEST_PACE = 0.25  # seconds of a bot's move, where more than one person plays
LONGEST_WAIT = 10.0  # of a bot, where those for whom it plays have used up their share of processor time
MOST_RETURNS = 3  # in one turn, after which coming back gives no more time
HOST_SECONDS = 30.0  # that a host is away before another person may take the role
AWAY_SECONDS = 20.0  # that the person who decides is away before others may let a bot play for them
SLOW_SECONDS = 3600.0  # of a person's time, from which on nobody is expected to stay at the table
PUT_AWAY = say("put away", "The table was put away for a moment; ask again.")
NOT_STORED = say("not stored", "The table could not be stored; come back to it.")

note = logging.getLogger("parlour.table")


class LiveTable:
    """A table in memory, with its listeners."""

    def __init__(
        self, table: Table, services: Services, dropped: Callable[[LiveTable], None], idle: float = 0.0
    ) -> None:
        """`idle` is for how many seconds nothing has happened there, where the table comes from its log."""
        self.table = table
        self.services = services
        self.telling = Telling(table, services.signer, services.news)
        self.thinking = Thinking(table, services.bots, services.hurried)
        self.reminding: Reminding | None = None
        if services.notices is not None:
            quietly: Callable[[Any], None] = lambda doing: services.later(self._change_quietly(doing))  # noqa: E731
            self.reminding = Reminding(table, self.telling.here, services.notices, quietly)
        self.lock = asyncio.Lock()  # held while something happens
        self.term = services.store.term  # in which this process was found to be the owner
        self.touched = now()  # when someone last did something here
        self.dropped = False  # from now on the log alone has it
        self.hastened = False  # bots take no time, as long as this is in memory
        self.rematching = False  # a rematch is being made
        self._on_drop = dropped
        self._clock: asyncio.TimerHandle | None = None  # for the end of somebody's time
        self._turn: tuple[str, int, int] = ("", -1, -1)  # the phase, position and return on which the clock runs,
        self._returns = 0  # how often the person who decides came back in this turn
        self._turn_began = 0.0  # and since when, by the server's clock
        self._turn_ends = 0.0
        self._waits_since = -idle  # when it became this turn, by the server's clock, once that has been looked at
        self._loaded = services.awake.time()
        self._last_seen: dict[int, float] = {}  # when the people left who are not connected
        self._contradicted: set[bool] = set()  # by signed statements, by claims: what was logged

    # one change at a time

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[Table]:
        """The table while nothing else happens there, and never one whose memory is ahead of its log."""
        async with self.lock:
            yield self._present()

    def _present(self) -> Table:
        """The table, unless the log alone has it by now."""
        if self.dropped:
            raise Unsure(PUT_AWAY)
        return self.table

    async def change(self, doing: Callable[[Table], Any]) -> Any:
        """Do something at the table, store it, then tell everyone. A refusal changes nothing.

        A client may go away in the meantime; what was begun is finished.
        """
        return await asyncio.shield(asyncio.create_task(cost.measured(self._change(doing))))

    async def _change(self, doing: Callable[[Table], Any]) -> Any:
        async with self.lock:
            table = self._present()
            before = table.size
            try:
                answer = doing(table)
                await self.services.save(table)
            except BaseException:
                if table.size != before:
                    # what is in memory is not in the log: it never happened
                    self.lose()
                raise
            self.touched = now()
            self.telling.publish()
            self.schedule()
            if self.reminding is not None:
                self.reminding.look()
            return answer

    def lose(self) -> None:
        """Drop a table whose memory is ahead of its log; its listeners come back to what was stored."""
        self.drop()
        for listener in self.telling.listeners:
            listener.end(NOT_STORED)

    def drop(self) -> None:
        """Leave memory; the log has everything."""
        self.dropped = True
        self._stop_clock()
        self.telling.forget_delayed()
        self.thinking.stop()
        self.telling.company.stop()
        if self.reminding is not None:
            self.reminding.end()
        self._on_drop(self)

    @property
    def busy(self) -> bool:
        """Whether something is going on, or will by itself."""
        reminding = self.reminding is not None and self.reminding.busy
        return self._clock is not None or self.thinking.turns is not None or self.lock.locked() or reminding

    # listeners

    def welcome(self, listener: Listener, last: int | None = None, shown: Shown | None = None) -> None:
        """Someone listens from now on, and shows what they were told before, if anything."""
        listener.heard = self.services.awake.time()
        set_back = "" if shown is None else self._compare(shown)
        away = {str(seat): int(gone) for seat, gone in self._away().items() if seat != listener.seat}
        waited = self.waited()
        self.telling.welcome(listener, last, self._time_left(), self.services.pace, set_back, away, waited)
        self.touched = now()

    def _compare(self, shown: Shown) -> str:
        """Compare the log with what someone was told; a contradiction is counted, and logged once."""
        table, signer = self.table, self.services.signer
        said = table.log.contradiction(shown.number, shown.head)
        if said:
            # anyone can claim to have been told something; our signature proves it
            signed = signer is not None and signer.has_signed(table.name, shown)
            self.services.counts["set_back" if signed else "set_back_unsigned"] += 1
            if signed not in self._contradicted:
                self._contradicted.add(signed)
                words = "contradicts what this server signed" if signed else "contradicts what a client claims"
                level = logging.ERROR if signed else logging.WARNING
                note.log(level, "table %s: the log %s: told %d, has %d", table.name, words, shown.number, table.size)
        return said

    def leave(self, listener: Listener) -> None:
        """Someone stops listening."""
        self.services.gone += 1
        if self.telling.leave(listener):
            self._last_seen[listener.seat] = self.services.awake.time()

    def _away(self) -> dict[int, float]:
        """The seats whose people are not connected, with the seconds since they left."""
        here, at = self.telling.here(), self.services.awake.time()
        people = (number for number, seat in enumerate(self.table.lobby.seats) if seat.tokens and number not in here)
        return {seat: at - self._last_seen.get(seat, self._loaded) for seat in people}

    def host_is_away(self) -> bool:
        """Whether the host has been gone for so long that another person may take the role."""
        lobby = self.table.lobby
        gone = self._away().get(lobby.host)
        return gone is not None and (bool(lobby.seats[lobby.host].bot) or gone > self._patience(HOST_SECONDS))

    def check_away(self, seat: int) -> None:
        """Refuse unless a person has been away for so long that others may let a bot play for them."""
        name, gone = self.table.lobby.seats[seat].name, self._away().get(seat)
        if gone is None:
            raise Refusal(say("is here", "{name:text} is here: a bot plays only for people who are away.", name=name))
        if self.table.settings.pace.person >= SLOW_SECONDS:
            how = "This table is played slowly: a bot takes over by itself when a person's time is up."
            raise Refusal(say("slow pace", how))
        if gone < AWAY_SECONDS:
            how = "{name:text} was here less than {seconds|# second|# seconds} ago; wait a moment."
            raise Refusal(say("was here", how, name=name, seconds=round(AWAY_SECONDS)))

    def _patience(self, seconds: float) -> float:
        """How long someone must be away to be replaced as host: where people play slowly, nobody waits at the table."""
        person = self.table.settings.pace.person
        return person if person >= SLOW_SECONDS and self.table.phase == PLAYING else seconds

    def _anyone_there(self) -> bool:
        """Whether a person plays or watches: bots do not play for nobody."""
        return bool(self.telling.listeners) or any(seat.tokens and not seat.bot for seat in self.table.lobby.seats)

    # clocks

    def _time_left(self) -> float | None:
        """How many seconds the person who decides still has, where the table has a pace for people."""
        if self._clock is None or self.table.phase != PLAYING:
            return None
        return round(max(0.0, self._turn_ends - self.services.awake.time()), 1)

    def waited(self) -> int | None:
        """For how many seconds it has been the turn of a person, as far as is known; None where it is no person's."""
        deciding = self.table.deciding
        if deciding < 0 or self.table.lobby.seats[deciding].bot:
            return None
        self._look_whose_turn()
        return max(0, int(self.services.awake.time() - self._waits_since))

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def schedule(self) -> None:
        """Make sure that what is due happens: a bot's move, the end of a person's time, or of the time for entropy."""
        self._stop_clock()
        if self.services.closing or self.dropped:
            return
        table = self.table
        self._look_whose_turn()
        if table.phase == SEALING:
            self._set_clock(SHOWING_SECONDS, Table.start)
        elif table.phase == PLAYING:
            seat = table.deciding
            if table.lobby.seats[seat].bot:
                if self.thinking.turns is None and self._anyone_there():
                    self.thinking.turns = asyncio.create_task(self._bot_turns())
            elif table.settings.pace.person:
                self._set_clock(table.settings.pace.person, lambda at: at.lobby.step_aside(seat, "silent"))

    def _look_whose_turn(self) -> None:
        """Time starts over with every turn, and when the person who decides comes back (not too often in one turn)."""
        turn = self._this_turn()
        if turn != self._turn:
            same, first = turn[:2] == self._turn[:2], not self._turn[0]
            if not same:
                self._waits_since = self.services.awake.time() + (self._waits_since if first else 0.0)
            self._returns = self._returns + 1 if same else 0
            self._turn = turn
            if self._returns <= MOST_RETURNS:
                self._turn_began = self.services.awake.time()

    def _this_turn(self) -> tuple[str, int, int]:
        table = self.table
        returned = table.lobby.seats[table.deciding].returned if table.deciding >= 0 else -1
        return table.phase, table.position, returned

    def _set_clock(self, seconds: float, doing: Callable[[Table], Any]) -> None:
        """Do something when the turn has taken so many seconds, without those in which the server stood still."""
        self._turn_ends = self._turn_began + seconds
        left = max(0.0, self._turn_ends - self.services.awake.time())
        self._clock = asyncio.get_running_loop().call_later(left, self._time_is_up, doing)

    def _time_is_up(self, doing: Callable[[Table], Any]) -> None:
        """Do what the clock was set for, unless the turn has passed."""
        self._clock = None
        if self._turn_ends - self.services.awake.time() > 0.01:  # the server stood still in the meantime
            self._set_clock(self._turn_ends - self._turn_began, doing)
            return
        turn = self._turn

        def unless_passed(table: Table) -> None:
            if self._this_turn() == turn:
                doing(table)

        self.services.later(self._change_quietly(unless_passed))

    async def _change_quietly(self, doing: Callable[[Table], Any]) -> None:
        try:
            await self.change(doing)
        except (Refusal, StoreError) as error:
            note.warning("table %s: %s", self.table.name, error)

    # bots

    async def _bot_turns(self) -> None:
        """Let bots move as long as it is their turn."""
        try:
            while await (meter := Meter()).run(self._bot_turn()):
                await asyncio.sleep(self._pay_for_bots(meter.seconds))
        except (StoreError, Refusal) as error:
            note.warning("table %s: %s", self.table.name, error)
        finally:
            self.thinking.turns = None

    async def _bot_turn(self) -> bool:
        """Let a bot move at the table's pace; False where it is not the turn of a bot."""
        table = self.table
        if self.dropped or self.services.closing or table.phase != PLAYING or not self._anyone_there():
            return False
        async with self.exclusive():
            seat = table.deciding
            level = table.lobby.seats[seat].bot if seat >= 0 else ""
            if not level:
                return False
            size, began = table.size, now()
            thinking = self.thinking.move(seat, level)
        steps = await thinking
        await asyncio.sleep(max(0.0, self.bot_pace() - (now() - began)))

        def move(at: Table) -> None:
            if at.size == size:  # nothing has happened in the meantime
                bot_moves(at, seat, steps)

        await self.change(move)
        return True

    def _pay_for_bots(self, seconds: float) -> float:
        """Charge a bot's move to all who are here; how many seconds the next one waits if they used up their share."""
        limits = self.services.limits
        addresses = {listener.address for listener in self.telling.listeners} - {""}
        return 0.0 if limits is None else min(LONGEST_WAIT, limits.charge_bots(addresses, seconds))

    def bot_pace(self) -> float:
        """How many seconds a bot takes, however long it thinks: others could tell from that what it holds."""
        people = self.table.lobby.people
        pace = 0.0 if self.hastened and people == 1 else self.table.settings.pace.bot
        if pace < SHORTEST_PACE and (people > 1 or not self.services.bots.quick_moves.take()):
            return SHORTEST_PACE
        return pace


def bot_moves(table: Table, seat: int, steps: list[int] | None) -> None:
    """Make a bot's move; where it has none, or an illegal one, it is replaced."""
    try:
        if steps is not None:
            table.act(seat, steps)
            return
    except Refusal:
        pass
    table.lobby.replace_bot(seat)
