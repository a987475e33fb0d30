"""Twin worlds at served tables: two rooms in which listeners who were told the same must be sent the same bytes."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from parlour import Refusal, Seeded, State
from parlour.records.record import script_of
from parlour.records.seal import Recorder
from parlour.server import company, sealed
from parlour.server import messages as wire
from parlour.server import room as rooms
from parlour.server.protocols import CURRENT, KEYED, PROTOCOLS, Protocol
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.sqlite import SqliteStore
from parlour.server.statements import Signer
from parlour.server.store import Store
from parlour.server.table import Table
from support.cases import Case, played
from support.rooms import NOW
from support.server import at
from support.twins import Script, changed

HEAD = re.compile(rb'"head":"[0-9a-f]{64}","signature":"[0-9a-f]{128}"|"head":"[0-9a-f]{64}"')  # it hides every card
SIGNER = Signer()  # the same in both worlds
PROGRAM = CURRENT.asking(["observation", "mask", "sight"])


class Given(Recorder):
    """Chance by a script as long as that fits, and by its own luck otherwise."""

    script: ClassVar[Script] = []
    luck = random.Random()

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rest = iter(self.script)

    def serve(self, state: State) -> object:
        entry = self.game.entries[state.awaits].kind
        self.pools.append(self.game.write_items(entry, state.possible()))
        kind, items = next(self.rest, (-1, []))
        if kind == state.awaits:
            try:
                state.give(items)
                return None
            except Refusal:
                pass
        state.give(self.luck.sample(state.possible(), state.wanted()))
        return None


class World:
    """A room with one table full of people, whose chance is given."""

    def __init__(
        self, given: Case, script: Script, luck: int, store: Callable[[], Store], patch: pytest.MonkeyPatch
    ) -> None:
        self.given = given
        self.chance = type("Chance", (Given,), {"script": script, "luck": random.Random(luck)})
        self.patch = patch
        self.store = store

    async def begin(self) -> None:
        numbers = itertools.count()
        self.patch.setattr(rooms.secrets, "token_urlsafe", lambda size: f"secret {next(numbers)}")
        self.patch.setattr(rooms.secrets, "token_bytes", lambda size: bytes(size))
        self.patch.setattr(sealed, "Recorder", self.chance)
        self.patch.setattr(company, "NUDGE_SECONDS", 0)
        self.room = Room(self.store(), clock=lambda: 0.0, signer=SIGNER)
        game, players, options, _ = self.given
        self.live, code = await self.room.open(game=game.name, players=players, options=dict(options), pace=NOW)
        for number in range(players):
            await self.room.join(self.live.table.name, code, f"Person {number}")
        self.listeners = {seat: at(self.live, seat, PROGRAM) for seat in range(-1, players)}
        for listener in self.listeners.values():
            self.live.welcome(listener)
        await self.live.change(lambda table: table.begin(0))

    @property
    def table(self) -> Table:
        return self.live.table

    def sent(self, seat: int) -> bytes:
        """Everything that has come for a seat since the last time."""
        found = []
        while (message := self.listeners[seat].next()) is not None:
            found.append(message)
        return b"\n".join(found)

    async def asked(self, seat: int, message: Any) -> bytes:
        return wire.encode(await Requests(self.room, self.live, self.listeners[seat]).answer(message))

    def joined(self, seat: int, last: int | None, protocol: Protocol) -> bytes:
        """What a client is sent that joins, or comes back, now."""
        listener = at(self.live, seat, protocol)
        self.live.welcome(listener, last)
        self.live.telling.listeners.pop(listener)
        return listener.next() or b""


def told(world: World, seat: int) -> list[Any]:
    assert world.table.sitting is not None
    return world.table.sitting.told[seat]


def same(one: bytes, other: bytes) -> bool:
    return HEAD.sub(b"", one) == HEAD.sub(b"", other)


async def compare(one: World, other: World, moves: list[tuple[int, list[int]]], luck: random.Random) -> int:
    """Play the same moves in both; how often a seat was sent something while hidden cards differed."""
    await one.begin()
    await other.begin()
    alike = set(one.listeners)
    numbers = [0]
    sent = 0
    count = 0
    try:
        for seat, steps in [(-1, []), *moves]:
            if steps:
                count += 1
                for world in (one, other):
                    asked = wire.Act(id=f"{count}", number=world.table.size, move=list(steps))
                    answer = await world.asked(seat, asked)
                if b'"kind":"done"' not in answer:
                    break
            if one.table.deciding != other.table.deciding:
                break  # whose turn it is, is told to all
            assert one.table.sitting and other.table.sitting
            differ = one.table.sitting.state.where() != other.table.sitting.state.where()
            for seat in sorted(alike):
                messages = one.sent(seat), other.sent(seat)
                if told(one, seat) != told(other, seat):
                    alike.remove(seat)
                    continue
                assert same(*messages), seat
                sent += differ
                if not differ:
                    continue
                last = luck.choice([None, *numbers])
                for protocol in (*PROTOCOLS.values(), KEYED, PROGRAM):
                    assert same(one.joined(seat, last, protocol), other.joined(seat, last, protocol)), (seat, last)
                wrong = wire.Act(id=f"wrong {count}", number=one.table.size, move=[luck.randrange(96)])
                if one.table.deciding != seat:
                    assert same(await one.asked(seat, wrong), await other.asked(seat, wrong))
                for talk in (wire.Say(id=f"say {count}", phrase="wow"), wire.Nudge(id=f"nudge {count}")):
                    assert same(await one.asked(seat, talk), await other.asked(seat, talk))
                prefix = wire.Follow(id="f", prefix=[luck.randrange(96)] if luck.random() < 0.5 else [])
                assert same(await one.asked(seat, prefix), await other.asked(seat, prefix))
            for world in (one, other):
                with pytest.raises(Refusal, match="not over yet") if world.table.phase != "over" else nullcontext():
                    world.table.record()
            if one.table.deciding == other.table.deciding and one.table.phase != "over" != other.table.phase:
                assert json.dumps(one.table.described()) == json.dumps(other.table.described())
                assert one.table.size == other.table.size or not alike
            else:
                break
            numbers.append(one.table.size)
            if not alike:
                break
    finally:
        await one.room.close()
        await other.room.close()
    return sent


def twins(
    given: Case,
    tmp_path: Path,
    patch: pytest.MonkeyPatch,
    number: int,
    store: Callable[[Path], Store] = SqliteStore,
) -> int:
    luck = random.Random(str(given))
    sent = 0
    for seed in range(40 * number):
        if seed >= number and sent > 20:
            break  # not every change of the script changes something hidden
        sitting = played(given.sitting(seed), Seeded(seed), 60)
        script = script_of(given.game, sitting.log)
        moves = [(move.seat, list(move.steps)) for move in sitting.moves]
        one = World(given, script, 2 * seed, partial(store, tmp_path / f"{seed} one.db"), patch)
        other = World(given, changed(script, luck), 2 * seed + 1, partial(store, tmp_path / f"{seed} other.db"), patch)
        sent += asyncio.run(compare(one, other, moves, luck))
    return sent
