"""Puzzles for the page: a position as its seat sees it, and why its best step is the best."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from msgspec import Struct

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..games import game as game_of
from ..play.puzzles import of_the_day, shelf, sitting_of
from ..play.sentences import Teller, names_of
from ..players.hints import Advice, advise
from ..sheets.model import Scored
from . import cost
from .days import Days
from .messages import Choice, ClaimLine, Sentence
from .moves import fields_now
from .protocols import CURRENT, Protocol, told_by
from .replays import Frame, events_of, hands_of, refusals
from .workers import Busy, Done, Failed, Work, Workers

SECONDS = 30.0  # for one reason
PATIENCE = 20.0
MOST_COMING = 8  # reasons that are looked for at once
NO_PUZZLE = say("no puzzle", "There is no such puzzle.")
NO_WHY = say("no reason", "No reason was found in time; ask again in a moment.")


class PuzzleShelf(Struct):
    """How many puzzles of a game there are, and which is today's, from 1."""

    total: int
    today: int


class PuzzleBody(Struct):
    """A puzzle: the position in one frame, with the legal steps, and the name of the best one."""

    game: str
    number: int
    total: int
    difficulty: str
    players: int
    sides: int
    goal: int
    scoring: dict[str, list[str]]
    options: dict[str, Any]
    called: list[str]
    seat: int
    what_scores: list[Scored]
    names: dict[str, str]
    best: str
    frames: list[Frame]


class PuzzleReason(Struct):
    """Why the best step of a puzzle is the best, as in a hint."""

    reason: Sentence
    clause: str
    claims: list[ClaimLine] | None = None


def shelf_of(game: Game, days: Days) -> PuzzleShelf:
    """The puzzles of a game; refused where it has none."""
    if not shelf(game):
        raise Refusal(NO_PUZZLE)
    return PuzzleShelf(len(shelf(game)), of_the_day(game, days.today()))


@cache
def puzzle(name: str, number: int, words: str) -> PuzzleBody:
    """A puzzle by its number, from 1."""
    game = game_of(name)
    if not 1 <= number <= len(shelf(game)):
        raise Refusal(NO_PUZZLE)
    protocol = told_by(CURRENT.number, words)
    asked = shelf(game)[number - 1]
    sitting = sitting_of(game, asked)
    seat, options, state = sitting.seat, sitting.options, sitting.state
    called = names_of(game, sitting.players, seat)
    teller = Teller(game, called, seat, state.sides, CURRENT.codes, options)
    frame = Frame(events_of(sitting.told[seat], 0, teller, protocol), fields_now(sitting.view(seat)), seat)
    frame.legal = [[Choice(step, game.step_name(step), state.completes(step)) for step in sitting.legal()]]
    frame.refusals = refusals(sitting, hands_of(sitting)[seat], protocol)
    about = (sitting.players, state.sides, state.goal, game.scoring_cards(options), options, called, seat)
    more = (game.sheet.what_scores(options), game.other_names(options), game.step_name(asked.best), [frame])
    return PuzzleBody(name, number, len(shelf(game)), asked.difficulty, *about, *more)


class PuzzleReasons:
    """The reasons of puzzles, each found once by a worker."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._found: dict[tuple[str, int], Advice] = {}
        self._coming: dict[tuple[str, int], asyncio.Future[Done]] = {}

    async def why(self, game: Game, number: int, protocol: Protocol) -> PuzzleReason:
        """Why the best step is the best."""
        if not 1 <= number <= len(shelf(game)):
            raise Refusal(NO_PUZZLE)
        key = game.name, number
        advice = self._found.get(key) or await self._look(key)
        told = protocol.advice("", game, advice, game.options_for(game.sheet.usual, {}))
        return PuzzleReason(told.reason, told.clause, told.claims)

    async def _look(self, key: tuple[str, int]) -> Advice:
        """Let a worker find the reason of a puzzle, once for all who ask; the first of them pays."""
        coming, mine = self._coming.get(key), False
        if coming is None:
            if len(self._coming) >= MOST_COMING:
                raise Busy(NO_WHY)
            work, mine = Work(f"puzzle {key[0]}", reason_of, key, key[0], False, PATIENCE, SECONDS), True
            coming = self._coming[key] = self.workers.run(work)
            coming.add_done_callback(lambda done: self._came(key, done))
        try:
            done = await asyncio.shield(coming)
        except Failed as error:
            cost.add(error.cpu if mine else 0.0)
            raise Busy(NO_WHY) from None
        cost.add(done.cpu if mine else 0.0)
        advice: Advice = done.value
        return advice

    def _came(self, key: tuple[str, int], done: asyncio.Future[Done]) -> None:
        del self._coming[key]
        if not done.cancelled() and done.exception() is None:
            self._found[key] = done.result().value


def reason_of(name: str, number: int) -> Advice:
    """What a hint says in the position of a puzzle; nothing, where it would name another step."""
    game = game_of(name)
    asked = shelf(game)[number - 1]
    sitting = sitting_of(game, asked)
    advice = advise(game, sitting.view(sitting.seat))
    return advice if advice.hints[0].step == asked.best else Advice([], "", "")
