"""The games of OpenSpiel: its own tests, its players and solvers, and that a seat is shown only what it may know."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
)

import parlour
from parlour import Refusal, Seeded
from parlour.records.record import script_of
from parlour.research import endgames
from parlour.research.openspiel import PLAYS, RECALL, Thumb, parameters
from parlour.research.session import Referee
from parlour.sheets.model import OptionError
from support import twins
from support.cases import Case, World, played
from support.twins import TWINS, Script, Twin, changed, compare

UNITS = [
    "parlour_masquerade",
    "parlour_lost_heir",
    "parlour_sovereign",
    "parlour_heraldry",
    "parlour_tontine(players=5)",
]
OTHERS = [
    "parlour_masquerade(players=8,following=strict,exchange=courtesy)",
    "parlour_lost_heir(players=6,sides=three,mistakes=penalised,odd_cards=free,deal_limit=2)",
    "parlour_sovereign(players=4,mistakes=penalised,thrown=under,rounds=1,games=2,round_limit=3)",
    "parlour_heraldry(players=3,capture=choice,twelfth=last_trick,deals=2)",
    "parlour_tontine(players=7,settle=together,deals=9)",
]
ENDINGS = ["parlour_lost_heir(players=3,cards_left=2,seed=6)", "parlour_heraldry(players=2,cards_left=2,seed=7)"]
SMALL = ENDINGS[0]


@cache
def load(text: str) -> Any:
    return pyspiel.load_game(text)


def settle(state: Any, luck: random.Random) -> None:
    """Let chance have its turns."""
    while state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(luck.choices(outcomes, shares)[0])


def decisions(state: Any, seed: int) -> Any:
    """Play at random, and stop wherever somebody is to decide."""
    luck = random.Random(seed)
    settle(state, luck)
    while not state.is_terminal():
        yield state
        state.apply_action(luck.choice(state.legal_actions()))
        settle(state, luck)


def whole_tree(state: Any) -> Any:
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from whole_tree(state.child(action))


# --- OpenSpiel's own tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*UNITS, *OTHERS, *ENDINGS])
def test_its_random_simulations_pass(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=1 if text in OTHERS else 2, serialize=True, verbose=False)


def test_it_writes_down_a_playthrough() -> None:
    lines = generate_playthrough.playthrough(ENDINGS[1], None, seed=3).splitlines()
    assert sum(line.startswith("# State ") for line in lines) > 4
    private = [line for line in lines if line.startswith("PrivateObservationString(0)")]
    public = [line for line in lines if line.startswith("PublicObservationString")]
    assert '"hand": [' in private[-3].replace("\\", "") and '"hand": []' in public[-3].replace("\\", "")


def test_all_five_are_registered_with_every_option() -> None:
    assert list(PLAYS) == list(parlour.REGISTRY)
    for name, game in parlour.REGISTRY.items():
        short = f"parlour_{name.replace('-', '_')}"
        assert short in pyspiel.registered_names()
        given = load(short).get_parameters()
        assert {option.name for option in game.sheet.options} < set(given) and given == parameters(game.sheet)


@pytest.mark.parametrize("text", [*UNITS, *OTHERS])
def test_returns_are_scores_less_their_mean_and_within_their_bounds(text: str) -> None:
    game = load(text)
    for seed in range(20):
        state = game.new_initial_state()
        count = sum(1 for _ in decisions(state, seed))
        returns, scores = state.returns(), state.referee.state.scores()
        mean = sum(scores) / len(scores)
        assert returns == pytest.approx([scores[seat % len(scores)] - mean for seat in range(game.num_players())])
        assert sum(returns) == pytest.approx(0)
        assert game.min_utility() <= min(returns) and max(returns) <= game.max_utility()
        assert count <= game.max_game_length()
        assert len(state.history()) - count <= game.max_chance_nodes_in_history()


def test_the_unit_of_play_is_one_deal_or_game() -> None:
    ended = {}
    for text in [*UNITS, "parlour_tontine(players=5,deals=3)", "parlour_heraldry(deals=2)"]:
        state = load(text).new_initial_state()
        for _ in decisions(state, 1):
            pass
        ended[text] = (state.referee.state.deals, bool(state.referee.state.over))
    assert ended.pop("parlour_tontine(players=5)")[1]
    assert ended == {
        "parlour_masquerade": (1, True),
        "parlour_lost_heir": (1, True),
        "parlour_sovereign": (1, True),
        "parlour_heraldry": (2, False),  # the second was begun, but is not played
        "parlour_tontine(players=5,deals=3)": (3, False),
        "parlour_heraldry(deals=2)": (3, False),
    }


@pytest.mark.parametrize("text", [*UNITS[:3], "parlour_heraldry(deals=1000)", UNITS[4]])
def test_the_same_luck_and_steps_give_the_scores_of_a_sitting(text: str) -> None:
    game = load(text)
    options = game.setup.options
    for seed in range(3):
        sitting = played(
            parlour.Sitting(game.setup.game, game.num_players(), seed=seed, **options), Seeded(seed), limit=10**6
        )
        chances = chain(*(items for _, items in script_of(game.setup.game, sitting.log)))
        steps = (step for move in sitting.moves for step in move.steps)
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(next(chances) if state.is_chance_node() else next(steps))
        assert state.referee.state.over and state.referee.state.scores() == sitting.scores()


# --- its players ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mcts", "ismcts"])
@pytest.mark.parametrize("text", [*UNITS, OTHERS[0], SMALL])
def test_its_players_play_whole_sittings(text: str, kind: str) -> None:
    game = load(text)
    luck = np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    if kind == "mcts":
        bot = mcts.MCTSBot(game, 2.0, 4, evaluator, random_state=luck)
    else:
        bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 4, random_state=luck)
    asked = 0
    for state in decisions(game.new_initial_state(), 3):
        if state.current_player() == 0 and asked < 12:
            assert bot.step(state) in state.legal_actions()
            asked += 1
    assert asked and state.is_terminal()


# --- resampling -------------------------------------------------------------------------------------------------------


def alike(one: Any, other: Any, seat: int) -> bool:
    """Whether two states are the same to a seat, what is public and what is private to it taken alone too."""
    single, nothing = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    private = pyspiel.IIGObservationType(perfect_recall=False, public_info=False, private_info=single)
    public = pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=nothing)
    observers = [one.get_game().make_py_observer(kind) for kind in (private, public)]
    return all(watch.string_from(one, seat) == watch.string_from(other, seat) for watch in observers) and bool(
        one.information_state_string(seat) == other.information_state_string(seat)
        and one.current_player() == other.current_player()
        and one.legal_actions(seat) == other.legal_actions(seat)
        and one.observation_string(seat) == other.observation_string(seat)
        and one.observation_tensor(seat) == other.observation_tensor(seat)
        and one.information_state_tensor(seat) == other.information_state_tensor(seat)
    )


@pytest.mark.parametrize("text", [*UNITS, *OTHERS, *ENDINGS])
def test_a_resampled_state_is_the_same_to_the_player_and_can_be_played(text: str) -> None:
    game = load(text)
    sampler = random.Random(4).random
    still = PLAYS[game.name].lies_still
    differ = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 2)):
        if number % 7 and not game.worlds:
            continue
        for seat in {state.current_player(), 0}:
            other = state.resample_from_infostate(seat, sampler)
            assert alike(state, other, seat)
            differ += state.referee.state.where() != other.referee.state.where()
            if still:
                again = game.new_initial_state()
                for action in other.history():
                    again.apply_action(action)
                assert str(again) == str(other)
                written = pyspiel.serialize_game_and_state(game, other)
                assert str(pyspiel.deserialize_game_and_state(written)[1]) == str(other)
            for _ in decisions(other.clone(), number):
                pass
        if number > 60:
            break
    assert differ or game.setup.game.name == "tontine" or game.worlds


@pytest.mark.parametrize("text", [*UNITS, *OTHERS[:4]])
def test_who_knows_the_same_in_resampled_worlds_has_the_same_choices(text: str) -> None:
    """What a search stands on: all seats' information states in the worlds that one seat imagines."""
    sampler = random.Random(7).random
    choices: dict[tuple[int, str], list[int]] = {}
    met = 0
    for number, state in enumerate(decisions(load(text).new_initial_state(), 5)):
        if number % 10 == 3:
            for _ in range(4):
                other = state.resample_from_infostate(state.current_player(), sampler)
                for steps, each in enumerate(decisions(other, 1)):
                    key = each.current_player(), each.information_state_string()
                    met += key in choices
                    assert choices.setdefault(key, each.legal_actions()) == each.legal_actions()
                    if steps == 12:
                        break
        if number > 60:
            break
    assert met


