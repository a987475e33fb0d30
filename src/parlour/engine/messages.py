"""Messages: a key, an English pattern and named values, from which a sentence is made in any language.

A pattern is a sentence with slots. The page words the same patterns by the same rules (web/src/lib/wording.ts).

    {seat}                  a value; its name is its type where there is a type of that name
    {other:seat}            a value of another name, with its type
    {able:cards or}         a list: `and` (a, b and c), `or` (a, b or c), `any` (a or b or c), `list` (a, b, c); without
                            any of these like `and`, but semicolons keep items apart that have commas
    {taken:cards the}       any other word is a form in which cards are named, such as one with an article
    {count|# card|# cards}  one form for each plural of the language; # is the number
    {count:words|# card|…}  the same, with small numbers in words
    {seat|# play|# plays}   one form for you, for one other, and for several, who take the first if there is no third
    play|plays              the same for the seat or side that the pattern names first, for single words

The types: `seat` and `side` by number, `place` (a seat or a word), `card`, `cards`, `step` (its name, with cards by
code), `scores` by side, `text` (said as it is), `number`, and `word`, which the language may name. Any other value is
a number or a word, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

TYPES = {"seat", "side", "place", "card", "cards", "step", "scores", "text", "number", "word"}
PERSONS = {"seat", "side", "place"}
STYLES = {"and", "or", "any", "list"}
IN_WORDS = "words"
LETTERS = r"[^\s{}|.,;:!?“”()…–—]+"  # a word in any script, with marks that are characters of their own
SLOT = re.compile(rf"\{{([^{{}}|:]*)(?::([^{{}}|]*))?((?:\|[^{{}}|]*)*)\}}|({LETTERS}(?:\|{LETTERS})+)")
TEST = re.compile(r"n(?:%(\d+))?(!?=)(\S+)")


class Slot(NamedTuple):
    """A part of a pattern: text, or a slot for a value."""

    text: str  # where there is no name
    name: str = ""
    type: str = ""
    form: str = ""
    style: str = ""
    in_words: bool = False
    forms: tuple[str, ...] = ()


@cache
def parsed(pattern: str) -> tuple[Slot, ...]:
    """The parts of a pattern."""
    parts, at = [], 0
    for found in SLOT.finditer(pattern):
        parts.append(Slot(pattern[at : found.start()]))
        at = found.end()
        name, spec, forms, verbs = found.groups()
        if verbs:
            parts.append(Slot("", forms=tuple(verbs.split("|"))))
            continue
        words = (spec or "").split()
        type_ = next((word for word in words if word in TYPES), name if name in TYPES else "")
        style = next((word for word in words if word in STYLES), "")
        rest = [word for word in words if word not in TYPES | STYLES | {IN_WORDS}]
        parts.append(Slot("", name, type_, "".join(rest), style, IN_WORDS in words, tuple(forms.split("|")[1:])))
    return tuple(part for part in (*parts, Slot(pattern[at:])) if part.text or part.name or part.forms)


@cache
def subject_of(pattern: str) -> Slot | None:
    """The seat or side that a pattern names first."""
    return next((part for part in parsed(pattern) if part.type in PERSONS), None)


def names_in(pattern: str) -> set[str]:
    """The values that a pattern names."""
    return {part.name for part in parsed(pattern) if part.name}


@dataclass(frozen=True)
class Grammar:
    """How a language writes numbers and lists. A file of words gives any of these by the same names."""

    you: str = "you"
    nothing: str = "nothing"
    conjunctions: tuple[str, str] = ("and", "or")
    thousands: str = ","
    numbers: tuple[str, ...] = (
        *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    )
    # a test for each plural but the last, after CLDR: “n%10=2..4 n%100!=12..14”; n is without its sign
    plurals: tuple[str, ...] = ("n=1",)
    reason: tuple[str, str, str] = (": ", ", and ", ".")  # after what to do, between what speaks for it, at the end

    def plural(self, number: int) -> int:
        """Which plural a number takes."""
        tests = enumerate(self.plurals)
        return next((at for at, each in tests if all(holds(abs(number), *one) for one in TEST.findall(each))), -1)

    def number(self, number: int, in_words: bool = False) -> str:
        """A number with a real minus sign, or in words."""
        if in_words and 0 <= number < len(self.numbers):
            return self.numbers[number]
        return f"{number:,}".replace(",", self.thousands).replace("-", "−")

    def joined(self, items: Sequence[str], style: str) -> str:
        """Items in a row, as the style of their slot asks for it."""
        word = self.conjunctions[style in ("or", "any")]
        if style in ("any", "list") or len(items) < 2:
            return (f" {word} " if style == "any" else ", ").join(items)
        if not style and len(items) > 2 and any(", " in item for item in items):
            return f"{'; '.join(items[:-1])}; {word} {items[-1]}"
        return f"{', '.join(items[:-1])} {word} {items[-1]}"


def holds(number: int, modulus: str, relation: str, ranges: str) -> bool:
    """Whether a number passes one test of a plural."""
    left = number % int(modulus) if modulus else number
    bounds = [each.partition("..") for each in ranges.split(",")]
    return any(int(low) <= left <= int(high or low) for low, _, high in bounds) == (relation == "=")


ENGLISH = Grammar()


@dataclass(frozen=True)
class Speaker:
    """Says patterns: in a language, with the names of seats, sides, cards and words. Without names, codes are said."""

    grammar: Grammar = ENGLISH
    seats: Sequence[str] = ()
    sides: Sequence[str] = ()
    cards: Mapping[str, str] = field(default_factory=dict)  # what each card is called, by code
    words: Mapping[str, str] = field(default_factory=dict)
    # forms of the names of cards: by code, or for all others under "", with # for the name
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def say(self, pattern: str, values: Mapping[str, Any]) -> str:
        """A whole sentence; it begins with a capital letter, unless a person's own word stands first."""
        said = self.fill(pattern, values)
        own = said and parsed(pattern)[0].type == "text"
        return said if own else said[:1].upper() + said[1:]

    def fill(self, pattern: str, values: Mapping[str, Any]) -> str:
        """A pattern with its values."""
        said = []
        for part in parsed(pattern):
            if part.text:
                said.append(part.text)
            elif part.name:
                value = values[part.name]
                said.append(self._formed(part, value) if part.forms else self.value(part, value))
            else:
                subject = subject_of(pattern)
                said.append(self._verb(part.forms, self.value(subject, values[subject.name]) if subject else ""))
        return "".join(said)

    def value(self, part: Slot, value: Any) -> str:
        """A value as its slot asks for it."""
        if value is None:
            return self.grammar.nothing
        if part.type in PERSONS and isinstance(value, int):
            names = self.sides if part.type == "side" else self.seats
            return names[value] if names else str(value)
        if part.type == "text":
            return str(value)
        if part.type == "scores":
            scores = (f"{self._nth(self.sides, side)} {self.grammar.number(each)}" for side, each in enumerate(value))
            return ", ".join(scores)
        if isinstance(value, list | tuple):
            items = [self.value(part, item) for item in value]
            return self.grammar.joined(items, part.style) if items else self.grammar.nothing
        if isinstance(value, int):
            return self.grammar.number(value, part.in_words)
        if part.type in ("card", "cards"):
            return self._card(str(value), part.form)
        if part.type == "step":
            return " ".join(self.cards.get(word) or self.words.get(word, word) for word in str(value).split(" "))
        return self.words.get(str(value), str(value))

    def _nth(self, names: Sequence[str], number: int) -> str:
        return names[number] if names else str(number)

    def _card(self, code: str, form: str) -> str:
        name = self.cards.get(code, code)
        forms = self.forms.get(form, {})
        return forms.get(code, forms.get("", "#")).replace("#", name)

    def _formed(self, part: Slot, value: Any) -> str:
        """The form of a slot for a number or a person, with what it is about in place of #."""
        if part.type in PERSONS:
            name = self.value(part, value)
            return self._verb(part.forms, name).replace("#", name)
        number = len(value) if isinstance(value, list | tuple) else int(value)
        form = part.forms[min(self.grammar.plural(number) % (len(self.grammar.plurals) + 1), len(part.forms) - 1)]
        return form.replace("#", self.grammar.number(number, part.in_words))

    def _verb(self, forms: Sequence[str], name: str) -> str:
        """“You score”, “the Reporter and the Newsboy score”, but “the Reporter scores”."""
        if name == self.grammar.you:
            return forms[0]
        several = f" {self.grammar.conjunctions[0]} " in name
        return (forms[2] if len(forms) > 2 else forms[0]) if several else forms[1]


class Message(str):
    """A sentence in English that also has a key and named values, so that it can be said in another language.

    Cards are said by their codes; `forms` are the English forms of their names that its pattern uses.
    """

    key: str
    pattern: str
    values: dict[str, Any]

    def __new__(
        cls, key: str, pattern: str, values: Mapping[str, Any], forms: Mapping[str, Mapping[str, str]] | None = None
    ) -> Message:
        made = super().__new__(cls, Speaker(forms=forms or {}).say(pattern, values))
        made.key, made.pattern, made.values = key, pattern, dict(values)
        made._forms = forms
        return made

    _forms: Mapping[str, Mapping[str, str]] | None

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.key, self.pattern, self.values, self._forms


def say(key: str, pattern: str, /, **values: Any) -> Message:
    """A message. `tools/words.py` finds every call, so that key and pattern stand in it as they are."""
    return Message(key, pattern, values)
