"""Arguments that several commands share, and how their values are read."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..engine.game import Game
from ..games import REGISTRY
from ..games import game as game_of
from ..players.bots import LISTED
from ..players.names import FORMS, bots_for
from ..util.checkpoint import stored_seed
from .output import MISUSE, Misuse

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

ALL_BOTS = f"{', '.join(LISTED)}, {FORMS}"


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence and exits with 2."""

    def error(self, message: str) -> NoReturn:
        print(f"parlour: {message[0].upper()}{message[1:].rstrip('.')}. Try `{self.prog} --help`.", file=sys.stderr)
        raise SystemExit(MISUSE)


def add_command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], help: str, example: str
) -> Parser:
    """Add a command, which `run` carries out."""
    made: Parser = commands.add_parser(
        name, help=help, description=help[0].upper() + help[1:] + ".", epilog=f"example: {example}"
    )
    made.set_defaults(run=run)
    return made


def add_game(command: Parser, default: str = "") -> None:
    """The game; `default` says what happens without it."""
    names = ", ".join(REGISTRY)
    if default:
        command.add_argument("game", metavar="GAME", nargs="?", help=f"{names} (default: {default})")
    else:
        command.add_argument("game", metavar="GAME", help=names)


def add_table(command: Parser) -> None:
    """Number of players, seed and readings."""
    command.add_argument("--players", type=int, metavar="N", help="number of players (default: the usual number)")
    add_seed(command, "the same seed gives the same luck")
    add_readings(command)


def add_seed(command: Parser, meaning: str) -> None:
    """The seed."""
    command.add_argument("--seed", metavar="X", help=f"a number or a word; {meaning}")


def add_readings(command: Parser) -> None:
    """Options of the sheet."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="choose a reading, or the length or stakes of a game; `parlour rules GAME` lists them; may be repeated",
    )


def add_jobs(command: Parser) -> None:
    """The number of processes."""
    command.add_argument(
        "--jobs", type=int, default=1, metavar="J", help="number of processes that share the work (default: 1)"
    )


def add_json(command: Parser, help: str = "print JSON for programs") -> None:
    """Output for programs."""
    command.add_argument("--json", action="store_true", help=help)


# --- reading their values ---------------------------------------------------------------------------------------------


def readings(pairs: Sequence[str], game: Game) -> dict[str, Any]:
    """The options given by --set."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise Misuse(f"--set needs OPTION=VALUE, not {pair!r:.60}.")
        found[name] = game.sheet.option(name).parse(text)
    for name in found:
        option = game.sheet.option(name)
        for needed, value in option.needs:
            if found.get(needed, game.sheet.option(needed).default) != value:
                raise Misuse(f"{name} changes nothing without {needed}={value} ({option.clause}).")
    return found


def table_of(asked: argparse.Namespace) -> tuple[Game, int, dict[str, Any]]:
    """The game, the number of players, and every option with its value."""
    game = game_of(asked.game)
    players = game.sheet.usual if asked.players is None else asked.players
    return game, players, game.options_for(players, readings(asked.set, game))


def games_of(name: str | None) -> list[Game]:
    """The game of a name, or all games without one."""
    return [game_of(name)] if name else list(REGISTRY.values())


def at_least(value: int, least: int, name: str) -> int:
    """A number, if it is not too small."""
    if value < least:
        raise Misuse(f"{name} must be {least} or more, not {value}.")
    return value


def check_bots(text: str, players: int) -> tuple[str, ...]:
    """The bots named, one for each seat."""
    try:
        return tuple(bots_for(text, players))
    except ValueError as error:
        raise Misuse(str(error)) from None


def seed_of(given: str | None, checkpoint: str | None = None, kind: str = "") -> str:
    """The seed given, or that of a checkpoint file, or a random one."""
    if given is None and checkpoint is not None:
        given = stored_seed(checkpoint, kind)
    return str(random.SystemRandom().randrange(1 << 32)) if given is None else given
