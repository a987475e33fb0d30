"""Our speed beside OpenSpiel's: one run, one core, ours and theirs in turn, the best of many short repetitions.

    python bench/peers.py [--repeats 15] [--slot 20] [--json FILE]

Both sides play uniformly at random. A rate is player decisions a second: draws of chance take time but are not counted,
and a decision of ours that takes several steps (an offer of three cards) counts once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import pyspiel
from machine import build_flags, cpu_model

import parlour
from parlour.engine import build, playout

OURS = {"masquerade": 4, "lost-heir": 4, "sovereign": 5, "heraldry": 4, "tontine": 12}
"""Our games at their usual number of players."""

CARD_GAMES = {
    "hearts": "hearts",
    "spades": "spades",
    "bridge": "bridge(use_double_dummy_result=false)",  # else a solver plays the cards, at half a second a game
    "euchre": "euchre",
    "oh_hell": "oh_hell",
    "skat": "skat",
    "go_fish": "go_fish",
    "crazy_eights": "crazy_eights",
    "gin_rummy": "gin_rummy",
}
DICE_GAMES = {"pig": "pig"}  # shown beside the rollouts, never the yardstick of a card game

SEED = 7
ROOTS = 16  # deals from which the rollouts start
ROLLOUTS = 32  # rollouts a search
COUNTED = 50  # playouts from each deal to learn how many decisions one has

CORE, WHOLE, ROLLOUT = "ours, compiled core", "OpenSpiel, whole games in C++", "OpenSpiel, C++ rollouts after the deal"
LOOP, THEIR_LOOP = "ours, loop in Python", "OpenSpiel, loop in Python"
THEIR_DEALT = "OpenSpiel, loop in Python after the deal"


@dataclass
class Comparison:
    """One of our kinds of work against one of theirs, and how many times as fast we mean to be."""

    name: str
    ours: str
    theirs: str
    target: dict[str, float]


TRICKS = ("masquerade", "lost-heir")
COMPARISONS = [
    Comparison("a. whole games in the core", CORE, WHOLE, dict.fromkeys(OURS, 1.0) | dict.fromkeys(TRICKS, 10.0)),
    Comparison("b. our whole games against rollouts", CORE, ROLLOUT, dict.fromkeys(TRICKS, 4.0)),
    Comparison("c. a loop in Python", LOOP, THEIR_LOOP, dict.fromkeys(OURS, 3.0)),
    Comparison("   the same, theirs after the deal", LOOP, THEIR_DEALT, {}),
]


@dataclass
class Lane:
    """One thing that is measured. `run` does some units of work, the same each time; `count` says their decisions."""

    kind: str
    game: str
    run: Callable[[int], object]
    count: Callable[[int], float]
    units: int = 1
    decisions: float = 0.0
    rates: list[float] = field(default_factory=list)

    def time(self) -> float:
        # time of the process, not of the wall: others may share the core
        start = time.process_time()
        self.run(self.units)
        return time.process_time() - start

    def calibrate(self, slot: float) -> None:
        """Find how many units fill a slot, and count their decisions."""
        self.run(1)
        while (taken := self.time()) < slot / 2:
            self.units *= 2
        self.units = max(1, round(self.units * slot / taken))
        self.decisions = self.count(self.units)

    def measure(self) -> None:
        self.rates.append(self.decisions / self.time())

    @property
    def best(self) -> float:
        return max(self.rates)


# --- ours -------------------------------------------------------------------------------------------------------------


def our_core(name: str) -> Lane:
    state = parlour.game(name).new(OURS[name], chance=parlour.Seeded(SEED))

    def run(sittings: int) -> int:
        return playout.play_many(state, SEED, sittings)

    return Lane(CORE, name, run, run)


def our_loop(name: str) -> Lane:
    players = OURS[name]

    def run(sittings: int) -> int:
        random.seed(SEED)
        decisions = 0
        for number in range(sittings):
            state = parlour.game(name).new(players, chance=parlour.Seeded(number))
            while not state.over:
                state.play(random.choice(state.legal()))
            decisions += state.moves
        return decisions

    return Lane(LOOP, name, run, run)


# --- theirs -----------------------------------------------------------------------------------------------------------


def decided(state: Any) -> int:
    """The decisions of players in a finished game of theirs."""
    return sum(item.player >= 0 for item in state.full_history())


def walk(state: Any, even: bool) -> Any:
    """Play a game of theirs to its end from Python; where all outcomes are equally likely, a plain random choice."""
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = random.choice(outcomes)[0] if even else random.choices(*zip(*outcomes, strict=True))[0]
        else:
            action = random.choice(state.legal_actions())
        state.apply_action(action)
    return state


def deal(game: Any) -> Any:
    """A state of theirs after the deal: a chance node at the root would crash the search."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choices(*zip(*state.chance_outcomes(), strict=True))[0])
    return state


