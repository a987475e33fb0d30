"""What is measured of a game: each metric, and the observers that add up what it needs while sittings are played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..engine import bitset
from ..engine.bitset import WORD
from ..engine.core import Seeded, State
from ..engine.view import View

SLIPS_OF = 1024
SHARE, COUNT = (0.0, 1.0), (1.0, None)

Sums = Mapping[str, float]


# --- watching ---------------------------------------------------------------------------------------------------------


class Observer:
    """Watches the sittings of a table and adds to its sums, which mean the same whatever sittings they are over."""

    def __init__(self, players: int, partners: int = 1) -> None:
        self.players = players
        self.partners = partners  # seats that win together
        self.sums = [0.0] * 53  # one for each seat, and one more, is the most that any has

    def named(self) -> list[str]:
        """What each of the sums is called."""
        raise NotImplementedError

    def found(self) -> dict[str, float]:
        """The sums by name."""
        return {name: self.sums[at] for at, name in enumerate(self.named())}

    def begin(self, state: State) -> None:
        """A sitting begins."""

    def decide(self, state: State, steps: int) -> None:
        """A seat is to take one of so many steps; a decision of several steps asks `unfinished` from the second on."""

    def end(self, state: State) -> None:
        """The sitting is over."""

    def won_by(self, state: State) -> int:
        """How many seats won."""
        winners = 0
        for seat in range(self.players):
            if state._win_chance(seat) > 0.0:
                winners += 1
        return winners


class Endings(Observer):
    """How sittings end, and how long they are."""

    def named(self) -> list[str]:
        return ["sittings", "cut", "shared", "decisions", "deals"]

    def end(self, state: State) -> None:
        self.sums[0] += 1.0
        if state.cut:
            self.sums[1] += 1.0
        if self.won_by(state) > self.partners:
            self.sums[2] += 1.0
        self.sums[3] += state.moves
        self.sums[4] += state.deals


class Places(Observer):
    """What each side wins, counted from the side that is the first to decide; a win is shared by who wins."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.sides = players // partners
        self.first = -1

    def named(self) -> list[str]:
        return [*(f"won {place}" for place in range(self.sides)), "won squared"]

    def begin(self, state: State) -> None:
        self.first = -1

    def decide(self, state: State, steps: int) -> None:
        if self.first < 0:
            self.first = state.seat
            while self.first >= self.sides:
                self.first -= self.sides

    def end(self, state: State) -> None:
        # partners sit `sides` apart, so that the first seats stand for all sides
        share = (self.partners + 0.0) / self.won_by(state)
        for side in range(self.sides):
            if state._win_chance(side) > 0.0:
                place = side - self.first
                self.sums[place if place >= 0 else place + self.sides] += share
        self.sums[self.sides] += share


class Leads(Observer):
    """Who is ahead before each decision, by `State.hope`: the scores alone, which all can see."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.leader = -1
        self.changes = 0
        self.seen = 0
        self.hopes = [0.0] * 52
        self.behind = [0.0] * 52
        self.since = [0] * 52

    def named(self) -> list[str]:
        return ["drama", "lead changes", "decided"]

    def begin(self, state: State) -> None:
        self.leader = -1
        self.changes = 0
        self.seen = 0
        for seat in range(self.players):
            self.behind[seat] = 0.0
            self.since[seat] = -1

    def decide(self, state: State, steps: int) -> None:
        if state.unfinished:
            return
        most = 0.0
        least = 1.0
        for seat in range(self.players):
            self.hopes[seat] = state._win_chance(seat)
            most = max(most, self.hopes[seat])
            least = min(least, self.hopes[seat])
        for seat in range(self.players):
            self.behind[seat] += most - self.hopes[seat]
            # where all are level nobody leads
            if self.hopes[seat] < most or least == most:
                self.since[seat] = -1
            elif self.since[seat] < 0:
                self.since[seat] = self.seen
        if least < most and (self.leader < 0 or self.hopes[self.leader] < most):
            if self.leader >= 0:
                self.changes += 1
            self.leader = 0
            while self.hopes[self.leader] < most:
                self.leader += 1
        self.seen += 1

    def end(self, state: State) -> None:
        share = 1.0 / (self.won_by(state) * self.seen)
        for seat in range(self.players):
            if state._win_chance(seat) > 0.0:
                self.sums[0] += self.behind[seat] * share
                if self.since[seat] >= 0:
                    self.sums[2] += (self.seen - self.since[seat]) * share
        if self.leader >= 0 and state._win_chance(self.leader) == 0.0:
            self.changes += 1  # the last decision took the lead from him
        self.sums[1] += self.changes


class Choices(Observer):
    """Between how many steps decisions are made."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.decisions = 0
        self.real = 0
        self.steps = 0
        self.open = 0
        self.counted = False

    def named(self) -> list[str]:
        return ["real", "branching"]

    def begin(self, state: State) -> None:
        self.decisions = 0
        self.real = 0
        self.steps = 0
        self.open = 0

    def decide(self, state: State, steps: int) -> None:
        if state.unfinished == 0:
            self.decisions += 1
            self.counted = False
        if steps > 1 and not self.counted:
            self.real += 1
            self.counted = True
        self.steps += 1
        self.open += steps

    def end(self, state: State) -> None:
        # each sitting counts alike, long or short, as in Ludii; the doubles keep C from dividing whole numbers
        self.sums[0] += self.real / (self.decisions + 0.0)
        self.sums[1] += self.open / (self.steps + 0.0)


