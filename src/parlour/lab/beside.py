"""What the readings of one option change in play, as rows of figures to stand beside the argument for the usual one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .figures import clear_of_zero, decimals_of, figure, interval
from .lessons import metric_of, usual_row

SHOWN = ("decisions", "real_choices", "skill", "luck", "balance")  # the metrics by which a table would judge


def heads(result: dict[str, Any]) -> list[str]:
    """The titles of the metrics that are shown."""
    return [metric_of(result, name)["title"] for name in SHOWN]


def figures_of(result: dict[str, Any], option: str) -> Iterator[tuple[str, list[str]]]:
    """The usual value of an option with its figures, and each other value with what it surely changes.

    Nothing where the study has no other value of the option.
    """
    usual = usual_row(result)
    place = result["rows"].index(usual)
    others = [row for row in result["rows"] if row["option"] == option and row["against"] == place]
    if others:
        yield str(usual["options"][option]), [figured(usual["values"][name]) for name in SHOWN]
    for row in others:
        yield str(row["value"]), [changed(row["differences"][name]) for name in SHOWN]


def figured(estimate: dict[str, float] | None) -> str:
    """A figure of the usual readings."""
    return "–" if estimate is None else figure(estimate["value"], decimals_of(estimate))


def changed(difference: dict[str, float] | None) -> str:
    """A difference with its interval, where the interval is clear of zero."""
    if difference is None or not clear_of_zero(difference["low"], difference["high"]):
        return "–"
    return f"{figure(difference['value'], decimals_of(difference), signed=True)} ({interval(difference, signed=True)})"
