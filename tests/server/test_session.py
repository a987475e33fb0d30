"""The session that docs/table.md shows is what a real server answers, message by message; messages fit the schema."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jsonschema_rs
from websockets.sync.client import connect

from support.server import WAIT, Server

PAGE = Path(__file__).resolve().parents[2] / "docs" / "table.md"
ANY = "…"


def lines() -> list[str]:
    """The lines of the session on the page."""
    found = re.search(r"^```session\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1].splitlines()


def shown(text: str) -> Any:
    """A message as the page shows it; `…` for more members becomes one of that name."""
    return json.loads(text.replace(",…}", f',"{ANY}":0}}'))


def differs(shown: Any, found: Any, known: dict[str, str], where: str = "") -> str:
    """Where what was found is not as shown; a word in capitals stands for the same text everywhere."""
    if shown == ANY:
        return ""
    if isinstance(shown, dict) and isinstance(found, dict):
        names = shown.keys() - {ANY}
        if not names <= found.keys() or (ANY not in shown and names != found.keys()):
            return f"{where}: {sorted(found)}"
        return next(filter(None, (differs(shown[name], found[name], known, f"{where}.{name}") for name in names)), "")
    if isinstance(shown, list) and isinstance(found, list) and len(shown) == len(found):
        pairs = enumerate(zip(shown, found, strict=True))
        return next(filter(None, (differs(one, other, known, f"{where}[{at}]") for at, (one, other) in pairs)), "")
    if isinstance(shown, str) and shown in ("TABLE", "CODE", "TOKEN"):
        shown = known.setdefault(shown, found)
    return "" if shown == found else f"{where}: {found!r}"


def test_the_session_on_the_page_is_what_a_server_says(server: Server) -> None:
    known: dict[str, str] = {}
    _, schema = server.ask("GET", "/api/schema.json")
    from_client, to_client = (
        jsonschema_rs.validator_for({"$defs": schema["$defs"], **schema[way]}) for way in ("from_client", "to_client")
    )
    answer: tuple[int, Any] = (0, None)
    with ExitStack() as held:
        socket = held.enter_context(connect(f"ws://127.0.0.1:{server.port}/api/socket", open_timeout=WAIT))
        for line in lines():
            kind, _, rest = line.partition(" ")
            for name, value in known.items():
                rest = rest.replace(name, value) if kind != "←" else rest
            if kind in ("GET", "POST"):
                path, _, body = rest.partition(" ")
                answer = server.ask(kind, path, json.loads(body) if body else None)
            elif kind == "→":
                from_client.validate(json.loads(rest))
                socket.send(rest)
            elif rest[0].isdigit():
                status, _, text = rest.partition(" ")
                assert answer[0] == int(status), answer
                assert not differs(shown(text), answer[1], known), line
            else:
                found = json.loads(socket.recv(WAIT))
                to_client.validate(found)
                wrong = differs(shown(rest), found, known)
                assert not wrong, f"{line}\n{wrong}\n{json.dumps(found)}"
    assert set(known) == {"TABLE", "CODE", "TOKEN"}


def test_the_view_of_a_game_is_described_in_the_schema(server: Server) -> None:
    _, schema = server.ask("GET", "/api/schema.json")
    names = [each["$ref"].rpartition("/")[2] for each in schema["$defs"]["View"]["anyOf"]]
    assert "LostHeirView" in names and len(names) >= 5
    for name in names:
        for field in schema["$defs"][name]["properties"].values():
            assert set(field) - {"description"}, (name, field)
