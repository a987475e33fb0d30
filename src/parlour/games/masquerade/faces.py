"""The pack of the Masquerade Game: thirty-two guests of one carnival, dressed out of one box of costumes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...util import pen
from ...util.pen import AUBERGINE, INK, OCHRE, PAPER, Point, element, group, moved, number

MULBERRY, BISTRE, FLESH, BLUSH = "#93405a", "#665139", "#f7e2cb", "#e9b9a0"
Tints = dict[str, str]
Part = tuple[str, ...]

# Everything is drawn around the middle of a face that looks a little to the right: the chin is at 37, the shoulders
# are at 60, and the figure is cut off at the floor of the niche it stands in.
FACE_Y, FLOOR, NICHE, SPRING = 140, 160, 68, -41


def mixed(colour: str, share: float, ground: str = PAPER) -> str:
    """A tint: so much of a colour laid thinly on a ground."""
    pairs = ((int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def inks(main: str, accent: str) -> Tints:
    """The few colours a suit is printed with."""
    tints = {"deep": main, "cloth": mixed(main, 0.72), "mid": mixed(main, 0.42), "pale": mixed(main, 0.15)}
    return tints | {"accent": accent, "paper": PAPER, "flesh": FLESH, "blush": BLUSH, "ink": INK}


# --- the tools --------------------------------------------------------------------------------------------------------

LINES = {"bold": 2.6, "line": 1.3, "thin": 0.8}
ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round"}
INKED: dict[str, object] = {"fill": "none", "stroke": INK, "stroke_width": 1.7} | ROUND


def joined(*values: float) -> str:
    return " ".join(number(value) for value in values)


def numbers(words: str) -> list[float]:
    return [float(word) for word in re.findall(r"-?[\d.]+", words)]


def ruled(lines: Iterable[Sequence[float]]) -> str:
    """Straight lines in few words: each begins from where the last one ended, and is a whole number long each way."""
    d, x, y = "", 0.0, 0.0
    for from_x, from_y, to_x, to_y in lines:
        across, down = int(to_x - from_x), int(to_y - from_y)
        way = f"h{across}" if down == 0 else f"v{down}" if across == 0 else f"l{across} {down}"
        d += f"m{joined(from_x - x, from_y - y)}{way}"
        x, y = round(from_x, 1) + across, round(from_y, 1) + down
    return d


def mark(d: str, **members: object) -> str:
    """A path that takes what it does not say from a group that is INKED: most of a card is made of these."""
    return element("path", d=re.sub(r" (?=[-A-Za-z])|(?<![\d.])0(?=\.)", "", d), **members)


def mirrored(part: str) -> str:
    return group(part, transform="scale(-1 1)")


def swelled(words: str) -> str:
    """Strokes of a pressed pen, thin at both ends: the width, then begin, pull and end of each."""
    width, curves = words.split(" ", 1)
    d = ""
    for curve in curves.split(","):
        x, y, pull_x, pull_y, to_x, to_y = numbers(curve)
        dx, dy = to_x - x, to_y - y
        over, down = (float(width) * part / math.hypot(dx, dy) for part in (-dy, dx))
        d += f"M{joined(x, y)}q{joined(pull_x - x + over, pull_y - y + down, dx, dy)}"
        d += f" {joined(pull_x - to_x - over, pull_y - to_y - down, -dx, -dy)}Z"
    return mark(d, fill=INK, stroke_width=0.4)


def along(curve: list[float], t: float) -> list[float]:
    """A point of a curve that is pulled once."""
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t**2)
    return [sum(w * at for w, at in zip(weights, curve[axis::2], strict=True)) for axis in (0, 1)]


def shaded(words: str) -> str:
    """Hatching from one curve to another: how many lines, then both curves."""
    count, curves = words.split(" ", 1)
    start, end = (numbers(curve) for curve in curves.split("/"))
    steps = [(at + 0.5) / int(count) for at in range(int(count))]
    return mark(ruled(along(start, t) + along(end, t) for t in steps), stroke_width=0.6)


def knobs(words: str, tints: Tints) -> str:
    """Buttons, pearls and bells: an ink, the radius, and where they are."""
    ink, places = words.split(" ", 1)
    r, *at = numbers(places)
    half = f"{joined(r, r)} 0 1 0"
    ring = f"a{half} {joined(2 * r)} 0 {half} {joined(-2 * r)} 0Z"
    d = "".join(f"M{joined(x - r, y)}{ring}" for x, y in zip(at[::2], at[1::2], strict=True))
    return mark(d, fill=tints[ink], stroke_width=1.0)


def stroke(words: str, tints: Tints) -> str:
    """One stroke: a tool and what to do with it. The name of an ink is a tool too: a shape filled and outlined."""
    tool, what = words.split(" ", 1)
    match tool:
        case "both":
            return stroke(what, tints) + mirrored(stroke(what, tints))
        case "swell":
            return swelled(what)
        case "shade":
            return shaded(what)
        case "knobs":
            return knobs(what, tints)
        case "flat":
            ink, d = what.split(" ", 1)
            return mark(d, fill=tints[ink], stroke="none")
        case "chalk":
            return mark(what, stroke=PAPER, stroke_width=1.0)
    return mark(what, stroke_width=LINES[tool]) if tool in LINES else mark(what, fill=tints[tool])


def drawn(parts: Iterable[Part], tints: Tints) -> str:
    return "".join(stroke(words, tints) for part in parts for words in part)


# What many parts have in common, and what stands for it in their sheets.
TORSO = "M-14 46c-16 10-36 14-44 36-6 22-8 54-8 78H66c0-24-2-56-8-78-8-22-28-26-44-36Z"
SHARED = {
    "TORSO": TORSO,
    "ARMPITS": "both swell 2.4 -42 160-47 130-39 102,-52 160-50 150-54 138",
    "SHADOW": "shade 18 -60 82-65 118-66 150/-46 88-52 124-50 158 | shade 6 -62 98-65 128-66 150/-56 94-58 124-58 146",
    "HOLES": "flesh M-17-4c5-6 12-6 17 0-5 5-12 5-17 0ZM9-4c4-5 9-5 13-1-3 5-9 6-13 1Z | knobs ink 2.1 -5-4 17-5",
}


def wardrobe(sheet: str) -> dict[str, Part]:
    """Parts by name: `name: stroke | stroke | …`. A line set in goes on with the one above."""
    sheet = re.sub("|".join(SHARED), lambda word: SHARED[word[0]], re.sub(r"\n +", " ", sheet.strip()))
    return {name: tuple(part.split(" | ")) for name, part in (line.split(": ", 1) for line in sheet.split("\n"))}


# --- heads: faces and what is in them, masks, hair, hats, and what stands behind --------------------------------------

HEAD = wardrobe("""
lean: flesh M-25-20c-4 16-2 30 6 42 6 9 16 16 24 16 8 0 15-10 18-21 3-8 4-14 2-20 3-11 2-23-5-30C6-43-20-38-25-20Z |
  shade 11 -26-8-26 12-10 30/-19-2-18 12-4 30
soft: flesh M-23-20c-4 16-2 30 6 42 6 8 15 14 22 14 6 0 13-9 16-19 3-8 4-14 2-20 3-11 2-23-5-30-12-9-36-5-41 13Z | flat
  blush M-15 8A5.5 4 0 1 0-4 8 5.5 4 0 1 0-15 8Z | shade 8 -24-2-24 12-10 28/-19 2-18 13-5 28
stout: flesh M-27-18c-7 18-7 36 3 48 8 9 20 12 30 11 11 0 20-9 22-23 2-8 1-15-2-21 3-11 1-23-6-30-14-9-40-3-47 15Z |
  flat blush M-20 11A6.5 5 0 1 0-7 11a6.5 5 0 1 0-13 0Zm38 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0Z | thin M-6 36c6 4 18 4 24-2 |
  shade 10 -30 0-34 20-14 36/-24 4-25 20-8 34
open: swell 2.2 -15-1-8-10 1-2,9-2 15-9 21-2 | knobs ink 2.1 -5-3 16-3 | thin M-12 1Q-7 3-2 0M11 1q4 2 8-1
closed: swell 2.2 -15-4-8 4 0-3,9-3 15 3 21-4 | thin M-12 0l-2 3m7-2V5m5-5L0 3M12 0L11 3m6-3l1 3
sly: swell 2.8 -15-4-8-7 1-2,9-2 15-7 21-4 | knobs ink 1.9 -3-2 18-2 | thin M-13 1Q-6 4 0 0M10 1q5 3 10-1
wide: paper M-15-2A7.5 6.5 0 1 0 0-2 7.5 6.5 0 1 0-15-2ZM9-2A6 6.5 0 1 0 21-2 6 6.5 0 1 0 9-2Z | knobs ink 2 -6-1 16-1
patch: swell 2.2 9-2 15-9 21-2 | knobs ink 2.1 16-3 | ink M-17-7c5-4 14-4 18 0C2 2-3 7-8 7-14 6-18 0-17-7Z | line
  M-16-7l-11-7M0-8L22-24
