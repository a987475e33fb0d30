"""The gate and what stands around it: hosts and origins, requests that are broken off, signals, security.txt."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from parlour.server.hosts import Authority, authority, host_name, known_hosts, why_rejected
from parlour.server.security_txt import contact_address
from support.cli import Cli
from support.effort import times
from support.processes import environment
from support.server import Person, Server
from support.wait import WAIT, next_line, wait_until

TRIES = settings(max_examples=times(200, 5_000), deadline=None)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
KNOWN = known_hosts(["localhost", "127.0.0.1", "[::1]", "cards.example.org"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("gate") / "data", "--name", "cards.example.org") as running:
        yield running


def sent(server: Server, request: str) -> bytes:
    """The whole answer to a request as it stands, after which the server ends the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as made:
        made.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        return b"".join(iter(lambda: made.recv(65536), b""))


# --- hosts and origins ------------------------------------------------------------------------------------------------


NOT_A_HOST = [
    *("", " ", ":", ":80", "@", "localhost:", "localhost:x", "localhost:80:80", "localhost:-1", "localhost:0"),
    *("localhost:080", "localhost:65536", "localhost:99999999", "localhost:８０", "localhost: 80", "localhost :80"),
    *("127.0.0.1:80@evil", "localhost@evil", "evil@localhost", "user:pw@localhost", "localhost:80@evil:90"),
    *("localhost/", "localhost/x", "localhost?x", "localhost#x", "http://localhost", "localhost\\x", "local%68ost"),
    *("localhost,evil", "localhost, evil", "localhost;evil", "localhost evil", "localhost\tx", "localhost\x00"),
    *("localhost.", "localhost..", ".localhost", "a..b", "-a", "a-", "a.-b", "*", "*.example.org", "löcalhost"),
    *("\u212a.example", "::1", "::1:80", "[::1", "::1]", "[]", "[::1]]", "[[::1]]", "[::1]x", "[::1]:", "[::1%eth0]"),
    *("[127.0.0.1]", "[v1.x]", "[:::]", "127.1", "127.0.0.01", "127.0.0.256", "2130706433", "1.2.3.4.5", "x" * 64),
    ".".join(["x" * 60] * 5),
]


@pytest.mark.parametrize("text", NOT_A_HOST, ids=ascii)
def test_an_invalid_host_is_rejected(text: str) -> None:
    assert authority(text) is None
    assert why_rejected([text], [], {"*"}) is not None


def test_a_host_is_a_name_or_an_address_with_a_port_or_without() -> None:
    assert authority("Cards.Example.ORG") == Authority("cards.example.org", None)
    assert authority("localhost:8500") == Authority("localhost", 8500)
    assert authority("my_box-2:65535") == Authority("my_box-2", 65535)
    assert authority("127.0.0.1:80") == Authority("127.0.0.1", 80)
    assert authority("[0:0:0:0:0:0:0:1]:80") == authority("[::1]:80") == Authority("[::1]", 80)
    assert (host_name("*"), host_name("localhost"), host_name("localhost:80")) == ("*", "localhost", None)


PORTS = some.none() | some.integers(1, 65535)
LABELS = some.text(LETTERS, min_size=1, max_size=20).filter(lambda label: not label.isdigit())
NAMES = some.lists(LABELS, min_size=1, max_size=4).map(".".join)
V4 = some.ip_addresses(v=4).map(str)
V6 = some.ip_addresses(v=6).map(lambda address: f"[{ipaddress.IPv6Address(int(address))}]")


@TRIES
@given(NAMES | V4 | V6, PORTS)
def test_every_name_and_address_is_read_as_it_is_written(host: str, port: int | None) -> None:
    written = host if port is None else f"{host}:{port}"
    assert authority(written) == authority(written.upper()) == Authority(host, port)
    for scheme, usual in (("http", 80), ("https", 443)):
        assert why_rejected([written], [f"{scheme}://{written}"], {host}) is None
        if port in (None, usual):  # the same origin, with its usual port or without
            assert why_rejected([f"{host}:{usual}"], [f"{scheme}://{host}"], {host}) is None
        assert why_rejected([written], [f"{scheme}://x{host}"], {host}) is not None


@TRIES
@given(some.sampled_from(sorted(KNOWN)), some.text(max_size=12), some.text(max_size=12))
def test_nothing_but_a_port_may_stand_beside_a_known_host(host: str, before: str, after: str) -> None:
    parsed = authority(before + host + after)
    if parsed is not None and parsed.host in KNOWN:
        assert not before or parsed.host != host
        assert re.fullmatch(r"(:[1-9][0-9]{0,4})?", after)


@TRIES
@given(some.text(max_size=40) | some.from_regex(r"[a-z0-9.:@\[\]%, -]{0,40}", fullmatch=True))
def test_any_text_is_read_to_one_host_or_none(text: str) -> None:
    parsed = authority(text)
    if parsed is not None:
        written = parsed.host if parsed.port is None else f"{parsed.host}:{parsed.port}"
        assert authority(written) == parsed
        assert not set("@/\\?#%, \t") & set(text)


