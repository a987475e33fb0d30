"""Coins and counters of Change for a Sovereign: the hands, the surplus, the cards thrown out, the two pools."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode, turns
from ...engine.core import Seeded, State
from ...engine.types import Card, Clause, Seat
from .notation import PENALTY, POOL, SHEET, SOV_7, SOVEREIGN_CARD, Coins, copies_of


class Holdings(State):
    """What the players hold and what lies on the table, and how counters are paid. The rules say who may do what."""

    HIDDEN = (
        ("surplus_cards", 56, "the surplus from the top, each card by its kind, numbered from 1; 0 for none"),
        ("aside_cards", 56, "the cards thrown out, as they were, by their kinds"),
    )

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.stake = options["stake"]  # SOV-2: the counters of a stake
        self.penalty = options["penalty"]  # SOV-4a: the counters of a penalty
        self.under = options["thrown"] == "under"  # SOV-5a: cards thrown out go under the surplus, not aside
        self.copies = copies_of(options)  # by kind of coin: how many are in the pack
        self.counters = [0] * 11  # by seat: the counters won or lost so far
        self.staked = [0] * 11  # by seat: its counters in the sovereign pool
        self.worth = [0] * 11  # by seat: the sum of the hand, in sixpences
        self.held = [0] * 11  # by seat: the kinds of coin in hand, as a set
        self.hands = [0] * 11  # by seat: how many of each kind are in hand, four bits a kind
        self._surplus = [0] * 64  # the surplus, as a ring that begins at `top`
        self._aside = [0] * 64  # the cards thrown out (thrown: aside)

    def _clear_table(self) -> None:
        """Nobody holds anything, and nothing lies on the table."""
        self.stakes = 0  # the stakes in the general pool,
        self.fines = 0  # and the penalties in it
        self.sovereign_pool = 0  # the sum of `staked`, which a view reads before every decision
        self.top = 0  # where the surplus begins in its ring
        self.surplus_size = 0  # cards in the surplus
        self.aside_size = 0  # cards thrown out
        for seat in range(11):
            self.counters[seat] = 0
            self.staked[seat] = 0
            self.worth[seat] = 0
            self.held[seat] = 0
            self.hands[seat] = 0

    def _encode_hidden(self, buffer: Any, at: int) -> int:
        for place in range(self.surplus_size):
            encode.number(buffer, at + place, self._surplus[(self.top + place) & 63] + 1)
        for place in range(self.aside_size):
            encode.number(buffer, at + 56 + place, self._aside[place] + 1)
        return at + 112

    # the hands, the pack, the surplus, and the cards thrown out

    def _tell_coins(self, coins: Coins) -> None:
        while coins:
            coin = bitset.lowest(coins) >> 2
            self._tell_item(coin)
            coins -= bitset.one(4 * coin)

    def coins_of(self, seat: Seat) -> list[Card]:
        """The coins of a hand, each as often as it is there."""
        return [coin for coin in range(9) for _ in range((self.hands[seat] >> (4 * coin)) & 15)]

    def _gather_pack(self) -> None:
        """Put all 56 cards into the pack."""
        at = 0
        for coin in range(9):
            for copy in range(self.copies[coin]):
                self._pack[at] = coin
                at += 1

    def _lay_surplus(self, first: int, end: int) -> None:
        """Make a surplus of these cards of the pack; no cards are thrown out now."""
        for at in range(first, end):
            self._surplus[at - first] = self._pack[at]
        self.top = 0
        self.surplus_size = end - first
        self.aside_size = 0

    def _shuffle_unseen(self, luck: Seeded) -> None:
        # sort them first, so that nothing of the true order is left
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

    def where(self) -> dict[str, list[Card]]:
        places = {f"hand {seat}": self.coins_of(seat) for seat in range(self.players)}
        places["surplus"] = [self._surplus[(self.top + at) & 63] for at in range(self.surplus_size)]
        places["aside"] = [self._aside[at] for at in range(self.aside_size)]
        places["pools"] = [self.stakes + self.fines, self.sovereign_pool]
        return places

    # counters: the general pool holds stakes and penalties, the sovereign pool the stakes of the dealers

    def _take_stakes(self, dealer: Seat) -> None:
        """SOV-2: all players stake in the general pool, and the dealer in the sovereign pool too."""
        for seat in range(self.players):
            self.counters[seat] -= self.stake
        self.stakes = self.players * self.stake
        self.counters[dealer] -= self.stake
        self.staked[dealer] += self.stake
        self.sovereign_pool += self.stake

    def _return_stakes(self) -> None:
        """SOV-12: give the stakes in the general pool back; penalties stay in it."""
        for seat in range(self.players):
            self.counters[seat] += self.stake
        self.stakes = 0

    def _fine(self, seat: Seat, clause: Clause) -> None:
        """SOV-4a, SOV-11: pay a penalty to the general pool."""
        self.counters[seat] -= self.penalty
        self.fines += self.penalty
        self._tell(PENALTY, seat, self.penalty, clause, 0)

    def _give_pools(self, seat: Seat) -> None:
        """SOV-7: the player who gives change takes the general pool."""
        self.counters[seat] += self.stakes + self.fines
        self._tell(POOL, seat, self.stakes + self.fines, 0, SOV_7)
        self.stakes = 0
        self.fines = 0
        # SOV-7: with the sovereign card also the sovereign pool, which otherwise stays and grows
        if self.held[seat] & bitset.one(SOVEREIGN_CARD):
            self.counters[seat] += self.sovereign_pool
            self._tell(POOL, seat, self.sovereign_pool, 1, SOV_7)
            self.sovereign_pool = 0
            for other in range(self.players):
                self.staked[other] = 0

    def _empty_pools(self, dealer: Seat) -> None:
        """SOV-13: return an unclaimed sovereign pool to those who staked it, and share out penalties left over."""
        for seat in range(self.players):
            self.counters[seat] += self.staked[seat]
            self.staked[seat] = 0
        self.sovereign_pool = 0
        for seat in range(self.players):
            self.counters[seat] += self.fines // self.players
        self.fines = self.fines % self.players
        # the remainder goes one counter at a time from the last dealer's left
        seat = dealer
        while self.fines:
            seat = turns.left(seat, self.players)
            self.counters[seat] += 1
            self.fines -= 1

    def _score_of(self, seat: Seat) -> float:
        return self.counters[seat]  # SOV-13: the most counters win; equal ones share
