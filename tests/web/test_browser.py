"""The page in a real Chromium: whole sittings of all five games, by people alone and together, while lines break."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute

from parlour.games import REGISTRY
from parlour.records.seal import verify
from support.browser import (
    ELSEWHERE,
    FEW,
    GAMES,
    LAY,
    PATIENCE,
    Visitor,
    Wire,
    expect,
    mostly,
    play_together,
    played_out,
    seat_of,
)
from support.effort import times
from support.server import Server

FIRST_LOAD = 160 * 1024  # bytes over the line
# what a guided hand asks for: "step" that it points at, "on", or "play" at its end; nothing if that does not come soon
LESSON = """() => new Promise((resolve) => {
  const asked = () => {
    if (document.querySelector('[data-doing=moving]')) return 'moving';
    if (document.querySelector('.hinted[data-step]')) return 'step';
    const button = document.querySelector('.lesson .chief:enabled:not([aria-disabled=true])');
    return { 'Next': 'on', 'Now play it': 'play' }[button?.textContent.trim()] ?? '';
  };
  const end = () => { observer.disconnect(); clearTimeout(timer); resolve(asked()) };
  const look = () => { if (asked()) end() };
  const observer = new MutationObserver(look);
  const timer = setTimeout(end, 2000);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})"""

# whether what a guided hand says need not be scrolled to, nor the pools that it speaks of, in a window so high
WHOLE = """(high) => {
  const say = document.querySelector('.lesson .say');
  const line = document.querySelector('.play > .line').getBoundingClientRect();
  const sideways = innerWidth > innerHeight;
  const pools = [...document.querySelectorAll('figure:has([data-place=general], [data-place=sovereign]) .count')];
  const below = sideways ? innerHeight : line.top;
  return innerHeight === high && say.scrollHeight <= say.clientHeight &&
    pools.every((each) => each.getBoundingClientRect().bottom <= below + 2);
}"""
SMALL = [(640, 360), (360, 640)]  # a small phone, held either way

# what others do in a guided hand goes on by itself after half a second, for which no test need wait
BY_ITSELF = """
  const later = window.setTimeout;
  window.setTimeout = (done, time, ...more) => later(done, time === 500 ? 1 : time, ...more);