def test_a_request_needs_one_host_and_at_most_one_origin_of_it() -> None:
    assert why_rejected(["localhost"], [], KNOWN) is None
    assert why_rejected([], [], KNOWN) == why_rejected(["localhost", "localhost"], [], KNOWN) != None  # noqa: E711
    assert [why_rejected([host], [], KNOWN) for host in ("evil.example", "127.0.0.2", "[::2]")] == [
        (421, "This server is not known by that name.")
    ] * 3
    for origin in (
        *("null", "", "localhost:80", "http://", "http:///", "http://localhost:80", "https://localhost"),
        *("http://localhost:8500/", "http://localhost:8500@evil", "http://evil@localhost:8500", "ws://localhost:8500"),
        *("http://localhost:8500 ", "http://localhost:8500, http://evil", "file://localhost:8500"),
    ):
        assert why_rejected(["localhost:8500"], [origin], KNOWN) == (403, "Pages of other sites may not ask here.")
    twice = ["http://localhost:8500"] * 2
    assert why_rejected(["localhost:8500"], twice[:1], KNOWN) is None
    assert why_rejected(["localhost:8500"], twice, KNOWN) is not None


@pytest.mark.parametrize(
    "host", ["127.0.0.1:80@evil", "localhost:80@evil", "localhost:", "localhost:80:90", "[::1]:80:", "localhost, evil"]
)
def test_a_strange_host_is_rejected_by_a_running_server(server: Server, host: str) -> None:
    answer = sent(server, f"GET /api/tables HTTP/1.1\nHost: {host}\nConnection: close\n\n")
    assert answer.startswith(b"HTTP/1.1 400 ") and b"needs one Host header" in answer
    upgrade = "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n"
    answer = sent(server, f"GET /api/socket HTTP/1.1\nHost: {host}\n{upgrade}Sec-WebSocket-Version: 13\n\n")
    assert answer.startswith(b"HTTP/1.1 403 ")


def test_requests_without_a_host_or_with_two_are_rejected_by_a_running_server(server: Server) -> None:
    for lines in ("", "Host: localhost\nHost: localhost\n", "Host:\n"):
        for version in ("1.1", "1.0"):
            answer = sent(server, f"GET /api/tables HTTP/{version}\nConnection: close\n{lines}\n")
            assert answer.startswith(b"HTTP/1.1 400 "), (lines, version)
    answer = sent(server, "GET /api/tables HTTP/1.1\nHost: CARDS.example.org\nConnection: close\n\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("name", ["cards.example.org:443", "https://cards.example.org", "a b", "bücher.example", ""])
def test_a_name_that_no_request_can_ask_for_is_misuse(cli: Cli, name: str) -> None:
    code, _, err = cli("serve", "--name", name)
    assert code == 2 and "takes a host name such as cards.example.org" in err and err.count("\n") == 1


# --- requests that are broken off -------------------------------------------------------------------------------------


def reset(made: socket.socket) -> None:
    """End a connection at once, as a process that dies does."""
    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    made.close()


def half_closed(made: socket.socket) -> None:
    """Send nothing more, but listen to the end."""
    made.shutdown(socket.SHUT_WR)
    with suppress(ConnectionError):
        while made.recv(4096):
            pass
    made.close()


POST = "POST /api/tables HTTP/1.1\nHost: localhost\n"
UPGRADE = (
    "GET /api/socket HTTP/1.1\nHost: localhost\nUpgrade: websocket\nConnection: Upgrade\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\nSec-WebSocket-Version: 13\n\n"
)
BROKEN_OFF = {
    "in the middle of a body": POST + 'Content-Length: 100\n\n{"ga',
    "in the middle of a chunk": POST + 'Transfer-Encoding: chunked\n\n50\n{"ga',
    "between chunks": POST + 'Transfer-Encoding: chunked\n\n4\n{"ga\n',
    "before a body": POST + "Content-Length: 100\n\n",
    "waiting to be told to send": POST + "Content-Length: 100\nExpect: 100-continue\n\n",
    "before the answer": POST + 'Content-Length: 33\n\n{"game": "heraldry", "players":4}',
    "before many answers": "GET /api/games HTTP/1.1\nHost: localhost\n\n" * 40,
    "before a socket is open": UPGRADE,
    "before a socket is rejected": UPGRADE.replace("localhost", "evil.example"),
    "in a frame": UPGRADE + "\x81\xfe\x01",
    "in a chunk that is none": POST + "Transfer-Encoding: chunked\n\nZZZ\n",
}


@pytest.mark.parametrize("end", [reset, half_closed, socket.socket.close], ids=["reset", "half closed", "closed"])
@pytest.mark.parametrize("when", BROKEN_OFF)
def test_a_request_that_is_broken_off_leaves_one_line_at_most(server: Server, when: str, end: object) -> None:
    log = server.data.with_name("server.log")
    begun = log.stat().st_size
    for pause in (0.0, 0.05):
        made = socket.create_connection(("127.0.0.1", server.port), timeout=WAIT)
        made.sendall(BROKEN_OFF[when].replace("\n", "\r\n").encode("latin-1"))
        time.sleep(pause)  # at once, and when it has been read
        end(made)  # type: ignore[operator]
    if "body" in when:
        wait_until(lambda: log.read_bytes().count(b"\n", begun) >= 2, "a line for each request")
    assert server.ask("GET", "/health")[0] == 200
    lines = [json.loads(line) for line in log.read_bytes()[begun:].splitlines()]
    assert len(lines) <= 2 and all("error" not in line and line["level"] == "info" for line in lines), lines


def test_a_body_that_goes_wrong_after_its_answer_leaves_no_line(server: Server) -> None:
    log = server.data.with_name("server.log")
    begun = log.stat().st_size
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as made:
        large = "Transfer-Encoding: chunked\n\n4001\n" + "x" * 0x4001 + "\n"
        made.sendall((POST + large).replace("\n", "\r\n").encode())
        assert b" 413 " in made.recv(4096)
        made.sendall(b"this is no chunk\r\n")
        with suppress(ConnectionError):
            while made.recv(4096):
                pass
    assert server.ask("GET", "/health")[0] == 200
    assert log.read_bytes()[begun:] == b""


def advised(person: Person) -> None:
    """Ask for a hint until there is one: on a busy machine workers take their time to start."""
    wait_until(lambda: person.request("hint")["kind"] == "advice", "a hint")


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    by_thread = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(each) for file in by_thread for each in file.read_text().split())