calm: swell 2.2 -17-10-8-18 2-11,9-11 16-17 23-10
raised: swell 2.2 -17-13-8-24 2-13,9-13 16-24 23-13
stern: swell 3.4 -18-16-8-14 3-7,8-7 16-14 24-16 | thin M4-13v6m3-6v5
sad: swell 2.2 -17-9-8-13 2-18,9-18 16-14 23-9
straight: line M6-6c2 8 7 12 7 16 0 3-5 4-9 2
snub: line M8-3c1 6 5 8 4 12-1 2-4 2-6 1
hooked: flesh M5-8C10-6 21 3 20 11c-1 7-7 3-15 3 | thin M6 14c-3-1-4-4-2-6
bulbous: blush M6-4C7 1 6 3 4 6 0 9 2 16 8 15c7 2 12-3 10-8-3-3-6-4-7-10 | thin M4 9c2-1 4 1 4 4
smile: swell 1.8 -2 20 8 28 19 18 | thin M4 28q4 2 8-1
smirk: swell 1.8 -1 23 10 27 19 17 | thin M5 28q3 1 6 0m9-14q2 3 0 6
grin: paper M-4 18c7 4 17 3 23-2 0 10-6 15-13 14C0 29-4 24-4 18Z | thin M-2 23c7 4 15 3 20-2
lips: flat deep M0 20c4-4 6-1 8-1 2-2 5-3 8 0-4 7-11 8-16 1Z | swell 0.8 0 20 8 22 16 19 | thin M5 29q3 1 6 0
singing: ink M3 19c2-4 9-4 11 0 2 7-1 12-6 12-5 0-7-6-5-12Z | flat blush M5 28c1-3 6-3 7 0-2 3-5 3-7 0Z
frown: swell 1.8 -1 26 8 18 18 23 | thin M4 29q4-2 8 0
tear: paper M-9 6c-3 5-3 9 0 9 3 0 3-4 0-9Z
moustache: swell 5 8 15-2 14-12 22,9 15 19 14 25 20 | swell 2 -12 22-17 23-18 16,25 20 29 20 29 14
goatee: deep M3 30c4-3 9-3 12 0 0 10-2 20-6 26-4-8-7-16-6-26Z | chalk M8 33V46m3-13V44
beard: deep M-26-2c3 12 10 18 20 17 6-3 11 0 14 1 4-2 10-3 17-14 4 16 2 42-15 58-24-6-40-34-36-62Z | flat flesh M0
  21c5-3 12-3 17-1-4 6-12 7-17 1Z | swell 1.4 0 21 8 24 17 20 | chalk M-20 16c2 12 8 24 16 32m-8-28c2 12 8 22 16 30M2
  30c1 8 4 16 8 22m4-24c0 6 0 12-1 18
white beard: paper M-26-4c2 14 10 20 20 19 6-3 11 0 14 1 4-2 10-3 17-14 5 18 7 48-3 80-6-6-8 2-16 8C0 80-6 82-12 76-28
  54-30 22-26-4Z | swell 1.4 0 21 8 25 17 20 | thin M-21 14c1 20 5 36 11 52m-3-46c1 16 7 32 11 50M0 30C0 46 4 60 6
  78m4-50c0 18 4 28 5 42m3-46c1 16 2 26 2 38
stubble: thin M-14 20v1m4 5v1m4-5v1m2 7v1m6 1v1m6 1v1m6-5v1m4-5v1m2-7v1m-36-7v1m7 3v1m21 8v1
soot: shade 9 -24 8-22 24-2 34/-12 4-10 18 2 30 | shade 6 16 2 24 8 22 18/8 8 14 12 12 24
beauty spot: knobs ink 1.3 -8 17
spectacles: knobs paper 8 -7 0 17 0 | knobs ink 2 -5 1 18 1 | line M1-2C3-4 7-4 9-2M-15-2L-26-6
neck: flesh M-13 22l-2 34c7 6 23 6 30 0L13 22Z | shade 8 -13 26-13 40-14 56/-2 34-4 44-8 58
jutting beard: paper M2 31c6-4 16-5 20-2 12 5 20 15 24 29C34 50 14 48 4 40Z | thin M10 34c12 2 22 8 30 16M18 31c8 3 14 7
  18 11M10 40c8 2 16 6 22 9
half-mask: deep M-28-13c10-6 24-2 33 4 8-6 16-8 23-3C28 0 23 9 15 8 10 7 8 3 6 4c-5 3-9 7-18 6C-23 8-28 0-28-13Z | flesh
  M-17-2C-12-8-5-8 0-2-5 3-12 3-17-2ZM9-2c4-5 9-5 13-1-3 5-9 6-13 1Z | knobs ink 2 -6-3 17-3 | chalk M-25-10c9-5 21-2 30
  4 7-6 15-8 20-4
black mask: ink M-28-22c12-8 46-10 54 0 3 12 1 22 0 28-2 5-4 8-6 8-2 5-12 6-16 2-12 2-28-2-31-12Z | HOLES | chalk
  M-20-14c8-6 16-4 22 2m7 0c5-6 11-6 15-2M4 13c2 3 11 3 14-1M-22 6c6 5 14 4 18 0
hooked mask: ink M-28-20c12-8 46-10 54 0 2 6 2 10 1 14C40 0 46 14 40 28 36 18 28 16 18 14 6 16-22 16-27 4Z | HOLES |
  chalk M-20-14c8-6 16-4 22 2m6-1c6-6 10-5 14-1M22-4C32 2 36 10 36 18M-20 6c6 4 14 3 20-2
long nose: cloth M-28-20c12-8 46-10 54 0 2 6 2 10 2 14 16 0 30-4 38-8 4 4 2 10-2 12C50 8 34 14 18 14 6 16-22 16-27 4Z |
  HOLES | swell 3.4 -20-12-10-20 2-12,8-13 14-20 22-15 | shade 12 22 12 44 8 62 0/26 4 44 0 60-6
beak: paper M-27-26c15-10 43-10 52 0C30-14 44 6 66 46 40 38 22 34 8 32-10 36-26 22-28 0Z | shade 14 -22 16 4 34 62 44/-8
  12 18 24 50 34 | knobs accent 8.5 -7-8 18-9 | knobs ink 4.5 -6-8 19-9 | thin M27-10C18 6 14 18 16 32M8-14v8
bauta: paper M-26-26c12-8 44-8 51 2 2 10 2 20 2 26 4 12 6 26 5 40-14 8-42 8-56 0 2-14-1-28-3-40Z | ink M-17-6c5-6 12-5
  17 1-5 4-12 4-17-1ZM9-6c4-5 10-5 14-1C19-1 13-1 9-6Z | line M6-10C8 0 18 12 18 18c-4 4-10 3-14 2 | shade 13 -25 2-22
  24-22 40/-17 6-14 22-12 44 | thin M-20 22c12 6 24 4 34 0
cat: mid M-30-10c-2-16 0-32 4-42 8 6 16 12 22 18 8-2 14-2 18 0 6-6 12-12 18-16 2 12 0 26-4 42-2 14-8 20-16 22-10 2-24
  0-32-6-6-4-9-10-10-18Z | accent M-25-42c5 4 11 8 14 12-5 2-11 6-15 10Zm53 0c-4 4-8 8-10 11 4 3 8 7 10 11Z | paper
  M-19-3c6-9 14-7 19 1-6 5-14 5-19-1ZM10-2c4-8 10-9 15-3-4 7-11 8-15 3Z | swell 2.6 -8-9-7-3-8 2,18-9 18-3 17 2 | accent
  M3 6c3-2 8-2 11 0-2 4-4 5-5 6-3-2-5-3-6-6Z | thin M-4 8L-40 2m36 9l-36 3M20 8L44 0M20 11l24 1M-2-26v10M5-28v12m7-11v10
sun: mid M-40 0A40 40 0 1 0 40 0 40 40 0 1 0-40 0Z | shade 22 -26-28-56 0-22 31/-20-22-42 2-16 27 | swell 3
  -24-8-14-18-4-9,8-9 18-18 27-8 | ink M-21-2C-16-8-9-8-5-2-9 3-16 3-21-2ZM9-2c4-6 11-6 15 0C20 3 13 3 9-2Z | line
  M0-8C-2 2-4 8-4 12c3 4 10 4 13 0C9 8 7 2 6-4 | accent M-9 22c5-4 9-1 11-1 2 0 7-3 12 1-6 7-17 7-23 0Z | swell 1 -11 22
  2 25 16 22 | thin M-26 8a6 6 0 0 0 10 4m36 0A6 6 0 0 0 30 8M-4 32q6 3 12 0
crop: ink M-24 16C-36 0-36-36-4-42 24-44 32-24 28-2Z
sideburn: ink M-26 6c-4-12-4-30 4-38 0 10-2 18 2 22-4 4-2 12-6 16Z
tresses: deep M-24-28C-42-10-34 14-42 36c-4 14 2 26 14 24 12-6 14-30 16-52H16c0 22 4 38 14 46 10-2 8-26 4-42
  2-24-2-46-22-52-12-4-26 0-36 12Z | thin M-32 0c2 20-6 34-4 52m10-42c2 18-4 30-4 44M28 12c0 16 4 26 4 36
swept: deep M-25 6c-5-24 3-44 27-44C20-38 27-22 25-6c-5-6-7-16-13-20C2-20-16-14-25 6Z | thin M-22-10C-16-22-4-28
  8-30M-18-20c8-10 18-13 28-13
ringlets: both deep M-20-26C-34-22-36-8-30-4c-10 6-8 18-2 20-8 6-6 18 1 20-5 6-1 14 4 16 7-4 7-14 3-18 6-6 6-16 2-20 6-8
  4-20 6-28Z | both thin M-31-6c5 4 9 2 11-2M-33 15c5 3 9 1 11-3M-32 35c4 3 7 1 8-2
parting: deep M-25 4c-5-22 5-42 29-42C22-38 27-20 24-4 20-14 14-22 4-27-8-22-20-12-25 4Z | thin M4-37c-4 5-2 8 0
  10M-20-12C-16-22-8-28 0-32M20-14c-2-8-6-14-12-18
