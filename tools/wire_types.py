"""Writes web/src/lib/wire.ts: the types of all that the table sends and is sent, for the page.

Messages and what is asked over HTTP come from their schemas, entries from the games' own descriptions. Views and the
descriptions of games and tables are plain data, so their types are read off many positions of many sittings.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from parlour import Sitting
from parlour.games import REGISTRY
from parlour.games.heraldry.pack import VALUES as HERALDRY_VALUES
from parlour.games.sovereign.pack import COIN_PENCE
from parlour.server import game_data, messages
from parlour.server.bodies import Carrying, Joining, Opened, Opening, Seated
from parlour.server.errors import ErrorBody
from parlour.server.replays import Lesson, Replay
from parlour.server.table import Table

PLACE = Path(__file__).resolve().parent.parent / "web" / "src" / "lib" / "wire.ts"
HTTP = [Opening, Opened, Joining, Carrying, Seated, ErrorBody, Lesson, Replay]
SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
OWN = {"News": {"view": "View", "table": "Described"}, "Frame": {"view": "View"}, "Following": {"view": "View"}}
SITTINGS = 6  # a number of players, from which the views of a game are read off
NUMBERS = ("seat", "side", "points", "counters", "bid")
TEXTS = ("card", "clause", "suit", "source", "pool")
FIELDS = dict.fromkeys(NUMBERS, "number") | dict.fromkeys(TEXTS, "string")
FIELDS |= {"cards": "string[]", "scores": "number[]", "place": 'number | "box"'}


# --- from a schema ----------------------------------------------------------------------------------------------------


def type_of(schema: dict[str, Any]) -> str:
    """A JSON Schema as a TypeScript type."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(each) for each in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        return f"Record<string, {type_of(schema.get('additionalProperties') or {})}>"
    return SCALARS[kind] if kind else "unknown"


def declared(name: str, schema: dict[str, Any]) -> str:
    """A struct as a TypeScript type; what has a default may be left out."""
    needed = schema.get("required", [])
    members = [
        f"  {member}{'' if member in needed else '?'}: {type_of(shape)};"
        for member, shape in schema.get("properties", {}).items()
    ]
    return f"/** {schema.get('description', name)} */\nexport type {name} = {{\n" + "\n".join(members) + "\n};"


# --- from examples ----------------------------------------------------------------------------------------------------


def seen_in(examples: Sequence[Any]) -> str:
    """The narrowest plain type that all examples have."""
    kinds: list[str] = []
    examples = [list(example) if isinstance(example, tuple) else example for example in examples]
    for example in examples:
        if isinstance(example, dict | list):
            continue
        scalar = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}[type(example)]
        kinds += [scalar] if scalar not in kinds else []
    lists = [example for example in examples if isinstance(example, list)]
    if lists:
        kinds.append(seen_list(lists))
    objects = [example for example in examples if isinstance(example, dict)]
    if objects:
        kinds.append(seen_object(objects))
    return " | ".join(sorted(kinds, key=lambda kind: kind == "null"))


def seen_list(lists: Sequence[list[Any]]) -> str:
    filled = [each for each in lists if each]
    if not filled:
        return "unknown[]"
    if {len(each) for each in filled} == {2} and {type(each[0]) for each in filled} != {
        type(each[1]) for each in filled
    }:
        return f"[{seen_in([each[0] for each in filled])}, {seen_in([each[1] for each in filled])}]"
    inner = seen_in([item for each in filled for item in each])
    return f"({inner})[]" if " " in inner and not inner.startswith("[") else f"{inner}[]"


def seen_object(objects: Sequence[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for each in objects for name in each))
    as_map = not all(name.isidentifier() and name.islower() for name in names) or not all(objects)
    if as_map:
        inner = seen_in([value for each in objects for value in each.values()] or [0])
        return f"Record<string, {inner}>"
    members = [
        f"{name}{'' if all(name in each for each in objects) else '?'}: "
        + seen_in([each[name] for each in objects if name in each])
        for name in names
    ]
    return "{ " + "; ".join(members) + " }"


