"""The lessons of a study in a few sentences, and its readings in the words of the sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..games import game as game_of
from ..sheets.model import Option, Sheet
from ..sheets.rulebook import in_words
from .figures import clear_of_zero, decimals_of, figure, interval, listed, lowered, negated

Result = Mapping[str, Any]  # plain data, as `docs/lab.md` describes it
ResultRow = Mapping[str, Any]

SENTENCES = 5  # at most
IN_NUMBERS = {  # how much more or less of what can be counted
    "decisions": "a sitting takes {} decisions {}",
    "deals": "a sitting takes {} deals {}",
    "lead_changes": "a sitting has {} changes of the lead {}",
}
SHARES = {"drawishness": "the share of shared wins", "real_choices": "the share of real choices"}


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


# --- the order of effects ---------------------------------------------------------------------------------------------


def at_most(item: Mapping[str, Any]) -> float:
    """The largest effect that a ranked reading may have, on any metric."""
    most: float = item.get("at_most", item["interval"][1])  # older results know that of the metric they name only
    return most


def places(ranking: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """The first and the last place that each reading may have: only intervals that lie apart settle an order."""
    least, most = [max(0.0, item["interval"][0]) for item in ranking], [at_most(item) for item in ranking]
    return [
        (1 + sum(other > high for other in least), len(ranking) - sum(low > other for other in most))
        for low, high in zip(least, most, strict=True)
    ]


def groups(ranking: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The readings, greatest effect first, in groups: all of a group surely change more than all of those after it."""
    found: list[list[Mapping[str, Any]]] = [[]]
    for at, item in enumerate(ranking):
        found[-1].append(item)
        if item["interval"][0] > max(map(at_most, ranking[at + 1 :]), default=0.0):
            found.append([])
    return [group for group in found if group]


# --- lessons ----------------------------------------------------------------------------------------------------------


def lessons(result: Result, sentences: int = SENTENCES) -> list[str]:
    """What a study shows about the doubtful words, greatest effect first, with *stars* around readings.

    Every reading is named; where there is no room for the figures of all, the last ones share a sentence. An order is
    claimed only where intervals lie apart.
    """
    certain = [item for item in result["ranking"] if clear_of_zero(*item["interval"])]
    unclear = [item for item in result["ranking"] if not clear_of_zero(*item["interval"])]
    last = []
    if unclear:
        verb = "make" if unclear[1:] else "makes"
        last.append(f"With this many sittings, {named(unclear)} {verb} no measurable difference.")
    if result["unwanted"]:
        verb = "have" if len({reading(item) for item in result["unwanted"]}) > 1 else "has"
        last.append(f"{named(result['unwanted'])} {verb} a drawback in play, which the report names.")
    room = max(1, sentences - len(last))  # the greatest effect always has its figures
    if len(certain) > room:
        room = max(1, room - 1)  # the others need a sentence too
    told: list[str] = []
    near: list[Mapping[str, Any]] = []
    for place, group in enumerate(groups(result["ranking"])):
        shown = [item for item in group if item in certain[:room]]
        if shown:
            told.append(lesson(result, shown, place, whole=shown == group))
            near = [item for item in group if item in certain[room:]]
    smaller = [item for item in certain[room:] if item not in near]
    if near:
        more = f"; smaller effects come from {named(smaller)}" if smaller else ""
        verb = "matter" if near[1:] else "matters"
        last.insert(0, f"{named(near)} surely {verb} too, and the order of all of these is open{more}.")
    elif smaller:
        last.insert(0, f"Smaller effects come from {named(smaller)}.")
    return told + last


def with_labels(sheet: Sheet, text: str, mark: Callable[[str, str], str]) -> str:
    """Lessons with what people call readings in place of *option: value*, also of several that were changed together.

    A number stays as it is; `mark` makes one text of a label and the name for machines.
    """

    of_names = {option.name for option in sheet.options if option.values}

    def each_reading(found: re.Match[str]) -> str:
        pairs = list(zip(found[1].split("+"), found[2].split("+"), strict=True))
        named = all(option in of_names for option, _ in pairs)
        return " with ".join(f"{option}: {value}" for option, value in pairs) if named else found[0]

    return in_words(sheet, re.sub(r"\*([\w+]+): ([\w+]+)\*", each_reading, text), mark)


def foremost(result: Result) -> str:
    """Which doubtful word matters most, in a sentence; several words where the figures do not tell."""
    group = groups(result["ranking"])[0] if result["ranking"] else []
    sure = [item for item in group if clear_of_zero(*item["interval"])]
    if not sure:
        return "With this many sittings, no reading makes a measurable difference."
    return lesson(result, sure, 0, whole=sure == group)


def named(items: Sequence[Mapping[str, Any]]) -> str:
    """Readings in words, each once."""
    return listed(dict.fromkeys(f"*{reading(item)}*" for item in items))


def lesson(result: Result, items: Sequence[Mapping[str, Any]], place: int, whole: bool) -> str:
    """A group of readings, or a part of it, each in the metric that it surely changes most.

    `place` counts the groups before it, all of which change more. Only a whole group changes more than all others.
    """
    several = len(items) > 1
    names = listed(cited(result, item) for item in items)
    readings = f"The readings {names}" if several else f"The reading {names}"
    if not whole:
        opening = f"{readings} surely matter{'' if several else 's'}{' too' if place else ''}"
    elif place == 0:
        opening = f"{readings} matter{'' if several else 's'} most"
    elif place == 1:
        opening = f"{readings} come{'' if several else 's'} next"
    else:
        opening = f"Then {names}"
    if not several:
        return f"{opening}: {effect(result, items[0])}."
    effects = "; ".join(f"with *{reading(item)}*, {effect(result, item)}" for item in items)
    return f"{opening}, in an order that is open: {effects}."


def cited(result: Result, item: Mapping[str, Any]) -> str:
    """The name of a ranked reading with its clause, and with what else had to change for it to be played."""
    more = other_changes(ranked_row(result, item), result)
    return f"*{reading(item)}* ({item['clause']}{f', played with {more}' if more else ''})"


def effect(result: Result, item: Mapping[str, Any]) -> str:
    """The effect of a reading on the metric that it surely changes most: in which direction, and by how much."""
    row = ranked_row(result, item)
    metric, difference = item["metric"], row["differences"][item["metric"]]
    more = difference["value"] >= 0
    size = difference if more else negated(difference)
    amount, sure = figure(size["value"], decimals_of(size)), f"(95 % interval {interval(size)})"
    if metric in IN_NUMBERS:
        told = f"{IN_NUMBERS[metric].format(amount, 'more' if more else 'fewer')} {sure}"
    else:
        what = SHARES.get(metric) or lowered(metric_of(result, metric)["title"])
        told = f"{what} is {'higher' if more else 'lower'} by {amount} {sure}"
    return f"{told} than with *{row['option']}: {compared_value(row, result)}*"
