"""Tontine: a full pack, a box and counters; nothing to decide, and who outlives the rest wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine import bitset, encode
from ...engine.core import Seeded, State, View
from ...engine.game import CHANCE, CONSEQUENCE, DECISION, Entry, Game
from ...engine.pack import TONTINE as CARDS
from ...engine.pack import codes
from ...sheets.model import sheet

SHEET = sheet("tontine")
TON_5, TON_7, TON_8, TON_10, TON_11, TON_14 = SHEET.numbers("TON-5", "TON-7", "TON-8", "TON-10", "TON-11", "TON-14")

# TON-1: a full pack of 52.
CODES = codes(CARDS)

# Every card moves counters from one place to another; the box is the place after the last seat.
# TON-7: ace, deuce and three to the neighbours; TON-8: four to nine to the box; TON-6: ten nothing; TON-5: knave 1,
# queen 2, king 3 from the box.
DUE = [1, 2, 3, 2, 1, 2, 1, 2, 1, 0, 1, 2, 3]
KNAVE = 10
BOX = 52

STEPS = ["turn"]

DEALER, TURN, DEAL, PAY, DEAD, REVIVED = range(6)
ENTRIES = (
    Entry("dealer", CHANCE, "seat", "TON-4"),
    Entry("turn", DECISION, "seat", "TON-4"),
    Entry("deal", CHANCE, "cards", "TON-4"),
    Entry("pay", CONSEQUENCE, "place place counters clause"),
    Entry("dead", CONSEQUENCE, "seat clause"),
    Entry("revived", CONSEQUENCE, "seat clause"),
)

CHOOSING, TURNING = range(2)


class Tontine(State):
    """One party."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.stake = options["stake"]
        self.together = options["settle"] == "together"
        self.counters = [0] * 53
        self.incoming = [0] * 53
        self.order = [0] * 52
        self.payee = [0] * 676
        for rank in range(13):
            for seat in range(players):
                # TON-7: neighbours by seat, living or dead; TON-5: the courts pay their own player
                to = (seat + rank + 1) % players if rank < 3 else seat if rank >= KNAVE else BOX
                self.payee[52 * rank + seat] = to

    # the stake

    def start(self) -> None:
        self.dealer = -1
        self.winner = -1
        self.last_out = -1
        # TON-2: each takes a stake. TON-3: and first puts three in the box
        for seat in range(52):
            self.counters[seat] = self.stake - 3 if seat < self.players else 0
            self.order[seat] = 0
        self.counters[BOX] = 3 * self.players
        self.living = bitset.one(self.players) - 1
        # TON-4: the first dealer by chance
        self.stage = CHOOSING
        self.await_one(DEALER, self.living)

    # the deal

    def choices(self) -> int:
        self.base = 0
        return 1 if self.seat >= 0 else 0

    def apply(self, step: int) -> None:
        """TON-4: the dealer turns up a card for each of the living."""
        self.moves += 1
        self.begin_deal()
        self.tell(TURN, self.seat, 0, 0, 0)
        # TON-1: the pack is shuffled whole before each deal
        self.await_deal(DEAL, 52, bitset.count(self.living))

    def receive(self) -> None:
        if self.stage == CHOOSING:
            self.dealer = self.drawn
            self.tell(DEALER, self.dealer, 0, 0, 0)
            self.stage = TURNING
            self.seat = self.dealer
        else:
            self.turn_up()

    def turn_up(self) -> None:
        """TON-4: from the dealer's right, the dealer last; only the living."""
        if self.journal is not None:
            self.tell(DEAL, 0, 0, 0, 0)
            self.tell_pack(self.draws)
        # the living counted from the dealer: he is 0, and the player at his right the highest
        rest = (self.living << (self.players - self.dealer)) | (self.living >> self.dealer)
        rest &= bitset.one(self.players) - 1
        for at in range(self.draws):
            seat = bitset.highest(rest)
            rest ^= bitset.one(seat)
            seat += self.dealer
            self.order[at] = seat - self.players if seat >= self.players else seat
        if self.together:
            self.settle_together()
        else:
            self.settle_in_turn()
        self.end_deal()

    # settling

    def pay(self, payer: int, payee: int, paid: int, rank: int) -> None:
        """Tell of a payment; nothing is written for nothing paid."""
        if paid > 0:
            self.tell(PAY, payer, payee, paid, TON_5 if rank >= KNAVE else TON_7 if rank < 3 else TON_8)

    def settle_in_turn(self) -> None:
        """TON-13, settle: in_turn – card by card as dealt."""
        for at in range(self.draws):
            seat = self.order[at]
            rank = self.pack[at] >> 2
            payer = BOX if rank >= KNAVE else seat
            payee = self.payee[52 * rank + seat]
            # TON-12: who has fewer than is due pays what he has; TON-5: and so does the box
            paid = min(DUE[rank], self.counters[payer])
            self.counters[payer] -= paid
            self.counters[payee] += paid
            # not `and`: what a card does is a toss-up, but that it takes the last counter is rare
            if (paid > 0) & (payer == seat) & (self.counters[seat] == 0):
                self.last_out = seat  # TON-14: the last to pay his last counter
            if self.journal is not None:
                self.pay(payer, payee, paid, rank)

    def settle_together(self) -> None:
        """TON-13, settle: together – what all pay is taken first, each from what he had at the start of the deal."""
        for seat in range(53):
            self.incoming[seat] = 0
        for at in range(self.draws):
            seat = self.order[at]
            rank = self.pack[at] >> 2
            if rank >= KNAVE:
                continue
            payee = self.payee[52 * rank + seat]
            # TON-12: who has fewer than is due pays what he has
            paid = min(DUE[rank], self.counters[seat])
            self.counters[seat] -= paid
            self.incoming[payee] += paid
            if paid:
                self.last_out = seat  # TON-14: of those who paid, the last in the order dealt
            if self.journal is not None:
                self.pay(seat, payee, paid, rank)
        for seat in range(53):
            self.counters[seat] += self.incoming[seat]
        # TON-13: then the box serves kings, queens and knaves in the order dealt
        for at in range(self.draws):
            rank = self.pack[at] >> 2
            if rank >= KNAVE:
                paid = min(DUE[rank], self.counters[BOX])
                self.counters[BOX] -= paid
                self.counters[self.order[at]] += paid
                if self.journal is not None:
                    self.pay(BOX, self.order[at], paid, rank)

    # the living and the dead

    def end_deal(self) -> None:
        # TON-10: who has lost all his counters is dead, judged now, at the end of one deal and the start of the next
        now = 0
        for seat in range(self.players):
            alive = self.counters[seat] != 0
            now |= alive << seat
        if now != self.living:
            rest = self.living & ~now
            while rest:
                self.tell(DEAD, bitset.lowest(rest), TON_10, 0, 0)
                rest &= rest - 1
            # TON-11: the dead whom a neighbour's card paid live again, and play from the next deal
            rest = now & ~self.living
            while rest:
                self.tell(REVIVED, bitset.lowest(rest), TON_11, 0, 0)
                rest &= rest - 1
        self.living = now
        self.seat = -1
        if bitset.count(now) <= 1:
            # TON-14: who outlives the rest wins and takes the box; if nobody is left alive, the last who paid
            self.winner = bitset.lowest(now) if now else self.last_out
            if self.counters[BOX]:
                self.tell(PAY, BOX, self.winner, self.counters[BOX], TON_14)
            self.counters[self.winner] += self.counters[BOX]
            self.counters[BOX] = 0
            self.over = True
        else:
            # TON-9: the deal passes to the right, to the next living
            rest = now & (bitset.one(self.dealer) - 1)
            self.dealer = bitset.highest(rest if rest else now)
            self.seat = self.dealer

    def gain(self, seat: int) -> float:
        return self.counters[seat]

    def hope(self, seat: int) -> float:
        if self.over:
            return 1.0 if seat == self.winner else 0.0
        # nobody decides anything: the more counters among the living, the longer one lives
        held: float = self.players * self.stake - self.counters[BOX] + 1.0
        return self.counters[seat] / held

    def scores(self) -> list[int]:
        return [self.counters[seat] for seat in range(self.players)]

    def winners(self) -> list[int]:
        return [self.winner]

    # copies, refusals, records

    def where(self) -> dict[str, list[int]]:
        return {"pack": list(range(52)), "counters": self.scores(), "box": [self.counters[BOX]]}

    def why_not(self, step: int) -> tuple[str, str]:
        return "There is but one thing to do: the dealer turns up the cards.", "TON-4"

    def steps_of(self, kind: str, values: Sequence[Any]) -> list[int]:
        return [0]


