"""Hints: legal candidates with sensible figures, a reason in words, and a clause of the sheet."""

from __future__ import annotations

import pytest

import parlour
from parlour import Seeded, Sitting
from parlour.players.hints import advise, outs
from support.cases import case

CASES = [
    case("masquerade", 4, {}),
    case("masquerade", 8, {"exchange": "courtesy", "following": "suit"}),
    case("lost-heir", 4, {"sides": "two"}),
    case("lost-heir", 6, {"sides": "three", "mistakes": "penalised"}),
    case("sovereign", 5, {}),
    case("sovereign", 3, {"mistakes": "penalised"}),
    case("heraldry", 2, {"capture": "choice"}),
    case("heraldry", 4, {}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_hint_names_legal_steps_and_gives_a_reason_with_a_clause(case: object) -> None:
    sitting = Sitting(case.game, case.players, seed=5, attend=True, **case.options)  # type: ignore[attr-defined]
    luck = Seeded(3)
    clauses = {clause.id for clause in sitting.game.sheet.clauses}
    seen = 0
    for number in range(60):
        if sitting.over:
            break
        view = sitting.view(sitting.seat)
        if number % 7 == 3 and len(sitting.legal()) > 1:
            told = view.fields()
            advice = advise(sitting.game, view, seed=number, trials=300)
            assert advice == advise(sitting.game, view, seed=number, trials=300)
            assert view.fields() == told
            assert {hint.step for hint in advice.hints} <= set(sitting.legal())
            assert all(0.0 <= hint.hope <= 1.0 for hint in advice.hints)
            assert advice.reason.startswith(advice.hints[0].name[0].upper()) and advice.reason.endswith(".")
            assert advice.clause in clauses
            seen += 1
        sitting.play(view.heuristic(luck))
    assert seen > 2


def test_the_reason_to_throw_a_coin_names_those_that_complete_the_change() -> None:
    for seed in range(40):
        sitting = Sitting("sovereign", 5, seed=seed)
        advice = advise(sitting.game, sitting.view(sitting.seat), trials=200)
        if "would complete the change" in advice.reason:
            assert advice.hints[0].name.startswith("throw ") and advice.clause == "SOV-4"
            return
    raise AssertionError("no hand was one coin short of change")


def test_the_coin_thrown_out_completes_nothing() -> None:
    game = parlour.game("sovereign")
    # 120 + 60 + 30 + 12 are left: with the other shilling a sixpence would do, but that one is thrown out
    said = outs({"HS": 1, "CR": 1, "HC": 1, "SH": 2}, "SH", game)
    wanted = [game.card_names[code].lower() for code in ("HS", "CR", "HC")]
    assert said == f"without it a {' or a '.join(wanted)} would complete the change"
    assert outs({"HS": 2, "SH": 3}, "SH", game).startswith("the change stays whole")
    assert outs({"SH": 5}, "SH", game).startswith("no single coin")


def test_who_has_won_a_game_of_two_is_not_said_to_have_won_both() -> None:
    """By the rules of thumb the one ahead wins 60 sittings of 100; a hint in the second game says about that."""
    said: list[float] = []
    won = 0
    for seed in range(60):
        sitting = Sitting("masquerade", 4, seed=seed, attend=True, games=2)
        luck = Seeded(seed)
        asked = -1
        while not sitting.over:
            view = sitting.view(sitting.seat)
            ahead = view.fields()["games_won"][sitting.seat]
            if asked < 0 and ahead and len(sitting.legal()) > 1:
                asked = sitting.seat
                said.append(advise(sitting.game, view, seed=seed, trials=200).hints[0].hope)
            sitting.play(view.heuristic(luck))
        won += asked in sitting.winners()
    assert len(said) > 50 and abs(sum(said) - won) < 0.2 * len(said), (sum(said), won, len(said))


def test_where_there_is_one_step_the_hint_says_so() -> None:
    sitting = parlour.Sitting("tontine", 4, seed=1)
    advice = advise(sitting.game, sitting.view(sitting.seat))
    assert [hint.name for hint in advice.hints] == ["turn"] and "nothing else" in advice.reason
