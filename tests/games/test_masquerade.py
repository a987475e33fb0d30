"""The Masquerade Game, clause by clause: the tests carry the numbers of its sheet."""

from __future__ import annotations

import random

import pytest

import parlour
from parlour import OptionError, Refusal
from parlour.games.masquerade.notation import LEADING
from support.scenes import Scene, in_turn, masquerade

SUITS = {suit: " ".join(f"{suit}{number}" for number in range(1, 9)) for suit in "MRID"}

# All Ridottos and Masqueraders are named; the rest of each hand are Intrigues and Mendicants.
RIDOTTOS = {1: "R5 R8 M1 M2", 2: "R2 R4 R7 M8", 3: "R1 R3 R6 M3 M4", 0: "M5 M6 M7"}

# Seat 0 holds every Masquerader; nobody else can follow suit.
ONE_MASKED = {0: SUITS["M"], 1: SUITS["R"], 2: SUITS["I"], 3: SUITS["D"]}

# Seat 1 leads Ridottos, and seat 0 has neither a Ridotto nor a Masquerader.
UNABLE = {1: "R5 R6 R7 R8 I2 I3 M1 M2", 2: "R3 R4 M3 M4 M5", 3: "R1 R2 M6 M7 M8", 0: "I1 I4 I5 I6 D1 D2 D3 D4"}


def refusal(scene: Scene, step: str) -> tuple[str, str]:
    refused = scene.refused(step)
    return refused.clause, refused.sentence


def sizes(scene: Scene) -> list[int]:
    return [len(scene.where(f"hand {seat}")) for seat in range(scene.state.players)]


def possible(scene: Scene) -> set[str]:
    return {scene.game.code(card) for card in scene.state.possible()}


def deal(scene: Scene, hands: dict[int, str], dealer: int) -> Scene:
    return scene.chance(*in_turn(hands, [(dealer + 1 + turn) % 4 for turn in range(4)], 8, scene.game.codes))


def draw_own(scene: Scene) -> None:
    """Let all who played to the trick just taken draw the very card they played, as long as the game lasts."""
    before, take = [at for at, entry in enumerate(scene.log) if entry[0] in ("deal", "take")][-2:]
    laid = {entry[1]: entry[2] for entry in scene.log[before:take] if entry[0] == "play"}
    for turn in range(1, scene.state.players):
        seat = (scene.log[take][1] + turn) % scene.state.players
        if seat in laid and scene.awaits == "draw":
            scene.chance(laid[seat])


# the pack and the deal


def test_masq_1_four_suits_of_eight() -> None:
    game = parlour.game("masquerade")
    assert sorted(game.codes) == sorted(f"{suit}{number}" for suit in "MRID" for number in range(1, 9))
    names = [game.card_names[code] for code in ("M1", "R2", "I7", "D8")]
    assert names == [
        *("Harlequin, Masquerader No. 1", "Sultan, Ridotto No. 2"),
        *("Scribe, Intrigue No. 7", "Beggar, Mendicant No. 8"),
    ]


def test_masq_2_no_1_is_the_highest_of_its_suit_and_no_8_the_lowest() -> None:
    scene = masquerade({1: "R8", 2: "R7 R6", 3: "R3 R2 R5", 0: "R1 R4"}).do("play R8")
    assert scene.legal == {"play R7", "play R6"}
    scene.do("play R6")
    assert scene.legal == {"play R2", "play R3", "play R5"}
    scene.do("play R2")
    assert scene.legal == {"play R1"}
    assert scene.do("play R1").last(2) == [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]


def test_masq_2_the_page_is_given_the_same_order_of_cards() -> None:
    ranks = parlour.game("masquerade").ranks
    assert all(ranks[f"{suit}{number}"] > ranks[f"{suit}{number + 1}"] for suit in "MRID" for number in range(1, 8))
    assert all(ranks["M8"] > ranks[code] for code in ranks if code[0] != "M")


def test_masq_2_no_8_of_the_masqueraders_outranks_no_1_of_another_suit() -> None:
    scene = masquerade({1: "R1", 2: "R2 M1 M2", 3: "R3 M3 M4 M5 M6 M7", 0: "M8"}, following="suit")
    scene.do("play R1", "play R2", "play R3", "play M8")
    assert scene.last(2) == [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]


def test_masq_2_m1_is_the_highest_card_of_the_pack() -> None:
    scene = masquerade({1: "M5", 2: "M2", 3: "M1 M8", 0: SUITS["D"]}).do("play M5", "play M2")
    assert scene.legal == {"play M1"}


def test_masq_3_four_players_hold_eight_cards_each() -> None:
    assert sizes(masquerade({})) == [8] * 4


def test_masq_3_eight_players_hold_four_cards_each() -> None:
    assert sizes(masquerade({}, players=8)) == [4] * 8


@pytest.mark.parametrize("players", [3, 5, 7, 9])
def test_masq_3_no_other_number_of_players_can_play(players: int) -> None:
    with pytest.raises(OptionError, match=r"4 or 8 players, not \d \(MASQ-3\)"):
        Scene("masquerade", players)


@pytest.mark.parametrize(("players", "place", "dealer"), [(4, 0, 0), (4, 13, 1), (4, 31, 3), (8, 13, 5), (8, 16, 0)])
def test_masq_4_the_player_who_receives_m1_in_the_first_division_deals(players: int, place: int, dealer: int) -> None:
    scene = Scene("masquerade", players)
    assert scene.awaits == "divide"
    pack = [code for code in scene.game.codes if code != "M1"]
    pack.insert(place, "M1")
    assert scene.chance(*pack).last() == [["divide", pack]]
    assert scene.awaits == "deal"
    scene.chance(*reversed(pack))
    assert scene.state.seat == (dealer + 1) % players


