"""Records that are written without objects of Python are, byte for byte, those that the entries are composed to."""

from __future__ import annotations

from importlib import import_module

import pytest

import parlour
from parlour.engine import text
from parlour.engine.build import load_interpreted
from parlour.engine.scribe import Scribe
from parlour.lab.simulate import Simulation, play_fast, play_seated
from support.cases import Case, all_cases
from support.effort import times

TABLES = [("random",), ("thumb",), ("random", "thumb"), ("thumb", "random", "random")]


def simulation_of(case: Case, bots: tuple[str, ...]) -> Simulation:
    around = tuple(bots[seat % len(bots)] for seat in range(case.players))
    return Simulation(case.game.name, case.players, case.options, around, 7, recorded=True)


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_fast_tables_write_the_records_of_tables_played_step_by_step(name: str) -> None:
    sittings = times(3, 100)
    for case in all_cases():
        if case.game.name != name:
            continue
        for bots in TABLES:
            work = simulation_of(case, bots)
            tally, written = play_fast(work, 5, sittings)
            assert (tally, written) == play_seated(work, range(5, 5 + sittings)), f"{case} {bots}"
            assert written.count("\n") == sittings


def test_interpreted_the_same_bytes_are_written() -> None:
    load_interpreted()
    twin = import_module("parlour_interpreted.lab.simulate")
    for case in all_cases()[::7]:
        work = simulation_of(case, ("thumb", "random"))
        _, written = twin.play_fast(work, 0, 1)
        assert written == play_fast(work, 0, 1)[1], str(case)


@pytest.mark.parametrize("value", [0, 255, 256, -1, 10**9, -(2**63), 2**63 - 1])
def test_a_number_of_any_size_is_written_in_digits(value: int) -> None:
    journal = parlour.Journal()
    toy = import_module("toy")
    state = toy.GAME.state_type(3, toy.GAME.options_for(3))
    state.journal = journal
    state.tell(0, value, items=[value] * 60)
    scribe = Scribe([b'["kind"'], [[(0, ()), (4, ())]])
    scribe.copy(journal)
    assert scribe.take().decode() == f'["kind",{value},[{",".join([str(value)] * 60)}]],'
    assert journal.size == 0 and text.SLACK >= 16
