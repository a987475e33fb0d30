"""The command that plays in the terminal: play."""

from __future__ import annotations

import argparse
import datetime
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine import build
from ..engine.game import Game
from ..games import REGISTRY
from ..games import game as game_of
from ..play.saves import data_home, fresh_path
from ..play.sitting import Sitting
from ..play.terminal import Quit, Terminal, terminal_width
from ..play.today import SEAT, number_of, sitting_of
from ..players.names import bots_for, is_built_in
from ..sheets.model import Option, Value
from ..sheets.rulebook import wrapped
from ..util.english import joined
from .arguments import ALL_BOTS, add_command, add_game, add_table, check_bots, readings
from .output import GOOD, Misuse, unreadable

if TYPE_CHECKING:
    from .arguments import Commands


def add_play(commands: Commands) -> None:
    """parlour play."""
    words = "play a game in the terminal against bots"
    command = add_command(commands, "play", do_play, words, "parlour play lost-heir partners")
    add_game(command, default="asks you")
    offered = joined((value.label.lower() for game in REGISTRY.values() for _, value in choices_of(game)), "or")
    command.add_argument("choice", metavar="CHOICE", nargs="*", help=f"how to play, where a game offers it: {offered}")
    add_table(command)
    command.add_argument("--seat", type=int, metavar="S", help="your seat, counted from 0 (default: 0)")
    command.add_argument(
        "--bots",
        metavar="NAME,…",
        help=f"the bots, one for each seat, of which yours is skipped: {ALL_BOTS} (default: steady, or first where "
        "nothing is decided)",
    )
    command.add_argument("--today", action="store_true", help="play the deal of the day: the same cards for everyone")
    command.add_argument("--new", action="store_true", help="start a new sitting; an unfinished one is set aside")
    command.add_argument("--resume", metavar="FILE", help="resume a sitting that was set aside")


def choices_of(game: Game) -> list[tuple[Option, Value]]:
    """What is asked before anything else, such as whether one plays alone or with a partner."""
    return [(option, value) for option in game.sheet.options if option.offered for value in option.values]


def chosen(game: Game, text: str) -> tuple[Option, Value]:
    """The value that a choice names, as people call it, and its option."""
    known = choices_of(game)
    for option, value in known:
        if text.casefold() in (value.label.casefold(), str(value.name)):
            return option, value
    if not known:
        raise Misuse(f"{game.title} has no such choice as {text!r:.40}; --set sets its options.")
    raise Misuse(f"{game.title} offers {joined((value.label.lower() for _, value in known), 'or')}, not {text!r:.40}.")


def do_play(asked: argparse.Namespace) -> int:
    """Play a game, or resume one."""
    name = asked.game or choose_game()
    if name is None:
        return GOOD
    game = game_of(name)
    save = data_home() / "unfinished" / f"{game.name}.json"
    asked_for = (asked.seed, asked.players, asked.seat, None if asked.resume else asked.bots)
    fresh = asked.new or asked.today or asked.set or asked.choice or any(value is not None for value in asked_for)
    if asked.resume is not None:
        if fresh:
            raise Misuse("--resume continues a sitting as it was started; the only other option it takes is --bots.")
        save = Path(asked.resume)
    if asked.resume is not None or (save.exists() and not fresh):
        sitting, you, bots = resume(save, game, asked.bots)
        print("Resuming your unfinished sitting; --new starts another.")
    else:
        if asked.game is None and not asked.set and not asked.today:
            asked.choice = choose_among(game)
        sitting, you, bots = begin(game, asked)
        set_aside(save, game)
    build.tell_if_slow()
    terminal = Terminal(sitting, you, save, bots=bots)
    try:
        terminal.run()
    except (Quit, KeyboardInterrupt):
        again = f"parlour play {game.name}" + (f" --resume {save}" if asked.resume is not None else "")
        saved = f"Saved. Resume with `{again}`."
        print(f"\n{f'The sitting could not be saved: {terminal.unsaved}.' if terminal.unsaved else saved}")
    finally:
        terminal.opponents.close()
    return GOOD


