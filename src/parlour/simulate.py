"""Many sittings by bots: the same seed gives the same sittings, however many processes share the work."""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .bots import BOTS, Blind, First, Random
from .core import Journal, Seeded, State, play_out
from .games import game as game_of
from .record import compose, drain, line_of

CHUNK = 64


def seed_number(seed: str | int) -> int:
    """A seed as a 64-bit number: whole numbers are themselves, other text is hashed."""
    try:
        return int(seed) & 0xFFFFFFFFFFFFFFFF
    except ValueError:
        text = f"parlour seed {seed}".encode("utf-8", "surrogateescape")
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def bots_for(text: str, players: int) -> list[str]:
    """The bots named in a list, one a seat; a shorter list goes round."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise ValueError(f"There is no bot called {name!r:.40}; the bots are {', '.join(BOTS)}.")
    if len(names) > players:
        raise ValueError(f"{len(names)} bots are named for {players} players.")
    return [names[seat % len(names)] for seat in range(players)]


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
        }


def wilson(wins: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    z = 1.96
    share = wins / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Work:
    """What one process needs to know to play its part."""

    game: str
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    recorded: bool


def seat_bots(names: Sequence[str], luck: Seeded) -> list[Blind]:
    """The bots of a sitting; all that are random draw from one stream."""
    made: dict[str, Blind] = {"random": Random(luck), "first": First()}
    return [made[name] for name in names]


def play_sitting(state: State, chance: Seeded, bots: Sequence[Blind], note: Callable[[], object]) -> None:
    """Play a sitting to its end; `note` is called after every step."""
    state.begin(chance)
    note()
    while not state.over:
        state.play(bots[state.seat].pick(state.legal()))
        note()


def play_chunk(work: Work, first: int, count: int) -> tuple[Tally, list[str]]:
    """Play some consecutive sittings; what they came to, and their records where they are wanted."""
    game = game_of(work.game)
    state = game.state_type(work.players, work.options)
    chance, luck = Seeded(), Seeded()
    bots = seat_bots(work.bots, luck)
    journal = Journal()
    if work.recorded:
        state.journal = journal
    tally = Tally(work.players, len(state.scores()))
    lines = []
    for number in range(first, first + count):
        chance.restart(work.seed, 2 * number)
        luck.restart(work.seed, 2 * number + 1)
        if work.recorded:
            log: list[list[Any]] = []
            play_sitting(state, chance, bots, partial(drain, game, journal, log))
            lines.append(line_of(compose(game, state, log, seed=work.seed, sitting=number, bots=list(work.bots))))
        elif set(work.bots) == {"random"}:
            play_out(state, chance, luck)
        else:
            play_sitting(state, chance, bots, journal.clear)
        tally.count(state)
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
    for tally, lines in _results(tasks, jobs):
        total.add(tally)
        if write is not None:
            for line in lines:
                write(line)
        if progress is not None:
            progress(total.sittings)
    return total


def _results(tasks: Iterator[tuple[Work, int, int]], jobs: int) -> Iterator[tuple[Tally, list[str]]]:
    if jobs == 1:
        yield from map(_chunk, tasks)
        return
    # an interrupt is for the one who waits for the results
    quiet = (signal.SIGINT, signal.SIG_IGN)
    with multiprocessing.get_context("spawn").Pool(jobs, signal.signal, quiet) as pool:
        # a window of tasks, so that no more results are held than are being made
        waiting: list[Any] = []
        for task in tasks:
            waiting.append(pool.apply_async(_chunk, (task,)))
            if len(waiting) >= 4 * jobs:
                yield waiting.pop(0).get()
        for result in waiting:
            yield result.get()
