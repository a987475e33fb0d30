"""Damage: a flipped bit, a broken page or a lost row hurts one table, is noticed, and everything else goes on."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from parlour.server import messages as wire
from parlour.server.admin import audit, backup, restore, salvage, unrevealed
from parlour.server.data import FILE
from parlour.server.notes import Apart, insert_apart, insert_unrevealed
from parlour.server.reading import Stored, examined, logs, walk
from parlour.server.requests import Requests
from parlour.server.retention import Retention
from parlour.server.room import Room
from parlour.server.rows import Damaged, LogRow
from parlour.server.scan import scan
from parlour.server.schema import commitment_of, connect
from parlour.server.series import Missing
from parlour.server.settings import Pace
from parlour.server.sqlite import SqliteStore
from parlour.server.store import FAULTS, Batch, StoreError, Summary, Unrevealed, Window
from support.cli import Cli
from support.effort import times
from support.rooms import any_move, in_a_room, play, started
from support.rooms import opened as gathered
from support.server import Server, at
from support.wait import WAIT

PAGE = 4096


async def some_play(room: Room) -> None:
    """Tables of all phases; some moves were asked for, and have marks."""
    for number in range(6):
        await gathered(room, is_open=number == 0)
    for moves in (0, 3, 6, 9, 10**6, 10**6):
        await play(await started(room, "lost-heir" if moves == 6 else "heraldry", 3 if moves == 6 else 2), moves)
    live = await started(room)
    luck = random.Random(1)
    for number in range(12):
        seat = live.table.deciding
        asked = wire.Act(id=f"{number}", number=live.table.size, move=list(any_move(live.table, luck)))
        assert isinstance(await Requests(room, live, at(live, seat)).answer(asked), wire.Done)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good store."""
    folder = tmp_path_factory.mktemp("good")
    in_a_room(folder, some_play)
    return folder


def copied(good: Path, to: Path) -> Path:
    """The file of a copy of a store."""
    to.mkdir(parents=True, exist_ok=True)
    shutil.copy(good / FILE, to / FILE)
    return to / FILE


def found(path: Path) -> dict[str, Stored]:
    """Every table that can be found in a file, by its name."""
    with examined(path) as (connection, _):
        return {stored.name: stored for stored in walk(connection)}


def changed(path: Path, *statements: str) -> None:
    """Change a store behind its back."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def some_name(path: Path, which: str) -> str:
    connection = sqlite3.connect(path)
    (name,) = connection.execute(f"SELECT name FROM tables WHERE {which}").fetchone()
    connection.close()
    return str(name)


async def tried(room: Room, names: set[str]) -> set[str]:
    """Play on at tables; those that cannot be found or are set apart."""
    missing = set()
    for name in sorted(names):
        try:
            await play(await room.find(name), 3)
        except (Damaged, Missing):
            missing.add(name)
    return missing


# --- single bits ------------------------------------------------------------------------------------------------------


def flipped(content: bytes, luck: random.Random) -> bytes:
    """A file with one bit flipped: anywhere, or where SQLite describes a page."""
    place = luck.randrange(len(content))
    if luck.random() < 0.3:
        place = place // PAGE * PAGE + luck.randrange(60)
    changed = bytearray(content)
    changed[place] ^= 1 << luck.randrange(8)
    return bytes(changed)


def check_flip(good: Path, folder: Path, seed: int) -> str:
    """Flip a bit, and see that it hurts nothing else; what was noticed."""
    path = copied(good, folder)
    before = found(path)
    path.write_bytes(flipped(path.read_bytes(), random.Random(seed)))
    said: list[str] = []
    try:
        _, wrong = audit(path, said.append)
    except FAULTS:
        wrong, well = 1, set()
        outcome = "refused"
    else:
        after = found(path)
        named = {line.partition(":")[0] for line in said}
        well = {name for name, stored in after.items() if name not in named}
        for name in well:
            assert after[name] == before[name], f"{name} is called good, and is not what was stored"
        assert wrong or well == before.keys(), "something is missing, and nobody says so"
        outcome = "noticed" if wrong else "no effect"

    async def serve() -> None:
        try:
            store = SqliteStore(path)
        except FAULTS:
            return
        room = Room(store)
        try:
            await room.resume()
            await room.open_tables()
            assert not await tried(room, well), "a table that is good does not go on"
            lost = await tried(room, before.keys() - well)
            if wrong and lost:
                assert store.damaged(), "a table is missing, and nobody says so"
        finally:
            await room.close()
        stored = found(path)
        for name in well:
            assert stored[name].rows[: len(before[name].rows)] == before[name].rows

    asyncio.run(serve())
    return outcome


def test_a_flipped_bit_is_noticed_and_hurts_nothing_else(good: Path, tmp_path: Path) -> None:
    outcomes: list[str] = []
    for seed in range(times(60, 5000)):
        folder = tmp_path / str(seed)
        try:
            outcomes.append(check_flip(good, folder, seed))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
        shutil.rmtree(folder)
    assert outcomes.count("noticed") > len(outcomes) / 4


# --- the structure of the file ----------------------------------------------------------------------------------------

LOST = [Unrevealed(f"{number:064x}", "heraldry", "2026-01-01", 1_800_000_000 + number, "a test") for number in range(4)]
SET_APART = [Apart(f"apart {number}", "a test", 1_800_000_000 + number) for number in range(3)]
BEAT, SINCE = 1_800_000_500, 1_799_000_500


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small store that also has notes of every kind."""
    folder = tmp_path_factory.mktemp("noted")

    async def doing(room: Room) -> None:
        await gathered(room, is_open=True)
        await gathered(room)
        await play(await started(room, pace=Pace(10_000.0, 0.0, 0.0)), 5)
        await play(await started(room), 20)
        await asyncio.wrap_future(room.services.store.set_stamps(BEAT, SINCE))

    in_a_room(folder, doing)
    with closing(connect(folder / FILE)) as connection:
        for sitting in LOST:
            insert_unrevealed(connection, sitting)
        for table in SET_APART:
            insert_apart(connection, table)
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    return folder


