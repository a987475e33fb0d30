"""Heraldry, clause by clause: the tests carry the numbers of its sheet."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tables import Scene, heraldry

import parlour
from parlour import OptionError

# Six players under `last_deal: fours` have one deal: the hands hold all of Cross and Diamond, the table all of Star and
# Crescent. Under `capture: choice` each card of Cross can take its like of Star, each Diamond its like of Crescent.
LEVEL = {5: "X1 D1 X2 D2", 4: "X3 D3 X4 D4", 3: "X5 D5 X6 D6", 2: "X7 D7 X8 D8", 1: "X9 D9 X10 D10", 0: "XC DC XJ DJ"}
LIKE = {f"{ours}{rank}": f"{theirs}{rank}" for ours, theirs in ("XS", "DC") for rank in [*range(1, 11), "C", "J"]}


def refusal(scene: Scene, step: str) -> tuple[str, str]:
    refused = scene.refused(step)
    return refused.clause, refused.sentence


def capture(scene: Scene, card: str, *taken: str) -> Scene:
    """Play a card, take these, and be done where more could be taken."""
    scene.do(f"play {card}", *[f"take {code}" for code in taken])
    return scene.do("take done") if "take done" in scene.legal else scene


def one_deal(hands: dict[int, str], took: dict[str, str] | None = None, **options: Any) -> Scene:
    """A deal of six, played out: each takes with his cards in order, and what is said in `took`, else the like."""
    scene = heraldry(hands, "S1 C1 S2 C2", players=6, capture="choice", last_deal="fours", **options)
    return play_out(scene, hands, took)


def next_deal(scene: Scene, hands: dict[int, str], took: dict[str, str] | None = None) -> Scene:
    """The next such deal; hands are told by seat."""
    order = [scene.game.codes[0:0] for _ in range(6)]
    first = (dealers_right(scene)) % 6
    order = [(first - turn) % 6 for turn in range(6)]
    dealt = [hands[seat].split()[turn] for turn in range(4) for seat in order]
    scene.chance(*dealt, *[code for code in scene.game.codes if code not in dealt])
    assert scene.state.seat == first
    return play_out(scene, hands, took)


def dealers_right(scene: Scene) -> int:
    """Who plays first: the first dealer's right in the first deal, and one further to the right in each deal after it."""
    deals = sum(entry[0] == "deal" for entry in scene.log)
    return scene.log[0][1] - 1 - deals


def play_out(scene: Scene, hands: dict[int, str], took: dict[str, str] | None) -> Scene:
    left = {seat: text.split() for seat, text in hands.items()}
    while any(left.values()):
        card = left[scene.state.seat].pop(0)
        capture(scene, card, *(took or {}).get(card, LIKE[card]).split())
    return scene


def scored(scene: Scene) -> list[list[Any]]:
    """The score entries of the last deal that was counted."""
    deals = [at for at, entry in enumerate(scene.log) if entry[0] == "deal"]
    return [entry for entry in scene.log[deals[-1] :] if entry[0] == "score"]


def first_deal(players: int, seed: int, **options: Any) -> tuple[Scene, list[set[str]]]:
    """A first deal of chance, played at random; what each won by the log of it."""
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
    assert names == ["1 of the Star", "Crown of the Crescent", "10 of the Cross", "Jester of the Diamond"]


@pytest.mark.parametrize("number", range(1, 11))
def test_her_2_cards_count_by_their_number(number: int) -> None:
    others = [other for other in (3, 6, 9, 10) if other != number]
    table = [f"S{number}", *[f"C{other}" for other in others]][:4]
    hand = f"X{number} D{number}"
    scene = heraldry({1: f"{hand} CC CJ", 0: "SC SJ DC DJ"}, " ".join(table) + (" C7" if len(table) < 4 else ""))
    assert f"play X{number}" in scene.legal
    scene.do(f"play X{number}")
    taken = scene.last()[0][3]
    assert f"S{number}" in taken
    assert sum(int(code[1:]) for code in taken if code != f"S{number}") in (0, number)


@pytest.mark.parametrize("card", ["XC", "XJ"])
def test_her_2_crown_and_jester_count_ten(card: str) -> None:
    scene = heraldry({1: f"{card} C1 C2 C3", 0: "D1 D2 D3 D4"}, "S10 SC SJ S8", dealer=0)
    assert scene.do(f"play {card}").last() == [["capture", 1, card, ["S10", "SC", "SJ"]]]


