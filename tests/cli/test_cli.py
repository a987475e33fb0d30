"""The command line: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour.sheets.edition import edition_of
from support.cli import Cli
from support.wait import WAIT, next_line

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))


def test_version_names_all_versions_and_whether_it_is_compiled(cli: Cli) -> None:
    code, out, _ = cli("--version")
    assert code == 0
    assert parlour.__version__ in out and parlour.engine.build.status() in out
    assert "record format 1" in out and all(f"{name} {parlour.game(name).rules}" in out for name in parlour.GAMES)


def test_games_lists_all_five(cli: Cli) -> None:
    assert all(parlour.sheet(name).title in cli("games")[1] for name in parlour.GAMES)
    data = json.loads(cli("games", "--json")[1])
    assert [game["game"] for game in data] == list(parlour.GAMES)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_rules_show_every_clause_and_option(name: str, cli: Cli) -> None:
    _, book, _ = cli("rules", name)
    sheet = parlour.sheet(name)
    notes = edition_of(sheet).clauses
    assert all(f"{clause.id}  {clause.title}  [{notes[clause.id].standing}]" in book for clause in sheet.clauses)
    assert all(option.name in book for option in sheet.options)
    assert len(max(book.split("\n"), key=len)) <= 100
    clause = sheet.clauses[-1]
    assert cli("rules", name, clause.id.lower())[1].startswith(clause.id)
    assert json.loads(cli("rules", name, clause.id, "--json")[1])["rule"] == clause.rule


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules", "whist"], "There is no game called 'whist'"),
        (["rules", "tontine", "TON-99"], "TON-"),
        (["simulate", "lost-heir", "--players", "5"], "2, 3, 4 or 6 players, not 5 (HEIR-5)"),
        (["simulate", "lost-heir", "--players", "3", "--set", "sides=two"], "HEIR-18"),
        (["simulate", "heraldry", "--set", "knight=11"], "HER-11"),
        (["simulate", "heraldry", "--set", "knight"], "OPTION=VALUE"),
        (["simulate", "heraldry", "--set", "colour=red"], "capture"),
        (["simulate", "heraldry", "--bots", "clever"], "random, first"),
        (["simulate", "heraldry", "--bots", "first,first,first,first,first"], "5 bots are named for 4 players"),
        (["simulate", "heraldry", "--sittings", "0"], "--sittings must be 1 or more"),
        (["simulate", "heraldry", "--jobs", "0"], "--jobs must be 1 or more"),
        (["simulate", "heraldry", "--records", "/nowhere/at/all"], "cannot be written"),
        (
            ["simulate", "sovereign", "--set", "penalty=2"],
            "penalty changes nothing without mistakes=penalised (SOV-4a)",
        ),
        (["play", "lost-heir", "whist"], "Lost Heir offers alone, partners or three pairs, not 'whist'."),
        (["play", "lost-heir", "partners", "--set", "sides=two"], "say the same thing twice"),
        (["play", "lost-heir", "three pairs", "--players", "4"], "sides: three is for 6 players, not 4 (HEIR-18)"),
        (["play", "heraldry", "partners"], "Heraldry has no such choice as 'partners'"),
        (["play", "tontine", "--seat", "12"], "--seat must be 0 to 11"),
        (["play", "tontine", "--resume", "/nowhere"], "cannot be read"),
        (["check", "/nowhere"], "cannot be read"),
        (["check"], "FILE"),
        (["shuffle"], "invalid choice"),
        (["simulate", "heraldry", "--players", "four"], "invalid int value"),
        (["bench", "whist"], "There is no game"),
    ],
)
def test_misuse_is_one_sentence_and_exit_2(arguments: list[str], says: str, cli: Cli) -> None:
    code, out, err = cli(*arguments)
    assert code == 2 and not out
    assert says in err and err.startswith("parlour: ") and err.count("\n") == 1


# --- simulate and check -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", parlour.GAMES)
def test_check_accepts_the_records_that_simulate_writes(name: str, tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "records.jsonl"
    code, out, _ = cli("simulate", name, "--sittings", "12", "--seed", "5", "--records", str(file))
    assert code == 0 and "95 % interval" in out
    assert cli("check", str(file))[:2] == (0, "12 records, 0 differ\n")


@pytest.mark.parametrize("bots", ["random", "first,random"])
@pytest.mark.parametrize("name", parlour.GAMES)
def test_the_same_seed_gives_the_same_sittings_recorded_or_not(name: str, bots: str, tmp_path: Path, cli: Cli) -> None:
    asked = ["simulate", name, "--sittings", "20", "--seed", "word", "--bots", bots, "--json"]
    plain = json.loads(cli(*asked)[1])
    file = tmp_path / "records.jsonl"
    assert json.loads(cli(*asked, "--records", str(file))[1]) == plain
    assert json.loads(cli(*asked[:4], "--seed", "other", "--bots", bots, "--json")[1]) != plain
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert sum(seat in record["result"]["winners"] for record in records for seat in [0]) == plain["wins"][0]["wins"]


def test_two_jobs_give_the_same_sittings_and_records(tmp_path: Path, cli: Cli) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    asked = ["simulate", "sovereign", "--sittings", "70", "--seed", "3", "--json", "--records"]
    first = cli(*asked, str(one))
    second = cli(*asked, str(two), "--jobs", "2")
    assert first[1] == second[1]
    assert one.read_bytes() == two.read_bytes()


def test_check_says_where_and_what_and_exits_1(tmp_path: Path, cli: Cli) -> None:
    lines = (VECTORS / "lost-heir.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    record = json.loads(lines[1])
    at = next(at for at, entry in enumerate(record["log"]) if entry[0] == "score")
    record["log"][at][2] += 1
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join([lines[0], json.dumps(record), lines[2], '{"parlour": 1']), encoding="utf-8")
    code, out, _ = cli("check", str(file))
    assert code == 1
    first, second, last = out.splitlines()
    assert first.startswith(f"{file}:2: entry {at}: expected") and "found" in first
    assert second.startswith(f"{file}:4: the line is not JSON")
    assert last == "4 records, 2 differ"
    found = [json.loads(line) for line in cli("check", str(file), "--json")[1].splitlines()]
    assert found[0]["line"] == 2 and found[0]["entry"] == at and found[-1] == {"records": 4, "differ": 2}


def test_check_of_an_empty_file_fails(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert cli("check", str(tmp_path / "empty.jsonl"))[:2] == (1, "0 records, 0 differ\n")


def test_check_reads_standard_input() -> None:
    command = [sys.executable, "-m", "parlour", "check", "-"]
    data = (VECTORS / "tontine.jsonl").read_bytes()
    done = subprocess.run(command, input=data, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"35 records, 0 differ\n", b"")


def test_bench_reports_both_forms(cli: Cli) -> None:
    (row,) = json.loads(cli("bench", "masquerade", "--json")[1])["games"]
    assert row["compiled"] > row["interpreted"] > 0 and row["ratio"] > 1


def test_a_saved_sitting_starts_no_program_by_itself(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    assert cli("play", "heraldry", "--seed", "1")[0] == 0
    save = tmp_path / "data" / "unfinished" / "heraldry.json"
    held = json.loads(save.read_text(encoding="utf-8"))
    assert held["bots"] == "steady"
    witness = tmp_path / "witness"
    save.write_text(json.dumps(held | {"bots": f"exec:touch {witness}"}), encoding="utf-8")
    code, _, errors = cli("play", "heraldry")
    assert code == 2 and "seats a bot of your own" in errors and not witness.exists()
    assert cli("play", "heraldry", "--resume", str(save), "--bots", "thumb")[0] == 0


@pytest.mark.parametrize("bots", ["steady", "thumb", "novice,expert", "random,first"])
def test_every_game_is_played_against_any_bots(bots: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in parlour.GAMES:
        lines = iter(["h", "1", "h", "q"])
        monkeypatch.setattr("builtins.input", lambda prompt="", lines=lines: next(lines, "q"))
        code, out, _ = cli("play", name, "--new", "--seed", "4", "--bots", bots)
        assert code == 0 and "Saved." in out and "The others" in out


@pytest.mark.parametrize(
    ("bots", "says"),
    [
        ("oracle", "sees all hands"),
        ("nobody", "There is no bot called 'nobody'"),
        ("search:0", "trials from 1 to 10,000,000"),
        ("search:many", "trials from 1 to 10,000,000"),
        ("exec:./nothere", "finds no program"),
        ("steady,", "A name is missing"),
        ("thumb,thumb,thumb,thumb,thumb", "name 4 at most"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_in_a_sentence(bots: str, says: str, cli: Cli) -> None:
    for command in ("play", "simulate"):
        code, _, errors = cli(command, "lost-heir", "--seed", "1", "--bots", bots)
        assert code == 2 and says in errors and len(errors.strip().split("\n")) == 1


def test_forfeits_of_a_program_are_reported(cli: Cli) -> None:
    work = ("simulate", "heraldry", "--players", "2", "--bots", "exec:false,thumb", "--sittings", "2", "--seed", "1")
    code, out, _ = cli(*work)
    found = json.loads(cli(*work, "--json")[1])["forfeits"]
    assert code == 0 and "exec:false ended with exit code 1; `first` chose" in out
    assert found["choices"] > len(found["reports"]) > 0 and f"{found['choices']:,} choices were forfeited in all" in out
    names = ("tournament", "heraldry", "--players", "2", "--bots", "exec:false,thumb", "--deals", "1", "--seed", "1")
    assert any("exec:false" in said for said in json.loads(cli(*names, "--json")[1])["forfeits"])


@contextlib.contextmanager
def open_room(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`parlour` without a command, where no browser can be opened; the process, and its first line."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["PARLOUR_PORT"] = "0"
    command = [sys.executable, "-m", "parlour", *arguments]
    made = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with made:
        try:
            yield made, next_line(made)
        finally:
            made.terminate()
            try:
                assert made.wait(WAIT) == 0
            finally:
                made.kill()


def test_without_a_command_the_room_opens_once() -> None:
    with open_room() as (_, said):
        address = re.match(r"Parlour is open at (http://127\.0\.0\.1:\d+/) ", said)
        assert address, said
        with urllib.request.urlopen(address[1], timeout=WAIT) as page:
            assert b"<title>Parlour</title>" in page.read()
        with open_room() as (again, said):
            assert said == f"Parlour is already open at {address[1]}\n"
            assert again.wait(WAIT) == 0


def test_the_room_accepts_other_machines_on_request() -> None:
    with open_room("--host", "0.0.0.0") as (made, said):
        assert re.match(r"Parlour is open at http://(?!127\.|0\.)", said), said
        code = "".join(next_line(made) for _ in range(5))
        assert set(code) & set("▀▄█"), "a picture to point a phone at"


def test_a_host_before_a_command_is_refused(cli: Cli) -> None:
    refusal = "parlour: --host stands alone or after `serve`, not before a command.\n"
    assert cli("--host", "0.0.0.0", "serve") == (2, "", refusal)
