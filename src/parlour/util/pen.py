"""The drawing tools of the packs: paper, inks, lines, hatching, lettering. A drawing is a string of SVG elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDTH, HEIGHT = 250, 350
MIDDLE = WIDTH / 2
PAPER = "#fbf5e6"
INK = "#2a211b"
VERMILION, BLUE, OCHRE, GREEN, AUBERGINE = "#b23a24", "#1f3b63", "#b9852a", "#2e5a45", "#573a5c"
SILVER, BRASS, ROSE = "#d9d6cb", "#c9a24b", "#d99a86"
LETTERS = "Old Standard TT, Old Standard, Georgia, serif"

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate as short as possible: a tenth of a unit is finer than print."""
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"


def element(name: str, content: str = "", /, **members: object) -> str:
    """An SVG element; `stroke_width=2` becomes stroke-width="2", and None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float) else value}"'
        for key, value in members.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def group(*parts: str, **members: object) -> str:
    return element("g", "".join(parts), **members) if any(parts) else ""


def moved(x: float, y: float, *parts: str, turn: float = 0.0, size: float = 1.0, mirror: bool = False) -> str:
    """Drawings moved to a place, turned (in degrees), scaled or mirrored."""
    how = f"translate({number(x)} {number(y)})"
    if turn:
        how += f" rotate({number(turn)})"
    if size != 1.0 or mirror:
        how += f" scale({-size if mirror else size:g} {size:g})"
    return group(*parts, transform=how)


# --- lines ------------------------------------------------------------------------------------------------------------


def path(d: str, fill: str = "none", stroke: str | None = INK, width: float = 1.6, **more: object) -> str:
    """A line or a shape from its path data."""
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"} if stroke else {}
    return element("path", d=d, fill=fill, stroke=stroke, stroke_width=width if stroke else None, **ends, **more)


def shape(d: str, fill: str, width: float = 1.6, **more: object) -> str:
    """A filled shape with an ink outline."""
    return path(d, fill, INK, width, **more)


def line(
    points: Sequence[Point], width: float = 1.6, stroke: str = INK, closed: bool = False, fill: str = "none"
) -> str:
    """Straight lines from point to point."""
    d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
    return path(d, fill, stroke, width)


def circle(x: float, y: float, r: float, fill: str = "none", stroke: str | None = INK, width: float = 1.6) -> str:
    return element(
        "circle",
        cx=number(x),
        cy=number(y),
        r=number(r),
        fill=fill,
        stroke=stroke,
        stroke_width=width if stroke else None,
    )


def ellipse(
    x: float, y: float, rx: float, ry: float, fill: str = "none", stroke: str | None = INK, width: float = 1.6
) -> str:
    size = {"cx": number(x), "cy": number(y), "rx": number(rx), "ry": number(ry)}
    return element("ellipse", fill=fill, stroke=stroke, stroke_width=width if stroke else None, **size)


def box(
    x: float,
    y: float,
    w: float,
    h: float,
    fill: str = "none",
    stroke: str | None = INK,
    width: float = 1.6,
    r: float = 0,
) -> str:
    size = {"x": number(x), "y": number(y), "width": number(w), "height": number(h), "rx": number(r) if r else None}
    return element("rect", fill=fill, stroke=stroke, stroke_width=width if stroke else None, **size)


def star(x: float, y: float, r: float, points: int = 5, inner: float = 0.4, fill: str = INK, width: float = 0.0) -> str:
    """A star that stands on two of its points."""
    corners = []
    for at in range(2 * points):
        reach = r if at % 2 == 0 else r * inner
        angle = math.pi * at / points - math.pi / 2
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return line(corners, width or 0.01, INK if width else fill, True, fill)


# --- shading, as in an engraving --------------------------------------------------------------------------------------


def hatching(x: float, y: float, w: float, h: float, step: float = 3.2, slope: float = 1.0, width: float = 0.55) -> str:
    """Fine parallel lines over a rectangle; `slope` is how far each leans, in heights."""
    d = []
    at = x - abs(slope) * h
    while at < x + w + abs(slope) * h:
        # the part of the line from (at, y + h) to (at + slope * h, y) that lies within the rectangle
        low, high = 0.0, 1.0
        if slope:
            edges = sorted(((x - at) / (slope * h), (x + w - at) / (slope * h)))
            low, high = max(low, edges[0]), min(high, edges[1])
        elif not x <= at <= x + w:
            low = high
        if low < high:
            ends = [(at + slope * h * t, y + h * (1 - t)) for t in (low, high)]
            d.append("M" + "L".join(f"{number(a)} {number(b)}" for a, b in ends))
        at += step
    return path("".join(d), width=width)


def rays(x: float, y: float, inner: float, outer: float, count: int, start: float = 0.0, end: float = 360.0) -> str:
    """Fine lines radiating from around a point, between two angles in degrees."""
    d = []
    for at in range(count):
        angle = math.radians(start + (end - start) * at / count)
        cos, sin = math.cos(angle), math.sin(angle)
        d.append(
            f"M{number(x + inner * cos)} {number(y + inner * sin)}L{number(x + outer * cos)} {number(y + outer * sin)}"
        )
    return path("".join(d), width=0.6)


# --- lettering --------------------------------------------------------------------------------------------------------


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    fill: str = INK,
    anchor: str = "middle",
    weight: int = 400,
    italic: bool = False,
    spacing: float = 0.0,
) -> str:
    """Text in the typeface of the packs, on a baseline."""
    return element(
        "text",
        words,
        x=number(x),
        y=number(y),
        font_family=LETTERS,
        font_size=number(size),
        fill=fill,
        text_anchor=anchor,
        font_weight=weight if weight != 400 else None,
        font_style="italic" if italic else None,
        letter_spacing=number(spacing) if spacing else None,
    )


# --- a card -----------------------------------------------------------------------------------------------------------


def both_ends(part: str) -> str:
    """A drawing at the top left, and upside down at the bottom right."""
    return part + group(part, transform=f"rotate(180 {number(MIDDLE)} {number(HEIGHT / 2)})")


def card(*parts: str, keyline: str = INK) -> str:
    """A card: paper, a keyline, and the drawings on it."""
    stock = box(1, 1, WIDTH - 2, HEIGHT - 2, PAPER, "#8d8272", 1.2, r=10)
    frame = box(9, 9, WIDTH - 18, HEIGHT - 18, "none", keyline, 1.1, r=6)
    return stock + frame + "".join(parts)


def svg(content: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    """A drawing as a complete SVG file."""
    size = f"0 0 {number(width)} {number(height)}"
    return element("svg", content, xmlns="http://www.w3.org/2000/svg", viewBox=size)


def tiled(tile: str, size: float, ground: str = PAPER) -> str:
    """A card back: one tile repeated within a frame."""
    across, down = math.ceil((WIDTH - 36) / size), math.ceil((HEIGHT - 36) / size)
    left, top = (WIDTH - across * size) / 2, (HEIGHT - down * size) / 2
    tiles = [moved(left + column * size, top + row * size, tile) for row in range(down) for column in range(across)]
    return card(box(16, 16, WIDTH - 32, HEIGHT - 32, ground, None), *tiles)
