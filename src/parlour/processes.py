"""Work shared among processes, with its results in the order of the tasks or as they are done."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.pool import AsyncResult
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def settle_signals() -> None:
    """An interrupt is for the one who waits for the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def leave(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def carry_out(function: Callable[[Task], Result], task: Task) -> Result:
    """Do a task; who is ended in the middle of it leaves in order, bots and all. Between tasks nothing is held."""
    signal.signal(signal.SIGTERM, leave)
    try:
        return function(task)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def in_order(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """What a function makes of each task, in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, settle_signals) as pool:
        # a window of tasks, so that no more results are held than are being made
        waiting: deque[AsyncResult[Result]] = deque()
        for task in tasks:
            waiting.append(pool.apply_async(carry_out, (function, task)))
            if len(waiting) >= 4 * jobs:
                yield waiting.popleft().get()
        for result in waiting:
            yield result.get()


def as_done(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """What a function makes of each task, as they are done, in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, settle_signals) as pool:
        yield from pool.imap_unordered(partial(carry_out, function), tasks)
