"""The words of Change for a Sovereign: its sentences, its customers, its table in the terminal, its hints."""

from __future__ import annotations

from collections.abc import Mapping

from ...engine.game import Game
from ...engine.words import Claim, Context, Fields, Reason, Table, Told
from ...util.english import counted
from .notation import CODES, copies_of
from .pack import COIN_PENCE
from .pack import FORMS as FORMS  # of the names of coins, as `Words` asks for them

TEMPLATES = {
    "dealer": "{seat} deal|deals first.",
    "deal": "All stake, and five cards are dealt to each.",
    "hand": "{seat} hold|holds {cards}.",
    "hand?": "",
    "change": "{seat} offer|offers {cards} as change for a sovereign.",
    "throw": "{seat} throw|throws out a {card}.",
    "throw?": "{seat} throw|throws out a card.",
    "take surplus": "{seat} take|takes from the surplus.",
    "take neighbour": "{seat} draw|draws from the hand of the neighbour at the right.",
    "pick": "{seat} pick|picks up a {card}.",
    "pick?": "",
    "leave": "{seat} keep|keeps the hand as it is.",
    "draw": "{seat} draw|draws a {card} from {from:seat}.",
    "draw?": "{seat} draw|draws a card from {from:seat}.",
    "surplus": "The cards thrown out are shuffled into a new surplus.",
    "penalty SOV-4a": "{seat} offered the wrong sum and pay|pays {counters|# counter|# counters} to the general pool.",
    "penalty SOV-11": "{seat} took a card before throwing one out, pay|pays {counters|# counter|# counters} and "
    "lose|loses the turn.",
    "pool": "{seat} take|takes the {pool} pool: {counters|# counter|# counters}.",
    "pool alone": "{seat} take|takes the general pool: {counters|# counter|# counters}. The sovereign pool "
    "stays for the next game.",
    "pool last": "{seat} take|takes the general pool: {counters|# counter|# counters}. The stakes in the sovereign "
    "pool go back.",
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


def context(told: Told, at: int) -> Context:
    """SOV-7: whether the sovereign pool is taken right after the general one. SOV-13: where it goes if it is not."""
    if told[at][0] != "pool" or told[at][3] == "sovereign":
        return Context()
    if at + 1 == len(told):
        return Context("pool last")  # after any other game the next one is dealt at once
    return Context() if told[at + 1][0] == "pool" else Context("pool alone")


NAMES = {"general": "general", "sovereign": "sovereign"}  # the two pools

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


# --- hints ------------------------------------------------------------------------------------------------------------

CLAIMS = {
    "throw": "Throw out a {coin:card coin}",
    "give": "Give change with {coins:cards a and}",
    "go on": "Lay down a {coin:card coin}",
    "finish": "Give this change",
    "surplus": "Take from the surplus",
    "neighbour": "Draw from the player on your right",
    "leave": "Keep your hand as it is",
    "outs": "then {coins:cards a or} would complete the change",
    "most outs": "{count:words|# card|# cards} that you have not got would do, more than after any other throw",
    "all outs": "{count:words|# card|# cards} that you have not got would do",
    "stays": "the change stays complete, and the next coin may be the sovereign card",
    "none": "no single coin would complete the change yet, and this is the smallest coin that you hold",
    "far": "no single coin would complete the change yet, and you keep {kept:text}",
    "worthless": "it is worth nothing as change",
    "no use": "it is worth nothing as change, and the sovereign pool is no larger than the general one",
    "wins": "it makes exactly 20s and wins the general pool of {general:words|# counter|# counters}",
    "wins both": "it makes exactly 20s, and with the sovereign card you win both pools, "
    "{both:words|# counter|# counters}",
    "part": "with {coins:cards a and} it makes exactly 20s",
    "hurts": "it takes a coin that they kept, and they get an unknown one for it",
    "spares": "you leave the hand of the player on your right alone",
    "unknown": "there are {count:words|# card|# cards} in it",
    "wait": "your hand makes exactly 20s already, and you can give change in a later turn",
    "wrong": "your coins do not make exactly 20s, and a wrong offer costs {penalty:words|# counter|# counters}",
    "whole": "no throw would leave more coins that complete the change",
}


def pounds(coins: Mapping[str, int]) -> set[int]:
    """What one or more of some coins can make, in pence up to a sovereign; the sovereign card counts nothing."""
    sums = {0}
    for code, number in coins.items():
        for _ in range(number if COIN_PENCE[code] else 0):
            sums |= {made + COIN_PENCE[code] for made in sums if made + COIN_PENCE[code] <= CHANGE}
    return sums


def without(coins: Mapping[str, int], code: str) -> dict[str, int]:
    """Some coins, less one of a kind."""
    return {each: number - (each == code) for each, number in coins.items() if number > (each == code)}


def outs_of(kept: Mapping[str, int]) -> list[str]:
    """SOV-4: the coins of which one more would complete the change."""
    sums = pounds(kept)
    return [code for code, pence in COIN_PENCE.items() if pence and CHANGE - pence in sums]


def free_copies(code: str, fields: Fields) -> int:
    """SOV-1: how many cards of a kind are not in one's own hand."""
    held: int = fields["coins"].get(code, 0)
    return copies_of(fields["options"])[CODES.index(code)] - held


def reason(fields: Fields, step: str, game: Game) -> Reason | None:
    """Why a coin is thrown out, taken or given as change."""
    verb, _, what = step.partition(" ")
    if verb == "throw":
        return reason_to_throw(fields, what)
    if verb == "offer":
        return reason_to_offer(fields, what)
    if verb == "take":
        return reason_to_draw(fields, what)
    if CHANGE in pounds(fields["coins"]):
        return Reason("SOV-4", (Claim("leave"), Claim("wait")))
    if fields["stage"] != "start":
        return Reason("SOV-4a", (Claim("leave"), Claim("wrong", {"penalty": fields["options"]["penalty"]})))
    now = sum(free_copies(code, fields) for code in outs_of(fields["coins"]))
    after = [
        sum(free_copies(out, fields) for out in outs_of(without(fields["coins"], code))) for code in fields["coins"]
    ]
    if now >= max(after, default=0):
        return Reason("SOV-5", (Claim("leave"), Claim("whole")))
    return None


def reason_to_throw(fields: Fields, thrown: str) -> Reason:
    """SOV-4, SOV-5: which coins would complete the change once one is thrown out, and how many of them there are."""
    coins = fields["coins"]
    first = Claim("throw", {"coin": thrown})
    kept = without(coins, thrown)
    if CHANGE in pounds(kept):
        return Reason("SOV-7", (first, Claim("stays")))
    wanted = outs_of(kept)
    if not wanted:
        if not COIN_PENCE[thrown]:
            larger = fields["general_pool"] >= fields["sovereign_pool"]
            return Reason("SOV-8", (first, Claim("no use" if larger else "worthless")))
        if COIN_PENCE[thrown] == min(COIN_PENCE[code] for code in coins if COIN_PENCE[code]):
            return Reason("SOV-5", (first, Claim("none")))
        return Reason("SOV-5", (first, Claim("far", {"kept": money(worth(kept))})))
    counts = {code: sum(free_copies(out, fields) for out in outs_of(without(coins, code))) for code in coins}
    more = all(counts[thrown] > number for code, number in counts.items() if code != thrown) and len(counts) > 1
    total = Claim("most outs" if more else "all outs", {"count": counts[thrown]})
    return Reason("SOV-4", (first, Claim("outs", {"coins": wanted}), total))


def reason_to_offer(fields: Fields, coin: str) -> Reason | None:
    """SOV-4, SOV-7: the change that can be given, and what it wins."""
    offer, hand = fields["offer"], fields["coins"]
    laid = {**offer, coin: offer.get(coin, 0) + 1} if coin != "done" else dict(offer)
    rest = {code: number - laid.get(code, 0) for code, number in hand.items() if number > laid.get(code, 0)}
    missing = make_up(CHANGE - worth(laid), rest)
    if missing is None or "SOV" in laid or (missing and coin == "done"):
        return None  # mistakes: penalised – a wrong offer
    general, both = fields["general_pool"], fields["general_pool"] + fields["sovereign_pool"]
    win = Claim("wins both", {"both": both}) if "SOV" in hand else Claim("wins", {"general": general})
    if not offer:
        return Reason("SOV-7", (Claim("give", {"coins": sorted([coin, *missing], key=CODES.index)}), win))
    first = Claim("go on", {"coin": coin}) if coin != "done" else Claim("finish")
    if not missing:
        return Reason("SOV-7", (first, win))
    return Reason("SOV-4", (first, Claim("part", {"coins": missing})))


def make_up(pence: int, coins: Mapping[str, int]) -> list[str] | None:
    """Coins that make a sum exactly; None if no coins do."""
    if pence == 0:
        return []
    for code, number in coins.items():
        if number and 0 < COIN_PENCE[code] <= pence:
            more = make_up(pence - COIN_PENCE[code], without(coins, code))
            if more is not None:
                return [code, *more]
    return None


def reason_to_draw(fields: Fields, source: str) -> Reason | None:
    """SOV-5, SOV-6: where the next coin comes from."""
    if fields["stage"] != "take":
        return None  # mistakes: penalised – taking before throwing out is a mistake
    if source == "neighbour":
        return Reason("SOV-10", (Claim("neighbour"), Claim("hurts")))
    return Reason("SOV-5", (Claim("surplus"), Claim("unknown", {"count": fields["surplus"]}), Claim("spares")))
