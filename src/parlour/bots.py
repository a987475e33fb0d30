"""Players: each is given a view and the legal steps, never a state."""

from __future__ import annotations

from collections.abc import Sequence

from . import bits
from .core import Seeded, State, View


class Bot:
    """A player. `looks` says whether it wants to see the view at all."""

    name = ""
    looks = True

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        """One of the legal steps (ascending, never none)."""
        raise NotImplementedError


class First(Bot):
    """Takes the first legal step."""

    name = "first"
    looks = False

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        return steps[0]


class Random(Bot):
    """Takes any legal step, each as likely as the next."""

    name = "random"
    looks = False

    def __init__(self, luck: Seeded) -> None:
        self.luck = luck

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        return steps[self.luck.number_below(len(steps))]


BOTS = ("random", "first")


def wander(state: State, chance: Seeded, luck: Seeded) -> None:
    """Play on to the end, every seat taking any legal step: what `Random` does at every seat, without leaving C."""
    while not state.over:
        if state.awaits >= 0:
            chance.draw(state)
            state.awaits = -1
            state.receive()
        else:
            steps = state.choices()
            state.apply(state.base + bits.nth(steps, luck.below(bits.count(steps))))


def play_out(state: State, chance: Seeded, luck: Seeded) -> None:
    """Begin a sitting and play it to its end at random, keeping nothing but the state."""
    state.begin(None)
    wander(state, chance, luck)


def play_many(state: State, seed: int, sittings: int) -> int:
    """Play many sittings at random; how many decisions were made in all. For measuring speed."""
    chance = Seeded()
    luck = Seeded()
    decisions = 0
    for number in range(sittings):
        chance.restart(seed, 2 * number)
        luck.restart(seed, 2 * number + 1)
        play_out(state, chance, luck)
        decisions += state.moves
    return decisions
