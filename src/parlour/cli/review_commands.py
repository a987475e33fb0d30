"""The command that reviews records: review."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ..engine.game import Game
from ..games import game as game_of
from ..play.sentences import Teller, names_of
from ..play.terminal import terminal_width
from ..players.review import Luck, Mark, Part, Review, Reviewing
from ..records.files import Missing, open_to_read
from ..records.record import check, read_lines
from ..sheets.rulebook import wrapped
from ..util.english import counted
from .arguments import add_command, add_json
from .output import GOOD, WRONG, Misuse, progress, unreadable

if TYPE_CHECKING:
    from .arguments import Commands

SHOWN = 5  # mistakes
YOU = "you"


def add_review(commands: Commands) -> None:
    """parlour review."""
    words = "review finished sittings: the dearest mistakes of a seat, and its luck apart from its skill"
    command = add_command(commands, "review", do_review, words, "parlour review game.jsonl --seat 0")
    command.add_argument("file", metavar="FILE", help="a record file; - reads standard input")
    command.add_argument(
        "--seat", type=int, metavar="S", help="the seat, counted from 0 (default: the one called you, otherwise 0)"
    )
    add_json(command, "print each review as a line of JSON")


def do_review(asked: argparse.Namespace) -> int:
    """Review every record of a file."""
    reviewed = wrong = 0
    with ExitStack() as stack:
        try:
            file = sys.stdin.buffer if asked.file == "-" else stack.enter_context(open_to_read(asked.file))
            for line, record, why in read_lines(file):
                difference = why or check(record)
                if difference:
                    wrong += 1
                    print(f"{asked.file}:{line}: {difference}", file=sys.stderr)
                    continue
                found, seat = review_of(record, asked.seat, f"{asked.file}:{line}")
                if asked.json:
                    print(json.dumps({"line": line, **data_of(found)}, ensure_ascii=False))
                else:
                    print("\n" * (reviewed > 0), end="")
                    print("\n".join(told(record, found, seat)))
                reviewed += 1
        except Missing as error:
            raise Misuse(str(error)) from None
        except OSError as error:
            raise unreadable(asked.file, error) from None
    if not reviewed and not wrong:
        raise Misuse(f"{asked.file} holds no record.")
    return WRONG if wrong else GOOD


def review_of(record: dict[str, Any], seat: int | None, where: str) -> tuple[Review, int]:
    """The review of a record that replays, and its seat."""
    names = record.get("names")
    if seat is None:
        seat = names.index(YOU) if isinstance(names, list) and YOU in names else 0
    try:
        reviewing = Reviewing(record, seat)
    except ValueError as error:
        raise Misuse(f"{where}: {error}") from None
    with progress(reviewing.pieces, "pieces") as show:
        found = []
        for at in range(reviewing.pieces):
            found.append(reviewing.work(at))
            show(at + 1)
    return reviewing.whole(found), seat


def data_of(found: Review) -> dict[str, Any]:
    """A review as plain data."""
    data = dataclasses.asdict(found)
    for mark in data["marks"]:
        mark["reason"] = str(mark["reason"])
        del mark["claims"]
    return data


def told(record: dict[str, Any], found: Review, seat: int) -> list[str]:
    """A review in words."""
    game = game_of(record["game"])
    lines = [f"{game.title} · {record['players']} players · seat {seat}", ""]
    lines += choices_told(game, found, record["options"], record["players"], seat)
    return [*lines, "", *luck_told(found.luck)]


def choices_told(game: Game, found: Review, options: dict[str, Any], players: int, seat: int) -> list[str]:
    """What the choices were worth."""
    if found.accuracy is None:
        return ["There was nothing to decide."]
    mistakes = found.mistakes
    lines = [f"Accuracy {found.accuracy:.0f} %: {counted(len(found.marks), 'real choice')}, {say_mistakes(mistakes)}."]
    if found.unjudged:
        lines.append(f"{counted(found.unjudged, 'choice')} could not be judged.")
    teller = Teller(game, names_of(game, players, seat), seat, options=options)
    for number, mark in enumerate(mistakes[:SHOWN], 1):
        worth = f"{points(mark.score, 2)} ± {mark.score_within:.2f} points, "
        worth += f"{points(100 * mark.win, 1)} ± {100 * mark.win_within:.1f} % chance to win"
        lines += ["", f"{number}. Move {mark.move + 1}: {mark.played}. Better: {mark.best} ({worth})."]
        reason = teller.argue(mark.claims) if mark.claims else teller.refuse(mark.reason)
        lines.append(wrapped(f"   {reason}" + (f" ({mark.clause})" if mark.clause else ""), terminal_width()))
    if len(mistakes) > SHOWN:
        lines += ["", f"And {counted(len(mistakes) - SHOWN, 'smaller mistake')}; --json lists all."]
    lines += ["", wrapped("Each choice is judged by what its seat knew at the time.", terminal_width())]
    return lines


def say_mistakes(mistakes: list[Mark]) -> str:
    """How many mistakes there were."""
    return counted(len(mistakes), "mistake") + " beyond doubt" if mistakes else "no mistake beyond doubt"


def luck_told(luck: Luck) -> list[str]:
    """Luck apart from skill, as a table."""
    rows = [
        ("An equal start", luck.start),
        ("Deals and draws", luck.luck),
        ("The others' choices", luck.others),
        ("Your own choices", luck.own),
        ("Result", luck.result),
    ]
    lines = [f"{'Luck and skill':<20}  {'chance to win':>16}  {'score':>14}"]
    return lines + [f"{name:<20}  {figures(part, name == 'Result')}" for name, part in rows]


def figures(part: Part, sure: bool) -> str:
    """A part of the result, with its doubt."""
    if sure:
        return f"{100 * part.win:>14.0f} %  {points(part.score, 0):>14}"
    win = f"{points(100 * part.win, 0)} ± {100 * part.win_within:.0f} %"
    return f"{win:>16}  {f'{points(part.score, 1)} ± {part.score_within:.1f}':>14}"


def points(number: float, digits: int) -> str:
    """A number with a real minus sign."""
    text = f"{number:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")