def test_resampling_is_fair() -> None:
    """In an ending all worlds that agree with a hand are equally likely; so are they when they are resampled."""
    game = load("parlour_lost_heir(players=3,cards_left=2,seed=0)")
    state = game.new_initial_state().child(17)
    seat = state.current_player()
    held = [at for at in range(len(game.worlds)) if alike(game.new_initial_state().child(at), state, seat)]
    sampler = random.Random(1).random
    drawn = [state.resample_from_infostate(seat, sampler).history()[0] for _ in range(100 * len(held))]
    assert len(held) > 3 and set(drawn) == set(held)
    assert all(60 < drawn.count(at) < 145 for at in held)


def test_the_hidden_cards_of_a_deal_thrown_in_lie_anywhere() -> None:
    """Where all passed, a seat has seen its own hand and no other: the rest of that deal is resampled too."""
    game = load("parlour_lost_heir(players=3,deal_limit=2)")
    state, luck = game.new_initial_state(), random.Random(2)
    for _ in range(3):
        settle(state, luck)
        state.apply_action(state.string_to_action("pass"))
    settle(state, luck)
    seat, first = state.current_player(), slice(1, 49)
    earlier = set()
    for _ in range(10):
        other = state.resample_from_infostate(seat, luck.random)
        assert alike(state, other, seat)
        earlier.add(tuple(other.history()[first]))
    assert len(earlier) == 10 and tuple(state.history()[first]) not in earlier


