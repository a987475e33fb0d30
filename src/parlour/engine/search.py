"""Information-set Monte Carlo tree search: the step that does best in many states that agree with a view."""

from __future__ import annotations

import math
from time import monotonic
from typing import Any, NamedTuple

from . import bitset, nogil
from .core import NogilTask, Seeded, State
from .errors import Refusal, warn_renamed
from .messages import say
from .net import Net
from .types import Step, Steps
from .view import View

__all__ = ["Candidate", "Search", "Weighed"]

EDGES = 32768  # room for the tree: beyond it the tree stops growing, and goes on learning
DEEPEST = 64
SPELL = 1024  # trials between two looks at the clock
EXPLORE = 0.7  # the weight of trying steps that are little known
CAUTION = 1.5  # standard errors by which a step must be better than the plan
OTHER = 0x5851F42D4C957F2D


class Candidate(NamedTuple):
    """A step that was searched, and what came of it."""

    step: Step
    tries: int
    better: float  # than the plan, from −1 to 1
    doubt: float  # one standard error of that
    win_chance: float  # the estimated chance to win the sitting
    score: float  # expected when the deal is over
    rise: float  # the chance to have scored in this deal
    win_error: float = 0.0  # one standard error of the win chance,
    score_error: float = 0.0  # and of the score

    @property
    def hope(self) -> float:
        """The old name of `win_chance`."""
        warn_renamed("Candidate.hope", "Candidate.win_chance")
        return self.win_chance


class Weighed(NamedTuple):
    """How much better one step is than another, the mean over so many sampled states, with standard errors."""

    worlds: int
    better: float  # by the search's own measure, from −1 to 1,
    doubt: float
    score: float  # by the score when the deal is over,
    score_error: float
    win_chance: float  # and by the estimated chance to win the sitting
    win_error: float


