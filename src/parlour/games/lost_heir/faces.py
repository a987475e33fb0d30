"""The pack of "Lost Heir": four cities' police in busts, two city views, and the two boys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ...util import pen
from ...util.pen import BLUE, BRASS, GREEN, INK, MIDDLE, OCHRE, PAPER, VERMILION, element, group, moved

CITY = "currentColor"  # in drawings that are the same for all cities, the colour of the one whose card it is
CLOTH, SERGE, BLACK, TWEED, BEAVER, BRICK = "#3d5e8c", "#2b4a77", "#4b423c", "#a5814f", "#cfc3ab", "#cf8267"
SKIN, BLUSH, WHITE, STRAW, STONE, UMBER = "#f3d9bd", "#e9b398", "#fffaf0", "#e8cd8c", "#e6dcc6", "#9c6a52"
HAIR = {"black": "#62544b", "brown": "#8a6040", "red": "#c2733d", "fair": "#db6", "grey": "#b8b1a5", "white": "#f4eee0"}

# the picture: an arch over a strip
LEFT, RIGHT, SPRING, SILL, FOOT = 50, 200, 99, 251, 294
RADIUS = (RIGHT - LEFT) / 2
STRIP = f"M{LEFT} {SILL}H{RIGHT}V{FOOT}H{LEFT}Z"
BOLD = 1.9  # the line around what stands before the rest


@dataclass(frozen=True)
class City:
    """A police department: badge and colours, a skyline in four layers, which way its people look, who they are."""

    letter: str
    badge: str
    colour: str
    tint: str
    far: str
    near: str
    fine: str
    lights: str
    looks_right: bool
    people: str  # from rank 1 to 11: beard, nose, hair, and what else there is to say


NEW_YORK = City(
    letter="N",
    badge="M-14-14C-9-12-4-13 0-16C4-13 9-12 14-14C15 0 12 11 0 17C-12 11-15 0-14-14Z",
    colour=BLUE,
    tint="#d5dee6",
    far="M0 36V26h8v-3h8v4h8v-6h7v5h9v-4h5v4h8v-7h7v5h6v-3h8v4h10v-6h8v4h9v-3h7v5h8v-4h7v4h8v-5h9v3H150v11Z",
    near=(
        "M50 36V21h1.5v-3h1.5v3h1l4-20 4 20h1v-3h1.5v3H66v6l9-5 9 5h8V23h2v-6h2v-5l3-9 3 9v5h2v6h2v6h10v-3h5v11Z"
        "M6 35q20 4 39-2q-2 6-8 7H13q-6-1-7-5ZM112 35h34q-1 5-5 5h-24q-4 0-5-5ZM121 35v-7h3v7ZM126 35a5 5 0 0 1 10 0Z"
    ),
    fine="M14 36V7M24 36V3M35 35V8M9 14h10M18 10h12M19 17h10M30 14h10M5 35L14 8L24 5L35 9L49 31M122 27q-4-4 2-7t3-8",
    lights="M54 24v10M62 24v10M70 29v6M80 29v6M96 25v9M102 25v9M111 30v4",
    looks_right=False,
    people=(
        "shaven snub red freckled, pencil straight brown, chops snub black stern, walrus round red, "
        "full straight brown stern, handlebar hooked black stern, imperial hooked brown, full straight black stern, "
        "handlebar round grey, chops hooked grey stern, walrus round white stout"
    ),
)

PHILADELPHIA = City(
    letter="P",
    badge="M0-18Q6-7 16 0Q6 7 0 18Q-6 7-16 0Q-6-7 0-18Z",
    colour=VERMILION,
    tint="#f0d6c8",
    far="M0 38V28l5-4 5 4v-3l5-4 5 4v4h6l5-4 5 4h8V26h62v3h6l5-4 5 4h4v-4l6-4 6 4v3l6-4 6 4v10Z",
    near=(
        "M44 38V29l4-4v-5h4v5h16V15h2V10h2V6l2-1 1-5 1 5 2 1v4h2v5h2v10h16v-5h4v5l4 4v9Z"
        "M17 38v-8l3-3h16l3 3v8ZM111 38v-8l3-3h16l3 3v8Z"
        "M6 38v-5c-8 1-8-8-3-9c1-6 10-6 11 0c5 2 4 10-4 9v5ZM143 38v-5c-8 1-8-8-3-9c1-6 10-6 11 0v9l-4 0v5Z"
    ),
    fine="M39 31h5M106 31h5M0 42h150",
    lights="M47 32h20M84 32h20M47 35h20M84 35h20M20 33h17M114 33h17M75 12v3M75 18v3M73 27h5M75 33v5",
    looks_right=True,
    people=(
        "shaven straight fair, curtain snub brown, handlebar round black, chops hooked red, walrus snub grey stern, "
        "full round brown, pencil straight black, imperial hooked grey stern, "
        "curtain straight white spectacled, walrus straight brown stern, shaven hooked white stout spectacled"
    ),
)

BOSTON = City(
    letter="B",
    badge="M-16 0A16 16 0 1 1 16 0A16 16 0 1 1-16 0Z",
    colour=GREEN,
    tint="#d4e0d1",
    far="M0 38V31h6v-3h7v4h6v-5h9v-3h8v-3h8v3h9v-5h8v3H92v-4h9v4h8v-2h7v5h9v-2h7v5h9v-2h9v8Z",
    near=(
        "M58 26V16h4v-3h8C70 3 74 2 76.5 1.5V-1h1V1.5C82 2 86 3 86 13h8v3h4v10Z"
        "M22 36V21h2v-6h1.5L28 3l2.5 12H32v6h2v15ZM0 43V37C20 36 40 29 56 25H100C120 29 134 34 150 36V43Z"
        "M110 30v-7l5-4 5 4v9ZM122 33v-7l5-4 5 4v9ZM134 36v-7l5-4 5 4v9ZM4 38v-6l5-4 5 4v6ZM38 33v-7l5-4 5 4v6Z"
    ),
    fine="M119 20v-4M131 23v-4M143 26v-4M47 23v-4M13 29v-4",
    lights="M60 19h12M82 19h14M60 22h12M82 22h14M28 18v5M115 25v4M127 28v4M139 31v4M43 27v4M44 38h12M70 34h18M96 37h14",
    looks_right=False,
    people=(
        "shaven round black freckled, handlebar straight fair spectacled, curtain hooked red, "
        "imperial snub brown stern, chops round grey, walrus snub red stern, shaven hooked black, "
        "chops straight brown, full hooked white stern, curtain round grey spectacled, chops snub white stout"
    ),
)

CHICAGO = City(
    letter="C",
    badge="M0-18L5.2-9H15.6L10.4 0L15.6 9H5.2L0 18L-5.2 9H-15.6L-10.4 0L-15.6-9H-5.2Z",
    colour=OCHRE,
    tint="#f0e2ba",
    far="M0 36V29h9v-4h8v3h26v-4h9v4h8v-5h8v5h50v-4h8v3h9v4h15v5Z",
    near=(
        "M10 36V26h1v-3h3v3h6v-3h4V12h-1V8h2v2h2V8h1C28 4 34 4 34 8h1v2h2V8h2v4h-1v11h4v3h6v-3h3v3h1v10Z"
        "M62 36V17l5-3V7l5-3h14l5 3v7l5 3v19ZM98 36V21l4-3v-5l4-3h8l4 3v5l4 3v15ZM55 36V10h4v26Z"
        "M126 37h22c-1 3-3 4-5 4h-13c-2 0-3-2-4-4Z"
    ),
    fine="M57 9q-2-5 3-8M133 37V14M142 37V17M132 18Q130 29 126 35H132ZM141 20Q137 30 134 35H141ZM143 21l5 14h-5",
    lights="M31 14v6M15 31h8M39 31h8M66 20h26M66 25h26M66 30h26M79 8v4M101 23h18M101 28h18M101 33h18",
    looks_right=True,
    people=(
        "shaven snub brown, chops straight fair, pencil hooked black stern, full snub red, "
        "handlebar round grey stern, walrus straight black stern, handlebar snub red, walrus hooked fair, "
        "imperial round black stern, full straight grey, imperial round grey stout"
    ),
)
CITIES = (NEW_YORK, PHILADELPHIA, BOSTON, CHICAGO)


# --- the hand of the engraver -----------------------------------------------------------------------------------------


def printed(colour: str, *parts: str) -> str:
    """A card, drawn with one pen: what a part does not say holds for all, which keeps the cards small."""
    lines = {"stroke": INK, "stroke_width": 1.4, "stroke_linecap": "round", "stroke_linejoin": "round"}
    lettering = {"font_family": pen.LETTERS, "font_weight": 700, "text_anchor": "middle"}
    return pen.card(group(*parts, fill="none", color=colour, **lines, **lettering))


def mass(d: str, fill: str, width: float | None = None) -> str:
    """A shape in a tint."""
    return element("path", d=d, fill=fill, stroke_width=width)


def flat(d: str, fill: str, **more: object) -> str:
    """A shape without an outline."""
    return element("path", d=d, fill=fill, stroke="none", **more)


def stroke(d: str, width: float = 0.7, colour: str | None = None, **more: object) -> str:
    return element("path", d=d, stroke_width=width, stroke=colour, **more)


def cord(d: str, width: float = 2.2, colour: str = BRASS) -> str:
    """A stroke with an outline of its own."""
    return stroke(d, width + 1.6) + stroke(d, width, colour)


def dots(places: str, r: float, colour: str | None = None) -> str:
    """Round spots, each the two round ends of a stroke without length."""
    return stroke("".join(f"M{place}h0" for place in places.split(", ")), 2 * r, colour)


def buttons(places: str, r: float = 3.2) -> str:
    return dots(places, r + 0.9) + dots(places, r, BRASS) + moved(-r / 3, -r / 3, dots(places, r / 4, PAPER))


def hatch(*bands: str) -> str:
    """The path of hatching in bands, "7 from CURVE to CURVE", a curve by start, bend, end; no evener than by hand."""
    d = ""
    for band in bands:
        count, *ends = re.split(" from | to ", band)
        curves = [[float(at) for at in curve.split()] for curve in ends]
        for at in range(int(count)):
            x, y, *bends = (round(a + (b - a) * at / (int(count) - 1)) for a, b in zip(*curves, strict=True))
            d += f"M{x} {y}q" + " ".join(str(to - start) for to, start in zip(bends, (x, y, x, y), strict=True))
    return d.replace(" -", "-")


def shade(*bands: str, colour: str | None = None) -> str:
    return stroke(hatch(*bands), colour=colour)


def letters(x: float, y: float, words: str, size: float, fill: str = INK, **more: object) -> str:
    return element("text", words, x=x, y=y, font_size=size, fill=fill, stroke="none", **more)


def badge(city: City, x: float, y: float, size: float, words: str) -> str:
    """The city's badge in brass; its lettering stays readable where the figure is seen in a mirror."""
    mirrored = "scale(-1 1)" if city.looks_right else None
    return moved(x, y, mass(city.badge, BRASS), letters(0, 7, words, 20, transform=mirrored), size=size)


