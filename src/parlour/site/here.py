"""A room of tables in the page's own Worker: it answers what the page asks, as a server would, by the same classes."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import re
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..engine import build
from ..engine.messages import say
from ..players.bots import LEVELS
from ..server import errors, messages
from ..server.http import Web
from ..server.limits import Limits
from ..server.mirrors import bot_move
from ..server.replays import frames_of
from ..server.room import Room
from ..server.socket import Conversation, Socket
from ..server.store import StoreError
from ..server.thinking import BotPool
from ..server.workers import Busy, Done, Failed, Work
from .kept import Kept, at_once

MARK = "~"  # of the names of tables that are here: no server gives such a name
RATE = 5000.0  # nobody else is held up
NOT_KEPT = say("not kept", "This browser could not keep that; it is tried again.")
TOO_SLOW = say("too slow", "The games run too slowly in this browser for that.")
LIGHT = 1  # levels that are offered where the engine runs interpreted
Post = Callable[..., None]
Keep = Callable[[int, str, str], None]

note = logging.getLogger("parlour.table")


class Luck:
    """Names, codes, tokens and secrets."""

    def token_bytes(self, nbytes: int | None = None) -> bytes:
        """Random bytes."""
        return secrets.token_bytes(nbytes)

    def token_urlsafe(self, nbytes: int | None = None) -> str:
        """Random bytes as text, marked."""
        return MARK + secrets.token_urlsafe(nbytes)


class InTurn:
    """Work done between the messages, one piece at a time; what somebody waits for who plays comes first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[bool, int, Work, asyncio.Future[Done]]] = []
        self._numbers = itertools.count()

    def run(self, work: Work) -> asyncio.Future[Done]:
        """Do a piece of work soon; a search takes too long where the engine is interpreted."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Done] = loop.create_future()
        if not build.is_compiled() and not is_light(work):
            answer.set_exception(Busy(TOO_SLOW))
            return answer
        heapq.heappush(self._waiting, (not work.urgent, next(self._numbers), work, answer))
        loop.call_soon(self._next)
        return answer

    def _next(self) -> None:
        _, _, work, answer = heapq.heappop(self._waiting)
        if answer.done():
            return
        try:
            answer.set_result(Done(work.function(*work.arguments), 0.0))
        except Exception as error:
            answer.set_exception(Failed(f"{type(error).__name__}: {error}"))

    def close(self) -> None:
        """Begin nothing more."""
        self._waiting.clear()


def is_light(work: Work) -> bool:
    """Whether a piece of work needs no compiled engine: a replay, or the move of a light bot."""
    return work.function is frames_of or (work.function is bot_move and work.arguments[4] in list(LEVELS)[:LIGHT])


class Line:
    """A page's line to a table."""

    def __init__(self, number: int, post: Post) -> None:
        self.number = number
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._post = post
        scope = {"address": "", "extensions": {}}
        self.said.put_nowait({"type": "websocket.connect"})
        self.socket = Socket(scope, self.said.get, self._send)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self._post("told", self.number, message["text"])
        elif message["type"] == "websocket.close":
            self._post("closed", self.number)


class Here:
    """The room, as the Worker calls it. `post` sends what comes back: answers by number, and what lines are told.

    `keep` is given a number, a table and text; `kept` is called with that number when the text is safe.
    """

    def __init__(self, post: Post, keep: Keep | None = None) -> None:
        self.post = post
        self.store = Kept(at_once if keep is None else self._keep)
        self._outside = keep
        self._keeping: dict[int, Future[None]] = {}
        self._kept = itertools.count()
        self.limits = Limits(RATE)
        self.room = Room(self.store, BotPool(InTurn()), luck=Luck())
        self.room.services.pace = messages.Pace(self.limits.messages, self.limits.at_once)
        self.routes = [(pattern_of(route), route) for route in Web(self.room, self.limits).routes()]
        self.lines: dict[int, Line] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def knows(self, name: str) -> bool:
        """Whether a table is in memory."""
        return self.store.knows(name)

    @property
    def is_compiled(self) -> bool:
        """Whether the engine is."""
        return build.is_compiled()

    def bring_back(self, name: str, text: str) -> None:
        """A table that was kept is played on."""
        self.store.put(name, text.splitlines())

    def _keep(self, name: str, text: str, done: Future[None]) -> None:
        number = next(self._kept)
        self._keeping[number] = done
        assert self._outside is not None
        self._outside(number, name, text)

    def kept(self, number: int, trouble: str) -> None:
        """What was given to be kept is safe, or could not be kept."""
        done = self._keeping.pop(number)
        if trouble:
            done.set_exception(StoreError(NOT_KEPT))
        else:
            done.set_result(None)

    def ask(self, number: int, method: str, path: str, body: str | None = None, token: str | None = None) -> None:
        """The page asks for something, as of a server over HTTP."""
        self._later(self._answer(number, Request(method, path, body, token)))  # type: ignore[arg-type,call-arg]

    async def _answer(self, number: int, request: Request) -> None:
        found = await self.answer(request)
        kind = found.headers.get("content-type", "")
        self.post("answer", number, found.status_code, bytes(found.body).decode(), kind)

    async def answer(self, request: Request) -> Response:
        """What a server would answer."""
        try:
            for pattern, route in self.routes:
                match = pattern.fullmatch(request.url.path)
                if match and request.method in route.methods:  # type: ignore[operator]
                    request.path_params.update(match.groupdict())
                    answer: Response = await route.endpoint(request)
                    return answer
            return await errors.not_found(request, LookupError())
        except Exception as error:
            handler = next((errors.HANDLERS[kind] for kind in type(error).__mro__ if kind in errors.HANDLERS), None)
            if handler is None:
                note.exception("%s %s failed", request.method, request.url.path)
                handler = errors.broken
            return await handler(request, error)

    def connect(self, line: int) -> None:
        """The page comes to a table."""
        self.lines[line] = Line(line, self.post)
        self._later(Conversation(self.lines[line].socket, self.room, self.limits).run())

    def say(self, line: int, text: str) -> None:
        """The page says something there."""
        if line in self.lines:
            self.lines[line].said.put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self, line: int) -> None:
        """The page has gone from there."""
        gone = self.lines.pop(line, None)
        if gone is not None:
            gone.said.put_nowait({"type": "websocket.disconnect"})

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            note.error("a line to a table broke", exc_info=task.exception())


def pattern_of(route: Route) -> re.Pattern[str]:
    """The paths of a route."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", lambda name: f"(?P<{name[1]}>[^/]+)", re.escape(route.path)))