def test_masq_4_the_deal_goes_one_card_at_a_time_from_the_dealers_left() -> None:
    scene = Scene("masquerade", 4)
    scene.chance("D8", *[code for code in scene.game.codes if code != "D8"])  # M1 falls to seat 1
    pack = random.Random(4).sample(scene.game.codes, 32)
    assert scene.chance(*pack).last() == [["deal", pack]]
    assert [scene.where(f"hand {seat}") for seat in (2, 3, 0, 1)] == [set(pack[turn::4]) for turn in range(4)]


# the lead


@pytest.mark.parametrize("dealer", range(4))
def test_masq_5_the_player_at_the_dealers_left_leads_first(dealer: int) -> None:
    assert masquerade({}, dealer=dealer).state.seat == (dealer + 1) % 4


@pytest.mark.parametrize("dealer", range(4))
def test_masq_5_dealer_the_dealer_leads_first(dealer: int) -> None:
    assert masquerade({}, dealer=dealer, first_lead="dealer").state.seat == dealer


def test_masq_5_dealer_the_first_trick_of_every_game_and_from_there_in_turn() -> None:
    scene = masquerade({0: "D8"}, first_lead="dealer").do("play D8")
    while scene.awaits is None:
        scene.do("decline" if "decline" in scene.legal else min(scene.legal))
    while scene.awaits == "draw":
        scene.chance(scene.game.code(scene.state.possible()[0]))
    assert scene.state.stage == LEADING and scene.state.seat == 1  # MASQ-19


def test_masq_5_dealer_who_cannot_lead_passes_the_lead_to_the_left() -> None:
    scene = masquerade({0: "M1 M2 M3 M4", 1: "R1 R2 R3 R4"}, players=8, first_lead="dealer")
    assert scene.last() == [["skip", 0, "MASQ-6"]]
    assert scene.state.seat == 1


def test_masq_5_first_lead_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"left or dealer, not 'right' \(MASQ-5\)"):
        Scene("masquerade", 4, first_lead="right")


def test_masq_5_any_card_of_the_hand_may_be_led() -> None:
    scene = masquerade({1: SUITS["R"]})
    assert scene.legal == {f"play R{number}" for number in range(1, 9)}
    assert refusal(scene, "play I1") == ("MASQ-5", "You do not hold I1.")
    assert scene.do("play R3").last() == [["play", 1, "R3"]]
    assert scene.where("trick") == {"R3"}


def test_masq_6_masqueraders_no_1_to_4_may_not_be_led() -> None:
    scene = masquerade({1: SUITS["M"]})
    assert scene.legal == {"play M5", "play M6", "play M7", "play M8"}
    for number in range(1, 5):
        assert refusal(scene, f"play M{number}") == ("MASQ-6", "Masqueraders No. 1 to No. 4 may not be led.")


def test_masq_6_a_hand_of_only_these_passes_the_lead_to_the_left() -> None:
    scene = masquerade({1: "M1 M2 M3 M4", 2: "R1 R2 R3 R4"}, players=8)
    assert scene.last() == [["skip", 1, "MASQ-6"]]
    assert scene.state.seat == 2
    scene.do("play R1")
    while scene.state.seat != 1:
        scene.do("decline" if "decline" in scene.legal else max(scene.legal))
    assert scene.legal == {"play M1", "play M2", "play M3", "play M4"}  # seat 1 is last to play, not left out
    scene.do("play M4")
    draw_own(scene)
    assert scene.state.seat == 3


def test_masq_6_the_lead_passes_again_each_time_it_reaches_such_a_hand() -> None:
    scene = masquerade({1: "R1 R2 R3 R4", 2: "M1 M2 M3 M4", 3: "I1 I2 I3 I4"}, players=8).do("play R1", "play M4")
    while scene.awaits is None:
        scene.do("decline" if "decline" in scene.legal else max(scene.legal))
    draw_own(scene)
    assert scene.last() == [["skip", 2, "MASQ-6"]]
    assert scene.state.seat == 3


# following


def test_masq_7_climb_a_player_who_can_climb_must_with_any_card_that_does() -> None:
    scene = masquerade(RIDOTTOS).do("play R5")
    assert scene.legal == {"play R2", "play R4"}
    sentence = "Follow the suit led with a card that climbs: R2 or R4."
    assert refusal(scene, "play R7") == ("MASQ-7", sentence)
    assert refusal(scene, "play M8") == ("MASQ-7", sentence)


def test_masq_7_climb_means_above_every_card_of_the_suit_not_only_the_last() -> None:
    scene = masquerade({1: "R3 R8", 2: "R6 R7", 3: "R5 R2 M1", 0: "R1 R4"}).do("play R3", "play R6")
    assert scene.legal == {"play R2"}


def test_masq_7_climb_is_judged_in_the_suit_led_even_after_a_masquerader() -> None:
    scene = masquerade({1: "R5 M1 M2 M3", 2: "M8 M7", 3: "R4 R8 M6", 0: "R1 R2 R3 R6 R7 M4 M5"})
    assert scene.do("play R5", "play M8").legal == {"play R4"}


