"""Twin worlds: a seat that was told the same in two worlds sees the same, byte for byte; and who is told what."""

from __future__ import annotations

import random
from typing import Any

import pytest

import parlour
from parlour import Seeded
from parlour.records.record import script_of
from support.cases import Case, World, case, has_value, newer_values, played
from support.effort import times
from support.twins import TWINS, Twin, changed, compare, every_twin


@every_twin
def test_seats_that_were_told_the_same_see_the_same(case: Case) -> None:
    luck = random.Random(str(case))
    hidden = 0
    for seed in range(3):
        sitting = played(case.sitting(seed), Seeded(seed), 120)
        script = script_of(case.game, sitting.log)
        for number in range(times(7, 12)):
            hidden += compare(case, sitting, changed(script, luck), 100 * seed + number)
    assert hidden > times(20, 100) or case.game.name == "tontine"  # which hides nothing


@pytest.mark.parametrize("case", [each for each in TWINS if each.game.name != "tontine"], ids=str)
def test_seats_that_were_told_the_same_believe_the_same(case: Case) -> None:
    luck = random.Random(str(case))
    hidden = 0
    for seed in range(2):
        sitting = played(case.sitting(seed), Seeded(seed), 40)
        script = script_of(case.game, sitting.log)
        for number in range(times(2, 8)):
            hidden += compare(case, sitting, changed(script, luck), 100 * seed + number, believing=True)
    assert hidden > 0 or (case.game.name == "lost-heir" and case.players == 2)  # who hold the whole pack


@pytest.mark.parametrize("name", parlour.GAMES)
def test_twin_worlds_have_every_value_that_came_later(name: str) -> None:
    cases = [each for each in TWINS if each.game.name == name]
    for option, value in newer_values(parlour.game(name)):
        assert any(has_value(each, option, value) for each in cases), f"{option}: {value}"


@pytest.mark.parametrize("players", [4, 8])
def test_the_first_division_reveals_only_the_player_who_received_m1(players: int) -> None:
    given = case("masquerade", players, {})
    luck = random.Random(players)
    for seed in range(4):
        sitting = played(given.sitting(seed), Seeded(seed), 40)
        (kind, cards), *rest = script_of(given.game, sitting.log)
        place = cards.index(0)
        others = [card for card in cards if card]
        luck.shuffle(others)
        place = luck.choice(range(place % players, 32, players))
        others.insert(place, 0)
        one, other = Twin(given, [(kind, cards), *rest], seed), Twin(given, [(kind, others), *rest], seed)
        for step in [None, *(step for move in sitting.moves for step in move.steps)]:
            for twin in (one, other):
                if step is not None:
                    twin.world.play(step)
                twin.serve_chance()
            assert one.world.told == other.world.told
            assert all(one.world.seen(seat) == other.world.seen(seat) for seat in one.world.told)
        assert one.world.rows != other.world.rows


def test_only_the_two_players_of_an_exchange_see_its_card() -> None:
    """The exchange of Masquerade, from the third seat's side: whatever was given and returned, it sees the same."""
    given = case("masquerade", 4, {"exchange": "courtesy", "following": "suit"})
    found = 0
    for seed in range(30):
        sitting = played(given.sitting(seed), Seeded(seed), 60)
        script = script_of(given.game, sitting.log)
        steps = [step for move in sitting.moves for step in move.steps]
        for at, step in enumerate(steps):
            if given.game.step_name(step).startswith("give"):
                worlds = []
                for swapped in (False, True):
                    twin = Twin(given, script, seed)
                    twin.serve_chance()
                    for earlier in steps[:at]:
                        twin.world.play(earlier)
                        twin.serve_chance()
                    giver = twin.world.state.seat
                    gifts = [legal for legal in twin.world.state.legal() if legal != step and legal != 64]
                    twin.world.play(gifts[0] if swapped and gifts else step)
                    worlds.append(twin.world)
                one, other = worlds
                third = [seat for seat in one.views if seat not in (giver, (giver + 1) % 4)]
                assert one.state.where() != other.state.where()
                assert all(one.seen(seat) == other.seen(seat) for seat in third)
                assert all(one.seen(seat) != other.seen(seat) for seat in (giver, (giver + 1) % 4))
                found += 1
                break
    assert found > 5


# --- who is told what ------------------------------------------------------------------------------------------------

