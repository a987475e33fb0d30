"""Heraldry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.game import Game
from .notation import ENTRIES, SHEET, STEPS, scoring_cards
from .pack import CARDS, VALUES, named
from .rules import Heraldry
from .view import HeraldryView


def longest(players: int, options: Mapping[str, Any]) -> int:
    """A deal has at most 80 entries; without a limit some ten deals are played, for nobody avoids the end."""
    return 80 * (int(options["deal_limit"]) or 200)


GAME = Game(
    SHEET,
    Heraldry,
    HeraldryView,
    CARDS,
    STEPS,
    ENTRIES,
    package=__name__,
    accent=("#7d5410", "#ddb45f"),
    values={code: value for (code, _), value in zip(CARDS, VALUES, strict=True)},
    scoring=scoring_cards,
    named=named,
    drawn_by=("knight",),
    longest=longest,
)
