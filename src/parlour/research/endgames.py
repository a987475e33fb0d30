"""End-games: the last tricks of a deal after fixed play, with every possible distribution of the hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import Any

from ..engine.core import Seeded
from ..engine.errors import Refusal
from ..play.sitting import SPECTATOR, Sitting
from ..records.record import script_of
from .session import Session, Setup

__all__ = ["endgame"]

MOST_WORLDS = 5000


def endgame(setup: Setup, seed: int, cards_left: int) -> list[Session]:
    """All sessions that look the same to a spectator when each seat has this many cards left and a trick begins.

    One of them is dealt as `Sitting` deals it from the seed, and played by the heuristic policy. In the others the same
    steps are legal and a spectator is told the same: the cards left lie in any way that the rules allow.
    """
    game = setup.game
    options: dict[str, Any] = dict(setup.options)
    sitting = Sitting(game, setup.players, seed=seed, listeners=[SPECTATOR], **options)
    luck = Seeded(seed)
    while not sitting.over and sitting.state.deals == 1:
        seen = sitting.view(SPECTATOR).fields()
        if seen["hand_sizes"] == [cards_left] * setup.players and not seen.get("pack") and sitting.moves:
            break
        sitting.play(game.view(sitting.state, sitting.seat).heuristic(luck))
    else:
        raise ValueError(
            f"With seed {seed} there is no moment in the first deal when all have {cards_left} cards left;"
            " try another seed or number of cards."
        )
    (_, dealer), (_, pack) = script_of(game, sitting.log)
    steps = [step for move in sitting.moves for step in move.steps]
    truth = Session.replay(setup, [*dealer, *pack, *steps])
    hands = [truth.state.where()[f"hand {seat}"] for seat in range(setup.players)]
    holders = {game.card(code): seats for code, seats in seen["may_hold"].items()}
    worlds = []
    ways = list(islice(divisions(sorted(chain(*hands)), setup.players, cards_left, holders), MOST_WORLDS + 1))
    if len(ways) > MOST_WORLDS:
        raise ValueError(f"{cards_left} cards each can lie in more than {MOST_WORLDS} ways; choose fewer.")
    for other in ways:
        names = dict(zip(chain(*hands), chain(*other), strict=True))
        try:
            world = Session.replay(setup, [*dealer, *(names.get(card, card) for card in pack), *steps])
        except Refusal:
            continue
        if world.transcript(SPECTATOR) == truth.transcript(SPECTATOR):
            world.compact()
            worlds.append(world)
    return worlds


def divisions(
    cards: list[int], seats: int, size: int, holders: dict[int, list[int]]
) -> Iterator[list[tuple[int, ...]]]:
    """Every way to divide cards into hands of this size, with each card at a seat that may hold it."""
    if seats == 0:
        yield []
        return
    seat = seats - 1
    for hand in combinations([card for card in cards if seat in holders[card]], size):
        rest = [card for card in cards if card not in hand]
        for others in divisions(rest, seat, size, holders):
            yield [*others, hand]
