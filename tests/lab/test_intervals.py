"""Confidence intervals of means and shares."""

from __future__ import annotations

import random

import pytest

from parlour.lab.intervals import Estimate, mean_of, share_of, student_quantile, wilson


@pytest.mark.parametrize(
    ("freedom", "reach"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (99, 1.984), (10**6, 1.96)],
)
def test_quantiles_agree_with_printed_tables(freedom: int, reach: float) -> None:
    assert student_quantile(freedom) == pytest.approx(reach, abs=0.001)


def test_a_mean_has_students_interval_quantile() -> None:
    found = mean_of([1.0, 2.0, 3.0, 4.0])
    assert found.interval is not None
    assert found.mean == 2.5 and found.interval == pytest.approx((2.5 - 2.0543, 2.5 + 2.0543), abs=0.002)
    assert mean_of([3.0, 3.0]) == Estimate(3.0, (3.0, 3.0))


def test_a_single_value_has_no_interval() -> None:
    assert mean_of([3.0]) == Estimate(3.0, None)
    assert share_of([1.0]) == Estimate(1.0, None)


def test_the_interval_of_a_share_stays_in_range_and_has_width() -> None:
    assert share_of([1.0] * 10) == Estimate(1.0, wilson(10, 10))
    assert share_of([0.0] * 10) == Estimate(0.0, wilson(0, 10))
    found = share_of([1.0] * 10 + [0.5])
    assert found.interval is not None and found.interval[0] > 0.8 and found.interval[1] == 1.0


@pytest.mark.parametrize("count", [2, 3, 5, 20])
def test_intervals_of_a_mean_hold_it_19_times_in_20(count: int) -> None:
    luck = random.Random(7)
    held = 0
    for _ in range(2000):
        found = mean_of([luck.gauss(5, 3) for _ in range(count)])
        assert found.interval is not None
        held += found.interval[0] <= 5 <= found.interval[1]
    assert 0.935 < held / 2000 < 0.965
