"""What a seat of the game sees, remembers and infers, and its heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import DealSampler, ParticleFilter
from ...engine.core import Seeded, State
from ...engine.fields import OWNER, SEATS, Counts, CountsEach, CountsOf, Field, Flag, Number, OneOf, SeatKind
from ...engine.types import Card, Cards, Seat, Step
from ...engine.view import SearchProfile, View
from . import notation
from .notation import (
    AFTER,
    ASIDE,
    ASTRAY,
    CHANGE,
    CHANGE_UNITS,
    CODES,
    COPIES,
    DEAL,
    DEALER,
    DRAW,
    HAND,
    LEAVE,
    PENALTY,
    PICK,
    POOL,
    SHEET,
    SHOWN,
    SOV_5,
    SOVEREIGN_CARD,
    STAGES,
    STARTING,
    STEP_DONE,
    STEP_LEAVE,
    STEP_NEIGHBOUR,
    STEP_SURPLUS,
    STEP_THROW,
    SURPLUS,
    SURPLUS_PLACE,
    TAKE,
    TAKING,
    THROW,
    UNDER,
)
from .rules import Sovereign, reaches, sums_of

UNITS = notation.UNITS


def kinds_of(copies: Sequence[int]) -> list[int]:
    """The kind of every card of the pack."""
    return [coin for coin in range(9) for _ in range(copies[coin])]


def size_of(coins: int) -> int:
    """How many coins there are."""
    size = 0
    for coin in range(9):
        size += (coins >> (4 * coin)) & 15
    return size


def units_of(coins: int) -> int:
    """What coins come to, in sixpences."""
    units = 0
    for coin in range(9):
        units += UNITS[coin] * ((coins >> (4 * coin)) & 15)
    return units


FIELDS = (
    Field("stage", OneOf(STAGES), "dealer, deal, start, take, after, draw, refill or make up"),
    Field("dealer", SeatKind(), "the dealer"),
    Field("coins", Counts(CODES), "how many of each kind of card one's own hand holds", "hand", OWNER),
    Field("offer", Counts(CODES), "how many of each kind one has laid down in an unfinished offer", seen_by=OWNER),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("surplus", Number(), "cards in the surplus", "surplus_size"),
    Field("aside", Number(), "cards thrown out", "aside_size"),
    Field("game", Number(), "how many games are over"),
    Field("round", Number(), "how many rounds of this game are over"),
    Field("general_pool", Number(), "counters in the general pool", "general"),
    Field("penalties_in_it", Number(), "how many of these are penalties", "fines"),
    Field("sovereign_pool", Number(), "counters in the sovereign pool", "sovereign"),
    Field("staked_in_it", Number(SEATS), "how many of these each seat has staked", "staked"),
    Field("counters", Number(SEATS, zero=128), "the counters of each seat, plus 128 so that debts fit"),
    Field("offered_wrongly", Flag(), "1 if the seat whose turn it is has offered wrongly in it", "erred"),
    Field("neighbour_allowed", Flag(), "1 if a card may be drawn from the neighbour's hand", "neighbour"),
    Field(
        "thrown_by_you", CountsOf(), "the coins that one has thrown out oneself", "coins_thrown", OWNER, encoded=False
    ),
    Field(
        "known_to_hold",
        CountsEach(),
        "the coins that each other seat is known to hold",
        "coins_known",
        OWNER,
        encoded=False,
    ),
)


class SovereignView(View):
    """What a seat knows: its coins, the pools, the sizes of what lies hidden, and coins it was shown in other hands."""

    FIELDS = FIELDS

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.thrown = [0] * 9
        self.counters = [0] * 11
        self.staked = [0] * 11
        self.sizes = [0] * 11
        self.at_least = [0] * 99
        small = [0, 15] if options["small_coin"] == "penny" else [15, 0]
        self.copies = COPIES + small
        self.kind = kinds_of(self.copies) + [0] * 8
        self.stake = options["stake"]
        self.heard_pool = 0  # the sovereign pool, as heard
        self.heard_fines = 0  # what is in the general pool beside the stakes
        self.under = options["thrown"] == "under"
        self.must = options["change"] == "must"
        self.penalised = options["mistakes"] == "penalised"
        self.lots = DealSampler()
        self.cloud = None  # type: Any
        self.clouded = False
        self.free = [0] * 9  # for those who deal change to another: how many of each kind may lie anywhere
        self.ways = 0.0  # in how many ways he may have it
        self.change = 0  # the hand that was chosen
        self.doubted = -1  # who has taken a card: whether he can now give change is told by who goes on

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Sovereign):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self.world = state  # type: Any

    def _glance(self) -> None:
        View._glance(self)
        self.stage = self.world.stage
        self.hand = self.world.hands[self.seat] if self.seat >= 0 else 0
        # an unfinished offer is seen by nobody else
        self.offer = self.world.offer if self.steps else 0
        self.exact = self.world.exact if self.steps else False
        self.neighbour = self.world._neighbour_allowed()
        self.general = self.world.stakes + self.world.fines
        self.sovereign = self.world._sovereign_pool()
        self.erred = self.world.erred

    def _look(self) -> None:
        View._look(self)
        self.dealer = self.world.dealer
        self.game = self.world.game
        self.round = self.world.round
        self.first = self.world.first
        self.surplus_size = self.world.surplus_size
        self.aside_size = self.world.aside_size
        self.stakes = self.world.stakes
        self.fines = self.world.fines
        for seat in range(self.players):
            self.counters[seat] = self.world.counters[seat]
            self.staked[seat] = self.world.staked[seat]
            self.sizes[seat] = size_of(self.world.hands[seat])

    # writing down

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
        at = encode.sums(buffer, at, self.counters, self.seat, self.players, 128)  # from 128, as they may be owed
        at = encode.number(buffer, at, self.erred)
        return encode.number(buffer, at, self.neighbour)

    # listening

    def track_beliefs(self, trusting: bool = False) -> None:
        View.track_beliefs(self, trusting)
        if self.cloud is None and self.seat >= 0:
            self.cloud = ParticleFilter([self.kind[item] for item in range(56)], self.seat, 0)

    def _pass_one(self, coin: Card, origin: int, to: int) -> None:
        """In the cloud, a coin goes from place to place, seen or not."""
        if coin >= 0:
            self.cloud._see(coin, origin, to, True)
        else:
            self.cloud._move_one(origin, to, 0)

    def _guess_throw(self, seat: Seat) -> None:
        """In the cloud, a coin is thrown out that nobody saw: mostly the one that the rules of thumb give up."""
        to = UNDER if self.under else ASIDE
        general = self.players * self.stake + self.heard_fines
        for world in range(self.cloud.worlds):
            items = self.cloud._held(world, seat)
            if not items:
                self.cloud._drop(world)
            elif self.cloud.luck._below(ASTRAY):
                coin = self._least_of(self._coins_in(items), self.heard_pool, general)
                self.cloud._move_this(world, self.cloud._any_of(items & self.cloud.of_kind[coin]), seat, to)
            else:
                self.cloud._move_any(world, items, seat, to)
        self.cloud._moved(seat, to)

    def _deal_cloud(self) -> None:
        """The coins of this seat, as told; all others anywhere."""
        held = 0
        for at in range(self._row[5]):
            coin = self._row[6 + at]
            held |= bitset.one(bitset.lowest(self.cloud.of_kind[coin] & ~held))
        self.cloud._deal(held, self.players, 5, SURPLUS_PLACE)

    def _settle_doubt(self, able: int) -> None:
        """SOV-5: who could still give change after his draw has the turn; who could not, has not."""
        if self.cloud is not None and self.doubted != self.seat and not self.cloud.lost:
            agree = 0
            for world in range(self.cloud.worlds):
                agree += reaches(self._coins_in(self.cloud._held(world, self.doubted)), CHANGE_UNITS) == able
            # where chance has left no such world in the cloud, it is better a little wrong than empty
            if agree:
                for world in range(self.cloud.worlds):
                    if reaches(self._coins_in(self.cloud._held(world, self.doubted)), CHANGE_UNITS) != able:
                        self.cloud._drop(world)
                self.cloud._resample()
        self.doubted = -1

    def _coins_in(self, items: Cards) -> Cards:
        """Cards of the pack as coins."""
        coins = 0
        while items:
            coins += bitset.one(4 * self.kind[bitset.lowest(items)])
            items &= items - 1
        return coins

    def _lost_one(self, seat: Seat) -> None:
        """A hand lost a card that was not shown: it may be any of those known to be there."""
        for coin in range(9):
            if self.at_least[9 * seat + coin] > 0:
                self.at_least[9 * seat + coin] -= 1

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if kind == CHANGE or kind == LEAVE or kind == THROW or kind == TAKE:
            # the turn went on, or it did not
            if self.doubted >= 0:
                self._settle_doubt(a == self.doubted)
            if self.must and (kind == LEAVE or kind == THROW):
                # SOV-4, change: must – who can give change does nothing else
                self.doubted = a
                self._settle_doubt(False)
        if self.cloud is not None:
            self._hear_coins()
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
            self.doubted = -1
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
                self._lost_one(a)
        elif kind == DRAW:
            origin = self._row[2]
            if origin == self.seat:
                # the seat drawn from knows which card the other now has
                self.at_least[9 * a + self._row[3]] += 1
            elif a == self.seat:
                # and who drew knows which one the other has no more
                if self.at_least[9 * origin + self._row[3]] > 0:
                    self.at_least[9 * origin + self._row[3]] -= 1
            else:
                self._lost_one(origin)
        elif kind == CHANGE:
            # a wrong offer is seen and taken back
            for coin in range(9):
                shown = 0
                for at in range(self._row[5]):
                    if self._row[6 + at] == coin:
                        shown += 1
                if shown > self.at_least[9 * a + coin]:
                    self.at_least[9 * a + coin] = shown

    def _hear_coins(self) -> None:
        """Move the coins of the cloud as they were told to move."""
        kind = self._row[0]
        a = self._row[1]
        if kind == HAND and a == self.seat:
            self._deal_cloud()
        elif kind == THROW:
            if self._row[2] < 0 and self._trusting:
                self._guess_throw(a)
            else:
                self._pass_one(self._row[2], a, UNDER if self.under else ASIDE)
        elif kind == PICK:
            self._pass_one(self._row[2], SURPLUS_PLACE if self.cloud._held(0, SURPLUS_PLACE) else UNDER, a)
            if self._row[3] == SOV_5 and not self.penalised:
                self.doubted = a
        elif kind == DRAW:
            self._pass_one(self._row[3], self._row[2], a)
            if not self.penalised:
                self.doubted = a
        elif kind == SURPLUS:
            self.cloud._move_all(ASIDE, SURPLUS_PLACE)
        elif kind == CHANGE:
            for at in range(self._row[5]):
                self.cloud._see(self._row[6 + at], a, SHOWN, False)
            self.cloud._move_all(SHOWN, a)
        if not self.cloud.lost:
            self.cloud._resample()

    # imagining

    def new_state(self) -> State:
        return Sovereign(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        # the most counters wins (SOV-13), but a loser keeps his too: counters are what is played for
        return SearchProfile(scale=2.0 * self.players * self.stake, ambition=0.0)

    def _prepare(self) -> None:
        if self.doubted >= 0 and self.to_act >= 0:
            self._settle_doubt(self.to_act == self.doubted)
        self.lots._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        self.lots.room[ASIDE] = self.aside_size
        self.lots.room[SURPLUS_PLACE] = self.surplus_size
        item = 0
        for coin in range(9):
            mine = (self.hand >> (4 * coin)) & 15
            thrown = 0 if self.under else self.thrown[coin]
            for copy in range(self.copies[coin]):
                if mine:
                    mine -= 1
                elif thrown:
                    thrown -= 1
                    self.lots._add(item, 1 << ASIDE)
                else:
                    self.lots._add(item, self._place_of(coin, copy))
                item += 1
        self.lots._prepare()

    def _place_of(self, coin: Card, copy: int) -> int:
        """Where a coin may be: the last copies of a kind stand for those known to be in a hand."""
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
        self.world.stage = self.stage
        self.world.dealer = self.dealer
        self.world.first = self.first
        self.world.actor = self.to_act
        self.world.game = self.game
        self.world.round = self.round
        self.world.stakes = self.stakes
        self.world.fines = self.fines
        self.world.erred = self.erred
        self.world.exact = self.exact
        self.world.offer = self.offer
        self.world.offered = units_of(self.offer)
        for seat in range(self.players):
            self.world.counters[seat] = self.counters[seat]
            self.world.staked[seat] = self.staked[seat]
        for attempt in range(400):
            self.clouded = self.cloud is not None and not self.cloud.lost and attempt < 25
            if self.clouded:
                self.cloud._sample(luck)
            elif not self.lots._sample(luck):
                return False
            self._lay_out(luck)
            if self.stage != AFTER or self.to_act == self.seat or self.penalised:
                return True
            if self.world._can_change(self.to_act):
                return True  # he has the turn after his draw, so he can
        return self._deal_change(luck)

    def _deal_change(self, luck: Seeded) -> bool:
        """Where no world came in which he who has the turn after his draw can give change: deal it to him first."""
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
        self._choose_change(0, self.sizes[seat] - size_of(known), known, 1.0, luck)
        if self.ways == 0.0:
            return False
        self._know_hand(seat, self.change)
        self._prepare()
        found = self.lots._sample(luck)
        if found:
            self._lay_out(luck)
        self._know_hand(seat, known)
        self._prepare()
        return found

    def _choose_change(self, coin: Card, left: int, hand: Cards, ways: float, luck: Seeded) -> None:
        """Fill a hand with coins from this kind on in every way, and choose one that gives change by its likelihood."""
        if coin == 9:
            if left == 0 and reaches(hand, CHANGE_UNITS):
                self.ways += ways
                if luck._below(1 << 20) * self.ways < ways * (1 << 20):
                    self.change = hand
            return
        for count in range(min(left, self.free[coin]) + 1):
            self._choose_change(coin + 1, left - count, hand + bitset.one(4 * coin) * count, ways, luck)
            ways = ways * (self.free[coin] - count) / (count + 1)  # so many ways to take one more of them

    def _know_hand(self, seat: Seat, coins: int) -> None:
        """Take it that these coins are in a hand."""
        for coin in range(9):
            self.at_least[9 * seat + coin] = (coins >> (4 * coin)) & 15

    def _lay_out(self, luck: Seeded) -> None:
        """The hidden coins of the world, as they were picked or cast."""
        self.world.top = 0
        self.world.surplus_size = 0
        self.world.aside_size = 0
        for seat in range(self.players):
            self.world.hands[seat] = 0
            self.world.held[seat] = 0
            self.world.worth[seat] = 0
            rest = self.cloud._sampled(seat) if self.clouded else self.lots.got[seat]
            if seat == self.seat:
                rest = 0
            while rest:
                self.world._gain_coin(seat, self.kind[bitset.lowest(rest)])
                rest &= rest - 1
        for coin in range(9):
            size = (self.hand >> (4 * coin)) & 15
            for copy in range(size):
                self.world._gain_coin(self.seat, coin)
        rest = self.cloud._sampled(SURPLUS_PLACE) if self.clouded else self.lots.got[SURPLUS_PLACE]
        while rest:
            self.world._surplus[self.world.surplus_size] = self.kind[bitset.lowest(rest)]
            self.world.surplus_size += 1
            rest &= rest - 1
        self.world._shuffle_unseen(luck)
        if self.clouded:
            for at in range(self.cloud.head, self.cloud.tail):
                self.world._surplus[self.world.surplus_size] = self.kind[self.cloud._queued(at)]
                self.world.surplus_size += 1
        rest = self.cloud._sampled(ASIDE) if self.clouded else self.lots.got[ASIDE]
        while rest:
            self.world._aside[self.world.aside_size] = self.kind[bitset.lowest(rest)]
            self.world.aside_size += 1
            rest &= rest - 1

    # the rules of thumb

    def _heuristic(self, luck: Seeded) -> Step:
        if self.stage == TAKING:
            # SOV-6: a neighbour has thrown out what is small; and it spoils his change
            return STEP_NEIGHBOUR if self.neighbour else STEP_SURPLUS
        rest = self.hand - self.offer
        offered = units_of(self.offer)
        if self.offer and offered == CHANGE_UNITS:
            return STEP_DONE
        if self.stage == STARTING and not self.offer and self.sovereign and not self.hand & 15:
            # SOV-7: who has change and a coin to spare draws once more before he gives it: it may be the sovereign card
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
        return STEP_THROW + self._least_of(self.hand, self.sovereign, self.general)

    def _least_of(self, hand: Cards, sovereign: int, general: int) -> Card:
        """The coin without which most coins of the pack would complete the change; of equals the smallest."""
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
                # SOV-7: worth its place only where the sovereign pool is
                worth = worth - 300 if sovereign > general else worth + 100
            if worth > most:
                most = worth
                best = coin
        return best

    def counted(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts of coins by code."""
        return {CODES[coin]: counts[coin] for coin in range(9) if counts[coin]}

    # fields that are not plain attributes

    @property
    def coins_thrown(self) -> dict[str, int]:
        """The coins that one has thrown out oneself, by code."""
        return self.counted([self.thrown[coin] for coin in range(9)])

    @property
    def coins_known(self) -> list[dict[str, int]]:
        """The coins that each other seat is known to hold, by code."""
        known = self.at_least
        return [
            self.counted([known[9 * seat + coin] if seat != self.seat else 0 for coin in range(9)])
            for seat in range(self.players)
        ]
