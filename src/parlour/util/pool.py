"""Work shared among processes, with its results in the order of the tasks or as they are done."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
Hand = tuple[BaseProcess, "Connection[Any, Any]"]


class Ended(Exception):
    """A process that shared the work is no more; the message is one sentence."""


def leave(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def carry_out(function: Callable[[Task], Result], task: Task) -> Result:
    """Do a task; who is ended in the middle of it leaves in order, bots and all. Between tasks nothing is held."""
    signal.signal(signal.SIGTERM, leave)
    try:
        return function(task)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def attend(function: Callable[[Task], Result], asked: Connection[Any, Any]) -> None:
    """What a process does: one task after the other, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the one who waits for the results
    with suppress(EOFError, OSError):  # who asked has gone
        while True:
            task = asked.recv()
            try:
                result, failed = carry_out(function, task), None
            except Exception as error:
                error.add_note(format_exc())
                result, failed = None, error
            asked.send((result, failed))


@contextmanager
def crew(function: Callable[[Task], Result], jobs: int) -> Iterator[list[Hand]]:
    """Processes that attend, each with a pipe of its own: what becomes of one is no matter of the others."""
    context = get_context("spawn")
    hands: list[Hand] = []
    try:
        for _ in range(jobs):
            mine, its = context.Pipe()
            made = context.Process(target=attend, args=(function, its), daemon=True)
            made.start()
            its.close()  # so that the pipe ends with the process
            hands.append((made, mine))
        yield list(hands)
    finally:
        for process, _ in hands:
            process.terminate()
        for process, mine in hands:
            process.join()
            mine.close()


def share(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, window: float
) -> Iterator[tuple[int, Result]]:
    """What a function makes of each task, with the task's number, as they are done.

    No task is begun while one is not done that is as far behind as the window is wide.
    """
    left = enumerate(tasks)
    upcoming = next(left, None)
    doing: dict[Any, tuple[int, Hand]] = {}  # by pipe
    done: list[tuple[int, Result]] = []
    with crew(function, jobs) as idle:
        while True:
            while idle and upcoming and upcoming[0] - min((at for at, _ in doing.values()), default=math.inf) < window:
                hand, (number, task) = idle.pop(), upcoming
                speak(hand, task)
                doing[hand[1]] = number, hand
                upcoming = next(left, None)
            yield from done  # when all have something to do again
            if not doing:
                return
            done = []
            for pipe in wait(list(doing)):
                number, hand = doing.pop(pipe)
                done.append((number, hear(hand)))
                idle.append(hand)


def speak(hand: Hand, task: object) -> None:
    """Give a process something to do."""
    try:
        hand[1].send(task)
    except OSError:
        raise ended(hand[0]) from None


def hear(hand: Hand) -> Any:
    """What a process made of its task; what was raised there is raised here."""
    try:
        result, failed = hand[1].recv()
    except (EOFError, OSError):
        raise ended(hand[0]) from None
    if failed is not None:
        raise failed
    return result


def ended(process: BaseProcess) -> Ended:
    """How to say that a process has gone."""
    process.join()
    code = process.exitcode or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return Ended(
        f"A process that shared the work was ended from outside ({how}); the same command begins again, or goes on"
        " where what was played is kept."
    )


def in_order(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """What a function makes of each task, in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    waiting: dict[int, Result] = {}
    following = 0
    # a window of tasks, so that no more results are held than are being made
    for number, result in share(function, tasks, jobs, 4 * jobs):
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def as_done(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """What a function makes of each task, as they are done, in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    for _, result in share(function, tasks, jobs, math.inf):
        yield result
