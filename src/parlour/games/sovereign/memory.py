"""What a seat of Change for a Sovereign remembers of what it was told: where coins are, or may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import ParticleFilter
from ...engine.types import Card, Cards, Seat
from ...engine.view import View
from .notation import (
    ASIDE,
    CHANGE,
    CHANGE_UNITS,
    CODES,
    DEAL,
    DEALER,
    DRAW,
    HAND,
    LEAVE,
    PENALTY,
    PICK,
    POOL,
    RANDOM_ONE_IN,
    SHEET,
    SHOWN,
    SOV_5,
    SURPLUS,
    SURPLUS_PLACE,
    TAKE,
    THROW,
    UNDER,
    Coins,
    copies_of,
)
from .rules import reaches


def kinds_of(copies: Sequence[int]) -> list[int]:
    """The kind of every card of the pack."""
    return [coin for coin in range(9) for _ in range(copies[coin])]


class SovereignMemory(View):
    """Coins that were shown in other hands, the pools as heard, and a particle filter once beliefs are tracked."""

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.thrown = [0] * 9  # by kind of coin: how many this seat has thrown out
        self.at_least = [0] * 99  # by seat and kind of coin: how many it is known to hold
        self.copies = copies_of(options)  # by kind of coin: how many are in the pack
        self.kind = kinds_of(self.copies) + [0] * 8  # by card of the pack: its kind of coin
        self.stake = options["stake"]  # SOV-2: the counters of a stake
        self.heard_pool = 0  # the sovereign pool, as heard
        self.heard_fines = 0  # the penalties in the general pool, as heard
        self.under = options["thrown"] == "under"  # SOV-5a: cards thrown out go under the surplus, not aside
        self.must = options["change"] == "must"  # SOV-4: a player who can give change must
        self.penalised = options["mistakes"] == "penalised"  # SOV-4a: mistakes are possible and cost a penalty
        self._filter = None  # type: Any  # the particle filter, once beliefs are tracked
        self.just_took = -1  # the seat that has just taken a card: it can give change if it, and not the next, acts now

    def _encode_memory(self, buffer: Any, at: int) -> int:
        at = encode.each(buffer, at, self.thrown, 0, 9, 0)
        for turn in range(self.players):
            seat = (max(self.seat, 0) + turn) % self.players
            for coin in range(9):
                known = self.at_least[9 * seat + coin] if seat != self.seat else 0
                at = encode.number(buffer, at, known)
        return at

    # listening

    def _copy_memory(self, other: Any) -> None:
        known = other
        if self._filter is not None and known._filter is not None:
            self._filter._copy_all(known._filter)
        self.thrown[:] = known.thrown
        self.at_least[:] = known.at_least
        self.heard_pool = known.heard_pool
        self.heard_fines = known.heard_fines
        self.just_took = known.just_took

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if kind == CHANGE or kind == LEAVE or kind == THROW or kind == TAKE:
            # this row tells whether the turn passed
            if self.just_took >= 0:
                self._infer_change(self.just_took, a == self.just_took)
            if self.must and (kind == LEAVE or kind == THROW):
                # SOV-4, change: must – a player who can give change does nothing else
                self._infer_change(a, False)
        if self._filter is not None:
            self._update_particles()
        if kind == DEALER:
            self.heard_pool = 0
            self.heard_fines = 0
        elif kind == PENALTY:
            self.heard_fines += self._row[2]
        elif kind == POOL and self._row[3]:
            self.heard_pool = 0
        elif kind == POOL:
            self.heard_fines = 0
        elif kind == DEAL:
            self.just_took = -1
            # SOV-2: the dealer has staked in the sovereign pool
            self.heard_pool += self.stake
            for coin in range(99):
                self.at_least[coin] = 0
            for coin in range(9):
                self.thrown[coin] = 0
        elif kind == SURPLUS:
            for coin in range(9):
                self.thrown[coin] = 0
        elif kind == THROW:
            if a == self.seat:
                self.thrown[self._row[2]] += 1
            else:
                self._lose_unseen(a)
        elif kind == DRAW:
            origin = self._row[2]
            if origin == self.seat:
                # the seat drawn from knows which card the other now has
                self.at_least[9 * a + self._row[3]] += 1
            elif a == self.seat:
                # and the seat that drew knows which card the other no longer has
                if self.at_least[9 * origin + self._row[3]] > 0:
                    self.at_least[9 * origin + self._row[3]] -= 1
            else:
                self._lose_unseen(origin)
        elif kind == CHANGE:
            # everyone sees a wrong offer before it is taken back
            for coin in range(9):
                shown = 0
                for at in range(self._row[5]):
                    if self._row[6 + at] == coin:
                        shown += 1
                if shown > self.at_least[9 * a + coin]:
                    self.at_least[9 * a + coin] = shown

    def _lose_unseen(self, seat: Seat) -> None:
        """A hand lost a card that was not shown: it may be any of the coins known to be there."""
        for coin in range(9):
            if self.at_least[9 * seat + coin] > 0:
                self.at_least[9 * seat + coin] -= 1

    # particles

    def track_beliefs(self, trusting: bool = False) -> None:
        View.track_beliefs(self, trusting)
        if self._filter is None and self.seat >= 0:
            self._filter = ParticleFilter([self.kind[item] for item in range(56)], self.seat, 0)

    def _update_particles(self) -> None:
        """Update the particles with the told row."""
        kind = self._row[0]
        a = self._row[1]
        if kind == HAND and a == self.seat:
            self._deal_particles()
        elif kind == THROW:
            if self._row[2] < 0 and self._trusting:
                self._guess_throw(a)
            else:
                self._move_coin(self._row[2], a, UNDER if self.under else ASIDE)
        elif kind == PICK:
            self._move_coin(self._row[2], SURPLUS_PLACE if self._filter._held(0, SURPLUS_PLACE) else UNDER, a)
            if self._row[3] == SOV_5 and not self.penalised:
                self.just_took = a
        elif kind == DRAW:
            self._move_coin(self._row[3], self._row[2], a)
            if not self.penalised:
                self.just_took = a
        elif kind == SURPLUS:
            self._filter._move_all(ASIDE, SURPLUS_PLACE)
        elif kind == CHANGE:
            for at in range(self._row[5]):
                self._filter._see(self._row[6 + at], a, SHOWN, False)
            self._filter._move_all(SHOWN, a)
        if not self._filter.lost:
            self._filter._resample()

    def _deal_particles(self) -> None:
        """Start the particles with the coins that this seat was dealt; all others may be anywhere."""
        held = 0
        for at in range(self._row[5]):
            coin = self._row[6 + at]
            held |= bitset.one(bitset.lowest(self._filter.of_kind[coin] & ~held))
        self._filter._deal(held, self.players, 5, SURPLUS_PLACE)

    def _move_coin(self, coin: Card, origin: int, to: int) -> None:
        """Move a coin, seen or not, from place to place in all particles."""
        if coin >= 0:
            self._filter._see(coin, origin, to, True)
        else:
            self._filter._move_one(origin, to, 0)

    def _guess_throw(self, seat: Seat) -> None:
        """Throw out an unseen coin in every particle: mostly the coin that the heuristic would throw out."""
        to = UNDER if self.under else ASIDE
        general = self.players * self.stake + self.heard_fines
        for world in range(self._filter.worlds):
            items = self._filter._held(world, seat)
            if not items:
                self._filter._drop(world)
            elif self._filter.luck._below(RANDOM_ONE_IN):
                coin = self._likely_throw(self._coins_in(items), self.heard_pool, general)
                self._filter._move_this(world, self._filter._any_of(items & self._filter.of_kind[coin]), seat, to)
            else:
                self._filter._move_any(world, items, seat, to)
        self._filter._moved(seat, to)

    def _likely_throw(self, hand: Coins, sovereign: int, general: int) -> Card:
        """The coin that the heuristic throws out of a hand, with these counters in the pools; the view overrides it."""
        return bitset.lowest(hand) >> 2

    def _infer_change(self, seat: Seat, able: bool) -> None:
        """SOV-5: after taking a card, a seat still has the turn if it can give change, and not if it cannot."""
        if self._filter is not None and seat != self.seat and not self._filter.lost:
            agree = 0
            for world in range(self._filter.worlds):
                agree += reaches(self._coins_in(self._filter._held(world, seat)), CHANGE_UNITS) == able
            # if no particle agrees, a slightly wrong filter is better than an empty one
            if agree:
                for world in range(self._filter.worlds):
                    if reaches(self._coins_in(self._filter._held(world, seat)), CHANGE_UNITS) != able:
                        self._filter._drop(world)
                self._filter._resample()
        self.just_took = -1

    def _coins_in(self, items: Cards) -> Coins:
        """Cards of the pack as a hand of coins (four bits a kind)."""
        coins = 0
        while items:
            coins += bitset.one(4 * self.kind[bitset.lowest(items)])
            items &= items - 1
        return coins

    # as data

    def counted(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts of coins by code."""
        return {CODES[coin]: counts[coin] for coin in range(9) if counts[coin]}

    @property
    def coins_thrown(self) -> dict[str, int]:
        """The coins that this seat has thrown out, by code."""
        return self.counted([self.thrown[coin] for coin in range(9)])

    @property
    def coins_known(self) -> list[dict[str, int]]:
        """The coins that each other seat is known to hold, by code."""
        known = self.at_least
        return [
            self.counted([known[9 * seat + coin] if seat != self.seat else 0 for coin in range(9)])
            for seat in range(self.players)
        ]
