"""How bots decide at a table: in threads, from a view alone, within a time."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..engine.core import State
from ..engine.game import Game
from ..engine.view import View
from ..players.bots import Bot, Searcher
from ..players.hints import Advice, advise
from ..players.seats import make

SECONDS = 2.0  # for one step; the trials of every level take far less on any machine that is not in trouble
BOTS_KEPT = 12  # by each thread: a search takes a megabyte


class Minds:
    """Threads that think for bots and give hints."""

    def __init__(self, threads: int = 2) -> None:
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="parlour-mind")
        self.own = threading.local()

    def bot(self, game: Game, players: int, options: dict[str, Any], level: str) -> Bot:
        """This thread's bot of a level, for tables of one kind."""
        kept: OrderedDict[Any, Bot] | None = getattr(self.own, "bots", None)
        if kept is None:
            kept = self.own.bots = OrderedDict()
        key = (game.name, players, level, tuple(sorted(options.items(), key=str)))
        bot = kept.get(key)
        if bot is None:
            bot = kept[key] = make(level, game, players, options, 0)
            if isinstance(bot, Searcher):
                bot.seconds = SECONDS
        kept.move_to_end(key)
        if len(kept) > BOTS_KEPT:
            kept.popitem(last=False)
        return bot

    def move(self, game: Game, level: str, view: View, state: State, seed: int) -> list[int]:
        """A whole move of the seat of a view; `state` is a copy to try its steps on, which the bot does not see."""
        bot = self.bot(game, view.players, view.options, level)
        bot.begin(seed, 0)
        steps: list[int] = []
        while not steps or state.unfinished:
            steps.append(bot.choose(view.see(state)))
            state.play(steps[-1])
        return steps

    def advice(self, game: Game, view: View) -> Advice:
        return advise(game, view)

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)


def bots_seed(secret: bytes) -> int:
    """The luck of the bots at a table: it has nothing to do with that of the deals, and is known to nobody."""
    return int.from_bytes(hashlib.sha256(b"parlour bots 1\0" + secret).digest()[:7], "big")
