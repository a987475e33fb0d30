"""Run worlds: `python -m tests.simulation SEED` replays one and tells what happened there; FIRST-LAST runs many."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from .world import World


def main(arguments: list[str]) -> int:
    wrong = 0
    virtual = messages = 0.0
    began, busy = time.perf_counter(), time.process_time()
    for argument in arguments:
        first, _, last = argument.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            world = World(seed)
            found = world.run()
            virtual, messages, wrong = virtual + found.seconds, messages + found.messages, wrong + bool(found.wrong)
            if not last:
                print(found.wrong_in_full() if found.wrong else found)
            elif found.wrong:
                print(f"seed {seed}: {found.wrong:.400}", flush=True)
    began, busy = time.perf_counter() - began, time.process_time() - busy
    print(f"{wrong} worlds went wrong; {virtual:,.0f} virtual seconds and {messages:,.0f} messages")
    print(f"{virtual / began:,.0f} times as fast as real time: {began:.1f} seconds")
    print(f"{virtual / busy:,.0f} times as fast with a processor of its own: {busy:.1f} seconds of processor time")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
