"""The result of a study: every metric of every row with its interval, the differences, and the readings ranked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .._version import __version__
from ..engine.game import Game
from ..games import game as game_of
from ..sheets.edition import edition_of
from .figures import in_words
from .intervals import Estimate, Z, jackknife, simultaneous_z, wilson
from .metrics import METRICS, Metric
from .plan import FORMAT, Study, Variant
from .play import (
    REPLAYS,
    SITTINGS_A_CHOICE,
    SITTINGS_A_LUCK_DEAL,
    SITTINGS_A_SKILL_DEAL,
    SLIPS,
    WORLDS,
    Block,
    count_sides,
)

# A reading has a drawback in play where the whole interval of a difference is beyond its limit: one sitting in fifty
# that does not end by the sheet or that nobody wins alone; one of four places that wins a third, or a sixth; one
# decision in twenty that leaves nothing to decide.
UNWANTED = {
    "completion": (-0.02, "fewer sittings come to the sheet's own end"),
    "drawishness": (0.02, "more sittings are won by nobody alone"),
    "balance": (-0.01, "where one sits matters more"),
    "real_choices": (-0.05, "fewer decisions leave anything to decide"),
}
ROUNDING = 1e-12  # an interval narrower than this has no width


class Measured:
    """The sums of a row, over all its blocks and without each block in turn (for the jackknife)."""

    def __init__(self, blocks: Sequence[Block], sides: int) -> None:
        self.sides = sides
        names = blocks[0].sums
        self.all = {name: math.fsum(block.sums[name] for block in blocks) for name in names}
        self.without = [{name: self.all[name] - block.sums[name] for name in names} for block in blocks]

    def values(self, metric: Metric) -> tuple[float, list[float]] | None:
        """A metric over all blocks, and without each block; None where it has no value."""
        whole = metric.value(self.all, self.sides)
        without = [metric.value(sums, self.sides) for sums in self.without]
        known = [value for value in without if value is not None]
        return None if whole is None or len(known) < len(without) else (whole, known)

    def estimate(self, metric: Metric) -> Estimate | None:
        """A metric with its interval, cut to the metric's range."""
        found = self.values(metric)
        if found is None:
            return None
        value, (low, high) = found[0], self.interval(metric, *found, Z)
        least, most = metric.range
        if value >= least:  # an unbiased estimate may be slightly out of range
            low = max(low, least)
        if most is not None and value <= most:
            high = min(high, most)
        return Estimate(value, (low, high))

    def difference(
        self, metric: Metric, other: Measured, scale: Callable[[float], float], z: float = Z
    ) -> Estimate | None:
        """The difference from another row on some scale, paired by blocks of the same deals."""
        mine, theirs = self.values(metric), other.values(metric)
        if mine is None or theirs is None:
            return None
        value = scale(mine[0]) - scale(theirs[0])
        without = [scale(one) - scale(another) for one, another in zip(mine[1], theirs[1], strict=True)]
        return Estimate(value, self.interval(metric, value, without, z))

    def interval(self, metric: Metric, value: float, without: Sequence[float], z: float) -> tuple[float, float]:
        """The interval of a value. Where all blocks agree on a share, Wilson's interval replaces one of no width."""
        low, high = jackknife(value, without, z).interval or (value, value)
        least, most = metric.range
        if most is not None and high - low < ROUNDING:
            doubt = (most - least) * wilson(0, round(self.all[metric.counted]))[1]
            low, high = value - doubt, value + doubt
        return low, high


def identity(value: float) -> float:
    """The scale of a share."""
    return value


def effect_scale(metric: Metric) -> Callable[[float], float]:
    """The scale on which effects on different metrics are compared: a share as it is, a number by its logarithm.

    An effect of 0.1 is ten percentage points of a share, and about a tenth more of a number; where the number can be
    0, a tenth more of that number plus one.
    """
    if metric.range[1] is not None:
        return identity
    return math.log if metric.range[0] >= 1 else math.log1p


def rounded(value: float) -> float:
    """A value to six digits: more would be noise."""
    return float(f"{value:.6g}")


def as_data(estimate: Estimate | None) -> dict[str, float] | None:
    """An estimate as a result holds it."""
    if estimate is None or estimate.interval is None:
        return None
    low, high = estimate.interval
    return {"value": rounded(estimate.mean), "low": rounded(low), "high": rounded(high)}


