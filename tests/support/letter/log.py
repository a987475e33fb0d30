"""The log of a record, read entry by entry."""

from __future__ import annotations

from collections import Counter
from typing import Any

Entry = list[Any]


class Differs(Exception):
    """The record is not what the sheet says."""


class Log:
    """Entries in their order."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.entries: list[Entry] = record["log"]
        self.at = 0

    def look(self) -> Entry:
        if self.at == len(self.entries):
            raise Differs(f"the log ends after entry {self.at - 1}")
        return self.entries[self.at]

    def next(self, *kinds: str) -> Entry:
        """The next entry, which must be of one of these kinds: what chance did, or a player."""
        entry = self.look()
        self.check(entry[0] in kinds, f"one of {kinds}")
        self.at += 1
        return entry

    def expect(self, *entry: Any) -> None:
        """The next entry must be this one: what follows by rule."""
        self.check(self.look() == list(entry), list(entry))
        self.at += 1

    def check(self, holds: bool, wanted: object) -> None:
        if not holds:
            raise Differs(f"entry {self.at}: {self.look()}, wanted {wanted}")

    def pack(self, kind: str, pack: list[str]) -> list[str]:
        """A whole pack in its order from the top."""
        cards: list[str] = self.next(kind)[-1]
        if Counter(cards) != Counter(pack):
            raise Differs(f"entry {self.at - 1} is not the pack")
        return list(cards)

    def end(self) -> None:
        if self.at != len(self.entries):
            raise Differs(f"entry {self.at} after the end")


def best(scores: list[int], seats: list[int] | None = None) -> list[int]:
    """The seats with the highest score."""
    among = range(len(scores)) if seats is None else seats
    most = max(scores[seat] for seat in among)
    return [seat for seat in among if scores[seat] == most]
