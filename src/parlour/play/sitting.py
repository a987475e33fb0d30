"""A sitting as people and bots live it: a state, its chance, what each seat was told, and the log of it all."""

from __future__ import annotations

import hashlib
import json
import secrets as secrets_
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.chance import Sealed
from ..engine.core import Journal, State
from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.view import View
from ..games import game as game_of
from ..records.record import compose

SPECTATOR = -1
SAVE_FORMAT = 1
OVER = "The sitting is over: nothing more can be played."


@dataclass(frozen=True, slots=True)
class Move:
    """A finished decision: who made it, its steps, and how much that seat had been told before it."""

    seat: int
    steps: tuple[int, ...]
    heard: int


def secret_of(seed: object) -> bytes:
    """The secret that belongs to a seed: the same seed, the same luck, on every machine and in every version."""
    return hashlib.sha256(f"parlour seed 1 {seed}".encode("utf-8", "surrogateescape")).digest()


class Sitting:
    """One sitting, played step by step: `Sitting("lost-heir", players=4, seed=7)`.

    Chance is sealed, each entry with a stream of its own, so that what is undone and played otherwise meets the same
    luck again. `told` and `view` give a seat what it may know, and nothing else; `listeners` names the seats for which
    they are kept (all, and the spectator, where it is not given). `attend` is for those who will imagine: it lets their
    views remember more. A `chance` of one's own takes the place of seed, secret, entropy and table.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seed: object = None,
        secret: bytes | None = None,
        entropy: bytes = b"",
        table: str = "",
        chance: Sealed | None = None,
        listeners: Sequence[int] | None = None,
        attend: bool = False,
        rules: int | None = None,
        **options: Any,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.options = self.game.options_for(self.players, options)
        self.rules = self.game.rules if rules is None else rules
        if secret is None:
            secret = secrets_.token_bytes(32) if seed is None else secret_of(seed)
        self.secret = secret
        self.chance = chance or Sealed(secret, entropy, table or self.game.name, self.rules)
        self.undone = 0
        self._attend = attend
        self._listeners = tuple(range(-1, self.players)) if listeners is None else tuple(listeners)
        self._begin()

    def _begin(self) -> None:
        self.log: list[list[Any]] = []
        self.moves: list[Move] = []
        self.prefix: list[int] = []
        self.told: dict[int, list[list[Any]]] = {seat: [] for seat in self._listeners}
        self.minds: dict[int, View] = {}  # of seats that imagine, beside those for which what was told is kept
        self.state: State = self.game.state_type(self.players, self.options, self.rules)
        self.state.journal = Journal()
        self._views = {
            seat: self.game.view_type(self.players, seat, self.options) for seat in self._listeners
        }
        if self._attend:
            for view in self._views.values():
                view.track_beliefs(trusting=True)
        self.state.begin(self.chance)
        self._publish()

    def _publish(self) -> None:
        """Note what happened, and tell every listener; what all are told alike is made and kept once."""
        journal = self.state.journal
        assert journal is not None
        rows = journal.rows()
        whole = [self.game.told(row) for row in rows]
        for seat, view in self._views.items():
            heard = view.listen(journal)
            self.told[seat] += [
                whole[at] if told == rows[at] else self.game.told(told) for at, told in enumerate(heard)
            ]
        for view in self.minds.values():
            view.listen(journal)
        for row, entry in zip(rows, whole, strict=True):
            recorded = self.game.recorded(row)
            if recorded is not None:
                self.log.append(entry if entry == recorded else recorded)
        self.state.journal = None  # the next move has its own: a sitting that waits is small

    def mind(self, seat: int) -> View:
        """What a seat knows, remembered as well as it takes to imagine; it goes on listening until it is dropped."""
        if seat not in self.minds:
            self.minds[seat] = self.memory(seat, self.moves, self.chance)
        return self.minds[seat].see(self.state)

    def memory(self, seat: int, moves: Sequence[Move], chance: Sealed) -> View:
        """What a seat remembers of these moves, with luck like that of this sitting; nothing of it is changed."""
        again = Sitting(
            self.game, self.players, chance=chance, listeners=(seat,), attend=True, rules=self.rules, **self.options
        )
        again._follow(moves)
        return again._views[seat]

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
        if seat not in self._views:
            raise ValueError(f"Nobody listens at seat {seat!r:.20}; there are {sorted(self._views)}.")
        return self._views[seat].see(self.state)

    # decisions

    def play(self, step: int | str, seat: int | None = None) -> None:
        """Take a step, by number or by name; one that is not legal raises Refusal with its clause.

        Where `seat` is given it must be that seat's turn: a refusal may name cards that only their holder knows.
        """
        turn = self.state.seat
        if seat is not None and seat != turn:
            raise Refusal(f"It is the turn of seat {turn}, not of seat {seat!r:.20}." if turn >= 0 else OVER)
        number = self._number(step) if isinstance(step, str) else step
        if self.state.journal is None:
            self.state.journal = Journal()
        self.state.play(number)
        self.prefix.append(int(number))
        if not self.state.unfinished:
            self.moves.append(Move(turn, tuple(self.prefix), len(self.told.get(turn, ()))))
            self.prefix = []
            self._publish()

    def _number(self, name: str) -> int:
        if name not in self.game.step_names:
            raise Refusal(f"{name!a:.60} is not a step of {self.game.title}; legal now: {', '.join(self.names())}.")
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
        self._begin()
        self._follow(kept)
        self.undone += 1
        return True

    def _follow(self, moves: Sequence[Move]) -> None:
        for move in moves:
            for step in move.steps:
                self.play(step)

    # records and saves

    def record(self, **beside: Any) -> dict[str, Any]:
        """The record of the sitting, once it is over: before that it would show hidden cards. Undoing is marked."""
        if not self.over:
            raise Refusal("The record shows all hands, and the sitting is not over yet.")
        marks = {"undone": self.undone} if self.undone else {}
        return compose(self.game, self.state, self.log, **marks, **beside)

    def save(self, **beside: Any) -> str:
        """The sitting as text from which `load` goes on; it holds the secret of its chance."""
        held = {
            "parlour_save": SAVE_FORMAT,
            "game": self.game.name,
            "rules": self.rules,
            "players": self.players,
            "options": self.options,
            "secret": self.secret.hex(),
            "undone": self.undone,
            "moves": [[move.seat, *move.steps] for move in self.moves],
        }
        return json.dumps(held | beside)

    @classmethod
    def load(cls, text: str, listeners: Sequence[int] | None = None, attend: bool = False) -> Sitting:
        """Go on with a saved sitting; text that is no save raises ValueError with one sentence."""
        try:
            held = json.loads(text)
            if not isinstance(held, dict) or held.get("parlour_save") != SAVE_FORMAT:
                raise ValueError("it does not say that it is one, of this version")
            game = game_of(held["game"])
            rules = held["rules"]
            if type(rules) is not int or not 1 <= rules <= game.rules:
                raise ValueError(f"it is by rules version {rules!r:.20}, and this knows 1 to {game.rules}")
            options: dict[str, Any] = game.sheet.check_options(held["players"], held["options"])
            secret = bytes.fromhex(held["secret"])
            players = held["players"]
            sitting = cls(game, players, secret=secret, listeners=listeners, attend=attend, rules=rules, **options)
            for seat, *steps in held["moves"]:
                for step in steps:
                    sitting.play(step, seat)
                if sitting.prefix:
                    raise ValueError("a move is not whole")
            sitting.undone = int(held["undone"])
        except KeyError as error:
            raise ValueError(f"This is not a saved sitting: {error.args[0]!r:.40} is missing.") from None
        except (TypeError, ValueError, RecursionError) as error:
            reason = str(error).rstrip(".") if isinstance(error, ValueError) else "something in it is of the wrong kind"
            raise ValueError(f"This is not a saved sitting: {reason}.") from None
        return sitting
