"""The static edition in a real browser: the same records as anywhere, offline, from one file, or damaged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from parlour import check
from parlour.games import GAMES
from parlour.games import game as game_of
from parlour.server import static
from parlour.site import making
from support.browser import BOTS_TAKE, LAY, MET, SHORT, STORED_AT_FIRST, UNFOLD, UNTIL, WAIT
from support.server import Server
from support.static import served
from support.wait import wait_until

HERE = Path(__file__).parent
PLAYER = (HERE / "player.js").read_text()
OPEN = "[data-step]:not([aria-disabled=true]):not(:disabled):visible"
KEPT = "caches.open('parlour page 1').then((kept) => kept.match('parlour-kept')).then(Boolean)"
DEAL = 1887


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static edition."""
    made = tmp_path_factory.mktemp("site") / "made"
    assert making.note()["compiled"], "./test compiles the runtime; python tools/runtime.py does it alone"
    making.make(made)
    return made


@pytest.fixture(scope="module")
def edition(folder: Path) -> Iterator[str]:
    """Its address."""
    with served(folder) as address:
        yield address


def context_of(browser: Browser, **more: Any) -> BrowserContext:
    """A device that has met the games."""
    context = browser.new_context(reduced_motion="reduce", **more)
    context.set_default_timeout(WAIT)
    context.add_init_script(f"({STORED_AT_FIRST})({json.dumps(MET)})")
    return context


def play_from_the_room(page: Page, game: str) -> None:
    """Choose a game in the room, and wait for one's turn."""
    page.locator(f"[data-play={game}]").click()
    expect(page.locator(OPEN).first).to_be_visible(timeout=WAIT)


def whole_sitting(page: Page) -> None:
    """Take the first step that can be taken, until the sitting is over."""
    while page.evaluate(UNTIL, [["mine", "over"], WAIT, True]) == "mine":
        page.locator(OPEN).first.click()
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 20))")


def told(game: str, level: str) -> Any:
    """The record of the same table in this Python."""
    command = [sys.executable, str(HERE / "told.py"), game, str(DEAL), level]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["record"]


def same_everywhere(record: dict[str, Any]) -> str:
    """A record without the date on which its table was opened, and what is secret to a table."""
    return json.dumps({name: value for name, value in record.items() if name not in ("seal", "source")})


@pytest.mark.parametrize(
    ("interpreted", "games", "level"),
    [
        (False, GAMES, "novice"),
        (True, ("heraldry",), "thumb"),
        pytest.param(True, GAMES, "thumb", marks=pytest.mark.long),
        pytest.param(False, GAMES, "expert", marks=pytest.mark.long),
    ],
    ids=["compiled", "interpreted", "interpreted-all", "expert"],
)
def test_the_same_deal_and_choices_give_the_same_record_in_the_browser_as_here(
    browser: Browser, edition: str, interpreted: bool, games: tuple[str, ...], level: str
) -> None:
    with context_of(browser, service_workers="block") as context:
        page = context.new_page()
        page.goto(f"{edition}licences.txt")  # no page that starts a Worker of its own
        tables = [{"game": name, "players": game_of(name).sheet.usual, "deal": DEAL, "level": level} for name in games]
        found = page.evaluate(PLAYER, {"tables": tables, "interpreted": interpreted})
    assert found["how"] == {"compiled": not interpreted, "trouble": ""}
    assert [each["game"] for each in found["tables"]] == list(games)
    for each in found["tables"]:
        assert check(each["record"]) is None
        assert same_everywhere(each["record"]) == same_everywhere(told(each["game"], level))


def test_a_damaged_module_leads_to_the_interpreted_engine_and_the_page_says_so(
    browser: Browser, edition: str, folder: Path
) -> None:
    note = json.loads((folder / "runtime" / making.NOTE).read_text())
    with context_of(browser, service_workers="block") as context:
        page = context.new_page()
        # an engine that plays otherwise looks to the Worker as one of which a byte has changed
        page.route("**/runtime.json", lambda route: route.fulfill(json=note | {"proof": "0" * 64}))
        page.goto(edition)
        expect(page.get_by_role("alert")).to_contain_text("run slowly in this browser", timeout=WAIT)
        expect(page.locator("[data-play=heraldry]")).to_be_visible()
        expect(page.locator("[data-strength=heraldry]")).to_have_count(0)  # there is no level to choose
        play_from_the_room(page, "heraldry")


