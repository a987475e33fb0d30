"""The words of Lost Heir: its sentences, its characters, and its table in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...engine.game import Game
from ...engine.words import Claim, Context, Fields, Reason, Table, Told, by_suit
from ...util.english import counted, signed
from .notation import CODES
from .pack import CITIES

TEMPLATES = {
    "dealer": "{seat} deal|deals first.",
    "deal": "All the cards are dealt.",
    "hand": "{seat} hold|holds {cards}.",
    "hand?": "",
    "bid": "{seat} bid|bids {bid}.",
    "bid 0": "{seat} pass|passes.",
    "redeal": "All have passed: the deal goes to the left.",
    "trump": "{seat} name|names {suit} as the trump suit.",
    "play": "{seat} play|plays {card}.",
    "play NY": "{seat} play|plays {card:the}, which has no suit.",
    "play PH": "{seat} play|plays {card:the}, which has no suit.",
    "take HEIR-3": "{seat} take|takes the trick with the Lost Heir.",
    "take HEIR-11": "{seat} take|takes the trick.",
    "void": "A City card keeps the {card} from counting.",
    "score HEIR-12": "{side} score|scores {points} for the trick.",
    "score HEIR-13": "{side} score|scores {points} for the Lost Heir.",
    "score HEIR-14": "{side} score|scores {points} for the Wrong Boy's trick.",
    "score HEIR-15": "{side} score|scores {points}: a card that could follow was held back.",
    "score HEIR-15 follow": "Fined {fine}: {who:seat} could have followed with {due}.",
    "score HEIR-15 lead": "Fined {fine}: {who:seat} could have led a trump, {due}.",
    "fail": "{side} made less than the bid and score|scores 0 for this deal.",
    "fail bid": "{side} bid {bid} and made {made}: {side} score|scores 0 for this deal.",
    "fail fined": "{side} bid {bid} and made {made} with fines: {side} score|scores 0 for this deal, and {fines} "
    "in fines.",
    "total": "Score: {scores}.",
}

CAST = ("the Reporter", "the Governess", "the Coachman", "the Newsboy", "the Fiddler")

# suits, as they are named as trumps; and whoever takes a trick, in hints
ANOTHER, OTHER_SIDE = "another player", "the other side"
NAMES = {**CITIES, ANOTHER: ANOTHER, OTHER_SIDE: OTHER_SIDE}

STEP_MEANINGS = {
    "pass": "make no bid",
    "bid": "bid this number of points",
    "trump": "name this suit as trumps",
    "play": "lay this card to the trick, or lead it",
}

CITY_CARDS = ("NY", "PH")
ODD = (*CITY_CARDS, "WB", "LH")  # cards of no suit


def context(told: Told, at: int) -> Context:
    """HEIR-15: which suit a fined player could have played. HEIR-16: what was bid and made in a deal that failed."""
    entry = told[at]
    if at and entry[0] == "score" and entry[-1] == "HEIR-15" and told[at - 1][0] == "play":
        return fined(told, at)
    if entry[0] == "fail":
        return failed(told, at)
    return Context()


def fined(told: Told, at: int) -> Context:
    """The fine of entry `at`, which stands behind the card that is fined."""
    played, earlier, trump = told[at - 1], [], None
    for entry in reversed(told[max(0, at - 24) : at - 1]):  # a trick has at most six cards, each perhaps fined
        if entry[0] in ("take", "trump"):
            trump = entry[2] if entry[0] == "trump" else None
            break
        if entry[0] == "play" and entry[2] not in ODD:
            earlier.append(entry[2][0])
    due = trump if played[3] == "HEIR-9" else earlier[-1] if earlier else None
    if due is None:
        return Context()
    key = "score HEIR-15 lead" if played[3] == "HEIR-9" else "score HEIR-15 follow"
    return Context(key, {"fine": -told[at][2], "who": played[1], "due": due})


def failed(told: Told, at: int) -> Context:
    """The deal that entry `at` says has failed: the bid, and what was made of it, with fines."""
    side, points = told[at][1:3]
    bids, fines = [1], 0  # HEIR-8a: if all pass, the dealer may name with a bid of 1
    for number in range(at - 1, -1, -1):
        kind = told[number][0]
        if kind == "deal":
            break
        if kind == "bid":
            bids.append(told[number][2])
        elif kind == "score" and told[number][1] == side and told[number][-1] == "HEIR-15":
            fines += told[number][2]
    else:
        return Context()
    said = {"bid": max(bids), "made": points + fines, "fines": fines}
    return Context("fail fined" if fines else "fail bid", said)


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    names = table.names
    sides = len(fields["totals"])
    seats = range(len(names))
    totals = [f"{signed(fields['totals'][seat % sides])} in all" for seat in seats]
    points = [f"{signed(fields['points'][seat % sides] + fields['fines'][seat % sides])} this deal" for seat in seats]
    cards = [counted(number, "card") for number in fields["hand_sizes"]]
    bids = ["–" if bid is None else "pass" if bid == 0 else f"bid {bid}" for bid in fields["bids"]]
    lines = [f"Deal {fields['deal']}"]
    if fields["trump"]:
        named = f"{CITIES[fields['trump']]} is trumps, named by {names[fields['namer']]} with a bid of {fields['bid']}"
        lines[0] += f" · {named} · tricks to play: {fields['tricks_left']}"
    lines += table.player_lines([totals, points, bids, cards], {fields["dealer"]: "deals"})
    if fields["trump"]:
        trick = " · ".join(f"{names[seat]} {code}" for seat, code in fields["trick"]) or "you lead"
        lines.append(f"The trick: {trick}")
    return [*lines, f"Your hand: {by_suit(fields['hand'], CITIES, ODD)}"]


# --- hints ------------------------------------------------------------------------------------------------------------

FORMS = {"the": {"": "the #"}}

CLAIMS = {
    "pass": "Pass",
    "bid": "Bid {bid}",
    "trump": "Name {city} as trumps",
    "lead": "Lead {card:the}",
    "lay": "Play {card:the}",
    "mayors": "{cards:the and} should bring {count|# point|# points}",
    "heir bid": "the Lost Heir should bring 6 points, his trick and 5",
    "mayors heir": "{cards:the and} should bring {count} and the Lost Heir 6",
    "margin": "that leaves {count|# point|# points} for bad luck",
    "rest": "your {count:words|# card|# cards} of {city} should bring the other {points}",
    "rest partner": "your {count:words|# card|# cards} of {city} and your partners should bring the other {points}",
    "all long": "your {count:words|# card|# cards} of {city} should bring them",
    "all partner": "your {count:words|# card|# cards} of {city} and your partners should bring them",
    "no good cards": "you hold no Mayor and not the Lost Heir",
    "short": "you have at most {count:words|# card|# cards} of a suit",
    "only": "the only Mayor or Lost Heir that you hold is {cards:the and}",
    "beaten bid": "{bid} is bid already",
    "enough": "you bid last, and it is enough to beat the {bid} bid so far",
    "long": "you hold {count:words|# card|# cards} of {city}",
    "longest": "you hold {count:words|# card|# cards} of {city}, more than of any other suit",
    "top of it": "{cards:the and} among them",
    "master": "no higher card of {city} is left in other hands",
    "draws": "it draws trumps, of which the others still hold {count}",
    "low": "it is the lowest card that you may play",
    "keeps": "it keeps {cards:the and} for later",
    "boy lead": "it is the lowest card of all, so somebody else takes the trick, at 3 off",
    "heir": "it takes any trick, for 5 points and the trick's own",
    "heir safe": "no City card can keep it from counting",
    "heir last": "you play last, so no City card can follow",
    "spoils": "the City card keeps the Lost Heir from counting for the other side",
    "saves": "the City card keeps the Wrong Boy's 3 off your side",
    "boy": "{seat:word} is taking the trick, and the Wrong Boy makes it count 3 off",
    "wins last": "you play last, and it takes the trick",
    "cheapest": "no cheaper card of yours would",
    "ahead": "it beats everything in the trick so far",
    "ruff": "you have no card of {city}, and a trump takes the lead in the trick",
    "partner": "your partner is taking the trick",
    "cannot": "you cannot beat {best:card the}",
    "avoids": "the trick has the Wrong Boy in it, and you leave it to others",
    "void": "it is your only card of {city}, so that you can trump that suit later",
    "duck": "with {count:words|# player|# players} still to play it is too early to spend a higher card",
}


def is_odd(code: str) -> bool:
    return code in ODD


def number_of(code: str) -> int:
    """HEIR-2: the rank within its suit, 11 for a Mayor."""
    return int(code[1:])


def of_suit(codes: Iterable[str], suit: str | None) -> list[str]:
    return [code for code in codes if not is_odd(code) and code[0] == suit]


def led_in(trick: Sequence[str]) -> str | None:
    """HEIR-10: the suit to follow, which the first suited card sets."""
    return next((code[0] for code in trick if not is_odd(code)), None)


def power(code: str, led: str | None, trump: str) -> int:
    """HEIR-11: what a card can beat."""
    if code in ODD:
        return {"LH": 60, "NY": 1, "PH": 1, "WB": 0}[code]
    return number_of(code) + 32 if code[0] == trump else number_of(code) + 16 if code[0] == led else 0


def others_hold(fields: Fields, codes: Iterable[str]) -> list[str]:
    """The cards of a set that are neither in one's own hand nor played."""
    known = {*fields["hand"], *fields["gone"], *(code for _, code in fields["trick"])}
    return [code for code in codes if code not in known]


