"""Errors over HTTP: what is wrong with a request, as a status and one sentence."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ..engine.errors import Refusal
from ..engine.messages import say
from ..sheets.model import SheetError
from .messages import Sentence
from .protocols import CURRENT, Protocol, sentence_of, told_by
from .requests import WENT_WRONG
from .rows import Damaged
from .series import Forbidden, Missing
from .store import FAULTS, Elsewhere, StoreError
from .workers import Busy

STATUSES: dict[type[Refusal], int] = {Missing: 404, Forbidden: 403, Busy: 503}  # of refusals; others are 409
NOTHING_HERE = say("nothing here", "There is nothing here by that name.")

note = logging.getLogger("parlour.table")


class ErrorBody(Struct):
    """Why not, in one sentence, with the clause where there is one. Requests with `words=keys` get a key and values."""

    sentence: Sentence
    clause: str = ""


class BadRequest(Exception):
    """A request that cannot be read, or that this client may not make now."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


def reply(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def error_reply(sentence: str, status: int, clause: str = "", protocol: Protocol = CURRENT) -> Response:
    """An error as JSON."""
    return reply(ErrorBody(protocol.said(sentence), clause), status)


def asked_for(request: Request) -> Protocol:
    """How a client wants to be told things over HTTP: in sentences, or by keys."""
    return told_by(CURRENT.number, "keys" if request.query_params.get("words") == "keys" else "")


async def refused(request: Request, error: Exception) -> Response:
    """A refusal is answered with its sentence."""
    if isinstance(error, BadRequest):
        found = error_reply(error.sentence, error.status, protocol=asked_for(request))
        if error.status == 401:
            found.headers["www-authenticate"] = "Bearer"
        return found
    if isinstance(error, Refusal):
        status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 409)
        return error_reply(error.sentence, status, error.clause, asked_for(request))
    return error_reply(sentence_of(error), 409 if isinstance(error, SheetError) else 503, protocol=asked_for(request))


async def elsewhere(request: Request, error: Exception) -> Response:
    """Another server has the table: the same request is to be made there."""
    assert isinstance(error, Elsewhere)
    if not error.address:
        return error_reply(sentence_of(error), 503, protocol=asked_for(request))
    query = f"?{request.url.query}" if request.url.query else ""
    where = error.address.rstrip("/") + request.url.path + query
    found = error_reply(sentence_of(error), 307, protocol=asked_for(request))
    found.headers["location"] = where
    return found


async def damaged(request: Request, error: Exception) -> Response:
    """A table that is set apart was noted when it was found."""
    return error_reply(sentence_of(error), 503, protocol=asked_for(request))


async def unreadable(request: Request, error: Exception) -> Response:
    note.error("%s: %s", request.url.path, error)
    said = say("not read", "This cannot be read or stored now; it was noted.")
    return error_reply(said, 503, protocol=asked_for(request))


async def left(request: Request, error: Exception) -> Response:
    """Nobody reads this answer: the client has gone before its request was complete."""
    note.info("a client left during its request: %s %.100s", request.method, request.url.path)
    return error_reply(say("not complete", "The request was not complete."), 400)


async def not_found(request: Request, error: Exception) -> Response:
    return error_reply(NOTHING_HERE, 404, protocol=asked_for(request))


async def not_allowed(request: Request, error: Exception) -> Response:
    said = say("other way", "This cannot be asked in that way.")
    found = error_reply(said, 405, protocol=asked_for(request))
    found.headers["allow"] = (getattr(error, "headers", None) or {}).get("Allow", "GET")
    return found


async def broken(request: Request, error: Exception) -> Response:
    return error_reply(WENT_WRONG, 500, protocol=asked_for(request))


HANDLERS: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    Damaged: damaged,
    Elsewhere: elsewhere,
    **dict.fromkeys(FAULTS, unreadable),
    **dict.fromkeys((BadRequest, Refusal, SheetError, StoreError), refused),
    ClientDisconnect: left,
    404: not_found,
    405: not_allowed,
    500: broken,
}
