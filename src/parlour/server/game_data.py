"""The games as data for those who choose and show them: sheet, cards, bots, and what each kind of entry holds."""

from __future__ import annotations

from typing import Any

from ..engine.fields import ONE, SEATS, Field
from ..engine.game import CHANCE, Game
from ..players.bots import BOTS
from ..sheets.rulebook import as_data

# What kinds of view fields are called here, where the engine tells more of them apart.
KINDS = {"one of": "word", "card set": "cards", "seat list": "seats", "counts of": "counts", "counts each": "counts"}
CLAUSE = {"id", "title", "rule", "state", "lemma"}  # of a clause at a table; the rest is in the rule book
BRIEF = {
    *("game", "title", "summary", "goal", "players", "usual", "accent"),
    *("like", "minutes", "skill", "usual_bot", "levels", "lesson"),
}


# The types of values of a view, as TypeScript names them.
TYPES: dict[str, dict[str, Any]] = {
    "number": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "string": {"type": "string"},
    "null": {"type": "null"},
    "[number, string]": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
}


def type_schema(type_: str) -> dict[str, Any]:
    """A type of a field, as a field's kind names it, as JSON Schema; {} for one that is not known here."""
    if type_ in TYPES:
        return TYPES[type_]
    if type_.startswith("Record<string, "):
        return {"type": "object", "additionalProperties": type_schema(type_[len("Record<string, ") : -1])}
    if type_.endswith("[]"):
        inner = type_.removesuffix("[]")
        return {"type": "array", "items": type_schema(inner[1:-1] if inner.startswith("(") else inner)}
    parts = type_.split(" | ")
    return {"anyOf": [type_schema(part) for part in parts]} if len(parts) > 1 else {}


def view_schema(game: Game) -> dict[str, Any]:
    """The view of a game, as JSON Schema; fields that it remembers are missing within a move and in replays."""
    fields = [field for field in game.fields if field.shown]
    return {
        "title": f"View of {game.title}",
        "type": "object",
        "properties": {
            field.name: type_schema(field.kind.type) | {"description": f"{field.meaning} ({field.seen_by})"}
            for field in fields
        },
        "required": [field.name for field in fields if not field.remembered],
        "additionalProperties": False,
    }


def described(game: Game) -> dict[str, Any]:
    """Everything about a game that is the same at every table."""
    return as_data(game.sheet) | {
        "accent": list(game.accent),
        "bots": list(BOTS),
        "levels": list(game.levels),
        "usual_bot": game.usual_bot,
        "lesson": game.text("lesson.json") is not None,
        "card_names": game.card_names,
        "drawn_by": list(game.drawn_by),
        "entries": entries(game),
        "chance": [entry.kind for entry in game.entries if entry.nature == CHANCE],
        "fields": [view_field(field) for field in game.fields if field.shown],
    }


def at_a_table(game: Game) -> dict[str, Any]:
    """A game without what only programs and the generic board read, its glossary and the apparatus of its clauses."""
    whole = {name: value for name, value in described(game).items() if name not in ("entries", "fields")}
    clauses = [
        {name: value if name in CLAUSE else type(value)() for name, value in clause.items()}
        for clause in whole["clauses"]
    ]
    return whole | {"clauses": clauses, "glossary": []}


def brief(game: Game) -> dict[str, Any]:
    """A game in short, for a list of all of them, with the options that are offered there."""
    whole = described(game)
    offered = [option for option in whole["options"] if option["offered"]]
    return {name: value for name, value in whole.items() if name in BRIEF} | {"offered": offered}


def entries(game: Game) -> list[dict[str, Any]]:
    """The kinds of entry, and what each holds as it is told.

    `nature` is chance, decision, consequence or told. The `clause` is the one behind every such entry; where it is "",
    the entry names its own. A field that is `hidden` is null for everyone whom it does not concern; one that is not
    `recorded` is told, but does not stand in the record.
    """
    return [
        {
            "kind": entry.kind,
            "nature": entry.nature,
            "clause": entry.clause,
            "fields": [
                {"type": field.type, "hidden": "?" in field.marks, "recorded": "+" not in field.marks}
                for field in fields
            ],
        }
        for entry, fields in zip(game.entries, game.told_fields, strict=True)
    ]


def view_field(field: Field) -> dict[str, Any]:
    """What a field of the game's view is; `each` where it has one value for every seat or side."""
    kind = field.kind.name
    each = SEATS if kind == "counts each" else getattr(field.kind, "each", ONE)
    return field.data() | {"kind": KINDS.get(kind, kind), "each": each, "score": field.score}
