"""Views as small numbers, and many sittings stepped together."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

from parlour import Refusal, Seeded
from parlour.engine.batch import Batch
from parlour.engine.core import State
from parlour.engine.view import View
from support.cases import Case, all_cases, case, written

CASES = [each for each in all_cases() if each.players < 13][::2]
every_case = pytest.mark.parametrize("case", CASES, ids=str)
SITTINGS = 5


def named(view: View) -> dict[str, list[list[int]]]:
    """What a view writes down, by the names of its fields, row by row."""
    numbers, found, at = list(written(view)), {}, 0
    for name, rows, size in view.layout():
        found[name] = [numbers[at + row * size : at + (row + 1) * size] for row in range(rows)]
        at += rows * size
    assert at == len(numbers)
    return found


def as_numbers(case: Case, view: View, name: str, rows: int, size: int) -> list[list[int]] | None:
    """A field as it must stand in the numbers, made from the view's own named fields; None where no such one is."""
    value, codes = view.fields().get(name), case.game.codes
    me, seats = max(view.seat, 0), case.players
    if name in ("to_act", "dealer", "leader", "namer", "last_taker", "last_winner", "last_out"):
        assert isinstance(value, int)
        return [[int(value >= 0 and (value - me) % seats == turn) for turn in range(seats)]]
    if name == "bids":
        assert isinstance(value, list)
        value = [0 if each is None else each + 1 for each in value]
    if isinstance(value, list) and all(each in codes for each in value) and size == len(codes):
        return [[int(code in value) for code in codes]]
    if isinstance(value, list) and rows > 1:
        turned = [value[(me + turn) % seats] for turn in range(seats)]
        return [[int(code in cards) for code in codes] for cards in turned]
    if isinstance(value, bool | int):
        return [[max(0, min(255, int(value)))]]
    if isinstance(value, list) and len(value) == size and all(isinstance(each, int) for each in value):
        low = 128 if (case.game.name, name) in SIGNED else 0
        return [[max(0, min(255, low + value[(me + turn) % size])) for turn in range(size)]]
    return None


SIGNED = {("lost-heir", name) for name in ("points", "fines", "totals")} | {("sovereign", "counters")}


@every_case
def test_observations_of_a_batch_are_those_of_the_views(case: Case) -> None:
    luck, state, compared = random.Random(3), case.state().begin(Seeded(4)), set()
    for _ in range(60):
        for seat in range(-1, case.players):
            view = case.game.view(state, seat)
            numbers = named(view)
            for name, rows, size in view.layout():
                expected = as_numbers(case, view, name, rows, size)
                if expected is not None:
                    assert numbers[name] == expected, (seat, name)
                    compared.add(name)
        if state.over:
            break
        state.play(luck.choice(state.legal()))
    assert len(compared) >= 5


def arrays(batch: Batch) -> dict[str, Any]:
    made = {
        "observations": bytearray(batch.count * batch.width),
        "masks": bytearray(batch.count * batch.steps),
        "seats": array("b", bytes(batch.count)),
        "rewards": array("f", bytes(4 * batch.count * batch.players)),
        "ended": bytearray(batch.count),
    }
    batch.bind(**made)
    return made


def batch_of(case: Case, sittings: int = SITTINGS, wins: bool = False) -> Batch:
    states = [case.state() for _ in range(sittings)]
    return Batch(states, case.game.view_type(case.players, 0, case.options), case.game.steps, wins)


@every_case
@pytest.mark.parametrize("wins", [False, True])
def test_sittings_stepped_together_are_those_played_one_by_one(case: Case, wins: bool) -> None:
    batch = batch_of(case, wins=wins)
    given = arrays(batch)
    batch.reset(9)
    alone = [case.state().begin(Seeded(9, 2 * at)) for at in range(SITTINGS)]
    numbers = list(range(SITTINGS))
    actions = array("i", bytes(4 * SITTINGS))
    for _ in range(300):
        for at, state in enumerate(alone):
            mask = given["masks"][at * batch.steps : (at + 1) * batch.steps]
            assert [step for step, may in enumerate(mask) if may] == state.legal()
            assert given["seats"][at] == state.seat
            seen = given["observations"][at * batch.width : (at + 1) * batch.width]
            assert seen == written(case.game.view(state, state.seat))
        batch.sample(actions)
        batch.step(actions)
        for at, state in enumerate(alone):
            state.play(actions[at])
            rewards = given["rewards"][at * case.players : (at + 1) * case.players]
            assert given["ended"][at] == state.over
            assert rewards.tolist() == pytest.approx(won(state, wins) if state.over else [0] * case.players)
            if state.over:
                numbers[at] += SITTINGS
                state.begin(Seeded(9, 2 * numbers[at]))


def won(state: State, wins: bool) -> list[float]:
    winners, scores, seats = state.winners(), state.scores(), range(state.players)
    if wins:
        each = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    else:
        each = [float(scores[seat % len(scores)]) for seat in seats]
    return [value - sum(each) / len(each) for value in each]


def test_an_illegal_step_is_refused_and_changes_nothing() -> None:
    batch = batch_of(case("lost-heir", 4, {}))
    given = arrays(batch)
    batch.reset(1)
    before = {name: bytes(room) for name, room in given.items()}
    actions = array("i", bytes(4 * SITTINGS))
    batch.sample(actions)
    for wrong in (-1, 40, 1000, 2**31 - 1):
        actions[3] = wrong
        with pytest.raises(Refusal, match="Sitting 3: "):
            batch.step(actions)
        assert before == {name: bytes(room) for name, room in given.items()}
    with pytest.raises(ValueError, match="5 steps are needed"):
        batch.step(array("i", bytes(4)))
    with pytest.raises(ValueError, match="numbers is needed"):
        batch.bind(bytearray(3), *list(given.values())[1:])
