"""The pack of Tontine: an English pack of the 1780s, its courts cut in block and coloured by stencil."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from ...engine.pack import codes
from ...util import pen
from ...util.pen import (
    HEIGHT,
    INK,
    LETTERS,
    MIDDLE,
    PAPER,
    VERMILION,
    Point,
    box,
    circle,
    element,
    group,
    moved,
    number,
    path,
)
from .pack import CARDS

# --- pips, told by shape first: 100 high around their middle ----------------------------------------------------------


def reflected(d: str) -> str:
    """A path on the other side of its middle line; of commands it knows those that take points only."""
    is_y = cycle((False, True))
    return re.sub(r"-?\d*\.?\d+", lambda at: at[0] if next(is_y) else f"-{at[0]}".replace("--", " "), d)


def twin(d: str) -> str:
    """Left and right; what starts and ends on the middle line is thereby whole."""
    return d + reflected(d)


def whole(d: str) -> str:
    """A shape by its left half, from one end of its middle line to the other: one outline, without a seam."""
    numbers = iter(re.findall(r"-?\d+", d))
    at = next(numbers), next(numbers)
    back = []
    for command in re.findall("[CQL]", d):
        *between, end = [(next(numbers), next(numbers)) for _ in range({"C": 3, "Q": 2, "L": 1}[command])]
        back.append(command + " ".join(" ".join(point) for point in (*reversed(between), at)))
        at = end
    return d + reflected("".join(reversed(back))) + "Z"


PIPS = {
    "C": whole("M0-52C-20-52-30-26-12-10C-26-20-44-10-42 10C-38 32-14 34-6 12C-7 32-12 42-22 50L0 50"),
    "D": whole("M0-54Q-16-24-40 0Q-16 24 0 54"),
    "H": whole("M0 52C-8 28-44 10-45-20C-46-48-10-56 0-26"),
    "S": whole("M0-54C-8-30-44-14-44 14C-44 38-16 40-6 20C-7 34-12 44-20 50L0 50"),
}
SUIT_INKS = {"C": INK, "D": VERMILION, "H": VERMILION, "S": INK}

LEFT, RIGHT, TOP, BOTTOM = 82.0, 168.0, 58.0, 292.0
# how far down the pips stand: in each of the outer columns, and in the middle one
COLUMNS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "2": ((), (0, 1)),
    "3": ((), (0, 1 / 2, 1)),
    "4": ((0, 1), ()),
    "5": ((0, 1), (1 / 2,)),
    "6": ((0, 1 / 2, 1), ()),
    "7": ((0, 1 / 2, 1), (1 / 4,)),
    "8": ((0, 1 / 2, 1), (1 / 4, 3 / 4)),
    "9": ((0, 1 / 3, 2 / 3, 1), (1 / 2,)),
    "10": ((0, 1 / 3, 2 / 3, 1), (1 / 6, 5 / 6)),
}


def pip(suit: str, x: float, y: float, height: float, turned: bool = False) -> str:
    return moved(x, y, path(PIPS[suit], SUIT_INKS[suit], None), size=height / 100, turn=180.0 if turned else 0.0)


def index(rank: str, suit: str) -> str:
    """Rank over pip, narrower, taller and heavier than the face is cut, to be read on the smallest card."""
    tight = -4.0 if len(rank) > 1 else 0.0
    letters = pen.text(tight / 2, 0, rank, 42, SUIT_INKS[suit], weight=700, spacing=tight)
    tall = group(letters, transform="translate(27.5 48) scale(.86 1.18)", stroke=SUIT_INKS[suit], stroke_width=1.2)
    return pen.both_ends(tall + pip(suit, 27.5, 78, 27))


def pip_card(rank: str, suit: str) -> str:
    outer, inner = COLUMNS[rank]
    places = [(x, down) for x in (LEFT, RIGHT) for down in outer] + [(MIDDLE, down) for down in inner]
    return "".join(pip(suit, x, TOP + down * (BOTTOM - TOP), 55, down > 1 / 2) for x, down in places)


# --- cloth: curves, bands and what is stamped on them -----------------------------------------------------------------

# lighter than the inks of those names, so that the lines of the block are seen through them
STENCIL = {"r": VERMILION, "y": "#cf9d45", "u": "#42628c", "w": PAPER, "k": INK, "p": "#e3a893"}
Colours = dict[str, str]
Curve = tuple[Point, Point, Point]


MOTIFS: dict[str, list[Point]] = {
    "lozenge": [(0, -1), (0.75, 0), (0, 1), (-0.75, 0)],
    "chevron": [(-1, -1), (-0.3, -1), (0.6, 0), (-0.3, 1), (-1, 1), (-0.1, 0)],
    "bar": [(-0.3, -1.3), (0.3, -1.3), (0.3, 1.3), (-0.3, 1.3)],
    "tooth": [(-1, 1.2), (0, -1.2), (1, 1.2)],
    "tail": [(0, -1.2), (0.3, -0.3), (0.7, 1), (0, 0.6), (-0.7, 1), (-0.3, -0.3)],
    "drop": [(1.2, 0), (0.3, 0.3), (-1, 0.7), (-0.6, 0), (-1, -0.7), (0.3, -0.3)],
    "cross": [(1.1, 0), (0.25, 0.25), (0, 1.1), (-0.25, 0.25), (-1.1, 0), (-0.25, -0.25), (0, -1.1), (0.25, -0.25)],
    "disc": [(0, 0)],
}


def printed(*parts: str) -> str:
    """What is drawn from blocks; said once for all of it, a stroke is an ink line with round ends."""
    return group(*parts, fill="none", stroke=INK, stroke_linecap="round", stroke_linejoin="round")


def tint(d: str, colour: str, width: float = 1.8) -> str:
    """A shape whose colour the stencil has put a little beside its outline."""
    if colour == PAPER:
        return element("path", d=d, fill=PAPER, stroke_width=width)
    beneath = element("path", d=d, fill=colour, stroke="none", transform="translate(1.2 .9)")
    return beneath + element("path", d=d, stroke_width=width)


def beside(curve: Curve, *reaches: float) -> Curve:
    """The curve that runs beside another one, so far to its right at each of its three points."""
    (ax, ay), (bx, by), (cx, cy) = curve
    first, last = math.atan2(by - ay, bx - ax), math.atan2(cy - by, cx - bx)
    mean = math.atan2(math.sin(first) + math.sin(last), math.cos(first) + math.cos(last))
    turns = zip(curve, (first, mean, last), reaches, strict=True)
    a, b, c = ((x - reach * math.sin(turn), y + reach * math.cos(turn)) for (x, y), turn, reach in turns)
    return a, b, c


def drawn(curve: Curve, start: str = "M") -> str:
    (ax, ay), (bx, by), (cx, cy) = curve
    return f"{start}{number(ax)} {number(ay)}Q{number(bx)} {number(by)} {number(cx)} {number(cy)}"


def strip(curve: Curve, *halves: float) -> str:
    """The outline of a strip along a curve, half as wide as this at its three points; to be closed."""
    back = beside(curve, *(-half for half in halves))
    return drawn(beside(curve, *halves)) + drawn((back[2], back[1], back[0]), "L")


def frieze(curve: Curve, motif: str, size: float, count: int, colour: str) -> str:
    """A motif stamped along a curve."""
    (ax, ay), (bx, by), (cx, cy) = curve
    d = ""
    for at in range(count):
        t = (at + 0.5) / count
        x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * bx + t * t * cx
        y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * by + t * t * cy
        turn = math.atan2((1 - t) * (by - ay) + t * (cy - by), (1 - t) * (bx - ax) + t * (cx - bx))
        cos, sin = size * math.cos(turn), size * math.sin(turn)
        corners = ((x + u * cos - v * sin, y + u * sin + v * cos) for u, v in MOTIFS[motif])
        d += "M" + "L".join(f"{number(u)} {number(v)}" for u, v in corners) + "Z"
    if motif == "disc":
        return element("path", d=d, stroke=colour, stroke_width=1.7 * size)
    return element("path", d=d, fill=colour, stroke="none")


def sheet(written: str) -> dict[str, list[str]]:
    """Drawings by their names, after each its strokes from the lowest to the uppermost.

    A stroke is cloth (a tinted shape) or lines, with colour, width and path, or a band, with colour, width, motif, how
    many of it, and the three points of its curve. After a | it is drawn on both sides of the middle line. The colours
    a, b, c are those of whoever wears it. `like` stands for the strokes of another drawing.
    """
    drawings: dict[str, list[str]] = {}
    strokes: list[str] = []
    for row in written.replace("\n        ", "").strip().splitlines():
        name, _, first = row.partition(": ")
        if first:
            strokes = drawings[name] = []
        words = first or row.strip()
        strokes += drawings[words.removeprefix("like ")] if words.startswith("like ") else [words]
    return drawings


def band(ground: str, width: float, pattern: str) -> str:
    """A woven border along a curve; without a ground, only what is stamped on it."""
    motif, count, points = pattern.split(maxsplit=2)
    ax, ay, bx, by, cx, cy = map(float, points.strip("|").split())
    out = ""
    for side in (1, -1) if points.startswith("|") else (1,):
        curve = ((side * ax, ay), (side * bx, by), (side * cx, cy))
        out += tint(strip(curve, width / 2, width / 2, width / 2) + "Z", ground, 1.2) if ground else ""
        out += frieze(curve, motif, width * 0.3, int(count), PAPER if ground == STENCIL["u"] else INK)
    return out


def stroke(row: str, colours: Colours) -> str:
    kind, colour, width, rest = row.split(maxsplit=3)
    if kind == "band":
        return band(colours.get(colour, ""), float(width), rest)
    once, _, twice = rest.partition("|")
    d = once + twin(twice)
    if kind == "cloth":
        return tint(d, colours[colour], float(width))
    return element("path", d=d, stroke=None if colour == "k" else colours[colour], stroke_width=width)


def draw(strokes: Iterable[str], colours: Colours = STENCIL) -> str:
    return "".join(stroke(row, colours) for row in strokes)


# --- the ace of spades ------------------------------------------------------------------------------------------------

MOTTO = "THE·LAST·ALIVE·TAKES·THE·BOX"
LEAF = "M0 0C4-9 14-11 23-5C17 3 8 5 0 0ZM2-1Q10-5 18-4"
GARTER_EDGES = ((79.5, INK, 1.8), (76.5, PAPER, 0.8), (61.5, PAPER, 0.8), (58.5, INK, 1.8))
BUCKLE = sheet("""
buckle: cloth r 1.7 M-8-4C-9 12-10 22-12 36L-2 44L9 37C9 22 8 10 9-4Z
    lines w .8 M-3 2C-4 14-5 22-7 33L-2 37L4 33C5 22 4 12 5 2Z
    cloth y 1.7 M-15-13L15-13L15 13L-15 13ZM-9-8L-9 8L9 8L9-8Z
    lines k 2 M0-13L0 9M-2 19h0M-2 26h0
