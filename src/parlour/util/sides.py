"""How many sides a state has: a stand-in until `State.sides` exists."""

from __future__ import annotations

from typing import Any


def sides_of(state: Any) -> int:
    """The number of sides, of partners or of seats that play alone. TO BE REPLACED by `state.sides`."""
    return len(state.scores())
