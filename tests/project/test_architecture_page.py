"""docs/architecture.md is true: the list of modules is current, and every place that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support.scripts import script

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`((?:web/src/)?[\w./<>-]+\.(?:py|ts|svelte|toml|json))(?::([\w.]+))?`", PAGE)))


def paths(name: str) -> list[Path]:
    """The files that a name on the page means: `<game>` is any game, and a bare name a file of a game."""
    if "/" not in name:
        return [*ROOT.glob(f"src/parlour/games/*/{name}"), *ROOT.glob(f"web/src/games/*/{name}")]
    base = "" if name.startswith(("web/", "tools/", "tests/")) else "src/parlour/"
    return list(ROOT.glob(f"{base}{name.replace('<game>', '*')}"))


def test_the_list_of_modules_is_current() -> None:
    assert script("architecture").written(PAGE) == PAGE, "run python tools/architecture.py"


def test_it_names_places() -> None:
    assert len([where for _, where in PLACES if where]) > 30


@pytest.mark.parametrize(("name", "where"), PLACES, ids=[f"{name}:{where}" for name, where in PLACES])
def test_a_place_exists(name: str, where: str) -> None:
    found = paths(name)
    assert found
    if where:
        text = found[0].read_text(encoding="utf-8")
        method = rf"^  (?:async |function )*{where}[(<]"
        assert declares(text, where.split(".")) if name.endswith(".py") else re.search(method, text, re.M)


def declares(text: str, where: list[str]) -> bool:
    """Whether a module declares a function, a class, or a method of a class."""
    body = ast.parse(text).body
    for name in where:
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        found = [each for each in body if isinstance(each, kinds) and each.name == name]
        if not found:
            return False
        body = found[0].body
    return True
