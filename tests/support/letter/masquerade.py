"""The Masquerade Game, from its sheet."""

from __future__ import annotations

from typing import Any

from .log import Log, best

PACK = [suit + str(number) for suit in "MRID" for number in range(1, 9)]


class Over(Exception):
    """Somebody has 32 points."""


def number(card: str) -> int:
    return int(card[1])


def read(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    log, players = Log(record), record["players"]
    options = {"number_one": "always", "first_lead": "left"} | record["options"]  # as in rules version 1
    dealer = log.pack("divide", PACK).index("M1") % players
    games, points = [0] * players, [0] * players
    for _ in range(options["games"]):
        dealer = Game(log, players, options, dealer, points).play()
        games[dealer] += 1
    log.end()
    first = best(points, best(games))
    return points, [dealer] if dealer in first else first  # the last winner would deal next


class Game:
    """One game to 32 points; `points` are those of all games."""

    def __init__(self, log: Log, players: int, options: dict[str, Any], dealer: int, points: list[int]) -> None:
        self.log, self.players, self.options, self.dealer, self.points = log, players, options, dealer, points
        self.scores = [0] * players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        for place, card in enumerate(log.pack("deal", PACK)):
            self.hands[(dealer + 1 + place) % players].append(card)
        self.one_played = False
        self.trick: list[tuple[int, str]] = []

    def play(self) -> int:
        """Play it, and return its winner."""
        lead = self.dealer if self.options["first_lead"] == "dealer" else (self.dealer + 1) % self.players
        try:
            while True:
                while not (leads := {card for card in self.hands[lead] if card not in ("M1", "M2", "M3", "M4")}):
                    self.log.expect("skip", lead, "MASQ-6")
                    lead = (lead + 1) % self.players
                self.trick = []
                self.lay(lead, leads)
                for after in range(1, self.players):
                    self.turn((lead + after) % self.players)
                self.take((lead - 1) % self.players)
                lead = (lead + 1) % self.players
        except Over:
            return self.scores.index(max(self.scores))

    def score(self, seat: int, points: int, clause: str) -> None:
        self.log.expect("score", seat, points, clause)
        self.scores[seat] += points
        self.points[seat] += points
        if self.scores[seat] >= 32:
            self.log.expect("game", seat)
            raise Over

    def lay(self, seat: int, able: set[str]) -> None:
        _, who, card = self.log.next("play")
        self.log.at -= 1
        self.log.check(who == seat and card in able, (seat, able))
        self.log.at += 1
        self.hands[seat].remove(card)
        before = self.trick[-1][1] if self.trick else ""
        self.trick.append((seat, card))
        if before == card[0] + str(number(card) + 1):
            self.score(seat, 2, "MASQ-16")
        if card == "M1" and not self.one_played:
            self.one_played = True
            self.score(seat, 5, "MASQ-15")

    def able(self, hand: list[str]) -> set[str]:
        """What may be laid upon the trick from a hand."""
        cards = [card for _, card in self.trick]
        suit, following = cards[0][0], self.options["following"]
        masks = [card for card in hand if card[0] == "M"]
        same = [card for card in hand if card[0] == suit]
        if following == "suit":
            return {*same, *masks}
        top = min(number(card) for card in cards if card[0] == suit)
        climbing = {card for card in same if number(card) < top}
        if climbing:
            next_up = cards[-1][0] + str(number(cards[-1]) - 1)
            return {next_up} if following == "strict" and next_up in climbing else climbing
        if masks:
            return {max(masks, key=number)} if following == "strict" else set(masks)
        return set(same)

    def turn(self, seat: int) -> None:
        able = self.able(self.hands[seat])
        if not able and self.exchanges(seat):
            able = self.able(self.hands[seat])
        if able:
            self.lay(seat, able)
        else:
            self.log.expect("skip", seat, "MASQ-10")

    def exchanges(self, seat: int) -> bool:
        left = (seat + 1) % self.players
        entry = self.log.next("give", "decline")
        assert entry[1] == seat
        if entry[0] == "decline":
            return False
        mine, theirs = self.hands[seat], self.hands[left]
        mine.remove(entry[2])
        if self.options["exchange"] == "blind":
            _, who, whose, card = self.log.next("draw")
            assert (who, whose) == (seat, left)
        else:
            _, who, card = self.log.next("return")
            assert who == left
        theirs.remove(card)  # from the hand as it was before the gift
        mine.append(card)
        theirs.append(entry[2])
        self.score(left, 1, "MASQ-17")
        return True

    def take(self, last_seat: int) -> None:
        """The trick is taken, and those who played draw."""
        suit = self.trick[0][1][0]

        def rank(card: str) -> tuple[bool, bool, int]:
            return card[0] == "M", card[0] == suit, -number(card)

        placer, last = self.trick[-1]
        highest = len(self.trick) > 1 and all(rank(last) > rank(card) for _, card in self.trick[:-1])
        if self.options["last"] == "seat":
            highest = highest and placer == last_seat
        played = dict(self.trick)
        with_one = next((seat for seat, card in self.trick if card == "M1"), None)
        if with_one is not None and self.options["number_one"] == "always":
            taker, clause = with_one, "MASQ-15"
        elif highest:
            taker, clause = placer, "MASQ-11"
        else:
            taker, clause = self.dealer, "MASQ-18"
        self.log.expect("take", taker, clause)
        if clause != "MASQ-18":
            self.score(taker, 3, clause)
        self.hands[taker] += played.values()
        for after in range(1, self.players):
            seat = (taker + after) % self.players
            if seat in played:
                _, who, whose, card = self.log.next("draw")
                assert (who, whose) == (seat, taker)
                self.hands[taker].remove(card)
                self.hands[seat].append(card)
                if card == played[seat]:
                    self.score(seat, 4, "MASQ-13")
        assert {len(hand) for hand in self.hands} == {32 // self.players}
