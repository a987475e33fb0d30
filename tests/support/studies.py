"""Small studies, really played, and the `lab` command, for the tests of the lab."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import parlour
from parlour.engine import build
from parlour.lab import Bots
from parlour.lab import study as lab
from parlour.lab.metrics import METRICS
from parlour.lab.plan import BlockTask, code_hash
from parlour.lab.play import count_sides
from support.cli import Cli

# Interpreted, few and short ones.
SITTINGS = 20 if build.is_compiled() else 5  # of each row
GAMES = parlour.GAMES if build.is_compiled() else ("heraldry", "tontine")

# Every game, and special cases: partners, limits that cut a sitting short, decisions of several steps.
TABLES = [
    ("masquerade", 4, {}),
    ("masquerade", 8, {"following": "suit"}),
    ("lost-heir", 3, {"deal_limit": 4}),
    ("lost-heir", 4, {"sides": "two"}),
    ("lost-heir", 6, {"sides": "three"}),
    ("sovereign", 5, {"round_limit": 3}),
    ("heraldry", 4, {"capture": "choice"}),
    ("tontine", 7, {}),
]
NAMED = {name for name, _, _ in TABLES}
TABLES += [(name, parlour.sheet(name).usual, {}) for name in parlour.GAMES if name not in NAMED]
SEED = "a study"
SMALL_STUDY = ("readings", "heraldry", "--options", "capture,twelfth", "--sittings", "40", "--seed", "7")

compiled_only = pytest.mark.skipif(not build.is_compiled(), reason="thousands of sittings take too long interpreted")


@cache
def played(game: str, kind: str) -> dict[str, Any]:
    work = lab.study_of(kind, parlour.game(game), sittings=SITTINGS)
    return lab.report(work, lab.play_study(work, lab.by_processes(1)))


def study(game: str, kind: str = "readings") -> dict[str, Any]:
    """The result of a study, as a copy that may be changed; the study is played once."""
    return deepcopy(played(game, kind))


def task_of(name: str, players: int, given: dict[str, Any], size: int, **bots: str) -> BlockTask:
    """The task of the second block of a study."""
    options = parlour.game(name).options_for(players, given)
    return BlockTask(code_hash(name), name, 0, players, options, Bots(**bots), SEED, 1, size)


def sides_of(task: BlockTask) -> int:
    return count_sides(task.game, task.players, task.options)


def value(name: str, sums: dict[str, float], sides: int) -> float | None:
    """The value of a metric from its sums."""
    (metric,) = [metric for metric in METRICS if metric.name == name]
    return metric.value(sums, sides)


def found(cli: Cli, *arguments: str) -> dict[str, Any]:
    """The result of a study by `parlour lab --json`."""
    code, out, err = cli("lab", *arguments, "--json")
    assert (code, err) == (0, "")
    data: dict[str, Any] = json.loads(out)
    return data
