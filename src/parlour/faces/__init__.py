"""The faces of the five packs, drawn by code: for the page, and for print."""

from __future__ import annotations

from collections.abc import Callable

from . import heraldry, lost_heir, masquerade, sovereign, tontine
from .pen import HEIGHT, WIDTH, element, svg

__all__ = ["BACK", "card", "drawings", "sheet", "svg"]

BACK = "back"
PACKS: dict[str, tuple[Callable[[], dict[str, str]], Callable[[], str]]] = {
    "masquerade": (masquerade.faces, masquerade.back),
    "lost-heir": (lost_heir.faces, lost_heir.back),
    "sovereign": (sovereign.faces, sovereign.back),
    "heraldry": (heraldry.faces, heraldry.back),
    "tontine": (tontine.faces, tontine.back),
}


def drawings(game: str) -> dict[str, str]:
    """What is on every card of a game's pack, by its code, and on the back."""
    faces, back = PACKS[game]
    return faces() | {BACK: back()}


def card(game: str, code: str) -> str:
    """One card as an SVG file of its own."""
    return svg(drawings(game)[code])


def sheet(game: str) -> str:
    """All cards of a pack as the symbols of one SVG file, to which a page refers as `game-code`."""
    size = f"0 0 {WIDTH} {HEIGHT}"
    symbols = (
        element("symbol", drawing, id=f"{game}-{code}", viewBox=size) for code, drawing in drawings(game).items()
    )
    return element("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
