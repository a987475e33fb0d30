"""What takes long: millions of steps in constant memory, studies too, every reading at every number."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

import parlour
from parlour.cli.main import main
from parlour.lab import study
from parlour.lab.simulate import Simulation, play_chunk, simulate
from parlour.research.vector import VectorEnv


@pytest.mark.long
def test_a_million_sittings_are_simulated_in_constant_memory() -> None:
    game = parlour.game("masquerade")
    work = Simulation("masquerade", 4, game.options_for(4), ("random",) * 4, 1, recorded=False)
    simulate(work, 50_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tally = simulate(work, 1_000_000)
    assert tally.sittings == 1_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KiB


@pytest.mark.long
@pytest.mark.parametrize("name", parlour.GAMES)
def test_twenty_million_steps_of_many_sittings_take_constant_memory(name: str) -> None:
    env = VectorEnv(name, sittings=1024, seed=3)
    ended = 0
    for _ in range(1000):
        env.step(env.sample())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20_000):
        ended += int(env.step(env.sample()).ended.sum())
    assert ended > 5_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KiB


@pytest.mark.long
@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_study_does_not_grow_while_it_is_played(name: str) -> None:
    work = study.study_of("readings", parlour.game(name), sittings=2000, seed="long")
    tasks = list(work.tasks())
    for task in tasks[:20]:
        study.play_block(task)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for task in tasks:
        study.play_block(task)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KiB


@pytest.mark.long
@pytest.mark.parametrize("name", parlour.GAMES)
def test_records_are_written_and_checked_in_constant_memory(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.jsonl"
    assert main(["simulate", name, "--sittings", "300", "--seed", "1", "--records", str(file)]) == 0
    assert main(["check", str(file)]) == 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert main(["simulate", name, "--sittings", "3000", "--seed", "1", "--records", str(file)]) == 0
    assert main(["check", str(file)]) == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192  # KiB
    assert "3000 records, 0 differ" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("bots", ["random", "first"])
@pytest.mark.parametrize("name", parlour.GAMES)
def test_every_reading_at_every_number_of_players_ends_and_replays(name: str, bots: str) -> None:
    sheet = parlour.sheet(name)
    for players in sheet.players:
        for option in sheet.options:
            for value in [value.name for value in option.values if players in value.players] or [option.low]:
                options = sheet.options_for(players, {option.name: value})
                if name != "sovereign" and name != "lost-heir":
                    limits = options
                else:
                    # a table that plays blindly needs a limit to come to its end soon
                    limit = {"round_limit": 6, "games": 2} if name == "sovereign" else {"deal_limit": 6}
                    limits = options | {key: least for key, least in limit.items() if key != option.name}
                work = Simulation(name, players, limits, (bots,) * players, 7, recorded=True)
                _, written = play_chunk(work, 0, 2)
                for line in b"".join(written).splitlines():
                    assert parlour.check(json.loads(line)) is None