def test_where_cards_wander_a_resampled_state_has_no_past_and_is_not_written_down() -> None:
    state = load("parlour_masquerade").new_initial_state()
    settle(state, random.Random(1))
    other = state.resample_from_infostate(0, random.Random(1).random)
    assert other.history() == []
    with pytest.raises(TypeError, match="no beginning"):
        other.serialize()
    with pytest.raises(ValueError, match="ask the true one"):
        other.resample_from_infostate(0, random.Random(1).random)


@pytest.mark.parametrize("text", ["parlour_masquerade", "parlour_sovereign(players=3)"])
def test_what_is_remembered_in_a_resampled_state_is_the_same_in_its_clones(text: str) -> None:
    sampler = random.Random(3).random
    remembered = set()
    for number, state in enumerate(decisions(load(text).new_initial_state(), 6)):
        if number % 6 == 5:
            seat = state.current_player()
            other = state.resample_from_infostate(seat, sampler)
            other.information_state_tensor(seat)  # from now on this one listens, and its clone must hear it afresh
            for steps, each in enumerate(decisions(other, 2)):
                for player in range(state.num_players()):
                    assert each.clone().information_state_tensor(player) == each.information_state_tensor(player)
                remembered.add(each.observation_string(seat))
                if steps == 5:
                    break
        if number > 40:
            break
    assert len(remembered) > 10


@pytest.mark.parametrize(("seed", "number"), [(1343, 16), (1436, 166)])
def test_who_may_give_change_after_a_take_has_it_in_every_world_of_the_other(seed: int, number: int) -> None:
    """Here what is known of his hand makes it unlikely that he has change; but he has the turn, and so he has."""
    state = next(islice(decisions(load("parlour_sovereign(players=2)").new_initial_state(), seed), number, None))
    other = 1 - state.current_player()
    sampler = random.Random(1).random
    hands = set()
    for _ in range(30):
        world = state.resample_from_infostate(other, sampler)
        assert alike(state, world, other)
        assert any(world.action_to_string(step).startswith("offer") for step in world.legal_actions())
        hands.add(tuple(world.referee.state.where()[f"hand {1 - other}"]))
    assert len(hands) > 1


