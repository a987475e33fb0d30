"""The web side of the table: the endpoints for what is asked once, and the whole ASGI application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from .. import __version__
from ..engine.catalogue import SOURCE, catalogue, languages
from ..engine.game import Game
from ..engine.messages import Message, say
from ..games import REGISTRY
from ..play.sitting import SPECTATOR
from ..sheets.model import SheetError
from . import game_data, messages, openapi, puzzles, replays, static
from .bodies import (
    CanTell,
    Carrying,
    Chosen,
    Joining,
    NeverRevealed,
    NeverRevealedList,
    Opened,
    Opening,
    Seated,
    Way,
    body_of,
)
from .clock import now
from .cost import Meter, in_thread
from .errors import HANDLERS, NOTHING_HERE, BadRequest, asked_for, error_reply, not_found, reply
from .gate import Gate
from .limits import TOO_MANY_TABLES, Limits
from .protocols import KEYED
from .room import Room
from .security_txt import PATH, POLICY_PATH, SecurityNotice
from .settings import Pace
from .socket import Conversation, Socket
from .store import StoreError
from .web_push import check_keys

SWEEP_SECONDS = 5
CLEAR_OUT_SECONDS = 3600
TAKE_OVER_SECONDS = 0.5  # between two looks at the tables of other processes
LATER = ("says", "claims", "cards", "languages")  # of a catalogue: what no event needs, and what the book has
LONGEST_NUMBER = 6  # digits
MOST_UNREVEALED = 500  # sittings in one answer
HOST_TOKEN = say("host token", "This needs the host's token, as Authorization: Bearer.")
SEAT_TOKEN = say("seat token", "This needs the token of a seat, as Authorization: Bearer.")
Result = TypeVar("Result")

note = logging.getLogger("parlour.table")


def game_asked(request: Request) -> Game:
    """The game that a path names."""
    game = REGISTRY.get(request.path_params["game"])
    if game is None:
        raise BadRequest(NOTHING_HERE, 404)
    return game


def puzzle_asked(request: Request) -> int:
    """The number of a puzzle that a path names."""
    number = request.path_params["number"]
    if not number.isdecimal() or len(number) > LONGEST_NUMBER:
        raise BadRequest(NOTHING_HERE, 404)
    return int(number)


def token_of(request: Request, lacking: Message = HOST_TOKEN) -> str:
    """The token that a request brings."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise BadRequest(lacking, 401)
    return token


def way_of(asked: Way, host: str, secure: bool) -> dict[str, str]:
    """A way to tell a person something, as it is stored; its link leads to where the person asked for it."""
    origin = f"http{'s' * secure}://{host}"
    if asked.push is not None and asked.webhook is None:
        push = asked.push
        check_keys(push.p256dh, push.auth)
        keys = {"p256dh": push.p256dh, "auth": push.auth}
        return {"kind": "push", "address": push.endpoint, **keys, "origin": origin}
    if asked.webhook is not None and asked.push is None:
        hook = asked.webhook
        return {"kind": "webhook", "address": hook.address, "shape": hook.shape, "origin": origin}
    raise BadRequest("The body does not fit: it needs `push` or `webhook`.", 422)


def chosen(id: str, way: Mapping[str, str]) -> Chosen:
    """A way as its person is shown it: the address may be a secret."""
    return Chosen(id, way["kind"], urlsplit(way["address"]).hostname or "", way.get("shape", ""))  # type: ignore[arg-type]