def test_the_static_edition_is_played_replayed_and_kept_and_friends_need_a_server(
    browser: Browser, edition: str
) -> None:
    complaints: list[str] = []
    with context_of(browser) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(edition)
        play_from_the_room(page, "heraldry")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".advice")).to_be_visible()
        place = page.url
        page.reload()  # what was played is kept
        expect(page.locator(OPEN).first).to_be_visible()
        assert page.url == place
        page.goto(f"{edition}#rules=heraldry&clause=HER-1")
        expect(page.get_by_role("heading", name="Heraldry")).to_be_visible()
        page.goto(f"{edition}#arrange=heraldry")
        page.get_by_label("With friends").check()
        page.get_by_label("Your name").fill("Ada")
        page.locator(".arrange [type=submit]").click()
        expect(page.get_by_role("alert")).to_contain_text("needs a server")
    assert complaints == []


def test_without_a_connection_the_static_edition_goes_on(browser: Browser, folder: Path) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        with served(folder) as address:
            page.goto(address)
            wait_until(lambda: page.evaluate(KEPT), "the files that the page keeps")
        context.set_offline(True)
        goes_on(page, address)


def test_without_its_server_the_served_page_goes_on(browser: Browser, tmp_path: Path) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        with Server(tmp_path / "data") as server:
            address = f"http://127.0.0.1:{server.port}/"
            page.goto(address)
            wait_until(lambda: page.evaluate(KEPT), "the files that the page keeps")
        context.set_offline(True)
        goes_on(page, address)


def goes_on(page: Page, address: str) -> None:
    """A new game, its rules and a lesson, without a connection; and the game is still there after that."""
    # a very busy browser now and then gives up a part of the page that it keeps; a person would try again, too
    again = page.get_by_role("button", name="Try again")
    page.add_locator_handler(again, lambda: again.click(), times=2, no_wait_after=True)
    page.goto("about:blank")
    page.goto(address)
    play_from_the_room(page, "lost-heir")
    place = page.url
    assert "#table=%7E" in place
    page.goto(f"{address}#rules=tontine")
    expect(page.get_by_role("heading", name="Tontine")).to_be_visible()
    page.goto(f"{address}#learn=heraldry")
    expect(page.locator(OPEN).first).to_be_visible()
    page.goto("about:blank")
    page.goto(place)
    expect(page.locator(OPEN).first).to_be_visible()


@pytest.mark.parametrize(
    "game", [name if name == "sovereign" else pytest.param(name, marks=pytest.mark.long) for name in GAMES]
)
def test_a_whole_sitting_is_played_from_one_file_without_any_network(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    path = tmp_path / "parlour.html"
    assert making.one_file(path) < 9.5e6
    asked: list[str] = []
    with context_of(browser, offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + f"#arrange={game}")
        page.locator(LAY).wait_for()
        page.evaluate(UNFOLD)
        page.locator(BOTS_TAKE).select_option("0")
        for option, value in SHORT[game].items():
            field = page.locator(f"[aria-labelledby='reading-{option}']")
            field.fill(str(value))
            field.blur()
        page.locator(LAY).click()
        whole_sitting(page)
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data"}


def test_only_the_worker_may_compile(tmp_path: Path) -> None:
    """The policy of the page itself stays as strict as it was."""
    import urllib.request

    with Server(tmp_path / "data") as server:
        for name, allowed in (("", False), ("alone.js", True), ("runtime/runtime.json", False)):
            with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{name}") as answer:
                policy = answer.headers["content-security-policy"]
                assert ("'wasm-unsafe-eval'" in policy) is allowed and "unsafe-inline" not in policy


def test_a_list_of_what_is_kept_names_files_that_are_there(folder: Path) -> None:
    files = json.loads((folder / "kept.json").read_text())["files"]
    assert len(files) > 50 and all((folder / name).exists() for name in files)
    assert static.RUNTIME.is_dir()
