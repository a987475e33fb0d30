"""The client: tables opened, seats taken, played and watched over real sockets, also when these break."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour import client
from parlour.client import AsyncTable, Link, Refused, Stale, Table, Unreachable, messages
from parlour.server.data import FILE
from support.server import Server
from support.wait import WAIT


def reach(server: Server, **more: Any) -> client.Server:
    return client.Server(f"http://127.0.0.1:{server.port}", **more)


def seated(server: Server, game: str = "heraldry", players: int = 2, **settings: Any) -> Table:
    """A table with the client at seat 0 as the host, and bots at the other seats; started."""
    there = reach(server)
    opened = there.open(game, players, bot_seconds=0.0, **settings)
    table = client.sit(there.link(opened), "Ann")
    for seat in range(1, players):
        table.ask(messages.Bot, seat=seat, level="thumb")
    table.ask(messages.Start)
    return table


def until_nothing_comes(table: Table) -> None:
    """Listen until the connection has ended."""
    while True:
        assert table.changed(WAIT)


def any_move(table: Table) -> list[int | str]:
    """The first whole move."""
    move: list[int | str] = [table.legal[0].name]
    while not (ahead := table.follow(move)).decision:
        move.append(ahead.legal[0].step)
    return move


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://10.0.0.7:8420/#table=T-1&code=C_2", Link("http://10.0.0.7:8420", "T-1", "C_2")),
        ("https://cards.example.org/#code=C&table=T", Link("https://cards.example.org", "T", "C")),
        ("http://[::1]:80/cards/#table=T", Link("http://[::1]:80/cards", "T")),
    ],
)
def test_a_link_is_read_and_written(text: str, link: Link) -> None:
    assert Link.parse(text) == link and Link.parse(str(link)) == link


@pytest.mark.parametrize(
    "text", ["", "T", "http://a/", "http://a/#code=C", "ftp://a/#table=T", "http://a:x/#table=T", "http:///#table=T"]
)
def test_what_is_no_link_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^A link to a table looks like http"):
        Link.parse(text)


# --- at a table -------------------------------------------------------------------------------------------------------


def test_a_sitting_from_opening_to_record(server: Server) -> None:
    there = reach(server)
    opened = there.open("heraldry", 2, {"deal_limit": 1}, bot_seconds=0.0, open=True)
    assert opened.table in [table["table"] for table in there.tables()]
    with client.sit(there.link(opened), "Ann") as table, client.watch(Link(there.address, opened.table)) as watching:
        assert (table.seat, watching.seat) == (0, -1) and not table.over and table.view is None
        with pytest.raises(Refused, match="Spectators watch"):
            watching.ask(messages.Start)
        table.ask(messages.Bot, seat=1, level="thumb")
        table.ask(messages.Start)
        assert table.turn() and table.view and table.view["hand"]
        assert table.hint().hints
        with pytest.raises(Refused, match="not a step") as refusal:
            table.play(["play nothing"])
        assert refusal.value.clause == ""
        while table.turn():
            table.play(any_move(table))
        while not watching.over:
            assert watching.changed(WAIT)
        record = there.record(opened.table)
        kinds = {"capture", "discard"}
        played = [entry for entry in record["log"] if entry[0] in kinds]
        assert [entry for entry in table.told if entry[0] in kinds] == played
        assert [entry for entry in watching.told if entry[0] in kinds] == played
        assert [event.entry for event in table.events] == table.told and "deal" in str(table.events[0].says)
        assert table.described["winners"] == watching.described["winners"] != []
        with pytest.raises(Refused, match="over"):
            table.play([0])
        assert table.inner.place
        there.delete(opened.table, table.inner.place.token)
        with pytest.raises(Refused, match="deleted"):
            until_nothing_comes(table)
    with pytest.raises(Refused, match="no such table") as missing:
        there.table(opened.table)
    assert missing.value.status == 404


def test_entropy_that_was_promised_is_shown_by_itself(server: Server) -> None:
    there = reach(server)
    opened = there.open("tontine", 4, bot_seconds=0.0)
    place = there.sit(opened.table, opened.code, "Ann", promise=True)
    with Table(there, opened.table, place) as table:
        for seat in range(1, 4):
            table.ask(messages.Bot, seat=seat, level="random")
        table.ask(messages.Start)
        assert table.turn()
        started = next(entry for entry in table.inner.table_events if entry[0] == "started")
        assert started[1] == [place.entropy.hex(), None, None, None]
        table.leave()
        while not table.described["seats"][0]["bot"]:
            assert table.changed(WAIT)


def test_a_decision_taken_back_is_told_from_the_beginning(server: Server) -> None:
    with seated(server) as table:
        assert table.turn()
        before = list(table.told)
        assert table.inner.begun == 1
        table.play(any_move(table))
        assert table.turn() and table.told != before
        table.ask(messages.Undo, number=table.inner.number)
        assert table.turn() and table.told == before and table.inner.begun > 1


def test_a_move_that_comes_too_late_is_not_made(server: Server) -> None:
    with seated(server) as table:
        assert table.turn()
        number, move = table.inner.number, any_move(table)
        table.play(move)
        with pytest.raises(Stale):
            table.ask(messages.Act, number=number, move=move)
        assert table.turn()


def test_news_that_was_missed_is_asked_for(server: Server) -> None:
    with seated(server) as table:
        assert table.turn()
        inner = table.inner
        earlier, count = (inner.number, inner.head, inner._signature), len(table.told)
        table.play(any_move(table))
        assert table.turn()
        told = list(table.told)
        # as if the news had been lost on the way; then another device of the same person moves
        del inner.told[count:], inner.events[count:]
        inner.number, inner.head, inner._signature = earlier
        with Table(table.inner.server, inner.name, inner.place) as other:
            assert other.turn() and other.told == told
            other.play(any_move(other))
            assert other.turn()
            while inner.begun == 1:
                assert table.changed(WAIT)
            assert table.turn() and table.told == other.told and not table.set_back


# --- when things break ------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that can be killed and started again at the same address."""
    with Server(tmp_path / "data") as server:
        server.fixed = server.port
        yield server


