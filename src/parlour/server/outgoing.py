"""Outgoing calls: a POST to an address that people gave, which is looked up once, checked, and then connected to."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from ..engine.errors import Refusal
from ..engine.messages import say
from .limits import counted_as

SECONDS = 10.0  # for a whole call
LARGEST_HEAD = 8 * 1024  # of an answer; nothing else of it is read
LONGEST_ADDRESS = 1000
MOST_CALLS = 20  # at the same time,
MOST_THERE = 5  # and to one address, however many names it has
MOST_LOOKUPS = 16  # at the same time: a name server may let us wait
PORTS = {443, 8443}
EVERYWHERE = ipaddress.ip_network("2000::/3")  # of IPv6, all that is routed; not the old fec0::/10 and its like
NOWHERE = tuple(map(ipaddress.ip_network, ("3fff::/20", "192.88.99.0/24")))  # examples, and relays to IPv6
NO_ADDRESS = say("no address", "This is not an https address that this server can call.")
# one sentence for both: which names there are in the server's own network is not for everyone to know
NOT_CALLED = say(
    "address not called", "This address cannot be found, or leads into a network that this server does not call."
)

Resolve = Callable[[str, int], Awaitable[list[str]]]


class CallFailed(Exception):
    """A call was not answered as HTTP asks for."""


class Target(NamedTuple):
    """Where a call goes."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == (443 if self.secure else 80)
        return f"http{'s' * self.secure}://{host}{'' if usual else f':{self.port}'}"


class Answer(NamedTuple):
    """The status of an answer, and after how many seconds it asks to be called again."""

    status: int
    again: float = 0.0


LOOKUPS = ThreadPoolExecutor(MOST_LOOKUPS, thread_name_prefix="parlour-lookup")  # no others wait for these


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system finds them."""
    asked = (host, port, 0, socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(LOOKUPS, socket.getaddrinfo, *asked)
    return [str(each[4][0]) for each in found]


def is_public(address: str) -> bool:
    """Whether an address is in nobody's own network, also where an IPv4 address stands within one of IPv6."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found not in EVERYWHERE or found.sixtofour is not None or found.teredo is not None:
            return False
    if any(found in network for network in NOWHERE):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


class Outgoing:
    """What may be called. Where `private` is true, so may addresses of private networks, also without TLS."""

    def __init__(
        self, private: bool = False, resolve: Resolve = resolved, context: ssl.SSLContext | None = None
    ) -> None:
        self.private = private
        self._resolve = resolve
        self._context = context or ssl.create_default_context()
        self._calls = asyncio.Semaphore(MOST_CALLS)
        self._there: dict[str, asyncio.Semaphore] = {}  # by address
        self._using: Counter[str] = Counter()  # calls that go there, or wait for that

    def target(self, address: str) -> Target:
        """An address, as far as it can be called; refused where it cannot."""
        try:
            parts = urlsplit(address)
            host = (parts.hostname or "").encode("idna").decode("ascii")
            port = parts.port
        except (ValueError, UnicodeError):
            raise Refusal(NO_ADDRESS) from None
        secure = parts.scheme == "https"
        plain = address.isascii() and address.isprintable() and " " not in address
        if not plain or len(address) > LONGEST_ADDRESS or not host or parts.username is not None:
            raise Refusal(NO_ADDRESS)
        port = port or (443 if secure else 80)
        if not self.private and (not secure or port not in PORTS):
            raise Refusal(NO_ADDRESS)
        if parts.scheme not in ("https", "http"):
            raise Refusal(NO_ADDRESS)
        return Target(secure, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))

    async def check(self, address: str) -> tuple[Target, list[str]]:
        """Look an address up; refused where it leads, or could lead, into a network that is not to be called."""
        target = self.target(address)
        try:
            async with asyncio.timeout(SECONDS):
                found = await self._resolve(target.host, target.port)
        except (OSError, UnicodeError, TimeoutError):
            raise Refusal(NOT_CALLED) from None
        if not found or not (self.private or all(map(is_public, found))):
            raise Refusal(NOT_CALLED)
        return target, found

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Call an address; redirects are not followed. CallFailed where no answer comes, Refusal where none may."""
        target, found = await self.check(address)
        head = [f"POST {target.path} HTTP/1.1", f"Host: {target.origin.partition('//')[2]}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        request = "\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode("ascii") + body
        try:
            async with self._turn(found[0]), asyncio.timeout(SECONDS):
                return answer_of(await self._exchange(target, found[0], request))
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError) as error:
            raise CallFailed(str(error) or type(error).__name__) from None

    @asynccontextmanager
    async def _turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn to call an address: one that lets us wait holds up no calls to others."""
        where = counted_as(address)
        there = self._there.setdefault(where, asyncio.Semaphore(MOST_THERE))
        self._using[where] += 1
        try:
            async with there, self._calls:
                yield
        finally:
            self._using[where] -= 1
            if not self._using[where]:
                del self._using[where], self._there[where]

    async def _exchange(self, target: Target, address: str, request: bytes) -> bytes:
        """Send a request to the very address that was checked; the head of the answer."""
        secured = {"ssl": self._context, "server_hostname": target.host} if target.secure else {}
        reader, writer = await asyncio.open_connection(
            address.partition("%")[0],
            target.port,
            limit=LARGEST_HEAD,
            **secured,  # type: ignore[arg-type]
        )
        try:
            writer.write(request)
            await writer.drain()
            return await reader.readuntil(b"\r\n\r\n")
        finally:
            writer.transport.abort()


def answer_of(head: bytes) -> Answer:
    """What the head of an answer says; ValueError where that is not HTTP."""
    first, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError("the answer is not HTTP")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    again = fields.get("retry-after", "")
    return Answer(int(rest[:3]), float(again) if again.isdecimal() else 0.0)
