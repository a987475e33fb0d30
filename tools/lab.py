"""Makes docs/lab: for each game a study of its readings by `thumb`, and a smaller one by `steady`, which searches.

Some games have another study, of readings that bear on each other (every combination) or of the length of a sitting.
The first places of all rankings are listed in docs/lab.md.

    python tools/lab.py [--seed X] [--jobs J] [--keep FOLDER] [GAME …]   play the studies; write JSON, CSV and pages
    python tools/lab.py --draw               write pages, CSV and the list again from the JSON that is there
    python tools/lab.py --check              say which of them are not current
    python tools/lab.py --replay [GAME …]    play the first block of every row again, and say which studies this code
                                             does not reproduce

With --keep progress is saved in a folder, and the same command resumes from there. The pages of the games quote the
lessons of the studies: run tools/pages.py afterwards.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour import GAMES, REGISTRY
from parlour.cli.lab_commands import study_asked
from parlour.cli.main import parser as command_line
from parlour.lab import report
from parlour.lab.lessons import foremost, with_labels
from parlour.lab.study import play_block

LAB = Path(__file__).resolve().parent.parent / "docs" / "lab"
INDEX = LAB.with_suffix(".md")
REMAKE = "run python tools/lab.py --jobs 2"
BY_STEADY = ["--bots", "steady", "--skill", "steady,thumb"]
THINKING = {"sovereign": 400}  # sittings of each reading by steady, where they are not 200
MORE: dict[str, dict[str, list[str]]] = {  # further studies: their names, and the arguments of the command
    "masquerade": {"together": ["--options", "following,number_one", "--combinations"]},
    "lost-heir": {"length": ["--options", "goal"]},
}


def studies(asked: argparse.Namespace) -> Iterator[tuple[str, str, list[str]]]:
    """The studies: the name of the files, the game, and further arguments of the command."""
    by_thumb = ["--sittings", str(asked.sittings)]
    for game in asked.games:
        yield game, game, by_thumb
        for name, more in MORE.get(game, {}).items():
            yield f"{game}-{name}", game, [*more, *by_thumb]
    for game in asked.games:
        if REGISTRY[game].steps > 1:  # otherwise there is nothing to think about
            sittings = asked.thinking or THINKING.get(game, 200)
            yield f"{game}-steady", game, [*BY_STEADY, "--sittings", str(sittings)]


def play(name: str, game: str, more: list[str], asked: argparse.Namespace) -> dict[str, Any]:
    """The result of a study, by the command that its report names."""
    command = [sys.executable, "-m", "parlour", "lab", "readings", game, "--json", "--seed", asked.seed]
    command += [*more, "--jobs", str(asked.jobs)]
    if asked.keep is not None:
        asked.keep.mkdir(parents=True, exist_ok=True)
        command += ["--out", str(asked.keep / f"{name}.jsonl")]
    played = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if played.returncode:
        sys.exit(played.returncode)  # the command has said why
    result: dict[str, Any] = json.loads(played.stdout)
    return result


def drawn(lab: Path) -> dict[Path, str]:
    """The current page and CSV of every study in a folder."""
    made = {}
    for path in sorted(lab.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        table = path.with_suffix(".csv")
        made[path.with_suffix(".html")] = report.html(result, [table.name, path.name])
        made[table] = report.csv(result)
    return made


def indexed(lab: Path, text: str) -> str:
    """The text of docs/lab.md with the first places of the rankings, from the studies in a folder."""
    head, mark, rest = text.partition("<!-- foremost -->\n")
    _, end, tail = rest.partition("<!-- /foremost -->\n")
    lines = ["| game | by | sittings of each | |", "|---|---|--:|---|"]
    for game in GAMES:
        for bots, name in (("thumb", game), ("steady", f"{game}-steady")):
            path = lab / f"{name}.json"
            if path.exists():
                result = json.loads(path.read_text(encoding="utf-8"))
                title, rules = REGISTRY[game].title, result["rules"]
                title += f" (rules version {rules})" if rules < REGISTRY[game].rules else ""
                told = with_labels(REGISTRY[game].sheet, foremost(result), "*{}* `{}`".format)
                lines.append(f"| {title} | `{bots}` | {result['sittings']:,} | {told} |")
    return "".join([head, mark, "\n", *(f"{line}\n" for line in lines), "\n", end, tail])


def reproduces(result: dict[str, Any], rows: int | None = None) -> bool:
    """Whether this code reproduces a result: the same rows, and the same first block of all or the first `rows`."""
    game, rules = REGISTRY[result["game"]], result["rules"]
    asked = command_line().parse_args(shlex.split(result["command"])[1:])
    work = study_asked(asked, game, result["seed"], rules)  # as of the rules version that it was made with
    if [game.sheet.recorded(row.options, rules) for row in work.rows] != [row["options"] for row in result["rows"]]:
        return False
    first = [task for task in work.tasks() if task.block == 0][:rows]
    # a result without first blocks was made by older code
    return all(play_block(task).digest() == result["rows"][task.row].get("first_block") for task in first)


def replay(games: list[str]) -> int:
    """Say which studies this code does not reproduce."""
    stale = []
    for path in sorted(LAB.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        if result["game"] in games and not reproduces(result):
            stale.append(result["game"])
            print(f"This code does not reproduce docs/lab/{path.name}: {REMAKE} {result['game']}", flush=True)
    return 1 if stale else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Makes docs/lab: the effect of each reading on its game.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(GAMES), help="which games (default: all)")
    parser.add_argument("--sittings", type=int, default=50_000, help="of each reading by thumb (default: 50000)")
    parser.add_argument("--thinking", type=int, help="of each reading by steady (default: 200; of Sovereign 400)")
    parser.add_argument("--seed", default="1", help="a number or a word (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work (default: 1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="save progress there")
    parser.add_argument("--draw", action="store_true", help="only write pages and CSV again")
    parser.add_argument("--check", action="store_true", help="only say which are not current")
    parser.add_argument("--replay", action="store_true", help="only say which this code does not reproduce")
    asked = parser.parse_args(arguments)
    if asked.replay:
        return replay(asked.games)
    if not (asked.draw or asked.check):
        LAB.mkdir(exist_ok=True)
        for name, game, more in studies(asked):
            result = play(name, game, more, asked)
            text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
            (LAB / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")
            print(f"docs/lab/{name}.json written", flush=True)
    made = drawn(LAB) | {INDEX: indexed(LAB, INDEX.read_text(encoding="utf-8"))}
    stale = {path: text for path, text in made.items() if not is_current(path, text)}
    for path, text in stale.items():
        if asked.check:
            print(f"{shown(path)} is not current: run python tools/lab.py --draw")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{shown(path)} written")
    return 1 if stale and asked.check else 0


def shown(path: Path) -> str:
    return path.relative_to(LAB.parent.parent).as_posix()


def is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes() == text.encode("utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
