"""Chances to win as people are told them: calibrated, in order, and the engine's own estimate untouched."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import parlour
from parlour import Journal, Seeded
from parlour.engine.search import Search
from parlour.lab.simulate import play_sitting
from parlour.players.chances import FILE, SCORES, SEARCH, Calibration, chances_of, progress_of, told, told_by_scores
from parlour.players.seats import Seating

# game, players, sittings and the share of decisions asked about; none of these sittings served to fit the maps
SAMPLES = [
    ("masquerade", 4, 60, 0.06),
    ("lost-heir", 4, 40, 0.02),
    ("sovereign", 3, 150, 0.03),
    ("heraldry", 2, 50, 0.03),
    ("tontine", 4, 150, 0.1),
]


class Asking(Seating):
    """Players by the rules of thumb, who are asked about their chances now and then."""

    share = 0.0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.luck = Seeded(5)
        self.said: list[tuple[int, float]] = []

    def choose(self, state: parlour.State) -> int:
        view = self.views[state.seat]
        assert view is not None
        step = super().choose(state)
        if self.luck.number_below(10000) < 10000 * self.share and not state.unfinished:
            if self.game.name == "tontine":
                seats = range(state.players)
                self.said += [
                    (s, c.value) for s, c in zip(seats, told_by_scores(self.game, view, state, seats), strict=True)
                ]
            elif len(view.legal()) > 1:
                search = Search(view)
                chosen = search.think(view, 0, view.moves, 400)
                for found in search.candidates():
                    if found.step == chosen:
                        self.said.append((state.seat, told(self.game, view, found.win_chance, found.win_error).value))
        return step


def forecasts(name: str, players: int, sittings: int, share: float) -> list[list[tuple[float, bool]]]:
    """The chances that were told in each sitting, and whether the seat won."""
    game = parlour.game(name)
    options = game.options_for(players)
    asking = Asking(game, players, options, ["thumb"] * players)
    asking.share = share
    state = game.state_type(players, options)
    state.journal = Journal()
    found = []
    for number in range(sittings):
        asking.begin(77, number)
        for view in asking.views:
            assert view is not None
            view.track_beliefs(trusting=True)
        asking.said = []
        play_sitting(state, Seeded(77, 2 * number), asking, state.journal.clear)
        found.append([(chance, seat in state.winners()) for seat, chance in asking.said])
    return found


@pytest.mark.parametrize(("game", "players", "sittings", "share"), SAMPLES)
def test_chances_that_are_told_come_true_within_their_interval(
    game: str, players: int, sittings: int, share: float
) -> None:
    """All together, and low and high ones apart; forecasts of one sitting are taken as one."""
    every = forecasts(game, players, sittings, share)
    middle = sorted(chance for sitting in every for chance, _ in sitting)
    half = middle[len(middle) // 2]
    for low, high in ((0.0, 1.0), (0.0, half), (half, 1.0)):
        sums = [sum(won - chance for chance, won in sitting if low <= chance <= high) for sitting in every]
        count = sum(low <= chance <= high for sitting in every for chance, _ in sitting)
        error = math.sqrt(sum(each * each for each in sums))
        assert count > 50 and abs(sum(sums)) < 2.6 * error, (low, high, sum(sums) / count, error / count)


@pytest.mark.parametrize("game", parlour.REGISTRY)
def test_a_higher_estimate_is_never_told_as_a_lower_chance(game: str) -> None:
    found = chances_of(parlour.game(game))
    assert found is not None
    for maps in found.maps.values():
        for (players, sides), each in maps.items():
            for progress in (0.0, 0.3, 0.7, 1.0):
                said = [each.told(estimate / 50, 0.01, sides, progress) for estimate in range(51)]
                values = [chance.value for chance in said]
                assert values == sorted(values) and 0 < values[0] and values[-1] < 1, (players, progress)
                assert all(0 <= chance.within <= 0.5 for chance in said)


def test_progress_is_measured_by_the_goal_that_is_played_for() -> None:
    game = parlour.game("lost-heir")
    found = chances_of(game)
    assert found is not None
    for goal in (25, 50):
        state = game.state_type(4, game.options_for(4, {"goal": goal})).begin(Seeded(3))
        play = Seeded(4)
        while state.deals < 3:
            legal = state.legal()
            state.play(legal[play.number_below(len(legal))])
        best = max(state.scores())
        assert progress_of(found.progress, game.view(state, 0)) == max(0, best) / goal and best > 0


def test_a_table_that_was_not_measured_is_told_as_the_one_most_like_it() -> None:
    found = chances_of(parlour.game("sovereign"))
    assert found is not None
    assert found.nearest(SEARCH, 2, 2) is found.maps[SEARCH][3, 3]
    assert found.nearest(SEARCH, 11, 11) is found.maps[SEARCH][5, 5]
    heir = chances_of(parlour.game("lost-heir"))
    assert heir is not None and heir.nearest(SEARCH, 6, 2) is heir.maps[SEARCH][4, 2]


def test_the_dead_of_a_tontine_are_told_that_they_may_come_back() -> None:
    """With four players a dead seat wins about one sitting in ten; the engine's own estimate is 0."""
    game = parlour.game("tontine")
    state = game.new(4, chance=Seeded(3))
    chances: list[float] = []
    while not state.over:
        state.play(state.legal()[0])
        dead = [seat for seat in range(4) if not state.scores()[seat]]
        if dead and not state.over:
            view = game.view(state, state.seat)
            assert [state.win_chance(seat) for seat in dead] == [0.0] * len(dead)
            chances += [chance.value for chance in told_by_scores(game, view, state, dead)]
    assert chances and 0.05 < fmean(chances) < 0.2


def test_a_game_without_a_map_is_told_the_plain_estimate() -> None:
    game = parlour.game("heraldry")
    view = game.view(game.new(2, chance=Seeded(1)), 0)
    assert told(game, view, 0.3, 0.02, "no such kind").value == 0.3
    plain = Calibration((0.0, 0.0, 1.0, 0.0), 0.0, 0.0, ((0.0,) * 4,) * 4)
    assert plain.told(0.3, 0.0, 2, 0.5).value == pytest.approx(0.3)


@pytest.mark.parametrize("game", parlour.REGISTRY)
def test_a_map_says_how_it_was_made(game: str) -> None:
    data: dict[str, Any] = json.loads(parlour.game(game).text(FILE) or "")
    assert "bench/calibration.py --fit" in data["made"] and data[SCORES]
    page = (Path(__file__).parents[2] / "docs/players.md").read_text(encoding="utf-8")
    assert f"| {parlour.game(game).title} " in page
