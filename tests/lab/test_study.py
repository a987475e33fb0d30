"""Studies: what they compare, how readings are ranked, the intervals of their estimates, and misuse."""

from __future__ import annotations

import json
from dataclasses import replace
from statistics import fmean

import pytest

import parlour
from parlour.lab import intervals, play, results, study
from parlour.lab.metrics import METRICS
from parlour.lab.plan import Study
from parlour.lab.play import Block
from support.cli import Cli
from support.effort import times
from support.studies import compiled_only, found, task_of


def played(work: Study, jobs: int = 1) -> tuple[Study, list[Block]]:
    return work, study.play_study(work, study.by_processes(jobs))


# --- intervals --------------------------------------------------------------------------------------------------------


def test_the_jackknife_interval_of_a_mean_is_the_usual_one() -> None:
    values = [3.0, 5.0, 4.0, 8.0, 1.0]
    without = [fmean(values[:at] + values[at + 1 :]) for at in range(5)]
    whole, usual = intervals.jackknife(fmean(values), without), intervals.mean_of(values)
    assert whole.mean == usual.mean and whole.interval == pytest.approx(usual.interval)


@compiled_only
def test_intervals_hold_the_true_value_19_times_in_20() -> None:
    """The true value comes from many sittings; many small studies of other sittings estimate it.

    Of 80 studies, the intervals of a correct metric hold it 70 times or more in 99 cases of 100, and of 200 studies 182
    times or more.
    """

    def measured(seed: str, blocks: int, size: int) -> results.Measured:
        task = task_of("masquerade", 4, {"following": "strict"}, size)
        tasks = [replace(task, seed=seed, block=block) for block in range(blocks)]
        found = [play.watch(task, 4) | play.measure_skill(task, 4) | play.measure_luck(task) for task in tasks]
        return results.Measured([play.Block(0, block, sums) for block, sums in enumerate(found)], 4)

    truth = measured("truth", 10, 10_000)
    metrics = [metric for metric in METRICS if metric.name != "choice_weight"]  # costs a hundred times more
    held = dict.fromkeys((metric.name for metric in metrics), 0)
    studies = times(80, 200)
    for seed in range(studies):
        small = measured(str(seed), 40, 10)
        for metric in metrics:
            actual, estimate = metric.value(truth.all, 4), small.estimate(metric)
            assert actual is not None and estimate is not None and estimate.interval is not None
            held[metric.name] += estimate.interval[0] <= actual <= estimate.interval[1]
    assert min(held.values()) >= times(69, 180), held
    assert sum(held.values()) < 0.98 * studies * len(held), held


@compiled_only
def test_a_reading_that_changes_nothing_seldom_has_a_certain_effect() -> None:
    """Studies of the same game on different deals: in nineteen of twenty no metric shows a certain effect."""
    game = parlour.game("heraldry")
    rows = []
    for seed in range(times(80, 160)):
        work = study.study_of("readings", game, options=["twelfth"], sittings=200, seed=str(seed), rules=1)
        tasks = [replace(task, row=0, options=work.rows[0].options) for task in work.tasks() if task.row == 0]
        rows.append([play.Block(0, task.block, play.watch(task, 4) | UNMEASURED) for task in tasks])
    certain = 0
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        measured = [results.Measured(blocks, 4) for blocks in (one, other)]
        certain += results.ranking(work, measured)[0]["interval"][0] > 0
    assert certain <= times(4, 7)  # of 40 or 80, where at most two or four are expected


UNMEASURED = {"luck deals": 1.0, "luck plays": 4.0, "luck by deal": 4.0, "luck by play": 4.0} | {
    "skill deals": 1.0,
    "stronger won": 1.0,
    "weight": 0.0,
    "weighed": 0.0,
}
"""The sums of experiments that were not run."""


def test_equal_blocks_still_leave_some_doubt() -> None:
    """Where all hundred sittings end alike, the interval says how many others might end differently."""
    task = task_of("tontine", 5, {}, 20)
    blocks = [study.play_block(replace(task, block=block)) for block in range(5)]
    measured = results.Measured(blocks, 5)
    by_name = {metric.name: metric for metric in METRICS}
    completion = measured.estimate(by_name["completion"])
    assert completion == intervals.Estimate(1.0, (pytest.approx(0.963, abs=0.001), 1.0))
    luck = measured.estimate(by_name["luck"])
    assert luck is not None and luck.interval is not None and luck.interval[0] < 0.9 and luck.interval[1] == 1
    same = measured.difference(by_name["completion"], measured, results.identity)
    assert same == intervals.Estimate(0.0, (pytest.approx(-0.037, abs=0.001), pytest.approx(0.037, abs=0.001)))
    length = measured.difference(by_name["decisions"], measured, results.identity)
    assert length == intervals.Estimate(0.0, (0.0, 0.0))