queue: paper M-20-30C-40-22-34 0-34 8c-8 4-8 14 0 16h16c4-4 4-14 0-18V-4H20V6c-4 6-2 16 4 18 10 0 14-10 6-16 4-12
  6-32-14-42Z | deep M-30 30c-10-4-16 2-12 10 6 2 10-2 12-6 2 6 6 12 12 12 2-8-4-16-12-16Z
wig: paper M-26 4c-6-18-4-46 28-50C28-44 30-20 26-4 22-16 16-24 2-25-12-24-22-14-26 4Z | paper M-38-2c-6-6-2-14 6-12 6 2
  12 4 10 10-2 6-12 8-16 2Zm0 15c-6-5-3-13 5-12 7 1 13 4 11 9-2 6-12 8-16 3Z | thin M-34-6a3 3 0 1 1 4-2M-34 9a3 3 0 1 1
  4-2m10-25C-16-32-6-38 4-40M-12-22C-8-30 0-34 6-34M22-16C20-28 14-34 8-38
bob: deep M-30 24c-8-34-2-66 30-68 32 2 34 34 29 66-5 4-9 2-11-4l-32 2c-4 8-12 10-16 4Z
fringe: deep M-28 20C-34-4-32-38 0-40c28 0 32 28 27 50-3-8-3-20-7-28-12 4-28 4-38 0-2 12-2 26-4 38Z | thin M-25
  14c-3-20-1-34 5-42m10 11c0-7 4-15 10-19M8-17c0-7 0-13-4-19
shock: mid M-20 22l-14 6 6-10-14-4 12-8L-44-4-32-8-42-22l14 0-2-16 16 2 8-12L4-38l14-6 2 12 14 0-4 14 10 8L30-4 38 8 26
  8Z
wreath: deep M-26 14C-36 4-36-12-28-18l54 0c8 6 6 20 0 26Z
tonsure: deep M-28 8c-8-8-6-20-2-26 12-4 22 4 26-4 8 6 14-2 20 4 6-4 12 0 13 4 2 6 1 12-2 14-1-6-5-10-11-10C8-8
  2-14-4-12c-8 4-16-2-20 4-2 6-2 12-4 16Z | thin M-12-33c8-4 18-4 24-1
bicorne: deep M-50-16C-52-36-30-60 2-62c30 2 48 24 48 44C34-31 18-34 2-33c-20 0-38 5-52 17Z | chalk M-43-24c7-18 23-30
  45-32 22 2 36 14 41 30 | paper M18-46c-4-18 4-38 24-46 2 6 6 8 8 6 0 10-4 14-2 18-6 12-16 20-30 22Z | thin M19-47c3-17
  11-31 24-39M23-58l11-4m-7-4l13-4 | knobs accent 6 16-46 | knobs paper 2 16-46
rose cap: paper M-25-20c-9-4-5-14-1-14-2-10 8-14 12-12 4-10 16-10 20-4 8-6 18 0 16 8 8 2 8 14 2 18-14-10-36-8-49 4Z |
  thin M-22-24c2-8 6-14 10-18m2 12c2-6 4-12 8-16M6-31c0-7 2-11 4-15m7 19c3-5 3-9 3-13 | accent M-26-30c-14-4-18 8-10
  12-6 10 6 12 9 6 7 4 13-4 8-9 3-7-3-11-7-9Z | thin M-31-24c-3 4 1 9 5 7 4-3 1-9-3-6-1 2 1 4 2 3 | mid M-38-12C-46-8-48
  2-46 8-40 4-34-2-35-9Zm16 1C-24-2-28 2-32 4c0-8 2-13 5-16Z
venetian cap: accent M-29-14c-7-30 9-46 27-42 22-2 34 16 28 38-16-10-38-9-55 4Z | paper M-30-10c-4-6-2-12 2-14 18-12
  42-12 54-3 4 3 4 9 2 13-16-12-40-10-58 4Z | thin M-18-34c0-10 6-16 14-18M10-36c2-8 0-14-6-17M20-34c2-6 0-10-4-13 |
  shade 9 -30-14-14-28 2-30/-27-18-13-31 2-34
doctor's hat: ink M-32-26c0-32 6-40 32-41 26 1 31 9 31 39Z | ink M-64-22c6-16 110-22 126-4-8 10-38 2-60 2-24 0-52 12-66
  2Z | accent M-32-36c20-8 46-8 63-2l0 8c-17-6-43-6-63 2Z | chalk M-24-46c0-10 4-14 16-15M-56-22c16 4 36-7 58-7
sugarloaf: paper M-29-18c-1-32 3-66 19-86 10 4 14 8 16 4C20-80 28-46 28-20 10-32-12-31-29-18Z | mid M-32-14c-4-6-2-12
  2-13 18-13 44-13 58-2 4 3 4 9 2 13-18-13-44-12-62 2Z | swell 1.8 -10-102-16-70-14-38,6-98 12-70 12-39 | shade 18
  -26-34-26-70-12-96/-17-38-17-70-8-94
skullcap: ink M-27-8c-7-32 9-38 29-38 20 0 29 16 24 34C22-22 14-29 2-29-14-29-22-20-27-8Z | chalk M-22-24q5-16 24-16
plumed hat: deep M-30-26c2-30 12-38 34-37 20 1 24 13 24 31Z | deep M-60-8C-64-22-40-32-8-34c34-4 54-14 66-6C54-24 22-24
  2-22-22-20-46-16-60-8Z | accent M-30-34c16-10 44-12 58-8v8c-16-4-42 0-58 8Z | paper
  M12-42C4-72-20-92-50-88-62-84-68-70-60-58c2-8 8-12 12-10-4 6-2 10 2 12 2-6 8-10 14-6-2 4 2 10 6 10 4-4 10-4 14 0 0 4 6
  8 10 8 4-4 10-2 14 2Z | thin M12-42C0-66-24-82-52-78m6 0c-4 4-6 8-4 10m16-10c-2 6-2 12 0 15m12-9c-2 6-2 12-2
  18m14-10c-2 6-2 10 0 12
tricorne: ink M-56-12C-58-40-34-58 0-66c36 6 56 22 58 46C40-28 22-32 4-40-14-30-38-24-56-12Z | chalk M-50-18c0-20 20-33
  50-42 32 6 50 18 52 35 | knobs accent 4 4-47
crown: deep M-28-28c-4-18-10-28-14-38l22 16 4-28L0-54 16-80l6 29L44-66C38-54 32-44 30-28 10-38-12-38-28-28Z | knobs
  accent 4 -42-69-16-82 16-84 45-69 | accent M-28-24c18-11 40-11 58 0v-9C12-43-10-43-28-33Z | knobs paper 2.5 -16-34
  1-37 18-34 | thin M-8-46l8 6 8-6-8-6Z | shade 9 -30-36-34-52-40-62/-22-40-24-48-30-57
turban: paper M-34-14c-18-10-16-40 6-48 18-14 48-12 60 2 18 10 16 38 0 44-20-12-46-12-66 2Z | swell 2 -34-16-20-52
  22-64,-44-30-28-58 4-68,-14-24 10-50 38-54,8-25 26-36 43-40 | shade 9 -42-24-46-46-30-58/-33-26-36-42-24-54 | accent
  M-4-36C0-46 8-46 12-36 8-28 0-28-4-36Z | cloth M4-44c-6-18-8-40 6-56 0 8 4 10 8 8-2 8 0 12 4 12C16-70 12-58 5-44Z |
  thin M5-46C4-64 6-80 11-92 | knobs paper 2.2 4-36
horns: deep M-25 20C-34 0-34-42 0-46 34-42 34-4 25 16c1-16 1-30-3-36-8-4-14-2-18 10-6-12-16-14-24-8-4 10-4 24-5 38Z |
  accent M-26-30c-14-10-18-32-6-48-2 18 8 28 20 35-6 1-10 7-14 13Zm52 0C42-40 46-62 36-78c0 18-10 28-22 35 6 1 10 7 12
  13Z | chalk M-34-48c4 4 8 6 12 8M-37-56c4 3 7 6 9 7m64 1c-4 4-8 6-11 8M39-56c-3 3-6 6-8 7 | both deep
  M-26-2c-8-8-16-8-20-14 0 12 8 24 19 26Z
straw hat: mid M-30-32c2-24 16-30 34-28 18 0 24 10 24 24Z | mid M-64-10c4-26 44-34 70-32 32 0 54 4 56
  20-18-4-40-6-62-4-26 2-44 6-64 16Z | accent M-30-40c18-8 44-8 58-4v8c-16-4-40-4-58 4Z | thin M-56-17C-40-30-14-34
  4-34c26 0 42 2 52 8M-22-46c4-8 14-11 24-11M-46-24l4-10m12 5l2-9m50 4l0-7M40-31l0-8 | paper M20-44c-8-8 0-18 7-13 3-9
  15-7 13 3 8 2 6 14-3 12-3 8-15 6-17-2Z | knobs accent 4 30-49 | line M-26-24c-4 24 0 48 10 60M24-26c4 22 2 42-4 52 |
  accent M-14 40c-16-10-22 4-14 10 6 0 12-4 16-7 0 9 4 17 10 19 4-10-2-18-8-22 12 2 20 0 20-8-6-6-16 0-24 8Z | shade 10
  -60-18-46-34-26-38/-48-18-36-28-18-32
sailor's hat: ink M-30-24c-6-20-4-32 0-34 20-8 48-8 62 0 4 8 2 22-4 32Z | ink M-40-14c-6-12 6-18 14-19 18-7 42-7 56-1 12
  2 16 10 12 16-18-10-58-10-82 4Z | accent M-33-40c21-8 49-8 66 0l-1 7c-18-8-42-8-63 1Z | accent
  M-32-38C-46-34-52-20-50-6l6-6 4 8c-2-14 2-24 9-28Z | chalk M-26-50c0-4 6-7 18-8M-36-20c2-6 8-8 16-10
