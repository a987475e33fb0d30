"""The command that prints a game on paper: print."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..printing.layout import PAPERS, SIZES
from ..util.english import joined
from .arguments import add_command, add_game, add_readings, table_of
from .output import GOOD, Misuse

if TYPE_CHECKING:
    from ..engine.game import Game
    from .arguments import Commands

PARTS = ("cards", "rules", "scores", "counters", "label")


def add_print(commands: Commands) -> None:
    """parlour print."""
    words = "make a PDF of a game to print: cards to cut out, a folded rule sheet, score sheet or counters, a label"
    command = add_command(commands, "print", do_print, words, "parlour print heraldry --out heraldry.pdf")
    add_game(command)
    command.add_argument("--out", metavar="FILE", help="the PDF to write (default: GAME.pdf)")
    command.add_argument("--only", metavar="PART,…", help=f"only these parts, of {', '.join(PARTS)}")
    command.add_argument("--paper", choices=PAPERS, default="a4", help="the paper (default: a4)")
    command.add_argument("--size", choices=SIZES, default="poker", help="the size of the cards (default: poker)")
    command.add_argument("--black-and-white", action="store_true", help="greys in place of colours")
    command.add_argument(
        "--url", metavar="ADDRESS", default="", help="where the game is played, for a code on the label"
    )
    command.add_argument(
        "--players", type=int, metavar="N", help="columns of the score sheet (default: the usual number)"
    )
    add_readings(command)


def do_print(asked: argparse.Namespace) -> int:
    """Make a PDF of a game."""
    from ..printing.typeset import NotInstalled

    game, players, options = table_of(asked)
    parts = parts_asked(game, asked.only)
    if asked.url and urlsplit(asked.url).scheme not in ("http", "https"):
        raise Misuse(f"--url must begin with http:// or https://, not {asked.url!r:.60}.")
    try:
        from ..printing.documents import document

        pdf = document(
            game,
            parts,
            players=players,
            options=options,
            paper=asked.paper,
            size=asked.size,
            grey=asked.black_and_white,
            url=asked.url,
        )
    except NotInstalled as error:
        raise Misuse(str(error)) from None
    path = Path(asked.out or f"{game.name}.pdf")
    path.write_bytes(pdf)
    how = "Print it at 100 %, on both sides, turned over along the long edge."
    print(f"{game.title} is in {path}: {joined(parts)}. {how}")
    return GOOD


def parts_asked(game: Game, only: str | None) -> tuple[str, ...]:
    """The parts to print; without a choice all that the game has."""
    from ..printing.documents import parts_of

    known = parts_of(game)
    if only is None:
        return known
    asked = [part.strip() for part in only.split(",")]
    if wrong := [part for part in asked if part not in known]:
        raise Misuse(
            f"{game.title} has no {wrong[0] or 'part without a name'} to print; its parts are {joined(known)}."
        )
    return tuple(part for part in known if part in asked)
