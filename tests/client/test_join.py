"""Bots at served tables: every kind of bot sits by a link, plays as it would elsewhere, and is seen to be a program."""

from __future__ import annotations

import asyncio
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour import Journal, client, game
from parlour.client import Link, Refused, Table, messages
from parlour.client.playing import BotAtTable, label_of, sit_down
from parlour.games.profile import environment_name
from parlour.players.policy import Policy
from parlour.players.seats import make
from parlour.records.record import script_of
from support.cli import Cli, started
from support.server import Person, Server
from support.wait import WAIT, next_line

ROOT = Path(__file__).resolve().parents[2]
MINE = """
class Last:
    tracks_beliefs = True

    def choose(self, view):
        return view.legal()[-1]


class Failing:
    def choose(self, view):
        raise KeyError("no plan")
"""


def opened(server: Server, name: str, players: int, **settings: Any) -> Link:
    there = client.Server(f"http://127.0.0.1:{server.port}")
    return there.link(there.open(name, players, bot_seconds=0.0, **settings))


def play(link: Link, bots: Sequence[str], rematches: int = 0) -> messages.Described:
    """Seat bots at a table and let them play to the end; how it ended."""
    there = client.Server(link.address)
    said: list[str] = []

    async def one(bot: str, place: client.Place) -> messages.Described:
        playing = BotAtTable(bot, 7, said.append)
        try:
            return await playing.run(there, link.table, place)
        finally:
            playing.close()

    async def everyone() -> list[messages.Described]:
        places = [sit_down(there, link, bot) for bot in bots]
        return await asyncio.gather(*map(one, bots, places))

    found = asyncio.run(everyone())
    assert not said
    return found[0]


# --- they choose as anywhere else -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("heraldry", {"deal_limit": 1, "capture": "choice"}),
        ("lost-heir", {"deal_limit": 1, "sides": "two"}),
        ("masquerade", {"games": 1, "exchange": "courtesy"}),
        ("sovereign", {"rounds": 1, "games": 1, "round_limit": 6}),
        ("tontine", {"stake": 4}),
    ],
)
def test_a_bot_that_searches_chooses_as_it_would_beside_the_state(
    server: Server, name: str, options: dict[str, Any]
) -> None:
    """Every choice of the sitting is made again with views that listen and look at the state itself."""
    players = 4
    link = opened(server, name, players, options=options)
    play(link, ["search:6"] * players)
    record = client.Server(link.address).record(link.table)
    known = game(name)
    state = known.state_type(players, known.options_for(players, options))
    state.journal = Journal()
    views = [known.view_type(players, seat, state.options) for seat in range(players)]
    bots = [make("search:6", known, players, state.options, seat) for seat in range(players)]
    for bot, view in zip(bots, views, strict=True):
        bot.begin(7, 0)
        view.track_beliefs(trusting=True)
    state.begin()
    log: list[Any] = []
    chances = iter(script_of(known, record["log"]))
    while not state.over:
        while state.awaits >= 0:
            assert log == record["log"][: len(log)]
            state.give(next(chances)[1])
        for view in views:
            view.listen(state.journal)
        log += [entry for row in state.journal.rows() if (entry := known.recorded(row)) is not None]
        state.journal.clear()
        if not state.over:
            state.play(bots[state.seat].choose(views[state.seat].see(state)))
    log += [entry for row in state.journal.rows() if (entry := known.recorded(row)) is not None]
    assert log == record["log"]


