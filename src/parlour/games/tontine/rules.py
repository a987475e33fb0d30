"""Tontine: a full pack, a box and counters. There is nothing to decide; the last player alive wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset
from ...engine.core import State
from ...engine.messages import say
from ...engine.types import Card, Seat, Step, Steps
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
    """One party (a sitting), from the stakes to the last player alive."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.stake = options["stake"]  # TON-2: the counters that each player takes
        self.together = options["settle"] == "together"  # TON-13: all pay before the box does, not card by card
        self.counters = [0] * 53  # by seat: the counters held; after the seats, those in the box
        self.incoming = [0] * 53  # by seat and box: counters paid but not yet received (settle: together)
        self._order = [0] * 52  # the seats of the cards turned up, in the order dealt
        self._paid = [0] * 52  # what was paid for each of these cards (settle: in_turn)
        self._payee = [0] * 676  # by rank and seat: the seat or box that a card pays
        for rank in range(13):
            for seat in range(players):
                # TON-7: neighbours are counted by seat, living or dead; TON-5: the box pays the player of a court card;
                # TON-8: four to nine pay the box; TON-6: a ten pays nothing (its `DUE` is 0)
                to = (seat + rank + 1) % players if rank < 3 else seat if rank >= KNAVE else BOX
                self._payee[52 * rank + seat] = to

    # the deal

    def _start(self) -> None:
        self.dealer = -1  # the seat that deals
        self.winner = -1  # the seat that won the party
        self.last_out = -1  # the seat that wins if nobody is left alive (TON-14)
        # TON-2: each player takes a stake. TON-3: each first puts three counters in the box
        for seat in range(52):
            self.counters[seat] = self.stake - 3 if seat < self.players else 0
            self._order[seat] = 0
        self.counters[BOX] = 3 * self.players
        self.living = bitset.one(self.players) - 1  # the seats that have counters, as judged between deals,
        self._now = 0  # and those that have some once the cards of a deal are settled
        # TON-4: the first dealer is found by chance
        self.stage = CHOOSING  # the stage of the party: choosing the dealer, then turning up
        self._await_one(DEALER, self.living)

    def _receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self._tell(DEALER, self.dealer, 0, 0, 0)
            self.stage = TURNING
            self.seat = self.dealer
        else:
            self._turn_up()

    # the turn

    def _choices(self) -> Steps:
        self.base = 0
        return 1 if self.seat >= 0 else 0

    def _apply(self, step: Step) -> None:
        """TON-4: the dealer turns up a card for each of the living."""
        self.moves += 1
        self._begin_deal()
        if self.journal is not None:
            self._tell(TURN, self.seat, 0, 0, 0)
        # TON-1: the pack is shuffled whole before each deal
        self._await_deal(DEAL, 52, bitset.count(self.living))

    def _turn_up(self) -> None:
        """TON-4: the cards go round from the dealer's right, the dealer last, and only to the living."""
        if self.journal is not None:
            self._tell(DEAL, 0, 0, 0, 0)
            self._tell_pack(self.draws)
        # the living, counted from the dealer: the dealer is 0, and the player at the dealer's right the highest
        rest = (self.living << (self.players - self.dealer)) | (self.living >> self.dealer)
        rest &= bitset.one(self.players) - 1
        for at in range(self.draws):
            seat = bitset.highest(rest)
            rest ^= bitset.one(seat)
            seat += self.dealer
            self._order[at] = seat - self.players if seat >= self.players else seat
        if self.together:
            self._settle_together()
        else:
            self._settle_in_turn()
        self._end_deal()

    # the score

    def _settle_in_turn(self) -> None:
        """TON-13, settle: in_turn – the payments are made card by card as dealt."""
        now = self.living
        gone = 0  # by place in the order: whose last counter was paid
        for at in range(self.draws):
            seat = self._order[at]
            rank = self._pack[at] >> 2
            court = rank >= KNAVE
            payer = seat ^ ((seat ^ BOX) & -court)  # no branch, as nobody can foresee the card; nor any below
            payee = self._payee[52 * rank + seat]
            # TON-12: a player who has fewer counters than are due pays all of them; TON-5: and so does the box
            paid = min(DUE[rank], self.counters[payer])
            self._paid[at] = paid
            kept = self.counters[payer] - paid
            self.counters[payer] = kept
            self.counters[payee] += paid
            lost = kept == 0
            gained = paid != 0
            now = (now & ~(lost << payer)) | (gained << payee)
            gone |= (lost & (court ^ 1)) << at
        if gone:
            self.last_out = self._order[bitset.highest(gone)]  # TON-14: the last player to pay their last counter
        self._now = now & (bitset.one(self.players) - 1)
        if self.journal is not None:
            for at in range(self.draws):
                seat = self._order[at]
                rank = self._pack[at] >> 2
                self._pay(BOX if rank >= KNAVE else seat, self._payee[52 * rank + seat], self._paid[at], rank)

    def _settle_together(self) -> None:
        """TON-13, settle: together – all players pay first, each from the counters held at the start of the deal."""
        for seat in range(53):
            self.incoming[seat] = 0
        for at in range(self.draws):
            seat = self._order[at]
            rank = self._pack[at] >> 2
            if rank >= KNAVE:
                continue
            payee = self._payee[52 * rank + seat]
            # TON-12: a player who has fewer counters than are due pays all of them
            paid = min(DUE[rank], self.counters[seat])
            self.counters[seat] -= paid
            self.incoming[payee] += paid
            if paid:
                self.last_out = seat  # TON-14: of the players who paid, the last in the order dealt
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
                self.counters[self._order[at]] += paid
                if self.journal is not None:
                    self._pay(BOX, self._order[at], paid, rank)
        self._now = 0
        for seat in range(self.players):
            some = self.counters[seat] != 0
            self._now |= some << seat

    def _pay(self, payer: Seat, payee: Seat, paid: int, rank: int) -> None:
        """Tell of a payment, unless nothing was paid."""
        if paid > 0:
            self._tell(PAY, payer, payee, paid, TON_5 if rank >= KNAVE else TON_7 if rank < 3 else TON_8)

    # the end

    def _end_deal(self) -> None:
        """TON-10, TON-11: judge who is alive. TON-14: end the party, or TON-9: pass the deal on."""
        # TON-10: a player who has lost all counters is dead; this is judged between one deal and the next
        now = self._now
        if self.journal is not None and now != self.living:
            rest = self.living & ~now
            while rest:
                self._tell(DEAD, bitset.lowest(rest), TON_10, 0, 0)
                rest &= rest - 1
            # TON-11: dead players whom a neighbour's card has paid live again, and play from the next deal
            rest = now & ~self.living
            while rest:
                self._tell(REVIVED, bitset.lowest(rest), TON_11, 0, 0)
                rest &= rest - 1
        self.living = now
        self.seat = -1
        if bitset.count(now) <= 1:
            # TON-14: the player who outlives the rest wins and takes the box; if all are dead, the last who paid
            self.winner = bitset.lowest(now) if now else self.last_out
            if self.counters[BOX]:
                self._tell(PAY, BOX, self.winner, self.counters[BOX], TON_14)
            self.counters[self.winner] += self.counters[BOX]
            self.counters[BOX] = 0
            self.over = True
        else:
            # TON-9: the deal passes to the right, to the next living player
            rest = now & (bitset.one(self.dealer) - 1)
            self.dealer = bitset.highest(rest if rest else now)
            self.seat = self.dealer

    def _score_of(self, seat: Seat) -> float:
        return self.counters[seat]

    def _has_won(self, seat: Seat) -> bool:
        return seat == self.winner

    # for search

    def _forecast(self, seat: Seat) -> float:
        # nobody decides anything: a larger share of the counters means a longer life
        held: float = self.players * self.stake - self.counters[BOX] + 1.0
        return self.counters[seat] / held

    # refusals and records

    def where(self) -> dict[str, list[Card]]:
        return {"pack": list(range(52)), "counters": self.scores(), "box": [self.counters[BOX]]}

    def why_not(self, step: Step) -> tuple[str, str]:
        return say("turn", "There is only one thing to do: the dealer turns up the cards."), "TON-4"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        return [0]
