"""The sheets as data: complete, consistent, and with refusals in whole sentences."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from parlour.games import GAMES, sheet
from parlour.games import game as game_of
from parlour.players.bots import LEVELS
from parlour.sheets.edition import edition_of
from parlour.sheets.model import SKILLS, Option, OptionError, Setting, Sheet, SheetError, read_sheet
from parlour.sheets.rulebook import as_data, clause_text, in_words, parted, readings_in_short, readings_lines
from support.scripts import script

ROOT = Path(__file__).resolve().parents[2]


def numbered(prefix: str, last: int, *extra: str) -> tuple[str, ...]:
    ids = [f"{prefix}-{number}" for number in range(1, last + 1)]
    for more in extra:
        ids.insert(ids.index(f"{prefix}-{more[:-1]}") + 1, f"{prefix}-{more}")
    return tuple(ids)


CLAUSES = {
    "masquerade": numbered("MASQ", 20),
    "lost-heir": numbered("HEIR", 19, "8a", "9a"),
    "sovereign": numbered("SOV", 13, "4a", "5a"),
    "heraldry": numbered("HER", 16),
    "tontine": numbered("TON", 14),
}

# The defaults at each game's usual number of players, in the order a record writes them.
DEFAULTS: dict[str, dict[str, Setting]] = {
    "masquerade": {
        "games": 1,
        "following": "climb",
        "last": "card",
        "exchange": "blind",
        "number_one": "always",
        "first_lead": "left",
    },
    "lost-heir": {
        "sides": "each",
        "mistakes": "prevented",
        "wrong_boy": "counts",
        "odd_cards": "void",
        "all_pass": "redeal",
        "deal_limit": 100,
        "goal": 25,
        "first": "highest",
        "bids": "free",
    },
    "sovereign": {
        "games": 15,
        "stake": 1,
        "small_coin": "sixpence",
        "thrown": "aside",
        "rounds": "auto",
        "change": "may",
        "mistakes": "prevented",
        "penalty": 1,
        "round_limit": 60,
        "ends": "games",
    },
    "heraldry": {
        "capture": "all",
        "last_deal": "share",
        "knight": 10,
        "twelfth": "none",
        "first": "highest",
        "discard": "unable",
        "deal_limit": 100,
    },
    "tontine": {"stake": 15, "settle": "in_turn"},
}

RULES = {"masquerade": 2, "lost-heir": 2, "sovereign": 2, "heraldry": 2, "tontine": 1}

PLAYERS = {
    "masquerade": (4, 8),
    "lost-heir": (2, 3, 4, 6),
    "sovereign": tuple(range(2, 12)),
    "heraldry": tuple(range(2, 7)),
    "tontine": tuple(range(4, 53)),
}

each_game = pytest.mark.parametrize("game", GAMES)


def every_option() -> list[tuple[Sheet, Option]]:
    return [(sheet(game), option) for game in GAMES for option in sheet(game).options]


@each_game
def test_all_clauses_are_there_in_order(game: str) -> None:
    clauses = sheet(game).clauses
    assert tuple(clause.id for clause in clauses) == CLAUSES[game]
    assert [clause.number for clause in clauses] == list(range(len(clauses)))


@each_game
def test_clauses_are_readable(game: str) -> None:
    for clause in sheet(game).clauses:
        assert 1 <= len(clause.title.split()) <= 5, clause.id
        assert clause.rule.endswith((".", "?")), clause.id
        for text in (clause.title, clause.rule):
            assert "`" not in text and "  " not in text and "\n" not in text, clause.id


@each_game
def test_the_head_of_a_sheet(game: str) -> None:
    head = sheet(game)
    assert head.game == game
    assert head.players == PLAYERS[game]
    assert head.usual in head.players
    assert head.rules == RULES[game]
    assert head.clause(head.players_clause)
    for text in (edition_of(head).document.maker, head.summary, head.goal, head.turn):
        assert text.endswith(".") and "`" not in text
    assert sheet(game) is head


@each_game
def test_options_and_defaults_are_in_order(game: str) -> None:
    head = sheet(game)
    assert list(head.options_for(head.usual, {}).items()) == list(DEFAULTS[game].items())
    for players in head.players:
        options = head.options_for(players, {})
        assert head.check_options(players, options) == options


@pytest.mark.parametrize(("head", "option"), every_option(), ids=lambda x: getattr(x, "name", ""))
def test_an_option_is_well_formed(head: Sheet, option: Option) -> None:
    assert head.clause(option.clause).id == option.clause
    assert option.changes.endswith(".")
    assert not (option.size and option.values)
    assert 1 <= option.since <= head.rules and all(value.since <= head.rules for value in option.values)
    if option.since > 1 and (option.values or option.before):  # a number of 0 is without it
        assert option.check(option.before, head.usual) == option.before
    for last, _ in option.earlier:
        assert option.since <= last < head.rules
        for players in head.players:
            assert option.check(option.default_for(players, last), players)
    for name, value in option.needs:
        assert name != option.name and head.option(name).check(value, head.usual) == value
    assert bool(option.values) != (option.low < option.high)
    for value in option.values:
        assert value.means.endswith(".")
        assert value.players and set(value.players) <= set(head.players)
        assert option.parse(str(value.name)) == value.name
        for players in value.players:
            assert option.check(value.name, players) == value.name
    if not option.values:
        for number in (option.low, option.high):
            assert option.check(option.parse(str(number)), head.usual) == number


@each_game
def test_every_named_value_is_explained_in_a_reading(game: str) -> None:
    head = sheet(game)
    text = " ".join(f"{note.reading} {note.supplied}" for note in edition_of(head).clauses.values())
    for option in head.options:
        # sides and rounds are explained in words, and the default coin is the reading itself
        if option.name not in ("sides", "rounds", "small_coin"):
            for value in option.values:
                assert f"{option.name}: {value.name}" in text


def test_sovereign_plays_three_times_as_many_games_as_players() -> None:
    assert sheet("sovereign").options_for(7, {})["games"] == 21
    assert sheet("sovereign").options_for(7, {}, 1)["games"] == 7
    assert sheet("sovereign").options_for(7, {"games": 2})["games"] == 2


def test_given_options_keep_the_order_of_the_sheet() -> None:
    options = sheet("heraldry").options_for(3, {"twelfth": "last_trick", "capture": "choice"})
    assert list(options) == ["capture", "last_deal", "knight", "twelfth", "first", "discard", "deal_limit"]
    assert options["twelfth"] == "last_trick"


@pytest.mark.parametrize(
    ("game", "players", "given", "message"),
    [
        ("lost-heir", 5, {}, "Lost Heir is for 2, 3, 4 or 6 players, not 5 (HEIR-5)."),
        ("masquerade", 6, {}, "The Masquerade Game is for 4 or 8 players, not 6 (MASQ-3)."),
        ("sovereign", 12, {}, "Change for a Sovereign is for 2 to 11 players, not 12 (SOV-3)."),
        ("heraldry", True, {}, "Heraldry is for 2 to 6 players, not True (HER-3)."),
        ("tontine", 3, {}, "Tontine is for 4 to 52 players, not 3 (TON-7)."),
        ("lost-heir", 3, {"sides": "two"}, "sides: two is for 4 or 6 players, not 3 (HEIR-18)."),
        ("lost-heir", 4, {"sides": "three"}, "sides: three is for 6 players, not 4 (HEIR-18)."),
        (
            "lost-heir",
            4,
            {"sides": "four"},
            "sides must be each, two or three, not 'four' (HEIR-18).",
        ),
        ("sovereign", 4, {"rounds": "2"}, "rounds must be auto, 1, 2 or 3, not '2' (SOV-6)."),
        ("sovereign", 4, {"rounds": True}, "rounds must be auto, 1, 2 or 3, not True (SOV-6)."),
        ("sovereign", 4, {"rounds": 1.0}, "rounds must be auto, 1, 2 or 3, not 1.0 (SOV-6)."),
        (
            "sovereign",
            4,
            {"games": "players"},
            "games must be a whole number from 1 to 1000, not 'players' (SOV-13).",
        ),
        ("tontine", 4, {"stake": 3}, "stake must be a whole number from 4 to 1000, not 3 (TON-2)."),
        (
            "tontine",
            4,
            {"stake": "15"},
            "stake must be a whole number from 4 to 1000, not '15' (TON-2).",
        ),
        (
            "heraldry",
            4,
            {"knight": True},
            "knight must be a whole number from 1 to 10, not True (HER-11).",
        ),
        (
            "heraldry",
            4,
            {"knight": 11},
            "knight must be a whole number from 1 to 10, not 11 (HER-11).",
        ),
        (
            "tontine",
            4,
            {"speed": 1},
            "Tontine has no option 'speed'; its options are stake (TON-2) and settle (TON-13).",
        ),
    ],
)
def test_a_wrong_option_or_number_of_players_is_refused(
    game: str, players: int, given: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as refused:
        sheet(game).options_for(players, given)
    assert str(refused.value) == message
    assert isinstance(refused.value, ValueError)


def test_a_record_must_give_every_option() -> None:
    tontine = sheet("tontine")
    assert tontine.check_options(4, {"settle": "together", "stake": 4}) == {
        "stake": 4,
        "settle": "together",
    }
    with pytest.raises(OptionError, match=r"^Tontine also needs a value for stake \(TON-2\)\.$"):
        tontine.check_options(4, {"settle": "together"})
    with pytest.raises(OptionError, match="Tontine has no option 'speed'"):
        tontine.check_options(4, {"settle": "together", "stake": 4, "speed": 1})


def test_text_becomes_a_number_where_the_option_is_one() -> None:
    rounds, stake = sheet("sovereign").option("rounds"), sheet("tontine").option("stake")
    assert [rounds.parse(text) for text in ("auto", "2", "4")] == ["auto", 2, "4"]
    assert [stake.parse(text) for text in ("20", "-1", "many")] == [20, -1, "many"]


def test_a_clause_is_found_by_id_or_number() -> None:
    heir = sheet("lost-heir")
    for id in ("HEIR-8a", "heir-8A", "8a", "8A", " 8a "):
        assert heir.clause(id).id == "HEIR-8a"
    assert heir.clause("16").title == "A bid not made"
    for id in ("20", "MASQ-1", "", "HEIR", "-1"):
        with pytest.raises(SheetError, match="its clauses are HEIR-1 to HEIR-19, or 1 to 19 for short"):
            heir.clause(id)


def test_a_retired_clause_leads_to_the_one_that_has_its_matter(tmp_path: Path) -> None:
    text = SMALL.replace("cards = 12", 'cards = 12\n\n[retired]\n"SML-2" = "SML-1"\n"SML-2a" = "SML-1"')
    (tmp_path / "sheet.toml").write_text(text, encoding="utf-8")
    small = read_sheet(str(tmp_path / "rules.py"))
    assert {small.clause(id).id for id in ("SML-2", "sml-2A", "2a", "1")} == {"SML-1"}
    assert as_data(small)["retired"] == {"SML-2": "SML-1", "SML-2a": "SML-1"}
    with pytest.raises(SheetError):
        small.clause("3")


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(SheetError) as refused:
        sheet("whist")
    assert str(refused.value) == (
        "There is no game called 'whist'; the games are masquerade, lost-heir, sovereign, heraldry, tontine."
    )


def test_a_sheet_is_immutable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        sheet("tontine").cards = 51  # type: ignore[misc]


SMALL = """\
game = "small"
title = "A Small Game"
maker = "Nobody."
summary = "Small."
goal = "Win."
turn = "Play."
rules = 1
players = [3]
usual = 3
cards = 12

