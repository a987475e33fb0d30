"""One battery for every game: what must hold of cards, counters, steps, copies, refusals, chance and records."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour import Journal, Refusal, Sealed, Seeded, Sitting, State
from parlour.engine.build import is_compiled, load_interpreted
from parlour.engine.playout import play_many
from parlour.lab.simulate import play_sitting
from parlour.play.sitting import secret_of
from parlour.players.bots import First, Random
from parlour.players.seats import Seating
from parlour.records.record import drain, line_of, read_lines, script_of
from support.cases import Case, all_cases, case, has_value, newer_values, play_on, played, snapshot
from support.effort import times

every_case = pytest.mark.parametrize("case", all_cases(), ids=str)
every_game = pytest.mark.parametrize("name", parlour.REGISTRY)
every_bot = pytest.mark.parametrize("bot", [First, lambda: Random(Seeded(5))], ids=["first", "random"])

NOT_CARDS = ("pools", "counters", "box")
SOVEREIGN_PACK = {"SOV": 1, "HG": 1, "HS": 2, "CR": 4, "HC": 8, "FL": 10, "SH": 15}


def newer(case: Case) -> bool:
    """Whether a case has a value that came after rules version 1."""
    return any(has_value(case, option, value) for option, value in newer_values(case.game))


def pack_of(case: Case) -> Counter[str]:
    if case.game.name == "sovereign":
        small = {"sixpence": "6D", "penny": "1D"}[str(case.options["small_coin"])]
        return Counter(SOVEREIGN_PACK | {small: 15})
    return Counter(case.game.codes)


def check_conserved(case: Case, state: State) -> None:
    """All cards of the pack lie somewhere, each once; no counter is lost or made."""
    where = state.where()
    cards = [case.game.code(card) for place, held in where.items() if place not in NOT_CARDS for card in held]
    assert Counter(cards) == pack_of(case)
    if case.game.name == "tontine":
        assert sum(state.scores()) + sum(where["box"]) == case.players * int(case.options["stake"])
    if case.game.name == "sovereign":
        assert sum(state.scores()) + sum(where["pools"]) == 0


def check_steps(case: Case, legal: list[int]) -> None:
    assert legal, "a seat must decide, and nothing is legal"
    assert legal == sorted(set(legal))
    assert 0 <= legal[0] and legal[-1] < case.game.steps


def play_checked(case: Case, sitting: Sitting, bot: First | Random) -> None:
    """Play to the end, looking at every step whether all is in order."""
    for _ in range(20_000):
        check_conserved(case, sitting.state)
        if sitting.over:
            break
        check_steps(case, sitting.legal())
        sitting.play(bot.pick(sitting.legal()))
    assert sitting.over
    assert sitting.legal() == []
    winners = sitting.winners()
    assert winners and winners == sorted(set(winners)) and set(winners) <= set(range(case.players))
    assert parlour.check(sitting.record()) is None


# --- every sitting goes on legally to its end, and nothing is lost ---------------------------------------------------


@every_case
@every_bot
def test_a_sitting_ends_with_everything_conserved(case: Case, bot: Callable[[], First | Random]) -> None:
    play_checked(case, case.sitting(3), bot())


@pytest.mark.skipif(not is_compiled(), reason="searching takes too long interpreted")
@pytest.mark.parametrize("case", [each for each in all_cases() if newer(each)], ids=str)
def test_thumb_and_searchers_end_a_sitting_under_newer_options(case: Case) -> None:
    names = ["thumb", "search:6", "search:6", "novice"]
    seating = Seating(case.game, case.players, case.options, (3 * names)[: case.players])
    seating.begin(4, 0)
    state = case.state()
    state.journal = Journal()
    play_sitting(state, Seeded(4), seating, state.journal.clear)
    assert state.over and state.winners()
    check_conserved(case, state)


@every_game
@every_bot
def test_every_number_of_players(name: str, bot: Callable[[], First | Random]) -> None:
    for players in parlour.game(name).sheet.players:
        if players <= 12 or players % 10 == 2:
            each = case(name, players, {})
            play_checked(each, each.sitting(players), bot())


@st.composite
def cases(draw: st.DrawFn) -> Case:
    game = parlour.game(draw(st.sampled_from(parlour.GAMES)))
    players = draw(st.sampled_from(game.sheet.players))
    options: dict[str, Any] = {}
    for option in game.sheet.options:
        named = [value.name for value in option.values if players in value.players]
        short = option.name in ("games", "deal_limit", "round_limit")
        top = min(option.high, option.low + (2 if short else 30))
        options[option.name] = draw(st.sampled_from(named) if named else st.integers(option.low, top))
    return Case(game, players, game.options_for(players, options))


SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SOME
@given(cases(), st.integers(0, 2**64 - 1))
def test_any_options_and_any_seed(case: Case, seed: int) -> None:
    play_checked(case, case.sitting(seed), Random(Seeded(seed)))


# --- copies ----------------------------------------------------------------------------------------------------------


def moments(case: Case, seed: int, every: int) -> Iterable[State]:
    """A state as it is played at random, at its beginning, every so many steps, and at its end."""
    state, luck = case.state().begin(Seeded(seed)), Seeded(seed, 1)
    steps = 0
    while not state.over:
        if steps % every == 0 or state.unfinished:
            yield state
        legal = state.legal()
        state.play(legal[luck.number_below(len(legal))])
        steps += 1
    yield state


@every_case
def test_a_copy_shares_nothing(case: Case) -> None:
    for number, state in enumerate(moments(case, 11, times(160, 40))):
        before = snapshot(case.game, state)
        ends = []
        for copy in (state.copy(), state.copy()):
            assert snapshot(case.game, copy) == before
            copy.chance, copy.journal = Seeded(number), Journal()
            log: list[Any] = []
            bot = Random(Seeded(number, 1))
            for _ in range(150):
                if not copy.over:
                    copy.play(bot.pick(copy.legal()))
                    drain(case.game, copy.journal, log)
            ends.append((log, snapshot(case.game, copy)))
            assert snapshot(case.game, state) == before
        assert ends[0] == ends[1]
        assert state.over or ends[0][1] != before


@every_game
def test_a_copy_taken_amid_a_chance_entry_goes_on_alike(name: str) -> None:
    given = case(name, parlour.game(name).sheet.usual, {})
    state = given.state().begin(None)
    luck = random.Random(4)
    for _ in range(40):
        before = snapshot(given.game, state)
        copy = state.copy()
        item = luck.choice(state.possible())
        copy.draw(item)
        assert snapshot(given.game, state) == before
        state.draw(item)
        assert snapshot(given.game, state) == snapshot(given.game, copy)
        if state.awaits < 0:
            break


# --- unfinished moves ------------------------------------------------------------------------------------------------


RICH = [
    case("sovereign", 3, {"round_limit": 30}),
    case("sovereign", 9, {"change": "must", "round_limit": 12}),
    case("sovereign", 4, {"mistakes": "penalised", "small_coin": "penny"}),
    case("sovereign", 4, {"mistakes": "penalised", "change": "must"}),
    case("heraldry", 2, {}),
    case("heraldry", 3, {"capture": "choice"}),
    case("heraldry", 5, {"last_deal": "fours"}),
    case("heraldry", 6, {"last_deal": "fours", "capture": "choice"}),
]
every_rich_case = pytest.mark.parametrize("case", RICH, ids=str)


@every_rich_case
def test_no_prefix_of_a_move_is_a_dead_end_and_all_can_be_taken_back(case: Case) -> None:
    begun = 0
    for state in (state for seed in range(20) for state in moments(case, seed, 1)):
        if state.unfinished:
            continue
        before = snapshot(case.game, state)
        waiting = [(state.copy(), step) for step in state.legal()]
        nodes = 0
        while waiting and nodes < 60:
            nodes += 1
            here, step = waiting.pop()
            here.chance = None
            here.play(step)
            if here.unfinished:
                begun += 1
                check_steps(case, here.legal())
                waiting += [(here.copy(), further) for further in here.legal()]
                here.take_back()
                assert snapshot(case.game, here) == before
        if begun >= 300:
            break
    assert begun > 40


@every_rich_case
def test_an_unfinished_move_is_seen_by_nobody_else(case: Case) -> None:
    compared = 0
    for seed in range(5):
        sitting = case.sitting(seed)
        bot = Random(Seeded(seed))
        while not sitting.over:
            if not sitting.prefix:
                actor, entries = sitting.seat, list(sitting.log)
                before = {seat: seen_by(sitting, seat) for seat in range(-1, case.players) if seat != actor}
            sitting.play(bot.pick(sitting.legal()))
            if sitting.prefix:
                compared += 1
                assert {seat: seen_by(sitting, seat) for seat in before} == before
                assert sitting.log == entries
        if compared > 40:
            break
    assert compared > 5


def seen_by(sitting: Sitting, seat: int) -> tuple[Any, ...]:
    view = sitting.view(seat)
    return view.fields(), view.legal(), len(sitting.told[seat])


# --- refusals --------------------------------------------------------------------------------------------------------


def refusal_of(state: State, step: int) -> Refusal:
    with pytest.raises(Refusal) as caught:
        state.play(step)
    sentence = caught.value.sentence
    assert sentence.endswith(".") and "\n" not in sentence and sentence == sentence.strip() and len(sentence) < 300
    return caught.value


@every_case
def test_every_other_step_is_refused_with_its_clause_and_changes_nothing(case: Case) -> None:
    clauses = {clause.id for clause in case.game.sheet.clauses}
    for state in moments(case, 31, times(47, 23)):
        state.journal = Journal()
        before = snapshot(case.game, state)
        legal = set(state.legal())
        for step in sorted({-1, case.game.steps, 10**6, *range(case.game.steps)} - legal):
            refusal = refusal_of(state, step)
            if not state.over and 0 <= step < case.game.steps:
                assert refusal.clause in clauses
                assert str(refusal).endswith(f"({refusal.clause})")
            assert state.legal() == sorted(legal)
        assert snapshot(case.game, state) == before
        assert state.journal.rows() == []
        state.journal = None


@every_game
def test_nobody_decides_while_chance_is_awaited(name: str) -> None:
    state = parlour.game(name).new()
    assert state.legal() == []
    before = snapshot(parlour.game(name), state)
    for step in range(-1, parlour.game(name).steps + 1):
        refusal_of(state, step)
    assert snapshot(parlour.game(name), state) == before


# --- chance ----------------------------------------------------------------------------------------------------------


@every_case
def test_chance_drawn_one_at_a_time_gives_the_same_game(case: Case) -> None:
    whole, single = case.state().begin(None), case.state().begin(None)
    luck = random.Random(str(case))
    for _ in range(400):
        if whole.over:
            break
        if whole.awaits < 0:
            step = luck.choice(whole.legal())
            whole.play(step)
            single.play(step)
            continue
        items = luck.sample(whole.possible(), whole.wanted())
        for item in items:
            assert single.awaits == whole.awaits
            outcomes = single.outcomes()
            left = Counter(single.possible())
            assert math.isclose(sum(chance for _, chance in outcomes), 1)
            assert [each for each, _ in outcomes] == sorted(left)
            assert all(math.isclose(chance, left[each] / left.total()) for each, chance in outcomes)
            single.draw(item)
        whole.give(items)
        assert snapshot(case.game, whole) == snapshot(case.game, single)
    assert whole.chances >= 1


@every_game
def test_chance_cannot_give_a_card_that_is_not_there(name: str) -> None:
    state = parlour.game(name).new()
    while state.wanted() < 2 and state.awaits >= 0:
        state.give(state.possible()[:1])
    if state.awaits < 0:
        state.play(state.legal()[0])
    possible = state.possible()[: state.wanted()]
    before = snapshot(parlour.game(name), state)
    for wrong in ([], possible[1:], [*possible, possible[0]], [99, *possible[1:]], [-1, *possible[1:]]):
        with pytest.raises(Refusal):
            state.give(wrong)
        assert snapshot(parlour.game(name), state) == before
    with pytest.raises(Refusal):
        state.draw(99)
    assert snapshot(parlour.game(name), state) == before


def check_uniform(counts: Counter[Any], kinds: int) -> None:
    """χ² within five standard deviations of what equal chances give."""
    assert len(counts) == kinds
    expected = counts.total() / kinds
    deviation = sum((count - expected) ** 2 / expected for count in counts.values())
    assert deviation < (kinds - 1) + 5 * math.sqrt(2 * (kinds - 1))


def first_luck(given: Case, chance: parlour.Chance) -> dict[str, Any]:
    """The first dealer and the first three cards dealt."""
    state = given.state()
    state.journal = Journal()
    log: list[Any] = []
    state.begin(chance)
    if given.game.name == "tontine":
        state.play(0)
    drain(given.game, state.journal, log)
    deal = next(entry[1] for entry in log if entry[0] == "deal")
    dealers = [entry[1] for entry in log if entry[0] == "dealer"]
    if not dealers:
        dealers = [log[0][1].index("M1") % given.players]
    return {"dealer": dealers[0], "cards": deal[:3], "log": log}


@every_game
@pytest.mark.parametrize("chance_of", [lambda seed: Sealed(secret_of(seed)), Seeded], ids=["sealed", "seeded"])
def test_dealers_and_cards_come_equally_often(name: str, chance_of: Callable[[int], parlour.Chance]) -> None:
    given = case(name, parlour.game(name).sheet.usual, {})
    found = [first_luck(given, chance_of(seed)) for seed in range(1500)]
    check_uniform(Counter(luck["dealer"] for luck in found), given.players)
    if name == "sovereign":
        shillings = sum(card == "SH" for luck in found for card in luck["cards"])
        assert abs(shillings / 4500 - 15 / 56) < 0.033
    else:
        for at in range(3):
            check_uniform(Counter(luck["cards"][at] for luck in found), len(given.game.codes))


@every_game
def test_sealed_chance_belongs_to_its_secret(name: str) -> None:
    given = case(name, parlour.game(name).sheet.usual, {})
    secret = secret_of("one")
    log = first_luck(given, Sealed(secret))["log"]
    assert first_luck(given, Sealed(secret))["log"] == log
    others = [Sealed(secret_of("two")), Sealed(secret, b"x"), Sealed(secret, table="x"), Sealed(secret, rules=2)]
    logs = [log, *(first_luck(given, other)["log"] for other in others)]
    assert len({str(log) for log in logs}) == 5


def test_a_commitment_belongs_to_the_secret_alone() -> None:
    secret = secret_of("one")
    assert Sealed(secret).commitment == Sealed(secret, b"entropy", "table", 2).commitment
    assert Sealed(secret).commitment != Sealed(secret_of("two")).commitment
    assert secret.hex() not in Sealed(secret).commitment


@pytest.mark.parametrize("n", [2, 3, 7, 48, 52, 64])
def test_seeded_numbers_come_equally_often(n: int) -> None:
    luck = Seeded(n)
    numbers = [luck.number_below(n) for _ in range(20_000)]
    check_uniform(Counter(numbers), n)
    if n <= 7:
        check_uniform(Counter(zip(numbers[::2], numbers[1::2], strict=True)), n * n)


def test_seeds_and_numbers_give_streams_of_their_own() -> None:
    lucks = [Seeded(seed, number) for seed in range(20) for number in range(20)]
    streams = {tuple(luck.number_below(64) for _ in range(20)) for luck in lucks}
    assert len(streams) == 400
    assert Seeded(-1).number_below(2**31 - 1) == Seeded(2**64 - 1).number_below(2**31 - 1)


# --- compiled and interpreted, records ------------------------------------------------------------------------------


def lines_of(package: Any, case: Case, seed: int) -> list[str]:
    """Records of the same sitting with sealed and with seeded luck, by one of the two engines."""
    bots = import_module(f"{package.__name__}.players.bots")
    record = import_module(f"{package.__name__}.records.record")
    game = package.game(case.game.name)
    sitting = package.Sitting(game, case.players, seed=seed, **case.options)
    bot = bots.Random(package.Seeded(seed))
    while not sitting.over:
        sitting.play(bot.pick(sitting.legal()))
    lines = [record.line_of(sitting.record(seed=seed))]
    state = game.state_type(case.players, game.options_for(case.players, case.options))
    state.journal = package.Journal()
    state.begin(package.Seeded(seed))
    log: list[Any] = []
    while not state.over:
        state.play(bot.pick(state.legal()))
        record.drain(game, state.journal, log)
    record.drain(game, state.journal, log)
    return [*lines, record.line_of(record.compose(game, state, log, seed=seed))]


@every_case
def test_compiled_and_interpreted_write_the_same_records(case: Case) -> None:
    twin = load_interpreted()
    for seed in range(times(1, 2)):
        lines = lines_of(parlour, case, seed)
        assert lines == lines_of(twin, case, seed)
        for line in lines:
            ((_, record, wrong),) = read_lines(BytesIO(line.encode()))
            assert not wrong
            assert parlour.check(record) is None
            assert twin.check(record) is None
            assert line_of(record) == line


@every_game
def test_a_script_gives_the_same_sitting_again(name: str) -> None:
    given = case(name, parlour.game(name).sheet.usual, {})
    sitting = played(given.sitting(6), Seeded(6))
    state = given.state().begin(parlour.Scripted(script_of(given.game, sitting.log)))
    for move in sitting.moves:
        for step in move.steps:
            state.play(step)
    assert snapshot(given.game, state) == snapshot(given.game, sitting.state)


@every_case
def test_playing_on_in_c_is_what_the_random_bot_does(case: Case) -> None:
    state = case.state()
    play_many(state, 9, 3)
    slow = case.state().begin(Seeded(9, 4))
    play_on(slow, Seeded(9, 5))
    assert snapshot(case.game, state) == snapshot(case.game, slow)


@pytest.mark.parametrize("players", range(2, 12))
def test_whole_random_turns_of_sovereign_are_their_steps(players: int) -> None:
    """With any number of players, in games short and long, with a surplus that runs out and one that does not."""
    for thrown, change in (("aside", "may"), ("under", "must")):
        given = case("sovereign", players, {"thrown": thrown, "change": change, "games": 2})
        state = given.state()
        for number in range(20):
            play_many(state, number, 1)
            slow = given.state().begin(Seeded(number, 0))
            play_on(slow, Seeded(number, 1))
            assert snapshot(given.game, state) == snapshot(given.game, slow)


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in parlour.GAMES), ("masquerade", {"games": 3})])
def test_decisions_do_not_shift_later_deals(name: str, options: dict[str, int]) -> None:
    """Readings and players are compared on the same deals: not only the first of a sitting is the same, all are."""
    logs = []
    for player in (1, 2):
        sitting, luck = Sitting(name, chance=Seeded(5), **options), random.Random(player)
        while not sitting.over:
            sitting.play(luck.choice(sitting.legal()))
        logs.append([entry[1] for entry in sitting.log if entry[0] == "deal"])
    deals = list(zip(*logs, strict=False))
    assert deals and (len(deals) > 1 or not (options or name == "sovereign"))
    for one, other in deals:  # where fewer are left to be dealt to, the pack lies the same all the same
        assert all(card == same for card, same in zip(one, other, strict=False))
