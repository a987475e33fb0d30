#!/usr/bin/env python3
"""Deep Q-learning of tianshou learns a seat of Heraldry for two, on the PettingZoo environment.

    pip install '.[torch]'
    python examples/tianshou_dqn.py [--steps 40000] [--seed 1]

Nothing is adapted: tianshou's own wrapper takes the environment, with its observations, masks and agents. Seat 0
learns, seat 1 takes random legal steps.
"""

import argparse
import logging
import time

import numpy as np
import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from parlour.research.pettingzoo import heraldry_v2


def made():
    """The environment in tianshou's wrapper; sittings of a single deal."""
    return PettingZooEnv(heraldry_v2.env(players=2, deal_limit=1))


def mean_of(collected):
    """The mean score of seat 0 above that of seat 1, with half its 95 % interval."""
    ahead = 2 * collected.returns[:, 0]
    return f"{ahead.mean():+.2f} ± {1.96 * ahead.std() / len(ahead) ** 0.5:.2f}"


parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("--steps", type=int, default=40_000, help="decisions to learn from (default 40,000)")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--deals", type=int, default=500, help="deals to measure it on (default 500)")
asked = parser.parse_args()

logging.disable(logging.WARNING)  # it warns of statistics that are not read here
torch.set_num_threads(1)  # small nets are slower with more
np.random.seed(asked.seed)
torch.manual_seed(asked.seed)
env = made()
space = env.observation_space["observation"]
net = Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=[128])
policy = DiscreteQLearningPolicy(
    model=net, action_space=env.action_space, observation_space=space, eps_training=0.1, eps_inference=0.0
)
# a reward comes at the end of a deal, perhaps in a step of the other seat: returns reach as far as that
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=128)
other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)

training, measuring = DummyVectorEnv([made] * 8), DummyVectorEnv([made] * 8)
training.seed(asked.seed)
measuring.seed(asked.seed + 1000)
kept = VectorReplayBuffer(20_000, len(training))
collector = Collector[CollectStats](both, training, kept, exploration_noise=True)
judge = Collector[CollectStats](both, measuring)
collector.reset()
judge.reset()
print("untrained:", mean_of(judge.collect(n_episode=asked.deals)), "points a deal ahead of random")
start = time.perf_counter()
both.run_training(
    OffPolicyTrainerParams(
        max_epochs=1,
        epoch_num_steps=asked.steps,
        training_collector=collector,
        collection_step_num_env_steps=80,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=128,
        multi_agent_return_reduction=lambda returns: returns[:, 0],
        verbose=False,
        show_progress=False,
    )
)
print(f"{asked.steps:,} decisions in {time.perf_counter() - start:.0f} s")
both.policy.eval()
print("trained:", mean_of(judge.collect(n_episode=asked.deals)), "points a deal ahead of random")
