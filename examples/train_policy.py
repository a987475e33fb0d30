#!/usr/bin/env python3
"""Trains a small policy for Lost Heir with NumPy alone, and measures it against random players.

    pip install '.[vector]'
    python examples/train_policy.py [--updates 300] [--sittings 256] [--seed 1] [--measured 2000]

REINFORCE: a softmax over one hidden layer decides at one seat, the others play at random, and each of its decisions is
made likelier or less likely by what that seat won or lost by the deal, compared with the mean. It learns on sittings of
a single deal, and is measured on whole games; from place to place it sits at another seat.
"""

import argparse
import time

import numpy as np

from parlour.research.vector import VectorEnv

GAME = "lost-heir"
HIDDEN = 64
STEPS = 106  # of a rollout: two deals of four bids, a trump suit and 48 cards
COUNTED = ("bids", "bid", "hand_sizes", "tricks_left", "deal", "points", "fines", "totals")
"""Fields that hold numbers; all others are noughts and ones."""


class Policy:
    """A softmax over the legal steps, from one hidden layer."""

    def __init__(self, env, luck):
        self.scale = np.ones(env.fields.width, np.float32)
        for field in env.fields.fields:
            if field.name in COUNTED:
                self.scale[field.at : field.end] = 1 / 64
        width, steps = env.fields.width, env.steps
        self.weights = [
            luck.normal(0, width**-0.5, (width, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, steps), np.float32),
            np.zeros(steps, np.float32),
        ]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.updates = 0

    def chances(self, observations, masks):
        """The chance of each step, and what led to it."""
        first, first_bias, second, second_bias = self.weights
        seen = observations * self.scale
        hidden = np.tanh(seen @ first + first_bias)
        logits = np.where(masks, hidden @ second + second_bias, -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        return chances / chances.sum(axis=1, keepdims=True), hidden, seen

    def choose(self, frame, luck):
        """A step for every sitting, each as likely as the policy has it."""
        chances, _, _ = self.chances(frame.observations, frame.masks)
        drawn = luck.random((len(chances), 1), dtype=np.float32)
        steps = (chances.cumsum(axis=1) > drawn).argmax(axis=1)
        legal = frame.masks[np.arange(len(steps)), steps]  # rounding may leave the last step of a row unreached
        return np.where(legal, steps, chances.argmax(axis=1))

    def learn(self, observations, masks, steps, worth, rate):
        """Go up the gradient of what the decisions were worth (Adam)."""
        chances, hidden, seen = self.chances(observations, masks)
        up = -chances
        up[np.arange(len(steps)), steps] += 1
        up *= worth[:, None] / len(steps)
        back = (up @ self.weights[2].T) * (1 - hidden**2)
        self.updates += 1
        for at, gradient in enumerate((seen.T @ back, back.sum(0), hidden.T @ up, up.sum(0))):
            self.means[at] += 0.1 * (gradient - self.means[at])
            self.squares[at] += 0.01 * (gradient**2 - self.squares[at])
            mean = self.means[at] / (1 - 0.9**self.updates)
            square = self.squares[at] / (1 - 0.99**self.updates)
            self.weights[at] += rate * mean / (np.sqrt(square) + 1e-8)


def play(env, policy, luck):
    """One step in every sitting: the policy decides at its own seat, another in each place, and the rest is random."""
    own, before, steps = np.arange(env.sittings) % env.players, env.frame.copy(), env.sample().copy()
    mine = before.seats == own
    steps[mine] = policy.choose(before, luck)[mine]
    after = env.step(steps)
    return before, steps, mine, after.rewards[np.arange(env.sittings), own], after.ended.copy()


def rollout(env, policy, luck):
    """What the policy saw and did in some steps of all sittings, and what each decision came to be worth."""
    played = [play(env, policy, luck) for _ in range(STEPS)]
    final, known, kept = np.zeros(env.sittings, np.float32), np.zeros(env.sittings, bool), []
    for before, steps, mine, won, ended in reversed(played):
        final[ended] = won[ended]
        known |= ended
        told = mine & known  # of a deal that has not ended nobody knows yet
        kept.append((before.observations[told], before.masks[told], steps[told], final[told]))
    return (np.concatenate(parts) for parts in zip(*kept, strict=True))


def measure(policy, sittings, seed, luck):
    """The share of whole games won, with half its 95 % interval: the first game of every place."""
    env = VectorEnv(GAME, sittings, reward="win", seed=seed)
    share, waiting = np.zeros(sittings), np.ones(sittings, bool)
    while waiting.any():
        *_, won, ended = play(env, policy, luck)
        over = waiting & ended
        share[over] = won[over] + 1 / env.players
        waiting &= ~ended
    return share.mean(), 1.96 * share.std() / sittings**0.5, 1 / env.players


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--updates", type=int, default=300, help="how often it learns (default 300)")
    parser.add_argument("--sittings", type=int, default=256, help="sittings that are played together (default 256)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same policy (default 1)")
    parser.add_argument("--measured", type=int, default=2000, help="whole games to measure it on (default 2000)")
    asked = parser.parse_args()

    luck, start = np.random.default_rng(asked.seed), time.perf_counter()
    env = VectorEnv(GAME, asked.sittings, reward="score", seed=asked.seed, deal_limit=1)
    policy = Policy(env, luck)
    for update in range(asked.updates):
        observations, masks, steps, worth = rollout(env, policy, luck)
        policy.learn(observations, masks, steps, (worth - worth.mean()) / (worth.std() + 1e-6), rate=0.003)
        if (update + 1) % 50 == 0:
            print(f"{update + 1} updates, {time.perf_counter() - start:.0f} s", flush=True)
    share, within, fair = measure(policy, asked.measured, asked.seed + 1, luck)
    print(
        f"The policy wins {100 * share:.1f} ± {100 * within:.1f} % of {asked.measured:,} games of Lost Heir against"
        f" three random players; a fair share is {100 * fair:.0f} %."
    )


if __name__ == "__main__":
    main()