"""


# a finger plays whole sittings in test_looking_back…, a mouse in test_nothing_that_a_seat_cannot_know…
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("how", ["keys", *(pytest.param(how, marks=pytest.mark.long) for how in ("mouse", "phone"))])
def test_a_whole_sitting(browser: Browser, server: Server, game: str, how: str) -> None:
    with Visitor(browser, server, "phone" if how == "phone" else "desktop") as visitor:
        visitor.arrange(game, number="7" if game == "tontine" else "")
        assert visitor.finish(by_keys=times(10, 400) if how == "keys" else 0) > 0
        if game == "tontine":
            expect(visitor.page.locator(".over.sheet")).to_contain_text("Deal No. 7")
        if game != "heraldry":  # there a card that has the focus shows what it would take
            assert set(visitor.round_trips()) == {1}, "a click that completes a move is one request"
        expect(visitor.page.get_by_role("link", name="Replay")).to_be_visible()
        assert visitor.complaints == []
        assert all(url.split("//")[1].startswith(f"127.0.0.1:{server.port}/") for url in visitor.requests)
        if game == "masquerade":
            over = visitor.page.url
            visitor.page.get_by_role("button", name="Play again").click()
            visitor.page.wait_for_url(lambda url: url != over)
            visitor.until("mine", "waiting", "moving")
            visitor.page.go_back()  # not to the game that is over
            expect(visitor.page.locator(LAY)).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_one_click_leads_from_the_room_to_a_table_and_the_load_is_light(
    browser: Browser, server: Server, game: str
) -> None:
    """The load is all that comes over the line until the first card: the covers of all games, the faces of one."""
    with Visitor(browser, server) as visitor:
        came: list[float] = []
        line = visitor.context.new_cdp_session(visitor.page)
        line.send("Network.enable")
        line.on("Network.dataReceived", lambda part: came.append(part["encodedDataLength"]))
        visitor.go()
        visitor.page.locator(f"[data-play={game}]").click()
        visitor.until("mine", "waiting", "moving")
        expect(visitor.page.locator("[data-table] use").first).to_be_attached()
        assert visitor.view["players"] > 1
        assert 50_000 < sum(came) <= FIRST_LOAD
        assert visitor.complaints == []


def test_without_the_catalogue_the_server_words_everything(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.page.route(re.compile("/api/words"), lambda route: route.abort())
        visitor.go()
        visitor.page.locator("[data-play=tontine]").click()
        visitor.until("mine", "waiting", "moving")
        expect(visitor.page.locator("[data-table]")).to_contain_text(re.compile("deals? first\\."))


def test_without_the_catalogue_the_server_words_lessons_and_replays(browser: Browser, server: Server) -> None:
    table, _ = played_out(server, "heraldry", 2)
    with Visitor(browser, server) as visitor:
        visitor.page.route(re.compile("/api/words"), lambda route: route.abort())
        visitor.go(f"#replay={table}")
        expect(visitor.page.locator("[data-table]")).to_contain_text(re.compile("deals? first\\."))
        visitor.go("#learn=lost-heir")
        expect(visitor.page.locator(".lesson .say .saying")).to_be_visible()
        visitor.page.keyboard.press("l")
        expect(visitor.page.get_by_role("dialog")).to_contain_text(re.compile("deals? first\\."))


def test_without_the_catalogue_a_refusal_is_in_the_servers_words(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.page.route(re.compile("/api/words"), lambda route: route.abort())
        visitor.go("#replay=nowhere")
        expect(visitor.page.get_by_role("alert")).to_contain_text("There is no such table.")


def test_a_catalogue_that_never_comes_is_not_waited_for(browser: Browser, server: Server) -> None:
    unanswered: list[Route] = []
    with Visitor(browser, server) as visitor:
        visitor.page.clock.install()
        visitor.page.route(re.compile("/api/words"), lambda route: unanswered.append(route))
        visitor.go()
        visitor.page.locator("[data-play=tontine]").click()
        end = time.monotonic() + PATIENCE
        while not unanswered:
            assert time.monotonic() < end, "the page asks for no catalogue"
            visitor.page.clock.run_for(100)
            visitor.page.wait_for_timeout(50)
        visitor.page.clock.run_for(11_000)
        while visitor.doing not in ("mine", "waiting", "moving"):
            assert time.monotonic() < end, f"the table is {visitor.doing!r}"
            visitor.page.clock.run_for(200)
            visitor.page.wait_for_timeout(50)
        expect(visitor.page.locator("[data-table]")).to_contain_text(re.compile("deals? first\\."))


def test_after_a_reconnect_the_catalogue_is_asked_for_again(browser: Browser, server: Server) -> None:
    """A server that was updated in the meantime says other things."""

    def update(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        found["events"] = {key: pattern and f"{pattern} (new)" for key, pattern in found["events"].items()}
        route.fulfill(response=answer, json=found)

    wire = Wire(server.port)
    try:
        with Visitor(browser, server) as visitor:
            visitor.port = wire.port
            visitor.arrange("heraldry", 2)
            visitor.until("mine")
            visitor.page.route(re.compile("/api/words"), update)
            welcomes = len([each for each in visitor.messages if each["kind"] == "welcome"])
            wire.hang_up()
            end = time.monotonic() + PATIENCE
            while len([each for each in visitor.messages if each["kind"] == "welcome"]) == welcomes:
                assert time.monotonic() < end, "the page does not come back"
                visitor.page.wait_for_timeout(50)
            visitor.until("mine")
            visitor.take_one()
            expect(visitor.page.get_by_role("group", name="What happened")).to_contain_text("(new)")
    finally:
        wire.close()


def test_two_people_bots_and_a_spectator_at_one_table(browser: Browser, server: Server) -> None:
    with (
        Visitor(browser, server) as host,
        Visitor(browser, server, "phone") as guest,
        Visitor(browser, server) as other,
    ):
        host.host = ELSEWHERE  # as on a network at home, where the page is not held to be secure
        host.settings(name="Ada", pace="quick")
        for visitor in (guest, other):
            visitor.settings(pace="quick")
        host.go("#arrange=lost-heir")
        host.page.get_by_label("With friends, by a link").check()
        host.page.get_by_label("Bots take").select_option("0")
        host.page.get_by_role("combobox", name="Players").select_option("6")  # of whom each has few cards
        host.fill_in("deal_limit", 1)
        host.lay()
        link = host.page.get_by_role("textbox", name="Invite").input_value()
        assert "code=" in link and ELSEWHERE in link
        expect(host.page.get_by_role("img", name="The link as a code for a camera")).to_be_visible()

        guest.page.goto(link)
        guest.page.get_by_label("Your name").fill("Bert")
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(host.page.get_by_text("Bert", exact=True)).to_be_visible()
        host.page.get_by_role("button", name="Fill with bots").click()
        host.page.get_by_role("button", name="Start", exact=True).click()
        host.until("mine", "waiting")
        other.go(f"#table={host.table}")
        expect(other.page.get_by_text("You are watching.")).to_be_visible()
        assert "hand" not in other.view or other.view["hand"] == []

        play_together(host, guest)
        for visitor in (host, guest, other):
            visitor.until("over")
            # where a page is not held to be secure, one header more is of no use to it
            assert [each for each in visitor.complaints if "Cross-Origin-Opener-Policy" not in each] == []
        expect(other.steps()).to_have_count(0)
        record = server.ask("GET", f"/api/tables/{host.table}/record")[1]
        assert verify(record) is None
        # both people added entropy of their own to the deal
        assert [bool(each) for each in record["seal"]["entropy"]] == [True, True, False, False, False, False]

        # another game begins by itself as soon as both have come
        before = host.table
        host.page.get_by_role("button", name="Play again with everyone").click()
        guest.page.get_by_role("button", name="To the next game").click()
        for visitor in (host, guest):
            assert visitor.until("mine", "waiting") and visitor.table != before


def test_a_lost_connection_is_restored_in_mid_trick_without_a_reload(browser: Browser, server: Server) -> None:
    wire = Wire(server.port)
    try:
        with Visitor(browser, server) as visitor:
            visitor.port = wire.port
            visitor.arrange("lost-heir")
            visitor.page.evaluate("window.notReloaded = true")
            while not visitor.view["trick"]:
                assert visitor.until("mine", "over") == "mine"
                visitor.take_one()
                visitor.settle()
            visitor.until("mine")
            before = visitor.view
            wire.cut()
            expect(visitor.page.get_by_text("The connection is lost")).to_be_visible()
            visitor.take_one()  # it waits, and is asked for again when the line is back
            wire.open = True
            expect(visitor.page.get_by_text("The connection is lost")).to_be_hidden()
            visitor.page.wait_for_function("document.querySelector('[data-doing]').dataset.doing !== 'waiting'")
            visitor.finish()
            assert visitor.view["tricks_left"] < before["tricks_left"]
            assert visitor.page.evaluate("window.notReloaded") is True
    finally:
        wire.close()


def test_a_restart_of_the_server_shows_as_a_note_and_play_goes_on(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path / "data") as own, Visitor(browser, own) as visitor:
        visitor.arrange("heraldry")
        visitor.until("mine")
        hand = visitor.view["hand"]
        own.fixed = own.port
        assert own.stop() == 0
        expect(visitor.page.locator(".trouble")).to_be_visible()
        assert visitor.page.get_by_role("alert").count() == 0
        own.start()
        expect(visitor.page.locator(".trouble")).to_be_hidden()
        visitor.until("mine")
        assert visitor.view["hand"] == hand
        while visitor.view["hand"] == hand:
            visitor.take_one()
            visitor.settle()
            visitor.until("mine", "over")


def test_two_tabs_of_one_seat_show_the_same(browser: Browser, server: Server) -> None:
    """Also with a service worker between them and the server."""
    with Visitor(browser, server, service_workers="allow") as visitor:
        visitor.arrange("lost-heir")
        visitor.until("mine")
        first = visitor.page
        second = visitor.context.new_page()
        visitor.watch(second)
        second.goto(first.url)
        visitor.page = second
        visitor.until("mine")
        visitor.take_one()
        visitor.settle()
        visitor.until("mine", "over")
        visitor.page = first
        visitor.until("mine", "over")
        hands = [
            page.locator("[data-place=hand] [data-code]").evaluate_all(
                "cards => cards.map(card => card.dataset.code).sort()"
            )
            for page in (first, second)
        ]
        assert hands[0] == hands[1] and visitor.complaints == []


def test_the_back_button_leads_to_the_room_and_on_again(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.locator("[data-play=heraldry]").click()
        visitor.until("mine", "waiting", "moving")
        visitor.page.go_back()
        expect(visitor.page.get_by_role("heading", name="Parlour")).to_be_visible()
        expect(visitor.page.get_by_role("heading", name="Your games")).to_be_visible()
        visitor.page.get_by_role("link", name="Continue Heraldry").click()
        visitor.until("mine", "waiting", "moving")
        assert visitor.view["hand"] and visitor.complaints == []


def test_a_seat_is_carried_to_another_device(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as one, Visitor(browser, server, "phone") as other:
        one.go()
        one.arrange("lost-heir")
        one.page.get_by_role("button", name="More").click()
        one.page.get_by_role("button", name="Take my seat to another device").click()
        link = one.page.get_by_role("textbox", name="Take my seat to another device").input_value()
        other.page.goto(link)
        other.until("mine", "waiting")
        assert sorted(other.view["hand"]) == sorted(one.view["hand"])
        assert "carry" not in other.page.url


@pytest.mark.parametrize("game", mostly("lost-heir"))
def test_looking_back_with_all_hands_and_verifying_the_seal(browser: Browser, server: Server, game: str) -> None:
    with Visitor(browser, server, "phone") as visitor:
        visitor.arrange(game)
        assert visitor.finish() > 0
        table = visitor.table
        visitor.page.get_by_role("link", name="Replay").click()
        place = visitor.page.get_by_text("1 of ", exact=False).first
        expect(place).to_be_visible()
        for name in ("Next", "Next", "Back", "To the end"):
            visitor.page.get_by_role("button", name=name).click()
            visitor.settle()
        visitor.page.get_by_role("button", name="To the beginning").click()
        if game in ("masquerade", "lost-heir", "heraldry"):
            hands = visitor.page.locator("[aria-label^='The hand of'], [aria-label='Your hand']")
            expect(hands).to_have_count(FEW[game])
        visitor.page.get_by_role("button", name="Verify the seal").click()
        verdict = visitor.page.get_by_role("dialog", name="The seal holds")
        expect(verdict).to_be_visible()
        expect(verdict).to_contain_text("The commitment is the one that this device was shown")
        expect(verdict).to_contain_text("The last entry matches the one that this device was given.")
        verdict.get_by_role("button", name="Close").click()
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("link", name="Download the record").click()
        record = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert verify(record) is None and visitor.complaints == []

        # and a record that was touched does not hold
        record["log"][-1][-1] = "touched"
        visitor.page.route(f"**/api/tables/{table}/record", lambda route: route.fulfill(json=record))
        visitor.page.get_by_role("button", name="Verify the seal").click()
        expect(visitor.page.get_by_role("dialog", name="The seal does not hold")).to_be_visible()


def test_a_replay_says_you_to_the_player_and_to_nobody_else(browser: Browser, server: Server) -> None:
    table, token = played_out(server, "masquerade")
    with Visitor(browser, server) as player, Visitor(browser, server) as other:
        player.settings(seats=[seat_of("masquerade", table, token)])
        for visitor in (player, other):
            visitor.go(f"#replay={table}")
            visitor.page.get_by_role("button", name="To the end").click()
            log = visitor.page.get_by_role("group", name="What happened")
            expect(log).to_contain_text("You " if visitor is player else "Person 0 ")
            expect(log).not_to_contain_text("Person 0 " if visitor is player else "You ")


def test_a_replay_that_broke_off_is_continued(browser: Browser, server: Server) -> None:
    table, _ = played_out(server, "tontine", 12, options={"stake": 60}, deal=1)
    with Visitor(browser, server) as visitor:
        every, further = re.compile(r"/replay\?first="), re.compile(r"/replay\?first=[1-9]")
        visitor.page.route(every, lambda route: route.abort())
        visitor.go(f"#replay={table}")
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        visitor.page.unroute(every)
        visitor.page.route(further, lambda route: route.abort())
        visitor.page.get_by_role("button", name="Try again").click()
        expect(visitor.page.get_by_role("button", name="To the end")).to_be_visible()
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        visitor.page.get_by_role("button", name="To the end").click()
        visitor.page.unroute(further)
        visitor.page.get_by_role("button", name="Try again").click()
        expect(visitor.page.get_by_role("alert")).to_have_count(0)
        expect(visitor.page.get_by_role("group", name="What happened")).to_contain_text("outlive")


@pytest.mark.parametrize("game", GAMES)
def test_the_guided_hand(browser: Browser, server: Server, game: str) -> None:
    with Visitor(browser, server, "phone") as visitor:
        visitor.context.add_init_script(BY_ITSELF)
        visitor.go(f"#learn={game}")
        visitor.until("mine", "waiting", "over")
        taken = 0
        for _ in range(400):
            asked = visitor.page.evaluate(LESSON)
            if asked in ("step", "on", "play"):
                for wide, high in SMALL:
                    visitor.page.set_viewport_size({"width": wide, "height": high})
                    visitor.page.wait_for_function(WHOLE, arg=high)
            if asked == "play":
                break
            if asked == "moving":
                visitor.until("mine", "waiting", "resting", "over")
            elif asked:
                visitor.page.locator(".hinted[data-step]" if asked == "step" else ".lesson .chief").first.click()
                taken += asked == "step"
        expect(visitor.page.get_by_role("button", name="Now play it")).to_be_visible()
        assert taken >= 2 or game == "tontine"
        assert visitor.complaints == []


@pytest.mark.parametrize(("odd_cards", "wanted"), [("void", "card."), ("free", "or play an odd card.")])
def test_the_prompt_of_lost_heir_agrees_with_the_steps_offered(
    browser: Browser, server: Server, pytestconfig: pytest.Config, odd_cards: str, wanted: str
) -> None:
    """The line under the table says in words what the steps that are offered are, for a deal at least."""
    cities = {"N": "New York", "P": "Philadelphia", "B": "Boston", "C": "Chicago"}
    asked: list[str] = []
    whole = pytestconfig.getoption("--long")

    def all_seen() -> bool:
        follows = any(line.startswith("Follow") and line.endswith(wanted) for line in asked)
        return follows and all(any(line.startswith(begins) for line in asked) for begins in ("Bid", "Lead"))

    def told_of(codes: set[str]) -> set[str]:
        return {cities[code[0]] if code[1:].isdecimal() else "odd" for code in codes}

    with Visitor(browser, server) as visitor:
        visitor.arrange("lost-heir", number="4", deal_limit=6, odd_cards=odd_cards)
        while visitor.until("mine", "over") == "mine" and (whole or len(asked) < 13 or not all_seen()):
            line = visitor.page.locator(".next").inner_text()
            steps = [step.partition(" ")[::2] for step in visitor.offered]
            codes = {code for verb, code in steps if verb == "play"}
            hand = set(visitor.view["hand"])
            named = {city for city in cities.values() if city in line} | ({"odd"} if "odd" in line else set())
            if line.startswith("Bid"):
                assert ("pass", "") in steps
            elif line.startswith("Name"):
                assert {verb for verb, _ in steps} == {"trump"}
            elif line.startswith(("Lead a trump", "Follow")):
                assert told_of(codes) == named and codes
            elif line.startswith("You have no"):
                assert codes == hand and not named & told_of(hand)
            elif line == "Play one of the lit cards.":
                assert codes < hand
            else:
                assert line.startswith(("Lead any card.", "Play any card.", "No suit has been led yet"))
                assert codes == hand
            assert line.startswith("Lead") == (bool(codes) and not visitor.view["trick"])
            asked.append(line)
            visitor.take_one()
            visitor.settle()
    assert all_seen(), asked


def test_the_prompt_of_sovereign_agrees_with_the_steps_offered(browser: Browser, server: Server) -> None:
    asked = set()
    with Visitor(browser, server) as visitor:
        visitor.arrange("sovereign")
        while visitor.until("mine", "over") == "mine":
            line = visitor.page.locator(".next").inner_text()
            verbs = {step.partition(" ")[0] for step in visitor.offered}
            if line.startswith(("Give change", "You can give")):
                assert "offer" in verbs
            if line.startswith("You cannot give"):
                assert "offer" not in verbs and {"throw", "leave"} <= verbs
            if line.startswith(("Now take", "Take from")):
                assert verbs == {"take"}
            if "leave it" in line:
                assert "leave" in verbs
            asked.add(line.split(" ")[0])
            visitor.take_one()
            visitor.settle()
    assert asked & {"Give", "You"} and asked & {"Now", "Take"}


def test_an_illegal_card_says_why_before_it_is_tried(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("masquerade")
        barred = visitor.page.locator("[data-place=hand] .barred")
        for _ in range(60):
            assert visitor.until("mine", "over") == "mine"
            if barred.count():
                break
            visitor.take_one()
            visitor.settle()
        barred.first.hover()
        line = visitor.page.locator(".next.said")
        expect(line).to_contain_text("MASQ-")
        moves = visitor.view
        barred.first.click(force=True)  # it is only said to be disabled, so that it can be reached
        visitor.settle()
        assert visitor.view == moves
        line.get_by_role("button").click()
        clause = visitor.page.get_by_role("dialog")
        expect(clause).to_contain_text("MASQ-")
        visitor.page.keyboard.press("Escape")
        expect(clause).to_have_count(0)
        visitor.page.keyboard.press("r")
        book = visitor.page.get_by_role("dialog", name="The rule book: The Masquerade Game")
        expect(book).to_contain_text("damaged")
        scores = book.get_by_role("table", name="What scores, in points")
        for row in REGISTRY["masquerade"].sheet.scores:
            expect(scores.get_by_role("row", name=f"{row.points} {row.what}")).to_be_visible()
        expect(book).to_contain_text("No. 1 is the highest card of its suit")


def test_a_hint_has_a_reason_and_a_move_is_taken_back(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("heraldry", number="7")  # there is a choice in the first turn
        visitor.until("mine")
        before = visitor.view["hand"]
        visitor.page.get_by_role("button", name="Hint").click()
        expect(visitor.page.locator(".advice")).to_contain_text(":")
        expect(visitor.page.locator(".hinted[data-step]").first).to_be_visible()
        while visitor.view["hand"] == before:
            visitor.take_one()
            visitor.settle()
            visitor.until("mine", "over")
        visitor.page.get_by_role("button", name="Take back").click()
        visitor.settle()
        visitor.until("mine")
        assert visitor.view["hand"] == before and visitor.complaints == []


def test_a_hint_on_a_phone_takes_the_place_of_a_refusal_and_names_steps_in_words(
    browser: Browser, server: Server
) -> None:
    def join(line: WebSocketRoute) -> None:
        def carry(text: str | bytes) -> None:
            message = json.loads(text)
            for at, hint in enumerate(message.get("hints", []) if message["kind"] == "advice" else []):
                hint["score"] = 9 - at  # whether the figures differ depends on how long the server may think
            line.send(json.dumps(message))

        line.connect_to_server().on_message(carry)

    with Visitor(browser, server, "phone") as visitor:
        page = visitor.page
        page.route_web_socket("**/api/socket*", join)
        visitor.arrange("lost-heir", number="12")
        page.locator("[data-step='bid 17']").click()  # nobody can bid above it
        visitor.settle()
        visitor.until("mine")
        page.get_by_role("button", name="Hint").click()
        page.get_by_text("Why?").click()
        rows = page.locator(".advice table tbody th")
        expect(rows.first).to_have_text(re.compile("^Name (New York|Philadelphia|Boston|Chicago) as trumps$"))
        page.get_by_role("button", name="Close").click()  # opened, it lies over what can be chosen
        page.locator("[data-step^='trump ']").first.click()
        visitor.settle()
        visitor.until("mine")
        page.locator("[data-place=hand] [aria-disabled=true]").first.click(force=True)
        expect(page.locator(".said")).to_be_visible()
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".advice")).to_have_count(1)
        assert page.locator(".said").count() == 0  # at once: by itself it fades after nine seconds
        expect(page.locator(".advice")).to_be_visible()
        assert visitor.complaints == []


def test_a_numbered_deal_gives_everyone_the_same_cards(browser: Browser, server: Server) -> None:
    hands = []
    for _ in range(2):
        with Visitor(browser, server) as visitor:
            visitor.arrange("lost-heir", number="20261116")
            expect(visitor.page.locator(".bar")).to_contain_text("Deal No. 20261116")
            hands.append(visitor.view["hand"])
    assert hands[0] == hands[1] and len(hands[0]) == 12


def test_an_open_table_is_found_in_the_room_and_joined(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server, "phone") as guest:
        host.settings(name="Clara")
        host.go("#arrange=heraldry")
        host.page.get_by_label("Open to everyone here").check()
        host.page.get_by_role("combobox", name="Players").select_option("2")
        host.lay()
        expect(host.page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
        guest.settings(name="Dan")
        guest.go()
        guest.page.get_by_role("listitem").filter(has_text="Clara").get_by_role("link", name="Sit down").click()
        guest.page.get_by_role("button", name="Sit here").click()
        host.page.get_by_role("button", name="Start", exact=True).click()
        for visitor in (host, guest):
            visitor.until("mine", "waiting")
            assert len(visitor.view["hand"]) == 4 and visitor.complaints == []
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name="Leave: ").click()
        host.page.get_by_role("button", name="Leave", exact=True).click()
        expect(host.page.get_by_role("dialog")).to_have_count(0)
        expect(guest.page.get_by_text("played by a bot")).to_be_visible()


def test_without_a_server_the_page_still_opens_and_says_so(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path / "data") as own, Visitor(browser, own, service_workers="allow") as visitor:
        visitor.go()
        visitor.page.evaluate("navigator.serviceWorker.ready")
        visitor.page.reload()  # what it is made of is kept from now on
        expect(visitor.page.locator("[data-play]")).to_have_count(5)
        own.stop()
        # as before what plays without a server is kept, too; tests/site is about that
        visitor.page.evaluate("caches.open('parlour page 1').then((kept) => kept.delete('runtime/runtime.json'))")
        visitor.page.reload()
        expect(visitor.page.get_by_role("heading", name="Parlour")).to_be_visible()
        expect(visitor.page.locator("[data-play]")).to_have_count(5)
        visitor.page.locator("[data-play=tontine]").click()
        expect(visitor.page.get_by_role("alert")).to_have_text("The server cannot be reached just now.")


def test_a_jump_in_a_replay_ends_all_animations(browser: Browser, server: Server) -> None:
    table, _ = played_out(server, "lost-heir")
    with Visitor(browser, server) as visitor:
        visitor.go(f"#replay={table}")
        for name in ("To the beginning", "Next", "Next", "To the end", "Back", "Next", "To the beginning"):
            visitor.page.get_by_role("button", name=name).click()
        visitor.page.wait_for_timeout(1500)  # whatever was still moving would have come by now
        expect(visitor.page.get_by_text("No bid yet")).to_be_visible()
        expect(visitor.page.locator("[data-seat]").first).to_contain_text("12 cards")
        assert visitor.complaints == []
