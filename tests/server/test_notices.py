"""Notices to people who are elsewhere: push messages that a real receiver decrypts, webhooks, and what is refused."""

from __future__ import annotations

import asyncio
import base64
import datetime
import ipaddress
import json
import queue
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from parlour import Refusal
from parlour.server import messages as wire
from parlour.server import notices, reminding
from parlour.server import outgoing as outgoing_module
from parlour.server.data import FILE
from parlour.server.live_table import LiveTable
from parlour.server.notices import SHAPES, Notice, Notices, shaped
from parlour.server.outgoing import MOST_THERE, CallFailed, Outgoing, is_public
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.settings import Pace
from parlour.server.sqlite import SqliteStore
from parlour.server.web_push import PushKey, check_keys, decoded, decrypted, encoded, encrypted, point_of
from support.rooms import NOW, in_a_room, play, until
from support.server import Server, at
from support.wait import WAIT

PUBLIC = ("8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8")
PRIVATE = (
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fd00::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378::1"),
    *("fec0::1", "64:ff9b:1::7f00:1", "::7f00:1", "::ffff:0:7f00:1", "3fff::1", "192.88.99.1", "5f00::1", "4000::1"),
)


class Receiving(BaseHTTPRequestHandler):
    """One call."""

    server: Receiver

    def do_POST(self) -> None:
        fields = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(fields["content-length"]))
        self.server.calls.append((self.path, fields, body))
        answers = self.server.answers
        self.wfile.write(answers.pop(0) if answers else b"HTTP/1.1 201 Created\r\n\r\n")


class Receiver(ThreadingTCPServer):
    """A server on loopback that notes what it is sent and answers as it is told. Leaving it waits for its last call."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self.context = context
        self.calls: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[bytes] = []  # the next ones; 201 after that
        super().__init__(("127.0.0.1", 0), Receiving)
        self.port = self.server_address[1]

    def finish_request(self, request: Any, address: Any) -> None:
        request.settimeout(WAIT)
        with suppress(OSError):  # a call that was broken off
            with self.context.wrap_socket(request, server_side=True) if self.context else request as line:
                super().finish_request(line, address)


@asynccontextmanager
async def receiver(context: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    found = Receiver(context)
    serving = threading.Thread(target=found.serve_forever, args=(0.01,))
    serving.start()
    try:
        yield found
    finally:
        await asyncio.to_thread(found.shutdown)
        await asyncio.to_thread(found.server_close)


class Browser:
    """The keys of a browser's push subscription."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def way(self, port: int, path: str = "/push/1") -> dict[str, str]:
        keys = {"p256dh": encoded(point_of(self.private.public_key())), "auth": encoded(self.auth)}
        return {"kind": "push", "address": f"http://127.0.0.1:{port}{path}", **keys, "origin": "https://cards.example"}

    def read(self, body: bytes) -> Any:
        return json.loads(decrypted(body, self.private, self.auth))


def hook(port: int, shape: str = "json", path: str = "/hook") -> dict[str, str]:
    where = f"http://127.0.0.1:{port}{path}"
    return {"kind": "webhook", "address": where, "shape": shape, "origin": "https://cards.example"}