class Search(NogilTask):
    """One tree, used again for every choice at a table.

    The heuristic's step is the plan. Every sampled state (determinization) is played on from the plan and from each
    step still in the running, with the same luck, so that steps are compared by their effect and not by the cards
    (common random numbers). After each round the worse half of the steps is dropped (sequential halving). Below the
    first step a trial goes down the tree (UCT with priors), adds one step to it, and plays the rest of the deal by the
    heuristic. In the end a step replaces the plan only if it is better by `caution` standard errors. A tree deeper than
    its first step (`SearchProfile.depth`) is for games in which all see every step: it does not ask who saw what.
    """

    def __init__(self, view: View, caution: float = CAUTION, net: Net | None = None) -> None:
        self.caution = caution  # standard errors by which a step must be better than the plan
        self.net = net  # plans and plays on instead of the heuristic, if there is one
        if net is not None and net.inputs != view.width():
            raise ValueError(f"The net takes {net.inputs} numbers, and an observation here has {view.width()}.")
        profile = view.search_profile()
        self.scale = profile.scale  # a difference in score that one deal often makes
        self.ambition = profile.ambition  # the weight of winning, against gaining on the others
        self.tree_depth = profile.depth  # steps searched as a tree
        self.horizon = profile.horizon  # steps that the heuristic plays on beyond it
        self.world = view.new_state()  # the state that a trial plays on
        self.origin = view.new_state()  # the sampled state from which trials start
        self.truth = None  # type: State | None  # the true state, for an oracle
        self.view: Any = None  # the view whose step is searched
        self.sight = view.__class__(view.players, 0, view.options)  # by which the heuristic plays on, for all seats
        self.sight._attach(self.world)
        self.players = view.players  # how many play
        self.luck = Seeded()  # for samples and the heuristic
        self.chance = Seeded()  # serves chance in trials
        self.busy = False  # whether it is thinking
        self.done = 0  # trials made
        self.failed = 0  # trials for which no state was found
        self.first = [0] * 32768  # by node: its first edge
        self.step = [0] * 32768  # by edge: its step,
        self.seat = [0] * 32768  # the seat that takes it,
        self.count = [0] * 32768  # how often it was taken,
        self.next = [0] * 32768  # the next edge of its node,
        self.child = [0] * 32768  # the node that it leads to,
        self.total = [0.0] * 32768  # and the sum of its values
        self.path = [0] * 64  # the edges of this trial
        self.worth = [0.0] * 64  # by seat: the value of this trial
        self.tries = [0] * 64  # by step at the root: its trials,
        self.better = [0.0] * 64  # how much better than the plan it did, in sum,
        self.spread = [0.0] * 64  # and the squares of that
        self.win_chances = [0.0] * 64  # the chances to win,
        self.scores = [0.0] * 64  # the scores,
        self.rises = [0.0] * 64  # how often the score rose,
        self.win_squares = [0.0] * 64  # and the squares of the chances
        self.score_squares = [0.0] * 64  # and of the scores
        self.score_lead = 0.0  # of the plan over the others: its score,
        self.score_spread = 0.0  # the squares of that,
        self.chance_lead = 0.0  # its chance to win,
        self.chance_spread = 0.0  # and the squares of that

    # the question and the answer

    def think(
        self, view: View, seed: int, number: int, trials: int, truth: State | None = None, seconds: float = 0.0
    ) -> Step:
        """The step to take; the same view, seed, number and trials give the same step, unless `seconds` cut it short.

        If the true state is given (for an oracle), it is used instead of samples, but for the cards that nobody holds.
        """
        self._begin(view, seed, number, trials, truth)
        # the step to be improved on, from `base`
        self.plan = (view._heuristic(self.luck) if self.net is None else self.net._choose(view, self.luck)) - view.base
        self.alive = view.steps & ~bitset.one(self.plan)  # the steps still in the running, as a set
        self._clear()
        if self.alive:
            self._run(view, seconds)
        return self.base + self.choice()

    def weigh(self, view: View, step: Step, other: Step, seed: int, number: int, trials: int) -> Weighed:
        """How much better a step is than another: both are tried in the same sampled states, with the same luck.

        With luck of its own (`number`) this is free of the optimism with which the best of many steps is chosen.
        """
        self._begin(view, seed, number, trials, None)
        self.plan, at = step - view.base, other - view.base
        for one in (self.plan, at):
            if not 0 <= one < 64 or not (view.steps >> one) & 1:
                raise Refusal(say("no step", "There is no step {step:text}.", step=str(view.base + one)))
        if self.plan == at:
            return Weighed(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self.alive = bitset.one(at)
        self._clear()
        self._run(view, 0.0)
        tries = self.tries[at]
        if not tries:
            return Weighed(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        score, chance = self.score_lead / tries, self.chance_lead / tries
        unsure = error_of(score, self.score_spread, tries), error_of(chance, self.chance_spread, tries)
        return Weighed(tries, -self.better[at] / tries, self._doubt(at), score, unsure[0], chance, unsure[1])

    def _begin(self, view: View, seed: int, number: int, trials: int, truth: State | None) -> None:
        """Begin to think about a view."""
        self.check(view, truth)
        self.luck.restart(seed, number)
        self.seed = self.luck._next()  # of all samples and trials
        self.me = view.seat  # the seat that decides
        self.truth = truth
        self.view = view
        self.budget = trials  # how many trials there may be
        self.base = view.base  # the step that the first bit of the legal steps stands for

    def _run(self, view: View, seconds: float) -> None:
        """Make all trials, or as many as the time allows."""
        trials = self.budget
        self.busy = True
        view._attach(self.world)
        view._prepare()
        end = monotonic() + seconds
        try:
            while self.done + self.failed < trials and not (seconds and monotonic() > end):
                nogil.run(self, SPELL)
                bitset.items(0)  # a moment of plain Python, in which an interrupt is noticed
        finally:
            view._attach(None)
            self.view = None
            self.truth = None
            self.busy = False

    def check(self, view: View, truth: State | None) -> None:
        """Refuse views and states that this search was not made for."""
        if view is None or view.__class__ is not self.sight.__class__ or view.players != self.players:
            raise TypeError("A search serves views of the game and the number of players that it was made for.")
        if view.options != self.sight.options:
            raise TypeError("A search serves views of the options that it was made for.")
        if truth is not None and (truth.__class__ is not self.world.__class__ or truth.players != self.players):
            raise TypeError("The true state must be a state of the same game.")
        if view.to_act != view.seat or view.seat < 0:
            raise Refusal(say("not this seat", "It is not the turn of this seat."))
        if self.busy:
            raise RuntimeError("This search is running already; another thread needs one of its own.")

    def choice(self) -> Step:
        """The step that is surely better than the plan, by most; otherwise the plan."""
        best = self.plan
        most = 0.0
        for at in bitset.items(self.alive):
            if self.tries[at] > 1:
                surely = self.better[at] / self.tries[at] - self.caution * self._doubt(at)
                # a player who wants to win never takes a step that surely loses while another may win
                saves = self.ambition > 0.0 and self.win_chances[best] == 0.0 < self.win_chances[at]
                loses = self.ambition > 0.0 and self.win_chances[at] == 0.0 < self.win_chances[best]
                if saves or (surely > most and not loses):
                    most = max(surely, 0.0)
                    best = at
        return best

    def candidates(self) -> list[Candidate]:
        """The findings on every step of the last choice, the most searched first."""
        found = []
        for at in range(64):
            tries = self.tries[at]
            if tries:
                better = self.better[at] / tries
                chance, score, rise = self.win_chances[at] / tries, self.scores[at] / tries, self.rises[at] / tries
                unsure = error_of(chance, self.win_squares[at], tries), error_of(score, self.score_squares[at], tries)
                found.append(Candidate(self.base + at, tries, better, self._doubt(at), chance, score, rise, *unsure))
        return sorted(found, key=order_of_candidates)

    def _doubt(self, at: int) -> float:
        """One standard error of how much better a step is than the plan."""
        mean = self.better[at] / self.tries[at]
        return math.sqrt(max(0.0, self.spread[at] / self.tries[at] - mean * mean) / self.tries[at])

    # rounds of trials

    def _clear(self) -> None:
        self.nodes = 1  # nodes of the tree
        self.edges = 0  # edges of the tree
        self.first[0] = -1
        self.done = 0
        self.failed = 0
        self.number = 0  # states sampled
        self.worlds = 0  # states still to be sampled in this round
        self.left = 2 * bitset.count(self.alive)  # steps in the running; the first round gives up nothing
        self.rounds = 1  # rounds in all
        while (2 << self.rounds) < self.left:
            self.rounds += 1
        for at in range(64):
            self.tries[at] = 0
            self.better[at] = 0.0
            self.spread[at] = 0.0
            self.win_chances[at] = 0.0
            self.scores[at] = 0.0
            self.rises[at] = 0.0
            self.win_squares[at] = 0.0
            self.score_squares[at] = 0.0
        self.score_lead = 0.0
        self.score_spread = 0.0
        self.chance_lead = 0.0
        self.chance_spread = 0.0

    def _iterate(self, count: int) -> None:
        stop = min(self.budget, self.done + self.failed + count)
        while self.done + self.failed < stop:
            if self.worlds == 0:
                self._give_up_half()
            self.worlds -= 1
            self._compare()
            self.number += 1

    def _give_up_half(self) -> None:
        """Begin a round with the better half of the steps, in as many sampled states as the trials last for."""
        self.left = (self.left + 1) // 2
        found = 0
        for _ in range(self.left):
            best = -1
            rest = self.alive & ~found
            while rest:
                at = bitset.lowest(rest)
                rest &= rest - 1
                if best < 0 or self.better[at] > self.better[best]:
                    best = at
            found |= bitset.one(best)
        self.alive = found
        self.worlds = max(1, self.budget // (self.rounds * (self.left + 1)))

    def _compare(self) -> None:
        """Sample a state, and try the plan and every step still in the running in it."""
        self.luck._reseed(self.seed, self.number)
        if not self._meet():
            self.failed += 1
            return
        self.origin._fill(self.world)
        self._try_out(self.plan)
        planned = self.worth[self.me]
        score = self.world._score_of(self.me)
        chance = self.world._win_chance(self.me)
        rest = self.alive
        while rest:
            at = bitset.lowest(rest)
            rest &= rest - 1
            self._try_out(at)
            self.better[at] += self.worth[self.me] - planned
            self.spread[at] += (self.worth[self.me] - planned) * (self.worth[self.me] - planned)
            lead = score - self.world._score_of(self.me)
            self.score_lead += lead
            self.score_spread += lead * lead
            lead = chance - self.world._win_chance(self.me)
            self.chance_lead += lead
            self.chance_spread += lead * lead

    def _meet(self) -> bool:
        """Sample a state, or take the true one."""
        if self.truth is None:
            found: bool = self.view._determinize(self.luck)
            return found
        self.world._fill(self.truth)
        self.world._shuffle_unseen(self.luck)
        return True

    def _try_out(self, at: int) -> None:
        """Play the state on from a step."""
        self.done += 1
        self.world._fill(self.origin)
        self.luck._reseed(self.seed ^ OTHER, self.number)
        self.chance._reseed(self.seed ^ OTHER, self.number)
        self.deals = self.world.deals  # the deal in which the trial stays
        self.depth = 0  # steps taken in the tree
        self.length = 0  # steps taken beyond it
        before = self.world._score_of(self.me)
        self._take(self._edge_of(0, self.base + at))
        self._descend(self.child[self.path[0]])
        self._play_on()
        self._judge()
        self._learn()
        self.tries[at] += 1
        chance = self.world._win_chance(self.me)
        score = self.world._score_of(self.me)
        self.win_chances[at] += chance
        self.win_squares[at] += chance * chance
        self.scores[at] += score
        self.score_squares[at] += score * score
        if score > before:
            self.rises[at] += 1.0

    # the tree

    def _settled(self) -> bool:
        """Let chance serve; returns whether the deal is over."""
        while not self.world.over and self.world.deals == self.deals:
            if self.world.awaits < 0:
                return False
            self.chance._draw(self.world)
            self.world.awaits = -1
            self.world._receive()
        return True

    def _take(self, edge: int) -> None:
        self.path[self.depth] = edge
        self.depth += 1
        self.world._apply(self.step[edge])

    def _descend(self, node: int) -> None:
        """Down the tree, and one step beyond it."""
        while self.depth < min(DEEPEST, self.tree_depth) and not self._settled():
            steps = self.world._choices()
            if steps & (steps - 1):
                edge = self._select(node, steps)
                if edge < 0:
                    return
                self._take(edge)
                if self.count[edge] == 0:
                    return
                node = self.child[edge]
            else:
                self.world._apply(self.world.base + bitset.lowest(steps))

    def _select(self, node: int, steps: Steps) -> int:
        """The edge of the most promising step for the seat whose turn it is: known to be good, or little known."""
        open = steps
        visits = 0
        total = 0.0
        edge = self.first[node]
        while edge >= 0:
            if self._legal(edge, steps):
                open &= ~bitset.one(self.step[edge] - self.world.base)
                visits += self.count[edge]
                total += self.total[edge]
            edge = self.next[edge]
        urge = EXPLORE * math.sqrt(visits + 1.0) / bitset.count(steps)
        best = -1
        most = 0.0
        edge = self.first[node]
        while edge >= 0:
            if self._legal(edge, steps):
                promise = self.total[edge] / self.count[edge] + urge / (1.0 + self.count[edge])
                if best < 0 or promise > most:
                    most = promise
                    best = edge
            edge = self.next[edge]
        if open and self.edges < EDGES - 1 and (best < 0 or total / visits + urge > most):
            at = bitset.nth(open, self.luck._below(bitset.count(open)))
            return self._edge_of(node, self.world.base + at)
        return best

    def _legal(self, edge: int, steps: Steps) -> bool:
        """Whether a step of the tree can be taken in this state, by the seat that took it before."""
        at = self.step[edge] - self.world.base
        return self.seat[edge] == self.world.seat and 0 <= at < 64 and (steps >> at) & 1 != 0

    def _edge_of(self, node: int, step: Step) -> int:
        """A step at a node of the tree, added if it is not there yet."""
        edge = self.first[node]
        while edge >= 0:
            if self.seat[edge] == self.world.seat and self.step[edge] == step:
                return edge
            edge = self.next[edge]
        edge = self.edges
        self.edges += 1
        self.step[edge] = step
        self.seat[edge] = self.world.seat
        self.count[edge] = 0
        self.total[edge] = 0.0
        self.next[edge] = self.first[node]
        self.first[node] = edge
        self.child[edge] = self.nodes
        self.first[self.nodes] = -1
        self.nodes += 1
        return edge

    # beyond the tree

    def _play_on(self) -> None:
        """Play to the end of the deal, or to the horizon, by the heuristic or the net (the rollout)."""
        while self.length < self.horizon and not self._settled():
            self.length += 1
            self.sight.seat = self.world.seat
            self.sight._glance()
            steps = self.sight.steps
            if steps & (steps - 1) == 0:
                self.world._apply(self.sight.base + bitset.lowest(steps))
            elif self.net is not None:
                self.sight._look()
                self.world._apply(self.net._choose(self.sight, self.luck))
            else:
                self.world._apply(self.sight._heuristic(self.luck))

    def _judge(self) -> None:
        """The value for each seat, from 0 to 1: its chance to win the sitting, and its gain on the others."""
        mean = 0.0
        for seat in range(self.players):
            mean += (self.world._score_of(seat) - self.origin._score_of(seat)) / self.players
        for seat in range(self.players):
            lead = 0.5 + (self.world._score_of(seat) - self.origin._score_of(seat) - mean) / (2.0 * self.scale)
            lead = min(1.0, max(0.0, lead))
            self.worth[seat] = lead + self.ambition * (self.world._win_chance(seat) - lead)

    def _learn(self) -> None:
        """Add the value to every step on the way, for the seat that took it (backpropagation)."""
        for at in range(self.depth):
            edge = self.path[at]
            self.count[edge] += 1
            self.total[edge] += self.worth[self.seat[edge]]


def error_of(mean: float, squares: float, tries: int) -> float:
    """One standard error of a mean, from the sum of the squares."""
    return math.sqrt(max(0.0, squares / tries - mean * mean) / tries)


def order_of_candidates(found: Candidate) -> tuple[int, float, int]:
    return -found.tries, -found.better, found.step
