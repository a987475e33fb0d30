"""The steps of Lost Heir, the entries of its records, its stages, and the clauses that they cite."""

from __future__ import annotations

from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry
from ...engine.pack import codes, steps
from ...sheets.model import read_sheet
from .pack import CARDS
from .pack import CITIES as CITIES_OF_SUITS

SHEET = read_sheet(__file__)
HEIR_3, HEIR_4, HEIR_8, HEIR_8A, HEIR_9, HEIR_9A, HEIR_10 = SHEET.numbers(
    "HEIR-3", "HEIR-4", "HEIR-8", "HEIR-8a", "HEIR-9", "HEIR-9a", "HEIR-10"
)
HEIR_11, HEIR_12, HEIR_13, HEIR_14, HEIR_15, HEIR_16 = SHEET.numbers(
    "HEIR-11", "HEIR-12", "HEIR-13", "HEIR-14", "HEIR-15", "HEIR-16"
)

# HEIR-1: four suits of eleven, and four odd cards that belong to no suit. HEIR-2: the ranks.
CODES = codes(CARDS)
SUITS = tuple(CITIES_OF_SUITS)
SUIT = 0x7FF  # the eleven cards of the first suit
NY, PH, WB, LH = 1 << 44, 1 << 45, 1 << 46, 1 << 47
CITIES = NY | PH
ODD = CITIES | WB | LH
NONE = -1
SIDE_COUNTS = {"each": 0, "two": 2, "three": 3}  # HEIR-18: how many sides play; 0 where each player plays alone

# HEIR-3, HEIR-11: among the odd cards the Wrong Boy is below a City card, and the Lost Heir above everything.
RANK = 4 * list(range(1, 12)) + [1, 1, 0, 60]
SUIT_OF = 11 * [0] + 11 * [1] + 11 * [2] + 11 * [3] + 4 * [-2]

STEP_TRUMP, STEP_PLAY = 30, 34
STEPS = ["pass", *steps("bid", range(1, 30)), *steps("trump", SUITS), *steps("play", CODES)]

DEALER, DEAL, HAND, BID, REDEAL, TRUMP, PLAY, TAKE, VOID, SCORE, FAIL, TOTAL = range(12)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "HEIR-5"),
    Entry("deal", CHANCE, "cards?", "HEIR-5"),
    Entry("hand", TOLD, "seat! cards?", "HEIR-5"),
    Entry("bid", DECISION, "seat bid", "HEIR-6"),
    Entry("redeal", CONSEQUENCE, "clause"),
    Entry("trump", DECISION, "seat suit +clause", "HEIR-8"),
    Entry("play", DECISION, "seat card +clause", "HEIR-10"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("void", CONSEQUENCE, "card clause"),
    Entry("score", CONSEQUENCE, "side points clause", gives=1),
    Entry("fail", CONSEQUENCE, "side points clause"),
    Entry("total", CONSEQUENCE, "scores", "HEIR-17"),
)

CHOOSING, DEALING, BIDDING, NAMING, PLAYING = range(5)
