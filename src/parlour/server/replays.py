"""Sittings to be looked at: one that is over, frame by frame with all hands, and the guided first hand of each game.

The page knows no rules, so all it shows comes from here: what happened, how things stand after it, what may be done.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from ..engine.chance import Sealed
from ..engine.errors import Refusal
from ..engine.game import Game
from ..games import game as game_of
from ..play.sentences import Teller, names_of
from ..play.sitting import SPECTATOR, Move, Sitting
from .messages import Choice, Event
from .table import stood

MOST_FRAMES = 200  # in one answer
LEARNER = 0


class Frame(Struct, omit_defaults=True):
    """What happened, how it stands now, and what comes next; `hands` are those of all seats, where all may see them."""

    events: list[Event]
    view: dict[str, Any]
    seat: int = SPECTATOR  # who is to move
    move: list[str] = []  # what that seat does next
    hands: list[list[str]] = []
    # of a lesson:
    say: str = ""
    clause: str = ""
    legal: list[list[Choice]] = []  # what may be done at each step of the move
    within: list[dict[str, Any]] = []  # how it stands after each step of it but the last
    refusals: dict[str, list[str]] = {}  # what may not be done with the cards in hand: a sentence and a clause


class Replay(Struct):
    """Some frames of a sitting that is over, from number `first` of `total`."""

    game: str
    players: int
    options: dict[str, Any]
    called: list[str]
    total: int
    first: int
    frames: list[Frame]


class Lesson(Struct):
    """A guided first hand: the last frame says what to remember."""

    game: str
    players: int
    options: dict[str, Any]
    called: list[str]
    seat: int
    frames: list[Frame]


def held(fields: dict[str, Any]) -> list[str]:
    """The cards that a seat holds, by its view."""
    if "coins" in fields:
        return [code for code, count in fields["coins"].items() for _ in range(count)]
    return list(fields.get("hand", []))


def replay(
    game: Game,
    players: int,
    options: dict[str, Any],
    rules: int,
    chance: Sealed,
    moves: Sequence[Move],
    called: Sequence[str],
    seat: int = SPECTATOR,
    first: int = 0,
    most: int = MOST_FRAMES,
) -> Replay:
    """Play a sitting again, and show some of it, as told to a seat that sees all."""
    seats = range(players)
    sitting = Sitting(game, players, chance=chance, listeners=tuple(seats), rules=rules, **options)
    teller = Teller(game, called, seat, len(sitting.scores()))
    frames: list[Frame] = []
    told = 0
    for number in range(min(len(moves), first + most - 1) + 1):
        if number:
            for step in moves[number - 1].steps:
                sitting.play(step)
        news = [known_of([sitting.told[seat][at] for seat in seats]) for at in range(told, len(sitting.told[0]))]
        told = len(sitting.told[0])
        if number < first:
            continue
        move = moves[number] if number < len(moves) else Move(SPECTATOR, (), 0)
        frames.append(
            Frame(
                [Event(entry, teller.say(entry), game.clause_of(entry)) for entry in news],
                stood(sitting.view(0)),
                move.seat,
                [game.step_name(step) for step in move.steps],
                [held(sitting.view(seat).fields()) for seat in seats],
            )
        )
    return Replay(game.name, players, options, list(called), len(moves) + 1, first, frames)


def known_of(told: Sequence[list[Any]]) -> list[Any]:
    """What happened, as the seat was told that knows most of it."""
    return min(told, key=lambda entry: entry.count(None))


@cache
def lesson(name: str) -> Lesson:
    """The guided first hand of a game."""
    game = game_of(name)
    script = json.loads((files("parlour.games") / name.replace("-", "_") / "lesson.json").read_text(encoding="utf-8"))
    players, options = script["players"], game.options_for(script["players"], script.get("options", {}))
    sitting = Sitting(game, players, seed=script["seed"], listeners=(LEARNER,), **options)
    called = names_of(game, players, LEARNER)
    teller = Teller(game, called, LEARNER, len(sitting.scores()))
    frames: list[Frame] = []
    told = 0
    for part in script["moves"]:
        news = sitting.told[LEARNER][told:]
        told = len(sitting.told[LEARNER])
        events = [Event(entry, teller.say(entry), game.clause_of(entry)) for entry in news]
        frame = Frame(events, stood(sitting.view(LEARNER)), sitting.seat, list(part.get("move", [])))
        frame.say, frame.clause = spoken(part.get("say", ""), called), part.get("clause", "")
        if sitting.seat == LEARNER:
            frame.refusals = refusals(game, sitting, held(frame.view))
        for step in frame.move:
            if sitting.seat == LEARNER:
                frame.legal.append([Choice(each, game.step_name(each)) for each in sitting.legal()])
                if frame.legal[1:]:
                    frame.within.append(stood(sitting.view(LEARNER)))
            sitting.play(step)
        frames.append(frame)
    return Lesson(name, players, options, called, LEARNER, frames)


def spoken(text: str, called: Sequence[str]) -> str:
    """Sentences of a lesson: `{2}` is what the person at seat 2 is called."""
    said = re.sub(r"\{(\d+)\}", lambda seat: called[int(seat[1])], text)
    return re.sub(r"(^|[.!?] )([a-z])", lambda begins: begins[1] + begins[2].upper(), said)


def refusals(game: Game, sitting: Sitting, hand: Sequence[str]) -> dict[str, list[str]]:
    """Why each card in hand that may not be played now may not."""
    found = {}
    for code in dict.fromkeys(hand):
        for name in game.step_names:
            if name.rpartition(" ")[2] == code and game.step_names.index(name) not in sitting.legal():
                try:
                    sitting.state.copy().play(game.step_names.index(name))
                except Refusal as refusal:
                    found[name] = [str(refusal.args[0]), refusal.clause]
    return found