# --- heads ------------------------------------------------------------------------------------------------------------

NOSES = {
    "snub": "M-14-9C-14-2-19 4-23 5C-27 8-25 14-19 13C-16 16-10 15-9 10",
    "straight": "M-14-11C-14-3-20 5-25 10C-26 15-22 16-18 15C-15 18-9 16-9 11",
    "hooked": "M-13-13C-20-8-26 2-27 11C-27 16-23 15-20 14C-16 19-9 16-9 10",
    "round": "M-14-9C-14-4-17 0-21 1C-29 2-30 14-22 16C-17 19-8 18-8 10C-8 7-10 5-12 5",
}
# each an outline and its strands
HANDLEBAR = (
    "M-15 20C-22 16-29 25-39 17C-38 29-24 33-15 26C-4 34 16 33 25 16C14 24 0 15-15 20Z",
    "M-19 21C-24 25-29 26-34 24M-11 22C-3 26 8 28 18 23M-8 20C0 23 8 25 14 23",
)
BEARDS = {
    "shaven": ("", ""),
    "pencil": ("M-15 21C-20 19-25 24-30 24S-19 27-15 24C-9 27 3 29 10 23S-8 18-15 21Z", "M-11 23Q-3 26 5 24"),
    "handlebar": HANDLEBAR,
    "imperial": (
        HANDLEBAR[0] + "M-18 38C-20 46-16 60-11 66C-6 60-2 46-5 37C-9 41-14 41-18 38Z",
        HANDLEBAR[1] + "M-15 43C-15 50-13 55-12 60M-8 43C-7 50-8 55-10 60",
    ),
    "walrus": (
        "M-15 17C-24 16-31 26-32 40C-26 35-20 34-15 35C-6 34 6 37 17 43C18 29 4 15-15 17Z",
        hatch("3 from -20 20 -26 27 -28 34 to -15 20 -18 26 -18 33", "4 from -11 20 -8 27 -9 33 to 1 22 9 28 13 38"),
    ),
    "chops": (
        "M-30 2C-28 12-28 18-23 22C-25 36-32 38-36 30C-38 20-36 10-30 2Z"
        "M22-18C20 0 17 14 3 21C-1 26 2 36 10 41C24 46 37 28 38 8L30 10L28-14Z",
        hatch("6 from 7 24 13 30 14 37 to 25 0 30 8 34 16") + "M-31 14C-33 20-33 26-32 31",
    ),
    "full": (
        "M24-16C23 2 18 13 5 18C-4 14-10 15-15 17C-21 14-27 17-30 12C-37 24-36 46-28 58C-21 69-8 74 6 68"
        "C26 60 39 34 38 8L30 10L28-14ZM-23 30C-19 26-9 26-3 30C-8 35-18 36-23 30Z",
        hatch("7 from -29 34 -29 48 -21 60 to 4 40 10 52 7 64", "5 from 8 36 17 46 15 58 to 27 6 33 18 32 32")
        + "M-18 19C-23 20-26 23-27 26M-12 19C-4 20 1 22 4 26M-20 30H-6",
    ),
    "curtain": (
        "M24-16C26 6 23 24 11 36C2 43-14 45-25 36L-31 20C-36 34-35 50-27 59C-18 69 2 71 15 61"
        "C30 49 39 29 38 8L30 10L28-14Z",
        hatch("7 from -29 36 -30 48 -24 56 to 7 42 14 50 13 57", "4 from 14 36 22 42 21 51 to 27 6 33 16 33 28"),
    ),
}
SPECTACLES = cord("M-8-3a12 10 0 1 1 24 0a12 10 0 1 1-24 0q-3-6-7 0a9 10 0 1 1-18 0a9 10 0 1 1 18 0M16-5l14-3", 1.2)


