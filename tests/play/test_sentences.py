"""Sentences and tables in words: those of each game, and the plain ones of a game that has none of its own."""

from __future__ import annotations

import copy
import random
import re

import pytest

import parlour
from parlour import Game, Sitting
from parlour.engine.game import TOLD, Entry
from parlour.engine.words import plain_templates, third_person, words_of
from parlour.play.choices import Choices
from parlour.play.sentences import Teller, names_of, side_names
from parlour.play.terminal import Terminal

each_game = pytest.mark.parametrize("game", parlour.REGISTRY.values(), ids=parlour.GAMES)


def played(game: Game, seed: int = 3) -> Sitting:
    """A whole sitting at random."""
    sitting = Sitting(game, seed=seed)
    luck = random.Random(seed)
    while not sitting.over:
        sitting.play(luck.choice(sitting.legal()))
    return sitting


def without_words(game: Game) -> Game:
    """The same game without its folder."""
    plain = copy.copy(game)
    plain.package = ""
    return plain


def sentences(game: Game, sitting: Sitting, you: int = 0, codes: bool = True) -> list[str]:
    names = names_of(game, sitting.players, you)
    teller = Teller(game, names, you, len(sitting.scores()), codes)
    return [teller.say(entry) for entry in sitting.told[you]]


@each_game
def test_every_kind_of_entry_has_a_template_and_every_template_a_kind(game: Game) -> None:
    keys = {key.split()[0].removesuffix("?") for key in words_of(game).TEMPLATES}
    assert keys == set(game.kinds)


@each_game
def test_every_step_has_a_meaning(game: Game) -> None:
    assert set(words_of(game).STEP_MEANINGS) == {name.split()[0] for name in game.step_names}


@each_game
def test_the_cast_is_large_enough_and_nobody_is_in_it_twice(game: Game) -> None:
    cast = words_of(game).CAST
    assert len(set(cast)) == len(cast) >= max(game.sheet.players) - 1


@each_game
@pytest.mark.parametrize("own", [True, False], ids=["own words", "plain words"])
def test_every_entry_is_said_in_a_whole_sentence(game: Game, own: bool) -> None:
    sitting = played(game)
    for you in (0, sitting.players - 1):
        said = [text for text in sentences(game if own else without_words(game), sitting, you) if text]
        assert said and all(text[0].isupper() and text.endswith(".") for text in said)
        assert not [text for text in said if set("{}|") & set(text) or "None" in text or "nothing" in text.split()[:1]]


@each_game
def test_without_codes_a_sentence_names_cards_only_by_name(game: Game) -> None:
    sitting = played(game)
    with_codes, without = sentences(game, sitting), sentences(game, sitting, codes=False)
    assert any("[" in text for text in with_codes) and not any("[" in text for text in without)
    for code in game.codes:
        with_codes = [text.replace(f" [{code}]", "") for text in with_codes]
    assert with_codes == without


def test_plain_sentences_follow_from_the_kind_and_the_fields() -> None:
    fields = {"play": "seat card clause", "draw": "seat! seat! card?", "void": "card clause", "pay": "seat counters"}
    fields |= {"redeal": "clause", "pass": "seat", "hand": "seat cards"}
    entries = [Entry(kind, TOLD, text) for kind, text in fields.items()]
    types = {each.kind: [type_ for type_, _ in each.parsed()] for each in entries}
    templates = plain_templates({each.kind: list(zip(each.names(), types[each.kind], strict=True)) for each in entries})
    assert templates["play"] == "{seat} play|plays {card}."
    assert templates["draw"] == "{seat} draw|draws {card} with {other:seat}."
    assert templates["draw?"] == "{seat} draw|draws a card with {other:seat}."
    assert templates["void"] == "Void: {card}."
    assert templates["pay"] == "{seat} pay|pays {counters|# counter|# counters}."
    assert templates["redeal"] == "Redeal."
    assert templates["pass"] == "{seat} pass|passes."
    assert templates["hand?"] == ""


def test_the_third_person_is_spelled_right() -> None:
    verbs = {"play": "plays", "pass": "passes", "carry": "carries", "go": "goes", "catch": "catches", "give": "gives"}
    assert {verb: third_person(verb) for verb in verbs} == verbs


def test_a_game_without_words_has_numbered_players() -> None:
    assert names_of(without_words(parlour.game("heraldry")), 3, 1) == ["Player 1", "you", "Player 2"]


