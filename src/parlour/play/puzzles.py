"""Puzzles: positions of simulated deals in which one step is clearly the best, found and checked by the search."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache

from ..engine.core import Seeded
from ..engine.game import Game
from ..engine.search import Search
from ..engine.view import View
from ..players.hints import advise
from .sentences import Teller
from .sitting import Sitting

__all__ = ["FILE", "Puzzle", "check", "explained", "find", "of_the_day", "shelf", "sitting_of"]

FILE = "puzzles.json"
FIRST_TRIALS = 600  # of the search that looks at every position,
TRIALS = 4800  # of the searches that a puzzle must pass,
TIMES = 4  # as often,
DEEP_TRIALS = 48_000  # and of the check
LEAST_STEPS, MOST_STEPS = 3, 24
MARGIN = 0.03  # by which the best step must be better than the next, by the search's measure from −1 to 1
CLEAR = 0.05  # a margin that is called clear
SURE = 4.0  # standard errors of the difference by which it must be beyond nothing
APART = 8  # moves between two puzzles of a sitting
PER_SITTING = 2  # so that puzzles differ
EASY, MIDDLE, HARD = "easy", "middle", "hard"
FIRST_DAY = datetime.date(2026, 1, 1)


@dataclass(frozen=True)
class Puzzle:
    """A position by the seed of its sitting and the steps that lead there; its best step, and how clear that is."""

    seed: str
    steps: list[int]
    best: int
    margin: float  # over the second best step
    difficulty: str


# --- the shelf --------------------------------------------------------------------------------------------------------


@cache
def shelf(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game."""
    text = game.text(FILE)
    return () if text is None else tuple(Puzzle(**each) for each in json.loads(text)["puzzles"])


def written(game: Game, seed: str, puzzles: list[Puzzle]) -> str:
    """A shelf as its file has it, one puzzle a line."""
    lines = ",\n".join(json.dumps(asdict(each), separators=(",", ":")) for each in puzzles)
    head = json.dumps({"game": game.name, "rules": game.rules, "seed": seed})
    return head[:-1] + ', "puzzles": [\n' + lines + "\n]}\n"


def of_the_day(game: Game, day: datetime.date) -> int:
    """The number of the day's puzzle of a game, from 1: all are asked in turn."""
    return (day - FIRST_DAY).days % max(1, len(shelf(game))) + 1


def sitting_of(game: Game, puzzle: Puzzle) -> Sitting:
    """The sitting of a puzzle, where its seat is to choose."""
    sitting = Sitting(game, seed=puzzle.seed, track_beliefs=True)
    for step in puzzle.steps:
        sitting.play(step)
    return sitting


def explained(sitting: Sitting, puzzle: Puzzle, teller: Teller) -> str:
    """The best step of a puzzle and its reason, in a sentence with its clause."""
    game = sitting.game
    advice = advise(game, sitting.view(sitting.seat))
    if advice.hints[0].step != puzzle.best:
        return f"The best step is {game.step_name(puzzle.best)}."
    reason = teller.argue(advice.claims) if advice.claims else teller.refuse(advice.reason)
    return f"{reason} ({advice.clause})" if advice.clause else reason


# --- finding and checking ---------------------------------------------------------------------------------------------


def find(game: Game, seed: str, most: int, sittings: int = 3000) -> Iterator[Puzzle]:
    """Puzzles from simulated sittings between players by the heuristic, about as many of each difficulty.

    The same seed finds the same ones. Where one difficulty is too rare, there are fewer than asked for.
    """
    left = {each: most // 3 + (at < most % 3) for at, each in enumerate((EASY, MIDDLE, HARD))}
    for number in range(sittings):
        for puzzle in found_in(game, f"{seed} {number}", left):
            if left[puzzle.difficulty]:
                left[puzzle.difficulty] -= 1
                yield puzzle
        if not any(left.values()):
            return


def found_in(game: Game, seed: str, wanted: Mapping[str, int]) -> Iterator[Puzzle]:
    """The puzzles of one sitting, of the difficulties that are wanted."""
    sitting = Sitting(game, seed=seed, track_beliefs=True)
    search = Search(sitting.view(0))
    luck, steps, here, last = Seeded(len(seed), 1), list[int](), 0, -APART
    while not sitting.over and here < PER_SITTING:
        view, moves = sitting.view(sitting.seat), len(sitting.moves)
        if LEAST_STEPS <= len(view.legal()) <= MOST_STEPS and not sitting.prefix and moves >= last + APART:
            puzzle = judged(search, view, seed, steps, wanted)
            if puzzle is not None:
                yield puzzle
                here, last = here + 1, moves
        steps.append(view.heuristic(luck))
        sitting.play(steps[-1])


def judged(search: Search, view: View, seed: str, steps: list[int], wanted: Mapping[str, int]) -> Puzzle | None:
    """The puzzle of a position, where one step is the best in repeated searches, and clearly better than any other."""
    plan = view.heuristic(Seeded(1))
    first = clear(search, view, FIRST_TRIALS, 0, SURE / 2)
    if first is None or not (wanted.get(EASY) if first[0] == plan else wanted.get(MIDDLE) or wanted.get(HARD)):
        return None
    margin = 1.0
    for time in range(TIMES):
        found = clear(search, view, TRIALS, 1 + time, SURE)
        if found is None or found[0] != first[0]:
            return None
        margin = min(margin, found[1])
    # what the rules of thumb find too is easy; where they miss it, the margin says how hard it is to see
    difficulty = EASY if first[0] == plan else MIDDLE if margin >= CLEAR else HARD
    if margin < (CLEAR if difficulty == EASY else MARGIN):
        return None
    return Puzzle(seed, list(steps), first[0], round(margin, 3), difficulty)


def clear(search: Search, view: View, trials: int, number: int, sure: float) -> tuple[int, float] | None:
    """The best step and its margin over the second, weighed against it with luck of its own; None if it is unclear."""
    best = search.think(view, 5, number, trials)
    others = [one for one in search.candidates() if one.step != best]
    if not others:
        return None
    second = max(others, key=lambda one: (one.better, -one.step)).step
    weighed = search.weigh(view, best, second, 6, number, trials)
    return (best, weighed.better) if weighed.better > sure * weighed.doubt else None


def check(game: Game, puzzle: Puzzle, trials: int = DEEP_TRIALS) -> bool:
    """Whether a search that is ten times as deep finds the same step, and finds it better than the second."""
    sitting = sitting_of(game, puzzle)
    view = sitting.view(sitting.seat)
    found = clear(Search(view), view, trials, 99, 2.0)
    return found is not None and found[0] == puzzle.best
