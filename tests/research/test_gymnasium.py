"""Gymnasium's interfaces: its own checks pass, and episodes are sittings with bots at the other seats."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import parlour
from parlour import Refusal
from parlour.research.gymnasium import SeatEnv, SeatVectorEnv, id_of
from parlour.research.vector import VectorEnv

every_game = pytest.mark.parametrize("name", parlour.GAMES)


def test_names_carry_the_version_of_the_environment() -> None:
    names = [id_of(game) for game in parlour.REGISTRY.values() if game.name in parlour.GAMES]
    expected = ["Masquerade-v2", "LostHeir-v2", "Sovereign-v2", "Heraldry-v2", "Tontine-v1"]
    assert names == [f"parlour/{name}" for name in expected]
    assert set(names) <= set(gymnasium.registry)


@every_game
def test_the_checks_of_gymnasium_pass(name: str) -> None:
    env = gymnasium.make(id_of(parlour.game(name)), episode="deal")
    check_env(env.unwrapped)  # which takes illegal steps too, as it knows no masks
    env.close()


def test_the_checks_of_gymnasium_pass_with_memory_and_beliefs() -> None:
    env = gymnasium.make("parlour/LostHeir-v2", episode="deal", memory=True, beliefs=4).unwrapped
    assert isinstance(env, SeatEnv) and env.fields.fields[-1].name == "belief_hand"
    check_env(env)
    envs = gymnasium.make_vec("parlour/LostHeir-v2", num_envs=3, vectorization_mode="vector_entry_point", beliefs=4)
    assert envs.single_observation_space == env.observation_space


def masked(masks: Any, luck: np.random.Generator) -> Any:
    """A random legal step of every row."""
    return np.array([luck.choice(np.flatnonzero(mask)) for mask in masks])


@every_game
def test_an_episode_is_a_sitting_against_bots(name: str) -> None:
    env = gymnasium.make(id_of(parlour.game(name)), against="random")
    single = env.unwrapped
    assert isinstance(single, SeatEnv)
    beside = VectorEnv(name, 1, seed=7, mine=0, against="random")
    luck = np.random.default_rng(1)
    observation, info = env.reset(seed=7)
    for number in (0, 1):
        assert info["number"] == number
        over = False
        while not over:
            assert np.array_equal(observation, beside.frame.observations[0])
            assert np.array_equal(info["action_mask"], beside.frame.masks[0])
            assert np.array_equal(single.action_masks(), beside.frame.masks[0])
            assert observation.flags.writeable and observation in env.observation_space
            step = int(masked(info["action_mask"][None], luck)[0])
            assert step == env.action_space.sample(info["action_mask"]) or info["action_mask"].sum() > 1
            observation, reward, over, truncated, info = env.step(step)
            frame = beside.step(np.array([step]))
            assert reward == frame.rewards[0, 0] and over == frame.ended[0] and not truncated
        assert not single.action_masks().any() and not info["action_mask"].any()
        last = single.fields.named(observation)
        assert not last["to_act"].any()  # the last observation is of a sitting that is over
        with pytest.raises(gymnasium.error.ResetNeeded):
            single.step(0)
        observation, info = env.reset()
    observation, info = env.reset(options={"number": 40})
    assert info["number"] == 40 and env.reset()[1]["number"] == 41
    env.close()


def test_an_illegal_step_changes_nothing_and_is_told() -> None:
    env = SeatEnv("lost-heir")
    observation, info = env.reset(seed=3)
    again, reward, over, truncated, told = env.step(60)
    assert told.pop("refusal") == "Now is the time to bid: 1 to 17, or pass. (HEIR-6)"
    assert np.array_equal(again, observation) and (reward, over, truncated) == (0.0, False, False)
    assert np.array_equal(told["action_mask"], info["action_mask"])
    strict = SeatEnv("lost-heir", illegal="raise")
    strict.reset(seed=3)
    with pytest.raises(Refusal, match=r"^Now is the time to bid: 1 to 17, or pass\. \(HEIR-6\)$") as caught:
        strict.step(60)
    assert caught.value.clause == "HEIR-6"
    with pytest.raises(ValueError, match=r"^A step must be a whole number, not 'pass'\.$"):
        env.step("pass")


@every_game
def test_many_sittings_in_the_vector_interface(name: str) -> None:
    id = id_of(parlour.game(name))
    envs = gymnasium.make_vec(id, num_envs=6, vectorization_mode="vector_entry_point", episode="deal", seat="rotate")
    assert isinstance(envs, SeatVectorEnv)
    assert envs.num_envs == 6 and envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.single_observation_space.shape == (envs.inner.fields.width,)
    luck, ended = np.random.default_rng(1), 0
    observations, infos = envs.reset(seed=7)
    beside = VectorEnv(name, 6, seed=7, mine="rotate", episode="deal")
    for _ in range(80):
        assert observations in envs.observation_space and observations.flags.writeable
        assert np.array_equal(observations, beside.frame.observations)
        assert np.array_equal(infos["action_mask"], beside.frame.masks)
        assert np.array_equal(envs.action_masks(), beside.frame.masks)
        step = masked(infos["action_mask"], luck)
        assert step in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(step)
        frame = beside.step(step)
        assert np.array_equal(terminations, frame.ended) and not truncations.any()
        assert np.array_equal(rewards, frame.rewards[np.arange(6), np.arange(6) % beside.players])
        assert ("final_obs" in infos) == terminations.any()
        if terminations.any():
            assert np.array_equal(infos["_final_obs"], terminations)
            named = envs.inner.fields.named(infos["final_obs"][terminations])
            # at its end an episode shows the end of the sitting or the beginning of the next deal
            assert named["to_act"].sum(axis=1).max() <= 1
            ended += int(terminations.sum())
    assert ended
    assert envs.reset(seed=7, options={"numbers": np.full(6, 9)})[1]["number"].tolist() == [9] * 6
    envs.close()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"render_mode": "human"}, "This environment renders nothing; `parlour.research.pettingzoo` describes sittings."),
    ({"illegal": "lose"}, "What an illegal step does must be 'tell' or 'raise', not 'lose'."),
    ({"seat": "rotate"}, "A seat must be a whole number of at least 0, not 'rotate'."),
    ({"seat": 4}, "A learning seat must be from 0 to 3."),
    ({"against": "expert"}, "A seat is played by 'thumb', 'random' or a function, not by 'expert'."),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_an_impossible_environment_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        SeatEnv("lost-heir", **given)
