"""Events in plain sentences: one pattern for each kind of entry, or for each clause that an entry cites.

The patterns are in each game's words.py, or in its words/ folder for other languages than English. Their slots are the
fields of the entry by name, and values that the game's `context` finds in what was told before. An entry with a field
that is hidden from the listener uses the pattern with `?`. A pattern whose key ends in `option=value` replaces the one
without it at tables with this option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..engine.catalogue import catalogue, english
from ..engine.game import Game
from ..engine.messages import Message, Speaker
from ..engine.words import Claim, Told, argued, words_of

__all__ = ["Teller"]


def names_of(game: Game, players: int, you: int) -> list[str]:
    """What the seats are called: you, and the game's cast."""
    cast = iter(words_of(game).CAST)
    return ["you" if seat == you else next(cast) for seat in range(players)]


def side_names(names: Sequence[str], sides: int, word: str = "and") -> list[str]:
    """What the sides are called: the names of their seats together."""
    return [f" {word} ".join(names[side::sides]) for side in range(sides)]


class Teller:
    """Says what a seat is told: events, refusals and the reasons of hints, in a language.

    `sides` is the number of sides, 0 where everyone plays alone; without `codes`, cards are said by name only. The
    names of cards are those under the `options`. The listener is called as `names` says, or by the language's own word.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        you: int,
        sides: int = 0,
        codes: bool = True,
        options: Mapping[str, Any] | None = None,
        language: str = "en",
    ) -> None:
        self.game = game
        self.catalogue = catalogue(game, language)
        grammar = self.catalogue.grammar
        self.names = [grammar.you if name == "you" and seat == you else name for seat, name in enumerate(names)]
        self.you = you
        self.sides = side_names(self.names, sides, grammar.conjunctions[0]) if sides else self.names
        self.codes = codes
        self.special = special_keys(game, options or {})
        plain = game.card_names if options is None else game.names_for(options)
        self.card_names = {code: self.catalogue.names.get(name, name) for code, name in plain.items()}
        self.words = words_of(game)
        said = {code: self.card(code) for code in self.card_names}
        spoken = (self.catalogue.words, self.catalogue.forms)
        self.speaker = Speaker(grammar, self.names, self.sides, said, *spoken)

    def card(self, code: str) -> str:
        """A card by its name, with its code unless codes are left out."""
        name = self.card_names[code]
        return f"{name} [{code}]" if self.codes else name

    # events

    def say(self, entry: Sequence[Any]) -> str:
        """A told entry by itself as a sentence, empty where there is nothing to say."""
        return self.say_at([entry], 0)

    def say_at(self, told: Told, at: int) -> str:
        """An entry of all that was told to a seat as a sentence, with what it takes from the entries before it."""
        key, more = event_key(self.game, told, at, self.special)
        entry = told[at]
        named = zip(self.catalogue.fields[entry[0]], entry[1:], strict=True)
        return self.speaker.say(self.catalogue.events[key], {**dict(named), **more})

    # refusals and hints

    def refuse(self, sentence: str) -> str:
        """A message in the language; a plain sentence, or one that the language does not have, stays as it is."""
        if not isinstance(sentence, Message):
            return sentence
        return self.speaker.say(self._pattern(sentence), sentence.values)

    def coded(self, sentence: str) -> str:
        """A message in the language, with cards by code alone."""
        if not isinstance(sentence, Message):
            return sentence
        return replace(self.speaker, cards={}).say(self._pattern(sentence), sentence.values)

    def _pattern(self, message: Message) -> str:
        """The pattern of a message in the language; its own, where its key stands for something else in English."""
        known = english(self.game).says.get(message.key, message.pattern) == message.pattern
        return self.catalogue.says.get(message.key, message.pattern) if known else message.pattern

    def argue(self, claims: Sequence[Claim]) -> str:
        """The reason of a hint."""
        return argued(claims, self.catalogue.claims, self.speaker)


def special_keys(game: Game, options: Mapping[str, Any]) -> dict[str, str]:
    """The keys of the patterns that these options put in the place of others, by the keys of those."""
    endings = [f" {name}={value}" for name, value in options.items()]
    patterns = words_of(game).TEMPLATES
    return {key.removesuffix(each): key for each in reversed(endings) for key in patterns if key.endswith(each)}


def event_key(
    game: Game, told: Told, at: int, special: Mapping[str, str] | None = None
) -> tuple[str, Mapping[str, Any]]:
    """The key of an entry's sentence, and the values that its pattern takes from the entries told before.

    `special` are the keys that stand for others under the options, from `special_keys`.
    """
    key, values = usual_key(game, told, at)
    return (special.get(key, key) if special else key), values


def usual_key(game: Game, told: Told, at: int) -> tuple[str, Mapping[str, Any]]:
    """That key whatever the options are."""
    words, entry = words_of(game), told[at]
    context = words.context(told, at)
    if context.key:
        return context.key, context.values
    kind, patterns = entry[0], words.TEMPLATES
    if None in entry and f"{kind}?" in patterns:
        return f"{kind}?", {}
    for value in reversed(entry[2:]):
        if isinstance(value, str | int) and f"{kind} {value}" in patterns:
            return f"{kind} {value}", {}
    return str(kind), {}