def test_resampling_needs_somebody_to_decide() -> None:
    with pytest.raises(ValueError, match="where a seat is to decide"):
        load("parlour_heraldry").new_initial_state().resample_from_infostate(0, random.Random(1).random)


# --- what a seat is shown ---------------------------------------------------------------------------------------------


class SpielWorld(World):
    """A world with a state of OpenSpiel beside it, in which the same happens; what is seen is what that shows."""

    def __init__(self, given: Case) -> None:
        options = {name: 0 if value == "auto" else value for name, value in given.options.items()}
        length = {"deals": 10_000} if given.game.name in ("heraldry", "tontine") else {}
        short = f"parlour_{given.game.name.replace('-', '_')}"
        self.spiel = pyspiel.load_game(short, {"players": given.players} | options | length).new_initial_state()
        nothing = pyspiel.PrivateInfoType.NONE
        kinds = [pyspiel.IIGObservationType(perfect_recall=recall, private_info=nothing) for recall in (False, True)]
        self.public = [self.spiel.get_game().make_py_observer(kind) for kind in kinds]
        super().__init__(given)

    def give(self, items: list[int]) -> None:
        super().give(items)
        for item in items:
            self.spiel.apply_action(item)

    def play(self, step: int) -> None:
        super().play(step)
        self.spiel.apply_action(step)

    def seen(self, seat: int) -> Any:
        if seat < 0:
            shown = []
            for observer in self.public:
                observer.set_from(self.spiel, 0)
                shown += [observer.string_from(self.spiel, 0), observer.tensor.tobytes()]
            return shown
        state = self.spiel
        return (
            state.information_state_string(seat),
            state.observation_string(seat),
            state.information_state_tensor(seat),
            state.observation_tensor(seat),
            state.legal_actions(seat) if state.current_player() == seat else [],
        )


class SpielTwin(Twin):
    def __init__(self, case: Case, script: Script, luck: int) -> None:
        super().__init__(case, script, luck)
        self.world = SpielWorld(case)


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_who_was_told_the_same_is_shown_the_same(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "Twin", SpielTwin)
    luck = random.Random(str(case))
    hidden = 0
    for seed in range(2):
        sitting = played(case.sitting(seed), Seeded(seed), 25)
        for number in range(4):
            hidden += compare(case, sitting, changed(script_of(case.game, sitting.log), luck), 100 * seed + number)
    assert hidden > 4 or case.game.name == "tontine"


@pytest.mark.parametrize("text", ["parlour_lost_heir", "parlour_heraldry", "parlour_lost_heir(players=6)", *ENDINGS])
def test_no_card_is_named_that_was_not_seen(text: str) -> None:
    game = load(text)
    found = 0
    for seed in range(20 if game.worlds else 3):
        for state in decisions(game.new_initial_state(), seed):
            where = state.referee.state.where()
            for seat in range(game.num_players()):
                unseen = [cards for place, cards in where.items() if place.startswith("hand") or place == "pack"]
                hidden = {game.setup.game.code(card) for card in chain(*unseen)}
                hidden -= {game.setup.game.code(card) for card in where[f"hand {seat}"]}
                named = set(re.findall(r'"(\w+)"', state.information_state_string(seat)))
                assert not named & hidden
                found += len(hidden)
    assert found > 100