class Moments(Observer):
    """Picks one moment of a sitting at which there is a choice, each as likely as the next."""

    def __init__(self, players: int, partners: int = 1) -> None:
        super().__init__(players, partners)
        self.luck = Seeded()
        self.seen = 0
        self.moment = -1
        self.seat = -1

    def named(self) -> list[str]:
        return []

    def deal_out(self, seed: int, number: int) -> None:
        """The luck by which the next sitting's moment is picked."""
        self.luck.restart(seed, number)

    def begin(self, state: State) -> None:
        self.seen = 0
        self.moment = -1

    def decide(self, state: State, steps: int) -> None:
        if steps > 1:
            # the newest of so many replaces what was picked before with one chance in as many
            self.seen += 1
            if self.luck._below(self.seen) == 0:
                self.moment = self.seen
                self.seat = state.seat


WATCHING = (Endings, Places, Leads, Choices)


class Table:
    """Simple players round one state, and those who watch: no Python is run for a decision.

    The seats in `wild` take any step; the rest play by thumb, but for their slips.
    """

    def __init__(self, state: State, sight: View, observers: Sequence[Observer] = ()) -> None:
        if sight.players != state.players or state.journal is not None:
            raise ValueError("A table needs a state without a journal, and a view of its game with as many players.")
        self.state = state
        self.sight = sight
        self.sides = len(state.scores())
        self.observers = list(observers)
        self.watched = len(self.observers)
        self.chance = Seeded()
        self.luck = Seeded()
        self.wild = 0
        self.slips = 0

    def seat(self, wild: Sequence[int] = (), slips: float = 0.0) -> None:
        """Who takes any step always, and at what share of their choices the others do."""
        self.wild = bitset.union(wild) if wild else 0
        self.slips = round(slips * SLIPS_OF)

    def play(self, seed: int, number: int, again: int = 0) -> None:
        """Play a sitting: the deals of its number, and luck of the players' own each time it is played again."""
        word = seed & WORD
        self.chance._reseed(word, 2 * number)
        self.luck._reseed(word, 2 * number + 1 + (again << 48))
        self.sight._attach(self.state)
        self.state._clear()
        self.state._start()
        self.open()
        self.go_on()
        self.close()
        self.sight._attach(None)

    def go_on(self) -> None:
        """Play on to the end."""
        while not self.state.over:
            if self.state.awaits >= 0:
                self.chance._draw(self.state)
                self.state.awaits = -1
                self.state._receive()
            else:
                self.state._apply(self.choose())

    def choose(self) -> int:
        """The step of the seat that is to decide."""
        wild = (self.wild >> self.state.seat) & 1
        if wild:
            steps = self.state._choices()
        else:
            self.sight.seat = self.state.seat
            self.sight._glance()
            steps = self.sight.steps
        count = bitset.count(steps)
        self.ask(count)
        if not wild and self.slips and count > 1:
            wild = self.luck._below(SLIPS_OF) < self.slips
        if wild:
            return self.state.base + bitset.nth(steps, self.luck._below(count))
        return self.sight._heuristic(self.luck)

    # those who watch; `watch_…` are for sittings that others play at this table's state

    def open(self) -> None:
        for at in range(self.watched):
            observer = self.observers[at]
            observer.begin(self.state)

    def ask(self, steps: int) -> None:
        for at in range(self.watched):
            observer = self.observers[at]
            observer.decide(self.state, steps)

    def close(self) -> None:
        for at in range(self.watched):
            observer = self.observers[at]
            observer.end(self.state)

    def watch_beginning(self) -> None:
        """The sitting at the table has begun."""
        self.open()

    def watch_decision(self) -> None:
        """The seat to decide is about to."""
        self.ask(bitset.count(self.state._choices()))

    def watch_end(self) -> None:
        """The sitting at the table is over."""
        self.close()

    # what came of it

    def shares(self) -> list[float]:
        """What each side has of the win; the sitting must be over."""
        won = [self.state._win_chance(side) for side in range(self.sides)]
        total = sum(won)
        return [share / total for share in won]

    def weigh(self, world: State, seed: int, number: int) -> list[float]:
        """What the side to decide in a world has of the win after each of its steps, all played out at this table.

        Every step is given the same luck, so that steps differ by what they change. Nobody may be watching.
        """
        side = world.seat % self.sides
        found = []
        for step in world.legal():
            self.state._fill(world)
            self.sight._attach(self.state)
            self.chance._reseed(seed & WORD, 2 * number)
            self.luck._reseed(seed & WORD, 2 * number + 1)
            self.state._apply(step)
            self.go_on()
            self.sight._attach(None)
            found.append(self.shares()[side])
        return found


