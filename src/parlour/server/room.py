"""The room: all tables, in memory or in the store; opening, joining, loading and clearing them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
from .protocols import CURRENT, Protocol
from .reading import replayed
from .replay_pages import Page
from .retention import GRACE_DAYS, RETENTION_DAYS, Retention, done
from .rows import Damaged
from .services import Services
from .settings import USUAL_PACE, Pace
from .statements import Shown, Signer
from .store import Store, StoreError, Window
from .table import PLAYING, SEALING, Table
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
SILENT = say("silent", "Nothing was heard of you; come back when you are there.")

note = logging.getLogger("parlour.table")


class Missing(Refusal):
    """Not found."""


class Forbidden(Refusal):
    """Not allowed."""


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
    ) -> None:
        self.retention = Retention(store, clock, monotonic)
        self.services = Services(store, bots or BotPool(), self.retention.time, signer=signer)
        self.luck = luck
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
    ) -> tuple[LiveTable, str]:
        """A new table, and the code that invites to it; with `invite`, the digest of an older code invites instead."""
        name = self.luck.token_urlsafe(NAME_BYTES)
        code = self.luck.token_urlsafe(TOKEN_BYTES)
        # a numbered deal is for one person and bots: anyone who knows the number can play the same cards
        secret = self.luck.token_bytes(32) if deal is None else secret_of(f"deal {deal}")
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
        )
        await self.services.save(table)
        self.services.counts["tables"] += 1
        return self._take_in(table), code

    def _take_in(self, table: Table) -> LiveTable:
        live = self.tables[table.name] = LiveTable(table, self.services, self._dropped)
        return live

    def _dropped(self, live: LiveTable) -> None:
        if self.tables.get(live.table.name) is live:
            del self.tables[live.table.name]
            self.services.gone += 1

    async def find(self, name: str) -> LiveTable:
        """A table by its name, from memory or from its log."""
        live = self.tables.get(name)
        if live is not None:
            live.touched = now()
            return live
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

    async def _load(self, name: str) -> LiveTable:
        table = await cost.in_thread(partial(self._read, name), self._loader)
        live = self._take_in(table)
        live.schedule()
        return live

    def _read(self, name: str) -> Table:
        """A table from its log; one that is damaged is set apart."""
        store = self.services.store
        try:
            found = store.table(name)
            if found is None:
                raise Missing(say("no table", "There is no such table."))
            return replayed(*found)
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
        async with (await self.find(name)).exclusive() as table:
            found = table.described()
            if table.phase == PLAYING and not table.settings.pace.spectator:
                found["turn"] = table.playing().sitting.seat
            return found

    async def record(self, name: str) -> dict[str, Any]:
        """The record of a sitting that is over."""
        async with (await self.find(name)).exclusive() as table:
            return table.record()

    async def record_text(self, name: str) -> bytes:
        """The record of a sitting that is over, as JSON; it never changes, so it is written once for many who ask."""
        found = self.services.records.get(name)
        if found is None:
            found = msgspec.json.encode(await self.record(name))
            self.services.records.put(name, found)
        return found

    async def replay(self, name: str, first: int, seat: int = SPECTATOR, words: str = "") -> Page:
        """A page of a sitting that is over, with all hands, as told to a seat; `words` are "keys" or ""."""
        async with (await self.find(name)).exclusive() as table:
            coming = self.services.replays.page(table, first, seat, words)
        page = await coming
        cost.add(page.cpu)
        return page

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

    async def come_in(
        self,
        name: str,
        token: str | None,
        last: int | None,
        protocol: Protocol = CURRENT,
        shown: Shown | None = None,
    ) -> tuple[LiveTable, Listener]:
        """Someone comes to a table: with a token to its seat, without one as a spectator."""
        live = await self.find(name)
        async with live.exclusive() as table:
            seat = SPECTATOR if token is None else table.lobby.seat_of(digest(token))
            if token is not None and seat == SPECTATOR:
                raise Forbidden(say("no seat", "This token has no seat at this table."))
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
                raise Refusal(say("not over", "The sitting is not over yet."))
            await done(self.services.store.delete([name], now=int(self.services.clock())))
            self.services.forget(name)
            live.drop()
        for listener in live.telling.listeners:
            listener.cut_off(say("deleted", "The host has deleted this table."))

    # housekeeping

    def sweep(self) -> None:
        """Cut off silent listeners, and let tables leave memory at which nobody listens and nothing is due."""
        at, awake = now(), self.services.awake.time()
        here = 0
        for live in list(self.tables.values()):
            listeners = live.telling.listeners
            here += 1 + len(listeners)
            for listener in listeners:
                if listener.heard < awake - SILENT_SECONDS:
                    listener.cut_off(SILENT, again=True)
            if not listeners and not live.busy and live.touched < at - IDLE_SECONDS:
                live.drop()
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
        """Mark tables to which nobody listens; how many."""
        names = [name for name in names if name not in self.tables or not self.tables[name].telling.listeners]
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
        for live in list(self.tables.values()):
            async with live.lock:
                live.drop()
            for listener in live.telling.listeners:
                listener.end(GOING_DOWN)

    async def close(self) -> None:
        """Stop gracefully."""
        await self.say_goodbye()
        self.services.bots.close()
        self._loader.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.services.store.close)