def is_even(game: Any) -> bool:
    """Whether chance is uniform at each of its turns in some games."""
    random.seed(SEED)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                if max(odds for _, odds in outcomes) - min(odds for _, odds in outcomes) > 1e-9:
                    return False
                state.apply_action(random.choice(outcomes)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
    return True


def their_whole(name: str, game: Any) -> Lane:
    def run(games: int, after: Callable[[Any], object] | None = None) -> None:
        players = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(game.num_players())]
        for number in range(games):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, players, number)
            if after is not None:
                after(state)

    def count(games: int) -> int:
        counts: list[int] = []
        run(games, lambda state: counts.append(decided(state)))
        return sum(counts)

    return Lane(WHOLE, name, run, count)


def their_rollouts(name: str, game: Any) -> Lane:
    """A unit is one search from each root; `max_simulations=1` rolls out from the root itself."""
    even = is_even(game)
    random.seed(SEED)
    roots = [deal(game) for _ in range(ROOTS)]
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, SEED)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, SEED, False)

    def run(units: int) -> None:
        for _ in range(units):
            for root in roots:
                search.mcts_search(root)

    def count(units: int) -> float:
        random.seed(SEED)
        found = sum(decided(walk(root.clone(), even)) for root in roots for _ in range(COUNTED))
        return units * ROLLOUTS * found / COUNTED

    return Lane(ROLLOUT, name, run, count)


def their_loop(name: str, game: Any, dealt: bool) -> Lane:
    even = is_even(game)
    random.seed(SEED)
    roots = [deal(game) for _ in range(ROOTS)]

    def states(games: int) -> Iterable[Any]:
        random.seed(SEED)
        for number in range(games):
            yield roots[number % ROOTS].clone() if dealt else game.new_initial_state()

    def run(games: int) -> None:
        for state in states(games):
            walk(state, even)

    def count(games: int) -> int:
        return sum(decided(walk(state, even)) for state in states(games))

    return Lane(THEIR_DEALT if dealt else THEIR_LOOP, name, run, count)


# --- the run ----------------------------------------------------------------------------------------------------------


