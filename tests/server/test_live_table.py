"""Tables in memory: clocks, bots, people who leave, delayed spectators, and nothing told before it is stored."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from parlour import Refusal
from parlour.server import messages as wire
from parlour.server import mirrors
from parlour.server import room as rooms
from parlour.server.clock import ServerClock
from parlour.server.limits import Bucket
from parlour.server.listener import Listener
from parlour.server.live_table import MOST_RETURNS, SHORTEST_PACE, LiveTable
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.settings import Pace
from parlour.server.sqlite import logs
from parlour.server.store import StoreError
from parlour.server.table import Table
from parlour.server.thinking import BotPool
from parlour.server.workers import InProcess
from support.rooms import any_move, in_a_room, opened, play, started, until
from support.server import at


def all_of(listener: Listener) -> list[Any]:
    """Everything that waits for a listener."""
    return [json.loads(message) for message in iter(listener.next, None)]


def come_due(live: LiveTable, moments: int) -> None:
    """Let the first delayed messages for spectators be due now."""
    now, telling = time.monotonic(), live.telling
    for number in range(moments):
        telling.delayed[number] = telling.delayed[number]._replace(due=now)
    if telling.timer is not None:
        telling.timer.cancel()
    telling.set_timer()


# --- bots -------------------------------------------------------------------------------------------------------------


def test_a_bot_that_fails_is_replaced_by_the_rules_of_thumb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*asked: Any) -> list[int]:
        raise RuntimeError("a bot in trouble")

    monkeypatch.setattr(mirrors, "bot_move", failing)

    async def doing(room: Room) -> None:
        live = await opened(room, persons=1)
        await live.change(lambda table: table.lobby.put_bot(0, 1, "novice"))
        await live.change(lambda table: table.begin(0))
        if live.table.deciding == 0:
            await play(live, 1)
        await until(lambda: live.table.lobby.seats[1].bot == "thumb", "the bot was replaced")
        assert ["failed", 1] in live.table.log.public

    in_a_room(tmp_path, doing, bots=BotPool(InProcess()))


def test_a_bot_that_has_thought_waits_for_the_pace_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[list[int]] = []
    right = mirrors.bot_move

    def noted(*asked: Any) -> list[int]:
        thought.append(right(*asked))
        return thought[-1]

    monkeypatch.setattr(mirrors, "bot_move", noted)

    async def doing(room: Room) -> None:
        live = await opened(room, persons=1, pace=Pace(0.0, 600.0, 0.0))
        assert live.bot_pace() == 600.0
        live.welcome(at(live, 0))
        await live.change(lambda table: table.lobby.put_bot(0, 1, "steady"))
        await live.change(lambda table: table.begin(0))
        await live.change(lambda table: table.lobby.step_aside(0, "left"))
        size = live.table.size
        await until(lambda: bool(thought), "a bot had thought")
        await until(lambda: not live.thinking.seats, "its worker was free again")
        assert live.table.size == size and live.thinking.turns is not None

    in_a_room(tmp_path, doing, bots=BotPool(InProcess()))


def test_bots_take_a_while_where_others_could_learn_from_how_long_they_think(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, "lost-heir", 4, persons=2)
        assert live.bot_pace() == SHORTEST_PACE
        live.hastened = True
        assert live.bot_pace() == SHORTEST_PACE

    in_a_room(tmp_path, doing)


def test_quick_bots_of_solo_players_leave_time_for_the_others(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        room.services.bots.quick_moves = Bucket(0.0, 5)
        live = await opened(room, "lost-heir", 4, persons=1)
        assert [live.bot_pace() for _ in range(7)] == 5 * [0.0] + 2 * [SHORTEST_PACE]

    in_a_room(tmp_path, doing)


def test_a_solo_player_can_hasten_the_bots(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, "lost-heir", 4, persons=1, pace=Pace(0.0, 600.0, 0.0))
        listener = at(live, 0)
        live.welcome(listener)
        requests = Requests(room, live, listener)
        for on in (True, False, True):
            answer = await requests.answer(wire.Hasten(id=f"h{on}", on=on))
            assert isinstance(answer, wire.Done) and live.hastened == on
        await live.change(lambda table: table.begin(0))
        if live.table.deciding == 0:
            await play(live, 1)
        await until(lambda: live.table.deciding == 0, "three bots had moved without taking ten minutes each")

    in_a_room(tmp_path, doing)


def test_bots_are_not_hastened_where_several_people_play(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, "lost-heir", 4, persons=2)
        refused = await Requests(room, live, at(live, 0)).answer(wire.Hasten(id="h", on=True))
        assert isinstance(refused, wire.Refused) and not live.hastened

    in_a_room(tmp_path, doing)


# --- people who come and go -------------------------------------------------------------------------------------------


def test_a_bot_plays_for_a_person_who_leaves_until_that_person_is_back(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        listener = at(live, 1)
        live.welcome(listener)
        requests, seats = Requests(room, live, listener), live.table.lobby.seats
        assert isinstance(await requests.answer(wire.Leave(id="go")), wire.Done) and seats[1].bot
        carry = wire.Carry(id="c", code="a code of my own making")
        assert isinstance(await requests.answer(carry), wire.Done)
        assert not seats[1].bot and ["back", 1] in live.table.log.public

    in_a_room(tmp_path, doing)


def test_a_refused_request_of_a_person_who_was_away_affects_nobody_else(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        people = [at(live, seat) for seat in range(2)]
        for listener in people:
            live.welcome(listener)
        away = people[1 - live.table.deciding]
        requests = Requests(room, live, away)
        await requests.answer(wire.Leave(id="go"))
        refused = await requests.answer(wire.Act(id="x", number=10**6, move=[0]))
        assert isinstance(refused, wire.Refused)
        assert not live.dropped and not any(listener.cut or listener.ending for listener in people)
        assert not live.table.lobby.seats[away.seat].bot, "any request brings its person back"

    in_a_room(tmp_path, doing)


def test_a_welcome_says_how_much_time_is_left(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, pace=Pace(6000.0, 0.0, 0.0))
        listener = at(live, 0)
        live.welcome(listener)
        assert 0.0 < all_of(listener)[0]["left"] <= 6000.0

    in_a_room(tmp_path, doing)


class SetClock(ServerClock):
    """A server's clock that stands still until it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 1000.0

    def time(self) -> float:
        return self.at