""")["buckle"]


def letters_around(r: float, words: str, end: float, size: float, fill: str) -> str:
    """Words on the outside of a circle, as far to the left of its top as to the right."""
    step = 2 * end / (len(words) - 1)
    turns = (f"rotate({number(at * step - end)}) translate(0 {number(-r)})" for at in range(len(words)))
    letters = (element("text", letter, transform=turn) for letter, turn in zip(words, turns, strict=True))
    return group(*letters, font_family=LETTERS, font_size=size, font_weight=700, text_anchor="middle", fill=fill)


def garter() -> str:
    """A strap laid in a ring, lettered, and buckled below."""
    strap = circle(1.2, 0.9, 69, "none", VERMILION, 20)
    edges = "".join(circle(0, 0, r, "none", colour, width) for r, colour, width in GARTER_EDGES)
    return strap + edges + letters_around(64.4, MOTTO, 150, 14, PAPER) + printed(moved(0, 69, draw(BUCKLE)))


def laurel(r: float, lean: float, fill: str, edge: str) -> str:
    """Leaves that rise on the left of a circle from below."""
    turns = (f"rotate({turn}) translate(0 {number(-r)}) rotate({number(lean)})" for turn in range(186, 318, 11))
    leaves = (element("path", d=LEAF, transform=turn) for turn in turns)
    return group(*leaves, fill=fill, stroke=edge, stroke_linejoin="round")


def ace_of_spades() -> str:
    spray = laurel(88, -38, INK, PAPER) + laurel(88, 24, PAPER, INK)
    petal = path("M0 0C-9-4-9-15 0-19C9-15 9-4 0 0Z", INK, PAPER, 1.3)
    rose = "".join(moved(0, 5, petal, turn=at * 72.0) for at in range(5)) + circle(0, 5, 4, PAPER, None)
    wreath = spray + moved(0, 0, spray, mirror=True)
    line = path(PIPS["S"], stroke=PAPER, width=1.4, transform="scale(.86)")
    title = letters_around(104, "TONTINE", 37, 29, INK)
    return moved(MIDDLE, 186, title, wreath, garter(), pip("S", 0, 0, 100), line, rose)


# --- heads: looking left, around the middle of the face; of the hair only its right side, in the colour h -----------

HEADS = sheet("""
half: cloth w 1.7 M-14-22C-17-14-14-8-16-2C-19 8-15 19-7 24C0 28 9 23 14 14C18 5 18-10 16-22Z
    lines p 7.2 M9 7h0
    lines k 1 M-5-9C-6-2-10 4-11.5 7C-12 10-8 10.5-5 9M-15-9Q-12-12-8-9.5M0-10Q6-14 12-9M-8 20.5Q-5 19-2 20.5
    lines k .8 M-14.5-4.5Q-11-7.5-7.5-4Q-11-2-14.5-4.5M0-4.5Q5.5-8.5 11-4Q5-1.5 0-4.5M3 .5Q7 1.5 10-.5M-8 18L-4 18
    lines k 2.8 M-11.5-4.8v.6M5-5v.6
    lines r 1.3 M-11 14Q-8.5 13.2-6.5 14.2Q-4 13-.5 13.8Q-6 17.6-11 14
