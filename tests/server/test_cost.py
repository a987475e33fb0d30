"""Work is paid for by whoever asks: what a request costs is counted wherever it is worked on, and charged."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from parlour.server import cost
from parlour.server.cost import Meter
from support.server import Person, Server

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
        _, seconds = await asyncio.to_thread(cost.timed, work)
        cost.add(seconds)
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


def test_an_address_that_has_used_up_its_processor_time_is_told_to_wait_and_others_are_not(tmp_path: Path) -> None:
    with Server(tmp_path / "data", rate="20") as server:
        name, tokens = server.open("lost-heir", 4, level="thumb")
        with Person(server, name, tokens[0]) as host:
            assert host.request("end")["kind"] == "done"
        found = [server.ask("GET", f"/api/tables/{name}/replay")[0] for _ in range(40)]
        assert found[0] == 200 and set(found) <= {200, 429}


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