def eyes(hair: str, stern: bool) -> str:
    brows = "M-6-15C-1-22 10-22 18-13C10-17 1-17-6-15ZM-15-15C-19-21-27-20-31-13C-26-16-20-16-15-15Z"
    if stern:
        brows = "M-8-10C0-19 10-20 19-18C12-13 2-15-8-10ZM-15-10C-20-18-27-19-32-16C-27-13-21-13-15-10Z"
    return (
        mass("M-5-3C-1-10 8-10 13-3C8 1 0 1-5-3ZM-29-3C-27-9-20-9-17-3C-20 1-26 1-29-3Z", WHITE, 0.7)
        + stroke("M-6-3C-1-11 8-11 14-3M-30-3C-27-10-20-10-16-3", 1.7)
        + dots("2 -4, -24 -4", 2.7)
        + dots("1 -5, -25 -5", 0.8, PAPER)
        + stroke("M-6 3C-3 5 4 5 8 2M15-6L19-8M15-3L19-3", 0.6)
        + mass(brows, hair, 1)
    )


def head(beard: str, nose: str, hair: str, *more: str) -> str:
    """A head in three-quarter view, looking to the left, without its hat."""
    tone, stern = HAIR[hair], "stern" in more
    jaw = "C12 62 36 48 33 20L32-32Z" if "stout" in more else "C8 53 24 42 30 22L32-32Z"
    parts = [
        mass("M20-34L37-34C46-20 45 8 37 26C34 30 32 28 29 24Z", tone),
        mass("M-28-32C-31-20-31-14-29-8C-28-4-32 2-32 10C-32 20-30 28-26 35C-23 44-17 52-6 53" + jaw, SKIN, BOLD),
        dots("11 13, 15 13", 6.5, BLUSH) + dots("-28 13", 3.5, BLUSH),
        shade("6 from 24 2 24 20 12 38 to 32 16 28 34 6 51", colour=UMBER),
        shade("13 from -30 -28 -29 -20 -27 -17 to 20 -30 22 -22 20 -14", colour=UMBER),
        mass("M20-34L34-34C36-24 36-16 33-12C30-14 28-8 27 2C23-6 21-18 20-34Z", tone),
        mass("M29-5C33-14 42-11 40 0C39 9 35 17 29 14Z", SKIN),
        stroke("M32-4C36-7 38-2 35 4M33 6C35 6 35 9 33 10", 0.8),
        eyes(tone, stern),
    ]
    if beard in ("shaven", "curtain", "chops"):
        lips = "M-23 29C-17 28-10 27 1 29" if stern else "M-23 27C-17 28-10 31 2 25"
        parts.append(stroke(lips, 1.6) + stroke("M-17 35C-13 37-8 37-4 34M3 21C5 24 5 27 4 29", 0.8))
    if "freckled" in more:
        parts.append(dots("7 10, 12 15, 16 9, -28 11, -25 15, 19 15", 0.8, VERMILION))
    outline, strands = BEARDS[beard]
    if outline:
        parts += [mass(outline, tone), stroke(strands)]
    parts += [mass(NOSES[nose], SKIN), stroke("M-19 12C-17 10-15 12-15 13", 0.9)]
    if "spectacled" in more:
        parts.append(SPECTACLES)
    return "".join(parts)


# --- what they wear ---------------------------------------------------------------------------------------------------

BRIM = "M-50-24C-53-33-44-36-36-31C-16-40 20-39 40-29C48-32 56-29 53-21C46-14 36-23 16-26S-24-27-37-20S-49-18-50-24Z"


def top_hat(felt: str, band: str) -> str:
    return (
        mass("M-32-28C-31-52-36-72-39-88C-20-95 28-95 45-86C41-70 39-50 40-26C20-36-14-37-32-28Z", felt, BOLD)
        + mass("M-39-88C-30-99 34-99 45-86C28-92-20-93-39-88Z", felt)
        + shade("7 from 16 -88 16 -66 18 -46 to 42 -84 38 -62 38 -44")
        + stroke("M-28-84C-26-70-24-60-24-50M-22-86C-20-72-19-64-19-54", 1, PAPER)
        + mass("M-32-30C-16-40 20-39 40-28L40-42C20-52-16-52-34-44Z", band)
        + mass(BRIM, felt, BOLD)
    )


