"""The steps of Heraldry, the entries of its records, its stages, and the clauses that they cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.bitset import items, union
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry
from ...engine.pack import codes, steps
from ...engine.types import Card
from ...sheets.model import read_sheet
from .pack import CARDS

SHEET = read_sheet(__file__)
HER_3, HER_7, HER_8, HER_9, HER_10, HER_11, HER_12, HER_13, HER_14 = SHEET.numbers(
    "HER-3", "HER-7", "HER-8", "HER-9", "HER-10", "HER-11", "HER-12", "HER-13", "HER-14"
)

# HER-1: four suits of twelve; a card is 4 × rank + suit, so that cards of one value lie together.
CODES = codes(CARDS)
DIAMONDS = union(range(3, 48, 4))
CROWNS = union(range(40, 44))
JESTER_OF_STAR = 1 << 44
WHOLE_PACK = (1 << 48) - 1
NONE = -1
GOAL = 21  # HER-15

STEP_TAKE, STEP_DONE, STEP_LAY = 48, 96, 97
STEPS = [*steps("play", CODES), *steps("take", CODES), "take done", "lay"]

DEALER, DEAL, HAND, TABLE, CAPTURE, DISCARD, SWEEP, SCORE, TOTAL = range(9)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "HER-3"),
    Entry("deal", CHANCE, "cards?", "HER-3"),
    Entry("hand", TOLD, "seat! cards? clause"),
    Entry("table", TOLD, "cards clause"),
    Entry("capture", DECISION, "seat card cards", "HER-4", unordered=True, gives=1),
    Entry("discard", DECISION, "seat card", "HER-6"),
    Entry("sweep", CONSEQUENCE, "seat cards clause", unordered=True, gives=1),
    Entry("score", CONSEQUENCE, "seat points clause", gives=1),
    Entry("total", CONSEQUENCE, "scores", "HER-15"),
)

CHOOSING, DEALING, PLAYING = range(3)
PACK = 6  # the place of cards not yet dealt, besides the six seats, when a deal is sampled


def knight_of(options: Mapping[str, Any]) -> Card:
    """HER-11: the Knight of the Cross, which bears the number that `knight` says."""
    return 4 * (int(options["knight"]) - 1) + 2


def scoring_cards(options: Mapping[str, Any]) -> dict[str, list[str]]:
    """The cards that score when a deal is counted, by clause."""
    scoring = {
        "HER-9": WHOLE_PACK,
        "HER-10": DIAMONDS,
        "HER-11": 1 << knight_of(options),
        "HER-12": JESTER_OF_STAR,
        "HER-13": CROWNS,
    }
    return {clause: [CODES[card] for card in items(cards)] for clause, cards in scoring.items()}
