"""How strong the bots are: every table of docs/strength, by duplicate deals with the seats exchanged.

    python bench/strength.py [--jobs 2] [--minutes 60] [--scale 1.0] [--seed 1] [--out docs/strength]
    python bench/strength.py --options     the newer options alone: options.json, and its table in docs/players.md

How many deals each pair plays stands in DEALS and OPTIONS: with the same seed and scale the figures come out the same,
but for the milliseconds. Results are stored in build/strength; an interrupted run resumes there. A changed program
starts over. After --minutes nothing new is started, and the tables say what is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from typing import Any

from machine import cpu_model

import parlour
from parlour.engine import build
from parlour.lab import plots
from parlour.lab.intervals import Estimate, wilson
from parlour.lab.simulate import play_sitting, seed_number
from parlour.lab.tournament import Meeting, Pair, Save, Tournament, open_checkpoint, play_meetings, report
from parlour.players.bots import LEVELS, Searcher
from parlour.players.seats import Seating
from parlour.util.pool import in_order

PAIRS = (
    ("thumb", "random"),
    ("steady", "novice"),
    ("expert", "steady"),
    ("champion", "expert"),
    ("expert", "thumb"),
    ("champion", "thumb"),
    ("oracle", "thumb"),
)
DEALS = (
    # game, players, options, and deals for each of PAIRS in turn; champion and oracle meet thumb on the same deals
    ("masquerade", 4, {}, (1000, 300, 250, 60, 300, 120, 120)),
    ("masquerade", 8, {}, (600, 200, 150, 40, 1200, 60, 60)),
    ("lost-heir", 3, {}, (300, 100, 40, 12, 40, 20, 20)),
    ("lost-heir", 4, {}, (300, 100, 40, 10, 30, 16, 16)),
    ("lost-heir", 4, {"sides": "two"}, (300, 100, 50, 12, 40, 20, 20)),
    ("sovereign", 2, {}, (600, 200, 150, 50, 600, 100, 100)),
    ("sovereign", 3, {}, (600, 200, 120, 40, 600, 80, 80)),
    ("sovereign", 5, {}, (600, 200, 80, 24, 1000, 50, 50)),
    ("heraldry", 2, {}, (600, 200, 80, 30, 80, 50, 50)),
    ("heraldry", 4, {}, (600, 200, 60, 20, 70, 32, 32)),
)
SUIT = ({"following": "suit"}, {"following": "suit", "number_one": "last"})
FREE = ({"discard": "free"}, {"twelfth": "sweep"}, {"discard": "free", "twelfth": "sweep"})
OPTIONS_PAIRS = (("thumb", "random"), ("expert", "thumb"))
OPTIONS = (
    # game, players, deals for each of these pairs, and options: the usual ones, and what came with rules version 2
    ("masquerade", 4, (600, 60), ({}, {"number_one": "last"}, {"first_lead": "dealer"}, *SUIT)),
    ("lost-heir", 4, (200, 12), ({}, {"goal": 5}, {"goal": 50}, {"first": "namer"}, {"bids": "rising"})),
    ("sovereign", 5, (200, 10), ({}, {"games": 5}, {"ends": "pool"})),
    ("heraldry", 4, (400, 10), ({}, {"first": "order"}, {"deal_limit": 2}, *FREE)),
)
PLAYERS = Path("docs/players.md")
BEGIN, END = "<!-- options -->\n", "<!-- /options -->\n"
BIDS = 400  # deals of four experts, for the forecasts of bids
BINS = 8
RESAMPLES = 2000


@dataclass
class Contest:
    """One pair at one table, and what it has played so far."""

    game: str
    players: int
    options: dict[str, Any]
    pair: Pair
    deals: int
    seed: str
    met: dict[int, Meeting] = field(default_factory=dict)
    note: Save | None = None

    @property
    def table(self) -> str:
        sides = ", two sides" if self.options.get("sides") == "two" else ""
        return f"{self.players} players{sides}"

    @property
    def tournament(self) -> Tournament:
        options = parlour.game(self.game).options_for(self.players, self.options)
        return Tournament(self.game, self.players, options, self.pair, self.seed)

    @property
    def file(self) -> str:
        options = "".join(f"-{name}-{value}" for name, value in self.options.items())
        return f"{self.game}-{self.players}{options}-{self.pair[0]}-{self.pair[1]}-{self.seed}.jsonl"

    @property
    def over(self) -> bool:
        return all(deal in self.met for deal in range(self.deals))

    def meetings(self) -> list[Meeting]:
        return [self.met[deal] for deal in range(self.deals)]

    def chunks(self) -> Iterator[list[int]]:
        """What is still to be played, a hundredth of all at a time: long ones are played one by one."""
        missing = [deal for deal in range(self.deals) if deal not in self.met]
        size = max(1, self.deals // 100)
        return (missing[first : first + size] for first in range(0, len(missing), size))


def contests(seed: str, scale: float) -> list[Contest]:
    return [
        Contest(game, players, options, pair, max(2, round(scale * deals)), seed)
        for game, players, options, counts in DEALS
        for pair, deals in zip(PAIRS, counts, strict=True)
    ]


def contests_by_option(seed: str, scale: float) -> list[Contest]:
    return [
        Contest(game, players, options, pair, max(2, round(scale * counts[at])), seed)
        for at, pair in enumerate(OPTIONS_PAIRS)
        for game, players, counts, tried in OPTIONS
        for options in tried
    ]


# --- playing ----------------------------------------------------------------------------------------------------------


class Clock:
    """What has been played, how long it took, and whether there is time for more."""

    def __init__(self, minutes: float) -> None:
        self.start = time.monotonic()
        self.minutes = minutes

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def late(self) -> bool:
        return self.seconds > 60 * self.minutes

    def show(self, words: str) -> None:
        print(f"\r{self.seconds / 60:6.1f} min  {words:70}", end="", file=sys.stderr, flush=True)


def play_all(every: Sequence[Contest], folder: Path, jobs: int, clock: Clock) -> None:
    """Play what is missing of all contests, in one go, so that no process waits for another's last deal."""
    with ExitStack() as stack:
        for contest in every:
            done, contest.note = stack.enter_context(open_checkpoint(str(folder / contest.file), contest.tournament))
            contest.met = {meeting.deal: meeting for meeting in done}
        given: list[Contest] = []

        def tasks() -> Iterator[tuple[Tournament, Pair, list[int]]]:
            for contest in every:
                for deals in contest.chunks():
                    if clock.late:
                        return
                    given.append(contest)
                    yield contest.tournament, contest.pair, deals

        for number, meetings in enumerate(in_order(play_meetings, tasks(), jobs)):
            contest = given[number]
            assert contest.note is not None
            contest.note(meetings)
            contest.met |= {meeting.deal: meeting for meeting in meetings}
            pair = " against ".join(contest.pair)
            clock.show(f"{contest.game}, {contest.table}: {pair}, {len(contest.met)}/{contest.deals}")


