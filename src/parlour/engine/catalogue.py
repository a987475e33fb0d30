"""The catalogue: every sentence of a game, and of what all games share, by key, in a language.

English patterns stand where they are said: in a game's words.py, and in calls of `messages.say`, which tools/words.py
collects in `words/en.json`. A further language is a file `words/<language>.json` of the same shape in the game's
folder, and one in this folder for what all games share. Whatever such a file lacks is said in English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from .game import Game
from .messages import Grammar
from .words import words_of

SOURCE = "en"  # the language of the patterns in the code
HERE = __package__ or ""


@dataclass(frozen=True)
class Catalogue:
    """How everything is said in one language; without a game, only what all games share."""

    language: str
    grammar: Grammar
    says: Mapping[str, str]  # patterns of refusals and of whatever else is answered, by key
    events: Mapping[str, str]  # of entries
    claims: Mapping[str, str]  # of the parts of a reason
    fields: Mapping[str, list[str]]  # by kind of entry: what its fields are called in patterns
    words: Mapping[str, str]  # what short words stand for, such as suits
    forms: Mapping[str, Mapping[str, str]]  # of the names of cards
    cards: Mapping[str, str]  # the names of cards under the usual options, by code
    names: Mapping[str, str]  # other names of cards and of words than the English ones, by these


def languages(game: Game | None = None) -> list[str]:
    """The languages that there are files for; English is always one."""
    return sorted({SOURCE, *_found(game.package if game is not None else HERE), *_found(HERE)})


@cache
def _found(package: str) -> frozenset[str]:
    folder = files(package) / "words" if package else None
    found = folder.iterdir() if folder is not None and folder.is_dir() else []
    return frozenset(file.name.removesuffix(".json") for file in found if file.name.endswith(".json"))


def read(package: str, language: str) -> dict[str, Any]:
    """The file of a language in a folder; empty if there is none."""
    if not package or language not in _found(package):
        return {}
    found: dict[str, Any] = json.loads((files(package) / "words" / f"{language}.json").read_text(encoding="utf-8"))
    return found


@cache
def catalogue(game: Game | None = None, language: str = SOURCE) -> Catalogue:
    """The catalogue of a game, or of what all games share, in a language."""
    source = english(game)
    if language == SOURCE:
        return source
    shared, own = read(HERE, language), read(game.package, language) if game is not None else {}
    said = shared.get("grammar", {}) | own.get("grammar", {})
    grammar: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    names: dict[str, str] = shared.get("names", {}) | own.get("names", {})
    return replace(
        source,
        language=language,
        grammar=replace(source.grammar, **grammar),
        says={**source.says, **shared.get("says", {}), **own.get("says", {})},
        events={**source.events, **own.get("events", {})},
        claims={**source.claims, **own.get("claims", {})},
        words={**names, **{word: names.get(name, name) for word, name in source.words.items()}},
        forms={**source.forms, **own.get("forms", {})},
        names=names,
    )


@cache
def english(game: Game | None) -> Catalogue:
    """The catalogue from which other languages start."""
    says = read(HERE, SOURCE).get("says", {})
    if game is None:
        return Catalogue(SOURCE, Grammar(), says, {}, {}, {}, {}, {}, {}, {})
    words = words_of(game)
    fields = {entry.kind: entry.names() for entry in game.entries}
    says = says | read(game.package, SOURCE).get("says", {})
    spoken = (words.TEMPLATES, words.CLAIMS, fields, words.NAMES, words.FORMS)
    return Catalogue(SOURCE, Grammar(), says, *spoken, game.card_names, {})
