"""Writes the TypeScript types of everything the server and the page exchange: python tools/wire_types.py

`web/src/lib/wire.ts` holds messages and HTTP bodies (from their schemas) and the descriptions of games and tables (from
examples). `web/src/games/<game>/wire.ts` holds the view and the entries of a game that has a board of its own.
A view's type comes from its declared fields; where a game declares none, it is read off many positions of many sittings.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent))
from typescript import camel, constant, declared, members, seen_in, type_of

from parlour import Sitting
from parlour.engine.game import Game
from parlour.engine.pack import COIN_PENCE, HERALDRY_VALUES
from parlour.games import REGISTRY
from parlour.server import http, messages
from parlour.server.replays import Lesson, Replay
from parlour.server.table import Table

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"
HEAD = "// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit."
HTTP = [http.Opening, http.Opened, http.Sitting, http.Carrying, http.Seated, http.Trouble, Lesson, Replay]
SITTINGS = 6  # a number of players, where the types of views are read off examples

# members of messages that are plain data to their schema, and have a type of their own here
OWN: dict[str, dict[str, Any]] = {
    "News": {"view": {"anyOf": [{"$ref": "/View"}, {"type": "null"}]}},
    "Frame": {"view": {"$ref": "/View"}, "within": {"type": "array", "items": {"$ref": "/View"}}},
    "Following": {"view": {"anyOf": [{"$ref": "/View"}, {"type": "null"}]}},
    "Opened": {"described": {"$ref": "/Described"}},
    "Opening": {"game": {"type": "string"}},
}
OWN["News"]["table"] = {"anyOf": [{"$ref": "/Described"}, {"type": "null"}]}
VIEW = {"seat": "number", "players": "number", "to_act": "number", "over": "boolean", "[field: string]": "unknown"}

FIELDS = dict.fromkeys(("seat", "side", "points", "counters", "bid"), "number")
FIELDS |= dict.fromkeys(("card", "clause", "suit", "source", "pool"), "string")
FIELDS |= {"cards": "string[]", "scores": "number[]", "place": 'number | "box"'}

# what the page already reads and the server is about to send: left out here as soon as it is seen or declared there
COMING: dict[str, dict[str, str]] = {
    "Choice": {"whole": "boolean"},
    "Lid": {"accent": "[string, string]"},
    "Book": {
        "accent": "[string, string]",
        "chance": "string[]",
        "drawn_by": "string[]",
        "fields": "ViewField[]",
        "levels": "string[]",
    },
    **dict.fromkeys(
        ("Described", "Lesson", "Replay"),
        {"counted": "Record<string, string[]>", "goal": "number", "sides": "number"},
    ),
}


def with_coming(name: str, written: str) -> str:
    """A type with those members of COMING that it does not have yet, each as one that may be missing."""
    missing = {
        f"{member}?": kind for member, kind in COMING.get(name, {}).items() if not re.search(rf"\b{member}\??:", written)
    }
    return f"{written.removesuffix(';')} & {members(missing)};" if missing else written


# --- views and entries of a game --------------------------------------------------------------------------------------


def readings(game: Game, players: int, luck: random.Random | None) -> dict[str, Any]:
    """The usual readings, or any others."""
    if luck is None:
        return {}
    choices = {
        option.name: [value.name for value in option.values if players in value.players]
        for option in game.sheet.options
        if option.values
    }
    return {option: luck.choice(values) for option, values in choices.items()}


def views(game: Game) -> list[dict[str, Any]]:
    """What seats and spectators see in many positions of many sittings of a game."""
    found = []
    for players in {*game.sheet.players[:4], game.sheet.usual}:
        for seed in range(SITTINGS):
            luck = random.Random(seed)
            sitting = Sitting(game, players, seed=seed, **readings(game, players, luck if seed % 2 else None))
            for _ in range(400):
                found += [sitting.view(seat).fields() for seat in (-1, 0, max(sitting.seat, 0))]
                if sitting.over:
                    break
                sitting.play(luck.choice(sitting.legal()))
    return found


def view_type(game: Game) -> str:
    """The type of a game's view."""
    fields = getattr(game, "fields", ())
    if not fields:
        return seen_in(views(game))
    return members({field.name: field.kind.type for field in fields if field.shown})


