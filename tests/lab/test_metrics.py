"""The metrics of the lab: each one against a slow computation of its own."""

from __future__ import annotations

import operator
from importlib import import_module
from itertools import chain, combinations
from statistics import fmean
from typing import Any

import pytest

import parlour
from parlour.engine import build
from parlour.engine.core import Journal, Seeded
from parlour.lab import play
from parlour.lab.observers import OBSERVERS, ChoiceSampler, Playout
from parlour.lab.plan import BlockTask
from parlour.lab.simulate import seed_number
from parlour.lab.tournament import PairSeating, Tournament, meet
from parlour.players.seats import Seating
from support.studies import SEED, TABLES, sides_of, task_of, value


class Watched:
    """A sitting played by plain Python, with everything that can be observed of it."""

    def __init__(self, task: BlockTask, number: int, bot: str) -> None:
        plain = build.load_interpreted()
        game = plain.game(task.game)
        self.players = task.players
        seed, journal = seed_number(task.seed), plain.engine.core.Journal()
        state = game.state_type(task.players, task.options)
        views = [game.view_type(task.players, seat, task.options) for seat in range(task.players)]
        luck = plain.engine.core.Seeded(seed, 2 * number + 1)
        state.journal = journal
        state.begin(plain.engine.core.Seeded(seed, 2 * number))
        self.chances: list[list[float]] = []  # before each decision
        self.legal: list[list[int]] = []  # how many steps, step by step, of each decision
        self.entries: list[list[Any]] = []
        self.first = state.seat
        while not state.over:
            if not state.unfinished:
                self.chances.append([state.win_chance(seat) for seat in range(task.players)])
                self.legal.append([])
            steps = state.legal()
            self.legal[-1].append(len(steps))
            view = views[state.seat].see(state)
            state.play(steps[luck.number_below(len(steps))] if bot == "random" else view.heuristic(luck))
            self.entries += [game.told(row) for row in journal.rows()]
            journal.clear()
        self.scores, self.winners = state.scores(), state.winners()
        self.moves, self.deals = state.moves, state.deals

    def cut(self, task: BlockTask) -> bool:
        """Whether a limit cut it short, by the clauses and not by the flag."""
        best = max(self.scores)
        if task.game == "lost-heir":
            return best < 25 or self.scores.count(best) > 1  # HEIR-17
        return any(entry[0] == "void" for entry in self.entries)  # SOV-12

    def won_by(self, sides: int) -> list[float]:
        """Each side's share of the win, counted from the side that decides first."""
        shares = [0.0] * sides
        for seat in self.winners:
            shares[(seat - self.first) % sides] += 1 / len(self.winners)
        return shares

    def leaders(self) -> list[set[int]]:
        """The seats that lead before each decision, and at the end; none where all are level."""
        found = [
            {seat for seat, chance in enumerate(chances) if chance == max(chances)} if len(set(chances)) > 1 else set()
            for chances in self.chances
        ]
        return [*found, set(self.winners)]

    def lead_changes(self) -> int:
        changes, leader = 0, None
        for leading in self.leaders():
            if leading and leader not in leading:
                changes += leader is not None
                leader = min(leading)
        return changes

    def decided(self, winner: int) -> float:
        led = 0
        for leading in reversed(self.leaders()[:-1]):
            if winner not in leading:
                break
            led += 1
        return led / len(self.chances)

    def drama(self, winner: int) -> float:
        return fmean(max(chances) - chances[winner] for chances in self.chances)


