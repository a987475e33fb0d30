"""Fields of a view, declared once: name, kind, meaning, and for whose eyes. Data, observations and docs follow from it.

A kind knows how a value of a view is shown as plain data, how it is written as numbers from 0 to 255 in an observation,
and its type in TypeScript. Seats and sides stand in an observation from the viewer's own on leftwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .bitset import items
from .types import Seat

EVERYONE, OWNER = "everyone", "the seat itself"
ONE, SEATS, SIDES = "one", "seats", "sides"


def _from_own(values: Sequence[Any], seat: int) -> list[Any]:
    """Values by seat or side, from the viewer's own on leftwards (a spectator's from seat 0)."""
    first = max(seat, 0) % len(values)
    return [*values[first:], *values[:first]]


def _byte(value: int) -> int:
    return min(max(value, 0), 255)


def _one_of(index: int, size: int) -> list[int]:
    return [int(at == index) for at in range(size)]


class FieldKind:
    """One kind of value; the methods are given the numbers of players and sides."""

    type = "unknown"  # in TypeScript

    @property
    def name(self) -> str:
        """What the kind is called in data, such as `card set`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.__class__.__name__.removesuffix("Kind")).lower()

    def rows(self, players: int, sides: int) -> int:
        """How many rows of `width` numbers it takes."""
        return 1

    def width(self, players: int, sides: int) -> int:
        """How many numbers there are in a row."""
        return 0

    plain = False  # whether a value is plain data as it stands

    def show(self, value: Any, players: int, sides: int) -> Any:
        """The value as plain data."""
        return value

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        """The value, as shown, in numbers."""
        raise NotImplementedError


class SeatKind(FieldKind):
    """A seat, or −1 for none."""

    plain = True
    type = "number"

    def width(self, players: int, sides: int) -> int:
        return players

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return _one_of((value - max(seat, 0)) % players if value >= 0 else -1, players)


@dataclass(frozen=True)
class Number(FieldKind):
    """A number, or one for each seat or side. `zero` is the number that 0 is written as, so that negative ones fit;
    `none`, where it is given, is a value shown as null."""

    each: str = ONE
    zero: int = 0
    none: int | None = None

    @property
    def type(self) -> str:  # type: ignore[override]
        single = "number" if self.none is None else "number | null"
        return single if self.each == ONE else f"({single})[]" if " " in single else f"{single}[]"

    @property
    def plain(self) -> bool:  # type: ignore[override]
        return self.each == ONE and self.none is None

    def width(self, players: int, sides: int) -> int:
        return players if self.each == SEATS else sides if self.each == SIDES else 1

    def show(self, value: Any, players: int, sides: int) -> Any:
        if self.each == ONE:
            return None if value == self.none else value
        values = value[: players if self.each == SEATS else sides]
        return values if self.none is None else [None if one == self.none else one for one in values]

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        values = [value] if self.each == ONE else _from_own(value, seat)
        return [_byte(self.zero + (self.none or 0 if one is None else one)) for one in values]


class Flag(FieldKind):
    """A truth value."""

    type = "boolean"

    def width(self, players: int, sides: int) -> int:
        return 1

    def show(self, value: Any, players: int, sides: int) -> Any:
        return bool(value)

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return [int(value)]


@dataclass(frozen=True)
class OneOf(FieldKind):
    """One of some names, or none of them: a suit, a stage."""

    names: tuple[str, ...]
    type = "string | null"

    def width(self, players: int, sides: int) -> int:
        return len(self.names)

    def show(self, value: Any, players: int, sides: int) -> Any:
        return self.names[value] if value >= 0 else None

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return _one_of(self.names.index(value) if value is not None else -1, len(self.names))


@dataclass(frozen=True)
class CardKind(FieldKind):
    """A card, or none; with `each` one for every seat. `numbered` writes it as a number from 1 on instead."""

    codes: tuple[str, ...]
    each: str = ONE
    numbered: bool = False

    @property
    def type(self) -> str:  # type: ignore[override]
        return "string | null" if self.each == ONE else "(string | null)[]"

    def rows(self, players: int, sides: int) -> int:
        return 1 if self.each == ONE or self.numbered else players

    def width(self, players: int, sides: int) -> int:
        return players if self.numbered else len(self.codes)

    def show(self, value: Any, players: int, sides: int) -> Any:
        if self.each == ONE:
            return self.codes[value] if value >= 0 else None
        return [self.codes[one] if one >= 0 else None for one in value[:players]]

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        values = [value] if self.each == ONE else _from_own(value, seat)
        at = [-1 if one is None else self.codes.index(one) for one in values]
        return [one + 1 for one in at] if self.numbered else [n for one in at for n in _one_of(one, len(self.codes))]


