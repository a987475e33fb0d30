"""What a seat of The Masquerade Game sees, the positions that it thinks possible, and its heuristic."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode, turns
from ...engine.beliefs import DealSampler
from ...engine.core import Seeded, State
from ...engine.fields import OWNER, SEATS, CardKind, CardSet, Field, Flag, Number, OneOf, Plays, SeatKind, may_hold
from ...engine.types import Card, Cards, Seat, Step
from ...engine.view import MANY, SearchProfile, View, by_name
from .memory import MasqueradeMemory
from .notation import (
    ALL,
    CODES,
    EXCHANGING,
    GOAL,
    HELD,
    LEADING,
    MASQUERADERS,
    NONE,
    RETURNING,
    STAGES,
    STEP_DECLINE,
    STEP_GIVE,
    STEP_RETURN,
    TOO_HIGH_TO_LEAD,
)
from .rules import Masquerade

CARDS_OF_SEATS = CardKind(CODES, SEATS)
FIELDS = (
    Field(
        "stage",
        OneOf(STAGES),
        "divide, deal, lead, play, exchange, return, change or draw; known only to the seat that decides",
        seen_by=OWNER,
        in_turn=True,
    ),
    Field("dealer", SeatKind(), "the dealer"),
    Field("leader", SeatKind(), "the seat that led the trick"),
    Field(
        "actor",
        SeatKind(),
        "the seat whose turn in the trick it is, also while a neighbour chooses what to return",
        shown=False,
    ),
    Field("hand", CardSet(CODES), "the cards of one's own hand", seen_by=OWNER),
    Field(
        "received",
        CardSet(CODES),
        "the card just received in an exchange, which may not be returned",
        "gift",
        OWNER,
        in_turn=True,
    ),
    Field("laid", CARDS_OF_SEATS, "the card that each seat has laid to the trick", shown=False),
    Field("trick", Plays(), "the cards of the trick, as they were played", "plays_in_order", encoded=False),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("points", Number(SEATS), "points in this game"),
    Field("totals", Number(SEATS), "points of the games that are over", score=True),
    Field("games_won", Number(SEATS), "games won", "won"),
    Field("game", Number(), "how many games are over"),
    Field("last_winner", SeatKind(), "the winner of the game before"),
    Field("m1_was_played", Flag(), "1 once Masquerader No. 1 was played in this game", "unmasked"),
    Field(
        "exchange_with",
        SeatKind(),
        "the seat at one's left, to which a card goes in an exchange; −1 for a spectator",
        seen_by=OWNER,
        encoded=False,
    ),
    may_hold(CODES),
)

SEAT, CARDS = (-1, 7), (0, ALL)
SIGHT = by_name(
    (SEAT, "leader dealer actor last_winner"),
    (CARDS, "trick hand gift"),
    ((-1, len(STAGES) - 1), "stage"),
    ((-1, 31), "last"),
    ((0, 8), "plays turns"),
    ((0, 1), "unmasked"),
    (MANY, "next_points game"),
    ((*MANY, 8), "points totals won"),
    ((-1, 31, 8), "laid"),
    ((0, 32, 8), "sizes"),
)


class MasqueradeView(MasqueradeMemory):
    """What a seat knows: its hand, the trick, the scores, and the seats that may hold each card."""

    FIELDS = FIELDS
    SIGHT = SIGHT

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        super().__init__(players, seat, options)
        self.points = [0] * 8  # by seat: the points in this game
        self.totals = [0] * 8  # by seat: the points of finished games
        self.won = [0] * 8  # by seat: the games won
        self.laid = [NONE] * 8  # by seat: the card played to this trick, or none
        self.sizes = [0] * 8  # by seat: how many cards it holds
        self.courtesy = options["exchange"] == "courtesy"  # MASQ-9: the neighbour chooses the card given back
        self.m1_takes = options["number_one"] == "always"  # MASQ-15: M1 takes the trick wherever it lies in it
        self._sampler = DealSampler()  # deals the hidden cards as `holders` allows
        self._tracking = False  # whether the state being sampled comes from the particle filter

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Masquerade):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self._world = state  # type: Any  # the same, as a state of this game

    def _glance(self) -> None:
        View._glance(self)
        self.leader = self._world.leader  # the seat that led this trick
        self.unmasked = self._world.unmasked  # MASQ-15: whether M1 was played in this game
        self.trick = self._world.trick  # the cards played to this trick
        self.last = self._world.last  # the card played last
        self.plays = self._world.plays  # cards played to this trick
        self.turns = self._world.turns  # turns taken in this trick, including skipped ones
        self.hand = self._world.hands[self.seat] if self.seat >= 0 else 0  # this seat's cards
        # the points of the neighbour at the left, who scores by an exchange (MASQ-17)
        self.next_points = self._world.points[self.seat + 1 if self.seat + 1 < self.players else 0]
        # only the seat to act knows whether it must exchange, until it does
        self.stage = self._world.stage if self.steps else NONE  # the stage of the game (`STAGES`)
        self.gift = self._world.gift if self.steps else 0  # the card just received in an exchange

    def _look(self) -> None:
        View._look(self)
        self.dealer = self._world.dealer  # the seat that deals
        self.actor = self._world.actor  # the seat whose turn it is
        self.game = self._world.game  # games finished
        self.last_winner = self._world.last_winner  # the winner of the last finished game
        for seat in range(self.players):
            self.points[seat] = self._world.points[seat]
            self.totals[seat] = self._world.totals[seat]
            self.won[seat] = self._world.won[seat]
            self.laid[seat] = self._world.laid[seat] if self.trick else NONE
            self.sizes[seat] = bitset.count(self._world.hands[seat])

    def _notice(self) -> None:
        if self.drawer >= 0:
            self._infer_draw(False)
        for card in range(32):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat

    # observations

    def _encode(self, buffer: Any, at: int) -> int:
        at = View._encode(self, buffer, at)
        at = encode.chosen(buffer, at, self.stage, 8)
        at = encode.seat(buffer, at, self.dealer, self.seat, self.players)
        at = encode.seat(buffer, at, self.leader, self.seat, self.players)
        at = encode.seat(buffer, at, self.actor, self.seat, self.players)
        at = encode.cards(buffer, at, self.hand, 32)
        at = encode.cards(buffer, at, self.gift, 32)
        at = encode.rows(buffer, at, self.laid, self.seat, self.players, 32)
        at = encode.each(buffer, at, self.sizes, self.seat, self.players, 0)
        at = encode.each(buffer, at, self.points, self.seat, self.players, 0)
        at = encode.each(buffer, at, self.totals, self.seat, self.players, 0)
        at = encode.each(buffer, at, self.won, self.seat, self.players, 0)
        at = encode.number(buffer, at, self.game)
        at = encode.seat(buffer, at, self.last_winner, self.seat, self.players)
        return encode.number(buffer, at, self.unmasked)

    # beliefs

    def new_state(self) -> State:
        return Masquerade(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        # looking further ahead is useless: every trick scatters the cards again (MASQ-12)
        return SearchProfile(scale=10.0, horizon=5 * self.players)

    def _prepare(self) -> None:
        self._sampler._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self._sampler.room[seat] = self.sizes[seat]
        for card in range(32):
            if not (self.hand | self.trick) & bitset.one(card):
                self._sampler._add(card, self.holders[card] & self._others())
        self._sampler._prepare()

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0:
            return False
        self._begin_state()
        self._world.dealer = self.dealer
        self._world.leader = self.leader
        self._world.actor = self.actor
        self._world.taker = NONE
        self._world.drawer = NONE
        self._world.last = self.last
        self._world.plays = self.plays
        self._world.turns = self.turns
        self._world.game = self.game
        self._world.last_winner = self.last_winner
        self._world.unmasked = self.unmasked
        self._world.trick = self.trick
        self._world.gift = self.gift
        self._world.ready = 0
        for seat in range(self.players):
            self._world.points[seat] = self.points[seat]
            self._world.totals[seat] = self.totals[seat]
            self._world.won[seat] = self.won[seat]
            self._world.laid[seat] = self.laid[seat]
        for attempt in range(20):
            if not self._sample_hands(luck, attempt):
                return False
            if self._tracking and not self._agrees_with_memory():
                continue
            # the seat to act must be able to; whether it must exchange depends on its hand
            if self.to_act == self.seat:
                self._world.stage = self.stage
                self._world.ready = self.steps if self.stage < EXCHANGING else 0
                return True
            if self.to_act != self.actor:
                self._world.stage = RETURNING
                held = self._filter._sampled(HELD) if self._tracking else 0
                if not held:
                    held = self._world.hands[self.to_act]
                self._world.gift = bitset.one(bitset.nth(held, luck._below(bitset.count(held))))
                return True
            if self.turns:
                self._world._turn(self.to_act)
                return True
            self._world.stage = LEADING
            self._world.ready = self._world.hands[self.to_act] & ~TOO_HIGH_TO_LEAD
            if self._world.ready:
                return True
        return False

    def _agrees_with_memory(self) -> bool:
        """Whether every seat of the sampled state holds only cards that it may hold, as far as is remembered."""
        for seat in range(self.players):
            rest = self._world.hands[seat]
            while rest:
                if not (self.holders[bitset.lowest(rest)] >> seat) & 1:
                    return False
                rest &= rest - 1
        return True

    def _sample_hands(self, luck: Seeded, attempt: int) -> bool:
        """Sample the other hands: from the particle filter, or uniformly among those that `holders` allows."""
        self._tracking = self._filter is not None and not self._filter.lost and attempt < 10
        if self._tracking:
            self._filter._sample(luck)
            for seat in range(self.players):
                self._world.hands[seat] = self._filter._sampled(seat) & ~self.hand
            if self.to_act != self.actor:
                # a gift for which no card has been returned yet
                self._world.hands[self.to_act] = self._world.hands[self.to_act] | self._filter._sampled(HELD)
        else:
            if not self._sampler._sample(luck):
                return False
            for seat in range(self.players):
                self._world.hands[seat] = self._sampler.got[seat]
        if self.seat >= 0:
            self._world.hands[self.seat] = self.hand
        return True

    # the heuristic

    def _heuristic(self, luck: Seeded) -> Step:
        if self.stage == RETURNING:
            return STEP_RETURN + self._least(self.hand & ~self.gift)
        if self.stage == EXCHANGING:
            # MASQ-17: an exchange is worth the neighbour's point, unless the neighbour chooses the card, or wins by it
            if not self.courtesy and self.next_points < GOAL - 1:
                return STEP_GIVE + self._least(self.hand)
            return STEP_DECLINE
        best = 0
        most = -1000
        rest = self.steps
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            worth = self._worth(card)
            if worth > most:
                most = worth
                best = card
        return best

    def _least(self, cards: Cards) -> Card:
        """The card that is needed least: the lowest card of the suits that cannot mask."""
        return bitset.highest(cards)

    def _worth(self, card: Card) -> int:
        """How good it is to play a card, in quarters of a point."""
        worth = 0
        if self.plays and self.last == card + 1 and self.last & 7:
            worth += 8  # MASQ-16
        if card == 0 and not self.unmasked:
            worth += 20  # MASQ-15
        if card == 0 and self.m1_takes:
            worth += 12  # MASQ-15
        elif self.plays and self.turns == self.players - 1:
            # MASQ-11: the last card takes the trick if it outranks all others
            top = self.trick & MASQUERADERS
            if bitset.one(card) & bitset.beneath(top if top else self.trick):
                worth += 12
        elif card & 7 and not (self.hand | self.trick) & bitset.one(card - 1):
            worth -= 3  # MASQ-16: the next player may hold the next card above it
        if bitset.one(card) & MASQUERADERS and self.plays:
            worth -= 2  # prefer to keep Masqueraders, and the high ones most
            worth += card >> 2
        return worth

    # computed fields

    @property
    def exchange_with(self) -> Seat:
        """MASQ-9: the seat at the left, to which a card goes in an exchange; −1 for a spectator."""
        return turns.left(self.seat, self.players) if self.seat >= 0 else -1

    @property
    def plays_in_order(self) -> list[list[Any]]:
        """The cards of the trick with their seats, from the leader on."""
        order = [(self.leader + turn) % self.players for turn in range(self.players)] if self.leader >= 0 else []
        return [[seat, CODES[self.laid[seat]]] for seat in order if self.laid[seat] >= 0]
