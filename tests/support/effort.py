"""How thoroughly properties are tried: a little by default, much more with --long."""

from __future__ import annotations

_long = False


def set_long(long: bool) -> None:
    """Called once, when pytest has read its options."""
    global _long
    _long = long


def times(usual: int, long: int) -> int:
    """A number of tries, or a threshold that goes with it: by default, and with --long."""
    return long if _long else usual
