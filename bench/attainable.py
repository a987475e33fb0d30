"""What is attainable: the share of the gain by open cards that any fair player could have, and what each level has.

    python bench/attainable.py [--jobs 1] [--minutes 60] [--scale 1.0] [--seed 1] [--page]
    python bench/attainable.py --try BOT [--scale 1.0] [--seed 1] [--only TABLE,…]    a bot beside expert

At each choice of some deals between the rules of thumb, every step is played on by these rules in the same imagined
worlds with the same luck. *Fair* is the gain over the rules of thumb by the step that is best on average over the
worlds, *oracle* by the step that is best in each world. What chooses never judges: the fair step is chosen in three
quarters of the worlds and judged in the fourth, in turn; the oracle's in one half of the rollouts, and judged in the
other. A level's step is judged in all worlds. Progress is saved in build/attainable, and the same command resumes it.
The table goes into docs/players.md; `--page` only makes it again from docs/strength/attainable.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any

from deals import TABLES, Dealer, Table, fingerprint, made_by, signed, within

import parlour
from parlour.engine import build
from parlour.lab.intervals import Z, mean_of
from parlour.lab.simulate import seed_number
from parlour.players.nets import players_with_nets
from parlour.players.seats import make
from parlour.util.checkpoint import open_checkpoint
from parlour.util.pool import in_order

DEALS = (20, 8, 16, 16, 16, 40, 50, 60, 24, 24)  # for each of TABLES
WORLDS = {"masquerade": (96, 16), "lost-heir": (640, 2), "sovereign": (160, 12), "heraldry": (320, 6)}
"""For the fair step and the levels: how many worlds, and rollouts of each step in each. In Lost Heir a rollout has no
luck of its own."""
OPEN = {"masquerade": (4, 512), "lost-heir": (96, 2), "sovereign": (4, 512), "heraldry": (8, 256)}
"""For the oracle: fewer worlds, and more of their luck."""
FOLDS = 4
CAUTION = 1.0  # standard errors by which the fair step must be better than the plan
LEVELS = ("novice", "steady", "expert")
RESAMPLES = 2000
PLAYERS, FOUND = Path("docs/players.md"), Path("docs/strength/attainable.json")
BEGIN, END = "<!-- attainable -->\n", "<!-- /attainable -->\n"


@dataclass
class Deal:
    """Sums over the choices of one deal; gains are above the opponents, over the rules of thumb."""

    table: str
    deal: int
    choices: int
    fair: float
    most_fair: float  # where the same worlds choose and judge, which is too much
    oracle: float
    most_oracle: float
    levels: dict[str, float]


def bots_at(table: Table) -> list[str]:
    """The bots that are judged at a table."""
    has_net = table.players in players_with_nets(parlour.game(table.game)) and not table.options
    return [*LEVELS, *["net"] * has_net]


class Weighing:
    """Judges the choices of one deal after another at a table."""

    def __init__(self, table: Table, seed: int, names: Sequence[str]) -> None:
        self.table, self.seed = table, seed
        self.dealer = dealer = Dealer(table)
        self.seating = dealer.seat(["steady"] * table.players)  # their views remember, and track beliefs
        view = dealer.views[0]
        self.horizon = view.search_profile().horizon
        self.bots = {name: make(name, dealer.game, table.players, dealer.options, 0) for name in names}

    def deal(self, number: int) -> Deal:
        """Play a deal by the rules of thumb, and judge its choices."""
        self.found = Deal(self.table.file, number, 0, 0.0, 0.0, 0.0, 0.0, dict.fromkeys(self.bots, 0.0))
        for bot in self.bots.values():
            bot.begin(self.seed, number)
        self.number = number
        self.dealer.play(self.seating, self.seed, number, self.choose)
        return self.found

    def choose(self) -> int:
        """The step of the rules of thumb, and what others would have gained."""
        state, found = self.dealer.state, self.found
        view = self.seating.look(state)
        plan, steps = self.dealer.plan(), state.legal()
        word = self.seed + (self.number << 24) + (state.moves << 4)
        fair = self.leads(view, steps, plan, word, *WORLDS[self.table.game])
        means = [[0.5 * (first + second) for first, second in row] for row in fair]  # by world and step
        whole = [fsum(column) / len(means) for column in zip(*means, strict=True)]
        for fold in range(FOLDS):
            judging = means[fold::FOLDS]
            choosing = [row for world, row in enumerate(means) if world % FOLDS != fold]
            chosen = best_of([surely(column) for column in zip(*choosing, strict=True)])
            found.fair += fsum(row[chosen] for row in judging) / len(judging) / FOLDS
        found.most_fair += max(whole)
        for row in (seen := self.leads(view, steps, plan, word + 1, *OPEN[self.table.game])):
            first, second = zip(*row, strict=True)
            found.oracle += 0.5 * (second[best_of(first)] + first[best_of(second)]) / len(seen)
            found.most_oracle += max(0.5 * (one + other) for one, other in row) / len(seen)
        for name, bot in self.bots.items():
            found.levels[name] += whole[steps.index(bot.choose(view))]
        found.choices += 1
        return plan

    def leads(self, view: parlour.View, steps: Sequence[int], plan: int, word: int, worlds: int, rollouts: int) -> Any:
        """By world and step: the gain on the plan in each half of the rollouts."""
        luck, seat, dealer = parlour.Seeded(word), view.seat, self.dealer
        rows = []
        for number in range(worlds):
            world = view.sample(luck)
            own = (word << 8) + number
            halves = {step: dealer.value(world, step, own, rollouts, self.horizon) for step in steps}
            leads = {step: [dealer.lead(half, seat) for half in both] for step, both in halves.items()}
            rows.append([[one - base for one, base in zip(leads[step], leads[plan], strict=True)] for step in steps])
        return rows


def surely(values: Sequence[float]) -> float:
    """The mean, less so many of its standard errors; the plan's own gain is always 0."""
    estimate = mean_of(values)
    assert estimate.interval is not None
    return estimate.mean - CAUTION * (estimate.interval[1] - estimate.mean) / Z


