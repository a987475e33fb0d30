"""What a seat of Heraldry sees, remembers and infers, and its heuristic."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import DealSampler
from ...engine.core import Seeded, State
from ...engine.fields import OWNER, SEATS, CardKind, CardSet, Field, Number, SeatKind, may_hold, played
from ...engine.types import Card, Cards, Seat, Step
from ...engine.view import MANY, SearchProfile, View, by_name
from . import pack
from .notation import (
    CAPTURE,
    CODES,
    CROWNS,
    DEAL,
    DIAMONDS,
    DISCARD,
    HAND,
    JESTER_OF_STAR,
    NONE,
    PACK,
    PLAYING,
    SHEET,
    STEP_DONE,
    STEP_LAY,
    STEP_TAKE,
    TABLE,
    WHOLE_PACK,
    knight_of,
)
from .rules import Heraldry, sums

OF_VALUE = pack.OF_VALUE
VALUE = pack.VALUES
WITHIN = pack.WITHIN


FIELDS = (
    Field("dealer", SeatKind(), "the dealer"),
    Field("last_taker", SeatKind(), "the seat that took last"),
    Field("hand", CardSet(CODES), "the cards of one's own hand", seen_by=OWNER),
    Field("table", CardSet(CODES), "the cards on the table"),
    Field(
        "playing", CardKind(CODES), "the card that one is playing, in an unfinished move", "card", OWNER, in_turn=True
    ),
    Field("taking", CardSet(CODES), "the cards that one is taking with it", "being_taken", OWNER, in_turn=True),
    Field("grouping", CardSet(CODES), "those of them that are not yet a whole sum", "open", OWNER, in_turn=True),
    Field("won", CardSet(CODES, SEATS), "the cards that each seat has won"),
    Field("hand_sizes", Number(SEATS), "how many cards each seat holds", "sizes"),
    Field("totals", Number(SEATS), "the score of each seat", score=True),
    Field("pack", Number(), "cards left in the pack", "pack_left"),
    Field("deal", Number(), "the number of the deal", "deals"),
    Field("sweeps", Number(SEATS), "the captures of each seat that left no card on the table, where they score"),
    may_hold(CODES),
    played(CODES),
)

SEAT, CARDS, COUNT = (-1, 5), (0, WHOLE_PACK), (0, 48)
SIGHT = by_name(
    (SEAT, "dealer last_taker"),
    (CARDS, "table hand taken open"),
    ((-1, 47), "card"),
    (COUNT, "pack_left"),
    ((*CARDS, 6), "won"),
    ((*COUNT, 6), "sizes"),
    ((*MANY, 6), "totals sweeps"),
)


class HeraldryView(View):
    """What a seat knows: its hand, the table, the cards won, the scores, and the seats that may hold each card."""

    FIELDS = FIELDS
    SIGHT = SIGHT

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.won = [0] * 6  # by seat: the cards won in this deal
        self.totals = [0] * 6  # by seat: the score
        self.sizes = [0] * 6  # by seat: how many cards it holds
        self.sweeps = [0] * 6  # by seat: the captures of this deal that left no card on the table, where they score
        self.holders = [0] * 48  # by card: the seats that may hold it
        self.knight = knight_of(options)  # HER-11: the card that is the Knight of the Cross
        self.free = options["discard"] == "free"  # HER-6: any card may be discarded, also one that could take
        self.sweeping = options["twelfth"] == "sweep"  # HER-14: each capture that clears the table scores a point
        self._sampler = DealSampler()  # deals the hidden cards as `holders` allows
        self.heard_table = 0  # the cards on the table, as heard
        self.heard_seen = 0  # the cards of this deal that were shown to all
        self.played = [0] * 6  # by seat: the cards that it has played in this deal
        self._unseen()

    # looking

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Heraldry):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self._world = state  # type: Any  # the same, as a state of this game

    def _glance(self) -> None:
        View._glance(self)
        self.table = self._world.table  # the cards on the table
        self.hand = self._world.hands[self.seat] if self.seat >= 0 else 0  # this seat's cards
        # nobody else sees an unfinished move
        self.card = self._world.card if self.steps else NONE  # the card being played
        self.taken = self._world.taken if self.steps else 0  # the cards that it takes, in whole groups
        self.open = self._world.open if self.steps else 0  # the cards named of a group that is not yet whole

    def _look(self) -> None:
        View._look(self)
        self.dealer = self._world.dealer  # the seat that deals
        self.last_taker = self._world.last_taker  # the seat that took last in this deal
        self.pack_left = 48 - self._world.next_card  # the cards not yet dealt
        for seat in range(self.players):
            self.won[seat] = self._world.won[seat]
            self.totals[seat] = self._world.totals[seat]
            self.sizes[seat] = bitset.count(self._world.hands[seat])
            self.sweeps[seat] = self._world.sweeps[seat]

    def _seen(self) -> Cards:
        """The cards that this seat sees or has seen: its hand, the table and the cards won."""
        found: int = self.hand | self.table
        for seat in range(self.players):
            found |= self.won[seat]
        return found

    def _notice(self) -> None:
        for card in range(48):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat
            elif self._seen() & bitset.one(card):
                self.holders[card] = 0

    # observations

    def _encode(self, buffer: Any, at: int) -> int:
        at = View._encode(self, buffer, at)
        at = encode.seat(buffer, at, self.dealer, self.seat, self.players)
        at = encode.seat(buffer, at, self.last_taker, self.seat, self.players)
        at = encode.cards(buffer, at, self.hand, 48)
        at = encode.cards(buffer, at, self.table, 48)
        at = encode.chosen(buffer, at, self.card, 48)
        at = encode.cards(buffer, at, self.taken | self.open, 48)
        at = encode.cards(buffer, at, self.open, 48)
        at = encode.sets(buffer, at, self.won, self.seat, self.players, 48)
        at = encode.each(buffer, at, self.sizes, self.seat, self.players, 0)
        at = encode.each(buffer, at, self.totals, self.seat, self.players, 0)
        at = encode.number(buffer, at, self.pack_left)
        at = encode.number(buffer, at, self.deals)
        return encode.each(buffer, at, self.sweeps, self.seat, self.players, 0)

    def _encode_memory(self, buffer: Any, at: int) -> int:
        at = encode.holders(buffer, at, self.holders, self.seat, self.players, 48)
        return encode.sets(buffer, at, self.played, self.seat, self.players, 48)

    # listening

    def _copy_memory(self, other: Any) -> None:
        self._twin = other  # type: Any  # the same, as a view of this game
        self.holders[:] = self._twin.holders
        self.played[:] = self._twin.played
        self.heard_table = self._twin.heard_table
        self.heard_seen = self._twin.heard_seen
        self._twin = None

    def _unseen(self) -> None:
        """After new hands are dealt, any other seat may hold any unseen card (or it is still in the pack)."""
        for card in range(48):
            self.holders[card] = 0 if self.heard_seen & bitset.one(card) else self._others()

    def _hear(self) -> None:
        kind = self._row[0]
        a = self._row[1]
        if kind == DISCARD or kind == CAPTURE:
            self.played[a] |= bitset.one(self._row[2])
        if kind == DEAL:
            self.heard_table = 0
            self.heard_seen = 0
            for seat in range(self.players):
                self.played[seat] = 0
        elif kind == HAND:
            if a == 0:
                self._unseen()
            if a == self.seat:
                for at in range(self._row[5]):
                    self.holders[self._row[6 + at]] = 1 << a
        elif kind == TABLE:
            for at in range(self._row[5]):
                self.holders[self._row[6 + at]] = 0
                self.heard_table |= bitset.one(self._row[6 + at])
            self.heard_seen |= self.heard_table
        elif kind == DISCARD:
            self.holders[self._row[2]] = 0
            # HER-6, discard: unable – a seat that discards holds no card that could have taken; free says nothing
            can = 0 if self.free else sums(self.heard_table)
            for card in range(48):
                if (can >> VALUE[card]) & 1:
                    self.holders[card] &= ~(1 << a)
            self.heard_table |= bitset.one(self._row[2])
            self.heard_seen |= bitset.one(self._row[2])
        elif kind == CAPTURE:
            self.holders[self._row[2]] = 0
            self.heard_seen |= bitset.one(self._row[2])
            for at in range(self._row[5]):
                self.heard_table &= ~bitset.one(self._row[6 + at])

    # beliefs

    def new_state(self) -> State:
        return Heraldry(self.players, self.options)

    def search_profile(self) -> SearchProfile:
        return SearchProfile(scale=8.0, depth=4)

    def _prepare(self) -> None:
        self._sampler._clear()
        for seat in range(self.players):
            if seat != self.seat:
                self._sampler.room[seat] = self.sizes[seat]
        self._sampler.room[PACK] = self.pack_left
        for card in range(48):
            if not self._seen() & bitset.one(card):
                self._sampler._add(card, self.holders[card] | 1 << PACK)
        self._sampler._prepare()

    def _determinize(self, luck: Seeded) -> bool:
        if self.to_act < 0 or not self._sampler._sample(luck):
            return False
        self._begin_state()
        self._world.stage = PLAYING
        self._world.dealer = self.dealer
        self._world.last_taker = self.last_taker
        self._world.next_card = 48 - self.pack_left
        self._world.table = self.table
        self._world.winner = NONE
        self._world.card = self.card
        self._world.value = VALUE[self.card] if self.card >= 0 else 0
        self._world.taken = self.taken
        self._world.open = self.open
        self._world.open_sum = 0
        rest = self.open
        while rest:
            self._world.open_sum += VALUE[bitset.lowest(rest)]
            rest &= rest - 1
        for seat in range(self.players):
            self._world.won[seat] = self.won[seat]
            self._world.totals[seat] = self.totals[seat]
            self._world.sweeps[seat] = self.sweeps[seat]
            self._world.hands[seat] = self._sampler.got[seat]
        if self.seat >= 0:
            self._world.hands[self.seat] = self.hand
        rest = self._sampler.got[PACK]
        for at in range(self._world.next_card, 48):
            self._world._pack[at] = bitset.lowest(rest)
            rest &= rest - 1
        self._world._shuffle_unseen(luck)
        return True

    # the heuristic

    def _worth(self, cards: Cards) -> int:
        """How good it is to win some cards, in tenths of a point."""
        return (
            2 * bitset.count(cards)
            + bitset.count(cards & DIAMONDS)
            + 10 * bitset.count(cards & (CROWNS | JESTER_OF_STAR))
            + 20 * bitset.count(cards & bitset.one(self.knight))
        )

    def _heuristic(self, luck: Seeded) -> Step:
        if self.card >= 0:
            # HER-6, discard: free – the card may be laid on the table as long as nothing is named
            if self.steps & bitset.one(STEP_LAY - STEP_TAKE) and self._laying(self.card) > self._taking(self.card):
                return STEP_LAY
            return STEP_TAKE + self._heuristic_take()
        best = 0
        most = -1000
        rest = self.steps
        reached = sums(self.table)
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            able = (reached >> VALUE[card]) & 1
            worth = self._taking(card) if able else self._laying(card)
            if able and self.free:
                worth = max(worth, self._laying(card))
            if worth > most:
                most = worth
                best = card
        return best

    def _taking(self, card: Card) -> int:
        """How good it is to take with a card that can."""
        equals = self.table & OF_VALUE[VALUE[card]]
        below = self.table & WITHIN[bitset.one(VALUE[card] - 1) - 1]
        worth: int = self._worth(bitset.one(card))
        if equals:
            # HER-4: the card wins those that match it, and those that add up to it
            worth += self._worth(equals)
            if below and (sums(below) >> VALUE[card]) & 1:
                worth += 4
        else:
            worth += 2 + self._worth(below) // 2
        if self.sweeping:
            rest = self.table & ~equals
            if not rest or self._total(rest) == VALUE[card]:
                worth += 10  # HER-14, twelfth: sweep – it leaves no card on the table
            elif self._total(rest) <= 10:
                worth -= 3  # one card of another player can do that
        return worth

    def _laying(self, card: Card) -> int:
        """HER-6: discard the card worth least, and among equals the one that fits into the fewest sums."""
        worth: int = -3 * self._worth(bitset.one(card))
        if VALUE[card] < 10:
            worth += VALUE[card]
        if self.sweeping and self._total(self.table | bitset.one(card)) <= 10:
            worth -= 3  # HER-14, twelfth: sweep – one card of another player can clear the table
        return worth

    def _total(self, cards: Cards) -> int:
        """HER-2: what all of these cards add up to."""
        total = 0
        rest = cards
        while rest:
            total += VALUE[bitset.lowest(rest)]
            rest &= rest - 1
        return total

    def _heuristic_take(self) -> Step:
        """HER-5: the card that is worth most; among equals the lowest, which leaves room for more in the group."""
        best = STEP_DONE - STEP_TAKE
        most = -1000
        rest = self.steps & (bitset.one(STEP_DONE - STEP_TAKE) - 1)
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            if self._worth(bitset.one(card)) > most:
                most = self._worth(bitset.one(card))
                best = card
        return best

    # computed fields

    @property
    def being_taken(self) -> Cards:
        """The cards being taken, whether in whole groups or not."""
        return self.taken | self.open
