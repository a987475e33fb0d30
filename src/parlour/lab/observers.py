"""Fast playouts and the observers that watch them, each adding up the sums that metrics are computed from."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import bitset
from ..engine.bitset import WORD
from ..engine.core import Seeded, State
from ..engine.types import Step
from ..engine.view import View

SLIP_PARTS = 1024  # slips are counted in parts of 1024


class Observer:
    """Watches sittings and adds to its sums, which mean the same over any set of sittings."""

    def __init__(self, players: int, partners: int = 1) -> None:
        self.players = players
        self.partners = partners  # seats on a side, which win together
        self.sums = [0.0] * 53  # room for one a seat, and one more

    def names(self) -> list[str]:
        """The name of each sum."""
        raise NotImplementedError

    def totals(self) -> dict[str, float]:
        """The sums by name."""
        return {name: self.sums[at] for at, name in enumerate(self.names())}

    def _begin(self, state: State) -> None:
        """A sitting begins."""

    def _decide(self, state: State, steps: int) -> None:
        """A seat is about to take one of this many steps; `state.unfinished` from the second step of a decision on."""

    def _end(self, state: State) -> None:
        """The sitting is over."""

    def _winners(self, state: State) -> int:
        """How many seats have won."""
        winners = 0
        for seat in range(self.players):
            if state._win_chance(seat) > 0.0:
                winners += 1
        return winners


class Endings(Observer):
    """How sittings end, and how long they are."""

    def names(self) -> list[str]:
        return ["sittings", "cut", "shared", "decisions", "deals"]

    def _end(self, state: State) -> None:
        self.sums[0] += 1.0
        if state.cut:
            self.sums[1] += 1.0
        if self._winners(state) > self.partners:
            self.sums[2] += 1.0
        self.sums[3] += state.moves
        self.sums[4] += state.deals


class Places(Observer):
    """What each side wins, counted from the side that decides first; winners share a win equally."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.sides = players // partners
        self.first = -1  # the side that decided first

    def names(self) -> list[str]:
        return [*(f"won {place}" for place in range(self.sides)), "won squared"]

    def _begin(self, state: State) -> None:
        self.first = -1

    def _decide(self, state: State, steps: int) -> None:
        if self.first < 0:
            self.first = state.seat
            while self.first >= self.sides:
                self.first -= self.sides

    def _end(self, state: State) -> None:
        # partners sit `sides` apart, so the first seats stand for all sides
        share = (self.partners + 0.0) / self._winners(state)
        for side in range(self.sides):
            if state._win_chance(side) > 0.0:
                place = side - self.first
                self.sums[place if place >= 0 else place + self.sides] += share
        self.sums[self.sides] += share


class Leads(Observer):
    """Which seats lead before each decision, by `State.win_chance`: the scores alone, which all can see."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.leader = -1
        self.changes = 0  # of the lead
        self.seen = 0  # decisions so far
        self.chances = [0.0] * 52
        self.behind = [0.0] * 52  # by seat: the leader's chance less its own, added up over decisions
        self.since = [0] * 52  # by seat: the decision since which it leads

    def names(self) -> list[str]:
        return ["drama", "lead changes", "decided"]

    def _begin(self, state: State) -> None:
        self.leader = -1
        self.changes = 0
        self.seen = 0
        for seat in range(self.players):
            self.behind[seat] = 0.0
            self.since[seat] = -1

    def _decide(self, state: State, steps: int) -> None:
        if state.unfinished:
            return
        most = 0.0
        least = 1.0
        for seat in range(self.players):
            self.chances[seat] = state._win_chance(seat)
            most = max(most, self.chances[seat])
            least = min(least, self.chances[seat])
        for seat in range(self.players):
            self.behind[seat] += most - self.chances[seat]
            # where all are level nobody leads
            if self.chances[seat] < most or least == most:
                self.since[seat] = -1
            elif self.since[seat] < 0:
                self.since[seat] = self.seen
        if least < most and (self.leader < 0 or self.chances[self.leader] < most):
            if self.leader >= 0:
                self.changes += 1
            self.leader = 0
            while self.chances[self.leader] < most:
                self.leader += 1
        self.seen += 1

    def _end(self, state: State) -> None:
        share = 1.0 / (self._winners(state) * self.seen)
        for seat in range(self.players):
            if state._win_chance(seat) > 0.0:
                self.sums[0] += self.behind[seat] * share
                if self.since[seat] >= 0:
                    self.sums[2] += (self.seen - self.since[seat]) * share
        if self.leader >= 0 and state._win_chance(self.leader) == 0.0:
            self.changes += 1  # the last decision took the lead away
        self.sums[1] += self.changes


class Choices(Observer):
    """How many steps there are to choose from."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.decisions = 0
        self.real = 0  # decisions with more than one possible step
        self.steps = 0  # steps taken
        self.open = 0  # steps possible, added up over the steps taken
        self.counted = False  # whether the current decision is counted as real

    def names(self) -> list[str]:
        return ["real", "branching"]

    def _begin(self, state: State) -> None:
        self.decisions = 0
        self.real = 0
        self.steps = 0
        self.open = 0

    def _decide(self, state: State, steps: int) -> None:
        if state.unfinished == 0:
            self.decisions += 1
            self.counted = False
        if steps > 1 and not self.counted:
            self.real += 1
            self.counted = True
        self.steps += 1
        self.open += steps

    def _end(self, state: State) -> None:
        # each sitting counts equally, long or short, as in Ludii; `+ 0.0` keeps C from dividing integers
        self.sums[0] += self.real / (self.decisions + 0.0)
        self.sums[1] += self.open / (self.steps + 0.0)


