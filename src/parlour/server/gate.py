"""The gate: middleware that checks every request's host and origin and counts it, and adds security headers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ..engine.messages import say
from .cost import Meter
from .errors import NOTHING_HERE, asked_for, error_reply
from .hosts import Rejection, known_hosts, why_rejected
from .limits import Limits, counted_as
from .socket import Socket

SOCKET_PATH = "/api/socket"
SLOW_SECONDS = 1.0  # before a client that asks too much is told so
MOST_SLOW = 1000  # clients that wait for that at the same time
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types svelte-trusted-html parlour",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
TOO_MUCH: Rejection = (429, say("wait", "That is too much at once; wait a moment."))


class Gate:
    """Every request passes here first."""

    def __init__(
        self,
        app: ASGIApp,
        sockets: Callable[[Socket], Awaitable[None]],
        hosts: Sequence[str],
        limits: Limits,
        behind_proxy: bool,
    ) -> None:
        self.app = app
        self.sockets = sockets
        self.hosts = known_hosts(hosts)
        self.limits = limits
        self.behind_proxy = behind_proxy
        self._slow = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = (scope.get("client") or ("", 0))[0]
        if self.behind_proxy:
            address = [address, *headers(scope, b"x-forwarded-for")][-1].split(",")[-1].strip()
        scope["address"] = counted_as(address)
        rejected = why_rejected(headers(scope, b"host"), headers(scope, b"origin"), self.hosts)
        if scope["type"] == "websocket":
            await self._pass_socket(scope, receive, send, rejected)
        else:
            await self._pass_request(scope, receive, send, rejected)

    async def _pass_request(self, scope: Scope, receive: Receive, send: Send, rejection: Rejection | None) -> None:
        if rejection is None and not (self.limits.may_ask(scope["address"]) and self.limits.may_cost(scope["address"])):
            rejection = TOO_MUCH

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in ENCODED_HEADERS if name not in own]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        if rejection is not None:
            status, sentence = rejection
            await self._slow_down(status)
            await error_reply(sentence, status, protocol=asked_for(Request(scope)))(scope, receive, with_headers)
        else:
            meter = Meter()
            try:
                await meter.run(self.app(scope, receive, with_headers))  # type: ignore[arg-type]
            finally:
                self.limits.charge(scope["address"], meter.seconds)

    async def _pass_socket(self, scope: Scope, receive: Receive, send: Send, rejection: Rejection | None) -> None:
        address = scope["address"]
        if rejection is None and not self.limits.may_come(address):
            rejection = TOO_MUCH
        if rejection is None and not self.limits.may_connect(address):
            rejection = (503, say("many connections", "There are too many connections."))
        if rejection is None and scope["path"] != SOCKET_PATH:
            rejection = (404, NOTHING_HERE)
        if rejection is not None:
            status, sentence = rejection
            await self._slow_down(status)
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": str(sentence)})
            return
        self.limits.connected(address, 1)
        try:
            await self.sockets(Socket(scope, receive, send))
        finally:
            self.limits.connected(address, -1)

    async def _slow_down(self, status: int) -> None:
        """Let a client that asks too much wait for the answer: that costs less than being asked again at once."""
        if status == TOO_MUCH[0] and self._slow < MOST_SLOW:
            self._slow += 1
            try:
                await asyncio.sleep(random.uniform(0.5, 1.5) * SLOW_SECONDS)  # so that not all come back together
            finally:
                self._slow -= 1


def headers(scope: Scope, name: bytes) -> list[str]:
    """The values of a header, as often as it was sent."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]