def test_masq_7_suit_allows_any_card_of_the_suit_or_any_masquerader() -> None:
    scene = masquerade(RIDOTTOS, following="suit").do("play R5")
    assert scene.legal == {"play R2", "play R4", "play R7", "play M8"}
    other = next(code for code in sorted(scene.where("hand 2")) if code[0] in "ID")
    sentence = "Follow with the suit led or a Masquerader: M8 or R2 or R4 or R7."
    assert refusal(scene, f"play {other}") == ("MASQ-7", sentence)


def test_masq_7_strict_asks_for_the_next_card_above_the_last() -> None:
    scene = masquerade(RIDOTTOS, following="strict").do("play R5")
    assert scene.legal == {"play R4"}
    assert refusal(scene, "play R2")[0] == "MASQ-7"
    assert scene.do("play R4").legal == {"play R3"}


def test_masq_7_strict_allows_any_card_that_climbs_without_the_next() -> None:
    scene = masquerade({1: "R5", 2: "R1 R3 R7"}, following="strict").do("play R5")
    assert scene.legal == {"play R1", "play R3"}


def test_masq_7_strict_allows_any_card_that_climbs_when_the_next_does_not() -> None:
    hands = {1: "R5 R8", 2: "R7", 3: "R6 R2 R1 M1", 0: "R3 R4"}
    scene = masquerade(hands, following="strict").do("play R5", "play R7")
    assert scene.legal == {"play R1", "play R2"}


def test_masq_7_strict_allows_any_card_that_climbs_after_a_card_of_another_suit() -> None:
    hands = {1: "R5 M1 M2 M3", 2: "M8", 3: "R4 R2 M7", 0: "R1 R3 R6 R7 R8 M4 M5 M6"}
    scene = masquerade(hands, following="strict").do("play R5", "play M8")
    assert scene.legal == {"play R2", "play R4"}


def test_masq_7_strict_asks_for_the_next_masquerader_when_they_were_led() -> None:
    scene = masquerade({1: "M7", 2: "M6 M2 M8"}, following="strict").do("play M7")
    assert scene.legal == {"play M6"}


def test_masq_7_following_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"climb, suit or strict, not 'advice' \(MASQ-7\)"):
        Scene("masquerade", 4, following="advice")


def test_masq_8_climb_a_player_who_cannot_climb_must_play_any_masquerader() -> None:
    scene = masquerade({1: "R2", 2: "R5 R7 M3 M8"}).do("play R2")
    assert scene.legal == {"play M3", "play M8"}
    assert refusal(scene, "play R5") == ("MASQ-8", "You cannot climb, so play a Masquerader: M3 or M8.")


def test_masq_8_a_player_without_one_must_still_follow_with_a_lower_card_of_the_suit() -> None:
    scene = masquerade({1: "R2", 2: "R5 R7 I1 I2 I3 I4 I5 I6"}).do("play R2")
    assert scene.legal == {"play R5", "play R7"}
    assert refusal(scene, "decline")[0] == "MASQ-9"


def test_masq_8_the_refusal_when_only_lower_cards_follow_does_not_speak_of_climbing() -> None:
    scene = masquerade({1: "R2", 2: "R5 R7 I1 I2 I3 I4 I5 I6"}).do("play R2")
    clause, sentence = refusal(scene, "play I1")
    assert clause == "MASQ-8"
    assert "card that climbs" not in sentence


def test_masq_8_masqueraders_led_a_player_who_can_climb_above_them_all_must() -> None:
    scene = masquerade({1: "M6", 2: "M4 M7 M3", 3: "M5 M2 M8", 0: "M1"}).do("play M6")
    assert scene.legal == {"play M3", "play M4"}
    assert scene.do("play M4").legal == {"play M2"}


@pytest.mark.parametrize(
    ("following", "legal"),
    [("climb", {"play M7", "play M8"}), ("strict", {"play M8"}), ("suit", {"play M7", "play M8"})],
)
def test_masq_8_masqueraders_led_a_player_who_cannot_climb_plays_another(following: str, legal: set[str]) -> None:
    scene = masquerade({1: "M5 M6 M1", 2: "M7 M8 R1", 3: "M2 M3 M4"}, following=following).do("play M5")
    assert scene.legal == legal


def test_masq_8_masqueraders_led_the_refusal_when_nothing_climbs_does_not_speak_of_climbing() -> None:
    scene = masquerade({1: "M5 M6 M1", 2: "M7 M8 R1", 3: "M2 M3 M4"}).do("play M5")
    clause, sentence = refusal(scene, "play R1")
    assert clause == "MASQ-8"
    assert "card that climbs" not in sentence


def test_masq_8_strict_asks_for_the_lowest_masquerader() -> None:
    scene = masquerade({1: "R2", 2: "R5 R7 M3 M6"}, following="strict").do("play R2")
    assert scene.legal == {"play M6"}
    assert refusal(scene, "play M3")[0] == "MASQ-8"


def test_masq_8_strict_a_player_without_a_masquerader_follows_with_any_lower_card() -> None:
    scene = masquerade({1: "R2", 2: "R5 R7 I1 I2 I3 I4 I5 I6"}, following="strict").do("play R2")
    assert scene.legal == {"play R5", "play R7"}


# the exchange


@pytest.mark.parametrize("following", ["climb", "suit", "strict"])
def test_masq_9_a_player_who_can_neither_follow_nor_mask_gives_any_card_or_declines(following: str) -> None:
    scene = masquerade(UNABLE, following=following).do("play R8", "play R4", "play R2")
    assert scene.state.seat == 0
    assert scene.legal == {f"give {code}" for code in UNABLE[0].split()} | {"decline"}
    sentence = "You can neither follow suit nor play a Masquerader: give a card to the left, or decline."
    assert refusal(scene, "play I1") == ("MASQ-9", sentence)
    assert refusal(scene, "give R1") == ("MASQ-9", "You do not hold R1.")