def roots(path: Path) -> dict[str, int]:
    """The first page of every table and index."""
    connection = sqlite3.connect(path)
    found = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    connection.close()
    return found


def check_root(noted: Path, folder: Path, page: int, luck: random.Random) -> None:
    """Flip a bit where a page is described, or anywhere in it: the server starts, and at most one thing is lost."""
    path = copied(noted, folder)
    before, content = found(path), bytearray(path.read_bytes())
    began = int(time.time())
    place = (page - 1) * PAGE + luck.randrange(luck.choice((12, 100, PAGE)))
    content[place] ^= 1 << luck.randrange(8)
    path.write_bytes(content)
    said: list[str] = []
    audit(path, said.append)
    said = [line for line in said if not line.startswith("apart ")]
    saved = salvage(folder, folder / "saved")
    assert saved.good >= len(before) - 1, f"{len(before) - saved.good} tables lost at {place}"
    store = SqliteStore(path)
    try:
        lost = 0
        for name, stored in before.items():
            try:
                again = store.table(name)
                assert again is None or again[1] == stored.rows, f"{name} is not what was stored at {place}"
                lost += again is None  # where its name is the damage
            except Damaged:
                lost += 1
        sittings, stamps, apart = store.unrevealed(0, 10)[1], store.stamps(), store.damaged()
        unrevealed = {*sittings} - {*LOST}  # of the table that is lost, if it was dealt
        secrets = {commitment_of(stored.line.summary.secret) for stored in before.values() if stored.line}
        assert {each.commitment for each in unrevealed} <= secrets, f"a commitment that was never noted at {place}"
        assert len(unrevealed) <= lost, f"a sitting is not revealed, and its table not lost at {place}"
        lost += len({*LOST} - {*sittings}) + sum(table.name not in apart for table in SET_APART)
        assert stamps.since in (SINCE, 0) or stamps.since >= began, f"another time at {place}: {stamps}"
        known = stamps.since >= min(SINCE, began) or stamps.doubtful
        assert known, f"a time that was lost, and nobody says so at {place}"
        store.append(one_row("after", True)).result(WAIT)
        store.due(), store.open_tables(9), store.old_tables(["over"], Window(9, 10)), store.marked(Window(9, 10))
    finally:
        store.close()
    assert lost <= 1, f"{lost} things lost at {place}"
    damaged = (folder / f"{FILE}.damaged").exists()
    assert said or not (lost or damaged), f"an audit found nothing at {place}, and the start did"


def one_row(name: str, is_open: bool = False, number: int = 0) -> Batch:
    """A batch with one row."""
    return Batch(Summary(name, bytes(32), "gathering", is_open, False, 1), [LogRow(number, ["a"])])