profile: cloth w 1.7 M-10-22C-13-15-12-11-11-8C-13-3-18 4-19 7C-19 9-16 9-14 9.5C-13.5 11-16 12-15.5 13.5L-13 15
        C-16 16-14.5 18-13.5 19C-15 23-12 26-8 26C1 26 8 22 12 14L17-22Z
    lines p 7.2 M-5 7h0
    lines k 1 M-10-11Q-5-14 1-10M-15 9Q-11 10-11.5 6M-5 21Q2 20 6 15
    lines k .8 M-10.5-4Q-5-8.5-1-4Q-6-1.5-10.5-4M-7 .5Q-4 1.5-1 .5
    lines k 2.8 M-7.5-5v.8
    lines r 1.3 M-14.5 14.4Q-11 14.6-8.5 13.6M-13.5 16.2Q-11.5 16.4-10 15.4
front: cloth w 1.7 |M0-22L-17-22C-19-8-18 4-14 14C-9 22-5 26 0 26
    lines p 7.2 M9 7h0
    lines k 1 M-4-8C-3-2-3 3-5 7Q-4 10 0 9.5Q4 10 4.5 7M-3 20.5Q0 19 3 20.5|M-14-9Q-9-13-4-9.5
    lines k .8 |M-13.5-4.5Q-9-8-4.5-4Q-9-1.5-13.5-4.5M-11 .5Q-9 1.5-6 .5M0 18.6L-2 18.2
    lines k 2.8 M-9-5v.6M9-5v.6
    lines r 1.3 |M0 14.4Q-2 13.2-5.5 13.8Q-2 16.4 0 16.4
forked: cloth w 1.7 M-16 6C-18 22-17 32-13 42Q-8 38-4 30Q1 38 8 43C14 32 17 18 17 2Q13 8 10 13Q5 9-4 11Q-11 9-13 13Z
    lines k .9 M-12 15C-14 24-13 32-12 37M-8 19Q-9 28-9 34M2 19Q4 28 7 37M7 16C10 24 10 30 10 35M12 12Q14 20 12 28
    lines k 1.6 M-12 14Q-7 11-4 13Q1 11 7 15
full: cloth w 1.7 M-16 4C-20 18-20 30-14 36C-10 42-4 44 1 43C12 42 19 26 17 0Q14 8 10 13Q5 9-3 11Q-10 9-13 12Z
    lines k .9 M-14 14q-2 8 2 10t0 8M-9 19q-2 7 2 10t0 9M-3 21q-1 7 2 9t0 10M4 19q0 6 2 8t-1 10M10 14q1 7 1 8t-1 8
    lines k 1.6 M-12 14Q-7 11-3 13Q1 11 7 15
