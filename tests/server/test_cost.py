"""Work is paid for by whoever asks: what a request costs is counted wherever it is worked on, and charged."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from parlour.players.hints import Advice
from parlour.server import cost, gate, live_table, mirrors
from parlour.server import room as rooms
from parlour.server.cost import Meter
from parlour.server.http import application
from parlour.server.limits import CPU_AT_ONCE, TOO_MANY_TABLES, Limits
from parlour.server.live_table import LiveTable
from parlour.server.room import Room
from parlour.server.socket import Conversation, Socket
from parlour.server.store import StoreError
from parlour.server.thinking import BotPool
from parlour.server.workers import Done, Failed, InProcess, Work
from support.rooms import NOW, in_a_room, play, started, until
from support.server import Person, Server, at
from support.wait import WAIT

WORK = 0.02  # seconds of processor time


def work(seconds: float = WORK) -> None:
    """Keep this thread busy for some processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_meter_counts_the_steps_of_a_coroutine_and_not_its_waits() -> None:
    async def doing() -> str:
        work()
        await asyncio.sleep(0)
        work()
        return "done"

    meter = Meter()
    assert asyncio.run(meter.run(doing())) == "done"
    assert meter.seconds >= 2 * WORK

    async def waiting() -> None:
        for _ in range(3):
            await asyncio.sleep(0.001)

    idle = Meter()
    asyncio.run(idle.run(waiting()))
    assert idle.seconds < meter.seconds


def test_a_meter_counts_tasks_threads_and_what_is_added_by_hand_once_each() -> None:
    inner, outer = Meter(), Meter()

    async def change() -> None:
        work()

    async def doing() -> None:
        await asyncio.shield(asyncio.create_task(cost.measured(change())))
        await cost.in_thread(work)
        cost.add(100.0)

    async def both() -> None:
        await inner.run(doing())

    asyncio.run(outer.run(both()))
    for meter in (inner, outer):
        assert 100.0 + 2 * WORK <= meter.seconds < 200.0


def test_an_error_or_a_cancelled_request_is_charged_and_passes_through() -> None:
    async def failing() -> None:
        work()
        await asyncio.sleep(0)
        raise KeyError("no")

    meter = Meter()
    with pytest.raises(KeyError):
        asyncio.run(meter.run(failing()))
    assert meter.seconds >= WORK

    async def cancelled() -> list[str]:
        heard: list[str] = []

        async def waiting() -> None:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                heard.append("cancelled")
                raise

        task = asyncio.create_task(Meter().run(waiting()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return heard

    assert asyncio.run(cancelled()) == ["cancelled"]


class Effort:
    """Processor time as a test wants it: each look at the clock adds so much."""

    def __init__(self) -> None:
        self.step = 0.0
        self.spent = 0.0

    def thread_time(self) -> float:
        self.spent += self.step
        return self.spent


@pytest.fixture
def effort(monkeypatch: pytest.MonkeyPatch) -> Effort:
    made = Effort()
    monkeypatch.setattr(cost, "time", made)
    monkeypatch.setattr(gate, "SLOW_SECONDS", 0.0)
    return made


async def asked(app: Any, path: str, address: str) -> int:
    """Ask an application for something, from an address; the status of the answer."""
    statuses = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"localhost")], "query_string": b""}
    more = {"client": (address, 1), "server": ("localhost", 80), "scheme": "http", "http_version": "1.1"}
    await app({**scope, **more, "root_path": "", "raw_path": path.encode()}, receive, send)
    (status,) = statuses
    return int(status)


class Charged(Limits):
    """Limits that note what was charged."""

    def __init__(self) -> None:
        super().__init__()
        self.to: dict[str, float] = {}

    def charge(self, address: str, seconds: float) -> None:
        self.to[address] = self.to.get(address, 0.0) + seconds
        super().charge(address, seconds)


def test_an_address_that_has_used_up_its_processor_time_is_told_to_wait_and_others_are_not(
    tmp_path: Path, effort: Effort
) -> None:
    async def doing(room: Room) -> None:
        app = application(room, ["localhost"], Limits())
        effort.step = 2 * CPU_AT_ONCE  # so much takes every step of a request
        assert await asked(app, "/health", "10.0.0.1") == 200
        effort.step = 0.0
        assert await asked(app, "/health", "10.0.0.1") == 429
        assert await asked(app, "/health", "10.0.0.2") == 200

    in_a_room(tmp_path, doing)


