"""The cost of a request: the processor time that it takes, wherever it is worked on, charged to the client that asks.

A meter counts the steps of a coroutine, of the tasks that it starts by way of `measured`, and what is added by hand for
work in threads and other processes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor
from contextvars import ContextVar
from types import coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
_current: ContextVar[Meter | None] = ContextVar("meter", default=None)


class Meter:
    """Counts the processor time that one request takes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._outer: Meter | None = None

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do something, and count what it takes."""
        self._outer = _current.get()
        before = _current.set(self)
        try:
            return await _counted(work, self._count)
        finally:
            _current.reset(before)

    def _count(self, seconds: float) -> None:
        self.seconds += seconds

    def add(self, seconds: float) -> None:
        """Count time that was spent elsewhere than in the steps of this coroutine, here and in the meters around."""
        meter: Meter | None = self
        while meter is not None:
            meter.seconds += seconds
            meter = meter._outer


async def measured(work: Coroutine[Any, Any, Result]) -> Result:
    """Do something in a task of its own that the current meter, if there is one, counts too."""
    meter = _current.get()
    return await (work if meter is None else _counted(work, meter.add))


def add(seconds: float) -> None:
    """Count time that was spent in a thread or in another process."""
    meter = _current.get()
    if meter is not None:
        meter.add(seconds)


async def in_thread(work: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Do something in a thread, and count what it takes, also where it fails."""
    spent: list[float] = []

    def timed() -> Result:
        began = time.thread_time()
        try:
            return work()
        finally:
            spent.append(time.thread_time() - began)

    try:
        return await asyncio.get_running_loop().run_in_executor(executor, timed)
    finally:
        add(sum(spent))


@coroutine
def _counted(work: Coroutine[Any, Any, Result], count: Callable[[float], None]) -> Generator[Any, Any, Result]:
    """Step through a coroutine, and count the time between its waits."""
    error: BaseException | None = None
    while True:
        began = time.thread_time()
        try:
            awaited = work.send(None) if error is None else work.throw(error)
        except StopIteration as done:
            found: Result = done.value
            return found
        finally:
            count(time.thread_time() - began)
        error = None
        try:
            yield awaited
        except GeneratorExit:
            work.close()
            raise
        except BaseException as raised:
            error = raised
