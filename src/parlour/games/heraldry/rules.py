"""Heraldry (McLoughlin): 48 cards in four suits; match and combine with the cards on the table to win them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import Lots
from ...engine.bitset import items as items_of
from ...engine.bitset import union
from ...engine.core import Refusal, Seeded, State, View, steep
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry, Game
from ...engine.pack import HERALDRY as CARDS
from ...engine.pack import HERALDRY_OF_VALUE, HERALDRY_VALUES, HERALDRY_WITHIN, codes, steps
from ...sheets.model import sheet

SHEET = sheet("heraldry")
HER_3, HER_7, HER_8, HER_9, HER_10, HER_11, HER_12, HER_13, HER_14 = SHEET.numbers(
    "HER-3", "HER-7", "HER-8", "HER-9", "HER-10", "HER-11", "HER-12", "HER-13", "HER-14"
)

# HER-1: four suits of twelve; a card is 4 × rank + suit, so that cards of one value lie together.
CODES = codes(CARDS)
# HER-2: cards count by their number; Crown and Jester count ten each
VALUE = HERALDRY_VALUES
OF_VALUE = HERALDRY_OF_VALUE
# The cards whose value is in a set of sums, by that set's bits 1 to 10.
WITHIN = HERALDRY_WITHIN
DIAMONDS = union(range(3, 48, 4))
CROWNS = union(range(40, 44))
JESTER_OF_STAR = 1 << 44
WHOLE_PACK = (1 << 48) - 1
NONE = -1
GOAL = 21

STEP_TAKE, STEP_DONE = 48, 96
STEPS = [*steps("play", CODES), *steps("take", CODES), "take done"]

DEALER, DEAL, HAND, TABLE, CAPTURE, DISCARD, SWEEP, SCORE, TOTAL = range(9)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "HER-3"),
    Entry("deal", CHANCE, "cards?", "HER-3"),
    Entry("hand", TOLD, "seat! cards? clause"),
    Entry("table", TOLD, "cards clause"),
    Entry("capture", DECISION, "seat card cards", "HER-4", unordered=True, gives=1),
    Entry("discard", DECISION, "seat card", "HER-6"),
    Entry("sweep", CONSEQUENCE, "seat cards clause", unordered=True, gives=1),
    Entry("score", CONSEQUENCE, "seat points clause", gives=1),
    Entry("total", CONSEQUENCE, "scores", "HER-15"),
)

CHOOSING, DEALING, PLAYING = range(3)
PACK = 6  # a place like the six seats, for those who imagine where a card may be


def sums(cards: int) -> int:
    """The values from 1 to 10 that one or more of these cards add up to, as bits."""
    found = 1
    while cards:
        found |= (found << VALUE[bitset.lowest(cards)]) & 0x7FF
        cards &= cards - 1
    return found


class Heraldry(State):
    """One game to 21 points."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.choice = options["capture"] == "choice"
        self.fours = options["last_deal"] == "fours"
        # HER-11: the Knight of the Cross bears the number that `knight` says
        self.knight = 4 * (options["knight"] - 1) + 2
        self.twelfth = options["twelfth"] == "last_trick"
        self.scale = 8.0
        self.depth = 4
        self.hands = [0] * 6
        self.won = [0] * 6
        self.totals = [0] * 6
        self.open = 0
        self.open_sum = 0

    # the deal

    def start(self) -> None:
        self.dealer = NONE
        self.last_taker = NONE
        self.next_card = 0
        self.table = 0
        self.drop()
        for seat in range(6):
            self.hands[seat] = 0
            self.won[seat] = 0
            self.totals[seat] = 0
        # HER-3: the first dealer by chance
        self.stage = CHOOSING
        self.await_one(DEALER, bitset.one(self.players) - 1)

    def deal(self) -> None:
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
        self.table = 0
        self.next_card = 0
        self.last_taker = NONE
        for seat in range(self.players):
            self.won[seat] = 0
            self.hands[seat] = 0
        self.stage = PLAYING
        # HER-3: four to each, and four face up to the table after the hands of the first deal
        self.deal_hands(4)

    def right(self, seat: int) -> int:
        return seat - 1 if seat else self.players - 1

    def deal_hands(self, to_table: int) -> None:
        """HER-3: one at a time from the dealer's right. HER-7: four more each, until the pack is exhausted."""
        first = self.next_card == 0
        left = 48 - self.next_card - to_table
        # HER-7, last_deal: share – the last deal gives equal shares of what is left, four at most
        share = min(4, left // self.players)
        left -= share * self.players
        # HER-7: what is too little for another deal goes to the table with this one
        if left < self.players or (self.fours and left < 4 * self.players):
            to_table += left
        seat = self.dealer
        for at in range(share * self.players):
            seat = self.right(seat)
            self.hands[seat] |= bitset.one(self.pack[self.next_card])
            self.next_card += 1
        shown = 0
        for at in range(to_table):
            shown |= bitset.one(self.pack[self.next_card])
            self.next_card += 1
        self.table |= shown
        if self.journal is not None:
            for seat in range(self.players):
                self.tell(HAND, seat, HER_3 if first else HER_7, 0, 0)
                self.tell_cards(self.hands[seat])
            if shown:
                self.tell(TABLE, HER_3 if to_table == 4 else HER_7, 0, 0, 0)
                self.tell_cards(shown)
        # HER-3: the player at the dealer's right plays first
        self.seat = self.right(self.dealer)

    # the turn

    def choices(self) -> int:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.card >= 0:
            self.base = STEP_TAKE
            return self.pickable()
        hand = self.hands[self.seat]
        # HER-4: a card takes what equals its value or adds up to it. HER-6: taking is compulsory, which card takes is
        # free; only who can take nothing discards
        able = hand & WITHIN[sums(self.table) >> 1]
        return able if able else hand

    def pickable(self) -> int:
        """HER-5: the table cards that can be named next, so that every group begun can be completed."""
        rest = self.table & ~self.taken & ~self.open
        need = self.value - self.open_sum
        found = 0
        for value in range(1, need + 1):
            same = rest & OF_VALUE[value]
            if same:
                # one card of this value, and others that make up the rest
                left = rest & ~(same & (~same + 1))
                if value == need or (sums(left) >> (need - value)) & 1:
                    found |= same
        # HER-5, capture: choice – one or more groups, not all
        if self.choice and self.taken and not self.open:
            found |= bitset.one(STEP_DONE - STEP_TAKE)
        return found

    def apply(self, step: int) -> None:
        if step < STEP_TAKE:
            self.lay(step)
        elif step < STEP_DONE:
            self.pick(step - STEP_TAKE)
        else:
            self.win()

    def lay(self, card: int) -> None:
        """HER-4: one card from the hand."""
        if not (sums(self.table) >> VALUE[card]) & 1:
            # HER-6: who cannot match or combine discards
            self.moves += 1
            self.tell(DISCARD, self.seat, card, 0, 0)
            self.hands[self.seat] &= ~bitset.one(card)
            self.table |= bitset.one(card)
            self.pass_on()
            return
        self.card = card
        self.value = VALUE[card]
        self.unfinished = 1
        if not self.choice:
            # HER-5, capture: all – all of equal value
            self.taken = self.table & OF_VALUE[self.value]
            if not self.more_to_take():
                self.win()

    def pick(self, card: int) -> None:
        """HER-5: a card of the table is named; groups are made until no further one is left."""
        self.unfinished += 1
        self.open |= bitset.one(card)
        self.open_sum += VALUE[card]
        if self.open_sum == self.value:
            self.taken |= self.open
            self.open = 0
            self.open_sum = 0
            if not self.more_to_take():
                self.win()

    def more_to_take(self) -> int:
        """Whether the cards left on the table hold a further match or group."""
        rest = self.table & ~self.taken
        return (sums(rest) >> self.value) & 1

    def win(self) -> None:
        """HER-4: it wins them."""
        seat = self.seat
        self.moves += 1
        self.tell(CAPTURE, seat, self.card, 0, 0)
        self.tell_cards(self.taken)
        self.hands[seat] &= ~bitset.one(self.card)
        self.won[seat] |= self.taken | bitset.one(self.card)
        self.table &= ~self.taken
        self.last_taker = seat
        self.drop()
        self.pass_on()

    def drop(self) -> None:
        """Forget the steps of an unfinished move."""
        self.card = NONE
        self.value = 0
        self.taken = 0
        self.open = 0
        self.open_sum = 0
        self.unfinished = 0

    def pass_on(self) -> None:
        """HER-3: the turn goes on to the right; HER-7: when the hands are played there are more, or the deal ends."""
        self.seat = self.right(self.seat)
        if not self.hands[self.seat]:
            if self.next_card < 48:
                self.deal_hands(0)
            else:
                self.end_deal()

    # the count

    def end_deal(self) -> None:
        self.seat = -1
        if self.table and self.last_taker >= 0:
            # HER-8: who takes the last trick takes what is left on the table
            self.tell(SWEEP, self.last_taker, HER_8, 0, 0)
            self.tell_cards(self.table)
            self.won[self.last_taker] |= self.table
            self.table = 0
        # HER-9: most cards 3; HER-10: most Diamonds 1; equals: nobody
        self.score(self.most(WHOLE_PACK), 3, HER_9)
        self.score(self.most(DIAMONDS), 1, HER_10)
        # HER-11: the Knight of the Cross 2; HER-12: the Jester of the Star 1
        self.score(self.winner_of(bitset.one(self.knight)), 2, HER_11)
        self.score(self.winner_of(JESTER_OF_STAR), 1, HER_12)
        # HER-13: each Crown 1
        for seat in range(self.players):
            crowns = bitset.count(self.won[seat] & CROWNS)
            if crowns:
                self.score(seat, crowns, HER_13)
        if self.twelfth:
            # HER-14, twelfth: last_trick – the missing point to the last trick
            self.score(self.last_taker, 1, HER_14)
        self.tell(TOTAL, 0, 0, 0, 0)
        best = 0
        shared = 0
        for seat in range(self.players):
            self.tell_item(self.totals[seat])
            if seat == 0 or self.totals[seat] > best:
                best = self.totals[seat]
                shared = 1
            elif self.totals[seat] == best:
                shared += 1
        # HER-3: next deal the player at his right
        self.dealer = self.right(self.dealer)
        # HER-15: the highest score of 21 or more wins; if it is shared, another deal is played
        if best >= GOAL and shared == 1:
            self.over = True
        else:
            self.deal()

    def most(self, suit: int) -> int:
        """Who won most cards of a set; nobody where that is shared."""
        best = 0
        holder = NONE
        for seat in range(self.players):
            size = bitset.count(self.won[seat] & suit)
            if size > best:
                best = size
                holder = seat
            elif size == best:
                holder = NONE
        return holder

    def winner_of(self, card: int) -> int:
        for seat in range(self.players):
            if self.won[seat] & card:
                return seat
        return NONE

    def score(self, seat: int, points: int, clause: int) -> None:
        if seat >= 0:
            self.totals[seat] += points
            self.tell(SCORE, seat, points, clause, 0)

    # for players who think ahead

    def shuffle_unseen(self, luck: Seeded) -> None:
        # from the same order always, so that nothing of the true one is left
        rest = 0
        for at in range(self.next_card, 48):
            rest |= bitset.one(self.pack[at])
        for at in range(self.next_card, 48):
            self.pack[at] = bitset.lowest(rest)
            rest &= rest - 1
        for at in range(self.next_card, 47):
            other = at + luck.below(48 - at)
            held = self.pack[at]
            self.pack[at] = self.pack[other]
            self.pack[other] = held

    def gain(self, seat: int) -> float:
        return self.totals[seat]

    def hope(self, seat: int) -> float:
        if self.over:
            for other in range(self.players):
                if self.totals[other] > self.totals[seat]:
                    return 0.0
            return 1.0
        # between deals: nearer to 21 (HER-15) is better by more than in proportion
        hopes = 0.0
        for other in range(self.players):
            hopes += steep(self.totals[other] + 8)
        return steep(self.totals[seat] + 8) / hopes

    def scores(self) -> list[int]:
        return [self.totals[seat] for seat in range(self.players)]

    def winners(self) -> list[int]:
        # HER-15: the highest score
        best = max(self.scores())
        return [seat for seat in range(self.players) if self.totals[seat] == best]

    # copies, refusals, records

    def take_back(self) -> None:
        self.drop()

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places |= {f"won {seat}": items_of(self.won[seat]) for seat in range(self.players)}
        places["table"] = items_of(self.table)
        places["pack"] = [self.pack[at] for at in range(self.next_card, 48)]
        return places

    def why_not(self, step: int) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return f"There is no step {step}.", ""
        if self.card < 0:
            if step >= STEP_TAKE:
                return "Play a card from your hand first; then name what it takes.", "HER-4"
            if not self.hands[self.seat] & bitset.one(step):
                return f"You do not hold {CODES[step]}.", "HER-4"
            able = ", ".join(CODES[card] for card in items_of(self.choices()))
            return f"Only who can take nothing discards, and these can take: {able}.", "HER-6"
        if step < STEP_TAKE:
            return f"{CODES[self.card]} is being played: name what it takes, or take it back.", "HER-4"
        if step == STEP_DONE:
            if self.choice:
                return f"Finish a group that adds up to {self.value} first.", "HER-5"
            return "A card takes all that it can.", "HER-5"
        if not self.table & bitset.one(step - STEP_TAKE):
            return f"{CODES[step - STEP_TAKE]} is not on the table.", "HER-4"
        return f"With {CODES[step - STEP_TAKE]} no group can add up to {self.value}.", "HER-4"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        card = values[1]
        able = (sums(self.table) >> VALUE[card]) & 1
        if not self.hands[self.seat] & bitset.one(card):
            raise Refusal(f"{CODES[card]} is not in the hand.", "HER-4")
        if kind == "discard":
            if able:
                raise Refusal(f"{CODES[card]} can take, so it is not discarded.", "HER-6")
            return [card]
        named = union(values[2])
        if not named:
            raise Refusal(f"{CODES[card]} must take one card at least.", "HER-4")
        if len(values[2]) != bitset.count(named) or named & ~self.table:
            raise Refusal("The cards taken must lie on the table, each once.", "HER-4")
        equals = self.table & OF_VALUE[VALUE[card]]
        if not self.choice and equals & ~named:
            raise Refusal(f"{CODES[card]} takes all cards of its value.", "HER-5")
        groups = group(named & ~equals, VALUE[card])
        if groups is None:
            raise Refusal(f"These cards do not match or add up to {VALUE[card]}.", "HER-4")
        further = (sums(self.table & ~named) >> VALUE[card]) & 1
        if not self.choice:
            if further:
                raise Refusal(f"{CODES[card]} can take further cards, and takes all it can.", "HER-5")
            return [card, *[STEP_TAKE + taken for taken in groups]]
        single = [STEP_TAKE + taken for taken in items_of(named & equals)]
        return [card, *single, *[STEP_TAKE + taken for taken in groups], *([STEP_DONE] if further else [])]


def group(cards: int, value: int) -> list[int] | None:
    """An order of these cards in which they fall into groups that each add up to a value; None where there is none."""
    if cards & ~WITHIN[bitset.one(value - 1) - 1]:
        return None  # one of them is worth too much
    by_value = [items_of(cards & OF_VALUE[worth]) for worth in range(value)]
    hopeless: set[tuple[int, ...]] = set()

    def complete(counts: tuple[int, ...], need: int) -> list[int] | None:
        # the values in order, largest first within a group; `need` is what the open group still lacks
        if not any(counts):
            return [] if need in (0, value) else None
        if (*counts, need) in hopeless:
            return None
        for worth in range(min(need or value, value - 1), 0, -1):
            if counts[worth]:
                fewer = (*counts[:worth], counts[worth] - 1, *counts[worth + 1 :])
                found = complete(fewer, (need or value) - worth)
                if found is not None:
                    return [worth, *found]
        hopeless.add((*counts, need))
        return None

    order = complete(tuple(len(same) for same in by_value), value)
    if order is None:
        return None
    return [by_value[worth].pop() for worth in order]


class HeraldryView(View):
    """What a seat knows: its hand, the table, the piles won, the scores, and who can hold each card."""

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.won = [0] * 6
        self.totals = [0] * 6
        self.sizes = [0] * 6
        self.holders = [0] * 48
        self.knight = 4 * (options["knight"] - 1) + 2
        self.lots = Lots()
        self.heard_table = 0
        self.heard_seen = 0
        self.unseen()

    # looking

    def attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Heraldry):
            raise TypeError("A view looks at a state of its own game.")
        self.behind = state
        self.world = state  # type: Any

    def glance(self) -> None:
        View.glance(self)
        self.table = self.world.table
        self.hand = self.world.hands[self.seat] if self.seat >= 0 else 0
        # an unfinished move is seen by nobody else
        self.card = self.world.card if self.steps else NONE
        self.taken = self.world.taken if self.steps else 0
        self.open = self.world.open if self.steps else 0

    def look(self) -> None:
        View.look(self)
        self.dealer = self.world.dealer
        self.last_taker = self.world.last_taker
        self.pack_left = 48 - self.world.next_card
        for seat in range(self.players):
            self.won[seat] = self.world.won[seat]
            self.totals[seat] = self.world.totals[seat]
            self.sizes[seat] = bitset.count(self.world.hands[seat])

    def seen(self) -> int:
        """The cards that lie open or were won, and the hand."""
        found: int = self.hand | self.table
        for seat in range(self.players):
            found |= self.won[seat]
        return found

    def notice(self) -> None:
        for card in range(48):
            if self.hand & bitset.one(card):
                self.holders[card] = 1 << self.seat
            elif self.seen() & bitset.one(card):
                self.holders[card] = 0

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        seats = self.players
        return [
            *View.layout(self),
            *(("dealer", 1, seats), ("last_taker", 1, seats), ("hand", 1, 48), ("table", 1, 48), ("playing", 1, 48)),
            *(("taking", 1, 48), ("grouping", 1, 48), ("won", seats, 48), ("hand_sizes", 1, seats)),
            *(("totals", 1, seats), ("pack", 1, 1), ("deal", 1, 1)),
        ]

    def paint(self, page: Any, at: int) -> int:
        at = View.paint(self, page, at)
        at = encode.seat(page, at, self.dealer, self.seat, self.players)
        at = encode.seat(page, at, self.last_taker, self.seat, self.players)
        at = encode.cards(page, at, self.hand, 48)
        at = encode.cards(page, at, self.table, 48)
        at = encode.chosen(page, at, self.card, 48)
        at = encode.cards(page, at, self.taken | self.open, 48)
        at = encode.cards(page, at, self.open, 48)
        at = encode.sets(page, at, self.won, self.seat, self.players, 48)
        at = encode.each(page, at, self.sizes, self.seat, self.players, 0)
        at = encode.each(page, at, self.totals, self.seat, self.players, 0)
        at = encode.number(page, at, self.pack_left)
        return encode.number(page, at, self.deals)

    # listening

    def unseen(self) -> None:
        """New hands: every card not seen may be with everyone else (or still in the pack)."""
        for card in range(48):
            self.holders[card] = 0 if self.heard_seen & bitset.one(card) else self.others()

    def hear(self) -> None:
        kind = self.row[0]
        a = self.row[1]
        if kind == DEAL:
            self.heard_table = 0
            self.heard_seen = 0
        elif kind == HAND:
            if a == 0:
                self.unseen()
            if a == self.seat:
                for at in range(self.row[5]):
                    self.holders[self.row[6 + at]] = 1 << a
        elif kind == TABLE:
            for at in range(self.row[5]):
                self.holders[self.row[6 + at]] = 0
                self.heard_table |= bitset.one(self.row[6 + at])
            self.heard_seen |= self.heard_table
        elif kind == DISCARD:
            # HER-6: who discards holds nothing that could have taken
            self.holders[self.row[2]] = 0
            can = sums(self.heard_table)
            for card in range(48):
                if (can >> VALUE[card]) & 1:
                    self.holders[card] &= ~(1 << a)
            self.heard_table |= bitset.one(self.row[2])
            self.heard_seen |= bitset.one(self.row[2])
        elif kind == CAPTURE:
            self.holders[self.row[2]] = 0
            self.heard_seen |= bitset.one(self.row[2])
            for at in range(self.row[5]):
                self.heard_table &= ~bitset.one(self.row[6 + at])

    # imagining

    def new_world(self) -> State:
        return Heraldry(self.players, self.options)

    def prepare(self) -> None:
        self.lots.clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        self.lots.room[PACK] = self.pack_left
        for card in range(48):
            if not self.seen() & bitset.one(card):
                self.lots.add(card, self.holders[card] | 1 << PACK)
        self.lots.prepare()

    def imagine(self, luck: Seeded) -> int:
        if self.to_act < 0 or not self.lots.cast(luck):
            return False
        self.set_out()
        self.world.stage = PLAYING
        self.world.dealer = self.dealer
        self.world.last_taker = self.last_taker
        self.world.next_card = 48 - self.pack_left
        self.world.table = self.table
        self.world.card = self.card
        self.world.value = VALUE[self.card] if self.card >= 0 else 0
        self.world.taken = self.taken
        self.world.open = self.open
        self.world.open_sum = 0
        rest = self.open
        while rest:
            self.world.open_sum += VALUE[bitset.lowest(rest)]
            rest &= rest - 1
        for seat in range(self.players):
            self.world.won[seat] = self.won[seat]
            self.world.totals[seat] = self.totals[seat]
            self.world.hands[seat] = self.lots.got[seat]
        if self.seat >= 0:
            self.world.hands[self.seat] = self.hand
        rest = self.lots.got[PACK]
        for at in range(self.world.next_card, 48):
            self.world.pack[at] = bitset.lowest(rest)
            rest &= rest - 1
        self.world.shuffle_unseen(luck)
        return True

    # the rules of thumb

    def worth(self, cards: int) -> int:
        """What it is worth to win some cards, in tenths of a point."""
        return (
            2 * bitset.count(cards)
            + bitset.count(cards & DIAMONDS)
            + 10 * bitset.count(cards & (CROWNS | JESTER_OF_STAR))
            + 20 * bitset.count(cards & bitset.one(self.knight))
        )

    def thumb(self, luck: Seeded) -> int:
        if self.card >= 0:
            return STEP_TAKE + self.thumb_take()
        best = 0
        most = -1000
        rest = self.steps
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            equals = self.table & OF_VALUE[VALUE[card]]
            below = self.table & WITHIN[bitset.one(VALUE[card] - 1) - 1]
            worth = self.worth(bitset.one(card))
            if equals:
                # HER-4: win what the card matches, and what combines with it
                worth += self.worth(equals)
                if (sums(below) >> VALUE[card]) & 1:
                    worth += 4
            elif (sums(below) >> VALUE[card]) & 1:
                worth += 2 + self.worth(below) // 2
            else:
                # HER-6: lay down what is least, and of that the card that fits into the fewest sums
                worth = VALUE[card] - 3 * worth if VALUE[card] < 10 else -3 * worth
            if worth > most:
                most = worth
                best = card
        return best

    def thumb_take(self) -> int:
        """HER-5: the card that is worth most; among equals the lowest, which leaves room for more."""
        best = STEP_DONE - STEP_TAKE
        most = -1000
        rest = self.steps & ~bitset.one(STEP_DONE - STEP_TAKE)
        while rest:
            card = bitset.lowest(rest)
            rest &= rest - 1
            if self.worth(bitset.one(card)) > most:
                most = self.worth(bitset.one(card))
                best = card
        return best

    def fields(self) -> dict[str, Any]:
        seats = range(self.players)
        return View.fields(self) | {
            "dealer": self.dealer,
            "deal": self.deals,
            "pack": self.pack_left,
            "hand": [CODES[card] for card in items_of(self.hand)],
            "hand_sizes": [self.sizes[seat] for seat in seats],
            "table": [CODES[card] for card in items_of(self.table)],
            "playing": CODES[self.card] if self.card >= 0 else None,
            "taking": [CODES[card] for card in items_of(self.taken | self.open)],
            "grouping": [CODES[card] for card in items_of(self.open)],
            "won": [[CODES[card] for card in items_of(self.won[seat])] for seat in seats],
            "last_taker": self.last_taker,
            "totals": [self.totals[seat] for seat in seats],
            "may_hold": {
                code: [seat for seat in seats if (self.holders[card] >> seat) & 1] for card, code in enumerate(CODES)
            },
        }


HERALDRY = Game(SHEET, Heraldry, HeraldryView, CARDS, STEPS, ENTRIES)
