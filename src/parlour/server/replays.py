"""Sittings to look at: one that is over, frame by frame with all hands, and the guided first hand of each game.

The page knows no rules, so everything it shows comes from here: what happened, how things stand, what can be done.
"""

from __future__ import annotations

import json
import pickle
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.json import encode

from ..engine.chance import Sealed
from ..engine.errors import Refusal
from ..games import game as game_of
from ..play.sentences import Teller, names_of
from ..play.sitting import SPECTATOR, Sitting, secret_of
from ..sheets.model import Scored
from .messages import Choice, Event, Sentence
from .mirrors import Opening
from .moves import fields_now
from .protocols import CURRENT, Protocol, told_by

LEARNER = 0  # the seat of the person who takes a lesson


class Frame(Struct, omit_defaults=True):
    """What happened, how things stand now, and the next move; `hands` are those of all seats, in a replay."""

    events: list[Event]
    view: dict[str, Any]
    seat: int = SPECTATOR  # that is to move
    move: list[str] = []  # what that seat does next
    hands: list[list[str]] = []
    # in a lesson:
    say: str = ""
    clause: str = ""
    legal: list[list[Choice]] = []  # what can be done at each step of the move
    within: list[dict[str, Any]] = []  # how things stand after each step of the move but the last
    refusals: dict[str, list[Sentence]] = {}  # why a step with a card in hand is not allowed: a sentence and a clause
    leap: bool = False  # much was played since the last frame: it is shown as it stands


class Replay(Struct):
    """Some frames of a sitting that is over, from number `first` of `total`."""

    game: str
    players: int
    sides: int
    goal: int
    scoring: dict[str, list[str]]  # by clause: the cards that score
    options: dict[str, Any]
    called: list[str]
    total: int
    first: int
    what_scores: list[Scored]
    names: dict[str, str]  # of the cards that these options name differently
    frames: list[Frame]


class Lesson(Struct):
    """A guided first hand; the last frame says what to remember."""

    game: str
    players: int
    sides: int
    goal: int
    scoring: dict[str, list[str]]  # by clause: the cards that score
    options: dict[str, Any]
    called: list[str]
    seat: int
    what_scores: list[Scored]
    names: dict[str, str]  # of the cards that these options name differently
    frames: list[Frame]


def hands_of(sitting: Sitting) -> list[list[str]]:
    """The cards that each seat holds, by code."""
    where = sitting.state.where()
    hands = (where.get(f"hand {seat}", []) for seat in range(sitting.players))
    return [[sitting.game.code(card) for card in hand] for hand in hands]


def events_of(told: Sequence[list[Any]], since: int, teller: Teller, protocol: Protocol) -> list[Event]:
    """Told entries as events, from number `since` on."""
    return [protocol.event(teller, told, at) for at in range(since, len(told))]


# --- a sitting that is over -------------------------------------------------------------------------------------------


def frames_of(opening: bytes, steps: bytes, called: Sequence[str], seat: int, words: str = "") -> list[bytes]:
    """Every frame of a sitting as JSON, played again as told to a seat that sees everything."""
    protocol = told_by(CURRENT.number, words)
    began = Opening(*pickle.loads(opening))
    game, everyone = game_of(began.game), range(began.players)
    rules, options = began.rules, began.options
    given: dict[str, Any] = game.sheet.recorded(options, rules)
    sitting = Sitting(game, began.players, chance=began.chance(), listeners=everyone, rules=rules, **given)
    teller = Teller(game, called, seat, sitting.state.sides, CURRENT.codes, options)
    frames: list[bytes] = []
    left = iter(array("I", steps))
    told: list[list[Any]] = []
    while True:
        shown = len(told)
        told += map(best_told, zip(*[sitting.told[each][shown:] for each in everyone], strict=True))
        events = events_of(told, shown, teller, protocol)
        view, hands, mover = fields_now(sitting.view(0)), hands_of(sitting), sitting.seat
        move = next_move(sitting, left)
        names = [game.step_name(step) for step in move]
        frames.append(encode(Frame(events, view, mover if move else SPECTATOR, names, hands)))
        if not move:
            return frames


