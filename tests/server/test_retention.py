"""Retention: what is cleared out when, and that no clock, however wrong, turns it into a loss."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from parlour.cli.main import main
from parlour.server.admin import backup, restore, tables, undelete
from parlour.server.data import FILE
from parlour.server.reading import logs
from parlour.server.room import Room
from parlour.server.schema import commitment_of
from parlour.server.series import Missing
from parlour.server.settings import Pace
from parlour.server.sqlite import SqliteStore
from parlour.server.store import Unsure
from support.cli import Cli
from support.rooms import opened, play, started
from support.server import Server
from support.wait import WAIT

DAY = 86400
BEGIN = 1_800_000_000


class Machine:
    """A machine whose clock can be set, apart from how time passes."""

    def __init__(self, data: Path, clock: float = BEGIN) -> None:
        self.data = data
        self.clock = clock
        self.passed = 0.0

    def wait(self, days: float) -> None:
        """Let time pass while the server runs."""
        self.clock += days * DAY
        self.passed += days * DAY

    def run(self, doing: Callable[[Room], Awaitable[Any]]) -> Any:
        """Start a server, do something there, and stop it."""

        async def run() -> Any:
            store = SqliteStore(self.data / FILE)
            room = Room(store, clock=lambda: self.clock, monotonic=lambda: self.passed)
            try:
                await room.clear_out()  # as at every start
                return await doing(room)
            finally:
                await room.close()

        return asyncio.run(run())

    def names(self) -> set[str]:
        """The tables that are there for players."""

        async def doing(room: Room) -> set[str]:
            found = set()
            for summary, _ in list(logs(self.data / FILE)):
                if room.services.store.table(summary.name) is not None:
                    found.add(summary.name)
            return found

        names: set[str] = self.run(doing)
        return names


async def three_tables(room: Room) -> set[str]:
    """One at which people gather, one at which they play, and one that is over."""
    gathering, playing, over = await opened(room), await started(room), await started(room)
    await play(over)
    return {live.table.name for live in (gathering, playing, over)}


async def nothing(room: Room) -> None:
    pass


# --- what is cleared when ---------------------------------------------------------------------------------------------


def test_tables_are_marked_when_their_time_has_passed_and_deleted_two_weeks_later(tmp_path: Path) -> None:
    machine = Machine(tmp_path)

    async def doing(room: Room) -> None:
        gathering, over = await opened(room), await started(room)
        await play(over)
        assert await room.clear_out() == 0
        machine.wait(3)
        assert await room.clear_out() == 1
        with pytest.raises(Missing):
            await room.find(gathering.table.name)
        assert (await room.find(over.table.name)).table.phase == "over"
        assert {summary.name for summary, _ in logs(tmp_path / FILE)} == {gathering.table.name, over.table.name}
        machine.wait(13.9)
        assert await room.clear_out() == 0
        machine.wait(0.2)
        assert await room.clear_out() == 1
        assert {summary.name for summary, _ in logs(tmp_path / FILE)} == {over.table.name}
        machine.wait(400)
        assert await room.clear_out() == 1
        machine.wait(14.1)
        assert await room.clear_out() == 1

    machine.run(doing)
    assert not list(logs(tmp_path / FILE))


def test_a_marked_table_is_neither_found_nor_listed_nor_resumed(tmp_path: Path) -> None:
    machine = Machine(tmp_path)

    async def doing(room: Room) -> None:
        live = await opened(room, is_open=True)
        started_one = await started(room, pace=Pace(10_000.0, 0.0, 0.0))
        assert [each.name for each in room.services.store.due()] == [started_one.table.name]
        machine.wait(91)
        assert await room.clear_out() == 2
        assert await room.open_tables() == []
        assert await room.resume() == 0
        for each in (live, started_one):
            with pytest.raises(Missing):
                await room.find(each.table.name)

    machine.run(doing)


# --- clocks that are wrong --------------------------------------------------------------------------------------------


def test_a_start_with_the_clock_far_ahead_clears_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine(tmp_path)
    names = machine.run(three_tables)
    machine.clock += 1000 * DAY
    assert machine.names() == names
    assert sum("The clock jumped" in line for line in caplog.messages) == 1
    machine.clock -= 1000 * DAY - 1
    assert machine.names() == names
    assert machine.names() == names


def test_a_clock_that_is_set_while_the_server_runs_clears_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path)

    async def doing(room: Room) -> set[str]:
        names = await three_tables(room)
        for days in (400, -400, 3, -3, 0.1, 5000):
            machine.clock += days * DAY
            assert await room.clear_out() == 0, days
            assert await room.clear_out() == 0, days
        assert room.retention.jumps == 6
        return names

    names = machine.run(doing)
    assert machine.names() == names


def test_a_machine_that_starts_in_1970_loses_nothing_when_its_clock_is_set(tmp_path: Path) -> None:
    machine = Machine(tmp_path, clock=60)
    names = machine.run(three_tables)
    machine.clock = BEGIN  # set while it was off
    assert machine.names() == names
    machine.clock = 60  # its battery is empty

    async def doing(room: Room) -> set[str]:
        more = await three_tables(room)
        machine.clock = BEGIN + 100 * DAY  # set while it runs
        assert await room.clear_out() == 0
        return more

    names |= machine.run(doing)
    assert machine.names() == names
    machine.clock += 5 * DAY
    assert len(machine.names()) == len(names) - 2, "then time counts again"


def test_marks_of_a_clock_that_was_ahead_are_taken_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    names = machine.run(three_tables)
    machine.clock += 6 * DAY  # as if it had been off for as long
    assert len(machine.names()) == 2
    machine.clock -= 6 * DAY
    assert machine.names() == names


def test_marked_tables_are_not_deleted_for_a_clock_that_jumped(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(three_tables)
    machine.clock += 5 * DAY
    machine.run(nothing)
    machine.clock += 100 * DAY
    machine.run(nothing)
    assert len(list(logs(tmp_path / FILE))) == 3


def test_no_order_of_clock_changes_deletes_before_the_time_has_passed(tmp_path: Path) -> None:
    """The whole of it: whatever the clock says, a table stays as long as the days have not really passed."""
    machine = Machine(tmp_path)
    names = machine.run(three_tables)
    for step, jump in enumerate((30, -1, 365, -390, 0.2, 7.5, -20000, 20000, 1.9)):
        machine.clock += jump * DAY + step
        assert machine.names() == names, (step, jump)


def test_a_restored_backup_counts_from_the_restore(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "data", clock=BEGIN - 1000 * DAY)
    (tmp_path / "data").mkdir()
    names = machine.run(three_tables)
    backup(tmp_path / "data", tmp_path / "copy")
    restore(tmp_path / "data", tmp_path / "copy")
    store = SqliteStore(tmp_path / "data" / FILE)
    assert store.stamps().since > BEGIN - 200 * DAY, "the time of the restore"
    machine.clock = store.stamps().since + 60
    store.close()
    assert machine.names() == names


def test_a_table_that_is_played_at_is_kept_after_a_clock_that_was_ahead(tmp_path: Path) -> None:
    """Its stamp is in the future until the next move, which replaces it."""
    machine = Machine(tmp_path, clock=BEGIN + 1000 * DAY)

    async def doing(room: Room) -> None:
        playing, gathering = await started(room, "lost-heir", 3, 3), await opened(room, players=4)
        machine.clock -= 1000 * DAY  # it is corrected
        assert await room.clear_out() == 0 and room.retention.jumps == 1
        for day in range(120):
            machine.wait(1)
            if day % 6 == 0:
                await play(playing, 1)
            await gathering.change(lambda table, day=day: table.lobby.put_bot(0, 3, "thumb" if day % 2 else ""))
            assert await room.clear_out() == 0, f"day {day}"

    machine.run(doing)


def test_marks_are_taken_back_later_where_that_fails_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(tmp_path)
    names = machine.run(three_tables)
    machine.clock += 6 * DAY
    assert len(machine.names()) == 2
    machine.clock -= 6 * DAY
    real, failures = SqliteStore.unmark, [True]

    def unmark(store: SqliteStore, after: int, now: int) -> Future[None]:
        if not failures:
            return real(store, after, now)
        failures.pop()
        failed: Future[None] = Future()
        failed.set_exception(Unsure("It could not be stored."))
        return failed

    monkeypatch.setattr(SqliteStore, "unmark", unmark)

    async def run() -> None:
        store = SqliteStore(tmp_path / FILE)
        room = Room(store, clock=lambda: machine.clock, monotonic=lambda: machine.passed)
        with pytest.raises(Unsure):
            await room.clear_out()
        assert room.retention.jumps == 0
        await room.clear_out()
        assert room.retention.jumps == 1
        assert all(store.table(name) is not None for name in names)
        await room.close()

    asyncio.run(run())


# --- bringing back ----------------------------------------------------------------------------------------------------


def test_a_marked_table_is_listed_and_can_be_brought_back(tmp_path: Path, cli: Cli) -> None:
    machine = Machine(tmp_path, clock=time.time() - 5 * DAY)
    names = machine.run(three_tables)
    machine.wait(5)
    left = machine.names()
    (gone,) = names - left
    data = ["--data", str(tmp_path)]
    code, listed, _ = cli("tables", *data)
    assert code == 0 and gone not in listed and all(name in listed for name in left) and "2 tables" in listed
    code, listed, _ = cli("tables", "--deleted", *data)
    assert code == 0 and gone in listed and "gathering" in listed and "gone on " in listed
    assert not any(name in listed for name in left)
    assert cli("tables", "--undelete", gone, *data)[0] == 0
    assert cli("tables", "--undelete", gone, *data)[0] == 2, "it is back already"
    assert [each.name for each in tables(tmp_path) if each.line and each.line.deleted is not None] == []

    async def doing(room: Room) -> None:
        assert (await room.find(gone)).table.phase == "gathering"

    machine.run(doing)


def test_a_table_is_brought_back_while_a_server_runs(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "data", clock=time.time() - 100 * DAY)
    (tmp_path / "data").mkdir()
    names = machine.run(three_tables)
    machine.wait(5)
    (gone,) = names - machine.names()
    with Server(tmp_path / "data") as server:
        assert server.ask("GET", f"/api/tables/{gone}")[0] == 404
        undelete(tmp_path / "data", gone)
        status, described = server.ask("GET", f"/api/tables/{gone}")
        assert (status, described["phase"]) == (200, "gathering")
        assert b"parlour_clock_jumps_total 1\n" in raw(server, "/metrics")


def raw(server: Server, path: str) -> bytes:
    """The body of an answer that is not JSON."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=WAIT) as answer:
        content: bytes = answer.read()
        return content


