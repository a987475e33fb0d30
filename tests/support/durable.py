"""For tests that nothing is lost: people who play on through every crash, and whether what they were told is stored."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from parlour.server import messages as wire
from parlour.server.data import FILE
from parlour.server.histories import Checker
from parlour.server.live_table import LiveTable
from parlour.server.reading import logs
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.rows import LogRow
from parlour.server.store import Summary
from parlour.server.table import Table
from support.rooms import any_move, started
from support.server import Person, Server, at
from support.wait import WAIT

PATIENCE = 5.0  # seconds without a word, after which a person comes again, perhaps to another server


class Stubborn(threading.Thread):
    """A person who plays on through every crash, sends again what was not answered, and forgets nothing."""

    def __init__(self, server: Server, table: str, token: str, *others: Server) -> None:
        super().__init__(daemon=True)
        self.servers, self.table, self.token = (server, *others), table, token
        self.over = threading.Event()
        self.told: list[Any] = []  # entries, as they were told
        self.done: dict[str, int] = {}
        self.number: int | None = None
        self.pending: tuple[str, int, list[int]] | None = None
        self.wrong: list[str] = []
        self.noted: list[dict[str, Any]] = []  # all messages that came
        self.count = 0

    def run(self) -> None:
        while not self.over.is_set():
            try:
                with Person(
                    random.choice(self.servers),
                    self.table,
                    self.token,
                    last=self.number,
                    noted=self.noted,
                    patience=PATIENCE,
                ) as person:
                    self.play(person)
            except (OSError, WebSocketException, TimeoutError, AssertionError):
                time.sleep(0.02)

    def hear(self, person: Person, whole: bool) -> None:
        entries = [event["entry"] for event in person.events]
        if whole and entries[: len(self.told)] != self.told:
            self.wrong.append(
                f"what was told has changed: {self.told[-3:]}, now {entries[max(0, len(self.told) - 3) :]}"
            )
        self.told = entries if whole else self.told + entries
        person.events = []
        self.number = person.number

    def play(self, person: Person) -> None:
        self.hear(person, bool(person.news.get("whole")))
        while not self.over.is_set():
            if self.pending is None:
                if not person.turn():
                    self.over.set()
                self.hear(person, False)
                if self.over.is_set():
                    return
                self.count += 1
                self.pending = (f"act {self.count}", person.number, person.move())
            name, number, move = self.pending
            answer = person.request("act", id=name, number=number, move=move)
            self.hear(person, False)
            if answer["kind"] == "done":
                if self.done.get(name, answer["number"]) != answer["number"]:
                    self.wrong.append(f"{name} was done twice")
                self.done[name] = answer["number"]
            elif answer["kind"] != "stale":
                continue
            self.pending = None


def check_nothing_lost(data: Path, people: list[Stubborn]) -> None:
    """Everything acknowledged and everything told is in the log."""
    check_logs(logs(data / FILE), people)


def check_logs(found: Iterable[tuple[Summary, list[LogRow]]], people: list[Stubborn]) -> None:
    """Everything acknowledged and everything told is in these logs."""
    checker = Checker()
    wrong = []
    for person in people:  # before the logs are read, as the others play on
        wrong += person.wrong
        for message in list(person.noted):
            checker.got(person.token, person.table, message)
    checker.compare(found)
    assert not wrong + checker.wrong, wrong + checker.wrong


def acknowledged(people: list[Stubborn]) -> int:
    return sum(len(person.done) for person in people)


def wait_for_moves(people: list[Stubborn], number: int) -> None:
    """Wait until so many moves were acknowledged, or all sittings are over."""
    end = time.monotonic() + WAIT
    while acknowledged(people) < number and not all(person.over.is_set() for person in people):
        assert time.monotonic() < end, f"waited {WAIT:.0f} seconds in vain for {number} moves"
        time.sleep(0.005)


class Sitter:
    """A person at a table in this process, without a socket."""

    def __init__(self, room: Room, live: LiveTable, seat: int) -> None:
        self.room, self.live = room, live
        self.listener = at(live, seat)
        live.welcome(self.listener)
        self.told: list[Any] = []
        self.done: list[int] = []
        self.count = 0
        self.hear()

    def hear(self) -> None:
        while (message := self.listener.next()) is not None:
            news = json.loads(message)
            news = news.get("news", news)
            self.told += [event["entry"] for event in news.get("events", [])]

    async def act(self, luck: random.Random) -> str:
        """Make any move; the kind of the answer."""
        table = self.live.table
        steps = any_move(table, luck)
        self.count += 1
        asked = wire.Act(id=f"{id(self)} {self.count}", number=table.size, move=list(steps))
        answer = await Requests(self.room, self.live, self.listener).answer(asked)
        self.hear()
        if isinstance(answer, wire.Done):
            self.done.append(answer.number)
        return type(answer).__name__


async def seated(room: Room, game: str, players: int) -> list[Sitter]:
    """A table full of people, who have started."""
    live = await started(room, game, players, persons=players)
    return [Sitter(room, live, seat) for seat in range(players)]


def stored(path: Path) -> dict[str, Table]:
    return {summary.name: Table.load(summary.name, summary.secret, rows) for summary, rows in logs(path)}


def check_told(path: Path, tables: list[list[Sitter]]) -> None:
    found = stored(path)
    for people in tables:
        table = found[people[0].live.table.name]
        for person in people:
            assert table.sitting is not None
            told = json.loads(json.dumps(table.sitting.told[person.listener.seat]))
            assert told[: len(person.told)] == person.told
            assert all(number < table.size for number in person.done)
