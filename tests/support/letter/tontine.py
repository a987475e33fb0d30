"""Tontine, from its pages."""

from __future__ import annotations

from typing import Any

from .log import Log

PACK = [rank + suit for rank in ["A", *map(str, range(2, 11)), "J", "Q", "K"] for suit in "CDHS"]
DRAWS = {"K": 3, "Q": 2, "J": 1}
GIVES = {"A": 1, "2": 2, "3": 3}
PAYS = {"4": 2, "6": 2, "8": 2, "5": 1, "7": 1, "9": 1}


def read(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    return Party(record).play()


class Party:
    """From the stakes to the last one living."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.log, self.players = Log(record), record["players"]
        self.together = record["options"]["settle"] == "together"
        self.counters = [record["options"]["stake"] - 3] * self.players
        self.box = 3 * self.players
        self.last_out = -1  # the last to pay the last counter

    def play(self) -> tuple[list[int], list[int]]:
        dealer = self.log.next("dealer")[1]
        while True:
            living = [seat for seat in range(self.players) if self.counters[seat]]
            self.log.expect("turn", dealer)
            self.deal(
                [seat for after in range(1, self.players + 1) if (seat := (dealer - after) % self.players) in living]
            )
            now = [seat for seat in range(self.players) if self.counters[seat]]
            for kind, seats, clause in (
                ("dead", [seat for seat in living if seat not in now], "TON-10"),
                ("revived", [seat for seat in now if seat not in living], "TON-11"),
            ):
                for seat in seats:
                    self.log.expect(kind, seat, clause)
            if len(now) <= 1:
                break
            dealer = next(
                seat for after in range(1, self.players + 1) if (seat := (dealer - after) % self.players) in now
            )
        winner = now[0] if now else self.last_out
        if self.box:
            self.log.expect("pay", "box", winner, self.box, "TON-14")
            self.counters[winner] += self.box
        self.log.end()
        return self.counters, [winner]

    def deal(self, order: list[int]) -> None:
        cards: list[str] = self.log.next("deal")[1]
        assert len({*cards}) == len(cards) == len(order) and {*cards} <= {*PACK}
        ranks = [card[:-1] for card in cards]
        dues = [*zip(order, ranks, strict=True)]
        if not self.together:
            for seat, rank in dues:
                self.pay(seat, rank, self.counters[seat], later=None)
                self.draw(seat, rank)
            return
        received: list[tuple[int, int]] = []
        before = list(self.counters)
        for seat, rank in dues:
            self.pay(seat, rank, before[seat], received)
        for seat, counters in received:
            self.counters[seat] += counters
        for seat, rank in dues:
            self.draw(seat, rank)

    def pay(self, seat: int, rank: str, has: int, later: list[tuple[int, int]] | None) -> None:
        """What a card gives to a neighbour or puts in the box, from what the player has."""
        due = min(has, GIVES.get(rank, 0) + PAYS.get(rank, 0))
        if not due:
            return
        self.counters[seat] -= due
        if not self.counters[seat]:
            self.last_out = seat
        if rank in PAYS:
            self.box += due
            self.log.expect("pay", seat, "box", due, "TON-8")
            return
        other = (seat + GIVES[rank]) % self.players
        self.log.expect("pay", seat, other, due, "TON-7")
        if later is None:
            self.counters[other] += due
        else:
            later.append((other, due))

    def draw(self, seat: int, rank: str) -> None:
        """What a king, queen or knave draws from the box."""
        if due := min(self.box, DRAWS.get(rank, 0)):
            self.log.expect("pay", "box", seat, due, "TON-5")
            self.box -= due
            self.counters[seat] += due
