"""Trains the net of a game for a number of players, from nothing, and writes it into the game's folder.

    pip install '.[vector]'
    python tools/train_net.py heraldry --players 2 [--updates 12000] [--seed 1] [--out FILE] [--curve FILE]

All seats learn together. At each decision every legal step is played on by the heuristic from the true state to the end
of the deal, which is an unbiased draw of what the seat can expect; the policy, a softmax over the net's worths, goes up
the gradient of what it expects to gain by them (all-action policy gradient, Adam). It begins at the heuristic, as the
second layer begins at zero and the heuristic's step has a bonus. The same seed gives the same net with the same NumPy.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import numpy as np  # noqa: E402

from parlour.engine.fields import Number  # noqa: E402
from parlour.engine.net import Net  # noqa: E402
from parlour.games.profile import environment_name  # noqa: E402
from parlour.players.nets import file_of, write_net  # noqa: E402
from parlour.research.vector import VectorEnv  # noqa: E402

PLACES = 1024  # sittings that are played together
INPUT = 13  # bits of fraction: of the first layer,
OUTPUT = 14  # and of the worths
UNIT = INPUT - Net.shift  # of what a hidden unit gives
RATE = 1e-3
ENTROPY = 0.05  # at the beginning; both fall to 0
COUNTED = 1 / 32  # what numbers are multiplied by; all other inputs are noughts and ones


class Learner:
    """The net in floating point, and its updates."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        luck = np.random.default_rng(seed)
        width, steps = env.fields.width, env.steps
        self.scale = np.ones(width, np.float32)
        kinds = {field.name: field.kind for field in env.game.fields}
        for field in env.fields.fields:
            if isinstance(kinds[field.name], Number):
                self.scale[field.at : field.end] = COUNTED
        self.weights: dict[str, Any] = {
            "first": luck.normal(0, 1 / np.sqrt(40), (width, Net.units)).astype(np.float32),
            "biases": np.zeros(Net.units, np.float32),
            "second": np.zeros((Net.units, steps), np.float32),
            "own": np.zeros(steps, np.float32),
            "bonus": np.full(1, 3.0, np.float32),
        }
        self.means = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.squares = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.spread = 1.0  # of the gains, so that they are of order one
        self.updates = 0

    def chances(self, seen: Any, masks: Any, plans: Any) -> tuple[Any, Any]:
        """The hidden units, and the chance of each step."""
        units = np.maximum(seen @ self.weights["first"] + self.weights["biases"], 0)
        logits = units @ self.weights["second"] + self.weights["own"]
        logits[np.arange(len(logits)), plans] += self.weights["bonus"][0]
        logits = np.where(masks, logits, -1e9)
        logits -= logits.max(1, keepdims=True)
        chances = np.exp(logits)
        return units, chances / chances.sum(1, keepdims=True)

    def learn(self, env: VectorEnv, left: float, luck: Any) -> Any:
        """One update from all places; `left` falls from 1 to 0. The steps to take next."""
        masks, plans = env.frame.masks, env.heuristic()
        chances = self.update(env.frame.observations, masks, plans, np.nan_to_num(env.action_values()), left)
        drawn = luck.random((len(chances), 1), dtype=np.float32)
        steps = (chances.cumsum(1) > drawn).argmax(1)
        return np.where(masks[np.arange(len(steps)), steps], steps, plans).astype(np.intc)

    def update(self, observations: Any, masks: Any, plans: Any, values: Any, left: float) -> Any:
        """One update from some decisions; the chance of each step before it."""
        seen = observations * self.scale
        units, chances = self.chances(seen, masks, plans)
        gains = values - (chances * values).sum(1, keepdims=True)
        self.spread = 0.99 * self.spread + 0.01 * float(np.sqrt((gains**2 * chances).sum(1).mean()))
        surprise = np.log(chances + 1e-9)
        entropy = -(chances * surprise).sum(1, keepdims=True)
        up = chances * (gains / max(self.spread, 1e-3) - ENTROPY * left * (surprise + entropy)) * masks / len(masks)
        back = (up @ self.weights["second"].T) * (units > 0)
        self.climb(
            {
                "first": seen.T @ back,
                "biases": back.sum(0),
                "second": units.T @ up,
                "own": up.sum(0),
                "bonus": up[np.arange(len(up)), plans].sum(keepdims=True),
            },
            RATE * left,
        )
        return chances

    def climb(self, gradients: dict[str, Any], rate: float) -> None:
        """Adam."""
        self.updates += 1
        for name, gradient in gradients.items():
            self.means[name] += 0.1 * (gradient - self.means[name])
            self.squares[name] += 0.001 * (gradient**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.updates)
            square = self.squares[name] / (1 - 0.999**self.updates)
            self.weights[name] += rate * mean / (np.sqrt(square) + 1e-8)

    def load(self, kept: Sequence[Any], bonus: int) -> None:
        """Begin at a net that was written: its weights in whole numbers."""
        first, biases, second, own = (np.asarray(part, np.float32) for part in kept)
        width, steps = self.weights["first"].shape[0], len(own)
        self.weights["first"] = first.reshape(width, Net.units) / self.scale[:, None] / 2**INPUT
        self.weights["biases"] = biases / 2**INPUT
        self.weights["second"] = second.reshape(steps, Net.units).T / 2 ** (OUTPUT - UNIT)
        self.weights["own"] = own / 2**OUTPUT
        self.weights["bonus"] = np.full(1, bonus / 2**OUTPUT, np.float32)

    def rounded(self) -> dict[str, Any]:
        """The weights in whole numbers."""
        kept = self.weights
        first = kept["first"] * self.scale[:, None] * 2**INPUT
        return {
            "first": np.clip(np.rint(first), -32767, 32767).astype(np.int64),
            "biases": np.rint(kept["biases"] * 2**INPUT).astype(np.int64),
            "second": np.clip(np.rint(kept["second"].T * 2 ** (OUTPUT - UNIT)), -32767, 32767).astype(np.int64),
            "own": np.rint(kept["own"] * 2**OUTPUT).astype(np.int64),
            "bonus": int(np.rint(kept["bonus"][0] * 2**OUTPUT)),
        }


