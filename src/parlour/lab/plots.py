"""Self-contained SVG plots: estimates with their intervals, and the calibration of forecasts.

Large plots are files of their own. Small ones stand inside a page, which may change their colours by its style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

PAPER, INK, FAINT, RULE, BLUE = "#ffffff", "#1f2328", "#57606a", "#d8dee4", "#0a58a8"
SIZE = 14  # font size
LETTER = 0.58 * SIZE  # about the width of a letter in any sans serif
DOT = 4.5
SMALL = 12  # font size of a small plot
SMALL_LETTER = 0.58 * SMALL
SMALL_WIDTH = 340  # fits an upright phone without scaling
LONGEST = 18  # letters of a label in a small plot
NAMESPACE = "http://www.w3.org/2000/svg"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Labelled:
    """One estimate with its label: a row of a plot."""

    label: str
    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Point:
    """Forecasts of about the same chance: how often they came true, with its interval, and their number."""

    forecast: float
    share: float
    interval: tuple[float, float]
    count: int


@dataclass(frozen=True)
class Scale:
    """Maps values to coordinates along an axis."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def intervals(rows: Sequence[Labelled], *, title: str, note: str, axis: str) -> str:
    """A dot with its interval for each row, on one axis; the dot is filled where the interval is clear of zero."""
    reaches = [value for row in rows for value in (row.value, *(row.interval or ()))]
    ticks = round_ticks(min(0.0, *reaches), max(0.0, *reaches))
    shown = [in_words(row) for row in rows]
    left = 40 + LETTER * max(len(row.label) for row in rows)
    right = left + 420
    width = right + 40 + LETTER * max(map(len, shown))
    top, leading = 92, 30
    bottom = top + leading * len(rows)
    scale = Scale(ticks[0], ticks[-1], left, right)
    parts = []
    for tick in ticks:
        x = scale.at(tick)
        parts.append(line(x, top, x, bottom, RULE if tick else FAINT))
        parts.append(text(x, bottom + 20, number(tick), FAINT, "middle"))
    parts.append(text((left + right) / 2, bottom + 44, axis, FAINT, "middle"))
    for place, (row, words) in enumerate(zip(rows, shown, strict=True)):
        y = top + leading * (place + 0.5)
        parts.append(text(left - 20, y + 5, row.label, INK, "end"))
        if row.interval is not None:
            low, high = map(scale.at, row.interval)
            parts.append(line(low, y, high, y, BLUE, 2.5))
        parts.append(dot(scale.at(row.value), y, DOT, clear(row)))
        parts.append(text(right + 20, y + 5, words, INK))
    x, y, legend = left, bottom + 78, "the 95 % interval is clear of zero"
    for full, words in ((True, legend), (False, "it is not")):
        parts += [dot(x + 6, y - 5, DOT, full), text(x + 20, y, words, FAINT)]
        x += 50 + LETTER * len(words)
    description = "; ".join(f"{row.label}: {words}" for row, words in zip(rows, shown, strict=True))
    return drawing(width, bottom + 98, title, note, description, parts)


def calibration(points: Sequence[Point], *, title: str, note: str) -> str:
    """Forecasts across, how often they came true upwards: calibrated on the diagonal. Dots grow with their number."""
    left, top, side = 84, 110, 420
    across, up = Scale(0, 1, left, left + side), Scale(0, 1, top + side, top)
    parts = []
    for fifth in range(6):
        x, y, percent = across.at(fifth / 5), up.at(fifth / 5), f"{20 * fifth} %"
        parts += [line(x, top, x, top + side, RULE), line(left, y, left + side, y, RULE)]
        parts += [text(x, top + side + 20, percent, FAINT, "middle"), text(left - 10, y + 5, percent, FAINT, "end")]
    parts.append(line(across.at(0), up.at(0), across.at(1), up.at(1), FAINT))
    most = max(point.count for point in points)
    for point in points:
        x = across.at(point.forecast)
        low, high = map(up.at, point.interval)
        parts.append(line(x, low, x, high, BLUE, 2))
        parts.append(dot(x, up.at(point.share), 2 + 5 * math.sqrt(point.count / most), True))
    parts.append(text(left + side / 2, top + side + 46, "Forecast", FAINT, "middle"))
    parts.append(text(left, top - 12, "Came true, with 95 % intervals", FAINT))
    description = "; ".join(
        f"forecast {point.forecast:.0%}, came true {point.share:.0%} of {point.count:,}" for point in points
    )
    return drawing(left + side + 40, top + side + 70, title, note, description, parts)


# --- small plots ------------------------------------------------------------------------------------------------------


