"""Tables in PostgreSQL: the store alone, and several servers that share it, any of which may die."""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import WebSocketException

from parlour import client
from parlour.cli.main import main
from parlour.games import game
from parlour.server import days
from parlour.server.data import FILE
from parlour.server.histories import lines
from parlour.server.postgres.admin import audit, logs
from parlour.server.postgres.schema import first_line
from parlour.server.postgres.store import PostgresStore
from parlour.server.reading import logs as logs_of_file
from parlour.server.room import Room
from parlour.server.rows import LogRow
from parlour.server.schema import commitment_of
from parlour.server.store import Batch, Elsewhere, StoreError, Summary, Window
from support.cases import Case
from support.durable import Stubborn, acknowledged, check_logs, wait_for_moves
from support.effort import times
from support.line import Cuttable
from support.postgres import Postgres
from support.rooms import play, some_tables, started, until
from support.server import Person, Server, free_port
from support.twins import TWINS
from support.wait import WAIT, wait_until
from support.worlds import twins

ROOT = Path(__file__).resolve().parents[2]
SECRET = bytes(range(32))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def url(cluster: Postgres) -> str:
    return cluster.database()


def summary(name: str, **more: Any) -> Summary:
    return Summary(name, SECRET, "gathering", True, False, 1000)._replace(**more)


def batch(name: str, first: int, *kinds: str, **more: Any) -> Batch:
    """Rows for the end of a log."""
    return Batch(summary(name, **more), [LogRow(first + at, [kind]) for at, kind in enumerate(kinds)])


def opened(store: PostgresStore, *names: str) -> None:
    for name in names:
        store.append(batch(name, 0, "opened")).result()


def kinds(store: PostgresStore, name: str) -> list[str]:
    found = store.peek(name)
    assert found is not None
    return [row.entry[0] for row in found[1]]


# --- the store --------------------------------------------------------------------------------------------------------


def test_rows_of_another_epoch_or_length_are_refused_and_others_stored(url: str) -> None:
    with closing(PostgresStore(url, "a")) as store, closing(PostgresStore(url, "b")) as other:
        opened(store, "one", "two", "three")
        assert other.claim(["two"]) == [], "its owner lives"
        assert other.claim(["two"], force=True) == ["two"]
        asked = [
            store.append(batch("one", 1, "sat", "bot")),
            store.append(batch("two", 1, "sat")),
            store.append(batch("three", 5, "sat")),
            store.append(batch("unknown", 3, "sat")),
            store.append(batch("one", 3, "host")),
        ]
        results = [each.exception() for each in asked]
        assert [isinstance(error, StoreError) for error in results] == [False, True, True, True, False]
        other.append(batch("two", 1, "carry")).result()
        assert kinds(store, "one") == ["opened", "sat", "bot", "host"]
        assert (kinds(store, "two"), kinds(store, "three")) == (["opened", "carry"], ["opened"])
        assert store.lost(["one", "two", "three"]) == ["two"]
        with pytest.raises(Elsewhere) as error:
            store.table("two")
        assert error.value.address == "b"


def test_a_table_goes_to_whoever_asks_when_its_owner_gives_up(url: str) -> None:
    store, other = PostgresStore(url, "a"), PostgresStore(url, "b")
    with closing(store), closing(other):
        opened(store, "one", "two")
        store.append(batch("one", 1, "sat", due=True)).result()
        store.release(["two"]).result()
        assert other.table("two") is not None
        assert other.orphans() == []
        store.give_up()
        assert [each.name for each in other.due()] == ["one"]
        found = other.table("one")
        assert found is not None and found[0].due
        other.append(batch("one", 2, "bot")).result()
        with pytest.raises(StoreError):
            store.append(batch("one", 2, "stood")).result()


