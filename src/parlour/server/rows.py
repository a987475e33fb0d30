"""The event log of a table: numbered rows, and the kinds of entry that stand in them beside those of a record."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from ..engine.messages import say

# Entries that a record does not have. An export leaves them out; `Log.tell` says what everyone is told of them.
OPENED = "opened"  # what is played, by which versions, under which seal; always row 0, and only there
SAT = "sat"  # a person took a seat
STOOD = "stood"  # a person left a seat before the start
BOT = "bot"  # a bot took a seat, changed its level, or was taken away
HOST = "host"  # the seat whose person arranges the table, and the seat that claimed this, if one did
CARRY = "carry"  # a code was given out that carries a seat to another device
CARRIED = "carried"  # that code was used
ALONE = "alone"  # all devices but one lost the seat
SEALING = "sealing"  # the host has started: seats that promised entropy must show it now
SHOWN = "shown"  # a seat showed its entropy
STARTED = "started"
KEPT = "kept"  # a bot plays for a person who is away
BACK = "back"  # that person has come back
REMOVED = "removed"  # a person lost the seat to a bot for good
FAILED = "failed"  # a bot failed, and the heuristic policy plays in its place
UNDONE = "undone"  # a solo player took back a decision
ENDED = "ended"  # the sitting was ended before its end: by the host, or at the table's limit
CLOSED = "closed"  # the sitting is over, and its record is sealed
NOTIFY = "notify"  # a person wants to be told elsewhere when it is their turn
SILENCED = "silenced"  # and no longer, or there is nobody any more who could be told
COPIED = "copied"  # another table was opened with the same cards
REMATCH = "rematch"  # the same people play again, at another table
KINDS = frozenset(
    (
        *(OPENED, SAT, STOOD, BOT, HOST, CARRY, CARRIED, ALONE, SEALING, SHOWN),
        *(STARTED, KEPT, BACK, REMOVED, FAILED, UNDONE, ENDED, CLOSED, REMATCH),
        *(NOTIFY, SILENCED, COPIED),
    )
)

LOG_FORMAT = 1
KEY_BYTES = 12  # of a request's mark; as many of its body


class LogRow(NamedTuple):
    """One row. `action` marks the request that caused it; `head` is the chain's, for entries of the record."""

    number: int
    entry: list[Any]
    action: bytes | None = None
    head: bytes | None = None


class Action(NamedTuple):
    """The mark of a request, which makes it idempotent: a digest of sender and id, and one of what it asked."""

    key: bytes
    body: bytes


def action_of(sender: str, name: str, body: bytes) -> Action:
    """The mark of a request: a request that is sent again has the same one."""
    key = hashlib.blake2b(f"{sender}\0{name}".encode(), digest_size=KEY_BYTES).digest()
    return Action(key, hashlib.blake2b(body, digest_size=KEY_BYTES).digest())


class Damaged(Exception):
    """A log that is not consistent."""


class Log:
    """The log of one table in memory: how many rows it has, and what must be known of them to go on.

    The rows themselves are in the store; `fresh` holds those that are not stored yet.
    """

    def __init__(self) -> None:
        self.size = 0  # rows
        self.played = 0  # of these, entries of the sitting, also those that were taken back
        self.fresh: list[LogRow] = []  # rows that must be stored before anyone is told of them
        self.actions: dict[bytes, tuple[bytes, int]] = {}  # by key of a request: its body, and the row it caused
        self.public: list[list[Any]] = []  # what everyone was told of the table
        self.head: bytes | None = None  # of the chain, which every seat is told
        self.heads: list[bytes | None] = [None]  # what it was at each size of the log

    def add(self, entry: list[Any], action: Action | None = None, head: bytes | None = None) -> None:
        """Write an entry that has just taken effect as the next row."""
        if action is not None:
            self.actions[action.key] = (action.body, self.size)
        self.fresh.append(LogRow(self.size, entry, action.key + action.body if action else None, head))
        self._count(entry, head)

    def read(self, row: LogRow) -> None:
        """Count a stored row that has just taken effect again."""
        if row.action is not None:
            self.actions[row.action[:KEY_BYTES]] = (row.action[KEY_BYTES:], row.number)
        self._count(row.entry, row.head)

    def _count(self, entry: list[Any], head: bytes | None) -> None:
        """Count a row; most entries that are not chained leave the head as it is."""
        self.size += 1
        self.played += entry[0] not in KINDS
        if head is not None:
            self.head = head
        self.heads.append(self.head)

    def contradiction(self, number: int, head: str | None = None) -> str:
        """What is wrong with this log for someone who was told of so many rows, and their head; "" where it fits."""
        if number > self.size:
            how = (
                "The log of this table is shorter than what you were told: you were told of {told} entries, and "
                "it has {size}. The server was set back."
            )
            return say("shorter log", how, told=number, size=self.size)
        known = self.heads[number]
        if head is not None and (known is None or known.hex() != head):
            how = (
                "The log of this table is not the one that you were told: it has {size} entries now, and the first "
                "{told} differ from those that you were told. The server was set back, or its log changed."
            )
            return say("other log", how, told=number, size=self.size)
        return ""

    def tell(self, kind: str, *values: Any) -> None:
        """Tell everyone at the table that something happened."""
        self.public.append([kind, *values])

    def take(self) -> list[LogRow]:
        """The rows that must be stored now."""
        rows, self.fresh = self.fresh, []
        return rows
