#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib learns a seat of Heraldry for two against the rules of thumb, by Gymnasium.

    pip install '.[torch]'
    python examples/sb3_maskable.py [--steps 200000] [--seed 1] [--deals 2000]

Nothing is adapted: the environment gives its legal steps by `action_masks()`, as MaskablePPO asks for them.
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import parlour.research.gymnasium  # noqa: F401  # registers the environments


def made(seed):
    """The environment: a deal is an episode, forced steps are not asked for."""
    env = gymnasium.make("parlour/Heraldry-v2", players=2, seat=0, against="thumb", episode="deal", skip_forced=True)
    env.reset(seed=seed)
    return env


def measure(model, deals, seed):
    """What a deal brings seat 0 above the other, with half its 95 % interval; at random where there is no model."""
    env, luck, gained = made(seed), np.random.default_rng(seed), []
    while len(gained) < deals:
        observation, info = env.reset(seed=seed) if not gained else env.reset()
        over = False
        while not over:
            if model is None:
                step = luck.choice(np.flatnonzero(info["action_mask"]))
            else:
                step, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool), deterministic=True)
            observation, reward, over, _, info = env.step(int(step))
        gained.append(2 * reward)  # the reward is what a seat has above the mean of the two
    return np.mean(gained), 1.96 * np.std(gained) / deals**0.5


parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from (default 200,000)")
parser.add_argument("--seed", type=int, default=1, help="the same seed, the same policy (default 1)")
parser.add_argument("--deals", type=int, default=2000, help="deals to measure it on (default 2000)")
asked = parser.parse_args()

torch.set_num_threads(1)  # small nets are slower with more
envs = DummyVecEnv([lambda number=number: made(asked.seed + number) for number in range(8)])
model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, ent_coef=0.01, seed=asked.seed, device="cpu")
start = time.perf_counter()
model.learn(asked.steps)
spent = time.perf_counter() - start
print(f"{model.num_timesteps:,} decisions in {spent:.0f} s, {model.num_timesteps / spent:,.0f} a second")
for name, player in (("at random", None), ("MaskablePPO", model)):
    gain, within = measure(player, asked.deals, asked.seed + 1000)
    print(f"{name}: {gain:+.2f} ± {within:.2f} points a deal ahead of thumb, {asked.deals:,} deals")