# --- the forecasts of bids --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forecast:
    """The estimated chance that the bid is made, when trumps are named, and whether it was."""

    deal: int
    chance: float | None  # none where everybody passed
    made: bool


class Asking(Seating):
    """Four experts at a table, asked what they think of the bid when trumps are named."""

    def begin(self, seed: int, number: int) -> None:
        super().begin(seed, number)
        self.namer = -1
        self.chance: float | None = None

    def choose(self, state: parlour.State) -> int:
        step = super().choose(state)
        if self.game.step_name(step).startswith("trump"):
            bot = self.bots[state.seat]
            assert isinstance(bot, Searcher) and bot.search is not None
            self.namer = state.seat
            # a deal's only score: a player who makes the bid gains; one who fails scores 0
            self.chance = next(found.rise for found in bot.search.candidates() if found.step == step)
            if not isinstance(self.chance, float):
                raise TypeError(
                    "Search.candidates() gives a chance as a whole number: it was divided without its rest."
                )
        return step


def forecast_bids(task: tuple[str, Sequence[int]]) -> list[Forecast]:
    """Play some deals between four experts, each playing alone."""
    seed, deals = task
    game = parlour.game("lost-heir")
    options = game.options_for(4, {"deal_limit": 1})
    state = game.state_type(4, options)
    journal = state.journal = parlour.Journal()
    seating = Asking(game, 4, options, ["expert"] * 4)
    found = []
    for deal in deals:
        seating.begin(seed_number(seed), deal)
        play_sitting(state, parlour.Seeded(seed_number(seed), 2 * deal), seating, journal.clear)
        made = seating.namer >= 0 and state.scores()[seating.namer] > 0
        found.append(Forecast(deal, seating.chance, made))
    return found


