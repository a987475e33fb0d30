"""Change for a Sovereign."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, SPELLINGS, STEPS
from .pack import CARDS, COIN_PENCE
from .rules import Sovereign
from .view import SovereignView

GAME = Game(
    SHEET,
    Sovereign,
    SovereignView,
    CARDS,
    STEPS,
    ENTRIES,
    spellings=SPELLINGS,
    package=__name__,
    accent=("#2e5a45", "#8fcbab"),
    values=COIN_PENCE,
)
