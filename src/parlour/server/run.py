"""Running a table server, and looking after its data: serve, backup, restore, audit."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import ipaddress
import json
import logging
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import segno
import uvicorn

from ..engine.errors import Refusal
from ..records.seal import verify
from .connections import brief_requests, patient_sockets
from .http import application
from .limits import LARGEST_MESSAGE, USUAL_RATE, Limits
from .room import Room, rarely_collect
from .rows import Damaged
from .static import NOT_BUILT, is_built
from .store import SqliteStore, StoreError, back_up, logs
from .table import OVER, Table

FILE = "tables.db"
STOPPING_SECONDS = 5
GOODBYE_SECONDS = 0.3  # for answers that are on their way, and the last word
UNREAD_MILLISECONDS = 20_000


class InUse(StoreError):
    """Another server has the directory; `address` is where it can be found, if that is known."""

    def __init__(self, data: Path, address: str) -> None:
        super().__init__(f"Another server is using {data}.")
        self.address = address


@contextlib.contextmanager
def held(data: Path) -> Iterator[TextIO]:
    """The directory belongs to one server at a time, which writes its address into the lock."""
    data.mkdir(parents=True, exist_ok=True)
    with open(data / "lock", "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise InUse(data, file.read().strip()) from None
        file.truncate(0)
        yield file
        file.truncate(0)


def addresses(host: str) -> list[str]:
    """The names by which this machine can be reached at an address it listens on."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which of our addresses would be used
        found.append(probe.getsockname()[0])
    return [*found, socket.gethostname()]


def bracketed(host: str) -> str:
    """An address as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def is_loopback(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def address_of(host: str, port: int) -> str:
    """Where a server that listens there is found."""
    return f"http://{bracketed(addresses(host)[0])}:{port}/"


def announce(host: str, port: int) -> None:
    """Say where the tables are; for others on the network as a picture to point a telephone at, too."""
    address = address_of(host, port)
    alone = is_loopback(host)
    whose = "on this machine; --host 0.0.0.0 lets others in" if alone else "for everyone on this network"
    print(f"The tables are at {address} {whose}.")
    draw_for_others(host, address)


def draw_for_others(host: str, address: str) -> None:
    """The address as a picture to point a telephone at, where a telephone could come by it."""
    if not is_loopback(host):
        segno.make(address).terminal(sys.stdout, compact=True)


def people_can_come(host: str, port: int) -> None:
    announce(host, port)
    if not is_built():
        print(NOT_BUILT)


class Lines(logging.Formatter):
    """A log of JSON lines; no tokens, codes or cards ever come here."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    web = logging.getLogger("uvicorn.error")
    web.setLevel(logging.WARNING)  # who comes and goes is counted in the metrics
    web.addFilter(clients_fault)


def clients_fault(record: logging.LogRecord) -> bool:
    """What a client did wrong is no error of ours, and is not worth a line."""
    return not record.getMessage().startswith(("Invalid UTF-8", "Invalid HTTP request"))


class Server(uvicorn.Server):
    """The web server, that says goodbye before it hangs up."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self.room = room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.room.say_goodbye()
        await asyncio.sleep(GOODBYE_SECONDS)
        await super().shutdown(sockets)


def serve(
    host: str,
    port: int,
    data: Path,
    hosts: Sequence[str] = (),
    behind_proxy: bool = False,
    rate: float = USUAL_RATE,
    sockets: int = 200,
    ready: Callable[[str, int], None] = people_can_come,
) -> None:
    """Serve until asked to stop; then finish what was begun. `ready` says so, once people can come."""
    log_to_stderr()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # one file for each socket
    with held(data) as lock:
        store = SqliteStore(data / FILE)
        known = [*hosts, "localhost", "127.0.0.1", "[::1]", *(bracketed(each) for each in (host, *addresses(host)))]
        limits = Limits(rate, sockets)
        room = Room(store)
        app = application(room, known, limits, behind_proxy)
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            http=brief_requests(limits, behind_proxy),
            ws=patient_sockets(limits),
            ws_max_size=4 * LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # how far a view can be compressed tells something of it
            ws_ping_interval=40,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=STOPPING_SECONDS,
            h11_max_incomplete_event_size=32 * 1024,
            proxy_headers=False,
        )
        server = Server(config, room)
        # from now on, not only while it runs; raised again when all is done, it means nothing more
        signal.signal(signal.SIGTERM, server.handle_exit)
        with listening(host, port) as taken:
            here = taken.getsockname()[1]
            lock.write(address_of(host, here))
            lock.flush()
            ready(host, here)
            sys.stdout.flush()
            rarely_collect()
            server.run(sockets=[taken])


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens; a port that is taken is said in one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # who does not read what was sent is let go by the system, too
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MILLISECONDS)
        try:
            made.bind((host, port))
        except OSError as error:
            raise StoreError(f"{host}:{port} cannot be listened on: {error.strerror}.") from None
        made.listen(2048)
        yield made


# --- looking after the data -------------------------------------------------------------------------------------------


def backup(data: Path, to: Path) -> None:
    """A whole copy, while a server may be running."""
    if not (data / FILE).exists():
        raise StoreError(f"There are no tables in {data}.")
    if to.exists():
        raise StoreError(f"{to} is there already; name another file.")
    partly = to.with_name(to.name + ".part")
    partly.unlink(missing_ok=True)
    back_up(data / FILE, partly)
    with open(partly, "rb") as file:
        os.fsync(file.fileno())
    partly.rename(to)


def restore(data: Path, source: Path) -> Path | None:
    """Put a copy in the place of what is there, which is set aside; where it went."""
    for _ in logs(source):
        pass  # whether it can be read at all
    with held(data):
        aside = None
        fresh = data / f"{FILE}.part"
        fresh.unlink(missing_ok=True)
        back_up(source, fresh)
        with open(fresh, "rb") as file:
            os.fsync(file.fileno())
        if (data / FILE).exists():
            aside = data / f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}"
            aside.unlink(missing_ok=True)
            back_up(data / FILE, aside)
        for ending in ("-wal", "-shm"):
            (data / (FILE + ending)).unlink(missing_ok=True)
        fresh.replace(data / FILE)
    return aside


def audit(path: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """Replay and verify every stored sitting; how many there are, and how many are not as they should be."""
    count = wrong = 0
    for kept, rows in logs(path):
        count += 1
        try:
            table = Table.load(kept.name, kept.secret, rows)
            difference = verify(json.loads(json.dumps(table.record()))) if table.phase == OVER else None
            if difference is not None:
                raise Damaged(str(difference))
            if table.phase != kept.phase:
                raise Damaged(f"it is {table.phase}, and not {kept.phase}")
        except (Damaged, Refusal) as error:
            wrong += 1
            tell(f"{kept.name}: {error}")
    return count, wrong
