"""The words of The Masquerade Game: its sentences, its company, and its table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.game import Game
from ...engine.words import Claim, Fields, Reason, Table, by_suit
from ...util.english import counted
from .notation import CODES, GOAL
from .pack import SUITS

TEMPLATES = {
    "divide": "The cards are divided to find the first dealer.",
    "first": "{seat} receive|receives Masquerader No. 1 and deal|deals.",
    "deal": "All the cards are dealt.",
    "hand": "{seat} hold|holds {cards}.",
    "hand?": "",
    "play": "{seat} play|plays {card}.",
    "give": "{seat} can neither follow nor mask, and give|gives {card} to the left.",
    "give?": "{seat} can neither follow nor mask, and give|gives a card to the left.",
    "decline": "{seat} can neither follow nor mask, and exchange|exchanges nothing.",
    "draw": "{seat} draw|draws {card} from {from:seat}.",
    "draw?": "{seat} draw|draws a card from {from:seat}.",
    "return": "{seat} give|gives {card} in return.",
    "return?": "{seat} give|gives a card in return.",
    "skip MASQ-6": "{seat} hold|holds only Masqueraders No. 1 to No. 4 and cannot lead.",
    "skip MASQ-10": "{seat} do|does not play, and the turn passes.",
    "take MASQ-11": "{seat} take|takes the trick: the last card is the highest.",
    "take MASQ-15": "{seat} take|takes the trick with Masquerader No. 1.",
    "take MASQ-18": "{seat} take|takes the trick as the dealer, for no points.",
    "score MASQ-11": "{seat} score|scores {points} for the trick.",
    "score MASQ-13": "{seat} drew back your|their own card: {points} points.",
    "score MASQ-15": "{seat} score|scores {points} for Masquerader No. 1.",
    "score MASQ-16": "{seat} score|scores {points} for a card laid on the next below it.",
    "score MASQ-17": "{seat} score|scores {points} for the exchange.",
    "game": "{seat} reach|reaches 32 points and win|wins the game.",
}

CAST = ("the Marquis", "the Countess", "the Colonel", "the Duchess", "the Baron", "the Envoy", "the Poet")

STEP_MEANINGS = {
    "play": "lay this card to the trick, or lead it",
    "give": "offer this card to the player at the left, in exchange",
    "decline": "exchange nothing",
    "return": "give this card in return (exchange: courtesy)",
}


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    trick = " → ".join(f"{table.names[seat]} {code}" for seat, code in fields["trick"]) or "you lead"
    points = [counted(number, "point") for number in fields["points"]]
    cards = [counted(number, "card") for number in fields["hand_sizes"]]
    lines = table.player_lines([points, cards], {fields["dealer"]: "deals"})
    if fields["received"]:
        lines.append(f"You received {' '.join(fields['received'])} and owe a card in return.")
    return [*lines, f"The climb: {trick}", f"Your hand: {by_suit(fields['hand'], SUITS)}"]


# --- hints ------------------------------------------------------------------------------------------------------------

CLAIMS = {
    "lead": "Lead {card}",
    "lay": "Play {card}",
    "give": "Give {card} to the player on your left",
    "keep": "Exchange nothing",
    "return": "Give {card} in return",
    "unmask": "No. 1 of the Masqueraders scores 5 the first time it is played, and it takes the trick for 3 more",
    "m1": "No. 1 of the Masqueraders takes any trick, for 3 points",
    "first time": "No. 1 of the Masqueraders scores 5 the first time it is played",
    "shuts": "nothing can be laid above it, so no card after it takes the trick",
    "next": "it is the very next in rank upon {last:card}, for 2 points",
    "closes": "you are the last to play and nothing in the trick is higher, so you take it for 3 points",
    "top": "no card of its suit is higher, so it can be beaten only by a Masquerader",
    "safe": "you hold {above:card} yourself, so nobody can score 2 by laying it on yours",
    "seen": "{above:card} lies in the trick already, so nobody can score 2 by laying it on yours",
    "lost": "you cannot take this trick, and it is the lowest card that you may play",
    "lowest": "it is the lowest card that you may play",
    "lowest mask": "you have to mask, and your lowest Masquerader saves the better ones for later",
    "saves masks": "it saves {masks:cards and} for later",
    "shortest": "you have fewer cards of that suit than of any other that you could lead",
    "highest": "it is the highest card that you may play, and the hardest to climb above",
    "climb": "{count:words|# card|# cards} of its suit above it may still be played after you",
    "swap": "you can neither follow nor mask, and the card that you draw for it may let you play",
    "courtesy": "you can neither follow nor mask, and the card that comes back may let you play",
    "low number": "no card of yours has a higher number, and high numbers are low cards",
    "no mask": "it keeps your Masqueraders, which can always be played",
    "neighbour": "an exchange would give a point to the player on your left, who has {points} of {goal}",
}


def suit_of(code: str) -> str:
    return code[0]


def rank_of(code: str) -> int:
    """MASQ-2: No. 1 is the highest."""
    return int(code[1:])


def outranks(code: str, other: str) -> bool:
    """MASQ-2: a Masquerader outranks all other suits; within a suit the lower number is higher."""
    if suit_of(code) == suit_of(other):
        return rank_of(code) < rank_of(other)
    return suit_of(code) == "M"


def above(code: str) -> str | None:
    """The next card above in the same suit; None above No. 1."""
    return f"{suit_of(code)}{rank_of(code) - 1}" if rank_of(code) > 1 else None


def masks_of(hand: Sequence[str]) -> list[str]:
    return [code for code in hand if suit_of(code) == "M"]


def reason(fields: Fields, step: str, game: Game) -> Reason | None:
    """Why a card is led, played or exchanged: the points it brings, and what it denies the others."""
    verb, _, code = step.partition(" ")
    if verb == "decline":
        points = fields["points"][fields["exchange_with"]]
        return Reason("MASQ-17", (Claim("keep"), Claim("neighbour", {"points": points, "goal": GOAL})))
    if verb in ("give", "return"):
        return reason_to_exchange(fields, verb, code)
    return reason_to_follow(fields, code) if fields["trick"] else reason_to_lead(fields, code)


def reason_to_exchange(fields: Fields, verb: str, card: str) -> Reason | None:
    """MASQ-9: why this card is given away."""
    hand = [code for code in fields["hand"] if code not in fields["received"]]
    points = []
    if verb == "give":
        points.append(Claim("courtesy" if fields["options"]["exchange"] == "courtesy" else "swap"))
    if all(rank_of(card) >= rank_of(code) for code in hand):
        points.append(Claim("low number"))
    elif masks_of(hand) and suit_of(card) != "M":
        points.append(Claim("no mask"))
    return Reason("MASQ-9", (Claim(verb, {"card": card}), *points)) if points else None


def guard(fields: Fields, card: str) -> Claim | None:
    """MASQ-16: whether nobody can lay the next in rank upon a card."""
    higher = above(card)
    if higher is None:
        return None
    if higher in fields["hand"]:
        return Claim("safe", {"above": higher})
    if higher in [code for _, code in fields["trick"]]:
        return Claim("seen", {"above": higher})
    return None


def reason_to_lead(fields: Fields, card: str) -> Reason | None:
    """MASQ-5: why this card is led."""
    hand = fields["hand"]
    points: list[Claim] = []
    clause = "MASQ-5"
    if rank_of(card) == 1 and suit_of(card) != "M":
        points.append(Claim("top"))
    elif guarded := guard(fields, card):
        clause = "MASQ-16"
        points.append(guarded)
    masks = masks_of(hand)
    sizes = {suit: sum(suit_of(code) == suit for code in hand) for suit in SUITS}
    suits = {suit_of(name.removeprefix("play ")) for name in fields["legal"]}
    if all(sizes[suit_of(card)] < sizes[suit] for suit in suits - {suit_of(card)}) and len(suits) > 1:
        points.append(Claim("shortest"))
    elif masks and suit_of(card) != "M" and len(points) < 2:
        points.append(Claim("saves masks", {"masks": masks}))
    if not points and all(rank_of(card) >= rank_of(name.removeprefix("play ")) for name in fields["legal"]):
        points.append(Claim("low number"))
    return Reason(clause, (Claim("lead", {"card": card}), *points)) if points else None


def reason_to_follow(fields: Fields, card: str) -> Reason | None:
    """MASQ-7, MASQ-8: why this card is played."""
    trick = [code for _, code in fields["trick"]]
    may = [name.removeprefix("play ") for name in fields["legal"]]
    last_seat = (fields["leader"] - 1) % len(fields["points"]) == fields["seat"]
    points: list[Claim] = []
    clause = "MASQ-7"
    always = fields["options"]["number_one"] == "always"
    if card == "M1" and (always or not fields["m1_was_played"]):
        clause = "MASQ-15"
        points.append(Claim("first time" if not always else "m1" if fields["m1_was_played"] else "unmask"))
    if above(trick[-1]) == card:
        clause = clause if points else "MASQ-16"
        points.append(Claim("next", {"last": trick[-1]}))
    if last_seat and not (card == "M1" and always) and all(outranks(card, other) for other in trick):
        clause = clause if points else "MASQ-11"
        points.append(Claim("closes"))
    if len(points) < 2 and (extra := quiet(fields, card, may, trick, last_seat, bool(points))):
        clause = clause if points else extra[0]
        points.append(extra[1])
    return Reason(clause, (Claim("lay", {"card": card}), *points[:2])) if points else None


def quiet(
    fields: Fields, card: str, may: Sequence[str], trick: Sequence[str], last_seat: bool, scored: bool
) -> tuple[str, Claim] | None:
    """What speaks for a card besides the points it brings at once."""
    lowest = all(code == card or outranks(code, card) for code in may)
    if lowest and len(may) > 1:
        if all(suit_of(code) == "M" for code in may) and suit_of(trick[0]) != "M":
            return "MASQ-8", Claim("lowest mask")
        if last_seat and not any(all(outranks(code, other) for other in trick) for code in may):
            return "MASQ-11", Claim("lost")
        return "MASQ-7", Claim("lowest")
    if scored or last_seat:
        return None
    if card == "M1":
        return "MASQ-2", Claim("shuts")
    if guarded := guard(fields, card):
        return "MASQ-16", guarded
    if rank_of(card) == 1:
        return "MASQ-2", Claim("top")
    if all(code == card or outranks(card, code) for code in may):
        return "MASQ-7", Claim("highest")
    higher = [code for code in CODES if suit_of(code) == suit_of(card) and rank_of(code) < rank_of(card)]
    free = [code for code in higher if code not in fields["hand"] and code not in trick]
    return "MASQ-7", Claim("climb", {"count": len(free)})
