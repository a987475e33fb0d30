"""Rooms and their tables: who may do what, the clock, bots that fail, delays, retention, copies and audits."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Refusal
from parlour.cli.main import main
from parlour.players.bots import BOTS
from parlour.records.seal import commitment_to
from parlour.server import messages as wire
from parlour.server import room, rows
from parlour.server.limits import Bucket
from parlour.server.room import Forbidden, Listener, Missing, Resident, Room
from parlour.server.run import FILE, announce, audit, backup, restore
from parlour.server.store import Batch, Kept, SqliteStore, StoreError, logs
from parlour.server.table import Pace, Table, clean_name, digest
from support.server import Person, Server, at

Doing = Callable[[Room], Awaitable[Any]]
NOW = Pace(0.0, 0.0, 0.0)


def in_a_room(path: Path, doing: Doing, **more: Any) -> Any:
    """Do something in a room, and close it."""

    async def run() -> Any:
        made = Room(SqliteStore(path / FILE), **more)
        try:
            return await doing(made)
        finally:
            await made.close()

    return asyncio.run(run())


async def opened(made: Room, game: str = "heraldry", players: int = 2, persons: int = 2, **more: Any) -> Resident:
    """A table at which persons sit, and thumbs at the other seats; not begun."""
    settings = {"options": {}, "pace": NOW, **more}
    resident, code = await made.open(game=game, players=players, **settings)
    for number in range(persons):
        await made.join(resident.table.name, code, f"Person {number}", None, None)
    for number in range(persons, players):
        await made.change(resident, lambda table, number=number: table.put_bot(0, number, "thumb"))
    return resident


def any_move(table: Table, luck: random.Random) -> list[int]:
    steps: list[int] = []
    while following := table.following(table.deciding, steps).legal:
        steps.append(luck.choice(following)[0])
    return steps


async def played(made: Room, resident: Resident, moves: int = 10**6) -> None:
    """Play on, each seat any move."""
    luck = random.Random(1)
    while resident.table.phase == "playing" and moves:
        steps = any_move(resident.table, luck)
        await made.change(resident, lambda table, steps=steps: table.act(table.deciding, steps))
        moves -= 1


async def until(holds: Callable[[], bool]) -> None:
    """Let things go on until something holds: however slow the machine is, but not for ever."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


async def waits_of_bots(made: Room, moves: int, **settings: Any) -> list[float]:
    """Seconds from one move to the next at a table whose only person has left it to bots, and looks on."""
    resident = await opened(made, "lost-heir", 4, persons=1, **settings)
    await made.change(resident, lambda table: table.begin(0))
    moments: list[float] = []
    right = made.stored

    async def noted(table: Table, rows: list[rows.Row]) -> None:
        if rows:
            moments.append(time.monotonic())
        await right(table, rows)

    made.stored = noted  # type: ignore[method-assign]
    await made.change(resident, lambda table: table.keep(0, "left"))
    made.welcome(resident, at(resident, 0), None)
    made.arrange(resident)
    await until(lambda: len(moments) > moves)
    return [later - sooner for sooner, later in itertools.pairwise(moments)]


def come_due(made: Room, resident: Resident, moments: int) -> None:
    """The time has come to show spectators the first moments of the past that is kept for them."""
    now = time.monotonic()
    for number in range(moments):
        resident.past[number] = resident.past[number]._replace(due=now)
    if resident.release is not None:
        resident.release.cancel()
    made.wait_for_past(resident)


# --- names and kinds --------------------------------------------------------------------------------------------------


def test_no_entry_of_a_record_is_called_like_one_of_the_tables() -> None:
    for name in parlour.GAMES:
        assert not rows.KINDS & set(parlour.game(name).kinds)


