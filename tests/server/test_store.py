"""The store: copies, audits, migrations, and the format that earlier versions wrote."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.cli.main import main
from parlour.records.seal import commitment_to
from parlour.server import edits, rows, writer
from parlour.server import messages as wire
from parlour.server import room as rooms
from parlour.server.admin import audit, backup, restore, salvage, undelete, unrevealed
from parlour.server.data import FILE
from parlour.server.reading import logs
from parlour.server.reading import opened as opened_file
from parlour.server.requests import Requests
from parlour.server.retention import done
from parlour.server.room import Room
from parlour.server.run import announce
from parlour.server.schema import SCHEMA, commitment_of, one_moment, select
from parlour.server.sqlite import SqliteStore
from parlour.server.statements import KEY_FILE, Signer
from parlour.server.store import Batch, StoreError, Summary
from parlour.server.table import Table
from support.effort import times
from support.rooms import NOW, any_move, in_a_room, play, some_tables, started, until
from support.server import Server, at
from support.wait import WAIT

SCHEMA_1 = Path(__file__).with_name("tables_1.sql")  # the same tables, as each version stored them
SCHEMA_2 = Path(__file__).with_name("tables_2.sql")


def changed(path: Path, *statements: str) -> None:
    """Change a store behind its back."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def dumped(path: Path) -> str:
    """A whole store as SQL."""
    connection = sqlite3.connect(path)
    text = "\n".join(connection.iterdump()) + "\n"
    connection.close()
    return text


def written(path: Path, text: Path) -> None:
    """Make a store from SQL."""
    connection = sqlite3.connect(path)
    connection.executescript(text.read_text(encoding="utf-8"))
    connection.close()


# --- copies and audits ------------------------------------------------------------------------------------------------


def test_tables_can_be_backed_up_restored_and_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert len(list((tmp_path / "data").glob(f"{FILE}.before-*"))) == 1, "what was there is set aside"
    assert audit(tmp_path / "data" / FILE, print) == (3, 0)
    with pytest.raises(StoreError):
        backup(tmp_path / "nowhere", tmp_path / "other")
    (tmp_path / "nonsense").write_bytes(b"nonsense" * 1000)
    with pytest.raises(Exception, match="not a database"):
        restore(tmp_path / "data", tmp_path / "nonsense")
    assert audit(tmp_path / "data" / FILE, print) == (3, 0)


def test_logs_are_read_while_tables_come_and_go(tmp_path: Path) -> None:
    some_tables(tmp_path)
    walking = logs(tmp_path / FILE)
    first = next(walking)[0].name
    changed(
        tmp_path / FILE,
        "DELETE FROM tables WHERE key = (SELECT max(key) FROM tables)",
        "UPDATE log SET entry = '[' WHERE number = 1",
    )
    assert [summary.name for summary, _ in walking] == [], "neither the deleted one nor the damaged one"
    assert first


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
        "UPDATE tables SET touched = touched + 1",
        "UPDATE log SET action = zeroblob(24) WHERE number = 4",
        "UPDATE log SET entry = replace(entry, 'Person 1', 'Person 2') WHERE number = 2",
        "UPDATE log SET entry = CAST(entry AS BLOB) WHERE number = 3",
        "DELETE FROM log WHERE number = (SELECT max(number) FROM log)",
    ],
)
def test_an_audit_finds_changes_in_the_log(tmp_path: Path, change: str) -> None:
    some_tables(tmp_path)
    changed(tmp_path / FILE, change)
    said: list[str] = []
    assert audit(tmp_path / FILE, said.append)[1] > 0 and said


# --- the file ---------------------------------------------------------------------------------------------------------


def test_data_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    SqliteStore(tmp_path / FILE).close()
    newer = SCHEMA + 1
    changed(tmp_path / FILE, f"UPDATE meta SET value = {newer} WHERE name = 'schema'", f"PRAGMA user_version = {newer}")
    with pytest.raises(StoreError, match="newer parlour"):
        SqliteStore(tmp_path / FILE)


def test_older_data_is_migrated_and_the_old_file_set_aside(tmp_path: Path) -> None:
    written(tmp_path / FILE, SCHEMA_1)
    SqliteStore(tmp_path / FILE).close()
    assert dumped(tmp_path / f"{FILE}.schema-1") == SCHEMA_1.read_text(encoding="utf-8")
    assert dumped(tmp_path / FILE) == SCHEMA_2.read_text(encoding="utf-8"), "as if it had been stored by this version"


def test_rows_of_a_batch_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / FILE)
    summary = Summary("t", bytes(32), "gathering", False, False, 0)
    store.append(Batch(summary, [rows.LogRow(0, ["a"]), rows.LogRow(1, ["b"])])).result()
    with pytest.raises(StoreError):
        store.append(Batch(summary, [rows.LogRow(2, ["c"]), rows.LogRow(1, ["d"])])).result()
    found = store.table("t")
    assert found and [row.entry for row in found[1]] == [["a"], ["b"]]
    store.close()


