"""The open record of a sitting (format 1): writing, reading, and checking every consequence against the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..engine.chance import SHUFFLE_VERSION
from ..engine.core import Journal, State
from ..engine.errors import Refusal
from ..engine.game import CHANCE, DECISION, TOLD, Game
from ..engine.scribe import LineScribe
from ..games import game as game_of
from ..sheets.model import SheetError
from .files import Readable

__all__ = ["FORMAT", "Difference", "Differs", "Replay", "check", "read_lines"]

FORMAT = 1
# Far longer than any sitting between people. Extreme options can make a longer record, which is then refused.
LONGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record departs from the rules: the number of the entry (None: outside the log) and one sentence."""

    entry: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.entry is None else f"entry {self.entry}: {self.sentence}"


class Differs(Exception):
    """Raised in a replay at the first difference."""

    def __init__(self, sentence: str, entry: int | None = None) -> None:
        super().__init__(sentence)
        self.difference = Difference(entry, sentence)


# --- writing ----------------------------------------------------------------------------------------------------------


def compose(game: Game, state: State, log: list[list[Any]], **beside: Any) -> dict[str, Any]:
    """The record of a sitting from its log; `beside` are further members at the end (seed, date, undone …).

    With `ended` among them, a sitting that is not over has the scores so far, and no winners.
    """
    options = game.sheet.recorded(state.options, state.rules)
    record: dict[str, Any] = {"parlour": FORMAT, "game": game.name, "players": state.players, "options": options}
    if state.rules != 1:
        record["rules"] = state.rules
    record["log"] = log
    record["result"] = result_of(state) if state.over or beside.get("ended") else None
    return record | beside


def result_of(state: State) -> dict[str, Any]:
    """The result of a sitting; one that was ended before its end has no winners."""
    return {"scores": state.scores(), "winners": state.winners() if state.over else []}


def line_of(record: dict[str, Any]) -> str:
    """A record as one line, with its line ending."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"


def names_of(game: Game, type_: str) -> list[Any]:
    """What a record writes for the values of a type of field, from 0 on; nothing where it writes the number itself."""
    if type_ in ("card", "cards"):
        return list(game.codes)
    if type_ == "clause":
        return [clause.id for clause in game.sheet.clauses]
    return list(game.spellings.get("score" if type_ == "scores" else type_, ()))


class Lines:
    """The records of one table's sittings as lines, written by a scribe as `line_of` writes what `drain` makes."""

    def __init__(self, game: Game, beside: Callable[[int], dict[str, Any]]) -> None:
        self.game = game
        self.beside = beside  # the further members of the record of a sitting, by its number
        self.number = 0
        heads = [b"" if entry.nature == TOLD else _json([entry.kind])[:-1] for entry in game.entries]
        fields = [
            [(field.slot, [b"," + _json(name) for name in names_of(game, field.type)]) for field in fields]
            for fields in game.recorded_fields
        ]
        self.scribe = LineScribe(heads, fields)
        self._before = b""  # what stands before the first entry, in every record

    def begin(self, state: State, number: int) -> None:
        """The entries that come now are of this sitting."""
        self.number = number
        self._before = self._before or self._around(state)[0]
        self.scribe.write(self._before)

    def end(self, state: State) -> None:
        """It is over."""
        self.scribe.end(self._around(state)[1])

    def take(self) -> bytes:
        """The lines of all sittings since the last call."""
        return self.scribe.take()

    def _around(self, state: State) -> tuple[bytes, bytes]:
        """What stands before the first entry and behind the last."""
        line = line_of(compose(self.game, state, [], **self.beside(self.number))).encode()
        before, empty, behind = line.partition(b'"log":[]')
        return before + empty[:-1], empty[-1:] + behind


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def drain(game: Game, journal: Journal, log: list[list[Any]]) -> None:
    """Move the entries of a journal to the end of a log."""
    for row in journal.rows():
        entry = game.recorded(row)
        if entry is not None:
            log.append(entry)
    journal.clear()


# --- reading ----------------------------------------------------------------------------------------------------------


