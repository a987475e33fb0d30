"""The registry: the five games, by name."""

from __future__ import annotations

from ..engine.game import Game
from ..sheets.model import GAMES, SheetError
from .heraldry import GAME as HERALDRY
from .lost_heir import GAME as LOST_HEIR
from .masquerade import GAME as MASQUERADE
from .sovereign import GAME as SOVEREIGN
from .tontine import GAME as TONTINE

REGISTRY: dict[str, Game] = {game.name: game for game in (MASQUERADE, LOST_HEIR, SOVEREIGN, HERALDRY, TONTINE)}


def game(name: str) -> Game:
    """The game of a name; an unknown one raises SheetError."""
    if name not in REGISTRY:
        raise SheetError(f"There is no game called {name!r:.40}; the games are {', '.join(GAMES)}.")
    return REGISTRY[name]
