"""Hints: from a view, the steps worth thinking about, what may come of them, and why the best one is best."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .core import Journal, Seeded, View
from .game import Game
from .search import Candidate, Search

TRIALS = 4000
WORLDS = 40  # in which what follows at once is looked at


@dataclass(frozen=True)
class Hint:
    """A step by its name; the score and the chance to win that are expected after this deal."""

    step: int
    name: str
    score: float
    hope: float
    tries: int


@dataclass(frozen=True)
class Advice:
    """Candidate steps, the best first, and one sentence of reason with its clause."""

    hints: list[Hint]
    reason: str
    clause: str


def advise(game: Game, view: View, seed: int = 0, trials: int = TRIALS) -> Advice:
    """Think about the choice of a view; the same view and seed give the same advice."""
    search = Search(view)
    chosen = search.think(view, seed, view.moves, trials)
    found = sorted(search.candidates(), key=lambda one: (one.step != chosen, -one.tries, -one.better))
    if not found:
        found = [Candidate(chosen, 0, 0.0, 0.0, 0.0, 0.0, 0.0)]
    hints = [Hint(one.step, game.step_name(one.step), one.score, one.hope, one.tries) for one in found]
    reason, clause = reason_for(game, view, hints, seed)
    return Advice(hints, reason, clause)


def reason_for(game: Game, view: View, hints: list[Hint], seed: int) -> tuple[str, str]:
    """What the best step brings before the seat's next turn that the second does not, and what it is worth in all."""
    best = hints[0]
    mine, clause = follows(game, view, best.step, seed)
    if len(hints) == 1:
        return f"There is nothing to do but {best.name}.", clause
    second = hints[1]
    other, _ = follows(game, view, second.step, seed)
    in_all = compared(best, second)
    differ = {name: (mine[name] - other[name]) / WORLDS for name in mine.keys() | other.keys()}
    most = max(differ, key=lambda name: (abs(differ[name]), name), default="")
    if not most or abs(differ[most]) < 0.05:
        return f"Nothing comes of it at once; {in_all}.", clause
    verb = "brings" if differ[most] > 0 else "costs"
    title = game.sheet.clause(most).title
    return f"By your next turn it {verb} you {abs(differ[most]):.1f} on average ({title}); {in_all}.", most


def compared(best: Hint, second: Hint) -> str:
    """How the best step and the second compare, as far ahead as the search looks."""
    if best.score - second.score >= 0.05:
        return f"further on it is {best.score - second.score:.1f} better than {second.name}"
    if best.hope - second.hope >= 0.005:
        return f"further on it makes winning likelier by {100 * (best.hope - second.hope):.0f} % than {second.name}"
    return f"{second.name} is not surely better"


def follows(game: Game, view: View, step: int, seed: int) -> tuple[Counter[str], str]:
    """What comes to this seat by its next turn after a step, by clause, over some worlds; and the step's own clause."""
    came: Counter[str] = Counter()
    clause = ""
    luck = Seeded(seed, 1)
    for world in range(WORLDS):
        state = view.sample(luck)
        state.journal = journal = Journal()
        state.chance = Seeded(seed, world)
        deals, turn = state.deals, state.seat
        sides = len(state.scores())
        state.play(step)
        while state.unfinished or (not state.over and state.seat != turn and state.deals == deals):
            sight = game.view_type(view.players, state.seat, view.options)
            state.play(sight.see(state).advice(luck))
        told = [game.told(row) for row in journal.rows()]
        clause = clause or game.clause_of(told[0])
        for entry in told:
            came.update(worth_of(entry, view.seat, sides, game))
    return came, clause


def worth_of(entry: list[Any], seat: int, sides: int, game: Game) -> dict[str, float]:
    """What an entry brings a seat, by its clause: points, counters, or cards won."""
    kind, *values = entry
    if kind in ("score", "pool", "penalty") and values[0] in (seat, seat % sides):
        return {game.clause_of(entry): -values[1] if kind == "penalty" else values[1]}
    if kind in ("capture", "sweep") and values[0] == seat:
        return {game.clause_of(entry): len(values[-1] if kind == "capture" else values[1])}
    return {}
