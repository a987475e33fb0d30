"""Plots as SVG that needs nothing else: estimates with their intervals, and forecasts against what came true."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

PAPER, INK, FAINT, RULE, BLUE = "#ffffff", "#1f2328", "#57606a", "#d8dee4", "#0a58a8"
SIZE = 14  # of the letters
LETTER = 0.58 * SIZE  # about as wide as one is, in any sans serif
DOT = 4.5
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Row:
    """One estimate, and what it is called."""

    label: str
    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Point:
    """How often what was forecast came true, with the interval of that share, and how many forecasts they were."""

    forecast: float
    share: float
    interval: tuple[float, float]
    count: int


@dataclass(frozen=True)
class Scale:
    """Values laid along a line, from one place to another."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def intervals(rows: Sequence[Row], *, title: str, note: str, axis: str) -> str:
    """A dot a row with its interval, on one axis; the dot is full where the interval is clear of zero."""
    reaches = [value for row in rows for value in (row.value, *(row.interval or ()))]
    ticks = round_ticks(min(0.0, *reaches), max(0.0, *reaches))
    said = [in_words(row) for row in rows]
    left = 40 + LETTER * max(len(row.label) for row in rows)
    right = left + 420
    width = right + 40 + LETTER * max(map(len, said))
    top, leading = 92, 30
    bottom = top + leading * len(rows)
    scale = Scale(ticks[0], ticks[-1], left, right)
    parts = []
    for tick in ticks:
        x = scale.at(tick)
        parts.append(line(x, top, x, bottom, RULE if tick else FAINT))
        parts.append(text(x, bottom + 20, number(tick), FAINT, "middle"))
    parts.append(text((left + right) / 2, bottom + 44, axis, FAINT, "middle"))
    for place, (row, words) in enumerate(zip(rows, said, strict=True)):
        y = top + leading * (place + 0.5)
        clear = row.interval is not None and not row.interval[0] <= 0 <= row.interval[1]
        parts.append(text(left - 20, y + 5, row.label, INK, "end"))
        if row.interval is not None:
            low, high = map(scale.at, row.interval)
            parts.append(line(low, y, high, y, BLUE, 2.5))
        parts.append(dot(scale.at(row.value), y, DOT, clear))
        parts.append(text(right + 20, y + 5, words, INK))
    x, y, legend = left, bottom + 78, "the 95 % interval is clear of zero"
    for full, words in ((True, legend), (False, "it is not")):
        parts += [dot(x + 6, y - 5, DOT, full), text(x + 20, y, words, FAINT)]
        x += 50 + LETTER * len(words)
    description = "; ".join(f"{row.label}: {words}" for row, words in zip(rows, said, strict=True))
    return drawing(width, bottom + 98, title, note, description, parts)


def calibration(points: Sequence[Point], *, title: str, note: str) -> str:
    """Forecasts along, how often they came true upwards: honest on the diagonal. Dots grow with their number."""
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


def round_ticks(low: float, high: float) -> list[float]:
    """Round numbers in even steps, from one not above the low value to one not below the high."""
    if low == high:
        low, high = low - 1, high + 1
    reach = high - low
    power = 10.0 ** math.floor(math.log10(reach / 7))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= reach / 7)
    return [tick * step for tick in range(math.floor(low / step), math.ceil(high / step) + 1)]


def number(value: float) -> str:
    """A number with a true minus, and no more digits than it needs."""
    return f"{value:z.6g}".replace("-", "−")


def in_words(row: Row) -> str:
    """An estimate as it is written."""
    value = f"{row.value:+z.2f}".replace("-", "−")
    return value if row.interval is None else f"{value} ± {(row.interval[1] - row.interval[0]) / 2:.2f}"


def drawing(width: float, height: float, title: str, note: str, description: str, parts: Sequence[str]) -> str:
    """A whole picture, its title and description also for those who hear it."""
    width = max(width, 40 + 1.25 * LETTER * len(title), 40 + LETTER * len(note))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="title description" '
        f'font-family="{FONT}" font-size="{SIZE}">'
    )
    named = f'<title id="title">{escape(title)}</title>'
    described = f'<desc id="description">{escape(f"{note}. {description}.")}</desc>'
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    shown = f'<text x="20" y="34" fill="{INK}" font-size="18" font-weight="600">{escape(title)}</text>'
    return "\n".join([head, named, described, paper, shown, text(20, 58, note, FAINT), *parts, "</svg>\n"])


def text(x: float, y: float, words: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, colour: str, thickness: float = 1) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{thickness}" stroke-linecap="round"/>'


def dot(x: float, y: float, radius: float, full: bool) -> str:
    fill = BLUE if full else PAPER
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{BLUE}" stroke-width="2"/>'
