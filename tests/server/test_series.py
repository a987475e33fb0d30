"""Tables with the same cards: nobody sees them at one table while they are still played at another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from parlour import Refusal
from parlour.server.live_table import LiveTable
from parlour.server.lobby import digest
from parlour.server.room import Room
from parlour.server.series import Missing
from support.rooms import NOW, in_a_room, started

KEY = "k" * 32
TOKEN = "t" * 32
DAY = 86400
Ask = Callable[[Room, str], Awaitable[Any]]


async def series(room: Room, count: int = 2) -> list[LiveTable]:
    """Tables with the same cards, each begun by its host."""
    asked: dict[str, Any] = {"game": "heraldry", "players": 2, "options": {}, "pace": NOW, "copies": KEY}
    found: list[LiveTable] = []
    for number in range(count):
        live, code = await room.open(**asked, like=found[0].table.name if found else "")
        await room.join(live.table.name, code, "Ann", token=f"{TOKEN}{number}")
        await room.join(live.table.name, code, "Ben")
        found.append(live)
    for live in found:
        await live.change(lambda table: table.begin(0))
    return found


async def end(live: LiveTable) -> None:
    await live.change(lambda table: table.end(0))


async def play_again(room: Room, name: str) -> Any:
    return await room.open(game="heraldry", players=2, options={}, again=(name, 0, 0))


SHOWING: dict[str, Ask] = {
    "record": lambda room, name: room.record_text(name),
    "replay": lambda room, name: room.replay(name, 0),
    "again": play_again,
    "spectator": lambda room, name: room.come_in(name, None, None),
}


@pytest.mark.parametrize("what", SHOWING)
def test_nothing_is_shown_before_all_tables_of_a_series_have_finished(what: str, tmp_path: Path) -> None:
    ask = SHOWING[what]

    async def doing(room: Room) -> None:
        first, second, third = await series(room, 3)
        for live in (first, second, third):
            for each in (first, second, third):
                with pytest.raises(Refusal):
                    await ask(room, each.table.name)
            await end(live)
        for each in (first, second, third):
            await ask(room, each.table.name)

    in_a_room(tmp_path, doing)


@pytest.mark.parametrize("what", SHOWING)
def test_a_table_that_ends_while_somebody_waits_for_it_shows_nothing_too_early(what: str, tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        first, _ = await series(room)
        async with first.lock:  # something is being stored
            ending = asyncio.create_task(end(first))
            await asyncio.sleep(0)
            await asyncio.sleep(0)  # it waits for its turn
            asking = asyncio.create_task(SHOWING[what](room, first.table.name))
            await asyncio.sleep(0)
        await ending
        with pytest.raises(Refusal):
            await asking

    in_a_room(tmp_path, doing)


def test_the_first_of_a_series_cannot_be_deleted_while_others_play(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        first, second, third = await series(room, 3)
        await end(first)
        await end(second)
        with pytest.raises(Refusal, match="still played at another table"):
            await room.delete(first.table.name, f"{TOKEN}0")
        with pytest.raises(Refusal, match="still played at another table"):
            await room.record_text(second.table.name)
        await end(third)
        await room.delete(second.table.name, f"{TOKEN}1")
        await room.delete(first.table.name, f"{TOKEN}0")
        assert b'"result"' in await room.record_text(third.table.name)

    in_a_room(tmp_path, doing)


def test_a_table_to_which_nobody_came_holds_nothing_back_and_nobody_comes_to_it_later(tmp_path: Path) -> None:
    """As where the organiser's program was broken off, and opened a table once more."""

    async def doing(room: Room) -> None:
        first, second = await series(room)
        asked: dict[str, Any] = {"game": "heraldry", "players": 2, "options": {}, "pace": NOW, "copies": KEY}
        spare, code = await room.open(**asked, like=first.table.name)
        late, late_code = await room.open(**asked, like=first.table.name)
        await room.join(late.table.name, late_code, "Cid")
        await end(second)
        await end(first)
        with pytest.raises(Refusal, match="still played at another table"):
            await room.record_text(first.table.name)
        await room.join(spare.table.name, code, "Dora")  # as long as nothing is shown
        await room.delete(late.table.name, await host_of(room, late))
        with pytest.raises(Refusal, match="still played at another table"):
            await room.record_text(first.table.name)
        await spare.change(lambda table: table.lobby.stand(0))
        assert b'"result"' in await room.record_text(first.table.name)
        with pytest.raises(Refusal, match="its cards are known"):
            await room.join(spare.table.name, code, "Eve")

    in_a_room(tmp_path, doing)


async def host_of(room: Room, live: LiveTable) -> str:
    """A token of the host, who takes another device along."""
    await live.change(lambda table: table.lobby.carry(table.lobby.host, digest(KEY)))
    return (await room.carry(live.table.name, KEY))[1]


def test_the_first_of_a_series_is_not_cleared_out_while_others_play(tmp_path: Path) -> None:
    passed = [0.0]

    def at() -> float:
        return 1_800_000_000 + passed[0]

    async def doing(room: Room) -> None:
        first, second, third = await series(room, 3)
        await end(first)
        await end(second)
        alone = await started(room)
        await end(alone)
        await room.clear_out()
        for _ in range(5):  # the third has been played just now, over and over again
            passed[0] += 80 * DAY
            await third.change(lambda table: table.lobby.step_aside(1, "left"))
            await third.change(lambda table: table.lobby.come_back(1))
            await room.clear_out()
        with pytest.raises(Missing):
            await room.find(alone.table.name)
        with pytest.raises(Refusal, match="still played at another table"):
            await room.record_text(first.table.name)
        await end(third)
        await room.clear_out()
        with pytest.raises(Missing):
            await room.find(first.table.name)

    in_a_room(tmp_path, doing, clock=at, monotonic=lambda: passed[0])


def test_a_record_that_was_told_is_not_told_again_once_its_table_is_gone(tmp_path: Path) -> None:
    passed = [0.0]

    async def doing(room: Room) -> None:
        live = await started(room)
        await end(live)
        await room.clear_out()
        assert await room.record_text(live.table.name)
        for _ in range(2):
            passed[0] += 200 * DAY
            await room.clear_out()
        with pytest.raises(Missing):
            await room.record_text(live.table.name)

    in_a_room(tmp_path, doing, clock=lambda: 1_800_000_000 + passed[0], monotonic=lambda: passed[0])
