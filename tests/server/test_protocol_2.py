"""Protocol 2: one request a click, sentences without codes, and as data what the page would have to know."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

import pytest

import parlour
from parlour import Refusal
from parlour.engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD
from parlour.server.protocols import PROTOCOLS, with_names
from support.server import WAIT, Person, Server

GAMES = [("masquerade", 4), ("lost-heir", 4), ("sovereign", 3), ("heraldry", 2), ("tontine", 4)]
every_game = pytest.mark.parametrize(("game", "players"), GAMES, ids=[name for name, _ in GAMES])


def codes_in(game: str, sentence: str) -> list[str]:
    """The codes of cards that stand in a sentence as words of their own."""
    return [word for word in re.findall(r"\w+", sentence) if word in parlour.game(game).codes]


# --- one request a click ----------------------------------------------------------------------------------------------


def click(person: Person, choice: dict[str, Any]) -> int:
    """Take a step as the page does; how many requests it takes until the move is made, 0 if it is not whole."""
    before = person.asked
    if not choice.get("whole") and person.request("follow", prefix=[choice["step"]])["legal"]:
        return 0
    done = person.request("act", number=person.number, move=[choice["step"]])
    assert done["kind"] == "done"
    return person.asked - before


@pytest.mark.parametrize(("protocol", "requests"), [(1, 2), (2, 1)])
@every_game
def test_a_click_that_makes_a_move_takes_one_request(
    server: Server, game: str, players: int, protocol: int, requests: int
) -> None:
    name, tokens = server.open(game, players)
    with Person(server, name, tokens[0], protocol=protocol) as person:
        while person.turn():
            taken = next(filter(None, (click(person, choice) for choice in person.news["legal"])), 0)
            if taken:
                assert taken == requests
                return
            assert game == "heraldry", "elsewhere some step is always a whole move"
            person.request("act", number=person.number, move=whole_move(person))
    raise AssertionError("there was no move of one step")


def whole_move(person: Person) -> list[int]:
    """The first whole move, found by asking what can follow."""
    steps = [person.news["legal"][0]["step"]]
    while legal := person.request("follow", prefix=steps)["legal"]:
        steps.append(legal[0]["step"])
    return steps


@every_game
def test_a_step_is_whole_where_nothing_can_follow_it(server: Server, game: str, players: int) -> None:
    name, tokens = server.open(game, players)
    with Person(server, name, tokens[0]) as person:
        for _ in range(6):
            if not person.turn():
                break
            prefix: list[int] = []
            legal = person.news["legal"]
            while legal:
                for choice in legal:
                    ahead = person.request("follow", prefix=[*prefix, choice["step"]])
                    assert choice["whole"] == (ahead.get("decision") is not None) == (ahead["legal"] == [])
                choice = person.luck.choice(legal)
                prefix.append(choice["step"])
                legal = [] if choice["whole"] else person.request("follow", prefix=prefix)["legal"]
            assert person.request("act", number=person.number, move=prefix)["kind"] == "done"


# --- sentences --------------------------------------------------------------------------------------------------------


@every_game
def test_no_sentence_has_the_code_of_a_card_or_its_clause(server: Server, game: str, players: int) -> None:
    name, tokens = server.open(game, players)
    said = []
    with Person(server, name, tokens[0]) as person:
        for _ in range(5):
            if not person.turn():
                break
            said.append(person.request("hint")["reason"])
            for step in range(len(parlour.game(game).step_names)):
                answer = person.request("follow", prefix=[step])
                if answer["kind"] == "refused":
                    assert not answer.get("clause") or answer["clause"] not in answer["sentence"]
                    said.append(answer["sentence"])
            person.request("act", number=person.number, move=person.move())
        said += [event["says"] for event in person.events]
    assert not [sentence for sentence in said if codes_in(game, sentence) or "[" in sentence]


def test_cards_are_named_only_where_a_code_is_a_word() -> None:
    sovereign = parlour.game("sovereign")
    assert with_names(sovereign, "You do not hold SH.") == "You do not hold Shilling."
    assert with_names(sovereign, "SOV-4 and SHY and 6D-") == "SOV-4 and SHY and 6D-"


def test_only_refusals_by_the_rules_are_searched_for_cards() -> None:
    tontine = parlour.game("tontine")
    taken = Refusal("AS sits at seat 1.")
    assert PROTOCOLS[2].sentence(tontine, taken) == "AS sits at seat 1.", "a person may be called that"


def test_a_name_may_have_brackets(server: Server) -> None:
    _, opened = server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})
    wanted = {"name": "Ann [M3]", "code": opened["code"]}
    assert server.ask("POST", f"/api/tables/{opened['table']}/seats", wanted)[0] == 201
    _, described = server.ask("GET", f"/api/tables/{opened['table']}")
    assert described["seats"][0]["name"] == "Ann [M3]"


# --- data -------------------------------------------------------------------------------------------------------------


def test_a_table_says_how_many_sides_play(server: Server) -> None:
    for options, sides in (({"sides": "two"}, 2), ({}, 4)):
        _, opened = server.ask("POST", "/api/tables", {"game": "lost-heir", "players": 4, "options": options})
        assert opened["described"]["sides"] == sides and opened["described"]["goal"] == 25


@every_game
def test_every_event_is_as_its_game_describes_it(server: Server, game: str, players: int) -> None:
    status, book = server.ask("GET", f"/api/games/{game}")
    assert status == 200 and book["usual_bot"] in book["bots"] and set(book["levels"]) <= set(book["bots"])
    kinds = {entry["kind"]: entry for entry in book["entries"]}
    assert book["chance"] == [name for name, kind in kinds.items() if kind["nature"] == CHANCE]
    assert {kind["nature"] for kind in kinds.values()} <= {CHANCE, DECISION, CONSEQUENCE, TOLD}
    known = {clause["id"] for clause in book["clauses"]}
    assert all(kind["clause"] in known | {""} for kind in kinds.values())
    name, tokens = server.open(game, players)
    with Person(server, name, tokens[0]) as person:
        while person.turn() and len(person.events) < 60:
            person.request("act", number=person.number, move=person.move())
    assert {field["name"] for field in book["fields"]} >= set(person.news["view"])
    for event in person.events:
        kind, *values = event["entry"]
        assert len(values) == len(kinds[kind]["fields"])
        for value, field in zip(values, kinds[kind]["fields"], strict=True):
            assert value is not None or field["hidden"], event
        clauses = [
            value for value, field in zip(values, kinds[kind]["fields"], strict=True) if field["type"] == "clause"
        ]
        assert event["clause"] == (clauses[-1] if clauses else kinds[kind]["clause"])


def test_events_say_who_receives_a_card(server: Server) -> None:
    name, tokens = server.open("masquerade", 4, options={"exchange": "courtesy", "games": 20})
    found = set()
    with Person(server, name, tokens[0]) as person:
        while len(found) < 2 and person.turn():
            person.request("act", number=person.number, move=person.move())
            for event in person.events:
                kind, *values = event["entry"]
                if kind in ("give", "return"):
                    seat, _, receiver = values
                    assert receiver == (seat + (1 if kind == "give" else 3)) % 4
                    found.add(kind)
            person.events = []
    assert found == {"give", "return"}


def test_the_games_are_those_of_the_registry(server: Server) -> None:
    _, description = server.ask("GET", "/api/openapi.json")
    assert description["components"]["schemas"]["Opening"]["properties"]["game"]["enum"] == list(parlour.GAMES)
    _, games = server.ask("GET", "/api/games?brief=1")
    assert [each["game"] for each in games] == list(parlour.GAMES)
    assert server.ask("POST", "/api/tables", {"game": "bridge", "players": 4})[0] == 422
    for path in ("/api/games/bridge", "/api/lessons/bridge", "/faces/bridge.svg", "/covers/bridge.svg"):
        assert server.ask("GET", path)[0] == 404


def drawing(server: Server, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=WAIT) as answer:
        content: bytes = answer.read()
        return content


def test_faces_are_drawn_by_the_options_of_the_table(server: Server) -> None:
    usual = drawing(server, "/faces/heraldry.svg")
    assert drawing(server, "/faces/heraldry.svg?knight=3") != usual
    for same in ("knight=10", "knight=11", "knight=x", "nonsense=3", "capture=all"):
        assert drawing(server, f"/faces/heraldry.svg?{same}") == usual, same


def test_an_unknown_protocol_is_refused(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with pytest.raises(AssertionError, match="This server speaks protocol 1 and 2"):
        Person(server, name, tokens[0], protocol=3)


def test_the_published_schema_is_that_of_the_current_protocol(server: Server) -> None:
    status, schema = server.ask("GET", "/api/schema.json")
    assert status == 200 and schema["title"] == f"Parlour table protocol {max(PROTOCOLS)}"
    choice: dict[str, Any] = schema["$defs"]["Choice"]
    assert choice["required"] == ["step", "name", "whole"] and json.dumps(schema)
