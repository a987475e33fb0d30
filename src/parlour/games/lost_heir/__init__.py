"""Lost Heir."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS, SUITS
from .pack import CARDS
from .rules import LostHeir
from .view import LostHeirView


def longest(players: int, options: Mapping[str, Any]) -> int:
    """A deal has 48 cards, each played and perhaps fined, and at most 24 tricks with six consequences each."""
    return 300 * int(options["deal_limit"])


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
    longest=longest,
)
