"""A network that is slow, stalls and breaks: connections keep the order of their messages, and nothing else is sure."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any

from .loop import VirtualLoop

WINDOW = 40_000  # bytes that may be on their way to a client that does not read


class Pipe:
    """One direction of a connection: what is put in comes out later, in order, often several things at once."""

    def __init__(self, loop: VirtualLoop, luck: random.Random, deliver: Callable[[Any], None], delay: float) -> None:
        self.loop, self.luck, self.deliver, self.delay = loop, luck, deliver, delay
        self.items: deque[Any] = deque()
        self.stalled_until = 0.0
        self.broken = False

    def put(self, item: Any) -> None:
        self.items.append(item)
        if len(self.items) == 1:
            self._arm()

    def _arm(self) -> None:
        soon = self.loop.at + self.luck.expovariate(1 / self.delay)
        self.loop.call_at(max(soon, self.stalled_until), self._pump, context=self.loop.outside)

    def _pump(self) -> None:
        if self.broken or not self.items:
            return
        if self.loop.at < self.stalled_until:
            self._arm()
            return
        for _ in range(self.luck.randint(1, len(self.items))):
            self.deliver(self.items.popleft())
        if self.items:
            self._arm()


CLOSED = {"kind": "closed"}


class Link:
    """A client's connection to the server."""

    def __init__(self, loop: VirtualLoop, luck: random.Random, label: str, delay: float) -> None:
        self.loop, self.luck, self.label = loop, luck, label
        self.up = Pipe(loop, luck, self._arrive_there, delay)
        self.down = Pipe(loop, luck, self._arrive_here, delay)
        self.there: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])  # what the server can receive
        self.here: deque[Any] = deque()  # what the client can read
        self.unread = 0  # bytes sent and not read
        self.reading = True  # the client reads what comes
        self.gone_there = False  # the server knows that the connection is over,
        self.gone_here = False  # and the client does
        self.told: Callable[[bytes], Any] = lambda content: content  # sees what the server sends, when it does
        self._server_waits: asyncio.Future[None] | None = None
        self._server_is_full: asyncio.Future[None] | None = None
        self._client_waits: asyncio.Future[None] | None = None

    # the server's end

    async def receive(self) -> dict[str, Any]:
        while not self.there:
            if self.gone_there:
                return {"type": "websocket.disconnect"}
            self._server_waits = self.loop.create_future()
            await self._server_waits
        return self.there.popleft()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            return
        while self.unread > WINDOW and not self.gone_there:
            self._server_is_full = self.loop.create_future()
            await self._server_is_full
        if self.gone_there:
            raise OSError("the client is gone")
        if message["type"] == "websocket.close":
            self.down.put(CLOSED)
        elif message["type"] == "websocket.send":
            content = message["text"].encode()
            self.unread += len(content)
            self.down.put((len(content), self.told(content)))

    def _arrive_there(self, message: dict[str, Any]) -> None:
        if not self.gone_there:
            self.there.append(message)
            wake(self._server_waits)

    # the client's end

    def say(self, content: bytes) -> None:
        if not self.gone_here:
            self.up.put({"type": "websocket.receive", "text": content.decode()})

    async def hear(self, seconds: float) -> Any:
        """The next message; None where none comes in time, CLOSED where none will come."""
        if not (self.here and self.reading) and not self.gone_here:
            self._client_waits = self.loop.create_future()
            timer = self.loop.call_later(seconds, wake, self._client_waits)
            await self._client_waits
            timer.cancel()
        if self.here and self.reading:
            item = self.here.popleft()
            if item is CLOSED:
                self.cut()
                return CLOSED
            size, message = item
            self.unread -= size
            if self.unread <= WINDOW:
                wake(self._server_is_full)
            return message
        return CLOSED if self.gone_here else None

    def _arrive_here(self, item: Any) -> None:
        if not self.gone_here:
            self.here.append(item)
            if self.reading:
                wake(self._client_waits)

    def read_on(self, reading: bool) -> None:
        """The client stops reading, or reads again."""
        self.reading = reading
        if reading:
            wake(self._client_waits)

    # breaking

    def stall(self, seconds: float) -> None:
        """Nothing arrives for a while, in either direction."""
        for pipe in (self.up, self.down):
            pipe.stalled_until = self.loop.at + seconds

    def cut(self) -> None:
        """Break: what is on its way is lost, and each end notices in its own time."""
        if not self.up.broken:
            self.up.broken = self.down.broken = True
            for end in (self._end_here, self._end_there):
                self.loop.call_later(self.luck.expovariate(2.0), end, context=self.loop.outside)

    def server_left(self) -> None:
        """The server's end is gone: what it had handed over may still arrive, and then the end."""
        if self.gone_there:
            return
        self.gone_there = True
        if self.luck.random() < 0.5:
            self.down.put(CLOSED)
        else:
            self.cut()

    def _end_here(self) -> None:
        self.gone_here = True
        wake(self._client_waits)

    def _end_there(self) -> None:
        self.gone_there = True
        wake(self._server_waits)
        wake(self._server_is_full)


def wake(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)
