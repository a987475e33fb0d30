"""The coins of "Change for a Sovereign", as they were struck about 1865, with the game's back and counter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...util import pen
from ...util.pen import INK, Point, box, circle, element, ellipse, group, line, moved, number, path, shape, star, text

# A coin is drawn around (0, 0) with a radius of 100, and made smaller with its lines.
Curve = tuple[float, ...]  # the four points of a cubic


# --- what an engraver of coins needs besides --------------------------------------------------------------------------


def between(first: Curve, last: Curve, count: int) -> list[Curve]:
    """The first curve, the last, and those between them: hair, folds and shade follow their neighbours."""
    return [tuple(a + (b - a) * at / (count - 1) for a, b in zip(first, last, strict=True)) for at in range(count)]


def burin(curves: Iterable[Curve], swell: float) -> str:
    """Lines that swell and taper as a burin cuts them."""
    d = []
    for ax, ay, bx, by, cx, cy, dx, dy in curves:
        length = math.hypot(dx - ax, dy - ay)
        x, y = (ay - dy) / length * swell, (dx - ax) / length * swell
        there = " ".join(map(number, (bx + x, by + y, cx + x, cy + y, dx, dy)))
        back = " ".join(map(number, (cx - x, cy - y, bx - x, by - y, ax, ay)))
        d.append(f"M{number(ax)} {number(ay)}C{there}C{back}")
    return path("".join(d), INK, None)


def ring(r: float, width: float, stroke: str = INK, dashes: str | None = None) -> str:
    """A circle around the middle, whole or broken."""
    return element("circle", r=number(r), fill="none", stroke=stroke, stroke_width=width, stroke_dasharray=dashes)


def beads(radii: Iterable[float], gap: float, width: float) -> str:
    """Rings of round points, as many as go on each evenly."""
    steps = ((r, math.tau * r / round(math.tau * r / gap)) for r in radii)
    rings = (element("circle", r=number(r), stroke_dasharray=f"0 {step:.3f}") for r, step in steps)
    return group(*rings, fill="none", stroke=INK, stroke_width=width, stroke_linecap="round")


# in ems, where they are not as wide as most capitals or most small letters
WIDTHS = dict.fromkeys("ijl.:·", 0.3) | dict.fromkeys("frtI", 0.4) | dict.fromkeys("mwM", 0.82) | {" ": 0.6}


def legend(words: str, start: float, end: float, size: float, r: float = 77.5, fill: str = INK) -> str:
    """Letters on a circle from one angle to another; against the clock, their heads are inward."""
    turn, y = (0, -r) if start < end else (180, r + 0.7 * size)
    widths = [WIDTHS.get(letter, 0.72 if letter.isupper() else 0.54) for letter in words]
    letters, gone = [], 0.0
    for letter, width in zip(words, widths, strict=True):
        angle = start + (end - start) * (gone + width / 2) / sum(widths) + turn
        gone += width
        if letter != " ":
            letters.append(element("text", letter, y=number(y), transform=f"rotate({number(angle)})"))
    manner = {"font_family": pen.LETTERS, "font_size": number(size), "font_weight": 700, "text_anchor": "middle"}
    return group(*letters, fill=fill, **manner)


# --- metals -----------------------------------------------------------------------------------------------------------


def stipple(r: float) -> str:
    """Gold, as heralds engrave it: points."""
    return beads(range(6, int(r), 6), 5.6, 1.5)


def ruling(r: float) -> str:
    """Silver, as the medal-ruling machine engraved it: level lines."""
    rows = ((y, number(math.sqrt(r * r - y * y))) for y in range(4 - int(r), int(r), 4))
    return path("".join(f"M-{x} {y}H{x}" for y, x in rows), width=0.6)


def turning(r: float) -> str:
    """Copper, the darkest: circles, as from a lathe."""
    return group(*(element("circle", r=at) for at in range(4, int(r), 3)), fill="none", stroke=INK, stroke_width=0.8)


# the alchemists' signs: sun, moon and Venus
SUN = star(0, 0, 16, 12, 0.62, pen.OCHRE, 1.2) + circle(0, 0, 7.5, pen.BRASS, width=1.4)
CRESCENT = shape("M3-14A14 14 0 1 0 13 6A11 11 0 1 1 3-14Z", "#59646a", 1)
VENUS = path("M0-13.5A7.5 7.5 0 1 1-.1-13.5ZM0 2V15M-7 9H7", stroke="#9c4f2c", width=4.4)


class Metal(NamedTuple):
    tint: str
    relief: str
    field: Callable[[float], str]
    sign: str


GOLD = Metal("#d9b45a", "#f7e6b2", stipple, SUN)
SILVER = Metal("#cdccc4", "#f8f5ec", ruling, CRESCENT)
BRONZE = Metal("#bd7a52", "#f0c6a3", turning, VENUS)


# --- the Queen --------------------------------------------------------------------------------------------------------

PROFILE = (
    "M-29-46C-34.5-40-38-32-39-24C-39.5-20-39.6-17-40.2-14C-42.5-7-46-1-49.5 5C-51.3 8.4-49.6 10.8-46.6 11.2"
    "C-44.2 11.6-42.8 12.2-42.6 13.8C-42.6 16-43.4 17.8-44.8 20C-46.2 22.3-45 24-42.2 24.6C-44.8 25.6-45.6 28-43.8 30.2"
    "C-42 32-41.6 33.4-42 35.4C-43.6 39-43 43.4-39.6 46C-35 49-28 48.4-21 45.6"
)
BARE_NECK = "C-15 54-14 63-20 72C-24 78-32 82-40 84C-24 92-2 90 9 82C16 77 25 74 35 75C29 64 26 54 26 42L28-20Z"
SHOULDERS = "C-16 52-15 59-21 64C-33 71-50 73-57 83A100 100 0 0 0 72 76C60 65 46 65 36 59C28 54 26 48 26 40L28-20Z"
GOWN = "M58 65C42 84-6 89-50 76L-57 83A100 100 0 0 0 72 76C68 71 63 67 58 65Z"
SKULL = "M-29-33C-32-38-30-43-29-46C-25-58-8-66 10-65C36-63 51-46 51-24C51-8 46 4 40 12C36 18 32 22 29 32"
PLAIT = "M-12-6C-12 8-7 22 4 24C17 25 24 10 41 2"
FILLETS = "M-24-56C0-52 26-38 48-14L44-10C22-34-2-46-28-51ZM-5-63C18-58 36-46 51-25L49-20C34-41 14-53-10-61Z"


def features() -> str:
    """What goes into the profile, and the shade that rounds it from the temple to the nape."""
    eye = [(-37.6, -8, -35, -13, -28, -12.5, -23, -7.5), (-36, -3.6, -33, -2.6, -29, -3.2, -26, -5.4)]
    brow = [(-38.6, -19.5, -34, -24.5, -27, -24, -20, -18.5), (-36, -13.5, -33, -16, -28, -15.5, -24, -12)]
    nose = [(-42.6, 5, -39, 4.6, -38, 9, -41, 11.6), (-47, 10.8, -45, 9.6, -43.6, 10, -42.8, 11)]
    lips = [(-43.2, 24.6, -40, 23.6, -37, 24, -34, 23), (-41, 32, -39, 31, -37, 31, -35.6, 31.6)]
    cheek = between((-27, 46, -14, 42, -2, 34, 3, 16), (-16, 34, -10, 30, -5, 24, -3, 16), 6)
    temple = between((-22, -14, -17, -12, -13, -8, -11, -3), (-17, -18, -12, -15, -8, -10, -6, -6), 4)
    throat = between((-19, 47, -10, 48, 2, 42, 9, 30), (-15, 60, -8, 61, -2, 57, 4, 50), 8)
    cord = between((8, 34, 4, 48, -6, 60, -20, 69), (14, 36, 12, 52, 4, 64, -8, 74), 5)
    nape = between((25, 34, 23, 44, 26, 54, 31, 63), (16, 38, 15, 48, 16, 58, 20, 68), 7)
    iris = path("M-35.6-10.4C-33-9.6-32.6-6-34.6-3.6C-36.2-5-36.8-8-35.6-10.4Z", INK, None)
    lines = burin([*eye, *brow, *nose, *lips], 0.8)
    return lines + iris + burin(throat + nape, 0.5) + burin(cheek + temple + cord, 0.4)


def swirl(x: float, y: float, r: float, count: int) -> list[Curve]:
    """Strands wound around a point."""
    strands: list[Curve] = [()] * count
    for at in range(count):
        for part in (0.25, 0.5, 0.75, 1.0):
            angle = math.tau * at / count + 2 * part
            strands[at] += (x + 0.9 * r * part * math.cos(angle), y + r * part * math.sin(angle))
    return strands


def hair(relief: str) -> str:
    """Drawn back from the forehead over the ear, and knotted behind; its lobe is seen."""
    knot = ellipse(55, -2, 16, 18, relief, width=2) + burin(swirl(55, -2, 17, 17), 0.9)
    front = between((-29, -49, -10, -62, 8, -38, 45, -14), (-29, -33, -18, -18, -6, 2, 17, 5), 15)
    nape = between((16, 5, 26, 8, 36, -2, 44, -8), (29, 30, 31, 20, 38, 12, 46, 6), 9)
    crown = between((-17, -57, 6, -55, 30, -42, 46, -20), (8, -63, 32, -60, 47, -46, 50, -24), 9)
    mass = path(SKULL + "C24 28 22 18 17 5C-6 2-18-18-29-33Z", relief, None)
    lobe = shape("M3 2C7 5 11 5 14 5C13 9 10 11 9.5 14C9 18 5 18 4 14C3 10 2 6 3 2Z", relief, 1)
    return knot + mass + burin(front + nape + crown, 0.85) + path(SKULL, width=2) + lobe


def young_head(relief: str) -> str:
    """William Wyon's Queen, on the gold until 1887: two fillets, and loose locks before the ear and at the nape."""
    locks = [(27, 26, 33, 34, 28, 38, 33, 46), (-28, -32, -22, -24, -26, -20, -21, -15), (-8, -6, -4, 0, 1, 2, 2, 9)]
    head = shape(PROFILE + BARE_NECK, relief, 2.2) + features()
    waves = hair(relief) + burin(locks, 0.9) + shape(FILLETS, relief, 1)
    return moved(-5, -9, head, waves, size=0.93)


