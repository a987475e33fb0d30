"""The texts of the page: every one comes from the catalogue, and longer ones have room.

The page is visited in its pseudo-language, which leaves no plain letter in a text of its own. What the server says is
marked when it arrives, letter by letter and without taking room, so that it is known wherever it is shown. A plain
letter without a mark is a text that no catalogue has. Names for machines have `translate="no"`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, WebSocketRoute

from parlour.games import GAMES, REGISTRY
from support.browser import LAY, SIZES, UNFOLD, Visitor, expect, played_out, seat_of
from support.further import further_screens
from support.server import Server

LANGUAGE = "en-XA"
# every letter of a text that people read has a mark behind it that takes no room
MARKED = """
  const TEXTS = new Set(['sentence', 'says', 'set_back', 'reason', 'say', 'title', 'maker', 'summary', 'goal', 'turn',
    'order', 'ends', 'what', 'like', 'skill', 'label', 'changes', 'means', 'rule', 'source', 'reading',
    'supplied', 'where', 'called', 'points', 'meaning', 'word']);
  const TREES = new Set(['card_names', 'names']);  // texts by code
  const marked = (text) => text.replace(/[A-Za-z]/g, '$&\\ufe00');
  // of the values of a message: what is said as it is; others are codes and words, which the catalogue names
  const SPOKEN = new Set(['title', 'kept', 'name', 'fault', 'character']);
  const all = (value) => typeof value === 'string' ? marked(value)
    : Array.isArray(value) ? value.map(all)
    : value !== null && typeof value === 'object' ? mark(value) : value;
  const each = (tree, change) => Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, change(value)]));
  const mark = (value) => {
    if (Array.isArray(value)) return value.map(mark);
    if (value === null || typeof value !== 'object') return value;
    const isMessage = typeof value.key === 'string';
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => {
      if (key === 'values' && isMessage)
        return [key, Object.fromEntries(Object.entries(inner).map(
          ([name, one]) => [name, SPOKEN.has(name) ? all(one) : one]))];
      if (key === 'options' && !Array.isArray(inner)) return [key, inner];  // chosen values, by name
      if (TEXTS.has(key) || (key === 'name' && 'called' in value)) return [key, all(inner)];
      if (TREES.has(key)) return [key, each(inner, all)];
      if (key === 'refusals') return [key, each(inner, ([sentence, clause]) => [all(sentence), clause])];
      return [key, mark(inner)];
    }));
  };
  // of a catalogue: patterns, but not the names in their slots, and all words
  const PATTERN = /\\{([^{}|]*)((?:\\|[^{}|]*)*)\\}|[A-Za-z]/g;
  const pattern = (text) => text.replace(PATTERN, (each, slot, forms) =>
    slot === undefined ? marked(each) : `{${slot}${marked(forms)}}`);
  const words = (found) => {
    const { you, nothing, conjunctions, thousands, numbers, plurals, reason } = found.grammar;
    const grammar = { thousands, plurals, ...each({ you, nothing, conjunctions, numbers, reason }, all) };
    const patterns = (tree) => tree && each(tree, pattern);
    const said = each({ says: found.says, claims: found.claims, events: found.events }, patterns);
    const trees = { words: found.words, names: found.names, cards: found.cards };
    const named = each(trees, (tree) => tree && each(tree, all));
    // a language may name every word of a step
    named.words = new Proxy(named.words, { get: (known, word) => known[word] ?? marked(word) });
    return { ...found, grammar, ...said, ...named, forms: each(found.forms, (one) => each(one, all)) };
  };
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const found = parse(text, ...more);
    return found?.kind ? mark(found) : found;  // a message of the socket
  };
  const json = Response.prototype.json;
  Response.prototype.json = async function () {
    const found = await json.call(this);
    if (this.url.includes('/api/words')) return words(found);
    return this.url.endsWith('/record') ? found : mark(found);  // a record is verified as it was sent
  };
