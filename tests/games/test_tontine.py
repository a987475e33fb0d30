"""Tontine, clause by clause: each test turns up the cards it needs."""

from __future__ import annotations

import pytest

import parlour
from support.scenes import Scene, tontine


def turn_up(scene: Scene, **cards: str) -> Scene:
    """Play a deal with these cards of the living: s0="KC", s1="10H" …; from the dealer's right, the dealer last."""
    dealer, players = scene.state.seat, scene.state.players
    order = [(dealer - turn) % players for turn in range(1, players + 1)]
    return scene.do("turn").chance(*(cards[f"s{seat}"] for seat in order if f"s{seat}" in cards))


def box(scene: Scene) -> int:
    return scene.state.where()["box"][0]


def pays(scene: Scene) -> list[list[object]]:
    """The payments of the last deal."""
    start = max(at for at, entry in enumerate(scene.log) if entry[0] == "deal")
    return [entry for entry in scene.log[start:] if entry[0] == "pay"]


def poor(**options: object) -> Scene:
    """Four players of one counter each, twelve in the box, and seat 0 deals."""
    return tontine(4, 0, stake=4, **options)


both = pytest.mark.parametrize("settle", ["in_turn", "together"])


def test_ton_1_a_full_pack_of_fifty_two() -> None:
    scene = tontine().do("turn")
    ranks = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
    pack = [scene.game.code(card) for card in scene.state.possible()]
    assert sorted(pack) == sorted(rank + suit for rank in ranks for suit in "CDHS")


def test_ton_1_the_pack_is_whole_again_before_each_deal() -> None:
    scene = turn_up(tontine(), s0="10C", s1="10D", s2="10H", s3="10S").do("turn")
    assert len(scene.state.possible()) == 52
    scene.chance("10S", "10H", "10D", "10C")
    assert scene.last() == [["deal", ["10S", "10H", "10D", "10C"]]]


def test_ton_1_fifty_two_players_can_play() -> None:
    scene = tontine(52)
    scene.do("turn").chance(*scene.game.codes)
    assert scene.state.seat == 51 and len(pays(scene)) == 48


@pytest.mark.parametrize("stake", [4, 12, 20, 1000])
def test_ton_2_each_player_takes_the_stake(stake: int) -> None:
    scene = tontine(5, stake=stake)
    assert sum(scene.state.scores()) + box(scene) == 5 * stake
    assert scene.state.scores() == 5 * [stake - 3]


def test_ton_2_the_stake_is_fifteen_by_default_and_four_at_least() -> None:
    assert parlour.game("tontine").options_for(4)["stake"] == 15
    with pytest.raises(parlour.OptionError, match=r"stake must be a whole number from 4 to 1000, not 3 \(TON-2\)"):
        tontine(stake=3)


@pytest.mark.parametrize("players", [4, 12, 15, 52])
def test_ton_3_each_player_first_puts_three_in_the_box(players: int) -> None:
    scene = tontine(players)
    assert box(scene) == 3 * players and scene.state.scores() == players * [12]


def test_ton_4_the_first_dealer_is_found_by_chance_and_can_only_turn_up() -> None:
    scene = Scene("tontine", 5)
    assert scene.awaits == "dealer" and scene.state.possible() == [0, 1, 2, 3, 4]
    scene.chance(3)
    assert scene.state.seat == 3 and scene.legal == {"turn"}
    with pytest.raises(parlour.Refusal) as refused:
        scene.state.play(1)
    assert refused.value.clause == "TON-4"
    assert refused.value.sentence == "There is only one thing to do: the dealer turns up the cards."


def test_ton_4_cards_go_round_from_the_dealers_right_and_the_dealer_is_last() -> None:
    scene = tontine(4, 1).do("turn").chance("4C", "5C", "JC", "6C")
    assert scene.last(6) == [
        ["turn", 1],
        ["deal", ["4C", "5C", "JC", "6C"]],
        ["pay", 0, "box", 2, "TON-8"],
        ["pay", 3, "box", 1, "TON-8"],
        ["pay", "box", 2, 1, "TON-5"],
        ["pay", 1, "box", 2, "TON-8"],
    ]


