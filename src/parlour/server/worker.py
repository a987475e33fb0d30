"""A worker process of the server: one piece of work after another, until the line to the server is closed."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from socket import socket
from typing import Any

from ..games import game as game_of
from ..sheets.model import SheetError

READY, DONE, FAILED, UNKNOWN = range(4)  # how an answer begins; UNKNOWN: this process cannot find the game
LENGTH = struct.Struct("!I")  # of a message, which stands before it
NICENESS = 10  # the event loop of the server goes first


def serve() -> None:
    """The main loop of a worker process; its standard input is the line to the server."""
    line = socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is handled by the server
    give_way()
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=listen, args=(line, asked), daemon=True).start()
    say(line, (READY, None, 0.0))
    while True:
        began = time.process_time()
        kind, value = answer(*pickle.loads(asked.get()))
        say(line, (kind, value, time.process_time() - began))


def give_way() -> None:
    """Let the event loop of the server go first.

    A process that is merely nice keeps a core for some milliseconds after another wants it, and every sync of the disk
    then takes as long: with one core for both, workers run only while the server has nothing to do.
    """
    with suppress(AttributeError, OSError):  # only Linux has all of it, and Windows none
        os.nice(NICENESS)
        if len(os.sched_getaffinity(0)) == 1:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def answer(game: str, function: Any, arguments: tuple[Any, ...]) -> tuple[int, Any]:
    """Do one piece of work: how it went, and its value, or what went wrong."""
    try:
        if game:
            try:
                game_of(game)
            except SheetError:
                return UNKNOWN, None
        return DONE, function(*arguments)
    except Exception as error:
        return FAILED, (type(error).__name__, str(error)[:200])


def say(line: socket, message: Any) -> None:
    """Send a message; where nobody listens any more, the process ends."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    try:
        line.sendall(LENGTH.pack(len(content)))
        line.sendall(content)
    except OSError:
        os._exit(0)


def listen(line: socket, asked: SimpleQueue[bytes]) -> None:
    """Receive messages, and end the process when the line is closed, even in the middle of work that never ends."""
    with suppress(OSError), line.makefile("rb") as messages:
        while length := messages.read(LENGTH.size):
            asked.put(messages.read(*LENGTH.unpack(length)))
    os._exit(0)
