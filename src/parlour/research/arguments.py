"""Arguments of environments, checked: integers of Python or of NumPy."""

from __future__ import annotations

from operator import index
from typing import Any


def integer(value: Any, what: str, least: int | None = None) -> int:
    """An integer of any type as an int; ValueError, with a sentence, where it is not one or too small."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        limit = "" if least is None else f" of at least {least}"
        shown = repr(value) if number is None else str(number)
        raise ValueError(f"{what} must be a whole number{limit}, not {shown:.40}.")
    return number
