"""What a state weighs, whether simulating grows the process, and how two processes scale.

    python bench/memory.py [--sittings 20000] [--seconds 1.0] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from typing import Any

import parlour
from parlour.engine import build
from parlour.engine.playout import play_many

GAMES = {"masquerade": 4, "lost-heir": 4, "sovereign": 5, "heraldry": 4, "tontine": 12}
LIMIT = 2048  # bytes a state may weigh
BATCHES = 5
PAIRS = 5  # how often one process alone and two together are measured, in turn

WORKER = """
import os, sys, time, parlour
from parlour.engine.playout import play_many
core, seconds, name, players = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], int(sys.argv[4])
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {core})
state = parlour.game(name).new(players)
play_many(state, 0, 200)
print("ready", flush=True)
sys.stdin.readline()
start, decisions, seed = time.perf_counter(), 0, 0
while time.perf_counter() - start < seconds:
    seed += 1
    decisions += play_many(state, seed, 50)
print(decisions / (time.perf_counter() - start))
"""


def resident() -> int:
    """The resident memory of this process in KiB; 0 where the system does not say."""
    try:
        with open("/proc/self/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    except OSError:
        return 0


def sizes() -> list[dict[str, Any]]:
    """Bytes of each game's state and view. The options are one dict that all copies share, the journal is made once."""
    found = []
    for name, players in GAMES.items():
        game = parlour.game(name)
        state = game.new(players, chance=parlour.Seeded(1))
        found.append({"game": name, "state": sys.getsizeof(state), "view": sys.getsizeof(game.view(state, 0))})
    return found


def growth(sittings: int) -> list[dict[str, Any]]:
    """KiB resident after each batch: sittings in the core on one state, and a loop that copies before each step."""
    found = []
    for name, players in GAMES.items():
        game = parlour.game(name)
        state = game.new(players, chance=parlour.Seeded(1))

        def core(count: int, batch: int, state: parlour.State = state) -> None:
            play_many(state, batch, count)

        def loop(count: int, batch: int, game: parlour.Game = game, players: int = players) -> None:
            for number in range(count):
                chance = parlour.Seeded(batch, number)
                state = game.new(players, chance=chance)
                while not state.over:
                    state = state.copy()
                    state.chance = chance
                    state.play(random.choice(state.legal()))

        for way, work, share in (("core", core, 1), ("loop", loop, 200)):
            work(max(1, sittings // share // BATCHES), 0)  # what is made once is made before
            marks = [resident()]
            for batch in range(1, BATCHES + 1):
                work(max(1, sittings // share // BATCHES), batch)
                marks.append(resident())
            found.append({"game": name, "way": way, "sittings": sittings // share, "kib": marks})
    return found


def rates(cores: list[int], seconds: float, name: str) -> list[float]:
    """Decisions a second of one process on each of these cores, started together."""
    command = [sys.executable, "-c", WORKER]
    workers = [
        subprocess.Popen(
            [*command, str(core), str(seconds), name, str(GAMES[name])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for core in cores
    ]
    for worker in workers:
        assert worker.stdout is not None
        if worker.stdout.readline() != "ready\n":
            sys.exit("memory: a worker did not start")
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    return [float(worker.communicate()[0]) for worker in workers]


def scaling(seconds: float, name: str = "lost-heir") -> dict[str, Any] | None:
    """One process alone and two on two cores, in turn; the best of each. None where there is but one core."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    if len(cores) < 2:
        return None
    alone, together = [], []
    for number in range(PAIRS):
        print(f"\rtwo processes {number + 1}/{PAIRS}", end="", file=sys.stderr, flush=True)
        alone.append(rates([cores[-1 - number % 2]], seconds, name)[0])
        together.append(sum(rates(cores[-2:], seconds, name)))
    print("\r" + " " * 24 + "\r", end="", file=sys.stderr, flush=True)
    return {"game": name, "one": alone, "two": together, "ratio": max(together) / max(alone)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sittings", type=int, default=20000, help="sittings a game in the core (default 20000)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a process is timed (default 1)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    if not build.is_compiled():
        sys.exit(f"memory: nothing to measure, parlour is {build.status()}")

    print(f"parlour {parlour.__version__}, {build.status()}; {time.strftime('%Y-%m-%d')}")
    weights = sizes()
    print(f"\nBytes (a state must be below {LIMIT})")
    for row in weights:
        print(f"  {row['game']:14}state {row['state']:5}   view {row['view']:5}")
    grown = growth(arguments.sittings)
    print("\nResident memory, KiB, before and after each fifth of the sittings")
    for row in grown:
        marks = " ".join(str(mark) for mark in row["kib"])
        print(f"  {row['game']:14}{row['way']:6}{row['sittings']:7} sittings   {marks}")
    scaled = scaling(arguments.seconds)
    if scaled is None:
        print("\nTwo processes: there is only one core here")
    else:
        print(
            f"\nTwo processes ({scaled['game']}): one {max(scaled['one']) / 1e6:.1f} M decisions/s,"
            f" two {max(scaled['two']) / 1e6:.1f} M, {scaled['ratio']:.2f}×"
        )
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"sizes": weights, "resident": grown, "scaling": scaled}, file, indent=1)
            file.write("\n")
    if any(row["state"] >= LIMIT for row in weights):
        sys.exit(f"memory: a state weighs {LIMIT} bytes or more")


if __name__ == "__main__":
    main()
