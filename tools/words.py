"""Collects the English patterns of everything that is said, for those who translate: python tools/words.py

Patterns of events and of reasons stand in each game's words.py; those of refusals and of other answers in calls of
`say` and `Message`, wherever they are said. Each game's are written into its folder, `words/en.json`, and those that
all games share into `src/parlour/engine/words/en.json`. A language is a file of the same shape beside it.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from parlour.engine.game import Game
from parlour.engine.messages import Grammar
from parlour.engine.words import words_of
from parlour.games import REGISTRY

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "parlour"
CALLS = ("say", "Message")
SAYING = ("engine", "play", "players", "server")  # the folders that speak to players


class Call(NamedTuple):
    """A place where something is said; `given` are the names of its values, or None where they are not written out."""

    where: str
    key: str
    pattern: str
    given: frozenset[str] | None


def calls(folder: Path) -> Iterator[Call]:
    """Every call of `say` and `Message` in the modules of a folder."""
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts, imported = sorted(assigned(tree)), set(imports(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in imported:
                where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                key, pattern = (text_of(argument, node.lineno, texts) for argument in node.args[:2])
                if key is None or pattern is None:
                    raise SystemExit(f"{where}: key and pattern must be written out")
                yield Call(where, key, pattern, given_in(node))


def imports(tree: ast.Module) -> Iterator[str]:
    """Which of the functions that make messages a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == "messages":
            yield from (name.name for name in node.names if name.name in CALLS)


def assigned(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Texts that are given a name: the line, the name and the text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                yield node.lineno, node.targets[0].id, node.value.value


def text_of(node: ast.expr, line: int, texts: list[tuple[int, str, str]]) -> str | None:
    """The text of an argument: written there, or the last that was given its name before."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    named = [text for at, name, text in texts if isinstance(node, ast.Name) and name == node.id and at <= line]
    return named[-1] if named else None


def given_in(node: ast.Call) -> frozenset[str] | None:
    """The names of the values that a call gives."""
    names = [keyword.arg for keyword in node.keywords]
    if isinstance(node.args[2] if len(node.args) > 2 else None, ast.Dict):
        names += [getattr(key, "value", None) for key in node.args[2].keys]  # type: ignore[attr-defined]
    return None if None in names else frozenset(str(name) for name in names)


def says(found: Iterator[Call]) -> dict[str, str]:
    """Patterns by key; a key with two patterns is a mistake."""
    patterns: dict[str, str] = {}
    for call in found:
        if patterns.setdefault(call.key, call.pattern) != call.pattern:
            raise SystemExit(f"{call.where}: the key {call.key!r} has another pattern elsewhere")
    return dict(sorted(patterns.items()))


def shared() -> dict[str, Any]:
    """What all games share."""
    every = (call for folder in SAYING for call in calls(PACKAGE / folder))
    return {"grammar": asdict(Grammar()), "says": says(every)}


def folder_of(game: Game) -> Path:
    return PACKAGE / "games" / game.package.rpartition(".")[2]


def own(game: Game) -> dict[str, Any]:
    """What a game says: `names` are those of its cards, under any options, and of its other words."""
    words = words_of(game)
    other = [option for option in game.sheet.options if option.name in game.drawn_by]
    names = set(game.card_names.values()) | set(words.NAMES.values()) | set(words.UNITS.values())
    for option in other:
        for value in [value.name for value in option.values] or range(option.low, option.high + 1):
            names |= set(game.names_for(game.options_for(game.sheet.usual, {option.name: value})).values())
    common = shared()["says"]
    return {
        "events": dict(words.TEMPLATES),
        "claims": dict(words.CLAIMS),
        "says": {key: text for key, text in says(calls(folder_of(game))).items() if common.get(key) != text},
        "forms": {name: dict(forms) for name, forms in words.FORMS.items()},
        "names": {name: name for name in sorted(names)},
    }


def written() -> dict[Path, str]:
    """Every file with its content."""
    files = {PACKAGE / "engine": shared()} | {folder_of(game): own(game) for game in REGISTRY.values()}
    return {
        folder / "words" / "en.json": json.dumps(words, ensure_ascii=False, indent=1) + "\n"
        for folder, words in files.items()
    }


if __name__ == "__main__":
    for path, content in written().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        print(f"{path.relative_to(PACKAGE)} is written.", file=sys.stderr)
