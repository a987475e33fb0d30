"""The flow of play: it rests on the result of a deal, arrows find the first card, and forced cards play themselves."""

from __future__ import annotations

from playwright.sync_api import Browser

from support.browser import Visitor, expect
from support.server import Server

MOST = 2000  # looks at a table that somebody else has to move


def kinds(visitor: Visitor) -> list[str]:
    """The kinds of all events that came, the oldest first."""
    told = reversed([*visitor.news()])
    return [event["entry"][0] for news in told for event in news.get("events", [])]


def to_the_result(visitor: Visitor) -> None:
    """Play until a deal is over, and the next one has been dealt behind its result."""
    while visitor.until("mine", "resting") == "mine":
        visitor.take_one()
        visitor.settle()
    for _ in range(MOST):
        told = kinds(visitor)
        if "deal" in told[len(told) - told[::-1].index("total") :]:
            return
        visitor.page.wait_for_timeout(20)
    raise AssertionError("the next deal does not come")


def test_play_rests_on_the_result_of_a_deal_until_the_player_goes_on(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("lost-heir", deal_limit=3, number="12")
        page = visitor.page
        to_the_result(visitor)
        visitor.rest()
        assert visitor.doing == "resting"
        expect(page.get_by_role("button", name="Next deal")).to_be_visible()
        page.evaluate("document.activeElement.blur()")
        for _ in range(MOST):
            page.keyboard.press("Enter")  # one that comes with the result is not meant for it
            if visitor.doing != "resting":
                break
            page.wait_for_timeout(20)
        assert visitor.until("mine", "resting") == "mine"

        # the table of the deal stays at hand
        page.get_by_role("button", name="More").click()
        page.get_by_role("dialog").get_by_role("button", name="Scores", exact=True).click()
        expect(page.get_by_role("dialog", name="Scores").get_by_role("row", name="Deal 1")).to_be_visible()
        page.keyboard.press("Escape")

        # with the tick play goes on by itself, also after the next deal
        to_the_result(visitor)
        page.get_by_text("go on by itself from now on").click()
        visitor.until("mine")
        assert page.evaluate("JSON.parse(localStorage.getItem('parlour settings 1')).goesOn") is True
        assert visitor.complaints == []


def test_an_arrow_goes_to_the_first_card_that_can_be_played(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("masquerade", number="12")
        for key in ("ArrowRight", "ArrowUp"):
            visitor.until("mine")
            visitor.page.evaluate("document.activeElement.blur()")
            visitor.page.keyboard.press(key)
            expect(visitor.steps().first).to_be_focused()
            visitor.page.keyboard.press("Enter")
            visitor.settle()


def test_a_player_who_asks_for_it_has_the_only_legal_card_played(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("masquerade", number="12")
        visitor.page.keyboard.press("s")
        visitor.page.get_by_role("group", name="Play my only legal card by itself").get_by_label("on").check()
        visitor.page.keyboard.press("Escape")
        for _ in range(MOST):
            if visitor.until("mine", "over") == "over":
                break
            if len(visitor.offered) > 1:
                visitor.take_one()
                visitor.settle()
            else:
                visitor.page.wait_for_timeout(20)
        assert visitor.doing == "over"
        assert any(len(news.get("legal", [])) == 1 for news in visitor.news())
        assert visitor.complaints == []