def entries(game: Game) -> str:
    """The entries of a game as a union of tuples; a member that a seat may not know is null."""
    kinds = []
    for entry, fields in zip(game.entries, game.told_fields, strict=True):
        told = [FIELDS[field.type] + (" | null" if "?" in field.marks else "") for field in fields]
        kinds.append("  | [" + ", ".join([f'"{entry.kind}"', *told]) + "]")
    return "\n".join(kinds)


def card_values(game: Game) -> dict[str, int]:
    """What the cards of a game count, where its rules add them up."""
    declared_there = getattr(game, "card_values", None)
    if declared_there is not None:
        return dict(declared_there)
    # until a game declares them itself
    known = {"sovereign": COIN_PENCE, "heraldry": dict(zip(REGISTRY["heraldry"].codes, HERALDRY_VALUES, strict=True))}
    return dict(known.get(game.name, {}))


def game_lines(game: Game) -> Iterator[str]:
    """The types of one game."""
    yield HEAD
    yield f"/** {game.title}: everything that a seat knows. */\nexport type {camel(game.name)}View = {view_type(game)};"
    yield f"export type {camel(game.name)}Entry =\n{entries(game)};"
    if values := card_values(game):
        yield f"/** What each card counts. */\n{constant('VALUES', values)}"


# --- what all games share ---------------------------------------------------------------------------------------------


def tables() -> list[dict[str, Any]]:
    """Tables as they are described, in every phase."""
    found = []
    for name in REGISTRY:
        made = Table.open(name, bytes(32), game=name, players=4, options={}, invite=b"", opened="", deal=1)
        made.sit("Somebody", b"token")
        numberless = Table.open(name, bytes(32), game=name, players=4, options={}, invite=b"", opened="")
        numberless.sit("Somebody", b"token", promise="0" * 64)
        over = made.described() | {"rematch": "another", "options": {}, "winners": [0]}
        found += [made.described(), numberless.described(), over]
    return found


def shared_lines() -> Iterator[str]:
    """The types of messages, of what is asked over HTTP, and of descriptions."""
    yield HEAD
    schema = messages.schema()
    _, more = msgspec.json.schema_components(HTTP, ref_template="#/$defs/{name}")
    for name, part in {**schema["$defs"], **more}.items():
        part["properties"] = {**part.get("properties", {}), **OWN.get(name, {})}
        yield with_coming(name, declared(name, part))
    yield f"export type FromClient = {type_of(schema['from_client'])};"
    yield f"export type ToClient = {type_of(schema['to_client'])};"
    described = {
        "Book": ("A game with its whole sheet.", [http.described(name) for name in REGISTRY]),
        "Lid": ("A game, as it is listed for choosing one.", [http.brief(name) for name in REGISTRY]),
        "Described": ("A table, as everyone may know it.", tables()),
    }
    for name, (meaning, examples) in described.items():
        yield with_coming(name, f"/** {meaning} */\nexport type {name} = {seen_in(examples)};")
    yield f"/** What every view has; each game adds fields of its own. */\nexport type View = {members(VIEW)};"
    yield VIEW_FIELD


VIEW_FIELD = """/** A field of a game's view, as the game declares it; `each` says that there is one value for every seat or side. */
export type ViewField = {
  name: string;
  meaning: string;
  kind: "seat" | "number" | "flag" | "word" | "card" | "cards" | "counts" | "plays" | "seats" | "holders";
  each?: "one" | "seats" | "sides";
  seen_by?: string;
};"""


def written() -> dict[Path, str]:
    """Every file with its content; a game without a board of its own needs none."""
    found = {SOURCE / "lib" / "wire.ts": "\n\n".join(shared_lines()) + "\n"}
    for name, game in REGISTRY.items():
        folder = SOURCE / "games" / name
        if folder.is_dir():
            found[folder / "wire.ts"] = "\n\n".join(game_lines(game)) + "\n"
    return found


if __name__ == "__main__":
    for path, content in written().items():
        path.write_text(content, encoding="utf-8")
        print(f"{path.relative_to(SOURCE.parent)} is written.", file=sys.stderr)
