"""The registry of games: the five of this package, and those that other packages add."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points

from ..engine.game import Game
from ..engine.words import words_of
from ..sheets.model import Sheet, SheetError
from . import heraldry, lost_heir, masquerade, sovereign, tontine

REGISTRY: dict[str, Game] = {}
ENTRY_POINTS = "parlour.games"


def register(game: Game) -> Game:
    """Add a game to the registry: from now on everything that knows all games knows it too."""
    known = REGISTRY.setdefault(game.name, game)
    if known is not game:
        raise ValueError(f"There is a game called {game.name} already: {known.title}.")
    return game


for folder in (masquerade, lost_heir, sovereign, heraldry, tontine):
    register(folder.GAME)

GAMES = tuple(REGISTRY)
"""The names of the games of this package."""


@cache
def load_entry_points() -> None:
    """Register the games that installed packages offer by the entry point `parlour.games`, each a `Game`.

    It does so once in a process. A package whose game cannot be loaded is warned of and left out.
    """
    for point in entry_points(group=ENTRY_POINTS):
        try:
            found = point.load()
            words_of(found)  # a sentence that cannot be said is found before anyone plays
            register(found)
        except Exception as error:  # whatever is wrong with one package, the other games can be played
            warnings.warn(f"The game {point.name} of {point.value} cannot be loaded: {error}", stacklevel=2)


def game(name: str) -> Game:
    """The game of a name; an unknown one raises SheetError."""
    if name not in REGISTRY:
        load_entry_points()
    if name not in REGISTRY:
        raise SheetError(f"There is no game called {name!r:.40}; the games are {', '.join(REGISTRY)}.")
    return REGISTRY[name]


def sheet(name: str) -> Sheet:
    """The sheet of a game; an unknown name raises SheetError."""
    return game(name).sheet
