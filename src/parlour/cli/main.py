"""The command `parlour`: exit 0 good, 1 found something wrong, 2 misuse."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeVar

from .._version import __version__
from ..engine import build
from ..engine.game import Game
from ..games import GAMES, REGISTRY
from ..games import game as game_of
from ..lab import KINDS, Bots, tournament
from ..lab.simulate import Tally, Work, seed_number, simulate
from ..lab.speed import measure
from ..play.sitting import Sitting
from ..play.terminal import Quit, Terminal, data_home, fresh_path, terminal_width
from ..players.bots import BOTS
from ..players.seats import bots_for
from ..records import corpus
from ..records.record import FORMAT, Difference, check, read_lines
from ..records.seal import verify
from ..sheets.citation import FORMATS, cite
from ..sheets.model import SheetError
from ..sheets.rulebook import as_data, catalogue, clause_data, clause_text, overview, rule_book, schema, wrapped
from ..util.checkpoint import kept_seed
from ..util.pool import Ended

if TYPE_CHECKING:
    from ..lab.study import Study

GOOD, WRONG, MISUSE = 0, 1, 2
Piece = TypeVar("Piece")
WHO = f"{', '.join(BOTS)}, search:N (of N trials) or exec:COMMAND"


class Misuse(Exception):
    """What was asked for cannot be done; the message is one sentence."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, and exit 2."""

    def error(self, message: str) -> NoReturn:
        print(f"parlour: {message[0].upper()}{message[1:].rstrip('.')}. Try `{self.prog} --help`.", file=sys.stderr)
        raise SystemExit(MISUSE)


def versions() -> str:
    rules = ", ".join(f"{game.name} {game.rules}" for game in REGISTRY.values())
    return f"parlour {__version__}, {build.status()}\nrecord format {FORMAT}; rules: {rules}"


