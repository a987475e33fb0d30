"""Reviews of finished sittings: made in pieces by worker processes, at the cost of the client that asks, and cached."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..players.hints import Advice
from ..players.review import Mark, Part, Review, Reviewing
from .limits import Limits
from .messages import ClaimLine, Sentence
from .protocols import Protocol
from .table import OVER, Table
from .workers import Busy, Failed, Work, Workers

MOST_KEPT = 300  # reviews in memory; one takes some ten kilobytes
MOST_COMING = 16  # reviews that are made at once,
MOST_OF_ADDRESS = 3  # and of these for one address, which pays for them and may let them wait
PATIENCE = 60.0  # seconds until a worker begins with a piece: nobody plays there
SECONDS = 60.0  # for one piece
NOT_OVER = say("review later", "A sitting is reviewed when it is over, and it is not over yet.")
LATER = say("many reviews", "Many reviews are being made at the moment; ask again in a minute.")
ENOUGH = say("own reviews", "Several reviews are being made for you; ask again when one of them is done.")
NO_REVIEW = say("no review", "This sitting cannot be reviewed.")
NO_SEAT = say("no such seat", "There is no such seat at this table.")

Key = tuple[str, int]  # a table's name, and a seat

note = logging.getLogger("parlour.table")


class MarkLine(Struct, omit_defaults=True):
    """A real choice: the step played and the best one; how much better that is in score and in the chance to win.

    `within` numbers the steps of a move; `score_within` and `win_within` are half of 95 % intervals. A `mistake` is
    worse beyond the doubt of the whole review, and has a reason; `lost` is what it cost, on the search's own scale.
    """

    move: int
    within: int
    played: str
    best: str
    score: float = 0.0
    score_within: float = 0.0
    win: float = 0.0
    win_within: float = 0.0
    lost: float = 0.0
    mistake: bool = False
    reason: Sentence = ""
    clause: str = ""
    claims: list[ClaimLine] | None = None


class PartLine(Struct):
    """A part of the result, with half of its 95 % intervals."""

    win: float
    score: float
    win_within: float
    score_within: float


class ReviewBody(Struct):
    """A sitting as one seat played it; `start`, `luck`, `others` and `own` add up to `result`.

    `points` are running sums of the chance to win: moves made, luck, others, own.
    """

    seat: int
    accuracy: float | None
    unjudged: int
    marks: list[MarkLine]
    start: PartLine
    luck: PartLine
    others: PartLine
    own: PartLine
    result: PartLine
    points: list[list[float]]


class ReviewState(Struct):
    """How far a review is: pieces done, of all (0 where nobody has asked yet); the review when it is there."""

    done: int = 0
    of: int = 0
    failed: Sentence | None = None
    review: ReviewBody | None = None


class Coming:
    """A review that is being made."""

    def __init__(self, address: str) -> None:
        self.address = address  # that asked for it
        self.done, self.of = 0, 1
        self.failed = ""
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """The reviews of all tables."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._ready: OrderedDict[Key, Review] = OrderedDict()
        self._coming: dict[Key, Coming] = {}

    def state(self, table: Table, seat: int, protocol: Protocol) -> ReviewState:
        """How far the review of a seat is."""
        key = self._key(table, seat)
        found = self._ready.get(key)
        if found is not None:
            self._ready.move_to_end(key)
            settings = table.settings
            return ReviewState(1, 1, review=body_of(found, settings.game, settings.options, protocol))
        coming = self._coming.get(key)
        if coming is None:
            return ReviewState()
        return ReviewState(coming.done, coming.of, protocol.said(coming.failed) if coming.failed else None)

    def ask(self, table: Table, seat: int, address: str, limits: Limits | None) -> None:
        """Begin a review, unless it is there or on its way; `address` pays for it."""
        key = self._key(table, seat)
        known = self._coming.get(key)
        if key in self._ready or (known is not None and not known.failed):
            return
        being_made = [each for each in self._coming.values() if not each.failed]
        if sum(each.address == address for each in being_made) >= MOST_OF_ADDRESS:
            raise Busy(ENOUGH)
        if len(being_made) >= MOST_COMING:
            raise Busy(LATER)
        if len(self._coming) >= MOST_KEPT:
            del self._coming[next(key for key, each in self._coming.items() if each.failed)]
        coming = self._coming[key] = Coming(address)
        coming.task = asyncio.create_task(self._make(key, table.record(), table.game.name, coming, address, limits))

    def _key(self, table: Table, seat: int) -> Key:
        if table.phase != OVER:
            raise Refusal(NOT_OVER)
        if not 0 <= seat < table.settings.players:
            raise Refusal(NO_SEAT)
        return table.name, seat

    async def _make(
        self, key: Key, record: dict[str, Any], game: str, coming: Coming, address: str, limits: Limits | None
    ) -> None:
        text = json.dumps({name: value for name, value in record.items() if name != "seal"})

        async def work(function: Any, *more: Any) -> Any:
            arguments = (text, key[1], *more)
            asked = Work(key[0], function, arguments, game, urgent=False, patience=PATIENCE, seconds=SECONDS)
            try:
                done = await self.workers.run(asked)
            except Failed as error:
                self._charge(error.cpu, address, limits)
                raise
            await asyncio.sleep(self._charge(done.cpu, address, limits))
            return done.value

        try:
            coming.of = 1 + await work(pieces_of)
            found = []
            for at in range(coming.of - 1):
                coming.done = at
                found.append(await work(piece_of, at))
            review = await work(whole_of, found)
            self._ready[key] = review
            del self._coming[key]
            while len(self._ready) > MOST_KEPT:
                self._ready.popitem(last=False)
        except Busy as error:
            coming.failed = error.sentence
        except Failed as error:
            note.error("table %s cannot be reviewed (%s)", key[0], error)
            coming.failed = NO_REVIEW

    def _charge(self, seconds: float, address: str, limits: Limits | None) -> float:
        """Charge a piece to whoever asked; how many seconds the next one waits."""
        return limits.charge_bots([address], seconds) if limits is not None else 0.0

    def forget(self, name: str) -> None:
        """A table is deleted: nothing of it stays."""
        for key in [key for key in self._ready if key[0] == name]:
            del self._ready[key]
        for key in [key for key in self._coming if key[0] == name]:
            task = self._coming.pop(key).task
            if task is not None:
                task.cancel()

    def close(self) -> None:
        """Make nothing more."""
        for coming in self._coming.values():
            if coming.task is not None:
                coming.task.cancel()