def test_programs_and_those_who_look_have_no_seat() -> None:
    assert not {"oracle", "exec:x", "search:9"} & set(BOTS)
    table = Table.open("t", bytes(32), game="heraldry", players=2, options={}, invite=b"", opened="")
    table.sit("One", digest("a"))
    for level in ("oracle", "exec:rm", "search:10", "nobody"):
        with pytest.raises(Refusal, match="Bots here are"):
            table.put_bot(0, 1, level)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        *(("Ann", "Ann"), (" A  b ", "A b"), ("e\u0301", "é"), ("a\u202eb\n", "ab"), ("Ann [M3]", "Ann M3")),
        *(("नेहा", "नेहा"), ("z" + 9 * "\u0334", "z" + 2 * "\u0334"), ("\u3164A", "A")),
    ],
)
def test_names_are_cleaned(name: str, clean: str) -> None:
    assert clean_name(name) == clean


NOBODY = ["", " ", 25 * "a", "\u3164\u3164", "\u2800", "\u0301", "[]"]


@pytest.mark.parametrize("name", [*NOBODY, "You", "seat 2", "THE USHER"])
def test_names_that_are_none_or_another_s_are_refused(name: str) -> None:
    with pytest.raises(Refusal, match=r"A name has|is what the table calls"):
        clean_name(name)


# --- gathering --------------------------------------------------------------------------------------------------------


def test_only_the_host_arranges_and_the_role_goes_on(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, players=3)
        table = resident.table
        assert table.host == 0
        for refused in (
            lambda: table.put_bot(1, 2, "steady"),
            lambda: table.begin(1),
            lambda: table.remove(1, 0),
            lambda: table.hand_on(1, 1),
        ):
            with pytest.raises(Refusal, match="Only the host"):
                refused()
        await made.change(resident, lambda table: table.put_bot(0, 2, ""))
        with pytest.raises(Refusal, match="Nobody sits at 2"):
            table.begin(0)
        with pytest.raises(Refusal, match="sits at seat 1"):
            table.put_bot(0, 1, "steady")
        await made.change(resident, lambda table: table.stand(0))
        assert table.host == 1 and table.seats[0].empty
        await made.change(resident, lambda table: table.put_bot(1, 0, "novice"))
        await made.change(resident, lambda table: table.put_bot(1, 0, ""))
        assert table.seats[0].empty

    in_a_room(tmp_path, doing)


def test_an_invitation_is_needed_unless_the_table_is_open(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        closed, code = await made.open(game="heraldry", players=2, options={})
        name = closed.table.name
        with pytest.raises(Forbidden):
            await made.join(name, "guess", "One", None, None)
        await made.join(name, code, "One", 1, None)
        with pytest.raises(Refusal, match="Seat 1 is taken"):
            await made.join(name, code, "Two", 1, None)
        with pytest.raises(Refusal, match="called ONE sits here already"):
            await made.join(name, code, "ONE", None, None)
        await made.join(name, code, "Two", None, None)
        with pytest.raises(Refusal, match="Every seat is taken"):
            await made.join(name, code, "Three", None, None)
        free, _ = await made.open(game="heraldry", players=2, options={}, is_open=True)
        assert [each["table"] for each in await made.open_ones()] == [free.table.name]
        await made.join(free.table.name, "", "Anyone", None, None)
        with pytest.raises(Missing):
            await made.find("nowhere")

    in_a_room(tmp_path, doing)


def test_a_person_may_take_the_seat_of_a_bot_before_the_start(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=2, options={}, pace=NOW)
        await made.join(resident.table.name, code, "One", None, None)
        await made.change(resident, lambda table: table.put_bot(0, 1, "thumb"))
        seat, _ = await made.join(resident.table.name, code, "Two", None, None)
        assert seat == 1 and not resident.table.seats[1].bot

    in_a_room(tmp_path, doing)


def test_a_removed_person_has_no_seat_and_no_token(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=2, options={}, pace=NOW)
        await made.join(resident.table.name, code, "One", None, None)
        _, token = await made.join(resident.table.name, code, "Two", None, None)
        await made.change(resident, lambda table: table.begin(0))
        assert resident.table.seat_of(digest(token)) == 1
        await made.change(resident, lambda table: table.remove(0, 1))
        assert resident.table.seat_of(digest(token)) == -1 and resident.table.seats[1].bot
        with pytest.raises(Refusal, match="no other person"):
            resident.table.remove(0, 1)

    in_a_room(tmp_path, doing)


# --- entropy ----------------------------------------------------------------------------------------------------------


def test_entropy_that_is_not_shown_in_time_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=2, options={}, pace=NOW)
        commitment = resident.table.commitment
        for number in range(2):
            promise = commitment_to(bytes([number]) * 32)
            await made.join(resident.table.name, code, f"Person {number}", None, promise)
        await made.change(resident, lambda table: table.begin(0))
        assert resident.table.phase == "sealing" and resident.table.commitment == commitment
        monkeypatch.setattr(room, "SHOWING_SECONDS", 0.0)
        await made.change(resident, lambda table: table.show(1, (bytes([1]) * 32).hex()))
        await until(lambda: resident.table.phase == "playing")
        assert ["started", [None, "01" * 32]] in resident.table.public

    in_a_room(tmp_path, doing)