def test_a_client_plays_on_when_the_server_is_killed_and_every_move_is_made_once(own: Server) -> None:
    moves = []

    async def play() -> dict[str, Any]:
        there = reach(own)
        opened = there.open("heraldry", 2, {"deal_limit": 1}, bot_seconds=0.0)
        async with AsyncTable(there, opened.table, there.sit(opened.table, opened.code, "Ann")) as table:
            await table.ask(messages.Bot, seat=1, level="thumb")
            await table.ask(messages.Start)
            while await table.turn():
                move: list[int | str] = [table.legal[0].step]
                while not (ahead := await table.follow(move)).decision:
                    move.append(ahead.legal[0].step)
                moves.append(ahead.decision)
                making = asyncio.create_task(table.play(move))
                if len(moves) in (2, 5):
                    await asyncio.sleep(0)
                    await asyncio.to_thread(lambda: (own.kill(), own.start()))
                try:
                    await making
                except Stale:
                    pass  # it was stored, and others have moved since
            assert not table.set_back
            assert table.told == [event.entry for event in table.events]
        return there.record(opened.table)

    record = asyncio.run(play())
    assert [entry for entry in record["log"] if entry[0] in ("capture", "discard") and entry[1] == 0] == moves


def test_no_socket_stays_open_where_closing_is_broken_off(own: Server) -> None:
    async def leave() -> bool:
        there = reach(own)
        opened = there.open("heraldry", 2)
        table = AsyncTable(there, opened.table, there.sit(opened.table, opened.code, "Ann"))
        async with table:
            assert table._socket is not None
            line = table._socket.transport
            own.process.send_signal(signal.SIGSTOP)  # it does not answer the goodbye
            closing = asyncio.create_task(table.close())
            await asyncio.sleep(0.05)
            closing.cancel()
            await asyncio.gather(closing, return_exceptions=True)
            return line.is_closing()

    try:
        assert asyncio.run(leave())
    finally:
        own.process.send_signal(signal.SIGCONT)


def test_a_server_that_was_set_back_is_noticed(own: Server, tmp_path: Path) -> None:
    with seated(own) as table:
        assert table.turn()
        own.stop()
        shutil.copy(own.data / FILE, tmp_path / "older")
        own.start()
        for _ in range(3):
            assert table.turn()
            table.play(any_move(table))
        assert table.turn() and not table.set_back
        own.stop()
        for file in own.data.glob(f"{FILE}*"):
            file.unlink()
        shutil.copy(tmp_path / "older", own.data / FILE)
        own.start()
        while not table.set_back:
            assert table.changed(WAIT)
        assert "shorter than what you were told" in table.set_back
        assert table.turn()
        table.play(any_move(table))


def raises_unreachable(doing: Callable[[], object]) -> None:
    with pytest.raises(Unreachable, match="cannot be reached"):
        doing()


def test_a_server_that_is_gone_is_given_up_in_a_sentence(own: Server) -> None:
    there = reach(own, patience=0.5)
    opened = there.open("heraldry", 2)
    place = there.sit(opened.table, opened.code, "Ann")
    with Table(there, opened.table, place) as table:
        own.kill()
        raises_unreachable(lambda: [table.changed() for _ in range(100)])
        raises_unreachable(lambda: table.ask(messages.Start))
    raises_unreachable(there.tables)
    raises_unreachable(lambda: Table(there, opened.table, place))
