"""The words of Heraldry: its sentences, its officers of arms, and its table in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from ...engine.bitset import items
from ...engine.game import Game
from ...engine.words import Claim, Fields, Reason, Table, by_suit
from ...util.english import counted
from .notation import CODES, CROWNS, DIAMONDS, JESTER_OF_STAR, knight_of
from .pack import SUITS, VALUES

TEMPLATES = {
    "dealer": "{seat} deal|deals first.",
    "deal": "The pack is shuffled for a new deal.",
    "hand": "{seat} hold|holds {cards}.",
    "hand?": "",
    "table": "Face up on the table: {cards}.",
    "capture": "{seat} play|plays {card} and take|takes {cards}.",
    "discard": "{seat} lay|lays {card} on the table.",
    "sweep": "{seat} made the last capture and take|takes the rest: {cards}.",
    "score HER-9": "{seat} score|scores {points} for the most cards.",
    "score HER-10": "{seat} score|scores {points} for the most Diamonds.",
    "score HER-11": "{seat} score|scores {points} for the Knight of the Cross.",
    "score HER-12": "{seat} score|scores {points} for the Jester of the Star.",
    "score HER-13": "{seat} score|scores {points} for Crowns.",
    "score HER-14": "{seat} score|scores {points} for the last capture.",
    "score HER-14 twelfth=sweep": "{seat} score|scores {points} for clearing the table.",
    "total": "Score: {scores}.",
}

CAST = ("the Herald", "the Pursuivant", "the Squire", "the Page", "the Usher")

STEP_MEANINGS = {
    "play": "play this card, to take with it or to discard it",
    "take": "take this card from the table with it, one step for each card; under capture: all the cards of equal "
    "value come by themselves, under capture: choice `take done` ends the capture where more could be taken, under "
    "discard: free it confirms one where there is nothing to choose",
    "lay": "under discard: free, lay the card on the table that is being played and could take",
}

UNITS = {"HER-4": "cards", "HER-8": "cards"}


def table_lines(table: Table, fields: Fields) -> list[str]:
    """The table as the terminal shows it."""
    points = [counted(number, "point") for number in fields["totals"]]
    won = [counted(len(pile), "card") + " won" for pile in fields["won"]]
    lines = [
        f"Deal {fields['deal']} · {counted(fields['pack'], 'card')} in the pack",
        *table.player_lines([points, won], {fields["dealer"]: "deals"}),
        f"The table: {' '.join(fields['table']) or 'empty'}",
        f"Your hand: {by_suit(fields['hand'], SUITS)}",
    ]
    if fields["playing"]:
        lines.append(f"Playing {fields['playing']}, taking {' '.join(fields['taking']) or 'nothing yet'}")
    return lines


def prompt(table: Table) -> str:
    """Whether the cards to choose from can take, or must be laid on the table."""
    if table.sitting.prefix:
        return ""
    state, pile = table.sitting.state, f"won {table.you}"
    won = len(state.where()[pile])
    takes = False
    for step in state.legal():
        trial = state.copy()
        trial.play(step)
        takes = takes or bool(trial.unfinished) or len(trial.where()[pile]) > won
    if not takes:
        return ", and nothing can be taken: lay a card on the table"
    return ", to take with or to lay on the table" if state.options["discard"] == "free" else ", and these can take"


# --- hints ------------------------------------------------------------------------------------------------------------

CLAIMS = {
    "take": "Take {taken:cards the and} with {card:the}",
    "play": "Play {card:the}, which can take",
    "lay": "Lay {card:the} on the table",
    "pick": "Take {card:the} with {playing:card the}",
    "stop": "Take no more with {playing:card the}",
    "prizes": "that wins {prizes:cards the and}, worth {points:words|# point|# points}",
    "most": "{count:words|# card|# cards}, more than any other card of yours can take",
    "diamonds": "{count:words|# card|# cards}, with {diamonds:words|# Diamond|# Diamonds} among them",
    "cards": "{count:words|# card|# cards} for you",
    "clears": "it clears the table, so that the next player has nothing to take",
    "shuts": "it leaves nothing on the table that adds up to ten",
    "choice": "you choose among the groups that add up to {value}",
    "keeps": "it scores nothing by itself, while {prizes:cards the and} stays in your hand",
    "fewest": "only {count:words|# card|# cards} that you have not seen could take it, fewer than for any other card "
    "of yours",
    "safe": "no card that you have not seen could take it",
    "unseen": "{count:words|# card|# cards} that you have not seen could take it",
    "back": "you hold {others:cards the or} to take it back with",
    "least": "it is worth the least of the cards that you may lay",
    "equal": "it is worth as much as the card you play",
    "group": "with {others:cards the and} it adds up to {value}",
    "leaves": "what is left adds up to nothing that a single card could take",
    "sweep": "it clears the table, for 1 point",
}
UNITS_OF_PRIZES = {"HER-11": 2, "HER-12": 1, "HER-13": 1}
LARGEST_TABLE = 12  # cards on the table up to which every capture is worked out


def number_of(code: str) -> int:
    return CODES.index(code)


def value_of(code: str) -> int:
    return VALUES[number_of(code)]


def totals_of(codes: Iterable[str]) -> set[int]:
    """HER-2: what one or more of some cards add up to, as far as a card can be worth that."""
    found = {0}
    for code in codes:
        found |= {made + value_of(code) for made in found if made + value_of(code) <= 10}
    return found - {0}


def captures(card: str, table: Sequence[str]) -> list[frozenset[str]]:
    """HER-5, capture: all: everything that a card may end up taking."""
    value = value_of(card)
    equal = frozenset(code for code in table if value_of(code) == value)
    below = [code for code in table if value_of(code) < value]
    groups = [
        frozenset(group)
        for size in range(2, len(below) + 1)
        for group in combinations(below, size)
        if sum(map(value_of, group)) == value
    ]
    found: set[frozenset[str]] = set()

    def add(taken: frozenset[str]) -> None:
        more = [group for group in groups if not group & taken]
        for group in more:
            add(taken | group)
        if not more and taken:
            found.add(taken)

    add(equal)
    return sorted(found, key=sorted)


def prizes_of(codes: Iterable[str], fields: Fields) -> dict[str, list[str]]:
    """The cards that score by themselves, by clause: Knight, Jester of the Star, Crowns."""
    cards = {number_of(code) for code in codes}
    by_clause = {
        "HER-11": {knight_of(fields["options"])},
        "HER-12": set(items(JESTER_OF_STAR)),
        "HER-13": set(items(CROWNS)),
    }
    return {
        clause: [CODES[card] for card in sorted(cards & those)] for clause, those in by_clause.items() if cards & those
    }


def prize_claim(codes: Iterable[str], fields: Fields) -> tuple[str, Claim] | None:
    """What some cards score by themselves, with the clause of the best of them."""
    found = prizes_of(codes, fields)
    if not found:
        return None
    points = sum(UNITS_OF_PRIZES[clause] * len(cards) for clause, cards in found.items())
    return next(iter(found)), Claim(
        "prizes", {"prizes": [code for cards in found.values() for code in cards], "points": points}
    )


def reason(fields: Fields, step: str, game: Game) -> Reason | None:
    """Why a card is played or taken: what it wins, and what it leaves on the table."""
    verb, _, code = step.partition(" ")
    if verb == "lay":
        return reason_to_lay(fields, fields["playing"])
    if code == "done" and fields["options"]["capture"] == "all":
        return reason_to_play(fields, fields["playing"])
    if verb == "take":
        return reason_to_take(fields, code)
    if value_of(code) not in totals_of(fields["table"]):
        return reason_to_lay(fields, code)
    return reason_to_play(fields, code)


def reason_to_play(fields: Fields, card: str) -> Reason | None:
    """HER-4: what a card takes."""
    table = fields["table"]
    if len(table) > LARGEST_TABLE:
        return None
    able = {code: captures(code, table) for code in fields["hand"]}
    mine = able[card]
    if len(mine) > 1 or fields["options"]["capture"] == "choice":
        sure = frozenset.intersection(*mine) if fields["options"]["capture"] == "all" else frozenset()
        prize = prize_claim([*sure, card], fields)
        points = [prize[1]] if prize else [Claim("choice", {"value": value_of(card)})]
        return Reason(prize[0] if prize else "HER-5", (Claim("play", {"card": card}), *points))
    (taken,) = mine
    left = [code for code in table if code not in taken]
    won = [*taken, card]
    points = []
    clause = "HER-4"
    sweeps = not left and fields["options"]["twelfth"] == "sweep"
    if sweeps:
        clause = "HER-14"
        points.append(Claim("sweep"))
    if prize := prize_claim(won, fields):
        clause = prize[0]
        points.append(prize[1])
    others = [len(each) for name, found in able.items() if name != card for each in found]
    diamonds = sum(number_of(code) in items(DIAMONDS) for code in won)
    if others and len(taken) > max(others):
        points.append(Claim("most", {"count": len(won)}))
    elif diamonds and not points:
        clause = "HER-10"
        points.append(Claim("diamonds", {"count": len(won), "diamonds": diamonds}))
    elif not points:
        points.append(Claim("cards", {"count": len(won)}))
    if not left:
        points += [] if sweeps else [Claim("clears")]
    elif 10 in totals_of(table) and 10 not in totals_of(left):
        points.append(Claim("shuts"))
    first = Claim("take", {"taken": sorted(taken, key=number_of), "card": card})
    return Reason(clause, (first, *points[:2]))


def takers(card: str, fields: Fields) -> set[int]:
    """The values of cards that could take a card, once it lies on the table."""
    rest = totals_of(fields["table"]) | {0}
    return {value_of(card) + more for more in rest if value_of(card) + more <= 10}


def reason_to_lay(fields: Fields, card: str) -> Reason:
    """HER-6: why this card is laid down, where none can take or none has to."""
    hand = fields["hand"]
    seen = {*hand, *fields["table"], *(code for pile in fields["won"] for code in pile)}
    unseen = [code for code in CODES if code not in seen]
    danger = {code: sum(value_of(other) in takers(code, fields) for other in unseen) for code in hand}
    points = []
    back = [code for code in hand if code != card and value_of(code) in takers(card, fields)]
    kept = [code for code in hand if prizes_of([code], fields)]
    if back:
        points.append(Claim("back", {"others": back}))
    if not danger[card]:
        points.append(Claim("safe"))
    elif all(danger[card] < number for code, number in danger.items() if code != card):
        points.append(Claim("fewest", {"count": danger[card]}))
    elif kept and card not in kept and number_of(card) not in items(DIAMONDS) and len(kept) == 1:
        points.append(Claim("keeps", {"prizes": kept}))
    elif value_of(card) == min(map(value_of, hand)):
        points.append(Claim("least"))
    if not points:
        points.append(Claim("unseen", {"count": danger[card]}))
    return Reason("HER-6", (Claim("lay", {"card": card}), *points[:2]))


def reason_to_take(fields: Fields, card: str) -> Reason | None:
    """HER-5: why this card is taken with the one being played, or no more."""
    playing, taking, grouping = fields["playing"], fields["taking"], fields["grouping"]
    rest = [code for code in fields["table"] if code not in taking]
    if card == "done":
        points = () if totals_of(rest) & set(range(1, 11)) else (Claim("leaves"),)
        return Reason("HER-5", (Claim("stop", {"playing": playing}), *points)) if points else None
    first = Claim("pick", {"card": card, "playing": playing})
    prize = prize_claim([card], fields)
    if prize:
        return Reason(prize[0], (first, prize[1]))
    need = value_of(playing) - sum(map(value_of, grouping)) - value_of(card)
    if not need and not grouping:
        return Reason("HER-4", (first, Claim("equal")))
    others = [code for code in rest if code != card]
    if len(others) > LARGEST_TABLE:
        return None
    for size in range(len(others) + 1):
        for group in combinations(others, size):
            if sum(map(value_of, group)) == need:
                together = sorted([*grouping, *group], key=number_of)
                return Reason("HER-4", (first, Claim("group", {"others": together, "value": value_of(playing)})))
    return None
