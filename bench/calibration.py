"""Chances to win: what the search and the scores forecast against how often it came true, and the map between them.

    python bench/calibration.py [--jobs 2] [--sittings 600] [--minutes 60] [--fit] [--out docs/strength]

Steady bots play at every seat. At a few decisions of each sitting, chosen by its seed, the hint's own search says what
it thinks of the seat's chance, and the scores alone say what they make of every seat's; then the sitting is played
on to see who wins. Half of the sittings (even numbers) serve to fit the maps, the other half to check them.

With --fit the maps are written to `chances.json` in the folder of each game. Without it, the ones there are checked,
and the tables of docs/players.md and the plots are made again. What was played is stored below build/calibration, so
that the same command resumes an interrupted run. Seeds are fixed: the same number of sittings gives the same figures.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import parlour
from parlour.engine.core import Journal, Seeded, State
from parlour.engine.search import Search
from parlour.engine.view import View
from parlour.lab import plots
from parlour.lab.intervals import wilson
from parlour.lab.simulate import play_sitting
from parlour.players.chances import FILE, SCORES, SEARCH, Z, chances_of, log_odds, progress_of
from parlour.players.hints import TRIALS
from parlour.players.seats import Seating
from parlour.util.checkpoint import open_checkpoint
from parlour.util.pool import in_order

SEED = 20
BOT = "steady"
# game, players, options, and how many decisions of a sitting are asked about on average out of how many there are
TABLES = (
    ("masquerade", 4, {}, 4 / 60),
    ("masquerade", 8, {}, 4 / 120),
    ("lost-heir", 2, {}, 5 / 100),
    ("lost-heir", 4, {}, 6 / 250),
    ("lost-heir", 4, {"sides": "two"}, 5 / 150),
    ("sovereign", 3, {}, 5 / 100),
    ("sovereign", 5, {}, 6 / 170),
    ("heraldry", 2, {}, 5 / 200),
    ("heraldry", 4, {}, 6 / 350),
    ("tontine", 4, {}, 4 / 30),
    ("tontine", 12, {}, 5 / 80),
)
# how far a sitting has come, as `parlour.players.chances.progress_of` reads it
PROGRESS = {
    "masquerade": {"field": "points", "goal": 32},
    "lost-heir": {"field": "totals", "goal": 25},
    "sovereign": {},
    "heraldry": {"field": "totals", "goal": 21},
    "tontine": {"left": "living"},
}
FLOORS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # tried in turn; the likeliest is taken
PLAIN = np.array([0.0, 0.0, 1.0, 0.0])  # the weights that change nothing,
RIDGE = 0.5  # and how strongly they are preferred
PARTS = (("early", 0.0, 1 / 3), ("middle", 1 / 3, 2 / 3), ("late", 2 / 3, 1.1))
PAGE = Path("docs/players.md")
BEGIN, END = "<!-- chances -->", "<!-- /chances -->"
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


@dataclass(frozen=True)
class Table:
    """One game with a number of players."""

    game: str
    players: int
    options: dict[str, Any]
    share: float  # of the decisions that are asked about

    @property
    def sides(self) -> int:
        return 2 if self.options else self.players

    @property
    def name(self) -> str:
        return f"{self.game}-{self.players}" + ("-two" if self.options else "")


@dataclass(frozen=True)
class Moment:
    """A decision: how far the sitting had come, what was forecast, and who won in the end."""

    sitting: int
    progress: float  # from 0 to 1, as anybody at the table can see it
    seat: int
    search: float | None  # the hint's search on the seat that decided; none where there was nothing to search
    scores: list[float]  # the scores alone, by seat
    won: list[int]


# --- playing ----------------------------------------------------------------------------------------------------------


class Asking(Seating):
    """Bots at a table, asked about their chances at some of their decisions."""

    def __init__(self, table: Table) -> None:
        game = parlour.game(table.game)
        options = game.options_for(table.players, table.options)
        super().__init__(game, table.players, options, ["thumb" if table.game == "tontine" else BOT] * table.players)
        self.table = table
        self.search: Search | None = None
        self.asked: list[tuple[float, int, float | None, list[float]]] = []
        self.luck = Seeded()

    def begin(self, seed: int, number: int) -> None:
        super().begin(seed, number)
        self.asked = []
        self.luck.restart(seed ^ 0x7F4A7C15, number)

    def choose(self, state: State) -> int:
        step = super().choose(state)
        if self.luck.number_below(1 << 20) < self.table.share * (1 << 20) and not state.unfinished:
            view = self.views[state.seat]
            assert view is not None
            self.ask(state, view)
        return step

    def ask(self, state: State, view: View) -> None:
        """Note what the search and the scores forecast now."""
        found: float | None = None
        if len(view.legal()) > 1:
            if self.search is None:
                self.search = Search(view)
            chosen = self.search.think(view, 0, view.moves, TRIALS)
            found = next((each.win_chance for each in self.search.candidates() if each.step == chosen), None)
        scores = [round(state.win_chance(seat), 5) for seat in range(state.players)]
        self.asked.append(
            (round(progress_of(PROGRESS[self.game.name], view), 4), state.seat, found and round(found, 5), scores)
        )


def play(task: tuple[Table, Sequence[int]]) -> list[list[Moment]]:
    """The moments of some sittings."""
    table, numbers = task
    asking = Asking(table)
    state = asking.game.state_type(table.players, asking.options)
    state.journal = Journal()
    chance = Seeded()
    found = []
    for number in numbers:
        chance.restart(SEED, 2 * number)
        asking.begin(SEED, number)
        play_sitting(state, chance, asking, state.journal.clear)
        found.append([Moment(number, *asked, state.winners()) for asked in asking.asked])
    return found


def played(table: Table, sittings: int, folder: Path, jobs: int, end: float) -> list[Moment]:
    """The moments of a table, as far as there is time; sittings in the file are not played again."""
    head = {"calibration": table.name, "seed": SEED, "bot": BOT, "trials": TRIALS, "share": table.share}

    def read(data: Any) -> tuple[int, list[Moment]] | None:
        return (data["sitting"], [Moment(data["sitting"], *each) for each in data["asked"]]) if data else None

    def write(piece: tuple[int, list[Moment]]) -> dict[str, Any]:
        number, moments = piece
        return {"sitting": number, "asked": [[m.progress, m.seat, m.search, m.scores, m.won] for m in moments]}

    with open_checkpoint(str(folder / f"{table.name}.jsonl"), "calibration", head, read, write) as (pieces, append):
        done = dict(pieces)
        missing = [number for number in range(sittings) if number not in done]
        chunks = [missing[first : first + 10] for first in range(0, len(missing), 10)]

        def tasks() -> Iterator[tuple[Table, list[int]]]:
            for chunk in chunks:
                if time.monotonic() > end:
                    return
                yield table, chunk

        for number, found in enumerate(in_order(play, tasks(), jobs) if missing else ()):
            fresh = list(zip(chunks[number], found, strict=True))
            append(fresh)
            done |= dict(fresh)
            print(f"\r{table.name}: {len(done)} of {sittings} sittings ", end="", file=sys.stderr, flush=True)
    return [moment for number in sorted(done) if number < sittings for moment in done[number]]


# --- fitting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forecast:
    """One forecast of one seat's chance, and whether it won."""

    sitting: tuple[str, int]
    sides: int
    progress: float
    estimate: float
    won: bool


