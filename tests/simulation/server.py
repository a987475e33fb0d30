"""The real server within a simulated world: its rooms, tables and conversations, started, killed and started again."""

from __future__ import annotations

import asyncio
import base64
import random
import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from parlour.engine.errors import Refusal
from parlour.players.hints import Advice
from parlour.players.review import Luck as Parts
from parlour.players.review import Part, Review
from parlour.server import mirrors, reviews
from parlour.server.http import keep_tidy
from parlour.server.limits import Limits
from parlour.server.notices import Notices
from parlour.server.outgoing import Answer as Status
from parlour.server.outgoing import CallFailed, Outgoing, Target
from parlour.server.room import Room
from parlour.server.run import GOODBYE_SECONDS, STOPPING_SECONDS
from parlour.server.socket import Conversation, Socket
from parlour.server.sqlite import SqliteStore
from parlour.server.statements import Signer
from parlour.server.store import StoreError
from parlour.server.thinking import BotPool
from parlour.server.web_push import PushKey
from parlour.server.workers import Busy, Done, Failed, Work

from .loop import VirtualLoop, context_of
from .network import Link
from .store import SimulatedStore

Answer = TypeVar("Answer")
BEGINNING = 1_750_000_000  # the date of every world


class Lost(Exception):
    """No answer came, and nobody knows whether the request did."""


