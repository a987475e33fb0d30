"""A vectorised environment: thousands of sittings stepped together in compiled code, NumPy arrays in and out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[vector]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from ..engine.batch import BOTS, POLICY, Batch
from ..games import game as game_of
from .arguments import integer
from .observation import HiddenLayout, ObservationLayout, marginals_of
from .rewards import SCORE, WIN, check_reward

__all__ = ["Chooser", "Frame", "VectorEnv"]

Observations = NDArray[np.uint8]
Masks = NDArray[np.bool_]

Chooser = Callable[[Observations, Masks], NDArray[Any]]
"""What can play a seat: given the observations and legal steps of some sittings, it returns a step for each."""

LEARNER = 0  # the role of a seat that is not played by a bot
EPISODES = SITTING, DEAL = "sitting", "deal"


class Frame(NamedTuple):
    """All sittings at one moment, in read-only arrays that the next step fills again: use `copy` to keep one."""

    observations: NDArray[np.uint8]
    """(sittings, width): the observation of the deciding seat, laid out as in `VectorEnv.fields`."""
    masks: NDArray[np.bool_]
    """(sittings, steps): which steps are legal for it."""
    seats: NDArray[np.int8]
    """(sittings,): that seat."""
    rewards: NDArray[np.float32]
    """(sittings, players): the reward of each seat where an episode has just ended, otherwise 0."""
    ended: NDArray[np.bool_]
    """(sittings,): whether an episode has just ended; its place already holds the first decision of the next."""

    def copy(self) -> Frame:
        """The same in arrays of its own, which can be written to."""
        own = self.observations.copy(), self.masks.copy(), self.seats.copy(), self.rewards.copy(), self.ended.copy()
        return Frame(*own)


class VectorEnv:
    """Many sittings of a game; a finished one is replaced by the next at once: `VectorEnv("lost-heir", sittings=4096)`.

    >>> env = VectorEnv("lost-heir", sittings=8, seed=1)
    >>> env.step(env.sample()).observations.shape
    (8, 338)

    Rewards come at the end of an episode: `score`, a seat's score less the mean of all, or `win`, its share of the win
    less an equal share; both are zero-sum. After a `reset` with a seed, place `at` plays the sittings at, at + N,
    at + 2 N … of those that `parlour simulate` plays with the same seed.

    episode      what ends with a reward: a whole `sitting`, or each `deal` of it; the rewards of a sitting's deals add
                 up to that of the sitting
    mine         the seat that learns: a number, `"rotate"` (place `at` has seat `at` modulo the players), or an array
                 of a seat for each place; the others are played by `against`. By default all seats learn.
    against      `thumb` (the game's heuristic), `random`, or a policy: a function from observations and masks to steps
    seats        instead of the two: who plays which seat, `{1: "thumb", 3: policy}`; the seats not named learn
    skip_forced  take a step that is the only legal one without asking
    finals       keep what the learning seat, one in each place, sees at the end of an episode: in `final_observations`
    memory       add what the seat remembers to its observation, in the last of `fields`
    beliefs      and after that how likely each other seat holds each hidden card, from so many sampled worlds
    hidden       show what the seat does not see in `hidden`, an array for the critic of a learner
    """

    def __init__(
        self,
        game: str,
        sittings: int = 1024,
        players: int | None = None,
        reward: str = SCORE,
        seed: int = 0,
        *,
        episode: str = SITTING,
        mine: int | str | NDArray[Any] | None = None,
        against: str | Chooser = "thumb",
        seats: Mapping[int, str | Chooser] | None = None,
        skip_forced: bool = False,
        finals: bool = False,
        memory: bool = False,
        beliefs: int = 0,
        hidden: bool = False,
        **options: Any,
    ) -> None:
        self.sittings = sittings = integer(sittings, "The number of sittings", 1)
        self.game = game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.options = self.game.options_for(self.players, options)
        self.reward = check_reward(reward)
        if episode not in EPISODES:
            raise ValueError(f"An episode must be a 'sitting' or a 'deal', not {episode!r:.40}.")
        self.episode = episode
        self.steps = self.game.steps
        if skip_forced and self.steps == 1:
            raise ValueError(f"Every step of {self.game.title} is forced, so none can be skipped.")
        marginals = marginals_of(self.game, self.players, self.options, beliefs)
        memory = bool(memory or marginals)
        self.fields = ObservationLayout(self.game, self.players, self.options, memory, marginals)
        self._policies: list[Chooser] = []
        roles = self._roles(mine, against, seats)
        self.learns = roles == LEARNER
        """(sittings, players): which seats of each place are the caller's."""
        self.learns.flags.writeable = False
        states = [self.game.state_type(self.players, self.options) for _ in range(sittings)]
        view = self.game.view_type(self.players, 0, self.options)
        self._batch = Batch(states, view, self.steps, self.reward == WIN)
        if memory:
            if not view.memory_layout():
                raise ValueError(f"There is nothing to remember in {self.game.title}.")
            self._batch.remember(marginals)
        self._batch.arrange(roles.tobytes(), episode == DEAL, bool(skip_forced))
        observations = np.zeros((sittings, self.fields.width), np.uint8)
        masks = np.zeros((sittings, self.steps), np.uint8)
        seated = np.zeros(sittings, np.int8)
        rewards = np.zeros((sittings, self.players), np.float32)
        ended = np.zeros(sittings, np.uint8)
        filled = (observations, masks, seated, rewards, ended)
        self._batch.bind(*(array.reshape(-1).data for array in filled))
        shown = (observations.view(), masks.view(np.bool_), seated.view(), rewards.view(), ended.view(np.bool_))
        for array in shown:
            array.flags.writeable = False  # a step rewrites only what has changed, so foreign values would stay
        self.frame = Frame(*shown)
        self.final_observations: Observations | None = None
        """(sittings, width): with `finals`, what the learning seat saw at the end of its last episode."""
        if finals:
            if (self.learns.sum(axis=1) != 1).any():
                raise ValueError("Final observations are for environments in which one seat of each place learns.")
            kept = np.zeros((sittings, self.fields.width), np.uint8)
            self._batch.bind_finals(kept.reshape(-1).data, self.learns.argmax(axis=1).astype(np.int8).data)
            self.final_observations = kept.view()
            self.final_observations.flags.writeable = False
        self.hidden_fields = HiddenLayout(self.game, self.players, self.options)
        self.hidden: Observations | None = None
        """(sittings, width): with `hidden`, what the seat that decides does not see, as in `hidden_fields`."""
        if hidden:
            if not self.hidden_fields.width:
                raise ValueError(f"Nothing is hidden in {self.game.title}.")
            veiled = np.zeros((sittings, self.hidden_fields.width), np.uint8)
            self._batch.bind_hidden(veiled.reshape(-1).data, self.hidden_fields.private)
            self.hidden = veiled.view()
            self.hidden.flags.writeable = False
        numbers, finished, waiting = self._batch.shared
        self.numbers = read_only(numbers, np.uint64)
        """(sittings,): the number of the sitting that each place plays now."""
        self.finished = read_only(finished, np.int32)
        """(sittings,): how many episodes have just ended; more than one where bots played one among themselves."""
        self._waiting = read_only(waiting, np.uint8)
        self._taken = np.zeros(sittings, np.intc)
        self._sampled = np.zeros(sittings, np.intc)
        self._suggested = np.zeros(sittings, np.intc)
        self._broken = False  # whether a policy failed while it was asked
        self.reset(integer(seed, "A seed"))

    def _roles(
        self, mine: int | str | NDArray[Any] | None, against: str | Chooser, seats: Mapping[int, str | Chooser] | None
    ) -> NDArray[np.uint8]:
        """Who plays each seat of each place."""
        roles = np.full((self.sittings, self.players), LEARNER, np.uint8)
        if mine is not None and seats is not None:
            raise ValueError("Give the seat that learns (mine), or who plays which seat (seats), not both.")
        if seats is not None:
            for given, player in seats.items():
                seat = integer(given, "A seat", 0)
                if seat >= self.players:
                    raise ValueError(f"There are seats 0 to {self.players - 1}, not {seat}.")
                roles[:, seat] = self._role(player)
            if len(seats) == self.players:
                raise ValueError("At least one seat must be left to learn.")
        elif mine is not None:
            roles[:] = self._role(against)
            roles[np.arange(self.sittings), self._mine(mine)] = LEARNER
        return roles

    def _role(self, player: str | Chooser) -> int:
        if callable(player):
            if player not in self._policies:
                self._policies.append(player)
            number = POLICY + self._policies.index(player)
            if number > 255:
                raise ValueError(f"At most {256 - POLICY} policies can play in one environment.")
            return number
        if player not in BOTS:
            raise ValueError(f"A seat is played by 'thumb', 'random' or a function, not by {player!r:.40}.")
        return BOTS[player]

    def _mine(self, mine: int | str | NDArray[Any]) -> NDArray[np.intp]:
        """The learning seat of each place."""
        if isinstance(mine, str):
            if mine != "rotate":
                raise ValueError(f"The learning seat must be a number, an array or 'rotate', not {mine!r:.40}.")
            return np.arange(self.sittings) % self.players
        chosen = np.asarray(mine)
        if chosen.dtype.kind not in "iu" or chosen.shape not in ((), (self.sittings,)):
            raise ValueError(f"The learning seats must be one whole number, or {self.sittings} of them.")
        if chosen.min() < 0 or chosen.max() >= self.players:
            raise ValueError(f"A learning seat must be from 0 to {self.players - 1}.")
        return np.broadcast_to(chosen, self.sittings).astype(np.intp)

    def reset(self, seed: int | None = None, numbers: NDArray[Any] | None = None) -> Frame:
        """Begin a sitting at every place: the first of a seed, or without one the next of the previous seed.

        `numbers` says which sitting each place begins with: the same number is the same luck, so that places can be
        compared in pairs. A place goes on with its number plus as many as there are from the lowest to the highest.
        """
        given = None
        if numbers is not None:
            chosen = np.asarray(numbers)
            if chosen.dtype.kind not in "iu" or chosen.shape != (self.sittings,):
                raise ValueError(f"The numbers of sittings must be {self.sittings} whole numbers.")
            given = chosen.tolist()
            if min(given) < 0 or max(given) >= 1 << 62:
                raise ValueError("The number of a sitting must be from 0 to below 2^62.")
        self._broken = False
        self._batch.reset(None if seed is None else integer(seed, "A seed"), given)
        self._ask_policies()
        return self.frame

    def step(self, actions: NDArray[Any]) -> Frame:
        """Take one step in every sitting. An illegal one raises Refusal, which says where and why, and nothing changes.

        The frame is the same object each time, with its arrays filled in place.
        """
        if self._broken:
            raise RuntimeError("A policy has failed in the last step; call reset() to begin again.")
        self._fill(self._taken, actions, "Steps", "step")
        self._batch.step(self._taken.data)
        if self._policies:
            self._ask_policies()
        return self.frame

    def _fill(self, room: NDArray[np.intc], given: Any, many: str, one: str) -> None:
        """Check a number for each sitting, and put them into an array."""
        given = np.asarray(given)
        if given.shape != (self.sittings,):
            raise ValueError(
                f"{many} must be an array of shape ({self.sittings},), one for each sitting, not {given.shape}."
            )
        if given.dtype.kind not in "iu":
            raise ValueError(f"{many} must be whole numbers, not {given.dtype}.")
        np.copyto(room, given, casting="unsafe")
        if given.dtype != room.dtype and not np.array_equal(room, given):
            wrong = int(np.flatnonzero(room != given)[0])
            raise ValueError(f"Sitting {wrong}: there is no {one} {given[wrong]}.")

    def _ask_policies(self) -> None:
        """Let the policies decide for their seats, until every place waits for a learner."""
        self._broken = True  # unless it comes to its end
        while self._policies and self._waiting.max() >= POLICY:
            for role, policy in enumerate(self._policies, POLICY):
                places = np.flatnonzero(self._waiting == role)
                if places.size:
                    steps = np.asarray(policy(self.frame.observations[places], self.frame.masks[places]))
                    if steps.shape != places.shape or steps.dtype.kind not in "iu":
                        raise ValueError(f"A policy must return {places.size} whole numbers, one for each observation.")
                    self._batch.step_some(places.tolist(), steps.tolist())
        self._broken = False

    def heuristic(self) -> NDArray[np.intc]:
        """The step that the game's heuristic chooses in every sitting; the array is filled in place each time."""
        self._batch.suggest(self._suggested.data)
        return self._suggested

    def fork(self, sources: Any, targets: Any) -> Frame:
        """Copy the sittings of some places to others, with their luck to come: what is done in one changes no other."""
        ends = []
        for given in (sources, targets):
            places = np.atleast_1d(np.asarray(given))
            if places.ndim != 1 or places.dtype.kind not in "iu":
                raise ValueError("Places to fork must be whole numbers.")
            if places.size and not 0 <= places.min() <= places.max() < self.sittings:
                raise ValueError(f"A place to fork must be from 0 to {self.sittings - 1}.")
            ends.append(places)
        if len(ends[0]) == 1:
            ends[0] = np.repeat(ends[0], len(ends[1]))
        if len(ends[0]) != len(ends[1]):
            raise ValueError(f"{len(ends[0])} places cannot be copied to {len(ends[1])}.")
        if len(np.unique(ends[1])) != len(ends[1]) or np.isin(ends[1], ends[0]).any():
            raise ValueError("A place can be copied to only once, and not be copied from as well.")
        self._batch.fork(ends[0].tolist(), ends[1].tolist())
        return self.frame

    def action_values(self, rollouts: int = 1) -> NDArray[np.float32]:
        """What every legal step is worth, for training only: (sittings, steps), NaN where a step is illegal.

        It is the reward that the seat that decides would have at the end of the episode, if it took the step and all
        seats then went on by the heuristic. This plays on from the true state, with all hidden cards: an unbiased draw
        of what the seat can expect, but nothing that a player may know. The first rollout has the luck that is to come
        at the place; each further one reorders the cards that nobody has seen, and has other luck.
        """
        values = np.empty((self.sittings, self.steps), np.float32)
        self._batch.value_steps(values.reshape(-1).data, integer(rollouts, "The number of rollouts", 1))
        return values

    def sample(self) -> NDArray[np.intc]:
        """A random legal step for every sitting, all equally likely; the array is filled in place each time."""
        self._batch.sample(self._sampled.data)
        return self._sampled

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game.name}, {self.players} players, {self.sittings} sittings>"


def read_only(numbers: Any, kind: type) -> NDArray[Any]:
    """An array that shows numbers which others change."""
    array: NDArray[Any] = np.frombuffer(numbers, kind)
    array.flags.writeable = False
    return array
