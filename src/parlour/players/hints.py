"""Hints: the best step for a view and why, in words; then the score and chance to win expected of every candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.core import Journal, Seeded, State
from ..engine.game import Game
from ..engine.messages import Message, say
from ..engine.search import Candidate, Search
from ..engine.view import View
from ..engine.words import Claim, Reason, said, words_of
from .chances import Z, told, told_by_scores

__all__ = ["Advice", "Hint", "advise"]

TRIALS = 4000
WORLDS = 160  # determinizations in which two steps are compared up to the seat's next turn


@dataclass(frozen=True)
class Hint:
    """A step by its name, with the score and the chance to win that are expected after this deal.

    The chance is calibrated (`chances`); `estimate` is the search's own. `within` is half of a 95 % interval.
    """

    step: int
    name: str
    score: float
    win_chance: float
    tries: int
    estimate: float = 0.0
    score_within: float = 0.0
    win_within: float = 0.0


@dataclass(frozen=True)
class Advice:
    """Candidate steps, best first, and one sentence of reason with its clause.

    `claims` are the parts of the reason by key, where the game itself gave one.
    """

    hints: list[Hint]
    reason: str
    clause: str
    claims: tuple[Claim, ...] = ()


def advise(game: Game, view: View, seed: int = 0, trials: int = TRIALS) -> Advice:
    """Search for the best step of a view; the same view and seed give the same advice."""
    search = Search(view)
    chosen = search.think(view, seed, view.moves, trials)
    found = sorted(search.candidates(), key=lambda one: (one.step != chosen, -one.better, one.step))
    hints = [hint_of(game, view, one) for one in found] or [only_hint(game, view, chosen)]
    if len(view.legal()) == 1:
        return Advice(hints, say("only", "There is nothing to decide here."), "")
    reason = own_reason(game, view, hints[0])
    if reason is not None:
        return Advice(hints, said(game, reason), reason.clause, reason.claims)
    if not found:
        how = "{step}: a rule of thumb; what you have seen allows no deeper look."
        return Advice(hints, say("thumb", how, step=hints[0].name), "")
    return Advice(hints, *plain_reason(game, view, hints, seed))


def hint_of(game: Game, view: View, found: Candidate) -> Hint:
    """A candidate of the search, with figures that people can be told."""
    chance = told(game, view, found.win_chance, found.win_error)
    name, wide = game.step_name(found.step), Z * found.score_error
    return Hint(found.step, name, found.score, chance.value, found.tries, found.win_chance, wide, chance.within)


def only_hint(game: Game, view: View, step: int) -> Hint:
    """A step that was not searched, with the chance that the scores alone give."""
    try:
        state = view.sample(Seeded())
    except ValueError:  # no position agrees with the view
        return Hint(step, game.step_name(step), 0.0, 0.0, 0)
    (chance,) = told_by_scores(game, view, state, [view.seat])
    score = float(state.scores()[view.seat % view.sides])
    return Hint(step, game.step_name(step), score, chance.value, 0, win_within=chance.within)


def own_reason(game: Game, view: View, best: Hint) -> Reason | None:
    """The reason that the game's own words give, from nothing but what the seat knows."""
    legal = [game.step_name(step) for step in view.legal()]
    return words_of(game).reason(view.fields() | {"options": view.options, "legal": legal}, best.name, game)


def plain_reason(game: Game, view: View, hints: Sequence[Hint], seed: int) -> tuple[Message, str]:
    """What the best step brings that the second does not, before the seat's next turn or later, with a clause."""
    best, second = hints[0], hints[1]
    mine, clause = gains(game, view, best.step, seed)
    other, _ = gains(game, view, second.step, seed)
    later = further_on(best, second)
    steps = {"step": best.name, "other": second.name}
    differ = {name: (mine[name] - other[name]) / WORLDS for name in mine.keys() | other.keys()}
    most = max(differ, key=lambda name: (abs(differ[name]), name), default="")
    if not most or abs(differ[most]) < 0.1:
        if not later:
            how = "{step}: it does about as well as “{other:step}”, and no other step does better."
            return say("as well", how, **steps), clause
        how = "{step}: by your next turn it brings no more than “{other:step}”, but it does better in the long run."
        return say("better later", how, **steps), clause
    steps["title"] = game.sheet.clause(most).title
    if unit := words_of(game).UNITS.get(most, ""):
        return counted_reason(steps, unit, differ[most] > 0, later), most
    if differ[most] > 0:
        how = "{step}: by your next turn it usually brings more than “{other:step}” ({title:text})."
        return say("more", how, **steps), most
    if later:
        how = (
            "{step}: by your next turn it usually brings less than “{other:step}” ({title:text}), but it does better "
            "in the long run."
        )
        return say("less now", how, **steps), most
    how = (
        "{step}: by your next turn it usually brings less than “{other:step}” ({title:text}), but “{other:step}” is "
        "not clearly better in the long run."
    )
    return say("less", how, **steps), most


def counted_reason(steps: Mapping[str, str], unit: str, more: bool, later: bool) -> Message:
    """What a step brings of something that is counted by itself, such as cards."""
    if more:
        how = "{step}: by your next turn it usually brings more {unit} than “{other:step}” ({title:text})."
        return say("more of", how, unit=unit, **steps)
    if later:
        how = (
            "{step}: by your next turn it usually brings fewer {unit} than “{other:step}” ({title:text}), but it does "
            "better in the long run."
        )
        return say("fewer now", how, unit=unit, **steps)
    how = (
        "{step}: by your next turn it usually brings fewer {unit} than “{other:step}” ({title:text}), but "
        "“{other:step}” is not clearly better in the long run."
    )
    return say("fewer", how, unit=unit, **steps)


def further_on(best: Hint, second: Hint) -> bool:
    """Whether the best step does better than the second as far as the search looks ahead."""
    return best.score - second.score >= 0.05 or best.win_chance - second.win_chance >= 0.01


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
        rows = [game.told(row) for row in journal.rows()]
        clause = clause or game.clause_of(rows[0])
        for entry in rows:
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
