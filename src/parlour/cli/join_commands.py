"""The command that seats a bot at a served table: join."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .arguments import ALL_BOTS, add_command, add_seed
from .output import Misuse

if TYPE_CHECKING:
    from .arguments import Commands


def add_join(commands: Commands) -> None:
    """parlour join."""
    words = "seat a bot at a served table by its link"
    example = "parlour join 'http://192.168.1.7:8420/#table=NAME&code=CODE' --bot mine.py:Careful"
    command = add_command(commands, "join", do_join, words, example)
    command.add_argument("link", metavar="LINK", help="the link that invites to the table, in quotation marks")
    command.add_argument("--bot", required=True, metavar="NAME", help=f"the bot: {ALL_BOTS}")
    command.add_argument("--name", default="", metavar="TEXT", help="its name at the table (default: the bot's)")
    add_seed(command, "the luck of the bot itself")
    command.add_argument("--rematch", action="store_true", help="stay for rematches, until you stop it")


def do_join(asked: argparse.Namespace) -> int:
    """Sit down, and play until the sitting ends."""
    try:
        from .joining import join
    except ImportError as error:
        raise Misuse(f"This needs {error.name}; from a checkout, install it with: pip install .") from None
    return join(asked)
