"""The pack of Heraldry: shields charged by number, four crowned heads, four jesters, and a Knight."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...util import pen
from ...util.pen import INK, MIDDLE, PAPER, Point, circle, line, moved, number, path, shape

Polygon = list[Point]
SHADE = "#8d8272"


class Tincture(NamedTuple):
    """A heraldic colour, and the lines Petra Sancta tells it by."""

    fill: str
    lines: str
    angles: tuple[int, ...] = ()
    dotted: bool = False


OR = Tincture("#dcab45", INK, (0,), dotted=True)
ARGENT = Tincture(PAPER, INK)
GULES = Tincture(pen.VERMILION, "#dd8f78", (90,))
AZURE = Tincture(pen.BLUE, "#7d93b3", (0,))
PURPURE = Tincture(pen.AUBERGINE, "#a58aa6", (-45,))
SABLE = Tincture("#3b312a", SHADE, (0, 90))


class Suit(NamedTuple):
    name: str
    sign: str  # drawn ten units high and wide either way
    colour: str  # of its corners
    field: Tincture
    other: Tincture
    outline: str  # the right half of its shield from the top down: points, or curves by three points


# Shields are 152 wide and 196 high around (0, 0); every suit has its own cut.
EARED = "0 -90, 24 -90 44 -98 78 -98, 66 -84 74 -60 75 -30, 78 40 50 80 0 98"
ROUND = "0 -98, 76 -98, 76 10, 76 66 44 98 0 98"
HEATER = "0 -94, 30 -94 50 -96 76 -98, 74 -60 76 -20 76 0, 75 50 42 78 0 100"
BRACED = "0 -98, 64 -98, 65 -92 69 -87 76 -86, 76 62, 76 76 69 82 56 83, 34 84 12 87 0 100"

STAR = "M0 -11L2.6 -3.6L10.5 -3.4L4.2 1.4L6.5 8.9L0 4.4L-6.5 8.9L-4.2 1.4L-10.5 -3.4L-2.6 -3.6Z"
CRESCENT = "M-6 -7.9A9.4 9.4 0 1 0 6 -7.9A6.3 6.3 0 1 1 -6 -7.9Z"
CROSS = (
    "M-4.5 -9.2H4.5Q1.9 -5.4 1.7 -1.7Q5.4 -1.9 9.2 -4.5V4.5Q5.4 1.9 1.7 1.7Q1.9 5.4 4.5 9.2H-4.5"
    "Q-1.9 5.4 -1.7 1.7Q-5.4 1.9 -9.2 4.5V-4.5Q-5.4 -1.9 -1.7 -1.7Q-1.9 -5.4 -4.5 -9.2Z"
)
DIAMOND = "M0 -11Q3.2 -4.4 8.4 0Q3.2 4.4 0 11Q-3.2 4.4 -8.4 0Q-3.2 -4.4 0 -11Z"

SUITS = {
    "S": Suit("Star", STAR, OR.fill, SABLE, OR, EARED),
    "C": Suit("Crescent", CRESCENT, GULES.fill, GULES, ARGENT, ROUND),
    "X": Suit("Cross", CROSS, PURPURE.fill, PURPURE, ARGENT, HEATER),
    "D": Suit("Diamond", DIAMOND, AZURE.fill, AZURE, ARGENT, BRACED),
}


class Arms(NamedTuple):
    """How a number is borne: convex parts of the other tincture, where the charges stand and how large they are."""

    parts: tuple[tuple[Point, ...], ...]
    charges: tuple[Point, ...]
    size: float
    over: tuple[tuple[Point, ...], ...] = ()  # parts of the field again, laid over the others
    bordure: bool = False


def block(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def row(y: float, *places: float) -> tuple[Point, ...]:
    return tuple((x, y) for x in places)


CHEVRON = ((0, -30), (99, 49), (99, 110), (-99, 110), (-99, 49))
UNDER_CHEVRON = ((0, 8), (99, 87), (99, 110), (-99, 110), (-99, 87))
BEND = (((-99, -87), (-63, -117), (99, 77), (63, 107)),)
ACROSS, DOWN = (-99, -25, 25, 99), (-110, -39, 16, 110)
EQUIPOLLENT = tuple(  # five of the nine squares of a chessboard
    block(ACROSS[x], DOWN[y], ACROSS[x + 1], DOWN[y + 1]) for y in range(3) for x in range(3) if (x + y) % 2 == 0
)
ARMS = {
    1: Arms((), ((0, -8),), 54),
    2: Arms((block(-99, -8, 99, 110),), ((0, -53), (0, 38)), 37),
    3: Arms((CHEVRON,), (*row(-58, -40, 40), (0, 55)), 27, over=(UNDER_CHEVRON,)),
    4: Arms((block(0, -110, 99, -8), block(-99, -8, 0, 110)), row(-53, -38, 38) + row(36, -34, 34), 30),
    5: Arms((block(-99, -36, 99, 22),), row(-66, -38, 38) + row(-7, 0) + row(52, -32, 32), 24),
    6: Arms((block(0, -110, 99, 110),), row(-66, -38, 38) + row(-10, -38, 38) + row(47, -32, 32), 24),
    7: Arms(BEND, ((-44, -58), (-3, -9), (38, 40), (18, -68), (53, -26), (-53, 8), (-20, 56)), 19),
    8: Arms((block(-99, -110, 99, -42),), row(-70, -48, 0, 48) + row(-12, -48, 0, 48) + row(43, -28, 28), 21),
    9: Arms(EQUIPOLLENT, row(-66, -49, 0, 49) + row(-11, -49, 0, 49) + row(41, -42, 0, 42), 17.5),
    10: Arms((), row(-60, -47, -16, 16, 47) + row(-23, -33, 0, 33) + row(14, -17, 17) + row(51, 0), 15, bordure=True),
}


# --- shields ----------------------------------------------------------------------------------------------------------


def curve(*pins: Point) -> Polygon:
    """Points along a curve that is given by its start, two pins and its end; without the start."""
    points = []
    for t in (at / 6 for at in range(1, 7)):
        shares = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (sum(share * pin[axis] for share, pin in zip(shares, pins, strict=True)) for axis in (0, 1))
        points.append((x, y))
    return points


def pieces(outline: str) -> list[Polygon]:
    """The points or curves of an outline."""
    rows = ([float(word) for word in piece.split()] for piece in outline.split(","))
    return [list(zip(row[::2], row[1::2], strict=True)) for row in rows]


def cut(suit: Suit, size: float = 1.0) -> Polygon:
    """The outline of a suit's shield."""
    right: Polygon = []
    for piece in pieces(suit.outline):
        right += piece if len(piece) == 1 else curve(right[-1], *piece)
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    return [(x * size, y * size) for x, y in right + left]