def report(study: Study, blocks: Sequence[Block]) -> dict[str, Any]:
    """The whole result with 95 % intervals; the same study gives the same result to the last digit."""
    game = game_of(study.game)
    measured = [
        Measured(
            blocks[at * study.blocks : (at + 1) * study.blocks],
            count_sides(study.game, row.players, row.options),
        )
        for at, row in enumerate(study.rows)
    ]
    rows = [
        row_data(study, row, measured[at], measured[row.against]) | {"first_block": blocks[at * study.blocks].digest()}
        for at, row in enumerate(study.rows)
    ]
    ranked = ranking(study, measured) if study.kind == "readings" else []
    return {
        "format": FORMAT,
        "version": __version__,
        "command": study.command,
        "kind": study.kind,
        "game": game.name,
        "title": game.title,
        "rules": study.rules,
        "seed": study.seed,
        "sittings": study.blocks * study.size,
        "blocks": study.blocks,
        "bots": asdict(study.bots),
        "method": method(study),
        "metrics": [metric.as_data() for metric in METRICS],
        "rows": rows,
        "ranking": [entry for entry in ranked if is_doubtful(game, entry)],
        "left_to_the_table": [entry for entry in ranked if not is_doubtful(game, entry)],
        "unwanted": unwanted(rows) if study.kind == "readings" else [],
    }


def is_doubtful(game: Game, entry: Mapping[str, Any]) -> bool:
    """Whether a reading is of words that the sheet leaves in doubt, rather than a choice left to the table."""
    sheet, notes = game.sheet, edition_of(game.sheet).clauses
    options = [sheet.option(name) for name in entry["option"].split("+")]
    return any(option.doubtful and notes[sheet.clause(option.clause).id].state != "clear" for option in options)


def row_data(study: Study, row: Variant, found: Measured, other: Measured) -> dict[str, Any]:
    """One row of the result."""
    values = {metric.name: as_data(found.estimate(metric)) for metric in METRICS}
    differences = {
        metric.name: None if row.usual else as_data(found.difference(metric, other, identity)) for metric in METRICS
    }
    options = game_of(study.game).sheet.recorded(row.options, study.rules)
    figures = {"sittings": study.blocks * study.size, "values": values, "differences": differences}
    return asdict(row) | {"options": options} | figures


def method(study: Study) -> dict[str, Any]:
    """How many sittings each experiment took, and which bots played them."""
    size, blocks = study.size, study.blocks
    return {
        "table": {"sittings": size * blocks, "bots": study.bots.table},
        "skill": {"deals": blocks * max(1, size // SITTINGS_A_SKILL_DEAL), "plays": 2},
        "luck": {
            "deals": blocks * max(1, size // SITTINGS_A_LUCK_DEAL),
            "plays": REPLAYS,
            "bots": "thumb",
            "slips": SLIPS,
        },
        "choices": {
            "sittings": blocks * max(1, size // SITTINGS_A_CHOICE),
            "bots": "thumb",
            "halves": 2,
            "worlds": WORLDS,
        },
        "interval": "95 %, delete-one-block jackknife; differences paired by blocks of the same deals",
        "yardstick": "the difference of a share, or of a number's logarithm",
        "ranking": "by the least that an effect may be; these intervals are wider, and hold all at once with 95 %",
    }


# --- which reading matters --------------------------------------------------------------------------------------------


def ranking(study: Study, measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """The readings by their certain effect: the near end of the interval, so that noise never ranks high.

    The largest of many effects is looked for, so the intervals are simultaneous: wide enough to hold all at once.
    """
    metrics = [metric for metric in METRICS if metric.ranked]
    ranked, z = [], simultaneous_z(len(metrics) * (len(study.rows) - 1))
    for row, found in zip(study.rows, measured, strict=True):
        other = measured[row.against]
        effects = [(metric, found.difference(metric, other, effect_scale(metric), z)) for metric in metrics]
        sized = [size_of(metric, effect) for metric, effect in effects if effect is not None and not row.usual]
        if sized:
            place = {"clause": row.clause, "option": row.option, "value": row.value}
            reach = max(entry["interval"][1] for entry in sized)  # its largest effect, on any metric, is no larger
            ranked.append(place | max(sized, key=certain_effect) | {"at_most": reach})
    return sorted(ranked, key=certain_effect, reverse=True)


def size_of(metric: Metric, effect: Estimate) -> dict[str, Any]:
    """How large an effect is in either direction, with its interval turned the same way."""
    assert effect.interval is not None
    low, high = effect.interval if effect.mean >= 0 else (-effect.interval[1], -effect.interval[0])
    return {"effect": rounded(abs(effect.mean)), "metric": metric.name, "interval": [rounded(low), rounded(high)]}


def certain_effect(entry: dict[str, Any]) -> tuple[float, float]:
    """The sort key of a ranking: the effect that is certain, then the effect as estimated."""
    return max(0.0, entry["interval"][0]), entry["effect"]


def unwanted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The readings with drawbacks in play, each with what it makes worse."""
    titles = {metric.name: metric.title for metric in METRICS}
    found = []
    for row in rows:
        for name, (limit, words) in UNWANTED.items():
            difference = row["differences"][name]
            if difference is not None and (difference["high"] < limit if limit < 0 else difference["low"] > limit):
                why = f"With {row['option']}: {row['value']} {words}: {titles[name]} {in_words(difference, '+')}."
                found.append({"option": row["option"], "value": row["value"], "why": why, "metric": name})
    return found
