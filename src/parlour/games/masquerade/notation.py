"""The steps of The Masquerade Game, the entries of its records, its stages, and the clauses that they cite."""

from __future__ import annotations

from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry
from ...engine.pack import codes, steps
from ...sheets.model import read_sheet
from .pack import CARDS

SHEET = read_sheet(__file__)
MASQ_5, MASQ_6, MASQ_7, MASQ_8, MASQ_9, MASQ_10, MASQ_11, MASQ_12 = SHEET.numbers(
    "MASQ-5", "MASQ-6", "MASQ-7", "MASQ-8", "MASQ-9", "MASQ-10", "MASQ-11", "MASQ-12"
)
MASQ_13, MASQ_15, MASQ_16, MASQ_17, MASQ_18 = SHEET.numbers("MASQ-13", "MASQ-15", "MASQ-16", "MASQ-17", "MASQ-18")

# MASQ-1: four suits of eight. MASQ-2: within a suit a lower number is a higher card, so a lower bit is a higher card,
# and the eight lowest bits are the Masqueraders.
CODES = codes(CARDS)
MASQUERADERS = 0xFF
M1 = 0x01
ALL = 0xFFFFFFFF
TOO_HIGH_TO_LEAD = 0x0F  # MASQ-6: M1 to M4
NONE = -1
GOAL = 32  # MASQ-20

STEP_GIVE, STEP_DECLINE, STEP_RETURN = 32, 64, 65
STEPS = steps("play", CODES) + steps("give", CODES) + ["decline"] + steps("return", CODES)

DIVIDE, DEAL, FIRST, HAND, PLAY, GIVE, DECLINE, DRAW, RETURN, SKIP, TAKE, SCORE, GAME = range(13)
ENTRIES = (
    Entry("divide", CHANCE, "cards?", "MASQ-4"),
    Entry("deal", CHANCE, "cards?", "MASQ-4"),
    Entry("first", TOLD, "seat", "MASQ-4"),
    Entry("hand", TOLD, "seat! cards?", "MASQ-3"),
    Entry("play", DECISION, "seat card +clause", "MASQ-7"),
    Entry("give", DECISION, "seat! card? +to:seat!", "MASQ-9"),
    Entry("decline", DECISION, "seat", "MASQ-9"),
    Entry("draw", CHANCE, "seat! from:seat! card? +clause", "MASQ-12"),
    Entry("return", DECISION, "seat! card? +to:seat!", "MASQ-9"),
    Entry("skip", CONSEQUENCE, "seat clause"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("score", CONSEQUENCE, "seat points clause", gives=1),
    Entry("game", CONSEQUENCE, "seat", "MASQ-20"),
)

TRICK, HELD = 8, 9  # places of the particle filter besides the eight hands: the trick, and a gift not yet answered

DIVIDING, DEALING, LEADING, PLAYING, EXCHANGING, RETURNING, CHANGING, DRAWING = range(8)
STAGES = ("divide", "deal", "lead", "play", "exchange", "return", "change", "draw")
FOLLOWINGS = ("climb", "suit", "strict")
CLIMB, SUIT, STRICT = range(3)
