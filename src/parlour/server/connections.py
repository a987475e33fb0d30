"""Connections with limits: uvicorn's protocols for requests and sockets, patient with clients but not for ever.

A client that sends much at once does not hold up the others; one that asks for nothing, or does not read, is
disconnected.
"""

from __future__ import annotations

import asyncio
from typing import Any

from h11 import LocalProtocolError
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .limits import Limits, counted_as

AT_ONCE = "parlour.at_once"  # the extension of the scope that has `send`, which sends a message without waiting
PIECE = 1024  # bytes; reading a piece full of the smallest messages takes some milliseconds
REQUEST_SECONDS = 10.0  # for a whole request
UNREAD_SECONDS = 10.0  # for a client to read what was sent
PING_SECONDS, PONG_SECONDS = 7.0, 7.0  # between pings, and for the answer: others soon see who is away


def text_head(size: int) -> bytes:
    """What stands before a whole text message of so many bytes, from a server, not compressed (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2) if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8)


def socket_protocol(limits: Limits) -> type[WebSocketsSansIOProtocol]:
    """Uvicorn's protocol for sockets, within limits."""

    class PatientSocket(WebSocketsSansIOProtocol):
        """Reads a piece, and the next when all messages in it are dealt with. A flood ends the connection."""

        unread = b""
        reading = False
        heard = 0.0  # when something last came
        ending: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.allowance = limits.allowance()

        def data_received(self, data: bytes) -> None:
            self.heard = self.loop.time()
            self.unread += data
            if not self.allowance.take(len(data)):
                self.read_piece()  # if it is one message that is too large, it is answered
                self.unread = b""
                self.transport.close()
                self.end_soon()
            else:
                self.read_on(at_once=True)

        def read_piece(self) -> None:
            self.reading = False
            if self.transport.is_closing():
                self.unread = b""
                return
            piece, self.unread = self.unread[:PIECE], self.unread[PIECE:]
            super().data_received(piece)
            self.read_on()

        def read_on(self, at_once: bool = False) -> None:
            # after our goodbye nobody takes messages any more, but the client's goodbye must still be read
            busy = self.read_paused and not self.close_sent
            if self.unread and not self.reading and not busy:
                self.reading = True
                if at_once:
                    self.read_piece()
                else:
                    self.loop.call_soon(self.read_piece)

        async def receive(self) -> Any:
            message = await super().receive()
            self.read_on()
            return message

        def keepalive_timeout(self) -> None:
            """No answer to a ping was read; that of a client which is slowed down may be behind all that it asked."""
            if self.unread or self.read_paused or self.heard > self.ping_sent_at:
                self.pong_timer = self.pending_ping_payload = None
                self.schedule_ping()
            else:
                super().keepalive_timeout()

        def handle_connect(self, event: Any) -> None:
            super().handle_connect(event)
            if self.tasks:  # whoever answers begins after this
                self.scope["extensions"][AT_ONCE] = {"send": self.send_now}

        def send_now(self, text: bytes) -> bool:
            """Send a text message, if that is possible without waiting."""
            if self.conn.state is not State.OPEN or not self.writable.is_set() or self.transport.is_closing():
                return False
            self.transport.write(text_head(len(text)) + text)
            return True

        def pause_writing(self) -> None:
            super().pause_writing()
            self.end_soon()

        def resume_writing(self) -> None:
            super().resume_writing()
            if self.ending is not None and not self.transport.is_closing():
                self.ending.cancel()
                self.ending = None

        def end_soon(self) -> None:
            """End the connection after a while, whether or not the client reads what was sent."""
            if self.ending is None:
                self.ending = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            if self.ending is not None:
                self.ending.cancel()
            super().connection_lost(exc)

    return PatientSocket


def request_protocol(limits: Limits, behind_proxy: bool) -> type[H11Protocol]:
    """Uvicorn's protocol for requests, within limits; behind a proxy all connections are the proxy's."""

    class BriefRequests(H11Protocol):
        """Limits connections per address and the wait for a request."""

        address: str | None = None
        answered: Any = None  # the request that was being answered, or had been, at the last look

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            peer = "" if self.client is None else counted_as(self.client[0])
            if not behind_proxy and not limits.take_connection(peer):
                transport.abort()
                return
            self.address = peer
            self.loop.call_later(REQUEST_SECONDS, self.look)

        def look(self) -> None:
            """End a connection at which no request is being answered, and none has come since the last look."""
            if self.address is None or self.transport.is_closing():
                return
            if (self.cycle is None or self.cycle.response_complete) and self.cycle is self.answered:
                self.transport.abort()
                return
            self.answered = self.cycle
            self.loop.call_later(REQUEST_SECONDS, self.look)

        def send_400_response(self, msg: str) -> None:
            try:
                super().send_400_response(msg)
            except LocalProtocolError:  # it was answered already, while the rest of its body went wrong
                self.transport.abort()

        def handle_websocket_upgrade(self, event: Any) -> None:
            super().handle_websocket_upgrade(event)
            self.give_up()  # from here on it is counted as a socket

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self.give_up()

        def give_up(self) -> None:
            if self.address is not None and not behind_proxy:
                limits.give_connection_back(self.address)
            self.address = None

    return BriefRequests
