"""For tests of rooms and tables in this process: open tables, play at them, and wait for what must happen."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from parlour.server.data import FILE
from parlour.server.live_table import LiveTable
from parlour.server.room import Room
from parlour.server.settings import Pace
from parlour.server.sqlite import SqliteStore
from parlour.server.table import Table
from support.wait import WAIT

NOW = Pace(0.0, 0.0, 0.0)


def in_a_room(path: Path, doing: Callable[[Room], Awaitable[Any]], **more: Any) -> Any:
    """Do something in a room, and close it."""

    async def run() -> Any:
        room = Room(SqliteStore(path / FILE), **more)
        try:
            return await doing(room)
        finally:
            await room.close()

    return asyncio.run(run())


async def opened(room: Room, game: str = "heraldry", players: int = 2, persons: int = 2, **more: Any) -> LiveTable:
    """A table at which people sit, with bots by rule of thumb at the other seats; not started."""
    live, code = await room.open(game=game, players=players, **{"options": {}, "pace": NOW, **more})
    for number in range(persons):
        await room.join(live.table.name, code, f"Person {number}")
    for number in range(persons, players):
        await live.change(lambda table, number=number: table.lobby.put_bot(0, number, "thumb"))
    return live


async def started(room: Room, *arguments: Any, **more: Any) -> LiveTable:
    """A table as `opened` makes it, started by its host."""
    live = await opened(room, *arguments, **more)
    await live.change(lambda table: table.begin(0))
    return live


def any_move(table: Table, luck: random.Random) -> list[int]:
    """Any whole move of the seat that decides."""
    steps: list[int] = []
    while legal := table.following(table.deciding, steps).legal:
        steps.append(luck.choice(legal).step)
    return steps


async def play(live: LiveTable, moves: int = 10**6) -> None:
    """Play on, any move for each seat."""
    luck = random.Random(1)

    def move(table: Table) -> None:
        if table.phase == "playing":  # a bot may have moved in the meantime
            table.act(table.deciding, any_move(table, luck))

    while live.table.phase == "playing" and moves:
        await live.change(move)
        moves -= 1


async def until(holds: Callable[[], bool], what: str) -> None:
    """Let things go on until something holds, however slow the machine is, but not for ever."""
    try:
        async with asyncio.timeout(WAIT):
            while not holds():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"waited {WAIT:.0f} seconds in vain until {what}") from None


def some_tables(path: Path) -> None:
    """A store of three tables, whose sittings have just begun, go on, and are over."""

    async def doing(room: Room) -> None:
        for moves in (0, 4, 10**6):
            await play(await started(room), moves)

    in_a_room(path, doing)
