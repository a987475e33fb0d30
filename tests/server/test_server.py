"""The server over real sockets: whole sittings, answers, coming back, and what is refused."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.engine.words import words_of
from parlour.records.seal import verify
from support.server import Person, Server, on_turn
from support.wait import WAIT

GAMES = [
    ("masquerade", 4, {}),
    ("lost-heir", 4, {"sides": "two"}),
    ("sovereign", 3, {}),
    ("heraldry", 2, {}),
    ("tontine", 52, {}),
]


@pytest.mark.parametrize(("game", "players", "options"), GAMES, ids=[each[0] for each in GAMES])
def test_a_whole_sitting_is_played_and_its_record_verified(
    server: Server, game: str, players: int, options: dict[str, Any]
) -> None:
    name, tokens = server.open(game, players, options=options)
    with Person(server, name, tokens[0]) as person:
        heads = []
        while person.turn():
            answer = person.request("act", number=person.number, move=person.move())
            assert answer["kind"] == "done", answer
            heads.append(person.news["head"])
        assert person.news["view"]["over"]
        assert len(set(heads)) == len(heads)
    status, record = server.ask("GET", f"/api/tables/{name}/record")
    assert status == 200
    assert verify(record) is None
    assert all(event["clause"] and isinstance(event["says"], str) for event in person.events)


def test_every_rule_book_and_clause_has_an_address_that_leads_to_the_page(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)

    def asked(path: str) -> tuple[int, str | None]:
        connection.request("GET", path)
        with connection.getresponse() as answer:
            answer.read()
            return answer.status, answer.headers["location"]

    for game in parlour.GAMES:
        assert asked(f"/rules/{game}") == (302, f"/#rules={game}")
        for clause in parlour.sheet(game).clauses:
            assert asked(f"/rules/{game}/{clause.id}") == (302, f"/#rules={game}&clause={clause.id}")
    assert asked("/rules/lost-heir/heir-8A") == (302, "/#rules=lost-heir&clause=HEIR-8a")
    for path in ("/rules/whist", "/rules/whist/MASQ-1", "/rules/masquerade/MASQ-99", "/rules/masquerade/1/2"):
        assert asked(path) == (404, None)
    connection.close()


def test_a_request_that_is_sent_again_has_one_effect(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        assert person.turn()
        move, number = person.move(), person.number
        first = person.request("act", id="mine", number=number, move=move)
        again = person.request("act", id="mine", number=number, move=move)
        assert first == again and first["kind"] == "done"
        other = person.request("act", id="mine", number=number, move=[*move, 0])
        assert other["kind"] == "refused" and "something else" in other["sentence"]
        late = person.request("act", id="late", number=number, move=move)
        assert late["kind"] == "stale" and late["news"]["number"] > number and late["news"]["events"]
    with Person(server, name, tokens[0]) as person:
        assert person.request("act", id="mine", number=number, move=move) == first


def test_requests_sent_again_in_any_order_after_a_crash_have_had_their_effect(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as own:
        name, tokens = own.open("heraldry", 2)
        answers: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        with Person(own, name, tokens[0]) as person:
            for count in range(6):
                assert person.turn()
                asked = {"id": f"act {count}", "number": person.number, "move": person.move()}
                answers[asked["id"]] = (asked, person.request("act", **asked))
            person.turn()
            number = person.number
        own.kill()
        own.start()
        with Person(own, name, tokens[0]) as person:
            person.turn()
            assert person.number == number
            again = [*answers.values()] * 3
            random.Random(1).shuffle(again)
            for asked, answer in again:
                assert answer["kind"] == "done" and person.request("act", **asked) == answer
            for move in ([4000], [*person.move(), 4000]):
                unknown = person.request("act", number=number, move=move)
                assert unknown["kind"] == "refused" and "4000 is not a step" in unknown["sentence"]
                assert person.request("follow", prefix=move)["kind"] == "refused"
            early = person.request("act", number=number + 1, move=person.move())
            assert early["kind"] == "refused" and "shorter than what you were told" in early["sentence"]
            assert person.number == number


def test_an_illegal_request_is_refused_with_its_clause_and_changes_nothing(server: Server) -> None:
    name, tokens = server.open("heraldry", 4, persons=2)
    people = [Person(server, name, token) for token in tokens]
    turn = on_turn(people)
    other = next(person for person in people if person is not turn)
    before = turn.number
    refused = turn.request("act", number=turn.number, move=[60])
    assert refused["kind"] == "refused" and refused["clause"].startswith("HER-")
    assert refused["clause"] not in refused["sentence"]
    assert other.request("act", number=turn.number, move=[0])["sentence"] == "It is not your turn."
    assert turn.request("act", number=turn.number, move=[])["kind"] == "refused"
    assert other.request("start")["kind"] == "refused"
    assert turn.number == before
    for person in people:
        person.close()


def test_a_person_who_comes_back_is_told_what_was_missed_or_everything(server: Server) -> None:
    name, tokens = server.open("lost-heir", 4)
    with Person(server, name, tokens[0]) as person:
        assert person.turn()
        number, events = person.number, len(person.events)
        for _ in range(3):
            person.request("act", number=person.number, move=person.move())
            person.turn()
        told = person.events
    with Person(server, name, tokens[0], last=number) as again:
        assert not again.news.get("whole")
        assert again.events == told[events:]
        assert again.news["view"] == person.news["view"]
    with Person(server, name, tokens[0]) as fresh:
        assert fresh.news["whole"] and fresh.events == told
    with Person(server, name, tokens[0], last=10**6) as ahead:
        assert ahead.news["whole"] and ahead.events == told


def test_a_solo_player_takes_a_decision_back_and_has_the_same_luck_again(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        person.turn()
        view, legal = person.news["view"], person.news["legal"]
        person.request("act", number=person.number, move=person.move())
        person.turn()
        assert person.request("undo", number=person.number)["kind"] == "done"
        person.until(lambda news: news["legal"] == legal)
        assert person.news["view"] == view
        while person.turn():
            person.request("act", number=person.number, move=person.move())
    _, record = server.ask("GET", f"/api/tables/{name}/record")
    assert record["undone"] == 1 and verify(record) is None


def test_a_seat_is_carried_to_another_device_once(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        code, token = "c" * 32, "t" * 32
        done = person.request("carry", id="c", code=code)
        assert done["kind"] == "done" and person.request("carry", id="c", code=code) == done
        assert person.request("carry", id="c", code="d" * 32)["sentence"] == "This id was used for something else."
        for _ in range(2):  # as if the first answer had been lost
            status, seated = server.ask("POST", f"/api/tables/{name}/carried", {"code": code, "token": token})
            assert (status, seated) == (201, {"seat": person.seat, "token": token})
        assert server.ask("POST", f"/api/tables/{name}/carried", {"code": code})[0] == 409
        with Person(server, name, token) as other:
            assert other.seat == person.seat
            assert other.request("alone")["kind"] == "done"
            while (said := person.receive())["kind"] == "news":
                pass  # the log has grown, and nothing else has happened
            assert said == {"kind": "bye", "sentence": "This seat is not yours any more."}
        with pytest.raises(AssertionError, match="This token has no seat"):
            Person(server, name, tokens[0])


def test_a_person_who_asks_for_a_seat_again_sits_down_once(server: Server) -> None:
    _, opened = server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})
    wanted = {"name": "One", "code": opened["code"], "token": "own-token-of-the-client"}
    for _ in range(2):
        status, seated = server.ask("POST", f"/api/tables/{opened['table']}/seats", wanted)
        assert (status, seated) == (201, {"seat": 0, "token": wanted["token"]})
    _, described = server.ask("GET", f"/api/tables/{opened['table']}")
    assert [seat["name"] for seat in described["seats"]] == ["One", ""]
    for poor in ("short", "with spaces in it, and long"):
        again = {**wanted, "name": "Two", "token": poor}
        assert server.ask("POST", f"/api/tables/{opened['table']}/seats", again)[0] == 422


def test_everyone_knows_who_is_connected(server: Server) -> None:
    name, tokens = server.open("heraldry", 2, persons=2)
    with Person(server, name, tokens[0]) as one, Person(server, name) as spectator:
        assert one.here == [0] and spectator.here == [0]
        with Person(server, name, tokens[1]) as two, Person(server, name, tokens[1]):
            assert two.here == [0, 1]
            for person in (one, spectator):
                person.until(lambda _, person=person: person.here == [0, 1])
        for person in (one, spectator):
            person.until(lambda _, person=person: person.here == [0])


def test_whose_turn_it_is_can_be_asked_unless_spectators_see_it_later(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        assert person.turn()
    assert server.ask("GET", f"/api/tables/{name}")[1]["turn"] == 0
    name, _ = server.open("heraldry", 2, spectator_seconds=60)
    assert "turn" not in server.ask("GET", f"/api/tables/{name}")[1]
    assert "turn" not in server.ask("POST", "/api/tables", {"game": "heraldry", "players": 2})[1]["described"]


def test_other_requests_are_answered_while_a_hint_is_thought_about(server: Server) -> None:
    name, tokens = server.open("masquerade", 4)
    with Person(server, name, tokens[0]) as person:
        person.turn()
        person.send({"kind": "hint", "id": "h"})
        person.send({"kind": "follow", "id": "f", "prefix": []})
        answers = {}
        while len(answers) < 2:
            message = person.receive()
            if "id" in message:
                answers[message["id"]] = message["kind"]
        assert answers == {"h": "advice", "f": "following"}


def test_players_get_hints_and_spectators_do_not(server: Server) -> None:
    name, tokens = server.open("masquerade", 4)
    with Person(server, name, tokens[0]) as person, Person(server, name) as spectator:
        person.turn()
        advice = person.request("hint")
        assert advice["hints"][0]["name"] in [each["name"] for each in person.news["legal"]] and advice["reason"]
        assert all(each["score_within"] >= 0 and 0 <= each["win_within"] <= 0.5 for each in advice["hints"])
        assert all(claim["key"] in words_of(parlour.game("masquerade")).CLAIMS for claim in advice.get("claims", ()))
        assert spectator.seat == -1 and spectator.news["view"]["seat"] == -1
        assert spectator.request("hint")["sentence"] == "Spectators watch."


def test_a_hint_that_nobody_waits_for_breaks_nothing(server: Server) -> None:
    name, tokens = server.open("masquerade", 4, options={"games": 20})  # one game may be over sooner
    for _ in range(12):
        with Person(server, name, tokens[0]) as person:
            person.turn()
            person.send({"kind": "hint", "id": "h"})
            step = person.news["legal"][0]["step"]
            person.send({"kind": "act", "id": f"a {person.number}", "number": person.number, "move": [step]})
    with Person(server, name, tokens[0]) as person:
        assert person.turn()
    assert server.process.poll() is None


def test_a_bot_plays_for_a_silent_person_until_that_person_returns(server: Server) -> None:
    name, tokens = server.open("heraldry", 2, persons=2, person_seconds=0.3)
    people = [Person(server, name, token) for token in tokens]
    turn = on_turn(people)
    turn.until(lambda news: any(each[0] == "kept" for each in news["table_events"]))
    answer = turn.request("follow", prefix=[])
    assert answer["kind"] in ("following", "refused")
    turn.request("act", number=0, move=[0])
    with Person(server, name) as spectator:
        assert {"kept"} <= {each[0] for each in spectator.news["table_events"]}
    for person in people:
        person.close()


def test_a_rematch_takes_the_same_people_to_another_table(server: Server) -> None:
    name, tokens = server.open("heraldry", 2)
    with Person(server, name, tokens[0]) as person:
        assert person.request("rematch")["kind"] == "refused"
        while person.turn():
            person.request("act", number=person.number, move=person.move())
        assert person.request("rematch", id="again")["kind"] == "done"
        assert person.request("rematch", id="again")["kind"] == "done"
        person.until(lambda news: (news.get("table") or {}).get("rematch"))
        fresh = person.news["table"]["rematch"]
    with Person(server, fresh, tokens[0]) as person:
        assert person.seat == 0 and person.request("start")["kind"] == "done"
        assert person.turn()


def test_a_server_can_be_stopped_as_soon_as_it_listens(tmp_path: Path) -> None:
    program = """if True:
        import os, signal, sys
        from pathlib import Path
        from parlour.server.run import serve
        serve("127.0.0.1", 0, Path(sys.argv[1]), ready=lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        print("stopped")
    """
    command = [sys.executable, "-c", program, str(tmp_path)]
    stopped = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert (stopped.returncode, stopped.stdout) == (0, "stopped\n"), stopped.stderr


def test_the_server_stops_gracefully_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        name, tokens = server.open("lost-heir", 4)
        with Person(server, name, tokens[0]) as person:
            person.turn()
            person.request("act", number=person.number, move=person.move())
            person.turn()
            before = person.news
            assert server.stop() == 0
            while (said := person.receive())["kind"] != "bye":
                pass
            assert said["again"] and "come back" in said["sentence"]
        server.start()
        with Person(server, name, tokens[0]) as person:
            assert person.turn()
            for part in ("view", "legal", "head", "number"):
                assert person.news[part] == before[part]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind":"act"}', '{"kind":"hello"}', '"' * 20000, "[" * 5000])
def test_an_invalid_message_is_answered_in_one_sentence(server: Server, text: str) -> None:
    name, tokens = server.open("heraldry", 2)
    person = Person(server, name, tokens[0])
    person.send(text)
    message = person.receive()
    while message["kind"] == "news":
        message = person.receive()
    assert message["kind"] == "bye" and message["sentence"]
    person.close()
    assert server.ask("GET", "/health")[0] == 200


def test_requests_for_other_hosts_or_from_other_sites_are_rejected(server: Server) -> None:
    for header in ({"Origin": "https://elsewhere.example"}, {"Host": "elsewhere.example"}):
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}/api/tables", headers=header)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        assert refused.value.code in (403, 421)
        assert json.loads(refused.value.read())["sentence"]


# --- deals as seen through the API ------------------------------------------------------------------------------------


def uniform(server: Server, deals: int) -> None:
    """To which seat each card is dealt: χ² over all cards and seats."""
    seats: Counter[tuple[str, int]] = Counter()
    for _ in range(deals):
        name, tokens = server.open("lost-heir", 4, persons=4)
        for seat, token in enumerate(tokens):
            with Person(server, name, token) as person:
                for card in person.news["view"]["hand"]:
                    seats[card, seat] += 1
    cards = {card for card, _ in seats}
    assert len(cards) == 48
    expected = deals / 4
    square = sum((seats[card, seat] - expected) ** 2 / expected for card in cards for seat in range(4))
    # 48 cards in four hands of twelve: 47 × 3 degrees of freedom, and a mean a little above that, as hands have a size
    degrees = 47 * 3 * 48 / 47
    assert abs(square - degrees) < 5 * (2 * degrees) ** 0.5, square


def test_deals_are_uniform(server: Server) -> None:
    uniform(server, 40)


@pytest.mark.long
def test_many_deals_are_uniform(server: Server) -> None:
    uniform(server, 2000)
