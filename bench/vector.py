"""The vectorised environment beside pgx on CPU and PettingZoo's card games: one run, one core, all in turn.

    pip install pgx pettingzoo rlcard pygame 'shimmy[openspiel]'     the peers; those that are missing are left out
    python bench/vector.py [--repeats 15] [--slot 20] [--batches 64 256 1024 4096 16384] [--json FILE]

Everyone plays uniformly at random, masks and observations included, and starts over at the end. A step is one decision
in one sitting. Each rate is the best of many short repetitions, and of several batches that of the best. Of
bridge_bidding's table of double-dummy results, a download of gigabytes, its own sample of a hundred deals serves.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

CORE = sorted(os.sched_getaffinity(0))[-1]
os.sched_setaffinity(0, {CORE})  # before anything starts threads

import numpy as np  # noqa: E402
from machine import build_flags, cpu_model  # noqa: E402

import parlour  # noqa: E402
from parlour.engine import build  # noqa: E402
from parlour.research.pettingzoo import ENVIRONMENTS  # noqa: E402
from parlour.research.vector import VectorEnv  # noqa: E402

SEED = 7
SCANNED = 1 << 15  # steps of theirs in one call, over all of a batch
PGX = ("kuhn_poker", "leduc_holdem", "bridge_bidding", "sparrow_mahjong")
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
OURS, OURS_SINGLY = "ours, vectorised", "ours, PettingZoo"
THEIRS, THEIRS_SINGLY = "pgx on CPU, jit and scan", "PettingZoo classic, raw_env"
TRICKS = ("lost-heir", "masquerade")
TARGETS = {"bridge_bidding": 20.0, "sparrow_mahjong": 20.0, "kuhn_poker": 1.0, "": 300.0}
"""How many times as fast as these Lost Heir and Masquerade are to be; "" is the fastest of PettingZoo's."""


@dataclass
class Lane:
    """One thing that is measured: `run` does this many units and returns the number of steps."""

    kind: str
    game: str
    batch: int
    run: Callable[[int], int]
    units: int = 1
    rates: list[float] = field(default_factory=list)

    def calibrate(self, slot: float) -> None:
        """Find how many units fill a slot; the first run is for compiling."""
        self.run(1)
        while (taken := self.timed()[1]) < slot / 2:
            self.units *= 2
        self.units = max(1, round(self.units * slot / taken))

    def timed(self) -> tuple[int, float]:
        # not by the wall, as others may share the core; pgx works in several threads, the others in this one alone
        clock = time.process_time if self.kind == THEIRS else time.thread_time
        start = clock()
        steps = self.run(self.units)
        return steps, clock() - start

    def measure(self) -> None:
        steps, taken = self.timed()
        self.rates.append(steps / taken)


# --- ours -------------------------------------------------------------------------------------------------------------


def ours(name: str, batch: int) -> Lane:
    env = VectorEnv(name, sittings=batch, seed=SEED)

    def run(units: int) -> int:
        for _ in range(units):
            env.step(env.sample())
        return units * batch

    return Lane(OURS, name, batch, run)


# --- theirs -----------------------------------------------------------------------------------------------------------


def pgx_env(name: str) -> Any:
    import pgx

    if name != "bridge_bidding":
        return pgx.make(name)
    from pgx.bridge_bidding import BridgeBidding, _load_sample_hash

    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, np.stack([np.asarray(part) for part in _load_sample_hash()]))
        file.flush()
        return BridgeBidding(file.name)


def pgx_lane(name: str, batch: int) -> Lane:
    import jax
    import jax.numpy as jnp
    from pgx.experimental import auto_reset

    env, length = pgx_env(name), max(1, SCANNED // batch)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(held: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        state, key = held
        key, for_actions, for_chance = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(for_actions, logits, axis=-1)
        return (step(state, actions, jax.random.split(for_chance, batch)), key), None

    many = jax.jit(lambda held: jax.lax.scan(one, held, None, length=length)[0])
    held = [(jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(SEED), batch)), jax.random.PRNGKey(1))]

    def run(units: int) -> int:
        for _ in range(units):
            held[0] = many(held[0])
        jax.block_until_ready(held[0])
        return units * length * batch

    return Lane(THEIRS, name, batch, run)


def singly(kind: str, name: str, env: Any) -> Lane:
    """An environment of PettingZoo's, ours or theirs, in the loop that its documentation shows."""
    env.reset(seed=SEED)

    def run(units: int) -> int:
        done = 0
        while done < 20 * units:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
            done += 1
        return done

    return Lane(kind, name, 1, run)


