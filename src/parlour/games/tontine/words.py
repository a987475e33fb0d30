"""The words of Tontine: its sentences, its annuitants, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Fields, Table
from ...util.english import counted

TEMPLATES = {
    "dealer": "{0} deal|deals first.",
    "turn": "{0} turn|turns up the cards.",
    "deal": "Turned up, from the dealer's right and round to the dealer: {0}.",
    "pay TON-5": "{1} draw|draws {2} from the box.",
    "pay TON-7": "{0} give|gives {2} to {1}.",
    "pay TON-8": "{0} put|puts {2} in the box.",
    "pay TON-14": "{1} outlive|outlives the rest and take|takes the {2} in the box.",
    "dead": "{0} have|has lost all counters and die|dies.",
    "revived": "{0} live|lives again.",
}

CAST = tuple(f"Annuitant {number}" for number in range(2, 53))

STEP_MEANINGS = {"turn": "turn up the cards"}


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    living = [f"{table.names[seat]} {fields['counters'][seat]}" for seat in fields["living"]]
    dead = len(fields["counters"]) - len(living)
    return [
        f"Deal {fields['deal'] + 1} · {counted(fields['box'], 'counter')} in the box · "
        f"{len(living)} living, {dead} dead",
        "Counters: " + ", ".join(living),
    ]
