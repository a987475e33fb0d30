"""The web side of the table: HTTP for what is asked once, a socket for play, and the manners of both."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .. import __version__
from ..engine.errors import Refusal
from ..games import GAMES
from ..games import game as game_of
from ..play.sitting import SPECTATOR
from ..players.bots import BOTS
from ..sheets.model import SheetError
from ..sheets.rulebook import as_data
from . import messages as wire
from . import replays, static
from .limits import LARGEST_MESSAGE, Bucket, Limits, counted_as
from .room import Forbidden, Listener, Missing, Resident, Room, note
from .rows import Damaged
from .store import FAULTS, StoreError
from .table import LONGEST_NAME, Pace

SOCKET = "/api/socket"
LARGEST_BODY = 16 * 1024
BODY_SECONDS = 10.0
HELLO_SECONDS = 10.0
WORK: dict[type, float] = {wire.Undo: 5, wire.Hint: 5, wire.Rematch: 5}  # requests that cost more than others
KNIGHTS = [str(number) for number in range(1, 11)]  # HER-11: which number of the Cross suit may be the Knight
NOTHING_HERE = "There is nothing here by that name."
TOO_MUCH = (429, "That is too much at once; wait a moment.")
LONG_ANSWER = 20_000  # bytes, from which on an answer counts as more
SLOW_SECONDS = 1.0  # for those who ask too much
MOST_SLOW = 1000
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
Answer = TypeVar("Answer")


class Opening(Struct, forbid_unknown_fields=True):
    """A table to be opened."""

    game: Literal["masquerade", "lost-heir", "sovereign", "heraldry", "tontine"]
    players: Annotated[int, Meta(ge=2, le=52)]
    options: dict[Annotated[str, Meta(max_length=20)], Annotated[str, Meta(max_length=20)] | int] = {}
    open: bool = False
    hints: bool = True
    deal: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    person_seconds: Annotated[float, Meta(ge=0, le=604800)] = 0.0
    bot_seconds: Annotated[float, Meta(ge=0, le=10)] = 0.6
    spectator_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class Opened(Struct):
    """Its name, and the code that invites to it; the link has it behind a #, where no server sees it."""

    table: str
    code: str
    described: dict[str, Any]


class Sitting(Struct, forbid_unknown_fields=True):
    """Someone who wants to sit down."""

    name: Annotated[str, Meta(min_length=1, max_length=100, description=f"{LONGEST_NAME} letters at most")]
    code: wire.Secret = ""
    seat: wire.SeatNumber | None = None
    promise: wire.Digits | None = None
    token: wire.OwnSecret | None = None


class Carrying(Struct, forbid_unknown_fields=True):
    """Someone who brings a seat along from another device."""

    code: wire.Secret
    token: wire.OwnSecret | None = None


class Seated(Struct):
    """A seat, and the token that is its key; it is shown once."""

    seat: int
    token: str


class Trouble(Struct):
    """Why not, in one sentence, with the clause where there is one."""

    sentence: str
    clause: str = ""


