"""Playing with friends: what the invited are told, people who go away, networks that fail, and buttons that ask."""

from __future__ import annotations

import time

from playwright.sync_api import Browser

from support.browser import ELSEWHERE, PATIENCE, Visitor, Wire, expect
from support.friends import faults, opened, sit
from support.server import Server

NOTHING_KEPT = """() => {
  for (const name of ['getItem', 'setItem', 'removeItem'])
    Storage.prototype[name] = () => { throw new DOMException('no', 'SecurityError') };
}"""
NOTE_COPIES = "addEventListener('copy', (event) => { window.noted = event.target.value })"


def test_the_invited_know_what_they_are_invited_to(browser: Browser, server: Server) -> None:
    """On a network at home, where the page is not held to be secure: also for copying a link."""
    place = opened(server, "lost-heir", 4, options={"mistakes": "penalised"}, person_seconds=120)
    with Visitor(browser, server) as host, Visitor(browser, server, "phone") as guest:
        host.host = guest.host = ELSEWHERE
        guest.go(place)
        shown = guest.page.get_by_role("main")
        expect(shown).to_contain_text("The police of four cities")
        expect(shown).to_contain_text("What happens to a card that the rules forbid. It may be played, and costs")
        expect(shown).not_to_contain_text("Who plays with whom")  # as usual
        expect(shown).to_contain_text("does not play for 2 minutes")
        expect(shown).to_contain_text("Enter your name, and choose a seat.")
        expect(shown).not_to_contain_text("watching")
        expect(shown.get_by_role("textbox", name="Invite")).to_have_count(0)
        assert guest.page.get_by_role("link", name="Learn it").get_attribute("href") == "#learn=lost-heir"
        guest.page.get_by_role("button", name="Read the rules").click()
        expect(guest.page.get_by_role("dialog", name="The rule book: Lost Heir")).to_contain_text("HEIR-1")
        guest.page.go_back()
        expect(guest.page.get_by_role("dialog")).to_have_count(0)
        guest.page.get_by_label("Your name").fill("Ben")
        sit(host, place, "Ada")
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(guest.page.get_by_text("Waiting for Ada to start.")).to_be_visible()
        with Visitor(browser, server) as onlooker:
            onlooker.go(place.partition("&")[0])
            expect(onlooker.page.get_by_text("You are watching.")).to_be_visible()

        # the link is copied without the clipboard of secure pages, or the page says how
        host.page.evaluate(NOTE_COPIES)
        assert host.page.evaluate("navigator.clipboard === undefined")
        host.page.get_by_role("button", name="Copy the link").click()
        expect(host.page.get_by_role("button", name="Copied")).to_be_visible()
        assert "code=" in host.page.evaluate("window.noted")
        host.page.evaluate("document.execCommand = () => false")
        host.page.get_by_role("button", name="Cop").click()
        expect(host.page.get_by_role("status").filter(has_text="Press Ctrl+C")).to_be_visible()

        # dangerous buttons stand apart, and ask; going back is a no
        host.page.get_by_role("button", name="More: Ben").click()
        expect(host.page.get_by_role("dialog", name="Ben")).to_contain_text("The seat becomes free again.")
        host.page.go_back()
        expect(host.page.get_by_role("dialog")).to_have_count(0)
        guest.page.get_by_role("button", name="Leave the table").click()
        guest.page.get_by_role("button", name="Cancel").click()
        host.page.get_by_role("button", name="More: Ben").click()
        host.page.get_by_role("button", name="Make Ben the host").click()
        expect(guest.page.get_by_role("button", name="Start", exact=True)).to_be_visible()
        assert faults(host) == faults(guest) == []


def test_only_the_host_is_told_how_to_let_others_in(browser: Browser, server: Server) -> None:
    place = opened(server, "heraldry", 2)
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        guest.page.add_init_script(f"({NOTHING_KEPT})()")
        sit(host, place, "Ada")
        expect(host.page.get_by_text("start it again with --host")).to_be_visible()
        sit(guest, place, "Ben")
        expect(guest.page.get_by_text("This link works on this machine only").first).to_be_visible()
        expect(guest.page.get_by_text("--host")).to_have_count(0)
        # a browser that stores nothing: the link to the seat opens it again, as often as one likes
        own = guest.page.get_by_role("textbox", name="This browser does not store your seat").input_value()
        for _ in range(2):
            guest.page.goto("about:blank")
            guest.page.goto(own)
            expect(guest.page.get_by_text("Waiting for Ada to start.")).to_be_visible()
        expect(host.page.get_by_role("textbox", name="This browser does not store")).to_have_count(0)


