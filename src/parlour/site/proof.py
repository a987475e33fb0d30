"""A short proof that an engine plays as it should: sittings of every game, as a digest that is the same everywhere."""

from __future__ import annotations

import hashlib
import json
import random

from ..games import GAMES
from ..games import game as game_of
from ..play.sitting import Sitting
from ..players.seats import make

MOVES = 40
SEED = 1887


def digest(moves: int = MOVES) -> str:
    """What some moves of every game come to, with one of a bot that searches."""
    text = hashlib.sha256()
    for name in GAMES:
        game = game_of(name)
        luck = random.Random(SEED)
        sitting = Sitting(name, players=game.sheet.usual, seed=SEED)
        for _ in range(moves):
            if sitting.over:
                break
            sitting.play(luck.choice(sitting.legal()))
        text.update(json.dumps(sitting.log).encode())
        if not sitting.over:
            bot = make("novice", game, sitting.players, sitting.options, sitting.seat)
            bot.begin(SEED, 0)
            text.update(str(bot.choose(sitting.view(sitting.seat))).encode())
    return text.hexdigest()
