"""The commands of the server: serve, and those that look after its tables; and opening the games in the browser."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine import build
from ..play.saves import data_home
from ..util.english import counted
from .arguments import add_command
from .output import GOOD, WRONG, Misuse, complain

STEADY_SECONDS = 600.0  # that a server runs before a failure of its disk counts as the first
LONGEST_PAUSE = 30.0  # seconds before it starts again

if TYPE_CHECKING:
    from .arguments import Commands, Parser


def add_place(command: Parser) -> None:
    """Where the tables are: in a folder, or in a database."""
    add_store(command)
    add_data(command)


def add_data(command: Parser) -> None:
    """The folder of the tables."""
    command.add_argument(
        "--data", metavar="DIR", help="the folder of the tables (default: PARLOUR_DATA, or the user's data folder)"
    )


def add_store(command: Parser) -> None:
    """The database of the tables."""
    command.add_argument(
        "--store",
        metavar="URL",
        help="keep the tables in PostgreSQL, as postgresql://user@host/database (also PARLOUR_STORE)",
    )


def add_serve(commands: Commands) -> None:
    """parlour serve."""
    words = "serve tables over the network, for people and bots"
    command = add_command(commands, "serve", do_serve, words, "parlour serve --port 8500")
    command.add_argument(
        "--host", metavar="ADDRESS", help="the address to listen on (default: PARLOUR_HOST, or 127.0.0.1)"
    )
    command.add_argument("--port", type=int, metavar="N", help="the port to listen on (default: PARLOUR_PORT, or 8500)")
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
    command.add_argument(
        "--contact",
        metavar="ADDRESS",
        help="a mail or https address for reports of vulnerabilities, shown in security.txt (also PARLOUR_CONTACT)",
    )
    command.add_argument(
        "--allow-outgoing",
        action="store_true",
        help="let people be told elsewhere when it is their turn, by Web Push or a webhook (also PARLOUR_OUTGOING=1)",
    )
    command.add_argument(
        "--allow-private",
        action="store_true",
        help="let such calls go into private networks, and without TLS (also PARLOUR_OUTGOING=private)",
    )
    add_store(command)
    command.add_argument(
        "--public",
        metavar="URL",
        help="with --store, the address at which people reach this one of several servers (also PARLOUR_PUBLIC)",
    )
    add_data(command)


def do_serve(asked: argparse.Namespace) -> int:
    """Serve tables until stopped."""
    port = port_of(asked.port)
    names = [*asked.name, *os.environ.get("PARLOUR_NAMES", "").split()]
    proxy = asked.proxy or os.environ.get("PARLOUR_PROXY", "") not in ("", "0")
    rate = number_of("--rate", asked.rate, "PARLOUR_RATE", 20.0)
    sockets = int(number_of("--sockets", asked.sockets, "PARLOUR_SOCKETS", 200.0))
    allowed = os.environ.get("PARLOUR_OUTGOING", "")
    private = asked.allow_private or allowed == "private"
    outgoing = asked.allow_outgoing or private or allowed not in ("", "0")
    check_names(names)
    contact = contact_of(asked.contact)
    database, public = store_of(asked.store), public_of(asked.public)
    build.tell_if_slow()
    host = host_of(asked.host)
    began = time.monotonic()
    try:
        with serving() as server:
            failed = server.serve(
                *(host, port, data_of(asked.data), names, proxy, rate, sockets, contact),
                database=database,
                public=public,
                outgoing=outgoing,
                private=private,
            )
    except Misuse as error:
        if not failures():
            raise
        complain(str(error))  # the disk may be well again later
        failed = port
    if failed:
        start_again([*sys.argv[1:], "--port", str(failed)], began)
    return GOOD


def failures() -> int:
    """How often in a row the disk failed under this server, as the process before has noted."""
    noted = os.environ.get("PARLOUR_FAILURES", "")
    return int(noted) if noted.isdecimal() else 0


def start_again(arguments: Sequence[str], began: float) -> None:
    """Become a new process, which knows nothing but what is on the disk; after a pause if it fails again and again."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # which ends the pause, and this process
    count = failures() if time.monotonic() - began < STEADY_SECONDS else 0
    if count:
        time.sleep(min(2.0 ** (count - 1), LONGEST_PAUSE))
    os.environ["PARLOUR_FAILURES"] = str(count + 1)
    before = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]  # how Python was told to run parlour
    os.execv(sys.executable, [sys.executable, *before, *arguments])


