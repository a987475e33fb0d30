"""The metrics of a game: what each one says, its range, and how its value is computed from the sums of observers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

SHARE, COUNT = (0.0, 1.0), (1.0, None)

Sums = Mapping[str, float]


@dataclass(frozen=True)
class Metric:
    """One quantity that is measured."""

    name: str
    title: str
    says: str  # what it measures, in a sentence
    range: tuple[float, float | None]
    better: str  # "more" or "less" where players would agree, otherwise "neither"
    unit: str
    known_as: str  # its name in other projects, and the difference where they measure something similar
    counted: str  # the sum that counts the independent things it is a mean of
    value: Callable[[Sums, int], float | None]  # of the sums and the number of sides
    ranked: bool = True  # whether readings are ranked by it: not where it depends on how the engine is made

    def as_data(self) -> dict[str, object]:
        """Its description, without how it is computed."""
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
    # squares of what places win, over all pairs of different sittings: unbiased, chance alone adds nothing
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
    # None where there is never a choice
    return sums["weight"] / sums["weighed"] if sums["weighed"] else None


def skill(sums: Sums, sides: int) -> float | None:
    # over both plays of a deal the stronger bot holds every seat once, so equal bots win one half each
    return sums["stronger won"] / sums["skill deals"] - 1


def luck(sums: Sums, sides: int) -> float | None:
    # one-way random effects model; each play has one win to share, so the mean is known
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
        "The share of sittings that reach the sheet's own end, with no limit cutting short the sitting or a game.",
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
        "How much more than an equal share the side that decides first wins.",
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
        "The average number of steps to choose from, including steps that cost a fine.",
        COUNT,
        "neither",
        "steps",
        "BranchingFactorAverage (Ludii), there over moves, here over the steps that the engine cuts a move into",
        "sittings",
        branching,
        ranked=False,  # it depends on how the engine cuts a move into steps
    ),
    Metric(
        "choice_weight",
        "Weight of a choice",
        "How much more than the average step the best-looking step wins, judged in 16 sampled worlds.",
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
        "The stronger bot's share of the wins above one half, as a fraction of that half.",
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
