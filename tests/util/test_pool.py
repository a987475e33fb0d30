"""Worker processes: the order of results, exceptions, and workers that die."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from parlour.util.pool import WorkerDied, as_completed, in_order
from support.workers import leave, wait


def test_a_result_does_not_wait_for_a_slow_task() -> None:
    *quick, slow = as_completed(wait, [1.5, 0.0, 0.0, 0.0], 2)
    assert (quick, slow) == ([0.0, 0.0, 0.0], 1.5)


def test_results_come_in_order_and_a_window_bounds_how_many_are_held() -> None:
    begun: list[float] = []

    def tasks() -> Iterator[float]:
        for seconds in (0.5, *[0.0] * 30):
            begun.append(seconds)
            yield seconds

    results = in_order(wait, tasks(), 2)
    assert next(results) == 0.5 and len(begun) <= 12  # a window of eight, one looked ahead, and those refilled
    assert list(results) == [0.0] * 30


@pytest.mark.parametrize("distribute", [in_order, as_completed])
def test_an_exception_in_a_worker_is_raised_in_the_parent(distribute: Any) -> None:
    with pytest.raises(ValueError, match="non-negative") as raised:
        list(distribute(wait, [0.0, -1.0], 2))
    assert "workers.py" in raised.value.__notes__[0]


@pytest.mark.parametrize("distribute", [in_order, as_completed])
def test_a_worker_that_dies_in_a_task_ends_the_run(distribute: Any) -> None:
    with pytest.raises(WorkerDied, match=r"stopped from outside \(exit code 3\)"):
        list(distribute(leave, [3, 3, 3], 2))
