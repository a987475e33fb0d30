"""Numbers and lists as English writes them."""

from __future__ import annotations

from collections.abc import Iterable


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return f"{number:,}".replace("-", "−")


def counted(number: int, thing: str) -> str:
    """A number of things: 1 card, 2 cards, −1 counter."""
    return f"{signed(number)} {thing if abs(number) == 1 else thing + 's'}"


def joined(items: Iterable[object], word: str = "and") -> str:
    """Items in a row, with a word before the last: 2, 3 or 4; semicolons keep items apart that have commas."""
    *most, last = [str(item) for item in items] or [""]
    if len(most) > 1 and any(", " in item for item in (*most, last)):
        return f"{'; '.join(most)}; {word} {last}"
    return f"{', '.join(most)} {word} {last}" if most else last
