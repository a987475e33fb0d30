"""Players: each is given a view and the legal steps, never a state."""

from __future__ import annotations

from collections.abc import Sequence

from .core import Seeded, View


class Bot:
    """A player that looks at what its seat may know."""

    def choose(self, view: View) -> int:
        """One of the legal steps of the view (`view.legal()`, never none)."""
        raise NotImplementedError


class Blind(Bot):
    """A player that looks at nothing but the legal steps, so that no view need be made for it."""

    def choose(self, view: View) -> int:
        return self.pick(view.legal())

    def pick(self, steps: Sequence[int]) -> int:
        """One of these steps."""
        raise NotImplementedError


class First(Blind):
    """Takes the first legal step."""

    def pick(self, steps: Sequence[int]) -> int:
        return steps[0]


class Random(Blind):
    """Takes any legal step, each as likely as the next."""

    def __init__(self, luck: Seeded) -> None:
        self.luck = luck

    def pick(self, steps: Sequence[int]) -> int:
        return steps[self.luck.number_below(len(steps))]


BOTS = ("random", "first")
