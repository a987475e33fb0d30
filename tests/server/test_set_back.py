"""A server that was set back is noticed: rows cut off, an older copy restored, a log that is another than was told."""

from __future__ import annotations

import json
import random
import shutil
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.cli.main import main
from parlour.server.data import FILE
from parlour.server.listener import Listener
from parlour.server.protocols import PROTOCOLS
from parlour.server.room import Room
from parlour.server.settings import Pace
from parlour.server.statements import KEY_FILE, Shown, Signer, is_signed
from parlour.server.table import Table
from support.rooms import in_a_room, opened, play, started, until
from support.server import Person, Server, at, on_turn
from support.store import cut

Statement = dict[str, Any]


def said(listener: Listener) -> list[dict[str, Any]]:
    """Everything that has come for a listener."""
    found = []
    while (message := listener.next()) is not None:
        found.append(json.loads(message))
    return found


def statement(news: dict[str, Any]) -> Statement:
    """What a client shows at hello, of news that it was told."""
    return {"last": news["number"], "head": news["head"], "signature": news["signature"]}


def some_moves(person: Person, count: int) -> list[Statement]:
    """Make some moves; what was told at each turn, from before the first to after the last."""
    told = []
    for number in range(count + 1):
        assert person.turn()
        told.append(statement(person.news))
        if number < count:
            answer = person.request("act", id=f"at {person.number}", number=person.number, move=person.move())
            assert answer["kind"] == "done"
    return told


def metrics(server: Server) -> dict[str, int]:
    """The counters of a server."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.removeprefix("parlour_").split() for line in lines if not line.startswith("#"))
    return {name: int(value) for name, value in pairs}


def errors(server: Server) -> list[str]:
    """The lines in the log of a server that say that something is wrong."""
    lines = server.data.with_name("server.log").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if '"level": "error"' in line]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that can be stopped and set back."""
    with Server(tmp_path / "data") as server:
        yield server


# --- over the wire ----------------------------------------------------------------------------------------------------


def test_rows_that_were_cut_off_are_noticed_by_both_sides(own: Server) -> None:
    table, tokens = own.open("heraldry", 2, 2)
    with Person(own, table, tokens[0]) as one, Person(own, table, tokens[1]) as other:
        told = []
        people = [one, other]
        for _ in range(4):
            person = on_turn(people)
            told.append(statement(person.news))
            assert person.request("act", number=person.number, move=person.move())["kind"] == "done"
        for person in people:
            person.look()
        latest = statement(one.news)
    own.stop()
    cut(own.data / FILE, table, told[1]["last"])
    own.start()
    with Person(own, table, tokens[0], **latest) as again:
        words = again.news["set_back"]
        assert f"told of {latest['last']} entries" in words and f"it has {told[1]['last']}" in words
        assert again.news["whole"] and again.number == told[1]["last"]
    with Person(own, table, tokens[0], **told[1]) as again:
        assert "set_back" not in again.news and not again.news.get("whole"), "up to there nothing has changed"
    assert metrics(own)["set_back_total"] == 1
    assert len(errors(own)) == 1 and table in errors(own)[0]


def test_an_older_copy_that_went_on_differently_is_noticed_by_its_head(own: Server, tmp_path: Path) -> None:
    table, tokens = own.open("lost-heir", 4)
    with Person(own, table, tokens[0]) as person:
        earlier = some_moves(person, 0)[-1]
        own.stop()
    shutil.copy(own.data / FILE, tmp_path / "copy.db")
    own.start()
    with Person(own, table, tokens[0], **earlier) as person:
        assert "set_back" not in person.news
        later = some_moves(person, 2)[-1]
        own.stop()
    for ending in ("-wal", "-shm"):
        (own.data / (FILE + ending)).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", own.data / FILE)
    own.start()
    with Person(own, table, tokens[0]) as person:
        person.luck = random.Random("other moves")
        while person.number <= later["last"]:
            some_moves(person, 1)
        person.turn()  # bots have moved
        size = person.number
    with Person(own, table, tokens[0], **later, whole=True) as person:
        words = person.news["set_back"]
        assert f"it has {size} entries now" in words and f"first {later['last']} differ" in words
        assert person.news["whole"] and person.number == size
    with Person(own, table, tokens[0], **earlier, whole=True) as person:
        assert "set_back" not in person.news and person.news["whole"], "what both have in common is not contradicted"
    assert metrics(own)["set_back_total"] == 1


def test_an_honest_restart_is_no_contradiction(own: Server) -> None:
    table, tokens = own.open("lost-heir", 4)
    with Person(own, table, tokens[0]) as person, Person(own, table) as spectator:
        some_moves(person, 2)
        assert person.request("undo", number=person.number)["kind"] == "done"
        told = some_moves(person, 1)
        spectator.until(lambda news: news["number"] == told[-1]["last"])
        seen = statement(spectator.news)
        own.kill()
    own.start()
    for shown, token in [*((each, tokens[0]) for each in told), (seen, None)]:
        with Person(own, table, token, **shown) as again:
            assert "set_back" not in again.news
        with Person(own, table, token, **shown, whole=True) as again:
            assert "set_back" not in again.news and again.news["whole"]
    counts = metrics(own)
    assert counts["set_back_total"] == counts["set_back_unsigned_total"] == 0 and not errors(own)


