"""The tool that makes docs/lab: pages beside their figures, and studies that this code reproduces."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.lab import report
from parlour.lab.lessons import foremost, lessons, with_labels
from support.scripts import script
from support.studies import GAMES, compiled_only, study

ROOT = Path(__file__).resolve().parents[2]
each_game = pytest.mark.parametrize("name", GAMES)


@each_game
def test_the_page_of_a_game_has_the_lessons_of_its_study(name: str, tmp_path: Path) -> None:
    result = study(name)
    pages, game = script("pages"), parlour.game(name)
    assert list(pages.taught(game, tmp_path)) == []
    (tmp_path / f"{name}.json").write_text(json.dumps(result), encoding="utf-8")
    head, _, told, *rest = pages.taught(game, tmp_path)
    assert head == "## What the lab teaches" and f"lab/{name}.html" in " ".join(rest)
    plain = re.sub(r"\[([\w-]+)\]\(#[\w-]+\)", r"\1", told)
    assert re.sub(r"\*[^*]+\* `(\w+)=([\w-]+)`", r"*\1: \2*", plain) == " ".join(lessons(result))
    linked = re.findall(r"\[([\w-]+)\]\(#([\w-]+)\)", told)
    assert len(linked) == told.count("(#")
    assert all(id.lower() == anchor and game.sheet.clause(id).id == id for id, anchor in linked)


def test_pages_and_csv_are_written_beside_the_json(tmp_path: Path) -> None:
    result = study("heraldry")
    (tmp_path / "heraldry.json").write_text(json.dumps(result), encoding="utf-8")
    made: dict[Path, Any] = script("lab").drawn(tmp_path)
    assert made == {
        tmp_path / "heraldry.html": report.html(result, ["heraldry.csv", "heraldry.json"]),
        tmp_path / "heraldry.csv": report.csv(result),
    }


def test_the_first_places_are_listed_with_the_number_of_sittings(tmp_path: Path) -> None:
    result = study("heraldry")
    (tmp_path / "heraldry.json").write_text(json.dumps(result), encoding="utf-8")
    begin, end = "<!-- foremost -->\n", "<!-- /foremost -->\n"
    page = script("lab").indexed(tmp_path, f"Before.\n{begin}Old.\n{end}After.\n")
    assert page.startswith(f"Before.\n{begin}") and page.endswith(f"{end}After.\n") and "Old" not in page
    told = with_labels(parlour.sheet("heraldry"), foremost(result), "*{}* `{}`".format)
    assert f"\n| Heraldry | `thumb` | {result['sittings']} | {told} |\n" in page
    assert script("lab").indexed(tmp_path, page) == page


def made(name: str) -> dict[str, Any]:
    """A study of docs/lab."""
    result: dict[str, Any] = json.loads((ROOT / "docs" / "lab" / f"{name}.json").read_text(encoding="utf-8"))
    return result


REMAKE = "this code does not reproduce docs/lab: run python tools/lab.py --jobs 2, then python tools/pages.py"
STUDIES = sorted(path.stem for path in (ROOT / "docs" / "lab").glob("*.json"))
BY_STEADY = [name for name in STUDIES if name.endswith("-steady")]


@compiled_only
@pytest.mark.parametrize("name", [name for name in STUDIES if name not in BY_STEADY])
def test_this_code_reproduces_the_studies(name: str) -> None:
    assert made(name)["rules"] == parlour.game(made(name)["game"]).rules, REMAKE
    assert script("lab").reproduces(made(name)), REMAKE


@compiled_only
@pytest.mark.parametrize("name", BY_STEADY)
def test_this_code_reproduces_the_first_row_of_the_studies_by_steady(name: str) -> None:
    assert script("lab").reproduces(made(name), rows=1), REMAKE


@pytest.mark.long
@compiled_only
@pytest.mark.parametrize("name", BY_STEADY)
def test_this_code_reproduces_the_studies_by_steady(name: str) -> None:
    assert script("lab").reproduces(made(name)), REMAKE


def test_a_study_that_is_not_reproduced_is_named_with_what_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, result = script("lab"), study("tontine")
    monkeypatch.setattr(lab, "LAB", tmp_path)
    (tmp_path / "tontine.json").write_text(json.dumps(result), encoding="utf-8")
    assert (lab.main(["--replay"]), capsys.readouterr().out) == (0, "")
    for wrong in (result["rows"][:-1], [*result["rows"][:-1], result["rows"][-1] | {"first_block": "0"}]):
        (tmp_path / "tontine.json").write_text(json.dumps(result | {"rows": wrong}), encoding="utf-8")
        assert lab.main(["--replay", "heraldry"]) == 0
        assert lab.main(["--replay", "tontine"]) == 1
        says = "This code does not reproduce docs/lab/tontine.json: run python tools/lab.py --jobs 2 tontine\n"
        assert capsys.readouterr().out == says
