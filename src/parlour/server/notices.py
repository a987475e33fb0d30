"""Notices to people who are not at their table: by Web Push, or by a webhook that they set for their seat."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.errors import Refusal
from ..engine.messages import Message, say
from .limits import Buckets
from .outgoing import Answer, CallFailed, Outgoing
from .web_push import PushKey, encrypted

AWAY_SECONDS = 10.0  # of a turn, before a person who is not connected is told
HERE_SECONDS = 60.0  # before one is told who is connected, and may have gone by then
RETRIES = (30.0, 300.0, 1800.0)  # seconds before a call that failed is made again
LONGEST_AGAIN = 3600.0  # seconds that a receiver may ask for
MOST_WAITING = 2000  # calls in all,
MOST_OF_TABLE = 200  # and of one table
LONGEST_QUEUE = 60.0  # seconds that a call waits where many go to the same host, before it is tried again later
MOST_REMEMBERED = 10_000  # addresses that failed
MOST_FAILURES = 20  # calls in a row, after which a way is given up
SEAT_RATE = (1 / 60, 5)  # notices of one seat in one way,
TABLE_RATE = (0.5, 150)  # and of a whole table
HOST_RATE = (2.0, 60)  # calls to one host of webhooks
PUSH_HOST_RATE = (50.0, 1000)  # to one push service
GONE, LATER = {404, 410}, {408, 429}  # statuses: nobody is there; ask again
TURN, NUDGE, OVER, AGAIN, HELLO = "turn", "nudge", "over", "rematch", "hello"
SENTENCES = {
    TURN: say("notice turn", "It is your turn."),
    NUDGE: say("notice nudge", "The others are waiting for you: it is your turn."),
    OVER: say("notice over", "The game is over."),
    AGAIN: say("notice rematch", "You are invited to another game with the same people."),
    HELLO: say("notice hello", "Notices of this game come here."),
}
SHAPES = ("json", "ntfy", "discord", "slack")

note = logging.getLogger("parlour.table")


class Crowded(Exception):
    """Too many calls wait for the same host."""


@dataclass(frozen=True)
class Notice:
    """What somebody is told: never anything that is not known to all at the table."""

    kind: str
    game: str
    title: str
    table: str

    @property
    def text(self) -> Message:
        return SENTENCES[self.kind]

    def link(self, way: Mapping[str, str]) -> str:
        """Where the table is; a seat is opened by the device that has its key."""
        return f"{way['origin']}/#table={self.table}"


def id_of(way: Mapping[str, str]) -> str:
    """By which a way is known: the same address is the same way."""
    return hashlib.sha256(way["address"].encode()).hexdigest()[:16]


def shaped(notice: Notice, way: Mapping[str, str]) -> tuple[dict[str, str], bytes]:
    """The headers and the body of a call to a webhook."""
    text, link = f"{notice.title}: {notice.text}", notice.link(way)
    body: dict[str, Any]
    match way["shape"]:
        case "ntfy":
            return {"Title": notice.title, "Click": link, "Content-Type": "text/plain"}, str(notice.text).encode()
        case "discord":
            body = {"content": f"{text}\n{link}", "allowed_mentions": {"parse": []}}
        case "slack":
            body = {"text": f"{text}\n<{link}>"}
        case _:
            body = {"kind": notice.kind, "game": notice.game, "table": notice.table, "text": text, "link": link}
    return {"Content-Type": "application/json"}, json.dumps(body).encode()


class Notices:
    """Sends notices, and tries again where that fails."""

    def __init__(
        self, outgoing: Outgoing, key: PushKey, contact: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self.outgoing = outgoing
        self.key = key
        self.contact = contact
        self.clock = clock
        self.counts = dict.fromkeys(("notices", "notices_failed", "notices_given_up"), 0)
        self._seats = Buckets(*SEAT_RATE)
        self._tables = Buckets(*TABLE_RATE)
        self._hosts = {"webhook": Buckets(*HOST_RATE), "push": Buckets(*PUSH_HOST_RATE)}
        self._tasks: set[asyncio.Task[bool]] = set()
        self._retrying: OrderedDict[asyncio.Task[bool], None] = OrderedDict()  # those that failed, the longest first
        self._of_table: Counter[str] = Counter()  # calls that are on their way or wait
        self._failures: OrderedDict[str, int] = OrderedDict()  # in a row, by address

    def may_tell(self, table: str, seat: int, id: str) -> bool:
        """Whether a seat may be told something now in some way; other people cannot make it more."""
        return self._seats.take(f"{table} {seat} {id}") and self._tables.take(table)

    def tell(
        self, notice: Notice, way: dict[str, str], still: Callable[[], bool], ended: Callable[[bool], None]
    ) -> None:
        """Tell somebody in one way, as long as `still` holds; then `ended` hears whether nobody is there any more."""
        if len(self._tasks) >= MOST_WAITING and self._retrying:
            self._retrying.popitem(last=False)[0].cancel()  # what failed makes room
        elif len(self._tasks) >= MOST_WAITING or self._of_table[notice.table] >= MOST_OF_TABLE:
            self.counts["notices_given_up"] += 1
            ended(False)
            return
        task = asyncio.create_task(self._tell(notice, way, still))
        self._tasks.add(task)
        self._of_table[notice.table] += 1

        def done(task: asyncio.Task[bool]) -> None:
            self._tasks.discard(task)
            self._retrying.pop(task, None)
            self._of_table[notice.table] -= 1
            if not self._of_table[notice.table]:
                del self._of_table[notice.table]
            if task.cancelled():
                self.counts["notices_given_up"] += 1
            elif (error := task.exception()) is not None:
                note.error("a notice failed: %s", error)
            ended(not task.cancelled() and task.exception() is None and task.result())

        task.add_done_callback(done)

    async def _tell(self, notice: Notice, way: dict[str, str], still: Callable[[], bool]) -> bool:
        """Tell somebody, trying again; whether nobody is there any more."""
        for wait in (*RETRIES, None):
            if not still():
                return False
            answer = None
            try:
                if await self._turn(way) and not still():
                    return False
                answer = await self._call(notice, way)
            except Crowded:
                pass  # that is not the fault of the receiver
            except (CallFailed, Refusal):
                answer = Answer(0)
            if answer is not None:
                if 200 <= answer.status < 300:
                    self.counts["notices"] += 1
                    self._failures.pop(way["address"], None)
                    return False
                if self._failed(way["address"]) or answer.status in GONE:
                    self._failures.pop(way["address"], None)
                    return True
                if 300 <= answer.status < 500 and answer.status not in LATER:
                    break
            if wait is None:
                break
            again = 0.0 if answer is None else min(answer.again, LONGEST_AGAIN)
            await self._rest(max(wait, again) * random.uniform(1.0, 1.3))
        self.counts["notices_given_up"] += 1
        return False

    async def _rest(self, seconds: float) -> None:
        """Wait to be tried again, unless others need the room."""
        task = asyncio.current_task()
        assert task is not None
        self._retrying[task] = None
        try:
            await asyncio.sleep(seconds)
        finally:
            self._retrying.pop(task, None)

    def _failed(self, address: str) -> bool:
        """A receiver failed; whether it did so too often."""
        self.counts["notices_failed"] += 1
        failures = self._failures[address] = self._failures.pop(address, 0) + 1
        if len(self._failures) > MOST_REMEMBERED:
            self._failures.popitem(last=False)
        return failures >= MOST_FAILURES

    async def _turn(self, way: Mapping[str, str]) -> float:
        """Wait where many calls go to the same host; for how many seconds. Crowded where that would take too long."""
        bucket = self._hosts[way["kind"]].of(self.outgoing.target(way["address"]).host)
        wait = bucket.lacks(1) / bucket.rate
        if wait > LONGEST_QUEUE:
            raise Crowded
        bucket.charge(1)
        await asyncio.sleep(wait)
        return wait

    async def _call(self, notice: Notice, way: dict[str, str]) -> Answer:
        """One call."""
        target = self.outgoing.target(way["address"])
        if way["kind"] == "push":
            body = {"kind": notice.kind, "title": notice.title, "text": str(notice.text), "table": notice.table}
            content = encrypted(json.dumps(body).encode(), way["p256dh"], way["auth"])
            contact = self.contact or way["origin"]
            headers = {
                "Authorization": self.key.authorization(target.origin, contact, self.clock()),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": "86400",
                "Urgency": "normal",
                "Topic": hashlib.sha256(notice.table.encode()).hexdigest()[:32],
            }
        else:
            headers, content = shaped(notice, way)
        return await self.outgoing.post(way["address"], headers, content)

    def close(self) -> None:
        """Give up what waits."""
        for task in list(self._tasks):
            task.cancel()
