"""The screens beyond the table, one after another: review, deals of the day, figures, puzzles, the wall, people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from support.browser import Visitor, expect, played_out, seat_of
from support.friends import opened
from support.server import Server

TODAY = "Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))"
KEEP = "(results) => localStorage.setItem('parlour results 1', results)"


def results(day: int) -> list[dict[str, Any]]:
    """What a device keeps of some games, the deal of the day among them."""
    own = {"game": "lost-heir", "when": 1, "players": 4, "bots": "steady", "score": 7, "of": 4, "deal": day}
    return [own | {"table": f"t{place}", "place": place, "won": place == 1, "accuracy": 80} for place in (2, 1, 4)]


def further_screens(visitor: Visitor, server: Server) -> Iterator[str]:
    """Lead a visitor through the screens, and name each; the server must allow outgoing calls."""
    page = visitor.page
    over = played_out(server, "lost-heir", 4, options={"deal_limit": 1})
    visitor.settings(seats=[seat_of("lost-heir", *over)])
    visitor.go(f"#replay={over[0]}")
    page.locator(".controls .ways button:has(+ .chief)").click()
    expect(page.locator(".review .button.chief")).to_be_visible()
    yield "review, before"
    page.locator(".review .button.chief").click()
    expect(page.locator(".review .result")).to_be_visible()
    yield "review"

    visitor.go("#today=all")
    expect(page.locator("main [data-game]")).to_have_count(5)
    yield "today, before"
    page.evaluate(KEEP, json.dumps(results(page.evaluate(TODAY))))
    page.reload()
    expect(page.locator("[data-game=lost-heir] tbody tr")).to_have_count(3)
    yield "today"
    visitor.go("#figures=all")
    expect(page.locator("[data-game=lost-heir] svg")).to_be_visible()
    yield "figures"

    visitor.go("#puzzle=heraldry&number=2")
    expect(page.locator(".puzzle .say")).not_to_be_empty()
    yield "puzzle"
    page.locator(".puzzle .ways button").nth(1).click()
    expect(page.locator(".puzzle .ways button")).to_have_count(2)
    yield "puzzle, explained"

    place = opened(server, "heraldry", 3)
    visitor.go(place.replace("#table", "#wall"))
    expect(page.locator("[data-wall-of=gathering] svg")).to_be_visible()
    yield "wall, gathering"
    name, (token, _) = server.open("heraldry", 2, persons=2)
    visitor.go(f"#wall={name}")
    expect(page.locator("[data-wall-of=playing] main.told .turn")).not_to_be_empty()
    yield "wall"

    visitor.settings(seats=[{"table": name, "game": "heraldry", "token": token, "begun": 1, "seat": 0}])
    visitor.go(f"#hand={name}")
    visitor.until("mine", "waiting")
    yield "hand"
    visitor.go(f"#table={name}")
    visitor.until("mine", "waiting")
    page.locator(".bar nav > .tool:has(+ .tool.wide)").click()
    expect(page.locator("dialog:modal .phrases")).to_be_visible()
    yield "phrases"
    page.keyboard.press("Escape")
    page.locator(".bar nav > .tool").last.click()
    page.locator("dialog:modal button:has(+ a[target=_blank])").click()
    expect(page.locator("dialog:modal form")).to_be_visible()
    yield "notices"