def parser() -> Parser:
    """The command line; every command teaches itself by --help."""
    main = Parser(
        prog="parlour",
        description="Five card games from old rule sheets: play them, read them, study them.",
        epilog="Without a command it opens the five games in the browser.",
    )
    main.add_argument("--version", action="store_true", help="say which version this is, and whether it runs compiled")
    main.add_argument(
        "--host",
        metavar="ADDRESS",
        dest="room",
        help="without a command: where to open the games (default: PARLOUR_HOST, or 127.0.0.1, which is this machine "
        "alone; 0.0.0.0 lets others on the network in)",
    )
    commands = main.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str, help: str, example: str) -> Parser:
        made: Parser = commands.add_parser(
            name,
            help=help,
            description=help[0].upper() + help[1:] + ".",
            epilog=f"example: {example}",
        )
        return made

    def table(made: Parser, optional: bool = False) -> None:
        names = ", ".join(GAMES)
        if optional:
            made.add_argument("game", metavar="GAME", nargs="?", help=f"{names} (default: offers them)")
        else:
            made.add_argument("game", metavar="GAME", help=names)
        made.add_argument("--players", type=int, metavar="N", help="how many play (default: the usual number)")
        made.add_argument("--seed", metavar="X", help="a number or a word; the same seed, the same luck")
        setting(made)

    def setting(made: Parser) -> None:
        made.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="OPTION=VALUE",
            help="a reading; `parlour rules GAME` lists them",
        )

    games = command("games", "list the five games", "parlour games")
    games.add_argument("--json", action="store_true", help="for programs")

    rules = command("rules", "read the rule book of a game, or one clause of it", "parlour rules masquerade MASQ-16")
    rules.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    rules.add_argument("clause", metavar="CLAUSE", nargs="?", help="such as MASQ-16, or 16")
    rules.add_argument("--json", action="store_true", help="for programs")

    source = command("cite", "say how to cite a sheet, and this version of Parlour", "parlour cite sovereign")
    source.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    source.add_argument("--format", choices=FORMATS, default="text", help="in which form (default: text)")

    sheets = command("sheets", "list the clauses of the sheets, or give them to programs", "parlour sheets --json")
    sheets.add_argument("game", metavar="GAME", nargs="?", help="one game (default: all five)")
    sheets.add_argument("--json", action="store_true", help="every clause, reading and option, for programs")
    sheets.add_argument("--schema", action="store_true", help="the JSON Schema of what --json prints")

    records = command(
        "corpus",
        "write a corpus of records into a folder, with checksums and a description",
        "parlour corpus --out corpus --sittings 1000",
    )
    records.add_argument("--out", required=True, metavar="FOLDER", help="new, empty, or an older corpus")
    records.add_argument("--sittings", type=int, default=100, metavar="N", help="how many of each game (default: 100)")
    records.add_argument("--games", default=",".join(GAMES), metavar="GAME,…", help="which games (default: all five)")
    records.add_argument("--seed", default="1", metavar="X", help="a number or a word (default: 1)")
    records.add_argument(
        "--jobs", type=int, default=1, metavar="J", help="how many processes share the work (default: 1)"
    )

    pack = command("faces", "draw the cards of a game, each as an SVG file", "parlour faces tontine --out cards")
    pack.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    pack.add_argument("--out", metavar="DIR", default="faces", help="where to (default: faces)")

    play = command("play", "play a game in the terminal, against bots", "parlour play lost-heir --set sides=two")
    table(play, optional=True)
    play.add_argument("--seat", type=int, metavar="S", help="where you sit, from 0 (default: 0)")
    play.add_argument(
        "--bots",
        metavar="NAME,…",
        help=f"who plays, one a seat, yours passed over: {WHO} (default: steady; first in Tontine)",
    )
    play.add_argument("--new", action="store_true", help="begin anew; a sitting left unfinished is set aside")
    play.add_argument("--resume", metavar="FILE", help="go on with a sitting that was set aside")

    many = command(
        "simulate",
        "let bots play many sittings, and say what they came to",
        "parlour simulate heraldry --sittings 10000 --seed 7 --jobs 2",
    )
    table(many)
    many.add_argument("--sittings", type=int, default=1000, metavar="K", help="how many (default: 1000)")
    many.add_argument(
        "--bots",
        default="random",
        metavar="NAME,…",
        help=f"who plays: {WHO}; a short list goes round the seats (default: random)",
    )
    many.add_argument("--records", metavar="FILE", help="write every sitting as a record, a line each")
    many.add_argument("--jobs", type=int, default=1, metavar="J", help="how many processes share the work (default: 1)")
    many.add_argument("--json", action="store_true", help="the report for programs")

    duel = command(
        "tournament",
        "let every two bots play the same deals in each other's seats, and say who is ahead",
        "parlour tournament heraldry --bots random,first --deals 100 --seed 7",
    )
    table(duel)
    duel.add_argument("--bots", required=True, metavar="NAME,NAME,…", help=f"who plays: {WHO}, or oracle, who looks")
    duel.add_argument(
        "--deals",
        type=int,
        default=100,
        metavar="N",
        help="how many, each a whole sitting that every two bots play twice; --set can make it short (default: 100)",
    )
    duel.add_argument("--jobs", type=int, default=1, metavar="J", help="how many processes share the work (default: 1)")
    duel.add_argument("--keep", metavar="FILE", help="write down every deal; the same command goes on from there")
    duel.add_argument("--plot", metavar="FILE.svg", help="draw every two bots' difference with its interval")
    duel.add_argument("--json", action="store_true", help="the report for programs")

    lab = command(
        "lab",
        "measure what each reading does to a game, or a game by its number of players",
        "parlour lab readings masquerade --sittings 10000 --seed 7 --jobs 2",
    )
    lab.add_argument("study", metavar="STUDY", choices=KINDS, help=f"what is compared: {' or '.join(KINDS)}")
    lab.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    lab.add_argument(
        "--players",
        metavar="N,…",
        help="how many play: one number for readings, any for game (default: the usual number; all)",
    )
    lab.add_argument("--sittings", type=int, default=10_000, metavar="K", help="how many of each row (default: 10000)")
    lab.add_argument("--seed", metavar="X", help="a number or a word; the same seed, the same deals")
    setting(lab)
    lab.add_argument("--options", metavar="OPTION,…", help="which options to compare (default: all readings)")
    lab.add_argument("--combinations", action="store_true", help="every combination of values, not one at a time")
    lab.add_argument(
        "--bots",
        default=Bots.table,
        metavar="NAME,…",
        help=f"who plays: {', '.join(BOTS)} or search:N; a short list goes round the seats (default: {Bots.table})",
    )
    lab.add_argument(
        "--skill",
        default=f"{Bots.stronger},{Bots.weaker}",
        metavar="STRONG,WEAK",
        help=f"whose difference is the skill (default: {Bots.stronger},{Bots.weaker})",
    )
    lab.add_argument("--jobs", type=int, default=1, metavar="J", help="how many processes share the work (default: 1)")
    lab.add_argument("--cluster", metavar="tcp://…", help="share it on Dask distributed instead, on this machine")
    lab.add_argument("--trust-network", action="store_true", help="the cluster may be on other machines")
    lab.add_argument("--out", metavar="FILE", help="write down every block; the same command goes on from there")
    lab.add_argument("--html", metavar="FILE", help="write the report as a page")
    lab.add_argument("--csv", metavar="FILE", help="write its numbers as a table")
    lab.add_argument("--json", action="store_true", help="the report for programs")

    words = "replay records through the rules and compare every consequence"
    checks = command("check", words, "parlour check games.jsonl")
    checks.add_argument("files", nargs="+", metavar="FILE", help="record files; - reads standard input")
    checks.add_argument("--json", action="store_true", help="each difference as JSON, and a last line that counts")

    seals = command("verify", "verify the seals of records: that chance kept its promise", "parlour verify game.jsonl")
    seals.add_argument("files", nargs="+", metavar="FILE", help="record files; - reads standard input")
    seals.add_argument("--json", action="store_true", help="each difference as JSON, and a last line that counts")

    def keeping(made: Parser) -> None:
        made.add_argument(
            "--data", metavar="DIR", help="where the tables are kept (default: PARLOUR_DATA, or the user's data)"
        )

    server = command("serve", "serve tables over the network, for people and bots", "parlour serve --port 8500")
    server.add_argument("--host", metavar="ADDRESS", help="where to listen (default: PARLOUR_HOST, or 127.0.0.1)")
    server.add_argument("--port", type=int, metavar="N", help="on which port (default: PARLOUR_PORT, or 8500)")
    server.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name by which the server is known; again for another (also PARLOUR_NAMES)",
    )
    server.add_argument("--proxy", action="store_true", help="behind a proxy that says who asks (also PARLOUR_PROXY=1)")
    server.add_argument(
        "--rate", type=float, metavar="N", help="requests a second of one client (default: PARLOUR_RATE, or 20)"
    )
    server.add_argument(
        "--sockets", type=int, metavar="N", help="sockets of one address (default: PARLOUR_SOCKETS, or 200)"
    )
    keeping(server)

    copy = command("backup", "copy all tables to a file, while they are served", "parlour backup tables.copy")
    copy.add_argument("file", metavar="FILE", help="a file that is not there yet")
    keeping(copy)

    back = command("restore", "put a copy in the place of all tables", "parlour restore tables.copy")
    back.add_argument("file", metavar="FILE", help="what `parlour backup` wrote")
    keeping(back)

    audit = command("audit", "replay and verify every stored sitting, while they are served", "parlour audit")
    keeping(audit)

    bench = command("bench", "measure decisions a second, compiled and interpreted", "parlour bench lost-heir")
    bench.add_argument("game", metavar="GAME", nargs="?", help="one game (default: all five)")
    bench.add_argument("--json", action="store_true", help="for programs")
    return main


