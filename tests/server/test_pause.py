"""A server that stands still, stopped or suspended, charges that time to nobody."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from support.server import Person, Server, on_turn

PACE = 6.0


def test_a_pause_of_the_server_is_not_charged_to_a_player(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        name, tokens = server.open("heraldry", 2, persons=2, person_seconds=PACE)
        with Person(server, name, tokens[0]) as one, Person(server, name, tokens[1]) as other:
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(1.2 * PACE)  # not a wait for something: as long as this the server stands still
            server.process.send_signal(signal.SIGCONT)
            # whoever comes now is told how things stand after the pause
            with Person(server, name, tokens[0]) as again:
                assert [seat["bot"] for seat in again.news["table"]["seats"]] == ["", ""], "a bot plays for a person"
            person = on_turn([one, other])
            assert person.request("act", number=person.number, move=person.move())["kind"] == "done"
