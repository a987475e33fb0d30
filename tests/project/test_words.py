"""The catalogue: everything that is said has one key and one pattern, with its values; and a further language."""

from __future__ import annotations

import ast
import copy
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import toy

from parlour import Game, Refusal, Sitting
from parlour.engine.catalogue import catalogue, languages
from parlour.engine.messages import Message, names_in, parsed, say
from parlour.engine.words import Claim, words_of
from parlour.games import REGISTRY
from parlour.play.sentences import Teller, event_key
from parlour.players import hints
from parlour.players.hints import WORLDS, only_hint, own_reason, plain_reason
from parlour.server.messages import Said
from parlour.server.protocols import KEYED
from parlour.sheets.model import SheetError
from support.languages import CODE, other_heraldry
from support.scripts import script

words = script("words")
GAMES = [*REGISTRY.values()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
RAISED = ("Refusal", "Missing", "Forbidden", "Busy", "TooMuch", "BadRequest", "cut_off", "end", "error_reply")
TEXT = (ast.Constant, ast.JoinedStr)
STATUSES, INVALID = range(400, 600), 422  # of HTTP
OWN_TEXT = 300  # sittings of a game that are walked through have at most so many steps


# --- the files --------------------------------------------------------------------------------------------------------


def test_the_english_words_are_current() -> None:
    for path, content in words.written().items():
        assert path.read_text(encoding="utf-8") == content, f"run python tools/words.py: {path}"


def every_call() -> Iterator[tuple[Game | None, Any]]:
    for folder in words.SAYING:
        yield from ((None, call) for call in words.calls(words.PACKAGE / folder))
    for game in GAMES:
        yield from ((game, call) for call in words.calls(words.folder_of(game)))


def test_every_message_is_given_the_values_that_its_pattern_names() -> None:
    calls = list(every_call())
    assert len(calls) > 120
    for game, call in calls:
        assert catalogue(game).says[call.key] == call.pattern, call
        if call.given is not None:
            assert call.given == names_in(call.pattern), call


@each_game
def test_no_game_uses_a_key_of_all_games_for_something_else(game: Game) -> None:
    common = catalogue().says
    own = words.own(game)["says"]
    assert not {key for key, pattern in own.items() if common.get(key, pattern) != pattern}


def test_what_the_server_refuses_is_a_message() -> None:
    """Sentences that are plain text could not be said in another language."""
    plain = []
    for folder in ("server", "play"):
        for path in sorted((words.PACKAGE / folder).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            plain += [f"{path.name}:{node.lineno}" for node in ast.walk(tree) if is_plain(node)]
    assert plain == []


def is_plain(node: ast.AST) -> bool:
    """Whether a refusal, or a status with a sentence, is made with plain text; an invalid request may be."""
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        status, said = node.elts
        return isinstance(status, ast.Constant) and status.value in STATUSES and isinstance(said, TEXT)
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], TEXT):
        return False
    invalid = any(isinstance(each, ast.Constant) and each.value == INVALID for each in node.args[1:])
    return getattr(node.func, "id", getattr(node.func, "attr", "")) in RAISED and not invalid


# --- what is said -----------------------------------------------------------------------------------------------------


def walked(game: Game, seeds: int = 4) -> Iterator[Sitting]:
    """Sittings of few and many players, with usual and with other options, at every step."""
    for players in dict.fromkeys((game.sheet.usual, game.sheet.players[0], game.sheet.players[-1])):
        for seed in range(seeds):
            luck = random.Random(f"{game.name} {players} {seed}")
            chosen = {}
            for option in game.sheet.options if seed else ():
                values = [value.name for value in option.values if players in value.players]
                chosen[option.name] = luck.choice(values) if values else option.low + 1
            sitting = Sitting(game, players, seed=seed, **chosen)
            for _ in range(OWN_TEXT):
                if sitting.over:
                    break
                yield sitting
                sitting.play(luck.choice(sitting.legal()))
            yield sitting


@each_game
def test_every_event_has_its_key_and_its_values_from_what_the_seat_was_told(game: Game) -> None:
    said = catalogue(game)
    met = set()
    heard: dict[int, int] = {}
    last = None
    for sitting in walked(game):
        if sitting is not last:
            last, heard = sitting, {}
        for seat in (-1, 0):
            told = sitting.told[seat]
            first = heard.get(seat, 0)
            heard[seat] = len(told)
            for at in range(first, len(told)):
                key, values = event_key(game, told, at)
                met.add(key)
                given = {*said.fields[told[at][0]], *values}
                assert names_in(said.events[key]) <= given, (key, told[at])
    assert len(met) > len(said.events) / 2


