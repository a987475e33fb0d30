"""Chance that is fixed in advance: scripted from a record, or derived from a committed secret."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .core import Chance, State
from .errors import Refusal
from .types import Card, Kind

__all__ = ["Scripted", "Sealed"]

SHUFFLE_VERSION = 1
COMMIT_LABEL = b"parlour commitment 1\0"
STREAM_LABEL = b"parlour stream 1\0"


class Scripted(Chance):
    """Chance that has already happened: the chance entries of a record, each as its kind and its items."""

    def __init__(self, entries: Iterable[tuple[Kind, Sequence[Card]]]) -> None:
        self.entries = iter(entries)

    def serve(self, state: State) -> object:
        entry = next(self.entries, None)
        if entry is None:
            raise Refusal("The script of chance is at its end, but the game needs another entry.")
        kind, given = entry
        if kind != state.awaits:
            raise Refusal("The script of chance holds another kind of entry than the game awaits.")
        state.give(given)
        return None


class Sealed(Chance):
    """Chance that can be verified: every chance entry has a SHAKE-256 stream of its own, from a committed secret.

    The stream of entry number k is SHAKE-256 over a label, the secret, the entropy of the seats, the table's name, the
    game's rules version and k. A number below n is a byte of it; bytes at or above the greatest multiple of n are
    skipped. An order is made by Fisher–Yates from the front, starting from the pack in ascending order.
    """

    def __init__(self, secret: bytes, entropy: bytes = b"", table: str = "", rules: int = 1) -> None:
        self._given = secret, entropy, table, rules
        parts = (secret, entropy, table.encode(), str(rules).encode())
        self.prefix = STREAM_LABEL + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        self.commitment = hashlib.sha256(COMMIT_LABEL + secret).hexdigest()

    def __reduce__(self) -> Any:
        return type(self), self._given

    def given(self, state: State) -> list[Card]:
        """The items of the entry that this state awaits."""
        stream = bytes_of(self.prefix + state.chances.to_bytes(4, "big"))
        left = state.possible()
        given = []
        for _ in range(state.wanted()):
            limit = 256 - 256 % len(left)
            byte = next(stream)
            while byte >= limit:
                byte = next(stream)
            chosen = byte % len(left)
            # Fisher–Yates: the chosen item comes to the front, and the one that was in front takes its place
            given.append(left[chosen])
            left[chosen] = left[0]
            del left[0]
        return given

    def serve(self, state: State) -> object:
        state.give(self.given(state))
        return None


def bytes_of(seed: bytes) -> Iterator[int]:
    """The endless SHAKE-256 stream of a seed."""
    shake = hashlib.shake_256(seed)
    start, length = 0, 256
    while True:
        yield from shake.digest(length)[start:]
        start, length = length, 2 * length
