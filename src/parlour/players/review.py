"""A review of a finished sitting for one seat: its choices judged by the search, and luck apart from skill.

A choice is judged through the view that the seat had: nothing is used that the seat could not know at the time. The
luck is measured afterwards, on the true positions: the result is split into what deals and draws gave, what the others'
choices gave, and what the seat's own choices gave (control variates, as in AIVAT).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist, mean, stdev
from typing import Any, NamedTuple

from ..engine.core import Journal
from ..engine.game import CHANCE, DECISION, Game
from ..engine.playout import outlook
from ..engine.search import Candidate, Search, Weighed
from ..engine.view import View
from ..engine.words import Claim, said
from ..records.record import open_record, read_decision
from .chances import Z, told
from .hints import hint_of, own_reason, plain_reason

__all__ = ["Luck", "Mark", "Review", "Reviewing", "review"]

SEED = 0x7265766965770A  # of all searches and rollouts: no secret of the sitting is in it
TRIALS = 4800  # of the search that looks at every choice, and of the comparison with what was played,
DEEP_TRIALS = 19200  # and of both where that finds a mistake: as many as the strongest level has
AGAIN = 1 << 40  # luck of their own for comparisons
LEAST = 0.01  # a difference that is smaller, by the search's measure from −1 to 1, is no mistake
LEAST_SCORE, LEAST_WIN = 0.05, 0.0005  # a difference that is smaller in both is told as 0.0
ERROR = 0.05  # the chance that any choice of a sitting is called a mistake by the luck of the samples alone
BATCHES = 8  # of rollouts, from which the doubt of the luck is estimated
ROLLOUTS = 64_000  # of a position, divided by the length of the sitting,
FEWEST, MOST = 64, 1024  # within these bounds
LONGEST = 2000  # moves of a sitting that can be reviewed
OWN, OTHERS, LUCK = "own", "others", "luck"


@dataclass(frozen=True)
class Mark:
    """A choice of the seat: what it played, what the best player would have, and what that would have been worth.

    `score` and `win` say by how much the best step is better, `score_within` and `win_within` half of their 95 %
    intervals. `lost` and `stake` are by the search's own measure: what the choice cost, and what there was to lose.
    """

    move: int  # the number of moves made before it
    within: int  # and of the steps of this move before it
    played: str
    best: str
    score: float = 0.0
    score_within: float = 0.0
    win: float = 0.0
    win_within: float = 0.0
    lost: float = 0.0
    doubt: float = 0.0  # one standard error of that
    stake: float = 0.0
    mistake: bool = False  # whether the difference is beyond the doubt of the whole review
    reason: str = ""
    clause: str = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Part:
    """A part of the result: of the chance to win, and of the score, each with half of its 95 % interval."""

    win: float = 0.0
    score: float = 0.0
    win_within: float = 0.0
    score_within: float = 0.0


@dataclass(frozen=True)
class Luck:
    """The result of a seat in parts: `start`, `luck`, `others` and `own` add up to `result`.

    `points` are the running sums for a plot: moves made, then luck, others and own, of the chance to win.
    """

    start: Part
    luck: Part
    others: Part
    own: Part
    result: Part
    points: list[tuple[int, float, float, float]]


@dataclass(frozen=True)
class Review:
    """A sitting as a seat played it: each of its real choices, its accuracy in percent, and its luck."""

    seat: int
    marks: list[Mark]
    unjudged: int  # choices for which no position was found that agrees with what the seat knew
    accuracy: float | None  # None where nothing was to be decided
    luck: Luck

    @property
    def mistakes(self) -> list[Mark]:
        """The choices that were worse than the best beyond doubt, the dearest first."""
        return sorted((mark for mark in self.marks if mark.mistake), key=lambda mark: -mark.lost)


class Turn(NamedTuple):
    """A moment of a sitting: whose (a seat, or −1 for chance), how many moves were made, and the step taken next."""

    seat: int
    moves: int
    within: int
    step: int


class Following:
    """A record played again from its log, with the view of one seat, which is told what that seat was told."""

    def __init__(self, record: Mapping[str, Any], seat: int) -> None:
        self.game, self.state, self.log = open_record(record)
        self.seat = seat
        self.view: View = self.game.view_type(self.state.players, seat, self.state.options)
        self.view.track_beliefs(trusting=True)
        self.journal = Journal()
        self.state.journal = self.journal

    def turns(self) -> Iterator[Turn]:
        """Every chance entry and every step, before it happens; one more at the end."""
        game, state, moves = self.game, self.state, 0
        state.begin(None)
        for entry in self.log:
            nature = game.entries[game.kinds[entry[0]]].nature
            if nature == CHANCE and state.awaits >= 0:
                yield Turn(-1, moves, 0, -1)
                state.give(game.read_items(entry[0], entry[-1]))
            elif nature == DECISION:
                seat = state.seat
                for within, step in enumerate(read_decision(game, state, entry)):
                    if not within:
                        self.tell()
                    yield Turn(seat, moves, within, step)
                    state.play(step)
                moves += 1
        self.tell()
        yield Turn(-1, moves, 0, -1)

    def tell(self) -> None:
        """Tell the view what has happened."""
        self.view.listen(self.journal)
        self.journal.clear()


class Reviewing:
    """The work of a review in pieces, each of which another process can do: first the choices, then the positions.

    `work(at)` does piece number `at` of `pieces`; `whole` makes the review of what all of them found.
    """

    def __init__(self, record: Mapping[str, Any], seat: int, size: int = 12) -> None:
        self.record, self.seat, self.size = record, seat, size
        self.game, state, _ = open_record(record)
        if not 0 <= seat < state.players:
            raise ValueError(f"The seats are 0 to {state.players - 1}, not {seat}.")
        following = Following(record, seat)
        self.choices = self.nodes = self.moves = 0
        before: int | None = None
        for turn in following.turns():
            self.moves = turn.moves
            self.choices += turn.seat == seat and len(following.state.legal()) > 1
            self.nodes += self._changes(before, turn)
            before = turn.seat
        if self.moves > LONGEST:
            raise ValueError(f"A sitting of more than {LONGEST:,} moves is too long for a review.")
        self.rollouts = max(FEWEST, min(MOST, ROLLOUTS // max(1, self.moves))) // BATCHES * BATCHES
        self.of_choices = math.ceil(self.choices / size)
        self.pieces = self.of_choices + math.ceil(self.nodes / (2 * size))

    def _changes(self, before: int | None, turn: Turn) -> bool:
        """Whether the position before a turn is valued: another kind of mover follows, or the end."""
        return before is None or self._mover(before) != self._mover(turn.seat) or turn.seat < 0

    def _mover(self, seat: int) -> str:
        return LUCK if seat < 0 else OWN if seat == self.seat else OTHERS

    def work(self, at: int) -> list[Any]:
        """One piece: marks (None for a choice that cannot be judged), or nodes."""
        if at < self.of_choices:
            first = at * self.size
            return self._judged(first, first + self.size)
        first = (at - self.of_choices) * 2 * self.size
        return self._valued(first, first + 2 * self.size)

    def _judged(self, first: int, end: int) -> list[Mark | None]:
        found: list[Mark | None] = []
        following, number = Following(self.record, self.seat), -1
        judge = Judge(self.game, following.view)
        for turn in following.turns():
            if turn.seat != self.seat or len(following.state.legal()) == 1:
                continue
            number += 1
            if number >= end:
                break
            if number >= first:
                found.append(judge.mark(following.view.see(following.state), turn))
        return found

    def _valued(self, first: int, end: int) -> list[Node]:
        found: list[Node] = []
        following, number = Following(self.record, self.seat), -1
        each = self.rollouts // BATCHES
        before: int | None = None
        for turn in following.turns():
            if self._changes(before, turn):
                number += 1
                if number >= end:
                    break
                if number >= first:
                    mover = "" if before is None else self._mover(before)
                    numbers = range(0, self.rollouts, each)
                    values = [outlook(following.state, following.view, self.seat, SEED, n, each) for n in numbers]
                    found.append(Node(turn.moves, mover, values))
            before = turn.seat
        return found

    def whole(self, found: Sequence[Sequence[Any]]) -> Review:
        """The review, of what all pieces found, in their order."""
        judged = [mark for piece in found[: self.of_choices] for mark in piece]
        marks = [mark for mark in judged if mark is not None]
        marks = beyond_doubt(marks)
        stake = math.fsum(mark.stake for mark in marks)
        lost = math.fsum(mark.lost for mark in marks)
        accuracy = min(100.0, max(0.0, 100.0 * (1 - lost / stake))) if stake > 0 else None
        nodes = [node for piece in found[self.of_choices :] for node in piece]
        return Review(self.seat, marks, len(judged) - len(marks), accuracy, luck_of(nodes))


def review(record: Mapping[str, Any], seat: int) -> Review:
    """The review of a record that replays; the same record and seat give the same review."""
    reviewing = Reviewing(record, seat)
    return reviewing.whole([reviewing.work(at) for at in range(reviewing.pieces)])


# --- choices ----------------------------------------------------------------------------------------------------------


class Judge:
    """Judges choices, each from the view that the seat had, and from nothing else."""

    def __init__(self, game: Game, view: View) -> None:
        self.game = game
        self.search = Search(view)

    def mark(self, view: View, turn: Turn) -> Mark | None:
        """A choice with what it cost; None where no position was found that agrees with the view."""
        step, game = turn.step, self.game
        made = Mark(turn.moves, turn.within, game.step_name(step), game.step_name(step))
        moment = (view.moves << 10) + view.unfinished
        best, found = self.best(view, moment, TRIALS)
        if not found:
            return None
        worths = [one.better for one in found.values()]
        made = replace(made, stake=max(worths) - min(worths))
        if best == step:
            return made
        weighed = self.search.weigh(view, best, step, SEED, AGAIN + moment, TRIALS)
        if weighed.better > max(LEAST, Z * weighed.doubt):
            best, found = self.best(view, moment, DEEP_TRIALS)
            if best == step:
                return made
            weighed = self.search.weigh(view, best, step, SEED, 2 * AGAIN + moment, DEEP_TRIALS)
        made = replace(made, best=game.step_name(best), lost=weighed.better, doubt=weighed.doubt)
        made = self.with_figures(view, made, found[best], weighed)
        if weighed.better <= max(LEAST, Z * weighed.doubt):
            return made
        return self.with_reason(view, made, [found[best], found.get(step) or found[best]], moment)

    def best(self, view: View, moment: int, trials: int) -> tuple[int, dict[int, Candidate]]:
        """The best step, and the findings on every step."""
        best = self.search.think(view, SEED, moment, trials)
        return best, {one.step: one for one in self.search.candidates()}

    def with_figures(self, view: View, made: Mark, best: Candidate, weighed: Weighed) -> Mark:
        """A mark with what the best step would have been worth, in chances as people are told them."""
        less = min(1.0, max(0.0, best.win_chance - weighed.win_chance))
        win = told(self.game, view, best.win_chance, 0.0).value - told(self.game, view, less, 0.0).value
        win_within = told(self.game, view, best.win_chance, weighed.win_error).within
        fitting = told(self.game, view, best.win_chance, 0.0).within  # is the same for both steps
        win_within = math.sqrt(max(0.0, win_within * win_within - fitting * fitting))
        within = Z * weighed.score_error
        return replace(made, score=weighed.score, score_within=within, win=win, win_within=win_within)

    def with_reason(self, view: View, made: Mark, steps: Sequence[Candidate], moment: int) -> Mark:
        """A mark with the reason why the best step is better than the one played."""
        hints = [hint_of(self.game, view, one) for one in steps]
        reason = own_reason(self.game, view, hints[0])
        if reason is not None:
            return replace(made, reason=said(self.game, reason), clause=reason.clause, claims=reason.claims)
        sentence, clause = plain_reason(self.game, view, hints, moment)
        return replace(made, reason=sentence, clause=clause)


def beyond_doubt(marks: Sequence[Mark]) -> list[Mark]:
    """The marks, those of them named mistakes that are worse than the best step beyond the doubt of all together."""
    count = max(1, sum(mark.played != mark.best for mark in marks))
    sure = NormalDist().inv_cdf(1 - ERROR / count)
    return [
        replace(mark, mistake=mark.lost > max(LEAST, sure * mark.doubt) and is_worth_telling(mark)) for mark in marks
    ]


def is_worth_telling(mark: Mark) -> bool:
    """Whether the better step shows in the figures that people are told: a tenth of a point, or of one percent."""
    return mark.score >= LEAST_SCORE or mark.win >= LEAST_WIN


# --- luck -------------------------------------------------------------------------------------------------------------


class Node(NamedTuple):
    """A position: the moves made, who led to it, and its value for the seat by batches of rollouts: wins, score."""

    moves: int
    mover: str
    values: list[tuple[float, float]]


def luck_of(nodes: Sequence[Node]) -> Luck:
    """The result in parts: what each kind of mover changed, from position to position."""
    parts: dict[str, list[list[float]]] = {name: [[0.0, 0.0] for _ in range(BATCHES)] for name in (LUCK, OTHERS, OWN)}
    points = [(nodes[0].moves, 0.0, 0.0, 0.0)]
    for before, node in pairwise(nodes):
        for batch, (was, now) in enumerate(zip(before.values, node.values, strict=True)):
            for i in range(2):
                parts[node.mover][batch][i] += now[i] - was[i]
        luck, others, own = (mean([batch[0] for batch in parts[name]]) for name in (LUCK, OTHERS, OWN))
        points.append((node.moves, luck, others, own))
    start, result = part_of(nodes[0].values), part_of(nodes[-1].values)
    return Luck(start, part_of(parts[LUCK]), part_of(parts[OTHERS]), part_of(parts[OWN]), result, points)


def part_of(batches: Sequence[Sequence[float]]) -> Part:
    """The mean of some batches, with its doubt."""
    wins, scores = [batch[0] for batch in batches], [batch[1] for batch in batches]
    return Part(mean(wins), mean(scores), *(Z * stdev(each) / math.sqrt(len(each)) for each in (wins, scores)))