def test_sides_are_called_by_their_players() -> None:
    names = ["you", "Ann", "Ben", "Cy"]
    assert side_names(names, 2) == ["you and Ben", "Ann and Cy"]
    assert side_names(names, 4) == names


@each_game
def test_a_plain_table_shows_every_player_and_the_hand(game: Game, tmp_path: object) -> None:
    sitting = Sitting(game, seed=3)
    terminal = Terminal(sitting, 0, tmp_path / "save")  # type: ignore[operator]
    fields = sitting.view(0).fields()
    lines = words_of(without_words(game)).table_lines(terminal, fields)
    assert [line.split("  ")[1] for line in lines[: sitting.players]] == terminal.names
    for code in fields.get("hand", fields.get("coins", ())):
        assert any(code in line.split() for line in lines)


# --- what a sentence takes from the entries before it -----------------------------------------------------------------


def told_last(told: list[list[object]], you: int = 0, sides: int = 0) -> str:
    """The last of these entries of Lost Heir as a sentence."""
    teller = Teller(parlour.game("lost-heir"), ["Ann", "Ben", "Cy", "Di"], you, sides, codes=False)
    teller.names[you] = "you"
    teller.sides = side_names(teller.names, sides) if sides else teller.names
    return teller.say_at(told, len(told) - 1)


BIDDING = [["deal", None], ["bid", 1, 7], ["bid", 2, 0], ["bid", 3, 4], ["bid", 0, 0], ["trump", 1, "N", "HEIR-8"]]
LED = [["play", 1, "N11", "HEIR-9"], ["play", 2, "LH", "HEIR-10"], ["take", 2, "HEIR-3"]]
FINE = ["score", 0, -3, "HEIR-15"]


def test_heir_15_a_fine_says_which_suit_was_due() -> None:
    trick = [["play", 2, "P4", "HEIR-9a"], ["play", 3, "N2", "HEIR-10"], ["play", 0, "B1", "HEIR-10"], FINE]
    assert told_last([*BIDDING, *LED, *trick]) == "Fined 3: you could have followed with Philadelphia."
    assert told_last([*BIDDING, *LED, *trick], you=1) == "Fined 3: Ann could have followed with Philadelphia."


def test_heir_15_after_an_odd_lead_the_first_suited_card_says_what_was_due() -> None:
    trick = [["play", 2, "WB", "HEIR-9a"], ["play", 3, "C2", "HEIR-10"], ["play", 0, "N1", "HEIR-10"], FINE]
    assert told_last([*BIDDING, *LED, *trick]) == "Fined 3: you could have followed with Chicago."


def test_heir_9_a_fine_for_the_first_lead_says_which_trump_was_due() -> None:
    lead = [["play", 1, "B1", "HEIR-9"], ["score", 1, -3, "HEIR-15"]]
    assert told_last([*BIDDING, *lead], you=1) == "Fined 3: you could have led a trump, New York."


def test_heir_15_of_partners_the_one_who_played_the_card_is_named() -> None:
    trick = [["play", 3, "P4", "HEIR-9a"], ["play", 2, "B1", "HEIR-10"], ["score", 0, -3, "HEIR-15"]]
    assert told_last([*BIDDING, *LED, *trick], sides=2) == "Fined 3: Cy could have followed with Philadelphia."


def test_heir_16_a_failed_bid_says_what_was_bid_and_made() -> None:
    failed = ["fail", 1, -2, "HEIR-16"]
    assert told_last([*BIDDING, *LED, failed], 1) == "You bid 7 and made −2: you score 0 for this deal."
    assert told_last([*BIDDING, *LED, failed]) == "Ben bid 7 and made −2: Ben scores 0 for this deal."
    fined = [["play", 1, "B1", "HEIR-10"], ["score", 1, -3, "HEIR-15"], ["fail", 1, 8, "HEIR-16"]]
    said = told_last([*BIDDING, *LED, *fined], 1)
    assert said == "You bid 7 and made 5 with fines: you score 0 for this deal, and −3 in fines."


def test_heir_2_a_city_card_is_said_to_have_no_suit() -> None:
    lead = ["play", 1, "PH", "HEIR-9a"]
    assert told_last([*BIDDING, lead], you=1) == "You play the City card of Philadelphia, which has no suit."


