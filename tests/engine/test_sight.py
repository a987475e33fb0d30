"""A view made again elsewhere, from what its seat was told and what it sees: it knows, thinks and chooses the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from toy import GAME as TRIO

from parlour import Journal, Seeded, View
from parlour.players.seats import make
from support.cases import Case, case, written
from support.twins import every_twin

SOME = case("sovereign", 3, {})


def followed(given: Case, seed: int) -> Iterator[tuple[View, View]]:
    """The view of the seat to decide and its copy, which is sent text alone, at each choice of random players."""
    game, seats = given.game, range(given.players)
    state = given.state()
    state.journal = Journal()
    views, copies = ([game.view_type(given.players, seat, given.options) for seat in seats] for _ in range(2))
    for view in (*views, *copies):
        view.track_beliefs(trusting=True)
    luck = Seeded(seed, 1)
    state.begin(Seeded(seed))
    while True:
        for view, copy in zip(views, copies, strict=True):
            told = json.loads(json.dumps([game.told(row) for row in view.listen(state.journal)]))
            copy.hear_rows([game.row_of(entry, copy) for entry in told])
        state.journal.clear()
        if state.over:
            return
        view, copy = views[state.seat].see(state), copies[state.seat]
        yield view, copy.adopt(json.loads(json.dumps(view.sight())))
        steps = state.legal()
        state.play(steps[luck.number_below(len(steps))])


@every_twin
def test_a_view_made_again_knows_and_chooses_the_same(case: Case) -> None:
    one, other = (make("search:8", case.game, case.players, case.options, 0) for _ in range(2))
    one.begin(3, 0)
    other.begin(3, 0)
    for number, (view, copy) in enumerate(followed(case, 5)):
        assert copy.fields() == view.fields() and copy.legal() == view.legal()
        assert written(copy) == written(view) and copy.sight() == view.sight()
        assert copy.heuristic(Seeded(1)) == view.heuristic(Seeded(1))
        if number % 4 == 0:
            assert one.choose(view) == other.choose(copy)
        if number == 60:
            break


def test_a_view_of_a_game_in_plain_python_is_made_again() -> None:
    given = Case(TRIO, 3, TRIO.options_for(3))
    count = 0
    for view, copy in followed(given, 2):
        assert copy.fields() == view.fields() and copy.sight() == view.sight()
        assert copy.heuristic(Seeded(1)) == view.heuristic(Seeded(1))
        count += 1
    assert count == 9


def changed(sight: dict[str, Any], **members: Any) -> dict[str, Any]:
    return sight | members


def test_a_sight_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    view, copy = next(followed(SOME, 1))
    sight = view.sight()
    for wrong in (
        {name: value for name, value in sight.items() if name != "hand"},
        changed(sight, more=1),
        changed(sight, dealer=11),
        changed(sight, hand=-1),
        changed(sight, hand="1"),
        changed(sight, over=True),
        changed(sight, sizes=[0] * 10),
        changed(sight, sizes=5),
        changed(sight, surplus_size=10**30),
        changed(sight, stage=[0]),
    ):
        with pytest.raises(ValueError, match="view of this game"):
            copy.adopt(changed(wrong, to_act=0))
        assert copy.sight() == sight
    view, copy = next(followed(Case(TRIO, 3, TRIO.options_for(3)), 2))
    for name in ("fields", "seat", "not a name"):
        with pytest.raises(ValueError, match="view of this game"):
            copy.adopt(changed(view.sight(), **{name: 1}))


@pytest.mark.parametrize(
    "entry",
    [
        *([], ["deal"], "deal", None, ["nothing"], ["dealer", 3], ["dealer", -1], ["dealer", True], ["dealer", None]),
        *(["throw", 0, None], ["throw", 1, "XX"], ["hand", 0, None], ["change", 0, None], ["change", 0, ["P"] * 65]),
        *(["penalty", 0, 1, "HER-1"], ["penalty", 0, 1 << 60, "SOV-4"], ["take", 0, "elsewhere", "SOV-5"]),
    ],
)
def test_an_entry_that_a_seat_cannot_have_been_told_is_refused(entry: Any) -> None:
    view = SOME.game.view_type(3, 0, SOME.options)
    with pytest.raises(ValueError, match="no entry of Change for a Sovereign"):
        SOME.game.row_of(entry, view)
