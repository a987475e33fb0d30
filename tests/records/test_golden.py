"""A short golden record for every value of every option, which today's code reproduces byte for byte.

`python -m tests.records.test_golden` makes the files of the newest rules versions again; do that only where behaviour
was meant to change. Those of earlier versions stay as they are: they hold what was played then.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Seeded
from parlour.records.record import line_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for `python -m`, as pytest does it by its settings
from support.cases import HERE, SHORT, Case, played, single_cases, values_of

GOLDEN = HERE / "golden"
SEEDS = 100  # tried for a short sitting in which the option makes a difference


def file_of(name: str, rules: int) -> Path:
    """Where the records of a rules version are; a later version has those of its new values."""
    return GOLDEN / (f"{name}.jsonl" if rules == 1 else f"{name}-{rules}.jsonl")


def lines(name: str) -> list[str]:
    """The records of all rules versions."""
    versions = range(1, parlour.game(name).rules + 1)
    return [line for rules in versions for line in file_of(name, rules).read_text("utf-8").splitlines(keepends=True)]


def line_for(case: Case, seed: int) -> str:
    """The record of a case, played at random with this seed."""
    return line_of(played(case.sitting(seed), Seeded(seed)).record(seed=seed))


def case_of(record: dict[str, Any]) -> Case:
    game, players, rules = parlour.game(record["game"]), record["players"], record.get("rules", 1)
    return Case(game, players, game.sheet.check_options(players, record["options"], rules), rules)


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_golden_records_replay(name: str) -> None:
    for line in lines(name):
        assert parlour.check(json.loads(line)) is None


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_golden_records_are_reproduced_byte_for_byte(name: str) -> None:
    for line in lines(name):
        record = json.loads(line)
        assert line_for(case_of(record), record["seed"]) == line


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_every_option_value_has_a_golden_record(name: str) -> None:
    found = {item for line in lines(name) for item in json.loads(line)["options"].items()}
    wanted = {(option.name, value) for option in parlour.sheet(name).options for value, _ in values_of(option)}
    assert wanted <= found


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_every_golden_record_says_its_rules_version(name: str) -> None:
    for rules in range(1, parlour.game(name).rules + 1):
        for line in file_of(name, rules).read_text("utf-8").splitlines():
            assert json.loads(line).get("rules", 1) == rules


def test_golden_records_stay_small() -> None:
    assert sum(path.stat().st_size for path in GOLDEN.iterdir()) < 400_000


def test_the_command_that_makes_them_again_can_be_run() -> None:
    command = [sys.executable, "-c", "import tests.records.test_golden"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def shows(case: Case, seed: int) -> bool:
    """Whether the sitting of a seed goes differently with the usual options."""
    usual = Case(case.game, case.players, case.game.options_for(case.players, SHORT[case.game.name]))
    records = [json.loads(line_for(each, seed)) for each in (case, usual)]
    return any(records[0][member] != records[1][member] for member in ("log", "result"))


def remake() -> None:
    """Write the golden records of the newest rules versions again, one for each value that came with them."""
    GOLDEN.mkdir(exist_ok=True)
    for name, game in parlour.REGISTRY.items():
        records = []
        for case in {str(case): case for case in single_cases(game.rules) if case.game is game}.values():
            seeds = range(SEEDS if "=" in str(case) else 50)
            found = [seed for seed in seeds if shows(case, seed)][:50] or range(50)
            records.append(min((line_for(case, seed) for seed in found), key=len))
        file_of(name, game.rules).write_text("".join(records), "utf-8", newline="\n")


if __name__ == "__main__":
    remake()
