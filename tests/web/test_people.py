"""What people do at a table besides playing: phrases, reminders, being ready, watching, and another game."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import Browser

from parlour.cli.main import main
from support.browser import Visitor, expect, play_together
from support.friends import faults, opened, sit
from support.server import Server

# a window that is not in front when `away` is set, and notices of the system that are noted
NOTED = """
  window.shown = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.shown.push([title, body]) }
  };
  Object.defineProperty(document, 'hidden', { get: () => window.away === true });
"""


def say(visitor: Visitor, phrase: str) -> None:
    visitor.page.get_by_role("button", name="Say", exact=True).click()
    visitor.page.get_by_role("dialog").get_by_role("button", name=phrase).click()
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)


def test_friends_are_ready_say_things_and_play_again_with_one_press_each(browser: Browser, server: Server) -> None:
    place = opened(server, "heraldry", 2, options={"deal_limit": 1})
    with Visitor(browser, server) as host, Visitor(browser, server, "phone") as guest:
        for visitor, name in ((host, "Ada"), (guest, "Ben")):
            visitor.settings(pace="quick")
            sit(visitor, place, name)
        expect(host.page.get_by_text("Everyone is ready.")).to_have_count(0)
        guest.page.get_by_role("button", name="I am ready").click()
        expect(host.page.get_by_text("Everyone is ready.")).to_be_visible()
        expect(host.page.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("ready")
        guest.page.get_by_role("button", name="Not ready yet").click()
        expect(host.page.get_by_text("Everyone is ready.")).to_have_count(0)
        host.page.get_by_role("button", name="Start", exact=True).click()
        for visitor in (host, guest):
            visitor.until("mine", "waiting")

        # what is said is shown at the seat and announced
        say(guest, "Good luck!")
        expect(host.page.locator("[data-says='1']")).to_have_text("Good luck!")
        expect(host.page.locator("[data-answer]")).to_have_text("Ben: Good luck!")
        expect(guest.page.locator("[data-says='1']")).to_have_text("Good luck!")
        host.page.get_by_role("button", name="Say", exact=True).click()
        host.page.get_by_label("Do not show what Ben says").check()
        host.page.keyboard.press("Escape")
        say(guest, "Wow!")
        say(host, "Hello!")
        expect(guest.page.locator("[data-says='0']")).to_have_text("Hello!")
        assert host.page.locator("[data-says='1']", has_text="Wow!").count() == 0, "Ben is muted"
        with Visitor(browser, server) as onlooker:
            onlooker.go(place.partition("&")[0])
            expect(host.page.get_by_text("1 watching")).to_be_visible()
        expect(host.page.get_by_text("1 watching")).to_have_count(0)

        play_together(host, guest)
        first = host.table
        # the guest asks: everyone is told, and the table is in everyone's list
        guest.page.get_by_role("button", name="Play again with everyone").click()
        expect(guest.page.get_by_text("Waiting for Ada to start.")).to_be_visible()
        expect(host.page.locator("[data-answer]")).to_have_text("Everyone is invited to another game.")
        assert {each["table"] for each in host.kept()} == {first, guest.table} == {
            each["table"] for each in guest.kept()
        }
        host.page.get_by_role("button", name="To the next game").click()
        for visitor in (host, guest):
            assert visitor.until("mine", "waiting") and visitor.table != first
        assert faults(host) == faults(guest) == []


def test_whoever_keeps_the_others_waiting_is_reminded(browser: Browser, server: Server) -> None:
    place = opened(server, "heraldry", 2)
    with Visitor(browser, server, "phone") as host, Visitor(browser, server, "phone") as guest:
        for visitor, name in ((host, "Ada"), (guest, "Ben")):
            visitor.settings(pace="quick")
            sit(visitor, place, name)
        host.page.get_by_role("button", name="Start", exact=True).click()
        states = [visitor.until("mine", "waiting") for visitor in (host, guest)]
        waiting, deciding = (host, guest) if states[0] == "waiting" else (guest, host)
        name = "Ben" if deciding is guest else "Ada"
        expect(waiting.page.locator(".next")).to_contain_text(f"Waiting for {name} (0:")
        waiting.page.get_by_role("button", name=f"Remind {name}").click()
        expect(deciding.page.locator(f"[data-says='{int(name == 'Ben')}']")).to_contain_text("is waiting for you.")
        expect(waiting.page.get_by_role("button", name=f"Remind {name}")).to_have_count(0)


def test_the_wall_shows_the_table_and_a_phone_only_the_hand(browser: Browser, server: Server) -> None:
    place = opened(server, "lost-heir", 2)
    named, _, code = place.removeprefix("#table=").partition("&")
    with Visitor(browser, server) as wall, Visitor(browser, server, "phone") as phone:
        wall.go(f"#wall={named}&{code}")
        expect(wall.page.get_by_role("img", name="The link as a code")).to_be_visible()
        expect(wall.page.get_by_text("0 of 2 seats taken")).to_be_visible()
        phone.settings(pace="quick")
        sit(phone, f"#hand={named}&{code}", "Ada")
        expect(wall.page.get_by_text("1 of 2 seats taken")).to_be_visible()
        expect(wall.page.get_by_role("listitem").filter(has_text="Ada")).to_be_visible()
        phone.page.get_by_role("button", name="Fill with bots").click()
        phone.page.get_by_role("button", name="Start", exact=True).click()
        phone.until("mine", "waiting")
        assert "#hand=" in phone.page.url
        expect(wall.page.locator("[data-wall-of=playing] main.told .turn")).to_contain_text("to play")
        # nothing to press, and no hand, on the wall
        assert wall.page.locator(":is(button, a, input, select):not([inert] *)").count() == 0
        assert phone.view["hand"] and not any((news.get("view") or {}).get("hand") for news in wall.news())
        # the phone has the hand alone; the board is there as soon as something on it can be chosen
        phone.until("mine")
        board = phone.page.locator(".hand-only .board")
        assert board.evaluate("(each) => getComputedStyle(each).visibility") == "hidden"
        expect(wall.page.locator(".events .latest")).not_to_have_text("")
        before = wall.page.locator(".events").inner_text()
        phone.take_one()
        expect(wall.page.locator(".events")).not_to_have_text(before)
        assert faults(wall) == faults(phone) == []


def test_ones_turn_is_said_in_the_title_and_in_a_notice_of_the_device(browser: Browser, server: Server) -> None:
    place = opened(server, "heraldry", 2, person_seconds=86400)
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        guest.context.grant_permissions(["notifications"])
        guest.page.add_init_script(NOTED)
        for visitor, name in ((host, "Ada"), (guest, "Ben")):
            visitor.settings(pace="quick", notices=True)
            sit(visitor, place, name)
        expect(guest.page.get_by_text("does not play for 24 hours")).to_be_visible()
        host.page.get_by_role("button", name="Start", exact=True).click()
        for visitor in (host, guest):
            visitor.until("mine", "waiting")
        if guest.doing == "mine":
            guest.take_one()
            guest.settle()
        guest.page.evaluate("window.away = true")
        while guest.doing_within(["mine"], 200) != "mine":
            host.until("mine")
            host.take_one()
            host.settle()
        expect(guest.page).to_have_title("● Your turn – Heraldry – Parlour")
        assert ["Heraldry", "It is your turn."] in guest.page.evaluate("window.shown")
        guest.page.get_by_role("button", name="More", exact=True).click()
        guest.page.get_by_role("button", name="Tell me when it is my turn").click()
        expect(guest.page.get_by_role("dialog").last).to_contain_text("this server sends no notices")
        guest.go("#room=")
        expect(guest.page).to_have_title("(1) Your turn – Parlour")
        expect(guest.page.get_by_role("region", name="Unfinished games")).to_contain_text("your turn")


def test_a_link_of_a_club_evening_opens_a_seat(browser: Browser, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    file.write_text("name\nAda\nBen\nCid\nDora\n", encoding="utf-8")
    given = ("--game", "heraldry", "--seats", "2", "--rounds", "1")
    assert main(["club", str(file), *given, "--server", f"http://127.0.0.1:{server.port}"]) == 0
    links = list(csv.DictReader((tmp_path / "evening.links.csv").read_text(encoding="utf-8").splitlines()))
    one, other = ([row for row in links if row["table"] == number][:2] for number in "12")
    with Visitor(browser, server) as first, Visitor(browser, server, "phone") as second:
        for visitor, row in ((first, one[0]), (second, other[0])):
            visitor.page.goto(row["link"])
            expect(visitor.page.locator("li.you")).to_contain_text(row["name"])
            assert "key=" not in visitor.page.url, "the key is the device's from now on"
        assert main(["club", str(file), *given, "--start", "1"]) == 0
        for visitor in (first, second):
            visitor.until("mine", "waiting")
        assert first.view["hand"] == second.view["hand"], "the same seat at two tables"