def read_lines(file: Readable, longest: int = LONGEST_LINE) -> Iterator[tuple[int, Any, str]]:
    """Each line of a record file: its number, its data, and what is wrong with it; one in memory at a time."""
    number = 0
    while True:
        line = file.readline(longest + 1)
        if not line:
            return
        number += 1
        if len(line) > longest:
            while line and not line.endswith(b"\n"):
                line = file.readline(longest)
            yield number, None, f"the line is longer than {longest:,} bytes; a record is one line below that."
            continue
        if line.startswith(b"\xef\xbb\xbf"):
            yield number, None, "the line begins with a byte order mark; a record is plain UTF-8 without one."
            continue
        try:
            yield number, json.loads(line.decode("utf-8"), parse_constant=refuse_constant), ""
        except UnicodeDecodeError as error:
            yield number, None, f"the line is not UTF-8 text (byte {error.start}); a record is JSON in UTF-8."
        except RecursionError:
            yield number, None, "the line is nested too deeply; a record is one JSON object."
        except ValueError as error:
            place = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
            yield number, None, f"the line is not JSON{place}; a record is one JSON object a line."


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def shown(value: Any) -> str:
    """A value as a record writes it, cut where it is long."""
    text = json.dumps(clipped(value, 3))  # in ASCII, because a record may hold unprintable characters
    return text if len(text) <= 100 else text[:97] + "..."


def clipped(value: Any, depth: int) -> Any:
    """A value without the parts that are too long or too deep to be shown."""
    if isinstance(value, list | dict) and not depth:
        return "..."
    if isinstance(value, list):
        return [clipped(part, depth - 1) for part in value[:40]]
    if isinstance(value, dict):
        return {name[:20]: clipped(value[name], depth - 1) for name in list(value)[:5]}
    if isinstance(value, int) and abs(value) > 10**20:
        return "a huge number"
    return value[:100] if isinstance(value, str) else value


def member(record: dict[str, Any], name: str, kind: type, words: str) -> Any:
    """A member of a record, which must have this type."""
    if name not in record:
        raise Differs(f'"{name}" is missing; it must be {words}.')
    value = record[name]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Differs(f'"{name}" must be {words}, not {shown(value)}.')
    return value


def same(ours: Any, theirs: Any, unordered: bool) -> bool:
    """Whether two values are equal in value and in type: 1, 1.0, "1" and true are all different."""
    if isinstance(ours, list):
        if not isinstance(theirs, list) or len(ours) != len(theirs):
            return False
        if unordered and ours and all(isinstance(value, str) for value in theirs):
            return sorted(ours) == sorted(theirs)
        return all(same(mine, other, False) for mine, other in zip(ours, theirs, strict=True))
    return type(ours) is type(theirs) and bool(ours == theirs)


def same_entry(game: Game, ours: list[Any], theirs: Any) -> bool:
    """Whether two entries say the same; the order of cards counts only where the kind of entry says so."""
    if not isinstance(theirs, list) or len(ours) != len(theirs) or theirs[:1] != ours[:1]:
        return False
    unordered = game.entries[game.kinds[ours[0]]].unordered
    return all(same(mine, other, unordered) for mine, other in zip(ours[1:], theirs[1:], strict=True))


