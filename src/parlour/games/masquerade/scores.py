"""The scores of The Masquerade Game: the points of a game, the games of a sitting, and who has won it."""

from __future__ import annotations

from typing import Any

from ...engine.core import State, emphasise
from ...engine.types import Seat
from .notation import GOAL, NONE, SHEET


class Scores(State):
    """MASQ-20: 32 points complete a game, and one or more games make a sitting. The rules say what scores points."""

    def __init__(self, players: int, options: dict[str, Any], rules: int = SHEET.rules) -> None:
        SHEET.check_players(players)
        super().__init__(players, options, rules)
        self.goal = GOAL  # MASQ-20: the points that complete a game
        self.games = options["games"]  # MASQ-20: how many games make a sitting
        self.points = [0] * 8  # by seat: the points in this game
        self.totals = [0] * 8  # by seat: the points of finished games
        self.won = [0] * 8  # by seat: the games won

    def _clear_scores(self) -> None:
        """Nobody has scored or won anything."""
        self.game = 0  # games finished
        self.last_winner = NONE  # the winner of the last finished game
        for seat in range(8):
            self.points[seat] = 0
            self.totals[seat] = 0
            self.won[seat] = 0

    def _count_game(self, winner: Seat) -> None:
        """Count a finished game: its winner, and the points of all."""
        self.won[winner] += 1
        self.last_winner = winner
        self.game += 1
        for seat in range(self.players):
            self.totals[seat] += self.points[seat]
            self.points[seat] = 0

    def _score_of(self, seat: Seat) -> float:
        return self.totals[seat] + self.points[seat]

    def _has_won(self, seat: Seat) -> bool:
        # MASQ-20: most games won, then most points over all games, then the last game's winner; otherwise shared
        for other in range(self.players):
            if self.won[other] > self.won[seat]:
                return False
            if self.won[other] == self.won[seat]:
                if self.totals[other] > self.totals[seat]:
                    return False
                if self.totals[other] == self.totals[seat] and other == self.last_winner != seat:
                    return False
        return True

    # for search

    def _forecast(self, seat: Seat) -> float:
        # estimate the winner of this game from the points, and then of the sitting from the games won
        chances = 0.0
        mine = 0.0
        for winner in range(self.players):
            chance = emphasise(self.points[winner] + 8)
            chances += chance
            mine += chance * self._share(seat, winner)
        return mine / chances

    def _share(self, seat: Seat, winner: Seat) -> float:
        """The chance that a seat wins the sitting if `winner` wins this game: a quarter for each game behind."""
        if self.games == 1:
            return 1.0 if seat == winner else 0.0
        behind = 0.25 if self.game + 1 < self.games else 0.0  # after the last game nobody catches up
        most = self.won[winner] + 1
        for other in range(self.players):
            most = max(most, self.won[other])
        shares = 0.0
        for other in range(self.players):
            shares += behind ** (most - self.won[other] - (other == winner))
        mine: float = behind ** (most - self.won[seat] - (seat == winner))
        return mine / shares
