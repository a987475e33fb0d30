"""Players: each is given a view and the legal steps, never a state."""

from __future__ import annotations

from collections.abc import Sequence

from .core import Seeded, View


class Bot:
    """A player. `looks` says whether it wants to see the view at all."""

    name = ""
    looks = True

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        """One of the legal steps (ascending, never none)."""
        raise NotImplementedError


class First(Bot):
    """Takes the first legal step."""

    name = "first"
    looks = False

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        return steps[0]


class Random(Bot):
    """Takes any legal step, each as likely as the next."""

    name = "random"
    looks = False

    def __init__(self, luck: Seeded) -> None:
        self.luck = luck

    def choose(self, view: View | None, steps: Sequence[int]) -> int:
        return steps[self.luck.number_below(len(steps))]


BOTS = ("random", "first")
