"""Nothing is lost: servers that are killed, power cuts, full and failing disks."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from parlour.server.admin import audit
from parlour.server.data import FILE
from parlour.server.lobby import digest
from parlour.server.room import Room
from parlour.server.sqlite import SqliteStore
from parlour.server.store import StoreError
from support.disk import Disk
from support.durable import Sitter, Stubborn, acknowledged, check_nothing_lost, check_told, seated, wait_for_moves
from support.rooms import until
from support.server import Server, free_port

# --- a server that is killed ------------------------------------------------------------------------------------------


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


def test_a_full_disk_stops_acknowledgements_and_recovers(tmp_path: Path) -> None:
    luck = random.Random("full")
    disk = Disk("disk that is full")
    path = tmp_path / "tables.db"

    async def run() -> None:
        room = Room(SqliteStore(path, vfs=disk.name))
        people = await seated(room, "heraldry", 2)
        name = people[0].live.table.name
        for _ in range(6):
            assert await people[people[0].live.table.deciding].act(luck) == "Done"
        size = people[0].live.table.size
        disk.full = True
        assert await people[people[0].live.table.deciding].act(luck) == "Failed"
        assert not room.services.store.healthy()
        disk.full = False
        # the store tries now and then, though nobody asks for anything
        await until(room.services.store.healthy, "the store had recovered by itself")
        disk.full = True
        assert all(person.listener.ending for person in people), "nobody goes on with what was not stored"
        with pytest.raises(StoreError):
            await room.open(game="heraldry", players=2, options={})
        disk.full = False
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
