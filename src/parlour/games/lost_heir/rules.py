"""Lost Heir: 48 cards of four police departments and four odd cards; bidding, trumps and tricks for two to six."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import Lots
from ...engine.bitset import items as items_of
from ...engine.core import Refusal, Seeded, State, View, steep
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry, Game
from ...engine.pack import CITIES as CITY_NAMES
from ...engine.pack import LOST_HEIR as CARDS
from ...engine.pack import codes, steps
from ...sheets.model import sheet

SHEET = sheet("lost-heir")
HEIR_3, HEIR_4, HEIR_8, HEIR_8A, HEIR_9, HEIR_9A, HEIR_10 = SHEET.numbers(
    "HEIR-3", "HEIR-4", "HEIR-8", "HEIR-8a", "HEIR-9", "HEIR-9a", "HEIR-10"
)
HEIR_11, HEIR_12, HEIR_13, HEIR_14, HEIR_15, HEIR_16 = SHEET.numbers(
    "HEIR-11", "HEIR-12", "HEIR-13", "HEIR-14", "HEIR-15", "HEIR-16"
)

# HEIR-1: four suits of eleven, and four odd cards that belong to no suit. HEIR-2: the ranks.
CODES = codes(CARDS)
SUITS = tuple(CITY_NAMES)
SUIT = 0x7FF
NY, PH, WB, LH = 1 << 44, 1 << 45, 1 << 46, 1 << 47
CITIES = NY | PH
ODD = CITIES | WB | LH
NONE = -1
GOAL = 25

# HEIR-3, HEIR-11: among the odd cards the Wrong Boy is below a City card, and the Lost Heir above everything.
RANK = 4 * list(range(1, 12)) + [1, 1, 0, 60]
SUIT_OF = 11 * [0] + 11 * [1] + 11 * [2] + 11 * [3] + 4 * [-2]

STEP_TRUMP, STEP_PLAY = 30, 34
STEPS = ["pass", *steps("bid", range(1, 30)), *steps("trump", SUITS), *steps("play", CODES)]

DEALER, DEAL, HAND, BID, REDEAL, TRUMP, PLAY, TAKE, VOID, SCORE, FAIL, TOTAL = range(12)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "HEIR-5"),
    Entry("deal", CHANCE, "cards?", "HEIR-5"),
    Entry("hand", TOLD, "seat! cards?", "HEIR-5"),
    Entry("bid", DECISION, "seat bid", "HEIR-6"),
    Entry("redeal", CONSEQUENCE, "clause"),
    Entry("trump", DECISION, "seat suit +clause", "HEIR-8"),
    Entry("play", DECISION, "seat card +clause", "HEIR-10"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("void", CONSEQUENCE, "card clause"),
    Entry("score", CONSEQUENCE, "side points clause", gives=1),
    Entry("fail", CONSEQUENCE, "side points clause"),
    Entry("total", CONSEQUENCE, "scores", "HEIR-17"),
)

CHOOSING, DEALING, BIDDING, NAMING, PLAYING = range(5)


class LostHeir(State):
    """One game to 25 points."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        # HEIR-18: each for himself, or partners who sit alternately
        self.sides = {"each": players, "two": 2, "three": 3}[options["sides"]]
        self.penalised = options["mistakes"] == "penalised"
        self.less = options["wrong_boy"] == "less"
        self.free = options["odd_cards"] == "free"
        self.dealer_names = options["all_pass"] == "dealer"
        self.deal_limit = options["deal_limit"]
        self.tricks = 48 // players
        self.scale = 12.0
        self.hands = [0] * 6
        self.points = [0] * 6
        self.fines = [0] * 6
        self.totals = [0] * 6
        self.bids = [0] * 6
        self.laid = [0] * 6

    # the deal

    def start(self) -> None:
        self.dealer = NONE
        self.namer = NONE
        self.bid = 0
        self.trump = NONE
        self.offered = 0
        self.trick = 0
        self.gone = 0
        self.trick_number = 0
        self.led = NONE
        self.lead_seat = NONE
        self.first_lead = 0
        self.plays = 0
        self.best = 0
        self.best_seat = NONE
        for seat in range(6):
            self.hands[seat] = 0
            self.points[seat] = 0
            self.fines[seat] = 0
            self.totals[seat] = 0
            self.bids[seat] = NONE
            self.laid[seat] = NONE
        # HEIR-5: the first dealer by chance
        self.stage = CHOOSING
        self.await_one(DEALER, bitset.one(self.players) - 1)

    def deal(self) -> None:
        """HEIR-5: all the cards are dealt."""
        self.stage = DEALING
        self.begin_deal()
        self.await_deal(DEAL, 48, 48)

    def receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self.tell(DEALER, self.dealer, 0, 0, 0)
            self.deal()
        else:
            self.dealt()

    def dealt(self) -> None:
        self.tell(DEAL, 0, 0, 0, 0)
        self.tell_pack(48)
        for seat in range(self.players):
            self.hands[seat] = 0
            self.points[seat] = 0
            self.fines[seat] = 0
            self.bids[seat] = NONE
            self.laid[seat] = NONE
        # HEIR-5: one at a time from the dealer's left
        seat = self.dealer
        for at in range(48):
            seat = self.left(seat)
            self.hands[seat] |= bitset.one(self.pack[at])
        if self.journal is not None:
            for seat in range(self.players):
                self.tell(HAND, seat, 0, 0, 0)
                self.tell_cards(self.hands[seat])
        self.gone = 0
        self.trick_number = 0
        # HEIR-6: the dealer's left bids first
        self.stage = BIDDING
        self.seat = self.left(self.dealer)
        self.offered = 0
        self.bid = 0
        self.namer = NONE
        self.trump = NONE

    def left(self, seat: int) -> int:
        return seat + 1 if seat + 1 < self.players else 0

    # the bidding

    def choices(self) -> int:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == PLAYING:
            self.base = STEP_PLAY
            # HEIR-15, mistakes: penalised – any card may be played, at a price
            return self.hands[self.seat] if self.penalised else self.lawful()
        if self.stage == BIDDING:
            # HEIR-6: 1 to (tricks + 5), or a pass. HEIR-7: no number twice
            return (bitset.one(self.tricks + 6) - 1) & ~self.offered
        # HEIR-8: any of the four suits
        self.base = STEP_TRUMP
        return 15

    def apply(self, step: int) -> None:
        self.moves += 1
        if step >= STEP_PLAY:
            self.lay(step - STEP_PLAY)
        elif step < STEP_TRUMP:
            self.take_bid(step)
        else:
            self.name(step - STEP_TRUMP)

    def take_bid(self, bid: int) -> None:
        """HEIR-6: each bids once, the dealer last."""
        self.tell(BID, self.seat, bid, 0, 0)
        self.bids[self.seat] = bid
        if bid:
            self.offered |= bitset.one(bid)
        # HEIR-7: a lower bid may be made, but the highest names
        if bid > self.bid:
            self.bid = bid
            self.namer = self.seat
        if self.seat != self.dealer:
            self.seat = self.left(self.seat)
        elif self.namer >= 0:
            self.stage = NAMING
            self.seat = self.namer
        elif self.dealer_names:
            # HEIR-8a, all_pass: dealer – he names trumps with a bid of 1
            self.bid = 1
            self.namer = self.dealer
            self.stage = NAMING
        else:
            # HEIR-8a, all_pass: redeal – the deal passes to the left
            self.tell(REDEAL, HEIR_8A, 0, 0, 0)
            self.seat = -1
            self.dealer = self.left(self.dealer)
            # HEIR-19: redeals count toward the limit too
            if self.deals >= self.deal_limit:
                self.over = True
                self.cut = True
            else:
                self.deal()

    def name(self, suit: int) -> None:
        """HEIR-8: the highest bidder names the trump suit. HEIR-9: he leads first."""
        self.trump = suit
        self.tell(TRUMP, self.seat, suit, HEIR_8 if self.bids[self.seat] else HEIR_8A, 0)
        self.stage = PLAYING
        self.first_lead = 1
        self.lead(self.seat)

    def lead(self, seat: int) -> None:
        self.lead_seat = seat
        self.seat = seat
        self.led = NONE
        self.plays = 0
        self.trick = 0
        self.best = NONE

    # the play

    def lawful(self) -> int:
        """The cards that the seat to play may lawfully play."""
        hand = self.hands[self.seat]
        if self.led >= 0:
            suit = hand & (SUIT << (11 * self.led))
            if suit:
                # HEIR-10: follow the suit led; odd_cards: free – or play an odd card
                return suit | (hand & ODD) if self.free else suit
            return hand
        if self.first_lead:
            # HEIR-9: who named must lead a trump; if he holds none, any card
            suit = hand & (SUIT << (11 * self.trump))
            if suit:
                return suit
        # HEIR-9a: a later lead is free. HEIR-10: a led odd card asks for nothing
        return hand

    def lay(self, card: int) -> None:
        seat = self.seat
        fined = self.penalised and not self.lawful() & bitset.one(card)
        if self.journal is not None:
            self.tell(PLAY, seat, card, HEIR_9 if self.first_lead else HEIR_10 if self.plays else HEIR_9A, 0)
        self.first_lead = 0
        self.hands[seat] &= ~bitset.one(card)
        self.trick |= bitset.one(card)
        self.laid[seat] = card
        # HEIR-10: the first suited card sets the suit to follow
        suit = SUIT_OF[card]
        if self.led < 0 and suit >= 0:
            self.led = suit
        # HEIR-11: the Lost Heir, the highest trump, the highest of the suit to follow; else the first City card
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
            # HEIR-15, mistakes: penalised – not following when one can counts three off
            self.fines[seat % self.sides] -= 3
            self.tell(SCORE, seat % self.sides, -3, HEIR_15, 0)
        self.plays += 1
        if self.plays < self.players:
            self.seat = self.left(seat)
        else:
            self.end_trick()

    def end_trick(self) -> None:
        side = self.best_seat % self.sides
        heir = (self.trick & LH) != 0
        wrong = (self.trick & WB) != 0
        city = (self.trick & CITIES) != 0
        # HEIR-3: the Lost Heir takes any trick; HEIR-11: else the highest card
        self.tell(TAKE, self.best_seat, HEIR_3 if heir else HEIR_11, 0, 0)
        self.gone |= self.trick
        if (heir or wrong) and city:
            # HEIR-4: a City card keeps the Lost Heir and the Wrong Boy from counting
            if heir:
                self.tell(VOID, 47, HEIR_4, 0, 0)
            if wrong:
                self.tell(VOID, 46, HEIR_4, 0, 0)
            heir = False
            wrong = False
        points = 0
        # HEIR-12: each trick counts 1. HEIR-14, wrong_boy: counts – the Wrong Boy's trick is worth −3 instead
        if self.less or not wrong:
            points = 1
            self.tell(SCORE, side, 1, HEIR_12, 0)
        if heir:
            # HEIR-13: the Lost Heir counts 5 beside its trick's 1
            points += 5
            self.tell(SCORE, side, 5, HEIR_13, 0)
        if wrong:
            # HEIR-14: the trick with the Wrong Boy counts three off
            points -= 3
            self.tell(SCORE, side, -3, HEIR_14, 0)
        self.points[side] += points
        self.trick_number += 1
        if self.trick_number < self.tricks:
            # HEIR-11: its player leads next
            self.lead(self.best_seat)
        else:
            self.end_deal()

    # the end of a deal

    def end_deal(self) -> None:
        self.seat = -1
        self.led = NONE
        self.plays = 0
        self.trick = 0
        side = self.namer % self.sides
        # HEIR-15: fines also come off what counts toward the bid
        made = self.points[side] + self.fines[side]
        if made < self.bid:
            # HEIR-16: who fails to make his bid counts nothing; fines stay
            self.tell(FAIL, side, self.points[side], HEIR_16, 0)
            self.points[side] = 0
        self.tell(TOTAL, 0, 0, 0, 0)
        best = 0
        shared = 0
        for side in range(self.sides):
            self.totals[side] += self.points[side] + self.fines[side]
            self.points[side] = 0
            self.fines[side] = 0
            self.tell_item(self.totals[side])
            if side == 0 or self.totals[side] > best:
                best = self.totals[side]
                shared = 1
            elif self.totals[side] == best:
                shared += 1
        # HEIR-5: the deal passes to the left
        self.dealer = self.left(self.dealer)
        # HEIR-17: the highest score of 25 or more; if it is shared, another deal
        if best >= GOAL and shared == 1:
            self.over = True
        elif self.deals >= self.deal_limit:
            # HEIR-19: deal_limit ends it too
            self.over = True
            self.cut = True
        else:
            self.deal()

    # for players who think ahead

    def gain(self, seat: int) -> float:
        return self.totals[seat % self.sides]

    def hope(self, seat: int) -> float:
        mine = self.totals[seat % self.sides]
        if self.over:
            for side in range(self.sides):
                if self.totals[side] > mine:
                    return 0.0
            return 1.0
        # between deals: nearer to 25 (HEIR-17) is better by more than in proportion
        hopes = 0.0
        for side in range(self.sides):
            hopes += steep(self.totals[side] + 15)
        return steep(mine + 15) / hopes

    def scores(self) -> list[int]:
        return [self.totals[side] for side in range(self.sides)]

    def winners(self) -> list[int]:
        # HEIR-17, HEIR-19: the highest score; equals share it
        best = max(self.scores())
        return [seat for seat in range(self.players) if self.totals[seat % self.sides] == best]

    # copies, refusals, records

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places["trick"] = items_of(self.trick)
        places["tricks taken"] = items_of(self.gone)
        return places

    def why_not(self, step: int) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return f"There is no step {step}.", ""
        if self.stage == BIDDING:
            if step < STEP_TRUMP and self.offered & bitset.one(step):
                return f"{step} has been bid already: no two may bid the same number.", "HEIR-7"
            if step < STEP_TRUMP:
                return f"A bid is 1 to {self.tricks + 5}, or a pass.", "HEIR-6"
            return f"Now is the time to bid: 1 to {self.tricks + 5}, or pass.", "HEIR-6"
        if self.stage == NAMING:
            return "The highest bidder now names the trump suit: N, P, B or C.", "HEIR-8"
        if step < STEP_PLAY:
            return "Bids and trumps are settled: play a card.", "HEIR-9"
        card = step - STEP_PLAY
        if not self.hands[self.seat] & bitset.one(card):
            return f"You do not hold {CODES[card]}.", "HEIR-5"
        able = ", ".join(CODES[card] for card in items_of(self.lawful()))
        if self.led < 0:
            return f"Who named the trump suit leads first, and must lead a trump: {able}.", "HEIR-9"
        return f"Follow the suit led while you can: {able}.", "HEIR-10"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        first = {"bid": 0, "trump": STEP_TRUMP, "play": STEP_PLAY}[kind]
        if kind == "bid" and not 0 <= values[1] < STEP_TRUMP:
            raise Refusal(f"A bid is 1 to {self.tricks + 5}, or a pass.", "HEIR-6")
        return [first + values[1]]


