"""Messages: patterns with named values, and how a language says them."""

from __future__ import annotations

import pickle

import pytest

from parlour import Refusal
from parlour.engine.messages import Grammar, Message, Speaker, names_in, say

PLAIN = Speaker(seats=["you", "Ann", "Tom and Jo"], sides=["you and Ben", "Ann"], cards={"S6": "Six, Star"})
POLISH = Grammar(conjunctions=("i", "lub"), plurals=("n=1", "n%10=2..4 n%100!=12..14"), thousands=" ")


def test_a_message_is_its_english_sentence_with_a_key_and_values() -> None:
    message = say("follow", "Follow while you can: {able:cards list}.", able=["S6", "S7"])
    assert message == "Follow while you can: S6, S7." and isinstance(message, str)
    assert (message.key, message.values) == ("follow", {"able": ["S6", "S7"]})


def test_a_message_survives_pickling() -> None:
    message = Message("none", "You have no {coin:card coin}.", {"coin": "CR"}, {"coin": {"CR": "crown"}})
    again = pickle.loads(pickle.dumps(message))
    assert (again, again.key, again.pattern, again.values) == (message, message.key, message.pattern, message.values)
    assert message == "You have no crown."


def test_a_refusal_takes_a_message_or_any_sentence() -> None:
    message = say("over", "It is over.")
    assert str(Refusal(message, "HER-4")) == "It is over. (HER-4)" and Refusal(message).sentence is message
    assert Refusal("It is over.").sentence == "It is over."


@pytest.mark.parametrize(
    ("pattern", "values", "said"),
    [
        ("{seat} play|plays {card}.", {"seat": 0, "card": "S6"}, "You play Six, Star."),
        ("{seat} play|plays {card}.", {"seat": 1, "card": None}, "Ann plays nothing."),
        ("{seat} play|plays.", {"seat": 2}, "Tom and Jo play."),
        ("{side} score|scores {points}.", {"side": 0, "points": -1}, "You and Ben score −1."),
        ("{seat} is|are|be here.", {"seat": 2}, "Tom and Jo be here."),
        ("{seat|# play on|# plays on}.", {"seat": 1}, "Ann plays on."),
        ("Score: {scores}.", {"scores": [1234, -2]}, "Score: you and Ben 1,234, Ann −2."),
        ("{from:place} pay|pays {to:place}.", {"from": "box", "to": 0}, "Box pays you."),
        ("{count|# card|# cards}", {"count": 1}, "1 card"),
        ("{count|# card|# cards}", {"count": -1}, "−1 card"),
        ("{count:words|# card|# cards}", {"count": 0}, "No cards"),
        ("{count:words|# card|# cards}", {"count": 13}, "13 cards"),
        ("{able:cards}", {"able": ["S6", "A", "B"]}, "Six, Star; A; and B"),
        ("{able:cards and}", {"able": ["S6", "A", "B"]}, "Six, Star, A and B"),
        ("{able:cards any}", {"able": ["A", "B", "C"]}, "A or B or C"),
        ("{able:cards or}", {"able": ["A", "B", "C"]}, "A, B or C"),
        ("{able:cards}", {"able": []}, "Nothing"),
        ("{step}: good.", {"step": "play S6"}, "Play Six, Star: good."),
        ("{name:text} sits here.", {"name": "ann {seat} a|b"}, "ann {seat} a|b sits here."),
        ("", {}, ""),
    ],
)
def test_patterns_are_said(pattern: str, values: dict[str, object], said: str) -> None:
    assert PLAIN.say(pattern, values) == said


@pytest.mark.parametrize(("count", "said"), [(1, "1 karta"), (3, "3 karty"), (12, "12 kart"), (22, "22 karty")])
def test_a_language_has_its_own_plurals(count: int, said: str) -> None:
    assert Speaker(POLISH).say("{count|# karta|# karty|# kart}", {"count": count}) == said


def test_a_language_has_its_own_conjunctions_and_numbers() -> None:
    assert Speaker(POLISH).say("{each}: {sum}", {"each": ["a", "b", "c"], "sum": 12345}) == "A, b i c: 12 345"


def test_the_values_that_a_pattern_names_are_known() -> None:
    assert names_in("{seat} play|plays {card:the} for {count|# point|# points}.") == {"seat", "card", "count"}
