"""Lost Heir, from its sheet."""

from __future__ import annotations

from typing import Any

from .log import Log

ODD = ("NY", "PH", "WB", "LH")
CITIES = {"NY", "PH"}
PACK = [suit + str(number) for suit in "NPBC" for number in range(1, 12)] + [*ODD]


def suit_of(card: str) -> str:
    return "" if card in ODD else card[0]


def read(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    log, players = Log(record), record["players"]
    options = {"goal": 25, "first": "highest", "bids": "free"} | record["options"]  # as in rules version 1
    sides = {"each": players, "two": 2, "three": 3}[options["sides"]]
    totals, winner = [0] * sides, None
    dealer = log.next("dealer")[1]
    for _ in range(options["deal_limit"]):
        deal = Deal(log, players, options, sides, dealer)
        namer, bid = deal.auction()
        if namer is not None:
            for side, points in enumerate(deal.play(namer, bid)):
                totals[side] += points
            log.expect("total", totals)
            there = [side for side in range(sides) if totals[side] >= options["goal"]]
            highest = [side for side in there if totals[side] == max(totals)]
            if options["first"] == "namer" and namer % sides in there:
                winner = namer % sides
            elif len(highest) == 1:
                winner = highest[0]
            if winner is not None:
                break
        dealer = (dealer + 1) % players
    log.end()
    won = [side for side in range(sides) if totals[side] == max(totals)] if winner is None else [winner]
    return totals, [seat for seat in range(players) if seat % sides in won]


class Deal:
    """One deal."""

    def __init__(self, log: Log, players: int, options: dict[str, Any], sides: int, dealer: int) -> None:
        self.log, self.players, self.options, self.sides, self.dealer = log, players, options, sides, dealer
        self.tricks = 48 // players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        for place, card in enumerate(log.pack("deal", PACK)):
            self.hands[(dealer + 1 + place) % players].append(card)
        self.made = [0] * sides
        self.fines = [0] * sides

    def auction(self) -> tuple[int | None, int]:
        """Who names the trump, and for how many points; nobody where all passed."""
        bids: dict[int, int] = {}
        for after in range(1, self.players + 1):
            _, seat, bid = self.log.next("bid")
            assert seat == (self.dealer + after) % self.players
            assert 0 <= bid <= self.tricks + 5
            if bid:
                assert bid not in bids
                assert self.options["bids"] == "free" or bid > max(bids, default=0)
                bids[bid] = seat
        if bids:
            return bids[max(bids)], max(bids)
        if self.options["all_pass"] == "dealer":
            return self.dealer, 1
        self.log.expect("redeal", "HEIR-8a")
        return None, 0

    def play(self, namer: int, bid: int) -> list[int]:
        """Play the tricks, and return what each side makes of the deal."""
        _, seat, trump = self.log.next("trump")
        assert seat == namer and trump in "NPBC"
        lead, side = namer, namer % self.sides
        for trick in range(self.tricks):
            lead = self.trick(lead, trump, first=trick == 0)
        if self.made[side] + self.fines[side] < bid:
            self.log.expect("fail", side, self.made[side], "HEIR-16")
            self.made[side] = 0
        return [made + fines for made, fines in zip(self.made, self.fines, strict=True)]

    def lawful(self, hand: list[str], asked: str, leads_trump: str) -> list[str]:
        """The cards that break no rule: `asked` is the suit to follow, `leads_trump` the suit of the first lead."""
        if leads_trump:
            return [card for card in hand if suit_of(card) == leads_trump] or hand
        if not asked or asked not in map(suit_of, hand):
            return hand
        free = self.options["odd_cards"] == "free"
        return [card for card in hand if suit_of(card) == asked or (free and card in ODD)]

    def trick(self, lead: int, trump: str, first: bool) -> int:
        """Play a trick, score it, and return who takes it."""
        cards: list[str] = []
        asked = ""
        for after in range(self.players):
            _, seat, card = self.log.next("play")
            assert seat == (lead + after) % self.players
            hand = self.hands[seat]
            assert card in hand
            if card not in self.lawful(hand, asked, trump if first and not after else ""):
                assert self.options["mistakes"] == "penalised"
                self.log.expect("score", seat % self.sides, -3, "HEIR-15")
                self.fines[seat % self.sides] -= 3
            hand.remove(card)
            cards.append(card)
            asked = asked or suit_of(card)

        def rank(card: str) -> tuple[int, int]:
            if card == "LH":
                return 4, 0
            if suit_of(card):
                return (3 if suit_of(card) == trump else 2 if suit_of(card) == asked else 0), int(card[1:])
            return (1, card in CITIES) if not asked else (0, 0)

        best = max(range(self.players), key=lambda place: (rank(cards[place]), -place))
        taker = (lead + best) % self.players
        self.log.expect("take", taker, "HEIR-3" if "LH" in cards else "HEIR-11")
        self.count(taker % self.sides, cards)
        return taker

    def count(self, side: int, cards: list[str]) -> None:
        heir, boy = "LH" in cards, "WB" in cards
        if CITIES & {*cards}:
            for card in ("LH", "WB"):
                if card in cards:
                    self.log.expect("void", card, "HEIR-4")
            heir = boy = False
        scored = [] if boy and self.options["wrong_boy"] == "counts" else [(1, "HEIR-12")]
        scored += [(5, "HEIR-13")] * heir + [(-3, "HEIR-14")] * boy
        for points, clause in scored:
            self.log.expect("score", side, points, clause)
            self.made[side] += points