def shoulders(fill: str) -> str:
    """A bust to the sides and the sill of the picture, the far arm and the near one."""
    d = "M-75 119L-75 98C-74 84-66 76-52 70C-38 64-28 58-24 44L28 40C34 56 48 62 60 68C71 74 75 82 75 96L75 119Z"
    folds = shade(
        "9 from 38 62 47 76 42 92 to 66 72 74 90 72 114",
        "5 from 14 72 26 90 26 118 to 32 72 40 88 36 118",
        "4 from -70 84 -66 96 -68 116 to -56 80 -52 96 -55 116",
    )
    return mass(d, fill, BOLD) + stroke("M-54 86C-50 96-50 106-51 119M46 84C40 96 38 108 38 119", 1.2) + folds


def lapels(coat: str, waistcoat: str, cravat: str) -> str:
    """A civilian's coat open over waistcoat, shirt and cravat."""
    return (
        mass("M-24 46C-34 70-34 96-26 119L8 119C20 96 28 66 30 42Z", waistcoat)
        + mass("M-24 46C-24 64-18 78-14 86C0 78 20 64 30 42Z", PAPER)
        + dots("-15 95, -15 108", 2)
        + mass("M-25 40C-30 52-26 60-20 66L-11 58L6 66C20 60 34 52 31 34C16 54-10 54-25 40Z", PAPER)
        + mass("M-14 60C-24 56-32 62-30 70C-26 74-18 72-12 68C-4 76 8 76 12 66C12 58 0 56-8 60Q-11 62-14 60Z", cravat)
        + stroke("M-14 60Q-16 64-12 68M-8 60Q-6 64-12 68", 1)
        + mass("M-26 52C-44 60-46 76-44 84L-34 88L-38 94C-34 104-30 112-27 119L-44 119C-54 100-56 76-26 52Z", coat)
        + mass("M31 46C42 58 46 74 40 86L29 88L32 96C24 106 16 114 8 119L34 119C50 104 60 72 31 46Z", coat)
    )