def test_what_is_refused_does_not_hold_up_what_is_stored_with_it(tmp_path: Path) -> None:
    store, ready = SqliteStore(tmp_path / FILE), threading.Event()

    def hold(connection: object) -> None:
        ready.wait(WAIT)

    def one_row(name: str, number: int) -> Batch:
        return Batch(Summary(name, bytes(32), "gathering", False, False, 0), [rows.LogRow(number, [name])])

    store.writer.ask(hold)  # so that all that follows waits together
    asked = [store.append(one_row(*row)) for row in (("a", 0), ("a", 5), ("b", 0), ("a", 1), ("b", 0), ("b", 1))]
    ready.set()
    errors = [each.exception(WAIT) for each in asked]
    assert [isinstance(each, StoreError) for each in errors] == [False, True, False, False, True, False]
    for name in ("a", "b"):
        found = store.table(name)
        assert found and [row.number for row in found[1]] == [0, 1]
    store.close()


def test_two_servers_do_not_share_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(tmp_path / "data"):
        assert main(["serve", "--port", "0", "--data", str(tmp_path / "data")]) == 2
        assert "Another server is using" in capsys.readouterr().err


def test_a_server_starts_where_files_cannot_be_locked_nor_their_number_raised(tmp_path: Path) -> None:
    """As on Windows, where there is neither `fcntl` nor `resource`; nothing else of Windows is tested."""
    program = """if True:
        import os, signal, sys
        from pathlib import Path
        sys.modules.update(fcntl=None, resource=None)
        from parlour.server.run import serve
        serve("127.0.0.1", 0, Path(sys.argv[1]), ready=lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    """
    command = [sys.executable, "-c", program, str(tmp_path)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_network_address_is_also_shown_as_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    announce("0.0.0.0", 8500)
    shown = capsys.readouterr().out
    assert "http://" in shown and len(shown.splitlines()) > 10
    announce("127.0.0.1", 8500)
    assert len(capsys.readouterr().out.splitlines()) == 1


# --- for this user alone, and gone when deleted -----------------------------------------------------------------------


def test_the_data_is_for_one_user_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        written(data / FILE, SCHEMA_1)
        data.joinpath("lock").touch()
        Signer.of(data)
        data.joinpath(KEY_FILE).chmod(0o644)
        with Server(data) as server:
            server.open("heraldry", 2)
            assert {path.name for path in data.iterdir()} > {FILE, f"{FILE}-wal", f"{FILE}-shm", "lock"}
            assert modes(data) == {0o600}
            backup(data, tmp_path / "copy")
        assert restore(data, tmp_path / "copy").aside is not None
        salvage(data, tmp_path / "saved")
    finally:
        os.umask(before)
    assert modes(data) == {0o600} and data.stat().st_mode & 0o777 == 0o700
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("copy", "saved")} == {0o600}


def modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.mark.parametrize("seed", range(3))
def test_a_deleted_table_is_gone_from_every_byte(tmp_path: Path, seed: int) -> None:
    """Tables are played at in turn, so that their rows lie among each other; then some are deleted."""
    luck = random.Random(seed)

    async def doing(room: Room) -> None:
        tables = [await started(room) for _ in range(12)]
        for _ in range(times(60, 600)):
            await play(luck.choice(tables), luck.randrange(1, 4))
        gone = luck.sample(tables, 4)
        traces = []
        for live in gone:
            found = room.services.store.table(live.table.name)
            assert found is not None
            summary, log = found
            traces += [summary.secret, summary.name.encode(), *(row.head for row in log if row.head)]
            traces += [token for seat in live.table.lobby.seats for token in seat.tokens]
        assert sum(trace in content(tmp_path) or trace.hex().encode() in content(tmp_path) for trace in traces) > 30
        for live in gone:
            await done(room.services.store.delete([live.table.name]))
            live.drop()
        for trace in traces:
            assert trace not in content(tmp_path) and trace.hex().encode() not in content(tmp_path)
        for live in tables:
            if live not in gone:
                await play(live, 2)

    in_a_room(tmp_path, doing)


