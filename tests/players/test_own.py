"""Bots of one's own: classes, objects, entry points, batches and policies at every kind of table."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
import shlex
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import Sitting, View
from parlour.engine.game import Game
from parlour.engine.marginals import Marginals
from parlour.games.profile import environment_name
from parlour.lab.simulate import Simulation, simulate
from parlour.lab.tournament import Tournament
from parlour.players import own
from parlour.players.external import External
from parlour.players.names import bots_for, check_name
from parlour.players.own import BotFailed
from parlour.players.policy import Policy, PolicyBot
from parlour.players.seats import make
from parlour.records.record import script_of
from parlour.research.vector import VectorEnv
from support.cases import Case, Followed, played, remembered, written
from support.cli import Cli
from support.twins import TWINS, Twin, changed

ROOT = Path(__file__).resolve().parents[2]

MINE = """
class Last:
    def __init__(self, skip=0, shown=""):
        self.skip = skip

    def choose(self, view):
        return view.legal()[-1 - self.skip if len(view.legal()) > self.skip else 0]


class Named:
    def sit(self, game, players, options, seat):
        self.game = game

    def choose(self, view):
        return self.game.step_name(view.legal()[-1])


class Failing:
    def choose(self, view):
        raise KeyError("no plan")


class Cheating:
    def choose(self, view):
        return 10**6


class Broken:
    def __init__(self):
        open("/nowhere/at/all")


