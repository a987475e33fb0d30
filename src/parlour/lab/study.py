"""Studies: the readings of a game, or its numbers of players, played on the same deals and measured in blocks.

A block is a pure function of its task, so that processes, a cluster or a run that was interrupted come to the same.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import blake2b
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from .._version import __version__
from ..engine.core import Journal, Seeded
from ..engine.game import Game
from ..games import game as game_of
from ..players.seats import EXEC, Seating, bots_for, check_name
from ..sheets.model import Option, Setting, Sheet
from ..util import checkpoint
from ..util.pool import as_done
from . import Bots
from .intervals import Estimate, Z, jackknife, together, wilson
from .metrics import METRICS, WATCHING, Metric, Moments, Observer, Table
from .simulate import IN_ONE_GO, seed_number

FORMAT = "parlour lab 1"
FEWEST, BLOCKS = 5, 100
LARGEST = 10_000  # sittings of a block: seconds, so that an interrupt or a worker that dies loses no more

# What the experiments take of a block's sittings: so many sittings for one deal or choice.
SITTINGS_A_SKILL_DEAL = 10
SITTINGS_A_LUCK_DEAL = 10
SITTINGS_A_CHOICE = 20
REPLAYS = 4  # of a deal, for luck
SLIPS = 1 / 8  # of the choices, where any step is taken: enough that hardly two plays of a deal are alike
WORLDS = 16  # in each half, for the weight of a choice

# What a table would not want, where the whole interval of the difference to the usual reading is beyond this: one
# sitting in fifty that does not end by the sheet or is won by nobody alone; one of four places that wins a third, or a
# sixth; and one decision in twenty that is none any more.
UNWANTED = {
    "completion": (-0.02, "fewer sittings come to the sheet's own end"),
    "drawishness": (0.02, "more sittings are won by nobody alone"),
    "balance": (-0.01, "where one sits matters more"),
    "real_choices": (-0.05, "fewer decisions leave anything to decide"),
}

TINY = 1e-12  # what rounding may make of nothing
MOST = 1e15  # more than any sum of a block
RANKED = {"Which doubtful word matters most": "ranking", "What the sheet leaves to the table": "left_to_the_table"}

Sums = dict[str, float]
Note = Callable[[Sequence["Block"]], None]
Share = Callable[[Callable[["Task"], "Block"], Iterable["Task"]], Iterator["Block"]]


# --- what is studied --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One way to play the game: the usual one of the study, or what differs by the value of an option.

    It differs from the row whose number is `against`: the usual one, or where the option needs something of others the
    one in which they have it.
    """

    players: int
    option: str
    value: str
    clause: str
    usual: bool
    against: int
    options: dict[str, Setting]


@dataclass(frozen=True)
class Task:
    """What it takes to play one block of a row."""

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
class Block:
    """What a block of a row came to."""

    row: int
    block: int
    sums: Sums

    def digest(self) -> str:
        """A hash of its sums: whoever plays the block again can tell whether it came to the same."""
        return blake2b(json.dumps(self.sums, sort_keys=True).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Study:
    """What is played, by whom and by which luck."""

    kind: str
    game: str
    command: str  # that makes it again
    rows: tuple[Row, ...]
    bots: Bots
    seed: str
    blocks: int
    size: int  # sittings of a block

    def head(self) -> dict[str, Any]:
        """The first line of its file: where this is equal, blocks belong together."""
        versions = {"study": FORMAT, "version": __version__, "code": code(), "rules": game_of(self.game).rules}
        return versions | asdict(self) | {"rows": [asdict(row) for row in self.rows]}

    def tasks(self) -> Iterator[Task]:
        """All blocks, row by row."""
        for at, row in enumerate(self.rows):
            for block in range(self.blocks):
                yield Task(code(), self.game, at, row.players, row.options, self.bots, self.seed, block, self.size)


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
) -> Study:
    """A study as it is asked for; ValueError, with a sentence, where it cannot be made."""
    given, bots = dict(given or {}), bots or Bots()
    if sittings < FEWEST:
        raise ValueError(f"A study needs {FEWEST} sittings or more, or no interval can be found, not {sittings}.")
    if kind == "readings":
        if len(players) > 1:
            raise ValueError("The readings of a game are compared for one number of players.")
        rows = readings(game.sheet, (*players, game.sheet.usual)[0], given, options, combinations)
    elif options or combinations:
        raise ValueError("Options are compared by a study of the readings; a portrait is of one rule set.")
    else:
        rows = portrait(game.sheet, players or counts(game.sheet), given)
    check_bots(bots, [row.players for row in rows])
    blocks = min(sittings, max(BLOCKS, math.ceil(sittings / LARGEST)))
    size = math.ceil(sittings / blocks)
    command = command_of(kind, game, players, given, options, combinations, bots, blocks * size, seed)
    return Study(kind, game.name, command, tuple(rows), bots, seed, blocks, size)


