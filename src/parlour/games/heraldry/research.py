"""What the research interfaces need to know of Heraldry: environment version and bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 2  # raised when the rules, the steps or the layout of observations change
LENGTH = ("deals", 1)
DEALS_PER_UNIT = 1
HIDDEN_CARDS_STAY = True
HAS_ENDGAMES = True


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many deals; the least and greatest return."""
    # eleven points, and a sweep wins two cards at least (HER-14)
    points = 11 + {"none": 0, "last_trick": 1, "sweep": 24}[options["twelfth"]]
    most = points * units * (players - 1) / players
    # every card is played once, taken at most once, and ends at most one choice of groups
    return 3 * 48 * units, 1 + 48 * units, -most, most
