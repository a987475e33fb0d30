"""The log of a table: rows that are numbered from 0, and what stands in them besides the entries of a record."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

# Entries beyond the record's. They are left out on export; what of them is told to all stands in `Table.news_of`.
OPENED = "opened"  # what is played, by which versions, under which seal; always number 0, and only there
SAT = "sat"  # a person took a seat
STOOD = "stood"  # and left it again, before the start
BOT = "bot"  # a bot takes a seat, or another level the seat of a bot
HOST = "host"  # who may arrange things
CARRY = "carry"  # a code was given out that carries a seat to another device
CARRIED = "carried"  # and was used
ALONE = "alone"  # from now on one device alone has the seat
SEALING = "sealing"  # the start was asked for: seats that promised entropy now show it
SHOWN = "shown"  # one did
STARTED = "started"
KEPT = "kept"  # a bot keeps the seat of a person
BACK = "back"  # who has come back to it
REMOVED = "removed"  # a person lost the seat to a bot for good
FAILED = "failed"  # a bot failed, and the rules of thumb take its place
UNDONE = "undone"  # a solo player took back a decision
CLOSED = "closed"  # the sitting is over, and its record sealed
REMATCH = "rematch"  # the same people play again, at another table
KINDS = frozenset(
    (
        *(OPENED, SAT, STOOD, BOT, HOST, CARRY, CARRIED, ALONE, SEALING, SHOWN),
        *(STARTED, KEPT, BACK, REMOVED, FAILED, UNDONE, CLOSED, REMATCH),
    )
)

LOG_FORMAT = 1


class Row(NamedTuple):
    """One entry of a log. `action` marks the request that caused it; `head` is the chain's, for entries of records."""

    number: int
    entry: list[Any]
    action: bytes | None = None
    head: bytes | None = None


class Action(NamedTuple):
    """A request that is to have one effect: whose it is, the name it was given, and what it asked."""

    key: bytes
    body: bytes

    @property
    def mark(self) -> bytes:
        """As it stands in a row."""
        return self.key + self.body


def action_of(who: str, name: str, body: bytes) -> Action:
    """The mark of a request: the same for the same, whenever it is sent again."""
    key = hashlib.blake2b(f"{who}\0{name}".encode(), digest_size=12).digest()
    return Action(key, hashlib.blake2b(body, digest_size=12).digest())


class Damaged(Exception):
    """A log that does not hold together."""
