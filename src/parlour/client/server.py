"""What is asked of a server over HTTP: tables opened, seats taken, records; and the links that invite to a table."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import msgspec

from .._version import __version__
from ..records.seal import ENTROPY_BYTES, commitment_to
from ..server.bodies import Opened, Seated
from ..server.messages import Described
from .errors import ClientError, Refused, Unreachable

ANSWER_SECONDS = 20.0
LATER = (408, 429, 503)  # statuses after which the same may be asked again
ELSEWHERE, MOST_MOVES = 307, 5  # the status that leads to another server, and how often that is followed at once
FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0  # seconds between two tries
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Link:
    """A link to a table: the address of the server, the table's name, and the code that invites, if there is one."""

    address: str
    table: str
    code: str = ""

    @classmethod
    def parse(cls, text: str) -> Link:
        """Read a link such as http://192.168.1.7:8420/#table=NAME&code=CODE; ValueError where it is none."""
        try:
            parts = urlsplit(text.strip())
            named = parse_qs(parts.fragment, strict_parsing=True)
            port = parts.port
        except ValueError:
            named, port = {}, None
        table, code = (named.get(name, [""])[0] for name in ("table", "code"))
        if not table or parts.scheme not in ("http", "https") or not parts.hostname:
            example = "http://192.168.1.7:8420/#table=NAME&code=CODE"
            raise ValueError(f"A link to a table looks like {example}, not {text!a:.100}.")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        return cls(f"{parts.scheme}://{host}" + (f":{port}" if port else "") + parts.path.rstrip("/"), table, code)

    def __str__(self) -> str:
        named = {"table": self.table} | ({"code": self.code} if self.code else {})
        return f"{self.address}/#{urlencode(named)}"


@dataclass(frozen=True)
class Place:
    """A seat at a table: its number, the token that is its key, and the entropy that it promised, if any."""

    seat: int
    token: str
    entropy: bytes = b""


def socket_of(address: str) -> str:
    """The address of the WebSocket of a server."""
    return f"ws{address.rstrip('/').removeprefix('http')}/api/socket"


class Server:
    """A server by its address. What is asked has one effect, so it is asked again until `patience` seconds are over."""

    def __init__(self, address: str, *, patience: float = 60.0) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"The address of a server looks like http://192.168.1.7:8420, not {address!a:.100}.")
        self.address = address.rstrip("/")
        self.patience = patience

    def __repr__(self) -> str:
        return f"Server({self.address!r})"

    @property
    def socket(self) -> str:
        """The address of the server's WebSocket."""
        return socket_of(self.address)

    def ask(
        self, method: str, path: str, kind: type[Answer], body: Any = None, token: str = "", again: bool = True
    ) -> Answer:
        """Ask something; a refusal raises Refused, and a server that does not answer Unreachable."""
        request = urllib.request.Request(f"{self.address}{path}", method=method)
        request.add_header("User-Agent", f"parlour/{__version__}")
        if body is not None:
            request.data = msgspec.json.encode(body)
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        wait, end = FIRST_WAIT, time.monotonic() + (self.patience if again else 0.0)
        while True:
            try:
                return self._once(request, kind)
            except ClientError as error:
                later = isinstance(error, Unreachable) or (isinstance(error, Refused) and error.status in LATER)
                if not later or time.monotonic() + wait > end:
                    raise
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _once(self, request: urllib.request.Request, kind: type[Answer], moves: int = 0) -> Answer:
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                content = answer.read()
            return msgspec.json.decode(content or b"null", type=kind)
        except urllib.error.HTTPError as error:
            with error:
                where = error.headers.get("location", "")
                if error.code == ELSEWHERE and where.startswith(("http://", "https://")) and moves < MOST_MOVES:
                    request.full_url = where  # another of several servers has the table
                    return self._once(request, kind, moves + 1)
                raise self._refusal(error.code, error.read()) from None
        except msgspec.MsgspecError:
            raise ClientError(f"{self.address} does not answer as a Parlour server does.") from None
        except OSError as error:
            reason = getattr(error, "reason", None) or error
            what = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            raise Unreachable(f"The server at {self.address} cannot be reached: {what}.") from None

    def _refusal(self, status: int, content: bytes) -> ClientError:
        try:
            found = json.loads(content)
            return Refused(str(found["sentence"]), str(found.get("clause") or ""), status)
        except (ValueError, KeyError, TypeError, AttributeError):
            if status in LATER:
                return Refused(f"The server at {self.address} is busy (status {status}).", "", status)
            return ClientError(f"{self.address} does not answer as a Parlour server does (status {status}).")

    # tables

    def open(self, game: str, players: int, options: Mapping[str, str | int] | None = None, **settings: Any) -> Opened:
        """Open a table; further settings are those of `Opening`, such as `open=True` or `programs=False`."""
        body = {"game": game, "players": players, "options": dict(options or {}), **settings}
        return self.ask("POST", "/api/tables", Opened, body, again=False)

    def link(self, opened: Opened) -> Link:
        """The link that invites to a table just opened."""
        return Link(self.address, opened.table, opened.code)

    def tables(self) -> list[Described]:
        """The open tables at which people gather."""
        found: list[Any] = self.ask("GET", "/api/tables", list[Any])
        return found

    def table(self, name: str) -> Described:
        """What everyone may know of a table."""
        found: Any = self.ask("GET", f"/api/tables/{quote(name, safe='')}", dict[str, Any])
        described: Described = found
        return described

    def sit(
        self, table: str, code: str, name: str, *, seat: int | None = None, program: str = "", promise: bool = False
    ) -> Place:
        """Sit down under a name. A program says what it is; with `promise` the seat adds entropy to the deal."""
        entropy = secrets.token_bytes(ENTROPY_BYTES) if promise else b""
        # with a token of its own the client sits down once, however often it asks
        body: dict[str, Any] = {"name": name, "code": code, "token": secrets.token_urlsafe(24)}
        body |= {} if seat is None else {"seat": seat}
        body |= {"promise": commitment_to(entropy)} if promise else {}
        body |= {"program": program} if program else {}
        found = self.ask("POST", f"/api/tables/{quote(table, safe='')}/seats", Seated, body)
        return Place(found.seat, found.token, entropy)

    def record(self, table: str) -> dict[str, Any]:
        """The record of a sitting that is over."""
        return self.ask("GET", f"/api/tables/{quote(table, safe='')}/record", dict[str, Any])

    def delete(self, table: str, token: str) -> None:
        """Delete a table, with the token of its host."""
        self.ask("DELETE", f"/api/tables/{quote(table, safe='')}", type(None), token=token)
