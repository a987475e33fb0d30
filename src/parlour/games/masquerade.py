"""The Masquerade Game (W. F. Balch; Charles Magnus, New York): 32 characters in masks, four or eight players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import bits
from ..bits import items as items_of
from ..cards import MASQUERADE as CARDS
from ..cards import codes, steps
from ..core import State, View
from ..game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry, Game
from ..sheets import sheet

SHEET = sheet("masquerade")
MASQ_5, MASQ_6, MASQ_7, MASQ_8, MASQ_9, MASQ_10, MASQ_11, MASQ_12 = SHEET.numbers(
    "MASQ-5", "MASQ-6", "MASQ-7", "MASQ-8", "MASQ-9", "MASQ-10", "MASQ-11", "MASQ-12"
)
MASQ_13, MASQ_15, MASQ_16, MASQ_17, MASQ_18 = SHEET.numbers("MASQ-13", "MASQ-15", "MASQ-16", "MASQ-17", "MASQ-18")

# MASQ-1: four suits of eight. MASQ-2: within a suit the lower number is the higher card, so a card is the higher the
# lower its bit, and the eight lowest bits are the Masqueraders.
CODES = codes(CARDS)
MASQUERADERS = 0xFF
M1 = 0x01
ALL = 0xFFFFFFFF
TOO_HIGH_TO_LEAD = 0x0F
NONE = -1
GOAL = 32

STEP_GIVE, STEP_DECLINE, STEP_RETURN = 32, 64, 65
STEPS = steps("play", CODES) + steps("give", CODES) + ["decline"] + steps("return", CODES)

DIVIDE, DEAL, FIRST, HAND, PLAY, GIVE, DECLINE, DRAW, RETURN, SKIP, TAKE, SCORE, GAME = range(13)
ENTRIES = (
    Entry("divide", CHANCE, "cards?", "MASQ-4"),
    Entry("deal", CHANCE, "cards?", "MASQ-4"),
    Entry("first", TOLD, "seat", "MASQ-4"),
    Entry("hand", TOLD, "seat! cards?", "MASQ-3"),
    Entry("play", DECISION, "seat card +clause", "MASQ-7"),
    Entry("give", DECISION, "seat! card? ~seat!", "MASQ-9"),
    Entry("decline", DECISION, "seat", "MASQ-9"),
    Entry("draw", CHANCE, "seat! seat! card? +clause", "MASQ-12"),
    Entry("return", DECISION, "seat! card? ~seat!", "MASQ-9"),
    Entry("skip", CONSEQUENCE, "seat clause"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("score", CONSEQUENCE, "seat points clause"),
    Entry("game", CONSEQUENCE, "seat", "MASQ-20"),
)

DIVIDING, DEALING, LEADING, PLAYING, EXCHANGING, RETURNING, CHANGING, DRAWING = range(8)
STAGES = ("divide", "deal", "lead", "play", "exchange", "return", "change", "draw")
FOLLOWINGS = ("climb", "suit", "strict")
CLIMB, SUIT, STRICT = range(3)


class Masquerade(State):
    """A sitting of one or more games."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.games = options["games"]
        self.following = FOLLOWINGS.index(options["following"])
        self.last_seat = options["last"] == "seat"
        self.courtesy = options["exchange"] == "courtesy"
        self.hands = [0] * 8
        self.points = [0] * 8
        self.totals = [0] * 8
        self.won = [0] * 8
        self.laid = [0] * 8

    # the deal

    def start(self) -> None:
        self.game = 0
        self.last_winner = NONE
        self.dealer = NONE
        self.leader = NONE
        self.actor = NONE
        self.taker = NONE
        self.drawer = NONE
        self.trick = 0
        self.ready = 0
        self.gift = 0
        self.last = NONE
        self.plays = 0
        self.turns = 0
        self.unmasked = False
        for seat in range(8):
            self.hands[seat] = 0
            self.points[seat] = 0
            self.totals[seat] = 0
            self.won[seat] = 0
            self.laid[seat] = NONE
        # MASQ-4: the cards are first divided equally, one at a time from seat 0
        self.stage = DIVIDING
        self.await_deal(DIVIDE, 32, 32)

    def deal(self) -> None:
        """MASQ-3: all the cards are dealt, once a game (MASQ-14)."""
        self.stage = DEALING
        self.await_deal(DEAL, 32, 32)

    def receive(self) -> None:
        if self.stage == DRAWING:
            self.drawn_back()
        elif self.stage == CHANGING:
            self.tell(DRAW, self.actor, self.left(self.actor), self.drawn, MASQ_9)
            self.exchange(self.drawn)
        elif self.stage == DIVIDING:
            self.divided()
        else:
            self.dealt()

    def divided(self) -> None:
        self.tell(DIVIDE, 0, 0, 0, 0)
        self.tell_pack(32)
        # MASQ-4: who receives M1 is the first dealer
        for at in range(32):
            if self.pack[at] == 0:
                self.dealer = at % self.players
        self.tell(FIRST, self.dealer, 0, 0, 0)
        self.deal()

    def dealt(self) -> None:
        self.tell(DEAL, 0, 0, 0, 0)
        self.tell_pack(32)
        # MASQ-4: the deal begins at the dealer's left
        for seat in range(self.players):
            self.hands[seat] = 0
        seat = self.dealer
        for at in range(32):
            seat = self.left(seat)
            self.hands[seat] |= bits.one(self.pack[at])
        for seat in range(self.players):
            self.tell(HAND, seat, 0, 0, 0)
            self.tell_cards(self.hands[seat])
        # MASQ-5: the player at the dealer's left leads first
        self.lead(self.left(self.dealer))

    # the turn

    def left(self, seat: int) -> int:
        return seat + 1 if seat + 1 < self.players else 0

    def lead(self, seat: int) -> None:
        """MASQ-5: a trick begins."""
        self.trick = 0
        self.last = NONE
        self.plays = 0
        self.turns = 0
        # MASQ-6: M1 to M4 may not be led; a hand that holds nothing else passes the lead to the left
        while not self.hands[seat] & ~TOO_HIGH_TO_LEAD:
            self.tell(SKIP, seat, MASQ_6, 0, 0)
            seat = self.left(seat)
        self.leader = seat
        self.actor = seat
        self.seat = seat
        self.stage = LEADING
        self.ready = self.hands[seat] & ~TOO_HIGH_TO_LEAD

    def playable(self, hand: int) -> int:
        """What a hand may play upon the trick; nothing where it can neither follow nor mask."""
        suit = MASQUERADERS << (self.laid[self.leader] & 24)
        masks = hand & MASQUERADERS
        if self.following == SUIT:
            # MASQ-7, following: suit – to climb is advice
            return hand & (suit | MASQUERADERS)
        # MASQ-7: who can climb above every card of the suit led must
        climbing = hand & suit & bits.beneath(self.trick & suit)
        if climbing:
            if self.following == STRICT:
                # MASQ-7, following: strict – the very next above the last card, where it climbs
                following = (bits.one(self.last) >> 1) & climbing
                return following if following and bits.one(self.last) & suit else climbing
            return climbing
        # MASQ-8: else a Masquerader – following: strict – his lowest
        if masks:
            if self.following == STRICT:
                return bits.one(bits.nth(masks, bits.count(masks) - 1))
            return masks
        # MASQ-8: who has none must still follow with a lower card of the suit led
        return hand & suit

    def turn(self, seat: int) -> None:
        """MASQ-7: each in turn."""
        self.actor = seat
        self.seat = seat
        self.ready = self.playable(self.hands[seat])
        # MASQ-9: who can neither follow suit nor play a Masquerader may exchange a card
        self.stage = PLAYING if self.ready else EXCHANGING

    def pass_on(self) -> None:
        """The turn passes to the left, until all have had theirs."""
        self.turns += 1
        if self.turns == self.players:
            self.end_trick()
        else:
            self.turn(self.left(self.actor))

    def choices(self) -> int:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == LEADING or self.stage == PLAYING:
            return self.ready
        if self.stage == EXCHANGING:
            # MASQ-9: a card of his choice, or he declines
            self.base = STEP_GIVE
            return self.hands[self.seat] | bits.one(STEP_DECLINE - STEP_GIVE)
        # MASQ-9, exchange: courtesy – the neighbour chooses, but not the card received
        self.base = STEP_RETURN
        return self.hands[self.seat] & ~self.gift

    def apply(self, step: int) -> None:
        self.moves += 1
        if step < STEP_GIVE:
            self.lay(step)
        elif step < STEP_DECLINE:
            self.hand_over(step - STEP_GIVE)
        elif step == STEP_DECLINE:
            self.tell(DECLINE, self.actor, 0, 0, 0)
            # MASQ-10: who is unable does not play
            self.tell(SKIP, self.actor, MASQ_10, 0, 0)
            self.pass_on()
        else:
            self.tell(RETURN, self.seat, step - STEP_RETURN, self.actor, 0)
            self.exchange(step - STEP_RETURN)

    # the exchange

    def hand_over(self, card: int) -> None:
        """MASQ-9: he gives a card to the player at his left."""
        seat = self.left(self.actor)
        self.gift = bits.one(card)
        self.tell(GIVE, self.actor, card, seat, 0)
        self.hands[self.actor] &= ~self.gift
        self.hands[seat] |= self.gift
        if self.courtesy:
            # exchange: courtesy – the neighbour chooses what he gives
            self.stage = RETURNING
            self.seat = seat
        else:
            # exchange: blind – one unseen from the neighbour's hand as it was before the gift
            self.stage = CHANGING
            self.await_one(DRAW, self.hands[seat] & ~self.gift)

    def exchange(self, card: int) -> None:
        """MASQ-9: the card that comes back; once a turn."""
        seat = self.left(self.actor)
        self.hands[seat] &= ~bits.one(card)
        self.hands[self.actor] |= bits.one(card)
        self.gift = 0
        # MASQ-17: each exchange scores 1 for the player at the left
        if self.score(seat, 1, MASQ_17):
            return
        self.seat = self.actor
        self.ready = self.playable(self.hands[self.actor])
        if self.ready:
            # MASQ-10: if able, he must play
            self.stage = PLAYING
        else:
            # MASQ-10: if still unable he does not play, and the turn passes
            self.tell(SKIP, self.actor, MASQ_10, 0, 0)
            self.pass_on()

    # a card is played

    def asked(self, card: int) -> int:
        """The clause by which a card is played."""
        if not self.plays:
            return MASQ_5
        suit = MASQUERADERS << (self.laid[self.leader] & 24)
        climbs = bits.one(card) & suit & bits.beneath(self.trick & suit)
        return MASQ_7 if climbs or self.following == SUIT else MASQ_8

    def lay(self, card: int) -> None:
        seat = self.actor
        if self.journal is not None:
            self.tell(PLAY, seat, card, self.asked(card), 0)
        self.hands[seat] &= ~bits.one(card)
        self.trick |= bits.one(card)
        self.laid[seat] = card
        last = self.last
        self.last = card
        self.plays += 1
        # MASQ-16: upon the next card below it in its own suit it scores 2; the card last played alone counts
        if last == card + 1 and last & 7 and self.score(seat, 2, MASQ_16):
            return
        # MASQ-15: M1 scores 5 the first time it is played in a game
        if card == 0 and not self.unmasked:
            self.unmasked = True
            if self.score(seat, 5, MASQ_15):
                return
        self.pass_on()

    # the trick

    def last_card_takes(self) -> int:
        """MASQ-11: whether the card last played outranks every other card of the trick."""
        if self.plays < 2:
            return False  # a lone card has outranked nothing
        if self.last_seat and self.laid[self.actor] != self.last:
            return False  # last: seat – only the last seat's card can take the trick
        # MASQ-2: every Masquerader outranks every card of the other suits; else all are of the suit led
        top = self.trick & MASQUERADERS
        if not top:
            top = self.trick
        return self.last == bits.lowest(top)

    def end_trick(self) -> None:
        """All have had their turn: someone takes the trick."""
        self.seat = -1
        if self.trick & M1:
            # MASQ-15: M1 always takes the trick, with the 3
            self.taker = 0
            while self.laid[self.taker] != 0:
                self.taker += 1
            self.tell(TAKE, self.taker, MASQ_15, 0, 0)
            if self.score(self.taker, 3, MASQ_15):
                return
        elif self.last_card_takes():
            self.taker = 0
            while self.laid[self.taker] != self.last:
                self.taker += 1
            self.tell(TAKE, self.taker, MASQ_11, 0, 0)
            if self.score(self.taker, 3, MASQ_11):
                return
        else:
            # MASQ-18: else the dealer takes it, and scores nothing for it
            self.taker = self.dealer
            self.tell(TAKE, self.taker, MASQ_18, 0, 0)
        # MASQ-12: the taker takes all cards of the trick into his hand, and all who played draw one each
        self.hands[self.taker] |= self.trick
        self.trick = 0
        self.stage = DRAWING
        self.draw_back(self.taker)

    def draw_back(self, seat: int) -> None:
        """MASQ-12: unseen, in turn from the taker's left, who does not draw himself; after the last, the next lead."""
        self.laid[seat] = NONE
        seat = self.left(seat)
        while seat != self.taker and self.laid[seat] < 0:
            seat = self.left(seat)
        if seat != self.taker:
            self.drawer = seat
            self.await_one(DRAW, self.hands[self.taker])
        else:
            # MASQ-19: the lead goes to the left of whoever led last
            self.lead(self.left(self.leader))

    def drawn_back(self) -> None:
        self.hands[self.taker] &= ~bits.one(self.drawn)
        self.hands[self.drawer] |= bits.one(self.drawn)
        self.tell(DRAW, self.drawer, self.taker, self.drawn, MASQ_12)
        # MASQ-13: who draws the very card he played scores 4
        if self.laid[self.drawer] == self.drawn and self.score(self.drawer, 4, MASQ_13):
            return
        self.draw_back(self.drawer)

    # the score

    def score(self, seat: int, points: int, clause: int) -> int:
        """Score points one after another; true where they complete the game (MASQ-20)."""
        self.points[seat] += points
        self.tell(SCORE, seat, points, clause, 0)
        if self.points[seat] < GOAL:
            return False
        self.end_game(seat)
        return True

    def end_game(self, seat: int) -> None:
        """MASQ-20: 32 points complete the game, at the moment they are reached; its winner deals the next."""
        self.tell(GAME, seat, 0, 0, 0)
        self.won[seat] += 1
        self.last_winner = seat
        self.game += 1
        self.dealer = seat
        self.seat = -1
        self.unmasked = False
        self.gift = 0
        self.ready = 0
        for seat in range(self.players):
            self.totals[seat] += self.points[seat]
            self.points[seat] = 0
            self.laid[seat] = NONE
        if self.game == self.games:
            self.over = True
        else:
            self.deal()

    def scores(self) -> list[int]:
        return [self.totals[seat] + self.points[seat] for seat in range(self.players)]

    def winners(self) -> list[int]:
        # MASQ-20: most games, then most points over all games, then the last game's winner; else they share
        seats = range(self.players)
        most_games = max([self.won[seat] for seat in seats])
        best = [seat for seat in seats if self.won[seat] == most_games]
        most_points = max([self.totals[seat] for seat in best])
        best = [seat for seat in best if self.totals[seat] == most_points]
        return [self.last_winner] if self.last_winner in best else best

    # copies, refusals, records

    def fill(self, other: State) -> None:
        State.fill(self, other)
        assert isinstance(other, Masquerade)
        self.copy_from(other)

    def copy_from(self, other: Masquerade) -> None:
        self.stage = other.stage
        self.dealer = other.dealer
        self.leader = other.leader
        self.actor = other.actor
        self.taker = other.taker
        self.drawer = other.drawer
        self.last = other.last
        self.plays = other.plays
        self.turns = other.turns
        self.game = other.game
        self.last_winner = other.last_winner
        self.unmasked = other.unmasked
        self.trick = other.trick
        self.ready = other.ready
        self.gift = other.gift
        self.hands[:] = other.hands
        self.points[:] = other.points
        self.totals[:] = other.totals
        self.won[:] = other.won
        self.laid[:] = other.laid

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places["trick"] = items_of(self.trick)
        return places

    def why_not(self, step: int) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return f"There is no step {step}.", ""
        hand = self.hands[self.seat]
        if self.stage == EXCHANGING:
            if STEP_GIVE <= step < STEP_DECLINE:
                return f"You do not hold {CODES[step - STEP_GIVE]}.", "MASQ-9"
            return "You can neither follow suit nor play a Masquerader: give a card to the left, or decline.", "MASQ-9"
        if self.stage == RETURNING:
            if step >= STEP_RETURN and bits.one(step - STEP_RETURN) == self.gift:
                return "The card just received is not the one to give back.", "MASQ-9"
            return "A card is owed for the one received: give one of your own.", "MASQ-9"
        if step >= STEP_GIVE:
            return "An exchange is only for who can neither follow suit nor play a Masquerader.", "MASQ-9"
        if not hand & bits.one(step):
            return f"You do not hold {CODES[step]}.", "MASQ-5"
        if self.stage == LEADING:
            return "A Masquerader above No. 5 may not be led.", "MASQ-6"
        able = " or ".join(CODES[card] for card in items_of(self.ready))
        if self.following == SUIT:
            return f"Follow with the suit led or a Masquerader: {able}.", "MASQ-7"
        asked = self.asked(bits.lowest(self.ready))
        if asked == MASQ_7:
            which = "the very next in rank" if self.following == STRICT and bits.count(self.ready) == 1 else "a card"
            return f"Follow the suit led with {which} that climbs: {able}.", "MASQ-7"
        if self.ready & MASQUERADERS:
            which = "your lowest Masquerader" if self.following == STRICT else "a Masquerader"
            return f"You cannot climb, so play {which}: {able}.", "MASQ-8"
        return f"You can neither climb nor mask, so follow with a lower card: {able}.", "MASQ-8"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        if kind == "decline":
            return [STEP_DECLINE]
        first = {"play": 0, "give": STEP_GIVE, "return": STEP_RETURN}[kind]
        return [first + values[1]]


