"""Every clause is cited in its game's source, has a test with its number, and keeps its address for ever."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.sheets.model import Sheet
from support.cases import HERE

ROOT = Path(__file__).resolve().parents[2]
EVER = json.loads(Path(__file__).with_name("ever.json").read_text("utf-8"))  # every clause that there ever was
CLAUSES = [(sheet, clause.id) for sheet in map(parlour.sheet, parlour.GAMES) for clause in sheet.clauses]
IDS = [id for _, id in CLAUSES]


def module_of(sheet: Sheet) -> str:
    return sheet.game.replace("-", "_")


def folder_of(sheet: Sheet) -> Path:
    return Path(parlour.__file__).parent / "games" / module_of(sheet)


@cache
def enforcing(sheet: Sheet) -> str:
    """The rules of a game without the parts that only name clauses: entries, numbers and refusals."""
    kinds = parlour.game(sheet.game).state_type.__mro__  # the state, and bases of it that stand in the same folder
    names = [kind.__module__.rpartition(".")[2] for kind in kinds if ".games." in kind.__module__]
    source = "".join((folder_of(sheet) / f"{name}.py").read_text("utf-8") for name in ("notation", *names))
    for naming in (r"^ENTRIES = \(.*?^\)", r"SHEET\.numbers\(.*?\)", r"^    def why_not\(.*?(?=^    def )"):
        source = re.sub(naming, "", source, flags=re.MULTILINE | re.DOTALL)
    return source


@pytest.mark.parametrize(("sheet", "id"), CLAUSES, ids=IDS)
def test_a_clause_is_cited_where_it_is_enforced(sheet: Sheet, id: str) -> None:
    assert re.search(rf"\b{id}\b", enforcing(sheet))


@pytest.mark.parametrize(("sheet", "id"), CLAUSES, ids=IDS)
def test_a_clause_has_a_test_with_its_number(sheet: Sheet, id: str) -> None:
    name = id.lower().replace("-", "_")
    tests = (HERE / "games" / f"test_{module_of(sheet)}.py").read_text("utf-8")
    assert re.search(rf"^def test_{name}(_|\b)", tests, re.MULTILINE)


@pytest.mark.parametrize("sheet", [parlour.sheet(name) for name in parlour.GAMES], ids=parlour.GAMES)
def test_only_clauses_of_the_sheet_are_cited(sheet: Sheet) -> None:
    source = "".join(path.read_text("utf-8") for path in folder_of(sheet).glob("*.py"))
    prefix = sheet.clauses[0].id.partition("-")[0]
    assert set(re.findall(rf"\b{prefix}-\d+[a-z]?\b", source)) <= {clause.id for clause in sheet.clauses}


@pytest.mark.parametrize("game", parlour.GAMES)
def test_a_clause_that_there_ever_was_keeps_its_addresses(game: str) -> None:
    """A new clause is added to `ever.json`, and none is taken out: one that goes is retired in favour of another."""
    sheet = parlour.sheet(game)
    now, ever = {clause.id for clause in sheet.clauses}, set(EVER[game])
    assert now <= ever and {old for old, _ in sheet.retired} == ever - now
    pages = [(ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in (game, f"edition/{game}")]
    for id in EVER[game]:
        assert sheet.clause(id).id in now
        assert all(f'<a id="{id.lower()}"></a>' in page for page in pages), id