thing = 3
"""


class Last:
    """Takes the last legal step."""

    def choose(self, view: View) -> int:
        return view.legal()[-1]


class Luck:
    """Notes what it is told, and with which seeds."""

    name = "the curious"

    def __init__(self) -> None:
        self.seeds: list[tuple[int, int]] = []
        self.heard: list[list[Any]] = []
        self.seat = -1

    def sit(self, game: Game, players: int, options: dict[str, Any], seat: int) -> None:
        self.seat = seat

    def begin(self, seed: int, number: int) -> None:
        self.seeds.append((seed, number))

    def hear(self, told: Sequence[list[Any]]) -> None:
        self.heard += told

    def choose(self, view: View) -> int:
        return view.legal()[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine_for_tests.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("mine_for_tests", None)
    if str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def policy_for(game: str, players: int, seed: int = 0) -> Policy:
    """An untrained policy."""
    env = VectorEnv(game, 1, players)
    luck = np.random.default_rng(seed)
    sizes = (env.fields.width, 16, env.steps)
    layers = [(luck.normal(size=(wide, deep)), luck.normal(size=wide)) for deep, wide in pairwise(sizes)]
    return Policy(environment_name(env.game), players, layers, "tanh", np.full(env.fields.width, 1 / 8))


@pytest.mark.parametrize("name", ["mine_for_tests:Last", "mine_for_tests.py:Last", "mine_for_tests:Named"])
def test_a_class_takes_a_seat_by_its_place(folder: Path, name: str) -> None:
    named = simulate(Simulation.of("heraldry", [name, "random"], seed=3, recorded=True), 6, write=(lines := []).append)
    given = simulate(Simulation.of("heraldry", [Last(), "random"], seed=3, recorded=True), 6, write=(same := []).append)
    assert named.report() == given.report()
    entries = [[json.loads(line)["log"] for line in each] for each in (lines, same)]
    assert entries[0] == entries[1]
    assert json.loads(lines[0])["bots"] == [name, "random"] * 2
    assert json.loads(same[0])["bots"] == ["Last", "random"] * 2
    parlour.check(json.loads(lines[0]))


def test_options_reach_the_class_with_their_types(folder: Path) -> None:
    def chosen(name: str) -> list[int]:
        sitting = Sitting("heraldry", players=2, seed=1, listeners=[0, 1])
        bot = own.make(name, sitting.game, 2, sitting.options, 0)
        return [bot.choose(sitting.view(sitting.seat)), bot.inner.skip]

    assert chosen("mine_for_tests:Last?skip=1&shown=a%20b")[1] == 1
    assert chosen("mine_for_tests:Last")[0] != chosen("mine_for_tests:Last?skip=1")[0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mine_for_tests:Missing", "mine_for_tests has nothing called 'Missing'."),
        ("no_such_module:Bot", "no_such_module cannot be imported: ModuleNotFoundError: No module named"),
        ("missing.py:Bot", "missing.py cannot be imported: FileNotFoundError"),
        ("mine_for_tests:Last?", ""),
        ("mine_for_tests:thing?a=1", "mine_for_tests:thing is an object already, so it takes no options."),
        ("mine_for_tests:Last?skip", ""),
        ("nobody", "There is no bot called 'nobody'; the bots are random, first,"),
        ("policy:missing.safetensors", "missing.safetensors cannot be read: No such file or directory."),
    ],
)
def test_a_name_that_leads_nowhere_is_one_sentence(folder: Path, name: str, sentence: str) -> None:
    if sentence:
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}.*\\.$|^{re.escape(sentence)}$"):
            check_name(name)
    else:
        assert check_name(name) == name


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Failing", ": KeyError: 'no plan' (mine_for_tests.py, line 20)."),
        ("Cheating", ": it chose 1000000, and the legal steps are play "),
        ("Broken", "cannot be made: FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/at/all'"),
        ("thing", "mine_for_tests:thing is no bot: it has no method `choose(view)`."),
        ("Last?hop=1", "cannot be made: TypeError: "),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_faulty_bot_stops_the_run_with_one_sentence(
    folder: Path, cli: Cli, bot: str, sentence: str, jobs: int
) -> None:
    asked = ["simulate", "masquerade", "--bots", f"mine_for_tests:{bot},thumb", "--sittings", "4", "--jobs", str(jobs)]
    code, output, errors = cli(*asked)
    assert (code, output) == (1, "")
    assert errors.startswith("parlour: ") and errors.count("\n") == 1
    assert sentence in errors


def test_objects_play_tournaments_and_remember_nothing_of_the_deal() -> None:
    curious = Luck()
    found = Tournament.of("heraldry", ["thumb", curious], players=2, seed=5).play(deals=2)
    assert found["bots"] == ["thumb", "the curious"]
    assert found["pairs"][0]["bots"] == ["thumb", "the curious"]
    assert [number for _, number in curious.seeds] == [0, 0, 1, 1]
    assert len({seed for seed, _ in curious.seeds}) == 4  # one for each seat and deal
    assert not {5, 0, 1} & {seed for seed, _ in curious.seeds}  # never that of the deals
    hands = [entry for entry in curious.heard if entry[0] == "hand"]
    assert hands and any(None in entry for entry in hands)


@pytest.mark.parametrize("entrants", [[], ["thumb"], ["thumb", "thumb"], [Last(), Last()], ["thumb", "nobody"]])
def test_a_tournament_that_cannot_be_is_refused(entrants: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        Tournament.of("heraldry", entrants)


def test_bots_of_installed_packages_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "REGISTRY", {})
    own.register("last", Last)
    with pytest.raises(ValueError, match="There is a bot called last already"):
        own.register("last", Luck)
    with pytest.raises(ValueError, match="There is a bot called thumb already"):
        own.register("thumb", Last)
    assert bots_for("last,thumb", 4) == ["last", "thumb"] * 2
    assert simulate(Simulation.of("masquerade", ["last"], seed=1), 3).sittings == 3


def test_a_saved_sitting_seats_no_code_by_itself(folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_DATA", str(folder / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code, output, _ = cli("play", "heraldry", "--bots", "mine_for_tests:Last", "--seed", "1")
    assert code == 0 and "Saved." in output
    code, _, errors = cli("play", "heraldry")
    assert code == 2
    assert "to run it, name it again with --resume and --bots" in errors


# --- many at once -----------------------------------------------------------------------------------------------------


class Wide:
    """Chooses for many, as the policy of a net would."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def choose_many(self, views: Sequence[View]) -> list[int]:
        self.sizes.append(len(views))
        return [view.legal()[-1] for view in views]


def records(bots: Sequence[Any], sittings: int, game: str = "heraldry") -> list[Any]:
    lines: list[str] = []
    simulate(Simulation.of(game, bots, seed=9, recorded=True), sittings, write=lines.append)
    return [{key: value for key, value in json.loads(line).items() if key != "bots"} for line in lines]


def test_choosing_for_many_sittings_at_once_plays_the_same_sittings() -> None:
    wide = Wide()
    assert records([wide, "thumb"], 70) == records([Last(), "thumb"], 70)
    assert max(wide.sizes) > 30


def test_a_program_chooses_for_many_at_once_from_observations() -> None:
    program = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'batchbot.py'))}"
    assert records([f"batch:{program}", "random"], 20) == records([Last(), "random"], 20)


FAULTY = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        wants = json.loads(sys.argv[1])
        print(json.dumps({"type": "hello", "protocol": 1, "wants": wants}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"type": "step", "id": message["id"], "step": sorted(message)[-1]}), flush=True)
    elif message["type"] == "batch":
        print(json.dumps({"type": "steps", "id": message["id"], "steps": json.loads(sys.argv[2])}), flush=True)
