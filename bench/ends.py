"""What exact ends would bring: how much bots lose in the last cards of a deal, where the best play can be computed.

    python bench/ends.py [--deals 60] [--seed 1]

Heraldry for two, once the pack is used up: each seat knows the other's cards, and minimax is exact; both seats are
judged. Lost Heir with three cards each: a seat among rules of thumb, against the best that it can do in many imagined
worlds if it sees what is played from then on. What is lost is an upper bound on the gain of an exact end in the search.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from deals import Dealer, Table

import parlour
from parlour.lab.intervals import mean_of
from parlour.lab.simulate import seed_number

WORLDS = 200
CARDS = 3  # in hand, from where Lost Heir is judged
LEVELS = ("thumb", "novice", "steady", "expert")


class End:
    """Plays deals at a table and adds up what is lost in their ends."""

    def __init__(self, table: Table, level: str, seed: int) -> None:
        self.dealer, self.level, self.seed = Dealer(table), level, seed
        self.luck = parlour.Seeded(seed)
        self.choices = self.lost = 0.0

    def deal(self, number: int) -> float:
        """What is lost in one deal."""
        self.lost, self.number = 0.0, number
        self.seating = self.dealer.seat(self.names())
        self.dealer.play(self.seating, self.seed, number, self.choose)
        return self.lost

    def choose(self) -> int:
        """The step of the bot that decides; in the end, what it loses by it is added up."""
        step = self.seating.choose(self.dealer.state)
        if self.is_end():
            values = self.values()
            self.lost += max(values.values()) - values[step]
            self.choices += 1
        return step

    def is_over(self, state: parlour.State) -> bool:
        return state.over or state.deals != self.dealer.state.deals

    def lead(self, state: parlour.State, seat: int) -> float:
        scores = state.scores()
        return self.dealer.lead([scores[at % self.dealer.sides] for at in range(self.dealer.players)], seat)

    def names(self) -> list[str]:
        raise NotImplementedError

    def is_end(self) -> bool:
        raise NotImplementedError

    def values(self) -> dict[int, float]:
        """What each step is worth with the best play from then on."""
        raise NotImplementedError


class Open(End):
    """An end in which nothing is hidden, for two."""

    def names(self) -> list[str]:
        return [self.level] * 2

    def is_end(self) -> bool:
        view = self.seating.look(self.dealer.state)
        return not view.fields()["pack"]

    def values(self) -> dict[int, float]:
        state = self.dealer.state
        return {step: self.minimax(after(state, step), state.seat) for step in state.legal()}

    def minimax(self, state: parlour.State, seat: int) -> float:
        if self.is_over(state):
            return self.lead(state, seat)
        values = [self.minimax(after(state, step), seat) for step in state.legal()]
        return max(values) if state.seat == seat else min(values)


class Hidden(End):
    """An end in which one seat of the level sits among rules of thumb."""

    def names(self) -> list[str]:
        return [self.level if seat == self.own else "thumb" for seat in range(self.dealer.players)]

    @property
    def own(self) -> int:
        return self.number % self.dealer.players

    def is_end(self) -> bool:
        state = self.dealer.state
        return state.seat == self.own and len(self.seating.look(state).fields()["hand"]) <= CARDS

    def values(self) -> dict[int, float]:
        view = self.seating.look(self.dealer.state)
        return self.best([view.sample(self.luck) for _ in range(WORLDS)])

    def best(self, worlds: Sequence[parlour.State]) -> dict[int, float]:
        """The worth of each step in worlds that the seat cannot tell apart, with its best play from then on."""
        found = {}
        for step in worlds[0].legal():
            total, alike = 0.0, {}  # worlds at the seat's next choice, by what was played until then
            for world in worlds:
                state, seen = after(world, step), []
                while not self.is_over(state) and (state.seat != self.own or len(state.legal()) == 1):
                    view = self.dealer.views[state.seat]
                    seen.append(view.see(state).heuristic(self.luck))
                    state.play(seen[-1])
                if self.is_over(state):
                    total += self.lead(state, self.own)
                else:
                    alike.setdefault(tuple(seen), []).append(state)
            for group in alike.values():
                total += len(group) * max(self.best(group).values())
            found[step] = total / len(worlds)
        return found


def after(state: parlour.State, step: int) -> parlour.State:
    """Another state, one step on."""
    copy = state.copy()
    copy.journal = None
    copy.play(step)
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=60, help="deals for each level (default 60)")
    parser.add_argument("--seed", default="1", help="the seed of all deals (default 1)")
    asked = parser.parse_args()
    tables = (
        (Table("heraldry", 2), Open),
        (Table("lost-heir", 4), Hidden),
        (Table("lost-heir", 4, {"sides": "two"}), Hidden),
    )
    for table, kind in tables:
        for level in LEVELS:
            end = kind(table, level, seed_number(asked.seed))
            lost = mean_of([end.deal(number) for number in range(asked.deals)])
            low, high = lost.interval or (lost.mean, lost.mean)
            words = f"{end.choices:.0f} choices in {asked.deals} deals; lost a deal"
            print(
                f"{table.title}, {table.label}: {level:<7} {words} {lost.mean:.3f} ({low:.3f} to {high:.3f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
