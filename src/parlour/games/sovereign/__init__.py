"""Change for a Sovereign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.game import Game
from .notation import ENTRIES, SHEET, SPELLINGS, STEPS
from .pack import CARDS, COIN_PENCE
from .rules import Sovereign
from .view import SovereignView


def longest(players: int, options: Mapping[str, Any]) -> int:
    """A turn has at most two offers with a penalty each, a throw, a take, two draws of chance and its end."""
    return 10 * int(options["games"]) * (players * int(options["round_limit"]) + 1)


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
    longest=longest,
)
