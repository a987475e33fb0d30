"""Drawings for a printer: without the edge of the card, which is cut, and in black and white if that is wanted."""

from __future__ import annotations

import re

from ..util import pen

_EDGE = pen.card().split("/>", 1)[0] + "/>"  # the edge and the ground of a card, which the page prints beyond the cut
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}\b")
LIGHT = 0.86  # what is lighter than this is white without ink


def printed(drawing: str, grey: bool) -> str:
    """The drawing of a card as an SVG file, on a ground that the page gives."""
    face = drawing.replace(_EDGE, "", 1)
    return pen.svg(greyed(face) if grey else face)


def greyed(drawing: str) -> str:
    """A drawing in black and white."""
    return _COLOUR.sub(lambda found: shade(found.group()), drawing)


def shade(colour: str) -> str:
    """The grey that is as light as a colour; light colours are white."""
    if len(colour) == 4:
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#ffffff" if light > LIGHT else "#{0:02x}{0:02x}{0:02x}".format(round(255 * light))
