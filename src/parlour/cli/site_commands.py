"""The command that makes a static edition: site."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import add_command
from .output import GOOD, Misuse

if TYPE_CHECKING:
    from .arguments import Commands


def add_site(commands: Commands) -> None:
    """parlour site."""
    words = "make a static edition: files in which the games are played without a server"
    command = add_command(commands, "site", do_site, words, "parlour site --out public")
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--out", metavar="DIR", type=Path, help="a folder, for any web server")
    way.add_argument("--one-file", metavar="FILE", type=Path, help="a single file, to be opened from a disk")


def do_site(asked: argparse.Namespace) -> int:
    """Make a static edition."""
    from ..site import making

    try:
        if asked.out is not None:
            size, where = making.make(asked.out), asked.out
        else:
            size, where = making.one_file(asked.one_file), asked.one_file
        compiled = making.note()["compiled"]
    except (making.NotMade, OSError) as error:
        raise Misuse(f"{error}") from None
    print(f"The static edition is in {where}: {size / 1e6:.1f} MB.")
    if not compiled:
        print("It is NOT COMPILED: only the light levels are offered. `python tools/runtime.py` compiles it.")
    return GOOD
