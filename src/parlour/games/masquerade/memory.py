"""What a seat of The Masquerade Game remembers of what it was told: the seats that may hold each card."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import ParticleFilter
from ...engine.types import Card, Cards, Seat
from ...engine.view import View
from .notation import (
    ALL,
    DEAL,
    DECLINE,
    DRAW,
    FOLLOWINGS,
    GIVE,
    HAND,
    HELD,
    MASQ_6,
    MASQ_9,
    MASQ_13,
    MASQUERADERS,
    NONE,
    PLAY,
    RETURN,
    SCORE,
    SHEET,
    SKIP,
    STRICT,
    SUIT,
    TAKE,
    TOO_HIGH_TO_LEAD,
    TRICK,
)


class MasqueradeMemory(View):
    """The seats that may hold each card, the trick as heard, and a particle filter once beliefs are tracked."""

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.holders = [0] * 32  # by card: the seats that may hold it
        self.following = FOLLOWINGS.index(options["following"])  # MASQ-7, MASQ-8: climb, suit or strict
        self._filter = None  # type: Any  # the particle filter, once beliefs are tracked
        self.heard_trick = 0  # the cards of the trick, as heard
        self.heard_led = 0  # the suit led, as a set
        self.heard_laid = [NONE] * 8  # by seat: the card played to the trick
        self.heard_last = 0  # the card played last
        self.drawer = NONE  # the seat that has drawn unseen, until the next row tells whether it drew its own card,
        self.drawn_from = NONE  # and the seat that it drew from
        self._forget()

    def track_beliefs(self, trusting: bool = False) -> None:
        View.track_beliefs(self, trusting)
        if self._filter is None and self.seat >= 0:
            self._filter = ParticleFilter(list(range(32)), self.seat, 3)

    def _copy_memory(self, other: Any) -> None:
        known = other
        if self._filter is not None and known._filter is not None:
            self._filter._copy_all(known._filter)
        self.holders[:] = known.holders
        self.heard_laid[:] = known.heard_laid
        self.heard_trick = known.heard_trick
        self.heard_led = known.heard_led
        self.heard_last = known.heard_last
        self.drawer = known.drawer
        self.drawn_from = known.drawn_from

    def _encode_memory(self, buffer: Any, at: int) -> int:
        return encode.holders(buffer, at, self.holders, self.seat, self.players, 32)

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if self.drawer >= 0:
            self._infer_draw(kind == SCORE and self._row[3] == MASQ_13 and a == self.drawer)
        if kind == DEAL:
            self._forget()
            self.heard_trick = 0
        elif kind == HAND and a == self.seat:
            held = 0
            for at in range(self._row[5]):
                self.holders[self._row[6 + at]] = 1 << a
                held |= bitset.one(self._row[6 + at])
            if self._filter is not None:
                self._filter._deal(held, self.players, 32 // self.players, TRICK)
        elif kind == PLAY:
            if self._filter is not None:
                self._filter._see(self._row[2], a, TRICK, False)
            self._hear_play(a, self._row[2])
        elif kind == GIVE:
            # MASQ-9: only a player who can neither follow nor mask exchanges a card
            self._lacks(a, self.heard_led | MASQUERADERS)
            self._moved(self._row[2], a, self._row[3])
            if self._filter is not None:
                self._move_card(self._row[2], a, HELD)
        elif kind == RETURN or (kind == DRAW and self._row[4] == MASQ_9):
            # MASQ-9: the card that comes back is from the neighbour's hand as it was before the gift
            giver = self._row[3] if kind == RETURN else a
            neighbour = a if kind == RETURN else self._row[2]
            card = self._row[2] if kind == RETURN else self._row[3]
            self._moved(card, neighbour, giver)
            if self._filter is not None:
                self._move_card(card, neighbour, giver)
                self._filter._move_all(HELD, neighbour)
        elif kind == DECLINE:
            self._lacks(a, self.heard_led | MASQUERADERS)
        elif kind == SKIP:
            # MASQ-6, MASQ-10: the seat could not lead, or still could not play
            self._lacks(a, (ALL & ~TOO_HIGH_TO_LEAD) if self._row[2] == MASQ_6 else self.heard_led | MASQUERADERS)
        elif kind == DRAW:
            if self._row[3] >= 0:
                self._moved(self._row[3], self._row[2], a)
                if self._filter is not None:
                    self._move_card(self._row[3], self._row[2], a)
            else:
                # MASQ-13: the next row tells whether the seat drew its own card
                self.drawer = a
                self.drawn_from = self._row[2]
        elif kind == TAKE:
            for card in range(32):
                if self.heard_trick & bitset.one(card):
                    self.holders[card] = 1 << a
            self.heard_trick = 0
            if self._filter is not None:
                self._filter._move_all(TRICK, a)
        if self._filter is not None and not self._filter.lost:
            self._filter._resample()

    def _hear_play(self, seat: Seat, card: Card) -> None:
        """Infer from a card played which cards its hand lacks (MASQ-7, MASQ-8), and note where the card lies now."""
        if not self.heard_trick:
            self.heard_led = MASQUERADERS << (card & 24)
        elif self.following != SUIT:
            climbing = self.heard_led & bitset.beneath(self.heard_trick & self.heard_led)
            if not bitset.one(card) & climbing:
                self._lacks(seat, climbing)
                if not bitset.one(card) & MASQUERADERS:
                    self._lacks(seat, MASQUERADERS)
                elif self.following == STRICT:
                    # MASQ-8, following: strict – it was the seat's lowest
                    self._lacks(seat, MASQUERADERS & ~(bitset.one(card + 1) - 1))
            elif self.following == STRICT and bitset.one(self.heard_last) & self.heard_led:
                # MASQ-7, following: strict – it would have been the next in rank, if the seat had that
                self._lacks(seat, (bitset.one(self.heard_last) >> 1) & climbing & ~bitset.one(card))
        self.holders[card] = 0
        self.heard_trick |= bitset.one(card)
        self.heard_laid[seat] = card
        self.heard_last = card

    def _infer_draw(self, own: bool) -> None:
        """MASQ-13: a seat that drew unseen either drew its own card, and scored for it, or another one."""
        card = self.heard_laid[self.drawer]
        known = bitset.one(card) if card >= 0 else 0
        self._moved(card if own else NONE, self.drawn_from, self.drawer)
        if known and not own:
            self.holders[card] &= ~(1 << self.drawer)
        if self._filter is not None:
            if own and known:
                self._filter._see(card, self.drawn_from, self.drawer, True)
            else:
                self._filter._move_one(self.drawn_from, self.drawer, known)
                self._filter._lacks(self.drawer, known)
            if not self._filter.lost:
                self._filter._resample()
        self.drawer = NONE

    def _forget(self) -> None:
        """After a new deal, any other seat may hold any card."""
        for card in range(32):
            self.holders[card] = self._others()

    def _moved(self, card: Card, origin: int, to: int) -> None:
        """A card went from hand to hand. If it was not shown, it may be any card of the first hand."""
        if card >= 0:
            self.holders[card] = 1 << to
        else:
            for card in range(32):
                if (self.holders[card] >> origin) & 1:
                    self.holders[card] |= 1 << to

    def _lacks(self, seat: Seat, cards: Cards) -> None:
        """A seat has shown that it holds none of these cards."""
        if self._filter is not None:
            self._filter._lacks(seat, cards)
        while cards:
            self.holders[bitset.lowest(cards)] &= ~(1 << seat)
            cards &= cards - 1

    def _move_card(self, card: Card, origin: int, to: int) -> None:
        """Move a card, seen or not, from place to place in all particles."""
        if card >= 0:
            self._filter._see(card, origin, to, to != HELD)
        else:
            self._filter._move_one(origin, to, 0)
