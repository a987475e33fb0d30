"""What research adapters need to know of Lost Heir: environment version, observation fields, bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 1  # raised when the rules, the steps or the layout of observations change
MEANINGS = {
    "stage": "bidding, naming or playing",
    "leader": "the seat that led the trick",
    "namer": "the highest bidder, who names the trump suit",
    "hand": "the observer's own cards",
    "laid": "the card that each seat has laid to the trick",
    "gone": "the cards of the tricks taken so far",
    "trump": "the trump suit",
    "led": "the suit to follow",
    "bids": "0 before a seat has bid, 1 for a pass, otherwise its bid plus 1",
    "bid": "the highest bid",
    "tricks_left": "tricks still to be taken, including the one on the table",
    "deal": "the number of the deal",
    "points": "the points of each side in this deal, plus 128 so that negative numbers fit",
    "fines": "the fines of each side in this deal, which are negative, plus 128",
    "totals": "the score of each side, plus 128 so that negative numbers fit",
}
LENGTH = ("deal_limit", 1)
HIDDEN_CARDS_STAY = True
HAS_ENDGAMES = True


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many deals; the least and greatest return."""
    tricks = 48 // players
    fines = 3 * tricks * players if options["mistakes"] == "penalised" else 0
    most = (tricks + 5 + 3 + fines) * units * (players - 1) / players
    return (players + 1 + 48) * units, 1 + 48 * units, -most, most