"""
# texts on the screen, for eyes or ears, that have a plain letter outside the number of a clause
PLAIN = """() => {
  const plain = (text) => /[A-Za-z](?!\\ufe00)/.test((text ?? '').replace(/\\b[A-Z]+-\\d+[a-z]?\\b/g, ''));
  const found = plain(document.title) ? [`title: ${document.title}`] : [];
  const named = ({ tagName, className }) => `${tagName.toLowerCase()}.${className.baseVal ?? className}`;
  for (const each of document.querySelectorAll('body *:not(script, style, noscript)')) {
    const shown = each.closest('select') ?? each;  // what can be chosen there is seen when it is opened
    if (each.translate === false || each.closest('svg, noscript') || !shown.checkVisibility()) continue;
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder'])
      if (plain(each.getAttribute(name))) found.push(`${named(each)} ${name}: ${each.getAttribute(name)}`);
    for (const node of each.childNodes)
      if (node.nodeType === Node.TEXT_NODE && plain(node.data)) found.push(`${named(each)}: ${node.data.trim()}`);
    for (const part of ['::before', '::after']) {
      const { content } = getComputedStyle(each, part);
      if (content.startsWith('"') && plain(content)) found.push(`${named(each)}${part}: ${content}`);
    }
  }
  return found;
}"""
# what is wider than the window, and texts that are cut off or stand out of their box
UNFIT = """() => {
  const EDGE = 2;  // pixels
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`a page ${wide} wide in a window of ${innerWidth}`);
  const root = document.querySelector('dialog:modal') ?? document.body;
  const scrolls = (style) => /auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY);
  for (const each of root.querySelectorAll('*:not(script, style, option)')) {
    if (!each.checkVisibility() || each.closest('svg, .unseen, select')) continue;
    for (const node of each.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        let [at, inline] = [each, true];
        while (at && at !== document.documentElement) {
          const [style, around] = [getComputedStyle(at), at.getBoundingClientRect()];
          const own = inline && !style.display.startsWith('inline') && style.display !== 'contents';
          if (around.width <= 1) break;  // for ears only
          const [clipsX, clipsY] = [style.overflowX, style.overflowY].map((each) => /hidden|clip/.test(each));
          const out = box.right > around.right + EDGE || box.left < around.left - EDGE;
          const below = clipsY && (box.top + box.bottom) / 2 > around.bottom;
          if (((own || clipsX) && out) || below) {
            const how = below ? 'below' : own ? 'out of' : 'cut by';
            found.push(`${how} ${at.tagName}.${at.className}: ${node.data.trim()}`);
            break;
          }
          if (own) inline = false;
          if (scrolls(style)) break;
          at = at.parentElement;
        }
      }
    }
  }
  return [...new Set(found)];
}"""
SHEETS = {"what scores": "p", "log": "l", "known": "k", "clause": "?", "rules": "r", "settings": "s"}
ALIKE = ("rules", "settings")  # sheets that are made alike for every game
RESTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHAPES = ("desktop", "phone")
TURNS = 4


class Reader(Visitor):
    """Someone who reads the page in the pseudo-language, and writes down what is wrong with it."""

    def __init__(self, browser: Browser, server: Server, query: str = "", **more: Any) -> None:
        super().__init__(browser, server, **more)
        self.query = query
        self.found: dict[str, str] = {}  # the screen on which each fault was seen first
        self.context.add_init_script(MARKED)

    @property
    def address(self) -> str:
        return f"{super().address}?language={LANGUAGE}{self.query}"

    def read(self, screen: str) -> None:
        """Every text on the screen is in the pseudo-language, and fits, in a wide window and on a phone."""
        self.rest()
        self.page.evaluate("document.fonts.ready.then(() => true)")
        for fault in self.page.evaluate(PLAIN):
            self.found.setdefault(fault, screen)
        for size in SHAPES:
            width, height = SIZES[size]
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate(RESTED)
            self.rest()
            for _ in range(30):  # a window that has just got its size may not be laid out yet: a real fault stays
                unfit = self.page.evaluate(UNFIT)
                if not unfit:
                    break
                self.page.wait_for_timeout(100)
            for fault in unfit:
                self.found.setdefault(fault, f"{screen} ({size})")
        width, height = SIZES["desktop"]
        self.page.set_viewport_size({"width": width, "height": height})

    @property
    def faults(self) -> list[str]:
        return [f"{screen}: {fault}" for fault, screen in self.found.items()]

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog:modal")

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.dialog).to_have_count(0)

    def open_all(self) -> None:
        """Unfold whatever is folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")


