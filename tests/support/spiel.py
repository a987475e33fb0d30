"""Games of OpenSpiel for the tests: which ones, and how to walk through them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pyspiel

import parlour.research.openspiel  # registers the games

FEWER = {"tontine": "(players=5)"}  # where the usual players would take long
UNITS = [f"parlour_{name.replace('-', '_')}{FEWER.get(name, '')}" for name in parlour.GAMES]
OTHERS = [
    "parlour_masquerade(players=8,following=strict,exchange=courtesy)",
    "parlour_lost_heir(players=6,sides=three,mistakes=penalised,odd_cards=free,deal_limit=2)",
    "parlour_sovereign(players=4,mistakes=penalised,thrown=under,rounds=1,games=2,round_limit=3)",
    "parlour_heraldry(players=3,capture=choice,twelfth=last_trick,deals=2)",
    "parlour_heraldry(players=2,discard=free,twelfth=sweep,first=order)",
    "parlour_tontine(players=7,settle=together,deals=9)",
]
ENDGAMES = ["parlour_lost_heir(players=3,cards_left=2,seed=6)", "parlour_heraldry(players=2,cards_left=2,seed=7)"]
SMALL = ENDGAMES[0]


@cache
def load(text: str) -> Any:
    return pyspiel.load_game(text)


def settle(state: Any, luck: random.Random) -> None:
    """Let chance act until a seat decides."""
    while state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(luck.choices(outcomes, shares)[0])


def decisions(state: Any, seed: int) -> Any:
    """Play at random, and stop wherever a seat decides."""
    luck = random.Random(seed)
    settle(state, luck)
    while not state.is_terminal():
        yield state
        state.apply_action(luck.choice(state.legal_actions()))
        settle(state, luck)


def whole_tree(state: Any) -> Any:
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from whole_tree(state.child(action))


def alike(one: Any, other: Any, seat: int) -> bool:
    """Whether two states are the same to a seat, also by its public and its private observations alone."""
    single, nothing = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    private = pyspiel.IIGObservationType(perfect_recall=False, public_info=False, private_info=single)
    public = pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=nothing)
    observers = [one.get_game().make_py_observer(kind) for kind in (private, public)]
    return all(watch.string_from(one, seat) == watch.string_from(other, seat) for watch in observers) and bool(
        one.information_state_string(seat) == other.information_state_string(seat)
        and one.current_player() == other.current_player()
        and one.legal_actions(seat) == other.legal_actions(seat)
        and one.observation_string(seat) == other.observation_string(seat)
        and one.observation_tensor(seat) == other.observation_tensor(seat)
        and one.information_state_tensor(seat) == other.information_state_tensor(seat)
    )
