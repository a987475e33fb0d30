"""Players from outside: any program that speaks JSON lines may take a seat, and its faults cost it choices."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any

from .._version import __version__
from ..engine.game import Game
from ..engine.view import View
from .bots import Bot

PROTOCOL = 1
LINE = 64 * 1024  # bytes in a line from a bot
UNREAD = 16  # lines it may be ahead; a bot that keeps to the protocol is never more than one
RESTARTS = 3  # in a sitting
REPORTS = 20
PARTING = 1.0  # seconds that an ended process is waited for


class Failure(Exception):
    """What a bot's process did, after which it is of no more use; goes on after the bot's name."""


def clean(text: str, length: int) -> str:
    """A bot's text as it may be shown: nothing that moves a cursor, and not too long."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * length]).strip()
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def arguments(command: str) -> list[str]:
    """A command as a program and its arguments; one that cannot be run raises ValueError with a sentence."""
    try:
        program, *rest = shlex.split(command)
    except ValueError:
        raise ValueError(f"exec: needs a program, with arguments quoted as in a shell, not {command!a:.60}.") from None
    runnable = "\0" not in command and shutil.which(program) is not None
    if program.endswith(".py") and os.path.isfile(program) and (sys.platform == "win32" or not runnable):
        return [sys.executable, program, *rest]
    if not runnable:
        raise ValueError(f"exec: finds no program {program!a:.60} that can be run.")
    return [program, *rest]


def own_luck(seed: int, number: int, seat: int) -> int:
    """The seed a bot is given for its own luck: under a label of its own, and so apart from the luck of the deal."""
    digest = hashlib.sha256(f"parlour external {PROTOCOL} {seed} {number} {seat}".encode()).digest()
    return int.from_bytes(digest[:6], "big")  # every language reads a number of 48 bits whole


def not_a_number(constant: str) -> float:
    """NaN and the infinities, which Python would read, are not JSON."""
    raise ValueError(constant)


