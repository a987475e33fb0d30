"""The blunders of docs/blunders.md: bots do not make them in positions where they could."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from parlour import REGISTRY, Journal, Seeded, State
from parlour.engine.game import CHANCE, DECISION
from parlour.players.seats import Seating
from parlour.records.record import read_decision
from support.effort import times
from support.scenes import Scene, coins, heraldry, lost_heir, masquerade, sovereign

PAGE = Path(__file__).resolve().parents[2] / "docs" / "blunders.md"
LISTED = re.compile(r"^- \*\*([A-Z]+-B\d+)\*\* .*?\((.*?)\)", re.MULTILINE | re.DOTALL)
SEEDS = 12


class Position(NamedTuple):
    """A position where a blunder can be made. Moves are patterns of their record entries without the seat."""

    blunder: str
    name: str
    scene: Callable[[], Scene]
    wrong: tuple[str, ...]
    right: tuple[str, ...]

    def is_blunder(self, move: str) -> bool:
        if self.right:
            return not any(fnmatchcase(move, pattern) for pattern in self.right)
        return any(fnmatchcase(move, pattern) for pattern in self.wrong)


POSITIONS: list[Position] = []


def position(
    blunder: str, *wrong: str, right: tuple[str, ...] = ()
) -> Callable[[Callable[[], Scene]], Callable[[], Scene]]:
    """Register a position for a blunder: these moves are the blunder, or all except the right ones."""

    def keep(scene: Callable[[], Scene]) -> Callable[[], Scene]:
        POSITIONS.append(Position(blunder, scene.__name__, scene, wrong, right))
        return scene

    return keep


# --- Masquerade -------------------------------------------------------------------------------------------------------


def lay(scene: Scene, cards: str) -> Scene:
    return scene.do(*(f"play {card}" for card in cards.split()))


@position("MQ-B1", "play M8")
def the_first_masquerader_is_worth_eight_at_once() -> Scene:
    hands = {1: "I7 I8 R1 R2 D1 D2 M2 M3", 2: "M1 M8 R3 R4 R5 D3 D4 D5"}
    return lay(masquerade(hands), "I7")


@position("MQ-B1", "play M7", "play M8")
def the_first_masquerader_upon_another() -> Scene:
    hands = {1: "R7 I8 I1 I2 D1 D2 M2 M3", 2: "R6 M4 I3 I4 D3 D4 R1 R2", 3: "M1 M7 M8 I5 I6 D5 D6 D7"}
    return lay(masquerade(hands), "R7 R6")


@position("MQ-B2", "play I2")
def the_next_in_rank_for_two() -> Scene:
    return lay(masquerade({1: "I7 R1 R2 R3 D1 D2 M2 M3", 2: "I6 I2 R4 R5 R6 D3 D4 D5"}), "I7")


@position("MQ-B2", right=("play D5",))
def the_next_in_rank_for_two_and_the_trick_as_well() -> Scene:
    hands = {1: "D8 R1 R2 I1 I2 I3 M2 M3", 2: "D7 R3 R4 I4 I5 M4 M5 R8", 3: "D6 R5 R6 I6 I7 M6 M7 R7"}
    return lay(masquerade(hands | {0: "D5 D4 D3 D1 I8 M1 M8 D2"}, dealer=0), "D8 D7 D6")


@position("MQ-B3", right=("play M3",))
def a_masquerader_that_takes_the_trick() -> Scene:
    hands = {2: "I7 R1 R2 R3 D1 D2 I1 M1", 3: "I5 R4 R5 R6 D3 D4 M4 I2", 0: "M5 R7 R8 D5 D6 D7 M2 D8"}
    return lay(masquerade(hands | {1: "M3 M7 M8 I3 I4 I6 I8 M6"}, dealer=1, following="suit"), "I7 I5 M5")


@position("MQ-B3", "play I8", "play I7", "play I6")
def a_card_of_the_suit_that_takes_the_trick() -> Scene:
    hands = {2: "I5 R1 R2 R3 D1 D2 M1 M2", 3: "I4 R4 R5 R6 D3 D4 M3 M4", 0: "I3 R7 R8 D5 D6 D7 M5 M6"}
    return lay(masquerade(hands | {1: "I2 I6 I7 I8 D8 M7 M8 I1"}, dealer=1, following="suit"), "I5 I4 I3")


@position("MQ-B4", "return M1", "return I6")
def the_courtesy_of_a_card_that_scores() -> Scene:
    hands = {1: "I7 R1 R2 R3 D1 D2 I5 M3", 2: "R4 R5 R6 R7 D3 D4 D5 D8", 3: "M1 I6 R8 D6 D7 I8 M2 M4"}
    return lay(masquerade(hands, exchange="courtesy"), "I7").do("give R4")


def at_random(game: str, players: int, seed: int, here: Callable[[Scene], bool]) -> Scene:
    """A game played at random from a seed until it reaches the wanted moment."""
    scene = Scene(game, players)
    luck = Seeded(seed)
    while not scene.state.over:
        if scene.state.awaits >= 0:
            possible = list(scene.state.possible())
            drawn = [possible.pop(luck.number_below(len(possible))) for _ in range(scene.state.wanted())]
            scene.chance(*drawn)
            continue
        if here(scene):
            return scene
        legal = scene.state.legal()
        scene.state.play(legal[luck.number_below(len(legal))])
        scene._drain()
    raise AssertionError("the game never reached the wanted moment")


def neighbour_lacks_one(scene: Scene) -> bool:
    """Whether the seat may exchange and the neighbour would win by it."""
    seat, scores = scene.state.seat, scene.state.scores()
    return "decline" in scene.legal and scores[(seat + 1) % scene.state.players] == 31 and scores[seat] >= 20


@position("MQ-B5", "give *")
def an_exchange_that_ends_the_game() -> Scene:
    return at_random("masquerade", 4, 3275, neighbour_lacks_one)


@position("MQ-B5", "give *")
def an_exchange_that_ends_the_game_while_others_may_still_win_it() -> Scene:
    return at_random("masquerade", 4, 5099, neighbour_lacks_one)


@position("MQ-B5", "give *")
def an_exchange_by_the_last_that_ends_the_game() -> Scene:
    return at_random("masquerade", 4, 2212, neighbour_lacks_one)


def two_are_enough(scene: Scene) -> bool:
    """Whether the next in rank wins the game, and nothing else does at once."""
    seat, laid = scene.state.seat, [entry[2] for entry in scene.log if entry[0] == "play"]
    if len(scene.where("trick")) not in (1, 2) or scene.state.scores()[seat] not in (30, 31):
        return False
    following = f"play {laid[-1][0]}{int(laid[-1][1]) - 1}"
    return following in scene.legal and "play M1" not in scene.legal and len(scene.legal) > 1


@position("MQ-B6", right=("play D6",))
def the_next_in_rank_wins_the_game() -> Scene:
    return at_random("masquerade", 4, 36, two_are_enough)


@position("MQ-B6", right=("play M6",))
def the_next_masquerader_wins_the_game() -> Scene:
    return at_random("masquerade", 4, 22, two_are_enough)


# --- Lost Heir --------------------------------------------------------------------------------------------------------

# Trumps are New York; seat 0 plays last and has no Boston. Each seat also has one of the odd cards.
OURS = "N3 N8 P1 P2 P4 P7 P9 C1 C4 C6 C9"
THEIRS = "N11 N5 N6 N9 B1 B3 B4 B5 B7 B8 P3"
ALL_FOLLOW = {
    0: OURS,
    1: "N11 N5 N6 N9 B3 B4 B5 B8 P3 P5 C2",
    2: "N1 N7 B1 B6 B7 B11 P6 P8 C3 C5 C7",
    3: "N2 N4 N10 B2 B9 B10 P10 P11 C8 C10 C11",
}
PARTNER_VOID = {
    0: OURS,
    1: THEIRS,
    2: "N1 N7 P5 P6 P8 C2 C3 C5 C7 C8 C10",
    3: "N2 N4 N10 B2 B6 B9 B10 B11 P10 P11 C11",
}
OPPONENT_VOID = {
    0: OURS,
    1: THEIRS,
    2: "N1 N7 B2 B6 B9 B10 B11 P10 P11 C10 C11",
    3: "N2 N4 N10 P5 P6 P8 C2 C3 C5 C7 C8",
}


def second_trick(hands: dict[int, str], odd: str, cards: str) -> Scene:
    """Two sides; seat 1 has named New York and taken the first trick; these cards lie in the second."""
    hands = {seat: f"{hands[seat]} {card}" for seat, card in enumerate(odd.split())}
    scene = lost_heir(hands, sides="two").do("bid 3", "pass", "pass", "pass", "trump N")
    return lay(scene, f"N11 N1 N2 N3 {cards}")


@position("LH-B1", "play N11")
def overtaking_a_partner() -> Scene:
    # both boys are gone, so the Mayor of trumps is sure of a trick
    hands = {0: "N11 N3 N6 P1 P2 P4 P7 C1 C2 C4 C6 C9", 1: "N10 N5 LH", 2: "N1 N9 WB PH", 3: "N2 N4 P10 NY"}
    scene = lost_heir(hands, sides="two").do("bid 3", "pass", "pass", "pass", "trump N")
    return lay(scene, "N10 N1 N2 N3 LH WB P10 P1 N5 N9 N4")


@position("LH-B1", "play N8", "play LH")
def trumping_a_partner() -> Scene:
    return second_trick(ALL_FOLLOW, "PH LH NY WB", "B5 B11 B2")


@position("LH-B2", "play LH")
def the_heir_beside_a_city() -> Scene:
    return second_trick(OPPONENT_VOID, "LH PH WB NY", "B8 B2 NY")


@position("LH-B3", "play PH")
def a_city_upon_the_partners_heir() -> Scene:
    return second_trick(PARTNER_VOID, "PH WB LH NY", "B5 LH B2")


@position("LH-B4", right=("play NY",))
def a_city_kept_from_the_opponents_heir() -> Scene:
    return second_trick(OPPONENT_VOID, "NY PH WB LH", "B5 B2 LH")


@position("LH-B5", "play WB")
def the_wrong_boy_upon_the_partners_trick() -> Scene:
    return second_trick(ALL_FOLLOW, "WB NY LH PH", "B5 B11 B2")


@position("LH-B6", "play B11")
def taking_the_wrong_boy() -> Scene:
    hands = {
        0: OURS.replace("P9 ", "B11 ").replace("C9", "B1"),
        1: THEIRS.replace("B1 ", "C9 "),
        2: PARTNER_VOID[2],
        3: PARTNER_VOID[3].replace("B11", "P9"),
    }
    return second_trick(hands, "NY PH WB LH", "B5 WB B6")


@position("LH-B7", "bid 9", "bid 1?")
def bidding_upon_policemen() -> Scene:
    return lost_heir({1: "N1 N2 N3 P1 P2 P3 B1 B2 B3 C1 C2 C3"}, sides="two")


@position("LH-B7", "bid 1[4-7]")
def bidding_all_there_is() -> Scene:
    return lost_heir({1: "N11 N10 N8 N5 N2 P11 P4 B3 B2 C6 C1 LH"})


@position("LH-B8", "bid 0", "bid 1", "bid 2")
def passing_with_half_the_tricks_in_hand() -> Scene:
    return lost_heir({0: "N11 N10 N9 N8 N7 N6 P11 B11 B10 C11 C10 LH"}).do("bid 3", "pass", "pass")


@position("LH-B8", right=("trump N",))
def naming_a_suit_that_others_have() -> Scene:
    scene = lost_heir({1: "N11 N10 N9 N8 N7 N5 N3 B11 B2 C11 C1 LH"})
    return scene.do("bid 7", "pass", "pass", "pass")


# --- Change for a Sovereign -------------------------------------------------------------------------------------------

CHANGE = "HS CR FL FL SH"


@position("CS-B1", "leave", "throw *")
def change_that_takes_all_five() -> Scene:
    return sovereign({1: CHANGE})


@position("CS-B1", "leave")
def change_that_came_with_the_draw() -> Scene:
    return sovereign({1: "HS CR FL FL 6D"}, "SH").do("throw 6D", "take surplus")


@position("CS-B1", right=("change HS HS", "throw SH", "throw 6D"))
def both_pools_in_hand() -> Scene:
    return sovereign({1: "HS HS SOV 6D SH"}, mistakes="penalised")


@position("CS-B2", "throw HS", "throw CR", "throw HC")
def throwing_out_what_the_change_needs() -> Scene:
    return sovereign({1: "HS CR HC 6D 6D"})


@position("CS-B2", right=("throw SH",))
def throwing_out_the_coin_that_leaves_fewer_to_hope_for() -> Scene:
    return sovereign({1: "HS CR HC SH 6D"})


@position("CS-B3", "leave")
def leaving_what_can_only_be_bettered() -> Scene:
    return sovereign({1: "HS CR HC 6D 6D"})


@position("CS-B4", "change *")
def offering_what_is_not_a_sovereign() -> Scene:
    return sovereign({1: "HS CR HC SH 6D"}, mistakes="penalised")


@position("CS-B4", right=("change HS HS",))
def offering_otherwise_than_the_coins_that_make_one() -> Scene:
    return sovereign({1: "HS HS SOV 6D SH"}, "FL", mistakes="penalised").do("throw 6D", "take surplus")


@position("CS-B5", "take *")
def taking_before_throwing_out() -> Scene:
    return sovereign({1: "HS CR HC SH 6D"}, mistakes="penalised")


@position("CS-B6", "change *SOV*", "throw SOV", "throw HS")
def offering_the_sovereign_itself() -> Scene:
    return sovereign({1: "HS HS SOV 6D SH"}, mistakes="penalised")


def games_without_the_sovereign(count: int, hands: dict[int, str], **options: Any) -> Scene:
    """A deal by seat 0 after some games in which change is given at once, so that the sovereign pool has grown."""
    dealer = -count % 3
    scene = sovereign({(dealer + 1) % 3: CHANGE}, dealer=dealer, games=9, **options)
    for game in range(1, count + 1):
        scene.do(*(f"offer {coin}" for coin in CHANGE.split()))
        dealer = (dealer + 1) % 3
        dealt = hands if game == count else {(dealer + 1) % 3: CHANGE}
        scene.chance(*coins(scene, dealt, "", 3, dealer))
    return scene


@position("CS-B7", "throw SOV")
def throwing_out_the_sovereign_with_its_pool_full() -> Scene:
    return games_without_the_sovereign(6, {1: "SOV HS CR 6D 6D"})


@position("CS-B8", "change *", "leave", "throw HS")
def giving_change_before_a_draw_that_costs_nothing() -> Scene:
    return games_without_the_sovereign(6, {1: "HS HS SH 6D 6D"})


# --- Heraldry ---------------------------------------------------------------------------------------------------------


@position("HD-B1", "capture C3 *")
def leaving_the_knight() -> Scene:
    return heraldry({1: "S10 C3 S1 D2", 0: "C8 S8 X8 D8"}, "X10 S3 D7 C6")


@position("HD-B2", "capture C4 *")
def leaving_a_crown() -> Scene:
    return heraldry({1: "S10 C4 S1 D1", 0: "C8 S8 X8 D8"}, "DC S4 D9 C7")


@position("HD-B2", "capture C4 *")
def leaving_the_jester_of_the_star() -> Scene:
    return heraldry({1: "C10 C4 S1 D1", 0: "C8 S8 X8 D8"}, "SJ S4 D9 C7")


@position("HD-B3", "capture C10 *", "capture CJ *")
def taking_with_a_ten_and_keeping_the_crown() -> Scene:
    return heraldry({1: "XC C10 S1 CJ", 0: "C8 S8 X8 D8"}, "D10 S4 D9 C7")


@position("HD-B4", "discard DC")
def laying_down_a_crown() -> Scene:
    return heraldry({1: "DC S2 C2 X3", 0: "C8 S8 X8 D8"}, "S9 C9 X9 D9")


@position("HD-B4", "discard X10", "discard SJ")
def laying_down_the_knight_or_the_jester() -> Scene:
    return heraldry({1: "X10 SJ C10 X3", 0: "C8 S8 X8 D8"}, "S9 C9 X9 D9")


@position("HD-B5", right=("capture DC C7 S3 X10",))
def leaving_behind_what_the_card_could_take() -> Scene:
    return heraldry({1: "DC S1 C2 D2", 0: "C8 S8 X8 D8"}, "X10 S3 C7 S9", capture="choice")


@position("HD-B6", "capture S10 C3 D7")
def grouping_without_the_knight() -> Scene:
    return heraldry({1: "S10 C1 D1 S1", 0: "C8 S8 X8 D8"}, "X3 C3 D7 S5", knight=3)


# --- that they are not made -------------------------------------------------------------------------------------------


class Table:
    """A scene replayed from its log, with bots that are told everything as it happens."""

    def __init__(self, scene: Scene, name: str, seed: int) -> None:
        self.game = scene.game
        self.state: State = scene.game.state_type(scene.state.players, scene.state.options)
        self.journal = self.state.journal = Journal()
        self.rows: list[list[Any]] = []
        self.seating = Seating(self.game, self.state.players, self.state.options, [name] * self.state.players)
        self.seating.begin(seed, 0)
        self.state.begin(None)
        self.tell()
        for entry in scene.log:
            nature = self.game.entries[self.game.kinds[entry[0]]].nature
            if nature == CHANCE:
                self.state.give(self.game.read_items(entry[0], entry[-1]))
            elif nature == DECISION:
                for step in read_decision(self.game, self.state, entry):
                    self.state.play(step)
            self.tell()
        assert self.rows == scene.log and self.state.legal() == scene.state.legal()

    def tell(self) -> None:
        if not self.state.unfinished:
            self.seating.tell(self.journal)
            self.rows += [entry for entry in map(self.game.recorded, self.journal.rows()) if entry is not None]
            self.journal.clear()

    def play(self, choose: Callable[[State], int]) -> str:
        """One whole move, as its record entry without the seat."""
        before = len(self.rows)
        while len(self.rows) == before:
            self.state.play(choose(self.state))
            self.tell()
        return move_of(self.rows[before])


def move_of(entry: list[Any]) -> str:
    """A decision as text: “capture DC C7 S3”, with lists of cards sorted."""
    said = [" ".join(sorted(field)) if isinstance(field, list) else str(field) for field in entry[2:]]
    return " ".join([entry[0], *said])


def moves(scene: Scene, prefix: tuple[int, ...] = ()) -> Iterator[str]:
    """All legal moves."""
    for step in scene.state.legal() if not prefix else steps_after(scene, prefix):
        table = Table(scene, "first", 0)
        for taken in (*prefix, step):
            table.state.play(taken)
        if table.state.unfinished:
            yield from moves(scene, (*prefix, step))
        else:
            before = len(table.rows)
            table.tell()
            yield move_of(table.rows[before])


def steps_after(scene: Scene, prefix: tuple[int, ...]) -> list[int]:
    table = Table(scene, "first", 0)
    for taken in prefix:
        table.state.play(taken)
    return table.state.legal()


every_position = pytest.mark.parametrize("position", POSITIONS, ids=lambda given: f"{given.blunder}-{given.name}")


@every_position
def test_the_blunder_is_possible_and_avoidable(position: Position) -> None:
    found = {position.is_blunder(move) for move in moves(position.scene())}
    assert found == {False, True}


@every_position
@pytest.mark.parametrize("level", ["steady", "expert", pytest.param("champion", marks=pytest.mark.long)])
def test_a_searching_bot_does_not_make_the_blunder(position: Position, level: str) -> None:
    scene = position.scene()
    seeds = SEEDS if level == "steady" else times(4, SEEDS)
    made = [Table(scene, level, seed) for seed in range(1, seeds + 1)]
    chosen = [table.play(table.seating.choose) for table in made]
    # with 240 trials, steady slips once in twenty in the hardest position
    allowed = SEEDS // 4 if level == "steady" else 0
    assert sum(position.is_blunder(move) for move in chosen) <= allowed, chosen


@every_position
def test_the_heuristic_does_not_make_the_blunder(position: Position) -> None:
    table = Table(position.scene(), "thumb", 1)
    assert not position.is_blunder(table.play(table.seating.choose))


def test_exactly_the_blunders_of_the_page_are_tested() -> None:
    page = PAGE.read_text("utf-8")
    listed = LISTED.findall(page)
    assert [blunder for blunder, _ in listed] == list(dict.fromkeys(position.blunder for position in POSITIONS))
    clauses = {clause.id for game in REGISTRY.values() for clause in game.sheet.clauses}
    for blunder, cited in listed:
        assert set(re.split(r",\s+", cited)) <= clauses, blunder
