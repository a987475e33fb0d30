"""Hints: from a view, the steps worth thinking about, what may come of them, and why the best one is best."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..engine.core import Journal, Seeded
from ..engine.game import Game
from ..engine.search import Search
from ..engine.view import View
from ..games.sovereign.pack import COIN_PENCE

TRIALS = 4000
CHANGE = 240  # pence
WORLDS = 160  # in which what follows at once is looked at


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
    found = sorted(search.candidates(), key=lambda one: (one.step != chosen, -one.better, one.step))
    if not found:
        only = Hint(chosen, game.step_name(chosen), 0.0, 0.0, 0)
        alone = len(view.legal()) == 1
        said = "there is nothing else to do" if alone else "by rule of thumb; no more can be said from what was seen"
        return Advice([only], f"{only.name[0].upper()}{only.name[1:]}: {said}.", "")
    hints = [Hint(one.step, game.step_name(one.step), one.score, one.hope, one.tries) for one in found]
    reason, clause = reason_for(game, view, hints, seed)
    return Advice(hints, f"{hints[0].name[0].upper()}{hints[0].name[1:]}: {reason}.", clause)


def reason_for(game: Game, view: View, hints: list[Hint], seed: int) -> tuple[str, str]:
    """What the best step brings before the seat's next turn that the second does not, and its worth further on."""
    best = hints[0]
    if game.name == "sovereign" and best.name.startswith("throw "):
        return outs(view.fields()["coins"], best.name.removeprefix("throw "), game), "SOV-4"
    mine, clause = follows(game, view, best.step, seed)
    second = hints[1]
    other, _ = follows(game, view, second.step, seed)
    later = further_on(best, second)
    differ = {name: (mine[name] - other[name]) / WORLDS for name in mine.keys() | other.keys()}
    most = max(differ, key=lambda name: (abs(differ[name]), name), default="")
    if not most or abs(differ[most]) < 0.1:
        return f"nothing comes of it at once, but {later}" if later else f"to {second.name} is about as good", clause
    # HER-4, HER-8: what is won there are cards, not points
    unit = " cards" if most in ("HER-4", "HER-8") else ""
    now = f"about {abs(differ[most]):.1f}{unit}"
    title = game.sheet.clause(most).title
    if differ[most] > 0:
        more = f", and {later}" if later else ""
        return f"by your next turn it brings {now} more than to {second.name} ({title}){more}", most
    excuse = later or f"to {second.name} is not surely better further on"
    return f"by your next turn it brings {now} less than to {second.name} ({title}), but {excuse}", most


def further_on(best: Hint, second: Hint) -> str:
    """How the best step compares with the second as far ahead as the search looks, where there is a difference."""
    if best.score - second.score >= 0.05:
        return f"further on it is worth about {best.score - second.score:.1f} more than to {second.name}"
    if best.hope - second.hope >= 0.01:
        points = round(100 * (best.hope - second.hope))
        return f"further on it raises the chance to win by {points} in a hundred over what it is if you {second.name}"
    return ""


def outs(coins: dict[str, int], thrown: str, game: Game) -> str:
    """SOV-4: which coins would complete the change once one is thrown out."""
    left = [COIN_PENCE[code] for code, count in coins.items() for _ in range(count - (code == thrown))]
    sums = {sum(some) for size in range(len(left) + 1) for some in combinations(left, size)}
    if CHANGE in sums:
        return "the change stays whole, and the coin that comes instead may be the sovereign card"
    wanted = [game.card_names[code].lower() for code, pence in COIN_PENCE.items() if pence and CHANGE - pence in sums]
    if not wanted:
        return "no single coin would complete the change yet, and this one helps least"
    return f"without it a {' or a '.join(wanted)} would complete the change"


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
            state.play(sight.see(state).heuristic(luck))
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