def test_the_results_of_a_day_are_those_of_all_servers(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    noon, number = datetime.datetime(2026, 12, 24, 12, tzinfo=datetime.UTC).timestamp(), 20261224
    monkeypatch.setattr(game("lost-heir"), "levels", ())
    monkeypatch.setattr(days, "LOOK_SECONDS", 0.0)

    async def doing() -> None:
        rooms = [Room(PostgresStore(url, address), clock=lambda: noon) for address in "ab"]
        people = [lambda room=room: room.services.days.body(game("lost-heir")).people for room in rooms]
        try:
            assert [each() for each in people] == [[], []]
            for room in (*rooms, rooms[0]):
                await play(await started(room, "lost-heir", 4, 1, deal=number))
            for each in people:
                await until(lambda each=each: sum(count for _, count in each()) == 3, "all three are counted")
            await asyncio.sleep(0)
            assert people[0]() == people[1]()
        finally:
            for room in rooms:
                await room.close()

    asyncio.run(doing())


def test_many_tables_are_written_by_few_statements(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        names = [f"table {number}" for number in range(300)]
        for row, kind in enumerate(("opened", "sat", "bot")):
            for asked in [store.append(batch(name, row, kind)) for name in names]:
                asked.result()
        assert store.writer.appended == 900 and store.writer.batches < 300
        assert all(kinds(store, name) == ["opened", "sat", "bot"] for name in names[:5])
        assert sorted(store.claim(names)) == sorted(names)


def test_tables_are_marked_brought_back_and_deleted(url: str) -> None:
    with closing(PostgresStore(url)) as store, closing(PostgresStore(url)) as other:
        opened(store, "old", "new", "played")
        store.append(Batch(summary("played", phase="playing"), [LogRow(1, ["sat"])])).result()
        old = Window(5000, 10**9)
        assert store.old_tables(["gathering"], old) == ["new", "old"]
        assert other.old_tables(["gathering"], old) == [], "their owner lives"
        store.mark(["old", "played"], old, 6000).result()
        assert store.table("old") is None and store.marked(Window(7000, 10**9)) == ["old", "played"]
        with pytest.raises(StoreError):
            store.append(batch("old", 1, "sat")).result()
        store.unmark(5999, 8000).result()
        assert store.table("old") is not None
        store.mark(["played"], Window(9000, 10**9), 9000).result()
        store.set_stamps(5, 6).result()
    with closing(PostgresStore(url)) as store:
        assert (store.stamps().beat, store.stamps().since) == (5, 6)
        store.delete(["old"]).result()
        assert store.peek("old") is None
        assert store.unrevealed(0, -1) == (0, [])


def test_a_sitting_that_is_deleted_before_its_end_is_noted(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        first = LogRow(0, ["opened", {"game": "heraldry", "opened": "2026-11-19"}])
        store.append(Batch(summary("played", phase="playing"), [first])).result()
        store.append(Batch(summary("gathered"), [first])).result()
        store.delete(["played", "gathered"], "a test", 7000).result()
        assert store.peek("played") is None and store.peek("gathered") is None
        count, (sitting,) = store.unrevealed(0, -1)
        noted = (commitment_of(SECRET), "heraldry", "2026-11-19", 7000, "a test")
        assert count == 1 and tuple(sitting) == noted


def test_a_flipped_bit_hurts_one_table(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        opened(store, "good", "bad", "worse")
        store._select("UPDATE parlour_log SET entry = '[\"opened!\"]' WHERE name = 'bad' RETURNING 1")
        store._select("UPDATE parlour_tables SET due = true WHERE name = 'worse' RETURNING 1")
        said: list[str] = []
        assert audit(url, said.append)[1] == 3, "none of these logs is one of a table"
        for name in ("bad", "worse"):
            with pytest.raises(Exception, match="not as it was written"):
                store.table(name)
        assert store.table("good") is not None and set(store.damaged()) == {"bad", "worse"}
        assert store.due() == []


# --- several servers --------------------------------------------------------------------------------------------------


class Several:
    """Servers that share a database."""

    def __init__(self, folder: Path, url: str, number: int = 2) -> None:
        self.url = url
        self.servers = [Server(folder / f"node {node}", "--store", url) for node in range(number)]
        for server in self.servers:
            server.fixed = server.port

    def __enter__(self) -> list[Server]:
        return self.servers

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                server.process.send_signal(signal.SIGCONT)
            server.__exit__()


def finish(people: list[Stubborn]) -> None:
    for person in people:
        person.over.set()
    for person in people:
        person.join(20)


def test_any_server_leads_to_the_one_that_has_the_table(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as (one, other):
        name, (token,) = one.open("heraldry", 2)
        with Person(one, name, token) as here, Person(other, name, token) as there:
            assert here.turn() and there.turn() and here.number == there.number
            assert there.request("act", number=there.number, move=there.move())["kind"] == "done"
            here.until(lambda news: news["number"] >= there.number)
        assert other.ask("GET", f"/api/tables/{name}")[1]["phase"] == "playing"
        assert [each["table"] for each in other.ask("GET", "/api/tables")[1]] == []
        health = [each.ask("GET", "/health")[1] for each in (one, other)]
        assert [each["lease"] for each in health] == [True, True] and health[0]["node"] != health[1]["node"]
        assert sum(each["tables"] for each in health) == 1
        with urllib.request.urlopen(f"http://127.0.0.1:{one.port}/metrics") as answer:
            said = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if line[0] != "#")
        assert int(said["parlour_batch_tables_total"]) == int(said['parlour_commits{within="inf"}']) > 0


def test_a_client_in_python_is_led_to_the_table(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as (one, other):
        here, there = (client.Server(f"http://127.0.0.1:{each.port}") for each in (one, other))
        opened = here.open("heraldry", 2, bot_seconds=0.0)
        place = here.sit(opened.table, opened.code, "Ann")
        assert there.table(opened.table)["seats"][0]["name"] == "Ann"
        other_place = there.sit(opened.table, opened.code, "Ben")

        async def play() -> dict[str, Any]:
            ann, ben = client.AsyncTable(here, opened.table, place), client.AsyncTable(there, opened.table, other_place)
            async with ann, ben:
                await ann.ask(client.messages.Start)
                while not (ann.legal or ben.legal):
                    await ann.changed()
                deciding = ann if ann.legal else ben
                await deciding.play(await whole_move(deciding, random.Random(1)))
                await ann.ask(client.messages.End)
            return there.record(opened.table)

        assert asyncio.run(play())["ended"] == "host"


def test_the_tables_of_a_killed_server_go_on_at_another(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as (one, other):
        tables = [one.open(game, players) for game, players in (("lost-heir", 4), ("heraldry", 2), ("sovereign", 3))]
        people = [Stubborn(one, name, tokens[0], other) for name, tokens in tables]
        for person in people:
            person.start()
        wait_for_moves(people, 9)
        one.kill()
        wait_for_moves(people, acknowledged(people) + 9)
        finish(people)
        check_logs(logs(url), people)
        assert audit(url, print) == (3, 0)


def kills(folder: Path, url: str, number: int) -> int:
    """Kill one of two servers again and again, while people play; how many moves were acknowledged."""
    luck = random.Random(7)
    with Several(folder, url) as servers:
        people: list[Stubborn] = []
        for _ in range(number):
            while sum(not person.over.is_set() for person in people) < 4:
                first, second = luck.sample(servers, 2)
                name, tokens = first.open(*luck.choice([("lost-heir", 4), ("heraldry", 2), ("masquerade", 4)]))
                people.append(Stubborn(first, name, tokens[0], second))
                people[-1].start()
            wait_for_moves(people, acknowledged(people) + luck.randrange(1, 20))
            time.sleep(luck.uniform(0.0, 0.05))
            dying = luck.choice(servers)
            dying.kill()
            check_logs(logs(url), [person for person in people if not person.over.is_set()])
            dying.start()
        finish(people)
        check_logs(logs(url), people)
        assert audit(url, print)[1] == 0
        return acknowledged(people)


def test_servers_that_are_killed_lose_nothing(tmp_path: Path, url: str) -> None:
    assert kills(tmp_path, url, times(3, 300)) > 3


class Playing:
    """People at some tables of several servers, who play on whatever happens, and what they were told."""

    def __init__(self, url: str, servers: list[Server], tables: int = 4) -> None:
        self.url = url
        self.servers = servers
        self.luck = random.Random(11)
        self.tables = tables
        self.people: list[Stubborn] = []

    def fill(self) -> None:
        """Open tables until people play at all of them; a server that is in trouble is asked again."""
        end = time.monotonic() + WAIT
        while sum(not person.over.is_set() for person in self.people) < self.tables:
            running = [each for each in self.servers if each.process.poll() is None]
            first = self.luck.choice(running)
            try:
                name, tokens = first.open(*self.luck.choice([("lost-heir", 4), ("heraldry", 2), ("masquerade", 4)]))
            except (OSError, WebSocketException, AssertionError):
                assert time.monotonic() < end, "no table could be opened"
                time.sleep(0.1)
                continue
            self.people.append(Stubborn(first, name, tokens[0], *self.servers))
            self.people[-1].start()

    def go_on(self, moves: int) -> None:
        """Until so many more moves are acknowledged."""
        self.fill()
        wait_for_moves(self.people, acknowledged(self.people) + moves)

    def check(self) -> None:
        """At the end, nothing is lost, doubled, or told in two ways."""
        finish(self.people)
        check_logs(logs(self.url), self.people)
        assert audit(self.url, print)[1] == 0


def test_a_stopped_server_that_wakes_writes_nothing_more(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as servers, closing(PostgresStore(url, "a third")) as store:
        playing = Playing(url, servers)
        for _ in range(times(1, 24)):
            playing.go_on(4)
            asleep = playing.luck.choice(servers)
            asleep.process.send_signal(signal.SIGSTOP)
            wait_until(lambda: len(store.nodes()) == 2, "the lease of a stopped server has run out")
            wait_for_moves(playing.people, acknowledged(playing.people) + 4)
            asleep.process.send_signal(signal.SIGCONT)
            wait_until(lambda: len(store.nodes()) == 3, "the lease of a server that woke up is renewed")
            playing.go_on(4)
        playing.check()


def test_tables_that_are_taken_away_while_people_play_go_on(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as servers:
        playing = Playing(url, servers)
        for _ in range(times(3, 100)):
            playing.go_on(2)
            store = PostgresStore(url, "a third")
            names = [person.table for person in playing.people if not person.over.is_set()]
            for name in store.claim(names, force=True):
                found = store.peek(name)
                assert found is not None
                length = len(found[1])
                time.sleep(0.01)
                later = store.peek(name)
                assert later is not None and len(later[1]) == length, "its old owner has written after the claim"
            store.close()
        playing.check()


def test_a_database_that_crashes_loses_nothing(tmp_path: Path) -> None:
    with Postgres() as cluster:
        url = cluster.database()
        with Several(tmp_path, url) as servers:
            playing = Playing(url, servers)
            for _ in range(times(1, 5)):
                playing.go_on(6)
                cluster.restart()
                playing.go_on(6)
            playing.check()


def test_a_server_that_is_told_to_stop_hands_its_tables_over(tmp_path: Path, url: str) -> None:
    with Several(tmp_path, url) as servers:
        playing = Playing(url, servers)
        for _ in range(times(2, 20)):
            for server in servers:
                playing.go_on(4)
                assert server.stop() == 0
                with psycopg.connect(url) as connection:
                    here = connection.execute("SELECT address FROM parlour_nodes").fetchall()
                assert not any(address.endswith(f":{server.port}/") for (address,) in here), "it has left"
                playing.go_on(4)
                server.start()
        playing.check()


def test_a_line_to_the_database_that_is_cut_loses_nothing(tmp_path: Path, cluster: Postgres) -> None:
    url = cluster.database()
    with Cuttable(str(cluster.folder / ".s.PGSQL.5432")) as line:
        through = url.split("?")[0].replace("@/", f"@127.0.0.1:{line.port}/")
        with Server(tmp_path / "node", "--store", through) as server:
            playing = Playing(url, [server], 3)
            for how in times(3, 30) * ["close", "answers", "silence"]:
                playing.go_on(3)
                line.cut(how)
                time.sleep(playing.luck.uniform(0.0, 0.5))
                line.mend()
            playing.go_on(3)
            playing.check()


def test_a_database_without_room_for_another_connection_says_so(tmp_path: Path) -> None:
    with Postgres(max_connections=8, superuser_reserved_connections=0) as cluster:
        url = cluster.database()
        with Server(tmp_path / "node", "--store", url) as server:
            playing = Playing(url, [server], 2)
            playing.go_on(3)
            taken = []
            with suppress(psycopg.Error):
                while True:
                    taken.append(psycopg.connect(cluster.address("postgres")))
            assert main(["audit", "--store", url]) == 2
            playing.go_on(3)
            for each in taken:
                each.close()
            playing.check()


# --- behind nginx -----------------------------------------------------------------------------------------------------

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}
http {{
    access_log off; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    {example}
}}
"""


@contextmanager
def behind_nginx(folder: Path, url: str) -> Iterator[tuple[int, list[Server]]]:
    """Two servers behind nginx as in the example; its port, and the servers."""
    front, *ports = (free_port() for _ in range(3))
    servers = []
    with ExitStack() as stack:
        for port, at in zip(ports, "ab", strict=True):
            public = f"http://127.0.0.1:{front}/{at}/"
            arguments = ("--store", url, "--proxy", "--public", public, "--port", str(port))
            servers.append(stack.enter_context(Server(folder / at, *arguments)))
            servers[-1].fixed = port
        example = (ROOT / "examples" / "nginx.conf").read_text()
        for port, documented in zip((front, *ports), ("8500", "8501", "8502"), strict=True):
            example = re.sub(rf"(listen |127\.0\.0\.1:){documented}\b", rf"\g<1>{port}", example)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, example=example))
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        assert program, "nginx is not installed"
        nginx = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        try:
            wait_until(lambda: not_refused(front), "nginx answers")
            yield front, servers
        finally:
            nginx.terminate()
            nginx.wait(WAIT)


async def whole_move(table: client.AsyncTable, luck: random.Random) -> list[int]:
    """Any whole move."""
    steps: list[int] = []
    legal = table.legal
    while True:
        choice = luck.choice(legal)
        steps.append(choice.step)
        if choice.whole:
            return steps
        legal = (await table.follow(steps)).legal


def not_refused(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_people_play_on_behind_nginx_when_a_server_dies(tmp_path: Path, url: str) -> None:
    with behind_nginx(tmp_path, url) as (front, servers):
        door = client.Server(f"http://127.0.0.1:{front}", patience=WAIT)
        assert {door.tables() == [] for _ in range(4)} == {True}
        opened = [door.open("heraldry", 2, bot_seconds=0.0) for _ in range(4)]
        places = [door.sit(each.table, each.code, "Ann") for each in opened]

        async def play() -> None:
            async with AsyncExitStack() as stack:
                tables = []
                for each, place in zip(opened, places, strict=True):
                    tables.append(await stack.enter_async_context(client.AsyncTable(door, each.table, place)))
                    await tables[-1].ask(client.messages.Bot, seat=1, level="thumb")
                    await tables[-1].ask(client.messages.Start)
                for _ in range(2):
                    for table in tables:
                        assert await table.turn()
                        await table.play(await whole_move(table, luck))
                    if servers[0].process.poll() is None:
                        await asyncio.to_thread(servers[0].kill)
                for table in tables:
                    assert not table.set_back
                    await table.ask(client.messages.End)

        luck = random.Random(3)
        asyncio.run(play())
        assert audit(url, print) == (4, 0)
        assert len({door.record(each.table)["ended"] for each in opened}) == 1


# --- commands ---------------------------------------------------------------------------------------------------------


def test_tables_move_from_a_file_to_a_database_and_back(
    tmp_path: Path, url: str, cluster: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    some_tables(tmp_path / "data")
    file, back, copy = str(tmp_path / "data"), str(tmp_path / "back"), str(tmp_path / "copy")
    assert main(["move", "--from", file, "--to", url]) == 0
    assert main(["move", "--from", file, "--to", url]) == 2
    assert "already" in capsys.readouterr().err
    assert main(["audit", "--store", url]) == 0
    assert "3 tables, 0 damaged" in capsys.readouterr().out
    assert main(["tables", "--store", url]) == 0
    listed = capsys.readouterr().out
    assert main(["backup", copy, "--store", url]) == 0
    assert main(["move", "--from", url, "--to", back]) == 0
    capsys.readouterr()
    assert main(["tables", "--data", back]) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(listed.splitlines())
    assert [rows for _, rows in sorted(logs(url))] == [rows for _, rows in sorted(logs_of_file(Path(back) / FILE))]
    with closing(PostgresStore(url, "here")):
        assert main(["restore", copy, "--store", url, "--data", back]) == 2
        assert "stop it first" in capsys.readouterr().err
    other = cluster.database()
    assert main(["restore", copy, "--store", other, "--data", back]) == 0
    assert main(["audit", "--store", other]) == 0


def test_an_audit_compares_what_clients_were_told(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(tmp_path / "node", "--store", url) as server:
        playing = Playing(url, [server], 1)
        playing.go_on(4)
        finish(playing.people)
    (person,) = playing.people
    histories = tmp_path / "histories.jsonl"
    text = "".join(f"{line}\n" for line in lines("Ann", person.table, person.noted))
    histories.write_text(text)
    assert main(["audit", "--store", url, "--histories", str(histories)]) == 0
    assert "0 contradictions" in capsys.readouterr().out
    for number, wrong in enumerate(forged(person.noted)):
        histories.write_text(text + "".join(f"{line}\n" for line in lines("Ben", person.table, wrong)))
        assert main(["audit", "--store", url, "--histories", str(histories)]) == 1, number
        capsys.readouterr()
    histories.write_text("nonsense\n")
    assert main(["audit", "--store", url, "--histories", str(histories)]) == 2
    assert "Line 1 of histories.jsonl is not a line of a history" in capsys.readouterr().err


def forged(noted: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """What a client got, with something that does not fit the log."""
    done = max(at for at, message in enumerate(noted) if message["kind"] == "done")
    for change in (
        lambda copy: copy[done].update(number=10**6),
        lambda copy: copy.append({**copy[done], "number": copy[done]["number"] - 1}),
        lambda copy: copy[0]["news"].update(head="00" * 32, events=[]),
        lambda copy: copy[0]["news"]["events"].append({"entry": ["nonsense"]}),
        lambda copy: copy[0]["news"].update(number=10**6),
    ):
        copy = json.loads(json.dumps(noted))
        change(copy)
        yield copy


def test_a_stolen_copy_of_the_database_lets_nobody_sit(tmp_path: Path, url: str) -> None:
    with Server(tmp_path / "node", "--store", url) as server:
        name, (token,) = server.open("heraldry", 2)
        code = server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})[1]["code"]
    with closing(PostgresStore(url)) as store:
        everything = "".join(
            str(row) for table in ("tables", "log", "meta") for row in store._select(f"SELECT * FROM parlour_{table}")
        )
        raw = b"".join(entry for (entry,) in store._select("SELECT entry FROM parlour_log"))
    assert name in everything
    for secret in (token, code):
        assert secret not in everything and secret.encode() not in raw


@pytest.mark.parametrize("case", {case.game.name: case for case in TWINS}.values(), ids=str)
def test_listeners_who_were_told_the_same_are_sent_the_same(
    case: Case, tmp_path: Path, cluster: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = twins(case, tmp_path, monkeypatch, 1, lambda path: PostgresStore(cluster.database()))
    assert sent > 20 or case.game.name == "tontine"


@pytest.mark.parametrize("given", ["mysql://host/tables", "tables"])
def test_an_address_that_is_not_of_a_database_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--store", given]) == 2
    assert "takes an address as postgresql://host/database" in capsys.readouterr().err


def test_two_servers_of_one_address_say_so_and_lead_nobody_in_circles(tmp_path: Path, url: str) -> None:
    public = "http://127.0.0.1:1/"
    with (
        Server(tmp_path / "data", "--store", url, "--public", public) as server,
        Server(tmp_path / "data", "--store", url, "--public", public) as other,
    ):
        name, (token,) = server.open("heraldry", 2)
        assert other.ask("GET", f"/api/tables/{name}")[0] == 200
        status, said = other.ask("GET", f"/api/tables/{name}/record")
        assert status == 503 and "cannot be told from this one" in said["sentence"]
        with pytest.raises(AssertionError, match="cannot be told from this one"):
            Person(other, name, token)
        log = tmp_path / "server.log"
        wait_until(lambda: "another server has the same address" in log.read_text(), "the log says so")
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            'connection failed: connection to server on socket "/run/x" failed: No such file or directory\n'
            "\tIs the server running locally and accepting connections on that socket?",
            "No such file or directory",
        ),
        (
            'connection to server at "10.0.0.7", port 5432 failed: FATAL:  password authentication failed for user "x"',
            'FATAL:  password authentication failed for user "x"',
        ),
        ('no matching "]" in URI: "postgresql://u:secret@[::1/x"\n', 'no matching "]" in URI: "…"'),
        ("", "OperationalError"),
    ],
)
def test_what_the_database_says_is_told_in_one_line_without_its_address(said: str, line: str) -> None:
    assert first_line(psycopg.OperationalError(said)) == line


def test_metrics_are_told_while_the_database_is_down(tmp_path: Path) -> None:
    with Postgres() as cluster, Server(tmp_path / "node", "--store", cluster.database()) as server:
        address = f"http://127.0.0.1:{server.port}/metrics"
        with urllib.request.urlopen(address, timeout=WAIT) as answer:
            assert b"parlour_sittings_unrevealed 0" in answer.read()
        cluster.stop()
        with urllib.request.urlopen(address, timeout=WAIT) as answer:
            assert b"parlour_lease_held" in answer.read()


def test_a_database_that_cannot_be_reached_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--store", f"postgresql://nobody@/none?host={tmp_path}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("parlour: The database cannot be reached") and said.count("\n") == 1 and "?" not in said
