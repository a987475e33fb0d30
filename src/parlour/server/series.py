"""Series: tables at which the same cards are dealt. Nothing of one is shown while another is still played."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from ..engine.errors import Refusal
from ..engine.messages import say
from . import cost
from .live_table import LiveTable
from .lobby import digest
from .reading import replayed
from .rows import COPIED, Damaged
from .store import Elsewhere, Store
from .table import GATHERING, LATE, OVER, Table

LATER = say("series later", "The same cards are still played at another table: this is shown when all have finished.")
NOBODY_WATCHES = say(
    "series watched", "The same cards are played at several tables: nobody can watch until all have finished."
)
NEEDED = say(
    "series needed", "The same cards are still played at another table: this one can be deleted when all have finished."
)


class Missing(Refusal):
    """Not found."""


class Forbidden(Refusal):
    """Not allowed."""


class Series:
    """The series of all tables; `find` gives a table by its name."""

    def __init__(self, store: Store, find: Callable[[str], Awaitable[LiveTable]]) -> None:
        self.store = store
        self.find = find

    async def first(self, name: str, key: str, same: tuple[str, int, dict[str, Any]]) -> LiveTable:
        """The first table with the same cards; refused without its key, or where something else would be played."""
        first = await self.find(name)
        settings = first.table.settings
        if not settings.copies or not secrets.compare_digest(digest(key), settings.copies):
            raise Forbidden(say("no copies", "This key does not open tables with the same cards as that one."))
        game, players, options = same
        asked = settings.game.options_for(players, options, settings.rules) if game == settings.game.name else None
        if asked != settings.options or players != settings.players:
            how = "Tables with the same cards have the same game, players and options."
            raise Refusal(say("other copies", how))
        return first

    @asynccontextmanager
    async def exclusive(self, live: LiveTable) -> AsyncIterator[Table]:
        """A table of which all hands may be shown if it is over, while nothing else happens there.

        It may end while somebody waits for it: then the others are looked at, too.
        """
        looked = False
        while True:
            async with live.exclusive() as table:
                if looked or table.phase != OVER or not table.settings.shared:
                    yield table
                    return
            await self.check_shown(live.table)
            looked = True

    async def check_shown(self, table: Table) -> None:
        """Refuse to show all hands of a table while the same cards are still played at another one."""
        if table.settings.shared and not await self.finished([table.settings.series or table.name]):
            raise Refusal(LATER)

    async def check_watched(self, table: Table) -> None:
        """Refuse spectators of a series: with the same cards to play they could learn what others hold."""
        if table.settings.shared:
            if table.phase != OVER or not await self.finished([table.settings.series or table.name]):
                raise Refusal(NOBODY_WATCHES)

    async def check_deleted(self, table: Table) -> None:
        """Refuse to delete the first of a series, which alone knows the others, while they are played."""
        if not await self.finished(table.copied):
            raise Refusal(NEEDED)

    async def needed(self, name: str) -> bool:
        """Whether a table is the first of a series that is still played elsewhere."""
        try:
            found = await cost.in_thread(partial(self.store.peek, name))
        except Damaged:
            return False
        others = [row.entry[1] for row in found[1] if row.entry[0] == COPIED] if found is not None else []
        return not await self.finished(others)

    async def finished(self, names: list[str]) -> bool:
        """Whether all tables of these names, and those that they know of, are over or gone, or nobody came to them."""
        return all([table.phase == OVER or nobody_came(table) async for table in self._known(names)])

    async def check_joined(self, table: Table) -> None:
        """Refuse to come to a table at which nobody sits when the cards are known: the others did not wait for it."""
        if table.settings.shared and nobody_came(table):
            others = [each async for each in self._known([table.settings.series or table.name])]
            if all(nobody_came(each) or each.phase == OVER for each in others) and any(
                each.phase == OVER for each in others
            ):
                raise Refusal(LATE)

    async def _known(self, names: list[str]) -> AsyncIterator[Table]:
        """The tables of these names, and those that they know of, as far as they are there."""
        names = list(names)
        for name in names:
            try:
                other = (await self.find(name)).table
            except Elsewhere:
                found = await cost.in_thread(partial(self.store.peek, name))
                if found is None:
                    continue
                other = replayed(*found)
            except (Missing, Damaged):
                continue  # it was deleted, or nobody can play there any more
            names += [each for each in other.copied if each not in names]
            yield other


def nobody_came(table: Table) -> bool:
    """Whether people could still come to a table, and none has."""
    return table.phase == GATHERING and table.lobby.people == 0