@pytest.mark.parametrize("path", ["/metrics", "/api/unrevealed", "/api/tables"])
def test_what_the_store_reads_for_a_request_is_charged_to_whoever_asks(path: str, tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        store, limits = room.services.store, Charged()
        for name in ("unrevealed", "open_tables"):
            right = getattr(store, name)
            setattr(store, name, lambda *asked, right=right: (work(10 * WORK), right(*asked))[1])
        assert await asked(application(room, ["localhost"], limits), path, "10.0.0.1") == 200
        assert limits.to["10.0.0.1"] >= 10 * WORK

    in_a_room(tmp_path, doing)


def test_a_table_that_cannot_be_loaded_is_charged_all_the_same(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        def missing(name: str) -> None:
            work(10 * WORK)

        room.services.store.table = missing  # type: ignore[assignment]
        limits = Charged()
        assert await asked(application(room, ["localhost"], limits), "/api/tables/none", "10.0.0.1") == 404
        assert limits.to["10.0.0.1"] >= 10 * WORK

    in_a_room(tmp_path, doing)


class FailingWorkers(InProcess):
    """Workers whose work takes three seconds and fails."""

    def run(self, work: Work) -> asyncio.Future[Done]:
        answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        answer.set_exception(Failed("it is in trouble", 3.0))
        return answer


def test_a_replay_that_fails_is_charged_to_whoever_asks_and_to_the_table(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        await live.change(lambda table: table.end(0))
        limits, path = Charged(), f"/api/tables/{live.table.name}/replay"
        app = application(room, ["localhost"], limits)
        assert await asked(app, path, "10.0.0.1") == 503
        assert limits.to["10.0.0.1"] >= 3.0 and not limits.table_may_cost(live.table.name)
        assert await asked(app, path, "10.0.0.2") == 429

    in_a_room(tmp_path, doing, bots=BotPool(FailingWorkers()))


# --- over a socket ----------------------------------------------------------------------------------------------------


class Client:
    """A client of a conversation in this process."""

    def __init__(self, room: Room, limits: Limits, address: str) -> None:
        self.asked = 0
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.said.put_nowait({"type": "websocket.connect"})
        socket = Socket({"address": address}, self.said.get, self._hear)
        self.talking = asyncio.create_task(Conversation(socket, room, limits).run())

    async def _hear(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.heard.put_nowait(json.loads(message["text"]))

    async def hello(self, table: str, token: str) -> Client:
        self.say({"kind": "hello", "protocol": 2, "table": table, "token": token})
        assert (await self.heard.get())["kind"] == "welcome"
        return self

    def say(self, message: dict[str, Any]) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def request(self, kind: str, **members: Any) -> dict[str, Any]:
        self.asked += 1
        name = members.pop("id", f"{kind} {self.asked}")
        self.say({"kind": kind, "id": name, **members})
        async with asyncio.timeout(WAIT):
            while (message := await self.heard.get()).get("id") != name:
                assert message["kind"] != "bye", message
        return message


async def two_people(room: Room, limits: Limits) -> tuple[LiveTable, list[Client]]:
    """Two people at a table that has begun, each at an address of their own."""
    live, code = await room.open(game="heraldry", players=2, options={}, pace=NOW)
    tokens = [(await room.join(live.table.name, code, f"Person {number}"))[1] for number in range(2)]
    await live.change(lambda table: table.begin(0))
    name = live.table.name
    return live, [await Client(room, limits, f"10.0.0.{at}").hello(name, token) for at, token in enumerate(tokens)]


def test_a_seat_cannot_use_up_the_hints_of_another(tmp_path: Path, effort: Effort, monkeypatch: Any) -> None:
    monkeypatch.setattr(mirrors, "hint", lambda *asked: Advice([], "", ""))

    async def doing(room: Room) -> None:
        live, people = await two_people(room, Limits())
        seat = live.table.deciding
        effort.step = CPU_AT_ONCE
        assert (await people[1 - seat].request("act", number=1, move=[0]))["kind"] == "stale"
        effort.step = 0.0
        assert (await people[seat].request("hint"))["kind"] == "advice"

    in_a_room(tmp_path, doing, bots=BotPool(InProcess()))


def test_a_hint_that_fails_is_charged_to_whoever_asks(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        limits = Charged()
        live, people = await two_people(room, limits)
        seat = live.table.deciding
        assert (await people[seat].request("hint"))["kind"] == "refused"
        assert limits.to[f"10.0.0.{seat}"] >= 3.0 and limits.to[f"10.0.0.{1 - seat}"] < 3.0

    in_a_room(tmp_path, doing, bots=BotPool(FailingWorkers()))


def test_rematches_count_against_the_tables_that_an_address_may_open(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        limits = Limits()
        live, (host, _) = await two_people(room, limits)
        await live.change(lambda table: table.end(0))
        limits.opened.of("10.0.0.0").left = -1.0
        refused = await host.request("rematch")
        assert refused["kind"] == "refused" and refused["sentence"] == TOO_MANY_TABLES
        limits.opened.of("10.0.0.0").left = 1.0
        assert (await host.request("rematch", id="again"))["kind"] == "done"
        assert not limits.may_open("10.0.0.0")
        assert (await host.request("rematch", id="again"))["kind"] == "done", "what was done is done"

    in_a_room(tmp_path, doing)


def test_bots_are_paid_for_by_those_for_whom_they_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "LONGEST_WAIT", 3600.0)

    async def doing(room: Room) -> None:
        limits = room.services.limits = Limits()
        assert (
            limits.charge_bots(["10.0.0.9"], 0.9 * CPU_AT_ONCE) > 0.0 == limits.charge_bots(["10.0.0.9", "10.0.0.8"], 0)
        )
        assert limits.may_cost("10.0.0.9"), "people may go on to ask while bots wait"
        tables = {}
        for address, spent in (("10.0.0.1", 1000.0), ("10.0.0.2", 0.0)):
            limits.charge(address, spent)
            tables[address] = live = await started(room, persons=1)
            listener = at(live, 0)
            listener.address = address
            live.welcome(listener)
            await live.change(lambda table: table.lobby.step_aside(0, "left"))
        paid, unpaid = tables["10.0.0.2"], tables["10.0.0.1"]
        await until(lambda: paid.table.phase == "over", "bots that are paid for have played to the end")
        assert unpaid.table.phase == "playing"

    in_a_room(tmp_path, doing, bots=BotPool(InProcess()))


def test_the_queue_of_tables_to_load_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_LOADING", 3)

    async def doing(room: Room) -> None:
        names = [(await started(room)).table.name for _ in range(8)]
        await play(room.tables[names[7]], 1)
        for live in list(room.tables.values()):
            live.drop()
        held, right = threading.Event(), room.services.store.table

        def slowly(name: str) -> Any:
            held.wait(WAIT)
            return right(name)

        room.services.store.table = slowly  # type: ignore[method-assign]
        coming = [asyncio.create_task(room.find(name)) for name in names[:6]]
        await asyncio.sleep(0.01)
        full = [task for task in coming if task.done()]
        resuming = asyncio.create_task(room.resume())
        await asyncio.sleep(0.01)
        held.set()
        found = await asyncio.gather(*coming, return_exceptions=True)
        assert len(full) == 3 and sum(isinstance(each, StoreError) for each in found) == 3
        await resuming
        assert (await room.find(names[7])).table.name == names[7]

    in_a_room(tmp_path, doing)


def test_a_fast_client_is_slowed_down_and_not_thrown_out(tmp_path: Path) -> None:
    """As many requests at once as ended the connection before; each is answered, and the welcome says the pace."""
    with Server(tmp_path / "data", rate="20") as server:
        name, tokens = server.open("heraldry", 2)
        with Person(server, name, tokens[0]) as person:
            assert person.pace == {"requests": 20.0, "at_once": 60.0}
            for number in range(90):
                person.send({"kind": "follow", "id": f"f{number}", "prefix": []})
            answered: set[str] = set()
            while len(answered) < 90:
                message = person.receive()
                assert message["kind"] != "bye", message
                if "id" in message:
                    answered.add(message["id"])
