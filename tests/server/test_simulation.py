"""One seed, one world: the server in virtual time, with hundreds of clients, a failing disk and network, and kills."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from simulation.loop import VirtualLoop
from simulation.network import CLOSED, Link
from simulation.server import SimulatedServer
from simulation.store import Disk
from simulation.world import Outcome, World

from parlour.server import retention
from parlour.server.room import Room
from parlour.server.socket import HELLO_SECONDS
from support.rooms import in_a_room, opened

ROOT = Path(__file__).resolve().parents[2]
SHORT, LONG = 30, 10_000
BLOCK = 250  # worlds in one test, so that several processes share them and none takes long
LARGE = 50  # a seed whose world has hundreds of clients
WRONG_CLOCK = 4  # a seed in whose world the machine's date jumps between two starts


def outcome(seed: int) -> Outcome:
    return World(seed).run()


@pytest.mark.parametrize("seed", [*range(1, SHORT), LARGE])
def test_a_world_keeps_all_promises(seed: int) -> None:
    found = outcome(seed)
    assert not found.wrong, found.wrong_in_full()


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, BLOCK))
def test_ten_thousand_worlds_keep_all_promises(first: int) -> None:
    wrong = [found for found in map(outcome, range(first, first + BLOCK)) if found.wrong]
    for found in wrong:
        print(found.wrong_in_full())
    seeds = [found.seed for found in wrong]
    assert not wrong, f"these seeds went wrong: {seeds}; python -m tests.simulation SEED replays one"


@pytest.mark.parametrize("seed", [3, 7, 11])
def test_a_seed_replays_exactly_in_another_process(seed: int) -> None:
    command = [sys.executable, "-m", "tests.simulation", str(seed)]
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "77"}, check=True
    )
    assert f"digest {outcome(seed).digest[:16]}" in run.stdout


def test_a_world_with_a_wrong_clock_would_show_a_server_that_believes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MOST_AWAY_DAYS", 10**6)
    assert "would be cleared out" in outcome(WRONG_CLOCK).wrong


def test_a_client_whose_hello_is_late_may_come_again() -> None:
    """What the simulation found: over a slow line, the page was told for good that nobody had said hello."""
    loop = VirtualLoop(random.Random(1))

    async def run() -> list[Any]:
        disk = Disk(loop, random.Random(2))
        server = SimulatedServer(loop, random.Random(3), disk.open, 0.01)
        server.start()
        link = Link(loop, random.Random(4), "late", 0.01)
        link.told = json.loads
        server.connect(link, "late")
        await asyncio.sleep(HELLO_SECONDS + 1)
        heard = []
        while (message := await link.hear(5.0)) is not CLOSED:
            heard.append(message)
        await server.stop()
        return heard

    try:
        (bye,) = loop.run_until_complete(run())
    finally:
        loop.close()
    assert bye["kind"] == "bye" and bye["again"]


@pytest.mark.parametrize("days", [-100, 100])
def test_a_date_that_was_wrong_between_two_looks_clears_nothing_out(days: int, tmp_path: Path) -> None:
    """What the simulation found: tables were stamped with that date, and marked for deletion at the next start."""
    date = [1e9]

    async def stamp(room: Room) -> str:
        await room.clear_out()
        date[0] += days * retention.DAY
        name = (await opened(room)).table.name
        date[0] -= days * retention.DAY
        return name

    async def start_again(room: Room) -> None:
        assert await room.clear_out() == 0
        assert (await room.find(name)).table.phase == "gathering"

    name = in_a_room(tmp_path, stamp, clock=lambda: date[0])
    in_a_room(tmp_path, start_again, clock=lambda: date[0])
