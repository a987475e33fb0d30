"""Chances to win as people are told them: estimates of the search or of the scores, calibrated on simulated sittings.

The engine's own estimate (`State.win_chance`) only has to rank positions, and the bots' choices depend on it, so it
stays as it is. What people are told is that estimate put through a small logistic map, fitted for each game by
`bench/calibration.py` and stored in its folder as `chances.json`. A game without the file is told the plain estimate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..engine.core import State
from ..engine.game import Game
from ..engine.view import View

FILE = "chances.json"
SEARCH, SCORES = "search", "scores"  # an estimate of the search, averaged over many rollouts, or of the scores alone
Z = 1.96  # standard errors on either side of a 95 % interval


@dataclass(frozen=True)
class Chance:
    """A chance to win, and half the width of its 95 % interval."""

    value: float
    within: float


@dataclass(frozen=True)
class Calibration:
    """A logistic map that leaves an equal chance about where it is, and is steeper or flatter as the sitting goes on.

    log odds = those of an equal chance + level + slope × (log odds of the estimate − those of an equal chance), where
    level and slope change in a straight line with the progress of the sitting, from 0 to 1.
    """

    weights: tuple[float, float, float, float]  # level at the start, its change; slope at the start, its change
    floor: float  # the share of an equal chance that an estimate of 0 is taken for,
    ceiling: float  # and the share of the others' equal chances that an estimate of 1 leaves them
    covariance: tuple[tuple[float, ...], ...]  # of the weights, by the sittings they were fitted to

    def told(self, estimate: float, error: float, sides: int, progress: float) -> Chance:
        """An estimate with its standard error as people are told it."""
        equal = log_odds(1 / sides)
        mixed = self.mixed(estimate, sides)
        distance = log_odds(mixed) - equal
        terms = (1.0, progress, distance, progress * distance)
        level = self.weights[0] + self.weights[1] * progress
        slope = max(0.0, self.weights[2] + self.weights[3] * progress)  # a higher estimate is never told as a lower one
        value = 1 / (1 + math.exp(-equal - level - slope * distance))
        sampling = slope * error / (mixed * (1 - mixed))
        fitting = sum(self.covariance[i][j] * terms[i] * terms[j] for i in range(4) for j in range(4))
        return Chance(value, min(0.5, Z * value * (1 - value) * math.sqrt(max(0.0, sampling * sampling + fitting))))

    def mixed(self, estimate: float, sides: int) -> float:
        """An estimate that is neither 0 nor 1."""
        low, high = self.floor / sides, 1 - self.ceiling * (1 - 1 / sides)
        return low + (high - low) * estimate


@dataclass(frozen=True)
class Chances:
    """The calibrations of one game, and how the progress of a sitting is read from a view."""

    progress: Mapping[str, Any]
    maps: Mapping[str, Mapping[tuple[int, int], Calibration]]  # by kind, then by the numbers of players and sides

    def nearest(self, kind: str, players: int, sides: int) -> Calibration | None:
        """The map of the measured table that is most like this one."""
        found = self.maps.get(kind, {})

        def distance(table: tuple[int, int]) -> float:
            return abs(math.log(table[0] / players)) + abs(math.log(table[1] / sides))

        return found[min(found, key=distance)] if found else None


def log_odds(chance: float) -> float:
    """The logarithm of the odds."""
    return math.log(chance / (1 - chance))


@cache
def chances_of(game: Game) -> Chances | None:
    """What the game's `chances.json` says; None where it has none."""
    text = game.text(FILE)
    if text is None:
        return None
    data = json.loads(text)
    return Chances(
        data["progress"],
        {
            kind: {(each["players"], each["sides"]): calibration(each) for each in data.get(kind, ())}
            for kind in (SEARCH, SCORES)
        },
    )


def calibration(data: Mapping[str, Any]) -> Calibration:
    """A map as it is stored."""
    a, b, c, d = data["weights"]
    uncertain = tuple(tuple(row) for row in data["covariance"])
    return Calibration((a, b, c, d), data["floor"], data["ceiling"], uncertain)


def progress_of(spec: Mapping[str, Any], view: View) -> float:
    """How far a sitting has come, from 0 to 1, by what everybody can see.

    `field` and `goal`: the best score against the goal, or against that of an option `goal`. `left`: how many of the
    seats in a field are gone. Where a sitting is several games, each of them is its part.
    """
    fields = view.fields()
    part = 0.0
    if "field" in spec:
        part = max(fields[spec["field"]]) / int(view.options.get("goal", spec["goal"]))
    elif "left" in spec:
        part = 1 - (len(fields[spec["left"]]) - 1) / max(1, view.players - 1)
    if "game" in fields:
        part = (fields["game"] + min(1.0, part)) / view.options["games"]
    return min(1.0, max(0.0, part))


def told(game: Game, view: View, estimate: float, error: float, kind: str = SEARCH) -> Chance:
    """The chance to win that a person is told for an estimate of the engine with its standard error."""
    found = chances_of(game)
    calibrated = found.nearest(kind, view.players, view.sides) if found is not None else None
    if found is None or calibrated is None:
        return Chance(estimate, Z * error)
    return calibrated.told(estimate, error, view.sides, progress_of(found.progress, view))


def told_by_scores(game: Game, view: View, state: State, seats: Sequence[int]) -> list[Chance]:
    """What the scores of a state alone say of the chances of some seats, as people are told it; any view will do."""
    return [told(game, view, state.win_chance(seat), 0.0, SCORES) for seat in seats]
