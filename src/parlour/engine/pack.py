"""The five packs: every card's code and name, in the order of the numbers by which the engine knows them.

They stand here and not in the games because Cython 3.3 loses references to None in comprehensions at module level.
"""

from __future__ import annotations

from collections.abc import Iterable

Pack = list[tuple[str, str]]

MASQUERADE_SUITS = {"M": "Masquerader", "R": "Ridotto", "I": "Intrigue", "D": "Mendicant"}
MASQUERADE: Pack = [
    (f"{suit}{number}", f"{name} No. {number}") for suit, name in MASQUERADE_SUITS.items() for number in range(1, 9)
]

CITIES = {"N": "New York", "P": "Philadelphia", "B": "Boston", "C": "Chicago"}
POLICE = [f"Policeman No. {number}" for number in range(1, 6)]
POLICE += ["Sergeant", "Detective", "Captain", "Chief", "Commissioner", "Mayor"]
LOST_HEIR: Pack = [
    (f"{suit}{rank}", f"{city} {title}") for suit, city in CITIES.items() for rank, title in enumerate(POLICE, 1)
]
LOST_HEIR += [("NY", "New York City"), ("PH", "Philadelphia"), ("WB", "Wrong Boy"), ("LH", "Lost Heir")]

SOVEREIGN: Pack = [
    ("SOV", "Sovereign"),
    ("HG", "Half-guinea"),
    ("HS", "Half-sovereign"),
    ("CR", "Crown"),
    ("HC", "Half-crown"),
    ("FL", "Florin"),
    ("SH", "Shilling"),
    ("6D", "Sixpence"),
    ("1D", "Penny"),
]

COIN_PENCE = {"SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1}

HERALDRY_SUITS = {"S": "Star", "C": "Crescent", "X": "Cross", "D": "Diamond"}
HERALDRY_RANKS = {str(number): f"{number}" for number in range(1, 11)} | {"C": "Crown", "J": "Jester"}
HERALDRY: Pack = [
    (f"{suit}{rank}", f"{title} of the {name}")
    for rank, title in HERALDRY_RANKS.items()
    for suit, name in HERALDRY_SUITS.items()
]

HERALDRY_VALUES = [min(card // 4 + 1, 10) for card in range(48)]
# the cards of each value, and of each set of values (bit 0: value 1)
HERALDRY_OF_VALUE = [
    sum(1 << card for card, worth in enumerate(HERALDRY_VALUES) if worth == value) for value in range(11)
]
HERALDRY_WITHIN = [0]
for of_value in HERALDRY_OF_VALUE[1:]:
    HERALDRY_WITHIN += [cards | of_value for cards in HERALDRY_WITHIN]

TONTINE_SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
TONTINE_RANKS = {"A": "Ace", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight"}
TONTINE_RANKS |= {"9": "Nine", "10": "Ten", "J": "Knave", "Q": "Queen", "K": "King"}
TONTINE: Pack = [
    (f"{rank}{suit}", f"{title} of {name}")
    for rank, title in TONTINE_RANKS.items()
    for suit, name in TONTINE_SUITS.items()
]


def codes(pack: Pack) -> list[str]:
    """The codes of a pack, in order."""
    return [code for code, _ in pack]


def steps(verb: str, things: Iterable[object]) -> list[str]:
    """The names of the steps that do one thing with each of these."""
    return [f"{verb} {thing}" for thing in things]