@pytest.mark.parametrize("card", ["XC", "XJ", "X10"])
def test_her_2_crown_and_jester_combine_as_ten(card: str) -> None:
    scene = heraldry({1: f"{card} C1 C2 C3", 0: "D1 D2 D3 D4"}, "S6 S4 S5 S9").do(f"play {card}", "take S6", "take S4")
    assert scene.last() == [["capture", 1, card, ["S4", "S6"]]]


@pytest.mark.parametrize("dealer", range(3))
def test_her_3_dealt_one_at_a_time_from_the_dealers_right_then_four_to_the_table(dealer: int) -> None:
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
def test_her_3_two_to_six_play(players: int) -> None:
    with pytest.raises(OptionError, match=r"2 to 6 players, not \d \(HER-3\)"):
        Scene("heraldry", players)


# taking


def test_her_4_a_card_wins_all_cards_of_its_value() -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S7 C7 S9 SC").do("play X7")
    assert scene.last() == [["capture", 1, "X7", ["S7", "C7"]]]
    assert scene.where("won 1") == {"X7", "S7", "C7"}
    assert scene.where("table") == {"S9", "SC"}
    assert scene.state.seat == 0


@pytest.mark.parametrize("picks", [["S2", "S5"], ["S5", "S2"]])
def test_her_4_a_card_wins_two_that_add_up_to_it(picks: list[str]) -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC").do("play X7")
    assert scene.legal == {"take S2", "take S5"}
    scene.do(*[f"take {code}" for code in picks])
    assert scene.last() == [["capture", 1, "X7", ["S2", "S5"]]]


def test_her_4_a_card_wins_more_than_two_that_add_up_to_it() -> None:
    scene = heraldry({1: "XJ C8 C9 D8", 0: "D1 D2 D3 D4"}, "S1 S2 S3 S4")
    scene.do("play XJ", "take S1", "take S2", "take S3", "take S4")
    assert scene.last() == [["capture", 1, "XJ", ["S1", "S2", "S3", "S4"]]]


def test_her_4_both_ways_at_once() -> None:
    scene = heraldry({1: "X7 C1 C2 C3", 0: "D1 D2 D3 D4"}, "S7 S5 S2 SC").do("play X7", "take S5", "take S2")
    assert sorted(scene.last()[0][3]) == ["S2", "S5", "S7"]
    assert scene.where("won 1") == {"X7", "S7", "S5", "S2"}


def test_her_4_refuses_what_is_not_in_the_hand_not_on_the_table_or_does_not_add_up() -> None:
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
    assert sorted(scene.last()[0][3]) == ["S1", "S3", "S7", "S9"]


@pytest.mark.parametrize(
    ("picks", "left"),
    [(["S6", "S4"], {"S3", "S1"}), (["S6", "S3", "S1"], {"S4"}), (["S1", "S3", "S6"], {"S4"})],
)
def test_her_5_all_where_groups_overlap_the_player_chooses(picks: list[str], left: set[str]) -> None:
    """6 + 4 takes fewer cards than 6 + 3 + 1: that is no matter."""
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1").do("play XC")
    assert scene.legal == {"take S6", "take S4", "take S3", "take S1"}
    scene.do(*[f"take {code}" for code in picks])
    assert sorted(scene.last()[0][3]) == sorted(picks)
    assert scene.where("table") == left


def test_her_5_all_only_cards_that_complete_the_group_can_follow() -> None:
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1").do("play XC", "take S3")
    assert scene.legal == {"take S6", "take S1"}
    assert refusal(scene, "take S4") == ("HER-4", "With S4 no group can add up to 10.")
    assert scene.do("take S1").legal == {"take S6"}


def test_her_5_all_equals_cannot_be_left() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2").do("play X5")
    assert scene.legal == {"take S3", "take S2"}  # the fives are taken in any case
    scene.do("take S3", "take S2")
    assert scene.where("table") == set()


def test_her_5_choice_a_card_of_equal_value_is_a_group_by_itself() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice").do("play X5")
    assert scene.legal == {"take S5", "take C5", "take S3", "take S2"}
    scene.do("take C5")
    assert scene.legal == {"take S5", "take S3", "take S2", "take done"}
    assert scene.do("take done").last() == [["capture", 1, "X5", ["C5"]]]
    assert scene.where("table") == {"S5", "S3", "S2"}