def reply(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def trouble(sentence: str, status: int, clause: str = "") -> Response:
    return reply(Trouble(sentence, clause), status)


async def body_of(request: Request, kind: type[Answer]) -> Answer:
    """The body of a request as one of ours; what it is not raises Unfit."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > LARGEST_BODY:
                    raise Unfit(f"The body is larger than {LARGEST_BODY:,} bytes.", 413)
                parts.append(part)
    except TimeoutError:
        raise Unfit("The body did not come in time.", 408) from None
    try:
        return msgspec.json.decode(b"".join(parts), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit(f"The body does not fit: {error}."[:300], 422) from None


class TooMuch(Refusal):
    """More was asked than anyone may ask at once; who waits may come again."""


class Unfit(Exception):
    """A request that cannot be read."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


# --- HTTP -------------------------------------------------------------------------------------------------------------


class Web:
    """The endpoints, around one room."""

    def __init__(self, room: Room, limits: Limits) -> None:
        self.room = room
        self.limits = limits
        self.games = {name: public(described(name)) for name in GAMES}
        self.all_games = public([described(name) for name in GAMES])
        self.briefly = public([brief(name) for name in GAMES])
        self.described = openapi()
        self.messages = wire.schema()
        self.parts = static.parts()

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page),
            *(Route(f"/faces/{game}.svg", self.faces) for game in GAMES),
            *(Route(f"/covers/{game}.svg", self.cover) for game in GAMES),
            Route("/health", self.health),
            Route("/metrics", self.metrics),
            Route("/api/games", self.list_games),
            *(Route(f"/api/games/{game}", self.game) for game in GAMES),
            Route("/api/schema.json", self.schema),
            Route("/api/openapi.json", self.openapi),
            Route("/api/tables", self.tables, methods=["GET", "POST"]),
            Route("/api/tables/{name}", self.table, methods=["GET", "DELETE"]),
            Route("/api/tables/{name}/seats", self.sit, methods=["POST"]),
            Route("/api/tables/{name}/carried", self.carry, methods=["POST"]),
            Route("/api/tables/{name}/record", self.record),
            Route("/api/tables/{name}/replay", self.replay),
            Route("/api/lessons/{game}", self.lesson),
            *(Route(f"/{name}", self.part) for name in self.parts),
        ]

    async def page(self, request: Request) -> Response:
        found = self.parts.get("index.html")
        return found.answer(request) if found else trouble(static.NOT_BUILT, 404)

    async def part(self, request: Request) -> Response:
        return self.parts[request.url.path.removeprefix("/")].answer(request)

    async def faces(self, request: Request) -> Response:
        asked = request.query_params.get("knight", "")
        knight = int(asked) if asked in KNIGHTS and "heraldry" in request.url.path else None
        return static.faces(PurePosixPath(request.url.path).stem, knight).answer(request)

    async def cover(self, request: Request) -> Response:
        return static.lid(PurePosixPath(request.url.path).stem).answer(request)

    async def health(self, request: Request) -> Response:
        well = self.room.store.healthy() and not self.room.closing
        return reply({"well": well, "version": __version__}, 200 if well else 503)

    async def metrics(self, request: Request) -> Response:
        lines = []
        for name, value in {
            **{f"{name}_total": number for name, number in self.room.counts.items()},
            "tables_in_memory": len(self.room.residents),
            "listeners": self.limits.sockets,
            "store_well": int(self.room.store.healthy()),
        }.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# TYPE parlour_{name} {kind}", f"parlour_{name} {value}"]
        return PlainTextResponse("\n".join(lines) + "\n")

    async def list_games(self, request: Request) -> Response:
        return (self.briefly if "brief" in request.query_params else self.all_games).answer(request)

    async def game(self, request: Request) -> Response:
        return self.games[PurePosixPath(request.url.path).name].answer(request)

    async def schema(self, request: Request) -> Response:
        return reply(self.messages)

    async def openapi(self, request: Request) -> Response:
        return reply(self.described)

    async def tables(self, request: Request) -> Response:
        if request.method == "POST":
            return await self.open(request)
        return reply(await self.room.open_ones())

    async def open(self, request: Request) -> Response:
        asked = await body_of(request, Opening)
        if not self.limits.may_open(request.scope["address"]):
            raise Unfit("These are too many tables at once; wait a minute.", 429)
        resident, code = await self.room.open(
            game=asked.game,
            players=asked.players,
            options=asked.options,
            is_open=asked.open,
            hints=asked.hints,
            deal=asked.deal,
            pace=Pace(asked.person_seconds, asked.bot_seconds, asked.spectator_seconds),
        )
        return reply(Opened(resident.table.name, code, resident.table.described()), 201)

    async def table(self, request: Request) -> Response:
        name = request.path_params["name"]
        if request.method == "DELETE":
            await self.room.delete(name, token_of(request))
            return Response(status_code=204)
        return reply(await self.room.described(name))

    async def sit(self, request: Request) -> Response:
        asked = await body_of(request, Sitting)
        found = await self.room.join(
            request.path_params["name"], asked.code, asked.name, asked.seat, asked.promise, asked.token
        )
        return reply(Seated(*found), 201)

    async def carry(self, request: Request) -> Response:
        asked = await body_of(request, Carrying)
        return reply(Seated(*await self.room.carry(request.path_params["name"], asked.code, asked.token)), 201)

    async def record(self, request: Request) -> Response:
        return reply(await self.room.record(request.path_params["name"]))

    async def replay(self, request: Request) -> Response:
        first = request.query_params.get("first", "0")
        if not first.isdecimal() or len(first) > 6:
            raise Unfit("`first` is the number of a frame, from 0.", 422)
        seat = request.query_params.get("seat", "")
        if seat and (not seat.isdecimal() or len(seat) > 2):
            raise Unfit("`seat` is the number of the seat that is called you, from 0.", 422)
        return reply(await self.room.replay(request.path_params["name"], int(first), int(seat) if seat else SPECTATOR))

    async def lesson(self, request: Request) -> Response:
        name = request.path_params["game"]
        return reply(replays.lesson(name)) if name in GAMES else trouble(NOTHING_HERE, 404)

    # the socket

    async def socket(self, line: Line) -> None:
        """Someone comes to a table, and plays or looks on until they go."""
        await line.accept()
        listener: Listener | None = None
        resident = None
        writer: asyncio.Task[None] | None = None
        why, again = "", False
        try:
            hello = wire.decode(await asyncio.wait_for(line.receive(), HELLO_SECONDS))
            if not isinstance(hello, wire.Hello):
                raise Refusal("The first message must be hello.")
            if hello.protocol != wire.PROTOCOL:
                raise Refusal(f"This server speaks protocol {wire.PROTOCOL}.")
            resident, listener = await self.room.come_in(hello.table, hello.token, hello.last)
            writer = asyncio.create_task(self.write(line, listener))
            await self.read(line, resident, listener)
        except (Refusal, StoreError, Damaged) as error:
            why, again = str(error.args[0]), isinstance(error, StoreError | TooMuch)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            why = f"The message does not fit: {error}."[:300]
            self.limits.was_wrong(line.address)
        except TimeoutError:
            why = "Nobody said hello."
        except Disconnected:
            pass
        finally:
            if resident is not None and listener is not None:
                self.room.leave(resident, listener)
            if writer is not None:
                writer.cancel()
            await line.close(why or (listener.cut if listener else ""), again or bool(listener and listener.again))

    async def read(self, line: Line, resident: Resident, listener: Listener) -> None:
        allowed = Bucket(self.limits.messages, 3 * self.limits.messages)
        while not listener.cut:
            asked = wire.decode(await line.receive())
            listener.heard = time.monotonic()
            work = WORK.get(type(asked), 1)
            if not (allowed.take(work) and self.limits.may_say(line.address, work)):
                raise TooMuch("That is too much at once; a moment, please.")
            if isinstance(asked, wire.Ping):
                listener.send(wire.encode(wire.Pong()))
            elif isinstance(asked, wire.Hello):
                raise Refusal("Hello was said.")
            elif isinstance(asked, wire.Hint):
                self.room.later(self.answer(resident, listener, asked))  # who waits for advice can still do something
            elif await self.answer(resident, listener, asked) > LONG_ANSWER:
                allowed.charge(10)

    async def answer(self, resident: Resident, listener: Listener, asked: Any) -> int:
        """Answer; how long the answer is."""
        answer = wire.encode(await self.room.answer(resident, listener, asked))
        listener.send(answer)
        return len(answer)

    async def write(self, line: Line, listener: Listener) -> None:
        """Send what waits; who is cut off is closed, without waiting for him to read."""
        while True:
            message = listener.next()
            if listener.cut:
                await line.close(listener.cut, listener.again)
                return
            if message is None and listener.ending:
                await asyncio.sleep(0.1)  # for an answer that is on its way
                if not listener.waiting:
                    await line.close(listener.ending, again=True)
                    return
            elif message is None:
                await listener.ready.wait()
            else:
                try:
                    await line.send(message)
                except OSError:
                    return  # they are gone, as the reader hears too


