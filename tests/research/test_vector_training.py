"""The vectorised environment for learning: bots, deals as episodes, chosen sittings, forced steps, forks and values."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import Journal, Refusal, Seeded, State
from parlour.research.vector import VectorEnv
from support.cases import Case, believed, case, remembered, written
from support.layers import module_paths

every_game = pytest.mark.parametrize("name", parlour.GAMES)
CASES = [
    case("masquerade", 4, {"games": 2, "exchange": "courtesy"}),
    case("lost-heir", 4, {"sides": "two", "deal_limit": 3}),
    case("lost-heir", 3, {"mistakes": "penalised", "deal_limit": 3}),
    case("sovereign", 3, {"games": 3}),
    case("heraldry", 2, {}),
    case("tontine", 4, {}),
]
every_case = pytest.mark.parametrize("case", CASES, ids=str)
SEED = 23


def env_of(case: Case, sittings: int, **more: Any) -> VectorEnv:
    return VectorEnv(case.game.name, sittings, case.players, **{"seed": SEED, **more}, **case.options)


def play(env: VectorEnv, steps: int) -> None:
    """Take some random steps."""
    for _ in range(steps):
        env.step(env.sample())


def levels(state: State, reward: str) -> list[float]:
    """What every seat has above the mean: of the scores, or of the shares of the win."""
    seats, scores = range(state.players), state.scores()
    each = [float(scores[seat % len(scores)]) for seat in seats]
    if reward == "win":
        chances = [state.win_chance(seat) for seat in seats]
        each = [chance / sum(chances) for chance in chances]
    return [value - sum(each) / len(each) for value in each]


class Alone:
    """A place of an environment, played one step at a time in plain Python."""

    def __init__(self, given: Case, bots: dict[int, str], number: int, stride: int, **more: Any) -> None:
        self.game, self.state, self.bots = given.game, given.state(), bots
        self.given = given
        self.number, self.stride = number - stride, stride
        self.by_deal, self.believing = more.get("episode") == "deal", more.get("believing", False)
        self.skipping, self.reward = more.get("skip_forced", False), more.get("reward", "score")
        self.begin()
        self.go_on()

    def begin(self) -> None:
        self.number += self.stride
        players, options = self.given.players, self.given.options
        self.views = [self.game.view_type(players, seat, options) for seat in range(players)]
        for view in self.views if self.believing else ():
            view.track_beliefs()
        self.state.journal = Journal()
        self.state.begin(Seeded(SEED, 2 * self.number))
        self.luck = Seeded(SEED, 2 * self.number + 1)
        self.had, self.deal = [0.0] * self.state.players, self.state.deals

    def choose(self) -> int | None:
        """The step that is taken without asking, if one is."""
        seat, legal = self.state.seat, self.state.legal()
        if len(legal) == 1 and (self.skipping or seat in self.bots):
            return legal[0]
        if self.bots.get(seat) == "lowest":
            return legal[0]
        if self.bots.get(seat) == "random":
            return legal[self.luck.number_below(len(legal))]
        return self.views[seat].see(self.state).heuristic(self.luck) if seat in self.bots else None

    def go_on(self) -> None:
        self.got, self.ended = [0.0] * self.state.players, 0
        while True:
            assert self.state.journal is not None
            for view in self.views:
                view.listen(self.state.journal)
            self.state.journal.clear()
            if self.state.over or (self.by_deal and self.state.deals != self.deal):
                now = levels(self.state, self.reward)
                self.got = [got + level - had for got, level, had in zip(self.got, now, self.had, strict=True)]
                self.had, self.deal = now, self.state.deals
                self.ended += 1
                if self.state.over:
                    self.begin()
                continue
            step = self.choose()
            if step is None:
                return
            self.state.play(step)

    def play(self, step: int) -> None:
        self.state.play(step)
        self.go_on()


@every_case
@pytest.mark.parametrize("episode", ["sitting", "deal"])
def test_places_with_bots_are_sittings_played_one_by_one(case: Case, episode: str) -> None:
    more = {"episode": episode, "skip_forced": case.game.steps > 1, "reward": "win" if episode == "deal" else "score"}
    bots = {seat: ("thumb", "random")[seat % 2] for seat in range(1, case.players)}
    env = env_of(case, 3, seats=bots, **more)
    alone = [Alone(case, bots, at, 3, **more) for at in range(3)]
    for _ in range(150):
        for at, each in enumerate(alone):
            frame = env.frame
            assert env.numbers[at] == each.number and frame.seats[at] == each.state.seat == 0
            assert np.flatnonzero(frame.masks[at]).tolist() == each.state.legal()
            assert frame.observations[at].tobytes() == written(case.game.view(each.state, 0))
            assert len(each.state.legal()) > 1 or case.game.steps == 1
        taken = env.sample().tolist()
        env.step(np.array(taken))
        for at, each in enumerate(alone):
            each.play(taken[at])
            assert env.finished[at] == each.ended and env.frame.ended[at] == (each.ended > 0)
            assert env.frame.rewards[at] == pytest.approx(each.got, abs=1e-4)


@every_game
@pytest.mark.parametrize("reward", ["score", "win"])
def test_the_rewards_of_deals_add_up_to_that_of_the_sitting(name: str, reward: str) -> None:
    games: dict[str, Any] = {"games": 3} if name == "masquerade" else {}
    whole = VectorEnv(name, 1, reward=reward, seed=SEED, **games)
    deals = VectorEnv(name, 1, reward=reward, seed=SEED, episode="deal", **games)
    total, count, ended = np.zeros(whole.players), 0, False
    while not ended:
        step = whole.sample()
        ended = bool(whole.step(step).ended[0])
        total += deals.step(step).rewards[0]
        count += int(deals.frame.ended[0])
        assert np.array_equal(whole.frame.observations, deals.frame.observations)
    assert count > 1
    assert total == pytest.approx(whole.frame.rewards[0], abs=1e-3)


# --- which sittings ---------------------------------------------------------------------------------------------------


def test_chosen_numbers_give_the_same_deal_in_several_places() -> None:
    env = VectorEnv("lost-heir", 8, mine="rotate", seed=SEED)
    assert env.numbers.tolist() == list(range(8))
    assert env.learns.argmax(axis=1).tolist() == [0, 1, 2, 3] * 2 and (env.learns.sum(axis=1) == 1).all()
    env.reset(numbers=np.repeat([70, 71], 4))
    assert env.numbers.tolist() == [70] * 4 + [71] * 4
    one = VectorEnv("lost-heir", 8, mine=0, seed=SEED)
    one.reset(numbers=np.repeat([70, 71], 4))
    for _ in range(200):
        step = one.heuristic()
        for first in (0, 4):  # places with the same number, seat and steps stay the same
            assert (one.frame.observations[first : first + 4] == one.frame.observations[first]).all()
        one.step(step)
    assert one.numbers[0] > 71 and one.numbers[0] % 2 == 0 and one.numbers[4] == one.numbers[0] + 1
    assert one.reset().ended.sum() == 0 and set(one.reset(SEED).ended) == {False}
    assert one.numbers.tolist() == list(range(8))


def test_bots_play_against_a_seat_in_rotation_as_in_a_simulation() -> None:
    """Where the learner follows the heuristic, every place plays the sitting that `simulate` plays with it alone."""
    env = VectorEnv("heraldry", 4, mine="rotate", seed=SEED, skip_forced=True)
    env.reset(numbers=np.full(4, 5))
    ended: dict[int, list[float]] = {}
    while len(ended) < 4:
        frame = env.step(env.heuristic())
        for at in np.flatnonzero(frame.ended).tolist():
            ended.setdefault(at, frame.rewards[at].tolist())
    assert all(found == ended[0] for found in ended.values()) and any(ended[0])


# --- policies ---------------------------------------------------------------------------------------------------------


def lowest(observations: Any, masks: Any) -> Any:
    """A policy that takes the lowest legal step."""
    return masks.argmax(axis=1)


def test_a_policy_plays_its_seats_with_what_they_see() -> None:
    given = case("heraldry", 3, {})
    seen: list[Any] = []

    def policy(observations: Any, masks: Any) -> Any:
        seen.extend(observations)
        return masks.argmax(axis=1)

    bots = {1: "lowest", 2: "lowest"}
    env = env_of(given, 4, seats={1: policy, 2: policy}, episode="deal")
    alone = [Alone(given, bots, at, 4, episode="deal") for at in range(4)]
    for _ in range(60):
        taken = env.sample().tolist()
        env.step(np.array(taken))
        for at, each in enumerate(alone):
            each.play(taken[at])
            assert env.frame.observations[at].tobytes() == written(given.game.view(each.state, 0))
            assert env.frame.rewards[at] == pytest.approx(each.got, abs=1e-4)
    asked = env.fields.named(np.array(seen))
    assert len(seen) > 200 and (asked["to_act"][:, 0] == 1).all()  # the observer decides, and stands first


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda observations, masks: masks, r"A policy must return \d+ whole numbers, one for each observation\."),
        (lambda observations, masks: np.full(len(masks), 90), r"Sitting \d+: .+"),
    ],
)
def test_a_policy_that_fails_is_refused_until_a_reset(policy: Callable[..., Any], sentence: str) -> None:
    players = [lowest]
    env = VectorEnv("lost-heir", 4, mine=0, against=lambda *seen: players[-1](*seen), seed=SEED)
    players.append(policy)
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        play(env, 3)
    with pytest.raises(RuntimeError, match=r"^A policy has failed in the last step; call reset\(\) to begin again\.$"):
        env.step(env.sample())
    players.pop()
    env.reset()
    play(env, 3)


# --- forks and values -------------------------------------------------------------------------------------------------


@every_case
def test_a_fork_plays_the_same_and_is_independent(case: Case) -> None:
    env = env_of(case, 3, mine="rotate", episode="deal")
    for _ in range(7):
        env.step(env.sample())
    env.fork([0], [1])
    number = env.numbers[0]
    for _ in range(40):
        if env.numbers[0] != number:
            break  # each place goes on with its own next sitting
        for array in (env.frame.observations, env.frame.masks, env.frame.seats, env.numbers):
            assert np.array_equal(array[0], array[1])
        assert np.array_equal(env.action_values()[0], env.action_values()[1], equal_nan=True)
        env.step(env.heuristic())
    env.reset(SEED)
    env.fork(0, [1, 2])
    kept = env.frame.copy()
    changed = 0
    for _ in range(30):
        step = env.heuristic().copy()
        other = env.sample()
        step[1:] = other[1:]
        env.step(step)
        changed += not np.array_equal(env.frame.observations[0], env.frame.observations[1])
    assert changed or case.game.steps == 1
    env.reset(SEED)  # and what was done in the copies changes nothing here
    assert np.array_equal(env.frame.observations[0], kept.observations[0])


def values_alone(each: Alone, steps: int, state: State) -> list[float]:
    """The value of every step of a state, by plain Python."""
    found = [nan] * steps
    for step in state.legal():
        trial = state.copy()
        trial.chance = Seeded(SEED, 2 * each.number)
        luck = Seeded(SEED, 2 * each.number + 1)
        trial.play(step)
        while not trial.over and not (each.by_deal and trial.deals != state.deals):
            trial.play(each.game.view(trial, trial.seat).heuristic(luck))
        found[step] = levels(trial, each.reward)[state.seat] - each.had[state.seat]
    return found


@every_case
@pytest.mark.parametrize("episode", ["sitting", "deal"])
def test_action_values_are_those_of_plain_python(case: Case, episode: str) -> None:
    more = {"episode": episode, "reward": "win" if episode == "sitting" else "score"}
    bots = dict.fromkeys(range(1, case.players), "thumb")
    env = env_of(case, 2, seats=bots, **more)
    alone = [Alone(case, bots, at, 2, **more) for at in range(2)]
    for turn in range(12 if episode == "deal" else 6):
        values = env.action_values()
        assert np.array_equal(np.isnan(values), ~env.frame.masks)
        for at, each in enumerate(alone):
            expected = values_alone(each, env.steps, each.state)
            assert values[at].tolist() == pytest.approx(expected, abs=1e-4, nan_ok=True)
        step = env.sample().tolist()
        env.step(np.array(step))
        for at, each in enumerate(alone):
            each.play(step[at])


def test_further_rollouts_have_other_luck_that_a_seed_repeats() -> None:
    env = VectorEnv("heraldry", 8, seed=SEED, episode="deal")
    one, many = env.action_values(), env.action_values(rollouts=20)
    assert np.array_equal(np.isnan(one), np.isnan(many)) and not np.allclose(one, many, equal_nan=True)
    assert np.array_equal(env.action_values(), one, equal_nan=True)
    env.reset(SEED)
    assert np.array_equal(env.action_values(rollouts=20), many, equal_nan=True)
    with pytest.raises(ValueError, match=r"^The number of rollouts must be a whole number of at least 1, not 0\.$"):
        env.action_values(0)


# --- memory and hidden cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [each for each in CASES if each.game.name != "tontine"], ids=str)
def test_memory_is_that_of_views_that_heard_everything(case: Case) -> None:
    """And so it is the same in two worlds that a seat cannot tell apart: `tests/engine/test_twin_worlds.py`."""
    bots = {case.players - 1: "random"}
    env = env_of(case, 3, seats=bots, memory=True, episode="deal")
    alone = [Alone(case, bots, at, 3, episode="deal") for at in range(2)]
    plain = env_of(case, 3, seats=bots, episode="deal")
    seen = plain.fields.width
    assert env.fields.fields[: len(plain.fields.fields)] == plain.fields.fields
    assert [field.name for field in env.fields.fields if field.at >= seen] == [
        field.name for field in case.game.fields if field.remembered
    ]
    known = 0
    for turn in range(150):
        if turn == 20:
            env.fork(0, 2)
            number = env.numbers[2]
        for at, each in enumerate(alone):
            view = each.views[each.state.seat].see(each.state)
            assert env.frame.observations[at].tobytes() == written(view) + remembered(view)
            known += any(remembered(view))
        if turn >= 20 and env.numbers[0] == number:
            assert np.array_equal(env.frame.observations[0], env.frame.observations[2])
        assert np.array_equal(env.frame.observations[:2, :seen], plain.frame.observations[:2])
        taken = env.sample().copy()
        taken[2] = taken[0] if env.frame.masks[2, taken[0]] else taken[2]
        env.step(taken)
        plain.step(np.where(np.arange(3) < 2, taken, plain.sample()))
        for at, each in enumerate(alone):
            each.play(int(taken[at]))
    assert known > 100


@pytest.mark.parametrize("case", [each for each in CASES if each.game.name != "tontine"], ids=str)
def test_beliefs_are_those_of_views_that_heard_everything(case: Case) -> None:
    """And so they are the same in two worlds that a seat cannot tell apart: `tests/engine/test_twin_worlds.py`."""
    bots = dict.fromkeys(range(1, case.players), "random")
    env = env_of(case, 2, seats=bots, beliefs=3, episode="deal")
    alone = [Alone(case, bots, at, 2, believing=True, episode="deal") for at in range(2)]
    unsure = 0
    for turn in range(60):
        for at, each in enumerate(alone):
            view = each.views[each.state.seat].see(each.state)
            told = believed(view)
            assert env.frame.observations[at].tobytes() == written(view) + remembered(view) + told
            unsure += any(0 < number < 255 for number in told)
        taken = env.sample().copy()
        env.step(taken)
        for at, each in enumerate(alone):
            each.play(int(taken[at]))
    assert unsure > 20 or (case.game.name == "lost-heir" and case.players == 2)


def test_a_fork_believes_the_same_and_goes_on_by_itself() -> None:
    env = VectorEnv("masquerade", 3, mine=0, beliefs=6, seed=SEED, games=9)
    for _ in range(9):
        env.step(env.sample())
    env.fork(0, [1, 2])
    steps = env.sample()
    steps[1] = steps[0]
    parted = False
    for _ in range(6):
        frame = env.step(steps)
        assert np.array_equal(frame.observations[0], frame.observations[1])
        parted = parted or not np.array_equal(frame.observations[0], frame.observations[2])
        steps = env.sample()
        steps[1] = steps[0]
    assert parted


@pytest.mark.parametrize("name", ["masquerade", "lost-heir", "heraldry"])
def test_what_is_believed_is_true_as_often_as_it_says(name: str) -> None:
    """Cards that a seat believes another to hold with some probability are there in that share of the cases."""
    env = VectorEnv(name, 32, beliefs=200, hidden=True, seed=SEED, mine=0, against="random")
    told, true = [], []
    for _ in range(30):
        frame = env.step(env.sample())
        assert env.hidden is not None
        told.append(env.fields.named(frame.observations)["belief_hand"] / 255)
        true.append(env.hidden_fields.named(env.hidden)["hand"].astype(float))
    beliefs, hands = np.concatenate(told), np.concatenate(true)
    assert abs(beliefs.mean() - hands.mean()) < 0.002  # every card lies somewhere
    for low, high in ((0.05, 0.3), (0.3, 0.6), (0.6, 0.95)):
        among = (low < beliefs) & (beliefs < high)
        if among.sum() > 500:
            assert abs(beliefs[among].mean() - hands[among].mean()) < 0.12
    assert hands[beliefs == 1].mean() > 0.95 and hands[beliefs == 0].mean() < 0.02


@pytest.mark.parametrize("case", [each for each in CASES if each.game.name != "tontine"], ids=str)
def test_hidden_cards_are_in_an_array_of_their_own(case: Case) -> None:
    env, plain = env_of(case, 4, hidden=True), env_of(case, 4)
    alone = [Alone(case, {}, at, 4) for at in range(4)]
    assert env.hidden is not None and plain.hidden is None and not env.hidden.flags.writeable
    codes = case.game.codes
    for _ in range(120):
        assert all(np.array_equal(one, other) for one, other in zip(env.frame, plain.frame, strict=True))
        named = env.hidden_fields.named(env.hidden)
        hands = named["coins" if case.game.name == "sovereign" else "hand"].reshape(4, case.players - 1, -1)
        for at, each in enumerate(alone):
            where = each.state.where()
            for turn in range(1, case.players):
                hand = where[f"hand {(each.state.seat + turn) % case.players}"]
                assert hands[at, turn - 1].tolist() == [hand.count(card) for card in range(len(codes))]
            if case.game.name == "heraldry":
                assert [card - 1 for card in named["pack"][at].tolist() if card] == where["pack"]
            if case.game.name == "sovereign":
                for name, place in (("surplus_cards", "surplus"), ("aside_cards", "aside")):
                    assert [card - 1 for card in named[name][at].tolist() if card] == where[place]
        taken = env.sample().copy()
        env.step(taken)
        plain.step(taken)
        for at, each in enumerate(alone):
            each.play(int(taken[at]))


# --- refusals ---------------------------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"episode": "round"}, "An episode must be a 'sitting' or a 'deal', not 'round'."),
    ({"mine": 4}, "A learning seat must be from 0 to 3."),
    ({"mine": "all"}, "The learning seat must be a number, an array or 'rotate', not 'all'."),
    ({"mine": [0, 1]}, "The learning seats must be one whole number, or 3 of them."),
    ({"mine": 0, "seats": {}}, "Give the seat that learns (mine), or who plays which seat (seats), not both."),
    ({"mine": 0, "against": "expert"}, "A seat is played by 'thumb', 'random' or a function, not by 'expert'."),
    ({"seats": {4: "thumb"}}, "There are seats 0 to 3, not 4."),
    ({"seats": {"1": "thumb"}}, "A seat must be a whole number of at least 0, not '1'."),
    ({"seats": dict.fromkeys(range(4), "thumb")}, "At least one seat must be left to learn."),
    ({"game": "tontine", "memory": True}, "There is nothing to remember in Tontine."),
    ({"game": "tontine", "hidden": True}, "Nothing is hidden in Tontine."),
    ({"game": "tontine", "beliefs": 8}, "Nothing is hidden in Tontine."),
    ({"beliefs": -1}, "The number of sampled worlds (beliefs) must be a whole number of at least 0, not -1."),
    ({"finals": True}, "Final observations are for environments in which one seat of each place learns."),
    ({"game": "tontine", "skip_forced": True}, "Every step of Tontine is forced, so none can be skipped."),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_an_impossible_arrangement_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        VectorEnv(**{"game": "lost-heir", "sittings": 3, **given})


def test_impossible_numbers_and_forks_are_refused() -> None:
    env = VectorEnv("lost-heir", 3, seed=SEED)
    before = env.frame.copy()
    for numbers in ([1, 2], [0.5, 1, 2], [[1, 2, 3]]):
        with pytest.raises(ValueError, match=r"^The numbers of sittings must be 3 whole numbers\.$"):
            env.reset(numbers=np.array(numbers))
    for number in (-1, 1 << 62):
        with pytest.raises(ValueError, match=r"^The number of a sitting must be from 0 to below 2\^62\.$"):
            env.reset(numbers=np.array([0, 1, number]))
    for sources, targets, sentence in [
        ([0], [3], "A place to fork must be from 0 to 2."),
        ([0.5], [1], "Places to fork must be whole numbers."),
        ([0, 1], [2], "2 places cannot be copied to 1."),
        ([0, 1], [1, 2], "A place can be copied to only once, and not be copied from as well."),
        ([0, 1], [2, 2], "A place can be copied to only once, and not be copied from as well."),
    ]:
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            env.fork(sources, targets)
    with pytest.raises(Refusal, match=r"^Sitting 1: "):
        env.step(np.array([0, 50, 0]))
    assert all(np.array_equal(one, other) for one, other in zip(env.frame, before, strict=True))


# --- nothing at a table reaches the true state ------------------------------------------------------------------------

TRUE_STATES = re.compile(
    r"(?m)^\s*(from|import)\b.*\b(batch|vector|gymnasium)\b|engine\.batch|research\.(vector|gymnas)"
)
FREE = ("research.", "_moved", "engine.build")  # the research interfaces, and lists of modules


def test_nothing_at_a_table_can_reach_true_states() -> None:
    """Action values, forks and hidden cards are behind modules that nothing outside the research interfaces imports."""
    found = {name for name, path in module_paths().items() if TRUE_STATES.search(path.read_text(encoding="utf-8"))}
    assert {"research.vector", "research.gymnasium"} <= found  # the pattern finds imports
    assert not {name for name in found if not name.startswith(FREE)}
    code = (
        "import sys, parlour.server, parlour.cli.main, parlour.play.sitting, parlour.players.seats; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "parlour.players.bots" in done.stdout and "parlour.engine.batch" not in done.stdout