# --- what is asked of workers -----------------------------------------------------------------------------------------


def pieces_of(record: str, seat: int) -> int:
    """Into how many pieces a review falls."""
    return Reviewing(json.loads(record), seat).pieces


def piece_of(record: str, seat: int, at: int) -> list[Any]:
    """One piece of a review."""
    return Reviewing(json.loads(record), seat).work(at)


def whole_of(record: str, seat: int, found: Sequence[Sequence[Any]]) -> Review:
    """A review, of its pieces."""
    return Reviewing(json.loads(record), seat).whole(found)


# --- as it is sent ----------------------------------------------------------------------------------------------------


def body_of(review: Review, game: Game, options: dict[str, Any], protocol: Protocol) -> ReviewBody:
    """A review as it is sent."""
    luck = review.luck
    start, chance, others, result = (part_line(part) for part in (luck.start, luck.luck, luck.others, luck.result))
    own = part_line(luck.own)
    # rounded, too, the parts add up
    own.win = round(result.win - start.win - chance.win - others.win, 4)
    own.score = round(result.score - start.score - chance.score - others.score, 4)
    marks = [mark_line(mark, game, options, protocol) for mark in review.marks]
    points = [[moves, *(round(each, 4) for each in sums)] for moves, *sums in luck.points]
    accuracy = None if review.accuracy is None else round(review.accuracy, 1)
    return ReviewBody(review.seat, accuracy, review.unjudged, marks, start, chance, others, own, result, points)


def part_line(part: Part) -> PartLine:
    return PartLine(*(round(each, 4) for each in (part.win, part.score, part.win_within, part.score_within)))


def mark_line(mark: Mark, game: Game, options: dict[str, Any], protocol: Protocol) -> MarkLine:
    """A mark as it is sent; its reason as that of a hint."""
    line = MarkLine(mark.move, mark.within, mark.played, mark.best)
    line.score, line.score_within = round(mark.score, 4), round(mark.score_within, 4)
    line.win, line.win_within = round(mark.win, 4), round(mark.win_within, 4)
    line.lost, line.mistake = round(mark.lost, 4), mark.mistake
    if mark.mistake:
        told = protocol.advice("", game, Advice([], mark.reason, mark.clause, mark.claims), options)
        line.reason, line.clause, line.claims = told.reason, told.clause, told.claims
    return line
