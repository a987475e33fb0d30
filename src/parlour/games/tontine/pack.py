"""The pack of Tontine: a full pack of 52."""

from __future__ import annotations

from ...engine.pack import Pack

SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
RANKS = {"A": "Ace", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight"}
RANKS |= {"9": "Nine", "10": "Ten", "J": "Knave", "Q": "Queen", "K": "King"}
CARDS: Pack = [(f"{rank}{suit}", f"{title} of {name}") for rank, title in RANKS.items() for suit, name in SUITS.items()]
