"""The words of a game: sentences, cast and terminal layout, with defaults for whatever its words.py leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ..sheets.model import SheetError
from ..util.english import signed
from .fields import Holders
from .messages import PERSONS, Speaker, names_in

if TYPE_CHECKING:
    from .game import Game

# How the kinds of entry that most games share are said; other kinds are taken for verbs.
COMMON = {
    "dealer": "{seat} deal|deals first.",
    "deal": "The cards are dealt.",
    "deal?": "The cards are dealt.",
    "hand": "{seat} hold|holds {cards}.",
    "hand?": "",
    "total": "Score: {scores}.",
}
# Fields that say nothing at the table, or that the player lines say.
UNSAID = ("seat", "players", "to_act", "over", "dealer")


class Table(Protocol):
    """The part of the terminal that a game's own layout may use."""

    you: int
    sitting: Any

    @property
    def game(self) -> Game:
        """The game that is played."""

    @property
    def names(self) -> Sequence[str]:
        """What the seats are called."""

    def player_lines(self, cells: Sequence[Sequence[str]], mark: Mapping[int, str]) -> list[str]:
        """One line for each player: the name, then a cell of every column."""


Fields = Mapping[str, Any]  # the fields of a view, by name
Told = Sequence[Sequence[Any]]  # entries as they were told to a seat


@dataclass(frozen=True)
class Context:
    """What a sentence takes from the entries told before: the key of its template, and further named values."""

    key: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A part of a reason: a key into a game's `CLAIMS`, and the values that its template names."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reason:
    """Why a hint names a step: first what to do, then what speaks for it; with the clause behind the first of that."""

    clause: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Words:
    """How a game is spoken of. A game's words.py gives any of these by the same names."""

    TEMPLATES: Mapping[str, str]  # sentences by kind of entry, "kind value" or "kind?" (partly hidden)
    CAST: tuple[str, ...]  # names of the other players, in the order of the seats
    NAMES: Mapping[str, str]  # what short words other than card codes stand for, such as suits
    STEP_MEANINGS: Mapping[str, str]  # what the steps do, by their first word
    FORMS: Mapping[str, Mapping[str, str]]  # forms of the names of cards, by code or for all under "", # for the name
    UNITS: Mapping[str, str]  # what is counted by a clause that gives something other than points
    CLOSING: str  # said when a sitting is over
    table_lines: Callable[[Table, Fields], list[str]]  # the table as the terminal shows it
    prompt: Callable[[Table], str]  # said behind "Your turn"
    CLAIMS: Mapping[str, str]  # what the claims of a reason say, by key
    # why a hint names a step, from the fields of the view with `options` and `legal` (the names of the legal steps)
    reason: Callable[[Fields, str, Game], Reason | None]
    context: Callable[[Told, int], Context]  # what the sentence of entry `at` takes from those told before it


@cache
def words_of(game: Game) -> Words:
    """The words of a game: those of its words.py, and plain ones for the rest; SheetError where they do not fit."""
    module = game.part("words")
    told = {
        entry.kind: list(zip(entry.names(), (field.type for field in fields), strict=True))
        for entry, fields in zip(game.entries, game.told_fields, strict=True)
    }
    words: dict[str, Any] = {
        "TEMPLATES": plain_templates(told),
        "CAST": tuple(f"Player {number}" for number in range(1, max(game.sheet.players) + 1)),
        "NAMES": {},
        "STEP_MEANINGS": {},
        "FORMS": {"the": {"": "the #"}},
        "UNITS": {},
        "CLOSING": "",
        "table_lines": plain_table,
        "prompt": lambda table: "",
        "CLAIMS": {},
        "reason": lambda fields, step, game: None,
        "context": lambda told, at: Context(),
    }
    found = Words(**{name: getattr(module, name, default) for name, default in words.items()})
    for key, pattern in (*found.TEMPLATES.items(), *found.CLAIMS.items()):
        if key in found.CLAIMS or hasattr(module, "context"):  # what values there will be is not known
            unknown = {name for name in names_in(pattern) if name.isdecimal()}
        else:
            kind = key.partition(" ")[0].removesuffix("?")
            unknown = names_in(pattern) - {name for name, _ in told.get(kind, ())}
        if unknown:  # better now than after a move that cannot be told
            named = ", ".join(f"{{{name}}}" for name in sorted(unknown))
            raise SheetError(f"{game.package}.words: the sentence for “{key}” has {named}; slots are fields by name.")
    return found


# --- reasons ---------------------------------------------------------------------------------------------------------