def forecasts(table: Table, moments: Sequence[Moment], kind: str, odd: bool) -> list[Forecast]:
    """The forecasts of the sittings with even numbers, or of those with odd ones."""
    found = []
    for moment in moments:
        if moment.sitting % 2 == odd:
            said = dict(enumerate(moment.scores)) if kind == SCORES else {moment.seat: moment.search}
            for seat, estimate in said.items():
                if estimate is not None:
                    mark = (table.name, moment.sitting)
                    found.append(Forecast(mark, table.sides, moment.progress, estimate, seat in moment.won))
    return found


def fitted(every: Sequence[Forecast]) -> dict[str, Any]:
    """The likeliest map, with the covariance of its weights by sittings (a sandwich estimate)."""
    tried = [(floor, ceiling, *newton(every, floor, ceiling)) for floor in FLOORS for ceiling in FLOORS[:-1]]
    floor, ceiling, weights, _ = max(tried, key=lambda found: found[3])
    data = {"weights": [round(float(each), 4) for each in weights], "floor": floor, "ceiling": ceiling}
    return data | {"covariance": covariance(every, floor, ceiling, weights)}


def design(every: Sequence[Forecast], floor: float, ceiling: float) -> tuple[Any, float, Any]:
    """What the weights multiply, the log odds of an equal chance, and the outcomes."""
    sides = every[0].sides
    low, high = floor / sides, 1 - ceiling * (1 - 1 / sides)
    mixed = low + (high - low) * np.array([each.estimate for each in every])
    progress = np.array([each.progress for each in every])
    distance = np.log(mixed / (1 - mixed)) - log_odds(1 / sides)
    terms = np.stack([np.ones_like(distance), progress, distance, progress * distance], axis=1)
    return terms, log_odds(1 / sides), np.array([each.won for each in every], float)


