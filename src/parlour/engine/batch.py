"""Many sittings of one game stepped together, in arrays of the caller; the next follows one that is over."""

from __future__ import annotations

from array import array
from typing import Any

from . import bitset, encode
from .bitset import WORD
from .core import Seeded, State
from .errors import Refusal
from .view import View

__all__ = ["Batch"]


class Batch:
    """Some states, the chance of each, and one view that looks at them in turn for the seats that are to decide.

    Each call fills, sitting by sitting: the observation of the seat that decides, a mask of its legal steps, that seat,
    the reward of every seat if a sitting has ended, and whether it has.
    """

    def __init__(self, states: list[State], sight: View, steps: int, wins: bool) -> None:
        self.states = states  # by place: the sitting there
        self.sight = sight  # the view that looks at each of them
        self.count = len(states)  # how many places there are
        self.players = sight.players  # of each sitting
        self.steps = steps  # how many steps the game has
        self.wins = wins  # whether rewards are for winning, not for the score
        self.width = sum(rows * size for _, rows, size in sight.layout())  # of an observation
        self.chances = [Seeded() for _ in states]  # by place: its source of chance
        self.luck = Seeded()  # for random steps
        self.seed = 0  # of all sittings
        self.allowed = array("Q", bytes(8 * self.count))  # by place: the legal steps, as a set
        self.bases = array("i", bytes(4 * self.count))  # by place: the step that the first bit of that set stands for
        self.numbers = array("Q", bytes(8 * self.count))  # by place: the number of the next sitting
        self.rewarded = array("B", bytes(self.count))  # by place: whether its rewards are other than 0

    def bind(self, observations: Any, masks: Any, seats: Any, rewards: Any, ended: Any) -> None:
        """Set the arrays that are filled from now on, each flat."""
        sizes = (self.width, self.steps, 1, self.players, 1)
        for room, size in zip((observations, masks, seats, rewards, ended), sizes, strict=True):
            if len(room) != self.count * size:
                raise ValueError(f"An array of {self.count * size} numbers is needed, not one of {len(room)}.")
        self.held = [memoryview(observations), memoryview(masks)]  # so that they stay where they are
        self.observations = encode.buffer(self.held[0])  # by place: what the seat that decides sees
        self.masks = encode.buffer(self.held[1])  # by place and step: whether it is legal
        self.seats = seats  # by place: the seat that decides
        self.rewards = rewards  # by place and seat: the reward, if a sitting has just ended
        self.ended = ended  # by place: whether a sitting has just ended

    def reset(self, seed: int | None) -> None:
        """Begin all sittings: those that `simulate` plays under the numbers of the places, or the next of each."""
        if seed is not None:
            self.seed = seed & WORD
            self.luck._reseed(self.seed, 1)
            for at in range(self.count):
                self.numbers[at] = at
        for at in range(self.count * self.steps):
            self.masks[at] = 0
        for at in range(self.count * self.players):
            self.rewards[at] = 0
        for at in range(self.count):
            self.ended[at] = 0
            self.rewarded[at] = 0
            self.allowed[at] = 0
            self.bases[at] = 0
            self._begin(at, self.states[at], self.chances[at])
            self._show(at, self.states[at])
        self.sight._attach(None)

    def _begin(self, at: int, state: State, chance: Seeded) -> None:
        """The next sitting at a place."""
        chance._reseed(self.seed, 2 * self.numbers[at])
        self.numbers[at] += self.count
        state._clear()
        state._start()
        chance._serve_all(state)

    def step(self, actions: Any) -> None:
        """Take one step in every sitting; if any is illegal nothing is done, and the refusal says why."""
        if len(actions) != self.count:
            raise ValueError(f"{self.count} steps are needed, one for each sitting, not {len(actions)}.")
        self.actions = actions  # by place: the step to take
        wrong = self._unlawful()
        if wrong < 0:
            self._run()
            self.sight._attach(None)
        else:
            try:
                self.states[wrong].copy().play(actions[wrong])
            except Refusal as refusal:
                raise Refusal(f"Sitting {wrong}: {refusal.sentence}", refusal.clause) from None

    def _unlawful(self) -> int:
        """The first sitting whose step is illegal; −1 if all are legal."""
        for at in range(self.count):
            step = self.actions[at] - self.bases[at]
            if step < 0 or step > 63 or not (self.allowed[at] >> step) & 1:
                return at
        return -1

    def _run(self) -> None:
        for at in range(self.count):
            state = self.states[at]
            chance = self.chances[at]
            self.ended[at] = 0
            if self.rewarded[at]:
                self.rewarded[at] = 0
                for seat in range(self.players):
                    self.rewards[at * self.players + seat] = 0
            state._apply(self.actions[at])
            if state.awaits >= 0:
                chance._serve_all(state)
            if state.over:
                self.ended[at] = 1
                self.rewarded[at] = 1
                self._reward(at, state)
                self._begin(at, state, chance)
            self._show(at, state)

    def _reward(self, at: int, state: State) -> None:
        """Each seat's score, or share of the win, above the average of all seats."""
        total = 0.0
        for seat in range(self.players):
            total += state._win_chance(seat) if self.wins else state._score_of(seat)
        for seat in range(self.players):
            if self.wins:
                self.rewards[at * self.players + seat] = state._win_chance(seat) / total - 1.0 / self.players
            else:
                self.rewards[at * self.players + seat] = state._score_of(seat) - total / self.players

    def _show(self, at: int, state: State) -> None:
        """Write the observation and the legal steps of the seat that decides."""
        self.sight._attach(state)
        self.sight.seat = state.seat
        self.sight._look()
        bitset.blank(self.observations, at * self.width, self.width)
        self.sight._encode(self.observations, at * self.width)
        self.seats[at] = state.seat
        row = at * self.steps
        if self.bases[at] != self.sight.base:
            bitset.blank(self.masks, row, self.steps)
        size = self.steps - self.sight.base
        bitset.spread(self.masks, row + self.sight.base, self.sight.steps, size if size < 64 else 64)
        self.allowed[at] = self.sight.steps
        self.bases[at] = self.sight.base

    def sample(self, actions: Any) -> None:
        """A random legal step for every sitting."""
        if len(actions) != self.count:
            raise ValueError(f"Room for {self.count} steps is needed, one for each sitting, not for {len(actions)}.")
        self.actions = actions
        for at in range(self.count):
            self.actions[at] = self.bases[at] + bitset.nth(
                self.allowed[at], self.luck._below(bitset.count(self.allowed[at]))
            )