def check_bots(bots: Bots, players: Sequence[int]) -> None:
    """ValueError, with a sentence, where a bot cannot take part."""
    names = [bots.stronger, bots.weaker]
    for name in names:
        check_name(name)
    for count in players:
        names += bots_for(bots.table, count)
    if any(name.startswith(EXEC) for name in names):
        raise ValueError("A program from outside may answer otherwise the next time; studies are played by our bots.")


def readings(
    sheet: Sheet, players: int, given: Mapping[str, Setting], names: Sequence[str], combined: bool
) -> list[Row]:
    """The usual reading, and every other value of an option; or every combination of them."""
    usual = sheet.options_for(players, given)
    named = [sheet.option(name) for name in dict.fromkeys(names)]
    chosen = named or [option for option in sheet.options if not option.size]
    rows = [Row(players, "", "", "", True, 0, usual)]
    if combined:
        choices = [[usual[option.name], *others(option, players, usual)] for option in chosen]
        for values in product(*choices):
            pairs = zip(chosen, values, strict=True)
            differ = [(option, value) for option, value in pairs if value != usual[option.name]]
            if differ:
                row = row_of(sheet, players, usual, differ, 0)
                if all(row.options[name] == value for option, _ in differ for name, value in option.needs):
                    rows.append(row)
    else:
        for option in chosen:
            base = 0
            for name, value in option.needs:
                base = row_with(rows, sheet, players, base, (sheet.option(name), value))
            for value in others(option, players, usual):
                row_with(rows, sheet, players, base, (option, value))
    if len(rows) == 1:
        raise ValueError(f"{sheet.title} has no other reading among these options for {players} players.")
    return rows


def row_with(rows: list[Row], sheet: Sheet, players: int, base: int, change: tuple[Option, Setting]) -> int:
    """The number of the row that differs from another by one value; where there is none yet it is made."""
    made = row_of(sheet, players, rows[base].options, [change], base)
    for at, row in enumerate(rows):
        if row.options == made.options:
            return at
    rows.append(made)
    return len(rows) - 1