class ChoiceSampler(Observer):
    """Picks one choice of a sitting, each with the same probability (reservoir sampling).

    `choice` is its number among the choices of the sitting, from 1, or −1 where there was none; `seat` made it.
    """

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.luck = Seeded()
        self.seen = 0
        self.choice = -1
        self.seat = -1

    def names(self) -> list[str]:
        return []

    def restart(self, seed: int, number: int) -> None:
        """Set the luck that picks a choice of the next sitting."""
        self.luck.restart(seed, number)

    def _begin(self, state: State) -> None:
        self.seen = 0
        self.choice = -1

    def _decide(self, state: State, steps: int) -> None:
        if steps > 1:
            # the n-th choice replaces the one picked so far with probability 1/n
            self.seen += 1
            if self.luck._below(self.seen) == 0:
                self.choice = self.seen
                self.seat = state.seat


OBSERVERS = (Endings, Places, Leads, Choices)


class Playout:
    """Plays sittings to their end in compiled code, without a Python call for a decision, watched by observers.

    Seats follow the game's heuristic policy; `set_play` makes some play at random, or all of them slip now and then.
    """

    def __init__(self, state: State, view: View, observers: Sequence[Observer] = ()) -> None:
        if view.players != state.players or state.journal is not None:
            raise ValueError("A playout needs a state without a journal, and a view for the same number of players.")
        self.state = state
        self.view = view
        self.sides = state.sides
        self.observers = list(observers)
        self.watching = len(self.observers)
        self.chance = Seeded()  # deals
        self.luck = Seeded()  # players
        self.random_seats = 0  # a set of seats
        self.slips = 0  # of SLIP_PARTS choices

    def set_play(self, random_seats: Sequence[int] = (), slips: float = 0.0) -> None:
        """Let some seats take any legal step, and the others do so at this share of their choices."""
        self.random_seats = bitset.union(random_seats) if random_seats else 0
        self.slips = round(slips * SLIP_PARTS)

    def play(self, seed: int, number: int, again: int = 0) -> None:
        """Play a sitting; a repetition (`again`) has the same deals and different luck of the players."""
        word = seed & WORD
        self.chance._reseed(word, 2 * number)
        self.luck._reseed(word, 2 * number + 1 + (again << 48))
        self.view._attach(self.state)
        self.state._clear()
        self.state._start()
        self._begin()
        self._run()
        self._end()
        self.view._attach(None)

    def _run(self) -> None:
        """Play on to the end."""
        while not self.state.over:
            if self.state.awaits >= 0:
                self.chance._draw(self.state)
                self.state.awaits = -1
                self.state._receive()
            else:
                self.state._apply(self._choose())

    def _choose(self) -> Step:
        """The step of the seat that decides."""
        at_random = (self.random_seats >> self.state.seat) & 1
        if at_random:
            steps = self.state._choices()
        else:
            self.view.seat = self.state.seat
            self.view._glance()
            steps = self.view.steps
        count = bitset.count(steps)
        self._decide(count)
        if not at_random and self.slips and count > 1:
            at_random = self.luck._below(SLIP_PARTS) < self.slips
        if at_random:
            return self.state.base + bitset.nth(steps, self.luck._below(count))
        return self.view._heuristic(self.luck)

    def _begin(self) -> None:
        for at in range(self.watching):
            observer = self.observers[at]
            observer._begin(self.state)

    def _decide(self, steps: int) -> None:
        for at in range(self.watching):
            observer = self.observers[at]
            observer._decide(self.state, steps)

    def _end(self) -> None:
        for at in range(self.watching):
            observer = self.observers[at]
            observer._end(self.state)

    # for sittings that others play with this state

    def watch_begin(self) -> None:
        """Show the observers that a sitting has begun."""
        self._begin()

    def watch_decision(self) -> None:
        """Show the observers the decision that is about to be made."""
        self._decide(bitset.count(self.state._choices()))

    def watch_end(self) -> None:
        """Show the observers that the sitting is over."""
        self._end()

    # results

    def win_shares(self) -> list[float]:
        """Each side's share of the win; the sitting must be over."""
        won = [self.state._win_chance(side) for side in range(self.sides)]
        total = sum(won)
        return [share / total for share in won]

    def evaluate_steps(self, world: State, seed: int, number: int) -> list[float]:
        """The share of the win of the side that decides in a world, after each of its steps, by one playout each.

        All steps get the same luck, so that they differ only by what they change. Nobody may be watching.
        """
        side = world.seat % self.sides
        found = []
        for step in world.legal():
            self.state._fill(world)
            self.view._attach(self.state)
            self.chance._reseed(seed & WORD, 2 * number)
            self.luck._reseed(seed & WORD, 2 * number + 1)
            self.state._apply(step)
            self._run()
            self.view._attach(None)
            found.append(self.win_shares()[side])
        return found
