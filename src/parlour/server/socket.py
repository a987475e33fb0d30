"""One WebSocket connection: hello, requests and answers, and goodbye."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from ..engine.errors import Refusal
from ..engine.messages import say
from . import messages as wire
from .connections import AT_ONCE
from .cost import Meter
from .limits import LARGEST_MESSAGE, Bucket, Limits
from .listener import Listener
from .protocols import CURRENT, PROTOCOLS, sentence_of, told_by
from .requests import Requests
from .room import Room
from .rows import Damaged
from .statements import Shown
from .store import Elsewhere, StoreError

HELLO_SECONDS = 10.0
LONGEST_WAIT = 10.0  # seconds that a client is slowed down; one that asks for still more is disconnected
TOO_MUCH = say("too much", "That is too much at once; come back in a moment.")
ASKED_TOO_MUCH = say("too much for seat", "That is too much at once for your seat; ask again in a moment.")
EXPENSIVE = (wire.Undo, wire.Hint, wire.Rematch)  # and answers to positions that have passed
NOT_A_MESSAGE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)


class TooMuch(Refusal):
    """More was asked than a client may ask at once; after a while it may come again."""


class Disconnected(Exception):
    """The client is gone."""


class Socket:
    """A client's WebSocket."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.address: str = scope["address"]
        self._receive = receive
        self._send = send
        self.send_now: Callable[[bytes], bool] | None = scope.get("extensions", {}).get(AT_ONCE, {}).get("send")

    async def accept(self) -> None:
        """Take the connection."""
        await self._receive()  # the event that someone connects
        await self._send({"type": "websocket.accept"})

    async def receive(self) -> bytes:
        """The next message; one that is too large is refused."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Disconnected
        text = message.get("text")
        content: bytes = text.encode("utf-8", "surrogatepass") if text is not None else message.get("bytes") or b""
        if len(content) > LARGEST_MESSAGE:
            raise Refusal(say("large message", "A message has at most {most} bytes.", most=LARGEST_MESSAGE))
        return content

    async def send(self, message: bytes) -> None:
        """Send a message."""
        await self._send({"type": "websocket.send", "text": message.decode()})

    async def close(self, why: wire.Sentence, again: bool = False, owner: str = "") -> None:
        """Say goodbye, if the client is still there to hear it."""
        try:
            if why:
                await asyncio.wait_for(self.send(wire.encode(wire.Bye(why, again, owner))), 1.0)
            closing = {"type": "websocket.close", "code": 1008 if why else 1000}
            await asyncio.wait_for(self._send(closing), 1.0)
        except (OSError, RuntimeError, TimeoutError):
            pass


class Conversation:
    """A client comes to a table, and plays or watches until it goes."""

    def __init__(self, socket: Socket, room: Room, limits: Limits) -> None:
        self.socket = socket
        self.room = room
        self.limits = limits
        self._allowed = Bucket(limits.messages, limits.at_once)
        self._protocol = CURRENT  # until the client has said which
        self._listener: Listener | None = None  # once the client is at its table

    async def run(self) -> None:
        """From the first message to the last."""
        await self.socket.accept()
        why, again, owner = "", False, ""
        try:
            hello = await self._hello()
            await self._at_the_table(hello)
        except (Refusal, StoreError, Damaged) as error:
            why = sentence_of(error)
            again = isinstance(error, StoreError | TooMuch)
            owner = error.address if isinstance(error, Elsewhere) else ""
        except NOT_A_MESSAGE as error:
            why = f"The message does not fit: {error}."[:300]
            self.limits.was_wrong(self.socket.address)
        except TimeoutError:
            why, again = say("no hello", "Nobody said hello."), True  # it may be on its way, over a slow line
        except Disconnected:
            pass
        finally:
            cut, cut_again = (self._listener.cut, self._listener.again) if self._listener else ("", False)
            await self.socket.close(self._protocol.said(why or cut), again or cut_again, owner)

    async def _hello(self) -> wire.Hello:
        hello = wire.decode(await asyncio.wait_for(self.socket.receive(), HELLO_SECONDS))
        if not isinstance(hello, wire.Hello):
            raise Refusal(say("hello first", "The first message must be hello."))
        if hello.protocol not in PROTOCOLS:
            raise Refusal(say("protocols", "This server speaks protocol {spoken}.", spoken=list(PROTOCOLS)))
        self._protocol = told_by(hello.protocol, hello.words, hello.wants)
        return hello

    async def _at_the_table(self, hello: wire.Hello) -> None:
        address, meter = self.socket.address, Meter()
        if not self.limits.may_cost(address):
            raise TooMuch(TOO_MUCH)
        last = None if hello.whole else hello.last
        shown = None if hello.last is None else Shown(hello.last, hello.head, hello.signature)
        coming = self.room.come_in(hello.table, hello.token, last, self._protocol, shown)
        try:
            live, listener = await meter.run(coming)
        finally:
            self.limits.charge(address, meter.seconds)
        self._listener, listener.address, listener.send_now = listener, address, self.socket.send_now
        writer = asyncio.create_task(self._write(listener))
        try:
            await self._read(listener, Requests(self.room, live, listener, lambda: self.limits.may_open(address)))
        finally:
            live.leave(listener)
            writer.cancel()

    async def _read(self, listener: Listener, requests: Requests) -> None:
        """Answer what the client asks until it is cut off."""
        while not listener.cut:
            asked = wire.decode(await self.socket.receive())
            listener.heard = self.room.services.awake.time()
            await self._slow_down()
            if isinstance(asked, wire.Ping):
                listener.send(wire.encode(wire.Pong()))
            elif isinstance(asked, wire.Hello):
                raise Refusal(say("hello twice", "Hello was said."))
            elif isinstance(asked, wire.Hint):
                # other requests are answered while a hint is thought about
                self.room.services.later(self._answer(listener, requests, asked))
            else:
                await self._answer(listener, requests, asked)

    async def _slow_down(self) -> None:
        """Let a client wait that asks for more than its pace, or whose address has used up its processor time."""
        wait = max(self._allowed.wait_for(), self.limits.wait_to_say(self.socket.address))
        if wait > LONGEST_WAIT:
            raise TooMuch(TOO_MUCH)
        if wait:
            await asyncio.sleep(wait)

    async def _answer(self, listener: Listener, requests: Requests, asked: Any) -> None:
        """Answer a request, and charge what that took to whoever asked."""
        address, meter = self.socket.address, Meter()
        seat = f"{requests.live.table.name} {listener.seat}"  # so that no seat uses up what others may ask
        answer: wire.Message
        if isinstance(asked, EXPENSIVE) and not self.limits.table_may_cost(seat):
            answer = wire.Refused(asked.id, listener.protocol.said(ASKED_TOO_MUCH))
        else:
            answer = await meter.run(requests.answer(asked))
        self.limits.charge(address, meter.seconds)
        if isinstance(asked, EXPENSIVE) or isinstance(answer, wire.Stale):
            self.limits.charge_table(seat, meter.seconds)
        listener.send(wire.encode(answer))

    async def _write(self, listener: Listener) -> None:
        """Send what waits. A client that is cut off is disconnected without waiting for it to read."""
        while True:
            message = listener.next()
            if listener.cut:
                await self.socket.close(listener.protocol.said(listener.cut), listener.again)
                return
            if message is None and listener.ending:
                await asyncio.sleep(0.1)  # for an answer that is on its way; a client may ask again and again
                with suppress(OSError):
                    while (message := listener.next()) is not None:
                        await self.socket.send(message)
                await self.socket.close(listener.protocol.said(listener.ending), again=True)
                return
            elif message is None:
                await listener.ready.wait()
            else:
                try:
                    await self.socket.send(message)
                except OSError:
                    return  # the client is gone, as the reader hears too
