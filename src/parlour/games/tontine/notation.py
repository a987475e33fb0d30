"""What can be decided and what is written down: steps, entries, stages and the clauses that they cite."""

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
# TON-7: ace, deuce and three to the neighbours; TON-8: four to nine to the box; TON-6: ten nothing; TON-5: knave 1,
# queen 2, king 3 from the box.
DUE = [1, 2, 3, 2, 1, 2, 1, 2, 1, 0, 1, 2, 3]
KNAVE = 10
BOX = 52

STEPS = ["turn"]

DEALER, TURN, DEAL, PAY, DEAD, REVIVED = range(6)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "TON-4"),
    Entry("turn", DECISION, "seat", "TON-4"),
    Entry("deal", CHANCE, "cards", "TON-4"),
    Entry("pay", CONSEQUENCE, "place place counters clause"),
    Entry("dead", CONSEQUENCE, "seat clause"),
    Entry("revived", CONSEQUENCE, "seat clause"),
)

CHOOSING, TURNING = range(2)

SPELLINGS = {"place": (*range(BOX), "box")}  # a payment is from or to a seat, or the box
