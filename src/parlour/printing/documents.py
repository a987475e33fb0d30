"""What `parlour print` makes of a game: any of its parts, one after another in one PDF."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import segno

from ..engine.game import Game
from ..sheets.citation import sheet_line
from ..sheets.rulebook import tag_line
from ..util import pen
from .cards import card_data, card_files
from .layout import PAPERS, sheet_of
from .leaflet import folded, leaflet, players_line
from .typeset import typeset

ROWS = 22  # deals on a score sheet
COUNTERS = ((1, 35, "#ffffff"), (5, 16, pen.PAPER), (25, 12, "#e9d7a8"))  # worth, how many on a page, and tint


def parts_of(game: Game) -> tuple[str, ...]:
    """The parts that a game has: its scores are written on paper, or paid in counters."""
    return ("cards", "rules", "counters" if game.sheet.unit == "counters" else "scores", "label")


def document(
    game: Game,
    parts: tuple[str, ...],
    *,
    players: int,
    options: Mapping[str, Any],
    paper: str = "a4",
    size: str = "poker",
    grey: bool = False,
    url: str = "",
) -> bytes:
    """A PDF with these parts."""
    sheet = game.sheet
    data: dict[str, Any] = {"title": game.title, "paper": PAPERS[paper]}
    files: dict[str, bytes] = {}
    if "cards" in parts:
        data |= card_data(game, options, sheet_of(paper, size), grey)
        files |= card_files(game, options, grey)
    if "rules" in parts:
        files["rules.pdf"], pages = leaflet(game, PAPERS[paper], options, grey)
        data["folded"] = folded(pages)
    if "scores" in parts:
        what = [(row.points, row.what) for row in sheet.what_scores(options)]
        columns = game.state_type(players, dict(options)).sides  # partners have their scores in common
        data["scores"] = {"goal": sheet.goal, "columns": columns, "rows": ROWS, "what": what}
    if "counters" in parts:
        data["counters"] = [(worth, count, "#ffffff" if grey else tint) for worth, count, tint in COUNTERS]
    if "label" in parts:
        about = " · ".join(filter(None, (tag_line(sheet), players_line(sheet))))
        data["label"] = {"source": sheet_line(sheet), "summary": sheet.summary, "about": about, "url": url}
        if url:
            files["code.svg"] = code_of(url)
    return typeset("print.typ", data, files)


def code_of(url: str) -> bytes:
    """An address as a code for a camera."""
    drawn = io.BytesIO()
    segno.make(url, error="m").save(drawn, kind="svg", border=0)
    return drawn.getvalue()
