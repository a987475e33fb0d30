"""The company at a table: phrases, nudges, readiness and who watches; none of it is stored, or uses up a table."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from parlour.server import company
from parlour.server import messages as wire
from parlour.server.listener import Listener
from parlour.server.live_table import LiveTable
from parlour.server.protocols import PROTOCOLS
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.settings import Pace
from support.rooms import in_a_room, opened, play, started, until
from support.server import at

PACED = Pace(0.0, 0.0, 600.0)  # spectators are told ten minutes later


class Guest:
    """Someone at a table in this process, and what came for them."""

    def __init__(self, room: Room, live: LiveTable, seat: int, protocol: int = 2) -> None:
        self.listener: Listener = at(live, seat, PROTOCOLS[protocol])
        live.welcome(self.listener)
        self.welcome = self.heard()[0]
        self.requests = Requests(room, live, self.listener)
        self.count = 0

    def heard(self, *kinds: str) -> list[dict[str, Any]]:
        """What has come since the last time, of some kinds."""
        found = []
        while (message := self.listener.next()) is not None:
            found.append(msgspec.json.decode(message))
        return [each for each in found if not kinds or each["kind"] in kinds]

    async def ask(self, kind: type[wire.Request], id: str = "", **members: Any) -> Any:
        self.count += 1
        return await self.requests.answer(kind(id=id or f"{self.listener.seat} {self.count}", **members))


def waiting(live: LiveTable, seconds: float) -> None:
    """As if it had been this turn for some seconds already."""
    live._look_whose_turn()
    live._waits_since -= seconds


def test_a_phrase_is_told_to_everyone_and_stored_nowhere(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, players=3, persons=2)
        one, two, watcher, old = (
            *(Guest(room, live, seat) for seat in (0, 1, -1)),
            Guest(room, live, 1, 1),
        )
        size = live.table.size
        for guest in (one, two, watcher, old):
            guest.heard()
        assert isinstance(await one.ask(wire.Say, phrase="luck", id="a"), wire.Done)
        assert isinstance(await one.ask(wire.Say, phrase="luck", id="a"), wire.Done), "sent again"
        told = [{"kind": "phrase", "seat": 0, "phrase": "luck"}]
        assert one.heard() == two.heard() == watcher.heard() == told
        assert old.heard() == [], "pages of the version before know nothing of this"
        twisted = await one.ask(wire.Nudge, id="a")
        assert isinstance(twisted, wire.Refused) and "something else" in str(twisted.sentence)
        assert isinstance(await watcher.ask(wire.Say, phrase="luck"), wire.Refused)
        assert live.table.size == size

    in_a_room(tmp_path, doing)


def test_spectators_who_see_the_past_hear_nothing_of_the_present(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, players=2, persons=2, pace=PACED)
        one, two, watcher = (Guest(room, live, seat) for seat in (0, 1, -1))
        deciding, other = (one, two) if live.table.deciding == 0 else (two, one)
        waiting(live, 60)
        await other.ask(wire.Say, phrase="wow")
        assert isinstance(await other.ask(wire.Nudge), wire.Done)
        assert [each["kind"] for each in deciding.heard("phrase", "nudged")] == ["phrase", "nudged"]
        assert watcher.heard("phrase", "nudged") == []
        assert "waited" not in watcher.welcome and deciding.welcome["waited"] == 0
        assert "waited" not in await room.described(live.table.name)
        await play(live)
        await other.ask(wire.Say, phrase="game")
        assert len(watcher.heard("phrase")) == 1, "after the end nothing is hidden"

    in_a_room(tmp_path, doing)


def test_a_table_may_switch_phrases_off(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room, phrases=False)
        assert live.table.described()["phrases"] is False
        one = Guest(room, live, 0)
        refused = await one.ask(wire.Say, phrase="hello")
        assert refused.sentence == "Set phrases are switched off at this table."
        await live.change(lambda table: table.begin(0))
        await play(live)
        await one.ask(wire.Rematch)
        assert (await room.described(live.table.rematch))["phrases"] is False

    in_a_room(tmp_path, doing)


def flooded(tmp_path: Path, persons: int, ask: Callable[[Guest, int], Any]) -> tuple[list[int], int, int]:
    """Many requests of each person at once: how many of each were done, messages to one of them, rows of the log."""

    tmp_path.mkdir(exist_ok=True)

    async def doing(room: Room) -> tuple[list[int], int, int]:
        live = await opened(room, "tontine", 20, persons)
        guests = [Guest(room, live, seat) for seat in range(persons)]
        guests[0].heard()
        size = live.table.size
        done = [0] * persons
        for number in range(40):
            for seat, guest in enumerate(guests):
                done[seat] += isinstance(await ask(guest, number), wire.Done)
        assert not any(guest.listener.cut for guest in guests), "nobody is cut off for what others say"
        return done, len(guests[0].heard("phrase", "here")), live.table.size - size

    found: tuple[list[int], int, int] = in_a_room(tmp_path, doing)
    return found


def test_a_flood_of_phrases_is_stopped_at_the_person_and_at_the_table(tmp_path: Path) -> None:
    alone, heard, rows = flooded(tmp_path / "alone", 1, lambda guest, _: guest.ask(wire.Say, phrase="bye"))
    assert company.PHRASES[1] <= alone[0] < 40 and heard == alone[0] and rows == 0
    all_of_them, heard, rows = flooded(tmp_path / "all", 20, lambda guest, _: guest.ask(wire.Say, phrase="bye"))
    assert max(all_of_them) <= alone[0] + 20 and heard == sum(all_of_them) < 200 and rows == 0


def test_a_flood_of_changed_minds_is_stopped(tmp_path: Path) -> None:
    done, heard, rows = flooded(tmp_path, 1, lambda guest, number: guest.ask(wire.Ready, on=number % 2 == 0))
    assert company.READY[1] <= heard < 20 and heard <= done[0] < 40 and rows == 0


def test_a_nudge_is_for_somebody_else_who_takes_long_and_not_too_often(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, players=3, persons=3)
        guests = [Guest(room, live, seat) for seat in range(3)]
        seat = live.table.deciding
        deciding, other, third = guests[seat], guests[seat - 1], guests[seat - 2]
        early = await other.ask(wire.Nudge)
        assert "less than 10 seconds ago" in early.sentence
        waiting(live, 60)
        assert (await deciding.ask(wire.Nudge)).sentence == "A nudge is for another person whose turn it is."
        for guest in guests:
            guest.heard()
        assert isinstance(await other.ask(wire.Nudge), wire.Done)
        told = [{"kind": "nudged", "seat": seat, "by": (seat - 1) % 3}]
        assert [guest.heard() for guest in guests] == [told] * 3
        for guest in (other, third):
            assert "nudged less than a minute ago" in (await guest.ask(wire.Nudge)).sentence
        assert Guest(room, live, seat).welcome["waited"] >= 60
        assert (await room.described(live.table.name))["waited"] >= 60
        await live.change(lambda table: table.lobby.step_aside(seat, "left"))
        if live.table.deciding == seat:
            assert isinstance(await other.ask(wire.Nudge), wire.Refused), "a bot needs no nudge"

    in_a_room(tmp_path, doing)


def test_talking_brings_nobody_back_to_their_seat(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, players=2, persons=2)
        one = Guest(room, live, 0)
        await one.ask(wire.Leave)
        size = live.table.size
        assert isinstance(await one.ask(wire.Say, phrase="bye"), wire.Done)
        assert live.table.lobby.seats[0].bot
        assert [row for row in live.table.log.public if row[0] == "back"] == [] and live.table.size >= size

    in_a_room(tmp_path, doing)


def test_people_are_ready_until_they_stand_up(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live, code = await room.open(game="heraldry", players=3, options={})
        for name in ("Ann", "Ben"):
            await room.join(live.table.name, code, name)
        one, two = (Guest(room, live, seat) for seat in (0, 1))
        await two.ask(wire.Ready, on=True)
        assert one.heard("here")[-1] == {"kind": "here", "here": [0, 1], "ready": [1]}
        assert Guest(room, live, -1).welcome["ready"] == [1]
        await one.ask(wire.Ready, on=True)
        await one.ask(wire.Ready, on=False)
        assert live.telling.company.ready() == [1]
        await two.ask(wire.Stand)
        assert live.telling.company.ready() == []
        await room.join(live.table.name, code, "Cid", 1)
        assert live.telling.company.ready() == [], "the next person at that seat has not said so"
        await live.change(lambda table: [table.lobby.put_bot(0, 2, "thumb"), table.begin(0)])
        refused = await one.ask(wire.Ready, on=True)
        assert refused.sentence == "People say that they are ready before the start."

    in_a_room(tmp_path, doing)


def test_who_watches_is_counted_and_many_who_come_are_told_of_together(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        one = Guest(room, live, 0)
        one.heard()
        watchers = [Guest(room, live, -1) for _ in range(50)]
        assert watchers[-1].welcome["watching"] == 50
        told: list[dict[str, Any]] = []
        await until(lambda: told.extend(one.heard("here")) or bool(told), "the number of spectators is told")
        assert [each["watching"] for each in told] == [50]
        for watcher in watchers[1:]:
            live.leave(watcher.listener)
        await until(lambda: told.extend(one.heard("here")) or len(told) > 1, "that they have left is told")
        assert told[-1]["watching"] == 1 and len(told) == 2

    in_a_room(tmp_path, doing)


def test_anyone_asks_for_a_rematch_and_an_absent_host_holds_nobody_up(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        for present in (True, False):
            live = await started(room, players=2, persons=2)
            host, guest, watcher = (Guest(room, live, seat) for seat in (0, 1, -1))
            assert isinstance(await guest.ask(wire.Rematch), wire.Refused), "not before the end"
            await play(live)
            if not present:
                live.leave(host.listener)
            assert isinstance(await watcher.ask(wire.Rematch), wire.Refused)
            assert isinstance(await guest.ask(wire.Rematch), wire.Done)
            assert isinstance(await guest.ask(wire.Rematch), wire.Refused), "once"
            assert guest.heard("news")[-1]["table"]["rematch"] == live.table.rematch, "everyone is told"
            fresh = await room.find(live.table.rematch)
            assert fresh.table.lobby.host == (0 if present else 1)
            assert [each.name for each in fresh.table.lobby.seats] == ["Person 0", "Person 1"]

    in_a_room(tmp_path, doing)


def test_waiting_goes_on_over_a_restart(tmp_path: Path) -> None:
    ahead = 0.0

    async def begin(room: Room) -> str:
        return (await started(room)).table.name

    async def come_back(room: Room) -> int:
        live = await room.find(name)
        return int((await room.described(live.table.name))["waited"])

    name = in_a_room(tmp_path, begin)
    ahead = 3 * 3600.0
    waited = in_a_room(tmp_path, come_back, clock=lambda: time.time() + ahead)
    assert 3 * 3600 <= waited < 4 * 3600


def test_any_mixture_of_talk_leaves_no_row(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        luck = random.Random(5)
        live = await started(room, players=3, persons=3)
        guests = [Guest(room, live, seat) for seat in range(3)]
        size = live.table.size
        for _ in range(300):
            kind = luck.choice((wire.Say, wire.Nudge, wire.Ready))
            members: dict[type, dict[str, Any]] = {wire.Say: {"phrase": "oops"}, wire.Ready: {"on": True}}
            await luck.choice(guests).ask(kind, **members.get(kind, {}))
        assert live.table.size == size
        assert not any(guest.listener.cut for guest in guests)
        await asyncio.sleep(0)

    in_a_room(tmp_path, doing)
