"""The registry: the five games, by name."""

from __future__ import annotations

from ..game import Game
from ..sheets import GAMES, SheetError
from .heraldry import HERALDRY
from .lost_heir import LOST_HEIR
from .masquerade import MASQUERADE
from .sovereign import SOVEREIGN
from .tontine import TONTINE

REGISTRY: dict[str, Game] = {game.name: game for game in (MASQUERADE, LOST_HEIR, SOVEREIGN, HERALDRY, TONTINE)}


def game(name: str) -> Game:
    """The game of a name; an unknown one raises SheetError."""
    if name not in REGISTRY:
        raise SheetError(f"There is no game called {name!r:.40}; the games are {', '.join(GAMES)}.")
    return REGISTRY[name]
