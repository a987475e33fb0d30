"""Heraldry, from its sheet."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .log import Log, best

PACK = [suit + rank for suit in "SCXD" for rank in [*map(str, range(1, 11)), "C", "J"]]


def value(card: str) -> int:
    return int(card[1:]) if card[1:].isdigit() else 10


def adds_up(cards: list[str], wanted: int) -> bool:
    """Whether some of the cards add up to a value."""
    sums = {0}
    for card in cards:
        sums |= {found + value(card) for found in sums}
    return wanted in sums


def in_groups(values: list[int], wanted: int) -> bool:
    """Whether all of these can be put into groups that add up to a value each."""
    if not values:
        return True
    first, rest = values[0], values[1:]

    def filled(missing: int, start: int, taken: frozenset[int]) -> bool:
        if missing == 0:
            return in_groups([each for place, each in enumerate(rest) if place not in taken], wanted)
        places = [place for place in range(start, len(rest)) if rest[place] <= missing]
        return any(filled(missing - rest[place], place + 1, taken | {place}) for place in places)

    return first <= wanted and filled(wanted - first, 0, frozenset())


def read(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    log, players = Log(record), record["players"]
    options = {"first": "highest", "discard": "unable", "deal_limit": 0} | record["options"]  # as in rules version 1
    dealer, deals, totals = log.next("dealer")[1], 0, [0] * players
    while True:
        deals += 1
        first = Deal(log, players, options, dealer, totals).play()
        if max(totals) >= 21 and options["first"] == "order":
            winners = [first]
            break
        winners = best(totals)
        if (max(totals) >= 21 and len(winners) == 1) or deals == options["deal_limit"]:
            break
        dealer = (dealer - 1) % players
    log.end()
    return totals, winners


class Deal:
    """One deal of the whole pack; `totals` go on from deal to deal."""

    def __init__(self, log: Log, players: int, options: dict[str, Any], dealer: int, totals: list[int]) -> None:
        self.log, self.players, self.options, self.totals = log, players, options, totals
        self.pack = log.pack("deal", PACK)
        self.order = [(dealer - after) % players for after in range(1, players + 1)]
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.table: list[str] = []
        self.won: list[list[str]] = [[] for _ in range(players)]
        self.sweeps = [0] * players
        self.last: int | None = None
        self.first = -1  # the first to come to 21 in the count

    def play(self) -> int:
        while self.pack:
            self.hand_out()
            while any(self.hands):
                for seat in self.order:
                    if self.hands[seat]:
                        self.turn(seat)
        if self.table and self.last is not None:
            _, seat, cards, clause = self.log.next("sweep")
            assert (seat, clause) == (self.last, "HER-8") and Counter(cards) == Counter(self.table)
            self.won[self.last] += self.table
        self.count()
        return self.first

    def drawn(self, count: int) -> list[str]:
        taken, self.pack = self.pack[:count], self.pack[count:]
        return taken

    def hand_out(self) -> None:
        share = self.options["last_deal"] == "share"
        each = min(4, len(self.pack) // self.players) if share else 4
        opening = len(self.pack) == 48
        for _ in range(each):
            for seat in self.order:
                self.hands[seat] += self.drawn(1)
        if opening:
            self.table += self.drawn(4)
        if len(self.pack) < self.players * (1 if share else 4):  # there is no further deal
            self.table += self.drawn(48)

    def turn(self, seat: int) -> None:
        entry = self.log.next("capture", "discard")
        hand, card = self.hands[seat], entry[2]
        assert entry[1] == seat and card in hand
        if entry[0] == "discard":
            assert self.options["discard"] == "free" or not any(adds_up(self.table, value(mine)) for mine in hand)
            hand.remove(card)
            self.table.append(card)
            return
        taken: list[str] = entry[3]
        assert taken and len({*taken}) == len(taken) and {*taken} <= {*self.table}
        assert in_groups([value(each) for each in taken if value(each) != value(card)], value(card))
        left = [each for each in self.table if each not in taken]
        assert self.options["capture"] == "choice" or not adds_up(left, value(card))
        hand.remove(card)
        self.won[seat] += [card, *taken]
        self.table, self.last = left, seat
        self.sweeps[seat] += not left

    def score(self, seat: int, points: int, clause: str) -> None:
        self.log.expect("score", seat, points, clause)
        self.totals[seat] += points
        if self.first < 0 and self.totals[seat] >= 21:
            self.first = seat

    def count(self) -> None:
        diamonds = [sum(card[0] == "D" for card in cards) for cards in self.won]
        for counted, points, clause in (([*map(len, self.won)], 3, "HER-9"), (diamonds, 1, "HER-10")):
            if len(best(counted)) == 1:
                self.score(best(counted)[0], points, clause)
        for card, points, clause in ((f"X{self.options['knight']}", 2, "HER-11"), ("SJ", 1, "HER-12")):
            for seat in range(self.players):
                if card in self.won[seat]:
                    self.score(seat, points, clause)
        for seat in range(self.players):
            if crowns := sum(card[1] == "C" for card in self.won[seat]):
                self.score(seat, crowns, "HER-13")
        if self.options["twelfth"] == "last_trick" and self.last is not None:
            self.score(self.last, 1, "HER-14")
        if self.options["twelfth"] == "sweep":
            for seat in range(self.players):
                if self.sweeps[seat]:
                    self.score(seat, self.sweeps[seat], "HER-14")
        self.log.expect("total", self.totals)