def gothic_bust(relief: str) -> str:
    """The Queen of 1847, crowned, a plait about her ear, in an embroidered gown."""
    folds = between((-46, 80, -40, 86, -36, 92, -34, 98), (58, 70, 60, 76, 60, 82, 58, 88), 20)
    lattice = between((-36, 81, -42, 85, -46, 88, -50, 90), (66, 71, 58, 75, 50, 83, 42, 97), 18)
    pearls = path("M56 68C40 87-6 92-49 79", width=3.6, stroke_dasharray="0 5.2")
    gown = shape(GOWN, relief, 1.4) + burin(folds + lattice, 0.5) + pearls
    head = shape(PROFILE + SHOULDERS, relief, 2.2) + features() + gown
    turns = element("path", d=PLAIT, fill="none", stroke=INK, stroke_width=8, stroke_dasharray="1 3")
    braids = hair(relief) + path(PLAIT, width=10.6) + path(PLAIT, stroke=relief, width=8) + turns
    crown = moved(11, -57, royal_crown(relief), turn=7, size=1.05)
    return ring(75.5, 1) + ring(73.5, 0.6) + moved(-3, -2, head, braids, crown, size=0.72)


# --- arms and branches ------------------------------------------------------------------------------------------------

LION = (
    "c-1-3 2-6 5-5c3 0 4 3 5 4c5 2 12 1 16 0c5-1 7-4 3-4l1-2c6 1 6 6 1 8c1 3-2 4 0 8h-4c-.5-2 .5-4-2-5c-1 1-2 1-3 2v3"
    "h-4c-.5-3 1-4 0-6c-4-.5-7 0-9 1v5h-4l1-6l-2 1l-3 3l-2.5-1.5l3-3.5c-1 0-2-1-1.5-2z"
)
LILY = "c3 4 2 6 1 8c3-4 6-2 5 2c-2-2-4-1-5 1l1 3h-4l1-3c-1-2-3-3-5-1c-1-4 2-6 5-2c-1-2-2-4 1-8z"
ROSE = (
    "M0-8A4.8 4.8 0 1 1 7.6-2.5A4.8 4.8 0 1 1 4.7 6.5A4.8 4.8 0 1 1-4.7 6.5A4.8 4.8 0 1 1-7.6-2.5A4.8 4.8 0 1 1 0-8Z"
    "M-4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0ZM0 0h.1"
)
THISTLE = "M-6 1C-8 10 8 10 6 1ZM-6 1L-9-9L-4-5L0-11L4-5L9-9L6 1M0 8V15M0 14C-5 14-9 11-11 6M0 14C5 14 9 11 11 6"
SHAMROCK = "M0 1C-11-4-6-15 0-10C6-15 11-4 0 1C9-5 16 3 8 7C8 13-1 11 0 1C1 11-8 13-8 7C-16 3-9-5 0 1C1 7 3 10 6 13"
SHIELD = "M-36-36H36V6C36 32 16 40 0 50C-16 40-36 32-36 6Z"
SPADE = "M-36-37Q-18-31 0-37Q18-31 36-37V0C36 28 16 42 0 56C-16 42-36 28-36 0Z"
SCROLLS = (
    "M38-34C50-40 54-26 46-24C40-24 42-32 46-30M39-22C51-8 51 10 41 20C49 16 55 24 49 30C43 32 41 24 46 25"
    "M38 27C34 42 18 48 4 57C12 62 20 56 17 51C12 48 10 54 14 55"
)


