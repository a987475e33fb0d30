"""The interface of a store of tables, and its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol

import apsw

from ..engine.messages import say
from .rows import LogRow


class StoreError(Exception):
    """Something could not be stored, or read; the message is one sentence."""


class Unsure(StoreError):
    """Something may or may not have been stored: it was not acknowledged, and may be asked for again."""


class Elsewhere(StoreError):
    """Another process owns the table; `address` is where it is found, or "" where it has that of this one."""

    def __init__(self, address: str) -> None:
        how = "Another server has this table now, and cannot be told from this one by its address; ask again."
        namesake = say("elsewhere here", how)
        super().__init__(
            say("elsewhere", "Another server has this table now; come to it there.") if address else namesake
        )
        self.address = address


GONE = "gone"  # the phase of a table that is being deleted: some of its rows are there still
DELETED = "deleted by its host"
PURGED = "nothing happened there for long"
FAULTS = (StoreError, apsw.Error)


def sentence(error: Exception) -> str:
    """What is wrong, for people."""
    return str(error) if isinstance(error, StoreError) else f"The file of tables cannot be read: {error}."


class Summary(NamedTuple):
    """What is known of a table without reading its log."""

    name: str
    secret: bytes
    phase: str
    open: bool  # anyone may sit down there now
    due: bool  # something will happen there by itself
    touched: int  # when something last happened there, in seconds since 1970


class Line(NamedTuple):
    """The line of a table in a file: its summary, how long its log is, and when it was marked as deleted, if it was."""

    key: int
    summary: Summary
    size: int
    deleted: int | None


class Unrevealed(NamedTuple):
    """A sitting that was dealt and went before it was over, so that its secret was never revealed."""

    commitment: str
    game: str
    opened: str
    gone: int  # in seconds since 1970
    why: str


class Stamps(NamedTuple):
    """What a store knows of the time, in seconds since 1970; 0 where it knows nothing."""

    newest: int  # when something last happened at any table, as of when the store was opened
    beat: int  # when a server last looked at the clock
    since: int  # since when the clock is known to have run evenly
    doubtful: bool = False  # beat or since is damaged


class Window(NamedTuple):
    """The stamps that count as old: those before a time, and those so far ahead that the clock must have been wrong."""

    before: int
    after: int


class Batch(NamedTuple):
    """Rows of one table that are stored together or not at all."""

    summary: Summary
    rows: Sequence[LogRow]


class Store(Protocol):
    """Where tables are stored."""

    def append(self, batch: Batch) -> Future[None]:
        """Store rows after those that are there; done when they are safe. A row with a number that is taken fails."""
        ...

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log, of which this process is the owner from now on; None if it is missing or marked.

        One that cannot be read raises Damaged, and one that another process owns raises Elsewhere.
        """
        ...

    @property
    def term(self) -> int:
        """Rises whenever other processes may have taken tables of this one; Unsure while they may."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes have tables there, too."""
        ...

    def peek(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log as it is stored now, also where another process owns it."""
        ...

    def orphans(self) -> list[str]:
        """Tables at which something is due, of processes that are gone."""
        ...

    def lost(self, names: Sequence[str]) -> list[str]:
        """Which of these tables belong to another process by now, or are gone."""
        ...

    def release(self, names: Sequence[str]) -> Future[None]:
        """Leave tables to whoever is asked for them next."""
        ...

    def give_up(self) -> None:
        """Leave all tables to other processes: this one stores nothing more."""
        ...

    def due(self) -> list[Summary]:
        """The tables at which something will happen by itself."""
        ...

    def open_tables(self, most: int) -> list[Summary]:
        """Open tables at which people gather, the newest first."""
        ...

    def finished(self, since: int, most: int) -> list[str]:
        """The names of tables whose sittings are over and that were touched since a time, the newest first."""
        ...

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        """The names of tables in some phases that were last touched in a window."""
        ...

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        """Mark tables as deleted, if they were last touched in a window. They are not found, but not gone either."""
        ...

    def marked(self, old: Window) -> list[str]:
        """The names of tables that were marked in a window."""
        ...

    def unmark(self, after: int, now: int) -> Future[None]:
        """Take back marks that were made after a time."""
        ...

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        """Delete tables with their logs; done when the bytes are gone, too. What was never revealed is noted."""
        ...

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        """Delete tables that are marked."""
        ...

    def stamps(self) -> Stamps:
        """What is known of the time."""
        ...

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        """Note the time, and since when it runs evenly."""
        ...

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        """How many sittings went before they were over, and some of them, the newest first."""
        ...

    def damaged(self) -> Mapping[str, str]:
        """Tables that were found damaged, with what is wrong."""
        ...

    def set_apart(self, name: str, why: str) -> None:
        """Note that a table is damaged: from now on asking for it raises Damaged."""
        ...

    def figures(self) -> dict[str, float]:
        """Figures for the metrics, besides those of all stores."""
        ...

    def health(self) -> dict[str, Any]:
        """What else `/health` says."""
        ...

    def healthy(self) -> bool:
        """Whether the last attempt to store something succeeded."""
        ...

    def close(self) -> None:
        """Finish what was asked for."""
        ...


class Alone:
    """What a store says of other processes that has none beside it."""

    term = 0
    shared = False

    def lost(self, names: Sequence[str]) -> list[str]:
        """Nobody takes a table."""
        return []

    def orphans(self) -> list[str]:
        """Nobody leaves one."""
        return []

    def release(self, names: Sequence[str]) -> Future[None]:
        """Nobody else could have them."""
        raise NotImplementedError  # it is asked for only where there are others

    def give_up(self) -> None:
        """Nobody else could have them."""

    def figures(self) -> dict[str, float]:
        """None."""
        return {}

    def health(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log."""
        raise NotImplementedError

    def peek(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """The same: nobody else has it."""
        return self.table(name)
