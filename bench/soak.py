"""A server for hours: people come, play, go away and come back, the server is killed now and then, and nothing is lost.

    python bench/soak.py [--minutes 120] [--visitors 24] [--kill-minutes 20] [--json FILE]

Each visitor has an address of their own and goes from table to table: alone against bots of every level or with a
friend, any game, with hints, decisions taken back, lost connections, tables that are left, ended, deleted or looked at
again. A line a minute says what the server needs: memory of server and workers, open files, threads, bytes on the disk,
and the wait for an acknowledgement. After every kill each visitor checks that all that was acknowledged is there. At
the end the server is stopped and all tables are audited.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from floods import ENDED, Asker, Person, at_table
from load import Server, share
from machine import cpu_model

GAMES = {
    "masquerade": (4, {}),
    "lost-heir": (4, {"deal_limit": 3}),
    "sovereign": (5, {"games": 1}),
    "heraldry": (3, {}),
    "tontine": (8, {"stake": 6}),
}
LEVELS = ("thumb", "novice", "steady", "expert")
REST = 0.3  # seconds between two things that a visitor does, on average
PATIENCE = 30.0  # seconds to wait for any one message


class Wrong(Exception):
    """The server broke a promise."""


class Soak:
    """The server, its visitors, and what was noticed."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.server = Server(data)
        os.sched_setaffinity(self.server.process.pid, os.sched_getaffinity(0))
        self.port = self.server.port
        self.waits: list[float] = []
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.minutes: list[dict[str, Any]] = []

    def processes(self) -> list[int]:
        """The server and its workers."""
        own = self.server.process.pid
        below = Path(f"/proc/{own}/task").glob("*/children")
        return [own, *(int(each) for path in below for each in path.read_text().split())]

    def noted(self) -> dict[str, Any]:
        """What the server needs now."""
        pids = self.processes()
        memory = [pss(pid) for pid in pids]
        waits = self.waits or [0.0]
        found = {
            "server_kib": memory[0],
            "workers_kib": memory[1:],
            "files": len(os.listdir(f"/proc/{pids[0]}/fd")),
            "threads": len(os.listdir(f"/proc/{pids[0]}/task")),
            "disk_kib": sum(each.stat().st_size for each in self.data.iterdir()) // 1024,
            "moves": len(self.waits),
            "p50": share(waits, 0.5),
            "p99": share(waits, 0.99),
        }
        self.waits = []
        return found

    async def kill(self) -> None:
        """Kill the server, and start it again at the same port."""
        self.server.stop(signal.SIGKILL)
        self.done["kills"] += 1
        self.server = Server(self.data, self.port)
        os.sched_setaffinity(self.server.process.pid, os.sched_getaffinity(0))

    async def visit(self, number: int) -> None:
        """One visitor after the other, from one address."""
        luck = random.Random(number)
        while True:
            visitor = Visitor(self, f"127.2.{number // 250}.{1 + number % 250}", luck)
            try:
                await visitor.visit()
            except Wrong as error:
                self.wrong.append(str(error))
            except (*ENDED, KeyError) as error:
                self.done[f"broken off: {type(error).__name__}"] += 1
                await asyncio.sleep(1.0)


