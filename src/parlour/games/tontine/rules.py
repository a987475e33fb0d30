"""Tontine: a full pack, a box and counters; nothing to decide, and who outlives the rest wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset
from ...engine.core import State
from ...engine.types import Seat, Step, Steps
from . import notation
from .notation import (
    BOX,
    CHOOSING,
    DEAD,
    DEAL,
    DEALER,
    KNAVE,
    PAY,
    REVIVED,
    SHEET,
    TON_5,
    TON_7,
    TON_8,
    TON_10,
    TON_11,
    TON_14,
    TURN,
    TURNING,
)

DUE = notation.DUE


class Tontine(State):
    """One party."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.stake = options["stake"]
        self.together = options["settle"] == "together"
        self.counters = [0] * 53
        self.incoming = [0] * 53
        self.order = [0] * 52
        self.payee = [0] * 676
        for rank in range(13):
            for seat in range(players):
                # TON-7: neighbours by seat, living or dead; TON-5: the courts pay their own player
                to = (seat + rank + 1) % players if rank < 3 else seat if rank >= KNAVE else BOX
                self.payee[52 * rank + seat] = to

    # the stake

    def _start(self) -> None:
        self.dealer = -1
        self.winner = -1
        self.last_out = -1
        # TON-2: each takes a stake. TON-3: and first puts three in the box
        for seat in range(52):
            self.counters[seat] = self.stake - 3 if seat < self.players else 0
            self.order[seat] = 0
        self.counters[BOX] = 3 * self.players
        self.living = bitset.one(self.players) - 1
        # TON-4: the first dealer by chance
        self.stage = CHOOSING
        self._await_one(DEALER, self.living)

    # the deal

    def _choices(self) -> Steps:
        self.base = 0
        return 1 if self.seat >= 0 else 0

    def _apply(self, step: Step) -> None:
        """TON-4: the dealer turns up a card for each of the living."""
        self.moves += 1
        self._begin_deal()
        self._tell(TURN, self.seat, 0, 0, 0)
        # TON-1: the pack is shuffled whole before each deal
        self._await_deal(DEAL, 52, bitset.count(self.living))

    def _receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self._tell(DEALER, self.dealer, 0, 0, 0)
            self.stage = TURNING
            self.seat = self.dealer
        else:
            self._turn_up()

    def _turn_up(self) -> None:
        """TON-4: from the dealer's right, the dealer last; only the living."""
        if self.journal is not None:
            self._tell(DEAL, 0, 0, 0, 0)
            self._tell_pack(self.draws)
        # the living counted from the dealer: he is 0, and the player at his right the highest
        rest = (self.living << (self.players - self.dealer)) | (self.living >> self.dealer)
        rest &= bitset.one(self.players) - 1
        for at in range(self.draws):
            seat = bitset.highest(rest)
            rest ^= bitset.one(seat)
            seat += self.dealer
            self.order[at] = seat - self.players if seat >= self.players else seat
        if self.together:
            self._settle_together()
        else:
            self._settle_in_turn()
        self._end_deal()

    # settling

    def _pay(self, payer: Seat, payee: Seat, paid: int, rank: int) -> None:
        """Tell of a payment; nothing is written for nothing paid."""
        if paid > 0:
            self._tell(PAY, payer, payee, paid, TON_5 if rank >= KNAVE else TON_7 if rank < 3 else TON_8)

    def _settle_in_turn(self) -> None:
        """TON-13, settle: in_turn – card by card as dealt."""
        for at in range(self.draws):
            seat = self.order[at]
            rank = self._pack[at] >> 2
            payer = BOX if rank >= KNAVE else seat
            payee = self.payee[52 * rank + seat]
            # TON-12: who has fewer than is due pays what he has; TON-5: and so does the box
            paid = min(DUE[rank], self.counters[payer])
            self.counters[payer] -= paid
            self.counters[payee] += paid
            # not `and`: what a card does is a toss-up, but that it takes the last counter is rare
            if (paid > 0) & (payer == seat) & (self.counters[seat] == 0):
                self.last_out = seat  # TON-14: the last to pay his last counter
            if self.journal is not None:
                self._pay(payer, payee, paid, rank)

    def _settle_together(self) -> None:
        """TON-13, settle: together – what all pay is taken first, each from what he had at the start of the deal."""
        for seat in range(53):
            self.incoming[seat] = 0
        for at in range(self.draws):
            seat = self.order[at]
            rank = self._pack[at] >> 2
            if rank >= KNAVE:
                continue
            payee = self.payee[52 * rank + seat]
            # TON-12: who has fewer than is due pays what he has
            paid = min(DUE[rank], self.counters[seat])
            self.counters[seat] -= paid
            self.incoming[payee] += paid
            if paid:
                self.last_out = seat  # TON-14: of those who paid, the last in the order dealt
            if self.journal is not None:
                self._pay(seat, payee, paid, rank)
        for seat in range(53):
            self.counters[seat] += self.incoming[seat]
        # TON-13: then the box serves kings, queens and knaves in the order dealt
        for at in range(self.draws):
            rank = self._pack[at] >> 2
            if rank >= KNAVE:
                paid = min(DUE[rank], self.counters[BOX])
                self.counters[BOX] -= paid
                self.counters[self.order[at]] += paid
                if self.journal is not None:
                    self._pay(BOX, self.order[at], paid, rank)

    # the living and the dead

    def _end_deal(self) -> None:
        # TON-10: who has lost all his counters is dead, judged now, at the end of one deal and the start of the next
        now = 0
        for seat in range(self.players):
            alive = self.counters[seat] != 0
            now |= alive << seat
        if now != self.living:
            rest = self.living & ~now
            while rest:
                self._tell(DEAD, bitset.lowest(rest), TON_10, 0, 0)
                rest &= rest - 1
            # TON-11: the dead whom a neighbour's card paid live again, and play from the next deal
            rest = now & ~self.living
            while rest:
                self._tell(REVIVED, bitset.lowest(rest), TON_11, 0, 0)
                rest &= rest - 1
        self.living = now
        self.seat = -1
        if bitset.count(now) <= 1:
            # TON-14: who outlives the rest wins and takes the box; if nobody is left alive, the last who paid
            self.winner = bitset.lowest(now) if now else self.last_out
            if self.counters[BOX]:
                self._tell(PAY, BOX, self.winner, self.counters[BOX], TON_14)
            self.counters[self.winner] += self.counters[BOX]
            self.counters[BOX] = 0
            self.over = True
        else:
            # TON-9: the deal passes to the right, to the next living
            rest = now & (bitset.one(self.dealer) - 1)
            self.dealer = bitset.highest(rest if rest else now)
            self.seat = self.dealer

    def _score_of(self, seat: Seat) -> float:
        return self.counters[seat]

    def _has_won(self, seat: Seat) -> bool:
        return seat == self.winner

    def _forecast(self, seat: Seat) -> float:
        # nobody decides anything: the more counters among the living, the longer one lives
        held: float = self.players * self.stake - self.counters[BOX] + 1.0
        return self.counters[seat] / held

    # copies, refusals, records

    def where(self) -> dict[str, list[int]]:
        return {"pack": list(range(52)), "counters": self.scores(), "box": [self.counters[BOX]]}

    def why_not(self, step: Step) -> tuple[str, str]:
        return "There is but one thing to do: the dealer turns up the cards.", "TON-4"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        return [0]