class Disconnected(Exception):
    """The other side is gone."""


class Line:
    """A client's socket."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.address: str = scope["address"]
        self._receive = receive
        self._send = send

    async def accept(self) -> None:
        await self._receive()  # that someone connects
        await self._send({"type": "websocket.accept"})

    async def receive(self) -> bytes:
        """The next message; one that is too large is refused."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Disconnected
        text = message.get("text")
        content: bytes = text.encode("utf-8", "surrogatepass") if text is not None else message.get("bytes") or b""
        if len(content) > LARGEST_MESSAGE:
            raise Refusal(f"A message has at most {LARGEST_MESSAGE:,} bytes.")
        return content

    async def send(self, message: bytes) -> None:
        await self._send({"type": "websocket.send", "text": message.decode()})

    async def close(self, why: str, again: bool = False) -> None:
        """Say goodbye, if there is still anyone to say it to."""
        try:
            if why:
                await asyncio.wait_for(self.send(wire.encode(wire.Bye(why, again))), 1.0)
            closing = {"type": "websocket.close", "code": 1008 if why else 1000}
            await asyncio.wait_for(self._send(closing), 1.0)
        except (OSError, RuntimeError, TimeoutError):
            pass


def token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unfit("This needs the host's token, as Authorization: Bearer.", 401)
    return token


