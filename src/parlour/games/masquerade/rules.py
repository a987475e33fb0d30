"""The Masquerade Game (W. F. Balch; Charles Magnus, New York): 32 masked characters, for four or eight players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, turns
from ...engine.bitset import items as items_of
from ...engine.messages import say
from ...engine.types import Card, Cards, Clause, Points, Seat, Step, Steps
from .notation import (
    CHANGING,
    CODES,
    DEAL,
    DEALING,
    DECLINE,
    DIVIDE,
    DIVIDING,
    DRAW,
    DRAWING,
    EXCHANGING,
    FIRST,
    FOLLOWINGS,
    GAME,
    GIVE,
    GOAL,
    HAND,
    LEADING,
    M1,
    MASQ_5,
    MASQ_6,
    MASQ_7,
    MASQ_8,
    MASQ_9,
    MASQ_10,
    MASQ_11,
    MASQ_12,
    MASQ_13,
    MASQ_15,
    MASQ_16,
    MASQ_17,
    MASQ_18,
    MASQUERADERS,
    NONE,
    PLAY,
    PLAYING,
    RETURN,
    RETURNING,
    SCORE,
    SHEET,
    SKIP,
    STEP_DECLINE,
    STEP_GIVE,
    STEP_RETURN,
    STEPS,
    STRICT,
    SUIT,
    TAKE,
    TOO_HIGH_TO_LEAD,
)
from .scores import Scores


class Masquerade(Scores):
    """A sitting of one or more games: the deal, the turn, the exchange, the trick, and the score."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        super().__init__(players, options, rules)
        self.following = FOLLOWINGS.index(options["following"])  # MASQ-7, MASQ-8: climb, suit or strict
        self.last_seat = options["last"] == "seat"  # MASQ-11: the last card must be of the last seat in turn
        self.courtesy = options["exchange"] == "courtesy"  # MASQ-9: the neighbour chooses the card given back
        self.m1_takes = options["number_one"] == "always"  # MASQ-15: M1 takes the trick wherever it lies in it
        self.dealer_leads = options["first_lead"] == "dealer"  # MASQ-5: the dealer leads first
        self.hands = [0] * 8  # by seat: the cards in hand
        self.laid = [0] * 8  # by seat: the card played to this trick, or none

    # the deal

    def _start(self) -> None:
        self.dealer = NONE  # the seat that deals
        self.leader = NONE  # the seat that led this trick
        self.actor = NONE  # the seat whose turn it is, also while its neighbour chooses a card to give back
        self.taker = NONE  # the seat that took the last trick
        self.drawer = NONE  # the seat that draws from the taker
        self.trick = 0  # the cards played to this trick
        self.ready = 0  # the cards that may be led or played now
        self.gift = 0  # the card just given in an exchange, as a set
        self.last = NONE  # the card played last
        self.plays = 0  # cards played to this trick
        self.turns = 0  # turns taken in this trick, including skipped ones
        self.unmasked = False  # MASQ-15: whether M1 was played in this game
        for seat in range(8):
            self.hands[seat] = 0
            self.laid[seat] = NONE
        self._clear_scores()
        # MASQ-4: the cards are first divided equally, one at a time, from seat 0 on
        self.stage = DIVIDING  # the stage of the game (`STAGES`)
        self._await_deal(DIVIDE, 32, 32)

    def _receive(self) -> None:
        if self.stage == DRAWING:
            self._drawn_back()
        elif self.stage == CHANGING:
            self._tell(DRAW, self.actor, turns.left(self.actor, self.players), self.drawn, MASQ_9)
            self._exchange(self.drawn)
        elif self.stage == DIVIDING:
            self._divided()
        else:
            self._dealt()

    def _divided(self) -> None:
        self._tell(DIVIDE, 0, 0, 0, 0)
        self._tell_pack(32)
        # MASQ-4: the player who receives M1 is the first dealer
        for at in range(32):
            if self._pack[at] == 0:
                self.dealer = at % self.players
        self._tell(FIRST, self.dealer, 0, 0, 0)
        self._deal()

    def _deal(self) -> None:
        """MASQ-3: all the cards are dealt, once a game (MASQ-14)."""
        self.stage = DEALING
        self._begin_deal()
        self._await_deal(DEAL, 32, 32)

    def _dealt(self) -> None:
        self._tell(DEAL, 0, 0, 0, 0)
        self._tell_pack(32)
        # MASQ-4: the deal begins at the dealer's left
        for seat in range(self.players):
            self.hands[seat] = 0
        seat = self.dealer
        for at in range(32):
            seat = turns.left(seat, self.players)
            self.hands[seat] |= bitset.one(self._pack[at])
        for seat in range(self.players):
            self._tell(HAND, seat, 0, 0, 0)
            self._tell_cards(self.hands[seat])
        # MASQ-5: the player at the dealer's left leads first; first_lead: dealer – the dealer
        self._lead(self.dealer if self.dealer_leads else turns.left(self.dealer, self.players))

    # the turn

    def _choices(self) -> Steps:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == LEADING or self.stage == PLAYING:
            return self.ready
        if self.stage == EXCHANGING:
            # MASQ-9: the player gives a card of their choice, or declines
            self.base = STEP_GIVE
            return self.hands[self.seat] | bitset.one(STEP_DECLINE - STEP_GIVE)
        # MASQ-9, exchange: courtesy – the neighbour chooses, but not the card received
        self.base = STEP_RETURN
        return self.hands[self.seat] & ~self.gift

    def _apply(self, step: Step) -> None:
        self.moves += 1
        if step < STEP_GIVE:
            self._lay(step)
        elif step < STEP_DECLINE:
            self._hand_over(step - STEP_GIVE)
        elif step == STEP_DECLINE:
            self._tell(DECLINE, self.actor, 0, 0, 0)
            # MASQ-10: a player who is unable does not play
            self._tell(SKIP, self.actor, MASQ_10, 0, 0)
            self._pass_on()
        else:
            self._tell(RETURN, self.seat, step - STEP_RETURN, self.actor, 0)
            self._exchange(step - STEP_RETURN)

    def _lead(self, seat: Seat) -> None:
        """MASQ-5: begin a trick."""
        self.trick = 0
        self.last = NONE
        self.plays = 0
        self.turns = 0
        # MASQ-6: M1 to M4 may not be led; a hand that holds nothing else passes the lead to the left
        while not self.hands[seat] & ~TOO_HIGH_TO_LEAD:
            self._tell(SKIP, seat, MASQ_6, 0, 0)
            seat = turns.left(seat, self.players)
        self.leader = seat
        self.actor = seat
        self.seat = seat
        self.stage = LEADING
        self.ready = self.hands[seat] & ~TOO_HIGH_TO_LEAD

    def _turn(self, seat: Seat) -> None:
        """MASQ-7: each player follows in turn."""
        self.actor = seat
        self.seat = seat
        self.ready = self._playable(self.hands[seat])
        # MASQ-9: a player who can neither follow suit nor play a Masquerader may exchange a card
        self.stage = PLAYING if self.ready else EXCHANGING

    def _playable(self, hand: Cards) -> Cards:
        """The cards of a hand that may be played to the trick; none if it can neither follow suit nor mask."""
        # MASQ-1: the suit led, eight cards side by side
        suit = MASQUERADERS << (self.laid[self.leader] & 24)
        masks = hand & MASQUERADERS
        if self.following == SUIT:
            # MASQ-7, following: suit – climbing is only advice
            return hand & (suit | MASQUERADERS)
        # MASQ-7: a player who can climb above every card of the suit led must
        climbing = hand & suit & bitset.beneath(self.trick & suit)
        if climbing:
            if self.following == STRICT:
                # MASQ-7, following: strict – with the next card above the last one, if that climbs
                following = (bitset.one(self.last) >> 1) & climbing
                return following if following and bitset.one(self.last) & suit else climbing
            return climbing
        # MASQ-8: otherwise with a Masquerader; following: strict – with the lowest one
        if masks:
            if self.following == STRICT:
                return bitset.one(bitset.nth(masks, bitset.count(masks) - 1))
            return masks
        # MASQ-8: a player who has none must still follow, with a lower card of the suit led
        return hand & suit

    def _lay(self, card: Card) -> None:
        seat = self.actor
        if self.journal is not None:
            self._tell(PLAY, seat, card, self._clause_of(card), 0)
        self.hands[seat] &= ~bitset.one(card)
        self.trick |= bitset.one(card)
        self.laid[seat] = card
        last = self.last
        self.last = card
        self.plays += 1
        # MASQ-16: a card played on the next one below it in its suit scores 2; only the card played last counts
        if last == card + 1 and last & 7 and self._score(seat, 2, MASQ_16):
            return
        # MASQ-15: M1 scores 5 the first time it is played in a game
        if card == 0 and not self.unmasked:
            self.unmasked = True
            if self._score(seat, 5, MASQ_15):
                return
        self._pass_on()

    def _clause_of(self, card: Card) -> Clause:
        """The clause that a card is played under."""
        if not self.plays:
            return MASQ_5
        suit = MASQUERADERS << (self.laid[self.leader] & 24)
        climbs = bitset.one(card) & suit & bitset.beneath(self.trick & suit)
        return MASQ_7 if climbs or self.following == SUIT else MASQ_8

    def _pass_on(self) -> None:
        """Pass the turn to the left, until everyone has had theirs."""
        self.turns += 1
        if self.turns == self.players:
            self._end_trick()
        else:
            self._turn(turns.left(self.actor, self.players))

    # the exchange

    def _hand_over(self, card: Card) -> None:
        """MASQ-9: give a card to the player at the left."""
        seat = turns.left(self.actor, self.players)
        self.gift = bitset.one(card)
        self._tell(GIVE, self.actor, card, seat, 0)
        self.hands[self.actor] &= ~self.gift
        self.hands[seat] |= self.gift
        if self.courtesy:
            # exchange: courtesy – the neighbour chooses the card given back
            self.stage = RETURNING
            self.seat = seat
        else:
            # exchange: blind – the card is drawn unseen from the neighbour's hand as it was before the gift
            self.stage = CHANGING
            self._await_one(DRAW, self.hands[seat] & ~self.gift)

    def _exchange(self, card: Card) -> None:
        """MASQ-9: take the card that comes back; there is one exchange in a turn."""
        seat = turns.left(self.actor, self.players)
        self.hands[seat] &= ~bitset.one(card)
        self.hands[self.actor] |= bitset.one(card)
        self.gift = 0
        # MASQ-17: each exchange scores 1 for the player at the left
        if self._score(seat, 1, MASQ_17):
            return
        self.seat = self.actor
        self.ready = self._playable(self.hands[self.actor])
        if self.ready:
            # MASQ-10: a player who is now able must play
            self.stage = PLAYING
        else:
            # MASQ-10: a player who is still unable does not play, and the turn passes
            self._tell(SKIP, self.actor, MASQ_10, 0, 0)
            self._pass_on()

    # the trick

    def _end_trick(self) -> None:
        """Everyone has had their turn: decide who takes the trick."""
        self.seat = -1
        if self.m1_takes and self.trick & M1:
            # MASQ-15: M1 always takes the trick, and scores its 3; number_one: last – as any other card does
            self.taker = 0
            while self.laid[self.taker] != 0:
                self.taker += 1
            self._tell(TAKE, self.taker, MASQ_15, 0, 0)
            if self._score(self.taker, 3, MASQ_15):
                return
        elif self._last_card_takes():
            self.taker = 0
            while self.laid[self.taker] != self.last:
                self.taker += 1
            self._tell(TAKE, self.taker, MASQ_11, 0, 0)
            if self._score(self.taker, 3, MASQ_11):
                return
        else:
            # MASQ-18: otherwise the dealer takes it, and scores nothing for it
            self.taker = self.dealer
            self._tell(TAKE, self.taker, MASQ_18, 0, 0)
        # MASQ-12: the taker takes all cards of the trick into the hand, and the others who played draw one each
        self.hands[self.taker] |= self.trick
        self.trick = 0
        self.stage = DRAWING
        self._draw_back(self.taker)

    def _last_card_takes(self) -> bool:
        """MASQ-11: whether the card played last outranks every other card of the trick."""
        if self.plays < 2:
            return False  # a lone card has outranked nothing
        if self.last_seat and self.laid[self.actor] != self.last:
            return False  # last: seat – only the card of the last seat can take the trick
        # MASQ-2: every Masquerader outranks every card of the other suits; without one, all are of the suit led
        top = self.trick & MASQUERADERS
        if not top:
            top = self.trick
        return self.last == bitset.lowest(top)

    def _draw_back(self, seat: Seat) -> None:
        """MASQ-12: let the next player draw, unseen and in turn from the taker's left; then comes the next lead."""
        self.laid[seat] = NONE
        seat = turns.left(seat, self.players)
        while seat != self.taker and self.laid[seat] < 0:
            seat = turns.left(seat, self.players)
        if seat != self.taker:
            self.drawer = seat
            self._await_one(DRAW, self.hands[self.taker])
        else:
            # MASQ-19: the lead passes to the left of the player who led last
            self._lead(turns.left(self.leader, self.players))

    def _drawn_back(self) -> None:
        self.hands[self.taker] &= ~bitset.one(self.drawn)
        self.hands[self.drawer] |= bitset.one(self.drawn)
        self._tell(DRAW, self.drawer, self.taker, self.drawn, MASQ_12)
        # MASQ-13: a player who draws the very card they played scores 4
        if self.laid[self.drawer] == self.drawn and self._score(self.drawer, 4, MASQ_13):
            return
        self._draw_back(self.drawer)

    # the score

    def _score(self, seat: Seat, points: Points, clause: Clause) -> bool:
        """Score points; true if they complete the game (MASQ-20)."""
        self.points[seat] += points
        self._tell(SCORE, seat, points, clause, 0)
        if self.points[seat] < GOAL:
            return False
        self._end_game(seat)
        return True

    # the end

    def _end_game(self, seat: Seat) -> None:
        """MASQ-20: 32 points complete the game at the moment they are reached; its winner deals the next one."""
        self._tell(GAME, seat, 0, 0, 0)
        self._count_game(seat)
        self.dealer = seat
        self.seat = -1
        self.unmasked = False
        self.gift = 0
        self.ready = 0
        for seat in range(self.players):
            self.laid[seat] = NONE
        if self.game == self.games:
            self.over = True
        else:
            self._deal()

    # refusals and records

    def where(self) -> dict[str, list[Card]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places["trick"] = items_of(self.trick)
        return places

    def why_not(self, step: Step) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return say("no step", "There is no step {step:text}.", step=step), ""
        hand = self.hands[self.seat]
        if self.stage == EXCHANGING:
            if STEP_GIVE <= step < STEP_DECLINE:
                return say("not held", "You do not hold {card}.", card=CODES[step - STEP_GIVE]), "MASQ-9"
            how = "You can neither follow suit nor play a Masquerader: give a card to the left, or decline."
            return say("exchange", how), "MASQ-9"
        if self.stage == RETURNING:
            if step >= STEP_RETURN and bitset.one(step - STEP_RETURN) == self.gift:
                return say("just received", "The card just received is not the one to give back."), "MASQ-9"
            return say("owed", "A card is owed for the one received: give one of your own."), "MASQ-9"
        if step >= STEP_GIVE:
            how = "You may exchange only if you can neither follow suit nor play a Masquerader."
            return say("no exchange", how), "MASQ-9"
        if not hand & bitset.one(step):
            return say("not held", "You do not hold {card}.", card=CODES[step]), "MASQ-5"
        if self.stage == LEADING:
            return say("not led", "Masqueraders No. 1 to No. 4 may not be led."), "MASQ-6"
        able = [CODES[card] for card in items_of(self.ready)]
        if self.following == SUIT:
            return say("suit", "Follow with the suit led or a Masquerader: {able:cards any}.", able=able), "MASQ-7"
        asked = self._clause_of(bitset.lowest(self.ready))
        if asked == MASQ_7:
            if self.following == STRICT and bitset.count(self.ready) == 1:
                how = "Follow the suit led with the very next in rank that climbs: {able:cards any}."
                return say("climb by one", how, able=able), "MASQ-7"
            return say("climb", "Follow the suit led with a card that climbs: {able:cards any}.", able=able), "MASQ-7"
        if self.ready & MASQUERADERS:
            if self.following == STRICT:
                how = "You cannot climb, so play your lowest Masquerader: {able:cards any}."
                return say("lowest mask", how, able=able), "MASQ-8"
            return say("mask", "You cannot climb, so play a Masquerader: {able:cards any}.", able=able), "MASQ-8"
        how = "You can neither climb nor mask, so follow with a lower card: {able:cards any}."
        return say("lower", how, able=able), "MASQ-8"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        if kind == "decline":
            return [STEP_DECLINE]
        first = {"play": 0, "give": STEP_GIVE, "return": STEP_RETURN}[kind]
        return [first + values[1]]