def contour(suit: Suit) -> str:
    """The same outline as a path, both halves from the top down."""
    d = ""
    for side in (1, -1):
        for at, piece in enumerate(pieces(suit.outline)):
            d += "M" if at == 0 else "L" if len(piece) == 1 else "C"
            d += " ".join(f"{number(side * x)} {number(y)}" for x, y in piece)
    return d


def common(outline: Polygon, part: tuple[Point, ...]) -> Polygon:
    """What an outline has in common with a convex part that is given clockwise."""
    for (ax, ay), (bx, by) in zip(part, (*part[1:], part[0]), strict=True):
        kept: Polygon = []
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in outline]
        for at, (x, y) in enumerate(outline):
            (px, py), before, here = outline[at - 1], sides[at - 1], sides[at]
            if before * here < 0:
                t = before / (before - here)
                kept.append((px + t * (x - px), py + t * (y - py)))
            if here >= 0:
                kept.append((x, y))
        outline = kept
    return outline


def crossings(outline: Polygon, y: float) -> list[float]:
    """Where a level line goes in and out of an outline, from left to right."""
    return sorted(
        ax + (y - ay) / (by - ay) * (bx - ax)
        for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True)
        if (ay <= y) != (by <= y)
    )


def turned(point: Point, degrees: float) -> Point:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def hatched(outline: Polygon, tincture: Tincture, step: float = 5.8) -> str:
    """The lines or dots of a tincture within an outline."""
    d = []
    for angle in tincture.angles:
        level = [turned(point, -angle) for point in outline]
        for at in range(math.ceil(min(y for _, y in level) / step), math.ceil(max(y for _, y in level) / step)):
            y = (at + 0.5) * step
            ends = crossings(level, y)
            for left, right in zip(ends[::2], ends[1::2], strict=True):
                if tincture.dotted:  # dots stand in quincunx, whatever the outline
                    shift = step * (at % 2)
                    left = math.ceil((left - shift) / (2 * step)) * 2 * step + shift
                if left < right:
                    (ax, ay), (bx, by) = turned((left, y), angle), turned((right, y), angle)
                    d.append(f"M{number(ax)} {number(ay)}l{number(bx - ax)} {number(by - ay)}")
    dots = {"stroke_dasharray": f"0 {number(2 * step)}"} if tincture.dotted else {}
    return path("".join(d), stroke=tincture.lines, width=1.5 if tincture.dotted else 0.7, **dots) if d else ""


def sign(suit: Suit, x: float, y: float, r: float, fill: str = "", width: float = 1.4, turn: float = 0.0) -> str:
    """The emblem of a suit, in its colour if in no other."""
    return moved(x, y, shape(suit.sign, fill or suit.colour, 10 * width / r), size=r / 10, turn=turn)


def charges(suit: Suit, places: list[Point], r: float, fill: str) -> str:
    """The sign at several places, written as briefly as it can be."""
    scale = f"scale({r / 10:g})"
    signs = (pen.element("path", d=suit.sign, transform=f"translate({x} {y}) {scale}") for x, y in places)
    return pen.group(*signs, fill=fill, stroke=INK, stroke_width=number(14 / r), stroke_linejoin="round")


def beneath(point: Point, layers: list[tuple[Polygon, Tincture]]) -> Tincture:
    """The tincture seen at a point, the last layer being uppermost."""
    return [its for part, its in layers if sum(x < point[0] for x in crossings(part, point[1])) % 2][-1]


def shield(suit: Suit, value: int) -> str:
    """A shield of a suit around (0, 0), with as many charges as it counts, each of the tincture it does not lie on."""
    arms, outline = ARMS[value], cut(suit)
    field, other = suit.field, suit.other
    layers = [(outline, other), (cut(suit, 0.86), field)] if arms.bordure else [(outline, field)]
    layers += [(common(outline, part), other) for part in arms.parts]
    layers += [(common(outline, part), field) for part in arms.over]
    drawn = "".join(line(part, 1, closed=True, fill=its.fill) + hatched(part, its) for part, its in layers)
    for tincture in (field, other):
        borne = [at for at in arms.charges if beneath(at, layers) is not tincture]
        drawn += charges(suit, borne, arms.size, tincture.fill)
    shadow = moved(4, 5, path(contour(suit), SHADE, None))
    rim = moved(0, 0, path(contour(suit), PAPER, INK, 0.7), size=1.035)
    return shadow + rim + drawn + path(contour(suit), width=2.2)


# --- what all cards have ----------------------------------------------------------------------------------------------

CROWN_MARK = "M-15 13L-19 -10L-9 0L0 -15L9 0L19 -10L15 13Z"
CAP_MARK = (
    "M-8 14V8C-8 2 -9 -2 -12 -2C-15 -2 -16 1 -16 4H-20C-21 -7 -16 -12 -10 -11C-7 -11 -4 -9 -3 -6"
    "L-2 -14H2L3 -6C4 -9 7 -11 10 -11C16 -12 21 -7 20 4H16C16 1 15 -2 12 -2C9 -2 8 2 8 8V14Z"
)


