"""A disk whose sync fails: nothing that was written since is trusted, and the server starts again from the file."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from parlour.server import writer
from parlour.server.admin import audit
from parlour.server.data import FILE, write_again
from parlour.server.reading import logs
from parlour.server.room import Room
from parlour.server.rows import LogRow
from parlour.server.sqlite import SqliteStore
from parlour.server.store import Batch, Summary, Unsure
from support.disk import Disk
from support.durable import Sitter, Stubborn, acknowledged, check_nothing_lost, check_told, seated, wait_for_moves
from support.server import Person, Server
from support.wait import WAIT, wait_until

# Fails every sync of a process while a certain file exists.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int failing(void) {
    const char *file = getenv("FAILING_DISK");
    return file && access(file, F_OK) == 0;
}

int fsync(int fd) {
    if (failing()) { errno = EIO; return -1; }
    return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
    if (failing()) { errno = EIO; return -1; }
    return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that lets syncs fail."""
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.c").write_text(SHIM)
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-shared", "-fPIC", "-o", str(folder / "shim.so"), str(folder / "shim.c"), "-ldl"]
    subprocess.run(command, check=True, timeout=WAIT)
    return folder / "shim.so"


# --- in this process --------------------------------------------------------------------------------------------------


def test_after_a_failed_sync_nothing_more_is_stored_until_a_new_start(tmp_path: Path) -> None:
    luck = random.Random(3)
    disk = Disk("disk that fails once")
    path = tmp_path / FILE
    told: list[str] = []

    async def run() -> None:
        store = SqliteStore(path, vfs=disk.name, on_failure=lambda: told.append("failed"))
        room = Room(store)
        people = await seated(room, "heraldry", 2)
        name = people[0].live.table.name
        for _ in range(6):
            assert await people[people[0].live.table.deciding].act(luck) == "Done"
        disk.failing = True
        assert await people[people[0].live.table.deciding].act(luck) == "Failed"
        disk.failing = False
        assert not store.healthy() and told == ["failed"]
        for _ in range(3):  # the disk says that it is well again, but nobody knows what it has lost
            with pytest.raises(Unsure):
                await room.open(game="heraldry", players=2, options={})
        assert told == ["failed"]
        await room.close()
        again = Room(SqliteStore(path))
        live = await again.find(name)
        more = [Sitter(again, live, seat) for seat in range(2)]
        while live.table.deciding >= 0:
            assert await more[live.table.deciding].act(luck) == "Done"
        await again.close()
        check_told(path, [people, more])

    asyncio.run(run())


def test_who_asks_late_is_told_of_a_failure_too(tmp_path: Path) -> None:
    """The store begins to write before the server that it must stop is made."""
    disk = Disk("disk that fails early")
    store = SqliteStore(tmp_path / FILE, vfs=disk.name)
    told: list[str] = []
    disk.failing = True
    with pytest.raises(Unsure):
        store.set_stamps(1, 1).result(WAIT)
    store.on_failure = lambda: told.append("failed")
    assert told == ["failed"]
    store.close()


def test_requests_that_wait_when_the_disk_fails_are_all_answered(tmp_path: Path) -> None:
    disk = Disk("disk that fails for many")
    store = SqliteStore(tmp_path / FILE, vfs=disk.name)
    disk.failing = True
    asked = [
        store.append(Batch(Summary(f"t{number}", bytes(32), "gathering", False, False, 0), [LogRow(0, ["a"])]))
        for number in range(2000)
    ]
    for each in asked:
        with pytest.raises(Unsure):
            each.result(WAIT)
    store.close()


