"""The speed of the engine: decisions a second, compiled and interpreted, with and without events."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from ..engine import build

REPEATS = 15


def best_rate(work: Callable[[int], int], repeats: int = REPEATS, least: float = 0.02) -> float:
    """Decisions a second in the best of many short runs: on a shared machine the best is steadier than the median."""
    size = 1
    while True:
        start = time.perf_counter()
        done = work(size)
        spent = time.perf_counter() - start
        if spent >= least:
            break
        size = max(2 * size, int(size * least / max(spent, 1e-6)))
    best = done / spent
    for _ in range(repeats - 1):
        start = time.perf_counter()
        done = work(size)
        best = max(best, done / (time.perf_counter() - start))
    return best


def workloads(package: ModuleType, name: str) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """Two functions that play whole sittings at random, without and with events."""
    play_many = import_module(f"{package.__name__}.engine.playout").play_many
    game = package.game(name)
    bots = package.bots
    players = game.sheet.usual
    state = game.state_type(players, game.options_for(players))
    told = game.state_type(players, game.options_for(players))
    told.journal = package.Journal()

    def without(sittings: int) -> int:
        return int(play_many(state, 1, sittings))

    def with_events(sittings: int) -> int:
        chance, luck = package.Seeded(), package.Seeded()
        player = bots.Random(luck)
        done = 0
        for number in range(sittings):
            chance.restart(1, 2 * number)
            luck.restart(1, 2 * number + 1)
            told.begin(chance)
            while not told.over:
                told.journal.rows()
                told.journal.clear()
                told.play(player.pick(told.legal()))
            told.journal.clear()
            done += told.moves
        return done

    return without, with_events


def measure(name: str) -> dict[str, Any]:
    """The figures of one game; the compiled ones are None where nothing is compiled."""
    import parlour

    interpreted = build.load_interpreted()
    plain, plain_told = (best_rate(work, 3, 0.05) for work in workloads(interpreted, name))
    fast = fast_told = None
    if build.is_compiled():
        fast, fast_told = (best_rate(work) for work in workloads(parlour, name))
    return {
        "game": name,
        "players": interpreted.game(name).sheet.usual,
        "compiled": fast,
        "compiled_with_events": fast_told,
        "interpreted": plain,
        "interpreted_with_events": plain_told,
        "ratio": fast / plain if fast else None,
    }