def add_backup(commands: Commands) -> None:
    """parlour backup."""
    words = "copy all tables to a file while the server runs"
    command = add_command(commands, "backup", do_backup, words, "parlour backup tables.copy")
    command.add_argument("file", metavar="FILE", help="a file that does not exist yet")
    add_place(command)


def do_backup(asked: argparse.Namespace) -> int:
    """Copy all tables to a file."""
    with serving() as server:
        copied = place_of(server, asked).backup(Path(asked.file))
    print(f"All tables are copied to {asked.file}.")
    return say_left_out(copied.left_out if copied else ())


def add_restore(commands: Commands) -> None:
    """parlour restore."""
    words = "replace all tables with those of a backup"
    command = add_command(commands, "restore", do_restore, words, "parlour restore tables.copy")
    command.add_argument("file", metavar="FILE", help="a file that `parlour backup` wrote")
    add_place(command)


def do_restore(asked: argparse.Namespace) -> int:
    """Replace all tables with those of a backup."""
    with serving() as server:
        aside, copied = place_of(server, asked).restore(Path(asked.file))
    print("The tables are restored." + (f" The tables from before are in {aside}." if aside else ""))
    return say_left_out(copied.left_out)


def add_audit(commands: Commands) -> None:
    """parlour audit."""
    words = "replay and verify every stored sitting while the server runs"
    command = add_command(commands, "audit", do_audit, words, "parlour audit")
    command.add_argument(
        "--histories", nargs="+", metavar="FILE", help="what clients got, to be compared with the logs (JSON lines)"
    )
    add_place(command)


def do_audit(asked: argparse.Namespace) -> int:
    """Verify every stored sitting, and what clients were told of them."""
    with serving() as server:
        place = place_of(server, asked)
        count, wrong = place.audit(print)
        if asked.histories:
            checker = server.read_all(map(Path, asked.histories))
            checker.compare(place.logs())
            for line in checker.wrong:
                print(line)
            wrong += bool(checker.wrong)
            clients = counted(len(checker.clients), "client")
            noted = f"{counted(checker.messages, 'message')}, {checker.acknowledged} acknowledged requests"
            print(f"{clients}, {noted}: {counted(len(checker.wrong), 'contradiction')}")
    print(f"{counted(count, 'table')}, {wrong} damaged")
    return WRONG if wrong else GOOD


def add_salvage(commands: Commands) -> None:
    """parlour salvage."""
    words = "write all good tables of a damaged store to a new file"
    command = add_command(commands, "salvage", do_salvage, words, "parlour salvage good.copy")
    command.add_argument("file", metavar="FILE", help="a file that does not exist yet; `parlour restore` takes it")
    add_place(command)


def do_salvage(asked: argparse.Namespace) -> int:
    """Write the good tables to a new file."""
    with serving() as server:
        copied = place_of(server, asked).salvage(Path(asked.file))
    print(f"{counted(copied.good, 'table')} written to {asked.file}.")
    return say_left_out(copied.left_out)


def add_move(commands: Commands) -> None:
    """parlour move."""
    words = "copy all tables from one place to another that has none, while no server is running"
    command = add_command(
        commands, "move", do_move, words, "parlour move --from tables --to postgresql://host/database"
    )
    help = "a folder with tables, or the address of a database"
    command.add_argument("--from", dest="source", required=True, metavar="PLACE", help=help)
    command.add_argument("--to", required=True, metavar="PLACE", help="the same, without tables yet")


def do_move(asked: argparse.Namespace) -> int:
    """Copy tables from one place to another."""
    with serving() as server:
        copied = server.move(asked.source, asked.to)
    print(f"{counted(copied.good, 'table')} moved. Those at the old place are still there.")
    return say_left_out(copied.left_out)


def place_of(server: Any, asked: argparse.Namespace) -> Any:
    """Where the tables are that a command is about."""
    return server.place_of(store_of(asked.store), data_of(asked.data))


def say_left_out(left_out: Sequence[Any]) -> int:
    """Name damaged tables that were left out; the exit code."""
    for stored in left_out:
        print(f"Left out: {stored.name}: {stored.damage}")
    return WRONG if left_out else GOOD


