"""The search: trials a second beside OpenSpiel's ISMCTS, two threads, the time of a choice, rules of thumb, memory.

    python bench/search.py [--repeats 15] [--choices 300] [--searches 2000] [--json FILE]

Trials are measured in the middle of a deal, ours and theirs in turn, the best of many short repetitions on one core.
Ours ends a trial with the deal, by rules of thumb; theirs ends it with the game, at random. Seven cards are left to
each player in Lost Heir as in hearts. Theirs needs `pip install -e '.[bench]'`; without it ours is measured alone.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import random
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from machine import build_flags, cpu_model
from memory import resident

import parlour
from parlour.engine import build, playout
from parlour.engine.search import Search
from parlour.lab.simulate import play_sitting
from parlour.players.bots import LEVELS
from parlour.players.seats import Seating

try:
    import pyspiel
except ImportError:
    pyspiel = None

MIDDLES = {"lost-heir": (4, 25), "masquerade": (4, 38), "sovereign": (5, 30), "heraldry": (4, 125)}
"""Players, and the number of decisions after which a sitting by rule of thumb is in its middle."""

SEED = 7
POSITIONS = 8
TRIALS = 1000  # a search, ours and theirs
LEFT = 28  # decisions left in a game of hearts, seven a player
UCT = 2.0
FASTER, THREADED = 5.0, 1.7  # as many times as fast as theirs, and as one thread
LATENCY = {"steady": 30.0, "expert": 150.0}  # milliseconds that 99 of 100 choices must stay below
MORE = 8  # times as many repetitions for threads
HELD = 32  # searches that are held at once, to see what one takes
BATCHES = 5

Work = Callable[[], int]


# --- positions --------------------------------------------------------------------------------------------------------


def middle(name: str, number: int) -> tuple[parlour.State, parlour.View]:
    """A sitting by rule of thumb in its middle, at a choice of three steps or more, and what the seat to decide knows.

    The view has heard everything from the beginning and tracks beliefs, as a searching bot's view does.
    """
    players, moves = MIDDLES[name]
    game = parlour.game(name)
    options = game.options_for(players)
    state = game.state_type(players, options)
    journal = state.journal = parlour.Journal()
    seating = Seating(game, players, options, ["steady"] * players)
    luck = parlour.Seeded(SEED)
    seating.begin(SEED, number)
    state.begin(parlour.Seeded(SEED, 2 * number))
    while True:
        seating.tell(journal)
        journal.clear()
        if state.over:
            sys.exit(f"search: sitting {number} of {name} has no middle")
        view = seating.views[state.seat]
        assert view is not None
        view.see(state)
        if state.moves >= moves and len(state.legal()) > 2:
            return state, view
        state.play(view.heuristic(luck))


def their_middle(game: Any, chosen: random.Random) -> Any:
    """Hearts as any four would play it, with seven cards left to each."""
    while True:
        state = game.new_initial_state()
        while state.is_chance_node() or decisions_left(state) > LEFT:
            if state.is_chance_node():
                action = chosen.choices(*zip(*state.chance_outcomes(), strict=True))[0]
            else:
                action = chosen.choice(state.legal_actions())
            state.apply_action(action)
        if len(state.legal_actions()) > 2:
            return state


def decisions_left(state: Any) -> int:
    """How many decisions a game of hearts still has, whatever they are."""
    state, left = state.clone(), 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        left += 1
    return left


# --- trials a second --------------------------------------------------------------------------------------------------


def our_trials(name: str) -> Work:
    views = [middle(name, number)[1] for number in range(POSITIONS)]
    search = Search(views[0])

    def run() -> int:
        done = 0
        for number, view in enumerate(views):
            search.think(view, SEED, number, TRIALS)
            done += search.done
        return done

    return run


def their_trials() -> Work:
    """Their search with its default settings: one random rollout a simulation, a world for each."""
    game = pyspiel.load_game("hearts")
    chosen = random.Random(SEED)
    states = [their_middle(game, chosen) for _ in range(POSITIONS)]
    bot = pyspiel.ISMCTSBot(SEED, pyspiel.RandomRolloutEvaluator(1, SEED), UCT, TRIALS)

    def run() -> int:
        for state in states:
            bot.step(state)
        return TRIALS * len(states)

    return run


def in_turn(works: dict[str, Work], repeats: int) -> dict[str, list[float]]:
    """Each rate, measured in turn, in process time."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for number in range(-1, repeats):  # the first round warms up
        show(f"trials {number + 1}/{repeats}")
        for name, work in works.items():
            start = time.process_time()
            done = work()
            if number >= 0:
                rates[name].append(done / (time.process_time() - start))
    return rates


