"""The engine's hooks answered by methods in plain Python; compiled code takes the interpreter's lock first (calls.pxd).

An exception cannot pass through C: it is stored on the object, which is then over, and raised when Python is back.
"""

from __future__ import annotations

from typing import Any

from .types import Seat, Step, Steps


def start(state: Any) -> None:
    state.start()


def choices(state: Any) -> Steps:
    found: Steps = state.choices()
    return found


def apply(state: Any, step: Step) -> None:
    state.apply(step)


def receive(state: Any) -> None:
    state.receive()


def fill(state: Any, other: Any) -> None:
    state.copy_attributes(other)


def score_of(state: Any, seat: Seat) -> float:
    found: float = state.score_of(seat)
    return found


def has_won(state: Any, seat: Seat) -> bool:
    return seat in state.winners()


def forecast(state: Any, seat: Seat) -> float:
    found: float = state.forecast(seat)
    return found


def shuffle_unseen(state: Any, luck: Any) -> None:
    state.shuffle_unseen(luck)


def look(view: Any, state: Any) -> None:
    view.look(state)


def hear(view: Any, row: list[int]) -> None:
    view.hear(row)


def determinize(view: Any, state: Any, luck: Any) -> bool:
    found: bool = view.determinize(state, luck)
    return found


def choose(view: Any, luck: Any) -> Step:
    found: Step = view.choose(luck)
    return found


def write(view: Any, buffer: Any, at: int) -> int:
    for number in view.numbers():
        buffer[at] = number
        at += 1
    return at


def recall(view: Any, buffer: Any, at: int) -> int:
    for number in view.numbers_remembered():
        buffer[at] = number
        at += 1
    return at