def all_lanes(batches: list[int]) -> Iterator[Lane]:
    """All environments that can be measured here; missing ones are named and skipped."""
    for at, batch in enumerate(batches):
        for name in parlour.GAMES:
            yield ours(name, batch)
        for name in PGX:
            try:
                yield pgx_lane(name, batch)
            except ImportError as error:
                if at == 0:
                    print(f"left out: pgx {name} ({error})", file=sys.stderr)
    for name, environment in ENVIRONMENTS.items():
        yield singly(OURS_SINGLY, name, environment.raw_env())
    for name in CLASSIC:
        try:
            yield singly(THEIRS_SINGLY, name, importlib.import_module(f"pettingzoo.classic.{name}").raw_env())
        except ImportError as error:
            print(f"left out: PettingZoo {name} ({error})", file=sys.stderr)


# --- the figures ------------------------------------------------------------------------------------------------------


def best_batches(lanes: list[Lane]) -> list[dict[str, Any]]:
    """For each kind and game the best rate of its best batch."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for lane in lanes:
        rate = max(lane.rates)
        if rate > best.get((lane.kind, lane.game), {"rate": 0.0})["rate"]:
            best[lane.kind, lane.game] = {"kind": lane.kind, "game": lane.game, "batch": lane.batch, "rate": rate}
    return list(best.values())


def compare(rates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each of our games as a multiple of each of theirs, and the fastest of PettingZoo's."""
    by_kind = {kind: [row for row in rates if row["kind"] == kind] for kind in (OURS, THEIRS, THEIRS_SINGLY)}
    classic = max(by_kind[THEIRS_SINGLY], key=lambda row: row["rate"], default=None)
    peers = [(row["game"], row) for row in by_kind[THEIRS]] + ([("", classic)] if classic else [])
    return [
        {
            "peer": f"{row['kind']}: {row['game']}",
            "game": own["game"],
            "ratio": own["rate"] / row["rate"],
            "target": TARGETS.get(peer) if own["game"] in TRICKS else None,
        }
        for peer, row in peers
        for own in by_kind[OURS]
    ]


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def print_tables(header: dict[str, str], rates: list[dict[str, Any]], ratios: list[dict[str, Any]]) -> None:
    for name, value in header.items():
        print(f"{name:12}{value}")
    print("\nMillion steps a second\n")
    for row in rates:
        print(f"  {row['kind']:30}{row['game']:26}batch {row['batch']:5}{row['rate'] / 1e6:10.4f}")
    print("\nOurs as a multiple of theirs\n")
    for row in ratios:
        met = "" if row["target"] is None else f"   target {row['target']:g}: "
        met += "" if row["target"] is None else "met" if row["ratio"] >= row["target"] else "NOT MET"
        print(f"  {row['game']:12} {row['peer']:52}{row['ratio']:10.1f}{met}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15, help="repetitions of each (default 15)")
    parser.add_argument("--slot", type=float, default=20.0, help="milliseconds a repetition (default 20)")
    parser.add_argument("--batches", type=int, nargs="+", default=[64, 256, 1024, 4096, 16384], help="sittings at once")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    if not build.is_compiled():
        sys.exit(f"vector: nothing to measure, parlour is {build.status()}")
    warnings.simplefilter("ignore")  # of the peers, about themselves
    random.seed(SEED)

    header = {
        "parlour": f"{parlour.__version__}, {build.status()}",
        "flags": build_flags(),
        "peers": ", ".join(f"{name} {installed(name)}" for name in ("pgx", "jax", "pettingzoo", "rlcard")),
        "Python": f"{platform.python_version()}, NumPy {np.__version__}",
        "CPU": f"{cpu_model()}, {os.cpu_count()} cores, one of them used",
        "date": time.strftime("%Y-%m-%d"),
        "method": f"best of {arguments.repeats} repetitions of {arguments.slot:g} ms or so, all in turn",
    }
    lanes = []
    for lane in all_lanes(arguments.batches):
        print(f"\rpreparing {lane.kind}, {lane.game} {lane.batch}".ljust(70), end="", file=sys.stderr, flush=True)
        lane.calibrate(arguments.slot / 1000)
        lanes.append(lane)
    for number in range(1, arguments.repeats + 1):
        print(f"\rmeasuring {number}/{arguments.repeats}".ljust(70), end="", file=sys.stderr, flush=True)
        for lane in lanes:
            lane.measure()
    print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)

    rates = best_batches(lanes)
    ratios = compare(rates)
    print_tables(header, rates, ratios)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"header": header, "rates": rates, "ratios": ratios}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
