"""The commands that let bots play many sittings: simulate and tournament."""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..engine import build
from ..games import game as game_of
from ..lab import tournament
from ..lab.simulate import Simulation, Tally, seed_number, simulate, tidy_table
from ..records import files
from .arguments import (
    ALL_BOTS,
    add_command,
    add_game,
    add_jobs,
    add_json,
    add_table,
    at_least,
    check_bots,
    seed_of,
    table_of,
)
from .output import GOOD, Misuse, check_apart, check_writable, progress, saving, unwritable, write_file

if TYPE_CHECKING:
    from .arguments import Commands


def add_simulate(commands: Commands) -> None:
    """parlour simulate."""
    command = add_command(
        commands,
        "simulate",
        do_simulate,
        "simulate many games between bots and summarise the results",
        "parlour simulate heraldry --sittings 10000 --seed 7 --jobs 2",
    )
    add_game(command)
    add_table(command)
    command.add_argument("--sittings", type=int, default=1000, metavar="K", help="number of sittings (default: 1000)")
    command.add_argument(
        "--bots",
        default="random",
        metavar="NAME,…",
        help=f"the bots: {ALL_BOTS}; a short list is repeated around the table (default: random)",
    )
    command.add_argument(
        "--records",
        metavar="FILE",
        help="write every sitting to a file as a record, one per line; compressed by the name .gz or .zst; .parquet is "
        "a table",
    )
    add_jobs(command)
    add_json(command, "print the report as JSON")


def do_simulate(asked: argparse.Namespace) -> int:
    """Simulate sittings and print a report."""
    game, players, options = table_of(asked)
    sittings = at_least(asked.sittings, 1, "--sittings")
    jobs = at_least(asked.jobs, 1, "--jobs")
    seed = seed_of(asked.seed)
    bots = check_bots(asked.bots, players)
    file = asked.records
    tidy = file is not None and file.endswith(".parquet")
    work = Simulation(game.name, players, options, bots, seed_number(seed), file is not None, tidy)
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        write = stack.enter_context(writing(file, work)) if file is not None else None
        build.tell_if_slow()
        show = stack.enter_context(progress(sittings, "sittings"))
        tally = simulate(work, sittings, jobs, write, show)
    report_simulation(asked, work, seed, tally, time.monotonic() - start)
    return GOOD


@contextlib.contextmanager
def writing(path: str, work: Simulation) -> Iterator[Callable[[Any], object]]:
    """A function that adds records to a new file."""
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(files.open_to_write(path))
        except files.Missing as error:
            raise Misuse(str(error)) from None
        except OSError as error:
            raise unwritable(path, error) from None
        yield stack.enter_context(contextlib.closing(tidy_table(file, work))).write if work.tidy else file.write


def report_simulation(asked: argparse.Namespace, work: Simulation, seed: str, tally: Tally, seconds: float) -> None:
    """Print the results of a simulation."""
    result = tally.report()
    if asked.json:
        head = {"game": work.game, "players": work.players, "options": work.options, "bots": work.names, "seed": seed}
        print(json.dumps(head | result, ensure_ascii=False))
        return
    game = game_of(work.game)
    print(f"{game.title} · {work.players} players · {tally.sittings:,} sittings · seed {seed} · bots {asked.bots}")
    print("Seat     wins  share    95 % interval")
    for row in result["wins"]:
        low, high = row["interval"]
        share = f"{100 * row['share']:5.2f} %  {100 * low:5.2f} to {100 * high:5.2f} %"
        print(f"{row['seat']:>4} {row['wins']:>8,}  {share}")
    if tally.shared:
        print(f"The win was shared in {tally.shared:,} of them.")
    scorer = "Side" if tally.sides != work.players else "Seat"
    print(f"{scorer}     mean score (95 %)")
    for number, row in enumerate(result["scores"]):
        print(f"{number:>4} {row['mean']:>10.2f} ± {row['within']:.2f}")
    decisions, length = result["decisions"], result["length"]
    print(
        f"Decisions per sitting: {decisions['mean']:.1f} ± {decisions['within']:.1f}, "
        f"from {length['shortest']:,} to {length['longest']:,}; {decisions['all']:,} in all."
    )
    for sentence in tally.reports[:6]:
        print(sentence)
    if tally.forfeits:
        print(f"{tally.forfeits:,} choices were forfeited in all; --json lists more reasons.")
    rate = tally.decisions / max(seconds, 1e-9)
    print(f"{seconds:.1f} s, {f'{rate / 1e6:.2f} million' if rate >= 1e5 else f'{rate:,.0f}'} decisions/s.")
    if asked.records is not None:
        how = "they are a table for other programs" if work.tidy else f"`parlour check {asked.records}` replays them"
        print(f"The records are in {asked.records}; {how}.")


def add_tournament(commands: Commands) -> None:
    """parlour tournament."""
    command = add_command(
        commands,
        "tournament",
        do_tournament,
        "compare bots: each pair plays the same deals twice, with seats swapped",
        "parlour tournament heraldry --bots random,first --deals 100 --seed 7",
    )
    add_game(command)
    add_table(command)
    command.add_argument(
        "--bots", required=True, metavar="NAME,NAME,…", help=f"the bots: {ALL_BOTS}, or oracle, which sees all hands"
    )
    command.add_argument(
        "--deals",
        type=int,
        default=100,
        metavar="N",
        help="number of deals; each pair of bots plays a whole sitting on each of them twice, which --set can shorten "
        "(default: 100)",
    )
    add_jobs(command)
    command.add_argument("--keep", metavar="FILE", help="save every deal to a file; the same command resumes from it")
    command.add_argument("--plot", metavar="FILE.svg", help="draw the difference of each pair with its interval")
    add_json(command, "print the report as JSON")


def do_tournament(asked: argparse.Namespace) -> int:
    """Play a tournament and print a report."""
    game, players, options = table_of(asked)
    deals = at_least(asked.deals, 1, "--deals")
    jobs = at_least(asked.jobs, 1, "--jobs")
    check_apart({"--keep": asked.keep, "--plot": asked.plot})
    with contextlib.ExitStack() as stack:
        try:
            bots = tournament.bots_named(asked.bots)
            seed = seed_of(asked.seed, asked.keep, "tournament")
            work = tournament.Tournament(game.name, players, options, bots, seed)
            done, save = stack.enter_context(tournament.open_checkpoint(asked.keep, work))
        except OSError as error:
            raise unwritable(asked.keep, error) from None
        except ValueError as error:
            raise Misuse(str(error)) from None
        if asked.plot is not None:
            check_writable(asked.plot)
        build.tell_if_slow()
        wanted = deals * len(work.pairs()) - sum(meeting.deal < deals for meeting in done)
        with saving(wanted, "deals", asked.keep, save) as note:
            meetings = tournament.play_tournament(work, deals, jobs, done, note)
    result = tournament.report(work, meetings)
    print(json.dumps(result, ensure_ascii=False) if asked.json else "\n".join(tournament.lines(result)))
    if asked.plot is not None:
        write_file(asked.plot, tournament.picture(result))
    return GOOD
