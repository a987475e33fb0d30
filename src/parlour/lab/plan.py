"""The plan of a study: which variants of a game are compared, by which bots, on how many blocks of the same deals."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import blake2b
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from .._version import __version__
from ..engine.game import Game
from ..games import game as game_of
from ..players.names import bots_for, check_name, is_built_in
from ..sheets.model import Option, Setting, Sheet
from . import Bots

FORMAT = "parlour lab 1"
FEWEST, BLOCKS = 5, 100
LARGEST = 10_000  # sittings in a block: it takes seconds, and an interrupt or a dead worker loses no more than that


@dataclass(frozen=True)
class Variant:
    """One way to play the game, and one row of the result: the usual way, or one that differs from another row.

    `against` is the number of the row that it is compared with: the usual one, or, where the option needs others to
    have certain values, the row in which they have them.
    """

    players: int
    option: str
    value: str
    clause: str
    usual: bool
    against: int
    options: dict[str, Setting]


@dataclass(frozen=True)
class BlockTask:
    """Everything needed to play one block of a row."""

    code: str
    game: str
    row: int
    players: int
    options: dict[str, Setting]
    bots: Bots
    seed: str
    block: int
    size: int


@dataclass(frozen=True)
class Study:
    """What is played, by which bots and with which seed."""

    kind: str
    game: str
    command: str  # that repeats the study
    rows: tuple[Variant, ...]
    bots: Bots
    seed: str
    blocks: int
    size: int  # sittings in a block
    rules: int  # the version of the game's rules: later options have the values that were played before

    def head(self) -> dict[str, Any]:
        """The head of its checkpoint file: blocks belong together where this is equal."""
        versions = {
            "study": FORMAT,
            "version": __version__,
            "code": code_hash(self.game),
        }
        return versions | asdict(self) | {"rows": [asdict(row) for row in self.rows]}

    def tasks(self) -> Iterator[BlockTask]:
        """All blocks, row by row."""
        code = code_hash(self.game)
        for at, row in enumerate(self.rows):
            for block in range(self.blocks):
                yield BlockTask(code, self.game, at, row.players, row.options, self.bots, self.seed, block, self.size)


@cache
def code_hash(game: str) -> str:
    """A hash of the sources, also of a game from outside: only blocks played by the same code belong together."""
    folders, digest = [Path(__file__).parent.parent], blake2b(digest_size=16)
    package = game_of(game).package
    if package and package.partition(".")[0] != __name__.partition(".")[0]:
        folders += map(Path, import_module(package).__path__)
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".pxd", ".h", ".toml")):
            text = path.read_text("utf-8")  # the same on any system, whatever its line endings
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def study_of(
    kind: str,
    game: Game,
    *,
    players: Sequence[int] = (),
    given: Mapping[str, Setting] | None = None,
    options: Sequence[str] = (),
    combinations: bool = False,
    bots: Bots | None = None,
    sittings: int = 10_000,
    seed: str = "1",
    rules: int | None = None,
) -> Study:
    """The study that is asked for; ValueError, with a sentence, where it cannot be made.

    With an earlier version of the rules it is the study that was made then, without the readings that came later.
    """
    given, bots, rules = dict(given or {}), bots or Bots(), game.rules if rules is None else rules
    if sittings < FEWEST:
        raise ValueError(f"A study needs at least {FEWEST} sittings to estimate intervals, not {sittings}.")
    if kind == "readings":
        if len(players) > 1:
            raise ValueError("Readings are compared for one number of players at a time.")
        rows = readings(game.sheet, (*players, game.sheet.usual)[0], given, options, combinations, rules)
    elif options or combinations:
        raise ValueError("Options are compared by a study of readings; a portrait shows a single rule set.")
    else:
        rows = portrait(game.sheet, players or player_counts(game.sheet), given, rules)
    check_bots(bots, [row.players for row in rows])
    blocks = min(sittings, max(BLOCKS, math.ceil(sittings / LARGEST)))
    size = math.ceil(sittings / blocks)
    command = command_of(kind, game, players, given, options, combinations, bots, blocks * size, seed)
    return Study(kind, game.name, command, tuple(rows), bots, seed, blocks, size, rules)


def check_bots(bots: Bots, players: Sequence[int]) -> None:
    """ValueError, with a sentence, where a bot cannot take part."""
    names = [bots.stronger, bots.weaker]
    for name in names:
        check_name(name)
    for count in players:
        names += bots_for(bots.table, count)
    for name in names:
        if not is_built_in(name):
            raise ValueError(f"{name!s:.60} may decide differently another time; a study needs built-in bots.")


# --- studies of readings ----------------------------------------------------------------------------------------------


def readings(
    sheet: Sheet, players: int, given: Mapping[str, Setting], names: Sequence[str], combined: bool, rules: int
) -> list[Variant]:
    """The usual reading, and every other value of each option; or every combination of values."""
    usual = sheet.options_for(players, given, rules)
    named = [sheet.option(name) for name in dict.fromkeys(names)]
    chosen = named or [option for option in sheet.options if not option.size and option.since <= rules]
    rows = [Variant(players, "", "", "", True, 0, usual)]
    if combined:
        choices = [[usual[option.name], *other_values(option, players, usual, rules)] for option in chosen]
        for values in product(*choices):
            pairs = zip(chosen, values, strict=True)
            changes = [(option, value) for option, value in pairs if value != usual[option.name]]
            if changes:
                row = changed(sheet, players, usual, changes, 0)
                if all(row.options[name] == value for option, _ in changes for name, value in option.needs):
                    rows.append(row)
    else:
        for option in chosen:
            base = 0
            for name, value in option.needs:
                base = find_or_add(rows, sheet, players, base, (sheet.option(name), value))
            for value in other_values(option, players, usual, rules):
                find_or_add(rows, sheet, players, base, (option, value))
    if len(rows) == 1:
        raise ValueError(f"{sheet.title} has no other reading among these options for {players} players.")
    return rows


def find_or_add(rows: list[Variant], sheet: Sheet, players: int, base: int, change: tuple[Option, Setting]) -> int:
    """The number of the row that differs from row `base` by one value; it is added where it is missing."""
    wanted = changed(sheet, players, rows[base].options, [change], base)
    for at, row in enumerate(rows):
        if row.options == wanted.options:
            return at
    rows.append(wanted)
    return len(rows) - 1


def other_values(option: Option, players: int, usual: Mapping[str, Setting], rules: int) -> list[Setting]:
    """The values to compare with the usual one: every named one; of a number its half, its double and near ends."""
    now = usual[option.name]
    if option.values:
        known = [value for value in option.values if players in value.players and value.since <= rules]
        return [value.name for value in known if value.name != now]
    assert isinstance(now, int)
    # the ends of a wide range are limits for safety, not readings
    ends = [option.low, option.high] if option.high - option.low < 20 else []
    tried = {now // 2, 2 * now, *ends} - {now}
    return sorted(value for value in tried if option.low <= value <= option.high)


def changed(
    sheet: Sheet,
    players: int,
    base: Mapping[str, Setting],
    changes: Sequence[tuple[Option, Setting]],
    against: int,
) -> Variant:
    """The variant that differs by these values from the options of row `against`."""
    options = {**base, **{option.name: option.check(value, players) for option, value in changes}}
    names = "+".join(option.name for option, _ in changes)
    values = "+".join(str(value) for _, value in changes)
    clauses = ", ".join(dict.fromkeys(option.clause for option, _ in changes))
    return Variant(players, names, values, clauses, False, against, options)


# --- portraits --------------------------------------------------------------------------------------------------------


def player_counts(sheet: Sheet) -> list[int]:
    """The numbers of players in a portrait: all; where there are many, the usual one, the ends and the doublings."""
    if len(sheet.players) <= 12:
        return list(sheet.players)
    doublings = [sheet.players[0] << power for power in range(6)]
    return sorted({*(count for count in doublings if count in sheet.players), sheet.usual, sheet.players[-1]})


def portrait(sheet: Sheet, players: Sequence[int], given: Mapping[str, Setting], rules: int) -> list[Variant]:
    """One rule set by number of players, compared with the usual number, or with the first where that is absent."""
    counts = list(dict.fromkeys(players))
    base = counts.index(sheet.usual) if sheet.usual in counts else 0
    return [
        Variant(count, "", "", "", at == base, base, sheet.options_for(count, given, rules))
        for at, count in enumerate(counts)
    ]


# --- the command ------------------------------------------------------------------------------------------------------


def command_of(
    kind: str,
    game: Game,
    players: Sequence[int],
    given: Mapping[str, Setting],
    options: Sequence[str],
    combined: bool,
    bots: Bots,
    sittings: int,
    seed: str,
) -> str:
    """The command that repeats a study."""
    parts = ["parlour", "lab", kind, game.name]
    parts += ["--players", ",".join(map(str, players))] if players else []
    for name, value in given.items():
        parts += ["--set", f"{name}={value}"]
    parts += ["--options", ",".join(options)] if options else []
    parts += ["--combinations"] if combined else []
    parts += ["--bots", bots.table] if bots.table != Bots.table else []
    skill = (bots.stronger, bots.weaker)
    parts += ["--skill", ",".join(skill)] if skill != (Bots.stronger, Bots.weaker) else []
    parts += [f"--seed={seed}"] if seed.startswith("-") else ["--seed", seed]  # a bare -x would look like an option
    return shlex.join([*parts, "--sittings", str(sittings)])
