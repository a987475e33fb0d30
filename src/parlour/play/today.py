"""The deal of the day: from the date the same cards for everyone, at every server and in the terminal."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from ..engine.game import Game
from ..players.seats import Seating
from ..records.seal import joined
from .sitting import Sitting, secret_of

__all__ = ["Outcome", "day_of", "number_of", "outcome", "played_by", "sitting_of"]

SEAT = 0  # at which the deal of the day is played


class Outcome(NamedTuple):
    """How a sitting ended for a seat: its score (or its side's), its place among all sides, and whether it won."""

    score: int
    place: int
    of: int
    won: bool


def number_of(day: datetime.date) -> int:
    """The number of a day's deal: its date, as in 20261224."""
    return int(day.strftime("%Y%m%d"))


def day_of(number: int) -> datetime.date | None:
    """The day of a number; None where it is no day's."""
    try:
        return datetime.datetime.strptime(str(number), "%Y%m%d").date() if number >= 10_000_000 else None
    except ValueError:
        return None


def sitting_of(game: Game, number: int, listeners: list[int] | None = None) -> Sitting:
    """The sitting of a numbered deal, as tables of a server deal it to one person and bots: usual players and rules."""
    players, name = game.sheet.usual, f"deal {number}"
    nobody = joined([None] * players)  # no seat adds to its luck
    return Sitting(
        game, players, secret=secret_of(name), entropy=nobody, table=name, listeners=listeners, track_beliefs=True
    )


def played_by(game: Game, number: int, level: str, seed: int) -> Outcome:
    """What a bot of a level makes of a numbered deal, against the bots that people meet; `seed` is for their luck."""
    sitting = sitting_of(game, number)
    names = [game.usual_bot] * sitting.players
    names[SEAT] = level
    bots = Seating(game, sitting.players, sitting.options, names).bots
    for bot in bots:
        bot.begin(seed, 0)
    while not sitting.over:
        sitting.play(bots[sitting.seat].choose(sitting.view(sitting.seat)))
    return outcome(sitting, SEAT)


def outcome(sitting: Sitting, seat: int) -> Outcome:
    """How a sitting that is over ended for a seat."""
    scores = sitting.scores()
    side = seat % len(scores)
    winners = {winner % len(scores) for winner in sitting.winners()}
    better = 0
    if side not in winners:
        others = [score for other, score in enumerate(scores) if other not in winners]
        better = len(winners) + sum(score > scores[side] for score in others)
    return Outcome(scores[side], 1 + better, len(scores), side in winners)
