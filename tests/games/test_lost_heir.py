"""Lost Heir, clause by clause: each test lays out the cards and plays them by name."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from support.scenes import Scene, in_turn, lost_heir


def suit(letter: str, first: int = 1, last: int = 11) -> str:
    return " ".join(f"{letter}{rank}" for rank in range(first, last + 1))


def suits(one: str, two: str, three: str, four: str) -> dict[int, str]:
    """Four hands of a whole suit and an odd card: seats 1, 2, 3 and 0 hold N, P, B and C."""
    return {1: f"{suit('N')} {one}", 2: f"{suit('P')} {two}", 3: f"{suit('B')} {three}", 0: f"{suit('C')} {four}"}


def tricks(*hands: str) -> str:
    """The cards of several tricks, from the cards of each player in the order of play."""
    return " ".join(card for trick in zip(*(hand.split() for hand in hands), strict=True) for card in trick)


def name_trumps(scene: Scene, trump: str, bid: int = 1) -> Scene:
    """The first bidder bids and names; the others pass."""
    return scene.do(f"bid {bid}", *["pass"] * (scene.state.players - 1), f"trump {trump}")


def opened(hands: dict[int, str], trump: str, bid: int = 1, players: int = 4, **options: Any) -> Scene:
    """A deal in which seat 1 has bid and named trumps, and leads."""
    return name_trumps(lost_heir(hands, players, **options), trump, bid)


def lay(scene: Scene, cards: str) -> Scene:
    return scene.do(*(f"play {card}" for card in cards.split()))


def deal_next(scene: Scene, hands: dict[int, str], dealer: int) -> Scene:
    players = scene.state.players
    order = [(dealer + 1 + turn) % players for turn in range(players)]
    return scene.chance(*in_turn(hands, order, 48 // players, scene.game.codes))


def plays(cards: str) -> set[str]:
    return {f"play {card}" for card in cards.split()}


def refusal(scene: Scene, step: str) -> tuple[str, str]:
    refused = scene.refused(step)
    return refused.clause, refused.sentence


# Two players. With these hands the player who names N makes 13 points, the other 12; the cards are in order of play.
STRONG, WEAK = f"{suit('N')} {suit('P')} LH NY", f"{suit('B')} {suit('C')} PH WB"
THIRTEEN_TWELVE = " ".join(
    [
        tricks(f"{suit('N', 1, 9)} LH N10 NY", f"{suit('B', 1, 10)} WB B11"),
        tricks(f"{suit('C')} PH", f"{suit('P')} N11"),
    ]
)
# The same hands with all 24 tricks; the Lost Heir counts or not, and the Wrong Boy counts or not.
TWENTY_NINE = tricks(f"{suit('N')} {suit('P')} LH NY", f"{suit('B')} {suit('C', 1, 10)} PH C11 WB")
TWENTY_FIVE = tricks(f"{suit('N')} {suit('P')} LH NY", f"{suit('B')} {suit('C', 1, 10)} WB C11 PH")
TWENTY_FOUR = tricks(f"{suit('N')} {suit('P')} LH NY", f"{suit('B')} {suit('C')} PH WB")


# the pack and its ranks


def test_heir_1_forty_eight_cards_in_four_suits_and_four_odd_ones() -> None:
    scene = lost_heir({})
    kind, pack = scene.last()[0]
    assert kind == "deal"
    assert sorted(pack) == sorted(f"{suit('N')} {suit('P')} {suit('B')} {suit('C')} NY PH WB LH".split())


def test_heir_1_city_cards_belong_to_no_suit() -> None:
    scene = lay(opened({1: "N1", 2: f"N2 P1 NY PH {suit('B', 1, 8)}"}, "N"), "N1")
    assert scene.legal == plays("N2")
    # and when the City card Philadelphia is led, nobody needs to follow with the suit of Philadelphia
    scene = lay(opened(suits("PH", "NY", "LH", "WB"), "C"), "PH")
    assert scene.legal == plays(suit("P") + " NY")


@pytest.mark.parametrize("rank", range(1, 11))
def test_heir_2_each_rank_is_below_the_next(rank: int) -> None:
    scene = lay(opened({1: f"N{rank}", 0: f"N{rank + 1}"}, "N", players=2), f"N{rank} N{rank + 1}")
    assert scene.last(2) == [["take", 0, "HEIR-11"], ["score", 0, 1, "HEIR-12"]]
    scene = lay(opened({1: f"N{rank + 1}", 0: f"N{rank}"}, "N", players=2), f"N{rank + 1} N{rank}")
    assert scene.last(2) == [["take", 1, "HEIR-11"], ["score", 1, 1, "HEIR-12"]]


def test_heir_2_the_mayor_is_eleven_and_policemen_are_one_to_five() -> None:
    names = parlour.game("lost-heir").card_names
    ranks = "Mayor Commissioner Chief Captain Detective Sergeant".split()
    assert [names[f"B{rank}"] for rank in range(11, 5, -1)] == [f"Boston {rank}" for rank in ranks]
    assert [names[f"C{rank}"] for rank in range(1, 6)] == [f"Chicago Policeman No. {rank}" for rank in range(1, 6)]


def test_heir_3_the_lost_heir_takes_any_trick() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N"), "N11 LH B1 C1")
    assert scene.last(3) == [["take", 2, "HEIR-3"], ["score", 2, 1, "HEIR-12"], ["score", 2, 5, "HEIR-13"]]
    assert scene.state.seat == 2


def test_heir_3_the_lost_heir_takes_the_trick_it_leads() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "C"), "LH P11 B11 C11")
    assert ["take", 1, "HEIR-3"] in scene.last(3)


def test_heir_3_the_wrong_boy_is_below_the_lowest_policeman() -> None:
    scene = lay(opened(suits("WB", "NY", "PH", "LH"), "N"), "N1 P2 B2 C2 WB P1 B11 C11")
    assert scene.last(2) == [["take", 2, "HEIR-11"], ["score", 2, -3, "HEIR-14"]]


def test_heir_3_the_wrong_boy_is_below_a_city_card() -> None:
    scene = lay(opened({1: f"WB {suit('N')} {suit('P')} LH", 0: "NY"}, "C", players=2), "WB NY")
    assert scene.last(3)[0] == ["take", 0, "HEIR-11"]


CITY_TRICKS = [
    ("N1 LH NY C1", 2, ["LH"], "HEIR-3"),
    ("PH LH B1 C1", 2, ["LH"], "HEIR-3"),
    ("N1 P1 NY WB", 1, ["WB"], "HEIR-11"),
    ("PH P1 B1 WB", 2, ["WB"], "HEIR-11"),
    ("N1 LH NY WB", 2, ["LH", "WB"], "HEIR-3"),
    ("PH LH NY WB", 2, ["LH", "WB"], "HEIR-3"),
    ("PH P1 NY C1", 0, [], "HEIR-11"),
]


@pytest.mark.parametrize("wrong_boy", ["counts", "less"])
@pytest.mark.parametrize(("cards", "taker", "stopped", "clause"), CITY_TRICKS)
def test_heir_4_a_city_card_keeps_the_boys_from_counting(
    cards: str, taker: int, stopped: list[str], clause: str, wrong_boy: str
) -> None:
    scene = lay(opened(suits("PH", "LH", "NY", "WB"), "C", wrong_boy=wrong_boy), cards)
    voids = [["void", card, "HEIR-4"] for card in stopped]
    assert scene.last(3 + len(stopped))[1:] == [["take", taker, clause], *voids, ["score", taker, 1, "HEIR-12"]]


def test_heir_4_a_city_card_in_another_trick_changes_nothing() -> None:
    scene = lay(opened(suits("PH", "LH", "NY", "WB"), "C"), "PH P1 NY C1 C2 N1 LH B1")
    assert scene.last(3) == [["take", 2, "HEIR-3"], ["score", 2, 1, "HEIR-12"], ["score", 2, 5, "HEIR-13"]]


# the deal


@pytest.mark.parametrize(("players", "size"), [(2, 24), (3, 16), (4, 12), (6, 8)])
def test_heir_5_all_the_cards_are_dealt_one_at_a_time_from_the_left(players: int, size: int) -> None:
    scene = Scene("lost-heir", players).chance(1)
    pack = scene.game.codes
    scene.chance(*pack)
    for turn in range(players):
        hand = scene.where(f"hand {(2 + turn) % players}")
        assert hand == set(pack[turn::players]) and len(hand) == size


def test_heir_5_the_first_dealer_is_found_by_chance() -> None:
    scene = Scene("lost-heir", 3)
    assert scene.awaits == "dealer" and scene.state.possible() == [0, 1, 2]
    assert scene.chance(2).log == [["dealer", 2]]
    assert scene.awaits == "deal"


def test_heir_5_the_deal_passes_to_the_left() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2), THIRTEEN_TWELVE)
    assert scene.awaits == "deal"
    deal_next(scene, {}, dealer=1)
    assert scene.state.seat == 0
    assert scene.where("tricks taken") == set() and len(scene.where("hand 0")) == 24
    assert scene.do("pass").state.seat == 1


def test_heir_5_a_card_not_held_cannot_be_played() -> None:
    scene = opened(suits("LH", "NY", "PH", "WB"), "N")
    assert refusal(scene, "play WB") == ("HEIR-5", "You do not hold WB.")


def test_heir_5_five_players_cannot_play() -> None:
    with pytest.raises(parlour.OptionError, match=r"2, 3, 4 or 6 players, not 5 \(HEIR-5\)"):
        Scene("lost-heir", 5)


# the bidding


@pytest.mark.parametrize(("players", "most"), [(2, 29), (3, 21), (4, 17), (6, 13)])
def test_heir_6_bids_go_from_one_to_the_tricks_plus_five(players: int, most: int) -> None:
    scene = lost_heir({}, players)
    assert scene.legal == {"pass", *(f"bid {bid}" for bid in range(1, most + 1))}


def test_heir_6_each_player_bids_once_from_the_dealers_left_and_the_dealer_last() -> None:
    scene = lost_heir({}, dealer=2).do("bid 3", "pass", "bid 5", "bid 4")
    assert scene.last(4) == [["bid", 3, 3], ["bid", 0, 0], ["bid", 1, 5], ["bid", 2, 4]]
    assert scene.state.seat == 1 and scene.legal == {"trump N", "trump P", "trump B", "trump C"}


def test_heir_6_a_bid_higher_than_can_be_made_is_refused() -> None:
    scene = lost_heir({})
    assert refusal(scene, "bid 18") == ("HEIR-6", "A bid is 1 to 17, or a pass.")
    assert refusal(scene, "trump N")[0] == "HEIR-6"


def test_heir_7_no_number_is_bid_twice() -> None:
    scene = lost_heir({}).do("bid 6", "bid 8")
    sentence = "has been bid already: no two may bid the same number."
    assert refusal(scene, "bid 6") == ("HEIR-7", f"6 {sentence}")
    assert refusal(scene, "bid 8") == ("HEIR-7", f"8 {sentence}")
    assert scene.legal == {"pass", *(f"bid {bid}" for bid in range(1, 18) if bid not in (6, 8))}


def test_heir_7_a_lower_bid_may_be_made_but_the_highest_bidder_names() -> None:
    scene = lost_heir({}).do("bid 6", "bid 2", "bid 7", "bid 5")
    assert scene.state.seat == 3


def test_heir_7_rising_asks_for_a_higher_bid_or_a_pass() -> None:
    scene = lost_heir({}, bids="rising").do("bid 6")
    assert scene.legal == {"pass", *(f"bid {bid}" for bid in range(7, 18))}
    assert refusal(scene, "bid 5") == ("HEIR-7", "5 is too low: a bid must be higher than the 6 bid already.")
    assert refusal(scene, "bid 6") == ("HEIR-7", "6 has been bid already: no two may bid the same number.")
    assert refusal(scene, "bid 18")[0] == "HEIR-6"
    scene.do("pass", "bid 9", "pass")
    assert scene.state.seat == 3 and "trump N" in scene.legal


def test_heir_7_rising_lets_the_others_only_pass_after_the_highest_bid_there_is() -> None:
    scene = lost_heir({}, bids="rising").do("bid 17")
    for seat in (2, 3, 0):
        assert scene.state.seat == seat and scene.legal == {"pass"}
        scene.do("pass")
    assert scene.last(3) == [["bid", 2, 0], ["bid", 3, 0], ["bid", 0, 0]]


def test_heir_7_any_number_of_players_may_pass() -> None:
    scene = lost_heir({}).do("pass", "pass", "pass")
    assert "pass" in scene.legal


def test_heir_7_bids_of_an_earlier_deal_are_forgotten() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=13, players=2), THIRTEEN_TWELVE)
    deal_next(scene, {0: WEAK, 1: STRONG}, dealer=1)
    assert "bid 13" in scene.legal
    scene.do("bid 2", "bid 1", "trump B")
    assert scene.last() == [["trump", 0, "B"]]
    assert scene.legal == plays(suit("B"))


@pytest.mark.parametrize("trump", "NPBC")
def test_heir_8_the_highest_bidder_names_any_suit(trump: str) -> None:
    scene = lost_heir({}).do("pass", "bid 4", "bid 3", "pass", f"trump {trump}")
    assert scene.last() == [["trump", 2, trump]]


def test_heir_8_nothing_is_played_before_trumps_are_named() -> None:
    scene = lost_heir(suits("LH", "NY", "PH", "WB")).do("bid 4", "pass", "pass", "pass")
    expected = ("HEIR-8", "The highest bidder now names the trump suit: N, P, B or C.")
    assert refusal(scene, "play N1") == expected
    assert refusal(scene, "bid 5") == expected
    scene.do("trump N")
    assert refusal(scene, "trump P") == ("HEIR-9", "Bids and trumps are settled: play a card.")


def test_heir_8a_redeal_passes_the_deal_to_the_left_when_all_pass() -> None:
    scene = lost_heir({}, all_pass="redeal").do("pass", "pass", "pass", "pass")
    assert scene.last(2) == [["bid", 0, 0], ["redeal", "HEIR-8a"]]
    assert scene.awaits == "deal" and scene.state.scores() == [0, 0, 0, 0]
    deal_next(scene, {}, dealer=1)
    assert scene.state.seat == 2
    assert len(scene.legal) == 18


def test_heir_8a_all_may_pass_after_a_deal_that_was_played() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2), THIRTEEN_TWELVE)
    deal_next(scene, {}, dealer=1).do("pass", "pass")
    assert scene.last() == [["redeal", "HEIR-8a"]] and scene.state.scores() == [12, 13]


def test_heir_8a_dealer_lets_the_dealer_name_when_all_pass() -> None:
    scene = lost_heir({0: suit("C")}, all_pass="dealer").do("pass", "pass", "pass", "pass")
    assert scene.last() == [["bid", 0, 0]]
    assert scene.state.seat == 0 and scene.legal == {"trump N", "trump P", "trump B", "trump C"}
    scene.do("trump C")
    assert scene.last() == [["trump", 0, "C"]] and scene.state.seat == 0


def test_heir_8a_the_dealers_bid_is_one_and_one_point_makes_it() -> None:
    scene = lost_heir(suits("NY", "PH", "LH", "WB"), all_pass="dealer").do("pass", "pass", "pass", "pass", "trump N")
    lay(scene, "C1 NY P1 B1 WB N1 P2 B2")
    lay(scene, tricks(suit("N", 2), suit("P", 3) + " PH", suit("B", 3) + " LH", suit("C", 2)))
    assert scene.last(2) == [["score", 3, 1, "HEIR-12"], ["total", [1, 6, 0, 1]]]


def test_heir_8a_the_dealers_bid_is_one_and_no_points_fail_it() -> None:
    scene = lost_heir(suits("NY", "PH", "LH", "WB"), all_pass="dealer").do("pass", "pass", "pass", "pass", "trump N")
    lay(scene, "C1 N1 P1 B1")
    lay(scene, tricks(suit("N", 2) + " NY", suit("P", 2) + " PH", suit("B", 2) + " LH", suit("C", 2) + " WB"))
    assert scene.last(2) == [["fail", 0, 0, "HEIR-16"], ["total", [0, 11, 0, 1]]]


# the trick


@pytest.mark.parametrize("odd_cards", ["void", "free"])
def test_heir_9_the_player_who_named_leads_a_trump(odd_cards: str) -> None:
    scene = opened({1: f"N3 N8 {suit('P', 1, 9)} LH"}, "N", odd_cards=odd_cards)
    assert scene.state.seat == 1 and scene.legal == plays("N3 N8")
    sentence = "The player who named the trump suit leads first, and must lead a trump: N3, N8."
    assert refusal(scene, "play P1") == ("HEIR-9", sentence)
    assert refusal(scene, "play LH") == ("HEIR-9", sentence)


def test_heir_9_the_player_who_named_leads_though_another_bid_first() -> None:
    scene = lost_heir(suits("LH", "NY", "PH", "WB")).do("bid 1", "pass", "bid 2", "pass", "trump B")
    assert scene.state.seat == 3 and scene.legal == plays(suit("B"))


def test_heir_9_without_a_trump_any_card_may_be_led() -> None:
    scene = opened(suits("LH", "NY", "PH", "WB"), "C")
    assert scene.legal == plays(suit("N") + " LH")


def test_heir_9_another_first_lead_is_fined() -> None:
    scene = opened({1: f"N3 {suit('P')}"}, "N", mistakes="penalised")
    assert scene.legal == plays("N3 " + suit("P"))
    lay(scene, "P1")
    assert scene.last(2) == [["play", 1, "P1"], ["score", 1, -3, "HEIR-15"]]


def test_heir_9_an_odd_first_lead_is_fined_though_odd_cards_are_free() -> None:
    scene = lay(opened({1: f"N3 {suit('P', 1, 10)} NY"}, "N", mistakes="penalised", odd_cards="free"), "NY")
    assert scene.last() == [["score", 1, -3, "HEIR-15"]]


def test_heir_9_a_first_lead_without_a_trump_in_hand_is_not_fined() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "C", mistakes="penalised"), "N1")
    assert scene.last() == [["play", 1, "N1"]]


@pytest.mark.parametrize("mistakes", ["prevented", "penalised"])
def test_heir_9a_a_later_lead_is_free(mistakes: str) -> None:
    hands = {1: f"N1 N2 N11 {suit('P', 1, 8)} LH", 2: suit("B"), 3: suit("C"), 0: "N3"}
    scene = lay(opened(hands, "N", mistakes=mistakes), "N11 B1 C1 N3")
    assert scene.state.seat == 1 and scene.legal == plays(f"N1 N2 {suit('P', 1, 8)} LH")
    lay(scene, "P1")
    assert scene.last() == [["play", 1, "P1"]]


# After New York City is led by seat 1, seats 2 and 3 can play several suits.
ODD_LED = {1: suit("N") + " NY", 2: f"P1 B1 {suit('C', 1, 8)} PH LH", 3: f"P2 B2 B3 C9 {suit('P', 3, 9)} WB"}
FOLLOWER = f"N2 N5 {suit('P', 1, 9)} LH"


def test_heir_10_void_allows_odd_cards_only_without_the_suit_led() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", odd_cards="void"), "N1")
    assert scene.legal == plays("N2 N5")
    expected = ("HEIR-10", "Follow the suit led while you can: N2, N5.")
    assert refusal(scene, "play P1") == expected
    assert refusal(scene, "play LH") == expected


def test_heir_10_free_allows_an_odd_card_at_any_time() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", odd_cards="free"), "N1")
    assert scene.legal == plays("N2 N5 LH")
    assert refusal(scene, "play P1") == ("HEIR-10", "Follow the suit led while you can: N2, N5, LH.")


@pytest.mark.parametrize("odd_cards", ["void", "free"])
def test_heir_10_a_player_who_cannot_follow_may_play_any_card(odd_cards: str) -> None:
    hands = {1: f"N1 {suit('N', 2)} PH", 2: f"C1 C11 {suit('P', 1, 9)} LH"}
    scene = lay(opened(hands, "C", odd_cards=odd_cards), "N1")
    assert scene.legal == plays(hands[2])


@pytest.mark.parametrize("odd_cards", ["void", "free"])
def test_heir_10_after_a_led_odd_card_the_first_suited_card_sets_the_suit(odd_cards: str) -> None:
    scene = lay(opened(ODD_LED, "B", odd_cards=odd_cards), "NY")
    assert scene.legal == plays(ODD_LED[2])
    lay(scene, "C1")
    assert scene.legal == plays("C9" if odd_cards == "void" else "C9 WB")


def test_heir_10_two_odd_cards_still_set_no_suit() -> None:
    scene = lay(opened(ODD_LED, "B"), "NY PH")
    assert scene.legal == plays(ODD_LED[3])
    lay(scene, "P2")
    assert scene.legal == plays("P10 P11")


def test_heir_10_a_trump_that_sets_the_suit_must_be_followed() -> None:
    hands = {1: suit("N") + " NY", 2: f"B1 P1 {suit('C', 1, 9)} PH", 3: f"B2 B7 P2 {suit('P', 3, 10)} LH"}
    scene = lay(opened(hands, "B"), "NY B1")
    assert scene.legal == plays("B2 B7")


def test_heir_11_the_highest_trump_takes() -> None:
    hands = {1: f"{suit('N', 1, 10)} P1 P2", 2: "C1", 3: "C5", 0: "N11"}
    scene = lay(opened(hands, "C"), "N10 C1 C5 N11")
    assert scene.last(2) == [["take", 3, "HEIR-11"], ["score", 3, 1, "HEIR-12"]]


def test_heir_11_without_a_trump_the_highest_of_the_suit_to_follow_takes() -> None:
    hands = {1: f"{suit('N', 1, 10)} P1 P2", 2: "P11", 3: "B11", 0: "N11"}
    scene = lay(opened(hands, "C"), "N3 P11 B11 N11")
    assert scene.last(2)[0] == ["take", 0, "HEIR-11"]


def test_heir_11_the_player_who_takes_leads_next() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "B"), "N11 P11 B1 C11")
    assert scene.last(2)[0] == ["take", 3, "HEIR-11"]
    assert scene.state.seat == 3
    assert scene.legal == plays(suit("B", 2) + " PH")


def test_heir_11_the_first_suited_card_after_an_odd_one_beats_other_suits() -> None:
    scene = lay(opened(suits("NY", "PH", "LH", "WB"), "N"), "N1 P1 B1 C1 NY P2 B11 C11")
    assert scene.last(2) == [["take", 2, "HEIR-11"], ["score", 2, 1, "HEIR-12"]]


def test_heir_11_an_odd_card_never_beats_a_suited_one() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "N"), "N1 NY PH C1")
    assert scene.last(2)[0] == ["take", 1, "HEIR-11"]
    scene = lay(opened(suits("NY", "PH", "WB", "LH"), "C"), "NY PH B1 C1")
    assert ["take", 0, "HEIR-11"] in scene.last(2)
    scene = lay(opened(suits("NY", "PH", "WB", "LH"), "N"), "N1 P1 B1 C1 NY PH B2 C2")
    assert ["take", 3, "HEIR-11"] in scene.last(2)


@pytest.mark.parametrize(
    ("hands", "cards", "taker"),
    [
        ({1: "NY", 2: "PH", 0: "WB"}, "NY PH WB", 1),
        ({1: "PH", 2: "NY", 0: "WB"}, "PH NY WB", 1),
        ({1: "WB", 2: "PH", 0: "NY"}, "WB PH NY", 2),
        ({1: "WB", 2: "NY", 0: "PH"}, "WB NY PH", 2),
        ({1: "PH", 2: "WB", 0: "NY"}, "PH WB NY", 1),
    ],
)
def test_heir_11_of_odd_cards_the_first_city_card_takes(hands: dict[int, str], cards: str, taker: int) -> None:
    hands = {**hands, 1: f"{hands[1]} {suit('N')} P1 P2 P3 P4"}
    scene = lay(opened(hands, "C", players=3), cards)
    assert scene.last(3) == [["take", taker, "HEIR-11"], ["void", "WB", "HEIR-4"], ["score", taker, 1, "HEIR-12"]]


# the score


def test_heir_12_each_trick_counts_one() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "N"), "N1 P1 B1 C1 N2 P2 B2 C2")
    assert [entry for entry in scene.log if entry[0] == "score"] == 2 * [["score", 1, 1, "HEIR-12"]]


def test_heir_13_the_lost_heir_counts_five_besides_the_tricks_one() -> None:
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), "C"), "LH P1 B1 C1")
    assert scene.last(3) == [["take", 1, "HEIR-3"], ["score", 1, 1, "HEIR-12"], ["score", 1, 5, "HEIR-13"]]


def test_heir_13_the_lost_heir_counts_for_the_player_who_played_it() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=13, players=2), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [12, 13]]]


def test_heir_14_counts_takes_three_off_instead_of_the_tricks_one() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N", wrong_boy="counts"), "N1 P1 B1 WB")
    assert scene.last(3)[1:] == [["take", 1, "HEIR-11"], ["score", 1, -3, "HEIR-14"]]


def test_heir_14_counts_makes_two_with_the_lost_heir() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N", wrong_boy="counts"), "N1 LH B1 WB")
    assert scene.last(4)[1:] == [["take", 2, "HEIR-3"], ["score", 2, 5, "HEIR-13"], ["score", 2, -3, "HEIR-14"]]


def test_heir_14_less_takes_three_off_the_tricks_one() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N", wrong_boy="less"), "N1 P1 B1 WB")
    assert scene.last(3) == [["take", 1, "HEIR-11"], ["score", 1, 1, "HEIR-12"], ["score", 1, -3, "HEIR-14"]]


def test_heir_14_less_makes_three_with_the_lost_heir() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N", wrong_boy="less"), "N1 LH B1 WB")
    scores = [["score", 2, 1, "HEIR-12"], ["score", 2, 5, "HEIR-13"], ["score", 2, -3, "HEIR-14"]]
    assert scene.last(4) == [["take", 2, "HEIR-3"], *scores]


@pytest.mark.parametrize(("wrong_boy", "made"), [("counts", 13), ("less", 14)])
def test_heir_14_the_total_of_a_deal(wrong_boy: str, made: int) -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2, wrong_boy=wrong_boy), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [12, made]]]


def test_heir_15_prevented_refuses_not_following() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", mistakes="prevented"), "N1")
    assert refusal(scene, "play P9") == ("HEIR-10", "Follow the suit led while you can: N2, N5.")


def test_heir_15_penalised_allows_any_card_and_takes_three_off() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", mistakes="penalised"), "N1")
    assert scene.legal == plays(FOLLOWER)
    lay(scene, "P9")
    assert scene.last(2) == [["play", 2, "P9"], ["score", 2, -3, "HEIR-15"]]


@pytest.mark.parametrize(("odd_cards", "fined"), [("void", True), ("free", False)])
def test_heir_15_an_odd_card_is_fined_when_it_may_not_be_played(odd_cards: str, fined: bool) -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", mistakes="penalised", odd_cards=odd_cards), "N1 LH")
    assert scene.last() == [["score", 2, -3, "HEIR-15"] if fined else ["play", 2, "LH"]]


def test_heir_15_a_player_who_follows_or_cannot_is_not_fined() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER, 3: suit("B")}, "N", mistakes="penalised"), "N1 N2 B1")
    assert scene.last(3) == [["play", 1, "N1"], ["play", 2, "N2"], ["play", 3, "B1"]]


def test_heir_15_after_a_led_odd_card_not_following_the_suit_set_is_fined() -> None:
    scene = lay(opened(ODD_LED, "B", mistakes="penalised"), "NY C1 P2")
    assert scene.last(3) == [["play", 2, "C1"], ["play", 3, "P2"], ["score", 3, -3, "HEIR-15"]]


def test_heir_15_the_whole_side_is_fined() -> None:
    scene = lay(opened({1: "N1", 2: FOLLOWER}, "N", mistakes="penalised", sides="two"), "N1 P9")
    assert scene.last() == [["score", 0, -3, "HEIR-15"]]


def test_heir_15_a_fine_comes_off_the_score_of_a_player_who_did_not_name() -> None:
    hands = {1: f"{suit('N', 1, 10)} B11 {suit('P')} LH NY", 0: f"N11 {suit('B', 1, 10)} {suit('C')} PH WB"}
    scene = lay(opened(hands, "N", players=2, mistakes="penalised"), "N1 B1 N2 N11")
    lay(scene, tricks(suit("C") + " PH", suit("P") + " N3"))
    lay(scene, tricks(suit("N", 4, 10) + " LH NY", suit("B", 2, 10)) + " WB B11")
    # seat 1: 9 tricks, the Lost Heir's 5 and the Wrong Boy's trick for -3, of 11; seat 0: 13 tricks less the fine
    assert scene.last() == [["total", [10, 12]]]


FINED_FIRST = " ".join(
    [
        tricks(f"P11 {suit('N', 1, 9)} LH N10 NY", f"C11 {suit('B', 1, 10)} WB B11"),
        tricks(f"{suit('C', 1, 10)} PH", f"{suit('P', 1, 10)} N11"),
    ]
)


def test_heir_15_a_fine_also_comes_off_the_points_towards_the_bid() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=12, players=2, mistakes="penalised"), FINED_FIRST)
    # 14 points of tricks less 3 make 11
    assert scene.last(2) == [["fail", 1, 14, "HEIR-16"], ["total", [11, -3]]]


def test_heir_15_a_bid_can_be_made_despite_a_fine() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=11, players=2, mistakes="penalised"), FINED_FIRST)
    assert scene.last(2)[0][0] == "score"
    assert scene.last() == [["total", [11, 11]]]


@pytest.mark.parametrize(("bid", "total"), [(9, [0, 9]), (10, [0, -3])])
def test_heir_15_a_partners_fine_comes_off_the_sides_bid(bid: int, total: list[int]) -> None:
    hands = suits("NY", "PH", "LH", "WB")
    hands |= {1: f"{suit('N', 1, 10)} B11 NY", 3: f"N11 {suit('B', 1, 10)} LH"}
    scene = lay(opened(hands, "N", bid=bid, sides="two", mistakes="penalised"), "N1 P1 B1 C1")
    assert ["score", 1, -3, "HEIR-15"] in scene.log
    lay(scene, "N2 P2 N11 C2 B2 C3 B11 P3")
    lay(scene, tricks(suit("N", 3, 10), suit("P", 4), suit("B", 3, 10), suit("C", 4)) + " NY PH LH WB")
    assert scene.last() == [["total", total]]
    assert (["fail", 1, 12, "HEIR-16"] in scene.log) == (bid == 10)


def test_heir_16_a_bid_exactly_made_counts() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=13, players=2), THIRTEEN_TWELVE)
    assert scene.last(2) == [["score", 1, 1, "HEIR-12"], ["total", [12, 13]]]


def test_heir_16_a_side_that_fails_scores_nothing_and_the_others_score_theirs() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=14, players=2), THIRTEEN_TWELVE)
    assert scene.last(2) == [["fail", 1, 13, "HEIR-16"], ["total", [12, 0]]]


def test_heir_16_only_the_namer_must_make_the_bid() -> None:
    scene = lost_heir({1: STRONG, 0: WEAK}, players=2).do("bid 13", "bid 12", "trump N")
    assert lay(scene, THIRTEEN_TWELVE).last() == [["total", [12, 13]]]
    scene = lost_heir({0: STRONG, 1: WEAK}, players=2, dealer=1).do("bid 13", "bid 12", "trump N")
    assert lay(scene, THIRTEEN_TWELVE).last() == [["total", [13, 12]]]


def test_heir_16_failing_with_no_points_is_written_too() -> None:
    hands = {1: f"{suit('N')} {suit('P')} WB NY", 0: f"{suit('B')} {suit('C')} PH LH"}
    scene = lay(opened(hands, "B", players=2), "WB PH")
    lay(scene, tricks(f"{suit('B')} {suit('C')} LH", f"{suit('N')} {suit('P')} NY"))
    assert scene.last(2) == [["fail", 1, 0, "HEIR-16"], ["total", [24, 0]]]


@pytest.mark.parametrize(("wrong_boy", "points"), [("counts", -3), ("less", -2)])
def test_heir_16_failing_with_negative_points_counts_0(wrong_boy: str, points: int) -> None:
    hands = {1: f"{suit('N')} {suit('P')} NY PH", 0: f"{suit('B')} {suit('C')} WB LH"}
    scene = lay(opened(hands, "B", players=2, wrong_boy=wrong_boy), "NY B1")
    lay(scene, tricks(f"{suit('B', 2)} {suit('C')} LH WB", f"{suit('N')} {suit('P', 1, 10)} PH P11"))
    assert scene.last(2) == [["fail", 1, points, "HEIR-16"], ["total", [23, 0]]]


def test_heir_16_a_side_that_did_not_name_may_score_negative_points() -> None:
    hands = {1: f"{suit('B')} {suit('C')} WB LH", 0: f"{suit('N')} {suit('P')} NY PH"}
    scene = opened(hands, "B", players=2)
    lay(scene, tricks(f"{suit('B')} {suit('C')} LH WB", f"{suit('N')} {suit('P', 1, 10)} NY PH P11"))
    assert scene.last() == [["total", [-3, 23]]]


@pytest.mark.parametrize(("sides", "total"), [("two", [0, 12]), ("each", [0, 0, 0, 1])])
def test_heir_16_partners_tricks_count_together(sides: str, total: list[int]) -> None:
    scene = opened(suits("NY", "PH", "LH", "WB"), "N", bid=12, sides=sides)
    lay(scene, tricks(suit("N") + " NY", suit("P") + " PH", suit("B") + " LH", suit("C") + " WB"))
    # seat 1 takes eleven tricks, and its partner's Lost Heir the last one, which counts 1
    assert scene.last() == [["total", total]]
    assert (["fail", 1, 11, "HEIR-16"] in scene.log) == (sides == "each")


# the end


def test_heir_17_twenty_five_wins() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2), TWENTY_FIVE)
    assert scene.last() == [["total", [0, 25]]]
    assert scene.state.over and scene.state.scores() == [0, 25] and scene.state.winners() == [1]
    assert scene.legal == set()
    assert scene.refused("pass").sentence == "The sitting is over: nothing more can be played."


def test_heir_17_twenty_four_does_not_win() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2), TWENTY_FOUR)
    assert scene.last() == [["total", [0, 24]]]
    assert not scene.state.over and scene.awaits == "deal"


def test_heir_17_the_score_is_counted_at_the_end_of_a_deal() -> None:
    cards = TWENTY_NINE.split()
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=29, players=2), " ".join(cards[:-2]))
    assert sum(entry[2] for entry in scene.log if entry[0] == "score") == 28
    assert not scene.state.over and scene.state.scores() == [0, 0]
    lay(scene, "NY WB")
    assert scene.state.over and scene.state.scores() == [0, 29]


def test_heir_17_twenty_five_within_a_deal_do_not_win_if_the_bid_fails() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=26, players=2), TWENTY_FIVE)
    assert scene.last() == [["total", [0, 0]]] and not scene.state.over


def shared_at_twenty_five(**options: Any) -> Scene:
    """Two deals of 13 and 12, each player naming once."""
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2, **options), THIRTEEN_TWELVE)
    deal_next(scene, {0: STRONG, 1: WEAK}, dealer=1)
    lay(name_trumps(scene, "N"), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [25, 25]]]
    return scene


def test_heir_17_a_shared_highest_score_leads_to_another_deal() -> None:
    scene = shared_at_twenty_five()
    assert not scene.state.over and scene.awaits == "deal"
    deal_next(scene, {1: STRONG, 0: WEAK}, dealer=0)
    lay(name_trumps(scene, "N"), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [37, 38]]]
    assert scene.state.over and scene.state.winners() == [1]


def test_heir_17_of_two_above_twenty_five_the_highest_wins() -> None:
    strong, weak = f"{suit('N')} {suit('P')} LH WB", f"{suit('B')} {suit('C')} NY PH"
    first = tricks(suit("N", 1, 10) + " LH WB", suit("B") + " NY")
    scene = lay(opened({1: strong, 0: weak}, "N", players=2), first)
    lay(scene, tricks(suit("C") + " PH", suit("P") + " N11"))
    assert scene.last() == [["total", [12, 17]]]
    deal_next(scene, {0: strong, 1: weak}, dealer=1)
    lay(name_trumps(scene, "N"), f"N1 B1 P11 C11 {tricks(suit('N', 2, 10) + ' LH WB', suit('B', 2) + ' NY')}")
    lay(scene, tricks(suit("C", 1, 10) + " PH", suit("P", 1, 10) + " N11"))
    assert scene.last() == [["total", [30, 28]]]
    assert scene.state.over and scene.state.winners() == [0]


@pytest.mark.parametrize("goal", [24, 25])
def test_heir_17_another_goal_can_be_agreed(goal: int) -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2, goal=goal), TWENTY_FOUR)
    assert scene.last() == [["total", [0, 24]]]
    assert scene.state.goal == goal and scene.state.over == (goal == 24)


@pytest.mark.parametrize(("first", "winner"), [("highest", 0), ("namer", 1)])
def test_heir_17_the_side_that_named_counts_first_under_namer(first: str, winner: int) -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=20, players=2, goal=13, first=first), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [12, 0]]] and not scene.state.over
    deal_next(scene, {0: WEAK, 1: STRONG}, dealer=1)
    lay(scene.do("pass", "bid 1", "trump N"), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [24, 13]]]
    assert scene.state.over and scene.state.scores() == [24, 13] and scene.state.winners() == [winner]


def test_heir_17_the_side_that_named_wins_a_shared_score_under_namer() -> None:
    scene = shared_at_twenty_five(first="namer")
    assert scene.state.over and scene.state.scores() == [25, 25] and scene.state.winners() == [0]


def test_heir_17_without_the_goal_the_side_that_named_is_as_the_others_under_namer() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", bid=14, players=2, goal=12, first="namer"), THIRTEEN_TWELVE)
    assert scene.last() == [["total", [12, 0]]]
    assert scene.state.over and scene.state.winners() == [0]


def test_heir_18_each_player_may_play_alone() -> None:
    scene = lay(opened(suits("NY", "LH", "PH", "WB"), "N", sides="each"), "N1 LH B1 C1")
    assert scene.last() == [["score", 2, 5, "HEIR-13"]]
    assert scene.state.scores() == [0, 0, 0, 0]


@pytest.mark.parametrize(("seat", "side"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_heir_18_two_sides_of_four_sit_alternately(seat: int, side: int) -> None:
    trump = {1: "N", 2: "P", 3: "B", 0: "C"}[seat]
    scene = lay(opened(suits("LH", "NY", "PH", "WB"), trump, sides="two"), "N1 P1 B1 C1")
    assert scene.last(2) == [["take", seat, "HEIR-11"], ["score", side, 1, "HEIR-12"]]
    assert scene.state.scores() == [0, 0]


SIX = {
    1: suit("N", 4),
    2: f"{suit('N', 1, 3)} {suit('P', 1, 5)}",
    3: f"{suit('P', 6)} B1 B2",
    4: suit("B", 3, 10),
    5: f"B11 {suit('C', 1, 7)}",
    0: f"{suit('C', 8)} NY PH WB LH",
}
SIX_TRICKS = tricks(suit("N", 4), SIX[2], SIX[3], SIX[4], SIX[5], "NY PH WB C8 C9 C10 C11 LH")


@pytest.mark.parametrize(("sides", "total"), [("each", [6, 3, 0, 0, 0, 0]), ("two", [6, 3]), ("three", [6, 3, 0])])
def test_heir_18_sides_of_six(sides: str, total: list[int]) -> None:
    scene = lay(opened(SIX, "N", bid=3, players=6, sides=sides), SIX_TRICKS)
    assert scene.last() == [["total", total]]


@pytest.mark.parametrize(("sides", "side"), [("each", 4), ("two", 0), ("three", 1)])
def test_heir_18_the_fifth_of_six_players_is_on_this_side(sides: str, side: int) -> None:
    scene = lay(opened(SIX, "B", players=6, sides=sides), "N11 N1 B1 B3 C1 C8")
    assert scene.last(2) == [["take", 4, "HEIR-11"], ["score", side, 1, "HEIR-12"]]


def test_heir_18_partners_win_together() -> None:
    scene = opened(suits("NY", "PH", "LH", "WB"), "N", sides="two", deal_limit=1)
    lay(scene, tricks(suit("N") + " NY", suit("P") + " PH", suit("B") + " LH", suit("C") + " WB"))
    assert scene.state.over and scene.state.scores() == [0, 12] and scene.state.winners() == [1, 3]


@pytest.mark.parametrize(("players", "sides"), [(2, "two"), (3, "two"), (3, "three"), (4, "three")])
def test_heir_18_sides_that_cannot_be_made_are_refused(players: int, sides: str) -> None:
    with pytest.raises(parlour.OptionError, match=rf"sides: {sides} is for .* not {players} \(HEIR-18\)"):
        Scene("lost-heir", players, sides=sides)


def test_heir_19_after_the_last_deal_the_highest_score_wins() -> None:
    scene = lay(opened({1: STRONG, 0: WEAK}, "N", players=2, deal_limit=1), THIRTEEN_TWELVE)
    assert scene.state.over and scene.state.scores() == [12, 13] and scene.state.winners() == [1]


def test_heir_19_equal_scores_share_the_win() -> None:
    scene = shared_at_twenty_five(deal_limit=2)
    assert scene.state.over and scene.state.winners() == [0, 1]


def test_heir_19_redeals_count_too() -> None:
    scene = lost_heir({}, players=2, deal_limit=2).do("pass", "pass")
    assert not scene.state.over
    deal_next(scene, {}, dealer=1).do("pass", "pass")
    assert scene.last() == [["redeal", "HEIR-8a"]]
    assert scene.state.over and scene.state.scores() == [0, 0] and scene.state.winners() == [0, 1]


def test_heir_19_a_redeal_uses_up_a_deal_before_one_that_is_played() -> None:
    scene = lost_heir({}, players=2, deal_limit=2).do("pass", "pass")
    deal_next(scene, {0: STRONG, 1: WEAK}, dealer=1)
    lay(name_trumps(scene, "N"), THIRTEEN_TWELVE)
    assert scene.state.over and scene.state.winners() == [0]


def test_heir_19_a_hundred_deals_is_the_default() -> None:
    assert parlour.game("lost-heir").options_for(4)["deal_limit"] == 100
    scene = Scene("lost-heir", 2).chance(0)
    for deal in range(100):
        assert not scene.state.over
        deal_next(scene, {}, dealer=deal % 2).do("pass", "pass")
    assert scene.state.over


@pytest.mark.parametrize("limit", [0, 10_001])
def test_heir_19_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(parlour.OptionError, match=r"deal_limit must be a whole number from 1 to 10000.*\(HEIR-19\)"):
        Scene("lost-heir", 4, deal_limit=limit)