def both_sides(part: str) -> str:
    """A drawing, and what a mirror in the middle of the card shows of it."""
    return part + moved(2 * MIDDLE, 0, part, mirror=True)


def mark(rank: str) -> str:
    """What stands for the rank in the index."""
    if rank == "C":  # gold, lest it be taken for a cap where it stands on its head
        balls = "".join(circle(x, y, 3.2, INK, None) for x, y in ((-19, -10), (0, -16), (19, -10)))
        return moved(34, 37, shape(CROWN_MARK, OR.fill, 2.6), balls, path("M-14 7H14", width=2))
    if rank == "J":
        bells = "".join(circle(x, y, 4.6, INK, None) for x, y in ((-18, 9), (0, -16), (18, 9)))
        return moved(35, 37, path(CAP_MARK, INK, INK, 1), bells, path("M-7 10H7", stroke=PAPER, width=1.6))
    two = len(rank) == 2
    return pen.text(32.5 if two else 30, 50, rank, 46 if two else 50, weight=700, spacing=-4 if two else 0)


def corner(suit: Suit) -> str:
    """The triangle that the rules tell the suits by."""
    inner = path("M236 56V18Q236 14 232 14H194Z", stroke=PAPER, width=0.7)
    return shape("M241 66V15Q241 9 235 9H184Z", suit.colour, 1.4) + inner + sign(suit, 223.5, 27, 10.5, PAPER, 1.1)


def ribbon(words: str) -> str:
    """A scroll with the name of the card, under what it shows."""
    tail = shape("M70 280L48 283L54 291L49 301L80 299V290Z", pen.SILVER, 1.2)
    fold = shape("M68 293L80 299V291Z", INK, 0.8)
    panel = shape("M54 273Q125 265 196 273V295Q125 287 54 295Z", PAPER)
    return both_sides(tail + fold) + panel + pen.text(MIDDLE, 286.5, words, 13.5)


def laid(suit: Suit, rank: str, name: str, *parts: str) -> str:
    """A card of a suit with its index, corners and ribbon."""
    ends = mark(rank) + sign(suit, 29, 74, 14.5) + corner(suit)
    return pen.card(*parts, ribbon(f"{name} of the {suit.name}"), pen.both_ends(ends))


# --- plates: drawings as rows of words --------------------------------------------------------------------------------

TINTS = {"paper": PAPER, "silver": pen.SILVER, "ochre": pen.OCHRE, "rose": pen.ROSE, "brown": "#6b4a33", "ink": INK}
TINTS |= {"gold": OR.fill, "red": GULES.fill, "blue": AZURE.fill, "purple": PURPURE.fill, "sable": SABLE.fill}
TINTS |= {"none": "none"}
LIGHT = {tincture.fill: tincture.lines for tincture in (AZURE, PURPURE, SABLE)}


def fine(d: str, on: str = PAPER) -> str:
    """Thin lines on a tint, light where it is dark."""
    return path(d, stroke=LIGHT.get(on, INK), width=0.8)


def twin(d: str, fill: str, width: float = 1.6) -> str:
    """A shape on both sides."""
    return both_sides(shape(d, fill, width))


def ball(x: float, y: float, r: float, fill: str, width: float = 1.0) -> str:
    return circle(x, y, r, fill, width=width)


def mail(*rows: float) -> str:
    """Rings in rows: how high, from where, to where."""
    spans = zip(rows[::3], rows[1::3], rows[2::3], strict=True)
    rings = (f"M{x} {y:g}a3 3 0 0 0 6 0" for y, left, right in spans for x in range(int(left), int(right), 6))
    return path("".join(rings), width=0.7)


def lozengy() -> str:
    """A close coat in lozenges."""
    half = curve((100, 148), (84, 152), (76, 160), (74, 176)) + curve((74, 176), (84, 210), (84, 230), (66, 284))
    coat = half + [(2 * MIDDLE - x, y) for x, y in reversed(half)]
    drawn = line(coat, 1.8, closed=True, fill=PAPER)
    for x, y in ((125 + 26 * column, 164 + 38 * down) for down in range(4) for column in range(-2, 3)):
        patch = common(coat, ((x, y - 19), (x + 13, y), (x, y + 19), (x - 13, y)))
        drawn += line(patch, 0.9, closed=True, fill=AZURE.fill) if patch else ""
    return drawn


def put(part: str, x: float, y: float, turn: float = 0.0, size: float = 1.0) -> str:
    return moved(x, y, part, turn=turn, size=size)


def engraved(suit: Suit, plate: str) -> str:
    """What the rows of a plate say, one after another; a line that begins with a space belongs to the row before.

    A row with a path begins with a tint (and the width of the outline) or with a pen. Others, which share a line with
    a semicolon between them, are tools with their arguments, or parts with their tints and where to put them.
    """
    pens: dict[str, Callable[..., str]] = {"fine": fine, "twin": twin}
    tools: dict[str, Callable[..., str]] = {"ball": ball, "mail": mail, "lozengy": lozengy, "sign": partial(sign, suit)}
    drawn = ""
    for row in plate.strip().replace("\n ", " ").replace("; ", "\n").splitlines():
        words, start, d = row.partition("M")
        name, *settings = words.split()
        values: list[Any] = [TINTS[word] if word in TINTS else float(word) for word in settings]
        if name in TINTS:
            drawn += path(start + d, TINTS[name], INK, *values)
        elif name in PARTS:
            part = engraved(suit, PARTS[name].format(*(word for word in settings if word in TINTS)))
            place = [value for value in values if isinstance(value, float)]
            drawn += put(part, *place) if place else part
        else:
            drawn += pens[name](start + d, *values) if d else tools[name](*values)
    return drawn


