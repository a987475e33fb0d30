"""Replays in pages: each sitting is played again once, by a worker, and its frames stay for those who ask next."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable
from typing import NamedTuple

from msgspec.json import encode

from ..engine.errors import Refusal
from ..engine.messages import say
from ..play.sitting import SPECTATOR
from . import cost
from .mirrors import steps_of
from .replays import Replay, frames_of
from .table import OVER, Table
from .thinking import opening_of
from .workers import Busy, Done, Failed, Work, Workers

MOST_FRAMES = 200  # on one page
MOST_BYTES = 64 * 1024 * 1024  # of all frames that stay
MOST_COMING = 16  # sittings that are played again at once
PATIENCE = 20.0  # seconds until one is begun: nobody plays there
SECONDS = 60.0  # for one of them
NOT_OVER = say("hands later", "All hands are shown when the game is over, and it is not over yet.")
LATER = say("many replays", "Many replays are being made at the moment; ask again in a minute.")

Asked = tuple[str, int, str, tuple[str, ...]]  # the table, the seat that is called you, the words, and the names

note = logging.getLogger("parlour.table")


class Page(NamedTuple):
    """A page of a replay as JSON, and the seconds of processor time that it took to make."""

    body: bytes
    cpu: float


class Frames(NamedTuple):
    """All frames of a sitting, as told to a seat."""

    called: list[str]  # the seats; people and bots may still come and go when it is over
    each: list[bytes]
    size: int


class ReplayPages:
    """The replays of all tables."""

    def __init__(self, workers: Workers, most_bytes: int = MOST_BYTES) -> None:
        self.workers = workers
        self.most_bytes = most_bytes
        self.size = 0  # in bytes
        self._ready: OrderedDict[tuple[str, int, str], Frames] = OrderedDict()
        self._coming: dict[Asked, asyncio.Future[Done]] = {}

    def page(self, table: Table, first: int, seat: int = SPECTATOR, words: str = "") -> Awaitable[Page]:
        """The page from a frame on, of the table as it is at this moment; `words` are "keys", or "" for sentences."""
        if table.phase != OVER:
            raise Refusal(NOT_OVER)
        settings = table.settings
        seat = seat if seat < settings.players else SPECTATOR
        called, total = table.lobby.called(seat), len(table.begun().sitting.moves) + 1
        about = (settings.game.name, settings.players, settings.sides, settings.goal)
        game, options = settings.game, settings.options
        scores, names = game.sheet.what_scores(options), game.other_names(options)
        empty = encode(
            Replay(*about, game.scoring_cards(options), options, called, total, first, scores, names, frames=[])
        )
        coming, mine = self._frames(table, seat, called, words) if first < total else (None, False)

        async def made() -> Page:
            if coming is None:
                return Page(empty, 0.0)
            try:
                frames, cpu = await asyncio.shield(coming)
            except Failed as error:
                note.error("table %s cannot be played again (%s)", table.name, error)
                cost.add(error.cpu if mine else 0.0)
                raise Busy(say("not shown", "This game cannot be shown at the moment; ask again later.")) from None
            body = empty[:-2] + b",".join(frames[first : first + MOST_FRAMES]) + b"]}"
            return Page(body, cpu if mine else 0.0)

        return made()

    def _frames(self, table: Table, seat: int, called: list[str], words: str) -> tuple[asyncio.Future[Done], bool]:
        """All frames, ready or on their way, and whether they are made for this request."""
        ready = self._ready.get((table.name, seat, words))
        if ready is not None and ready.called == called:
            self._ready.move_to_end((table.name, seat, words))
            found: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
            found.set_result(Done(ready.each, 0.0))
            return found, False
        asked = (table.name, seat, words, tuple(called))
        coming = self._coming.get(asked)
        if coming is not None:
            return coming, False
        if len(self._coming) >= MOST_COMING:
            raise Busy(LATER)
        coming = self._coming[asked] = self._start(table, seat, called, words)
        coming.add_done_callback(lambda done: self._came(asked, done))
        return coming, True

    def _start(self, table: Table, seat: int, called: list[str], words: str) -> asyncio.Future[Done]:
        sealed = table.begun()
        arguments = (opening_of(sealed), steps_of(sealed.sitting.moves), called, seat, words)
        return self.workers.run(
            Work(table.name, frames_of, arguments, table.game.name, urgent=False, patience=PATIENCE, seconds=SECONDS)
        )

    def _came(self, asked: Asked, done: asyncio.Future[Done]) -> None:
        name, seat, words, called = asked
        if self._coming.pop(asked, None) is None or done.cancelled() or done.exception() is not None:
            return
        frames = done.result().value
        self._drop(name, seat, words)
        self._ready[name, seat, words] = Frames(list(called), frames, sum(map(len, frames)))
        self.size += self._ready[name, seat, words].size
        while self.size > self.most_bytes:
            self._drop(*next(iter(self._ready)))

    def _drop(self, name: str, seat: int, words: str) -> None:
        found = self._ready.pop((name, seat, words), None)
        self.size -= found.size if found else 0

    def forget(self, name: str) -> None:
        """A table is deleted: nothing of it stays."""
        for key in [key for key in self._ready if key[0] == name]:
            self._drop(*key)
        for asked in [asked for asked in self._coming if asked[0] == name]:
            del self._coming[asked]
