"""The Masquerade Game, clause by clause: the tests carry the numbers of its sheet."""

from __future__ import annotations

import random

import pytest
from tables import Scene, in_turn, masquerade

import parlour
from parlour import OptionError, Refusal

SUITS = {suit: " ".join(f"{suit}{number}" for number in range(1, 9)) for suit in "MRID"}

# Ridottos and Masqueraders are all laid out; what the hands lack are Intrigues and Mendicants.
RIDOTTOS = {1: "R5 R8 M1 M2", 2: "R2 R4 R7 M8", 3: "R1 R3 R6 M3 M4", 0: "M5 M6 M7"}

# Seat 0 holds every Masquerader; nobody else can follow anybody.
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
    """All who played a card to the trick just taken draw that very card, as long as the game lasts."""
    before, take = [at for at, entry in enumerate(scene.log) if entry[0] in ("deal", "take")][-2:]
    laid = {entry[1]: entry[2] for entry in scene.log[before:take] if entry[0] == "play"}
    for turn in range(1, scene.state.players):
        seat = (scene.log[take][1] + turn) % scene.state.players
        if seat in laid and scene.awaits == "draw":
            scene.chance(laid[seat])


# --- the pack and the deal ----------------------------------------------------------------------------------------------


def test_masq_1_four_suits_of_eight() -> None:
    game = parlour.game("masquerade")
    assert set(game.codes) == {f"{suit}{number}" for suit in "MRID" for number in range(1, 9)}
    assert len(game.codes) == 32
    names = [game.card_names[code] for code in ("M1", "R2", "I7", "D8")]
    assert names == ["Masquerader No. 1", "Ridotto No. 2", "Intrigue No. 7", "Mendicant No. 8"]


def test_masq_2_no_1_is_the_highest_of_its_suit_and_no_8_the_lowest() -> None:
    scene = masquerade({1: "R8", 2: "R7 R6", 3: "R3 R2 R5", 0: "R1 R4"})
    scene.do("play R8")
    assert scene.legal == {"play R7", "play R6"}
    scene.do("play R6")
    assert scene.legal == {"play R2", "play R3", "play R5"}
    scene.do("play R2")
    assert scene.legal == {"play R1"}
    scene.do("play R1")
    assert ["take", 0, "MASQ-11"] in scene.log


def test_masq_2_the_lowest_masquerader_outranks_no_1_of_another_suit() -> None:
    scene = masquerade({1: "R2", 2: "R1", 3: "R8 M1 M2 M3 M4 M5 M6 M7", 0: "M8"})
    scene.do("play R2", "play R1", "play M7", "play M8")
    assert ["take", 0, "MASQ-18"] in scene.log
    scene = masquerade({1: "R2 M1 M2 M3", 2: "R1 M4 M5 M6", 3: "R8", 0: "M8"})
    scene.do("play R2", "play R1", "play R8") if "play R8" in scene.legal else scene.do("play R2", "play R1")
    scene.do(*scene.legal) if scene.state.seat == 3 else None
    scene.do("play M8")
    assert ["take", 0, "MASQ-11"] in scene.log
