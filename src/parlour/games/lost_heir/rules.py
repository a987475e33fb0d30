"""Lost Heir: 48 cards of four police departments and four odd cards; bidding, trumps and tricks for two to six."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, turns
from ...engine.bitset import items as items_of
from ...engine.core import State, emphasise
from ...engine.errors import Refusal
from ...engine.messages import say
from ...engine.types import Card, Cards, Seat, Step, Steps
from . import notation
from .notation import (
    BID,
    BIDDING,
    CHOOSING,
    CITIES,
    CODES,
    DEAL,
    DEALER,
    DEALING,
    FAIL,
    HAND,
    HEIR_3,
    HEIR_4,
    HEIR_8,
    HEIR_8A,
    HEIR_9,
    HEIR_9A,
    HEIR_10,
    HEIR_11,
    HEIR_12,
    HEIR_13,
    HEIR_14,
    HEIR_15,
    HEIR_16,
    LH,
    NAMING,
    NONE,
    ODD,
    PLAY,
    PLAYING,
    REDEAL,
    SCORE,
    SHEET,
    SIDE_COUNTS,
    STEP_PLAY,
    STEP_TRUMP,
    STEPS,
    SUIT,
    TAKE,
    TOTAL,
    TRUMP,
    VOID,
    WB,
)

RANK = notation.RANK
SUIT_OF = notation.SUIT_OF


class LostHeir(State):
    """One game to 25 points, or to another goal."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.goal = options["goal"]  # HEIR-17: the points that end the game
        self.namer_first = options["first"] == "namer"  # HEIR-17: the side that named counts first
        self.rising = options["bids"] == "rising"  # HEIR-7: each bid must be higher than those before it
        # HEIR-18: each player alone, or partners who sit alternately
        self.sides = SIDE_COUNTS[options["sides"]] or players
        self.penalised = options["mistakes"] == "penalised"  # HEIR-15: any card may be played, and mistakes are fined
        self.less = options["wrong_boy"] == "less"  # HEIR-14: the Wrong Boy's −3 come off the trick's 1
        self.free = options["odd_cards"] == "free"  # HEIR-10: odd cards may be played at any time
        self.dealer_names = options["all_pass"] == "dealer"  # HEIR-8a: if all pass, the dealer names
        self.deal_limit = options["deal_limit"]  # HEIR-19: the deals after which the game ends
        self.tricks = 48 // players  # HEIR-1: 48 cards make this many tricks in a deal
        self.hands = [0] * 6  # by seat: the cards in hand
        self.points = [0] * 6  # by side: the points of tricks in this deal
        self.fines = [0] * 6  # by side: the fines in this deal, as negative points
        self.lift = 0.6 * self.goal  # what is added to a score to forecast from it
        self.first_side = NONE  # HEIR-17: the side that won because it named, and so counted first
        self.totals = [0] * 6  # by side: the score
        self.bids = [0] * 6  # by seat: the bid, 0 for a pass, or none yet
        self.laid = [0] * 6  # by seat: the card played last, or none

    # the deal

    def _start(self) -> None:
        self.dealer = NONE  # the seat that deals
        self.namer = NONE  # the highest bidder, who names the trump suit
        self.bid = 0  # the highest bid
        self.trump = NONE  # the trump suit
        self.offered = 0  # the numbers bid in this deal, as a set
        self.trick = 0  # the cards played to this trick
        self.gone = 0  # the cards of the tricks taken in this deal
        self.trick_number = 0  # tricks taken in this deal
        self.led = NONE  # the suit to follow
        self.lead_seat = NONE  # the seat that led this trick
        self.first_lead = False  # whether the first card of a deal is still to be led (HEIR-9)
        self.plays = 0  # cards played to this trick
        self.best = 0  # the power of the card that is taking this trick (HEIR-11),
        self.best_seat = NONE  # and the seat that played it
        self.first_side = NONE
        for seat in range(6):
            self.hands[seat] = 0
            self.points[seat] = 0
            self.fines[seat] = 0
            self.totals[seat] = 0
            self.bids[seat] = NONE
            self.laid[seat] = NONE
        # HEIR-5: the first dealer is found by chance
        self.stage = CHOOSING  # the stage of the game: choosing the dealer, dealing, bidding, naming or playing
        self._await_one(DEALER, bitset.one(self.players) - 1)

    def _receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self._tell(DEALER, self.dealer, 0, 0, 0)
            self._deal()
        else:
            self._dealt()

    def _deal(self) -> None:
        """HEIR-5: all the cards are dealt."""
        self.stage = DEALING
        self._begin_deal()
        self._await_deal(DEAL, 48, 48)

    def _dealt(self) -> None:
        self._tell(DEAL, 0, 0, 0, 0)
        self._tell_pack(48)
        for seat in range(self.players):
            self.hands[seat] = 0
            self.points[seat] = 0
            self.fines[seat] = 0
            self.bids[seat] = NONE
            self.laid[seat] = NONE
        # HEIR-5: one card at a time from the dealer's left
        seat = self.dealer
        for at in range(48):
            seat = turns.left(seat, self.players)
            self.hands[seat] |= bitset.one(self._pack[at])
        if self.journal is not None:
            for seat in range(self.players):
                self._tell(HAND, seat, 0, 0, 0)
                self._tell_cards(self.hands[seat])
        self.gone = 0
        self.trick_number = 0
        # HEIR-6: the player at the dealer's left bids first
        self.stage = BIDDING
        self.seat = turns.left(self.dealer, self.players)
        self.offered = 0
        self.bid = 0
        self.namer = NONE
        self.trump = NONE

    # the turn

    def _choices(self) -> Steps:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == PLAYING:
            self.base = STEP_PLAY
            # HEIR-15, mistakes: penalised – any card may be played, at a price
            return self.hands[self.seat] if self.penalised else self._lawful()
        if self.stage == BIDDING:
            # HEIR-7, bids: rising – a bid must be higher than all before it
            if self.rising:
                return (bitset.one(self.tricks + 6) - bitset.one(self.bid + 1)) | 1
            # HEIR-6: 1 to (tricks + 5), or a pass. HEIR-7: no number twice
            return (bitset.one(self.tricks + 6) - 1) & ~self.offered
        # HEIR-8: any of the four suits
        self.base = STEP_TRUMP
        return 15

    def _apply(self, step: Step) -> None:
        self.moves += 1
        if step >= STEP_PLAY:
            self._lay(step - STEP_PLAY)
        elif step < STEP_TRUMP:
            self._take_bid(step)
        else:
            self._name(step - STEP_TRUMP)

    # the bidding

    def _take_bid(self, bid: int) -> None:
        """HEIR-6: each player bids once, the dealer last."""
        self._tell(BID, self.seat, bid, 0, 0)
        self.bids[self.seat] = bid
        if bid:
            self.offered |= bitset.one(bid)
        # HEIR-7: a lower bid may be made, but the highest bidder names
        if bid > self.bid:
            self.bid = bid
            self.namer = self.seat
        if self.seat != self.dealer:
            self.seat = turns.left(self.seat, self.players)
        elif self.namer >= 0:
            self.stage = NAMING
            self.seat = self.namer
        elif self.dealer_names:
            # HEIR-8a, all_pass: dealer – the dealer names trumps with a bid of 1
            self.bid = 1
            self.namer = self.dealer
            self.stage = NAMING
        else:
            # HEIR-8a, all_pass: redeal – the deal passes to the left
            self._tell(REDEAL, HEIR_8A, 0, 0, 0)
            self.seat = -1
            self.dealer = turns.left(self.dealer, self.players)
            # HEIR-19: redeals count towards the limit too
            if self.deals >= self.deal_limit:
                self.over = True
                self.cut = True
            else:
                self._deal()

    def _name(self, suit: int) -> None:
        """HEIR-8: the highest bidder names the trump suit. HEIR-9: and leads first."""
        self.trump = suit
        self._tell(TRUMP, self.seat, suit, HEIR_8 if self.bids[self.seat] else HEIR_8A, 0)
        self.stage = PLAYING
        self.first_lead = True
        self._lead(self.seat)

    # the trick

    def _lead(self, seat: Seat) -> None:
        """Begin a trick."""
        self.lead_seat = seat
        self.seat = seat
        self.led = NONE
        self.plays = 0
        self.trick = 0
        self.best = NONE

    def _lawful(self) -> Cards:
        """The cards that the seat to play may lawfully play (HEIR-9, HEIR-10)."""
        hand = self.hands[self.seat]
        if self.led >= 0:
            suit = hand & (SUIT << (11 * self.led))
            if suit:
                # HEIR-10: the player must follow the suit led; odd_cards: free – or play an odd card
                return suit | (hand & ODD) if self.free else suit
            return hand
        if self.first_lead:
            # HEIR-9: the player who named must lead a trump; one who holds none may lead any card
            suit = hand & (SUIT << (11 * self.trump))
            if suit:
                return suit
        # HEIR-9a: a later lead is free. HEIR-10: after a led odd card there is no suit to follow yet
        return hand

    def _lay(self, card: Card) -> None:
        """Play a card to the trick."""
        seat = self.seat
        fined = self.penalised and not self._lawful() & bitset.one(card)
        if self.journal is not None:
            self._tell(PLAY, seat, card, HEIR_9 if self.first_lead else HEIR_10 if self.plays else HEIR_9A, 0)
        self.first_lead = False
        self.hands[seat] &= ~bitset.one(card)
        self.trick |= bitset.one(card)
        self.laid[seat] = card
        # HEIR-10: the first suited card sets the suit to follow
        suit = SUIT_OF[card]
        if self.led < 0 and suit >= 0:
            self.led = suit
        # HEIR-11: the Lost Heir takes, then the highest trump, the highest card of the suit to follow (HEIR-2), and
        # last the first City card
        power = RANK[card]
        if suit == self.trump:
            power += 32
        elif suit == self.led:
            power += 16
        elif suit >= 0:
            power = 0
        if power > self.best:
            self.best = power
            self.best_seat = seat
        if fined:
            # HEIR-15, mistakes: penalised – a player who could follow and does not loses three points
            self.fines[seat % self.sides] -= 3
            self._tell(SCORE, seat % self.sides, -3, HEIR_15, 0)
        self.plays += 1
        if self.plays < self.players:
            self.seat = turns.left(seat, self.players)
        else:
            self._end_trick()

    # the score

    def _end_trick(self) -> None:
        """HEIR-11 to HEIR-14: give the trick to the highest card, and score it."""
        side = self.best_seat % self.sides
        heir = (self.trick & LH) != 0
        wrong = (self.trick & WB) != 0
        city = (self.trick & CITIES) != 0
        # HEIR-3: the Lost Heir takes any trick; HEIR-11: otherwise the highest card does
        self._tell(TAKE, self.best_seat, HEIR_3 if heir else HEIR_11, 0, 0)
        self.gone |= self.trick
        if (heir or wrong) and city:
            # HEIR-4: a City card keeps the Lost Heir and the Wrong Boy from counting
            if heir:
                self._tell(VOID, 47, HEIR_4, 0, 0)
            if wrong:
                self._tell(VOID, 46, HEIR_4, 0, 0)
            heir = False
            wrong = False
        points = 0
        # HEIR-12: each trick counts 1. HEIR-14, wrong_boy: counts – a trick with the Wrong Boy counts −3 instead
        if self.less or not wrong:
            points = 1
            self._tell(SCORE, side, 1, HEIR_12, 0)
        if heir:
            # HEIR-13: the Lost Heir counts 5, besides the 1 of its trick
            points += 5
            self._tell(SCORE, side, 5, HEIR_13, 0)
        if wrong:
            # HEIR-14: a trick with the Wrong Boy loses three points
            points -= 3
            self._tell(SCORE, side, -3, HEIR_14, 0)
        self.points[side] += points
        self.trick_number += 1
        if self.trick_number < self.tricks:
            # HEIR-11: the player who took the trick leads next
            self._lead(self.best_seat)
        else:
            self._end_deal()

    def _end_deal(self) -> None:
        """HEIR-15, HEIR-16: count the deal. HEIR-17, HEIR-19: end the game, or deal again."""
        self.seat = -1
        self.led = NONE
        self.plays = 0
        self.trick = 0
        side = self.namer % self.sides
        # HEIR-15: fines also reduce the points that count towards the bid
        made = self.points[side] + self.fines[side]
        if made < self.bid:
            # HEIR-16: a side that fails to make its bid scores no points; fines stay
            self._tell(FAIL, side, self.points[side], HEIR_16, 0)
            self.points[side] = 0
        self._tell(TOTAL, 0, 0, 0, 0)
        best = 0
        shared = 0
        for side in range(self.sides):
            self.totals[side] += self.points[side] + self.fines[side]
            self.points[side] = 0
            self.fines[side] = 0
            self._tell_item(self.totals[side])
            if side == 0 or self.totals[side] > best:
                best = self.totals[side]
                shared = 1
            elif self.totals[side] == best:
                shared += 1
        # HEIR-5: the deal passes to the left
        self.dealer = turns.left(self.dealer, self.players)
        side = self.namer % self.sides
        if self.namer_first and self.totals[side] >= self.goal:
            # HEIR-17, first: namer – the side that named counts first, and wins with the goal, whatever the others have
            self.first_side = side
            self.over = True
        elif best >= self.goal and shared == 1:
            # HEIR-17: the highest score of 25 or more wins; if it is shared, another deal is played
            self.over = True
        elif self.deals >= self.deal_limit:
            # HEIR-19: the deal limit ends the game too
            self.over = True
            self.cut = True
        else:
            self._deal()

    # the end

    def _score_of(self, seat: Seat) -> float:
        return self.totals[seat % self.sides]  # HEIR-17, HEIR-19: the highest score wins; equal scores share

    def _has_won(self, seat: Seat) -> bool:
        if self.first_side >= 0:
            return seat % self.sides == self.first_side
        return State._has_won(self, seat)

    # for search

    def _forecast(self, seat: Seat) -> float:
        # being nearer to the goal (HEIR-17) raises the chance to win by more than in proportion
        chances = 0.0
        for side in range(self.sides):
            chances += emphasise(self.totals[side] + self.lift)
        return emphasise(self.totals[seat % self.sides] + self.lift) / chances

    # refusals and records

    def where(self) -> dict[str, list[Card]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places["trick"] = items_of(self.trick)
        places["tricks taken"] = items_of(self.gone)
        return places

    def why_not(self, step: Step) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return say("no step", "There is no step {step:text}.", step=step), ""
        if self.stage == BIDDING:
            if step < STEP_TRUMP and self.offered & bitset.one(step):
                how = "{bid} has been bid already: no two may bid the same number."
                return say("bid twice", how, bid=step), "HEIR-7"
            if self.rising and 0 < step < self.bid:
                how = "{bid} is too low: a bid must be higher than the {highest} bid already."
                return say("bid too low", how, bid=step, highest=self.bid), "HEIR-7"
            if step < STEP_TRUMP:
                return say("bids", "A bid is 1 to {most}, or a pass.", most=self.tricks + 5), "HEIR-6"
            return say("bid now", "Now is the time to bid: 1 to {most}, or pass.", most=self.tricks + 5), "HEIR-6"
        if self.stage == NAMING:
            return say("name trumps", "The highest bidder now names the trump suit: N, P, B or C."), "HEIR-8"
        if step < STEP_PLAY:
            return say("settled", "Bids and trumps are settled: play a card."), "HEIR-9"
        card = step - STEP_PLAY
        if not self.hands[self.seat] & bitset.one(card):
            return say("not held", "You do not hold {card}.", card=CODES[card]), "HEIR-5"
        able = [CODES[card] for card in items_of(self._lawful())]
        if self.led < 0:
            how = "The player who named the trump suit leads first, and must lead a trump: {able:cards list}."
            return say("lead a trump", how, able=able), "HEIR-9"
        return say("follow", "Follow the suit led while you can: {able:cards list}.", able=able), "HEIR-10"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        first = {"bid": 0, "trump": STEP_TRUMP, "play": STEP_PLAY}[kind]
        if kind == "bid" and not 0 <= values[1] < STEP_TRUMP:
            raise Refusal(say("bids", "A bid is 1 to {most}, or a pass.", most=self.tricks + 5), "HEIR-6")
        return [first + values[1]]
