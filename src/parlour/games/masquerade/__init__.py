"""The Masquerade Game."""

from __future__ import annotations

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS
from .pack import CARDS
from .rules import Masquerade
from .view import MasqueradeView

GAME = Game(
    SHEET,
    Masquerade,
    MasqueradeView,
    CARDS,
    STEPS,
    ENTRIES,
    package=__name__,
    accent=("#573a5c", "#cfa8d6"),
)