def royal_crown(relief: str) -> str:
    """Standing on (0, 0), 44 wide."""
    cap = shape("M-20-6C-29-22-13-28 0-22C13-28 29-22 20-6Q0 0-20-6ZM-7-4C-11-14-6-20 0-22C6-20 11-14 7-4", relief, 1.4)
    shade = burin(between((-18, -8, -24, -18, -14, -24, -4, -21), (-11, -5, -16, -14, -10, -20, -3, -20), 3), 0.6)
    circlet = shape("M-20 1Q0 6 20 1L21-7Q0-2-21-7ZM-3.6-26A3.6 3.6 0 1 1 3.6-26A3.6 3.6 0 1 1-3.6-26Z", relief, 1.4)
    jewels = "M-15-1.5h.1M-7.5.2h.1M0 .8h.1M7.5.2h.1M15-1.5h.1M0-12v5M-3-10H3M-14-14v5M-17-12h6M14-14v5M11-12h6"
    return cap + shade + circlet + path(jewels + "M0-36V-31M-3-34H3", width=2.3)


def lions(relief: str, *places: Point) -> str:
    return shape("".join(f"M{number(x - 17)} {number(y - 2)}{LION}" for x, y in places), relief, 0.9)


def gules(w: float, h: float, cut: float = 0) -> str:
    """Red, as heralds engrave it; `cut` is how much the shield's curve takes from the right."""
    lines = between((-w / 2, h / 2), (w / 2, h / 2 - cut), int(w / 2.6) + 1)
    return path("".join(f"M{number(x)} {number(-h / 2)}V{number(low)}" for x, low in lines), width=0.5)


