"""What a seat of Lost Heir remembers of what it was told: the seats that may hold each card."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.types import Seat
from ...engine.view import View
from . import notation
from .notation import DEAL, HAND, HEIR_15, NONE, PLAY, SCORE, SHEET, TAKE, TRUMP

SUIT_OF = notation.SUIT_OF


class LostHeirMemory(View):
    """The seats that may hold each card, and the suits of which a seat that was fined still holds one."""

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.holders = [0] * 48  # by card: the seats that may hold it
        self.free = options["odd_cards"] == "free"  # HEIR-10: odd cards may be played at any time
        self.heard_led = NONE  # the suit to follow, as heard
        self.opening = NONE  # the trump that the first lead must be, as heard
        self.may_be_void = NONE  # the seat that did not follow: it is void in the suit unless the next row is a fine,
        self.may_be_void_in = NONE  # and the suit
        self.revoked = [0] * 6  # by seat: the suits of which it still holds a card, as it was fined for not playing one
        self.played = [0] * 6  # by seat: the cards that it has played in this deal
        for card in range(48):
            self.holders[card] = self._others()

    def _copy_memory(self, other: Any) -> None:
        known = other
        self.holders[:] = known.holders
        self.revoked[:] = known.revoked
        self.played[:] = known.played
        self.heard_led = known.heard_led
        self.opening = known.opening
        self.may_be_void = known.may_be_void
        self.may_be_void_in = known.may_be_void_in

    def _encode_memory(self, buffer: Any, at: int) -> int:
        at = encode.holders(buffer, at, self.holders, self.seat, self.players, 48)
        return encode.sets(buffer, at, self.played, self.seat, self.players, 48)

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if kind == SCORE and self._row[3] == HEIR_15:
            if self.may_be_void >= 0:
                self.revoked[self.may_be_void] |= 1 << self.may_be_void_in
            self.may_be_void = NONE
        else:
            self._infer_void()
        if kind == DEAL:
            for card in range(48):
                self.holders[card] = self._others()
            for seat in range(6):
                self.revoked[seat] = 0
                self.played[seat] = 0
            self.heard_led = NONE
        elif kind == HAND and a == self.seat:
            for at in range(self._row[5]):
                self.holders[self._row[6 + at]] = 1 << a
        elif kind == PLAY:
            card = self._row[2]
            self.holders[card] = 0
            self.played[a] |= bitset.one(card)
            if card < 44:
                self.revoked[a] &= ~(1 << SUIT_OF[card])
            # HEIR-9, HEIR-10: an odd card tells nothing if it may be played at any time
            asked = self.opening if self.opening >= 0 else self.heard_led
            if asked >= 0 and SUIT_OF[card] != asked and (self.opening >= 0 or not self.free or card < 44):
                self.may_be_void = a
                self.may_be_void_in = asked
            self.opening = NONE
            if self.heard_led < 0:
                self.heard_led = SUIT_OF[card]
        elif kind == TRUMP:
            self.opening = self._row[2]
        elif kind == TAKE:
            self.heard_led = NONE

    def _infer_void(self) -> None:
        """A seat that did not follow and was not fined for it (HEIR-15) holds no card of the suit."""
        if self.may_be_void >= 0:
            self._void_in(self.may_be_void, self.may_be_void_in)
            self.may_be_void = NONE

    def _void_in(self, seat: Seat, suit: int) -> None:
        """A seat has shown that it holds no card of a suit."""
        for at in range(11):
            self.holders[11 * suit + at] &= ~(1 << seat)
