"""A rule sheet to fold: the rules in our words, in the manner of the period, with our readings marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from typing import Any

from ..engine.game import Game
from ..play.faces import cover
from ..sheets.citation import sheet_line
from ..sheets.edition import edition_of
from ..sheets.model import Option, Setting
from ..sheets.model import Sheet as Rules
from ..sheets.rulebook import in_words
from ..util.english import joined
from .colours import greyed
from .layout import booklet
from .typeset import count_pages, typeset

TEMPLATE = "rules.typ"
SIZES = tuple(size / 4 for size in range(26, 45))  # of the text, in points; the largest that fits is taken
MARK = "\u2063"  # stands around what people call an option, which is set upright in a text in italics
PLAYED = "\u2064"  # stands before what is said of a reading that is played
FEW = 4  # pages of one sheet, folded once


def rules_data(game: Game, paper: tuple[float, float], options: Mapping[str, Setting]) -> dict[str, Any]:
    """The pages of the leaflet, each half a page of paper, as data for the template."""
    sheet = game.sheet
    scores = sheet.what_scores(options)
    edition = edition_of(sheet)
    clauses = []
    for clause in sheet.clauses:
        note = edition.of(clause)
        notes = [told(sheet, text, options) for text in (note.reading, note.supplied) if text]
        clauses.append(
            {"id": clause.id, "title": clause.title, "rule": curled(clause.rule), "reading": " ".join(notes)}
        )
    return {
        "width": paper[1] / 2,
        "height": paper[0],
        "title": sheet.title,
        "players": players_line(sheet),
        "source": sheet_line(sheet),
        "summary": sheet.summary,
        "turn": sheet.turn,
        "goal": sheet.goal,
        "other": [(option.called, meant(option, options[option.name])) for option in changed(sheet, options)],
        "scores": [(row.points, row.what) for row in scores],
        "clauses": clauses,
    }


def changed(sheet: Rules, options: Mapping[str, Setting]) -> list[Option]:
    """The options that are not as usual here; the text on how to play is about the usual ones."""
    known = [option for option in sheet.options if option.matters(options)]
    fixed = [option for option in known if option.values or isinstance(option.default, int)]
    return [option for option in fixed if options[option.name] != option.default]


def meant(option: Option, setting: Setting) -> str:
    """What a value of an option means, in a sentence; of a number, the number."""
    return next((value.means for value in option.values if value.name == setting), f"{setting}.")


def players_line(sheet: Rules) -> str:
    """For how many players it is."""
    counts = sheet.players
    row = len(counts) > 2 and len(counts) == counts[-1] - counts[0] + 1
    told = f"{counts[0]} to {counts[-1]}" if row else joined(map(str, counts), "or")
    return f"for {told} players, with {sheet.cards} cards"


def told(sheet: Rules, text: str, options: Mapping[str, Setting]) -> str:
    """A text of the edition for paper: options by what people call them, between marks, and which of them is played."""
    for option in sheet.options:
        start = f"{option.name}: {options[option.name]}"
        text = re.sub(rf"\b{start}: ", f"{start}{PLAYED}: ", text)

    def mark(label: str, name: str) -> str:
        option = next((option for option in sheet.options if option.name == name), None)
        if option and not (option.values and options[name] == option.default):
            label += f" ({option.call(options[name])})"
        return f"{MARK}{label}{MARK}"

    return curled(in_words(sheet, text, mark).replace(f"{MARK}{PLAYED}", f" (as played){MARK}"))


def curled(text: str) -> str:
    """A text with quotation marks as a printer sets them."""
    return re.sub(r'"([^"]*)"', r"“\1”", text)


def leaflet(
    game: Game, paper: tuple[float, float], options: Mapping[str, Setting], grey: bool = False
) -> tuple[bytes, int]:
    """The pages of the leaflet as a PDF, in the largest text that fits one sheet or else two; and how many they are."""
    drawn = cover(game.name)
    data, files = rules_data(game, paper, options), {"cover.svg": (greyed(drawn) if grey else drawn).encode()}

    @cache
    def pages(size: float) -> int:
        return count_pages(TEMPLATE, {**data, "size": size}, files)

    for most in (FEW, 2 * FEW):
        fitting = bisect_right(SIZES, most, key=pages)
        if fitting:
            size = SIZES[fitting - 1]
            return typeset(TEMPLATE, {**data, "size": size}, files), pages(size)
    raise ValueError(f"The rules of {game.title} do not fit two folded sheets.")


def folded(pages: int) -> list[dict[str, Any]]:
    """The sides of the sheets to fold, and how each is turned: the paper is turned over along its long edge."""
    return [
        {"turn": turn, "pages": side} for sheet in booklet(pages) for side, turn in zip(sheet, (90, 270), strict=True)
    ]
