"""The interface of a store of tables, and its errors."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

import apsw

from .rows import LogRow

FOREVER = 1 << 62


class StoreError(Exception):
    """Something could not be stored, or read; the message is one sentence."""


class Unsure(StoreError):
    """Something may or may not have been stored: it was not acknowledged, and may be asked for again."""


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
        """A table with its log."""
        ...

    def due(self) -> list[Summary]:
        """The tables at which something will happen by itself."""
        ...

    def open_tables(self, most: int) -> list[Summary]:
        """Open tables at which people gather, the newest first."""
        ...

    def old_tables(self, phases: Sequence[str], before: int) -> list[str]:
        """The names of tables in some phases at which nothing has happened since a time."""
        ...

    def delete(self, names: Sequence[str], before: int = FOREVER) -> Future[None]:
        """Delete tables with their logs, where nothing has happened since a time."""
        ...

    def healthy(self) -> bool:
        """Whether the last attempt to store something succeeded."""
        ...

    def close(self) -> None:
        """Finish what was asked for."""
        ...