def test_masq_9_a_player_who_can_follow_or_mask_may_not_exchange() -> None:
    sentence = "You may exchange only if you can neither follow suit nor play a Masquerader."
    scene = masquerade({1: "R2", 2: "R5 I1 I2 I3 I4 I5 I6 I7", 3: "M8 D1"}).do("play R2")
    assert refusal(scene, "give I1") == ("MASQ-9", sentence)
    assert refusal(scene, "decline") == ("MASQ-9", sentence)
    assert refusal(scene.do("play R5"), "give D1") == ("MASQ-9", sentence)


def test_masq_9_blind_draws_unseen_from_the_hand_as_it_was_before_the_gift() -> None:
    scene = masquerade(UNABLE).do("play R8", "play R4", "play R2", "give D4")
    assert scene.last() == [["give", 0, "D4"]]
    assert scene.awaits == "draw"
    assert possible(scene) == {"R5", "R6", "R7", "I2", "I3", "M1", "M2"}
    with pytest.raises(Refusal):
        scene.chance("D4")
    scene.chance("I3")
    assert ["draw", 0, 1, "I3"] in scene.log
    assert scene.where("hand 1") == {"R5", "R6", "R7", "I2", "M1", "M2", "D4"}


def test_masq_9_courtesy_lets_the_neighbour_choose_but_not_the_card_received() -> None:
    scene = masquerade(UNABLE, exchange="courtesy").do("play R8", "play R4", "play R2", "give D4")
    assert scene.awaits is None
    assert scene.state.seat == 1
    assert scene.legal == {f"return {code}" for code in ("R5", "R6", "R7", "I2", "I3", "M1", "M2")}
    assert refusal(scene, "return D4") == ("MASQ-9", "The card just received is not the one to give back.")
    assert refusal(scene, "play R5")[0] == "MASQ-9"
    scene.do("return R7")
    assert scene.last(2) == [["return", 1, "R7"], ["score", 1, 1, "MASQ-17"]]
    assert scene.where("hand 0") == {"I1", "I4", "I5", "I6", "D1", "D2", "D3", "R7"}
    assert scene.where("hand 1") == {"R5", "R6", "I2", "I3", "M1", "M2", "D4"}
    assert scene.state.seat == 0


def test_masq_9_there_is_one_exchange_in_a_turn() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "give I1").chance("D1")
    assert scene.last(3) == [["draw", 2, 3, "D1"], ["score", 3, 1, "MASQ-17"], ["skip", 2, "MASQ-10"]]
    assert scene.state.seat == 3


def test_masq_9_exchange_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"blind or courtesy, not 'open' \(MASQ-9\)"):
        Scene("masquerade", 4, exchange="open")


def test_masq_10_a_player_who_declines_does_not_play_and_the_turn_passes() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "decline")
    assert scene.last(2) == [["decline", 2], ["skip", 2, "MASQ-10"]]
    assert scene.state.seat == 3


def test_masq_10_a_player_still_unable_after_courtesy_does_not_play() -> None:
    scene = masquerade(UNABLE, exchange="courtesy").do("play R8", "play R4", "play R2", "give D4", "return I2")
    assert ["skip", 0, "MASQ-10"] in scene.log
    assert ["take", 3, "MASQ-11"] in scene.log


@pytest.mark.parametrize(("drawn", "legal"), [("M2", {"play M2"}), ("R7", {"play R7"})])
def test_masq_10_a_player_able_after_the_exchange_must_play(drawn: str, legal: set[str]) -> None:
    scene = masquerade(UNABLE).do("play R8", "play R4", "play R2", "give D4").chance(drawn)
    assert scene.state.seat == 0
    assert scene.legal == legal
    assert refusal(scene, "decline")[0] == "MASQ-9"


# the trick


def test_masq_11_the_last_card_takes_as_the_highest_of_the_suit_led() -> None:
    scene = masquerade({1: "R8", 2: "R6", 3: "R4", 0: "R2"}).do("play R8", "play R6", "play R4", "play R2")
    assert scene.last(2) == [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]
    assert scene.state.scores() == [3, 0, 0, 0]


@pytest.mark.parametrize(
    ("last", "end"), [("M4", [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]), ("M7", [["take", 0, "MASQ-18"]])]
)
def test_masq_11_a_masquerader_takes_only_if_it_is_above_those_before_it(last: str, end: list[list[object]]) -> None:
    scene = masquerade({1: "R8", 2: SUITS["D"], 3: "M6", 0: "M4 M7"}, following="suit")
    scene.do("play R8", "decline", "play M6", f"play {last}")
    assert scene.last(len(end)) == end


def test_masq_11_the_highest_of_the_suit_led_does_not_take_over_a_masquerader() -> None:
    scene = masquerade({1: "R8", 2: "R7", 3: "M8 M1 M2 M3 M4 M5 M6 M7", 0: "R1"}, dealer=0)
    scene.do("play R8", "play R7", "play M8", "play R1")
    assert scene.last() == [["take", 0, "MASQ-18"]]
    assert scene.state.scores() == [0, 0, 2, 0]


def test_masq_11_a_lone_card_takes_nothing() -> None:
    scene = masquerade({1: SUITS["M"]}).do("play M5", "decline", "decline", "decline")
    assert scene.last() == [["take", 0, "MASQ-18"]]
    assert scene.state.scores() == [0] * 4


