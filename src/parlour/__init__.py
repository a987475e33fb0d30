"""Five card games from old rule sheets, made playable, studiable and durable.

    import random, parlour

    sitting = parlour.Sitting("lost-heir", players=4, seed=7)
    while not sitting.over:
        sitting.play(random.choice(sitting.legal()))
    print(sitting.scores(), sitting.winners())
"""

from __future__ import annotations

from . import _moved
from .engine import build

build.check()
_moved.install()

from ._version import __version__  # noqa: E402
from .engine.chance import Scripted, Sealed  # noqa: E402
from .engine.core import Chance, Journal, Seeded, State  # noqa: E402
from .engine.errors import Refusal  # noqa: E402
from .engine.game import Game  # noqa: E402
from .engine.view import View  # noqa: E402
from .games import GAMES, REGISTRY, game, register, sheet  # noqa: E402
from .play.sitting import SPECTATOR, Sitting  # noqa: E402
from .players import bots  # noqa: E402
from .records.record import FORMAT, check  # noqa: E402
from .sheets.model import OptionError, Sheet, SheetError  # noqa: E402

__all__ = [
    "FORMAT",
    "GAMES",
    "REGISTRY",
    "SPECTATOR",
    "Chance",
    "Game",
    "Journal",
    "OptionError",
    "Refusal",
    "Scripted",
    "Sealed",
    "Seeded",
    "Sheet",
    "SheetError",
    "Sitting",
    "State",
    "View",
    "__version__",
    "bots",
    "check",
    "game",
    "register",
    "sheet",
]