@dataclass(frozen=True)
class CardSet(FieldKind):
    """A set of cards; with `each` one for every seat."""

    codes: tuple[str, ...]
    each: str = ONE

    @property
    def type(self) -> str:  # type: ignore[override]
        return "string[]" if self.each == ONE else "string[][]"

    def rows(self, players: int, sides: int) -> int:
        return 1 if self.each == ONE else players

    def width(self, players: int, sides: int) -> int:
        return len(self.codes)

    def show(self, value: Any, players: int, sides: int) -> Any:
        if self.each == ONE:
            return [self.codes[card] for card in items(value)]
        return [[self.codes[card] for card in items(one)] for one in value[:players]]

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        sets = [value] if self.each == ONE else _from_own(value, seat)
        return [int(code in one) for one in sets for code in self.codes]


@dataclass(frozen=True)
class Counts(FieldKind):
    """How many cards of each kind, packed into a word of four bits a kind; shown by code, without those of 0."""

    codes: tuple[str, ...]
    type = "Record<string, number>"

    def width(self, players: int, sides: int) -> int:
        return len(self.codes)

    def show(self, value: Any, players: int, sides: int) -> Any:
        counts = {code: (value >> (4 * at)) & 15 for at, code in enumerate(self.codes)}
        return {code: count for code, count in counts.items() if count}

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return [value.get(code, 0) for code in self.codes]


class Plays(FieldKind):
    """Cards as they were played: pairs of a seat and a card's code, in order. Shown only."""

    plain = True
    type = "[number, string][]"


class SeatList(FieldKind):
    """Some seats, ascending. Shown only."""

    plain = True
    type = "number[]"


@dataclass(frozen=True)
class CountsOf(FieldKind):
    """How many cards of each kind, by code."""

    codes: tuple[str, ...]
    plain = True
    type = "Record<string, number>"

    def width(self, players: int, sides: int) -> int:
        return len(self.codes)

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return [value.get(code, 0) for code in self.codes]


@dataclass(frozen=True)
class CountsEach(FieldKind):
    """For each seat how many cards of each kind, by code."""

    codes: tuple[str, ...]
    plain = True
    type = "Record<string, number>[]"

    def rows(self, players: int, sides: int) -> int:
        return players

    def width(self, players: int, sides: int) -> int:
        return len(self.codes)

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return [each.get(code, 0) for each in _from_own(value, seat) for code in self.codes]


@dataclass(frozen=True)
class Holders(FieldKind):
    """For each card the seats that may hold it, from sets of seats by card; in numbers a set of cards for each seat."""

    codes: tuple[str, ...]
    type = "Record<string, number[]>"

    def rows(self, players: int, sides: int) -> int:
        return players

    def width(self, players: int, sides: int) -> int:
        return len(self.codes)

    def write(self, value: Any, seat: Seat, players: int, sides: int) -> list[int]:
        return [int(each in value[code]) for each in _from_own(range(players), seat) for code in self.codes]

    def show(self, value: Any, players: int, sides: int) -> Any:
        seats = {one: items(one) for one in set(value)}
        return {code: seats[one] for code, one in zip(self.codes, value, strict=True)}


@dataclass(frozen=True)
class Field:
    """One field of a view. `source` names the attribute of the view that it is taken from, if not its own name; a field
    that is not `shown` stands in observations alone, and one that is not `encoded` in the data alone. `score` marks the
    field by which seats or sides are compared; `remembered` marks a field that is true only of a view that was told
    everything from the beginning, and `in_turn` one that is blank unless the view's own seat decides."""

    name: str
    kind: FieldKind
    meaning: str
    source: str = ""
    seen_by: str = EVERYONE
    encoded: bool = True
    shown: bool = True
    score: bool = False
    remembered: bool = False
    in_turn: bool = False

    def shape(self, players: int, sides: int) -> tuple[int, int]:
        """Rows, and numbers in a row, of the field in an observation."""
        return self.kind.rows(players, sides), self.kind.width(players, sides)

    def value(self, view: Any) -> Any:
        """The value of the field in a view, as plain data."""
        return self.kind.show(getattr(view, self.source or self.name), view.players, view.sides)

    def data(self) -> dict[str, Any]:
        """The declaration as plain data."""
        return {"name": self.name, "kind": self.kind.name, "meaning": self.meaning, "seen_by": self.seen_by}

    def write(self, view: Any) -> list[int]:
        """The value of the field in a view, in numbers."""
        return self.kind.write(self.value(view), view.seat, view.players, view.sides)


def may_hold(codes: tuple[str, ...]) -> Field:
    """The field of a view that infers where cards may be; it has them in `holders`, a set of seats by card."""
    meaning = "for each card the seats that may hold it"
    return Field("may_hold", Holders(codes), meaning, "holders", OWNER, encoded=False, remembered=True)


def played(codes: tuple[str, ...]) -> Field:
    """The field of a view that remembers who played what; it has that in `played`, a set of cards by seat."""
    meaning = "the cards that each seat has played in this deal"
    return Field("played", CardSet(codes, SEATS), meaning, encoded=False, shown=False, remembered=True)


ALWAYS = (
    Field("seat", SeatKind(), "the seat whose view this is; −1 for a spectator", encoded=False),
    Field("players", Number(), "how many play", encoded=False),
    Field("to_act", SeatKind(), "the seat that decides"),
    Field("over", Flag(), "whether the sitting is over", encoded=False),
)