@pytest.mark.parametrize("text", ["parlour_masquerade", "parlour_sovereign", "parlour_lost_heir(players=3)"])
def test_nothing_is_shown_while_cards_are_dealt(text: str) -> None:
    """Two deals, seen from every seat after every card: nobody is shown any of it before the deal is whole."""
    game = load(text)
    one, other = game.new_initial_state(), game.new_initial_state()
    differ = 0
    while one.is_chance_node():
        left, right = one.legal_actions(), other.legal_actions()
        single = len(left) <= game.num_players()  # the dealer, who is told to all
        one.apply_action(left[0])
        other.apply_action(right[0] if single else right[-1])
        if one.is_chance_node():
            differ += one.history() != other.history()
            for seat in range(game.num_players()):
                assert one.information_state_string(seat) == other.information_state_string(seat)
                assert one.observation_string(seat) == other.observation_string(seat)
                assert one.information_state_tensor(seat) == other.information_state_tensor(seat)
                assert one.observation_tensor(seat) == other.observation_tensor(seat)
        if text == "parlour_masquerade" and len(one.history()) == 32:
            break  # who is first dealer is told
    assert differ > 20


def test_an_unfinished_move_is_known_to_its_player_alone() -> None:
    going_on = 0
    for state in decisions(load("parlour_heraldry(players=2)").new_initial_state(), 4):
        mine = state.current_player()
        for step in state.legal_actions():
            after = state.child(step)
            if after.referee.state.unfinished:
                assert state.action_to_string(step) in after.information_state_string(mine).splitlines()[-1]
                assert after.information_state_string(mine) != state.information_state_string(mine)
                assert after.information_state_string(1 - mine) == state.information_state_string(1 - mine)
                going_on += state.referee.state.unfinished > 0
    assert going_on


def own_histories(state: Any, depth: int) -> Any:
    """Every decision up to a depth, with the steps that who is to decide has taken before it."""
    nodes = [(state, ((),) * state.num_players(), depth)]
    while nodes:
        state, own, left = nodes.pop()
        if state.is_terminal() or not left:
            continue
        seat = state.current_player()
        if seat >= 0:
            yield state, own[seat]
        for action in state.legal_actions():
            after = [*own]
            if seat >= 0:
                after[seat] = (*own[seat], action)
            nodes.append((state.child(action), tuple(after), left - (seat >= 0)))


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("parlour_heraldry(players=2,cards_left=2,seed=1)", 99),
        (SMALL, 99),
        ("parlour_sovereign(players=2,mistakes=penalised)", 4),
    ],
)
def test_who_knows_the_same_has_taken_the_same_steps_in_the_same_order(text: str, depth: int) -> None:
    """Perfect recall."""
    game = load(text)
    state = game.new_initial_state()
    if not game.worlds:
        settle(state, random.Random(2))
    taken: dict[tuple[int, str], tuple[int, ...]] = {}
    for each, steps in own_histories(state, depth):
        key = each.current_player(), each.information_state_string()
        assert taken.setdefault(key, steps) == steps
    assert len(taken) > 50


def test_the_order_of_steps_is_known_to_who_took_them_alone() -> None:
    one = load("parlour_sovereign(players=2,mistakes=penalised)").new_initial_state()
    settle(one, random.Random(2))
    other = one.clone()
    mine = one.current_player()
    first, second = one.legal_actions()[:2]
    for state, steps in ((one, (first, second)), (other, (second, first))):
        for name in (*map(state.action_to_string, steps), "offer done"):
            state.apply_action(state.string_to_action(name))
    assert one.information_state_string(mine) != other.information_state_string(mine)
    assert one.information_state_string(1 - mine) == other.information_state_string(1 - mine)
    assert one.observation_string(mine) == other.observation_string(mine)


def test_the_observation_is_what_a_view_writes() -> None:
    for text in UNITS:
        game = load(text)
        for number, state in enumerate(decisions(game.new_initial_state(), 3)):
            seat = state.current_player()
            view = game.setup.game.view(state.referee.state, seat)
            room = bytearray(game.observation_tensor_size())
            view.encode(room)
            assert state.observation_tensor(seat) == list(map(float, room))
            if number > 30:
                break


