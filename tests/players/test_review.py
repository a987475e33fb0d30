"""Reviews: choices judged by what the seat knew, and a result that is split into luck and skill without a remainder."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlour import GAMES, Refusal, Sitting
from parlour.engine.search import Search
from parlour.play.opponents import Opponents
from parlour.players.review import Following, Mark, Reviewing, beyond_doubt, luck_of, review
from support.cases import SHORT
from support.cli import Cli, command_line

parlour_cli = pytest.fixture(command_line)
CHOICES = [name for name in GAMES if name != "tontine"]


def record_of(name: str, bots: str, seed: int = 1) -> dict[str, Any]:
    """A short sitting between bots."""
    sitting = Sitting(name, seed=seed, track_beliefs=True, **SHORT[name])
    opponents = Opponents(sitting, bots)
    while not sitting.over:
        opponents.take_step()
    return sitting.record()


@pytest.mark.parametrize("name", GAMES)
def test_luck_and_skill_add_up_to_the_result(name: str) -> None:
    record = record_of(name, "thumb")
    for seat in (0, record["players"] - 1):
        luck = review(record, seat).luck
        assert luck.result.win == (seat in record["result"]["winners"])
        assert luck.result.score == record["result"]["scores"][seat % len(record["result"]["scores"])]
        for of in ("win", "score"):
            parts = [getattr(part, of) for part in (luck.start, luck.luck, luck.others, luck.own)]
            assert sum(parts) == pytest.approx(getattr(luck.result, of), abs=1e-9)
        last = luck.points[-1]
        assert last[1:] == pytest.approx((luck.luck.win, luck.others.win, luck.own.win))
        assert 0.0 < luck.start.win < 1.0


def test_the_luck_of_many_sittings_is_about_nothing() -> None:
    """Between equal players, the mean part of deals and draws is 0 within its error."""
    parts = []
    for seed in range(60):
        reviewing = Reviewing(record_of("masquerade", "thumb", seed), 0)
        nodes = [node for at in range(reviewing.of_choices, reviewing.pieces) for node in reviewing.work(at)]
        parts.append(luck_of(nodes).luck.win)
    mean = sum(parts) / len(parts)
    error = (sum((part - mean) ** 2 for part in parts) / len(parts) ** 2) ** 0.5
    assert abs(mean) < 4 * error
    assert sum(abs(part) for part in parts) / len(parts) > 0.1  # it is a game of luck, too


@pytest.mark.parametrize("name", CHOICES)
def test_marks_are_the_same_in_twin_worlds(name: str) -> None:
    """Two sittings that looked alike to a seat when it chose, with other cards in other hands, get the same mark."""
    compared = 0
    for seed in range(6):
        record = record_of(name, "thumb", seed)
        seat = seed % record["players"]
        here = first_choice(record, seat)
        if here is None:
            continue
        upto, told, where = here
        for twin in twins(record, upto, random.Random(seed)):
            there = first_choice(twin, seat)
            if there is not None and there[1] == told and there[2] != where:
                one, other = (Reviewing(cut(each, upto), seat, 1).work(0) for each in (record, twin))
                assert one == other and len(one) == 1
                compared += 1
                break
    assert compared >= 3


def first_choice(record: dict[str, Any], seat: int) -> tuple[int, Any, Any] | None:
    """Of a seat's first real choice: how many entries come before, what its seat saw, and where all cards were."""
    following = Following(record, seat)
    try:
        for turn in following.turns():
            if turn.seat == seat and len(following.state.legal()) > 1 and not turn.within:
                view = following.view.see(following.state)
                moves = turn.moves
                return entries_of(record, moves), (view.sight(), view.fields()), following.state.where()
    except Refusal:
        pass
    return None


def entries_of(record: dict[str, Any], moves: int) -> int:
    """The number of the entry of a move, counted from 0."""
    following = Following(record, 0)
    kinds = [following.game.entries[following.game.kinds[entry[0]]].nature for entry in record["log"]]
    return [at for at, nature in enumerate(kinds) if nature == "decision"][moves]


def twins(record: dict[str, Any], upto: int, luck: random.Random) -> Any:
    """The same decisions after deals in which two cards have changed places."""
    deals = [at for at, entry in enumerate(record["log"][:upto]) if isinstance(entry[-1], list) and len(entry[-1]) > 9]
    for _ in range(200):
        twin = copy.deepcopy(cut(record, upto))
        cards = twin["log"][luck.choice(deals)][-1]
        one, other = luck.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
        yield twin


def cut(record: dict[str, Any], upto: int) -> dict[str, Any]:
    """A record without what came after an entry."""
    return {**record, "log": record["log"][: upto + 1]}


