"""The levels that people are offered: clearly apart as measured, and the tables that say so are what was measured."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import parlour
from parlour.engine.playout import value_step
from parlour.players.bots import BOTS
from parlour.players.names import check_name
from parlour.players.nets import net_of
from parlour.server.game_data import brief
from support.scripts import script

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
STRENGTH = ROOT / "docs" / "strength"
DECIDED = ["masquerade", "lost-heir", "sovereign", "heraldry"]


@pytest.fixture(autouse=True)
def _bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCH)


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((STRENGTH / f"{name}.json").read_text(encoding="utf-8"))
    return found


def dealer(game: str, players: int) -> Any:
    deals = script("deals", BENCH)
    return deals.Dealer(deals.Table(game, players))


def in_a_deal(game: str, players: int, moves: int) -> Any:
    """A dealer whose state is so many steps into a deal by the rules of thumb, or a little further, at a choice."""
    table = dealer(game, players)
    state = table.state.begin(parlour.Seeded(3))
    while state.moves < moves or len(state.legal()) < 2:
        state.play(table.plan())
    return table


# --- what is offered --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", parlour.GAMES)
def test_the_page_offers_the_levels_of_the_game(name: str) -> None:
    game = parlour.game(name)
    assert brief(game)["levels"] == list(game.levels) and set(game.levels) <= set(BOTS)
    assert "champion" not in game.levels
    assert check_name("champion") == "champion"  # old records and tables name it
    with pytest.raises(ValueError, match="the bots are random, first, thumb, novice, steady, expert, net,"):
        check_name("nobody")


def test_a_game_of_ones_own_offers_its_usual_bot_or_the_levels_it_names() -> None:
    def made(**given: Any) -> parlour.Game:
        known = parlour.game("heraldry")
        cards = [(code, code) for code in known.codes]
        return parlour.Game(
            known.sheet, known.state_type, known.view_type, cards, known.step_names, known.entries, **given
        )

    assert made().levels == ("novice", "steady", "expert")
    assert made(usual_bot="first").levels == ("first",)
    assert made(levels=["thumb", "expert"], usual_bot="thumb").levels == ("thumb", "expert")
    with pytest.raises(ValueError, match="The usual bot of Heraldry must be one of its levels, not 'steady'"):
        made(levels=["thumb", "expert"])


@pytest.mark.parametrize("name", DECIDED)
def test_each_level_is_clearly_above_the_one_below_at_two_tables(name: str) -> None:
    game = parlour.game(name)
    tables = [row for row in stored("attainable")["tables"] if row["game"] == name]
    for below, above in pairwise(game.levels):
        clear = {row["table"] for row in tables if row["above"][above]["interval"][0] > 0}
        assert len(clear) >= 2, f"{above} above {below}: {clear}"
        for row in stored("strength")["pairs"]:
            if row["game"] == name and row["bots"] == [above, below]:
                assert row["gain"]["interval"][1] > 0, row  # and at the table it is nowhere clearly behind


# --- the tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["attainable", "exploit"])
def test_a_table_of_the_page_shows_what_was_measured(name: str) -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    bench = script(name, BENCH)
    assert page.count(bench.BEGIN) == page.count(bench.END) == 1
    assert bench.with_table(page, stored(name)) == page


def test_the_tables_of_strength_show_what_was_measured(tmp_path: Path) -> None:
    levels = script("levels", BENCH)
    (tmp_path / "strength.json").write_bytes((STRENGTH / "strength.json").read_bytes())
    levels.write(tmp_path)
    for made in tmp_path.iterdir():
        assert made.read_bytes() == (STRENGTH / made.name).read_bytes(), made.name
    found = stored("strength")
    assert len(found["pairs"]) == len(levels.contests(found["run"]["scale"])), "a contest is missing"


def test_holm_asks_more_of_the_first_of_many_tables() -> None:
    levels: ModuleType = script("levels", BENCH)
    rows = [{"bots": ["a", "b"], "company": "", "chance": chance} for chance in (0.03, 0.001, 0.02, 0.04)]
    levels.mark_clear(rows)
    assert [row["clear"] for row in rows] == [False, True, False, False]
    rows = [{"bots": ["a", "b"], "company": "", "chance": chance} for chance in (0.04, 0.02)]
    levels.mark_clear(rows)
    assert [row["clear"] for row in rows] == [True, True]


# --- how it is measured -----------------------------------------------------------------------------------------------


def test_a_step_is_worth_what_the_rules_of_thumb_make_of_it() -> None:
    """In Lost Heir nothing is left to chance, so that a rollout is the deal played on by hand."""
    table = in_a_deal("lost-heir", 4, 25)
    state, before = table.state, table.state.scores()
    for step in state.legal():
        first, second = table.value(state, step, 1, 2)
        copy = state.copy()
        copy.journal = None
        copy.play(step)
        while not copy.over and copy.deals == state.deals:
            copy.play(table.views[copy.seat].see(copy).heuristic(parlour.Seeded()))
        assert first == second == [now - then for now, then in zip(copy.scores(), before, strict=True)]


def test_the_same_seed_gives_the_same_luck_and_another_gives_other() -> None:
    table = in_a_deal("masquerade", 4, 30)
    step = table.state.legal()[0]
    first = table.value(table.state, step, 1, 8)
    assert first == table.value(table.state, step, 1, 8) != table.value(table.state, step, 2, 8)
    assert first[0] != first[1]
    assert table.value(table.state, step, 1, 8, 4) != first  # not to the end of the deal


def test_only_a_legal_step_is_valued_and_an_even_number_of_times() -> None:
    table = in_a_deal("heraldry", 2, 4)
    illegal = next(step for step in range(table.game.steps) if step not in table.state.legal())
    with pytest.raises(ValueError, match="Only a legal step"):
        table.value(table.state, illegal, 1, 2)
    for rollouts in (0, 3):
        with pytest.raises(ValueError, match="must be an even number of 2 or more"):
            table.value(table.state, table.state.legal()[0], 1, rollouts)
    with pytest.raises(TypeError, match="needs a state"):
        value_step(None, 0, table.world, table.sight, 1, 2)


@pytest.mark.parametrize("pair", [("novice", "thumb"), ("steady", "random")])
def test_the_gains_of_a_deal_without_chance_are_its_score(pair: tuple[str, str]) -> None:
    """Played in both seatings, the worth of the cards cancels, and what is left are the steps."""
    levels = script("levels", BENCH)
    deals = script("deals", BENCH)
    contest = levels.Contest(deals.Table("lost-heir", 4), pair, 0, 3)
    met = levels.meet((contest, 11, range(3)))
    assert [meeting.gain for meeting in met] == pytest.approx([meeting.score for meeting in met])
    assert any(meeting.score for meeting in met)


def test_every_company_seats_every_side_in_turn() -> None:
    levels = script("levels", BENCH)
    deals = script("deals", BENCH)
    table = deals.Table("masquerade", 4)
    seatings = [levels.Contest(table, ("a", "b"), company, 1).seatings(4) for company in (0, 1, 2)]
    assert seatings[0] == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert seatings[1] == [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    assert seatings[2] == [[1 - holder for holder in seating] for seating in seatings[1]]


def test_attainable_shares_are_judged_deal_by_deal_and_reproducibly() -> None:
    attainable = script("attainable", BENCH)
    table = attainable.TABLES[8]
    attainable.WORLDS = {table.game: (8, 2)}
    attainable.OPEN = {table.game: (4, 4)}
    (deal,) = attainable.weigh((table, 1, [0]))
    assert deal == attainable.weigh((table, 1, [0]))[0]
    assert deal.choices > 10 and deal.most_fair >= deal.fair and deal.most_oracle >= deal.most_fair > 0
    assert set(deal.levels) == {"novice", "steady", "expert", "net"}
    row = attainable.row_of(table, [deal, attainable.weigh((table, 1, [1]))[0]], "1")
    assert row["choices"] > deal.choices and set(row["above"]) == {"steady", "expert"}


def test_an_exploiter_begins_at_the_net_and_learns_from_a_bot() -> None:
    exploit = script("exploit", BENCH)
    table = exploit.TABLES[0]
    game = parlour.game(table.game)
    learner = exploit.beside_thumb(table, 0, 1)
    net = net_of(game, table.players, game.options_for(table.players))
    start = exploit.Exploiter(learner.rounded())
    sitting = parlour.Sitting(table.game, players=table.players, seed=4)
    luck = parlour.Seeded()
    for _ in range(40):
        view = sitting.view(sitting.seat)
        assert start.net.worths(view, luck) == net.worths(view, luck)
        sitting.play(net.choose(view, luck))
    exploit.train_net.PLACES = 64
    exploit.Apprentice(table, "novice", learner, 1).update(1.0)
    assert exploit.Exploiter(learner.rounded()).net.worths(view, luck) != net.worths(view, luck)