def next_move(sitting: Sitting, steps: Iterator[int]) -> list[int]:
    """Make the next whole move; its steps, or none where there are no more."""
    move = []
    for step in steps:
        sitting.play(step)
        move.append(step)
        if not sitting.prefix:
            break
    return move


def best_told(told: Sequence[list[Any]]) -> list[Any]:
    """An entry as told to the seat that knows most of it."""
    return min(told, key=lambda entry: entry.count(None))


# --- a lesson ---------------------------------------------------------------------------------------------------------


@cache
def lesson(name: str, words: str = "") -> Lesson | None:
    """The guided first hand of a game, if it has one."""
    protocol = told_by(CURRENT.number, words)
    game = game_of(name)
    written = game.text("lesson.json")
    if written is None:
        return None
    script = json.loads(written)
    players, options = script["players"], game.options_for(script["players"], script.get("options", {}))
    # its deal was found under version 1 of the rules, and is the same in any other
    luck = Sealed(secret_of(script["seed"]), table=name)
    sitting = Sitting(game, players, chance=luck, listeners=(LEARNER,), **options)
    called = names_of(game, players, LEARNER)
    teller = Teller(game, called, LEARNER, sitting.state.sides, CURRENT.codes, options)
    frames: list[Frame] = []
    shown, leap = 0, False
    for part in script["moves"]:
        told = sitting.told[LEARNER]
        events = events_of(told, shown, teller, protocol)
        shown = len(told)
        frame = Frame(events, fields_now(sitting.view(LEARNER)), sitting.seat, list(part.get("move", [])))
        frame.say, frame.clause = spoken(part.get("say", ""), called), part.get("clause", "")
        if sitting.seat == LEARNER:
            frame.refusals = refusals(sitting, hands_of(sitting)[LEARNER], protocol)
        frame.leap = leap
        play_shown(sitting, frame)
        frames.append(frame)
        skipped = part.get("skip", [])  # steps of all seats that nobody is shown one by one
        for step in skipped:
            sitting.play(step)
        leap = bool(skipped)
    sides, goal = sitting.state.sides, sitting.state.goal
    scores, names = game.sheet.what_scores(options), game.other_names(options)
    about = (name, players, sides, goal, game.scoring_cards(options), options, called)
    return Lesson(*about, LEARNER, scores, names, frames)


def play_shown(sitting: Sitting, frame: Frame) -> None:
    """Make the move of a frame; where it is the learner's, show what could be done at each step."""
    game = sitting.game
    learning = sitting.seat == LEARNER
    for step in frame.move:
        if learning:
            choices = [Choice(each, game.step_name(each), sitting.state.completes(each)) for each in sitting.legal()]
            frame.legal.append(choices)
            if len(frame.legal) > 1:
                frame.within.append(fields_now(sitting.view(LEARNER)))
        sitting.play(step)


def spoken(text: str, called: Sequence[str]) -> str:
    """Sentences of a lesson: `{2}` is what the person at seat 2 is called."""
    said = re.sub(r"\{(\d+)\}", lambda seat: called[int(seat[1])], text)
    return re.sub(r"(^|[.!?] )([a-z])", lambda begins: begins[1] + begins[2].upper(), said)


def refusals(sitting: Sitting, hand: Sequence[str], protocol: Protocol) -> dict[str, list[Sentence]]:
    """Why each card in hand that cannot be played now cannot."""
    game, legal = sitting.game, sitting.legal()
    found: dict[str, list[Sentence]] = {}
    for code in dict.fromkeys(hand):
        for step, name in enumerate(game.step_names):
            if name.rpartition(" ")[2] == code and step not in legal:
                try:
                    sitting.state.copy().play(step)
                except Refusal as refusal:
                    found[name] = [protocol.sentence(game, refusal, sitting.state.options), refusal.clause]
    return found