pointed: cloth w 1.7 M-14 20Q-17 28-17 40C-6 38 8 26 14 0Q9 10 4 13Q-2 8-9 11L-13 14L-9 17Q-12 17-14 20Z
    lines k .9 M-12 22Q-14 30-14 35M-8 20Q-9 28-10 34M-3 17Q-3 24-5 31M3 16Q3 21 0 27M8 12Q8 17 5 22
moustache: lines k 1.8 |M-1 12Q-7 10-13 15Q-16 14-17 11
curl: cloth h 1.7 M6-24C24-26 29-10 26 6C25 14 28 19 33 17C37 14 34 9 30 12C31 5 41 6 41 15C41 26 27 31 19 24
        Q11 17 6-24Z
    lines k .9 M15-20C21-8 18 6 20 16Q24 24 32 22M20-18C25-6 21 6 23 14Q26 21 33 19.5
waves: cloth h 1.7 M4-24C22-28 30-16 26-6C23 0 30 6 29 13C28 18 32 22 34 28C38 36 30 42 25 38C29 37 29 33 26 32
        C20 30 12 24 14 12C14 0 10-8 4-24Z
    lines k .9 M13-20C22-14 18-4 20 2C24 10 19 16 24 22C27 26 31 28 31 34M19-20C25-14 22-6 24 0C28 8 24 14 28 20
rolls: cloth h 1.7 M4-24C20-28 30-18 28-8C38-8 38 4 29 4C38 5 37 16 28 16C36 18 34 28 26 27Q13 28 14 10Q14-4 4-24Z
    lines k .9 M28-8C22-9 18-6 19-2Q22 2 29 4C22 3 17 6 19 10Q22 14 28 16C22 15 18 19 20 23M33-2q-4-3-6 0q2 3 4 1
        M32 10q-4-3-6 0q2 3 4 1M31 22q-4-3-6 0q2 2 4 1
fleurons: cloth y 1.7 |M0-60Q-5-56-7-51C-14-52-14-44-8-44Q-10-38-17-34C-21-35-24-38-26-43C-28-48-37-47-35-39
        C-29-37-26-33-24-26Q-12-23 0-23
    band y 10 lozenge 5 -23 -22 0 -16 23 -22
    lines k .9 |M0-24L0-54M-18-28Q-20-34-27-40M-9-26Q-8-32-3-37
arches: cloth a 1.7 |M0-50C-16-58-38-48-24-26Q-12-23 0-23
    band y 7 disc 6 |-21 -27 -32 -56 0 -50
    band y 7 disc 4 0 -24 0 -36 0 -49
    cloth y 1.7 M-5-52a5 5 0 1 1 10 0a5 5 0 1 1-10 0M0-57V-64M-4-61H4
    band y 10 cross 5 -23 -22 0 -16 23 -22
points: cloth y 1.7 |M0-54Q-2-42-5-37Q-12-42-14-51Q-15-40-17-35Q-25-38-30-44Q-29-36-24-26Q-12-23 0-23
    lines k .9 |M0-24L0-44M-22-28L-25-36M-11-25L-13-40
    lines k 5 M0-56h0M-14.5-53h0M14.5-53h0M-31-46h0M31-46h0
    band y 10 bar 8 -23 -22 0 -16 23 -22
leaves: cloth r 1.7 |M0-40C-20-40-24-36-22-24L0-24
    cloth y 1.7 |M0-58Q-14-48-18-34Q-20-46-30-50Q-32-36-24-26Q-12-30-9-24Q-6-32 0-33
    lines k .9 |M-22-29Q-26-36-27-44M0-34L0-52M-5-41L0-36M-4-47L0-42
    band y 10 disc 6 -23 -22 0 -16 23 -22
coronet: cloth y 1.7 |M0-50Q-9-40-13-32Q-17-40-25-44C-26-38-26-34-22-24Q-11-20 0-20
    lines k .9 |M0-23L0-43M-17-26L-21-37
    band y 9 disc 6 -21 -20 0 -14 21 -20
flat cap: cloth a 1.7 M-24-20C-40-34-26-46-6-46C18-50 40-40 28-20Q2-28-24-20Z
    band c 10 lozenge 6 -26 -19 2 -27 30 -19
    cloth w 1.7 M22-22C40-24 54-16 56 0C51-2 50 3 46 0C44 4 40 0 39-3C34-6 26-14 22-22Z
    lines k .9 M-20-24Q-26-34-16-40M-8-25Q-12-36-4-43M6-26Q6-36 10-44M18-24Q22-34 22-40M24-21C36-19 46-12 51-4
        M33-17l-1 6M40-12l0 6M36-19l7-1M43-14l7-1
cocked hat: cloth k 1.7 M-40-30C-26-34-18-46 0-50C18-46 30-34 42-34C36-20 22-16 2-17C-18-14-34-18-40-30Z
    lines w 1 M-35-29C-22-30-16-36 0-44C16-38 28-30 37-31M-30-24Q0-16 32-26
    cloth r 1.2 M-2-42L8-46L16-38L12-28L2-28L-4-35Z
    lines k .9 M16-38L6-37L12-28M2-28L6-37L-4-35M-2-42L6-37L8-46
bonnet: cloth a 1.7 M-25-18C-34-34-22-44-10-40C-8-52 14-54 18-42C32-44 38-28 29-18Q2-24-25-18Z
    lines k .9 M-10-40Q-6-32-8-24M18-42Q12-34 13-24M4-49Q2-36 3-25M-20-36Q-16-28-18-22M27-38Q22-30 23-22
    band b 10 tooth 8 -27 -17 2 -24 31 -17
