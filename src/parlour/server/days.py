"""The deals of the day at a server: what the levels made of each, and what the people who played it here did."""

from __future__ import annotations

import asyncio
import datetime
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..games import game as game_of
from ..play.sitting import secret_of
from ..play.today import Outcome, day_of, number_of, outcome, played_by
from .clock import now
from .rows import Damaged
from .store import Store, StoreError
from .table import OVER, Table
from .thinking import bots_seed
from .workers import Busy, Failed, Work, Workers

PATIENCE = 120.0  # seconds until a worker begins: nobody plays there
SECONDS = 120.0  # for one level
AGAIN_SECONDS = 60.0  # before levels that failed, or found no worker, play again
AROUND = datetime.timedelta(days=1)  # before and after today, as the day is another elsewhere
MOST_SCORES = 200  # different scores of one day that are counted
LOOK_SECONDS = 20.0  # between two looks at what ended at other servers
LOOK_BACK = 3 * 24 * 3600  # seconds: a sitting of a day about now ended within them
LATE_STAMPS = 2 * 3600  # seconds by which the stamp of a table may be behind
MOST_FINISHED = 5000  # tables that are looked at

note = logging.getLogger("parlour.table")


class DayResult(Struct):
    """How a deal of the day ended for its seat: the score, the place among so many sides, and whether it won."""

    score: int
    place: int
    of: int
    won: bool


class DayBody(Struct):
    """A deal of the day: what each level made of it, as far as that is known, and what people here did."""

    game: str
    number: int
    levels: dict[str, DayResult]
    people: Annotated[list[list[int]], Meta(description="pairs: a score, and how many people came to it")]


Key = tuple[str, int]


class Days:
    """The deals of the day of all games."""

    def __init__(self, workers: Workers, clock: Callable[[], float], store: Store | None = None) -> None:
        self.workers, self.clock, self.store = workers, clock, store
        self._counted: dict[str, int] = {}  # tables, with the numbers of their deals
        self._looked: float | None = None  # when the store was looked through
        self._looking: asyncio.Task[None] | None = None
        self._levels: dict[Key, dict[str, DayResult]] = {}
        self._people: dict[Key, Counter[int]] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._asked: dict[Key, float] = {}  # when the levels were last asked

    def today(self) -> datetime.date:
        """The date, in Greenwich."""
        return datetime.datetime.fromtimestamp(self.clock(), datetime.UTC).date()

    def known(self, number: int) -> bool:
        """Whether a number is that of a day about now."""
        day = day_of(number)
        return day is not None and abs(day - self.today()) <= AROUND

    def body(self, game: Game, number: int | None = None) -> DayBody:
        """A deal of the day; what the levels make of it is begun when it is first asked for."""
        number = number_of(self.today()) if number is None else number
        if not self.known(number):
            how = "There are deals of the day for yesterday, today and tomorrow; today's number is {number:text}."
            raise Refusal(say("no day", how, number=str(number_of(self.today()))))
        key = game.name, number
        self._look_through_store()
        if key not in self._tasks or (self._tasks[key].done() and now() > self._asked[key] + AGAIN_SECONDS):
            self._forget_old()
            self._levels.setdefault(key, {})
            self._asked[key] = now()
            self._tasks[key] = asyncio.create_task(self._ask_levels(key))
        people = sorted(self._people.get(key, Counter()).items())
        return DayBody(game.name, number, self._levels[key], [list(pair) for pair in people])

    def count(self, table: Table) -> None:
        """Count a table that has just ended, where it was the deal of a day, played whole and by the usual rules."""
        settings, sealed = table.settings, table.begun()
        game, deal = settings.game, settings.deal
        usual = settings.players == game.sheet.usual and settings.options == game.options_for(settings.players, {})
        if deal is None or table.phase != OVER or table.ended or not usual or not self.known(deal):
            return
        named = table.lobby.named
        if sealed.sitting.undone or len(named) != 1 or table.name in self._counted:
            return
        self._counted[table.name] = deal
        scores = self._people.setdefault((game.name, deal), Counter())
        if len(scores) < MOST_SCORES:
            scores[outcome(sealed.sitting, named[0]).score] += 1

    def _look_through_store(self) -> None:
        """Begin to count what ended before this process was started, and what has ended at other servers."""
        if self.store is None or (self._looking is not None and not self._looking.done()):
            return
        now = self.clock()
        if self._looked is None or (self.store.shared and now - self._looked >= LOOK_SECONDS):
            since = now - LOOK_BACK if self._looked is None else self._looked - LATE_STAMPS
            self._looking = asyncio.create_task(self._count_finished(self.store, int(since)))
            self._looked = now

    async def _count_finished(self, store: Store, since: int) -> None:
        try:
            for name in await asyncio.to_thread(store.finished, since, MOST_FINISHED):
                if name not in self._counted:
                    table = await asyncio.to_thread(self._read, store, name)
                    if table is not None:
                        self.count(table)
                    self._counted.setdefault(name, number_of(self.today()))  # until tomorrow, if it is of no day
        except StoreError as error:
            self._looked = None  # it is tried again
            note.warning("the results of the deals of the day could not be read (%s)", error)

    def _read(self, store: Store, name: str) -> Table | None:
        """A table as it is stored, if it has a deal of a day about now."""
        with suppress(Damaged):
            found = (store.peek if store.shared else store.table)(name)
            if found is not None and self.known(found[1][0].entry[1].get("deal") or 0):
                return Table.load(name, found[0].secret, found[1])
        return None

    def _forget_old(self) -> None:
        self._counted = {name: deal for name, deal in self._counted.items() if self.known(deal)}
        for held in (self._levels, self._people, self._tasks, self._asked):
            for key in [key for key in held if not self.known(key[1])]:
                del held[key]

    async def _ask_levels(self, key: Key) -> None:
        name, number = key
        levels = game_of(name).levels
        for level in levels if len(levels) > 1 else ():
            if level in self._levels[key]:
                continue
            work = Work(f"deal {number}", day_result, (name, number, level), name, False, PATIENCE, SECONDS)
            try:
                found: Outcome = (await self.workers.run(work)).value
                self._levels[key][level] = DayResult(*found)
            except (Busy, Failed) as error:
                note.warning("the deal %d of %s was not played by %s (%s)", number, name, level, error)

    def close(self) -> None:
        """Play nothing more."""
        for task in (*self._tasks.values(), self._looking):
            if task is not None:
                task.cancel()


def day_result(name: str, number: int, level: str) -> Outcome:
    """What a level makes of a deal, against the bots of the server's tables and their luck."""
    return played_by(game_of(name), number, level, bots_seed(secret_of(f"deal {number}")))
