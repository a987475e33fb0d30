"""The faces of the five packs, drawn by code: for the page, and for print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..games.heraldry import faces as heraldry
from ..games.lost_heir import faces as lost_heir
from ..games.masquerade import faces as masquerade
from ..games.sovereign import faces as sovereign
from ..games.tontine import faces as tontine
from ..util.pen import HEIGHT, MIDDLE, WIDTH, element, moved, svg

__all__ = ["BACK", "card", "cover", "drawings", "sheet", "svg"]

BACK = "back"
PACKS: dict[str, tuple[Callable[[], dict[str, str]], Callable[[], str]]] = {
    "masquerade": (masquerade.faces, masquerade.back),
    "lost-heir": (lost_heir.faces, lost_heir.back),
    "sovereign": (sovereign.faces, sovereign.back),
    "heraldry": (heraldry.faces, heraldry.back),
    "tontine": (tontine.faces, tontine.back),
}
COVERS = {"masquerade": "M1", "lost-heir": "LH", "sovereign": "HG", "heraldry": "XC", "tontine": "AS"}


def drawings(game: str, options: Mapping[str, Any] | None = None) -> dict[str, str]:
    """What is on every card of a game's pack, by its code, and on the back; in Heraldry the Knight may be another."""
    faces, back = PACKS[game]
    knight = (options or {}).get("knight")
    return (faces() if knight is None else heraldry.faces(knight)) | {BACK: back()}


def card(game: str, code: str) -> str:
    """One card as an SVG file of its own."""
    return svg(drawings(game)[code])


def cover(game: str) -> str:
    """A card of a pack upon the backs of two others, as a picture of the game."""
    drawn = drawings(game)
    back = element("symbol", drawn[BACK], id="back", viewBox=f"0 0 {WIDTH} {HEIGHT}")
    upon = element("use", href="#back", x=-MIDDLE, y=-380, width=WIDTH, height=HEIGHT)
    fan = [moved(MIDDLE + 130 * side, 410, upon, turn=13.0 * side) for side in (-1, 1)]
    face = moved(0, 25, drawn[COVERS[game]])
    return element("svg", back + "".join(fan) + face, xmlns="http://www.w3.org/2000/svg", viewBox="-245 0 740 420")


def sheet(game: str, options: Mapping[str, Any] | None = None) -> str:
    """All cards of a pack as the symbols of one SVG file, to which a page refers as `game-code`."""
    size = f"0 0 {WIDTH} {HEIGHT}"
    drawn = drawings(game, options)
    symbols = (element("symbol", drawing, id=f"{game}-{code}", viewBox=size) for code, drawing in drawn.items())
    return element("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