def test_the_room_and_the_screens_it_leads_to_are_translated(browser: Browser, server: Server) -> None:
    over = played_out(server, "heraldry", 2)
    with Reader(browser, server, new=True) as visitor:
        page = visitor.page
        visitor.go()
        expect(page.locator("[data-play]")).to_have_count(len(GAMES))
        visitor.read("room, new")
        page.locator("[data-play=heraldry]").click()
        expect(visitor.dialog).to_be_visible()
        visitor.read("first game")
        visitor.close()
        page.locator(".settings").first.click()
        expect(visitor.dialog).to_be_visible()
        visitor.read("settings")
        visitor.close()

        visitor.go("#arrange=sovereign")
        visitor.read("arrange, alone")
        page.locator("[value=everyone]").check()
        page.evaluate(UNFOLD)
        page.locator(".arrange [autocomplete=nickname]").fill("Ada")
        visitor.read("arrange, everyone")
        page.locator(LAY).click()
        expect(page.locator(".gather .share")).to_be_visible()
        visitor.read("gather")
        code = visitor.kept()[0]["code"]
        with Reader(browser, server) as guest:
            guest.go(f"#table={visitor.table}&code={code}")
            expect(guest.page.locator(".gather li button").first).to_be_visible()
            guest.read("invited")
            guest.page.locator(".gather [autocomplete=nickname]").fill("Ben")
            guest.page.locator(".gather li button").first.click()
            expect(guest.page.locator(".gather .leave")).to_be_visible()
            guest.read("seated")
            page.locator(".gather li .quiet").click()
            expect(visitor.dialog).to_be_visible()
            visitor.read("about a guest")
            visitor.close()
            guest.page.locator(".gather .leave").click()
            expect(guest.dialog).to_be_visible()
            guest.read("leaving")
        visitor.settings(seats=[*visitor.kept(), seat_of("heraldry", *over)], name="Ada")
        visitor.go()
        expect(page.locator(".unfinished li")).to_have_count(1)
        expect(page.locator(".lists .about").first).to_be_visible()
        visitor.read("room")
        visitor.go("#table=nowhere")
        expect(page.get_by_role("alert")).to_be_visible()
        visitor.read("nowhere")
        assert page.locator("html").get_attribute("lang") == LANGUAGE
        page.goto(f"http://127.0.0.1:{server.port}/no/such/page?language={LANGUAGE}")
        expect(page.get_by_role("alert")).to_be_visible()
        visitor.read("unknown address")
        visitor.complaints.clear()  # of the 404
        faults = visitor.faults + guest.faults
    assert faults == []


