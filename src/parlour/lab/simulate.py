"""Many sittings by bots: the same seed gives the same sittings, however many processes share the work."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..engine.core import Journal, Seeded, State
from ..engine.playout import play_by_heuristic, play_out
from ..games import game as game_of
from ..players.seats import Seating
from ..records.record import compose, drain, line_of
from ..util.pool import in_order
from .intervals import wilson

CHUNK = 64
REPORTS = 40  # sentences about external bots that are kept
IN_ONE_GO = ("random", "thumb")


def seed_number(seed: str | int) -> int:
    """A seed as a 64-bit number: whole numbers are themselves, other text is hashed."""
    try:
        return int(seed) & 0xFFFFFFFFFFFFFFFF
    except ValueError:
        text = f"parlour seed {seed}".encode("utf-8", "surrogateescape")
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


@dataclass
class Tally:
    """What many sittings came to; tallies add up in any order."""

    players: int
    scorers: int
    sittings: int = 0
    decisions: int = 0
    decisions_squared: int = 0
    shortest: int = 0
    longest: int = 0
    wins: list[int] = field(default_factory=list)
    shared: int = 0
    scores: list[int] = field(default_factory=list)
    scores_squared: list[int] = field(default_factory=list)
    forfeits: int = 0  # choices of external bots that fell to `first`
    reports: list[str] = field(default_factory=list)  # and why, as far as it is kept

    def __post_init__(self) -> None:
        self.wins = self.wins or [0] * self.players
        self.scores = self.scores or [0] * self.scorers
        self.scores_squared = self.scores_squared or [0] * self.scorers

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
        self.shared += len(winners) > self.players // self.scorers
        for scorer, score in enumerate(state.scores()):
            self.scores[scorer] += score
            self.scores_squared[scorer] += score * score

    def add(self, other: Tally) -> None:
        """Take in another tally."""
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
        """Everything, with 95 % intervals."""
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
class Work:
    """What one process needs to know to play its part."""

    game: str
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    recorded: bool


def play_sitting(state: State, chance: Seeded, seating: Seating, note: Callable[[], object]) -> None:
    """Play a sitting to its end; `note` is called after every step, when the seats have been told."""
    state.begin(chance)
    while True:
        if state.journal is not None:
            seating.tell(state.journal)
        note()
        if state.over:
            return
        state.play(seating.choose(state))


def play_chunk(work: Work, first: int, count: int) -> tuple[Tally, list[str]]:
    """Play some consecutive sittings; what they came to, and their records where they are wanted."""
    game = game_of(work.game)
    state = game.state_type(work.players, work.options)
    chance, luck = Seeded(), Seeded()
    # tables of one kind of simple player need no views of their own, and are played in one go
    alone = work.bots[0] if len(set(work.bots)) == 1 and not work.recorded else ""
    seating = Seating(game, work.players, work.options, work.bots)
    sight = game.view_type(work.players, 0, work.options)
    journal = Journal()
    if alone not in IN_ONE_GO:
        state.journal = journal
    tally = Tally(work.players, len(state.scores()))
    lines = []
    try:
        for number in range(first, first + count):
            chance.restart(work.seed, 2 * number)
            luck.restart(work.seed, 2 * number + 1)
            if alone == "random":
                play_out(state, chance, luck)
            elif alone == "thumb":
                play_by_heuristic(state, sight, chance, luck)
            else:
                seating.begin(work.seed, number)
                log: list[list[Any]] = []
                note = partial(drain, game, journal, log) if work.recorded else journal.clear
                play_sitting(state, chance, seating, note)
            if work.recorded:
                lines.append(line_of(compose(game, state, log, seed=work.seed, sitting=number, bots=list(work.bots))))
            tally.count(state)
    finally:
        seating.close()
    tally.forfeits = seating.forfeits()
    tally.reports = seating.reports()[:REPORTS]
    return tally, lines


def _chunk(task: tuple[Work, int, int]) -> tuple[Tally, list[str]]:
    return play_chunk(*task)


def simulate(
    work: Work,
    sittings: int,
    jobs: int = 1,
    write: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tally:
    """Play all sittings in chunks, in order, in this process or in several; memory does not grow with their number."""
    game = game_of(work.game)
    total = Tally(work.players, len(game.state_type(work.players, work.options).scores()))
    # chunks long enough to pay for their way between processes, short enough to show progress
    size = max(1, min(2048, math.ceil(sittings / (8 * jobs)))) if not work.recorded else CHUNK
    tasks = ((work, first, min(size, sittings - first)) for first in range(0, sittings, size))
    for tally, lines in in_order(_chunk, tasks, jobs):
        total.add(tally)
        if write is not None:
            for line in lines:
                write(line)
        if progress is not None:
            progress(total.sittings)
    return total
