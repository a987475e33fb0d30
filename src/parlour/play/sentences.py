"""Events in plain sentences: one template for each kind of entry, or for each clause that an entry cites.

In a template {0}, {1} … stand for the fields of the entry, and `play|plays` is the verb for you or for someone else.
An entry with a field that is hidden from the listener uses the template with `?`. Names in braces stand for values
that the game's `context` finds in what was told before. The templates are in each game's words.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..engine.game import Game
from ..engine.words import Told, words_of
from ..util.english import counted, joined, signed


def names_of(game: Game, players: int, you: int) -> list[str]:
    """What the seats are called: you, and the game's cast."""
    cast = iter(words_of(game).CAST)
    return ["you" if seat == you else next(cast) for seat in range(players)]


def side_names(names: Sequence[str], sides: int) -> list[str]:
    """What the sides are called: the names of their seats together."""
    return [" and ".join(names[side::sides]) for side in range(sides)]


@cache
def conjugated(template: str, plain: bool) -> str:
    """A template with its verbs for you or several players ("score|scores": the first form), or for one other."""
    return re.sub(r"(\w+)\|(\w+)", r"\1" if plain else r"\2", template)


class Teller:
    """Turns the entries told to a seat into sentences.

    `sides` is the number of sides, 0 where everyone plays alone; without `codes`, cards are said by name only. The
    names of cards are those under the `options`.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        you: int,
        sides: int = 0,
        codes: bool = True,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.names = list(names)
        self.you = you
        self.sides = side_names(names, sides) if sides else self.names
        self.codes = codes
        self.card_names = game.card_names if options is None else game.names_for(options)
        self.words = words_of(game)

    def card(self, code: str) -> str:
        """A card by its name, with its code unless codes are left out."""
        name = self.card_names[code]
        return f"{name} [{code}]" if self.codes else name

    def say(self, entry: Sequence[Any]) -> str:
        """A told entry by itself as a sentence, empty where there is nothing to say."""
        return self.say_at([entry], 0)

    def say_at(self, told: Told, at: int) -> str:
        """An entry of all that was told to a seat as a sentence, with what it takes from the entries before it."""
        entry = told[at]
        kind = entry[0]
        context = self.words.context(told, at)
        template = self.words.TEMPLATES[context.key] if context.key else self._template(kind, entry)
        if not template:
            return ""
        values = {name: self._member(type_, value) for name, (type_, value) in context.values.items()}
        types = [field.type for field in self.game.told_fields[self.game.kinds[kind]]]
        said = [self._member(type_, value) for type_, value in zip(types, entry[1:], strict=True)]
        subject = 1 if template.startswith("{1}") else 0
        # "you score", "the Reporter and the Newsboy score", but "the Reporter scores"
        plain = bool(said) and (said[subject] == "you" or " and " in said[subject])
        sentence = conjugated(template, plain).format(*said, **values)
        return sentence[0].upper() + sentence[1:]

    def _template(self, kind: str, entry: Sequence[Any]) -> str:
        templates = self.words.TEMPLATES
        if None in entry and kind + "?" in templates:
            return templates[kind + "?"]
        for value in reversed(entry[2:]):
            if isinstance(value, str | int) and f"{kind} {value}" in templates:
                return templates[f"{kind} {value}"]
        return templates[kind]

    def _member(self, type_: str, value: Any) -> str:
        if value is None:
            return "nothing"
        if type_ == "seat" or (type_ == "place" and isinstance(value, int)):
            return self.names[int(value)]
        if type_ == "side":
            return self.sides[int(value)]
        if type_ == "card":
            return self.card(value)
        if type_ == "cards":
            return joined(self.card(code) for code in value) or "nothing"
        if type_ == "scores":
            return ", ".join(f"{self.sides[side]} {signed(score)}" for side, score in enumerate(value))
        if type_ == "counters":
            return counted(value, "counter")
        if type_ == "points":
            return signed(value)
        return self.words.NAMES.get(value, str(value))