def test_ton_4_only_the_living_get_a_card() -> None:
    scene = turn_up(poor(), s0="10C", s1="KC", s2="4C", s3="10D").do("turn")
    assert scene.state.wanted() == 3
    # seat 3 deals; to its right are 2 (dead), 1 and 0
    scene.chance("5C", "10C", "4D")
    assert pays(scene) == [["pay", 1, "box", 1, "TON-8"], ["pay", 3, "box", 1, "TON-8"]]


@both
@pytest.mark.parametrize(("card", "counters"), [("KH", 3), ("QS", 2), ("JD", 1)])
def test_ton_5_king_queen_and_knave_draw_from_the_box(card: str, counters: int, settle: str) -> None:
    scene = turn_up(tontine(settle=settle), s0="10C", s1="10D", s2=card, s3="10S")
    assert pays(scene) == [["pay", "box", 2, counters, "TON-5"]]
    assert scene.state.scores() == [12, 12, 12 + counters, 12] and box(scene) == 12 - counters


def emptied(settle: str = "in_turn", last: str = "KS") -> Scene:
    """A party whose box was emptied by kings (with `last` for the dealer); seat 3 deals next."""
    return turn_up(tontine(settle=settle), s0=last, s1="KD", s2="KH", s3="KC")


@both
def test_ton_5_a_short_box_gives_what_it_has(settle: str) -> None:
    scene = emptied(settle, last="QS")
    assert box(scene) == 1
    turn_up(scene, s0="KD", s1="KC", s2="QS", s3="JC")
    assert pays(scene) == [["pay", "box", 2, 1, "TON-5"]]
    assert box(scene) == 0 and scene.state.scores() == [14, 15, 16, 15]


@both
def test_ton_6_a_ten_neither_draws_nor_pays(settle: str) -> None:
    scene = turn_up(tontine(settle=settle), s0="10C", s1="10D", s2="10H", s3="10S")
    assert pays(scene) == [] and scene.state.scores() == 4 * [12] and box(scene) == 12


@both
@pytest.mark.parametrize(("card", "reach"), [("AC", 1), ("2D", 2), ("3H", 3)])
@pytest.mark.parametrize("seat", range(5))
def test_ton_7_ace_deuce_and_three_pay_players_to_the_left(card: str, reach: int, seat: int, settle: str) -> None:
    cards = {f"s{other}": f"10{suit}" for other, suit in zip(range(5), "CDHSC", strict=True)}
    cards["s4"], cards[f"s{seat}"] = "KS", card
    scene = turn_up(tontine(5, settle=settle), **cards)
    to = (seat + reach) % 5
    assert ["pay", seat, to, reach, "TON-7"] in pays(scene)
    expected = 5 * [12]
    expected[seat] -= reach
    expected[to] += reach
    expected[4] += 3 if seat != 4 else 0
    assert scene.state.scores() == expected


def test_ton_7_with_four_players_the_third_at_the_left_sits_at_the_right() -> None:
    scene = turn_up(tontine(), s0="10C", s1="10D", s2="3H", s3="10S")
    assert scene.state.scores() == [12, 15, 9, 12]


def one_dead(settle: str = "in_turn") -> Scene:
    """Seat 2 is dead, seats 0, 1 and 3 have 4 counters each, 4 are in the box; seat 3 deals."""
    scene = turn_up(poor(settle=settle), s0="KC", s1="KD", s2="4C", s3="KH")
    assert scene.last() == [["dead", 2, "TON-10"]]
    assert scene.state.scores() == [4, 4, 0, 4] and box(scene) == 4
    return scene