# --- reading arguments ------------------------------------------------------------------------------------------------


def readings(pairs: Sequence[str], game: str) -> dict[str, Any]:
    """The options given by --set."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise Misuse(f"--set needs OPTION=VALUE, not {pair!r:.60}.")
        found[name] = game_of(game).sheet.option(name).parse(text)
    return found


def at_least(value: int, least: int, name: str) -> int:
    if value < least:
        raise Misuse(f"{name} must be {least} or more, not {value}.")
    return value


# --- progress ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def progress(total: int, thing: str) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal."""
    start = time.monotonic()
    shown = sys.stderr.isatty()

    def show(done: int) -> None:
        if not shown:
            return
        share = done / total
        left = (time.monotonic() - start) * (1 - share) / share if share else 0
        bar = "█" * int(30 * share) + "░" * (30 - int(30 * share))
        line = f"\r{bar} {100 * share:3.0f} %  {done:,} of {total:,} {thing}, {left:.0f} s left   "
        print(line, end="", file=sys.stderr)

    try:
        yield show
    finally:
        if shown:
            print("\r" + " " * 90 + "\r", end="", file=sys.stderr)


@contextlib.contextmanager
def noting(
    total: int, thing: str, path: str | None, keep: Callable[[Sequence[Piece]], None]
) -> Iterator[Callable[[Sequence[Piece]], None]]:
    """What keeps pieces of work as they are done and shows how many there are; where it is stopped, it says so."""
    done = 0
    try:
        with progress(total, thing) as show:

            def note(pieces: Sequence[Piece]) -> None:
                nonlocal done
                keep(pieces)
                done += len(pieces)
                show(done)

            yield note
    except BaseException:
        if path is not None:
            print(f"parlour: What was played is in {path}; the same command goes on.", file=sys.stderr)
        raise


# --- the commands -----------------------------------------------------------------------------------------------------


def do_games(asked: argparse.Namespace) -> int:
    if asked.json:
        print(json.dumps([as_data(game.sheet) for game in REGISTRY.values()], ensure_ascii=False, indent=1))
        return GOOD
    for game in REGISTRY.values():
        sheet = game.sheet
        counts = f"{sheet.players[0]} to {sheet.players[-1]}" if len(sheet.players) > 4 else many_counts(sheet.players)
        print(f"{game.name:<11} {sheet.title} · {counts} players · {sheet.cards} cards")
        print(wrapped(f"            {sheet.summary}", terminal_width()))
        print()
    print("Play one with `parlour play GAME`; read its rules with `parlour rules GAME`.")
    return GOOD