# the generic board says the same of every game
@pytest.mark.parametrize(("game", "board"), [*((game, "own") for game in GAMES), (GAMES[0], "generic")])
def test_every_screen_of_a_game_is_translated(browser: Browser, server: Server, game: str, board: str) -> None:
    first = game == GAMES[0] and board == "own"
    over = played_out(server, game)
    with Reader(browser, server, "&board=generic" if board == "generic" else "") as visitor:
        page = visitor.page
        visitor.go(f"#rules={game}")
        expect(page.locator("article").first).to_be_visible()
        visitor.read("rules")
        visitor.go(f"#learn={game}")
        for step in range(3):
            expect(page.locator(".lesson .say .saying")).to_be_visible()
            visitor.read(f"lesson {step}")
            if page.locator(".lesson .chief:enabled").count():
                page.locator(".lesson .chief").click()
        visitor.arrange(game, REGISTRY[game].sheet.usual)
        for turn in range(TURNS):
            if visitor.until("mine", "resting", "over") == "over":
                break
            visitor.read(f"turn {turn}")
            if visitor.doing == "mine":
                visitor.take_one()
                visitor.settle()
            else:
                page.locator("[data-go-on]").click()
        if visitor.until("mine", "over") == "mine":
            page.keyboard.press("Escape")
            page.keyboard.press("h")
            expect(page.locator(".advice")).to_be_visible()
            visitor.open_all()
            visitor.read("hint")
            page.keyboard.press("Escape")
        for sheet, key in SHEETS.items():
            if (sheet in ALIKE and not first) or (sheet == "known" and "may_hold" not in visitor.view):
                continue
            page.keyboard.press(key)
            expect(visitor.dialog).to_be_visible()
            visitor.read(sheet)
            visitor.close()
        if first:
            more(visitor)
        with Reader(browser, server) as spectator:
            spectator.go(f"#table={visitor.table}")
            spectator.until("waiting", "over")
            spectator.read("watching")
        visitor.settings(seats=[seat_of(game, *over)])
        visitor.go(f"#table={over[0]}")
        expect(page.locator(".over.sheet .ways")).to_be_visible()
        visitor.read("over")
        visitor.go(f"#replay={over[0]}")
        expect(page.locator(".controls")).to_be_visible()
        visitor.read("replay")
        page.locator(".controls .ways").last.locator("button").first.click()
        expect(visitor.dialog.locator(".holds")).to_be_visible()
        visitor.read("seal")
        visitor.close()
        faults = visitor.faults + spectator.faults
    assert faults == []


def test_hints_that_name_a_clause_or_a_sum_are_known_for_the_servers(browser: Browser, server: Server) -> None:
    """Whether a hint of a real sitting has either depends on the deal, and on how long the server may think."""
    steps = {"step": "throw CR", "other": "leave"}
    far = [{"key": "throw", "values": {"coin": "CR"}}, {"key": "far", "values": {"kept": "12s 6d"}}]
    hints = [{"reason": {"key": "more", "values": {**steps, "title": "The general pool"}}}]
    hints.append({"reason": "", "claims": far})
    said = ["The general pool", "12s 6d"]

    def join(line: WebSocketRoute) -> None:
        def carry(text: str | bytes) -> None:
            message = json.loads(text)
            line.send(json.dumps({**message, **hints[0]} if message["kind"] == "advice" else message))

        line.connect_to_server().on_message(carry)

    with Reader(browser, server) as visitor:
        visitor.page.route_web_socket("**/api/socket*", join)
        visitor.arrange("sovereign", 3)
        while hints:
            visitor.until("mine")
            visitor.page.keyboard.press("Escape")
            visitor.page.keyboard.press("h")
            shown = visitor.page.locator(".advice p")
            expect(shown).to_contain_text("\ufe00")
            assert said[0] in shown.inner_text().replace("\ufe00", "")
            visitor.read(f"a hint with {said[0]}")
            visitor.page.locator(".advice > button").click()
            expect(shown).to_have_count(0)
            del hints[0], said[0]
    assert visitor.faults == []


def more(visitor: Reader) -> None:
    """The sheet *More*, what it leads to, and the questions that it asks."""
    tools = visitor.page.locator(".bar nav > .tool")
    tools.last.click()
    expect(visitor.dialog.locator(".answer")).to_be_attached()
    visitor.read("more")
    visitor.dialog.locator(".list > .button").nth(1).click()
    visitor.open_all()
    visitor.read("scores")
    visitor.close()
    tools.last.click()
    expect(visitor.dialog.locator(".answer")).to_be_attached()
    visitor.dialog.locator(".list > .button").last.click()
    expect(visitor.dialog).to_have_count(2)
    visitor.read("a question")
    visitor.page.keyboard.press("Escape")
    expect(visitor.dialog).to_have_count(1)
    visitor.close()


def test_the_screens_beyond_the_table_are_translated(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path / "data", "--allow-private") as server, Reader(browser, server) as visitor:
        for screen in further_screens(visitor, server):
            visitor.read(screen)
        faults = visitor.faults
    assert faults == []
