"""What a seat of Lost Heir sees, the positions that it thinks possible, and its heuristic."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import DealSampler
from ...engine.core import Seeded, State
from ...engine.fields import (
    OWNER,
    SEATS,
    SIDES,
    CardKind,
    CardSet,
    Field,
    Number,
    OneOf,
    Plays,
    SeatKind,
    may_hold,
    played,
)
from ...engine.types import Card, Cards, Seat, Step
from ...engine.view import SearchProfile, View, by_name
from . import notation
from .memory import LostHeirMemory
from .notation import (
    BIDDING,
    CITIES,
    CODES,
    LH,
    NAMING,
    NONE,
    ODD,
    PLAYING,
    STEP_PLAY,
    STEP_TRUMP,
    SUIT,
    SUITS,
    WB,
)
from .rules import LostHeir

RANK = notation.RANK
SUIT_OF = notation.SUIT_OF


FIELDS = (
    Field("stage", OneOf(("bidding", "naming", "playing")), "bidding, naming or playing", "stage_of_deal", shown=False),
    Field("dealer", SeatKind(), "the dealer"),
    Field("leader", SeatKind(), "the seat that led the trick", "lead_seat"),
    Field("namer", SeatKind(), "the highest bidder, who names the trump suit"),
    Field("hand", CardSet(CODES), "the cards of one's own hand", seen_by=OWNER),
    Field("laid", CardKind(CODES, SEATS), "the card that each seat has laid to the trick", shown=False),
    Field("trick", Plays(), "the cards of the trick, as they were played", "plays_in_order", encoded=False),
    Field("gone", CardSet(CODES), "the cards of the tricks that were taken"),
    Field("trump", OneOf(SUITS), "the trump suit"),
    Field("led", OneOf(SUITS), "the suit to follow", shown=False),
    Field("bids", Number(SEATS, zero=1, none=NONE), "0 before a seat has bid, 1 for a pass, otherwise its bid plus 1"),
    Field("bid", Number(), "the highest bid"),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("tricks_left", Number(), "tricks still to be taken, with the one on the table", "tricks_to_take"),
    Field("deal", Number(), "the number of the deal", "deals"),
    Field(
        "points", Number(SIDES, zero=128), "the points of each side in this deal, plus 128 so that negative numbers fit"
    ),
    Field("fines", Number(SIDES, zero=128), "the fines of each side in this deal (negative), plus 128"),
    Field("totals", Number(SIDES, zero=128), "the score of each side, plus 128", score=True),
    may_hold(CODES),
    played(CODES),
)

SEAT, CARDS, POINTS = (-1, 5), (0, (1 << 48) - 1), (1 - 2**31, 2**31 - 1)
SIGHT = by_name(
    (SEAT, "namer dealer best_seat lead_seat"),
    (CARDS, "gone trick hand lawful offered"),
    ((0, PLAYING), "stage"),
    ((0, STEP_TRUMP), "bid"),
    ((-1, 3), "trump led"),
    ((-1, 255), "best"),
    ((0, 6), "plays"),
    ((0, 1), "first_lead"),
    ((0, 48), "trick_number"),
    ((*POINTS, 6), "points fines totals"),
    ((-1, STEP_TRUMP, 6), "bids"),
    ((-1, 47, 6), "laid"),
    ((0, 48, 6), "sizes"),
)


class LostHeirView(LostHeirMemory):
    """What a seat knows: its hand, the bids, the trick, the scores, and the seats that may hold each card."""

    FIELDS = FIELDS
    SIGHT = SIGHT

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        super().__init__(players, seat, options)
        # HEIR-18: each player alone, or partners who sit alternately
        self.sides = notation.SIDE_COUNTS[options["sides"]] or players
        self.tricks = 48 // players  # HEIR-1: the tricks in a deal
        self.points = [0] * 6  # by side: the points of tricks in this deal
        self.fines = [0] * 6  # by side: the fines in this deal, as negative points
        self.totals = [0] * 6  # by side: the score
        self.bids = [NONE] * 6  # by seat: the bid, 0 for a pass, or none yet
        self.laid = [NONE] * 6  # by seat: the card played to this trick, or none
        self.sizes = [0] * 6  # by seat: how many cards it holds
        self._sampler = DealSampler()  # deals the hidden cards as `holders` allows

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, LostHeir):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self._world = state  # type: Any  # the same, as a state of this game

    def _glance(self) -> None:
        View._glance(self)
        self.stage = self._world.stage  # the stage of the game: bidding, naming, playing …
        self.bid = self._world.bid  # the highest bid
        self.trump = self._world.trump  # the trump suit
        self.namer = self._world.namer  # the highest bidder, who names the trump suit
        self.dealer = self._world.dealer  # the seat that deals
        self.gone = self._world.gone  # the cards of the tricks taken in this deal
        self.trick = self._world.trick  # the cards played to this trick
        self.led = self._world.led  # the suit to follow
        self.best = self._world.best  # the power of the card that is taking this trick,
        self.best_seat = self._world.best_seat  # and the seat that played it
        self.plays = self._world.plays  # cards played to this trick
        self.hand = self._world.hands[self.seat] if self.seat >= 0 else 0  # this seat's cards
        self.lawful = 0  # the cards that this seat may play without a fine
        if self.steps and self.stage == PLAYING:
            self.lawful = self._world._lawful() if self._world.penalised else self.steps

    def _look(self) -> None:
        View._look(self)
        self.lead_seat = self._world.lead_seat  # the seat that led this trick
        self.first_lead = self._world.first_lead  # whether the first card is still to be led (HEIR-9)
        self.offered = self._world.offered  # the numbers bid in this deal, as a set
        self.trick_number = self._world.trick_number  # tricks taken in this deal
        for seat in range(self.players):
            self.points[seat] = self._world.points[seat]
            self.fines[seat] = self._world.fines[seat]
            self.totals[seat] = self._world.totals[seat]
            self.bids[seat] = self._world.bids[seat]
            self.laid[seat] = NONE
            if self._world.laid[seat] >= 0 and self.trick & bitset.one(self._world.laid[seat]):
                self.laid[seat] = self._world.laid[seat]
            self.sizes[seat] = bitset.count(self._world.hands[seat])

    def _notice(self) -> None:
        self._infer_void()
        for card in range(48):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat
            elif (self.gone | self.trick) & bitset.one(card):
                self.holders[card] = 0

    # observations

    def _encode(self, buffer: Any, at: int) -> int:
        at = View._encode(self, buffer, at)
        at = encode.chosen(buffer, at, self.stage - BIDDING, 3)
        at = encode.seat(buffer, at, self.dealer, self.seat, self.players)
        at = encode.seat(buffer, at, self.lead_seat, self.seat, self.players)
        at = encode.seat(buffer, at, self.namer, self.seat, self.players)
        at = encode.cards(buffer, at, self.hand, 48)
        at = encode.rows(buffer, at, self.laid, self.seat, self.players, 48)
        at = encode.cards(buffer, at, self.gone, 48)
        at = encode.chosen(buffer, at, self.trump, 4)
        at = encode.chosen(buffer, at, self.led, 4)
        at = encode.each(buffer, at, self.bids, self.seat, self.players, 1)  # 0 is no bid yet, 1 a pass
        at = encode.number(buffer, at, self.bid)
        at = encode.each(buffer, at, self.sizes, self.seat, self.players, 0)
        at = encode.number(buffer, at, self.tricks - self.trick_number)
        at = encode.number(buffer, at, self.deals)
        # sides from this seat's own on, plus 128 so that negative numbers fit
        at = encode.each(buffer, at, self.points, self.seat, self.sides, 128)
        at = encode.each(buffer, at, self.fines, self.seat, self.sides, 128)
        return encode.each(buffer, at, self.totals, self.seat, self.sides, 128)

    # beliefs

    def new_state(self) -> State:
        return LostHeir(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        return SearchProfile(scale=12.0)

    def _prepare(self) -> None:
        self._sampler._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self._sampler.room[seat] = self.sizes[seat]
        for card in range(48):
            if not (self.hand | self.gone | self.trick) & bitset.one(card):
                self._sampler._add(card, self.holders[card] & self._others())
        self._sampler._prepare()

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0:
            return False
        self._begin_state()
        self._world.stage = self.stage
        self._world.dealer = self.dealer
        self._world.namer = self.namer
        self._world.bid = self.bid
        self._world.trump = self.trump
        self._world.trick_number = self.trick_number
        self._world.led = self.led
        self._world.lead_seat = self.lead_seat
        self._world.first_lead = self.first_lead
        self._world.plays = self.plays
        self._world.best = self.best
        self._world.best_seat = self.best_seat
        self._world.offered = self.offered
        self._world.trick = self.trick
        self._world.gone = self.gone
        self._world.first_side = NONE
        for seat in range(self.players):
            self._world.points[seat] = self.points[seat]
            self._world.fines[seat] = self.fines[seat]
            self._world.totals[seat] = self.totals[seat]
            self._world.bids[seat] = self.bids[seat]
            self._world.laid[seat] = self.laid[seat]
        for attempt in range(1000):
            if not self._sampler._sample(luck):
                return False
            if self._agrees_with_fines():
                break  # if all attempts fail, the last one is used anyway
        for seat in range(self.players):
            self._world.hands[seat] = self._sampler.got[seat]
        if self.seat >= 0:
            self._world.hands[self.seat] = self.hand
        return True

    def _agrees_with_fines(self) -> bool:
        """HEIR-15: whether each seat that was fined holds a card of the suit that it did not play."""
        for seat in range(self.players):
            for suit in range(4):
                if (self.revoked[seat] >> suit) & 1 and seat != self.seat:
                    if not self._sampler.got[seat] & (SUIT << (11 * suit)):
                        return False
        return True

    # the heuristic

    def _heuristic(self, luck: Seeded) -> Step:
        if self.stage == BIDDING:
            return self._heuristic_bid()
        if self.stage == NAMING:
            return STEP_TRUMP + self._best_trump()
        return STEP_PLAY + (self._heuristic_follow() if self.plays else self._heuristic_lead())

    def _strength(self, trump: int) -> float:
        """The points that this hand can expect with a trump suit of its choice."""
        points = 0.0
        for suit in range(4):
            worth = 0.95 if suit == trump else 0.8
            cards = (self.hand >> (11 * suit)) & SUIT
            for rank in range(10, -1, -1):
                if (cards >> rank) & 1:
                    points += worth
                else:
                    worth *= 0.72 if suit == trump else 0.42
        # long trumps win when the others have none left
        points += 0.35 * max(0, bitset.count((self.hand >> (11 * trump)) & SUIT) - 11 // self.players)
        if self.hand & LH:
            points += 4.5
        if self.sides < self.players:
            points += 0.3 * (self.tricks - points)
        return points

    def _best_trump(self) -> int:
        best = 0
        for suit in range(1, 4):
            if self._strength(suit) > self._strength(best):
                best = suit
        return best

    def _heuristic_bid(self) -> Step:
        """Bid the points expected (the dealer, who bids last, just enough to be highest); pass if that is too low."""
        sure = int(0.85 * self._strength(self._best_trump()))
        bid = self.bid + 1 if self.seat == self.dealer else sure
        return bid if self.bid < bid <= sure and self.steps & bitset.one(bid) else 0

    def _power(self, card: Card) -> int:
        """The power of a card in this trick (HEIR-11)."""
        if SUIT_OF[card] == self.trump:
            return RANK[card] + 32
        if SUIT_OF[card] == self.led:
            return RANK[card] + 16
        return RANK[card] if card >= 44 else 0

    def _master(self, card: Card) -> bool:
        """Whether no higher card of its suit is still out."""
        if card >= 44:
            return card == 47
        higher = (SUIT << (11 * SUIT_OF[card])) & ~(bitset.one(card + 1) - 1)
        return not higher & ~(self.gone | self.hand | self.trick)

    def _heuristic_lead(self) -> Card:
        """Lead a card that nobody beats; the Wrong Boy if all others are opponents; otherwise a low card."""
        suited = self.lawful & ~ODD
        if self.lawful & LH and not CITIES & ~(self.gone | self.hand):
            return 47
        if self.lawful & WB and self.sides == self.players:
            return 46
        trumps = suited & (SUIT << (11 * self.trump))
        # the side that named draws trumps while they win
        if trumps and self.namer % self.sides == self.seat % self.sides and self._master(bitset.highest(trumps)):
            return bitset.highest(trumps)
        for suit in range(4):
            cards = suited & (SUIT << (11 * suit))
            if cards and suit != self.trump and self._master(bitset.highest(cards)):
                return bitset.highest(cards)
        return self._lowest(self.lawful)

    def _lowest(self, cards: Cards) -> Card:
        """The card that is needed least: low, not a trump, and not an odd card that counts."""
        best = 0
        least = 1000
        while cards:
            card = bitset.lowest(cards)
            cards &= cards - 1
            cost = RANK[card]
            if card >= 44:
                cost = 5 if card < 46 else 40
            elif SUIT_OF[card] == self.trump:
                cost += 12
            if cost < least:
                least = cost
                best = card
        return best

    def _heuristic_follow(self) -> Card:
        """Take a good trick as cheaply as possible, but not from a partner; avoid one that loses points."""
        friendly = self.best_seat % self.sides == self.seat % self.sides
        last = self.plays == self.players - 1
        city = (self.trick & CITIES) != 0
        heir = (self.trick & LH) != 0
        wrong = (self.trick & WB) != 0 and not city
        if heir:
            # HEIR-4: spoil an opponent's Lost Heir with a City card; otherwise play low
            if not friendly and not city and self.lawful & CITIES:
                return bitset.lowest(self.lawful & CITIES)
            if not friendly and not city and self.lawful & WB:
                return 46
            return self._lowest(self.lawful & ~WB if self.lawful & ~WB else self.lawful)
        if self.lawful & LH and not city and (last or not CITIES & ~(self.gone | self.hand) or self._tricks_left() < 3):
            return 47
        if self.lawful & WB and not friendly and not city:
            return 46
        if friendly and wrong and self.lawful & CITIES:
            return bitset.lowest(self.lawful & CITIES)
        spare = self.lawful & ~(WB | LH)
        if not spare:
            return bitset.highest(self.lawful) if not friendly else bitset.lowest(self.lawful)
        cheapest = NONE
        dearest = NONE
        losing = 0
        rest = spare
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            if self._power(card) <= self.best:
                losing |= bitset.one(card)
                continue
            if cheapest < 0 or self._power(card) < self._power(cheapest):
                cheapest = card
            if dearest < 0 or self._power(card) > self._power(dearest):
                dearest = card
        if wrong and losing and (last or not friendly):
            return bitset.highest(losing) if last else self._lowest(losing)
        if friendly or cheapest < 0:
            return self._lowest(losing if losing else spare)
        if last or SUIT_OF[cheapest] == self.trump != self.led:
            return cheapest
        if self._master(dearest):
            return dearest
        return self._lowest(losing if losing else spare)

    def _tricks_left(self) -> int:
        return bitset.count(self.hand)

    # computed fields

    @property
    def stage_of_deal(self) -> int:
        """Bidding, naming or playing, from 0; below 0 before the deal."""
        return int(self.stage - BIDDING)

    @property
    def tricks_to_take(self) -> int:
        """Tricks still to be taken, with the one on the table."""
        return int(self.tricks - self.trick_number)

    @property
    def plays_in_order(self) -> list[list[Any]]:
        """The cards of the trick with their seats, from the leader on."""
        order = [(self.lead_seat + turn) % self.players for turn in range(self.players)] if self.lead_seat >= 0 else []
        return [[seat, CODES[self.laid[seat]]] for seat in order if self.laid[seat] >= 0]
