"""A sitting as people and bots live it: a state, its chance, what each seat was told, and the log of it all."""

from __future__ import annotations

import hashlib
import json
import secrets as secrets_
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .core import Journal, Refusal, Sealed, State, View
from .game import Game
from .games import game as game_of
from .record import compose, drain

SPECTATOR = -1
SAVE_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Move:
    """A finished decision: who made it, its steps, and where the log stood before it."""

    seat: int
    steps: tuple[int, ...]
    at: int


def secret_of(seed: object) -> bytes:
    """The secret that belongs to a seed: the same seed, the same luck, on every machine and in every version."""
    return hashlib.sha256(f"parlour seed 1 {seed}".encode()).digest()


class Sitting:
    """One sitting, played step by step: `Sitting("lost-heir", players=4, seed=7)`.

    Chance is sealed, each entry with a stream of its own, so that what is undone and played otherwise meets the same
    luck again. `told` and `view` give a seat what it may know, and nothing else.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seed: object = None,
        secret: bytes | None = None,
        listeners: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.options = self.game.options_for(self.players, options)
        if secret is None:
            secret = secrets_.token_bytes(32) if seed is None else secret_of(seed)
        self.secret = secret
        self.undone = 0
        self._listeners = tuple(range(-1, self.players)) if listeners is None else tuple(listeners)
        self._begin()

    def _begin(self) -> None:
        self.log: list[list[Any]] = []
        self.moves: list[Move] = []
        self.prefix: list[int] = []
        self.told: dict[int, list[list[Any]]] = {seat: [] for seat in self._listeners}
        self._journal = Journal()
        self.state: State = self.game.state_type(self.players, self.options)
        self.state.journal = self._journal
        self._views = {
            seat: self.game.view_type(self.players, seat, self.options) for seat in self._listeners
        }
        self.state.begin(Sealed(self.secret, table=self.game.name, rules=self.game.rules))
        self._publish()

    def _publish(self) -> None:
        for seat, view in self._views.items():
            rows = view.listen(self._journal, self.game.secrets)
            self.told[seat] += [self.game.told(row) for row in rows]
        drain(self.game, self._journal, self.log)

    # where it stands

    @property
    def over(self) -> bool:
        """Whether the sitting has ended."""
        return bool(self.state.over)

    @property
    def seat(self) -> int:
        """The seat that decides; −1 when it is over."""
        return self.state.seat

    def legal(self) -> list[int]:
        """The legal steps of the seat that decides."""
        return self.state.legal()

    def names(self) -> list[str]:
        """The legal steps by name."""
        return [self.game.step_name(step) for step in self.legal()]

    def scores(self) -> list[int]:
        """Points or counters as they stand."""
        return self.state.scores()

    def winners(self) -> list[int]:
        """The winning seats, once it is over."""
        return self.state.winners() if self.over else []

    def view(self, seat: int = SPECTATOR) -> View:
        """What a seat knows now (−1: a spectator); refilled in place at the next call."""
        return self._views[seat].see(self.state)

    # decisions

    def play(self, step: int | str) -> None:
        """Take a step, by number or by name; one that is not legal raises Refusal with its clause."""
        number = self._number(step) if isinstance(step, str) else step
        seat = self.state.seat
        self.state.play(number)
        self.prefix.append(number)
        if not self.state.unfinished:
            self.moves.append(Move(seat, tuple(self.prefix), len(self.log)))
            self.prefix = []
            self._publish()

    def _number(self, name: str) -> int:
        if name not in self.game.step_names:
            raise Refusal(f"{name!r:.60} is not a step of {self.game.title}; legal now: {', '.join(self.names())}.")
        return self.game.step_names.index(name)

    def take_back(self) -> None:
        """Drop the steps of an unfinished move."""
        self.state.take_back()
        self.prefix = []

    def undo(self, seat: int) -> bool:
        """Go back to before a seat's last decision, with the same chance; False where there is none."""
        self.take_back()
        mine = [at for at, move in enumerate(self.moves) if move.seat == seat]
        if not mine:
            return False
        kept = self.moves[: mine[-1]]
        self._replay(kept)
        self.undone += 1
        return True

    def _replay(self, moves: Sequence[Move]) -> None:
        self._begin()
        for move in moves:
            for step in move.steps:
                self.play(step)

    # records and saves

    def record(self, **beside: Any) -> dict[str, Any]:
        """The record of the sitting; what was undone is marked."""
        marks = {"undone": self.undone} if self.undone else {}
        return compose(self.game, self.state, self.log, **marks, **beside)

    def save(self, **beside: Any) -> str:
        """The sitting as text from which `load` goes on; it holds the secret of its chance."""
        held = {
            "parlour_save": SAVE_FORMAT,
            "game": self.game.name,
            "rules": self.game.rules,
            "players": self.players,
            "options": self.options,
            "secret": self.secret.hex(),
            "undone": self.undone,
            "moves": [[move.seat, *move.steps] for move in self.moves],
        }
        return json.dumps(held | beside)

    @classmethod
    def load(cls, text: str) -> Sitting:
        """Go on with a saved sitting; text that is no save raises ValueError with one sentence."""
        try:
            held = json.loads(text)
            if held["parlour_save"] != SAVE_FORMAT:
                raise ValueError("it was saved by a newer version")
            sitting = cls(held["game"], held["players"], secret=bytes.fromhex(held["secret"]), **held["options"])
            sitting.undone = held["undone"]
            for seat, *steps in held["moves"]:
                if seat != sitting.seat:
                    raise ValueError(f"its moves do not fit: it is the turn of seat {sitting.seat}, not {seat}")
                for step in steps:
                    sitting.play(step)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"This is not a saved sitting that can be gone on with: {reason}.") from None
        return sitting
