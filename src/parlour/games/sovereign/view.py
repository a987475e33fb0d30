"""What a seat of Change for a Sovereign sees, the positions that it thinks possible, and its heuristic."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode, turns
from ...engine.beliefs import DealSampler
from ...engine.core import Seeded, State
from ...engine.fields import OWNER, SEATS, Counts, CountsEach, CountsOf, Field, Flag, Number, OneOf, SeatKind
from ...engine.types import Card, Seat, Step
from ...engine.view import MANY, SearchProfile, View, by_name
from . import notation
from .memory import SovereignMemory
from .notation import (
    AFTER,
    ASIDE,
    CHANGE_UNITS,
    CODES,
    SOVEREIGN_CARD,
    STAGES,
    STARTING,
    STEP_DONE,
    STEP_LEAVE,
    STEP_NEIGHBOUR,
    STEP_SURPLUS,
    STEP_THROW,
    SURPLUS_PLACE,
    TAKING,
    Coins,
)
from .rules import Sovereign, reaches, sums_of

UNITS = notation.UNITS


def _size_of(coins: Coins) -> int:
    """How many coins there are."""
    size = 0
    for coin in range(9):
        size += (coins >> (4 * coin)) & 15
    return size


def _units_of(coins: Coins) -> int:
    """The sum of coins, in sixpences."""
    units = 0
    for coin in range(9):
        units += UNITS[coin] * ((coins >> (4 * coin)) & 15)
    return units


FIELDS = (
    Field("stage", OneOf(STAGES), "dealer, deal, start, take, after, draw, refill or make up"),
    Field("dealer", SeatKind(), "the dealer"),
    Field("coins", Counts(CODES), "how many of each kind of card one's own hand holds", "hand", OWNER),
    Field(
        "offer",
        Counts(CODES),
        "how many of each kind one has laid down in an unfinished offer",
        seen_by=OWNER,
        in_turn=True,
    ),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("surplus", Number(), "cards in the surplus", "surplus_size"),
    Field("aside", Number(), "cards thrown out", "aside_size"),
    Field("game", Number(), "how many games are over"),
    Field("round", Number(), "how many rounds of this game are over"),
    Field("general_pool", Number(), "counters in the general pool", "general"),
    Field("penalties_in_it", Number(), "how many of these are penalties", "fines"),
    Field("sovereign_pool", Number(), "counters in the sovereign pool", "sovereign"),
    Field("staked_in_it", Number(SEATS), "how many of these each seat has staked", "staked"),
    Field("counters", Number(SEATS, zero=128), "the counters of each seat, plus 128 so that debts fit", score=True),
    Field("offered_wrongly", Flag(), "1 if the seat whose turn it is has offered wrongly in it", "erred"),
    Field("neighbour_allowed", Flag(), "1 if a card may be drawn from the neighbour's hand", "neighbour"),
    Field(
        "draws_from",
        SeatKind(),
        "the seat at one's right, from whose hand one may draw where that is allowed; −1 for a spectator",
        seen_by=OWNER,
        encoded=False,
    ),
    Field(
        "thrown_by_you",
        CountsOf(CODES),
        "the coins that one has thrown out oneself",
        "coins_thrown",
        OWNER,
        encoded=False,
        remembered=True,
    ),
    Field(
        "known_to_hold",
        CountsEach(CODES),
        "the coins that each other seat is known to hold",
        "coins_known",
        OWNER,
        encoded=False,
        remembered=True,
    ),
)

SEAT, COINS, COUNTERS = (-1, 10), (0, (1 << 36) - 1), (1 - 2**53, 2**53 - 1)
SIGHT = by_name(
    (SEAT, "dealer first"),
    (COINS, "hand offer"),
    ((0, len(STAGES) - 1), "stage"),
    ((0, 1), "exact neighbour erred"),
    ((0, 64), "surplus_size aside_size"),
    (MANY, "game round"),
    (COUNTERS, "general sovereign stakes fines"),
    ((*COUNTERS, 11), "counters staked"),
    ((0, 64, 11), "sizes"),
)


class SovereignView(SovereignMemory):
    """What a seat knows: its coins, the pools, the number of hidden cards, and coins it was shown in other hands."""

    FIELDS = FIELDS
    SIGHT = SIGHT

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        super().__init__(players, seat, options)
        self.counters = [0] * 11  # by seat: the counters won or lost so far
        self.staked = [0] * 11  # by seat: its counters in the sovereign pool
        self.sizes = [0] * 11  # by seat: how many cards it holds
        self._sampler = DealSampler()  # deals the hidden coins as far as they are not known
        self._tracking = False  # whether the state being sampled comes from the particle filter
        self.free = [0] * 9  # for `_deal_change`, by kind of coin: how many may lie anywhere,
        self.ways = 0.0  # in how many ways the seat may hold change,
        self.change = 0  # and the hand chosen

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Sovereign):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self._world = state  # type: Any  # the same, as a state of this game

    def _glance(self) -> None:
        View._glance(self)
        self.stage = self._world.stage  # the stage of the game (`STAGES`)
        self.hand = self._world.hands[self.seat] if self.seat >= 0 else 0  # this seat's coins, four bits a kind
        # nobody else sees an unfinished offer
        self.offer = self._world.offer if self.steps else 0  # the coins offered
        self.exact = self._world.exact if self.steps else False  # whether the offer must make exact change
        self.neighbour = self._world._neighbour_allowed()  # SOV-6: whether a neighbour's hand may be drawn from
        self.general = self._world.stakes + self._world.fines  # the counters in the general pool
        self.sovereign = self._world.sovereign_pool  # the counters in the sovereign pool
        self.erred = self._world.erred  # SOV-4a: whether the seat to act has offered wrongly in this turn

    def _look(self) -> None:
        View._look(self)
        self.dealer = self._world.dealer  # the seat that deals
        self.game = self._world.game  # games finished
        self.round = self._world.round  # rounds finished in this game
        self.first = self._world.first  # the seat that began this game
        self.surplus_size = self._world.surplus_size  # cards in the surplus
        self.aside_size = self._world.aside_size  # cards thrown out
        self.stakes = self._world.stakes  # the stakes in the general pool,
        self.fines = self._world.fines  # and the penalties in it
        for seat in range(self.players):
            self.counters[seat] = self._world.counters[seat]
            self.staked[seat] = self._world.staked[seat]
            self.sizes[seat] = _size_of(self._world.hands[seat])

    # observations

    def _encode(self, buffer: Any, at: int) -> int:
        at = View._encode(self, buffer, at)
        at = encode.chosen(buffer, at, self.stage, 8)
        at = encode.seat(buffer, at, self.dealer, self.seat, self.players)
        at = encode.tally(buffer, at, self.hand, 9)
        at = encode.tally(buffer, at, self.offer, 9)
        at = encode.each(buffer, at, self.sizes, self.seat, self.players, 0)
        at = encode.number(buffer, at, self.surplus_size)
        at = encode.number(buffer, at, self.aside_size)
        at = encode.number(buffer, at, self.game)
        at = encode.number(buffer, at, self.round)
        at = encode.number(buffer, at, self.general)
        at = encode.number(buffer, at, self.fines)
        at = encode.number(buffer, at, self.sovereign)
        at = encode.sums(buffer, at, self.staked, self.seat, self.players, 0)
        at = encode.sums(buffer, at, self.counters, self.seat, self.players, 128)  # plus 128 so that debts fit
        at = encode.number(buffer, at, self.erred)
        return encode.number(buffer, at, self.neighbour)

    # beliefs

    def new_state(self) -> State:
        return Sovereign(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        # search for counters, not for the win: a loser keeps their counters too (SOV-13)
        return SearchProfile(scale=2.0 * self.players * self.stake, ambition=0.0)

    def _prepare(self) -> None:
        if self.just_took >= 0 and self.to_act >= 0:
            self._infer_change(self.just_took, self.to_act == self.just_took)
        self._sampler._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self._sampler.room[seat] = self.sizes[seat]
        self._sampler.room[ASIDE] = self.aside_size
        self._sampler.room[SURPLUS_PLACE] = self.surplus_size
        item = 0
        for coin in range(9):
            mine = (self.hand >> (4 * coin)) & 15
            thrown = 0 if self.under else self.thrown[coin]
            for copy in range(self.copies[coin]):
                if mine:
                    mine -= 1
                elif thrown:
                    thrown -= 1
                    self._sampler._add(item, 1 << ASIDE)
                else:
                    self._sampler._add(item, self._place_of(coin, copy))
                item += 1
        self._sampler._prepare()

    def _place_of(self, coin: Card, copy: int) -> int:
        """The places where a coin may be; the last copies of a kind stand for those known to be in a hand."""
        known = self.copies[coin] - 1 - copy
        for seat in range(self.players):
            if seat != self.seat:
                if known < self.at_least[9 * seat + coin]:
                    return 1 << seat
                known -= self.at_least[9 * seat + coin]
        return self._others() | 1 << ASIDE | 1 << SURPLUS_PLACE

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0:
            return False
        self._begin_state()
        self._world.stage = self.stage
        self._world.dealer = self.dealer
        self._world.first = self.first
        self._world.actor = self.to_act
        self._world.game = self.game
        self._world.round = self.round
        self._world.stakes = self.stakes
        self._world.fines = self.fines
        self._world.sovereign_pool = self.sovereign
        self._world.erred = self.erred
        self._world.exact = self.exact
        self._world.offer = self.offer
        self._world.offered = _units_of(self.offer)
        for seat in range(self.players):
            self._world.counters[seat] = self.counters[seat]
            self._world.staked[seat] = self.staked[seat]
        for attempt in range(400):
            self._tracking = self._filter is not None and not self._filter.lost and attempt < 25
            if self._tracking:
                self._filter._sample(luck)
            elif not self._sampler._sample(luck):
                return False
            self._lay_out(luck)
            if self.stage != AFTER or self.to_act == self.seat or self.penalised:
                return True
            if self._world._can_change(self.to_act):
                return True  # the seat has the turn after taking a card, so it can give change
        return self._deal_change(luck)

    def _deal_change(self, luck: Seeded) -> bool:
        """If no sample lets the seat to act give change after its draw, as it must be able to: deal it change first."""
        seat = self.to_act
        known = 0
        for coin in range(9):
            known += bitset.one(4 * coin) * self.at_least[9 * seat + coin]
            self.free[coin] = self.copies[coin] - ((self.hand >> (4 * coin)) & 15)
            if not self.under:
                self.free[coin] -= self.thrown[coin]
            for other in range(self.players):
                if other != self.seat:
                    self.free[coin] -= self.at_least[9 * other + coin]
        self.ways = 0.0
        self._choose_change(0, self.sizes[seat] - _size_of(known), known, 1.0, luck)
        if self.ways == 0.0:
            return False
        self._know_hand(seat, self.change)
        self._prepare()
        found = self._sampler._sample(luck)
        if found:
            self._lay_out(luck)
        self._know_hand(seat, known)
        self._prepare()
        return found

    def _choose_change(self, coin: Card, left: int, hand: Coins, ways: float, luck: Seeded) -> None:
        """Go through all ways to fill a hand from this kind of coin on; choose one with change, by its likelihood."""
        if coin == 9:
            if left == 0 and reaches(hand, CHANGE_UNITS):
                self.ways += ways
                if luck._below(1 << 20) * self.ways < ways * (1 << 20):
                    self.change = hand
            return
        for count in range(min(left, self.free[coin]) + 1):
            self._choose_change(coin + 1, left - count, hand + bitset.one(4 * coin) * count, ways, luck)
            ways = ways * (self.free[coin] - count) / (count + 1)  # the number of ways to take one more of this kind

    def _know_hand(self, seat: Seat, coins: Coins) -> None:
        """Assume that a hand holds these coins."""
        for coin in range(9):
            self.at_least[9 * seat + coin] = (coins >> (4 * coin)) & 15

    def _lay_out(self, luck: Seeded) -> None:
        """Lay out the hidden coins of the sampled state, from the particle filter or the deal sampler."""
        self._world.top = 0
        self._world.surplus_size = 0
        self._world.aside_size = 0
        for seat in range(self.players):
            self._world.hands[seat] = 0
            self._world.held[seat] = 0
            self._world.worth[seat] = 0
            rest = self._filter._sampled(seat) if self._tracking else self._sampler.got[seat]
            if seat == self.seat:
                rest = 0
            while rest:
                self._world._gain_coin(seat, self.kind[bitset.lowest(rest)])
                rest &= rest - 1
        for coin in range(9):
            size = (self.hand >> (4 * coin)) & 15
            for copy in range(size):
                self._world._gain_coin(self.seat, coin)
        rest = self._filter._sampled(SURPLUS_PLACE) if self._tracking else self._sampler.got[SURPLUS_PLACE]
        while rest:
            self._world._surplus[self._world.surplus_size] = self.kind[bitset.lowest(rest)]
            self._world.surplus_size += 1
            rest &= rest - 1
        self._world._shuffle_unseen(luck)
        if self._tracking:
            for at in range(self._filter.head, self._filter.tail):
                self._world._surplus[self._world.surplus_size] = self.kind[self._filter._queued(at)]
                self._world.surplus_size += 1
        rest = self._filter._sampled(ASIDE) if self._tracking else self._sampler.got[ASIDE]
        while rest:
            self._world._aside[self._world.aside_size] = self.kind[bitset.lowest(rest)]
            self._world.aside_size += 1
            rest &= rest - 1

    # the heuristic

    def _heuristic(self, luck: Seeded) -> Step:
        if self.stage == TAKING:
            # SOV-6: the neighbour has thrown out small coins, and losing one spoils the neighbour's change
            return STEP_NEIGHBOUR if self.neighbour else STEP_SURPLUS
        rest = self.hand - self.offer
        offered = _units_of(self.offer)
        if self.offer and offered == CHANGE_UNITS:
            return STEP_DONE
        if reaches(rest, CHANGE_UNITS - offered):
            if self.stage == STARTING and not self.offer and self.sovereign and not self.hand & 15:
                # SOV-7: with change and a coin to spare, draw once more before giving it: it may be the sovereign card
                for coin in range(8, 0, -1):
                    if (self.hand >> (4 * coin)) & 15 and self.steps & bitset.one(STEP_THROW + coin):
                        if reaches(self.hand - bitset.one(4 * coin), CHANGE_UNITS):
                            return STEP_THROW + coin
            for coin in range(1, 9):
                # SOV-4: give change as soon as it can be given
                if self.steps & bitset.one(coin) and UNITS[coin]:
                    if reaches(rest - bitset.one(4 * coin), CHANGE_UNITS - offered - UNITS[coin]):
                        return coin
        if self.offer:
            return self.base + bitset.lowest(self.steps)
        if self.stage == AFTER:
            return STEP_LEAVE
        return STEP_THROW + self._worst_coin(self.hand, self.sovereign, self.general)

    def _worst_coin(self, hand: Coins, sovereign: int, general: int) -> Card:
        """The coin to throw out: without it most coins of the pack complete the change; of equals the smallest."""
        best = 0
        most = -1
        for coin in range(8, -1, -1):
            if not (hand >> (4 * coin)) & 15:
                continue
            sums = sums_of(hand - bitset.one(4 * coin))
            outs = 0
            for other in range(1, 9):
                if UNITS[other] and (sums >> (CHANGE_UNITS - UNITS[other])) & 1:
                    outs += self.copies[other] - ((hand >> (4 * other)) & 15)
            worth = 100 * outs + 40 - UNITS[coin]
            if coin == SOVEREIGN_CARD:
                # SOV-7: keep it only if the sovereign pool is the larger one
                worth = worth - 300 if sovereign > general else worth + 100
            if worth > most:
                most = worth
                best = coin
        return best

    def _likely_throw(self, hand: Coins, sovereign: int, general: int) -> Card:
        return self._worst_coin(hand, sovereign, general)

    # computed fields

    @property
    def draws_from(self) -> Seat:
        """SOV-6: the seat at the right, from whose hand a card may be drawn; −1 for a spectator."""
        return turns.right(self.seat, self.players) if self.seat >= 0 else -1