def reason(fields: Fields, step: str, game: Game) -> Reason | None:
    """Why a bid is made, a suit named or a card played."""
    verb, _, what = step.partition(" ")
    if verb in ("pass", "bid"):
        return reason_to_bid(fields, int(what or 0))
    if verb == "trump":
        return reason_to_name(fields, what)
    return reason_to_follow(fields, what) if fields["trick"] else reason_to_lead(fields, what)


def reason_to_bid(fields: Fields, bid: int) -> Reason:
    """HEIR-6: what the hand holds."""
    hand = fields["hand"]
    good = [code for code in hand if code == "LH" or (not is_odd(code) and number_of(code) == 11)]
    suit = max(CITIES, key=lambda each: len(of_suit(hand, each)))
    long = Claim("long", {"count": len(of_suit(hand, suit)), "city": CITIES[suit]})
    if not bid:
        few = Claim("only", {"cards": good}) if good else Claim("no good cards")
        points = [few if len(good) < 2 else Claim("short", {"count": len(of_suit(hand, suit))})]
        if fields["bid"]:
            points.append(Claim("beaten bid", {"bid": fields["bid"]}))
        return Reason("HEIR-6", (Claim("pass"), *points))
    mayors = [code for code in good if code != "LH"]
    holds = {"cards": mayors, "count": len(mayors)}
    points = [Claim("mayors heir" if "LH" in hand else "mayors", holds)] if mayors else []
    if good == ["LH"]:
        points.append(Claim("heir bid"))
    likely = len(mayors) + (6 if "LH" in hand else 0)  # HEIR-12, HEIR-13
    if fields["bid"] and bid == fields["bid"] + 1 and fields["dealer"] == fields["seat"]:
        points.append(Claim("enough", {"bid": fields["bid"]}))
    elif bid < likely:
        points.append(Claim("margin", {"count": likely - bid}))
    elif bid > likely:
        alone = len(fields["totals"]) == len(fields["bids"])
        with_city = dict(long.values)
        if likely:
            points.append(Claim("rest" if alone else "rest partner", with_city | {"points": bid - likely}))
        else:
            points.append(Claim("all long" if alone else "all partner", with_city))
    return Reason("HEIR-6", (Claim("bid", {"bid": bid}), *points))


