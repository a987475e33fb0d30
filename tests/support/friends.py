"""For tests of friends in several browsers: a table for them, sitting down, and what their browsers complain of."""

from __future__ import annotations

from support.browser import Visitor, expect
from support.server import Server


def opened(server: Server, game: str, players: int, **settings: object) -> str:
    """A table for friends at which nobody sits; the place that its link leads to."""
    body = {"game": game, "players": players, "bot_seconds": 0.0, **settings}
    status, made = server.ask("POST", "/api/tables", body)
    assert status == 201, made
    return f"#table={made['table']}&code={made['code']}"


def sit(visitor: Visitor, place: str, name: str) -> None:
    """Come to a table by its link, and take the first free seat."""
    visitor.go(place)
    visitor.page.get_by_label("Your name").fill(name)
    visitor.page.get_by_role("button", name="Sit here").first.click()
    expect(visitor.page.get_by_role("button", name="Leave the table")).to_be_visible()


def faults(visitor: Visitor) -> list[str]:
    """What the browser complains of, except for lines that were cut, and what it ignores where a page is not secure."""
    return [each for each in visitor.complaints if "WebSocket" not in each and "Cross-Origin-Opener" not in each]
