"""The words of Lost Heir: its sentences, its characters, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Context, Fields, Table, Told, by_suit
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
    "score HEIR-15": "{0} score|scores {1}: a card that could follow was held back.",
    "score HEIR-15 follow": "Fined {fine}: {who} could have followed with {due}.",
    "score HEIR-15 lead": "Fined {fine}: {who} could have led a trump, {due}.",
    "fail": "{0} made less than the bid and score|scores 0 for this deal.",
    "fail bid": "{0} bid {bid} and made {made}: {0} score|scores 0 for this deal.",
    "fail fined": "{0} bid {bid} and made {made} with fines: {0} score|scores 0 for this deal, and {fines} in fines.",
    "total": "Score: {0}.",
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


def context(told: Told, at: int) -> Context:
    """HEIR-15: which suit a fined player could have played. HEIR-16: what was bid and made in a deal that failed."""
    entry = told[at]
    if at and entry[0] == "score" and entry[-1] == "HEIR-15" and told[at - 1][0] == "play":
        return fined(told, at)
    if entry[0] == "fail":
        return failed(told, at)
    return Context()


def fined(told: Told, at: int) -> Context:
    """The fine of entry `at`, which stands behind the card that is fined."""
    played, earlier, trump = told[at - 1], [], None
    for entry in reversed(told[max(0, at - 24) : at - 1]):  # a trick has at most six cards, each perhaps fined
        if entry[0] in ("take", "trump"):
            trump = entry[2] if entry[0] == "trump" else None
            break
        if entry[0] == "play" and entry[2] not in ODD:
            earlier.append(entry[2][0])
    due = trump if played[3] == "HEIR-9" else earlier[-1] if earlier else None
    if due is None:
        return Context()
    key = "score HEIR-15 lead" if played[3] == "HEIR-9" else "score HEIR-15 follow"
    return Context(key, {"fine": ("points", -told[at][2]), "who": ("seat", played[1]), "due": ("suit", due)})


def failed(told: Told, at: int) -> Context:
    """The deal that entry `at` says has failed: the bid, and what was made of it, with fines."""
    side, points = told[at][1:3]
    bids, fines = [1], 0  # HEIR-8a: if all pass, the dealer may name with a bid of 1
    for number in range(at - 1, -1, -1):
        kind = told[number][0]
        if kind == "deal":
            break
        if kind == "bid":
            bids.append(told[number][2])
        elif kind == "score" and told[number][1] == side and told[number][-1] == "HEIR-15":
            fines += told[number][2]
    else:
        return Context()
    said = {"bid": ("bid", max(bids)), "made": ("points", points + fines), "fines": ("points", fines)}
    return Context("fail fined" if fines else "fail bid", said)


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
