"""Rule sheets as data: clauses, readings and options."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as short
from typing import Any, TypeAlias

from ..util.english import joined, signed

__all__ = ["Clause", "Option", "OptionError", "Sheet", "SheetError", "Value"]

HERE = Path(__file__).parent

Setting: TypeAlias = int | str

# How much skill decides, by how often the bot `expert` wins against rules of thumb (docs/strength): at least 80 %, at
# least 60 %, less; in the last nothing is decided at all.
SKILLS = ("mostly skill", "skill and luck", "mostly luck", "pure luck")


class SheetError(ValueError):
    """There is no such game, clause or option; the message is one whole sentence."""


class OptionError(SheetError):
    """The sheet does not allow this option or this number of players."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of a sheet in our own words.

    `state`, `reading` and `source` are for games without an edition; otherwise `edition_of` has them, and more.
    """

    id: str
    title: str
    rule: str
    number: int
    state: str = "clear"
    reading: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """One named value of an option, and the numbers of players that may choose it."""

    name: Setting
    means: str
    players: tuple[int, ...]
    label: str = ""  # a few words for people, where the name is for machines
    since: int = 1  # the rules version that it came with


@dataclass(frozen=True, slots=True)
class Option:
    """A choice left to the players: one of `values` or, where there are none, a number from `low` to `high`.

    An option with `size` sets the length or the stakes of a sitting, not how the sheet is read. `table_max` is the
    largest number at a served table (0: no limit of its own). `needs` lists the values that other options must have
    for this one to change anything. One with `offered` is asked first, beside the game's name: it is a choice that
    people make more often than not. One that is not `doubtful` leaves a choice to the table, such as what becomes of
    mistakes, and is no doubt about words. `label` names it for people.

    An option may have come with a later rules version (`since`): sittings of earlier ones are played with the value
    `before`; a number of 0 there means without it. Where only the default was another one, `earlier` has it for the
    last version with that default.
    """

    name: str
    clause: str
    default: Setting
    changes: str
    values: tuple[Value, ...]
    low: int
    high: int
    size: bool
    table_max: int
    needs: tuple[tuple[str, Setting], ...]
    label: str = ""
    offered: bool = False
    doubtful: bool = True
    since: int = 1
    before: Setting = ""
    earlier: tuple[tuple[int, Setting], ...] = ()

    def default_for(self, players: int, rules: int | None = None) -> Setting:
        """The default value, now or in a rules version; "3 players" stands for three times the number of players."""
        default = self.default
        if rules is not None:
            default = next((value for last, value in self.earlier if rules <= last), default)
        if isinstance(default, str) and not self.values:
            return int(default.removesuffix("players") or 1) * players
        return default

    @property
    def called(self) -> str:
        """What people call it: its label, or its name where it has none."""
        return self.label or self.name

    def call(self, setting: Setting) -> str:
        """What people call a value: its label, or as it is."""
        found = next((value.label for value in self.values if value.name == setting), "")
        return found or (f"{setting:,}" if isinstance(setting, int) else setting)

    def matters(self, options: Mapping[str, object]) -> bool:
        """Whether this changes anything beside some other options."""
        return all(options[name] == value for name, value in self.needs)

    @property
    def usual(self) -> str:
        """The default in words."""
        if isinstance(self.default, str) and not self.values:
            times = self.default.removesuffix("players").strip()
            return f"{times} times as many as players" if times else "as many as players"
        return str(self.default)

    def parse(self, text: str) -> Setting:
        """The value that a text on the command line stands for; `check` decides whether it is allowed."""
        for value in self.values:
            if text == str(value.name):
                return value.name
        try:
            return text if self.values else int(text)
        except ValueError:
            return text

    def check(self, value: object, players: int, rules: int | None = None) -> Setting:
        """Return the value if it is allowed with this number of players (in a rules version: the newest)."""
        if not self.values:
            if type(value) is int and self.low <= value <= self.high:
                return value
            raise OptionError(
                f"{self.name} must be a whole number from {self.low} to {self.high},"
                f" not {short(value)} ({self.clause})."
            )
        for known in self.values:
            # True == 1 and 1.0 == 1, but neither is the number one.
            if type(value) is type(known.name) and value == known.name:
                if rules is not None and rules < known.since:
                    raise OptionError(_later(f"{self.name}: {known.name}", self.clause, known.since, rules))
                if players in known.players:
                    return known.name
                raise OptionError(
                    f"{self.name}: {known.name} is for {_numbers(known.players)} players,"
                    f" not {players} ({self.clause})."
                )
        names = joined((known.name for known in self.values), "or")
        raise OptionError(f"{self.name} must be {names}, not {short(value)} ({self.clause}).")


@dataclass(frozen=True, slots=True)
class Score:
    """One way to score: the points, a number or words, and what they are for.

    Names of options in braces stand for their values. `when` lists the options that it depends on, each with the values
    under which it counts. `cards` are the ranks that it is about, as they stand on the cards: a key of the pack.
    """

    points: int | str
    what: str
    clause: str
    when: tuple[tuple[str, tuple[Setting, ...]], ...]
    cards: str = ""

    def counts(self, options: Mapping[str, object]) -> bool:
        """Whether this scores under some options."""
        return all(options[name] in values for name, values in self.when)


@dataclass(frozen=True, slots=True)
class Scored:
    """One way to score at a table: "−3", what it is for, the clause, and the ranks of the cards that do it, if any."""

    points: str
    what: str
    clause: str
    cards: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """The imprint of a sheet as libraries write it (Family, Given; 1865-09), empty where the sheet is silent."""

    author: str = ""
    publisher: str = ""
    place: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One game's sheet."""

    game: str
    title: str
    summary: str
    goal: str
    turn: str
    rules: int
    players: tuple[int, ...]
    usual: int
    cards: int
    clauses: tuple[Clause, ...]
    options: tuple[Option, ...]
    maker: str = ""  # of a game without an edition, as is `printed`; otherwise the edition has them
    printed: Printed = Printed()
    players_clause: str = ""  # the clause that sets the number of players
    scores: tuple[Score, ...] = ()
    unit: str = "points"  # what is scored
    order: str = ""  # which cards are high
    ends: str = ""  # how a sitting ends
    like: str = ""  # what it is like, in a line, with a game that people know
    minutes: int = 0  # how long a usual game takes a person (bench/minutes.py); 0 where nobody has measured it
    skill: str = ""  # one of SKILLS: how much is decided by skill
    retired: tuple[tuple[str, str], ...] = ()  # clauses that are no more, each with the one that has its matter now
    folder: Path | None = field(default=None, compare=False)  # where its other files are, such as edition.toml
    # by players and rules version: the usual value of every option
    _usual: dict[tuple[int, int], dict[str, Setting]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def clause(self, id: str) -> Clause:
        """The clause with this id in either case, or with this bare number, such as "8a".

        For a retired clause it is the one that has its matter now: an address of a clause leads somewhere for ever.
        """
        first, last = self.clauses[0].id, self.clauses[-1].id
        prefix = first.removesuffix("1")
        wanted = id.strip().casefold()
        for old, now in self.retired:
            if wanted in (old.casefold(), old.removeprefix(prefix).casefold()):
                wanted = now.casefold()
        for clause in self.clauses:
            if wanted in (clause.id.casefold(), clause.id.removeprefix(prefix)):
                return clause
        raise SheetError(
            f"{self.title} has no clause {short(id)}; its clauses are {first} to {last},"
            f" or {first.removeprefix(prefix)} to {last.removeprefix(prefix)} for short."
        )

    def numbers(self, *ids: str) -> tuple[int, ...]:
        """The numbers of these clauses."""
        return tuple(self.clause(id).number for id in ids)

    def option(self, name: str) -> Option:
        """The option of that name."""
        for option in self.options:
            if option.name == name:
                return option
        known = f"its options are {_named(self.options)}" if self.options else "it has none"
        raise OptionError(f"{self.title} has no option {short(name)}; {known}.")

    def what_scores(self, options: Mapping[str, Setting]) -> list[Scored]:
        """What scores under some options, in the sheet's order."""

        def said(text: int | str) -> str:
            return signed(text) if isinstance(text, int) else text.format_map(options)

        return [
            Scored(said(row.points), said(row.what), row.clause, row.cards)
            for row in self.scores
            if row.counts(options)
        ]

    def check_players(self, players: object) -> int:
        """Return the number of players if that many can play."""
        if type(players) is int and players in self.players:
            return players
        clause = f" ({self.players_clause})" if self.players_clause else ""
        raise OptionError(f"{self.title} is for {_numbers(self.players)} players, not {short(players)}{clause}.")

    # Whoever plays has a value for every option, in any rules version; only what is stored leaves out later ones.

    def check_rules(self, rules: object) -> int:
        """Return the rules version if it is known."""
        if type(rules) is int and 1 <= rules <= self.rules:
            return rules
        known = f"versions 1 to {self.rules}" if self.rules > 1 else "version 1"
        raise OptionError(f"{self.title} has rules {known}, not {short(rules)}.")

    def options_for(self, players: int, given: Mapping[str, object], rules: int | None = None) -> dict[str, Setting]:
        """Every option in the sheet's order, with the given value or the default, by a rules version (the newest)."""
        rules = self.rules if rules is None else self.check_rules(rules)
        self.check_players(players)
        usual = self._usual.get((players, rules))
        if usual is None:
            named = [option for option in self.options if option.since <= rules]
            defaults = {option.name: option.default_for(players, rules) for option in named}
            usual = self._usual[players, rules] = self.check_options(players, defaults, rules)
        if not given:
            return usual.copy()
        own = {option.name: usual[option.name] for option in self.options if option.since <= rules}
        return self.check_options(players, {**own, **given}, rules)

    def check_options(self, players: int, given: Mapping[str, object], rules: int | None = None) -> dict[str, Setting]:
        """Every option in the sheet's order; those of the version must be given: a record leaves none to a default."""
        rules = self.rules if rules is None else self.check_rules(rules)
        self.check_players(players)
        for name in given:
            option = self.option(name)
            if rules < option.since:
                raise OptionError(_later(name, option.clause, option.since, rules))
        if missing := [option for option in self.options if option.since <= rules and option.name not in given]:
            raise OptionError(f"{self.title} also needs a value for {_named(missing)}.")
        return {
            option.name: option.check(given[option.name], players, rules) if option.since <= rules else option.before
            for option in self.options
        }

    def recorded(self, options: Mapping[str, Setting], rules: int) -> dict[str, Setting]:
        """The options as a record of a rules version has them: without those that came later."""
        return {option.name: options[option.name] for option in self.options if option.since <= rules}


def read_sheet(beside: str) -> Sheet:
    """Read a game's sheet: `sheet.toml` beside this file of its folder."""
    entry = tomllib.loads(Path(beside).with_name("sheet.toml").read_text("utf-8"))
    players = tuple(entry.pop("players"))
    clauses = tuple(
        Clause(source=clause.pop("from", ""), number=number, **clause)
        for number, clause in enumerate(entry.pop("clause"))
    )
    options = tuple(_option(option, players) for option in entry.pop("option", ()))
    scores = tuple(_score(score) for score in entry.pop("score", ()))
    printed = Printed(**entry.pop("printed", {}))
    retired = tuple(entry.pop("retired", {}).items())
    parts: dict[str, Any] = {"clauses": clauses, "options": options, "scores": scores, "retired": retired}
    return Sheet(printed=printed, players=players, folder=Path(beside).parent, **parts, **entry)


def _score(entry: dict[str, Any]) -> Score:
    depends = entry.pop("when", {}).items()
    when = tuple((name, tuple(values if isinstance(values, list) else [values])) for name, values in depends)
    return Score(what=entry.pop("for"), when=when, **entry)


def _option(entry: dict[str, Any], players: tuple[int, ...]) -> Option:
    values = tuple(
        Value(**{**value, "players": tuple(value.get("players", players))}) for value in entry.pop("value", ())
    )
    low, high = entry.pop("min", 0), entry.pop("max", 0)
    size, table_max = entry.pop("size", False), entry.pop("table_max", 0)
    needs = tuple(entry.pop("needs", {}).items())
    earlier = tuple(sorted((int(last), value) for last, value in entry.pop("earlier", {}).items()))
    given: dict[str, Any] = {"values": values, "low": low, "high": high, "size": size, "table_max": table_max}
    return Option(needs=needs, earlier=earlier, **given, **entry)


def _later(what: str, clause: str, since: int, rules: int) -> str:
    return f"{what} came with rules version {since}, and this is version {rules} ({clause})."


def _named(options: Iterable[Option]) -> str:
    return joined(f"{option.name} ({option.clause})" for option in options)


def _numbers(numbers: tuple[int, ...]) -> str:
    low, high = numbers[0], numbers[-1]
    if high - low >= 2 and len(numbers) == high - low + 1:
        return f"{low} to {high}"
    return joined(numbers, "or")
