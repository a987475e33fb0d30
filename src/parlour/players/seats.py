"""Bots at their seats, each with a view that is told what its seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.core import Journal, State
from ..engine.game import Game
from ..engine.view import View
from .bots import LEVELS, Blind, Bot, First, Oracle, Random, Searcher, Thumb
from .external import External
from .names import EXEC, ORACLE, bots_for, check_name, trials_of

__all__ = ["EXEC", "Seating", "bots_for", "check_name", "make"]

PLAIN: dict[str, type[Bot]] = {"random": Random, "first": First, "thumb": Thumb}


def make(name: str, game: Game, players: int, options: dict[str, Any], seat: int) -> Bot:
    """Make the bot of a name for a seat."""
    if name in PLAIN:
        return PLAIN[name]()
    if name.startswith(EXEC):
        return External(name.removeprefix(EXEC), game, players, options, seat)
    if name == ORACLE:
        return Oracle(LEVELS["champion"])
    if name == "novice":
        return Searcher(trials_of(name), 0.0)  # without caution: a novice believes whatever looks best
    return Searcher(trials_of(name))


class Seating:
    """Bots at their seats. One bot serves all seats of its name, but an external one has a process for each seat."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], names: Sequence[str]) -> None:
        self.game = game
        self.players = players
        self.options = options
        made: dict[str, Bot] = {}
        self.bots: list[Bot] = []
        for seat, name in enumerate(names):
            if name not in made or name.startswith(EXEC):
                made[name] = make(name, game, players, options, seat)
            self.bots.append(made[name])
        self.views: list[View | None] = [None] * players

    def begin(self, seed: int, number: int) -> None:
        """Start a new sitting with fresh views."""
        for bot in dict.fromkeys(self.bots):
            bot.begin(seed, number)
        for seat, bot in enumerate(self.bots):
            if not isinstance(bot, Blind):
                view = self.views[seat] = self.game.view_type(self.players, seat, self.options)
                if bot.tracks_beliefs:
                    view.track_beliefs(trusting=True)

    def tell(self, journal: Journal) -> None:
        """Tell every seat the part of the journal that it may know."""
        for bot, view in zip(self.bots, self.views, strict=True):
            if view is not None:
                told = view.listen(journal)
                if bot.listens:
                    bot.hear([self.game.told(row) for row in told])

    def choose(self, state: State) -> int:
        """The step that the bot at the deciding seat chooses."""
        bot, view = self.bots[state.seat], self.views[state.seat]
        if isinstance(bot, Blind):
            return bot.pick(state.legal())
        assert view is not None
        view.see(state)
        return bot.think(view, state) if isinstance(bot, Oracle) else bot.choose(view)

    def reports(self) -> list[str]:
        """Faults of external bots since the last call, one sentence each."""
        said: list[str] = []
        for bot in self.bots:
            if isinstance(bot, External):
                said += bot.reports
                bot.reports.clear()
        return said

    def forfeits(self) -> int:
        """The number of choices that external bots have forfeited so far."""
        return sum(bot.forfeits for bot in self.bots if isinstance(bot, External))

    def close(self) -> None:
        """Close all bots."""
        for bot in dict.fromkeys(self.bots):
            bot.close()
