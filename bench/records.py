"""Records: million decisions a second of one core, played and written, in each kind of file.

    pip install -e '.[records]'
    python bench/records.py [--repeats 9]

Each repetition plays some 0.2 seconds of every line in turn, `random` at every seat, and writes its file. The figure is
the median of the repetitions by the time of the process, and in brackets the 95 % interval of the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from beside import interval
from machine import build_flags, cpu_model

import parlour
from parlour.lab.simulate import Simulation, simulate, tidy_table
from parlour.records.files import open_to_write

KINDS = ("nothing", "jsonl", "jsonl.gz", "jsonl.zst", "parquet")
SLOT = 0.2


def work(name: str, kind: str, sittings: int, folder: Path) -> tuple[int, float, int]:
    """The decisions of some sittings, the seconds that they took, and the bytes of the file."""
    asked = replace(Simulation.of(name), recorded=kind != "nothing", tidy=kind == "parquet")
    file = folder / f"records.{kind}"
    began = time.process_time()
    with ExitStack() as stack:
        write = None
        if asked.recorded:
            opened = stack.enter_context(open_to_write(str(file)))
            write = stack.enter_context(closing(tidy_table(opened, asked))).write if asked.tidy else opened.write
        decisions = simulate(asked, sittings, 1, write).decisions
    return decisions, time.process_time() - began, file.stat().st_size if asked.recorded else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9, metavar="N", help="repetitions (default 9)")
    repeats = parser.parse_args().repeats
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{cpu_model()}, {build_flags()}")
    print("| game |", " | ".join(KINDS), "|", " | ".join(f"bytes a decision, {kind}" for kind in KINDS[1:]), "|")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lines = [(name, kind) for name in parlour.GAMES for kind in KINDS]
        for line in lines:  # what is imported is no part of the figures
            work(*line, 8, folder)
        sittings = {line: max(64, int(64 * SLOT / work(*line, 64, folder)[1])) for line in lines}
        rates: dict[tuple[str, str], list[float]] = {line: [] for line in lines}
        sizes: dict[tuple[str, str], float] = {}
        for _ in range(repeats):
            for line in lines:
                decisions, seconds, size = work(*line, sittings[line], folder)
                rates[line].append(decisions / seconds / 1e6)
                sizes[line] = size / decisions
    for name in parlour.GAMES:
        found = [rates[name, kind] for kind in KINDS]
        ends = [interval(rate) for rate in found]
        shown = [
            f"{statistics.median(rate):.2f} ({low:.2f} to {high:.2f})"
            for rate, (low, high) in zip(found, ends, strict=True)
        ]
        print(f"| {name} |", " | ".join(shown), "|", " | ".join(f"{sizes[name, kind]:.1f}" for kind in KINDS[1:]), "|")


if __name__ == "__main__":
    main()
