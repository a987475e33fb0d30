"""Running a table server: its address, its log, and how it starts and stops."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import segno
import uvicorn

from .connections import PING_SECONDS, PONG_SECONDS, request_protocol, socket_protocol
from .data import FILE, InUse, held, shared
from .histories import read_all
from .http import application
from .limits import LARGEST_MESSAGE, USUAL_RATE, Limits
from .memory import rarely_collect
from .notices import Notices
from .outgoing import Outgoing
from .places import move, place_of
from .retention import shown
from .room import Room
from .security_txt import security_notice
from .sqlite import SqliteStore
from .statements import Signer
from .static import NOT_BUILT, is_built
from .store import Store, StoreError
from .web_push import PushKey

try:
    import resource
except ImportError:  # Windows, where nothing of the server has been tested
    resource = None  # type: ignore[assignment]

__all__ = [
    "FILE",
    "InUse",
    "address_of",
    "announce",
    "draw_for_others",
    "move",
    "place_of",
    "read_all",
    "serve",
    "shown",
]

STOPPING_SECONDS = 5
GOODBYE_SECONDS = 0.3  # for answers that are on their way, and the last message
UNREAD_MILLISECONDS = 20_000
SWITCH_SECONDS = 0.0002  # between the event loop and the thread that writes: both have little to do at a time


# --- where it is found ------------------------------------------------------------------------------------------------


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
    """Whether only this machine can reach an address."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def address_of(host: str, port: int) -> str:
    """Where a server that listens there is found."""
    return f"http://{bracketed(addresses(host)[0])}:{port}/"


def announce(host: str, port: int) -> None:
    """Say where the tables are; for others on the network also as a picture for the camera of a phone."""
    address = address_of(host, port)
    local = is_loopback(host)
    reach = "on this machine; --host 0.0.0.0 lets others in" if local else "for everyone on this network"
    print(f"The tables are at {address} {reach}.")
    draw_for_others(host, address)


def draw_for_others(host: str, address: str) -> None:
    """Print the address as a QR code, where a phone could reach it."""
    if not is_loopback(host):
        segno.make(address).terminal(sys.stdout, compact=True)


def people_can_come(host: str, port: int) -> None:
    """Say that the server is ready."""
    announce(host, port)
    if not is_built():
        print(NOT_BUILT)


# --- its log ----------------------------------------------------------------------------------------------------------


class JsonFormatter(logging.Formatter):
    """A log of JSON lines; no token, code or card is ever logged."""

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
    """Log as JSON lines on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    web = logging.getLogger("uvicorn.error")
    web.setLevel(logging.WARNING)  # the metrics count who comes and goes
    web.addFilter(not_the_clients_fault)


def not_the_clients_fault(record: logging.LogRecord) -> bool:
    """A client's mistake is not an error of the server, and not worth a line."""
    return not record.getMessage().startswith(("Invalid UTF-8", "Invalid HTTP request", "Unsupported upgrade"))


# --- start and stop ---------------------------------------------------------------------------------------------------


class Server(uvicorn.Server):
    """A web server that says goodbye before it closes connections."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self.room = room
        self.stopped = False  # by a signal
        self.failed = False  # the disk has

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.stopped = True
        super().handle_exit(sig, frame)

    def disk_failed(self) -> None:
        """Stop, as what was written may not be on the disk; called from the thread of the store."""
        self.failed = self.should_exit = True

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
    contact: str | None = None,
    outgoing: bool = False,
    private: bool = False,
    outlive_terminal: bool = True,
    ready: Callable[[str, int], None] = people_can_come,
    database: str = "",
    public: str = "",
) -> int:
    """Serve until asked to stop; then finish what was begun. `ready` is called once people can come.

    Where a server does not outlive its terminal, closing that (SIGHUP) stops it too. Where the disk failed, the server
    stops by itself: then the port is returned at which it should start again, in a new process. Otherwise 0.

    Several servers may share a `database`; `public` is the address at which people reach this one.
    """
    log_to_stderr()
    allow_many_files()
    names = [*hosts, "localhost", "127.0.0.1", "[::1]", *(bracketed(each) for each in (host, *addresses(host)))]
    notice = None if contact is None else security_notice(contact, hosts if behind_proxy else (), time.time())
    limits = Limits(rate, sockets)
    with shared(data) if database else held(data) as lock, listening(host, port) as taken:
        taken_port = taken.getsockname()[1]
        signer = Signer.of(data)
        if database:
            lock.close()  # the next process may read the key
        store = store_of(data, database, public or address_of(host, taken_port))
        told = reporting_to(contact, hosts)
        notices = Notices(Outgoing(private), PushKey.of(data), told) if outgoing else None
        room = Room(store, signer=signer, notices=notices)
        config = uvicorn.Config(
            application(room, names, limits, behind_proxy, notice),
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            http=request_protocol(limits, behind_proxy),
            ws=socket_protocol(limits),
            ws_max_size=4 * LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # the compressed size of a view tells something about it
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PONG_SECONDS,
            timeout_graceful_shutdown=STOPPING_SECONDS,
            h11_max_incomplete_event_size=32 * 1024,
            proxy_headers=False,
        )
        server = Server(config, room)
        if isinstance(store, SqliteStore):
            store.on_failure = server.disk_failed
        # from now on, not only while it runs; uvicorn raises it again when all is done, and then it means nothing
        signal.signal(signal.SIGTERM, server.handle_exit)
        if hasattr(signal, "SIGHUP"):  # Windows has none
            signal.signal(signal.SIGHUP, signal.SIG_IGN if outlive_terminal else server.handle_exit)
        if not lock.closed:
            lock.write(address_of(host, taken_port))
            lock.flush()
        ready(host, taken_port)
        sys.stdout.flush()
        rarely_collect()
        sys.setswitchinterval(SWITCH_SECONDS)
        server.run(sockets=[taken])
        return taken_port if server.failed and not server.stopped else 0


def reporting_to(contact: str | None, hosts: Sequence[str]) -> str:
    """To whom push services can turn: the contact, or the server's name; "" where it has none of both."""
    if contact is not None:
        return contact if ":" in contact else f"mailto:{contact}"
    return f"https://{hosts[0]}" if hosts else ""


def store_of(data: Path, database: str, public: str) -> Store:
    """The store of tables: a file in the data directory, or a database that several processes share."""
    if not database:
        return SqliteStore(data / FILE)
    try:
        from .postgres.store import PostgresStore
    except ImportError as error:
        raise StoreError(f"Tables in PostgreSQL need {error.name}: pip install 'parlour[postgres]'.") from None
    return PostgresStore(database, public)


def allow_many_files() -> None:
    """Let this process open as many files as it may: each socket takes one."""
    if resource is not None:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens; where that is not possible, StoreError says so in one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # the system, too, disconnects clients that do not read
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MILLISECONDS)
        try:
            made.bind((host, port))
        except OSError as error:
            raise StoreError(f"{host}:{port} cannot be listened on: {error.strerror}.") from None
        made.listen(2048)
        yield made