def others(option: Option, players: int, usual: Mapping[str, Setting]) -> list[Setting]:
    """The values to compare with the usual one: all that have names; of a number, half, double and near ends."""
    now = usual[option.name]
    if option.values:
        return [value.name for value in option.values if players in value.players and value.name != now]
    assert isinstance(now, int)
    # the ends of a wide range are there to bear anything, and are no reading
    ends = [option.low, option.high] if option.high - option.low < 20 else []
    tried = {now // 2, 2 * now, *ends} - {now}
    return sorted(value for value in tried if option.low <= value <= option.high)


def row_of(
    sheet: Sheet,
    players: int,
    base: Mapping[str, Setting],
    differ: Sequence[tuple[Option, Setting]],
    against: int,
) -> Row:
    """The row that differs from another by these values."""
    options = sheet.options_for(players, {**base, **{option.name: value for option, value in differ}})
    names = "+".join(option.name for option, _ in differ)
    values = "+".join(str(value) for _, value in differ)
    clauses = ", ".join(dict.fromkeys(option.clause for option, _ in differ))
    return Row(players, names, values, clauses, False, against, options)


def counts(sheet: Sheet) -> list[int]:
    """The numbers of players of a portrait: all, or where they are many the usual one, the ends and the doublings."""
    if len(sheet.players) <= 12:
        return list(sheet.players)
    doublings = [sheet.players[0] << power for power in range(6)]
    return sorted({*(count for count in doublings if count in sheet.players), sheet.usual, sheet.players[-1]})


def portrait(sheet: Sheet, players: Sequence[int], given: Mapping[str, Setting]) -> list[Row]:
    """One rule set, by the number of players; the usual one is what the rest is compared with, or else the first."""
    counts = list(dict.fromkeys(players))
    base = counts.index(sheet.usual) if sheet.usual in counts else 0
    return [
        Row(count, "", "", "", at == base, base, sheet.options_for(count, given)) for at, count in enumerate(counts)
    ]


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
    """The command that makes the study again."""
    parts = ["parlour", "lab", kind, game.name]
    parts += ["--players", ",".join(map(str, players))] if players else []
    for name, value in given.items():
        parts += ["--set", f"{name}={value}"]
    parts += ["--options", ",".join(options)] if options else []
    parts += ["--combinations"] if combined else []
    parts += ["--bots", bots.table] if bots.table != Bots.table else []
    skill = (bots.stronger, bots.weaker)
    parts += ["--skill", ",".join(skill)] if skill != (Bots.stronger, Bots.weaker) else []
    parts += [f"--seed={seed}"] if seed.startswith("-") else ["--seed", seed]  # or it would be taken for an option
    return shlex.join([*parts, "--sittings", str(sittings)])


# --- playing ----------------------------------------------------------------------------------------------------------


@cache
def code() -> str:
    """A hash of the package's own sources: blocks belong together only where the same code has played them."""
    package, found = Path(__file__).parent.parent, blake2b(digest_size=16)
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".pxd", ".h", ".toml")):
        text = path.read_text("utf-8")  # whatever ends its lines
        found.update(f"{path.relative_to(package).as_posix()}\0{len(text)}\0{text}".encode())
    return found.hexdigest()


class OtherVersion(Exception):
    """A worker would play by other code than the rest; the message is one sentence."""


class Company:
    """Bots by name round one table, watched: in one go where all are simple, else each with a view of its own."""

    def __init__(
        self, task: Task, names: Sequence[str], observers: Sequence[Observer] = (), slips: float = 0.0
    ) -> None:
        game = game_of(task.game)
        state = game.state_type(task.players, task.options)
        self.table = Table(state, game.view_type(task.players, 0, task.options), observers)
        self.seating: Seating | None = None
        if set(names) <= set(IN_ONE_GO):
            self.table.seat([seat for seat, name in enumerate(names) if name == "random"], slips)
        else:
            self.seating = Seating(game, task.players, task.options, names)

    def play(self, seed: int, number: int, again: int = 0) -> list[float]:
        """Play a sitting; what each side has of the win."""
        if self.seating is None:
            self.table.play(seed, number, again)
        else:
            self.play_seated(self.seating, seed, number)
        return self.table.shares()

    def play_seated(self, seating: Seating, seed: int, number: int) -> None:
        state, journal = self.table.state, Journal()
        state.journal = journal
        seating.begin(seed, number)
        state.begin(Seeded(seed, 2 * number))
        self.table.watch_beginning()
        seating.tell(journal)
        while not state.over:
            self.table.watch_decision()
            journal.clear()
            state.play(seating.choose(state))
            seating.tell(journal)
        self.table.watch_end()
        state.journal = None


def play_block(task: Task) -> Block:
    """Play one block of a row: its sittings, and its part of each experiment."""
    if task.code != code():
        raise OtherVersion(f"A worker has other code than the study; install the same parlour {__version__} there.")
    sides = sides_of(task.game, task.players, task.options)
    sums = watch(task, sides) | measure_skill(task, sides) | measure_luck(task) | weigh_choices(task)
    return Block(task.row, task.block, sums)


def sides_of(game: str, players: int, options: dict[str, Setting]) -> int:
    """How many there are who can win: seats, or partners together."""
    return len(game_of(game).state_type(players, options).scores())