def trials(repeats: int) -> dict[str, Any]:
    works = {name: our_trials(name) for name in MIDDLES}
    if pyspiel is not None:
        works["hearts"] = their_trials()
    rates = in_turn(works, repeats)
    ratio = None if pyspiel is None else max(rates["lost-heir"]) / max(rates["hearts"])
    return {"rates": rates, "ratio": ratio, "target": FASTER}


def threads(repeats: int, name: str = "lost-heir") -> dict[str, Any]:
    """Trials a second, by the wall, of one thread and of two, each with a search and views of its own."""
    views = [[middle(name, number)[1] for number in range(at, POSITIONS, 2)] for at in (0, 1)]
    searches = [Search(own[0]) for own in views]

    def rate(used: tuple[int, ...]) -> tuple[float, float]:
        """Trials a second, and how many cores the threads had meanwhile."""
        gate = threading.Barrier(len(used))
        spans: list[tuple[float, float, float, int]] = []

        def run(at: int) -> None:
            gate.wait()
            start, used, done = time.perf_counter(), time.thread_time(), 0
            for number, view in enumerate(views[at]):
                searches[at].think(view, SEED, number, 2 * TRIALS)
                done += searches[at].done
            spans.append((start, time.perf_counter(), time.thread_time() - used, done))

        workers = [threading.Thread(target=run, args=(at,)) for at in used]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        starts, ends, busy, done = zip(*spans, strict=True)
        taken = max(ends) - min(starts)
        return sum(done) / taken, sum(busy) / taken

    one, two = [], []
    for number in range(MORE * repeats):  # short and often: both cores must be free at once
        show(f"threads {number + 1}/{MORE * repeats}")
        one.append(rate((number % 2,))[0])
        two.append(rate((0, 1)))
    most, cores = max(two)
    found = {"game": name, "one": one, "two": [each for each, _ in two], "cores": cores}
    return found | {"ratio": most / max(one), "target": THREADED}


# --- the time of a choice ---------------------------------------------------------------------------------------------


class Timed(Seating):
    """A table that notes the milliseconds of every choice of one seat that has one."""

    seat = 0

    def begin(self, seed: int, number: int) -> None:
        super().begin(seed, number)
        self.taken: list[float] = []

    def choose(self, state: parlour.State) -> int:
        if state.seat != self.seat or len(state.legal()) < 2:
            return super().choose(state)
        start = time.process_time()
        step = super().choose(state)
        self.taken.append(1000 * (time.process_time() - start))
        return step


def latency(name: str, level: str, choices: int) -> dict[str, Any]:
    """The milliseconds of choices in real sittings, one seat by a level and the others by rule of thumb."""
    players, _ = MIDDLES[name]
    game = parlour.game(name)
    options = game.options_for(players)
    state = game.state_type(players, options)
    journal = state.journal = parlour.Journal()
    tables = []
    for seat in range(players):
        table = Timed(game, players, options, [level if seat == at else "thumb" for at in range(players)])
        table.seat = seat
        tables.append(table)
    taken: list[float] = []
    number = 0
    while len(taken) < choices:
        show(f"{level}, {name}, {len(taken)} choices")
        table = tables[number % players]
        table.begin(SEED, number)
        play_sitting(state, parlour.Seeded(SEED, 2 * number), table, journal.clear)
        taken += table.taken
        number += 1
    taken.sort()
    found = {"game": name, "players": players, "level": level, "choices": len(taken), "sittings": number}
    found |= {"median": percentile(taken, 0.5), "p99": percentile(taken, 0.99), "max": taken[-1]}
    target = LATENCY.get(level)
    return found | {"target": target, "met": None if target is None else found["p99"] < target}


def percentile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


# --- rules of thumb ---------------------------------------------------------------------------------------------------


def by_advice(name: str) -> Work:
    """`view.heuristic` called from Python, on views that have seen already."""
    views = [middle(name, number)[1] for number in range(POSITIONS)]
    luck = parlour.Seeded(SEED)

    def run() -> int:
        for _ in range(500):
            for view in views:
                view.heuristic(luck)
        return 500 * len(views)

    return run


