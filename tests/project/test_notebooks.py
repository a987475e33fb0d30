"""The notebooks run from top to bottom with small numbers, do what they say, and show what they showed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.lab.simulate import Simulation, simulate

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.ipynb"))

# Runs a notebook, then some more lines, in an empty folder.
RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import notebooks
names = notebooks.run(notebooks.cells_of(notebooks.Path(sys.argv[2])), json.loads(sys.argv[3]))
exec(sys.argv[4], names)
"""


def run(name: str, small: dict[str, Any], asked: str, folder: Path) -> Any:
    """What is found in a notebook that was run with small numbers: the value of some lines that print JSON."""
    environment = os.environ | {
        "PYTHONPATH": str(Path(parlour.__file__).parent.parent),
        "PARLOUR_DATA": str(folder / "data"),
    }
    given = [str(ROOT / "tools"), str(ROOT / "examples" / name), json.dumps(small), asked]
    command = [sys.executable, "-W", "error", "-c", RUN, *given]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_player_learned_in_a_notebook_beats_random_and_sits_at_a_table(tmp_path: Path) -> None:
    small = {"UPDATES": 300, "PLACES": 256, "DEALS": 1000, "TOURNAMENT": 4}
    asked = """
ahead = played(lambda bench: bench.sample(), SEED + 100) - by_thumb  # what random steps gain on the rules of thumb
better = by_net - by_thumb - ahead
print(json.dumps([better.mean() - 2 * within, record["names"], len(record["log"]), said]))
"""
    ahead, names, entries, said = run("learn_a_player.ipynb", small, f"import json\n{asked}", tmp_path)
    assert ahead > 0
    assert sorted(names) == ["learned", "thumb"] and entries > 20
    assert all("The sitting is over. Winner" in each for each in said)
    assert (tmp_path / "learned.safetensors").is_file()


def test_a_figure_of_the_lab_is_reproduced(tmp_path: Path) -> None:
    small = {"SITTINGS": 100, "READINGS": [["odd_cards", "free"]]}
    asked = "import json\nprint(json.dumps([usual.mean(), found['odd_cards', 'free'][0]]))"
    mean, difference = run("reproduce_a_figure.ipynb", small, asked, tmp_path)
    alone = simulate(Simulation.of("lost-heir", ["thumb"]), 100)
    other = simulate(Simulation.of("lost-heir", ["thumb"], odd_cards="free"), 100)
    assert mean == pytest.approx(alone.decisions / 100)
    assert difference == pytest.approx((other.decisions - alone.decisions) / 100)


def test_the_figure_that_is_shown_is_the_one_that_was_published() -> None:
    report = json.loads((ROOT / "docs" / "lab" / "lost-heir.json").read_text(encoding="utf-8"))
    notebook = json.loads((ROOT / "examples" / "reproduce_a_figure.ipynb").read_text(encoding="utf-8"))
    outputs = [each for cell in notebook["cells"] for each in cell.get("outputs", [])]
    shown = "".join(line for each in outputs for line in each.get("text", []))
    for option, value in [("sides", "two"), ("wrong_boy", "less"), ("odd_cards", "free")]:
        row = next(row for row in report["rows"] if (row["option"], row["value"], row["players"]) == (option, value, 4))
        figure = f"{row['differences']['decisions']['value']:+.2f}"
        line = next(line for line in shown.splitlines() if line.startswith(option) and "published" in line)
        assert line.count(figure) == 2, line


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_notebook_is_short_and_was_run_in_order(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert sum(len(cell["source"]) for cell in code) < 150
    assert all(cells[at - 1]["cell_type"] == "markdown" for at, cell in enumerate(cells) if cell["cell_type"] == "code")
