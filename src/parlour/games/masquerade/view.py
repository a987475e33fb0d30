"""What a seat of the game sees, remembers and infers, and its heuristic."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import DealSampler, ParticleFilter
from ...engine.core import Seeded, State
from ...engine.fields import OWNER, SEATS, CardKind, CardSet, Field, Flag, Holders, Number, OneOf, Plays, SeatKind
from ...engine.types import Card, Cards, Seat, Step
from ...engine.view import SearchProfile, View
from .notation import (
    ALL,
    CODES,
    DEAL,
    DECLINE,
    DRAW,
    EXCHANGING,
    FOLLOWINGS,
    GIVE,
    GOAL,
    HAND,
    HELD,
    LEADING,
    MASQ_6,
    MASQ_9,
    MASQ_13,
    MASQUERADERS,
    NONE,
    PLAY,
    RETURN,
    RETURNING,
    SCORE,
    SHEET,
    SKIP,
    STAGES,
    STEP_DECLINE,
    STEP_GIVE,
    STEP_RETURN,
    STRICT,
    SUIT,
    TAKE,
    TOO_HIGH_TO_LEAD,
    TRICK,
)
from .rules import Masquerade

CARDS_OF_SEATS = CardKind(CODES, SEATS)
FIELDS = (
    Field(
        "stage",
        OneOf(STAGES),
        "divide, deal, lead, play, exchange, return, change or draw; known to the seat that decides alone",
        seen_by=OWNER,
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
        "received", CardSet(CODES), "the card just received in an exchange, which may not be returned", "gift", OWNER
    ),
    Field("laid", CARDS_OF_SEATS, "the card that each seat has laid to the trick", shown=False),
    Field("trick", Plays(), "the cards of the trick, as they were played", "plays_in_order", encoded=False),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("points", Number(SEATS), "points in this game"),
    Field("totals", Number(SEATS), "points of the games that are over"),
    Field("games_won", Number(SEATS), "games won", "won"),
    Field("game", Number(), "how many games are over"),
    Field("last_winner", SeatKind(), "the winner of the game before"),
    Field("m1_was_played", Flag(), "1 once Masquerader No. 1 was played in this game", "unmasked"),
    Field("may_hold", Holders(CODES), "for each card the seats that may hold it", "holders", OWNER, encoded=False),
)


class MasqueradeView(View):
    """What a seat knows: its hand, the trick, the scores, and who can hold each card."""

    FIELDS = FIELDS

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.points = [0] * 8
        self.totals = [0] * 8
        self.won = [0] * 8
        self.laid = [NONE] * 8
        self.sizes = [0] * 8
        self.holders = [0] * 32
        self.following = FOLLOWINGS.index(options["following"])
        self.courtesy = options["exchange"] == "courtesy"
        self.lots = DealSampler()
        self.clouded = False
        self.cloud = None  # type: Any
        self.heard_trick = 0
        self.heard_led = 0  # the suit led, as a set
        self.heard_laid = [NONE] * 8
        self.heard_last = 0
        self.drawer = NONE  # who has drawn, where it is not yet told whether it was his own card
        self.drawn_from = NONE
        self._forget()

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Masquerade):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self.world = state  # type: Any

    def _glance(self) -> None:
        View._glance(self)
        self.leader = self.world.leader
        self.unmasked = self.world.unmasked
        self.trick = self.world.trick
        self.last = self.world.last
        self.plays = self.world.plays
        self.turns = self.world.turns
        self.hand = self.world.hands[self.seat] if self.seat >= 0 else 0
        self.next_points = self.world.points[self.seat + 1 if self.seat + 1 < self.players else 0]
        # whether the one to act must exchange is known to himself alone until he does
        self.stage = self.world.stage if self.steps else NONE
        self.gift = self.world.gift if self.steps else 0

    def _look(self) -> None:
        View._look(self)
        self.dealer = self.world.dealer
        self.actor = self.world.actor
        self.game = self.world.game
        self.last_winner = self.world.last_winner
        for seat in range(self.players):
            self.points[seat] = self.world.points[seat]
            self.totals[seat] = self.world.totals[seat]
            self.won[seat] = self.world.won[seat]
            self.laid[seat] = self.world.laid[seat] if self.trick else NONE
            self.sizes[seat] = bitset.count(self.world.hands[seat])

    def _notice(self) -> None:
        if self.drawer >= 0:
            self._settle_draw(False)
        for card in range(32):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat

    # writing down

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

    # listening

    def track_beliefs(self, trusting: bool = False) -> None:
        View.track_beliefs(self, trusting)
        if self.cloud is None and self.seat >= 0:
            self.cloud = ParticleFilter(list(range(32)), self.seat, 3)

    def _forget(self) -> None:
        """A new deal: every card may be with everyone else."""
        for card in range(32):
            self.holders[card] = self._others()

    def _moved(self, card: Card, origin: int, to: int) -> None:
        """A card went from hand to hand; where it was not told which, any card of the one may be with the other."""
        if card >= 0:
            self.holders[card] = 1 << to
        else:
            for card in range(32):
                if (self.holders[card] >> origin) & 1:
                    self.holders[card] |= 1 << to

    def _lacks(self, seat: Seat, cards: Cards) -> None:
        """A seat has shown that it holds none of these."""
        if self.cloud is not None:
            self.cloud._lacks(seat, cards)
        while cards:
            self.holders[bitset.lowest(cards)] &= ~(1 << seat)
            cards &= cards - 1

    def _pass_one(self, card: Card, origin: int, to: int) -> None:
        """In the cloud, a card goes from place to place, seen or not."""
        if card >= 0:
            self.cloud._see(card, origin, to, to != HELD)
        else:
            self.cloud._move_one(origin, to, 0)

    def _hear_play(self, seat: Seat, card: Card) -> None:
        """What a card tells of the hand it comes from (MASQ-7, MASQ-8), and where it now lies."""
        if not self.heard_trick:
            self.heard_led = MASQUERADERS << (card & 24)
        elif self.following != SUIT:
            climbing = self.heard_led & bitset.beneath(self.heard_trick & self.heard_led)
            if not bitset.one(card) & climbing:
                self._lacks(seat, climbing)
                if not bitset.one(card) & MASQUERADERS:
                    self._lacks(seat, MASQUERADERS)
                elif self.following == STRICT:
                    # MASQ-8, following: strict – it was his lowest
                    self._lacks(seat, MASQUERADERS & ~(bitset.one(card + 1) - 1))
            elif self.following == STRICT and bitset.one(self.heard_last) & self.heard_led:
                # MASQ-7, following: strict – the very next, if he had it
                self._lacks(seat, (bitset.one(self.heard_last) >> 1) & climbing & ~bitset.one(card))
        self.holders[card] = 0
        self.heard_trick |= bitset.one(card)
        self.heard_laid[seat] = card
        self.heard_last = card

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if self.drawer >= 0:
            self._settle_draw(kind == SCORE and self._row[3] == MASQ_13 and a == self.drawer)
        if kind == DEAL:
            self._forget()
            self.heard_trick = 0
        elif kind == HAND and a == self.seat:
            held = 0
            for at in range(self._row[5]):
                self.holders[self._row[6 + at]] = 1 << a
                held |= bitset.one(self._row[6 + at])
            if self.cloud is not None:
                self.cloud._deal(held, self.players, 32 // self.players, TRICK)
        elif kind == PLAY:
            if self.cloud is not None:
                self.cloud._see(self._row[2], a, TRICK, False)
            self._hear_play(a, self._row[2])
        elif kind == GIVE:
            # MASQ-9: only who can neither follow nor mask exchanges a card
            self._lacks(a, self.heard_led | MASQUERADERS)
            self._moved(self._row[2], a, self._row[3])
            if self.cloud is not None:
                self._pass_one(self._row[2], a, HELD)
        elif kind == RETURN or (kind == DRAW and self._row[4] == MASQ_9):
            # MASQ-9: the one that comes back is of the neighbour's hand as it was before the gift
            giver = self._row[3] if kind == RETURN else a
            neighbour = a if kind == RETURN else self._row[2]
            card = self._row[2] if kind == RETURN else self._row[3]
            self._moved(card, neighbour, giver)
            if self.cloud is not None:
                self._pass_one(card, neighbour, giver)
                self.cloud._move_all(HELD, neighbour)
        elif kind == DECLINE:
            self._lacks(a, self.heard_led | MASQUERADERS)
        elif kind == SKIP:
            # MASQ-6, MASQ-10: who cannot lead, or still cannot play
            self._lacks(a, (ALL & ~TOO_HIGH_TO_LEAD) if self._row[2] == MASQ_6 else self.heard_led | MASQUERADERS)
        elif kind == DRAW:
            if self._row[3] >= 0:
                self._moved(self._row[3], self._row[2], a)
                if self.cloud is not None:
                    self._pass_one(self._row[3], self._row[2], a)
            else:
                # MASQ-13: whether it was his own card is told by what follows
                self.drawer = a
                self.drawn_from = self._row[2]
        elif kind == TAKE:
            for card in range(32):
                if self.heard_trick & bitset.one(card):
                    self.holders[card] = 1 << a
            self.heard_trick = 0
            if self.cloud is not None:
                self.cloud._move_all(TRICK, a)
        if self.cloud is not None and not self.cloud.lost:
            self.cloud._resample()

    def _settle_draw(self, own: int) -> None:
        """MASQ-13: who drew unseen has drawn his own card, and scored for it, or another."""
        card = self.heard_laid[self.drawer]
        known = bitset.one(card) if card >= 0 else 0
        self._moved(card if own else NONE, self.drawn_from, self.drawer)
        if known and not own:
            self.holders[card] &= ~(1 << self.drawer)
        if self.cloud is not None:
            if own and known:
                self.cloud._see(card, self.drawn_from, self.drawer, True)
            else:
                self.cloud._move_one(self.drawn_from, self.drawer, known)
                self.cloud._lacks(self.drawer, known)
            if not self.cloud.lost:
                self.cloud._resample()
        self.drawer = NONE

    # imagining

    def new_state(self) -> State:
        return Masquerade(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        # further ahead is luck: every trick scatters the cards again (MASQ-12)
        return SearchProfile(scale=10.0, horizon=5 * self.players)

    def _prepare(self) -> None:
        self.lots._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        for card in range(32):
            if not (self.hand | self.trick) & bitset.one(card):
                self.lots._add(card, self.holders[card] & self._others())
        self.lots._prepare()

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0:
            return False
        self._begin_state()
        self.world.dealer = self.dealer
        self.world.leader = self.leader
        self.world.actor = self.actor
        self.world.taker = NONE
        self.world.drawer = NONE
        self.world.last = self.last
        self.world.plays = self.plays
        self.world.turns = self.turns
        self.world.game = self.game
        self.world.last_winner = self.last_winner
        self.world.unmasked = self.unmasked
        self.world.trick = self.trick
        self.world.gift = self.gift
        self.world.ready = 0
        for seat in range(self.players):
            self.world.points[seat] = self.points[seat]
            self.world.totals[seat] = self.totals[seat]
            self.world.won[seat] = self.won[seat]
            self.world.laid[seat] = self.laid[seat]
        for attempt in range(20):
            if not self._imagine_hands(luck, attempt):
                return False
            if self.clouded and not self._believed():
                continue
            # who is to act can do so; whether he must exchange depends on the hand
            if self.to_act == self.seat:
                self.world.stage = self.stage
                self.world.ready = self.steps if self.stage < EXCHANGING else 0
                return True
            if self.to_act != self.actor:
                self.world.stage = RETURNING
                held = self.cloud._sampled(HELD) if self.clouded else 0
                if not held:
                    held = self.world.hands[self.to_act]
                self.world.gift = bitset.one(bitset.nth(held, luck._below(bitset.count(held))))
                return True
            if self.turns:
                self.world._turn(self.to_act)
                return True
            self.world.stage = LEADING
            self.world.ready = self.world.hands[self.to_act] & ~TOO_HIGH_TO_LEAD
            if self.world.ready:
                return True
        return False

    def _believed(self) -> bool:
        """Whether every card is where it can be."""
        for seat in range(self.players):
            rest = self.world.hands[seat]
            while rest:
                if not (self.holders[bitset.lowest(rest)] >> seat) & 1:
                    return False
                rest &= rest - 1
        return True

    def _imagine_hands(self, luck: Seeded, attempt: int) -> bool:
        """The other hands: as the cloud has them, or else any that agree with who can hold each card."""
        self.clouded = self.cloud is not None and not self.cloud.lost and attempt < 10
        if self.clouded:
            self.cloud._sample(luck)
            for seat in range(self.players):
                self.world.hands[seat] = self.cloud._sampled(seat) & ~self.hand
            if self.to_act != self.actor:
                # a gift that was not yet answered
                self.world.hands[self.to_act] = self.world.hands[self.to_act] | self.cloud._sampled(HELD)
        else:
            if not self.lots._sample(luck):
                return False
            for seat in range(self.players):
                self.world.hands[seat] = self.lots.got[seat]
        if self.seat >= 0:
            self.world.hands[self.seat] = self.hand
        return True

    # the rules of thumb

    def _heuristic(self, luck: Seeded) -> Step:
        if self.stage == RETURNING:
            return STEP_RETURN + self._least(self.hand & ~self.gift)
        if self.stage == EXCHANGING:
            # MASQ-17: an exchange gives the neighbour a point and is worth it, unless he chooses, or wins by it
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
        """The card to be spared: the lowest of the suits that cannot mask."""
        return bitset.highest(cards)

    def _worth(self, card: Card) -> int:
        """What it is worth to play a card, in quarters of a point."""
        worth = 0
        if self.plays and self.last == card + 1 and self.last & 7:
            worth += 8  # MASQ-16
        if card == 0:
            worth += 12 if self.unmasked else 32  # MASQ-15
        elif self.plays and self.turns == self.players - 1:
            # MASQ-11: the last card, if it outranks all others
            top = self.trick & MASQUERADERS
            if bitset.one(card) & bitset.beneath(top if top else self.trick):
                worth += 12
        elif card & 7 and not (self.hand | self.trick) & bitset.one(card - 1):
            worth -= 3  # the next may play the very next above it
        if bitset.one(card) & MASQUERADERS and self.plays:
            worth -= 2  # MASQ-8: a low one for choice, and none without need
            worth += card >> 2
        return worth

    # fields that are not plain attributes

    @property
    def plays_in_order(self) -> list[list[Any]]:
        """The cards of the trick with their seats, from the leader on."""
        order = [(self.leader + turn) % self.players for turn in range(self.players)] if self.leader >= 0 else []
        return [[seat, CODES[self.laid[seat]]] for seat in order if self.laid[seat] >= 0]
