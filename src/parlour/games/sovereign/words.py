"""The words of Change for a Sovereign: its sentences, its customers, its table in the terminal, its hints."""

from __future__ import annotations

from collections.abc import Mapping

from ...engine.game import Game
from ...engine.words import Fields, Table
from ...util.english import counted
from .pack import COIN_PENCE

TEMPLATES = {
    "dealer": "{0} deal|deals first.",
    "deal": "All stake, and five cards are dealt to each.",
    "hand": "{0} hold|holds {1}.",
    "hand?": "",
    "change": "{0} offer|offers {1} as change for a sovereign.",
    "throw": "{0} throw|throws out a {1}.",
    "throw?": "{0} throw|throws out a card.",
    "take surplus": "{0} take|takes from the surplus.",
    "take neighbour": "{0} draw|draws from the hand of the neighbour at the right.",
    "pick": "{0} pick|picks up a {1}.",
    "pick?": "",
    "leave": "{0} keep|keeps the hand as it is.",
    "draw": "{0} draw|draws a {2} from {1}.",
    "draw?": "{0} draw|draws a card from {1}.",
    "surplus": "The cards thrown out are shuffled into a new surplus.",
    "penalty SOV-4a": "{0} offered the wrong sum and pay|pays {1} to the general pool.",
    "penalty SOV-11": "{0} took a card before throwing one out, pay|pays {1} and lose|loses the turn.",
    "pool": "{0} take|takes the {2} pool: {1}.",
    "void": "Nobody gave change, so the game is void. The stakes in the general pool go back.",
}

CAST = (
    *("the Alderman", "the Banker", "the Grocer", "the Cabman", "the Widow"),
    *("the Draper", "the Clerk", "the Publican", "the Curate", "the Tinker"),
)

STEP_MEANINGS = {
    "offer": "lay down a coin as change, one step for each coin; exact change ends the offer by itself, and under "
    "mistakes: penalised `offer done` ends any offer",
    "throw": "throw out a coin of this kind",
    "take": "take a card from the surplus, or draw one from the player at the right",
    "leave": "leave the hand as it is, and end the turn",
}

CLOSING = "What was left in the pools went back to those who staked it, and penalties were shared. (SOV-13)"

CHANGE = 240  # pence: what a sovereign is changed for


def money(pence: int) -> str:
    """A sum as people said it: 14s 6d."""
    shillings, left = divmod(pence, 12)
    return " ".join([f"{shillings}s"] * bool(shillings) + [f"{left}d"] * bool(left)) or "nothing"


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    hand = [
        f"{number} × {table.game.card_names[code]} [{code}] {money(COIN_PENCE[code])}"
        if COIN_PENCE[code]
        else f"the {table.game.card_names[code]} [{code}]"
        for code, number in fields["coins"].items()
    ]
    counters = [counted(number, "counter") for number in fields["counters"]]
    lines = [
        f"Game {fields['game'] + 1}, round {fields['round'] + 1} · general pool {fields['general_pool']}, "
        f"sovereign pool {fields['sovereign_pool']} · surplus {counted(fields['surplus'], 'card')}, "
        f"{fields['aside']} aside",
        *table.player_lines([counters], {fields["dealer"]: "deals"}),
        f"Your hand, {money(worth(fields['coins']))} in all, {money(CHANGE)} needed: {' · '.join(hand)}",
    ]
    if fields["offer"]:
        lines.append(f"Offered so far: {money(worth(fields['offer']))} of {money(CHANGE)}")
    return lines


def worth(coins: Mapping[str, int]) -> int:
    """The worth of coins in pence."""
    return sum(COIN_PENCE[code] * number for code, number in coins.items())


def reason(fields: Fields, step: str, game: Game) -> tuple[str, str] | None:
    """Why a coin is thrown out: which coins would complete the change then."""
    if not step.startswith("throw "):
        return None
    return outs(fields["coins"], step.removeprefix("throw "), game), "SOV-4"


def outs(coins: Mapping[str, int], thrown: str, game: Game) -> str:
    """SOV-4: the coins that would complete the change once one is thrown out."""
    sums = {0}
    for code, number in coins.items():
        for _ in range(number - (code == thrown)):
            sums |= {made + COIN_PENCE[code] for made in sums}
    if CHANGE in sums:
        return "the change stays complete, and the next coin may be the sovereign card"
    wanted = [game.card_names[code].lower() for code, pence in COIN_PENCE.items() if pence and CHANGE - pence in sums]
    if not wanted:
        return "no single coin would complete the change yet, and this one helps least"
    return f"without it a {' or a '.join(wanted)} would complete the change"