@pytest.mark.parametrize(
    "text",
    [
        "parlour_lost_heir(players=2)",
        "parlour_lost_heir",
        "parlour_heraldry(players=2)",
        "parlour_heraldry(players=2,cards_left=2,seed=1)",
        SMALL,
    ],
)
def test_the_tensor_of_an_information_state_tells_apart_what_the_string_does(text: str) -> None:
    """Of one deal of Lost Heir or Heraldry everything that was told is in the tensor, but for the order of steps."""
    game = load(text)
    tensors: dict[str, bytes] = {}
    if game.worlds:
        states = whole_tree(game.new_initial_state())
    else:
        dealt = game.new_initial_state()
        settle(dealt, random.Random(1))
        states = (state for seed in range(6) for state in decisions(dealt.clone(), seed))
    for state in states:
        if state.referee is not None and not state.referee.laid:
            tensor = np.array(state.information_state_tensor(0), np.float32).tobytes()
            told = re.sub(r'\["steps".*\n', "", state.information_state_string(0))
            assert tensors.setdefault(told, tensor) == tensor
            assert len(state.referee.rows(0)) <= RECALL
    assert len(set(tensors.values())) == len(tensors) > 20


def test_what_happens_in_one_thread_is_not_told_in_another() -> None:
    """The same play, alone and while others play: each seat is told, and shown in the tensor, the same."""
    game = load("parlour_lost_heir")

    def shown(seed: int) -> list[Any]:
        state = game.new_initial_state()
        tensors = [np.array(each.information_state_tensor(0)).tobytes() for each in decisions(state, seed)]
        return [state.information_state_string(seat) for seat in range(4)] + tensors[::8]

    seeds = range(6)
    alone = {seed: shown(seed) for seed in seeds}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(shown, [*seeds] * 4))
    finally:
        sys.setswitchinterval(interval)
    assert together == [alone[seed] for seed in seeds] * 4


def test_what_an_interrupted_step_left_is_not_told_in_another_sitting() -> None:
    state = load("parlour_heraldry").new_initial_state()
    settle(state, random.Random(1))
    before = state.information_state_string(0)
    other = state.clone()
    other.referee.state.journal = other.referee.setup.desk.journal
    other.referee.state.play(other.legal_actions()[0])
    again = load("parlour_heraldry").new_initial_state()
    settle(again, random.Random(1))
    assert again.information_state_string(0) == before


def test_a_side_is_told_from_ones_own_on() -> None:
    """In the tensor partners are told the same of a score, and the others that it is the next side's."""
    game = load("parlour_lost_heir(players=6,sides=three)")
    kind = game.setup.game.kinds["score"]
    sides = []
    for state in decisions(game.new_initial_state(), 1):
        sides = [row[1] for row in state.referee.rows(0) if row[0] == kind]
        if len(set(sides)) == 3:
            break
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    kinds = len(game.setup.game.entries)
    for seat in range(6):
        observer.set_from(state, seat)
        told = observer.dict["told"]
        scores = told[told[:, kind] == 1]
        assert scores[:, kinds : kinds + 12].nonzero()[1].tolist() == [(side - seat) % 3 for side in sides]
        assert not scores[:, -1].any()  # of numbers there is one: the points


# --- ends of deals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ENDINGS)
def test_an_ending_holds_every_world_that_looks_the_same_from_outside(text: str) -> None:
    game = load(text)
    setup, truth = game.setup, game.worlds[0]
    size = game.get_parameters()["cards_left"]
    hands = [truth.state.where()[f"hand {seat}"] for seat in range(setup.players)]
    assert [len(hand) for hand in hands] == [size] * setup.players
    cards = sorted(chain(*hands))
    everyone = {card: list(range(setup.players)) for card in cards}
    found = []
    for other in endgames.divisions(cards, setup.players, size, everyone):
        names = dict(zip(chain(*hands), chain(*other), strict=True))
        start, end = truth.deals_at[0], truth.deals_at[0] + 48
        actions = truth.actions
        try:
            world = Referee.replay(
                setup, [*actions[:start], *(names.get(c, c) for c in actions[start:end]), *actions[end:]]
            )
        except Refusal:
            continue
        if world.text(-1) == truth.text(-1):
            found.append(world.state.where())
    assert sorted(map(str, found)) == sorted(str(world.state.where()) for world in game.worlds)
    assert len({str(world.state.where()) for world in game.worlds}) == len(game.worlds) > 1


