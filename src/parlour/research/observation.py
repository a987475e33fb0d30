"""The layout of observations: the fields of a game by name, their places among the numbers, and their meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[vector]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from ..engine.fields import OWNER
from ..engine.game import Game
from ..engine.marginals import Marginals
from .arguments import integer

__all__ = ["HiddenLayout", "ObservationField", "ObservationLayout"]

Bytes = NDArray[np.uint8]

@dataclass(frozen=True, slots=True)
class ObservationField:
    """One field of an observation: `rows` rows of `size` numbers, starting at number `at`."""

    name: str
    at: int
    rows: int
    size: int
    meaning: str

    @property
    def end(self) -> int:
        """The number after its last."""
        return self.at + self.rows * self.size

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape as an array: a row for each seat, or a single one."""
        return (self.rows, self.size) if self.rows > 1 else (self.size,)


class ObservationLayout:
    """The fields of a game's observations for this number of players and these options, in order.

    All numbers are from 0 to 255; greater ones are written as 255. Seats and sides start with the observer's own and
    go on leftwards. With `memory` fields of what the observer remembers follow, then those of `marginals`.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        options: Mapping[str, Any],
        memory: bool = False,
        marginals: Marginals | None = None,
    ) -> None:
        view = game.view_type(players, 0, dict(options))
        meanings = {field.name: field.meaning for field in game.fields}
        shapes = view.layout() + (view.memory_layout() if memory else [])
        parts = [(name, rows, size, meanings[name]) for name, rows, size in shapes]
        self._place(parts + (marginals.layout() if marginals else []))

    def _place(self, parts: Sequence[tuple[str, int, int, str]]) -> None:
        """Lay out fields one after another: name, rows, numbers in a row, meaning."""
        at, found = 0, []
        for name, rows, size, meaning in parts:
            found.append(ObservationField(name, at, rows, size, meaning))
            at = found[-1].end
        self.fields = tuple(found)
        self.width = at

    def named(self, observations: Bytes) -> dict[str, Bytes]:
        """One observation, or many, as named fields: views of the same array, not copies."""
        ahead, wide = observations.shape[:-1], observations.shape[-1:]
        if wide != (self.width,):
            raise ValueError(f"An observation here has {self.width} numbers, not {wide[0] if wide else 'none'}.")
        return {
            field.name: observations[..., field.at : field.end].reshape(*ahead, *field.shape) for field in self.fields
        }

    def joined(self, named: Mapping[str, Bytes]) -> Bytes:
        """Named fields as one array again: the inverse of `named`."""
        names = [field.name for field in self.fields]
        if set(named) != set(names):
            raise ValueError(f"The fields here are {', '.join(names)}; these are {', '.join(named) or 'none'}.")
        flat = []
        for field in self.fields:
            value = np.asarray(named[field.name], dtype=np.uint8)
            ahead = value.shape[: value.ndim - len(field.shape)]
            if value.shape != (*ahead, *field.shape):
                raise ValueError(f"The shape of the field {field.name} must end in {field.shape}, not {value.shape}.")
            flat.append(value.reshape(*ahead, field.rows * field.size))
        return np.concatenate(flat, axis=-1)


def marginals_of(game: Game, players: int, options: Mapping[str, Any], worlds: int) -> Marginals | None:
    """What writes down the beliefs of a game's seats, from so many sampled worlds; None for no world."""
    if not integer(worlds, "The number of sampled worlds (beliefs)", 0):
        return None
    if not HiddenLayout(game, players, options).private:
        raise ValueError(f"Nothing is hidden in {game.title}.")
    return Marginals(game.view_type(players, 0, dict(options)), worlds)


class HiddenLayout(ObservationLayout):
    """The fields of what the seat that decides does not see, for training only.

    There is a row for each other seat, from the next on leftwards, with what it alone sees; then what nobody sees, such
    as the order of a pack. Fields that are blank out of turn are left out.
    """

    def __init__(self, game: Game, players: int, options: Mapping[str, Any]) -> None:
        usual = {field.name: field for field in ObservationLayout(game, players, options).fields}
        private = [each for each in game.fields if each.encoded and each.seen_by == OWNER and not each.in_turn]
        own = [usual[each.name] for each in private]
        self.private = [(each.at, each.end) for each in own]
        parts = [(each.name, players - 1, each.end - each.at, f"by other seat: {each.meaning}") for each in own]
        self._place(parts + [(name, 1, size, meaning) for name, size, meaning in game.state_type.HIDDEN])