def add_tables(commands: Commands) -> None:
    """parlour tables."""
    words = "list the stored tables, also while the server runs"
    command = add_command(commands, "tables", do_tables, words, "parlour tables --deleted")
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--deleted",
        action="store_true",
        help="list those that were cleared out, and until when they can be brought back",
    )
    which.add_argument("--undelete", metavar="NAME", help="bring back one of these")
    which.add_argument(
        "--unrevealed", action="store_true", help="list sittings that went before they were over, with commitments"
    )
    add_place(command)


def do_tables(asked: argparse.Namespace) -> int:
    """List tables, or bring one back."""
    with serving() as server:
        place = place_of(server, asked)
        if asked.undelete is not None:
            place.undelete(asked.undelete)
            print(f"{asked.undelete} is back.")
        elif asked.unrevealed:
            found = place.unrevealed()
            for each in found:
                gone = server.shown(each.gone)
                print(f"{each.commitment}  {each.game}, opened {each.opened}, gone {gone}: {each.why}")
            print(f"{counted(len(found), 'sitting')} never revealed")
        else:
            list_tables(server, place, asked.deleted)
    return GOOD


def list_tables(server: Any, place: Any, deleted: bool) -> None:
    """Print a line for each table, or for each that is marked as deleted."""
    count = 0
    for name, game, line, gone in place.tables():
        if line is None:
            shown = [f"{name:16}", "damaged"]
        elif (line.deleted is not None) == deleted:
            touched = server.shown(line.summary.touched)
            shown = [f"{name:16}", f"{game:12}", f"{line.summary.phase:10}", f"last touched {touched}"]
            shown += [f"gone on {server.shown(gone)}"] * deleted
        else:
            continue
        count += 1
        print("  ".join(shown))
    print(counted(count, "table") + (" marked as deleted" if deleted else ""))


# --- the games in the browser -----------------------------------------------------------------------------------------


def open_in_browser(host: str, instead: Callable[[], int]) -> int:
    """Serve the games and open them in the browser; where that fails, say why and do something else instead."""
    began = time.monotonic()
    try:
        with serving() as server:
            if not server.is_built():
                raise Misuse(server.NOT_BUILT)
            port = port_of(None)
            try:
                build.tell_if_slow()
                # if the port is taken, any other will do
                free = port if is_free(port) else 0
                failed = server.serve(host, free, data_of(None), outlive_terminal=False, ready=welcome)
                if failed:
                    start_again(["serve", "--host", host, "--port", str(failed)], began)
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


def store_of(given: str | None) -> str:
    """The address of a database with the tables; empty where they are in a file."""
    url = given or os.environ.get("PARLOUR_STORE", "")
    if url and not url.startswith(("postgresql://", "postgres://")):
        raise Misuse(f"--store (or PARLOUR_STORE) takes an address as postgresql://host/database, not {url!r:.60}.")
    return url


def public_of(given: str | None) -> str:
    """The address at which people reach this server, where it is one of several."""
    url = given or os.environ.get("PARLOUR_PUBLIC", "")
    if url and not url.startswith(("http://", "https://")):
        raise Misuse(f"--public (or PARLOUR_PUBLIC) takes an address such as https://example.org/a/, not {url!r:.60}.")
    return url if not url or url.endswith("/") else f"{url}/"


def host_of(given: str | None) -> str:
    """The address to listen on."""
    return given or os.environ.get("PARLOUR_HOST") or "127.0.0.1"


def port_of(given: int | None) -> int:
    """The port to listen on."""
    port = os.environ.get("PARLOUR_PORT", "8500") if given is None else str(given)
    if not port.isdecimal() or int(port) > 65535:
        raise Misuse(f"A port is a number from 0 to 65535, not {port!r:.20}.")
    return int(port)


def check_names(names: Sequence[str]) -> None:
    """Refuse host names that no request could ask for."""
    from ..server.hosts import host_name

    for name in names:
        if host_name(name) is None:
            raise Misuse(f"--name (or PARLOUR_NAMES) takes a host name such as cards.example.org, not {name!r:.60}.")


def contact_of(given: str | None) -> str | None:
    """The contact for reports of vulnerabilities, if there is one."""
    from ..server.security_txt import contact_address

    contact = os.environ.get("PARLOUR_CONTACT", "") if given is None else given
    if contact and contact_address(contact) is None:
        raise Misuse(f"--contact (or PARLOUR_CONTACT) takes a mail address or an https address, not {contact!r:.60}.")
    return contact or None


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
    except OSError as error:
        if error.filename is None:  # it is about the output
            raise
        raise Misuse(f"{error.filename} cannot be used: {error.strerror}.") from None
