"""The room: all tables, in memory or in the store; opening, joining, loading and clearing them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from ..engine.errors import Refusal
from ..engine.messages import say
from ..play.sitting import SPECTATOR, secret_of
from . import cost
from .clock import Luck, now
from .listener import Listener
from .live_table import LiveTable
from .lobby import digest
from .memory import clear_memory
from .messages import Described
from .notices import Notices, id_of
from .protocols import CURRENT, Protocol
from .reading import replayed
from .replay_pages import Page
from .retention import GRACE_DAYS, RETENTION_DAYS, Retention, done
from .reviews import NO_SEAT as NO_SUCH_SEAT
from .reviews import ReviewState
from .rows import Damaged
from .sealed import again_of
from .series import Forbidden, Missing, Series
from .services import Services
from .settings import USUAL_PACE, Pace
from .statements import Shown, Signer
from .store import Elsewhere, Store, StoreError, Window
from .table import OVER, PLAYING, SEALING, Table
from .thinking import BotPool

NAME_BYTES = 9
TOKEN_BYTES = 24
SILENT_SECONDS = 120.0  # without a word from a client, before it is cut off; it pings more often than that
IDLE_SECONDS = 10.0  # before a table that nobody listens to leaves memory
LEAST_GONE = 1000  # tables and listeners, before their memory is worth a pause
MOST_LISTED = 100  # open tables
MOST_LOADING = 2000  # tables at once, of all who come back after a start; loading one takes some milliseconds
LOADING_SECONDS = 0.1  # after which there may be room
PURGED_AT_ONCE = 20  # tables that are deleted in one transaction, for which all moves wait
GOING_DOWN = say("going down", "The server is going down for a moment; come back.")
DAMAGED = say(
    "damaged", "This table was damaged on the server's disk and is set apart; its operator can see it in the log."
)
MANY_LOADING = say("many loading", "Many tables are being loaded at the moment; come back in a minute.")
NO_SEAT = say("no seat", "This token has no seat at this table.")
SILENT = say("silent", "Nothing was heard of you; come back when you are there.")

note = logging.getLogger("parlour.table")


class Room:
    """All tables."""

    def __init__(
        self,
        store: Store,
        bots: BotPool | None = None,
        clock: Callable[[], float] = time.time,
        luck: Luck = secrets,
        signer: Signer | None = None,
        monotonic: Callable[[], float] = now,
        notices: Notices | None = None,
    ) -> None:
        self.retention = Retention(store, clock, monotonic)
        self.services = Services(store, bots or BotPool(), self.retention.time, signer=signer, notices=notices)
        self.luck = luck
        self.series = Series(store, self.find)
        self.tables: dict[str, LiveTable] = {}  # in memory
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        # one after the other, so that those who wait for a table do not take the time of those who play
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="parlour-load")

    # tables

    async def open(
        self,
        *,
        game: str,
        players: int,
        options: dict[str, Any],
        is_open: bool = False,
        hints: bool = True,
        deal: int | None = None,
        pace: Pace = USUAL_PACE,
        invite: bytes = b"",
        programs: bool = True,
        phrases: bool = True,
        copies: str = "",
        like: str = "",
        again: tuple[str, int, int] | None = None,
    ) -> tuple[LiveTable, str]:
        """A new table, and the code that invites to it; with `invite`, the digest of an older code invites instead.

        Whoever has the key `copies` of a table may open others `like` it, at which the same cards are dealt. `again`
        names a sitting that is over, a seat and a number of moves: it is played again from there.
        """
        name = self.luck.token_urlsafe(NAME_BYTES)
        code = self.luck.token_urlsafe(TOKEN_BYTES)
        # a numbered deal is for one person and bots: anyone who knows the number can play the same cards
        secret = self.luck.token_bytes(32) if deal is None else secret_of(f"deal {deal}")
        first = await self.series.first(like, copies, (game, players, options)) if like else None
        if first is not None:
            secret = first.table.secret
        more: dict[str, Any] = {}
        if again is not None:
            old, seat, moves = again
            if deal is not None or is_open or copies or like:
                how = "A sitting that is played again is for one person alone: it has no number, and is not open."
                raise Refusal(say("again alone", how))
            source = await self.find(old)
            async with self.series.exclusive(source) as before:
                game, players, options, secret, more["again"] = played_again(before, seat, moves)
        table = Table.open(
            name,
            secret,
            game=game,
            players=players,
            options=options,
            invite=invite or digest(code),
            opened=time.strftime("%Y-%m-%d", time.gmtime(self.services.clock())),
            is_open=is_open,
            hints=hints,
            deal=deal,
            pace=pace,
            programs=programs,
            phrases=phrases,
            copies=digest(copies) if copies and first is None else b"",
            series=like if first is not None else "",
            **more,
        )
        if first is not None:  # it must be known there before anyone can play here
            await first.change(lambda known: known.copy(name))
        await self.services.save(table)
        self.services.counts["tables"] += 1
        return self._take_in(table), code

    def _take_in(self, table: Table, idle: float = 0.0) -> LiveTable:
        live = self.tables[table.name] = LiveTable(table, self.services, self._dropped, idle)
        return live

    def _dropped(self, live: LiveTable) -> None:
        if self.tables.get(live.table.name) is live:
            del self.tables[live.table.name]
            self.services.gone += 1

    async def find(self, name: str, told: int = 0) -> LiveTable:
        """A table by its name, from memory or from its log; `told` is how many rows somebody was told of."""
        live = self.tables.get(name)
        if live is not None and (live.term != self.services.store.term or told > live.table.size):
            live = await self._if_ours(live)
        if live is not None:
            live.touched = now()
            return live
        if self.services.closing:
            raise StoreError(GOING_DOWN)
        if name in self._loading:
            return await asyncio.shield(self._loading[name])
        if len(self._loading) >= MOST_LOADING:
            raise StoreError(MANY_LOADING)
        coming = self._loading[name] = asyncio.get_running_loop().create_future()
        try:
            live = await self._load(name)
        except BaseException as error:
            coming.set_exception(error)
            coming.exception()
            raise
        else:
            coming.set_result(live)
            return live
        finally:
            del self._loading[name]

    async def _if_ours(self, live: LiveTable) -> LiveTable | None:
        """A table in memory, unless another process has it by now."""
        store, name = self.services.store, live.table.name
        term = store.term
        if await cost.in_thread(partial(store.lost, [name])):
            live.lose()
            return None
        live.term = term
        return None if live.dropped else live

    async def _load(self, name: str) -> LiveTable:
        table, touched = await cost.in_thread(partial(self._read, name), self._loader)
        live = self._take_in(table, max(0.0, self.services.clock() - touched))
        live.schedule()
        return live

    def _read(self, name: str) -> tuple[Table, int]:
        """A table from its log, and when something last happened there; one that is damaged is set apart."""
        store = self.services.store
        try:
            found = store.table(name)
            if found is None:
                raise Missing(say("no table", "There is no such table."))
            return replayed(*found), found[0].touched
        except Damaged as error:
            store.set_apart(name, str(error))
            raise Damaged(DAMAGED) from None

    async def resume(self) -> int:
        """After a start, load the tables that go on by themselves; how many. The others wait for their people."""
        due = await asyncio.to_thread(self.services.store.due)
        for summary in due:
            while len(self._loading) >= MOST_LOADING:
                await asyncio.sleep(LOADING_SECONDS)
            try:
                await self.find(summary.name)
            except Damaged:
                pass  # the store has noted it
            except Exception as error:  # one that cannot be loaded does not stop the others
                note.error("table %s does not go on: %s", summary.name, error)
        return len(due)

    async def take_over(self) -> int:
        """Go on with the tables of processes that are gone, and drop those that others have taken; how many of both."""
        store = self.services.store
        mine = list(self.tables)
        lost = await asyncio.to_thread(store.lost, mine) if mine else []
        for name in lost:
            live = self.tables.get(name)
            if live is not None:
                live.lose()
        orphans = await asyncio.to_thread(store.orphans)
        for name in orphans:
            try:
                await self.find(name)
            except (Damaged, Missing, StoreError):
                pass  # the store has noted it, or another process was quicker
        return len(lost) + len(orphans)

    def leave_to_others(self, live: LiveTable) -> None:
        """Let another process have a table that nobody has come to: whichever is asked for it next."""
        if self.services.store.shared and not live.telling.listeners:
            live.drop()
            self._release([live.table.name])

    def _release(self, names: list[str]) -> None:
        """Leave tables to other processes, if there are any."""

        async def quietly() -> None:
            with suppress(StoreError):  # then they stay with this process
                await done(releasing)

        if names and self.services.store.shared:
            releasing = self.services.store.release(names)
            self.services.later(quietly())

    # what anyone may ask

    async def open_tables(self) -> list[Described]:
        """Open tables at which people gather."""
        found = []
        for summary in await cost.in_thread(partial(self.services.store.open_tables, MOST_LISTED)):
            try:
                found.append(await self.described(summary.name))
            except (Damaged, Missing):
                pass  # the store has noted it, or it was deleted in the meantime
        return found

    async def described(self, name: str) -> Described:
        """What everyone may know of a table, and whose turn it is unless spectators are to see that later."""
        try:
            live = await self.find(name)
        except Elsewhere:
            return await cost.in_thread(partial(self._described_as_stored, name))
        async with live.exclusive() as table:
            found = described(table)
            if "turn" in found and (waited := live.waited()) is not None:
                found["waited"] = waited
            return found

    def _described_as_stored(self, name: str) -> Described:
        """What everyone may know of a table that another process has."""
        found = self.services.store.peek(name)
        if found is None:
            raise Missing(say("no table", "There is no such table."))
        return described(replayed(*found))

    async def record(self, name: str) -> dict[str, Any]:
        """The record of a sitting that is over."""
        live = await self.find(name)
        async with self.series.exclusive(live) as table:
            return table.record()

    async def record_text(self, name: str) -> bytes:
        """The record of a sitting that is over, as JSON; it never changes, so it is written once for many who ask."""
        await self.find(name)  # another process may have deleted it, or it is marked
        found = self.services.records.get(name)
        if found is None:
            found = msgspec.json.encode(await self.record(name))
            self.services.records.put(name, found)
        return found

    async def replay(self, name: str, first: int, seat: int = SPECTATOR, words: str = "") -> Page:
        """A page of a sitting that is over, with all hands, as told to a seat; `words` are "keys" or ""."""
        live = await self.find(name)
        async with self.series.exclusive(live) as table:
            coming = self.services.replays.page(table, first, seat, words)
        page = await coming
        cost.add(page.cpu)
        return page

    async def review(self, name: str, seat: int, protocol: Protocol, asks: str | None = None) -> ReviewState:
        """How far the review of a sitting that is over is; `asks` is the address that asks for it, and pays."""
        live = await self.find(name)
        async with self.series.exclusive(live) as table:
            if asks is not None:
                self.services.reviews.ask(table, seat, asks, self.services.limits)
            return self.services.reviews.state(table, seat, protocol)

    # people

    async def join(
        self,
        name: str,
        code: str,
        person: str,
        seat: int | None = None,
        promise: str | None = None,
        token: str | None = None,
        program: str = "",
    ) -> tuple[int, str]:
        """Sit down by an invitation, or at an open table without one; the seat and its token.

        A client that brings a token of its own may ask again, where no answer came, and sits down once.
        """
        live = await self.find(name)
        await self.series.check_joined(live.table)
        own = token or self.luck.token_urlsafe(TOKEN_BYTES)

        def sit(table: Table) -> int:
            seated = table.lobby.seat_of(digest(own))
            if seated != SPECTATOR:
                return seated
            settings = table.settings
            if not settings.is_open and not secrets.compare_digest(digest(code), settings.invite):
                raise Forbidden(say("no invitation", "This link does not invite to this table."))
            return table.lobby.sit(person, digest(own), seat, promise, program)

        return await live.change(sit), own

    async def carry(self, name: str, code: str, token: str | None = None) -> tuple[int, str]:
        """Take a seat along to another device; the seat and a token for that device. It may be asked again, too."""
        live = await self.find(name)
        own = token or self.luck.token_urlsafe(TOKEN_BYTES)

        def bring(table: Table) -> int:
            seated = table.lobby.seat_of(digest(own))
            return table.lobby.use_code(digest(code), digest(own)) if seated == SPECTATOR else seated

        return await live.change(bring), own

    # notices

    def _sender(self) -> Notices:
        """By whom notices are sent; refused where the server makes no outgoing calls."""
        if self.services.notices is None:
            raise Refusal(say("no outgoing", "This server sends no notices: its operator has not allowed that."))
        return self.services.notices

    async def _at_seat(self, name: str, token: str) -> tuple[LiveTable, int]:
        """A table, and the seat that a token opens there."""
        live = await self.find(name)
        seat = live.table.lobby.seat_of(digest(token))
        if seat == SPECTATOR:
            raise Forbidden(NO_SEAT)
        return live, seat

    async def notify(self, name: str, token: str, way: dict[str, str]) -> str:
        """A person wants to be told elsewhere; the id of that way, once its address has been checked."""
        sender = self._sender()
        await self._at_seat(name, token)
        await sender.outgoing.check(way["address"])
        live, seat = await self._at_seat(name, token)
        id = id_of(way)

        def add(table: Table) -> bool:
            if table.lobby.seat_of(digest(token)) != seat:
                raise Forbidden(NO_SEAT)
            new = id not in table.lobby.seats[seat].ways
            table.lobby.notify(seat, id, way)
            return new

        if await live.change(add) and live.reminding is not None and way["kind"] == "webhook":
            live.reminding.say_hello(seat, id)
        return id

    async def ways(self, name: str, token: str) -> dict[str, dict[str, str]]:
        """In which ways a person is told elsewhere."""
        live, seat = await self._at_seat(name, token)
        return live.table.lobby.seats[seat].ways

    async def silence(self, name: str, token: str, id: str) -> None:
        """A person is no longer told in some way."""
        live, seat = await self._at_seat(name, token)
        await live.change(lambda table: table.lobby.silence(seat, id))

    async def come_in(
        self,
        name: str,
        token: str | None,
        last: int | None,
        protocol: Protocol = CURRENT,
        shown: Shown | None = None,
    ) -> tuple[LiveTable, Listener]:
        """Someone comes to a table: with a token to its seat, without one as a spectator."""
        live = await self.find(name, last or 0)
        async with live.exclusive() as table:
            seat = SPECTATOR if token is None else table.lobby.seat_of(digest(token))
            if token is not None and seat == SPECTATOR:
                raise Forbidden(NO_SEAT)
            if seat == SPECTATOR:
                await self.series.check_watched(table)
            listener = Listener(seat, b"" if token is None else digest(token), protocol)
            live.welcome(listener, last, shown)
            live.schedule()
        return live, listener

    async def delete(self, name: str, token: str) -> None:
        """The host deletes a table at which nobody plays, with everything that is stored of it."""
        live = await self.find(name)
        async with live.exclusive() as table:
            host = table.lobby.host
            if host < 0 or table.lobby.seat_of(digest(token)) != host:
                raise Forbidden(say("host deletes", "Only the host deletes a table."))
            if table.phase in (PLAYING, SEALING):
                raise Refusal(say("not over", "The game is not over yet."))
            await self.series.check_deleted(table)
            await done(self.services.store.delete([name], now=int(self.services.clock())))
            self.services.forget(name)
            live.drop()
        for listener in live.telling.listeners:
            listener.cut_off(say("deleted", "The host has deleted this table."))

    # housekeeping

    def sweep(self) -> None:
        """Cut off silent listeners, and let tables leave memory at which nobody listens and nothing is due."""
        at, awake = now(), self.services.awake.time()
        here, left = 0, []
        for live in list(self.tables.values()):
            listeners = live.telling.listeners
            here += 1 + len(listeners)
            for listener in listeners:
                if listener.heard < awake - SILENT_SECONDS:
                    listener.cut_off(SILENT, again=True)
            if not listeners and not live.busy and live.touched < at - IDLE_SECONDS:
                live.drop()
                left.append(live.table.name)
        self._release(left)
        if self.services.gone > here + LEAST_GONE or (self.services.gone and not self.tables):
            self.services.gone = 0
            clear_memory()

    async def clear_out(self) -> int:
        """Mark tables whose time has passed, and delete those that were marked some time ago; how many of both."""
        at = await self.retention.look()
        store = self.services.store
        count = 0
        for phases, days in RETENTION_DAYS:
            old = self.retention.old(at, days)
            if old is not None:
                count += await self._mark(await asyncio.to_thread(store.old_tables, phases, old), old, at)
        old = self.retention.old(at, GRACE_DAYS)
        names = [] if old is None else await asyncio.to_thread(store.marked, old)
        for first in range(0, len(names), PURGED_AT_ONCE):
            await done(store.purge(names[first : first + PURGED_AT_ONCE], at))
        if names:
            note.info("%d tables were deleted, %d days after their time had passed", len(names), GRACE_DAYS)
        return count + len(names)

    async def _mark(self, names: list[str], old: Window, at: int) -> int:
        """Mark tables to which nobody listens, and without which no others would be shown too early; how many."""
        names = [name for name in names if name not in self.tables or not self.tables[name].telling.listeners]
        names = [name for name in names if not await self.series.needed(name)]
        for name in names:
            live = self.tables.get(name)
            if live is not None:
                async with live.lock:
                    live.drop()
        if names:
            await done(self.services.store.mark(names, old, at))
            note.info("%d tables will be deleted in %d days, as their time has passed", len(names), GRACE_DAYS)
        return len(names)

    async def say_goodbye(self) -> None:
        """Begin nothing new, store what was begun, and tell everyone."""
        self.services.closing = True
        leaving: list[Listener] = []
        for live in list(self.tables.values()):
            async with live.lock:
                live.drop()
            leaving += live.telling.listeners
        await asyncio.to_thread(self.services.store.give_up)
        for listener in leaving:
            listener.end(GOING_DOWN)

    async def close(self) -> None:
        """Stop gracefully."""
        self.services.reviews.close()
        self.services.days.close()
        await self.say_goodbye()
        self.services.bots.close()
        if self.services.notices is not None:
            self.services.notices.close()
        self._loader.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.services.store.close)


def played_again(table: Table, seat: int, moves: int) -> tuple[str, int, dict[str, Any], bytes, dict[str, Any]]:
    """The game, players, options and secret of a sitting that is over, and how it is played again."""
    settings = table.settings
    if table.phase != OVER:
        raise Refusal(say("again over", "A sitting is played again when it is over, and it is not over yet."))
    if settings.rules != settings.game.rules:
        raise Refusal(say("again rules", "This sitting was played by older rules; it cannot be played again by them."))
    if seat >= settings.players:
        raise Refusal(NO_SUCH_SEAT)
    again = again_of(table.begun(), table.name, seat, moves)
    return settings.game.name, settings.players, settings.recorded, table.secret, again


def described(table: Table) -> Described:
    """What everyone may know of a table, and whose turn it is unless spectators are to see that later."""
    found = table.described()
    if table.phase == PLAYING and not table.settings.pace.spectator:
        found["turn"] = table.playing().sitting.seat
    return found