def test_coming_back_on_ones_own_turn_gives_time_again_but_not_for_ever(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        clock = room.services.awake = SetClock()
        live = await started(room, pace=Pace(60.0, 3600.0, 0.0))
        seat = live.table.deciding
        requests = Requests(room, live, at(live, seat))

        def left() -> float:
            listener = at(live, 1 - seat)
            live.welcome(listener)
            (welcome,) = (each for each in all_of(listener) if each["kind"] == "welcome")
            live.leave(listener)
            return float(welcome["left"])

        assert left() == 60.0
        for number in range(MOST_RETURNS + 1):
            clock.at += 50.0 if not number else 30.0
            passed = left()
            assert isinstance(await requests.answer(wire.Leave(id=f"l{number}")), wire.Done)
            assert isinstance(await requests.answer(wire.Back(id=f"b{number}")), wire.Done)
            assert left() == (60.0 if number < MOST_RETURNS else passed), number
        await play(live, 1)
        assert left() == 60.0, "the next turn has its own time"

    in_a_room(tmp_path, doing)


def test_a_client_that_is_silent_for_long_is_cut_off(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room)
        talking, silent = at(live, 0), at(live, 1)
        for listener in (talking, silent):
            live.welcome(listener)
        silent.heard -= 1.1 * rooms.SILENT_SECONDS
        talking.heard -= 0.5 * rooms.SILENT_SECONDS
        room.sweep()
        assert silent.cut == rooms.SILENT and silent.again and not talking.cut

    in_a_room(tmp_path, doing)


def test_spectators_of_a_delayed_table_are_told_later(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, pace=Pace(0.0, 0.0, 600.0))
        table, telling = live.table, live.telling
        spectator = Listener(-1)
        live.welcome(spectator)
        all_of(spectator)
        await live.change(lambda table: table.begin(0))
        await play(live, 3)
        assert spectator.next() is None
        late = Listener(-1)
        live.welcome(late)
        (first,) = all_of(late)
        assert first["news"].get("view") is None
        numbers = [table.size]
        await play(live, 2)
        numbers.append(table.size)
        assert spectator.next() is None and late.next() is None
        waiting = len(telling.delayed)
        come_due(live, 1)
        await until(lambda: len(telling.delayed) < waiting, "the first delayed message was sent")
        assert len(telling.delayed) == waiting - 1 and telling.timer is not None
        come_due(live, waiting - 1)
        await until(lambda: not telling.delayed, "all delayed messages were sent")
        seen = all_of(spectator)
        assert seen and seen[-1]["view"] is not None and seen[-1]["number"] == table.size
        assert not any(each.get("whole") for each in seen), "those who were there go on from where they were"
        joined = all_of(late)
        assert joined[0]["whole"] and joined[0]["number"] == numbers[0] and joined[-1]["number"] == numbers[1]
        assert telling.timer is None
        await play(live)
        assert not telling.delayed and telling.timer is None
        for listener in (spectator, late):
            last = all_of(listener)[-1]
            assert last["whole"] and last["view"]["over"] and last["number"] == table.size
            assert len(last["events"]) == len(table.begun().sitting.told[-1])

    in_a_room(tmp_path, doing)


def test_spectators_of_a_delayed_table_who_come_and_go_leave_nothing_in_memory(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, pace=Pace(0.0, 0.0, 600.0))
        telling = live.telling
        await play(live, 3)
        stay, before = [Listener(-1) for _ in range(3)], len(telling.delayed)
        for spectator in stay:
            live.welcome(spectator)
        for _ in range(50):
            spectator = Listener(-1)
            live.welcome(spectator)
            live.leave(spectator)
        assert len(telling.delayed) == before + len(stay)
        held = {id(content) for each in telling.delayed for content in each.messages.values() if each.only}
        assert len(held) == 1, "what they will all be told is held once"
        for spectator in stay:
            all_of(spectator)
        come_due(live, len(telling.delayed))
        await until(lambda: not telling.delayed, "all delayed messages were sent")
        assert [[each["number"] for each in all_of(spectator)] for spectator in stay] == [[live.table.size]] * 3

    in_a_room(tmp_path, doing)


def test_tables_leave_memory_and_come_back_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "IDLE_SECONDS", -1.0)

    async def doing(room: Room) -> None:
        live = await started(room)
        await play(live, 5)
        name, described = live.table.name, live.table.described()
        told = live.table.begun().sitting.told
        room.sweep()
        assert not room.tables
        again = await room.find(name)
        assert again is not live and again.table.described() == described
        assert again.table.begun().sitting.told == told
        with pytest.raises(StoreError, match="put away"):
            await live.change(lambda table: None)

    in_a_room(tmp_path, doing)