# Some parts have their place on the card; those drawn around (0, 0) are put at x, y, turned and sized.
PARTS = {
    "face": """
paper 1.7 M18 -26C21 -8 21 7 15 17C11 25 4 31 -3 31C-9 31 -14 24 -16 15C-17 11 -20 8 -19 4C-18.5 0 -16 -3 -17 -8
 C-19 -14 -18 -22 -16 -28Z
ball 9 8 4.5 rose 0; ball -14.5 9 3 rose 0
none 1 M-16 -4.5Q-11 -9 -6 -4M0 -4Q6 -9.5 12 -4M-4 -10C-4.5 -3 -8 3 -9 7.5C-9 10.5 -6 11 -3.5 10M0.5 7Q2 10.5 -1.5 10.6
fine M-14.5 -2.5Q-11 -1.5 -7.5 -2.5M2 -2Q6 -0.8 10 -2.4
none 0.55 M17 -2L12 3M17.5 2L11 8M17 7L10 13M15 12L9 17M12.5 18L8 21
ball -10.6 -4.8 1.4 ink; ball 5.6 -4.8 1.5 ink""",
    "lips": """
red 0.5 M-10 17Q-7 14.6 -4.6 16Q-1 14.6 3.5 17.2Q-1 21.5 -4 21.4Q-7.4 21 -10 17Z
none 0.9 M-10 17Q-4 18.4 3.5 17.2""",
    "calm": "face; lips\nnone 1.5 M-17 -11Q-11 -15 -6 -11.5M0 -11Q6 -16 14 -11",
    "proud": "face; lips\nnone 1.5 M-16 -12Q-11 -15.5 -6 -13M0 -13Q6 -17 13 -12",
    "wise": "face\nnone 1.5 M-18 -9Q-13 -16 -5 -11M-1 -11Q7 -17 16 -8M-8 -19Q0 -22 8 -19",
    "stern": "face\nnone 1.5 M-18 -10L-6 -11.5M0 -11.5L15 -10M-10 17Q-4 19.5 4 17",
    "sad": "face\nnone 1.4 M-18 -8Q-12 -15 -7 -14M1 -14Q8 -15 15 -8M-9 20Q-3 14.5 4 20M-6 23.5Q-3 22 1 23.5",
    "sly": "face\nnone 1.4 M-16 -15Q-11 -18 -6 -15M0 -15Q6 -19 13 -15M-11 15Q-3 23 8 13Q10 12 10.4 10",
    "merry": """
face
none 1.5 M-18 -12Q-12 -18 -5 -13M0 -13Q7 -19 15 -11
red 1.2 M-13 13Q-3 18 9 12Q6 25 -3 26Q-11 25 -13 13Z
paper 0.6 M-12 14Q-3 19 8 13L7 16.6Q-3 21.4 -11.4 17.4Z""",
    "fist": """
paper 1.5 M-9 -9C-4 -13 6 -12 9 -8C13 -2 12 8 8 11C1 14 -7 13 -10 9C-13 3 -12 -5 -9 -9Z
fine M-10.6 -4C-6 -6.5 0 -6.5 4 -4.5M-11.4 1C-6 -1 0 -1 4 1M-10.6 6C-6 4.2 0 4.4 3 6M8.6 -8C9 -3 7 0 4 1""",
    "pointing": """
paper 1.5 M-8 14C-12 4 -10 -6 -4 -8L-4 -26C-4 -31 3 -31 3 -26L4 -8C12 -8 14 6 8 16Z
fine M4 -8C0 -6 -2 -2 2 0M11 -2C6 -3 3 -1 4 2M11 5C7 4 4 5 5 8M-4 -8V-2""",
    # a wide sleeve and its lining, for a hand at (78, 206)
    "sleeve": """
{0} M66 172C50 192 44 226 50 258C58 272 74 268 82 252C88 240 92 228 97 216L80 198C76 202 72 204 68 204Z
{1} 1.2 M97 216C92 232 90 244 82 252C74 250 74 232 84 204Z
fine {0} M60 188C52 210 50 234 55 254M66 206C60 222 60 240 64 258M74 204C68 222 69 238 72 254
fine {0} M50 244L56 238M51 251L60 242M54 257L64 247M59 262L68 253M66 264L72 258""",
    # a bent arm and its cuff, for a hand at (150, 248)
    "elbow": """
{0} M178 168C194 184 204 220 198 246C192 264 176 268 158 260L162 238C174 240 178 232 174 214Z
fine {0} M188 190C194 214 194 236 184 250M174 240C180 236 182 226 180 216
fine {0} M192 224L199 217M191 231L200 222M189 238L200 227M186 245L199 232M181 253L197 240M173 260L193 247
{1} 1.3 M156 234L168 238C164 246 164 254 166 264L152 262Z""",
    # a jester's arm and its cuff, for a hand at (79, 208)
    "arm": """
{0} M70 178C54 194 46 222 54 246C60 260 74 258 80 244L94 220L78 206L74 212Z
fine {0} M62 200C56 216 56 232 60 246M74 214C70 226 68 236 68 250
{1} 1.3 M74 200L84 196L100 214L98 226L88 222L86 230L78 218L70 216Z""",
    "mantle": """
{0} 1.8 M100 150C78 156 64 168 58 196C54 222 56 250 60 284H190C194 250 196 222 192 196C186 168 172 156 150 150Z""",
    # a coat of two colours, the other way round in its dagged collar
    "motley": """
{0} 1.8 M125 150H100C78 156 66 172 64 200C60 230 62 256 62 284H125Z
{1} 1.8 M125 150H150C172 156 184 172 186 200C190 230 188 256 188 284H125Z
{1} M125 146Q110 146 100 138C84 146 74 160 68 180L88 168L98 194L112 175L125 202Z
{0} M125 146Q140 146 150 138C166 146 176 160 182 180L162 168L152 194L138 175L125 202Z
bell 68 182 0 0.8; bell 98 196 0 0.8; bell 125 204 0 0.8; bell 152 196 0 0.8; bell 182 182 0 0.8
ball 125 222 3 gold; ball 125 242 3 gold; ball 125 262 3 gold""",
    "bell": "ball 0 0 5 gold 1.3\nfine M-3 1H3M0 1V5",
    "pearl": "ball 0 0 2.2 paper",
    "ermine": "ink 1 M0 0L-1.6 5.5H1.6ZM-2.6 -1.5h.1M2.6 -1.5h.1M0 -3.4h.1",
    "sceptre": """
gold 1.2 M-2 0H2V150H-2Z
gold 1.1 M-5 25A5 2.6 0 0 1 5 25A5 2.6 0 0 1 -5 25ZM-5 32A5 2.6 0 0 1 5 32A5 2.6 0 0 1 -5 32Z
sign 0 0 18""",
    "marotte": """
ochre 1.2 M-2 0H2V128H-2Z
{0} 1.2 M-12 30L-4 18H4L12 30L5 28L0 36L-5 28Z
bell -13 33 0 0.6; bell 13 33 0 0.6; sign 0 0 18""",
    "escutcheon": """
paper 1.8 M-30 -39Q0 -36 30 -39C30 -10 34 20 0 40C-34 20 -30 -10 -30 -39Z
sign 0 -3 22""",
    "plume": """
{0} 1.3 M0 0C-12 -14 -13 -38 -3 -52C5 -54 9 -48 6 -44C12 -32 10 -12 0 0Z
fine {0} M0 -4C-3 -20 -2 -36 2 -48M-2 -16L-8 -24M-2 -26L-8 -34M0 -18L6 -26M0 -30L6 -36""",
    # mantling is cloth cut into leaves
    "leaf": """
{0} M0 0C16 -18 48 -20 60 2C67 17 60 32 45 34C52 25 50 15 41 12C45 22 38 31 28 29C31 20 27 13 18 12
 C20 19 15 24 8 22C9 13 5 7 0 0Z
fine {0} M5 0C22 -12 46 -10 54 6C57 14 56 22 52 28M16 2C28 0 36 4 42 10M8 6Q14 6 18 10""",
    "twist": "{0} 1.2 M0 -5Q6 -7 10 -4L6 5Q0 6 -4 4Z",
}


