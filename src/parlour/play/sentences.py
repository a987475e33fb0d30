"""What happened, in plain sentences: one template for each kind of entry, or for each clause it cites.

In a template {0}, {1} … are the members of the entry as they may be said to that seat, and `play|plays` is the verb
when the first of them is you, or someone else. An entry that is not told to a seat in full uses the template with `?`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..engine.game import Game
from ..games.lost_heir.pack import CITIES

TEMPLATES: dict[str, dict[str, str]] = {
    "masquerade": {
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
        "score MASQ-13": "{0} score|scores {1} for drawing the very card played.",
        "score MASQ-15": "{0} score|scores {1} for Masquerader No. 1.",
        "score MASQ-16": "{0} score|scores {1} for the next in rank.",
        "score MASQ-17": "{0} score|scores {1} for the exchange.",
        "game": "{0} reach|reaches 32 points and win|wins the game.",
    },
    "lost-heir": {
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
    },
    "sovereign": {
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
        "leave": "{0} leave|leaves it there.",
        "draw": "{0} draw|draws a {2} from {1}.",
        "draw?": "{0} draw|draws a card from {1}.",
        "surplus": "The cards thrown out are shuffled into a new surplus.",
        "penalty SOV-4a": "{0} reckoned wrong and pay|pays {1} to the general pool.",
        "penalty SOV-11": "{0} took a card before throwing one out, pay|pays {1} and lose|loses the turn.",
        "pool": "{0} take|takes the {2} pool: {1}.",
        "void": "Nobody has given change: the game is void, and the stakes in the general pool go back.",
    },
    "heraldry": {
        "dealer": "{0} deal|deals first.",
        "deal": "The pack is shuffled for a new deal.",
        "hand": "{0} hold|holds {1}.",
        "hand?": "",
        "table": "Face up on the table: {0}.",
        "capture": "{0} play|plays {1} and take|takes {2}.",
        "discard": "{0} lay|lays {1} on the table.",
        "sweep": "{0} took the last trick and sweep|sweeps up {1}.",
        "score HER-9": "{0} score|scores {1} for the most cards.",
        "score HER-10": "{0} score|scores {1} for the most Diamonds.",
        "score HER-11": "{0} score|scores {1} for the Knight of the Cross.",
        "score HER-12": "{0} score|scores {1} for the Jester of the Star.",
        "score HER-13": "{0} score|scores {1} for Crowns.",
        "score HER-14": "{0} score|scores {1} for the last trick.",
        "total": "The score stands at {0}.",
    },
    "tontine": {
        "dealer": "{0} deal|deals first.",
        "turn": "{0} turn|turns up the cards.",
        "deal": "Turned up, from the dealer's right and round to the dealer: {0}.",
        "pay TON-5": "{1} draw|draws {2} from the box.",
        "pay TON-7": "{0} give|gives {2} to {1}.",
        "pay TON-8": "{0} put|puts {2} in the box.",
        "pay TON-14": "{1} outlive|outlives the rest and take|takes the {2} in the box.",
        "dead": "{0} have|has lost all counters and die|dies.",
        "revived": "{0} live|lives again.",
    },
}

CAST: dict[str, tuple[str, ...]] = {
    "masquerade": (
        *("the Marquis", "the Countess", "the Colonel", "the Duchess", "the Baron", "the Envoy", "the Poet"),
    ),
    "lost-heir": ("the Reporter", "the Governess", "the Coachman", "the Newsboy", "the Fiddler"),
    "sovereign": (
        *("the Alderman", "the Banker", "the Grocer", "the Cabman", "the Widow"),
        *("the Draper", "the Clerk", "the Publican", "the Curate", "the Tinker"),
    ),
    "heraldry": ("the Herald", "the Pursuivant", "the Squire", "the Page", "the Usher"),
    "tontine": tuple(f"Annuitant {number}" for number in range(2, 53)),
}


def names_of(game: Game, players: int, you: int) -> list[str]:
    """What the seats are called: you, and the characters of the pack."""
    cast = iter(CAST[game.name])
    return ["you" if seat == you else next(cast) for seat in range(players)]


def side_names(names: Sequence[str], sides: int) -> list[str]:
    """What the sides of Lost Heir are called: their seats together."""
    return [" and ".join(names[side::sides]) for side in range(sides)]


def many(things: Sequence[str]) -> str:
    """Things in a row of words."""
    return ", ".join(things[:-1]) + " and " + things[-1] if len(things) > 1 else "".join(things) or "nothing"


@cache
def conjugated(template: str, plain: bool) -> str:
    """A template with its verbs for you or several ("score|scores": the first), or for one other."""
    return re.sub(r"(\w+)\|(\w+)", r"\1" if plain else r"\2", template)


class Teller:
    """Says what a seat was told, in words."""

    def __init__(self, game: Game, names: Sequence[str], you: int, sides: int = 0, codes: bool = True) -> None:
        self.game = game
        self.codes = codes  # whether the code of a card stands behind its name
        self.names = list(names)
        self.you = you
        self.sides = side_names(names, sides) if sides else self.names
        self.templates = TEMPLATES[game.name]

    def card(self, code: str) -> str:
        """A card by name, and by code where codes are given."""
        return f"{self.game.card_names[code]} [{code}]" if self.codes else self.game.card_names[code]

    def say(self, entry: Sequence[Any]) -> str:
        """A told entry as a sentence; nothing where there is nothing to say."""
        kind = entry[0]
        template = self._template(kind, entry)
        if not template:
            return ""
        fields = [field.type for field in self.game.told_fields[self.game.kinds[kind]]]
        said = [self._member(name, value) for name, value in zip(fields, entry[1:], strict=True)]
        subject = 1 if template.startswith("{1}") else 0
        # "you score", "the Reporter and the Newsboy score", but "the Reporter scores"
        plain = bool(said) and (said[subject] == "you" or " and " in said[subject])
        sentence = conjugated(template, plain).format(*said)
        return sentence[0].upper() + sentence[1:]

    def _template(self, kind: str, entry: Sequence[Any]) -> str:
        if None in entry and kind + "?" in self.templates:
            return self.templates[kind + "?"]
        for value in reversed(entry[2:]):
            if isinstance(value, str | int) and f"{kind} {value}" in self.templates:
                return self.templates[f"{kind} {value}"]
        return self.templates[kind]

    def _member(self, name: str, value: Any) -> str:
        if value is None:
            return "nothing"
        if name == "seat" or (name == "place" and value != "box"):
            return self.names[int(value)]
        if name == "side":
            return self.sides[int(value)]
        if name == "card":
            return self.card(value)
        if name == "cards":
            return many([self.card(code) for code in value])
        if name == "scores":
            return many([f"{self.sides[side]} {score}".replace(" -", " −") for side, score in enumerate(value)])
        if name == "counters":
            return f"{value} counter" if value == 1 else f"{value} counters"
        if name == "points":
            return f"{value}".replace("-", "−")
        if name == "suit":
            return CITIES[value]
        return str(value)
