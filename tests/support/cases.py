"""What the tests of all games share: option sets that cover every value, and ways to play a sitting."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import parlour
from parlour import Journal, Seeded, Sitting, State, View
from parlour.engine.game import Game
from parlour.engine.marginals import Marginals
from parlour.players.bots import Random
from parlour.players.external import WANTS, shown
from parlour.sheets.model import Option, Setting

HERE = Path(__file__).resolve().parents[1]

# Options that keep a sitting short; a case that tests one of them overrides it.
SHORT: defaultdict[str, dict[str, Setting]] = defaultdict(
    dict,
    {
        "masquerade": {"games": 1},
        "lost-heir": {"deal_limit": 2},
        "sovereign": {"games": 2, "round_limit": 6},
        "tontine": {"stake": 5},
    },
)

# Where the fewest players, or the other options as they usually are, would leave an option without effect.
FEWEST = {"sovereign": 9}
WITH: dict[str, dict[str, Setting]] = {"penalty": {"mistakes": "penalised"}, "ends": {"games": 9, "round_limit": 12}}

MIXED: list[tuple[str, int, dict[str, Setting]]] = [
    ("masquerade", 8, {"games": 2, "following": "strict", "last": "seat", "exchange": "courtesy"}),
    ("masquerade", 4, {"following": "suit", "exchange": "courtesy"}),
    ("masquerade", 8, {"following": "suit", "last": "seat", "number_one": "last", "first_lead": "dealer"}),
    ("lost-heir", 6, {"sides": "three", "mistakes": "penalised", "odd_cards": "free", "all_pass": "dealer"}),
    ("lost-heir", 3, {"mistakes": "penalised", "wrong_boy": "less", "odd_cards": "free"}),
    ("lost-heir", 2, {}),
    ("lost-heir", 4, {"sides": "two", "goal": 9, "first": "namer", "bids": "rising", "deal_limit": 4}),
    ("lost-heir", 6, {"goal": 5, "first": "namer", "bids": "rising", "all_pass": "dealer"}),
    ("sovereign", 11, {"mistakes": "penalised", "thrown": "under", "penalty": 3, "stake": 2}),
    ("sovereign", 10, {"mistakes": "penalised", "change": "must", "rounds": 1}),
    ("sovereign", 9, {"small_coin": "penny", "round_limit": 12}),
    ("sovereign", 2, {"rounds": 1, "round_limit": 40}),
    ("sovereign", 4, {"ends": "pool", "games": 6, "round_limit": 12, "mistakes": "penalised"}),
    ("heraldry", 5, {"capture": "choice", "last_deal": "fours", "knight": 3, "twelfth": "last_trick"}),
    ("heraldry", 6, {}),
    ("heraldry", 4, {"discard": "free", "twelfth": "sweep", "first": "order"}),
    ("heraldry", 3, {"discard": "free", "capture": "choice", "twelfth": "sweep", "deal_limit": 2}),
    ("heraldry", 2, {"capture": "choice"}),
    ("tontine", 52, {"settle": "together"}),
    ("tontine", 7, {"settle": "together", "stake": 9}),
]


class Case(NamedTuple):
    """A game with a number of players and all its options, by a rules version (0: the newest)."""

    game: Game
    players: int
    options: dict[str, Setting]
    rules: int = 0

    def __str__(self) -> str:
        usual = self.game.options_for(self.players, SHORT[self.game.name])
        changed = [f"{name}={value}" for name, value in self.options.items() if usual[name] != value]
        return "-".join([self.game.name, str(self.players), *changed])

    def sitting(self, seed: object, **more: Any) -> Sitting:
        rules = self.rules or self.game.rules
        options = self.game.sheet.recorded(self.options, rules)
        return Sitting(self.game, self.players, seed=seed, rules=rules, **more, **options)

    def state(self) -> State:
        return self.game.state_type(self.players, self.options, self.rules or self.game.rules)


def case(name: str, players: int, given: dict[str, Setting]) -> Case:
    game = parlour.game(name)
    return Case(game, players, game.options_for(players, SHORT[name] | given))


def values_of(option: Option) -> list[tuple[Setting, tuple[int, ...]]]:
    """Every value of an option (of a long range the two lowest), with the numbers of players it is for; () is any."""
    if option.values:
        return [(value.name, value.players) for value in option.values]
    top = option.high if option.high - option.low < 10 else option.low + 1
    return [(number, ()) for number in range(option.low, top + 1)]


@cache
def single_cases(since: int = 1) -> list[Case]:
    """Each game with each value that came with a rules version or later, mostly with the fewest players it is for."""
    found = []
    for game in parlour.REGISTRY.values():
        for option in game.sheet.options:
            later = {value.name for value in option.values if max(option.since, value.since) >= since}
            for value, players in values_of(option):
                if value not in later and option.since < since:
                    continue
                fewest = FEWEST.get(game.name, players[0] if players else game.sheet.players[0])
                found.append(case(game.name, fewest, WITH.get(option.name, {}) | {option.name: value}))
    return found


def newer_values(game: Game) -> set[tuple[str, Setting]]:
    """The values, other than the usual ones, that came after rules version 1; of a number, that it is another."""
    found: set[tuple[str, Setting]] = set()
    for option in game.sheet.options:
        usual = option.default_for(game.sheet.usual)
        found |= {(option.name, each.name) for each in option.values if max(option.since, each.since) > 1}
        found |= {(option.name, "another")} if option.since > 1 and not option.values else set()
        found.discard((option.name, usual))
    return found


def has_value(case: Case, name: str, value: Setting) -> bool:
    """Whether a case has a value, or one that is not the usual one."""
    usual = case.game.sheet.option(name).default_for(case.game.sheet.usual)
    return case.options[name] == value if value != "another" else case.options[name] != usual


@cache
def all_cases() -> list[Case]:
    """The single cases, each game with its usual number of players, and some mixed ones; none twice."""
    usual = [case(game.name, game.sheet.usual, {}) for game in parlour.REGISTRY.values()]
    mixed = [case(*parts) for parts in MIXED]
    return list({str(each): each for each in [*single_cases(), *usual, *mixed]}.values())


def play_on(state: State, luck: Seeded) -> None:
    """Play a state that has its chance to the end, at random."""
    bot = Random(luck)
    while not state.over:
        state.play(bot.pick(state.legal()))


def played(sitting: Sitting, luck: Seeded, limit: int = 10**6) -> Sitting:
    """A sitting played at random to its end, or for so many steps."""
    bot = Random(luck)
    while not sitting.over and limit:
        sitting.play(bot.pick(sitting.legal()))
        limit -= 1
    return sitting


def snapshot(game: Game, state: State) -> str:
    """Everything of a state that can be seen from outside."""
    views = [game.view(state, seat) for seat in range(-1, state.players)]
    return json.dumps(
        [state.where(), state.scores(), state.legal(), state.seat, state.awaits, bool(state.over), state.moves]
        + [state.unfinished, state.chances, state.possible(), state.wanted()]
        + [[view.fields(), view.legal()] for view in views]
    )


class World:
    """A state without a source of chance, with what every seat and a spectator (−1) are told of it.

    Where it is `believing`, seats track beliefs, and what is seen includes where they believe hidden cards to be.
    """

    def __init__(self, given: Case, believing: bool = False) -> None:
        self.believing = believing
        self.game = given.game
        self.state = given.state()
        self.state.journal = Journal()
        seats = range(-1, given.players)
        self.views = {seat: given.game.view_type(given.players, seat, given.options) for seat in seats}
        for seat in range(given.players if believing else 0):
            self.views[seat].track_beliefs()
        self.told: dict[int, list[list[Any]]] = {seat: [] for seat in self.views}
        self.rows: list[tuple[int, ...]] = []
        self.state.begin(None)
        self.publish()

    def publish(self) -> None:
        assert self.state.journal is not None
        self.rows += self.state.journal.rows()
        for seat, view in self.views.items():
            self.told[seat] += [self.game.told(row) for row in view.listen(self.state.journal)]
        self.state.journal.clear()

    def give(self, items: list[int]) -> None:
        self.state.give(items)
        self.publish()

    def play(self, step: int) -> None:
        self.state.play(step)
        if not self.state.unfinished:
            self.publish()

    def seen(self, seat: int) -> tuple[str, str, str]:
        """All that a program at a seat can ask to see (view, legal steps, observation, mask, sight), as text; and what
        the view writes down of what it remembers and believes."""
        view = self.views[seat].see(self.state)
        seen = json.dumps([shown(view, view.legal(), self.game, WANTS), view.sight()])
        beliefs = believed(view).hex() if self.believing and seat >= 0 and self.state.seat >= 0 else ""
        return seen, remembered(view).hex(), beliefs


def written(view: View) -> bytes:
    """What a view writes down as small numbers."""
    room = bytearray(sum(rows * size for _, rows, size in view.layout()))
    view.encode(room)
    return bytes(room)


def remembered(view: View) -> bytes:
    """What a view remembers, as small numbers."""
    room = bytearray(sum(rows * size for _, rows, size in view.memory_layout()))
    view.encode_memory(room)
    return bytes(room)


def believed(view: View, worlds: int = 3) -> bytes:
    """Where a view believes the hidden cards to be, as small numbers."""
    marginals = Marginals(view, worlds)
    room = bytearray(marginals.width)
    marginals.write(view, room)
    return bytes(room)


def vectors(name: str = "*") -> Iterator[tuple[str, dict[str, Any]]]:
    """The records on which two implementations agree, of any rules version: where each stands, and the record."""
    folder = HERE / "vectors"
    found = {*folder.glob(f"{name}.jsonl"), *folder.glob(f"{name}-[0-9].jsonl")}
    for path in sorted(found, key=lambda path: path.stem):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.name}:{number}", json.loads(line)


class Followed:
    """A sitting that an adapter plays, played beside it, with worlds that a seat cannot tell from it."""

    def __init__(self, given: Case, seed: int, number: int) -> None:
        self.game = given.game
        self.state = given.state()
        self.state.journal = Journal()
        self.views = [given.game.view_type(given.players, seat, given.options) for seat in range(given.players)]
        for view in self.views:
            view.track_beliefs()
        self.luck = Seeded(seed, 1 + 2 * number)
        self.state.begin(Seeded(seed, 2 * number))
        self.listen()

    def listen(self) -> None:
        assert self.state.journal is not None
        for view in self.views:
            view.listen(self.state.journal)
        self.state.journal.clear()

    def play(self, step: int) -> None:
        self.state.play(step)
        if not self.state.unfinished:
            self.listen()

    def has_secrets(self) -> bool:
        """Whether anything is hidden: not in Tontine, nor from two who hold the whole pack of Lost Heir."""
        return self.game.name != "tontine" and (self.game.name != "lost-heir" or self.state.players > 2)

    def twin(self, seat: int) -> tuple[bytes, list[int], bool]:
        """What a seat writes down and may do in a world that it cannot tell from this one; whether it is another."""
        twin = self.views[seat].see(self.state).sample(self.luck)
        view = self.game.view(twin, seat)
        return written(view), view.legal(), twin.where() != self.state.where()
