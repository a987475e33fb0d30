"""Heraldry (McLoughlin): 48 cards in four suits; win the cards on the table that match yours or add up to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode, turns
from ...engine.bitset import items as items_of
from ...engine.bitset import union
from ...engine.core import Seeded, State, emphasise
from ...engine.errors import Refusal
from ...engine.messages import say
from ...engine.types import Card, Cards, Clause, Points, Seat, Step, Steps
from . import pack
from .notation import (
    CAPTURE,
    CHOOSING,
    CODES,
    CROWNS,
    DEAL,
    DEALER,
    DEALING,
    DIAMONDS,
    DISCARD,
    GOAL,
    HAND,
    HER_3,
    HER_7,
    HER_8,
    HER_9,
    HER_10,
    HER_11,
    HER_12,
    HER_13,
    HER_14,
    JESTER_OF_STAR,
    NONE,
    PLAYING,
    SCORE,
    SHEET,
    STEP_DONE,
    STEP_LAY,
    STEP_TAKE,
    STEPS,
    SWEEP,
    TABLE,
    TOTAL,
    WHOLE_PACK,
    knight_of,
)

OF_VALUE = pack.OF_VALUE
VALUE = pack.VALUES
WITHIN = pack.WITHIN


def sums(cards: Cards) -> int:
    """HER-2: the values from 1 to 10 that one or more of these cards add up to, as bits."""
    found = 1
    while cards:
        found |= (found << VALUE[bitset.lowest(cards)]) & 0x7FF
        cards &= cards - 1
    return found


class Heraldry(State):
    """One game to 21 points."""

    HIDDEN = (("pack", 48, "the cards still to be dealt, in order, numbered from 1; 0 for none"),)

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.goal = GOAL  # HER-15: the points that end the game
        self.choice = options["capture"] == "choice"  # HER-5: a player may take one or more groups, not all
        self.fours = options["last_deal"] == "fours"  # HER-7: hands are dealt only while there are four for everyone
        self.knight = knight_of(options)  # HER-11: the card that is the Knight of the Cross
        self.twelfth = options["twelfth"] == "last_trick"  # HER-14: the last trick scores a point
        self.sweeping = options["twelfth"] == "sweep"  # HER-14: each capture that clears the table scores a point
        self.in_order = options["first"] == "order"  # HER-15: the first to reach 21 in the order of the count wins
        self.free = options["discard"] == "free"  # HER-6: any card may be discarded, also one that could take
        self.deal_limit = options["deal_limit"]  # HER-16: the deals after which the game ends; 0 is no limit
        self.hands = [0] * 6  # by seat: the cards in hand
        self.won = [0] * 6  # by seat: the cards won in this deal
        self.totals = [0] * 6  # by seat: the score
        self.sweeps = [0] * 6  # by seat: the captures of this deal that left no card on the table
        self.open = 0
        self.open_sum = 0

    # the deal

    def _start(self) -> None:
        self.dealer = NONE  # the seat that deals
        self.last_taker = NONE  # the seat that took last in this deal
        self.next_card = 0  # the place in the pack of the next card to be dealt
        self.table = 0  # the cards on the table
        self.winner = NONE  # the seat that was the first to reach 21 in the order of the count
        self._drop()
        for seat in range(6):
            self.hands[seat] = 0
            self.won[seat] = 0
            self.totals[seat] = 0
            self.sweeps[seat] = 0
        # HER-3: the first dealer is found by chance
        self.stage = CHOOSING  # the stage of the game: choosing the dealer, dealing or playing
        self._await_one(DEALER, bitset.one(self.players) - 1)

    def _receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self._tell(DEALER, self.dealer, 0, 0, 0)
            self._deal()
        else:
            self._dealt()

    def _deal(self) -> None:
        """HER-1: the whole pack is shuffled for each deal."""
        self.stage = DEALING
        self._begin_deal()
        self._await_deal(DEAL, 48, 48)

    def _dealt(self) -> None:
        self._tell(DEAL, 0, 0, 0, 0)
        self._tell_pack(48)
        self.table = 0
        self.next_card = 0
        self.last_taker = NONE
        for seat in range(self.players):
            self.won[seat] = 0
            self.hands[seat] = 0
            self.sweeps[seat] = 0
        self.stage = PLAYING
        # HER-3: four cards to each player, and then four face up to the table
        self._deal_hands(4)

    def _deal_hands(self, to_table: int) -> None:
        """HER-3: deal one card at a time from the dealer's right. HER-7: four more each, until the pack is used up."""
        first = self.next_card == 0
        left = 48 - self.next_card - to_table
        # HER-7, last_deal: share – the last deal gives equal shares of the cards left, four at most
        share = min(4, left // self.players)
        left -= share * self.players
        # HER-7: cards too few for another deal go to the table with this one
        if left < self.players or (self.fours and left < 4 * self.players):
            to_table += left
        seat = self.dealer
        for at in range(share * self.players):
            seat = turns.right(seat, self.players)
            self.hands[seat] |= bitset.one(self._pack[self.next_card])
            self.next_card += 1
        shown = 0
        for at in range(to_table):
            shown |= bitset.one(self._pack[self.next_card])
            self.next_card += 1
        self.table |= shown
        if self.journal is not None:
            for seat in range(self.players):
                self._tell(HAND, seat, HER_3 if first else HER_7, 0, 0)
                self._tell_cards(self.hands[seat])
            if shown:
                self._tell(TABLE, HER_3 if to_table == 4 else HER_7, 0, 0, 0)
                self._tell_cards(shown)
        # HER-3: the player at the dealer's right plays first
        self.seat = turns.right(self.dealer, self.players)

    def _encode_hidden(self, buffer: Any, at: int) -> int:
        for place in range(self.next_card, 48):
            encode.number(buffer, at + place - self.next_card, self._pack[place] + 1)
        return at + 48

    # the turn

    def _choices(self) -> Steps:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.card >= 0:
            self.base = STEP_TAKE
            return self._pickable()
        hand = self.hands[self.seat]
        if self.free:
            return hand  # HER-6, discard: free – any card may be played, to take with it or to discard it
        # HER-4: a card takes those that equal its value or add up to it. HER-6, discard: unable – a player who can take
        # must, with a card of their choice; only a player who can take nothing discards
        able = hand & WITHIN[sums(self.table) >> 1]
        return able if able else hand

    def _pickable(self) -> Cards:
        """HER-5: the cards on the table that can be named next, so that every group begun can be completed."""
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
        # HER-5, capture: choice – one or more groups, not necessarily all
        if self.choice and self.taken and not self.open:
            found |= bitset.one(STEP_DONE - STEP_TAKE)
        if self.free and self.unfinished == 1:
            # HER-6, discard: free – a card that could take may be laid on the table instead
            found |= bitset.one(STEP_LAY - STEP_TAKE)
            if not self.choice and not self._more_to_take():
                found |= bitset.one(STEP_DONE - STEP_TAKE)
        return found

    def _apply(self, step: Step) -> None:
        if step < STEP_TAKE:
            self._lay(step)
        elif step < STEP_DONE:
            self._pick(step - STEP_TAKE)
        elif step == STEP_DONE:
            self._win()
        else:
            self._discard(self.card)

    def _lay(self, card: Card) -> None:
        """HER-4: play one card from the hand."""
        if not (sums(self.table) >> VALUE[card]) & 1:
            # HER-6: a card that cannot match or combine is discarded
            self._discard(card)
            return
        self.card = card
        self.value = VALUE[card]
        self.unfinished = 1
        if not self.choice:
            # HER-5, capture: all – it takes all cards of equal value
            self.taken = self.table & OF_VALUE[self.value]
            if not self.free and not self._more_to_take():
                self._win()

    def _discard(self, card: Card) -> None:
        """HER-6: lay a card from the hand on the table."""
        self.moves += 1
        self._tell(DISCARD, self.seat, card, 0, 0)
        self.hands[self.seat] &= ~bitset.one(card)
        self.table |= bitset.one(card)
        self._drop()
        self._pass_on()

    def _pick(self, card: Card) -> None:
        """HER-5: name a card on the table; groups are completed until no further one is left."""
        self.unfinished += 1
        self.open |= bitset.one(card)
        self.open_sum += VALUE[card]
        if self.open_sum == self.value:
            self.taken |= self.open
            self.open = 0
            self.open_sum = 0
            if not self._more_to_take():
                self._win()

    def _more_to_take(self) -> bool:
        """Whether the cards left on the table contain a further match or group."""
        rest = self.table & ~self.taken
        return (sums(rest) >> self.value) & 1 != 0

    def _win(self) -> None:
        """HER-4: the card wins those that it takes."""
        seat = self.seat
        self.moves += 1
        self._tell(CAPTURE, seat, self.card, 0, 0)
        self._tell_cards(self.taken)
        self.hands[seat] &= ~bitset.one(self.card)
        self.won[seat] |= self.taken | bitset.one(self.card)
        self.table &= ~self.taken
        self.last_taker = seat
        if self.sweeping and not self.table:
            self.sweeps[seat] += 1  # HER-14, twelfth: sweep – counted at the end of the deal
        self._drop()
        self._pass_on()

    def _drop(self) -> None:
        """Forget the steps of an unfinished move."""
        self.card = NONE  # the card being played, in an unfinished move
        self.value = 0  # its value
        self.taken = 0  # the cards that it takes, in whole groups
        self.open = 0  # the cards named of a group that is not yet whole,
        self.open_sum = 0  # and their sum
        self.unfinished = 0

    def _pass_on(self) -> None:
        """HER-3: pass the turn to the right. HER-7: once the hands are played, deal more cards or end the deal."""
        self.seat = turns.right(self.seat, self.players)
        if not self.hands[self.seat]:
            if self.next_card < 48:
                self._deal_hands(0)
            else:
                self._end_deal()

    # the score

    def _end_deal(self) -> None:
        """HER-8 to HER-14: count the deal. HER-15: end the game, or deal again."""
        self.seat = -1
        if self.table and self.last_taker >= 0:
            # HER-8: the player who took the last trick takes the cards left on the table
            self._tell(SWEEP, self.last_taker, HER_8, 0, 0)
            self._tell_cards(self.table)
            self.won[self.last_taker] |= self.table
            self.table = 0
        # HER-9: most cards score 3; HER-10: most Diamonds score 1; in a tie nobody scores
        self._score(self._most(WHOLE_PACK), 3, HER_9)
        self._score(self._most(DIAMONDS), 1, HER_10)
        # HER-11: the Knight of the Cross scores 2; HER-12: the Jester of the Star scores 1
        self._score(self._winner_of(bitset.one(self.knight)), 2, HER_11)
        self._score(self._winner_of(JESTER_OF_STAR), 1, HER_12)
        # HER-13: each Crown scores 1
        for seat in range(self.players):
            crowns = bitset.count(self.won[seat] & CROWNS)
            if crowns:
                self._score(seat, crowns, HER_13)
        if self.twelfth:
            # HER-14, twelfth: last_trick – the missing point goes to the last trick
            self._score(self.last_taker, 1, HER_14)
        for seat in range(self.players):
            if self.sweeps[seat]:
                # HER-14, twelfth: sweep – 1 for each capture that left no card on the table
                self._score(seat, self.sweeps[seat], HER_14)
        self._tell(TOTAL, 0, 0, 0, 0)
        best = 0
        shared = 0
        for seat in range(self.players):
            self._tell_item(self.totals[seat])
            if seat == 0 or self.totals[seat] > best:
                best = self.totals[seat]
                shared = 1
            elif self.totals[seat] == best:
                shared += 1
        # HER-3: the next dealer is the player at the dealer's right
        self.dealer = turns.right(self.dealer, self.players)
        # HER-15: the highest score of 21 or more wins; if it is shared, another deal is played
        if best >= GOAL and (shared == 1 or self.in_order):
            self.over = True
        elif self.deals == self.deal_limit:
            # HER-16: the deal limit ends the game too
            self.over = True
            self.cut = True
        else:
            self._deal()

    def _most(self, suit: Cards) -> Seat:
        """The seat that won most cards of a set; none in a tie."""
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

    def _winner_of(self, card: Cards) -> Seat:
        """The seat that won a card (given as a set of one), or none."""
        for seat in range(self.players):
            if self.won[seat] & card:
                return seat
        return NONE

    def _score(self, seat: Seat, points: Points, clause: Clause) -> None:
        if seat >= 0:
            self.totals[seat] += points
            self._tell(SCORE, seat, points, clause, 0)
            if self.in_order and self.winner < 0 and self.totals[seat] >= GOAL:
                self.winner = seat  # HER-15, first: order – the first to reach 21 wins, whatever is counted after

    # the end

    def _score_of(self, seat: Seat) -> float:
        return self.totals[seat]  # HER-15, HER-16: the highest score wins; equal scores share

    def _has_won(self, seat: Seat) -> bool:
        # HER-15, first: order – a higher score that came later in the count does not win
        return seat == self.winner if self.winner >= 0 else State._has_won(self, seat)

    # for search

    def _shuffle_unseen(self, luck: Seeded) -> None:
        # sort them first, so that nothing of the true order is left
        rest = 0
        for at in range(self.next_card, 48):
            rest |= bitset.one(self._pack[at])
        for at in range(self.next_card, 48):
            self._pack[at] = bitset.lowest(rest)
            rest &= rest - 1
        for at in range(self.next_card, 47):
            other = at + luck._below(48 - at)
            held = self._pack[at]
            self._pack[at] = self._pack[other]
            self._pack[other] = held

    def _forecast(self, seat: Seat) -> float:
        # being nearer to 21 (HER-15) raises the chance to win by more than in proportion
        chances = 0.0
        for other in range(self.players):
            chances += emphasise(self.totals[other] + 8)
        return emphasise(self.totals[seat] + 8) / chances

    # refusals and records

    def take_back(self) -> None:
        self._drop()

    def where(self) -> dict[str, list[Card]]:
        places = {f"hand {seat}": items_of(self.hands[seat]) for seat in range(self.players)}
        places |= {f"won {seat}": items_of(self.won[seat]) for seat in range(self.players)}
        places["table"] = items_of(self.table)
        places["pack"] = [self._pack[at] for at in range(self.next_card, 48)]
        return places

    def why_not(self, step: Step) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return say("no step", "There is no step {step:text}.", step=step), ""
        if self.card < 0:
            if step >= STEP_TAKE:
                return say("play first", "Play a card from your hand first; then name what it takes."), "HER-4"
            if not self.hands[self.seat] & bitset.one(step):
                return say("not held", "You do not hold {card}.", card=CODES[step]), "HER-4"
            able = [CODES[card] for card in items_of(self._choices())]  # HER-6, discard: unable
            how = "You may lay a card down only if none of yours can take. Take with {able:cards any}."
            return say("take", how, able=able), "HER-6"
        if step < STEP_TAKE:
            how = "{card} is being played: name what it takes, or take it back."
            return say("name what", how, card=CODES[self.card]), "HER-4"
        if step == STEP_DONE:
            if self.choice:
                return say("finish", "Finish a group that adds up to {value} first.", value=self.value), "HER-5"
            return say("all", "A card takes all that it can."), "HER-5"
        if step == STEP_LAY:
            if self.free:
                how = "{card} takes already. Take it back first if you want to lay it on the table."
                return say("taking", how, card=CODES[self.card]), "HER-6"
            how = "{card} can take, so you may not lay it on the table."
            return say("may not lay", how, card=CODES[self.card]), "HER-6"
        if not self.table & bitset.one(step - STEP_TAKE):
            return say("not there", "{card} is not on the table.", card=CODES[step - STEP_TAKE]), "HER-4"
        how = "With {card} no group can add up to {value}."
        return say("no group", how, card=CODES[step - STEP_TAKE], value=self.value), "HER-4"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        card = values[1]
        able = (sums(self.table) >> VALUE[card]) & 1
        if not self.hands[self.seat] & bitset.one(card):
            raise Refusal(say("not in hand", "{card} is not in the hand.", card=CODES[card]), "HER-4")
        if kind == "discard":
            if able and not self.free:
                raise Refusal(say("can take", "{card} can take, so it is not discarded.", card=CODES[card]), "HER-6")
            return [card, STEP_LAY] if able else [card]
        named = union(values[2])
        if not named:
            raise Refusal(say("take one", "{card} must take one card at least.", card=CODES[card]), "HER-4")
        if len(values[2]) != bitset.count(named) or named & ~self.table:
            raise Refusal(say("each once", "The cards taken must lie on the table, each once."), "HER-4")
        equals = self.table & OF_VALUE[VALUE[card]]
        if not self.choice and equals & ~named:
            raise Refusal(say("equals", "{card} takes all cards of its value.", card=CODES[card]), "HER-5")
        groups = group(named & ~equals, VALUE[card])
        if groups is None:
            how = "These cards do not match or add up to {value}."
            raise Refusal(say("no match", how, value=VALUE[card]), "HER-4")
        further = (sums(self.table & ~named) >> VALUE[card]) & 1
        if not self.choice:
            if further:
                how = "{card} can take further cards, and takes all it can."
                raise Refusal(say("further", how, card=CODES[card]), "HER-5")
            if self.free and not groups:
                return [card, STEP_DONE]
            return [card, *[STEP_TAKE + taken for taken in groups]]
        single = [STEP_TAKE + taken for taken in items_of(named & equals)]
        return [card, *single, *[STEP_TAKE + taken for taken in groups], *([STEP_DONE] if further else [])]


def group(cards: Cards, value: int) -> list[int] | None:
    """These cards in an order in which they form groups that each add up to a value; None if that is impossible."""
    if cards & ~WITHIN[bitset.one(value - 1) - 1]:
        return None  # one of them is worth too much
    by_value = [items_of(cards & OF_VALUE[worth]) for worth in range(value)]
    hopeless: set[tuple[int, ...]] = set()

    def complete(counts: tuple[int, ...], need: int) -> list[int] | None:
        # values of the cards in order, largest first within a group; `need` is how much the open group still lacks
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
