"""The commands of the server: serve, backup, restore and audit; and opening the games in the browser."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..play.saves import data_home
from ..util.english import counted
from .arguments import add_command
from .output import GOOD, WRONG, Misuse

if TYPE_CHECKING:
    from .arguments import Commands, Parser


def add_data(command: Parser) -> None:
    """The folder of the tables."""
    command.add_argument(
        "--data", metavar="DIR", help="the folder of the tables (default: PARLOUR_DATA, or the user's data folder)"
    )


def add_serve(commands: Commands) -> None:
    """parlour serve."""
    words = "serve tables over the network, for people and bots"
    command = add_command(commands, "serve", do_serve, words, "parlour serve --port 8500")
    command.add_argument(
        "--host", metavar="ADDRESS", help="the address to listen on (default: PARLOUR_HOST, or 127.0.0.1)"
    )
    command.add_argument(
        "--port", type=int, metavar="N", help="the port to listen on (default: PARLOUR_PORT, or 8500)"
    )
    command.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a host name of the server; may be repeated (also PARLOUR_NAMES)",
    )
    command.add_argument(
        "--proxy", action="store_true", help="trust the client address that a proxy passes on (also PARLOUR_PROXY=1)"
    )
    command.add_argument(
        "--rate", type=float, metavar="N", help="requests per second from one client (default: PARLOUR_RATE, or 20)"
    )
    command.add_argument(
        "--sockets", type=int, metavar="N", help="sockets from one address (default: PARLOUR_SOCKETS, or 200)"
    )
    add_data(command)


def do_serve(asked: argparse.Namespace) -> int:
    """Serve tables until stopped."""
    port = port_of(asked.port)
    names = [*asked.name, *os.environ.get("PARLOUR_NAMES", "").split()]
    proxy = asked.proxy or os.environ.get("PARLOUR_PROXY", "") not in ("", "0")
    rate = number_of("--rate", asked.rate, "PARLOUR_RATE", 20.0)
    sockets = int(number_of("--sockets", asked.sockets, "PARLOUR_SOCKETS", 200.0))
    with serving() as server:
        server.serve(host_of(asked.host), port, data_of(asked.data), names, proxy, rate, sockets)
    return GOOD


def add_backup(commands: Commands) -> None:
    """parlour backup."""
    words = "copy all tables to a file while the server runs"
    command = add_command(commands, "backup", do_backup, words, "parlour backup tables.copy")
    command.add_argument("file", metavar="FILE", help="a file that does not exist yet")
    add_data(command)


def do_backup(asked: argparse.Namespace) -> int:
    """Copy all tables to a file."""
    with serving() as server:
        server.backup(data_of(asked.data), Path(asked.file))
    print(f"All tables are copied to {asked.file}.")
    return GOOD


def add_restore(commands: Commands) -> None:
    """parlour restore."""
    words = "replace all tables with those of a backup"
    command = add_command(commands, "restore", do_restore, words, "parlour restore tables.copy")
    command.add_argument("file", metavar="FILE", help="a file that `parlour backup` wrote")
    add_data(command)


def do_restore(asked: argparse.Namespace) -> int:
    """Replace all tables with those of a backup."""
    with serving() as server:
        aside = server.restore(data_of(asked.data), Path(asked.file))
    print("The tables are restored." + (f" The tables from before are in {aside}." if aside else ""))
    return GOOD


def add_audit(commands: Commands) -> None:
    """parlour audit."""
    words = "replay and verify every stored sitting while the server runs"
    add_data(add_command(commands, "audit", do_audit, words, "parlour audit"))


def do_audit(asked: argparse.Namespace) -> int:
    """Verify every stored sitting."""
    with serving() as server:
        count, wrong = server.audit(data_of(asked.data) / server.FILE, print)
    print(f"{counted(count, 'table')}, {wrong} damaged")
    return WRONG if wrong else GOOD


# --- the games in the browser -----------------------------------------------------------------------------------------


def open_in_browser(host: str, instead: Callable[[], int]) -> int:
    """Serve the games and open them in the browser; where that fails, say why and do something else instead."""
    try:
        with serving() as server:
            if not server.is_built():
                raise Misuse(server.NOT_BUILT)
            port = port_of(None)
            try:
                # if the port is taken, any other will do
                server.serve(host, port if is_free(port) else 0, data_of(None), ready=welcome)
            except server.InUse as other:
                if not other.address:
                    raise
                print(f"Parlour is already open at {other.address}")
                show_in_browser(other.address)
    except Misuse as why:
        print(f"{why}\n", file=sys.stderr)
        return instead()
    return GOOD


def is_free(port: int) -> bool:
    """Whether no program listens on a port of this machine."""
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def welcome(host: str, port: int) -> None:
    """Say where the games are open, and open them."""
    from ..server.run import address_of, draw_for_others

    address = address_of(host, port)
    print(f"Parlour is open at {address} – Ctrl-C closes it; `parlour play` plays in the terminal.")
    draw_for_others(host, address)
    show_in_browser(address)


def show_in_browser(address: str) -> None:
    """Open a page in a graphical browser; one that runs in the terminal would be in the way."""
    import threading
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


# --- settings from the command line or the environment ----------------------------------------------------------------


def data_of(given: str | None) -> Path:
    """The folder of the tables."""
    return Path(given) if given else data_home() / "tables"


def host_of(given: str | None) -> str:
    """The address to listen on."""
    return given or os.environ.get("PARLOUR_HOST") or "127.0.0.1"


def port_of(given: int | None) -> int:
    """The port to listen on."""
    port = os.environ.get("PARLOUR_PORT", "8500") if given is None else str(given)
    if not port.isdecimal() or int(port) > 65535:
        raise Misuse(f"A port is a number from 0 to 65535, not {port!r:.20}.")
    return int(port)


def number_of(name: str, given: float | None, variable: str, usual: float) -> float:
    """A setting that must be a number above 0."""
    text = os.environ.get(variable) if given is None else given
    try:
        number = usual if text is None else float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise Misuse(f"{name} (or {variable}) must be a number above 0, not {text!r:.20}.")
    return number


@contextlib.contextmanager
def serving() -> Iterator[Any]:
    """The server's module; a missing package or an error of its store becomes one sentence."""
    try:
        from ..server import run, store
    except ImportError as error:
        raise Misuse(f"This needs {error.name}; from a checkout, install it with: pip install .") from None
    try:
        yield run
    except store.FAULTS as error:
        raise Misuse(store.sentence(error)) from None
