"""Honest players while others flood a server with requests that cost it much: the wait for an acknowledgement.

    python bench/floods.py [--tables 50] [--rate 100] [--seconds 15] [--only replay hint …] [--json FILE]

Each flood runs for some seconds, at three times the pace that the server grants one address and from a few addresses,
with a control without any flood before it. The honest load is that of load.py; the server has one core, load and floods
the other. The floods: replays, records, hellos, stale moves, decisions taken back, hints, `alone`, tables that have
left memory, people who sit down and stand up, bots that are hastened, what people say, reviews, reasons of puzzles,
sittings that are played again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from load import Http, Load, Server, waits_of
from machine import cpu_model
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

ADDRESSES = 4
PACE = 60.0  # requests a second from each
ENDED = (OSError, TimeoutError, WebSocketException, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)


class Asker(Http):
    """HTTP requests from any address."""

    def __init__(self, port: int, address: str) -> None:
        self.port = port
        self.address = address


class Person:
    """A person at a socket, who notes what is told."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.news: dict[str, Any] = {}
        self.asked = 0

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(await self.socket.recv())
        if message["kind"] in ("welcome", "news"):
            self.news = message.get("news", message)
        return message

    async def ask(self, kind: str, **members: Any) -> dict[str, Any]:
        self.asked += 1
        name = os.urandom(6).hex()  # new also to a table that this person came back to
        await self.send(kind, name, **members)
        while True:
            message = await self.hear()
            if message.get("id") == name:
                return message

    async def send(self, kind: str, name: str = "", **members: Any) -> None:
        await self.socket.send(json.dumps({"kind": kind, "id": name or os.urandom(6).hex(), **members}))


async def at_table(port: int, address: str, table: str, token: str | None) -> Person:
    """Someone who comes to a table."""
    where = f"ws://127.0.0.1:{port}/api/socket"
    socket = await connect(where, compression=None, max_size=None, ping_interval=None, local_addr=(address, 0))
    hello = {"kind": "hello", "protocol": 2, "table": table} | ({"token": token} if token else {})
    await socket.send(json.dumps(hello))
    person = Person(socket)
    await person.hear()
    return person


async def solo(
    port: int, address: str, game: str, players: int, level: str = "thumb", **settings: Any
) -> tuple[str, str, Person]:
    """A table with one person and bots, started: its name, the person's token, and the person."""
    async with Asker(port, address) as http:
        opened = await http.ask(
            "POST", "/api/tables", {"game": game, "players": players, "bot_seconds": 0.0, **settings}
        )
        table = opened["table"]
        seated = await http.ask("POST", f"/api/tables/{table}/seats", {"name": "Person", "code": opened["code"]})
    person = await at_table(port, address, table, seated["token"])
    for seat in range(1, players):
        await person.ask("bot", seat=seat, level=level)
    await person.ask("start")
    return table, seated["token"], person


async def played_out(port: int, address: str) -> str:
    """The name of a long sitting that is over."""
    table, _, person = await solo(port, address, "tontine", 12, "first", options={"stake": 60})
    await person.ask("hasten", on=True)
    while not (person.news.get("view") or {}).get("over"):
        if person.news.get("legal"):
            await person.ask("act", number=person.news["number"], move=[person.news["legal"][0]["step"]])
        else:
            await person.hear()
    await person.socket.close()
    return table


# --- the floods -------------------------------------------------------------------------------------------------------


class Scene:
    """Tables for the floods: a long sitting that is over, many that have left memory, and an open one."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.over = ""
        self.idle: list[str] = []
        self.gathering = ""

    async def set_up(self) -> None:
        self.over = await played_out(self.port, "127.220.0.1")
        for number in range(20):
            table, _, person = await solo(self.port, f"127.220.1.{number + 1}", "lost-heir", 4)
            for _ in range(40):
                if person.news.get("legal"):
                    await person.ask("act", number=person.news["number"], move=[person.news["legal"][0]["step"]])
                else:
                    await person.hear()
            await person.ask("leave")
            await person.socket.close()
            self.idle.append(table)
        async with Asker(self.port, "127.220.0.2") as http:
            opened = await http.ask("POST", "/api/tables", {"game": "tontine", "players": 12, "open": True})
            self.gathering = opened["table"]


Doing = Callable[[int], Awaitable[object]]


async def at_pace(doing: Doing) -> None:
    """Repeat a request at the flood's rate, ignoring failures."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    number = 0
    while True:
        await doing(number)
        number += 1
        due += 1 / PACE
        await asyncio.sleep(max(0.0, due - loop.time()))


async def by_http(scene: Scene, address: str, path: Callable[[int], str]) -> None:
    async with Asker(scene.port, address) as http:
        await at_pace(lambda number: http.ask("GET", path(number)))


async def replay(scene: Scene, address: str) -> None:
    await by_http(scene, address, lambda number: f"/api/tables/{scene.over}/replay?first={97 * number % 900}")


async def record(scene: Scene, address: str) -> None:
    await by_http(scene, address, lambda number: f"/api/tables/{scene.over}/record")


async def loading(scene: Scene, address: str) -> None:
    await by_http(scene, address, lambda number: f"/api/tables/{scene.idle[number % len(scene.idle)]}")


async def listing(scene: Scene, address: str) -> None:
    await by_http(scene, address, lambda number: "/api/tables")