def test_a_flipped_bit_in_the_structure_of_the_file_loses_at_most_one_thing(noted: Path, tmp_path: Path) -> None:
    """In page 1, and in the first page of every table and index: those that are small have no other."""
    pages = [1, 1, *sorted(roots(noted / FILE).values())]
    luck = random.Random(15)
    for number in range(times(3, 300) * len(pages)):
        check_root(noted, tmp_path / str(number), pages[number % len(pages)], luck)
        shutil.rmtree(tmp_path / str(number))


@pytest.mark.parametrize("place", [0, 18, 19, 20, 56, 100, 103, 105, 108])
def test_a_damaged_first_page_does_not_hide_what_is_in_the_write_ahead_log(
    good: Path, tmp_path: Path, place: int
) -> None:
    path = killed(good, tmp_path)
    before = {stored.name for stored in found(good / FILE).values()}
    content = bytearray(path.read_bytes())
    content[place] ^= 0x80
    path.write_bytes(content)
    assert left_of_log(path) == LOGGED
    assert before <= found(path).keys()
    store = SqliteStore(path)
    store.append(one_row("another")).result(WAIT)
    store.close()


def test_a_scan_finds_every_row_of_a_file(good: Path, noted: Path, tmp_path: Path) -> None:
    for folder in (good, noted):
        to = tmp_path / folder.name
        to.mkdir()
        assert dumped(scan(folder / FILE, to)[0]) == dumped(folder / FILE)


def test_a_scan_reads_long_rows_and_the_write_ahead_log(good: Path, tmp_path: Path) -> None:
    path = killed(good, tmp_path)
    sizes = (900, 1002, 1003, 4000, 4061, 4096, 5100, 8190, 20_000, 100_000)
    store = SqliteStore(path)
    for number, size in enumerate(sizes):
        store.append(Batch(one_row("long").summary, [LogRow(number, ["a", "b" * size])])).result(WAIT)
    (tmp_path / "to").mkdir()
    copy, _ = scan(path, tmp_path / "to")
    store.close()
    assert found(copy)["long"].rows == [LogRow(number, ["a", "b" * size]) for number, size in enumerate(sizes)]
    assert LOGGED == [name for name in found(copy) if name in LOGGED]


def dumped(path: Path) -> str:
    connection = sqlite3.connect(path)
    text = "\n".join(connection.iterdump())
    connection.close()
    return text


def test_a_server_with_one_table_starts_where_that_one_is_damaged(tmp_path: Path, cli: Cli) -> None:
    async def doing(room: Room) -> str:
        live = await started(room)
        await play(live, 20)
        return live.table.name

    name = in_a_room(tmp_path, doing)
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    place = (roots(path)["log"] - 1) * PAGE
    content[place : place + PAGE] = random.Random(1).randbytes(PAGE)
    path.write_bytes(content)
    store = SqliteStore(path)
    with pytest.raises(Damaged):
        store.table(name)
    store.append(one_row("another")).result(WAIT)
    store.close()


# --- notes beside the tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bit", [1, 7])
def test_a_damaged_note_hides_no_other_and_is_named(noted: Path, tmp_path: Path, bit: int) -> None:
    path = copied(noted, tmp_path / "data")
    content = bytearray(path.read_bytes())
    content[content.index(LOST[2].commitment.encode()) + 5] ^= 1 << bit
    content[content.index(SET_APART[1].name.encode()) + 2] ^= 1 << bit
    path.write_bytes(content)
    left = [LOST[3], LOST[1], LOST[0]]
    said: list[str] = []
    assert audit(path, said.append)[1] == 1 + len(SET_APART) - 1
    assert any("note 3 of a sitting never revealed" in line for line in said)
    assert any("note 2 of a table set apart" in line for line in said)
    assert unrevealed(tmp_path / "data") == left
    backup(tmp_path / "data", tmp_path / "copy")
    restore(tmp_path / "other", tmp_path / "copy")
    for folder in (tmp_path / "data", tmp_path / "other"):
        for _ in range(2):
            store = SqliteStore(folder / FILE)
            assert store.unrevealed(0, 10)[1] == left
            assert {SET_APART[0].name, SET_APART[2].name} < set(store.damaged())
            store.close()
        assert audit(folder / FILE, said.append)[1] == len(SET_APART) + 1, "it is still known that two notes are lost"