def sending(path: Path, doing: Callable[[Room], Awaitable[Any]], private: bool = True) -> None:
    """Do something in a room that sends notices."""
    in_a_room(path, doing, notices=Notices(Outgoing(private), PushKey()))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for; what failed is tried again at once."""
    monkeypatch.setattr(reminding, "AWAY_SECONDS", 0.0)
    monkeypatch.setattr(reminding, "HERE_SECONDS", 0.0)
    monkeypatch.setattr(notices, "RETRIES", (0.0, 0.0, 0.0))


async def seated(room: Room, **more: Any) -> tuple[LiveTable, list[str]]:
    """A table for two, and the tokens of both."""
    live, code = await room.open(game="lost-heir", players=2, options={}, **{"pace": NOW, **more})
    tokens = [(await room.join(live.table.name, code, name))[1] for name in ("Ann", "Ben")]
    return live, tokens


# --- Web Push ---------------------------------------------------------------------------------------------------------


def test_a_message_is_encrypted_as_the_standard_says() -> None:
    """The example of RFC 8291."""
    server = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
    )
    browser = ec.derive_private_key(
        int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"), ec.SECP256R1()
    )
    p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    auth, salt = "BTBZMqHH6r4Tts7J_aSIgg", decoded("DGv6ra1nlYgDCS1FRnbzlw")
    message = encrypted(b"When I grow up, I want to be a watermelon", p256dh, auth, server, salt)
    assert encoded(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert decrypted(message, browser, decoded(auth)) == b"When I grow up, I want to be a watermelon"
    with pytest.raises(ValueError, match="not for this key"):
        decrypted(message, ec.generate_private_key(ec.SECP256R1()), decoded(auth))


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        ("B" * 87, encoded(bytes(16))),  # no point of the curve
        (encoded(b"\4" + bytes(64)), encoded(bytes(16))),
        (encoded(point_of(ec.generate_private_key(ec.SECP256R1()).public_key())), encoded(bytes(15))),
        (encoded(point_of(ec.generate_private_key(ec.SECP256R1()).public_key())), "!" * 22),
        (encoded(point_of(ec.generate_private_key(ec.SECP384R1()).public_key())), encoded(bytes(16))),
    ],
    ids=["none", "no point", "zeros", "a short secret", "no base64", "another curve"],
)
def test_keys_that_no_browser_makes_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(Refusal, match="not the keys"):
        check_keys(p256dh, auth)


def test_the_key_stays_and_a_damaged_one_is_set_aside(tmp_path: Path) -> None:
    first = PushKey.of(tmp_path)
    assert PushKey.of(tmp_path).key == first.key
    assert (tmp_path / "push.key").stat().st_mode & 0o077 == 0
    (tmp_path / "push.key").write_bytes(b"nonsense")
    assert PushKey.of(tmp_path).key != first.key
    assert (tmp_path / "push.key.damaged-1").read_bytes() == b"nonsense"


def test_a_push_is_sent_signed_and_read_by_its_browser_alone(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        browser = Browser()
        async with receiver() as there:
            live, tokens = await seated(room)
            for token in tokens:
                await room.notify(live.table.name, token, browser.way(there.port, f"/push/{token[:4]}"))
            await live.change(lambda table: table.begin(0))
            await until(lambda: bool(there.calls), "the push service is called")
            path, fields, body = there.calls[0]
            assert path == f"/push/{tokens[live.table.deciding][:4]}", "only the person whose turn it is"
            assert browser.read(body) == {
                "kind": "turn",
                "title": "Lost Heir",
                "text": "It is your turn.",
                "table": live.table.name,
            }
            assert fields["content-encoding"] == "aes128gcm" and int(fields["ttl"]) > 0 and len(fields["topic"]) <= 32
            check_signature(fields["authorization"], f"http://127.0.0.1:{there.port}")

    sending(tmp_path, doing)


def check_signature(header: str, audience: str) -> None:
    """As a push service checks it (RFC 8292)."""
    scheme, _, parts = header.partition(" ")
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    signed, _, signature = given["t"].rpartition(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(given["k"]))
    both = decoded(signature)
    numbers = (int.from_bytes(half, "big") for half in (both[:32], both[32:]))
    key.verify(utils.encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
    assert scheme == "vapid" and claims["aud"] == audience and claims["sub"]


# --- when people are told ---------------------------------------------------------------------------------------------


def test_people_are_told_of_turns_reminders_the_end_and_a_rematch_and_never_of_cards(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        async with receiver() as there:
            live, tokens = await seated(room, pace=Pace(86400.0, 0.0, 0.0))
            await room.notify(live.table.name, tokens[1], hook(there.port))
            kinds = lambda: [json.loads(body)["kind"] for _, _, body in there.calls]  # noqa: E731
            await until(lambda: kinds() == ["hello"], "the person sees that it works")
            ann = at(live, 0)
            live.welcome(ann)
            await live.change(lambda table: table.begin(0))
            if live.table.deciding == 0:
                await play(live, 1)
            while live.table.deciding != 1:
                await play(live, 1)
            await until(lambda: "turn" in kinds(), "Ben is told")
            live._waits_since -= 60
            await Requests(room, live, ann).answer(wire.Nudge(id="n"))
            await until(lambda: "nudge" in kinds(), "Ben is reminded")
            room.services.notices._seats.known.clear()  # type: ignore[union-attr]
            await live.change(lambda table: table.end(0))
            await until(lambda: "over" in kinds(), "Ben is told of the end")
            await Requests(room, live, ann).answer(wire.Rematch(id="r"))
            await until(lambda: "rematch" in kinds(), "Ben is told of another game")
            fresh = await room.find(live.table.rematch)
            assert list(fresh.table.lobby.seats[1].ways.values()) == [hook(there.port)], "and will be there, too"
            for _, _, body in there.calls:
                assert set(json.loads(body)) == {"kind", "game", "table", "text", "link"}
                assert json.loads(body)["link"].startswith("https://cards.example/#table=")
                assert tokens[1] not in body.decode()

    sending(tmp_path, doing)


def test_whoever_is_there_is_not_told_elsewhere(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        async with receiver() as there:
            live, tokens = await seated(room)
            for seat, token in enumerate(tokens):
                await room.notify(live.table.name, token, hook(there.port, path=f"/{seat}"))
                live.welcome(at(live, seat))
            await until(lambda: len(there.calls) == 2, "both see that it works")
            await live.change(lambda table: table.begin(0))
            await play(live, 5)
            await asyncio.sleep(0.05)
            assert len(there.calls) == 2

    sending(tmp_path, doing)


def test_the_seats_of_a_quick_game_are_not_told_too_often(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        async with receiver() as there:
            live, tokens = await seated(room)
            for token in tokens:
                await room.notify(live.table.name, token, hook(there.port, path=f"/{token}"))
            await live.change(lambda table: table.begin(0))
            for _ in range(30):
                await play(live, 1)
                await asyncio.sleep(0.01)
            await until(lambda: room.services.notices._tasks == set(), "all is sent")  # type: ignore[union-attr]
            assert 2 <= len(there.calls) <= 2 * notices.SEAT_RATE[1]

    sending(tmp_path, doing)


@pytest.mark.parametrize("shape", SHAPES)
def test_webhooks_have_the_shape_that_their_receivers_read(shape: str) -> None:
    notice = Notice("turn", "lost-heir", "Lost Heir", "TABLE")
    headers, body = shaped(notice, hook(1, shape))
    link = "https://cards.example/#table=TABLE"
    expected: dict[str, Any] = {
        "json": {
            "kind": "turn",
            "game": "lost-heir",
            "table": "TABLE",
            "text": "Lost Heir: It is your turn.",
            "link": link,
        },
        "discord": {"content": f"Lost Heir: It is your turn.\n{link}", "allowed_mentions": {"parse": []}},
        "slack": {"text": f"Lost Heir: It is your turn.\n<{link}>"},
    }
    if shape == "ntfy":
        assert (headers["Title"], headers["Click"], body) == ("Lost Heir", link, b"It is your turn.")
    else:
        assert json.loads(body) == expected[shape]


# --- failures ---------------------------------------------------------------------------------------------------------


def failing(tmp_path: Path, *answers: bytes) -> tuple[int, int]:
    """How often a webhook is called that answers so, and how many ways the seat has afterwards."""
    tmp_path.mkdir(exist_ok=True)

    async def doing(room: Room) -> tuple[int, int]:
        async with receiver() as there:
            there.answers = list(answers)
            live, tokens = await seated(room)
            await room.notify(live.table.name, tokens[0], hook(there.port))
            await until(lambda: bool(there.calls), "it is called")
            await until(lambda: live.reminding is not None and not live.reminding.busy, "nothing is on its way")
            await until(lambda: not room.services._tasks, "what follows is stored")
            return len(there.calls), len(live.table.lobby.seats[0].ways)

    sender = Notices(Outgoing(True), PushKey())
    found: tuple[int, int] = in_a_room(tmp_path, doing, notices=sender)
    return found


def test_what_failed_is_tried_again_a_few_times_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    busy, gone, no = (b"HTTP/1.1 %d X\r\n\r\n" % status for status in (503, 410, 403))
    assert failing(tmp_path / "once", busy) == (2, 1)
    assert failing(tmp_path / "always", *[busy] * 10) == (4, 1)
    assert failing(tmp_path / "gone", gone) == (1, 0)
    assert failing(tmp_path / "not there", b"HTTP/1.1 404 X\r\n\r\n") == (1, 0)
    assert failing(tmp_path / "no", no) == (1, 1)
    assert failing(tmp_path / "nonsense", *[b"SSH-2.0-x\r\n\r\n"] * 10) == (4, 1)
    assert failing(tmp_path / "long", *[b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 5000 + b"\r\n"] * 10) == (4, 1)
    away = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
    assert failing(tmp_path / "redirect", away) == (1, 1), "a redirect is not followed"


def test_a_way_is_given_up_that_fails_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "MOST_FAILURES", 3)
    assert failing(tmp_path, *[b"HTTP/1.1 503 X\r\n\r\n"] * 10) == (3, 0)


# --- whoever makes others wait ----------------------------------------------------------------------------------------


def told(sender: Notices, way: dict[str, str], table: str = "TABLE") -> list[bool]:
    """Tell somebody; how it ended, once it has."""
    ended: list[bool] = []
    sender.tell(Notice("turn", "heraldry", "Heraldry", table), way, lambda: True, ended.append)
    return ended


def test_a_receiver_that_lets_calls_wait_holds_up_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_module, "SECONDS", 3600.0)

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.2" if host.endswith(".slow.example") else "127.0.0.1"]

    async def doing() -> None:
        came: list[asyncio.StreamWriter] = []
        slow = await asyncio.start_server(lambda _, writer: came.append(writer), "127.0.0.2", 0)
        port = slow.sockets[0].getsockname()[1]
        sender = Notices(Outgoing(True, resolve), PushKey())
        async with receiver() as there:
            for number in range(60):  # one address, under many names
                told(sender, hook(port) | {"address": f"http://{number}.slow.example:{port}/"}, f"T{number % 4}")
            await until(lambda: len(came) == MOST_THERE, "the slow receiver is called")
            told(sender, hook(there.port))
            await until(lambda: bool(there.calls), "another is called")
            assert len(came) == MOST_THERE
        sender.close()
        slow.close()
        for writer in came:
            writer.close()

    asyncio.run(doing())


def test_a_name_server_that_lets_us_wait_holds_up_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answered, find = threading.Event(), socket.getaddrinfo

    def slowly(host: Any, *more: Any, **members: Any) -> Any:
        if host == "slow.example":
            answered.wait(WAIT)
            raise OSError
        return find(host, *more, **members)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)

    async def doing(room: Room) -> None:
        asking = [asyncio.create_task(Outgoing().check("https://slow.example/")) for _ in range(50)]
        await asyncio.sleep(0.05)
        try:
            assert await asyncio.wait_for(room.open_tables(), WAIT / 2) == []
        finally:
            answered.set()
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert all(isinstance(each, Refusal) for each in found)

    in_a_room(tmp_path, doing)


def test_a_crowd_at_one_host_takes_no_ways_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "HOST_RATE", (0.001, 1))
    monkeypatch.setattr(notices, "MOST_FAILURES", 2)

    async def doing() -> None:
        async with receiver() as there:
            sender = Notices(Outgoing(True), PushKey())
            ended = [told(sender, hook(there.port, path=f"/{number % 2}")) for number in range(8)]
            await until(lambda: all(ended), "all has ended")
            assert not any(each[0] for each in ended), "no way is given up"
            assert len(there.calls) == 1 and sender.counts["notices_failed"] == 0
            assert not sender._of_table and not sender._failures and not sender._retrying

    asyncio.run(doing())


def test_what_failed_makes_room_and_no_table_takes_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "RETRIES", (3600.0,))
    monkeypatch.setattr(notices, "MOST_WAITING", 12)
    monkeypatch.setattr(notices, "MOST_OF_TABLE", 8)

    async def doing() -> None:
        async with receiver() as there:
            there.answers = [b"HTTP/1.1 503 X\r\n\r\n"] * 12
            sender = Notices(Outgoing(True), PushKey())
            for _ in range(20):
                told(sender, hook(there.port), "MINE")
            assert len(sender._tasks) == 8 and sender.counts["notices_given_up"] == 12
            for _ in range(4):
                told(sender, hook(there.port), "YOURS")
            await until(lambda: len(sender._retrying) == 12, "all of them failed")
            for number in range(12):
                told(sender, hook(there.port, path=f"/{number}"), "OURS" if number % 2 else "THEIRS")
            await until(lambda: sender.counts["notices"] == 12, "there was room for others")
            sender.close()

    asyncio.run(doing())


# --- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_everyone_may_be_called(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_private_networks_may_not_be_called(address: str) -> None:
    assert not is_public(address)


def refused(outgoing: Outgoing, address: str) -> str:
    with pytest.raises(Refusal) as caught:
        asyncio.run(outgoing.check(address))
    return str(caught.value.sentence)


@pytest.mark.parametrize(
    "address",
    [
        *("", "x", "ftp://example.org/", "http://example.org/", "https://", "https:///x", "https://user@example.org/"),
        *("https://u:p@example.org/", "https://example.org:22/", "https://example.org:99999/", "file:///etc/passwd"),
        *("https://exa mple.org/", "https://example.org/\r\nX: y", "https://ex\u2024ample.org/", "https://[::1/"),
        *("https://" + "x" * 1000 + ".org/", "gopher://example.org/", "//example.org/"),
    ],
)
def test_addresses_that_are_none_are_refused(address: str) -> None:
    assert "not an https address" in refused(Outgoing(), address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"),
        *("[::ffff:7f00:1]", "10.0.0.1", "169.254.169.254", "[fe80::1]", "0", "0.0.0.0", "[::]"),
    ],
)
def test_names_of_this_machine_are_refused_however_they_are_written(host: str) -> None:
    """Looked up by the system itself, which reads decimal and hexadecimal addresses, too."""
    assert "does not call" in refused(Outgoing(), f"https://{host}/")


def test_a_name_that_leads_to_a_private_network_is_refused_also_among_others() -> None:
    for found in (["10.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:192.168.0.1"], []):

        async def resolve(host: str, port: int, found: list[str] = found) -> list[str]:
            return found

        assert "does not call" in refused(Outgoing(resolve=resolve), "https://hook.example/")


def test_a_name_is_looked_up_once_and_what_was_checked_is_called() -> None:
    """A name that answers otherwise the second time leads nowhere else."""

    async def doing() -> None:
        asked = 0

        async def resolve(host: str, port: int) -> list[str]:
            nonlocal asked
            asked += 1
            return ["127.0.0.1"] if asked == 1 else ["192.0.2.1"]

        async with receiver() as there:
            answer = await Outgoing(True, resolve).post(f"http://hook.example:{there.port}/x", {}, b"{}")
            assert (answer.status, asked) == (201, 1)
            assert there.calls[0][1]["host"] == f"hook.example:{there.port}"

    asyncio.run(doing())


def test_a_call_is_made_to_the_name_that_the_certificate_has(tmp_path: Path) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    async def doing() -> None:
        served, trusting = certified(tmp_path, "hook.example")
        async with receiver(served) as there:
            outgoing = Outgoing(True, resolve, trusting)
            assert (await outgoing.post(f"https://hook.example:{there.port}/", {}, b"")).status == 201
            for known, name in ((trusting, "other.example"), (None, "hook.example")):
                with pytest.raises(CallFailed, match=r"(?i)certificate"):
                    await Outgoing(True, resolve, known).post(f"https://{name}:{there.port}/", {}, b"")
            assert len(there.calls) == 1

    asyncio.run(doing())


def certified(path: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS for a server of that name, and for those who trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    at = datetime.datetime.now(datetime.UTC)
    alternative = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("192.0.2.1"))])
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), 1)
        .not_valid_before(at - datetime.timedelta(1))
        .not_valid_after(at + datetime.timedelta(1))
        .add_extension(alternative, False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256())
    )
    file = path / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(file)
    return served, ssl.create_default_context(cafile=str(file))


# --- subscriptions ----------------------------------------------------------------------------------------------------


def test_ways_are_kept_with_the_seat_counted_and_given_up_with_it(tmp_path: Path) -> None:
    async def first(room: Room) -> tuple[str, list[str]]:
        live, tokens = await seated(room)
        size = live.table.size
        for number in range(5):
            await room.notify(live.table.name, tokens[0], hook(9, path=f"/{number}"))
        again = await room.notify(live.table.name, tokens[0], hook(9, path="/0"))
        assert live.table.size == size + 5, "a way that is known takes no row"
        with pytest.raises(Refusal, match="at most 5"):
            await room.notify(live.table.name, tokens[0], hook(9, path="/x"))
        await room.silence(live.table.name, tokens[0], again)
        with pytest.raises(Refusal, match="no seat"):
            await room.notify(live.table.name, "x" * 32, hook(9))
        return live.table.name, tokens

    async def second(room: Room) -> None:
        assert len(await room.ways(name, tokens[0])) == 4
        assert await room.ways(name, tokens[1]) == {}
        live = await room.find(name)
        await live.change(lambda table: table.begin(0))
        await live.change(lambda table: table.lobby.keep_one_device(0, min(table.lobby.seats[0].tokens)))
        assert live.table.lobby.seats[0].ways == {}, "also those that another device has set"
        assert not any("hook" in json.dumps(each) for each in live.table.log.public), "nobody else is told of it"
        with pytest.raises(Refusal, match="has not allowed"):
            await room.notify(name, tokens[0], hook(9))

    name, tokens = in_a_room(tmp_path, first, notices=Notices(Outgoing(True), PushKey()))
    in_a_room(tmp_path, second)


def test_a_flood_of_ways_is_bounded_by_the_budget_of_the_seat(tmp_path: Path) -> None:
    async def doing() -> None:
        room = Room(SqliteStore(tmp_path / FILE), notices=Notices(Outgoing(True), PushKey()))
        live, tokens = await seated(room)
        refusal = ""
        for number in range(100):
            try:
                id = await room.notify(live.table.name, tokens[1], hook(9, path=f"/{number}"))
                await room.silence(live.table.name, tokens[1], id)
            except Refusal as error:
                refusal = str(error.sentence)
                break
        assert "arranged too much" in refusal and live.table.size < 60
        await live.change(lambda table: table.begin(0))
        await room.close()

    asyncio.run(doing())


def test_a_server_sends_notices_only_where_its_operator_allows_that(tmp_path: Path) -> None:
    with Server(tmp_path / "plain") as plain:
        assert plain.ask("GET", "/api/notices") == (200, {"notices": False, "push": None})
        name, tokens = plain.open("heraldry", 2)
        way = {"webhook": {"address": "https://hook.example/"}}
        status, said = plain.ask("POST", f"/api/tables/{name}/notices", way, tokens[0])
        assert status == 409 and "has not allowed" in said["sentence"]
    with Server(tmp_path / "public", "--allow-outgoing") as public:
        name, tokens = public.open("heraldry", 2)
        for address in ("https://127.0.0.1/", "https://2130706433/", "https://[::ffff:10.0.0.1]/", "http://1.1.1.1/"):
            way = {"webhook": {"address": address}}
            assert public.ask("POST", f"/api/tables/{name}/notices", way, tokens[0])[0] == 409, address
        for wrong in ({}, {"push": {"endpoint": "https://1.1.1.1/", "p256dh": "B", "auth": "A"}}, {"webhook": {}}):
            assert public.ask("POST", f"/api/tables/{name}/notices", wrong, tokens[0])[0] in (409, 422)
        assert public.ask("POST", f"/api/tables/{name}/notices", way)[0] == 401
        assert public.ask("POST", f"/api/tables/{name}/notices", way, "x" * 32)[0] == 403
        assert public.ask("GET", f"/api/tables/{name}/notices", None, tokens[0]) == (200, [])
        assert (tmp_path / "public" / "push.key").stat().st_mode & 0o077 == 0


def test_a_webhook_is_called_by_a_server_whose_operator_allows_private_networks(tmp_path: Path) -> None:
    heard: queue.Queue[bytes] = queue.Queue()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as there, Server(tmp_path / "data", "--allow-private") as server:
        threading.Thread(target=there.serve_forever, daemon=True).start()
        assert server.ask("GET", "/api/notices")[1]["notices"] is True
        name, tokens = server.open("heraldry", 2)
        way = {"webhook": {"address": f"http://127.0.0.1:{there.server_port}/secret"}}
        status, chosen = server.ask("POST", f"/api/tables/{name}/notices", way, tokens[0])
        assert (status, chosen["kind"], chosen["host"]) == (201, "webhook", "127.0.0.1")
        said = json.loads(heard.get(timeout=WAIT))
        assert said["kind"] == "hello" and said["link"] == f"http://127.0.0.1:{server.port}/#table={name}"
        assert server.ask("GET", f"/api/tables/{name}/notices", None, tokens[0])[1] == [chosen]
        assert server.ask("DELETE", f"/api/tables/{name}/notices/{chosen['id']}", None, tokens[0])[0] == 204
        assert server.ask("GET", f"/api/tables/{name}/notices", None, tokens[0])[1] == []
        there.shutdown()