# --- stored, then told ------------------------------------------------------------------------------------------------


def test_nothing_is_told_before_it_is_stored(tmp_path: Path) -> None:
    """Everyone who comes in, or asks for the table or its record, waits until the rows on their way are safe."""

    async def doing(room: Room) -> None:
        live = await started(room)
        saving, held = asyncio.Event(), asyncio.Event()
        right = room.services.save

        async def slowly(table: Table) -> None:
            saving.set()
            await held.wait()
            await right(table)

        room.services.save = slowly  # type: ignore[method-assign]
        steps = any_move(live.table, random.Random(1))
        moving = asyncio.create_task(live.change(lambda table: table.act(table.deciding, steps)))
        await saving.wait()
        name = live.table.name
        asking = [
            asyncio.create_task(work)
            for work in (room.come_in(name, None, None), room.described(name), room.record(name))
        ]
        for _ in range(100):
            await asyncio.sleep(0)
        early = [task for task in asking if task.done()]
        held.set()
        assert not early
        await moving
        await asyncio.gather(*asking, return_exceptions=True)

    in_a_room(tmp_path, doing)


def test_a_change_that_could_not_be_stored_is_told_to_nobody(tmp_path: Path) -> None:
    """The last move of a sitting cannot be stored: nobody gets its record, with all hands and the secret."""

    async def doing(room: Room) -> None:
        live = await started(room)
        name = live.table.name
        luck = random.Random(1)
        while True:
            steps = any_move(live.table, luck)
            stored = room.services.store.table(name)
            assert stored is not None
            trial = Table.load(name, live.table.secret, stored[1])
            trial.act(trial.deciding, steps)
            if trial.phase == "over":
                break
            await live.change(lambda table, steps=steps: table.act(table.deciding, steps))
        saving, held = asyncio.Event(), asyncio.Event()

        async def in_vain(table: Table) -> None:
            saving.set()
            await held.wait()
            raise StoreError("The disk is full.")

        right, room.services.save = room.services.save, in_vain  # type: ignore[method-assign]
        moving = asyncio.create_task(live.change(lambda table: table.act(table.deciding, steps)))
        await saving.wait()
        requests = Requests(room, live, at(live, 0))
        asking = [
            asyncio.create_task(work)
            for work in (
                room.come_in(name, None, None),
                room.described(name),
                room.record(name),
                requests.handle(wire.Follow(id="f", prefix=[])),
                requests.handle(wire.Hint(id="h")),
                requests.handle(wire.Rematch(id="r")),
            )
        ]
        await asyncio.sleep(0.01)
        held.set()
        found = await asyncio.gather(moving, *asking, return_exceptions=True)
        assert all(isinstance(each, StoreError) for each in found), found
        room.services.save = right  # type: ignore[method-assign]
        assert (await room.described(name))["phase"] == "playing"
        with pytest.raises(Refusal, match="not over yet"):
            await room.record(name)

    in_a_room(tmp_path, doing)


def test_rows_for_a_deleted_table_bring_no_part_of_it_back(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room)
        await asyncio.wrap_future(room.services.store.delete([live.table.name]))
        with pytest.raises(StoreError, match="deleted"):
            await live.change(lambda table: table.begin(0))

    in_a_room(tmp_path, doing)
    assert not list(logs(tmp_path / "tables.db"))