# --- metrics ----------------------------------------------------------------------------------------------------------


class Metric:
    """One thing that is measured: what it says, from where to where it goes, and its value from sums.

    `better` is "more" or "less" where tables would agree that it is, else "neither"; `known_as` names what others
    call it where they mean the same, and says the difference where they mean nearly the same. `counted` is the sum
    that says of how many independent things it is a mean. The value is of sums and the number of sides. Readings are
    ranked by what they change in it, unless it depends on how the engine is made.
    """

    def __init__(
        self,
        name: str,
        title: str,
        says: str,
        range: tuple[float, float | None],
        better: str,
        unit: str,
        known_as: str,
        counted: str,
        value: Callable[[Sums, int], float | None],
        ranked: bool = True,
    ) -> None:
        self.name = name
        self.title = title
        self.says = says
        self.range = range
        self.better = better
        self.unit = unit
        self.known_as = known_as
        self.counted = counted
        self.value = value
        self.ranked = ranked

    def as_data(self) -> dict[str, object]:
        """What it is, but not how it is computed."""
        return {
            "name": self.name,
            "title": self.title,
            "says": self.says,
            "range": list(self.range),
            "better": self.better,
            "unit": self.unit,
            "known_as": self.known_as,
            "ranked": self.ranked,
        }


def completion(sums: Sums, sides: int) -> float | None:
    return 1 - sums["cut"] / sums["sittings"]


def drawishness(sums: Sums, sides: int) -> float | None:
    return sums["shared"] / sums["sittings"]


def decisions(sums: Sums, sides: int) -> float | None:
    return sums["decisions"] / sums["sittings"]


def deals(sums: Sums, sides: int) -> float | None:
    return sums["deals"] / sums["sittings"]


def seat_advantage(sums: Sums, sides: int) -> float | None:
    return sums["won 0"] / sums["sittings"] - 1 / sides


def balance(sums: Sums, sides: int) -> float | None:
    # the squares of what places win, from all pairs of sittings, so that chance alone adds nothing to them
    sittings = sums["sittings"]
    won = sum(sums[f"won {place}"] ** 2 for place in range(sides))
    squares = (won - sums["won squared"]) / (sittings * (sittings - 1))
    return 1 - (squares - 1 / sides) / (1 - 1 / sides)


def drama(sums: Sums, sides: int) -> float | None:
    return sums["drama"] / sums["sittings"]


def lead_changes(sums: Sums, sides: int) -> float | None:
    return sums["lead changes"] / sums["sittings"]


def decisiveness(sums: Sums, sides: int) -> float | None:
    return sums["decided"] / sums["sittings"]


def real_choices(sums: Sums, sides: int) -> float | None:
    return sums["real"] / sums["sittings"]


def branching(sums: Sums, sides: int) -> float | None:
    return sums["branching"] / sums["sittings"]


def choice_weight(sums: Sums, sides: int) -> float | None:
    # where nothing is ever decided, no choice weighs anything
    return sums["weight"] / sums["weighed"] if sums["weighed"] else None


def skill(sums: Sums, sides: int) -> float | None:
    # over both plays of a deal the stronger holds every seat once, so that among equals it wins one half
    return sums["stronger won"] / sums["skill deals"] - 1