def choose(weights: dict[str, Any], observations: Any, masks: Any, plans: Any) -> Any:
    """What the net in whole numbers chooses: the same as `Net.choose`, for many at once."""
    units = np.clip((observations @ weights["first"] + weights["biases"]) >> Net.shift, 0, Net.ceiling)
    worths = units @ weights["second"].T + weights["own"]
    worths[np.arange(len(worths)), plans] += weights["bonus"]
    return np.where(masks, worths, np.iinfo(np.int64).min).argmax(1).astype(np.intc)


def measured(name: str, players: int, weights: dict[str, Any], deals: int, seed: int) -> tuple[float, float]:
    """What a deal brings the net more than the heuristic in its place, beside others by the heuristic, on the same
    deals: the mean gain on the other seats, with half its 95 % interval."""
    brought = []
    for learned in (False, True):
        env = VectorEnv(name, deals, players, mine="rotate", skip_forced=True, episode="deal", seed=seed)
        own, got, open_ = np.arange(deals) % players, np.zeros(deals), np.ones(deals, bool)
        while open_.any():
            steps = env.heuristic()
            if learned:
                steps = choose(weights, env.frame.observations.astype(np.int64), env.frame.masks, steps)
            frame = env.step(steps)
            new = frame.ended & open_
            got[new] = frame.rewards[new, own[new]]
            open_ &= ~frame.ended
        brought.append(got * players / (players - 1))  # above the mean of the others, not of all
    gains = brought[1] - brought[0]
    return float(gains.mean()), float(1.96 * gains.std() / np.sqrt(deals))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, help="number of players (default: the usual number)")
    parser.add_argument("--updates", type=int, default=12_000, help="each from 1,024 decisions (default 12,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write it (default: the game's folder)")
    parser.add_argument("--curve", type=Path, help="where to write how the gain grew, as JSON")
    asked = parser.parse_args()
    env = VectorEnv(asked.game, PLACES, asked.players, skip_forced=True, episode="deal", seed=asked.seed)
    name, players = env.game.name, env.players
    learner, luck = Learner(env, asked.seed), np.random.default_rng(asked.seed + 1)
    begun = time.monotonic()
    curve: list[list[float]] = []
    for update in range(asked.updates):
        env.step(learner.learn(env, 1 - update / asked.updates, luck))
        if (update + 1) % max(1, asked.updates // 10) == 0:
            gain, within = measured(name, players, learner.rounded(), 2000, asked.seed + 7)
            done = f"{update + 1:,} of {asked.updates:,} updates, {time.monotonic() - begun:.0f} s"
            curve.append([(update + 1) * PLACES, round(gain, 4), round(within, 4)])
            print(f"{done}: {gain:+.3f} ± {within:.3f} a deal against thumb", flush=True)
    seconds = round(time.monotonic() - begun)
    weights = learner.rounded()
    gain, within = measured(name, players, weights, 20_000, asked.seed + 8)
    about = {"updates": asked.updates, "seed": asked.seed, "gain": round(gain, 4), "within": round(within, 4)}
    if asked.curve:
        told = {"game": name, "players": players, "seconds": seconds, "curve": curve} | about
        asked.curve.write_text(json.dumps(told) + "\n", encoding="utf-8")
    out = asked.out or file_of(env.game, players)
    out.parent.mkdir(exist_ok=True)
    arrays = [array(kind, weights[part].reshape(-1).tolist()) for part, kind in zip(PARTS, "hihi", strict=True)]
    write_net(out, environment_name(env.game), players, arrays, weights["bonus"], about)
    print(f"{out.name}: {json.dumps(about)}", file=sys.stderr)


PARTS = ("first", "biases", "second", "own")

if __name__ == "__main__":
    main()
