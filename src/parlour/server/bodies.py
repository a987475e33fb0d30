"""The bodies of HTTP requests and answers, each a struct from which the OpenAPI description is made."""

from __future__ import annotations

import asyncio
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from ..engine.messages import say
from . import messages as wire
from .errors import BadRequest
from .names import LONGEST_NAME

LARGEST_BODY = 16 * 1024
BODY_SECONDS = 10.0
Body = TypeVar("Body")


class Opening(Struct, forbid_unknown_fields=True):
    """A table to be opened; `game` is one of those that `/api/games` lists."""

    game: Annotated[str, Meta(max_length=100)]
    players: Annotated[int, Meta(ge=2, le=52)]
    options: dict[Annotated[str, Meta(max_length=20)], Annotated[str, Meta(max_length=20)] | int] = {}
    open: bool = False
    hints: bool = True
    programs: Annotated[bool, Meta(description="whether programs may sit down")] = True
    deal: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    person_seconds: Annotated[float, Meta(ge=0, le=604800)] = 0.0
    bot_seconds: Annotated[float, Meta(ge=0, le=10)] = 0.6
    spectator_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class Opened(Struct):
    """A table's name, and the code that invites to it; links have it behind a #, where no server sees it."""

    table: str
    code: str
    described: wire.Described


class Joining(Struct, forbid_unknown_fields=True):
    """A person who wants to sit down, or a program, which says so."""

    name: Annotated[str, Meta(min_length=1, max_length=100, description=f"{LONGEST_NAME} letters at most")]
    code: wire.Secret = ""
    seat: wire.SeatNumber | None = None
    promise: wire.Digits | None = None
    token: wire.OwnSecret | None = None
    program: Annotated[str, Meta(max_length=100, description="what a program calls itself; a person leaves it out")] = (
        ""
    )


class Carrying(Struct, forbid_unknown_fields=True):
    """A person who brings a seat along from another device."""

    code: wire.Secret
    token: wire.OwnSecret | None = None


class Seated(Struct):
    """A seat, and the token that is its key; it is shown once."""

    seat: int
    token: str


class NeverRevealed(Struct):
    """A sitting that was dealt and went before it was over, so that its secret was never revealed."""

    commitment: str
    game: str
    opened: str
    gone: Annotated[int, Meta(description="in seconds since 1970")]
    why: str


class NeverRevealedList(Struct):
    """Some sittings that were never revealed, the newest first, and how many there are in all."""

    total: int
    sittings: list[NeverRevealed]


async def body_of(request: Request, kind: type[Body]) -> Body:
    """The body of a request as one of the structs above; one that does not fit raises BadRequest."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > LARGEST_BODY:
                    raise BadRequest(say("large body", "The body is larger than {most} bytes.", most=LARGEST_BODY), 413)
                parts.append(part)
    except TimeoutError:
        raise BadRequest(say("late body", "The body did not come in time."), 408) from None
    try:
        return msgspec.json.decode(b"".join(parts), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"The body does not fit: {error}."[:300], 422) from None
