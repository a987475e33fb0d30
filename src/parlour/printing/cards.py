"""A pack as pages of cards to cut out: fronts, and on the next page their backs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..engine.game import Game
from ..play.faces import BACK, drawings
from ..play.sitting import Sitting
from ..util import pen
from .colours import printed
from .layout import BLEED, Place, Sheet


def pack_of(game: Game, options: Mapping[str, Any]) -> list[str]:
    """Every card of the pack by its code, as often as it is in it."""
    sitting = Sitting(game, seed=1, **options)
    dealt: list[str] = next((entry[1] for entry in sitting.log if isinstance(entry[-1], list)), [])
    copies = Counter(dealt if len(dealt) == game.sheet.cards else game.codes)
    return [code for code in game.codes for _ in range(copies[code])]


def card_files(game: Game, options: Mapping[str, Any], grey: bool) -> dict[str, bytes]:
    """The drawings of all cards and of the back, as files."""
    drawn = drawings(game.name, options)
    return {f"{code}.svg": printed(drawing, grey).encode() for code, drawing in drawn.items()}


def card_data(game: Game, options: Mapping[str, Any], sheet: Sheet, grey: bool) -> dict[str, Any]:
    """The pages of a pack, as data for the template."""
    pack = pack_of(game, options)
    face = face_size(sheet)
    groups = [pack[at : at + sheet.count] for at in range(0, len(pack), sheet.count)]
    sheets = []
    for number, group in enumerate(groups, 1):
        how = "print at 100 %, on both sides, turned over along the long edge"
        about = f"{game.title} · cards, sheet {number} of {len(groups)} · {how}"
        fronts = [_laid(code, sheet.front(at), face) for at, code in enumerate(group)]
        backs = [_laid(BACK, sheet.back(at), face) for at in range(len(group))]
        sheets += [{"about": about, "cards": cards} for cards in (fronts, backs)]
    return {"ground": "#ffffff" if grey else pen.PAPER, "face": face, "marks": list(sheet.marks()), "sheets": sheets}


def face_size(sheet: Sheet) -> tuple[float, float]:
    """The whole drawing as large as fits on a card, also on a narrow one."""
    width = min(sheet.card[0], sheet.card[1] * pen.WIDTH / pen.HEIGHT)
    return width, width * pen.HEIGHT / pen.WIDTH


def _laid(code: str, place: Place, face: tuple[float, float]) -> dict[str, Any]:
    """One card: its ground, which goes on beyond the cut, and its drawing in the middle."""
    wide, high = face[::-1] if place.turn else face
    return {
        "file": f"{code}.svg",
        "turn": place.turn,
        "ground": (place.left - BLEED, place.top - BLEED, place.width + 2 * BLEED, place.height + 2 * BLEED),
        "at": (place.left + (place.width - wide) / 2, place.top + (place.height - high) / 2),
    }
