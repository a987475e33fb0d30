"""Confidence intervals: means, shares and jackknife estimates with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

__all__ = ["Estimate", "mean_of", "share_of", "wilson"]

Z = 1.959964  # the normal quantile of a two-sided 95 % interval


@dataclass(frozen=True)
class Estimate:
    """A mean and its interval, which is None for a single value."""

    mean: float
    interval: tuple[float, float] | None


def student_quantile(freedom: int, z: float = Z) -> float:
    """The quantile of Student's distribution that corresponds to the normal quantile `z` (Cornish–Fisher series).

    Up to three degrees of freedom the series is useless, and the 95 % quantile is looked up.
    """
    if freedom <= 3:
        return (12.7062, 4.3027, 3.1824)[freedom - 1]
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / float(freedom) ** power for power, term in enumerate(terms))


def simultaneous_z(count: int) -> float:
    """The normal quantile with which this many intervals all hold at once in 95 % of cases (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / count)


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of independent values."""
    mean, count = fmean(values), len(values)
    if count == 1:
        return Estimate(mean, None)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = student_quantile(count - 1) * math.sqrt(variance / count)
    return Estimate(mean, (mean - half, mean + half))


def share_of(values: Sequence[float]) -> Estimate:
    """The mean of independent shares, each from 0 to 1."""
    found = mean_of(values)
    if found.interval is None:
        return found
    if found.mean in (0, 1):  # equal values have no spread, and still leave some doubt
        return Estimate(found.mean, wilson(round(found.mean) * len(values), len(values)))
    return Estimate(found.mean, (max(0.0, found.interval[0]), min(1.0, found.interval[1])))


def jackknife(value: float, without: Sequence[float], z: float = Z) -> Estimate:
    """A value over blocks of equal size, with its interval from the values without each block in turn."""
    count, mean = len(without), fmean(without)
    variance = (count - 1) / count * math.fsum((left - mean) ** 2 for left in without)
    half = student_quantile(count - 1, z) * math.sqrt(variance)
    return Estimate(value, (value - half, value + half))


def wilson(wins: int, of: int) -> tuple[float, float]:
    """Wilson's score interval of a share that was counted."""
    share = wins / of
    middle = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of)) / (1 + Z * Z / of)
    return max(0.0, middle - half), min(1.0, middle + half)
