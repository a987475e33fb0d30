"""The pack of Change for a Sovereign: nine kinds of coin, and their worth in pence."""

from __future__ import annotations

from ...engine.pack import Pack

CARDS: Pack = [
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
COINS = {code: name.lower() for code, name in CARDS}
# coins as people call them within a sentence, by themselves and with their article
FORMS = {"coin": COINS, "a": {code: f"a {name}" for code, name in COINS.items()}}

COIN_PENCE = {"SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1}
