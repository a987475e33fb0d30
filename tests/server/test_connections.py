"""Connections: a client whose line is dead is noticed, and one that is slowed down is not taken for dead."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any

import uvicorn
from websockets.asyncio.client import connect

from parlour.server.connections import PING_SECONDS, PONG_SECONDS, socket_protocol
from parlour.server.limits import Limits
from parlour.server.listener import Listener
from parlour.server.services import Arrivals
from parlour.server.socket import Conversation, Socket
from support.wait import WAIT

MESSAGES = 60
SIZES = (9, 125, 126, 1000, 65_535, 65_536)  # of messages: each way to write a length, at its ends
MOST_SENT = 2000  # until a client that does not read is behind


def beside_a_server(app: Any, doing: Callable[[int], Awaitable[Any]], ping: float, pong: float) -> Any:
    """Do something while an application is served by our protocol, with pings of its own; it is given the port."""

    async def run() -> Any:
        config = uvicorn.Config(
            app,
            ws=socket_protocol(Limits(100_000.0)),
            ws_ping_interval=ping,
            ws_ping_timeout=pong,
            log_config=None,
            lifespan="off",
        )
        server = uvicorn.Server(config)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            serving = asyncio.create_task(server.serve(sockets=[taken]))
            try:
                async with asyncio.timeout(WAIT):
                    while not server.started:
                        await asyncio.sleep(0.005)
                    return await doing(taken.getsockname()[1])
            finally:
                server.should_exit = True
                await serving

    return asyncio.run(run())


async def slow_echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer each message after a while, as a client is slowed down that asks too much."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await asyncio.sleep(0.02)
        await send({"type": "websocket.send", "text": message["text"]})


def test_a_client_that_is_slowed_down_for_long_is_not_taken_for_dead() -> None:
    """Its answers to pings are behind all that it asked, and take far longer than those of others may."""

    async def ask_all_at_once(port: int) -> list[int]:
        async with connect(f"ws://127.0.0.1:{port}/", compression=None, ping_interval=None) as client:
            for number in range(MESSAGES):
                await client.send(json.dumps(number).ljust(100))
            return [json.loads(await client.recv()) for _ in range(MESSAGES)]

    assert beside_a_server(slow_echo, ask_all_at_once, ping=0.05, pong=0.1) == list(range(MESSAGES))


def test_a_client_whose_line_is_dead_is_disconnected() -> None:
    left = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await slow_echo(scope, receive, send)
        left.append(scope["path"])

    async def say_nothing(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(bytes(16)).decode()
        writer.write(
            f"GET /dead HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        heard = await reader.read()  # until the server ends the connection
        writer.close()
        await writer.wait_closed()
        while not left:
            await asyncio.sleep(0.005)
        return heard

    heard = beside_a_server(app, say_nothing, ping=0.05, pong=0.1)
    assert b"101 Switching Protocols" in heard and b"keepalive ping timeout" in heard and left == ["/dead"]
    assert PING_SECONDS + PONG_SECONDS <= 45.0, "as the server's page promises"


def test_messages_keep_their_order_while_a_client_falls_behind_and_catches_up() -> None:
    """Some are sent at once, some wait, and some come while those that waited are being sent."""
    behind, sent = asyncio.Event(), list[str]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        own = Socket(scope | {"address": ""}, receive, send)
        await own.accept()
        listener = Listener(-1)
        listener.send_now = own.send_now
        writing = asyncio.create_task(Conversation(own, None, Limits())._write(listener))  # type: ignore[arg-type]

        def send_one(size: int) -> None:
            sent.append(f"{len(sent):09}".ljust(size))
            listener.send(sent[-1].encode())

        await asyncio.sleep(0)
        while (listener.idle or len(sent) < MESSAGES) and len(sent) < MOST_SENT:
            send_one(SIZES[len(sent) % len(SIZES)])
        assert listener.waiting and not listener.cut
        behind.set()
        writable: asyncio.Event = own.send_now.__self__.writable  # type: ignore[union-attr]
        while not listener.idle:
            await asyncio.sleep(0)
            if writable.is_set():  # from now on, although the message that waited for that is not sent yet
                send_one(9)
        send_one(0)
        await receive()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)

    async def read_late(port: int) -> list[str]:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        async with connect(f"ws://127.0.0.1:{port}/", compression=None, sock=line, max_queue=1) as client:
            await behind.wait()
            heard = [str(await client.recv())]
            while len(heard) < len(sent) or heard[-1] != sent[-1]:
                heard.append(str(await client.recv()))
            return heard

    assert beside_a_server(app, read_late, ping=WAIT, pong=WAIT) == sent


def test_what_threads_finish_reaches_those_who_wait_for_it_and_still_do() -> None:
    async def run() -> None:
        arrivals, todo = Arrivals(), [Future[None]() for _ in range(4)]
        waiting = [asyncio.create_task(arrivals.wait(each)) for each in todo]
        await asyncio.sleep(0)
        waiting[1].cancel()

        def finish() -> None:
            for number, each in enumerate(todo):
                each.set_exception(OSError("gone")) if number == 2 else each.set_result(None)

        thread = threading.Thread(target=finish)
        thread.start()
        async with asyncio.timeout(WAIT):
            found = await asyncio.gather(*waiting, return_exceptions=True)
            await arrivals.wait(todo[0])  # which is finished already
        thread.join()
        assert [type(each) for each in found] == [type(None), asyncio.CancelledError, OSError, type(None)]

    asyncio.run(run())
