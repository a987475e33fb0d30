"""Tontine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.game import Game
from .notation import ENTRIES, SHEET, SPELLINGS, STEPS
from .pack import CARDS
from .rules import Tontine
from .view import TontineView


def longest(players: int, options: Mapping[str, Any]) -> int:
    """A counter changes hands some four times before one player is left; no rule says how often at most."""
    return 10_000 + 40 * players * int(options["stake"])


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
    longest=longest,
)
