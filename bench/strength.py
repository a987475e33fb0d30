"""How strong the bots are: the tables of docs/strength by single deals, and the newer options by whole sittings.

    python bench/strength.py [--jobs 1] [--minutes 60] [--scale 1.0] [--seed 1] [--page]    the tables: levels.py
    python bench/strength.py --options     the newer options: options.json, and its table in docs/players.md

How many deals each pair plays stands in SIZES of levels.py and in OPTIONS: with the same seed and scale the figures
come out the same, but for the milliseconds. Results are stored in build/strength; an interrupted run resumes there.
After --minutes nothing new is started.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import levels
from deals import fingerprint, within

import parlour
from parlour.engine import build
from parlour.lab.tournament import Meeting, Pair, Save, Tournament, open_checkpoint, play_meetings, report
from parlour.util.pool import in_order

FREE = ({"discard": "free"}, {"twelfth": "sweep"}, {"discard": "free", "twelfth": "sweep"})
OPTIONS_PAIRS = (("thumb", "random"), ("expert", "thumb"))
OPTIONS = (
    # game, players, deals for each of these pairs, and options: the usual ones, and what came with rules version 2;
    # more deals where expert and thumb are nearly alike
    ("masquerade", 4, (600, 200), ({},)),
    ("masquerade", 4, (600, 60), ({"number_one": "last"}, {"first_lead": "dealer"})),
    ("masquerade", 4, (600, 200), ({"following": "suit"},)),
    ("masquerade", 4, (600, 60), ({"following": "suit", "number_one": "last"},)),
    ("lost-heir", 4, (200, 12), ({}, {"goal": 5}, {"goal": 50}, {"first": "namer"}, {"bids": "rising"})),
    ("sovereign", 5, (200, 40), ({},)),
    ("sovereign", 5, (200, 100), ({"games": 5},)),
    ("sovereign", 5, (200, 40), ({"ends": "pool"},)),
    ("heraldry", 4, (400, 10), ({}, {"first": "order"})),
    ("heraldry", 4, (400, 100), ({"deal_limit": 2},)),
    ("heraldry", 4, (400, 10), FREE),
)
PLAYERS = Path("docs/players.md")
BEGIN, END = "<!-- options -->\n", "<!-- /options -->\n"


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


# --- results ----------------------------------------------------------------------------------------------------------


def row_of(contest: Contest) -> dict[str, Any]:
    """The result of a contest."""
    found = report(contest.tournament, contest.meetings())
    [pair] = found["pairs"]
    row = {"game": contest.game, "players": contest.players, "table": contest.table, "options": contest.options}
    row |= {"bots": list(contest.pair), "deals": contest.deals}
    row |= {"difference": pair["difference"], "share": pair["share"], "clear": pair["clear"]}
    decisions = [line["decisions"] for line in found["field"]]
    return row | {"decisions": decisions, "milliseconds": found["milliseconds"]}


def share(found: dict[str, Any]) -> str:
    """A share with its 95 % interval, as a cell of a table."""
    low, high = found["interval"] or (found["mean"], found["mean"])
    return f"{100 * found['mean']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


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
    return [f"**{ahead}**" if row["clear"] else ahead, share(row["share"]), f"{row['deals']:,}"]


def with_options(page: str, found: dict[str, Any]) -> str:
    """The text of docs/players.md with the table of the options."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    run = found["run"]
    made = f"Made by `{run['command']}` on {run['date']}, seed {run['seed']}; {run['versions']}."
    return "\n".join([head + begin, made, "", *options_table(found["pairs"]), "", end + tail])


# --- the run ----------------------------------------------------------------------------------------------------------


def write_options(out: Path, found: dict[str, Any]) -> None:
    """The results by option, and their table in docs/players.md."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "options.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PLAYERS.write_text(with_options(PLAYERS.read_text(encoding="utf-8"), found), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="processes at work at once (default 1)")
    parser.add_argument("--minutes", type=float, default=60.0, help="start nothing new after this many (default 60)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many deals (default 1.0)")
    parser.add_argument("--seed", default="1", help="the seed of all deals (default 1)")
    parser.add_argument("--out", type=Path, default=Path("docs/strength"), help="where to write (docs/strength)")
    parser.add_argument("--options", action="store_true", help="play the newer options alone")
    parser.add_argument("--page", action="store_true", help="only make the tables again from strength.json")
    parser.add_argument("--keep", type=Path, default=Path("build/strength"), help="where to store results")
    arguments = parser.parse_args()
    if not arguments.page and not build.is_compiled():
        sys.exit(f"strength: this would take days, parlour is {build.status()}")
    if arguments.options:
        measure_options(arguments)
        return
    if not arguments.page:
        levels.measure(arguments)
    levels.write(arguments.out)


def measure_options(arguments: argparse.Namespace) -> None:
    """Play what is missing by option, and write what was found."""
    clock = Clock(arguments.minutes)
    folder = arguments.keep / fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    every = contests_by_option(arguments.seed, arguments.scale)
    try:
        play_all(every, folder, arguments.jobs, clock)
    except KeyboardInterrupt:
        sys.exit(f"\nProgress is saved in {folder}. Run the same command to resume.")
    print("\r" + " " * 90 + "\r", end="", file=sys.stderr, flush=True)

    missing = [contest.file.removesuffix(".jsonl") for contest in every if not contest.over]
    run = levels.about(arguments) | {
        "command": "python bench/strength.py --options",
        "jobs": arguments.jobs,
        "time": f"{clock.seconds / 60:.1f} minutes in this run",
        "missing": missing,
    }
    pairs = [row_of(contest) for contest in every if contest.over]
    write_options(arguments.out, {"run": run, "pairs": pairs})
    print(f"{arguments.out}: {len(pairs)} of {len(every)} pairs, {clock.seconds / 60:.1f} minutes")
    if missing:
        sys.exit(f"strength: not finished, the same command goes on: {', '.join(missing)}")


if __name__ == "__main__":
    main()