NOBODY = "nobody"
OWN = "own"
BOTH = "both"
# The entries of which a card is not told to all, from the table “Who sees what”; everything else is public.
TOLD_TO = {
    "masquerade": {"divide": NOBODY, "deal": NOBODY, "hand": OWN, "give": BOTH, "return": BOTH, "draw": BOTH},
    "lost-heir": {"deal": NOBODY, "hand": OWN},
    "sovereign": {"deal": NOBODY, "hand": OWN, "throw": OWN, "pick": OWN, "draw": BOTH, "surplus": NOBODY},
    "heraldry": {"deal": NOBODY, "hand": OWN},
    "tontine": {},
}
# Where in such an entry the card or cards stand.
CARD_AT = {"divide": 1, "deal": 1, "surplus": 1, "hand": 2, "give": 2, "return": 2, "throw": 2, "pick": 2, "draw": 3}
PUBLIC = {
    "masquerade": {"first", "play", "decline", "skip", "take", "score", "game"},
    "lost-heir": {"dealer", "bid", "redeal", "trump", "play", "take", "void", "score", "fail", "total"},
    "sovereign": {"dealer", "change", "take", "leave", "penalty", "pool", "void"},
    "heraldry": {"dealer", "table", "capture", "discard", "sweep", "score", "total"},
    "tontine": {"dealer", "turn", "deal", "pay", "dead", "revived"},
}


@pytest.mark.parametrize("name", parlour.GAMES)
def test_the_table_names_every_kind_of_entry(name: str) -> None:
    kinds = {entry.kind for entry in parlour.game(name).entries}
    assert kinds == PUBLIC[name] | set(TOLD_TO[name])


def parties(entry: list[Any], players: int) -> set[int]:
    """The two seats concerned in a give, a return or a draw: a give goes to the left, and a return comes from there."""
    kind, seat = entry[:2]
    if kind == "draw":
        return {seat, entry[2]}
    return {seat, (seat + (1 if kind == "give" else -1)) % players}


def as_told(case: Case, entry: list[Any], seat: int) -> list[Any]:
    """What a seat may be told of an entry, by the table."""
    told_to = TOLD_TO[case.game.name].get(entry[0])
    if told_to is None or (told_to == OWN and seat == entry[1]):
        return entry
    if told_to == BOTH and seat in parties(entry, case.players):
        return entry
    at = CARD_AT[entry[0]]
    return [*entry[:at], None, *entry[at + 1 :]]


@every_twin
def test_each_seat_is_told_what_the_table_says(case: Case) -> None:
    met = set()
    for seed in range(6):
        twin = Twin(case, [], seed)
        twin.serve_chance()
        luck = random.Random(seed)
        while not twin.world.state.over:
            twin.world.play(luck.choice(twin.world.state.legal()))
            twin.serve_chance()
        entries = [case.game.told(row) for row in twin.world.rows]
        for seat, told in twin.world.told.items():
            assert told == [as_told(case, entry, seat) for entry in entries]
        met |= {entry[0] for entry in entries}
    rare = {"give", "return", "draw", "surplus"}  # some options have none of these
    assert set(TOLD_TO[case.game.name]) - rare <= met


def test_every_kind_of_entry_of_the_table_occurred() -> None:
    """Every kind of entry that is not told to all came up in the cases above."""
    met: dict[str, set[str]] = {name: set() for name in parlour.GAMES}
    for each in TWINS:
        for seed in range(6):
            sitting = played(each.sitting(seed), Seeded(seed))
            met[each.game.name] |= {entry[0] for entry in sitting.told[-1]}
    assert {name: set(kinds) - met[name] for name, kinds in TOLD_TO.items()} == {name: set() for name in TOLD_TO}


# --- what a seat remembers is true -----------------------------------------------------------------------------------


def check_memory(world: World) -> None:
    """The true holder of each card is among those who may hold it; coins known to be in a hand are there."""
    where = world.state.where()
    hands = [[world.game.code(card) for card in where[f"hand {seat}"]] for seat in range(world.state.players)]
    for seat, view in world.views.items():
        fields = view.see(world.state).fields()
        for holder, hand in enumerate(hands):
            if world.game.name == "sovereign":
                known = fields["known_to_hold"][holder]
                assert all(count <= hand.count(coin) for coin, count in known.items()), (seat, holder, known, hand)
            else:
                wrong = [code for code in hand if holder not in fields["may_hold"][code]]
                assert not wrong, f"seat {seat} believes that seat {holder} cannot hold {wrong}"
        if seat >= 0 and world.game.name == "sovereign":
            assert fields["coins"] == {coin: hands[seat].count(coin) for coin in dict.fromkeys(hands[seat])}
        elif seat >= 0:
            assert fields["hand"] == hands[seat]
            held = {code for code, holders in fields["may_hold"].items() if seat in holders}
            assert held == set(hands[seat]) and all(fields["may_hold"][code] == [seat] for code in held)


@pytest.mark.parametrize("case", [each for each in TWINS if each.game.name != "tontine"], ids=str)
def test_memory_never_contradicts_the_truth(case: Case) -> None:
    for seed in range(5):
        twin = Twin(case, [], seed)
        twin.serve_chance()
        luck = random.Random(seed)
        while not twin.world.state.over:
            check_memory(twin.world)
            twin.world.play(luck.choice(twin.world.state.legal()))
            twin.serve_chance()
        if case.game.name != "masquerade":  # whose memory ends with the game's last score
            check_memory(twin.world)
