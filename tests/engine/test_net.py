"""The learned net: the same choices compiled, interpreted and in NumPy; sums that cannot overflow; the bot `net`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from array import array
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour import Refusal, Seeded, Sitting
from parlour.engine.net import Net
from parlour.lab.simulate import Simulation, simulate
from parlour.lab.tournament import Tournament
from parlour.players.nets import file_of, net_of, players_with_nets, read_net, write_net
from parlour.players.own import BotFailed
from parlour.research.vector import VectorEnv
from support.scripts import script

NETS = [(game, players) for game in parlour.GAMES for players in players_with_nets(parlour.game(game))]
SCRIPT = """
import json, sys
import parlour
from parlour.lab.simulate import Simulation, simulate
lines = []
for name, players in json.loads(sys.argv[1]):
    bots = ["net", "thumb"] * (players // 2) + ["net"] * (players % 2)
    simulate(Simulation.of(name, bots, players=players, seed=3, recorded=True), 2, write=lines.append)
print(parlour.engine.build.is_compiled(), file=sys.stderr)
print(b"".join(lines).decode())
"""


def weights(inputs: int, steps: int, seed: int, size: int = 300) -> list[array[int]]:
    """Weights at random."""
    luck = random.Random(seed)
    shapes = (("h", inputs * Net.units), ("i", Net.units), ("h", steps * Net.units), ("i", steps))
    return [array(kind, [luck.randint(-size, size) for _ in range(count)]) for kind, count in shapes]


def net_for(game: str, players: int, seed: int = 1) -> Net:
    env = VectorEnv(game, 1, players)
    first, biases, second, own = weights(env.fields.width, env.steps, seed)
    return Net(env.fields.width, env.steps, first, biases, second, own, 4000)


@pytest.mark.parametrize("name", ["masquerade", "lost-heir", "sovereign", "heraldry"])
def test_it_chooses_what_numpy_computes(name: str) -> None:
    game = parlour.game(name)
    players = game.sheet.usual
    trainer = script("train_net")
    env = VectorEnv(name, 32, players, seed=5)
    first, biases, second, own = weights(env.fields.width, env.steps, 2)
    net = Net(env.fields.width, env.steps, first, biases, second, own, 4000)
    arrays = {
        "first": np.array(first, np.int64).reshape(-1, Net.units),
        "biases": np.array(biases, np.int64),
        "second": np.array(second, np.int64).reshape(-1, Net.units),
        "own": np.array(own, np.int64),
        "bonus": 4000,
    }
    other = 0
    states = [Sitting(name, players, seed=seed, listeners=range(players)) for seed in range(4)]
    for sitting in states:
        while not sitting.over and len(sitting.moves) < 60:
            view = sitting.view(sitting.seat)
            seen = np.zeros(view.width(), np.uint8)
            view.encode(seen.data)
            mask = np.zeros(game.steps, bool)
            mask[view.legal()] = True
            plan = view.heuristic(Seeded(1))
            found = net.choose(view, Seeded(1))
            computed = trainer.choose(arrays, seen[None].astype(np.int64), mask[None], np.array([plan]))
            assert found == (computed[0] if mask.sum() > 1 else plan)
            worths = net.worths(view, Seeded(1))
            assert found == max(sorted(worths), key=worths.__getitem__)
            other += found != plan
            sitting.play(found)
    assert other > 10


def test_weights_that_could_overflow_or_do_not_fit_are_refused() -> None:
    first, biases, second, own = weights(300, 98, 1)
    with pytest.raises(ValueError, match="do not fit 301 inputs and 98 steps"):
        Net(301, 98, first, biases, second, own, 0)
    with pytest.raises(ValueError, match="at most"):
        Net(5000, 98, first, biases, second, own, 0)
    with pytest.raises(ValueError, match="a sum could overflow"):
        Net(300, 98, array("h", [32767] * len(first)), biases, second, own, 0)
    with pytest.raises(ValueError, match="a sum could overflow"):
        Net(300, 98, first, biases, array("h", [32767] * len(second)), own, 0)
    with pytest.raises(ValueError, match="a sum could overflow"):
        Net(300, 98, first, biases, second, own, 2**31 - 1)


def test_it_is_asked_only_in_its_turn_and_with_its_game() -> None:
    net, sitting = net_for("heraldry", 2), Sitting("heraldry", players=2, seed=1)
    with pytest.raises(Refusal, match="not the turn"):
        net.choose(sitting.view(1 - sitting.seat), Seeded(1))
    other = Sitting("heraldry", players=4, seed=1)
    with pytest.raises(ValueError, match="The net takes 350 numbers, and an observation here has 458"):
        net.choose(other.view(other.seat), Seeded(1))


def test_a_file_keeps_a_net(tmp_path: Path) -> None:
    parts = weights(350, 98, 4)
    write_net(path := tmp_path / "a.net", "heraldry_v2", 2, parts, 77, {"seed": 4})
    head, net = read_net(path.read_bytes())
    assert head["trained"] == {"seed": 4}
    first, biases, second, own = parts
    same = Net(350, 98, first, biases, second, own, 77)
    sitting = Sitting("heraldry", players=2, seed=6)
    for _ in range(30):
        view = sitting.view(sitting.seat)
        assert net.worths(view, Seeded(1)) == same.worths(view, Seeded(1))
        sitting.play(net.choose(view, Seeded(1)))


@pytest.mark.parametrize(("name", "players"), NETS)
def test_each_net_is_small_plays_whole_sittings_and_beats_the_heuristic(name: str, players: int) -> None:
    game = parlour.game(name)
    head, _ = read_net(file_of(game, players).read_bytes())
    gain, within = head["trained"]["gain"], head["trained"]["within"]
    assert gain - within > 0  # as it was measured when it was trained
    assert simulate(Simulation.of(name, ["net"], players=players, seed=1), 1).sittings == 1


def test_the_nets_are_small() -> None:
    sizes = [file_of(parlour.game(name), players).stat().st_size for name, players in NETS]
    assert NETS and sum(sizes) < 400_000


def test_interpreted_it_plays_the_same_sittings() -> None:
    found = []
    for environment in ({}, {"PARLOUR_INTERPRETED": "1"}):
        command = [sys.executable, "-c", SCRIPT, json.dumps(NETS[:2])]
        done = subprocess.run(
            command, env=os.environ | environment, capture_output=True, text=True, check=True, timeout=300
        )
        found.append(done.stdout)
    assert found[0] == found[1] and len(found[0].splitlines()) >= 4


def test_a_game_without_a_net_says_for_how_many_players_there_are() -> None:
    with pytest.raises(ValueError, match=r"There is no net of Tontine for 12 players; there is none for this game\."):
        net_of(parlour.game("tontine"), 12, {})
    with pytest.raises(BotFailed, match="There is no net of Heraldry for 6 players; there are nets for "):
        simulate(Simulation.of("heraldry", ["net"], players=6), 1)
    with pytest.raises(BotFailed, match="and with these options an observation has"):
        simulate(Simulation.of("lost-heir", ["net"], sides="two"), 1)


def test_a_search_can_plan_and_play_on_by_the_net() -> None:
    name, players = NETS[0]
    found = Tournament.of(name, ["net", "netsearch:24"], players=players, seed=1).play(deals=1)
    assert found["deals"] == 1
    again = Tournament.of(name, ["net", "netsearch:24"], players=players, seed=1).play(deals=1)
    assert found["pairs"] == again["pairs"]


def test_training_a_little_is_reproducible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = script("train_net")
    monkeypatch.setattr(trainer, "PLACES", 64)
    monkeypatch.setattr(trainer, "measured", lambda *given: (0.0, 0.0))
    files = []
    for name in ("one", "two"):
        out = tmp_path / name
        monkeypatch.setattr(
            sys, "argv", ["train_net.py", "heraldry", "--players", "2", "--updates", "5", "--out", str(out)]
        )
        trainer.main()
        files.append(out.read_bytes())
    assert files[0] == files[1]
    _, net = read_net(files[0])
    assert net.inputs == 350


def test_the_published_figures_are_those_of_the_nets_in_the_package() -> None:
    """`python bench/nets.py` makes them: every decision was the same in C, plain Python and NumPy."""
    told = json.loads((Path(__file__).resolve().parents[2] / "docs" / "strength" / "nets.json").read_text("utf-8"))
    assert [(net["game"], net["players"]) for net in told] == NETS
    for net in told:
        data = file_of(parlour.game(net["game"]), net["players"]).read_bytes()
        assert net["bytes"] == len(data) and net["trained"] == read_net(data)[0]["trained"]
        assert net["plain"] == net["numpy"] == net["decisions"] >= 100_000
        assert 0 < net["unlike thumb"] < net["decisions"] / 2