class Process:
    """A bot's process. A thread serves each of its pipes, so that no bot can stop us by not reading, or by flooding.

    Only its thread touches a pipe, and closes it: to close under a thread that reads is not safe everywhere.
    """

    def __init__(self, command: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
        pipe = subprocess.PIPE
        # a session of its own is a group that can be ended whole, and that no interrupt from our keyboard reaches
        self.popen = subprocess.Popen(
            arguments(command), stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
        self.outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.stderr = b""
        served = ((self._write, self.popen.stdin), (self._read, self.popen.stdout), (self._drain, self.popen.stderr))
        self.threads = [threading.Thread(target=serve, args=(end,), daemon=True) for serve, end in served]
        for thread in self.threads:
            thread.start()

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while (line := self.outgoing.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            whole = True
            while whole and self.lines.qsize() < UNREAD:
                line = pipe.readline(LINE + 1)
                whole = line.endswith(b"\n")
                self.lines.put(line)
        self.lines.put(b"")

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := os.read(pipe.fileno(), LINE):
                self.stderr = (self.stderr + chunk)[-4096:]

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, as soon as the bot reads."""
        self.outgoing.put(json.dumps(message).encode() + b"\n")

    def answer(self, seconds: float, **expected: Any) -> dict[str, Any]:
        """The next message, which must have these members; anything else is a failure."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise Failure(f"did not answer within {seconds:g} s") from None
        if not line.endswith(b"\n"):
            raise Failure(self._end() if len(line) <= LINE else f"wrote a line of more than {LINE // 1024} KiB")
        shown = clean(line.decode("utf-8", "replace"), 60)
        try:
            found = json.loads(line.decode("utf-8"), parse_constant=not_a_number)
        except (ValueError, RecursionError):
            raise Failure(f"wrote what is not JSON: {shown}") from None
        if not isinstance(found, dict):
            raise Failure(f"wrote what is not a JSON object: {shown}")
        for name, value in expected.items():
            if found.get(name) != value or type(found[name]) is not type(value):
                raise Failure(f'answered without "{name}": {json.dumps(value)}: {shown}')
        return found

    def _end(self) -> str:
        """How it ended, with its last words."""
        try:
            code = self.popen.wait(PARTING)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.threads[2].join(PARTING)
        last = self.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{how}: {clean(last, 100)}" if last else how

    def stop(self, grace: float = 0.0) -> None:
        """Close its input, and end it and all it started once the grace is over."""
        self.outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(grace)
        if sys.platform == "win32":
            self.popen.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
                os.killpg(self.popen.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(PARTING)
        for thread in self.threads:
            thread.join(PARTING)


class External(Bot):
    """A program at one seat. It is told what the seat is told, shown what the seat sees, and given the legal steps.

    A choice that it does not make, or makes wrongly, falls to `first`; `reports` says why, `forfeits` counts them.
    """

    listens = True

    def __init__(
        self,
        command: str,
        game: Game,
        players: int,
        options: dict[str, Any],
        seat: int,
        *,
        hello_seconds: float = 10.0,
        seconds: float = 5.0,
    ) -> None:
        self.command = command
        self.game = game
        self.seat = seat
        self.hello_seconds = hello_seconds
        self.seconds = seconds
        self.name = ""
        self.reports: list[str] = []
        self.forfeits = 0
        self._process: Process | None = None
        self._asked = 0  # also the id of the last question: no two ever have the same
        self._starts = 1 + RESTARTS
        self._hello: dict[str, Any] = {"type": "hello", "protocol": PROTOCOL, "parlour": __version__}
        self._hello |= {"game": game.name, "rules": game.rules, "players": players, "options": options, "seat": seat}
        self._hello |= {"steps": game.steps, "seconds": seconds}
        self._sitting: dict[str, Any] = {"type": "begin", "sitting": 0, "seed": 0}
        self._events: list[list[Any]] = []
        self._heard = 0
        self._choices = 0

    @staticmethod
    def check(command: str) -> None:
        """Whether the command can be run; where it cannot, ValueError with a sentence."""
        arguments(command)

    def begin(self, seed: int, number: int) -> None:
        self._tell()  # how the last sitting ended
        self._sitting = {"type": "begin", "sitting": number, "seed": own_luck(seed, number, self.seat)}
        self._events, self._heard, self._choices = [], 0, 0
        if self._asked:
            self._starts = RESTARTS
        if self._process is not None:
            self._process.send(self._sitting)

    def hear(self, told: Sequence[list[Any]]) -> None:
        self._events += told

    def choose(self, view: View) -> int:
        steps = view.legal()
        self._choices += 1
        if self._process is None and not self._starts:
            self.forfeits += 1
            return steps[0]
        try:
            step = self._ask(view, steps)
        except Failure as failure:
            self._stop()
            self._forfeit(str(failure))
            return steps[0]
        if isinstance(step, int) and step in steps:
            return step
        named = self.game.step_name(step) if isinstance(step, int) and 0 <= step < self.game.steps else step
        self._forfeit(f"answered an illegal step {named!a:.60}")
        return steps[0]

    def close(self) -> None:
        self._tell()
        if self._process is not None:
            self._process.send({"type": "bye"})
        self._stop(PARTING)

    def _ask(self, view: View, steps: Sequence[int]) -> int | str:
        """The step it answers: a number, legal or not, or a name that is not legal."""
        self._asked += 1
        process = self._process or self._start()
        self._tell()
        named = {self.game.step_name(step): step for step in steps}
        pairs = [[step, name] for name, step in named.items()]
        process.send({"type": "choose", "id": self._asked, "view": view.fields(), "steps": pairs})
        step = process.answer(self.seconds, type="step", id=self._asked).get("step")
        if isinstance(step, str):
            return named.get(step, step)
        if type(step) is not int:  # true is not the number 1
            raise Failure('answered a "step" that is neither a number nor a name')
        return step

    def _start(self) -> Process:
        """A new process, told of the sitting so far."""
        self._starts -= 1
        try:
            self._process = process = Process(self.command)
        except (OSError, ValueError) as error:
            raise Failure(f"could not be started: {clean(str(error), 100)}".rstrip(".")) from None
        process.send(self._hello)
        name = process.answer(self.hello_seconds, type="hello", protocol=PROTOCOL).get("name")
        self.name = clean(name, 40) if isinstance(name, str) else ""
        process.send(self._sitting)
        self._heard = 0
        return process

    def _tell(self) -> None:
        """Send the events that it has not heard."""
        if self._process is not None and self._heard < len(self._events):
            self._process.send({"type": "events", "events": self._events[self._heard :]})
            self._heard = len(self._events)

    def _forfeit(self, what: str) -> None:
        self.forfeits += 1
        if len(self.reports) < REPORTS:
            where = f"seat {self.seat}, sitting {self._sitting['sitting']}, choice {self._choices}"
            rest = "" if self._process or self._starts else ", and does for the rest of the sitting"
            self.reports.append(f"{where}: exec:{clean(self.command, 60)} {what}; `first` chose{rest}.")

    def _stop(self, grace: float = 0.0) -> None:
        if self._process is not None:
            self._process.stop(grace)
            self._process = None