# --- signals ----------------------------------------------------------------------------------------------------------


def test_a_server_outlives_the_terminal_that_started_it(tmp_path: Path) -> None:
    """A terminal that is closed tells the server and every worker process of it."""
    with Server(tmp_path / "data") as own:
        name, tokens = own.open("heraldry", 2)
        with Person(own, name, tokens[0]) as person:
            assert person.turn()
            advised(person)  # so that there are workers
            family = [own.process.pid, *children(own.process.pid)]
            assert len(family) > 1
            for _ in range(3):
                for each in family:
                    os.kill(each, signal.SIGHUP)
                assert own.ask("GET", "/health")[0] == 200
            advised(person)
        assert own.process.poll() is None and set(family[1:]) <= set(children(own.process.pid))
        assert own.stop() == 0
        assert "Traceback" not in own.data.with_name("server.log").read_text(encoding="utf-8")


def test_plain_parlour_stops_with_its_terminal(tmp_path: Path) -> None:
    """Nobody would find it again; what was begun is finished, as on Ctrl-C."""
    alone = {"PARLOUR_PORT": "0", "PARLOUR_DATA": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    opened = subprocess.Popen(
        [sys.executable, "-m", "parlour"], env=environment(**alone), stdout=subprocess.PIPE, text=True
    )
    with opened:
        try:
            assert "Parlour is open" in next_line(opened)
            opened.send_signal(signal.SIGHUP)
            assert opened.wait(WAIT) == 0
        finally:
            opened.kill()


# --- security.txt -----------------------------------------------------------------------------------------------------


def text_at(server: Server, path: str) -> tuple[str, str]:
    """The type and the content of a text."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=WAIT) as answer:
        return answer.headers["content-type"], answer.read().decode()


def test_security_txt_names_the_operators_contact(tmp_path: Path) -> None:
    named = ["--contact", "security@example.org", "--name", "cards.example.org", "--proxy"]
    with Server(tmp_path / "data", *named) as own:
        kind, text = text_at(own, "/.well-known/security.txt")
        assert kind == "text/plain; charset=utf-8" and text.endswith("\n")
        fields = dict(line.split(": ", 1) for line in text.splitlines())
        assert fields["Contact"] == "mailto:security@example.org"
        assert fields["Canonical"] == "https://cards.example.org/.well-known/security.txt"
        left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
        assert timedelta(days=300) < left < timedelta(days=365)
        policy = fields["Policy"].removeprefix("https://cards.example.org")
        assert "report a vulnerability" in text_at(own, policy)[1]


def test_without_a_contact_there_is_no_security_txt(server: Server) -> None:
    assert server.ask("GET", "/.well-known/security.txt")[0] == 404
    assert server.ask("GET", "/security-policy.txt")[0] == 404


def test_a_contact_comes_from_the_environment_too(tmp_path: Path) -> None:
    with Server(tmp_path / "data", PARLOUR_CONTACT="https://example.org/report?to=us") as own:
        _, text = text_at(own, "/.well-known/security.txt")
        assert "Contact: https://example.org/report?to=us\n" in text
        assert "Policy:" not in text and "Canonical:" not in text  # it knows no name that others reach it by


@pytest.mark.parametrize(
    "contact",
    [
        *("me", "me@", "@example.org", "a b@example.org", "http://example.org", "https://", "https://a b", "tel:1"),
        *("a@example.org\nExpires: 2000-01-01T00:00:00Z", "https://example.org/\r\nX: y", "https://exämple.org"),
    ],
)
def test_an_invalid_contact_is_refused(cli: Cli, contact: str) -> None:
    assert contact_address(contact) is None
    code, _, err = cli("serve", "--contact", contact)
    assert code == 2 and "takes a mail address or an https address" in err and err.count("\n") == 1

