"""The Masquerade Game (W. F. Balch; Charles Magnus, New York): 32 characters in masks, four or eight players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import Cloud, Lots
from ...engine.bitset import items as items_of
from ...engine.core import Seeded, State, View, steep
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry, Game
from ...engine.pack import MASQUERADE as CARDS
from ...engine.pack import codes, steps
from ...sheets.model import sheet

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
    Entry("give", DECISION, "seat! card? +seat!", "MASQ-9"),
    Entry("decline", DECISION, "seat", "MASQ-9"),
    Entry("draw", CHANCE, "seat! seat! card? +clause", "MASQ-12"),
    Entry("return", DECISION, "seat! card? +seat!", "MASQ-9"),
    Entry("skip", CONSEQUENCE, "seat clause"),
    Entry("take", CONSEQUENCE, "seat clause"),
    Entry("score", CONSEQUENCE, "seat points clause"),
    Entry("game", CONSEQUENCE, "seat", "MASQ-20"),
)

TRICK, HELD = 8, 9  # places beside the eight hands, for those who imagine where a card may be

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
        self.scale = 10.0
        # what is further ahead is luck: every trick scatters the cards anew (MASQ-12)
        self.horizon = 5 * players
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
        self.begin_deal()
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
            self.hands[seat] |= bitset.one(self.pack[at])
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
        climbing = hand & suit & bitset.beneath(self.trick & suit)
        if climbing:
            if self.following == STRICT:
                # MASQ-7, following: strict – the very next above the last card, where it climbs
                following = (bitset.one(self.last) >> 1) & climbing
                return following if following and bitset.one(self.last) & suit else climbing
            return climbing
        # MASQ-8: else a Masquerader – following: strict – his lowest
        if masks:
            if self.following == STRICT:
                return bitset.one(bitset.nth(masks, bitset.count(masks) - 1))
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
            return self.hands[self.seat] | bitset.one(STEP_DECLINE - STEP_GIVE)
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
        self.gift = bitset.one(card)
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
        self.hands[seat] &= ~bitset.one(card)
        self.hands[self.actor] |= bitset.one(card)
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
        climbs = bitset.one(card) & suit & bitset.beneath(self.trick & suit)
        return MASQ_7 if climbs or self.following == SUIT else MASQ_8

    def lay(self, card: int) -> None:
        seat = self.actor
        if self.journal is not None:
            self.tell(PLAY, seat, card, self.asked(card), 0)
        self.hands[seat] &= ~bitset.one(card)
        self.trick |= bitset.one(card)
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
        return self.last == bitset.lowest(top)

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
        self.hands[self.taker] &= ~bitset.one(self.drawn)
        self.hands[self.drawer] |= bitset.one(self.drawn)
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

    # for players who think ahead

    def gain(self, seat: int) -> float:
        return self.totals[seat] + self.points[seat]

    def hope(self, seat: int) -> float:
        if self.over:
            # MASQ-20: most games, then most points, then the last game's winner
            for other in range(self.players):
                if self.won[other] > self.won[seat]:
                    return 0.0
                if self.won[other] == self.won[seat]:
                    if self.totals[other] > self.totals[seat]:
                        return 0.0
                    if self.totals[other] == self.totals[seat] and other == self.last_winner != seat:
                        return 0.0
            return 1.0
        # someone wins this game, as the points stand; the sitting goes to one of those who are then ahead in games
        hopes = 0.0
        mine = 0.0
        for winner in range(self.players):
            chance = steep(self.points[winner] + 8)
            hopes += chance
            mine += chance * self.share(seat, winner)
        return mine / hopes

    def share(self, seat: int, winner: int) -> float:
        """The chance that a seat wins the sitting once a seat has won this game: each game fewer leaves a quarter."""
        if self.games == 1:
            return 1.0 if seat == winner else 0.0
        behind = 0.25 if self.game + 1 < self.games else 0.0  # after the last game nobody catches up
        most = self.won[winner] + 1
        for other in range(self.players):
            most = max(most, self.won[other])
        shares = 0.0
        for other in range(self.players):
            shares += behind ** (most - self.won[other] - (other == winner))
        mine: float = behind ** (most - self.won[seat] - (seat == winner))
        return mine / shares

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
            if step >= STEP_RETURN and bitset.one(step - STEP_RETURN) == self.gift:
                return "The card just received is not the one to give back.", "MASQ-9"
            return "A card is owed for the one received: give one of your own.", "MASQ-9"
        if step >= STEP_GIVE:
            return "An exchange is only for who can neither follow suit nor play a Masquerader.", "MASQ-9"
        if not hand & bitset.one(step):
            return f"You do not hold {CODES[step]}.", "MASQ-5"
        if self.stage == LEADING:
            return "Masqueraders No. 1 to No. 4 may not be led.", "MASQ-6"
        able = " or ".join(CODES[card] for card in items_of(self.ready))
        if self.following == SUIT:
            return f"Follow with the suit led or a Masquerader: {able}.", "MASQ-7"
        asked = self.asked(bitset.lowest(self.ready))
        if asked == MASQ_7:
            which = "the very next in rank" if self.following == STRICT and bitset.count(self.ready) == 1 else "a card"
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
        self.courtesy = options["exchange"] == "courtesy"
        self.lots = Lots()
        self.clouded = False
        self.cloud = None  # type: Any
        self.heard_trick = 0
        self.heard_led = 0  # the suit led, as a set
        self.heard_laid = [NONE] * 8
        self.heard_last = 0
        self.drawer = NONE  # who has drawn, where it is not yet told whether it was his own card
        self.drawn_from = NONE
        self.forget()

    # looking

    def attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Masquerade):
            raise TypeError("A view looks at a state of its own game.")
        self.behind = state
        self.world = state  # type: Any

    def glance(self) -> None:
        View.glance(self)
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

    def look(self) -> None:
        View.look(self)
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

    def notice(self) -> None:
        if self.drawer >= 0:
            self.settle_draw(False)
        for card in range(32):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        seats = self.players
        return [
            *View.layout(self),
            *(("stage", 1, len(STAGES)), ("dealer", 1, seats), ("leader", 1, seats), ("actor", 1, seats)),
            *(("hand", 1, 32), ("received", 1, 32), ("laid", seats, 32), ("hand_sizes", 1, seats)),
            *(("points", 1, seats), ("totals", 1, seats), ("games_won", 1, seats), ("game", 1, 1)),
            *(("last_winner", 1, seats), ("m1_was_played", 1, 1)),
        ]

    def paint(self, page: Any, at: int) -> int:
        at = View.paint(self, page, at)
        at = encode.chosen(page, at, self.stage, 8)
        at = encode.seat(page, at, self.dealer, self.seat, self.players)
        at = encode.seat(page, at, self.leader, self.seat, self.players)
        at = encode.seat(page, at, self.actor, self.seat, self.players)
        at = encode.cards(page, at, self.hand, 32)
        at = encode.cards(page, at, self.gift, 32)
        at = encode.rows(page, at, self.laid, self.seat, self.players, 32)
        at = encode.each(page, at, self.sizes, self.seat, self.players, 0)
        at = encode.each(page, at, self.points, self.seat, self.players, 0)
        at = encode.each(page, at, self.totals, self.seat, self.players, 0)
        at = encode.each(page, at, self.won, self.seat, self.players, 0)
        at = encode.number(page, at, self.game)
        at = encode.seat(page, at, self.last_winner, self.seat, self.players)
        return encode.number(page, at, self.unmasked)

    # listening

    def attend(self, trusting: bool = False) -> None:
        View.attend(self, trusting)
        if self.cloud is None and self.seat >= 0:
            self.cloud = Cloud(list(range(32)), self.seat, 3)

    def forget(self) -> None:
        """A new deal: every card may be with everyone else."""
        for card in range(32):
            self.holders[card] = self.others()

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
        if self.cloud is not None:
            self.cloud.lacks(seat, cards)
        while cards:
            self.holders[bitset.lowest(cards)] &= ~(1 << seat)
            cards &= cards - 1

    def pass_one(self, card: int, origin: int, to: int) -> None:
        """In the cloud, a card goes from place to place, seen or not."""
        if card >= 0:
            self.cloud.see(card, origin, to, to != HELD)
        else:
            self.cloud.move_one(origin, to, 0)

    def hear_play(self, seat: int, card: int) -> None:
        """What a card tells of the hand it comes from (MASQ-7, MASQ-8), and where it now lies."""
        if not self.heard_trick:
            self.heard_led = MASQUERADERS << (card & 24)
        elif self.following != SUIT:
            climbing = self.heard_led & bitset.beneath(self.heard_trick & self.heard_led)
            if not bitset.one(card) & climbing:
                self.lacks(seat, climbing)
                if not bitset.one(card) & MASQUERADERS:
                    self.lacks(seat, MASQUERADERS)
                elif self.following == STRICT:
                    # MASQ-8, following: strict – it was his lowest
                    self.lacks(seat, MASQUERADERS & ~(bitset.one(card + 1) - 1))
            elif self.following == STRICT and bitset.one(self.heard_last) & self.heard_led:
                # MASQ-7, following: strict – the very next, if he had it
                self.lacks(seat, (bitset.one(self.heard_last) >> 1) & climbing & ~bitset.one(card))
        self.holders[card] = 0
        self.heard_trick |= bitset.one(card)
        self.heard_laid[seat] = card
        self.heard_last = card

    def hear(self) -> None:
        kind = self.row[0]
        a = self.row[1]
        if self.drawer >= 0:
            self.settle_draw(kind == SCORE and self.row[3] == MASQ_13 and a == self.drawer)
        if kind == DEAL:
            self.forget()
            self.heard_trick = 0
        elif kind == HAND and a == self.seat:
            held = 0
            for at in range(self.row[5]):
                self.holders[self.row[6 + at]] = 1 << a
                held |= bitset.one(self.row[6 + at])
            if self.cloud is not None:
                self.cloud.scatter(held, self.players, 32 // self.players, TRICK)
        elif kind == PLAY:
            if self.cloud is not None:
                self.cloud.see(self.row[2], a, TRICK, False)
            self.hear_play(a, self.row[2])
        elif kind == GIVE:
            # MASQ-9: only who can neither follow nor mask exchanges a card
            self.lacks(a, self.heard_led | MASQUERADERS)
            self.moved(self.row[2], a, self.row[3])
            if self.cloud is not None:
                self.pass_one(self.row[2], a, HELD)
        elif kind == RETURN or (kind == DRAW and self.row[4] == MASQ_9):
            # MASQ-9: the one that comes back is of the neighbour's hand as it was before the gift
            giver = self.row[3] if kind == RETURN else a
            neighbour = a if kind == RETURN else self.row[2]
            card = self.row[2] if kind == RETURN else self.row[3]
            self.moved(card, neighbour, giver)
            if self.cloud is not None:
                self.pass_one(card, neighbour, giver)
                self.cloud.move_all(HELD, neighbour)
        elif kind == DECLINE:
            self.lacks(a, self.heard_led | MASQUERADERS)
        elif kind == SKIP:
            # MASQ-6, MASQ-10: who cannot lead, or still cannot play
            self.lacks(a, (ALL & ~TOO_HIGH_TO_LEAD) if self.row[2] == MASQ_6 else self.heard_led | MASQUERADERS)
        elif kind == DRAW:
            if self.row[3] >= 0:
                self.moved(self.row[3], self.row[2], a)
                if self.cloud is not None:
                    self.pass_one(self.row[3], self.row[2], a)
            else:
                # MASQ-13: whether it was his own card is told by what follows
                self.drawer = a
                self.drawn_from = self.row[2]
        elif kind == TAKE:
            for card in range(32):
                if self.heard_trick & bitset.one(card):
                    self.holders[card] = 1 << a
            self.heard_trick = 0
            if self.cloud is not None:
                self.cloud.move_all(TRICK, a)
        if self.cloud is not None and not self.cloud.lost:
            self.cloud.settle()

    def settle_draw(self, own: int) -> None:
        """MASQ-13: who drew unseen has drawn his own card, and scored for it, or another."""
        card = self.heard_laid[self.drawer]
        known = bitset.one(card) if card >= 0 else 0
        self.moved(card if own else NONE, self.drawn_from, self.drawer)
        if known and not own:
            self.holders[card] &= ~(1 << self.drawer)
        if self.cloud is not None:
            if own and known:
                self.cloud.see(card, self.drawn_from, self.drawer, True)
            else:
                self.cloud.move_one(self.drawn_from, self.drawer, known)
                self.cloud.lacks(self.drawer, known)
            if not self.cloud.lost:
                self.cloud.settle()
        self.drawer = NONE

    # imagining

    def new_world(self) -> State:
        return Masquerade(self.players, self.options)

    def prepare(self) -> None:
        self.lots.clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        for card in range(32):
            if not (self.hand | self.trick) & bitset.one(card):
                self.lots.add(card, self.holders[card] & self.others())
        self.lots.prepare()

    def imagine(self, luck: Seeded) -> int:
        if self.to_act < 0:
            return False
        self.set_out()
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
            if not self.imagine_hands(luck, attempt):
                return False
            if self.clouded and not self.believed():
                continue
            # who is to act can do so; whether he must exchange depends on the hand
            if self.to_act == self.seat:
                self.world.stage = self.stage
                self.world.ready = self.steps if self.stage < EXCHANGING else 0
                return True
            if self.to_act != self.actor:
                self.world.stage = RETURNING
                held = self.cloud.picked(HELD) if self.clouded else 0
                if not held:
                    held = self.world.hands[self.to_act]
                self.world.gift = bitset.one(bitset.nth(held, luck.below(bitset.count(held))))
                return True
            if self.turns:
                self.world.turn(self.to_act)
                return True
            self.world.stage = LEADING
            self.world.ready = self.world.hands[self.to_act] & ~TOO_HIGH_TO_LEAD
            if self.world.ready:
                return True
        return False

    def believed(self) -> int:
        """Whether every card is where it can be."""
        for seat in range(self.players):
            rest = self.world.hands[seat]
            while rest:
                if not (self.holders[bitset.lowest(rest)] >> seat) & 1:
                    return False
                rest &= rest - 1
        return True

    def imagine_hands(self, luck: Seeded, attempt: int) -> int:
        """The other hands: as the cloud has them, or else any that agree with who can hold each card."""
        self.clouded = self.cloud is not None and not self.cloud.lost and attempt < 10
        if self.clouded:
            self.cloud.pick(luck)
            for seat in range(self.players):
                self.world.hands[seat] = self.cloud.picked(seat) & ~self.hand
            if self.to_act != self.actor:
                # a gift that was not yet answered
                self.world.hands[self.to_act] = self.world.hands[self.to_act] | self.cloud.picked(HELD)
        else:
            if not self.lots.cast(luck):
                return False
            for seat in range(self.players):
                self.world.hands[seat] = self.lots.got[seat]
        if self.seat >= 0:
            self.world.hands[self.seat] = self.hand
        return True

    # the rules of thumb

    def thumb(self, luck: Seeded) -> int:
        if self.stage == RETURNING:
            return STEP_RETURN + self.least(self.hand & ~self.gift)
        if self.stage == EXCHANGING:
            # MASQ-17: an exchange gives the neighbour a point and is worth it, unless he chooses, or wins by it
            if not self.courtesy and self.next_points < GOAL - 1:
                return STEP_GIVE + self.least(self.hand)
            return STEP_DECLINE
        best = 0
        most = -1000
        rest = self.steps
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            worth = self.worth(card)
            if worth > most:
                most = worth
                best = card
        return best

    def least(self, cards: int) -> int:
        """The card to be spared: the lowest of the suits that cannot mask."""
        return bitset.highest(cards)

    def worth(self, card: int) -> int:
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