@both
@pytest.mark.parametrize(("giver", "card", "counters"), [(1, "AC", 1), (0, "2C", 2), (3, "3C", 3)])
def test_ton_7_the_dead_are_counted_as_neighbours(giver: int, card: str, counters: int, settle: str) -> None:
    cards = {"s0": "10D", "s1": "10H", "s3": "10S", f"s{giver}": card}
    scene = turn_up(one_dead(settle), **cards)
    assert pays(scene) == [["pay", giver, 2, counters, "TON-7"]]


@both
def test_ton_7_the_dead_are_not_skipped(settle: str) -> None:
    scene = turn_up(one_dead(settle), s0="10C", s1="2C", s3="10S")
    assert pays(scene) == [["pay", 1, 3, 2, "TON-7"]]


def test_ton_7_three_players_cannot_play() -> None:
    with pytest.raises(parlour.OptionError, match=r"Tontine is for 4 to 52 players, not 3 \(TON-7\)"):
        tontine(3)


@both
@pytest.mark.parametrize(("rank", "counters"), [("4", 2), ("5", 1), ("6", 2), ("7", 1), ("8", 2), ("9", 1)])
def test_ton_8_four_to_nine_pay_the_box(rank: str, counters: int, settle: str) -> None:
    scene = turn_up(tontine(settle=settle), s0="10C", s1=f"{rank}D", s2="10H", s3="10S")
    assert pays(scene) == [["pay", 1, "box", counters, "TON-8"]]
    assert scene.state.scores() == [12, 12 - counters, 12, 12] and box(scene) == 12 + counters


def test_ton_9_the_deal_passes_to_the_right() -> None:
    scene = tontine(4, 1)
    dealers = [scene.state.seat]
    for _ in range(4):
        turn_up(scene, s0="10C", s1="10D", s2="10H", s3="10S")
        dealers.append(scene.state.seat)
    assert dealers == [1, 0, 3, 2, 1]


def test_ton_9_the_deal_skips_the_dead() -> None:
    scene = turn_up(one_dead(), s0="10C", s1="10D", s3="10S")
    assert scene.state.seat == 1


def test_ton_9_a_dealer_who_dies_still_hands_on_the_deal() -> None:
    scene = turn_up(poor(), s0="4C", s1="10D", s2="10H", s3="4S")
    assert scene.last(2) == [["dead", 0, "TON-10"], ["dead", 3, "TON-10"]]
    assert scene.state.seat == 2


@both
def test_ton_10_a_player_who_has_lost_all_counters_is_dead(settle: str) -> None:
    scene = turn_up(poor(settle=settle), s0="10C", s1="9D", s2="10H", s3="8S")
    assert scene.last(2) == [["dead", 1, "TON-10"], ["dead", 3, "TON-10"]]
    scene.do("turn")
    assert scene.state.wanted() == 2


def test_ton_10_the_dead_get_no_card_and_do_not_deal() -> None:
    scene = one_dead()
    dealers = []
    for _ in range(3):
        dealers.append(scene.state.seat)
        turn_up(scene, s0="10C", s1="10D", s3="10S")
    assert dealers == [3, 1, 0]


def test_ton_10_a_player_paid_again_within_the_deal_never_dies() -> None:
    # death is judged after the deal: seat 3 pays its last counter to the box, and then seat 2 gives it one
    scene = turn_up(poor(), s0="10C", s1="10D", s2="AC", s3="5S")
    assert scene.state.scores() == [1, 1, 0, 1]
    assert [entry for entry in scene.log if entry[0] in ("dead", "revived")] == [["dead", 2, "TON-10"]]


@both
@pytest.mark.parametrize(("giver", "card", "counters"), [(1, "AC", 1), (0, "2C", 2), (3, "3C", 3)])
def test_ton_11_ace_two_and_three_revive_the_dead(giver: int, card: str, counters: int, settle: str) -> None:
    cards = {"s0": "10D", "s1": "10H", "s3": "10S", f"s{giver}": card}
    scene = turn_up(one_dead(settle), **cards)
    assert scene.last() == [["revived", 2, "TON-11"]]
    assert scene.state.scores()[2] == counters


