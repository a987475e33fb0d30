"""Expensive work in other processes, so that the event loop is free: fair turns, a bounded queue, and deadlines."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast

from ..engine.errors import Refusal
from ..engine.messages import say
from .clock import LAG_SECONDS
from .limits import Bucket
from .worker import DONE, LENGTH, READY, UNKNOWN

PROCESSES = 2
MOST_WAITING = 200  # pieces of work
PATIENCE = 2.0  # seconds that a piece of work waits for a worker, before it is refused
WORK_SECONDS = 15.0  # of one piece of work, before its worker is killed
START_SECONDS = 30.0  # of a worker, before it can work
PAUSE_SECONDS = 5.0  # after a worker could not be started
SHARE = 0.25  # seconds of work a second that a table may have, while others wait,
BURST = 5.0  # and how much of it at once
MOST_TABLES = 2000  # whose use is counted
THREADS = 4  # for games that only this process knows
FULL = say("busy", "All bots and helpers of the server are busy; ask again in a moment.")

# what a worker process runs: modules are found where this process finds them, and its main module is left alone
MAIN = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from parlour.server.worker import serve; serve()"
IN_THREADS = sys.platform == "win32"  # where a worker process has no line to it (untested)

note = logging.getLogger("parlour.table")


# --- what is asked of workers -----------------------------------------------------------------------------------------


class Busy(Refusal):
    """There is too much to do now."""

    def __init__(self, sentence: str = FULL) -> None:
        super().__init__(sentence)


class Failed(Exception):
    """A piece of work that failed, by the fault of nobody else: it raised something, hung, or ended its process."""

    def __init__(self, why: str, cpu: float = 0.0) -> None:
        super().__init__(why)
        self.cpu = cpu  # seconds of processor time that it took, or may have taken


@dataclass(frozen=True)
class Work:
    """A piece of work: a function of a module, which another process can import, and arguments that can be pickled."""

    table: str  # which pays for it
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    game: str = ""  # that a process must know to do it
    urgent: bool = True  # whether somebody waits who plays
    patience: float | None = None  # seconds that it waits for a worker; None: as all work does
    seconds: float | None = None  # that it may take; None: as all work does


class Done(NamedTuple):
    """What a piece of work found, and the seconds of processor time that it took."""

    value: Any
    cpu: float


class Workers(Protocol):
    """The interface of anything that does work for tables."""

    def run(self, work: Work) -> asyncio.Future[Done]:
        """Do a piece of work from this moment on; it may raise Busy or Failed."""

    def close(self) -> None:
        """Begin nothing more, and end what was begun."""


class InProcess:
    """Work that is done at once, by whoever asks: every run is the same, for simulations and tests."""

    def run(self, work: Work) -> asyncio.Future[Done]:
        answer = asyncio.get_running_loop().create_future()
        try:
            answer.set_result(Done(work.function(*work.arguments), 0.0))
        except Exception as error:
            answer.set_exception(Failed(f"{type(error).__name__}: {error}"))
        return answer

    def close(self) -> None:
        pass


# --- worker processes -------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Job:
    """A piece of work on its way, and the answer that somebody waits for."""

    work: Work
    answer: asyncio.Future[Done]
    since: float  # when it came, or was begun
    timer: asyncio.TimerHandle | None = None  # for its patience, then for its deadline
    waiting: bool = False
    tried: bool = False  # it was begun before, by a worker that died
    spare: bool = False  # it may have to wait, so that others do not

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def fail(self, error: Exception) -> None:
        self.stop_timer()
        if not self.answer.done():
            self.answer.set_exception(error)

    def succeed(self, done: Done) -> None:
        self.stop_timer()
        if not self.answer.done():
            self.answer.set_result(done)


class Worker(asyncio.Protocol):
    """A worker process, and the line to it."""

    def __init__(self, heard: Callable[[Worker, Any], None], lost: Callable[[Worker], None]) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.job: Job | None = None
        self.began = asyncio.Event()  # it is ready, or has ended before
        self.ready = False
        self.gone = False
        self._heard = heard
        self._lost = lost
        self._line: asyncio.Transport | None = None
        self._received = bytearray()

    async def start(self) -> None:
        """Start the process; it says when it is ready."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:  # then the line ends when the process does
                command = [sys.executable, "-P", "-c", MAIN, json.dumps([str(path) for path in sys.path])]
                # some milliseconds, in which the loop waits: seldom enough, and no process is ever started unnoticed
                self.process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
            await asyncio.get_running_loop().create_unix_connection(lambda: self, sock=ours)
        except BaseException:
            ours.close()
            raise

    def send(self, message: bytes) -> None:
        """Give the process a piece of work."""
        assert self._line is not None
        self._line.write(LENGTH.pack(len(message)) + message)

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self.gone = True
        if self.process is not None:
            self.process.kill()
        if self._line is not None:
            self._line.abort()

    def wait(self) -> None:
        """Wait for the end of a process that was killed."""
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)  # uvloop's is one without saying so
        if self.gone:
            self._line.abort()

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        while len(received) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(received)[0]
            if len(received) < end:
                return
            message = pickle.loads(memoryview(received)[LENGTH.size : end])
            del received[:end]
            self._heard(self, message)

    def connection_lost(self, error: Exception | None) -> None:
        self.began.set()
        if not self.gone:
            self.gone = True
            self._lost(self)


