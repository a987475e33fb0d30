"""The pack of Heraldry: four suits of twelve, and the values of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.pack import Pack

SUITS = {"S": "Star", "C": "Crescent", "X": "Cross", "D": "Diamond"}
RANKS = {str(number): f"{number}" for number in range(1, 11)} | {"C": "Crown", "J": "Jester"}
CARDS: Pack = [
    (f"{suit}{rank}", f"{title} of the {name}") for rank, title in RANKS.items() for suit, name in SUITS.items()
]


def named(options: Mapping[str, Any]) -> dict[str, str]:
    """HER-11: the Knight of the Cross, by both of its names."""
    return {f"X{options['knight']}": f"Knight of the Cross, {options['knight']}"}


# HER-2: cards count by their number; Crown and Jester count ten each
VALUES = [min(card // 4 + 1, 10) for card in range(48)]
# the cards of each value, and of each set of values (bit 0: value 1)
OF_VALUE = [sum(1 << card for card, worth in enumerate(VALUES) if worth == value) for value in range(11)]
WITHIN = [0]
for of_value in OF_VALUE[1:]:
    WITHIN += [cards | of_value for cards in WITHIN]
