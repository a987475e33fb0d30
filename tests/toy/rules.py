"""The rules of Trio, in the order of its sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.engine.bitset import highest, items, union
from parlour.engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry
from parlour.engine.pack import codes, steps
from parlour.engine.plain import PlainState
from parlour.sheets.model import read_sheet

SHEET = read_sheet(__file__)
TRIO_4, TRIO_5 = SHEET.numbers("TRIO-4", "TRIO-5")
# TRIO-1: acorns are 0 to 5, bells 6 to 11
NAMES = {"A": "acorns", "B": "bells"}
CARDS = [(f"{suit}{rank}", f"{rank} of {name}") for suit, name in NAMES.items() for rank in range(1, 7)]
CODES = codes(CARDS)
STEPS = steps("play", CODES)
SUITS = (0b000000111111, 0b111111000000)

DEAL, HAND, PLAY, TAKE, SCORE = range(5)
ENTRIES = (
    Entry("deal", CHANCE, "cards?", "TRIO-2"),
    Entry("hand", TOLD, "seat! cards?", "TRIO-2"),
    Entry("play", DECISION, "seat card", "TRIO-3"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("score", CONSEQUENCE, "seat points clause", gives=1),
)


class Trio(PlainState):
    """One game of three tricks."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.hands = [0] * players  # the cards of each seat
        self.points = [0] * players  # of each seat
        self.laid = [-1] * players  # the card of each seat in this trick
        self.leader = 0  # the seat that led this trick
        self.played = 0  # cards that have left the hands

    def start(self) -> None:
        self.hands, self.points = [0] * self.players, [0] * self.players
        self.laid, self.leader, self.played = [-1] * self.players, 0, 0
        self.next_deal()
        self.ask_deal(DEAL, 12, 3 * self.players)

    def receive(self) -> None:
        # TRIO-2: three each, one at a time
        cards = self.dealt()
        self.tell(DEAL, items=cards)
        for seat in range(self.players):
            self.hands[seat] = union(cards[seat :: self.players])
            self.tell(HAND, seat, items=items(self.hands[seat]))
        self.turn_to(0)

    def choices(self) -> int:
        # TRIO-3: follow the suit led
        hand, led = self.hands[self.seat], self.laid[self.leader]
        following = hand & SUITS[led // 6] if led >= 0 else hand
        return following or hand

    def apply(self, step: int) -> None:
        seat = self.seat
        self.tell(PLAY, seat, step)
        self.hands[seat] &= ~(1 << step)
        self.played |= 1 << step
        self.laid[seat] = step
        if -1 in self.laid:
            self.turn_to((seat + 1) % self.players)
        else:
            self.end_trick()

    def end_trick(self) -> None:
        # TRIO-4: the highest card of the suit led
        taker = self.laid.index(highest(union(self.laid) & SUITS[self.laid[self.leader] // 6]))
        self.tell(TAKE, taker, TRIO_4)
        last = not self.hands[0]
        worth = 2 if last and self.options["last"] == "double" else 1  # TRIO-5
        self.points[taker] += worth
        self.tell(SCORE, taker, worth, TRIO_5 if last else TRIO_4)
        self.laid, self.leader = [-1] * self.players, taker
        self.end() if last else self.turn_to(taker)

    def score_of(self, seat: int) -> float:
        return float(self.points[seat])

    def why_not(self, step: int) -> tuple[str, str]:
        if not self.hands[self.seat] >> step & 1:
            return f"You do not hold {CODES[step]}." if step < 12 else f"There is no step {step}.", "TRIO-2"
        return "Follow the suit led while you can.", "TRIO-3"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        return [values[1]]

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": items(hand) for seat, hand in enumerate(self.hands)}
        held = union(card for cards in places.values() for card in cards)
        return places | {"played": items(self.played), "pack": items(0xFFF & ~held & ~self.played)}
