"""Heraldry, clause by clause: the tests carry the numbers of its sheet."""

from __future__ import annotations

import random
from typing import Any

import pytest

import parlour
from parlour import OptionError
from support.cases import World, case, played
from support.scenes import Scene, heraldry

# Six players under `last_deal: fours` have one deal: the hands hold all of Cross and Diamond, the table all of Star and
# Crescent. Under `capture: choice` each card of Cross can take its like of Star, each Diamond its like of Crescent.
LEVEL = {5: "X1 D1 X2 D2", 4: "X3 D3 X4 D4", 3: "X5 D5 X6 D6", 2: "X7 D7 X8 D8", 1: "X9 D9 X10 D10", 0: "XC DC XJ DJ"}
LIKE = {f"{ours}{rank}": f"{theirs}{rank}" for ours, theirs in ("XS", "DC") for rank in [*range(1, 11), "C", "J"]}


def refusal(scene: Scene, step: str) -> tuple[str, str]:
    refused = scene.refused(step)
    return refused.clause, refused.sentence


def capture(scene: Scene, card: str, *taken: str) -> Scene:
    """Play a card, take these cards, and stop there if more could be taken."""
    scene.do(f"play {card}", *[f"take {code}" for code in taken])
    return scene.do("take done") if "take done" in scene.legal else scene


def captured(scene: Scene) -> tuple[int, str, set[str]]:
    """The capture just made: the seat, the card played, and the cards taken."""
    kind, seat, card, cards = scene.last()[0]
    assert kind == "capture"
    assert len(set(cards)) == len(cards)
    return seat, card, set(cards)


def one_deal(hands: dict[int, str], took: dict[str, str] | None = None, **options: Any) -> Scene:
    """A deal of six, played out: seats play their cards in order and take as `took` says, or the card of equal rank."""
    scene = heraldry(hands, "S1 C1 S2 C2", players=6, capture="choice", last_deal="fours", **options)
    return play_out(scene, hands, took)


def next_deal(scene: Scene, hands: dict[int, str], took: dict[str, str] | None = None) -> Scene:
    """Play the next such deal, where seat 0 dealt the first one: the player at the last dealer's right deals."""
    dealer = -sum(entry[0] == "deal" for entry in scene.log) % 6
    dealt = [hands[(dealer - 1 - turn) % 6].split()[card] for card in range(4) for turn in range(6)]
    scene.chance(*dealt, *[code for code in scene.game.codes if code not in dealt])
    assert scene.where("hand 0") == set(hands[0].split())
    return play_out(scene, hands, took)


def play_out(scene: Scene, hands: dict[int, str], took: dict[str, str] | None) -> Scene:
    left = {seat: text.split() for seat, text in hands.items()}
    while any(left.values()):
        card = left[scene.state.seat].pop(0)
        capture(scene, card, *(took or {}).get(card, LIKE[card]).split())
    return scene


def scored(scene: Scene, clause: str) -> list[list[Any]]:
    """The scores by a clause."""
    return [entry for entry in scene.log if entry[0] == "score" and entry[-1] == clause]


def most(counts: list[int]) -> list[int]:
    """The seat with most; none in a tie."""
    best = [seat for seat, count in enumerate(counts) if count == max(counts)]
    return best if len(best) == 1 else []


def first_deal(players: int, seed: int, **options: Any) -> tuple[Scene, list[set[str]]]:
    """A first deal by chance, played at random, and the cards that each seat won according to its log."""
    luck = random.Random(seed)
    scene = Scene("heraldry", players, **options).chance(0)
    scene.chance(*luck.sample(scene.game.codes, 48))
    won: list[set[str]] = [set() for _ in range(players)]
    while scene.log[-1][0] != "total":
        scene.do(luck.choice(sorted(scene.legal)))
    for entry in scene.log:
        if entry[0] == "capture":
            won[entry[1]] |= {entry[2], *entry[3]}
        elif entry[0] == "sweep":
            won[entry[1]] |= set(entry[2])
    return scene, won


# the pack and the deal


def test_her_1_four_suits_of_twelve() -> None:
    game = parlour.game("heraldry")
    ranks = [*map(str, range(1, 11)), "C", "J"]
    assert sorted(game.codes) == sorted(suit + rank for suit in "SCXD" for rank in ranks)
    names = [game.card_names[code] for code in ("S1", "CC", "X10", "DJ")]
    assert names == ["1 of the Star", "Crown of the Crescent", "Knight of the Cross, 10", "Jester of the Diamond"]


@pytest.mark.parametrize("number", range(1, 10))
def test_her_2_a_card_counts_by_its_number(number: int) -> None:
    scene = heraldry({1: f"X{number} DC DJ XJ", 0: "SJ CJ S10 C10"}, f"S{number} SC CC XC").do(f"play X{number}")
    assert captured(scene) == (1, f"X{number}", {f"S{number}"})