def test_a_numbered_deal_is_the_same_for_everyone(tmp_path: Path) -> None:
    async def doing(made: Room) -> list[Any]:
        found = []
        for deal in (7, 7, 8):
            resident = await opened(made, persons=1, deal=deal)
            await made.change(resident, lambda table: table.begin(0))
            found.append(resident.table.sitting.log[:2] if resident.table.sitting else None)
        return found

    one, other, another = in_a_room(tmp_path, doing)
    assert one == other != another


# --- the clock and bots -----------------------------------------------------------------------------------------------


def test_a_bot_that_fails_is_replaced_by_the_rules_of_thumb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(made: Room) -> None:
        right = made.minds.move

        def failing(game: Any, level: str, *rest: Any) -> list[int]:
            if level == "novice":
                raise RuntimeError("a bot in trouble")
            return right(game, level, *rest)

        monkeypatch.setattr(made.minds, "move", failing)
        resident = await opened(made, persons=1)
        await made.change(resident, lambda table: table.put_bot(0, 1, "novice"))
        await made.change(resident, lambda table: table.begin(0))
        if resident.table.deciding == 0:
            await played(made, resident, 1)
        await until(lambda: resident.table.seats[1].bot == "thumb")
        assert ["failed", 1] in resident.table.public

    in_a_room(tmp_path, doing)


def test_a_bot_moves_at_the_tables_pace_whatever_it_holds(tmp_path: Path) -> None:
    async def doing(made: Room) -> list[float]:
        return await waits_of_bots(made, 8, pace=Pace(0.0, 0.3, 0.0))

    assert min(in_a_room(tmp_path, doing)) > 0.29


def test_who_leaves_is_kept_by_a_bot_and_comes_back(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made)
        await made.change(resident, lambda table: table.begin(0))
        listener = at(resident, 1)
        made.welcome(resident, listener, None)
        answer = await made.answer(resident, listener, wire.Leave(id="go"))
        assert isinstance(answer, wire.Done) and resident.table.seats[1].bot
        carry = wire.Carry(id="c", code="a code of my own making")
        assert isinstance(await made.answer(resident, listener, carry), wire.Done)
        assert not resident.table.seats[1].bot and ["back", 1] in resident.table.public

    in_a_room(tmp_path, doing)


def test_the_role_of_a_host_who_is_away_can_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, players=3, persons=3)
        people = [at(resident, seat) for seat in range(3)]
        for person in people:
            made.welcome(resident, person, None)
        refused = await made.answer(resident, people[1], wire.Claim(id="a"))
        assert isinstance(refused, wire.Refused) and "The host is here" in refused.sentence
        made.leave(resident, people[0])
        assert isinstance(await made.answer(resident, people[1], wire.Claim(id="b")), wire.Refused)
        monkeypatch.setattr(room, "HOST_SECONDS", 0.0)
        assert isinstance(await made.answer(resident, people[1], wire.Claim(id="c")), wire.Done)
        assert resident.table.host == 1
        monkeypatch.undo()
        await made.answer(resident, people[1], wire.Leave(id="d"))
        made.leave(resident, people[1])
        assert isinstance(await made.answer(resident, people[2], wire.Claim(id="e")), wire.Done), "he has said so"
        assert resident.table.host == 2

    in_a_room(tmp_path, doing)


