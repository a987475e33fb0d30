"""The page for people who listen: what is announced, where the focus is, and which keys answer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.browser import BOTS_TAKE, LAY, NUMBER, SHORT, Visitor, expect, played_out, seat_of
from support.server import Server

FOCUSED = "document.activeElement?.dataset?.step ?? document.activeElement?.textContent?.trim() ?? ''"
# everything that is announced, one text after another
LISTEN = """() => {
  window.heard = [];
  let last = '';
  const hear = () => {
    const now = document.querySelector('[data-announcer]')?.textContent ?? '';
    if (now && now !== last) window.heard.push(now);
    last = now;
  };
  new MutationObserver(hear).observe(document, { childList: true, characterData: true, subtree: true });
}"""


def laid(visitor: Visitor, game: str, number: str = "1", **options: Any) -> None:
    """A table with bots that take no time and known cards, laid by keys."""
    visitor.settings(pace="quick", name="Ada")
    visitor.go(f"#arrange={game}")
    visitor.page.locator(BOTS_TAKE).select_option("0")
    for name, value in {**SHORT[game], **options}.items():
        visitor.fill_in(name, value)
    visitor.page.locator(NUMBER).fill(number)
    visitor.page.locator(LAY).press("Enter")


def test_every_deal_of_tontine_is_told_in_a_line(browser: Browser, server: Server) -> None:
    """At the fast speed too, where the bots deal and the player need do nothing: card, counters, death and return."""
    with Visitor(browser, server) as visitor:
        laid(visitor, "tontine", stake=4)
        visitor.until("mine", "moving", "waiting", hurry=False)
        visitor.page.evaluate(LISTEN)
        visitor.page.get_by_role("button", name="Turn up by itself").press("Enter")
        visitor.until("over", hurry=False)
        expect(visitor.page.locator("[data-announcer]")).to_contain_text("outlive")
        said = " ".join(visitor.page.evaluate("window.heard")).lower()
        events = [event["entry"] for news in visitor.news() for event in news.get("events", [])]
        seat = visitor.view["seat"]
        for kind, words in (("dead", "you die"), ("revived", "you live again")):
            assert said.count(words) == sum(entry[0] == kind and entry[1] == seat for entry in events)
        alive = next((at for at, news in enumerate(dealt(visitor)) if seat not in news["view"]["living"]), None)
        told = len(re.findall("you (?:gain|lose|still have)", said))
        assert told >= (len(dealt(visitor)) if alive is None else alive)


def dealt(visitor: Visitor) -> list[dict[str, Any]]:
    """The news of each deal, the oldest first."""
    told = reversed([*visitor.news()])
    return [news for news in told if any(each["entry"][0] == "deal" for each in news.get("events", []))]


def test_the_result_is_announced_with_what_decided_it(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("masquerade")
        visitor.finish()
        said = visitor.page.locator("[data-announcer]")
        expect(said).to_contain_text(
            re.compile(
                r"(You came|You won).* (led from the first points on, and won most|took the lead for good)"
                r" in trick \d+ \(\d+ points?\)[:.]"
            )
        )
        visitor.arrange("tontine")
        visitor.page.get_by_text("instant", exact=True).click()
        visitor.page.get_by_role("button", name="Turn up by itself").click()
        visitor.until("over")
        expect(said).to_contain_text(re.compile(r"You came|You won|You are out"))
        assert said.inner_text().count("outlive") == 1


HEADING = "document.activeElement?.matches('h1') ? document.activeElement.textContent : ''"


def test_a_screen_that_is_opened_by_keys_begins_at_its_heading(browser: Browser, server: Server) -> None:
    table, token = played_out(server, "masquerade")
    with Visitor(browser, server) as visitor:
        visitor.settings(seats=[seat_of("masquerade", table, token)])
        visitor.go()
        page = visitor.page
        places = {"arrange": "Set up a table: Lost Heir", "rules": "Lost Heir", "learn": "Lost Heir"}
        for name, heading in places.items():
            page.locator(f"a[href='#{name}=lost-heir']").press("Enter")
            page.wait_for_function(f"wanted => ({HEADING}) === wanted", arg=heading)
            page.go_back()
            page.wait_for_function("left => document.activeElement.hash === left", arg=f"#{name}=lost-heir")
        page.get_by_role("link", name="Replay").press("Enter")
        page.wait_for_function(f"() => ({HEADING}) === 'The Masquerade Game'")


@pytest.mark.parametrize("game", ["tontine", "sovereign"])
def test_a_table_where_bots_begin_has_the_focus_at_its_heading_and_then_at_the_turn(
    browser: Browser, server: Server, game: str
) -> None:
    with Visitor(browser, server) as visitor:
        for number in "12345":
            laid(visitor, game, number)
            doing = visitor.until("moving", "waiting", "mine", hurry=False)
            if doing != "mine":
                arrived = f"() => ({HEADING}) !== '' || document.activeElement.matches('[data-step]')"
                visitor.page.wait_for_function(arrived)
            visitor.until("mine")
            visitor.page.wait_for_function("() => document.activeElement.closest('.mine') !== null")
            if doing != "mine":
                return
        raise AssertionError("no bot began")


def test_the_focus_comes_to_the_lowest_bid_that_can_win(browser: Browser, server: Server) -> None:
    """Or to Pass where none can: a single press never makes a pointless bid."""
    with Visitor(browser, server) as visitor:
        found = set()
        for number in "123456":
            laid(visitor, "lost-heir", number)
            visitor.until("mine")
            visitor.page.wait_for_function("() => document.activeElement.matches('[data-step]')")
            if not {"pass"} & {*visitor.offered}:
                continue
            highest = visitor.view["bid"]
            winning = [bid for bid in bids(visitor) if bid > highest]
            assert visitor.page.evaluate(FOCUSED) == (f"bid {min(winning)}" if winning else "pass")
            found.add(any(bid < highest for bid in bids(visitor)))
        assert True in found, "nobody bid before"


def bids(visitor: Visitor) -> list[int]:
    return [int(name.removeprefix("bid ")) for name in visitor.offered if name.startswith("bid ")]


def test_the_focus_comes_to_the_first_coin_and_alike_coins_are_told_apart(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        doubled = False
        for number in "1234":
            laid(visitor, "sovereign", number)
            visitor.until("mine")
            visitor.page.wait_for_function("() => document.activeElement.closest('.mine') !== null")
            coins = visitor.page.locator("[data-place=hand] [data-code]")
            expect(coins.first).to_be_focused()
            buttons = visitor.page.locator("[data-place=hand] button")
            names = [buttons.nth(at).get_attribute("aria-label") for at in range(buttons.count())]
            assert len({*names}) == len(names)
            doubled = doubled or any(count > 1 for count in visitor.view["coins"].values())
        assert doubled, "no hand had two coins alike"


# what a lesson asks for once it is at rest: "Next" or "Now play it" with the focus on it, or a step that it points at
ASKED = """() => {
  const at = document.activeElement;
  if (at?.matches('.lesson .chief:not([aria-disabled=true])')) return at.textContent.trim();
  return document.querySelector('[data-doing=mine] .hinted[data-step]') && at?.closest('.play, .mine') ? 'step' : false;
}"""


@pytest.mark.parametrize("game", ["masquerade", "tontine", "sovereign"])
def test_a_lesson_is_read_by_enter_alone(browser: Browser, server: Server, game: str) -> None:
    """The focus is on Next at every step but the player's own, where it is at the table; nothing is searched for."""
    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.keyboard.press("Tab")
        visitor.page.evaluate("game => { location.hash = `learn=${game}` }", game)
        visitor.page.wait_for_function("() => document.activeElement.matches('h1')")
        visitor.page.keyboard.press("Enter")
        for _ in range(200):
            asked = visitor.page.wait_for_function(ASKED).json_value()
            if asked == "Now play it":
                break
            before = visitor.page.locator(".lesson").inner_text()
            if asked == "Next":
                visitor.page.keyboard.press("Enter")
            else:
                visitor.page.locator(".hinted[data-step]").first.press("Enter")
            changed = "before => document.querySelector('.lesson').innerText !== before"
            visitor.page.wait_for_function(f"{changed} || document.querySelector('[aria-pressed=true]')", arg=before)
        else:
            raise AssertionError("the lesson does not end")


