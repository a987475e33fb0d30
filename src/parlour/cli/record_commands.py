"""The commands for records: check, verify and corpus."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..games import REGISTRY
from ..games import game as game_of
from ..lab import corpus
from ..records.files import Missing, Readable, open_to_read
from ..records.record import Difference, check, read_lines
from ..records.seal import verify
from ..util.english import counted
from .arguments import add_command, add_jobs, add_json, at_least
from .output import GOOD, WRONG, Misuse, progress, unreadable, unwritable

if TYPE_CHECKING:
    from .arguments import Commands, Parser


def add_check(commands: Commands) -> None:
    """parlour check."""
    words = "replay records through the rules and compare every consequence"
    add_files(add_command(commands, "check", do_check, words, "parlour check games.jsonl"))


def add_verify(commands: Commands) -> None:
    """parlour verify."""
    words = "check records and verify their seals, which prove that chance was fixed before play"
    command = add_command(commands, "verify", do_verify, words, "parlour verify game.jsonl")
    add_files(command, "record files; - reads standard input. With --told also statements, or a server's address")
    command.add_argument(
        "--told", metavar="FILE", help="what a server told you and signed; say which of the others contradict it"
    )


def add_files(command: Parser, meaning: str = "record files; - reads standard input") -> None:
    """The files to read."""
    command.add_argument("files", nargs="+", metavar="FILE", help=meaning)
    add_json(command, "print each difference as a line of JSON, then a line with the counts")


def do_check(asked: argparse.Namespace) -> int:
    """Replay records."""
    return judge_files(asked, check)


def do_verify(asked: argparse.Namespace) -> int:
    """Replay records and verify their seals, or compare what was told with them."""
    return compare_told(asked) if asked.told else judge_files(asked, verify)


def compare_told(asked: argparse.Namespace) -> int:
    """Say what contradicts a statement that a server has signed."""
    from ..server import proofs

    try:
        told = proofs.read_statement(Path(asked.told).read_bytes())
    except OSError as error:
        raise unreadable(asked.told, error) from None
    except proofs.Unusable as error:
        raise Misuse(f"{asked.told}: {error}") from None
    if not told.holds:
        raise Misuse(f"{asked.told}: the signature is not that of the key, so it proves nothing.")
    contradicted = compared = 0
    for what in asked.files:
        try:
            found = proofs.compare(told, what)
        except OSError as error:
            raise unreadable(what, error) from None
        except proofs.Unusable as error:
            raise Misuse(f"{what}: {error}") from None
        compared += 1
        contradicted += found.contradicts
        if asked.json:
            print(json.dumps({"file": what, **found._asdict()}, ensure_ascii=False))
        else:
            print(f"{what}: {'contradiction: ' * found.contradicts}{found.sentence}")
    if asked.json:
        print(json.dumps({"compared": compared, "contradict": contradicted}))
    else:
        print(f"Table {told.table}, number {told.number}, signed with key {told.key}.")
        print(f"{compared} compared, {contradicted} contradict{'s' * (contradicted == 1)} it")
    return WRONG if contradicted else GOOD


def judge_files(asked: argparse.Namespace, judge: Callable[[Any], Difference | None]) -> int:
    """Judge every record in the files, and print each difference and the counts."""
    files: list[tuple[str, Readable]] = []
    with contextlib.ExitStack() as stack:
        for name in asked.files:
            try:
                file = sys.stdin.buffer if name == "-" else stack.enter_context(open_to_read(name))
            except Missing as error:
                raise Misuse(str(error)) from None
            except OSError as error:
                raise unreadable(name, error) from None
            files.append((name, file))
        records = differ = 0
        for name, file in files:
            try:
                for line, record, wrong in read_lines(file):
                    records += 1
                    difference = None if wrong else judge(record)
                    if not wrong and difference is None:
                        continue
                    differ += 1
                    print_difference(asked.json, name, line, wrong, difference)
            except OSError as error:
                raise unreadable(name, error) from None
    if asked.json:
        print(json.dumps({"records": records, "differ": differ}))
    else:
        print(f"{records} record{'s' * (records != 1)}, {differ} differ{'s' * (differ == 1)}")
    return GOOD if records and not differ else WRONG


def print_difference(as_json: bool, name: str, line: int, wrong: str | None, difference: Difference | None) -> None:
    """Print what is wrong with one record: it cannot be read, or it differs from the rules."""
    if not as_json:
        print(f"{name}:{line}: {wrong or difference}")
        return
    entry = difference.entry if difference else None
    sentence = wrong or (difference.sentence if difference else "")
    found = {"file": name, "line": line, "entry": entry, "difference": sentence}
    print(json.dumps(found, ensure_ascii=False))


def add_corpus(commands: Commands) -> None:
    """parlour corpus."""
    command = add_command(
        commands,
        "corpus",
        do_corpus,
        "write a corpus of records into a folder, with checksums and a description",
        "parlour corpus --out corpus --sittings 1000",
    )
    command.add_argument(
        "--out", required=True, metavar="FOLDER", help="a folder that is new, empty, or holds an older corpus"
    )
    command.add_argument(
        "--sittings", type=int, default=100, metavar="N", help="number of sittings of each game (default: 100)"
    )
    command.add_argument(
        "--games", default=",".join(REGISTRY), metavar="GAME,…", help="the games to include (default: all)"
    )
    command.add_argument("--seed", default="1", metavar="X", help="a number or a word (default: 1)")
    add_jobs(command)


def do_corpus(asked: argparse.Namespace) -> int:
    """Write a corpus."""
    games = tuple(dict.fromkeys(game_of(name.strip()).name for name in asked.games.split(",")))
    work = corpus.Corpus(games, at_least(asked.sittings, 1, "--sittings"), asked.seed)
    jobs = at_least(asked.jobs, 1, "--jobs")
    try:
        with progress(len(games), "games") as show:
            manifest = corpus.export(work, Path(asked.out), jobs, show)
    except corpus.Refused as error:
        raise Misuse(str(error)) from None
    except OSError as error:
        raise unwritable(asked.out, error) from None
    records = f"{counted(work.sittings * len(games), 'record')} of {counted(len(games), 'game')}"
    size = sum(file["bytes"] for file in manifest["files"])
    print(f"{records}, {size / 1e6:.1f} MB in {len(manifest['files']) + 1} files, are in {asked.out}.")
    return GOOD