def test_who_comes_is_told_how_much_time_is_left(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, pace=Pace(60.0, 0.0, 0.0))
        await made.change(resident, lambda table: table.begin(0))
        listener = at(resident, 0)
        made.welcome(resident, listener, None)
        assert 30.0 <= json.loads(listener.next() or b"")["left"] <= 60.0

    in_a_room(tmp_path, doing)


def test_who_says_nothing_for_long_is_let_go(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made)
        talking, silent = at(resident, 0), at(resident, 1)
        for listener in (talking, silent):
            made.welcome(resident, listener, None)
        silent.heard -= 1.1 * room.SILENT_SECONDS
        talking.heard -= 0.5 * room.SILENT_SECONDS
        made.sweep()
        assert silent.cut == "Nothing was heard of you; come back when you are there." and not talking.cut

    in_a_room(tmp_path, doing)


def test_spectators_of_a_delayed_table_are_told_later(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, pace=Pace(0.0, 0.0, 600.0))
        spectator = Listener(-1)
        made.welcome(resident, spectator, None)
        while spectator.next():
            pass
        await made.change(resident, lambda table: table.begin(0))
        await played(made, resident, 3)
        assert spectator.next() is None
        late = Listener(-1)
        made.welcome(resident, late, None)
        first = json.loads(late.next() or b"")
        assert first["news"].get("view") is None and late.next() is None
        numbers = [resident.table.rows]
        await played(made, resident, 2)
        numbers.append(resident.table.rows)
        assert spectator.next() is None and late.next() is None
        waiting = len(resident.past)
        come_due(made, resident, 1)
        await until(lambda: len(resident.past) < waiting)
        assert len(resident.past) == waiting - 1 and resident.release is not None
        come_due(made, resident, waiting - 1)
        await until(lambda: not resident.past)
        seen = [json.loads(message) for message in iter(spectator.next, None)]
        assert seen and seen[-1]["view"] is not None and seen[-1]["number"] == resident.table.rows
        assert not any(each.get("whole") for each in seen), "who was there goes on from where they were"
        joined = [json.loads(message) for message in iter(late.next, None)]
        assert joined[0]["whole"] and joined[0]["number"] == numbers[0] and joined[-1]["number"] == numbers[1]
        assert resident.release is None
        await played(made, resident)
        assert not resident.past and resident.release is None
        for listener in (spectator, late):
            last = [json.loads(message) for message in iter(listener.next, None)][-1]
            assert last["whole"] and last["view"]["over"] and last["number"] == resident.table.rows
            assert len(last["events"]) == len(resident.table.sitting.told[-1] if resident.table.sitting else [])

    in_a_room(tmp_path, doing)


def test_tables_leave_memory_and_come_back_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "IDLE_SECONDS", 0.0)

    async def doing(made: Room) -> None:
        resident = await opened(made)
        await made.change(resident, lambda table: table.begin(0))
        await played(made, resident, 5)
        name, described = resident.table.name, resident.table.described()
        told = resident.table.sitting.told if resident.table.sitting else None
        await asyncio.sleep(0.01)
        made.sweep()
        assert not made.residents
        again = await made.find(name)
        assert again is not resident and again.table.described() == described
        assert again.table.sitting and again.table.sitting.told == told
        with pytest.raises(StoreError, match="put away"):
            await made.change(resident, lambda table: None)

    in_a_room(tmp_path, doing)


# --- what must not be possible ----------------------------------------------------------------------------------------


