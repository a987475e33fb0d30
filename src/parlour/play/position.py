"""A position as a picture: the cards that a seat sees, its scores and its legal steps, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ..engine.fields import ALWAYS, CardKind, CardSet, Counts, CountsEach, CountsOf, Field, Number, OneOf, Plays
from ..engine.game import Game
from ..engine.view import View
from ..util import pen
from ..util.pen import HEIGHT, WIDTH, element, number
from .faces import drawings

__all__ = ["Position"]

PAGE = 1000.0  # the width of a picture
LEFT = 170.0  # where the cards begin
CARD = 72.0  # the width of a card
STEPS = 12  # legal steps that are named

Shown = tuple[str, str]  # a card's code, and a caption


class Position:
    """What a view shows at one moment; a notebook draws it. `svg()` is the picture, `html()` the picture in a page."""

    def __init__(self, game: Game, view: View) -> None:
        self.game = game
        self.seat = view.seat
        self.options = dict(view.options)
        self.fields = view.fields()
        self.steps = [game.step_name(step) for step in view.legal()]

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}, seen by {self.viewer()}>"

    def viewer(self) -> str:
        """Who sees it."""
        return f"seat {self.seat}" if self.seat >= 0 else "a spectator"

    def heading(self) -> str:
        """One line above the picture."""
        to_act = self.fields["to_act"]
        turn = "the sitting is over" if self.fields["over"] else f"seat {to_act} decides" if to_act >= 0 else "chance"
        return f"{self.game.title} · seen by {self.viewer()} · {turn}"

    def rows(self) -> Iterator[tuple[str, list[Shown]]]:
        """Every field that holds cards, with these; a field of all seats has a row for each."""
        for field in self._fields():
            value = self.fields[field.name]
            if isinstance(field.kind, Plays):
                yield field.name, [(code, f"seat {seat}") for seat, code in value]
            elif isinstance(field.kind, CardKind | CardSet) and field.kind.each == "one":
                yield field.name, [(code, "") for code in (value if isinstance(value, list) else [value]) if code]
            elif isinstance(field.kind, CardKind):
                yield field.name, [(code, f"seat {seat}") for seat, code in enumerate(value) if code]
            elif isinstance(field.kind, CardSet):
                for seat, codes in enumerate(value):
                    yield f"{field.name}, seat {seat}", [(code, "") for code in codes]
            elif isinstance(field.kind, Counts | CountsOf):
                yield field.name, counted(value)
            elif isinstance(field.kind, CountsEach):
                for seat, counts in enumerate(value):
                    yield f"{field.name}, seat {seat}", counted(counts)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Every field that holds numbers or a word, as text."""
        for field in self._fields():
            value = self.fields[field.name]
            if isinstance(field.kind, Number | OneOf) and value is not None:
                values = value if isinstance(value, list) else [value]
                yield field.name, " · ".join("–" if one is None else str(one).replace("-", "−") for one in values)

    def _fields(self) -> list[Field]:
        own = {field.name for field in ALWAYS}
        return [field for field in self.game.fields if field.name in self.fields and field.name not in own]

    def svg(self) -> str:
        """The picture."""
        parts, top = [pen.text(0, 24, self.heading(), 22, anchor="start", weight=600)], 48.0
        drawn = drawings(self.game.name, self.options)
        needed: set[str] = set()
        for label, cards in self.rows():
            if not cards:
                continue
            parts.append(pen.text(0, top + 56, spaced(label), 18, anchor="start"))
            apart = min(CARD + 8, (PAGE - LEFT - CARD) / max(1, len(cards) - 1))
            for at, (code, caption) in enumerate(cards):
                needed.add(code)
                x = LEFT + apart * at
                size = {"width": number(CARD), "height": number(CARD * HEIGHT / WIDTH)}
                parts.append(element("use", href=f"#{self._id(code)}", x=number(x), y=number(top), **size))
                if caption:
                    below = top + CARD * HEIGHT / WIDTH + 18
                    parts.append(pen.text(x + CARD / 2, below, caption, 15))
            top += CARD * HEIGHT / WIDTH + (34 if any(caption for _, caption in cards) else 14)
        for name, value in self.facts():
            parts.append(pen.text(0, top + 18, spaced(name), 16, anchor="start"))
            parts.append(pen.text(LEFT, top + 18, value, 16, anchor="start"))
            top += 24
        if self.steps:
            more = f" and {len(self.steps) - STEPS} more" if len(self.steps) > STEPS else ""
            legal = ", ".join(self.steps[:STEPS]) + more
            parts.append(pen.text(0, top + 18, "legal steps", 16, anchor="start"))
            parts.append(pen.text(LEFT, top + 18, legal, 16, anchor="start"))
            top += 24
        symbols = [
            element("symbol", drawn[code], id=self._id(code), viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}")
            for code in sorted(needed)
        ]
        ground = pen.box(0, 0, PAGE + 28, top + 28, pen.PAPER, None)
        return pen.svg(ground + "".join(symbols) + pen.moved(14, 4, *parts), PAGE + 28, top + 28)

    def html(self) -> str:
        """The picture with a description for those who do not see it."""
        told = [f"{spaced(label)}: {' '.join(code for code, _ in cards)}" for label, cards in self.rows() if cards]
        label = escape("; ".join([self.heading(), *told]), quote=True)
        return f'<div role="img" aria-label="{label}" style="max-width:60rem">{self.svg()}</div>'

    _repr_svg_ = svg
    _repr_html_ = html

    def _id(self, code: str) -> str:
        return f"parlour-{self.game.name}-{code}"


def counted(counts: dict[str, int]) -> list[Shown]:
    """Cards by their number, each with how many there are."""
    return [(code, f"× {count}") for code, count in counts.items() if count]


def spaced(name: str) -> str:
    """The name of a field in words."""
    return name.replace("_", " ")