HELMET = (
    mass("M-33-24C-38-54-25-80-1-86C26-89 43-58 41-22C20-34-14-34-33-24Z", SERGE, BOLD)
    + shade("6 from 12 -84 30 -66 29 -42 to 27 -76 42 -56 40 -36")
    + stroke("M-24-66C-28-56-29-48-28-42", 1, PAPER)
    + stroke("M-34-34C-14-45 20-45 41-32", 2.4, BRASS)
    + mass("M-46-14C-42-28-22-36 4-36C28-36 46-27 53-12C38-23 18-27 0-27C-18-27-34-22-46-14Z", CLOTH, BOLD)
    + mass("M-7-86C-6-94 6-95 8-87C3-84-3-84-7-86Z", BRASS)
)
KEPI = (
    mass("M-33-28C-36-40-42-50-43-60C-22-70 14-72 28-64C36-54 39-38 39-24C20-34-14-36-33-28Z", CLOTH, BOLD)
    + mass("M-43-60C-46-70-14-79 8-77C24-75 31-68 28-64C12-71-22-69-43-60Z", SERGE)
    + shade("6 from 14 -67 24 -56 25 -44 to 28 -62 36 -50 38 -38")
    + mass("M-33-28C-14-36 20-34 39-24L38-36C20-45-14-48-36-41Z", SERGE)
    + stroke("M-36-41C-14-48 20-45 38-36", 2, BRASS)
    + mass("M-34-30C-50-26-57-14-51-9C-38-18-14-23 12-28C-6-34-22-35-34-30Z", INK)
    + stroke("M-47-17C-38-23-24-27-12-28", 0.8, PAPER)
)
BRAIDED_CAP = (
    mass("M-36-42C-50-50-54-62-48-70C-22-84 28-84 45-70C50-60 46-48 40-38C20-48-14-50-36-42Z", CLOTH, BOLD)
    + stroke("M-48-68C-22-80 28-80 45-68", 2, BRASS)
    + mass("M-34-27C-14-36 20-34 39-24L40-39C20-49-14-51-36-43Z", BRASS)
    + shade("6 from 18 -74 30 -64 29 -47 to 38 -70 45 -58 41 -44")
    + shade("9 from -30 -31 -27 -40 -22 -46 to 32 -30 35 -36 38 -40")
    + mass("M-34-29C-51-25-59-12-53-7C-40-17-14-22 12-27C-6-33-22-34-34-29Z", INK)
    + stroke("M-51-12C-40-20-22-25-6-27", 1.8, BRASS)
)
COCKED_HAT = (
    mass("M2-78C14-96 40-92 56-72C68-56 68-40 60-34C56-46 50-50 46-44C42-56 36-58 30-54C26-66 12-68 2-78Z", PAPER)
    + stroke("M8-79C28-82 50-68 58-44" + hatch("8 from 16 -86 20 -78 18 -72 to 60 -60 62 -50 58 -42"))
    + mass("M-35-26C-14-40 20-40 41-24L40-40L-35-40Z", BLACK)
    + mass("M-68-20C-66-34-48-40-39-56S-14-80 2-80S32-70 41-54S66-38 70-22C50-33 22-38 2-38S-48-31-68-20Z", SERGE, BOLD)
    + stroke("M-62-25C-58-36-44-42-35-56C-26-71-14-75 2-75C18-75 28-67 37-52C46-39 60-38 65-26", 2.6, BRASS)
    + shade("6 from 16 -70 24 -56 26 -41 to 26 -62 34 -50 46 -37")
    + stroke("M-12-42L-4-62M-6-42L0-62", 2, BRASS)
)
BOWLER = (
    mass("M-34-28C-37-60-20-76 3-76C29-76 42-54 40-26C18-36-14-37-34-28Z", TWEED, BOLD)
    + shade("6 from 14 -72 32 -58 30 -40 to 28 -64 41 -50 40 -34")
    + stroke("M-22-58C-16-66-8-69-2-69", 1.2, PAPER)
    + mass("M-35-30C-16-40 20-39 40-28L40-40C20-50-16-50-36-42Z", BLACK)
    + mass(BRIM, TWEED, BOLD)
)
LENS = "M-13-3a20 20 0 1 1 40 0a20 20 0 1 1-40 0Z"
# held before the near eye, which it makes enormous
MAGNIFIER = (
    cord("M20 18L40 62", 4, OCHRE)
    + mass(LENS, "#f7ead6")
    + mass("M-8-1C-2-14 16-14 22-1C16 8-2 8-8-1Z", WHITE)
    + stroke("M-9-2C-2-16 16-16 23-2", 2.2)
    + cord("M5-3h0", 12, CLOTH)
    + dots("5 -3", 3)
    + stroke("M3-5h0M-8-10C-5-15 0-18 4-19", 2, PAPER)
    + cord(LENS, 2.8)
    + mass("M24 62C22 54 30 48 36 50C44 48 54 54 56 64C60 76 58 90 50 98L32 94C26 84 24 72 24 62Z", SKIN)
    + stroke("M25 63C32 58 38 60 44 62M25 71C32 67 40 69 46 71M28 80C34 76 40 77 46 79M36 50C40 54 44 56 50 56", 1)
    + mass("M28 92C36 88 48 88 56 94L66 119L26 119Z", TWEED)
    + mass("M28 92C36 88 48 88 56 94L57 99C48 94 36 94 28 98Z", PAPER)
)
UNIFORM = (
    shoulders(CLOTH)
    + mass("M-25 42C-27 50-26 58-22 65C-6 73 18 70 35 58C35 51 33 44 30 37C16 54-10 55-25 42Z", SERGE)
    + stroke("M-24 46C-10 58 16 57 31 41", 1.6, BRASS)
    + shade("5 from 10 58 12 62 12 67 to 30 48 32 52 33 57")
)
TUNIC = UNIFORM + stroke("M-10 54V69C-14 84-16 102-16 119", 1.2) + buttons("-18 78, -21 94, -22 110")
CHEVRONS = cord("".join(f"M41 {y}Q51 {y + 8} 57 {y + 13}Q66 {y + 4} 73 {y - 6}" for y in (80, 90, 100)), 4.2)
GREATCOAT = (
    UNIFORM + stroke("M-10 54V69C-30 72-36 92-36 119", 1.2) + buttons("-27 80, -30 96, -31 112, 6 82, 4 97, 3 112")
)
SHOULDER_STRAPS = mass(
    "M34 59C44 64 56 68 66 75L60 84C50 78 38 74 30 70ZM-31 60C-40 66-52 70-60 74L-57 82C-48 78-38 74-30 68Z", BRASS
) + stroke("M42 65L38 73M49 68L45 76M56 71L52 79", 1.6)
EPAULETTE = (
    cord("".join(f"M{x} {87 + abs(x - 60) // 9}v14" for x in range(46, 74, 4)), 2)
    + mass("M32 60C44 60 56 64 66 70C73 74 75 84 73 90C64 84 54 84 44 90C42 82 38 74 32 68Z", BRASS)
    + stroke("M40 66C50 68 60 72 67 82M46 84C54 79 64 79 70 84")
)
AIGUILLETTE = cord("M48 78C36 92 14 96-6 84M46 84C34 104 10 108-8 92")
DRESS_COAT = GREATCOAT + AIGUILLETTE + EPAULETTE + moved(-1, 2, EPAULETTE, mirror=True)
CHECKED_COAT = (
    shoulders(TWEED)
    + shade("6 from 42 80 56 82 72 92 to 40 112 56 112 74 116")
    + shade("6 from -70 86 -60 82 -48 84 to -74 114 -62 110 -46 112")
    + lapels(TWEED, CLOTH, CITY)
)
FROCK_COAT = (
    shoulders(BLACK)
    + lapels(BLACK, PAPER, PAPER)
    + mass("M36 60C26 84 2 106-22 119L-2 119C18 108 40 88 50 66Z", CITY)
    + stroke("M39 62C28 86 6 106-17 119M47 66C36 88 16 108-6 119", 1.2, BRASS)
)
ERMINE_AND_CHAIN = (
    shoulders(SERGE)
    + lapels(SERGE, CITY, PAPER)
    + mass("M-24 46C-46 54-66 70-62 119L-26 119C-36 100-34 76-24 46Z", PAPER)
    + mass("M30 42C62 52 72 76 62 119L14 119C30 100 38 70 30 42Z", PAPER)
    + stroke("M-55 80l-2 5M-40 62l-2 5M-56 100l-1 5M-46 108l-1 5M56 74l2 5M42 56l2 4M58 92l1 5M50 106l1 5", 1.6)
    + stroke("M-46 66C-50 92-36 106-8 112C28 110 52 92 48 62")
    + buttons("-46 72, -47 84, -42 95, -33 104, 47 68, 46 80, 40 91, 30 101, 18 108", 4)
)


# --- ranks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rank:
    """What one wears below the head and before it, and where the badges are: x, y, size, words."""

    title: str
    coat: str
    hat: str
    badges: tuple[tuple[float, float, float, str], ...] = ()


RANKS = (
    *(Rank(f"Policeman No. {at}", TUNIC, HELMET, ((-11, -57, 1.05, str(at)), (12, 98, 0.7, ""))) for at in range(1, 6)),
    Rank("Sergeant", TUNIC + CHEVRONS, KEPI, ((-14, -54, 0.7, ""),)),
    Rank("Detective", CHECKED_COAT, BOWLER + MAGNIFIER),
    Rank("Captain", GREATCOAT + SHOULDER_STRAPS, BRAIDED_CAP, ((-14, -59, 0.8, ""),)),
    Rank("Chief", DRESS_COAT, COCKED_HAT, ((-4, -60, 0.8, ""),)),
    Rank("Commissioner", FROCK_COAT, top_hat(BLACK, BLUE), ((57, 98, 0.8, ""),)),
    Rank("Mayor", ERMINE_AND_CHAIN, top_hat(BEAVER, CITY), ((-8, 100, 1, ""),)),
)


def bust(city: City, rank: int) -> str:
    look = RANKS[rank - 1]
    person = city.people.split(", ")[rank - 1].split()
    badges = (badge(city, x, y, size, words or city.letter) for x, y, size, words in look.badges)
    return moved(MIDDLE, 132, look.coat, head(*person), look.hat, *badges, mirror=city.looks_right)