@pytest.mark.parametrize("number", range(2, 10))
def test_her_2_cards_add_up_by_their_number(number: int) -> None:
    table = {"S1", f"C{number - 1}"}
    scene = heraldry({1: f"X{number} DC DJ XJ", 0: "SJ CJ S10 C10"}, " ".join(table) + " SC CC").do(f"play X{number}")
    assert scene.legal == {f"take {code}" for code in table}
    scene.do("take S1", f"take C{number - 1}")
    assert scene.where("won 1") == {f"X{number}", *table}


@pytest.mark.parametrize("card", ["XC", "XJ"])
def test_her_2_crown_and_jester_count_ten(card: str) -> None:
    scene = heraldry({1: f"{card} C1 C2 C3", 0: "D1 D2 D3 D4"}, "S10 SC SJ S8", dealer=0)
    assert captured(scene.do(f"play {card}")) == (1, card, {"S10", "SC", "SJ"})


@pytest.mark.parametrize("card", ["XC", "XJ", "X10"])
def test_her_2_crown_and_jester_combine_as_ten(card: str) -> None:
    scene = heraldry({1: f"{card} C1 C2 C3", 0: "D1 D2 D3 D4"}, "S6 S4 S5 S9").do(f"play {card}", "take S6", "take S4")
    assert captured(scene) == (1, card, {"S4", "S6"})


@pytest.mark.parametrize("dealer", range(3))
def test_her_3_cards_are_dealt_one_at_a_time_from_the_dealers_right_then_four_to_the_table(dealer: int) -> None:
    scene = Scene("heraldry", 3)
    assert scene.awaits == "dealer"
    assert [scene.state.possible(), scene.chance(dealer).last()] == [[0, 1, 2], [["dealer", dealer]]]
    assert scene.awaits == "deal"
    pack = random.Random(3).sample(scene.game.codes, 48)
    assert scene.chance(*pack).last() == [["deal", pack]]
    for turn in range(3):
        assert scene.where(f"hand {(dealer - 1 - turn) % 3}") == set(pack[turn:12:3])
    assert scene.where("table") == set(pack[12:16])


def test_her_3_the_player_at_the_dealers_right_begins_and_the_turn_goes_to_the_right() -> None:
    hands = {0: "S1 C1 X1 D1", 1: "S2 C2 X2 D2", 2: "S3 C3 X3 D3", 3: "S4 C4 X4 D4"}
    scene = heraldry(hands, "S10 C10 X10 D10", players=4, dealer=2)
    seats = []
    for _ in range(5):
        seats.append(scene.state.seat)
        scene.do(min(scene.legal))
        while scene.state.unfinished:
            scene.do(min(scene.legal))
    assert seats == [1, 0, 3, 2, 1]


def test_her_3_the_next_deal_is_dealt_by_the_player_at_the_dealers_right() -> None:
    scene = one_deal(LEVEL, dealer=3)
    assert scene.awaits == "deal"
    pack = random.Random(3).sample(scene.game.codes, 48)
    scene.chance(*pack)
    assert scene.where("hand 1") == set(pack[0:24:6])
    assert scene.state.seat == 1


@pytest.mark.parametrize("players", [1, 7])
def test_her_3_two_to_six_players_can_play(players: int) -> None:
    with pytest.raises(OptionError, match=r"2 to 6 players, not \d \(HER-3\)"):
        Scene("heraldry", players)


# the turn


def test_her_4_a_card_wins_all_cards_of_its_value() -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S7 C7 S9 SC").do("play X7")
    assert captured(scene) == (1, "X7", {"S7", "C7"})
    assert scene.where("won 1") == {"X7", "S7", "C7"}
    assert scene.where("table") == {"S9", "SC"}
    assert scene.state.seat == 0


@pytest.mark.parametrize("picks", [["S2", "S5"], ["S5", "S2"]])
def test_her_4_a_card_wins_two_that_add_up_to_it(picks: list[str]) -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC").do("play X7")
    assert scene.legal == {"take S2", "take S5"}
    scene.do(*[f"take {code}" for code in picks])
    assert captured(scene) == (1, "X7", {"S2", "S5"})


def test_her_4_a_card_wins_more_than_two_that_add_up_to_it() -> None:
    scene = heraldry({1: "XJ C8 C9 D8", 0: "D1 D2 D3 D4"}, "S1 S2 S3 S4")
    scene.do("play XJ", "take S1", "take S2", "take S3", "take S4")
    assert captured(scene) == (1, "XJ", {"S1", "S2", "S3", "S4"})


def test_her_4_a_card_wins_in_both_ways_at_once() -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S7 S5 S2 SC").do("play X7", "take S5", "take S2")
    assert captured(scene)[2] == {"S2", "S5", "S7"}
    assert scene.where("won 1") == {"X7", "S7", "S5", "S2"}