class Luck:
    """What `secrets` gives, from a seed."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck

    def token_bytes(self, nbytes: int | None = None) -> bytes:
        return self.luck.randbytes(nbytes or 32)

    def token_urlsafe(self, nbytes: int | None = None) -> str:
        return base64.urlsafe_b64encode(self.token_bytes(nbytes)).rstrip(b"=").decode()


NOTHING = Part()
REVIEWING: dict[
    Callable[..., Any], Callable[..., Any]
] = {  # a review takes seconds; its way through the server does not
    reviews.pieces_of: lambda record, seat: 3,
    reviews.piece_of: lambda record, seat, at: [at],
    reviews.whole_of: lambda record, seat, found: Review(seat, [], len(found), None, Parts(*[NOTHING] * 5, [])),
}


class Outside(Outgoing):
    """The internet as the server sees it: a call takes its time, and some receivers are busy, gone or silent."""

    def __init__(self, luck: random.Random, called: Callable[[str, Mapping[str, str], bytes], None]) -> None:
        super().__init__(True, context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        self.luck, self.called = luck, called

    async def check(self, address: str) -> tuple[Target, list[str]]:
        await asyncio.sleep(self.luck.expovariate(10.0))
        return self.target(address), ["192.0.2.1"]

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> Status:
        self.called(address, headers, body)
        await asyncio.sleep(self.luck.expovariate(2.0))
        if self.luck.random() < 0.1:
            raise CallFailed("no answer")
        return Status(self.luck.choice((200, 200, 200, 200, 503, 429, 403, 410)))


class SteadyWorkers:
    """Workers whose answers depend on the table alone, as no bot searches against the clock; some fail or are busy."""

    def __init__(self, loop: VirtualLoop, luck: random.Random) -> None:
        self.loop, self.luck = loop, luck
        self.failing = 0.0  # how likely a worker fails

    def run(self, work: Work) -> asyncio.Future[Done]:
        answer: asyncio.Future[Done] = self.loop.create_future()
        self.loop.call_later(self.luck.expovariate(1 / self.loop.thinking_seconds), self._answer, work, answer)
        return answer

    def _answer(self, work: Work, answer: asyncio.Future[Done]) -> None:
        if answer.done():
            return
        if self.luck.random() < self.failing:
            answer.set_exception(self.luck.choice((Busy(), Failed("it is in trouble"))))
        elif work.function is mirrors.hint:
            answer.set_result(Done(Advice([], "", ""), 0.01))
        elif work.function is mirrors.bot_move:
            opening, steps, _, seat, _, seed = work.arguments
            answer.set_result(Done(mirrors.bot_move(opening, steps, (seat,), seat, "thumb", seed), 0.01))
        elif work.function in REVIEWING:
            answer.set_result(Done(REVIEWING[work.function](*work.arguments), 0.01))
        else:
            answer.set_result(Done(work.function(*work.arguments), 0.01))

    def close(self) -> None:
        """Nothing is left of them."""


class SimulatedServer:
    """One server after another, on the same disk."""

    def __init__(
        self,
        loop: VirtualLoop,
        luck: random.Random,
        open_store: Callable[[], SqliteStore | SimulatedStore],
        delay: float,
    ) -> None:
        self.loop, self.luck, self.open_store, self.delay = loop, luck, open_store, delay
        self.side = 0
        self.up = False
        self.push_key = PushKey(ec.derive_private_key(1 + luck.getrandbits(200), ec.SECP256R1()))
        self.signer = Signer(Ed25519PrivateKey.from_private_bytes(luck.randbytes(32)))
        self.clock_error = 0.0  # of the machine's date
        self.links: dict[Link, None] = {}
        self.asked: dict[asyncio.Future[Any], None] = {}  # requests that wait for an answer
        self.left_behind: list[Any] = []  # of killed servers, so that nothing of them is cleared away in between
        self.disk_failed: Callable[[], None] = lambda: None
        self.called: Callable[[str, Mapping[str, str], bytes], None] = lambda address, headers, body: None
        self.room: Room
        self.limits: Limits

    def clock(self) -> float:
        return BEGINNING + self.loop.at + self.clock_error

    def start(self) -> None:
        """Start the server."""
        self.side += 1
        self.context = context_of(self.side)
        self.context.run(self._start)
        self.up = True

    def _start(self) -> None:
        self.workers = SteadyWorkers(self.loop, random.Random(f"{self.luck.random()} bots"))
        luck = Luck(random.Random(f"{self.luck.random()} room"))
        self.limits = Limits()
        store = self.open_store()
        store.on_failure = self.disk_failed
        outside = Outside(random.Random(f"{self.luck.random()} outside"), self.called)
        told = Notices(outside, self.push_key, clock=self.clock)
        self.room = Room(store, BotPool(self.workers), self.clock, luck, self.signer, notices=told)
        self.housekeeping = [
            self.loop.create_task(work)
            for work in (self.room.services.awake.run(), self.room.resume(), keep_tidy(self.room, self.limits))
        ]
        self.talking: dict[asyncio.Task[None], None] = {}

    def kill(self) -> None:
        """End it at once."""
        self.up = False
        self.loop.dead.add(self.side)
        self.left_behind.append((self.room, asyncio.all_tasks(self.loop)))
        self.loop.doom = None
        self._break_off()

    def _break_off(self) -> None:
        links, self.links = self.links, {}
        for link in links:
            link.server_left()
        asked, self.asked = self.asked, {}
        for future in asked:
            if not future.done():
                future.set_exception(Lost())
                future.exception()

    async def stop(self) -> None:
        """End it as it wants to be ended."""
        self.up = False
        self.loop.doom = None
        await self.loop.create_task(self._stop(), context=self.context.copy())
        self.loop.dead.add(self.side)
        self.left_behind.append((self.room, asyncio.all_tasks(self.loop)))
        self._break_off()

    async def _stop(self) -> None:
        await self.room.say_goodbye()
        await asyncio.sleep(GOODBYE_SECONDS)
        if self.talking:
            for link in self.links:
                link.cut()
            _, late = await asyncio.wait(list(self.talking), timeout=STOPPING_SECONDS)
            for task in late:
                task.cancel()
        for task in self.housekeeping:
            task.cancel()
        await self.room.close()

    # clients

    def connect(self, link: Link, address: str) -> bool:
        """A client comes; False where there is no server."""
        if not self.up:
            return False
        self.links[link] = None
        socket = Socket({"address": address}, link.receive, link.send)
        room, limits = self.room, self.limits

        async def talk() -> None:
            limits.connected(address, 1)
            try:
                await Conversation(socket, room, limits).run()
            finally:
                limits.connected(address, -1)
                self.links.pop(link, None)
                link.server_left()  # as a web server closes what is left open

        task = self.loop.create_task(talk(), context=self.context.copy())
        self.talking[task] = None
        task.add_done_callback(lambda done: self.talking.pop(done, None))
        return True

    async def ask(self, doing: Callable[[Room], Awaitable[Answer]]) -> Answer:
        """A request over HTTP: it may be late, and it or its answer may be lost."""
        await asyncio.sleep(self.luck.expovariate(1 / self.delay))
        if not self.up or self.luck.random() < 0.03:
            raise Lost
        answer: asyncio.Future[Answer] = self.loop.create_future()
        self.asked[answer] = None
        room = self.room

        async def handle() -> None:
            try:
                found = await doing(room)
            except (Refusal, StoreError) as error:
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(found)

        task = self.loop.create_task(handle(), context=self.context.copy())
        try:
            found = await answer
        finally:
            self.asked.pop(answer, None)
            del task
        await asyncio.sleep(self.luck.expovariate(1 / self.delay))
        if self.luck.random() < 0.03:
            raise Lost
        return found
