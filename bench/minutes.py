"""How long a usual game takes a person at the page, for `minutes` in the sheets: python bench/minutes.py

Rules of thumb play at every seat; the person sits at one of them. A choice of theirs takes 3 s and a forced move 1 s.
A move of a bot takes the 0.6 s that the page gives it, and every event then stands for 0.6 s. The table of a finished
deal stands for 6 s. Where nobody decides anything the page turns the cards by itself, and a deal takes 2.5 s.
"""

from __future__ import annotations

import argparse
import statistics

from parlour.engine.core import Seeded
from parlour.engine.game import Game
from parlour.games import REGISTRY
from parlour.play.sitting import Sitting
from parlour.players.bots import LEVELS

CHOICE, FORCED, BOT, EVENT, DEAL, WATCHED_DEAL = 3.0, 1.0, 0.6, 0.6, 6.0, 2.5  # seconds
PERSON = 0


def seconds(game: Game, number: int) -> tuple[float, int, int]:
    """The length of one game, the choices of the person, and the deals."""
    sitting = Sitting(game, seed=number, listeners=range(game.sheet.usual))
    luck, spent, choices = Seeded(), 0.0, 0
    while not sitting.over:
        seat, several = sitting.seat, len(sitting.legal()) > 1
        if seat == PERSON:
            spent += CHOICE if several else FORCED
            choices += several
        else:
            spent += BOT
        sitting.play(sitting.view(seat).heuristic(luck))
    kinds = [entry[0] for entry in sitting.told[PERSON]]
    deals = kinds.count("deal")
    if game.usual_bot not in LEVELS:
        return deals * WATCHED_DEAL, choices, deals
    shown = [kind for kind in kinds if kind not in ("deal", "hand")]  # all hands are dealt at once
    return spent + EVENT * len(shown) + DEAL * deals, choices, deals


def usual_minutes(game: Game, games: int) -> list[float]:
    """The lengths of some games in minutes: a quarter are shorter than the first, half shorter than the second."""
    return statistics.quantiles((seconds(game, number)[0] / 60 for number in range(games)), n=4)


def rounded(minutes: float) -> int:
    """As the sheets say it: in steps of five minutes."""
    return max(5, 5 * round(minutes / 5))


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games played of each")
    asked = parser.parse_args()
    print(f"{'game':<12} {'minutes':>8} {'half of them':>14} {'choices':>8} {'deals':>6}   in the sheet")
    for game in REGISTRY.values():
        found = [seconds(game, number) for number in range(asked.games)]
        low, middle, high = usual_minutes(game, asked.games)
        choices, deals = (statistics.mean(each[at] for each in found) for at in (1, 2))
        half = f"{low:.1f} to {high:.1f}"
        print(f"{game.name:<12} {middle:>8.1f} {half:>14} {choices:>8.0f} {deals:>6.1f}   {game.sheet.minutes}")


if __name__ == "__main__":
    main()
