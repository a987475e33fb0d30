"""The deal of the day: one deal for all servers and the terminal, and what the levels and people made of it."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Any

import pytest

from parlour import Sitting
from parlour.engine.errors import Refusal
from parlour.games import GAMES, game
from parlour.play.sitting import secret_of
from parlour.play.today import day_of, number_of, outcome, played_by, sitting_of
from parlour.server import days as days_module
from parlour.server.days import Days
from parlour.server.protocols import CURRENT
from parlour.server.puzzles import MOST_COMING, PuzzleReason
from parlour.server.room import Room
from parlour.server.workers import Busy, InProcess, WorkerPool
from support.cli import Cli, command_line
from support.rooms import in_a_room, play, started, until

DAY = datetime.date(2026, 12, 24)
NOON = datetime.datetime(2026, 12, 24, 12, tzinfo=datetime.UTC).timestamp()
NUMBER = number_of(DAY)
parlour_cli = pytest.fixture(command_line)


def dealt_at_a_server(path: Path, name: str) -> list[Any]:
    """The log of a deal of the day as a server deals it, before any decision."""

    async def doing(room: Room) -> Any:
        live = await started(room, name, game(name).sheet.usual, 1, deal=NUMBER)
        return live.table.begun().sitting.log

    found: list[Any] = in_a_room(path, doing)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_deal_is_the_same_at_two_servers_and_in_the_terminal(tmp_path: Path, name: str) -> None:
    logs = []
    for number in range(2):
        (tmp_path / f"{number}").mkdir()
        logs.append(dealt_at_a_server(tmp_path / f"{number}", name))
    own = sitting_of(game(name), NUMBER).log
    assert own and logs[0][: len(own)] == logs[1][: len(own)] == own
    assert sitting_of(game(name), NUMBER + 1).log != own


def test_a_number_is_a_date() -> None:
    assert NUMBER == 20261224 and day_of(NUMBER) == DAY
    assert day_of(20261324) is None and day_of(7) is None and day_of(0) is None


def test_a_saved_deal_of_the_day_goes_on_with_its_own_luck() -> None:
    sitting = sitting_of(game("heraldry"), NUMBER)
    for _ in range(9):
        sitting.play(sitting.legal()[0])
    again = Sitting.load(sitting.save())
    while not sitting.over:
        for each in (sitting, again):
            each.play(each.legal()[0])
    assert again.log == sitting.log


def test_the_terminal_plays_it(parlour_cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path))
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    code, told, _ = parlour_cli("play", "heraldry", "--today", "--bots", "thumb")
    assert code == 0 and "The deal of the day: No. 2" in told
    code, _, wrong = parlour_cli("play", "heraldry", "--today", "--seed", "3")
    assert code == 2 and "the same for everyone" in wrong


def test_the_levels_play_it_and_people_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game("lost-heir"), "levels", ("novice", "steady"))

    async def doing(room: Room) -> None:
        days = room.services.days
        days.clock = lambda: NOON
        assert days.body(game("lost-heir")).people == []
        for _ in range(2):
            live = await started(room, "lost-heir", 4, 1, deal=NUMBER)
            await play(live)
            score = live.table.begun().sitting.scores()[0]
        for other in ({"deal": NUMBER - 9}, {"deal": NUMBER, "options": {"deal_limit": 1}}, {}):
            live = await started(room, "lost-heir", 4, 1, **other)
            await play(live)
        body = days.body(game("lost-heir"), NUMBER)
        assert body.number == NUMBER and [score, 2] in body.people and len(body.people) == 1
        await until(lambda: len(days.body(game("lost-heir")).levels) == 2, "both levels have played")
        novice = days.body(game("lost-heir")).levels["novice"]
        own = played_by(game("lost-heir"), NUMBER, "novice", bots_luck())
        assert (novice.score, novice.place, novice.of, novice.won) == tuple(own)
        for wrong in (NUMBER - 2, NUMBER + 2, 7):
            with pytest.raises(Refusal, match=f"today's number is {NUMBER}"):
                days.body(game("lost-heir"), wrong)
        assert Days(InProcess(), lambda: NOON).today() == DAY

    in_a_room(tmp_path, doing)


def test_people_are_counted_after_a_new_start_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game("lost-heir"), "levels", ())

    async def first(room: Room) -> None:
        for deal in (NUMBER, NUMBER, NUMBER - 9, None):
            await play(await started(room, "lost-heir", 4, 1, deal=deal))

    async def second(room: Room) -> None:
        days = room.services.days
        for _ in range(2):  # another look counts nobody again
            await until(lambda: sum(count for _, count in days.body(game("lost-heir")).people) == 2, "both are counted")
            days._looked = None
        assert [count for _, count in days.body(game("lost-heir")).people] == [2]

    in_a_room(tmp_path, first, clock=lambda: NOON)
    in_a_room(tmp_path, second, clock=lambda: NOON + 3600)


def test_levels_that_found_no_worker_play_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game("lost-heir"), "levels", ("novice", "steady"))
    monkeypatch.setattr(days_module, "AGAIN_SECONDS", 0.0)

    async def doing(room: Room) -> None:
        days, pool = room.services.days, room.services.bots.workers
        assert isinstance(pool, WorkerPool)
        pool.most_waiting = 0  # all are busy
        days.body(game("lost-heir"))
        await until(lambda: all(task.done() for task in days._tasks.values()), "no worker was found")
        assert days.body(game("lost-heir")).levels == {}
        pool.most_waiting = 200
        await until(lambda: len(days.body(game("lost-heir")).levels) == 2, "both levels have played")

    in_a_room(tmp_path, doing)


def test_a_crowd_that_asks_why_leaves_room_to_those_who_play(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        pool, puzzles = room.services.bots.workers, room.services.puzzles
        assert isinstance(pool, WorkerPool)
        asking = [
            asyncio.create_task(puzzles.why(game(name), number, CURRENT))
            for name in ("heraldry", "lost-heir")
            for number in range(1, 40)
            for _ in range(3)
        ]
        for _ in range(3):
            await asyncio.sleep(0)  # all have asked
        waiting = sum(len(queue) for queue in pool._queues.values())
        busy = sum(worker.job is not None for worker in pool.workers)
        assert 0 < waiting + busy <= MOST_COMING
        found = await asyncio.gather(*asking, return_exceptions=True)
        reasons = [each for each in found if isinstance(each, PuzzleReason)]
        assert len(reasons) == 3 * MOST_COMING, "each is found once, for all who ask"
        assert all(isinstance(each, PuzzleReason | Busy) for each in found)

    in_a_room(tmp_path, doing)


def bots_luck() -> int:
    """The luck of the bots at tables with this deal."""
    from parlour.server.thinking import bots_seed

    return bots_seed(secret_of(f"deal {NUMBER}"))


def test_places_among_sides() -> None:
    sitting = sitting_of(game("masquerade"), NUMBER)
    while not sitting.over:
        sitting.play(sitting.legal()[0])
    found = [outcome(sitting, seat) for seat in range(sitting.players)]
    assert {each.of for each in found} == {sitting.state.sides}
    assert all(each.won == (seat in sitting.winners()) for seat, each in enumerate(found))
    assert sorted(each.place for each in found)[0] == 1
    assert all(each.place > 1 for each in found if not each.won)