# --- figures ----------------------------------------------------------------------------------------------------------

FIGURES = {
    # An old star-gazer with a long beard and a globe of the heavens.
    "SC": """
mantle sable
fine sable M100 200C92 226 92 254 96 280M120 214C118 240 120 260 118 280M142 204C146 226 142 256 146 280
sign 110 222 6 gold 0.6; sign 126 262 6 gold 0.6; sign 108 250 5 gold 0.6; sign 130 232 5 gold 0.6
silver M103 88C92 98 98 110 92 120C88 130 94 140 100 146L150 146C158 138 160 130 156 120C152 110 156 98 147 88Z
paper M98 146C80 150 66 164 62 186C84 194 104 196 125 196C146 196 166 194 188 186C184 164 170 150 152 146Z
ermine 76 174; ermine 88 184; ermine 92 164; ermine 160 168; ermine 156 184; ermine 174 180; wise 125 104
silver M107 116C104 132 98 140 102 152C98 164 106 170 104 182C112 190 112 200 120 212C124 204 130 202 130 192
 C138 186 134 174 142 166C142 152 148 144 144 116C140 126 134 128 128 122C124 119 118 119 114 122
 C110 122 108 120 107 116Z
fine M110 128C108 146 110 160 112 180M118 134C116 156 118 178 120 200M126 134C128 150 124 170 126 192M134 130
 C136 146 132 158 132 176M140 128C142 138 140 148 138 158
paper 1.2 M121 119C114 116 108 120 104 128C110 128 116 126 121 122C126 127 134 129 141 127C136 119 128 116 121 119Z
gold M102 88L96 52L109 70L115 42L125 66L135 42L141 70L154 52L148 88Q125 81 102 88Z
fine M139 80L143 74M143 82L148 66M134 78L138 62M109 82L107 74
gold M101 88Q125 80 149 88L149 96Q125 88 101 96Z
sign 96 50 5 paper 0.9; sign 115 40 6 paper 0.9; sign 135 40 6 paper 0.9; sign 154 50 5 paper 0.9; ball 125 88 3 red
sleeve sable gold; sceptre 76 110; fist 78 206; elbow sable paper; ball 150 224 17 gold 1.6
fine M133 224Q150 232 167 224M150 207Q140 224 150 241M150 207Q160 224 150 241M160 238L166 230M156 240L164 233
sign 150 206 8 paper 1; fist 149 247 80""",
    # A lady of the moon: loose hair, a veil, a rose.
    "CC": """
paper 1.3 M98 76C76 96 70 140 62 190C84 204 166 204 188 190C180 140 174 96 152 76Z
fine M92 92C82 120 78 150 72 186M158 92C168 120 172 150 178 186M86 120C82 140 80 160 77 182M164 120
 C168 140 170 160 173 182
ochre M105 82C90 96 98 112 91 128C85 142 95 152 89 166C86 178 94 188 104 190H148C158 186 162 176 159 166
 C155 152 165 142 159 128C152 112 160 96 145 82Z
fine M103 96C98 110 103 122 97 136C93 148 101 158 96 174M147 96C153 110 147 124 154 138C157 150 150 158 155 172
paper 1.4 M115 126C116 140 114 148 100 154C96 170 110 186 125 188C140 186 154 170 150 154C136 148 136 140 137 122Z
red 1.8 M97 152C78 156 64 168 60 196C56 222 58 250 62 284H188C192 250 194 222 190 196C186 168 172 156 153 152
 C156 166 150 176 146 184Q125 196 104 184C98 176 94 166 97 152Z
paper M104 184Q125 196 146 184L148 193Q125 206 102 193Z
fine M125 200V284M112 200C108 230 108 256 106 284M138 200C142 230 142 256 144 284
pearl 106 158; pearl 112 163; pearl 119 166; pearl 127 166.5; pearl 134 164; pearl 141 159; calm 125 106
fine M117 138L130 134M117 142L134 136M116 146L136 139
ochre 1.3 M126 76C112 78 104 90 106 122C98 112 97 92 104 80ZM126 76C140 78 148 92 146 124C154 112 155 92 147 80Z
gold M103 82L98 62L112 70L125 60L138 70L152 62L147 82Q125 75 103 82Z
sign 125 48 15
gold 1.4 M102 81Q125 73 148 81V88Q125 80 102 88Z
fine M139 74L144 68M143 76L149 66
ball 125 80.5 2.4 paper; sleeve red paper; sceptre 76 118; fist 78 206; elbow red paper
ochre 1.2 M150 266C151 248 150 236 150 220M151 234C160 234 164 228 165 222C157 222 152 226 151 234Z
ball 149 214 10 rose 1.4
fine M143 214C143 207 154 206 155 213C155 219 146 219 147 214C148 211 152 212 151 215M140 217C145 225 154 225 158 217
fist 152 248 8""",
    # A crusader in mail and surcoat, sword upright.
    "XC": """
mantle purple
fine purple M72 178C66 210 68 250 72 282M180 178C186 210 184 250 180 282M92 168C86 200 84 250 88 282
sign 120 208 28 paper
silver M104 82C92 100 96 132 84 158C104 172 146 172 166 158C154 132 158 100 146 82Z
mail 140 94 151 146 91 154 152 88 157 158 96 153 100 98 101 108 98 101 116 98 101 124 96 103 132 95 107 100 147
 149 108 147 149 116 147 149 124 144 149 132 140 151
stern 125 102
brown M106 112C104 126 108 142 122 150C136 148 146 134 146 108C142 120 136 122 130 118C124 115 118 115 114 118
 C110 120 108 118 106 112Z
fine brown M112 126C114 134 118 140 122 144M122 132V146M132 126C132 134 130 140 126 145M140 122C140 130 137 136 133 141
fine M115 119.5Q122 122 130 119.5
purple M103 80C94 58 112 48 125 50C138 48 156 58 147 80Q125 73 103 80Z
gold 1.2 M120 74C112 64 114 54 123 49H127C136 54 138 64 130 74ZM103 80C94 60 108 48 123 49C106 54 104 66 110 78ZM147 80
 C156 60 142 48 127 49C144 54 146 66 140 78Z
gold M101 79Q125 71 149 79V90Q125 82 101 90Z
sign 125 38 11 gold; ball 109 82 2.4 purple; ball 125 80 2.4 purple; ball 141 82 2.4 purple; sleeve purple silver
paper M72 208L71 84L76 70L81 84L80 208Z
fine M76 84V200
gold 1.4 M56 186C64 184 88 184 96 186V192C88 190 64 190 56 192Z
ink M73 192H79V224H73Z
ball 76 228 6 gold 1.4; fist 77 206; elbow purple paper; escutcheon 168 238 6""",
    # A jewelled lady behind a great standing collar, with a fan of plumes.
    "DC": """
paper M66 150A11 11 0 0 1 66 130A11 11 0 0 1 73 111A11 11 0 0 1 86.5 96A11 11 0 0 1 104.5 86A11 11 0 0 1 125 82.5
 A11 11 0 0 1 145.5 86A11 11 0 0 1 163.5 96A11 11 0 0 1 177 111A11 11 0 0 1 184 130A11 11 0 0 1 184 150L150 164H100Z
fine M101 143L70 148M101 140L70 139M101 136L71 130M102 132L73 122M104 129L76 114M106 126L81 107M108 123L87 100M111 120
 L94 95M114 118L101 91M118 117L109 87M122 116L117 86M125 116L126 85M129 116L135 86M133 117L143 88M136 119L151 91
 M139 121L158 96M142 123L165 102M145 126L170 108M147 130L174 116M148 133L178 124M149 137L180 132M149 140L180 141
paper M100 156C92 190 100 230 96 284H154C150 230 158 190 150 156L125 176Z
fine M143 171L152 185M133 175L152 207M121 176L150 227M105 170L151 251M99 182L153 275M98 203L144 282M100 228L131 282
 M99 248L118 282M98 193L110 172M99 214L121 176M100 234L134 174M98 259L151 168M98 282L152 188M110 282L151 211M123 282
 L150 235M136 282L151 255
sign 125 196 9 blue 1; sign 125 221 9 blue 1; sign 125 246 9 blue 1
twin blue 1.8 M101 154C82 154 62 166 56 192C52 216 54 238 62 250C60 262 60 274 60 284H98C102 240 92 200 101 154Z
fine blue M94 160C80 176 76 210 80 244M96 176C88 206 92 250 90 280M156 160C170 176 174 210 170 244M154 176
 C162 206 158 250 160 280
paper 1.3 M114 126C114 142 110 150 102 156L125 177L148 156C140 150 137 142 137 122Z
pearl 110 155; pearl 116 160; pearl 122 163; pearl 129 163; pearl 135 160; pearl 140 155; sign 125.5 172 7 blue 1
brown M105 108C92 100 94 74 110 66C118 58 134 58 142 66C156 74 158 100 145 108Z
fine brown M100 88A5 5 0 1 1 103 97M100 76A5 5 0 1 1 106 84M150 88A5 5 0 1 0 147 97M150 76A5 5 0 1 0 144 84M114 70
 A5 5 0 1 1 121 74M136 70A5 5 0 1 0 129 74
proud 125 106
brown 1.2 M106 92C108 80 118 76 126 80C134 74 146 80 146 94C138 84 132 86 126 84C120 86 112 84 106 92Z
gold M108 64L103 42L115 52L125 34L135 52L147 42L142 64Q125 58 108 64Z
gold 1.4 M107 63Q125 56 143 63V70Q125 63 107 70Z
fine M134 58L138 50M138 60L143 50
sign 125 32 9; ball 103 41 3 paper; ball 147 41 3 paper; sleeve blue paper
gold 1.2 M75 180H79V246H75Z
plume 74 182 -48 1 blue; plume 74 182 34 1 blue; plume 74 182 -22 1 paper; plume 74 182 6 1 paper
sign 76 180 12 paper; fist 78 210; elbow blue paper; sign 154 212 24 paper
fine M145 208H163M134 212L145 208L154 186L163 208L174 212M145 208L154 238L163 208M158 216L162 212M157 222L164 215
 M156 228L161 223
fist 151 246 75""",
    # Laughing, in a cap of three horns.
    "SJ": """
sable M100 148C90 116 92 84 108 76C120 70 136 72 146 78C160 94 158 124 150 148Z
motley gold sable; merry 125 106
gold M106 94C104 72 92 60 76 64C66 67 61 78 64 90C72 82 82 84 86 94C90 104 98 106 107 100Z
gold M143 92C150 70 166 60 180 70C190 79 188 94 184 104C179 93 169 90 163 96C157 104 150 106 145 102Z
sable M105 98C106 68 118 48 144 38C136 54 142 74 148 98C134 86 118 86 105 98Z
fine M100 90C96 76 86 70 76 72M150 90C156 76 168 72 178 80
fine sable M114 86C116 70 124 58 136 48
bell 64 94; bell 145 36; bell 184 108; arm sable gold; marotte 78 136 gold; fist 79 208; elbow gold sable
fist 149 248 75""",
    # In profile, nose and chin bent like his moon, ass's ears on his hood.
    "CJ": """
motley red paper
paper M118 78C106 58 106 38 116 22C130 36 136 54 136 74Z
red M138 74C142 50 154 36 172 32C174 52 166 70 152 82Z
red 1 M121 70C114 56 113 44 117 34C124 44 128 56 129 70Z
paper 1 M145 70C149 56 156 46 166 42C165 54 160 64 151 74Z
paper 1.7 M142 78C124 72 111 78 109 92C108 97 109 100 107 104C103 112 91 118 91 123C92 127 100 126 105 125
 C106 128 103 129 104 132C106 134 106 135 105 137C106 141 97 144 95 151C99 158 116 155 126 148C140 142 148 128 148 108Z
ball 124 122 5.5 rose 0
fine M138 116L130 124M139 121L131 129M138 127L130 134M135 133L127 140M98 122Q102 118 103 122M112 104.5
 Q117 106 120 104.5
none 1.2 M104 132C110 133 117 130 121 124Q124 125 124 128M111 103Q116 99 122 103M110 96Q117 90 125 96
ball 114.6 103 1.5 ink
red M107 94C104 74 124 64 142 69C162 76 168 104 160 132C158 142 156 150 150 154Q136 160 121 151C138 144 146 126 141 106
 C137 92 119 86 107 94Z
fine M118 84C134 80 148 90 150 110C151 126 147 140 141 150M128 76C146 78 158 94 157 116
bell 116 20; bell 173 30; arm paper red; marotte 70 148 paper; fist 72 212; elbow red paper; pointing 150 244 -12""",
    # A sorrowful fool under a cock's comb, two baubles crossed.
    "XJ": """
red M106 88C94 78 98 66 108 68C102 56 112 46 121 54C120 40 136 38 137 52C146 44 156 52 150 62C160 62 160 78 147 88Z
fine M112 82C110 76 110 74 109 70M122 78C121 70 121 64 121 58M132 78C133 70 135 62 136 56M141 80C143 74 146 70 148 65
purple M100 148C92 120 94 92 106 84C118 78 134 78 144 84C158 94 158 122 150 148Z
motley purple paper
twin purple M105 92C90 82 74 88 66 108C84 116 98 112 107 104Z
twin paper 1 M100 98C90 92 80 95 74 105C86 108 94 106 101 102Z
sad 125 108
silver 0.7 M113 109C111 113 111.4 116 113 116C114.8 116 115 113 113 109Z
purple M105 100C108 84 118 80 126 80C136 80 146 86 147 102C138 92 116 90 105 100Z
bell 66 111; bell 184 111; marotte 70 152 -24 paper; marotte 180 152 24 paper
purple M186 186C196 214 190 244 172 252C150 258 124 246 106 232L114 214C132 222 148 226 160 220Z
fine purple M182 206C184 222 180 238 168 246
paper M64 186C54 214 60 244 78 252C100 258 126 246 144 232L136 214C118 222 102 226 90 220Z
fine M70 206C66 222 70 238 82 246M94 250C108 246 118 240 126 234
fist 103 220 60; fist 147 220 120""",
    # A masked juggler in lozenges.
    "DJ": """
lozengy
twin blue M82 162C66 166 56 190 58 212C64 222 78 218 82 206C78 196 78 190 86 186Z
twin paper M58 210C50 196 52 180 60 170L74 176C72 186 76 196 82 204Z
twin paper 1.4 M60 172C52 166 50 158 54 154C50 146 54 142 57 146C57 138 62 138 63 145C65 139 70 141 69 148
 C74 146 77 150 73 156C72 166 72 170 72 176Z
fine M57 147L60 156M63 146L64 155M69 148L67 156M193 147L190 156M187 146L186 155M181 148L183 156
blue M102 140C92 116 94 88 106 80C118 74 134 74 144 80C158 90 158 118 148 140Z
paper M92 150C84 140 92 134 98 138C100 130 110 132 112 138C116 132 126 132 128 138C132 132 142 132 144 138
 C150 132 160 136 158 144C166 150 158 160 150 158C144 166 134 164 130 160C124 168 114 166 110 160C102 164 92 160 92 150
 Z
fine M104 140L108 156M118 140L119 160M132 140L131 160M146 140L142 156
sly 125 106
ink 1 M106 98C113 93 119 94 121 97C125 93 135 92 143 97C143 106 137 110 131 108C127 108 124 105 121 104
 C118 108 111 110 107 108C105.5 104 105 101 106 98Z
ball 114.4 101.2 2.6 paper; ball 131.2 101.2 2.8 paper; ball 114.2 101.2 1 ink; ball 131 101.2 1 ink
paper M126 74C108 66 84 76 78 106C76 116 78 122 80 126C86 116 92 112 98 114C102 102 112 90 126 88Z
fine M118 78C102 80 90 94 86 114
blue M124 74C142 66 166 76 172 106C174 116 172 122 170 126C164 116 158 112 152 114C148 102 138 90 124 88Z
fine blue M132 78C148 80 160 94 164 114
bell 80 128; bell 170 128; sign 53 116 14 paper 1.4 -14; sign 68 72 14 blue 1.4 -8; sign 125 38 14 paper
sign 182 72 14 blue 1.4 8; sign 197 116 14 paper 1.4 14""",
}
LOOKING_RIGHT = {"CC", "DC"}  # every plate is cut looking left

