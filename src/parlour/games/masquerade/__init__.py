"""The Masquerade Game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS
from .pack import CARDS, RANKS
from .rules import Masquerade
from .view import MasqueradeView


def longest(players: int, options: Mapping[str, Any]) -> int:
    """A game has some 300 entries, but no rule makes it end."""
    return 20_000 * int(options["games"])


GAME = Game(
    SHEET,
    Masquerade,
    MasqueradeView,
    CARDS,
    STEPS,
    ENTRIES,
    package=__name__,
    accent=("#573a5c", "#cfa8d6"),
    ranks=RANKS,
    longest=longest,
)
