"""The lessons of a study in a few sentences, and its readings in the words of the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..games import game as game_of
from ..sheets.model import Option
from .figures import clear_of_zero, decimals_of, figure, interval, listed, lowered, negated

Result = Mapping[str, Any]  # plain data, as `docs/lab.md` describes it
ResultRow = Mapping[str, Any]

SENTENCES = 5  # at most


# --- readings ---------------------------------------------------------------------------------------------------------


def option_of(result: Result, name: str) -> Option | None:
    """The option of this name; None where it names several options that were changed together."""
    return next((option for option in game_of(result["game"]).sheet.options if option.name == name), None)


def usual_row(result: Result) -> ResultRow:
    """The row with the usual options."""
    return next(row for row in result["rows"] if row["usual"])


def compared_row(row: ResultRow, result: Result) -> ResultRow:
    """The row that a row is compared with: the usual one, or the one with all other options that it needs."""
    other: ResultRow = result["rows"][row["against"]]
    return other


def compared_value(row: ResultRow, result: Result) -> str:
    """The value, or values, that stand in the place of a row's own in the row that it is compared with."""
    other = compared_row(row, result)["options"]
    return "+".join(str(other[name]) for name in row["option"].split("+"))


def ranked_row(result: Result, item: Mapping[str, Any]) -> ResultRow:
    """The row of a ranked reading."""
    wanted = (item["option"], item["value"])
    return next(row for row in result["rows"] if (row["option"], row["value"]) == wanted)


def other_changes(row: ResultRow, result: Result) -> str:
    """The other options that had to change for a reading to be played, in words."""
    usual = usual_row(result)["options"]
    changed = {name: value for name, value in row["options"].items() if value != usual[name]}
    return listed(f"{name}: {value}" for name, value in changed.items() if name not in row["option"].split("+"))


def meaning(option: Option, value: str) -> str:
    """What a value of an option means, in the sheet's words; nothing for a number."""
    return next((f": {known.means}" for known in option.values if str(known.name) == value), "")


def reading(item: Mapping[str, Any]) -> str:
    """The name of a reading, such as “following: suit”."""
    return f"{item['option']}: {item['value']}"


def metric_of(result: Result, name: str) -> Mapping[str, Any]:
    """The description of a metric."""
    return next(metric for metric in result["metrics"] if metric["name"] == name)


# --- lessons ----------------------------------------------------------------------------------------------------------


def lessons(result: Result, sentences: int = SENTENCES) -> list[str]:
    """What a study shows about the doubtful words, greatest effect first, with *stars* around readings.

    Every reading is named; where there is no room for a sentence each, those that change least share one.
    """
    certain = [item for item in result["ranking"] if clear_of_zero(*item["interval"])]
    unclear = [item for item in result["ranking"] if not clear_of_zero(*item["interval"])]
    last = []
    if unclear:
        names, verb = listed(f"*{reading(item)}*" for item in unclear), "make" if unclear[1:] else "makes"
        last.append(f"With this many sittings, {names} {verb} no measurable difference.")
    if result["unwanted"]:
        names = listed(dict.fromkeys(f"*{reading(item)}*" for item in result["unwanted"]))
        last.append(f"A table would not want {names}.")
    room = max(1, sentences - len(last))  # the greatest effect always has a sentence
    if len(certain) > room:
        room = max(1, room - 1)  # the others need one too
        names = listed(f"*{reading(item)}*" for item in certain[room:])
        last.insert(0, f"Smaller effects come from {names}.")
    return [lesson(result, item, place) for place, item in enumerate(certain[:room])] + last


def lesson(result: Result, item: Mapping[str, Any], place: int) -> str:
    """One reading in the metric that it changes most: in which direction, and by how much."""
    row = ranked_row(result, item)
    difference = row["differences"][item["metric"]]
    more = other_changes(row, result)
    named = f"*{reading(item)}* ({item['clause']}{f', played with {more}' if more else ''})"
    way, size = ("higher", difference) if difference["value"] >= 0 else ("lower", negated(difference))
    opening = (f"The reading {named} matters most", f"The reading {named} comes next", f"Then {named}")[min(place, 2)]
    title = lowered(metric_of(result, item["metric"])["title"])
    shown = f"{figure(size['value'], decimals_of(size))} (95 % interval {interval(size)})"
    return f"{opening}: {title} {way} by {shown} than with *{compared_value(row, result)}*."
