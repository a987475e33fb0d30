"""Hostile clients: anything they send gets one sentence and breaks nothing, and people who play do not notice."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from parlour.server.limits import Limits, counted_as
from support.server import Person, Server

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "unsupported_method,ignored_auth"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("hostile") / "data", "--sockets", "5000") as running:
        yield running
        log = running.data.with_name("server.log").read_text(encoding="utf-8")
        assert "Traceback" not in log and '"level": "error"' not in log, log[-3000:]


def schemathesis(server: Server, examples: int) -> None:
    command = shutil.which("schemathesis", path=os.path.dirname(sys.executable))
    assert command, "schemathesis belongs to the test requirements"
    address = f"http://127.0.0.1:{server.port}/api/openapi.json"
    how = ["--max-examples", str(examples), "--checks", CHECKS, "--generation-database", "none", "--seed", "1"]
    found = subprocess.run(
        [command, "run", address, *how],
        capture_output=True,
        text=True,
        cwd=server.data.parent,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-1000:]


def test_every_request_that_the_description_allows_is_answered(server: Server) -> None:
    schemathesis(server, 3)


@pytest.mark.long
def test_every_request_that_the_description_allows_is_answered_at_length(server: Server) -> None:
    schemathesis(server, 300)


# --- the socket -------------------------------------------------------------------------------------------------------

KINDS = [
    *("hello", "act", "follow", "undo", "hint", "start", "show", "bot", "host", "remove", "stand", "leave", "back"),
    *("carry", "alone", "claim", "rematch", "say", "nudge", "ready"),
]
ANSWERS = (
    *("news", "here", "phrase", "nudged", "done", "refused", "stale", "failed"),
    *("following", "advice", "pong", "bye"),
)
VALUES: list[Any] = [
    *(None, True, 0, -1, 1, 2**31, 2**53, 2**64, 10**400, -(10**400), 1.5, 1e308, "", "x", "x" * 5000, "\u202e", "\0"),
    *([], [[]], [None], [1] * 1000, {}, {"kind": "act"}, ["play M1"], [0], [96], [4095], [10**30], "0" * 64),
]


def any_message(luck: random.Random, number: int) -> str | bytes:
    """Something that looks a little like a message."""
    dice = luck.random()
    if dice < 0.1:
        return luck.randbytes(luck.randrange(200))
    if dice < 0.15:
        return "[" * luck.choice((10, 1000, 8000))
    if dice < 0.2:
        return '{"kind":' * luck.choice((10, 1000)) + "1"
    message: dict[str, Any] = {"kind": luck.choice([*KINDS, "rematch", "ping", "news", "x", 5])}
    for name in ("id", "number", "move", "prefix", "seat", "level", "entropy", "table", "token", "protocol", "last"):
        if luck.random() < 0.4:
            message[name] = luck.choice(VALUES)
    if luck.random() < 0.7:
        message["id"] = f"fuzz {number} {luck.randrange(5)}"
    if luck.random() < 0.5:
        message["number"] = luck.randrange(60)
    if luck.random() < 0.5:
        message["move"] = [luck.randrange(100)]
    text = json.dumps(message)
    if luck.random() < 0.1:
        at = luck.randrange(len(text))
        text = text[:at] + luck.choice(["", "\ud800", "\x00", "}", '"']) + text[at + 1 :]
    return text.encode("utf-8", "surrogatepass") if luck.random() < 0.2 or "\ud800" in text else text


def fuzz(server: Server, rounds: int, seed: int) -> None:
    luck = random.Random(seed)
    name, tokens = server.open("heraldry", 4, persons=2)
    for number in range(rounds):
        with suppress(WebSocketException, OSError, TimeoutError), ExitStack() as stack:
            address = f"ws://127.0.0.1:{server.port}/api/socket"
            open_socket = stack.enter_context(connect(address, max_size=2**24, compression=None))
            if luck.random() < 0.8:
                protocol = luck.choice([1, 2])
                hello = {"kind": "hello", "protocol": protocol, "table": name, "token": luck.choice([*tokens, None])}
                open_socket.send(json.dumps(hello))
                open_socket.recv(5)
            for _ in range(luck.randrange(1, 12)):
                message = any_message(luck, number)
                open_socket.send(message)
            while True:
                said = json.loads(open_socket.recv(0.02))
                assert said["kind"] in ANSWERS
    assert server.ask("GET", "/health")[0] == 200
    with Person(server, name, tokens[0]) as person:
        assert person.news["view"] is not None


def test_no_message_breaks_the_socket(server: Server) -> None:
    fuzz(server, 60, 1)


@pytest.mark.long
def test_no_message_breaks_the_socket_at_length(server: Server) -> None:
    fuzz(server, 3000, 2)


def raw_socket(server: Server) -> socket.socket:
    """A WebSocket after its handshake, for clients that keep to no rules."""
    made = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    made.sendall(
        f"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    if b"101" not in made.recv(4096):
        made.close()
        raise ConnectionError("the server does not take this connection")
    return made


def test_frames_that_are_too_large_or_broken_end_the_connection(server: Server) -> None:
    for frame in (
        b"\x81\xff" + struct.pack(">Q", 16 << 20) + b"\0\0\0\0" + b"x" * 100000,  # 16 MiB announced
        b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0",
        b"\xf1\x80\0\0\0\0",  # reserved bits
        b"\x81\x05hello",  # not masked
        b"\x81\x84\0\0\0\0\xff\xfe\xfd\xfc",  # not UTF-8
    ):
        with raw_socket(server) as made:
            made.sendall(frame)
            made.settimeout(10)
            with suppress(ConnectionError):
                while made.recv(4096):
                    pass
    assert server.ask("GET", "/health")[0] == 200


def test_idle_clients_and_clients_that_never_read_harm_nobody(server: Server) -> None:
    idle = 1000
    name, tokens = server.open("heraldry", 2, persons=2)
    with Person(server, name, tokens[0]) as person, ExitStack() as stack:
        hello = json.dumps({"kind": "hello", "protocol": 2, "table": name}).encode()
        for _ in range(idle):
            made = stack.enter_context(raw_socket(server))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for number in range(20):
            made = stack.enter_context(raw_socket(server))
            made.sendall(b"\x81" + bytes([0x80 | len(hello)]) + b"\0\0\0\0" + hello)
            for _ in range(200):  # asks much, and reads nothing of the answers
                text = b'{"kind":"follow","id":"%d","prefix":[]}' % number
                made.sendall(b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text)
        # that every request is answered in time is a guard; bench/load.py measures how much slower it is
        for _ in range(300):
            assert person.request("follow", prefix=[])["kind"] in ("following", "refused")
    assert server.ask("GET", "/health")[0] == 200


@pytest.mark.parametrize(
    "name", ["\u202eevil", "a\u0000b", "  many   gaps  ", "x" * 25, "", "\u2066\u2069", "Ünïcode Näme"]
)
def test_names_are_cleaned(server: Server, name: str) -> None:
    _, opened = server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})
    status, _ = server.ask("POST", f"/api/tables/{opened['table']}/seats", {"name": name, "code": opened["code"]})
    _, described = server.ask("GET", f"/api/tables/{opened['table']}")
    shown = described["seats"][0]["name"]
    assert shown in ("", "evil", "ab", "many gaps", "Ünïcode Näme")
    assert (status == 201) == bool(shown)


def test_bodies_that_are_too_large_or_not_text_are_refused(server: Server) -> None:
    assert server.ask("POST", "/api/tables", b"x" * 100_000)[0] == 413
    assert server.ask("POST", "/api/tables", b'{"game": "\xff"}')[0] == 422


def test_too_many_requests_and_sockets_are_rejected(tmp_path: Path) -> None:
    with Server(tmp_path / "data", "--sockets", "3", rate="5") as server:
        found = [server.ask("GET", "/api/tables")[0] for _ in range(60)]
        assert 429 in found and found[0] == 200
        time.sleep(2)
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(raw_socket(server))
            with pytest.raises(ConnectionError):
                raw_socket(server).close()


def frame(content: bytes, kind: int = 1) -> bytes:
    """A short frame as a client sends it, with a mask of zeros."""
    return struct.pack("!BB", 0x80 | kind, 0x80 | len(content)) + bytes(4) + content


def test_a_message_in_pieces_and_many_messages_in_one_piece_are_read(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        person.send('{"kind":"ping"' + " " * 15_000 + "}")
        while person.receive()["kind"] != "pong":
            pass
        raw = person.socket.socket
        raw.sendall(frame(b'{"kind":"ping"}') * 200)
        pongs = 0
        while pongs < 200:
            pongs += person.receive()["kind"] == "pong"


def hear_all(person: Person) -> None:
    """Listen until the connection ends."""
    while True:
        person.receive()


def test_a_client_that_talks_too_much_is_cut_off_and_others_are_not(tmp_path: Path) -> None:
    with Server(tmp_path / "data", rate="20") as usual:
        name, tokens = usual.open("heraldry", 2, persons=2)
        with Person(usual, name, tokens[0]) as honest, Person(usual, name, tokens[1]) as talker:
            for content in (frame(b'{"kind":"ping"}') * 2000, frame(b"", 9) * 20_000):
                with suppress(OSError):
                    talker.socket.socket.sendall(content)
            assert honest.request("follow", prefix=[])["kind"] in ("following", "refused")
            with pytest.raises(WebSocketException):
                hear_all(talker)
            assert honest.request("follow", prefix=[])["kind"] in ("following", "refused")


def test_all_addresses_of_one_client_are_counted_together() -> None:
    assert counted_as("192.0.2.7") == "192.0.2.7"
    assert counted_as("2001:db8:1:2:3:4:5:6") == counted_as("2001:db8:1:2::1%eth0") == "2001:db8:1:2::/64"
    assert counted_as("::ffff:192.0.2.7") == "192.0.2.7"
    assert counted_as("192.0.2.7:40000") == counted_as("192.0.2.7:40001") == "192.0.2.7"
    assert counted_as('"[2001:db8:1:2::1]:443"') == counted_as("[2001:db8:1:2::9]") == "2001:db8:1:2::/64"
    assert counted_as("nonsense") == "nonsense"


def test_one_address_can_only_open_and_say_so_much() -> None:
    limits = Limits(rate=20.0)
    assert sum(limits.may_open("a") for _ in range(100)) == 40
    assert limits.may_open("b")
    assert 600 <= sum(limits.wait_to_say("a") == 0 for _ in range(1000)) < 700
    assert limits.wait_to_say("b") == 0
    assert limits.may_cost("b")
    limits.charge("b", 3.0)
    assert not limits.may_cost("b") and limits.wait_to_say("b") > 0 and limits.may_cost("c")
    assert sum(limits.may_sit("b", "t") for _ in range(200)) == 100 and limits.may_sit("b", "u")


def open_files(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


@pytest.mark.long
def test_clients_that_send_or_read_nothing_are_disconnected(tmp_path: Path) -> None:
    with Server(tmp_path / "data", "--sockets", "100") as own, ExitStack() as held:
        name, _ = own.open("lost-heir", 4)
        before = open_files(own)
        hello = json.dumps({"kind": "hello", "protocol": 2, "table": name}).encode()
        for _ in range(8):
            deaf = held.enter_context(raw_socket(own))
            deaf.settimeout(1)
            with suppress(OSError):
                deaf.sendall(frame(hello) + frame(b'{"kind":"act","id":"a","number":0,"move":[1]}') * 50_000)
        for _ in range(300):
            with suppress(OSError):
                held.enter_context(socket.create_connection(("127.0.0.1", own.port)))
        time.sleep(1)
        assert before + 100 < open_files(own) <= before + 210, "at most twice the sockets of one address"
        end = time.monotonic() + 60
        while open_files(own) > before + 2 and time.monotonic() < end:
            time.sleep(1)
        assert open_files(own) <= before + 2
        assert own.ask("GET", "/health")[0] == 200