def test_a_checkpoint_that_cannot_be_synced_is_a_failure_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite hides such a failure where it makes checkpoints by itself; the next sync would wrongly succeed."""
    monkeypatch.setattr(writer, "CHECKPOINT_PAGES", 20)
    failed = threading.Event()
    disk = Disk("disk whose main file fails")
    store = SqliteStore(tmp_path / FILE, vfs=disk.name, on_failure=failed.set)
    disk.failing_files = (FILE,)
    stored = 0
    for number in range(200):
        summary = Summary(f"t{number}", bytes(32), "gathering", False, False, 0)
        try:
            store.append(Batch(summary, [LogRow(0, ["a"])])).result(WAIT)
        except Unsure:
            break
        stored += 1
    assert failed.wait(WAIT) and 0 < stored < 200
    store.close()
    assert len(list(logs(tmp_path / FILE))) == stored, "all that was acknowledged is still in the write-ahead log"
    assert (tmp_path / f"{FILE}-wal").stat().st_size > 0, "which nobody has thrown away"


def test_the_write_ahead_log_is_written_again_at_every_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(tmp_path / FILE)
    store.append(Batch(Summary("t", bytes(32), "gathering", False, False, 0), [LogRow(0, ["a"])])).result(WAIT)
    log = tmp_path / f"{FILE}-wal"
    content = log.read_bytes()
    assert content
    synced: list[str] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), real(fd))[1])
    write_again(log)
    assert log.read_bytes() == content and str(log) in synced and str(tmp_path) in synced
    store.close()


# --- a real server ----------------------------------------------------------------------------------------------------


def test_a_server_whose_disk_fails_starts_again_by_itself_and_loses_nothing(tmp_path: Path, shim: Path) -> None:
    failing = tmp_path / "failing"
    data = tmp_path / "data"
    log = tmp_path / "server.log"
    with Server(data, LD_PRELOAD=str(shim), FAILING_DISK=str(failing)) as server:
        people = []
        for game, players in (("lost-heir", 4), ("heraldry", 2), ("sovereign", 3)):
            name, tokens = server.open(game, players)
            people.append(Stubborn(server, name, tokens[0]))
            people[-1].start()
        for failures in range(1, 3):
            wait_for_moves(people, acknowledged(people) + 5)
            failing.touch()
            wait_until(lambda n=failures: log.read_text().count("the disk failed") >= n, "the server to notice")
            # it does not come back as long as the disk cannot be trusted
            wait_until(lambda: "cannot be written" in log.read_text().rpartition("the disk failed")[2], "a new start")
            failing.unlink()
            wait_for_moves(people, acknowledged(people) + 5)
        for person in people:
            person.over.set()
        for person in people:
            person.join(WAIT)
        assert server.ask("GET", "/health")[0] == 200
        assert server.stop() == 0
    assert "Traceback" not in log.read_text()
    check_nothing_lost(data, people)
    assert audit(data / FILE, print)[1] == 0


def test_a_server_that_waits_for_its_disk_can_be_stopped(tmp_path: Path, shim: Path) -> None:
    failing = tmp_path / "failing"
    log = tmp_path / "server.log"
    with Server(tmp_path / "data", LD_PRELOAD=str(shim), FAILING_DISK=str(failing)) as server:
        server.open("heraldry", 2)
        failing.touch()
        server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})
        wait_until(lambda: log.read_text().count("cannot be written") >= 3, "some attempts")
        assert server.stop() == -signal.SIGTERM


def test_people_are_told_to_come_back(tmp_path: Path, shim: Path) -> None:
    failing = tmp_path / "failing"
    with Server(tmp_path / "data", LD_PRELOAD=str(shim), FAILING_DISK=str(failing)) as server:
        name, tokens = server.open("heraldry", 2, persons=2)
        with Person(server, name, tokens[0]) as person:
            failing.touch()
            assert server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})[0] == 503
            while (message := person.receive())["kind"] != "bye":
                pass
            assert message["again"]
            failing.unlink()
        wait_until(lambda: healthy(server), "the server to be back")


def healthy(server: Server) -> bool:
    try:
        return server.ask("GET", "/health")[0] == 200
    except OSError:
        return False
