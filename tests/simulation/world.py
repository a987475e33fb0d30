"""A world: a server, its clients and its troubles, all from one seed; then calm, in which every sitting must end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import logging
import random
import warnings
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, NamedTuple
from unittest import mock

from parlour.engine.errors import Refusal
from parlour.server import cost, notices
from parlour.server import room as rooms
from parlour.server.notices import id_of
from parlour.server.protocols import CURRENT
from parlour.server.settings import Pace
from parlour.server.store import StoreError
from parlour.server.table import OVER, PLAYING, SEALING

from . import faults, store
from .checks import Checks
from .loop import VirtualLoop, Wrong, context_of
from .people import SLOW_SECONDS, Person
from .real_store import SqliteDisk
from .server import Lost, Luck, SimulatedServer

GAMES: tuple[tuple[str, tuple[int, ...], dict[str, Any]], ...] = (
    ("heraldry", (2, 2, 3, 6), {}),
    ("lost-heir", (2, 3, 4, 6), {"deal_limit": 1}),
    ("masquerade", (4, 4, 8), {"games": 1}),
    ("sovereign", (2, 3, 5, 11), {"games": 1, "round_limit": 3}),
    ("tontine", (4, 6, 12), {"stake": 4}),
)
Disk = store.Disk | SqliteDisk
NAMES = "Ada Ben Cleo Dora Emil Fay Gus Hana Ivo Jude Kit Lena".split()
MOST_REVIEWED = 5  # sittings of a world, at its end
SHOWN = 100  # events before something went wrong
CALM_SECONDS = 20_000.0  # in which every sitting must end
EXPECTED = (  # errors of the server that are not its fault
    *("the bot", "a hint failed", "cannot be played again", "does not go on"),
    *("stood still", "was put away", "could not be stored", "Another has written"),
    "the disk failed",
)


@dataclass
class Place:
    """A table as its people know it."""

    name: str
    code: str
    game: str
    players: int
    people: int
    pace: Pace
    phrases: bool = True


class Outcome(NamedTuple):
    """How a world ended."""

    seed: int
    wrong: str  # what the server did wrong; "" where it did nothing wrong
    story: str  # the last events, where something went wrong
    digest: str  # of everything that happened
    seconds: float  # of virtual time
    messages: int  # from the server
    clients: int
    tables: int
    faults: int

    def wrong_in_full(self) -> str:
        """What went wrong, what led to it, and how to see it again."""
        return f"{self.story}\n{self.wrong}\nSee it again: python -m tests.simulation {self.seed}"

    def __str__(self) -> str:
        said = f"{self.clients} clients, {self.tables} tables, {self.faults} faults, {self.messages} messages"
        return f"seed {self.seed}: {said}, {self.seconds:,.0f} virtual seconds, digest {self.digest[:16]}"


class World:
    """All of it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.luck = random.Random(f"world {seed}")
        self.loop = VirtualLoop(random.Random(f"loop {seed}"))
        self.disk: Disk = (SqliteDisk if seed % 20 == 7 else store.Disk)(self.loop, random.Random(f"disk {seed}"))
        self.checks = Checks(self)
        self.disk.written = self.checks.written
        self.disk.cleared = self.checks.cleared
        luck = self.luck
        self.delay = luck.choice((0.002, 0.03, 0.3))
        self.size = luck.choice((1, 1, 1, 2, 2, 3, 4)) if seed % 200 != 50 else luck.randint(24, 36)  # tables
        self.slowness = 1.0 if self.size < 10 else 20.0  # hundreds of people play by and by
        self.chaos_seconds = luck.choice((60.0, 300.0, 1500.0)) if self.size < 10 else 8000.0
        self.trouble_seconds = self.chaos_seconds / luck.choice((3, 10, 30))
        self.mischief = luck.choice((0.0, 0.1, 0.3))
        self.server = SimulatedServer(self.loop, random.Random(f"server {seed}"), self.disk.open, self.delay)
        self.wrong_clock = random.Random(f"clock {seed}").random() < 0.3  # in this world the machine's date is set
        if self.wrong_clock:
            self.server.clock_error = random.Random(f"clock error {seed}").choice(faults.CLOCK_ERRORS)
        self.server.called = self.checks.called
        self.server.disk_failed = lambda: self.spawn(self._start_again())
        self.people: list[Person] = []
        self.by_name: dict[str, Place] = {}
        self.stops: list[tuple[float, float]] = []  # when the server stood still
        self.started = 0.0  # when the server was last started
        self.well = False  # no more faults
        self.calm = False  # and everyone plays on
        self.closing = False  # nothing new begins
        self.over = False
        self.faults = 0
        self.lines: list[tuple[float, str, str, bytes]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def trace(self, what: str, who: str, content: bytes = b"") -> None:
        """Note what happens."""
        self.lines.append((self.loop.at, what, who, content))

    def digest(self) -> str:
        found = hashlib.sha256()
        for at, what, who, content in self.lines:
            found.update(f"{at!r} {what} {who} ".encode() + content + b"\n")
        return found.hexdigest()

    # from beginning to end

    def run(self) -> Outcome:
        self.loop.set_exception_handler(self._failed)
        log = Log(self)
        logging.getLogger("parlour").addHandler(log)
        logging.getLogger("parlour").propagate = False
        wrong = ""
        gc.disable()
        try:
            luck = mock.patch.object(notices, "random", random.Random(f"notices {self.seed}"))
            with mock.patch.object(rooms, "clear_memory"), mock.patch.object(cost, "time", Effort()), luck:
                self.loop.run_until_complete(self.loop.create_task(self._main(), context=context_of(0)))
                self.checks.at_the_end()
        except Wrong as error:
            wrong = str(error)
        finally:
            self.over = True
            self._clear()
            logging.getLogger("parlour").removeHandler(log)
            self.disk.clear()
            gc.enable()
        return Outcome(
            self.seed,
            wrong,
            self.story(SHOWN) if wrong else "",
            self.digest(),
            self.loop.at,
            self.checks.messages,
            len(self.people),
            len(self.by_name),
            self.faults,
        )

    def _clear(self) -> None:
        """Drop everything; whatever had not ended never does."""
        self.loop.dead.update(range(self.server.side + 1))
        self.loop.set_exception_handler(lambda loop, context: None)
        behind = (task for _, tasks in self.server.left_behind for task in tasks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            for task in (*behind, *asyncio.all_tasks(self.loop)):
                task._log_destroy_pending = False
                with contextlib.suppress(BaseException):
                    task.get_coro().close()
        self.loop.close()

    def _failed(self, loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.checks.wrong(str(error) if isinstance(error, Wrong) else f"{context['message']}: {error!r}")

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Let something of the world outside go on by itself."""

        async def watched() -> None:
            try:
                await work
            except Wrong as error:
                self.checks.wrong(str(error))

        self.tasks.append(self.loop.create_task(watched(), context=context_of(0)))

    def story(self, last: int) -> str:
        """The last events."""
        return "\n".join(
            f"{at:12.4f} {what:6} {who:16} {content.decode(errors='replace')[:160]}"
            for at, what, who, content in self.lines[-last:]
        )

    async def _main(self) -> None:
        self.start()
        for number in range(self.size):
            self.spawn(self._gather(number))
        troubles = self.loop.create_task(faults.trouble(self))
        await asyncio.sleep(self.chaos_seconds)
        self.well = True
        await troubles
        self.calm = True
        self.trace("fault", "none from now on")
        for person in self.people:
            person.open = dict.fromkeys(person.open, self.loop.at)
            person.looks = min(person.looks, self.loop.at + self.luck.uniform(0.0, 5.0))
            if person.link is not None:
                person.link.read_on(True)
        for place in list(self.by_name.values()):
            self.join(place, f"witness of {place.name}", None)
        await self._until_all_is_over()
        await self.until_up()
        await self._look_at_all()
        await self.server.stop()

    async def _look_at_all(self) -> None:
        """When all is over, records are shown and reviews are made."""
        over = [name for name, phase in self.disk.phases().items() if phase == OVER and self.checks.finished(name)]
        for name in over[:MOST_REVIEWED]:
            for _ in range(200):
                with contextlib.suppress(Lost, StoreError, Refusal):
                    self.checks.record(name, await self.server.ask(lambda room, name=name: room.record_text(name)))
                    found = await self.server.ask(lambda room, name=name: room.review(name, 0, CURRENT, name))
                    self.checks.review(name, found)
                    if found.review is not None:
                        break
                await asyncio.sleep(1.0)
            else:
                raise Wrong(f"{name} is over, and is never reviewed")

    async def _until_all_is_over(self) -> None:
        end, quiet = self.loop.at + CALM_SECONDS, 0
        while quiet < 6:  # a host may start a sitting last of all
            self.closing = quiet > 2
            await asyncio.sleep(10.0)
            open_ = [name for name, phase in self.disk.phases().items() if phase in (SEALING, PLAYING)]
            quiet = 0 if open_ else quiet + 1
            if open_ and self.loop.at > end:
                stuck = ", ".join(f"{name} ({self.disk.size(name)} rows)" for name in open_)
                raise Wrong(f"in {CALM_SECONDS:.0f} calm seconds these sittings did not end: {stuck}")

    def start(self) -> None:
        self.started = self.loop.at
        self.server.start()

    async def _start_again(self) -> None:
        """The server does not trust its disk: it stops, and starts again from what is there."""
        if self.server.up:
            self.trace("fault", "starts again")
            await self.server.stop()
            self.checks.logs_are_whole()
            await asyncio.sleep(self.luck.expovariate(1.0))
            self.start()

    async def until_up(self) -> None:
        while not self.server.up:
            await asyncio.sleep(0.5)

    def kill(self) -> None:
        self.server.kill()
        self.disk.crash()

    # tables and their people

    def secret(self, luck: random.Random) -> str:
        return Luck(luck).token_urlsafe(18)

    async def _gather(self, number: int) -> None:
        """A table is opened, people come to it, and some watch."""
        luck = random.Random(f"{self.seed} table {number}")
        await asyncio.sleep(luck.uniform(0.0, 20.0 if self.size < 10 else self.chaos_seconds / 4))
        game, sizes, options = luck.choice(GAMES)
        players = luck.choice(sizes)
        people = 1 if luck.random() < 0.3 else luck.randint(1, players)
        paces = (0.0, 0.0, 5.0, 60.0), (0.0, 0.6, 3.0, 10.0), (0.0, 0.0, 30.0)
        pace = Pace(*map(luck.choice, paces))
        more = random.Random(f"{self.seed} table {number} more")
        if players < 4 and more.random() < 0.2:
            pace = pace._replace(person=SLOW_SECONDS)
        deal = luck.randint(1, 99) if people == 1 and luck.random() < 0.3 else None
        asked: dict[str, Any] = {"game": game, "players": players, "options": options, "pace": pace, "deal": deal}
        asked |= {"is_open": people > 1 and luck.random() < 0.2, "phrases": more.random() < 0.8}
        count = 2 if deal is None and more.random() < 0.15 else 1  # tables with the same cards
        if count > 1:
            asked["copies"] = self.secret(more)
        first = await self._open(asked, people, luck)
        if first is None:
            return
        places = [first]
        if count > 1:
            other = await self._open({**asked, "like": first.name}, people, more)
            places += [other] if other is not None else []
            self.checks.series |= {place.name: {each.name for each in places} for place in places}
        for at, place in enumerate(places):
            self._invite(place, f"{number}{'b' * at}", luck if not at else more, deal is None and count == 1)

    async def _open(self, asked: dict[str, Any], people: int, luck: random.Random) -> Place | None:
        """A new table, asking again where no answer came."""
        for _ in range(50):
            try:
                live, code = await self.server.ask(lambda room: room.open(**asked))
            except (Lost, StoreError):
                await asyncio.sleep(luck.uniform(0.5, 5.0))
            except Refusal:  # the first table with the same cards is over, or gone
                return None
            else:
                name = live.table.name
                about = (asked["game"], asked["players"], people, asked["pace"], asked["phrases"])
                place = self.by_name[name] = Place(name, code, *about)
                return place
        return None

    def _invite(self, place: Place, label: str, luck: random.Random, promises: bool) -> None:
        """People come to a table, and some watch."""
        for each in range(place.people):
            person = Person(self, place, f"{label}.{each}", self.secret(luck), luck.choice((2, 2, 2, 1)))
            if promises and luck.random() < 0.2:
                person.entropy = luck.randbytes(32)
            self.spawn(self._sit(person, f"{NAMES[each % len(NAMES)]} {each}", luck.uniform(0.0, 5.0)))
        for each in range(luck.choice((0, 0, 1, 3))):
            self.join(place, f"{label}.watch{each}", None)

    async def _sit(self, person: Person, name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if await person.sit(name, None):
            self.people.append(person)
            if random.Random(f"{self.seed} {person.label} is told").random() < 0.4:
                self.be_told_elsewhere(person)
            await person.run()

    def join(self, place: Place, label: str, token: str | None, seat: int = -1) -> None:
        """Another client comes to a table."""
        person = Person(self, place, label, token)
        person.seat = seat
        self.people.append(person)
        self.spawn(person.run())

    def carry(self, person: Person, code: str) -> None:
        """A person takes the seat to another device."""
        token, label = self.secret(person.luck), f"{person.label}+{person.count}"

        async def bring() -> None:
            for _ in range(50):
                try:
                    seat, _ = await self.server.ask(lambda room: room.carry(person.place.name, code, token))
                    if seat != person.seat:
                        raise Wrong(f"{label} carried seat {person.seat}, and sits at {seat}")
                    self.join(person.place, label, token, seat)
                    break
                except (Lost, StoreError):
                    await asyncio.sleep(person.luck.uniform(0.5, 5.0))
                except Refusal:
                    return
            with contextlib.suppress(Lost, StoreError, Refusal):
                await self.server.ask(lambda room: room.carry(person.place.name, code, self.secret(person.luck)))
                raise Wrong(f"{label} was carried twice by one code")

        self.spawn(bring())

    def sit_again(self, person: Person) -> None:
        """A person who stood up sits down again, as somebody else."""
        again = Person(self, person.place, f"{person.label}*", self.secret(person.luck), person.protocol)
        self.spawn(self._sit(again, f"{NAMES[-1]} {len(self.people)}", person.luck.uniform(0.0, 10.0)))

    def look(self, person: Person) -> None:
        """Somebody looks at tables, records, replays and reviews."""
        name, what = person.place.name, person.luck.randrange(6)

        async def look() -> None:
            try:
                if what == 0:
                    await self.server.ask(lambda room: room.open_tables())
                elif what == 1:
                    await self.server.ask(lambda room: room.described(name))
                elif what == 2:
                    await self.server.ask(lambda room: room.replay(name, 0))
                    self.checks.shown(name)
                elif what > 3:
                    asks = person.label if what == 4 else None
                    found = await self.server.ask(lambda room: room.review(name, 0, CURRENT, asks))
                    self.checks.review(name, found)
                else:
                    self.checks.record(name, await self.server.ask(lambda room: room.record_text(name)))
            except (Lost, StoreError, Refusal):
                pass

        self.spawn(look())

    def be_told_elsewhere(self, person: Person) -> None:
        """A person sets a webhook, and perhaps gives it up again."""
        person.count += 1
        name, token, luck = person.place.name, person.token or "", person.luck
        host = "".join(letter if letter.isalnum() else "-" for letter in person.label)
        address = f"https://{host}.example/{person.count}"
        way = {"kind": "webhook", "address": address, "shape": "json", "origin": "https://cards.example"}

        async def set_it() -> None:
            try:
                await self.server.ask(lambda room: room.notify(name, token, way))
                self.checks.is_told(name, id_of(way))
                if luck.random() < 0.3:
                    await asyncio.sleep(luck.uniform(0.0, 100.0))
                    await self.server.ask(lambda room: room.silence(name, token, id_of(way)))
                    self.checks.is_silenced(name, id_of(way))
            except (Lost, StoreError, Refusal):
                pass

        self.spawn(set_it())

    def play_again(self, person: Person) -> None:
        """A person plays a sitting that is over again, alone."""
        old, luck = person.place, person.luck
        again = (old.name, person.seat, luck.choice((0, 1, 5)))
        asked = {"game": old.game, "players": old.players, "options": {}, "again": again, "pace": Pace(0.0, 0.0, 0.0)}
        person.count += 1
        label = f"{person.label}!{person.count}"

        async def begin() -> None:
            place = await self._open({**asked, "phrases": True}, 1, luck)
            if place is not None:
                self.checks.shown(old.name)
                self._invite(place, label, random.Random(f"{self.seed} {label}"), False)

        self.spawn(begin())

    def delete(self, person: Person) -> None:
        """The host deletes a table."""

        async def delete() -> None:
            try:
                await self.server.ask(lambda room: room.delete(person.place.name, person.token or ""))
            except (Lost, StoreError, Refusal):
                return
            if self.disk.size(person.place.name):
                raise Wrong(f"{person.place.name} was deleted, and is there")

        self.spawn(delete())

    def follow_rematch(self, person: Person, name: str) -> None:
        """A person goes on to the table of a rematch."""
        person.gone = True
        place = self.by_name.get(name)
        if place is None:
            old = person.place
            place = self.by_name[name] = Place(name, old.code, old.game, old.players, 1, old.pace, old.phrases)
        self.join(place, f"{person.label}'", person.token, person.seat)


class Effort:
    """Processor time, as it is charged in a world: every piece of work takes the same."""

    def __init__(self) -> None:
        self.spent = 0.0

    def thread_time(self) -> float:
        self.spent += 0.00005
        return self.spent


class Log(logging.Handler):
    """What the server logs: nothing that was not meant to happen."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        if self.world.over:
            return
        said = record.getMessage()
        self.world.trace("log", record.levelname, said.encode())
        if record.exc_info or (record.levelno >= logging.ERROR and not any(each in said for each in EXPECTED)):
            self.world.checks.wrong(f"the server logs: {said} {record.exc_info}")