# --- the boys ---------------------------------------------------------------------------------------------------------

BOYS_HEAD = (
    mass("M-33-8C-42-30-30-50 0-50C30-50 42-30 33-8L28 6L-28 6Z", HAIR["fair"])
    + mass("M-29 0C-36-6-40 2-37 9C-35 15-31 16-28 13ZM29-2C36-8 40 0 37 8C35 14 31 15 28 12Z", SKIN)
    + mass("M-30-20C-33-2-33 14-27 26C-21 38-12 46-3 46C8 46 20 38 26 26C33 14 33-4 30-22Z", SKIN, BOLD)
    + dots("-22 18, -21 18, 17 18, 19 18", 7, BLUSH)
    + shade("6 from 23 4 23 22 12 36 to 30 8 28 28 8 44", colour=UMBER)
    + mass("M-24 3C-21-5-12-5-9 3C-13 7-20 7-24 3ZM4 3C7-5 17-5 20 3C16 7 8 7 4 3Z", WHITE, 0.8)
    + stroke("M-25 3C-21-6-12-6-8 3M3 3C7-6 17-6 21 3M-5 9C-9 14-10 17-6 18C-3 20 0 19 1 16", 1.6)
    + dots("-17 2, 11 2", 3.4)
    + dots("-18 .6, 10 .6", 1, PAPER)
    + stroke("M-26-9C-21-14-14-13-9-9M4-9C9-13 16-14 22-9", 2.2, HAIR["brown"])
    + mass(
        "M-34 2C-40-20-34-38-20-44L24-46C36-38 40-20 34 0C30-6 29-12 28-18C25-14 22-12 18-11C19-15 18-18 17-21"
        "C12-15 6-13 0-13C2-17 2-20 1-23C-6-16-12-13-18-12C-17-15-18-18-19-20C-24-14-30-8-34 2Z",
        HAIR["fair"],
    )
    + shade("6 from -30 -10 -32 -24 -22 -36 to -2 -18 2 -26 2 -34")
    + shade("4 from 16 -17 15 -26 12 -34 to 31 -8 33 -24 26 -36")
)
STRAW_HAT = (
    mass("M-32-44C-36-58-34-70-30-76C-14-84 18-84 32-78C36-70 37-58 34-46Z", STRAW, BOLD)
    + mass("M-33-46C-35-52-35-58-34-62C-14-70 18-70 36-63C37-58 36-52 35-48Z", BLUE)
    + mass("M-61-31C-66-50-34-60 0-60S67-48 62-29C54-25 46-43 0-43S-54-27-61-31Z", STRAW, BOLD)
    + stroke("M-57-35C-52-49-28-55 0-55S54-49 58-33M-50-36C-42-45-24-49 0-49S44-45 50-35")
    + shade("5 from 20 -79 24 -76 24 -70 to 32 -76 36 -72 36 -66")
)
JACKET = (
    mass("M-75 119L-74 96C-70 80-52 68-30 60L30 58C50 64 66 76 75 98L75 119Z", CLOTH, BOLD)
    + stroke("M-48 82C-44 94-44 108-46 119M-5 70C-6 90-6 104-6 119", 1.2)
    + mass("M44 74C36 88 34 104 40 119L75 119L75 98C70 86 58 76 44 74Z", CLOTH)
    + shade("7 from 16 78 30 92 28 118 to 34 74 40 88 34 118", "6 from -70 90 -66 100 -68 118 to -54 78 -48 96 -52 118")
    + buttons("-17 92, -18 110, 6 92, 6 110", 2.6)
)
COLLAR_AND_BOW = (
    mass("M-28 38C-46 46-54 58-52 72C-36 80-16 78-4 66C10 78 34 78 50 68C50 54 42 44 26 36C16 52-16 54-28 38Z", PAPER)
    + stroke("M-48 68C-34 74-18 72-8 62M2 62C12 72 32 72 46 64")
    + mass("M-4 62C-16 50-30 54-28 64S-16 74-4 66S22 72 22 62S8 52-4 62ZM-8 66l-8 18 8-3 4-13 6 13 8 2L0 66Z", BLUE)
)
# what tells the one from the other: locket, curl and closed smile; patched elbow, freckles and a gap in the grin
LOCKET = "M0-10C-6-18-17-12-15-2C-13 6-5 10 0 16C5 10 13 6 15-2C17-12 6-18 0-10Z"
STITCHES = "M-8-16l-1 6M-1-17v6M6-18v6M10-8l7-1M11-1h7M12 6h7M7 9l1 7M0 10v7M-7 11v6M-16 8l6-1M-17 1l6-1M-17-6h6"
PATCH = mass("M-14-12L12-15L15 12L-12 14Z", TWEED) + stroke(STITCHES, 1.2)
MARKS_OF_THE_HEIR = (
    mass("M1-24C-10-20-12-4-3-3C4-3 5-12-1-12C-3-12-4-10-3-8C2-10 8-16 10-22Z", HAIR["fair"])
    + stroke("M-15 29C-8 35 2 35 9 28M-17 28L-13 30M7 27L11 29", 1.6)
    + cord("M-36 75C-28 88-16 92-5 95C8 92 20 86 30 74", 1)
    + moved(-5, 103, mass(LOCKET, BRASS), stroke("M-9-2C-9-6-5-8-3-5", 1.6, PAPER), size=0.8)
)
MARKS_OF_THE_WRONG_BOY = (
    mass("M-17 27C-8 31 2 31 11 26C9 38-13 40-17 27Z", WHITE)
    + flat("M-6 30h6v5h-6Z", INK)
    + dots("-25 14, -20 17, -15 13, 14 13, 18 17, 23 13", 0.9, VERMILION)
    + moved(60, 99, PATCH, turn=-10, size=0.72)
)
HANDBILL = (
    flat(STRIP, STRAW)
    + letters(MIDDLE, 267, "for his recovery a large", 11, font_weight=400, font_style="italic")
    + letters(MIDDLE, 287, "REWARD", 20, letter_spacing=5)
)


# --- frame and index --------------------------------------------------------------------------------------------------