[[clause]]
id = "SML-1"
title = "The pack"
rule = "Twelve cards."
state = "clear"
reading = ""
from = "A test"
"""


def test_a_sheet_is_read_from_the_folder_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text(SMALL, encoding="utf-8")
    small = read_sheet(str(tmp_path / "rules.py"))
    assert small.options_for(3, {}) == {} and small.printed.author == ""
    with pytest.raises(OptionError, match=r"^A Small Game is for 3 players, not 4\.$"):
        small.check_players(4)
    with pytest.raises(OptionError, match=r"^A Small Game has no option 'speed'; it has none\.$"):
        small.option("speed")


# --- rules versions ---------------------------------------------------------------------------------------------------

LATER = (
    SMALL.replace("rules = 1", "rules = 3")
    + """
[[option]]
name = "games"
clause = "SML-1"
default = "3 players"
earlier = { 1 = "players" }
changes = "How many games are played."
min = 1
max = 100

[[option]]
name = "suit"
clause = "SML-1"
default = "red"
changes = "What suit counts."
  [[option.value]]
  name = "red"
  means = "Red."
  [[option.value]]
  name = "blue"
  means = "Blue."
  since = 3

[[option]]
name = "limit"
clause = "SML-1"
since = 2
before = 7
default = 5
changes = "How long it lasts."
min = 1
max = 9
"""
)


@pytest.fixture
def later(tmp_path: Path) -> Sheet:
    (tmp_path / "sheet.toml").write_text(LATER, encoding="utf-8")
    return read_sheet(str(tmp_path / "rules.py"))


def test_whoever_plays_has_every_option_and_an_earlier_version_its_own_defaults(later: Sheet) -> None:
    assert later.options_for(3, {}) == {"games": 9, "suit": "red", "limit": 5}
    assert later.options_for(3, {}, 2) == {"games": 9, "suit": "red", "limit": 5}
    assert later.options_for(3, {}, 1) == {"games": 3, "suit": "red", "limit": 7}
    assert later.check_options(3, {"games": 1, "suit": "red"}, 1) == {"games": 1, "suit": "red", "limit": 7}
    assert later.option("games").usual == "3 times as many as players"


def test_what_is_stored_of_an_earlier_version_is_without_later_options(later: Sheet) -> None:
    options = later.options_for(3, {}, 1)
    assert later.recorded(options, 1) == {"games": 3, "suit": "red"}
    assert later.recorded(options, 2) == options


@pytest.mark.parametrize(
    ("rules", "given", "message"),
    [
        (1, {"limit": 7}, "limit came with rules version 2, and this is version 1 (SML-1)."),
        (2, {"suit": "blue"}, "suit: blue came with rules version 3, and this is version 2 (SML-1)."),
        (2, {"suit": "green"}, "suit must be red or blue, not 'green' (SML-1)."),
        (0, {}, "A Small Game has rules versions 1 to 3, not 0."),
        (4, {}, "A Small Game has rules versions 1 to 3, not 4."),
        (True, {}, "A Small Game has rules versions 1 to 3, not True."),
    ],
)
def test_what_came_later_is_refused_in_an_earlier_version(
    later: Sheet, rules: int, given: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as refused:
        later.options_for(3, given, rules)
    assert str(refused.value) == message


def test_a_record_must_give_the_options_of_its_version(later: Sheet) -> None:
    with pytest.raises(OptionError, match=r"^A Small Game also needs a value for limit \(SML-1\)\.$"):
        later.check_options(3, {"games": 1, "suit": "red"}, 2)
    assert later.check_options(3, {"games": 1, "suit": "blue", "limit": 2}, 3)["suit"] == "blue"


def test_the_rule_book_says_what_is_new(later: Sheet) -> None:
    text = clause_text(later, "1")
    assert "games [games=1 to 100, usually 3 times as many as players]: How many games are played." in text
    assert "blue [suit=blue] (since rules version 3): Blue." in text
    assert "New in rules version 2; what was played before goes on with 7." in text
    assert "New in rules version 2; what was played before goes on without it." in clause_text(sheet("heraldry"), "16")


# --- for people -------------------------------------------------------------------------------------------------------


@each_game
def test_every_option_and_value_has_a_label_for_people(game: str) -> None:
    for option in sheet(game).options:
        for label in (option.label, *(value.label for value in option.values)):
            assert label and label[0] == label[0].upper() and label[-1] != "." and "_" not in label, option.name
        assert len({value.label for value in option.values}) == len(option.values)
        assert option.values or not option.offered


@each_game
def test_texts_of_the_edition_name_options_so_that_people_are_told_labels(game: str) -> None:
    head, edition = sheet(game), edition_of(sheet(game))
    texts = [text for note in edition.clauses.values() for text in (note.reading, note.supplied)]
    texts += [item.says for note in edition.clauses.values() for item in note.evidence]
    for text in (*texts, *edition.teaching.ideas):
        told = in_words(head, text, lambda label, name: label)
        assert not re.search(r"_|\w=\w", told), told
        for value in (value for option in head.options for value in option.values):
            # no value is named without its option, by which people would be told its label
            assert not re.search(rf"\b(under|for|with) {value.name}\b(?! [a-z])", told), (value.name, told)


@each_game
def test_readings_stand_apart_from_length_and_stakes(game: str) -> None:
    head = sheet(game)
    usual = head.options_for(head.usual, {})
    lines = readings_lines(head, usual)
    size = {option.name for title, options in parted(head) if title == "Length and stakes" for option in options}
    at = lines.index("Length and stakes:")
    assert all(any(f"[{name}=" in line for line in lines[at:]) for name in size)
    assert {"games", "goal", "stake", "deal_limit", "round_limit"} & {o.name for o in head.options} == size
    assert not any("[penalty=" in line for line in lines)
    assert "in the usual way" in readings_in_short(head, usual, head.usual)


def test_what_changes_nothing_is_not_told_and_what_differs_is() -> None:
    head = sheet("sovereign")
    options = head.options_for(5, {"mistakes": "penalised", "penalty": 3})
    assert any("Price of a mistake, in counters: 3 [penalty=3]" in line for line in readings_lines(head, options))
    assert readings_in_short(head, options, 5) == (
        "Not as usual here: Mistakes: Can be made, at a price; Price of a mistake, in counters: 3."
    )


@each_game
def test_the_length_of_a_game_is_the_one_that_was_measured(game: str) -> None:
    minutes = script("minutes", ROOT / "bench")
    _, middle, _ = minutes.usual_minutes(game_of(game), 60)
    assert sheet(game).minutes == minutes.rounded(middle), f"{middle:.1f} minutes"


@each_game
def test_how_much_skill_decides_is_what_the_tournaments_say(game: str) -> None:
    found = json.loads((ROOT / "docs" / "strength" / "options.json").read_text(encoding="utf-8"))
    shares = [
        pair["share"]["mean"]
        for pair in found["pairs"]
        if pair["game"] == game and pair["bots"] == ["expert", "thumb"] and not pair["options"]
        if pair["players"] == sheet(game).usual
    ]
    if game_of(game).usual_bot not in LEVELS:
        assert shares == [] and sheet(game).skill == "pure luck"
        return
    (share,) = shares
    words = "mostly skill" if share >= 0.8 else "skill and luck" if share >= 0.6 else "mostly luck"
    assert sheet(game).skill == words and words in SKILLS, f"the expert wins {share:.0%}"