plumed hat: cloth b 1.7 |M0-52C-18-52-24-40-22-22L0-22
    cloth c 1.7 M-38-16C-30-30 28-32 42-22C36-12 18-20 2-20C-14-20-26-10-38-16Z
    cloth w 1.7 M16-26C36-30 46-44 38-58C34-54 30-58 28-54C24-56 22-50 20-46C16-44 14-34 16-26Z
    lines k .9 M-32-17C-20-26 24-28 36-21M-14-28Q-16-40-8-48M8-29Q12-40 8-50M17-28C26-34 34-44 36-53M24-36l0-10
        M30-43l-1-8M27-39l9-2
neck: cloth w 1.4 M-9 12V31Q1 39 11 31V12
    lines k .7 M-8 29L4 21M-5 32L10 22M0 34L10 27M5 34L10 31
veil: cloth v 1.7 |M0-30Q-12-30-22-24C-40-12-30 14-44 40Q-30 46-18 40L-10 10L0 10
    lines k .9 |M-28-14C-32 4-28 20-36 38M-25 0C-26 16-24 28-28 40
""")


@dataclass(frozen=True)
class Head:
    face: str
    hair: str
    hair_colour: str
    wears: str
    beard: str = ""
    veil: str = ""

    def draw(self, colours: Colours) -> str:
        colours = colours | {"h": STENCIL[self.hair_colour], "v": STENCIL.get(self.veil, "")}
        lock = draw(HEADS[self.hair], colours)
        parts = [draw(HEADS["veil"], colours) if self.veil else "", draw(HEADS["neck"])]
        if self.face != "profile":
            parts += [moved(5 if self.face == "half" else 0, 0, lock, mirror=True), lock]
        parts += [draw(HEADS[self.face]), draw(HEADS.get(self.beard, ()))]
        if self.face == "profile":
            parts += [moved(-4, 0, lock)]
        return "".join(parts) + draw(HEADS[self.wears], colours)


# --- hands and what they hold: around the grip, the arm coming from the right -----------------------------------------

HANDS_AND_THINGS = sheet("""
fist: cloth w 1.7 M14-7L4-11Q-3-15-7-11Q-10-9-8-6C-11-5-11-1-9 0C-11 1-11 5-8 6C-10 7-9 11-5 11L5 10L14 8Z
    lines k .9 M-8-6H1M-9 0H2M-8 6H1M4-11Q0-8-4-9
palm: cloth w 1.7 M14-7L4-4Q2-9-3-10Q-6-9-3-5Q-2-2-4 0L-15-1Q-18 1-14 4Q-6 9 4 8L14 7Z
    lines k .9 M-14 1.5L-4 3M-10 4.5L-2 5.5
pinch: cloth w 1.7 M14-7L6-8Q0-11-6-8Q-10-6-6-4L0-3L-3-1Q-8 0-6 4Q-4 5-3 4Q-5 9-1 9Q0 12 4 10L14 8Z
    lines k .9 M-3 4L3 1M-1 9L5 5M0-3L4-3
stem: lines k 2.4 M0 24C2 10-2-4 0-22
sword: cloth w 1.7 M-5-16L-4-116L0-128L4-116L5-16Z
    lines k .9 M0-18V-116
    cloth k 1 M-3-10H3V16H-3Z
    cloth y 1.7 M-6 20a6 6 0 1 1 12 0a6 6 0 1 1-12 0Z|M0-17C-8-14-20-18-22-10C-12-6-8-11 0-10
sceptre: cloth y 1.7 M-3 36L-2-62H2L3 36ZM-5 38a5 5 0 1 1 10 0a5 5 0 1 1-10 0Z|M0-66C-14-70-16-82-6-84Q-4-92 0-96
    band y 6 disc 2 -7 -64 0 -66 7 -64
    lines k .9 M0-68V-88M-5-81Q-6-74-1-71M5-81Q6-74 1-71M-3-50H3M-3-34H3M-3 22H3
axe: cloth y 1.7 M-3 154V-92H3V154ZM-5-92H5L0-104Z
    cloth w 1.7 M3-84C-8-80-14-74-18-92C-22-76-22-56-15-42C-12-58-8-56 3-54ZM3-80L16-86L13-70L16-56L3-60Z
    lines k .9 M-17-84C-19-70-18-58-15-50M-12-74Q-13-66-11-60
orb: cloth u 1.7 M-16-18a16 16 0 1 1 32 0a16 16 0 1 1-32 0Z
    band y 7 disc 6 -16 -19 0 -13 16 -19
    band y 6 disc 2 0 -34 0 -27 0 -19
    cloth y 1.7 |M0-35L-2.5-35L-2.5-42L-8-42L-8-47L-2.5-47L-2.5-53L0-53
halberd: cloth y 1.7 M-3 154V-64H3V154Z
    cloth w 1.7 M-4-62L-5-78Q0-92 0-112Q0-92 5-78L4-62ZM4-74L18-80L12-68L18-58L4-63ZM-4-76Q-18-80-22-94
        C-28-78-27-58-18-46Q-16-59-4-60Z
    lines k .9 M0-66V-96M-21-84Q-23-68-18-54
    cloth r 1.2 M-3-58C-10-50-6-42-10-34Q-2-38 0-44Q2-38 10-34C6-42 10-50 3-58Z
arrow: lines k 3.4 M0 70V-70
    cloth w 1.7 |M0-96L-9-68L0-74
    cloth r 1.7 |M0 78L-8 86L-8 58L0 48
    lines k .9 M0 78V48M-8 66L0 58L8 66M-8 76L0 68L8 76