def arch(sill: float, edge: float = 0) -> str:
    r = RADIUS + edge
    return f"M{LEFT - edge:g} {sill + edge:g}v{SPRING - sill - edge:g}a{r:g} {r:g} 0 0 1 {2 * r:g} 0V{sill + edge:g}Z"


def ruled(x: float, top: float, foot: float, width: float, colour: str = CITY) -> str:
    """An upright band of fine level lines, which are the dashes of one broad stroke."""
    return stroke(f"M{x:g} {top}V{foot}", width, colour, stroke_dasharray=".4 3.6", stroke_linecap="butt")


def sky(tint: str, sill: float = SILL) -> str:
    """The ground behind a figure, ruled."""
    d = ""
    for y in range(SPRING - 72, SPRING, 4):
        half = round(sqrt(RADIUS**2 - (SPRING - y) ** 2))
        d += f"M{MIDDLE - half:g} {y}h{2 * half}"
    return flat(arch(sill), tint) + stroke(d, 0.4, CITY) + ruled(MIDDLE, SPRING, sill, RIGHT - LEFT)


def skyline(city: City) -> str:
    """The city along the foot of the picture."""
    lights = stroke(city.lights, 1.3, PAPER, stroke_dasharray="2.2 1.4", stroke_linecap="butt")
    far = flat(city.far, CITY, fill_opacity=".35")
    return flat(STRIP, PAPER) + moved(LEFT, SILL, far, flat(city.near, CITY), stroke(city.fine, 0.9, CITY), lights)


def index(words: str, sign: str) -> str:
    """At both ends; two characters are set narrower, to stand over their sign."""
    narrow = {"textLength": 36, "lengthAdjust": "spacingAndGlyphs"} if len(words) > 1 else {}
    return pen.both_ends(
        letters(30, 51, words, 48 if words.isdigit() else 40, INK, **narrow) + moved(30, 74, sign, size=0.9)
    )


def framed(picture: str, title: str, bar: str = f"M{LEFT} {SILL}H{RIGHT}", size: float = 15.5) -> str:
    words = letters(MIDDLE, 319, title, size, font_weight=400, letter_spacing=0.5)
    return picture + stroke(arch(FOOT) + bar, 2) + stroke(arch(FOOT, 3.5)) + words


# --- the views --------------------------------------------------------------------------------------------------------


def sail(x: float, y: float, half: float) -> str:
    """A square sail under its yard, full of wind."""
    d = f"M{-half:g} 0h{2 * half:g}q7 12 3 25q{-half - 3:g}-6 {-2 * half - 6:g} 0q7-13 3-25Z"
    return moved(x, y, mass(d, PAPER), moved(half, 0, shade("3 from -6 2 1 12 -3 21 to -1 2 6 12 1 23")))


def ship() -> str:
    masts = ((80, 134), (106, 118), (131, 130))
    spars = "".join(f"M{x} 240V{top - 6}" for x, top in masts)
    return (
        stroke(spars + "M150 232L184 214M57 229L80 136L106 120L131 132L183 214", 1.2)
        + mass("M138 150L178 212L143 222Q148 186 138 150Z", PAPER)
        + "".join(sail(x, top + at * 29 + 4, 9 + at * 2.5) for x, top in masts for at in range(3))
        + flat("M80 128l-14 3 14 4ZM106 112l-14 3 14 4ZM131 124l-14 3 14 4Z", VERMILION)
        + mass("M56 228Q66 239 84 239H134Q150 237 158 224Q155 254 138 262H78Q60 254 56 228Z", BLACK, BOLD)
        + stroke("M60 240C68 246 76 247 86 247H134C144 246 150 242 155 236", 3, PAPER)
        + stroke("M72 246h66", 2.4, stroke_dasharray="2.4 6")
    )


