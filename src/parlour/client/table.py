"""A seat at a served table, or a spectator's place: what was told, and requests, over a socket that comes back."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any, Self, get_args
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ..server import messages as wire
from .errors import ClientError, Refused, SetBack, Stale, Unreachable
from .server import FIRST_WAIT, LONGEST_WAIT, MOST_MOVES, Place, Server, socket_of

LARGEST_NEWS = 1 << 24  # bytes
PING_SECONDS = 45.0  # the server lets a client go that is silent for two minutes
MOST_SAID = 50  # phrases
SPECTATOR = -1
Answer = wire.Done | wire.Following | wire.Advice

decode = msgspec.json.Decoder(wire.ToClient).decode
KINDS = {kind.__struct_config__.tag for kind in get_args(wire.ToClient)}


@contextlib.asynccontextmanager
async def connected(address: str) -> AsyncIterator[ClientConnection]:
    """A socket that is closed for certain afterwards, also where the task is cancelled while it says goodbye."""
    socket = await connect(address, max_size=LARGEST_NEWS, close_timeout=1.0)
    try:
        async with socket:
            yield socket
    finally:
        socket.transport.abort()


class Missed(Exception):
    """News is missing: everything must be asked for."""


class Moved(Exception):
    """Another of several servers has the table; the message is its address."""


class Again(Exception):
    """The server closed the socket and says that coming back may help."""


class Waiting:
    """A request that waits for its answer."""

    def __init__(self, request: Any) -> None:
        self.request = request
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.sent: ClientConnection | None = None  # where it was sent last


class AsyncTable:
    """One connection to a table, which is made again whenever it breaks.

    `table` is what everyone may know, `told` the entries that this seat was told, `events` the same with sentences,
    `view` and `legal` how things stand, `seat` is −1 for a spectator. `begun` counts how often all was told from the
    beginning. `here` and `ready` are seats, `watching` is how many spectators there are, `said` what people said
    lately, as pairs of seat and phrase. `set_back` is a sentence if the server's log was found to be shorter or other
    than what was told.

    A request is sent again under its id until it is answered, at the pace that the server asks for; after `patience`
    seconds without an answer or a connection it raises Unreachable.
    """

    def __init__(
        self,
        server: Server,
        name: str,
        place: Place | None = None,
        *,
        wants: Sequence[wire.Want] = (),
    ) -> None:
        self.server = server
        self.name = name
        self.place = place
        self.wants = list(wants)
        self.patience = server.patience
        self.seat = SPECTATOR
        self.table: wire.Described | None = None
        self.events: list[wire.Event] = []
        self.told: list[list[Any]] = []
        self.table_events: list[list[Any]] = []
        self.news = wire.News(0)  # the latest
        self.view: dict[str, Any] | None = None
        self.legal: list[wire.Choice] = []
        self.here: list[int] = []
        self.ready: list[int] = []
        self.watching = 0
        self.said: deque[tuple[int, wire.PhraseName]] = deque(maxlen=MOST_SAID)
        self.key: str | None = None  # by which the server's signatures are verified
        self.number: int | None = None
        self.head: str | None = None
        self.begun = 0
        self.set_back = ""
        self._signature: str | None = None
        self._whole = False  # everything must be asked for
        self._owner = ""  # the address of the server that has the table, where another was asked
        self._moves = 0  # how often one server led to another
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, Waiting] = {}
        self._ids = f"{secrets.token_hex(6)}-"
        self._asked = 0
        self._failure: ClientError | None = None
        self.changes = 0  # how often something new was told
        self._changed = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._pace = wire.Pace(20.0, 20)
        self._spare = (float(self._pace.at_once), time.monotonic())  # requests that may be sent at once, and since when

    async def __aenter__(self) -> Self:
        """Come to the table, and wait until it has said how things stand."""
        self._runner = asyncio.create_task(self._run())
        try:
            while self.number is None:
                await self.changed()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the socket. The seat stays this person's; `leave` or `stand` gives it up."""
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner

    # what happens

    @property
    def described(self) -> wire.Described:
        """What everyone may know of the table."""
        assert self.table is not None  # the first news has it
        return self.table

    @property
    def over(self) -> bool:
        """Whether the sitting is over."""
        return self.table is not None and self.table["phase"] == "over"

    async def changed(self, since: int | None = None) -> None:
        """Wait until something new was told (since `changes` was so much); raises where the connection has ended."""
        before = self.changes if since is None else since
        while self.changes == before:
            if self._failure is not None:
                raise self._failure
            await self._changed.wait()

    def _change(self) -> None:
        self.changes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def turn(self) -> bool:
        """Wait until this seat can move; False when the sitting is over."""
        while not self.over:
            if self.legal:
                return True
            await self.changed()
        return False

    # requests

    async def play(self, move: Sequence[int | str]) -> None:
        """Make a whole move, by the numbers or the names of its steps."""
        assert self.number is not None
        await self.ask(wire.Act, number=self.number, move=list(move))

    async def follow(self, prefix: Sequence[int | str]) -> wire.Following:
        """Where some steps of a move lead."""
        found = await self.ask(wire.Follow, prefix=list(prefix))
        assert isinstance(found, wire.Following)
        return found

    async def hint(self) -> wire.Advice:
        """What a good player would do."""
        found = await self.ask(wire.Hint)
        assert isinstance(found, wire.Advice)
        return found

    async def say(self, phrase: wire.PhraseName) -> None:
        """Say one of the set phrases."""
        await self.ask(wire.Say, phrase=phrase)

    async def leave(self) -> None:
        """Go: before the start the seat is given up, later a bot plays for it."""
        if self.table is not None and not self.over:
            await self.ask(wire.Stand if self.table["phase"] == "gathering" else wire.Leave)

    async def ask(self, kind: type[wire.Request], **members: Any) -> Answer:
        """Make a request and wait for its answer; a refusal raises Refused, one that came too late Stale."""
        if self._failure is not None:
            raise self._failure
        self._asked += 1
        waiting = Waiting(kind(id=f"{self._ids}{self._asked}", **members))
        self._waiting[waiting.request.id] = waiting
        wait = FIRST_WAIT
        try:
            async with asyncio.timeout(self.patience):
                while True:
                    await self._send(waiting)
                    answer = await waiting.answer
                    if not isinstance(answer, wire.Failed):
                        break
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, LONGEST_WAIT)
                    waiting.answer, waiting.sent = asyncio.get_running_loop().create_future(), None
        except TimeoutError:
            raise Unreachable(f"The server at {self.server.address} does not answer.") from None
        finally:
            del self._waiting[waiting.request.id]
        if isinstance(answer, wire.Refused):
            raise Refused(str(answer.sentence), answer.clause)
        if isinstance(answer, wire.Stale):
            raise Stale("This answers a position that has passed.")
        found: Answer = answer
        return found

    async def _send(self, waiting: Waiting) -> None:
        """Send a request once through the socket that there is; another socket sends it again."""
        await self._keep_pace()
        socket = self._socket
        if socket is not None and waiting.sent is not socket:
            waiting.sent = socket
            with contextlib.suppress(WebSocketException, OSError):
                await socket.send(wire.encode(waiting.request).decode())

    async def _keep_pace(self) -> None:
        """Wait as long as the server's pace asks for."""
        while True:
            spare, since = self._spare
            at = time.monotonic()
            spare = min(spare + (at - since) * self._pace.requests, float(self._pace.at_once))
            if spare >= 1.0:
                self._spare = (spare - 1.0, at)
                return
            self._spare = (spare, at)
            await asyncio.sleep((1.0 - spare) / self._pace.requests)

    # the connection

    async def _run(self) -> None:
        """Stay connected, until the server refuses or cannot be reached any more."""
        try:
            await self._stay()
        except ClientError as error:
            self._failure = error
        finally:
            ended = self._failure or ClientError("The table was closed.")
            self._failure = ended
            self._fail(ended)
            self._change()

    async def _stay(self) -> None:
        wait, since = FIRST_WAIT, time.monotonic()
        while True:
            before = self.changes
            said = "the connection broke"
            try:
                where = f"{socket_of(self._owner or self.server.address)}?{urlencode({'table': self.name})}"
                self._owner = ""  # if nobody is there, the first server is asked again
                async with connected(where) as socket:
                    await self._talk(socket)
            except Moved as bye:
                self._owner = str(bye)
                self._moves += 1
                if self._moves <= MOST_MOVES:
                    continue
                self._moves, said = 0, "its servers send each other the table"
            except Missed:
                self._whole = True
                continue
            except Again as bye:
                said = str(bye).rstrip(".")
            except (OSError, WebSocketException, TimeoutError, EOFError) as error:
                said = str(error).rstrip(".") or said
            finally:
                self._socket = None
            if self.changes != before:
                wait, since = FIRST_WAIT, time.monotonic()
            if time.monotonic() - since > self.patience:
                raise Unreachable(f"The server at {self.server.address} cannot be reached: {said}.")
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, LONGEST_WAIT)

    async def _talk(self, socket: ClientConnection) -> None:
        """Say hello, send again what waits, and take what comes."""
        hello = wire.Hello(
            wire.PROTOCOL,
            self.name,
            token=self.place.token if self.place else None,
            last=self.number,
            head=self.head,
            signature=self._signature if self.head else None,
            whole=self._whole,
            wants=self.wants,
        )
        await socket.send(wire.encode(hello).decode())
        pinging = asyncio.create_task(self._ping(socket))
        sending: asyncio.Task[None] | None = None
        try:
            async for text in socket:
                try:
                    message = decode(text)
                except msgspec.ValidationError as error:
                    if msgspec.json.decode(text).get("kind") not in KINDS:
                        continue  # a newer server may say more
                    how = f"The server at {self.server.address} runs another version of Parlour"
                    raise ClientError(f"{how}, which this client does not understand: {error}.") from None
                except msgspec.DecodeError:
                    raise ClientError(f"{self.server.address} does not speak as a Parlour server does.") from None
                self._take(message)
                if isinstance(message, wire.Welcome):
                    self._socket = socket
                    sending = asyncio.create_task(self._send_again())
        finally:
            for task in (pinging, sending):
                if task is not None:
                    task.cancel()

    async def _send_again(self) -> None:
        for waiting in list(self._waiting.values()):
            await self._send(waiting)

    async def _ping(self, socket: ClientConnection) -> None:
        """Say something now and then, as the server lets a silent client go."""
        with contextlib.suppress(WebSocketException, OSError):
            while True:
                await asyncio.sleep(PING_SECONDS)
                await socket.send(wire.encode(wire.Ping()).decode())

    def _take(self, message: wire.ToClient) -> None:
        match message:
            case wire.Welcome():
                self._moves = 0
                self.seat, self.here, self.key = message.seat, message.here, message.key
                self.watching, self.ready = message.watching, message.ready
                self._pace = message.pace or self._pace
                self._hear(message.news)
            case wire.News():
                self._hear(message)
            case wire.Here():
                self.here, self.watching, self.ready = message.here, message.watching, message.ready
            case wire.Phrase():
                self.said.append((message.seat, message.phrase))
            case wire.Bye():
                if message.owner:
                    raise Moved(message.owner)
                if message.again:
                    raise Again(str(message.sentence))
                raise Refused(str(message.sentence))
            case wire.Done() | wire.Refused() | wire.Stale() | wire.Failed() | wire.Following() | wire.Advice():
                if isinstance(message, wire.Done) and (self.number or 0) <= message.number:
                    self.legal = []  # until the news of it has come
                waiting = self._waiting.get(message.id)
                if waiting is not None and not waiting.answer.done():
                    waiting.answer.set_result(message)
                if not isinstance(message, wire.Stale) or message.news.number == self.number:
                    return
                self._hear(message.news)  # what was missed since the number that the request named
            case _:
                return
        self._change()

    def _hear(self, news: wire.News) -> None:
        """Take in news; what does not follow from what was told is noticed."""
        if news.set_back:
            self._was_set_back(str(news.set_back))
        elif not news.whole and news.since != self.number:
            raise Missed
        elif self.number is not None and self._contradicts(news):
            self._was_set_back(
                f"The server told of {self.number} entries before, and now of {news.number}: its log was set back."
            )
        if news.whole:
            self.begun += 1
            self.events, self.told, self.table_events = [], [], []
            self._whole = False
        self.events += news.events
        self.told += [event.entry for event in news.events]
        self.table_events += news.table_events
        self.table = news.table or self.table
        self.news, self.view, self.legal = news, news.view, news.legal
        self.number, self.head, self._signature = news.number, news.head, news.signature
        if self.table is not None and self.table["phase"] == "sealing":
            self._show_entropy(self.table)

    def _contradicts(self, news: wire.News) -> bool:
        """Whether a log that only grows cannot have had both; spectators who are told later wait at 0."""
        assert self.number is not None
        if self.seat == SPECTATOR and news.number == 0:
            return False
        return news.number < self.number or (news.number == self.number and None is not self.head != news.head)

    def _was_set_back(self, sentence: str) -> None:
        """Requests that wait answer a position that the server no longer has."""
        self.set_back = sentence
        self._fail(SetBack(sentence))

    def _fail(self, error: ClientError) -> None:
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(error)

    def _show_entropy(self, table: wire.Described) -> None:
        """Show the entropy that was promised, where it is awaited."""
        if self.place is None or not self.place.entropy or ["shown", self.seat] in self.table_events:
            return
        self._showing = asyncio.create_task(self._show(self.place.entropy.hex()))

    async def _show(self, entropy: str) -> None:
        with contextlib.suppress(ClientError):  # it came too late
            await self.ask(wire.Show, entropy=entropy)
