"""The page when things go wrong: rubbish kept, nothing kept, links that lead nowhere, answers that are lost."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Browser, Route
from playwright.sync_api import Error as PlaywrightError

from support.browser import BOTS_TAKE, OPEN, PATIENCE, Visitor, Wire, expect, played_out, seat_of
from support.server import Server

NOTHING_KEPT = """() => {
  for (const name of ['getItem', 'setItem', 'removeItem'])
    Storage.prototype[name] = () => { throw new DOMException('no', 'SecurityError') };
}"""


def faults(visitor: Visitor) -> list[str]:
    """What the browser complains of, but for answers that are themselves refusals."""
    return [each for each in visitor.complaints if "Failed to load resource" not in each]


INVALID = [  # seats and settings
    ({"a": 1}, {"name": 7, "theme": "pink", "pace": None}),
    ("abc", []),
    ([None, {}, {}, 3, {"table": "t", "game": 1}], "x"),
    (2 * [{"table": "t", "game": "sovereign", "token": "x"}], {"later": 1}),
]


def test_invalid_stored_data_is_ignored(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        for seats, settings in INVALID:
            visitor.go()
            visitor.store(settings, seats)
            visitor.page.locator("[data-play=heraldry]").click()
            visitor.until("mine", "waiting", "moving")
            assert faults(visitor) == [], f"with {seats!r} and {settings!r}"


def test_texts_do_not_become_markup_or_scripts(browser: Browser, server: Server) -> None:
    """Trusted Types: only Svelte's templates, the drawn packs and our service worker pass."""
    with Visitor(browser, server, service_workers="allow") as visitor:
        visitor.go()
        visitor.page.evaluate("navigator.serviceWorker.ready")
        assert visitor.complaints == []
        for code in (
            "document.createElement('div').innerHTML = '<b>bold</b>'",
            "document.body.insertAdjacentHTML('beforeend', '<b>bold</b>')",
            "new DOMParser().parseFromString('<svg/>', 'image/svg+xml')",
            "document.createElement('script').src = '/sw.js'",
            "document.createElement('script').text = 'x = 1'",
            "trustedTypes.createPolicy('another', {})",
            "trustedTypes.createPolicy('parlour', {})",
        ):
            with pytest.raises(PlaywrightError, match=r"Trusted|policy|Policy"):
                visitor.page.evaluate(f"() => {{ {code} }}")
        end = time.monotonic() + PATIENCE
        while len(visitor.violations) < 7 and time.monotonic() < end:  # they are reported after the fact
            visitor.page.wait_for_timeout(20)
        assert len(visitor.violations) == 7
        visitor.complaints.clear()


SCRIPTS = """[
  [...document.scripts].filter((each) => each.type !== 'application/ld+json').length,  // one is data for catalogues
  'fooled' in window,
]"""


def test_a_drawing_with_a_script_in_it_is_not_shown(browser: Browser, server: Server) -> None:
    evil = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="x"/><script>window.fooled = 1</script></svg>'
    asked = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body=evil, content_type="image/svg+xml")

    with Visitor(browser, server) as visitor:
        visitor.page.route("**/faces/*.svg*", answer)
        visitor.go()
        visitor.page.locator("[data-play=heraldry]").click()
        visitor.until("mine", "waiting", "moving")
        end = time.monotonic() + PATIENCE
        while len(asked) < 2 and time.monotonic() < end:  # asked for again, as the first was refused
            visitor.page.wait_for_timeout(50)
        assert len(asked) >= 2
        assert visitor.page.evaluate(SCRIPTS) == [1, False]


