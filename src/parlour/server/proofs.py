"""Proofs: whether a record, another statement or a server contradicts a statement that the server has signed."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from ..records.record import Differs
from ..records.seal import verified
from . import messages as wire
from .statements import is_signed

SECONDS = 20.0  # for a server to answer


class Statement(msgspec.Struct):
    """What a server told of a table's log, with its signature; the page saves it with more beside it."""

    table: str
    number: wire.Number
    head: wire.Digits
    signature: wire.Signature
    key: wire.Digits

    @property
    def holds(self) -> bool:
        """Whether the signature is that of the key."""
        return is_signed(self.table, self.number, self.head, self.signature, self.key)


class Finding(NamedTuple):
    """Whether something contradicts a statement, and why, in one sentence."""

    contradicts: bool
    sentence: str


class Unusable(Exception):
    """Something that cannot be compared with a statement; the message is one sentence."""


def read_statement(text: str | bytes) -> Statement:
    """A statement, as the page saves it."""
    try:
        return msgspec.json.decode(text, type=Statement)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unusable("it is not a signed statement with table, number, head, signature and key.") from None


def compare(told: Statement, what: str) -> Finding:
    """Compare a statement with a server (by its address), or with a file that holds a record or another statement."""
    if what.startswith(("http://", "https://")):
        return with_server(told, what.rstrip("/"))
    text = Path(what).read_bytes()
    try:
        found = json.loads(text)
    except ValueError:
        raise Unusable("it is not one record or statement as JSON.") from None
    return with_record(told, found) if isinstance(found, dict) and "log" in found else with_another(told, text)


def with_another(told: Statement, text: bytes) -> Finding:
    """Two statements of one key contradict each other where they name two heads for one number."""
    other = read_statement(text)
    if not other.holds:
        raise Unusable("its signature is not that of its key.")
    if (other.table, other.key) != (told.table, told.key):
        raise Unusable("it is about another table, or signed with another key.")
    if other.number == told.number and other.head != told.head:
        return Finding(True, f"the server signed two different heads for the first {told.number:,} entries.")
    return Finding(False, f"it does not contradict the statement; it is about {other.number:,} entries.")


def with_record(told: Statement, record: dict[str, Any]) -> Finding:
    """A record contradicts a statement where its chain never had the head that was told."""
    try:
        chain = verified(record)
    except Differs as differs:
        raise Unusable(f"the record cannot be verified: {differs.difference}") from None
    if "deal" in record:
        raise Unusable("the record of a numbered deal does not name its table.")
    if record["seal"]["table"] != told.table:
        raise Unusable("it is the record of another table.")
    if bytes.fromhex(told.head) in chain.heads:
        return Finding(False, "the chain of the record has the head that was told.")
    if record.get("undone"):
        raise Unusable("decisions were taken back, and the record does not have their heads.")
    return Finding(True, "the chain of the record never had the head that was told.")


def with_server(told: Statement, address: str) -> Finding:
    """Ask a server as a spectator what it says now."""
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=SECONDS) as answer:
            key = json.load(answer).get("key")
        news = asked(told, "ws" + address.removeprefix("http"))
    except (OSError, urllib.error.URLError, ValueError, KeyError, WebSocketException) as error:
        raise Unusable(f"the server gives no answer ({type(error).__name__}).") from None
    if key != told.key:
        raise Unusable("this server has another key.")
    number, head = news["number"], news.get("head")
    if news.get("set_back"):
        return Finding(True, f"the server says: {news['set_back']}")
    if number < told.number or (number == told.number and head != told.head):
        return Finding(True, f"the log has {number:,} entries now, and is not the one that was told.")
    return Finding(False, f"the log has {number:,} entries now, and goes on from what was told, as the server says.")


def asked(told: Statement, address: str) -> dict[str, Any]:
    """What the server tells a spectator who shows a statement; where spectators are told later, that is waited for."""
    hello = wire.Hello(wire.PROTOCOL, told.table, None, told.number, told.head, told.signature, whole=True)
    with connect(f"{address}/api/socket", open_timeout=SECONDS, max_size=2**24) as socket:
        socket.send(wire.encode(hello).decode())
        message = json.loads(socket.recv(SECONDS))
        if message["kind"] == "bye":
            raise Unusable(f"the server says: {message['sentence']}")
        news: dict[str, Any] = message["news"]
        end = time.monotonic() + SECONDS + (news.get("table") or {}).get("pace", {}).get("spectator", 0)
        while news["number"] == 0:
            message = json.loads(socket.recv(max(0.0, end - time.monotonic())))
            news = message if message["kind"] == "news" else news
        return news
