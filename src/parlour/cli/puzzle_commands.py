"""The command for puzzles: solve them in the terminal, make a shelf of them, and check it."""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.game import Game
from ..games import game as game_of
from ..play.puzzles import DEEP_TRIALS, FILE, check, explained, find, of_the_day, shelf, sitting_of, written
from ..play.terminal import Terminal
from ..util.english import counted
from .arguments import add_command, add_seed, at_least
from .output import GOOD, WRONG, Misuse, progress, write_file

if TYPE_CHECKING:
    from .arguments import Commands

USUAL = 60  # puzzles on a shelf


def add_puzzles(commands: Commands) -> None:
    """parlour puzzles."""
    words = "solve puzzles: positions in which one step is clearly the best; or make and check a shelf of them"
    command = add_command(commands, "puzzles", do_puzzles, words, "parlour puzzles solve heraldry --number 3")
    command.add_argument("what", choices=("solve", "make", "check"), help="what to do")
    command.add_argument("game", metavar="GAME", help="the game")
    command.add_argument("--number", type=int, metavar="N", help="solve: which, from 1 (default: the one of the day)")
    command.add_argument("--count", type=int, metavar="K", help=f"make: how many (default: {USUAL})")
    command.add_argument("--out", metavar="FILE", help=f"make: where to write them (default: {FILE})")
    add_seed(command, "make: the same seed makes the same puzzles")


def do_puzzles(asked: argparse.Namespace) -> int:
    """Solve, make or check puzzles."""
    game = game_of(asked.game)
    if asked.what == "make":
        return make(game, asked)
    if asked.count is not None or asked.out is not None or asked.seed is not None:
        raise Misuse("--count, --out and --seed are for `puzzles make`.")
    puzzles = shelf(game)
    if not puzzles:
        raise Misuse(f"{game.title} has no puzzles.")
    if asked.what == "check":
        return check_all(game)
    number = of_the_day(game, datetime.datetime.now(datetime.UTC).date()) if asked.number is None else asked.number
    if not 1 <= number <= len(puzzles):
        raise Misuse(f"--number must be 1 to {len(puzzles)}, not {number}.")
    return solve(game, number)


def make(game: Game, asked: argparse.Namespace) -> int:
    """Make a shelf of puzzles."""
    count = at_least(USUAL if asked.count is None else asked.count, 1, "--count")
    seed, path = asked.seed or "1", asked.out or FILE
    found = []
    with progress(count, "puzzles") as show:
        for puzzle in find(game, seed, count):
            found.append(puzzle)
            show(len(found))
    if not found:
        raise Misuse(f"No puzzle of {game.title} was found.")
    write_file(path, written(game, seed, found))
    print(f"{counted(len(found), 'puzzle')} of {game.title} from seed {seed} are in {Path(path)}.")
    return GOOD


def check_all(game: Game) -> int:
    """Search every puzzle of a shelf again, ten times as deep."""
    puzzles, failed = shelf(game), []
    with progress(len(puzzles), "puzzles") as show:
        for number, puzzle in enumerate(puzzles, 1):
            if not check(game, puzzle):
                failed.append(number)
            show(number)
    print(f"{game.title}: {counted(len(puzzles), 'puzzle')} searched with {DEEP_TRIALS:,} trials, {len(failed)} failed")
    for number in failed:
        print(f"  No. {number}: {game.step_name(puzzles[number - 1].best)} is not clearly the best.")
    return WRONG if failed else GOOD


def solve(game: Game, number: int) -> int:
    """Ask for the best step until it is found or given up, then explain it."""
    puzzles = shelf(game)
    puzzle = puzzles[number - 1]
    sitting = sitting_of(game, puzzle)
    terminal = Terminal(sitting, sitting.seat, Path(), bots="first")
    terminal.say(f"{game.title} · puzzle {number} of {len(puzzles)}, {puzzle.difficulty}. Which step is the best?")
    terminal.tell_news()
    terminal.lay_table()
    terminal.offer()
    while True:
        try:
            answer = input("Type a step, or press Enter to give up: ").strip()
        except (EOFError, KeyboardInterrupt):
            answer = ""
            print()
        step = terminal.choices.find(answer) if answer else None
        if not answer or step == puzzle.best:
            terminal.say("Solved." if answer else "Given up.")
            break
        terminal.say("Another step is better; try again." if step is not None else terminal.choices.refusal(answer)[0])
    terminal.say(explained(sitting, puzzle, terminal.teller))
    terminal.opponents.close()
    return GOOD