def test_in_an_ending_who_knows_the_same_has_the_same_choices() -> None:
    choices: dict[str, tuple[int, list[int]]] = {}
    count = 0
    for state in whole_tree(load(SMALL).new_initial_state()):
        if not state.is_terminal() and not state.is_chance_node():
            key = state.information_state_string()
            found = (state.current_player(), state.legal_actions())
            assert choices.setdefault(key, found) == found
            count += 1
    assert len(choices) < count  # some things are hidden


def test_its_solvers_solve_an_ending() -> None:
    game = load(SMALL)
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    solved = exploitability.nash_conv(game, solver.average_policy())
    assert solved < uniform / 4


def test_the_best_answers_to_the_rule_of_thumb_gain_what_nash_conv_says() -> None:
    game = load("parlour_lost_heir(players=3,cards_left=2,seed=4)")
    root, thumb = game.new_initial_state(), Thumb(game)
    values = expected_game_score.policy_value(root, [thumb] * 3)
    best = [best_response.BestResponsePolicy(game, seat, thumb).value(root) for seat in range(3)]
    assert sum(best) - sum(values) == pytest.approx(0.25)
    assert exploitability.nash_conv(game, thumb) == pytest.approx(0.25)


def test_the_rule_of_thumb_is_the_one_of_the_players() -> None:
    game = load("parlour_masquerade")
    thumb = Thumb(game)
    for state in decisions(game.new_initial_state(), 8):
        advised = state.referee.view(state.current_player()).heuristic(Seeded())
        assert thumb.action_probabilities(state) == {advised: 1.0}


def test_the_example_runs() -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "openspiel_endgame.py"
    ran = subprocess.run([sys.executable, str(example), "--rounds", "2"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    figures = dict(re.findall(r"^(random|thumb|CFR).*?(\d+\.\d+)", ran.stdout, re.MULTILINE))
    assert float(figures["CFR"]) < float(figures["random"]) and float(figures["thumb"]) < float(figures["random"])


# --- misuse -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parlour_tontine(players=99)", "4 to 52 players, not 99"),
        ("parlour_masquerade(following=never)", "following must be"),
        ("parlour_sovereign(rounds=7)", "rounds must be auto, 1, 2 or 3"),
        ("parlour_heraldry(deals=0)", "deals must be"),
        ("parlour_lost_heir(players=4,cards_left=6)", "more than 5000 ways"),
        ("parlour_heraldry(players=2,cards_left=4)", "no time of play when all have 4 cards left"),
        ("parlour_heraldry(players=2,cards_left=2147483647)", "no time of play when all have 2147483647 cards left"),
        ("parlour_heraldry(players=2,cards_left=-1)", "cards_left must be a whole number from 0 on, not -1"),
        ("parlour_heraldry(players=2,cards_left=2,deals=3)", "one deal is played, so that deals must be 1"),
        ("parlour_lost_heir(players=3,cards_left=2,deal_limit=2)", "one deal is played, so that deal_limit must be 1"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises((OptionError, ValueError), match=words):
        pyspiel.load_game(text)


def test_a_word_among_numbers_is_0() -> None:
    assert load("parlour_sovereign").setup.options["rounds"] == "auto"
    assert load("parlour_sovereign(rounds=2)").setup.options["rounds"] == 2


def test_only_what_a_seat_or_a_spectator_knows_can_be_observed() -> None:
    game = load("parlour_heraldry")
    with pytest.raises(ValueError, match="one seat knows"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )
    with pytest.raises(ValueError, match="would see nothing"):
        game.make_py_observer(
            pyspiel.IIGObservationType(
                perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.NONE
            )
        )
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"a": 1})


def test_without_openspiel_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import parlour.research.openspiel"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "pip install 'parlour[openspiel]'" in ran.stderr.splitlines()[-1]


def test_a_process_that_used_it_ends_well() -> None:
    code = "import pyspiel, parlour.research.openspiel; pyspiel.load_game('parlour_heraldry').new_initial_state()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