def test_every_kind_of_bot_sits_at_one_table_and_is_marked(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    known = game("heraldry")
    width = known.view_type(6, 0, known.options_for(6)).width()
    policy = Policy(environment_name(known), 6, [([[0.0] * width] * known.steps, [0.0] * known.steps)])
    policy.save(tmp_path / "flat.safetensors")
    python = shlex.quote(sys.executable)
    bots = {
        "search:4": "search 4",
        f"{tmp_path}/mine.py:Last": "Last",
        f"policy:{tmp_path}/flat.safetensors": "flat",
        f"exec:{python} {ROOT}/examples/mybot.py": "mybot.py",
        f"batch:{python} {ROOT}/examples/batchbot.py": "batchbot.py",
        "random": "random",
    }
    link = opened(server, "heraldry", 6, options={"deal_limit": 1})
    ended = play(link, list(bots))
    assert ended["phase"] == "over" and ended["ended"] is None
    assert [seat["program"] for seat in ended["seats"]] == list(bots.values())
    assert [seat["name"] for seat in ended["seats"]] == list(bots.values())
    with client.watch(link) as watching:
        sat = [entry for entry in watching.inner.table_events if entry[0] == "sat"]
        assert [entry[4] for entry in sat] == list(bots.values())


@pytest.mark.parametrize(
    ("bot", "label"),
    [
        *(("expert", "expert"), ("search:500", "search 500"), ("bots.mine:Careful?depth=3", "Careful")),
        *(("policy:/home/me/secret/net_2.safetensors", "net 2"), ("exec:python3 '/home/me/bot.py' --key s", "bot.py")),
        *(("exec:/usr/bin/mine --key s", "mine"), ("m:A_very_long_name_for_a_bot_indeed", "A very long name for a b")),
    ],
)
def test_what_a_bot_is_called_says_nothing_of_the_machine(bot: str, label: str) -> None:
    assert label_of(bot) == label


# --- who may sit ------------------------------------------------------------------------------------------------------


def test_a_table_for_people_refuses_programs_also_at_its_rematch(server: Server) -> None:
    link = opened(server, "tontine", 4, programs=False)
    there = client.Server(link.address)
    assert there.table(link.table)["programs"] is False
    with pytest.raises(Refused, match="for people: programs cannot sit down"):
        sit_down(there, link, "random")
    with client.sit(link, "Ann") as ann:
        for seat in range(1, 4):
            ann.ask(messages.Bot, seat=seat, level="random")
        ann.ask(messages.Start)
        ann.ask(messages.End)
        ann.ask(messages.Rematch)
        assert ann.described["rematch"]
        again = Link(link.address, ann.described["rematch"], link.code)
    with pytest.raises(Refused, match="for people"):
        sit_down(there, again, "random")


def test_a_program_hands_the_host_on_and_comes_along_to_a_rematch(server: Server) -> None:
    link = opened(server, "tontine", 4, options={"stake": 4})
    command = ("join", str(link), "--bot", "random", "--name", "Robin", "--seed", "3", "--rematch")
    with started(*command) as process:
        assert "random sits at seat 0" in next_line(process)
        with client.sit(link, "Ann") as ann:
            while ann.described["host"] != 1:
                assert ann.changed(WAIT)
            assert ann.described["seats"][0]["program"] == "random" and ann.described["seats"][0]["name"] == "Robin"
            play_through(ann)
            ann.ask(messages.Rematch)
            there, place, name = ann.inner.server, ann.inner.place, ann.described["rematch"]
            assert name
        with Table(there, name, place) as again:
            assert again.described["seats"][0]["program"] == "random"
            play_through(again)
        with client.sit(opened(server, "tontine", 4), "Bea"):
            process.send_signal(signal.SIGINT)
            assert process.wait(WAIT) == 130


def test_a_client_of_protocol_1_is_not_told_of_programs(server: Server) -> None:
    link = opened(server, "tontine", 4)
    sit_down(client.Server(link.address), link, "random")
    with Person(server, link.table, protocol=1) as old, Person(server, link.table) as new:
        assert "programs" not in old.news["table"] and "program" not in old.news["table"]["seats"][0]
        assert new.news["table"]["programs"] and new.news["table"]["seats"][0]["program"] == "random"


def play_through(table: Table) -> None:
    """As the host, seat bots at the free seats, start, and play to the end."""
    for seat, each in enumerate(table.described["seats"]):
        if not each["name"]:
            table.ask(messages.Bot, seat=seat, level="random")
    table.ask(messages.Start)
    while table.turn():
        table.play([table.legal[0].step])


# --- leaving, and what goes wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_program_that_is_stopped_leaves_politely(server: Server, number: signal.Signals) -> None:
    link = opened(server, "heraldry", 2)
    with client.sit(link, "Ann") as ann, started("join", str(link), "--bot", "thumb") as process:
        next_line(process)
        while not ann.described["seats"][1]["name"]:
            assert ann.changed(WAIT)
        if number == signal.SIGINT:
            ann.ask(messages.Start)
            assert ann.turn()
        process.send_signal(number)
        assert process.wait(WAIT) == 130
        while ann.described["seats"][1]["name"] and not ann.described["seats"][1]["bot"]:
            assert ann.changed(WAIT)
        left = [entry[0] for entry in ann.inner.table_events if entry[1:2] == [1]]
        assert left[-1] == ("kept" if number == signal.SIGINT else "stood")


def test_a_bot_that_fails_gives_its_seat_to_a_bot_of_the_server(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    link = opened(server, "heraldry", 2)
    with client.sit(link, "Ann") as ann:
        process = subprocess.Popen(
            [sys.executable, "-m", "parlour", "join", str(link), "--bot", f"{tmp_path}/mine.py:Failing"],
            stderr=subprocess.PIPE,
            text=True,
        )
        while not ann.described["seats"][1]["name"]:
            assert ann.changed(WAIT)
        ann.ask(messages.Start)
        while not ann.described["seats"][1]["bot"]:
            if ann.legal:
                ann.play([ann.legal[0].step] if ann.legal[0].whole else whole(ann))
            else:
                assert ann.changed(WAIT)
        _, errors = process.communicate(timeout=WAIT)
        assert process.returncode == 1 and errors.count("\n") == 1
        assert "KeyError: 'no plan' (mine.py, line 11)" in errors


def whole(table: Table) -> list[int | str]:
    move: list[int | str] = [table.legal[0].step]
    while not (ahead := table.follow(move)).decision:
        move.append(ahead.legal[0].step)
    return move


def test_what_cannot_be_done_is_said_in_a_sentence(cli: Cli, server: Server) -> None:
    link = opened(server, "heraldry", 2)
    other = Link(link.address, link.table, "another code")
    for code, sentence, *arguments in (
        (2, "A link to a table looks like", "nonsense", "--bot", "thumb"),
        (2, "There is no bot called 'nobody'", str(link), "--bot", "nobody"),
        (2, "The oracle sees all hands", str(link), "--bot", "oracle"),
        (1, "This link does not invite", str(other), "--bot", "thumb"),
        (1, "There is no such table", str(Link(link.address, "nowhere")), "--bot", "thumb"),
        (1, "cannot be reached", "http://127.0.0.1:1/#table=T", "--bot", "thumb"),
        (1, "A name has 1 to 24 letters", str(link), "--bot", "thumb", "--name", "x" * 25),
    ):
        found, output, errors = cli("join", *arguments)
        assert (found, output) == (code, "") and sentence in errors and errors.count("\n") == 1, errors
    assert not any(seat["name"] for seat in client.Server(link.address).table(link.table)["seats"])