async def hello(scene: Scene, address: str) -> None:
    async def come(number: int) -> None:
        person = await at_table(scene.port, address, scene.over, None)
        await person.socket.close()

    await at_pace(come)


async def at_own_table(scene: Scene, address: str, doing: Callable[[Person, int], Awaitable[object]]) -> None:
    _, _, person = await solo(scene.port, address, "heraldry", 4)
    while not person.news.get("legal"):
        await person.hear()

    async def read() -> None:
        while True:
            await person.hear()

    reading = asyncio.create_task(read())
    try:
        await at_pace(lambda number: doing(person, number))
    finally:
        reading.cancel()


async def stale(scene: Scene, address: str) -> None:
    await at_own_table(scene, address, lambda person, number: person.send("act", number=1, move=[0]))


async def hint(scene: Scene, address: str) -> None:
    await at_own_table(scene, address, lambda person, number: person.send("hint"))


async def alone(scene: Scene, address: str) -> None:
    await at_own_table(scene, address, lambda person, number: person.send("alone"))


async def talk(scene: Scene, address: str) -> None:
    async def say(person: Person, number: int) -> None:
        kind, members = [("say", {"phrase": "wow"}), ("ready", {"on": True}), ("nudge", {})][number % 3]
        await person.send(kind, **members)

    await at_own_table(scene, address, say)


async def review(scene: Scene, address: str) -> None:
    async with Asker(scene.port, address) as http:
        await at_pace(lambda number: http.ask("POST", f"/api/tables/{scene.over}/review?seat={number % 12}"))


async def why(scene: Scene, address: str) -> None:
    await by_http(scene, address, lambda number: f"/api/puzzles/lost-heir/{number % 60 + 1}/why")


async def again(scene: Scene, address: str) -> None:
    body = {"game": "tontine", "players": 12, "again": {"table": scene.over, "seat": 0, "moves": 500}}
    async with Asker(scene.port, address) as http:
        await at_pace(lambda number: http.ask("POST", "/api/tables", body))


async def undo(scene: Scene, address: str) -> None:
    """A decision in a long sitting, made and taken back."""
    _, _, person = await solo(scene.port, address, "sovereign", 5)
    while True:
        if not person.news.get("legal"):
            await person.hear()
            continue
        choice = next((each for each in person.news["legal"] if each["whole"]), None)
        if choice is None or (person.asked > 60 and person.asked % 2):
            await person.ask("undo", number=person.news["number"])
        else:
            await person.ask("act", number=person.news["number"], move=[choice["step"]])


async def sitting(scene: Scene, address: str) -> None:
    async with Asker(scene.port, address) as http:

        async def sit(number: int) -> None:
            wanted = {"name": f"G {random.randrange(10**9)}"}
            seated = await http.ask("POST", f"/api/tables/{scene.gathering}/seats", wanted)
            if "token" in seated:
                person = await at_table(scene.port, address, scene.gathering, seated["token"])
                await person.ask("stand")
                await person.socket.close()

        await at_pace(sit)


async def bots(scene: Scene, address: str) -> None:
    """Many strong bots that take no time."""
    _, _, person = await solo(scene.port, address, "masquerade", 8, "champion")
    await person.ask("hasten", on=True)
    await person.ask("leave")
    while True:
        await person.hear()


NEWER = (talk, review, why, again)
FLOODS = {
    flood.__name__: flood
    for flood in (*(replay, record, loading, listing, hello, stale, hint, undo, alone, sitting, bots), *NEWER)
}


async def flood_on(port: int, kind: str, scene: Scene) -> None:
    async def again(address: str) -> None:
        while True:
            with suppress(*ENDED, KeyError, msgspec.DecodeError):
                await FLOODS[kind](scene, address)
            await asyncio.sleep(0.05)

    await asyncio.gather(*(again(f"127.230.{len(kind)}.{host + 1}") for host in range(ADDRESSES)))


def run(port: int, kind: str, scene: Scene) -> None:
    """In a process of its own."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # the load, on the same core, comes first
    asyncio.run(flood_on(port, kind, scene))


async def measure(asked: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {"machine": cpu_model(), "tables": asked.tables, "rate": asked.rate, "floods": {}}
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place) / "data")
        os.sched_setaffinity(0, {1})
        scene = Scene(server.port)
        await scene.set_up()
        load = Load(server.port, asked.tables)
        await load.set_up()
        await load.connect()
        await load.start()
        await waits_of(load, asked.rate, 3)
        try:
            for kind in asked.only or FLOODS:
                quiet = await waits_of(load, asked.rate, asked.seconds)
                flood = multiprocessing.get_context("spawn").Process(
                    target=run, args=(server.port, kind, scene), daemon=True
                )
                flood.start()
                await asyncio.sleep(3)
                under = await waits_of(load, asked.rate, asked.seconds)
                flood.terminate()
                flood.join()
                found["floods"][kind] = {"quiet": quiet, "flooded": under, "memory_kib": server.memory()}
                print(
                    f"{kind:9} quiet p50 {quiet['p50']:6.1f} p99 {quiet['p99']:6.1f}   flooded p50 {under['p50']:6.1f}"
                    f" p99 {under['p99']:6.1f} ms   ratio of p99 {under['p99'] / quiet['p99']:5.2f}",
                    flush=True,
                )
                await asyncio.sleep(1)
            await load.close()
        finally:
            server.stop()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", nargs="+", choices=FLOODS)
    parser.add_argument("--json")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked))
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
