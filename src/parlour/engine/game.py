"""A game as the rest of the package uses it: its sheet, pack, steps, entries and the parts of its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ..sheets.model import Sheet
from .bitset import UNTOLD
from .core import Chance, State
from .errors import Refusal
from .fields import ALWAYS
from .messages import say
from .types import MOST_ITEMS, Card, Seat, Step
from .view import SECRETS, View

__all__ = ["Entry", "Field", "Game"]

CHANCE, DECISION, CONSEQUENCE, TOLD = "chance", "decision", "consequence", "told"
MANY = ("cards", "scores")
MOST_ENTRIES = 100_000  # of a sitting of a game that does not say how long it can be
LEVELS = ("novice", "steady", "expert")  # that people are usually offered


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of entry. `fields` names what stands in it, in order, each by its type and marks. A second field of a
    type has a name before it (`from:seat`), by which sentences tell the two apart.

    The types: `seat`, `side`, `card`, `clause`, `points` and `counters`; many `cards`, and `scores` by side; `place`, a
    seat or one of the game's words for something else (`box`). Any other is a number that is the game's own (`bid`),
    or a word from its `spellings` (`suit`).

    The marks: `?` told to the parties only · `!` this seat is a party · `+` told, but not written in the record ·
    `~` neither told nor written: it only names a party. A field of many (`cards`, `scores`) may stand once.
    `clause` is the clause behind it, if the entry itself carries none. `gives` is 1 for an entry that gives its seat or
    side points, counters or cards, and −1 for one that takes them: hints count these.
    """

    kind: str
    nature: str
    fields: str
    clause: str = ""
    unordered: bool = False
    gives: int = 0

    def parsed(self) -> list[tuple[str, str]]:
        """The fields as pairs of type and marks."""
        return [(type_, marks) for _, type_, marks in self._named()]

    def names(self) -> list[str]:
        """What the fields that are told are called in sentences: by their types, where they have no other name."""
        return [name for name, _, marks in self._named() if "~" not in marks]

    def _named(self) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = []
        for field in self.fields.split():
            name, _, type_ = field.strip("?!+~").rpartition(":")
            same = sum(type_ == each for _, each, _ in found)
            usual = type_ if same == 0 else f"other{same if same > 1 else ''}"
            found.append((name or usual, type_, field.replace(f"{name}:", "", 1) if name else field))
        return found


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an entry, laid out for reading and writing rows."""

    name: str  # in sentences
    type: str
    slot: int  # 0–3 a value, 4 the items
    marks: str


def lay_out(entry: Entry) -> list[Field]:
    """The fields of an entry with their places in a row."""
    fields, slot = [], 0
    for name, type_, marks in entry._named():
        many = type_ in MANY
        fields.append(Field(name, type_, 4 if many else slot, marks))
        slot += not many
    return fields


def places(fields: Sequence[Field], mark: str) -> int:
    """The places of the fields that bear a mark, as a set."""
    return sum(1 << field.slot for field in fields if mark in field.marks)


class Game:
    """One game; the registry holds one object for each.

    sheet      its rule sheet: clauses, readings, options
    state      the class of its states: the rules
    view       the class of its views: what a seat sees, remembers, infers; its declared fields
    cards      every card's code and name, in the order of the numbers by which the engine knows them
    steps      the names of its steps, in the order of their numbers
    entries    its kinds of entry, in the order of their numbers
    spellings  the words that a record writes for the numbers of a field type, such as suits
    package    the package of its folder, in which further parts are found by name: `words`, `faces`, `research`,
               `lesson.json`. A game without them gets plain ones.
    accent     its colour on light and on dark ground
    levels     the bots that people are offered as opponents, from the weakest to the strongest, each clearly better
               than the one before; without them the three usual ones, or the usual bot alone if it is none of these
    usual_bot  the one of them that a person is given unless they choose
    values     what each card counts, by code, where the rules add cards up
    ranks      how high each card is among those that one trick can hold, by code, where the page marks the highest
    scoring    the cards that score, by clause, as the options say; for a count at the end of a deal
    named      the cards that the options give other names than `cards` does
    drawn_by   the options by which the faces of the cards differ
    longest    the most entries that a sitting of so many players can need under some options; a table ends there
    """

    def __init__(
        self,
        sheet: Sheet,
        state: type[State],
        view: type[View],
        cards: Sequence[tuple[str, str]],
        steps: Sequence[str],
        entries: Sequence[Entry],
        spellings: Mapping[str, Sequence[Any]] | None = None,
        *,
        package: str = "",
        accent: tuple[str, str] = ("#1f3b63", "#93bdf0"),
        levels: Sequence[str] | None = None,
        usual_bot: str = "steady",
        values: Mapping[str, int] | None = None,
        ranks: Mapping[str, int] | None = None,
        scoring: Callable[[Mapping[str, Any]], dict[str, list[str]]] | None = None,
        named: Callable[[Mapping[str, Any]], dict[str, str]] | None = None,
        drawn_by: Sequence[str] = (),
        longest: Callable[[int, Mapping[str, Any]], int] | None = None,
    ) -> None:
        self.sheet = sheet
        self.name = sheet.game
        self.title = sheet.title
        self.rules = sheet.rules
        self.state_type = state
        self.view_type = view
        self.fields = (*ALWAYS, *view.FIELDS)
        self.codes = [code for code, _ in cards]
        self.step_names = list(steps)
        self.steps = len(steps)
        self.entries = list(entries)
        self.spellings = dict(spellings or {})
        self.package = package
        self.accent = accent
        if levels is None:
            levels = LEVELS if usual_bot in LEVELS else (usual_bot,)  # nothing decided: one is as good as another
        self.levels = tuple(levels)
        self.usual_bot = usual_bot
        if usual_bot not in self.levels:
            raise ValueError(f"The usual bot of {self.title} must be one of its levels, not {usual_bot!r:.40}.")
        self.values = dict(values or {})
        self.ranks = dict(ranks or {})
        self.drawn_by = tuple(drawn_by)
        self._scoring = scoring
        self._plain_names = dict(cards)
        self._named = named
        self.card_names = self.names_for(self.options_for(sheet.usual))  # under the usual options
        self._longest = longest
        self.kinds = {entry.kind: number for number, entry in enumerate(entries)}
        self._clauses = {clause.id for clause in sheet.clauses}
        self._clause_numbers = {clause.id: number for number, clause in enumerate(sheet.clauses)}
        self._numbers = {code: number for number, code in enumerate(self.codes)}
        laid_out = [lay_out(entry) for entry in entries]
        # by kind: the fields that are told, those that are recorded; and which places are hidden, which name parties
        self.told_fields = [[field for field in fields if "~" not in field.marks] for fields in laid_out]
        self.recorded_fields = [[field for field in fields if "+" not in field.marks] for fields in self.told_fields]
        SECRETS[state] = [(places(fields, "?"), places(fields, "!")) for fields in laid_out]

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    # the parts of its folder

    def part(self, name: str) -> ModuleType | None:
        """A module of the game's folder, such as `words`, imported when it is first asked for; None if it has none."""
        if not self.package or find_spec(f"{self.package}.{name}") is None:
            return None
        return import_module(f"{self.package}.{name}")

    def text(self, name: str) -> str | None:
        """A text file of the game's folder, such as `lesson.json`; None if it has none."""
        if not self.package:
            return None
        file = files(self.package) / name
        return file.read_text(encoding="utf-8") if file.is_file() else None

    # a new sitting

    def options_for(
        self, players: int, given: Mapping[str, Any] | None = None, rules: int | None = None
    ) -> dict[str, Any]:
        """Every option with its value by a rules version, defaults filled in; a wrong one raises OptionError."""
        return self.sheet.options_for(players, given or {}, rules)

    def new(self, players: int | None = None, *, chance: Chance | None = None, **options: Any) -> State:
        """A new state, begun: `game.new(4, chance=Seeded(7), following="suit")`."""
        players = self.sheet.usual if players is None else players
        return self.state_type(players, self.options_for(players, options)).begin(chance)

    def view(self, state: State, seat: Seat) -> View:
        """A view for a seat of this state (−1: a spectator), from now on: it remembers nothing yet."""
        if not isinstance(state, self.state_type):
            raise TypeError(f"A view of {self.title} needs a state of it.")
        view = self.view_type(state.players, seat, state.options)
        return view.see(state)

    def scoring_cards(self, options: Mapping[str, Any]) -> dict[str, list[str]]:
        """The cards that score under some options, by clause; empty where a game does not count cards."""
        return self._scoring(options) if self._scoring is not None else {}

    def names_for(self, options: Mapping[str, Any]) -> dict[str, str]:
        """Every card's name under some options."""
        return self._plain_names | (self._named(options) if self._named is not None else {})

    def other_names(self, options: Mapping[str, Any]) -> dict[str, str]:
        """The names that differ from those under the usual options."""
        return dict(self.names_for(options).items() - self.card_names.items())

    def most_entries(self, players: int, options: Mapping[str, Any]) -> int:
        """The most entries that a sitting can need; some games need never end by their rules alone."""
        return self._longest(players, options) if self._longest is not None else MOST_ENTRIES

    # cards and steps by name

    def card(self, code: str) -> Card:
        """The card of a code; an unknown code raises Refusal."""
        number = self._numbers.get(code) if isinstance(code, str) else None
        if number is None:
            shown = ascii(code)[:30] if isinstance(code, str) else f"A {type(code).__name__}"
            how = "{shown:text} is not a card of {game:text}; cards are written like {like:text}."
            raise Refusal(say("no card", how, shown=shown, game=self.title, like=self.codes[0]))
        return number

    def code(self, card: Card) -> str:
        """The code of a card."""
        return self.codes[card]

    def step_name(self, step: Step) -> str:
        """The name of a step, such as “play M3”."""
        return self.step_names[step]

    # rows to entries and back

    def _write(self, type_: str, value: int) -> Any:
        if value == UNTOLD:
            return None
        if type_ == "card":
            return self.codes[value]
        if type_ == "clause":
            return self.sheet.clauses[value].id
        if type_ in self.spellings:
            return self.spellings[type_][value]
        return value

    def _entry(self, row: Sequence[int], fields: Sequence[Field]) -> list[Any]:
        written: list[Any] = [self.entries[row[0]].kind]
        for field in fields:
            if field.slot < 4:
                written.append(self._write(field.type, row[1 + field.slot]))
            else:
                single = "card" if field.type == "cards" else "score"
                untold = UNTOLD in row[5:]
                written.append(None if untold else [self._write(single, value) for value in row[5:]])
        return written

    def recorded(self, row: Sequence[int]) -> list[Any] | None:
        """A journal row as the entry the record writes, or None where it writes none."""
        if self.entries[row[0]].nature == TOLD:
            return None
        return self._entry(row, self.recorded_fields[row[0]])

    def told(self, row: Sequence[int]) -> list[Any]:
        """A row as it was told to a seat; what it was not told is None."""
        return self._entry(row, self.told_fields[row[0]])

    def row_of(self, entry: Any, view: View) -> tuple[int, ...]:
        """An entry that the seat of a view was told, as a row again; ValueError where it was told no such entry."""
        kind = self.kinds.get(entry[0], -1) if isinstance(entry, list) and entry and isinstance(entry[0], str) else -1
        fields = self.told_fields[kind] if kind >= 0 else []
        if kind < 0 or len(entry) != 1 + len(fields):
            raise ValueError(f"This is no entry of {self.title}: {entry!r:.80}")
        row, items = [kind, 0, 0, 0, 0], list[int]()
        parties = [value for field, value in zip(fields, entry[1:], strict=True) if "!" in field.marks]
        for field, value in zip(fields, entry[1:], strict=True):
            hidden = value is None and "?" in field.marks and view.seat not in parties
            if field.slot < 4:
                row[1 + field.slot] = UNTOLD if hidden else self._read(field.type, value, view, entry)
            elif hidden:
                items = [UNTOLD]
            elif isinstance(value, list) and len(value) <= MOST_ITEMS:
                single = "card" if field.type == "cards" else "score"
                items = [self._read(single, one, view, entry) for one in value]
            else:
                raise ValueError(f"This is no entry of {self.title}: {entry!r:.80}")
        return (*row, *items)

    def _read(self, type_: str, value: Any, view: View, entry: Any) -> int:
        """A value of a told entry as the number that stands in a row."""
        if type_ == "card":
            number = self._numbers.get(value, -1) if isinstance(value, str) else -1
        elif type_ == "clause":
            number = self._clause_numbers.get(value, -1) if isinstance(value, str) else -1
        elif type_ in self.spellings:
            spelled = list(self.spellings[type_])
            number = spelled.index(value) if type(value) in (int, str) and value in spelled else -1
        elif type(value) is int and type_ in ("seat", "side"):
            number = value if value < (view.players if type_ == "seat" else view.sides) else -1
        elif type(value) is int and abs(value) < 1 << 53:
            return value
        else:
            number = -1
        if number < 0:
            raise ValueError(f"This is no entry of {self.title} told to seat {view.seat}: {entry!r:.80}")
        return number

    def clause_of(self, entry: Sequence[Any]) -> str:
        """The clause behind an entry, recorded or told."""
        kind = self.entries[self.kinds[entry[0]]]
        written = [value for value in entry[1:] if isinstance(value, str) and value in self._clauses]
        return written[-1] if written else kind.clause

    def write_items(self, kind: str, items: Sequence[int]) -> list[Any]:
        """The items that chance may give or has given, as a record writes them."""
        types = {field.type for field in self.recorded_fields[self.kinds[kind]]}
        return [self.codes[item] for item in items] if types & {"card", "cards"} else list(items)

    def read_items(self, kind: str, value: Any) -> list[int]:
        """The items of a chance entry's last member, as numbers."""
        types = {field.type for field in self.recorded_fields[self.kinds[kind]]}
        if "cards" in types:
            if not isinstance(value, list):
                raise Refusal(f"The cards of {kind} must be a list.")
            return [self.card(code) for code in value]
        if "card" in types:
            return [self.card(value)]
        if not isinstance(value, int) or isinstance(value, bool):
            raise Refusal(f"{kind} needs the number of a seat, not {value!r:.40}.")
        return [value]
