"""The words of Heraldry: its sentences, its officers of arms, and its table in the terminal."""

from __future__ import annotations

from ...engine.words import Fields, Table, by_suit
from ...util.english import counted
from .pack import SUITS

TEMPLATES = {
    "dealer": "{0} deal|deals first.",
    "deal": "The pack is shuffled for a new deal.",
    "hand": "{0} hold|holds {1}.",
    "hand?": "",
    "table": "Face up on the table: {0}.",
    "capture": "{0} play|plays {1} and take|takes {2}.",
    "discard": "{0} lay|lays {1} on the table.",
    "sweep": "{0} made the last capture and take|takes the rest: {1}.",
    "score HER-9": "{0} score|scores {1} for the most cards.",
    "score HER-10": "{0} score|scores {1} for the most Diamonds.",
    "score HER-11": "{0} score|scores {1} for the Knight of the Cross.",
    "score HER-12": "{0} score|scores {1} for the Jester of the Star.",
    "score HER-13": "{0} score|scores {1} for Crowns.",
    "score HER-14": "{0} score|scores {1} for the last capture.",
    "total": "Score: {0}.",
}

CAST = ("the Herald", "the Pursuivant", "the Squire", "the Page", "the Usher")

STEP_MEANINGS = {
    "play": "play this card, to take with it or to discard it",
    "take": "take this card from the table with it, one step for each card; under capture: all the cards of equal "
    "value come by themselves, under capture: choice `take done` ends the capture where more could be taken",
}

UNITS = {"HER-4": "cards", "HER-8": "cards"}


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    points = [counted(number, "point") for number in fields["totals"]]
    won = [counted(len(pile), "card") + " won" for pile in fields["won"]]
    lines = [
        f"Deal {fields['deal']} · {counted(fields['pack'], 'card')} in the pack",
        *table.player_lines([points, won], {fields["dealer"]: "deals"}),
        f"The table: {' '.join(fields['table']) or 'empty'}",
        f"Your hand: {by_suit(fields['hand'], SUITS)}",
    ]
    if fields["playing"]:
        lines.append(f"Playing {fields['playing']}, taking {' '.join(fields['taking']) or 'nothing yet'}")
    return lines


def prompt(table: Table) -> str:
    """Whether the cards to choose from can take, or must be laid on the table."""
    if table.sitting.prefix:
        return ""
    trial = table.sitting.state.copy()
    pile = f"won {table.you}"
    won = len(trial.where()[pile])
    trial.play(trial.legal()[0])
    takes = trial.unfinished or len(trial.where()[pile]) > won
    return ", and these can take" if takes else ", and nothing can be taken: lay a card on the table"
