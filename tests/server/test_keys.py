"""Sentences by key: a client that words them itself is told the same as others, and nothing more."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import Any

import pytest

import parlour
from parlour.engine.catalogue import catalogue
from parlour.engine.messages import names_in
from parlour.play.sentences import Teller
from parlour.server.messages import Hello, decode
from support.server import WAIT, Person, Server

GAMES = [("masquerade", 4), ("lost-heir", 4), ("sovereign", 3), ("heraldry", 2), ("tontine", 4)]
every_game = pytest.mark.parametrize(("game", "players"), GAMES, ids=[name for name, _ in GAMES])


def words_of(server: Server, path: str) -> dict[str, Any]:
    status, found = server.ask("GET", f"/api/words{path}")
    assert status == 200 and isinstance(found, dict)
    return found


@every_game
def test_events_by_key_say_what_others_are_told_in_words(server: Server, game: str, players: int) -> None:
    name, tokens = server.open(game, players)
    with Person(server, name, tokens[0]) as person:
        for _ in range(6):
            if person.turn():
                person.request("act", number=person.number, move=person.move())
        person.turn()  # nothing happens any more until this person moves
    with Person(server, name, tokens[0]) as plain, Person(server, name, tokens[0], words="keys") as keyed:
        assert len(plain.events) == len(keyed.events) > 3
        said = catalogue(parlour.game(game))
        for one, other in zip(plain.events, keyed.events, strict=True):
            assert (one["entry"], one["clause"]) == (other["entry"], other["clause"])
            assert isinstance(one["says"], str) and set(other["says"]) <= {"key", "values"}
            given = {*said.fields[one["entry"][0]], *other["says"].get("values", {})}
            assert names_in(said.events[other["says"]["key"]]) <= given
    assert words_of(server, f"/{game}")["events"] == said.events


def test_refusals_by_key_have_their_values_and_their_clause(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    game = parlour.game("heraldry")
    teller = Teller(game, ["you", "Ben"], 0, codes=False)
    with Person(server, name, tokens[0]) as plain, Person(server, name, tokens[0], words="keys") as keyed:
        assert plain.turn() and keyed.turn()
        refused = 0
        for step in range(game.steps):
            one, other = (each.request("follow", prefix=[step]) for each in (plain, keyed))
            if one["kind"] == "refused":
                refused += 1
                assert one["clause"] == other["clause"]
                said = other["sentence"]
                pattern = catalogue(game).says[said["key"]]
                assert teller.speaker.say(pattern, said.get("values", {})) == one["sentence"]
        assert refused > 20
        assert keyed.request("undo", number=0)["kind"] in ("refused", "stale")


def test_a_hint_by_key_has_claims_instead_of_a_reason(server: Server) -> None:
    name, tokens = server.open("sovereign", 3)
    with Person(server, name, tokens[0], words="keys") as person:
        assert person.turn()
        advice = person.request("hint")
    assert bool(advice.get("claims")) != bool(advice["reason"])
    assert advice["reason"] == "" or advice["reason"]["key"] in catalogue(parlour.game("sovereign")).says
    for claim in advice.get("claims") or ():
        assert names_in(catalogue(parlour.game("sovereign")).claims[claim["key"]]) == set(claim["values"])


def test_goodbyes_are_said_by_key(server: Server) -> None:
    with pytest.raises(AssertionError, match=re.escape("'sentence': {'key': 'no table'}")):
        Person(server, "nowhere", words="keys")
    with pytest.raises(AssertionError, match=re.escape("'sentence': 'There is no such table.'")):
        Person(server, "nowhere")


def test_errors_over_http_are_told_by_key_where_that_is_asked_for(server: Server) -> None:
    assert server.ask("GET", "/api/tables/nowhere")[1] == {"sentence": "There is no such table.", "clause": ""}
    assert server.ask("GET", "/api/tables/nowhere?words=keys")[1] == {"sentence": {"key": "no table"}, "clause": ""}
    assert "no table" in words_of(server, "")["says"]


def test_lessons_are_told_by_key_where_that_is_asked_for(server: Server) -> None:
    plain, keyed = (server.ask("GET", f"/api/lessons/lost-heir{query}")[1] for query in ("", "?words=keys"))
    assert len(plain["frames"]) == len(keyed["frames"])
    events = [event for frame in keyed["frames"] for event in frame["events"]]
    assert events and all(event["says"]["key"] for event in events)
    why = [said for frame in keyed["frames"] for said in frame.get("refusals", {}).values()]
    assert why and all(isinstance(sentence, dict) and isinstance(clause, str) for sentence, clause in why)


def test_the_catalogue_is_cached_and_has_a_part_for_events(server: Server) -> None:
    address = f"http://127.0.0.1:{server.port}/api/words/lost-heir?language=none"
    with urllib.request.urlopen(address, timeout=WAIT) as answer:
        tag, found = answer.headers["etag"], json.load(answer)
    assert found["language"] == "en" and {"says", "claims", "events", "cards"} <= set(found)
    with pytest.raises(urllib.error.HTTPError, match="304"):
        urllib.request.urlopen(urllib.request.Request(address, headers={"If-None-Match": tag}), timeout=WAIT)
    brief = words_of(server, "/lost-heir?brief")
    assert brief["events"] == found["events"] and not {"says", "claims"} & set(brief)
    assert server.ask("GET", "/api/words/bridge")[0] == 404


def test_hello_knows_no_other_words() -> None:
    hello = {"kind": "hello", "protocol": 2, "table": "t", "words": "keys"}
    asked = decode(json.dumps(hello).encode())
    assert isinstance(asked, Hello) and asked.words == "keys"
    with pytest.raises(ValueError, match="words"):
        decode(json.dumps({**hello, "words": "other"}).encode())