cap and bells: deep M0-34C-6-60-30-74-52-56-62-46-62-26-56-14c6-20 16-22 28-2 8-8 18-12 30-14Z | accent M0-34C8-62 34-74
  54-56c10 12 8 30 4 42-6-20-18-24-30-2-8-8-16-12-26-14Z | mid M-20-30C-18-60-8-82 4-96 14-82 22-60 22-30
  8-36-8-36-20-30Z | knobs paper 5 -56-10 58-10 4-99 | thin M-58-9l4 1M56-9l4 1M2-98l4 1 | swell 2
  -50-50-34-54-20-36,52-50 38-54 24-36,4-88 0-60 4-36 | paper M-30-10c-4-8 2-14 10-12 2-8 14-10 20-4 6-6 18-4 20 4 8-2
  14 6 9 12-17-12-41-12-59 0Z
comb: accent M-22-34c-8-24-4-50 6-54 12-6 30-6 38 0 10 8 10 32 0 54Z | line M-14-42c-4-18-2-34 4-38m6 40C-6-60-4-76
  0-84M8-40c2-20 2-34-2-44M16-42c6-16 6-30 0-38 | deep M-28 10C-38-30-24-48 2-48 30-48 36-26 27 4 26-14 18-26
  2-27-14-26-24-14-28 10Z | both chalk M-28 0c-4-22 6-38 26-42 | cloth M-34 70C-46 30-42-20-16-40-28-10-30 20-26 66Zm70
  0C48 30 44-20 20-40 30-10 30 20 28 66Z | both chalk M-37 50l4-6 4 6m-9-16l4-6 4 6m-8-16l4-6 4 6M-36 2l4-6 3 5
calotte: ink M-22-30C-20-46-8-50 4-50c12 1 18 8 20 18-14-6-32-6-46 2Z | chalk M-14-40c4-4 10-6 16-6
slouch hat: ink M-34-24c0-28 12-44 30-36 8-6 30-6 36 30Z | ink M-62-2C-66-24-38-36 0-38c34-2 60 4 62 24-4 12-28 4-42
  8C0-2-10 2-26 2-42 2-56 8-62-2Z | mid M-34-32c20-12 48-12 66-6l0 6c-18-6-44-4-66 7Z | chalk M-54-4c14 2 26 0 34 0 14 0
  28-8 46-8M-24-46c2-8 8-12 14-11m6-3c4 6 4 10 2 14
mob cap: paper M-34-6c-12-6-10-20 0-22-6-26 16-40 36-38 24 0 38 16 32 38 8 4 8 16-2 22-2-8-8-8-10-14-6 2-12-2-14-6-6
  4-14 4-16 0-6 8-12 6-14 10-6 0-10 4-12 10Z | accent M-34-28c20-16 50-16 68 0l0-7C16-50-14-50-34-35Z | thin
  M-22-44c2-10 10-16 18-18M8-46c2-8 2-14-2-18M22-42c2-8 0-12-4-16M-28-30l-4 14m14-18l-2 12M-6-36l-2 9M8-36l0 9m10-7l3
  12m6-8l4 14 | accent M2-44c-10-12-20-6-16 2 2 6 10 4 16 0 6 6 16 6 16-2 0-8-10-10-16 0Z | shade 9
  -34-40-32-58-14-63/-26-42-24-54-10-60
nightcap: mid M-28-16C-34-44-14-62 8-62 34-60 50-40 50-8 40-24 34-28 26-28Z | paper M-30-10c-4-8-2-14 2-16 18-12 42-12
  54-4 4 4 4 10 2 14-16-12-40-11-58 6Z | swell 1.8 -16-36-8-52 12-60,0-40 12-52 30-50,14-39 28-42 40-34 | paper
  M50-10c-8-2-10 8-8 16l4-4 3 6 4-6 4 4c1-8 1-16-7-16Z | paper M-20-30c-20-6-36-20-44-40 18 8 36 20 46 34Z | thin
  M-19-33c-17-9-31-21-41-33 | shade 8 -28-30-26-50-8-58/-20-34-18-48-2-54
beret: cloth M-28-18c-20-4-26-26-8-36 22-12 70-8 80 10 4 12-8 20-16 22-18-9-40-8-56 4Z | accent M-29-14c-3-6-1-10 1-12
  18-11 42-11 56-2 3 3 2 8 1 11-17-11-41-10-58 3Z | swell 2 -38-30-34-46-14-54,36-32 38-44 20-54,-4-36-4-50 6-57 | paper
  M-18-34C-30-60-52-72-64-64c4 2 2 8 0 10 8 0 10 4 10 8 6-2 12 2 14 6 6-2 14 2 22 6Z | thin M-18-34C-30-50-44-60-58-61 |
  shade 9 -42-28-50-44-34-52/-32-28-38-40-24-50
pilgrim's hat: cloth M-30-28c0-28 10-34 32-34 22 0 28 10 28 32Z | cloth M-64-24c2 10 24 6 40 4 18-6 38-6 52-2 16 6 32 6
  36-4-4-10-20-8-32-10-12 6-48 6-64 0-14 2-30 2-32 12Z | thin M-54-24c14-2 24-2 32-2m76 2c-12-2-20-3-28-3M-20-44c2-8
  8-12 16-13 | paper M2-34C-8-36-16-46-12-52c4-8 26-8 29 0 3 6-5 16-15 18Z | thin
  M2-35L-9-51M2-35L-3-55M2-35V-57M2-35L8-55M2-35L14-51 | shade 9 -30-34-30-56-18-60/-20-36-20-52-10-58
kerchief: accent M-28 2C-40-30-22-50 4-50c24 1 28 20 22 34C12-28-12-24-28 2Z | accent M-28 0C-42 2-50 14-48 30c8-2 12-8
  16-14-2 10-2 18 2 26 8-8 10-26 6-38Z | swell 2 -28-2-22-30 6-42,-30-6-32-34-6-46,-20-12 0-34 24-30 | knobs paper 2.2
  -26-20-10-36 8-44 18-36-18-8-2-24 12-28 | knobs accent 3.5 -24 17
battered hat: ink M-28-26c2-24-6-44-8-58 20-10 50-12 68-4-2 12 4 18 0 30-6 10-2 18-2 30Z | ink M-48-12C-52-24-30-34
  0-35c30-1 50 5 50 15-14-4-32-6-48-6-18 0-36 4-50 14Z | cloth M-29-36c17-8 43-8 58-2V-48c-15-6-41-6-57 2Z | chalk
  M-27-58c-1-10-3-18-4-22m-5-4c20 4 50 2 68-4M14-72L26-58M18-74l10 8m2 6L18-62M-42-18c8-8 22-11 36-12
bonnet: cloth M-26 14c-18-8-24-38-8-60 14-16 54-18 68 0 12 16 8 46-6 60 2-14 0-30-8-37-12-8-32-7-40 3-8 10-6 22-6 34Z |
  thin M-22-20L-38-38m26 11L-22-54M2-30L2-59M14-27l8-27m0 35L36-38M26-6l16-6M-26-6l-17-8M27 6L38 6 | accent
  M-32-48c16-18 52-18 66 0 4-6 2-16-8-22-16-8-36-8-50 0-10 6-12 16-8 22Z | paper M-20-20c-6 6-2 10 2 8 0-6 6-8 10-6 0-6
  8-8 12-4 2-4 8-2 10 2 4 0 8 4 6 10 6-2 6-8 2-12-12-9-32-9-42 2Z | accent M2 42c-14-8-26-2-22 8 4 6 16 2 22-4 6 8 18 10
  20 2 2-10-10-12-20-6Z | line M-26 14c2 14 12 24 28 30 12-4 22-16 26-30 | shade 14 -42 6-50-28-32-46/-35 4-42-22-27-38
soft cap: cloth M-30-14c-18-6-24-32-2-44 22-10 66-4 72 18 0 10-6 16-12 20Z | deep M-32-10c-4-6 0-12 4-14 18-12 42-12
  56-4 16 4 24 12 22 18C38-16 24-20 4-22c-16 0-26 4-36 12Z | swell 2 -38-26-36-44-18-52,32-34 30-48 12-56 | accent
  M10-36c2-18 12-32 28-36 0 16-10 30-24 38Z | thin M12-36c6-14 14-24 22-30 | shade 9
  -42-28-50-44-32-54/-31-28-36-40-22-52
sooty cap: ink M-29-12C-40-36-26-56 0-54c28-2 38 18 29 34Z | ink M-8-24c18-12 44-10 60 8-10 4-20 4-30 0-10-4-20-6-30-8Z
  | chalk M-24-24c-2-12 6-22 16-24m8-5c-2 7 0 15 4 21m6 4c14-2 24 2 32 8
torn hat: cloth M-32-24c-4-22 6-36 18-34l8-6L2-54l12-8c14 2 20 18 18 36Z | cloth M-58-14l10-6-4-8c22-10 82-12 104 0l-6 6
  12 4-14 6-8-6c-22-8-50-8-70 2L-42-6l-4-8Z | accent M10-52l16 4-2 14L8-38Z | thin M8-50l4-4m4 7l3-5m4 5l5-3M22-40h6m-6
  7l4 4M14-34l-1 4M7-36L4-33M7-44H2 | swell 2 -26-32-24-46-14-52,-6-36-10-46-5-58 | shade 8
  -32-32-32-50-22-56/-24-36-24-48-16-54
