"""A person who is away holds nobody up: the others see it, and may let a bot play until that person is back."""

from __future__ import annotations

import base64
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from parlour.server import live_table
from parlour.server import messages as wire
from parlour.server.lobby import STAND_IN
from parlour.server.protocols import PROTOCOLS
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.table import Table
from support.rooms import in_a_room, started
from support.server import Person, Server, at
from support.wait import WAIT


class Company:
    """Three people at a started table, of whom the one whose turn it is leaves."""

    def __init__(self, room: Room, live: live_table.LiveTable) -> None:
        self.room, self.live = room, live
        self.people = [at(live, seat) for seat in range(3)]
        for person in self.people:
            live.welcome(person)
        self.turn = live.table.deciding
        self.one, self.other = (seat for seat in range(3) if seat != self.turn)

    @property
    def kept(self) -> list[Any]:
        return [entry for entry in self.live.table.log.public if entry[0] == "kept"]

    async def ask(self, seat: int, asked: Any) -> Any:
        return await Requests(self.room, self.live, self.people[seat]).answer(asked)

    async def refused(self, seat: int, covered: int) -> str:
        """Why a person may not let a bot play for another; it must change nothing."""
        size = self.live.table.size
        answer = await self.ask(seat, wire.Cover(id=f"refused {size}", seat=covered))
        assert isinstance(answer, wire.Refused) and self.live.table.size == size, answer
        return answer.sentence


async def company(room: Room) -> Company:
    return Company(room, await started(room, "heraldry", 3, persons=3))


def test_a_connected_person_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def doing(room: Room) -> None:
        at_table = await company(room)
        assert "is here" in await at_table.refused(at_table.one, at_table.turn)
        at_table.live.leave(at_table.people[at_table.turn])
        assert "less than 20 seconds ago" in await at_table.refused(at_table.one, at_table.turn)
        monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
        at_table.live.welcome(at_table.people[at_table.turn])
        assert "is here" in await at_table.refused(at_table.one, at_table.turn)
        assert at_table.kept == []

    in_a_room(tmp_path, doing)


def test_anyone_at_the_table_lets_a_bot_play_for_a_person_who_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)

    async def doing(room: Room) -> None:
        at_table = await company(room)
        live, turn = at_table.live, at_table.turn
        live.leave(at_table.people[turn])
        done = await at_table.ask(at_table.one, wire.Cover(id="a", seat=turn))
        assert isinstance(done, wire.Done)
        assert await at_table.ask(at_table.one, wire.Cover(id="a", seat=turn)) == done, "it is done once"
        assert isinstance(await at_table.ask(at_table.other, wire.Cover(id="b", seat=turn)), wire.Done)
        assert at_table.kept == [["kept", turn, STAND_IN, "away"]]
        stored = room.services.store.table(live.table.name)
        assert stored is not None and Table.load(live.table.name, live.table.secret, stored[-1]).lobby.seats[turn].bot
        live.welcome(at_table.people[turn])
        assert isinstance(await at_table.ask(turn, wire.Back(id="c")), wire.Done)
        assert not live.table.lobby.seats[turn].bot

    in_a_room(tmp_path, doing)


def test_a_bot_plays_only_for_a_person_for_whom_the_others_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)

    async def doing(room: Room) -> None:
        at_table = await company(room)
        live = at_table.live
        live.leave(at_table.people[at_table.other])
        assert "not the turn" in await at_table.refused(at_table.one, at_table.other)
        assert "The seats are" in await at_table.refused(at_table.one, 51)
        answer = await Requests(room, live, at(live, -1)).answer(wire.Cover(id="a", seat=at_table.turn))
        assert isinstance(answer, wire.Refused), "a spectator is at the table, and does not play"
        await live.change(lambda table: table.lobby.claim_host(at_table.one))
        await live.change(lambda table: table.lobby.remove(at_table.one, at_table.other))
        assert "no person" in await at_table.refused(at_table.one, at_table.other)

    in_a_room(tmp_path, doing)


def test_a_person_out_of_spare_rows_can_still_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can stop a table by having arranged too much; coming back waits until more has been played."""
    monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)

    async def doing(room: Room) -> None:
        at_table = await company(room)
        for seat in at_table.live.table.lobby.seats:
            seat.spent = 10**6
        at_table.live.leave(at_table.people[at_table.turn])
        asked = wire.Cover(id="a", seat=at_table.turn)
        assert isinstance(await at_table.ask(at_table.one, asked), wire.Done)
        assert isinstance(await at_table.ask(at_table.turn, wire.Back(id="b")), wire.Refused)

    in_a_room(tmp_path, doing)


def test_the_welcome_says_for_how_long_people_have_been_away(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        at_table = await company(room)
        live, turn = at_table.live, at_table.turn
        live.leave(at_table.people[turn])
        live._last_seen[turn] -= 32.0
        for protocol in PROTOCOLS.values():
            comes = at(live, at_table.one, protocol)
            live.welcome(comes)
            welcome = json.loads(comes.next() or b"")
            assert welcome.get("away") == ({str(turn): 32} if protocol.number == 2 else None)
        back = at(live, turn)
        live.welcome(back)
        assert b'"away"' not in (back.next() or b"")

    in_a_room(tmp_path, doing)


@pytest.mark.long
def test_others_see_that_the_line_of_a_person_is_dead(server: Server) -> None:
    """A client whose connection stays open and answers nothing is away after some pings."""
    name, tokens = server.open("heraldry", 2, persons=2)
    with Person(server, name, tokens[0]) as person, socket.create_connection(("127.0.0.1", server.port), WAIT) as dead:
        key = base64.b64encode(os.urandom(16)).decode()
        asked = ["GET /api/socket HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket"]
        asked += ["Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        dead.sendall("\r\n".join(asked).encode())
        assert b"101" in dead.recv(4096)
        hello = json.dumps({"kind": "hello", "protocol": 2, "table": name, "token": tokens[1]}).encode()
        dead.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # one short text frame, masked with zeros
        person.until(lambda _: person.here == [0, 1])
        person.until(lambda _: person.here == [0])
