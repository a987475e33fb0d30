"""Change for a Sovereign (J. Evans and Sons, London, 1865): 56 coin cards, two pools, two to eleven players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, turns
from ...engine.core import Seeded, State, emphasise
from ...engine.errors import Refusal
from ...engine.types import Card, Cards, Clause, Points, Seat, Step, Steps
from . import notation
from .notation import (
    AFTER,
    CHANGE,
    CHANGE_PENCE,
    CHANGE_UNITS,
    CHOOSING,
    COPIES,
    DEAL,
    DEALER,
    DEALING,
    DRAW,
    DRAWING,
    HAND,
    LEAVE,
    MAKING_UP,
    PENALTY,
    PICK,
    POOL,
    REFILLING,
    SHEET,
    SOV_4A,
    SOV_5,
    SOV_6,
    SOV_7,
    SOV_10,
    SOV_11,
    SOV_12,
    SOVEREIGN_CARD,
    STARTING,
    STEP_DONE,
    STEP_LEAVE,
    STEP_NEIGHBOUR,
    STEP_SURPLUS,
    STEP_THROW,
    STEPS,
    SUMS,
    SURPLUS,
    TAKE,
    TAKING,
    THROW,
    VOID,
)
from .pack import CARDS

PENCE = notation.PENCE
UNITS = notation.UNITS


def sums_of(coins: int) -> Cards:
    """The sums up to a sovereign that some of these coins make, in sixpences, as bits."""
    # SOV-8: the sovereign card is never part of the change; its units, like a penny's, are none
    sums = 1
    while coins:
        coin = bitset.lowest(coins) >> 2
        sums |= (sums << UNITS[coin]) & SUMS
        coins -= bitset.one(4 * coin)
    return sums


def reaches(coins: int, need: int) -> bool:
    """Whether some of these coins make `need` sixpences."""
    return need >= 0 and (sums_of(coins) >> need) & 1 != 0


class Sovereign(State):
    """A sitting of several games."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.games = options["games"]
        self.stake = options["stake"]
        self.penalty = options["penalty"]
        self.round_limit = options["round_limit"]
        self.under = options["thrown"] == "under"
        self.must = options["change"] == "must"
        self.penalised = options["mistakes"] == "penalised"
        # SOV-6, rounds: auto – the surplus as dealt ÷ players, at least 1, at most 3
        surplus = 56 - 5 * players
        rounds = options["rounds"]
        self.rounds = max(1, min(3, surplus // players)) if rounds == "auto" else rounds
        # SOV-9: eleven players have the choice at once, whatever `rounds` says
        if players == 11:
            self.rounds = 0
        # SOV-1: fifteen “pences” – small_coin: sixpence, or penny as printed
        small = [0, 15] if options["small_coin"] == "penny" else [15, 0]
        self.copies = COPIES + small
        self.counters = [0] * 11
        self.staked = [0] * 11
        self.worth = [0] * 11
        self.held = [0] * 11
        self.hands = [0] * 11
        self._surplus = [0] * 64
        self._aside = [0] * 64

    # the pools and the deal

    def _start(self) -> None:
        self.game = 0
        self.round = 0
        self.first = 0
        self.actor = -1
        self.stakes = 0
        self.fines = 0
        self.erred = False
        self.offered = 0
        self.top = 0
        self.surplus_size = 0
        self.aside_size = 0
        self.dealer = -1
        for seat in range(11):
            self.counters[seat] = 0
            self.staked[seat] = 0
            self.worth[seat] = 0
            self.held[seat] = 0
            self.hands[seat] = 0
        self._clear_offer()
        # SOV-3: the first dealer by chance
        self.stage = CHOOSING
        self._await_one(DEALER, bitset.one(self.players) - 1)

    def _begin_game(self) -> None:
        # SOV-2: all stake in the general pool, the dealer in the sovereign pool too
        for seat in range(self.players):
            self.counters[seat] -= self.stake
        self.stakes = self.players * self.stake
        self.counters[self.dealer] -= self.stake
        self.staked[self.dealer] += self.stake
        self.stage = DEALING
        self._begin_deal()
        at = 0
        for coin in range(9):
            for copy in range(self.copies[coin]):
                self._pack[at] = coin
                at += 1
        self._await_order(DEAL, 56, 56)

    def _lay_out(self) -> None:
        """SOV-3: five to each, one at a time from the dealer's left; the surplus face down on the table."""
        self._tell(DEAL, 0, 0, 0, 0)
        self._tell_pack(56)
        for seat in range(self.players):
            self.worth[seat] = 0
            self.held[seat] = 0
            self.hands[seat] = 0
        seat = self.dealer
        for at in range(5 * self.players):
            seat = turns.left(seat, self.players)
            self._gain_coin(seat, self._pack[at])
        if self.journal is not None:
            for seat in range(self.players):
                self._tell(HAND, seat, 0, 0, 0)
                self._tell_coins(self.hands[seat])
        self.top = 0
        self.aside_size = 0
        self.surplus_size = 56 - 5 * self.players
        for at in range(self.surplus_size):
            self._surplus[at] = self._pack[5 * self.players + at]
        self.round = 0
        # SOV-4: the player at the dealer's left begins
        self.first = turns.left(self.dealer, self.players)
        self.seat = self.first
        self.stage = STARTING
        self.erred = False

    def _receive(self) -> None:
        if self.stage == DRAWING:
            self._drawn_from_neighbour()
        elif self.stage == DEALING:
            self._lay_out()
        elif self.stage == CHOOSING:
            self.dealer = self.drawn
            self._tell(DEALER, self.dealer, 0, 0, 0)
            self._begin_game()
        else:
            self._new_surplus()

    # a hand is a word with four bits for each kind of coin: how many of it; `held` has one bit a kind, `worth` the sum

    def _gain_coin(self, seat: Seat, coin: Card) -> None:
        self.hands[seat] += bitset.one(4 * coin)
        self.held[seat] |= bitset.one(coin)
        self.worth[seat] += UNITS[coin]

    def _lose_coin(self, seat: Seat, coin: Card) -> None:
        self.hands[seat] -= bitset.one(4 * coin)
        last = not (self.hands[seat] >> (4 * coin)) & 15
        self.held[seat] &= ~(last << coin)
        self.worth[seat] -= UNITS[coin]

    def _tell_coins(self, coins: int) -> None:
        while coins:
            coin = bitset.lowest(coins) >> 2
            self._tell_item(coin)
            coins -= bitset.one(4 * coin)

    # can he give change?

    def _can_change(self, seat: Seat) -> bool:
        """SOV-4: whether any number of cards of a hand make exactly 240d."""
        return self.worth[seat] >= CHANGE_UNITS and reaches(self.hands[seat], CHANGE_UNITS)

    def _exact_offers(self) -> Steps:
        """The coins that can be offered next so that exact change can still be made."""
        found = 0
        rest = self.hands[self.seat] - self.offer
        for coin in range(1, 9):
            if UNITS[coin] and (rest >> (4 * coin)) & 15:
                if reaches(rest - bitset.one(4 * coin), CHANGE_UNITS - self.offered - UNITS[coin]):
                    found |= bitset.one(coin)
        return found

    def _any_offers(self) -> Steps:
        """The coins of the hand that are not yet offered."""
        found = 0
        rest = self.hands[self.seat] - self.offer
        for coin in range(9):
            if (rest >> (4 * coin)) & 15:
                found |= bitset.one(coin)
        return found

    # the turn

    def _neighbour_allowed(self) -> bool:
        """SOV-6: after `rounds` rounds the neighbour's hand may be drawn from; SOV-9: with eleven players at once."""
        return self.round >= self.rounds

    def _choices(self) -> Steps:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == TAKING:
            # SOV-5: pick up one of the surplus; SOV-6: or draw from the preceding player's hand
            return bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self._neighbour_allowed() else 0)
        if self.unfinished:
            # SOV-4a, mistakes: prevented – only exact change can be offered; penalised – any one or more cards
            return self._exact_offers() if self.exact else self._any_offers() | bitset.one(STEP_DONE)
        can = self._can_change(self.seat)
        if can and self.must:
            # SOV-4, change: must – while he can, nothing else is legal
            return self._exact_offers()
        # SOV-5: at liberty, he can also leave it
        steps = bitset.one(STEP_LEAVE)
        if self.penalised:
            if not self.erred:
                steps |= self._any_offers()
        elif can:
            steps |= self._exact_offers()
        if self.stage == STARTING:
            # SOV-5: who cannot or will not give change may throw out a card
            steps |= self.held[self.seat] << STEP_THROW
            if self.penalised:
                # SOV-11, mistakes: penalised – a card taken before one is thrown out
                steps |= bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self._neighbour_allowed() else 0)
        return steps

    def _apply(self, step: Step) -> None:
        if STEP_THROW <= step < STEP_SURPLUS:
            self._throw_out(step - STEP_THROW)
        elif step < STEP_DONE:
            if not self.unfinished:
                self.exact = not self.penalised or (self.must and self._can_change(self.seat))
            self.offer += bitset.one(4 * step)
            self.unfinished += 1
            self.offered += UNITS[step]
            if self.exact and self.offered == CHANGE_UNITS:
                self._settle_offer()
        elif step == STEP_DONE:
            self._settle_offer()
        elif step == STEP_LEAVE:
            self.moves += 1
            self._tell(LEAVE, self.seat, 0, 0, 0)
            self._next_turn()
        else:
            self.moves += 1
            if self.journal is not None:
                clause = SOV_5 if step == STEP_SURPLUS else SOV_6
                self._tell(TAKE, self.seat, step - STEP_SURPLUS, SOV_11 if self.stage == STARTING else clause, 0)
            if self.stage == STARTING:
                # SOV-11: drawing before throwing out costs a penalty and the turn; the card goes back unseen
                self._fine(SOV_11)
                self._next_turn()
            elif step == STEP_SURPLUS:
                self._take_surplus()
            else:
                self._take_neighbour()

    # giving change

    def _settle_offer(self) -> None:
        """SOV-4: change is given, or, under mistakes: penalised, was reckoned wrong."""
        self.moves += 1
        self._tell(CHANGE, self.seat, 0, 0, 0)
        self._tell_coins(self.offer)
        total = 0
        for coin in range(9):
            total += ((self.offer >> (4 * coin)) & 15) * PENCE[coin]
        # SOV-8: an offer that contains the sovereign card is a mistake
        if total == CHANGE_PENCE and not self.offer & 15:
            self._clear_offer()
            self._give_pools()
            return
        self._clear_offer()
        # SOV-4a: he takes the cards back and pays; he may not offer again unless he throws out and takes first
        self._fine(SOV_4A)
        if self.stage == AFTER:
            self._next_turn()
        else:
            self.erred = True

    def _clear_offer(self) -> None:
        self.offer = 0
        self.offered = 0
        self.exact = False
        self.unfinished = 0

    def _fine(self, clause: Clause) -> None:
        """SOV-4a, SOV-11: a penalty to the general pool."""
        self.counters[self.seat] -= self.penalty
        self.fines += self.penalty
        self._tell(PENALTY, self.seat, self.penalty, clause, 0)

    def _give_pools(self) -> None:
        """SOV-7: who gives change takes the general pool."""
        seat = self.seat
        self.counters[seat] += self.stakes + self.fines
        self._tell(POOL, seat, self.stakes + self.fines, 0, SOV_7)
        self.stakes = 0
        self.fines = 0
        # SOV-7: and, if he can play the sovereign card too, the sovereign pool, which else goes on and grows
        if self.held[seat] & bitset.one(SOVEREIGN_CARD):
            pool = self._sovereign_pool()
            self.counters[seat] += pool
            self._tell(POOL, seat, pool, 1, SOV_7)
            for other in range(self.players):
                self.staked[other] = 0
        self._end_game()

    def _sovereign_pool(self) -> Points:
        pool = 0
        for seat in range(self.players):
            pool += self.staked[seat]
        return pool

    # throwing out and taking

    def _throw_out(self, coin: Card) -> None:
        """SOV-5: a card is thrown out face down."""
        self.moves += 1
        self._tell(THROW, self.seat, coin, 0, 0)
        self._lose_coin(self.seat, coin)
        if self.under:
            # SOV-5a, thrown: under – at the bottom of the surplus
            self._surplus[(self.top + self.surplus_size) & 63] = coin
            self.surplus_size += 1
        else:
            self._aside[self.aside_size] = coin
            self.aside_size += 1
        self.stage = TAKING

    def _take_surplus(self) -> None:
        """SOV-5: then he picks up one of the surplus."""
        self.actor = self.seat
        if self.surplus_size:
            self._pick_up(self.seat)
            self._after_take()
        else:
            self._ask_surplus(REFILLING)

    def _take_neighbour(self) -> None:
        """SOV-6: or draws unseen from his right."""
        self.actor = self.seat
        seat = turns.right(self.seat, self.players)
        size = 0
        coins = self.hands[seat]
        while coins:
            coin = bitset.lowest(coins) >> 2
            coins -= bitset.one(4 * coin)
            self._pack[size] = coin
            size += 1
        self.stage = DRAWING
        self._await_order(DRAW, size, 1)

    def _drawn_from_neighbour(self) -> None:
        seat = turns.right(self.actor, self.players)
        self._tell(DRAW, self.actor, seat, self._pack[0], 0)
        self._lose_coin(seat, self._pack[0])
        self._gain_coin(self.actor, self._pack[0])
        # SOV-10: who loses a card makes up his hand from the surplus at once
        if self.surplus_size:
            self._pick_up(seat)
            self._after_take()
        else:
            self._ask_surplus(MAKING_UP)

    def _ask_surplus(self, stage: int) -> None:
        """SOV-5a: the surplus is empty and a card is needed."""
        self.stage = stage
        for at in range(self.aside_size):
            self._pack[at] = self._aside[at]
        self._await_order(SURPLUS, self.aside_size, self.aside_size)

    def _new_surplus(self) -> None:
        """SOV-5a, thrown: aside – the cards thrown out make a new surplus, the card just thrown with them."""
        self._tell(SURPLUS, 0, 0, 0, 0)
        self._tell_pack(self.size)
        for at in range(self.size):
            self._surplus[at] = self._pack[at]
        self.surplus_size = self.size
        self.top = 0
        self.aside_size = 0
        self._pick_up(self.actor if self.stage == REFILLING else turns.right(self.actor, self.players))
        self._after_take()

    def _pick_up(self, seat: Seat) -> None:
        """The top card of the surplus goes to a hand."""
        coin = self._surplus[self.top]
        self.top = (self.top + 1) & 63
        self.surplus_size -= 1
        self._gain_coin(seat, coin)
        self._tell(PICK, seat, coin, SOV_5 if seat == self.actor else SOV_10, 0)

    def _after_take(self) -> None:
        """SOV-5: then he may give change; where he can do nothing else the next goes on."""
        self.seat = self.actor
        self.stage = AFTER
        self.erred = False
        if not self.penalised and not self._can_change(self.seat):
            self._next_turn()

    def _next_turn(self) -> None:
        """SOV-4: and so round."""
        self.stage = STARTING
        self.erred = False
        self.seat = turns.left(self.seat, self.players)
        if self.seat == self.first:
            self.round += 1
            if self.round == self.round_limit:
                # SOV-12: nobody gives change: the game is void, stakes go back, penalties stay in the next game's pool
                self._tell(VOID, SOV_12, 0, 0, 0)
                self.cut = True
                for seat in range(self.players):
                    self.counters[seat] += self.stake
                self.stakes = 0
                self._end_game()

    # the end

    def _end_game(self) -> None:
        self.seat = -1
        self.game += 1
        if self.game == self.games:
            self._end_sitting()
        else:
            # SOV-3: next game the player at his left deals
            self.dealer = turns.left(self.dealer, self.players)
            self._begin_game()

    def _end_sitting(self) -> None:
        """SOV-13: an unclaimed sovereign pool goes back to those who staked it, penalties left over are shared."""
        self.over = True
        for seat in range(self.players):
            self.counters[seat] += self.staked[seat]
            self.staked[seat] = 0
        for seat in range(self.players):
            self.counters[seat] += self.fines // self.players
        self.fines = self.fines % self.players
        # one counter at a time from the last dealer's left
        seat = self.dealer
        while self.fines:
            seat = turns.left(seat, self.players)
            self.counters[seat] += 1
            self.fines -= 1

    # for players who think ahead

    def _shuffle_unseen(self, luck: Seeded) -> None:
        # from the same order always, so that nothing of the true one is left
        coins = 0
        for at in range(self.surplus_size):
            coins += bitset.one(4 * self._surplus[(self.top + at) & 63])
        for at in range(self.surplus_size):
            self._surplus[(self.top + at) & 63] = bitset.lowest(coins) >> 2
            coins -= bitset.one((bitset.lowest(coins) >> 2) << 2)
        for at in range(self.surplus_size - 1):
            other = at + luck._below(self.surplus_size - at)
            held = self._surplus[(self.top + at) & 63]
            self._surplus[(self.top + at) & 63] = self._surplus[(self.top + other) & 63]
            self._surplus[(self.top + other) & 63] = held

    def _score_of(self, seat: Seat) -> float:
        return self.counters[seat]  # SOV-13: the most counters wins; equals share

    def _forecast(self, seat: Seat) -> float:
        # between games: counters ahead weigh the more the fewer games are left to win them back
        least = self.stake * (2 * (self.games - self.game) + self.players)
        chances = 0.0
        for other in range(self.players):
            chances += emphasise(self.counters[other] + least)
        return emphasise(self.counters[seat] + least) / chances

    # copies, refusals, records

    def take_back(self) -> None:
        self._clear_offer()

    def coins_of(self, seat: Seat) -> list[int]:
        """The coins of a hand, alike ones as often as they are there."""
        return [coin for coin in range(9) for _ in range((self.hands[seat] >> (4 * coin)) & 15)]

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": self.coins_of(seat) for seat in range(self.players)}
        places["surplus"] = [self._surplus[(self.top + at) & 63] for at in range(self.surplus_size)]
        places["aside"] = [self._aside[at] for at in range(self.aside_size)]
        places["pools"] = [self.stakes + self.fines, self._sovereign_pool()]
        return places

    def why_not(self, step: Step) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return f"There is no step {step}.", ""
        if self.stage == TAKING:
            if step == STEP_NEIGHBOUR:
                return f"The neighbour's hand may be drawn from only from round {self.rounds + 1} on.", "SOV-6"
            return "A card was thrown out: take one first, from the surplus or, where allowed, the neighbour.", "SOV-5"
        if self.must and self._can_change(self.seat) and not self.unfinished and step >= STEP_DONE:
            return "You can give change for a sovereign, so you must.", "SOV-4"
        if step < STEP_DONE:
            if not self._any_offers() & bitset.one(step):
                return f"You have no {CARDS[step][1].lower()} left to offer.", "SOV-4"
            if self.erred:
                return "After a mistake in the reckoning, throw out and take before you offer again.", "SOV-4a"
            if step == SOVEREIGN_CARD:
                return "The sovereign card is never part of the change.", "SOV-8"
            return "With that coin the offer cannot come to exactly 240d.", "SOV-4"
        if step == STEP_DONE:
            return "An offer of exact change ends by itself when it comes to 240d.", "SOV-4"
        if self.unfinished:
            return "Finish the offer, or take it back, before anything else.", "SOV-4"
        if step < STEP_SURPLUS:
            if self.stage == AFTER:
                return "A card has been thrown out and taken in this turn already.", "SOV-5"
            return f"You have no {CARDS[step - STEP_THROW][1].lower()} to throw out.", "SOV-5"
        if self.stage == AFTER:
            return "Only one card is taken in a turn.", "SOV-5"
        if step == STEP_NEIGHBOUR and self.penalised:
            return f"The neighbour's hand may be drawn from only from round {self.rounds + 1} on.", "SOV-6"
        return "A card must be thrown out before another is taken.", "SOV-11"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        if kind == "leave":
            return [STEP_LEAVE]
        if kind == "throw":
            return [STEP_THROW + values[1]]
        if kind == "take":
            return [STEP_SURPLUS + values[1]]
        coins = sorted(values[1])
        if not coins:
            raise Refusal("An offer of change needs at least one card.", "SOV-4")
        for coin in set(coins):
            if coins.count(coin) > (self.hands[self.seat] >> (4 * coin)) & 15:
                raise Refusal("More coins of a kind are offered than are held.", "SOV-4")
        exact = not self.penalised or (self.must and self._can_change(self.seat))
        if exact and (0 in coins or sum(PENCE[coin] for coin in coins) != CHANGE_PENCE):
            raise Refusal("Only exact change, 240d without the sovereign card, can be given.", "SOV-4")
        return coins if exact else [*coins, STEP_DONE]
