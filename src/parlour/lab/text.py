"""A study's result as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .figures import clear_of_zero, in_words, lowered
from .lessons import places

HEADINGS = {"Which doubtful word matters most": "ranking", "What the sheet leaves to the table": "left_to_the_table"}


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The usual game, what each other row changes, and the readings ranked."""
    yield from usual_lines(result)
    for row in result["rows"]:
        if not row["usual"]:
            yield from difference_lines(result, row)
    for heading, name in HEADINGS.items():
        if result[name]:
            yield f"{heading}, by what it surely changes:"
            yield from ranking_lines(result, result[name])
    for entry in result["unwanted"]:
        yield f"A drawback in play: {lowered(entry['why'])}"


def usual_lines(result: dict[str, Any]) -> Iterator[str]:
    """The study in a line, and every metric of the usual row."""
    usual = next(row for row in result["rows"] if row["usual"])
    sittings = f"{result['sittings']:,} sittings a row"
    bots = result["bots"]["table"]
    yield f"{result['title']} · {usual['players']} players, {bots} · {sittings} · seed {result['seed']}"
    for metric in result["metrics"]:
        unit = f" {metric['unit']}" if metric["unit"] else ""
        value = in_words(usual["values"][metric["name"]])
        yield f"  {metric['title']:<20} {value}{unit if value != '–' else ''}"


def difference_lines(result: dict[str, Any], row: dict[str, Any]) -> Iterator[str]:
    """The metrics in which a row certainly differs from the one it is compared with."""
    titles = {metric["name"]: metric["title"] for metric in result["metrics"]}
    name = f"{row['option']}: {row['value']} ({row['clause']})" if row["option"] else f"{row['players']} players"
    other = result["rows"][row["against"]]
    yield f"{name}, compared with {'the usual' if other['usual'] else other['option'] + ': ' + other['value']}:"
    certain = {
        metric: found
        for metric, found in row["differences"].items()
        if found and clear_of_zero(found["low"], found["high"])
    }
    for metric, found in certain.items():
        yield f"  {titles[metric]:<20} {in_words(found, '+')}"
    if not certain:
        yield "  no measurable difference with this many sittings"


def ranking_lines(result: dict[str, Any], ranking: list[dict[str, Any]]) -> Iterator[str]:
    """Readings by their sure effect, each with the places that it may have and the metric it surely changes most."""
    titles = {metric["name"]: metric["title"] for metric in result["metrics"]}
    for (first, latest), entry in zip(places(ranking), ranking, strict=True):
        low, high = entry["interval"]
        reading = f"{entry['option']}: {entry['value']} ({entry['clause']})"
        effect = {"value": entry["effect"], "low": low, "high": high}
        shown = f"{in_words(effect)}, {titles[entry['metric']]}" if entry["effect"] else "–"
        place = str(first) if first == latest else f"{first}–{latest}"
        yield f"{place:>5}  {reading:<34} {shown}"