def many_counts(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts[:-1])) + f" or {counts[-1]}"


def do_rules(asked: argparse.Namespace) -> int:
    sheet = game_of(asked.game).sheet
    if asked.json:
        data = clause_data(sheet.clause(asked.clause)) if asked.clause is not None else as_data(sheet)
        print(json.dumps(data, ensure_ascii=False, indent=1))
    elif asked.clause is not None:
        print("\n".join(wrapped(line, terminal_width()) for line in clause_text(sheet, asked.clause).split("\n")))
    else:
        print(rule_book(sheet, terminal_width()))
    return GOOD


def do_cite(asked: argparse.Namespace) -> int:
    print(cite(game_of(asked.game).sheet, asked.format), end="")
    return GOOD


def do_sheets(asked: argparse.Namespace) -> int:
    games = [game_of(asked.game)] if asked.game else list(REGISTRY.values())
    if asked.schema:
        print(schema(), end="")
    elif asked.json:
        print(json.dumps(catalogue(game.sheet for game in games), ensure_ascii=False, indent=1))
    else:
        print("\n\n".join("\n".join([game.title, *overview(game.sheet)]) for game in games))
    return GOOD


def do_corpus(asked: argparse.Namespace) -> int:
    games = tuple(dict.fromkeys(game_of(name.strip()).name for name in asked.games.split(",")))
    work = corpus.Corpus(games, at_least(asked.sittings, 1, "--sittings"), asked.seed)
    jobs = at_least(asked.jobs, 1, "--jobs")
    try:
        with progress(len(games), "games") as show:
            manifest = corpus.export(work, Path(asked.out), jobs, show)
    except corpus.Refused as error:
        raise Misuse(str(error)) from None
    except OSError as error:
        raise Misuse(f"{asked.out} cannot be written: {error.strerror}.") from None
    records = f"{corpus.counted(work.sittings * len(games), 'record')} of {corpus.counted(len(games), 'game')}"
    size = sum(file["bytes"] for file in manifest["files"])
    print(f"{records}, {size / 1e6:.1f} MB in {len(manifest['files']) + 1} files, are in {asked.out}.")
    return GOOD


def do_faces(asked: argparse.Namespace) -> int:
    from ..play.faces import drawings, svg

    game, folder = game_of(asked.game), Path(asked.out)
    drawn = drawings(game.name)
    folder.mkdir(parents=True, exist_ok=True)
    for code, drawing in drawn.items():
        (folder / f"{code}.svg").write_text(svg(drawing) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(drawn) - 1} cards of {game.title} and their back are in {folder}.")
    return GOOD