def said(game: Game, reason: Reason) -> str:
    """A reason as one English sentence, with cards by code: “Take the C6 with your S6: two cards, and …”"""
    words = words_of(game)
    return argued(reason.claims, words.CLAIMS, Speaker(words=words.NAMES, forms=words.FORMS))


def argued(claims: Sequence[Claim], patterns: Mapping[str, str], speaker: Speaker) -> str:
    """The claims of a reason as one sentence."""
    first, *points = [speaker.fill(patterns[claim.key], claim.values) for claim in claims]
    because, also, stop = speaker.grammar.reason
    sentence = first + (because + also.join(points) if points else "") + stop
    return sentence[0].upper() + sentence[1:]


@cache
def _codes(game: Game) -> re.Pattern[str]:
    """Finds the codes of a game's cards where they stand as words of their own."""
    longest_first = sorted(map(re.escape, game.codes), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])")


def with_cards(game: Game, sentence: str, say: Callable[[str], str]) -> str:
    """A sentence in which every code of a card is replaced by what `say` makes of it."""
    return _codes(game).sub(lambda found: say(found[0]), sentence)


# --- plain sentences --------------------------------------------------------------------------------------------------


def plain_templates(told: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, str]:
    """A sentence for every kind of entry, from the kind and the names and types of its fields."""
    templates: dict[str, str] = {}
    for kind, fields in told.items():
        templates[kind] = _sentence(kind, fields, hidden=False)
        templates[f"{kind}?"] = _sentence(kind, fields, hidden=True)
    return templates | {key: said for key, said in COMMON.items() if key.removesuffix("?") in told}


def _sentence(kind: str, fields: Sequence[tuple[str, str]], hidden: bool) -> str:
    """“Anna plays Three of Clubs.”, or “Void: Three of Clubs.” where nobody does it."""
    said = [_object(at, name, type_, hidden) for at, (name, type_) in enumerate(fields) if type_ != "clause"]
    if fields and fields[0][1] in ("seat", "side"):
        words = [f"{said[0]} {kind}|{third_person(kind)}", *said[1:]]
        # the card comes before the other player: "Anna draws a card with Ben"
        words.sort(key=lambda word: word.startswith("with "))
        return " ".join(words) + "."
    title = kind[0].upper() + kind[1:]
    return f"{title}: {', '.join(said)}." if said else f"{title}."


def _object(at: int, name: str, type_: str, hidden: bool) -> str:
    if hidden and type_ in ("card", "cards"):
        return "a card" if type_ == "card" else "cards"
    if type_ == "counters":
        return f"{{{name}|# counter|# counters}}"
    slot = f"{{{name}}}" if name == type_ else f"{{{name}:{type_}}}"
    return f"with {slot}" if at and type_ in PERSONS else slot


def third_person(verb: str) -> str:
    """The form of a verb after he, she or it: plays, passes, carries."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


# --- a plain table ----------------------------------------------------------------------------------------------------


def plain_table(table: Table, fields: Fields) -> list[str]:
    """A line for each player with the numbers of that seat, then a line for each other field of the view."""
    seats = len(table.names)
    by_seat = {name: value for name, value in fields.items() if _is_by_seat(value, seats)}
    cells = [[f"{_titled(name).lower()} {signed(number)}" for number in column] for name, column in by_seat.items()]
    lines = table.player_lines(cells, {fields["dealer"]: "deals"} if "dealer" in fields else {})
    too_long = {field.name for field in table.game.fields if isinstance(field.kind, Holders)}
    for name, value in fields.items():
        if name not in {*UNSAID, *by_seat, *too_long} and value not in (None, [], {}):
            lines.append(f"{_titled(name)}: {_said(value)}")
    return lines


def _is_by_seat(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(number) is int for number in value)


def _titled(name: str) -> str:
    return name[0].upper() + name[1:].replace("_", " ")


def _said(value: object) -> str:
    if isinstance(value, dict):
        return " · ".join(f"{key} {_said(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_said(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def by_suit(codes: Iterable[str], suits: Mapping[str, str], odd: Sequence[str] = ()) -> str:
    """A hand sorted by suit, which is the first letter of a card's code; `odd` cards have none."""
    held = list(codes)
    parts = []
    for suit, name in suits.items():
        of_suit = [code for code in held if code.startswith(suit) and code not in odd]
        if of_suit:
            parts.append(f"{name} {' '.join(of_suit)}")
    left = [code for code in held if code in odd]
    return " · ".join(parts + ([f"odd {' '.join(left)}"] if left else [])) or "empty"
