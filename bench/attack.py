"""Hostile clients for bench/load.py: attacks that a server must withstand, each from an address of its own."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress

HANDSHAKE = (
    "GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ASK = "POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {size}\r\n\r\n{body}"
IDLE = 1000
Attack = Callable[[int, str, random.Random], Awaitable[None]]


def frame(content: bytes, kind: int = 1) -> bytes:
    """A frame as a client sends it, with a mask of zeros."""
    size = len(content)
    if size < 126:
        head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, size)
    return head + bytes(4) + content


async def connected(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def at_a_socket(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await connected(port, address)
    writer.write(HANDSHAKE.format(port=port).encode())
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    return reader, writer


async def nonsense(port: int, address: str, luck: random.Random) -> None:
    """Invalid messages, one socket after the other."""
    _, writer = await at_a_socket(port, address)
    with closing(writer):
        for _ in range(50):
            said = luck.choice(
                (b"[" * 5000, b"\xff\xfe", b'{"kind":"act"}', b'{"kind":"hello","protocol":1e400}', b"1" * 9999)
            )
            writer.write(frame(said))
        await writer.drain()
        await asyncio.sleep(0.05)


async def huge(port: int, address: str, luck: random.Random) -> None:
    """A frame of 16 MiB."""
    _, writer = await at_a_socket(port, address)
    with closing(writer):
        writer.write(frame(bytes(1 << 24)))
        await asyncio.wait_for(writer.drain(), 2)


async def flood(port: int, address: str, luck: random.Random) -> None:
    """Tables, as many as possible."""
    reader, writer = await connected(port, address)
    body = '{"game":"tontine","players":52}'
    with closing(writer):
        for _ in range(100):
            writer.write(ASK.format(port=port, size=len(body), body=body).encode())
            await reader.readuntil(b"}")
        await asyncio.sleep(0.2)


async def unread(port: int, address: str, luck: random.Random) -> None:
    """Endless pings, without ever reading an answer."""
    _, writer = await at_a_socket(port, address)
    with closing(writer):
        writer.write(frame(b'{"kind":"hello","protocol":2,"table":"none"}') + frame(b'{"kind":"ping"}') * 2000)
        await asyncio.wait_for(writer.drain(), 2)
        await asyncio.sleep(0.5)


async def slow(port: int, address: str, luck: random.Random) -> None:
    """A body that comes one letter at a time."""
    _, writer = await connected(port, address)
    with closing(writer):
        writer.write(f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 500\r\n\r\n".encode())
        for _ in range(20):
            writer.write(b"{")
            await writer.drain()
            await asyncio.sleep(0.5)


async def attack_all(port: int) -> None:
    """All attacks at once, from ten addresses, for ever."""
    luck = random.Random(1)
    idle = []
    for number in range(IDLE):
        idle.append(socket.create_connection(("127.0.0.1", port), source_address=(f"127.200.1.{number % 10}", 0)))

    async def again(attack: Attack, address: str) -> None:
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await attack(port, address, luck)
            await asyncio.sleep(0.02)

    attacks: list[Attack] = [nonsense, huge, flood, unread, slow]
    await asyncio.gather(*(again(attack, f"127.200.0.{host}") for host in range(1, 11) for attack in attacks))


def run(port: int) -> None:
    os.nice(10)  # the server and the load come first
    asyncio.run(attack_all(port))