leaf: cloth u 1.7 |M0-8C-10-14-22-12-24-24C-16-24-18-30-24-38C-14-38-14-46-14-54C-6-50-2-58 0-68
    lines w 1 |M0-8L0-60M0-22L-14-30M0-36L-9-44
    lines k 2.4 M0-8C2 4-2 12 3 22
pipe: lines k 4.6 M16-3Q-10 2-27 14
    lines w 2.2 M16-3Q-10 2-27 14
    cloth w 1.7 M-25 17C-34 19-37 13-38-3L-26-4C-27 4-25 9-21 11Z
    lines k .9 M-38 2L-26 1M-33-7C-43-15-25-21-33-31C-39-39-25-45-31-55M-28-9C-33-16-21-22-27-30
rose: like stem
    cloth u 1.2 M1 2C8-6 16-4 20 0C14 6 6 6 1 2ZM0 10C-8 2-16 4-19 9C-13 14-5 14 0 10Z
    cloth r 1.7 |M0-52C-10-58-22-48-18-36C-22-24-10-18 0-20
    lines k .9 M-9-36C-10-46 8-48 10-38C10-28-6-28-5-36C-4-41 5-40 4-36M-18-36Q-13-28-6-26M18-36Q14-28 7-26
tulip: like stem
    cloth u 1.2 M0 14C-12 6-14-10-22-18C-24-2-14 14 0 18Z
    cloth r 1.7 |M0-22C-14-24-18-38-14-58Q-8-52-6-46Q-4-56 0-62
    lines k .9 |M-6-46C-9-36-7-28 0-22M0-56L0-30
daisy: like stem
    cloth u 1.2 M0 8C10-4 20-6 24-14C26 0 14 12 0 12Z
    cloth w 1.2 |M0-42C-11-56-6-65 0-65M-4-43C-14-62-30-52-6-40C-32-48-32-28-6-36C-28-30-20-12-4-33M0-33C-9-18-6-12 0-12
    cloth y 1.2 M-7-38a7 7 0 1 1 14 0a7 7 0 1 1-14 0Z
lily: like stem
    cloth u 1.2 M0 12C-12 8-18-2-20-12C-8-10-2 0 0 8Z
    cloth w 1.7 |M0-20C-10-26-12-40-26-46C-20-52-10-50-6-44Q-6-56 0-64
    lines k .9 |M-6-44Q-6-32 0-24M-20-46Q-10-42-6-32
    lines y 1.3 M0-34V-46M-2.5-42V-38M2.5-42V-38
""")

# --- bodies: standing around the middle of the frame; a is a mantle or coat, b a gown or breeches, c trimmings --------

BODIES = sheet("""
shoes: cloth k 1.7 |M-8 304C-18 308-34 310-40 317Q-40 322-34 322L-7 322L-6 304
legs: cloth w 1.7 |M-40 248C-42 270-34 284-37 308L-17 310C-9 290-8 270-6 248
    lines k .9 |M-31 262Q-28 284-31 304M-15 266Q-20 288-21 304
    band y 7 disc 5 |-39 270 -24 277 -9 270
    cloth k 1.7 |M-16 306C-22 302-34 303-37 307C-48 312-58 312-62 318Q-60 322-54 322L-15 322Z
robed: like shoes
    cloth a 1.7 |M0 122L-28 122C-58 124-74 142-77 176C-79 214-72 262-77 308Q-60 314-44 306L0 306
    cloth b 1.7 |M0 126L-22 126C-30 180-36 244-44 306Q-22 312 0 312
    lines k .9 |M-69 190C-67 230-64 270-68 306M-60 206C-58 240-56 276-59 308M-16 214C-18 240-22 270-24 296M-21 226
        C-25 250-30 276-33 296
    band c 18 lozenge 9 0 160 0 220 0 304
    band c 13 tooth 11 -43 300 0 312 43 300
    band w 14 drop 8 |-30 150 -38 230 -51 307
    band y 11 disc 7 -29 208 0 216 29 208
striding: like legs
    cloth a 1.7 M-26 122C-54 124-68 140-72 168C-74 190-68 206-70 230L-40 222L40 230C44 260 50 284 54 308Q66 304 77 309
        C72 260 80 206 77 172C74 140 56 124 26 122Z
    cloth b 1.7 |M0 124L-28 124C-36 150-34 176-31 190C-46 214-54 236-57 252Q-28 268 0 258
    lines k .9 M67 186C67 226 63 270 67 304M58 196C58 226 57 258 61 292|M-24 206C-34 222-40 234-42 246M-15 208
        C-20 224-23 236-24 250
    band c 14 lozenge 8 -56 248 0 268 56 248
    band c 17 chevron 9 0 146 0 200 0 252
    band y 11 cross 7 -33 195 0 204 33 195
    band w 13 drop 8 32 132 50 210 56 307
belled: cloth a 1.7 |M0 122L-26 122C-60 124-75 146-76 186C-78 230-72 280-77 320L0 320
    cloth b 1.7 |M0 184L-15 184C-42 196-62 236-67 314Q-34 321 0 321
    lines k .9 |M-70 220C-71 250-68 290-70 316M-30 208C-46 234-53 268-56 302M-24 206C-36 232-43 264-45 302
    cloth w 1.7 |M0 186L-8 186C-16 226-24 272-28 318Q-14 321 0 321
    band . 15 cross 7 0 200 0 250 0 312
    band . 9 disc 6 |-10 226 -14 266 -18 312
    band c 11 lozenge 11 |-9 186 -23 244 -32 318
    cloth b 1.7 |M0 136Q-14 136-24 124C-32 146-23 168-18 186Q-9 192 0 192
    cloth c 1.7 |M0 141Q-6 141-13 138L-7 190L0 190
    lines k 1.1 |M-9 148L7 156M-8 160L6 168M-7 172L5 180
    band y 10 disc 6 -19 186 0 196 19 186
