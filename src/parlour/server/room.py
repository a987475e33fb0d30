"""The room: all tables, who listens at each, what is stored before it is told, and whose turn the clock is on."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from ..engine.errors import Refusal
from ..engine.view import View
from ..play.sentences import Teller
from ..play.sitting import SPECTATOR, secret_of
from . import messages as wire
from . import replays
from .limits import Bucket
from .rows import Action, Damaged, Row, action_of
from .store import Batch, Kept, Store, StoreError, Unsure
from .table import GATHERING, KEEPER, OVER, PLAYING, SEALING, USUAL_PACE, Pace, Table, digest
from .thinking import Minds, bots_seed

NAME_BYTES = 9
TOKEN_BYTES = 24
MOST_WAITING = 256  # messages that a listener may be behind
MOST_WAITING_BYTES = 1 << 20
SHOWING_SECONDS = 5.0  # to show promised entropy
SILENT_SECONDS = 120.0  # without a word from a client; it pings more often than that
IDLE_SECONDS = 10.0  # before a table that nobody listens to leaves memory
LEAST_GONE = 1000  # tables and listeners, before their memory is worth a pause
MOST_EVENTS = 1000  # that are sent at once; earlier ones are in the record
MOST_LISTED = 100  # open tables
RETENTION = (((GATHERING,), 2), ((SEALING, PLAYING), 90), ((OVER,), 365))  # days since anything happened there
ATTENTIVE_TABLES = 200  # whose bots' memories are kept; others are made again from the log
LEAST_PACE = 0.25  # seconds of a bot, where more than one person plays
HASTY_MOVES = 200.0  # a second, of the bots of all who play alone and do not wait for them
MOST_ROWS = 20_000  # of a table
HOST_SECONDS = 30.0  # that a host is away before another person may take the role
BOT_SECONDS = 30.0  # before a bot that has not answered is taken to have failed

Answer = TypeVar("Answer")
note = logging.getLogger("parlour.table")


def rarely_collect() -> None:
    """Let Python look for garbage among the newest objects only, until it is asked to look through all.

    With thousands of sockets that takes half a second, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 1_000_000, 1_000_000)


def clear_memory() -> None:
    """Find all garbage, and give memory that is free back to the machine, where its C library can."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Missing(Refusal):
    """What is asked for is not there."""


class Forbidden(Refusal):
    """It is not for who asks."""


class Listener:
    """Someone at a socket: a seat's person or a spectator. What they are to be sent waits here."""

    def __init__(self, seat: int, token: bytes = b"") -> None:
        self.seat = seat
        self.token = token  # the digest of the one they came with
        self.number = 0
        self.waiting: deque[bytes] = deque()
        self.size = 0
        self.ready = asyncio.Event()
        self.heard = time.monotonic()  # when they last said something
        self.cut = ""  # why no more is sent,
        self.again = False  # and whether it is worth coming back
        self.ending = ""  # why, after what waits, no more is sent

    def send(self, message: bytes) -> None:
        """Let a message wait to be sent; who does not read is cut off, and hurts nobody else."""
        if self.cut:
            return
        self.waiting.append(message)
        self.size += len(message)
        if len(self.waiting) > MOST_WAITING or (len(self.waiting) > 1 and self.size > MOST_WAITING_BYTES):
            self.cut_off("You were not reading; come back when you are.", again=True)
        self.ready.set()

    def cut_off(self, why: str, again: bool = False) -> None:
        self.again = self.again if self.cut else again
        self.cut = self.cut or why
        self.ready.set()

    def end(self, why: str) -> None:
        """Send what waits, and then no more."""
        self.ending = self.ending or why
        self.ready.set()

    def next(self) -> bytes | None:
        """The next message, if one waits."""
        if not self.waiting:
            self.ready.clear()
            return None
        message = self.waiting.popleft()
        self.size -= len(message)
        return message


class Past(NamedTuple):
    """What spectators of a delayed table are sent when its time has come: all of them, or one who has just come."""

    due: float
    since: int | None
    number: int
    message: bytes
    only: Listener | None


def persons_at(table: Table) -> int:
    """How many people have a seat."""
    return sum(bool(seat.tokens) for seat in table.seats)