def all_forecasts(path: Path, seed: str, deals: int, jobs: int, clock: Clock) -> list[Forecast]:
    """Every forecast that there was time for; those that the file holds are not made again."""
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    whole = [line for line in lines if line.endswith("\n")]  # a last line that was torn is played again
    path.write_text("".join(whole))
    found = {forecast.deal: forecast for forecast in (Forecast(*json.loads(line)) for line in whole)}
    missing = [deal for deal in range(deals) if deal not in found]

    def tasks() -> Iterator[tuple[str, list[int]]]:
        for first in range(0, len(missing), 10):
            if clock.late:
                return
            yield seed, missing[first : first + 10]

    with path.open("a") as file:
        for forecasts in in_order(forecast_bids, tasks(), jobs) if missing else ():
            for forecast in forecasts:
                found[forecast.deal] = forecast
                file.write(json.dumps([forecast.deal, forecast.chance, forecast.made]) + "\n")
            file.flush()
            clock.show(f"lost-heir: bids, {len(found)}/{deals}")
    return [found[deal] for deal in range(deals) if deal in found]


def points_of(forecasts: Sequence[Forecast]) -> list[plots.Point]:
    """Forecasts in bins of similar probability, with how often each came true."""
    bins: list[list[Forecast]] = [[] for _ in range(BINS)]
    for forecast in forecasts:
        if forecast.chance is not None:
            bins[min(BINS - 1, int(BINS * forecast.chance))].append(forecast)
    points = []
    for inside in filter(None, bins):
        made, of = sum(forecast.made for forecast in inside), len(inside)
        chance = fmean(forecast.chance or 0.0 for forecast in inside)
        points.append(plots.Point(chance, made / of, wilson(made, of), of))
    return points


# --- results ----------------------------------------------------------------------------------------------------------


def share_kept(champion: Sequence[Meeting], oracle: Sequence[Meeting], seed: str) -> Estimate:
    """How much of what the oracle gains on thumb the champion gains too, deal by deal; its interval by resampling."""
    gains = [
        (mine.scores[0] - mine.scores[1], theirs.scores[0] - theirs.scores[1])
        for mine, theirs in zip(champion, oracle, strict=False)
    ]

    def ratio(some: Sequence[tuple[float, float]]) -> float:
        whole = sum(theirs for _, theirs in some)
        return sum(mine for mine, _ in some) / whole if whole > 0 else float("nan")

    chosen = random.Random(seed)
    drawn = [ratio(chosen.choices(gains, k=len(gains))) for _ in range(RESAMPLES)]
    drawn = sorted(value for value in drawn if value == value)
    if len(drawn) < 0.99 * RESAMPLES:  # the oracle's own gain is not clear of nothing
        return Estimate(ratio(gains), None)
    return Estimate(ratio(gains), (drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn))]))


