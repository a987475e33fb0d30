"""Programs that choose for many sittings at once: `batch:COMMAND`, one process for all of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.game import Game
from ..engine.types import Step
from ..engine.view import View
from .bots import Bot
from .external import (
    PARTING,
    PROTOCOL,
    REPORTS,
    RESTARTS,
    WANTS,
    Failure,
    Process,
    clean,
    greeting,
    shown,
    step_from,
    wanted,
)

ABLE = tuple(each for each in WANTS if each != "events")  # a bot that chooses for many remembers nothing


class Gathering(Bot):
    """A program that is sent many choices in a message, each by itself, and answers all of them in one.

    Where an answer is illegal `first` chooses; where the program fails, for all choices of the message.
    """

    gathers = True

    def __init__(
        self,
        command: str,
        game: Game,
        players: int,
        options: dict[str, Any],
        *,
        hello_seconds: float = 10.0,
        seconds: float = 5.0,
    ) -> None:
        self.command = command
        self.game = game
        self.hello_seconds = hello_seconds
        self.seconds = seconds
        self.reports: list[str] = []
        self.forfeits = 0
        self._hello = greeting(game, players, options, seconds, None)
        self._wants: Sequence[str] = ABLE
        self._process: Process | None = None
        self._starts = 1 + RESTARTS
        self._asked = 0

    def choose(self, view: View) -> Step:
        return self.choose_many([view])[0]

    def choose_many(self, views: Sequence[View]) -> list[Step]:
        legal = [view.legal() for view in views]
        answers: Sequence[Any] = ()
        if self._process is not None or self._starts:
            try:
                answers = self._ask(views, legal)
            except Failure as failure:
                self._stop()
                self._report(str(failure))
        if not answers:
            self.forfeits += len(views)
            return [steps[0] for steps in legal]
        return [self._legal(answer, steps) for answer, steps in zip(answers, legal, strict=True)]

    def close(self) -> None:
        if self._process is not None:
            self._process.send({"type": "bye"})
        self._stop(PARTING)

    def _legal(self, answer: Any, steps: Sequence[Step]) -> Step:
        """The step that was answered, or the first legal one."""
        try:
            step = step_from(answer, steps, self.game)
        except Failure as failure:
            step = str(failure)
        if isinstance(step, int) and step in steps:
            return step
        named = self.game.step_name(step) if isinstance(step, int) and 0 <= step < self.game.steps else step
        self.forfeits += 1
        self._report(f"answered an illegal step {named!a:.60}")
        return steps[0]

    def _ask(self, views: Sequence[View], legal: Sequence[list[Step]]) -> Sequence[Any]:
        """What it answers for each view."""
        self._asked += 1
        process = self._process or self._start()
        choices = [
            {"seat": view.seat} | shown(view, steps, self.game, self._wants)
            for view, steps in zip(views, legal, strict=True)
        ]
        process.send({"type": "batch", "id": self._asked, "choices": choices})
        steps = process.answer(self.seconds, type="steps", id=self._asked).get("steps")
        if not isinstance(steps, list) or len(steps) != len(views):
            raise Failure(f'answered without "steps", a list of {len(views)} steps')
        return steps

    def _start(self) -> Process:
        self._starts -= 1
        try:
            self._process = process = Process(self.command)
        except (OSError, ValueError) as error:
            raise Failure(f"could not be started: {clean(str(error), 100)}".rstrip(".")) from None
        process.send(self._hello)
        self._wants = wanted(process.answer(self.hello_seconds, type="hello", protocol=PROTOCOL), ABLE)
        return process

    def _report(self, what: str) -> None:
        if len(self.reports) < REPORTS:
            rest = "" if self._process or self._starts else " from now on"
            self.reports.append(f"message {self._asked}: batch:{clean(self.command, 60)} {what}; `first` chose{rest}.")

    def _stop(self, grace: float = 0.0) -> None:
        if self._process is not None:
            self._process.stop(grace)
            self._process = None
