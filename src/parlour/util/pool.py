"""Worker processes: tasks shared among them, with results in the order of the tasks or as they complete."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Any, NamedTuple, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerDied(Exception):
    """A worker process has ended before its task was done; the message is one or two sentences."""


# --- in the worker process --------------------------------------------------------------------------------------------


def work(function: Callable[[Task], Result], pipe: Connection[Any, Any]) -> None:
    """The main loop of a worker: one task after another, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is handled by the parent
    with suppress(EOFError, OSError):  # the parent has closed the pipe
        while True:
            task = pipe.recv()
            try:
                result, failure = run_task(function, task), None
            except Exception as error:
                error.add_note(format_exc())
                result, failure = None, error
            pipe.send((result, failure))


def run_task(function: Callable[[Task], Result], task: Task) -> Result:
    """Run one task. SIGTERM unwinds it, so that it can close what it holds, such as external bots."""
    signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        return function(task)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def exit_on_signal(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


# --- in the parent process --------------------------------------------------------------------------------------------


class Worker(NamedTuple):
    """A worker process, and this end of the pipe to it."""

    process: BaseProcess
    pipe: Connection[Any, Any]

    def send(self, task: object) -> None:
        """Give the worker a task."""
        try:
            self.pipe.send(task)
        except OSError:
            raise self.death() from None

    def receive(self) -> Any:
        """The result of the task; an exception of the task is raised here."""
        try:
            result, failure = self.pipe.recv()
        except (EOFError, OSError):
            raise self.death() from None
        if failure is not None:
            raise failure
        return result

    def death(self) -> WorkerDied:
        """The exception that says how the process ended."""
        self.process.join()
        code = self.process.exitcode or 0
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return WorkerDied(
            f"A worker process was stopped from outside ({how}). Run the same command again; it resumes if its"
            " progress was saved in a file."
        )


@contextmanager
def start_workers(function: Callable[[Task], Result], jobs: int) -> Iterator[list[Worker]]:
    """Worker processes, each with a pipe of its own, so that one that dies does not affect the others."""
    context = get_context("spawn")
    workers: list[Worker] = []
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(function, theirs), daemon=True)
            process.start()
            theirs.close()  # now the pipe ends when the process does
            workers.append(Worker(process, ours))
        yield list(workers)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, window: float
) -> Iterator[tuple[int, Result]]:
    """The number of each task and its result, as they complete.

    At most `window` tasks are started from the oldest unfinished one on.
    """
    left = enumerate(tasks)
    upcoming = next(left, None)
    busy: dict[Any, tuple[int, Worker]] = {}  # by pipe
    done: list[tuple[int, Result]] = []
    with start_workers(function, jobs) as idle:
        while True:
            while idle and upcoming and upcoming[0] - min((at for at, _ in busy.values()), default=math.inf) < window:
                worker, (number, task) = idle.pop(), upcoming
                worker.send(task)
                busy[worker.pipe] = number, worker
                upcoming = next(left, None)
            yield from done  # only now, when all workers are busy again
            if not busy:
                return
            done = []
            for pipe in wait(list(busy)):
                number, worker = busy.pop(pipe)
                done.append((number, worker.receive()))
                idle.append(worker)


def in_order(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """The result of each task in the order of the tasks, computed in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    waiting: dict[int, Result] = {}
    following = 0
    # the window bounds how many results are held back by a slow task
    for number, result in run_tasks(function, tasks, jobs, 4 * jobs):
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def as_completed(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """The result of each task as it completes, computed in this process or in several."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    for _, result in run_tasks(function, tasks, jobs, math.inf):
        yield result
