"""The page notices a server that was set back, says so, and lets its person save the proof; an honest one, never."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from parlour.server.data import FILE
from parlour.server.statements import is_signed
from support.browser import Visitor, expect
from support.server import Server
from support.store import cut

NOTICE = "[data-set-back]"
SAVE = "Save what I was told"


def moves(visitor: Visitor, count: int) -> list[int]:
    """Make some moves; the number that was told at each turn, from before the first to after the last."""
    numbers = []
    for made in range(count + 1):
        visitor.until("mine")
        numbers.append(next(visitor.news())["number"])
        if made < count:
            visitor.take_one()
            visitor.settle()
    return numbers


def restarted(own: Server, change: Callable[[], None] = lambda: None) -> None:
    """Stop a server, do something to its file, and start it again."""
    own.fixed = own.port
    assert own.stop() == 0
    change()
    own.start()


@pytest.mark.parametrize("away", [False, True], ids=["at the table", "on a later visit"])
def test_a_server_set_back_is_noticed_and_can_be_proved(browser: Browser, tmp_path: Path, away: bool) -> None:
    with Server(tmp_path / "data") as own, Visitor(browser, own, painted=True) as visitor:
        visitor.arrange("lost-heir")
        numbers = moves(visitor, 3)
        table, place = visitor.table, visitor.page.url
        if away:
            visitor.page.goto("about:blank")
        restarted(own, lambda: cut(own.data / FILE, table, numbers[1]))
        if away:
            visitor.page.goto(place)
        notice = visitor.page.locator(NOTICE)
        expect(notice).to_contain_text(f"told of {numbers[-1]} entries, and it has {numbers[1]}")
        visitor.until("mine")
        assert visitor.axe() == []
        visitor.page.reload()
        expect(notice).to_be_visible()  # it stays until it is closed
        with visitor.page.expect_download() as coming:
            notice.get_by_role("link", name=SAVE).click()
        saved = json.loads(Path(coming.value.path()).read_text(encoding="utf-8"))
        assert (saved["table"], saved["number"], saved["answer"]["number"]) == (table, numbers[-1], numbers[1])
        assert saved["key"] == own.ask("GET", "/health")[1]["key"]
        assert is_signed(table, saved["number"], saved["head"], saved["signature"], saved["key"])
        notice.get_by_role("button", name="Close").click()
        expect(notice).to_have_count(0)
        moves(visitor, 1)
        visitor.page.reload()
        visitor.until("mine")
        assert notice.count() == 0
        assert [each for each in visitor.complaints if "ERR_CONNECTION_REFUSED" not in each] == []


def test_an_honest_server_is_never_accused(browser: Browser, tmp_path: Path) -> None:
    """After taking back, in two tabs of one seat, beside delayed spectators, and over restarts."""
    with (
        Server(tmp_path / "data") as own,
        Visitor(browser, own) as visitor,
        Visitor(browser, own) as spectator,
        Visitor(browser, own) as late,
    ):
        visitor.arrange("lost-heir")
        first, second = visitor.page, visitor.context.new_page()
        visitor.watch(second)
        second.goto(first.url)
        spectator.go(f"#table={visitor.table}")
        delayed, _ = own.open("heraldry", 2, spectator_seconds=1.0)
        late.go(f"#table={delayed}")
        late.until("waiting", "mine", "moving")
        for page in (first, second, first):
            visitor.page = page
            moves(visitor, 1)
            page.get_by_role("button", name="Take back").click()
            visitor.settle()
            moves(visitor, 1)
            restarted(own)
            visitor.until("mine")
        first.reload()
        visitor.until("mine")
        for each in (visitor, spectator, late):
            each.until("mine", "waiting")
            for page in each.context.pages:
                expect(page.locator(".trouble")).to_be_hidden()
                assert page.locator(NOTICE).count() == 0
        assert not any("set_back" in news for each in (visitor, spectator, late) for news in each.news())


class Between:
    """Something between page and server that changes what the server says."""

    def __init__(self, visitor: Visitor) -> None:
        self.change: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda message: message
        visitor.page.route_web_socket("**/api/socket*", self.join)

    def join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def carry(text: str | bytes) -> None:
            changed = self.change(json.loads(text))
            if changed is not None:
                page.send(json.dumps(changed))

        server.on_message(carry)


@pytest.mark.parametrize("most", [1, 1000], ids=["one message", "all that follows"])
def test_lost_news_is_made_up_for_by_asking_for_everything(browser: Browser, server: Server, most: int) -> None:
    with Visitor(browser, server) as visitor:
        between = Between(visitor)
        lost: list[int] = []

        def lose(message: dict[str, Any]) -> dict[str, Any] | None:
            if message["kind"] == "welcome":
                between.change = lambda message: message
            if message["kind"] != "news" or len(lost) >= most:
                return message
            lost.append(message["number"])
            return None

        visitor.arrange("lost-heir")
        moves(visitor, 0)
        between.change = lose
        visitor.take_one()
        visitor.settle()
        moves(visitor, 1)
        expect(visitor.page.locator(".trouble")).to_be_hidden()
        assert lost and visitor.page.locator(NOTICE).count() == 0
        assert [each["whole"] for each in visitor.asked if each["kind"] == "hello"] == [False, True]


@pytest.mark.parametrize("what", ["number", "head"])
def test_a_server_that_says_something_else_without_a_word_is_noticed(
    browser: Browser, server: Server, what: str
) -> None:
    with Visitor(browser, server) as visitor:
        between = Between(visitor)
        visitor.arrange("lost-heir")
        before, told = moves(visitor, 1)
        other, words = {
            "number": (before, f"Now its log has {before} entries"),
            "head": ("0" * 64, "Now it says that they were different ones"),
        }[what]

        def differ(message: dict[str, Any]) -> dict[str, Any]:
            if message["kind"] == "welcome":
                message["news"][what] = other
            return message

        between.change = differ
        visitor.page.reload()
        notice = visitor.page.locator(NOTICE)
        expect(notice).to_contain_text(f"told you of {told} entries")
        expect(notice).to_contain_text(words)


def test_a_table_that_is_gone_is_told_of_as_such(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path / "data") as own, Visitor(browser, own) as visitor:
        visitor.arrange("lost-heir")
        (number,) = moves(visitor, 0)
        restarted(own, lambda: (own.data / FILE).unlink())
        expect(visitor.page.get_by_text(f"told this device of {number} entries at this table")).to_be_visible()