def by_sitting(name: str) -> Work:
    """Whole sittings from Python, every seat with a view that listens and looks."""
    players, _ = MIDDLES[name]
    game = parlour.game(name)
    options = game.options_for(players)
    state = game.state_type(players, options)
    journal = state.journal = parlour.Journal()
    seating = Seating(game, players, options, ["thumb"] * players)

    def run() -> int:
        decisions = 0
        for number in range(8):
            seating.begin(SEED, number)
            play_sitting(state, parlour.Seeded(SEED, 2 * number), seating, journal.clear)
            decisions += state.moves
        return decisions

    return run


def in_core(name: str) -> Work:
    """Whole sittings in C."""
    players, _ = MIDDLES[name]
    game = parlour.game(name)
    options = game.options_for(players)
    state, sight = game.state_type(players, options), game.view_type(players, 0, options)
    chance, luck = parlour.Seeded(), parlour.Seeded()

    def run() -> int:
        decisions = 0
        for number in range(64):
            chance.restart(SEED, 2 * number)
            luck.restart(SEED, 2 * number + 1)
            playout.play_by_heuristic(state, sight, chance, luck)
            decisions += state.moves
        return decisions

    return run


def thumbs(repeats: int) -> list[dict[str, Any]]:
    ways = {"advice on a view, called from Python": by_advice, "whole sittings from Python": by_sitting}
    if hasattr(playout, "play_by_heuristic"):
        ways["whole sittings in C"] = in_core
    works = {f"{way}\0{name}": make(name) for way, make in ways.items() for name in MIDDLES}
    found = []
    for key, rates in in_turn(works, repeats).items():
        way, _, name = key.partition("\0")
        found.append({"way": way, "game": name, "rates": rates})
    return found


# --- memory -----------------------------------------------------------------------------------------------------------


def weigh(name: str) -> dict[str, Any]:
    """Bytes of a search and of a view as objects, and KiB resident that both add in use, with beliefs tracked."""
    _, view = middle(name, 0)
    search = Search(view)
    search.think(view, SEED, 0, LEVELS["champion"])  # what is made once is made before
    held = [(search, view)]
    before = resident()
    for number in range(HELD):
        _, view = middle(name, number % POSITIONS)
        search = Search(view)
        search.think(view, SEED, number, LEVELS["champion"])
        held.append((search, view))
    kib = (resident() - before) / HELD
    return {"game": name, "search": sys.getsizeof(search), "view": sys.getsizeof(view), "kib": kib}