def one_core() -> str:
    """Stay on one core where the system lets us; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not bound to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"bound to core {core}"


def in_turn(lanes: list[Lane]) -> list[Lane]:
    """Ours spread evenly among theirs."""
    places = {}
    for mine in (True, False):
        side = [lane for lane in lanes if lane.kind.startswith("ours") == mine]
        places |= {id(lane): (at + 0.5) / len(side) for at, lane in enumerate(side)}
    return sorted(lanes, key=lambda lane: places[id(lane)])


def all_lanes() -> list[Lane]:
    cards = {name: pyspiel.load_game(spec) for name, spec in CARD_GAMES.items()}
    dice = {name: pyspiel.load_game(spec) for name, spec in DICE_GAMES.items()}
    lanes = [our_core(name) for name in OURS]
    lanes += [their_whole(name, game) for name, game in cards.items()]
    lanes += [their_rollouts(name, game) for name, game in (cards | dice).items()]
    lanes += [our_loop(name) for name in OURS]
    lanes += [their_loop(name, game, dealt) for dealt in (False, True) for name, game in cards.items()]
    return lanes


def compare(lanes: list[Lane]) -> list[dict[str, Any]]:
    """Ours against the fastest card game of theirs, for each comparison and each of our games."""
    found = []
    for comparison in COMPARISONS:
        theirs = [lane for lane in lanes if lane.kind == comparison.theirs and lane.game in CARD_GAMES]
        fastest = max(theirs, key=lambda lane: lane.best)
        for lane in lanes:
            if lane.kind == comparison.ours:
                ratio = lane.best / fastest.best
                target = comparison.target.get(lane.game)
                found.append(
                    {
                        "comparison": comparison.name.strip(),
                        "game": lane.game,
                        "rate": lane.best,
                        "fastest": fastest.game,
                        "fastest_rate": fastest.best,
                        "ratio": ratio,
                        "target": target,
                        "met": None if target is None else ratio >= target,
                    }
                )
    return found


def print_tables(header: dict[str, Any], lanes: list[Lane], ratios: list[dict[str, Any]]) -> None:
    for key, value in header.items():
        print(f"{key:10} {value}")
    kinds = dict.fromkeys(lane.kind for lane in lanes)
    print("\nMillion decisions a second: best, and median")
    for kind in kinds:
        print(f"\n  {kind}")
        for lane in sorted((lane for lane in lanes if lane.kind == kind), key=lambda lane: -lane.best):
            median = sorted(lane.rates)[len(lane.rates) // 2]
            print(f"    {lane.game:14}{lane.best / 1e6:9.3f}{median / 1e6:9.3f}")
    print("\nOurs against their fastest card game, best against best")
    last = ""
    for row in ratios:
        if row["comparison"] != last:
            last = row["comparison"]
            print(f"\n  {last} ({row['fastest']}, {row['fastest_rate'] / 1e6:.2f} M)")
        aim = "" if row["target"] is None else f"   target {row['target']:g}×: {'met' if row['met'] else 'NOT MET'}"
        print(f"    {row['game']:14}{row['ratio']:8.2f}×{aim}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15, help="repetitions of each (default 15)")
    parser.add_argument("--slot", type=float, default=20.0, help="milliseconds a repetition (default 20)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    if not build.is_compiled():
        sys.exit(f"peers: nothing to measure, parlour is {build.status()}")

    header = {
        "parlour": f"{parlour.__version__}, {build.status()}",
        "flags": build_flags(),
        "OpenSpiel": version("open_spiel"),
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "CPU": f"{cpu_model()}, {os.cpu_count()} cores; {one_core()}",
        "date": time.strftime("%Y-%m-%d"),
        "method": f"best of {arguments.repeats} repetitions of {arguments.slot:g} ms or so, ours and theirs in turn",
    }
    lanes = in_turn(all_lanes())
    for number, lane in enumerate(lanes, 1):
        print(f"\rpreparing {number}/{len(lanes)}", end="", file=sys.stderr, flush=True)
        lane.calibrate(arguments.slot / 1000)
    for number in range(1, arguments.repeats + 1):
        print(f"\rmeasuring {number}/{arguments.repeats}   ", end="", file=sys.stderr, flush=True)
        for lane in lanes:
            lane.measure()
    print("\r" + " " * 24 + "\r", end="", file=sys.stderr, flush=True)

    order = {kind: at for at, kind in enumerate((CORE, WHOLE, ROLLOUT, LOOP, THEIR_LOOP, THEIR_DEALT))}
    lanes.sort(key=lambda lane: order[lane.kind])
    ratios = compare(lanes)
    print_tables(header, lanes, ratios)
    if arguments.json:
        rates = [
            {
                "kind": lane.kind,
                "game": lane.game,
                "best": lane.best,
                "rates": lane.rates,
                "units": lane.units,
                "decisions": lane.decisions,
            }
            for lane in lanes
        ]
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"header": header, "rates": rates, "ratios": ratios}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
