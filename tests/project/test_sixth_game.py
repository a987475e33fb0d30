"""A sixth game, from a folder under tests/ and one call: everything that knows all games works with it, unchanged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import toy

import parlour
from parlour.cli.main import main
from parlour.games import REGISTRY, register
from parlour.lab.plan import code_hash
from parlour.records.seal import verify
from parlour.sheets.edition import edition_of
from support.added import installed
from support.cases import case
from support.scripts import script
from support.server import Person, Server
from support.wait import WAIT

TOY = toy.GAME.name
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "toy"


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The one call."""
    register(toy.GAME)
    yield
    REGISTRY.pop(TOY)


def test_its_folder_is_small() -> None:
    assert sum(len(path.read_text("utf-8").splitlines()) for path in FOLDER.glob("*.*")) < 250


def test_no_other_file_names_it() -> None:
    """Nothing outside its folder and this test knows of it: it is registered, and that is all."""
    found = subprocess.run(["git", "grep", "-il", "trio"], cwd=ROOT, capture_output=True, text=True, check=False)
    named = [path for path in found.stdout.split() if path.endswith((".py", ".pxd", ".ts", ".svelte", ".toml"))]
    allowed = ("tests/toy/", "tests/project/test_sixth_game.py", "tests/web/test_generic_board.py")
    allowed += ("tests/engine/test_sight.py",)
    assert [path for path in named if not path.startswith(allowed)] == []


def test_what_tests_and_tools_share_takes_it() -> None:
    assert str(case(TOY, toy.GAME.sheet.usual, {})) == "trio-3"
    tool = script("wire_types")
    assert f"{toy.GAME.view_type.FIELDS[0].name}" in tool.view_type(toy.GAME)
    assert '["score", number, number, string]' in tool.entries(toy.GAME)


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_command_line_lists_it_and_reads_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Trio" in command(capsys, "games")
    assert "TRIO-3" in command(capsys, "rules", TOY)
    assert "follows the suit led" in " ".join(command(capsys, "rules", TOY, "3").split())
    assert json.loads(command(capsys, "sheets", TOY, "--json"))["sheets"][0]["game"] == TOY


def test_it_is_simulated_recorded_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    records = str(tmp_path / "trio.jsonl")
    command(capsys, "simulate", TOY, "--sittings", "20", "--seed", "7", "--records", records)
    assert "20 records, 0 differ" in command(capsys, "check", records)
    command(capsys, "simulate", TOY, "--sittings", "4", "--seed", "7", "--bots", "thumb,steady,first")


def test_a_tournament_is_held(capsys: pytest.CaptureFixture[str]) -> None:
    assert "thumb" in command(capsys, "tournament", TOY, "--bots", "thumb,first", "--deals", "20", "--seed", "7")


def test_the_lab_studies_its_readings(capsys: pytest.CaptureFixture[str]) -> None:
    said = command(capsys, "lab", "readings", TOY, "--sittings", "50", "--seed", "7")
    assert "last: double" in said


def test_it_is_played_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path))
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    said = command(capsys, "play", TOY, "--seed", "7", "--bots", "thumb")
    assert "TRIO-4" in said and "3 of" in said


def test_hints_give_a_reason() -> None:
    from parlour.players.hints import advise

    sitting = parlour.Sitting(TOY, seed=7)
    advice = advise(sitting.game, sitting.view(sitting.seat), trials=100)
    assert advice.reason and advice.hints[0].step in sitting.legal()


def test_records_replay_and_views_show_no_more_than_they_may() -> None:
    sitting = parlour.Sitting(TOY, seed=3, last="double")
    while not sitting.over:
        view = sitting.view(-1).fields()
        assert view["hand"] == []
        sitting.play(sitting.legal()[-1])
    record = sitting.record()
    assert parlour.check(record) is None
    assert sum(sitting.scores()) == 4


def test_many_are_stepped_together() -> None:
    from parlour.research.vector import VectorEnv

    environment = VectorEnv(TOY, sittings=8)
    frame = environment.reset(seed=1)
    ended = 0
    for _ in range(40):
        frame = environment.step(environment.sample())
        ended += int(frame.ended.sum())
    assert frame.observations.shape == (8, environment.fields.width)
    assert ended >= 8 and np.isfinite(frame.rewards).all()


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_pettingzoo_and_openspiel_play_it() -> None:
    import pyspiel
    from pettingzoo.test import api_test

    from parlour.research import openspiel, pettingzoo

    api_test(pettingzoo.Environment(toy.GAME).env(), num_cycles=50)
    openspiel.register(toy.GAME)
    state = pyspiel.load_game("parlour_trio").new_initial_state()
    while not state.is_terminal():
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(actions[0])
    assert len(state.returns()) == 3


def test_an_error_in_its_rules_is_raised_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: toy.Trio, step: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(toy.Trio, "apply", broken)
    sitting = parlour.Sitting(TOY, seed=1)
    with pytest.raises(ZeroDivisionError):
        sitting.play(sitting.legal()[0])


def test_an_installed_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """As `[project.entry-points."parlour.games"]` of another package would have it."""
    environment = os.environ | installed(tmp_path, TOY, "toy:GAME")
    for code in (
        "import parlour; print(parlour.game('trio').title)",
        "from parlour.research.pettingzoo import trio_v1; print('Trio')",
        "import parlour.research.openspiel, pyspiel; pyspiel.load_game('parlour_trio'); print('Trio')",
    ):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=WAIT
        )
        assert done.stdout == "Trio\n", done.stderr


def test_a_study_of_it_knows_when_its_rules_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks in a checkpoint are used again only if the code is the same, the game's own too."""
    ours = code_hash.__wrapped__(TOY)
    assert ours != code_hash.__wrapped__("tontine")
    changed = tmp_path / "toy"
    shutil.copytree(FOLDER, changed)
    rules = changed / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "# changed\n", encoding="utf-8")
    monkeypatch.setattr(toy, "__path__", [str(changed)])
    assert code_hash.__wrapped__(TOY) != ours


def test_it_is_played_at_a_served_table(tmp_path: Path) -> None:
    with Server(tmp_path / "data", **installed(tmp_path / "site", TOY, "toy:GAME")) as server:
        assert [each["game"] for each in server.ask("GET", "/api/games")[1]][-1] == TOY
        assert "fields" in server.ask("GET", f"/api/games/{TOY}")[1]
        table, tokens = server.open(TOY, 3, options={"last": "double"}, level="steady")
        with Person(server, table, tokens[0]) as host:
            illegal = next(step for step in range(toy.GAME.steps) if step not in choices(host))
            refused = host.request("act", number=host.number, move=[illegal])
            assert refused["clause"] in ("TRIO-2", "TRIO-3") and "[" not in refused["sentence"]
            assert host.request("hint")["reason"]
            while host.turn():
                assert host.request("act", number=host.number, move=host.move())["kind"] == "done"
            with Person(server, table) as spectator:
                assert spectator.news["view"]["hand"] == []
        record = server.ask("GET", f"/api/tables/{table}/record")[1]
        assert parlour.check(record) is None and verify(record) is None
        assert len(server.ask("GET", f"/api/tables/{table}/replay")[1]["frames"]) == 10


def choices(person: Person) -> list[int]:
    """The steps that a person may take."""
    return [choice["step"] for choice in person.news["legal"]]


def test_a_game_without_an_edition_has_what_its_sheet_says() -> None:
    edition = edition_of(toy.GAME.sheet)
    assert edition.clauses["TRIO-5"].reading == "It counts 1, or 2 where the table likes."
    assert edition.document.maker == "Made up for the tests" and edition.remarks == ()