"""


def faulty(tmp_path: Path, *arguments: Any) -> str:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY, encoding="utf-8")
    return shlex.join([sys.executable, str(path), *(json.dumps(each) for each in arguments)])


@pytest.mark.parametrize("steps", [[], ["nonsense"], [True], 3, [10**9]])
def test_a_faulty_batch_forfeits_its_choices_and_the_run_goes_on(tmp_path: Path, steps: Any) -> None:
    bots = [f"batch:{faulty(tmp_path, ['mask'], steps)}", "random"]
    tally = simulate(Simulation.of("heraldry", bots, players=2, seed=1), 1)
    assert tally.sittings == 1
    assert tally.forfeits > 3
    assert all("`first` chose" in sentence for sentence in tally.reports)


@pytest.mark.parametrize("wants", [["everything"], "view", [1]])
def test_a_program_that_wants_something_unknown_is_told_what_there_is(tmp_path: Path, wants: Any) -> None:
    tally = simulate(Simulation.of("heraldry", [f"exec:{faulty(tmp_path, wants)}", "random"], players=2), 1)
    assert tally.forfeits
    assert 'asked in "wants" for something else than view, steps, events, observation, mask' in tally.reports[0]


def test_a_program_is_sent_what_it_wants(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = parlour.game("lost-heir")
    sent: list[dict[str, Any]] = []
    sitting = Sitting("lost-heir", seed=4, listeners=[0, 1, 2, 3])
    bot = External(faulty(folder, ["observation", "mask"]), game, 4, sitting.options, sitting.seat)
    try:
        bot.begin(1, 0)
        bot.hear([["deal", None]])
        real = bot._start()
        monkeypatch.setattr(real, "send", sent.append)
        view = sitting.view(sitting.seat)
        bot.seconds = 0.01  # what is asked was not sent, so nothing comes
        bot.choose(view)
    finally:
        bot.close()
    asked = next(message for message in sent if message["type"] == "choose")
    assert set(asked) == {"type", "id", "observation", "mask"}
    assert [step for step, legal in enumerate(asked["mask"]) if legal] == view.legal()
    observation = bytearray(view.width())
    view.encode(observation)
    assert asked["observation"] == list(observation)
    assert not any(message["type"] == "events" for message in sent)


# --- policies ---------------------------------------------------------------------------------------------------------


def test_a_policy_plays_from_its_file_as_it_does_in_memory(tmp_path: Path) -> None:
    policy = policy_for("lost-heir", 4)
    policy.save(path := tmp_path / "net.safetensors")
    again = Policy.load(path)
    env = VectorEnv("lost-heir", 64, seed=2)
    for _ in range(60):
        chosen = again.choose(env.frame.observations, env.frame.masks)
        one = [int(again.choose(row[None], mask[None])[0]) for row, mask in zip(*env.frame[:2], strict=True)]
        assert chosen.tolist() == one  # however many are chosen for together
        env.step(chosen)
    name = f"policy:{path}"
    assert records([name, "thumb"], 4, "lost-heir") == records([PlainPolicy(again), "thumb"], 4, "lost-heir")
    assert pickle.loads(pickle.dumps(again)).layers[0][0].shape == policy.layers[0][0].shape


class PlainPolicy:
    """A policy through the interface of bots, one choice at a time."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, view: View) -> int:
        observation = np.zeros(view.width(), np.uint8)
        view.encode(observation)
        mask = np.zeros(self.policy.steps, bool)
        mask[view.legal()] = True
        return int(self.policy.choose(observation[None], mask[None])[0])


def damaged(change: Callable[[bytearray], object]) -> Callable[[bytes], bytes]:
    def damage(data: bytes) -> bytes:
        copy = bytearray(data)
        change(copy)
        return bytes(copy)

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:100],
        lambda data: data[:-4],
        lambda data: b"\xff" * 8 + data[8:],
        lambda data: data.replace(b'"environment"', b'"environmemt"'),
        lambda data: data.replace(b'"parlour": "1"', b'"parlour": "9"'),
        lambda data: data.replace(b'"tanh"', b'"tonh"'),
        lambda data: data.replace(b'"F32"', b'"F33"'),
        lambda data: data[:-4] + np.float32(np.nan).tobytes(),
        lambda data: data[:8] + b"[" * (len(data) - 8),
    ],
)
def test_a_damaged_policy_is_one_sentence(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    policy_for("sovereign", 3).save(path := tmp_path / "net.safetensors")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"net\.safetensors is no policy: .+\.$"):
        Policy.load(path)