draped: cloth b 1.7 M-24 124C-34 150-30 172-24 190C-48 220-62 270-66 316Q0 326 66 316Q50 230 22 190Q30 160 24 124Z
    lines k .9 M-26 214C-42 246-50 280-53 306M-17 220C-29 250-36 282-38 310M-6 226C-14 256-20 284-22 312
    band c 13 tooth 12 -65 310 0 322 40 314
    band c 15 lozenge 6 -2 140 -4 168 -4 206
    cloth a 1.7 M20 122C58 122 76 144 77 184C78 232 72 280 77 320L34 320C30 280 8 250-48 228Q-58 216-54 206
        C-30 206 6 196 22 182C30 164 30 142 20 122Z
    lines k .9 M30 186C44 222 52 270 54 316M42 170C60 210 64 266 66 314M22 200C34 226 42 262 44 304M-38 214
        Q-4 212 18 202M-28 222Q0 222 22 216
    band w 13 drop 12 -53 222 24 250 36 319
    band w 11 drop 5 22 126 36 160 20 188
doublet: like legs
    cloth b 1.7 |M0 198L-26 198C-52 204-62 226-52 254Q-32 264-6 256L0 232
    lines c 2.6 |M-38 206C-48 224-46 240-42 256M-26 204C-33 222-33 238-29 258M-13 206C-17 222-17 238-15 256
    band y 9 disc 6 |-51 256 -30 265 -6 257
    cloth a 1.7 |M0 122L-28 122C-44 146-38 176-29 192L-38 212Q-18 222 0 214
    lines k .9 |M-20 140C-26 160-22 178-17 188M-24 200L-28 212M-10 202L-11 213
    band c 15 bar 12 0 140 0 164 0 210
    band c 10 lozenge 7 -30 194 0 203 30 194
coated: like shoes
    cloth w 1.7 |M-30 270L-28 310L-8 310L-4 270
    cloth c 1.7 |M0 190L-28 190C-34 230-36 256-36 280Q-18 287 0 287
    cloth a 1.7 |M-10 124L-28 122C-46 150-38 176-32 190C-52 222-66 260-71 290Q-44 302-22 292C-18 250-14 220-8 196Z
    lines k .9 |M-22 282L-22 304M-14 282L-14 304M-7 214L-7 282M-15 214L-15 280M-32 206C-46 234-53 262-57 284M-24 210
        C-34 236-39 262-41 288
    cloth b 1.7 |M0 126L-10 126L-9 196Q-4 200 0 200
    lines k 4 M0 164h0M0 174h0M0 184h0M0 154h0
    band c 10 chevron 12 |-13 134 -10 200 -27 292
    band y 10 cross 7 -33 192 0 203 33 192
robed collar: cloth w 1.7 |M0 118Q-18 118-32 122C-56 126-66 146-64 166Q-46 160-34 168Q-16 166 0 178
    band . 12 tail 6 -48 138 0 156 48 138
    band . 12 tail 7 -55 153 0 173 55 153
striding collar: cloth c 1.7 |M0 118Q-20 118-38 125Q-18 132-14 150Q-7 154 0 156
    lines k .9 |M-29 125Q-12 130-9 145Q-4 149 0 149
belled collar: cloth w 1.7 |M0 136Q-14 136-26 124Q-18 116-10 118Q-4 124 0 124
    band . 6 disc 9 -16 122 0 142 16 122
draped collar: cloth c 1.7 |M0 140Q-16 140-32 128Q-22 118-10 116Q-4 124 0 124
    band . 9 disc 8 -24 127 0 144 24 127
doublet collar: cloth w 1.7 |M0 141Q-8 147-13 139Q-21 144-24 135Q-36 134-31 123Q-16 116 0 116
    lines k .9 |M-24 135Q-20 127-15 125M-13 139Q-11 131-8 127M0 141L0 128
coated collar: cloth w 1.7 |M0 118Q-14 118-26 124Q-8 130-9 152Q-4 156 0 156
    lines k .9 M-4 132V152M4 132V152M0 134V154
