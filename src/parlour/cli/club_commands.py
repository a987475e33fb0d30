"""The command for a club evening: club."""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import add_command
from .output import GOOD, Misuse

if TYPE_CHECKING:
    from ..club.evening import Evening
    from ..club.tables import Club
    from .arguments import Commands


def add_club(commands: Commands) -> None:
    """parlour club."""
    words = "hold a club evening: pairings, the same deals for all, links for each seat, and a fair table"
    command = add_command(commands, "club", do_club, words, "parlour club evening.toml --plan")
    command.add_argument("file", metavar="FILE", help="names and rounds, as TOML, or names alone, as CSV")
    what = command.add_mutually_exclusive_group()
    what.add_argument("--plan", action="store_true", help="print who sits where, and open nothing")
    what.add_argument("--server", metavar="URL", help="open the tables there, and write a link for each seat")
    what.add_argument("--start", type=int, metavar="ROUND", help="start all tables of a round")
    command.add_argument("--game", metavar="GAME", help="the game, where the file does not say it")
    command.add_argument("--seats", type=int, metavar="N", help="seats at a table, where the file does not say it")
    command.add_argument("--rounds", type=int, metavar="N", help="rounds, where the file does not say it")


def do_club(asked: argparse.Namespace) -> int:
    """Plan an evening, open its tables, start a round, or write the results."""
    try:
        from ..club.evening import ClubError, read
        from ..club.tables import ClientError, Club
    except ImportError as error:
        raise Misuse(f"This needs {error.name}; from a checkout, install it with: pip install .") from None
    path = Path(asked.file)
    try:
        evening = read(path, game=asked.game, seats=asked.seats, rounds=asked.rounds)
        if asked.plan:
            print_plan(evening)
            return GOOD
        club = Club(evening, path.with_suffix(".club.json"), asked.server or "")
        if asked.server:
            open_tables(club, path)
        elif asked.start is not None:
            print(f"{club.start(asked.start)} tables of round {asked.start} have started.")
        else:
            write_results(club, path)
    except (ClubError, ClientError) as error:
        raise Misuse(str(error)) from None
    except OSError as error:
        raise Misuse(f"{error.filename or path} cannot be used: {error.strerror}.") from None
    return GOOD


def print_plan(evening: Evening) -> None:
    """Who sits where."""
    for number, tables in enumerate(evening.pairings(), 1):
        for at, players in enumerate(tables, 1):
            print(f"Round {number}, table {at}: {', '.join(evening.called(player) for player in players)}")


def open_tables(club: Club, path: Path) -> None:
    """Open what is missing, and write the links."""
    from ..club.evening import write

    club.open(lambda said: print(said.capitalize()))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["round", "table", "name", "link"])
    writer.writerows(club.links())
    links = path.with_suffix(".links.csv")
    links.touch(mode=0o600)
    write(links, out.getvalue())
    links.chmod(0o600)
    print(f"The links are in {links}. Each is the key to a seat: give it to that player alone.")


def write_results(club: Club, path: Path) -> None:
    """Write and print the fair table."""
    from ..club.evening import write
    from ..club.standings import HEAD, as_csv, as_page, figures

    results, missing = club.results()
    rows = [HEAD, *figures(club.evening, results)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    for row in rows:
        cells = (
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())
    for each in missing:
        print(each)
    write(path.with_suffix(".results.csv"), as_csv(club.evening, results))
    write(path.with_suffix(".html"), as_page(club.evening, results, missing))
    print(f"Written: {path.with_suffix('.results.csv')} and {path.with_suffix('.html')}.")
