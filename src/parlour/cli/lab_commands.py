"""The command that compares readings and numbers of players: lab."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine import build
from ..engine.game import Game
from ..games import game as game_of
from ..lab import KINDS, Bots
from ..players.bots import LISTED
from .arguments import add_command, add_game, add_jobs, add_json, add_readings, add_seed, at_least, readings, seed_of
from .output import GOOD, Misuse, check_apart, check_writable, complain, saving, unwritable, write_file

if TYPE_CHECKING:
    from ..lab.study import Study
    from .arguments import Commands


def add_lab(commands: Commands) -> None:
    """parlour lab."""
    command = add_command(
        commands,
        "lab",
        do_lab,
        "measure the effect of each reading on a game, or of the number of players",
        "parlour lab readings masquerade --sittings 10000 --seed 7 --jobs 2",
    )
    command.add_argument("study", metavar="STUDY", choices=KINDS, help=f"what to compare: {' or '.join(KINDS)}")
    add_game(command)
    command.add_argument(
        "--players",
        metavar="N,…",
        help="number of players: one number for readings, one or more for game (default: the usual number; all)",
    )
    command.add_argument(
        "--sittings", type=int, default=10_000, metavar="K", help="number of sittings for each row (default: 10000)"
    )
    add_seed(command, "the same seed gives the same deals")
    add_readings(command)
    command.add_argument("--options", metavar="OPTION,…", help="the options to compare (default: all readings)")
    command.add_argument("--combinations", action="store_true", help="try all combinations of values, not one by one")
    command.add_argument(
        "--bots",
        default=Bots.table,
        metavar="NAME,…",
        help=f"the bots: {', '.join(LISTED)} or search:N; a short list is repeated around the table "
        f"(default: {Bots.table})",
    )
    command.add_argument(
        "--skill",
        default=f"{Bots.stronger},{Bots.weaker}",
        metavar="STRONG,WEAK",
        help=f"the bots whose difference measures skill (default: {Bots.stronger},{Bots.weaker})",
    )
    add_jobs(command)
    command.add_argument("--cluster", metavar="tcp://…", help="use the workers of a Dask scheduler on this machine")
    command.add_argument("--trust-network", action="store_true", help="the scheduler may be on another machine")
    command.add_argument("--out", metavar="FILE", help="save every block to a file; the same command resumes from it")
    command.add_argument("--html", metavar="FILE", help="write the report as an HTML page")
    command.add_argument("--csv", metavar="FILE", help="write the numbers of the report as a CSV table")
    add_json(command, "print the report as JSON")


def do_lab(asked: argparse.Namespace) -> int:
    """Play a study and print its report."""
    from ..lab import cluster, report, study

    game = game_of(asked.game)
    jobs = at_least(asked.jobs, 1, "--jobs")
    if asked.cluster is None and asked.trust_network:
        raise Misuse("--trust-network is only for use with --cluster.")
    if asked.cluster is not None and jobs > 1:
        raise Misuse("--jobs and --cluster are two ways to share the work; use one of them.")
    check_apart({"--out": asked.out, "--html": asked.html, "--csv": asked.csv})
    with contextlib.ExitStack() as stack:
        try:
            work = study_asked(asked, game, seed_of(asked.seed, asked.out, "study"))
            share = study.by_processes(jobs)
            if asked.cluster is not None:
                cluster.check_address(asked.cluster, asked.trust_network)
                share = stack.enter_context(cluster.on_cluster(asked.cluster, complain))
            done, save = stack.enter_context(study.open_checkpoint(asked.out, work))
        except OSError as error:
            raise unwritable(asked.out, error) from None
        except (ValueError, cluster.ClusterError) as error:
            raise Misuse(str(error)) from None
        for path in (asked.html, asked.csv):
            if path is not None:
                check_writable(path)
        build.tell_if_slow()
        if asked.combinations:
            complain(f"This plays {len(work.rows):,} rows of {work.blocks * work.size:,} sittings each.")
        try:
            with saving(len(work.rows) * work.blocks - len(done), "blocks", asked.out, save) as note:
                blocks = study.play_study(work, share, done, note)
        except (study.OtherVersion, cluster.ClusterError) as error:
            raise Misuse(str(error)) from None
    result = study.report(work, blocks)
    print(json.dumps(result, ensure_ascii=False) if asked.json else "\n".join(study.lines(result)))
    if asked.html is not None:
        data = [] if asked.csv is None else [relative_link(asked.html, asked.csv)]
        write_file(asked.html, report.html(result, data))
    if asked.csv is not None:
        write_file(asked.csv, report.csv(result))
    return GOOD


def study_asked(asked: argparse.Namespace, game: Game, seed: str, rules: int | None = None) -> Study:
    """The study that the command line asks for, by a rules version (without one, by the newest)."""
    from ..lab.study import study_of

    try:
        players = [int(count) for count in asked.players.split(",")] if asked.players is not None else []
    except ValueError:
        raise Misuse(f"--players needs numbers like 4 or 4,6, not {asked.players!r:.40}.") from None
    skill = asked.skill.split(",")
    if len(skill) != 2:
        raise Misuse(f"--skill needs two bots like thumb,random, not {asked.skill!r:.60}.")
    return study_of(
        asked.study,
        game,
        players=players,
        given=readings(asked.set, game),
        options=[name.strip() for name in asked.options.split(",")] if asked.options is not None else [],
        combinations=asked.combinations,
        bots=Bots(asked.bots, *skill),
        sittings=asked.sittings,
        seed=seed,
        rules=rules,
    )


def relative_link(page: str, path: str) -> str:
    """A link from a page to a file: relative, or absolute where the file is on another drive."""
    try:
        return Path(os.path.relpath(path, Path(page).parent)).as_posix()
    except ValueError:
        return Path(path).absolute().as_posix()
