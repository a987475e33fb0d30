"""The command `parlour`: exit code 0 for success, 1 where something wrong was found, 2 for misuse."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .._version import __version__
from ..engine import build
from ..games import REGISTRY, load_entry_points
from ..players.own import BotFailed
from ..records.record import FORMAT
from ..sheets.model import SheetError
from ..util.pool import WorkerDied
from .arguments import Parser
from .bench import add_bench
from .club_commands import add_club
from .edition_commands import add_edition
from .join_commands import add_join
from .lab_commands import add_lab
from .output import GOOD, MISUSE, WRONG, Misuse, complain, silence_output, steady_streams
from .play_commands import add_play
from .print_commands import add_print
from .puzzle_commands import add_puzzles
from .record_commands import add_check, add_corpus, add_verify
from .review_commands import add_review
from .server_commands import (
    add_audit,
    add_backup,
    add_move,
    add_restore,
    add_salvage,
    add_serve,
    add_tables,
    host_of,
    open_in_browser,
)
from .sheets_commands import add_cite, add_faces, add_games, add_rules, add_sheets, add_words
from .simulation import add_simulate, add_tournament
from .site_commands import add_site

# In the order of --help.
COMMANDS = (
    *(add_games, add_rules, add_edition, add_cite, add_sheets, add_words, add_corpus, add_faces, add_print),
    *(add_play, add_puzzles, add_review, add_join, add_simulate, add_tournament, add_lab, add_check, add_verify),
    *(add_serve, add_site, add_club, add_tables, add_backup, add_restore, add_audit, add_salvage, add_move, add_bench),
)


def parser() -> Parser:
    """The command line; every command explains itself with --help."""
    main = Parser(
        prog="parlour",
        description="Card games from old rule sheets: play them, read their rules, study them.",
        epilog="Without a command, parlour opens the games in the browser.",
    )
    main.add_argument("--version", action="store_true", help="show the version, and whether it runs compiled")
    main.add_argument(
        "--host",
        metavar="ADDRESS",
        dest="room",
        help="without a command: the address to listen on (default: PARLOUR_HOST, or 127.0.0.1, which admits this "
        "machine only; 0.0.0.0 admits others on the network)",
    )
    commands = main.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for add in COMMANDS:
        add(commands)
    return main


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    steady_streams()
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except (Misuse, SheetError, WorkerDied) as error:
        complain(str(error))
        return MISUSE
    except BotFailed as error:
        complain(str(error))
        return WRONG
    except KeyboardInterrupt:
        complain("stopped.")
        return 130
    except BrokenPipeError:
        silence_output()  # the reader has gone
        return WRONG
    except OSError as error:
        silence_output()
        complain(f"The output cannot be written: {error.strerror}.")
        return MISUSE


def run(arguments: Sequence[str] | None) -> int:
    """Do what the command line asks for."""
    load_entry_points()
    asked = parser().parse_args(arguments)
    if asked.version:
        print(versions())
        return GOOD
    if asked.command is None:
        return open_in_browser(host_of(asked.room), instead=lambda: run(["play"]))
    if asked.room is not None:
        raise Misuse("--host stands alone or after `serve`, not before a command.")
    code: int = asked.run(asked)
    return code


def versions() -> str:
    """The versions of the package, of the record format and of the rules."""
    rules = ", ".join(f"{game.name} {game.rules}" for game in REGISTRY.values())
    return f"parlour {__version__}, {build.status()}\nrecord format {FORMAT}; rules: {rules}"
