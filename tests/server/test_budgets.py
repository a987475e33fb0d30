"""Nobody can use up a table: what is not play has a budget, a sitting has a limit, and the host can always end it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.errors import Refusal
from parlour.games import REGISTRY
from parlour.records.record import check
from parlour.records.seal import verify
from parlour.server import lobby, table
from parlour.server import messages as wire
from parlour.server.lobby import digest
from parlour.server.requests import Requests
from parlour.server.room import Room
from parlour.server.settings import Pace
from parlour.server.table import Table
from parlour.server.thinking import BotPool
from parlour.server.workers import InProcess
from support.effort import times
from support.rooms import any_move, in_a_room, opened, play, started
from support.server import Person, Server, at


def a_table(game: str, players: int, people: int = 1, **options: Any) -> Table:
    """A table in memory at which people and bots sit, begun."""
    made = Table.open("t", bytes(32), game=game, players=players, options=options, invite=b"", opened="2026-01-01")
    for number in range(people):
        made.lobby.sit(f"Person {number}", digest(str(number)))
    for number in range(people, players):
        made.lobby.put_bot(0, number, "thumb")
    made.begin(0)
    return made


def as_written(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def again(made: Table) -> Table:
    """The same table, loaded from its rows."""
    return Table.load(made.name, made.secret, made.log.fresh)


def until_refused(doing: Callable[[int], object], why: str) -> None:
    """Do something again and again until it is refused."""

    def all_of_it() -> None:
        for number in range(1000):
            doing(number)

    with pytest.raises(Refusal, match=why):
        all_of_it()


def test_a_seat_that_arranges_without_end_is_stopped_and_play_goes_on(server: Server) -> None:
    name, tokens = server.open("heraldry", 3, persons=2)
    with Person(server, name, tokens[0]) as host, Person(server, name, tokens[1]) as hostile:
        kinds: dict[str, int] = {}
        for _ in range(3):
            with Person(server, name, tokens[1]) as device:
                for number in range(400):
                    answer = device.request("alone", id=f"{device.asked} {number} {len(kinds)} {id(device)}")
                    kinds[answer["kind"]] = kinds.get(answer["kind"], 0) + 1
        assert kinds["refused"] > 0 and kinds["done"] <= lobby.SPARE_ROWS + 100
        for request in ("carry",):
            refused = hostile.request(request, code="c" * 30)
            assert refused["kind"] == "refused" and "arranged too much" in refused["sentence"]
        for person in (hostile, host):
            while person.news["legal"]:
                assert person.request("act", number=person.number, move=person.move())["kind"] == "done"
                person.look()
        assert hostile.request("leave")["kind"] == "done"
        assert host.request("end")["kind"] == "done"
    status, record = server.ask("GET", f"/api/tables/{name}/record")
    assert status == 200 and record["ended"] == "host" and verify(record) is None
    assert server.ask("DELETE", f"/api/tables/{name}", token=tokens[0])[0] == 204


@pytest.mark.parametrize("request_", ["alone", "carry", "leave and come back"])
def test_the_budget_of_a_seat_grows_with_play_and_is_its_own(request_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "SPARE_ROWS", 10)
    made = a_table("heraldry", 3, people=2)
    luck = random.Random(1)

    def arrange(seat: int, number: int) -> None:
        if request_ == "alone":
            made.lobby.keep_one_device(seat, digest(str(seat)))
        elif request_ == "carry":
            made.lobby.carry(seat, digest(f"code {seat} {number}"))
        else:
            made.lobby.step_aside(seat, "left")
            made.lobby.come_back(seat)

    def arrange_until_refused(seat: int) -> None:
        until_refused(lambda number: arrange(seat, number + 1000 * made.size), "arranged too much")

    arrange_until_refused(1)
    size = made.size
    arrange_until_refused(0)
    assert made.size > size
    while made.phase == "playing":
        made.act(made.deciding, any_move(made, luck))
        arrange_until_refused(1)
    loaded = again(made)
    assert loaded.record() == made.record()
    assert [seat.spent for seat in loaded.lobby.seats] == [seat.spent for seat in made.lobby.seats]
    assert verify(as_written(made.record())) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_without_budget_for_which_a_bot_plays_still_moves_and_its_host_still_ends(
    seat: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "SPARE_ROWS", 10)

    async def doing(room: Room) -> None:
        live = await started(room)
        requests, own = Requests(room, live, at(live, seat)), live.table.lobby.seats[seat]
        # the bots take their time, so that the person can move while one plays for them
        live.hastened, live.table.settings = False, replace(live.table.settings, pace=Pace(0.0, 3600.0, 0.0))
        while live.table.deciding != seat:
            await play(live, 1)
        for number in range(1000):
            if isinstance(await requests.answer(wire.Alone(id=f"a{number}")), wire.Refused):
                break
        assert isinstance(await requests.answer(wire.Leave(id="l")), wire.Done) and own.bot
        back = await requests.answer(wire.Back(id="b"))
        assert isinstance(back, wire.Refused) and "arranged too much" in back.sentence
        size = live.table.size
        wrong = await requests.answer(wire.Act(id="w", number=size, move=[4000]))
        assert isinstance(wrong, wire.Refused) and live.table.size == size, "an illegal move brings nobody back"
        move = any_move(live.table, random.Random(1))
        assert isinstance(await requests.answer(wire.Act(id="m", number=size, move=list(move))), wire.Done)
        own.spent, own.bot = 10**6, "steady"
        if seat == live.table.lobby.host:
            assert isinstance(await requests.answer(wire.Remove(id="r", seat=1 - seat)), wire.Done)
            assert isinstance(await requests.answer(wire.End(id="e")), wire.Done)
            assert live.table.phase == "over"

    in_a_room(tmp_path, doing, bots=BotPool(InProcess()))


def test_a_guest_who_sits_down_again_and_again_writes_no_more_rows_than_one_who_stays() -> None:
    made = Table.open("t", bytes(32), game="heraldry", players=3, options={}, invite=b"", opened="", is_open=True)
    made.lobby.sit("Host", digest("host"))

    def come_and_go(number: int) -> None:
        seat = made.lobby.sit(f"Guest {number}", digest(str(number)))
        until_refused(lambda _: made.lobby.keep_one_device(seat, digest(str(number))), "arranged too much")
        made.lobby.stand(seat)

    until_refused(come_and_go, "come and gone")
    assert made.size < lobby.MOST_COMING + 100
    assert again(made).lobby.coming == made.lobby.coming
    for seat in (1, 2):
        made.lobby.put_bot(0, seat, "thumb")
    made.begin(0)
    assert made.phase == "playing"


def test_people_who_come_and_go_do_not_keep_the_host_from_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MOST_COMING", 20)
    made = Table.open("t", bytes(32), game="heraldry", players=3, options={}, invite=b"", opened="", is_open=True)
    made.lobby.sit("Host", digest("host"))
    until_refused(lambda at: made.lobby.stand(made.lobby.sit(f"Guest {at}", digest(str(at)))), "come and gone")
    for seat in (1, 2):
        made.lobby.put_bot(0, seat, "thumb")
    made.begin(0)
    assert made.phase == "playing"


def test_whoever_claims_the_role_of_the_host_pays_for_it_and_not_the_host_who_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby, "SPARE_ROWS", 10)
    made = a_table("heraldry", 3, people=2)

    def claim_and_hand_back(number: int) -> None:
        made.lobby.claim_host(1)
        made.lobby.hand_on(1, 0)

    until_refused(claim_and_hand_back, "arranged too much")
    made.lobby.keep_one_device(0, digest("0"))
    assert [seat.spent for seat in again(made).lobby.seats] == [seat.spent for seat in made.lobby.seats]


def test_what_people_do_besides_playing_grows_no_faster_than_play_however_many_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby, "SPARE_ROWS", 0)
    made = a_table("tontine", 12, people=12)
    luck = random.Random(1)
    for _ in range(50):
        made.act(made.deciding, any_move(made, luck))
    for seat in range(12):
        until_refused(
            lambda number, seat=seat: made.lobby.keep_one_device(seat, digest(str(seat))), "arranged too much"
        )
    assert 0 < sum(seat.spent for seat in made.lobby.seats) <= lobby.SHARED_ROWS * made.log.played


@pytest.mark.parametrize("limit", ["MOST_UNDONE", "MOST_REPLAYED"])
def test_taking_back_without_end_is_stopped_and_play_goes_on(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, limit, 40)
    made = a_table("heraldry", 2, people=1)
    luck = random.Random(2)

    def play(rounds: int) -> None:
        while rounds and made.phase == "playing":
            rounds -= made.deciding == 0
            made.act(made.deciding, any_move(made, luck))

    play(2)

    def take_back(number: int) -> None:
        made.undo(0)
        play(1)

    until_refused(take_back, "taken back")
    play(10_000)
    assert made.phase == "over" and verify(as_written(made.record())) is None


@pytest.mark.parametrize("name", REGISTRY)
def test_a_sitting_at_its_limit_ends_with_the_scores_so_far(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = REGISTRY[name]
    monkeypatch.setattr(game, "most_entries", lambda players, options: 30)
    made = a_table(name, game.sheet.usual)
    luck = random.Random(3)
    while made.phase == "playing":
        made.act(made.deciding, any_move(made, luck))
    record = as_written(made.record())
    assert made.ended == record["ended"] == "limit" and record["result"]["winners"] == []
    assert record["result"]["scores"] == made.begun().sitting.scores()
    assert verify(record) is None and check(record) is None
    assert again(made).record() == made.record()
    assert made.described()["ended"] == "limit" and made.described()["winners"] == []
    with pytest.raises(Refusal, match="over"):
        made.act(0, [0])
    for wrong in ({"result": {**record["result"], "winners": [0]}}, {"ended": ""}, {"ended": 1}):
        assert check(record | wrong) is not None
    assert verify(record | {"log": record["log"][:-1]}) is not None


def test_a_finished_sitting_cannot_be_called_ended() -> None:
    made = a_table("heraldry", 2)
    luck = random.Random(4)
    while made.phase == "playing":
        made.act(made.deciding, any_move(made, luck))
    record = as_written(made.record())
    assert check(record) is None
    found = check(record | {"ended": "host", "result": {**record["result"], "winners": []}})
    assert found is not None and "over by the rules" in found.sentence


def longest_settings() -> list[tuple[str, int, dict[str, Any]]]:
    """The longest sittings that a table offers."""
    return [("tontine", 52, {"stake": 100}), ("tontine", 4, {"stake": 100})]


@pytest.mark.parametrize(("name", "players", "options"), longest_settings())
def test_the_longest_sitting_that_a_table_offers_comes_to_its_end(
    name: str, players: int, options: dict[str, Any]
) -> None:
    for _ in range(times(1, 5)):
        made = a_table(name, players, **options)
        while made.phase == "playing":
            made.act(made.deciding, [made.begun().sitting.legal()[0]])
            made.take_rows()
        assert not made.ended and made.record()["result"]["winners"]


def idle_move(made: Table) -> list[int]:
    """A move by which as little as possible happens."""
    steps: list[int] = []
    while legal := made.following(made.deciding, steps).legal:
        idle = [each for each in legal if each.name in ("bid 0", "pass", "leave")]
        steps.append((idle or legal)[0].step)
    return steps


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("lost-heir", 6, {"deal_limit": 200}),
        ("sovereign", 3, {"round_limit": 60, "games": 2, "mistakes": "penalised"}),
    ],
)
def test_stubborn_players_reach_the_end_within_the_limit(name: str, players: int, options: dict[str, Any]) -> None:
    made = a_table(name, players, **options)
    while made.phase == "playing":
        made.act(made.deciding, idle_move(made))
    assert not made.ended


def test_only_the_host_ends_a_sitting_and_only_one_that_goes_on(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        waiting = await opened(room)
        with pytest.raises(Refusal, match="not begun"):
            await waiting.change(lambda table: table.end(0))
        live = await started(room)
        with pytest.raises(Refusal, match="Only the host"):
            await live.change(lambda table: table.end(1))
        await live.change(lambda table: table.end(0))
        assert live.table.phase == "over" and (await room.record(live.table.name))["ended"] == "host"
        stored = room.services.store.table(live.table.name)
        assert stored is not None and [row.entry for row in stored[1][-2:]] == [["ended", "host"], ["closed"]]
        with pytest.raises(Refusal, match="over"):
            await live.change(lambda table: table.end(0))
        page = await room.replay(live.table.name, 0)
        assert json.loads(page.body)["total"] == 1 + len(live.table.begun().sitting.moves)

    in_a_room(tmp_path, doing)
