"""Damage: a flipped bit, a broken page or a lost row hurts one table, is noticed, and everything else goes on."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from parlour.server import messages as wire
from parlour.server.admin import audit, backup, restore, salvage
from parlour.server.data import FILE
from parlour.server.reading import Stored, examined, logs, walk
from parlour.server.requests import Requests
from parlour.server.room import Missing, Room
from parlour.server.rows import Damaged, LogRow
from parlour.server.sqlite import SqliteStore
from parlour.server.store import FAULTS, Batch, StoreError, Summary
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


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8])
def test_damage_in_the_write_ahead_log_is_noticed(
    good: Path, tmp_path: Path, share: float, caplog: pytest.LogCaptureFixture
) -> None:
    path = killed(good, tmp_path)
    log = path.with_name(f"{FILE}-wal")
    content = bytearray(log.read_bytes())
    content[int(len(content) * share) + (20 if share == 0 else 0)] ^= 1
    log.write_bytes(content)
    left = left_of_log(path)
    assert len(left) < len(LOGGED) and left == LOGGED[: len(left)]
    assert f"{FILE}-wal is damaged" in caplog.text
    (aside,) = tmp_path.glob(f"{FILE}-wal.damaged-*")
    assert aside.read_bytes() == content


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
