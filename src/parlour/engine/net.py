"""A small learned net over the heuristic, in whole numbers: the same choices compiled, in plain Python, anywhere."""

from __future__ import annotations

from array import array

from . import bitset, encode
from .core import Seeded
from .errors import Refusal
from .messages import say
from .types import Step
from .view import View

__all__ = ["Net"]

HIDDEN = 64  # units
MOST_INPUTS = 1024
MOST_STEPS = 128
SHIFT = 7  # from the sums of the first layer to what a hidden unit gives,
CEILING = 4095  # which is from 0 to this
ROOM = 1 << 31  # a sum must stay below


class Net:
    """One hidden layer of 64 units from an observation to a worth for each step; the heuristic's step has a bonus.

    A hidden unit gives its sum, shifted, cut off below 0 and above 4095; the legal step with the highest worth is
    chosen, of equal ones the lowest. Weights are integers of 16 bits, so that no machine rounds otherwise.
    """

    units, shift, ceiling = HIDDEN, SHIFT, CEILING

    def __init__(
        self,
        inputs: int,
        steps: int,
        first: array[int],
        biases: array[int],
        second: array[int],
        own: array[int],
        bonus: int,
    ) -> None:
        if not 0 < inputs <= MOST_INPUTS or not 0 < steps <= MOST_STEPS:
            raise ValueError(f"A net has at most {MOST_INPUTS} inputs and {MOST_STEPS} steps.")
        sizes = len(first), len(biases), len(second), len(own)
        if sizes != (inputs * HIDDEN, HIDDEN, steps * HIDDEN, steps):
            raise ValueError(f"The weights of a net do not fit {inputs} inputs and {steps} steps.")
        for unit in range(HIDDEN):
            if 255 * sum(map(abs, first[unit::HIDDEN])) + abs(biases[unit]) >= ROOM:
                raise ValueError("The weights of a net are so large that a sum could overflow.")
        for step in range(steps):
            row = second[step * HIDDEN : (step + 1) * HIDDEN]
            if CEILING * sum(map(abs, row)) + abs(own[step]) + abs(bonus) >= ROOM:
                raise ValueError("The weights of a net are so large that a sum could overflow.")
        self.inputs = inputs  # numbers of an observation
        self.steps = steps  # that the game has
        self.bonus = bonus  # of the heuristic's step
        self._first = [0] * 65536  # by input and unit
        self._biases = [0] * 64  # by unit
        self._second = [0] * 8192  # by step and unit
        self._own = [0] * 128  # by step
        for at in range(inputs * HIDDEN):
            self._first[at] = first[at]
        for at in range(HIDDEN):
            self._biases[at] = biases[at]
        for at in range(steps * HIDDEN):
            self._second[at] = second[at]
        for at in range(steps):
            self._own[at] = own[at]
        self._sums = [0] * 64  # of the units, and then what they give
        self._held = memoryview(bytearray(inputs))  # so that it stays where it is
        self._seen = encode.buffer(self._held)  # the observation

    def choose(self, view: View, luck: Seeded) -> Step:
        """The step for the seat of a view that has looked; it must be its turn."""
        if view is None or luck is None or not view.steps:
            raise Refusal(say("not this seat", "It is not the turn of this seat."))
        if view.width() != self.inputs:
            raise ValueError(f"The net takes {self.inputs} numbers, and an observation here has {view.width()}.")
        return self._choose(view, luck)

    def _choose(self, view: View, luck: Seeded) -> Step:
        """The same, unchecked."""
        plan = view._heuristic(luck)
        left = view.steps
        if left & (left - 1) == 0:
            return plan
        self._observe(view)
        best = -1
        most = 0
        while left:
            at = bitset.lowest(left)
            left &= left - 1
            worth = self._worth(view.base + at)
            if view.base + at == plan:
                worth += self.bonus
            if best < 0 or worth > most:
                best = view.base + at
                most = worth
        return best

    def _observe(self, view: View) -> None:
        """What the hidden units give for what a view sees."""
        bitset.blank(self._seen, 0, self.inputs)
        view._encode(self._seen, 0)
        for unit in range(HIDDEN):
            self._sums[unit] = self._biases[unit]
        for at in range(self.inputs):
            value = self._seen[at]
            if value:
                row = at * HIDDEN
                for unit in range(HIDDEN):
                    self._sums[unit] += value * self._first[row + unit]
        for unit in range(HIDDEN):
            value = self._sums[unit]
            if value < 0:
                value = 0
            value >>= SHIFT
            if value > CEILING:
                value = CEILING
            self._sums[unit] = value

    def _worth(self, step: Step) -> int:
        """What a step is worth."""
        total = self._own[step]
        row = step * HIDDEN
        for unit in range(HIDDEN):
            total += self._sums[unit] * self._second[row + unit]
        return total

    def worths(self, view: View, luck: Seeded) -> dict[Step, int]:
        """What each legal step of a view that has looked is worth, with the heuristic's bonus."""
        plan = view.heuristic(luck)
        self._observe(view)
        return {step: self._worth(step) + (self.bonus if step == plan else 0) for step in view.legal()}