def test_her_4_cards_not_in_hand_not_on_the_table_or_not_adding_up_are_refused() -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC")
    assert refusal(scene, "play D1") == ("HER-4", "You do not hold D1.")
    assert refusal(scene, "take S2") == ("HER-4", "Play a card from your hand first; then name what it takes.")
    scene.do("play X7")
    assert refusal(scene, "take S7") == ("HER-4", "S7 is not on the table.")
    assert refusal(scene, "take S9") == ("HER-4", "With S9 no group can add up to 7.")
    assert refusal(scene, "play C2") == ("HER-4", "X7 is being played: name what it takes, or take it back.")


def test_her_4_an_unfinished_move_can_be_taken_back() -> None:
    scene = heraldry({1: "X7 C2 C9 C3", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC").do("play X7", "take S2")
    scene.state.take_back()
    assert scene.legal == {"play X7", "play C2", "play C9"}
    assert scene.where("table") == {"S2", "S5", "S9", "SC"}
    assert scene.last()[0][0] == "deal"


def test_her_5_all_groups_are_taken_until_none_is_left() -> None:
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S1 S9 S3 S7").do("play XC", "take S1", "take S9")
    assert scene.last()[0][0] == "deal"  # not finished
    assert scene.legal == {"take S3", "take S7"}
    assert refusal(scene, "take done") == ("HER-5", "A card takes all that it can.")
    scene.do("take S7", "take S3")
    assert captured(scene)[2] == {"S1", "S3", "S7", "S9"}


@pytest.mark.parametrize(
    ("picks", "left"),
    [(["S6", "S4"], {"S3", "S1"}), (["S6", "S3", "S1"], {"S4"}), (["S1", "S3", "S6"], {"S4"})],
)
def test_her_5_all_lets_the_player_choose_when_groups_overlap(picks: list[str], left: set[str]) -> None:
    """6 + 4 takes fewer cards than 6 + 3 + 1, which is allowed."""
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1").do("play XC")
    assert scene.legal == {"take S6", "take S4", "take S3", "take S1"}
    scene.do(*[f"take {code}" for code in picks])
    assert captured(scene)[2] == set(picks)
    assert scene.where("table") == left


def test_her_5_all_allows_only_cards_that_can_complete_the_group() -> None:
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1").do("play XC", "take S3")
    assert scene.legal == {"take S6", "take S1"}
    assert refusal(scene, "take S4") == ("HER-4", "With S4 no group can add up to 10.")
    assert scene.do("take S1").legal == {"take S6"}


def test_her_5_all_equals_cannot_be_left() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2").do("play X5")
    assert scene.legal == {"take S3", "take S2"}  # the fives are taken in any case
    scene.do("take S3", "take S2")
    assert scene.where("table") == set()


def test_her_5_choice_treats_a_card_of_equal_value_as_a_group() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice").do("play X5")
    assert scene.legal == {"take S5", "take C5", "take S3", "take S2"}
    scene.do("take C5")
    assert scene.legal == {"take S5", "take S3", "take S2", "take done"}
    assert captured(scene.do("take done")) == (1, "X5", {"C5"})
    assert scene.where("table") == {"S5", "S3", "S2"}


def test_her_5_choice_allows_a_group_without_the_equals() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    scene.do("play X5", "take S3", "take S2", "take done")
    assert captured(scene) == (1, "X5", {"S2", "S3"})


def test_her_5_choice_allows_taking_all_too() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    scene.do("play X5", "take S5", "take S3", "take S2", "take C5")
    assert captured(scene)[2] == {"C5", "S2", "S3", "S5"}
    assert scene.state.seat == 0


def test_her_5_choice_asks_for_at_least_one_group_and_no_unfinished_one() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice").do("play X5")
    assert refusal(scene, "take done")[0] == "HER-5"
    scene.do("take S3")
    assert scene.legal == {"take S2"}
    assert refusal(scene, "take done") == ("HER-5", "Finish a group that adds up to 5 first.")


def test_her_5_choice_a_further_group_must_be_finished_once_begun() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    scene.do("play X5", "take S5", "take S2")
    assert scene.legal == {"take S3"}
    assert refusal(scene, "take done") == ("HER-5", "Finish a group that adds up to 5 first.")


def told(scene: Scene, entry: list[Any]) -> str | None:
    """The objection of `check` to the log with one more entry; None if only the rest of the sitting is missing."""
    record = {"parlour": 1, "game": "heraldry", "rules": 2, "players": 2, "options": scene.state.options, "result": {}}
    difference = parlour.check(record | {"log": [*scene.log, entry]})
    assert difference is not None
    return None if difference.entry == len(scene.log) + 1 else difference.sentence


def test_her_5_a_record_only_names_the_cards_taken_in_any_order() -> None:
    """1 + 9 and 3 + 7 with their cards mixed, and 6 + 3 + 1 in any order."""
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S1 S9 S3 S7")
    assert told(scene, ["capture", 1, "XC", ["S9", "S7", "S1", "S3"]]) is None
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1")
    assert told(scene, ["capture", 1, "XC", ["S3", "S1", "S6"]]) is None
    assert told(scene, ["capture", 1, "XC", ["S4", "S6"]]) is None


@pytest.mark.parametrize("cards", [["C5"], ["S2", "S3"], ["S3", "S5", "S2"], ["S2", "C5", "S3", "S5"]])
def test_her_5_choice_a_record_may_name_any_groups(cards: list[str]) -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    assert told(scene, ["capture", 1, "X5", cards]) is None


@pytest.mark.parametrize(
    ("how", "cards", "clause"),
    [
        ("all", ["S5", "C5"], "HER-5"),  # 3 + 2 is left
        ("all", ["S5", "S3", "S2"], "HER-5"),  # an equal is left
        ("choice", ["S5", "S3"], "HER-4"),  # 3 is no group
        ("choice", ["S3"], "HER-4"),
        ("choice", [], "HER-4"),
        ("choice", ["S5", "S5"], "HER-4"),  # named twice
        ("choice", ["D5"], "HER-4"),  # not on the table
    ],
)
def test_her_5_a_record_that_takes_wrongly_is_refused_with_the_clause(how: str, cards: list[str], clause: str) -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture=how)
    said = told(scene, ["capture", 1, "X5", cards])
    assert said is not None and said.endswith(f"({clause})")


def test_her_5_capture_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"all or choice, not 'some' \(HER-5\)"):
        Scene("heraldry", 2, capture="some")