def strip(row: Labelled, ticks: Sequence[float]) -> str:
    """One estimate as a bar from zero, with its interval, on an axis as wide as its container."""
    scale = Scale(ticks[0], ticks[-1], 2, 98)
    middle = SIZE
    parts = [line_across(scale.at(tick), 0, 2 * middle, RULE if tick else FAINT) for tick in ticks]
    ends = f'x1="{scale.at(0):.2f}%" y1="{middle}" x2="{scale.at(row.value):.2f}%" y2="{middle}"'
    parts.append(f'<line {ends} stroke="{RULE}" stroke-width="6"/>')
    if row.interval is not None:
        low, high = map(scale.at, row.interval)
        ends = f'x1="{low:.2f}%" y1="{middle}" x2="{high:.2f}%" y2="{middle}"'
        parts.append(f'<line {ends} stroke="{BLUE}" stroke-width="2.5" stroke-linecap="round"/>')
    fill = BLUE if clear(row) else PAPER
    circle = f'cx="{scale.at(row.value):.2f}%" cy="{middle}" r="{DOT}"'
    parts.append(f'<circle {circle} fill="{fill}" stroke="{BLUE}" stroke-width="2"/>')
    return wide(2 * middle, row.label, said(row), parts)


def strip_axis(ticks: Sequence[float], title: str) -> str:
    """The common axis of strips that stand one above another."""
    scale = Scale(ticks[0], ticks[-1], 2, 98)
    parts = []
    for place, tick in enumerate(ticks):
        anchor = "start" if place == 0 else "end" if place == len(ticks) - 1 else "middle"
        edge = {"start": 0, "middle": scale.at(tick), "end": 100}[anchor]
        words = f'<text x="{edge:.2f}%" y="{SMALL}" fill="{FAINT}" text-anchor="{anchor}">{number(tick)}</text>'
        parts += [words, line_across(scale.at(tick), SMALL + 4, SMALL + 8, FAINT)]
    return wide(SMALL + 8, title, f"from {number(ticks[0])} to {number(ticks[-1])}", parts)


def line_across(percent: float, top: float, bottom: float, colour: str) -> str:
    return f'<line x1="{percent:.2f}%" y1="{top}" x2="{percent:.2f}%" y2="{bottom}" stroke="{colour}"/>'


def wide(height: float, title: str, description: str, parts: Sequence[str]) -> str:
    """A picture as wide as its container, with coordinates in percent of the width."""
    head = f'<svg xmlns="{NAMESPACE}" width="100%" height="{height:.0f}" role="img" font-size="{SMALL}">'
    return "".join([head, *described(title, description), *parts, "</svg>"])


def against_usual(
    values: Sequence[Labelled | None], differences: Sequence[Labelled | None], labels: Sequence[str], *, title: str
) -> str:
    """A line for each reading: its value on the left, its difference from the usual reading on the right.

    The first is the usual reading: a diamond, without a difference. A missing estimate is a dash.
    """
    leading, top = 22, 20
    bottom = top + leading * len(labels)
    shown = [label if len(label) <= LONGEST else label[: LONGEST - 1] + "…" for label in labels]
    left = 12 + SMALL_LETTER * max(map(len, shown))
    each = (SMALL_WIDTH - left - 40) / 2
    parts = [
        text(left + each / 2, 12, "value", FAINT, "middle"),
        text(left + each * 1.5 + 28, 12, "difference", FAINT, "middle"),
    ]
    parts += [text(0, top + leading * (at + 0.5) + 4, label, INK) for at, label in enumerate(shown)]
    for rows, start in ((values, left), (differences, left + each + 28)):
        known = [row for row in rows if row is not None]
        if not known:
            continue
        ticks = ticks_of(known, zero=rows is differences)
        scale = Scale(ticks[0], ticks[-1], start, start + each)
        for place, tick in enumerate(ticks):
            x, faint = scale.at(tick), RULE if tick or rows is values else FAINT
            parts.append(line(x, top, x, bottom, faint))
            # end labels are aligned inwards, so that those of the two axes do not overlap
            anchor = {0: "start", len(ticks) - 1: "end"}.get(place, "middle")
            first, last = (SMALL_LETTER * (len(number(end)) + 1.5) for end in (ticks[0], ticks[-1]))
            if anchor != "middle" or (not tick and start + first < x < start + each - last):
                parts.append(text(x, bottom + 16, number(tick), FAINT, anchor))
        for at, row in enumerate(rows):
            y = top + leading * (at + 0.5)
            if row is None:
                if rows is values or at:
                    parts.append(text(start + each / 2, y + 4, "–", FAINT, "middle"))
                continue
            if row.interval is not None:
                low, high = map(scale.at, row.interval)
                parts.append(line(low, y, high, y, BLUE, 2.5))
            if rows is values and not at:
                parts.append(diamond(scale.at(row.value), y))
            else:
                parts.append(dot(scale.at(row.value), y, DOT - 0.5, rows is values or clear(row)))
    told = [f"{label}: {'unknown' if row is None else said(row)}" for label, row in zip(labels, values, strict=True)]
    told += [f"{label}, difference: {said(row)}" for label, row in zip(labels, differences, strict=True) if row]
    return small(bottom + 24, title, "; ".join(told), parts)