def newton(every: Sequence[Forecast], floor: float, ceiling: float) -> tuple[Any, float]:
    """Logistic regression by Newton's method; the weights and their log likelihood."""
    terms, equal, won = design(every, floor, ceiling)

    def likelihood(weights: Any) -> float:
        odds = equal + terms @ weights
        return float(np.sum(won * odds - np.logaddexp(0, odds)) - RIDGE * np.sum((weights - PLAIN) ** 2))

    weights = PLAIN
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(equal + terms @ weights)))
        bend = (terms * (chance * (1 - chance))[:, None]).T @ terms + 2 * RIDGE * np.eye(4)
        step = np.linalg.solve(bend, terms.T @ (won - chance) - 2 * RIDGE * (weights - PLAIN))
        while likelihood(weights + step) < likelihood(weights) and np.abs(step).max() > 1e-9:
            step /= 2
        weights = weights + step
        if np.abs(step).max() < 1e-7:
            break
    return weights, likelihood(weights)


def covariance(every: Sequence[Forecast], floor: float, ceiling: float, weights: Any) -> list[list[float]]:
    """How uncertain the weights are, where all forecasts of one sitting are taken as one."""
    terms, equal, won = design(every, floor, ceiling)
    chance = 1 / (1 + np.exp(-(equal + terms @ weights)))
    bend = np.linalg.inv((terms * (chance * (1 - chance))[:, None]).T @ terms + 2 * RIDGE * np.eye(4))
    numbers = {mark: number for number, mark in enumerate(dict.fromkeys(each.sitting for each in every))}
    pulls = np.zeros((len(numbers), 4))
    np.add.at(pulls, [numbers[each.sitting] for each in every], terms * (won - chance)[:, None])
    return [[round(float(value), 7) for value in row] for row in bend @ (pulls.T @ pulls) @ bend]


def fit(game: str, played: Sequence[tuple[Table, list[Moment]]], sittings: int) -> None:
    """Fit and store the maps of a game."""
    made = (
        f"python bench/calibration.py --fit --sittings {sittings}: {BOT} bots, seed {SEED}, sittings with even numbers"
    )
    rows = [f'  "made": {json.dumps(made)}', f'  "progress": {json.dumps(PROGRESS[game])}']
    for kind in (SEARCH, SCORES):
        maps = []
        for table, moments in played:
            if every := forecasts(table, moments, kind, odd=False):
                maps.append({"players": table.players, "sides": table.sides} | fitted(every))
        if maps:
            lines = ",\n".join(f"    {json.dumps(each)}" for each in maps)
            rows.append(f"  {json.dumps(kind)}: [\n{lines}\n  ]")
    folder = Path(parlour.game(game).state_type.__module__.replace(".", "/")).parent
    (Path("src") / folder / FILE).write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    chances_of.cache_clear()


# --- the report -------------------------------------------------------------------------------------------------------