@pytest.mark.parametrize("what", [BEAT, SINCE])
@pytest.mark.parametrize("bit", [0, 12, 30])
def test_a_damaged_time_is_not_believed(
    noted: Path, tmp_path: Path, what: int, bit: int, caplog: pytest.LogCaptureFixture
) -> None:
    path = copied(noted, tmp_path)
    content = bytearray(path.read_bytes())
    place = content.index(what.to_bytes(4, "big"))
    content[place : place + 4] = (what ^ 1 << bit).to_bytes(4, "big")
    path.write_bytes(content)
    said: list[str] = []
    assert audit(path, said.append)[1] == len(SET_APART) + 1
    assert any("the time that was noted" in line for line in said)
    began = int(time.time())
    store = SqliteStore(path)
    assert store.stamps().since >= began, "ages count from now on"
    store.close()


def test_a_damaged_time_counts_as_a_jump_of_the_clock(noted: Path, tmp_path: Path) -> None:
    """As where a file is damaged while nobody looks: between the check at the start and reading the time."""
    store = SqliteStore(copied(noted, tmp_path))
    store._stamps = store.stamps()._replace(since=0, doubtful=True)

    async def look() -> None:
        retention = Retention(store, lambda: BEAT + 60.0, lambda: 0.0)
        assert await retention.look() == BEAT + 60
        assert (retention.since, retention.jumps) == (BEAT + 60, 1)
        await retention.look()
        assert retention.jumps == 1

    asyncio.run(look())
    store.close()


def test_a_sitting_whose_line_is_damaged_is_noted_as_never_revealed(good: Path, tmp_path: Path) -> None:
    path = copied(good, tmp_path / "data")
    secrets = {}
    for phase in ("playing", "gathering", "over"):
        name = some_name(path, f"phase = '{phase}'")
        secrets[phase] = found(path)[name].line
        changed(path, f"UPDATE tables SET touched = touched + 1 WHERE name = '{name}'")
    restore(tmp_path / "other", path)
    sittings = unrevealed(tmp_path / "other")
    line = secrets["playing"]
    assert line is not None and [each.commitment for each in sittings] == [commitment_of(line.summary.secret)]
    assert sittings[0].game == "heraldry" and sittings[0].why == "its table was damaged"


# --- damage while a server runs ---------------------------------------------------------------------------------------


def first_byte(path: Path, index: str) -> int:
    """Where the first page of an index begins."""
    return (roots(path)[index] - 1) * PAGE


def flip(path: Path, place: int) -> None:
    """Flip a bit of a file that a server has open; by another process, as closing a file takes away our locks."""
    program = "import sys; f = open(sys.argv[1], 'r+b'); f.seek(int(sys.argv[2])); b = f.read(1)[0] ^ 8"
    program += "; f.seek(int(sys.argv[2])); f.write(bytes([b]))"
    subprocess.run([sys.executable, "-c", program, str(path), str(place)], check=True, timeout=WAIT)


def held_up(store: SqliteStore) -> threading.Event:
    """Let the writer wait, so that what is asked for in the meantime is committed together."""
    gate, begun = threading.Event(), threading.Event()
    store.writer.ask(lambda connection: (begun.set(), gate.wait(WAIT), None)[2])
    assert begun.wait(WAIT)
    return gate


def test_damage_while_a_server_runs_leads_to_a_new_start_that_mends_it(good: Path, tmp_path: Path) -> None:
    path = copied(good, tmp_path)
    names = found(path).keys()
    failed = threading.Event()
    place = first_byte(path, "tables_open")
    store = SqliteStore(path, on_failure=failed.set)
    flip(path, place)
    gate = held_up(store)
    asked = {name: store.append(one_row(name, is_open=name == "open")) for name in ("honest", "open")}
    gate.set()
    stored = set()
    for name, each in asked.items():
        try:
            each.result(WAIT)
            stored.add(name)
        except StoreError:
            pass
    assert failed.wait(WAIT) and not store.healthy()
    store.close()
    again = SqliteStore(path)
    for name in {*names, *stored}:
        assert again.table(name) is not None
    for name in asked.keys() - stored:
        again.append(one_row(name, is_open=name == "open")).result(WAIT)
    assert again.healthy() and "open" in {each.name for each in again.open_tables(99)}
    again.close()


