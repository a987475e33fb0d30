#!/usr/bin/env python3
"""How well is the end of a deal of Lost Heir played by rule of thumb? OpenSpiel's solvers answer, in a few seconds.

The last cards of a deal lie hidden, and what was played before is fixed. `pip install '.[openspiel]'` first.
"""

import argparse

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.algorithms.best_response import BestResponsePolicy

from parlour.research.openspiel import Thumb

asked = argparse.ArgumentParser(description="Solve the end of a deal of Lost Heir.")
asked.add_argument("--seed", type=int, default=3, help="which deal")
asked.add_argument("--cards", type=int, default=2, help="cards left in each hand")
asked.add_argument("--rounds", type=int, default=10, help="rounds of counterfactual regret minimisation")
asked = asked.parse_args()

game = pyspiel.load_game("parlour_lost_heir", {"players": 3, "seed": asked.seed, "cards_left": asked.cards})
start = game.new_initial_state()
print(f"{len(start.chance_outcomes())} ways in which the last {asked.cards} cards of each hand may lie.")

solver = cfr.CFRSolver(game)
for _ in range(asked.rounds):
    solver.evaluate_and_update_policy()
players = {
    "random": policy.UniformRandomPolicy(game),
    "thumb": Thumb(game),
    f"CFR, {asked.rounds} rounds": solver.average_policy(),
}
print("\nWhat the three could gain in all, if each answered the other two as well as can be (NashConv, in points):")
for name, player in players.items():
    print(f"{name:16} {exploitability.nash_conv(game, player):.3f}")

thumb = players["thumb"]
values = expected_game_score.policy_value(start, [thumb] * 3)
print("\nPoints above the mean, where all play by rule of thumb, and with the best answer to the other two:")
for seat, value in enumerate(values):
    print(f"seat {seat}  {value:+.3f}  {BestResponsePolicy(game, seat, thumb).value(start):+.3f}")