@pytest.mark.parametrize(
    ("last", "end"),
    [
        ("card", [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]),
        ("seat", [["skip", 1, "MASQ-10"], ["take", 1, "MASQ-18"]]),
    ],
)
def test_masq_11_the_readings_differ_when_the_last_seat_could_not_play(last: str, end: list[list[object]]) -> None:
    scene = masquerade(ONE_MASKED, dealer=1, last=last).do("play I8", "decline", "play M8", "decline")
    assert scene.last(2) == end


@pytest.mark.parametrize("last", ["card", "seat"])
def test_masq_11_the_last_seats_own_card_takes_under_either_reading(last: str) -> None:
    scene = masquerade(ONE_MASKED, last=last).do("play R8", "decline", "decline", "play M8")
    assert scene.last(2) == [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]


def test_masq_11_last_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"card or seat, not 'hand' \(MASQ-11\)"):
        Scene("masquerade", 4, last="hand")


def test_masq_12_the_taker_takes_all_and_the_others_draw_in_turn_from_the_left() -> None:
    scene = masquerade({1: "R8 R7", 2: "R6 R5", 3: "R4 R3", 0: "R2 R1"})
    hand = scene.where("hand 0")
    scene.do("play R8", "play R6", "play R4", "play R2")
    assert scene.where("hand 0") == hand | {"R8", "R6", "R4"}
    assert scene.where("trick") == set()
    for seat, card in ((1, "R1"), (2, "R8"), (3, "R2")):
        assert scene.awaits == "draw"
        assert possible(scene) == scene.where("hand 0")
        assert scene.chance(card).last() == [["draw", seat, 0, card]]
    assert scene.awaits is None  # the taker does not draw
    assert sizes(scene) == [8] * 4
    assert scene.where("hand 0") == hand - {"R1", "R2"} | {"R6", "R4"}


def test_masq_12_a_player_who_did_not_play_does_not_draw() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "decline", "decline", "play M8").chance("M1")
    assert scene.last() == [["draw", 1, 0, "M1"]]
    assert scene.awaits is None
    assert sizes(scene) == [8] * 4


def test_masq_12_the_draws_begin_at_the_left_of_a_taker_in_the_middle() -> None:
    scene = masquerade({1: "R2", 2: "M1", 3: "R1", 0: "M2 M3 M4 M5 M6 M7 M8"})
    scene.do("play R2", "play M1", "play R1", "play M8").chance("R2").chance("R1").chance("M8")
    assert scene.last(3) == [["draw", 3, 2, "R2"], ["draw", 0, 2, "R1"], ["draw", 1, 2, "M8"]]


def test_masq_13_a_player_who_draws_the_very_card_they_played_scores_four() -> None:
    scene = masquerade({1: "R8", 2: "R6", 3: "R4", 0: "R2"}).do("play R8", "play R6", "play R4", "play R2")
    assert scene.chance("R8").last(2) == [["draw", 1, 0, "R8"], ["score", 1, 4, "MASQ-13"]]
    assert scene.chance("R4").last() == [["draw", 2, 0, "R4"]]  # another player's card scores nothing
    assert scene.chance("R6").last() == [["draw", 3, 0, "R6"]]
    assert scene.state.scores() == [3, 4, 0, 0]


def test_masq_13_it_counts_also_when_the_dealer_took_the_trick() -> None:
    scene = masquerade({1: SUITS["M"]}).do("play M5", "decline", "decline", "decline").chance("M5")
    assert scene.last(2) == [["draw", 1, 0, "M5"], ["score", 1, 4, "MASQ-13"]]


