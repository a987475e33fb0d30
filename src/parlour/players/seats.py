"""Who sits where: bots by name, each with a view of its own that is told what its seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.core import Journal, State
from ..engine.game import Game
from ..engine.view import View
from .bots import BOTS, LEVELS, Blind, Bot, First, Oracle, Random, Searcher, Thumb
from .external import External

EXEC, SEARCH, ORACLE = "exec:", "search:", "oracle"


def check_name(name: str, measuring: bool = False) -> str:
    """The name of a bot; one that there is not, or that only measures, raises ValueError with a sentence."""
    if name.startswith(EXEC):
        External.check(name.removeprefix(EXEC))
        return name
    if name.startswith(SEARCH) and not (name[7:].isascii() and name[7:].isdecimal() and 0 < int(name[7:]) <= 10**7):
        raise ValueError(f"search:N needs a number of trials from 1 to 10,000,000, not {name[7:]!r:.20}.")
    if name == ORACLE and not measuring:
        raise ValueError("The oracle sees all hands: it is for tournaments, which measure, and plays nowhere else.")
    if name not in (*BOTS, ORACLE) and not name.startswith(SEARCH):
        known = ", ".join(BOTS)
        raise ValueError(f"There is no bot called {name!r:.40}; the bots are {known}, search:N and exec:COMMAND.")
    return name


def bots_for(text: str, players: int) -> list[str]:
    """The bots named in a list, one a seat; a shorter list goes round."""
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise ValueError(f"A name is missing in {text!r:.60}; bots are named like steady,expert.")
    for name in names:
        check_name(name)
    if len(names) > players:
        raise ValueError(f"{len(names)} bots are named for {players} players; name {players} at most.")
    return [names[seat % len(names)] for seat in range(players)]


def make(name: str, game: Game, players: int, options: dict[str, Any], seat: int) -> Bot:
    """The bot of a name, for a game as it is played."""
    if name.startswith(EXEC):
        return External(name.removeprefix(EXEC), game, players, options, seat)
    if name.startswith(SEARCH):
        return Searcher(int(name.removeprefix(SEARCH)))
    if name in LEVELS:
        # a novice believes all that he sees
        return Searcher(LEVELS[name], 0.0) if name == "novice" else Searcher(LEVELS[name])
    if name == ORACLE:
        return Oracle(LEVELS["champion"])
    made: Bot = {"random": Random, "first": First, "thumb": Thumb}[name]()
    return made


class Seating:
    """Bots at their seats. One bot serves all seats of its name, but an external one has a process for each."""

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
        """A new sitting: new views, which remember nothing yet."""
        for bot in dict.fromkeys(self.bots):
            bot.begin(seed, number)
        for seat, bot in enumerate(self.bots):
            if not isinstance(bot, Blind):
                view = self.views[seat] = self.game.view_type(self.players, seat, self.options)
                if bot.attends:
                    view.track_beliefs(trusting=True)

    def tell(self, journal: Journal) -> None:
        """Tell every seat what happened, as it may know it."""
        for bot, view in zip(self.bots, self.views, strict=True):
            if view is not None:
                told = view.listen(journal)
                if bot.listens:
                    bot.hear([self.game.told(row) for row in told])

    def choose(self, state: State) -> int:
        """What the seat to decide takes."""
        bot, view = self.bots[state.seat], self.views[state.seat]
        if isinstance(bot, Blind):
            return bot.pick(state.legal())
        assert view is not None
        view.see(state)
        return bot.think(view, state) if isinstance(bot, Oracle) else bot.choose(view)

    def reports(self) -> list[str]:
        """What went wrong with external bots since last asked, a sentence each."""
        said: list[str] = []
        for bot in self.bots:
            if isinstance(bot, External):
                said += bot.reports
                bot.reports.clear()
        return said

    def forfeits(self) -> int:
        """How many choices external bots have forfeited in all."""
        return sum(bot.forfeits for bot in self.bots if isinstance(bot, External))

    def close(self) -> None:
        """The bots may go."""
        for bot in dict.fromkeys(self.bots):
            bot.close()