def test_who_lost_a_seat_hears_nothing_more_of_it(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=2, options={}, pace=NOW)
        name = resident.table.name
        await made.join(name, code, "Host", None, None)
        _, token = await made.join(name, code, "Mallory", None, None)
        _, mallory = await made.come_in(name, token, None)
        code_of_mallory = "a code of Mallory's own making"
        answer = await made.answer(resident, mallory, wire.Carry(id="c", code=code_of_mallory))
        assert isinstance(answer, wire.Done)
        await made.change(resident, lambda table: table.remove(0, 1))
        assert mallory.cut
        await made.join(name, code, "Victim", None, None)
        await made.change(resident, lambda table: table.begin(0))
        waiting = b"".join(mallory.waiting)
        assert b"hand" not in waiting
        refused = await made.answer(resident, mallory, wire.Act(id="a", number=10**6, move=[0]))
        assert isinstance(refused, wire.Refused) and "not yours any more" in refused.sentence
        with pytest.raises(Refusal, match="was used already"):
            await made.carry(name, code_of_mallory)
        with pytest.raises(Forbidden):
            await made.come_in(name, token, None)

    in_a_room(tmp_path, doing)


def test_what_is_not_stored_yet_is_told_to_nobody(tmp_path: Path) -> None:
    """Whoever comes in, asks for the table or its record while rows are on their way waits until they are safe."""

    async def doing(made: Room) -> None:
        resident = await opened(made)
        await made.change(resident, lambda table: table.begin(0))
        luck = random.Random(1)
        held = asyncio.Event()
        right = made.stored

        async def slowly(table: Table, rows: list[rows.Row]) -> None:
            await held.wait()
            await right(table, rows)

        made.stored = slowly  # type: ignore[method-assign]
        steps = any_move(resident.table, luck)
        moving = asyncio.create_task(made.change(resident, lambda table: table.act(table.deciding, steps)))
        await asyncio.sleep(0.01)
        asking = [
            asyncio.create_task(made.come_in(resident.table.name, None, None)),
            asyncio.create_task(made.described(resident.table.name)),
            asyncio.create_task(made.record(resident.table.name)),
        ]
        await asyncio.sleep(0.05)
        early = [task for task in asking if task.done()]
        held.set()
        assert not early
        await moving
        await asyncio.gather(*asking, return_exceptions=True)

    in_a_room(tmp_path, doing)


def test_what_could_not_be_stored_is_told_to_nobody_who_waited(tmp_path: Path) -> None:
    """The last move of a sitting cannot be stored: its record, with all hands and the secret, must not be had."""

    async def doing(made: Room) -> None:
        resident = await opened(made)
        name = resident.table.name
        await made.change(resident, lambda table: table.begin(0))
        luck = random.Random(1)
        while True:
            steps = any_move(resident.table, luck)
            trial = Table.load(name, resident.table.secret, made.store.table(name)[1])  # type: ignore[index]
            trial.act(trial.deciding, steps)
            if trial.phase == "over":
                break
            await made.change(resident, lambda table, steps=steps: table.act(table.deciding, steps))
        held = asyncio.Event()

        async def in_vain(table: Table, rows: list[rows.Row]) -> None:
            await held.wait()
            raise StoreError("The disk is full.")

        right, made.stored = made.stored, in_vain  # type: ignore[method-assign]
        moving = asyncio.create_task(made.change(resident, lambda table: table.act(table.deciding, steps)))
        await asyncio.sleep(0.01)
        listener = at(resident, 0)
        asking = [
            asyncio.create_task(work)
            for work in (
                made.come_in(name, None, None),
                made.described(name),
                made.record(name),
                made.track_beliefs(resident, listener, wire.Follow(id="f", prefix=[])),
                made.track_beliefs(resident, listener, wire.Hint(id="h")),
                made.track_beliefs(resident, listener, wire.Rematch(id="r")),
            )
        ]
        await asyncio.sleep(0.01)
        held.set()
        found = await asyncio.gather(moving, *asking, return_exceptions=True)
        assert all(isinstance(each, StoreError) for each in found), found
        made.stored = right  # type: ignore[method-assign]
        assert (await made.described(name))["phase"] == "playing"
        with pytest.raises(Refusal, match="not over yet"):
            await made.record(name)

    in_a_room(tmp_path, doing)


