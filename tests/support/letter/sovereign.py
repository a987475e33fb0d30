"""Change for a Sovereign, from its sheet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from .log import Log, best

PENCE = {"HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1}
COUNTS = {"SOV": 1, "HG": 1, "HS": 2, "CR": 4, "HC": 8, "FL": 10, "SH": 15}


def exact(cards: list[str]) -> bool:
    return "SOV" not in cards and sum(PENCE[card] for card in cards) == 240


def able(hand: list[str]) -> bool:
    """Whether some cards of a hand are exact change."""
    return any(exact([*some]) for count in range(1, 6) for some in combinations(hand, count))


def read(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    return Sitting(record).play()


class Sitting:
    """All games of a sitting."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.log, self.players = Log(record), record["players"]
        self.options: dict[str, Any] = {"ends": "games"} | record["options"]  # as in rules version 1
        self.fined = self.options["mistakes"] == "penalised"
        self.counters = [0] * self.players
        self.general = 0
        self.staked = [0] * self.players  # what each has put in the sovereign pool
        small = {"sixpence": "6D", "penny": "1D"}[self.options["small_coin"]]
        self.pack = [coin for coin, count in (COUNTS | {small: 15}).items() for _ in range(count)]
        self.hands: list[list[str]] = []
        self.surplus: list[str] = []
        self.thrown: list[str] = []

    def play(self) -> tuple[list[int], list[int]]:
        dealer = self.log.next("dealer")[1]
        last = dealer
        for _ in range(self.options["games"]):
            taken = self.game(dealer)
            last, dealer = dealer, (dealer + 1) % self.players
            if taken and self.options["ends"] == "pool":
                break
        self.log.end()
        for seat in range(self.players):
            self.counters[seat] += self.staked[seat]
        for place in range(self.general):
            self.counters[(last + 1 + place) % self.players] += 1
        return self.counters, best(self.counters)

    def game(self, dealer: int) -> bool:
        """Play a game; whether the sovereign pool was taken."""
        stake, players = self.options["stake"], self.players
        for seat in range(players):
            self.counters[seat] -= stake
        self.general += stake * players
        self.counters[dealer] -= stake
        self.staked[dealer] += stake
        pack = self.log.pack("deal", self.pack)
        self.hands = [pack[(seat - dealer - 1) % players : 5 * players : players] for seat in range(players)]
        self.surplus, self.thrown = pack[5 * players :], []
        rounds = self.options["rounds"]
        if rounds == "auto":
            rounds = min(3, max(1, len(self.surplus) // players))
        for number in range(1, self.options["round_limit"] + 1):
            for after in range(1, players + 1):
                seat = (dealer + after) % players
                sources = ("surplus", "neighbour") if number > rounds or players == 11 else ("surplus",)
                if self.turn(seat, sources):
                    return self.won(seat)
        self.log.expect("void", "SOV-12")
        for seat in range(players):
            self.counters[seat] += stake
        self.general -= stake * players
        return False

    def turn(self, seat: int, sources: tuple[str, ...]) -> bool:
        """A turn; whether change was given."""
        hand, thrown, wrong = self.hands[seat], False, False
        while True:
            forced = self.options["change"] == "must" and able(hand) and not wrong
            others = ["throw"] * (not thrown) + ["take"] * (self.fined and not thrown)
            if forced:
                kinds = ["change"]
            else:
                kinds = ["change"] * (not wrong and (self.fined or able(hand))) + others
            if not kinds:
                return False  # nothing can be done, and nothing is written
            entry = self.log.next(*kinds, *(() if forced else ("leave",)))
            assert entry[1] == seat
            if entry[0] == "leave":
                return False
            if entry[0] == "change":
                assert entry[2] and not Counter(entry[2]) - Counter(hand)
                if exact(entry[2]):
                    return True
                assert self.fined and not forced
                self.fine(seat, "SOV-4a")
                wrong = True
            elif entry[0] == "take":
                assert entry[2] in sources
                self.fine(seat, "SOV-11")
                return False
            else:
                self.swap(seat, entry[2], sources)
                thrown, wrong = True, False

    def fine(self, seat: int, clause: str) -> None:
        self.log.expect("penalty", seat, self.options["penalty"], clause)
        self.counters[seat] -= self.options["penalty"]
        self.general += self.options["penalty"]

    def swap(self, seat: int, card: str, sources: tuple[str, ...]) -> None:
        """Throw out a card, and take one."""
        self.hands[seat].remove(card)
        (self.surplus if self.options["thrown"] == "under" else self.thrown).append(card)
        _, who, source = self.log.next("take")
        assert who == seat and source in sources
        if source == "surplus":
            self.hands[seat].append(self.top())
            return
        right = (seat - 1) % self.players
        _, who, whose, drawn = self.log.next("draw")
        assert (who, whose) == (seat, right)
        self.hands[right].remove(drawn)
        self.hands[seat].append(drawn)
        self.hands[right].append(self.top())

    def top(self) -> str:
        if not self.surplus:
            self.surplus, self.thrown = self.log.pack("surplus", self.thrown), []
        return self.surplus.pop(0)

    def won(self, seat: int) -> bool:
        """The pools are taken; whether the sovereign pool is."""
        self.log.expect("pool", seat, self.general, "general", "SOV-7")
        self.counters[seat] += self.general
        self.general = 0
        if "SOV" not in self.hands[seat]:
            return False
        self.log.expect("pool", seat, sum(self.staked), "sovereign", "SOV-7")
        self.counters[seat] += sum(self.staked)
        self.staked = [0] * self.players
        return True