def readings(name: str, players: int, luck: random.Random | None) -> dict[str, Any]:
    """The usual readings, or any others."""
    if luck is None:
        return {}
    choices = {
        option.name: [value.name for value in option.values if players in value.players]
        for option in REGISTRY[name].sheet.options
        if option.values
    }
    return {option: luck.choice(values) for option, values in choices.items()}


def views(name: str) -> list[dict[str, Any]]:
    """What seats and spectators see in many positions of many sittings of a game."""
    found = []
    sheet = REGISTRY[name].sheet
    for players in {*sheet.players[:4], sheet.usual}:
        for seed in range(SITTINGS):
            luck = random.Random(seed)
            sitting = Sitting(name, players, seed=seed, **readings(name, players, luck if seed % 2 else None))
            for _ in range(400):
                found += [sitting.view(seat).fields() for seat in (-1, 0, max(sitting.seat, 0))]
                if sitting.over:
                    break
                sitting.play(luck.choice(sitting.legal()))
    return found


def entries(name: str) -> str:
    """The entries of a game as a union of tuples; what a seat may not know is null."""
    game = REGISTRY[name]
    kinds = []
    for entry, fields in zip(game.entries, game.told_fields, strict=True):
        members = [FIELDS[field.type] + (" | null" if "?" in field.marks else "") for field in fields]
        kinds.append("  | [" + ", ".join([f'"{entry.kind}"', *members]) + "]")
    return "\n".join(kinds)


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def lines() -> Iterable[str]:
    yield "// Made by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit."
    schema = messages.schema()
    parts = dict(schema["$defs"])
    _, more = msgspec.json.schema_components(HTTP, ref_template="#/$defs/{name}")
    parts |= more
    for name, part in parts.items():
        # plain data within messages has types of its own, below
        for member, kind in OWN.get(name, {}).items():
            part["properties"][member] = {"anyOf": [{"$ref": f"#/{kind}"}, {"type": "null"}]}
        if name == "Frame":
            part["properties"]["within"] = {"type": "array", "items": {"$ref": "#/View"}}
        if name == "Opened":
            part["properties"]["described"] = {"$ref": "#/Described"}
        yield declared(name, part)
    yield f"export type FromClient = {type_of(schema['from_client'])};"
    yield f"export type ToClient = {type_of(schema['to_client'])};"
    books = [game_data.described(game) for game in REGISTRY.values()]
    yield f"/** A game with its whole sheet. */\nexport type Book = {seen_in(books)};"
    lids = [game_data.brief(game) for game in REGISTRY.values()]
    yield f"/** A game, for those who choose one. */\nexport type Lid = {seen_in(lids)};"
    tables = []
    for name in REGISTRY:
        made = Table.open(name, bytes(32), game=name, players=4, options={}, invite=b"", opened="", deal=1)
        made.lobby.sit("Somebody", b"token")
        numberless = Table.open(name, bytes(32), game=name, players=4, options={}, invite=b"", opened="")
        numberless.lobby.sit("Somebody", b"token", promise="0" * 64)
        over = made.described() | {"rematch": "another", "options": {}, "winners": [0]}
        tables += [made.described(), numberless.described(), over]
    yield f"/** A table, as all may know it. */\nexport type Described = {seen_in(tables)};"
    for name in REGISTRY:
        yield f"/** {REGISTRY[name].title}: all that a seat knows. */"
        yield f"export type {camel(name)}View = {seen_in(views(name))};"
        yield f"export type {camel(name)}Entry =\n{entries(name)};"
    yield "export type View = " + " | ".join(f"{camel(name)}View" for name in REGISTRY) + ";"
    yield f"/** What the coins of Change for a Sovereign are worth, in pence. */\n{table('PENCE', COIN_PENCE)}"
    values = dict(zip(REGISTRY["heraldry"].codes, HERALDRY_VALUES, strict=True))
    yield f"/** What the cards of Heraldry count. */\n{table('COUNTS', values)}"


def table(name: str, values: dict[str, int]) -> str:
    members = ", ".join(f'"{code}": {value}' for code, value in values.items())
    return f"export const {name}: Record<string, number> = {{ {members} }};"


def written() -> str:
    return "\n\n".join(lines()) + "\n"


if __name__ == "__main__":
    PLACE.write_text(written(), encoding="utf-8")
    print(f"{PLACE.name} is written.", file=sys.stderr)
