"""What research adapters need to know of Sovereign: environment version, observation fields, bounds of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 1  # raised when the rules, the steps or the layout of observations change
MEANINGS = {
    "stage": "dealer, deal, start, take, after, draw, refill or make up",
    "coins": "how many cards of each kind the observer holds",
    "offer": "how many of each kind the observer has laid down in an unfinished offer",
    "surplus": "cards in the surplus",
    "aside": "cards thrown out",
    "game": "the number of finished games",
    "round": "the number of finished rounds of this game",
    "general_pool": "counters in the general pool",
    "penalties_in_it": "how many of them are penalties",
    "sovereign_pool": "counters in the sovereign pool",
    "staked_in_it": "how many of them each seat has staked",
    "counters": "the counters of each seat, plus 128 so that negative numbers fit",
    "offered_wrongly": "1 if the seat whose turn it is has offered wrongly in it",
    "neighbour_allowed": "1 if a card may be drawn from the neighbour's hand",
}
LENGTH = ("games", 1)
HIDDEN_CARDS_STAY = False


def bounds(players: int, options: Mapping[str, Any], units: int) -> tuple[int, int, float, float]:
    """The most decisions and draws of chance in an episode of this many games; the least and greatest return."""
    turns = players * int(options["round_limit"]) * units
    # a game costs at most two stakes, and where mistakes are penalised two penalties a turn
    mistakes = 2 * int(options["round_limit"]) * int(options["penalty"])
    lost = units * (2 * int(options["stake"]) + (mistakes if options["mistakes"] == "penalised" else 0))
    # a turn is two offers of all coins, a throw and a take; a take may need a new surplus
    return 20 * turns, 1 + 56 * units + 57 * turns, -float(lost), float((players - 1) * lost)