def azure(w: int, h: int) -> str:
    return path("".join(f"M{-w // 2} {y}h{w}" for y in range(-h // 2, h // 2 + 1, 3)), width=0.5)


def england(relief: str, cut: float = 0) -> str:
    return gules(31, 33, cut) + moved(-cut / 6, 1, lions(relief, (0, -15), (0, 0), (0, 15)), size=0.72)


def scotland(relief: str) -> str:
    tressure = box(-13.5, -15, 27, 29, width=1.1) + box(-11.5, -13, 23, 25, width=0.6)
    return tressure + moved(1, 0, lions(relief, (0, 0)), turn=52, size=0.72)


def ireland(relief: str) -> str:
    harp = "M-8 10C-13-2-9-11-3-13C0-8 6-10 10-12C12-2 5 7-8 10ZM-5 6C-8-1-6-7-3-9C0-5 4-6 7-7C7-1 3 4-5 6Z"
    return azure(28, 28) + shape(harp, relief, 0.9) + path("M-3-8V4M0-6V3M3-6V1", width=0.7)


def hanover(relief: str) -> str:
    beasts = moved(-8, -8, lions(relief, (0, -12), (0, 12)), size=0.36) + moved(-3, 11, lions(relief, (0, 0)), size=0.6)
    return path("M0-17V0L-17 6M0 0L14 5", width=1) + beasts + moved(8, -7, lions(relief, (0, 0)), turn=52, size=0.42)


def quartered(outline: str, quarters: Sequence[str], relief: str) -> str:
    """A crowned shield of four arms."""
    places = ((-17.5, -18), (17.5, -18), (-17.5, 17), (17.5, 17))
    arms = (moved(x, y, quarter) for (x, y), quarter in zip(places, quarters, strict=True))
    cross = path("M0-36V48M-36 0H36", width=1.4)
    return shape(outline, relief, 2.2) + "".join(arms) + cross + moved(0, -40, royal_crown(relief), size=1.08)


def queens_arms(relief: str) -> str:
    return quartered(SHIELD, (england(relief), scotland(relief), ireland(relief), england(relief, 18)), relief)


def spade_shield(relief: str) -> str:
    """The arms of George the Third until 1800, in the shape that gave these guineas their nickname."""
    half = moved(-8, 0, gules(12, 30), moved(0, 0, lions(relief, (0, -28), (0, 0), (0, 28)), size=0.36))
    france = azure(30, 32) + shape(f"M-7-14{LILY}M8-14{LILY}M0 2{LILY}", relief, 0.8)
    first = half + moved(8.5, 0, scotland(relief), size=0.52) + path("M0-17V17", width=1)
    shield = quartered(SPADE, (first, france, ireland(relief), hanover(relief)), relief)
    return moved(0, 10, shield, size=1.06)


def garnished_shield(relief: str) -> str:
    """The half-sovereign's: the Queen's arms between scrolls."""
    scroll = path(SCROLLS) + burin(between((40, -18, 46, -8, 46, 8, 39, 18), (39, -10, 42, -4, 42, 4, 39, 10), 3), 0.5)
    return moved(0, 9, scroll, moved(0, 0, scroll, mirror=True), queens_arms(relief), size=1.06)


def branched_shield(relief: str) -> str:
    """The half-crown's: the Queen's arms between branches of laurel."""
    spray = branch(LAUREL, BERRY, relief, 60, 0.8)
    return spray + moved(0, 0, spray, mirror=True) + moved(0, 9, queens_arms(relief), size=0.95)


def four_shields(relief: str) -> str:
    """The florin's: the crowned shields of the kingdoms in a cross, and their flowers."""
    parts = []
    kingdoms = (england(relief), scotland(relief), england(relief), ireland(relief))
    for at, (arms, flower) in enumerate(zip(kingdoms, (ROSE, THISTLE, ROSE, SHAMROCK), strict=True)):
        shield = shape("M-18-20H18V4C18 15 9 19 0 25C-9 19-18 15-18 4Z", relief, 1.7) + moved(0, -1.5, arms, size=0.9)
        crown = moved(0, -21, royal_crown(relief), size=0.53)
        parts.append(moved(0, 0, moved(0, -33, shield, crown), turn=90 * at))
        parts.append(moved(0, 0, moved(0, -46, shape(flower, relief, 1.2)), turn=90 * at + 45))
    return ring(75.5, 1) + ring(73.5, 0.6) + "".join(parts) + shape(ROSE, relief, 1.2)


# along the x axis: a start, then bends and ends in turn
LAUREL: Sequence[Point] = ((0, 0), (9, -7), (20, 0), (9, 7), (0, 0), (9, 0), (15, 0))
OAK: Sequence[Point] = (
    *((0, 0), (2, -4), (5, -3), (6, -10), (10, -4), (13, -10), (15, -4), (21, -6), (22, 0)),
    *((21, 6), (15, 4), (13, 10), (10, 4), (6, 10), (5, 3), (2, 4), (0, 0), (9, 0), (17, 0)),
)
BERRY: Sequence[Point] = ((10, 0), (10, -3), (13, -3), (16, -3), (16, 0), (16, 3), (13, 3), (10, 3), (10, 0))
ACORN: Sequence[Point] = ((9, -4), (7, 0), (9, 4), (11, 0), (9, -4), (22, -4), (22, 0), (22, 4), (9, 4))


def sprigs(outline: Sequence[Point], places: Iterable[tuple[float, float, float]], size: float) -> str:
    """The path of one outline in several places: x, y and a turn in radians."""
    d = []
    for x, y, turn in places:
        cos, sin = math.cos(turn) * size, math.sin(turn) * size
        spots = [f"{number(x + a * cos - b * sin)} {number(y + a * sin + b * cos)}" for a, b in outline]
        d.append(f"M{spots[0]}" + "".join(f"Q{bend} {end}" for bend, end in zip(spots[1::2], spots[2::2], strict=True)))
    return "".join(d)


def branch(leaf: Sequence[Point], fruit: Sequence[Point], relief: str, r: float, size: float) -> str:
    """Up the right side of the coin from its foot: leaves in pairs, fruit between them, a leaf at the end."""
    angles = [math.radians(166 - 18 * at) for at in range(8)]
    nodes = [(r * math.sin(angle), -r * math.cos(angle), angle + math.pi) for angle in angles]
    pairs = [(x, y, along + side) for x, y, along in nodes for side in (-0.62, 0.62)]
    fruits = [(x, y, along + 1.15 * (-1) ** at) for at, (x, y, along) in enumerate(nodes[:-1])]
    stem = line([(-3, r + 5), *((x, y) for x, y, _ in nodes)], 1.5)
    grown = sprigs(fruit, fruits, size), sprigs(leaf, [*pairs, nodes[-1]], size)
    return stem + "".join(shape(d, relief, 1.1) for d in grown)


def wreath(first: str, second: str, relief: str) -> str:
    """The value under the crown, between laurel and oak."""
    size = min(23, 134 / len(second))
    words = text(0, -4, first, size, weight=700, spacing=1) + text(0, -3 + size, second, size, weight=700, spacing=0.5)
    branches = moved(0, 0, branch(LAUREL, BERRY, relief, 67, 0.95), mirror=True) + branch(OAK, ACORN, relief, 67, 0.82)
    bow = path("M-10 62C-3 67 3 73 11 76M10 62C3 67-3 73-11 76", width=2.4)
    words += text(0, 42, "1865", 15, weight=700)
    return circle(0, -2, 50, SILVER.tint, None) + branches + bow + words + moved(0, -40, royal_crown(relief))


# --- Britannia --------------------------------------------------------------------------------------------------------

TRIDENT = "M35-40C35-35 38-33 42-33C46-33 49-34 50-39M34 48L43-47M33-38L36-44L37-38M48-37L51-43L52-36M41-43L44-50L45-42"
SKIRT = "M-16 2C-20 14-24 30-30 48H41C45 47 45 44 41 43C36 42 34 40 34 34C35 26 38 20 37 13C34 6 26 5 16 5L8 0Z"
TORSO = "M-18-30C-14-35 4-36 12-31C16-26 12-14 9-6C8-2 9 0 9 4C0 8-10 8-17 4C-16-6-20-18-18-30Z"
HEAD = "M-6-32C-4-38-6-42-7-46C-8-58 6-62 10-53L13-46.5C13-45 11-45 11.5-43.5C11-42 11.5-39.5 9-39C6-39 5-38 6-32Z"
HELMET = "M-9-44C-12-60 4-66 11-55L14-52L7-51C4-51 2-48 1-43C-2-41-6-41-9-44Z"
CREST = "M-14-43C-21-62-2-75 13-63C4-64-4-62-8-56C-10-52-9-46-9-39C-12-39-13-41-14-43Z"
LEFT_ARM = "M10-30C18-28 22-20 26-14C30-18 35-22 38-22C41-22 42-18 39-16C34-12 30-4 25-4C18-6 12-16 9-24Z"
RIGHT_ARM = "M-17-30C-24-28-28-18-32-8C-36-6-38-2-35 0C-30 2-26-2-26-6C-22-12-16-18-14-24Z"


def seashore(relief: str) -> str:
    """Lighthouse and ship, the sea, and the date under the ground."""
    rows = "".join(f"M{-x} {y}q4-3 8 0t8 0t8 0M{x - 24} {y}q4-3 8 0t8 0t8 0" for x, y in ((72, 32), (70, 38), (66, 44)))
    tower = "M-67 31L-63-2H-57L-53 31ZM-65-2H-55V-5H-65ZM-63-5V-12H-57V-5M-64-12L-60-17L-56-12Z"
    ship = "M49 24Q60 29 73 23L69 32H53ZM61 24V-3M55 2H66L67 11H54ZM54 12H67L68 21H53ZM68 20L75 21L62 1"
    ground = path("M-55 50A74 74 0 0 0 55 50Z", BRONZE.tint, BRONZE.tint) + path("M-64 49.5H64M-61 52.5H61")
    ground += text(0, 70, "1865", 18, weight=700, spacing=2)
    return ground + shape(tower + ship, relief, 1.2) + path(rows + "M-58 2L-55.5 29M-60 2L-59 29", width=1)


def britannia(relief: str) -> str:
    """Seated by the sea, the Union shield at her right hand, the trident in her left."""
    folds = between((-12, 8, -14, 22, -20, 36, -24, 47), (6, 14, 6, 26, -2, 38, -6, 47), 6)
    folds += between((0, 8, 12, 8, 24, 8, 33, 13), (4, 16, 14, 16, 22, 18, 28, 24), 5)
    folds += between((34, 16, 34, 26, 30, 36, 32, 44), (14, 22, 14, 30, 8, 40, 8, 47), 6)
    folds += between((-14, -28, -10, -14, 0, -10, 9, -12), (-14, -2, -8, 4, 2, 4, 8, 2), 6)
    plume = between((-13, -45, -17, -58, -4, -69, 8, -63), (-10, -45, -12, -56, -5, -62, 3, -63.5), 4)
    body = shape(SKIRT + TORSO, relief, 1.8) + burin(folds, 0.65)
    head = shape(LEFT_ARM + HEAD + CREST, relief, 1.5) + shape(HELMET, relief, 1.4) + burin(plume, 0.55)
    crosses = path("M0-25V25M-17 0H17", width=5) + path("M0-24V24M-16 0H16", stroke=relief, width=2.2)
    union = ellipse(0, 0, 17, 25, relief, width=2) + path("M-12-18L12 18M12-18L-12 18", width=2) + crosses
    shield = moved(-34, 23, union, turn=12) + shape(RIGHT_ARM, relief)
    return seashore(relief) + path(TRIDENT, width=2.4) + body + head + shield


# --- the coins --------------------------------------------------------------------------------------------------------


class Coin(NamedTuple):
    name: str
    value: str
    short: str
    metal: Metal
    millimetres: float
    device: Callable[[str], str]
    legends: Sequence[tuple[str, float, float, float]] = ()

    def radius(self) -> float:
        """In the order of the real coins; the smaller are enlarged, or their legends could not be read."""
        return 95 * math.pow(self.millimetres / 38.6, 0.6)


# words, from which angle to which, size
QUEEN = ("VICTORIA DEI GRATIA", -132, 132, 14), ("1865", 197, 163, 14)
GEORGE = ("M·B·F·ET·H·REX·F·B·ET·L·D·S·R·I·A·T·ET·E", -150, 150, 13), ("1798", 197, 163, 13)
BRITAIN = (("BRITANNIARUM REGINA FID: DEF:", -146, 146, 13.5),)
GOTHIC = (("victoria dei gratia britanniar: reg: f: d", -168, 168, 15.5),)
TENTH = (("one florin one tenth of a pound", -160, 160, 15.5),)
PENNY = ("ONE", -78, -44, 15), ("PENNY", 40, 94, 15)

COINS = {
    "SOV": Coin("Sovereign", "20s", "20s", GOLD, 22, young_head, QUEEN),
    "HG": Coin("Half-guinea", "10s 6d", "10/6", GOLD, 20, spade_shield, GEORGE),
    "HS": Coin("Half-sovereign", "10s", "10s", GOLD, 19.3, garnished_shield, BRITAIN),
    "CR": Coin("Crown", "5s", "5s", SILVER, 38.6, gothic_bust, GOTHIC),
    "HC": Coin("Half-crown", "2s 6d", "2/6", SILVER, 32.3, branched_shield, BRITAIN),
    "FL": Coin("Florin", "2s", "2s", SILVER, 30, four_shields, TENTH),
    "SH": Coin("Shilling", "1s", "1s", SILVER, 23.6, partial(wreath, "ONE", "SHILLING")),
    "6D": Coin("Sixpence", "6d", "6d", SILVER, 19.4, partial(wreath, "SIX", "PENCE")),
    "1D": Coin("Penny", "1d", "1d", BRONZE, 31, britannia, PENNY),
}


def blank(metal: Metal) -> str:
    """The disc with its rim and beading, and the shadow it throws on the paper; only the bronze was not milled."""
    shadow = "".join(circle(1.8 * at, 1.8 * at, 100, width=0.9) for at in range(1, 7))
    mill = ring(97, 0.9) if metal is BRONZE else ring(97.2, 5, dashes=f"1.4 {math.tau * 97.2 / 140 - 1.4:.3f}")
    return shadow + circle(0, 0, 100, metal.tint, width=2.6) + mill + ring(94.5, 1.2) + beads([91], 4.4, 2.8)


def struck(coin: Coin) -> str:
    field = coin.metal.field(73.5 if coin.legends else 87)
    words = "".join(legend(*part) for part in coin.legends)
    return blank(coin.metal) + field + words + coin.device(coin.metal.relief)


def strap() -> str:
    """Around the coin that is to be changed, what is asked."""
    band = ring(89.5, 21, pen.GREEN) + ring(100, 1.4) + ring(79, 1.4)
    gilt = ring(97.2, 0.9, pen.BRASS) + ring(81.8, 0.9, pen.BRASS) + star(0, 89.5, 7, 8, 0.5, pen.BRASS)
    return band + gilt + legend("CHANGE FOR A SOVEREIGN", -144, 144, 16, 84.3, pen.PAPER)


def index(coin: Coin) -> str:
    size = {2: 54, 3: 45, 4: 36}[len(coin.short)]  # the turned one must not touch the value
    return text(17, 18 + 0.7 * size, coin.short, size, anchor="start", weight=700) + moved(34, 79, coin.metal.sign)


def face(coin: Coin) -> str:
    asked = strap() if coin.name == "Sovereign" else ""
    drawing = moved(pen.MIDDLE, 156, asked, moved(0, 0, struck(coin), size=round(coin.radius() / 100, 3)))
    name, value = text(pen.MIDDLE, 278, coin.name, 20), text(pen.MIDDLE, 301, coin.value, 25, pen.GREEN, weight=700)
    gilt = box(12.5, 12.5, pen.WIDTH - 25, pen.HEIGHT - 25, "none", pen.BRASS, 0.8, r=4)
    return pen.card(gilt, drawing, name, value, pen.both_ends(index(coin)), keyline=pen.GREEN)


COVER = "HG"  # the card that stands for the game


def faces(options: Mapping[str, Any]) -> dict[str, str]:
    """The cards by code."""
    return {code: face(coin) for code, coin in COINS.items()}


def back() -> str:
    """Small coins in a net of arcs."""
    side = 24.2  # nine across and thirteen down fill the frame
    corners = ("0 0", f"{side} 0", f"{side} {side}", f"0 {side}")
    net = "".join(f"M{corners[at]}A{side} {side} 0 0 1 {corners[at - 2]}" for at in range(4))
    coin = circle(side / 2, side / 2, 4.6, pen.GREEN, pen.BRASS, 1.2) + star(side / 2, side / 2, 2.6, 8, 0.4, pen.BRASS)
    return pen.tiled(path(net, stroke=pen.BRASS, width=0.7) + coin, side, pen.GREEN)
