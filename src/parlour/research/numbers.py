"""Numbers as learners give them: of Python, of NumPy, or of neither."""

from __future__ import annotations

from operator import index
from typing import Any


def whole(value: Any, what: str, least: int | None = None) -> int:
    """A whole number of any kind as an int; ValueError, with a sentence, where it is none or too small."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        beyond = "" if least is None else f" from {least} on"
        shown = repr(value) if number is None else str(number)
        raise ValueError(f"{what} is a whole number{beyond}, not {shown:.40}.")
    return number