def begin(game: Game, asked: argparse.Namespace) -> tuple[Sitting, int, str]:
    """A new sitting, your seat in it, and the bots."""
    if asked.today:
        return begin_today(game, asked)
    given, players = readings(asked.set, game), asked.players
    if asked.choice:
        option, value = chosen(game, " ".join(asked.choice))
        if option.name in given:
            raise Misuse(f"{' '.join(asked.choice)} and --set {option.name}=… say the same thing twice.")
        given[option.name] = value.name
        if players is None and game.sheet.usual not in value.players:
            players = value.players[0]
    players = game.sheet.usual if players is None else players
    options = game.options_for(players, given)
    you = 0 if asked.seat is None else asked.seat
    if not 0 <= you < players:
        raise Misuse(f"--seat must be 0 to {players - 1}, not {you}.")
    bots = game.usual_bot if asked.bots is None else asked.bots
    check_bots(bots, players)
    seats = seats_with_views(bots, players, you)
    return Sitting(game, players, seed=asked.seed, listeners=seats, track_beliefs=True, **options), you, bots


def begin_today(game: Game, asked: argparse.Namespace) -> tuple[Sitting, int, str]:
    """The deal of the day, your seat in it, and the bots."""
    if asked.set or asked.choice or any(value is not None for value in (asked.seed, asked.players, asked.seat)):
        raise Misuse("--today is the same for everyone: of the other options it takes --bots alone.")
    bots = game.usual_bot if asked.bots is None else asked.bots
    check_bots(bots, game.sheet.usual)
    number = number_of(datetime.datetime.now(datetime.UTC).date())
    print(f"The deal of the day: No. {number}.")
    return sitting_of(game, number, seats_with_views(bots, game.sheet.usual, SEAT)), SEAT, bots


def resume(path: Path, game: Game, named: str | None) -> tuple[Sitting, int, str]:
    """A saved sitting of this game, your seat in it, and the bots; external bots must be named again."""
    try:
        text = path.read_text(encoding="utf-8")
        sitting = Sitting.load(text)
        held = json.loads(text)
        you, bots = held.get("you", 0), held.get("bots", game.usual_bot)
        if sitting.game is not game:
            raise ValueError(f"This is a sitting of {sitting.game.title}, not of {game.title}.")
        if type(you) is not int or not 0 <= you < sitting.players:
            raise ValueError('This is not a saved sitting: "you" must be a seat.')
        if type(bots) is not str:
            raise ValueError('This is not a saved sitting: "bots" must name the bots.')
        if named is not None:
            bots = named
        elif not all(is_built_in(name.strip()) for name in bots.split(",")):
            again = "to run it, name it again with --resume and --bots"
            raise Misuse(f"{path} seats a bot of your own ({bots!a:.80}); {again}.")
        bots_for(bots, sitting.players)
        # loaded again with views only where they are needed, to save memory in a long sitting
        return Sitting.load(text, seats_with_views(bots, sitting.players, you), track_beliefs=True), you, bots
    except OSError as error:
        raise unreadable(str(path), error) from None
    except ValueError as error:
        raise Misuse(f"{path}: {error} Start a new sitting with --new.") from None


def set_aside(save: Path, game: Game) -> None:
    """Rename an unfinished sitting, so that a new one can be saved in its place."""
    if save.exists():
        aside = fresh_path(save.with_name(f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}.json"))
        save.rename(aside)
        print(f"Your unfinished sitting is set aside; resume it with --resume {aside}")


def seats_with_views(bots: str, players: int, you: int) -> list[int]:
    """The seats that need a view: yours, and those of bots that look at one."""
    named = bots_for(bots, players)
    return [seat for seat in range(players) if seat == you or named[seat] not in ("random", "first")]


def choose_game() -> str | None:
    """Ask which game to play."""
    print("Parlour: card games from old rule sheets.\n")
    names = list(REGISTRY)
    for number, game in enumerate(REGISTRY.values(), 1):
        print(f"  {number}  {game.title}")
        print(wrapped(f"     {game.sheet.summary.split('. ')[0]}.", terminal_width()))
    at = ask_number("Which one? Type a number, or press Enter to leave: ", names)
    return None if at is None else names[at]


def choose_among(game: Game) -> list[str]:
    """Ask how to play a game that offers a choice; none is the usual one."""
    known = [value for _, value in choices_of(game)]
    if not known:
        return []
    print()
    for number, value in enumerate(known, 1):
        print(wrapped(f"  {number}  {value.label}: {value.means}", terminal_width()))
    names = [value.label.lower() for value in known]
    at = ask_number(f"Which one? Type a number, or press Enter for 1 ({known[0].label}): ", names)
    return [known[at or 0].label]


def ask_number(question: str, names: Sequence[str]) -> int | None:
    """Ask for one of some names by its number; None where nothing is answered."""
    while True:
        try:
            answer = input(f"\n{question}").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        if not answer:
            return None
        if answer.lower() in names:
            return names.index(answer.lower())
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(names):
            return int(answer[:4]) - 1
        print(f"Type a number from 1 to {len(names)}.")