class WorkerPool:
    """Worker processes for all tables, started when they are first needed.

    Tables take turns. One that has used up its share of the workers' time, and work for which nobody waits who plays,
    goes last and never takes all workers. A worker that hangs is killed and another takes its place.
    """

    def __init__(
        self,
        processes: int = PROCESSES,
        most_waiting: int = MOST_WAITING,
        patience: float = PATIENCE,
        seconds: float = WORK_SECONDS,
    ) -> None:
        self.processes = processes
        self.most_waiting = most_waiting
        self.patience = patience
        self.seconds = seconds
        self.workers: list[Worker] = []
        self.closed = False
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()  # by table, in the order of their turns
        self._waiting = 0
        self._shares: OrderedDict[str, Bucket] = OrderedDict()  # by table: seconds of work that it may have
        self._homes: OrderedDict[str, Worker] = OrderedDict()  # by table: the worker that worked for it last
        self._only_here: set[str] = set()  # games that a worker process cannot find
        self._threads = 0  # that work for such games
        self._starting: set[asyncio.Task[None]] = set()
        self._paused: asyncio.TimerHandle | None = None  # no worker could be started
        self._ended: list[Worker] = []  # whose processes may still have to be waited for

    def run(self, work: Work) -> asyncio.Future[Done]:
        loop = asyncio.get_running_loop()
        job = Job(work, loop.create_future(), loop.time())
        # nobody who plays waits for the rest: it leaves half of the room to them
        most = self.most_waiting if work.urgent else self.most_waiting // 2
        if self.closed or self._waiting >= most:
            job.fail(Busy())
        elif work.game in self._only_here or IN_THREADS:
            self._run_here(job)
        else:
            self._enqueue(job)
            self._dispatch()
        return job.answer

    def close(self) -> None:
        self.closed = True
        for job in [job for queue in self._queues.values() for job in queue]:
            self._leave_queue(job)
            job.fail(Busy())
        if self._paused is not None:
            self._paused.cancel()
        for worker in self.workers:
            worker.kill()
            if worker.job is not None:
                worker.job.fail(Busy())
        self._ended += self.workers
        self.workers.clear()
        for worker in self._ended:
            worker.wait()

    # the queue

    def _enqueue(self, job: Job) -> None:
        job.waiting = True
        self._waiting += 1
        queue = self._queues.setdefault(job.work.table, deque())
        if job.tried:
            queue.appendleft(job)
        else:
            queue.append(job)
        patience = self.patience if job.work.patience is None else job.work.patience
        job.timer = asyncio.get_running_loop().call_later(patience, self._wait_no_longer, job)

    def _leave_queue(self, job: Job) -> None:
        job.waiting = False
        self._waiting -= 1
        queue = self._queues[job.work.table]
        queue.remove(job)
        if not queue:
            del self._queues[job.work.table]

    def _wait_no_longer(self, job: Job) -> None:
        """The patience of a piece of work is over; it waits on only for the first worker to start."""
        loop = asyncio.get_running_loop()
        if self._starting and not any(worker.ready for worker in self.workers):
            if loop.time() < job.since + START_SECONDS:
                job.timer = loop.call_later(PATIENCE / 4, self._wait_no_longer, job)
                return
        self._dispatch()  # it may start another worker, for those who come next
        if job.waiting:
            self._leave_queue(job)
            job.fail(Busy())

    def _next(self) -> Job | None:
        """The piece of work whose turn it is."""
        first: Job | None = None  # of those that go last
        for queue in list(self._queues.values()):
            job = queue[0]
            if job.answer.done():  # whoever asked has gone
                self._leave_queue(job)
                job.stop_timer()
                continue
            job.spare = not job.work.urgent or not self._share(job.work.table).take(0.0)
            if not job.spare:
                return job
            first = first or job
        spare = sum(worker.job is not None and worker.job.spare for worker in self.workers)
        return first if spare < max(1, self.processes - 1) else None

    def _share(self, table: str) -> Bucket:
        share = self._shares.get(table)
        if share is None:
            share = self._shares[table] = Bucket(SHARE, BURST)
        self._shares.move_to_end(table)
        if len(self._shares) > MOST_TABLES:
            self._shares.popitem(last=False)
        return share

    # who does it

    def _dispatch(self) -> None:
        """Let idle workers begin what waits; where none is idle, start another."""
        while idle := [worker for worker in self.workers if worker.ready and worker.job is None]:
            job = self._next()
            if job is None:
                return
            home = self._homes.get(job.work.table)
            self._begin(home if home in idle else idle[0], job)
        if self._waiting and not self.closed and self._paused is None and len(self.workers) < self._wanted():
            worker = Worker(self._heard, self._lost)
            self.workers.append(worker)
            starting = asyncio.create_task(self._start(worker))
            self._starting.add(starting)
            starting.add_done_callback(self._starting.discard)

    def _wanted(self) -> int:
        """How many workers there should be: one more for each that may hang, up to twice as many as usual."""
        long_ago = asyncio.get_running_loop().time() - self.patience
        slow = sum(worker.job is not None and worker.job.since < long_ago for worker in self.workers)
        return min(self.processes + slow, 2 * self.processes)

    async def _start(self, worker: Worker) -> None:
        if self.closed:
            return
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker.start()
                await worker.began.wait()
        except (OSError, TimeoutError) as error:
            note.error("a worker process could not be started: %s", error or "it takes too long")
            self._lost(worker)

    def _begin(self, worker: Worker, job: Job) -> None:
        work, loop = job.work, asyncio.get_running_loop()
        self._leave_queue(job)
        if work.table in self._queues:
            self._queues.move_to_end(work.table)
        job.stop_timer()
        self._homes[work.table] = worker
        self._homes.move_to_end(work.table)
        if len(self._homes) > MOST_TABLES:
            self._homes.popitem(last=False)
        worker.job = job
        job.since = loop.time()
        job.timer = loop.call_later(self._deadline(work), self._overdue, worker)
        worker.send(pickle.dumps((work.game, work.function, work.arguments), pickle.HIGHEST_PROTOCOL))

    def _deadline(self, work: Work) -> float:
        return self.seconds if work.seconds is None else work.seconds

    def _too_late(self, work: Work) -> Failed:
        return Failed(f"no answer within {self._deadline(work):g} seconds", self._deadline(work))

    # what becomes of it

    def _heard(self, worker: Worker, message: tuple[int, Any, float]) -> None:
        """A worker says that it is ready, or how its work went."""
        kind, value, cpu = message
        job, worker.job = worker.job, None
        if kind == READY:
            worker.ready = True
            worker.began.set()
        elif job is not None:
            self._share(job.work.table).charge(cpu)
            if kind == DONE:
                job.succeed(Done(value, cpu))
            elif kind == UNKNOWN:
                self._only_here.add(job.work.game)
                job.stop_timer()
                self._run_here(job)
            else:
                job.fail(Failed(": ".join(value), cpu))
        if len(self.workers) > self._wanted():
            self._give_up(worker)
        self._dispatch()

    def _overdue(self, worker: Worker) -> None:
        """A piece of work has taken too long: its worker is given up."""
        job, loop = worker.job, asyncio.get_running_loop()
        if job is not None and job.timer is not None and loop.time() - job.timer.when() > LAG_SECONDS:
            # the server stood still, and its workers may have done so too
            job.timer = loop.call_later(self._deadline(job.work), self._overdue, worker)
            return
        self._give_up(worker)
        if job is not None:
            self._share(job.work.table).charge(self._deadline(job.work))
            job.fail(self._too_late(job.work))
        self._dispatch()

    def _lost(self, worker: Worker) -> None:
        """A worker process has ended by itself, or was killed from outside: its work is begun once more."""
        if worker not in self.workers:
            return
        self._give_up(worker)
        if not worker.ready:
            self._paused = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._go_on)
        job = worker.job
        if job is not None:
            job.stop_timer()
            if job.tried:
                job.fail(Failed("its process ended"))
            else:
                note.warning("a worker process ended, and another takes its place")
                job.tried = True
                self._enqueue(job)
        self._dispatch()

    def _give_up(self, worker: Worker) -> None:
        """End a worker, and notice those that have ended."""
        worker.kill()
        self.workers.remove(worker)
        self._ended = [each for each in (*self._ended, worker) if each.process and each.process.poll() is None]

    def _go_on(self) -> None:
        self._paused = None
        self._dispatch()

    # games that only this process knows

    def _run_here(self, job: Job) -> None:
        """Let a thread of this process work; one that hangs cannot be ended, so there are few."""
        if self._threads >= THREADS:
            job.fail(Busy())
            return
        self._threads += 1
        loop, work = asyncio.get_running_loop(), job.work
        job.timer = loop.call_later(self._deadline(work), job.fail, self._too_late(work))

        def finish(done: Done | Failed) -> None:
            self._threads -= 1
            if isinstance(done, Failed):
                job.fail(done)
            else:
                job.succeed(done)

        def think() -> None:
            began = time.thread_time()
            done: Done | Failed
            try:
                done = Done(work.function(*work.arguments), time.thread_time() - began)
            except Exception as error:
                done = Failed(f"{type(error).__name__}: {error}", time.thread_time() - began)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(finish, done)

        threading.Thread(target=think, daemon=True, name="parlour-game").start()