# A knight's achievement: mantling (its right half), then what stands over his shield.
MANTLING = """
leaf 147 190 62 1.2 silver; leaf 159 158 68 1.35 purple; leaf 145 144 36 1.1 silver; leaf 141 116 24 1.15 purple
leaf 133 88 -8 1.1 purple"""
HELM_AND_CREST = """
silver 1.9 M100 94C99 64 151 64 150 94C155 114 153 134 145 146C137 156 113 156 105 146C97 134 95 114 100 94Z
ink M106 96C113 90 137 90 144 96C147 110 145 122 140 130C133 134 117 134 110 130C105 122 103 110 106 96Z
gold 0.8 M112 94Q109 114 114 132L117 132Q113 114 115 93ZM120 92Q118 114 120 134H123Q121 114 123 92ZM138 94
 Q141 114 136 132L133 132Q137 114 135 93ZM130 92Q132 114 130 134H127Q129 114 127 92Z
gold 0.8 M101 91C113 84 137 84 149 91V95C137 88 113 88 101 95ZM103 135C113 142 137 142 147 135L146 139
 C137 146 113 146 104 139Z
fine M139 147L145 141M133 151L141 143M128 153L136 146M145 84L149 90M140 80L146 87
twin paper M128 74C136 64 139 40 132 22C150 27 163 43 163 60C163 70 156 76 147 78Z
fine M137 31C150 36 157 48 157 64M139 45C148 50 150 58 150 70M138 56C143 60 145 66 144 74
fine M113 31C100 36 93 48 93 64M111 45C102 50 100 58 100 70M112 56C107 60 105 66 106 74
sign 125 48 16; twist 97 79 0 1 paper; twist 105 79 0 1 purple; twist 113 79 0 1 paper; twist 121 79 0 1 purple
twist 129 79 0 1 paper; twist 137 79 0 1 purple; twist 145 79 0 1 paper"""