def content(folder: Path) -> bytes:
    """All bytes of all files."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_deleted_data_that_a_backup_still_reads_is_wiped_afterwards(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        secret = live.table.secret
        with opened_file(tmp_path / FILE) as reader, one_moment(reader):
            assert select(reader, "SELECT count(*) FROM log")
            await done(room.services.store.delete([live.table.name]))
            assert secret in content(tmp_path), "a copy is being made of how things were"
        await until(lambda: secret not in content(tmp_path), "the bytes were gone")

    in_a_room(tmp_path, doing)


def a_long_log(path: Path, phase: str = "playing") -> SqliteStore:
    """A store with a table of 95 rows, and one of one row."""
    store = SqliteStore(path)
    settings = {"game": "heraldry", "opened": "2026-01-01"}
    log = [rows.LogRow(number, ["opened", settings] if number == 0 else ["a"]) for number in range(95)]
    store.append(Batch(Summary("long", bytes(32), phase, False, False, 0), log)).result(WAIT)
    store.append(Batch(Summary("short", bytes(32), "gathering", False, False, 0), log[:1])).result(WAIT)
    return store


def held_up(store: SqliteStore) -> threading.Event:
    """Let the writer wait; what is asked for afterwards waits behind it."""
    gate, begun = threading.Event(), threading.Event()
    store.writer.ask(lambda connection: (begun.set(), gate.wait(WAIT), None)[2])
    assert begun.wait(WAIT)
    return gate


def test_nobody_waits_until_a_long_log_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "DELETED_AT_ONCE", 10)
    monkeypatch.setattr(writer, "LARGEST_BATCH", 1)
    store = a_long_log(tmp_path / FILE)
    order: list[str] = []
    gate = held_up(store)
    asked = {"deleted": store.delete(["long", "short"], now=7)}
    summary = Summary("other", bytes(32), "gathering", False, False, 0)
    for number in range(5):
        asked[f"stored {number}"] = store.append(Batch(summary, [rows.LogRow(number, ["a"])]))
    for name, each in asked.items():
        each.add_done_callback(lambda _, name=name: order.append(name))
    gate.set()
    for each in asked.values():
        each.result(WAIT)
    assert order[-1] == "deleted" and len(order) == len(asked)
    assert store.table("long") is None and store.table("short") is None
    count, sittings = store.unrevealed(0, 10)
    assert count == 1 and sittings[0].gone == 7, "it is noted once"
    store.close()
    assert [summary.name for summary, _ in logs(tmp_path / FILE)] == ["other"]


def test_a_deletion_that_was_broken_off_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "DELETED_AT_ONCE", 10)
    monkeypatch.setattr(writer, "LARGEST_BATCH", 1)
    (tmp_path / "running").mkdir()
    store = a_long_log(tmp_path / "running" / FILE)
    first = held_up(store)
    deleted = store.delete(["long"])
    second, reached = threading.Event(), threading.Event()
    store.writer.ask(lambda connection: (reached.set(), second.wait(WAIT), None)[2])
    first.set()
    assert reached.wait(WAIT) and not deleted.done()
    data = tmp_path / "killed"
    data.mkdir()
    for each in (tmp_path / "running").iterdir():
        if not each.name.endswith("-shm"):
            shutil.copy(each, data)
    second.set()
    store.close()
    assert deleted.done(), "where a server is asked to stop, it finishes that first"
    assert [len(log) for _, log in logs(data / FILE)] == [85, 1]
    assert audit(data / FILE, print)[1] == 1, "the short log is none that can be followed; the other one is going"
    with pytest.raises(StoreError, match="being deleted"):
        undelete(data, "long")
    again = SqliteStore(data / FILE)
    assert again.table("long") is None
    again.close()
    assert [summary.name for summary, _ in logs(data / FILE)] == ["short"]
    assert [each.commitment for each in unrevealed(data)] == [commitment_of(bytes(32))]


# --- the format -------------------------------------------------------------------------------------------------------


class Story:
    """The same requests every time, which together cause every kind of row; chance and secrets are given."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.luck = random.Random(1)
        self.count = 0

    async def open(self, **settings: Any) -> tuple[str, str]:
        live, code = await self.room.open(pace=NOW, **settings)
        return live.table.name, code

    async def ask(self, name: str, seat: int, asked: Any) -> None:
        live = await self.room.find(name)
        answer = await Requests(self.room, live, at(live, seat)).answer(asked)
        assert isinstance(answer, wire.Done), (asked, answer)

    def table(self, name: str) -> Table:
        return self.room.tables[name].table

    async def turn(self, name: str, seat: int) -> None:
        table = self.table(name)
        await until(lambda: table.phase != "playing" or table.deciding == seat, f"seat {seat} is to decide")

    async def play(self, name: str, moves: int, seat: int | None = None) -> None:
        """Make some moves, of all seats or of one."""
        while moves and self.table(name).phase == "playing":
            if seat is not None:
                await self.turn(name, seat)
            table = self.table(name)
            steps = any_move(table, self.luck)
            self.count += 1
            await self.ask(name, table.deciding, wire.Act(id=f"act {self.count}", number=table.size, move=list(steps)))
            moves -= 1
        if seat is not None:
            await self.turn(name, seat)

    async def tell(self) -> None:
        await self.gathering()
        await self.playing()
        await self.over()
        await self.undone()

    async def gathering(self) -> None:
        join, ask = self.room.join, self.ask
        name, _ = await self.open(game="heraldry", players=4, options={"knight": 3}, is_open=True)
        await join(name, "", "One", None, None, "token-of-one-1234567890")
        await join(name, "", "Two", 2, commitment_to(bytes([3]) * 32), "token-of-two-1234567890")
        await join(name, "", "Three", None, None, "token-of-three-12345678")
        for number, level in enumerate(("novice", "", "champion"), 1):
            await ask(name, 0, wire.Bot(id=f"b{number}", seat=3, level=level))
        await ask(name, 0, wire.Carry(id="c", code="code-that-carries-a-seat"))
        await self.room.carry(name, "code-that-carries-a-seat", "another-device-of-one-1")
        await ask(name, 0, wire.Alone(id="d"))
        await ask(name, 1, wire.Stand(id="e"))
        await ask(name, 0, wire.Host(id="f", seat=2))
        await ask(name, 2, wire.Remove(id="g", seat=0))

    async def playing(self) -> None:
        name, code = await self.open(game="lost-heir", players=4, options={"sides": "two"})
        entropy = [bytes([seat + 1]) * 32 for seat in range(2)]
        promises = [*map(commitment_to, entropy), None, None]
        for seat, promise in enumerate(promises):
            await self.room.join(name, code, f"Person {seat}", None, promise, f"token-of-person-{seat}-123456")
        await self.ask(name, 0, wire.Start(id="s"))
        await self.ask(name, 0, wire.Show(id="t", entropy=entropy[0].hex()))
        await self.ask(name, 1, wire.Show(id="u", entropy=entropy[1].hex()))
        await self.play(name, 20)
        deciding = self.table(name).deciding
        away = (deciding + 1) % 4 or (2 if deciding == 3 else 3)
        await self.ask(name, away, wire.Leave(id="l"))
        await self.ask(name, away, wire.Back(id="m"))
        await self.ask(name, away, wire.Leave(id="n"))
        await self.room.tables[name].change(lambda table: table.lobby.replace_bot(away))
        await self.ask(name, 0, wire.Remove(id="o", seat=away))

    async def over(self) -> None:
        name, code = await self.open(game="masquerade", players=4, options={"exchange": "courtesy"}, hints=False)
        for seat in range(4):
            await self.room.join(name, code, f"Player {seat}", None, None, f"token-of-player-{seat}-123456")
        await self.ask(name, 0, wire.Start(id="s"))
        await self.play(name, 10**6)
        await self.ask(name, 0, wire.Rematch(id="r"))

    async def undone(self) -> None:
        options = {"games": 1, "mistakes": "penalised"}
        name, code = await self.open(game="sovereign", players=2, options=options, deal=7)
        await self.room.join(name, code, "Solo", None, None, "token-of-solo-1234567890")
        await self.ask(name, 0, wire.Bot(id="b", seat=1, level="thumb"))
        await self.ask(name, 0, wire.Start(id="s"))
        await self.play(name, 4, seat=0)
        await self.ask(name, 0, wire.Undo(id="undo", number=self.table(name).size))
        await self.play(name, 2, seat=0)


