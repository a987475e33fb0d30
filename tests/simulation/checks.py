"""What must hold in every world, whatever goes wrong there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from parlour.records.seal import verify
from parlour.server import messages as wire
from parlour.server import rows as kinds
from parlour.server.live_table import MOST_RETURNS, LiveTable
from parlour.server.lobby import digest
from parlour.server.notices import HELLO, NUDGE, SENTENCES, TURN, id_of
from parlour.server.protocols import PROTOCOLS
from parlour.server.reviews import ReviewState
from parlour.server.rows import KEY_BYTES, Damaged, LogRow, action_of
from parlour.server.statements import is_signed
from parlour.server.store import Summary
from parlour.server.table import GATHERING, OVER, PLAYING, SEALING, Table
from parlour.server.telling import Telling

from .loop import Wrong
from .people import EFFECTS, SLOW_SECONDS, Person

if TYPE_CHECKING:
    from .world import World

TRIED = 10  # signatures, of which one is verified
NOTICED = 1.3  # seconds of a pause that may be charged to a person, as they are too few to be noticed


ON_ITS_WAY = 5.0  # seconds in which a call may have been begun before something changed


class Envelope(msgspec.Struct):
    """The news within another message, as its bytes."""

    news: msgspec.Raw


inner = msgspec.json.Decoder(Envelope)
Key = tuple[int, int | None, int]  # seat, since, protocol
Heard = tuple[str, list[Any]]  # by whom, and what


class Checks:
    """Watches everything that is stored and sent."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.news: dict[str, dict[int, dict[Key, bytes]]] = {}  # by table and number: what each was told
        self.turns: dict[str, float] = {}  # when the position of a table last changed,
        self.returns: dict[str, list[tuple[int, float]]] = {}  # and who came back since then, and when
        self.rows: dict[tuple[str, int], float] = {}  # by table and number: when a row was stored
        self.playing: dict[str, tuple[int, int]] = {}  # by table: the rows between which spectators may be told later
        self.sums: dict[str, dict[int, dict[int, list[Heard]]]] = {}  # by table, number and seat: all that was told
        self.records: dict[str, bytes] = {}
        self.hosts: dict[str, int] = {}  # by table, as of the last row
        self.devices: dict[tuple[str, int], set[str]] = {}  # by table and seat: the digests of its tokens
        self.lost: dict[tuple[str, str], int] = {}  # by table and digest: the row by which a device lost its seat
        self.codes: dict[tuple[str, str], int] = {}  # by table and digest of a code: the seat that it carries
        self.series: dict[str, set[str]] = {}  # by table: all with the same cards
        self.reviews: dict[str, bytes] = {}
        self.ways: dict[tuple[str, str], tuple[int, float]] = {}  # by table and id: the seat, and until when it is told
        self.said: Counter[tuple[LiveTable, Person, int, str]] = Counter()  # by who hears and says it
        self.called_before: set[tuple[str, str, str, int]] = set()
        self.messages = 0

    # what is sent

    def told(self, person: Person, content: bytes, heard: bool = True) -> dict[str, Any]:
        """Check a message at the moment the server sends it; the message. It may go where nobody listens any more."""
        message: dict[str, Any] = msgspec.json.decode(content)
        self.messages += 1
        self.world.trace("told", person.label, content)
        kind = message["kind"]
        if kind == "news":
            self._told_news(person, message, content)
        elif kind in ("welcome", "stale"):
            self._told_news(person, message["news"], bytes(inner.decode(content).news))
            if kind == "welcome" and person.token is None and not self.finished(person.place.name):
                self.wrong(f"{person.label} watches {person.place.name} while others play with the same cards")
            if kind == "welcome" and person.token is not None and message["seat"] != person.seat:
                self.wrong(f"{person.label} sits at {person.seat}, and is welcomed at {message['seat']}")
        elif kind in ("phrase", "nudged"):
            self._told_by_people(person, message, heard)
        elif kind == "done":
            request, _ = person.asked[message["id"]]
            if request["kind"] in EFFECTS and self._stored(person.place.name) <= message["number"]:
                self.wrong(f"{message['id']} was acknowledged as row {message['number']}, which is not stored")
        return message

    def _told_news(self, person: Person, news: dict[str, Any], content: bytes) -> None:
        name, number = person.place.name, news["number"]
        if person.token is None and person.place.pace.spectator and number == 0:
            return  # a spectator who is told the rest later
        if self._stored(name) < number:
            self.wrong(f"{person.label} was told of row {number} before it was stored")
        self._check_delay(person, number)
        mine = digest(person.token or "").hex()
        if person.token is not None and number > self.lost.get((name, mine), 1 << 62) + 1:
            self.wrong(f"{person.label} was told of row {number} at seat {person.seat}, which it had lost")
        self._check_signature(name, news)
        key = (person.seat, news.get("since"), person.protocol)
        if self.news.setdefault(name, {}).setdefault(number, {}).setdefault(key, content) != content:
            self.wrong(f"two at {name} with the same knowledge {key} were told different things of number {number}")

    def _told_by_people(self, person: Person, message: dict[str, Any], heard: bool) -> None:
        """What people say is told to those who see the present, in the current protocol."""
        first, last = self.playing.get(person.place.name, (1 << 62, 1 << 62))
        late = person.token is None and person.place.pace.spectator and first < self._stored(person.place.name) <= last
        if message["kind"] == "phrase" and not person.place.phrases:
            self.wrong(f"{person.label} was told a phrase at {person.place.name}, where they are switched off")
        if message["kind"] == "phrase" and heard:
            self._count_phrase(person, message["seat"], message["phrase"])
        if late or person.protocol == 1:
            self.wrong(f"{person.label} was told what people say now: {message}")

    def _count_phrase(self, person: Person, seat: int, phrase: str) -> None:
        """What is asked once is said once, as long as the table stays in memory."""
        name = person.place.name
        about = (self.world.server.room.tables[name], person, seat, phrase)
        self.said[about] += 1
        there = (each for each in self.world.people if each.place.name == name and each.seat == seat)
        asked = [request for each in there for request, _ in each.asked.values() if request.get("phrase") == phrase]
        if self.said[about] > len(asked):
            self.wrong(f"{person.label} heard {phrase} {self.said[about]} times, and it was said {len(asked)} times")

    def called(self, address: str, headers: Mapping[str, str], body: bytes) -> None:
        """A notice reaches who asked for it and is away, and says only what all at the table know."""
        message = msgspec.json.decode(body)
        kind, name, id = message["kind"], message["table"], id_of({"address": address})
        self.world.trace("calls", name, body + address.encode())
        text = f"{self.world.server.room.tables[name].table.game.title}: {SENTENCES[kind]}"
        link = f"https://cards.example/#table={name}"
        if message != {"kind": kind, "game": message["game"], "table": name, "text": text, "link": link}:
            self.wrong(f"a notice says too much: {message}")
        seat, until = self.ways.get((name, id), (-1, 0.0))
        at = self.world.loop.at
        if at > until + ON_ITS_WAY:
            self.wrong(f"{address} was called for {name}, which had not asked for that, or not any more")
        live = self.world.server.room.tables[name]
        last = self.rows.get((name, live.table.size - 1), at)
        if kind in (TURN, NUDGE) and live.table.deciding != seat and at > last + ON_ITS_WAY:
            self.wrong(f"seat {seat} of {name} was told of its turn, which is another's")
        about = (name, id, kind, live.table.size)
        if kind != HELLO and about not in self.called_before and at > last and seat in live.telling.here():
            if not any(each[:3] == about[:3] for each in self.called_before):
                self.wrong(f"seat {seat} of {name} was told elsewhere, and is here")
        self.called_before.add(about)

    def is_told(self, name: str, id: str) -> None:
        """A request to be told elsewhere was acknowledged."""
        if (name, id) not in self.ways and name not in self.world.disk.deleted:
            raise Wrong(f"{id} of {name} was acknowledged, and is not stored")

    def is_silenced(self, name: str, id: str) -> None:
        """A request not to be told elsewhere any more was acknowledged."""
        if self.ways.get((name, id), (0, 0.0))[1] > self.world.loop.at:
            raise Wrong(f"{id} of {name} was given up, and that is not stored")

    def _note_ways(self, name: str, row: LogRow) -> None:
        """Who is told elsewhere from now on, and who is not any more."""
        kind, *values = row.entry
        at = self.world.loop.at
        if kind == kinds.NOTIFY:
            self.ways[name, values[1]] = (values[0], 1e12)
        elif kind == kinds.SILENCED:
            self.ways[name, values[1]] = (values[0], at)
        elif kind in (kinds.ALONE, kinds.REMOVED, kinds.STOOD):
            for each, (seat, until) in self.ways.items():
                if each[0] == name and seat == values[0]:
                    self.ways[each] = (seat, min(until, at))

    def finished(self, name: str) -> bool:
        """Whether the same cards are played nowhere any more."""
        phases = self.world.disk.phases()
        left = [each for each in self.series.get(name, ()) if phases.get(each, OVER) != OVER]
        return all(phases[each] == GATHERING and self._nobody_sits(each) for each in left)

    def _nobody_sits(self, name: str) -> bool:
        """Whether all have left a table before its start: nobody may come there once the cards are known."""
        found = next((each for each in self.world.disk.logs() if each[0].name == name), None)
        return found is None or not self._load(*found).lobby.people

    def shown(self, name: str) -> None:
        """All hands of a table were shown."""
        if not self.finished(name):
            raise Wrong(f"all hands of {name} were shown while others play with the same cards")
        if self.playing.get(name, (0, 0))[1] >= self._stored(name):
            raise Wrong(f"all hands of {name} were shown before its end was stored")

    def review(self, name: str, found: ReviewState) -> None:
        """A review never changes, and is told when the sitting is over and stored."""
        self.shown(name)
        if found.review is not None:
            text = msgspec.json.encode(found.review)
            if self.reviews.setdefault(name, text) != text:
                raise Wrong(f"the review of {name} has changed")

    def _check_signature(self, name: str, news: dict[str, Any]) -> None:
        """What is told can be proved; some of it is tried, as that takes long."""
        if self.messages % TRIED == 0 and news.get("signature") is not None:
            key = self.world.server.signer.key
            if not is_signed(name, news["number"], news["head"], news["signature"], key):
                self.wrong(f"what was told of {name} at {news['number']} is not signed")

    def _check_delay(self, person: Person, number: int) -> None:
        """A spectator of a delayed table sees the past."""
        name, late = person.place.name, person.place.pace.spectator
        first, last = self.playing.get(name, (1 << 62, 1 << 62))
        if person.token is None and late and first < number <= last:
            ago = self.world.loop.at - self.rows.get((name, number - 1), 0.0)
            if ago < late - 0.01:
                self.wrong(f"{person.label} was told of row {number} after {ago:.2f} seconds, not after {late:.0f}")

    def heard(self, person: Person) -> None:
        """Note all that a client was told until now, to be compared with the log."""
        if person.events is not None and person.number is not None and person.protocol == 2:
            seats = self.sums.setdefault(person.place.name, {}).setdefault(person.number, {})
            seats.setdefault(person.seat, []).append((person.label, person.events))

    def _stored(self, name: str) -> int:
        """How many rows of a table are safe; any number, where the table was deleted."""
        disk = self.world.disk
        return 1 << 62 if name in disk.deleted else disk.size(name)

    def wrong(self, sentence: str) -> None:
        """End this world."""
        self.world.loop.failure = self.world.loop.failure or sentence

    # what is stored

    def written(self, name: str, rows: list[LogRow]) -> None:
        """Rows are safe from now on."""
        at = self.world.loop.at
        self._check_who_is_replaced(name, rows)
        for row in rows:
            kind = row.entry[0]
            self._note_devices(name, row)
            self._note_ways(name, row)
            place = self.world.by_name.get(name)
            if kind == kinds.KEPT and row.entry[3] == "away" and place and place.pace.person >= SLOW_SECONDS:
                self.wrong(f"a bot plays for seat {row.entry[1]} of {name}, where people play slowly")
            if kind == kinds.KEPT and row.entry[3] == "silent":
                self._check_time(name, row.entry[1])
            if kind == kinds.BACK:
                self.returns.setdefault(name, []).append((row.entry[1], at))
            self.rows[name, row.number] = at
            if kind == kinds.STARTED:
                self.playing[name] = (row.number, 1 << 62)
            elif kind == kinds.CLOSED:
                self.playing[name] = (self.playing.get(name, (0, 0))[0], row.number)
            if kind not in kinds.KINDS or kind in (kinds.STARTED, kinds.UNDONE):
                self.turns[name], self.returns[name] = at, []
        self.world.trace("stored", name, str(rows[-1].number).encode())

    def _check_who_is_replaced(self, name: str, rows: list[LogRow]) -> None:
        """Whoever is connected keeps the seat, and the role of the host."""
        live = self.world.server.room.tables.get(name)
        if live is None:
            return
        here, seats = live.telling.here(), live.table.lobby.seats
        for kind, *values in (row.entry for row in rows):
            if kind == kinds.KEPT and values[2] == "away" and values[0] in here:
                self.wrong(f"a bot plays for seat {values[0]} of {name}, whose person is connected")
            host = self.hosts.get(name, -1)
            if kind == kinds.HOST and len(values) > 1 and host in here and not seats[host].bot:
                self.wrong(f"seat {values[0]} of {name} took the role of the host, who is connected")
        self.hosts[name] = live.table.lobby.host

    def _note_devices(self, name: str, row: LogRow) -> None:
        """Which devices have a seat from now on, and which lost it."""
        kind, *values = row.entry
        if kind == kinds.CARRY:
            self.codes[name, values[1]] = values[0]
        elif kind in (kinds.SAT, kinds.CARRIED, kinds.ALONE, kinds.REMOVED, kinds.STOOD):
            seat = self.codes.get((name, values[0]), -1) if kind == kinds.CARRIED else values[0]
            before = self.devices.get((name, seat), set())
            now = {
                kinds.SAT: lambda: set(values[2]),
                kinds.CARRIED: lambda: before | {values[1]},
                kinds.ALONE: lambda: {values[1]},
            }.get(kind, set)()
            self.devices[name, seat] = now
            for each in before - now:
                self.lost[name, each] = row.number
            for each in now:
                self.lost.pop((name, each), None)

    def cleared(self, names: Sequence[str]) -> None:
        """No world lasts as long as any table is kept."""
        self.wrong(f"{', '.join(names)} would be cleared out after {self.world.loop.at:.0f} seconds")

    def _check_time(self, name: str, seat: int) -> None:
        """A person whose time is up had that time."""
        place = self.world.by_name.get(name)
        if place is None:
            return
        back = [at for who, at in self.returns.get(name, ()) if who == seat][:MOST_RETURNS]
        began, at = max(self.turns.get(name, 0.0), self.world.started, *back), self.world.loop.at
        stood = sum(max(0.0, min(end, at) - max(start, began) - NOTICED) for start, end in self.world.stops)
        if at - began - stood < place.pace.person - 0.05:
            left = place.pace.person - (at - began - stood)
            self.wrong(f"a bot plays for seat {seat} of {name}, who had {left:.1f} seconds left")

    def logs_are_whole(self) -> None:
        """After a kill: every log can be followed, and has what was told of it."""
        found = dict.fromkeys(self.news, 0)
        for summary, rows in self.world.disk.logs():
            self._load(summary, rows)
            found[summary.name] = len(rows)
        for name, told in self.news.items():
            if name not in self.world.disk.deleted and found[name] < max(told):
                raise Wrong(f"{name} has {found[name]} rows, and someone was told of {max(told)}")

    def _load(self, summary: Summary, rows: list[LogRow]) -> Table:
        try:
            return Table.load(summary.name, summary.secret, rows)
        except Damaged as error:
            raise Wrong(f"the log of {summary.name} is damaged: {error}") from error

    # at the end

    def at_the_end(self) -> None:
        """Everything that was told and acknowledged is in the logs, and every record can be verified."""
        self.logs_are_whole()
        for person in self.world.people:
            self.heard(person)
        logs = {summary.name: (summary, rows) for summary, rows in self.world.disk.logs()}
        for summary, rows in logs.values():
            self._check_actions(summary.name, rows)
            table = self._tell_again(summary, rows)
            if table.phase in (SEALING, PLAYING):
                raise Wrong(f"{summary.name} cannot go on: {table.size} rows, {table.phase}")
            if table.phase == OVER:
                difference = verify(msgspec.json.decode(msgspec.json.encode(table.record())))
                if difference is not None:
                    raise Wrong(f"the record of {summary.name} is not right: {difference}")
            if table.rematch and table.rematch not in logs and table.rematch not in self.world.disk.deleted:
                raise Wrong(f"the rematch {table.rematch} of {summary.name} is not there")
        for person in self.world.people:
            if person.place.name in logs:
                self._check_answers(person, logs[person.place.name][1])

    def record(self, name: str, text: bytes) -> None:
        """A record never changes, and is told when the sitting is over and stored."""
        if self.records.setdefault(name, text) != text:
            raise Wrong(f"the record of {name} has changed")
        difference = verify(msgspec.json.decode(text))
        if difference is not None:
            raise Wrong(f"the record of {name} is not right: {difference}")
        self.shown(name)

    def _check_actions(self, name: str, rows: list[LogRow]) -> None:
        """No request had an effect twice."""
        known: set[bytes] = set()
        for row in rows:
            if row.action is not None:
                key = row.action[:KEY_BYTES]
                if key in known:
                    raise Wrong(f"the request of row {row.number} of {name} had an effect before")
                known.add(key)

    def _check_answers(self, person: Person, rows: list[LogRow]) -> None:
        """What was done is the row that the answer named, and what was refused is nowhere."""
        sat = [row.number for row in rows if row.entry[0] == kinds.SAT and row.entry[1] == person.seat]
        marks = {row.action for row in rows if row.action is not None}
        for name, number in person.done.items():
            request, _ = person.asked[name]
            since = max((each for each in sat if each <= number), default=-1)
            action = action_of(f"{person.seat} {since}", name, as_the_server_reads(request))
            mark = (rows[number].action or b"") if number < len(rows) else b""
            if mark[:KEY_BYTES] != action.key:
                raise Wrong(f"{name} was acknowledged as row {number}, which is not its row")
            if request["kind"] in ("act", "undo") and name not in person.twisted:
                if any(moves(row) for row in rows[request["number"] : number]):
                    raise Wrong(f"{name} answered a position that had passed")
        for name in person.refused:
            request, times = person.asked[name]
            for since in sat if times == 1 and name not in person.twisted else ():
                action = action_of(f"{person.seat} {since}", name, as_the_server_reads(request))
                if action.key + action.body in marks:
                    raise Wrong(f"{name} was refused, and had an effect")

    def _tell_again(self, summary: Summary, rows: list[LogRow]) -> Table:
        """What was told must follow from the log, byte for byte: as of that number, to that seat, since that number."""
        table = Table(summary.name, summary.secret)
        telling = Telling(table, self.world.server.signer)
        told = self.news.get(summary.name, {})
        owners = self._owners(summary.name, rows)
        for row in rows:
            if row.action is not None and (owner := owners.get(row.action[:KEY_BYTES])) is not None:
                if digest(owner.token or "") not in table.lobby.seats[owner.seat].tokens:
                    raise Wrong(f"{owner.label} had lost the seat before row {row.number}")
            table._replay(row)
            for (seat, since, protocol), content in told.get(table.size, {}).items():
                expected = wire.encode(telling.news(seat, since, PROTOCOLS[protocol]))
                if expected != content:
                    raise Wrong(
                        f"seat {seat} of {summary.name} was told at {table.size} since {since}:\n  {content!r}\n"
                        f"and the log says:\n  {expected!r}"
                    )
            self._add_up(table)
        return table

    def _owners(self, name: str, rows: list[LogRow]) -> dict[bytes, Person]:
        """By the mark of a request: whose it was."""
        sat: dict[int, list[int]] = {}
        for row in rows:
            if row.entry[0] == kinds.SAT:
                sat.setdefault(row.entry[1], []).append(row.number)
        people = [person for person in self.world.people if person.place.name == name and person.token is not None]
        return {
            action_of(f"{person.seat} {since}", asked, b"").key: person
            for person in people
            for since in sat.get(person.seat, ())
            for asked in person.asked
        }

    def _add_up(self, table: Table) -> None:
        """Whoever was told something was told everything that the log has for that seat, and nothing twice."""
        for seat, people in self.sums.get(table.name, {}).get(table.size, {}).items():
            told = table.sitting.told[table.lobby.listener(seat)] if table.sitting is not None else []
            expected = msgspec.json.decode(msgspec.json.encode(told))
            for label, events in people:
                if events != expected:
                    raise Wrong(f"{label} was told until {table.size}:\n  {events}\nand the log says:\n  {expected}")


def moves(row: LogRow) -> bool:
    """Whether a row changed the position."""
    return row.entry[0] not in kinds.KINDS or row.entry[0] == kinds.UNDONE


def as_the_server_reads(request: dict[str, Any]) -> bytes:
    """A request as its mark is made from."""
    return wire.encode(wire.decode(msgspec.json.encode(request)))