# --- what is compared -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", parlour.GAMES)
def test_every_option_is_tried_with_every_value(name: str) -> None:
    sheet = parlour.game(name).sheet
    rows = study.study_of("readings", parlour.game(name)).rows
    usual, *others = rows
    assert usual.usual and usual.options == sheet.options_for(sheet.usual, {})
    for option in sheet.options:
        tried = {row.options[option.name] for row in rows if row.option in ("", option.name)}
        if option.values:
            assert tried == {value.name for value in option.values if sheet.usual in value.players}
        elif option.size:
            assert tried == {option.default_for(sheet.usual)}
        else:
            assert len(tried) > 1
    assert all(not row.usual and row.clause == sheet.option(row.option).clause for row in others)


def test_a_number_is_tried_at_half_double_and_near_ends() -> None:
    heraldry, sovereign = parlour.game("heraldry"), parlour.game("sovereign")
    knights = [row.value for row in study.study_of("readings", heraldry).rows if row.option == "knight"]
    assert knights == ["1", "5"]
    limits = study.study_of("readings", sovereign, options=["round_limit"]).rows
    assert [row.options["round_limit"] for row in limits] == [60, 30, 120]
    (penalty,) = [row for row in study.study_of("readings", sovereign).rows if row.option == "penalty"]
    assert penalty.options["penalty"] == 2 and penalty.options["mistakes"] == "penalised"


@pytest.mark.parametrize("options", [(), ("penalty",), ("penalty", "mistakes", "penalty")])
def test_an_option_that_needs_another_is_compared_with_that_row(options: tuple[str, ...]) -> None:
    rows = study.study_of("readings", parlour.game("sovereign"), options=options).rows
    (penalty,) = [row for row in rows if row.option == "penalty"]
    other = rows[penalty.against]
    assert (other.option, other.value, other.against) == ("mistakes", "penalised", 0)
    assert penalty.options == {**other.options, "penalty": 2}
    combined = study.study_of("readings", parlour.game("sovereign"), options=["penalty", "mistakes"], combinations=True)
    assert [row.value for row in combined.rows] == ["", "penalised", "2+penalised"]


def test_a_choice_that_the_sheet_offers_is_ranked_separately() -> None:
    work = study.study_of("readings", parlour.game("lost-heir"), options=["sides", "all_pass"], sittings=5)
    result = study.report(*played(work))
    assert [entry["option"] for entry in result["ranking"]] == ["all_pass"]
    assert [entry["option"] for entry in result["left_to_the_table"]] == ["sides"]


def test_whether_mistakes_can_be_made_is_no_doubt_about_words() -> None:
    work = study.study_of("readings", parlour.game("sovereign"), options=["penalty", "thrown"], sittings=5)
    result = study.report(*played(work))
    assert [entry["option"] for entry in result["ranking"]] == ["thrown"]
    assert {entry["option"] for entry in result["left_to_the_table"]} == {"mistakes", "penalty"}


def test_every_combination_occurs_once() -> None:
    options = ["following", "last", "exchange"]
    rows = study.study_of("readings", parlour.game("masquerade"), options=options, combinations=True).rows
    assert len(rows) == 3 * 2 * 2 == len({json.dumps(row.options) for row in rows})
    assert [row.usual for row in rows].count(True) == 1
    both = rows[-1]
    assert (both.option, both.value) == ("following+last+exchange", "strict+seat+courtesy")
    assert both.clause == "MASQ-7, MASQ-11, MASQ-9"


@pytest.mark.parametrize(
    ("name", "counts"),
    [("lost-heir", [2, 3, 4, 6]), ("tontine", [4, 8, 12, 16, 32, 52]), ("sovereign", list(range(2, 12)))],
)
def test_a_portrait_has_a_row_for_each_number_of_players(name: str, counts: list[int]) -> None:
    rows = study.study_of("game", parlour.game(name)).rows
    assert [row.players for row in rows] == counts
    assert [row.players for row in rows if row.usual] == [parlour.game(name).sheet.usual]


