"""A sealed sitting: its chance comes from the table's secret, and every entry of its log is chained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.chance import SHUFFLE_VERSION
from ..engine.errors import Refusal
from ..engine.game import CHANCE
from ..engine.messages import say
from ..play.sitting import SPECTATOR, Sitting
from ..records.record import read_decision
from ..records.seal import SEAL_VERSION, Chain, Recorder, closing_of, linked, opening_of
from .lobby import Lobby
from .settings import Settings

MOST_AGAIN = 2000  # moves of a sitting that can be played again from the middle


class SealedSitting:
    """A sitting at a table, with the chain over its log."""

    def __init__(self, table: str, secret: bytes, settings: Settings, lobby: Lobby) -> None:
        self.settings = settings
        self.secret = secret
        self.name = sealed_name(table, settings)
        again = settings.again or {"entropy": lobby.entropy, "promises": lobby.promises}
        self.entropy: list[str | None] = again["entropy"]
        self.promises: list[str | None] = again["promises"]
        self.chance = self.luck()
        agreed = (settings.players, settings.options, self.name, settings.commitment, self.promises, self.entropy)
        self.chain = Chain(secret, opening_of(settings.game, settings.rules, *agreed))
        self.logged = 0  # entries of the sitting's log that are chained
        self.drawn = 0  # chance entries among them
        self.sitting = Sitting(
            settings.game,
            settings.players,
            chance=self.chance,
            listeners=(SPECTATOR, *lobby.named),
            rules=settings.rules,
            **settings.recorded,
        )

    def luck(self) -> Recorder:
        """The luck of the sitting, from its beginning."""
        return Recorder(self.settings.game, self.secret, self.entropy, self.name, self.settings.rules)

    # the chain

    @property
    def half_done(self) -> bool:
        """Whether entries of the log are not chained yet."""
        return self.logged < len(self.sitting.log)

    @property
    def head(self) -> bytes:
        """The head of the chain, which every seat is told."""
        return self.chain.head

    def chain_next(self) -> list[Any]:
        """Chain the next entry of the log; the entry."""
        entry = self.sitting.log[self.logged]
        game = self.settings.game
        pool = None
        if game.entries[game.kinds[entry[0]]].nature == CHANCE:
            pool = self.chance.pools[self.drawn]
            self.drawn += 1
        self.logged += 1
        self.chain.add(linked(entry, pool))
        return entry

    def follow(self, entry: list[Any]) -> bool:
        """Follow a stored entry: a decision is made again. False where the entry does not result from those before."""
        if not self.half_done:
            for step in read_decision(self.settings.game, self.sitting.state, entry):
                self.sitting.play(step)
        if self.sitting.log[self.logged] != entry:
            return False
        self.chain_next()
        return True

    def undo(self, seat: int) -> bool:
        """Go back to before a seat's last decision; False where it has made none."""
        if not self.sitting.undo(seat):
            return False
        self.logged = len(self.sitting.log)
        self.drawn = len(self.chance.pools)
        self.chain.rewind(self.logged)
        return True

    # the record

    def close(self, names: Sequence[str], ended: str = "") -> None:
        """Chain what stands beside the log in the record of a sitting that is over, or was ended before its end."""
        self.chain.add(closing_of(self.sitting.record(**self._beside(names, ended))))

    def record(self, names: Sequence[str], ended: str = "") -> dict[str, Any]:
        """The record of a sitting that is over, or was ended before its end, with its seal."""
        seal = {
            "version": SEAL_VERSION,
            "table": self.name,
            "commitment": self.settings.commitment,
            "secret": self.secret.hex(),
            "promises": self.promises,
            "entropy": self.entropy,
            "pack": self.settings.game.codes,
            "pools": self.chance.pools,
            "head": self.head.hex(),
        }
        return self.sitting.record(**self._beside(names, ended), seal=seal)

    def _beside(self, names: Sequence[str], ended: str) -> dict[str, Any]:
        deal = self.settings.deal
        numbered: dict[str, Any] = {} if deal is None else {"deal": deal}
        again = self.settings.again
        if again is not None:
            numbered["again"] = {"of": again["of"], "moves": again["moves"]}
        cut_short = {"ended": ended} if ended else {}
        return numbered | cut_short | {"shuffle": SHUFFLE_VERSION, "names": list(names), "opened": self.settings.opened}


def again_of(sealed: SealedSitting, table: str, seat: int, moves: int) -> dict[str, Any]:
    """What a table is told of a sitting that is over and is played again there from after so many moves.

    The luck is the same: that of the old secret, under the old name, with what its seats added.
    """
    made = sealed.sitting.moves
    last = max(0, len(made) - 1)
    if moves > last:
        how = "It can be played on from 0 to {last} moves, not from {moves}."
        raise Refusal(say("again from", how, last=last, moves=moves))
    if len(made) > MOST_AGAIN:
        raise Refusal(say("again long", "This sitting is too long to be played again."))
    return {
        "of": table,
        "seat": seat,
        "moves": moves,
        "table": sealed.name,
        "promises": sealed.promises,
        "entropy": sealed.entropy,
        "steps": [step for move in made[:moves] for step in move.steps],
    }


def sealed_name(table: str, settings: Settings) -> str:
    """The name on which chance depends.

    A numbered deal is the same at every table, a series is that of its first, and so is a sitting that is played again.
    """
    if settings.again is not None:
        name: str = settings.again["table"]
        return name
    return settings.series or table if settings.deal is None else f"deal {settings.deal}"
