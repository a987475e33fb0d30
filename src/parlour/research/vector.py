"""A vectorised environment: thousands of sittings stepped together in compiled code, NumPy arrays in and out."""

from __future__ import annotations

from typing import Any, NamedTuple

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[vector]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from ..engine.batch import Batch
from ..games import game as game_of
from .arguments import integer
from .observation import ObservationLayout
from .rewards import SCORE, WIN, check_reward

__all__ = ["Frame", "VectorEnv"]


class Frame(NamedTuple):
    """All sittings at one moment, in read-only arrays that the next step fills again: use `copy` to keep one."""

    observations: NDArray[np.uint8]
    """(sittings, width): the observation of the deciding seat, laid out as in `VectorEnv.fields`."""
    masks: NDArray[np.bool_]
    """(sittings, steps): which steps are legal for it."""
    seats: NDArray[np.int8]
    """(sittings,): that seat."""
    rewards: NDArray[np.float32]
    """(sittings, players): the reward of each seat where a sitting has just ended, otherwise 0."""
    ended: NDArray[np.bool_]
    """(sittings,): whether a sitting has just ended; its place already holds the first decision of the next."""

    def copy(self) -> Frame:
        """The same in arrays of its own."""
        own = self.observations.copy(), self.masks.copy(), self.seats.copy(), self.rewards.copy(), self.ended.copy()
        return Frame(*own)


class VectorEnv:
    """Many sittings of a game; a finished one is replaced by the next at once: `VectorEnv("lost-heir", sittings=4096)`.

    >>> env = VectorEnv("lost-heir", sittings=8, seed=1)
    >>> env.step(env.sample()).observations.shape
    (8, 338)

    Rewards come at the end of a sitting: `score`, a seat's score less the mean of all, or `win`, its share of the win
    less an equal share; both are zero-sum. After a `reset` with a seed, place `at` plays the sittings at, at + N,
    at + 2 N … of those that `parlour simulate` plays with the same seed.
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
        self.sittings = sittings = integer(sittings, "The number of sittings", 1)
        self.game = game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.options = self.game.options_for(self.players, options)
        self.reward = check_reward(reward)
        self.steps = self.game.steps
        self.fields = ObservationLayout(self.game, self.players, self.options)
        states = [self.game.state_type(self.players, self.options) for _ in range(sittings)]
        view = self.game.view_type(self.players, 0, self.options)
        self._batch = Batch(states, view, self.steps, self.reward == WIN)
        observations = np.zeros((sittings, self.fields.width), np.uint8)
        masks = np.zeros((sittings, self.steps), np.uint8)
        seats = np.zeros(sittings, np.int8)
        rewards = np.zeros((sittings, self.players), np.float32)
        ended = np.zeros(sittings, np.uint8)
        filled = (observations, masks, seats, rewards, ended)
        self._batch.bind(*(array.reshape(-1).data for array in filled))
        shown = (observations.view(), masks.view(np.bool_), seats.view(), rewards.view(), ended.view(np.bool_))
        for array in shown:
            array.flags.writeable = False  # a step rewrites only what has changed, so foreign values would stay
        self.frame = Frame(*shown)
        self._taken = np.zeros(sittings, np.intc)
        self._sampled = np.zeros(sittings, np.intc)
        self.reset(integer(seed, "A seed"))

    def reset(self, seed: int | None = None) -> Frame:
        """Begin a sitting at every place: the first of a seed, or without one the next of the previous seed."""
        self._batch.reset(None if seed is None else integer(seed, "A seed"))
        return self.frame

    def step(self, actions: NDArray[Any]) -> Frame:
        """Take one step in every sitting. An illegal one raises Refusal, which says where and why, and nothing changes.

        The frame is the same object each time, with its arrays filled in place.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.sittings,):
            raise ValueError(
                f"Steps must be an array of shape ({self.sittings},), one for each sitting, not {actions.shape}."
            )
        if actions.dtype.kind not in "iu":
            raise ValueError(f"Steps must be whole numbers, not {actions.dtype}.")
        np.copyto(self._taken, actions, casting="unsafe")
        if actions.dtype != self._taken.dtype and not np.array_equal(self._taken, actions):
            wrong = int(np.flatnonzero(self._taken != actions)[0])
            raise ValueError(f"Sitting {wrong}: there is no step {actions[wrong]}.")
        self._batch.step(self._taken.data)
        return self.frame

    def sample(self) -> NDArray[np.intc]:
        """A random legal step for every sitting, all equally likely; the array is filled in place each time."""
        self._batch.sample(self._sampled.data)
        return self._sampled

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game.name}, {self.players} players, {self.sittings} sittings>"
