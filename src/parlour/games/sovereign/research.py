"""What the research interfaces need to know of Sovereign: environment version and bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 2  # raised when the rules, the steps or the layout of observations change
LENGTH = ("games", 1)
HIDDEN_CARDS_STAY = False


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many games; the least and greatest return."""
    turns = players * int(options["round_limit"]) * units
    # a game costs at most two stakes, and where mistakes are penalised two penalties a turn
    mistakes = 2 * int(options["round_limit"]) * int(options["penalty"])
    lost = units * (2 * int(options["stake"]) + (mistakes if options["mistakes"] == "penalised" else 0))
    # a turn is two offers of all coins, a throw and a take; a take may need a new surplus
    return 20 * turns, 1 + 56 * units + 57 * turns, -float(lost), float((players - 1) * lost)