def number_of(request: Request, name: str, digits: int, means: str, default: int) -> int:
    """A number in the query of a request."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or len(text) > digits:
        raise BadRequest(f"`{name}` is {means}, from 0.", 422)
    return int(text)


def words_asked(request: Request) -> str:
    """How the sentences of an answer are told: "keys", or "" for whole sentences."""
    return "keys" if asked_for(request) is KEYED else ""


# what everyone may know, made when it is first asked for


@cache
def book(game: Game, brief: bool) -> static.Part:
    """A game with its whole sheet; in brief, as a table needs it."""
    return static.json_part(game_data.at_a_table(game) if brief else game_data.described(game))


@cache
def books(games: tuple[Game, ...], brief: bool) -> static.Part:
    """Some games, with their sheets or in brief."""
    return static.json_part([(game_data.brief if brief else game_data.described)(game) for game in games])


@cache
def spoken_words(game: Game | None, language: str, brief: bool) -> static.Part:
    """The sentences of a game, or those that all games share, by key; in brief, what it takes to word events."""
    whole = {**vars(catalogue(game, language)), "languages": languages(game)}
    return static.json_part({name: value for name, value in whole.items() if name not in LATER} if brief else whole)


class Web:
    """The endpoints, around one room."""

    def __init__(
        self, room: Room, limits: Limits, notice: SecurityNotice | None = None, behind_proxy: bool = False
    ) -> None:
        self.behind_proxy = behind_proxy  # which speaks TLS
        self.room = room
        self.limits = limits
        self.notice = notice
        self.parts = static.parts()

    def routes(self) -> list[Route]:
        """Which endpoint answers at which path."""
        return [
            Route("/", self.page),
            Route("/rules/{game}", self.rules),
            Route("/rules/{game}/{clause}", self.rules),
            Route("/faces/{game}.svg", self.faces),
            Route("/covers/{game}.svg", self.cover),
            Route("/health", self.health),
            Route("/metrics", self.metrics),
            Route(PATH, self.security),
            Route(POLICY_PATH, self.security),
            Route("/api/games", self.games),
            Route("/api/games/{game}", self.game),
            Route("/api/words", self.words),
            Route("/api/words/{game}", self.words),
            Route("/api/schema.json", self.schema),
            Route("/api/openapi.json", self.openapi),
            Route("/api/unrevealed", self.unrevealed),
            Route("/api/tables", self.tables, methods=["GET", "POST"]),
            Route("/api/tables/{name}", self.table, methods=["GET", "DELETE"]),
            Route("/api/tables/{name}/seats", self.sit, methods=["POST"]),
            Route("/api/tables/{name}/carried", self.carry, methods=["POST"]),
            Route("/api/tables/{name}/record", self.record),
            Route("/api/tables/{name}/replay", self.replay),
            Route("/api/notices", self.can_tell),
            Route("/api/tables/{name}/notices", self.ways, methods=["GET", "POST"]),
            Route("/api/tables/{name}/notices/{id}", self.silence, methods=["DELETE"]),
            Route("/api/tables/{name}/review", self.review, methods=["GET", "POST"]),
            Route("/api/lessons/{game}", self.lesson),
            Route("/api/days/{game}", self.day),
            Route("/api/puzzles/{game}", self.puzzles),
            Route("/api/puzzles/{game}/{number}", self.puzzle),
            Route("/api/puzzles/{game}/{number}/why", self.puzzle_why),
            *(Route(f"/{name}", self.part) for name in self.parts),
        ]

    # the page

    async def page(self, request: Request) -> Response:
        found = self.parts.get("index.html")
        return found.answer(request) if found else error_reply(static.NOT_BUILT, 404)

    async def nothing(self, request: Request, error: Exception) -> Response:
        """An unknown address: a page for people, and a sentence as JSON for programs."""
        found = self.parts.get("index.html")
        reads_pages = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
        return found.answer(request, 404) if found and reads_pages else await not_found(request, error)

    async def rules(self, request: Request) -> Response:
        """The lasting address of a rule book, or of one clause of it: where the page shows it now."""
        game, id = REGISTRY.get(request.path_params["game"]), request.path_params.get("clause")
        if game is None:
            raise HTTPException(404)
        try:
            clause = "" if id is None else f"&clause={game.sheet.clause(id).id}"
        except SheetError:
            raise HTTPException(404) from None
        return RedirectResponse(f"/#rules={game.name}{clause}", 302)

    async def part(self, request: Request) -> Response:
        return self.parts[request.url.path.removeprefix("/")].answer(request)

    async def faces(self, request: Request) -> Response:
        game = game_asked(request)
        return static.faces(game, static.options_asked(game, request.query_params.items())).answer(request)

    async def cover(self, request: Request) -> Response:
        return static.cover(game_asked(request)).answer(request)

    # the server

    async def health(self, request: Request) -> Response:
        well = self.room.services.store.healthy() and not self.room.services.closing
        signer = self.room.services.signer
        key = {} if signer is None else {"key": signer.key}
        shared = self.room.services.store.health()
        return reply({"well": well, "version": __version__, **key, **shared}, 200 if well else 503)

    async def metrics(self, request: Request) -> Response:
        room, store = self.room, self.room.services.store
        sent = {} if room.services.notices is None else room.services.notices.counts
        figures = {
            **{f"{name}_total": number for name, number in self.room.services.counts.items()},
            **{f"{name}_total": number for name, number in sent.items()},
            "tables_in_memory": len(self.room.tables),
            "listeners": self.limits.sockets,
            "store_well": int(store.healthy()),
            "tables_damaged": len(store.damaged()),
            **(await self._unrevealed()),
            "clock_jumps_total": room.retention.jumps,
            "retention_since_seconds": room.retention.since,
            **store.figures(),
        }
        lines = []
        for name, value in figures.items():
            if "{" not in name:
                kind = "counter" if name.endswith("_total") else "gauge"
                lines.append(f"# TYPE parlour_{name} {kind}")
            lines.append(f"parlour_{name} {value}")
        return PlainTextResponse("\n".join(lines) + "\n")

    async def _unrevealed(self) -> dict[str, int]:
        """How many sittings were never revealed; nothing while the store cannot be read, as then the rest matters."""
        try:
            return {"sittings_unrevealed": (await in_thread(partial(self.room.services.store.unrevealed, 0, 0)))[0]}
        except StoreError:
            return {}

    async def security(self, request: Request) -> Response:
        if self.notice is None:
            return error_reply(NOTHING_HERE, 404)
        return PlainTextResponse(self.notice.contact if request.url.path == PATH else self.notice.policy)

    async def schema(self, request: Request) -> Response:
        return reply(messages.schema({name: game_data.view_schema(game) for name, game in REGISTRY.items()}))

    async def openapi(self, request: Request) -> Response:
        return reply(openapi.description())

    async def unrevealed(self, request: Request) -> Response:
        first = number_of(request, "first", 9, "how many sittings to pass over", 0)
        total, found = await in_thread(partial(self.room.services.store.unrevealed, first, MOST_UNREVEALED))
        return reply(NeverRevealedList(total, [NeverRevealed(*each) for each in found]))

    # the games

    async def games(self, request: Request) -> Response:
        return books(tuple(REGISTRY.values()), "brief" in request.query_params).answer(request)

    async def game(self, request: Request) -> Response:
        return book(game_asked(request), "brief" in request.query_params).answer(request)

    async def lesson(self, request: Request) -> Response:
        found = replays.lesson(game_asked(request).name, words_asked(request))
        return reply(found) if found else error_reply(NOTHING_HERE, 404, protocol=asked_for(request))

    async def day(self, request: Request) -> Response:
        number = number_of(request, "number", 8, "the date of a deal of the day, such as 20261224", 0)
        return reply(self.room.services.days.body(game_asked(request), number or None))

    async def puzzles(self, request: Request) -> Response:
        return reply(puzzles.shelf_of(game_asked(request), self.room.services.days))

    async def puzzle(self, request: Request) -> Response:
        asked = game_asked(request).name, puzzle_asked(request), words_asked(request)
        return reply(await in_thread(partial(puzzles.puzzle, *asked)))

    async def puzzle_why(self, request: Request) -> Response:
        game, number = game_asked(request), puzzle_asked(request)
        return reply(await self.room.services.puzzles.why(game, number, asked_for(request)))

    async def words(self, request: Request) -> Response:
        game = game_asked(request) if "game" in request.path_params else None
        language = request.query_params.get("language", SOURCE)
        known = language if language in languages(game) else SOURCE
        return spoken_words(game, known, "brief" in request.query_params).answer(request)

    # tables

    async def tables(self, request: Request) -> Response:
        if request.method == "POST":
            return await self.open(request)
        return reply(await self.room.open_tables())

    async def open(self, request: Request) -> Response:
        asked = await body_of(request, Opening)
        if asked.game not in REGISTRY:
            raise BadRequest(f"The body does not fit: the games are {', '.join(REGISTRY)}.", 422)
        if not self.limits.may_open(request.scope["address"]):
            raise BadRequest(TOO_MANY_TABLES, 429)
        again = asked.again
        live, code = await self.room.open(
            game=asked.game,
            players=asked.players,
            options=asked.options,
            is_open=asked.open,
            hints=asked.hints,
            programs=asked.programs,
            phrases=asked.phrases,
            copies=asked.copies or "",
            like=asked.like or "",
            deal=asked.deal,
            again=None if again is None else (again.table, again.seat, again.moves),
            pace=Pace(asked.person_seconds, asked.bot_seconds, asked.spectator_seconds),
        )
        self.room.leave_to_others(live)
        return reply(Opened(live.table.name, code, live.table.described()), 201)

    async def table(self, request: Request) -> Response:
        name = request.path_params["name"]
        if request.method == "DELETE":
            await self.room.delete(name, token_of(request))
            return Response(status_code=204)
        return reply(await self.room.described(name))

    async def sit(self, request: Request) -> Response:
        asked = await body_of(request, Joining)
        name = request.path_params["name"]
        if not self.limits.may_sit(request.scope["address"], name):
            how = "From your address people have sat down at this table too often; wait a minute."
            raise BadRequest(say("sat too often", how), 429)
        found = await self.room.join(
            name, asked.code, asked.name, asked.seat, asked.promise, asked.token, asked.program
        )
        return reply(Seated(*found), 201)

    async def carry(self, request: Request) -> Response:
        asked = await body_of(request, Carrying)
        return reply(Seated(*await self.room.carry(request.path_params["name"], asked.code, asked.token)), 201)

    # notices to people who are elsewhere

    async def can_tell(self, request: Request) -> Response:
        notices = self.room.services.notices
        return reply(CanTell(notices is not None, notices.key.key if notices else None))

    async def ways(self, request: Request) -> Response:
        name, token = request.path_params["name"], token_of(request, SEAT_TOKEN)
        if request.method == "GET":
            ways = await self.room.ways(name, token)
            return reply([chosen(id, way) for id, way in ways.items()])
        asked = await body_of(request, Way)
        if not self.limits.may_notify(request.scope["address"]):
            how = "From your address too many notices were set up; wait a minute."
            raise BadRequest(say("notices too often", how), 429)
        way = way_of(asked, request.headers["host"], self.behind_proxy or request.url.scheme == "https")
        return reply(chosen(await self.room.notify(name, token, way), way), 201)

    async def silence(self, request: Request) -> Response:
        name, id = request.path_params["name"], request.path_params["id"]
        await self.room.silence(name, token_of(request, SEAT_TOKEN), id)
        return Response(status_code=204)

    async def record(self, request: Request) -> Response:
        name = request.path_params["name"]
        record = await self._paid_for(name, self.room.record_text(name))
        return Response(record, media_type="application/json")

    async def replay(self, request: Request) -> Response:
        first = number_of(request, "first", 6, "the number of a frame", 0)
        seat = number_of(request, "seat", 2, "the number of the seat that is called you", SPECTATOR)
        name = request.path_params["name"]
        page = await self._paid_for(name, self.room.replay(name, first, seat, words_asked(request)))
        return Response(page.body, media_type="application/json")

    async def review(self, request: Request) -> Response:
        seat = number_of(request, "seat", 2, "the number of a seat", 0)
        asks = request.scope["address"] if request.method == "POST" else None
        found = await self.room.review(request.path_params["name"], seat, asked_for(request), asks)
        return reply(found, 200 if asks is None or found.review is not None else 202)

    async def _paid_for(self, table: str, work: Coroutine[Any, Any, Result]) -> Result:
        """Do something expensive about a table, as long as not too much of that is asked for."""
        if not self.limits.table_may_cost(table):
            work.close()
            how = "That is too much at once for this table; ask again in a moment."
            raise BadRequest(say("too much for table", how), 429)
        meter = Meter()
        try:
            return await meter.run(work)
        finally:
            self.limits.charge_table(table, meter.seconds)


def application(
    room: Room,
    hosts: Sequence[str],
    limits: Limits | None = None,
    behind_proxy: bool = False,
    notice: SecurityNotice | None = None,
) -> Starlette:
    """The whole server, as an ASGI application."""
    limits = limits or Limits()
    room.services.pace, room.services.limits = messages.Pace(limits.messages, limits.at_once), limits

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        resuming = asyncio.create_task(room.resume())
        sweeping = asyncio.create_task(keep_tidy(room, limits))
        ticking = asyncio.create_task(room.services.awake.run())
        watching = [asyncio.create_task(watch_others(room))] if room.services.store.shared else []
        yield
        for task in (ticking, sweeping, resuming, *watching):
            task.cancel()
        await room.close()

    async def converse(socket: Socket) -> None:
        await Conversation(socket, room, limits).run()

    web = Web(room, limits, notice, behind_proxy)
    app = Starlette(routes=web.routes(), lifespan=lifespan, exception_handlers={**HANDLERS, 404: web.nothing})
    app.add_middleware(Gate, sockets=converse, hosts=hosts, limits=limits, behind_proxy=behind_proxy)
    return app


async def watch_others(room: Room) -> None:
    """Go on with the tables of processes that are gone."""
    while True:
        await asyncio.sleep(TAKE_OVER_SECONDS)
        try:
            await room.take_over()
        except StoreError as error:
            note.warning("tables of other processes could not be looked for: %s", error)
        except Exception:
            note.exception("tables of other processes could not be looked for")


async def keep_tidy(room: Room, limits: Limits) -> None:
    """Sweep the room every few seconds; look at the clock and clear old tables out every hour."""
    cleared = 0.0
    while True:
        try:
            if not cleared or now() - cleared > CLEAR_OUT_SECONDS:
                cleared = now()
                await room.clear_out()
            limits.forget()
            room.sweep()
        except StoreError as error:
            note.warning("the room could not be tidied: %s", error)
        except Exception:
            note.exception("the room could not be tidied")
        await asyncio.sleep(SWEEP_SECONDS)
