"""An event loop with virtual time: it jumps to the next timer, and the server within can be killed or stopped."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

OUTSIDE = 0
SIDE: ContextVar[int] = ContextVar("side", default=OUTSIDE)  # the world outside, or the n-th start of the server
MOST_STEPS = 100_000  # at one moment, before the world is taken to run in circles


class Wrong(Exception):
    """The server broke a promise."""


def context_of(side: int) -> Context:
    """A context for all that one side does; tasks and timers hand it on."""
    context = Context()
    context.run(SIDE.set, side)
    return context


class VirtualLoop(asyncio.BaseEventLoop):
    """Callbacks in the order of their virtual time. What a killed side left behind is never run."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.luck = luck
        self.at = 0.0
        self.steps = 0  # callbacks run
        self.server_steps = 0
        self.doom: tuple[int, Callable[[], None]] | None = None  # after so many steps of the server it is killed
        self.dead: set[int] = set()  # sides that were killed
        self.stopped_until = 0.0  # the server stands still
        self.thinking_seconds = 0.01  # about as long a thread takes
        self.outside = context_of(OUTSIDE)
        self.failure = ""  # what the server did wrong
        self._held: list[asyncio.Handle] = []  # what waits for a stopped server to continue
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._timer_number = 0
        self._steps_before = 0  # this moment

    def time(self) -> float:
        return self.at

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        context = context if context is not None else copy_context()
        handle = asyncio.Handle(callback, args, self, context)
        if context.get(SIDE, OUTSIDE) in self.dead:
            handle.cancel()
        else:
            self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # there are no threads

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        context = context if context is not None else copy_context()
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._timer_number += 1
        heapq.heappush(self._timers, (when, self._timer_number, timer))
        return timer

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        """What a thread would do is done at once, some time later."""
        future = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:
                if not future.cancelled():
                    future.set_exception(error)
            else:
                if not future.cancelled():
                    future.set_result(result)

        self.call_later(self.luck.expovariate(1 / self.thinking_seconds), work)
        return future

    def stop_server(self, seconds: float) -> None:
        """Let the server stand still, as SIGSTOP does, while the world goes on."""
        self.stopped_until = self.at + seconds
        self.call_at(self.stopped_until, self._continue, context=self.outside)

    def _continue(self) -> None:
        self._ready.extend(self._held)
        self._held = []

    def _run_once(self) -> None:
        timers, ready = self._timers, self._ready
        if not ready:
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise Wrong("nothing more can happen")
            self.at, self._steps_before = max(self.at, timers[0][0]), self.steps
        while timers and timers[0][0] <= self.at:
            ready.append(heapq.heappop(timers)[2])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled:
                continue
            side = handle._context.get(SIDE, OUTSIDE)
            if side in self.dead:
                continue
            if side != OUTSIDE:
                if self.at < self.stopped_until:
                    self._held.append(handle)
                    continue
                self.server_steps += 1
            self.steps += 1
            handle._run()
            if self.failure:
                raise Wrong(self.failure)
            if self.doom is not None and self.server_steps >= self.doom[0]:
                _, strike = self.doom
                self.doom = None
                self.outside.copy().run(strike)
        if self.steps - self._steps_before > MOST_STEPS:
            raise Wrong(f"it runs in circles: {list(ready)[:3]}")

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """Whatever a killed server had begun is never finished."""
