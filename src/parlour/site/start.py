"""How the room begins in a browser: the packages that stand in, the proof of the engine, and then the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import standing

if TYPE_CHECKING:
    from .here import Here


class NotProved(Exception):
    """The engine does not play as it should here."""


def start(proof: str, post: Any, keep: Any = None) -> Here:
    """The room, once the engine has proved itself, where it must."""
    if proof:
        from ..engine import build
        from .proof import digest

        if not build.is_compiled():
            raise NotProved("the engine is not compiled")
        if digest() != proof:
            raise NotProved("the compiled engine plays otherwise here")
    standing.install()
    from .here import Here

    return Here(post, keep)
