"""The words of Lost Heir: its sentences, its characters, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Fields, Table, by_suit
from ...util.english import counted, signed
from .pack import CITIES

TEMPLATES = {
    "dealer": "{0} deal|deals first.",
    "deal": "All the cards are dealt.",
    "hand": "{0} hold|holds {1}.",
    "hand?": "",
    "bid": "{0} bid|bids {1}.",
    "bid 0": "{0} pass|passes.",
    "redeal": "All have passed: the deal goes to the left.",
    "trump": "{0} name|names {1} as the trump suit.",
    "play": "{0} play|plays {1}.",
    "take HEIR-3": "{0} take|takes the trick with the Lost Heir.",
    "take HEIR-11": "{0} take|takes the trick.",
    "void": "A City card keeps the {0} from counting.",
    "score HEIR-12": "{0} score|scores {1} for the trick.",
    "score HEIR-13": "{0} score|scores {1} for the Lost Heir.",
    "score HEIR-14": "{0} score|scores {1} for the Wrong Boy's trick.",
    "score HEIR-15": "{0} score|scores {1} for not playing as asked.",
    "fail": "{0} fail|fails to make the bid: the {1} made in this deal count|counts for nothing.",
    "total": "The score stands at {0}.",
}

CAST = ("the Reporter", "the Governess", "the Coachman", "the Newsboy", "the Fiddler")

NAMES = CITIES  # suits, as they are named as trumps

STEP_MEANINGS = {
    "pass": "make no bid",
    "bid": "bid this number of points",
    "trump": "name this suit as trumps",
    "play": "lay this card to the trick, or lead it",
}

ODD = ("NY", "PH", "WB", "LH")  # cards of no suit


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    names = table.names
    sides = len(fields["totals"])
    seats = range(len(names))
    totals = [f"{signed(fields['totals'][seat % sides])} in all" for seat in seats]
    points = [f"{signed(fields['points'][seat % sides] + fields['fines'][seat % sides])} this deal" for seat in seats]
    cards = [counted(number, "card") for number in fields["hand_sizes"]]
    bids = ["–" if bid is None else "pass" if bid == 0 else f"bid {bid}" for bid in fields["bids"]]
    lines = [f"Deal {fields['deal']}"]
    if fields["trump"]:
        named = f"{CITIES[fields['trump']]} is trumps, named by {names[fields['namer']]} with a bid of {fields['bid']}"
        lines[0] += f" · {named} · tricks to play: {fields['tricks_left']}"
    lines += table.player_lines([totals, points, bids, cards], {fields["dealer"]: "deals"})
    if fields["trump"]:
        trick = " · ".join(f"{names[seat]} {code}" for seat, code in fields["trick"]) or "you lead"
        lines.append(f"The trick: {trick}")
    return [*lines, f"Your hand: {by_suit(fields['hand'], CITIES, ODD)}"]