@pytest.mark.parametrize("bot", ["thumb", "random"])
@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_observers_see_what_happened(name: str, players: int, given: dict[str, Any], bot: str) -> None:
    task = task_of(name, players, given, 4, table=bot)
    sums = play.watch(task, sides_of(task))
    sittings = [Watched(task, number, bot) for number in range(4, 8)]
    sides = sides_of(task)
    partners = players // sides
    won = [sitting.won_by(sides) for sitting in sittings]
    alike = fmean(sum(map(operator.mul, *two)) for two in combinations(won, 2))  # the chance of the same place twice
    expected = {
        "completion": fmean(not sitting.cut(task) for sitting in sittings),
        "decisions": fmean(sitting.moves for sitting in sittings),
        "deals": fmean(sitting.deals for sitting in sittings),
        "seat_advantage": fmean(shares[0] for shares in won) - 1 / sides,
        "balance": 1 - (alike - 1 / sides) / (1 - 1 / sides),
        "drawishness": fmean(len(sitting.winners) > partners for sitting in sittings),
        "drama": fmean(fmean(sitting.drama(seat) for seat in sitting.winners) for sitting in sittings),
        "lead_changes": fmean(sitting.lead_changes() for sitting in sittings),
        "decisiveness": fmean(fmean(sitting.decided(seat) for seat in sitting.winners) for sitting in sittings),
        "real_choices": fmean(fmean(max(steps) > 1 for steps in sitting.legal) for sitting in sittings),
        "branching": fmean(fmean(chain(*sitting.legal)) for sitting in sittings),
    }
    assert {name: value(name, sums, sides) for name in expected} == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_compiled_and_interpreted_blocks_have_the_same_sums(name: str, players: int, given: dict[str, Any]) -> None:
    build.load_interpreted()
    plain = import_module("parlour_interpreted.lab.play")
    task = task_of(name, players, given, 1)
    assert plain.play_block(task) == plain.Block(**vars(play.play_block(task)))


def test_some_sittings_of_these_tests_are_cut_short_by_a_limit() -> None:
    for name, players, given in TABLES:
        if "deal_limit" in given or "round_limit" in given:
            task = task_of(name, players, given, 30)
            assert 0 < play.watch(task, sides_of(task))["cut"]


@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_skill_is_what_a_tournament_of_the_two_bots_finds(name: str, players: int, given: dict[str, Any]) -> None:
    task = task_of(name, players, given, 30)
    sums = play.measure_skill(task, sides_of(task))
    held = Tournament(name, players, task.options, ("thumb", "random"), f"{SEED} skill")
    state = parlour.game(name).state_type(players, task.options)
    tables = [PairSeating(held, ("thumb", "random"), sides_of(task), first) for first in (0, 1)]
    meetings = [meet(state, tables, ("thumb", "random"), seed_number(held.seed), deal) for deal in range(3, 6)]
    shares = [meeting.shares[0] for meeting in meetings]
    assert value("skill", sums, players) == pytest.approx(2 * fmean(shares) - 1, abs=1e-12)


@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_no_bot_is_more_skilled_than_itself(name: str, players: int, given: dict[str, Any]) -> None:
    task = task_of(name, players, given, 40, stronger="thumb", weaker="thumb")
    assert value("skill", play.measure_skill(task, sides_of(task)), players) == pytest.approx(0, abs=1e-12)


def play_slipping(task: BlockTask, seed: int, number: int, again: int) -> list[float]:
    """Each side's share of the win in a sitting of players who slip now and then, played by plain calls."""
    game = parlour.game(task.game)
    views = [game.view_type(task.players, seat, task.options) for seat in range(task.players)]
    luck = Seeded(seed, 2 * number + 1 + (again << 48))
    state = game.state_type(task.players, task.options).begin(Seeded(seed, 2 * number))
    while not state.over:
        steps = state.legal()
        slips = len(steps) > 1 and luck.number_below(1024) < 1024 * play.SLIPS
        taken = steps[luck.number_below(len(steps))] if slips else views[state.seat].see(state).heuristic(luck)
        state.play(taken)
    winners, sides = state.winners(), sides_of(task)
    return [sum(seat % sides == side for seat in winners) / len(winners) for side in range(sides)]


@pytest.mark.parametrize(("name", "players", "given"), TABLES)
def test_luck_is_the_share_of_variance_between_deals(name: str, players: int, given: dict[str, Any]) -> None:
    task = task_of(name, players, given, 60)
    seed, deals, plays = seed_number(f"{SEED} luck"), range(6, 12), play.REPLAYS
    results = [[play_slipping(task, seed, deal, again) for again in range(plays)] for deal in deals]
    sides = sides_of(task)
    by_side = [[play[side] for play in deal] for deal in results for side in range(sides)]
    between = plays * fmean((fmean(group) - 1 / sides) ** 2 for group in by_side)
    within = fmean(sum((one - fmean(group)) ** 2 for one in group) / (plays - 1) for group in by_side)
    expected = (between - within) / plays / ((between - within) / plays + within)
    sums = play.measure_luck(task)
    assert value("luck", sums, sides) == pytest.approx(expected, rel=1e-9)


