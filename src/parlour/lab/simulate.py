"""Many sittings between bots: the same seed gives the same sittings, however many processes share the work."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from ..engine import bitset
from ..engine.core import Journal, Seeded, State
from ..engine.plain import PlainState, raise_failure
from ..engine.scribe import play_table
from ..games import game as game_of
from ..players.bots import Bot
from ..players.external import External
from ..players.names import Player, around, called
from ..players.seats import Seating, faults
from ..records.record import Lines
from ..records.tidy import Rolls, Rows, Table
from ..util.pool import in_order
from .intervals import wilson

__all__ = ["Simulation", "Tally", "seed_number", "simulate"]

CHUNK = 64  # recorded sittings that a process plays before it hands them over
TOGETHER = 64  # sittings played side by side where a bot chooses for many at once
REPORTS = 40  # sentences about external bots, at most
FAST_BOTS = ("random", "thumb")  # played in one compiled call for a whole sitting
Written = bytes | Rolls  # records: whole lines, or rows of a tidy table


def seed_number(seed: str | int) -> int:
    """A seed as a 64-bit number: an integer as it is, other text hashed."""
    try:
        return int(seed) & 0xFFFFFFFFFFFFFFFF
    except ValueError:
        text = f"parlour seed {seed}".encode("utf-8", "surrogateescape")
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


@dataclass
class Tally:
    """The results of many sittings, added up; tallies can be merged in any order."""

    players: int
    sides: int
    sittings: int = 0
    decisions: int = 0
    decisions_squared: int = 0
    shortest: int = 0
    longest: int = 0
    wins: list[int] = field(default_factory=list)
    shared: int = 0
    scores: list[int] = field(default_factory=list)
    scores_squared: list[int] = field(default_factory=list)
    forfeits: int = 0  # choices that an external bot failed to make, so that `first` made them
    reports: list[str] = field(default_factory=list)  # why, for the first of them

    def __post_init__(self) -> None:
        self.wins = self.wins or [0] * self.players
        self.scores = self.scores or [0] * self.sides
        self.scores_squared = self.scores_squared or [0] * self.sides

    def count(self, state: State) -> None:
        """Count a finished sitting."""
        moves, winners = state.moves, state.winners()
        self.shortest = moves if not self.sittings else min(self.shortest, moves)
        self.longest = max(self.longest, moves)
        self.sittings += 1
        self.decisions += moves
        self.decisions_squared += moves * moves
        for seat in winners:
            self.wins[seat] += 1
        self.shared += len(winners) > self.players // self.sides
        for side, score in enumerate(state.scores()):
            self.scores[side] += score
            self.scores_squared[side] += score * score

    def add(self, other: Tally) -> None:
        """Merge another tally into this one."""
        self.shortest = min(self.shortest, other.shortest) if self.sittings else other.shortest
        self.longest = max(self.longest, other.longest)
        self.sittings += other.sittings
        self.decisions += other.decisions
        self.decisions_squared += other.decisions_squared
        self.shared += other.shared
        self.forfeits += other.forfeits
        self.reports = (self.reports + other.reports)[:REPORTS]
        for mine, theirs in ((self.wins, other.wins), (self.scores, other.scores)):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]
        self.scores_squared = [a + b for a, b in zip(self.scores_squared, other.scores_squared, strict=True)]

    def mean(self, total: int, squares: int) -> tuple[float, float]:
        """A mean and the half-width of its 95 % interval."""
        mean = total / self.sittings
        variance = max(0.0, squares / self.sittings - mean * mean)
        return mean, 1.96 * math.sqrt(variance / self.sittings)

    def report(self) -> dict[str, Any]:
        """The results with their 95 % intervals."""
        decisions, spread = self.mean(self.decisions, self.decisions_squared)
        return {
            "sittings": self.sittings,
            "wins": [
                {"seat": seat, "wins": wins, "share": wins / self.sittings, "interval": wilson(wins, self.sittings)}
                for seat, wins in enumerate(self.wins)
            ],
            "shared": self.shared,
            "scores": [
                dict(zip(("mean", "within"), self.mean(total, squares), strict=True))
                for total, squares in zip(self.scores, self.scores_squared, strict=True)
            ],
            "decisions": {"all": self.decisions, "mean": decisions, "within": spread},
            "length": {"shortest": self.shortest, "longest": self.longest},
            "forfeits": {"choices": self.forfeits, "reports": self.reports},
        }


@dataclass(frozen=True)
class Simulation:
    """What is simulated: everything a process needs to play some of the sittings.

    >>> tally = simulate(Simulation.of("heraldry", ["thumb", "random"], players=2, seed=1), sittings=20)
    >>> tally.sittings, sum(tally.wins) >= 20
    (20, True)
    """

    game: str
    players: int
    options: dict[str, Any]
    bots: tuple[Player, ...]
    seed: int
    recorded: bool = False
    tidy: bool = False  # recorded as rows of a tidy table, not as lines

    @classmethod
    def of(
        cls,
        game: str,
        bots: Sequence[Player] = ("random",),
        *,
        players: int | None = None,
        seed: str | int = 1,
        recorded: bool = False,
        **options: Any,
    ) -> Simulation:
        """A simulation with some bots, by name or as objects: `Simulation.of("heraldry", ["thumb", MyBot()])`."""
        known = game_of(game)
        count = known.sheet.usual if players is None else players
        values = known.options_for(count, options)
        return cls(known.name, count, values, around(bots, count), seed_number(seed), recorded)

    @property
    def names(self) -> list[str]:
        """What its bots are called."""
        return [called(bot) for bot in self.bots]

    def notes(self) -> Lines | Rows | None:
        """What its records are written with, where they are wanted."""
        if not self.recorded:
            return None
        game = game_of(self.game)
        return Rows(game) if self.tidy else Lines(game, self.beside)

    def beside(self, number: int) -> dict[str, Any]:
        """What stands beside the log in the record of a sitting."""
        return {"seed": self.seed, "sitting": number, "bots": self.names}


def tidy_table(file: IO[bytes], work: Simulation) -> Table:
    """A Parquet file for the records of a simulation, which says in its metadata what was simulated."""
    game = game_of(work.game)
    return Table(file, game, game.state_type(work.players, work.options), seed=work.seed, bots=work.names)


class Lane:
    """A place where one sitting after another is played, step by step."""

    def __init__(self, simulation: Simulation, shared: dict[Any, Bot]) -> None:
        game = game_of(simulation.game)
        self.simulation = simulation
        self.game = game
        self.state = game.state_type(simulation.players, simulation.options)
        self.state.journal = Journal()
        self.seating = Seating(game, simulation.players, simulation.options, simulation.bots, shared)
        self.chance = Seeded()
        self.number = -1  # of the sitting; −1 before the first
        self.notes = simulation.notes()

    def begin(self, number: int) -> None:
        """Begin a sitting."""
        self.number = number
        self.chance.restart(self.simulation.seed, 2 * number)
        self.seating.begin(self.simulation.seed, number)
        if self.notes is not None:
            self.notes.begin(self.state, number)
        self.state.begin(self.chance)
        self._tell()

    def play(self, step: int) -> None:
        """Take a step."""
        self.state.play(step)
        self._tell()

    def play_on(self) -> Bot | None:
        """Play until a bot decides that chooses for many at once, or to the end: None."""
        state, seating = self.state, self.seating
        while not state.over:
            bot = seating.bots[state.seat]
            if bot.gathers:
                return bot
            self.play(seating.choose(state))
        return None

    def _tell(self) -> None:
        journal = self.state.journal
        assert journal is not None
        self.seating.tell(journal)
        if self.notes is not None:
            self.notes.scribe.copy(journal)
        else:
            journal.clear()

    def written(self) -> Written | None:
        """The record of the sitting that is over, where one is kept."""
        if self.notes is None:
            return None
        self.notes.end(self.state)
        return self.notes.take()


def play_sitting(state: State, chance: Seeded, seating: Seating, note: Callable[[], object]) -> None:
    """Play a sitting to its end; `note` is called after every step, once the seats have been told of it."""
    state.begin(chance)
    while True:
        if state.journal is not None:
            seating.tell(state.journal)
        note()
        if state.over:
            return
        state.play(seating.choose(state))


def play_chunk(simulation: Simulation, first: int, count: int) -> tuple[Tally, list[Written]]:
    """Play consecutive sittings; their tally, and their records where they are wanted."""
    if all(isinstance(bot, str) and bot in FAST_BOTS for bot in simulation.bots):
        return play_fast(simulation, first, count)
    return play_seated(simulation, range(first, first + count))


def play_fast(simulation: Simulation, first: int, count: int) -> tuple[Tally, list[Written]]:
    """Play sittings of fast bots, which need no view for each seat, and write their records, without leaving C."""
    game, players = game_of(simulation.game), simulation.players
    state = game.state_type(players, simulation.options)
    view = game.view_type(players, 0, simulation.options)
    notes = simulation.notes()
    if notes is not None:
        state.journal = Journal()
    thumbs = bitset.union(seat for seat, bot in enumerate(simulation.bots) if bot == "thumb")
    chance, luck, own = Seeded(), Seeded(), Seeded()
    tally = Tally(players, state.sides)
    for number in range(first, first + count):
        chance.restart(simulation.seed, 2 * number)
        luck.restart(simulation.seed, 2 * number + 1)
        own.restart(simulation.seed, 2 * number + 1)
        if notes is not None:
            notes.begin(state, number)
        play_table(state, view, thumbs, chance, luck, own, notes.scribe if notes is not None else None)
        if isinstance(state, PlainState):
            raise_failure(state)
            raise_failure(view)
        tally.count(state)
        if notes is not None:
            notes.end(state)
    return tally, [notes.take()] if notes is not None else []


def play_seated(simulation: Simulation, numbers: Sequence[int]) -> tuple[Tally, list[Written]]:
    """Play sittings decision by decision, many side by side where a bot chooses for many at once."""
    shared: dict[Any, Bot] = {}
    lanes = [Lane(simulation, shared)]
    if shared and not any(isinstance(bot, External) for bot in lanes[0].seating.bots):  # these have a process each
        lanes += [Lane(simulation, shared) for _ in range(min(TOGETHER, len(numbers)) - 1)]
    tally = Tally(simulation.players, lanes[0].state.sides)
    written: dict[int, Written] = {}
    left = iter(numbers)

    def next_choice(lane: Lane) -> Bot | None:
        """Play on, from sitting to sitting, until a bot decides that chooses for many at once."""
        while True:
            if lane.number >= 0:
                if bot := lane.play_on():
                    return bot
                tally.count(lane.state)
                if (record := lane.written()) is not None:
                    written[lane.number] = record
            number = next(left, None)
            if number is None:
                return None
            lane.begin(number)

    try:
        waiting = [(lane, next_choice(lane)) for lane in lanes]
        while waiting := [(lane, bot) for lane, bot in waiting if bot is not None]:
            for bot in dict.fromkeys(bot for _, bot in waiting):
                asking = [lane for lane, asked in waiting if asked is bot]
                steps = bot.choose_many([lane.seating.look(lane.state) for lane in asking])
                for lane, step in zip(asking, steps, strict=True):
                    lane.play(step)
            waiting = [(lane, next_choice(lane)) for lane, _ in waiting]
        tally.forfeits, tally.reports = faults(bot for lane in lanes for bot in lane.seating.bots)
    finally:
        for lane in lanes:
            lane.seating.close()
    return tally, [written[number] for number in sorted(written)]


def _chunk(task: tuple[Simulation, int, int]) -> tuple[Tally, list[Written]]:
    return play_chunk(*task)


def simulate(
    simulation: Simulation,
    sittings: int,
    jobs: int = 1,
    write: Callable[[Any], object] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tally:
    """Play all sittings in chunks, in order, in this process or in several; memory does not grow with their number.

    `write` is given the records as they come, those of one or more sittings each time: as lines (bytes), or as the rows
    that a `tidy.Table` takes.
    """
    state = game_of(simulation.game).state_type(simulation.players, simulation.options)
    total = Tally(simulation.players, state.sides)
    # long enough to be worth sending to a process, short enough to show progress
    size = max(1, min(2048, math.ceil(sittings / (8 * jobs)))) if not simulation.recorded else CHUNK
    tasks = ((simulation, first, min(size, sittings - first)) for first in range(0, sittings, size))
    for tally, written in in_order(_chunk, tasks, jobs):
        total.add(tally)
        if write is not None:
            for records in written:
                write(records)
        if progress is not None:
            progress(total.sittings)
    return total