hood: deep M-46 70C-54 20-46-58 0-64 46-58 54 20 46 70Z | flat ink M-36 60C-42 16-38-44 0-48 38-44 42 16 36 60Z
mantilla: cloth M-50 90C-56 30-44-58-18-78c12-6 26-6 38 0C46-58 56 30 50 90Z | chalk M-42 84C-48 30-38-44-18-64M42 84C48
  30 40-44 20-64M-32 80C-38 30-32-30-18-50M32 80C38 30 32-30 20-50
lace fan: paper M-20 62c-24-4-42-18-40-28-6-8-4-22 2-24-4-12 2-22 8-24 0-8 8-14 14-14l72 0c6 0 14 6 14 14 6 2 12 12 8 24
  6 2 8 16 2 24 2 10-16 24-40 28Z | both thin M-16 56L-56 34m40 18L-56 14m40 32L-50-8m34 46L-40-22M-53 38l1-8m-4-6a4 4 0
  1 0 1 0m0-21a4 4 0 1 0 1 0m8-16a4 4 0 1 0 1 0
pack: mid M-56 96c-6-46-4-72 12-82C-20 4 24 4 46 14 60 24 60 50 56 96Z | line M-58 48c28-8 88-8 116 0M-34 10c-4 30-4
  50-2 80M36 10c4 30 4 50 0 80
""")


def sun() -> Part:
    """A gilt face with flames around it, long ones that are blown about and short ones that stand."""
    flames = ""
    for at in range(16):
        middle = math.radians(22.5 * at)
        reach, blown = (56, 0.0) if at % 2 else (66, 0.14)
        outline = (-0.19, 38), (blown - 0.1, 52), (0.0, reach), (blown + 0.1, 50), (0.19, 38)
        a, b, c, d, e = (joined(r * math.sin(middle + turn), -r * math.cos(middle + turn)) for turn, r in outline)
        flames += f"M{a}Q{b} {c}Q{d} {e}Z"
    return (f"cloth {flames}", *HEAD["sun"])


# --- dress: first the ink of the sleeve -------------------------------------------------------------------------------

FOREARM = "M33 160c-2-18-1-30 5-44l20 2c6 14 9 28 8 42Z"
DRESS = wardrobe("""
coat: cloth | cloth TORSO | SHADOW | ARMPITS | paper M-12 50L0 124 14 50Z | both deep M-12 46c-12 6-17 14-16 26l-6 6 11
  8L0 128c-2-28-8-58-12-82Z | line M0 128v32 | knobs accent 2.8 8 138 8 152
cloak: cloth | cloth TORSO | SHADOW | swell 3.4 -24 84-36 120-40 160,-8 92-14 126-16 160,10 92 16 126 18 160,26 84 36
  120 36 160 | deep M-16 44c-26 6-46 18-49 48 21 12 49 10 65 0 16 10 44 12 65 0-3-30-23-42-49-48Z | chalk M-59 87c17 10
  43 8 59-2 16 10 42 12 59 2 | knobs accent 4.5 0 84 | shade 22 -62 96-22 106-2 95/-58 102-22 114-4 104 | shade 20 4 95
  26 106 62 96/6 104 26 114 60 102
blouse: paper | paper TORSO | SHADOW | ARMPITS | knobs deep 7 0 92 0 120 0 148 | swell 2 -22 78-26 100-18 122,24 78 28
  104 18 128,-12 110-20 130-16 156
sacking: paper | paper TORSO | SHADOW | ARMPITS | swell 2.4 -24 80-10 96-4 124,22 80 12 96 6 124,0 74-4 90 0 112 | deep
  M-44 132c24 10 64 10 88 0v12c-24 10-64 10-88 0Z | knobs accent 6 0 145
robe: deep | deep TORSO | both chalk M-40 160c-4-28-2-48 2-62m14-24c-4 30 2 58 2 86 | paper M-26 56c4 18 14 28 26 30
  14-2 22-12 26-30Z | chalk M0 88v72 | knobs accent 2.6 7 100 7 118 7 136 7 154
gown: mid | both flesh M-62 108c-2 24 4 42 8 52h18c-6-14-6-32-6-50Z | flesh M-13 40C-26 54-46 56-52 76l12 24H40L52 76C46
  56 26 54 13 40Z | both thin M-17 60q9 7 14 4 | shade 8 -46 66-50 74-44 90/-38 70-40 78-36 88 | cloth M-40 82c14 10 28
  2 40 12 12-10 26-2 40-12 0 26-10 46-14 62 16 4 28 8 32 16H-58c4-8 16-12 32-16-4-16-14-36-14-62Z | thin M-20 90c4 20 8
  40 10 54M20 90c-4 20-8 40-10 54m-36 0c16 6 36 6 52 0 | swell 2.4 -20 148-28 152-32 159,20 148 28 152 32 159 | both mid
  M-38 76c-20-10-32 10-28 30 2 16 18 20 28 12 4-12 2-26 0-42Z | both swell 2 -44 80-56 94-52 116,-40 84-46 98-42 114,-52
  78-64 92-60 112 | paper M-40 80c6-2 10 4 14 6 4-4 10-4 13 0 5-2 9 2 13 6 4-4 8-8 13-6 3-4 9-4 13 0 4-2 8-8 14-6 0 8-10
  18-16 14-6 4-14 0-16 4l-8 4-8-4c-2-4-10 0-16-4-6 4-16-6-16-14Z | knobs accent 3.6 0 112 0 126 0 139 | shade 12 -38
  100-34 122-26 142/-30 102-26 122-18 142
bodice: paper | paper TORSO | SHADOW | flesh M-13 40C-24 56-30 60-32 70-20 88-10 92 0 92c10 0 20-4
  32-22-2-10-8-14-19-30Z | ARMPITS | both swell 2 -50 92-60 104-56 124,-46 90-52 104-48 122 | both thin M-17 62q9 6 14 3
  | paper M-34 66c8 20 22 24 34 24 12 0 26-4 34-24l4 10C28 98 14 102 0 102c-14 0-28-4-38-26Z | deep M-36 84c2 28 8 52 4
  76H32c-4-24 2-48 4-76-10 16-24 20-36 20-12 0-26-4-36-20Z | accent M-9 104l3 56H6l3-56Z | line M-9 112l17 8m1-8l-17 8m0
  8l16 8m0-8l-16 8m0 8l15 8m1-8l-15 8
kaftan: mid | cloth TORSO | SHADOW | ARMPITS | paper M-16 50c4 40 4 70 2 86H14c-2-16-2-46 2-86Z | both accent M-14
  46c-12 8-18 12-20 18 8 26 10 52 10 74h11c0-28 1-58-1-92Z | both knobs paper 2.2 -24 70-20 88-18 106-18 124 | deep M-44
  134c24 10 64 10 88 0v26H-44Z | chalk M-44 142c24 10 64 10 88 0m-88 8c24 8 64 8 88 0
stripes: paper | paper TORSO | flat deep M-56 80c26 14 86 14 112 0l3 8c-29 14-89 14-118 0Zm-5 16c31 14 91 14 122 0l2
  9c-33 13-93 13-126 0Zm-3 18c34 14 94 14 128 0l1 9c-35 13-95 13-130 0Zm-2 18c36 14 96 14 132 0l0 9c-36 13-96 13-132 0Z
  | line TORSO | ARMPITS | paper M-14 46c-22 6-28 14-26 28L0 92 40 74c2-14-4-22-26-28L0 84Z | thin M-34 72c-2-10 4-14
  14-18M34 72c2-10-4-14-14-18
habit: cloth | cloth TORSO | SHADOW | ARMPITS | swell 2.8 -16 92-20 116-16 142,14 92 18 116 16 142,0 94 2 116-2 140 |
  mid M-30 36c-22 14-22 40 8 54 14 6 30 6 44 0 30-14 30-40 8-54-10 22-50 22-60 0Z | swell 2 -34 48-34 66-16 80,34 48 34
  66 16 80,-6 62-4 78 4 88 | paper M-46 142c26 8 66 8 92 0v6c-26 8-66 8-92 0Z | thin M-36 146l3 4m9-2l3 4m9-4l3 4
rags: cloth | cloth TORSO | SHADOW | ARMPITS | paper M-14 48l10 80L8 110l6-62Z | both deep M-12 46c-12 6-18 12-18 24l-6
  6 10 6-4 8 12 6 4 16 10 16c0-28-4-58-8-82Z | accent M-44 112l20 4-4 22-20-6Z | thin M-45 115l-4-2m3 9l-4-1m12-8l1-4m7
  6l1-4m4 11l4 1m-5 7l4 1m-10 6l-1 4m-7-7l-1 4 | line M-4 128l2 32 | mid M14 132l16-4 2 14-14 6Z | thin M16 131l-2-4m10
  2l0-4m7 9l4-1m-9 12l1 4m-10-9l-4 1
doublet: mid | mid TORSO | SHADOW | cloth M-14 46c-10 8-20 12-26 24 2 34 10 62 8 90H32c-2-28 6-56 8-90-6-12-16-16-26-24Z
  | both cloth M-40 62c-22 0-30 26-26 48 10 8 24 6 30-2 2-16 0-32-4-46Z | both paper M-44 76c-3 12-2 22 1 34 5-10
  4-24-1-34Zm-10-2c-4 12-3 24 1 36 5-10 4-24-1-36Zm-8 10c-3 10-2 18 1 25 3-7 2-17-1-25Z | line M0 66v94 | knobs accent 3
  0 84 0 102 0 120 0 138 0 154 | both swell 2 -24 72-24 104-16 130,-12 120-16 140-14 158