def public(value: Any) -> static.Part:
    """What everyone may know and does not change while the server runs, so that it may be compressed."""
    return static.Part(msgspec.json.encode(value), ".json", static.ASK_AGAIN)


def brief(name: str) -> dict[str, Any]:
    """A game, for those who look at all of them."""
    wanted = ("game", "title", "maker", "summary", "goal", "players", "usual", "cards")
    return {member: value for member, value in described(name).items() if member in wanted}


def described(name: str) -> dict[str, Any]:
    """A game, for those who choose one."""
    game = game_of(name)
    return as_data(game.sheet) | {"bots": BOTS, "card_names": game.card_names}


# --- manners ----------------------------------------------------------------------------------------------------------


class Doorkeeper:
    """Looks at every request before anyone else: its host, its origin, how many there were; and adds the headers."""

    def __init__(self, app: ASGIApp, web: Web, hosts: Sequence[str], limits: Limits, behind_proxy: bool) -> None:
        self.app = app
        self.web = web
        self.hosts = {host.lower() for host in hosts}
        self.limits = limits
        self.behind_proxy = behind_proxy
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        address = (scope.get("client") or ("", 0))[0]
        if self.behind_proxy:
            address = headers.get("x-forwarded-for", address).split(",")[-1].strip()
        scope["address"] = address = counted_as(address)
        may = self.limits.may_come if scope["type"] == "websocket" else self.limits.may_ask
        refused = self.refusal(headers) or (None if may(address) else TOO_MUCH)
        if scope["type"] == "websocket":
            if refused is None and not self.limits.may_connect(address):
                refused = (503, "There are too many connections.")
            if refused is None and scope["path"] != SOCKET:
                refused = (404, NOTHING_HERE)
            if refused is not None:
                await self.be_slow(refused[0])
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused[1]})
                return
            self.limits.connected(address, 1)
            try:
                await self.web.socket(Line(scope, receive, send))
            finally:
                self.limits.connected(address, -1)
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in own),
                ]
            await send(message)

        if refused is not None:
            await self.be_slow(refused[0])
            await trouble(refused[1], refused[0])(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)

    async def be_slow(self, status: int) -> None:
        """Who asks too much waits for the answer, which costs us less than to give it at once and be asked again."""
        if status == 429 and self.waiting < MOST_SLOW:
            self.waiting += 1
            try:
                await asyncio.sleep(random.uniform(0.5, 1.5) * SLOW_SECONDS)  # not all at the same time again
            finally:
                self.waiting -= 1

    def refusal(self, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "").lower()
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if name not in self.hosts and "*" not in self.hosts:
            return 421, "This server is not known by that name."
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != host:
            return 403, "Pages of other sites may not ask here."
        return None


async def refuse(request: Request, error: Exception) -> Response:
    """What is wrong with a request, in one sentence."""
    if isinstance(error, Unfit):
        found = trouble(str(error), error.status)
        if error.status == 401:
            found.headers["www-authenticate"] = "Bearer"
        return found
    if isinstance(error, Missing):
        return trouble(error.args[0], 404)
    if isinstance(error, Forbidden):
        return trouble(error.args[0], 403)
    if isinstance(error, Refusal):
        return trouble(error.args[0], 409, error.clause)
    if isinstance(error, SheetError):
        return trouble(str(error), 409)
    return trouble(str(error), 503)


async def damaged(request: Request, error: Exception) -> Response:
    note.error("%s: %s", request.url.path, error)
    return trouble("This table cannot be read; it was noted.", 503)


async def not_found(request: Request, error: Exception) -> Response:
    return trouble(NOTHING_HERE, 404)


async def not_so(request: Request, error: Exception) -> Response:
    found = trouble("This cannot be asked in that way.", 405)
    found.headers["allow"] = (getattr(error, "headers", None) or {}).get("Allow", "GET")
    return found


async def broken(request: Request, error: Exception) -> Response:
    return trouble("Something went wrong here; it was noted.", 500)


