"""For tests of the page: a real Chromium, and people in front of it, with a mouse, with keys, or by names alone."""

from __future__ import annotations

import json
import random
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocket, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from parlour.games import GAMES, REGISTRY
from support.server import Person, Server

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"desktop": (1280, 800), "tablet": (820, 1180), "phone": (390, 844)}
PATIENCE = 120.0  # seconds: a bound against hanging, far more than anything takes on a busy machine
WAIT = 60_000  # milliseconds, for one thing to be seen
ELSEWHERE = "parlour.test"  # how other machines would call this one, so that no address of this machine alone is used
expect.set_options(timeout=WAIT)
OPEN = "[data-step]:not([aria-disabled=true]):not(:disabled):visible"  # a step that can be taken
# in the form that lays a table, where a test is not about the form
BOTS_TAKE, NUMBER, LAY = ".arrange select:has([value='0'])", ".arrange [max='1000000000']", ".arrange [type=submit]"
# cards whose names mean other things too, or are said of all
WORDS = ("Harlequin, Masquerader No. 1", "Lost Heir", "Wrong Boy", "Sovereign")
SHORT: dict[str, dict[str, int]] = {game: {} for game in REGISTRY} | {
    "masquerade": {"games": 1},
    "lost-heir": {"deal_limit": 1},
    "sovereign": {"games": 2},  # in one it can be over before one's turn has come
    "tontine": {"stake": 8},
}
# players, for a short sitting
FEW = {name: game.sheet.usual for name, game in REGISTRY.items()} | {"sovereign": 3, "heraldry": 6, "tontine": 6}
# fades take their time even where less motion is wanted: a test that does not look at them need not wait for them
AT_ONCE = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: 1, delay: 0 });
  };
"""
# what the policy of the server forbids is a complaint, also where the page itself takes no notice
VIOLATION = "forbidden by the policy:"
POLICED = f"""
  addEventListener('securitypolicyviolation', (event) =>
    console.error('{VIOLATION}', event.effectiveDirective, event.blockedURI, event.sample));
"""
# what no test looks at is not painted: in software that is a third of what a sitting costs
UNPAINTED = """
  const rule = new CSSStyleSheet();
  rule.replaceSync('body { opacity: 0 } use { display: none }');
  document.adoptedStyleSheets = [rule];
"""
# the drawings of a pack are thousands of elements: where no card is painted they stay out of the page
UNDRAWN = """
  const importNode = Document.prototype.importNode;
  Document.prototype.importNode = function (node, deep) {
    return importNode.call(this, node, deep && !node.classList?.contains('unseen'));
  };
