"""Commands that list all games also list one that was registered later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy import GAME

import parlour
from support.cli import Cli


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy game in the registry, and a data folder of one's own."""
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    parlour.register(GAME)
    yield
    del parlour.REGISTRY[GAME.name]


def output(cli: Cli, *arguments: str) -> str:
    """The output of a command that must succeed."""
    code, out, err = cli(*arguments)
    assert code == 0, out + err
    return out


def test_it_is_listed_cited_collected_and_drawn(cli: Cli, tmp_path: Path) -> None:
    assert f"{GAME.name:<11} {GAME.title}" in output(cli, "games")
    assert GAME.name in output(cli, "--version")
    assert GAME.sheet.clauses[0].rule in " ".join(output(cli, "rules", GAME.name).split())
    assert GAME.title in output(cli, "cite", GAME.name)
    assert [sheet["game"] for sheet in json.loads(output(cli, "sheets", "--json"))["sheets"]][-1] == GAME.name
    assert output(cli, "corpus", "--out", str(tmp_path / "corpus"), "--sittings", "2", "--games", GAME.name)
    assert "12 cards" in output(cli, "faces", GAME.name, "--out", str(tmp_path / "faces"))
    assert GAME.name in output(cli, "play", "--help")


def test_it_is_offered_in_the_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([str(len(parlour.REGISTRY)), "h", "!", "? 1", *["1"] * 9])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    out = output(cli, "play")
    assert f"{GAME.title} · {GAME.sheet.usual} players" in out
    assert "Player 1 plays" in out and "You play " in out and "Hand: " in out
    assert "Final score: " in out
