"""Thousands of sittings of one game stepped together in the compiled core, NumPy arrays in and out."""

from __future__ import annotations

from typing import Any, NamedTuple

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"This needs {error.name}: pip install 'parlour[vector]'.", name=error.name) from None

from ..engine.batch import Batch
from ..games import game as game_of
from .numbers import whole
from .observation import Fields
from .rewards import SCORE, WIN, check_reward


class Frame(NamedTuple):
    """All sittings at one moment: arrays to be read, which the next step fills again, so that `copy` what you keep."""

    observations: NDArray[np.uint8]
    """(sittings, width): what the seat that decides sees, as `VectorEnv.fields` names it."""
    masks: NDArray[np.bool_]
    """(sittings, steps): which steps are legal for it."""
    seats: NDArray[np.int8]
    """(sittings,): that seat."""
    rewards: NDArray[np.float32]
    """(sittings, players): where a sitting has just ended, what each seat won or lost by it; else nought."""
    ended: NDArray[np.bool_]
    """(sittings,): whether one has just ended; its place already holds the first decision of the next."""

    def copy(self) -> Frame:
        """The same in arrays of one's own."""
        own = self.observations.copy(), self.masks.copy(), self.seats.copy(), self.rewards.copy(), self.ended.copy()
        return Frame(*own)


class VectorEnv:
    """Many sittings of a game, each begun anew as soon as it is over: `VectorEnv("lost-heir", sittings=4096)`.

    Rewards come at the end of a sitting: `score`, a seat's score less the mean of all, or `win`, its share of the win
    less its fair share; either way they add up to nothing. From a `reset` with a seed on, place `at` plays the sittings
    at, at + N, at + 2 N … that `parlour simulate` plays with the same seed.
    """

    def __init__(
        self,
        game: str,
        sittings: int = 1024,
        players: int | None = None,
        reward: str = SCORE,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.sittings = sittings = whole(sittings, "The number of sittings", 1)
        self.game = game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.options = self.game.options_for(self.players, options)
        self.reward = check_reward(reward)
        self.steps = self.game.steps
        self.fields = Fields(self.game, self.players, self.options)
        states = [self.game.state_type(self.players, self.options) for _ in range(sittings)]
        sight = self.game.view_type(self.players, 0, self.options)
        self._batch = Batch(states, sight, self.steps, self.reward == WIN)
        observations = np.zeros((sittings, self.fields.width), np.uint8)
        masks = np.zeros((sittings, self.steps), np.uint8)
        seats = np.zeros(sittings, np.int8)
        rewards = np.zeros((sittings, self.players), np.float32)
        ended = np.zeros(sittings, np.uint8)
        filled = (observations, masks, seats, rewards, ended)
        self._batch.bind(*(array.reshape(-1).data for array in filled))
        shown = (observations.view(), masks.view(np.bool_), seats.view(), rewards.view(), ended.view(np.bool_))
        for array in shown:
            array.flags.writeable = False  # a step fills only what has changed: what others wrote would stay
        self.frame = Frame(*shown)
        self._taken = np.zeros(sittings, np.intc)
        self._sampled = np.zeros(sittings, np.intc)
        self.reset(whole(seed, "A seed"))

    def reset(self, seed: int | None = None) -> Frame:
        """Begin a sitting at every place: the first of a seed, or without one the next of the seed before."""
        self._batch.reset(None if seed is None else whole(seed, "A seed"))
        return self.frame

    def step(self, actions: NDArray[Any]) -> Frame:
        """Take one step in every sitting; where one is not legal Refusal says which and why, and nothing has changed.

        The frame is the same each time, its arrays filled in place.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.sittings,):
            raise ValueError(
                f"{self.sittings} steps are needed in one row, one for each sitting, not the shape {actions.shape}."
            )
        if actions.dtype.kind not in "iu":
            raise ValueError(f"Steps are whole numbers, not {actions.dtype}.")
        np.copyto(self._taken, actions, casting="unsafe")
        if actions.dtype != self._taken.dtype and not np.array_equal(self._taken, actions):
            wrong = int(np.flatnonzero(self._taken != actions)[0])
            raise ValueError(f"Sitting {wrong}: there is no step {actions[wrong]}.")
        self._batch.step(self._taken.data)
        return self.frame

    def sample(self) -> NDArray[np.intc]:
        """Any legal step for every sitting, each as likely as the next; the array is filled in place each time."""
        self._batch.sample(self._sampled.data)
        return self._sampled

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game.name}, {self.players} players, {self.sittings} sittings>"
