"""Playing sittings out, at random or by the heuristic, without leaving C."""

from __future__ import annotations

from .bitset import WORD
from .core import Seeded, State, play_randomly
from .view import View

LONGEST = 10_000  # steps of a deal, in case it never ends


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


def value_step(
    state: State, step: int, world: State, view: View, seed: int, rollouts: int, horizon: int = LONGEST
) -> tuple[list[float], list[float]]:
    """What each seat gains on average until the deal is over, if a step is taken and all go on by the heuristic.

    The cards that nobody has seen are in a new order in each rollout. The same seed gives the same luck for every step.
    Returns the means of two independent halves of the rollouts, an even number; `world` and `view` are any of the game.
    """
    if state is None or world is None or view is None:
        raise TypeError("This needs a state of a game, another to play on, and a view of it.")
    _check_silent(world)
    if not state.players == world.players == view.players or step not in state.legal():
        raise ValueError("Only a legal step can be valued, with a state and a view for as many players.")
    if rollouts < 2 or rollouts % 2:
        raise ValueError(f"The rollouts must be an even number of 2 or more, not {rollouts}.")
    players = state.players
    word = seed & WORD
    chance = Seeded()
    luck = Seeded()
    before = [state._score_of(seat) for seat in range(players)]
    halves: tuple[list[float], list[float]] = ([0.0] * players, [0.0] * players)
    view._attach(world)
    for number in range(rollouts):
        world._fill(state)
        chance._reseed(word, 2 * number)
        luck._reseed(word, 2 * number + 1)
        world._shuffle_unseen(luck)
        world._apply(step)
        _end_deal(world, view, chance, luck, state.deals, horizon)
        half = halves[number % 2]
        for seat in range(players):
            half[seat] += 2.0 * (world._score_of(seat) - before[seat]) / rollouts
    view._attach(None)
    return halves


def _end_deal(state: State, view: View, chance: Seeded, luck: Seeded, deal: int, horizon: int) -> None:
    for _ in range(horizon):
        if state.awaits >= 0:
            chance._serve_all(state)
        if state.over or state.deals != deal:
            break
        view.seat = state.seat
        view._glance()
        state._apply(view._heuristic(luck))


def outlook(state: State, view: View, seat: int, seed: int, first: int, count: int) -> tuple[float, float]:
    """A seat's share of sittings won, and its mean final score, where a state is played on by the heuristic.

    It is played on `count` times, with luck numbered from `first`; `view` is any view of the game, and the state stays
    as it is. The same numbers bring the same luck to every state of a sitting (common random numbers).
    """
    if state is None or view is None or view.players != state.players or not 0 <= seat < state.players or count < 1:
        raise TypeError("This needs a state of a game, a view of it, one of its seats, and a count.")
    world = state.copy()
    sight = view.__class__(view.players, seat, view.options)
    sight._attach(world)
    chance, luck = Seeded(), Seeded()
    word = seed & WORD
    wins = 0.0
    score = 0.0
    for number in range(first, first + count):
        world._fill(state)
        chance._reseed(word, 2 * number)
        luck._reseed(word, 2 * number + 1)
        _go_by_heuristic(world, sight, chance, luck)
        wins += world._has_won(seat)
        score += world._score_of(seat)
    sight._attach(None)
    return wins / count, score / count


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
