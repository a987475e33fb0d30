"""Change for a Sovereign (J. Evans and Sons, London, 1865): 56 coin cards, two pools, two to eleven players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, turns
from ...engine.core import Seeded, emphasise
from ...engine.errors import Refusal
from ...engine.messages import Message, say
from ...engine.types import Card, Clause, Seat, Step, Steps
from . import notation
from .holdings import Holdings
from .notation import (
    AFTER,
    CHANGE,
    CHANGE_PENCE,
    CHANGE_UNITS,
    CHOOSING,
    CODES,
    DEAL,
    DEALER,
    DEALING,
    DRAW,
    DRAWING,
    EACH,
    HAND,
    LEAVE,
    MAKING_UP,
    PICK,
    REFILLING,
    SHEET,
    SOV_4A,
    SOV_5,
    SOV_6,
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
    TOPS,
    VOID,
    Coins,
)
from .pack import FORMS

PENCE = notation.PENCE
UNITS = notation.UNITS
ROUND = "A card may be drawn from the neighbour's hand only from round {round} on."


def sums_of(coins: Coins) -> int:
    """The sums up to a sovereign that some of these coins make, in sixpences, as bits."""
    # SOV-8: the sovereign card is never part of the change; like a penny it counts 0 sixpences
    sums = 1
    while coins:
        coin = bitset.lowest(coins) >> 2
        sums |= (sums << UNITS[coin]) & SUMS
        coins -= bitset.one(4 * coin)
    return sums


def coin_at(coins: Coins, at: int) -> Card:
    """The coin at this place of a hand in order: the lowest that with those below it makes more than so many."""
    return bitset.lowest((bitset.low(coins, EACH) + (7 - at) * EACH) & TOPS) >> 2


def reaches(coins: Coins, need: int) -> bool:
    """Whether some of these coins make `need` sixpences."""
    return need >= 0 and (sums_of(coins) >> need) & 1 != 0


class Sovereign(Holdings):
    """A sitting of several games: the deal, the turn, the change, and the end."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        super().__init__(players, options, rules)
        self.games = options["games"]  # SOV-13: how many games make a sitting at the most
        self.until_taken = options["ends"] == "pool"  # SOV-13: the sitting ends when the sovereign pool is taken
        self.round_limit = options["round_limit"]  # SOV-12: the rounds after which a game is void
        self.must = options["change"] == "must"  # SOV-4: a player who can give change must
        self.penalised = options["mistakes"] == "penalised"  # SOV-4a: mistakes are possible and cost a penalty
        # SOV-6, rounds: auto – the size of the surplus as dealt ÷ players, at least 1, at most 3
        surplus = 56 - 5 * players
        rounds = options["rounds"]
        self.rounds = max(1, min(3, surplus // players)) if rounds == "auto" else rounds  # before a neighbour is open
        # SOV-9: eleven players have the choice at once, regardless of `rounds`
        if players == 11:
            self.rounds = 0

    # the deal

    def _start(self) -> None:
        self.game = 0  # games finished
        self.round = 0  # rounds finished in this game
        self.first = 0  # the seat that began this game
        self.actor = -1  # the seat that takes a card, also while chance decides which
        self.erred = False  # SOV-4a: whether the seat to act has offered wrongly in this turn
        self.offered = 0
        self.dealer = -1  # the seat that deals
        self._clear_table()
        self._clear_offer()
        # SOV-3: the first dealer is found by chance
        self.stage = CHOOSING  # the stage of the game (`STAGES`)
        self._await_one(DEALER, bitset.one(self.players) - 1)

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

    def _begin_game(self) -> None:
        """Take the stakes, and ask for the deal."""
        # SOV-2: all players stake in the general pool, and the dealer in the sovereign pool too
        self._take_stakes(self.dealer)
        self.stage = DEALING
        self._begin_deal()
        self._gather_pack()
        self._await_order(DEAL, 56, 56)

    def _lay_out(self) -> None:
        """SOV-3: deal five cards to each, one at a time from the dealer's left; the rest is the surplus, face down."""
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
        self._lay_surplus(5 * self.players, 56)
        self.round = 0
        # SOV-4: the player at the dealer's left begins
        self.first = turns.left(self.dealer, self.players)
        self.seat = self.first
        self.stage = STARTING
        self.erred = False

    # a hand is a word: for each kind of coin, four bits count its copies; `held` has a bit per kind, `worth` the sum

    def _gain_coin(self, seat: Seat, coin: Card) -> None:
        self.hands[seat] += bitset.one(4 * coin)
        self.held[seat] |= bitset.one(coin)
        self.worth[seat] += UNITS[coin]

    def _lose_coin(self, seat: Seat, coin: Card) -> None:
        self.hands[seat] -= bitset.one(4 * coin)
        last = not (self.hands[seat] >> (4 * coin)) & 15
        self.held[seat] &= ~(last << coin)
        self.worth[seat] -= UNITS[coin]

    # the turn

    def _choices(self) -> Steps:
        self.base = 0
        if self.seat < 0:
            return 0
        if self.stage == TAKING:
            # SOV-5: pick up one of the surplus; SOV-6: or draw from the preceding player's hand
            return bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self._neighbour_allowed() else 0)
        if self.stage == STARTING and not self.penalised and self.worth[self.seat] < CHANGE_UNITS:
            # SOV-5: a player who cannot give change may throw out a card, or leave the hand as it is
            return (self.held[self.seat] << STEP_THROW) | bitset.one(STEP_LEAVE)
        return self._other_choices()

    def _other_choices(self) -> Steps:
        """The legal steps where change may be offered, exact or not."""
        if self.unfinished:
            # SOV-4a, mistakes: prevented – only exact change can be offered; penalised – any cards can
            return self._exact_offers() if self.exact else self._any_offers() | bitset.one(STEP_DONE)
        can = self._can_change(self.seat)
        if can and self.must:
            # SOV-4, change: must – a player who can give change may do nothing else
            return self._exact_offers()
        # SOV-5: a player may also leave the hand as it is
        steps = bitset.one(STEP_LEAVE)
        if self.penalised:
            if not self.erred:
                steps |= self._any_offers()
        elif can:
            steps |= self._exact_offers()
        if self.stage == STARTING:
            # SOV-5: a player who will not give change may throw out a card
            steps |= self.held[self.seat] << STEP_THROW
            if self.penalised:
                # SOV-11, mistakes: penalised – a card can be taken too early, before one is thrown out
                steps |= bitset.one(STEP_SURPLUS) | (bitset.one(STEP_NEIGHBOUR) if self._neighbour_allowed() else 0)
        return steps

    def _neighbour_allowed(self) -> bool:
        """SOV-6: after `rounds` rounds the neighbour's hand may be drawn from; SOV-9: with eleven players at once."""
        return self.round >= self.rounds

    def _apply(self, step: Step) -> None:
        if step < STEP_THROW:
            self._offer(step)
            return
        self.moves += 1
        if step < STEP_SURPLUS:
            self._throw_out(step - STEP_THROW)
        elif step == STEP_LEAVE:
            if self.journal is not None:
                self._tell(LEAVE, self.seat, 0, 0, 0)
            self._next_turn()
        else:
            if self.journal is not None:
                clause = SOV_5 if step == STEP_SURPLUS else SOV_6
                self._tell(TAKE, self.seat, step - STEP_SURPLUS, SOV_11 if self.stage == STARTING else clause, 0)
            if self.stage == STARTING:
                # SOV-11: taking before throwing out costs a penalty and the turn; the card goes back unseen
                self._fine(self.seat, SOV_11)
                self._next_turn()
            elif step == STEP_SURPLUS:
                self._take_surplus()
            else:
                self._take_neighbour()

    def _next_turn(self) -> None:
        """SOV-4: pass the turn to the left. SOV-12: a game ends after `round_limit` rounds."""
        self.stage = STARTING
        self.erred = False
        self.seat = turns.left(self.seat, self.players)
        if self.seat == self.first:
            self.round += 1
            if self.round == self.round_limit:
                # SOV-12: nobody gave change: the game is void, stakes go back, penalties stay for the next game's pool
                self._tell(VOID, SOV_12, 0, 0, 0)
                self.cut = True
                self._return_stakes()
                self._end_game()

    # the change

    def _can_change(self, seat: Seat) -> bool:
        """SOV-4: whether some cards of a hand make exactly 240d."""
        return self.worth[seat] >= CHANGE_UNITS and reaches(self.hands[seat], CHANGE_UNITS)

    def _exact_offers(self) -> Steps:
        """The coins that can be offered next so that exact change can still be made."""
        found = 0
        rest = self.hands[self.seat] - self.offer
        coins = rest
        while coins:
            coin = bitset.lowest(coins) >> 2
            coins &= ~(bitset.one(4 * coin) * 15)
            if UNITS[coin] and reaches(rest - bitset.one(4 * coin), CHANGE_UNITS - self.offered - UNITS[coin]):
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

    def _offer(self, step: Step) -> None:
        """SOV-4: lay down one coin of the change, or end an offer."""
        if step == STEP_DONE:
            self._settle_offer()
            return
        if not self.unfinished:
            self.exact = not self.penalised or (self.must and self._can_change(self.seat))
        self.offer += bitset.one(4 * step)
        self.unfinished += 1
        self.offered += UNITS[step]
        if self.exact and self.offered == CHANGE_UNITS:
            self._settle_offer()

    def _settle_offer(self) -> None:
        """SOV-4: give change; or, under mistakes: penalised, pay for a wrong offer."""
        self.moves += 1
        self._tell(CHANGE, self.seat, 0, 0, 0)
        self._tell_coins(self.offer)
        total = 0
        for coin in range(9):
            total += ((self.offer >> (4 * coin)) & 15) * PENCE[coin]
        # SOV-8: an offer that contains the sovereign card is a mistake
        if total == CHANGE_PENCE and not self.offer & 15:
            self._clear_offer()
            self._win()
            return
        self._clear_offer()
        # SOV-4a: the player takes the cards back and pays, and may not offer again before throwing out and taking
        self._fine(self.seat, SOV_4A)
        if self.stage == AFTER:
            self._next_turn()
        else:
            self.erred = True

    def _clear_offer(self) -> None:
        """Forget the steps of an unfinished offer."""
        self.offer = 0  # the coins offered, in an unfinished move
        self.offered = 0  # their sum in sixpences
        self.exact = False  # whether the offer must make exact change (SOV-4, SOV-4a)
        self.unfinished = 0

    # throwing out and taking

    def _throw_out(self, coin: Card) -> None:
        """SOV-5: throw out a card, face down."""
        if self.journal is not None:
            self._tell(THROW, self.seat, coin, 0, 0)
        self._lose_coin(self.seat, coin)
        if self.under:
            # SOV-5a, thrown: under – it goes to the bottom of the surplus
            self._surplus[(self.top + self.surplus_size) & 63] = coin
            self.surplus_size += 1
        else:
            self._aside[self.aside_size] = coin
            self.aside_size += 1
        self.stage = TAKING

    def _take_surplus(self) -> None:
        """SOV-5: pick up a card of the surplus."""
        self.actor = self.seat
        if self.surplus_size:
            self._pick_up(self.seat, SOV_5)
            self._after_take()
        else:
            self._ask_surplus(REFILLING)

    def _take_neighbour(self) -> None:
        """SOV-6: or draw a card, unseen, from the hand of the player at the right."""
        self.actor = self.seat
        seat = turns.right(self.seat, self.players)
        for at in range(5):
            self._pack[at] = coin_at(self.hands[seat], at)
        self.stage = DRAWING
        self._await_order(DRAW, 5, 1)

    def _drawn_from_neighbour(self) -> None:
        seat = turns.right(self.actor, self.players)
        if self.journal is not None:
            self._tell(DRAW, self.actor, seat, self._pack[0], 0)
        self._exchange(self.actor, seat, self._pack[0])
        # SOV-10: a player who loses a card makes up the hand from the surplus at once
        if self.surplus_size:
            self._pick_up(seat, SOV_10)
            self._after_take()
        else:
            self._ask_surplus(MAKING_UP)

    def _exchange(self, seat: Seat, other: Seat, coin: Card) -> None:
        """SOV-6: take a coin from another hand."""
        self._lose_coin(other, coin)
        self._gain_coin(seat, coin)

    def _ask_surplus(self, stage: int) -> None:
        """SOV-5a: ask for a new surplus, as it is empty and a card is needed."""
        self.stage = stage
        for at in range(self.aside_size):
            self._pack[at] = self._aside[at]
        self._await_order(SURPLUS, self.aside_size, self.aside_size)

    def _new_surplus(self) -> None:
        """SOV-5a, thrown: aside – the cards thrown out make a new surplus, including the card just thrown."""
        self._tell(SURPLUS, 0, 0, 0, 0)
        self._tell_pack(self.size)
        self._lay_surplus(0, self.size)
        if self.stage == REFILLING:
            self._pick_up(self.actor, SOV_5)
        else:
            self._pick_up(turns.right(self.actor, self.players), SOV_10)
        self._after_take()

    def _pick_up(self, seat: Seat, clause: Clause) -> None:
        """Move the top card of the surplus to a hand."""
        coin = self._surplus[self.top]
        self.top = (self.top + 1) & 63
        self.surplus_size -= 1
        self._gain_coin(seat, coin)
        if self.journal is not None:
            self._tell(PICK, seat, coin, clause, 0)

    def _after_take(self) -> None:
        """SOV-5: the player may now give change; if there is nothing to decide, the turn passes."""
        self.seat = self.actor
        self.stage = AFTER
        self.erred = False
        if not self.penalised and not self._can_change(self.seat):
            self._next_turn()

    # the score

    def _win(self) -> None:
        """SOV-7: the player who gives change takes the general pool, and with the sovereign card also the other."""
        self._give_pools(self.seat)
        self._end_game()

    # the end

    def _end_game(self) -> None:
        self.seat = -1
        self.game += 1
        # SOV-13, ends: pool – the sovereign pool, in which every dealer stakes, is empty only if it was just taken
        if self.game == self.games or (self.until_taken and not self.sovereign_pool):
            # SOV-13: counters still in the pools go back to the players; the most counters win, and equal ones share
            self.over = True
            self._empty_pools(self.dealer)
        else:
            # SOV-3: the player at the dealer's left deals the next game
            self.dealer = turns.left(self.dealer, self.players)
            self._begin_game()

    # for simulation

    def _play_ahead(self, chance: Seeded, luck: Seeded) -> None:
        while not self.over:
            if self.awaits >= 0:
                chance._serve_all(self)
            elif self.stage == STARTING and not self.penalised and self.worth[self.seat] < CHANGE_UNITS:
                self._play_turns(chance, luck)
            else:
                steps = self._choices()
                self._apply(bitset.nth(steps, luck._below(bitset.count(steps))))

    def _play_turns(self, chance: Seeded, luck: Seeded) -> None:
        """Play whole turns while players cannot give change (SOV-5): what `_choices` and `_apply` do step by step."""
        while self.stage == STARTING and self.seat >= 0 and self.worth[self.seat] < CHANGE_UNITS:
            seat = self.seat
            held = self.held[seat]
            kinds = bitset.count(held)
            drawn = luck._below(kinds + 1)
            self.moves += 1
            if drawn < kinds:
                self._throw_out(bitset.nth(held, drawn))
                if not self.surplus_size:
                    return  # the player takes a card once there is a new surplus
                self.moves += 1
                other = seat
                if self._neighbour_allowed():
                    # no branch on the source, as nobody can foresee it: a hand that gives itself a coin stays as it is
                    neighbour = luck._below(2)
                    other += (turns.right(seat, self.players) - seat) * neighbour
                    self._exchange(seat, other, coin_at(self.hands[other], chance._place(self, 5, neighbour)))
                self._pick_up(other, SOV_5)
                if self.worth[seat] >= CHANGE_UNITS:
                    self.actor = seat
                    self._after_take()
                    continue
            self._next_turn()

    # for search

    def _forecast(self, seat: Seat) -> float:
        # a lead in counters weighs more when fewer games are left to win them back
        least = self.stake * (2 * (self.games - self.game) + self.players)
        chances = 0.0
        for other in range(self.players):
            chances += emphasise(self.counters[other] + least)
        return emphasise(self.counters[seat] + least) / chances

    # refusals and records

    def take_back(self) -> None:
        self._clear_offer()

    def why_not(self, step: Step) -> tuple[str, str]:
        if not 0 <= step < len(STEPS):
            return say("no step", "There is no step {step:text}.", step=step), ""
        if self.stage == TAKING:
            if step == STEP_NEIGHBOUR:
                return say("round", ROUND, round=self.rounds + 1), "SOV-6"
            how = "A card was thrown out: take one first, from the surplus or, where allowed, the neighbour."
            return say("take first", how), "SOV-5"
        if self.must and self._can_change(self.seat) and not self.unfinished and step >= STEP_DONE:
            return say("must", "You can give change for a sovereign, so you must."), "SOV-4"
        if step < STEP_DONE:
            if not self._any_offers() & bitset.one(step):
                how = "You have no {coin:card coin} left to offer."
                return Message("none to offer", how, {"coin": CODES[step]}, FORMS), "SOV-4"
            if self.erred:
                how = "After a wrong offer, throw out a card and take one before you offer again."
                return say("after mistake", how), "SOV-4a"
            if step == SOVEREIGN_CARD:
                return say("no sovereign", "The sovereign card is never part of the change."), "SOV-8"
            return say("not exact", "With that coin the offer cannot make exactly 20s."), "SOV-4"
        if step == STEP_DONE:
            return say("ends itself", "An offer of exact change ends by itself when it makes 20s."), "SOV-4"
        if self.unfinished:
            return say("finish", "Finish the offer, or take it back, before anything else."), "SOV-4"
        if step < STEP_SURPLUS:
            if self.stage == AFTER:
                return say("thrown", "A card has been thrown out and taken in this turn already."), "SOV-5"
            how = "You have no {coin:card coin} to throw out."
            return Message("none to throw", how, {"coin": CODES[step - STEP_THROW]}, FORMS), "SOV-5"
        if self.stage == AFTER:
            return say("one card", "Only one card is taken in a turn."), "SOV-5"
        if step == STEP_NEIGHBOUR and self.penalised:
            return say("round", ROUND, round=self.rounds + 1), "SOV-6"
        return say("throw first", "A card must be thrown out before another is taken."), "SOV-11"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[Step]:
        if kind == "leave":
            return [STEP_LEAVE]
        if kind == "throw":
            return [STEP_THROW + values[1]]
        if kind == "take":
            return [STEP_SURPLUS + values[1]]
        coins = sorted(values[1])
        if not coins:
            raise Refusal(say("empty offer", "An offer of change needs at least one card."), "SOV-4")
        for coin in set(coins):
            if coins.count(coin) > (self.hands[self.seat] >> (4 * coin)) & 15:
                raise Refusal(say("too many", "More coins of a kind are offered than are held."), "SOV-4")
        exact = not self.penalised or (self.must and self._can_change(self.seat))
        if exact and (0 in coins or sum(PENCE[coin] for coin in coins) != CHANGE_PENCE):
            how = "Only exact change can be given: 20s, without the sovereign card."
            raise Refusal(say("exact", how), "SOV-4")
        return coins if exact else [*coins, STEP_DONE]