class Resident:
    """A table in memory."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.clock: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.touched = time.monotonic()
        self.dropped = False
        self.past: deque[Past] = deque()  # what delayed spectators are still to be sent
        self.release: asyncio.TimerHandle | None = None  # when the first of it is due
        self.spectated = 0  # the number up to which it goes
        self.jobs: set[int] = set()  # seats for which a thread is thinking
        self.turn: tuple[str, int] = ("", -1)  # on what the clock runs, and
        self.begun = 0.0  # since when
        self.seen: dict[int, float] = {}  # when the person of a seat went who is not here
        self.loaded = time.monotonic()
        self.rematching = False
        self.hastened = False  # whether bots take no time, while this is in memory
        self.tellers: dict[int, Teller] = {}  # by listener, who call the seats
        self.names: list[str] = []  # by these names

    def teller(self, listener: int) -> Teller:
        """Who puts into words what a listener is told."""
        table = self.table
        names = table.called()
        if names != self.names:
            self.names = names
            self.tellers = {}
        if listener not in self.tellers:
            sides = len(table.played().scores()) if table.game.name == "lost-heir" else 0
            self.tellers[listener] = Teller(table.game, table.called(listener), listener, sides)
        return self.tellers[listener]

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({listener.seat for listener in self.listeners if listener.seat != SPECTATOR})


class Room:
    """All tables. One thing at a time happens at each; it is stored, then told."""

    def __init__(self, store: Store, minds: Minds | None = None, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.minds = minds or Minds()
        self.clock = clock
        # one after the other: those who wait for a table do not take the time of those who play
        self.loader = ThreadPoolExecutor(1, thread_name_prefix="parlour-load")
        self.residents: dict[str, Resident] = {}
        self.loading: dict[str, asyncio.Future[Resident]] = {}
        self.attentive: dict[str, None] = {}
        self.tasks: set[asyncio.Task[object]] = set()
        self.gone = 0  # tables and listeners, since memory was last cleared of them
        self.hasty_moves = Bucket(HASTY_MOVES, 2 * HASTY_MOVES)
        self.closing = False
        self.counts = {"moves": 0, "rows": 0, "refused": 0, "stale": 0, "failed": 0, "tables": 0}

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
    ) -> tuple[Resident, str]:
        """A new table, and the code that invites to it; or one to which those are invited who have an older code."""
        name = secrets.token_urlsafe(NAME_BYTES)
        code = secrets.token_urlsafe(TOKEN_BYTES)
        # a numbered deal is for one person and bots: whoever knows the number can play the same cards
        secret = secrets.token_bytes(32) if deal is None else secret_of(f"deal {deal}")
        table = Table.open(
            name,
            secret,
            game=game,
            players=players,
            options=options,
            invite=invite or digest(code),
            opened=time.strftime("%Y-%m-%d", time.gmtime(self.clock())),
            is_open=is_open,
            hints=hints,
            deal=deal,
            pace=pace,
        )
        await self.stored(table, table.taken())
        resident = self.residents[name] = Resident(table)
        self.counts["tables"] += 1
        return resident, code

    async def find(self, name: str) -> Resident:
        """A table by its name, from memory or from its log."""
        resident = self.residents.get(name)
        if resident is not None:
            resident.touched = time.monotonic()
            return resident
        if name in self.loading:
            return await asyncio.shield(self.loading[name])
        coming = self.loading[name] = asyncio.get_running_loop().create_future()
        try:
            resident = await self.load(name)
        except BaseException as error:
            coming.set_exception(error)
            coming.exception()
            raise
        else:
            coming.set_result(resident)
            return resident
        finally:
            del self.loading[name]

    async def load(self, name: str) -> Resident:
        table = await asyncio.get_running_loop().run_in_executor(self.loader, self.read, name)
        resident = Resident(table)
        self.residents[name] = resident
        self.arrange(resident)
        return resident

    def read(self, name: str) -> Table:
        """A table from its log."""
        found = self.store.table(name)
        if found is None:
            raise Missing("There is no such table.")
        kept, rows = found
        return Table.load(name, kept.secret, rows)

    async def resume(self) -> int:
        """After a start, let go on what goes on by itself; how many tables. The others wait for their people."""
        due = await asyncio.to_thread(self.store.due)
        for kept in due:
            try:
                await self.find(kept.name)
            except Exception as error:  # whatever is wrong with one, the others go on
                note.error("table %s does not go on: %s", kept.name, error)
        return len(due)

    async def open_ones(self) -> list[dict[str, Any]]:
        """Open tables at which people gather."""
        found = []
        for kept in await asyncio.to_thread(self.store.open_ones, MOST_LISTED):
            try:
                found.append(await self.described(kept.name))
            except (Damaged, Missing) as error:
                note.error("table %s is not listed: %s", kept.name, error)
        return found

    @asynccontextmanager
    async def alone(self, resident: Resident) -> AsyncIterator[Table]:
        """A table while nothing else happens there, and never one whose memory is ahead of its log."""
        async with resident.lock:
            if resident.dropped:
                raise Unsure("The table was put away for a moment; ask again.")
            yield resident.table

    async def described(self, name: str) -> dict[str, Any]:
        """A table, as all may know it."""
        async with self.alone(await self.find(name)) as table:
            return table.described()

    async def record(self, name: str) -> dict[str, Any]:
        """The record of a sitting that is over."""
        async with self.alone(await self.find(name)) as table:
            return table.record()

    async def replay(self, name: str, first: int, seat: int = SPECTATOR) -> replays.Replay:
        """Some of a sitting that is over, with all hands, told to a seat, played again beside the others."""
        async with self.alone(await self.find(name)) as table:
            if table.phase != OVER:
                raise Refusal("All hands are shown when the sitting is over, and it is not over yet.")
            sitting = table.played()
            settled = (table.game, table.players, table.options, table.rules)
            luck, moves, called = table.luck(), list(sitting.moves), table.called(seat)
        return await asyncio.to_thread(replays.replay, *settled, luck, moves, called, seat, first)

    async def clear_out(self) -> int:
        """Delete what is kept no longer; how many tables."""
        now = int(self.clock())
        count = 0
        for phases, days in RETENTION:
            before = now - days * 86400
            old = [
                name
                for name in await asyncio.to_thread(self.store.old_ones, phases, before)
                if name not in self.residents or not self.residents[name].listeners
            ]
            for name in old:
                resident = self.residents.get(name)
                if resident is not None:
                    async with resident.lock:
                        self.drop(resident)
            if old:
                await asyncio.shield(asyncio.wrap_future(self.store.delete(old, before)))
                note.info("%d tables were deleted, as their time had passed", len(old))
            count += len(old)
        return count

    def drop(self, resident: Resident) -> None:
        """Forget what is in memory of a table; its log has it."""
        resident.dropped = True
        self.stop_clock(resident)
        self.forget_past(resident)
        if resident.thinking is not None:
            resident.thinking.cancel()
        if self.residents.get(resident.table.name) is resident:
            del self.residents[resident.table.name]
            self.gone += 1
        self.attentive.pop(resident.table.name, None)

    def sweep(self) -> None:
        """Let tables leave memory at which nobody listens and nothing is due."""
        before = time.monotonic() - IDLE_SECONDS
        here = 0
        for resident in list(self.residents.values()):
            here += 1 + len(resident.listeners)
            for listener in resident.listeners:
                if listener.heard < time.monotonic() - SILENT_SECONDS:
                    listener.cut_off("Nothing was heard of you; come back when you are there.", again=True)
            due = resident.clock is not None or resident.thinking is not None or resident.lock.locked()
            if not resident.listeners and not due and resident.touched < before:
                self.drop(resident)
        if self.gone > here + LEAST_GONE or (self.gone and not self.residents):
            self.gone = 0
            clear_memory()

    # what changes a table

    async def stored(self, table: Table, rows: list[Row]) -> None:
        if rows:
            listed = table.is_open and table.phase == GATHERING
            kept = Kept(table.name, table.secret, table.phase, listed, table.due, int(self.clock()))
            await asyncio.shield(asyncio.wrap_future(self.store.append(Batch(kept, rows))))
            self.counts["rows"] += len(rows)

    async def change(self, resident: Resident, doing: Callable[[Table], Any]) -> Any:
        """Do something at a table, store it, then tell everyone. What is refused changes nothing.

        Who asked may go away meanwhile; what was begun is finished.
        """
        return await asyncio.shield(asyncio.create_task(self.carry_out(resident, doing)))

    async def carry_out(self, resident: Resident, doing: Callable[[Table], Any]) -> Any:
        async with self.alone(resident) as table:
            if table.rows > MOST_ROWS:
                raise Refusal("Too much has happened at this table; open another.")
            before = table.rows
            try:
                answer = doing(table)
                await self.stored(table, table.taken())
            except BaseException:
                if table.rows != before:
                    # what is in memory is not in the log: it never happened
                    self.forget(resident)
                raise
            resident.touched = time.monotonic()
            self.publish(resident)
            self.arrange(resident)
            return answer

    def forget(self, resident: Resident) -> None:
        """Drop a table whose memory is ahead of its log; who listens comes back to what was stored."""
        self.drop(resident)
        for listener in resident.listeners:
            listener.end("The table could not be stored; come back to it.")

    # telling

    def news(self, resident: Resident, seat: int, since: int | None) -> wire.News:
        """What a listener is to be sent: what was missed since a number, or everything anew."""
        table = resident.table
        missed = None if since is None else table.news(seat, since)
        listener = table.listener(seat)
        view = table.view(seat)
        whole = missed is None
        told = missed.told if missed else table.sitting.told[listener] if table.sitting else []
        shown = table.public if missed is None else missed.table
        turn = table.deciding == seat and seat >= 0 and not table.seats[seat].bot
        return wire.News(
            number=table.rows,
            since=None if whole else since,
            events=self.in_words(resident, listener, told[-MOST_EVENTS:]),
            earlier=max(0, len(told) - MOST_EVENTS),
            table_events=shown[-MOST_EVENTS:],
            table=table.described() if shown or whole else None,
            view=view.fields() if view is not None else None,
            legal=[wire.Choice(step, table.game.step_name(step)) for step in view.legal()] if view and turn else [],
            head=table.chain.head.hex() if table.sitting is not None else None,
            whole=whole,
        )

    def in_words(self, resident: Resident, listener: int, told: list[list[Any]]) -> list[wire.Event]:
        if not told:
            return []
        game = resident.table.game
        teller = resident.teller(listener)
        return [wire.Event(entry, teller.say(entry) or "", game.clause_of(entry)) for entry in told]

    async def come_in(self, name: str, token: str | None, last: int | None) -> tuple[Resident, Listener]:
        """Someone comes to a table, with a token to a seat or as a spectator."""
        resident = await self.find(name)
        async with self.alone(resident) as table:
            seat = SPECTATOR if token is None else table.seat_of(digest(token))
            if token is not None and seat == SPECTATOR:
                raise Forbidden("This token has no seat at this table.")
            listener = Listener(seat, b"" if token is None else digest(token))
            self.welcome(resident, listener, last)
            self.arrange(resident)
        return resident, listener

    def leave(self, resident: Resident, listener: Listener) -> None:
        """Someone listens no more."""
        resident.listeners.discard(listener)
        self.gone += 1
        here = resident.here()
        if listener.seat != SPECTATOR and listener.seat not in here:
            resident.seen[listener.seat] = time.monotonic()
            self.tell_who_is_here(resident, here)

    def tell_who_is_here(self, resident: Resident, here: list[int]) -> None:
        message = wire.encode(wire.Here(here))
        for listener in resident.listeners:
            listener.send(message)

    def host_is_away(self, resident: Resident) -> bool:
        """Whether the host has been gone for so long that another may take the role."""
        host = resident.table.host
        if host < 0 or host in resident.here():
            return False
        gone = time.monotonic() - resident.seen.get(host, resident.loaded)
        return bool(resident.table.seats[host].bot) or gone > HOST_SECONDS

    def time_left(self, resident: Resident) -> float | None:
        """How many seconds the person who decides still has, where the table has a pace for people."""
        if resident.clock is None or resident.table.phase != PLAYING:
            return None
        return round(max(0.0, resident.clock.when() - asyncio.get_running_loop().time()), 1)

    def welcome(self, resident: Resident, listener: Listener, last: int | None) -> None:
        """Someone listens from now on, and is told how things stand, or what was missed since a number."""
        table = resident.table
        before = resident.here()
        here = sorted({*before, listener.seat} - {SPECTATOR})
        left = self.time_left(resident)
        if listener.seat == SPECTATOR and self.shown_late(table):
            # spectators of a delayed table see what was, never what is; this one what now is, later
            waiting = wire.News(number=0, table=table.described(), whole=True)
            listener.send(wire.encode(wire.Welcome(wire.PROTOCOL, SPECTATOR, waiting, here)))
            listener.number = -1
            self.show_later(resident, None, listener)
        else:
            news = self.news(resident, listener.seat, last)
            listener.send(wire.encode(wire.Welcome(wire.PROTOCOL, listener.seat, news, here, left)))
            listener.number = table.rows
        if here != before:
            self.tell_who_is_here(resident, here)
        resident.listeners.add(listener)
        resident.touched = time.monotonic()

    def publish(self, resident: Resident) -> None:
        """Send everyone what they have not been told."""
        table = resident.table
        made: dict[tuple[int, int | None], bytes] = {}
        late = self.shown_late(table)
        watched = False
        for listener in resident.listeners:
            if not self.still_seated(table, listener):
                listener.cut_off("This seat is not yours any more.")
            if late and listener.seat == SPECTATOR:
                watched = True
                continue
            if listener.number == table.rows:
                continue
            # who was told late is told all anew when nothing is hidden any more
            since = None if table.pace.spectator and listener.seat == SPECTATOR else listener.number
            key = (listener.seat, since)
            if key not in made:
                made[key] = wire.encode(self.news(resident, listener.seat, since))
            listener.number = table.rows
            listener.send(made[key])
        if watched:
            self.show_later(resident, resident.spectated, None)
        if not late:
            self.forget_past(resident)
        resident.spectated = table.rows

    def shown_late(self, table: Table) -> bool:
        """Whether spectators of this table now see what was, and not what is."""
        return table.pace.spectator > 0 and table.phase == PLAYING

    def show_later(self, resident: Resident, since: int | None, only: Listener | None) -> None:
        """Keep for spectators how things stand, until they may see it."""
        table = resident.table
        due = time.monotonic() + table.pace.spectator
        message = wire.encode(self.news(resident, SPECTATOR, since))
        resident.past.append(Past(due, since, table.rows, message, only))
        resident.spectated = table.rows
        if resident.release is None:
            self.wait_for_past(resident)

    def wait_for_past(self, resident: Resident) -> None:
        wait = max(0.0, resident.past[0].due - time.monotonic())
        resident.release = asyncio.get_running_loop().call_later(wait, self.show_past, resident)

    def show_past(self, resident: Resident) -> None:
        """What spectators may now see: each goes on from where they were."""
        resident.release = None
        now = time.monotonic() + 0.001
        while resident.past and resident.past[0].due <= now:
            past = resident.past.popleft()
            for listener in resident.listeners:
                goes_on = past.only is listener or (past.only is None and listener.number == past.since)
                if listener.seat == SPECTATOR and goes_on:
                    listener.number = past.number
                    listener.send(past.message)
        if resident.past:
            self.wait_for_past(resident)

    def forget_past(self, resident: Resident) -> None:
        resident.past.clear()
        if resident.release is not None:
            resident.release.cancel()
            resident.release = None

    def still_seated(self, table: Table, listener: Listener) -> bool:
        """Whether a listener's seat is still that person's."""
        return listener.seat == SPECTATOR or listener.token in table.seats[listener.seat].tokens

    # whose turn the clock is on

    def stop_clock(self, resident: Resident) -> None:
        if resident.clock is not None:
            resident.clock.cancel()
            resident.clock = None

    def arrange(self, resident: Resident) -> None:
        """See to it that what is due happens: a bot's move, a silent person's seat, entropy that is not shown."""
        self.stop_clock(resident)
        if self.closing or resident.dropped:
            return
        table = resident.table
        loop = asyncio.get_running_loop()
        if resident.turn != (table.phase, table.position):
            resident.turn = (table.phase, table.position)
            resident.begun = loop.time()
        if table.phase == SEALING:
            resident.clock = loop.call_at(resident.begun + SHOWING_SECONDS, self.soon, resident, Table.start)
        elif table.phase == PLAYING:
            seat = table.seats[table.deciding]
            if seat.bot:
                if resident.thinking is None and self.anyone_there(resident):
                    resident.thinking = asyncio.create_task(self.bot_turns(resident))
            elif table.pace.person:
                silent = table.deciding

                def keep(at: Table) -> None:
                    at.keep(silent, "silent")

                resident.clock = loop.call_at(resident.begun + table.pace.person, self.soon, resident, keep)

    def anyone_there(self, resident: Resident) -> bool:
        """Whether a person plays or looks on: bots do not play for nobody."""
        return bool(resident.listeners) or any(seat.tokens and not seat.bot for seat in resident.table.seats)

    def soon(self, resident: Resident, doing: Callable[[Table], Any]) -> None:
        """Do what the clock asks for, unless the turn has passed."""
        resident.clock = None
        turn = resident.turn

        def still(table: Table) -> None:
            if (table.phase, table.position) == turn:
                doing(table)

        self.later(self.quietly(resident, still))

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def quietly(self, resident: Resident, doing: Callable[[Table], Any]) -> None:
        try:
            await self.change(resident, doing)
        except (Refusal, StoreError) as error:
            note.warning("table %s: %s", resident.table.name, error)

    async def bot_turns(self, resident: Resident) -> None:
        """Let bots move as long as it is their turn, each at the table's pace, whatever it holds."""
        table = resident.table
        try:
            while not resident.dropped and not self.closing and table.phase == PLAYING and self.anyone_there(resident):
                async with self.alone(resident):
                    seat = table.deciding
                    level = table.seats[seat].bot if seat >= 0 else ""
                    if not level:
                        return
                    number = table.rows
                    begun = time.monotonic()
                    thinking = self.think(resident, seat, level)
                steps = await thinking
                # where others could tell what a bot holds from how long it thinks, it always takes a while
                persons = persons_at(table)
                pace = 0.0 if resident.hastened and persons == 1 else table.pace.bot
                if pace < LEAST_PACE and (persons > 1 or not self.hasty_moves.take()):
                    pace = LEAST_PACE
                await asyncio.sleep(max(0.0, pace - (time.monotonic() - begun)))

                def move(at: Table, seat: int = seat, steps: list[int] | None = steps, number: int = number) -> None:
                    if at.rows != number:
                        return  # something has happened since
                    try:
                        if steps is not None:
                            at.act(seat, steps)
                    except Refusal:
                        steps = None
                    if steps is None:
                        at.fail(seat)

                await self.change(resident, move)
        except (StoreError, Refusal) as error:
            note.warning("table %s: %s", table.name, error)
        finally:
            resident.thinking = None

    def think(self, resident: Resident, seat: int, level: str) -> Awaitable[list[int] | None]:
        """A bot's move; None where it failed."""
        table = resident.table
        state, seed = table.played().state.copy(), bots_seed(table.secret)
        thinking = self.job(resident, seat, lambda view: self.minds.move(table.game, level, view, state, seed))

        async def thought() -> list[int] | None:
            try:
                return await thinking
            except Exception as error:
                note.error("table %s: the bot %s failed (%s)", table.name, level, type(error).__name__)
                return None

        return thought()

    def job(self, resident: Resident, seat: int, doing: Callable[[View], Answer]) -> Awaitable[Answer]:
        """Let a thread think for a seat, from this moment on."""
        table = resident.table
        sitting, number = table.played(), table.rows
        self.remember(resident)
        mind = table.mind(seat)
        resident.jobs.add(seat)

        def think() -> tuple[View, Answer]:
            view = mind()
            return view, doing(view)

        work = asyncio.get_running_loop().run_in_executor(self.minds.pool, think)
        work.add_done_callback(lambda _: resident.jobs.discard(seat))

        async def thought() -> Answer:
            view, found = await asyncio.wait_for(asyncio.shield(work), BOT_SECONDS)
            # the thread has the view to itself; one that went on too long, or knows too little now, is not taken back
            if table.rows == number and table.sitting is sitting:
                sitting.belief_views.setdefault(seat, view)
            return found

        return thought()

    def remember(self, resident: Resident) -> None:
        """Keep the bots' memories of the tables that were last played at."""
        name = resident.table.name
        self.attentive.pop(name, None)
        self.attentive[name] = None
        while len(self.attentive) > ATTENTIVE_TABLES:
            oldest = next(iter(self.attentive))
            del self.attentive[oldest]
            other = self.residents.get(oldest)
            if other is not None and other.table.sitting is not None and other.thinking is None:
                other.table.sitting.belief_views.clear()

    # what people ask for

    async def join(
        self,
        name: str,
        code: str,
        person: str,
        seat: int | None = None,
        promise: str | None = None,
        token: str | None = None,
    ) -> tuple[int, str]:
        """Sit down by an invitation, or at an open table without one; the seat and its token.

        Who brings a token of their own may ask again, where no answer came, and sits down once.
        """
        resident = await self.find(name)
        own = token or secrets.token_urlsafe(TOKEN_BYTES)

        def sit(table: Table) -> int:
            seated = table.seat_of(digest(own))
            if seated != SPECTATOR:
                return seated
            if not table.is_open and not secrets.compare_digest(digest(code), table.invite):
                raise Forbidden("This link does not invite to this table.")
            return table.sit(person, digest(own), seat, promise)

        return await self.change(resident, sit), own

    async def carry(self, name: str, code: str, token: str | None = None) -> tuple[int, str]:
        """Take a seat along to another device; the seat and a token of its own. It may be asked again, too."""
        resident = await self.find(name)
        own = token or secrets.token_urlsafe(TOKEN_BYTES)

        def bring(table: Table) -> int:
            seated = table.seat_of(digest(own))
            return table.carried(digest(code), digest(own)) if seated == SPECTATOR else seated

        return await self.change(resident, bring), own

    async def delete(self, name: str, token: str) -> None:
        """The host deletes a table at which nobody plays, with all that is kept of it."""
        resident = await self.find(name)
        async with self.alone(resident) as table:
            if table.seat_of(digest(token)) != table.host or table.host < 0:
                raise Forbidden("Only the host deletes a table.")
            if table.phase in (PLAYING, SEALING):
                raise Refusal("The sitting is not over yet.")
            await asyncio.shield(asyncio.wrap_future(self.store.delete([name])))
            self.drop(resident)
        for listener in resident.listeners:
            listener.cut_off("The host has deleted this table.")

    async def answer(self, resident: Resident, listener: Listener, asked: Any) -> wire.Message:
        """Answer a request of a listener; every one is answered, once for each time that it is sent."""
        try:
            return await self.attend(resident, listener, asked)
        except Refusal as refusal:
            self.counts["refused"] += 1
            return wire.Refused(asked.id, refusal.args[0], refusal.clause)
        except StoreError as error:
            self.counts["failed"] += 1
            return wire.Failed(asked.id, str(error))
        except Exception:
            self.counts["failed"] += 1
            note.exception("table %s: a request failed", resident.table.name)
            return wire.Failed(asked.id, "Something went wrong here; it was noted.")

    async def attend(self, resident: Resident, listener: Listener, asked: Any) -> wire.Message:
        seat = listener.seat
        if seat == SPECTATOR:
            raise Refusal("Spectators watch.")
        if resident.table.seats[seat].bot and not isinstance(asked, wire.Leave):
            await self.change(resident, lambda table: self.seated(table, listener).back(seat))
        if isinstance(asked, wire.Follow):
            async with self.alone(resident) as table:
                ahead = self.seated(table, listener).following(seat, asked.prefix)
            return wire.Following(asked.id, [wire.Choice(*each) for each in ahead.legal], ahead.view, ahead.decision)
        if isinstance(asked, wire.Hint):
            return await self.hint(resident, listener, asked.id)
        if isinstance(asked, wire.Hasten):
            if persons_at(resident.table) > 1:
                raise Refusal("Bots are hastened only where one person plays.")
            resident.hastened = asked.on
            return wire.Done(asked.id, resident.table.rows)
        # an id is the person's, not the seat's: who sits there next may use it again
        action = action_of(f"{seat} {resident.table.seats[seat].since}", asked.id, wire.encode(asked))

        def doing(table: Table) -> wire.Message:
            done = self.done_before(self.seated(table, listener), asked.id, action)
            if done is not None:
                return done
            if isinstance(asked, wire.Act | wire.Undo) and asked.number <= table.position:
                self.counts["stale"] += 1
                stale = wire.Stale(asked.id, self.news(resident, seat, asked.number))
                listener.number = table.rows
                return stale
            if isinstance(asked, wire.Act | wire.Undo) and asked.number > table.rows:
                raise Refusal(f"Nobody was told of number {asked.number}; this table has come to {table.rows}.")
            number = table.rows
            if isinstance(asked, wire.Claim) and not self.host_is_away(resident):
                raise Refusal(f"The host is here, or was here less than {HOST_SECONDS:.0f} seconds ago.")
            self.do(table, listener, asked, action)
            self.counts["moves"] += isinstance(asked, wire.Act)
            return wire.Done(asked.id, number)

        if isinstance(asked, wire.Rematch):
            return await self.rematch(resident, listener, asked.id, action)
        answer: wire.Message = await self.change(resident, doing)
        return answer

    def done_before(self, table: Table, name: str, action: Action) -> wire.Done | None:
        """The answer to a request that was carried out before."""
        known = table.actions.get(action.key)
        if known is None:
            return None
        body, number = known
        if body != action.body:
            raise Refusal("This id was used for something else.")
        return wire.Done(name, number)

    def seated(self, table: Table, listener: Listener) -> Table:
        """The table, if the listener still has a seat there."""
        if not self.still_seated(table, listener):
            raise Refusal("This seat is not yours any more.")
        return table

    def do(self, table: Table, listener: Listener, asked: Any, action: Action) -> None:
        seat = listener.seat
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
                table.put_bot(seat, asked.seat, asked.level, action)
            case wire.Host():
                table.hand_on(seat, asked.seat, action)
            case wire.Claim():
                table.make_host(seat, action)
            case wire.Remove():
                table.remove(seat, asked.seat, action)
            case wire.Stand():
                table.stand(seat, action)
            case wire.Back():
                pass  # every request brings its person back
            case wire.Leave():
                table.keep(seat, "left", action)
            case wire.Carry():
                table.carry(seat, digest(asked.code), action)
            case wire.Alone():
                table.alone(seat, listener.token, action)
            case _:
                raise Refusal("This cannot be asked here.")

    async def hint(self, resident: Resident, listener: Listener, name: str) -> wire.Message:
        async with self.alone(resident) as table:
            seat = listener.seat
            self.seated(table, listener)
            if not table.hints:
                raise Refusal("This table gives no hints.")
            if table.deciding != seat or table.sitting is None:
                raise Refusal("It is not your turn.")
            if seat in resident.jobs:
                raise Refusal("A hint for you is being thought about already.")
            thinking = self.job(resident, seat, lambda view: self.minds.advice(table.game, view))
        try:
            found = await thinking
        except TimeoutError:
            raise Refusal("That takes too long now; ask again later.") from None
        hints = found.hints
        lines = [wire.HintLine(one.step, one.name, round(one.score, 2), round(one.win_chance, 3)) for one in hints]
        return wire.Advice(name, lines, found.reason, found.clause)

    async def rematch(self, resident: Resident, listener: Listener, name: str, action: Action) -> wire.Message:
        """Another table of the same people, each with the token they have."""
        async with self.alone(resident) as table:
            old, seat = self.seated(table, listener), listener.seat
            done = self.done_before(old, name, action)
            if done is not None:
                return done
            old.by_host(seat)
            if old.phase != OVER or old.rematch or resident.rematching:
                raise Refusal("A rematch is for when the sitting is over, and once.")
            resident.rematching = True
        try:
            return await self.make_rematch(resident, seat, name, action)
        finally:
            resident.rematching = False

    async def make_rematch(self, resident: Resident, seat: int, name: str, action: Action) -> wire.Message:
        old = resident.table
        fresh, _ = await self.open(
            game=old.game.name,
            players=old.players,
            options=old.options,
            is_open=old.is_open,
            hints=old.hints,
            pace=old.pace,
            invite=old.invite,
        )

        def sit(table: Table) -> None:
            for number, each in enumerate(old.seats):
                if each.tokens:
                    table.sit_again(number, each)
            if table.host != seat:
                table.hand_on(table.host, seat)
            for number, each in enumerate(old.seats):
                if not each.tokens:
                    table.put_bot(seat, number, each.bot or KEEPER)

        await self.change(fresh, sit)
        await self.change(resident, lambda table: table.name_rematch(seat, fresh.table.name, action))
        return wire.Done(name, old.actions[action.key][1])

    async def say_goodbye(self) -> None:
        """Nothing new begins, what was begun is stored, and everyone is told."""
        self.closing = True
        for resident in list(self.residents.values()):
            async with resident.lock:
                self.drop(resident)
            for listener in resident.listeners:
                listener.end("The server is going down for a moment; come back.")

    async def close(self) -> None:
        """Stop gracefully."""
        await self.say_goodbye()
        self.minds.close()
        self.loader.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.store.close)
