"""Change for a Sovereign, clause by clause: each test lays out the coins and plays them by name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.games.sovereign.faces import COINS
from parlour.games.sovereign.pack import COIN_PENCE
from parlour.games.sovereign.words import money
from support.scenes import Scene, coins, sovereign

ABLE = "HS HS"
MOST = "HS CR CR"  # exact change too


def lies(scene: Scene, place: str) -> list[str]:
    """The coins of a place, in order; those of a hand are sorted by worth, the greatest first."""
    return [scene.game.code(coin) for coin in scene.state.where()[place]]


def hand(scene: Scene, seat: int) -> list[str]:
    return lies(scene, f"hand {seat}")


def pools(scene: Scene) -> list[int]:
    """The general pool and the sovereign pool."""
    return scene.state.where()["pools"]


def give(scene: Scene, offered: str) -> Scene:
    """Offer coins; under mistakes: penalised, say that the offer is done."""
    scene.do(*(f"offer {coin}" for coin in offered.split()))
    return scene.do("offer done") if "offer done" in scene.legal and scene.state.unfinished else scene


def refusal(scene: Scene, step: str) -> tuple[str, str]:
    refused = scene.refused(step)
    return refused.clause, refused.sentence


def steps(kind: str, named: str) -> set[str]:
    return {f"{kind} {coin}" for coin in named.split()}


def leave_all(scene: Scene, rounds: int = 1) -> Scene:
    """Let everyone leave their hand as it is, for this many rounds."""
    return scene.do(*["leave"] * rounds * scene.state.players)


def deal_next(scene: Scene, hands: dict[int, str], dealer: int, surplus: str = "") -> Scene:
    return scene.chance(*coins(scene, hands, surplus, scene.state.players, dealer))


# the coins, the pools and the deal


@pytest.mark.parametrize(("small_coin", "code"), [("sixpence", "6D"), ("penny", "1D")])
def test_sov_1_fifty_six_cards(small_coin: str, code: str) -> None:
    scene = sovereign({}, small_coin=small_coin)
    copies = {"SOV": 1, "HG": 1, "HS": 2, "CR": 4, "HC": 8, "FL": 10, "SH": 15, code: 15}
    assert Counter(scene.last()[0][1]) == copies and sum(copies.values()) == 56


@pytest.mark.parametrize(
    "offered",
    ["HS HS", "HS CR CR", "CR CR CR CR", "HG CR HC FL", "HG CR FL FL 6D", "HS CR FL FL SH", "CR CR CR HC HC"],
)
@pytest.mark.parametrize("mistakes", ["prevented", "penalised"])
def test_sov_1_these_coins_make_a_sovereign(offered: str, mistakes: str) -> None:
    scene = give(sovereign({1: offered}, mistakes=mistakes), offered)
    assert scene.last(2) == [["change", 1, offered.split()], ["pool", 1, 3, "general", "SOV-7"]]


@pytest.mark.parametrize(
    "held", ["HG CR FL FL SH", "HS CR HC FL SH", "HG CR HC HC SH", "HS CR FL FL 6D", "CR CR CR HC FL", "HG HS 6D 6D 6D"]
)
def test_sov_1_these_coins_do_not_make_a_sovereign(held: str) -> None:
    scene = sovereign({1: held})
    assert not any(step.startswith("offer") for step in scene.legal)


def test_sov_1_a_penny_is_worth_a_penny() -> None:
    scene = sovereign({1: "HG CR FL FL 1D"}, small_coin="penny", mistakes="penalised")
    assert give(scene, "HG CR FL FL 1D").last() == [["penalty", 1, 1, "SOV-4a"]]


def test_sov_1_a_penny_is_never_part_of_change() -> None:
    scene = sovereign({1: "HS HS 1D 1D 1D"}, small_coin="penny")
    assert {step for step in scene.legal if step.startswith("offer")} == {"offer HS"}
    assert refusal(scene, "offer 1D") == ("SOV-4", "With that coin the offer cannot make exactly 20s.")


@pytest.mark.parametrize("stake", [1, 7, 1000])
def test_sov_2_all_players_stake_and_the_dealer_in_both_pools(stake: int) -> None:
    scene = sovereign({}, dealer=2, stake=stake)
    assert scene.state.scores() == [-stake, -stake, -2 * stake]
    assert pools(scene) == [3 * stake, stake]


def test_sov_2_all_players_stake_in_every_game() -> None:
    scene = give(sovereign({1: ABLE}), ABLE)
    # seat 1 has taken 3; then all stake again, and it deals
    assert scene.state.scores() == [-3, 0, -2] and pools(scene) == [3, 2]


@pytest.mark.parametrize("stake", [0, 1001])
def test_sov_2_a_stake_out_of_range_is_refused(stake: int) -> None:
    with pytest.raises(parlour.OptionError, match=r"stake must be a whole number from 1 to 1000.*\(SOV-2\)"):
        sovereign({}, stake=stake)


@pytest.mark.parametrize("players", range(2, 12))
def test_sov_3_each_player_gets_five_cards_and_the_rest_is_the_surplus(players: int) -> None:
    scene = sovereign({}, players=players)
    assert [len(hand(scene, seat)) for seat in range(players)] == players * [5]
    assert len(lies(scene, "surplus")) == 56 - 5 * players


def test_sov_3_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    scene = sovereign({2: "HG CR HC FL SH", 0: "SOV HS HS 6D 6D", 1: "CR CR FL FL SH"}, "CR HC SH", dealer=1)
    pack = scene.last()[0][1]
    assert pack[:6] == ["HG", "SOV", "CR", "CR", "HS", "CR"]
    assert hand(scene, 2) == pack[0:15:3] and sorted(hand(scene, 0)) == sorted(pack[1:15:3])
    assert lies(scene, "surplus") == pack[15:] and pack[15:18] == ["CR", "HC", "SH"]


def test_sov_3_the_first_dealer_is_found_by_chance_and_then_the_deal_passes_to_the_left() -> None:
    scene = Scene("sovereign", 3)
    assert scene.awaits == "dealer" and scene.state.possible() == [0, 1, 2]
    deal_next(scene.chance(2), {0: ABLE}, dealer=2)
    give(scene, ABLE)
    assert scene.awaits == "deal"
    deal_next(scene, {}, dealer=0)
    assert scene.state.seat == 1


def test_sov_3_the_next_game_is_dealt_from_the_whole_pack() -> None:
    scene = sovereign({1: "HG SH SH SH SH", 2: ABLE}, "CR HC").do("throw HG", "take surplus")
    give(scene, ABLE)
    deal_next(scene, {2: "FL SH SH SH SH", 1: "CR CR SH SH SH"}, dealer=1, surplus="HG SOV")
    assert scene.legal == steps("throw", "FL SH") | {"leave"}
    assert scene.do("leave", "leave").legal == steps("throw", "CR SH") | {"leave"}
    assert lies(scene, "surplus")[:2] == ["HG", "SOV"] and len(lies(scene, "surplus")) == 41
    assert lies(scene, "aside") == []


def test_sov_3_the_surplus_lies_face_down() -> None:
    scene = sovereign({})
    for seat in (-1, 0, 1, 2):
        assert scene.game.view(scene.state, seat).fields()["surplus"] == 41


def test_sov_3_twelve_players_cannot_play() -> None:
    with pytest.raises(parlour.OptionError, match=r"2 to 11 players, not 12 \(SOV-3\)"):
        Scene("sovereign", 12)


# giving change


def test_sov_4_the_player_at_the_dealers_left_begins_and_the_turn_goes_round() -> None:
    scene = sovereign({}, dealer=1)
    turns = []
    for _ in range(4):
        turns.append(scene.state.seat)
        scene.do("leave")
    assert turns == [2, 0, 1, 2]


def test_sov_4_only_coins_that_lead_to_exact_change_can_be_offered() -> None:
    scene = sovereign({1: "HS HS CR CR SH"})
    assert steps("offer", "HS CR") <= scene.legal and "offer SH" not in scene.legal
    assert scene.do("offer CR").legal == steps("offer", "HS CR")
    assert scene.do("offer CR").legal == {"offer HS"}
    scene.do("offer HS")
    assert scene.last(2)[0] == ["change", 1, ["HS", "CR", "CR"]]


def test_sov_4_may_lets_a_player_who_can_give_change_choose_not_to() -> None:
    scene = sovereign({1: "HS HS CR SH SH"}, change="may")
    assert scene.legal == steps("throw", "HS CR SH") | {"offer HS", "leave"}
    scene.do("leave")
    assert scene.last() == [["leave", 1]] and scene.state.seat == 2


MUST = ("SOV-4", "You can give change for a sovereign, so you must.")


@pytest.mark.parametrize("mistakes", ["prevented", "penalised"])
def test_sov_4_must_allows_nothing_else_while_change_can_be_given(mistakes: str) -> None:
    scene = sovereign({1: "HS HS CR CR SH"}, change="must", mistakes=mistakes)
    assert scene.legal == steps("offer", "HS CR")
    for step in ("leave", "throw SH", "take surplus"):
        assert refusal(scene, step) == MUST
    assert refusal(scene, "offer SH") == ("SOV-4", "With that coin the offer cannot make exactly 20s.")


@pytest.mark.parametrize("mistakes", ["prevented", "penalised"])
@pytest.mark.parametrize("offered", ["HS HS", "HS CR CR"])
def test_sov_4_must_leaves_the_choice_of_cards_free(offered: str, mistakes: str) -> None:
    scene = sovereign({1: "HS HS CR CR SH"}, change="must", mistakes=mistakes)
    scene.do(*(f"offer {coin}" for coin in offered.split()))
    assert scene.last(2)[0] == ["change", 1, offered.split()]


@pytest.mark.parametrize("mistakes", ["prevented", "penalised"])
def test_sov_4_must_holds_after_the_draw(mistakes: str) -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, "HS", change="must", mistakes=mistakes)
    scene.do("throw SH", "take surplus")
    assert scene.legal == {"offer HS"}
    assert refusal(scene, "leave") == MUST


def test_sov_4_must_asks_nothing_of_a_player_who_cannot() -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, change="must")
    assert scene.legal == {"throw HS", "throw SH", "leave"}


def test_sov_4_must_asks_nothing_of_a_player_with_more_but_not_exact_change() -> None:
    # 20s 6d, and no part of it makes 20s
    scene = sovereign({1: "HG CR FL FL SH"}, change="must")
    assert scene.legal == steps("throw", "HG CR FL SH") | {"leave"}


def test_sov_4_must_and_penalised_let_a_player_who_cannot_still_err() -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, change="must", mistakes="penalised")
    assert give(scene, "HS SH").last() == [["penalty", 1, 1, "SOV-4a"]]


def test_sov_4_an_offer_once_begun_must_be_finished_first() -> None:
    scene = sovereign({1: MOST}).do("offer CR")
    assert refusal(scene, "leave") == ("SOV-4", "Finish the offer, or take it back, before anything else.")
    assert refusal(scene, "offer HC") == ("SOV-4", "You have no half-crown left to offer.")


def test_sov_4a_prevented_allows_only_exact_change() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, mistakes="prevented")
    assert scene.legal == steps("throw", "HS CR SH") | {"leave"}
    assert refusal(scene, "offer HS") == ("SOV-4", "With that coin the offer cannot make exactly 20s.")


@pytest.mark.parametrize("offered", ["HS", "HS CR SH", "HS CR SH SH SH"])
def test_sov_4a_penalised_allows_an_offer_of_any_cards(offered: str) -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, mistakes="penalised")
    assert steps("offer", "HS CR SH") <= scene.legal and "offer done" not in scene.legal
    assert refusal(scene, "offer done")[0] == "SOV-4"
    give(scene, offered)
    assert scene.last(2) == [["change", 1, offered.split()], ["penalty", 1, 1, "SOV-4a"]]


@pytest.mark.parametrize("penalty", [1, 3, 1000])
def test_sov_4a_the_player_takes_the_cards_back_and_pays_the_general_pool(penalty: int) -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, mistakes="penalised", penalty=penalty)
    give(scene, "HS CR")
    assert scene.last() == [["penalty", 1, penalty, "SOV-4a"]]
    assert hand(scene, 1) == "HS CR SH SH SH".split()
    assert scene.state.scores() == [-2, -1 - penalty, -1] and pools(scene) == [3 + penalty, 1]


def test_sov_4a_more_than_a_sovereign_is_wrong_too() -> None:
    scene = sovereign({1: "HG HS SH SH SH"}, mistakes="penalised")
    assert give(scene, "HG HS").last() == [["penalty", 1, 1, "SOV-4a"]]


def test_sov_4a_a_player_may_not_offer_again_before_throwing_out_and_taking() -> None:
    scene = give(sovereign({1: "HS HS SH SH SH"}, "CR", mistakes="penalised"), "HS SH")
    assert scene.state.seat == 1
    assert not any(step.startswith("offer") for step in scene.legal)
    sentence = "After a wrong offer, throw out a card and take one before you offer again."
    assert refusal(scene, "offer HS") == ("SOV-4a", sentence)
    assert {"leave", "throw SH", "throw HS"} <= scene.legal
    scene.do("throw SH", "take surplus")
    give(scene, "HS HS")
    assert scene.last(2) == [["change", 1, ["HS", "HS"]], ["pool", 1, 4, "general", "SOV-7"]]


def test_sov_4a_after_a_wrong_offer_a_player_may_leave_and_that_is_written() -> None:
    scene = give(sovereign({1: "HS CR SH SH SH"}, mistakes="penalised"), "HS").do("leave")
    assert scene.last(2) == [["penalty", 1, 1, "SOV-4a"], ["leave", 1]]
    assert scene.state.seat == 2


def test_sov_4a_a_wrong_offer_after_the_take_ends_the_turn_without_a_leave() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, mistakes="penalised").do("throw SH", "take surplus")
    give(scene, "HS CR")
    assert scene.last(2) == [["change", 1, ["HS", "CR"]], ["penalty", 1, 1, "SOV-4a"]]
    assert scene.state.seat == 2


def test_sov_4a_a_wrong_offer_before_and_after_the_take_costs_twice() -> None:
    scene = give(sovereign({1: "HS CR SH SH SH"}, mistakes="penalised"), "HS").do("throw SH", "take surplus")
    give(scene, "HS")
    assert scene.state.scores() == [-2, -3, -1] and scene.state.seat == 2


def test_sov_4a_a_mistake_is_forgotten_in_the_next_turn() -> None:
    scene = give(sovereign({1: "HS HS SH SH SH"}, mistakes="penalised"), "HS").do("leave", "leave", "leave")
    assert scene.state.seat == 1 and "offer HS" in scene.legal


@pytest.mark.parametrize("penalty", [0, 1001])
def test_sov_4a_a_penalty_out_of_range_is_refused(penalty: int) -> None:
    with pytest.raises(parlour.OptionError, match=r"penalty must be a whole number from 1 to 1000.*\(SOV-4a\)"):
        sovereign({}, penalty=penalty)


# throwing out and taking


def test_sov_5_a_player_who_throws_out_picks_up_the_top_of_the_surplus() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, "FL HC").do("throw SH", "take surplus")
    assert hand(scene, 1) == "HS CR FL SH SH".split()
    assert lies(scene, "surplus")[0] == "HC"


def test_sov_5_without_change_after_the_take_the_turn_passes_without_a_leave() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, "FL").do("throw SH", "take surplus")
    assert scene.last(2) == [["throw", 1, "SH"], ["take", 1, "surplus"]]
    assert scene.state.seat == 2


def test_sov_5_more_than_a_sovereign_after_the_take_is_not_change_either() -> None:
    scene = sovereign({1: "HG CR FL FL 6D"}, "SH").do("throw 6D", "take surplus")
    assert scene.last() == [["take", 1, "surplus"]] and scene.state.seat == 2


def test_sov_5_after_the_take_a_player_may_give_change() -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, "HS").do("throw SH", "take surplus")
    assert scene.state.seat == 1 and scene.legal == {"offer HS", "leave"}
    give(scene, "HS HS")
    assert scene.last() == [["pool", 1, 3, "general", "SOV-7"]]


def test_sov_5_after_the_take_a_player_may_leave_and_that_is_written() -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, "HS").do("throw SH", "take surplus", "leave")
    assert scene.last(2) == [["take", 1, "surplus"], ["leave", 1]] and scene.state.seat == 2


def test_sov_5_penalised_always_writes_a_leave_after_the_take() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, "FL", mistakes="penalised").do("throw SH", "take surplus")
    assert scene.legal == steps("offer", "HS CR FL SH") | {"leave"}
    assert scene.do("leave").last() == [["leave", 1]]


def test_sov_5_a_player_may_leave_the_hand_as_it_is() -> None:
    scene = sovereign({1: "HS CR SH SH SH"})
    assert scene.legal == steps("throw", "HS CR SH") | {"leave"}
    assert scene.do("leave").last() == [["leave", 1]] and scene.state.seat == 2


def test_sov_5_a_player_who_has_thrown_out_must_take() -> None:
    scene = sovereign({1: "HS HS SH SH SH"}).do("throw SH")
    assert scene.legal == {"take surplus"} and len(hand(scene, 1)) == 4
    sentence = "A card was thrown out: take one first, from the surplus or, where allowed, the neighbour."
    for step in ("leave", "throw SH", "offer HS"):
        assert refusal(scene, step) == ("SOV-5", sentence)


def test_sov_5_one_card_is_thrown_and_taken_in_a_turn() -> None:
    scene = sovereign({1: "HS SH SH SH SH"}, "HS").do("throw SH", "take surplus")
    assert refusal(scene, "throw SH") == ("SOV-5", "A card has been thrown out and taken in this turn already.")
    assert refusal(scene, "take surplus") == ("SOV-5", "Only one card is taken in a turn.")


def test_sov_5_a_coin_not_held_cannot_be_thrown() -> None:
    scene = sovereign({1: "HS CR SH SH SH"})
    assert refusal(scene, "throw HG") == ("SOV-5", "You have no half-guinea to throw out.")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_sov_5_a_coin_thrown_out_has_left_the_hand(seat: int) -> None:
    scene = sovereign({seat: "HG CR SH SH SH"}, "FL", dealer=(seat - 1) % 3)
    scene.do("throw CR", "take surplus", "leave", "leave")
    assert scene.state.seat == seat and scene.legal == steps("throw", "HG FL SH") | {"leave"}


def test_sov_5_the_sovereign_card_may_be_thrown_out() -> None:
    scene = sovereign({1: "SOV SH SH SH SH"}, "FL").do("throw SOV", "take surplus")
    assert lies(scene, "aside") == ["SOV"] and hand(scene, 1) == "FL SH SH SH SH".split()


def eleven(hands: dict[int, str], surplus: str, **options: Any) -> Scene:
    """Eleven players, so one card of surplus; seat 1 begins."""
    return sovereign(hands, surplus, players=11, **options)


def test_sov_5a_aside_makes_the_surplus_shrink() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, thrown="aside").do("throw CR", "take surplus")
    assert len(lies(scene, "surplus")) == 40 and lies(scene, "aside") == ["CR"]


def test_sov_5a_aside_refills_an_empty_surplus_only_when_a_card_is_needed() -> None:
    scene = eleven({1: "CR SH SH SH SH"}, "FL", thrown="aside").do("throw CR", "take surplus")
    assert scene.awaits is None and scene.state.seat == 2
    assert lies(scene, "surplus") == [] and lies(scene, "aside") == ["CR"]


@pytest.mark.parametrize("order", ["CR HC", "HC CR"])
def test_sov_5a_aside_shuffles_in_the_card_just_thrown_which_may_come_back(order: str) -> None:
    scene = eleven({1: "CR SH SH SH SH", 2: "HC SH SH SH SH"}, "FL", thrown="aside")
    scene.do("throw CR", "take surplus", "throw HC", "take surplus")
    assert scene.awaits == "surplus"
    assert [scene.game.code(coin) for coin in scene.state.possible()] == ["CR", "HC"]
    scene.chance(*order.split())
    assert scene.last(3) == [["throw", 2, "HC"], ["take", 2, "surplus"], ["surplus", order.split()]]
    first, second = order.split()
    assert hand(scene, 2) == [first, "SH", "SH", "SH", "SH"]
    assert lies(scene, "surplus") == [second] and lies(scene, "aside") == []


def test_sov_5a_aside_allows_change_with_a_card_of_the_new_surplus() -> None:
    scene = eleven({1: "HS SH SH SH SH", 2: "HS SH SH SH SH"}, "FL", thrown="aside")
    scene.do("throw HS", "take surplus", "throw SH", "take surplus").chance("HS", "SH")
    assert scene.state.seat == 2
    assert give(scene, "HS HS").last() == [["pool", 2, 11, "general", "SOV-7"]]


def test_sov_5a_under_puts_a_thrown_card_at_the_bottom() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, "FL HC", thrown="under").do("throw CR", "take surplus")
    surplus = lies(scene, "surplus")
    assert len(surplus) == 41 and surplus[0] == "HC" and surplus[-1] == "CR"
    assert lies(scene, "aside") == [] and "FL" in hand(scene, 1)


def test_sov_5a_under_keeps_the_surplus_from_running_out() -> None:
    scene = eleven({1: "CR SH SH SH SH", 2: "HC SH SH SH SH"}, "FL", thrown="under")
    scene.do("throw CR", "take surplus", "throw HC", "take surplus")
    assert scene.awaits is None
    assert hand(scene, 2) == "CR SH SH SH SH".split() and lies(scene, "surplus") == ["HC"]


ROUNDS = [(players, "auto", min(3, (56 - 5 * players) // players)) for players in range(2, 10)]
ROUNDS += [(10, "auto", 1), (2, 1, 1), (2, 2, 2), (4, 3, 3), (9, 3, 3), (10, 2, 2)]


@pytest.mark.parametrize(("players", "rounds", "after"), ROUNDS)
def test_sov_6_the_neighbours_hand_is_open_after_this_many_rounds(players: int, rounds: int | str, after: int) -> None:
    scene = sovereign({0: "HC SH SH SH SH", 1: "FL SH SH SH SH"}, players=players, rounds=rounds)
    scene.do(*["leave"] * (players * after - 1), "throw HC")
    assert scene.state.seat == 0 and scene.legal == {"take surplus"}
    assert scene.refused("take neighbour").clause == "SOV-6"
    scene.do("take surplus", "throw FL")
    assert scene.state.seat == 1 and scene.legal == {"take surplus", "take neighbour"}


def test_sov_6_auto_gives_three_two_or_one_rounds() -> None:
    assert [after for _, _, after in ROUNDS[:9]] == [3, 3, 3, 3, 3, 3, 2, 1, 1]


def test_sov_6_a_draw_too_early_is_refused_with_the_round() -> None:
    scene = sovereign({1: "HS CR SH SH SH"}, rounds=2).do("throw SH")
    sentence = "A card may be drawn from the neighbour's hand only from round 3 on."
    assert refusal(scene, "take neighbour") == ("SOV-6", sentence)


def drawing(**options: Any) -> Scene:
    """Seat 1 has thrown out and draws from seat 0, at its right."""
    scene = sovereign({0: "HG HS CR FL SOV", 1: "HS SH SH SH SH"}, "HC", rounds=1, **options)
    return leave_all(scene).do("throw SH", "take neighbour")


def test_sov_6_the_card_is_drawn_unseen_from_the_right() -> None:
    scene = drawing()
    assert scene.last(2) == [["throw", 1, "SH"], ["take", 1, "neighbour"]]
    assert scene.awaits == "draw"
    assert [scene.game.code(coin) for coin in scene.state.possible()] == "SOV HG HS CR FL".split()
    scene.chance("FL")
    assert scene.last() == [["draw", 1, 0, "FL"]]
    assert hand(scene, 1) == "HS FL SH SH SH".split() and scene.state.seat == 2


def test_sov_6_a_player_may_then_give_change() -> None:
    scene = drawing().chance("HS")
    assert scene.state.seat == 1 and scene.legal == {"offer HS", "leave"}


def test_sov_6_the_last_seat_is_at_the_right_of_the_first() -> None:
    scene = sovereign({2: "HC HC HC HC HC", 0: "FL SH SH SH SH"}, dealer=2, rounds=1)
    leave_all(scene).do("throw FL", "take neighbour").chance("HC")
    assert scene.last() == [["draw", 0, 2, "HC"]]


def test_sov_6_the_surplus_may_still_be_taken() -> None:
    scene = leave_all(sovereign({1: "HS CR SH SH SH"}, "FL", rounds=1)).do("throw SH", "take surplus")
    assert scene.last() == [["take", 1, "surplus"]] and "FL" in hand(scene, 1)


def test_sov_6_the_rounds_are_counted_again_in_each_game() -> None:
    scene = leave_all(sovereign({1: ABLE}, rounds=1))
    give(scene, ABLE)
    deal_next(scene, {2: "FL SH SH SH SH"}, dealer=1).do("throw FL")
    assert scene.legal == {"take surplus"}


# the score


def test_sov_7_the_player_who_gives_change_takes_the_general_pool() -> None:
    scene = give(sovereign({1: ABLE}, stake=5, games=1), ABLE)
    assert scene.last(2) == [["change", 1, ["HS", "HS"]], ["pool", 1, 15, "general", "SOV-7"]]
    # an unclaimed sovereign pool goes back at the end (SOV-13)
    assert scene.state.scores() == [-5, 10, -5]


def test_sov_7_penalties_are_in_the_general_pool() -> None:
    scene = give(sovereign({1: "SH SH SH SH SH", 2: ABLE}, mistakes="penalised", penalty=4), "SH").do("leave")
    assert give(scene, ABLE).last() == [["pool", 2, 7, "general", "SOV-7"]]
    # and not in the next game's
    assert pools(scene) == [3, 2]


def test_sov_7_with_the_sovereign_card_the_player_takes_both_pools() -> None:
    scene = give(sovereign({1: "SOV HS HS SH SH"}, stake=5, games=1), ABLE)
    assert scene.last(2) == [["pool", 1, 15, "general", "SOV-7"], ["pool", 1, 5, "sovereign", "SOV-7"]]
    assert scene.state.scores() == [-10, 15, -5]


def test_sov_7_another_players_sovereign_card_takes_nothing() -> None:
    scene = give(sovereign({1: ABLE, 2: "SOV"}), ABLE)
    assert scene.last() == [["pool", 1, 3, "general", "SOV-7"]] and pools(scene) == [3, 2]


def test_sov_7_the_sovereign_pool_grows_until_the_card_takes_it() -> None:
    scene = give(sovereign({1: ABLE}, games=3), ABLE)
    deal_next(scene, {2: ABLE}, dealer=1)
    give(scene, ABLE)
    assert pools(scene) == [3, 3]
    deal_next(scene, {0: "SOV HS CR CR SH"}, dealer=2)
    give(scene, MOST)
    assert scene.last(2) == [["pool", 0, 3, "general", "SOV-7"], ["pool", 0, 3, "sovereign", "SOV-7"]]
    # each staked three and one; each took a general pool
    assert scene.state.scores() == [2, -1, -1]


def test_sov_7_a_sovereign_pool_starts_again_once_taken() -> None:
    scene = give(sovereign({1: "SOV HS HS SH SH"}), ABLE)
    assert pools(scene) == [3, 1]


def test_sov_8_prevented_refuses_to_offer_the_sovereign_card() -> None:
    scene = sovereign({1: "SOV HS HS SH SH"})
    assert "offer SOV" not in scene.legal
    assert refusal(scene, "offer SOV") == ("SOV-8", "The sovereign card is never part of the change.")


@pytest.mark.parametrize("offered", ["SOV", "SOV HS HS"])
def test_sov_8_penalised_treats_an_offer_with_the_sovereign_card_as_a_mistake(offered: str) -> None:
    scene = give(sovereign({1: "SOV HS HS SH SH"}, mistakes="penalised"), offered)
    assert scene.last(2) == [["change", 1, offered.split()], ["penalty", 1, 1, "SOV-4a"]]
    assert hand(scene, 1) == "SOV HS HS SH SH".split()


def test_sov_8_the_sovereign_card_alone_is_not_change() -> None:
    scene = sovereign({1: "SOV SH SH SH SH"}, change="must")
    assert scene.legal == {"throw SOV", "throw SH", "leave"}


@pytest.mark.parametrize("rounds", ["auto", 1, 2, 3])
def test_sov_9_eleven_players_have_the_choice_at_once(rounds: int | str) -> None:
    scene = eleven({1: "CR SH SH SH SH", 0: "HC SH SH SH SH"}, "FL", rounds=rounds).do("throw CR")
    assert scene.legal == {"take surplus", "take neighbour"}
    scene.do("take neighbour").chance("HC")
    assert scene.last() == [["draw", 1, 0, "HC"]]


def test_sov_9_ten_players_do_not_have_the_choice_at_once() -> None:
    scene = sovereign({1: "CR SH SH SH SH"}, players=10).do("throw CR")
    assert scene.legal == {"take surplus"}


def test_sov_10_a_player_who_loses_a_card_takes_the_top_of_the_surplus_at_once() -> None:
    scene = drawing().chance("HS")
    assert scene.state.seat == 1
    assert hand(scene, 0) == "SOV HG CR HC FL".split()
    assert len(lies(scene, "surplus")) == 40


def test_sov_10_under_may_give_that_player_the_card_just_thrown() -> None:
    scene = eleven({1: "CR SH SH SH SH", 2: "HC SH SH SH SH"}, "FL", thrown="under")
    scene.do("throw CR", "take surplus", "throw HC", "take neighbour").chance("SH")
    # seat 1 threw the crown, and has it back
    assert hand(scene, 1) == "CR FL SH SH SH".split() and lies(scene, "surplus") == ["HC"]


@pytest.mark.parametrize("order", ["CR HC", "HC CR"])
def test_sov_10_an_empty_surplus_is_refilled_after_the_draw(order: str) -> None:
    scene = eleven({1: "CR SH SH SH SH", 2: "HC SH SH SH SH"}, "FL", thrown="aside")
    scene.do("throw CR", "take surplus", "throw HC", "take neighbour").chance("FL")
    assert scene.awaits == "surplus"
    scene.chance(*order.split())
    assert scene.last(4) == [
        ["throw", 2, "HC"],
        ["take", 2, "neighbour"],
        ["draw", 2, 1, "FL"],
        ["surplus", order.split()],
    ]
    first, second = order.split()
    assert hand(scene, 1) == [first, "SH", "SH", "SH", "SH"] and hand(scene, 2) == "FL SH SH SH SH".split()
    assert lies(scene, "surplus") == [second] and scene.state.seat == 3


def test_sov_10_with_two_players_each_is_the_neighbour_of_the_other() -> None:
    scene = leave_all(sovereign({0: "CR SH SH SH SH", 1: "FL SH SH SH SH"}, "HC", players=2, rounds=1))
    scene.do("throw FL", "take neighbour").chance("CR")
    assert hand(scene, 1) == "CR SH SH SH SH".split() and hand(scene, 0) == "HC SH SH SH SH".split()


# mistakes and the end


def test_sov_11_prevented_refuses_taking_before_throwing_out() -> None:
    scene = leave_all(sovereign({}, rounds=1))
    for step in ("take surplus", "take neighbour"):
        assert step not in scene.legal
        assert refusal(scene, step) == ("SOV-11", "A card must be thrown out before another is taken.")


@pytest.mark.parametrize("source", ["surplus", "neighbour"])
def test_sov_11_penalised_makes_it_cost_a_penalty_and_the_turn(source: str) -> None:
    scene = leave_all(sovereign({1: ABLE}, rounds=1, mistakes="penalised", penalty=2))
    before = scene.state.where()
    scene.do(f"take {source}")
    assert scene.last(2) == [["take", 1, source], ["penalty", 1, 2, "SOV-11"]]
    assert scene.state.seat == 2 and scene.awaits is None
    assert scene.state.where() == before | {"pools": [5, 1]}
    assert scene.state.scores() == [-2, -3, -1]


def test_sov_11_taking_from_the_neighbour_is_possible_only_when_sov_6_allows_it() -> None:
    scene = sovereign({}, rounds=3, mistakes="penalised")
    assert "take surplus" in scene.legal and "take neighbour" not in scene.legal
    sentence = "A card may be drawn from the neighbour's hand only from round 4 on."
    assert refusal(scene, "take neighbour") == ("SOV-6", sentence)
    leave_all(scene, 3)
    assert "take neighbour" in scene.legal


def test_sov_11_eleven_players_can_take_from_the_neighbour_at_once() -> None:
    scene = eleven({}, "", mistakes="penalised")
    assert scene.do("take neighbour").last() == [["penalty", 1, 1, "SOV-11"]]


def test_sov_11_taking_from_an_empty_surplus_costs_the_same() -> None:
    scene = eleven({1: "CR SH SH SH SH"}, "FL", mistakes="penalised").do("throw CR", "take surplus", "leave")
    assert lies(scene, "surplus") == []
    scene.do("take surplus")
    assert scene.last(2) == [["take", 2, "surplus"], ["penalty", 2, 1, "SOV-11"]]
    assert scene.awaits is None and scene.state.seat == 3 and lies(scene, "aside") == ["CR"]


def test_sov_12_after_the_last_round_the_game_is_void() -> None:
    scene = leave_all(sovereign({}, round_limit=2, stake=5), 1)
    assert scene.do("leave", "leave").awaits is None
    scene.do("leave")
    assert scene.last(2) == [["leave", 0], ["void", "SOV-12"]]
    # stakes go back, but not the dealer's in the sovereign pool; then all stake again and seat 1 deals
    assert scene.awaits == "deal" and scene.state.scores() == [-10, -10, -5] and pools(scene) == [15, 10]


def test_sov_12_penalties_stay_in_the_next_games_pool() -> None:
    scene = give(sovereign({1: "SH SH SH SH SH"}, round_limit=1, mistakes="penalised", penalty=4), "SH")
    leave_all(scene)
    assert scene.last() == [["void", "SOV-12"]] and pools(scene) == [7, 2]
    deal_next(scene, {2: ABLE}, dealer=1)
    assert give(scene, ABLE).last() == [["pool", 2, 7, "general", "SOV-7"]]


def test_sov_12_sixty_rounds_is_the_default() -> None:
    scene = leave_all(sovereign({}), 59).do("leave", "leave")
    assert scene.last() == [["leave", 2]]
    assert scene.do("leave").last() == [["void", "SOV-12"]]


def test_sov_12_rounds_are_counted_from_the_player_who_begins_the_game() -> None:
    scene = leave_all(sovereign({}, round_limit=1))
    deal_next(scene, {}, dealer=1).do("leave", "leave")
    assert scene.last() == [["leave", 0]]
    assert scene.do("leave").last(2) == [["leave", 1], ["void", "SOV-12"]]


def test_sov_12_a_throw_and_take_ends_the_last_round_too() -> None:
    scene = sovereign({0: "FL SH SH SH SH"}, round_limit=1).do("leave", "leave", "throw FL", "take surplus")
    assert scene.last(2) == [["take", 0, "surplus"], ["void", "SOV-12"]]


def test_sov_12_a_penalty_ends_the_last_round_too() -> None:
    scene = sovereign({}, round_limit=1, mistakes="penalised").do("leave", "leave", "take surplus")
    assert scene.last(2) == [["penalty", 0, 1, "SOV-11"], ["void", "SOV-12"]]


@pytest.mark.parametrize("limit", [0, 1001])
def test_sov_12_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(parlour.OptionError, match=r"round_limit must be a whole number from 1 to 1000.*\(SOV-12\)"):
        sovereign({}, round_limit=limit)


@pytest.mark.parametrize("games", [1, 2, 4])
def test_sov_13_the_sitting_ends_after_its_games(games: int) -> None:
    scene = Scene("sovereign", 3, games=games, round_limit=1).chance(0)
    for game in range(games):
        assert not scene.state.over
        leave_all(deal_next(scene, {}, dealer=game % 3))
    assert scene.state.over
    assert [entry[0] for entry in scene.log].count("void") == games


@pytest.mark.parametrize("players", [2, 7, 11])
def test_sov_13_three_times_as_many_games_as_players_is_the_default(players: int) -> None:
    assert parlour.game("sovereign").options_for(players)["games"] == 3 * players
    assert parlour.game("sovereign").options_for(players, rules=1)["games"] == players


@pytest.mark.parametrize(("ends", "over"), [("games", False), ("pool", True)])
def test_sov_13_pool_ends_the_sitting_with_the_game_in_which_the_sovereign_pool_is_taken(ends: str, over: bool) -> None:
    scene = give(sovereign({1: ABLE}, games=3, ends=ends), ABLE)
    assert not scene.state.over  # the general pool alone was taken
    give(deal_next(scene, {2: "SOV HS HS SH SH"}, dealer=1), ABLE)
    assert scene.state.over == over
    if over:
        assert scene.state.winners() == [2] and scene.legal == set()


def test_sov_13_pool_ends_the_sitting_after_its_games_at_the_latest() -> None:
    scene = leave_all(sovereign({}, games=2, round_limit=1, ends="pool"))
    assert not scene.state.over  # a void game: the sovereign pool goes on
    leave_all(deal_next(scene, {}, dealer=1))
    assert scene.state.over


def test_sov_13_an_unclaimed_sovereign_pool_goes_back() -> None:
    scene = leave_all(sovereign({}, games=1, round_limit=1, stake=5))
    assert scene.state.over and scene.state.scores() == [0, 0, 0] and pools(scene) == [0, 0]
    assert scene.state.winners() == [0, 1, 2]
    assert scene.legal == set()
    assert scene.refused("leave").sentence == "The sitting is over: nothing more can be played."


def test_sov_13_the_pool_goes_back_only_to_those_whose_stake_is_still_in_it() -> None:
    scene = give(sovereign({1: "SOV HS HS SH SH"}, games=2, round_limit=1), ABLE)
    leave_all(deal_next(scene, {}, dealer=1))
    # game 1: seat 1 took both pools, seat 0's sovereign stake with them; game 2: void, seat 1's comes back
    assert scene.state.scores() == [-2, 3, -1] and scene.state.winners() == [1]


def test_sov_13_the_pool_goes_back_to_each_player_who_staked_in_it() -> None:
    scene = give(sovereign({1: ABLE}, games=2, round_limit=1), ABLE)
    leave_all(deal_next(scene, {}, dealer=1))
    assert scene.state.scores() == [-1, 2, -1]


def test_sov_13_penalties_left_over_are_shared_from_the_last_dealers_left() -> None:
    scene = sovereign({1: "SH SH SH SH SH"}, games=1, round_limit=1, mistakes="penalised", penalty=4)
    leave_all(give(scene, "SH"))
    # four counters: to seats 1, 2, 0 and 1 again
    assert scene.state.over and scene.state.scores() == [1, -2, 1] and scene.state.winners() == [0, 2]


def test_sov_13_the_shares_begin_at_the_left_of_the_last_dealer_not_the_first() -> None:
    scene = sovereign({1: "SH SH SH SH SH"}, games=2, round_limit=1, mistakes="penalised")
    leave_all(give(scene, "SH"))
    leave_all(deal_next(scene, {}, dealer=1))
    assert scene.state.scores() == [0, -1, 1] and scene.state.winners() == [2]


def test_sov_13_counters_may_be_negative_without_limit() -> None:
    scene = sovereign({1: "SH SH SH SH SH"}, mistakes="penalised", penalty=1000, stake=1000)
    for _ in range(5):
        scene.do("take surplus", "leave", "leave")
    assert scene.state.scores() == [-2000, -6000, -1000]


def test_sov_13_the_most_counters_win() -> None:
    scene = give(sovereign({1: ABLE}, games=1), ABLE)
    assert scene.state.over and scene.state.scores() == [-1, 2, -1] and scene.state.winners() == [1]


def test_money_is_told_in_shillings_and_pence() -> None:
    """A sum of more than a shilling is never told in pence alone; 12 pence are named where a shilling is explained."""
    assert [money(pence) for pence in (6, 12, 27, 126, 240)] == ["6d", "1s", "2s 3d", "10s 6d", "20s"]
    folder = Path(parlour.__file__).parent / "games" / "sovereign"
    files = [*folder.glob("*.toml"), folder / "lesson.json", folder / "words" / "en.json"]
    root = Path(__file__).resolve().parents[2]
    for file in (*files, root / "web/src/games/sovereign/texts/en-GB.ts", root / "docs/sovereign.md"):
        told = re.findall(r"\b(\d+) ?(?:d|pence|pennies)\b", file.read_text("utf-8"))
        assert all(int(pence) <= 12 for pence in told), (file.name, told)
    told = {code: each.value for code, each in COINS.items() if COIN_PENCE.get(code)}
    assert told == {code: money(COIN_PENCE[code]) for code in told} and len(told) == 8
