"""PettingZoo environments: each seat in turn gets an observation from its own view, and a mask of its legal steps."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cache
from operator import index
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[pettingzoo]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from ..engine.core import Journal, Seeded
from ..engine.game import Game
from ..games import REGISTRY, load_entry_points
from ..games import game as game_of
from ..games.profile import environment_name
from ..play.sentences import Teller
from .arguments import integer
from .observation import ObservationLayout, marginals_of
from .rewards import SCORE, check_reward, rewards

__all__ = ["Environment", "ParlourEnv"]

RENDER_MODES = ("ansi", "human")


class ParlourEnv(AECEnv):  # type: ignore[misc]  # it comes without types
    """One sitting at a time; each `reset` begins a new one.

    A seat observes the encoding of its view, and a mask of its legal steps, which is empty when it is not its turn. An
    illegal step raises Refusal with its clause, and nothing changes. Rewards come at the end.

    memory   add what the seat remembers to its observation, in the last of `fields`
    beliefs  and after that how likely each other seat holds each hidden card, from so many sampled worlds
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        *,
        reward: str = SCORE,
        render_mode: str | None = None,
        memory: bool = False,
        beliefs: int = 0,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"The render mode must be 'ansi' or 'human', not {render_mode!r:.40}.")
        self.game = game
        self.players = game.sheet.usual if players is None else players
        self.options = game.options_for(self.players, options)
        self.reward = check_reward(reward)
        self.render_mode = render_mode
        self.metadata = {"name": environment_name(game), "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        self.beliefs = beliefs
        self._marginals = marginals_of(game, self.players, self.options, beliefs)
        self.memory = bool(memory or self._marginals)
        self.fields = ObservationLayout(game, self.players, self.options, self.memory, self._marginals)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._begin_views()
        self._widths = [self._views[0].width()]
        if self.memory:
            self._widths.append(sum(rows * size for _, rows, size in self._views[0].memory_layout()))
            if not self._widths[1]:
                raise ValueError(f"There is nothing to remember in {game.title}.")
        self._actions = {agent: spaces.Discrete(game.steps) for agent in self.possible_agents}
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (self.fields.width,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (game.steps,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._state = game.state_type(self.players, self.options)
        self._seed, self._number = secrets.randbits(64), 0
        self._rows: list[tuple[int, ...]] = []  # told to a spectator in an unfinished move
        if render_mode is not None or self.memory:
            self._state.journal = Journal()
        if render_mode is not None:
            self._spectator = game.view_type(self.players, -1, self.options)
            names = [f"Player {seat}" for seat in range(self.players)]
            self._teller = Teller(game, names, -1, self._state.sides)
        self._told = ""
        self._taken: list[int | None] = []  # since the last reset

    def _begin_views(self) -> None:
        """Views that were told nothing yet."""
        self._views = [self.game.view_type(self.players, seat, self.options) for seat in range(self.players)]
        if self._marginals is not None:
            for view in self._views:
                view.track_beliefs()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for every seat."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """All steps of the game, by their numbers."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new sitting: the first of a seed, or without one the next of the previous seed."""
        if seed is not None:
            self._seed, self._number = integer(seed, "A seed"), 0
        if self.memory:
            self._begin_views()
        self._state.begin(Seeded(self._seed, 2 * self._number))
        self._number += 1
        self._taken = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._advance()

    def step(self, action: Any) -> None:
        """Take a step for the deciding seat; after the end each seat takes None once."""
        if not self.agents:
            raise ValueError("No sitting is in progress; call reset() to begin one.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            self._taken.append(None)
            return
        self._state.play(action)  # an illegal step is refused here, before anything changes
        self._taken.append(index(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._state.over:
            self.rewards = dict(zip(self.agents, rewards(self._state, self.reward), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._advance()

    def _advance(self) -> None:
        """Select the seat that decides, and put what has happened into words."""
        self.agent_selection = self.possible_agents[max(0, self._state.seat)]
        journal = self._state.journal
        self._told = ""
        if journal is None:
            return
        if self.memory:
            for view in self._views:
                view.listen(journal)
        if self.render_mode is not None:
            self._rows += self._spectator.listen(journal)
        journal.clear()
        if self.render_mode is not None and not self._state.unfinished:
            sentences = [self._said(self.game.told(row)) for row in self._rows]
            self._rows.clear()
            self._told = "\n".join(filter(None, sentences))
            if self.render_mode == "human":
                self.render()

    def _said(self, entry: list[Any]) -> str:
        sentence, clause = self._teller.say(entry), self.game.clause_of(entry)
        return f"{sentence} ({clause})" if sentence and clause else sentence

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat sees, and its legal steps."""
        view = self._views[self._seats[agent]].see(self._state)
        observation = np.empty(self.fields.width, np.uint8)
        parts = np.split(observation, np.cumsum(self._widths))
        view.encode(parts[0].data)
        if self.memory:
            view.encode_memory(parts[1].data)
        if self._marginals is not None:
            self._marginals.write(view, parts[2].data)
        mask = np.zeros(self.game.steps, np.int8)
        mask[view.legal()] = 1
        return {"observation": observation, "action_mask": mask}

    def render(self) -> str | None:
        """The consequences of the last decision, as told to a spectator; `human` prints them after each step too."""
        if self.render_mode == "human":
            print(self._told)
            return None
        if self.render_mode is None:
            raise ValueError("Nothing is rendered: make the environment with render_mode='ansi' or 'human'.")
        return self._told

    def close(self) -> None:
        """There is nothing to close."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy replays the steps of this sitting."""
        asked = {"reward": self.reward, "render_mode": self.render_mode, **self.options}
        asked |= {"memory": self.memory, "beliefs": self.beliefs} if self.memory else {}
        begun = hasattr(self, "rewards")
        return replayed, (self.game.name, self.players, asked, self._seed, self._number, begun, self._taken[:])


def replayed(
    name: str, players: int, asked: dict[str, Any], seed: int, number: int, begun: bool, taken: list[int | None]
) -> ParlourEnv:
    """An environment in which these steps were taken since the reset that began sitting `number` − 1."""
    shown, env = asked["render_mode"], ParlourEnv(game_of(name), players, **asked)
    env._seed, env._number = seed, number - begun
    if begun:
        env.render_mode = "ansi" if shown else None  # a replay must not print again
        env.reset()
        for step in taken:
            env.step(step)
        env.render_mode = shown
    return env


@dataclass(frozen=True)
class Environment:
    """A game under its versioned name, with the functions of a PettingZoo environment module."""

    game: Game

    @property
    def name(self) -> str:
        """Such as `lost_heir_v2`."""
        return environment_name(self.game)

    def raw_env(self, players: int | None = None, **given: Any) -> ParlourEnv:
        """The bare environment; takes `reward`, `render_mode` and the options of the game's sheet."""
        return ParlourEnv(self.game, players, **given)

    def env(self, players: int | None = None, **given: Any) -> AECEnv:
        """The same in PettingZoo's wrapper that checks the order of calls."""
        return OrderEnforcingWrapper(self.raw_env(players, **given))


load_entry_points()
_environment = cache(Environment)


def __getattr__(name: str) -> Any:
    """The environment of every registered game by its name, such as `lost_heir_v2`, and all of them: ENVIRONMENTS."""
    environments = {environment_name(game): _environment(game) for game in REGISTRY.values()}
    if name == "ENVIRONMENTS":
        return environments
    if name not in environments:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return environments[name]
