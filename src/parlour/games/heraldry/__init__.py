"""Heraldry."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS
from .pack import CARDS
from .rules import Heraldry
from .view import HeraldryView

GAME = Game(
    SHEET,
    Heraldry,
    HeraldryView,
    CARDS,
    STEPS,
    ENTRIES,
    package=__name__,
    accent=("#7d5410", "#ddb45f"),
)
