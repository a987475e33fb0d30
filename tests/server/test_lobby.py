"""The lobby: seats, invitations, the host, promised entropy, devices and rematches."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Refusal
from parlour.players.bots import BOTS
from parlour.records.seal import commitment_to
from parlour.server import live_table, rows
from parlour.server import messages as wire
from parlour.server.lobby import digest
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.series import Forbidden, Missing
from parlour.server.table import Table
from support.rooms import NOW, in_a_room, opened, play, started, until
from support.server import at

# --- names ------------------------------------------------------------------------------------------------------------


def test_entries_of_records_and_of_tables_have_different_names() -> None:
    for name in parlour.GAMES:
        assert not rows.KINDS & set(parlour.game(name).kinds)


def test_bots_that_run_programs_or_see_all_hands_get_no_seat() -> None:
    assert not {"oracle", "exec:x", "search:9"} & set(BOTS)
    table = Table.open("t", bytes(32), game="heraldry", players=2, options={}, invite=b"", opened="")
    table.lobby.sit("One", digest("a"))
    for level in ("oracle", "exec:rm", "search:10", "nobody"):
        with pytest.raises(Refusal, match="Bots here are"):
            table.lobby.put_bot(0, 1, level)


# --- gathering --------------------------------------------------------------------------------------------------------


def test_only_the_host_arranges_the_table_and_someone_always_is_the_host(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, players=3)
        table, lobby = live.table, live.table.lobby
        assert lobby.host == 0
        for refused in (
            lambda: lobby.put_bot(1, 2, "steady"),
            lambda: table.begin(1),
            lambda: lobby.remove(1, 0),
            lambda: lobby.hand_on(1, 1),
        ):
            with pytest.raises(Refusal, match="Only the host"):
                refused()
        await live.change(lambda table: table.lobby.put_bot(0, 2, ""))
        with pytest.raises(Refusal, match="Nobody sits at 2"):
            table.begin(0)
        with pytest.raises(Refusal, match="sits at seat 1"):
            lobby.put_bot(0, 1, "steady")
        await live.change(lambda table: table.lobby.stand(0))
        assert lobby.host == 1 and lobby.seats[0].empty
        await live.change(lambda table: table.lobby.put_bot(1, 0, "novice"))
        await live.change(lambda table: table.lobby.put_bot(1, 0, ""))
        assert lobby.seats[0].empty

    in_a_room(tmp_path, doing)


def test_an_invitation_is_needed_unless_the_table_is_open(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        closed, code = await room.open(game="heraldry", players=2, options={})
        name = closed.table.name
        with pytest.raises(Forbidden):
            await room.join(name, "guess", "One")
        await room.join(name, code, "One", 1)
        with pytest.raises(Refusal, match="Seat 1 is taken"):
            await room.join(name, code, "Two", 1)
        with pytest.raises(Refusal, match="looks like ONE sits here already"):
            await room.join(name, code, "ONE")
        await room.join(name, code, "Two")
        with pytest.raises(Refusal, match="Every seat is taken"):
            await room.join(name, code, "Three")
        free, _ = await room.open(game="heraldry", players=2, options={}, is_open=True)
        assert [each["table"] for each in await room.open_tables()] == [free.table.name]
        await room.join(free.table.name, "", "Anyone")
        with pytest.raises(Missing):
            await room.find("nowhere")

    in_a_room(tmp_path, doing)


def test_a_person_may_take_the_seat_of_a_bot_before_the_start(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=2, options={}, pace=NOW)
        await room.join(live.table.name, code, "One")
        await live.change(lambda table: table.lobby.put_bot(0, 1, "thumb"))
        seat, _ = await room.join(live.table.name, code, "Two")
        assert seat == 1 and not live.table.lobby.seats[1].bot

    in_a_room(tmp_path, doing)


def test_a_removed_person_has_no_seat_and_no_token(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=2, options={}, pace=NOW)
        await room.join(live.table.name, code, "One")
        _, token = await room.join(live.table.name, code, "Two")
        await live.change(lambda table: table.begin(0))
        lobby = live.table.lobby
        assert lobby.seat_of(digest(token)) == 1
        await live.change(lambda table: table.lobby.remove(0, 1))
        assert lobby.seat_of(digest(token)) == -1 and lobby.seats[1].bot
        with pytest.raises(Refusal, match="no other person"):
            lobby.remove(0, 1)

    in_a_room(tmp_path, doing)


def test_a_person_who_lost_a_seat_hears_nothing_more_of_it(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=2, options={}, pace=NOW)
        name = live.table.name
        await room.join(name, code, "Host")
        _, token = await room.join(name, code, "Mallory")
        _, mallory = await room.come_in(name, token, None)
        code_of_mallory = "a code of Mallory's own making"
        answer = await Requests(room, live, mallory).answer(wire.Carry(id="c", code=code_of_mallory))
        assert isinstance(answer, wire.Done)
        await live.change(lambda table: table.lobby.remove(0, 1))
        assert mallory.cut
        await room.join(name, code, "Victim")
        await live.change(lambda table: table.begin(0))
        waiting = b"".join(mallory.waiting)
        assert b"hand" not in waiting
        refused = await Requests(room, live, mallory).answer(wire.Act(id="a", number=10**6, move=[0]))
        assert isinstance(refused, wire.Refused) and "not yours any more" in refused.sentence
        with pytest.raises(Refusal, match="was used already"):
            await room.carry(name, code_of_mallory)
        with pytest.raises(Forbidden):
            await room.come_in(name, token, None)

    in_a_room(tmp_path, doing)


def test_another_person_can_become_host_while_the_host_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, players=3, persons=3)
        people = [at(live, seat) for seat in range(3)]
        asking = [Requests(room, live, person) for person in people]
        for person in people:
            live.welcome(person)
        refused = await asking[1].answer(wire.Claim(id="a"))
        assert isinstance(refused, wire.Refused) and "The host is here" in refused.sentence
        live.leave(people[0])
        assert isinstance(await asking[1].answer(wire.Claim(id="b")), wire.Refused)
        monkeypatch.setattr(live_table, "HOST_SECONDS", 0.0)
        assert isinstance(await asking[1].answer(wire.Claim(id="c")), wire.Done)
        assert live.table.lobby.host == 1
        monkeypatch.undo()
        await asking[1].answer(wire.Leave(id="d"))
        live.leave(people[1])
        assert isinstance(await asking[2].answer(wire.Claim(id="e")), wire.Done), "the host has said so"
        assert live.table.lobby.host == 2

    in_a_room(tmp_path, doing)


# --- entropy and numbered deals ---------------------------------------------------------------------------------------


def test_entropy_that_is_not_shown_in_time_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=2, options={}, pace=NOW)
        table = live.table
        commitment = table.settings.commitment
        for number in range(2):
            promise = commitment_to(bytes([number]) * 32)
            await room.join(table.name, code, f"Person {number}", None, promise)
        await live.change(lambda table: table.begin(0))
        assert table.phase == "sealing" and table.settings.commitment == commitment
        monkeypatch.setattr(live_table, "SHOWING_SECONDS", 0.0)
        await live.change(lambda table: table.show(1, (bytes([1]) * 32).hex()))
        await until(lambda: table.phase == "playing", "the time for entropy had passed")
        assert ["started", [None, "01" * 32]] in table.log.public

    in_a_room(tmp_path, doing)


def test_a_numbered_deal_is_the_same_for_everyone(tmp_path: Path) -> None:
    async def doing(room: Room) -> list[Any]:
        return [(await started(room, persons=1, deal=deal)).table.begun().sitting.log[:2] for deal in (7, 7, 8)]

    one, other, another = in_a_room(tmp_path, doing)
    assert one == other != another


def test_a_numbered_deal_is_played_alone(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        with pytest.raises(Refusal, match="one person alone"):
            await room.open(game="heraldry", players=2, options={}, deal=7, is_open=True)
        live, code = await room.open(game="heraldry", players=2, options={}, deal=7)
        with pytest.raises(Refusal, match="may know the cards"):
            await room.join(live.table.name, code, "One", None, commitment_to(bytes(32)))
        await room.join(live.table.name, code, "One")
        with pytest.raises(Refusal, match="one person alone"):
            await room.join(live.table.name, code, "Two")

    in_a_room(tmp_path, doing)


def test_sittings_that_would_be_too_long_are_refused(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        limits = {
            "masquerade": {"games": 20},
            "lost-heir": {"deal_limit": 200},
            "sovereign": {"games": 33, "round_limit": 200, "stake": 100},
            "tontine": {"stake": 100},
        }
        for game, options in limits.items():
            for name, most in options.items():
                with pytest.raises(Refusal, match=f"At a table {name} is {most} at most"):
                    await room.open(game=game, players=4, options={name: most + 1})
                await room.open(game=game, players=4, options={name: most})

    in_a_room(tmp_path, doing)


# --- afterwards -------------------------------------------------------------------------------------------------------


def test_a_rematch_works_wherever_people_sit_and_once(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=3, options={}, pace=NOW)
        await room.join(live.table.name, code, "One", 1)
        await room.join(live.table.name, code, "Two", 2)
        await live.change(lambda table: table.lobby.put_bot(1, 0, "thumb"))
        await live.change(lambda table: table.begin(1))
        await play(live)
        host = at(live, 1)
        live.welcome(host)
        requests, asked = Requests(room, live, host), wire.Rematch(id="again")
        answers = await asyncio.gather(*(requests.answer(asked) for _ in range(3)))
        assert sum(isinstance(answer, wire.Done) for answer in answers) == 1
        assert isinstance(await requests.answer(asked), wire.Done)
        fresh = await room.find(live.table.rematch)
        lobby = fresh.table.lobby
        assert [seat.name for seat in lobby.seats] == ["", "One", "Two"] and lobby.host == 1
        await fresh.change(lambda table: table.lobby.stand(2))
        assert (await room.join(fresh.table.name, code, "Three"))[0] == 2, "by the code of the first table"

    in_a_room(tmp_path, doing)


def test_a_device_that_loses_the_seat_while_a_rematch_is_made_asks_for_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the simulation found (seed 2458): the seat was checked before the new table was made, and not after."""
    made = Requests._same_again

    async def doing(room: Room) -> None:
        live = await started(room, players=2, persons=1)
        await play(live)
        listener = at(live, 0)
        live.welcome(listener)

        async def meanwhile(requests: Requests) -> str:
            await live.change(lambda table: table.lobby.keep_one_device(0, b"another device"))
            return await made(requests)

        monkeypatch.setattr(Requests, "_same_again", meanwhile)
        answer = await Requests(room, live, listener).answer(wire.Rematch(id="again"))
        assert isinstance(answer, wire.Refused) and "not yours any more" in str(answer.sentence)
        assert not live.table.rematch and not live.rematching

    in_a_room(tmp_path, doing)


def test_the_host_deletes_a_table(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=2, options={})
        _, token = await room.join(live.table.name, code, "One")
        _, other = await room.join(live.table.name, code, "Two")
        with pytest.raises(Forbidden):
            await room.delete(live.table.name, other)
        await room.delete(live.table.name, token)
        with pytest.raises(Missing):
            await room.find(live.table.name)

    in_a_room(tmp_path, doing)