class Visitor:
    """Someone who plays at one table, and loses the connection now and then."""

    def __init__(self, soak: Soak, address: str, luck: random.Random) -> None:
        self.soak, self.address, self.luck = soak, address, luck
        self.table = self.token = ""
        self.person: Person | None = None
        self.acknowledged = 0  # the highest number that the server acknowledged

    async def visit(self) -> None:
        name = self.luck.choice(list(GAMES))
        players, options = GAMES[name]
        async with Asker(self.soak.port, self.address) as http:
            wanted = {"game": name, "players": players, "bot_seconds": 0.0, "options": options}
            opened = await http.ask("POST", "/api/tables", wanted)
            if "table" not in opened:
                await asyncio.sleep(5.0)
                return
            self.table = opened["table"]
            seats = f"/api/tables/{self.table}/seats"
            seated = await http.ask("POST", seats, {"name": "Person", "code": opened["code"]})
            self.token = seated["token"]
        person = await self.come()
        for seat in range(1, players):
            await asyncio.wait_for(person.ask("bot", seat=seat, level=self.luck.choice(LEVELS)), PATIENCE)
        await asyncio.wait_for(person.ask("start"), PATIENCE)
        await self.play(self.luck.choice((5, 20, 60, 1000)))
        await self.depart()

    async def come(self) -> Person:
        """Come to the table, also while the server is being started again; all that was acknowledged must be there."""
        if self.person is not None:
            await self.person.socket.close()
        for _ in range(60):
            try:
                self.person = await asyncio.wait_for(
                    at_table(self.soak.port, self.address, self.table, self.token), PATIENCE
                )
                break
            except ENDED:
                await asyncio.sleep(1.0)
        else:
            raise Wrong(f"{self.table}: nobody could come back for a minute")
        if self.person.news.get("number", 0) < self.acknowledged or self.person.news.get("set_back"):
            raise Wrong(f"{self.table}: {self.acknowledged} was acknowledged, then {self.person.news.get('number')}")
        return self.person

    async def play(self, moves: int) -> None:
        assert self.person is not None
        while moves > 0 and not (self.person.news.get("view") or {}).get("over"):
            try:
                moves -= await asyncio.wait_for(self.one_thing(self.person), PATIENCE)
            except ENDED:
                self.soak.done["came back"] += 1
                await self.come()
        self.soak.done["sittings played to the end"] += moves > 0

    async def one_thing(self, person: Person) -> int:
        """Hear, move, or ask for something; whether it was a move."""
        await asyncio.sleep(self.luck.expovariate(1 / REST))
        chance = self.luck.random()
        if chance < 0.01:
            await person.socket.close()
            await self.come()
        elif not person.news.get("legal"):
            await person.hear()
        elif chance < 0.04:
            await person.ask("hint")
            self.soak.done["hints"] += 1
        elif chance < 0.07:
            await person.ask("undo", number=person.news["number"])
        else:
            return await self.move(person)
        return 0

    async def move(self, person: Person) -> int:
        steps = [self.luck.choice(person.news["legal"])]
        while not steps[-1]["whole"]:
            answer = await person.ask("follow", prefix=[step["step"] for step in steps])
            if not answer.get("legal"):
                break
            steps.append(self.luck.choice(answer["legal"]))
        begun = time.monotonic()
        person.news["legal"] = []  # until news comes
        number = person.news["number"]
        answer = await person.ask("act", number=number, move=[step["step"] for step in steps])
        if answer["kind"] == "done":
            self.acknowledged = max(self.acknowledged, answer["number"])
            self.soak.waits.append(time.monotonic() - begun)
            self.soak.done["moves"] += 1
            return 1
        self.soak.done[f"moves {answer['kind']}"] += 1
        await self.come()
        return 0

    async def depart(self) -> None:
        """Leave the table in one of many ways."""
        assert self.person is not None
        way = self.luck.choice(("away", "leave", "end", "delete", "look back"))
        self.soak.done[way] += 1
        over = bool((self.person.news.get("view") or {}).get("over"))
        with suppress(*ENDED):
            if way == "leave" and not over:
                await asyncio.wait_for(self.person.ask("leave"), PATIENCE)
            if way in ("end", "delete", "look back") and not over:
                await asyncio.wait_for(self.person.ask("end"), PATIENCE)
            async with Asker(self.soak.port, self.address) as http:
                if way == "look back":
                    record = await http.ask("GET", f"/api/tables/{self.table}/record")
                    if "log" not in record and "sentence" not in record:
                        raise Wrong(f"{self.table}: the record is {record}")
                    await http.ask("GET", f"/api/tables/{self.table}/replay?first=0")
                if way == "delete":
                    await http.ask("DELETE", f"/api/tables/{self.table}", token=self.token)
        await self.person.socket.close()


def pss(pid: int) -> int:
    """The memory of a process in kibibytes; shared pages count in part. 0 where it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


async def measure(asked: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        soak = Soak(data)
        visitors = [asyncio.create_task(soak.visit(number)) for number in range(asked.visitors)]
        try:
            for minute in range(1, asked.minutes + 1):
                await asyncio.sleep(60)
                for task in visitors:
                    if task.done():
                        task.result()
                soak.minutes.append(soak.noted())
                print(f"minute {minute}: {json.dumps(soak.minutes[-1])}", file=sys.stderr, flush=True)
                if asked.kill_minutes and minute % asked.kill_minutes == 0 and minute < asked.minutes:
                    await soak.kill()
        finally:
            for task in visitors:
                task.cancel()
            soak.server.stop()
        command = [sys.executable, "-m", "parlour", "audit", "--data", str(data)]
        audit = subprocess.run(command, capture_output=True, text=True)
    return {
        "machine": cpu_model(),
        "visitors": asked.visitors,
        "wrong": soak.wrong,
        "done": dict(soak.done),
        "audit": audit.stdout.strip().splitlines()[-3:],
        "audit_exit": audit.returncode,
        "minutes": soak.minutes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=int, default=120)
    parser.add_argument("--visitors", type=int, default=24)
    parser.add_argument("--kill-minutes", type=int, default=20, help="kill the server this often; 0 for never")
    parser.add_argument("--json")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked))
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: value for name, value in found.items() if name != "minutes"}, indent=1))
    sys.exit(1 if found["wrong"] or found["audit_exit"] else 0)


if __name__ == "__main__":
    main()