def number_of(value: Any, what: str) -> int:
    """A value that must be a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal(f"{what} must be a number, not {shown(value)}.")
    return value


def read_decision(game: Game, state: State, entry: list[Any]) -> list[int]:
    """The steps of a decision from its entry in a record."""
    kind = entry[0]
    described = game.entries[game.kinds[kind]]
    fields = [field.type for field in game.recorded_fields[game.kinds[kind]]]
    if len(entry) != len(fields) + 1:
        raise Refusal(f"After its kind, {kind} has {' and '.join(fields)}, not {len(entry) - 1} members.")
    values: list[Any] = []
    for name, value in zip(fields, entry[1:], strict=True):
        if name == "card":
            values.append(game.card(value))
        elif name == "cards":
            if not isinstance(value, list):
                raise Refusal(f"The cards of {kind} must be a list.")
            values.append([game.card(code) for code in value])
        elif name in game.spellings:
            if value not in game.spellings[name]:
                known = ", ".join(game.spellings[name])
                raise Refusal(f"The {name} must be one of {known}, not {shown(value)}.", described.clause)
            values.append(game.spellings[name].index(value))
        else:
            values.append(number_of(value, f"The {name} of {kind}"))
    if values[0] != state.seat:
        raise Refusal(f"It is the turn of seat {state.seat}, not of seat {shown(values[0])}.", described.clause)
    return state.steps_of(kind, values)


# --- checking ---------------------------------------------------------------------------------------------------------


def open_record(record: Any) -> tuple[Game, State, list[Any]]:
    """The game, a new state and the log of a record, after checking its head."""
    if not isinstance(record, dict):
        raise Differs(f"a record is a JSON object, not {shown(record)}.")
    if member(record, "parlour", int, "the number of the record format") != FORMAT:
        raise Differs(f"the record format is {shown(record['parlour'])}; this reads format {FORMAT}.")
    try:
        game = game_of(member(record, "game", str, "the name of a game"))
        players = member(record, "players", int, "a number of players")
        options = member(record, "options", dict, "an object of options")
        rules = version(record, "rules", game.rules)
        options = game.sheet.check_options(players, options, rules)
    except SheetError as error:
        raise Differs(str(error)) from None
    version(record, "shuffle", SHUFFLE_VERSION)
    log = member(record, "log", list, "a list of entries")
    return game, game.state_type(players, options, rules), log


def version(record: dict[str, Any], name: str, newest: int) -> int:
    """A version number of a record; 1 where it is absent."""
    number: int = member(record, name, int, "a version number") if name in record else 1
    if not 1 <= number <= newest:
        raise Differs(f'"{name}" is version {shown(number)}; known are 1 to {newest}.')
    return number


class Replay:
    """A record replayed through the rules, entry by entry."""

    def __init__(self, record: Any) -> None:
        self.game, self.state, self.log = open_record(record)
        self.result = member(record, "result", dict, "an object with scores and winners")
        self.ended = "ended" in record and member(record, "ended", str, "why it was ended before its end") != ""
        self.at = 0
        self.journal = Journal()
        self.state.journal = self.journal

    def run(self) -> Iterator[list[int]]:
        """Replay the record; yields the steps of each decision after playing them. Raises Differs at a difference."""
        self.state.begin(None)
        self.compare()
        while not self.state.over:
            if self.at >= len(self.log):
                if self.ended and self.state.awaits < 0:
                    break
                raise Differs("the log ends, but the sitting does not.", self.at)
            entry = self.log[self.at]
            if not isinstance(entry, list) or not entry or not isinstance(entry[0], str):
                raise Differs(f"an entry is a list that begins with its kind, not {shown(entry)}.", self.at)
            try:
                steps = self.follow(entry)
            except Refusal as refusal:
                raise Differs(f"{shown(entry)} is refused: {refusal}", self.at) from None
            self.compare()
            if steps:
                yield steps
        if self.at < len(self.log):
            raise Differs(f"the sitting is over, but {shown(self.log[self.at])} follows.", self.at)
        if self.ended and self.state.over:
            raise Differs("the sitting is over by the rules, so that nobody can have ended it before.")
        for name, value in result_of(self.state).items():
            if not same(value, self.result.get(name), False):
                raise Differs(f"the {name} should be {shown(value)}, found {shown(self.result.get(name))}.")

    def follow(self, entry: list[Any]) -> list[int]:
        """Apply a chance entry or a decision to the state; returns the steps of a decision."""
        kind = entry[0]
        if self.state.awaits >= 0:
            awaited = self.game.entries[self.state.awaits].kind
            if kind != awaited or len(entry) < 2:
                raise Differs(f"expected {awaited} by chance, found {shown(entry)}.", self.at)
            self.state.give(self.game.read_items(kind, entry[-1]))
            return []
        if kind not in self.game.kinds or self.game.entries[self.game.kinds[kind]].nature != DECISION:
            raise Differs(f"expected a decision of seat {self.state.seat}, found {shown(entry)}.", self.at)
        steps = read_decision(self.game, self.state, entry)
        for step in steps:
            self.state.play(step)
        return steps

    def compare(self) -> None:
        """Compare the entries that have just happened with the log."""
        for row in self.journal.rows():
            ours = self.game.recorded(row)
            if ours is None:
                continue
            if self.at >= len(self.log):
                raise Differs(f"expected {shown(ours)}, but the log ends.", self.at)
            if not same_entry(self.game, ours, self.log[self.at]):
                raise Differs(f"expected {shown(ours)}, found {shown(self.log[self.at])}.", self.at)
            self.at += 1
        self.journal.clear()


def check(record: Any) -> Difference | None:
    """The first difference between a record and the rules, or None.

    >>> from parlour import Sitting
    >>> sitting = Sitting("tontine", players=4, seed=1)
    >>> while not sitting.over:
    ...     sitting.play(sitting.legal()[0])
    >>> check(sitting.record()) is None
    True
    """
    try:
        for _ in Replay(record).run():
            pass
    except Differs as differs:
        return differs.difference
    return None


def script_of(game: Game, log: Iterable[list[Any]]) -> list[tuple[int, list[int]]]:
    """The chance entries of a log, as a script for `Scripted`."""
    script = []
    for entry in log:
        kind = game.kinds[entry[0]]
        if game.entries[kind].nature == CHANCE:
            script.append((kind, game.read_items(entry[0], entry[-1])))
    return script
