"""The pack of The Masquerade Game: 32 characters in four suits of eight."""

from __future__ import annotations

from ...engine.pack import Pack

SUITS = {"M": "Masquerader", "R": "Ridotto", "I": "Intrigue", "D": "Mendicant"}
CARDS: Pack = [(f"{suit}{number}", f"{name} No. {number}") for suit, name in SUITS.items() for number in range(1, 9)]
