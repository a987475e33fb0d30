"""The pack of The Masquerade Game: 32 characters in four suits of eight."""

from __future__ import annotations

from ...engine.pack import Pack

SUITS = {"M": "Masquerader", "R": "Ridotto", "I": "Intrigue", "D": "Mendicant"}
# by suit, from No. 1 to No. 8; the sheet names no characters, the names are those on our cards
CHARACTERS = {
    "M": ("Harlequin", "Columbine", "Pantalone", "Plague Doctor", "Pulcinella", "Pierrot", "Captain", "Domino"),
    "R": ("Queen", "Sultan", "Devil", "Shepherdess", "Sun", "Sailor", "Cat", "Jester"),
    "I": ("Duenna", "Gallant", "Incognita", "Abbé", "Spy", "Soubrette", "Scribe", "Page"),
    "D": (
        *("Friar", "Pilgrim", "Gipsy", "Blind Fiddler"),
        *("Ballad Singer", "Pedlar", "Chimney Sweep", "Beggar"),
    ),
}
CARDS: Pack = [
    (f"{suit}{number}", f"{character}, {SUITS[suit]} No. {number}")
    for suit, characters in CHARACTERS.items()
    for number, character in enumerate(characters, 1)
]
# MASQ-2: No. 1 is the highest of its suit, and each Masquerader is higher than all cards of other suits
RANKS = {code: 8 - int(code[1:]) + 8 * (code[0] == "M") for code, _ in CARDS}