def test_too_much_cannot_happen_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(made: Room) -> None:
        for option in ({"games": 21}, {"round_limit": 201}):
            with pytest.raises(Refusal, match="At a table"):
                await made.open(game="sovereign", players=3, options=option)
        resident = await opened(made, persons=1)
        monkeypatch.setattr(room, "MOST_ROWS", resident.table.rows)
        await made.change(resident, lambda table: table.put_bot(0, 1, "steady"))
        with pytest.raises(Refusal, match="Too much has happened"):
            await made.change(resident, lambda table: table.put_bot(0, 1, "thumb"))

    in_a_room(tmp_path, doing)


def test_bots_that_need_not_wait_leave_the_others_their_time(tmp_path: Path) -> None:
    async def doing(made: Room) -> list[float]:
        made.hasty_moves = Bucket(0.001, 5)
        return await waits_of_bots(made, 8)

    waits = in_a_room(tmp_path, doing)
    assert min(waits[:5]) < room.LEAST_PACE and min(waits[5:]) > 0.99 * room.LEAST_PACE


def test_who_plays_alone_can_hasten_the_bots(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, "lost-heir", 4, persons=1, pace=Pace(0.0, 600.0, 0.0))
        await made.change(resident, lambda table: table.begin(0))
        listener = at(resident, 0)
        made.welcome(resident, listener, None)
        for on in (True, False):
            answer = await made.answer(resident, listener, wire.Hasten(id=f"h{on}", on=on))
            assert isinstance(answer, wire.Done) and resident.hastened == on
        await made.answer(resident, listener, wire.Hasten(id="again", on=True))
        if resident.table.deciding == 0:
            await played(made, resident, 1)
        await until(lambda: resident.table.deciding == 0)  # three bots have moved, and did not take ten minutes each

    in_a_room(tmp_path, doing)


def test_bots_are_not_hastened_where_others_play(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made, "lost-heir", 4, persons=2)
        await made.change(resident, lambda table: table.begin(0))
        refused = await made.answer(resident, at(resident, 0), wire.Hasten(id="h", on=True))
        assert isinstance(refused, wire.Refused) and not resident.hastened

    in_a_room(tmp_path, doing)


