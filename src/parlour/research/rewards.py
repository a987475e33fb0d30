"""What a sitting is worth to each seat in the end, for those who learn: the same in every interface."""

from __future__ import annotations

from ..engine.core import State

SCORE, WIN = "score", "win"
REWARDS = (SCORE, WIN)


def check_reward(reward: str) -> str:
    """The name of a reward, where it is one; else ValueError."""
    if reward not in REWARDS:
        raise ValueError(f"A reward is for the {SCORE!r} or for the {WIN!r}, not {reward!r:.40}.")
    return reward


def rewards(state: State, reward: str) -> list[float]:
    """What each seat has, once it is over, more than all have on average: of the score, or of the win.

    Partners have what their side has, and winners who share a win share it.
    """
    seats = range(state.players)
    if reward == WIN:
        winners = state.winners()
        worth = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    else:
        scores = state.scores()
        worth = [float(scores[seat % len(scores)]) for seat in seats]
    return [each - sum(worth) / len(worth) for each in worth]