""")


def motley() -> Part:
    """A jacket of lozenges: a lattice bent to the body, in three colours by turns."""

    def at(u: int, v: int) -> str:
        side, down = u / 4, v / 9
        half = 16 + 50 * min(1.0, down * 2.2) ** 0.6
        return joined(half * side, 48 + 112 * down + (1 - down) * (14 * side**2 - 6))

    rows = {"deep": "", "accent": ""}
    for v in range(0, 9, 2):
        for u in range(-4, 5, 2):
            ends = at(u, v), at(min(u + 1, 4), v + 1), at(u, min(v + 2, 9)), at(max(u - 1, -4), v + 1)
            rows["deep" if (u + v) % 4 else "accent"] += "M" + "L".join(ends) + "Z"
    lozenges = (f"flat {ink} {d}" for ink, d in rows.items())
    return ("accent", f"paper {TORSO}", *lozenges, f"line {TORSO}", SHARED["ARMPITS"], "knobs paper 3 0 92 0 112 0 132")


def ruff(half: float, high: float, pleats: int) -> Part:
    """A ring of pleats around the neck."""

    def at(turn: float, reach: float) -> Point:
        angle = math.tau * turn / pleats + math.pi / 2
        return half * reach * math.cos(angle), 50 + high * reach * math.sin(angle)

    d, folds = f"M{joined(*at(-0.5, 1))}", []
    for pleat in range(pleats):
        d += f"Q{joined(*at(pleat, 1.2), *at(pleat + 0.5, 1))}"
        folds += [at(pleat + 0.5, 1) + at(pleat + 0.5, 0.45), at(pleat, 1) + at(pleat, 0.75)]
    return (f"paper {d}Z", f"thin {ruled(folds)}")


COLLARS = wardrobe("""
ribbon: deep M-14 44c8 6 20 6 28 0v7c-8 6-20 6-28 0Z | knobs accent 3.5 2 57
pearls: knobs paper 3 -13 50-8 56-2 59 5 59 11 56 15 50
jabot: paper M-13 42c7 8 21 8 27 0V52c-8 6-20 6-27 0Z | paper M-4 54C-16 64-8 70-16 78c6 6 12 2 14 10 4-4 8 0 10-6 6 2
  10-6 6-12 4-8-4-12-8-16Z | thin M-2 58c-4 8 0 16-2 24M3 58C4 68 2 76 4 84M7 60c3 8 1 14 3 20
bands: paper M-2 48L-14 84H-1L1 52 4 84H16L4 48Z | deep M-14 42c8 6 22 6 28 0V52c-8 4-20 4-28 0Z
wide collar: paper M-14 42c-20 8-34 18-32 32 10 10 28 8 42-6l4-8 4 8c14 14 32 16 42 6 2-14-12-24-32-32L0 58Z | thin M-40
  72c6 6 20 4 31-6m49 6c-6 6-20 4-31-6
scarf: accent M-20 42c12 12 30 12 40 0 4 6 4 14 0 18-12 8-30 8-40 0-4-6-4-12 0-18Z | accent M4 62C0 76 2 88 6 98l8-6 8
  4c0-14-4-26-12-36Z | swell 2 -18 48-4 62 12 60,8 66 8 78 12 88
bow: accent M0 54c-12-12-32-10-32 2 0 10 20 10 32 2 12 8 34 8 34-2 0-12-20-14-34-2Z | knobs accent 5 1 56 | thin M-8
  55c-8-3-14-3-19 0m37 0c8-3 14-3 19 0
shawl: mid M-18 44c-26 8-44 20-46 46 24 2 48 14 64 26 16-12 40-24 64-26-2-26-20-38-46-46C14 70 6 82 0 90-6 82-14 70-18
  44Z | swell 2.2 -24 52-24 80-6 98,-40 60-40 78-22 90,24 52 24 80 6 98,42 60 42 76 24 90 | thin M-60
  90v6m10-4v6m10-5v7m10-4v7m10-2v7m10-1v7m20-7v7m10-13v7M30 96v7M40 93v7m10-8v6m10-8v6 | shade 16 -62 86-58 66-30 52/-52
  88-48 70-24 58
high collar: both deep M-4 66c-16-4-30-22-32-50-10 10-16 28-14 48C-40 84-18 94-2 96Z | both chalk M-12 66Q-32 52-34 28
shells: deep M-16 42c-28 8-46 24-46 50 22 14 102 14 124 0 0-26-18-42-46-50C8 58-8 58-16 42Z | both paper M-36
  94c-10-4-14-12-10-18 4-6 16-6 19 0 3 6-1 14-9 18Z | both thin M-36 93l-8-15m8 15l-3-19m3 19l2-19m-2 19l7-15
necklace: thin M-20 58c6 18 32 20 40 0 | knobs accent 3.2 -14 70-6 75 3 76 12 71
""")

HEAD["sun"] = sun()
DRESS["motley"] = motley()
COLLARS |= {"ruff": ruff(38, 15, 17), "great ruff": ruff(54, 21, 19)}

# --- what is held, drawn around the hand ------------------------------------------------------------------------------

HELD = wardrobe("""
bat: paper M-4 14L8-92c2-6 12-6 12 2L5 14Z | thin M0 14L13-94M5-42h9M4-38h9M2-8H8 | deep M-5 16L-3-4H7L5 16Z
tambourine: paper M-14-40a28 30 0 1 0 56 0 28 30 0 1 0-56 0Z | accent M-14-40a28 30 0 1 0 56 0 28 30 0 1 0-56 0Zm6 0a22
  24 0 1 1 44 0A22 24 0 1 1-8-40Z | knobs paper 3.5 -11-46-3-62 14-70 31-62 39-46 38-28 28-15 | shade 10 -6-34 0-18
  18-17/2-44 10-28 26-26 | deep M30-14c6 14 2 28 10 40l4-8 6 4C44 8 44-6 36-18Z
purse: accent M-4 6C-20 18-28 40-14 48c12 6 28 4 34-4C28 30 12 16 6 6Z | swell 2 -2 12-14 24-14 38,4 12 14 24 12 40,1 14
  0 26-1 38 | thin M-8 10c6 3 12 3 18 0 | shade 7 -18 28-20 42-8 48/-10 28-10 36-2 44
wand: deep M-4 16L32-82l4 2L4 18Z | knobs accent 6 36-87 | swell 3 33-76 46-88 58-82,33-76 22-92 12-90
macaroni: cloth M-4 16L12-40l6 1L4 17Z | accent M1-64C-13-44-11-28-5-11c2-7 5-9 7 4C5-17 8-17 9-4c4-11 7-11 10 2 2-11
  5-13 7-5 3-11 7-11 12-2 5-19 1-39-7-55-8-8-22-8-30 0Z | thin M5-64C-3-42-3-28 1-11m9-53C5-42 7-28 9-7m6-57c-2 22 0 36
  1 57m4-57c1 22 1 36 3 55m2-54c4 21 6 34 6 48 | bold M7-85L7-68c0 9 20 9 20 0l0-17M17-85l0 26
daisy: line M0 14C0-20 4-44 16-56c6-6 16-2 18 8 | mid M2-14c8-12 18-12 24-6-8 8-16 10-24 6Z | paper M34-50c-6-8-12 0-8
  4-10 0-8 10-2 10-6 8 2 14 7 8 1 10 11 8 9 0 8 4 12-6 5-9 7-5 1-13-4-10 3-9-5-11-7-3Z | knobs accent 5 34-38
rapier: paper M-2-16L38-98 6-12Z | accent M-14-18c0-10 30-12 32 2-8 6-24 6-32-2Z | thin M-8-18c6-5 16-5 21 1 | deep
  M-2-12L-8 14c4 6 10 6 12 2L8-12Z
goblet: paper M-14-52c0 20 6 30 16 32 10-2 18-12 18-32Z | flat accent M-12-42c2 12 6 19 15 20 9-1 13-10 15-20-10
  4-20-4-30 0Z | line M3-20V10M-14-52c10 4 24 4 34 0 | thin M-4-56v-5m8 1v-6m8 9v-4
sceptre: deep M-3 18L3-68H9L4 18Z | accent M6-68C-8-70-10-88 6-98 22-88 20-70 6-68Z | line M6-68V-98M-4-82c6 4 14 4 20 0
  | knobs paper 3.5 6-101 | accent M-3-66c5 4 13 4 18 0l-1 8c-4 2-12 2-16 0Z
scimitar: paper M0-14C14-34 22-62 8-96 36-84 42-40 8-10Z | thin M8-20C24-40 28-64 18-84 | accent M-16-14c8 6 26 8 36 2
  0-6-6-6-10-4-8 2-18 0-24-4Z | deep M-5-10L-6 16c4 6 12 4 12-2L6-9Z
trident: deep M-4 20 17-62h6L4 20Z | accent M-1-96C-3-78 1-62 21-60c20-2 26-18 24-36L39-84l2 4c-2 8-8 12-16 12l1-22 3
  2-7-14-7 14 3-2 0 22C11-68 5-72 3-80l4-4Z
crook: accent M-3 20L6-70c2-28 38-28 36-2-2 12-16 12-16 2l6 0c2 4 4 2 4-4 0-14-22-14-24 6L3 20Z | paper
  M7-46C-6-60-16-48-8-42c4 2 10 0 15-2 7 8 19 6 17-2-2-8-12-8-17 0ZM6-42L-4-22l8-4 4 8 2-24Z
telescope: accent M-12-4L44-44 54-30-2 8Z | deep M26-34L48-52 62-32 38-16Z | paper M48-52c8-2 18 12 14 20-8
  0-14-12-14-20Z | thin M10-20L18-8M-4-10L2 0
