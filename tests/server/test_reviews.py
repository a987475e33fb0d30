"""Reviews and sittings played again, at a server: who asks pays, and what is played again is the same sitting."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.errors import Refusal
from parlour.play.sitting import SPECTATOR
from parlour.players.review import review
from parlour.records.record import check
from parlour.records.seal import verify
from parlour.server.limits import Limits
from parlour.server.protocols import CURRENT, KEYED
from parlour.server.reading import replayed
from parlour.server.reviews import MOST_OF_ADDRESS, body_of
from parlour.server.room import Room
from parlour.server.workers import Busy
from support.rooms import in_a_room, opened, play, started, until
from support.server import Person, Server
from support.wait import WAIT


def reviewed(server: Server, table: str, seat: int, words: str = "") -> dict[str, Any]:
    """Ask for a review, and wait for it."""
    path = f"/api/tables/{table}/review?seat={seat}{words}"
    status, found = server.ask("POST", path)
    end = time.monotonic() + WAIT
    while not found.get("review") and time.monotonic() < end:
        assert status in (200, 202) and not found.get("failed"), found
        time.sleep(0.05)
        status, found = server.ask("GET", path)
    assert found["review"], found
    return found["review"]  # type: ignore[no-any-return]


def test_a_review_is_made_by_request_and_is_that_of_the_record(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        name, (token,) = server.open("lost-heir", 4, options={"deal_limit": 1})
        status, refused = server.ask("POST", f"/api/tables/{name}/review?seat=0")
        assert status == 409 and "when it is over" in refused["sentence"]
        with Person(server, name, token) as person:
            while person.turn():
                number = person.number
                assert person.request("act", number=number, move=person.move())["kind"] == "done"
                person.until(lambda news, number=number: news["number"] > number)
        nothing = {"done": 0, "of": 0, "failed": None, "review": None}
        assert server.ask("GET", f"/api/tables/{name}/review?seat=0") == (200, nothing)
        found = reviewed(server, name, 0)
        _, record = server.ask("GET", f"/api/tables/{name}/record")
        own = review(record, 0)
        assert [mark["played"] for mark in found["marks"]] == [mark.played for mark in own.marks]
        assert found["accuracy"] == pytest.approx(own.accuracy, abs=0.05)
        parts = [found[name]["win"] for name in ("start", "luck", "others", "own")]
        assert sum(parts) == pytest.approx(found["result"]["win"], abs=1e-9)
        keyed = reviewed(server, name, 0, "&words=keys")
        for plain, by_key in zip(found["marks"], keyed["marks"], strict=True):
            assert bool(plain.get("reason")) == bool(by_key.get("reason") or by_key.get("claims"))
        assert server.ask("GET", f"/api/tables/{name}/review?seat=4")[0] == 409
        assert server.ask("GET", f"/api/tables/{name}/review?seat=x")[0] == 422
        assert server.ask("POST", "/api/tables/nowhere/review?seat=0")[0] == 404


class Counted(Limits):
    """Limits that note who was charged for work, and how much."""

    paid: list[tuple[str, float]]

    def charge(self, address: str, seconds: float) -> None:
        self.paid = [*getattr(self, "paid", []), (address, seconds)]
        super().charge(address, seconds)


def test_who_asks_for_a_review_pays_for_it(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        room.services.limits = limits = Counted(100_000)
        live = await started(room, "lost-heir", 4, 2, options={"deal_limit": 1})
        await play(live)
        await room.review(live.table.name, 1, CURRENT, "one")
        await until(lambda: room.services.reviews.state(live.table, 1, CURRENT).review is not None, "it is reviewed")
        assert {each for each, _ in limits.paid} == {"one"} and sum(seconds for _, seconds in limits.paid) > 0
        again = await room.review(live.table.name, 1, KEYED, "other")
        assert again.review is not None and {each for each, _ in limits.paid} == {"one"}
        room.services.forget(live.table.name)
        assert (await room.review(live.table.name, 1, CURRENT)).review is None

    in_a_room(tmp_path, doing)


def test_nobody_takes_all_the_room_for_reviews(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        room.services.limits = Limits()
        room.services.limits.charge("greedy", 1000.0)  # it has used up its time, so that its reviews wait
        live = await started(room, "sovereign", 8, 8, options={"games": 1, "round_limit": 2})
        await play(live)
        name = live.table.name
        for seat in range(MOST_OF_ADDRESS):
            await room.review(name, seat, CURRENT, "greedy")
        for seat in (0, 1):
            await room.review(name, seat, CURRENT, "greedy")  # they are on their way
        with pytest.raises(Busy, match="one of them is done"):
            await room.review(name, MOST_OF_ADDRESS, CURRENT, "greedy")
        await room.review(name, 7, CURRENT, "modest")
        await until(lambda: room.services.reviews.state(live.table, 7, CURRENT).review is not None, "it is reviewed")

    in_a_room(tmp_path, doing)


def test_the_parts_add_up_as_they_are_sent(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, "lost-heir", 4, 1, options={"deal_limit": 1})
        await play(live)
        table = live.table
        body = body_of(review(table.record(), 2), table.game, table.settings.options, CURRENT)
        for of in ("win", "score"):
            parts = sum(getattr(part, of) for part in (body.start, body.luck, body.others, body.own))
            assert parts == pytest.approx(getattr(body.result, of), abs=1e-9)

    in_a_room(tmp_path, doing)


@pytest.mark.parametrize("moves", [0, 9])
def test_a_sitting_is_played_again_by_one_person_with_the_same_luck(tmp_path: Path, moves: int) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, "lost-heir", 4, 2)
        await play(live)
        old = live.table.record()
        fresh, code = await room.open(game="lost-heir", players=4, options={}, again=(live.table.name, 2, moves))
        assert fresh.table.described()["again"] == {"of": live.table.name, "seat": 2, "moves": moves}
        await room.join(fresh.table.name, code, "Me", 2)
        with pytest.raises(Refusal, match="for one person alone"):
            await room.join(fresh.table.name, code, "Another")
        for seat in (0, 1, 3):
            await fresh.change(lambda table, seat=seat: table.lobby.put_bot(2, seat, "thumb"))
        await fresh.change(lambda table: table.begin(2))
        sitting = fresh.table.begun().sitting
        assert len(sitting.moves) >= moves
        begins = fresh.table.begun().sitting.log[: 2 + moves]
        assert begins == old["log"][: len(begins)]
        # a listener that was there before the start is shown where it goes on, and nothing of other hands
        assert (fresh.table.missed(2, 3) is None) == (moves > 0)
        assert all(None in entry for entry in sitting.told[SPECTATOR] if entry[0] == "hand")
        await play(fresh)
        record = fresh.table.record()
        assert record["again"] == {"of": live.table.name, "moves": moves}
        assert check(record) is None and verify(record) is None
        stored = room.services.store.table(fresh.table.name)
        assert stored is not None and replayed(*stored).record() == record
        json.dumps(record)

    in_a_room(tmp_path, doing)


def test_what_cannot_be_played_again_is_refused(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await opened(room)
        name = live.table.name

        async def refused(why: str, again: tuple[str, int, int], **more: Any) -> None:
            with pytest.raises(Refusal, match=why):
                await room.open(game="heraldry", players=2, options={}, again=again, **more)

        await refused("not over yet", (name, 0, 0))
        await live.change(lambda table: table.begin(0))
        await refused("not over yet", (name, 0, 0))
        await play(live)
        made = len(live.table.begun().sitting.moves)
        await refused(f"from 0 to {made - 1} moves", (name, 0, made))
        await refused("no such seat", (name, 2, 0))
        await refused("no such table", ("nowhere", 0, 0))
        await refused("for one person alone", (name, 0, 0), is_open=True)
        await refused("for one person alone", (name, 0, 0), deal=7)

    in_a_room(tmp_path, doing)
