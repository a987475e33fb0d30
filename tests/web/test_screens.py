"""What the page shows: for eyes at three sizes in both lights, for who listens, and nothing that is hidden."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from parlour import Sitting
from parlour.games import REGISTRY
from parlour.records.record import read_decision
from parlour.records.seal import Recorder
from support.browser import GAMES, SIZES, WAIT, Visitor, expect, mostly, named, played_out, seat_of
from support.further import further_screens
from support.server import Server

# wide and narrow, in both lights; the other combinations show nothing that is different in kind
SHAPES = [("desktop", "light"), ("phone", "dark")]
SHAPES_TOO = [(size, theme) for size in SIZES for theme in ("light", "dark") if (size, theme) not in SHAPES]
PLACES = ("arrange", "rules", "learn")
# screens that are made alike for every game
SHARED = ("arrange", "rules", "learn", "log", "settings", "clause", "more", "scores")
SHEETS = {"rules": "r", "log": "l", "known": "k", "settings": "s", "clause": "?"}  # by their keys
# a window of a phone's size stands for a phone; real ones, with every game: --long
FIRST = [(GAMES[0], *shape) for shape in SHAPES] + [(game, *SHAPES[0]) for game in GAMES[1:]]
SCREENS = [(game, size, theme) for size, theme in [*SHAPES, *SHAPES_TOO] for game in GAMES]
each_shape = pytest.mark.parametrize(
    ("size", "theme"), [*SHAPES, *(pytest.param(*shape, marks=pytest.mark.long) for shape in SHAPES_TOO)]
)


# how wide the page and the window are, and how many cards of the hand are cut
MEASURES = """() => {
  const boxes = [...document.querySelectorAll('.mine [data-code]')].map((card) => card.getBoundingClientRect());
  const cut = boxes.filter((box) => box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 12);
  return [document.documentElement.scrollWidth, innerWidth, cut.length];
}"""
# what of the board reaches below it, and cannot be scrolled to there
LYING_OVER = """() => {
  const board = document.querySelector('.board');
  const below = board.nextElementSibling.getBoundingClientRect().top + 2;
  const scrolls = each => each !== board.parentElement &&
    (/auto|scroll/.test(getComputedStyle(each).overflowY) || scrolls(each.parentElement));
  return [...board.querySelectorAll('.seat, .own, [data-place], [data-code]')]
    .filter(each => each.getBoundingClientRect().bottom > below && !scrolls(each)).map(each => each.className);
}"""
# a phone held sideways, a small one, a page at twice its size, a small phone held upright
LITTLE = [(844, 390), (740, 360), (640, 400), (320, 568)]
# what of the prompt and the hand is not in sight or lies over the other, and whether the page has to be scrolled
OUT_OF_SIGHT = """() => {
  const box = (each) => each.getBoundingClientRect();
  const within = ({ left, top, right, bottom }) =>
    left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
  const prompt = document.querySelector('.play > .line');
  const hand = [...document.querySelectorAll('.mine button')].filter((each) => each.checkVisibility());
  const over = hand.filter((each) => box(each).top < box(prompt).bottom - 2 && box(each).bottom > box(prompt).top + 2 &&
    box(each).left < box(prompt).right && box(each).right > box(prompt).left);
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [
    ...[prompt, ...hand].filter((each) => !within(box(each))).map((each) => `out of sight: ${each.className}`),
    ...over.map((each) => `over the prompt: ${each.className}`),
    ...(scrollWidth > innerWidth || scrollHeight > innerHeight ? [`a page of ${scrollWidth} by ${scrollHeight}`] : []),
  ];
}"""
# how wide a card of the hand is, and whether it is wider than that
CARD = "() => document.querySelector('.mine [data-code]')?.clientWidth ?? 0"
WIDER = "(width) => document.querySelector('.mine [data-code]').clientWidth > width"
# things that can be pressed and are too small for it
TOO_SMALL = """() => [...document.querySelectorAll('[data-table] :is(button, a, summary, select)')]
  .filter((each) => each.checkVisibility())
  .filter((each) => Math.min(each.offsetWidth, each.offsetHeight) < 24).map((each) => each.outerHTML.slice(0, 80))"""
# marks that are made by shadows and backgrounds, which forced colours take away, and have nothing instead
# seats out of which words stand
SPILT = """() => [...document.querySelectorAll('.seat')].filter(seat => {
  const box = seat.getBoundingClientRect();
  return [...seat.children].some(each => each.getBoundingClientRect().bottom > box.bottom + 1);
}).map(seat => seat.textContent)"""
UNMARKED = """() => [...document.querySelectorAll('.seat.turn, .hinted, .button.chief, .deals .token')]
.filter((each) => {
  const [own, after] = [getComputedStyle(each), getComputedStyle(each, '::after')];
  return own.outlineStyle === 'none' && after.outlineStyle === 'none' && own.forcedColorAdjust !== 'none';
}).map((each) => each.className)"""


@pytest.fixture
def pictured(request: pytest.FixtureRequest) -> bool:
    """Whether screens are kept as pictures, to be looked at."""
    return bool(request.config.getoption("--long"))


class Looker:
    """Looks at one screen after another, and writes down what is wrong with them."""

    def __init__(self, visitor: Visitor, shape: str, pictured: bool, first: bool = True) -> None:
        self.visitor, self.shape, self.pictured = visitor, shape, pictured
        self.wide = shape.endswith("desktop-light")
        self.audited = shape.endswith(tuple("-".join(each) for each in SHAPES))
        self.alike = () if first or pictured else SHARED  # screens that axe looks at with the first game only
        self.both = self.wide and not (first or pictured)  # a window of a phone's size stands for a phone
        self.narrow = False  # whether the window has that size now
        self.whole = True  # whether a hand is to be seen whole
        self.faults: list[str] = []

    def __call__(self, name: str, board: bool = False, drawings: bool = False) -> None:
        """A screen has nothing that axe objects to, is not wider than the window, and cuts no card of the hand.

        A board is looked at in every size; one that was narrow before stays wide, and the other way round.
        """
        self.visitor.rest()
        if self.pictured:
            self.visitor.shoot(f"{self.shape}-{name}")
        self.examine(name, drawings)
        if board and self.wide:
            self.resize("tablet")
            self.measure(f"{name} on a tablet")
            self.narrow = self.both and not self.narrow
            self.resize("phone" if self.narrow else "desktop")
        if board and self.both:
            self.visitor.page.emulate_media(color_scheme="dark" if self.narrow else "light")
            self.visitor.rest()
            self.examine(name)

    def examine(self, name: str, drawings: bool = False) -> None:
        shown = f"{name}, narrow and dark" if self.narrow else name
        if self.audited and name not in self.alike:
            found = self.visitor.axe(drawings)
            if found:  # a busy browser may not have applied the other colours yet: a real fault is found again
                self.visitor.rest()
                found = self.visitor.axe(drawings)
            self.faults += [f"{self.shape}-{shown}: {fault}" for fault in found]
        self.measure(shown)

    def resize(self, size: str) -> None:
        """Give the window a size, and wait until the page has it."""
        page, (width, height) = self.visitor.page, SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("([wide, high]) => innerWidth === wide && innerHeight === high", arg=[width, height])
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.visitor.rest()

    def measure(self, name: str) -> None:
        for _ in range(30):  # fonts and faces may still be on their way
            wide, inner, cut = self.visitor.page.evaluate(MEASURES)
            cut = cut if self.whole else 0
            if wide <= inner and not cut:
                break
            self.visitor.page.wait_for_timeout(100)
        if wide > inner:
            self.faults.append(f"{self.shape}-{name}: it is {wide} wide, in a window of {inner}")
        if cut:
            self.faults.append(f"{self.shape}-{name}: {cut} cards of the hand are cut")


@each_shape
def test_the_room_and_the_screens_it_leads_to(
    browser: Browser, server: Server, pictured: bool, size: str, theme: Any
) -> None:
    with Visitor(browser, server, size, painted=True, color_scheme=theme) as visitor:
        look = Looker(visitor, f"room-{size}-{theme}", pictured)
        visitor.go()
        expect(visitor.page.locator("[data-play]")).to_have_count(5)
        look("room", board=True)
        visitor.page.get_by_role("button", name="Settings").click()
        expect(visitor.page.get_by_role("dialog", name="Settings")).to_be_visible()
        look("settings", board=True)
        visitor.go("#arrange=sovereign")
        visitor.page.get_by_label("With friends, by a link").check()
        visitor.page.get_by_label("Your name").fill("Ada")
        visitor.lay()
        expect(visitor.page.get_by_role("button", name="Fill with bots")).to_be_visible()
        look("gather", board=True)
        visitor.go("#table=nowhere")
        expect(visitor.page.get_by_role("alert")).to_be_visible()
        look("nowhere", board=True)
    assert look.faults == []


@pytest.mark.parametrize(
    ("game", "size", "theme"),
    [each if each in FIRST else pytest.param(*each, marks=pytest.mark.long) for each in SCREENS],
)
def test_every_screen_of_a_game(
    browser: Browser, server: Server, pictured: bool, game: str, size: str, theme: Any
) -> None:
    over = played_out(server, game, REGISTRY[game].sheet.usual)
    with Visitor(browser, server, size, painted=True, color_scheme=theme) as visitor:
        look = Looker(visitor, f"{game}-{size}-{theme}", pictured, game == GAMES[0])
        dialog = visitor.page.locator("dialog:modal")
        for place in PLACES:
            visitor.go(f"#{place}={game}")
            expect(visitor.page.locator("h1")).to_have_text(re.compile(f"{REGISTRY[game].sheet.title}$"))
            look(place)
        visitor.arrange(game, REGISTRY[game].sheet.usual)
        for turn in range(3):
            if visitor.until("mine", "over") == "over":
                break
            if turn != 1 or pictured:
                look(f"play{turn}", board=turn == 0, drawings=turn == 0 and size == "desktop")
            if turn == 0 and not pictured:
                visitor.undraw()
            visitor.take_one()
            visitor.settle()
        if visitor.until("mine", "over") == "mine":
            visitor.page.keyboard.press("Escape")  # a move that is begun is left: hints are about whole ones
            expect(visitor.page.get_by_role("button", name="Hint")).to_be_enabled()
            high = visitor.page.locator(".board").bounding_box()
            visitor.page.keyboard.press("h")
            expect(visitor.page.locator(".advice")).to_be_visible()
            assert visitor.page.locator(".board").bounding_box() == high, "a hint moves nothing"
            look("hint", board=True)
            visitor.page.keyboard.press("Escape")
        for sheet, key in SHEETS.items():
            if sheet in look.alike or (sheet == "known" and "may_hold" not in visitor.view):
                continue
            visitor.page.keyboard.press(key)
            expect(dialog).to_be_visible()
            look(sheet, board=sheet == "known")
            visitor.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
        if not look.alike:
            visitor.page.get_by_role("button", name="More").click()
            expect(dialog).to_be_visible()
            look("more")
            dialog.get_by_role("button", name="Scores", exact=True).click()
            expect(visitor.page.get_by_role("dialog", name="Scores")).to_be_visible()
            look("scores")
        visitor.settings(seats=[seat_of(game, *over)])
        visitor.go(f"#table={over[0]}")
        expect(visitor.page.get_by_role("link", name="Replay")).to_be_visible()
        look("over", board=True)
        visitor.page.get_by_role("link", name="Replay").click()
        expect(visitor.page.get_by_role("button", name="Next")).to_be_visible()
        look("replay", board=True)
        if size == "desktop":
            visitor.page.set_viewport_size({"width": 1280, "height": 640})
            assert visitor.page.evaluate(SPILT) == [], "the words of a seat stay within it"
    assert look.faults == []


@pytest.mark.parametrize(
    ("game", "players"), [("masquerade", 8), ("lost-heir", 6), ("sovereign", 11), ("heraldry", 6), ("tontine", 52)]
)
def test_many_players_fit_a_small_phone(
    browser: Browser, server: Server, pictured: bool, game: str, players: int
) -> None:
    """What does not fit on the screen is scrolled to: nothing of the board lies over the line and the hand below it."""
    with Visitor(browser, server, "phone", painted=pictured, color_scheme="dark") as visitor:
        visitor.page.set_viewport_size({"width": 360, "height": 640})
        visitor.arrange(game, players)
        for turn in range(4 if pictured else 2):
            if visitor.until("mine", "over") == "over":
                break
            visitor.rest()
            if pictured:
                visitor.shoot(f"crowd-{game}-{turn}")
            over = visitor.page.evaluate(LYING_OVER)
            assert over == []
            visitor.take_one()
            visitor.settle()
        if visitor.until("mine", "over") == "mine":
            in_little_room(visitor, game, pictured)


def out_of_sight(visitor: Visitor) -> list[str]:
    """What is not whole on the screen, when fonts, sizes and cards that may still be on their way are there."""
    found: list[str] = []
    for _ in range(30):
        found = visitor.page.evaluate(OUT_OF_SIGHT)
        if not found:
            break
        visitor.page.wait_for_timeout(100)
    return found


def in_little_room(visitor: Visitor, game: str, pictured: bool) -> None:
    """In a window with little height or width prompt and hand are whole; in a large one the cards are larger."""
    cards: dict[int, int] = {}
    for wide, high in [*LITTLE, (1280, 800), (1920, 1080)]:
        visitor.page.set_viewport_size({"width": wide, "height": high})
        sized = "([wide, high]) => innerWidth === wide && innerHeight === high"
        visitor.page.wait_for_function(sized, arg=[wide, high])
        found = out_of_sight(visitor)
        if pictured:
            visitor.shoot(f"crowd-{game}-{wide}")
        assert found == [], f"at {wide} by {high}"
        assert visitor.page.evaluate(TOO_SMALL) == [], f"at {wide} by {high}"
        cards[wide] = visitor.page.evaluate(CARD)
    if cards[1280]:
        visitor.page.wait_for_function(WIDER, arg=cards[1280])
    visitor.page.emulate_media(forced_colors="active")
    assert visitor.page.evaluate(UNMARKED) == []


@each_shape
def test_the_screens_beyond_the_table(
    browser: Browser, tmp_path: Path, pictured: bool, size: str, theme: Any
) -> None:
    with Server(tmp_path / "data", "--allow-private") as server:
        with Visitor(browser, server, size, painted=True, color_scheme=theme) as visitor:
            look = Looker(visitor, f"further-{size}-{theme}", pictured)
            for screen in further_screens(visitor, server):
                look(screen)
    assert look.faults == []


@pytest.mark.parametrize("game", mostly("masquerade", "sovereign", "tontine"))
def test_at_twice_the_size_and_in_large_type(browser: Browser, server: Server, pictured: bool, game: str) -> None:
    """A window of 1280 by 800 at 200 % shows 640 by 400: the hand and the prompt are in sight all the same."""
    with Visitor(browser, server, painted=pictured) as visitor:
        look = Looker(visitor, f"{game}-large", pictured)
        look.whole = False
        visitor.arrange(game)
        for wide, high, type in ((640, 400, "usual"), (390, 844, "large")):
            visitor.page.set_viewport_size({"width": wide, "height": high})
            visitor.page.evaluate("type => document.documentElement.dataset.type = type", type)
            for turn in range(3 if pictured else 2):
                if visitor.until("mine", "over") == "over":
                    break
                look(f"{wide}-{turn}")
                assert out_of_sight(visitor) == []
                visitor.take_one()
                visitor.settle()
        assert look.faults == []


# --- for who listens --------------------------------------------------------------------------------------------------


def on_view(view: dict[str, Any]) -> list[str]:
    """The cards that lie open."""
    lying = view.get("trick") or view.get("table") or []
    return [each[1] if isinstance(each, list) else each for each in lying]


def count(number: int, thing: str) -> str:
    """A number of things, as it is written and read out."""
    return f"{number} {thing}{'' if abs(number) == 1 else 's'}".replace("-", "−")


def facts(game: str, view: dict[str, Any]) -> list[str]:
    """How it stands beside the cards, as it must be to be heard."""
    others = [seat for seat in range(view["players"]) if seat != view["seat"]]
    if game == "masquerade":
        return [f"{view['points'][seat]} of 32 {count(view['hand_sizes'][seat], 'card')}" for seat in others]
    if game == "lost-heir":
        said = [f"{total} in all".replace("-", "−") for total in view["totals"]]
        named = {"N": "New York", "P": "Philadelphia", "B": "Boston", "C": "Chicago"}.get(view["trump"] or "")
        bids = [f"bid {bid}" for bid in view["bids"] if bid and not named]
        return said + bids + ([f"{named} is trumps", count(view["tricks_left"], "trick") + " left"] if named else [])
    if game == "sovereign":
        pools = [("General pool", view["general_pool"]), ("Sovereign pool", view["sovereign_pool"])]
        return [f"{name} {count(held, 'counter')}" for name, held in pools] + [
            *(
                f"staked {-held}" if view["game"] == 0 and -held == 1 + within else count(held, "counter")
                for held, within in zip(view["counters"], view["staked_in_it"], strict=True)
            ),
            f"Surplus {count(view['surplus'], 'card')}" if view["surplus"] else "Surplus none",
        ]
    if game == "heraldry":
        return [f"{view['pack']} in the pack" if view["pack"] else "The pack is empty"] + [
            f"has won {count(len(view['won'][seat]), 'card')}" for seat in others
        ]
    return [f"The box: {count(view['box'], 'counter')}", *(count(held, "counter") for held in view["counters"] if held)]


# everything that was announced, one thing after another: the next may come before anyone looks
HEARD = """
  window.heard = '';
  new MutationObserver(() => {
    const said = document.querySelector('[data-announcer]')?.textContent ?? '';
    if (said && !window.heard.endsWith(said)) window.heard += ` ${said}`;
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""
HAS_HEARD = "(says) => window.heard.replace(/\\s+/g, ' ').includes(says.replace(/\\s+/g, ' '))"


@pytest.mark.parametrize("game", GAMES)
def test_a_sitting_by_names_roles_and_announcements_alone(
    browser: Browser, server: Server, pytestconfig: pytest.Config, game: str
) -> None:
    names = REGISTRY[game].card_names
    with Visitor(browser, server) as visitor:
        # without the catalogue events come in words, as they are announced
        visitor.page.route(re.compile("/api/words"), lambda route: route.fulfill(status=404))
        visitor.context.add_init_script(HEARD)
        visitor.arrange(game)
        for turn in range(40 if pytestconfig.getoption("--long") else 5):
            if visitor.until("mine", "over") == "over":
                break
            news = [message.get("news") or message for message in visitor.messages]
            events = [each for one in news for each in one.get("events", []) if each["says"]]
            events = [each for each in events if each["entry"][0] != "hand"]  # said in the order of the board instead
            visitor.page.wait_for_function("() => window.heard !== ''", timeout=WAIT)  # what to do next
            begun = visitor.page.locator(".mine [aria-pressed=true]").count()  # what happened before was announced
            if game not in ("tontine", "sovereign") and not begun:  # where much happens at once it is summed up
                visitor.page.wait_for_function(HAS_HEARD, arg=events[-1]["says"], timeout=WAIT)
            heard = visitor.page.locator("body").aria_snapshot()
            view = visitor.view
            cards = [*view.get("hand", view.get("coins", [])), *on_view(view)]
            missing = [card for card in cards if not named(names[card], heard)]
            assert missing == [], f"turn {turn}: {missing} cannot be heard of"
            unsaid = [fact for fact in facts(game, view) if fact not in heard]
            assert unsaid == [], f"turn {turn}: {unsaid} cannot be heard"
            steps = visitor.page.get_by_role("button", disabled=False).and_(visitor.page.locator("[data-step]"))
            wanted = steps.nth(visitor.luck.randrange(steps.count()))
            name = re.match(r'- \'?button "([^"]+)"', wanted.aria_snapshot())
            assert name, wanted.aria_snapshot()
            visitor.page.evaluate("window.heard = ''")
            visitor.page.get_by_role("button", name=name[1], exact=True, disabled=False).first.press("Enter")
            visitor.settle()
        assert [each for each in visitor.complaints if "404" not in each] == []


# --- nothing hidden ---------------------------------------------------------------------------------------------------


def codes_in(value: Any, codes: frozenset[str]) -> set[str]:
    """The cards named anywhere in a message, but for lists that are the same whatever was dealt."""
    if isinstance(value, dict):
        inner = [each for name, each in value.items() if name not in ("may_hold", "scoring")]
        return {code for each in inner for code in codes_in(each, codes)} | (codes & value.keys())
    if isinstance(value, list):
        return {code for each in value for code in codes_in(each, codes)}
    return {value} & codes if isinstance(value, str) else set()


@pytest.mark.parametrize("game", mostly("masquerade", "lost-heir")[:-1])  # in Tontine nothing is hidden
def test_nothing_that_a_seat_cannot_know_is_in_its_page(browser: Browser, server: Server, game: str) -> None:
    """Cards in the DOM, the storage and the messages are cards that this seat was told of, as a replay finds."""
    known = REGISTRY[game]
    codes = frozenset(known.codes)
    with Visitor(browser, server) as visitor:
        answers: list[Any] = []
        visitor.page.on(
            "response",
            lambda answer: answers.append(answer.json()) if "/api/tables" in answer.url and answer.ok else None,
        )
        visitor.arrange(game)
        seen: dict[int, set[str]] = {}  # by the number of the position
        sent: set[str] = set()  # in the messages that were looked through
        looked = 0
        while True:
            doing = visitor.until("mine", "over")
            number = max((message.get("news") or message).get("number", 0) for message in visitor.messages)
            while looked < len(visitor.messages):
                news = visitor.messages[looked].get("news") or visitor.messages[looked]
                sent |= codes_in([news.get("view"), news.get("events"), news.get("decision")], codes)
                looked += 1
            shown = visitor.cards_shown() | sent
            stored = visitor.page.evaluate("() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
            assert not any(named(name, stored) for name in known.card_names.values())
            # beside the sheets, which name all cards, nothing that is asked for over HTTP speaks of any
            assert not any(codes_in(answer, codes) for answer in answers)
            if doing == "over":
                break
            seen[number] = seen.get(number, set()) | shown
            visitor.take_one()
            visitor.settle()
        table, seat = visitor.table, visitor.view["seat"]
    record = server.ask("GET", f"/api/tables/{table}/record")[1]
    assert seen
    assert leaked(record, seat, seen) == []


def leaked(record: dict[str, Any], seat: int, seen: dict[int, set[str]]) -> list[str]:
    """Cards that were shown to a seat before it was told of them, by playing the record again."""
    game = REGISTRY[record["game"]]
    codes = frozenset(game.codes)
    seal = record["seal"]
    luck = Recorder(game, bytes.fromhex(seal["secret"]), seal["entropy"], seal["table"], record.get("rules", 1))
    sitting = Sitting(game, record["players"], chance=luck, listeners=(seat,), **record["options"])
    faults = []
    shown = iter(seen.values())
    while not sitting.over:
        if sitting.seat == seat:
            more = next(shown, set()) - codes_in(sitting.told[seat], codes)
            faults += [f"{sorted(more)} were shown, and not told before entry {len(sitting.log)}"] if more else []
        for step in read_decision(game, sitting.state, record["log"][len(sitting.log)]):
            sitting.play(step)
    return faults
