"""Heraldry."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS, scoring_cards
from .pack import CARDS, VALUES
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
    values={code: value for (code, _), value in zip(CARDS, VALUES, strict=True)},
    scoring=scoring_cards,
    drawn_by=("knight",),
)