def reason_to_name(fields: Fields, suit: str) -> Reason:
    """HEIR-8: what the hand holds of the suit."""
    hand = fields["hand"]
    sizes = {each: len(of_suit(hand, each)) for each in CITIES}
    most = all(sizes[suit] > size for each, size in sizes.items() if each != suit)
    points = [Claim("longest" if most else "long", {"count": sizes[suit], "city": CITIES[suit]})]
    if top := [code for code in of_suit(hand, suit) if number_of(code) >= 10]:
        points.append(Claim("top of it", {"cards": top}))
    return Reason("HEIR-8", (Claim("trump", {"city": CITIES[suit]}), *points))


def is_master(fields: Fields, card: str) -> bool:
    """Whether no other hand has a higher card of the suit."""
    higher = [f"{card[0]}{number}" for number in range(number_of(card) + 1, 12)]
    return not others_hold(fields, higher)


def lowest_of(fields: Fields, card: str, may: Sequence[str]) -> bool:
    """Whether a suited card has the lowest rank of those that may be played, odd ones aside."""
    return not is_odd(card) and all(number_of(card) <= number_of(code) for code in may if not is_odd(code))


def reason_to_lead(fields: Fields, card: str) -> Reason | None:
    """HEIR-9, HEIR-9a: why this card is led."""
    trump = fields["trump"]
    may = [name.removeprefix("play ") for name in fields["legal"]]
    alone = len(fields["totals"]) == len(fields["bids"])
    points: list[Claim] = []
    clause = "HEIR-9a"
    if card == "LH":
        clause = "HEIR-13"
        points.append(Claim("heir"))
        if not others_hold(fields, ("NY", "PH")):
            points.append(Claim("heir safe"))
    elif card == "WB" and alone:
        clause = "HEIR-14"
        points.append(Claim("boy lead"))
    elif not is_odd(card):
        if is_master(fields, card):
            clause = "HEIR-11"
            points.append(Claim("master", {"city": CITIES[card[0]]}))
        out = others_hold(fields, of_suit(CODES, trump))
        if card[0] == trump and out and points:
            points.append(Claim("draws", {"count": len(out)}))
        if not points:
            points += low_points(fields, card, may, trump)
    return Reason(clause, (Claim("lead", {"card": card}), *points[:2])) if points else None