def test_a_policy_sits_only_at_tables_like_those_it_was_trained_for(tmp_path: Path) -> None:
    policy_for("heraldry", 2).save(path := tmp_path / "net.safetensors")
    with pytest.raises(BotFailed, match="was trained for heraldry_v2 with 2 players, and this is heraldry_v2 with 4"):
        simulate(Simulation.of("heraldry", [f"policy:{path}", "thumb"]), 1)
    with pytest.raises(ValueError, match="needs at least one layer"):
        Policy("heraldry_v2", 2, [])
    with pytest.raises(ValueError, match="Layer 1 of a policy has a weight"):
        Policy("heraldry_v2", 2, [(np.ones((3, 5)), np.ones(3)), (np.ones((2, 4)), np.ones(2))])


@pytest.mark.parametrize("name", ["masquerade", "lost-heir", "sovereign", "heraldry"])
def test_a_policy_of_memory_and_beliefs_plays_from_its_file_as_in_its_environment(name: str, tmp_path: Path) -> None:
    env = VectorEnv(name, 1, memory=True, beliefs=4, seed=3)
    luck = np.random.default_rng(3)
    layers = [(luck.normal(size=(env.steps, env.fields.width)), np.zeros(env.steps))]
    policy = Policy(environment_name(env.game), env.players, layers, scale=None, memory=True, beliefs=4)
    policy.save(path := tmp_path / "believing.safetensors")
    again = Policy.load(path)
    assert (again.memory, again.beliefs) == (True, 4)
    bot = make(f"policy:{path}", env.game, env.players, env.options, 0)
    assert bot.tracks_beliefs
    followed = Followed(Case(env.game, env.players, env.options), 3, 0)
    for _ in range(40):
        step = int(again.choose(env.frame.observations, env.frame.masks)[0])
        assert bot.choose(followed.views[followed.state.seat].see(followed.state)) == step
        if env.step(np.array([step])).ended[0]:
            break
        followed.play(step)
    with pytest.raises(ValueError, match=r"The policy takes \d+ numbers"):
        Policy(policy.environment, env.players, layers).check(env.game, env.players, env.options)


@pytest.mark.parametrize("case", [each for each in TWINS if each.game.name != "tontine"], ids=str)
def test_bots_choose_alike_in_worlds_that_their_seat_cannot_tell_apart(case: Case, tmp_path: Path) -> None:
    """A class, a policy of what is seen, and one of memory and beliefs."""

    class Reader:
        tracks_beliefs = True

        def choose(self, view: View) -> int:
            sampled = view.sample(parlour.Seeded(view.moves)).where()
            told = json.dumps([view.fields(), view.sight(), sampled, written(view).hex(), remembered(view).hex()])
            return view.legal()[zlib.crc32(told.encode()) % len(view.legal())]

    luck = np.random.default_rng(1)
    view = case.game.view_type(case.players, 0, case.options)
    bots: list[Any] = [make(Reader(), case.game, case.players, case.options, 0)]
    recalled = sum(rows * size for _, rows, size in view.memory_layout()) + Marginals(view, 3).width
    for beliefs in (0, 3):
        width = view.width() + (recalled if beliefs else 0)
        layers = [(luck.normal(size=(case.game.steps, width)), np.zeros(case.game.steps))]
        policy = Policy(environment_name(case.game), case.players, layers, beliefs=beliefs)
        bots.append(PolicyBot(policy, case.game, case.players, case.options))
    compared = differed = 0
    random_luck = random.Random(str(case))
    for seed in range(3):
        sitting = played(case.sitting(seed), parlour.Seeded(seed), 40)
        script = script_of(case.game, sitting.log)
        for number in range(4):
            pair = [Twin(case, script, seed, True), Twin(case, changed(script, random_luck), seed, True)]
            for twin in pair:
                twin.serve_chance()
            for step in (step for move in sitting.moves for step in move.steps):
                one, other = (twin.world for twin in pair)
                seat = one.state.seat
                if seat != other.state.seat:
                    break
                if one.told[seat] == other.told[seat]:
                    views = [world.views[seat].see(world.state) for world in (one, other)]
                    for bot in bots:
                        assert bot.choose(views[0]) == bot.choose(views[1])
                    compared += 1
                    differed += one.state.where() != other.state.where()
                if step not in other.state.legal():
                    break
                for twin in pair:
                    twin.world.play(step)
                    twin.serve_chance()
    assert compared > 20 and (differed or (case.game.name == "lost-heir" and case.players == 2))