fan: paper M0 4L-40-48c4-8 12-10 16-8 4-10 16-12 20-6 6-8 18-6 20 2 8-4 18 2 18 10 8 0 12 8 10 14Z | accent M0
  4L-22-26c14-12 38-10 48 8Z | line M0 4L-24-56M0 4L-4-62M0 4L16-60M0 4L34-50 | thin M-33-45c19-17 55-13 72 9
bauble: accent M-3 18L2-38H8L4 18Z | paper M-10-36c8-8 22-8 30 0-6 8-24 8-30 0Z | flesh M-6-56C-8-44-2-38 5-38c7 0 13-8
  11-18Z | deep M5-58C0-74-16-76-20-62c4-4 8 0 12 10 8-6 18-6 26 0 4-10 8-14 12-10-4-14-20-12-25 4Z | knobs paper 3
  -20-60 30-60 | thin M0-51v1m10-1v1M1-45c3 3 7 3 10 0M5-50v3
keys: bold M-9 13a10 10 0 1 0 19 0A10 10 0 1 0-9 13Z | accent M-5 21l-7 19-5-2-2 5 5 2-1 3 6 1 8-26Zm9 1L8 44 2 46l1 4
  10-1L8 22Z
rose: line M0 16C2-8 4-24 8-38M3-10l-5-4m7-8l5-2 | mid M4-16c8-12 20-14 26-10C26-16 14-12
  4-16Zm0-6C-2-32-12-34-16-32-14-24-6-20 4-22Z | deep M8-38C-6-38-12-52-4-62c2-8 12-12 18-6 10 0 14 12 8 18 2 8-6 14-14
  12Z | chalk M0-58c4-8 14-8 17 0 1 8-9 12-12 6-2-6 5-8 7-4M-4-50c4 6 12 8 18 6
mask on a stick: accent M-2 16L3-30H7L3 16Z | deep M-26-48c8-10 24-6 32 2 8-8 22-12 30-2 2 14-6 22-16 22-8 0-10-8-15-8-5
  0-7 8-15 8-10 0-18-8-16-22Z | paper M-18-41c6-6 13-4 17 2-5 5-13 5-17-2Zm29 2c4-6 11-8 17-2-4 7-12 7-17 2Z | chalk
  M-22-48c8-6 20-1 27 6 7-7 19-12 27-6
eyeglass: accent M-2 16L2-22H6L3 16Z | knobs accent 17 5-38 | knobs pale 13 5-38 | thin M-3-38L8-48M2-34L13-44
lantern: bold M-8 8C-10 18 10 18 8 8 | ink M-14 21L0 12l14 9 1 27H-15Z | flat accent M-9 24H9l1 19H-10Z | paper M0 27c-5
  7-4 13 0 13 4 0 5-6 0-13Z | line M-4 24V43M5 24V43
candle: accent M-18-16c8 8 30 8 38 0 0-6-38-6-38 0Z | paper M-5-18V-52c3-3 9-3 12 0v34c-3 2-9 2-12 0Z | thin M-5-46c3 4
  5-2 7 2M1-54v-6 | accent M1-58c-9-8-3-18 1-30C6-76 12-66 1-58Z | deep M-3-12V14H5V-12Z
quill: paper M-4 12C2-20 14-60 44-92c6 22 0 52-22 70l4 2C20-14 12-12 6-8L-1 13Z | thin M-3 12C6-24 20-56 42-86M12-32l8
  2M18-44l12 2M24-56l14 0
letter: paper M-28-50l58-8 6 42-58 8Z | line M-28-50L6-30 30-58 | thin M-22-8L-2-34M36-16L11-36 | deep M6-24c-8-8-4-14
  0-10 4-6 9 1 0 10Z
rosary: thin M-4 8c-10 14-6 22 4 24C10 30 14 22 6 8M0 32v4 | knobs deep 2.6 -7 13-10 20-8 27-3 32 4 32 9 27 11 20 8 13 |
  accent M-2 34H3v4H7v4H3v8H-2V42H-6V38h4Z
staff: accent M-4 22L4-100h6L5 22Z | knobs accent 6 7-104 | cloth M9-72c9-2 13 6 9 12 10 6 10 22-2 24C4-38 4-54
  12-60c-4-4-4-8-3-12Z | line M8-74c4-6 8-4 8 2 | shade 6 8-50 10-40 18-39/13-52 15-45 20-45
cards: paper M-8 0L-34-40-14-52 6-8Z | paper M-4 0L-14-50l24-4L12-6Z | paper M0 2L12-52l24 8L18 0Z | flat accent
  M-20-38l5-6 3 7-5 6Zm16-2l4-7 5 6-4 7Zm21 2l6-6 4 8-6 6Z
fiddle: accent M-66-29c4-19 28-16 27-4 1 4 7 5 10 2 6-7 19 0 15 15-4 15-18 15-20 6-1-4-7-5-10-2-4 10-27 2-22-17Z | deep
  M-33-24L10-13c9-4 14 6 6 10L9-7-34-18Z | thin M-56-28L10-11M-57-26L9-9M-45-34c6-1 1 4 7 4M-49-15c5 0 1 5 6 4 | deep
  M-60-31l12 4-1 4-13-1Z | bold M-72 24L-4-68 | thin M-68 26L0-65-4-68 | paper M-86 49c-2-11 4-19 14-18l14 3c2 6 1 12-2
  15Z | flesh M-78 18c-6 0-8 6-4 8-4 4 0 8 4 8 2 6 10 6 14 2 6-4 4-14-2-18-4-4-10-4-12 0Z | thin M-82 26l9-1m-5
  9l7-3m3-14c-2 5 0 9 5 11
ballad: paper M-34-44c14-6 30 4 42-2 10-4 20 0 24 4L30 22c-8-6-18-6-26-2-12 6-26-6-38 0Z | thin M-26-32c10-4 22 4 32 0
  8-4 14-2 18 0m-50 8c10-4 22 4 32 0 8-4 14-2 18 0m-50 8c10-4 22 4 32 0M-26-8C-16-12-4-4 4-7M-26 0c8-4 16 2 22 2
windmill: accent M-3 18L5-58h5L4 18Z | deep M8-62C-2-66-10-78-4-90 8-86 10-76 8-62Zm0 0C12-52 8-38-4-34-10-46-4-56
  8-62Zm0 0c10-4 24 0 28 12-12 6-22 0-28-12Zm0 0c2-14 12-24 24-22C34-72 22-62 8-62Z | knobs paper 3.5 8-62
brush: accent M-4 18L20-58l6 1L4 20Z | ink M25-59L13-64 5-59l0-9-11-1 8-7-8-10L7-84 7-98l11 8 7-13 5 13 13-8-2 14 13 1-8
  9 8 8-13-2-3 11-8-7Z | chalk M24-68L7-74m17 3L13-86M26-71l0-19m1 19L40-84M28-68l16-6
bowl: deep M-32-18C-30 6-16 14 0 14c16 0 30-8 32-32Z | mid M-32-18c8-8 56-8 64 0-8 8-56 8-64 0Z | knobs paper 4.5 -8-18
  6-20 12-15 | chalk M-24-6C-20 4-12 8-4 9
fist: flesh M-8-9c-4 1-4 5-1 6-4 1-3 5 0 6-3 1-2 5 1 5 0 4 5 5 8 4l9-1c4-5 4-15 1-20-3-4-7-4-10-2-3-1-6 0-8 2Z | thin
  M-9-3C-5-4-1-4 3-3M-9 3C-5 2-1 2 3 3M-8 8c3-1 6-1 9 0M2-11C-1-6 3 0 8 3
cuff: swell 2.2 42 126 52 138 46 158,54 124 58 138 56 154 | paper M34 122c-1-8 4-14 14-14 10 0 16 6 14 15-8 5-20 4-28-1Z
  | thin M40 122l1-8m6 10V114m7 9l0-8