def test_a_claim_without_our_signature_is_answered_but_raises_no_alarm(own: Server) -> None:
    table, tokens = own.open("heraldry", 2)
    with Person(own, table, tokens[0]) as person:
        told = some_moves(person, 0)[-1]
    invented = {**told, "last": 9000, "signature": "0" * 128}
    for shown in (invented, {"last": 9000}, {**told, "head": "0" * 64}):
        with Person(own, table, **shown) as spectator:
            assert "were told" in spectator.news["set_back"]
    counts = metrics(own)
    assert (counts["set_back_total"], counts["set_back_unsigned_total"]) == (0, 3) and not errors(own)


def test_a_request_for_a_number_that_nobody_was_told_of_says_so_plainly(own: Server) -> None:
    table, tokens = own.open("heraldry", 2)
    with Person(own, table, tokens[0]) as person:
        assert person.turn()
        for kind, more in (("act", {"move": person.move()}), ("undo", {})):
            answer = person.request(kind, number=person.number + 7, **more)
            assert answer["kind"] == "refused" and "The server was set back" in answer["sentence"]
            assert f"told of {person.number + 7} entries, and it has {person.number}" in answer["sentence"]


def test_news_is_signed_by_the_key_that_the_server_publishes(own: Server) -> None:
    table, tokens = own.open("heraldry", 2)
    key = own.ask("GET", "/health")[1]["key"]
    with Person(own, table, tokens[0]) as person, Person(own, table) as spectator:
        assert person.key == spectator.key == key
        told = some_moves(person, 3)
        spectator.until(lambda news: news["number"] == told[-1]["last"])
        assert statement(spectator.news) == told[-1], "it is the same for all"
    for each in told:
        assert is_signed(table, each["last"], each["head"], each["signature"], key)
        assert not is_signed(table, each["last"] + 1, each["head"], each["signature"], key)
        assert not is_signed("another", each["last"], each["head"], each["signature"], key)
    with Person(own, table, tokens[0], protocol=1) as old:
        assert old.key is None and "signature" not in old.news, "protocol 1 is as it was"
    mode = (own.data / KEY_FILE).stat().st_mode & 0o777
    assert mode == 0o600
    own.stop()
    own.start()
    assert own.ask("GET", "/health")[1]["key"] == key


# --- at a table -------------------------------------------------------------------------------------------------------


def in_a_signing_room(path: Path, doing: Callable[[Room], Any]) -> Any:
    return in_a_room(path, doing, signer=Signer.of(path))


def test_the_log_remembers_its_head_at_every_size_also_after_undoing_and_loading(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room, persons=1, players=2)
        table = live.table
        listener = at(live, 0)
        live.welcome(listener)
        for _ in range(3):
            await play(live, 2)
            await live.change(lambda table: table.undo(0))
            await live.change(lambda table: table.lobby.step_aside(0, "left"))
            await live.change(lambda table: table.lobby.come_back(0))
        told = {news["number"]: news["head"] for each in said(listener) if (news := each.get("news", each)).get("head")}
        assert len(told) > 6
        again = Table.load(table.name, table.secret, room.services.store.table(table.name)[1])  # type: ignore[index]
        assert again.log.heads == table.log.heads and len(table.log.heads) == table.size + 1
        for number, head in told.items():
            assert table.log.contradiction(number, head) == again.log.contradiction(number, head) == ""
            assert "differ" in table.log.contradiction(number, "0" * 64)
            assert not table.log.contradiction(number)
        assert "shorter" in table.log.contradiction(table.size + 1)
        assert "differ" in table.log.contradiction(0, next(iter(told.values()))), "before the start there was no head"

    in_a_signing_room(tmp_path, doing)


def test_a_change_is_signed_once_for_all_who_listen(tmp_path: Path) -> None:
    class Counting(Signer):
        signed = 0

        def sign(self, table: str, number: int, head: str) -> str:
            self.signed += 1
            return super().sign(table, number, head)

    signer = Counting()

    async def doing(room: Room) -> None:
        live = await opened(room)
        for seat in (-1, -1, 0, 0, 1):
            live.welcome(at(live, seat))
        assert signer.signed == 0, "before the start there is no head"
        await live.change(lambda table: table.begin(0))
        assert signer.signed == 1
        await play(live, 5)
        assert signer.signed == 6
        live.welcome(at(live, 0))
        assert signer.signed == 6

    in_a_room(tmp_path, doing, signer=signer)


