"""Trio: a sixth game in plain Python, made up for the tests. `parlour.register(toy.GAME)` is all that it takes."""

from __future__ import annotations

from parlour.engine.game import Game

from .rules import CARDS, ENTRIES, SHEET, STEPS, Trio
from .view import TrioView

GAME = Game(SHEET, Trio, TrioView, CARDS, STEPS, ENTRIES, package=__name__)
