"""What the research interfaces need to know of Masquerade: environment version and bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 2  # raised when the rules, the steps or the layout of observations change
LENGTH = ("games", 1)
MOVES_PER_UNIT = 5000  # a game takes about a hundred, but no rule makes it end
HIDDEN_CARDS_STAY = False


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many games; the least and greatest return."""
    moves = MOVES_PER_UNIT * units
    # a move is followed by a draw in an exchange or by one for each card played; the deals come before
    draws = 32 + 32 * units + 2 * moves
    # 31 points, and then five at once for the first Masquerader
    most = 36 * units * (players - 1) / players
    return moves, draws, -most, most
