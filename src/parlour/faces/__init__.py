"""The faces of the five packs, drawn by code: for the page, and for print."""

from __future__ import annotations

from collections.abc import Callable

from . import heraldry, lost_heir, masquerade, sovereign, tontine
from .pen import HEIGHT, MIDDLE, WIDTH, element, moved, svg

__all__ = ["BACK", "card", "cover", "drawings", "sheet", "svg"]

BACK = "back"
PACKS: dict[str, tuple[Callable[[], dict[str, str]], Callable[[], str]]] = {
    "masquerade": (masquerade.faces, masquerade.back),
    "lost-heir": (lost_heir.faces, lost_heir.back),
    "sovereign": (sovereign.faces, sovereign.back),
    "heraldry": (heraldry.faces, heraldry.back),
    "tontine": (tontine.faces, tontine.back),
}
COVERS = {
    "masquerade": ("R3", "M1", "I1"),
    "lost-heir": ("N1", "LH", "P11"),
    "sovereign": ("CR", "SOV", "1D"),
    "heraldry": ("S5", "XC", "DJ"),
    "tontine": ("QH", "AS", "KC"),
}


def drawings(game: str, knight: int | None = None) -> dict[str, str]:
    """What is on every card of a game's pack, by its code, and on the back; in Heraldry the Knight may be another."""
    faces, back = PACKS[game]
    return (faces() if knight is None else heraldry.faces(knight)) | {BACK: back()}


def card(game: str, code: str) -> str:
    """One card as an SVG file of its own."""
    return svg(drawings(game)[code])


def cover(game: str) -> str:
    """Three cards of a pack fanned out, as a picture of the game."""
    drawn = drawings(game)
    fan = (
        moved(MIDDLE + 165 * (at - 1), 410, moved(-WIDTH / 2, -HEIGHT - 30, drawn[code]), turn=11 * (at - 1))
        for at, code in enumerate(COVERS[game])
    )
    return element("svg", "".join(fan), xmlns="http://www.w3.org/2000/svg", viewBox="-190 0 630 420")


def sheet(game: str, knight: int | None = None) -> str:
    """All cards of a pack as the symbols of one SVG file, to which a page refers as `game-code`."""
    size = f"0 0 {WIDTH} {HEIGHT}"
    drawn = drawings(game, knight)
    symbols = (element("symbol", drawing, id=f"{game}-{code}", viewBox=size) for code, drawing in drawn.items())
    return element("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")
