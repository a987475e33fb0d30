"""Single deals between bots, valued without the luck of the cards: what the benches of strength have in common.

A deal is the first of a usual sitting, so that everybody plays as in one. The value function is fixed beforehand: what
each seat gains until the deal is over if all go on by the rules of thumb. Wherever a bot departs from these rules, the
true deal is played on from its step and from theirs, with the same luck. The sum of the differences has the same mean
as the score (the advantage-sum estimator, as AIVAT), and hardly any of the luck of the cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from typing import Any

import parlour
from parlour.engine import build
from parlour.engine.playout import value_step
from parlour.players.seats import Seating

WHIM = 0x9E3779B97F4A7C15  # keeps the luck of the rollouts independent of the deals


@dataclass(frozen=True)
class Table:
    """A game, how many play it, and with which options."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """How the tables call it, below the title of the game."""
        return f"{self.players} players" + (", two sides" if self.options.get("sides") == "two" else "")

    @property
    def of_two(self) -> bool:
        """Whether there are only two sides."""
        return self.players == 2 or self.options.get("sides") == "two"

    @property
    def file(self) -> str:
        """The first part of the names of its checkpoint files."""
        return "-".join([self.game, str(self.players), *(f"{name}-{value}" for name, value in self.options.items())])

    @property
    def title(self) -> str:
        """The title of the game."""
        return parlour.game(self.game).title


TABLES = (
    Table("masquerade", 4),
    Table("masquerade", 8),
    Table("lost-heir", 3),
    Table("lost-heir", 4),
    Table("lost-heir", 4, {"sides": "two"}),
    Table("sovereign", 2),
    Table("sovereign", 3),
    Table("sovereign", 5),
    Table("heraldry", 2),
    Table("heraldry", 4),
)


class Dealer:
    """Plays single deals at one table, and values steps there."""

    def __init__(self, table: Table) -> None:
        self.game = game = parlour.game(table.game)
        self.players = players = table.players
        self.options = options = game.options_for(players, table.options)
        self.state = game.state_type(players, options)
        self.state.journal = parlour.Journal()
        self.world = game.state_type(players, options)
        self.sight = game.view_type(players, 0, options)
        self.views = [game.view_type(players, seat, options) for seat in range(players)]
        self.luck = parlour.Seeded()
        self.sides = self.state.sides

    def seat(self, names: Sequence[str]) -> Seating:
        """These bots at their seats."""
        return Seating(self.game, self.players, self.options, list(names))

    def plan(self) -> int:
        """The step of the rules of thumb for the seat that decides."""
        return self.views[self.state.seat].see(self.state).heuristic(self.luck)

    def value(self, state: parlour.State, step: int, seed: int, rollouts: int, horizon: int = 10_000) -> Any:
        """What each seat gains after a step, in two halves of the rollouts."""
        return value_step(state, step, self.world, self.sight, seed, rollouts, horizon)

    def lead(self, gained: Sequence[float], seat: int) -> float:
        """What a seat gains above the mean of its opponents."""
        others = [each for at, each in enumerate(gained) if (at - seat) % self.sides]
        return gained[seat] - fmean(others)

    def play(self, seating: Seating, seed: int, deal: int, choose: Callable[[], int]) -> list[float]:
        """Play one deal; `choose` takes a step where there are several. The score of each seat."""
        state, journal = self.state, self.state.journal
        assert journal is not None
        seating.begin(seed, deal)
        self.luck.restart(seed ^ WHIM, 2 * deal)
        state.begin(parlour.Seeded(seed, 2 * deal))
        first = state.deals
        while not state.over and state.deals == first:
            seating.tell(journal)
            journal.clear()
            legal = state.legal()
            state.play(choose() if len(legal) > 1 else legal[0])
        scores = state.scores()
        journal.clear()
        return [float(scores[seat % self.sides]) for seat in range(self.players)]

    def play_valued(self, seating: Seating, seed: int, deal: int, rollouts: int) -> tuple[list[float], list[float]]:
        """Play one deal; the score of each seat, and what each gains by all departures from the rules of thumb."""
        gained = [0.0] * self.players

        def choose() -> int:
            step, plan = seating.choose(self.state), self.plan()
            if step != plan:
                own = (seed ^ WHIM) + (deal << 20) + self.state.moves
                found = [self.value(self.state, each, own, rollouts) for each in (step, plan)]
                for seat in range(self.players):
                    gained[seat] += (sum(half[seat] for half in found[0]) - sum(half[seat] for half in found[1])) / 2
            return step

        return self.play(seating, seed, deal, choose), gained


def made_by(run: dict[str, Any]) -> str:
    """A sentence that says how a table was made."""
    minutes = f"{run['minutes']:.0f} minutes of one core"
    return f"Made by `{run['command']}` on {run['date']}, seed {run['seed']}, in {minutes}."


def signed(value: float) -> str:
    return f"{value:+z.2f}".replace("-", "−")


def within(found: dict[str, Any]) -> str:
    """A difference with its 95 % interval, as a cell of a table."""
    low, high = found["interval"]
    return f"{signed(found['mean'])} ({signed(low)} to {signed(high)})"


def fingerprint() -> str:
    """A hash of all that decides how the bots play."""
    package = Path(parlour.__file__).parent
    found = blake2b(json.dumps(build.source_hashes(str(package))).encode(), digest_size=6)
    for name in ("players/bots", "players/seats", "lab/tournament", "lab/simulate"):
        found.update((package / f"{name}.py").read_bytes())
    for path in sorted((package / "games").glob("*/sheet.toml")):
        found.update(path.read_bytes())
    return found.hexdigest()
