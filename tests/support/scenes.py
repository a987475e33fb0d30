"""Scenes for tests: a game with the cards laid out as the test wants, played by the names of steps, with its log."""

from __future__ import annotations

from typing import Any

import parlour
from parlour import Journal, Refusal
from parlour.records.record import drain


class Scene:
    """A state without a source of chance: the test deals every card itself."""

    def __init__(self, game: str, players: int, **options: Any) -> None:
        self.game = parlour.game(game)
        self.state = self.game.state_type(players, self.game.options_for(players, options))
        self.state.journal = Journal()
        self.log: list[list[Any]] = []
        self.state.begin(None)
        self._drain()

    def _drain(self) -> None:
        drain(self.game, self.state.journal, self.log)

    def chance(self, *items: Any) -> Scene:
        """Give the chance entry that is awaited: card codes, or the number of a seat."""
        numbers = [self.game.card(item) if isinstance(item, str) else item for item in items]
        self.state.give(numbers)
        self._drain()
        return self

    def do(self, *names: str) -> Scene:
        """Take steps by name."""
        for name in names:
            self.state.play(self.game.step_names.index(name))
            self._drain()
        return self

    @property
    def legal(self) -> set[str]:
        """The names of the legal steps."""
        return {self.game.step_name(step) for step in self.state.legal()}

    @property
    def awaits(self) -> str | None:
        """The kind of chance entry that is awaited, if any."""
        return self.game.entries[self.state.awaits].kind if self.state.awaits >= 0 else None

    def refused(self, name: str) -> Refusal:
        """The refusal of a step; the test fails if the step is legal."""
        before = self.state.where(), self.state.scores(), self.state.legal(), list(self.log)
        try:
            self.state.play(self.game.step_names.index(name))
        except Refusal as refusal:
            self._drain()
            assert (self.state.where(), self.state.scores(), self.state.legal(), self.log) == before
            return refusal
        raise AssertionError(f"{name} was not refused")

    def where(self, place: str) -> set[str]:
        """The codes of the cards in a place, such as “hand 0”, “trick”, “table”."""
        return {self.game.code(card) for card in self.state.where()[place]}

    def last(self, count: int = 1) -> list[list[Any]]:
        """The last entries of the log."""
        return self.log[-count:]


def in_turn(hands: dict[int, str], order: list[int], size: int, pack: list[str]) -> list[str]:
    """A pack that gives these hands when dealt one card at a time in this order of seats; short hands are filled up."""
    wanted = {seat: hands.get(seat, "").split() for seat in order}
    named = {code for codes in wanted.values() for code in codes}
    spare = [code for code in pack if code not in named]
    for seat in order:
        while len(wanted[seat]) < size:
            wanted[seat].append(spare.pop())
    dealt = [wanted[seat][turn] for turn in range(size) for seat in order]
    return dealt + spare


def masquerade(hands: dict[int, str], players: int = 4, dealer: int = 0, **options: Any) -> Scene:
    """A game after the deal, with these cards in hand (short hands are filled up); seat dealer + 1 leads."""
    scene = Scene("masquerade", players, **options)
    pack = scene.game.codes
    first = [code for code in pack if code != "M1"]
    scene.chance(*first[:dealer], "M1", *first[dealer:])
    order = [(dealer + 1 + turn) % players for turn in range(players)]
    return scene.chance(*in_turn(hands, order, 32 // players, pack))


def lost_heir(hands: dict[int, str], players: int = 4, dealer: int = 0, **options: Any) -> Scene:
    """A game after the deal and before the bidding; seat dealer + 1 bids first."""
    scene = Scene("lost-heir", players, **options).chance(dealer)
    order = [(dealer + 1 + turn) % players for turn in range(players)]
    return scene.chance(*in_turn(hands, order, 48 // players, scene.game.codes))


def heraldry(
    hands: dict[int, str], table: str, rest: str = "", players: int = 2, dealer: int = 0, **options: Any
) -> Scene:
    """A game after the deal: four cards each (name them all), four on the table, and the next cards of the pack."""
    scene = Scene("heraldry", players, **options).chance(dealer)
    order = [(dealer - 1 - turn) % players for turn in range(players)]
    named = [code for text in (*hands.values(), table, rest) for code in text.split()]
    spare = [code for code in scene.game.codes if code not in named]
    dealt = [hands[seat].split()[turn] for turn in range(4) for seat in order]
    return scene.chance(*dealt, *table.split(), *rest.split(), *spare)


def sovereign(hands: dict[int, str], surplus: str = "", players: int = 3, dealer: int = 0, **options: Any) -> Scene:
    """A game after the deal: five coins each, filled up with the smallest, and the first coins of the surplus."""
    scene = Scene("sovereign", players, **options).chance(dealer)
    return scene.chance(*coins(scene, hands, surplus, players, dealer))


def coins(scene: Scene, hands: dict[int, str], surplus: str, players: int, dealer: int) -> list[str]:
    """The pack that deals these coins."""
    small = "1D" if scene.state.options["small_coin"] == "penny" else "6D"
    copies = {"SOV": 1, "HG": 1, "HS": 2, "CR": 4, "HC": 8, "FL": 10, "SH": 15, small: 15}
    spare = [coin for coin, count in copies.items() for _ in range(count)]
    for text in (*hands.values(), surplus):
        for coin in text.split():
            spare.remove(coin)
    order = [(dealer + 1 + turn) % players for turn in range(players)]
    wanted = {seat: hands.get(seat, "").split() for seat in order}
    for seat in order:
        while len(wanted[seat]) < 5:
            wanted[seat].append(spare.pop())
    return [wanted[seat][turn] for turn in range(5) for seat in order] + surplus.split() + spare


def tontine(players: int = 4, dealer: int = 0, **options: Any) -> Scene:
    """A party with its dealer; after each `turn`, `chance` gives each living player a card, from the dealer's right."""
    return Scene("tontine", players, **options).chance(dealer)
