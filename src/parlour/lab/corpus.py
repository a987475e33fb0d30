"""A corpus of records for libraries and studies: a folder with a manifest, the same bytes each time it is made."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._version import __version__
from ..games import game as game_of
from ..records.record import FORMAT as RECORD_FORMAT
from ..sheets.citation import AUTHORS, sheet_line
from ..sheets.edition import edition_of
from ..sheets.rulebook import LICENCE, catalogue
from .simulate import Simulation, seed_number, simulate

FORMAT = "parlour corpus 1"
MANIFEST = "manifest.json"
# Folders inside the folder: where a corpus is being made, and its name once it is complete.
MAKING, MADE = ".parlour-making", ".parlour-made"
BOT = "thumb"


class Refused(ValueError):
    """The folder cannot take a corpus; the message is one sentence."""


@dataclass(frozen=True)
class Corpus:
    """What a corpus holds: this many sittings of each game, from one seed."""

    games: tuple[str, ...]
    sittings: int
    seed: str

    def command(self) -> str:
        """The command that makes the same corpus again."""
        games = ",".join(self.games)
        return f"parlour corpus --out FOLDER --sittings {self.sittings} --games {games} --seed {shlex.quote(self.seed)}"


def export(
    corpus: Corpus, folder: Path, jobs: int = 1, progress: Callable[[int], object] | None = None
) -> dict[str, Any]:
    """Write a corpus into a folder that is new, empty or holds an older corpus; returns its manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    check_own(folder)
    put_in_place(folder)  # finish an earlier export that was interrupted in this step
    shutil.rmtree(folder / MAKING, ignore_errors=True)  # and drop one that was killed before
    made = folder / MAKING
    made.mkdir()
    try:
        for number, name in enumerate(corpus.games):
            if progress is not None:
                progress(number)
            write_records(corpus, name, made / f"{name}.jsonl", jobs)
        write_json(made / "sheets.json", catalogue(game_of(name).sheet for name in corpus.games))
        write_text(made / "README.md", read_me(corpus))
        write_json(made / "datapackage.json", data_package(corpus, made))
        manifest = describe(corpus, made)
        write_json(made / MANIFEST, manifest)
        os.replace(made, folder / MADE)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    put_in_place(folder)
    return manifest


def put_in_place(folder: Path) -> None:
    """Replace the older corpus by the new one. If this is interrupted, calling it again finishes it.

    The older manifest goes last, because it lists the files to delete.
    """
    made = folder / MADE
    if not made.exists():
        return
    old, new = listed(folder), listed(made)
    for path in folder.iterdir():
        if new and path.name in old and path.name not in new:
            path.unlink()
    for path in sorted(made.iterdir(), key=lambda path: path.name == MANIFEST):
        os.replace(path, folder / path.name)
    made.rmdir()


def listed(folder: Path) -> dict[str, str]:
    """The files in the manifest of a folder, with their checksums; empty where it has no manifest of ours."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] == FORMAT:
            return {file["path"]: file["sha256"] for file in manifest["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {}


def check_own(folder: Path) -> None:
    """Refuse a folder that holds other files, or files of a corpus that were changed."""
    names = sorted({path.name for path in folder.iterdir()} - {MAKING, MADE})
    # after an interrupted replacement there are files of both
    known = [listed(folder), listed(folder / MADE)]
    if names and not any(known):
        raise Refused(f"{folder} is not empty and holds no corpus of Parlour; choose a new folder, or an empty one.")
    for name in names:
        if name == MANIFEST:
            continue
        sums = {files[name] for files in known if name in files}
        if not sums:
            raise Refused(f"{folder} also holds {name}, which is no part of a corpus; choose a new folder, or move it.")
        if sha256(folder / name) not in sums:
            raise Refused(f"{folder / name} was changed since it was written; choose a new folder, or move it.")


def write_records(corpus: Corpus, name: str, path: Path, jobs: int) -> None:
    """Write the sittings of one game, one record a line."""
    game = game_of(name)
    players = game.sheet.usual
    options = game.options_for(players)
    simulation = Simulation(name, players, options, (BOT,) * players, seed_number(corpus.seed), recorded=True)
    with open(path, "wb") as file:
        simulate(simulation, corpus.sittings, jobs, file.write)


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text as the same bytes on any machine."""
    path.write_text(text, encoding="utf-8", newline="\n")


def sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- its description --------------------------------------------------------------------------------------------------


def counted(number: int, thing: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def contents(corpus: Corpus) -> list[tuple[str, str, str]]:
    """The data files: path, media type and description."""
    count = counted(corpus.sittings, "sitting")
    rows = [
        (f"{name}.jsonl", "application/jsonl", f"{count} of {game_of(name).title}, a record a line")
        for name in corpus.games
    ]
    return [*rows, ("sheets.json", "application/json", "the rule sheets: every clause, its reading and its options")]


def describe(corpus: Corpus, made: Path) -> dict[str, Any]:
    """The manifest: how the corpus was made, and every file with its checksum."""
    return {
        "format": FORMAT,
        "version": __version__,
        "records": RECORD_FORMAT,
        "rules": {name: game_of(name).rules for name in corpus.games},
        "command": corpus.command(),
        "seed": corpus.seed,
        "sittings": corpus.sittings,
        "players": {name: game_of(name).sheet.usual for name in corpus.games},
        "bots": BOT,
        "licence": LICENCE,
        "files": [
            {"path": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)} for path in sorted(made.iterdir())
        ],
    }


def data_package(corpus: Corpus, made: Path) -> dict[str, Any]:
    """The same as a Frictionless Data Package."""
    return {
        "profile": "data-package",
        "name": "parlour-corpus",
        "title": "Sittings of old card games, played by Parlour",
        "description": f"Made by `{corpus.command()}`.",
        "version": __version__,
        "licenses": [{"name": LICENCE, "title": "MIT License", "path": "https://spdx.org/licenses/MIT.html"}],
        "contributors": [{"title": AUTHORS, "role": "author"}],
        "sources": [{"title": sheet_line(game_of(name).sheet)} for name in corpus.games],
        "resources": [
            {
                "name": path.partition(".")[0],
                "path": path,
                "description": words[0].upper() + words[1:] + ".",
                "format": path.partition(".")[2],
                "mediatype": kind,
                "encoding": "utf-8",
                "bytes": (made / path).stat().st_size,
                "hash": f"sha256:{sha256(made / path)}",
            }
            for path, kind, words in contents(corpus)
        ],
    }


def read_me(corpus: Corpus) -> str:
    """The README of the folder."""
    games = [game_of(name) for name in corpus.games]
    lines = [
        "# Sittings of old card games",
        "",
        f"Whole sittings, played by bots (`{BOT}`, by rules of thumb) and written down by Parlour {__version__}: "
        "everything that chance dealt, everything that was decided, and every consequence with the clause of the rule "
        "sheet behind it. Each game is played by its usual number and by the usual readings.",
        "",
        "| file | what it is |",
        "|---|---|",
        *[f"| `{path}` | {words} |" for path, _, words in contents(corpus)],
        f"| `{MANIFEST}` | versions, seed, and the SHA-256 of every file |",
        "| `datapackage.json` | the same as a Frictionless Data Package |",
        "",
        f"A record is one JSON object a line (record format {RECORD_FORMAT}): `game`, `players`, `options`, `log` (the "
        "entries in order, each an array that begins with its kind), `result` (`scores` and `winners`), `seed`, "
        "`sitting` (its number) and `bots`. Seats are numbers from 0, cards are codes; `sheets.json` has the clauses "
        "that entries cite.",
        "",
        "## Making and checking it",
        "",
        "The same command and version make the same bytes:",
        "",
        f"    {corpus.command()}",
        "",
        "`parlour check FILE` replays the records of a file through the rules and compares every consequence.",
        "",
        "## Where the games come from",
        "",
        *[f"- {sheet_line(game.sheet)} {edition_of(game.sheet).document.maker}" for game in games],
        "",
        "## Licence",
        "",
        f"{LICENCE} for the records. The edition of the rules in `sheets.json` is under CC BY 4.0. Please cite "
        "Parlour: `parlour cite GAME` says how.",
        "",
    ]
    return "\n".join(lines)
