"""The reasons of hints: every hint has one, few are general, and every claim is true of the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import parlour
from parlour import Journal, Seeded, Sitting, State
from parlour.engine.words import Claim, Reason, said, words_of
from parlour.players.hints import Advice, advise, only_hint, own_reason
from parlour.server.protocols import with_names
from support.cases import Case, case

CASES = [
    case("masquerade", 4, {}),
    case("masquerade", 8, {"exchange": "courtesy", "following": "suit"}),
    case("masquerade", 4, {"number_one": "last", "first_lead": "dealer"}),
    case("lost-heir", 4, {}),
    case("lost-heir", 4, {"sides": "two"}),
    case("lost-heir", 3, {"odd_cards": "free"}),
    case("sovereign", 5, {}),
    case("sovereign", 3, {"mistakes": "penalised"}),
    case("heraldry", 2, {"capture": "choice"}),
    case("heraldry", 4, {}),
    case("heraldry", 3, {"discard": "free", "twelfth": "sweep"}),
    case("heraldry", 2, {"discard": "free", "capture": "choice"}),
]
GENERAL = 0.15  # the share of hints that may fall back on the general sentence


@dataclass
class Position:
    """A decision with the true state behind it, which the reason was not given."""

    sitting: Sitting
    fields: dict[str, Any]
    step: int
    reason: Reason

    @property
    def state(self) -> State:
        return self.sitting.state

    @property
    def seat(self) -> int:
        return self.sitting.seat

    @property
    def card(self) -> str:
        return self.sitting.game.step_name(self.step).split()[-1]

    def hand(self, seat: int) -> list[str]:
        return [self.sitting.game.codes[card] for card in self.state.where()[f"hand {seat}"]]

    def others(self) -> list[str]:
        return [code for seat in range(self.state.players) if seat != self.seat for code in self.hand(seat)]

    def legal(self, verb: str) -> list[str]:
        names = [self.sitting.game.step_name(step) for step in self.state.legal()]
        return [name.removeprefix(f"{verb} ") for name in names if name.startswith(f"{verb} ")]

    def after(self, step: int | None = None) -> tuple[State, list[list[Any]]]:
        """The state after the step, with every entry up to the next decision or question to chance."""
        state = self.state.copy()
        state.journal = Journal()
        state.chance = Seeded(1)
        state.play(self.step if step is None else step)
        return state, [self.sitting.game.told(row) for row in state.journal.rows()]


def positions(case: Case, sittings: int = 3, steps: int = 300) -> Iterator[Sitting]:
    """Decisions of simulated sittings, played by the rules of thumb with a random step now and then."""
    for seed in range(sittings):
        sitting = Sitting(case.game, case.players, seed=seed, track_beliefs=True, **case.options)
        luck = Seeded(seed, 9)
        for _ in range(steps):
            if sitting.over:
                break
            legal = sitting.legal()
            if len(legal) > 1:
                yield sitting
            wild = luck.number_below(6) == 0 and case.options.get("mistakes") != "penalised"
            step = legal[luck.number_below(len(legal))] if wild else sitting.view(sitting.seat).heuristic(luck)
            sitting.play(step)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_hint_has_a_reason_and_few_are_general(case: Case) -> None:
    given: list[Advice] = []
    for number, sitting in enumerate(positions(case)):
        if number % 5 == 0:
            given.append(advise(sitting.game, sitting.view(sitting.seat), seed=number, trials=60))
    clauses = {clause.id for clause in case.game.sheet.clauses}
    assert len(given) > 20
    for advice in given:
        assert advice.reason.endswith(".") and ": " in advice.reason and advice.clause in clauses
        assert "%" not in advice.reason
    general = sum(not advice.claims for advice in given)
    assert general <= GENERAL * len(given), [advice.reason for advice in given if not advice.claims]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_claim_of_a_reason_is_true_of_the_position(case: Case) -> None:
    """Reasons are asked for every legal step, good or bad, and each claim is compared with the true state."""
    met: Counter[str] = Counter()
    for sitting in positions(case):
        view = sitting.view(sitting.seat)
        fields = view.fields() | {"options": view.options}
        for step in sitting.legal():
            reason = own_reason(sitting.game, view, only_hint(sitting.game, view, step))
            if reason is None:
                continue
            position = Position(sitting, fields, step, reason)
            sentence = said(sitting.game, reason)
            for claim in reason.claims:
                met[claim.key] += 1
                holds = CHECKS[case.game.name][claim.key](position, claim.values)
                assert holds, (sentence, claim, fields)
    assert sum(met.values()) > 200


def test_every_claim_of_a_game_has_a_check() -> None:
    for name, checks in CHECKS.items():
        assert set(words_of(parlour.game(name)).CLAIMS) == set(checks)


def test_a_reason_names_cards_and_counts_in_words() -> None:
    heraldry, heir = parlour.game("heraldry"), parlour.game("lost-heir")
    reason = Reason(
        "HER-4", (Claim("take", {"taken": ["C6"], "card": "S6"}), Claim("cards", {"count": 2}), Claim("shuts"))
    )
    assert with_names(heraldry, said(heraldry, reason)) == (
        "Take the 6 of the Crescent with the 6 of the Star: two cards for you, "
        "and it leaves nothing on the table that adds up to ten."
    )
    spoils = Reason("HEIR-4", (Claim("lay", {"card": "NY"}), Claim("spoils")))
    assert with_names(heir, said(heir, spoils)).startswith("Play the City card of New York: the City card")


# --- Heraldry ---------------------------------------------------------------------------------------------------------

HERALDRY = parlour.game("heraldry")


def worth(code: str) -> int:
    return HERALDRY.values[code] if HERALDRY.values else min(int(code[1:]) if code[1:].isdigit() else 10, 10)


@cache
def adds_up(codes: tuple[str, ...], value: int) -> bool:
    return any(
        sum(map(worth, group)) == value for size in range(1, len(codes) + 1) for group in combinations(codes, size)
    )


def captured(position: Position) -> tuple[list[str], list[str]]:
    """What the step takes, named card by card where that is needed, and what it leaves."""
    state, _ = position.after()
    while state.unfinished:
        state.play(state.legal()[0])
    told = [HERALDRY.told(row) for row in state.journal.rows()]
    (capture,) = [entry for entry in told if entry[0] == "capture"]
    return sorted(capture[3]), [code for code in position.fields["table"] if code not in capture[3]]


def on_its_way(position: Position) -> str:
    """The card that the step plays: that of an unfinished move, or of the step itself."""
    return position.fields["playing"] or position.card


def prize_points(codes: list[str]) -> int:
    return sum(2 * (code == "X10") + (code == "SJ") + (code[1:] == "C") for code in codes)


def takers(position: Position, card: str) -> list[str]:
    """The cards of the pack that could take a card, if it were laid on the table."""
    table = tuple(position.fields["table"])
    return [
        code
        for code in HERALDRY.codes
        if worth(code) == worth(card) or (worth(code) > worth(card) and adds_up(table, worth(code) - worth(card)))
    ]


def unseen_takers(position: Position, card: str) -> int:
    seen = {*position.fields["hand"], *position.fields["table"]}
    seen |= {code for pile in position.fields["won"] for code in pile}
    return len([code for code in takers(position, card) if code not in seen])


def most_by_others(position: Position) -> int:
    """The most cards that another card of the hand could win; groups are tried in every order."""
    best = 0
    for step in position.state.legal():
        if step != position.step:
            waiting = [position.after(step)[0]]
            pile = f"won {position.seat}"
            before = len(position.state.where()[pile])
            while waiting:
                state = waiting.pop()
                if state.unfinished:
                    for pick in state.legal():
                        trial = state.copy()
                        trial.chance = Seeded(1)
                        trial.play(pick)
                        waiting.append(trial)
                elif state.deals == position.state.deals and pile in state.where():
                    best = max(best, len(state.where()[pile]) - before)
    return best


def rest(position: Position) -> list[str]:
    return [code for code in position.fields["table"] if code not in position.fields["taking"]]


Check = Callable[[Position, Any], bool]
CHECKS: dict[str, dict[str, Check]] = {}
CHECKS["heraldry"] = {
    "take": lambda p, v: (sorted(v["taken"]), v["card"]) == (captured(p)[0], on_its_way(p)),
    "play": lambda p, v: v["card"] == p.card and bool(p.after()[0].unfinished),
    "lay": lambda p, v: v["card"] == on_its_way(p) and any(entry[0] == "discard" for entry in p.after()[1]),
    "pick": lambda p, v: (v["card"], v["playing"]) == (p.card, p.fields["playing"]),
    "stop": lambda p, v: p.card == "done" and v["playing"] == p.fields["playing"],
    "prizes": lambda p, v: (
        v["points"] == prize_points(v["prizes"]) > 0 and set(v["prizes"]) <= {*p.fields["table"], *p.fields["hand"]}
    ),
    "most": lambda p, v: v["count"] == len(captured(p)[0]) + 1 > most_by_others(p),
    "diamonds": lambda p, v: (
        v["diamonds"] == sum(code[0] == "D" for code in [*captured(p)[0], on_its_way(p)])
        and v["count"] == len(captured(p)[0]) + 1
    ),
    "cards": lambda p, v: v["count"] == len(captured(p)[0]) + 1,
    "clears": lambda p, v: captured(p)[1] == [] and p.state.options["twelfth"] != "sweep",
    "sweep": lambda p, v: captured(p)[1] == [] and p.state.options["twelfth"] == "sweep",
    "shuts": lambda p, v: adds_up(tuple(p.fields["table"]), 10) and not adds_up(tuple(captured(p)[1]), 10),
    "choice": lambda p, v: v["value"] == worth(p.card),
    "keeps": lambda p, v: (
        prize_points([on_its_way(p)]) == 0
        and on_its_way(p)[0] != "D"
        and [code for code in p.fields["hand"] if prize_points([code])] == v["prizes"]
    ),
    "fewest": lambda p, v: (
        v["count"] == unseen_takers(p, on_its_way(p))
        and all(unseen_takers(p, code) > v["count"] for code in p.fields["hand"] if code != on_its_way(p))
    ),
    "safe": lambda p, v: unseen_takers(p, on_its_way(p)) == 0,
    "unseen": lambda p, v: v["count"] == unseen_takers(p, on_its_way(p)),
    "back": lambda p, v: set(v["others"]) <= set(takers(p, on_its_way(p))) & {*p.fields["hand"]} - {on_its_way(p)},
    "least": lambda p, v: worth(on_its_way(p)) == min(map(worth, p.fields["hand"])),
    "equal": lambda p, v: worth(p.card) == worth(p.fields["playing"]),
    "group": lambda p, v: (
        sum(map(worth, [*v["others"], p.card])) == v["value"] == worth(p.fields["playing"])
        and set(v["others"]) <= set(p.fields["table"])
    ),
    "leaves": lambda p, v: not any(adds_up(tuple(rest(p)), value) for value in range(1, 11)),
}

# --- Masquerade -------------------------------------------------------------------------------------------------------


def scored(position: Position, clause: str) -> int:
    """What the step scores for its seat by a clause, at once."""
    return sum(e[2] for e in position.after()[1] if e[0] == "score" and e[1] == position.seat and e[3] == clause)


def higher(code: str, than: str) -> bool:
    """MASQ-2."""
    order = [f"{suit}{number}" for suit in "M" for number in range(1, 9)]
    if code in order or than in order:
        return (order.index(code) if code in order else 99) < (order.index(than) if than in order else 99)
    return code[0] == than[0] and int(code[1:]) < int(than[1:])


def laid(position: Position) -> list[str]:
    return [code for _, code in position.fields["trick"]]


def next_above(code: str) -> str:
    return f"{code[0]}{int(code[1:]) - 1}"


def last_in_turn(position: Position) -> bool:
    return (position.seat + 1) % position.state.players == position.fields["leader"]


def suit_sizes(position: Position) -> dict[str, int]:
    return {suit: sum(code[0] == suit for code in position.fields["hand"]) for suit in "MRID"}


def takes_always(position: Position) -> bool:
    return bool(position.state.options["number_one"] == "always")


CHECKS["masquerade"] = {
    "lead": lambda p, v: not laid(p) and v["card"] == p.card,
    "lay": lambda p, v: bool(laid(p)) and v["card"] == p.card,
    "give": lambda p, v: v["card"] == p.card,
    "return": lambda p, v: v["card"] == p.card,
    "keep": lambda p, v: p.card == "decline",
    "unmask": lambda p, v: scored(p, "MASQ-15") >= 5 and takes_always(p),
    "m1": lambda p, v: p.card == "M1" and p.fields["m1_was_played"] and takes_always(p),
    "first time": lambda p, v: scored(p, "MASQ-15") == 5 and not takes_always(p),
    "shuts": lambda p, v: p.card == "M1" and bool(laid(p)) and not last_in_turn(p),
    "next": lambda p, v: scored(p, "MASQ-16") == 2 and v["last"] == laid(p)[-1],
    "closes": lambda p, v: scored(p, "MASQ-11") == 3,
    "top": lambda p, v: int(p.card[1:]) == 1 and p.card[0] != "M",
    "safe": lambda p, v: v["above"] == next_above(p.card) and v["above"] in p.fields["hand"],
    "seen": lambda p, v: v["above"] == next_above(p.card) and v["above"] in laid(p),
    "lost": lambda p, v: (
        last_in_turn(p)
        and all(not all(higher(code, other) for other in laid(p)) for code in p.legal("play"))
        and all(higher(code, p.card) for code in p.legal("play") if code != p.card)
    ),
    "lowest": lambda p, v: all(higher(code, p.card) for code in p.legal("play") if code != p.card),
    "lowest mask": lambda p, v: (
        max(p.legal("play")) == p.card != min(p.legal("play")) and {code[0] for code in p.legal("play")} == {"M"}
    ),
    "saves masks": lambda p, v: v["masks"] == [code for code in p.fields["hand"] if code[0] == "M"] != [],
    "shortest": lambda p, v: all(
        suit_sizes(p)[p.card[0]] < suit_sizes(p)[suit] for suit in {code[0] for code in p.legal("play")} - {p.card[0]}
    ),
    "highest": lambda p, v: all(higher(p.card, code) for code in p.legal("play") if code != p.card),
    "climb": lambda p, v: v["count"] == sum(code[0] == p.card[0] and higher(code, p.card) for code in p.others()),
    "swap": lambda p, v: p.fields["stage"] == "exchange" and p.state.options["exchange"] == "blind",
    "courtesy": lambda p, v: p.fields["stage"] == "exchange" and p.state.options["exchange"] == "courtesy",
    "low number": lambda p, v: all(
        int(p.card[1:]) >= int(code[1:]) for code in p.legal(p.sitting.game.step_name(p.step).split()[0])
    ),
    "no mask": lambda p, v: p.card[0] != "M" and any(code[0] == "M" for code in p.fields["hand"]),
    "neighbour": lambda p, v: v == {"points": p.fields["points"][(p.seat + 1) % p.state.players], "goal": 32},
}

# --- Lost Heir --------------------------------------------------------------------------------------------------------

ODD = ("NY", "PH", "WB", "LH")


def suited(codes: list[str], suit: str) -> list[str]:
    return [code for code in codes if code not in ODD and code[0] == suit]


def suit_named(city: str) -> str:
    return {"New York": "N", "Philadelphia": "P", "Boston": "B", "Chicago": "C"}[city]


def good_cards(position: Position) -> list[str]:
    return [code for code in position.fields["hand"] if code == "LH" or (code not in ODD and code.endswith("11"))]


def likely(position: Position) -> int:
    """HEIR-12, HEIR-13: a point for the trick of each Mayor, and six for that of the Lost Heir."""
    return sum(6 if code == "LH" else 1 for code in good_cards(position))


def from_suit(position: Position, values: Any, alone: bool) -> bool:
    """Whether a bid is explained by the longest suit, to a player who plays alone or with partners."""
    of = sizes(position)[suit_named(values["city"])]
    return values["count"] == of == max(sizes(position).values()) and alone == (
        len(position.fields["totals"]) == position.state.players
    )


def sizes(position: Position) -> dict[str, int]:
    return {suit: len(suited(position.fields["hand"], suit)) for suit in "NPBC"}


def leads_trick(position: Position, step: int | None = None) -> bool:
    """Whether a step takes the lead in the trick: with the lowest cards after it, the same seat takes it."""
    state, told = position.after(step)
    for entry in told:
        if entry[0] == "take":
            return bool(entry[1] == position.seat)
    return bool(view_of(position, state).best_seat == position.seat)


def view_of(position: Position, state: State) -> Any:
    view: Any = position.sitting.game.view_type(state.players, position.seat, state.options)
    world: Any = view.see(state).sample(Seeded(2)) if state.seat >= 0 else state
    return Best(world, position)


class Best:
    """The seat that is taking the trick, found by playing it out with the lowest cards of each."""

    def __init__(self, state: State, position: Position) -> None:
        game = position.sitting.game
        trick = view_fields(game, state, position.seat)["trick"]
        trump, led = view_fields(game, state, position.seat)["trump"], None
        best, self.best_seat = -1, -1
        for seat, code in trick:
            if led is None and code not in ODD:
                led = code[0]
            power = {"LH": 99, "NY": 1, "PH": 1, "WB": 0}.get(code)
            if power is None:
                power = int(code[1:]) + (40 if code[0] == trump else 20) if code[0] in (trump, led) else 0
            if power > best:
                best, self.best_seat = power, seat


def view_fields(game: parlour.Game, state: State, seat: int) -> dict[str, Any]:
    return game.view(state, seat).fields()


def taker(position: Position) -> int:
    return Best(position.state, position).best_seat


def can_lead(position: Position) -> list[str]:
    """The cards that would take the lead in the trick."""
    names = position.sitting.game.step_names
    return [names[step].split()[-1] for step in position.state.legal() if leads_trick(position, step)]


def is_last(position: Position) -> bool:
    return len(laid(position)) == position.state.players - 1


def hostile(position: Position) -> bool:
    return taker(position) % position.state.sides != position.seat % position.state.sides


CHECKS["lost-heir"] = {
    "pass": lambda p, v: p.card == "pass",
    "bid": lambda p, v: str(v["bid"]) == p.card,
    "trump": lambda p, v: suit_named(v["city"]) == p.card,
    "lead": lambda p, v: not laid(p) and v["card"] == p.card,
    "lay": lambda p, v: bool(laid(p)) and v["card"] == p.card,
    "mayors": lambda p, v: v["cards"] == good_cards(p) and v["count"] == likely(p),
    "heir bid": lambda p, v: good_cards(p) == ["LH"] and likely(p) == 6,
    "mayors heir": lambda p, v: sorted([*v["cards"], "LH"]) == sorted(good_cards(p)) and v["count"] + 6 == likely(p),
    "margin": lambda p, v: int(p.card) + v["count"] == likely(p) and v["count"] > 0,
    "rest": lambda p, v: from_suit(p, v, True) and int(p.card) == likely(p) + v["points"] > likely(p) > 0,
    "rest partner": lambda p, v: from_suit(p, v, False) and int(p.card) == likely(p) + v["points"] > likely(p) > 0,
    "all long": lambda p, v: from_suit(p, v, True) and likely(p) == 0,
    "all partner": lambda p, v: from_suit(p, v, False) and likely(p) == 0,
    "no good cards": lambda p, v: good_cards(p) == [],
    "short": lambda p, v: v["count"] == max(sizes(p).values()),
    "only": lambda p, v: v["cards"] == good_cards(p) and len(v["cards"]) == 1,
    "beaten bid": lambda p, v: v["bid"] == max(bid or 0 for bid in p.fields["bids"]) > 0,
    "enough": lambda p, v: (
        p.fields["dealer"] == p.seat and max(b or 0 for b in p.fields["bids"]) == v["bid"] < int(p.card)
    ),
    "long": lambda p, v: v["count"] == sizes(p)[suit_named(v["city"])],
    "longest": lambda p, v: all(
        v["count"] == sizes(p)[suit_named(v["city"])] > size
        for suit, size in sizes(p).items()
        if suit != suit_named(v["city"])
    ),
    "top of it": lambda p, v: set(v["cards"]) <= set(suited(p.fields["hand"], p.card)),
    "master": lambda p, v: (
        suit_named(v["city"]) == p.card[0]
        and not [code for code in suited(p.others(), p.card[0]) if int(code[1:]) > int(p.card[1:])]
    ),
    "draws": lambda p, v: p.card[0] == p.fields["trump"] and v["count"] == len(suited(p.others(), p.card[0])) > 0,
    "low": lambda p, v: all(int(p.card[1:]) <= int(code[1:]) for code in p.legal("play") if code not in ODD),
    "keeps": lambda p, v: set(v["cards"]) <= set(p.fields["hand"]) - {p.card},
    "boy lead": lambda p, v: p.card == "WB" and p.state.sides == p.state.players and not laid(p),
    "heir": lambda p, v: p.card == "LH" and not {"NY", "PH"} & set(laid(p)),
    "heir safe": lambda p, v: p.card == "LH" and not {"NY", "PH"} & {*p.others(), *laid(p)},
    "heir last": lambda p, v: p.card == "LH" and is_last(p),
    "spoils": lambda p, v: p.card in ("NY", "PH") and "LH" in laid(p) and hostile(p),
    "saves": lambda p, v: p.card in ("NY", "PH") and "WB" in laid(p) and (not hostile(p) or leads_trick(p)),
    "boy": lambda p, v: p.card == "WB" and hostile(p) and not {"NY", "PH"} & set(laid(p)),
    "wins last": lambda p, v: is_last(p) and any(e[0] == "take" and e[1] == p.seat for e in p.after()[1]),
    "cheapest": lambda p, v: all(
        code in ODD
        or (code[0] == p.fields["trump"]) > (p.card[0] == p.fields["trump"])
        or int(code[1:]) >= int(p.card[1:])
        for code in can_lead(p)
    ),
    "ahead": lambda p, v: leads_trick(p),
    "ruff": lambda p, v: (
        leads_trick(p) and p.card[0] == p.fields["trump"] and not suited(p.fields["hand"], suit_named(v["city"]))
    ),
    "partner": lambda p, v: p.state.sides < p.state.players and not hostile(p) and taker(p) != p.seat,
    "cannot": lambda p, v: not can_lead(p) and v["best"] == dict(p.fields["trick"])[taker(p)],
    "avoids": lambda p, v: "WB" in laid(p) and not leads_trick(p),
    "void": lambda p, v: (
        suited(p.fields["hand"], p.card[0]) == [p.card] and bool(suited(p.fields["hand"], p.fields["trump"]))
    ),
    "duck": lambda p, v: (
        v["count"] == p.state.players - 1 - len(laid(p)) > 0 and bool(can_lead(p)) and not leads_trick(p)
    ),
}

# --- Change for a Sovereign -------------------------------------------------------------------------------------------

PENCE = {"SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1}
PACK = {"SOV": 1, "HG": 1, "HS": 2, "CR": 4, "HC": 8, "FL": 10, "SH": 15, "6D": 15, "1D": 0}
SOVEREIGN = parlour.game("sovereign")


def spread(coins: dict[str, int]) -> list[str]:
    return [code for code, number in coins.items() for _ in range(number)]


def makes(coins: list[str], pence: int = 240) -> bool:
    real = [code for code in coins if PENCE[code]]
    groups = (group for size in range(1, len(real) + 1) for group in combinations(real, size))
    return any(sum(PENCE[code] for code in group) == pence for group in groups)


def kept(position: Position, thrown: str) -> list[str]:
    coins = spread(position.fields["coins"])
    coins.remove(thrown)
    return coins


def completing(coins: list[str]) -> list[str]:
    return [code for code in PENCE if PENCE[code] and not makes(coins) and makes([*coins, code])]


def out_count(position: Position, coins: list[str]) -> int:
    return sum(PACK[code] - position.fields["coins"].get(code, 0) for code in completing(coins))


def given(position: Position) -> int:
    return sum(PENCE[code] for code in spread(position.fields["offer"])) + PENCE.get(position.card, 0)


def throws(position: Position) -> dict[str, int]:
    return {code: out_count(position, kept(position, code)) for code in position.fields["coins"]}


CHECKS["sovereign"] = {
    "throw": lambda p, v: v["coin"] == p.card,
    "give": lambda p, v: (
        p.card in v["coins"]
        and sum(PENCE[code] for code in v["coins"]) == 240
        and not Counter(v["coins"]) - Counter(spread(p.fields["coins"]))
    ),
    "go on": lambda p, v: v["coin"] == p.card,
    "finish": lambda p, v: given(p) == 240,
    "surplus": lambda p, v: p.card == "surplus",
    "neighbour": lambda p, v: p.card == "neighbour" and p.fields["neighbour_allowed"],
    "leave": lambda p, v: p.card == "leave",
    "outs": lambda p, v: sorted(v["coins"]) == sorted(completing(kept(p, p.card))) != [],
    "most outs": lambda p, v: all(
        throws(p)[p.card] == v["count"] > number for code, number in throws(p).items() if code != p.card
    ),
    "all outs": lambda p, v: throws(p)[p.card] == v["count"],
    "stays": lambda p, v: makes(kept(p, p.card)),
    "none": lambda p, v: (
        not completing(kept(p, p.card))
        and PENCE[p.card] == min(PENCE[code] for code in p.fields["coins"] if PENCE[code])
    ),
    "far": lambda p, v: not completing(kept(p, p.card)),
    "worthless": lambda p, v: p.card == "SOV",
    "no use": lambda p, v: p.card == "SOV" and p.fields["sovereign_pool"] <= p.fields["general_pool"],
    "wins": lambda p, v: v["general"] == p.fields["general_pool"] and "SOV" not in p.fields["coins"],
    "wins both": lambda p, v: (
        v["both"] == p.fields["general_pool"] + p.fields["sovereign_pool"] and "SOV" in p.fields["coins"]
    ),
    "part": lambda p, v: given(p) + sum(PENCE[code] for code in v["coins"]) == 240,
    "hurts": lambda p, v: p.fields["hand_sizes"][(p.seat - 1) % p.state.players] > 0,
    "spares": lambda p, v: p.card == "surplus",
    "unknown": lambda p, v: v["count"] == p.fields["surplus"],
    "wait": lambda p, v: makes(spread(p.fields["coins"])),
    "wrong": lambda p, v: not makes(spread(p.fields["coins"])) and v["penalty"] == p.state.options["penalty"],
    "whole": lambda p, v: out_count(p, spread(p.fields["coins"])) >= max(throws(p).values()),
}
