"""The bodies of HTTP requests and answers, each a struct from which the OpenAPI description is made."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal, TypeVar

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


class Again(Struct, forbid_unknown_fields=True):
    """A sitting that is over, played again from after so many moves (0: the same deal), by one person at a seat."""

    table: Annotated[str, Meta(max_length=100)]
    seat: wire.SeatNumber
    moves: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Opening(Struct, forbid_unknown_fields=True):
    """A table to be opened; `game` is one of those that `/api/games` lists.

    With `copies`, further tables can be opened later at which the same cards are dealt: those give the same key, and
    the name of the first table as `like`.
    """

    game: Annotated[str, Meta(max_length=100)]
    players: Annotated[int, Meta(ge=2, le=52)]
    options: dict[Annotated[str, Meta(max_length=20)], Annotated[str, Meta(max_length=20)] | int] = {}
    open: bool = False
    hints: bool = True
    programs: Annotated[bool, Meta(description="whether programs may sit down")] = True
    phrases: Annotated[bool, Meta(description="whether people may say set phrases")] = True
    copies: Annotated[
        wire.OwnSecret | None, Meta(description="a key to open further tables with the same cards, made by the client")
    ] = None
    like: Annotated[str, Meta(max_length=100)] | None = None
    deal: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    again: Annotated[Again, Meta(description="game, players and options are then those of that sitting")] | None = None
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


class Push(Struct, forbid_unknown_fields=True):
    """A browser's push subscription, as `PushSubscription.toJSON` has it."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


class Webhook(Struct, forbid_unknown_fields=True):
    """An address that is called, and in which shape."""

    address: Annotated[str, Meta(max_length=1000)]
    shape: Literal["json", "ntfy", "discord", "slack"] = "json"


class Way(Struct, forbid_unknown_fields=True):
    """Where a person wants to be told when it is their turn: either of the two."""

    push: Push | None = None
    webhook: Webhook | None = None


class Chosen(Struct):
    """A way in which a person is told; `host` is where it leads."""

    id: str
    kind: Literal["push", "webhook"]
    host: str
    shape: str = ""


class CanTell(Struct):
    """Whether the server sends notices, and its public key for push subscriptions."""

    notices: bool
    push: str | None = None


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
