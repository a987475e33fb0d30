"""A bot at a seat of a served table: it is given the view that its seat has there, and plays until the end."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from ..engine.game import Game
from ..engine.view import View
from ..games import REGISTRY
from ..players.bots import Bot
from ..players.external import External
from ..players.gathering import Gathering
from ..players.names import BATCH, EXEC, POLICY
from ..players.own import BotFailed
from ..players.seats import make
from ..server import messages as wire
from ..server.names import LONGEST_NAME
from .errors import ClientError, Refused, Stale
from .server import Link, Place, Server
from .table import AsyncTable

FIRST_SECONDS = 1.0  # for a server to answer at all: a wrong address is no reason to wait
PARTING_SECONDS = 3.0  # to say that one leaves
SAME_NAME = 9  # how many of one name may sit at a table
Say = Callable[[str], None]


def label_of(bot: str) -> str:
    """What a bot calls itself at a table: short, and without folders, options or arguments."""
    place = bot.partition("?")[0]
    if bot.startswith((EXEC, BATCH)):
        words = [PurePath(word).name for word in shlex.split(bot.partition(":")[2])]
        place = next((word for word in words if word.endswith((".py", ".js"))), words[0])
    elif bot.startswith(POLICY):
        place = PurePath(bot.removeprefix(POLICY)).stem
    elif not bot.startswith("search:"):
        place = place.rpartition(":")[2]
    return " ".join(re.sub(r"[^\w.-]|_", " ", place).split())[:LONGEST_NAME].strip() or "program"


def game_at(table: wire.Described) -> Game:
    """The game of a table; ClientError where it cannot be played here."""
    game = REGISTRY.get(table["game"])
    if game is None:
        raise ClientError(f"The table plays {table['game']!a:.40}, which this Parlour does not know.")
    if table["rules"] > game.rules:
        raise ClientError(
            f"The table plays version {table['rules']} of the rules of {game.title}, and this Parlour knows "
            f"{game.rules}: install a newer one."
        )
    return game


class BotAtTable:
    """A bot at a seat of one table after another.

    Its view hears the entries that the seat is told, and sees what the server says that the seat sees. So it is the
    same view that a bot of the server would have, and a bot that searches can sample from it.
    """

    def __init__(self, bot: str, seed: int = 0, say: Say = print) -> None:
        self.name = bot
        self.seed = seed
        self.say = say
        self.bot: Bot | None = None
        self.game: Game | None = None
        self.view: View | None = None
        self._heard = 0  # of what was told
        self._begun = -1  # the telling that was heard
        self._sittings = 0

    def close(self) -> None:
        """Let the bot end."""
        if self.bot is not None:
            self.bot.close()
            self.bot = None

    async def run(self, server: Server, name: str, place: Place, rematch: bool = False) -> wire.Described:
        """Play at a table to its end, and at its rematches; how the last one ended."""
        while True:
            try:
                async with AsyncTable(server, name, place, wants=["sight"]) as table:
                    await self._sitting(table)
                    ended = table.described
                    if not rematch:
                        return ended
                    following = await self._next(table)
            except (asyncio.CancelledError, ClientError, BotFailed):
                await leave_politely(server, name, place)
                raise
            name, place = following, Place(place.seat, place.token)
            self._sittings += 1

    async def _sitting(self, table: AsyncTable) -> None:
        """Arrange what a host must, and move whenever it is this seat's turn."""
        self._make(table)
        while not table.over:
            changes, phase = table.changes, table.described["phase"]
            try:
                if phase == "gathering":
                    await self._as_host(table)
                elif table.described["seats"][table.seat]["bot"]:
                    await table.ask(wire.Back)  # a bot of the server played here while this one was away
                elif table.legal:
                    await self._move(table)
                    continue
            except (Stale, Refused) as error:
                if isinstance(error, Refused) and table.legal:
                    raise
            await table.changed(changes)
        self._listen(table)  # how it ended

    async def _as_host(self, table: AsyncTable) -> None:
        """A program that is the host hands that on to the first person; among programs alone it starts."""
        described = table.described
        if described["host"] != table.seat:
            return
        seats = described["seats"]
        person = next((number for number, seat in enumerate(seats) if seat["name"] and not seat["program"]), None)
        if person is not None:
            await table.ask(wire.Host, seat=person)
        elif all(seat["name"] or seat["bot"] for seat in seats):
            await table.ask(wire.Start)

    async def _next(self, table: AsyncTable) -> str:
        """The table of the rematch; as the host, ask for one."""
        if table.described["host"] == table.seat and not table.described["rematch"]:
            await table.ask(wire.Rematch)
        while True:
            changes, rematch = table.changes, table.described["rematch"]
            if rematch:
                return rematch
            await table.changed(changes)

    # playing

    def _make(self, table: AsyncTable) -> None:
        """The game, and the bot at its seat there."""
        self.game, self.view = game_at(table.described), None
        if self.bot is None:  # a rematch has the same game, players, options and seats
            players, options = table.described["players"], table.described["options"]
            self.bot = make(self.name, self.game, players, options, table.seat)

    async def _move(self, table: AsyncTable) -> None:
        """Choose a whole move step by step, and make it."""
        choices, sight, prefix = table.legal, table.news.sight, list[int]()
        while True:
            step = await asyncio.to_thread(self._choose, table, sight)
            self._report()
            prefix.append(step)
            found = next((choice for choice in choices if choice.step == step), None)
            if found is None or found.whole:
                await table.play(prefix)
                return
            ahead = await table.follow(prefix)
            if ahead.decision is not None:
                await table.play(prefix)
                return
            choices, sight = ahead.legal, ahead.sight

    def _choose(self, table: AsyncTable, sight: dict[str, Any] | None) -> int:
        """The step that the bot chooses; it sees what its seat sees."""
        if sight is None:
            raise ClientError("The server does not tell programs what they see: it runs an older Parlour.")
        self._listen(table)
        assert self.bot is not None and self.view is not None
        try:
            self.view.adopt(sight)
        except ValueError as error:
            raise ClientError(f"The server and this Parlour differ in how they see {table.name}: {error}") from None
        try:
            return self.bot.choose(self.view)
        except ValueError as error:
            raise BotFailed(f"The bot {self.name!s:.60} cannot choose: {error}") from None

    def _listen(self, table: AsyncTable) -> None:
        """Let view and bot hear what their seat was told; from the beginning, where that was told again."""
        if table.begun != self._begun or self.view is None:
            self._begin(table)
        assert self.bot is not None and self.view is not None and self.game is not None
        told, self._heard = table.told[self._heard :], len(table.told)
        try:
            self.view.hear_rows([self.game.row_of(entry, self.view) for entry in told])
        except ValueError as error:
            raise ClientError(f"The server tells something that does not fit: {error}") from None
        if self.bot.listens:
            self.bot.hear(told)

    def _begin(self, table: AsyncTable) -> None:
        """A fresh view, and the bot at the beginning of the sitting."""
        assert self.bot is not None and self.game is not None
        self.view = self.game.view_type(table.described["players"], table.seat, table.described["options"])
        if self.bot.tracks_beliefs:
            self.view.track_beliefs(trusting=True)
        self.bot.begin(self.seed, self._sittings)
        self._begun, self._heard = table.begun, 0

    def _report(self) -> None:
        """Say what a program did wrong."""
        if isinstance(self.bot, External | Gathering):
            for said in self.bot.reports:
                self.say(said)
            self.bot.reports.clear()


