"""What a seat of Trio sees, and how it guesses and plays."""

from __future__ import annotations

from typing import Any

from parlour import Seeded
from parlour.engine.bitset import items
from parlour.engine.fields import OWNER, SEATS, CardKind, CardSet, Field, Number, SeatKind
from parlour.engine.plain import PlainView, deal_unseen

from .rules import CODES, Trio


class TrioView(PlainView):
    """A hand of three cards, and what lies open."""

    STATE = Trio
    FIELDS = (
        Field("leader", SeatKind(), "the seat that led the trick"),
        Field("hand", CardSet(CODES), "the cards of one's own hand", seen_by=OWNER),
        Field("laid", CardKind(CODES, SEATS), "the card that each seat has laid to the trick"),
        Field("played", CardSet(CODES), "the cards that were played"),
        Field("hand_sizes", Number(SEATS), "how many cards each seat holds"),
        Field("points", Number(SEATS), "tricks taken, as they count", score=True),
    )

    def look(self, state: Any) -> None:
        self.leader, self.played = state.leader, state.played
        self.hand = state.hands[self.seat] if self.seat >= 0 else 0
        self.laid, self.points = state.laid[:], state.points[:]
        self.hand_sizes = [hand.bit_count() for hand in state.hands]

    def determinize(self, state: Any, luck: Seeded) -> bool:
        state.leader, state.played, state.laid, state.points = self.leader, self.played, self.laid[:], self.points[:]
        sizes = [0 if seat == self.seat else size for seat, size in enumerate(self.hand_sizes)]
        state.hands = deal_unseen(luck, 0xFFF & ~self.hand & ~self.played, sizes)
        if self.seat >= 0:
            state.hands[self.seat] = self.hand
        return True

    def choose(self, luck: Seeded) -> int:
        return items(self.steps)[-1]  # the highest, to take the trick