@each_game
def test_every_refusal_and_reason_has_its_key_and_its_values(game: Game) -> None:
    said, met, argued = catalogue(game), set(), set()
    named = set(words.own(game)["names"])
    for number, sitting in enumerate(walked(game, 3)):
        if sitting.over or number % 3:
            continue
        for step in {*range(game.steps), game.steps} - set(sitting.legal()):
            with pytest.raises(Refusal) as refused:
                sitting.state.copy().play(step)
            sentence = refused.value.sentence
            assert isinstance(sentence, Message) and names_in(sentence.pattern) <= set(sentence.values)
            assert said.says[sentence.key] == sentence.pattern
            assert KEYED.sentence(game, refused.value) == Said(sentence.key, sentence.values)
            met.add(sentence.key)
        view = sitting.view(sitting.seat)
        for step in sitting.legal():
            reason = own_reason(game, view, only_hint(game, view, step))
            for claim in reason.claims if reason else ():
                slots = {slot.name: slot for slot in parsed(said.claims[claim.key]) if slot.name}
                assert slots.keys() == claim.values.keys(), claim
                spoken = {claim.values[name] for name, slot in slots.items() if slot.type == "word"}
                assert spoken <= named, claim
                argued.add(claim.key)
    assert met and len(argued) >= len(said.claims) / 2


def test_every_message_whose_values_are_not_written_out_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    met = {}
    for name, clause in (("lost-heir", "HEIR-11"), ("heraldry", "HER-4")):  # points, and cards
        game = REGISTRY[name]
        sitting = Sitting(game, 2, seed=1)
        with pytest.raises(Refusal) as refused:
            sitting.play("nothing")
        said = [refused.value.sentence]
        best, second = (only_hint(game, sitting.view(sitting.seat), step) for step in sitting.legal()[:2])
        for more, later in product((-1, 0, 1), (0.0, 1.0)):
            brings = {best.step: (Counter({clause: more * WORLDS}), clause), second.step: (Counter(), clause)}
            monkeypatch.setattr(hints, "gains", lambda game, view, step, seed, brings=brings: brings[step])
            compared = [replace(best, score=later), replace(second, score=0.0, win_chance=best.win_chance)]
            said.append(plain_reason(game, sitting.view(sitting.seat), compared, 0)[0])
        for message in said:
            assert isinstance(message, Message) and names_in(message.pattern) == set(message.values)
            assert KEYED.said(message, game) == Said(message.key, message.values)
            met[message.key] = message.pattern
    assert met == {call.key: call.pattern for _, call in every_call() if call.given is None}


# --- a further language -----------------------------------------------------------------------------------------------


def test_a_game_of_another_package_brings_its_own_language() -> None:
    game = toy.GAME
    assert languages(game) == ["en", "qq"]
    sitting = Sitting(game, 3, seed=1)
    for _ in range(3):
        sitting.play(sitting.legal()[0])
    teller = Teller(game, ["you", "Ann", "Ben"], 0, 0, False, language="qq")
    said = [teller.say_at(sitting.told[0], at) for at in range(len(sitting.told[0]))]
    assert any(sentence.startswith("Tu jouas ") for sentence in said)
    assert any(sentence.startswith("Ann jouat ") for sentence in said)
    assert "The cards are dealt." in said, "what a language lacks is said in English"


@pytest.mark.parametrize("pattern", ["{0:seat} plays {1:card}.", "{seat} plays {colour}."])
def test_a_sentence_that_cannot_be_said_is_refused_when_words_are_loaded(tmp_path: Path, pattern: str) -> None:
    package = tmp_path / "other_toy"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "words.py").write_text(f"TEMPLATES = {{'play': {pattern!r}}}")
    game = copy.copy(toy.GAME)
    game.package = "other_toy"
    sys.path.insert(0, str(tmp_path))
    try:
        with pytest.raises(SheetError, match=r"“play” has \{(0|colour)\}"):
            words_of(game)
    finally:
        sys.path.remove(str(tmp_path))
        for name in [name for name in sys.modules if name.startswith("other_toy")]:
            del sys.modules[name]


def test_a_key_that_stands_for_something_else_is_not_taken_for_it() -> None:
    game = toy.GAME
    message = say("no table", "There is no table for {card}.", card="A1")
    assert catalogue(game).says[message.key] != message.pattern
    assert KEYED.sentence(game, Refusal(message, game.sheet.clauses[0].id)) == "There is no table for 1 of acorns."
    teller = Teller(game, ["you", "Ann", "Ben"], 0, 0, False)
    assert teller.refuse(message) == "There is no table for 1 of acorns."
    assert teller.coded(message) == "There is no table for A1."


def test_a_language_says_events_refusals_and_reasons(tmp_path: Path) -> None:
    with other_heraldry(tmp_path) as heraldry:
        teller = Teller(heraldry, ["you", "Ann", "Ben"], 0, 0, False, language=CODE)
        assert teller.say(["capture", 0, "S1", ["C1"]]) == "Tu ludas 1 del Stella: 1 of the Crescent."
        both = "Ann ludat 1 del Stella: 1 of the Crescent e 1 of the Cross."
        assert teller.say(["capture", 1, "S1", ["C1", "X1"]]) == both
        assert teller.say(["discard", 0, "S1"]) == "1 del Stella cade da tu."
        assert teller.say(["dealer", 0]) == "Tu deal first.", "what a language lacks is said in English"
        held = Message("not held", "You do not hold {card}.", {"card": "S1"})
        assert teller.refuse(held) == "Tu no ha 1 del Stella." and held == "You do not hold S1."
        assert teller.coded(held) == "Tu no ha S1."
        claims = [Claim("lay", {"card": "S1"}), Claim("unseen", {"count": 2})]
        assert teller.argue(claims) == "Pone la 1 del Stella: du carte pote prender lo."
