"""The pack of Lost Heir: four police departments of eleven, and four odd cards."""

from __future__ import annotations

from ...engine.pack import Pack

CITIES = {"N": "New York", "P": "Philadelphia", "B": "Boston", "C": "Chicago"}
POLICE = [f"Policeman No. {number}" for number in range(1, 6)]
POLICE += ["Sergeant", "Detective", "Captain", "Chief", "Commissioner", "Mayor"]
CARDS: Pack = [
    (f"{suit}{rank}", f"{city} {title}") for suit, city in CITIES.items() for rank, title in enumerate(POLICE, 1)
]
CARDS += [("NY", "City card of New York"), ("PH", "City card of Philadelphia")]
CARDS += [("WB", "Wrong Boy"), ("LH", "Lost Heir")]
