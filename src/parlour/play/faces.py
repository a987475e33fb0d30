"""Drawn cards: the faces of each game's pack, or plain ones for a game that has none, for the page and for print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..engine.game import Game
from ..games import game as game_of
from ..util import pen
from ..util.pen import HEIGHT, MIDDLE, WIDTH, element, moved, svg

__all__ = ["BACK", "card", "cover", "drawings", "sheet", "svg"]

BACK = "back"


def drawings(name: str, options: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The drawing on every card of a game's pack, by its code, and on the back; options may change a face."""
    game = game_of(name)
    return dict(_drawn(game, tuple(game.options_for(game.sheet.usual, options).items())))


@lru_cache(maxsize=16)
def _drawn(game: Game, options: tuple[tuple[str, Any], ...]) -> dict[str, str]:
    drawn = game.part("faces")
    if drawn is None:
        return plain_faces(game) | {BACK: plain_back(game)}
    faces: dict[str, str] = drawn.faces(dict(options))
    return faces | {BACK: drawn.back()}


def plain_faces(game: Game) -> dict[str, str]:
    """Cards with their codes and names in letters, for a game without drawn faces."""
    faces = {}
    for code, name in game.card_names.items():
        corner = pen.text(20, 38, code, 26, anchor="start")
        lines = [pen.text(MIDDLE, 150 + 42 * at, word, 36) for at, word in enumerate(name.split())]
        faces[code] = pen.card(pen.both_ends(corner), *lines)
    return faces


def plain_back(game: Game) -> str:
    """A trellis in the colour of the game."""
    return pen.tiled(pen.path("M0 0L30 30M0 30L30 0", stroke=game.accent[0], width=1.2), 30)


def card(name: str, code: str) -> str:
    """One card as an SVG file of its own."""
    return svg(drawings(name)[code])


def cover(name: str) -> str:
    """A card of a pack upon the backs of two others, as a picture of the game."""
    game = game_of(name)
    drawn = drawings(name)
    back = element("symbol", drawn[BACK], id="back", viewBox=f"0 0 {WIDTH} {HEIGHT}")
    upon = element("use", href="#back", x=-MIDDLE, y=-380, width=WIDTH, height=HEIGHT)
    fan = [moved(MIDDLE + 130 * side, 410, upon, turn=13.0 * side) for side in (-1, 1)]
    face = moved(0, 25, drawn[getattr(game.part("faces"), "COVER", game.codes[0])])
    return element("svg", back + "".join(fan) + face, xmlns="http://www.w3.org/2000/svg", viewBox="-245 0 740 420")


def sheet(name: str, options: Mapping[str, Any] | None = None) -> str:
    """All cards of a pack as the symbols of one SVG file, to which a page refers as `game-code`."""
    size = f"0 0 {WIDTH} {HEIGHT}"
    drawn = drawings(name, options)
    symbols = (element("symbol", drawing, id=f"{name}-{code}", viewBox=size) for code, drawing in drawn.items())
    return element("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
