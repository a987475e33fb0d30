"""The commands that read the sheets, list the words and draw the cards: games, rules, cite, sheets, words, faces."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ..games import REGISTRY
from ..games import game as game_of
from ..play.terminal import terminal_width
from ..sheets.citation import FORMATS, cite
from ..sheets.rulebook import (
    as_data,
    catalogue,
    clause_data,
    clause_text,
    overview,
    rule_book,
    schema,
    tag_line,
    wrapped,
)
from ..util.english import joined
from .arguments import add_command, add_game, add_json, games_of
from .output import GOOD, Misuse

if TYPE_CHECKING:
    from .arguments import Commands


def add_games(commands: Commands) -> None:
    """parlour games."""
    add_json(add_command(commands, "games", do_games, "list the games", "parlour games"))


def do_games(asked: argparse.Namespace) -> int:
    """List the games."""
    if asked.json:
        print(json.dumps([as_data(game.sheet) for game in REGISTRY.values()], ensure_ascii=False, indent=1))
        return GOOD
    for game in REGISTRY.values():
        sheet = game.sheet
        few = len(sheet.players) <= 4
        counts = joined(sheet.players, "or") if few else f"{sheet.players[0]} to {sheet.players[-1]}"
        print(f"{game.name:<11} {sheet.title} · {counts} players · {sheet.cards} cards")
        if tag_line(sheet):
            print(wrapped(f"            {tag_line(sheet)}", terminal_width()))
        print(wrapped(f"            {sheet.summary}", terminal_width()))
        print()
    print("Play one with `parlour play GAME`; read its rules with `parlour rules GAME`.")
    return GOOD


def add_rules(commands: Commands) -> None:
    """parlour rules."""
    words = "show the rule book of a game, or one clause of it"
    command = add_command(commands, "rules", do_rules, words, "parlour rules masquerade MASQ-16")
    add_game(command)
    command.add_argument("clause", metavar="CLAUSE", nargs="?", help="such as MASQ-16, or 16")
    add_json(command)


def do_rules(asked: argparse.Namespace) -> int:
    """Show the rule book of a game, or one clause."""
    sheet = game_of(asked.game).sheet
    if asked.json:
        data = clause_data(sheet, sheet.clause(asked.clause)) if asked.clause is not None else as_data(sheet)
        print(json.dumps(data, ensure_ascii=False, indent=1))
    elif asked.clause is not None:
        print("\n".join(wrapped(line, terminal_width()) for line in clause_text(sheet, asked.clause).split("\n")))
    else:
        print(rule_book(sheet, terminal_width()))
    return GOOD


def add_cite(commands: Commands) -> None:
    """parlour cite."""
    words = "show how to cite a rule sheet and this version of Parlour"
    command = add_command(commands, "cite", do_cite, words, "parlour cite sovereign")
    add_game(command)
    command.add_argument("--format", choices=FORMATS, default="text", help="the format (default: text)")


def do_cite(asked: argparse.Namespace) -> int:
    """Cite a sheet."""
    print(cite(game_of(asked.game).sheet, asked.format), end="")
    return GOOD


def add_sheets(commands: Commands) -> None:
    """parlour sheets."""
    words = "list the clauses of the rule sheets, or export the sheets as data"
    command = add_command(commands, "sheets", do_sheets, words, "parlour sheets --json")
    add_game(command, default="all games")
    add_json(command, "print every clause, reading and option as JSON")
    command.add_argument("--schema", action="store_true", help="print the JSON Schema of what --json prints")


def do_sheets(asked: argparse.Namespace) -> int:
    """List or export the sheets."""
    games = games_of(asked.game)
    if asked.schema:
        print(schema(), end="")
    elif asked.json:
        print(json.dumps(catalogue(game.sheet for game in games), ensure_ascii=False, indent=1))
    else:
        print("\n\n".join("\n".join([game.title, *overview(game.sheet)]) for game in games))
    return GOOD


def add_words(commands: Commands) -> None:
    """parlour words."""
    words = "list the sentences of a game, or those that all games share, by key"
    command = add_command(commands, "words", do_words, words, "parlour words tontine --json")
    add_game(command, default="what all games share")
    command.add_argument("--language", metavar="CODE", default="en", help="the language (default: en)")
    add_json(command, "print the whole catalogue as JSON, as the page is sent it")


def do_words(asked: argparse.Namespace) -> int:
    """List the sentences of a game."""
    from ..engine.catalogue import catalogue, languages

    game = game_of(asked.game) if asked.game else None
    known = languages(game)
    if asked.language not in known:
        raise Misuse(f"There are no words in {asked.language}; the languages are {joined(known)}.")
    found = asdict(catalogue(game, asked.language))
    if asked.json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return GOOD
    for section in ("events", "claims", "says"):
        for key, pattern in found[section].items():
            print(f"{section} {key}: {pattern}")
    return GOOD


def add_faces(commands: Commands) -> None:
    """parlour faces."""
    words = "draw the cards of a game as SVG files"
    command = add_command(commands, "faces", do_faces, words, "parlour faces tontine --out cards")
    add_game(command)
    command.add_argument("--out", metavar="DIR", default="faces", help="the folder to write to (default: faces)")


def do_faces(asked: argparse.Namespace) -> int:
    """Draw the cards of a game."""
    from ..play.faces import drawings, svg

    game, folder = game_of(asked.game), Path(asked.out)
    drawn = drawings(game.name)
    folder.mkdir(parents=True, exist_ok=True)
    for code, drawing in drawn.items():
        (folder / f"{code}.svg").write_text(svg(drawing) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(drawn) - 1} cards of {game.title} and their back are in {folder}.")
    return GOOD
