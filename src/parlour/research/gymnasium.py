"""Gymnasium environments: one seat against bots, one sitting at a time or many together."""

from __future__ import annotations

import secrets
from typing import Any

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[gymnasium]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from ..engine.errors import Refusal
from ..engine.game import Game
from ..games import REGISTRY, load_entry_points
from ..games.profile import profile_of
from .arguments import integer
from .vector import SITTING, Chooser, Observations, VectorEnv

__all__ = ["SeatEnv", "SeatVectorEnv", "id_of", "register_all"]

TELL, RAISE = "tell", "raise"

Result = tuple[Observations, float, bool, bool, dict[str, Any]]
Results = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SeatEnv(gymnasium.Env[Observations, np.int64]):
    """One seat of one sitting, against bots: `gymnasium.make("parlour/LostHeir-v2", seat=0, against="thumb")`.

    An observation is what the seat sees when it is to decide, and at the end of the episode. The legal steps are in
    `info["action_mask"]`, and as `action_masks()` gives them. An illegal step changes nothing: the observation and a
    reward of 0 come again, with the reason in `info["refusal"]`; with `illegal="raise"` it raises Refusal.

    seat         the seat that learns; the first dealer is found by chance
    against      `thumb`, `random`, or a policy that plays the other seats
    episode      a whole `sitting`, or each `deal` of it; `reset` goes on with the next deal where one is over
    skip_forced  take a step that is the only legal one without asking
    memory       add what the seat remembers to its observation
    beliefs      and how likely each other seat holds each hidden card, from so many sampled worlds
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seat: int = 0,
        against: str | Chooser = "thumb",
        episode: str = SITTING,
        reward: str = "score",
        skip_forced: bool = False,
        memory: bool = False,
        beliefs: int = 0,
        illegal: str = TELL,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError("This environment renders nothing; `parlour.research.pettingzoo` describes sittings.")
        if illegal not in (TELL, RAISE):
            raise ValueError(f"What an illegal step does must be 'tell' or 'raise', not {illegal!r:.40}.")
        self.illegal = illegal
        self.render_mode = None
        self._inner = VectorEnv(
            game,
            1,
            players,
            reward,
            secrets.randbits(62),
            episode=episode,
            mine=integer(seat, "A seat", 0),
            against=against,
            skip_forced=skip_forced,
            memory=memory,
            beliefs=beliefs,
            finals=True,
            **options,
        )
        self.game, self.players, self.fields = self._inner.game, self._inner.players, self._inner.fields
        self.observation_space = spaces.Box(0, 255, (self.fields.width,), np.uint8)
        self.action_space = spaces.Discrete(self.game.steps)
        self._seat = int(self._inner.learns[0].argmax())
        self._fresh = True  # whether the environment stands at the beginning of an episode that nobody has reset to
        self._over = True  # whether the episode is over

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode: that of the first sitting of a seed, or without one the next.

        `options={"number": 5}` begins with the sitting of that number.
        """
        super().reset(seed=seed)
        number = (options or {}).get("number")
        if number is not None:
            self._inner.reset(seed, np.array([integer(number, "The number of a sitting", 0)]))
        elif seed is not None or not self._fresh:
            self._inner.reset(seed)
        self._fresh = self._over = False
        return self._inner.frame.observations[0].copy(), self._info()

    def step(self, action: Any) -> Result:
        """Take a step, and let the others play until it is this seat's turn again or the episode is over."""
        if self._over:
            raise gymnasium.error.ResetNeeded("No episode is in progress; call reset() to begin one.")
        step = np.array([integer(action, "A step")])
        try:
            frame = self._inner.step(step)
        except Refusal as refusal:
            if self.illegal == RAISE:
                raise Refusal(refusal.sentence.removeprefix("Sitting 0: "), refusal.clause) from None
            told = str(refusal).removeprefix("Sitting 0: ")
            return self._inner.frame.observations[0].copy(), 0.0, False, False, self._info() | {"refusal": told}
        self._over = self._fresh = bool(frame.ended[0])
        seen = self._inner.final_observations if self._over else frame.observations
        assert seen is not None
        return seen[0].copy(), float(frame.rewards[0, self._seat]), self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which steps are legal, as MaskablePPO of sb3-contrib asks for it; none once the episode is over."""
        return np.zeros(self.game.steps, np.bool_) if self._over else self._inner.frame.masks[0].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "number": int(self._inner.numbers[0])}


class SeatVectorEnv(GymnasiumVectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """One seat of each of many sittings, against bots, in Gymnasium's vector interface: `make_vec(…, num_envs=256)`.

    `seat` may also be an array of a seat for each place, or `"rotate"`. A place whose episode ends begins the next in
    the same step (`AutoresetMode.SAME_STEP`): the last observation of the old one is in `infos["final_obs"]`, where
    `infos["_final_obs"]` is true. The legal steps are in `infos["action_mask"]`; an illegal one raises Refusal, and
    nothing changes.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        *,
        seat: int | str | NDArray[Any] = 0,
        against: str | Chooser = "thumb",
        episode: str = SITTING,
        reward: str = "score",
        skip_forced: bool = False,
        memory: bool = False,
        beliefs: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError("This environment renders nothing; `parlour.research.pettingzoo` describes sittings.")
        self.inner = VectorEnv(
            game,
            num_envs,
            players,
            reward,
            secrets.randbits(62),
            episode=episode,
            mine=seat,
            against=against,
            skip_forced=skip_forced,
            memory=memory,
            beliefs=beliefs,
            finals=True,
            **options,
        )
        self.num_envs = self.inner.sittings
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = spaces.Box(0, 255, (self.inner.fields.width,), np.uint8)
        self.single_action_space = spaces.Discrete(self.inner.steps)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)
        self._places = np.arange(self.num_envs)
        self._seats = self.inner.learns.argmax(axis=1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode at every place; `options={"numbers": array}` says with which sittings."""
        super().reset(seed=seed)
        frame = self.inner.reset(seed, (options or {}).get("numbers"))
        return frame.observations.copy(), self._infos()

    def step(self, actions: NDArray[Any]) -> Results:
        """Take one step in every sitting."""
        frame = self.inner.step(actions)
        infos = self._infos()
        if frame.ended.any():
            assert self.inner.final_observations is not None
            infos["final_obs"], infos["_final_obs"] = self.inner.final_observations.copy(), frame.ended.copy()
        rewards = frame.rewards[self._places, self._seats].astype(np.float64)
        return frame.observations.copy(), rewards, frame.ended.copy(), np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """(num_envs, steps): which steps are legal."""
        return self.inner.frame.masks.copy()

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        masks, numbers = self.inner.frame.masks.astype(np.int8), self.inner.numbers.astype(np.int64)
        return {"action_mask": masks, "_action_mask": every, "number": numbers, "_number": every.copy()}


def id_of(game: Game) -> str:
    """The name of a game's environment in Gymnasium, with its version: `parlour/LostHeir-v2`."""
    return f"parlour/{game.name.title().replace('-', '')}-v{profile_of(game).version}"


def register_all() -> None:
    """Register every game with Gymnasium; games that are added later need another call."""
    for game in REGISTRY.values():
        if id_of(game) not in gymnasium.registry:
            gymnasium.register(
                id_of(game),
                f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": game.name},
            )


load_entry_points()
register_all()
