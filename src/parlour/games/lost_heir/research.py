"""What the research interfaces need to know of Lost Heir: environment version and bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 2  # raised when the rules, the steps or the layout of observations change
LENGTH = ("deal_limit", 1)
HIDDEN_CARDS_STAY = True
HAS_ENDGAMES = True


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many deals; the least and greatest return."""
    tricks = 48 // players
    fines = 3 * tricks * players if options["mistakes"] == "penalised" else 0
    most = (tricks + 5 + 3 + fines) * units * (players - 1) / players
    return (players + 1 + 48) * units, 1 + 48 * units, -most, most