def test_delayed_spectators_are_told_later_that_the_server_was_set_back(tmp_path: Path) -> None:
    """At once they could find out how many rows the log has now."""

    async def doing(room: Room) -> None:
        live = await started(room, pace=Pace(0.0, 0.0, 0.2))
        await play(live, 2)
        seated, spectator, honest = at(live, 0), at(live, -1), at(live, -1)
        live.welcome(seated)
        told = said(seated)[0]["news"]
        live.welcome(spectator, None, Shown(told["number"] + 1, told["head"]))
        live.welcome(honest, told["number"], Shown(told["number"], told["head"], told["signature"]))
        for listener in (spectator, honest):
            (first,) = said(listener)
            assert first["news"]["number"] == 0 and "set_back" not in first["news"]
        await until(lambda: bool(spectator.waiting and honest.waiting), "spectators were told")
        assert "shorter" in said(spectator)[0]["set_back"]
        assert "set_back" not in said(honest)[0]

    in_a_signing_room(tmp_path, doing)


def test_a_client_of_protocol_1_is_answered_as_before(tmp_path: Path) -> None:
    async def doing(room: Room) -> None:
        live = await started(room)
        old = at(live, 0, PROTOCOLS[1])
        live.welcome(old, 9000, Shown(9000))
        (welcome,) = said(old)
        assert welcome["news"]["whole"]
        assert not {"set_back", "signature", "key"} & {*welcome, *welcome["news"]}

    in_a_signing_room(tmp_path, doing)


# --- the proof --------------------------------------------------------------------------------------------------------


def test_what_was_told_can_be_proved_against_records_statements_and_the_server(
    own: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, tokens = own.open("heraldry", 2, 2)
    luck = random.Random(1)
    with Person(own, table, tokens[0]) as one, Person(own, table, tokens[1]) as other:
        key = one.key
        start, first = (play_on([one, other], luck, moves) for moves in (1, 12))
    told = {number: saved(tmp_path / f"{number}.json", table, key, news) for number, news in {**start, **first}.items()}
    latest = max(told)
    address = f"http://127.0.0.1:{own.port}"
    assert judged(capsys, told[latest], address) == (0, "")
    assert judged(capsys, told[latest], told[min(told)]) == (0, "")
    own.stop()
    cut(own.data / FILE, table, min(first))
    own.start()
    address = f"http://127.0.0.1:{own.port}"
    assert judged(capsys, told[latest], address) == (1, "the server says: The log of this table is shorter")
    assert judged(capsys, told[min(first)], address) == (0, "")
    with Person(own, table, tokens[0]) as one, Person(own, table, tokens[1]) as other:
        second = play_on([one, other], random.Random(2), 10_000)
    other_head = next(news["head"] for number, news in second.items() if number > min(first))
    signed = {"number": latest, "head": other_head, "signature": Signer.of(own.data).sign(table, latest, other_head)}
    again = saved(tmp_path / "again.json", table, key, signed)
    assert judged(capsys, told[latest], again) == (1, "the server signed two different heads")
    record = tmp_path / "record.json"
    record.write_text(json.dumps(own.ask("GET", f"/api/tables/{table}/record")[1]), encoding="utf-8")
    assert judged(capsys, told[latest], record) == (1, "the chain of the record never had the head")
    assert judged(capsys, again, record) == judged(capsys, told[min(first)], record) == (0, "")
    forged = saved(tmp_path / "forged.json", table, key, {**first[latest], "head": "0" * 64})
    assert main(["verify", "--told", str(forged), str(record)]) == 2
    assert "proves nothing" in capsys.readouterr().err


def play_on(people: list[Person], luck: random.Random, moves: int) -> dict[int, dict[str, Any]]:
    """Play on, by turns; everything that was told, by number."""
    told: dict[int, dict[str, Any]] = {}
    for person in people:
        person.luck = luck
    while moves and not (people[0].news["view"] or {}).get("over"):
        mover = next(person for person in people if person.news["legal"])
        told[mover.number] = dict(mover.news)
        name = f"{luck.random()}"
        assert mover.request("act", id=name, number=mover.number, move=mover.move())["kind"] == "done"
        for person in people:
            person.until(lambda news, least=mover.number: news["number"] >= least)
        moves -= 1
    told[people[0].number] = dict(people[0].news)
    return told


def saved(file: Path, table: str, key: str | None, news: dict[str, Any]) -> Path:
    """A statement as the page saves it."""
    found = {name: news[name] for name in ("number", "head", "signature")}
    file.write_text(json.dumps({"parlour": "told", "version": 1, "table": table, "key": key, **found}))
    return file


def judged(capsys: pytest.CaptureFixture[str], told: Path, what: Path | str) -> tuple[int, str]:
    """Compare on the command line: the exit code, and the beginning of why there is a contradiction."""
    code = main(["verify", "--told", str(told), str(what)])
    line = capsys.readouterr().out.splitlines()[0].removeprefix(f"{what}: ")
    contradiction = line.removeprefix("contradiction: ") if line.startswith("contradiction: ") else ""
    known = ("the server says: The log of this table is shorter", "the server signed two different heads")
    known += ("the chain of the record never had the head",)
    return code, next((each for each in known if contradiction.startswith(each)), contradiction)