def shares_kept(every: Sequence[Contest]) -> list[dict[str, Any]]:
    """The share of every table where both have played."""
    over = {(contest.game, contest.table, contest.pair): contest for contest in every if contest.over}
    found = []
    for (game, table, pair), oracle in over.items():
        champion = over.get((game, table, ("champion", "thumb")))
        if pair == ("oracle", "thumb") and champion is not None:
            share = share_kept(champion.meetings(), oracle.meetings(), oracle.seed)
            mean = None if share.mean != share.mean else share.mean
            deals = min(champion.deals, oracle.deals)
            found.append({"game": game, "table": table, "deals": deals, "share": mean, "interval": share.interval})
    return found


def row_of(contest: Contest) -> dict[str, Any]:
    """The result of a contest."""
    found = report(contest.tournament, contest.meetings())
    [pair] = found["pairs"]
    row = {"game": contest.game, "players": contest.players, "table": contest.table, "options": contest.options}
    row |= {"bots": list(contest.pair), "deals": contest.deals}
    row |= {"difference": pair["difference"], "share": pair["share"], "clear": pair["clear"]}
    decisions = [line["decisions"] for line in found["field"]]
    return row | {"decisions": decisions, "milliseconds": found["milliseconds"]}


def picture(game: str, rows: Sequence[dict[str, Any]], seed: str) -> str:
    lines = [
        plots.Labelled(f"{row['table']}: {' against '.join(row['bots'])}", row["difference"]["mean"], interval_of(row))
        for row in rows
    ]
    title = f"{parlour.game(game).title}: who is ahead of whom, and by how much"
    fewest, most = min(row["deals"] for row in rows), max(row["deals"] for row in rows)
    note = f"{fewest:,} to {most:,} deals, each played twice with the seats exchanged; seed {seed}"
    return plots.intervals(lines, title=title, note=note, axis="Mean score of the first above that of the second")


def interval_of(row: dict[str, Any]) -> tuple[float, float] | None:
    interval: tuple[float, float] | None = row["difference"]["interval"]
    return interval


def signed(value: float) -> str:
    return f"{value:+z.2f}".replace("-", "−")


def within(found: dict[str, Any], percent: bool = False) -> str:
    """A difference or a share with its 95 % interval, as a cell of a table."""
    mean, interval = found["mean"], found["interval"]
    if percent:
        low, high = interval or (mean, mean)
        return f"{100 * mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    return signed(mean) if interval is None else f"{signed(mean)} ({signed(interval[0])} to {signed(interval[1])})"


def markdown(found: dict[str, Any]) -> Iterator[str]:
    """Everything as tables."""
    run = found["run"]
    yield "# How strong the bots are: the tables\n"
    yield (
        "Made by `bench/strength.py`; edit nothing here. Every deal is played twice by two bots, the seats exchanged, "
        "with the same luck. “Ahead by” is the mean score of the first above that of the second, a deal; “wins” is the "
        "first one's share of the wins. In brackets 95 % intervals over deals. Where an interval of the difference is "
        "clear of zero, the difference is in bold. Milliseconds are a decision's, by the wall, with "
        f"{run['jobs']} at work at once.\n"
    )
    for key in ("command", "seed", "scale", "rules", "versions", "machine", "date", "time"):
        yield f"- {key}: {run[key]}"
    if run["missing"]:
        yield f"- **not finished**: {', '.join(run['missing'])}"
    yield ""
    for game in dict.fromkeys(row["game"] for row in found["pairs"]):
        rows = [row for row in found["pairs"] if row["game"] == game]
        yield f"## {parlour.game(game).title}\n"
        yield f"![Who is ahead of whom]({game}.svg)\n"
        yield "| table | first | second | ahead by | wins | deals | ms, first | ms, second |"
        yield "|---|---|---|---|---|--:|--:|--:|"
        for row in rows:
            first, second = row["bots"]
            ahead, wins, deals = cells_of(row)
            times = " | ".join(f"{row['milliseconds'][bot]:.3f}" for bot in (first, second))
            yield f"| {row['table']} | {first} | {second} | {ahead} | {wins} | {deals} | {times} |"
        yield ""
    if found["kept"]:
        yield "## What hidden cards cost\n"
        yield (
            "The oracle is the champion with all hands open. This is the share of its gain on thumb that the champion "
            "keeps on the same deals; intervals by resampling the deals, none where the oracle's own gain is unclear.\n"
        )
        yield "| game | table | share kept | 95 % interval | deals |"
        yield "|---|---|--:|---|--:|"
        for row in found["kept"]:
            share = "unclear" if row["share"] is None else f"{100 * row['share']:.0f} %".replace("-", "−")
            low, high = row["interval"] or (None, None)
            interval = "–" if low is None else f"{100 * low:.0f} to {100 * high:.0f} %".replace("-", "−")
            yield f"| {parlour.game(row['game']).title} | {row['table']} | {share} | {interval} | {row['deals']} |"
        yield ""
    bids = found["bids"]
    if bids["points"]:
        yield "## Lost Heir: forecasts of bids\n"
        yield (
            f"{bids['deals']:,} deals of four experts, each playing alone. In {bids['named']:,} trumps were named; the "
            "forecast is the chance to make the bid that the search gave when it named them.\n"
        )
        yield "![Forecasts of bids](bids.svg)\n"
        yield "| forecast | made | 95 % interval | bids |"
        yield "|--:|--:|---|--:|"
        for point in bids["points"]:
            low, high = (f"{100 * value:.1f}" for value in point["interval"])
            forecast, made = f"{100 * point['forecast']:.1f} %", f"{100 * point['share']:.1f} %"
            yield f"| {forecast} | {made} | {low} to {high} % | {point['count']:,} |"
        yield ""


