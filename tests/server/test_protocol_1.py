"""Protocol 1 is answered as it always was: a page of the last version may still be open."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from parlour.games import game as game_of
from support.server import Person, Server

GOLDEN = Path(__file__).with_name("protocol_1.json")
GAMES = [("masquerade", 4), ("lost-heir", 4), ("sovereign", 3), ("heraldry", 2), ("tontine", 4)]
MOVES = 2


def conversation(server: Server, game: str, players: int) -> dict[str, Any]:
    """One person and bots play a numbered deal, so that all but the table's name is the same every time.

    Returns all answers by id, and all other messages in order, to the person, to a spectator, and on coming back.
    """
    luck = random.Random(game)
    wanted = {"game": game, "players": players, "deal": 11, "bot_seconds": 0.0}
    _, opened = server.ask("POST", "/api/tables", wanted)
    name = opened["table"]
    joining = {"name": "Somebody", "code": opened["code"], "token": "a-token-of-the-clients-own"}
    server.ask("POST", f"/api/tables/{name}/seats", joining)
    with Person(server, name, joining["token"], protocol=1) as person:
        for seat in range(1, players):
            person.request("bot", id=f"bot {seat}", seat=seat, level="thumb")
        person.request("start", id="start")
        play(person, luck, len(game_of(game).step_names))
        with Person(server, name, protocol=1) as spectator:
            spectator.request("hint", id="watching")
        with Person(server, name, joining["token"], last=person.number, protocol=1) as again:
            pass
    everything = [json.loads(message) for message in (*person.bytes, *spectator.bytes)]
    found = {
        "answers": {message["id"]: message for message in everything if "id" in message},
        "told": told_to(person),
        "spectator": told_to(spectator),
        "again": told_to(again),
    }
    anonymous: dict[str, Any] = json.loads(json.dumps(found).replace(name, "TABLE"))
    return anonymous


def told_to(person: Person) -> list[Any]:
    """The messages that answer no request; that someone comes or goes is told at any time."""
    messages = [json.loads(message) for message in person.bytes]
    return [message for message in messages if "id" not in message and message["kind"] != "here"]


def play(person: Person, luck: random.Random, steps_known: int) -> None:
    """Make some moves, and at the first all the mistakes that there are."""
    for count in range(MOVES):
        if not person.turn():
            break
        number = person.number
        if not count:
            person.request("hint", id="hint")
            person.request("act", id="impossible", number=number, move=[steps_known - 1, 0])
            person.request("act", id="unknown", number=number, move=[4000])
            person.request("act", id="early", number=number + 9, move=[0])
            person.request("rematch", id="rematch")
        steps: list[int] = []
        while True:
            ahead = person.request("follow", id=f"follow {count} {len(steps)}", prefix=steps)
            if not ahead["legal"]:
                break
            steps.append(luck.choice(ahead["legal"])["step"])
        person.request("act", id=f"act {count}", number=number, move=steps)
    person.turn()
    late = person.request("act", id="late", number=0, move=[0])
    if late["kind"] == "stale" and late["news"].get("legal"):
        person.request("undo", id="undo", number=late["news"]["number"])
        person.turn()


def without_words(value: Any) -> Any:
    """A message without sentences, which may be worded differently, and of a view only whose it is."""
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    words = {"says", "sentence", "reason"}
    bare = {name: "…" if name in words and value[name] else without_words(each) for name, each in value.items()}
    if isinstance(value.get("view"), dict):
        bare["view"] = {name: value["view"][name] for name in ("seat", "over")}
    return bare


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_conversation_in_protocol_1_is_as_it_was(server: Server, game: str, players: int) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert without_words(conversation(server, game, players)) == golden[game]