""")

# --- the company ------------------------------------------------------------------------------------------------------


class Guest(NamedTuple):
    """Who is on a card: dress, collar, all there is to the head in the order of drawing, and what is in the hand."""

    name: str
    dress: str
    collar: str
    head: str
    held: str
    behind: str = ""
    tilt: int = 0
    mirror: bool = False


MASQUERADERS = (
    Guest("Harlequin", "motley", "ruff", "crop,lean,grin,sideburn,black mask,bicorne", "bat", tilt=-7),
    Guest("Columbine", "gown", "ribbon", "ringlets,soft,lips,parting,half-mask,rose cap", "tambourine", "", 6, True),
    Guest("Pantalone", "cloak", "", "crop,lean,smirk,jutting beard,hooked mask,venetian cap", "purse", "", 4, True),
    Guest("Plague Doctor", "robe", "", "lean,beak,doctor's hat", "wand", "hood"),
    Guest("Pulcinella", "sacking", "ruff", "stout,grin,hooked mask,sugarloaf", "macaroni", tilt=-4),
    Guest("Pierrot", "blouse", "great ruff", "soft,open,sad,snub,frown,tear,skullcap", "daisy", "", 9, True),
    Guest("Captain", "doublet", "wide collar", "tresses,lean,long nose,moustache,plumed hat", "rapier", "", 3, True),
    Guest("Domino", "cloak", "", "lean,skullcap,bauta,tricorne", "goblet", "hood", -4, True),
)
RIDOTTO = (
    Guest("Queen", "gown", "pearls", "ringlets,soft,open,raised,snub,lips,parting,crown", "sceptre", "lace fan"),
    Guest("Sultan", "kaftan", "", "stout,open,calm,straight,beard,moustache,turban", "scimitar", tilt=-3),
    Guest("Devil", "cloak", "high collar", "lean,sly,stern,hooked,smirk,goatee,horns", "trident", "", 3, True),
    Guest("Shepherdess", "bodice", "", "ringlets,soft,lips,parting,half-mask,straw hat", "crook", tilt=7),
    Guest("Sun", "coat", "great ruff", "sun", "goblet"),
    Guest("Sailor", "stripes", "scarf", "crop,stout,grin,bulbous,sideburn,half-mask,sailor's hat", "telescope", "", -5),
    Guest("Cat", "gown", "bow", "tresses,soft,smile,swept,cat", "fan", "", -5, True),
    Guest("Jester", "motley", "", "lean,wide,raised,hooked,grin,cap and bells", "bauble", tilt=8),
)
INTRIGUE = (
    Guest("Duenna", "cloak", "", "stout,sly,stern,hooked,frown,comb", "keys", "mantilla"),
    Guest("Gallant", "coat", "jabot", "queue,lean,sly,raised,straight,smirk,beauty spot,wig", "rose", "", -6, True),
    Guest("Incognita", "cloak", "ribbon", "ringlets,soft,sly,calm,snub,lips,parting", "mask on a stick", "hood", 6),
    Guest("Abbé", "robe", "bands", "queue,stout,open,raised,straight,smile,wig,calotte", "eyeglass", tilt=4),
    Guest("Spy", "coat", "high collar", "crop,lean,sly,hooked,frown,stubble,slouch hat", "lantern", "", 5, True),
    Guest("Soubrette", "bodice", "", "tresses,soft,open,raised,snub,smile,swept,mob cap", "candle", "", -6),
    Guest("Scribe", "coat", "scarf", "crop,lean,open,sad,hooked,frown,spectacles,sideburn,nightcap", "quill", "", 6),
    Guest("Page", "doublet", "wide collar", "bob,soft,open,calm,snub,smile,fringe,beret", "letter", "", -5, True),
)
MENDICANTS = (
    Guest("Friar", "habit", "", "wreath,stout,closed,raised,bulbous,smile,tonsure", "rosary", "", -4, True),
    Guest("Pilgrim", "habit", "shells", "tresses,lean,open,sad,straight,white beard,pilgrim's hat", "staff", "", 3),
    Guest("Gipsy", "bodice", "necklace", "tresses,soft,sly,calm,straight,lips,swept,kerchief", "cards", "", 6, True),
    Guest("Blind Fiddler", "rags", "scarf", "shock,lean,closed,sad,straight,smile,battered hat", "fiddle", "", -8),
    Guest("Ballad Singer", "bodice", "shawl", "ringlets,soft,closed,raised,snub,singing,bonnet", "ballad", "", 5, True),
    Guest("Pedlar", "coat", "scarf", "crop,lean,open,calm,hooked,grin,moustache,soft cap", "windmill", "pack", 3, True),
    Guest("Chimney Sweep", "rags", "", "shock,soft,wide,raised,snub,grin,soot,sooty cap", "brush", tilt=-6),
    Guest("Beggar", "rags", "", "shock,lean,patch,sad,bulbous,frown,stubble,torn hat", "bowl", "", 5, True),
)
SIGNS = wardrobe("""
half-mask: flat deep M-19-9c7-4 14-2 19 3 5-5 12-7 19-3C20 2 15 11 8 11 3 11 2 5 0 5c-2 0-3 6-8 6-7 0-12-9-11-20Z | flat
  paper M-14-2c3-5 9-4 11 1-3 5-9 5-11-1ZM14-2C11-7 5-6 3-1c3 5 9 5 11-1Z
fan: flat deep M0 14L-20-3c1-5 5-6 7-5 1-5 7-7 9-4 2-4 6-4 8 0 2-3 8-1 9 4 2-1 6 0 7 5Z | chalk M-1 10L-13-6M0
  10L-4-10M0 10L4-10M1 10L13-6
letter: flat deep M-19-12H19V12H-19Z | chalk M-18-11 0 3 18-11M-18 11-6-1M18 11 6-1 | flat paper M0 10C-9 2-5-5 0-1 5-5
  9 2 0 10Z
bowl: flat deep M-19-3H19C18 7 11 11 7 12v3H-7V12c-4-1-11-5-12-15ZM-6-9A6 5 0 1 0 6-9 6 5 0 1 0-6-9Z
""")

# --- cards ------------------------------------------------------------------------------------------------------------


def arch(x: float) -> float:
    """How high the niche is there."""
    return SPRING - math.sqrt(NICHE**2 - x**2)


def side(y: float) -> float:
    """How far the niche goes to either side at that height."""
    return NICHE if y > SPRING else math.sqrt(NICHE**2 - (y - SPRING) ** 2)


def sky() -> str:
    return ruled((-side(y), y, side(y), y) for y in range(SPRING - NICHE + 4, FLOOR, 7))


def candlelight() -> str:
    """Rays from behind the head."""
    ways = [(math.sin(math.pi * at / 24), -math.cos(math.pi * at / 24)) for at in range(-18, 19)]
    reaches = [(x, y, NICHE / abs(x) if y > 0 else NICHE) for x, y in ways]
    return ruled((20 * x, SPRING + 20 * y, r * x, SPRING + r * y) for x, y, r in reaches)


def wallpaper() -> str:
    return ruled((x, arch(x), x, FLOOR) for stripe in range(-64, 66, 9) for x in (stripe, stripe + 3))


def bricks() -> str:
    courses = range(SPRING - NICHE + 12, FLOOR, 14)
    joints = [(x, y, x, y + 14) for y in courses for x in range(-62 + y % 4 * 9, 67, 46) if arch(x) < y < FLOOR - 14]
    return ruled([*((-side(y), y, side(y), y) for y in courses), *joints])


class Suit(NamedTuple):
    tints: Tints
    sign: str
    ground: str
    guests: tuple[Guest, ...]


SUITS = {
    "M": Suit(inks(AUBERGINE, OCHRE), "half-mask", sky(), MASQUERADERS),
    "R": Suit(inks(OCHRE, AUBERGINE), "fan", candlelight(), RIDOTTO),
    "I": Suit(inks(MULBERRY, OCHRE), "letter", wallpaper(), INTRIGUE),
    "D": Suit(inks(BISTRE, OCHRE), "bowl", bricks(), MENDICANTS),
}


def niche(suit: Suit) -> str:
    """What a figure stands in."""
    d = f"M{-NICHE} {FLOOR}V{SPRING}a{NICHE} {NICHE} 0 0 1 {2 * NICHE} 0V{FLOOR}Z"
    lines = mark(suit.ground, stroke=suit.tints["mid"], stroke_width=0.5)
    return mark(d, fill=suit.tints["pale"], stroke_width=0.9) + lines


def head(guest: Guest, tints: Tints) -> str:
    """The head, turned on the neck, and somewhat too large, as is meet in a comedy."""
    turned = drawn((HEAD[word] for word in guest.head.split(",")), tints)
    return group(turned, transform=f"translate(0 44) rotate({guest.tilt}) scale(1.14) translate(0 -40)")


def arm(guest: Guest, tints: Tints) -> str:
    sleeve = DRESS[guest.dress][0]
    hand = moved(48, 101, drawn((HELD[guest.held], HELD["fist"]), tints), size=1.2)
    return drawn(((f"{sleeve} {FOREARM}",), HELD["cuff"]), tints) + hand


def figure(guest: Guest, tints: Tints) -> str:
    worn = (HEAD.get(guest.behind, ()), HEAD["neck"], DRESS[guest.dress][1:], COLLARS.get(guest.collar, ()))
    return drawn(worn, tints) + head(guest, tints) + arm(guest, tints)


def face(suit: Suit, rank: int) -> str:
    """A card: the figure in its niche, the name below, number and sign at both ends."""
    guest, dark = suit.guests[rank - 1], mixed(suit.tints["deep"], 0.88, INK)
    sign = moved(33, 87, drawn((SIGNS[suit.sign],), suit.tints | {"deep": dark}), size=1.1)
    # the hairlines of the figures are too fine for a card as small as a thumbnail, so they get an outline
    figures = group(pen.text(33, 62, str(rank), 64, dark, weight=700), stroke=dark, stroke_width=1.8)
    standing = mirrored(figure(guest, suit.tints)) if guest.mirror else figure(guest, suit.tints)
    floor = mark(f"M{-NICHE - 4} {FLOOR}H{NICHE + 4}", stroke_width=2.2)
    scene = moved(pen.MIDDLE, FACE_Y, niche(suit), standing, floor)
    name = pen.text(pen.MIDDLE, 324, guest.name, 17, italic=True)
    return pen.card(group(scene, **INKED), name, pen.both_ends(figures + group(sign, fill="none")))


COVER = "M1"  # the card that stands for the game


def faces(options: Mapping[str, Any]) -> dict[str, str]:
    """The cards by code."""
    return {f"{code}{rank}": face(suit, rank) for code, suit in SUITS.items() for rank in range(1, 9)}


def back() -> str:
    """Masks in a trellis, over and over."""
    size = 24.2  # fills the frame with whole tiles both ways
    trellis = pen.path(f"M0 0L{size} {size}M0 {size}L{size} 0", stroke=OCHRE, width=0.9)
    lozenge = pen.path("M12.1 2.6L21.6 12.1L12.1 21.6L2.6 12.1Z", mixed(AUBERGINE, 0.78), None)
    mask = drawn((SIGNS["half-mask"],), {"deep": PAPER, "paper": AUBERGINE})
    return pen.tiled(trellis + lozenge + moved(size / 2, size / 2, mask, size=0.36), size, AUBERGINE)
