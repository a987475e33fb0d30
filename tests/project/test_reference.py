"""The reference: every public name exists, is described, and its examples run; the page is current."""

from __future__ import annotations

import ast
import doctest
import importlib
from pathlib import Path

import pytest

from support.layers import ROOT
from support.scripts import script

TOOL = script("reference")
MODULES = TOOL.public_modules()
PAGE = ROOT / "docs" / "reference.md"


def test_the_page_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert TOOL.written(text) == text, "run python tools/reference.py"


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_there_and_described(name: str) -> None:
    module = importlib.import_module(name)
    known = TOOL.defined(MODULES[name])
    for public in TOOL.public_names(MODULES[name]):
        assert hasattr(module, public)
        node = known.get(public)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            assert ast.get_docstring(node), f"{name}.{public} has no docstring"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = MODULES[name].read_text(encoding="utf-8")  # of a compiled module too
    found = [
        (getattr(node, "name", name), ast.get_docstring(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for where, text in found:
        known = dict(vars(importlib.import_module(name)))
        test = doctest.DocTestParser().get_doctest(text or "", known, f"{name}.{where}", str(MODULES[name]), 0)
        runner.run(test)
    assert not runner.failures


def test_the_main_entries_have_examples() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
    named = "play.sitting lab.simulate lab.tournament players.policy research.vector records.record"
    for name in named.split():
        assert ">>> " in texts[f"parlour.{name}"], name