def by_number(numbers: Sequence[int], rows: Sequence[Labelled | None], *, title: str, axis: str) -> str:
    """Estimates upwards, with their intervals, by a number that runs across."""
    left, top, height = 52, 10, 130
    known = [row for row in rows if row is not None]
    ticks = ticks_of(known, zero=False)
    up = Scale(ticks[0], ticks[-1], top + height, top)
    first, last = min(numbers), max(numbers)
    pad = (last - first or 1) * 0.06
    across = Scale(first - pad, last + pad, left, SMALL_WIDTH - 8)
    parts = []
    for tick in ticks:
        parts.append(line(left, up.at(tick), SMALL_WIDTH - 8, up.at(tick), RULE))
        parts.append(text(left - 8, up.at(tick) + 4, number(tick), FAINT, "end"))
    free = 0.0
    for count in numbers:
        x, words = across.at(count), str(count)
        if x - SMALL_LETTER * len(words) / 2 >= free:  # a label that would overlap is left out
            parts.append(text(x, top + height + 18, words, FAINT, "middle"))
            free = x + SMALL_LETTER * (len(words) / 2 + 1)
    for count, row in zip(numbers, rows, strict=True):
        if row is None:
            continue
        x = across.at(count)
        if row.interval is not None:
            low, high = map(up.at, row.interval)
            parts.append(line(x, low, x, high, BLUE, 2.5))
        parts.append(dot(x, up.at(row.value), DOT - 0.5, True))
    parts.append(text((left + SMALL_WIDTH) / 2, top + height + 36, axis, FAINT, "middle"))
    told = [f"{count} {axis}: {said(row)}" for count, row in zip(numbers, rows, strict=True) if row]
    return small(top + height + 42, title, "; ".join(told), parts)


def ticks_of(rows: Sequence[Labelled], *, zero: bool) -> list[float]:
    """A few ticks that cover all estimates with their intervals, and zero where it is asked for."""
    reaches = [value for row in rows for value in (row.value, *(row.interval or ()))] + [0.0] * zero
    low, high = min(reaches), max(reaches)
    if low == high and low:
        low, high = sorted((0.9 * low, 1.1 * low))  # a single value has no scale
    return round_ticks(low, high, 3)


def clear(row: Labelled) -> bool:
    """Whether the interval of an estimate is clear of zero."""
    return row.interval is not None and not row.interval[0] <= 0 <= row.interval[1]


def said(row: Labelled) -> str:
    """An estimate as a description reads it out."""
    value = number(row.value)
    if row.interval is None:
        return value
    return f"{value}, 95 % interval {number(row.interval[0])} to {number(row.interval[1])}"


def diamond(x: float, y: float) -> str:
    size = DOT + 1
    corners = f"{x:.1f},{y - size:.1f} {x + size:.1f},{y:.1f} {x:.1f},{y + size:.1f} {x - size:.1f},{y:.1f}"
    return f'<polygon points="{corners}" fill="{INK}"/>'


def small(height: float, title: str, description: str, parts: Sequence[str]) -> str:
    """A picture inside a page, with a title and a description for screen readers."""
    size = f'width="{SMALL_WIDTH}" height="{height:.0f}" viewBox="0 0 {SMALL_WIDTH} {height:.0f}"'
    head = f'<svg xmlns="{NAMESPACE}" {size} role="img" font-size="{SMALL}">'
    return "".join([head, *described(title, description), *parts, "</svg>"])


def described(title: str, description: str) -> tuple[str, str]:
    return f"<title>{escape(title)}</title>", f"<desc>{escape(description)}.</desc>"


# --- shared by all ----------------------------------------------------------------------------------------------------


def round_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers in a few even steps that cover all from the low value to the high."""
    if low == high:
        low, high = low - 1, high + 1
    reach = high - low
    power = 10.0 ** math.floor(math.log10(reach / most))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= reach / most)
    return [tick * step for tick in range(math.floor(low / step), math.ceil(high / step) + 1)]


def number(value: float) -> str:
    """A number with a true minus sign, and no more digits than it needs."""
    shown = f"{value:z.6g}"
    if "e-" in shown:
        shown = f"{value:.10f}".rstrip("0")
    return shown.replace("-", "−")


def in_words(row: Labelled) -> str:
    """An estimate as it is written in a plot."""
    value = f"{row.value:+z.2f}".replace("-", "−")
    return value if row.interval is None else f"{value} ± {(row.interval[1] - row.interval[0]) / 2:.2f}"


def drawing(width: float, height: float, title: str, note: str, description: str, parts: Sequence[str]) -> str:
    """A whole picture; its title and description are there for screen readers too."""
    width = max(width, 40 + 1.25 * LETTER * len(title), 40 + LETTER * len(note))
    head = (
        f'<svg xmlns="{NAMESPACE}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="title description" '
        f'font-family="{FONT}" font-size="{SIZE}">'
    )
    named = f'<title id="title">{escape(title)}</title>'
    told = f'<desc id="description">{escape(f"{note}. {description}.")}</desc>'
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    headed = f'<text x="20" y="34" fill="{INK}" font-size="18" font-weight="600">{escape(title)}</text>'
    return "\n".join([head, named, told, paper, headed, text(20, 58, note, FAINT), *parts, "</svg>\n"])


def text(x: float, y: float, words: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, colour: str, thickness: float = 1) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{thickness}" stroke-linecap="round"/>'


def dot(x: float, y: float, radius: float, full: bool) -> str:
    fill = BLUE if full else PAPER
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{BLUE}" stroke-width="2"/>'
