"""Refusals: what the rules do not allow, in one sentence with the clause behind it."""

from __future__ import annotations

import sys
import warnings
from operator import index
from typing import SupportsIndex

from .messages import say
from .types import Step

__all__ = ["Refusal"]


class Refusal(ValueError):
    """A step or move that the rules refuse: one sentence, and the clause behind it.

    A sentence that is a `Message` can be said in other languages; any other is said as it is.
    """

    def __init__(self, sentence: str, clause: str = "") -> None:
        super().__init__(f"{sentence} ({clause})" if clause else sentence)
        self.sentence = sentence
        self.clause = clause


def warn_renamed(old: str, new: str) -> None:
    """Warn the code outside this package that uses an old name; compiled methods have no frame to be counted."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("parlour"):
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{old} is now {new}.", DeprecationWarning, stacklevel=level)


def whole_number(step: object) -> Step:
    """A step given as another kind of whole number, such as NumPy's; anything else is refused."""
    if isinstance(step, SupportsIndex) and not isinstance(step, bool):
        try:
            return index(step)
        except TypeError:
            pass  # an array has `__index__`, but works only with a single element
    raise Refusal(say("whole number", "A step is a whole number, not a {type:text}.", type=type(step).__name__))
