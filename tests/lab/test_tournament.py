"""Tournaments: luck cancels, intervals hold, the same seed gives the same result, and a checkpoint is resumed."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import parlour
from parlour.engine.core import Journal
from parlour.lab.intervals import Estimate, mean_of, share_of
from parlour.lab.tournament import Meeting, PairSeating, Tournament, lines, meet, picture, play_tournament, report
from parlour.players import bots, seats
from support.cli import Cli, started
from support.wait import WAIT, wait_for_lines

# Every game; as many sides as seats, and fewer; an even and an odd number of sides.
TABLES = [
    ("masquerade", 4, {}),
    ("lost-heir", 3, {}),
    ("lost-heir", 4, {"sides": "two"}),
    ("lost-heir", 6, {"sides": "three"}),
    ("sovereign", 5, {}),
    ("heraldry", 2, {}),
    ("tontine", 7, {}),
]


def tournament(name: str, players: int, given: dict[str, Any], *names: str) -> Tournament:
    return Tournament(name, players, parlour.game(name).options_for(players, given), names, "7")


def played(meetings: list[Meeting]) -> list[tuple[object, ...]]:
    """Meetings without their times."""
    return [(met.pair, met.deal, met.scores, met.shares, met.decisions) for met in meetings]


def found(cli: Cli, *arguments: str) -> dict[str, Any]:
    """The report as JSON, without its times."""
    code, out, err = cli("tournament", *arguments, "--json")
    assert (code, err) == (0, "")
    data: dict[str, Any] = json.loads(out)
    assert set(data.pop("milliseconds")) == set(data["bots"])
    return data


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_each_bot_holds_every_seat_once_and_partners_are_the_same_bot(
    name: str, players: int, given: dict[str, Any]
) -> None:
    held = tournament(name, players, given, "random", "first")
    state = parlour.game(name).state_type(players, held.options)
    state.journal = Journal()
    sides = len(state.scores())
    seatings = [PairSeating(held, ("random", "first"), sides, first) for first in (0, 1)]
    for seating in seatings:
        assert set(seating.holders) == {0, 1}
        assert all(seating.holders[seat] == seating.holders[seat % sides] for seat in range(players))
    assert [a + b for a, b in zip(seatings[0].holders, seatings[1].holders, strict=True)] == [1] * players
    meet(state, seatings, ("random", "first"), 7, 0)
    assert sum(seatings[1].decisions) == state.moves


@pytest.mark.parametrize("bot", ["first", "random"])
@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_luck_cancels_so_no_bot_is_ahead_of_itself(name: str, players: int, given: dict[str, Any], bot: str) -> None:
    meetings = play_tournament(tournament(name, players, given, bot, bot), 3)
    assert len(meetings) == 3
    assert all(met.scores[0] == met.scores[1] and met.shares == [0.5, 0.5] for met in meetings)


def test_where_nothing_is_decided_nobody_is_ahead() -> None:
    meetings = play_tournament(tournament("tontine", 4, {}, "random", "first"), 10)
    assert mean_of([met.scores[0] - met.scores[1] for met in meetings]) == Estimate(0.0, (0.0, 0.0))
    assert share_of([met.shares[0] for met in meetings]) == Estimate(0.5, (0.5, 0.5))


class Other(bots.Random):
    """As random as `random`, with luck of its own."""

    def begin(self, seed: int, number: int) -> None:
        super().begin(seed + 1, number)


def test_intervals_hold_the_true_value_19_times_in_20(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "make", lambda name, *_: Other() if name == "other" else bots.Random())
    meetings = play_tournament(tournament("masquerade", 4, {}, "random", "other"), 1200)
    assert any(met.scores[0] != met.scores[1] for met in meetings)
    # 150 tournaments of eight deals, of which each bot should win half
    parts = [meetings[first : first + 8] for first in range(0, 1200, 8)]
    ahead = [mean_of([met.scores[0] - met.scores[1] for met in part]).interval for part in parts]
    won = [share_of([met.shares[0] for met in part]).interval for part in parts]
    assert 135 <= sum(low <= 0 <= high for low, high in filter(None, ahead)) <= 149
    assert 135 <= sum(low <= 0.5 <= high for low, high in filter(None, won)) <= 150


def test_two_jobs_play_the_same_meetings_in_the_same_order() -> None:
    held = tournament("sovereign", 3, {"games": 1}, "random", "first")
    assert played(play_tournament(held, 11)) == played(play_tournament(held, 11, jobs=2))


def test_a_tournament_of_three_bots_has_three_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"random": bots.Random, "first": bots.First, "other": Other}
    monkeypatch.setattr(seats, "make", lambda name, *_: made[name]())
    held = tournament("heraldry", 3, {}, "random", "first", "other")
    meetings = play_tournament(held, 6)
    data = report(held, meetings)
    assert [row["bots"] for row in data["pairs"]] == [["random", "first"], ["random", "other"], ["first", "other"]]
    ahead = [row["difference"]["mean"] for row in data["pairs"]]
    field = {row["bot"]: row for row in data["field"]}
    assert field["first"]["difference"]["mean"] == pytest.approx((ahead[2] - ahead[0]) / 2)
    assert sum(row["difference"]["mean"] for row in field.values()) == pytest.approx(0)
    assert sum(row["share"]["mean"] for row in field.values()) == pytest.approx(1.5)
    assert sum(row["decisions"] for row in field.values()) == sum(sum(met.decisions) for met in meetings)
    text = "\n".join(lines(data))
    root = ElementTree.fromstring(picture(data))
    shown = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    for first, second in held.pairs():
        assert f"{first} against {second}" in text and f"{first} against {second}" in shown
    assert all(f"{bot} against the rest" in text for bot in held.bots)


# --- the command ------------------------------------------------------------------------------------------------------


ASKED = ("lost-heir", "--bots", "random,first", "--seed", "7", "--set", "deal_limit=1", "--deals")


def test_the_report_says_which_bot_is_ahead_with_an_interval(cli: Cli) -> None:
    data = found(cli, *ASKED, "20")
    assert (data["game"], data["players"], data["seed"], data["deals"]) == ("lost-heir", 4, "7", 20)
    assert data["options"]["deal_limit"] == 1
    (pair,) = data["pairs"]
    low, high = pair["difference"]["interval"]
    assert low < pair["difference"]["mean"] < high and pair["clear"] == (low > 0 or high < 0)
    assert 0 <= pair["share"]["interval"][0] <= pair["share"]["mean"] <= pair["share"]["interval"][1] <= 1
    assert [row["bot"] for row in data["field"]] == data["bots"] and all(row["decisions"] for row in data["field"])
    code, out, _ = cli("tournament", *ASKED, "20")
    assert code == 0 and f"{pair['difference']['mean']:+.2f} ± {(high - low) / 2:.2f}" in out
    assert ("*" in out) == pair["clear"]


def test_one_deal_has_no_interval(cli: Cli) -> None:
    (pair,) = found(cli, *ASKED, "1")["pairs"]
    assert pair["difference"]["interval"] is None and pair["share"]["interval"] is None and not pair["clear"]
    assert "1 deal, played twice" in cli("tournament", *ASKED, "1")[1]


def test_a_plot_is_written(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "plot.svg"
    assert cli("tournament", *ASKED, "5", "--plot", str(file))[0] == 0
    assert "random against first" in "".join(ElementTree.parse(file).getroot().itertext())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["heraldry"], "--bots"),
        (["heraldry", "--bots", "first"], "two bots or more, not first alone"),
        (["heraldry", "--bots", "first,random,first"], "first is named twice"),
        (["heraldry", "--bots", "first,clever"], "There is no bot called 'clever'"),
        (["heraldry", "--bots", "first,"], "There is no bot called ''"),
        (["heraldry", "--bots", "first,random", "--deals", "0"], "--deals must be 1 or more"),
        (["heraldry", "--bots", "first,random", "--jobs", "0"], "--jobs must be 1 or more"),
        (["heraldry", "--bots", "first,random", "--keep", "/nowhere/at/all"], "cannot be written"),
        (["heraldry", "--bots", "first,random", "--plot", "/nowhere/at/all"], "cannot be written"),
        (["heraldry", "--bots", "first,random", "--keep", "here", "--plot", "./here"], "each needs a file of its own"),
        (["heraldry", "--bots", "first,random", "--players", "9"], "HER-3"),
        (["whist", "--bots", "first,random"], "There is no game"),
    ],
)
def test_misuse_is_one_sentence_and_exit_2(arguments: list[str], says: str, cli: Cli) -> None:
    code, out, err = cli("tournament", *arguments)
    assert code == 2 and not out
    assert says in err and err.startswith("parlour: ") and err.count("\n") == 1


# --- the checkpoint file ----------------------------------------------------------------------------------------------


def test_a_checkpoint_file_is_resumed_wherever_it_was_cut(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "kept.jsonl"
    wanted = found(cli, *ASKED, "9")
    assert found(cli, *ASKED, "9", "--keep", str(file)) == wanted
    whole = file.read_bytes()
    assert whole.count(b"\n") == 10
    for length in (0, 20, whole.index(b"\n"), whole.index(b"\n") + 1, len(whole) // 2, len(whole) - 1, len(whole)):
        file.write_bytes(whole[:length])
        assert found(cli, *ASKED, "9", "--keep", str(file)) == wanted
        assert file.read_bytes().startswith(whole[: whole[:length].rfind(b"\n") + 1])
        assert file.read_bytes().count(b"\n") == 10
    assert file.read_bytes() == whole
    assert found(cli, *ASKED, "15", "--keep", str(file)) == found(cli, *ASKED, "15")
    assert found(cli, *ASKED, "4", "--keep", str(file)) == found(cli, *ASKED, "4")


def test_a_resumed_run_need_not_name_the_seed(tmp_path: Path, cli: Cli) -> None:
    asked = ["heraldry", "--bots", "random,first", "--keep", str(tmp_path / "kept.jsonl"), "--deals"]
    first = found(cli, *asked, "3")
    assert found(cli, *asked, "3") == first
    assert found(cli, *asked, "5")["seed"] == first["seed"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (["--seed", "8"], 'with seed = "7", not "8"'),
        (["--players", "2"], "with players = 4, not 2"),
        (["--set", "deal_limit=2"], "with options = "),
        (["--bots", "first,random"], 'with bots = ["random", "first"], not ["first", "random"]'),
    ],
)
def test_the_file_of_another_tournament_is_refused_and_left_alone(
    changed: list[str], says: str, tmp_path: Path, cli: Cli
) -> None:
    file = tmp_path / "kept.jsonl"
    found(cli, *ASKED, "2", "--keep", str(file))
    before = file.read_bytes()
    code, out, err = cli("tournament", *ASKED, "2", "--keep", str(file), *changed)
    assert code == 2 and not out and says in err and err.count("\n") == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"My letters\n", "is not the file of a tournament"),
        (b"My letters, the last of them torn", "is not the file of a tournament"),
        (b"[" * 100_000 + b"\n", "is not the file of a tournament"),
        (b"\xff\xfe\n", "is not the file of a tournament"),
        (b"HEAD\n{}\n", "Line 2 of"),
        (b'HEAD\n{"pair": ["first", "oracle"]}\n', "Line 2 of"),
        (b"HEAD\nnonsense\n", "Line 2 of"),
    ],
)
def test_another_file_is_refused_and_left_alone(data: bytes, says: str, tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "kept.jsonl"
    found(cli, *ASKED, "1", "--keep", str(file))
    data = data.replace(b"HEAD", file.read_bytes().splitlines()[0])
    file.write_bytes(data)
    code, out, err = cli("tournament", *ASKED, "1", "--keep", str(file))
    assert code == 2 and not out and says in err and err.count("\n") == 1
    assert file.read_bytes() == data


def test_an_interrupt_loses_no_saved_meeting(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "kept.jsonl"
    asked = [*ASKED, "1000000", "--keep", str(file), "--jobs", "2"]
    with started("tournament", *asked) as process:
        wait_for_lines(file, 10)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (130, "")
    assert err == f"parlour: Progress is saved in {file}. Run the same command to resume.\nparlour: stopped.\n"
    assert found(cli, *ASKED, "9", "--keep", str(file)) == found(cli, *ASKED, "9")
