"""Numbers as people read them: estimates with their intervals, in text and in HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

Estimate = Mapping[str, float]  # "value", "low" and "high", as a result holds them


def in_words(estimate: Estimate | None, sign: str = "") -> str:
    """An estimate for the terminal, with one decimal or three."""
    if estimate is None:
        return "–"
    digits = 1 if abs(estimate["value"]) >= 10 else 3
    value, low, high = (f"{estimate[name]:{sign}.{digits}f}".replace("-", "−") for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def decimals_of(estimate: Estimate) -> int:
    """How many decimals are worth writing: two digits of half the interval, four at most, or what its ends need."""
    half = (estimate["high"] - estimate["low"]) / 2
    if half <= 0:
        return 3
    wanted = min(4, max(0, 1 - math.floor(math.log10(half))))
    ends = [abs(estimate[end]) for end in ("low", "high")]
    # rounding must not turn an end into zero, nor make both ends equal
    while wanted < 6 and (
        any(5e-7 < end < 0.5 / 10**wanted for end in ends)
        or round(estimate["low"], wanted) == round(estimate["high"], wanted)
    ):
        wanted += 1
    return wanted


def figure(value: float, decimals: int, signed: bool = False) -> str:
    """A number with this many decimals and a true minus sign; zero has no sign."""
    shown = f"{value:{'+' if signed else ''}z,.{decimals}f}".replace("-", "−")
    return shown if float(shown.replace("−", "-").replace(",", "")) else shown.lstrip("+")


def interval(estimate: Estimate, signed: bool = False) -> str:
    """The interval of an estimate."""
    decimals = decimals_of(estimate)
    return f"{figure(estimate['low'], decimals, signed)} to {figure(estimate['high'], decimals, signed)}"


def in_full(estimate: Estimate | None, signed: bool = False) -> str:
    """An estimate followed by its interval."""
    if estimate is None:
        return "–"
    return f"{figure(estimate['value'], decimals_of(estimate), signed)} ({interval(estimate, signed)})"


def cell(estimate: Estimate | None, signed: bool = False) -> str:
    """An estimate for an HTML table, without a line break inside its interval."""
    value, bracket, rest = in_full(estimate, signed).partition(" (")
    return f"{value} <span>({rest}</span>" if bracket else value


def clear_of_zero(low: float, high: float) -> bool:
    """Whether an interval lies on one side of zero."""
    return not low <= 0 <= high


def negated(estimate: Estimate) -> Estimate:
    """An estimate with the opposite sign."""
    return {"value": -estimate["value"], "low": -estimate["high"], "high": -estimate["low"]}


def listed(items: Iterable[str], conjunction: str = "and") -> str:
    """Items in words, such as “a, b and c”."""
    *most, last = list(items) or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def lowered(title: str) -> str:
    """A title as it stands within a sentence."""
    return title[0].lower() + title[1:]
