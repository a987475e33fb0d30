"""The vectorised environment: its arrays, its refusals, and no seat learns what it may not know."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from copy import copy
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import OptionError, Refusal, Seeded, SheetError
from parlour.games.profile import profile_of
from parlour.research.observation import ObservationLayout
from parlour.research.rewards import REWARDS, rewards
from parlour.research.vector import VectorEnv
from support.cases import Case, Followed, all_cases
from support.twins import TWINS

every_game = pytest.mark.parametrize("name", parlour.GAMES)


def env_of(case: Case, sittings: int, **more: Any) -> VectorEnv:
    return VectorEnv(case.game.name, sittings, case.players, **more, **case.options)


@every_game
def test_arrays_have_the_documented_shapes_and_types(name: str) -> None:
    env = VectorEnv(name, sittings=7)
    frame = env.reset(3)
    assert [(each.shape, each.dtype.name) for each in frame] == [
        ((7, env.fields.width), "uint8"),
        ((7, env.steps), "bool"),
        ((7,), "int8"),
        ((7, env.players), "float32"),
        ((7,), "bool"),
    ]
    assert frame.masks.any(axis=1).all() and (frame.seats >= 0).all() and not frame.ended.any()
    for _ in range(200):
        actions = env.sample()
        assert actions.dtype == np.intc and frame.masks[np.arange(7), actions].all()
        assert env.step(actions) is frame


@every_game
def test_a_frame_is_filled_in_place_and_a_copy_is_not(name: str) -> None:
    env = VectorEnv(name, sittings=3, seed=5)
    first, kept = env.frame, env.frame.copy()
    for _ in range(10):
        env.step(env.sample())
    assert first is env.frame and not np.array_equal(first.observations, kept.observations)
    assert not any(np.shares_memory(one, other) for one, other in zip(first, kept, strict=True))
    again = env.reset(5)
    assert all(np.array_equal(one, other) for one, other in zip(again, kept, strict=True))


def test_a_reset_without_a_seed_begins_the_next_sitting_of_every_place() -> None:
    env = VectorEnv("heraldry", sittings=2, seed=5)
    seen = [env.frame.observations.copy()]
    for _ in range(2):
        env.step(env.sample())
        seen.append(env.reset().observations.copy())
    for number, shown in enumerate(seen):
        for at in range(2):
            state = env.game.new(chance=Seeded(5, 2 * (2 * number + at)))
            room = bytearray(env.fields.width)
            env.game.view(state, state.seat).encode(room)
            assert shown[at].tobytes() == room
    assert not env.frame.rewards.any() and not env.frame.ended.any()


def test_the_next_step_clears_rewards() -> None:
    env = VectorEnv("tontine", sittings=2, players=4, seed=5)
    while not env.step(env.sample()).ended.any():
        pass
    assert env.frame.rewards.any() and not env.step(env.sample()).rewards.any()


@pytest.mark.parametrize("kind", [np.int64, np.uint32, np.uint8, int])
def test_integers_of_any_type_are_accepted(kind: type) -> None:
    env = VectorEnv("tontine", sittings=kind(2), seed=kind(9))
    seen = env.frame.copy()
    assert np.array_equal(env.reset(kind(9)).observations, seen.observations)
    for wrong in (None, "9", 1.5, True, np.zeros(2, int)):
        with pytest.raises(ValueError, match=r"^A seed must be a whole number, not "):
            VectorEnv("tontine", seed=wrong)
    with pytest.raises(ValueError, match=r"^The number of sittings must be a whole number of at least 1, not 0"):
        VectorEnv("tontine", sittings=kind(0))


@every_game
def test_a_place_plays_the_same_sittings_as_simulate(name: str) -> None:
    env = VectorEnv(name, sittings=2, seed=11)
    for number in (1, 3):
        state = env.game.new(chance=Seeded(11, 2 * number))
        while not state.over:
            actions = env.sample()
            assert state.seat == env.frame.seats[1]
            state.play(int(actions[1]))
            env.step(actions)
        assert env.frame.ended[1]
        assert env.frame.rewards[1] == pytest.approx(rewards(state, "score"))


@every_game
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_come_only_at_the_end_and_are_zero_sum(name: str, reward: str) -> None:
    env = VectorEnv(name, sittings=16, reward=reward, **({"games": 5} if name == "sovereign" else {}))
    ended = 0
    for _ in range(1500):
        frame = env.step(env.sample())
        assert not frame.rewards[~frame.ended].any()
        assert frame.rewards.sum(axis=1) == pytest.approx(0, abs=1e-4)
        if reward == "win" and frame.ended.any():
            assert frame.rewards.max() <= 1 and frame.rewards[frame.ended].max(axis=1).min() > 0
        ended += int(frame.ended.sum())
    assert ended


# --- refusals ---------------------------------------------------------------------------------------------------------


WRONG: list[tuple[Any, str]] = [
    (np.zeros(3, np.intc), "Steps must be an array of shape (4,), one for each sitting, not (3,)."),
    (np.zeros((4, 1), np.intc), "Steps must be an array of shape (4,), one for each sitting, not (4, 1)."),
    (5, "Steps must be an array of shape (4,), one for each sitting, not ()."),
    (np.zeros(4), "Steps must be whole numbers, not float64."),
    (np.zeros(4, np.bool_), "Steps must be whole numbers, not bool."),
    (["pass"] * 4, "Steps must be whole numbers, not <U4."),
    (np.array([0, 0, 2**32, 0]), "Sitting 2: there is no step 4294967296."),
    (np.array([0, -1, 0, 0], np.int8), "Sitting 1: There is no step -1."),
    (np.array([0, 0, 0, 34]), "Sitting 3: Now is the time to bid: 1 to 17, or pass. (HEIR-6)"),
]


@pytest.mark.parametrize(("actions", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_wrong_steps_are_refused_in_one_sentence_and_change_nothing(actions: Any, sentence: str) -> None:
    env = VectorEnv("lost-heir", sittings=4)
    before = env.frame.copy()
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        env.step(actions)
    assert all(np.array_equal(one, other) for one, other in zip(env.frame, before, strict=True))
    env.step(np.zeros(4, np.uint8))  # and it still works


def test_a_frame_is_read_only() -> None:
    env = VectorEnv("lost-heir", sittings=2)
    for frame in (env.frame, env.step(env.sample()), env.reset()):
        for array in frame:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
            with pytest.raises(ValueError, match="read-only"):
                array[:1].fill(1)
    own = env.frame.copy()
    own.masks[:] = own.masks[::-1]
    assert all(array.flags.writeable for array in own)


def test_a_refusal_carries_its_clause() -> None:
    env = VectorEnv("lost-heir", sittings=2)
    with pytest.raises(Refusal) as caught:
        env.step(np.array([0, 60]))
    assert caught.value.clause == "HEIR-6"


def test_an_impossible_environment_is_refused() -> None:
    for wrong in (0, -1, True, 2.0, "many"):
        with pytest.raises(ValueError, match=r"^The number of sittings must be a whole number of at least 1, not "):
            VectorEnv("lost-heir", sittings=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^The reward must be 'score' or 'win', not 'money'\.$"):
        VectorEnv("lost-heir", reward="money")
    with pytest.raises(SheetError):
        VectorEnv("whist")
    with pytest.raises(OptionError):
        VectorEnv("lost-heir", players=5)
    with pytest.raises(OptionError):
        VectorEnv("lost-heir", following="suit")


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("vector", "numpy", "vector"),
        ("observation", "numpy", "vector"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "gymnasium"),
    ],
)
def test_a_missing_dependency_is_named_in_one_sentence(module: str, missing: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import parlour.research.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    sentence = f"ModuleNotFoundError: This needs {missing}; from a checkout, install it with: pip install '.[{extra}]'"
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == sentence


# --- the fields -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [each for each in all_cases() if each.players < 13][::3], ids=str)
def test_named_fields_cover_the_observation_and_can_be_joined_again(case: Case) -> None:
    env = env_of(case, 5)
    for _ in range(20):
        env.step(env.sample())
    seen = env.frame.observations
    named = env.fields.named(seen)
    assert sum(each[0].size for each in named.values()) == env.fields.width == seen.shape[1]
    assert all(np.shares_memory(each, seen) for each in named.values())
    assert np.array_equal(env.fields.joined(named), seen)
    one = env.fields.named(seen[2])
    assert all(np.array_equal(one[name], each[2]) for name, each in named.items())
    assert np.array_equal(env.fields.joined(one), seen[2])
    assert (named["to_act"][:, 0] == 1).all()  # the observer decides, and stands first


@every_game
def test_every_field_has_a_meaning_and_every_meaning_a_field(name: str) -> None:
    game = parlour.game(name)
    fields = ObservationLayout(game, game.sheet.usual, game.options_for(game.sheet.usual)).fields
    assert [field.name for field in fields] == [field.name for field in game.fields if field.encoded]
    assert all(field.meaning and not field.meaning.endswith(".") for field in fields)


def test_wrong_named_fields_are_refused() -> None:
    fields = VectorEnv("tontine", 2).fields
    with pytest.raises(ValueError, match=f"^An observation here has {fields.width} numbers, not 3"):
        fields.named(np.zeros((2, 3), np.uint8))
    named = fields.named(np.zeros(fields.width, np.uint8))
    with pytest.raises(ValueError, match=r"^The shape of the field box must end in \(1,\), not \(2,\)\.$"):
        fields.joined(named | {"box": np.zeros(2, np.uint8)})
    with pytest.raises(ValueError, match=r"^The fields here are to_act, .*; these are none\.$"):
        fields.joined({})


# The layout of each version, with the usual number of players: a policy trained on one version must not meet another
# unnoticed. Where this fails, a layout, the steps or the rules have changed: raise VERSION in the game's research.py,
# and add a line here.
LAYOUTS = {
    ("masquerade", 1): (
        1,
        2424188941,
        "to_act:4 stage:8 dealer:4 leader:4 actor:4 hand:32 received:32 laid:4x32 hand_sizes:4 points:4 "
        "totals:4 games_won:4 game:1 last_winner:4 m1_was_played:1",
    ),
    ("masquerade", 2): (
        2,
        2424188941,
        "to_act:4 stage:8 dealer:4 leader:4 actor:4 hand:32 received:32 laid:4x32 hand_sizes:4 points:4 "
        "totals:4 games_won:4 game:1 last_winner:4 m1_was_played:1",
    ),
    ("lost-heir", 1): (
        1,
        2691755449,
        "to_act:4 stage:3 dealer:4 leader:4 namer:4 hand:48 laid:4x48 gone:48 trump:4 led:4 bids:4 bid:1 "
        "hand_sizes:4 tricks_left:1 deal:1 points:4 fines:4 totals:4",
    ),
    ("lost-heir", 2): (
        2,
        2691755449,
        "to_act:4 stage:3 dealer:4 leader:4 namer:4 hand:48 laid:4x48 gone:48 trump:4 led:4 bids:4 bid:1 "
        "hand_sizes:4 tricks_left:1 deal:1 points:4 fines:4 totals:4",
    ),
    ("sovereign", 1): (
        1,
        3739498253,
        "to_act:5 stage:8 dealer:5 coins:9 offer:9 hand_sizes:5 surplus:1 aside:1 game:1 round:1 "
        "general_pool:1 penalties_in_it:1 sovereign_pool:1 staked_in_it:5 counters:5 offered_wrongly:1 "
        "neighbour_allowed:1",
    ),
    ("sovereign", 2): (
        2,
        3739498253,
        "to_act:5 stage:8 dealer:5 coins:9 offer:9 hand_sizes:5 surplus:1 aside:1 game:1 round:1 "
        "general_pool:1 penalties_in_it:1 sovereign_pool:1 staked_in_it:5 counters:5 offered_wrongly:1 "
        "neighbour_allowed:1",
    ),
    ("heraldry", 1): (
        1,
        4254784372,
        "to_act:4 dealer:4 last_taker:4 hand:48 table:48 playing:48 taking:48 grouping:48 won:4x48 "
        "hand_sizes:4 totals:4 pack:1 deal:1",
    ),
    ("heraldry", 2): (
        2,
        1999150953,
        "to_act:4 dealer:4 last_taker:4 hand:48 table:48 playing:48 taking:48 grouping:48 won:4x48 "
        "hand_sizes:4 totals:4 pack:1 deal:1 sweeps:4",
    ),
    ("tontine", 1): (
        1,
        538973511,
        "to_act:12 dealer:12 last_out:12 counters:12 cards:12 box:1 deal:1",
    ),
}


@every_game
def test_a_version_stands_for_one_layout(name: str) -> None:
    env = VectorEnv(name, 1)
    fields = " ".join(f"{field.name}:{'x'.join(map(str, field.shape))}" for field in env.fields.fields)
    steps = zlib.crc32("\n".join(env.game.step_names).encode())
    assert LAYOUTS[name, profile_of(env.game).version] == (env.game.rules, steps, fields)


# --- twin worlds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_indistinguishable_worlds_give_a_seat_the_same_bytes(case: Case) -> None:
    places = range(3)
    env = env_of(case, len(places), seed=21)
    followed = [Followed(case, 21, at) for at in places]
    others = 0
    while not any(each.state.over for each in followed) and followed[0].state.moves < 60:
        for at in places:
            state = followed[at].state
            assert state.seat == env.frame.seats[at]
            seen, legal, another = followed[at].twin(state.seat)
            assert env.frame.observations[at].tobytes() == seen
            assert np.flatnonzero(env.frame.masks[at]).tolist() == legal
            others += another
        actions = env.sample()
        env.step(actions)
        for at in places:
            followed[at].play(int(actions[at]))
    assert others > 20 or not followed[0].has_secrets()


# --- a game that says nothing of itself -------------------------------------------------------------------------------


def test_a_game_without_a_research_module_has_a_default_profile() -> None:
    game = copy(parlour.game("tontine"))
    game.package = ""
    profile = profile_of(game)
    assert (profile.version, profile.length, profile.has_endgames, profile.hidden_cards_stay) == (1, None, False, False)
    decisions, draws, lowest, highest = profile.bounds(4, {}, 1)
    assert min(decisions, draws) >= profile.moves_per_unit > 1000 and lowest == -highest < -1000