# --- what was never revealed ------------------------------------------------------------------------------------------


def test_sittings_that_were_never_revealed_are_counted_and_listed(tmp_path: Path, cli: Cli) -> None:
    machine = Machine(tmp_path / "data")
    (tmp_path / "data").mkdir()
    secrets: list[bytes] = []

    async def doing(room: Room) -> None:
        playing, over, gathering = await started(room), await started(room), await opened(room)
        await play(over)
        secrets.extend(live.table.secret for live in (playing, over, gathering))
        machine.wait(800)
        assert await room.clear_out() == 3
        assert room.services.store.unrevealed(0, 10)[0] == 0, "they are not gone yet"
        machine.wait(15)
        assert await room.clear_out() == 3
        count, found = room.services.store.unrevealed(0, 10)
        assert count == 1 and found[0].commitment == commitment_of(secrets[0])
        assert (found[0].game, found[0].gone) == ("heraldry", int(machine.clock))
        another = await started(room)
        secrets.append(another.table.secret)
        await asyncio.wrap_future(room.services.store.delete([another.table.name]))

    machine.run(doing)
    code, listed, _ = cli("tables", "--unrevealed", "--data", str(tmp_path / "data"))
    assert code == 0 and "2 sittings never revealed" in listed
    assert commitment_of(secrets[0]) in listed and commitment_of(secrets[3]) in listed
    with Server(tmp_path / "data") as server:
        status, answer = server.ask("GET", "/api/unrevealed")
        assert status == 200 and answer["total"] == 2
        assert [each["commitment"] for each in answer["sittings"]] == [commitment_of(secrets[n]) for n in (3, 0)]
        assert len(server.ask("GET", "/api/unrevealed?first=1")[1]["sittings"]) == 1
        assert b"parlour_sittings_unrevealed 2\n" in raw(server, "/metrics")


def test_a_restore_notes_the_sittings_that_it_replaces(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "data")
    (tmp_path / "data").mkdir()
    machine.run(three_tables)
    backup(tmp_path / "data", tmp_path / "copy")
    machine.run(three_tables)
    restore(tmp_path / "data", tmp_path / "copy")
    store = SqliteStore(tmp_path / "data" / FILE)
    count, found = store.unrevealed(0, 10)
    store.close()
    assert count == 1 and found[0].why == "its table was replaced by a backup"


def test_the_command_says_when_there_is_nothing_to_list(tmp_path: Path) -> None:
    assert main(["tables", "--data", str(tmp_path / "nowhere")]) == 2
