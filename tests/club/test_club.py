"""Club evenings: pairings, tables with the same cards, links, and a fair table."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from parlour.client import Link, Place, Table
from parlour.client import Server as Reached
from parlour.club.evening import ClubError, Evening, read
from parlour.club.pairing import BOT, pairings, pairs, tables_for
from parlour.club.standings import as_csv, as_page, differences, standings
from parlour.club.tables import Result
from parlour.lab.intervals import mean_of
from support.cli import Cli
from support.server import Person, Server

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal")
TOML = """
name = "Thursday club"
game = "heraldry"
seats = 4
rounds = {rounds}
names = {names}
options = {{ deal_limit = 1 }}
bots = "thumb"
"""


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    output: str
    errors: str


Command = Callable[..., Said]


@pytest.fixture
def club(cli: Cli) -> Command:
    """`parlour club` with some arguments."""
    return lambda *arguments: Said(*cli("club", *arguments))


def evening_file(path: Path, names: tuple[str, ...] = NAMES, rounds: int = 2) -> Path:
    found = path / "evening.toml"
    found.write_text(TOML.format(rounds=rounds, names=json.dumps(names)), encoding="utf-8")
    return found


# --- pairings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 7, 8, 9, 12, 13, 30])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_everyone_has_one_seat_in_each_round_and_bots_are_spread(players: int, seats: int) -> None:
    found = pairings(players, seats, 5, "x")
    assert found == pairings(players, seats, 5, "x"), "always the same"
    for tables in found:
        assert len(tables) == tables_for(players, seats) and all(len(table) == seats for table in tables)
        sat = [player for table in tables for player in table if player != BOT]
        assert sorted(sat) == list(range(players))
        people = [sum(player != BOT for player in table) for table in tables]
        assert max(people) - min(people) <= 1


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "most"), [(8, 4, 3, 2), (16, 4, 5, 2), (12, 4, 3, 2), (9, 3, 4, 2)]
)
def test_pairs_meet_seldom_and_seats_change(players: int, seats: int, rounds: int, most: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for tables in pairings(players, seats, rounds, "club"):
        for table in tables:
            met.update(pairs(table))
            sat.update((player, seat) for seat, player in enumerate(table))
    by_chance = Counter[tuple[int, int]]()
    luck = random.Random(1)
    for _ in range(rounds):
        order = luck.sample(range(players), players)
        for at in range(0, players, seats):
            by_chance.update(pairs(order[at : at + seats]))
    squares = [sum(count * count for count in each.values()) for each in (met, by_chance)]
    assert max(met.values()) <= most and squares[0] <= squares[1]
    assert max(sat.values()) <= 2


# --- the file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game = ", "is not TOML"),
        ("x = 1", "has no member 'x'"),
        ("game = 'heraldry'", "does not say `rounds`"),
        ("game = 'whist'\nrounds = 2\nnames = ['a', 'b']", "There is no game 'whist'"),
        ("game = 'heraldry'\nrounds = 2\nnames = ['a', 'a']", "a is named twice"),
        ("game = 'heraldry'\nrounds = 2\nnames = ['a']", "2 to 200 names"),
        ("game = 'heraldry'\nrounds = 0\nnames = ['a', 'b']", "1 to 50 rounds"),
        ("game = 'heraldry'\nrounds = '2'\nnames = ['a', 'b']", "rounds must be a whole number"),
        ("game = 'masquerade'\nrounds = 2\nseats = 5\nnames = ['a', 'b']", "is played by 4, 8, not by 5"),
    ],
)
def test_a_file_that_makes_no_evening_is_refused(tmp_path: Path, text: str, said: str, club: Command) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    found = club(str(tmp_path / "x.toml"), "--plan")
    assert found.code == 2 and said in found.errors and found.errors.count("\n") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.toml"]


def test_names_may_come_from_a_spreadsheet(tmp_path: Path) -> None:
    for text in ("name,town\nAnn,X\n\nBen,Y\n", "Ann\nBen\n", "\ufefftown;x,name\nX,Ann\nY,Ben\n"):
        (tmp_path / "club.csv").write_text(text, encoding="utf-8")
        found = read(tmp_path / "club.csv", game="heraldry", rounds=2)
        assert found.names == ("Ann", "Ben") and found.name == "club"
    with pytest.raises(ClubError, match="cannot be read"):
        read(tmp_path / "none.csv")


# --- the fair table ---------------------------------------------------------------------------------------------------


def test_a_score_is_compared_with_those_who_had_the_same_cards() -> None:
    evening = Evening("x", "heraldry", 2, 2, ("Ann", "Ben", "=SUM(A1)"))
    results = [
        *(Result(1, 1, 0, 0, 10), Result(1, 1, 1, 1, 4), Result(1, 2, 0, 2, 6), Result(1, 2, 1, BOT, 8)),
        *(Result(2, 1, 0, 1, 7), Result(2, 1, 1, 0, 5), Result(2, 2, 0, BOT, 3), Result(2, 2, 1, 2, 1)),
    ]
    assert differences(results) == {(0, 1): 4, (1, 1): -4, (2, 1): -4, (1, 2): 4, (0, 2): 4, (2, 2): -4}
    found = standings(evening, results)
    assert [each.player for each in found] == [0, 1, 2]
    assert found[1].difference == mean_of([-4.0, 4.0]) and found[0].points == 15
    assert found[1].difference.interval is not None and found[1].difference.interval[0] < 0
    text, page = as_csv(evening, results), as_page(evening, results, ["Round 3: <later>"])
    assert "'=SUM(A1)" in text and "\n=SUM" not in text
    assert "=SUM(A1)" in page and "&lt;later&gt;" in page and "<script" not in page
    alone = standings(evening, [Result(1, 1, 0, 0, 3), Result(1, 1, 1, 1, 9)])
    assert [each.player for each in alone] == [1, 0, 2] and alone[0].difference is None


# --- an evening -------------------------------------------------------------------------------------------------------


def finish(address: str, tables: list[dict[str, Any]]) -> None:
    """Play tables to their end, everyone any legal move."""
    luck = random.Random(3)
    for table in tables:
        with ExitStack() as stack:
            places = [Place(int(seat), token) for seat, token in table["tokens"].items()]
            seats = [stack.enter_context(Table(Reached(address), table["table"], place)) for place in places]
            while not all(each.over for each in seats):
                for each in seats:
                    if choices := each.legal:
                        each.play(any_move(each, choices, luck))


def any_move(table: Table, choices: list[Any], luck: random.Random) -> list[int]:
    """Any whole move."""
    steps: list[int] = []
    while choices:
        choice = luck.choice(choices)
        steps.append(choice.step)
        choices = [] if choice.whole else table.follow(steps).legal
    return steps


def test_an_evening_of_eight_from_the_file_to_the_fair_table(tmp_path: Path, club: Command) -> None:
    file = evening_file(tmp_path, rounds=2)
    plan = club(str(file), "--plan")
    assert plan.code == 0 and plan.output.count("Round") == 4 and all(plan.output.count(name) == 2 for name in NAMES)
    assert "No tables are open" in club(str(file)).errors
    with Server(tmp_path / "data") as server:
        address = f"http://127.0.0.1:{server.port}"
        made = club(str(file), "--server", address)
        assert made.code == 0, made.errors
        links = tmp_path / "evening.links.csv"
        kept = tmp_path / "evening.club.json"
        assert links.stat().st_mode & 0o077 == 0 == kept.stat().st_mode & 0o077
        rows = list(csv.DictReader(links.read_text(encoding="utf-8").splitlines()))
        assert len(rows) == 16 and {row["name"] for row in rows} == set(NAMES)
        assert all("key=" in row["link"] and Link.parse(row["link"]).table for row in rows)
        opened = json.loads(kept.read_text(encoding="utf-8"))
        assert club(str(file), "--server", address).code == 0, "once more, and nothing is opened again"
        assert json.loads(kept.read_text(encoding="utf-8")) == opened

        # the same cards at both tables of a round, and others in the next round
        for number in (1, 2):
            assert club(str(file), "--start", str(number)).output.startswith("2 tables")
        assert club(str(file), "--start", "1").output.startswith("0 tables")
        hands = []
        for tables in opened["rounds"]:
            both = []
            for table in tables:
                dealt = {}
                for seat, token in table["tokens"].items():
                    with Person(server, table["table"], token) as person:
                        dealt[seat] = person.news["view"]["hand"]
                both.append(dealt)
            assert both[0] == both[1]
            hands.append(both[0])
        assert hands[0] != hands[1]

        # while the other table plays, nobody is shown its cards
        first, second = opened["rounds"][0]
        with Person(server, first["table"], first["tokens"]["0"]) as host:
            host.request("end")
        for path in ("record", "replay"):
            status, said = server.ask("GET", f"/api/tables/{first['table']}/{path}")
            assert status == 409 and "still played at another table" in said["sentence"]
        waiting = club(str(file))
        assert waiting.code == 0 and "still played at another table" in waiting.output
        finish(address, [second, *opened["rounds"][1]])
        done = club(str(file))
        assert done.code == 0 and "still played" not in done.output
        for table in (first, second):
            assert server.ask("GET", f"/api/tables/{table['table']}/record")[0] == 200
        shown = list(csv.reader((tmp_path / "evening.results.csv").read_text(encoding="utf-8").splitlines()))
        assert {row[1] for row in shown[1:9]} == set(NAMES) and {row[2] for row in shown[1:9]} == {"2"}
        assert "Thursday club" in (tmp_path / "evening.html").read_text(encoding="utf-8")
        assert "differ from those" in club(str(evening_file(tmp_path, NAMES[:7]))).errors


def test_only_the_organiser_opens_tables_with_the_same_cards(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        key = "k" * 32
        asked: dict[str, Any] = {"game": "heraldry", "players": 2, "copies": key}
        first = server.ask("POST", "/api/tables", asked)[1]
        assert first["described"]["series"] == first["table"]
        again = {**asked, "like": first["table"]}
        assert server.ask("POST", "/api/tables", again)[1]["described"]["series"] == first["table"]
        for wrong, status, said in (
            ({"copies": "x" * 32}, 403, "This key does not open"),
            ({"copies": None}, 403, "This key does not open"),
            ({"players": 3}, 409, "the same game, players and options"),
            ({"options": {"deal_limit": 1}}, 409, "the same game, players and options"),
            ({"game": "tontine", "players": 4}, 409, "the same game, players and options"),
            ({"like": "nowhere"}, 404, "no such table"),
            ({"deal": 5, "like": None}, 409, "for one person alone"),
        ):
            found = server.ask("POST", "/api/tables", {**again, **wrong})
            assert found[0] == status and said in found[1]["sentence"], wrong
        promised = {"name": "Ann", "code": first["code"], "promise": "0" * 64}
        assert server.ask("POST", f"/api/tables/{first['table']}/seats", promised)[0] == 409
        _, seated = server.ask("POST", f"/api/tables/{first['table']}/seats", {"name": "Ann", "code": first["code"]})
        with Person(server, first["table"], seated["token"]) as ann:
            ann.request("bot", seat=1, level="thumb")
            assert ann.request("start")["kind"] == "done" and ann.turn()
            assert ann.request("act", number=ann.number, move=ann.move())["kind"] == "done"
            assert "one person plays alone" in ann.request("undo", number=ann.number)["sentence"]
            ann.request("end")
        late = server.ask("POST", "/api/tables", again)
        assert late[0] == 409 and "its cards are known" in late[1]["sentence"]
