"""A server under load: durable moves a second, the wait for an acknowledgement, memory, and a restart.

    python bench/load.py [--tables 1000] [--rate 500] [--seconds 60] [--hostile] [--json FILE]

Each table has four people, each with a socket, who play Lost Heir. The load is open: moves are sent when they are due,
whether or not the server has answered those before, and a wait is counted from when a move was due. The server has one
core, the load another. Sockets and file are real, and every move is synced before it is acknowledged. The people of
every table have an address of their own, so that the server keeps its usual limits. With --hostile a fifth of the load
is measured twice more, alone and while attack.py attacks.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import attack
import msgspec
from machine import cpu_model
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SEATS = 4
AT_ONCE = 64


class News(msgspec.Struct, tag_field="kind", tag="news"):
    """The part of a message that the load needs."""

    number: int
    legal: list[dict[str, Any]] = []
    view: dict[str, Any] | None = None


class Welcome(msgspec.Struct, tag_field="kind", tag="welcome"):
    """The first message."""

    news: News


class Here(msgspec.Struct, tag_field="kind", tag="here"):
    """Who is connected."""


class Done(msgspec.Struct, tag_field="kind", tag="done"):
    """An acknowledgement."""

    id: str


read = msgspec.json.Decoder(News | Welcome | Here | Done).decode


class Server:
    """`parlour serve` on the first core."""

    def __init__(self, data: Path, port: int = 0) -> None:
        begun = time.monotonic()
        command = [sys.executable, "-m", "parlour", "serve", "--port", str(port), "--data", str(data)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        os.sched_setaffinity(self.process.pid, {0})
        self.output = self.process.stdout  # stays open, as the server may print another line
        assert self.output is not None
        self.port = int(self.output.readline().split(":")[2].split("/")[0])
        self.began_in = time.monotonic() - begun

    def memory(self) -> int:
        """Its memory in kibibytes; shared pages count in part."""
        for line in Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
        return 0

    def stop(self, sign: int = signal.SIGTERM) -> None:
        assert self.output is not None
        self.process.send_signal(sign)
        with self.output:
            self.process.wait()


def address_of(table: int) -> str:
    return f"127.1.{table // 250}.{1 + table % 250}"


class Http:
    """The HTTP requests of the people of one table."""

    def __init__(self, port: int, table: int) -> None:
        self.port = port
        self.address = address_of(table)

    async def __aenter__(self) -> Http:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        content = msgspec.json.encode(body) if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(content)}\r\n"
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self.writer.write(f"{head}{bearer}\r\n".encode() + content)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if answer.startswith("http/1.1 204"):
            return None
        length = int(answer.split("content-length:")[1].split("\r\n")[0])
        return msgspec.json.decode(await self.reader.readexactly(length))


class Load:
    """All tables, and the measurements."""

    def __init__(self, port: int, tables: int) -> None:
        self.port = port
        self.tables = tables
        self.names: list[str] = []
        self.tokens: list[list[str]] = []
        self.sockets: list[list[Any]] = []
        self.turn: dict[int, tuple[int, int, int]] = {}  # by table: the seat to move, the number, a legal step
        self.sent: dict[str, float] = {}
        self.waits: list[float] = []
        self.luck = random.Random(1)
        self.count = 0
        self.skipped = 0
        self.renewed = 0
        self.renewing: set[asyncio.Task[None]] = set()
        self.readers: dict[tuple[int, int], asyncio.Task[None]] = {}
        self.others: list[str] = []  # messages other than news and acknowledgements

    async def set_up(self) -> None:
        """Open the tables and sit down."""
        todo = iter(range(self.tables))
        self.names = [""] * self.tables
        self.tokens = [[] for _ in range(self.tables)]

        async def some() -> None:
            for number in todo:
                await self.open(number)

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))

    async def open(self, number: int) -> None:
        async with Http(self.port, number) as http:
            opened = await http.ask("POST", "/api/tables", {"game": "lost-heir", "players": SEATS})
            self.names[number] = opened["table"]
            self.tokens[number] = []
            for seat in range(SEATS):
                wanted = {"name": f"Person {seat}", "code": opened["code"]}
                seated = await http.ask("POST", f"/api/tables/{opened['table']}/seats", wanted)
                self.tokens[number].append(seated["token"])

    async def renew(self, table: int) -> None:
        """The people of a sitting that is over leave, and begin another."""
        await asyncio.sleep(1)  # for the answer to the last move
        for socket in self.sockets[table]:
            await socket.close()
        await self.open(table)
        for seat in range(SEATS):
            await self.come(table, seat)
        await self.sockets[table][0].send('{"kind":"start","id":"start"}')
        self.renewed += 1

    async def look(self) -> None:
        """Ask for every table, so that all of them are loaded."""
        todo = iter(range(self.tables))

        async def some() -> None:
            for number in todo:
                async with Http(self.port, number) as http:
                    found = await http.ask("GET", f"/api/tables/{self.names[number]}")
                    assert found["phase"] == "playing", found

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))

    async def connect(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)
        self.sockets = [[None] * SEATS for _ in range(self.tables)]

        async def one(table: int, seat: int) -> None:
            async with gate:
                await self.come(table, seat)

        await asyncio.gather(*(one(table, seat) for table in range(self.tables) for seat in range(SEATS)))

    async def come(self, table: int, seat: int) -> None:
        address, own = f"ws://127.0.0.1:{self.port}/api/socket", (address_of(table), 0)
        socket = await connect(address, compression=None, max_queue=None, ping_interval=None, local_addr=own)
        hello = {"kind": "hello", "protocol": 2, "table": self.names[table], "token": self.tokens[table][seat]}
        await socket.send(msgspec.json.encode(hello).decode())
        self.sockets[table][seat] = socket
        self.hear(table, seat, await socket.recv())
        self.readers[table, seat] = asyncio.create_task(self.listen(table, seat, socket))

    async def listen(self, table: int, seat: int, socket: Any) -> None:
        with suppress(ConnectionClosed):
            async for message in socket:
                self.hear(table, seat, message)

    def hear(self, table: int, seat: int, message: str | bytes) -> None:
        try:
            said = read(message)
        except msgspec.ValidationError:
            self.others.append(str(message)[:300])
            return
        if isinstance(said, Done):
            begun = self.sent.pop(said.id, None)
            if begun is not None:
                self.waits.append(time.monotonic() - begun)
            return
        if isinstance(said, Here):
            return
        news = said.news if isinstance(said, Welcome) else said
        if seat == 0 and news.view and news.view["over"]:
            self.renewing.add(asyncio.create_task(self.renew(table)))
        if news.legal:
            self.turn[table] = (seat, news.number, self.luck.choice(news.legal)["step"])

    async def start(self) -> None:
        for table in range(self.tables):
            await self.sockets[table][0].send('{"kind":"start","id":"start"}')
        while len(self.turn) < self.tables:
            await asyncio.sleep(0.05)

    async def play(self, rate: float, seconds: float) -> None:
        """Send moves when they are due."""
        begun = time.monotonic()
        for at in range(int(rate * seconds)):
            due = begun + at / rate
            wait = due - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            elif at % 50 == 0:
                await asyncio.sleep(0)
            for _ in range(20):
                table = self.luck.randrange(self.tables)
                if table in self.turn:
                    break
            else:
                self.skipped += 1
                continue
            seat, number, step = self.turn.pop(table)
            self.count += 1
            name = f"{self.count}"
            self.sent[name] = due
            move = f'{{"kind":"act","id":"{name}","number":{number},"move":[{step}]}}'
            await self.sockets[table][seat].send(move)
        end = time.monotonic() + 10
        while self.sent and time.monotonic() < end:
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        for reader in (*self.readers.values(), *self.renewing):
            reader.cancel()
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(socket: Any) -> None:
            async with gate:
                await socket.close()

        await asyncio.gather(*(one(socket) for sockets in self.sockets for socket in sockets))


async def waits_of(load: Load, rate: float, seconds: float) -> dict[str, float]:
    """Play for a while; the waits for acknowledgements in milliseconds."""
    load.waits.clear()
    begun = time.monotonic()
    await load.play(rate, seconds)
    found = {name: share(load.waits, part) for name, part in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))}
    return found | {"moves_per_second": len(load.waits) / (time.monotonic() - begun)}


def share(waits: list[float], part: float) -> float:
    return 1000 * sorted(waits)[min(len(waits) - 1, int(part * len(waits)))]


async def measure(asked: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        server = Server(data)
        found: dict[str, Any] = {"tables": asked.tables, "sockets": SEATS * asked.tables, "rate": asked.rate}
        load = Load(server.port, asked.tables)
        begun = time.monotonic()
        await load.set_up()
        found["set_up_seconds"] = time.monotonic() - begun
        await load.connect()
        await load.start()
        sockets = SEATS * asked.tables
        print(f"{asked.tables} tables, {sockets} sockets; playing for {asked.seconds} s …", file=sys.stderr)
        await load.play(asked.rate, min(5.0, asked.seconds))
        load.skipped = 0
        memory = [server.memory()]
        found["milliseconds"], waits = [], []
        for _ in range(max(1, int(asked.seconds / 30))):
            found["milliseconds"].append(await waits_of(load, asked.rate, min(30.0, asked.seconds)))
            waits += load.waits
            memory.append(server.memory())
            print(json.dumps(found["milliseconds"][-1]), memory[-1], "KiB", file=sys.stderr)
        found["p99_of_all"] = share(waits, 0.99)
        if asked.hostile:
            found["milliseconds_before"] = await waits_of(load, asked.rate / 5, 30.0)
            hostile = multiprocessing.get_context("spawn").Process(target=attack.run, args=(server.port,), daemon=True)
            hostile.start()
            await asyncio.sleep(3)
            found["milliseconds_attacked"] = await waits_of(load, asked.rate / 5, 30.0)
            hostile.kill()
            hostile.join()
        found["sittings_finished"] = load.renewed
        found["unanswered"] = len(load.sent)
        found["skipped"] = load.skipped
        found["others"] = len(load.others)
        for said in load.others[:3]:
            print(said, file=sys.stderr)
        found["memory_kib"] = memory
        server.stop(signal.SIGKILL)
        await load.close()
        await measure_restart(data, load, found)
    return found


async def measure_restart(data: Path, load: Load, found: dict[str, Any]) -> None:
    """After the server was killed: when another is ready, the memory of tables without sockets, and all coming back."""
    again = Server(data)
    found["restart_seconds"] = again.began_in
    empty = again.memory()
    back = Load(again.port, load.tables)
    back.names, back.tokens = load.names, load.tokens
    begun = time.monotonic()
    await back.look()
    found["all_tables_read_seconds"] = again.began_in + time.monotonic() - begun
    found["kib_per_table_in_memory"] = (again.memory() - empty) / load.tables
    await asyncio.sleep(20)  # tables at which nobody listens leave memory
    found["kib_per_idle_table"] = (again.memory() - empty) / load.tables
    begun = time.monotonic()
    await back.connect()
    found["all_sockets_back_seconds"] = again.began_in + time.monotonic() - begun
    found["tables_that_went_on"] = len(back.turn)
    again.stop()
    await back.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=500.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--json")
    asked = parser.parse_args()
    if len(os.sched_getaffinity(0)) > 1:
        os.sched_setaffinity(0, {1})
    gc.disable()  # a pause of the load must not count as a wait for the server
    found = {"machine": cpu_model(), **asyncio.run(measure(asked))}
    text = json.dumps(found, indent=1)
    print(text)
    if asked.json:
        Path(asked.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
