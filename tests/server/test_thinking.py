"""Bots, hints and replays by worker processes: the same choices as ever, and no table holds up another."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import toy

from parlour import Refusal
from parlour.engine.chance import Sealed
from parlour.games import GAMES, REGISTRY, game, register
from parlour.play.sitting import Sitting
from parlour.players.bots import LEVELS
from parlour.players.seats import make
from parlour.records.seal import joined
from parlour.server import messages as wire
from parlour.server import mirrors, replay_pages, workers
from parlour.server.live_table import LiveTable
from parlour.server.replays import Replay
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.table import Table
from parlour.server.thinking import BotPool, Thinking, bots_seed
from parlour.server.workers import Done, InProcess, Work, WorkerPool
from support.added import installed
from support.effort import times
from support.rooms import in_a_room, opened, play, started, until
from support.server import Person, Server, at
from support.wait import WAIT

SECRET = bytes(range(32))
PLAYERS = {"tontine": 5}  # the usual number elsewhere


def patient(**settings: Any) -> WorkerPool:
    """Worker processes that nobody gives up, however slow the machine is."""
    return WorkerPool(**{"patience": WAIT, "seconds": WAIT, **settings})


def table_of(name: str, persons: int = 0) -> Table:
    """A started table, the same each time, with people at all seats or at the first few."""
    players = PLAYERS.get(name, game(name).sheet.usual)
    table = Table.open("parity", SECRET, game=name, players=players, options={}, invite=b"", opened="2026-01-01")
    for seat in range(persons or players):
        table.lobby.sit(f"Person {seat}", bytes([seat]) * 32, seat)
    for seat in range(persons or players, players):
        table.lobby.put_bot(0, seat, "steady")
    table.begin(0)
    return table


class Before:
    """Bots that think where the table is, each with a view that has heard everything: the way of earlier versions."""

    def __init__(self, table: Table, level: str) -> None:
        sealed, settings = table.begun(), table.settings
        chance = Sealed(SECRET, joined(sealed.entropy), sealed.name, settings.rules)
        seats = tuple(range(settings.players))
        self.sitting = Sitting(settings.game, settings.players, chance=chance, listeners=seats, track_beliefs=True)
        self.bot = make(level, settings.game, settings.players, settings.options, 0)

    def move(self) -> list[int]:
        self.bot.begin(bots_seed(SECRET), 0)
        view = self.sitting.view(self.sitting.seat)
        return mirrors.whole_move(self.bot, view, self.sitting.state.copy())

    def play(self, steps: list[int]) -> None:
        for step in steps:
            self.sitting.play(step)


@pytest.mark.parametrize("level", ["thumb", *LEVELS])
@pytest.mark.parametrize("name", GAMES)
def test_bots_choose_as_they_did_before_also_when_their_worker_is_killed(name: str, level: str) -> None:
    async def doing() -> None:
        pool = patient(processes=1)
        table = table_of(name)
        thinking, before = Thinking(table, BotPool(pool)), Before(table, level)
        for number in range(times(8 if level == "champion" else 25, 10**6)):
            if table.phase != "playing":
                break
            if number % 10 == 7 and pool.workers:
                process = pool.workers[0].process
                assert process is not None and process.pid is not None
                os.kill(process.pid, signal.SIGKILL)
            steps = await thinking.move(table.deciding, level)
            assert steps == before.move(), number
            table.act(table.deciding, steps)
            before.play(steps)
        pool.close()

    asyncio.run(doing())


def test_bots_forget_a_decision_that_was_taken_back() -> None:
    """A bot chooses as one that never knew of it."""

    async def doing() -> None:
        pool = patient(processes=1)
        table = table_of("lost-heir", persons=1)
        thinking = Thinking(table, BotPool(pool))

        async def to_my_turn() -> None:
            while table.deciding != 0:
                before = Before(table, "steady")
                for move in table.begun().sitting.moves:
                    before.play(list(move.steps))
                steps = await thinking.move(table.deciding, "steady")
                assert steps == before.move()
                table.act(table.deciding, steps)

        for choice in (0, 0, 0):
            await to_my_turn()
            table.act(0, [table.following(0, []).legal[choice].step])
        for choice in (-1, 0):
            await to_my_turn()
            table.undo(0)
            table.act(0, [table.following(0, []).legal[choice].step])
        await to_my_turn()
        pool.close()

    asyncio.run(doing())


# --- no table holds up another ----------------------------------------------------------------------------------------

HANGING = """
import time
from toy import rules, view
from parlour.engine.game import Game

class Hanging(view.{view}):
    def choose(self, luck):
        while True:
            time.sleep(0.01)