async def leave_politely(server: Server, name: str, place: Place) -> None:
    """Say that one goes, if anyone is there to hear it; by a line of its own, as there may be none yet."""
    with contextlib.suppress(ClientError, TimeoutError):
        async with asyncio.timeout(PARTING_SECONDS), AsyncTable(server, name, place) as table:
            await table.leave()


def sit_down(server: Server, link: Link, bot: str, name: str = "") -> Place:
    """Sit down by a link as a program; without a name the bot's own, with a number where others have it too."""
    table, label = Server(link.address, patience=FIRST_SECONDS).table(link.table), label_of(bot)
    if "programs" not in table:
        raise ClientError("This server does not know programs yet: it runs an older Parlour.")
    game_at(table)
    promise = table["deal"] is None  # a numbered deal has nothing to add to
    last: Refused | None = None
    for number in range(1, SAME_NAME + 1):
        own = name or (label if number == 1 else f"{label[: LONGEST_NAME - 2].strip()} {number}")
        if not name and any(seat["name"] == own for seat in table["seats"]):
            continue
        try:
            return server.sit(link.table, link.code, own, program=label, promise=promise)
        except Refused as refused:
            last = refused
            if name or not any(seat["name"] == own for seat in server.table(link.table)["seats"]):
                raise
    raise last or ClientError(f"{SAME_NAME} programs called {label} sit there already; give this one a --name.")
