"""The command that measures speed: bench."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from .._version import __version__
from ..engine import build
from ..lab.speed import measure
from .arguments import add_command, add_game, add_json, games_of
from .output import GOOD, progress

if TYPE_CHECKING:
    from .arguments import Commands

HEADS = ("players", "compiled", "with events", "interpreted", "with events", "ratio")
RATES = ("compiled", "compiled_with_events", "interpreted", "interpreted_with_events")


def add_bench(commands: Commands) -> None:
    """parlour bench."""
    words = "measure decisions per second, compiled and interpreted"
    command = add_command(commands, "bench", do_bench, words, "parlour bench lost-heir")
    add_game(command, default="all games")
    add_json(command)


def do_bench(asked: argparse.Namespace) -> int:
    """Measure the speed of games."""
    games = games_of(asked.game)
    results = []
    with progress(len(games), "games") as show:
        for number, game in enumerate(games):
            show(number)
            results.append(measure(game.name))
    if asked.json:
        print(json.dumps({"version": __version__, "status": build.status(), "games": results}, indent=1))
        return GOOD
    print(f"parlour {__version__}, {build.status()}; one core, random play, whole sittings, best of many short runs")
    print("Millions of decisions per second:")
    print(f"{'':<12}" + "".join(f"{head:>13}" for head in HEADS))
    for row in results:
        cells = [f"{row[rate] / 1e6:.3f}" if row[rate] else "–" for rate in RATES]
        cells = [str(row["players"]), *cells, f"{row['ratio']:.0f}×" if row["ratio"] else "–"]
        print(f"{row['game']:<12}" + "".join(f"{cell:>13}" for cell in cells))
    return GOOD
