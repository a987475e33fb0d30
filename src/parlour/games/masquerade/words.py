"""The words of The Masquerade Game: its sentences, its company, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Fields, Table, by_suit
from ...util.english import counted
from .pack import SUITS

TEMPLATES = {
    "divide": "The cards are divided to find the first dealer.",
    "first": "{0} receive|receives Masquerader No. 1 and deal|deals.",
    "deal": "All the cards are dealt.",
    "hand": "{0} hold|holds {1}.",
    "hand?": "",
    "play": "{0} play|plays {1}.",
    "give": "{0} can neither follow nor mask, and give|gives {1} to the left.",
    "give?": "{0} can neither follow nor mask, and give|gives a card to the left.",
    "decline": "{0} can neither follow nor mask, and exchange|exchanges nothing.",
    "draw": "{0} draw|draws {2} from {1}.",
    "draw?": "{0} draw|draws a card from {1}.",
    "return": "{0} give|gives {1} in return.",
    "return?": "{0} give|gives a card in return.",
    "skip MASQ-6": "{0} hold|holds only Masqueraders No. 1 to No. 4 and cannot lead.",
    "skip MASQ-10": "{0} do|does not play, and the turn passes.",
    "take MASQ-11": "{0} take|takes the trick: the last card is the highest.",
    "take MASQ-15": "{0} take|takes the trick with Masquerader No. 1.",
    "take MASQ-18": "{0} take|takes the trick as the dealer, for no points.",
    "score MASQ-11": "{0} score|scores {1} for the trick.",
    "score MASQ-13": "{0} drew back your|their own card: {1} points.",
    "score MASQ-15": "{0} score|scores {1} for Masquerader No. 1.",
    "score MASQ-16": "{0} score|scores {1} for a card laid on the next below it.",
    "score MASQ-17": "{0} score|scores {1} for the exchange.",
    "game": "{0} reach|reaches 32 points and win|wins the game.",
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
