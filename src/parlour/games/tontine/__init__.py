"""Tontine."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, SPELLINGS, STEPS
from .pack import CARDS
from .rules import Tontine
from .view import TontineView

GAME = Game(
    SHEET,
    Tontine,
    TontineView,
    CARDS,
    STEPS,
    ENTRIES,
    spellings=SPELLINGS,
    package=__name__,
    accent=("#a83420", "#f2a08a"),
    usual_bot="first",  # nothing is decided
)
