"""Bots at their seats, each with a view that is told what its seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..engine.core import Journal, State
from ..engine.game import Game
from ..engine.view import View
from . import own
from .bots import LEVELS, Blind, Bot, First, Oracle, Random, Searcher, Thumb
from .external import External
from .gathering import Gathering
from .names import BATCH, EXEC, NET, NET_SEARCH, ORACLE, POLICY, Player, bots_for, called, check_name, is_own, trials_of
from .nets import NetBot, net_of

__all__ = ["EXEC", "Seating", "bots_for", "check_name", "make"]

PLAIN: dict[str, type[Bot]] = {"random": Random, "first": First, "thumb": Thumb}


def make(name: Player, game: Game, players: int, options: dict[str, Any], seat: int) -> Bot:
    """Make the bot of a name for a seat, or let an object play there."""
    if not isinstance(name, str):
        return own.Guest(name, called(name), game, players, options, seat)
    if name in PLAIN:
        return PLAIN[name]()
    if name.startswith(EXEC):
        return External(name.removeprefix(EXEC), game, players, options, seat)
    if name.startswith(BATCH):
        return Gathering(name.removeprefix(BATCH), game, players, options)
    if name.startswith(POLICY):
        from .policy import Policy, PolicyBot

        try:
            return PolicyBot(Policy.load(name.removeprefix(POLICY)), game, players, options)
        except ValueError as error:
            raise own.BotFailed(str(error)) from None
    if name == NET:
        return from_net(lambda: NetBot(game, players, options))
    if name.startswith(NET_SEARCH):
        return from_net(lambda: Searcher(trials_of(name), net=net_of(game, players, options)))
    if name == ORACLE:
        return Oracle(LEVELS["champion"])
    if name == "novice":
        return Searcher(trials_of(name), 0.0)  # without caution: a novice believes whatever looks best
    if is_own(name):
        return own.make(name, game, players, options, seat)
    return Searcher(trials_of(name))


def from_net(made: Callable[[], Bot]) -> Bot:
    """A bot that needs a net; BotFailed, with a sentence, where there is none."""
    try:
        return made()
    except ValueError as error:
        raise own.BotFailed(str(error)) from None


def is_shared(player: Player) -> bool:
    """Whether one bot serves all seats of this name: not a program or a bot of one's own, which remember."""
    return isinstance(player, str) and not player.startswith(EXEC) and not is_own(player)


class Seating:
    """Bots at their seats. One bot serves all seats of its name, but one from elsewhere is made for each seat.

    Several tables may share the bots that choose for many at once: `shared` holds these by name.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        options: dict[str, Any],
        names: Sequence[Player],
        shared: dict[Any, Bot] | None = None,
    ) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.bots: list[Bot] = []
        self._shared = {} if shared is None else shared
        made: dict[Any, Bot] = {}
        for seat, name in enumerate(names):
            key = (name if isinstance(name, str) else id(name), -1 if is_shared(name) else seat)
            bot = self._shared.get(key) or made.get(key)
            if bot is None:
                bot = make(name, game, players, options, seat)
                (self._shared if bot.gathers else made)[key] = bot
            self.bots.append(bot)
        self._own = made
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

    def look(self, state: State) -> View:
        """The view of the deciding seat, which sees the state now."""
        view = self.views[state.seat]
        assert view is not None
        return view.see(state)

    def choose(self, state: State) -> int:
        """The step that the bot at the deciding seat chooses."""
        bot = self.bots[state.seat]
        if isinstance(bot, Blind):
            return bot.pick(state.legal())
        view = self.look(state)
        return bot.think(view, state) if isinstance(bot, Oracle) else bot.choose(view)

    def reports(self) -> list[str]:
        """Faults of programs since the last call, one sentence each."""
        said = faults(self.bots)[1]
        for bot in self.bots:
            if isinstance(bot, External | Gathering):
                bot.reports.clear()
        return said

    def close(self) -> None:
        """Close all bots."""
        for bot in dict.fromkeys(self.bots):
            bot.close()


def faults(bots: Iterable[Bot]) -> tuple[int, list[str]]:
    """How many choices the programs among these bots have forfeited, and sentences that say why."""
    programs = [bot for bot in dict.fromkeys(bots) if isinstance(bot, External | Gathering)]
    return sum(bot.forfeits for bot in programs), [said for bot in programs for said in bot.reports]