def test_the_format_of_stored_tables_is_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count()
    monkeypatch.setattr(rooms.secrets, "token_urlsafe", lambda size: f"secret {next(numbers)}")
    monkeypatch.setattr(rooms.secrets, "token_bytes", lambda size: bytes([next(numbers)]) * size)
    for game in parlour.REGISTRY.values():
        monkeypatch.setattr(game, "rules", 1)  # as when these tables were stored

    async def doing(room: Room) -> None:
        await Story(room).tell()

    in_a_room(tmp_path, doing, clock=lambda: 1e9)
    kinds = {row.entry[0] for _, log in logs(tmp_path / FILE) for row in log}
    # no earlier version knew these: test_budgets.py, test_notices.py and test_club.py have them
    assert kinds >= rows.KINDS - {rows.ENDED, rows.NOTIFY, rows.SILENCED, rows.COPIED}
    assert dumped(tmp_path / FILE) == SCHEMA_2.read_text(encoding="utf-8")


def test_a_store_that_an_earlier_version_wrote_is_read_and_played_on(tmp_path: Path) -> None:
    written(tmp_path / FILE, SCHEMA_1)
    assert audit(tmp_path / FILE, print) == (5, 0)

    async def doing(room: Room) -> None:
        phases = []
        for summary, _ in logs(tmp_path / FILE):
            live = await room.find(summary.name)
            phases.append(live.table.phase)
            await play(live)
            assert live.table.phase != "playing"
        assert phases == ["gathering", "playing", "over", "gathering", "playing"]

    in_a_room(tmp_path, doing)
    assert audit(tmp_path / FILE, print) == (5, 0)