def sum_names(players: int, sides: int) -> set[str]:
    """What the sums of a block are called."""
    watched = {name for observer in WATCHING for name in observer(players, players // sides).named()}
    luck = {"luck deals", "luck plays", "luck by deal", "luck by play"}
    return watched | {"skill deals", "stronger won", "weight", "weighed"} | luck


def part(task: Task, name: str, each: int) -> tuple[int, range]:
    """The seed of an experiment, and the numbers of a block's deals in it."""
    count = max(1, task.size // each)
    return seed_number(f"{task.seed} {name}"), range(task.block * count, (task.block + 1) * count)


def watch(task: Task, sides: int) -> Sums:
    """The sittings themselves."""
    observers = [observer(task.players, task.players // sides) for observer in WATCHING]
    company = Company(task, bots_for(task.bots.table, task.players), observers)
    seed = seed_number(task.seed)
    for number in range(task.block * task.size, (task.block + 1) * task.size):
        company.play(seed, number)
    return {name: value for observer in observers for name, value in observer.found().items()}


def measure_skill(task: Task, sides: int) -> Sums:
    """Each deal twice, every side held once by the stronger bot and once by the weaker."""
    seed, numbers = part(task, "skill", SITTINGS_A_SKILL_DEAL)
    won = 0.0
    for first in (0, 1):
        held = [(seat % sides + first) % 2 == 0 for seat in range(task.players)]
        company = Company(task, [task.bots.stronger if strong else task.bots.weaker for strong in held])
        for number in numbers:
            shares = company.play(seed, number)
            won += sum(share for share, strong in zip(shares, held[:sides], strict=True) if strong)
    return {"skill deals": len(numbers), "stronger won": won}


def measure_luck(task: Task) -> Sums:
    """Each deal several times, by players who slip otherwise each time."""
    seed, numbers = part(task, "luck", SITTINGS_A_LUCK_DEAL)
    company = Company(task, ["thumb"] * task.players, slips=SLIPS)
    by_deal = by_play = 0.0
    for number in numbers:
        plays = [company.play(seed, number, again) for again in range(REPLAYS)]
        by_deal += sum(sum(results) ** 2 for results in zip(*plays, strict=True))
        by_play += sum(share * share for play in plays for share in play)
    return {
        "luck deals": len(numbers),
        "luck plays": len(numbers) * REPLAYS,
        "luck by deal": by_deal,
        "luck by play": by_play,
    }


def weigh_choices(task: Task) -> Sums:
    """One choice of each sitting: its steps are played out in worlds that its seat can imagine, in two halves.

    The step that is best in one half is judged by the other, so that what was lucky there counts for nothing. Of
    several that are equally good none is better for its number: all are judged.
    """
    seed, numbers = part(task, "choices", SITTINGS_A_CHOICE)
    game = game_of(task.game)
    moments = Moments(task.players)
    company = Company(task, ["thumb"] * task.players, [moments])
    alone = Company(task, ["thumb"] * task.players)
    luck = Seeded()
    weight, weighed = 0.0, 0
    for number in numbers:
        moments.deal_out(seed, (1 << 32) + number)
        company.play(seed, number)
        if moments.moment < 0:
            continue  # there was nothing to decide
        view = view_at(game, task, seed, number, moments)
        luck.restart(seed, (2 << 32) + number)
        halves = []
        for half in (0, 1):
            worlds = range(2 * WORLDS * number + half * WORLDS, 2 * WORLDS * number + (half + 1) * WORLDS)
            played = [alone.table.weigh(view.sample(luck), seed, (3 << 32) + world) for world in worlds]
            halves.append([sum(step) / WORLDS for step in zip(*played, strict=True)])
        for chosen, judged in (halves, halves[::-1]):
            best = [value for value, looked in zip(judged, chosen, strict=True) if looked == max(chosen)]
            weight += (fmean(best) - fmean(judged)) / 2
        weighed += 1
    return {"weight": weight, "weighed": weighed}


def view_at(game: Game, task: Task, seed: int, number: int, moments: Moments) -> Any:
    """What a seat knows at a moment of a sitting that is played by thumb: the sitting once more, told to that seat."""
    state, journal = game.state_type(task.players, task.options), Journal()
    sights = [game.view_type(task.players, seat, task.options) for seat in range(task.players)]
    view, luck, left = game.view_type(task.players, moments.seat, task.options), Seeded(), moments.moment
    view.track_beliefs()
    state.journal = journal
    state.begin(Seeded(seed, 2 * number))
    while True:
        view.listen(journal)
        journal.clear()
        left -= len(state.legal()) > 1
        if not left:
            return view.see(state)
        state.play(sights[state.seat].see(state).heuristic(luck))


def play_study(
    study: Study,
    share: Share,
    done: Sequence[Block] = (),
    note: Note | None = None,
) -> list[Block]:
    """Every block, those that are done already among them; `note` is given the others as they are played.

    `share` lets processes or a cluster do the tasks, and gives what they come to in any order.
    """
    found = {(block.row, block.block): block for block in done}
    missing = (task for task in study.tasks() if (task.row, task.block) not in found)
    for block in share(play_block, missing):
        found[block.row, block.block] = block
        if note is not None:
            note([block])
    return [found[task.row, task.block] for task in study.tasks()]


def by_processes(jobs: int) -> Share:
    """The tasks shared among processes of this machine."""
    return lambda function, tasks: as_done(function, tasks, jobs)


def kept(path: str | None, study: Study) -> AbstractContextManager[tuple[list[Block], Note]]:
    """The blocks that a file holds, and how to add to it; ValueError, with a sentence, where it is another's."""

    names = [sum_names(row.players, sides_of(study.game, row.players, row.options)) for row in study.rows]

    def read(data: Any) -> Block | None:
        try:
            block = Block(**data)
            inside = block.row in range(len(study.rows)) and block.block in range(study.blocks)
            whole = inside and set(block.sums) == names[block.row] and are_possible(block.sums, study.size)
        except (TypeError, AttributeError):
            return None
        return block if whole else None

    return checkpoint.kept(path, "study", study.head(), read, asdict)


def are_possible(sums: Sums, size: int) -> bool:
    """Whether a block of so many sittings can have come to these sums: a file may have been damaged."""
    counted = {"sittings": size, "skill deals": max(1, size // SITTINGS_A_SKILL_DEAL)}
    counted["luck deals"] = max(1, size // SITTINGS_A_LUCK_DEAL)
    counted["luck plays"] = REPLAYS * counted["luck deals"]
    return (
        all(type(value) in (int, float) and abs(value) < MOST for value in sums.values())
        and all(value >= 0 for name, value in sums.items() if name != "weight")
        and all(sums[name] == count for name, count in counted.items())
        and all(sums[name] >= size for name in ("decisions", "deals", "branching"))
    )


# --- what it came to --------------------------------------------------------------------------------------------------


class Measured:
    """A row's sums, of all its blocks and without each of them in turn."""

    def __init__(self, blocks: Sequence[Block], sides: int) -> None:
        self.sides = sides
        names = blocks[0].sums
        self.all = {name: math.fsum(block.sums[name] for block in blocks) for name in names}
        self.without = [{name: self.all[name] - block.sums[name] for name in names} for block in blocks]

    def values(self, metric: Metric) -> tuple[float, list[float]] | None:
        """A metric of all, and without each block; None where it has no value."""
        whole = metric.value(self.all, self.sides)
        without = [metric.value(sums, self.sides) for sums in self.without]
        known = [value for value in without if value is not None]
        return None if whole is None or len(known) < len(without) else (whole, known)

    def estimate(self, metric: Metric) -> Estimate | None:
        """A metric with its interval, which ends where the metric does."""
        found = self.values(metric)
        if found is None:
            return None
        value, (low, high) = found[0], self.between(metric, *found, Z)
        least, most = metric.range
        if value >= least:  # an estimate without bias may be a little beyond
            low = max(low, least)
        if most is not None and value <= most:
            high = min(high, most)
        return Estimate(value, (low, high))

    def difference(
        self, metric: Metric, usual: Measured, scale: Callable[[float], float], z: float = Z
    ) -> Estimate | None:
        """How far it is from another row on some scale: block by block on the same deals."""
        mine, theirs = self.values(metric), usual.values(metric)
        if mine is None or theirs is None:
            return None
        value = scale(mine[0]) - scale(theirs[0])
        without = [scale(one) - scale(other) for one, other in zip(mine[1], theirs[1], strict=True)]
        return Estimate(value, self.between(metric, value, without, z))

    def between(self, metric: Metric, value: float, without: Sequence[float], z: float) -> tuple[float, float]:
        """The interval of a value; where blocks that are all alike show no spread, some doubt of a share is left."""
        low, high = jackknife(value, without, z).interval or (value, value)
        least, most = metric.range
        if most is not None and high - low < TINY:
            doubt = (most - least) * wilson(0, round(self.all[metric.counted]))[1]
            low, high = value - doubt, value + doubt
        return low, high


def plain(value: float) -> float:
    return value


def yardstick(metric: Metric) -> Callable[[float], float]:
    """On which scale effects are compared: a share as it is, a number by its logarithm.

    So an effect of 0.1 is ten in a hundred of a share, and about a tenth more of a number; of one that may be nought,
    a tenth more of one more.
    """
    if metric.range[1] is not None:
        return plain
    return math.log if metric.range[0] >= 1 else math.log1p


def rounded(value: float) -> float:
    """To six digits, so that a file says no more than it knows."""
    return float(f"{value:.6g}")


def as_data(estimate: Estimate | None) -> dict[str, float] | None:
    """An estimate as a result holds it."""
    if estimate is None or estimate.interval is None:
        return None
    low, high = estimate.interval
    return {"value": rounded(estimate.mean), "low": rounded(low), "high": rounded(high)}


def report(study: Study, blocks: Sequence[Block]) -> dict[str, Any]:
    """Everything, with 95 % intervals; the same study gives the same report to the last digit."""
    game = game_of(study.game)
    measured = [
        Measured(
            blocks[at * study.blocks : (at + 1) * study.blocks],
            sides_of(study.game, row.players, row.options),
        )
        for at, row in enumerate(study.rows)
    ]
    rows = [
        row_data(study, row, measured[at], measured[row.against]) | {"first_block": blocks[at * study.blocks].digest()}
        for at, row in enumerate(study.rows)
    ]
    ranked = ranking(study, measured) if study.kind == "readings" else []
    return {
        "format": FORMAT,
        "version": __version__,
        "command": study.command,
        "kind": study.kind,
        "game": game.name,
        "title": game.title,
        "rules": game.rules,
        "seed": study.seed,
        "sittings": study.blocks * study.size,
        "blocks": study.blocks,
        "bots": asdict(study.bots),
        "method": method(study),
        "metrics": [metric.as_data() for metric in METRICS],
        "rows": rows,
        "ranking": [entry for entry in ranked if is_doubtful(game, entry)],
        "left_to_the_table": [entry for entry in ranked if not is_doubtful(game, entry)],
        "unwanted": unwanted(rows) if study.kind == "readings" else [],
    }


def is_doubtful(game: Game, entry: Mapping[str, Any]) -> bool:
    """Whether the sheet leaves in doubt what was read otherwise, and does not offer it itself."""
    return any(game.sheet.clause(id).state != "clear" for id in entry["clause"].split(", "))


def row_data(study: Study, row: Row, found: Measured, other: Measured) -> dict[str, Any]:
    values = {metric.name: as_data(found.estimate(metric)) for metric in METRICS}
    differences = {
        metric.name: None if row.usual else as_data(found.difference(metric, other, plain)) for metric in METRICS
    }
    return asdict(row) | {"sittings": study.blocks * study.size, "values": values, "differences": differences}


def method(study: Study) -> dict[str, Any]:
    """How many sittings each experiment took, and by whom."""
    size, blocks = study.size, study.blocks
    return {
        "table": {"sittings": size * blocks, "bots": study.bots.table},
        "skill": {"deals": blocks * max(1, size // SITTINGS_A_SKILL_DEAL), "plays": 2},
        "luck": {
            "deals": blocks * max(1, size // SITTINGS_A_LUCK_DEAL),
            "plays": REPLAYS,
            "bots": "thumb",
            "slips": SLIPS,
        },
        "choices": {
            "sittings": blocks * max(1, size // SITTINGS_A_CHOICE),
            "bots": "thumb",
            "halves": 2,
            "worlds": WORLDS,
        },
        "interval": "95 %, delete-one-block jackknife; differences paired by blocks of the same deals",
        "yardstick": "the difference of a share, or of a number's logarithm",
        "ranking": "by the least that an effect may be; these intervals are wider, and hold all at once with 95 %",
    }


def ranking(study: Study, measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """The readings by what they surely change most: by the near end of the interval, so that no noise ranks high.

    The largest of many effects is looked for, so that their intervals must hold all at once.
    """
    metrics = [metric for metric in METRICS if metric.ranked]
    ranked, z = [], together(len(metrics) * (len(study.rows) - 1))
    for row, found in zip(study.rows, measured, strict=True):
        other = measured[row.against]
        effects = [(metric, found.difference(metric, other, yardstick(metric), z)) for metric in metrics]
        sized = [size_of(metric, effect) for metric, effect in effects if effect is not None and not row.usual]
        if sized:
            place = {"clause": row.clause, "option": row.option, "value": row.value}
            ranked.append(place | max(sized, key=surely))
    return sorted(ranked, key=surely, reverse=True)


def size_of(metric: Metric, effect: Estimate) -> dict[str, Any]:
    """How large an effect is, whichever way it goes, and its interval the same way."""
    assert effect.interval is not None
    low, high = effect.interval if effect.mean >= 0 else (-effect.interval[1], -effect.interval[0])
    return {"effect": rounded(abs(effect.mean)), "metric": metric.name, "interval": [rounded(low), rounded(high)]}


def surely(entry: dict[str, Any]) -> tuple[float, float]:
    """How much an effect surely is; where that is nothing, how large it looks."""
    return max(0.0, entry["interval"][0]), entry["effect"]


def unwanted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The readings that a table would not want, each with what is worse than without it."""
    titles = {metric.name: metric.title for metric in METRICS}
    found = []
    for row in rows:
        for name, (limit, words) in UNWANTED.items():
            difference = row["differences"][name]
            if difference is not None and (difference["high"] < limit if limit < 0 else difference["low"] > limit):
                why = f"With {row['option']}: {row['value']} {words}: {titles[name]} {in_words(difference, '+')}."
                found.append({"option": row["option"], "value": row["value"], "why": why, "metric": name})
    return found


# --- in words ---------------------------------------------------------------------------------------------------------


def in_words(found: Mapping[str, float] | None, sign: str = "") -> str:
    """A value and its interval, as a table shows it."""
    if found is None:
        return "–"
    digits = 1 if abs(found["value"]) >= 10 else 3
    value, low, high = (f"{found[name]:{sign}.{digits}f}".replace("-", "−") for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def lines(result: dict[str, Any]) -> Iterator[str]:
    """A report to be read: what the usual game is like, and what each other row changes."""
    titles = {metric["name"]: metric["title"] for metric in result["metrics"]}
    usual = next(row for row in result["rows"] if row["usual"])
    counted = f"{result['sittings']:,} sittings a row"
    bots = result["bots"]["table"]
    yield f"{result['title']} · {usual['players']} players, {bots} · {counted} · seed {result['seed']}"
    for metric in result["metrics"]:
        unit = f" {metric['unit']}" if metric["unit"] else ""
        found = in_words(usual["values"][metric["name"]])
        yield f"  {metric['title']:<20} {found}{unit if found != '–' else ''}"
    for row in result["rows"]:
        if row["usual"]:
            continue
        named = f"{row['option']}: {row['value']} ({row['clause']})" if row["option"] else f"{row['players']} players"
        other = result["rows"][row["against"]]
        yield f"{named}, compared with {'the usual' if other['usual'] else other['option'] + ': ' + other['value']}:"
        sure = {name: found for name, found in row["differences"].items() if found and found["low"] * found["high"] > 0}
        for name, found in sure.items():
            yield f"  {titles[name]:<20} {in_words(found, '+')}"
        if not sure:
            yield "  nothing that so many sittings show"
    for heading, ranked in RANKED.items():
        if result[ranked]:
            yield f"{heading}, by what it surely changes:"
        for place, entry in enumerate(result[ranked], 1):
            low, high = entry["interval"]
            word = f"{entry['option']}: {entry['value']} ({entry['clause']})"
            effect = {"value": entry["effect"], "low": low, "high": high}
            shown = f"{in_words(effect)}, {titles[entry['metric']]}" if entry["effect"] else "–"
            yield f"{place:>3}  {word:<34} {shown}"
    for entry in result["unwanted"]:
        yield f"A table would not want this: {entry['why'][0].lower()}{entry['why'][1:]}"
