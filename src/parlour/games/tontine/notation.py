"""The steps of Tontine, the entries of its records, the stages of a party, and the clauses that they cite."""

from __future__ import annotations

from ...engine.game import CHANCE, CONSEQUENCE, DECISION, Entry
from ...engine.pack import codes
from ...sheets.model import read_sheet
from .pack import CARDS

SHEET = read_sheet(__file__)
TON_5, TON_7, TON_8, TON_10, TON_11, TON_14 = SHEET.numbers("TON-5", "TON-7", "TON-8", "TON-10", "TON-11", "TON-14")

# TON-1: a full pack of 52.
CODES = codes(CARDS)

# Every card moves counters from one place to another; the box is the place after the last seat.
# TON-7: ace, deuce and three pay neighbours; TON-8: four to nine pay the box; TON-6: a ten pays nothing; TON-5: a knave
# draws 1, a queen 2 and a king 3 from the box.
DUE = [1, 2, 3, 2, 1, 2, 1, 2, 1, 0, 1, 2, 3]  # by rank
KNAVE = 10  # the lowest rank that draws
BOX = 52

STEPS = ["turn"]

DEALER, TURN, DEAL, PAY, DEAD, REVIVED = range(6)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "TON-4"),
    Entry("turn", DECISION, "seat", "TON-4"),
    Entry("deal", CHANCE, "cards", "TON-4"),
    Entry("pay", CONSEQUENCE, "from:place to:place counters clause"),
    Entry("dead", CONSEQUENCE, "seat clause"),
    Entry("revived", CONSEQUENCE, "seat clause"),
)

CHOOSING, TURNING = range(2)

SPELLINGS = {"place": (*range(BOX), "box")}  # a payment is from or to a seat, or the box