def test_a_jump_in_a_replay_is_told_by_where_it_leads(browser: Browser, server: Server) -> None:
    """Neither what was left out is read, nor a prompt for a game that is over."""
    table, token = played_out(server, "masquerade")
    with Visitor(browser, server) as visitor:
        visitor.settings(seats=[seat_of("masquerade", table, token)])
        visitor.go(f"#replay={table}")
        slider = visitor.page.get_by_role("slider", name="Replay")
        expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^1 of \d+$"))
        visitor.page.keyboard.press("End")
        said = visitor.page.locator("[data-announcer]")
        expect(said).to_have_text(re.compile(r"^[^.]+ the game\. (\d+) of \1$"))  # one sentence: "… wins the game."
        visitor.page.keyboard.press("Home")
        expect(said).to_have_text(re.compile(r"1 of \d+$"))


def test_keys_speak_the_scores_and_the_last_message_again(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        laid(visitor, "lost-heir")
        visitor.until("mine")
        said = visitor.page.locator("[data-announcer]")
        expect(said).to_contain_text("It is your turn.")
        answer = visitor.page.locator("[data-answer]")
        visitor.page.keyboard.press("t")
        expect(answer).to_have_text(re.compile(r"^Score: You −?\d+, The .+ −?\d+.*\.$"))
        visitor.page.keyboard.press("w")
        expect(answer).to_have_text(said.inner_text())
        visitor.page.keyboard.press("h")
        expect(answer).to_contain_text(re.compile("[Bb]id|[Pp]ass"))
        expect(answer).not_to_contain_text(said.inner_text())
        visitor.page.keyboard.press("s")
        sheet = visitor.page.get_by_role("dialog")
        sheet.get_by_role("group", name="Keyboard shortcuts").get_by_label("off").check()
        visitor.page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        visitor.page.keyboard.press("t")
        visitor.settle()
        expect(answer).not_to_contain_text("Score")


def test_a_refusal_is_said_again_when_the_card_is_pressed_again(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        answer = visitor.page.locator("[data-answer]")
        for number in "123456":
            laid(visitor, "masquerade", number)
            visitor.until("mine")
            barred = visitor.page.locator("[data-step].barred")
            if not barred.count():
                continue
            expect(visitor.page.locator("[data-announcer]")).to_contain_text("It is your turn.")  # which ends an answer
            barred.first.focus()
            expect(answer).not_to_be_empty()
            said = answer.inner_text()
            answer.evaluate("answer => { answer.dataset.old = 'yes' }")
            visitor.page.keyboard.press("Enter")
            expect(visitor.page.locator("[data-answer]:not([data-old])")).to_have_text(said)
            return
        raise AssertionError("every card could be played")


def test_a_key_that_is_held_down_plays_one_card(browser: Browser, server: Server) -> None:
    """The focus is on the next card at once: the key has to go up before it plays that, too."""
    with Visitor(browser, server) as visitor:
        laid(visitor, "masquerade")
        visitor.until("mine")
        card = visitor.page.locator("[data-place=hand] [data-step]:not([aria-disabled=true])")
        card.first.focus()
        visitor.page.keyboard.down("Enter")
        held = 'document.activeElement.matches("[data-place=hand] [data-step]:not([aria-disabled=true])")'
        for _ in range(3):
            visitor.until("mine")
            visitor.page.wait_for_function(f"() => {held}")
            visitor.page.keyboard.down("Enter")
        visitor.settle()
        assert [each["kind"] for each in visitor.asked].count("act") == 1
        visitor.page.keyboard.up("Enter")
        visitor.page.keyboard.press("Enter")
        visitor.settle()
        assert [each["kind"] for each in visitor.asked].count("act") == 2
