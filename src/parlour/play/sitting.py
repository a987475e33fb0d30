"""A sitting: a state with its chance, the entries told to each seat, and the log of everything that happened."""

from __future__ import annotations

import hashlib
import json
import secrets as secrets_
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.chance import Sealed
from ..engine.core import Journal, State
from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..engine.view import View
from ..games import game as game_of
from ..records.record import compose
from .position import Position

__all__ = ["SPECTATOR", "Move", "Sitting"]

SPECTATOR = -1
SAVE_FORMAT = 1
OVER = say("no more", "The sitting is over; no more steps can be taken.")


@dataclass(frozen=True, slots=True)
class Move:
    """A finished decision: the seat, its steps, and the number of entries that seat had been told before."""

    seat: int
    steps: tuple[int, ...]
    heard: int


def secret_of(seed: object) -> bytes:
    """The secret that a seed stands for; the same on every machine and in every version."""
    return hashlib.sha256(f"parlour seed 1 {seed}".encode("utf-8", "surrogateescape")).digest()


class Sitting:
    """One sitting, played step by step: `Sitting("lost-heir", players=4, seed=7)`.

    >>> sitting = Sitting("heraldry", players=2, seed=9)
    >>> sitting.names()
    ['play C6', 'play SC', 'play DC']
    >>> for step in ("play C6", "take C1", "take D5"):  # one move of three steps
    ...     sitting.play(step)
    >>> sitting
    <Sitting heraldry, 2 players, 1 moves, seat 1 decides>

    Each chance entry has its own sealed random stream, so a step that is undone and played differently meets the same
    luck again. `told` and `view` give a seat exactly what it may know. `listeners` are the seats that have them
    (default: all seats and the spectator). `track_beliefs` lets views sample hidden cards well, which needs more
    memory. A given `chance` replaces seed, secret, entropy and table. `rules` is the version of the game's rules
    (default: the newest).
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
        track_beliefs: bool = False,
        rules: int | None = None,
        **options: Any,
    ) -> None:
        if "attend" in options:
            warnings.warn("Sitting(attend=…) is now called track_beliefs.", DeprecationWarning, stacklevel=2)
            track_beliefs = options.pop("attend")
        self.game = game if isinstance(game, Game) else game_of(game)
        self.players = self.game.sheet.usual if players is None else players
        self.rules = self.game.rules if rules is None else rules
        self.options = self.game.options_for(self.players, options, self.rules)
        if secret is None:
            secret = secrets_.token_bytes(32) if seed is None else secret_of(seed)
        self.secret = secret
        self.chance = chance or Sealed(secret, entropy, table or self.game.name, self.rules)
        self.undone = 0
        self._track_beliefs = track_beliefs
        self._listeners = tuple(range(-1, self.players)) if listeners is None else tuple(listeners)
        self._begin()

    def __repr__(self) -> str:
        where = "over" if self.over else f"seat {self.seat} decides"
        return f"<Sitting {self.game.name}, {self.players} players, {len(self.moves)} moves, {where}>"

    def copy(self) -> Sitting:
        """Another sitting that has been played as far as this one, and meets the same luck from here on."""
        again, given = self.__reduce__()
        copy: Sitting = again(*given)
        return copy

    def __copy__(self) -> Sitting:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Sitting:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        if not isinstance(self.chance, Sealed):
            raise TypeError("A sitting with a source of chance of its own cannot be copied or pickled.")
        options = self.game.sheet.recorded(self.options, self.rules)
        how = {"secret": self.secret, "chance": self.chance, "listeners": self._listeners}
        how |= {"track_beliefs": self._track_beliefs, "rules": self.rules}
        steps = [*(step for move in self.moves for step in move.steps), *self.prefix]
        return _played_on, (self.game.name, self.players, options, how, steps, self.undone)

    def _begin(self) -> None:
        self.log: list[list[Any]] = []
        self.moves: list[Move] = []
        self.prefix: list[int] = []
        self.told: dict[int, list[list[Any]]] = {seat: [] for seat in self._listeners}
        self.state: State = self.game.state_type(self.players, self.options, self.rules)
        self.state.journal = Journal()
        self._views = {seat: self.game.view_type(self.players, seat, self.options) for seat in self._listeners}
        if self._track_beliefs:
            for view in self._views.values():
                view.track_beliefs(trusting=True)
        self.state.begin(self.chance)
        self._publish()

    def _publish(self) -> None:
        """Log what happened and tell every listener; an entry that all are told alike is stored once."""
        journal = self.state.journal
        assert journal is not None
        rows = journal.rows()
        whole = [self.game.told(row) for row in rows]
        for seat, view in self._views.items():
            heard = view.listen(journal)
            self.told[seat] += [
                whole[at] if told == rows[at] else self.game.told(told) for at, told in enumerate(heard)
            ]
        for row, entry in zip(rows, whole, strict=True):
            recorded = self.game.recorded(row)
            if recorded is not None:
                self.log.append(entry if entry == recorded else recorded)
        self.state.journal = None  # each move has its own journal, so a waiting sitting is small

    # where it stands

    @property
    def over(self) -> bool:
        """Whether the sitting has ended."""
        return bool(self.state.over)

    @property
    def seat(self) -> int:
        """The seat to decide, or −1 when the sitting is over."""
        return self.state.seat

    def legal(self) -> list[int]:
        """The legal steps of the seat to decide."""
        return self.state.legal()

    def names(self) -> list[str]:
        """The names of the legal steps."""
        return [self.game.step_name(step) for step in self.legal()]

    def scores(self) -> list[int]:
        """The current points or counters, by side."""
        return self.state.scores()

    def winners(self) -> list[int]:
        """The winning seats once the sitting is over, and none before."""
        return self.state.winners() if self.over else []

    def view(self, seat: int = SPECTATOR) -> View:
        """The view of a seat (−1: a spectator) as of now; the next call refills the same object."""
        if seat not in self._views:
            raise ValueError(f"Seat {seat!r:.20} has no view here; the seats with one are {sorted(self._views)}.")
        return self._views[seat].see(self.state)

    def position(self, seat: int | None = None) -> Position:
        """What a seat sees (default: the one to decide, or a spectator) as a picture, for a notebook or a file."""
        if seat is None:
            seat = self.seat if self.seat in self._views else SPECTATOR
        return Position(self.game, self.view(seat))

    def _repr_html_(self) -> str:
        return self.position().html()

    # decisions

    def play(self, step: int | str, seat: int | None = None) -> None:
        """Take a step by number or name; an illegal one raises Refusal with its clause.

        Pass `seat` to check whose turn it is first: a refusal may name cards that only their holder may know.
        """
        turn = self.state.seat
        if seat is not None and seat != turn:
            how = "It is the turn of seat {turn}, not of seat {seat:text}."
            raise Refusal(say("other turn", how, turn=turn, seat=f"{seat!r:.20}") if turn >= 0 else OVER)
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
            how = "{name:text} is not a step of {game:text}; legal now: {legal:text}."
            said = {"name": f"{name!a:.60}", "game": self.game.title, "legal": ", ".join(self.names())}
            raise Refusal(say("legal now", how, **said))
        return self.game.step_names.index(name)

    def take_back(self) -> None:
        """Drop the steps of an unfinished move."""
        self.state.take_back()
        self.prefix = []

    def undo(self, seat: int) -> bool:
        """Go back to before a seat's last decision, with the same chance; returns False where there is none."""
        self.take_back()
        mine = [at for at, move in enumerate(self.moves) if move.seat == seat]
        if not mine:
            return False
        earlier = self.moves[: mine[-1]]
        self._begin()
        self._follow(earlier)
        self.undone += 1
        return True

    def _follow(self, moves: Sequence[Move]) -> None:
        for move in moves:
            for step in move.steps:
                self.play(step)

    # records and saves

    def record(self, **beside: Any) -> dict[str, Any]:
        """The record of a finished sitting (before the end it would show hidden cards); it counts undone decisions.

        With `ended` (why), a sitting that is not over is recorded as ended there, with the scores so far.
        """
        if not self.over and not beside.get("ended"):
            raise Refusal(say("record later", "The record shows all hands, and the game is not over yet."))
        marks = {"undone": self.undone} if self.undone else {}
        return compose(self.game, self.state, self.log, **marks, **beside)

    def save(self, **beside: Any) -> str:
        """The sitting as text for `load`; it contains the secret of its chance."""
        _, (_, entropy, table, _) = self.chance.__reduce__()
        dealt = {} if table == self.game.name and not entropy else {"table": table, "entropy": entropy.hex()}
        held = {
            "parlour_save": SAVE_FORMAT,
            "game": self.game.name,
            "rules": self.rules,
            "players": self.players,
            "options": self.game.sheet.recorded(self.options, self.rules),
            "secret": self.secret.hex(),
            "undone": self.undone,
            "moves": [[move.seat, *move.steps] for move in self.moves],
        }
        return json.dumps(held | dealt | beside)

    @classmethod
    def load(cls, text: str, listeners: Sequence[int] | None = None, track_beliefs: bool = False) -> Sitting:
        """Resume a saved sitting; an invalid text raises ValueError with one sentence."""
        try:
            held = json.loads(text)
            if not isinstance(held, dict) or held.get("parlour_save") != SAVE_FORMAT:
                raise ValueError(f'it has no "parlour_save": {SAVE_FORMAT}')
            game = game_of(held["game"])
            rules = held["rules"]
            if type(rules) is not int or not 1 <= rules <= game.rules:
                raise ValueError(f"its rules version is {rules!r:.20}, and this Parlour plays 1 to {game.rules}")
            game.sheet.check_options(held["players"], held["options"], rules)  # a save leaves none to a default
            options: dict[str, Any] = held["options"]
            secret = bytes.fromhex(held["secret"])
            players = held["players"]
            sitting = cls(
                game,
                players,
                secret=secret,
                listeners=listeners,
                track_beliefs=track_beliefs,
                rules=rules,
                entropy=bytes.fromhex(held.get("entropy", "")),
                table=str(held.get("table", "")),
                **options,
            )
            for seat, *steps in held["moves"]:
                for step in steps:
                    sitting.play(step, seat)
                if sitting.prefix:
                    raise ValueError("a move in it is incomplete")
            sitting.undone = int(held["undone"])
        except KeyError as error:
            raise ValueError(f"This is not a saved sitting: {error.args[0]!r:.40} is missing.") from None
        except (TypeError, ValueError, RecursionError) as error:
            reason = str(error).rstrip(".") if isinstance(error, ValueError) else "a value in it has the wrong type"
            raise ValueError(f"This is not a saved sitting: {reason}.") from None
        return sitting


def _played_on(
    name: str, players: int, options: dict[str, Any], how: dict[str, Any], steps: Sequence[int], undone: int
) -> Sitting:
    """A sitting in which these steps were taken, to copy another or to read it from a pickle."""
    sitting = Sitting(name, players, **how, **options)
    for step in steps:
        sitting.play(step)
    sitting.undone = undone
    return sitting
