"""The steps of Change for a Sovereign, the entries of its records, its stages, and the clauses that they cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry
from ...engine.pack import codes, steps
from ...sheets.model import read_sheet
from .pack import CARDS, COIN_PENCE

Coins: TypeAlias = int
"""How many coins there are of each kind: a word with four bits a kind."""

SHEET = read_sheet(__file__)
SOV_4A, SOV_5, SOV_6, SOV_7, SOV_10, SOV_11, SOV_12 = SHEET.numbers(
    "SOV-4a", "SOV-5", "SOV-6", "SOV-7", "SOV-10", "SOV-11", "SOV-12"
)

# SOV-1: a card is the number of its kind, as cards of one coin are alike; the small coin is a sixpence or a penny.
CODES = codes(CARDS)
COPIES = [1, 1, 2, 4, 8, 10, 15]  # of each kind but the small coins, of which there are fifteen
PENCE = list(COIN_PENCE.values())
UNITS = [0, 21, 20, 10, 5, 4, 2, 1, 0]  # sixpences
SOVEREIGN_CARD = 0
CHANGE_PENCE = 240
# Every coin except the penny is a multiple of sixpence, so that all sums up to a sovereign fit a word of 41 bits. A
# penny can never be part of exact change in a hand of five (SOV-1), and counts 0 here.
CHANGE_UNITS = 40
SUMS = (1 << 41) - 1
EACH = 0x111111111  # one of each kind of coin, as `Coins`: times a hand it gives the sums from the lowest kind up
TOPS = 8 * EACH  # the highest bit of each kind

STEP_DONE, STEP_THROW, STEP_SURPLUS, STEP_NEIGHBOUR, STEP_LEAVE = 9, 10, 19, 20, 21
STEPS = [*steps("offer", CODES), "offer done", *steps("throw", CODES), "take surplus", "take neighbour", "leave"]

DEALER, DEAL, HAND, CHANGE, THROW, TAKE, PICK, LEAVE, DRAW, SURPLUS, PENALTY, POOL, VOID = range(13)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "SOV-3"),
    Entry("deal", CHANCE, "cards?", "SOV-3"),
    Entry("hand", TOLD, "seat! cards?", "SOV-3"),
    Entry("change", DECISION, "seat cards", "SOV-4", unordered=True),
    Entry("throw", DECISION, "seat! card?", "SOV-5"),
    Entry("take", DECISION, "seat source +clause", "SOV-5"),
    Entry("pick", TOLD, "seat! card? clause"),
    Entry("leave", DECISION, "seat", "SOV-5"),
    Entry("draw", CHANCE, "seat! from:seat! card?", "SOV-6"),
    Entry("surplus", CHANCE, "cards?", "SOV-5a"),
    Entry("penalty", CONSEQUENCE, "seat counters clause", gives=-1),
    Entry("pool", CONSEQUENCE, "seat counters pool clause", gives=1),
    Entry("void", CONSEQUENCE, "clause"),
)
SPELLINGS = {"source": ("surplus", "neighbour"), "pool": ("general", "sovereign")}

CHOOSING, DEALING, STARTING, TAKING, AFTER, DRAWING, REFILLING, MAKING_UP = range(8)
RANDOM_ONE_IN = 12  # a player trusted to follow the heuristic throws out a random coin once in this many times
ASIDE, SURPLUS_PLACE, UNDER, SHOWN = 11, 12, 13, 14  # places of the particle filter besides the hands
STAGES = ("dealer", "deal", "start", "take", "after", "draw", "refill", "make up")


def copies_of(options: Mapping[str, Any]) -> list[int]:
    """SOV-1: how many cards of each kind are in the pack; the fifteen “pences” are sixpences, or pennies as printed."""
    return COPIES + ([0, 15] if options["small_coin"] == "penny" else [15, 0])
