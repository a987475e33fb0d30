"""Rewards: what a finished sitting is worth to each seat, the same in every adapter."""

from __future__ import annotations

from ..engine.core import State

__all__ = ["REWARDS", "rewards"]

SCORE, WIN = "score", "win"
REWARDS = (SCORE, WIN)


def check_reward(reward: str) -> str:
    """The name of a reward; ValueError, with a sentence, for an unknown one."""
    if reward not in REWARDS:
        raise ValueError(f"The reward must be {SCORE!r} or {WIN!r}, not {reward!r:.40}.")
    return reward


def rewards(state: State, reward: str) -> list[float]:
    """The score of each seat less the mean of all, or its share of the win less an equal share; zero-sum.

    Partners have the score of their side, and seats that win together share the win.
    """
    seats = range(state.players)
    if reward == WIN:
        winners = state.winners()
        worth = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    else:
        scores = state.scores()
        worth = [float(scores[seat % len(scores)]) for seat in seats]
    return [each - sum(worth) / len(worth) for each in worth]
