"""What the OpenSpiel states show: a seat sees only what it may know, and resampled states agree with that."""

from __future__ import annotations

import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import Any

import numpy as np
import pyspiel
import pytest

from parlour import Seeded
from parlour.records.record import script_of
from parlour.research.openspiel import RECALL
from support import twins
from support.cases import Case, World, played
from support.spiel import ENDGAMES, OTHERS, SMALL, UNITS, alike, decisions, load, settle, whole_tree
from support.twins import TWINS, Script, Twin, changed, compare

# --- resampling -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*UNITS, *OTHERS, *ENDGAMES])
def test_a_resampled_state_is_the_same_to_the_player_and_can_be_played(text: str) -> None:
    game = load(text)
    sampler = random.Random(4).random
    still = game.profile.hidden_cards_stay
    differ = 0
    for number, state in enumerate(decisions(game.new_initial_state(), 2)):
        if number % 7 and not game.worlds:
            continue
        for seat in {state.current_player(), 0}:
            other = state.resample_from_infostate(seat, sampler)
            assert alike(state, other, seat)
            differ += state.session.state.where() != other.session.state.where()
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
def test_equal_information_states_in_resampled_worlds_have_the_same_choices(text: str) -> None:
    """Searches rely on this: it holds for all seats in the worlds resampled for one of them."""
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
    """In an end-game all worlds that agree with a hand are equally likely, and so they are when resampled."""
    game = load("parlour_lost_heir(players=3,cards_left=2,seed=4)")
    state = game.new_initial_state().child(17)
    seat = state.current_player()
    held = [at for at in range(len(game.worlds)) if alike(game.new_initial_state().child(at), state, seat)]
    sampler = random.Random(1).random
    drawn = [state.resample_from_infostate(seat, sampler).history()[0] for _ in range(100 * len(held))]
    assert len(held) > 3 and set(drawn) == set(held)
    assert all(60 < drawn.count(at) < 145 for at in held)


def test_hidden_cards_of_an_earlier_deal_are_resampled_too() -> None:
    """After a deal in which all passed, a seat has seen only its own hand of it; the rest is resampled."""
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


def test_where_hidden_cards_move_a_resampled_state_has_no_history_and_cannot_be_serialised() -> None:
    state = load("parlour_masquerade").new_initial_state()
    settle(state, random.Random(1))
    other = state.resample_from_infostate(0, random.Random(1).random)
    assert other.history() == []
    with pytest.raises(TypeError, match="no history"):
        other.serialize()
    with pytest.raises(ValueError, match="resample the original"):
        other.resample_from_infostate(0, random.Random(1).random)


@pytest.mark.parametrize("text", ["parlour_masquerade", "parlour_sovereign(players=3)"])
def test_clones_of_a_resampled_state_remember_the_same(text: str) -> None:
    sampler = random.Random(3).random
    remembered = set()
    for number, state in enumerate(decisions(load(text).new_initial_state(), 6)):
        if number % 6 == 5:
            seat = state.current_player()
            other = state.resample_from_infostate(seat, sampler)
            other.information_state_tensor(seat)  # this state listens from now on; its clone must hear everything again
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
def test_a_seat_that_may_give_change_has_change_in_every_resampled_world(seed: int, number: int) -> None:
    """What is known of the hand makes change unlikely here; but the seat has the turn, so it must have change."""
    state = next(islice(decisions(load("parlour_sovereign(players=2)").new_initial_state(), seed), number, None))
    other = 1 - state.current_player()
    sampler = random.Random(1).random
    hands = set()
    for _ in range(30):
        world = state.resample_from_infostate(other, sampler)
        assert alike(state, world, other)
        assert any(world.action_to_string(step).startswith("offer") for step in world.legal_actions())
        hands.add(tuple(world.session.state.where()[f"hand {1 - other}"]))
    assert len(hands) > 1


def test_a_chance_node_cannot_be_resampled() -> None:
    with pytest.raises(ValueError, match="only where a seat decides"):
        load("parlour_heraldry").new_initial_state().resample_from_infostate(0, random.Random(1).random)


# --- information hiding -----------------------------------------------------------------------------------------------


class SpielWorld(World):
    """A world with an OpenSpiel state in which the same happens; a seat sees what that state shows."""

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
    def __init__(self, case: Case, script: Script, luck: int, believing: bool = False) -> None:
        super().__init__(case, script, luck)
        self.world = SpielWorld(case)


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_equal_transcripts_give_equal_observations(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "Twin", SpielTwin)
    luck = random.Random(str(case))
    hidden = 0
    for seed in range(2):
        sitting = played(case.sitting(seed), Seeded(seed), 25)
        for number in range(4):
            hidden += compare(case, sitting, changed(script_of(case.game, sitting.log), luck), 100 * seed + number)
    assert hidden > 4 or case.game.name == "tontine"


