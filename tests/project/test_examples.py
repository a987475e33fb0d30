"""The examples run, with small numbers, and say something true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.engine import build

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def run(*command: str, cwd: Path) -> str:
    """What a command prints; it must end well, and without a warning."""
    # one thread of linear algebra: the tests beside this one want the other cores
    environment = os.environ | {"PYTHONPATH": str(Path(parlour.__file__).parent.parent), "OPENBLAS_NUM_THREADS": "1"}
    whole = [sys.executable, "-W", "error", *command]
    done = subprocess.run(whole, cwd=cwd, capture_output=True, text=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr or not build.is_compiled()
    return done.stdout


def test_a_policy_trained_for_a_few_seconds_beats_random(tmp_path: Path) -> None:
    numbers = ["--updates", "25", "--sittings", "128", "--measured", "400"]
    out = run(str(EXAMPLES / "train_policy.py"), *numbers, cwd=tmp_path)
    found = re.search(r"wins ([\d.]+) ± ([\d.]+) % of 400 games .* a fair share is 25 %", out)
    assert found, out
    share, within = map(float, found.groups())
    assert share - within > 25


@pytest.mark.parametrize(
    "name", [name if name == "heraldry" else pytest.param(name, marks=pytest.mark.long) for name in parlour.GAMES]
)
def test_records_are_analysed(name: str, tmp_path: Path) -> None:
    given = ["simulate", name, "--sittings", "20", "--seed", "1", "--records", "games.parquet"]
    run("-m", "parlour", *given, cwd=tmp_path)
    out = run(str(EXAMPLES / "records_polars.py"), "games.parquet", cwd=tmp_path)
    game = parlour.game(name)
    assert f"{game.title}, 20 sittings" in out
    seats, lengths, clauses = (part.splitlines()[2:] for part in out.strip().split("\n\n")[1:])
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in seats]
    assert [cell[0] for cell in cells] == [str(seat) for seat in range(game.sheet.usual)]
    assert sum(float(cell[1]) for cell in cells) == pytest.approx(100, abs=0.1)
    assert len(lengths) == 1
    titles = {clause.id: clause.title for clause in game.sheet.clauses}
    for line in clauses:
        clause, _, often, title = (cell.strip() for cell in line.strip("|").split("|"))
        assert titles[clause] == title and float(often) > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("library", "name", "numbers", "said"),
    [
        ("sb3_contrib", "sb3_maskable.py", ["--steps", "2048", "--deals", "20"], r"MaskablePPO: [+-][\d.]+ ± [\d.]+"),
        ("tianshou", "tianshou_dqn.py", ["--steps", "400", "--deals", "20"], r"trained: [+-][\d.]+ ± [\d.]+"),
    ],
)
def test_other_libraries_take_the_environments_as_they_are(
    library: str, name: str, numbers: list[str], said: str, tmp_path: Path
) -> None:
    pytest.importorskip(library)
    environment = os.environ | {"PYTHONPATH": str(Path(parlour.__file__).parent.parent), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(EXAMPLES / name), *numbers]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(said, done.stdout), done.stdout
