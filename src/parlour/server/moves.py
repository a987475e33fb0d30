"""Moves step by step: which steps can be taken, which of them complete the move, and where some of them lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..engine.core import Journal, State
from ..engine.errors import Refusal
from ..engine.game import DECISION, Game
from ..engine.messages import say
from ..engine.view import View

MOST_TRIED = 40  # ways to complete a move


class LegalStep(NamedTuple):
    """A step that can be taken now; `whole` where it completes the move."""

    step: int
    name: str
    whole: bool


class Ahead(NamedTuple):
    """Where some steps of a move lead: to further steps and a view within the move, or to the decision they make.

    `only` are steps that complete the move, where every way to complete it makes the same decision.
    """

    legal: list[LegalStep]
    view: dict[str, Any] | None = None
    decision: list[Any] | None = None
    only: tuple[str, ...] = ()
    seen: View | None = None  # within the move


def legal_steps(game: Game, state: State) -> list[LegalStep]:
    """The steps that the seat to decide can take."""
    return [LegalStep(step, game.step_name(step), state.completes(step)) for step in state.legal()]


def step_number(game: Game, step: int | str) -> int:
    """A step that is given by number or by name."""
    if isinstance(step, int):
        if step >= len(game.step_names):
            raise Refusal(say("other step", "{step:text} is not a step of {game:text}.", step=step, game=game.title))
        return step
    if step not in game.step_names:
        how = "{step:text} is not a step of {game:text}."
        raise Refusal(say("other step", how, step=f"{step!a:.60}", game=game.title))
    return game.step_names.index(step)


def tried(game: Game, state: State, steps: Sequence[int], journal: Journal | None = None) -> State:
    """A copy of a state after some steps of one move; a step beyond its end is refused."""
    trial = state.copy()
    trial.journal = journal
    for at, step in enumerate(steps):
        if at and not trial.unfinished:
            raise Refusal(say("whole before", "The move was whole before {step:text}.", step=game.step_name(step)))
        trial.play(step)
    return trial


def look_ahead(game: Game, state: State, seat: int, steps: Sequence[int]) -> Ahead:
    """Where some steps of a seat's move lead.

    Of a whole move only the decision is told: what results from it, such as a card that is drawn, is not known before
    the move is made.
    """
    journal = Journal()
    then = tried(game, state, steps, journal)
    if steps and not then.unfinished:
        return Ahead([], decision=decision_in(game, journal))
    only = tuple(game.step_name(step) for step in only_way(game, then)) if steps else ()
    view = game.view(then, seat)
    return Ahead(legal_steps(game, then), fields_now(view), only=only, seen=view)


def decision_in(game: Game, journal: Journal) -> list[Any]:
    """The decision that a whole move has made."""
    return game.told(next(row for row in journal.rows() if game.entries[row[0]].nature == DECISION))


def only_way(game: Game, state: State) -> list[int]:
    """Steps that complete an unfinished move, if all ways to complete it make one decision; none if there is a choice.

    After so many tries it is taken for a choice.
    """
    found: list[int] = []
    decision: list[Any] | None = None
    waiting: list[list[int]] = [[]]
    for _ in range(MOST_TRIED):
        if not waiting:
            return found
        steps = waiting.pop()
        journal = Journal()
        then = tried(game, state, steps, journal)
        if then.unfinished:
            waiting += [[*steps, step] for step in then.legal()]
            continue
        made = decision_in(game, journal)
        if decision is not None and made != decision:
            return []
        found, decision = steps, made
    return []


def fields_now(view: View) -> dict[str, Any]:
    """The fields of a view that has just been made, and so remembers nothing."""
    remembered = {field.name for field in view.FIELDS if field.remembered}
    return {name: value for name, value in view.fields().items() if name not in remembered}