"""
# for a page that is not open yet, and only where nothing is stored: it is run with every page that is loaded
STORED_AT_FIRST = """(stored) => {
  if (location.protocol !== 'about:' && Object.keys(stored).every((key) => localStorage.getItem(key) === null))
    Object.assign(localStorage, stored);
}"""
# those who are new are offered more at the first game of each kind, and play rests for them
MET = {"parlour games 1": json.dumps({game: {"met": True, "eased": True} for game in GAMES})}
UNFOLD = "document.querySelectorAll('.arrange details').forEach((each) => { each.open = true })"
DOING = "document.querySelector('[data-doing]')?.dataset.doing ?? ''"
# resolves with what the table is doing once that is one of the wanted, or after a while; a key hurries what moves, and
# the next deal is begun unless the result of a deal is wanted
UNTIL = """([wanted, milliseconds, hurry]) => new Promise((resolve) => {
  const doing = () => document.querySelector('[data-doing]')?.dataset.doing ?? '';
  const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
  const on = () => {
    if (doing() === 'resting' && !wanted.includes('resting')) document.querySelector('[data-go-on]')?.click();
    else if (hurry && doing() === 'moving') press();
  };
  const hurrying = setInterval(on, 20);
  const end = () => { observer.disconnect(); clearTimeout(timer); clearInterval(hurrying); resolve(doing()) };
  const look = () => { if (wanted.includes(doing())) end() };
  const observer = new MutationObserver(look);
  const timer = setTimeout(end, milliseconds);
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ['data-doing'] });
  look();
})"""
# the steps that can be taken; of a move that is begun, those that go on with it: a person would not begin another
STEPS = """
  const open = [...document.querySelectorAll('[data-step]:not([aria-disabled=true]):not(:disabled)')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const taking = open.filter((each) => each.dataset.step.startsWith('take '));
  const steps = taking.length ? taking : open;
"""
CHOSEN = f"(luck) => {{ {STEPS} return steps[Math.floor(luck * steps.length)] }}"  # one of them, by a number up to 1
GOING_ON = f"() => {{ {STEPS} return [taking.length ? 'take ' : '', steps.length] }}"  # how they begin, how many
RESTING = """() => {
  const ending = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 10_000);
  return Promise.allSettled(ending.map((each) => each.finished)).then(() => true);
}"""
# what lies under a dialog cannot be reached; the drawings, thousands of elements that nobody is shown, are the same on
# every screen of a game
AUDIT = """async (drawings) => {
  const unseen = drawings ? null : document.querySelector('body > svg:has(symbol)');
  unseen?.remove();
  const shown = document.querySelector('dialog:modal') ?? document;
  const found = await axe.run(shown, { resultTypes: ['violations'] });
  if (unseen) document.body.append(unseen);
  return found;
}"""
FOCUS = """() => {
  const at = document.activeElement;
  const hand = at?.closest('[data-place=hand]');
  const can = at?.dataset?.step !== undefined && at.getAttribute('aria-disabled') !== 'true' && !at.disabled;
  return { can, step: at?.dataset?.step ?? '', inside: !!hand, size: hand?.querySelectorAll('button').length ?? 0 };
}"""


def mostly(*games: str) -> list[Any]:
    """All games, of which those that are not named are played with --long only."""
    return [game if game in games else pytest.param(game, marks=pytest.mark.long) for game in GAMES]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first needs least
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "the tests of the page need Chromium; ./test installs it"
    quiet = [
        "--no-sandbox",
        "--disable-gpu",
        "--in-process-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
    ]
    with sync_playwright() as playwright:
        named = f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=found, args=[*quiet, "--disable-component-update", named])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Someone in front of a browser."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        size: str = "desktop",
        painted: bool = False,
        new: bool = False,
        **more: Any,
    ) -> None:
        """`painted` is for tests that look at the page, and for axe, which judges what is painted.

        A device that is `new` has not met any game; every other plays without being asked whether to learn it first.
        """
        width, height = SIZES[size]
        if size == "phone":
            more = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, **more}
        still = more.setdefault("reduced_motion", "reduce") == "reduce"
        more.setdefault("service_workers", "block")  # one would fetch the whole page again, for each visitor
        self.server = server
        self.host, self.port = "127.0.0.1", server.port
        self.context = browser.new_context(viewport={"width": width, "height": height}, **more)
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(POLICED)
        if still:
            self.context.add_init_script(AT_ONCE)
        if not new:
            self.context.add_init_script(f"({STORED_AT_FIRST})({json.dumps(MET)})")
        if not painted:
            self.context.add_init_script(UNPAINTED)
            self.context.add_init_script(UNDRAWN)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []  # of the browser: errors, refused requests
        self.requests: list[str] = []
        self.messages: list[dict[str, Any]] = []  # of the socket, as they came
        self.asked: list[dict[str, Any]] = []  # over the socket
        self.luck = random.Random(size)
        self.watch(self.page)

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            assert self.violations == []

    @property
    def violations(self) -> list[str]:
        """What the policy of the server forbade."""
        return [each for each in self.complaints if each.startswith(VIOLATION)]

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complain(line.type, line.text))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", self.listen)

    def complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "Service Worker registration blocked" not in text:
            self.complaints.append(text)

    def listen(self, socket: WebSocket) -> None:
        self.requests.append(socket.url)
        socket.on("framereceived", lambda frame: self.messages.append(json.loads(frame)))
        socket.on("framesent", lambda frame: self.asked.append(json.loads(frame)))

    # where they are

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def go(self, place: str = "", unfold: bool = True) -> None:
        """Go to a place; of the form that lays a table everything is unfolded, unless a test is about that."""
        self.page.goto(self.address + place)
        if unfold and place.removeprefix("#arrange=") in REGISTRY:
            self.page.locator(LAY).wait_for()
            self.page.evaluate(UNFOLD)

    def lay(self) -> None:
        """Lay the table that the form describes."""
        self.page.locator(LAY).click()

    @property
    def table(self) -> str:
        """The name of the table in the address."""
        return self.page.url.partition("table=")[2].partition("&")[0]

    @property
    def doing(self) -> str:
        now: str = self.page.evaluate(DOING)
        return now

    @property
    def view(self) -> dict[str, Any]:
        """What this seat was sent last."""
        found: dict[str, Any] = next(news["view"] for news in self.news() if news.get("view"))
        return found

    @property
    def offered(self) -> list[str]:
        """The names of the steps that this seat was offered last."""
        return [choice["name"] for choice in next(self.news()).get("legal", [])]

    def news(self) -> Iterator[dict[str, Any]]:
        """All news that came, the newest first; the first of all came with a welcome."""
        told = (message.get("news", message) for message in reversed(self.messages))
        return (each for each in told if each["kind"] == "news")

    def until(self, *wanted: str, seconds: float = PATIENCE, hurry: bool = True) -> str:
        """Wait until the table is doing one of these; what moves is hurried, unless it is to be seen."""
        end = time.monotonic() + seconds
        while (now := self.doing_within(wanted, 1000, hurry)) not in wanted:
            assert time.monotonic() < end, f"the table is {now!r} and does not come to be {wanted}"
        return now

    def doing_within(self, wanted: Sequence[str], milliseconds: int, hurry: bool = False) -> str:
        """Wait for one of these states and return it, or after a while the state that there is."""
        try:
            return str(self.page.evaluate(UNTIL, [wanted, milliseconds, hurry]))
        except PlaywrightError as error:
            # a busy browser now and then drops the promise of a script that waits
            if "garbage collected" not in str(error):
                raise
            return self.doing

    def round_trips(self) -> list[int]:
        """For each move that was made, how many requests the click that completed it took."""
        asked = [each for each in self.asked if each["kind"] in ("follow", "act")]
        before = [[], *(each.get("prefix", []) for each in asked)]
        return [
            1 + (prefix == each["move"]) for prefix, each in zip(before, asked, strict=False) if each["kind"] == "act"
        ]

    def told(self, kind: str) -> None:
        """Wait until the server has sent a message of a kind."""
        end = time.monotonic() + PATIENCE
        while not any(message["kind"] == kind for message in self.messages):
            assert time.monotonic() < end, f"the server sends no message of kind {kind!r}"
            self.page.wait_for_timeout(15)

    # a table of one's own

    def arrange(self, game: str, players: int | None = None, number: str = "", **options: Any) -> None:
        """Lay a table for oneself and bots that take no time, through the form; a number deals known cards."""
        self.settings(pace="quick", name="Ada")
        self.go(f"#arrange={game}")
        self.page.locator(".arrange form > .row select").first.select_option(str(players or FEW[game]))
        self.page.locator(BOTS_TAKE).select_option("0")
        for name, value in {**SHORT[game], **options}.items():
            self.fill_in(name, value)
        if number:
            self.page.locator(NUMBER).fill(number)
        self.lay()
        self.until("mine", "waiting", "over")

    def fill_in(self, option: str, value: Any) -> None:
        field = self.page.locator(f"[aria-labelledby='reading-{option}']")
        if isinstance(value, str):
            field.locator(f"[value='{value}']").check()
            return
        field.fill(str(value))
        field.blur()

    def settings(self, seats: Any = None, **chosen: Any) -> None:
        """Choose settings, and have seats; a page that is open is loaded again."""
        self.store(chosen, seats or [])

    def store(self, settings: Any, seats: Any) -> None:
        """Have settings and seats stored on this device, whatever they are."""
        stored = {"parlour settings 1": json.dumps(settings), "parlour seats 1": json.dumps(seats)}
        if self.page.url == "about:blank":
            self.context.add_init_script(f"({STORED_AT_FIRST})({json.dumps(stored)})")
        else:
            self.page.evaluate("stored => Object.assign(localStorage, stored)", stored)
            try:
                self.page.reload()
            except PlaywrightError as error:  # a sheet that has just been closed still goes back in the history
                if "ERR_ABORTED" not in str(error):
                    raise
                self.page.reload()

    def kept(self) -> list[dict[str, Any]]:
        """The seats that this device has stored."""
        found: list[dict[str, Any]] = self.page.evaluate("JSON.parse(localStorage.getItem('parlour seats 1') ?? '[]')")
        return found

    # playing

    def steps(self) -> Locator:
        return self.page.locator(OPEN)

    def take_one(self) -> None:
        """Take any step, by the mouse or a finger."""
        step = self.page.wait_for_function(CHOSEN, arg=self.luck.random()).as_element()
        assert step is not None
        step.click()

    def take_by_keys(self) -> None:
        """Take a step with keys alone: Tab from one thing to the next, arrows within a hand, Enter to take it."""
        beginning, steps = self.page.evaluate(GOING_ON)
        passed = self.luck.randrange(min(3, max(1, steps)))  # steps that could be taken and are not
        walked = 0
        for _ in range(250):
            at = self.page.evaluate(FOCUS)
            at["can"] = at["can"] and at["step"].startswith(beginning)
            if at["can"] and passed <= 0:
                self.page.keyboard.press("Enter")
                return
            passed -= at["can"]
            if at["inside"] and walked == 0:
                self.page.keyboard.press("Home")
                walked = 1
            elif at["inside"] and walked < at["size"]:
                self.page.keyboard.press("ArrowRight")
                walked += 1
            else:
                self.page.keyboard.press("Tab")
                walked = 0
        raise AssertionError("no step was found by keys")

    def finish(self, by_keys: int = 0, most: int = 400) -> int:
        """Play until the sitting is over, some steps by keys and then by the mouse; how many steps were taken."""
        for count in range(most):
            if self.until("mine", "over") == "over":
                return count
            if count < by_keys:
                self.take_by_keys()
            else:
                self.take_one()
            self.settle()
        raise AssertionError("the sitting does not end")

    def settle(self) -> None:
        """Wait until what was asked for is answered."""
        self.until("", "fetching", "moving", "over", "mine", "waiting", hurry=False)

    # what is in the page

    def cards_shown(self) -> set[str]:
        """Every card that the page shows or names, as codes; the drawings from which cards are made are not meant."""
        game = REGISTRY[self.page.locator("[data-table]").get_attribute("data-game") or GAMES[0]]
        found = self.page.locator("[data-table]").evaluate(
            """root => {
              const drawn = [...root.querySelectorAll('use')].map(use => use.getAttribute('href'));
              const tagged = [...root.querySelectorAll('[data-code]')].map(each => each.dataset.code);
              const named = [...root.querySelectorAll('*')].flatMap(each => [...each.attributes].map(a => a.value));
              return { drawn, tagged, text: root.textContent, named };
            }"""
        )
        codes = {each.rpartition("-")[2] for each in found["drawn"] if each} | set(found["tagged"])
        words = "\n".join([found["text"], *found["named"]]).replace("\u00a0", " ")
        told = {
            code
            for code, name in game.card_names.items()
            # of two names, the suit and number alone would tell the card too
            if name not in WORDS and (named(name, words) or (" No. " in name and named(name.split(", ")[-1], words)))
        }
        return (codes & set(game.codes)) | told

    def rest(self) -> None:
        """Wait until everything that moves has come to rest."""
        self.page.evaluate(RESTING)

    def undraw(self) -> None:
        """Have no drawings in the page from now on, for a test that has looked at them."""
        self.context.add_init_script(UNDRAWN)
        self.page.evaluate(f"() => {{ {UNDRAWN} document.querySelector('body > svg:has(symbol)')?.remove() }}")

    def axe(self, drawings: bool = True) -> list[str]:
        """What axe finds wrong with what is shown, with or without the drawings from which cards are made."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(AUDIT, drawings)
        return [
            f"{each['id']}: {each['help']} at {node['target']} {node.get('failureSummary', '')[:200]}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    def shoot(self, name: str) -> None:
        """A picture, kept where it can be looked at."""
        folder = ROOT / "build" / "screens"
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png")


def played_out(server: Server, game: str, players: int | None = None, **settings: Any) -> tuple[str, str]:
    """A finished sitting of a person and bots, played without a browser; its table, and the person's token."""
    options = {**SHORT[game], **settings.pop("options", {})}
    table, tokens = server.open(game, players or FEW[game], options=options, **settings)
    with Person(server, table, tokens[0]) as person:
        while person.turn():
            assert person.request("act", number=person.number, move=person.move())["kind"] == "done"
    return table, tokens[0]


def seat_of(game: str, table: str, token: str) -> dict[str, Any]:
    """The first seat at a finished sitting, as a device stores it."""
    return {"table": table, "game": game, "token": token, "seat": 0, "begun": 1, "over": True}


class Wire:
    """A line between browser and server, which can be cut, or fall silent without a word."""

    def __init__(self, port: int) -> None:
        self.to = port
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.open = True
        self.mute = False  # who calls is answered by nobody
        self.silent: list[socket.socket] = []  # ends of which nothing is carried any more
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            if not self.open:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.to))
            self.pairs.append((near, far))
            if self.mute:
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                if one not in self.silent:
                    other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def hush(self) -> None:
        """Connections that are open now go silent; new ones work."""
        self.silent = [end for pair in self.pairs for end in pair]

    def cut(self) -> None:
        self.open = False
        self.hang_up()

    def hang_up(self) -> None:
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self) -> None:
        self.cut()
        self.listening.close()
        for pair in self.pairs:
            for end in pair:
                end.close()


def play_together(*visitors: Visitor) -> None:
    """Play at one table, each in turn, until the sitting is over for all of them."""
    end = time.monotonic() + 4 * PATIENCE
    while (doing := [visitor.until("mine", "waiting", "over") for visitor in visitors]) != len(visitors) * ["over"]:
        assert time.monotonic() < end, f"the tables are {doing} and do not end"
        if "mine" in doing:
            visitor = visitors[doing.index("mine")]
            visitor.take_one()
            visitor.settle()
        else:  # while bots think, everyone waits
            visitors[0].doing_within(["mine", "moving", "over"], 50)


def named(name: str, words: str) -> bool:
    """Whether a card's whole name stands in a text: "Florin" does not stand in "Florins"."""
    at = words.find(name)
    while at >= 0:
        after = words[at + len(name) : at + len(name) + 1]
        before = words[at - 1 : at]
        if not after.isalnum() and not before.isalnum() and before != "-":
            return True
        at = words.find(name, at + 1)
    return False


__all__ = ["ELSEWHERE", "FEW", "GAMES", "OPEN", "SHORT", "SIZES", "Visitor", "Wire"]
__all__ += ["chromium", "expect", "named", "played_out", "seat_of"]