def do_play(asked: argparse.Namespace) -> int:
    name = asked.game or choose_game()
    if name is None:
        return GOOD
    game = game_of(name)
    save = data_home() / "unfinished" / f"{game.name}.json"
    asked_for = (asked.seed, asked.players, asked.seat, None if asked.resume else asked.bots)
    fresh = asked.new or asked.set or any(value is not None for value in asked_for)
    bots = USUAL_BOTS.get(game.name, "steady") if asked.bots is None else asked.bots
    if asked.resume is not None:
        if fresh:
            raise Misuse("--resume goes on with a sitting as it was begun; leave the other options but --bots out.")
        save = Path(asked.resume)
    if asked.resume is not None or (save.exists() and not fresh):
        sitting, you, bots = resume(save, game, asked.bots)
        print("Going on with the sitting you left; --new begins another.")
    else:
        players = game.sheet.usual if asked.players is None else asked.players
        options = game.options_for(players, readings(asked.set, game.name))
        you = 0 if asked.seat is None else asked.seat
        if not 0 <= you < players:
            raise Misuse(f"--seat must be 0 to {players - 1}, not {you}.")
        check_bots(bots, players)
        thinking = listeners(bots, players, you)
        sitting = Sitting(game, players, seed=asked.seed, listeners=thinking, attend=True, **options)
        if save.exists():
            aside = fresh_path(save.with_name(f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}.json"))
            save.rename(aside)
            print(f"The sitting you left is set aside; --resume {aside} goes on with it.")
    terminal = Terminal(sitting, you, save, bots=bots)
    try:
        terminal.run()
    except (Quit, KeyboardInterrupt):
        again = f"parlour play {game.name}" + (f" --resume {save}" if asked.resume is not None else "")
        saved = f"Saved. `{again}` goes on from here."
        print(f"\n{f'It could not be saved: {terminal.unsaved}.' if terminal.unsaved else saved}")
    finally:
        terminal.seating.close()
    return GOOD


USUAL_BOTS = {"tontine": "first"}  # where there is nothing to decide


def listeners(bots: str, players: int, you: int) -> list[int]:
    """The seats that need a view: yours, and those of bots that look."""
    named = bots_for(bots, players)
    return [seat for seat in range(players) if seat == you or named[seat] not in ("random", "first")]


def check_bots(text: str, players: int) -> tuple[str, ...]:
    """The bots named, one a seat."""
    try:
        return tuple(bots_for(text, players))
    except ValueError as error:
        raise Misuse(str(error)) from None


def resume(path: Path, game: Game, named: str | None) -> tuple[Sitting, int, str]:
    """A saved sitting of this game, your seat in it, and who plays against you; programs must be named again."""
    try:
        text = path.read_text(encoding="utf-8")
        sitting = Sitting.load(text)
        held = json.loads(text)
        you, bots = held.get("you", 0), held.get("bots", USUAL_BOTS.get(game.name, "steady"))
        if sitting.game is not game:
            raise ValueError(f"This is a sitting of {sitting.game.title}, not of {game.title}.")
        if type(you) is not int or not 0 <= you < sitting.players:
            raise ValueError("This is not a saved sitting: it does not say where you sit.")
        if type(bots) is not str:
            raise ValueError("This is not a saved sitting: it does not say who plays.")
        if named is not None:
            bots = named
        elif "exec:" in bots:
            raise Misuse(f"{path} seats a program ({bots!a:.80}); to run it, name it again with --resume and --bots.")
        bots_for(bots, sitting.players)
        # told again for the seats that think, which is all that a long sitting need keep
        return Sitting.load(text, listeners(bots, sitting.players, you), attend=True), you, bots
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Misuse(f"{path}: {error} Begin anew with --new.") from None


def do_simulate(asked: argparse.Namespace) -> int:
    game = game_of(asked.game)
    players = game.sheet.usual if asked.players is None else asked.players
    options = game.options_for(players, readings(asked.set, game.name))
    sittings = at_least(asked.sittings, 1, "--sittings")
    jobs = at_least(asked.jobs, 1, "--jobs")
    seed = asked.seed if asked.seed is not None else str(random.SystemRandom().randrange(1 << 32))
    bots = check_bots(asked.bots, players)
    work = Work(game.name, players, options, bots, seed_number(seed), asked.records is not None)
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        write = None
        if asked.records is not None:
            try:
                file = stack.enter_context(open(asked.records, "w", encoding="utf-8", newline="\n"))
            except OSError as error:
                raise Misuse(f"{asked.records} cannot be written: {error.strerror}.") from None
            write = file.write
        show = stack.enter_context(progress(sittings, "sittings"))
        tally = simulate(work, sittings, jobs, write, show)
    report_simulation(asked, work, seed, tally, time.monotonic() - start)
    return GOOD


def report_simulation(asked: argparse.Namespace, work: Work, seed: str, tally: Tally, seconds: float) -> None:
    result = tally.report()
    if asked.json:
        head = {"game": work.game, "players": work.players, "options": work.options, "bots": work.bots, "seed": seed}
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
        print(f"{tally.shared:,} sittings ended with the win shared.")
    scorer = "Side" if tally.scorers != work.players else "Seat"
    print(f"{scorer}     mean score (95 %)")
    for number, row in enumerate(result["scores"]):
        print(f"{number:>4} {row['mean']:>10.2f} ± {row['within']:.2f}")
    decisions, length = result["decisions"], result["length"]
    print(
        f"Decisions a sitting: {decisions['mean']:.1f} ± {decisions['within']:.1f}, "
        f"from {length['shortest']:,} to {length['longest']:,}; {decisions['all']:,} in all."
    )
    for sentence in tally.reports[:6]:
        print(sentence)
    if tally.forfeits:
        print(f"{tally.forfeits:,} choices were forfeited in all; --json says more of why.")
    rate = tally.decisions / max(seconds, 1e-9)
    print(f"{seconds:.1f} s, {f'{rate / 1e6:.2f} million' if rate >= 1e5 else f'{rate:,.0f}'} decisions/s.")
    if asked.records is not None:
        print(f"The records are in {asked.records}; `parlour check {asked.records}` replays them.")


def do_tournament(asked: argparse.Namespace) -> int:
    game = game_of(asked.game)
    players = game.sheet.usual if asked.players is None else asked.players
    options = game.options_for(players, readings(asked.set, game.name))
    deals = at_least(asked.deals, 1, "--deals")
    jobs = at_least(asked.jobs, 1, "--jobs")
    check_apart({"--keep": asked.keep, "--plot": asked.plot})
    with contextlib.ExitStack() as stack:
        try:
            bots = tournament.bots_named(asked.bots)
            seed = asked.seed
            if seed is None and asked.keep is not None:
                seed = kept_seed(asked.keep, "tournament")
            if seed is None:
                seed = str(random.SystemRandom().randrange(1 << 32))
            work = tournament.Tournament(game.name, players, options, bots, seed)
            done, keep = stack.enter_context(tournament.kept(asked.keep, work))
        except OSError as error:
            raise Misuse(f"{asked.keep} cannot be written: {error.strerror}.") from None
        except ValueError as error:
            raise Misuse(str(error)) from None
        if asked.plot is not None:
            check_writable(asked.plot)
        wanted = deals * len(work.pairs()) - sum(meeting.deal < deals for meeting in done)
        with noting(wanted, "deals", asked.keep, keep) as note:
            meetings = tournament.play_tournament(work, deals, jobs, done, note)
    result = tournament.report(work, meetings)
    print(json.dumps(result, ensure_ascii=False) if asked.json else "\n".join(tournament.lines(result)))
    if asked.plot is not None:
        write_file(asked.plot, tournament.picture(result))
    return GOOD


def write_file(path: str, text: str, mode: str = "w") -> None:
    try:
        with open(path, mode, encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise Misuse(f"{path} cannot be written: {error.strerror}.") from None


def check_writable(path: str) -> None:
    """Find out whether a file can be written before anything is played, and leave all as it was."""
    file = Path(os.path.realpath(path))
    is_new = not file.exists()
    write_file(path, "", "a")
    if is_new:
        file.unlink()


def check_apart(files: dict[str, str | None]) -> None:
    """Refuse files that would be written over each other, by the options that name them."""
    named: dict[str, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        other = named.setdefault(os.path.normcase(os.path.realpath(path)), option)
        if other != option:
            raise Misuse(f"{other} and {option} both name {path}; each needs a file of its own.")


def do_lab(asked: argparse.Namespace) -> int:
    from ..lab import cluster, report, study

    game = game_of(asked.game)
    jobs = at_least(asked.jobs, 1, "--jobs")
    if asked.cluster is None and asked.trust_network:
        raise Misuse("--trust-network is for a cluster; --cluster names it.")
    if asked.cluster is not None and jobs > 1:
        raise Misuse("--jobs and --cluster are two ways to share the work; ask for one of them.")
    check_apart({"--out": asked.out, "--html": asked.html, "--csv": asked.csv})
    with contextlib.ExitStack() as stack:
        try:
            seed = asked.seed
            if seed is None and asked.out is not None:
                seed = kept_seed(asked.out, "study")
            if seed is None:
                seed = str(random.SystemRandom().randrange(1 << 32))
            work = study_asked(asked, game, seed)
            share = study.by_processes(jobs)
            if asked.cluster is not None:
                cluster.check_address(asked.cluster, asked.trust_network)
                share = stack.enter_context(cluster.on_cluster(asked.cluster, complain))
            done, keep = stack.enter_context(study.kept(asked.out, work))
        except OSError as error:
            raise Misuse(f"{asked.out} cannot be written: {error.strerror}.") from None
        except (ValueError, cluster.ClusterError) as error:
            raise Misuse(str(error)) from None
        for path in (asked.html, asked.csv):
            if path is not None:
                check_writable(path)
        if asked.combinations:
            each = f"{work.blocks * work.size:,} sittings each"
            print(f"parlour: {len(work.rows):,} rows of {each} are played.", file=sys.stderr)
        try:
            with noting(len(work.rows) * work.blocks - len(done), "blocks", asked.out, keep) as note:
                blocks = study.play_study(work, share, done, note)
        except (study.OtherVersion, cluster.ClusterError) as error:
            raise Misuse(str(error)) from None
    result = study.report(work, blocks)
    print(json.dumps(result, ensure_ascii=False) if asked.json else "\n".join(study.lines(result)))
    if asked.html is not None:
        data = [] if asked.csv is None else [seen_from(asked.html, asked.csv)]
        write_file(asked.html, report.html(result, data))
    if asked.csv is not None:
        write_file(asked.csv, report.csv(result))
    return GOOD


def complain(sentence: str) -> None:
    print(f"parlour: {sentence}", file=sys.stderr, flush=True)


def seen_from(page: str, path: str) -> str:
    """A file by its path from the folder of a page, or whole where there is no way."""
    try:
        return Path(os.path.relpath(path, Path(page).parent)).as_posix()
    except ValueError:
        return Path(path).absolute().as_posix()  # another drive


def study_asked(asked: argparse.Namespace, game: Game, seed: str) -> Study:
    """The study that the command line asks for."""
    try:
        players = [int(count) for count in asked.players.split(",")] if asked.players is not None else []
    except ValueError:
        raise Misuse(f"--players needs numbers like 4 or 4,6, not {asked.players!r:.40}.") from None
    skill = asked.skill.split(",")
    if len(skill) != 2:
        raise Misuse(f"--skill needs two bots like thumb,random, not {asked.skill!r:.60}.")
    from ..lab.study import study_of

    return study_of(
        asked.study,
        game,
        players=players,
        given=readings(asked.set, game.name),
        options=[name.strip() for name in asked.options.split(",")] if asked.options is not None else [],
        combinations=asked.combinations,
        bots=Bots(asked.bots, *skill),
        sittings=asked.sittings,
        seed=seed,
    )


def do_check(asked: argparse.Namespace) -> int:
    return compare(asked, check)


def do_verify(asked: argparse.Namespace) -> int:
    return compare(asked, verify)


def compare(asked: argparse.Namespace, judge: Callable[[Any], Difference | None]) -> int:
    """Look at every record of some files, and say what is wrong with which."""
    files: list[tuple[str, IO[bytes]]] = []
    with contextlib.ExitStack() as stack:
        for name in asked.files:
            try:
                file = sys.stdin.buffer if name == "-" else stack.enter_context(open(name, "rb"))
            except OSError as error:
                raise Misuse(f"{name} cannot be read: {error.strerror}.") from None
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
                    if asked.json:
                        entry = difference.entry if difference else None
                        sentence = wrong or (difference.sentence if difference else "")
                        found = {"file": name, "line": line, "entry": entry, "difference": sentence}
                        print(json.dumps(found, ensure_ascii=False))
                    else:
                        print(f"{name}:{line}: {wrong or difference}")
            except OSError as error:
                raise Misuse(f"{name} cannot be read: {error.strerror}.") from None
    print(json.dumps({"records": records, "differ": differ}) if asked.json else f"{records} records, {differ} differ")
    return GOOD if records and not differ else WRONG


def data_of(given: str | None) -> Path:
    """Where the tables are kept: where it was said, or at home."""
    return Path(given) if given else data_home() / "tables"


def number_of(name: str, given: float | None, variable: str, usual: float) -> float:
    """A number above 0, from the command line, the environment, or as usual."""
    text = os.environ.get(variable) if given is None else given
    try:
        number = usual if text is None else float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise Misuse(f"{name} (or {variable}) must be a number above 0, not {text!r:.20}.")
    return number


def port_of(given: int | None) -> int:
    """A port, from the command line, the environment, or as usual."""
    port = os.environ.get("PARLOUR_PORT", "8500") if given is None else str(given)
    if not port.isdecimal() or int(port) > 65535:
        raise Misuse(f"A port is a number from 0 to 65535, not {port!r:.20}.")
    return int(port)


def host_of(given: str | None) -> str:
    """An address to listen on, from the command line, the environment, or as usual."""
    return given or os.environ.get("PARLOUR_HOST") or "127.0.0.1"


def do_serve(asked: argparse.Namespace) -> int:
    port = port_of(asked.port)
    names = [*asked.name, *os.environ.get("PARLOUR_NAMES", "").split()]
    proxy = asked.proxy or os.environ.get("PARLOUR_PROXY", "") not in ("", "0")
    rate = number_of("--rate", asked.rate, "PARLOUR_RATE", 20.0)
    sockets = int(number_of("--sockets", asked.sockets, "PARLOUR_SOCKETS", 200.0))
    with tables() as serving:
        serving.serve(host_of(asked.host), port, data_of(asked.data), names, proxy, rate, sockets)
    return GOOD


def do_room(command_line: Parser, host: str) -> int:
    """The five games in the browser; where that cannot be, in the terminal, with one line of why."""
    try:
        with tables() as serving:
            if not serving.is_built():
                raise Misuse(serving.NOT_BUILT)
            port = port_of(None)
            try:
                # where something else has the port, any other will do
                serving.serve(host, port if free(port) else 0, data_of(None), ready=welcome)
            except serving.InUse as other:
                if not other.address:
                    raise
                print(f"Parlour is open already, at {other.address}")
                show_in_browser(other.address)
    except Misuse as why:
        print(f"{why}\n", file=sys.stderr)
        return do_play(command_line.parse_args(["play"]))
    return GOOD


def free(port: int) -> bool:
    """Whether nobody listens on a port of this machine."""
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def welcome(host: str, port: int) -> None:
    from ..server.run import address_of, draw_for_others

    address = address_of(host, port)
    print(f"Parlour is open at {address} – Ctrl-C closes it; `parlour play` plays in the terminal.")
    draw_for_others(host, address)
    show_in_browser(address)


def show_in_browser(address: str) -> None:
    """Open a page in the browser that people look at; one that runs in the terminal would be in the way."""
    import threading
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def do_backup(asked: argparse.Namespace) -> int:
    with tables() as serving:
        serving.backup(data_of(asked.data), Path(asked.file))
    print(f"All tables are in {asked.file}.")
    return GOOD


def do_restore(asked: argparse.Namespace) -> int:
    with tables() as serving:
        aside = serving.restore(data_of(asked.data), Path(asked.file))
    print("The tables are those of the copy." + (f" What was there before is in {aside}." if aside else ""))
    return GOOD


def do_audit(asked: argparse.Namespace) -> int:
    with tables() as serving:
        count, wrong = serving.audit(data_of(asked.data) / serving.FILE, print)
    print(f"{count} tables, {wrong} damaged")
    return WRONG if wrong else GOOD


@contextlib.contextmanager
def tables() -> Iterator[Any]:
    """The server and what looks after its data; what is missing or cannot be read is said in one sentence."""
    try:
        from ..server import run, store
    except ImportError as error:
        raise Misuse(f"This needs {error.name}: pip install 'parlour[table]'.") from None
    try:
        yield run
    except store.FAULTS as error:
        raise Misuse(store.sentence(error)) from None


def do_bench(asked: argparse.Namespace) -> int:
    games = [game_of(asked.game)] if asked.game else list(REGISTRY.values())
    results = []
    with progress(len(games), "games") as show:
        for number, game in enumerate(games):
            show(number)
            results.append(measure(game.name))
    if asked.json:
        print(json.dumps({"version": __version__, "status": build.status(), "games": results}, indent=1))
        return GOOD
    print(f"parlour {__version__}, {build.status()}; one core, random play, whole sittings, best of many short runs")
    print("Millions of decisions a second:")
    heads = ("players", "compiled", "with events", "interpreted", "with events", "ratio")
    print(f"{'':<12}" + "".join(f"{head:>13}" for head in heads))
    for row in results:
        rates = ("compiled", "compiled_with_events", "interpreted", "interpreted_with_events")
        cells = [f"{row[rate] / 1e6:.3f}" if row[rate] else "–" for rate in rates]
        cells = [str(row["players"]), *cells, f"{row['ratio']:.0f}×" if row["ratio"] else "–"]
        print(f"{row['game']:<12}" + "".join(f"{cell:>13}" for cell in cells))
    return GOOD


def choose_game() -> str | None:
    """Offer the five games."""
    print("Parlour: five card games from old rule sheets.\n")
    for number, game in enumerate(REGISTRY.values(), 1):
        print(f"  {number}  {game.title}")
        print(wrapped(f"     {game.sheet.summary.split('. ')[0]}.", terminal_width()))
    while True:
        try:
            answer = input("\nWhich one? A number, or Enter to leave: ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        if not answer:
            return None
        if answer in "12345" and len(answer) == 1:
            return GAMES[int(answer) - 1]
        if answer in GAMES:
            return answer
        print(f"Type a number from 1 to {len(GAMES)}.")


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "games": do_games,
    "rules": do_rules,
    "cite": do_cite,
    "sheets": do_sheets,
    "corpus": do_corpus,
    "play": do_play,
    "simulate": do_simulate,
    "tournament": do_tournament,
    "lab": do_lab,
    "check": do_check,
    "verify": do_verify,
    "serve": do_serve,
    "backup": do_backup,
    "restore": do_restore,
    "audit": do_audit,
    "faces": do_faces,
    "bench": do_bench,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    steady_streams()
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except (Misuse, SheetError, Ended) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return MISUSE
    except KeyboardInterrupt:
        print("parlour: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        silence_output()  # the reader has gone; nothing more can be said
        return WRONG
    except OSError as error:
        silence_output()
        print(f"parlour: What it has to say cannot be written: {error.strerror}.", file=sys.stderr)
        return MISUSE


def run(arguments: Sequence[str] | None) -> int:
    """Do what the command line asks for."""
    command_line = parser()
    asked = command_line.parse_args(arguments)
    if asked.version:
        print(versions())
        return GOOD
    if asked.command is None:
        return do_room(command_line, host_of(asked.room))
    if asked.room is not None:
        raise Misuse("--host goes without a command, or behind `serve`.")
    return COMMANDS[asked.command](asked)


def steady_streams() -> None:
    """Make the standard streams bear anything: missing ones, and characters that their encoding does not have."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def silence_output() -> None:
    """Let the interpreter end without trying to write what is left."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