@pytest.mark.parametrize("text", ["parlour_lost_heir", "parlour_heraldry", "parlour_lost_heir(players=6)", *ENDGAMES])
def test_information_states_name_no_unseen_card(text: str) -> None:
    game = load(text)
    found = 0
    for seed in range(20 if game.worlds else 3):
        for state in decisions(game.new_initial_state(), seed):
            where = state.session.state.where()
            for seat in range(game.num_players()):
                unseen = [cards for place, cards in where.items() if place.startswith("hand") or place == "pack"]
                hidden = {game.setup.game.code(card) for card in chain(*unseen)}
                hidden -= {game.setup.game.code(card) for card in where[f"hand {seat}"]}
                named = set(re.findall(r'"(\w+)"', state.information_state_string(seat)))
                assert not named & hidden
                found += len(hidden)
    assert found > 100


@pytest.mark.parametrize("text", ["parlour_masquerade", "parlour_sovereign", "parlour_lost_heir(players=3)"])
def test_nothing_is_shown_during_a_deal(text: str) -> None:
    """Two deals look the same to every seat after every card, until the deal is complete."""
    game = load(text)
    one, other = game.new_initial_state(), game.new_initial_state()
    differ = 0
    while one.is_chance_node():
        left, right = one.legal_actions(), other.legal_actions()
        single = len(left) <= game.num_players()  # the dealer is public
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
            break  # the first dealer is public
    assert differ > 20


def test_only_its_player_knows_an_unfinished_move() -> None:
    going_on = 0
    for state in decisions(load("parlour_heraldry(players=2)").new_initial_state(), 4):
        mine = state.current_player()
        for step in state.legal_actions():
            after = state.child(step)
            if after.session.state.unfinished:
                assert state.action_to_string(step) in after.information_state_string(mine).splitlines()[-1]
                assert after.information_state_string(mine) != state.information_state_string(mine)
                assert after.information_state_string(1 - mine) == state.information_state_string(1 - mine)
                going_on += state.session.state.unfinished > 0
    assert going_on


def own_histories(state: Any, depth: int) -> Any:
    """Every decision up to a depth, with the steps that its seat has taken before."""
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
def test_equal_information_states_follow_the_same_own_steps(text: str, depth: int) -> None:
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


def test_only_the_seat_that_took_steps_knows_their_order() -> None:
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


def test_the_observation_tensor_is_the_encoding_of_the_view() -> None:
    for text in UNITS:
        game = load(text)
        for number, state in enumerate(decisions(game.new_initial_state(), 3)):
            seat = state.current_player()
            view = game.setup.game.view(state.session.state, seat)
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
def test_the_information_state_tensor_distinguishes_what_the_string_does(text: str) -> None:
    """In one deal of these games the tensor holds everything that was told, except the order of steps."""
    game = load(text)
    tensors: dict[str, bytes] = {}
    if game.worlds:
        states = whole_tree(game.new_initial_state())
    else:
        dealt = game.new_initial_state()
        settle(dealt, random.Random(1))
        states = (state for seed in range(6) for state in decisions(dealt.clone(), seed))
    for state in states:
        if state.session is not None and not state.session.pending:
            tensor = np.array(state.information_state_tensor(0), np.float32).tobytes()
            told = re.sub(r'\["steps".*\n', "", state.information_state_string(0))
            assert tensors.setdefault(told, tensor) == tensor
            assert len(state.session.rows(0)) <= RECALL
    assert len(set(tensors.values())) == len(tensors) > 20


def test_threads_do_not_affect_each_other() -> None:
    """The same play, alone and beside other threads, gives each seat the same strings and tensors."""
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


def test_an_interrupted_step_leaves_nothing_in_another_session() -> None:
    state = load("parlour_heraldry").new_initial_state()
    settle(state, random.Random(1))
    before = state.information_state_string(0)
    other = state.clone()
    other.session.state.journal = other.session.setup.scratch.journal
    other.session.state.play(other.legal_actions()[0])
    again = load("parlour_heraldry").new_initial_state()
    settle(again, random.Random(1))
    assert again.information_state_string(0) == before


def test_sides_are_encoded_from_the_own_side_on() -> None:
    """In the tensor of partners a score belongs to their own side; for the others it is the next side's."""
    game = load("parlour_lost_heir(players=6,sides=three)")
    kind = game.setup.game.kinds["score"]
    sides = []
    for state in decisions(game.new_initial_state(), 1):
        sides = [row[1] for row in state.session.rows(0) if row[0] == kind]
        if len(set(sides)) == 3:
            break
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    kinds = len(game.setup.game.entries)
    for seat in range(6):
        observer.set_from(state, seat)
        told = observer.dict["told"]
        scores = told[told[:, kind] == 1]
        assert scores[:, kinds : kinds + 12].nonzero()[1].tolist() == [(side - seat) % 3 for side in sides]
        assert not scores[:, -1].any()  # the points are the only number
