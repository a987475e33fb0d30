"""Tables that are kept in memory, and wherever the page keeps their rows: in the browser, if it may."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future

from ..server.rows import LogRow
from ..server.store import DELETED, Alone, Batch, Stamps, Summary, Unrevealed, Window

Keep = Callable[[str, str, "Future[None]"], None]


def at_once(name: str, text: str, done: Future[None]) -> None:
    """Keep nothing outside of memory."""
    done.set_result(None)


def written(batch: Batch) -> str:
    """A summary and rows as one line of text."""
    name, secret, *rest = batch.summary
    rows = [[number, entry, *(each and each.hex() for each in more)] for number, entry, *more in batch.rows]
    return json.dumps([name, secret.hex(), *rest, rows], separators=(",", ":"))


def read(text: str) -> Batch:
    """A summary and rows from their line."""
    name, secret, *rest, rows = json.loads(text)
    summary = Summary(name, bytes.fromhex(secret), *rest)
    return Batch(
        summary,
        [LogRow(number, entry, *(each and bytes.fromhex(each) for each in more)) for number, entry, *more in rows],
    )


class Kept(Alone):
    """A store for one person. What is added is done when `keep` says so; "" as text says that a table is deleted."""

    def __init__(self, keep: Keep = at_once) -> None:
        self._keep = keep
        self._tables: dict[str, list[str]] = {}
        self._well = True

    def put(self, name: str, texts: Sequence[str]) -> None:
        """Bring back a table that was kept."""
        self._tables.setdefault(name, list(texts))

    def knows(self, name: str) -> bool:
        """Whether a table is in memory."""
        return name in self._tables

    def append(self, batch: Batch) -> Future[None]:
        """Store rows after those that are there."""
        done: Future[None] = Future()
        name, text = batch.summary.name, written(batch)

        def look(kept: Future[None]) -> None:
            self._well = kept.exception() is None

        done.add_done_callback(look)
        self._tables.setdefault(name, []).append(text)
        self._keep(name, text, done)
        return done

    def lose(self, name: str) -> None:
        """Forget what is in memory, as what is kept may be something else."""
        self._tables.pop(name, None)

    def table(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log."""
        batches = [read(text) for text in self._tables.get(name, ())]
        return (batches[-1].summary, [row for batch in batches for row in batch.rows]) if batches else None

    def peek(self, name: str) -> tuple[Summary, list[LogRow]] | None:
        """A table with its log."""
        return self.table(name)

    def delete(self, names: Sequence[str], why: str = DELETED, now: int | None = None) -> Future[None]:
        """Delete tables."""
        done: Future[None] = Future()
        for name in names:
            self._tables.pop(name, None)
            self._keep(name, "", done)
        return done

    # what only a server has

    def due(self) -> list[Summary]:
        """Nothing goes on while nobody is here."""
        return []

    def open_tables(self, most: int) -> list[Summary]:
        """Nobody else could sit down."""
        return []

    def finished(self, since: int, most: int) -> list[str]:
        """The page knows which tables were its own."""
        return []

    def old_tables(self, phases: Sequence[str], old: Window) -> list[str]:
        """The page says what it forgets."""
        return []

    def marked(self, old: Window) -> list[str]:
        """Nothing is marked."""
        return []

    def _nothing(self) -> Future[None]:
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def mark(self, names: Sequence[str], old: Window, now: int) -> Future[None]:
        """Nothing is marked."""
        return self._nothing()

    def unmark(self, after: int, now: int) -> Future[None]:
        """Nothing is marked."""
        return self._nothing()

    def purge(self, names: Sequence[str], now: int) -> Future[None]:
        """Nothing is marked."""
        return self._nothing()

    def stamps(self) -> Stamps:
        """Nothing is known of the time."""
        return Stamps(0, 0, 0)

    def set_stamps(self, beat: int, since: int) -> Future[None]:
        """The time is not noted."""
        return self._nothing()

    def unrevealed(self, first: int, most: int) -> tuple[int, list[Unrevealed]]:
        """None is known."""
        return 0, []

    def damaged(self) -> Mapping[str, str]:
        """None is known."""
        return {}

    def set_apart(self, name: str, why: str) -> None:
        """A damaged table is not found again."""
        self.lose(name)

    def healthy(self) -> bool:
        """Whether the last rows were kept."""
        return self._well

    def close(self) -> None:
        """Nothing is open."""