def test_anyone_lets_a_bot_play_for_a_friend_who_is_away(browser: Browser, server: Server) -> None:
    place = opened(server, "heraldry", 2)
    with Visitor(browser, server) as host, Visitor(browser, server, "phone") as guest:
        for visitor, name in ((guest, "Ben"), (host, "Ada")):  # Ben is the host: Ada may do no more than anyone
            visitor.settings(pace="quick")
            visitor.go()
            sit(visitor, place, name)
        guest.page.get_by_role("button", name="Start", exact=True).click()
        end = time.monotonic() + PATIENCE
        while guest.until("mine", "waiting") != "mine":
            assert time.monotonic() < end
            host.until("mine")
            host.take_one()
            host.settle()
        host.until("waiting")
        guest.page.close()
        line = host.page.locator(".next")
        expect(line).to_contain_text("Ben is away (0:")
        expect(host.page.get_by_role("button", name="Let a bot play for Ben")).to_have_count(0)

        # meanwhile: sheets that answer in themselves, and are closed by going back
        dialog = host.page.get_by_role("dialog")
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name="Become the host").click()
        expect(dialog).to_contain_text("was here less than 30 seconds ago")
        host.page.get_by_role("button", name="Link for spectators").click()
        expect(dialog).to_have_count(2)
        host.page.go_back()
        expect(dialog).to_have_count(1)
        dialog.get_by_role("button", name="Scores", exact=True).click()
        expect(host.page.get_by_role("dialog", name="Scores")).to_be_visible()
        host.page.go_back()
        expect(dialog).to_have_count(0)
        host.page.get_by_role("button", name="Rules").click()
        expect(dialog).to_be_visible()
        host.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name="Leave: ").click()
        host.page.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(1)
        host.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        assert host.doing == "waiting"

        host.page.get_by_role("button", name="Let a bot play for Ben").click()
        host.until("mine")
        expect(host.page.locator("[data-seat='0']")).to_contain_text("played by a bot")
        guest.page = guest.context.new_page()
        guest.watch(guest.page)
        guest.go(place)
        guest.page.get_by_role("button", name="I am back").click()
        expect(guest.page.get_by_text("A bot is playing for you.")).to_have_count(0)
        expect(host.page.get_by_text("played by a bot")).to_have_count(0)
        # all those sheets have left nothing in the history
        host.page.go_back()
        expect(host.page.locator("[data-play=tontine]")).to_be_visible()
        assert host.complaints == guest.complaints == []


def test_a_card_that_is_tapped_offline_is_played_once_when_the_network_is_back(
    browser: Browser, server: Server
) -> None:
    wire = Wire(server.port)
    try:
        with Visitor(browser, server) as visitor:
            visitor.host, visitor.port = ELSEWHERE, wire.port
            visitor.go()
            visitor.arrange("heraldry", 2, number="7")
            visitor.until("mine")
            before = visitor.view["hand"]
            wire.cut()
            visitor.page.evaluate("dispatchEvent(new Event('offline'))")
            expect(visitor.page.locator(".trouble")).to_contain_text("offline")
            visitor.page.locator("[data-place=hand] [data-step]:not([aria-disabled=true])").first.click()
            expect(visitor.page.locator(".next")).to_contain_text("Your choice is kept")
            wire.open = True
            visitor.page.evaluate("dispatchEvent(new Event('online'))")
            expect(visitor.page.locator(".trouble")).to_have_count(0)
            visitor.until("mine")
            for _ in range(10):  # a card that takes others may need more steps
                if visitor.view["hand"] != before:
                    break
                visitor.take_one()
                visitor.settle()
                visitor.until("mine")
            assert len(visitor.view["hand"]) == len(before) - 1
            assert faults(visitor) == []
    finally:
        wire.close()
