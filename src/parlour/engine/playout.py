"""Playing sittings out, at random or by the heuristic, without leaving C."""

from __future__ import annotations

from .bitset import WORD
from .core import Seeded, State, play_randomly
from .view import View


def play_out(state: State, chance: Seeded, luck: Seeded) -> None:
    """Begin a sitting and play it to its end at random, keeping nothing but the state."""
    if state is None or chance is None or luck is None or not state.players:
        raise TypeError("This needs a state of a game and two streams of luck.")
    _check_silent(state)
    state._clear()
    state._start()
    play_randomly(state, chance, luck)


def play_by_heuristic(state: State, view: View, chance: Seeded, luck: Seeded) -> None:
    """Begin a sitting and play it to its end, every seat by the heuristic; `view` is any view of the game."""
    if state is None or view is None or chance is None or luck is None or not state.players:
        raise TypeError("This needs a state of a game, a view of it and two streams of luck.")
    _check_silent(state)
    if view.players != state.players:
        raise TypeError("A view looks at a state of its own game with as many players.")
    seat = view.seat
    view._attach(state)
    state._clear()
    state._start()
    _go_by_heuristic(state, view, chance, luck)
    view.seat = seat
    view._glance()
    view._attach(None)


def _go_by_heuristic(state: State, view: View, chance: Seeded, luck: Seeded) -> None:
    while not state.over:
        if state.awaits >= 0:
            chance._serve_all(state)
        else:
            view.seat = state.seat
            view._glance()
            state._apply(view._heuristic(luck))


def _check_silent(state: State) -> None:
    if state.journal is not None:
        raise ValueError("A sitting played to its end in one go keeps no journal.")


def play_many(state: State, seed: int, sittings: int) -> int:
    """Play many sittings at random; returns the number of decisions in all. For measuring speed."""
    chance = Seeded()
    luck = Seeded()
    decisions = 0
    word = seed & WORD
    for number in range(sittings):
        chance._reseed(word, 2 * number)
        luck._reseed(word, 2 * number + 1)
        play_out(state, chance, luck)
        decisions += state.moves
    return decisions
