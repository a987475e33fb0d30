"""How strong the bots are, as measured: no newer option breaks a player, and the table says what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import parlour
from support.cases import Case, has_value, newer_values
from support.scripts import script

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def measured() -> dict[str, Any]:
    """The results by option, as stored."""
    found: dict[str, Any] = json.loads((ROOT / "docs" / "strength" / "options.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "bench")
    return script("strength", ROOT / "bench")


def test_every_newer_value_was_played_and_breaks_no_player(measured: dict[str, Any], bench: ModuleType) -> None:
    for pair in bench.OPTIONS_PAIRS:
        rows = [row for row in measured["pairs"] if row["bots"] == list(pair)]
        for game in parlour.REGISTRY.values():
            cases = [
                Case(game, row["players"], game.options_for(row["players"], row["options"]))
                for row in rows
                if row["game"] == game.name
            ]
            for option, value in newer_values(game):
                assert any(has_value(case, option, value) for case in cases), f"{game.name}, {option}: {value}"
        for row in rows:
            low, high = row["difference"]["interval"]
            # thumb plays clearly better than random, and the expert is never clearly worse than thumb
            assert (low if pair == ("thumb", "random") else high) > 0, row


def test_the_table_of_the_options_shows_what_was_measured(measured: dict[str, Any], bench: ModuleType) -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    assert bench.with_options(page, measured) == page
    assert page.count("| the usual ones |") == len({game for game, *_ in bench.OPTIONS})
