"""Commands that list all games also list one that was registered later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy import GAME

import parlour
from parlour.cli.main import main


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy game in the registry, and a data folder of one's own."""
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    parlour.register(GAME)
    yield
    del parlour.REGISTRY[GAME.name]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The output of a command that must succeed."""
    assert main(arguments) == 0, capsys.readouterr()
    return capsys.readouterr().out


def test_it_is_listed_cited_collected_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert f"{GAME.name:<11} {GAME.title}" in run(capsys, "games")
    assert GAME.name in run(capsys, "--version")
    assert GAME.sheet.clauses[0].rule in run(capsys, "rules", GAME.name)
    assert GAME.title in run(capsys, "cite", GAME.name)
    assert [sheet["game"] for sheet in json.loads(run(capsys, "sheets", "--json"))["sheets"]][-1] == GAME.name
    assert run(capsys, "corpus", "--out", str(tmp_path / "corpus"), "--sittings", "2", "--games", GAME.name)
    assert "12 cards" in run(capsys, "faces", GAME.name, "--out", str(tmp_path / "faces"))
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert GAME.name in capsys.readouterr().out


def test_it_is_offered_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([str(len(parlour.REGISTRY)), "h", "!", "? 1", *["1"] * 9])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    out = run(capsys, "play")
    assert f"{GAME.title} · {GAME.sheet.usual} players" in out
    assert "Player 1 plays" in out and "You play " in out and "Hand: " in out
    assert "Final score: " in out
