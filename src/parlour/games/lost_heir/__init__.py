"""Lost Heir."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS, SUITS
from .pack import CARDS
from .rules import LostHeir
from .view import LostHeirView

GAME = Game(
    SHEET,
    LostHeir,
    LostHeirView,
    CARDS,
    STEPS,
    ENTRIES,
    spellings={"suit": SUITS},
    package=__name__,
    accent=("#1f3b63", "#9dbde8"),
)
