"""External bots: any program that speaks JSON lines can take a seat; a fault costs it the choice."""

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
from ..games.profile import environment_name
from .bots import Bot

__all__ = ["External"]

PROTOCOL = 1
LINE = 64 * 1024  # the longest line from a bot, in bytes
UNREAD = 16  # the most lines that may wait unread; a bot that follows the protocol never has more than one
RESTARTS = 3  # the most restarts in a sitting
REPORTS = 20
PARTING = 1.0  # seconds to wait for a process that was told to end
WANTS = ("view", "steps", "events", "observation", "mask")  # what a bot can ask to be sent
USUAL = WANTS[:3]


class Failure(Exception):
    """The process failed and must be replaced; the message continues a sentence that starts with the bot's name."""


def clean(text: str, length: int) -> str:
    """A bot's text made safe to print: no control characters, and no longer than `length`."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * length]).strip()
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def arguments(command: str) -> list[str]:
    """Split a command into a program and its arguments; raises ValueError where it cannot be run."""
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
    """The seed for a bot's own luck, hashed under its own label and so independent of the deal."""
    digest = hashlib.sha256(f"parlour external {PROTOCOL} {seed} {number} {seat}".encode()).digest()
    return int.from_bytes(digest[:6], "big")  # 48 bits fit exactly into the numbers of every language


def not_a_number(constant: str) -> float:
    """Reject NaN and the infinities, which Python reads but JSON does not allow."""
    raise ValueError(constant)


def shown(view: View, steps: Sequence[int], game: Game, wants: Sequence[str]) -> dict[str, Any]:
    """What a bot wants to see at a choice, as members of a message."""
    found: dict[str, Any] = {}
    if "view" in wants:
        found["view"] = view.fields()
    if "steps" in wants:
        found["steps"] = [[step, game.step_name(step)] for step in steps]
    if "observation" in wants:
        observation = bytearray(view.width())
        view.encode(observation)
        found["observation"] = list(observation)
    if "mask" in wants:
        mask = bytearray(game.steps)
        for step in steps:
            mask[step] = 1
        found["mask"] = list(mask)
    return found


def wanted(answer: dict[str, Any], able: Sequence[str] = WANTS) -> Sequence[str]:
    """What a bot asks for in its hello; raises Failure where that cannot be sent."""
    wants = answer.get("wants", [each for each in USUAL if each in able])
    if not isinstance(wants, list) or not all(isinstance(each, str) and each in able for each in wants):
        raise Failure(f'asked in "wants" for something else than {", ".join(able)}: {clean(json.dumps(wants), 60)}')
    return wants


def step_from(given: Any, steps: Sequence[int], game: Game) -> int | str:
    """The step that a bot answers: a number, legal or not, or the name of an illegal step."""
    if isinstance(given, str):
        return next((step for step in steps if game.step_name(step) == given), given)
    if type(given) is not int:  # `true` is an int to Python
        raise Failure('answered a "step" that is neither a number nor a name')
    return given


def greeting(
    game: Game, players: int, options: dict[str, Any], seconds: float, seat: int | None
) -> dict[str, Any]:
    """The first message to any program."""
    found: dict[str, Any] = {"type": "hello", "protocol": PROTOCOL, "parlour": __version__}
    found |= {"game": game.name, "rules": game.rules, "players": players, "options": options, "seat": seat}
    found |= {"steps": game.steps, "environment": environment_name(game)}
    return found | {"width": game.view_type(players, 0, options).width(), "seconds": seconds}


class Process:
    """A bot's process. One thread serves each pipe, so a bot that does not read, or that floods us, blocks nothing.

    Each pipe is used and closed by its thread only: closing it under a reading thread is not safe on every system.
    """

    def __init__(self, command: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
        pipe = subprocess.PIPE
        # its own session can be killed as a group, and Ctrl-C at our terminal does not reach it
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
        """Queue a message; it is written when the bot reads."""
        self.outgoing.put(json.dumps(message).encode() + b"\n")

    def answer(self, seconds: float, **expected: Any) -> dict[str, Any]:
        """The next message, which must have the expected members; anything else raises Failure."""
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
            raise Failure(f"wrote a line that is not JSON: {shown}") from None
        if not isinstance(found, dict):
            raise Failure(f"wrote a line that is not a JSON object: {shown}")
        for name, value in expected.items():
            if found.get(name) != value or type(found[name]) is not type(value):
                raise Failure(f'answered without "{name}": {json.dumps(value)}: {shown}')
        return found

    def _end(self) -> str:
        """How the process ended, with the last line of its standard error."""
        try:
            code = self.popen.wait(PARTING)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.threads[2].join(PARTING)
        last = self.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{how}: {clean(last, 100)}" if last else how

    def stop(self, grace: float = 0.0) -> None:
        """Close its input; after `grace` seconds kill it and everything it started."""
        self.outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(grace)
        if sys.platform == "win32":
            self.popen.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is gone already
                os.killpg(self.popen.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(PARTING)
        for thread in self.threads:
            thread.join(PARTING)


class External(Bot):
    """A program at one seat. It is sent the entries told to the seat, the seat's view and the legal steps.

    If it makes no choice or an invalid one, `first` chooses; `reports` says why, and `forfeits` counts such choices.
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
        self._asked = 0  # also the id of the last question, so no id is used twice
        self._starts = 1 + RESTARTS
        self._hello = greeting(game, players, options, seconds, seat)
        self._wants: Sequence[str] = USUAL
        self._sitting: dict[str, Any] = {"type": "begin", "sitting": 0, "seed": 0}
        self._events: list[list[Any]] = []
        self._heard = 0
        self._choices = 0

    @staticmethod
    def check(command: str) -> None:
        """Raise ValueError where the command cannot be run."""
        arguments(command)

    def begin(self, seed: int, number: int) -> None:
        self._tell()  # the end of the last sitting
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
        """The step it answers: a number, legal or not, or the name of an illegal step."""
        self._asked += 1
        process = self._process or self._start()
        self._tell()
        process.send({"type": "choose", "id": self._asked} | shown(view, steps, self.game, self._wants))
        return step_from(process.answer(self.seconds, type="step", id=self._asked).get("step"), steps, self.game)

    def _start(self) -> Process:
        """Start a new process and tell it which sitting this is."""
        self._starts -= 1
        try:
            self._process = process = Process(self.command)
        except (OSError, ValueError) as error:
            raise Failure(f"could not be started: {clean(str(error), 100)}".rstrip(".")) from None
        process.send(self._hello)
        answer = process.answer(self.hello_seconds, type="hello", protocol=PROTOCOL)
        name = answer.get("name")
        self.name = clean(name, 40) if isinstance(name, str) else ""
        self._wants = wanted(answer)
        process.send(self._sitting)
        self._heard = 0
        return process

    def _tell(self) -> None:
        """Send the events that it has not been sent yet."""
        if self._process is not None and self._heard < len(self._events):
            if "events" in self._wants:
                self._process.send({"type": "events", "events": self._events[self._heard :]})
            self._heard = len(self._events)

    def _forfeit(self, what: str) -> None:
        self.forfeits += 1
        if len(self.reports) < REPORTS:
            where = f"seat {self.seat}, sitting {self._sitting['sitting']}, choice {self._choices}"
            rest = "" if self._process or self._starts else " and plays the rest of the sitting"
            self.reports.append(f"{where}: exec:{clean(self.command, 60)} {what}; `first` chose{rest}.")

    def _stop(self, grace: float = 0.0) -> None:
        if self._process is not None:
            self._process.stop(grace)
            self._process = None