def test_a_list_whose_index_breaks_while_a_server_runs_is_still_made(good: Path, tmp_path: Path) -> None:
    path = copied(good, tmp_path)
    failed = threading.Event()
    store = SqliteStore(path)
    name = some_name(path, "open")
    store.mark([name], Window(1 << 40, 1 << 50), 7).result(WAIT)
    store.close()
    place = first_byte(path, "tables_deleted")
    store = SqliteStore(path, on_failure=failed.set)
    flip(path, place)
    assert store.marked(Window(8, 9)) == [name]
    assert failed.wait(WAIT), "and the server starts again, which mends it"
    store.close()
    again = SqliteStore(path)
    assert again.marked(Window(8, 9)) == [name]
    again.close()


def test_damage_to_one_table_does_not_stop_a_server(good: Path, tmp_path: Path) -> None:
    """A wrong row is no damage to the structure: a new start would change nothing."""
    path = copied(good, tmp_path)
    failed = threading.Event()
    name = some_name(path, "key = 8")
    store = SqliteStore(path, on_failure=failed.set)
    with closing(connect(path)) as connection:  # by the same library, as another would take away the locks
        connection.execute(DAMAGES["a wrong time"].format(key=8))
    with pytest.raises(Damaged):
        store.table(name)
    with pytest.raises(StoreError, match="damaged"):
        store.append(one_row(name, number=5)).result(WAIT)
    store.append(one_row("another")).result(WAIT)
    assert store.healthy() and not failed.is_set()
    store.close()


# --- one damaged table ------------------------------------------------------------------------------------------------