@pytest.mark.parametrize("players", [4, 8])
def test_masq_14_no_cards_are_dealt_again_and_every_hand_keeps_its_size(players: int) -> None:
    sitting = parlour.Sitting("masquerade", players, seed=14, games=2, listeners=())
    luck = random.Random(14)
    tricks = 0
    while not sitting.over:
        held = sitting.state.where()
        if not held["trick"]:
            tricks += 1
            assert [len(held[f"hand {seat}"]) for seat in range(players)] == [32 // players] * players
        sitting.play(luck.choice(sitting.legal()))
    assert tricks > 10
    kinds = [entry[0] for entry in sitting.log if entry[0] in ("divide", "deal", "game")]
    assert kinds == ["divide", "deal", "game", "deal", "game"]


# the score


def test_masq_15_m1_scores_five_as_it_is_laid() -> None:
    scene = masquerade({1: "R2", 2: "M1"}).do("play R2", "play M1")
    assert scene.last(2) == [["play", 2, "M1"], ["score", 2, 5, "MASQ-15"]]


def test_masq_15_m1_takes_the_trick_with_the_three_also_when_it_is_not_last() -> None:
    scene = masquerade({1: "R2", 2: "M1", 3: "R1", 0: "M2 M3 M4 M5 M6 M7 M8"})
    scene.do("play R2", "play M1", "play R1", "play M2")
    assert scene.last(2) == [["take", 2, "MASQ-15"], ["score", 2, 3, "MASQ-15"]]
    assert scene.state.scores() == [0, 0, 8, 0]


@pytest.mark.parametrize("last", ["card", "seat"])
def test_masq_15_m1_takes_as_the_last_card_too(last: str) -> None:
    scene = masquerade(ONE_MASKED, dealer=1, last=last).do("play I8", "decline", "play M1", "decline")
    assert scene.last(2) == [["take", 0, "MASQ-15"], ["score", 0, 3, "MASQ-15"]]


def test_masq_15_last_m1_takes_nothing_where_it_is_not_the_last_card() -> None:
    scene = masquerade({1: "R2", 2: "M1", 3: "R1", 0: "M2 M3 M4 M5 M6 M7 M8"}, number_one="last")
    scene.do("play R2", "play M1")
    assert scene.last() == [["score", 2, 5, "MASQ-15"]]
    scene.do("play R1", "play M2")
    assert scene.last() == [["take", 0, "MASQ-18"]]
    assert scene.state.scores() == [0, 0, 5, 0]


def test_masq_11_last_m1_takes_as_the_last_card_by_this_clause() -> None:
    scene = masquerade({1: "R2", 2: "R8", 3: "R1", 0: "M1"}, number_one="last", following="suit")
    scene.do("play R2", "play R8", "play R1", "play M1")
    assert scene.last(3) == [["score", 0, 5, "MASQ-15"], ["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]


@pytest.mark.parametrize(
    ("last", "end"),
    [
        ("card", [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"]]),
        ("seat", [["skip", 1, "MASQ-10"], ["take", 1, "MASQ-18"]]),
    ],
)
def test_masq_15_last_m1_takes_as_the_last_card_laid_only_where_masq_11_lets_it(
    last: str, end: list[list[object]]
) -> None:
    scene = masquerade(ONE_MASKED, dealer=1, last=last, number_one="last")
    scene.do("play I8", "decline", "play M1", "decline")
    assert scene.last(2) == end


def test_masq_15_number_one_has_no_other_value() -> None:
    with pytest.raises(OptionError, match=r"always or last, not 'first' \(MASQ-15\)"):
        Scene("masquerade", 4, number_one="first")


def test_masq_15_m1_played_again_takes_but_scores_no_five() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "decline", "decline", "play M1").chance("R8")
    scene.do("play I8", "decline", "play M1")
    assert scene.last() == [["play", 0, "M1"]]
    scene.do("decline")
    assert scene.last(2) == [["take", 0, "MASQ-15"], ["score", 0, 3, "MASQ-15"]]
    assert scene.state.scores()[0] == 5 + 3 + 3


def test_masq_15_m1_scores_five_again_in_the_next_game() -> None:
    scene = Scene("masquerade", 4, games=2)
    scene.chance(*scene.game.codes)
    masked_game(scene, 0, 0, "M1")
    deal(scene, ONE_MASKED, 0).do("play R8", "decline", "decline", "play M1")
    assert [entry for entry in scene.log if entry[2:] == [5, "MASQ-15"]] == [["score", 0, 5, "MASQ-15"]] * 2


def test_masq_16_a_card_on_the_next_below_scores_two() -> None:
    scene = masquerade({1: "R3", 2: "R2", 3: "R1"}).do("play R3", "play R2")
    assert scene.last(2) == [["play", 2, "R2"], ["score", 2, 2, "MASQ-16"]]
    assert scene.do("play R1").last(2) == [["play", 3, "R1"], ["score", 3, 2, "MASQ-16"]]


def test_masq_16_masqueraders_score_in_this_way_too() -> None:
    scene = masquerade({1: "M8", 2: "M7"}).do("play M8", "play M7")
    assert scene.last(2) == [["play", 2, "M7"], ["score", 2, 2, "MASQ-16"]]


def test_masq_16_m1_on_m2_scores_by_this_and_then_by_masq_15() -> None:
    scene = masquerade({1: "R1", 2: "M2", 3: "M1"}).do("play R1", "play M2", "play M1")
    assert scene.last(3) == [["play", 3, "M1"], ["score", 3, 2, "MASQ-16"], ["score", 3, 5, "MASQ-15"]]


def test_masq_16_a_card_further_below_or_above_scores_nothing() -> None:
    scene = masquerade({1: "R5", 2: "R3", 3: "R4"}, following="suit").do("play R5", "play R3", "play R4")
    assert scene.last(3) == [["play", 1, "R5"], ["play", 2, "R3"], ["play", 3, "R4"]]


def test_masq_16_only_the_card_played_last_counts() -> None:
    scene = masquerade({1: "R5", 2: "M8", 3: "R4"}, following="suit").do("play R5", "play M8", "play R4")
    assert scene.last() == [["play", 3, "R4"]]


def test_masq_16_players_who_did_not_play_are_ignored() -> None:
    scene = masquerade({1: "R5", 2: SUITS["D"], 3: "R4"}).do("play R5", "decline", "play R4")
    assert scene.last() == [["score", 3, 2, "MASQ-16"]]


def test_masq_16_cards_of_two_suits_score_nothing() -> None:
    """M8 is the next card of the pack above a No. 1, but not of its suit."""
    scene = masquerade({1: "R1", 2: "M8"}).do("play R1", "play M8")
    assert scene.last() == [["play", 2, "M8"]]


def test_masq_17_each_exchange_scores_one_for_the_player_at_the_left() -> None:
    scene = masquerade(UNABLE).do("play R8", "play R4", "play R2", "give D4").chance("M2")
    assert scene.last(2) == [["draw", 0, 1, "M2"], ["score", 1, 1, "MASQ-17"]]
    assert scene.state.scores()[1] == 1


def test_masq_17_every_exchange_of_a_trick_scores() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "give I1").chance("D1").do("give D8").chance("M8")
    assert [entry for entry in scene.log if entry[-1] == "MASQ-17"] == [
        ["score", 3, 1, "MASQ-17"],
        ["score", 0, 1, "MASQ-17"],
    ]


def test_masq_17_declining_scores_nothing() -> None:
    scene = masquerade(ONE_MASKED).do("play R8", "decline", "decline")
    assert scene.state.scores() == [0] * 4


def test_masq_18_otherwise_the_dealer_takes_the_trick_and_scores_nothing() -> None:
    scene = masquerade({3: "R1", 0: "R5", 1: "R6", 2: "R7"}, dealer=2, following="suit")
    scene.do("play R1", "play R5", "play R6", "play R7")
    assert scene.last() == [["take", 2, "MASQ-18"]]
    assert scene.where("hand 2") >= {"R1", "R5", "R6", "R7"}
    scene.chance("R5").chance("R6").chance("R1")
    assert scene.last(3) == [["draw", 3, 2, "R5"], ["draw", 0, 2, "R6"], ["draw", 1, 2, "R1"]]
    assert scene.awaits is None  # the dealer played, and does not draw
    assert sizes(scene) == [8] * 4
    assert scene.state.scores() == [0] * 4


def test_masq_18_a_dealer_who_did_not_play_takes_it_too() -> None:
    scene = masquerade(ONE_MASKED, dealer=2, last="seat").do("play D8", "play M8", "decline", "decline")
    assert scene.last() == [["take", 2, "MASQ-18"]]
    scene.chance("M8").chance("I1")
    assert scene.last(2) == [["draw", 3, 2, "M8"], ["draw", 0, 2, "I1"]]
    assert sizes(scene) == [8] * 4


def test_masq_18_the_worked_trick_of_the_sheet() -> None:
    """The worked trick at the foot of the sheet."""
    hands = {
        1: "I7 I2 M1 M2 M3 M6 M7 D5",
        2: "I6 I1 I3 I4 I5 I8 M4 M5",
        3: "M8 R4 R5 R6 R7 D6 D7 D8",
        0: "R8 R1 R2 R3 D1 D2 D3 D4",
    }
    scene = masquerade(hands).do("play I7", "play I6")
    assert scene.legal == {"play M8"}
    scene.do("play M8", "give R8").chance("I2")
    assert scene.legal == {"play I2"}
    scene.do("play I2")
    assert scene.log[2:] == [
        ["play", 1, "I7"],
        ["play", 2, "I6"],
        ["score", 2, 2, "MASQ-16"],
        ["play", 3, "M8"],
        ["give", 0, "R8"],
        ["draw", 0, 1, "I2"],
        ["score", 1, 1, "MASQ-17"],
        ["play", 0, "I2"],
        ["take", 0, "MASQ-18"],
    ]
    scene.chance("I7").chance("M8").chance("R1")
    assert scene.last(4) == [
        ["draw", 1, 0, "I7"],
        ["score", 1, 4, "MASQ-13"],
        ["draw", 2, 0, "M8"],
        ["draw", 3, 0, "R1"],
    ]
    assert scene.state.scores() == [0, 5, 2, 0]
    assert scene.state.seat == 2


@pytest.mark.parametrize("players", [4, 8])
def test_masq_19_the_lead_goes_round_to_the_left_no_matter_who_took(players: int) -> None:
    sitting = parlour.Sitting("masquerade", players, seed=19, listeners=())
    luck = random.Random(19)
    leaders, takers = [], set()
    while not sitting.over:
        if not sitting.state.where()["trick"]:
            leaders.append(sitting.seat)
        sitting.play(luck.choice(sitting.legal()))
        takers |= {entry[1] for entry in sitting.log if entry[0] == "take"}
    assert ["skip", "MASQ-6"] not in [[entry[0], entry[-1]] for entry in sitting.log]
    assert leaders == [(leaders[0] + turn) % players for turn in range(len(leaders))]
    assert len(leaders) > players and len(takers) > 1


# the end


def masked_game(scene: Scene, dealer: int, masker: int, card: str = "M8") -> None:
    """A game in which one seat holds every Masquerader, always plays the same one, and wins."""
    others = [seat for seat in range(4) if seat != masker]
    deal(scene, {masker: SUITS["M"]} | dict(zip(others, (SUITS["R"], SUITS["I"], SUITS["D"]), strict=True)), dealer)
    while scene.awaits != "deal" and not scene.state.over:
        if scene.awaits == "draw":
            draw_own(scene)
        elif "decline" in scene.legal:
            scene.do("decline")
        else:
            scene.do(f"play {card}" if f"play {card}" in scene.legal else max(scene.legal))


def level_game(scene: Scene, dealer: int) -> None:
    """A game in which the dealer takes every trick, and the others always draw the card they played."""
    deal(scene, {0: "R1 R5", 1: "R2 R6", 2: "R3 R7", 3: "R4 R8"}, dealer)
    while scene.awaits != "deal" and not scene.state.over:
        lead = scene.state.seat
        scene.do(f"play R{lead + 1}", *[f"play R{(lead + turn) % 4 + 5}" for turn in (1, 2, 3)])
        draw_own(scene)


def sitting(games: int) -> Scene:
    """A sitting of several games, divided so that seat 0 is the first dealer."""
    scene = Scene("masquerade", 4, games=games, following="suit")
    return scene.chance(*scene.game.codes)


def at_27() -> Scene:
    """Seat 0, dealer with every Masquerader, has 27 points and the others 12; seat 1 is to lead."""
    scene = masquerade(ONE_MASKED)
    for _ in range(3):
        scene.do("play R8", "decline", "decline", "play M8").chance("R8")
        scene.do("play I8", "decline", "play M8", "decline").chance("I8")
        scene.do("play D8", "play M8", "decline", "decline").chance("D8")
        scene.do("play M8", "decline", "decline", "decline")
    assert scene.state.scores() == [27, 12, 12, 12]
    return scene


def at_30() -> Scene:
    """Seat 0 has 30 points, and seat 2 has led I8: it is the turn of seat 3."""
    scene = at_27().do("play R8", "decline", "decline", "play M8").chance("R8").do("play I8")
    assert scene.state.scores() == [30, 16, 12, 12]
    return scene


def test_masq_20_the_game_is_over_in_the_middle_of_a_trick() -> None:
    scene = at_30().do("decline", "play M1")
    assert scene.last(3) == [["play", 0, "M1"], ["score", 0, 5, "MASQ-15"], ["game", 0]]
    assert scene.state.over
    assert scene.legal == set()
    assert scene.state.scores() == [35, 16, 12, 12]
    assert scene.state.winners() == [0]
    assert scene.refused("decline").sentence == "The sitting is over: nothing more can be played."


def test_masq_20_thirty_two_points_complete_the_game_and_thirty_one_do_not() -> None:
    """The point of an exchange (MASQ-17) completes the game: the card drawn is not played any more."""
    scene = at_27().do("play R8", "decline", "give D8").chance("M8").do("play M8", "play M6").chance("R8").chance("D8")
    assert scene.state.scores()[0] == 31
    assert not scene.state.over
    scene.do("play I8", "give D8").chance("M8")
    assert scene.last(4) == [["give", 3, "D8"], ["draw", 3, 0, "M8"], ["score", 0, 1, "MASQ-17"], ["game", 0]]
    assert scene.state.over
    assert scene.state.scores()[0] == 32


def test_masq_20_no_later_score_is_written() -> None:
    """M1 on M2 completes the game with its 2; the 5 comes too late."""
    scene = at_30().do("give D8").chance("M2").do("play M2", "play M1")
    assert scene.last(3) == [["play", 0, "M1"], ["score", 0, 2, "MASQ-16"], ["game", 0]]
    assert scene.state.scores()[0] == 33


def test_masq_20_no_draw_is_written_after_the_takers_three() -> None:
    scene = at_30().do("decline", "play M8", "decline")
    assert scene.last(3) == [["take", 0, "MASQ-11"], ["score", 0, 3, "MASQ-11"], ["game", 0]]
    assert scene.awaits is None


def test_masq_20_the_first_to_reach_32_is_the_one_winner() -> None:
    """Seats 1, 2 and 3 have 28 each; seat 1 draws first, and the others do not draw any more."""
    scene = sitting(1)
    level_game(scene, 0)
    assert [entry[1] for entry in scene.last(3)] == [1, 1, 1]
    assert scene.last(2) == [["score", 1, 4, "MASQ-13"], ["game", 1]]
    assert scene.state.scores() == [0, 32, 28, 28]
    assert scene.state.winners() == [1]


def test_masq_20_the_winner_deals_the_next_game() -> None:
    scene = sitting(2)
    level_game(scene, 0)
    assert scene.last() == [["game", 1]]
    assert scene.awaits == "deal"
    pack = random.Random(20).sample(scene.game.codes, 32)
    scene.chance(*pack)
    assert scene.where("hand 2") == set(pack[::4])
    assert scene.state.seat == 2


def test_masq_20_each_game_begins_at_0_points_and_the_points_are_summed() -> None:
    scene = sitting(2)
    level_game(scene, 0)
    level_game(scene, 1)
    assert [entry for entry in scene.log if entry[0] == "game"] == [["game", 1], ["game", 2]]
    assert scene.state.scores() == [0 + 28, 32 + 0, 28 + 32, 28 + 28]
    assert scene.state.over


def test_masq_20_most_games_win_before_most_points() -> None:
    scene = sitting(3)
    level_game(scene, 0)
    level_game(scene, 1)
    masked_game(scene, 2, 1)
    assert [entry[1] for entry in scene.log if entry[0] == "game"] == [1, 2, 1]
    assert scene.state.scores() == [36, 64, 68, 68]
    assert scene.state.winners() == [1]


def test_masq_20_most_points_win_before_the_last_games_winner() -> None:
    scene = sitting(2)
    level_game(scene, 0)
    masked_game(scene, 1, 0)
    assert [entry[1] for entry in scene.log if entry[0] == "game"] == [1, 0]
    assert scene.state.scores() == [32, 40, 40, 36]  # seat 2 has won no game
    assert scene.state.winners() == [1]


def test_masq_20_the_last_games_winner_breaks_a_tie() -> None:
    scene = sitting(2)
    masked_game(scene, 0, 1)
    masked_game(scene, 1, 2)
    assert [entry[1] for entry in scene.log if entry[0] == "game"] == [1, 2]
    assert scene.state.scores() == [16, 41, 41, 16]
    assert scene.state.winners() == [2]


def test_masq_20_otherwise_they_share() -> None:
    scene = sitting(3)
    masked_game(scene, 0, 1, "M1")
    masked_game(scene, 1, 2, "M1")
    masked_game(scene, 2, 0)
    assert [entry[1] for entry in scene.log if entry[0] == "game"] == [1, 2, 0]
    assert scene.state.scores() == [49, 51, 51, 28]
    assert scene.state.winners() == [1, 2]


@pytest.mark.parametrize("games", [0, 1001])
def test_masq_20_a_sitting_has_1_to_1000_games(games: int) -> None:
    with pytest.raises(OptionError, match=r"from 1 to 1,?000, not \d+ \(MASQ-20\)"):
        Scene("masquerade", 4, games=games)
    assert Scene("masquerade", 4, games=1000).state.options["games"] == 1000
