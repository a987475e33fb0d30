"""The cost of studies, part by part, and the gain of two jobs over one.

python bench/lab.py [--sittings 20000] [--pairs 3] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from typing import Any

import machine

import parlour
from parlour.lab import play, study

BLOCK = 500  # sittings in the block that is measured part by part
REPEATS = 5


def best(function: Any, *arguments: Any) -> float:
    """The least processor time of several repetitions."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return min(times)


def parts(name: str) -> dict[str, Any]:
    """Microseconds of one core for each sitting of a row, by experiment."""
    work = study.study_of("readings", parlour.game(name), sittings=100 * BLOCK, seed="bench")
    task = next(work.tasks())
    sides = play.count_sides(name, task.players, task.options)
    found = {
        "sittings": best(play.watch, task, sides),
        "skill": best(play.measure_skill, task, sides),
        "luck": best(play.measure_luck, task),
        "choices": best(play.weigh_choices, task),
    }
    found = {part: 1e6 * taken / BLOCK for part, taken in found.items()}
    return {"game": name, "players": task.players, "rows": len(work.rows)} | found


def seconds(work: study.Study, jobs: int) -> float:
    """How long a study takes, including the start of its processes."""
    start = time.perf_counter()
    study.play_study(work, study.by_processes(jobs))
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sittings", type=int, default=20000)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args()
    print(f"{machine.cpu_model()}; {parlour.engine.build.status()}")
    print("Microseconds of one core for each sitting of a row, with its part of the experiments:")
    heads = ("players", "rows", "sittings", "skill", "luck", "choices")
    print(f"{'':<12}" + "".join(f"{head:>10}" for head in heads))
    games = [parts(name) for name in parlour.GAMES]
    for row in games:
        print(f"{row['game']:<12}" + "".join(f"{row[head]:>10.0f}" for head in heads))
    work = study.study_of("readings", parlour.game("lost-heir"), sittings=asked.sittings, seed="bench")
    work = replace(work, rows=work.rows[:2])
    # alternating, and the best of each, because other work on the machine slows single runs
    pairs = [(seconds(work, 1), seconds(work, 2)) for _ in range(asked.pairs)]
    one, two = (min(times) for times in zip(*pairs, strict=True))
    print(
        f"Two rows of {asked.sittings:,} sittings of Lost Heir: one job {one:.1f} s, two {two:.1f} s, {one / two:.2f}×"
    )
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"games": games, "one": one, "two": two, "ratio": one / two}, file, indent=1)


if __name__ == "__main__":
    main()
