"""Two checkouts of Parlour beside each other on one core, in turn by slots of some 30 ms: is the second as fast?

    python bench/beside.py OTHER [--slots 200] [--core 1] [--json FILE]

OTHER is the folder of another checkout that is set up (its own .venv). A shared processor changes its speed by a half
from one second to the next, so two runs one after the other say little; two slots beside each other nearly share it.
The figure of a line is the median of the ratios of neighbouring slots, ours to the other's, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
SLOT = 0.03
LINES = [
    *(f"core {name}" for name in ("masquerade", "lost-heir", "sovereign", "heraldry", "tontine")),
    *(f"loop {name}" for name in ("masquerade", "lost-heir", "sovereign", "heraldry", "tontine")),
    *(f"trials {name}" for name in ("masquerade", "lost-heir", "sovereign", "heraldry")),
    *(f"vector {name}" for name in ("masquerade", "lost-heir", "sovereign", "heraldry", "tontine")),
]

WORKER = """
import sys, time
sys.path.insert(0, sys.argv[1] + "/bench")
import peers, search, vector
kind, name = sys.argv[2].split()
if kind == "trials":
    one = search.our_trials(name)
    work = lambda units: sum(one() for _ in range(units))
elif kind == "vector":
    work = vector.ours(name, 256).run
else:
    work = (peers.our_core(name) if kind == "core" else peers.our_loop(name)).run
work(1)
for line in sys.stdin:
    units = int(line)
    began = time.thread_time()
    done = work(units)
    print(done, time.thread_time() - began, flush=True)
"""


class Side:
    """One checkout's worker for one line."""

    def __init__(self, checkout: Path, line: str, core: int) -> None:
        python = checkout / ".venv" / "bin" / "python"
        if not python.exists():
            sys.exit(f"beside: {checkout} is not set up: run its ./test or ./play once")
        self.process = subprocess.Popen(
            [python, "-c", WORKER, str(checkout), line], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        os.sched_setaffinity(self.process.pid, {core})

    def run(self, units: int) -> tuple[float, float]:
        """How much was done, and the seconds it took."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{units}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            sys.exit("beside: a worker ended, see the message above")
        return float(answer[0]), float(answer[1])

    def units(self) -> int:
        """The units that fill a slot."""
        units = 1
        while (taken := self.run(units)[1]) < SLOT / 2:
            units *= 2
        return max(1, round(units * SLOT / taken))

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def ratios(other: Path, line: str, slots: int, core: int) -> list[float]:
    """Our rate by the other's, of each pair of neighbouring slots."""
    ours, theirs = Side(HERE, line, core), Side(other, line, core)
    try:
        units = ours.units(), theirs.units()
        found = []
        for at in range(slots):
            pair = [(ours, units[0]), (theirs, units[1])]
            rates = {}
            for side, amount in pair if at % 2 else reversed(pair):
                done, taken = side.run(amount)
                rates[side] = done / taken
            found.append(rates[ours] / rates[theirs])
        return found
    finally:
        ours.end()
        theirs.end()


def interval(found: list[float], draws: int = 1000) -> tuple[float, float]:
    """A 95 % interval of the median, by drawing again."""
    luck = random.Random(1)
    medians = sorted(statistics.median(luck.choices(found, k=len(found))) for _ in range(draws))
    return medians[draws // 40], medians[-draws // 40]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("other", type=Path, help="the folder of another checkout")
    parser.add_argument("--slots", type=int, default=200, help="pairs of slots for each line (default 200)")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="only the lines with one of these words")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    asked = parser.parse_args()
    told = {}
    for line in LINES:
        if asked.only and not set(asked.only) & set(line.split()):
            continue
        found = ratios(asked.other.resolve(), line, asked.slots, asked.core)
        low, high = interval(found)
        told[line] = {"ratio": statistics.median(found), "low": low, "high": high}
        print(f"{line:<20} {statistics.median(found):5.3f}  ({low:.3f} to {high:.3f})", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
