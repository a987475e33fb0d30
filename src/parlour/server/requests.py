"""Answering requests: each is checked, done at most once, and always answered."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ..engine.errors import Refusal
from ..engine.messages import say
from ..play.sitting import SPECTATOR
from . import live_table
from . import messages as wire
from .company import USED_ID
from .limits import TOO_MANY_TABLES
from .listener import Listener
from .live_table import LiveTable
from .lobby import STAND_IN, digest
from .protocols import sentence_of
from .room import Room
from .rows import Action, action_of
from .store import StoreError
from .table import NO_REMATCH, Table
from .telling import SEAT_LOST

WENT_WRONG = say("went wrong", "Something went wrong here; it was noted.")

note = logging.getLogger("parlour.table")


class Requests:
    """Answers the requests of one listener at a table."""

    def __init__(
        self, room: Room, live: LiveTable, listener: Listener, may_open: Callable[[], bool] = lambda: True
    ) -> None:
        self.room = room
        self.may_open = may_open  # another table, now
        self.live = live
        self.listener = listener
        self.protocol = listener.protocol
        self.counts = room.services.counts

    async def answer(self, asked: Any) -> wire.Message:
        """The answer to a request; every one gets an answer, each time it is sent."""
        try:
            return await self.handle(asked)
        except Refusal as refusal:
            self.counts["refused"] += 1
            settings = self.live.table.settings
            sentence = self.protocol.sentence(settings.game, refusal, settings.options)
            return wire.Refused(asked.id, sentence, refusal.clause)
        except StoreError as error:
            self.counts["failed"] += 1
            return wire.Failed(asked.id, self.protocol.said(sentence_of(error)))
        except Exception:
            self.counts["failed"] += 1
            note.exception("table %s: a request failed", self.live.table.name)
            return wire.Failed(asked.id, self.protocol.said(WENT_WRONG))

    async def handle(self, asked: Any) -> wire.Message:
        """Do what a request asks for; a refusal or a failure raises."""
        seat = self.listener.seat
        if seat == SPECTATOR:
            raise Refusal(say("spectators", "Spectators watch."))
        if isinstance(asked, wire.Talking):
            return await self._talk(asked)
        if self.live.table.lobby.seats[seat].bot and not isinstance(asked, wire.Leave):
            try:
                await self.live.change(lambda table: self._seated(table).lobby.come_back(seat))
            except Refusal:  # the budget for that is used up; moves, and what the host may do, are never refused for it
                if isinstance(asked, wire.Back):
                    raise
        match asked:
            case wire.Follow():
                return await self._follow(asked)
            case wire.Hint():
                return await self._hint(asked)
            case wire.Hasten():
                return self._hasten(asked)
            case wire.Rematch():
                return await self._rematch(asked)
        answer: wire.Message = await self.live.change(lambda table: self._once(table, asked))
        return answer

    # requests that have one effect

    def _action(self, asked: Any) -> Action:
        """The mark of a request. Its id belongs to the person, not to the seat: the next person may use it again."""
        seat = self.listener.seat
        since = self.live.table.lobby.seats[seat].since
        return action_of(f"{seat} {since}", asked.id, wire.encode(asked))

    def _once(self, table: Table, asked: Any) -> wire.Message:
        """Do what a request asks for, unless it was done before or answers a position that has passed."""
        action = self._action(asked)
        done = self._done_before(self._seated(table), asked.id, action)
        if done is not None:
            return done
        if isinstance(asked, wire.Act | wire.Undo):
            if asked.number <= table.position:
                return self._stale(table, asked)
            if asked.number > table.size:
                raise Refusal(table.log.contradiction(asked.number))
        number = table.size
        self._do(table, asked, action)
        self.counts["moves"] += isinstance(asked, wire.Act)
        return wire.Done(asked.id, number)

    def _done_before(self, table: Table, name: str, action: Action) -> wire.Done | None:
        """The answer to a request that was carried out before."""
        known = table.log.actions.get(action.key)
        if known is None:
            return None
        body, number = known
        if body != action.body:
            raise Refusal(USED_ID)
        return wire.Done(name, number)

    def _stale(self, table: Table, asked: wire.Act | wire.Undo) -> wire.Stale:
        self.counts["stale"] += 1
        news = self.live.telling.news(self.listener.seat, asked.number, self.protocol)
        self.listener.number = table.size
        return wire.Stale(asked.id, news)

    def _seated(self, table: Table) -> Table:
        """The table, if the listener still has a seat there."""
        if not self.live.telling.still_seated(self.listener):
            raise Refusal(SEAT_LOST)
        return table

    def _do(self, table: Table, asked: Any, action: Action) -> None:
        seat, lobby = self.listener.seat, table.lobby
        match asked:
            case wire.Act():
                table.act(seat, asked.move, action)
            case wire.Undo():
                table.undo(seat, action)
            case wire.Start():
                table.begin(seat, action)
            case wire.Show():
                table.show(seat, asked.entropy, action)
            case wire.Bot():
                lobby.put_bot(seat, asked.seat, asked.level, action)
            case wire.Host():
                lobby.hand_on(seat, asked.seat, action)
            case wire.Claim():
                self._check_claim()
                lobby.claim_host(seat, action)
            case wire.Remove():
                lobby.remove(seat, asked.seat, action)
            case wire.Stand():
                lobby.stand(seat, action)
            case wire.End():
                table.end(seat, action)
            case wire.Back():
                pass  # every request brings its person back
            case wire.Leave():
                lobby.step_aside(seat, "left", action)
            case wire.Cover():
                self._cover(table, asked.seat, action)
            case wire.Carry():
                lobby.carry(seat, digest(asked.code), action)
            case wire.Alone():
                lobby.keep_one_device(seat, self.listener.token, action)
            case _:
                raise Refusal(say("not here", "This cannot be asked here."))

    def _check_claim(self) -> None:
        if not self.live.host_is_away():
            how = "The host is here, or was here less than {seconds|# second|# seconds} ago."
            raise Refusal(say("host here", how, seconds=round(live_table.HOST_SECONDS)))

    def _cover(self, table: Table, seat: int, action: Action) -> None:
        """Let a bot play for a person who is away, where the others wait for them."""
        if table.lobby.covered(seat):
            return  # as another person has asked, too
        if table.deciding != seat:
            how = "It is not the turn of {name:text}: nobody waits for them."
            raise Refusal(say("nobody waits", how, name=table.lobby.seats[seat].name))
        self.live.check_away(seat)
        table.lobby.step_aside(seat, "away", action)

    # requests that write nothing

    async def _follow(self, asked: wire.Follow) -> wire.Message:
        async with self.live.exclusive() as table:
            ahead = self._seated(table).following(self.listener.seat, asked.prefix)
            decision = ahead.decision and self.protocol.entry(table.game, ahead.decision)
            more = {} if ahead.seen is None else self.protocol.shown(table.game, ahead.seen)
        legal = self.protocol.choices(ahead.legal)
        return wire.Following(asked.id, legal, ahead.view, decision, list(ahead.only), **more)

    async def _hint(self, asked: wire.Hint) -> wire.Message:
        seat, thinking = self.listener.seat, self.live.thinking
        async with self.live.exclusive() as table:
            self._seated(table)
            if not table.settings.hints:
                raise Refusal(say("no hints", "This table gives no hints."))
            if table.deciding != seat:
                raise Refusal(say("your turn", "It is not your turn."))
            if seat in thinking.seats:
                raise Refusal(say("hint coming", "A hint for you is being thought about already."))
            coming = thinking.advice(seat)
        found = await coming
        settings = self.live.table.settings
        return self.protocol.advice(asked.id, settings.game, found, settings.options)

    def _hasten(self, asked: wire.Hasten) -> wire.Message:
        if self.live.table.lobby.people > 1:
            raise Refusal(say("hasten", "Bots are hastened only where one person plays."))
        self.live.hastened = asked.on
        return wire.Done(asked.id, self.live.table.size)

    async def _talk(self, asked: wire.Say | wire.Nudge | wire.Ready) -> wire.Message:
        """Say something to the others: nothing is written, and nobody comes back to their seat by it."""
        seat, company = self.listener.seat, self.live.telling.company
        async with self.live.exclusive() as table:
            self._seated(table)
            if not company.done_before(self._action(asked)):
                match asked:
                    case wire.Say():
                        company.say(seat, asked.phrase)
                    case wire.Nudge():
                        company.nudge(seat, self.live.waited())
                        if self.live.reminding is not None:
                            self.live.reminding.nudge(table.deciding)
                    case wire.Ready():
                        company.be_ready(seat, asked.on)
                company.did(self._action(asked))
            return wire.Done(asked.id, table.size - 1)

    # a rematch

    async def _rematch(self, asked: wire.Rematch) -> wire.Message:
        """Another table for the same people, each with the token they have."""
        live, action = self.live, self._action(asked)
        async with live.exclusive() as table:
            done = self._done_before(self._seated(table), asked.id, action)
            if done is not None:
                return done
            table.check_rematch()
            if live.rematching:
                raise Refusal(NO_REMATCH)
            if not self.may_open():
                raise Refusal(TOO_MANY_TABLES)
            live.rematching = True
        try:
            fresh = await self._same_again()
            await live.change(lambda table: self._seated(table).name_rematch(fresh, action))
        finally:
            live.rematching = False
        return wire.Done(asked.id, live.table.log.actions[action.key][1])

    async def _same_again(self) -> str:
        """The name of a new table with the same settings, people and bots.

        Its host is the same person if they are here, and whoever asks otherwise.
        """
        old, settings = self.live.table, self.live.table.settings
        host = old.lobby.host if old.lobby.host in self.live.telling.here() else self.listener.seat
        fresh, _ = await self.room.open(
            game=settings.game.name,
            players=settings.players,
            options=settings.recorded,  # what came later is played as usual now
            is_open=settings.is_open,
            hints=settings.hints,
            pace=settings.pace,
            invite=settings.invite,
            programs=settings.programs,
            phrases=settings.phrases,
        )

        def sit(table: Table) -> None:
            for number, each in enumerate(old.lobby.seats):
                if each.tokens:
                    table.lobby.sit_again(number, each)
            if table.lobby.host != host:
                table.lobby.hand_on(table.lobby.host, host)
            for number, each in enumerate(old.lobby.seats):
                if not each.tokens:
                    table.lobby.put_bot(host, number, each.bot or STAND_IN)

        await fresh.change(sit)
        return fresh.table.name