def weights() -> list[dict[str, Any]]:
    """Each game in a new process, so that no freed memory is reused."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return pool.map(weigh, MIDDLES, chunksize=1)


def growth(searches: int) -> list[dict[str, Any]]:
    """KiB resident after each fifth of many searches: with one Search all along, and with a new one for each."""
    found = []
    for name in MIDDLES:
        views = [middle(name, number)[1] for number in range(POSITIONS)]
        one = Search(views[0])

        def same(number: int, one: Search = one, views: list[parlour.View] = views) -> None:
            one.think(views[number % POSITIONS], SEED, number, LEVELS["steady"])

        def new(number: int, name: str = name) -> None:
            _, view = middle(name, number % POSITIONS)
            Search(view).think(view, SEED, number, LEVELS["steady"])

        for way, work in (("one Search", same), ("a new Search", new)):
            show(f"memory, {name}, {way}")
            batch = max(1, searches // BATCHES)
            for number in range(batch // 4):  # what is made once is made before
                work(number)
            marks = [resident()]
            for first in range(0, BATCHES * batch, batch):
                for number in range(first, first + batch):
                    work(number)
                marks.append(resident())
            found.append({"game": name, "way": way, "searches": BATCHES * batch, "kib": marks})
    return found


# --- the run ----------------------------------------------------------------------------------------------------------


def show(words: str) -> None:
    print(f"\r{words:60}", end="", file=sys.stderr, flush=True)


def bind(cores: set[int] | None) -> str:
    """Stay on these cores, where the system lets us."""
    if cores is None:
        return "not bound to a core"
    os.sched_setaffinity(0, cores)
    return f"bound to core {max(cores)}, but for the threads"


def best_and_median(rates: list[float]) -> str:
    return f"{max(rates) / 1000:12,.0f}{sorted(rates)[len(rates) // 2] / 1000:10,.0f}"


def against(ratio: float, target: float) -> str:
    return f"{ratio:.2f}×   target {target:g}×: {'met' if ratio >= target else 'NOT MET'}"


def print_tables(found: dict[str, Any]) -> None:
    for key, value in found["header"].items():
        print(f"{key:10} {value}")
    print("\nTrials in the middle of a deal, thousands a second: best, and median")
    for name, rates in found["trials"]["rates"].items():
        print(f"    {'OpenSpiel, ' + name if name == 'hearts' else name:24}{best_and_median(rates)}")
    if found["trials"]["ratio"] is None:
        print("    OpenSpiel is not here to compare with: pip install -e '.[bench]'")
    else:
        print(f"    lost-heir to hearts, best to best: {against(found['trials']['ratio'], FASTER)}")

    threaded = found["threads"]
    print(f"\nTwo threads ({threaded['game']}), thousands of trials a second by the wall: best, and median")
    if threaded["ratio"] is None:
        print("    there is only one core here")
    else:
        print(f"    {'one thread':24}{best_and_median(threaded['one'])}")
        print(f"    {'two threads':24}{best_and_median(threaded['two'])}")
        print(f"    two to one, best to best: {against(threaded['ratio'], THREADED)}")
        print(f"    (the two had {threaded['cores']:.2f} cores then; much below 2, others were at work here)")

    print("\nMilliseconds of a choice on one core (a forced step is no choice)")
    print(f"    {'level':10}{'game':14}{'players':>7}{'choices':>9}{'median':>9}{'p99':>9}{'most':>9}")
    for row in found["choices"]:
        target = row["target"]
        aim = "" if target is None else f"   target below {target:g}: {'met' if row['met'] else 'NOT MET'}"
        figures = f"{row['median']:9.2f}{row['p99']:9.2f}{row['max']:9.2f}"
        print(f"    {row['level']:10}{row['game']:14}{row['players']:7}{row['choices']:9}{figures}{aim}")

    print("\nRules of thumb, thousands of decisions a second: best, and median")
    last = ""
    for row in found["thumb"]:
        if row["way"] != last:
            last = row["way"]
            print(f"  {last}")
        print(f"    {row['game']:24}{best_and_median(row['rates'])}")
    if not hasattr(playout, "play_by_heuristic"):
        print("  there is no loop in C to measure")

    print("\nMemory of a search: bytes of the objects, and KiB resident for one in use with its view")
    for row in found["weights"]:
        print(f"    {row['game']:14}Search {row['search']:9,}   view {row['view']:6,}   resident {row['kib']:7.0f} KiB")
    print("\nResident memory, KiB, before and after each fifth of the searches")
    for row in found["resident"]:
        marks = " ".join(str(mark) for mark in row["kib"])
        print(f"    {row['game']:14}{row['way']:14}{row['searches']:7} searches   {marks}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15, help="repetitions of each rate (default 15)")
    parser.add_argument("--choices", type=int, default=300, help="choices timed for each level and game (default 300)")
    parser.add_argument("--searches", type=int, default=2000, help="searches while memory is watched (default 2000)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    if not build.is_compiled():
        sys.exit(f"search: nothing to measure, parlour is {build.status()}")
    if pyspiel is None:
        print("search: no OpenSpiel to compare with; pip install -e '.[bench]'", file=sys.stderr)

    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    bound = bind(cores and {max(cores)})
    levels = ("steady", "expert", "champion")
    found = {
        "header": {
            "parlour": f"{parlour.__version__}, {build.status()}",
            "flags": build_flags(),
            "OpenSpiel": "not installed" if pyspiel is None else version("open_spiel"),
            "Python": f"{platform.python_version()} ({platform.python_implementation()})",
            "CPU": f"{cpu_model()}, {os.cpu_count()} cores; {bound}",
            "date": time.strftime("%Y-%m-%d"),
            "method": f"best of {arguments.repeats} repetitions in turn, {POSITIONS} positions, {TRIALS} trials each",
        },
        "weights": weights(),
        "trials": trials(arguments.repeats),
        "choices": [latency(name, level, arguments.choices) for level in levels for name in MIDDLES],
        "thumb": thumbs(arguments.repeats),
        "resident": growth(arguments.searches),
    }
    bind(cores)
    lonely = len(cores) < 2 if cores else (os.cpu_count() or 1) < 2
    found["threads"] = {"game": "lost-heir", "ratio": None} if lonely else threads(arguments.repeats)
    show("")
    print("\r", end="", file=sys.stderr, flush=True)
    print_tables(found)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
