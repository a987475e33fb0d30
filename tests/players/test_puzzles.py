"""Puzzles: a shelf for every game with choices, the same from the same seed, and clear to a deeper search."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from pathlib import Path

import pytest

from parlour.games import GAMES, game
from parlour.play import puzzles
from parlour.play.puzzles import check, explained, find, of_the_day, shelf, sitting_of
from parlour.play.sentences import Teller, names_of
from support.cli import Cli, command_line

WITH_CHOICES = [name for name in GAMES if name != "tontine"]
parlour_cli = pytest.fixture(command_line)


@pytest.mark.parametrize("name", WITH_CHOICES)
def test_there_are_fifty_puzzles_of_every_difficulty(name: str) -> None:
    found = shelf(game(name))
    assert len(found) >= 50
    assert min(Counter(each.difficulty for each in found).values()) >= 10
    assert len({(each.seed, tuple(each.steps)) for each in found}) == len(found)
    for puzzle in found:
        sitting = sitting_of(game(name), puzzle)
        legal = sitting.legal()
        assert puzzle.best in legal and len(legal) >= puzzles.LEAST_STEPS and not sitting.prefix
        assert puzzle.margin >= puzzles.MARGIN


@pytest.mark.parametrize("name", WITH_CHOICES)
def test_a_shelf_is_what_its_seed_makes(name: str) -> None:
    text = game(name).text(puzzles.FILE)
    assert text is not None
    held = json.loads(text)
    assert held["rules"] == game(name).rules
    first = next(find(game(name), held["seed"], len(held["puzzles"])))
    assert first == shelf(game(name))[0]


@pytest.mark.parametrize("name", WITH_CHOICES)
def test_a_deeper_search_finds_the_same_step(name: str) -> None:
    number = of_the_day(game(name), datetime.date(2026, 5, 1))
    assert check(game(name), shelf(game(name))[number - 1])


@pytest.mark.parametrize("name", WITH_CHOICES)
def test_a_solution_is_explained(name: str) -> None:
    known = game(name)
    for puzzle in shelf(known)[::20]:
        sitting = sitting_of(known, puzzle)
        teller = Teller(known, names_of(known, sitting.players, sitting.seat), sitting.seat, sitting.state.sides)
        said = explained(sitting, puzzle, teller)
        assert said[0].isupper() and (said.endswith(")") or known.step_name(puzzle.best) in said)


def test_one_a_day() -> None:
    day = datetime.date(2026, 12, 24)
    numbers = [of_the_day(game("heraldry"), day + datetime.timedelta(days=each)) for each in range(60)]
    assert len(set(numbers)) == len(shelf(game("heraldry"))[:60]) and min(numbers) == 1


def test_a_puzzle_is_solved_in_the_terminal(parlour_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = shelf(game("lost-heir"))[0]
    sitting = sitting_of(game("lost-heir"), puzzle)
    wrong = next(name for step, name in zip(sitting.legal(), sitting.names(), strict=True) if step != puzzle.best)
    answers = iter([wrong, "nonsense", game("lost-heir").step_name(puzzle.best)])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    code, told, _ = parlour_cli("puzzles", "solve", "lost-heir", "--number", "1")
    assert code == 0 and "Another step is better" in told and "Solved." in told and "HEIR-" in told
    monkeypatch.setattr("builtins.input", lambda prompt="": "")
    assert "Given up." in parlour_cli("puzzles", "solve", "lost-heir")[1]


def test_wrong_arguments_are_refused(parlour_cli: Cli, tmp_path: Path) -> None:
    for arguments, why in {
        ("solve", "tontine"): "has no puzzles",
        ("solve", "heraldry", "--number", "0"): "--number must be 1 to",
        ("check", "heraldry", "--seed", "2"): "are for `puzzles make`",
        ("make", "heraldry", "--count", "0"): "--count must be 1 or more",
    }.items():
        code, _, wrong = parlour_cli("puzzles", *arguments)
        assert code == 2 and why in wrong
    file = tmp_path / "some.json"
    assert parlour_cli("puzzles", "make", "masquerade", "--seed", "7", "--count", "3", "--out", str(file))[0] == 0
    again = tmp_path / "again.json"
    assert parlour_cli("puzzles", "make", "masquerade", "--seed", "7", "--count", "3", "--out", str(again))[0] == 0
    assert file.read_text() == again.read_text() and len(json.loads(file.read_text())["puzzles"]) == 3