@compiled_only
def test_the_ranking_and_the_unwanted_readings_follow_from_the_rows(cli: Cli) -> None:
    options = "following,last,exchange"
    result = found(cli, "readings", "masquerade", "--options", options, "--sittings", "1000", "--seed", "3")
    first = result["ranking"][0]
    assert (first["option"], first["value"], first["metric"]) == ("following", "strict", "real_choices")
    sure = [max(0, entry["interval"][0]) for entry in result["ranking"]]
    assert sure == sorted(sure, reverse=True)
    (strict,) = [row for row in result["rows"] if row["value"] == "strict"]
    assert first["effect"] == -strict["differences"]["real_choices"]["value"]
    assert {(entry["value"], entry["metric"]) for entry in result["unwanted"]} == {
        ("strict", "balance"),
        ("strict", "real_choices"),
    }
    usual = result["rows"][0]
    assert usual["usual"] and set(usual["differences"].values()) == {None}
    for row in result["rows"]:
        for metric in result["metrics"]:
            measured, (least, most) = row["values"][metric["name"]], metric["range"]
            assert measured["low"] <= measured["value"] <= measured["high"]
            assert measured["low"] >= least or measured["value"] < least
            assert most is None or measured["high"] <= most or measured["value"] > most


def test_branching_is_left_out_of_the_ranking() -> None:
    """A reading that changes branching most is ranked by what else it changes."""
    work = study.study_of("readings", parlour.game("heraldry"), options=["capture"], sittings=5)
    _, blocks = played(work)
    for block in blocks:
        block.sums["branching"] = 1000.0 * (1 + block.row)
    result = study.report(work, blocks)
    branching = result["rows"][1]["differences"]["branching"]
    assert branching["low"] == branching["high"] == 1000  # it is measured nevertheless
    (entry,) = result["ranking"]
    assert entry["metric"] != "branching"
    assert [metric["name"] for metric in result["metrics"] if not metric["ranked"]] == ["branching"]


@compiled_only
def test_a_reading_equal_to_the_usual_one_makes_no_difference() -> None:
    """At five players `rounds: auto` stands for a number that is also a reading of its own."""
    work = study.study_of("readings", parlour.game("sovereign"), options=["rounds"], sittings=200)
    result = study.report(*played(work))
    same = [row for row in result["rows"][1:] if not any(found["value"] for found in row["differences"].values())]
    assert len(same) == 1


# --- misuse -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["readings", "whist"], "There is no game called 'whist'"),
        (["moods", "tontine"], "invalid choice"),
        (["readings", "tontine", "--sittings", "4"], "A study needs at least 5 sittings"),
        (["readings", "tontine", "--sittings", "-5"], "A study needs at least 5 sittings"),
        (["readings", "tontine", "--jobs", "0"], "--jobs must be 1 or more"),
        (["readings", "tontine", "--players", "3"], "TON-7"),
        (["readings", "tontine", "--players", "four"], "--players needs numbers like 4 or 4,6, not 'four'"),
        (["readings", "tontine", "--players", "4,5"], "for one number of players"),
        (["readings", "lost-heir", "--players", "3", "--options", "sides"], "no other reading among these options"),
        (["readings", "heraldry", "--options", "colour"], "Heraldry has no option 'colour'"),
        (["readings", "heraldry", "--set", "knight=11"], "HER-11"),
        (["game", "heraldry", "--options", "capture"], "a portrait shows a single rule set"),
        (["game", "heraldry", "--combinations"], "a portrait shows a single rule set"),
        (["game", "heraldry", "--bots", "clever"], "There is no bot called 'clever'"),
        (["game", "heraldry", "--bots", "oracle"], "it plays only in tournaments"),
        (["game", "heraldry", "--bots", "exec:sh"], "a study needs built-in bots"),
        (["game", "heraldry", "--skill", "thumb"], "--skill needs two bots"),
        (["game", "heraldry", "--skill", "thumb,clever"], "There is no bot called 'clever'"),
        (["game", "heraldry", "--out", "/nowhere/at/all"], "cannot be written"),
        (["game", "heraldry", "--html", "/nowhere/at/all"], "cannot be written"),
        (["game", "heraldry", "--cluster", "here"], "looks like tcp://127.0.0.1:8786, not 'here'"),
        (["game", "heraldry", "--cluster", "tcp://127.0.0.1:x"], "The address of a cluster looks like"),
        (["game", "heraldry", "--cluster", "tcp://192.168.0.9:8786"], "Add --trust-network if you trust it."),
        (["game", "heraldry", "--sittings", "5", "--trust-network"], "--trust-network is only for use with --cluster"),
        (["game", "heraldry", "--cluster", "tcp://127.0.0.1:9", "--jobs", "2"], "use one of them"),
    ],
)
def test_misuse_is_one_sentence_and_exit_2(arguments: list[str], says: str, cli: Cli) -> None:
    code, out, err = cli("lab", *arguments)
    assert code == 2 and not out
    assert says in err and err.startswith("parlour: ") and err.count("\n") == 1
