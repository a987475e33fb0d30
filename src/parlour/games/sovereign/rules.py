"""Change for a Sovereign (J. Evans and Sons, London, 1865): 56 coin cards, two pools, two to eleven players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.beliefs import Cloud, Lots
from ...engine.core import Refusal, Seeded, State, View, steep
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, TOLD, Entry, Game
from ...engine.pack import COIN_PENCE, codes, steps
from ...engine.pack import SOVEREIGN as CARDS
from ...sheets.model import sheet

SHEET = sheet("sovereign")
SOV_4A, SOV_5, SOV_6, SOV_7, SOV_10, SOV_11, SOV_12 = SHEET.numbers(
    "SOV-4a", "SOV-5", "SOV-6", "SOV-7", "SOV-10", "SOV-11", "SOV-12"
)

# SOV-1: a card is the number of its kind, for cards of one coin are alike; the small coin is a sixpence or a penny.
CODES = codes(CARDS)
COPIES = [1, 1, 2, 4, 8, 10, 15]
PENCE = list(COIN_PENCE.values())
UNITS = [0, 21, 20, 10, 5, 4, 2, 1, 0]
SOVEREIGN_CARD = 0
CHANGE_PENCE = 240
# Every coin but the penny is a number of sixpences, so that all sums up to a sovereign fit a word of 41 bits; a penny
# can never be part of exact change in a hand of five (SOV-1) and counts nothing there.
CHANGE_UNITS = 40
SUMS = (1 << 41) - 1

STEP_DONE, STEP_THROW, STEP_SURPLUS, STEP_NEIGHBOUR, STEP_LEAVE = 9, 10, 19, 20, 21
STEPS = [*steps("offer", CODES), "offer done", *steps("throw", CODES), "take surplus", "take neighbour", "leave"]

DEALER, DEAL, HAND, CHANGE, THROW, TAKE, PICK, LEAVE, DRAW, SURPLUS, PENALTY, POOL, VOID = range(13)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "SOV-3"),
    Entry("deal", CHANCE, "cards?", "SOV-3"),
    Entry("hand", TOLD, "seat! cards?", "SOV-3"),
    Entry("change", DECISION, "seat cards", "SOV-4", unordered=True),
    Entry("throw", DECISION, "seat! card?", "SOV-5"),
    Entry("take", DECISION, "seat source +clause", "SOV-5"),
    Entry("pick", TOLD, "seat! card? clause"),
    Entry("leave", DECISION, "seat", "SOV-5"),
    Entry("draw", CHANCE, "seat! seat! card?", "SOV-6"),
    Entry("surplus", CHANCE, "cards?", "SOV-5a"),
    Entry("penalty", CONSEQUENCE, "seat counters clause", gives=-1),
    Entry("pool", CONSEQUENCE, "seat counters pool clause", gives=1),
    Entry("void", CONSEQUENCE, "clause"),
)
WORDS = {"source": ("surplus", "neighbour"), "pool": ("general", "sovereign")}

CHOOSING, DEALING, STARTING, TAKING, AFTER, DRAWING, REFILLING, MAKING_UP = range(8)
ASTRAY = 12  # who is trusted to throw out by rule of thumb throws out any coin once in so many times
ASIDE, SURPLUS_PLACE, UNDER, SHOWN = 11, 12, 13, 14  # places beside the hands, for those who imagine where a coin is
STAGES = ("dealer", "deal", "start", "take", "after", "draw", "refill", "make up")


def sums_of(coins: int) -> int:
    """The sums up to a sovereign that some of these coins make, in sixpences, as bits."""
    # SOV-8: the sovereign card is never part of the change; its units, like a penny's, are none
    sums = 1
    while coins:
        coin = bitset.lowest(coins) >> 2
        sums |= (sums << UNITS[coin]) & SUMS
        coins -= bitset.one(4 * coin)
    return sums


def reaches(coins: int, need: int) -> int:
    """Whether some of these coins make `need` sixpences."""
    return need >= 0 and (sums_of(coins) >> need) & 1


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
        # to have the most counters wins (SOV-13), but a loser keeps his too: they are what is played for
        self.ambition = 0.0
        self.scale = 2.0 * players * self.stake
        self.counters = [0] * 11
        self.staked = [0] * 11
        self.worth = [0] * 11
        self.held = [0] * 11
        self.hands = [0] * 11
        self.surplus = [0] * 64
        self.aside = [0] * 64

    # the pools and the deal

    def start(self) -> None:
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
        self.clear_offer()
        # SOV-3: the first dealer by chance
        self.stage = CHOOSING
        self.await_one(DEALER, bitset.one(self.players) - 1)

    def begin_game(self) -> None:
        # SOV-2: all stake in the general pool, the dealer in the sovereign pool too
        for seat in range(self.players):
            self.counters[seat] -= self.stake
        self.stakes = self.players * self.stake
        self.counters[self.dealer] -= self.stake
        self.staked[self.dealer] += self.stake
        self.stage = DEALING
        self.begin_deal()
        at = 0
        for coin in range(9):
            for copy in range(self.copies[coin]):
                self.pack[at] = coin
                at += 1
        self.await_order(DEAL, 56, 56)

    def lay_out(self) -> None:
        """SOV-3: five to each, one at a time from the dealer's left; the surplus face down on the table."""
        self.tell(DEAL, 0, 0, 0, 0)
        self.tell_pack(56)
        for seat in range(self.players):
            self.worth[seat] = 0
            self.held[seat] = 0
            self.hands[seat] = 0
        seat = self.dealer
        for at in range(5 * self.players):
            seat = self.left(seat)
            self.gain_coin(seat, self.pack[at])
        if self.journal is not None:
            for seat in range(self.players):
                self.tell(HAND, seat, 0, 0, 0)
                self.tell_coins(self.hands[seat])
        self.top = 0
        self.aside_size = 0
        self.surplus_size = 56 - 5 * self.players
        for at in range(self.surplus_size):
            self.surplus[at] = self.pack[5 * self.players + at]
        self.round = 0
        # SOV-4: the player at the dealer's left begins
        self.first = self.left(self.dealer)
        self.seat = self.first
        self.stage = STARTING
        self.erred = False

    def receive(self) -> None:
        if self.stage == DRAWING:
            self.drawn_from_neighbour()
        elif self.stage == DEALING:
            self.lay_out()
        elif self.stage == CHOOSING:
            self.dealer = self.drawn
            self.tell(DEALER, self.dealer, 0, 0, 0)
            self.begin_game()
        else:
            self.new_surplus()

    def left(self, seat: int) -> int:
        return seat + 1 if seat + 1 < self.players else 0

    def right(self, seat: int) -> int:
        return seat - 1 if seat else self.players - 1

    # a hand is a word with four bits for each kind of coin: how many of it; `held` has one bit a kind, `worth` the sum

    def gain_coin(self, seat: int, coin: int) -> None:
        self.hands[seat] += bitset.one(4 * coin)
        self.held[seat] |= bitset.one(coin)
        self.worth[seat] += UNITS[coin]

    def lose_coin(self, seat: int, coin: int) -> None:
        self.hands[seat] -= bitset.one(4 * coin)
        last = not (self.hands[seat] >> (4 * coin)) & 15
        self.held[seat] &= ~(last << coin)
        self.worth[seat] -= UNITS[coin]

    def tell_coins(self, coins: int) -> None:
        while coins:
            coin = bitset.lowest(coins) >> 2
            self.tell_item(coin)
            coins -= bitset.one(4 * coin)

    # can he give change?

    def can_change(self, seat: int) -> int:
        """SOV-4: whether any number of cards of a hand make exactly 240d."""
        return self.worth[seat] >= CHANGE_UNITS and reaches(self.hands[seat], CHANGE_UNITS)

    def exact_offers(self) -> int:
        """The coins that can be offered next so that exact change can still be made."""
        found = 0
        rest = self.hands[self.seat] - self.offer
        for coin in range(1, 9):
            if UNITS[coin] and (rest >> (4 * coin)) & 15:
                if reaches(rest - bitset.one(4 * coin), CHANGE_UNITS - self.offered - UNITS[coin]):
                    found |= bitset.one(coin)
        return found

    def any_offers(self) -> int:
        """The coins of the hand that are not yet offered."""
        found = 0
        rest = self.hands[self.seat] - self.offer
        for coin in range(9):
            if (rest >> (4 * coin)) & 15:
                found |= bitset.one(coin)
        return found

    # the turn

    def neighbour_allowed(self) -> int:
        """SOV-6: after `rounds` rounds the neighbour's hand may be drawn from; SOV-9: with eleven players at once."""
        return self.round >= self.rounds

    def choices(self) -> int:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == TAKING:
            # SOV-5: pick up one of the surplus; SOV-6: or draw from the preceding player's hand
            return bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self.neighbour_allowed() else 0)
        if self.unfinished:
            # SOV-4a, mistakes: prevented – only exact change can be offered; penalised – any one or more cards
            return self.exact_offers() if self.exact else self.any_offers() | bitset.one(STEP_DONE)
        can = self.can_change(self.seat)
        if can and self.must:
            # SOV-4, change: must – while he can, nothing else is legal
            return self.exact_offers()
        # SOV-5: at liberty, he can also leave it
        steps = bitset.one(STEP_LEAVE)
        if self.penalised:
            if not self.erred:
                steps |= self.any_offers()
        elif can:
            steps |= self.exact_offers()
        if self.stage == STARTING:
            # SOV-5: who cannot or will not give change may throw out a card
            steps |= self.held[self.seat] << STEP_THROW
            if self.penalised:
                # SOV-11, mistakes: penalised – a card taken before one is thrown out
                steps |= bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self.neighbour_allowed() else 0)
        return steps

    def apply(self, step: int) -> None:
        if STEP_THROW <= step < STEP_SURPLUS:
            self.throw_out(step - STEP_THROW)
        elif step < STEP_DONE:
            if not self.unfinished:
                self.exact = not self.penalised or (self.must and self.can_change(self.seat))
            self.offer += bitset.one(4 * step)
            self.unfinished += 1
            self.offered += UNITS[step]
            if self.exact and self.offered == CHANGE_UNITS:
                self.settle_offer()
        elif step == STEP_DONE:
            self.settle_offer()
        elif step == STEP_LEAVE:
            self.moves += 1
            self.tell(LEAVE, self.seat, 0, 0, 0)
            self.next_turn()
        else:
            self.moves += 1
            if self.journal is not None:
                clause = SOV_5 if step == STEP_SURPLUS else SOV_6
                self.tell(TAKE, self.seat, step - STEP_SURPLUS, SOV_11 if self.stage == STARTING else clause, 0)
            if self.stage == STARTING:
                # SOV-11: drawing before throwing out costs a penalty and the turn; the card goes back unseen
                self.fine(SOV_11)
                self.next_turn()
            elif step == STEP_SURPLUS:
                self.take_surplus()
            else:
                self.take_neighbour()

    # giving change

    def settle_offer(self) -> None:
        """SOV-4: change is given, or, under mistakes: penalised, was reckoned wrong."""
        self.moves += 1
        self.tell(CHANGE, self.seat, 0, 0, 0)
        self.tell_coins(self.offer)
        total = 0
        for coin in range(9):
            total += ((self.offer >> (4 * coin)) & 15) * PENCE[coin]
        # SOV-8: an offer that contains the sovereign card is a mistake
        if total == CHANGE_PENCE and not self.offer & 15:
            self.clear_offer()
            self.give_pools()
            return
        self.clear_offer()
        # SOV-4a: he takes the cards back and pays; he may not offer again unless he throws out and takes first
        self.fine(SOV_4A)
        if self.stage == AFTER:
            self.next_turn()
        else:
            self.erred = True

    def clear_offer(self) -> None:
        self.offer = 0
        self.offered = 0
        self.exact = False
        self.unfinished = 0

    def fine(self, clause: int) -> None:
        """SOV-4a, SOV-11: a penalty to the general pool."""
        self.counters[self.seat] -= self.penalty
        self.fines += self.penalty
        self.tell(PENALTY, self.seat, self.penalty, clause, 0)

    def give_pools(self) -> None:
        """SOV-7: who gives change takes the general pool."""
        seat = self.seat
        self.counters[seat] += self.stakes + self.fines
        self.tell(POOL, seat, self.stakes + self.fines, 0, SOV_7)
        self.stakes = 0
        self.fines = 0
        # SOV-7: and, if he can play the sovereign card too, the sovereign pool, which else goes on and grows
        if self.held[seat] & bitset.one(SOVEREIGN_CARD):
            pool = self.sovereign_pool()
            self.counters[seat] += pool
            self.tell(POOL, seat, pool, 1, SOV_7)
            for other in range(self.players):
                self.staked[other] = 0
        self.end_game()

    def sovereign_pool(self) -> int:
        pool = 0
        for seat in range(self.players):
            pool += self.staked[seat]
        return pool

    # throwing out and taking

    def throw_out(self, coin: int) -> None:
        """SOV-5: a card is thrown out face down."""
        self.moves += 1
        self.tell(THROW, self.seat, coin, 0, 0)
        self.lose_coin(self.seat, coin)
        if self.under:
            # SOV-5a, thrown: under – at the bottom of the surplus
            self.surplus[(self.top + self.surplus_size) & 63] = coin
            self.surplus_size += 1
        else:
            self.aside[self.aside_size] = coin
            self.aside_size += 1
        self.stage = TAKING

    def take_surplus(self) -> None:
        """SOV-5: then he picks up one of the surplus."""
        self.actor = self.seat
        if self.surplus_size:
            self.pick_up(self.seat)
            self.after_take()
        else:
            self.ask_surplus(REFILLING)

    def take_neighbour(self) -> None:
        """SOV-6: or draws unseen from his right."""
        self.actor = self.seat
        seat = self.right(self.seat)
        size = 0
        coins = self.hands[seat]
        while coins:
            coin = bitset.lowest(coins) >> 2
            coins -= bitset.one(4 * coin)
            self.pack[size] = coin
            size += 1
        self.stage = DRAWING
        self.await_order(DRAW, size, 1)

    def drawn_from_neighbour(self) -> None:
        seat = self.right(self.actor)
        self.tell(DRAW, self.actor, seat, self.pack[0], 0)
        self.lose_coin(seat, self.pack[0])
        self.gain_coin(self.actor, self.pack[0])
        # SOV-10: who loses a card makes up his hand from the surplus at once
        if self.surplus_size:
            self.pick_up(seat)
            self.after_take()
        else:
            self.ask_surplus(MAKING_UP)

    def ask_surplus(self, stage: int) -> None:
        """SOV-5a: the surplus is empty and a card is needed."""
        self.stage = stage
        for at in range(self.aside_size):
            self.pack[at] = self.aside[at]
        self.await_order(SURPLUS, self.aside_size, self.aside_size)

    def new_surplus(self) -> None:
        """SOV-5a, thrown: aside – the cards thrown out make a new surplus, the card just thrown with them."""
        self.tell(SURPLUS, 0, 0, 0, 0)
        self.tell_pack(self.size)
        for at in range(self.size):
            self.surplus[at] = self.pack[at]
        self.surplus_size = self.size
        self.top = 0
        self.aside_size = 0
        self.pick_up(self.actor if self.stage == REFILLING else self.right(self.actor))
        self.after_take()

    def pick_up(self, seat: int) -> None:
        """The top card of the surplus goes to a hand."""
        coin = self.surplus[self.top]
        self.top = (self.top + 1) & 63
        self.surplus_size -= 1
        self.gain_coin(seat, coin)
        self.tell(PICK, seat, coin, SOV_5 if seat == self.actor else SOV_10, 0)

    def after_take(self) -> None:
        """SOV-5: then he may give change; where he can do nothing else the next goes on."""
        self.seat = self.actor
        self.stage = AFTER
        self.erred = False
        if not self.penalised and not self.can_change(self.seat):
            self.next_turn()

    def next_turn(self) -> None:
        """SOV-4: and so round."""
        self.stage = STARTING
        self.erred = False
        self.seat = self.left(self.seat)
        if self.seat == self.first:
            self.round += 1
            if self.round == self.round_limit:
                # SOV-12: nobody gives change: the game is void, stakes go back, penalties stay in the next game's pool
                self.tell(VOID, SOV_12, 0, 0, 0)
                self.cut = True
                for seat in range(self.players):
                    self.counters[seat] += self.stake
                self.stakes = 0
                self.end_game()

    # the end

    def end_game(self) -> None:
        self.seat = -1
        self.game += 1
        if self.game == self.games:
            self.end_sitting()
        else:
            # SOV-3: next game the player at his left deals
            self.dealer = self.left(self.dealer)
            self.begin_game()

    def end_sitting(self) -> None:
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
            seat = self.left(seat)
            self.counters[seat] += 1
            self.fines -= 1

    # for players who think ahead

    def shuffle_unseen(self, luck: Seeded) -> None:
        # from the same order always, so that nothing of the true one is left
        coins = 0
        for at in range(self.surplus_size):
            coins += bitset.one(4 * self.surplus[(self.top + at) & 63])
        for at in range(self.surplus_size):
            self.surplus[(self.top + at) & 63] = bitset.lowest(coins) >> 2
            coins -= bitset.one((bitset.lowest(coins) >> 2) << 2)
        for at in range(self.surplus_size - 1):
            other = at + luck.below(self.surplus_size - at)
            held = self.surplus[(self.top + at) & 63]
            self.surplus[(self.top + at) & 63] = self.surplus[(self.top + other) & 63]
            self.surplus[(self.top + other) & 63] = held

    def gain(self, seat: int) -> float:
        return self.counters[seat]

    def hope(self, seat: int) -> float:
        if self.over:
            for other in range(self.players):
                if self.counters[other] > self.counters[seat]:
                    return 0.0
            return 1.0
        # between games: counters ahead weigh the more the fewer games are left to win them back
        least = self.stake * (2 * (self.games - self.game) + self.players)
        hopes = 0.0
        for other in range(self.players):
            hopes += steep(self.counters[other] + least)
        return steep(self.counters[seat] + least) / hopes

    def scores(self) -> list[int]:
        return [self.counters[seat] for seat in range(self.players)]

    def winners(self) -> list[int]:
        # SOV-13: the most counters wins; equals share
        best = max(self.scores())
        return [seat for seat in range(self.players) if self.counters[seat] == best]

    # copies, refusals, records

    def take_back(self) -> None:
        self.clear_offer()

    def coins_of(self, seat: int) -> list[int]:
        """The coins of a hand, alike ones as often as they are there."""
        return [coin for coin in range(9) for _ in range((self.hands[seat] >> (4 * coin)) & 15)]

    def where(self) -> dict[str, list[int]]:
        places = {f"hand {seat}": self.coins_of(seat) for seat in range(self.players)}
        places["surplus"] = [self.surplus[(self.top + at) & 63] for at in range(self.surplus_size)]
        places["aside"] = [self.aside[at] for at in range(self.aside_size)]
        places["pools"] = [self.stakes + self.fines, self.sovereign_pool()]
        return places

    def why_not(self, step: int) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return f"There is no step {step}.", ""
        if self.stage == TAKING:
            if step == STEP_NEIGHBOUR:
                return f"The neighbour's hand may be drawn from only from round {self.rounds + 1} on.", "SOV-6"
            return "A card was thrown out: take one first, from the surplus or, where allowed, the neighbour.", "SOV-5"
        if self.must and self.can_change(self.seat) and not self.unfinished and step >= STEP_DONE:
            return "You can give change for a sovereign, so you must.", "SOV-4"
        if step < STEP_DONE:
            if not self.any_offers() & bitset.one(step):
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

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
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
        exact = not self.penalised or (self.must and self.can_change(self.seat))
        if exact and (0 in coins or sum(PENCE[coin] for coin in coins) != CHANGE_PENCE):
            raise Refusal("Only exact change, 240d without the sovereign card, can be given.", "SOV-4")
        return coins if exact else [*coins, STEP_DONE]


