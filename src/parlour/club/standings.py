"""The fair table: each score against those that others made with the same cards at the same seat, with its interval."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ..lab.intervals import Estimate, mean_of
from .evening import Evening
from .tables import Result


@dataclass(frozen=True)
class Standing:
    """One player: the rounds that count, all points, and the mean difference, if there is one."""

    player: int
    rounds: int
    points: int
    difference: Estimate | None


def differences(results: Sequence[Result]) -> dict[tuple[int, int], float]:
    """By player and round: the score less the mean of the others who had the same cards and seat."""
    found = {}
    for own in results:
        others = [
            each.score
            for each in results
            if (each.round, each.seat) == (own.round, own.seat) and each.table != own.table
        ]
        if own.player >= 0 and others:
            found[own.player, own.round] = own.score - fmean(others)
    return found


def standings(evening: Evening, results: Sequence[Result]) -> list[Standing]:
    """All players, the best first; those without a comparison by their points, at the end."""
    paired = differences(results)
    found = []
    for player in range(len(evening.names)):
        own = [each.score for each in results if each.player == player]
        values = [value for (who, _), value in sorted(paired.items()) if who == player]
        found.append(Standing(player, len(own), sum(own), mean_of(values) if values else None))
    return sorted(found, key=order)


def order(each: Standing) -> tuple[bool, float, int, int]:
    """By which standings are sorted."""
    mean = each.difference.mean if each.difference else 0.0
    return each.difference is None, -mean, -each.points, each.player


def figures(evening: Evening, results: Sequence[Result]) -> list[list[str]]:
    """The fair table as text: place, name, rounds, points, difference, and its 95 % interval."""
    rows = []
    for place, each in enumerate(standings(evening, results), 1):
        difference = each.difference
        low_high = difference.interval if difference and difference.interval else None
        rows.append(
            [
                str(place),
                evening.called(each.player),
                str(each.rounds),
                str(each.points),
                "" if difference is None else signed(difference.mean),
                "" if low_high is None else f"{signed(low_high[0])} to {signed(low_high[1])}",
            ]
        )
    return rows


HEAD = ["place", "name", "rounds", "points", "difference", "95 % interval"]


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{value:+.2f}".replace("-", "−")


def as_csv(evening: Evening, results: Sequence[Result]) -> str:
    """The fair table, and below it every score."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows([[spreadsheet(cell) for cell in row] for row in figures(evening, results)])
    writer.writerow([])
    writer.writerow(["round", "table", "seat", "name", "points", "difference"])
    paired = differences(results)
    for each in results:
        value = paired.get((each.player, each.round))
        name = spreadsheet(evening.called(each.player))
        shown = "" if value is None else f"{value:.2f}"
        writer.writerow([each.round, each.table, each.seat + 1, name, each.score, shown])
    return out.getvalue()


def spreadsheet(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in "=@\t\r" or (cell[:1] in "+-" and not cell[1:2].isdigit()) else cell


def as_page(evening: Evening, results: Sequence[Result], missing: Sequence[str]) -> str:
    """The fair table as one page that needs nothing else."""
    cells = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in figures(evening, results)
    )
    head = "".join(f"<th scope='col'>{html.escape(each)}</th>" for each in HEAD)
    open_tables = "".join(f"<li>{html.escape(each)}</li>" for each in missing)
    title = html.escape(evening.name)
    return PAGE.format(title=title, head=head, cells=cells, open=f"<ul>{open_tables}</ul>" if missing else "", why=WHY)


WHY = (
    "Everyone who sat at the same seat in a round was dealt the same cards. The difference is a player's score less "
    "the mean of the others at that seat, as a mean over the rounds. An interval that holds 0 says that the rounds are "
    "too few to tell the player from the others."
)
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 1.1rem/1.4 Georgia, serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }}
html {{ color: #2a211b; background: #f3ead6 }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #b9a98a }}
td:nth-child(n+3), th:nth-child(n+3), td:first-child {{ text-align: right; font-variant-numeric: tabular-nums }}
</style>
<h1>{title}</h1>
<table><thead><tr>{head}</tr></thead><tbody>
{cells}
</tbody></table>
<p>{why}</p>
{open}
</html>
"""