@both
def test_ton_11_the_revived_play_from_the_next_deal(settle: str) -> None:
    scene = one_dead(settle).do("turn")
    assert scene.state.wanted() == 3
    scene.chance("AC", "10C", "10D")
    assert scene.last() == [["revived", 2, "TON-11"]]
    assert scene.state.seat == 2
    scene.do("turn")
    assert scene.state.wanted() == 4


def test_ton_11_the_dead_are_told_before_the_revived() -> None:
    scene = turn_up(one_dead(), s0="10C", s1="10D", s3="5S")
    # seat 3 gives its last three to seat 2
    turn_up(scene, s0="10C", s1="10D", s3="3S")
    assert scene.last(2) == [["dead", 3, "TON-10"], ["revived", 2, "TON-11"]]


@both
@pytest.mark.parametrize(("card", "to"), [("4C", "box"), ("6D", "box"), ("8H", "box"), ("2S", 3), ("3S", 0)])
def test_ton_12_a_player_who_has_fewer_counters_pays_all_of_them(card: str, to: int | str, settle: str) -> None:
    scene = turn_up(poor(settle=settle), s0="10C", s1=card, s2="10H", s3="10S")
    clause = "TON-8" if to == "box" else "TON-7"
    assert pays(scene) == [["pay", 1, to, 1, clause]]
    assert scene.state.scores()[1] == 0


def test_ton_12_a_player_who_paid_all_counters_owes_no_more() -> None:
    scene = turn_up(poor(), s0="10C", s1="4C", s2="10H", s3="3S")
    # seat 1 owed 2 and paid 1; the counter it then has stays its own
    assert scene.state.scores() == [1, 0, 2, 0]
    turn_up(scene, s0="AC", s2="10H")
    assert scene.state.scores() == [0, 1, 2, 0]
    turn_up(scene, s1="10C", s2="10H")
    assert scene.state.scores() == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("settle", "served"),
    [
        ("in_turn", [["pay", 1, "box", 2, "TON-8"], ["pay", "box", 0, 2, "TON-5"]]),
        ("together", [["pay", 1, "box", 2, "TON-8"], ["pay", "box", 2, 1, "TON-5"], ["pay", "box", 0, 1, "TON-5"]]),
    ],
)
def test_ton_13_the_box_serves_in_the_order_dealt(settle: str, served: list[list[object]]) -> None:
    # an empty box; as dealt: seat 2 a knave, seat 1 pays 2, seat 0 a king, seat 3 a queen
    scene = turn_up(emptied(settle), s2="JC", s1="4C", s0="KC", s3="QC")
    assert pays(scene) == served


def test_ton_13_in_turn_each_pays_from_the_counters_held_by_then() -> None:
    # seat 3 gives its one counter to seat 0, which can then pay 2
    scene = turn_up(poor(settle="in_turn"), s3="AC", s2="10C", s1="10D", s0="4C")
    assert pays(scene) == [["pay", 3, 0, 1, "TON-7"], ["pay", 0, "box", 2, "TON-8"]]
    assert scene.state.scores() == [0, 1, 1, 0]


def test_ton_13_together_each_pays_from_the_counters_held_at_the_start() -> None:
    scene = turn_up(poor(settle="together"), s3="AC", s2="10C", s1="10D", s0="4C")
    assert pays(scene) == [["pay", 3, 0, 1, "TON-7"], ["pay", 0, "box", 1, "TON-8"]]
    assert scene.state.scores() == [1, 1, 1, 0]