TRINITY_CHURCH = (
    mass("M176 196V160L186 150L200 160V196ZM145 120L147.5 104L150 120ZM174 120L176.5 104L179 120Z", STONE)
    + mass("M147 196V118H177V196ZM150 118L162 46L174 118Z", STONE, BOLD)
    + mass("M157 184V168Q162 158 167 168V184ZM158 148V136Q162 128 166 136V148Z", SERGE)
    + stroke("M162 46V38M159 41H165M147 126H177M147 154H177M182 188V174M188 188V174M194 188V174", 1.1)
    + shade("4 from 164 66 168 92 168 116 to 162 52 168 86 173 116")
    + shade("4 from 167 128 168 160 167 194 to 176 120 175 160 175 194")
)
# two policemen, who ask on every ship
ROWING_BOAT = (
    cord("M165 264h0M179 264h0", 5.6, SKIN)
    + mass(
        "M160 276Q165 260 171 276ZM174 276Q179 260 185 276ZM160 262Q165 247 170 262ZM174 262Q179 247 184 262Z", SERGE
    )
    + mass("M152 273C160 278 184 278 195 272C193 282 186 285 174 285C162 285 155 282 152 273Z", TWEED)
    + stroke("M168 272L150 288M182 272L166 290", 1.4)
)
WAVES = "".join(f"M{x} {y}q5-4 10 0t10 0" for y in (207, 232, 271, 287) for x in (53 + y % 7, 88 + y % 9, 124, 174))
HARBOUR = (
    sky(STONE, 196)
    + flat("M60 104c-5-8 5-14 12-9c4-9 18-8 20 1c8-3 14 3 10 8Z", PAPER)
    + flat(f"M{LEFT} 196H{RIGHT}V{FOOT}H{LEFT}Z", "#c2d0d8")
    + ruled(MIDDLE, 198, FOOT, RIGHT - LEFT)
    + moved(LEFT, 150, flat(NEW_YORK.far, CITY, fill_opacity=".3"))
    + mass("M50 196V166h12v-8h12v10h14v-12h13v10h12v-16h16v8h18V196Z", STONE)
    + stroke("M56 172v20M68 164v28M82 174v18M95 162v30M108 172v20M121 156v36", 2.4, SERGE, stroke_dasharray="1.5 7")
    + TRINITY_CHURCH
    + stroke(WAVES, 1, CITY)
    + ship()
    + ROWING_BOAT
)
WINDOWS = "".join(f"M{x} 206v12M{x} 228v14" for x in (69, 82, 95, 155, 168, 181))
INDEPENDENCE_HALL = (
    mass("M62 194V166H72V180M178 180V166H188V194", BRICK)
    + mass("M58 198L70 180H180L192 198Z", "#8f8a80", BOLD)
    + mass("M60 198H190V252H60Z", BRICK, BOLD)
    + ruled(MIDDLE, 200, 252, 130, INK)
    + stroke("M60 224H190", 1.4, PAPER)
    + stroke(WINDOWS, 7.4, stroke_linecap="butt")
    + stroke(WINDOWS, 5.4, PAPER, stroke_linecap="butt")
    + stroke(WINDOWS + "M62 184H188M74 180V184M86 180V184M98 180V184M152 180V184M164 180V184M176 180V184")
)
STATE_HOUSE_TOWER = (
    mass("M107 252V144H143V252Z", BRICK, BOLD)
    + ruled(MIDDLE, 148, 252, 36, INK)
    + mass("M111 142V114H139V142ZM115 112V92H135V112ZM121 80V70H129V80ZM116 252V228Q125 216 134 228V252Z", PAPER)
    + mass("M113 92C114 84 119 80 125 80C131 80 136 84 137 92ZM122 70L125 40L128 70Z", STONE)
    + stroke("M125 40V32M120 34h9l-2-2m2 2l-2 2M104 144H146M109 113H141M113 92H137M107 176H143M107 208H143", 1.6)
    + mass("M120 110V102Q125 94 130 102V110ZM117 200V190Q125 180 133 190V200ZM119 252V231H131V252ZM125 231V252", SERGE)
    + cord("M125 128h0", 16, WHITE)
    + stroke("M125 128V122M125 128L129 131", 1.2)
    + shade("4 from 133 146 134 200 133 250 to 142 146 142 200 142 250")
    + shade("3 from 135 116 135 128 135 140 to 139 116 139 128 139 140")
)
TREE = (
    mass("M54 254V230H59V254Z", TWEED)
    + mass("M50 196c10-6 20 2 17 11c9 2 11 14 2 18c2 9-8 14-19 10Z", "#8fa886")
    + shade("4 from 54 204 60 206 62 212 to 54 222 60 226 64 226")
)
STROLLERS = (
    cord("M88 250h0M164.5 254h0", 5.6, SKIN)
    + mass("M78 284C76 272 84 266 88 262C93 266 101 272 100 284ZM86 264L85 255H92L91 264Z", CLOTH)
    + mass(
        "M158 286L159 262C160 257 169 257 170 262L171 286H166L164.5 272L163 286ZM158 252C159 237 170 237 171 252Z",
        SERGE,
    )
    + mass("M76 249C78 238 96 236 102 246Z", VERMILION)
    + stroke("M91 257L95 258L89 242M101 285h10M100 282h8M172 287h10M172 284h8", 1)
)
STATE_HOUSE_SQUARE = (
    sky(STONE, 252)
    + flat("M64 126c-5-8 5-14 12-9c4-9 16-8 18 1c6-3 12 3 8 8ZM152 100q-2-8 8-7c3-8 14-7 16 1q9-1 8 6Z", PAPER)
    + flat(f"M{LEFT} 252H{RIGHT}V{FOOT}H{LEFT}Z", STONE)
    + INDEPENDENCE_HALL
    + STATE_HOUSE_TOWER
    + TREE
    + moved(2 * MIDDLE, 0, TREE, mirror=True)
    + stroke("M117 252L98 294M133 252L152 294M50 252H200M112 264H138M107 275H143M102 286H148", 1)
    + STROLLERS
)


# --- the pack ---------------------------------------------------------------------------------------------------------


def officer(city: City, rank: int) -> str:
    sign = mass(city.badge, CITY) + letters(0, 7, city.letter, 20, INK if city is CHICAGO else PAPER)
    picture = framed(sky(city.tint) + bust(city, rank) + skyline(city), RANKS[rank - 1].title)
    return printed(city.colour, picture, index(str(rank), sign))


def view(code: str, title: str, picture: str) -> str:
    """A City card: of no suit, so in the colour of the odd cards, with a mural crown in the place of a badge."""
    crown = mass("M-14 14C-5 11 5 11 14 14L12-3L15-12H8V-7H3V-13H-3V-7H-8V-12H-15L-12-3Z", BRASS)
    sign = index(code, crown + stroke("M-11 6Q0 2 11 6", 1.6, TWEED))
    return printed(TWEED, framed(picture, f"City card: {title}", bar="", size=11.8), sign)


def boy(code: str, title: str, marks: str, sign: str) -> str:
    figure = moved(MIDDLE, 134, JACKET, BOYS_HEAD, STRAW_HAT, COLLAR_AND_BOW, marks)
    return printed(TWEED, framed(sky(STONE) + figure + HANDBILL, title), index(code, sign))


COVER = "LH"  # the card that stands for the game


def faces(options: Mapping[str, Any]) -> dict[str, str]:
    """The cards by code."""
    return {f"{city.letter}{rank}": officer(city, rank) for city in CITIES for rank in range(1, 12)} | {
        "NY": view("NY", "New York", HARBOUR),
        "PH": view("PH", "Philadelphia", STATE_HOUSE_SQUARE),
        "WB": boy("WB", "The Wrong Boy", MARKS_OF_THE_WRONG_BOY, PATCH),
        "LH": boy("LH", "The Lost Heir", MARKS_OF_THE_HEIR, mass(LOCKET, BRASS)),
    }


def back() -> str:
    """Lockets with keyholes, and stars, in a lattice of brass on Prussian blue."""
    lattice = "M27 0C27 15 39 27 54 27C39 27 27 39 27 54C27 39 15 27 0 27C15 27 27 15 27 0Z"
    stars = "".join(pen.star(x, y, 8, fill=BRASS) for x in (0, 54) for y in (0, 54))
    locket = moved(27, 27, flat(LOCKET, BRASS), flat("M-2.5-2.5a3 3 0 1 1 5 0L4 6H-4Z", BLUE), size=0.7)
    tile = stroke(lattice, 1.2, BRASS, fill="none") + stars + locket
    margin = pen.box(9, 9, 232, 332, "none", PAPER, 14, r=8) + pen.box(9, 9, 232, 332, width=1.1, r=6)
    return pen.tiled(tile, 54, BLUE) + margin + pen.box(16, 16, 218, 318, "none", BLUE, 1.5)
