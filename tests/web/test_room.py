"""The first minute: what the room says and offers, the form that lays a table, and addresses that lead nowhere."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from parlour.games import GAMES, REGISTRY
from support.browser import SIZES, Visitor, expect
from support.server import Server

LAPTOPS = {"laptop": (1280, 720), "desktop": (1280, 800)}
# cumulative layout shift: the largest sum over shifts that come together
SHIFTS = """
  window.shifted = 0;
  let [sum, first, last] = [0, -Infinity, -Infinity];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (startTime - last > 1000 || startTime - first > 5000) [sum, first] = [0, startTime];
      last = startTime;
      window.shifted = Math.max(window.shifted, sum += value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
"""
# what stands out of its box at the right
OUTSIDE = """box => [...box.querySelectorAll('a, button, select, label')]
  .filter(each => each.getBoundingClientRect().right > box.getBoundingClientRect().right - 6)
  .map(each => each.getAttribute('aria-label') ?? each.textContent)"""
# whether the text of one thing is clear of another
APART = """([one, other]) => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector(one));
  const [a, b] = [text.getBoundingClientRect(), document.querySelector(other).getBoundingClientRect()];
  return innerWidth === 640 && (a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom);
}"""
MOST_SHIFTED = 0.1  # what is called good
MOST_IN_PLAY = 0.25  # what is not yet called poor: a card that is drawn moves the whole hand


def late(route: Route) -> None:
    time.sleep(0.15)
    route.continue_()


def seated(server: Server, visitor: Visitor) -> dict[str, Any]:
    """The table where someone sits, as everyone may know it."""
    visitor.until("mine", "waiting", "moving")
    found: dict[str, Any] = server.ask("GET", f"/api/tables/{visitor.table}")[1]
    return found


@pytest.mark.parametrize("size", [*LAPTOPS, "phone"])
def test_the_room_describes_every_game_and_nothing_jumps(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    """Fonts, games and pictures come late, as they do from far away."""
    if size in LAPTOPS:
        monkeypatch.setitem(SIZES, size, LAPTOPS[size])
    with Visitor(browser, server, size, painted=True, new=True) as visitor:
        visitor.page.add_init_script(SHIFTS)
        for path in ("**/*.woff2", "**/api/**", "**/covers/**"):
            visitor.page.route(path, late)
        visitor.go()
        for game in GAMES:
            sheet = REGISTRY[game].sheet
            box = visitor.page.locator(f"article[data-game={game}]")
            for words in (sheet.like, f"{sheet.minutes} min", sheet.skill):
                expect(box).to_contain_text(words)
            place = box.bounding_box()
            assert place is not None
            if size in LAPTOPS:
                assert place["y"] + place["height"] <= LAPTOPS[size][1], f"{game} is not on the first screen"
        expect(visitor.page.get_by_text("No games yet. Games you play appear here.")).to_be_attached()
        expect(visitor.page.locator("[data-strength=tontine]")).to_have_count(0)
        visitor.page.wait_for_load_state("networkidle")
        visitor.rest()
        assert visitor.page.evaluate("shifted") < MOST_SHIFTED
        assert visitor.complaints == []


@pytest.mark.parametrize(("game", "size"), [*((game, "desktop") for game in GAMES), ("masquerade", "phone")])
def test_nothing_jumps_while_a_table_is_loaded(browser: Browser, server: Server, game: str, size: str) -> None:
    with Visitor(browser, server, size, painted=True) as visitor:
        visitor.go()
        visitor.page.locator(f"[data-play={game}]").click()
        visitor.until("mine", "over")  # so that nobody moves meanwhile
        visitor.page.add_init_script(SHIFTS)
        for path in ("**/*.woff2", "**/api/**", "**/faces/**"):
            visitor.page.route(path, late)
        visitor.page.reload()
        visitor.until("mine", "waiting", "moving")
        visitor.page.wait_for_load_state("networkidle")
        visitor.rest()
        assert visitor.page.evaluate("shifted") < MOST_SHIFTED
        visitor.page.evaluate("shifted = 0")
        for _ in range(3 if size == "desktop" else 0):  # on a phone a drawn card moves half the hand
            if visitor.until("mine", "over") == "over":
                break
            visitor.take_one()
            visitor.settle()
        visitor.until("mine", "over", "waiting")
        assert visitor.page.evaluate("shifted") < MOST_IN_PLAY
        assert visitor.complaints == []


def test_a_level_that_is_no_longer_offered_becomes_the_hardest(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        page, choice = visitor.page, visitor.page.locator("[data-strength=lost-heir]")
        visitor.go()
        expect(choice.locator("option")).to_have_text(["Easy", "Medium", "Hard"])
        page.evaluate("localStorage.setItem('parlour games 1', JSON.stringify({'lost-heir': {bots: 'champion'}}))")
        page.reload()
        expect(choice).to_have_value("expert")


def test_a_new_player_is_offered_the_lesson_once_and_choices_are_remembered(browser: Browser, server: Server) -> None:
    with Visitor(browser, server, new=True) as visitor:
        page, offer = visitor.page, visitor.page.get_by_role("dialog")
        visitor.go()
        page.locator("[data-play=lost-heir]").click()
        expect(offer).to_contain_text("Learn it in a few minutes")
        expect(offer.get_by_role("button", name="Learn it")).to_be_focused()
        page.keyboard.press("Escape")
        expect(offer).to_have_count(0)
        page.locator("article[data-game=lost-heir]").get_by_text("Partners").click()
        page.locator("[data-strength=lost-heir]").select_option(label="Hard")
        page.locator("[data-play=lost-heir]").click()
        offer.get_by_role("button", name="Just play").click()
        table = seated(server, visitor)
        assert table["options"]["sides"] == "two"
        assert [seat["bot"] for seat in table["seats"]] == ["", "expert", "expert", "expert"]
        visitor.until("mine")

        visitor.go()
        page.reload()
        strip = page.get_by_role("region", name="Unfinished games")
        expect(strip).to_contain_text("your turn · with 3 bots · started")
        expect(page.locator("[data-continue]")).to_have_count(1)  # only in the box of this game
        expect(page.locator("[data-continue=lost-heir]")).to_have_attribute("href", re.compile("#table="))
        expect(page.locator("[data-strength=lost-heir]")).to_have_value("expert")
        for width in (1280, 1000, 640, 360):  # with *Continue* there are three on a line, or more lines
            page.set_viewport_size({"width": width, "height": 720})
            assert page.locator("article[data-game=lost-heir]").evaluate(OUTSIDE) == []
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.get_by_role("radio", name="Partners")).to_be_checked()
        page.locator("[data-play=lost-heir]").click()  # this time at once
        assert seated(server, visitor)["options"]["sides"] == "two"

        visitor.go()
        page.locator("[data-play=tontine]").click()
        offer.get_by_role("button", name="Learn it").click()
        expect(page).to_have_url(re.compile("#learn=tontine"))
        visitor.go()
        page.locator("[data-play=tontine]").click()
        assert seated(server, visitor)["pace"]["bot"] == 0  # who has nothing to decide takes no time
        visitor.go()
        expect(strip.get_by_role("listitem")).to_have_count(3)
        strip.get_by_role("link", name="Continue Lost Heir").first.click()
        visitor.until("mine", "waiting", "moving")
        assert visitor.complaints == []


def test_play_rests_in_a_first_game_of_tontine_until_the_newcomer_goes_on(browser: Browser, server: Server) -> None:
    """Nothing is dealt before Begin, each deal stands until Next deal, and the key says what the cards do."""
    with Visitor(browser, server, new=True) as visitor:
        page = visitor.page
        visitor.go()
        page.locator("[data-play=tontine]").click()
        page.get_by_role("button", name="Just play").click()
        board = page.locator("[data-table]")
        on = page.locator("[data-go-on]")
        deals = 0
        while deals < 3:
            doing = visitor.until("resting", "mine")
            expect(board).to_contain_text(f"Deal {deals}" if deals else "Before the first deal")
            if doing == "mine":
                page.get_by_role("button", name="Turn up", exact=True).click()
            else:
                expect(on).to_have_text("Next deal" if deals else "Begin")
                if not deals:  # who listens hears what is to be done first
                    expect(on).to_be_focused()
                    page.set_viewport_size({"width": 640, "height": 360})
                    page.wait_for_function(APART, arg=[".deal", ".own"])
                    page.set_viewport_size({"width": 1280, "height": 800})
                on.click()
            deals += 1
            visitor.until("resting", "mine", "over")
        key = page.get_by_role("button", name="What each card does")
        for row in REGISTRY["tontine"].sheet.what_scores(REGISTRY["tontine"].options_for(12)):
            if row.cards:
                expect(key).to_contain_text(row.cards)
        key.click()
        expect(page.get_by_role("dialog")).to_contain_text("King: from the box")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Turn up by itself").click()
        page.get_by_text("instant", exact=True).click()
        assert visitor.until("over", "resting") == "over"
        visitor.go()
        page.locator("[data-play=tontine]").click()
        assert visitor.until("mine", "over", "resting") in ("mine", "over")


def test_the_form_asks_what_matters_and_folds_the_rest(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        asked: list[Any] = []
        visitor.page.on("request", lambda sent: asked.append(sent.post_data_json) if sent.method == "POST" else None)
        visitor.go("#arrange=sovereign", unfold=False)
        form, fold = visitor.page.locator(".arrange form"), visitor.page.locator(".arrange summary")
        expect(form.get_by_label("The bots")).to_have_value("steady")
        expect(form.get_by_label("Bots take")).to_be_hidden()
        expect(form.get_by_role("radio", name="Penny")).to_be_hidden()
        expect(form.get_by_role("button")).to_have_text(["Start"])  # no other is in sight
        variants = fold.filter(has_text="Rule variants")
        expect(variants).to_contain_text("usual rules")
        variants.click()
        expect(form.get_by_text("small_coin=penny")).to_be_hidden()  # labels are for people; programs' names are folded
        form.get_by_role("radio", name="Penny").check()
        expect(variants).to_contain_text("1 changed")
        fold.filter(has_text="More").click()
        today = form.get_by_role("button", name="Today's deal: No. ")
        number = int(today.inner_text().rpartition(" ")[2])
        today.click()
        expect(fold.filter(has_text="More")).to_contain_text(f"deal No. {number}")
        visitor.lay()
        table = seated(server, visitor)
        assert table["deal"] == number and number > 2026_00_00
        assert asked[0]["options"] == {"small_coin": "penny"}

        visitor.go("#arrange=heraldry", unfold=False)
        form.get_by_label("With friends, by a link").check()
        form.get_by_label("Your name").fill("Ada")
        expect(fold.filter(has_text="Pace")).to_contain_text("a bot takes over after two minutes")
        visitor.lay()
        expect(visitor.page.get_by_role("textbox", name="Invite")).to_be_visible()
        assert asked[-2]["person_seconds"] == 120  # the last is the person who sits down
        visitor.go()
        expect(visitor.page.get_by_role("region", name="Unfinished games")).to_contain_text("waiting for players")


def test_an_unknown_address_leads_to_the_room(browser: Browser, server: Server) -> None:
    with Visitor(browser, server, painted=True) as visitor:
        for path in ("no/such/page", "index.php"):
            visitor.go(path)
            expect(visitor.page.get_by_role("heading", name="Nothing here")).to_be_visible()
            assert visitor.axe() == []
            visitor.page.get_by_role("link", name="To the games").click()
            expect(visitor.page.locator("[data-play=tontine]")).to_be_visible()
        answer = visitor.context.request.get(visitor.address + "api/nothing", headers={"accept": "text/html"})
        assert answer.status == 404 and answer.json()["sentence"] == "There is nothing here by that name."
        visitor.complaints.clear()  # of the 404


def test_a_clause_is_opened_by_its_address_and_options_have_names_for_people(browser: Browser, server: Server) -> None:
    with Visitor(browser, server) as visitor:
        page = visitor.page
        page.goto(f"http://127.0.0.1:{server.port}/rules/sovereign/sov-11")
        expect(page.locator("#clause-SOV-11")).to_be_in_viewport()
        expect(page.locator("#clause-SOV-11 a.id")).to_have_attribute("href", "#rules=sovereign&clause=SOV-11")
        readings, sizes = (
            page.locator("section", has_text=title) for title in ("Rule variants (", "Length and stakes (")
        )
        expect(readings).to_contain_text("The smallest coin small_coin")
        expect(readings).to_contain_text("Sixpence")
        expect(sizes).to_contain_text("Games in a row games")
        expect(sizes).to_contain_text("3 for each player")
        expect(page.locator(".glossary")).to_contain_text("last struck in 1813")
        expect(page.locator("#clause-SOV-5a .evidence li").last).to_contain_text("usual choice: The words lean")
        expect(page.locator("#clause-SOV-5a .reading i")).to_have_text(["Set aside", "Under the surplus"])
        for part in (readings, sizes):
            expect(part).not_to_contain_text("penalty")
        visitor.go("#arrange=sovereign")
        price, mistakes = (page.locator(f"[aria-labelledby=reading-{name}]") for name in ("penalty", "mistakes"))
        expect(price).to_have_count(0)
        mistakes.locator("[value=penalised]").check()
        price.fill("3")
        page.locator("[aria-labelledby=reading-stake]").fill("2")
        page.get_by_role("button", name="Start").click()
        options = seated(server, visitor)["options"]
        assert (options["mistakes"], options["penalty"], options["stake"]) == ("penalised", 3, 2)