class MasqueradeView(View):
    """What a seat knows: its hand, the trick, the scores, and who can hold each card."""

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.points = [0] * 8
        self.totals = [0] * 8
        self.won = [0] * 8
        self.laid = [NONE] * 8
        self.sizes = [0] * 8
        self.holders = [0] * 32
        self.following = FOLLOWINGS.index(options["following"])
        self.heard_trick = 0
        self.heard_led = 0  # the suit led, as a set
        self.forget()

    def look(self, state: State) -> None:
        View.look(self, state)
        assert isinstance(state, Masquerade)
        self.look_at(state)

    def look_at(self, state: Masquerade) -> None:
        self.dealer = state.dealer
        self.leader = state.leader
        self.game = state.game
        self.unmasked = state.unmasked
        self.last_winner = state.last_winner
        # whether the one to act must exchange is known to himself alone until he does
        mine = state.seat == self.seat and self.seat >= 0
        self.stage = state.stage if mine else NONE
        self.gift = state.gift if mine else 0
        self.hand = state.hands[self.seat] if self.seat >= 0 else 0
        for seat in range(self.players):
            self.points[seat] = state.points[seat]
            self.totals[seat] = state.totals[seat]
            self.won[seat] = state.won[seat]
            self.laid[seat] = state.laid[seat] if state.trick else NONE
            self.sizes[seat] = bits.count(state.hands[seat])
        for card in items_of(self.hand):
            self.holders[card] = 1 << self.seat

    def forget(self) -> None:
        """A new deal: every card may be with everyone else."""
        everyone = (1 << self.players) - 1
        if self.seat >= 0:
            everyone -= 1 << self.seat
        for card in range(32):
            self.holders[card] = everyone

    def moved(self, card: int, origin: int, to: int) -> None:
        """A card went from hand to hand; where it was not told which, any card of the one may be with the other."""
        if card >= 0:
            self.holders[card] = 1 << to
        else:
            for card in range(32):
                if (self.holders[card] >> origin) & 1:
                    self.holders[card] |= 1 << to

    def lacks(self, seat: int, cards: int) -> None:
        """A seat has shown that it holds none of these."""
        while cards:
            self.holders[bits.lowest(cards)] &= ~(1 << seat)
            cards &= cards - 1

    def hear_play(self, seat: int, card: int) -> None:
        """What a card tells of the hand it comes from (MASQ-7, MASQ-8), and where it now lies."""
        if not self.heard_trick:
            self.heard_led = MASQUERADERS << (card & 24)
        elif self.following != SUIT:
            climbing = self.heard_led & bits.beneath(self.heard_trick & self.heard_led)
            if not bits.one(card) & climbing:
                self.lacks(seat, climbing)
                if not bits.one(card) & MASQUERADERS:
                    self.lacks(seat, MASQUERADERS)
        self.holders[card] = 0
        self.heard_trick |= bits.one(card)

    def hear(self) -> None:
        kind = self.row[0]
        a = self.row[1]
        if kind == DEAL:
            self.forget()
            self.heard_trick = 0
        elif kind == HAND and a == self.seat:
            for at in range(self.row[5]):
                self.holders[self.row[6 + at]] = 1 << a
        elif kind == PLAY:
            self.hear_play(a, self.row[2])
        elif kind == GIVE:
            # MASQ-9: only who can neither follow nor mask exchanges a card
            self.lacks(a, self.heard_led | MASQUERADERS)
            self.moved(self.row[2], a, self.row[3])
        elif kind == RETURN:
            self.moved(self.row[2], a, self.row[3])
        elif kind == DECLINE:
            self.lacks(a, self.heard_led | MASQUERADERS)
        elif kind == SKIP:
            # MASQ-6, MASQ-10: who cannot lead, or still cannot play
            self.lacks(a, (ALL & ~TOO_HIGH_TO_LEAD) if self.row[2] == MASQ_6 else self.heard_led | MASQUERADERS)
        elif kind == DRAW:
            self.moved(self.row[3], self.row[2], a)
        elif kind == TAKE:
            for card in items_of(self.heard_trick):
                self.holders[card] = 1 << a
            self.heard_trick = 0

    def fields(self) -> dict[str, Any]:
        seats = range(self.players)
        order = [(self.leader + turn) % self.players for turn in seats] if self.leader >= 0 else []
        return View.fields(self) | {
            "dealer": self.dealer,
            "leader": self.leader,
            "game": self.game,
            "stage": STAGES[self.stage] if self.stage >= 0 else None,
            "hand": [CODES[card] for card in items_of(self.hand)],
            "received": [CODES[card] for card in items_of(self.gift)],
            "hand_sizes": [self.sizes[seat] for seat in seats],
            "trick": [[seat, CODES[self.laid[seat]]] for seat in order if self.laid[seat] >= 0],
            "points": [self.points[seat] for seat in seats],
            "totals": [self.totals[seat] for seat in seats],
            "games_won": [self.won[seat] for seat in seats],
            "last_winner": self.last_winner,
            "m1_was_played": bool(self.unmasked),
            "may_hold": {
                code: [seat for seat in seats if (self.holders[card] >> seat) & 1] for card, code in enumerate(CODES)
            },
        }


MASQUERADE = Game(SHEET, Masquerade, MasqueradeView, CARDS, STEPS, ENTRIES)
