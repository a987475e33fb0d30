"""What the research interfaces need to know of Tontine: environment version and bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 1  # raised when the rules, the steps or the layout of observations change
LENGTH = ("deals", 1000)
MOVES_PER_UNIT = 1  # a deal is one move
HIDDEN_CARDS_STAY = True


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many deals; the least and greatest return."""
    stake = float(options["stake"])
    return units, 1 + players * units, -stake, (players - 1) * stake