def luck(sums: Sums, sides: int) -> float | None:
    # one-way random effects: all sides together have one win in each play, so that their mean is known
    deals, plays = sums["luck deals"], sums["luck plays"]
    each = plays / deals
    between = (sums["luck by deal"] / each - plays / sides) / (deals * sides)
    within = (sums["luck by play"] - sums["luck by deal"] / each) / ((plays - deals) * sides)
    of_deal = (between - within) / each
    return of_deal / (of_deal + within) if of_deal + within > 0 else None


METRICS = (
    Metric(
        "completion",
        "Completion",
        "The share of sittings that come to the sheet's own end, with no limit cutting short the sitting or a game.",
        SHARE,
        "more",
        "of sittings",
        "Completion (Ludii)",
        "sittings",
        completion,
    ),
    Metric(
        "decisions",
        "Length in decisions",
        "How many decisions a sitting takes, of all seats together.",
        COUNT,
        "neither",
        "decisions",
        "DurationMoves (Ludii)",
        "sittings",
        decisions,
    ),
    Metric(
        "deals",
        "Length in deals",
        "How many times cards are dealt in a sitting.",
        COUNT,
        "neither",
        "deals",
        "",
        "sittings",
        deals,
    ),
    Metric(
        "seat_advantage",
        "Seat advantage",
        "What the side that is the first to decide wins beyond an equal part.",
        (-1.0, 1.0),
        "neither",
        "of wins",
        "AdvantageP1 (Ludii), there without the equal part taken off",
        "sittings",
        seat_advantage,
    ),
    Metric(
        "balance",
        "Balance",
        "1 where all places win alike, counted from the first to decide; 0 where one place wins always.",
        SHARE,
        "more",
        "",
        "Balance (Ludii), there by the greatest difference; Fairness (CardStock), there of the first place alone",
        "sittings",
        balance,
    ),
    Metric(
        "drawishness",
        "Shared wins",
        "The share of sittings that more than one side wins.",
        SHARE,
        "less",
        "of sittings",
        "Drawishness (Ludii), NoTies (CardStock) the other way round",
        "sittings",
        drawishness,
    ),
    Metric(
        "drama",
        "Drama",
        "How far the later winner's chance is behind the leader's before a decision, on average.",
        SHARE,
        "neither",
        "of a win",
        "DramaAverage (Ludii) and Drama (CardStock), there over the moments behind only",
        "sittings",
        drama,
    ),
    Metric(
        "lead_changes",
        "Lead changes",
        "How often in a sitting the lead passes to another side.",
        (0.0, None),
        "neither",
        "changes",
        "LeadChange (Ludii), there as a share of the moves",
        "sittings",
        lead_changes,
    ),
    Metric(
        "decisiveness",
        "Decisiveness",
        "The share of a sitting that is left when its winner takes the lead for good.",
        SHARE,
        "neither",
        "of decisions",
        "DecisivenessMoves (Ludii) and Decisiveness (CardStock), there by a threshold",
        "sittings",
        decisiveness,
    ),
    Metric(
        "real_choices",
        "Real choices",
        "The share of decisions in which more than one step may be taken, be it one that costs a fine.",
        SHARE,
        "more",
        "of decisions",
        "DecisionMoves (Ludii)",
        "sittings",
        real_choices,
    ),
    Metric(
        "branching",
        "Branching",
        "Between how many steps one is taken, those that cost a fine among them, on average.",
        COUNT,
        "neither",
        "steps",
        "BranchingFactorAverage (Ludii), there over moves, here over the steps that the engine cuts a move into",
        "sittings",
        branching,
        ranked=False,  # freedom that is given in steps of few choices each would look like less of it
    ),
    Metric(
        "choice_weight",
        "Weight of a choice",
        "What the step wins, beyond the mean of all, that looks best at a choice to who thinks it over in 16 worlds.",
        SHARE,
        "more",
        "of a win",
        "",
        "weighed",
        choice_weight,
    ),
    Metric(
        "skill",
        "Skill",
        "What the stronger bot wins beyond one half, of that half: 0 among equals, 1 where it always wins.",
        (-1.0, 1.0),
        "more",
        "",
        "MeaningfulMoves (CardStock), there the ratio of wins",
        "skill deals",
        skill,
    ),
    Metric(
        "luck",
        "Luck",
        "The share of a seat's result that the deal decides, found by playing each deal several times.",
        SHARE,
        "neither",
        "of variance",
        "",
        "luck deals",
        luck,
    ),
)