def test_where_nothing_is_decided_the_deal_decides_everything() -> None:
    task = task_of("tontine", 7, {}, 100)
    sums = play.measure_luck(task) | play.weigh_choices(task)
    assert value("luck", sums, 7) == pytest.approx(1)
    assert value("choice_weight", sums, 7) is None


def share_after(task: BlockTask, world: Any, step: int, luck: tuple[int, int]) -> float:
    """The deciding side's share of the win after a step in a world, played on by plain calls."""
    game, state, seat = parlour.game(task.game), world.copy(), world.seat
    views = [game.view_type(task.players, seat, task.options) for seat in range(task.players)]
    state.chance = Seeded(*luck)
    state.play(step)
    while not state.over:
        state.play(views[state.seat].see(state).heuristic(Seeded()))
    sides = sides_of(task)
    return sum(winner % sides == seat % sides for winner in state.winners()) / len(state.winners())


@pytest.mark.parametrize(("name", "players", "given"), [table for table in TABLES if table[0] != "tontine"])
def test_a_choice_weighs_what_its_best_step_wins_in_other_worlds(
    name: str, players: int, given: dict[str, Any]
) -> None:
    task = task_of(name, players, given, 40)
    game, seed, weights = parlour.game(name), seed_number(f"{SEED} choices"), []
    for number in (2, 3):
        sampler = ChoiceSampler(players)
        sampler.restart(seed, (1 << 32) + number)
        state = game.state_type(players, task.options)
        Playout(state, game.view_type(players, 0, task.options), [sampler]).play(seed, number)
        view, luck = play.view_at(game, task, seed, number, sampler), Seeded(seed, (2 << 32) + number)
        worlds = [view.sample(luck) for _ in range(2 * play.WORLDS)]
        first = (3 << 32) + 2 * play.WORLDS * number
        shares = [
            [share_after(task, world, step, (seed, 2 * (first + at))) for step in view.legal()]
            for at, world in enumerate(worlds)
        ]
        halves = [[fmean(step) for step in zip(*half, strict=True)] for half in (shares[:16], shares[16:])]
        for chosen, judged in (halves, halves[::-1]):
            best = [step for step, looked in enumerate(chosen) if looked == max(chosen)]
            weights.append(fmean(judged[step] for step in best) - fmean(judged))
    sums = play.weigh_choices(task)
    assert value("choice_weight", sums, players) == pytest.approx(fmean(weights), abs=1e-12)


def test_choices_are_sampled_with_equal_probability() -> None:
    game = parlour.game("masquerade")
    options = game.options_for(4)
    sampler = ChoiceSampler(4)
    playout = Playout(game.state_type(4, options), game.view_type(4, 0, options), [sampler])
    parts = []
    for number in range(2000):
        sampler.restart(5, number)
        playout.play(5, 3)  # the same sitting each time
        parts.append(sampler.choice)
    often = [parts.count(choice) for choice in range(1, max(parts) + 1)]
    assert min(often) > 0 and max(often) < 3 * 2000 / len(often)


@pytest.mark.parametrize("name", ["masquerade", "sovereign"])
def test_seated_bots_and_fast_playouts_are_observed_alike(name: str) -> None:
    game = parlour.game(name)
    players, names = game.sheet.usual, ["thumb"] * game.sheet.usual
    task = task_of(name, players, {}, 3)
    observers = [[observer(players) for observer in OBSERVERS] for _ in range(2)]
    quick, slow = (play.Lineup(task, names, watching) for watching in observers)
    slow.seating = Seating(game, players, task.options, names)  # as for bots without a fast playout
    for number in range(3):
        assert quick.play(1, number) == slow.play(1, number)
    assert [one.totals() for one in observers[0]] == [one.totals() for one in observers[1]]


def test_a_playout_refuses_a_state_with_a_journal() -> None:
    game = parlour.game("tontine")
    state = game.state_type(5, game.options_for(5))
    state.journal = Journal()
    with pytest.raises(ValueError, match="without a journal"):
        Playout(state, game.view_type(5, 0, game.options_for(5)))
