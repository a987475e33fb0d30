"""What scores, as every table says it, held against the rules: sittings are played, and what they score is compared."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

import parlour
from parlour import Game, Sitting
from parlour.play.terminal import Terminal
from parlour.server.protocols import PROTOCOLS
from parlour.server.table import Table
from parlour.sheets.model import Scored
from parlour.sheets.rulebook import rule_book

each_game = pytest.mark.parametrize("game", parlour.REGISTRY.values(), ids=parlour.GAMES)
# players and options under which everything that can be scored is scored sooner or later
PLAYED: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "masquerade": [
        (4, {}),
        (8, {"following": "suit", "exchange": "courtesy"}),
        (4, {"number_one": "last", "first_lead": "dealer"}),
    ],
    "lost-heir": [
        (4, {}),
        (4, {"wrong_boy": "less", "mistakes": "penalised", "deal_limit": 12}),
        (6, {"sides": "three", "mistakes": "penalised", "deal_limit": 12}),
    ],
    "sovereign": [(4, {"stake": 3}), (3, {"mistakes": "penalised", "penalty": 2})],
    "heraldry": [
        (4, {}),
        (2, {"twelfth": "last_trick", "knight": 4}),
        (3, {"twelfth": "sweep", "discard": "free", "first": "order"}),
    ],
    "tontine": [(6, {}), (5, {"settle": "together"})],
}
ANY = ("pool", "box")  # as much as is in it
SITTINGS = 8


def played(game: Game, players: int, options: dict[str, Any], seed: int) -> Sitting:
    """A whole sitting at random."""
    sitting = Sitting(game, players, seed=seed, listeners=(0,), **options)
    luck = random.Random(seed)
    while not sitting.over:
        sitting.play(luck.choice(sitting.legal()))
    return sitting


def scored(game: Game, sitting: Sitting) -> Iterator[tuple[str, int]]:
    """Every score of a sitting: its clause and how much it was; what a player pays is negative."""
    for entry in sitting.told[0]:
        types = [field.type for field in game.told_fields[game.kinds[entry[0]]]]
        amounts = [value for type_, value in zip(types, entry[1:], strict=True) if type_ in ("points", "counters")]
        if amounts and entry[0] != "fail":
            pays = entry[0] == "penalty" or (entry[0] == "pay" and entry[1] != "box")
            yield game.clause_of(entry), -amounts[0] if pays else amounts[0]


def covers(row: Scored, clause: str, amount: int, partly: bool) -> bool:
    """Whether a row says that this is scored; where a purse is short, `partly` less than it says is paid."""
    if row.clause != clause:
        return False
    if row.points in ANY:
        return amount > 0
    if row.points.endswith(" each"):
        return amount % int(row.points.split()[0]) == 0
    number = int(row.points.replace("−", "-"))
    return amount == number or (partly and 0 < amount / number < 1 if number else False)


@each_game
def test_all_that_is_scored_is_said_and_all_that_is_said_is_scored(game: Game) -> None:
    for players, given in PLAYED[game.name]:
        options = game.options_for(players, given)
        rows = game.sheet.what_scores(options)
        found: set[tuple[str, int]] = set()
        for seed in range(SITTINGS):
            found |= set(scored(game, played(game, players, given, seed)))
        partly = game.name == "tontine"  # TON-12: a player pays what they have
        unsaid = [each for each in sorted(found) if not any(covers(row, *each, partly) for row in rows)]
        assert unsaid == [], f"{given}: scored, but not said"
        unscored = [
            row
            for row in rows
            if row.points != "0" and row.clause != "SOV-2" and not any(covers(row, *each, False) for each in found)
        ]
        assert unscored == [], f"{given}: said, but never scored"


@each_game
def test_what_scores_cites_clauses_and_depends_on_options_that_there_are(game: Game) -> None:
    assert game.sheet.scores and game.sheet.ends
    for row in game.sheet.scores:
        assert game.sheet.clause(row.clause).id == row.clause
        for name, values in row.when:
            allowed = [value.name for value in game.sheet.option(name).values]
            assert set(values) <= set(allowed)
    for row in game.sheet.what_scores(game.options_for(game.sheet.usual)):
        assert not set("{}") & set(row.points + row.what) and not row.what.endswith(".")


@each_game
def test_the_goal_of_the_rules_is_the_goal_of_the_summary(game: Game) -> None:
    goal = game.new().goal
    assert goal == 0 or all(re.search(rf"\b{goal}\b", said) for said in (game.sheet.goal, game.sheet.ends))


def test_fines_are_listed_only_where_mistakes_are_fined() -> None:
    sheet = parlour.game("lost-heir").sheet
    fined = {mistakes: sheet.options_for(4, {"mistakes": mistakes}) for mistakes in ("prevented", "penalised")}
    listed = {mistakes: [row.clause for row in sheet.what_scores(options)] for mistakes, options in fined.items()}
    assert "HEIR-15" not in listed["prevented"] and "HEIR-15" in listed["penalised"]


@pytest.mark.parametrize("wrong_boy", ["counts", "less"])
def test_the_wrong_boys_trick_counts_its_1_only_where_the_row_says_so(wrong_boy: str) -> None:
    game = parlour.game("lost-heir")
    rows = game.sheet.what_scores(game.options_for(4, {"wrong_boy": wrong_boy}))
    (row,) = [row for row in rows if row.clause == "HEIR-14"]
    tricks: list[list[str]] = []
    for entry in played(game, 4, {"wrong_boy": wrong_boy, "deal_limit": 6}, 1).told[0]:
        if entry[0] == "take":
            tricks.append([])
        elif entry[0] == "score" and tricks:
            tricks[-1].append(entry[3])
    wrong = [clauses for clauses in tricks if "HEIR-14" in clauses]
    assert wrong and all(("HEIR-12" in clauses) == ("beside the 1" in row.what) for clauses in wrong)


def test_sov_2_the_stakes_are_as_listed() -> None:
    game = parlour.game("sovereign")
    sitting = Sitting(game, 4, seed=1, stake=5)
    rows = [row for row in game.sheet.what_scores(sitting.state.options) if row.clause == "SOV-2"]
    assert [row.points for row in rows] == ["−5", "−5"]
    view = sitting.view(0).fields()
    assert view["counters"] == [-10 if seat == view["dealer"] else -5 for seat in range(4)]


@each_game
def test_the_rule_book_begins_with_a_summary(game: Game) -> None:
    summary = rule_book(game.sheet, 2000).split("THE CLAUSES")[0]
    rows = game.sheet.what_scores(game.options_for(game.sheet.usual))
    assert all(text in summary for text in (game.sheet.goal, game.sheet.turn, game.sheet.ends, *[r.what for r in rows]))


def test_the_terminal_says_what_scores_at_this_table(tmp_path: Any) -> None:
    said: list[str] = []
    sitting = Sitting("lost-heir", 4, seed=3, mistakes="penalised")
    terminal = Terminal(sitting, sitting.seat, tmp_path / "save", write=said.append)
    assert terminal.obey("scores") is False and terminal.obey("s") is False
    text = " ".join(" ".join(said).split())
    assert "−3 Each fine" in text and "25 or more" in text and "The Mayor is high" not in text
    assert "the Mayor is high" in text


@each_game
def test_a_table_sends_what_scores_under_its_options(game: Game) -> None:
    for players, given in PLAYED[game.name]:
        table = Table.open("a", bytes(32), game=game.name, players=players, options=given, invite=b"", opened="")
        told = table.described()
        rows = game.sheet.what_scores(game.options_for(players, given))
        assert told["what_scores"] == [asdict(row) for row in rows]
        assert told.get("names", {}) == game.other_names(table.settings.options)
        assert not {"what_scores", "names"} & PROTOCOLS[1].described(table).keys()


def test_the_key_of_the_cards_says_what_the_rules_do() -> None:
    """Every rank of Tontine stands in one row; its cards pay or draw by the clause of that row, as much as it says."""
    game = parlour.game("tontine")
    rows = game.sheet.what_scores(game.options_for(6))
    key = {rank: row for row in rows for rank in row.cards.split()}
    assert sorted(key) == sorted({code[:-1] for code in game.codes})
    assert sum(len(row.cards.split()) for row in rows) == 13
    seen: set[str] = set()
    for seed in range(SITTINGS):
        sitting = played(game, 6, {}, seed)
        dealer, living = -1, set(range(6))
        cards: dict[int, str] = {}
        for kind, *values in sitting.told[0]:
            if kind == "turn":
                dealer = values[0]
            elif kind == "deal":
                round_ = [seat for seat in ((dealer - 1 - at) % 6 for at in range(6)) if seat in living]
                cards = dict(zip(round_, values[0], strict=True))
            elif kind == "pay" and values[3] != "TON-14":
                seat = values[1] if values[0] == "box" else values[0]
                row = key[cards[seat][:-1]]
                paid = values[2] if values[0] == "box" else -values[2]
                assert covers(row, values[3], paid, True)
                seen |= {cards[seat][:-1]} if covers(row, values[3], paid, False) else set()
            elif kind in ("dead", "revived"):
                living ^= {values[0]}
    assert seen == set(key) - {"10"}