def report(played: Sequence[tuple[Table, list[Moment]]]) -> tuple[str, dict[str, list[plots.Point]]]:
    """Forecast against frequency in the sittings that the maps were not fitted to: the table, and the plots' points."""
    lines = ["| table | when | forecasts | estimate | told | won | 95 % interval |", "|---|---|---|---|---|---|---|"]
    points: dict[str, list[plots.Point]] = {}
    for game in PROGRESS:
        kind = SCORES if game == "tontine" else SEARCH
        every = [
            (table, told) for table, moments in played if table.game == game for told in checked(table, moments, kind)
        ]
        points[game] = [point_of([told for _, told in every], low, high) for low, high in pairwise(BINS)]
        points[game] = [point for point in points[game] if point.count]
        for table, _ in played:
            for part, early, late in PARTS if table.game == game else ():
                for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 1.01)):
                    row = [told for at, told in every if at is table and early <= told.forecast.progress < late]
                    row = [told for told in row if low <= told.chance < high]
                    if len({told.forecast.sitting for told in row}) >= 30:
                        lines.append(line_of(table, part, row))
    return "\n".join(lines) + "\n", points


@dataclass(frozen=True)
class Told:
    """A forecast, and the chance that people are told for it."""

    forecast: Forecast
    chance: float


def checked(table: Table, moments: Sequence[Moment], kind: str) -> list[Told]:
    """The forecasts of the sittings with odd numbers, as people are told them."""
    found = chances_of(parlour.game(table.game))
    told = found.nearest(kind, table.players, table.sides) if found else None
    assert told is not None
    return [
        Told(each, told.told(each.estimate, 0.0, each.sides, each.progress).value)
        for each in forecasts(table, moments, kind, odd=True)
    ]


def line_of(table: Table, part: str, row: Sequence[Told]) -> str:
    """One line of the table: forecasts of like chances at one stage of a sitting."""
    share, (low, high) = frequency(row)
    estimate, said = fmean(told.forecast.estimate for told in row), fmean(told.chance for told in row)
    sides = ", two sides" if table.options else ""
    cells = [f"{parlour.game(table.game).title} {table.players}{sides}", part, f"{len(row):,}"]
    cells += [f"{100 * value:.0f} %" for value in (estimate, said, share)]
    return f"| {' | '.join(cells)} | {100 * low:.0f}–{100 * high:.0f} % |"


def frequency(row: Sequence[Told]) -> tuple[float, tuple[float, float]]:
    """How often the seats won, with an interval that takes the forecasts of one sitting as one (a ratio estimate)."""
    share = fmean(told.forecast.won for told in row)
    pulls: Counter[tuple[str, int]] = Counter()
    for told in row:
        pulls[told.forecast.sitting] += told.forecast.won - share
    error = math.sqrt(sum(pull * pull for pull in pulls.values())) / len(row)
    low, high = wilson(round(share * len(pulls)), len(pulls))  # where all or none won, there is no spread to go by
    if 0.0 < share < 1.0:
        low, high = max(0.0, share - Z * error), min(1.0, share + Z * error)
    return share, (low, high)


def point_of(every: Sequence[Told], low: float, high: float) -> plots.Point:
    """The forecasts with about the same chance, as people are told it."""
    row = [told for told in every if low <= told.chance < high]
    if not row:
        return plots.Point(0.0, 0.0, (0.0, 0.0), 0)
    share, interval = frequency(row)
    return plots.Point(fmean(told.chance for told in row), share, interval, len(row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sittings", type=int, default=600, help="for each table")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--fit", action="store_true", help="write the maps of all games first")
    parser.add_argument("--out", type=Path, default=Path("docs/strength"))
    parser.add_argument("--folder", type=Path, default=Path("build/calibration"))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * asked.minutes
    moments: list[tuple[Table, list[Moment]]] = []
    for table in (Table(*each) for each in TABLES):
        number = asked.sittings
        moments.append((table, played(table, number, asked.folder, asked.jobs, end)))
    if asked.fit:
        for game in PROGRESS:
            fit(game, [each for each in moments if each[0].game == game], asked.sittings)
    text, points = report(moments)
    asked.out.mkdir(parents=True, exist_ok=True)
    note = f"odd sittings of {asked.sittings} at each table; {BOT} bots, seed {SEED}"
    for name, of_game in points.items():
        title = f"{parlour.game(name).title}: chances to win as they are told"
        (asked.out / f"chances-{name}.svg").write_text(
            plots.calibration(of_game, title=title, note=note), encoding="utf-8"
        )
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
