"""Records written in C are, byte for byte and value for value, those that their entries are composed to."""

from __future__ import annotations

import dataclasses
import gzip
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import polars
import pytest
import toy

import parlour
from parlour import Journal, Seeded
from parlour.engine.build import load_interpreted
from parlour.engine.scribe import LineScribe
from parlour.lab.simulate import Simulation, Tally, play_chunk, play_sitting
from parlour.players.seats import Seating
from parlour.records.record import compose, drain, line_of
from support.cases import SHORT, Case, all_cases
from support.cli import Cli
from support.effort import times

TABLES = [("random",), ("thumb",), ("random", "thumb"), ("thumb", "random", "random"), ("first", "thumb")]


def simulation_of(case: Case, bots: tuple[str, ...]) -> Simulation:
    around = tuple(bots[seat % len(bots)] for seat in range(case.players))
    return Simulation(case.game.name, case.players, case.options, around, 7, recorded=True)


def composed(work: Simulation, first: int, sittings: int) -> tuple[Tally, bytes]:
    """The tally of some sittings played step by step, and their records, entry by entry."""
    game = parlour.game(work.game)
    state = game.state_type(work.players, work.options)
    state.journal = journal = Journal()
    seating = Seating(game, work.players, work.options, work.bots)
    tally = Tally(work.players, state.sides)
    lines = []
    for number in range(first, first + sittings):
        log: list[list[Any]] = []
        seating.begin(work.seed, number)
        play_sitting(state, Seeded(work.seed, 2 * number), seating, lambda: drain(game, journal, log))  # noqa: B023
        tally.count(state)
        lines.append(line_of(compose(game, state, log, seed=work.seed, sitting=number, bots=work.names)))
    return tally, "".join(lines).encode()


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_records_are_those_of_a_table_played_entry_by_entry(name: str) -> None:
    sittings = times(2, 100)
    for case in all_cases():
        for bots in TABLES if case.game.name == name else ():
            work = simulation_of(case, bots)
            tally, written = play_chunk(work, 5, sittings)
            assert (tally, b"".join(written)) == composed(work, 5, sittings), f"{case} {bots}"  # type: ignore[arg-type]


def test_interpreted_the_same_bytes_are_written() -> None:
    load_interpreted()
    twin = import_module("parlour_interpreted.lab.simulate")
    for case in all_cases()[::7]:
        work = simulation_of(case, ("thumb", "random"))
        for tidy in (False, True):
            ours = dataclasses.replace(work, tidy=tidy)
            theirs = twin.Simulation(**vars(ours))
            assert twin.play_chunk(theirs, 0, 1)[1] == play_chunk(ours, 0, 1)[1], str(case)


@pytest.mark.parametrize("value", [0, 255, 256, -1, 10**9, -(2**63), 2**63 - 1])
def test_a_number_of_any_size_is_written_in_digits(value: int) -> None:
    state = toy.GAME.state_type(3, toy.GAME.options_for(3))
    state.journal = journal = Journal()
    state.tell(0, value, items=[value] * 60)  # type: ignore[attr-defined]
    scribe = LineScribe([b'["kind"'], [[(0, ()), (4, ())]])
    for _ in range(200):  # more than its first sheet holds
        state.tell(0, value, items=[value] * 60)  # type: ignore[attr-defined]
        scribe.copy(journal)
    lines = f'["kind",{value},[{",".join([str(value)] * 60)}]],' * 201
    assert scribe.take().decode() == lines and journal.size == 0


def rows_of(record: dict[str, Any], columns: list[str]) -> list[dict[str, Any]]:
    """The rows of the tidy table for a record."""
    game = parlour.game(record["game"])
    rows: list[dict[str, Any]] = []
    for entry in record["log"]:
        kind = game.kinds[entry[0]]
        fields = zip(game.recorded_fields[kind], entry[1:], strict=True)
        row = {field.type if field.type in ("cards", "scores") else field.name: value for field, value in fields}
        row |= {name: str(row[name]) for name in ("from", "to") if game.name == "tontine" and name in row}  # or "box"
        rows.append(row | {"kind": entry[0], "nature": game.entries[kind].nature, "clause": game.clause_of(entry)})
    scores, winners = record["result"]["scores"], record["result"]["winners"]
    for seat in range(record["players"]):
        result = {"kind": "result", "nature": "result", "seat": seat}
        rows.append(result | {"score": scores[seat % len(scores)], "won": seat in winners})
    head = {"sitting": record["sitting"]}
    return [dict.fromkeys(columns) | head | {"entry": at} | row for at, row in enumerate(rows)]


@pytest.mark.parametrize("name", parlour.GAMES)
def test_each_kind_of_file_holds_the_same_records(name: str, tmp_path: Path, cli: Cli) -> None:
    plain, *others = [tmp_path / f"records.{kind}" for kind in ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")]
    for bots in ("random,thumb", "first,random"):  # played in one go, and step by step
        short = [word for option, value in SHORT[name].items() for word in ("--set", f"{option}={value}")]
        asked = ("simulate", name, "--sittings", "5", "--seed", "5", "--bots", bots, *short, "--records")
        for file in (plain, *others):
            code, out, _ = cli(*asked, str(file))
            assert code == 0 and f"The records are in {file}; " in out
        assert gzip.decompress(others[0].read_bytes()) == plain.read_bytes()
        table = polars.read_parquet(others[2])
        records = [json.loads(line) for line in plain.read_text(encoding="utf-8").splitlines()]
        assert table.to_dicts() == [row for record in records for row in rows_of(record, table.columns)]
        about = json.loads(polars.read_parquet_metadata(others[2])["parlour"])
        assert about | {"bots": records[0]["bots"]} == {
            key: value for key, value in records[0].items() if key not in ("log", "result", "sitting")
        }
        for file in others[:2]:
            assert cli("check", str(file))[:2] == (0, "5 records, 0 differ\n")
        first = [file.read_bytes() for file in others]
        for file in others:
            cli(*asked, str(file))
        assert [file.read_bytes() for file in others] == first


@pytest.mark.parametrize(("ending", "module"), [("jsonl.zst", "backports.zstd"), ("parquet", "pyarrow")])
def test_a_file_says_what_it_needs(
    ending: str, module: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.version_info >= (3, 14):
        module = module.replace("backports", "compression")
    monkeypatch.setitem(sys.modules, module, None)
    file = tmp_path / f"records.{ending}"
    code, _, said = cli("simulate", "tontine", "--sittings", "2", "--records", str(file))
    assert code == 2 and f"needs {module}: pip install 'parlour[records]'" in said and not file.exists()


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_damage_to_a_compressed_file_is_told(ending: str, tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / f"records.jsonl.{ending}"
    cli("simulate", "tontine", "--sittings", "40", "--records", str(file))
    whole = file.read_bytes()
    for damaged in (whole[:-40], b"no archive\n", whole[: len(whole) // 2] + bytes(60) + whole[len(whole) // 2 + 60 :]):
        file.write_bytes(damaged)
        code, _, said = cli("check", str(file))
        assert code == 2 and said == f"parlour: {file} cannot be read: its compressed data is damaged or cut short.\n"


def test_a_table_is_not_read_as_records(tmp_path: Path, cli: Cli) -> None:
    code, _, said = cli("check", str(tmp_path / "records.parquet"))
    assert code == 2 and "is a table for other programs" in said
