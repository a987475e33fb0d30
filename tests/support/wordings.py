"""What the server says by key, beside what it says in sentences: for comparing the page's wording with the server's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from parlour import Refusal, Sitting
from parlour.engine.catalogue import catalogue
from parlour.engine.game import Game
from parlour.engine.messages import Message, Slot, Speaker, parsed
from parlour.engine.words import said
from parlour.play.sentences import Teller
from parlour.players.hints import Advice, advise, only_hint, own_reason
from parlour.server.protocols import CURRENT, KEYED
from support.languages import EDGES
from support.scripts import script

PEOPLE = ("Ann", "Tom and Jo", "ben", "Zoë", "Åke|s", "{seat}", "N")  # names that patterns must not take for their own
STEPS = 60  # of a sitting
TRIALS = 40  # of the hints that are searched for


def names_at(players: int, you: int) -> list[str]:
    """What the seats are called at a table."""
    return ["you" if seat == you else PEOPLE[seat] if seat < len(PEOPLE) else f"bot {seat}" for seat in range(players)]


def company(sitting: Sitting, you: int) -> dict[str, Any]:
    """What the page knows of a table."""
    names, other = names_at(sitting.players, -1), sitting.game.other_names(sitting.state.options)
    return {"names": names, "me": you, "sides": sitting.state.sides, "cardNames": other}


def teller_at(sitting: Sitting, you: int, language: str = "en") -> Teller:
    names, sides = names_at(sitting.players, you), sitting.state.sides
    return Teller(sitting.game, names, you, sides, CURRENT.codes, sitting.state.options, language)


def cases(sitting: Sitting, luck: random.Random, language: str = "en") -> Iterator[dict[str, Any]]:
    """A sitting as it is told to a spectator and to some seats: events, refusals and reasons."""
    refusals: list[list[Any]] = []
    reasons: list[list[Any]] = []
    teller = teller_at(sitting, 0, language)
    for at in range(STEPS):
        if sitting.over:
            break
        refusals += map(list, refused(sitting, teller, language))
        reasons += reasons_at(sitting, teller, language, searched=at % 20 == 0)
        sitting.play(luck.choice(sitting.legal()))
    for you in dict.fromkeys((-1, 0, sitting.players - 1)):
        teller, told = teller_at(sitting, you, language), sitting.told[you]
        events = [[to_builtins(KEYED.event(teller, told, at)), teller.say_at(told, at)] for at in range(len(told))]
        yield {
            "company": company(sitting, you),
            "events": events,
            "says": refusals if you == 0 else [],
            "reasons": reasons if you == 0 else [],
        }


def refused(sitting: Sitting, teller: Teller, language: str) -> Iterator[tuple[Any, str]]:
    """Every step that is refused now, by key and in words."""
    game, options = sitting.game, sitting.state.options
    for step in {*range(game.steps), game.steps} - set(sitting.legal()):
        try:
            sitting.state.copy().play(step)
        except Refusal as refusal:
            said = CURRENT.sentence(game, refusal, options)
            if language != "en" and isinstance(refusal.sentence, Message):
                said = teller.refuse(refusal.sentence)
            yield to_builtins(KEYED.sentence(game, refusal, options)), str(said)


def reasons_at(sitting: Sitting, teller: Teller, language: str, searched: bool) -> Iterator[list[Any]]:
    """Why each legal step would be hinted at, by keys and in words."""
    game, options, view = sitting.game, sitting.state.options, sitting.view(sitting.seat)
    given = [advise(game, view, trials=TRIALS)] if searched else []
    for step in sitting.legal():
        hint = only_hint(game, view, step)
        reason = own_reason(game, view, hint)
        if reason is not None:
            given.append(Advice([hint], said(game, reason), reason.clause, reason.claims))
    for advice in given:
        keyed, plain = KEYED.advice("", game, advice, options), CURRENT.advice("", game, advice, options)
        wanted = plain.reason
        if language != "en":
            wanted = teller.argue(advice.claims) if advice.claims else teller.refuse(advice.reason)
        yield [to_builtins(keyed.reason), to_builtins(keyed.claims), wanted]


def every_message(game: Game | None = None) -> Iterator[list[Any]]:
    """Everything that is said anywhere but by a game's rules, with values of all kinds, as a person is told it."""
    words = script("words")
    for folder in words.SAYING:
        for call in words.calls(words.PACKAGE / folder):
            for count in (0, 1, 2, 7, 13, 1234, -1):
                values = {part.name: some_value(part, count) for part in parsed(call.pattern) if part.name}
                message = Message(call.key, call.pattern, values)
                assert KEYED.said(message, game) != str(message), call
                yield [to_builtins(KEYED.said(message, game)), Speaker().say(call.pattern, values)]


def some_value(part: Slot, count: int) -> Any:
    """A value that fits a slot."""
    if part.type in ("text", "word", "step"):
        return f"some {count}|s {{text}}"
    if part.style:
        return [f"item {number}" for number in range(max(count % 5, 1))]
    return count


def written(game: Game, sittings: Sequence[tuple[Sitting, random.Random]], language: str = "en") -> dict[str, Any]:
    """A file for the page's test: the catalogue, and what is said by it."""
    tables = [case for sitting, luck in sittings for case in cases(sitting, luck, language)]
    nobody = {"names": [], "me": -1, "sides": 0, "cardNames": {}}
    if language == "en":
        tables.append({"company": nobody, "events": [], "says": list(every_message(game)), "reasons": []})
    words = to_builtins(catalogue(game, language))
    names = ["you", "Ann", f"Tom {words['grammar']['conjunctions'][0]} Jo"]
    speaker = Teller(game, names, 0, language=language).speaker
    edges = []
    for number, (pattern, values) in enumerate(EDGES):
        words["says"][f"edge {number}"] = pattern
        edges.append([{"key": f"edge {number}", "values": values}, speaker.say(pattern, values)])
    tables.append({"company": {**nobody, "names": names, "me": 0}, "events": [], "says": edges, "reasons": []})
    return {"catalogue": words, "tables": tables}