@pytest.mark.parametrize("name", CHOICES)
def test_the_best_players_own_sitting_shows_no_mistake(name: str) -> None:
    found = review(record_of(name, "champion"), 1)
    assert found.marks and not found.mistakes
    assert found.accuracy is not None and found.accuracy > 99


@pytest.mark.parametrize("name", CHOICES)
def test_a_player_without_a_plan_makes_mistakes_that_are_explained(name: str) -> None:
    found = review(record_of(name, "random", 3), 0)
    clauses = {clause.id for clause in Following(record_of(name, "random", 3), 0).game.sheet.clauses}
    assert found.accuracy is not None and found.accuracy < 97
    assert found.mistakes == sorted(found.mistakes, key=lambda mark: -mark.lost)
    for mark in found.mistakes:
        assert mark.played != mark.best and mark.reason and mark.clause in clauses
        assert mark.lost > 1.9 * mark.doubt
    assert found.mistakes


def test_a_review_in_other_pieces_is_the_same() -> None:
    record = record_of("heraldry", "steady", 2)
    whole = review(record, 0)
    small = Reviewing(record, 0, 3)
    assert small.pieces > 20
    assert small.whole([small.work(at) for at in range(small.pieces)]) == whole


def test_where_nothing_is_decided_there_is_only_luck() -> None:
    found = review(record_of("tontine", "first"), 0)
    assert found.marks == [] and found.accuracy is None
    assert found.luck.own.win == found.luck.others.win == 0.0


def test_more_choices_need_a_clearer_difference() -> None:
    """One that would be beyond the doubt by itself may not be among fifty."""
    doubtful = Mark(0, 0, "a", "b", score=0.3, lost=0.021, doubt=0.01, stake=0.1)
    assert beyond_doubt([doubtful])[0].mistake
    assert not any(mark.mistake for mark in beyond_doubt([doubtful] * 50))


def test_a_choice_that_cost_neither_points_nor_chances_to_win_is_no_mistake() -> None:
    """A bid that must fail fails with any trumps, whatever else the search finds better in them."""
    lost = Mark(0, 0, "a", "b", lost=0.2, doubt=0.01, stake=0.3)
    told = [lost, replace(lost, score=0.04, win=0.0004), replace(lost, score=0.05), replace(lost, win=0.0005)]
    assert [mark.mistake for mark in beyond_doubt(told)] == [False, False, True, True]


def test_two_steps_are_weighed_against_each_other() -> None:
    sitting = Sitting("lost-heir", seed=2, track_beliefs=True)
    view = sitting.view(sitting.seat)
    search, one, other = Search(view), sitting.legal()[2], sitting.legal()[-1]
    there = search.weigh(view, one, other, 1, 1, 2000)
    back = search.weigh(view, other, one, 1, 1, 2000)
    assert there.worlds == back.worlds == 1000
    assert there.better == pytest.approx(-back.better) and there.score == pytest.approx(-back.score)
    assert there.win_chance == pytest.approx(-back.win_chance) and there.doubt > 0 and there.score_error > 0
    assert search.weigh(view, one, one, 1, 1, 2000).worlds == 0
    with pytest.raises(Refusal):
        search.weigh(view, one, 4000, 1, 1, 2000)
    before = view.fields()
    assert Search(view).think(view, 1, 1, 500) == search.think(view, 1, 1, 500)  # as if nothing had been asked before
    assert view.fields() == before


def test_the_command_reviews_records(tmp_path: Path, parlour_cli: Cli) -> None:
    file = tmp_path / "games.jsonl"
    record = record_of("lost-heir", "random", 3) | {"names": ["A", "you", "C", "D"]}
    file.write_text(json.dumps(record) + "\n")
    code, told, _ = parlour_cli("review", str(file))
    assert code == 0
    assert "seat 1" in told and "Accuracy" in told and "Luck and skill" in told and "Better: " in told
    data = json.loads(parlour_cli("review", str(file), "--seat", "2", "--json")[1])
    assert data["seat"] == 2 and data["marks"] and "claims" not in data["marks"][0]
    code, _, wrong = parlour_cli("review", str(file), "--seat", "4")
    assert code == 2 and "The seats are 0 to 3, not 4." in wrong
    record["result"]["scores"][0] += 1
    file.write_text(json.dumps(record) + "\n")
    code, _, wrong = parlour_cli("review", str(file))
    assert code == 1 and "scores should be" in wrong
    file.write_text("")
    code, _, wrong = parlour_cli("review", str(file))
    assert code == 2 and "holds no record" in wrong


def test_a_sitting_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.players.review.LONGEST", 20)
    with pytest.raises(ValueError, match="more than 20 moves is too long"):
        Reviewing(record_of("heraldry", "random"), 0)