def kinds_of(copies: Sequence[int]) -> list[int]:
    """The kind of every card of the pack."""
    return [coin for coin in range(9) for _ in range(copies[coin])]


def size_of(coins: int) -> int:
    """How many coins there are."""
    size = 0
    for coin in range(9):
        size += (coins >> (4 * coin)) & 15
    return size


def units_of(coins: int) -> int:
    """What coins come to, in sixpences."""
    units = 0
    for coin in range(9):
        units += UNITS[coin] * ((coins >> (4 * coin)) & 15)
    return units


class SovereignView(View):
    """What a seat knows: its coins, the pools, the sizes of what lies hidden, and coins it was shown in other hands."""

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.thrown = [0] * 9
        self.counters = [0] * 11
        self.staked = [0] * 11
        self.sizes = [0] * 11
        self.at_least = [0] * 99
        small = [0, 15] if options["small_coin"] == "penny" else [15, 0]
        self.copies = COPIES + small
        self.kind = kinds_of(self.copies) + [0] * 8
        self.stake = options["stake"]
        self.heard_pool = 0  # the sovereign pool, as heard
        self.heard_fines = 0  # what is in the general pool beside the stakes
        self.under = options["thrown"] == "under"
        self.must = options["change"] == "must"
        self.penalised = options["mistakes"] == "penalised"
        self.lots = Lots()
        self.cloud = None  # type: Any
        self.clouded = False
        self.free = [0] * 9  # for those who deal change to another: how many of each kind may lie anywhere
        self.ways = 0.0  # in how many ways he may have it
        self.change = 0  # the hand that was chosen
        self.doubted = -1  # who has taken a card: whether he can now give change is told by who goes on

    # looking

    def attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Sovereign):
            raise TypeError("A view looks at a state of its own game.")
        self.behind = state
        self.world = state  # type: Any

    def glance(self) -> None:
        View.glance(self)
        self.stage = self.world.stage
        self.hand = self.world.hands[self.seat] if self.seat >= 0 else 0
        # an unfinished offer is seen by nobody else
        self.offer = self.world.offer if self.steps else 0
        self.exact = self.world.exact if self.steps else False
        self.neighbour = self.world.neighbour_allowed()
        self.general = self.world.stakes + self.world.fines
        self.sovereign = self.world.sovereign_pool()
        self.erred = self.world.erred

    def look(self) -> None:
        View.look(self)
        self.dealer = self.world.dealer
        self.game = self.world.game
        self.round = self.world.round
        self.first = self.world.first
        self.surplus_size = self.world.surplus_size
        self.aside_size = self.world.aside_size
        self.stakes = self.world.stakes
        self.fines = self.world.fines
        for seat in range(self.players):
            self.counters[seat] = self.world.counters[seat]
            self.staked[seat] = self.world.staked[seat]
            self.sizes[seat] = size_of(self.world.hands[seat])

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        seats = self.players
        return [
            *View.layout(self),
            *(("stage", 1, len(STAGES)), ("dealer", 1, seats), ("coins", 1, 9), ("offer", 1, 9)),
            *(("hand_sizes", 1, seats), ("surplus", 1, 1), ("aside", 1, 1), ("game", 1, 1), ("round", 1, 1)),
            *(("general_pool", 1, 1), ("penalties_in_it", 1, 1), ("sovereign_pool", 1, 1), ("staked_in_it", 1, seats)),
            *(("counters", 1, seats), ("offered_wrongly", 1, 1), ("neighbour_allowed", 1, 1)),
        ]

    def paint(self, page: Any, at: int) -> int:
        at = View.paint(self, page, at)
        at = encode.chosen(page, at, self.stage, 8)
        at = encode.seat(page, at, self.dealer, self.seat, self.players)
        at = encode.tally(page, at, self.hand, 9)
        at = encode.tally(page, at, self.offer, 9)
        at = encode.each(page, at, self.sizes, self.seat, self.players, 0)
        at = encode.number(page, at, self.surplus_size)
        at = encode.number(page, at, self.aside_size)
        at = encode.number(page, at, self.game)
        at = encode.number(page, at, self.round)
        at = encode.number(page, at, self.general)
        at = encode.number(page, at, self.fines)
        at = encode.number(page, at, self.sovereign)
        at = encode.sums(page, at, self.staked, self.seat, self.players, 0)
        at = encode.sums(page, at, self.counters, self.seat, self.players, 128)  # from 128, as they may be owed
        at = encode.number(page, at, self.erred)
        return encode.number(page, at, self.neighbour)

    # listening

    def attend(self, trusting: bool = False) -> None:
        View.attend(self, trusting)
        if self.cloud is None and self.seat >= 0:
            self.cloud = Cloud([self.kind[item] for item in range(56)], self.seat, 0)

    def pass_one(self, coin: int, origin: int, to: int) -> None:
        """In the cloud, a coin goes from place to place, seen or not."""
        if coin >= 0:
            self.cloud.see(coin, origin, to, True)
        else:
            self.cloud.move_one(origin, to, 0)

    def guess_throw(self, seat: int) -> None:
        """In the cloud, a coin is thrown out that nobody saw: mostly the one that the rules of thumb give up."""
        to = UNDER if self.under else ASIDE
        general = self.players * self.stake + self.heard_fines
        for world in range(self.cloud.worlds):
            items = self.cloud.held(world, seat)
            if not items:
                self.cloud.drop(world)
            elif self.cloud.luck.below(ASTRAY):
                coin = self.least_of(self.coins_in(items), self.heard_pool, general)
                self.cloud.move_this(world, self.cloud.any_of(items & self.cloud.of_kind[coin]), seat, to)
            else:
                self.cloud.move_any(world, items, seat, to)
        self.cloud.moved(seat, to)

    def deal_cloud(self) -> None:
        """The coins of this seat, as told; all others anywhere."""
        held = 0
        for at in range(self.row[5]):
            coin = self.row[6 + at]
            held |= bitset.one(bitset.lowest(self.cloud.of_kind[coin] & ~held))
        self.cloud.scatter(held, self.players, 5, SURPLUS_PLACE)

    def settle_doubt(self, able: int) -> None:
        """SOV-5: who could still give change after his draw has the turn; who could not, has not."""
        if self.cloud is not None and self.doubted != self.seat and not self.cloud.lost:
            agree = 0
            for world in range(self.cloud.worlds):
                agree += reaches(self.coins_in(self.cloud.held(world, self.doubted)), CHANGE_UNITS) == able
            # where chance has left no such world in the cloud, it is better a little wrong than empty
            if agree:
                for world in range(self.cloud.worlds):
                    if reaches(self.coins_in(self.cloud.held(world, self.doubted)), CHANGE_UNITS) != able:
                        self.cloud.drop(world)
                self.cloud.settle()
        self.doubted = -1

    def coins_in(self, items: int) -> int:
        """Cards of the pack as coins."""
        coins = 0
        while items:
            coins += bitset.one(4 * self.kind[bitset.lowest(items)])
            items &= items - 1
        return coins

    def lost_one(self, seat: int) -> None:
        """A hand lost a card that was not shown: it may be any of those known to be there."""
        for coin in range(9):
            if self.at_least[9 * seat + coin] > 0:
                self.at_least[9 * seat + coin] -= 1

    def hear(self) -> None:
        kind = self.row[0]
        a = self.row[1]
        if kind == CHANGE or kind == LEAVE or kind == THROW or kind == TAKE:
            # the turn went on, or it did not
            if self.doubted >= 0:
                self.settle_doubt(a == self.doubted)
            if self.must and (kind == LEAVE or kind == THROW):
                # SOV-4, change: must – who can give change does nothing else
                self.doubted = a
                self.settle_doubt(False)
        if self.cloud is not None:
            self.hear_coins()
        if kind == DEALER:
            self.heard_pool = 0
            self.heard_fines = 0
        elif kind == PENALTY:
            self.heard_fines += self.row[2]
        elif kind == POOL and self.row[3]:
            self.heard_pool = 0
        elif kind == POOL:
            self.heard_fines = 0
        elif kind == DEAL:
            self.doubted = -1
            # SOV-2: the dealer has staked in the sovereign pool
            self.heard_pool += self.stake
            for coin in range(99):
                self.at_least[coin] = 0
            for coin in range(9):
                self.thrown[coin] = 0
        elif kind == SURPLUS:
            for coin in range(9):
                self.thrown[coin] = 0
        elif kind == THROW:
            if a == self.seat:
                self.thrown[self.row[2]] += 1
            else:
                self.lost_one(a)
        elif kind == DRAW:
            origin = self.row[2]
            if origin == self.seat:
                # the seat drawn from knows which card the other now has
                self.at_least[9 * a + self.row[3]] += 1
            elif a == self.seat:
                # and who drew knows which one the other has no more
                if self.at_least[9 * origin + self.row[3]] > 0:
                    self.at_least[9 * origin + self.row[3]] -= 1
            else:
                self.lost_one(origin)
        elif kind == CHANGE:
            # a wrong offer is seen and taken back
            for coin in range(9):
                shown = 0
                for at in range(self.row[5]):
                    if self.row[6 + at] == coin:
                        shown += 1
                if shown > self.at_least[9 * a + coin]:
                    self.at_least[9 * a + coin] = shown

    def hear_coins(self) -> None:
        """Move the coins of the cloud as they were told to move."""
        kind = self.row[0]
        a = self.row[1]
        if kind == HAND and a == self.seat:
            self.deal_cloud()
        elif kind == THROW:
            if self.row[2] < 0 and self.trusting:
                self.guess_throw(a)
            else:
                self.pass_one(self.row[2], a, UNDER if self.under else ASIDE)
        elif kind == PICK:
            self.pass_one(self.row[2], SURPLUS_PLACE if self.cloud.held(0, SURPLUS_PLACE) else UNDER, a)
            if self.row[3] == SOV_5 and not self.penalised:
                self.doubted = a
        elif kind == DRAW:
            self.pass_one(self.row[3], self.row[2], a)
            if not self.penalised:
                self.doubted = a
        elif kind == SURPLUS:
            self.cloud.move_all(ASIDE, SURPLUS_PLACE)
        elif kind == CHANGE:
            for at in range(self.row[5]):
                self.cloud.see(self.row[6 + at], a, SHOWN, False)
            self.cloud.move_all(SHOWN, a)
        if not self.cloud.lost:
            self.cloud.settle()

    # imagining

    def new_world(self) -> State:
        return Sovereign(self.players, self.options)

    def prepare(self) -> None:
        if self.doubted >= 0 and self.to_act >= 0:
            self.settle_doubt(self.to_act == self.doubted)
        self.lots.clear()
        for seat in range(self.players):
            if seat != self.seat:
                self.lots.room[seat] = self.sizes[seat]
        self.lots.room[ASIDE] = self.aside_size
        self.lots.room[SURPLUS_PLACE] = self.surplus_size
        item = 0
        for coin in range(9):
            mine = (self.hand >> (4 * coin)) & 15
            thrown = 0 if self.under else self.thrown[coin]
            for copy in range(self.copies[coin]):
                if mine:
                    mine -= 1
                elif thrown:
                    thrown -= 1
                    self.lots.add(item, 1 << ASIDE)
                else:
                    self.lots.add(item, self.place_of(coin, copy))
                item += 1
        self.lots.prepare()

    def place_of(self, coin: int, copy: int) -> int:
        """Where a coin may be: the last copies of a kind stand for those known to be in a hand."""
        known = self.copies[coin] - 1 - copy
        for seat in range(self.players):
            if seat != self.seat:
                if known < self.at_least[9 * seat + coin]:
                    return 1 << seat
                known -= self.at_least[9 * seat + coin]
        return self.others() | 1 << ASIDE | 1 << SURPLUS_PLACE

    def imagine(self, luck: Seeded) -> int:
        if self.to_act < 0:
            return False
        self.set_out()
        self.world.stage = self.stage
        self.world.dealer = self.dealer
        self.world.first = self.first
        self.world.actor = self.to_act
        self.world.game = self.game
        self.world.round = self.round
        self.world.stakes = self.stakes
        self.world.fines = self.fines
        self.world.erred = self.erred
        self.world.exact = self.exact
        self.world.offer = self.offer
        self.world.offered = units_of(self.offer)
        for seat in range(self.players):
            self.world.counters[seat] = self.counters[seat]
            self.world.staked[seat] = self.staked[seat]
        for attempt in range(400):
            self.clouded = self.cloud is not None and not self.cloud.lost and attempt < 25
            if self.clouded:
                self.cloud.pick(luck)
            elif not self.lots.cast(luck):
                return False
            self.lay_out(luck)
            if self.stage != AFTER or self.to_act == self.seat or self.penalised:
                return True
            if self.world.can_change(self.to_act):
                return True  # he has the turn after his draw, so he can
        return self.deal_change(luck)

    def deal_change(self, luck: Seeded) -> int:
        """Where no world came in which he who has the turn after his draw can give change: deal it to him first."""
        seat = self.to_act
        known = 0
        for coin in range(9):
            known += bitset.one(4 * coin) * self.at_least[9 * seat + coin]
            self.free[coin] = self.copies[coin] - ((self.hand >> (4 * coin)) & 15)
            if not self.under:
                self.free[coin] -= self.thrown[coin]
            for other in range(self.players):
                if other != self.seat:
                    self.free[coin] -= self.at_least[9 * other + coin]
        self.ways = 0.0
        self.choose_change(0, self.sizes[seat] - size_of(known), known, 1.0, luck)
        if self.ways == 0.0:
            return False
        self.know_hand(seat, self.change)
        self.prepare()
        found = self.lots.cast(luck)
        if found:
            self.lay_out(luck)
        self.know_hand(seat, known)
        self.prepare()
        return found

    def choose_change(self, coin: int, left: int, hand: int, ways: float, luck: Seeded) -> None:
        """Fill a hand with coins from this kind on in every way, and choose one that gives change by its likelihood."""
        if coin == 9:
            if left == 0 and reaches(hand, CHANGE_UNITS):
                self.ways += ways
                if luck.below(1 << 20) * self.ways < ways * (1 << 20):
                    self.change = hand
            return
        for count in range(min(left, self.free[coin]) + 1):
            self.choose_change(coin + 1, left - count, hand + bitset.one(4 * coin) * count, ways, luck)
            ways = ways * (self.free[coin] - count) / (count + 1)  # so many ways to take one more of them

    def know_hand(self, seat: int, coins: int) -> None:
        """Take it that these coins are in a hand."""
        for coin in range(9):
            self.at_least[9 * seat + coin] = (coins >> (4 * coin)) & 15

    def lay_out(self, luck: Seeded) -> None:
        """The hidden coins of the world, as they were picked or cast."""
        self.world.top = 0
        self.world.surplus_size = 0
        self.world.aside_size = 0
        for seat in range(self.players):
            self.world.hands[seat] = 0
            self.world.held[seat] = 0
            self.world.worth[seat] = 0
            rest = self.cloud.picked(seat) if self.clouded else self.lots.got[seat]
            if seat == self.seat:
                rest = 0
            while rest:
                self.world.gain_coin(seat, self.kind[bitset.lowest(rest)])
                rest &= rest - 1
        for coin in range(9):
            size = (self.hand >> (4 * coin)) & 15
            for copy in range(size):
                self.world.gain_coin(self.seat, coin)
        rest = self.cloud.picked(SURPLUS_PLACE) if self.clouded else self.lots.got[SURPLUS_PLACE]
        while rest:
            self.world.surplus[self.world.surplus_size] = self.kind[bitset.lowest(rest)]
            self.world.surplus_size += 1
            rest &= rest - 1
        self.world.shuffle_unseen(luck)
        if self.clouded:
            for at in range(self.cloud.head, self.cloud.tail):
                self.world.surplus[self.world.surplus_size] = self.kind[self.cloud.queued(at)]
                self.world.surplus_size += 1
        rest = self.cloud.picked(ASIDE) if self.clouded else self.lots.got[ASIDE]
        while rest:
            self.world.aside[self.world.aside_size] = self.kind[bitset.lowest(rest)]
            self.world.aside_size += 1
            rest &= rest - 1

    # the rules of thumb

    def thumb(self, luck: Seeded) -> int:
        if self.stage == TAKING:
            # SOV-6: a neighbour has thrown out what is small; and it spoils his change
            return STEP_NEIGHBOUR if self.neighbour else STEP_SURPLUS
        rest = self.hand - self.offer
        offered = units_of(self.offer)
        if self.offer and offered == CHANGE_UNITS:
            return STEP_DONE
        if self.stage == STARTING and not self.offer and self.sovereign and not self.hand & 15:
            # SOV-7: who has change and a coin to spare draws once more before he gives it: it may be the sovereign card
            for coin in range(8, 0, -1):
                if (self.hand >> (4 * coin)) & 15 and self.steps & bitset.one(STEP_THROW + coin):
                    if reaches(self.hand - bitset.one(4 * coin), CHANGE_UNITS):
                        return STEP_THROW + coin
        for coin in range(1, 9):
            # SOV-4: give change as soon as it can be given
            if self.steps & bitset.one(coin) and UNITS[coin]:
                if reaches(rest - bitset.one(4 * coin), CHANGE_UNITS - offered - UNITS[coin]):
                    return coin
        if self.offer:
            return self.base + bitset.lowest(self.steps)
        if self.stage == AFTER:
            return STEP_LEAVE
        return STEP_THROW + self.least_of(self.hand, self.sovereign, self.general)

    def least_of(self, hand: int, sovereign: int, general: int) -> int:
        """The coin without which most coins of the pack would complete the change; of equals the smallest."""
        best = 0
        most = -1
        for coin in range(8, -1, -1):
            if not (hand >> (4 * coin)) & 15:
                continue
            sums = sums_of(hand - bitset.one(4 * coin))
            outs = 0
            for other in range(1, 9):
                if UNITS[other] and (sums >> (CHANGE_UNITS - UNITS[other])) & 1:
                    outs += self.copies[other] - ((hand >> (4 * other)) & 15)
            worth = 100 * outs + 40 - UNITS[coin]
            if coin == SOVEREIGN_CARD:
                # SOV-7: worth its place only where the sovereign pool is
                worth = worth - 300 if sovereign > general else worth + 100
            if worth > most:
                most = worth
                best = coin
        return best

    def counted(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts of coins by code."""
        return {CODES[coin]: counts[coin] for coin in range(9) if counts[coin]}

    def fields(self) -> dict[str, Any]:
        seats = range(self.players)
        return View.fields(self) | {
            "dealer": self.dealer,
            "game": self.game,
            "round": self.round,
            "stage": STAGES[self.stage],
            "coins": self.counted([(self.hand >> (4 * coin)) & 15 for coin in range(9)]),
            "offer": self.counted([(self.offer >> (4 * coin)) & 15 for coin in range(9)]),
            "hand_sizes": [self.sizes[seat] for seat in seats],
            "surplus": self.surplus_size,
            "aside": self.aside_size,
            "general_pool": self.general,
            "penalties_in_it": self.fines,
            "sovereign_pool": self.sovereign,
            "staked_in_it": [self.staked[seat] for seat in seats],
            "offered_wrongly": bool(self.erred),
            "neighbour_allowed": bool(self.neighbour),
            "counters": [self.counters[seat] for seat in seats],
            "thrown_by_you": self.counted([self.thrown[coin] for coin in range(9)]),
            "known_to_hold": [
                self.counted([self.at_least[9 * seat + coin] if seat != self.seat else 0 for coin in range(9)])
                for seat in seats
            ],
        }


SOVEREIGN = Game(SHEET, Sovereign, SovereignView, CARDS, STEPS, ENTRIES, WORDS)