def test_a_device_without_storage_can_play_and_join(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        host.page.add_init_script(f"({NOTHING_KEPT})()")
        guest.page.add_init_script(f"({NOTHING_KEPT})()")
        host.go("#arrange=masquerade")
        host.page.get_by_label("With friends, by a link").check()
        host.page.get_by_label("Your name").fill("Ada")
        host.page.get_by_label("Bots take").select_option("0")
        host.lay()
        guest.page.goto(host.page.get_by_role("textbox", name="Invite").input_value())
        guest.page.get_by_label("Your name").fill("Bert")
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(guest.page.get_by_text("Waiting for Ada")).to_be_visible()
        host.page.get_by_role("button", name="Fill with bots").click()
        host.page.get_by_role("button", name="Start", exact=True).click()
        turns = {host: 0, guest: 0}
        while min(turns.values()) < 2:
            for visitor in turns:
                if visitor.until("mine", "waiting") == "mine":
                    visitor.take_one()
                    visitor.settle()
                    turns[visitor] += 1
        assert faults(host) == faults(guest) == []


def test_a_link_that_leads_nowhere_says_so(browser: Browser, server: Server) -> None:
    places = ["rules=chess", "arrange=../../health", "learn=../games/masquerade", "rules=../tables", "replay=nothing"]
    places += ["table=" + 300 * "x", "table=../../x", "table=nothing&carry=x"]
    with Visitor(browser, server) as visitor:
        for place in places:
            visitor.go(f"#{place}")
            said = visitor.page.get_by_role("alert")
            expect(said, place).to_be_visible()
            text = said.inner_text()
            assert "undefined" not in text and "`" not in text and len(text) > 10, place
            visitor.page.get_by_role("link", name="Room").first.click()
            expect(visitor.page.locator("[data-play=tontine]"), place).to_be_visible()
            assert faults(visitor) == [], place


def test_a_part_of_the_page_that_cannot_be_loaded_says_so(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.route("**/assets/*.js", lambda route: route.abort())
        visitor.page.locator("[data-play=heraldry]").click()
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        visitor.page.unroute("**/assets/*.js")
        visitor.page.get_by_role("button", name="Try again").click()
        visitor.page.get_by_role("button", name="Fill with bots").click()
        visitor.page.get_by_role("button", name="Start", exact=True).click()
        visitor.until("mine", "waiting", "moving")


def test_a_board_that_cannot_be_loaded_says_so(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.route("**/assets/heraldry-*.js", lambda route: route.abort())
        visitor.page.locator("[data-play=heraldry]").click()
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        visitor.page.unroute("**/assets/heraldry-*.js")
        visitor.page.get_by_role("button", name="Try again").click()
        visitor.until("mine", "waiting", "moving")


def test_a_login_page_in_place_of_an_answer_is_a_sentence(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        hotel = "<html>Welcome to our hotel</html>"
        visitor.page.route("**/api/**", lambda route: route.fulfill(status=200, body=hotel))
        visitor.go()
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        assert faults(visitor) == []


def test_a_seat_is_not_lost_with_a_lost_answer(browser: Browser, server: Server) -> None:
    """The request arrives and its answer does not: pressed again, it is the same person who sits down."""
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        host.go("#arrange=masquerade")
        host.page.get_by_label("With friends, by a link").check()
        host.page.get_by_label("Your name").fill("Ada")
        host.lay()
        guest.page.goto(host.page.get_by_role("textbox", name="Invite").input_value())
        guest.page.route("**/seats*", lose)
        guest.page.get_by_label("Your name").fill("Bert")
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(guest.page.get_by_role("alert")).to_contain_text("cannot be reached")
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(guest.page.get_by_text("Waiting for Ada")).to_be_visible()
        expect(host.page.get_by_text("Bert", exact=True)).to_have_count(1)
        assert lost


def test_a_silent_connection_is_replaced(browser: Browser, server: Server) -> None:
    """Nothing comes through and nothing says so: the page says that it waits, and after seven seconds of silence it
    does not wait any longer, though the browser itself would, for a minute."""
    wire = Wire(server.port)
    try:
        with Visitor(browser, server) as visitor:
            visitor.port = wire.port
            visitor.page.clock.install()
            visitor.go()
            visitor.page.locator("[data-play=lost-heir]").click()
            turn_to(visitor, "mine")
            wire.hush()
            visitor.steps().first.click()
            visitor.page.clock.run_for(6_000)
            assert visitor.doing == "busy"
            expect(visitor.page.get_by_text("Waiting for the server")).to_be_visible()
            visitor.page.clock.run_for(2_000)
            turn_to(visitor, "waiting", "moving", "mine")  # it is laid again, and what was asked for is done
            assert faults(visitor) == []
    finally:
        wire.close()


def test_a_connection_that_never_opens_is_replaced(browser: Browser, server: Server) -> None:
    """Someone takes the call and says nothing: the page does not wait for ever, though the browser would."""
    wire = Wire(server.port)
    try:
        with Visitor(browser, server) as visitor:
            visitor.port = wire.port
            visitor.page.clock.install()
            visitor.go()
            visitor.page.locator("[data-play=lost-heir]").click()
            turn_to(visitor, "mine")
            wire.mute = True
            wire.hang_up()
            visitor.page.clock.run_for(5_000)
            expect(visitor.page.get_by_text("The connection is lost")).to_be_visible()
            wire.mute = False
            visitor.page.clock.run_for(11_000)
            turn_to(visitor, "mine")
            expect(visitor.page.get_by_text("The connection is lost")).to_have_count(0)
    finally:
        wire.close()


def turn_to(visitor: Visitor, *wanted: str) -> None:
    """Let the clock of the page run until the table is doing one of these; some seconds of our own at most."""
    for _ in range(150):
        if visitor.doing in wanted:
            return
        visitor.page.clock.run_for(200)
        visitor.page.wait_for_timeout(20)
    raise AssertionError(f"the table is {visitor.doing!r}")


def test_a_key_held_down_sends_one_request(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("lost-heir")
        visitor.until("mine")
        visitor.page.evaluate(
            """() => { for (const key of ['u', 'h']) for (let at = 0; at < 80; at++)
              document.body.dispatchEvent(new KeyboardEvent('keydown', { key, repeat: at > 0, bubbles: true })) }"""
        )
        visitor.settle()
        visitor.until("mine", "waiting", "moving")
        assert visitor.complaints == []
        assert 1 <= len([each for each in visitor.asked if each["kind"] in ("undo", "hint")]) <= 2


def test_a_seal_with_another_commitment_does_not_hold(browser: Browser, server: Server) -> None:
    table, token = played_out(server, "sovereign")
    seal = server.ask("GET", f"/api/tables/{table}/record")[1]["seal"]
    shown = {**seat_of("sovereign", table, token), "head": seal["head"], "commitment": seal["commitment"]}
    with Visitor(browser, server) as visitor:
        visitor.go(f"#replay={table}")
        for member, *said in (
            ("", "The seal holds", "The commitment is the one that this device was shown"),
            ("head", "does not hold", "The last entry does not match the one that this device"),
            ("commitment", "does not hold", "The commitment is not the one that this device"),
        ):
            visitor.settings(seats=[{**shown, member: 64 * "0"} if member else shown])
            visitor.page.get_by_role("button", name="Verify the seal").click()
            for words in said:
                expect(visitor.page.get_by_role("dialog")).to_contain_text(words)


def test_two_coins_clicked_at_once_are_not_confused(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.settings(pace="quick", name="Ada")
        visitor.go("#arrange=sovereign")
        visitor.page.get_by_label("Bots take").select_option("0")
        visitor.fill_in("mistakes", "penalised")
        visitor.lay()
        for _ in range(40):
            visitor.until("mine")
            coins = visitor.page.locator(".coins [data-step^='offer ']")
            if len({coin.get_attribute("data-step") for coin in coins.all()}) > 1:
                break
            visitor.take_one()
            visitor.settle()
        visitor.page.evaluate(
            """() => { const coins = [...document.querySelectorAll('.coins [data-step^="offer "]')];
              const other = coins.find(each => each.dataset.step !== coins[0].dataset.step);
              window.first = coins[0].getAttribute('aria-label'); coins[0].click(); other.click() }"""
        )
        visitor.settle()
        chosen = visitor.page.locator(".coins [aria-pressed=true]")
        assert [each.get_attribute("aria-label") for each in chosen.all()] == [visitor.page.evaluate("first")]


def test_the_focus_returns_when_a_sheet_is_closed(browser: Browser, server: Server) -> None:
    where = "document.activeElement?.dataset?.step ?? document.activeElement?.textContent ?? ''"
    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.get_by_role("button", name="Settings").focus()
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.get_by_role("dialog")).to_be_visible()
        visitor.page.keyboard.press("Escape")
        assert visitor.page.evaluate(where) == "Settings"
        visitor.arrange("lost-heir")
        visitor.until("mine")
        visitor.steps().first.focus()
        step = visitor.page.evaluate(where)
        for key in ("r", "s", "k", "l", "?"):
            visitor.page.keyboard.press(key)
            expect(visitor.page.get_by_role("dialog")).to_be_visible()
            visitor.page.keyboard.press("Escape")
            expect(visitor.page.get_by_role("dialog")).to_have_count(0)
            assert visitor.page.evaluate(where) == step, key


def test_a_player_by_keys_finds_the_first_step_focused(browser: Browser, server: Server) -> None:
    """Also when the board of the game is long on its way, and the first turn is there before it."""

    def dawdle(route: Route) -> None:
        time.sleep(0.3)
        route.continue_()

    with Visitor(browser, server) as visitor:
        visitor.go()
        visitor.page.route("**/assets/*.js", dawdle)
        visitor.page.locator("[data-play=lost-heir]").focus()
        visitor.page.keyboard.press("Enter")
        visitor.until("mine")
        assert visitor.page.evaluate("document.activeElement?.dataset?.step ?? ''")


# --- keys and focus ---------------------------------------------------------------------------------------------------


FOCUSED = "document.activeElement?.dataset?.step ?? document.activeElement?.textContent ?? ''"


def lay(visitor: Visitor, game: str, pace: str = "quick") -> None:
    """A table with bots that take no time; what they do is shown at a pace of one's own."""
    visitor.settings(pace=pace, name="Ada")
    visitor.go(f"#arrange={game}")
    visitor.page.locator(BOTS_TAKE).select_option("0")
    visitor.lay()
    visitor.until("mine")


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_key_that_hurries_plays_nothing(browser: Browser, server: Server, key: str) -> None:
    """Who presses a key to see things at rest has not seen yet what the same key would play."""
    with Visitor(browser, server, reduced_motion="no-preference") as visitor:
        lay(visitor, "heraldry", pace="slow")
        while visitor.doing == "mine":
            visitor.take_one()
            visitor.page.wait_for_timeout(100)
        visitor.until("moving", hurry=False)
        visitor.page.locator("[data-place=hand] [data-step]").first.focus()
        visitor.page.keyboard.down(key)
        visitor.page.wait_for_timeout(300)
        visitor.page.keyboard.up(key)
        visitor.page.wait_for_timeout(300)
        visitor.until("mine")
        assert visitor.page.locator("[data-place=hand] [aria-pressed=true]").count() == 0
        assert len(visitor.view["hand"]) == 3


def test_letter_shortcuts_can_be_switched_off(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        lay(visitor, "heraldry")
        sheet = visitor.page.get_by_role("dialog")
        visitor.page.keyboard.press("s")
        sheet.get_by_role("group", name="Keyboard shortcuts").get_by_label("off").check()
        visitor.page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        for key in ("s", "r", "l", "k", "?", "h"):
            visitor.page.keyboard.press(key)
        visitor.settle()
        assert sheet.count() == 0 and visitor.page.locator(".advice").count() == 0
        visitor.page.get_by_role("button", name="More").click()
        expect(sheet.get_by_text("the rule book")).to_have_count(0)
        sheet.get_by_role("button", name="Settings").click()
        sheet.get_by_role("group", name="Keyboard shortcuts").get_by_label("on").check()
        visitor.page.keyboard.press("Escape")
        visitor.page.keyboard.press("r")
        expect(sheet).to_have_accessible_name("The rule book: Heraldry")


def test_choosing_a_card_by_keys_focuses_its_first_capture(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        visitor.arrange("heraldry", 2, number="3", capture="choice")
        takes = visitor.page.locator(f"{OPEN}[data-step^='take ']")
        while not takes.count():
            assert visitor.until("mine", "over") == "mine", "no card could take more than one way"
            visitor.page.locator(f"[data-place=hand] {OPEN}").last.press("Enter")
            visitor.settle()
            visitor.until("mine", "over")
        assert visitor.page.evaluate(FOCUSED).startswith("take ")


def test_the_focus_is_not_lost_with_a_hint_or_a_verdict(browser: Browser, server: Server) -> None:
    table, _ = played_out(server, "sovereign")
    with Visitor(browser, server) as visitor:
        visitor.arrange("sovereign")
        visitor.until("mine")
        hint = visitor.page.get_by_role("button", name="Hint")
        hint.focus()
        visitor.page.keyboard.press("Enter")
        close = visitor.page.get_by_role("button", name="Close")
        expect(close).to_be_visible()
        assert visitor.page.evaluate(FOCUSED) == "Hint"
        close.press("Enter")
        assert visitor.page.evaluate(FOCUSED) == "Hint"
        visitor.go(f"#replay={table}")
        visitor.page.get_by_role("button", name="Verify the seal").press("Enter")
        expect(visitor.page.get_by_role("dialog")).to_contain_text("The seal holds")
        visitor.page.keyboard.press("r")  # the verdict lies there, and nothing is laid over it
        visitor.page.keyboard.press("Escape")
        expect(visitor.page.get_by_role("dialog")).to_have_count(0)
        assert visitor.page.evaluate(FOCUSED) == "Verify the seal"


def test_fast_play_is_announced_in_summary(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        lay(visitor, "tontine")
        visitor.page.evaluate(
            """() => { window.said = 0;
              new MutationObserver(() => window.said++).observe(document.querySelector('[data-announcer]'),
                { childList: true, characterData: true, subtree: true }) }"""
        )
        visitor.page.get_by_text("instant", exact=True).click()
        visitor.page.get_by_role("button", name="Turn up by itself").click()
        visitor.until("over")
        expect(visitor.page.locator("[data-announcer]")).to_contain_text("outlive")
        events = sum(len(news.get("events", [])) for news in visitor.news())
        assert 1 <= visitor.page.evaluate("window.said") < events / 10


def test_fast_play_waits_for_no_bot(browser: Browser, server: Server) -> None:
    """At their usual pace the bots of this sitting would take far longer than is waited for."""
    with Visitor(browser, server) as visitor:
        visitor.go("#arrange=tontine")
        visitor.fill_in("stake", 30)
        visitor.page.get_by_label("Number", exact=True).fill("1")
        visitor.lay()
        visitor.until("mine", "waiting", "moving")
        visitor.page.get_by_text("instant", exact=True).click()
        visitor.page.get_by_role("button", name="Turn up by itself").click()
        visitor.until("over")
        assert visitor.view["deal"] > 75


def test_moves_of_bots_before_the_board_loaded_are_shown(browser: Browser, server: Server) -> None:
    held: list[Route] = []
    with Visitor(browser, server, reduced_motion="no-preference") as visitor:
        visitor.settings(pace="slow", name="Ada")
        visitor.page.route("**/assets/lost-heir-*.js", lambda route: held.append(route))
        visitor.go("#arrange=lost-heir")
        visitor.page.get_by_label("Bots take").select_option("0")
        visitor.page.get_by_label("Number", exact=True).fill("1")
        visitor.lay()
        end = time.monotonic() + PATIENCE
        while not (held and any(news.get("legal") for news in visitor.news())):
            assert time.monotonic() < end, "no board is asked for, or it is nobody's turn"
            visitor.page.wait_for_timeout(50)
        for route in held:
            route.continue_()
        assert visitor.until("moving", "mine", hurry=False) == "moving"
        log = visitor.page.get_by_role("group", name="What happened")
        first = log.get_by_role("listitem").count()
        visitor.until("mine", hurry=False)
        assert log.get_by_role("listitem").count() > first


# --- people who come and go -------------------------------------------------------------------------------------------


def invited(host: Visitor) -> str:
    """A table for friends, laid by one of them; its link."""
    host.settings(name="Ada")
    host.go("#arrange=heraldry")
    host.page.locator("[name=who][value=friends]").check()
    host.page.locator(BOTS_TAKE).first.select_option("0")
    host.lay()
    return host.page.get_by_role("textbox", name="Invite").input_value()


def joined(host: Visitor, link: str) -> None:
    """Bert sits down at a table that has not begun, and has no page open there."""
    code = link.partition("code=")[2].partition("&")[0]
    assert host.server.ask("POST", f"/api/tables/{host.table}/seats", {"name": "Bert", "code": code})[0] == 201
    expect(host.page.get_by_text("Bert", exact=True)).to_be_visible()


def gathered(host: Visitor, guest: Visitor) -> None:
    """Two people at a table for more, which has not begun."""
    guest.settings(name="Bert")
    guest.page.goto(invited(host))
    guest.page.get_by_role("button", name="Sit here").first.click()
    expect(host.page.get_by_text("Bert", exact=True)).to_be_visible()
    expect(guest.page.get_by_role("button", name="Leave the table")).to_be_visible()


def start(host: Visitor) -> None:
    host.page.get_by_role("button", name="Fill with bots").click()
    host.page.get_by_role("button", name="Start", exact=True).click()


def test_an_unfinished_sitting_is_listed_with_its_players(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host:
        joined(host, invited(host))
        start(host)
        host.until("mine", "waiting", "moving")
        host.go()
        waiting = host.page.get_by_role("region", name="Unfinished games")
        expect(waiting).to_contain_text("with Bert and 2 bots")


def test_a_link_that_works_on_this_machine_only_says_so(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host:
        host.go("#arrange=heraldry")
        warned = host.page.get_by_text("Parlour runs for this machine only")
        expect(warned).to_have_count(0)
        host.page.locator("[name=who][value=friends]").check()  # before there is a table that others cannot reach
        expect(warned).to_be_visible()
        invited(host)
        expect(host.page.get_by_text("works on this machine only")).to_be_visible()
        expect(host.page.get_by_role("img", name="The link as a code for a camera")).to_have_count(0)


def test_a_player_whose_leaving_is_refused_keeps_the_seat(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        gathered(host, guest)
        # the host starts while the guest's page does not know it yet
        guest.page.evaluate(
            """() => { const send = WebSocket.prototype.send;
              const held = [];
              WebSocket.prototype.send = function (text) { held.push(() => send.call(this, text)) };
              window.release = () => { WebSocket.prototype.send = send; held.forEach((each) => each()) } }"""
        )
        guest.page.get_by_role("button", name="Leave the table").click()
        guest.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
        start(host)
        guest.until("mine", "waiting", "moving")
        guest.page.evaluate("release()")
        guest.told("refused")
        assert guest.until("mine", "waiting", "moving") and len(guest.kept()) == 1


def test_a_removed_player_looks_on_and_sits_down_again(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        gathered(host, guest)
        host.page.get_by_role("button", name="More: Bert").click()
        host.page.get_by_role("button", name="Remove Bert").click()
        expect(guest.page.get_by_role("alert")).to_contain_text("This seat is not yours any more.")
        guest.page.get_by_role("button", name="Watch").click()
        guest.page.get_by_role("button", name="Sit here").first.click()
        expect(guest.page.get_by_text("Waiting for Ada")).to_be_visible()
        assert len(guest.kept()) == 1


@pytest.mark.parametrize("words", ["come late", "cannot be had"])
def test_a_guest_reads_why_a_table_is_gone(browser: Browser, server: Server, words: str) -> None:
    """The server closes the line right after it has said why, while the page still fetches the words for it."""
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        gathered(host, guest)
        asked: list[Route] = []
        guest.page.route(re.compile(r"/api/words/heraldry\?language"), lambda route: asked.append(route))
        token = host.kept()[0]["token"]
        assert server.ask("DELETE", f"/api/tables/{host.table}", token=token)[0] == 204
        end = time.monotonic() + PATIENCE
        while not asked:
            assert time.monotonic() < end, "the page asks for no words"
            guest.page.wait_for_timeout(50)
        guest.page.wait_for_timeout(500)  # the line is closed by now
        for route in asked:
            route.continue_() if words == "come late" else route.abort()
        # without the words from the server, those that the page keeps to play alone are used, if it has them
        expect(guest.page.get_by_role("alert")).to_have_text("The host has deleted this table.", use_inner_text=True)


def test_the_host_gives_the_seat_of_an_absent_player_to_a_bot(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        gathered(host, guest)
        start(host)
        host.until("mine", "waiting", "moving")
        guest.page.close()
        for _ in range(40):
            if host.until("mine", "waiting") == "mine":
                host.take_one()
                host.settle()
            elif host.page.get_by_text("Bert is away").count():
                break
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name="Give Bert's seat to a bot").click()
        host.page.get_by_role("button", name="Give the seat to a bot").click()
        expect(host.page.get_by_role("dialog")).to_have_count(0)
        host.until("mine")


def test_the_host_ends_a_game_and_everyone_sees_the_scores_so_far(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as host, Visitor(browser, server) as guest:
        gathered(host, guest)
        start(host)
        host.until("mine", "waiting", "moving")
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name="End the game").click()
        host.page.get_by_role("dialog", name="End this game").get_by_role("button", name="End the game").click()
        for visitor in (host, guest):
            visitor.until("over")
            expect(visitor.page.get_by_text("The host has ended the game.")).to_be_visible()
            expect(visitor.page.get_by_role("link", name="Replay")).to_be_visible()
        assert guest.page.get_by_role("button", name="End the game").count() == 0
        host.page.get_by_role("link", name="Replay").click()
        expect(host.page.get_by_text("Verify")).to_be_visible()


def test_choices_that_are_not_shown_are_not_sent(browser: Browser, server: Server) -> None:
    """Readings for another number of players, and what is for friends alone, are forgotten with what showed them."""
    with Visitor(browser, server) as visitor:
        asked: list[dict[str, object]] = []
        visitor.page.on("request", lambda sent: asked.append(sent.post_data_json) if sent.method == "POST" else None)
        visitor.go("#arrange=lost-heir")
        visitor.page.get_by_label("With friends, by a link").check()
        visitor.page.get_by_label("A bot takes over for a player who does not respond").select_option("30")
        visitor.page.get_by_role("combobox", name="Players").select_option("6")
        visitor.fill_in("sides", "three")
        visitor.page.get_by_role("combobox", name="Players").select_option("4")
        visitor.page.get_by_label("Alone, with bots").check()
        expect(visitor.page.locator("[name=sides]:checked")).to_have_count(1)
        visitor.lay()
        visitor.until("mine", "waiting", "moving")
        assert asked[0]["options"] == {} and "person_seconds" not in asked[0]