def options_table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The results by option as one table, a line for each game and its options."""
    heads = "".join(f" {' ahead of '.join(pair)} | wins | deals |" for pair in OPTIONS_PAIRS)
    yield f"| game | options |{heads}"
    yield "|---|---|" + "---|---|--:|" * len(OPTIONS_PAIRS)
    for game, _, _, tried in OPTIONS:
        for options in tried:
            cells = [", ".join(f"`{name}: {value}`" for name, value in options.items()) or "the usual ones"]
            for pair in OPTIONS_PAIRS:
                wanted = (game, options, list(pair))
                found = [row for row in rows if (row["game"], row["options"], row["bots"]) == wanted]
                cells += cells_of(found[0]) if found else ["–"] * 3
            yield f"| {' | '.join([parlour.game(game).title, *cells])} |"


def cells_of(row: dict[str, Any]) -> list[str]:
    ahead = within(row["difference"])
    return [f"**{ahead}**" if row["clear"] else ahead, within(row["share"], percent=True), f"{row['deals']:,}"]


def with_options(page: str, found: dict[str, Any]) -> str:
    """The text of docs/players.md with the table of the options."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    run = found["run"]
    made = f"Made by `{run['command']}` on {run['date']}, seed {run['seed']}; {run['versions']}."
    return "\n".join([head + begin, made, "", *options_table(found["pairs"]), "", end + tail])


# --- the run ----------------------------------------------------------------------------------------------------------


def fingerprint() -> str:
    """A hash of all that decides how the bots play."""
    package = Path(parlour.__file__).parent
    found = blake2b(json.dumps(build.source_hashes(str(package))).encode(), digest_size=6)
    for name in ("players/bots", "players/seats", "lab/tournament", "lab/simulate"):
        found.update((package / f"{name}.py").read_bytes())
    for path in sorted((package / "games").glob("*/sheet.toml")):
        found.update(path.read_bytes())
    return found.hexdigest()


