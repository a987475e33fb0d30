"""Coming back in the browser: the review of a game, playing it again, the deals of the day, one's own figures."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browser import Visitor, chromium
from support.server import Person, Server

SIZES = ("desktop", "phone")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("review") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def finished(server: Server) -> tuple[str, str]:
    """A game of Lost Heir that a person has played without a plan: its table, and the person's key."""
    name, (token,) = server.open("lost-heir", 4, options={"deal_limit": 1}, deal=5)
    with Person(server, name, token) as person:
        person.luck = random.Random(5)  # the same mistakes each time
        while person.turn():
            number = person.number
            assert person.request("act", number=number, move=person.move())["kind"] == "done"
            person.until(lambda news, number=number: news["number"] > number)
    return name, token


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_is_reviewed_and_played_on_from(browser: Browser, server: Server, size: str) -> None:
    table, token = finished(server)
    with Visitor(browser, server, size) as visitor:
        seat = {"table": table, "game": "lost-heir", "token": token, "begun": 1, "over": True, "seat": 0}
        visitor.settings(seats=[seat])
        visitor.go(f"#replay={table}")
        page = visitor.page
        page.get_by_role("button", name="Review", exact=True).click()
        sheet = page.get_by_role("dialog", name="Review")
        sheet.get_by_role("button", name="Review this game").click()
        expect(sheet).to_contain_text("Accuracy")
        expect(sheet).to_contain_text("Deals and draws")
        expect(sheet.get_by_role("img", name="The three parts from move to move")).to_be_visible()
        shown = sheet.locator("[data-mark]")
        assert shown.count() > 0, "a game without a plan has no mistake"
        move = int(shown.first.get_attribute("data-mark") or -1)
        shown.first.click()
        expect(page.get_by_text(re.compile("^Step taken: "))).to_be_visible()
        expect(page.locator(".controls")).to_contain_text(f"{move + 1} of ")
        page.get_by_role("button", name="Next mistake").click()
        expect(page.locator(".controls .marked")).to_be_visible()
        page.get_by_role("button", name="To the beginning").click()
        page.get_by_role("button", name="Review", exact=True).click()
        expect(sheet).to_contain_text("Accuracy")  # it is still there
        sheet.get_by_role("button", name="Play on from here").click()
        page.wait_for_url(lambda url: "#table=" in url)
        visitor.until("mine", "waiting", "over")
        fresh = visitor.table
        assert fresh != table
        _, described = server.ask("GET", f"/api/tables/{fresh}")
        assert described["again"]["of"] == table and described["phase"] == "playing"


def test_the_deal_of_the_day_is_compared_when_it_is_played(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.go("#today=all")
        page = visitor.page
        number = page.evaluate("Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))")
        expect(page.get_by_text("Play one to begin a streak.")).to_be_visible()
        assert page.get_by_text("What the bots made of it").count() == 0
        expect(page.get_by_role("button", name="Play today's deal Tontine")).to_be_visible()
        own = {"table": "x", "game": "lost-heir", "when": 1, "players": 4, "bots": "steady", "score": 7, "place": 2}
        mine = [own | {"of": 4, "won": False, "deal": number}]
        page.evaluate("(mine) => localStorage.setItem('parlour results 1', JSON.stringify(mine))", mine)
        page.reload()
        expect(page.get_by_text("You: 2nd of 4 · 7")).to_be_visible()
        expect(page.get_by_text("1 day in a row")).to_be_visible()
        expect(page.get_by_role("row", name="Hard")).to_be_visible()
        page.get_by_role("button", name="Play today's deal Heraldry").click()
        page.wait_for_url(lambda url: "#table=" in url)
        visitor.until("mine", "waiting")
        _, described = server.ask("GET", f"/api/tables/{visitor.table}")
        assert described["deal"] == number


def test_figures_are_kept_exported_imported_and_deleted(browser: Browser, server: Server, tmp_path: Path) -> None:
    with Visitor(browser, server) as visitor:
        table, token = finished(server)
        visitor.settings(seats=[{"table": table, "game": "lost-heir", "token": token, "begun": 1}])
        visitor.go(f"#table={table}")
        visitor.until("over")
        for _ in range(600):  # a minute at most
            if visitor.page.evaluate("localStorage.getItem('parlour results 1')"):
                break
            visitor.page.wait_for_timeout(100)
        visitor.go("#figures=all")
        page = visitor.page
        expect(page.get_by_role("heading", name="Lost Heir")).to_be_visible()
        expect(page.get_by_text("1 game", exact=True)).to_be_visible()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Export").click()
        file = tmp_path / "figures.json"
        saved.value.save_as(file)
        assert json.loads(file.read_text())["results"][0]["game"] == "lost-heir"
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Delete all").click()
        expect(page.get_by_text("No finished games yet.")).to_be_visible()
        page.locator("input[type=file]").set_input_files(file)
        expect(page.get_by_role("heading", name="Lost Heir")).to_be_visible()
        bad = tmp_path / "bad.json"
        bad.write_text("{}")
        page.locator("input[type=file]").set_input_files(bad)
        expect(page.get_by_role("alert")).to_contain_text("holds no figures")


@pytest.mark.parametrize("game", ["lost-heir", "heraldry", "masquerade", "sovereign"])
def test_a_puzzle_is_solved_on_the_board(browser: Browser, server: Server, game: str) -> None:
    _, puzzle = server.ask("GET", f"/api/puzzles/{game}/2")
    with Visitor(browser, server, "phone" if game == "heraldry" else "desktop") as visitor:
        visitor.go(f"#puzzle={game}&number=2")
        page = visitor.page
        told = page.get_by_role("region", name=re.compile("^Puzzle: "))
        expect(told).to_contain_text("Which?")
        expect(told).to_contain_text(f"Puzzle 2 of {puzzle['total']}")
        page.get_by_role("button", name="Show the best step").click()
        expect(told).to_contain_text("The best step: ")
        page.get_by_role("button", name="Next puzzle").click()
        expect(told).to_contain_text(f"Puzzle 3 of {puzzle['total']}")
        visitor.go(f"#puzzle={game}&number=2")
        expect(told).to_contain_text("Which?")
        best = page.locator(f"[data-step='{puzzle['best']}']:not([aria-disabled=true])")
        if best.count():
            best.first.click()
            expect(told).to_contain_text("Solved.")
            expect(told).to_contain_text("solved")


def test_a_puzzle_that_is_not_there_says_so(browser: Browser, server: Server) -> None:
    assert server.ask("GET", "/api/puzzles/tontine")[0] == 409
    assert server.ask("GET", "/api/puzzles/heraldry/999")[0] == 409
    assert server.ask("GET", "/api/puzzles/heraldry/999/why")[0] == 409
    status, reason = server.ask("GET", "/api/puzzles/heraldry/1/why")
    assert status == 200 and reason["reason"].endswith(".")
    with Visitor(browser, server) as visitor:
        visitor.go("#puzzle=heraldry&number=999")
        expect(visitor.page.get_by_text("There is no such puzzle.")).to_be_visible()