class TontineView(View):
    """What everyone knows: counters, the box, who deals, and the cards turned up in the last deal."""

    def __init__(self, players: int, seat: int, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.counters = [0] * 52
        self.face = [-1] * 52

    def attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Tontine):
            raise TypeError("A view looks at a state of its own game.")
        self.behind = state
        self.world = state  # type: Any

    def look(self) -> None:
        View.look(self)
        self.dealer = self.world.dealer
        self.box = self.world.counters[BOX]
        self.last_out = self.world.last_out
        for seat in range(self.players):
            self.counters[seat] = self.world.counters[seat]
            self.face[seat] = -1
        if self.deals and self.world.awaits < 0:
            for at in range(self.world.draws):
                self.face[self.world.order[at]] = self.world.pack[at]

    # writing down

    def layout(self) -> list[tuple[str, int, int]]:
        seats = self.players
        fields = [("dealer", 1, seats), ("last_out", 1, seats), ("counters", 1, seats), ("cards", 1, seats)]
        return [*View.layout(self), *fields, ("box", 1, 1), ("deal", 1, 1)]

    def paint(self, page: Any, at: int) -> int:
        at = View.paint(self, page, at)
        at = encode.seat(page, at, self.dealer, self.seat, self.players)
        at = encode.seat(page, at, self.last_out, self.seat, self.players)
        at = encode.each(page, at, self.counters, self.seat, self.players, 0)
        at = encode.each(page, at, self.face, self.seat, self.players, 1)  # 0 is no card
        at = encode.number(page, at, self.box)
        return encode.number(page, at, self.deals)

    def new_world(self) -> State:
        return Tontine(self.players, self.options)

    def imagine(self, luck: Seeded) -> int:
        """Nothing is hidden but the cards to come."""
        if self.to_act < 0:
            return False
        self.set_out()
        self.world.stage = TURNING
        self.world.dealer = self.dealer
        self.world.winner = -1
        self.world.last_out = self.last_out
        self.world.living = 0
        self.world.counters[BOX] = self.box
        self.world.draws = 0
        for seat in range(self.players):
            self.world.counters[seat] = self.counters[seat]
            if self.counters[seat]:
                self.world.living |= bitset.one(seat)
            if self.face[seat] >= 0:
                self.world.order[self.world.draws] = seat
                self.world.pack[self.world.draws] = self.face[seat]
                self.world.draws += 1
        return True

    def fields(self) -> dict[str, Any]:
        seats = range(self.players)
        return View.fields(self) | {
            "dealer": self.dealer,
            "deal": self.deals,
            "box": self.box,
            "last_out": self.last_out,
            "counters": [self.counters[seat] for seat in seats],
            "living": [seat for seat in seats if self.counters[seat]],
            "cards": [CODES[self.face[seat]] if self.face[seat] >= 0 else None for seat in seats],
        }


# a payment is from or to a seat, or the box
PLACES = {"place": (*range(BOX), "box")}
TONTINE = Game(SHEET, Tontine, TontineView, CARDS, STEPS, ENTRIES, PLACES)