""")
# the colours of the right sleeve and its cuff, then of the left one
SLEEVES = {"robed": "awaw", "striding": "bcbc", "belled": "bcbc", "draped": "awbc", "doublet": "acac", "coated": "acac"}


@dataclass(frozen=True)
class Arm:
    """A sleeve bent around its elbow to where the hand grips, and what it holds there, leaning so many degrees."""

    hand: str
    elbow: Point
    grip: Point
    thing: str = ""
    lean: float = 0.0

    def sleeve(self, colour: str, cuff_colour: str) -> str:
        x, y = self.grip
        turn = self.turn()
        upper, middle, wrist = ((x - back * math.cos(turn), y - back * math.sin(turn)) for back in (22, 17, 12))
        along = ((math.copysign(42, self.elbow[0]), 145.0), self.elbow, wrist)
        outline = strip(along, 18, 17, 12)
        shoulder = f"A18 18 0 0 0 {outline[1:].split('Q')[0]}Z"
        stripes = "".join(drawn(beside(along, 17 * part, 15 * part, 12 * part)) for part in (-0.5, 0.0, 0.5))
        cuff = strip((upper, middle, wrist), 12.5, 14, 15) + "Z"
        return (
            tint(outline + shoulder, colour)
            + element("path", d=stripes, stroke_width=0.9)
            + tint(cuff, cuff_colour, 1.6)
        )

    def hold(self, colours: Colours) -> str:
        turn = math.degrees(self.turn())
        to_left = abs(turn) >= 90
        hand = moved(*self.grip, draw(HANDS_AND_THINGS[self.hand]), turn=turn - 180 * to_left, mirror=not to_left)
        thing = draw(HANDS_AND_THINGS.get(self.thing, ()), colours)
        return moved(*self.grip, thing, turn=self.lean) + hand

    def turn(self) -> float:
        return math.atan2(self.grip[1] - self.elbow[1], self.grip[0] - self.elbow[0])


# what they wear, in which colours, and their heads
COURTS = {
    "KS": ("robed", "ury", Head("half", "curl", "w", "fleurons", "forked")),
    "KH": ("striding", "ruy", Head("front", "waves", "y", "arches", "moustache")),
    "KD": ("striding", "uyr", Head("profile", "curl", "w", "points", "pointed")),
    "KC": ("robed", "rur", Head("half", "waves", "w", "leaves", "full")),
    "QS": ("draped", "ruy", Head("half", "waves", "y", "fleurons", veil="u")),
    "QH": ("belled", "ury", Head("half", "curl", "y", "coronet", veil="w")),
    "QD": ("draped", "uyr", Head("front", "waves", "y", "points", veil="r")),
    "QC": ("belled", "yur", Head("profile", "curl", "y", "leaves", veil="r")),
    "JS": ("doublet", "ury", Head("profile", "curl", "y", "flat cap")),
    "JH": ("coated", "ruy", Head("half", "rolls", "w", "cocked hat")),
    "JD": ("doublet", "yur", Head("half", "waves", "y", "bonnet")),
    "JC": ("coated", "uyr", Head("front", "curl", "y", "plumed hat", "moustache")),
}
ARMS = {
    "KS": (Arm("palm", (72, 210), (22, 214)), Arm("fist", (-74, 216), (-57, 170), "sword")),
    "KH": (Arm("fist", (80, 192), (34, 202)), Arm("fist", (-74, 212), (-50, 186), "sceptre", -8)),
    "KD": (Arm("palm", (72, 202), (14, 188)), Arm("fist", (-54, 214), (-58, 166), "axe")),
    "KC": (Arm("fist", (80, 222), (42, 198)), Arm("palm", (-66, 226), (-36, 192), "orb")),
    "QS": (Arm("palm", (66, 206), (16, 200)), Arm("pinch", (-62, 216), (-52, 164), "tulip")),
    "QH": (Arm("palm", (72, 224), (30, 230)), Arm("pinch", (-72, 222), (-36, 180), "rose", -14)),
    "QD": (Arm("palm", (70, 196), (12, 184)), Arm("pinch", (-70, 206), (-34, 182), "daisy", -24)),
    "QC": (Arm("fist", (78, 196), (26, 206)), Arm("pinch", (-56, 222), (-54, 166), "lily")),
    "JS": (Arm("fist", (82, 188), (34, 200)), Arm("pinch", (-86, 166), (-39, 117), "pipe")),
    "JH": (Arm("palm", (70, 198), (8, 178)), Arm("pinch", (-62, 216), (-50, 164), "leaf")),
    "JD": (Arm("palm", (74, 214), (26, 206)), Arm("fist", (-50, 218), (-49, 168), "halberd")),
    "JC": (Arm("fist", (80, 200), (36, 206)), Arm("fist", (-62, 228), (-54, 184), "arrow")),
}
LOOKING_RIGHT = {"KH", "KC", "QH", "QD", "JH", "JC"}

FRAME = box(47, 23, 156, 304, width=1.8) + box(44, 20, 162, 310, width=0.7)
FLOOR = "M47 302H203M47 312H203" + "".join(f"M{125 + at * 10} 302L{125 + at * 13} 327" for at in range(-6, 7))


def court_card(code: str) -> str:
    body, worn, head = COURTS[code]
    colours = STENCIL | {part: STENCIL[colour] for part, colour in zip("abc", worn, strict=True)}
    sleeves = [colours[part] for part in SLEEVES[body]]
    right, left = ARMS[code]
    figure = draw(BODIES[body], colours) + right.sleeve(*sleeves[:2]) + left.sleeve(*sleeves[2:])
    figure += draw(BODIES[f"{body} collar"], colours) + moved(0, 98, head.draw(colours), size=1.12)
    figure += right.hold(colours) + left.hold(colours)
    return path(FLOOR, width=0.8) + FRAME + moved(MIDDLE, 0, printed(figure), mirror=code in LOOKING_RIGHT)


# --- the pack ---------------------------------------------------------------------------------------------------------


def face(rank: str, suit: str) -> str:
    if rank in COLUMNS:
        picture = pip_card(rank, suit)
    elif rank != "A":
        picture = court_card(rank + suit) + pip(suit, 184, 46, 32)
    else:
        picture = ace_of_spades() if suit == "S" else pip(suit, MIDDLE, HEIGHT / 2, 124)
    return pen.card(picture, index(rank, suit))


COVER = "AS"  # the card that stands for the game


def faces(options: Mapping[str, Any]) -> dict[str, str]:
    """The cards by code."""
    return {code: face(code[:-1], code[-1]) for code in codes(CARDS)}


def back() -> str:
    """A trellis of ink with a vermilion rosette in each of its openings."""
    trellis = path("M0 15.7L15.7 0L31.4 15.7L15.7 31.4Z") + path("M3 15.7L15.7 3L28.4 15.7L15.7 28.4Z", width=0.5)
    petal = path("M0-1.5C-4-4-3.5-8.5 0-10C3.5-8.5 4-4 0-1.5Z", VERMILION, None)
    rosette = "".join(moved(15.7, 15.7, petal, turn=90.0 * at) for at in range(4))
    return pen.tiled(trellis + rosette, 31.4) + box(15.1, 18, 219.8, 314)