def low_points(fields: Fields, card: str, may: Sequence[str], trump: str) -> list[Claim]:
    """What speaks for giving up a card: it is low, it empties a suit, it keeps better ones."""
    hand = fields["hand"]
    points = []
    if lowest_of(fields, card, may):
        points.append(Claim("low"))
    mine = of_suit(hand, card[0]) if not is_odd(card) else []
    kept = [code for code in mine if number_of(code) > number_of(card) and number_of(code) >= 9] if mine else []
    if mine == [card] and card[0] != trump and of_suit(hand, trump):
        points.append(Claim("void", {"city": CITIES[card[0]]}))
    elif kept:
        points.append(Claim("keeps", {"cards": kept}))
    elif "LH" in hand and card != "LH":
        points.append(Claim("keeps", {"cards": ["LH"]}))
    return points


def reason_to_follow(fields: Fields, card: str) -> Reason | None:
    """HEIR-10 to HEIR-14: why this card is played to the trick."""
    trick = [code for _, code in fields["trick"]]
    seats = [seat for seat, _ in fields["trick"]]
    players, sides, me = len(fields["bids"]), len(fields["totals"]), fields["seat"]
    trump, led = fields["trump"], led_in(trick)
    may = [name.removeprefix("play ") for name in fields["legal"]]
    best = max(trick, key=lambda code: (power(code, led, trump), -trick.index(code)))
    taker = seats[trick.index(best)]
    friendly = sides < players and taker % sides == me % sides
    last = len(trick) == players - 1
    city = any(code in CITY_CARDS for code in trick)

    def beats(code: str) -> bool:
        return power(code, led_in([*trick, code]), trump) > power(best, led, trump)

    first = Claim("lay", {"card": card})
    if card == "LH":
        safe = [Claim("heir last")] if last else [] if others_hold(fields, CITY_CARDS) else [Claim("heir safe")]
        return None if city else Reason("HEIR-13", (first, Claim("heir"), *safe))
    if card in CITY_CARDS and "LH" in trick and not city and not friendly:
        return Reason("HEIR-4", (first, Claim("spoils")))
    if card in CITY_CARDS and "WB" in trick and not city and (friendly or (last and beats(card))):
        return Reason("HEIR-4", (first, Claim("saves")))
    if card == "WB" and not friendly and not city:
        who = ANOTHER if sides == players else OTHER_SIDE
        return Reason("HEIR-14", (first, Claim("boy", {"seat": who})))
    if beats(card):
        return reason_to_win(fields, card, may, beats, last, led)
    if friendly:
        return Reason("HEIR-11", (first, Claim("partner"), *low_points(fields, card, may, trump)[:1]))
    able = [code for code in may if beats(code)]
    if not able:
        return Reason("HEIR-11", (first, Claim("cannot", {"best": best}), *low_points(fields, card, may, trump)[:1]))
    if "WB" in trick and not city:
        return Reason("HEIR-14", (first, Claim("avoids")))
    points = low_points(fields, card, may, trump)
    if not last and able != ["LH"]:
        points.insert(0, Claim("duck", {"count": players - 1 - len(trick)}))
    return Reason("HEIR-10", (first, *points[:2])) if points else None


def reason_to_win(
    fields: Fields, card: str, may: Sequence[str], beats: Callable[[str], bool], last: bool, led: str | None
) -> Reason:
    """HEIR-11: why a card that takes the lead in the trick is played."""
    trump = fields["trump"]
    points = []
    if last:
        points.append(Claim("wins last"))
    elif led is not None and card[0] == trump != led and not is_odd(card):
        points.append(Claim("ruff", {"city": CITIES[led]}))
    else:
        points.append(Claim("ahead"))
        if not is_odd(card) and is_master(fields, card):
            points.append(Claim("master", {"city": CITIES[card[0]]}))
    cost = {code: power(code, led or card[0], trump) for code in may if beats(code)}
    if len(points) == 1 and len(cost) > 1 and last and cost[card] == min(cost.values()):
        points.append(Claim("cheapest"))
    return Reason("HEIR-11", (Claim("lay", {"card": card}), *points))
