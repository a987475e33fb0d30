"""The tables of a club evening at a server: opened with the same cards, people seated, started, and read."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ..client import ClientError, Place, Refused, Server, Table
from ..client import messages as wire
from .evening import ClubError, Evening, load, save
from .pairing import BOT

TOO_MANY = 429  # the status of what is asked too often
PATIENCE, PAUSE = 3600.0, 5.0  # seconds


@dataclass(frozen=True)
class Result:
    """What one player, or a bot (−1), has at a table of a round."""

    round: int
    table: int
    seat: int
    player: int
    score: int


class Club:
    """The tables of one evening, and the file that has their keys."""

    def __init__(self, evening: Evening, file: Path, server: str = "") -> None:
        self.evening = evening
        self.file = file
        self.opened = load(file) or {
            "parlour club": 1,
            "server": server,
            "names": list(evening.names),
            "key": secrets.token_urlsafe(24),
            "rounds": [],
        }
        known = self.opened["server"]
        if server and known.rstrip("/") != server.rstrip("/"):
            raise ClubError(f"The tables of this evening are at {known}; delete {file} to open others.")
        if self.opened["names"] != list(evening.names):
            raise ClubError(f"The names differ from those for which tables were opened; delete {file} to open others.")
        self.server = Server(known) if known else None
        self.pairings = evening.pairings()

    @property
    def complete(self) -> bool:
        """Whether all tables are open and everyone is seated."""
        return len(self.opened["rounds"]) == self.evening.rounds and all(
            len(tables) == len(pairing) and all(table["seated"] for table in tables)
            for tables, pairing in zip(self.opened["rounds"], self.pairings, strict=True)
        )

    def open(self, told: Callable[[str], None]) -> None:
        """Open the tables that are missing, and seat everyone; what was done is done once."""
        server = self._server()
        for number, pairing in enumerate(self.pairings):
            if number == len(self.opened["rounds"]):
                self.opened["rounds"].append([])
            tables = self.opened["rounds"][number]
            for players in pairing[len(tables) :]:
                first = tables[0]["table"] if tables else None
                tables.append(self._open_one(server, players, first))
                save(self.file, self.opened)
            for table in tables:
                if not table["seated"]:
                    self._seat(server, table)
                    save(self.file, self.opened)
            told(f"round {number + 1}: {len(tables)} tables")

    def _open_one(self, server: Server, players: list[int], first: str | None) -> dict[str, Any]:
        evening = self.evening
        chosen: dict[str, Any] = {"hints": evening.hints, "phrases": evening.phrases, "person_seconds": evening.seconds}
        chosen |= {"copies": self.opened["key"]} | ({"like": first} if first else {})
        end = time.monotonic() + PATIENCE
        while True:
            try:
                opened = server.open(evening.game, evening.seats, evening.options, **chosen)
                break
            except Refused as refusal:  # many tables at once: the server asks to wait
                if refusal.status != TOO_MANY or time.monotonic() > end:
                    raise
            time.sleep(PAUSE)
        return {"table": opened.table, "code": opened.code, "players": players, "tokens": {}, "seated": False}

    def _seat(self, server: Server, table: dict[str, Any]) -> None:
        """Seat everyone at a table, and bots where nobody sits."""
        name, tokens = table["table"], table["tokens"]
        for seat, player in enumerate(table["players"]):
            if player != BOT and str(seat) not in tokens:
                place = server.sit(name, table["code"], self.evening.called(player), seat=seat)
                tokens[str(seat)] = place.token
                save(self.file, self.opened)
        with self._host(server, table) as host:
            for seat, player in enumerate(table["players"]):
                if player == BOT and not host.described["seats"][seat]["bot"]:
                    host.ask(wire.Bot, seat=seat, level=self.evening.bots)
        table["seated"] = True

    def _host(self, server: Server, table: dict[str, Any]) -> Table:
        seat, token = next(iter(table["tokens"].items()))
        return Table(server, table["table"], Place(int(seat), token))

    def start(self, number: int) -> int:
        """Start the tables of a round that have not started; how many."""
        if not 1 <= number <= len(self.opened["rounds"]):
            raise ClubError(f"The rounds that are open are 1 to {len(self.opened['rounds'])}, not {number}.")
        server, count = self._server(), 0
        for table in self.opened["rounds"][number - 1]:
            with self._host(server, table) as host:
                if host.described["phase"] == "gathering":
                    host.ask(wire.Start)
                    count += 1
        return count

    def links(self) -> list[tuple[int, int, str, str]]:
        """For each seat: the round, the table, the player, and the link that opens the seat."""
        server = self._server().address
        return [
            (number, at, self.evening.called(player), f"{server}/#{urlencode({'table': table['table'], 'key': token})}")
            for number, tables in enumerate(self.opened["rounds"], 1)
            for at, table in enumerate(tables, 1)
            for seat, token in table["tokens"].items()
            for player in (table["players"][int(seat)],)
        ]

    def results(self) -> tuple[list[Result], list[str]]:
        """What all players have at tables that are over, and which tables are not."""
        server = self._server()
        found, missing = [], []
        for number, tables in enumerate(self.opened["rounds"], 1):
            for at, table in enumerate(tables, 1):
                try:
                    record = server.record(table["table"])
                except Refused as refusal:
                    missing.append(f"Round {number}, table {at}: {refusal}")
                    continue
                scores = record["result"]["scores"]
                found += [
                    Result(number, at, seat, player, scores[seat % len(scores)])
                    for seat, player in enumerate(table["players"])
                ]
        return found, missing

    def _server(self) -> Server:
        if self.server is None:
            raise ClubError("No tables are open for this evening yet: say where with --server URL.")
        return self.server


__all__ = ["ClientError", "Club", "Result"]
