"""Writes the TypeScript types of everything the server and the page exchange: python tools/wire_types.py

`web/src/lib/wire.ts` holds messages, HTTP bodies and tables (from their schemas), and the descriptions of games (from
examples). `web/src/games/<game>/wire.ts` holds the view, from its declared fields, and the entries of a game that has a
board of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent))
from typescript import Typed, camel, constant, declared, members, seen_in, type_of

from parlour.engine.game import Game
from parlour.games import REGISTRY
from parlour.server import game_data, messages
from parlour.server.bodies import CanTell, Carrying, Chosen, Joining, Opened, Opening, Seated, Way
from parlour.server.days import DayBody
from parlour.server.errors import ErrorBody
from parlour.server.puzzles import PuzzleBody, PuzzleReason, PuzzleShelf
from parlour.server.replays import Lesson, Replay
from parlour.server.reviews import ReviewState

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"
HEAD = "// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit."
HTTP = [Opening, Opened, Joining, Carrying, Seated, Way, Chosen, CanTell, ErrorBody, Lesson, Replay]
HTTP += [ReviewState, DayBody, PuzzleShelf, PuzzleBody, PuzzleReason]

# members of messages that are plain data to their schema, and have a type of their own here
OWN: dict[str, dict[str, Any]] = {
    "News": {"view": {"anyOf": [{"$ref": "/View"}, {"type": "null"}]}},
    "Frame": {"view": {"$ref": "/View"}, "within": {"type": "array", "items": {"$ref": "/View"}}},
    "Following": {"view": {"anyOf": [{"$ref": "/View"}, {"type": "null"}]}},
    "Opening": {"game": {"type": "string"}},
}
VIEW = {"seat": "number", "players": "number", "to_act": "number", "over": "boolean", "[field: string]": "unknown"}

RETIRED = Typed("Record<string, string>")
TYPED = {"accent": Typed("[string, string]"), "fields": Typed("ViewField[]"), "retired": RETIRED}  # of a game

# types of an entry's fields; any other is a number, or a word that its game spells
FIELDS = {"card": "string", "clause": "string", "cards": "string[]", "scores": "number[]"}

# --- views and entries of a game --------------------------------------------------------------------------------------


def view_type(game: Game) -> str:
    """The type of a game's view, from its declared fields; those that it remembers are missing in replays."""
    return members({field.name + "?" * field.remembered: field.kind.type for field in game.fields if field.shown})


def field_type(game: Game, name: str) -> str:
    """The type of an entry's field: words are a string; the words of a field that may also be a number are listed."""
    spelled = game.spellings.get(name, (0,))
    words = [word for word in spelled if isinstance(word, str)]
    if len(words) == len(spelled):
        return "string"
    return FIELDS.get(name) or " | ".join(["number", *(f'"{word}"' for word in words)])


def entries(game: Game) -> str:
    """The entries of a game as a union of tuples; a member that a seat may not know is null."""
    kinds = []
    for entry, fields in zip(game.entries, game.told_fields, strict=True):
        told = [field_type(game, field.type) + (" | null" if "?" in field.marks else "") for field in fields]
        kinds.append("  | [" + ", ".join([f'"{entry.kind}"', *told]) + "]")
    return "\n".join(kinds)


def game_lines(game: Game) -> Iterator[str]:
    """The types of one game."""
    yield HEAD
    yield f"/** {game.title}: everything that a seat knows. */\nexport type {camel(game.name)}View = {view_type(game)};"
    yield f"export type {camel(game.name)}Entry =\n{entries(game)};"
    if game.values:
        yield f"/** What each card counts. */\n{constant('VALUES', game.values)}"
    if game.ranks:
        yield f"/** How high each card is among those that one trick can hold. */\n{constant('RANKS', game.ranks)}"


# --- what all games share ---------------------------------------------------------------------------------------------


def shared_lines() -> Iterator[str]:
    """The types of messages, of what is asked over HTTP, and of descriptions."""
    yield HEAD
    schema = messages.schema()
    _, more = msgspec.json.schema_components(HTTP, ref_template="#/$defs/{name}")
    for name, part in {**schema["$defs"], **more}.items():
        part["properties"] = {**part.get("properties", {}), **OWN.get(name, {})}
        yield declared(name, part)
    yield f"export type FromClient = {type_of(schema['from_client'])};"
    yield f"export type ToClient = {type_of(schema['to_client'])};"
    games, accent = REGISTRY.values(), {"accent": TYPED["accent"]}
    described = {
        "Book": ("A game with its whole sheet.", [game_data.described(game) | TYPED for game in games]),
        "Lid": ("A game, as it is listed for choosing one.", [game_data.brief(game) | accent for game in games]),
    }
    for name, (meaning, examples) in described.items():
        yield f"/** {meaning} */\nexport type {name} = {seen_in(examples)};"
    yield f"/** What every view has; each game adds fields of its own. */\nexport type View = {members(VIEW)};"
    yield VIEW_FIELD


VIEW_FIELD = """
/** A field of a game's view, as the game declares it: `each` says that there is one value for every seat or side,
 * and `score` that these are compared by it. */
export type ViewField = {
  name: string;
  meaning: string;
  kind: "seat" | "number" | "flag" | "word" | "card" | "cards" | "counts" | "plays" | "seats" | "holders";
  each: "one" | "seats" | "sides";
  seen_by: string;
  score: boolean;
};""".strip()


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
