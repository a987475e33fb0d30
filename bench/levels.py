"""The tables of docs/strength: bots in single deals, without the luck of the cards; `bench/strength.py` runs it.

Two bots meet at a table in up to three companies: seated alternately, one A among B, one B among A. Each deal is played
in every rotation of the seats with the same chance. What is measured is the sum of the gains of their departures from
the rules of thumb (deals.py). How many deals each plays stands in SIZES; some sizes were changed
during the run that made the published tables.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import erfc, fsum, sqrt
from pathlib import Path
from typing import Any

from attainable import bots_at
from deals import TABLES, Dealer, Table, fingerprint, within
from machine import cpu_model

import parlour
from parlour.engine import build
from parlour.lab import plots
from parlour.lab.intervals import Z, mean_of
from parlour.lab.simulate import seed_number
from parlour.players.bots import LEVELS
from parlour.util.checkpoint import open_checkpoint
from parlour.util.pool import in_order

ROLLOUTS = 64  # of each of the two steps, where a bot departs from the rules of thumb
Pair = tuple[str, str]
SIZES: dict[Pair, tuple[tuple[int, int], ...]] = {
    # for each of TABLES: deals in which the two sit alternately, and deals for each of the other companies
    ("expert", "steady"): (
        *((200, 20), (40, 0)),
        *((250, 30), (300, 20), (200, 0)),
        *((200, 0), (200, 20), (200, 20)),
        *((300, 0), (500, 12)),
    ),
    ("steady", "novice"): ((200, 30), (200, 0), *((200, 30),) * 7, (1000, 30)),
    ("expert", "thumb"): ((30, 0), (10, 0), *((30, 0),) * 3, *((60, 0),) * 3, *((30, 0),) * 2),
    ("novice", "thumb"): ((100, 0), (40, 0), *((100, 0),) * 8),
    ("net", "thumb"): ((200, 0),) * 10,
    ("net", "steady"): ((80, 0),) * 10,
    ("thumb", "random"): ((60, 0),) * 10,
}
COMPANIES = ("alternately", "one {} among {}", "one {} among {}")


@dataclass(frozen=True)
class Contest:
    """Two bots in one company at a table."""

    table: Table
    pair: Pair
    company: int  # 0: alternately, 1: one of the first among the second, 2: one of the second among the first
    deals: int

    @property
    def key(self) -> str:
        return f"{self.table.file}-{'-'.join(self.pair)}-{self.company}"

    @property
    def called(self) -> str:
        """What the company is called in the table."""
        return COMPANIES[self.company].format(*(self.pair if self.company == 1 else self.pair[::-1]))

    def seatings(self, sides: int) -> list[list[int]]:
        """Which of the two holds each side, in all rotations."""
        if not self.company:
            return [[(side + first) % 2 for side in range(sides)] for first in (0, 1)]
        single = self.company - 1
        return [[single if side == alone else 1 - single for side in range(sides)] for alone in range(sides)]


@dataclass
class Meeting:
    """One deal of a contest in all its seatings: how far the first is ahead of the second, a deal."""

    contest: str
    deal: int
    score: float  # by the score,
    gain: float  # and by the gains of the steps that were not those of the rules of thumb
    decisions: list[int]
    seconds: list[float]


def contests(scale: float) -> list[Contest]:
    """All contests, the most wanted first."""
    found = []
    for pair, sizes in SIZES.items():
        for table, (alternate, others) in zip(TABLES, sizes, strict=True):
            if "net" in pair and "net" not in bots_at(table):
                continue
            for company, deals in enumerate((alternate, others, others)):
                if deals and not (company and table.of_two):  # where there are two sides, all companies are one
                    found.append(Contest(table, pair, company, max(2, round(scale * deals))))
    return found


# --- playing ----------------------------------------------------------------------------------------------------------


class Timer:
    """Choices of a seating, with their number and time by bot."""

    def __init__(self, dealer: Dealer, names: Sequence[str], holders: Sequence[int]) -> None:
        self.seating, self.holders = dealer.seat(names), holders
        self.decisions, self.seconds = [0, 0], [0.0, 0.0]
        self.begin, self.tell = self.seating.begin, self.seating.tell

    def choose(self, state: parlour.State) -> int:
        holder, start = self.holders[state.seat], time.perf_counter()
        step = self.seating.choose(state)
        self.seconds[holder] += time.perf_counter() - start
        self.decisions[holder] += 1
        return step


def meet(task: tuple[Contest, int, Sequence[int]]) -> list[Meeting]:
    """Play some deals of a contest."""
    contest, seed, numbers = task
    dealer = Dealer(contest.table)
    timers = []
    for by_side in contest.seatings(dealer.sides):
        holders = [by_side[seat % dealer.sides] for seat in range(dealer.players)]
        timers.append(Timer(dealer, [contest.pair[holder] for holder in holders], holders))
    met = []
    for number in numbers:
        meeting = Meeting(contest.key, number, 0.0, 0.0, [0, 0], [0.0, 0.0])
        for timer in timers:
            timer.decisions, timer.seconds = [0, 0], [0.0, 0.0]
            scores, gains = dealer.play_valued(timer, seed, number, ROLLOUTS)
            meeting.score += ahead(scores, timer.holders) / len(timers)
            meeting.gain += ahead(gains, timer.holders) / len(timers)
            for holder in (0, 1):
                meeting.decisions[holder] += timer.decisions[holder]
                meeting.seconds[holder] += timer.seconds[holder]
        met.append(meeting)
    return met


def ahead(values: Sequence[float], holders: Sequence[int]) -> float:
    """The mean of the first bot's seats less that of the second's."""
    sums, counts = [0.0, 0.0], [holders.count(0), holders.count(1)]
    for value, holder in zip(values, holders, strict=True):
        sums[holder] += value
    return sums[0] / counts[0] - sums[1] / counts[1]


def play_all(every: Sequence[Contest], asked: argparse.Namespace) -> dict[str, dict[int, Meeting]]:
    """Play what is missing; all meetings by contest and deal."""
    asked.keep.mkdir(parents=True, exist_ok=True)
    head = {"strength": parlour.__version__, "code": fingerprint(), "seed": asked.seed}
    begun = time.monotonic()
    path = str(asked.keep / f"deals-{asked.seed}.jsonl")
    met: dict[str, dict[int, Meeting]] = {contest.key: {} for contest in every}
    wanted = sum(contest.deals for contest in every)
    with open_checkpoint(path, "strength", head, lambda data: Meeting(**data), asdict) as (done, save):
        for meeting in done:
            met.setdefault(meeting.contest, {})[meeting.deal] = meeting

        def tasks() -> Iterator[tuple[Contest, int, list[int]]]:
            for contest in every:
                missing = [deal for deal in range(contest.deals) if deal not in met[contest.key]]
                for first in range(0, len(missing), 5):
                    if time.monotonic() - begun > 60 * asked.minutes:
                        return
                    yield contest, seed_number(asked.seed), missing[first : first + 5]

        for meetings in in_order(meet, tasks(), asked.jobs):
            save(meetings)
            met[meetings[0].contest] |= {meeting.deal: meeting for meeting in meetings}
            over = sum(min(contest.deals, len(met[contest.key])) for contest in every)
            words = f"{over:,} of {wanted:,} deals, {meetings[0].contest}"
            print(f"\r{(time.monotonic() - begun) / 60:6.1f} min  {words:70}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return met


# --- results ----------------------------------------------------------------------------------------------------------


def row_of(contest: Contest, meetings: Sequence[Meeting]) -> dict[str, Any]:
    """The result of a contest."""
    row: dict[str, Any] = {"game": contest.table.game, "players": contest.table.players, "table": contest.table.label}
    row |= {"options": contest.table.options, "bots": list(contest.pair), "company": contest.called}
    row |= {"deals": len(meetings)}
    for name in ("gain", "score"):
        found = mean_of([getattr(meeting, name) for meeting in meetings])
        row[name] = {"mean": found.mean, "interval": found.interval}
    assert row["gain"]["interval"] is not None
    low, high = row["gain"]["interval"]
    error = (high - low) / 2 / Z
    row["chance"] = erfc(abs(row["gain"]["mean"]) / error / sqrt(2)) if error else float(row["gain"]["mean"] == 0)
    row["decisions"] = [sum(meeting.decisions[at] for meeting in meetings) for at in (0, 1)]
    seconds = [fsum(meeting.seconds[at] for meeting in meetings) for at in (0, 1)]
    row["milliseconds"] = [1000 * spent / max(1, count) for spent, count in zip(seconds, row["decisions"], strict=True)]
    return row


def mark_clear(rows: Sequence[dict[str, Any]]) -> None:
    """Which differences are clear of zero, for each pair and company over all its tables (Holm)."""
    for row in rows:
        row["clear"] = False
    families: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault((*row["bots"], row["company"]), []).append(row)
    for family in families.values():
        for at, row in enumerate(sorted(family, key=lambda row: float(row["chance"]))):
            if row["chance"] * (len(family) - at) >= 0.05:
                break
            row["clear"] = True


def markdown(found: dict[str, Any]) -> Iterator[str]:
    """Everything as tables."""
    run = found["run"]
    yield "# How strong the bots are: the tables\n"
    yield (
        "Made by `bench/strength.py`; edit nothing here. Two bots play single deals, the first of a usual "
        "sitting, each in every rotation of the seats with the same chance. “Ahead by” is what the first "
        "gains above the second, points a deal, by the steps in which they depart from the rules of thumb: "
        f"each such step and the step of these rules are played on {run['rollouts']} times by the rules of "
        "thumb from the true deal. That has the same mean as the score, and less of the luck of the cards; "
        "the score itself stands beside it. In brackets 95 % intervals over deals. Bold: clear of zero by "
        "Holm's test over all tables of the pair and the company. Milliseconds are a decision's, by the "
        "clock, beside other work.\n"
    )
    for key in ("command", "seed", "scale", "rules", "versions", "machine", "date", "time"):
        yield f"- {key}: {run[key]}"
    yield ""
    for game in dict.fromkeys(row["game"] for row in found["pairs"]):
        rows = [row for row in found["pairs"] if row["game"] == game]
        yield f"## {parlour.game(game).title}\n"
        yield f"![Who is ahead of whom]({game}.svg)\n"
        yield "| table | first | second | seated | ahead by | by the score | deals | ms, first | ms, second |"
        yield "|---|---|---|---|---|---|--:|--:|--:|"
        for row in rows:
            gain = within(row["gain"])
            cells = [row["table"], *row["bots"], row["company"], f"**{gain}**" if row["clear"] else gain]
            cells += [within(row["score"]), f"{row['deals']:,}", *(f"{each:.3f}" for each in row["milliseconds"])]
            yield f"| {' | '.join(cells)} |"
        yield ""


def picture(game: str, rows: Sequence[dict[str, Any]], seed: str) -> str:
    rows = [row for row in rows if row["company"] == COMPANIES[0] and row["bots"] != ["thumb", "random"]]
    lines = [
        plots.Labelled(
            f"{row['table']}: {' against '.join(row['bots'])}", row["gain"]["mean"], tuple(row["gain"]["interval"])
        )
        for row in rows
    ]
    title = f"{parlour.game(game).title}: who is ahead of whom, and by how much"
    fewest, most = min(row["deals"] for row in rows), max(row["deals"] for row in rows)
    note = f"{fewest:,} to {most:,} deals, each played in both seatings; seed {seed}"
    return plots.intervals(lines, title=title, note=note, axis="Points a deal that the first gains above the second")


def write(out: Path) -> None:
    """The page and the pictures."""
    found = json.loads((out / "strength.json").read_text(encoding="utf-8"))
    for game in dict.fromkeys(row["game"] for row in found["pairs"]):
        rows = [row for row in found["pairs"] if row["game"] == game]
        (out / f"{game}.svg").write_text(picture(game, rows, found["run"]["seed"]), encoding="utf-8")
    (out / "tables.md").write_text("\n".join(markdown(found)), encoding="utf-8")


def measure(asked: argparse.Namespace) -> None:
    """Play what is missing, and write what was found."""
    every = contests(asked.scale)
    met = play_all(every, asked)
    missing = [contest.key for contest in every if len(met[contest.key]) < contest.deals]
    if missing:
        sys.exit(f"strength: progress is saved in {asked.keep}. Run the same command to resume: {len(missing)} to go.")
    rows = [row_of(contest, [met[contest.key][deal] for deal in range(contest.deals)]) for contest in every]
    mark_clear(rows)
    spent = fsum(sum(meeting.seconds) for by_deal in met.values() for meeting in by_deal.values())
    run = about(asked) | {"rollouts": ROLLOUTS, "time": f"the bots thought for {spent / 60:.0f} minutes"}
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "strength.json").write_text(json.dumps({"run": run, "pairs": rows}, indent=1) + "\n", encoding="utf-8")


def about(asked: argparse.Namespace) -> dict[str, Any]:
    """How a run was made."""
    trials = ", ".join(f"{name} {count:,}" for name, count in LEVELS.items())
    return {
        "command": "python bench/strength.py",
        "seed": asked.seed,
        "scale": asked.scale,
        "rules": ", ".join(f"{game.title} {game.rules}" for game in parlour.REGISTRY.values()),
        "versions": f"parlour {parlour.__version__} ({fingerprint()}), {build.status()}; trials: {trials}; "
        f"Python {platform.python_version()}",
        "machine": f"{cpu_model()}, {os.cpu_count()} cores, {asked.jobs} in use",
        "date": time.strftime("%Y-%m-%d"),
    }
