"""How often a property is tried: a few times by default, many times with --long."""

from __future__ import annotations

_long = False


def set_long(long: bool) -> None:
    """Called once, when pytest has read its options."""
    global _long
    _long = long


def times(usual: int, long: int) -> int:
    """How often to try."""
    return long if _long else usual
