"""The PettingZoo environments: PettingZoo's own tests, and no seat learns what it may not know."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import parlour
from parlour import Refusal, Seeded
from parlour.games.profile import profile_of
from parlour.research.pettingzoo import ENVIRONMENTS, Environment, ParlourEnv
from parlour.research.rewards import REWARDS
from support.cases import Case, Followed, believed, remembered, written
from support.effort import times
from support.twins import TWINS

# PettingZoo warns of observations in a dictionary, except for a list of its own card games
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]

# Every game with its usual number of players, and with other numbers and options.
TABLES: list[tuple[str, int | None, dict[str, Any]]] = [
    ("masquerade_v2", None, {}),
    ("masquerade_v2", 8, {"games": 1, "following": "strict", "exchange": "courtesy"}),
    ("lost_heir_v2", None, {}),
    ("lost_heir_v2", 2, {"odd_cards": "free"}),
    ("lost_heir_v2", 6, {"sides": "three", "mistakes": "penalised", "reward": "win"}),
    ("sovereign_v2", None, {}),
    ("sovereign_v2", 2, {"rounds": 1}),
    ("sovereign_v2", 11, {"mistakes": "penalised"}),
    ("heraldry_v2", None, {}),
    ("heraldry_v2", 2, {"capture": "choice"}),
    ("heraldry_v2", 3, {"discard": "free", "twelfth": "sweep"}),
    ("tontine_v1", None, {}),
    ("tontine_v1", 52, {"settle": "together", "reward": "win"}),
]
every_table = pytest.mark.parametrize(
    ("name", "players", "given"), TABLES, ids=[f"{name}-{players or 'usual'}" for name, players, _ in TABLES]
)


@every_table
def test_the_api_test_of_pettingzoo_passes(name: str, players: int | None, given: dict[str, Any]) -> None:
    api_test(ENVIRONMENTS[name].env(players, **given), num_cycles=times(150, 400))
    api_test(ENVIRONMENTS[name].raw_env(players, **given), num_cycles=50)


@every_table
def test_the_seed_test_of_pettingzoo_passes(name: str, players: int | None, given: dict[str, Any]) -> None:
    seed_test(lambda: ENVIRONMENTS[name].env(players, **given), num_cycles=times(100, 200))


@every_table
def test_the_render_test_of_pettingzoo_passes(
    name: str, players: int | None, given: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda render_mode: ENVIRONMENTS[name].env(players, render_mode=render_mode, **given))
    assert "deals" in capsys.readouterr().out


def test_every_game_has_an_environment_under_its_versioned_name() -> None:
    import parlour.research.pettingzoo as module

    names = [f"{name.replace('-', '_')}_v{profile_of(game).version}" for name, game in parlour.REGISTRY.items()]
    assert list(ENVIRONMENTS) == names
    for name in names:
        assert getattr(module, name) is ENVIRONMENTS[name]
        assert str(ENVIRONMENTS[name].env()) == name
    with pytest.raises(AttributeError, match="whist_v1"):
        module.whist_v1  # noqa: B018


def played(env: ParlourEnv) -> dict[str, float]:
    """Play a sitting at random, always the same one, to its end; the total reward of each agent."""
    given, luck = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        given[agent] += reward
        assert not truncated
        env.step(None if terminated else luck.choice(np.flatnonzero(observation["action_mask"])))
    return given


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("environment", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_every_seat_is_rewarded_at_the_end(environment: Environment, reward: str) -> None:
    env = environment.raw_env(reward=reward)
    for seed in range(3):
        env.reset(seed)
        given = played(env)
        scores, winners = env._state.scores(), env._state.winners()
        by_seat = [scores[seat % len(scores)] for seat in range(env.players)]
        first = given["player_0"]
        for seat, had in enumerate(given.values()):
            if reward == "win":
                assert (had > 0) == (seat in winners)
            else:
                assert had - first == pytest.approx(by_seat[seat] - by_seat[0])
        assert sum(given.values()) == pytest.approx(0) and any(given.values())


def test_a_reset_without_a_seed_begins_the_next_sitting_of_the_previous_seed() -> None:
    env = ENVIRONMENTS["heraldry_v2"].raw_env()
    for number in range(3):
        env.reset(seed=None if number else 8)
        state = env.game.new(chance=Seeded(8, 2 * number))
        assert env._state.where() == state.where()


@pytest.mark.parametrize("kind", [int, np.int64, np.uint32])
def test_a_seed_may_be_an_integer_of_any_type(kind: type) -> None:
    env, other = (ENVIRONMENTS["lost_heir_v2"].raw_env() for _ in range(2))
    env.reset(kind(3))
    other.reset(3)
    for wrong in ("x", 1.5, True, np.zeros(2, int)):
        with pytest.raises(ValueError, match=r"^A seed must be a whole number, not "):
            env.reset(wrong)
    assert env._state.where() == other._state.where()
    env.reset()
    other.reset()
    assert env._state.where() == other._state.where()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("environment", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_a_copy_goes_on_independently(environment: Environment, copied: Callable[[Any], Any]) -> None:
    env = environment.env(render_mode="ansi", reward="win")
    fresh = copied(env)
    env.reset(seed=6)
    fresh.reset(seed=6)
    for agent in env.agent_iter(25):
        env.step(int(np.flatnonzero(env.observe(agent)["action_mask"])[-1]))
        fresh.step(int(np.flatnonzero(fresh.observe(agent)["action_mask"])[-1]))
    ends = []
    for each in (env, fresh, copied(env)):
        heard = [each.render()]
        for agent in each.agent_iter():
            observation, reward, terminated, _, _ = each.last()
            steps = np.flatnonzero(observation["action_mask"])
            each.step(None if terminated else int(steps[0]))
            heard.append((agent, reward, observation["observation"].tobytes(), each.render()))
        each.reset()
        heard.append(each.last()[0]["observation"].tobytes())
        ends.append(heard)
    assert ends[0] == ends[1] == ends[2] and len(ends[0]) > 5


def test_a_step_before_or_after_a_sitting_is_refused() -> None:
    env = ENVIRONMENTS["tontine_v1"].raw_env(players=4)
    with pytest.raises(ValueError, match=r"^No sitting is in progress; call reset\(\) to begin one\.$"):
        env.step(0)
    env.reset(seed=1)
    played(env)
    with pytest.raises(ValueError, match=r"^No sitting is in progress; call reset\(\) to begin one\.$"):
        env.step(0)


def test_an_unfinished_move_is_not_rendered() -> None:
    env = ENVIRONMENTS["heraldry_v2"].raw_env(render_mode="ansi")
    env.reset(seed=4)
    seen = set()
    for agent in env.agent_iter(200):
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else env.action_space(agent).sample(observation["action_mask"]))
        seen.add((bool(env._state.unfinished), bool(env.render())))
    assert seen == {(True, False), (False, True)}


def test_an_illegal_step_is_refused_with_its_clause_and_changes_nothing() -> None:
    env = ENVIRONMENTS["lost_heir_v2"].env()
    env.reset(seed=1)
    agent, before = env.agent_selection, env.last()[0]
    for wrong, clause in ((60, "HEIR-6"), (-1, ""), (1000, ""), (None, ""), (0.5, ""), (np.zeros(1, int), "")):
        with pytest.raises(Refusal) as caught:
            env.step(wrong)
        assert caught.value.clause == clause
        assert env.agent_selection == agent and not any(env.rewards.values())
        assert all(np.array_equal(before[key], value) for key, value in env.last()[0].items())
    env.step(np.int64(0))
    assert env.agent_selection != agent


def test_only_the_deciding_seat_has_a_mask() -> None:
    for environment in ENVIRONMENTS.values():
        env = environment.raw_env()
        env.reset(seed=2)
        for agent in env.agents:
            assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


def test_the_rendering_is_what_a_spectator_is_told() -> None:
    env = ENVIRONMENTS["lost_heir_v2"].raw_env(sides="two", render_mode="ansi")
    env.reset(seed=4)
    told = env.render()
    assert told is not None and "All the cards are dealt. (HEIR-5)" in told
    assert "hold" not in told  # no hand is shown
    bidder = env.agent_selection[-1]
    env.step(3)
    assert env.render() == f"Player {bidder} bids 3. (HEIR-6)"
    with pytest.raises(ValueError, match=r"^The render mode must be 'ansi' or 'human', not 'rgb_array'\.$"):
        ENVIRONMENTS["lost_heir_v2"].env(render_mode="rgb_array")
    with pytest.raises(ValueError, match=r"^Nothing is rendered: make the environment with render_mode="):
        ENVIRONMENTS["lost_heir_v2"].raw_env().render()


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_indistinguishable_worlds_give_a_seat_the_same_bytes(case: Case) -> None:
    env = ParlourEnv(case.game, case.players, **case.options)
    others = 0
    for seed in (31, 32, 33):
        env.reset(seed=seed)
        followed = Followed(case, seed, 0)
        while not followed.state.over and followed.state.moves < 40:
            for seat, agent in enumerate(env.possible_agents):
                seen, legal, another = followed.twin(seat)
                observation = env.observe(agent)
                assert observation["observation"].tobytes() == seen
                assert np.flatnonzero(observation["action_mask"]).tolist() == legal
                others += another
            step = env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"])
            env.step(step)
            followed.play(int(step))
    assert others > 100 or not followed.has_secrets()


@pytest.mark.parametrize("name", ["masquerade_v2", "lost_heir_v2", "sovereign_v2", "heraldry_v2"])
def test_memory_and_beliefs_are_those_of_views_that_heard_everything(name: str) -> None:
    environment = ENVIRONMENTS[name]
    env = environment.raw_env(memory=True, beliefs=3, render_mode="ansi")
    plain = environment.raw_env(render_mode="ansi")
    env.reset(seed=4)
    plain.reset(seed=4)
    followed = Followed(Case(environment.game, env.players, env.options), 4, 0)
    luck = np.random.default_rng(4)
    for turn in range(60):
        agent = env.agent_selection
        for seat in {int(agent[-1]), turn % env.players}:
            view = followed.views[seat].see(followed.state)
            expected = written(view) + remembered(view) + believed(view)
            assert env.observe(f"player_{seat}")["observation"].tobytes() == expected
        assert env.render() == plain.render()
        step = int(luck.choice(followed.state.legal()))
        env.step(step)
        plain.step(step)
        followed.play(step)
        if env.terminations[agent]:
            break
    again = copy.deepcopy(env)
    assert np.array_equal(again.observe("player_0")["observation"], env.observe("player_0")["observation"])
    assert env.fields.width == len(env.observe("player_0")["observation"])
    api_test(environment.env(memory=True, beliefs=2), num_cycles=40)


def test_tontine_has_nothing_to_remember() -> None:
    with pytest.raises(ValueError, match=r"^There is nothing to remember in Tontine\.$"):
        ENVIRONMENTS["tontine_v1"].raw_env(memory=True)
    with pytest.raises(ValueError, match=r"^Nothing is hidden in Tontine\.$"):
        ENVIRONMENTS["tontine_v1"].raw_env(beliefs=2)