def write(out: Path, found: dict[str, Any], points: Sequence[plots.Point]) -> None:
    """All files."""
    out.mkdir(parents=True, exist_ok=True)
    for game in dict.fromkeys(row["game"] for row in found["pairs"]):
        rows = [row for row in found["pairs"] if row["game"] == game]
        (out / f"{game}.svg").write_text(picture(game, rows, found["run"]["seed"]), encoding="utf-8")
    if points:
        title = "Lost Heir: will the bid be made?"
        seed, named = found["run"]["seed"], found["bids"]["named"]
        note = f"{named:,} bids of experts, forecast when trumps are named; seed {seed}"
        (out / "bids.svg").write_text(plots.calibration(points, title=title, note=note), encoding="utf-8")
    (out / "strength.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (out / "tables.md").write_text("\n".join(markdown(found)), encoding="utf-8")


def write_options(out: Path, found: dict[str, Any]) -> None:
    """The results by option, and their table in docs/players.md."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "options.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PLAYERS.write_text(with_options(PLAYERS.read_text(encoding="utf-8"), found), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=2, help="processes at work at once (default 2)")
    parser.add_argument("--minutes", type=float, default=60.0, help="start nothing new after this many (default 60)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many deals (default 1.0)")
    parser.add_argument("--seed", default="1", help="the seed of all deals (default 1)")
    parser.add_argument("--out", type=Path, default=Path("docs/strength"), help="where to write (docs/strength)")
    parser.add_argument("--options", action="store_true", help="play the newer options alone")
    parser.add_argument("--keep", type=Path, default=Path("build/strength"), help="where to store results")
    arguments = parser.parse_args()
    if not build.is_compiled():
        sys.exit(f"strength: this would take days, parlour is {build.status()}")

    clock = Clock(arguments.minutes)
    folder = arguments.keep / fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.options:
        every, bids = contests_by_option(arguments.seed, arguments.scale), 0
    else:
        every, bids = contests(arguments.seed, arguments.scale), max(10, round(arguments.scale * BIDS))
    try:
        forecasts = all_forecasts(folder / f"bids-{arguments.seed}.jsonl", arguments.seed, bids, arguments.jobs, clock)
        if fingerprint() != folder.name:  # the processes to come would not play as those before
            sys.exit("\nstrength: the program was changed while it ran; begin again")
        play_all(every, folder, arguments.jobs, clock)
    except KeyboardInterrupt:
        sys.exit(f"\nProgress is saved in {folder}. Run the same command to resume.")
    print("\r" + " " * 90 + "\r", end="", file=sys.stderr, flush=True)

    missing = [contest.file.removesuffix(".jsonl") for contest in every if not contest.over]
    missing += ["the forecasts of bids"] if len(forecasts) < bids else []
    levels = ", ".join(f"{name} {trials:,}" for name, trials in LEVELS.items())
    run = {
        "command": "python bench/strength.py" + " --options" * arguments.options,
        "seed": arguments.seed,
        "scale": arguments.scale,
        "rules": ", ".join(f"{game.title} {game.rules}" for game in parlour.REGISTRY.values()),
        "jobs": arguments.jobs,
        "versions": f"parlour {parlour.__version__} ({folder.name}), {build.status()}; trials: {levels}; "
        f"Python {platform.python_version()}",
        "machine": f"{cpu_model()}, {os.cpu_count()} cores, {arguments.jobs} in use",
        "date": time.strftime("%Y-%m-%d"),
        "time": f"{clock.seconds / 60:.1f} minutes in this run",
        "missing": missing,
    }
    pairs = [row_of(contest) for contest in every if contest.over]
    if arguments.options:
        write_options(arguments.out, {"run": run, "pairs": pairs})
    else:
        points = points_of(forecasts)
        named = sum(forecast.chance is not None for forecast in forecasts)
        of_bids = {"deals": len(forecasts), "named": named, "points": [vars(point) for point in points]}
        write(arguments.out, {"run": run, "pairs": pairs, "kept": shares_kept(every), "bids": of_bids}, points)
    print(f"{arguments.out}: {len(pairs)} of {len(every)} pairs, {clock.seconds / 60:.1f} minutes")
    if missing:
        sys.exit(f"strength: not finished, the same command goes on: {', '.join(missing)}")


if __name__ == "__main__":
    main()
