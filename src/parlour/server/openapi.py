"""The OpenAPI description of what can be asked over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec

from .. import __version__
from ..games import REGISTRY
from .bodies import CanTell, Carrying, Chosen, Joining, NeverRevealedList, Opened, Opening, Seated, Way
from .days import DayBody
from .errors import ErrorBody
from .puzzles import PuzzleBody, PuzzleReason, PuzzleShelf
from .replays import Lesson, Replay
from .reviews import ReviewState

KINDS = [
    *(Opening, Opened, Joining, Carrying, Seated, Way, Chosen, CanTell),
    *(NeverRevealedList, ErrorBody, Replay, Lesson, ReviewState, DayBody),
    *(PuzzleShelf, PuzzleBody, PuzzleReason),
]
ANYTHING = {"type": "object"}
LIST = {"type": "array", "items": ANYTHING}
ERRORS = {
    401: "needs a token",
    403: "not for you",
    404: "not there",
    408: "too slow",
    409: "refused",
    413: "too large",
    422: "does not fit",
    429: "too much at once",
    503: "cannot be stored, or done, now",
}


def content(schema: Any) -> dict[str, Any]:
    """JSON of a schema."""
    return {"content": {"application/json": {"schema": schema}}}


def parameter(name: str, where: str, **schema: Any) -> dict[str, Any]:
    """A parameter of a path or a query."""
    return {"name": name, "in": where, "schema": schema} | ({"required": True} if where == "path" else {})


def operation(
    summary: str, answer: Any, error: Any, status: int = 200, body: Any = None, token: bool = False
) -> dict[str, Any]:
    """One operation: what it answers, what it takes, and whether it needs a token."""
    found: dict[str, Any] = {"summary": summary}
    found["responses"] = {str(status): {"description": "done"} | (content(answer) if answer else {})}
    found["responses"] |= {str(code): {"description": words} | content(error) for code, words in ERRORS.items()}
    if body:
        found["requestBody"] = {"required": True} | content(body)
    if token:
        found["security"] = [{"token": []}]
    return found


def description() -> dict[str, Any]:
    """The whole description, with the games that there are now."""
    schemas, parts = msgspec.json.schema_components(KINDS, ref_template="#/components/schemas/{name}")
    named = dict(zip((kind.__name__ for kind in KINDS), schemas, strict=True))
    games = list(REGISTRY)
    parts["Opening"]["properties"]["game"] = {"type": "string", "enum": games}

    def does(summary: str, answer: Any, **more: Any) -> dict[str, Any]:
        return operation(summary, answer, named["ErrorBody"], **more)

    game = parameter("game", "path", type="string", enum=games)
    name = parameter("name", "path", type="string")
    first = parameter("first", "query", type="integer", minimum=0, maximum=999_999)
    passed_over = parameter("first", "query", type="integer", minimum=0, maximum=999_999_999)
    seat = parameter("seat", "query", type="integer", minimum=0, maximum=99)
    brief = parameter("brief", "query", type="string")
    words = parameter("words", "query", type="string", enum=["keys"])  # errors follow it everywhere
    number = parameter("number", "query", type="integer", minimum=10_000_000, maximum=99_999_999)
    of_shelf = parameter("number", "path", type="integer", minimum=1)
    language = parameter("language", "query", type="string")
    paths = {
        "/health": {"get": does("Whether all is well", ANYTHING)},
        "/api/games": {"parameters": [brief], "get": does("The games; in brief, without clauses", LIST)},
        "/api/games/{game}": {"parameters": [game, brief], "get": does("A game, with its whole sheet", ANYTHING)},
        "/api/words": {"parameters": [language], "get": does("Sentences that all games share, by key", ANYTHING)},
        "/api/words/{game}": {
            "parameters": [game, language, brief],
            "get": does("All sentences of a game and of its table, by key; in brief, of events only", ANYTHING),
        },
        "/api/unrevealed": {
            "parameters": [passed_over],
            "get": does("Sittings deleted before they were over, with their commitments", named["NeverRevealedList"]),
        },
        "/api/tables": {
            "get": does("Open tables at which people gather", LIST),
            "post": does("Open a table", named["Opened"], status=201, body=named["Opening"]),
        },
        "/api/tables/{name}": {
            "parameters": [name],
            "get": does("What everyone may know of a table", ANYTHING),
            "delete": does("Delete a table, by its host", None, status=204, token=True),
        },
        "/api/tables/{name}/seats": {
            "parameters": [name],
            "post": does("Sit down", named["Seated"], status=201, body=named["Joining"]),
        },
        "/api/tables/{name}/carried": {
            "parameters": [name],
            "post": does("Bring a seat from another device", named["Seated"], status=201, body=named["Carrying"]),
        },
        "/api/tables/{name}/record": {
            "parameters": [name],
            "get": does("The record of a sitting that is over, with its seal", ANYTHING),
        },
        "/api/tables/{name}/replay": {
            "parameters": [name, first, seat, words],
            "get": does("A sitting that is over, frame by frame with all hands", named["Replay"]),
        },
        "/api/notices": {"get": does("Whether people can be told elsewhere, and the key for that", named["CanTell"])},
        "/api/tables/{name}/notices": {
            "parameters": [name],
            "get": does("Where the person of a seat is told when it is their turn", LIST, token=True),
            "post": does("Tell the person of a seat, too", named["Chosen"], status=201, body=named["Way"], token=True),
        },
        "/api/tables/{name}/notices/{id}": {
            "parameters": [name, parameter("id", "path", type="string")],
            "delete": does("No longer tell the person of a seat there", None, status=204, token=True),
        },
        "/api/tables/{name}/review": {
            "parameters": [name, seat, words],
            "get": does("How far the review of a seat is, and the review when it is there", named["ReviewState"]),
            "post": does("Ask for the review of a seat, in a sitting that is over", named["ReviewState"], status=202),
        },
        "/api/lessons/{game}": {
            "parameters": [game, words],
            "get": does("The guided first hand of a game", named["Lesson"]),
        },
        "/api/puzzles/{game}": {
            "parameters": [game],
            "get": does("How many puzzles of a game there are, and today's", named["PuzzleShelf"]),
        },
        "/api/puzzles/{game}/{number}": {
            "parameters": [game, of_shelf, words],
            "get": does("A puzzle: a position in which one step is clearly the best", named["PuzzleBody"]),
        },
        "/api/puzzles/{game}/{number}/why": {
            "parameters": [game, of_shelf, words],
            "get": does("Why the best step of a puzzle is the best", named["PuzzleReason"]),
        },
        "/api/days/{game}": {
            "parameters": [game, number],
            "get": does("A deal of the day: what the levels and the people here made of it", named["DayBody"]),
        },
    }
    security = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parlour table", "version": __version__},
        "paths": paths,
        "components": {"schemas": parts, "securitySchemes": security},
    }