def test_her_5_choice_a_group_without_the_equals() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    scene.do("play X5", "take S3", "take S2", "take done")
    assert scene.last() == [["capture", 1, "X5", ["S2", "S3"]]]


def test_her_5_choice_all_can_be_taken_too() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice")
    scene.do("play X5", "take S5", "take S3", "take S2", "take C5")
    assert sorted(scene.last()[0][3]) == ["C5", "S2", "S3", "S5"]
    assert scene.state.seat == 0


def test_her_5_choice_one_group_at_least_and_none_unfinished() -> None:
    scene = heraldry({1: "X5 C8 C9 D8", 0: "D1 D2 D3 D4"}, "S5 C5 S3 S2", capture="choice").do("play X5")
    assert refusal(scene, "take done")[0] == "HER-5"
    scene.do("take S3")
    assert scene.legal == {"take S2"}
    assert refusal(scene, "take done") == ("HER-5", "Finish a group that adds up to 5 first.")


def told(scene: Scene, entry: list[Any]) -> str | None:
    """What `check` says of the scene's log with one more entry; None where it only misses the rest of the sitting."""
    record = {"parlour": 1, "game": "heraldry", "players": 2, "options": scene.state.options, "result": {}}
    difference = parlour.check(record | {"log": [*scene.log, entry]})
    assert difference is not None
    return None if difference.entry == len(scene.log) + 1 else difference.sentence


def test_her_5_naming_the_cards_taken_is_enough_however_they_group() -> None:
    """1 + 9 and 3 + 7, named across each other; and 6 + 3 + 1, whichever way about."""
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S1 S9 S3 S7")
    assert told(scene, ["capture", 1, "XC", ["S9", "S7", "S1", "S3"]]) is None
    scene = heraldry({1: "XC C8 C9 D8", 0: "D1 D2 D3 D4"}, "S6 S4 S3 S1")
    assert told(scene, ["capture", 1, "XC", ["S3", "S1", "S6"]]) is None
    assert told(scene, ["capture", 1, "XC", ["S4", "S6"]]) is None


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


def test_her_5_no_other_capture() -> None:
    with pytest.raises(OptionError, match=r"all or choice, not 'some' \(HER-5\)"):
        Scene("heraldry", 2, capture="some")


@pytest.mark.parametrize("how", ["all", "choice"])
def test_her_6_who_can_take_must_with_a_card_of_his_choice(how: str) -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", capture=how)
    assert scene.legal == {"play X7", "play X9"}
    assert refusal(scene, "play X1") == ("HER-6", "Only who can take nothing discards, and these can take: X7, X9.")


@pytest.mark.parametrize("how", ["all", "choice"])
def test_her_6_who_cannot_discards_one_to_the_table(how: str) -> None:
    scene = heraldry({1: "X1 X3 X4 X6", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC", capture=how)
    assert scene.legal == {"play X1", "play X3", "play X4", "play X6"}
    assert scene.do("play X4").last() == [["discard", 1, "X4"]]
    assert scene.where("table") == {"S2", "S5", "S9", "SC", "X4"}
    assert scene.where("won 1") == set()
    assert scene.state.seat == 0


def test_her_6_a_record_that_discards_what_can_take_is_refused() -> None:
    scene = heraldry({1: "X7 X9 X1 X4", 0: "D1 D2 D3 D4"}, "S2 S5 S9 SC")
    for card in ("X7", "X1"):
        said = told(scene, ["discard", 1, card])
        assert said is not None and said.endswith("(HER-6)")


# the later deals

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
def test_her_7_what_each_deal_gives_to_each_and_to_the_table(last_deal: str, players: int) -> None:
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


def test_her_7_nothing_goes_to_the_table_with_a_middle_deal() -> None:
    scene = heraldry({1: "X1 D1 X2 D2", 0: "X3 D3 X4 D4"}, "SC CC XC DC")
    for card in ("X1", "X3", "X2", "D3", "D1", "X4", "D2"):
        scene.do(*[step for step in (f"play {card}",) if step in scene.legal])
        while scene.state.unfinished:
            scene.do(min(scene.legal))
    assert len(scene.log) > 4


def test_her_7_no_other_last_deal() -> None:
    with pytest.raises(OptionError, match=r"share or fours, not 'none' \(HER-7\)"):
        Scene("heraldry", 2, last_deal="none")
