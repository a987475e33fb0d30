"""Sampled worlds: they agree with all that a seat knows, come as often as chance would bring them, and give nothing
away; and the search that stands on them is honest, the same everywhere, and keeps to its bounds."""

from __future__ import annotations

import gc
import random
import threading
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations_with_replacement, permutations
from math import comb, prod, sqrt
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Journal, Refusal, Seeded, State
from parlour.engine.build import is_compiled, load_interpreted
from parlour.engine.search import Search
from parlour.engine.view import View
from parlour.games.sovereign.pack import COIN_PENCE
from parlour.players.bots import Bot, Oracle, Searcher
from parlour.players.seats import Seating, check_name
from parlour.records.record import script_of
from support.cases import Case, World, case, played
from support.effort import times
from support.twins import TWINS, Twin, changed

MEMORY = {"may_hold", "known_to_hold", "thrown_by_you"}
SIZES = [
    *TWINS,
    case("masquerade", 8, {"following": "suit", "exchange": "courtesy"}),
    case("lost-heir", 6, {}),
    case("sovereign", 2, {"rounds": 1, "round_limit": 40}),
    case("sovereign", 8, {"thrown": "under", "rounds": 1}),
    case("sovereign", 4, {"rounds": 1, "round_limit": 40}),
    case("heraldry", 4, {}),
    case("tontine", 52, {}),
]
HIDING = [each for each in SIZES if each.game.name != "tontine"]
every_case = pytest.mark.parametrize("case", SIZES, ids=str)
every_hiding = pytest.mark.parametrize("case", HIDING, ids=str)
HOW = {"not tracking": None, "tracking": False, "trusting": True}  # how a view listens, and what it then trusts
however_it_listens = pytest.mark.parametrize("trusts", HOW.values(), ids=HOW)
counting = pytest.mark.skipif(not is_compiled(), reason="thousands of worlds take too long interpreted")