# --- the pack ---------------------------------------------------------------------------------------------------------


def figure(suit: Suit, code: str) -> str:
    """A crowned head or a jester before a round of the suit's hatching."""
    tint = Tincture(PAPER, suit.colour, suit.other.angles or suit.field.angles, suit.other.dotted)
    edge = [turned((82, 0), 9 * at) for at in range(40)]
    ring = circle(0, 0, 86, "none", suit.colour, 2.4) + circle(0, 0, 82, PAPER, width=0.7)
    drawn = engraved(suit, FIGURES[code])
    if code in LOOKING_RIGHT:
        drawn = moved(2 * MIDDLE, 0, drawn, mirror=True)
    return moved(MIDDLE, 146, ring, hatched(edge, tint, 4.5)) + drawn


def achievement(suit: Suit, value: int) -> str:
    """The arms of a knight, with all that belongs to them."""
    arms = moved(MIDDLE, 206, shield(suit, value), size=0.6)
    return both_sides(engraved(suit, MANTLING)) + arms + engraved(suit, HELM_AND_CREST)


def back() -> str:
    """Lozenges of the four tinctures."""
    size = 53.5
    tile = ""
    for at, suit in enumerate(SUITS.values()):
        x, y = size / 4 * (1 + 2 * (at % 2)), size / 4 * (1 + 2 * (at // 2))
        lozenge = path("M0 -13.4L13.4 0L0 13.4L-13.4 0Z", suit.colour, INK, 0.8)
        tile += moved(x, y, lozenge, path("M0 -11L11 0L0 11L-11 0Z", stroke=PAPER, width=0.5))
        tile += sign(suit, x, y, 5.2, PAPER, 0.7)
    return pen.tiled(tile + circle(size / 2, size / 2, 2.4, OR.fill, width=0.8), size, SABLE.fill)


COVER = "XC"  # the card that stands for the game


def faces(options: Mapping[str, Any]) -> dict[str, str]:
    """The cards by code; the option `knight` is the number of the Cross that is drawn as its Knight."""
    knight = options["knight"]
    drawn = {}
    for code, suit in SUITS.items():
        for value in range(1, 11):
            drawn[f"{code}{value}"] = laid(suit, str(value), str(value), moved(MIDDLE, 152, shield(suit, value)))
        for rank, name in (("C", "Crown"), ("J", "Jester")):
            drawn[f"{code}{rank}"] = laid(suit, rank, name, figure(suit, f"{code}{rank}"))
    cross = SUITS["X"]
    drawn[f"X{knight}"] = laid(cross, str(knight), "Knight", achievement(cross, knight))
    return drawn