@pytest.mark.parametrize("how", ["all", "choice"])
def test_her_6_a_player_who_can_take_must_with_a_card_of_their_choice(how: str) -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", capture=how)
    assert scene.legal == {"play X7", "play X9"}
    sentence = "You may lay a card down only if none of yours can take. Take with X7 or X9."
    assert refusal(scene, "play X1") == ("HER-6", sentence)


@pytest.mark.parametrize("how", ["all", "choice"])
def test_her_6_a_player_who_cannot_take_discards_one_card_to_the_table(how: str) -> None:
    scene = heraldry({1: "X1 X3 X4 X6", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", capture=how)
    assert scene.legal == {"play X1", "play X3", "play X4", "play X6"}
    assert scene.do("play X4").last() == [["discard", 1, "X4"]]
    assert scene.where("table") == {"S2", "S5", "S9", "SC", "X4"}
    assert scene.where("won 1") == set()
    assert scene.state.seat == 0


def test_her_6_a_record_that_discards_a_card_that_can_take_is_refused() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC")
    for card in ("X7", "X1"):
        said = told(scene, ["discard", 1, card])
        assert said is not None and said.endswith("(HER-6)")


def test_her_6_free_a_card_that_can_take_may_be_laid_on_the_table() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S7 S5 S9 SC", discard="free").do("play X7")
    assert scene.legal == {"take done", "lay"}
    assert scene.do("lay").last() == [["discard", 1, "X7"]]
    assert scene.where("table") == {"S7", "S5", "S9", "SC", "X7"}
    assert scene.where("hand 1") == {"X9", "X1", "X4"}
    assert scene.state.seat == 0


def test_her_6_free_a_card_that_cannot_take_may_be_discarded_while_others_can() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S7 S5 S9 SC", discard="free")
    assert scene.legal == {"play X7", "play X9", "play X1", "play X4"}
    assert scene.do("play X1").last() == [["discard", 1, "X1"]]


def test_her_6_free_a_card_may_also_take() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S7 S5 S9 SC", discard="free")
    assert captured(scene.do("play X7", "take done")) == (1, "X7", {"S7"})


@pytest.mark.parametrize("how", ["all", "choice"])
def test_her_6_free_a_card_is_laid_before_anything_is_named(how: str) -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S3 S4 S9 SC", discard="free", capture=how).do("play X7")
    assert scene.legal == {"take S3", "take S4", "lay"}
    scene.do("take S3")
    sentence = "X7 takes already. Take it back first if you want to lay it on the table."
    assert refusal(scene, "lay") == ("HER-6", sentence)
    assert captured(scene.do("take S4")) == (1, "X7", {"S3", "S4"})


def test_her_6_unable_a_card_that_takes_is_not_laid() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S3 S4 S9 SC").do("play X7")
    assert refusal(scene, "lay") == ("HER-6", "X7 can take, so you may not lay it on the table.")
    scene.state.take_back()
    assert refusal(scene, "lay")[0] == "HER-4"


def test_her_6_free_a_record_may_discard_any_card() -> None:
    for how in ("all", "choice"):
        scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", discard="free", capture=how)
        for entry in (["discard", 1, "X7"], ["discard", 1, "X1"], ["capture", 1, "X9", ["S9"]]):
            assert told(scene, entry) is None


@pytest.mark.parametrize(("how", "seats"), [("unable", []), ("free", [1])])
def test_her_6_a_discard_says_something_of_the_hand_only_where_taking_is_compulsory(how: str, seats: list[int]) -> None:
    world = World(case("heraldry", 2, {"discard": how}))
    scene = heraldry({1: "X1 X3 X4 X6", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", discard=how)
    for entry in scene.log:
        world.give([entry[1]] if entry[0] == "dealer" else [world.game.card(code) for code in entry[1]])
    world.play(world.game.step_names.index("play X4"))
    assert world.views[0].see(world.state).fields()["may_hold"]["C9"] == seats


def test_her_6_discard_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"unable or free, not 'never' \(HER-6\)"):
        Scene("heraldry", 2, discard="never")


# the later hands

LATER = {
    ("share", 2): [(4, 4), (4, 0), (4, 0), (4, 0), (4, 0), (2, 0)],
    ("share", 3): [(4, 4), (4, 0), (4, 0), (2, 2)],
    ("share", 4): [(4, 4), (4, 0), (3, 0)],
    ("share", 5): [(4, 4), (4, 4)],
    ("share", 6): [(4, 4), (3, 2)],
    ("fours", 2): [(4, 4), (4, 0), (4, 0), (4, 0), (4, 4)],
    ("fours", 3): [(4, 4), (4, 0), (4, 8)],
    ("fours", 4): [(4, 4), (4, 12)],
    ("fours", 5): [(4, 4), (4, 4)],
    ("fours", 6): [(4, 24)],
}


@pytest.mark.parametrize(("last_deal", "players"), LATER)
def test_her_7_each_deal_gives_this_many_to_each_player_and_to_the_table(last_deal: str, players: int) -> None:
    scene = Scene("heraldry", players, last_deal=last_deal).chance(0)
    luck = random.Random(7)
    pack = luck.sample(scene.game.codes, 48)
    scene.chance(*pack)
    dealt, found = 0, []
    while scene.log[-1][0] != "total":
        left = scene.state.where()["pack"]
        if 48 - len(left) > dealt:
            each = len(scene.where("hand 0"))
            gone = pack[dealt : 48 - len(left)]
            for turn in range(players):
                assert scene.where(f"hand {players - 1 - turn}") == set(gone[turn : each * players : players])
            assert scene.where("table") >= set(gone[each * players :])
            assert scene.state.seat == players - 1  # the dealer's right begins again
            found.append((each, len(gone) - each * players))
            dealt = 48 - len(left)
        scene.do(luck.choice(sorted(scene.legal)))
    assert found == LATER[last_deal, players]
    assert dealt == 48


def test_her_7_last_deal_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"share or fours, not 'none' \(HER-7\)"):
        Scene("heraldry", 2, last_deal="none")


# the score

# In the last round seat 1 takes the cards that seat 0 could have taken, so that DJ is discarded and left over.
LEFT_OVER = {"D10": "C10 CJ", "DJ": ""}


def test_her_8_the_player_who_took_the_last_trick_takes_the_cards_left() -> None:
    scene = one_deal(LEVEL, LEFT_OVER)
    at = scene.log.index(["discard", 0, "DJ"])
    assert scene.log[at - 1][:3] == ["capture", 1, "D10"]
    assert scene.log[at + 1] == ["sweep", 1, ["DJ"], "HER-8"]


def test_her_8_nothing_is_swept_when_no_cards_are_left() -> None:
    assert "sweep" not in [entry[0] for entry in one_deal(LEVEL).log]


@pytest.mark.parametrize("players", range(2, 7))
def test_her_8_the_sweep_has_all_cards_that_nobody_took(players: int) -> None:
    """Somebody always takes: of eleven cards played two have the same value, and at least 24 are played."""
    for seed in range(8):
        scene, won = first_deal(players, seed)
        assert sorted(code for pile in won for code in pile) == sorted(scene.game.codes)
        captures = [entry for entry in scene.log if entry[0] == "capture"]
        sweeps = [entry for entry in scene.log if entry[0] == "sweep"]
        taken = sum(1 + len(entry[3]) for entry in captures)
        assert [[entry[1], len(entry[2]), entry[3]] for entry in sweeps] == (
            [[captures[-1][1], 48 - taken, "HER-8"]] if taken < 48 else []
        )


def test_her_9_most_cards_score_three() -> None:
    scene = one_deal(LEVEL, LEFT_OVER)  # seat 1 has ten, seat 0 six, the others eight
    assert scored(scene, "HER-9") == [["score", 1, 3, "HER-9"]]


def test_her_9_in_a_tie_nobody_scores() -> None:
    assert scored(one_deal(LEVEL), "HER-9") == []  # eight each


def test_her_9_and_10_agree_with_a_count_of_the_cards_won() -> None:
    decided = set()
    for seed in range(60):
        players = 2 + seed % 5
        scene, won = first_deal(players, seed)
        cards = most([len(pile) for pile in won])
        diamonds = most([sum(code[0] == "D" for code in pile) for pile in won])
        assert scored(scene, "HER-9") == [["score", seat, 3, "HER-9"] for seat in cards]
        assert scored(scene, "HER-10") == [["score", seat, 1, "HER-10"] for seat in diamonds]
        decided.add((len(cards), len(diamonds)))
    assert decided == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_her_10_most_diamonds_score_one() -> None:
    hands = LEVEL | {3: "X5 D5 D6 D8", 2: "X7 D7 X8 X6"}  # seat 3 has three, seat 2 one
    assert scored(one_deal(hands), "HER-10") == [["score", 3, 1, "HER-10"]]


def test_her_10_in_a_tie_nobody_scores() -> None:
    assert scored(one_deal(LEVEL), "HER-10") == []  # two each
    hands = LEVEL | {5: "X1 D1 D2 D4", 4: "X3 D3 X4 X2", 3: "X5 D5 D6 D8", 2: "X7 D7 X8 X6"}
    assert scored(one_deal(hands), "HER-10") == []  # two seats have three


def test_her_11_the_knight_of_the_cross_scores_two() -> None:
    assert scored(one_deal(LEVEL), "HER-11") == [["score", 1, 2, "HER-11"]]  # seat 1 holds X10


@pytest.mark.parametrize("knight", range(1, 11))
def test_her_11_the_option_knight_sets_its_number(knight: int) -> None:
    holder = next(seat for seat, hand in LEVEL.items() if f"X{knight}" in hand.split())
    assert scored(one_deal(LEVEL, knight=knight), "HER-11") == [["score", holder, 2, "HER-11"]]


def test_her_11_it_counts_for_the_player_who_wins_it_not_who_played_it() -> None:
    """X10 is discarded by seat 0 and swept by seat 1."""
    hands = LEVEL | {1: "X9 D9 XJ D10", 0: "XC DC DJ X10"}
    scene = one_deal(hands, {"XJ": "SJ", "D10": "C10 S10", "X10": ""})
    assert ["discard", 0, "X10"] in scene.log
    assert scored(scene, "HER-11") == [["score", 1, 2, "HER-11"]]


@pytest.mark.parametrize("knight", [0, 11])
def test_her_11_knight_has_no_other_value(knight: int) -> None:
    with pytest.raises(OptionError, match=r"from 1 to 10, not \d+ \(HER-11\)"):
        Scene("heraldry", 2, knight=knight)


def test_her_12_the_jester_of_the_star_scores_one() -> None:
    assert scored(one_deal(LEVEL), "HER-12") == [["score", 0, 1, "HER-12"]]


def test_her_12_the_other_jesters_score_nothing() -> None:
    scene = one_deal(LEVEL, {"X10": "SJ", "XJ": "S10"})  # seat 0 has the other three
    assert scored(scene, "HER-12") == [["score", 1, 1, "HER-12"]]


def test_her_13_each_crown_scores_one() -> None:
    assert scored(one_deal(LEVEL), "HER-13") == [["score", 0, 4, "HER-13"]]


def test_her_13_the_crowns_of_each_seat_are_scored_by_seat() -> None:
    hands = LEVEL | {5: "X1 D1 X2 DC", 0: "XC D2 XJ DJ"}
    assert scored(one_deal(hands), "HER-13") == [["score", 0, 2, "HER-13"], ["score", 5, 2, "HER-13"]]
    scene = one_deal(hands, {"X10": "SC", "XC": "S10"})
    crowns = [["score", 0, 1, "HER-13"], ["score", 1, 1, "HER-13"], ["score", 5, 2, "HER-13"]]
    assert scored(scene, "HER-13") == crowns


def test_her_14_none_makes_the_parts_add_up_to_eleven() -> None:
    scene = one_deal(LEVEL, LEFT_OVER)
    at = scene.log.index(["sweep", 1, ["DJ"], "HER-8"])
    assert scene.log[at + 1 :] == [
        ["score", 1, 3, "HER-9"],
        ["score", 1, 1, "HER-10"],
        ["score", 1, 2, "HER-11"],
        ["score", 0, 1, "HER-12"],
        ["score", 0, 4, "HER-13"],
        ["total", [5, 6, 0, 0, 0, 0]],
    ]


def test_her_14_last_trick_gives_the_twelfth_point_to_the_last_trick() -> None:
    """Seat 1 took last; seat 0 played the last card but took nothing."""
    scene = one_deal(LEVEL, LEFT_OVER, twelfth="last_trick")
    assert scene.last(3) == [
        ["score", 0, 4, "HER-13"],
        ["score", 1, 1, "HER-14"],
        ["total", [5, 7, 0, 0, 0, 0]],
    ]


def test_her_14_last_trick_scores_also_when_no_cards_are_left() -> None:
    scene = one_deal(LEVEL, twelfth="last_trick")
    assert scored(scene, "HER-14") == [["score", 0, 1, "HER-14"]]


def test_her_14_sweep_counts_a_capture_that_leaves_no_card_also_with_the_very_last_one() -> None:
    scene = one_deal(LEVEL, twelfth="sweep")
    assert scene.last(2) == [["score", 0, 1, "HER-14"], ["total", [6, 2, 0, 0, 0, 0]]]


def test_her_14_sweep_counts_whatever_is_laid_afterwards_but_not_what_is_left_at_the_end() -> None:
    """D10 clears the table; then DJ is laid, and goes to the same player by HER-8."""
    scene = one_deal(LEVEL, LEFT_OVER, twelfth="sweep")
    assert ["sweep", 1, ["DJ"], "HER-8"] in scene.log
    assert scored(scene, "HER-14") == [["score", 1, 1, "HER-14"]]


@pytest.mark.parametrize("discard", ["unable", "free"])
def test_her_14_sweep_agrees_with_a_count_of_the_captures_that_clear_the_table(discard: str) -> None:
    counts = set()
    for seed in range(150):
        players = 2 + seed % 5
        scene, _ = first_deal(players, seed, twelfth="sweep", discard=discard)
        made = sweeps_in(scene.log, players)
        wanted = [["score", seat, count, "HER-14"] for seat, count in enumerate(made) if count]
        assert scored(scene, "HER-14") == wanted
        assert scene.log[-1 - len(wanted) : -1] == wanted
        counts |= set(made)
    assert counts >= {0, 1, 2}


def test_her_14_twelfth_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"none, last_trick or sweep, not 'most' \(HER-14\)"):
        Scene("heraldry", 2, twelfth="most")


def sweeps_in(log: list[list[Any]], players: int) -> list[int]:
    """The captures of each seat in the first deal that left no card on the table, by what the log says alone."""
    pack = log[1][1]
    made, table, hands = [0] * players, 4, [4] * players
    dealt = 4 * players + 4
    if 48 - dealt < players:
        table, dealt = table + 48 - dealt, 48
    for kind, seat, *rest in log[2:]:
        if kind not in ("capture", "discard"):
            break
        table += 1 if kind == "discard" else -len(rest[1])
        made[seat] += kind == "capture" and table == 0
        hands[seat] -= 1
        if not any(hands) and dealt < len(pack):
            share = min(4, (48 - dealt) // players)
            hands, dealt = [share] * players, dealt + share * players
            if 48 - dealt < players:
                table, dealt = table + 48 - dealt, 48
    return made


# the end

# Seat 0 wins seven points: the Knight, the Jester, four Crowns; the others win none.
SEVEN = {0: "X10 XC XJ DC", 1: "D1 D2 D3 X1", 2: "D4 D5 D6 X2", 3: "D7 D8 X3 X4", 4: "D9 D10 X5 X6", 5: "DJ X7 X8 X9"}

# Seat 1 has most Diamonds and the Crowns, five points, seat 0 the Knight and the Jester; and with SWAP four each.
FIVE_THREE = {
    0: "X10 XJ X1 D1",
    1: "XC DC D9 D10",
    2: "X2 D2 X3 D3",
    3: "X4 D4 X5 D5",
    4: "X6 D6 X7 D7",
    5: "X8 D8 X9 DJ",
}
SWAP = {"X10": "SC", "XC": "S10"}


def test_her_15_twenty_one_points_win() -> None:
    scene = next_deal(one_deal(SEVEN), SEVEN)
    assert scene.last() == [["total", [14, 0, 0, 0, 0, 0]]]
    assert scene.awaits == "deal"
    next_deal(scene, SEVEN)
    assert scene.last() == [["total", [21, 0, 0, 0, 0, 0]]]
    assert scene.state.over
    assert scene.awaits is None
    assert scene.state.scores() == [21, 0, 0, 0, 0, 0]
    assert scene.state.winners() == [0]


def level_at_20(**options: Any) -> Scene:
    """Seats 0 and 1 have 20 points each after five deals."""
    scene = one_deal(FIVE_THREE, SWAP, **options)
    for _ in range(4):
        next_deal(scene, FIVE_THREE, SWAP)
    assert scene.last() == [["total", [20, 20, 0, 0, 0, 0]]]
    return scene


def test_her_15_twenty_points_do_not_win() -> None:
    scene = one_deal(FIVE_THREE)
    for _ in range(3):
        next_deal(scene, FIVE_THREE)
    assert scene.last() == [["total", [12, 20, 0, 0, 0, 0]]]
    assert not scene.state.over
    assert scene.awaits == "deal"


def test_her_15_if_the_highest_is_shared_another_deal_is_played() -> None:
    scene = next_deal(level_at_20(), FIVE_THREE, SWAP)
    assert scene.last() == [["total", [24, 24, 0, 0, 0, 0]]]
    assert not scene.state.over
    assert scene.awaits == "deal"
    next_deal(scene, FIVE_THREE)
    assert scene.last() == [["total", [27, 29, 0, 0, 0, 0]]]
    assert scene.state.over
    assert scene.state.winners() == [1]


def test_her_15_the_highest_score_at_the_end_of_the_deal_wins() -> None:
    """Seat 0 passes 21 with the Knight before seat 1 counts its Crowns, but in the end seat 1 has more."""
    hands = FIVE_THREE | {1: "XC DC D9 X2", 2: "D10 D2 X3 D3"}
    scene = next_deal(level_at_20(), hands)
    assert [entry[1:3] for entry in scene.last(5)[:-1]] == [[2, 1], [0, 2], [0, 1], [1, 4]]
    assert scene.last() == [["total", [23, 24, 1, 0, 0, 0]]]
    assert scene.state.over
    assert scene.state.winners() == [1]


def test_her_15_order_the_first_to_reach_21_in_the_count_wins_whatever_the_others_score() -> None:
    """Seat 0 has 22 with the Knight; that seat 1 has more with its Crowns comes later in the count."""
    hands = FIVE_THREE | {1: "XC DC D9 X2", 2: "D10 D2 X3 D3"}
    scene = next_deal(level_at_20(first="order"), hands)
    assert scene.last() == [["total", [23, 24, 1, 0, 0, 0]]]
    assert scene.state.over and not scene.state.cut
    assert scene.state.scores() == [23, 24, 1, 0, 0, 0]
    assert scene.state.winners() == [0]


def test_her_15_order_equal_scores_give_no_further_deal() -> None:
    """Seat 1 has 21 with the most Diamonds."""
    scene = next_deal(level_at_20(first="order"), FIVE_THREE, SWAP)
    assert scene.last() == [["total", [24, 24, 0, 0, 0, 0]]]
    assert scene.state.over
    assert scene.state.winners() == [1]


def test_her_15_first_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"highest or order, not 'last' \(HER-15\)"):
        Scene("heraldry", 2, first="last")


def test_her_16_the_deal_limit_ends_the_game_and_the_highest_score_wins() -> None:
    scene = next_deal(one_deal(SEVEN, deal_limit=2), SEVEN)
    assert scene.last() == [["total", [14, 0, 0, 0, 0, 0]]]
    assert scene.state.over and scene.state.cut
    assert scene.state.winners() == [0]


def test_her_16_equal_scores_share() -> None:
    scene = one_deal(FIVE_THREE, SWAP, deal_limit=1)
    assert scene.last() == [["total", [4, 4, 0, 0, 0, 0]]]
    assert scene.state.winners() == [0, 1]


def test_her_16_twenty_one_points_in_the_last_deal_win_by_her_15() -> None:
    scene = one_deal(SEVEN, deal_limit=3)
    for _ in range(2):
        next_deal(scene, SEVEN)
    assert scene.state.over and not scene.state.cut
    assert scene.state.winners() == [0]


@pytest.mark.parametrize("first", ["highest", "order"])
def test_her_16_free_all_share_where_nobody_ever_takes(first: str) -> None:
    scene = Scene("heraldry", 3, discard="free", deal_limit=2, first=first).chance(0)
    for _ in range(2):
        scene.chance(*random.Random(5).sample(scene.game.codes, 48))
        while scene.log[-1][0] != "total":
            scene.do("lay" if "lay" in scene.legal else min(scene.legal))
    assert {entry[0] for entry in scene.log} == {"dealer", "deal", "discard", "total"}
    assert scene.state.over and scene.state.cut
    assert scene.state.winners() == [0, 1, 2]


@pytest.mark.parametrize("limit", [0, 10_001])
def test_her_16_deal_limit_has_no_other_value(limit: int) -> None:
    with pytest.raises(OptionError, match=r"from 1 to 10000, not \d+ \(HER-16\)"):
        Scene("heraldry", 2, deal_limit=limit)


def test_her_16_games_of_rules_version_1_have_no_limit() -> None:
    game = parlour.game("heraldry")
    options = game.options_for(2, {}, 1)
    assert options["deal_limit"] == 0
    state = game.state_type(2, options, 1)
    state.begin(parlour.Seeded(1))
    assert not state.over and not state.deal_limit


@pytest.mark.parametrize("knight", [1, 7, 10])
def test_the_cards_that_score_are_those_that_a_count_scores(knight: int) -> None:
    """HER-9 to HER-13: what a page is told of scoring cards agrees with the scores of whole sittings."""
    game = parlour.game("heraldry")
    scoring = game.scoring_cards(game.options_for(3, {"knight": knight}))
    tried = set()
    for seed in range(20):
        won: list[set[str]] = [set(), set(), set()]
        for entry in played(parlour.Sitting(game, 3, seed=seed, knight=knight), parlour.Seeded(seed)).log:
            if entry[0] == "deal":
                won = [set(), set(), set()]
            elif entry[0] in ("capture", "sweep"):
                cards = [code for part in entry[2:] for code in ([part] if isinstance(part, str) else part)]
                won[entry[1]] |= set(cards) & set(game.codes)
            elif entry[0] == "score" and entry[3] in scoring:
                _, seat, points, clause = entry
                held = [len(cards & set(scoring[clause])) for cards in won]
                tried.add(clause)
                if clause in ("HER-9", "HER-10"):
                    assert held[seat] == max(held) and held.count(held[seat]) == 1
                else:
                    assert held[seat] == (points if clause == "HER-13" else 1)
    assert tried == set(scoring)