def many(number: int) -> int:
    """So many where the package is compiled, and a few where it is not."""
    return number if is_compiled() else max(1, number // 25)


class Table:
    """A world whose views track beliefs (trusting or not) or do not; its chance is its own luck, or as it is told."""

    def __init__(self, given: Case, seed: object, trusts: bool | None = False, deal: bool = True) -> None:
        self.case = given
        self.world = World(given)
        self.state = self.world.state
        self.luck = random.Random(str(seed))
        if trusts is not None:
            for view in self.world.views.values():
                view.track_beliefs(trusts)
        if deal:
            self.serve_chance()

    def serve_chance(self) -> None:
        while self.state.awaits >= 0:
            self.world.give(self.luck.sample(self.state.possible(), self.state.wanted()))

    def play(self, step: int) -> None:
        self.world.play(step)
        self.serve_chance()

    def named(self, name: str) -> None:
        """Take a step by its name, and serve no chance."""
        self.world.play(self.case.game.step_names.index(name))

    def view(self, seat: int | None = None) -> View:
        """What a seat, or the seat to act, sees now."""
        return self.world.views[self.state.seat if seat is None else seat].see(self.state)

    def go_on(self) -> None:
        """A step by rule of thumb, or any step."""
        legal = self.state.legal()
        if self.luck.random() < 0.5:
            step = self.view().heuristic(Seeded(self.luck.randrange(1000)))
            assert step in legal
            self.play(step)
        else:
            self.play(self.luck.choice(legal))

    def walk(self, steps: int) -> Iterator[View]:
        """The view of each who is to act, over so many steps."""
        while not self.state.over and steps:
            yield self.view()
            self.go_on()
            steps -= 1


def visible(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in MEMORY}


def cards_in(state: State) -> list[int]:
    """All cards, wherever they lie."""
    return sorted(card for place, cards in state.where().items() if place not in ("pools", "box") for card in cards)


def sight(given: Case, state: State, seat: int) -> View:
    """A view that sees a state for the first time."""
    return given.game.view_type(given.players, seat, given.options).see(state)


def hands_in(given: Case, state: State) -> list[list[str]]:
    where = state.where()
    return [[given.game.code(card) for card in where.get(f"hand {seat}", [])] for seat in range(given.players)]


# --- a world agrees with what a seat knows ----------------------------------------------------------------------------


def sampled(table: Table, seat: int, luck: Seeded) -> State | None:
    """A world as a seat samples it; another test checks that there is one at every moment."""
    try:
        return table.view(seat).sample(luck)
    except ValueError:
        return None


def moments(given: Case, trusts: bool | None, every: int = 3) -> Iterator[tuple[Table, int]]:
    """Sittings at many moments, each with a seat: the one to act, and one of the others or a spectator."""
    for seed in range(many(times(1, 3))):
        table = Table(given, f"{given} {seed}", trusts)
        for number, _ in enumerate(table.walk(many(120))):
            if number % every == 0:
                yield table, table.state.seat
                yield table, table.luck.choice([seat for seat in range(-1, given.players) if seat != table.state.seat])


@however_it_listens
@every_case
def test_every_seat_finds_a_world_at_every_moment(case: Case, trusts: bool | None) -> None:
    luck = Seeded(5)
    for table, seat in moments(case, trusts):
        assert table.view(seat).sample(luck).legal()


@however_it_listens
@every_case
def test_a_sampled_world_looks_the_same_to_its_seat(case: Case, trusts: bool | None) -> None:
    luck = Seeded(7)
    for number, (table, seat) in enumerate(moments(case, trusts)):
        state, view = table.state, table.view(seat)
        fields, legal = view.fields(), view.legal()
        sample = sampled(table, seat, luck)
        assert view.fields() == fields and view.legal() == legal  # sampling changes nothing
        if sample is None:
            continue
        fresh = sight(case, sample, seat)
        assert visible(fresh.fields()) == visible(fields)
        assert fresh.legal() == legal
        assert sample.seat == state.seat and sample.legal()
        assert (sample.moves, sample.deals) == (state.moves, state.deals)
        assert cards_in(sample) == cards_in(state)
        true, found = state.where(), sample.where()
        assert {place: len(cards) for place, cards in found.items()} == {place: len(true[place]) for place in true}
        if number % 10 == 0:
            # and it can be played to its end
            sample.chance = Seeded(number)
            sample.serve_chance()
            while not sample.over:
                sample.play(table.luck.choice(sample.legal()))


@however_it_listens
@every_hiding
def test_a_sampled_world_agrees_with_the_memory_of_its_seat(case: Case, trusts: bool | None) -> None:
    """No card lies where it may not be, and coins that were shown lie where they are known to be."""
    luck = Seeded(9)
    for table, seat in moments(case, trusts):
        fields = table.view(seat).fields()
        sample = sampled(table, seat, luck)
        for holder, hand in enumerate(hands_in(case, sample) if sample else []):
            if case.game.name == "sovereign":
                known = fields["known_to_hold"][holder]
                wrong = [coin for coin, count in known.items() if hand.count(coin) < count]
                assert not wrong, f"seat {seat} has forgotten that seat {holder} has {wrong}"
            else:
                wrong = [card for card in hand if holder not in fields["may_hold"][card]]
                assert not wrong, f"seat {seat} gives {wrong} to seat {holder}, who cannot hold it"


@however_it_listens
@every_hiding
def test_hidden_cards_differ_from_world_to_world(case: Case, trusts: bool | None) -> None:
    """Wherever two hidden cards could change places, and nearly everywhere else too."""
    exact = trusts is None or case.game.name in ("lost-heir", "heraldry")
    asked = varied = 0
    table = Table(case, f"varied {case}", trusts)
    for number, view in enumerate(table.walk(many(120))):
        if number % 6:
            continue
        luck = Seeded(number)
        samples = [view.sample(luck).where() for _ in range(16)]  # its own turn: there is always one
        hidden = [[where[f"hand {seat}"] for seat in range(case.players)] for where in samples]
        differ = any(hands != hidden[0] for hands in hidden)
        asked += 1
        varied += differ
        if exact and not differ and case.game.name != "sovereign":
            may = view.fields()["may_hold"]
            at = {case.game.code(card): seat for seat, hand in enumerate(hidden[0]) for card in hand}
            held = [card for card, seat in at.items() if seat != view.seat]
            free = [(a, b) for a in held for b in held if at[a] != at[b] and at[b] in may[a] and at[a] in may[b]]
            assert not free, f"{free[0]} never changed places"
    assert varied > 0.6 * asked or case.players == 2


# --- each world as often as chance would bring it ---------------------------------------------------------------------

Way = tuple[Any, ...]  # the place of each item


def ways(allowed: list[list[Any]], room: dict[Any, int], most: int) -> list[Way]:
    """Every way to deal items to places; none where there are more than so many."""
    found: list[Way] = []
    left = dict(room)

    def go(at: int, chosen: list[Any]) -> bool:
        if at == len(allowed):
            found.append(tuple(chosen))
            return len(found) <= most
        for place in allowed[at]:
            if left[place]:
                left[place] -= 1
                fine = go(at + 1, [*chosen, place])
                left[place] += 1
                if not fine:
                    return False
        return True

    return found if go(0, []) else []


def check_even(counts: Counter[Way], worlds: list[Way]) -> None:
    """Chi-square, at odds of about one in a million."""
    assert set(counts) <= set(worlds), "a world that cannot be"
    each = counts.total() / len(worlds)
    square = sum((counts[world] - each) ** 2 / each for world in worlds)
    free = len(worlds) - 1
    assert square < free + 6 * sqrt(2 * free) + 12, f"chi-square {square:.1f} with {free} degrees of freedom"


def unseen_by(given: Case, view: View) -> tuple[list[str], list[list[str]], dict[str, int]]:
    """The cards that a view does not see, where each may be, and how many are there; in Lost Heir and Heraldry."""
    fields = view.fields()
    seen = {*fields["hand"], *fields.get("gone", []), *fields.get("table", [])}
    seen |= {card for _, card in fields.get("trick", [])} | {card for pile in fields.get("won", []) for card in pile}
    cards = [card for card in given.game.codes if card not in seen]
    room = {f"hand {seat}": size for seat, size in enumerate(fields["hand_sizes"]) if seat != view.seat}
    pack = ["pack"] if fields.get("pack") else []
    room |= {"pack": fields["pack"]} if pack else {}
    allowed = [[f"hand {seat}" for seat in fields["may_hold"][card] if seat != view.seat] + pack for card in cards]
    return cards, allowed, room


def place_in(given: Case, state: State) -> dict[str, str]:
    return {given.game.code(card): place for place, cards in state.where().items() for card in cards}


def check_worlds(given: Case, view: View, most: int) -> tuple[int, bool]:
    """Compare many samples with all worlds that can be; how many those are, and whether some hand was shown to lack."""
    cards, allowed, room = unseen_by(given, view)
    worlds = ways(allowed, room, most)
    if len(worlds) < 2:
        return 0, False
    luck = Seeded(len(worlds))
    counts: Counter[Way] = Counter()
    for _ in range(max(1000, 30 * len(worlds))):
        at = place_in(given, view.sample(luck))
        counts[tuple(at[card] for card in cards)] += 1
    check_even(counts, worlds)
    return len(worlds), any(len(places) < len(room) for places in allowed)


@counting
@pytest.mark.parametrize("players", [3, 4])
def test_every_end_of_a_deal_of_lost_heir_is_equally_likely(players: int) -> None:
    given = case("lost-heir", players, {})
    found = shown = 0
    for seed in range(60):
        table = Table(given, seed)
        for view in table.walk(2000):
            fields = view.fields()
            if fields["deal"] > 1:
                break
            if fields["trump"] and fields["tricks_left"] in (2, 3) and table.luck.random() < 0.5:
                number, lacking = check_worlds(given, table.view(table.luck.choice([view.seat, 0, -1])), 120)
                found += number > 0
                shown += lacking
        if found >= 24:
            break
    assert found >= 24 and shown >= 8


@counting
def test_a_player_fined_for_not_following_still_holds_the_suit() -> None:
    """HEIR-15: worlds in which he does not are none; all others are equally likely."""
    given = case("lost-heir", 3, {"mistakes": "penalised"})
    checked = 0
    for seed in range(80):
        table = Table(given, seed)
        for view in table.walk(2000):
            fields = view.fields()
            if fields["deal"] > 1:
                break
            if not fields["trump"] or fields["tricks_left"] not in (2, 3, 4):
                continue
            owed = owed_suits(table, view.seat)
            if not any(owed.values()):
                continue
            cards, allowed, room = unseen_by(given, view)
            asked = {(f"hand {seat}", suit) for seat, suits in owed.items() for suit in suits}
            suits = [suit_of(card) for card in cards]
            worlds = [world for world in ways(allowed, room, 300) if asked <= set(zip(world, suits, strict=True))]
            if len(worlds) < 2:
                continue
            counts: Counter[Way] = Counter()
            luck = Seeded(seed)
            for _ in range(30 * len(worlds)):
                at = place_in(given, view.sample(luck))
                counts[tuple(at[card] for card in cards)] += 1
            check_even(counts, worlds)
            checked += 1
        if checked >= 8:
            break
    assert checked >= 8


def odds(allowed: list[list[str]], room: dict[str, int]) -> list[dict[str, float]]:
    """Exactly, how likely each card is in each place, where every way is equally likely."""
    places = list(room)
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for at, own in enumerate(allowed):
        if tuple(own) in found:
            continue
        by_place = {}
        for place in own:
            left = {tuple(room[each] - (each == place) for each in places): 1}
            for other in [*allowed[:at], *allowed[at + 1 :]]:
                after: dict[tuple[int, ...], int] = {}
                for sizes, number in left.items():
                    for to in other:
                        spot = places.index(to)
                        if sizes[spot] > 0:
                            key = (*sizes[:spot], sizes[spot] - 1, *sizes[spot + 1 :])
                            after[key] = after.get(key, 0) + number
                left = after
            by_place[place] = sum(number for sizes, number in left.items() if min(sizes) >= 0)
        found[tuple(own)] = {place: number / sum(by_place.values()) for place, number in by_place.items()}
    return [found[tuple(own)] for own in allowed]


@counting
@pytest.mark.parametrize(("name", "players"), [("lost-heir", 3), ("lost-heir", 4), ("heraldry", 3)])
def test_each_card_is_in_each_place_as_often_as_the_exact_odds_say(name: str, players: int) -> None:
    """In the middle of a deal, where there are too many worlds to count: five standard errors."""
    given = case(name, players, {})
    found = 0
    for seed in range(40):
        table = Table(given, f"middle {seed}")
        for view in table.walk(300):
            fields = view.fields()
            if fields["deal"] > 1 or found >= 8:
                break
            cards, allowed, room = unseen_by(given, view)
            if len({tuple(places) for places in allowed}) < 3 or table.luck.random() < 0.8:
                continue
            number = 2500
            luck = Seeded(seed)
            counts: Counter[tuple[str, str]] = Counter()
            for _ in range(number):
                counts.update(place_in(given, view.sample(luck)).items())
            for card, likely in zip(cards, odds(allowed, room), strict=True):
                for place, share in likely.items():
                    error = sqrt(max(share * (1 - share), 1 / number) / number)
                    assert abs(counts[card, place] / number - share) < 5 * error, (card, place, share)
            found += 1
    assert found >= 8


def suit_of(card: str) -> str | None:
    """The suit of a card of Lost Heir; the odd cards have none."""
    return card[0] if card[1:].isdecimal() else None


def owed_suits(table: Table, seat: int) -> dict[int, set[str]]:
    """From what a seat was told of this deal: the suits that others were fined for and have not played since."""
    owed: dict[int, set[str]] = {other: set() for other in range(table.case.players) if other != seat}
    led = opening = last = None
    for entry in table.world.told[seat]:
        if entry[0] == "deal":
            owed = {other: set() for other in owed}
            led = opening = None
        elif entry[0] == "trump":
            opening = entry[2][0] if isinstance(entry[2], str) else None
        elif entry[0] == "play":
            suit = suit_of(entry[2])
            last = (entry[1], opening or led)
            opening = None
            led = led or suit
            owed.get(entry[1], set()).discard(suit or "")
        elif entry[0] == "take":
            led = None
        elif entry[0] == "score" and entry[-1] == "HEIR-15":
            assert last is not None and last[1] is not None
            owed.get(last[0], set()).add(last[1])
    return owed


@counting
@pytest.mark.parametrize(("players", "packs"), [(2, {4, 12}), (3, {0, 8}), (4, {0})])
def test_every_deal_of_heraldry_is_equally_likely(players: int, packs: set[int]) -> None:
    given = case("heraldry", players, {})
    found = shown = 0
    met = set()
    for seed in range(60):
        table = Table(given, seed)
        for view in table.walk(200):
            fields = view.fields()
            if fields["pack"] in packs and not view.unfinished and table.luck.random() < 0.2:
                number, lacking = check_worlds(given, view, 220)
                if number:
                    found += 1
                    shown += lacking
                    met.add(fields["pack"])
        if found >= 12 and shown >= 6 and met == packs:
            break
    assert found >= 12 and shown >= 6 and met == packs


@counting
def test_the_pack_of_heraldry_lies_in_any_order() -> None:
    given = case("heraldry", 3, {})
    view = Table(given, "order").view()
    luck = Seeded(1)
    firsts: Counter[int] = Counter()
    lasts: Counter[int] = Counter()
    for _ in range(6000):
        pack = view.sample(luck).where()["pack"]
        firsts[pack[0]] += 1
        lasts[pack[-1]] += 1
    unseen = [(card,) for card in sorted(firsts)]
    assert len(unseen) == 48 - 4 - 4
    check_even(Counter({(card,): count for card, count in firsts.items()}), unseen)
    check_even(Counter({(card,): count for card, count in lasts.items()}), unseen)


# cards that wander: a cloud of 128 worlds, so that many sittings are taken together


def after_first_trick(seed: int, players: int) -> tuple[Table, list[list[Any]]] | None:
    """A game of Masquerade after its first trick in which all have played; and what all were told of its draws."""
    table = Table(case("masquerade", players, {}), seed)
    while not any(entry[0] == "take" for entry in table.world.told[-1]):
        table.go_on()
    told = table.world.told[-1]
    plays = [entry for entry in told if entry[0] == "play"]
    draws = [entry for entry in told if entry[0] == "draw"]
    if len(plays) != players or len(draws) != players - 1 or table.state.over or table.state.deals != 1:
        return None
    return table, told


def trick_places(table: Table, told: list[list[Any]], me: int, scores: bool) -> dict[str, list[float]]:
    """For each card of the first trick, exactly, how likely each seat holds it, from where a seat sits.

    Every way to draw is as likely as the next. A seat knows its own draw (and the taker every one), and with `scores`
    it has heard who drew the very card he had played (MASQ-13).
    """
    players = table.case.players
    laid = {entry[1]: entry[2] for entry in told if entry[0] == "play"}
    (taker,) = (entry[1] for entry in told if entry[0] == "take")
    mine = [entry for entry in table.world.told[me] if entry[0] == "draw"]
    drawers = [entry[1] for entry in mine]
    scored = {entry[1] for entry in told if entry[0] == "score" and entry[-1] == "MASQ-13"}
    known = {entry[1]: entry[3] for entry in mine if entry[3] is not None}
    # the taker's hand before the draws: the trick, and others of which only the drawn ones matter
    others = [card for card in known.values() if card not in laid.values()]
    size = 32 // players - 1 + players
    hand = [*laid.values(), *others, *(f"other {at}" for at in range(size - len(laid) - len(others)))]
    places = {card: [0.0] * players for card in laid.values()}
    total = 0
    for drawn in permutations(hand, len(drawers)):
        at = dict(zip(drawers, drawn, strict=True))
        if any(at[seat] != card for seat, card in known.items()):
            continue
        if scores and any((at[seat] == laid[seat]) != (seat in scored) for seat in drawers):
            continue
        total += 1
        by_card = {card: seat for seat, card in at.items()}
        for card, likely in places.items():
            likely[by_card.get(card, taker)] += 1
    return {card: [count / total for count in likely] for card, likely in places.items()}


def compare_trick(scores: bool) -> tuple[float, float]:
    """Over many sittings: the greatest mean difference from the exact odds, and the greatest odds of what cannot be."""
    expected: dict[tuple[str, str], float] = {}
    sampled: dict[tuple[str, str], float] = {}
    number: Counter[tuple[str, str]] = Counter()
    impossible = 0.0
    found = 0
    for seed in range(60):
        moment = after_first_trick(seed, 4)
        if moment is None:
            continue
        found += 1
        table, told = moment
        laid = {entry[2]: entry[1] for entry in told if entry[0] == "play"}
        (taker,) = (entry[1] for entry in told if entry[0] == "take")
        for me in range(4):
            exact = trick_places(table, told, me, scores)
            view = table.view(me)
            luck = Seeded(seed)
            counts: Counter[tuple[str, int]] = Counter()
            for _ in range(128):
                for seat, hand in enumerate(hands_in(table.case, view.sample(luck))):
                    counts.update((card, seat) for card in hand)
            role = {seat: "me" if seat == me else "taker" if seat == taker else "drawer" for seat in range(4)}
            for card, likely in exact.items():
                for seat in range(4):
                    share = counts[card, seat] / 128
                    # what belongs together: whose card it was, seen from here, and with whom it is now
                    own = "his own" if laid[card] == seat else "another's"
                    key = (f"{role[laid[card]]} {'I took' if me == taker else ''}", f"{role[seat]} {own}")
                    if likely[seat] == 0.0:
                        impossible = max(impossible, share)
                    expected[key] = expected.get(key, 0.0) + likely[seat]
                    sampled[key] = sampled.get(key, 0.0) + share
                    number[key] += 1
    assert found > 25
    return max(abs(expected[key] - sampled[key]) / number[key] for key in expected), impossible


@counting
def test_cards_of_a_masquerade_trick_are_as_likely_as_draws_make_them() -> None:
    """But for what the score of a draw tells (the next test): the taker keeps a card with 8 in 10, and so on.

    Some seventy clouds are taken together: one standard error is below 0.01.
    """
    difference, _ = compare_trick(scores=False)
    assert difference < 0.03


@counting
def test_masq_13_tells_whether_a_seat_drew_the_card_it_had_played() -> None:
    """Who draws the very card he played scores 4 aloud; who does not score has drawn another."""
    difference, impossible = compare_trick(scores=True)
    assert impossible == 0.0, f"a card is put where it cannot be in {impossible:.0%} of the worlds"
    assert difference < 0.03


def passed_on(seed: int) -> Table:
    """Seat 1 has drawn the sovereign card from seat 0, a round ago, and now has its turn."""
    given = case("sovereign", 3, {"mistakes": "penalised", "rounds": 1, "round_limit": 40})
    table = Table(given, seed, deal=False)
    table.world.give([2])
    rest = table.state.possible()
    rest.remove(0)
    table.luck.shuffle(rest)
    rest.insert(0, 0)  # to the dealer's left, who is seat 0
    table.world.give(rest)

    def throw_any() -> None:
        """Whatever is thrown, but not the sovereign card."""
        throws = [step for step in table.state.legal() if given.game.step_name(step).startswith("throw")]
        keep = given.game.step_names.index(f"throw {given.game.codes[0]}")
        table.world.play(table.luck.choice([step for step in throws if step != keep]))

    for _ in range(3):  # the first round: all throw out and pick up
        throw_any()
        table.named("take surplus")
        table.named("leave")
    throw_any()  # seat 0
    table.named("take surplus")
    table.named("leave")
    throw_any()  # seat 1 draws from seat 0
    table.named("take neighbour")
    table.world.give([0])
    table.named("leave")
    throw_any()  # seat 2
    table.named("take surplus")
    table.named("leave")
    throw_any()  # seat 0
    table.named("take surplus")
    table.named("leave")
    return table


def shares_of_the_sovereign_card(tables: list[Table]) -> dict[str, float]:
    """Where seat 0 thinks that it is."""
    counts: Counter[str] = Counter()
    for number, table in enumerate(tables):
        view = table.view(0)
        luck = Seeded(number)
        for _ in range(128):
            (place,) = (place for place, coins in view.sample(luck).where().items() if place != "pools" and 0 in coins)
            counts[place] += 1
    return {place: count / counts.total() for place, count in counts.items()}


def assert_close(found: dict[str, float], likely: dict[str, float], within: float) -> None:
    for place in {*found, *likely}:
        assert abs(found.get(place, 0.0) - likely.get(place, 0.0)) < within, (place, found, likely)


@counting
def test_after_a_throw_a_neighbour_holds_the_coin_drawn_four_times_in_five() -> None:
    """Thirty clouds, each of 128 worlds: one standard error is below 0.01."""
    tables = [passed_on(seed) for seed in range(30)]
    assert shares_of_the_sovereign_card(tables)["hand 1"] > 0.99
    for table in tables:
        step = next(step for step in table.state.legal() if 10 <= step < 19)
        table.world.play(step)  # seat 1 throws out one of five
    found = shares_of_the_sovereign_card(tables)
    assert_close(found, {"hand 1": 4 / 5, "aside": 1 / 5}, 0.03)
    for table in tables:
        table.named("take surplus")
        table.named("leave")
    assert_close(shares_of_the_sovereign_card(tables), found, 0.02)
    for table in tables:
        step = next(step for step in table.state.legal() if 10 <= step < 19)
        table.world.play(step)  # seat 2 throws out one of its own, and draws one of seat 1's five
        table.named("take neighbour")
        table.serve_chance()
    found = shares_of_the_sovereign_card(tables)
    assert_close(found, {"hand 1": 16 / 25, "hand 2": 4 / 25, "aside": 1 / 5}, 0.03)


@counting
@pytest.mark.parametrize("players", [3, 4, 6])
def test_assuming_that_others_throw_out_by_the_heuristic_is_nearer_the_truth(players: int) -> None:
    """How many of the others' cards are sampled where they are, over the same moments of sittings played by thumb."""
    given = case("sovereign", players, {})
    right = {False: 0, True: 0}
    for trusts in right:
        for seed in range(25):
            table = Table(given, f"thumb {seed}", trusts)
            while not table.state.over and table.state.moves < 60:
                view = table.view()
                if not table.state.unfinished and table.state.moves > 12:
                    truth = hands_in(given, table.state)
                    for number in range(4):
                        for seat, hand in enumerate(hands_in(given, view.sample(Seeded(number)))):
                            same = Counter(hand) & Counter(truth[seat])
                            right[trusts] += same.total() if seat != view.seat else 0
                table.play(view.heuristic(Seeded(1)))
    assert right[True] > 1.02 * right[False], right


def makes_change(coins: list[str], given: Case) -> bool:
    sums = {0}
    for coin in coins:
        sums |= {before + COIN_PENCE.get(coin, 0) for before in sums if coin != given.game.codes[0]}
    return 240 in sums


@counting
@pytest.mark.parametrize("players", [3, 4])
def test_sov_5_a_player_whose_draw_ended_the_turn_cannot_give_change(players: int) -> None:
    """Where mistakes are prevented, the turn passes at once from who took a card and still cannot give change."""
    given = case("sovereign", players, {"rounds": 1, "round_limit": 40})
    asked = 0
    for seed in range(20):
        table = Table(given, f"doubt {seed}")
        for view in table.walk(60):
            told = table.world.told[-1]
            *_, last = (entry for entry in [["deal"], *told] if entry[0] in ("deal", "take", "leave", "change"))
            if last[0] != "take" or view.fields()["stage"] != "start":
                continue
            for number in range(10):
                hand = hands_in(given, view.sample(Seeded(number)))[last[1]]
                assert not makes_change(hand, given), f"seat {last[1]} can, with {hand}"
                asked += 1
    assert asked > 2000


def test_sov_5_a_player_who_must_have_change_is_dealt_it_as_chance_would() -> None:
    """Of all hands that give change, with what is known of this one, each as often as the unseen coins can make it."""
    load_interpreted()
    sovereign = import_module("parlour_interpreted.games.sovereign")
    rules = import_module("parlour_interpreted.games.sovereign.rules")
    luck = import_module("parlour_interpreted.engine.core").Seeded(5)
    state = sovereign.GAME.new(3, chance=luck)
    view = sovereign.GAME.view(state, 0)
    view.to_act = 1
    known, others = [3, 4], [5, 5]
    for seat, coins in ((1, known), (2, others)):
        view._know_hand(seat, sum(1 << 4 * coin for coin in coins))
    memory = view.at_least[:]
    unseen = Counter(dict(enumerate(view.copies)))
    unseen.subtract([*state.coins_of(0), *known, *others])
    weights = {}
    for more in combinations_with_replacement(range(9), 3):
        hand = tuple(sorted([*known, *more]))
        if rules.reaches(sum(1 << 4 * coin for coin in hand), rules.CHANGE_UNITS):
            weights[hand] = prod(comb(unseen[coin], number) for coin, number in Counter(more).items())
    view._attach(view.new_state().begin())
    view._prepare()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(1500):
        assert view._deal_change(luck) and view.at_least == memory
        places = view._world.where()
        assert cards_in(view._world) == [coin for coin, number in enumerate(view.copies) for _ in range(number)]
        assert [len(places[f"hand {seat}"]) for seat in range(3)] == [5, 5, 5]
        counts[tuple(places["hand 1"])] += 1
    assert set(counts) <= set(weights) and len(counts) > 5
    for hand, weight in weights.items():
        expected = 1500 * weight / sum(weights.values())
        assert abs(counts[hand] - expected) <= 5 * sqrt(expected) + 1
    view._know_hand(1, sum(1 << 4 * coin for coin in [7, 7, 7, 7]))
    assert not view._deal_change(luck)  # with four sixpences nobody has change


TRICKY = {
    "two that fit one place each": ([[0], [1], [0, 1, 2], [0, 1, 2], [0, 1, 2]], {0: 2, 1: 1, 2: 2}),
    "a chain": ([[0, 1], [1, 2], [2, 3], [0, 3], [0, 1, 2, 3], [0, 2]], {0: 2, 1: 1, 2: 2, 3: 1}),
    "one place nearly closed": ([[0, 1]] * 5 + [[0, 1, 2]] * 3, {0: 3, 1: 3, 2: 2}),
    "a large pack": ([[3], [0, 3], [1, 3], [0, 1, 3], [0, 1, 3], [1, 2, 3], [0, 1, 2, 3]], {0: 1, 1: 1, 2: 1, 3: 4}),
    "crossing pairs": ([[0, 1], [0, 1], [1, 2], [1, 2], [0, 2], [0, 2]], {0: 2, 1: 2, 2: 2}),
    "room for one": ([[0, 1, 2]] * 2 + [[1, 2]] * 2 + [[2, 3]] * 3, {0: 1, 1: 2, 2: 2, 3: 2}),
    "hardly any way": ([[0, 5], [0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]], {0: 2, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}),
}


@pytest.mark.parametrize("name", TRICKY)
def test_deals_are_sampled_evenly(name: str) -> None:
    load_interpreted()
    sampler = import_module("parlour_interpreted.engine.beliefs").DealSampler()
    luck = import_module("parlour_interpreted.engine.core").Seeded(3)
    allowed, room = TRICKY[name]
    worlds = ways(allowed, room, 5000)
    assert len(worlds) > 1
    sampler._clear()
    for place, size in room.items():
        sampler.room[place] = size
    for item, places in enumerate(allowed):
        sampler._add(item, sum(1 << place for place in places))
    sampler._prepare()
    counts: Counter[Way] = Counter()
    for _ in range(max(1500, 15 * len(worlds))):
        assert sampler._sample(luck)
        at = [next(place for place in room if sampler.got[place] >> item & 1) for item in range(len(allowed))]
        counts[tuple(at)] += 1
    check_even(counts, worlds)


def test_an_impossible_deal_is_not_sampled() -> None:
    load_interpreted()
    sampler = import_module("parlour_interpreted.engine.beliefs").DealSampler()
    sampler._clear()
    sampler.room[0], sampler.room[1] = 1, 1
    sampler._add(0, 1)
    sampler._add(1, 1)
    sampler._prepare()
    assert not sampler._sample(import_module("parlour_interpreted.engine.core").Seeded(1))


# --- honesty ----------------------------------------------------------------------------------------------------------


@every_case
def test_advice_does_not_depend_on_hidden_cards(case: Case) -> None:
    for seed in range(many(2)):
        table = Table(case, f"advice {seed}")
        for number, view in enumerate(table.walk(many(80))):
            said = view.heuristic(Seeded(number))
            assert said in view.legal()
            for _ in range(3):
                sample = view.sample(Seeded(number))
                assert sight(case, sample, view.seat).heuristic(Seeded(number)) == said


def compare_choices(given: Case, seed: int, luck: random.Random, most: int) -> int:
    """Play one sitting in two worlds, and let the seats that cannot tell them apart search in both; how often."""
    sitting = played(given.sitting(seed), Seeded(seed), 60)
    script = script_of(given.game, sitting.log)
    one, other = Twin(given, script, seed), Twin(given, changed(script, luck), seed + 1)
    for twin in (one, other):
        for view in twin.world.views.values():
            view.track_beliefs(trusting=True)
    searchers = Searcher(60), Searcher(60)
    found = 0
    for step in [None, *(step for move in sitting.moves for step in move.steps)]:
        if step is not None:
            one.world.play(step)
            try:
                other.world.play(step)
            except Refusal:
                break
        one.serve_chance()
        other.serve_chance()
        seat = one.world.state.seat
        if seat != other.world.state.seat or seat < 0 or found >= most:
            break
        alike = one.world.told[seat] == other.world.told[seat]
        if alike and one.world.state.where() != other.world.state.where():
            choices = []
            for searcher, twin in zip(searchers, (one, other), strict=True):
                searcher.begin(seed, 3)
                choices.append(searcher.choose(twin.world.views[seat].see(twin.world.state)))
                assert choices[-1] in twin.world.state.legal()
            assert choices[0] == choices[1]
            assert searchers[0].search and searchers[1].search
            assert searchers[0].search.candidates() == searchers[1].search.candidates()
            found += 1
    return found


TELLING = [each for each in TWINS if each.game.name != "tontine" and (each.game.name, each.players) != ("lost-heir", 2)]


@counting
@pytest.mark.parametrize("case", TELLING, ids=str)
def test_a_search_chooses_the_same_in_worlds_that_its_seat_cannot_tell_apart(case: Case) -> None:
    luck = random.Random(f"search {case}")
    found = sum(compare_choices(case, seed, luck, 12) for seed in range(12))
    assert found >= 8


class Spy(Bot):
    """Looks at what it is handed."""

    tracks_beliefs = True

    def __init__(self) -> None:
        self.luck = random.Random(1)
        self.handed: list[View] = []

    def choose(self, view: View) -> int:
        self.handed = [view]
        return self.luck.choice(view.legal())


def reached_from(thing: object, depth: int) -> Iterator[object]:
    """All that an object holds, and what that holds, and so on; neither types nor modules."""
    if depth:
        for held in gc.get_referents(thing):
            if not isinstance(held, type) and type(held).__name__ != "module":
                yield held
                yield from reached_from(held, depth - 1)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_bot_is_handed_a_view_from_which_no_state_is_reached(name: str) -> None:
    given = case(name, parlour.sheet(name).usual, {})
    seating = Seating(given.game, given.players, given.options, ["thumb"] * given.players)
    spies = [Spy() for _ in range(given.players)]
    seating.bots[:] = spies
    seating.begin(1, 0)
    state = given.state()
    state.journal = Journal()
    state.begin(Seeded(5))
    steps = 0
    while not state.over and steps < 80:
        if not state.unfinished:
            seating.tell(state.journal)
            state.journal.clear()
        seat = state.seat
        step = seating.choose(state)
        (view,) = spies[seat].handed
        assert isinstance(view, View) and not isinstance(view, State)
        assert view.seat == seat
        if steps % 10 == 0:
            for attribute in dir(view):
                if not attribute.startswith("_"):
                    value = getattr(view, attribute)
                    assert not isinstance(value, State), attribute
                    assert not any(isinstance(held, State) for held in reached_from(value, 2)), attribute
            assert not any(isinstance(held, State) for held in reached_from(view, 3))
            assert view not in gc.get_referrers(state)
            # what it samples is another state, and it keeps nothing of that either
            sample = view.sample(Seeded(1))
            assert sample is not state and view not in gc.get_referrers(sample)
        state.play(step)
        steps += 1


def test_the_oracle_takes_no_seat_with_others() -> None:
    with pytest.raises(ValueError, match="oracle"):
        check_name("oracle")
    assert check_name("oracle", measuring=True) == "oracle"
    table = Table(case("heraldry", 2, {}), 1)
    with pytest.raises(TypeError, match="oracle"):
        Oracle(60).choose(table.view())


def oracle_thinks(given: Case, seed: int, undealt: int) -> list[Any]:
    """What the oracle finds over some moves, where only the order of the cards to come is another."""
    table = Table(given, seed, None, deal=False)
    while table.state.awaits >= 0:
        items = table.luck.sample(table.state.possible(), table.state.wanted())
        if len(items) > 1:
            dealt = 4 * given.players + 4 if given.game.name == "heraldry" else 5 * given.players
            rest = items[dealt:]
            random.Random(undealt).shuffle(rest)
            items = items[:dealt] + rest
        table.world.give(items)
    oracle = Oracle(120)
    oracle.begin(seed, 1)
    found: list[Any] = []
    for _ in range(3):  # nobody has met a card of the pack yet
        step = oracle.think(table.view(), table.state)
        assert oracle.search is not None
        found.append((step, oracle.search.candidates()))
        if given.game.name == "sovereign":
            break
        table.play(table.state.legal()[0])
        if table.state.unfinished:
            break
    return found


@pytest.mark.parametrize("name", ["heraldry", "sovereign"])
def test_the_oracle_does_not_look_at_cards_to_come(name: str) -> None:
    """The same hands and another order of what nobody has yet: the same choice, for the same reasons."""
    given = case(name, 3, {})
    for seed in range(many(20)):
        assert oracle_thinks(given, seed, 1) == oracle_thinks(given, seed, 2)


# --- the same everywhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", parlour.GAMES)
def test_the_same_seed_gives_the_same_choice_after_any_other_search(name: str) -> None:
    given = case(name, parlour.sheet(name).usual, {})
    one, other = Searcher(60), Searcher(60)
    for number, table in enumerate(Table(given, f"same {seed}") for seed in range(many(3))):
        for at, view in enumerate(table.walk(many(40))):
            for searcher in (one, other):
                searcher.begin(number, at)
            if at % 3 == 0:
                other.begin(number + 1, at)
                other.choose(view)
                other.begin(number, at)
            fresh = Searcher(60)
            fresh.begin(number, at)
            step = one.choose(view)
            assert step == other.choose(view) == fresh.choose(view)
            assert one.search and other.search and fresh.search
            assert one.search.candidates() == other.search.candidates() == fresh.search.candidates()


def thoughts(package: str, name: str, players: int, options: dict[str, Any], trials: int, every: int, most: int) -> Any:
    """What one seat finds, by a package, at some moments of a sitting that all else play at random."""
    core, search = import_module(f"{package}.engine.core"), import_module(f"{package}.engine.search")
    game = import_module(package).game(name)
    chosen = game.options_for(players, options)
    found = []
    state = game.state_type(players, chosen)
    state.journal = core.Journal()
    view = game.view_type(players, 1, chosen)
    view.track_beliefs(trusting=True)
    state.begin(core.Seeded(11))
    luck = random.Random(name)
    own = 0
    thinker = None
    while not state.over and len(found) < most:
        if not state.unfinished:
            view.listen(state.journal)
            state.journal.clear()
        step = luck.choice(state.legal())
        if state.seat == 1:
            view.see(state)
            if own % every == 0:
                thinker = thinker or search.Search(view)
                step = thinker.think(view, 5, own, trials)
                sample = view.sample(core.Seeded(own))
                candidates = [tuple(each) for each in thinker.candidates()]
                found.append((step, candidates, sample.where(), thinker.done, thinker.failed))
            own += 1
        state.play(step)
    return found


COMPARED = [
    ("masquerade", 4, {}, 3, 4),
    ("masquerade", 8, {"exchange": "courtesy", "following": "suit"}, 1, 2),
    ("lost-heir", 4, {}, 4, 4),
    ("lost-heir", 3, {"mistakes": "penalised", "odd_cards": "free"}, 6, 3),
    ("sovereign", 3, {"rounds": 1}, 3, 4),
    ("sovereign", 4, {"thrown": "under", "mistakes": "penalised", "rounds": 1}, 4, 3),
    ("heraldry", 2, {}, 4, 4),
    ("heraldry", 3, {"capture": "choice"}, 3, 4),
    ("tontine", 4, {}, 2, 2),
]


@counting
@pytest.mark.parametrize(("name", "players", "options", "every", "most"), COMPARED)
def test_compiled_and_interpreted_think_the_same(
    name: str, players: int, options: dict[str, Any], every: int, most: int
) -> None:
    """The same worlds, the same step, and the same numbers to the last bit; `rise` has its own test."""
    load_interpreted()
    compiled = thoughts("parlour", name, players, options, 24, every, most)
    interpreted = thoughts("parlour_interpreted", name, players, options, 24, every, most)
    assert len(compiled) == most
    for one, other in zip(compiled, interpreted, strict=True):
        assert [each[:6] for each in one[1]] == [each[:6] for each in other[1]]
        assert (one[0], *one[2:]) == (other[0], *other[2:])


@counting
def test_the_chance_to_rise_is_the_same_compiled_and_interpreted() -> None:
    load_interpreted()
    for name, players, options, every, most in (COMPARED[1], COMPARED[5]):
        compiled = thoughts("parlour", name, players, options, 24, every, most)
        interpreted = thoughts("parlour_interpreted", name, players, options, 24, every, most)
        for one, other in zip(compiled, interpreted, strict=True):
            assert [each[6] for each in one[1]] == [each[6] for each in other[1]]


# --- the bounds of a search -------------------------------------------------------------------------------------------


def test_a_search_is_refused_where_it_is_not_the_seats_turn() -> None:
    table = Table(case("heraldry", 3, {}), 1)
    search = Search(table.view())
    for seat in {-1, 0, 1, 2} - {table.state.seat}:
        with pytest.raises(Refusal, match="not the turn"):
            search.think(table.view(seat), 1, 1, 60)
        with pytest.raises(Refusal, match="not the turn"):
            table.view(seat).heuristic(Seeded(1))
    assert search.think(table.view(), 1, 1, 60) in table.state.legal()


def test_a_search_is_refused_after_the_end() -> None:
    table = Table(case("tontine", 4, {}), 1)
    search = Search(table.view())
    for _ in table.walk(10**6):
        pass
    for seat in range(-1, 4):
        with pytest.raises(Refusal):
            search.think(table.view(seat), 1, 1, 60)
        with pytest.raises(ValueError, match="No state"):
            table.view(seat).sample(Seeded(1))


def test_a_single_legal_step_is_taken_without_a_search() -> None:
    single = 0
    for name in ("tontine", "heraldry", "masquerade", "lost-heir"):
        table = Table(case(name, 4, {}), 2)
        search = Search(table.view())
        for view in table.walk(many(100)):
            if len(view.legal()) == 1:
                assert [search.think(view, 1, 1, 500)] == view.legal()
                assert search.done == 0 and search.candidates() == []
                single += 1
    assert single


@pytest.mark.parametrize("name", parlour.GAMES)
def test_seconds_stop_a_search_early_with_a_legal_step(name: str) -> None:
    table = Table(case(name, parlour.sheet(name).usual, {}), 3)
    search = Search(table.view())
    asked = 10**7
    for view in table.walk(3):
        step = search.think(view, 1, 1, asked, None, 0.02)
        assert step in view.legal()
        assert search.done < asked


@pytest.mark.parametrize("name", parlour.GAMES)
def test_the_trials_of_candidates_add_up(name: str) -> None:
    for trials in (1, 2, 7, 60, 240):
        table = Table(case(name, parlour.sheet(name).usual, {}), f"{name} {trials}")
        search = Search(table.view())
        for view in table.walk(many(60)):
            legal = view.legal()
            step = search.think(view, 1, 1, trials)
            found = search.candidates()
            assert step in legal
            assert search.failed == 0
            if len(legal) > 1:
                assert trials <= search.done < trials + len(legal)
            assert sum(each.tries for each in found) == search.done
            assert len({each.step for each in found}) == len(found) and {each.step for each in found} <= set(legal)
            assert [each.tries for each in found] == sorted((each.tries for each in found), reverse=True)
            for each in found:
                assert -1 <= each.better <= 1 and each.doubt >= 0 and 0 <= each.win_chance <= 1 and 0 <= each.rise <= 1
            if found:
                (plan,) = (each for each in found if each.step == view.heuristic(Seeded(1)))
                assert plan.better == 0 and plan.tries == found[0].tries


@pytest.mark.parametrize("late", [True, False], ids=["joined", "never told"])
@every_case
def test_a_view_that_joins_in_mid_game_or_hears_nothing_gets_legal_steps(case: Case, late: bool) -> None:
    """A view that heard only the end of a deal knows less, may err, and may find no world; the step is still legal."""
    for seed in range(many(3)):
        table = Table(case, f"late {seed}", None)
        for _ in table.walk(7 + 11 * seed):
            pass
        if table.state.over or table.state.unfinished:
            continue
        if late:
            for seat in table.world.views:
                view = table.world.views[seat] = case.game.view_type(case.players, seat, case.options)
                view.track_beliefs(trusting=True)
        for view in table.walk(40):
            if not late:
                view = sight(case, table.state, table.state.seat)
                view.track_beliefs(trusting=True)
            assert Search(view).think(view, 1, seed, 20) in table.state.legal()


def test_a_view_that_joined_late_can_be_told_of_a_fine() -> None:
    """HEIR-15, for a view that came in the middle of a trick: it never heard what suit was asked."""
    twin = load_interpreted()
    core = import_module("parlour_interpreted.engine.core")
    game = twin.game("lost-heir")
    options = game.options_for(4, {"mistakes": "penalised"})
    met = 0
    for seed in range(6):
        state = game.state_type(4, options)
        state.journal = core.Journal()
        state.begin(core.Seeded(seed))
        luck = random.Random(seed)
        for _ in range(40):
            state.journal.clear()
            view = game.view_type(4, 0, options)  # comes before every single step
            state.play(luck.choice(state.legal()))
            told = [game.told(row) for row in state.journal.rows()]
            met += any(entry[0] == "score" and entry[-1] == "HEIR-15" for entry in told)
            view.listen(state.journal)
    assert met


# --- what takes long --------------------------------------------------------------------------------------------------


def resident() -> int:
    """Pages of memory in use."""
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nothing says how much memory is in use")
@pytest.mark.parametrize("name", parlour.GAMES)
def test_ten_thousand_searches_take_no_more_memory_than_a_few(name: str) -> None:
    given = case(name, parlour.sheet(name).usual, {})
    before = 0
    done = 0
    seed = 0
    searcher = Searcher(24)
    while done < many(10_000):
        table = Table(given, seed)
        for view in table.walk(60):
            assert searcher.choose(view) in view.legal()
            Searcher(2).choose(view)  # and one that is thrown away
            view.sample(Seeded(done))
            done += 1
        seed += 1
        del table
        if not before and done >= many(1500):
            gc.collect()
            before = resident()
    gc.collect()
    assert resident() - before < 1024  # 4 MiB


def searched(name: str, seed: int) -> list[int]:
    """A sitting that searchers play, with all they think."""
    given = case(name, parlour.sheet(name).usual, {})
    seating = Seating(given.game, given.players, given.options, ["search:240"] * given.players)
    seating.begin(seed, 0)
    state = given.state()
    state.journal = Journal()
    state.begin(Seeded(seed))
    steps = []
    while not state.over and len(steps) < many(150):
        if not state.unfinished:
            seating.tell(state.journal)
            state.journal.clear()
        steps.append(seating.choose(state))
        state.play(steps[-1])
    return steps


@pytest.mark.long
@pytest.mark.parametrize("name", parlour.GAMES)
def test_two_threads_choose_as_one_after_another(name: str) -> None:
    alone = {seed: searched(name, seed) for seed in range(4)}
    together: dict[int, list[int]] = {}

    def work(seeds: tuple[int, ...]) -> None:
        for seed in seeds:
            together[seed] = searched(name, seed)

    threads = [threading.Thread(target=work, args=(seeds,)) for seeds in ((0, 1), (2, 3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_the_view_of_a_bot_that_searches_tracks_beliefs() -> None:
    for names, tracks in ((["steady", "thumb"], [True, False]), (["thumb", "expert"], [False, True])):
        case_ = parlour.game("sovereign")
        seats = Seating(case_, 2, case_.options_for(2), names)
        seats.begin(1, 0)
        for view, wanted in zip(seats.views, tracks, strict=True):
            held = gc.get_referents(view)
            held += [value for part in held if isinstance(part, dict) for value in part.values()]
            assert any(type(part).__name__ == "ParticleFilter" for part in held) == wanted