DAMAGES = {
    "a high bit in a name": "UPDATE log SET entry = CAST(x'D0' || entry AS TEXT) WHERE key = {key} AND number = 1",
    "JSON that is none": "UPDATE log SET entry = '[' WHERE key = {key} AND number = 3",
    "a wrong mark of a request": "UPDATE log SET action = zeroblob(24) WHERE key = {key} AND number = 4",
    "the digest of a token": "UPDATE log SET entry = replace(entry, 'a', 'b') WHERE key = {key} AND number = 1",
    "a row of the wrong type": "UPDATE log SET entry = 7 WHERE key = {key} AND number = 2",
    "a lost row": "DELETE FROM log WHERE key = {key} AND number = 2",
    "the last row": "DELETE FROM log WHERE key = {key} AND number = (SELECT max(number) FROM log WHERE key = {key})",
    "a wrong secret": "UPDATE tables SET secret = zeroblob(32) WHERE key = {key}",
    "a short secret": "UPDATE tables SET secret = x'00' WHERE key = {key}",
    "a wrong time": "UPDATE tables SET touched = 1 WHERE key = {key}",
    "a time of the wrong type": "UPDATE tables SET touched = 'soon' WHERE key = {key}",
    "a phase that is not text": "UPDATE tables SET phase = x'FF' WHERE key = {key}",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_is_set_apart_and_the_others_go_on(
    good: Path, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = copied(good, tmp_path)
    before = found(path)
    name = some_name(path, "key = 8")
    changed(path, DAMAGES[damage].format(key=8))
    said: list[str] = []
    assert audit(path, said.append) == (len(before), 1)
    assert said[0].startswith(name)

    async def doing(room: Room) -> None:
        assert await tried(room, set(before)) == {name}
        for _ in range(3):
            with pytest.raises(Damaged, match="set apart"):
                await room.find(name)
        assert set(room.services.store.damaged()) == {name}

    in_a_room(tmp_path, doing)
    assert sum(name in line for line in caplog.messages) == 1, "one line in the log, however often it is asked for"
    assert audit(path, said.append) == (len(before), 1)


def test_a_damaged_open_table_is_left_out_of_the_list(good: Path, tmp_path: Path) -> None:
    path = copied(good, tmp_path)
    name = some_name(path, "open")
    changed(path, f"UPDATE log SET entry = '[]' WHERE key = (SELECT key FROM tables WHERE name = '{name}')")

    async def doing(room: Room) -> None:
        live = await gathered(room, is_open=True)
        assert [each["table"] for each in await room.open_tables()] == [live.table.name]

    in_a_room(tmp_path, doing)


def test_whoever_asks_for_a_damaged_table_gets_one_sentence(good: Path, tmp_path: Path) -> None:
    path = copied(good, tmp_path / "data")
    name = some_name(path, "key = 8")
    changed(path, DAMAGES["JSON that is none"].format(key=8))
    with Server(tmp_path / "data") as server:
        for _ in range(3):
            status, answer = server.ask("GET", f"/api/tables/{name}")
            assert status == 503 and "set apart" in answer["sentence"]
        assert server.ask("GET", "/api/tables")[0] == 200
        assert server.ask("GET", f"/api/tables/{some_name(path, 'key = 9')}")[0] == 200
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert log.count(name) == 1 and "Traceback" not in log


def test_an_old_store_with_a_damaged_table_is_migrated_without_it(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(Path(__file__).with_name("tables_1.sql").read_text(encoding="utf-8"))
    connection.close()
    changed(tmp_path / FILE, "UPDATE log SET entry = CAST(x'FFFE' AS TEXT) WHERE key = 2 AND number = 9")

    async def doing(room: Room) -> None:
        with pytest.raises(Damaged):
            await room.find("secret 3")
        assert (await room.find("secret 7")).table.phase == "over"
        count, sittings = room.services.store.unrevealed(0, 10)
        assert count == 1 and sittings[0].why == "its table was damaged", "it had been dealt"

    in_a_room(tmp_path, doing)
    in_a_room(tmp_path, doing)
    assert audit(tmp_path / FILE, print) == (5, 1)
    assert audit(tmp_path / f"{FILE}.schema-1", print) == (5, 1), "the file from before has it still"


# --- the write-ahead log ----------------------------------------------------------------------------------------------


LOGGED = [f"logged {number}" for number in range(20)]  # no name that a server gives has a space


def killed(good: Path, to: Path) -> Path:
    """A store as a killed server leaves it: the tables `LOGGED` are in its write-ahead log, one to a transaction."""
    path = copied(good, to / "running")
    store = SqliteStore(path)
    for name in LOGGED:
        summary = Summary(name, bytes(32), "gathering", False, False, 0)
        store.append(Batch(summary, [LogRow(0, ["a", "b" * 3000])])).result(WAIT)
    for each in path.parent.iterdir():
        if not each.name.endswith("-shm"):
            shutil.copy(each, to)
    store.close()
    return to / FILE


def left_of_log(path: Path) -> list[str]:
    """The tables of a write-ahead log that a store has after it was opened."""
    SqliteStore(path).close()
    found = {summary.name for summary, _ in logs(path)}
    return [name for name in LOGGED if name in found]


FRAME = 32 + 24 + PAGE  # where the second page of a log begins, with a head of its own


@pytest.mark.parametrize("place", [0, 3, 9, 20, 30, 35, 39, 42, 50, FRAME + 3, 0.1, 0.5])
def test_damage_in_the_write_ahead_log_is_noticed_and_loses_at_most_one_table(
    good: Path, tmp_path: Path, place: float, caplog: pytest.LogCaptureFixture
) -> None:
    path = killed(good, tmp_path)
    before = {stored.name for stored in found(good / FILE).values()}
    log = path.with_name(f"{FILE}-wal")
    content = bytearray(log.read_bytes())
    content[int(len(content) * place) if isinstance(place, float) else place] ^= 1
    log.write_bytes(content)
    told: list[str] = []
    assert audit(path, told.append)[1] and "write-ahead log is damaged" in told[0]
    assert log.read_bytes() == content, "an audit changes nothing"
    left = left_of_log(path)
    assert len(left) >= len(LOGGED) - 1
    assert before <= found(path).keys()
    assert "write-ahead log is damaged" in caplog.text
    assert path.with_name(f"{FILE}.damaged-wal").read_bytes() == content


def test_a_file_that_is_lost_is_made_again_from_its_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / FILE
    store = SqliteStore(path)
    store.append(one_row("one")).result(WAIT)
    log = path.with_name(f"{FILE}-wal")
    content = log.read_bytes()
    store.close()
    path.write_bytes(b"")
    log.write_bytes(content)
    SqliteStore(path).close()
    assert [summary.name for summary, _ in logs(path)] == ["one"]


def test_a_write_ahead_log_that_ends_in_the_middle_is_not_called_damaged(
    good: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = killed(good, tmp_path)
    log = path.with_name(f"{FILE}-wal")
    log.write_bytes(log.read_bytes()[:-5000])
    assert left_of_log(path) == LOGGED[:-1]
    assert "damaged" not in caplog.text


# --- copies of damaged stores -----------------------------------------------------------------------------------------


def test_a_backup_with_one_damaged_table_is_restored_without_it(good: Path, tmp_path: Path, cli: Cli) -> None:
    path = copied(good, tmp_path / "copy")
    every = len(found(path))
    name = some_name(path, "key = 8")
    changed(path, DAMAGES["a high bit in a name"].format(key=8))
    data = tmp_path / "data"
    code, shown, _ = cli("restore", str(path), "--data", str(data))
    assert code == 1 and "restored" in shown and f"Left out: {name}" in shown
    assert len(list(logs(data / FILE))) == every - 1


def leaf_pages(path: Path) -> list[int]:
    """The pages of a store, other than the first, that are leaves of the tree of rows."""
    content = path.read_bytes()
    return [place for place in range(PAGE, len(content), PAGE) if content[place] == 0x0A]


def test_a_broken_page_does_not_hide_the_rest(good: Path, tmp_path: Path, cli: Cli) -> None:
    path = copied(good, tmp_path / "data")
    before = found(path)
    content = bytearray(path.read_bytes())
    longest = max(before.values(), key=lambda stored: len(stored.rows))
    place = content.index(longest.rows[len(longest.rows) // 2].head or b"") // PAGE * PAGE
    content[place : place + PAGE] = random.Random(1).randbytes(PAGE)
    path.write_bytes(content)
    data = ["--data", str(tmp_path / "data")]
    code, shown, _ = cli("audit", *data)
    assert code == 1 and "Traceback" not in shown
    damaged = {name for name in before if f"{name}: " in shown}
    assert 0 < len(damaged) < len(before) / 2
    code, shown, _ = cli("salvage", str(tmp_path / "good.copy"), *data)
    assert code == 1 and all(f"Left out: {name}" in shown for name in damaged)
    saved = found(tmp_path / "good.copy")
    assert saved.keys() == before.keys() - damaged
    assert all(saved[name].rows == before[name].rows for name in saved)
    assert audit(tmp_path / "good.copy", print) == (len(saved), 0)
    assert cli("salvage", str(tmp_path / "good.copy"), *data)[0] == 2, "it is there already"
    with pytest.raises(StoreError, match="salvage"):
        backup(tmp_path / "data", tmp_path / "copy")

    async def doing(room: Room) -> None:
        assert await tried(room, set(before)) == damaged
        await gathered(room)

    in_a_room(tmp_path / "data", doing)
    assert list((tmp_path / "data").glob(f"{FILE}.damaged*")), (
        "the old file is set aside, and a whole one is written to"
    )
    assert salvage(tmp_path / "data", tmp_path / "again").left_out == []


def test_a_file_that_is_mostly_damaged_is_refused_in_one_sentence(good: Path, tmp_path: Path, cli: Cli) -> None:
    path = copied(good, tmp_path)
    content = bytearray(path.read_bytes())
    for place in leaf_pages(path):
        content[place : place + PAGE] = bytes(PAGE)
    path.write_bytes(content)
    code, _, wrong = cli("serve", "--port", "0", "--data", str(tmp_path))
    assert code == 2 and "Traceback" not in wrong and wrong.splitlines()[-1].endswith("Restore a backup.")
    assert path.read_bytes() == content, "nothing was changed"
    with pytest.raises(StoreError, match="damaged"):
        restore(tmp_path / "other", path)


@pytest.mark.parametrize("content", [b"nonsense" * 1000, b"SQLite format 3\0" + bytes(8000)])
def test_a_file_of_nonsense_is_refused_in_one_sentence(tmp_path: Path, content: bytes, cli: Cli) -> None:
    (tmp_path / FILE).write_bytes(content)
    for command in (["serve", "--port", "0"], ["audit"], ["tables"], ["salvage", str(tmp_path / "out")]):
        code, _, wrong = cli(*command, "--data", str(tmp_path))
        assert code == 2 and wrong.startswith("parlour: ") and wrong.count("\n") == 1, command


def test_what_cannot_be_restored_brought_back_or_served_is_refused_in_one_sentence(
    good: Path, tmp_path: Path, cli: Cli
) -> None:
    path = copied(good, tmp_path)
    before = path.read_bytes()
    empty = tmp_path / "empty"
    empty.touch()
    commands = (["restore", str(empty)], ["restore", str(tmp_path)], ["tables", "--undelete", "\udcff"])
    for command in (*commands, ["serve", "--port", "0", "--data", str(path)]):
        code, _, wrong = cli(*command, *(["--data", str(tmp_path)] if "--data" not in command else []))
        assert code == 2 and wrong.startswith("parlour: ") and wrong.count("\n") == 1, (command, wrong)
        assert "output" not in wrong
    assert path.read_bytes() == before
