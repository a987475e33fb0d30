"""The words of Tontine: its sentences, its annuitants, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Fields, Table
from ...util.english import counted

TEMPLATES = {
    "dealer": "{seat} deal|deals first.",
    "turn": "{seat} turn|turns up the cards.",
    "deal": "Turned up, from the dealer's right and round to the dealer: {cards}.",
    "pay TON-5": "{to:place} draw|draws {counters|# counter|# counters} from the box.",
    "pay TON-7": "{from:place} give|gives {counters|# counter|# counters} to {to:place}.",
    "pay TON-8": "{from:place} put|puts {counters|# counter|# counters} in the box.",
    "pay TON-14": "{to:place} outlive|outlives the rest and take|takes the {counters|# counter|# counters} in the box.",
    "dead": "{seat} have|has lost all counters and die|dies.",
    "revived": "{seat} live|lives again.",
}

# no two begin with the same three letters, which stand on the small tokens of a large company
CAST = (
    "the Widow", "the Rector", "the Captain", "the Apothecary", "the Squire", "the Dairymaid", "the Clockmaker",
    "the Baker", "the Surgeon", "the Gardener", "the Organist", "the Hatter", "the Laundress", "the Ferryman",
    "the Judge", "the Milliner", "the Blacksmith", "the Tutor", "the Bookseller", "the Farmer", "the Verger",
    "the Cook", "the Locksmith", "the Potter", "the Nurse", "the Engraver", "the Innkeeper", "the Weaver",
    "the Draper", "the Shepherd", "the Printer", "the Chandler", "the Notary", "the Usher", "the Tailor",
    "the Beadle", "the Glazier", "the Harpist", "the Miner", "the Brewer", "the Ostler", "the Florist", "the Mason",
    "the Curate", "the Piper", "the Thatcher", "the Grocer", "the Joiner", "the Vintner", "the Painter",
    "the Knitter",
)

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
