"""Plots: valid, complete, and true to their values."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from parlour.lab import plots

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [
    plots.Labelled("champion against random", 9.87, (8.1, 11.6)),
    plots.Labelled("a<b & c", -0.5, (-1.25, 0.25)),
    plots.Labelled("once", 3.0),
]


def drawn(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    named = {element.get("id"): element.text for element in root if element.get("id")}
    assert all(named[name] for name in str(root.get("aria-labelledby")).split())
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= width
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= height
    return root


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_every_row_is_drawn_named_and_described() -> None:
    root = drawn(plots.intervals(ROWS, title="Heirs & others", note="4 players", axis="ahead by"))
    said = words(root)
    assert {"Heirs & others", "4 players", "ahead by"} | {row.label for row in ROWS} <= set(said)
    assert {"+9.87 ± 1.75", "−0.50 ± 0.75", "+3.00"} <= set(said)
    assert "a<b & c: −0.50 ± 0.75" in (root.findtext(f"{SVG}desc") or "")
    # the last two dots are the legend's
    fills = [element.get("fill") == plots.BLUE for element in root.iter(f"{SVG}circle")]
    assert fills == [True, False, False, True, False]


def test_dots_and_intervals_are_placed_by_the_axis() -> None:
    root = drawn(plots.intervals(ROWS, title="t", note="n", axis="a"))
    texts = list(root.iter(f"{SVG}text"))
    zero, two = (float(next(text for text in texts if text.text == tick).get("x", 0)) for tick in ("0", "2"))

    def at(value: float) -> float:
        return zero + (two - zero) * value / 2

    dots = [float(dot.get("cx", 0)) for dot in root.iter(f"{SVG}circle")][:3]
    assert dots == pytest.approx([at(row.value) for row in ROWS], abs=0.2)
    bars = [
        (float(bar.get("x1", 0)), float(bar.get("x2", 0)))
        for bar in root.iter(f"{SVG}line")
        if bar.get("stroke") == plots.BLUE
    ]
    wanted = [at(end) for row in ROWS if row.interval for end in row.interval]
    assert [end for bar in bars for end in bar] == pytest.approx(wanted, abs=0.2)


@pytest.mark.parametrize(
    "row", [plots.Labelled("none", 0.0, (0.0, 0.0)), plots.Labelled("tiny", 1e-9), plots.Labelled("vast", -3e12)]
)
def test_any_range_of_values_has_an_axis(row: plots.Labelled) -> None:
    assert "0" in words(drawn(plots.intervals([row], title="t", note="n", axis="a")))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-4.1, 11.6), (-0.003, 0), (0, 7), (-99, 101), (0, 0)])
def test_ticks_are_few_even_and_cover_the_values(low: float, high: float) -> None:
    ticks = plots.round_ticks(low, high)
    assert ticks[0] <= low and ticks[-1] >= high and 3 <= len(ticks) <= 10
    steps = {round((b - a) / (ticks[1] - ticks[0]), 6) for a, b in pairwise(ticks)}
    assert steps == {1.0} and any(math.isclose(tick, 0, abs_tol=1e-12) for tick in ticks)


def test_a_calibration_shows_every_point() -> None:
    points = [plots.Point(0.1, 0.08, (0.05, 0.12), 400), plots.Point(0.9, 1.0, (0.7, 1.0), 4)]
    root = drawn(plots.calibration(points, title="Forecasts", note="by champion"))
    big, small = root.iter(f"{SVG}circle")
    assert float(big.get("r", 0)) > float(small.get("r", 0))
    assert float(big.get("cx", 0)) < float(small.get("cx", 0)) and float(big.get("cy", 0)) > float(small.get("cy", 0))
    assert "forecast 90%, came true 100% of 4" in (root.findtext(f"{SVG}desc") or "")


def test_small_plots_stay_inside_and_their_axes_apart() -> None:
    rows = [plots.Labelled("a", 0.5, (0.4, 0.6)), None, plots.Labelled("a", 12345.678, (12000.0, 13000.0))]
    differences = [None, None, plots.Labelled("a", -0.004, (-0.005, 0.01))]
    text = plots.against_usual(rows, differences, ["void", "free", "penny+under+2+must+penalised"], title="Drama")
    at = [float(x) for x in re.findall(r' (?:x|x1|x2|cx)="([\d.]+)"', text)]
    assert min(at) >= 0 and max(at) <= plots.SMALL_WIDTH
    assert text.count("<polygon") == 1 and text.count("<circle") == 2 and text.count("–</text>") == 2
    assert ">penny+under+2+mus…<" in text
    assert "free: unknown" in text and "+penalised, difference: −0.004, 95 % interval −0.005 to 0.01" in text
