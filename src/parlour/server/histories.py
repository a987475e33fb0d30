"""Histories of clients against the logs: nothing lost, nothing doubled, and the same told to everyone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .reading import replayed
from .rows import UNDONE, Damaged, LogRow
from .store import StoreError, Summary
from .table import Table

NEWS = ("welcome", "news", "stale")  # the messages that say how long the log is


@dataclass
class Client:
    """What one client of a table was told, message by message."""

    name: str
    table: str
    number: int = -1  # how many rows it was told of last
    seat: int = -1
    told: list[Any] = field(default_factory=list)  # the entries of the sitting
    sizes: dict[int, int] = field(default_factory=lambda: {0: 0})  # how many of them, when the log had some length
    done: dict[str, int] = field(default_factory=dict)  # by request, the row that it caused


class Checker:
    """Reads histories, then logs; `wrong` has a sentence for everything that does not fit."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.messages = 0
        self.clients: dict[tuple[str, str], Client] = {}
        self._heads: dict[tuple[str, int], str] = {}  # what was said to be the head of a log of some length
        self._events: dict[tuple[str, int, int, int], str] = {}  # what a seat was told between two lengths

    @property
    def acknowledged(self) -> int:
        """How many requests were acknowledged."""
        return sum(len(client.done) for client in self.clients.values())

    # what clients noted

    def read(self, path: Path) -> None:
        """Read a file of histories, a JSON line for each message that a client got."""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                noted = json.loads(line)
                self.got(noted["client"], noted["table"], noted["got"])
            except (ValueError, LookupError, TypeError, AttributeError):
                how = '{"client": …, "table": …, "got": …}'
                raise StoreError(f"Line {number} of {path.name} is not a line of a history, such as {how}.") from None

    def got(self, name: str, table: str, message: dict[str, Any]) -> None:
        """Take a message that a client got."""
        self.messages += 1
        client = self.clients.setdefault((name, table), Client(name, table))
        kind = message.get("kind")
        if kind == "welcome":
            client.seat = message["seat"]
        if kind in NEWS:
            self._news(client, message.get("news", message), kind == "welcome")
        elif kind == "done" and "number" in message:
            number = client.done.setdefault(message["id"], message["number"])
            if number != message["number"]:
                self._say(client, f"request {message['id']} was acknowledged as rows {number} and {message['number']}")

    def _news(self, client: Client, news: dict[str, Any], comes: bool) -> None:
        number, since, whole = news["number"], news.get("since", 0), news.get("whole", False)
        if news.get("set_back"):
            self._say(client, f"the log was set back: {news['set_back']}")
        if number < client.number:
            self._say(client, f"the log had {client.number} rows and then {number}")
        if not (whole or comes) and client.number >= 0 and since != client.number:
            self._say(client, f"after {client.number} rows came news that begin after {since}")
        if news.get("head"):
            head = self._heads.setdefault((client.table, number), news["head"])
            if head != news["head"]:
                self._say(client, f"after {number} rows two heads were told: {head:.12} and {news['head']:.12}")
        entries = [event["entry"] for event in news.get("events", [])]
        key = (client.table, client.seat, 0 if whole else since, number)
        if not news.get("earlier"):
            text = json.dumps(entries, sort_keys=True)
            if self._events.setdefault(key, text) != text:
                self._say(client, f"rows {key[2]} to {number} were told in two ways")
            # a client that comes again may show less than it got
            known = client.told[: 0 if whole else client.sizes.get(since, len(client.told))] + entries
            both = min(len(known), len(client.told))
            if known[:both] != client.told[:both]:
                self._say(client, "what was told before has changed")
            client.told = max(known, client.told, key=len)
            client.sizes[number] = len(known)
        client.number = max(number, client.number)

    def _say(self, client: Client, what: str) -> None:
        self.wrong.append(f"{client.table}, {client.name}: {what}")

    # what is stored

    def compare(self, logs: Iterable[tuple[Summary, list[LogRow]]]) -> None:
        """Compare with the logs; a table of which clients know must be among them."""
        by_table: dict[str, list[Client]] = defaultdict(list)
        for client in self.clients.values():
            by_table[client.table].append(client)
        for summary, rows in logs:
            clients = by_table.pop(summary.name, [])
            if clients:
                try:
                    table = replayed(summary, rows)
                except Damaged as error:
                    self.wrong.append(f"{summary.name}: {error}")
                    continue
                self._heads_of(summary.name, rows)
                for client in clients:
                    self._compare(client, table, rows)
        self.wrong += [f"{name}: there is no such table any more" for name in by_table]

    def _heads_of(self, name: str, rows: list[LogRow]) -> None:
        """The heads that were told are those of the log."""
        head, heads = None, {}
        for row in rows:
            head = row.head or head
            heads[row.number + 1] = head
        for (table, number), told in self._heads.items():
            if table == name and ((found := heads.get(number)) is None or found.hex() != told):
                self.wrong.append(f"{name}: the head after {number} rows is not the one that was told")

    def _compare(self, client: Client, table: Table, rows: list[LogRow]) -> None:
        if client.number > len(rows):
            self._say(client, f"{client.number} rows were told of, and {len(rows)} are there")
        effects: dict[int, str] = {}
        for id, number in client.done.items():
            if number >= len(rows) or rows[number].action is None:
                self._say(client, f"request {id} was acknowledged as row {number}, which is not there")
            elif effects.setdefault(number, id) != id:
                self._say(client, f"requests {effects[number]} and {id} were both acknowledged as row {number}")
        taken_back = any(row.entry[0] == UNDONE for row in rows)
        if table.sitting is not None and client.seat >= 0 and not taken_back:
            told = json.loads(json.dumps(table.sitting.told[client.seat]))
            if told[: len(client.told)] != client.told:
                self._say(client, "what was told is not what the log says")


def read_all(paths: Iterable[Path]) -> Checker:
    """The histories in some files."""
    checker = Checker()
    for path in paths:
        checker.read(path)
    return checker


def lines(client: str, table: str, messages: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Messages as the lines of a history."""
    for message in messages:
        yield json.dumps({"client": client, "table": table, "got": message}, separators=(",", ":"))
