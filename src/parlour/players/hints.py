"""Hints: the best steps for a view, the score and win chance expected of each, and why the first is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.core import Journal, Seeded, State
from ..engine.game import Game
from ..engine.search import Search
from ..engine.view import View
from ..engine.words import words_of

TRIALS = 4000
WORLDS = 160  # determinizations in which two steps are compared up to the seat's next turn


@dataclass(frozen=True)
class Hint:
    """A step by its name, with the score and the chance to win that are expected after this deal."""

    step: int
    name: str
    score: float
    win_chance: float
    tries: int


@dataclass(frozen=True)
class Advice:
    """Candidate steps, best first, and one sentence of reason with its clause."""

    hints: list[Hint]
    reason: str
    clause: str


def advise(game: Game, view: View, seed: int = 0, trials: int = TRIALS) -> Advice:
    """Search for the best step of a view; the same view and seed give the same advice."""
    search = Search(view)
    chosen = search.think(view, seed, view.moves, trials)
    found = sorted(search.candidates(), key=lambda one: (one.step != chosen, -one.better, one.step))
    if not found:
        only = Hint(chosen, game.step_name(chosen), 0.0, 0.0, 0)
        alone = len(view.legal()) == 1
        said = "there is nothing else to do" if alone else "a rule of thumb; what you have seen allows no deeper look"
        return Advice([only], sentence(only, said), "")
    hints = [Hint(one.step, game.step_name(one.step), one.score, one.win_chance, one.tries) for one in found]
    reason, clause = reason_for(game, view, hints, seed)
    return Advice(hints, sentence(hints[0], reason), clause)


def sentence(hint: Hint, reason: str) -> str:
    """A step and its reason as one sentence."""
    return f"{hint.name[0].upper()}{hint.name[1:]}: {reason}."


def reason_for(game: Game, view: View, hints: Sequence[Hint], seed: int) -> tuple[str, str]:
    """What the best step gains over the second before the seat's next turn and in the long run, with a clause."""
    best = hints[0]
    words = words_of(game)
    special = words.reason(view.fields(), best.name, game)
    if special is not None:
        return special
    second = hints[1]
    mine, clause = gains(game, view, best.step, seed)
    other, _ = gains(game, view, second.step, seed)
    later = further_on(best, second)
    differ = {name: (mine[name] - other[name]) / WORLDS for name in mine.keys() | other.keys()}
    most = max(differ, key=lambda name: (abs(differ[name]), name), default="")
    if not most or abs(differ[most]) < 0.1:
        if not later:
            return f"“{second.name}” is about as good", clause
        return f"by your next turn it gains no more than “{second.name}”, but {later}", clause
    unit = f" {words.UNITS[most]}" if most in words.UNITS else ""
    now = f"about {abs(differ[most]):.1f}{unit}"
    title = game.sheet.clause(most).title
    if differ[most] > 0:
        more = f", and {later}" if later else ""
        return f"by your next turn it gains {now} more than “{second.name}” ({title}){more}", most
    excuse = later or f"“{second.name}” is not clearly better in the long run"
    return f"by your next turn it gains {now} less than “{second.name}” ({title}), but {excuse}", most


def further_on(best: Hint, second: Hint) -> str:
    """How the best step compares with the second as far as the search looks ahead; empty where they are equal."""
    if best.score - second.score >= 0.05:
        return f"it is worth about {best.score - second.score:.1f} more in the long run"
    if best.win_chance - second.win_chance >= 0.01:
        points = round(100 * (best.win_chance - second.win_chance))
        return f"it raises your chance to win by {points} in 100"
    return ""


def gains(game: Game, view: View, step: int, seed: int) -> tuple[Counter[str], str]:
    """Everything a step gives the seat by its next turn, by clause, over all `WORLDS`; and the step's own clause."""
    came: Counter[str] = Counter()
    clause = ""
    luck = Seeded(seed, 1)
    for world in range(WORLDS):
        state = view.sample(luck)
        state.journal = journal = Journal()
        state.chance = Seeded(seed, world)
        sides = state.sides
        play_to_next_turn(game, view, state, step, luck)
        told = [game.told(row) for row in journal.rows()]
        clause = clause or game.clause_of(told[0])
        for entry in told:
            if amount := given_to(entry, view.seat, sides, game):
                came[game.clause_of(entry)] += amount
    return came, clause


def play_to_next_turn(game: Game, view: View, state: State, step: int, luck: Seeded) -> None:
    """Take a step, then let the heuristic policy play until the same seat decides again or the deal is over."""
    deals, turn = state.deals, state.seat
    state.play(step)
    while state.unfinished or (not state.over and state.seat != turn and state.deals == deals):
        sight = game.view_type(view.players, state.seat, view.options)
        state.play(sight.see(state).heuristic(luck))


def given_to(entry: Sequence[Any], seat: int, sides: int, game: Game) -> int:
    """How much an entry gives a seat: points, counters or cards; negative where it takes them away."""
    number = game.kinds[entry[0]]
    gives = game.entries[number].gives
    if not gives:
        return 0
    named = {field.type: value for field, value in zip(game.told_fields[number], entry[1:], strict=True)}
    owner = seat % sides if "side" in named else seat
    if named.get("side", named.get("seat")) != owner:
        return 0
    amount = next((named[type_] for type_ in ("points", "counters") if type_ in named), None)
    return gives * (len(named["cards"]) if amount is None else amount)