def application(
    room: Room, hosts: Sequence[str], limits: Limits | None = None, behind_proxy: bool = False
) -> Starlette:
    """The whole, as an ASGI application."""
    limits = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        resuming = asyncio.create_task(room.resume())
        sweeping = asyncio.create_task(sweep(room, limits))
        yield
        for task in (sweeping, resuming):
            task.cancel()
        await room.close()

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]]
    handlers = dict.fromkeys((Damaged, *FAULTS), damaged)
    handlers |= dict.fromkeys((Unfit, Refusal, SheetError, StoreError), refuse)
    handlers |= {404: not_found, 405: not_so, 500: broken}
    web = Web(room, limits)
    app = Starlette(routes=web.routes(), lifespan=lifespan, exception_handlers=handlers)
    app.add_middleware(Doorkeeper, web=web, hosts=hosts, limits=limits, behind_proxy=behind_proxy)
    return app


async def sweep(room: Room, limits: Limits) -> None:
    """Keep the room tidy."""
    cleared = 0.0
    while True:
        try:
            if time.monotonic() - cleared > 3600 or not cleared:
                cleared = time.monotonic()
                await room.clear_out()
            limits.forget()
            room.sweep()
        except Exception:
            note.exception("the room could not be tidied")
        await asyncio.sleep(5)


def openapi() -> dict[str, Any]:
    """What can be asked over HTTP."""
    kinds = [Opening, Opened, Sitting, Carrying, Seated, Trouble, replays.Replay, replays.Lesson]
    schemas, parts = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    named = dict(zip((kind.__name__ for kind in kinds), schemas, strict=True))
    anything = {"type": "object"}
    said = {"application/json": {"schema": named["Trouble"]}}
    troubles = {
        str(status): {"description": words, "content": said}
        for status, words in (
            *((401, "needs a token"), (403, "not for you"), (404, "not there"), (408, "too slow")),
            *((409, "refused"), (413, "too large")),
            *((422, "does not fit"), (429, "too much at once"), (503, "cannot be stored now")),
        )
    }

    def operation(summary: str, answer: Any, status: int = 200, body: Any = None, key: bool = False) -> dict[str, Any]:
        content = {"content": {"application/json": {"schema": answer}}} if answer else {}
        found: dict[str, Any] = {"summary": summary, "responses": {str(status): {"description": "done", **content}}}
        found["responses"] |= troubles
        if body:
            found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
        if key:
            found["security"] = [{"token": []}]
        return found

    game = [{"name": "game", "in": "path", "required": True, "schema": {"type": "string", "enum": list(GAMES)}}]
    first = {"name": "first", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 999_999}}
    seat = {"name": "seat", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 99}}
    name = [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parlour table", "version": __version__},
        "paths": {
            "/health": {"get": operation("Whether all is well", anything)},
            "/api/games": {
                "parameters": [{"name": "brief", "in": "query", "schema": {"type": "string"}}],
                "get": operation("The games; briefly, without clauses", {"type": "array", "items": anything}),
            },
            "/api/games/{game}": {"parameters": game, "get": operation("A game, with its whole sheet", anything)},
            "/api/tables": {
                "get": operation("Open tables at which people gather", {"type": "array", "items": anything}),
                "post": operation("Open a table", named["Opened"], 201, named["Opening"]),
            },
            "/api/tables/{name}": {
                "parameters": name,
                "get": operation("A table, as all may know it", anything),
                "delete": operation("Delete a table, by its host", None, 204, key=True),
            },
            "/api/tables/{name}/seats": {
                "parameters": name,
                "post": operation("Sit down", named["Seated"], 201, named["Sitting"]),
            },
            "/api/tables/{name}/carried": {
                "parameters": name,
                "post": operation("Bring a seat along from another device", named["Seated"], 201, named["Carrying"]),
            },
            "/api/tables/{name}/record": {
                "parameters": name,
                "get": operation("The record of a sitting that is over, with its seal", anything),
            },
            "/api/tables/{name}/replay": {
                "parameters": [*name, first, seat],
                "get": operation("A sitting that is over, frame by frame with all hands", named["Replay"]),
            },
            "/api/lessons/{game}": {
                "parameters": game,
                "get": operation("The guided first hand of a game", named["Lesson"]),
            },
        },
        "components": {"schemas": parts, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }
