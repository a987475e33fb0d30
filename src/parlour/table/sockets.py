"""How much of a socket is read at a time: who sends much in one go does not hold up the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PIECE = 1024  # bytes; the smallest messages in it take some milliseconds to read


def patient(may_send: Callable[[Any, int], bool]) -> type[WebSocketsSansIOProtocol]:
    """The web server's protocol for sockets, with patience; `may_send` is asked for each connection and its bytes."""

    class Patient(WebSocketsSansIOProtocol):
        """Reads a piece, and the next when what was in it is dealt with; who sends far too much is cut off."""

        unread = b""
        reading = False

        def data_received(self, data: bytes) -> None:
            self.unread += data
            if not may_send(self, len(data)):
                self.read_piece()  # which answers a message that is too large, if it is one
                self.unread = b""
                self.transport.close()
            else:
                self.read_on()

        def read_piece(self) -> None:
            self.reading = False
            if self.transport.is_closing():
                self.unread = b""
                return
            piece, self.unread = self.unread[:PIECE], self.unread[PIECE:]
            super().data_received(piece)
            self.read_on()

        def read_on(self) -> None:
            # after our goodbye nobody deals with messages any more, and the other side's goodbye is waited for
            busy = self.read_paused and not self.close_sent
            if self.unread and not self.reading and not busy:
                self.reading = True
                self.loop.call_soon(self.read_piece)

        async def receive(self) -> Any:
            message = await super().receive()
            self.read_on()
            return message

    return Patient
