"""How reviews do: python bench/review.py GAME,… [--sittings N] [--own N] [--bots A,B]

Luck: N sittings of bot A at seat 0 against B elsewhere; whether the parts add up, and the variance of the result with
and without the part of deals and draws, which says how many fewer sittings tell two bots apart. Own: the champion's own
sittings, in which a review should find no mistake.
"""

from __future__ import annotations

import argparse
import math
import random
from statistics import mean, variance

from parlour.play.opponents import Opponents
from parlour.play.sitting import Sitting
from parlour.players.review import Reviewing, luck_of, review


def record_of(game: str, bots: str, seed: str) -> dict[str, object]:
    sitting = Sitting(game, seed=seed, track_beliefs=True)
    opponents = Opponents(sitting, bots)
    while not sitting.over:
        opponents.take_step()
    return sitting.record()


def ratio_of(results: list[float], parts: list[float]) -> tuple[float, float, float]:
    """The variance of results over that of results without a part, with a 95 % interval (bootstrap)."""
    left = [result - part for result, part in zip(results, parts, strict=True)]
    luck, pairs, found = random.Random(1), list(zip(results, left, strict=True)), []
    for _ in range(500):
        drawn = luck.choices(pairs, k=len(pairs))
        found.append(variance([one for one, _ in drawn]) / variance([other for _, other in drawn]))
    found.sort()
    return variance(results) / variance(left), found[12], found[487]


def measure(game: str, sittings: int, own: int, bots: str) -> None:
    one, other = bots.split(",")
    wins, scores, win_parts, score_parts, worst = [], [], [], [], 0.0
    for number in range(sittings):
        players = Sitting(game, seed=1).players
        reviewing = Reviewing(record_of(game, ",".join([one] + [other] * (players - 1)), f"review {number}"), 0)
        luck = luck_of([node for at in range(reviewing.of_choices, reviewing.pieces) for node in reviewing.work(at)])
        wins.append(luck.result.win)
        scores.append(luck.result.score)
        win_parts.append(luck.luck.win)
        score_parts.append(luck.luck.score)
        for of in ("win", "score"):
            total = sum(getattr(part, of) for part in (luck.start, luck.luck, luck.others, luck.own))
            worst = max(worst, abs(total - getattr(luck.result, of)))
    if sittings:
        mean_luck, error = mean(win_parts), math.sqrt(variance(win_parts) / sittings)
        print(f"{game}: {sittings} sittings of {one} against {other}; largest remainder {worst:.1e}")
        print(f"  mean part of luck {mean_luck:+.3f} ± {1.96 * error:.3f}; wins {mean(wins):.3f}")
        for name, results, parts in (("wins", wins, win_parts), ("score", scores, score_parts)):
            ratio, low, high = ratio_of(results, parts)
            plain = math.sqrt(variance(results) / sittings)
            print(f"  {name}: standard error {plain:.4f}, without luck {plain / math.sqrt(ratio):.4f}: ", end="")
            print(f"{ratio:.2f} ({low:.2f} to {high:.2f}) times fewer sittings", flush=True)
    found, choices = [], 0
    for number in range(own):
        players = Sitting(game, seed=1).players
        bots = ",".join(["champion"] + ["steady"] * (players - 1))
        made = review(record_of(game, bots, f"own {number}"), 0)
        choices += len(made.marks)
        found += made.mistakes
    if own:
        print(f"  champion: {own} sittings, {choices} choices, {len(found)} mistakes beyond doubt", flush=True)
        for mark in found:
            print(f"    {mark.played} for {mark.best}: {mark.lost:.3f} ± {mark.doubt:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--sittings", type=int, default=500)
    parser.add_argument("--own", type=int, default=20)
    parser.add_argument("--bots", default="expert,thumb")
    asked = parser.parse_args()
    for name in asked.games.split(","):
        measure(name, asked.sittings, asked.own, asked.bots)