def test_a_numbered_deal_is_played_alone(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        with pytest.raises(Refusal, match="one person alone"):
            await made.open(game="heraldry", players=2, options={}, deal=7, is_open=True)
        resident, code = await made.open(game="heraldry", players=2, options={}, deal=7)
        with pytest.raises(Refusal, match="knows the cards"):
            await made.join(resident.table.name, code, "One", None, commitment_to(bytes(32)))
        await made.join(resident.table.name, code, "One", None, None)
        with pytest.raises(Refusal, match="one person alone"):
            await made.join(resident.table.name, code, "Two", None, None)

    in_a_room(tmp_path, doing)


def test_a_refused_request_of_a_kept_seat_hurts_nobody(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made)
        await made.change(resident, lambda table: table.begin(0))
        people = [at(resident, seat) for seat in range(2)]
        for listener in people:
            made.welcome(resident, listener, None)
        away = people[1 - resident.table.deciding]
        await made.answer(resident, away, wire.Leave(id="go"))
        refused = await made.answer(resident, away, wire.Act(id="x", number=10**6, move=[0]))
        assert isinstance(refused, wire.Refused)
        assert not resident.dropped and not any(listener.cut or listener.ending for listener in people)
        assert not resident.table.seats[away.seat].bot, "who asks for something is back"

    in_a_room(tmp_path, doing)


def test_a_rematch_works_wherever_people_sit_and_once(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=3, options={}, pace=NOW)
        await made.join(resident.table.name, code, "One", 1, None)
        await made.join(resident.table.name, code, "Two", 2, None)
        await made.change(resident, lambda table: table.put_bot(1, 0, "thumb"))
        await made.change(resident, lambda table: table.begin(1))
        await played(made, resident)
        host = at(resident, 1)
        made.welcome(resident, host, None)
        asked = wire.Rematch(id="again")
        answers = await asyncio.gather(*(made.answer(resident, host, asked) for _ in range(3)))
        assert sum(isinstance(answer, wire.Done) for answer in answers) == 1
        assert isinstance(await made.answer(resident, host, asked), wire.Done)
        fresh = await made.find(resident.table.rematch)
        assert [seat.name for seat in fresh.table.seats] == ["", "One", "Two"] and fresh.table.host == 1
        await made.change(fresh, lambda table: table.stand(2))
        assert (await made.join(fresh.table.name, code, "Three"))[0] == 2, "by the code of the table before"

    in_a_room(tmp_path, doing)


def test_rows_for_a_table_that_is_gone_bring_no_part_of_it_back(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident = await opened(made)
        await asyncio.wrap_future(made.store.delete([resident.table.name]))
        with pytest.raises(StoreError, match="deleted"):
            await made.change(resident, lambda table: table.begin(0))

    in_a_room(tmp_path, doing)
    assert not list(logs(tmp_path / FILE))


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_what_is_kept_no_longer_is_deleted(tmp_path: Path) -> None:
    now = [1e9]

    async def doing(made: Room) -> None:
        gathering = await opened(made)
        over = await opened(made)
        await made.change(over, lambda table: table.begin(0))
        await played(made, over)
        assert await made.clear_out() == 0
        now[0] += 3 * 86400
        assert await made.clear_out() == 1
        with pytest.raises(Missing):
            await made.find(gathering.table.name)
        assert (await made.find(over.table.name)).table.phase == "over"
        now[0] += 400 * 86400
        assert await made.clear_out() == 1

    in_a_room(tmp_path, doing, clock=lambda: now[0])
    assert not list(logs(tmp_path / FILE))


def test_the_host_deletes_a_table(tmp_path: Path) -> None:
    async def doing(made: Room) -> None:
        resident, code = await made.open(game="heraldry", players=2, options={})
        _, token = await made.join(resident.table.name, code, "One", None, None)
        _, other = await made.join(resident.table.name, code, "Two", None, None)
        with pytest.raises(Forbidden):
            await made.delete(resident.table.name, other)
        await made.delete(resident.table.name, token)
        with pytest.raises(Missing):
            await made.find(resident.table.name)

    in_a_room(tmp_path, doing)


def some_tables(path: Path) -> None:
    async def doing(made: Room) -> None:
        for moves in (0, 4, 10**6):
            resident = await opened(made)
            await made.change(resident, lambda table: table.begin(0))
            await played(made, resident, moves)

    in_a_room(path, doing)


def test_copies_and_audits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    some_tables(tmp_path / "data")
    data = ["--data", str(tmp_path / "data")]
    assert main(["audit", *data]) == 0
    assert "3 tables, 0 damaged" in capsys.readouterr().out
    copy = tmp_path / "copy"
    assert main(["backup", str(copy), *data]) == 0
    assert main(["backup", str(copy), *data]) == 2
    some_tables(tmp_path / "data")
    assert main(["restore", str(copy), *data]) == 0
    assert "What was there before is in" in capsys.readouterr().out
    assert audit(tmp_path / "data" / FILE, print) == (3, 0)
    walking = logs(tmp_path / "data" / FILE)  # while it is read, another table comes, and one goes
    first = next(walking)[0].name
    with sqlite3.connect(tmp_path / "data" / FILE) as connection:
        connection.execute("DELETE FROM tables WHERE key = (SELECT max(key) FROM tables)")
        connection.execute("UPDATE log SET entry = '[' WHERE number = 1")
    connection.close()
    assert [(kept.name == first, rows) for kept, rows in walking] == [(False, [])], "one that cannot be read is left"
    assert main(["restore", str(copy), *data]) == 0
    with pytest.raises(StoreError):
        backup(tmp_path / "nowhere", tmp_path / "other")
    (tmp_path / "nonsense").write_bytes(b"nonsense" * 1000)
    with pytest.raises(Exception, match="not a database"):
        restore(tmp_path / "data", tmp_path / "nonsense")
    assert audit(tmp_path / "data" / FILE, print) == (3, 0)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE log SET entry = replace(entry, '\"discard\"', '\"capture\"')",
        "UPDATE log SET entry = replace(entry, ',', ',0,') WHERE number = 9",
        "UPDATE log SET head = zeroblob(32) WHERE number = 12",
        "DELETE FROM log WHERE number = 11",
        "UPDATE log SET entry = '[]' WHERE number = 8",
        "UPDATE tables SET secret = zeroblob(32)",
        "UPDATE tables SET phase = 'gathering'",
    ],
)
def test_an_audit_finds_what_was_touched(tmp_path: Path, change: str) -> None:
    some_tables(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(change)
    connection.close()
    said: list[str] = []
    assert audit(tmp_path / FILE, said.append)[1] > 0 and said


def test_newer_data_is_refused_and_older_is_migrated_with_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parlour.server import store

    path = tmp_path / FILE
    SqliteStore(path).close()
    monkeypatch.setattr(store, "SCHEMA", 2)
    monkeypatch.setattr(store, "MIGRATIONS", {1: "ALTER TABLE tables ADD COLUMN extra TEXT"})
    SqliteStore(path).close()
    assert (tmp_path / f"{FILE}.schema-1").exists()
    monkeypatch.undo()
    with pytest.raises(StoreError, match="newer parlour"):
        SqliteStore(path)


def test_two_servers_do_not_share_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(tmp_path / "data"):
        assert main(["serve", "--port", "0", "--data", str(tmp_path / "data")]) == 2
        assert "Another server is using" in capsys.readouterr().err


def test_a_network_address_is_shown_as_a_picture_too(capsys: pytest.CaptureFixture[str]) -> None:
    announce("0.0.0.0", 8500)
    shown = capsys.readouterr().out
    assert "http://" in shown and len(shown.splitlines()) > 10
    announce("127.0.0.1", 8500)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_rows_of_a_batch_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / FILE)
    kept = Kept("t", bytes(32), "gathering", False, False, 0)
    store.append(Batch(kept, [rows.Row(0, ["a"]), rows.Row(1, ["b"])])).result()
    with pytest.raises(StoreError):
        store.append(Batch(kept, [rows.Row(2, ["c"]), rows.Row(1, ["d"])])).result()
    found = store.table("t")
    assert found and [row.entry for row in found[1]] == [["a"], ["b"]]
    store.close()


# --- deals as seen through the API ------------------------------------------------------------------------------------


def uniform(server: Server, deals: int) -> None:
    """Which seat a card is dealt to, and which places it is dealt to there: χ² over all of them."""
    seats: Counter[tuple[str, int]] = Counter()
    for _ in range(deals):
        name, tokens = server.open("lost-heir", 4, persons=4)
        for seat, token in enumerate(tokens):
            with Person(server, name, token) as person:
                for card in person.news["view"]["hand"]:
                    seats[card, seat] += 1
    cards = {card for card, _ in seats}
    assert len(cards) == 48
    expected = deals / 4
    square = sum((seats[card, seat] - expected) ** 2 / expected for card in cards for seat in range(4))
    # 48 cards in four seats of twelve: 47 × 3 degrees of freedom, its mean a little more for hands of a fixed size
    degrees = 47 * 3 * 48 / 47
    assert abs(square - degrees) < 5 * (2 * degrees) ** 0.5, square


def test_deals_are_uniform_as_seen_through_the_api(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        uniform(server, 40)


@pytest.mark.long
def test_many_deals_are_uniform_as_seen_through_the_api(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        uniform(server, 2000)