def best_of(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def weigh(task: tuple[Table, int, Sequence[int]]) -> list[Deal]:
    """Some deals of one table."""
    table, seed, numbers = task
    weighing = Weighing(table, seed, bots_at(table))
    return [weighing.deal(number) for number in numbers]


# --- results ----------------------------------------------------------------------------------------------------------


def ratio(deals: Sequence[Deal], over: str, under: str) -> float:
    """One sum over another; a level is named by its name."""

    def total(name: str) -> float:
        return fsum(each.levels[name] if name in each.levels else getattr(each, name) for each in deals)

    whole = total(under)
    return total(over) / whole if whole > 0 else float("nan")


def share(deals: Sequence[Deal], over: str, under: str, seed: str) -> dict[str, Any]:
    """A share of two sums, with its 95 % interval by resampling whole deals, as choices of one deal are alike."""
    luck = random.Random(f"{seed} {over} {under}")
    drawn = sorted(ratio(luck.choices(deals, k=len(deals)), over, under) for _ in range(RESAMPLES))
    interval = [drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]]
    return {"mean": ratio(deals, over, under), "interval": interval}


def row_of(table: Table, deals: Sequence[Deal], seed: str) -> dict[str, Any]:
    row: dict[str, Any] = {"game": table.game, "table": table.label, "options": table.options, "deals": len(deals)}
    row["choices"] = sum(each.choices for each in deals)
    row["gain"] = fsum(each.fair for each in deals) / len(deals) / table.players
    row["fair"] = share(deals, "fair", "oracle", seed)
    row["between"] = sorted((ratio(deals, "fair", "most_oracle"), ratio(deals, "most_fair", "oracle")))
    row["levels"] = {name: share(deals, name, "fair", seed) for name in deals[0].levels}
    row["above"] = {}  # how much more a level gains a deal at one seat than the one below
    for below, above in pairwise(LEVELS):
        more = mean_of([(each.levels[above] - each.levels[below]) / table.players for each in deals])
        row["above"][above] = {"mean": more.mean, "interval": more.interval}
    return row


def percent(value: float) -> str:
    return f"{100 * value:.0f}".replace("-", "−")


def cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return "–"
    low, high = found["interval"]
    return f"{percent(found['mean'])} % ({percent(low)} to {percent(high)})"


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The table, and how it was made."""
    run = found["run"]
    yield made_by(run)
    yield ""
    yield "| table | choices | gain of a fair seat, a deal | fair / oracle | " + " | ".join((*LEVELS, "net")) + " |"
    yield "|---|--:|--:|---|" + "---|" * (len(LEVELS) + 1)
    for row in found["tables"]:
        levels = [cell(row["levels"].get(name)) for name in (*LEVELS, "net")]
        low, high = row["between"]
        fair = f"{cell(row['fair'])}; {percent(low)} to {percent(high)}"
        cells = [called(row), f"{row['choices']:,}", signed(row["gain"]), fair, *levels]
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "How much more one seat gains a deal by a level than by the one below, points above its opponents:"
    yield ""
    yield "| table | " + " | ".join(f"{above} above {below}" for below, above in pairwise(LEVELS)) + " | deals |"
    yield "|---|" + "---|" * (len(LEVELS) - 1) + "--:|"
    for row in found["tables"]:
        yield f"| {called(row)} | {' | '.join(within(row['above'][name]) for name in LEVELS[1:])} | {row['deals']} |"
    yield ""


def called(row: dict[str, Any]) -> str:
    return f"{parlour.game(row['game']).title}, {row['table']}"


def with_table(page: str, found: dict[str, Any]) -> str:
    """The text of docs/players.md with the table."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    return "\n".join([head + begin, *lines(found), end + tail])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="processes at work at once (default 1)")
    parser.add_argument("--minutes", type=float, default=60.0, help="start nothing new after this many (default 60)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many deals (default 1.0)")
    parser.add_argument("--seed", default="1", help="the seed of all deals (default 1)")
    parser.add_argument("--keep", type=Path, default=Path("build/attainable"), help="where to store results")
    parser.add_argument("--page", action="store_true", help="only make the table of the page again")
    parser.add_argument("--try", dest="tried", metavar="BOT", help="only compare a bot with expert, and print it")
    parser.add_argument("--only", default="", metavar="TABLE,…", help="with --try: tables such as lost-heir-4")
    asked = parser.parse_args()
    if asked.tried:
        compare(asked)
        return
    if not asked.page:
        measure(asked)
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    PLAYERS.write_text(with_table(PLAYERS.read_text(encoding="utf-8"), found), encoding="utf-8")


def measure(asked: argparse.Namespace) -> None:
    """Judge what is missing, and write what was found."""
    if not build.is_compiled():
        sys.exit(f"attainable: this would take days, parlour is {build.status()}")
    asked.keep.mkdir(parents=True, exist_ok=True)
    head = {"attainable": parlour.__version__, "code": fingerprint(), "seed": asked.seed}
    counts = {table.file: max(2, round(asked.scale * deals)) for table, deals in zip(TABLES, DEALS, strict=True)}
    begun = time.monotonic()
    path = str(asked.keep / f"{asked.seed}.jsonl")
    with open_checkpoint(path, "attainable", head, lambda data: (Deal(**data[0]), data[1]), list) as (done, save):
        met = {(deal.table, deal.deal): deal for deal, _ in done}
        spent = fsum(seconds for _, seconds in done)

        def tasks() -> Iterator[tuple[Table, int, list[int]]]:
            for number in range(max(counts.values())):
                for table in TABLES:
                    if number < counts[table.file] and (table.file, number) not in met:
                        if time.monotonic() - begun > 60 * asked.minutes:
                            return
                        yield table, seed_number(asked.seed), [number]

        for deals, seconds in in_order(timed, tasks(), asked.jobs):
            save([(asdict(deal), seconds / len(deals)) for deal in deals])
            spent += seconds
            met |= {(deal.table, deal.deal): deal for deal in deals}
            words = f"{len(met)} of {sum(counts.values())} deals, {(time.monotonic() - begun) / 60:.1f} min"
            print(f"\r{words:40}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if len(met) < sum(counts.values()):
        sys.exit(f"attainable: progress is saved in {path}. Run the same command to resume.")
    tables = [
        row_of(table, [met[table.file, number] for number in range(counts[table.file])], asked.seed) for table in TABLES
    ]
    run = {"command": "python bench/attainable.py", "seed": asked.seed, "date": time.strftime("%Y-%m-%d")}
    run |= {"minutes": spent / 60, "code": head["code"], "worlds": WORLDS, "open": OPEN}
    FOUND.write_text(json.dumps({"run": run, "tables": tables}, indent=1) + "\n", encoding="utf-8")


def compare(asked: argparse.Namespace) -> None:
    """Print how much more one seat gains a deal by the steps of a bot than by those of expert."""
    for table, deals in zip(TABLES, DEALS, strict=True):
        if asked.only and table.file not in asked.only.split(","):
            continue
        weighing = Weighing(table, seed_number(asked.seed), ("expert", asked.tried))
        found = [weighing.deal(number) for number in range(max(2, round(asked.scale * deals)))]
        more = mean_of([(each.levels[asked.tried] - each.levels["expert"]) / table.players for each in found])
        choices = sum(each.choices for each in found)
        print(f"{table.file}: {asked.tried} {within(vars(more))} a deal above expert, {choices:,} choices", flush=True)


def timed(task: tuple[Table, int, Sequence[int]]) -> tuple[list[Deal], float]:
    start = time.process_time()
    return weigh(task), time.process_time() - start


if __name__ == "__main__":
    main()
