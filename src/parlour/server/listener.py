"""A listener: one client at a table, and the messages that wait to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ..engine.messages import say
from .protocols import CURRENT, Protocol

MOST_WAITING = 256  # messages that a listener may be behind
MOST_WAITING_BYTES = 1 << 20
NOT_READING = say("not reading", "You were not reading; come back when you are.")


class Listener:
    """A person at a seat, or a spectator (−1), as seen from the table."""

    def __init__(self, seat: int, token: bytes = b"", protocol: Protocol = CURRENT) -> None:
        self.seat = seat
        self.token = token  # the digest of the one that the client brought
        self.protocol = protocol
        self.address = ""  # that pays for what bots do here
        self.number = 0  # the size of the log up to which it was told everything
        self.send_now: Callable[[bytes], bool] | None = None  # sends a message, if that is possible without waiting
        self.idle = False  # nothing waits, and nothing is on its way that came before
        self.waiting: deque[bytes] = deque()
        self.waiting_bytes = 0
        self.ready = asyncio.Event()  # something waits, or there will be no more
        self.heard = 0.0  # when the client last said something, by the server's clock
        self.cut = ""  # why nothing more is sent, not even what waits,
        self.again = False  # and whether coming back may help
        self.ending = ""  # why nothing more is sent after what waits

    def send(self, message: bytes) -> None:
        """Send a message now, or let it wait where the client is behind.

        A client that does not read is cut off, so that it costs nobody else.
        """
        if self.cut:
            return
        if self.idle and self.send_now is not None and self.send_now(message):
            return
        self.idle = False
        self.waiting.append(message)
        self.waiting_bytes += len(message)
        too_much = len(self.waiting) > 1 and self.waiting_bytes > MOST_WAITING_BYTES
        if too_much or len(self.waiting) > MOST_WAITING:
            self.cut_off(NOT_READING, again=True)
        self.ready.set()

    def cut_off(self, why: str, again: bool = False) -> None:
        """Send nothing more; the first reason counts."""
        if not self.cut:
            self.cut, self.again = why, again
        self.ready.set()

    def end(self, why: str) -> None:
        """Send what waits, and then nothing more."""
        self.ending = self.ending or why
        self.ready.set()

    def next(self) -> bytes | None:
        """The next message, if one waits."""
        if not self.waiting:
            self.idle = True
            self.ready.clear()
            return None
        message = self.waiting.popleft()
        self.waiting_bytes -= len(message)
        return message
