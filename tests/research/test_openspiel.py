"""The OpenSpiel games: OpenSpiel's own tests, its bots and solvers, end-games, and misuse."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from copy import copy
from itertools import chain, islice
from pathlib import Path

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
from parlour.research.openspiel import Thumb, parameters, register
from parlour.research.session import CHECKPOINT, Session
from parlour.sheets.model import OptionError
from support.cases import played
from support.effort import times
from support.spiel import ENDGAMES, OTHERS, SMALL, UNITS, alike, decisions, load, whole_tree

# --- OpenSpiel's own tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*UNITS, *OTHERS, *ENDGAMES])
def test_the_random_simulations_of_openspiel_pass(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=times(1, 1 if text in OTHERS else 2), serialize=True, verbose=False)


def test_openspiel_generates_a_playthrough() -> None:
    lines = generate_playthrough.playthrough(ENDGAMES[1], None, seed=3).splitlines()
    assert sum(line.startswith("# State ") for line in lines) > 4
    private = [line for line in lines if line.startswith("PrivateObservationString(0)")]
    public = [line for line in lines if line.startswith("PublicObservationString")]
    assert '"hand": [' in private[-3].replace("\\", "") and '"hand": []' in public[-3].replace("\\", "")


def test_every_game_is_registered_with_all_its_options() -> None:
    for name, game in parlour.REGISTRY.items():
        short = f"parlour_{name.replace('-', '_')}"
        assert short in pyspiel.registered_names()
        given = load(short).get_parameters()
        assert {option.name for option in game.sheet.options} < set(given) and given == parameters(game)


@pytest.mark.parametrize("name", ["heraldry", "sovereign"])
def test_a_game_without_a_research_module_can_be_registered_and_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = copy(parlour.game(name))
    game.name = f"plain-{name}"
    monkeypatch.setitem(parlour.REGISTRY, game.name, game)
    register(game)
    loaded = pyspiel.load_game(f"parlour_plain_{name}")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)
    state = next(islice(decisions(loaded.new_initial_state(), 1), 5, None))
    assert alike(state, state.resample_from_infostate(0, random.Random(1).random), 0)


@pytest.mark.parametrize("text", [*UNITS, *OTHERS])
def test_returns_are_scores_less_their_mean_and_within_bounds(text: str) -> None:
    game = load(text)
    for seed in range(20):
        state = game.new_initial_state()
        count = sum(1 for _ in decisions(state, seed))
        returns, scores = state.returns(), state.session.state.scores()
        mean = sum(scores) / len(scores)
        assert returns == pytest.approx([scores[seat % len(scores)] - mean for seat in range(game.num_players())])
        assert sum(returns) == pytest.approx(0)
        assert game.min_utility() <= min(returns) and max(returns) <= game.max_utility()
        assert count <= game.max_game_length()
        assert len(state.history()) - count <= game.max_chance_nodes_in_history()


def test_an_episode_is_one_deal_or_game() -> None:
    ended = {}
    for text in [*UNITS, "parlour_tontine(players=5,deals=3)", "parlour_heraldry(deals=2)"]:
        state = load(text).new_initial_state()
        for _ in decisions(state, 1):
            pass
        ended[text] = (state.session.state.deals, bool(state.session.state.over))
    assert ended.pop("parlour_tontine(players=5)")[1]
    assert ended == {
        "parlour_masquerade": (1, True),
        "parlour_lost_heir": (1, True),
        "parlour_sovereign": (1, True),
        "parlour_heraldry": (2, False),  # the second has begun, but is not played
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
        assert state.session.state.over and state.session.state.scores() == sitting.scores()


# --- OpenSpiel's bots -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mcts", "ismcts"])
@pytest.mark.parametrize("text", [*(pytest.param(text, marks=pytest.mark.long) for text in UNITS), OTHERS[0], SMALL])
def test_the_bots_of_openspiel_play_whole_sittings(text: str, kind: str) -> None:
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


# --- end-games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ENDGAMES)
def test_an_end_game_has_every_world_that_looks_the_same_to_a_spectator(text: str) -> None:
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
        start, end = truth.deal_starts[0], truth.deal_starts[0] + 48
        actions = truth.actions
        try:
            world = Session.replay(
                setup, [*actions[:start], *(names.get(c, c) for c in actions[start:end]), *actions[end:]]
            )
        except Refusal:
            continue
        if world.transcript(-1) == truth.transcript(-1):
            found.append(world.state.where())
    assert sorted(map(str, found)) == sorted(str(world.state.where()) for world in game.worlds)
    assert len({str(world.state.where()) for world in game.worlds}) == len(game.worlds) > 1


def test_in_an_end_game_equal_information_states_have_the_same_choices() -> None:
    choices: dict[str, tuple[int, list[int]]] = {}
    count = 0
    for state in whole_tree(load(SMALL).new_initial_state()):
        if not state.is_terminal() and not state.is_chance_node():
            key = state.information_state_string()
            found = (state.current_player(), state.legal_actions())
            assert choices.setdefault(key, found) == found
            count += 1
    assert len(choices) < count  # something is hidden


def test_the_solvers_of_openspiel_solve_an_end_game() -> None:
    game = load(SMALL)
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    solved = exploitability.nash_conv(game, solver.average_policy())
    assert solved < uniform / 4


def test_best_responses_to_thumb_gain_what_nash_conv_says() -> None:
    game = load("parlour_lost_heir(players=3,cards_left=2,seed=4)")
    root, thumb = game.new_initial_state(), Thumb(game)
    values = expected_game_score.policy_value(root, [thumb] * 3)
    best = [best_response.BestResponsePolicy(game, seat, thumb).value(root) for seat in range(3)]
    assert sum(best) - sum(values) == pytest.approx(2 / 7)
    assert exploitability.nash_conv(game, thumb) == pytest.approx(2 / 7)


def test_thumb_takes_the_advice_of_the_view() -> None:
    game = load("parlour_masquerade")
    thumb = Thumb(game)
    for state in decisions(game.new_initial_state(), 8):
        advised = state.session.view(state.current_player()).heuristic(Seeded())
        assert thumb.action_probabilities(state) == {step: step == advised for step in state.legal_actions()}


@pytest.mark.parametrize("text", [SMALL, "parlour_lost_heir(players=2,cards_left=3,seed=4)"])
def test_the_solvers_of_openspiel_in_c_agree_with_those_in_python(text: str) -> None:
    game = load(text)
    thumb = Thumb(game)
    given = {
        state.information_state_string(): list(thumb.action_probabilities(state).items())
        for state in whole_tree(game.new_initial_state())
        if state.current_player() >= 0
    }
    table = policy.python_policy_to_pyspiel_policy(thumb.to_tabular())
    gained = exploitability.nash_conv(game, thumb)
    assert pyspiel.nash_conv(game, given) == pytest.approx(gained)
    assert pyspiel.nash_conv(game, table) == pytest.approx(gained)
    root = game.new_initial_state()
    for seat in range(game.num_players()):
        best = pyspiel.TabularBestResponse(game, seat, given).value_from_state(root)
        assert best == pytest.approx(best_response.BestResponsePolicy(game, seat, thumb).value(root))
    solver = pyspiel.CFRSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert pyspiel.nash_conv(game, solver.average_policy()) < uniform / 2
    if game.num_players() == 2:
        assert pyspiel.exploitability(game, given) == pytest.approx(gained / 2)


@pytest.mark.parametrize(
    "text", ["parlour_masquerade(games=3)", "parlour_lost_heir(deal_limit=3)", "parlour_sovereign(games=9)"]
)
def test_copies_know_what_a_sitting_led_alone_knows(text: str) -> None:
    """Copies share the past, and views and transcripts of checkpoints in it; what one is told changes no other."""
    game = load(text)
    luck, state = random.Random(5), game.new_initial_state()
    asked = 0
    while not state.is_terminal():
        action = luck.choice(state.legal_actions())
        if not state.is_chance_node() and asked < 150 and luck.random() < 0.3:
            asked += 1
            children = [state.child(each) for each in luck.sample(state.legal_actions(), 1)] + [state.clone()]
            for other in children:
                alone = Session.replay(game.setup, other.session.actions)
                for seat in range(game.num_players()):
                    assert other.session.transcript(seat) == alone.transcript(seat)
                    assert other.session.view(seat).fields() == alone.view(seat).fields()
        state.apply_action(action)
    assert asked > 20 and state.session.notices.size > 2 * CHECKPOINT


def test_a_long_sitting_is_not_replayed_for_what_a_copy_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a child of a state is asked takes at most the rows since the last checkpoint, however long the sitting."""
    game = load("parlour_sovereign(games=60)")
    heard: list[int] = []
    plain = Session.links_since

    def counted(session: Session, size: int, key: object) -> object:
        kept, links = plain(session, size, key)
        heard.append(len(links))
        return kept, links

    monkeypatch.setattr(Session, "links_since", counted)
    for state in islice(decisions(game.new_initial_state(), 4), 0, None, 7):
        if state.session.notices.size > 1500:
            break
        child = state.child(state.legal_actions()[0])
        child.information_state_string(0)
        child.information_state_tensor(0)
    assert len(heard) > 200 and max(heard) < 3 * CHECKPOINT


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
        ("parlour_heraldry(players=2,cards_left=4)", "when all have 4 cards left"),
        ("parlour_heraldry(players=2,cards_left=2147483647)", "when all have 2147483647 cards left"),
        ("parlour_heraldry(players=2,cards_left=-1)", "cards_left must be a whole number from 0 on, not -1"),
        ("parlour_heraldry(players=2,cards_left=2,deals=3)", "one deal is played, so deals must be 1"),
        ("parlour_lost_heir(players=3,cards_left=2,deal_limit=2)", "one deal is played, so deal_limit must be 1"),
    ],
)
def test_impossible_parameters_are_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises((OptionError, ValueError), match=words):
        pyspiel.load_game(text)


def test_0_stands_for_the_word_of_a_numeric_option() -> None:
    assert load("parlour_sovereign").setup.options["rounds"] == "auto"
    assert load("parlour_sovereign(rounds=2)").setup.options["rounds"] == 2


def test_an_observer_shows_what_one_seat_or_a_spectator_knows() -> None:
    game = load("parlour_heraldry")
    with pytest.raises(ValueError, match="not what all seats know"):
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


def test_without_openspiel_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import parlour.research.openspiel"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "pip install '.[openspiel]'" in ran.stderr.splitlines()[-1]


def test_a_process_that_used_openspiel_exits_cleanly() -> None:
    code = "import pyspiel, parlour.research.openspiel; pyspiel.load_game('parlour_heraldry').new_initial_state()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
