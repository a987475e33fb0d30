"""A sitting as an object: copies and pickles go on alike, positions draw what a seat sees, the rest is refused."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest

import parlour
from parlour import Journal, Scripted, Seeded, Sitting
from support.cases import played

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda held: pickle.loads(pickle.dumps(held)),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_copy_goes_on_as_the_sitting_does_and_alone(name: str, way: str) -> None:
    sitting = played(Sitting(name, seed=5, listeners=[-1, 0]), Seeded(1), 41)  # perhaps within a move
    sitting.undo(0)
    again = COPIES[way](sitting)
    before = repr(sitting), list(sitting.log)
    assert (repr(again), again.log, again.undone) == (*before, sitting.undone)
    assert again.told == sitting.told
    assert again.view(0).fields() == sitting.view(0).fields()
    played(again, Seeded(2), 20)
    assert (repr(sitting), sitting.log) == before
    played(sitting, Seeded(2), 20)
    assert sitting.log == again.log
    with pytest.raises(ValueError, match="Seat 1 has no view here"):
        again.view(1)


@pytest.mark.parametrize("way", ["copy", "deepcopy"])
def test_a_state_is_copied_without_its_chance(way: str) -> None:
    sitting = Sitting("heraldry", seed=1)
    state = COPIES[way](sitting.state)
    assert state.where() == sitting.state.where() and state.chance is None
    state.play(state.legal()[0])
    assert state.where() != sitting.state.where()


@pytest.mark.parametrize("way", COPIES)
def test_what_cannot_be_copied_says_what_can(way: str) -> None:
    sitting = Sitting("heraldry", seed=1)
    for held, sentence in (
        (sitting.view(0), "A view cannot be copied or pickled; copy its Sitting, and ask the copy for a view."),
        (Seeded(1), "A source of chance cannot be copied or pickled; make another with the same seed and number."),
        (Journal(), r"A journal cannot be copied or pickled; its rows\(\) can."),
        (Sitting("tontine", chance=Mine([])), "A sitting with a source of chance of its own cannot be copied"),
    ):
        with pytest.raises(TypeError, match=sentence):
            COPIES[way](held)
    with pytest.raises(TypeError, match="A state cannot be pickled; pickle its Sitting"):
        pickle.dumps(sitting.state)


class Mine(Scripted):
    """Chance that takes whatever comes first."""

    def serve(self, state: parlour.State) -> object:
        state.give(state.possible()[: state.wanted()])
        return None


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_position_draws_the_cards_that_a_seat_sees_and_no_others(name: str) -> None:
    sitting = played(Sitting(name, seed=8), Seeded(3), 25)
    sitting.take_back()
    for seat in range(-1, sitting.players):
        position = sitting.position(seat)
        fields = str(position.fields)
        shown = {code for _, cards in position.rows() for code, _ in cards}
        for code in shown:
            assert f"'{code}'" in fields
        root = ElementTree.fromstring(position.svg())
        drawn = {use.get("href") for use in root.iter("{http://www.w3.org/2000/svg}use")}
        assert {f"#parlour-{name}-{code}" for code in shown} <= drawn
        if position.fields.get("hand"):
            assert seat >= 0
            assert {code for label, cards in position.rows() if label == "hand" for code, _ in cards} == set(
                position.fields["hand"]
            )
    assert sitting.game.title in sitting._repr_html_()


def test_a_position_names_its_legal_steps_and_who_decides() -> None:
    sitting = Sitting("heraldry", players=2, seed=9)
    text = "".join(ElementTree.fromstring(sitting.position().svg()).itertext())
    assert all(step in text for step in sitting.names())
    assert f"seat {sitting.seat} decides" in text
    assert repr(sitting) == f"<Sitting heraldry, 2 players, 0 moves, seat {sitting.seat} decides>"
    assert repr(sitting.state).startswith("<Heraldry state, 2 players, 0 moves, seat ")
    assert repr(sitting.view(1)) == "<HeraldryView of seat 1, 2 players, 0 moves>"
