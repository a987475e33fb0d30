"""The bots at the other seats of a sitting in the terminal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..players.bots import Blind
from ..players.names import bots_for
from ..players.seats import Seating
from .sitting import Sitting


class Opponents:
    """Bots that play a sitting with a person. Their luck depends on its secret and the moment, so undo keeps it."""

    def __init__(self, sitting: Sitting, bots: str) -> None:
        self.sitting = sitting
        self.names = bots_for(bots, sitting.players)
        self.seating = Seating(sitting.game, sitting.players, sitting.options, self.names)
        self.seed = int.from_bytes(hashlib.sha256(b"parlour bots 1" + sitting.secret).digest()[:8], "big")
        self.heard = [0] * sitting.players
        self.undone = [sitting.undone] * sitting.players
        for bot in self.seating.bots:
            bot.begin(self.seed, 0)

    def introduction(self, names: Sequence[str], you: int) -> str:
        """One sentence that says which bots play."""
        others = {names[seat]: bot for seat, bot in enumerate(self.names) if seat != you}
        if len(set(others.values())) == 1:
            return f"The others are played by {self.names[you - 1]}."
        return "The others: " + ", ".join(f"{name} is played by {bot}" for name, bot in others.items()) + "."

    def take_step(self) -> None:
        """Let the bot whose turn it is take a step."""
        sitting = self.sitting
        seat = sitting.seat
        bot = self.seating.bots[seat]
        if isinstance(bot, Blind):
            bot.begin(self.seed, len(sitting.moves) * 64 + len(sitting.prefix))
            sitting.play(bot.pick(sitting.legal()))
            return
        if bot.listens:
            if self.undone[seat] != sitting.undone:
                # after an undo the bot hears the whole sitting again
                bot.begin(self.seed, 0)
                self.heard[seat] = 0
                self.undone[seat] = sitting.undone
            bot.hear(sitting.told[seat][self.heard[seat] :])
            self.heard[seat] = len(sitting.told[seat])
        sitting.play(bot.choose(sitting.view(seat)))

    def reports(self) -> list[str]:
        """Faults of external bots since the last call, one sentence each."""
        return self.seating.reports()

    def close(self) -> None:
        """Close all bots."""
        self.seating.close()