def test_sov_7_what_becomes_of_a_sovereign_pool_that_nobody_takes_is_said() -> None:
    teller = Teller(parlour.game("sovereign"), ["you", "Ben"], 0, 2, codes=False)
    general, sovereign = ["pool", 1, 4, "general", "SOV-7"], ["pool", 1, 3, "sovereign", "SOV-7"]
    change = ["change", 1, ["HS", "HS"], "SOV-4"]
    assert teller.say_at([change, general, sovereign], 1) == "Ben takes the general pool: 4 counters."
    assert teller.say_at([change, general, ["deal", None]], 1) == (
        "Ben takes the general pool: 4 counters. The sovereign pool stays for the next game."
    )
    assert teller.say_at([change, general], 1) == (
        "Ben takes the general pool: 4 counters. The stakes in the sovereign pool go back."
    )


def test_heir_15_every_fine_of_a_sitting_names_a_suit() -> None:
    game = parlour.game("lost-heir")
    sitting = Sitting(game, seed=3, mistakes="penalised", deal_limit=4)
    luck = random.Random(3)
    while not sitting.over:
        sitting.play(luck.choice(sitting.legal()))
    teller = Teller(game, names_of(game, 4, 0), 0, 4, codes=False)
    told = sitting.told[0]
    fines = [teller.say_at(told, at) for at, entry in enumerate(told) if entry[-1] == "HEIR-15"]
    assert len(fines) > 10 and all(re.search(r"^Fined 3: .* (with|trump,) \w+( York)?\.$", said) for said in fines)
    failed = [teller.say_at(told, at) for at, entry in enumerate(told) if entry[0] == "fail"]
    assert failed and all(" bid " in said and " made " in said for said in failed)


def test_cards_with_two_names_are_kept_apart_by_semicolons() -> None:
    teller = Teller(parlour.game("masquerade"), ["you", "Ann"], 0, codes=False)
    two = "You hold Harlequin, Masquerader No. 1 and Cat, Ridotto No. 7."
    assert teller.say(["hand", 0, ["M1", "R7"]]) == two
    three = "You hold Harlequin, Masquerader No. 1; Cat, Ridotto No. 7; and Spy, Intrigue No. 5."
    assert teller.say(["hand", 0, ["M1", "R7", "I5"]]) == three


def test_a_card_is_called_as_the_options_name_it() -> None:
    game = parlour.game("heraldry")
    for knight, name in ((10, "7 of the Cross"), (7, "Knight of the Cross, 7")):
        teller = Teller(game, ["you", "Ann"], 0, codes=False, options=game.options_for(2, {"knight": knight}))
        assert teller.say(["discard", 1, "X7"]) == f"Ann lays {name} on the table."


def test_points_and_totals_are_said_shortly() -> None:
    masquerade = Teller(parlour.game("masquerade"), ["you", "Ann"], 0)
    assert masquerade.say(["score", 0, 4, "MASQ-13"]) == "You drew back your own card: 4 points."
    assert masquerade.say(["score", 1, 4, "MASQ-13"]) == "Ann drew back their own card: 4 points."
    heraldry = Teller(parlour.game("heraldry"), ["you", "Ann", "Ben"], 0)
    assert heraldry.say(["total", [1, 3, 0]]) == "Score: you 1, Ann 3, Ben 0."


# --- what a person types ----------------------------------------------------------------------------------------------


def test_where_steps_end_in_numbers_a_number_is_such_a_step() -> None:
    sitting = Sitting("lost-heir", seed=3)
    choices = Choices(sitting)
    assert choices.are_numbers() and choices.in_a_row().startswith("bid 1, 2, 3")
    assert choices.in_a_row().endswith("; or pass")
    assert choices.find("5") == sitting.game.step_names.index("bid 5")
    assert choices.find("99") is None


def test_elsewhere_a_number_is_a_place_in_the_list() -> None:
    sitting = Sitting("masquerade", seed=3)
    choices = Choices(sitting)
    assert not choices.are_numbers()
    assert choices.find("2") == sitting.legal()[1]
    assert choices.find(sitting.names()[1].split()[-1].lower()) == sitting.legal()[1]
    assert choices.find("0") is None and choices.find("") is None
    assert choices.in_columns(100)[0].startswith(f"  1  {sitting.names()[0]} – ")


def test_the_verbs_are_those_of_the_game() -> None:
    assert Choices(Sitting("lost-heir", seed=1)).verbs == {"bid", "trump", "play"}
    assert Choices(Sitting("tontine", seed=1)).verbs == set()
