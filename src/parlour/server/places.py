"""Where tables are kept, in a file or in a database: the commands that look after them work alike for both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from . import admin
from .admin import Listed, Restored
from .data import FILE, held
from .reading import logs
from .rebuild import Copied
from .rows import LogRow
from .store import StoreError, Summary, Unrevealed


class Place(Protocol):
    """What can be done to the tables of a server, most of it while it runs."""

    def backup(self, to: Path) -> Copied | None:
        """Copy all tables to a file; None where none can have been left out."""
        ...

    def restore(self, source: Path) -> Restored:
        """Put the good tables of a copy in the place of those that are there."""
        ...

    def audit(self, tell: Callable[[str], None]) -> tuple[int, int]:
        """Replay and verify every sitting; how many there are, and how many are damaged."""
        ...

    def logs(self) -> Iterator[tuple[Summary, list[LogRow]]]:
        """Every good table with its log."""
        ...

    def salvage(self, to: Path) -> Copied:
        """Write the good tables into a new file."""
        ...

    def tables(self) -> Iterator[Listed]:
        """All tables."""
        ...

    def undelete(self, name: str) -> None:
        """Bring back a table that is marked as deleted."""
        ...

    def unrevealed(self) -> list[Unrevealed]:
        """Sittings that went before they were over."""
        ...


class InFile:
    """Tables in the file of a data directory."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def backup(self, to: Path) -> Copied | None:
        """Copy the whole file."""
        admin.backup(self.data, to)
        return None

    def restore(self, source: Path) -> Restored:
        """Put a copy in its place."""
        return admin.restore(self.data, source)

    def audit(self, tell: Callable[[str], None]) -> tuple[int, int]:
        """Verify every sitting, and the file."""
        return admin.audit(self.data / FILE, tell)

    def logs(self) -> Iterator[tuple[Summary, list[LogRow]]]:
        """Every good table with its log."""
        return logs(self.data / FILE)

    def salvage(self, to: Path) -> Copied:
        """Write the good tables into a new file."""
        return admin.salvage(self.data, to)

    def tables(self) -> Iterator[Listed]:
        """All tables, in the order in which they were opened."""
        return admin.tables(self.data)

    def undelete(self, name: str) -> None:
        """Bring back a table."""
        admin.undelete(self.data, name)

    def unrevealed(self) -> list[Unrevealed]:
        """Sittings that went before they were over."""
        return admin.unrevealed(self.data)


class InDatabase:
    """Tables in PostgreSQL."""

    def __init__(self, url: str, data: Path) -> None:
        self.url = url
        self.data = data  # where tables are set aside

    @property
    def _admin(self) -> Any:
        try:
            from .postgres import admin as database
        except ImportError as error:
            raise StoreError(f"Tables in PostgreSQL need {error.name}: pip install 'parlour[postgres]'.") from None
        return database

    def backup(self, to: Path) -> Copied | None:
        """Copy the good tables to a file."""
        copied: Copied = self._admin.backup(self.url, to)
        return copied

    def restore(self, source: Path) -> Restored:
        """Put a copy in their place; they are copied to a file of the data directory first."""
        self.data.mkdir(parents=True, exist_ok=True)
        aside = self.data / f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}"
        return Restored(aside, self._admin.restore(self.url, source, aside))

    def audit(self, tell: Callable[[str], None]) -> tuple[int, int]:
        """Verify every sitting."""
        found: tuple[int, int] = self._admin.audit(self.url, tell)
        return found

    def logs(self) -> Iterator[tuple[Summary, list[LogRow]]]:
        """Every good table with its log."""
        found: Iterator[tuple[Summary, list[LogRow]]] = self._admin.logs(self.url)
        return found

    def salvage(self, to: Path) -> Copied:
        """The same as a backup, which leaves damaged tables out."""
        copied: Copied = self._admin.backup(self.url, to)
        return copied

    def tables(self) -> Iterator[Listed]:
        """All tables by their names."""
        found: Iterator[Listed] = self._admin.tables(self.url)
        return found

    def undelete(self, name: str) -> None:
        """Bring back a table."""
        self._admin.undelete(self.url, name)

    def unrevealed(self) -> list[Unrevealed]:
        """Sittings that went before they were over."""
        found: list[Unrevealed] = self._admin.unrevealed(self.url)
        return found

    def move(self, source: str | Path, to: str | Path) -> Copied:
        """Copy the tables of one place into another that has none."""
        copied: Copied = self._admin.move(source, to)
        return copied


def place_of(url: str, data: Path) -> Place:
    """The place that a command names."""
    return InDatabase(url, data) if url else InFile(data)


def move(source: str, to: str) -> Copied:
    """Copy all tables from one place into another that has none: folders, or addresses of databases."""
    ends: list[str | Path] = [each if "://" in each else Path(each) / FILE for each in (source, to)]
    if isinstance(ends[0], Path):
        admin.existing(ends[0].parent)
    for end in ends:
        if isinstance(end, Path):
            with held(end.parent):
                pass  # no server is running there
    return InDatabase("", Path()).move(*ends)
