"""Nothing is lost: servers that are killed, power cuts, full and failing disks."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from parlour.server import messages as wire
from parlour.server.admin import audit
from parlour.server.data import FILE
from parlour.server.live_table import LiveTable
from parlour.server.lobby import digest
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.sqlite import SqliteStore, logs
from parlour.server.store import StoreError
from parlour.server.table import Table
from support.disk import Disk
from support.rooms import any_move, started, until
from support.server import WAIT, Person, Server, at

# --- a server that is killed ------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Stubborn(threading.Thread):
    """A person who plays on through every crash, sends again what was not answered, and forgets nothing."""

    def __init__(self, server: Server, table: str, token: str) -> None:
        super().__init__(daemon=True)
        self.server, self.table, self.token = server, table, token
        self.over = threading.Event()
        self.told: list[Any] = []  # entries, as they were told
        self.done: dict[str, int] = {}
        self.number: int | None = None
        self.pending: tuple[str, int, list[int]] | None = None
        self.wrong: list[str] = []
        self.count = 0

    def run(self) -> None:
        while not self.over.is_set():
            try:
                with Person(self.server, self.table, self.token, last=self.number) as person:
                    self.play(person)
            except (OSError, WebSocketException, TimeoutError, AssertionError):
                time.sleep(0.02)

    def hear(self, person: Person, whole: bool) -> None:
        entries = [event["entry"] for event in person.events]
        if whole and entries[: len(self.told)] != self.told:
            self.wrong.append("what was told has changed")
        self.told = entries if whole else self.told + entries
        person.events = []
        self.number = person.number

    def play(self, person: Person) -> None:
        self.hear(person, bool(person.news.get("whole")))
        while not self.over.is_set():
            if self.pending is None:
                if not person.turn():
                    self.over.set()
                self.hear(person, False)
                if self.over.is_set():
                    return
                self.count += 1
                self.pending = (f"act {self.count}", person.number, person.move())
            name, number, move = self.pending
            answer = person.request("act", id=name, number=number, move=move)
            self.hear(person, False)
            if answer["kind"] == "done":
                if self.done.get(name, answer["number"]) != answer["number"]:
                    self.wrong.append(f"{name} was done twice")
                self.done[name] = answer["number"]
            elif answer["kind"] != "stale":
                continue
            self.pending = None


def check_nothing_lost(data: Path, people: list[Stubborn]) -> None:
    """Everything acknowledged and everything told is in the log."""
    stored = {summary.name: (summary.secret, rows) for summary, rows in logs(data / FILE)}
    for person in people:
        assert not person.wrong, person.wrong
        secret, rows = stored[person.table]
        table = Table.load(person.table, secret, rows)
        assert table.sitting is not None
        told = [json.loads(json.dumps(entry)) for entry in table.sitting.told[0]]
        assert told[: len(person.told)] == person.told
        for number in list(person.done.values()):
            assert rows[number].action is not None


def acknowledged(people: list[Stubborn]) -> int:
    return sum(len(person.done) for person in people)


def wait_for_moves(people: list[Stubborn], number: int) -> None:
    """Wait until so many moves were acknowledged, or all sittings are over."""
    end = time.monotonic() + WAIT
    while acknowledged(people) < number and not all(person.over.is_set() for person in people):
        assert time.monotonic() < end, f"waited {WAIT:.0f} seconds in vain for {number} moves"
        time.sleep(0.005)


def kills(tmp_path: Path, number: int) -> None:
    luck = random.Random(7)
    data = tmp_path / "data"
    with Server(data, "--host", "127.0.0.1") as server:
        server.fixed = free_port()
        server.kill()
        server.start()
        people: list[Stubborn] = []
        killed = 0
        while killed < number:
            while sum(not person.over.is_set() for person in people) < 4:
                game, players = luck.choice([("lost-heir", 4), ("heraldry", 2), ("masquerade", 4), ("sovereign", 3)])
                name, tokens = server.open(game, players)
                people.append(Stubborn(server, name, tokens[0]))
                people[-1].start()
            wait_for_moves(people, acknowledged(people) + luck.randrange(1, 30))
            time.sleep(luck.uniform(0.0, 0.05))
            playing = [person for person in people if not person.over.is_set()]
            server.kill()
            killed += 1
            check_nothing_lost(data, playing)
            server.start()
        for person in people:
            person.over.set()
        for person in people:
            person.join(20)
        check_nothing_lost(data, people)
        assert acknowledged(people) > number
    assert audit(data / FILE, print)[1] == 0


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    kills(tmp_path, 4)


@pytest.mark.long
def test_a_server_killed_three_hundred_times_loses_nothing(tmp_path: Path) -> None:
    kills(tmp_path, 300)


# --- a disk that fails ------------------------------------------------------------------------------------------------


class Sitter:
    """A person at a table in this process, without a socket."""

    def __init__(self, room: Room, live: LiveTable, seat: int) -> None:
        self.room, self.live = room, live
        self.listener = at(live, seat)
        live.welcome(self.listener)
        self.told: list[Any] = []
        self.done: list[int] = []
        self.count = 0
        self.hear()

    def hear(self) -> None:
        while (message := self.listener.next()) is not None:
            news = json.loads(message)
            news = news.get("news", news)
            self.told += [event["entry"] for event in news.get("events", [])]

    async def act(self, luck: random.Random) -> str:
        """Make any move; the kind of the answer."""
        table = self.live.table
        steps = any_move(table, luck)
        self.count += 1
        asked = wire.Act(id=f"{id(self)} {self.count}", number=table.size, move=list(steps))
        answer = await Requests(self.room, self.live, self.listener).answer(asked)
        self.hear()
        if isinstance(answer, wire.Done):
            self.done.append(answer.number)
        return type(answer).__name__


async def seated(room: Room, game: str, players: int) -> list[Sitter]:
    """A table full of people, who have started."""
    live = await started(room, game, players, persons=players)
    return [Sitter(room, live, seat) for seat in range(players)]


def stored(path: Path) -> dict[str, Table]:
    return {summary.name: Table.load(summary.name, summary.secret, rows) for summary, rows in logs(path)}


def check_told(path: Path, tables: list[list[Sitter]]) -> None:
    found = stored(path)
    for people in tables:
        table = found[people[0].live.table.name]
        for person in people:
            assert table.sitting is not None
            told = json.loads(json.dumps(table.sitting.told[person.listener.seat]))
            assert told[: len(person.told)] == person.told
            assert all(number < table.size for number in person.done)


def power_cut(tmp_path: Path, seed: int) -> None:
    luck = random.Random(seed)
    disk = Disk(f"disk {seed}")
    path = tmp_path / f"{seed}.db"
    after = tmp_path / f"after {seed}"
    after.mkdir()

    async def run() -> list[list[Sitter]]:
        room = Room(SqliteStore(path, vfs=disk.name))
        tables = [await seated(room, *luck.choice([("heraldry", 2), ("lost-heir", 3)])) for _ in range(3)]

        async def play(people: list[Sitter]) -> None:
            while not disk.off and people[0].live.table.deciding >= 0:
                kind = await people[people[0].live.table.deciding].act(luck)
                if kind == "Failed":
                    return

        playing = [asyncio.create_task(play(people)) for people in tables]
        moves = luck.randrange(1, 60)
        everyone = [person for people in tables for person in people]
        await until(lambda: sum(len(person.done) for person in everyone) >= moves, f"{moves} moves were made")
        await asyncio.sleep(luck.uniform(0.0, 0.01))
        disk.cut(luck, after)
        await asyncio.gather(*playing)
        room.services.bots.close()
        room.services.store.close()
        return tables

    async def go_on(tables: list[list[Sitter]]) -> None:
        room = Room(SqliteStore(after / path.name))
        for people in tables:
            live = await room.find(people[0].live.table.name)
            again = [Sitter(room, live, seat) for seat in range(len(people))]
            while live.table.deciding >= 0:
                assert await again[live.table.deciding].act(luck) == "Done"
        await room.close()

    tables = asyncio.run(run())
    check_told(after / path.name, tables)
    asyncio.run(go_on(tables))


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    for seed in range(3):
        power_cut(tmp_path, seed)


@pytest.mark.long
def test_a_hundred_power_cuts_lose_nothing(tmp_path: Path) -> None:
    for seed in range(100, 200):
        power_cut(tmp_path, seed)


@pytest.mark.parametrize("trouble", ["full", "failing"])
def test_a_disk_in_trouble_stops_acknowledgements_and_recovers(tmp_path: Path, trouble: str) -> None:
    luck = random.Random(trouble)
    disk = Disk(f"disk {trouble}")
    path = tmp_path / "tables.db"

    async def run() -> None:
        room = Room(SqliteStore(path, vfs=disk.name))
        people = await seated(room, "heraldry", 2)
        name = people[0].live.table.name
        for _ in range(6):
            assert await people[people[0].live.table.deciding].act(luck) == "Done"
        size = people[0].live.table.size
        setattr(disk, trouble, True)
        assert await people[people[0].live.table.deciding].act(luck) == "Failed"
        assert not room.services.store.healthy()
        setattr(disk, trouble, False)
        # the store tries now and then, though nobody asks for anything
        await until(room.services.store.healthy, "the store had recovered by itself")
        setattr(disk, trouble, True)
        assert all(person.listener.ending for person in people), "nobody goes on with what was not stored"
        with pytest.raises(StoreError):
            await room.open(game="heraldry", players=2, options={})
        setattr(disk, trouble, False)
        live = await room.find(name)
        assert live.table.size >= size
        again = [Sitter(room, live, seat) for seat in range(2)]
        while live.table.deciding >= 0:
            assert await again[live.table.deciding].act(luck) == "Done"
        assert room.services.store.healthy()
        await room.close()
        check_told(path, [people, again])

    asyncio.run(run())


def test_stored_rows_are_never_overwritten(tmp_path: Path) -> None:
    async def run() -> None:
        one, other = (Room(SqliteStore(tmp_path / "tables.db")) for _ in range(2))
        people = await seated(one, "heraldry", 2)
        live = await other.find(people[0].live.table.name)
        twin = Sitter(other, live, live.table.deciding)
        luck = random.Random(1)
        assert await people[live.table.deciding].act(luck) == "Done"
        assert await twin.act(luck) == "Failed", "another process has written in the meantime"
        await one.close()
        await other.close()

    asyncio.run(run())


def test_tokens_and_codes_are_stored_as_digests_only(tmp_path: Path) -> None:
    async def run() -> tuple[str, str]:
        room = Room(SqliteStore(tmp_path / "tables.db"))
        live, code = await room.open(game="heraldry", players=2, options={})
        _, token = await room.join(live.table.name, code, "One")
        await room.close()
        return code, token

    code, token = asyncio.run(run())
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (code, token):
        assert secret.encode() not in content
        assert digest(secret).hex().encode() in content
