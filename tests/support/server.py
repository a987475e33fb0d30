"""For tests of the server: a real one in a process of its own, and people who play there over real sockets."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from parlour.server.listener import Listener
from parlour.server.live_table import LiveTable
from parlour.server.messages import PROTOCOL
from parlour.server.protocols import CURRENT, Protocol
from support.wait import WAIT, next_line


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Server:
    """`parlour serve`, on a free port."""

    def __init__(self, data: Path, *arguments: str, rate: str = "100000", **environment: str) -> None:
        self.data = data
        self.arguments = [*arguments, "--rate", rate]
        self.environment = environment
        self.fixed = 0  # the port, where it must stay the same
        self.start()

    def start(self) -> None:
        where = ["--port", str(self.fixed), "--data", str(self.data)]
        command = [sys.executable, "-m", "parlour", "serve", *where, *self.arguments]
        with open(self.data.with_name("server.log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | self.environment
            )
        # the pipe stays open: a server that may print a second line must not find it broken
        self.output = self.process.stdout
        said = next_line(self.process)
        found = re.search(r"http://[^:]+:(\d+)/", said)
        assert found, said
        self.port = int(found[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self) -> int:
        """Wait for the process to end; its exit code."""
        assert self.output is not None
        with self.output:
            return self.process.wait(WAIT)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Make an HTTP request; the status and the answer."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        if body is not None:
            request.data = body if isinstance(body, bytes) else json.dumps(body).encode()
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                content = answer.read()
                return answer.status, json.loads(content) if content else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def open(self, game: str, players: int, persons: int = 1, **settings: Any) -> tuple[str, list[str]]:
        """A started table with some people, and bots at the other seats; its name and the people's tokens."""
        settings = {"bot_seconds": 0.0, **settings}
        level = settings.pop("level", "thumb")
        status, opened = self.ask("POST", "/api/tables", {"game": game, "players": players, **settings})
        assert status == 201, opened
        name = opened["table"]
        tokens = []
        for number in range(persons):
            wanted = {"name": f"Person {number}", "code": opened["code"]}
            status, seated = self.ask("POST", f"/api/tables/{name}/seats", wanted)
            assert status == 201, seated
            tokens.append(seated["token"])
        with Person(self, name, tokens[0]) as host:
            for seat in range(persons, players):
                assert host.request("bot", seat=seat, level=level)["kind"] == "done"
            assert host.request("start")["kind"] == "done"
        return name, tokens


class Person:
    """A person or spectator at a socket."""

    def __init__(
        self,
        server: Server,
        table: str,
        token: str | None = None,
        last: int | None = None,
        protocol: int = PROTOCOL,
        noted: list[dict[str, Any]] | None = None,
        patience: float = WAIT,
        **shown: Any,
    ) -> None:
        """`shown` is what else is said at hello: `head`, `signature`, `whole`. What comes is noted in `noted`."""
        self.held = ExitStack()
        self.noted = noted
        self.patience = patience
        self.news: dict[str, Any] = {}
        self.events: list[Any] = []
        self.bytes: list[bytes] = []
        self.asked = 0  # requests
        self.luck = random.Random(f"{table} {token}")
        hello: dict[str, Any] = {"kind": "hello", "protocol": protocol, "table": table, **shown}
        if token is not None:
            hello["token"] = token
        if last is not None:
            hello["last"] = last
        welcome = self._come(f"http://127.0.0.1:{server.port}/", hello)
        assert welcome["kind"] == "welcome" and welcome["protocol"] == protocol, welcome
        self.seat = welcome["seat"]
        self.here = welcome.get("here", [])
        self.key = welcome.get("key")
        self.pace = welcome.get("pace")
        self.hear(welcome["news"])

    def _come(self, address: str, hello: dict[str, Any]) -> dict[str, Any]:
        """Say hello, also where another server has the table; its answer."""
        while True:
            where = address.replace("http", "ws", 1) + "api/socket"
            self.socket: ClientConnection = self.held.enter_context(
                connect(where, max_size=2**24, open_timeout=self.patience, compression=None)
            )
            self.send(hello)
            answer = self.receive()
            address = answer.get("owner", "")
            if not address:
                return answer
            self.held.close()

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.held.close()

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        text = self.socket.recv(self.patience if timeout is None else timeout)
        self.bytes.append(text.encode() if isinstance(text, str) else text)
        message: dict[str, Any] = json.loads(text)
        if self.noted is not None:
            self.noted.append(message)
        return message

    def take(self, message: dict[str, Any]) -> None:
        """Note a message that answers no request."""
        if message["kind"] == "news":
            self.hear(message)
        elif message["kind"] == "here":
            self.here = message["here"]

    def hear(self, news: dict[str, Any]) -> None:
        if news.get("whole"):
            self.events = []
            self.news = {}
        self.events += news.get("events", [])
        self.news = {**self.news, "legal": [], **news}

    def request(self, kind: str, **members: Any) -> dict[str, Any]:
        """Ask for something, and wait for the answer; what is told in the meantime is noted."""
        self.asked += 1
        name = members.pop("id", f"{kind} {self.asked}")
        self.send({"kind": kind, "id": name, **members})
        while True:
            message = self.receive()
            if message.get("id") == name:
                return message
            self.take(message)

    def until(self, ready: Any) -> None:
        """Listen until something holds; a server that says nothing for too long fails the test."""
        while not ready(self.news):
            self.take(self.receive())

    @property
    def number(self) -> int:
        return int(self.news["number"])

    def move(self) -> list[int]:
        """Any whole move; only where a step does not complete it is it asked what can follow."""
        steps: list[int] = []
        legal = self.news["legal"]
        while True:
            choice = self.luck.choice(legal)
            steps.append(choice["step"])
            if choice["whole"]:
                return steps
            answer = self.request("follow", prefix=steps)
            assert answer["kind"] == "following", answer
            legal = answer["legal"]

    def look(self, timeout: float = 0.05) -> None:
        """Note what has come."""
        with suppress(TimeoutError):
            while True:
                self.take(self.receive(timeout))

    def turn(self) -> bool:
        """Wait for a turn, or the end; whether there is a turn."""
        self.until(lambda news: news["legal"] or (news.get("view") or {}).get("over"))
        return bool(self.news["legal"])


def at(live: LiveTable, seat: int, protocol: Protocol = CURRENT) -> Listener:
    """Someone at a seat of a table that is in this process, by a token of that seat; −1 is a spectator."""
    return Listener(seat, min(live.table.lobby.seats[seat].tokens) if seat >= 0 else b"", protocol)


def on_turn(people: Sequence[Person]) -> Person:
    """The person among several whose turn it is."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        for person in people:
            person.look()
            if person.news["legal"]:
                return person
    raise AssertionError(f"waited {WAIT:.0f} seconds in vain for anyone's turn")