class LostHeirView(View):
    """What a seat knows: its hand, the bids, the trick, the scores, the cards gone, and who can hold each card."""

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.sides = {"each": players, "two": 2, "three": 3}[options["sides"]]
        self.tricks = 48 // players
        self.points = [0] * 6
        self.fines = [0] * 6
        self.totals = [0] * 6
        self.bids = [NONE] * 6
        self.laid = [NONE] * 6
        self.sizes = [0] * 6
        self.holders = [0] * 48
        self.free = options["odd_cards"] == "free"
        self.heard_led = NONE  # the suit to follow, as heard
        self.opening = NONE  # the trump that the first lead must be, as heard
        self.doubted = NONE  # who did not play as asked: void in the suit, unless a fine follows
        self.doubted_suit = NONE
        self.revoked = [0] * 6  # suits that a seat was fined for not playing: it held one, and has not played it since
        self.lots = Lots()
        for card in range(48):
            self.holders[card] = self.others()

    # looking

    def attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, LostHeir):
            raise TypeError("A view looks at a state of its own game.")
        self.behind = state
        self.world = state  # type: Any

    def glance(self) -> None:
        View.glance(self)
        self.stage = self.world.stage
        self.bid = self.world.bid
        self.trump = self.world.trump
        self.namer = self.world.namer
        self.dealer = self.world.dealer
        self.gone = self.world.gone
        self.trick = self.world.trick
        self.led = self.world.led
        self.best = self.world.best
        self.best_seat = self.world.best_seat
        self.plays = self.world.plays
        self.hand = self.world.hands[self.seat] if self.seat >= 0 else 0
        self.lawful = self.world.lawful() if self.steps and self.stage == PLAYING else 0

    def look(self) -> None:
        View.look(self)
        self.lead_seat = self.world.lead_seat
        self.first_lead = self.world.first_lead
        self.offered = self.world.offered
        self.trick_number = self.world.trick_number
        for seat in range(self.players):
            self.points[seat] = self.world.points[seat]
            self.fines[seat] = self.world.fines[seat]
            self.totals[seat] = self.world.totals[seat]
            self.bids[seat] = self.world.bids[seat]
            self.laid[seat] = NONE
            if self.world.laid[seat] >= 0 and self.trick & bitset.one(self.world.laid[seat]):
                self.laid[seat] = self.world.laid[seat]
            self.sizes[seat] = bitset.count(self.world.hands[seat])

    def notice(self) -> None:
        self.settle_doubt()
        for card in range(48):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat
            elif (self.gone | self.trick) & bitset.one(card):
                self.holders[card] = 0

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        seats, sides = self.players, self.sides
        return [
            *View.layout(self),
            *(("stage", 1, 3), ("dealer", 1, seats), ("leader", 1, seats), ("namer", 1, seats)),
            *(("hand", 1, 48), ("laid", seats, 48), ("gone", 1, 48), ("trump", 1, 4), ("led", 1, 4)),
            *(("bids", 1, seats), ("bid", 1, 1), ("hand_sizes", 1, seats), ("tricks_left", 1, 1), ("deal", 1, 1)),
            *(("points", 1, sides), ("fines", 1, sides), ("totals", 1, sides)),
        ]

    def paint(self, page: Any, at: int) -> int:
        at = View.paint(self, page, at)
        at = encode.chosen(page, at, self.stage - BIDDING, 3)
        at = encode.seat(page, at, self.dealer, self.seat, self.players)
        at = encode.seat(page, at, self.lead_seat, self.seat, self.players)
        at = encode.seat(page, at, self.namer, self.seat, self.players)
        at = encode.cards(page, at, self.hand, 48)
        at = encode.rows(page, at, self.laid, self.seat, self.players, 48)
        at = encode.cards(page, at, self.gone, 48)
        at = encode.chosen(page, at, self.trump, 4)
        at = encode.chosen(page, at, self.led, 4)
        at = encode.each(page, at, self.bids, self.seat, self.players, 1)  # 0 is no bid yet, 1 a pass
        at = encode.number(page, at, self.bid)
        at = encode.each(page, at, self.sizes, self.seat, self.players, 0)
        at = encode.number(page, at, self.tricks - self.trick_number)
        at = encode.number(page, at, self.deals)
        # sides from one's own on; what may be below nothing is written from 128
        at = encode.each(page, at, self.points, self.seat, self.sides, 128)
        at = encode.each(page, at, self.fines, self.seat, self.sides, 128)
        return encode.each(page, at, self.totals, self.seat, self.sides, 128)

    # listening

    def void_in(self, seat: int, suit: int) -> None:
        """A seat has shown that it holds no card of a suit."""
        for at in range(11):
            self.holders[11 * suit + at] &= ~(1 << seat)

    def settle_doubt(self) -> None:
        """Who did not play as asked and was not fined for it (HEIR-15) holds none of the suit."""
        if self.doubted >= 0:
            self.void_in(self.doubted, self.doubted_suit)
            self.doubted = NONE

    def hear(self) -> None:
        kind = self.row[0]
        a = self.row[1]
        if kind == SCORE and self.row[3] == HEIR_15:
            if self.doubted >= 0:
                self.revoked[self.doubted] |= 1 << self.doubted_suit
            self.doubted = NONE
        else:
            self.settle_doubt()
        if kind == DEAL:
            for card in range(48):
                self.holders[card] = self.others()
            for seat in range(6):
                self.revoked[seat] = 0
            self.heard_led = NONE
        elif kind == HAND and a == self.seat:
            for at in range(self.row[5]):
                self.holders[self.row[6 + at]] = 1 << a
        elif kind == PLAY:
            card = self.row[2]
            self.holders[card] = 0
            if card < 44:
                self.revoked[a] &= ~(1 << SUIT_OF[card])
            # HEIR-9, HEIR-10: an odd card tells nothing where it may be played at any time
            asked = self.opening if self.opening >= 0 else self.heard_led
            if asked >= 0 and SUIT_OF[card] != asked and (self.opening >= 0 or not self.free or card < 44):
                self.doubted = a
                self.doubted_suit = asked
            self.opening = NONE
            if self.heard_led < 0:
                self.heard_led = SUIT_OF[card]
        elif kind == TRUMP:
            self.opening = self.row[2]
        elif kind == TAKE:
            self.heard_led = NONE

    # imagining

    def new_world(self) -> State:
        return LostHeir(self.players, self.options)

    def prepare(self) -> None:
        self.lots.clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        for card in range(48):
            if not (self.hand | self.gone | self.trick) & bitset.one(card):
                self.lots.add(card, self.holders[card] & self.others())
        self.lots.prepare()

    def imagine(self, luck: Seeded) -> int:
        if self.to_act < 0:
            return False
        self.set_out()
        self.world.stage = self.stage
        self.world.dealer = self.dealer
        self.world.namer = self.namer
        self.world.bid = self.bid
        self.world.trump = self.trump
        self.world.trick_number = self.trick_number
        self.world.led = self.led
        self.world.lead_seat = self.lead_seat
        self.world.first_lead = self.first_lead
        self.world.plays = self.plays
        self.world.best = self.best
        self.world.best_seat = self.best_seat
        self.world.offered = self.offered
        self.world.trick = self.trick
        self.world.gone = self.gone
        for seat in range(self.players):
            self.world.points[seat] = self.points[seat]
            self.world.fines[seat] = self.fines[seat]
            self.world.totals[seat] = self.totals[seat]
            self.world.bids[seat] = self.bids[seat]
            self.world.laid[seat] = self.laid[seat]
        for attempt in range(1000):
            if not self.lots.cast(luck):
                return False
            if self.owed():
                break  # where so many fail, what was owed is let go
        for seat in range(self.players):
            self.world.hands[seat] = self.lots.got[seat]
        if self.seat >= 0:
            self.world.hands[self.seat] = self.hand
        return True

    def owed(self) -> int:
        """HEIR-15: whether each who was fined holds what he did not play."""
        for seat in range(self.players):
            for suit in range(4):
                if (self.revoked[seat] >> suit) & 1 and seat != self.seat:
                    if not self.lots.got[seat] & (SUIT << (11 * suit)):
                        return False
        return True

    # the rules of thumb

    def thumb(self, luck: Seeded) -> int:
        if self.stage == BIDDING:
            return self.thumb_bid()
        if self.stage == NAMING:
            return STEP_TRUMP + self.best_trump()
        return STEP_PLAY + (self.thumb_follow() if self.plays else self.thumb_lead())

    def strength(self, trump: int) -> float:
        """The points that a hand may hope for with a trump suit of its choice."""
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

    def best_trump(self) -> int:
        best = 0
        for suit in range(1, 4):
            if self.strength(suit) > self.strength(best):
                best = suit
        return best

    def thumb_bid(self) -> int:
        """Bid what the hand is good for; the dealer, who bids last, just enough. Who cannot bid highest passes."""
        sure = int(0.85 * self.strength(self.best_trump()))
        bid = self.bid + 1 if self.seat == self.dealer else sure
        return bid if self.bid < bid <= sure and self.steps & bitset.one(bid) else 0

    def power(self, card: int) -> int:
        """What a card is worth in this trick (HEIR-11)."""
        if SUIT_OF[card] == self.trump:
            return RANK[card] + 32
        if SUIT_OF[card] == self.led:
            return RANK[card] + 16
        return RANK[card] if card >= 44 else 0

    def master(self, card: int) -> int:
        """Whether no higher card of its suit is still out."""
        if card >= 44:
            return card == 47
        higher = (SUIT << (11 * SUIT_OF[card])) & ~(bitset.one(card + 1) - 1)
        return not higher & ~(self.gone | self.hand | self.trick)

    def thumb_lead(self) -> int:
        """Lead what nobody beats; the Wrong Boy, where every other is an opponent; else a low card."""
        suited = self.lawful & ~ODD
        if self.lawful & LH and not CITIES & ~(self.gone | self.hand):
            return 47
        if self.lawful & WB and self.sides == self.players:
            return 46
        trumps = suited & (SUIT << (11 * self.trump))
        # who named draws trumps while they win
        if trumps and self.namer % self.sides == self.seat % self.sides and self.master(bitset.highest(trumps)):
            return bitset.highest(trumps)
        for suit in range(4):
            cards = suited & (SUIT << (11 * suit))
            if cards and suit != self.trump and self.master(bitset.highest(cards)):
                return bitset.highest(cards)
        return self.lowest(self.lawful)

    def lowest(self, cards: int) -> int:
        """The card to be spared least: low, no trump, and of the odd cards none that counts."""
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

    def thumb_follow(self) -> int:
        """Take a trick that counts as cheaply as it can be taken, never a partner's; leave one that counts off."""
        friendly = self.best_seat % self.sides == self.seat % self.sides
        last = self.plays == self.players - 1
        city = (self.trick & CITIES) != 0
        heir = (self.trick & LH) != 0
        wrong = (self.trick & WB) != 0 and not city
        if heir:
            # HEIR-4: a City card spoils the Heir for opponents; on a partner's everything low is welcome
            if not friendly and not city and self.lawful & CITIES:
                return bitset.lowest(self.lawful & CITIES)
            if not friendly and not city and self.lawful & WB:
                return 46
            return self.lowest(self.lawful & ~WB if self.lawful & ~WB else self.lawful)
        if self.lawful & LH and not city and (last or not CITIES & ~(self.gone | self.hand) or self.tricks_left() < 3):
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
            if self.power(card) <= self.best:
                losing |= bitset.one(card)
                continue
            if cheapest < 0 or self.power(card) < self.power(cheapest):
                cheapest = card
            if dearest < 0 or self.power(card) > self.power(dearest):
                dearest = card
        if wrong and losing and (last or not friendly):
            return bitset.highest(losing) if last else self.lowest(losing)
        if friendly or cheapest < 0:
            return self.lowest(losing if losing else spare)
        if last or SUIT_OF[cheapest] == self.trump != self.led:
            return cheapest
        if self.master(dearest):
            return dearest
        return self.lowest(losing if losing else spare)

    def tricks_left(self) -> int:
        return bitset.count(self.hand)

    def fields(self) -> dict[str, Any]:
        seats = range(self.players)
        sides = range(self.sides)
        order = [(self.lead_seat + turn) % self.players for turn in seats] if self.lead_seat >= 0 else []
        return View.fields(self) | {
            "dealer": self.dealer,
            "deal": self.deals,
            "hand": [CODES[card] for card in items_of(self.hand)],
            "hand_sizes": [self.sizes[seat] for seat in seats],
            "bids": [self.bids[seat] if self.bids[seat] >= 0 else None for seat in seats],
            "bid": self.bid,
            "namer": self.namer,
            "trump": SUITS[self.trump] if self.trump >= 0 else None,
            "leader": self.lead_seat,
            "trick": [[seat, CODES[self.laid[seat]]] for seat in order if self.laid[seat] >= 0],
            "tricks_left": self.tricks - self.trick_number,
            "points": [self.points[side] for side in sides],
            "fines": [self.fines[side] for side in sides],
            "totals": [self.totals[side] for side in sides],
            "gone": [CODES[card] for card in items_of(self.gone)],
            "may_hold": {
                code: [seat for seat in seats if (self.holders[card] >> seat) & 1] for card, code in enumerate(CODES)
            },
        }


LOST_HEIR = Game(SHEET, LostHeir, LostHeirView, CARDS, STEPS, ENTRIES, {"suit": SUITS})
