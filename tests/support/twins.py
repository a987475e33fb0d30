"""Twin worlds: pairs of worlds that a seat cannot tell apart, and a comparison of all that it is shown in both."""

from __future__ import annotations

import random

import pytest

from parlour import GAMES, Refusal, Sitting, sheet
from parlour.records.record import script_of
from support.cases import Case, World, case

Script = list[tuple[int, list[int]]]

TWINS = [
    case("masquerade", 4, {"games": 2}),
    case("masquerade", 4, {"following": "suit", "exchange": "courtesy", "number_one": "last"}),
    case("masquerade", 8, {"following": "strict", "last": "seat", "number_one": "last", "first_lead": "dealer"}),
    case("lost-heir", 4, {"sides": "two", "goal": 12, "first": "namer", "bids": "rising"}),
    case("lost-heir", 3, {"mistakes": "penalised"}),
    case("lost-heir", 2, {"odd_cards": "free"}),
    case("lost-heir", 6, {"sides": "three", "odd_cards": "free", "mistakes": "penalised", "all_pass": "dealer"}),
    case("sovereign", 3, {}),
    case("sovereign", 5, {"mistakes": "penalised", "thrown": "under", "rounds": 1, "ends": "pool", "games": 4}),
    case("sovereign", 9, {"small_coin": "penny", "rounds": 1, "change": "must"}),
    case("sovereign", 11, {"mistakes": "penalised"}),
    case("heraldry", 2, {}),
    case("heraldry", 3, {"capture": "choice", "twelfth": "last_trick"}),
    case("heraldry", 6, {"last_deal": "fours", "knight": 2}),
    case("heraldry", 3, {"discard": "free", "twelfth": "sweep", "first": "order"}),
    case("heraldry", 2, {"discard": "free", "capture": "choice", "deal_limit": 2}),
    case("tontine", 4, {}),
    case("tontine", 6, {"settle": "together"}),
]
NAMED = {each.game.name for each in TWINS}
TWINS += [case(name, sheet(name).usual, {}) for name in GAMES if name not in NAMED]
every_twin = pytest.mark.parametrize("case", TWINS, ids=str)

# --- twin worlds -----------------------------------------------------------------------------------------------------


class Twin:
    """A world that takes its chance from a script as far as that fits, and else by its own luck."""

    def __init__(self, case: Case, script: Script, luck: int, believing: bool = False) -> None:
        self.world = World(case, believing)
        self.script = iter(script)
        self.luck = random.Random(luck)

    def serve_chance(self) -> None:
        state = self.world.state
        while state.awaits >= 0:
            kind, items = next(self.script, (-1, []))
            if kind == state.awaits:
                try:
                    self.world.give(items)
                    continue
                except Refusal:
                    pass
            self.world.give(self.luck.sample(state.possible(), state.wanted()))


def changed(script: Script, luck: random.Random) -> Script:
    """A script with one entry otherwise: two items of an order change places, or a single draw is left to luck."""
    at = luck.randrange(len(script))
    kind, items = script[at]
    items = list(items)
    if len(items) > 1:
        one, other = luck.sample(range(len(items)), 2)
        items[one], items[other] = items[other], items[one]
    else:
        items = []  # fits nowhere
    return [*script[:at], (kind, items), *script[at + 1 :]]


def compare(case: Case, sitting: Sitting, script: Script, luck: int, believing: bool = False) -> int:
    """Play the same decisions in both worlds; how often a seat saw the same while hidden cards differed."""
    one = Twin(case, script_of(case.game, sitting.log), luck, believing)
    other = Twin(case, script, luck + 1, believing)
    alike = set(range(-1, case.players))
    hidden = 0
    parted = False
    for step in [None, *(step for move in sitting.moves for step in move.steps)]:
        if step is not None:
            told = {seat: len(one.world.told[seat]) for seat in alike}
            one.world.play(step)
            try:
                other.world.play(step)
            except Refusal:
                break
            # of the decision itself nothing is told that the seat who decides alone could know
            for seat, at in told.items():
                assert one.world.told[seat][at : at + 1] == other.world.told[seat][at : at + 1]
        one.serve_chance()
        other.serve_chance()
        if one.world.state.seat != other.world.state.seat:
            break  # whose turn it is, is told to all
        parted = parted or one.world.rows != other.world.rows
        if not parted:
            continue
        differ = one.world.state.where() != other.world.state.where()
        for seat in sorted(alike):
            if one.world.told[seat] != other.world.told[seat]:
                alike.remove(seat)
                continue
            assert one.world.seen(seat) == other.world.seen(seat)
            hidden += differ
        if not alike:
            break
    return hidden