@pytest.mark.parametrize("settle", ["in_turn", "together"])
def test_ton_13_together_all_pay_before_the_box_gives(settle: str) -> None:
    scene = turn_up(tontine(settle=settle), s3="KC", s2="4C", s1="QC", s0="AC")
    king, four = ["pay", "box", 3, 3, "TON-5"], ["pay", 2, "box", 2, "TON-8"]
    queen, ace = ["pay", "box", 1, 2, "TON-5"], ["pay", 0, 1, 1, "TON-7"]
    assert pays(scene) == ([king, four, queen, ace] if settle == "in_turn" else [four, ace, king, queen])
    assert scene.state.scores() == [11, 15, 10, 15]


def test_ton_13_in_turn_is_the_default() -> None:
    assert parlour.game("tontine").options_for(4)["settle"] == "in_turn"


@both
def test_ton_14_the_player_who_outlives_the_rest_takes_the_box(settle: str) -> None:
    scene = turn_up(poor(settle=settle), s3="5C", s2="10C", s1="7C", s0="9C")
    assert scene.last(4) == [
        ["dead", 0, "TON-10"],
        ["dead", 1, "TON-10"],
        ["dead", 3, "TON-10"],
        ["pay", "box", 2, 15, "TON-14"],
    ]
    assert scene.state.over and scene.state.scores() == [0, 0, 16, 0] and scene.state.winners() == [2]
    assert scene.legal == set()
    assert scene.refused("turn").sentence == "The sitting is over: nothing more can be played."


def test_ton_14_taking_an_empty_box_writes_no_entry() -> None:
    scene = turn_up(poor(), s0="KC", s1="KD", s2="KH", s3="KS")
    for _ in range(2):
        turn_up(scene, s0="10C", s1="3C", s2="2C", s3="AC")
    assert scene.state.scores() == [14, 0, 0, 2] and box(scene) == 0
    turn_up(turn_up(scene, s0="10C", s3="AC"), s0="10C", s3="AC")
    assert scene.last(2) == [["pay", 3, 0, 1, "TON-7"], ["dead", 3, "TON-10"]]
    assert scene.state.over and scene.state.scores() == [16, 0, 0, 0] and scene.state.winners() == [0]


def test_ton_14_the_end_is_judged_after_the_whole_deal() -> None:
    # before its own card seat 0 alone has counters; its deuce then gives them to seat 2
    scene = turn_up(poor(settle="in_turn"), s3="AC", s2="4C", s1="5C", s0="2C")
    assert scene.last(4) == [
        ["dead", 0, "TON-10"],
        ["dead", 1, "TON-10"],
        ["dead", 3, "TON-10"],
        ["pay", "box", 2, 14, "TON-14"],
    ]
    assert scene.state.winners() == [2] and scene.state.scores() == [0, 0, 16, 0]


def test_ton_14_the_same_cards_settled_together_leave_two_alive() -> None:
    scene = turn_up(poor(settle="together"), s3="AC", s2="4C", s1="5C", s0="2C")
    assert scene.state.scores() == [1, 0, 1, 0] and not scene.state.over


@both
@pytest.mark.parametrize("dealer", range(4))
def test_ton_14_when_nobody_is_left_the_dealer_who_paid_last_wins(dealer: int, settle: str) -> None:
    scene = turn_up(tontine(4, dealer, stake=4, settle=settle), s0="4C", s1="5C", s2="6C", s3="7C")
    assert scene.last(5) == [*(["dead", seat, "TON-10"] for seat in range(4)), ["pay", "box", dealer, 16, "TON-14"]]
    assert scene.state.over and scene.state.winners() == [dealer]
    assert scene.state.scores() == [16 if seat == dealer else 0 for seat in range(4)]


@both
def test_ton_14_when_nobody_is_left_the_earlier_dead_do_not_win(settle: str) -> None:
    # seat 2 is dead and has no card; the others lose all they have in two deals
    scene = turn_up(turn_up(one_dead(settle), s0="4C", s1="6C", s3="8C"), s0="4C", s1="6C", s3="8C")
    assert scene.last() == [["pay", "box", 1, 16, "TON-14"]]
    assert scene.state.winners() == [1]