GAME = Game(rules.SHEET, rules.{state}, Hanging, rules.CARDS, rules.STEPS, rules.ENTRIES, package="toy")
"""


def hanging(folder: Path) -> dict[str, str]:
    """The environment of a process in which the toy game is installed, with bots that never answer."""
    environment = installed(folder, toy.GAME.name, "hanging:GAME")
    code = HANGING.format(view=toy.GAME.view_type.__name__, state=toy.GAME.state_type.__name__)
    (folder / "hanging.py").write_text(code, encoding="utf-8")
    return environment


@pytest.fixture
def hanging_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a game whose bots never answer; worker processes find it, too."""
    hanging(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    register(importlib.import_module("hanging").GAME)
    yield toy.GAME.name
    REGISTRY.pop(toy.GAME.name)
    sys.modules.pop("hanging")


async def with_bots(room: Room, name: str, players: int, level: str) -> LiveTable:
    """A started table with one person and bots, at which it is the turn of a bot."""
    live = await opened(room, name, players, persons=1)
    for seat in range(1, players):
        await live.change(lambda table, seat=seat: table.lobby.put_bot(0, seat, level))
    await live.change(lambda table: table.begin(0))
    if live.table.deciding == 0:
        await play(live, 1)
    return live


async def to_the_end(live: LiveTable) -> None:
    """Let the person play on with the bots."""
    while live.table.phase == "playing":
        await until(lambda: live.table.deciding <= 0, "the bots had moved")
        await play(live, 1)


def test_bots_that_hang_leave_the_bots_of_other_tables_playing(tmp_path: Path, hanging_game: str) -> None:
    async def doing(room: Room) -> None:
        hung = [await with_bots(room, hanging_game, 3, "steady") for _ in range(2)]
        pool = room.services.bots.workers
        assert isinstance(pool, WorkerPool)
        await until(lambda: sum(worker.job is not None for worker in pool.workers) == 2, "both workers hung")
        pool.patience = 0.01
        live = await with_bots(room, "heraldry", 2, "steady")
        await to_the_end(live)
        assert [kind for kind, *_ in live.table.log.public].count("failed") == 0
        assert room.services.counts["hurried"] > 0
        assert all(each.table.phase == "playing" and each.thinking.seats for each in hung)

    in_a_room(tmp_path, doing, bots=BotPool(patient()))


def test_a_bot_that_hangs_is_replaced_and_its_table_plays_on(tmp_path: Path, hanging_game: str) -> None:
    async def doing(room: Room) -> None:
        live = await with_bots(room, hanging_game, 3, "steady")
        await to_the_end(live)
        assert [entry for entry in live.table.log.public if entry[0] == "failed"] == [["failed", 1]]
        assert [seat.bot for seat in live.table.lobby.seats] == ["", "thumb", "steady"]

    in_a_room(tmp_path, doing, bots=BotPool(Once(seconds=0.2)))


class Once(WorkerPool):
    """Worker processes that take one piece of work, and then none."""

    def run(self, work: Work) -> asyncio.Future[Done]:
        done = super().run(work)
        self.most_waiting = 0
        return done


@pytest.mark.long
def test_bots_that_hang_at_a_served_table_leave_the_others_playing(tmp_path: Path) -> None:
    with Server(tmp_path / "data", **hanging(tmp_path / "site")) as server, ExitStack() as stack:
        for _ in range(2):
            table, tokens = server.open(toy.GAME.name, 3, level="steady")
            person = stack.enter_context(Person(server, table, tokens[0]))
            if person.turn():
                person.request("act", number=person.number, move=person.move())
        table, tokens = server.open("lost-heir", 4, level="steady")
        with Person(server, table, tokens[0]) as person:
            while person.turn():
                assert person.request("act", number=person.number, move=person.move())["kind"] == "done"
        seats = server.ask("GET", f"/api/tables/{table}")[1]["seats"]
        assert [seat["bot"] for seat in seats] == ["", "steady", "steady", "steady"]


def test_when_all_workers_are_busy_bots_move_at_once_and_hints_are_refused(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, persons=1)
        await live.change(lambda table: table.lobby.put_bot(0, 1, "expert"))
        await live.change(lambda table: table.begin(0))
        await until(lambda: live.table.deciding == 0, "the bot had moved")
        refused = await Requests(room, live, at(live, 0)).answer(wire.Hint(id="h"))
        assert isinstance(refused, wire.Refused) and "ask again in a moment" in refused.sentence
        moves = len(live.table.begun().sitting.moves)
        await play(live, 1)
        await until(lambda: len(live.table.begun().sitting.moves) > moves + 1, "the bot had moved again")
        assert room.services.counts["hurried"] > 0
        assert live.table.lobby.seats[1].bot == "expert" and not live.thinking.seats

    in_a_room(tmp_path, doing, bots=BotPool(WorkerPool(most_waiting=0)))


def test_a_seat_has_one_hint_in_hand_also_when_its_client_goes_away(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, persons=2)
        await live.change(lambda table: table.begin(0))
        seat, asked = live.table.deciding, Held()
        room.services.bots.workers = asked
        requests = Requests(room, live, at(live, seat))
        asking = asyncio.create_task(requests.answer(wire.Hint(id="1")))
        await until(lambda: bool(asked.jobs), "the hint was asked for")
        asking.cancel()
        await asyncio.wait([asking])
        refused = await requests.answer(wire.Hint(id="2"))
        assert isinstance(refused, wire.Refused) and "already" in refused.sentence and len(asked.jobs) == 1

    in_a_room(tmp_path, doing)


class Held(InProcess):
    """Work that is never done."""

    def __init__(self) -> None:
        self.jobs: list[Work] = []

    def run(self, work: Work) -> asyncio.Future[Done]:
        self.jobs.append(work)
        return asyncio.get_running_loop().create_future()


# --- replays ----------------------------------------------------------------------------------------------------------


class Counting(InProcess):
    """Work in this process, counted; none is done before the event loop has gone round."""

    def __init__(self) -> None:
        self.asked = 0

    def run(self, work: Work) -> asyncio.Future[Done]:
        self.asked += 1
        done = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(lambda: done.set_result(Done(work.function(*work.arguments), 0.5)))
        return done


async def over(room: Room, name: str = "heraldry", players: int = 2) -> str:
    """A table whose sitting is over."""
    live = await started(room, name, players, persons=players)
    await play(live)
    return live.table.name


def test_many_who_ask_for_a_replay_let_it_be_made_once(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        table = await over(room)
        workers = room.services.bots.workers
        assert isinstance(workers, Counting)
        workers.asked = 0
        pages = await asyncio.gather(*(room.replay(table, first) for first in (0, 0, 7, 10**6, 0, 50)))
        pages += [await room.replay(table, 0)]
        assert workers.asked == 1
        assert sorted(page.cpu for page in pages)[-2:] == [0.0, 0.5], "whoever asked first pays"
        assert pages[0].body == pages[1].body == pages[-1].body
        await room.replay(table, 0, 1)
        await room.replay(table, 0, 99)  # a seat that is not there is a spectator's
        assert workers.asked == 2

    in_a_room(tmp_path, doing, bots=BotPool(Counting()))


@pytest.mark.parametrize("name", GAMES)
def test_the_pages_of_a_replay_are_cut_anywhere_and_a_page_beyond_the_end_is_empty(tmp_path: Path, name: str) -> None:
    async def doing(room: Room) -> None:
        players = PLAYERS.get(name, game(name).sheet.usual)
        table = await over(room, name, players)
        moves = room.tables[table].table.begun().sitting.moves
        beyond = msgspec.json.decode((await room.replay(table, 10**6)).body, type=Replay)
        assert beyond.frames == [] and beyond.first == 10**6 and beyond.total == len(moves) + 1
        whole = []
        while len(whole) < beyond.total:
            body = (await room.replay(table, len(whole))).body
            page = msgspec.json.decode(body, type=Replay)
            assert msgspec.json.encode(page) == body and page.first == len(whole)
            whole += page.frames
        found = [(frame.seat, frame.move) for frame in whole]
        steps = REGISTRY[name].step_name
        assert found == [(move.seat, [steps(step) for step in move.steps]) for move in moves] + [(-1, [])]
        middle = msgspec.json.decode((await room.replay(table, 3)).body, type=Replay)
        assert middle.frames == whole[3 : 3 + replay_pages.MOST_FRAMES]

    in_a_room(tmp_path, doing, bots=BotPool(patient()))


def test_replays_that_stay_are_bounded_in_bytes_and_go_with_their_table(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        replays, workers = room.services.replays, room.services.bots.workers
        assert isinstance(workers, Counting)
        tables = [await over(room) for _ in range(3)]
        for table in tables:
            await room.replay(table, 0)
        replays.most_bytes = replays.size - 1
        for table in tables:
            replays.forget(table)
        for table in tables:
            await room.replay(table, 0)
            assert replays.size <= replays.most_bytes
        workers.asked = 0
        await room.replay(tables[2], 0)
        assert workers.asked == 0
        await room.replay(tables[0], 0)
        assert workers.asked == 1
        for table in tables:
            replays.forget(table)
        assert replays.size == 0

    in_a_room(tmp_path, doing, bots=BotPool(Counting()))


def test_when_too_many_replays_are_being_made_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_pages, "MOST_COMING", 1)

    async def doing(room: Room) -> None:
        tables = [await over(room) for _ in range(2)]
        first, second = await asyncio.gather(*(room.replay(each, 0) for each in tables), return_exceptions=True)
        assert isinstance(first, replay_pages.Page) and isinstance(second, workers.Busy)
        assert (await room.replay(tables[1], 10**6)).cpu == 0.0, "a page beyond the end needs nobody"
        await room.replay(tables[1], 0)

    in_a_room(tmp_path, doing, bots=BotPool(Counting()))


def test_the_bots_and_people_of_a_sitting_that_goes_on_are_not_shown(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        with pytest.raises(Refusal, match="not over yet"):
            await room.replay(live.table.name, 10**6)

    in_a_room(tmp_path, doing)
