"""The end of a deal with the play before it fixed: every way in which the hidden cards may lie."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import Any

from ..engine.core import Seeded
from ..engine.errors import Refusal
from ..play.sitting import SPECTATOR, Sitting
from ..records.record import script_of
from .session import Referee, Setup

MOST_WORLDS = 5000


def ending(setup: Setup, seed: int, cards_left: int) -> list[Referee]:
    """All sittings that to a spectator look like this one, when each seat has so many cards left and a trick begins.

    The one is dealt as `Sitting` deals it from the seed, and played by rule of thumb. The others are those in which the
    same steps are legal and a spectator is told the same: how the cards left may lie, as far as the rules can tell.
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
            f"With seed {seed} the first deal has no time of play when all have {cards_left} cards left;"
            " try another seed or number of cards."
        )
    (_, dealer), (_, pack) = script_of(game, sitting.log)
    steps = [step for move in sitting.moves for step in move.steps]
    truth = Referee.replay(setup, [*dealer, *pack, *steps])
    hands = [truth.state.where()[f"hand {seat}"] for seat in range(setup.players)]
    holders = {game.card(code): seats for code, seats in seen["may_hold"].items()}
    worlds = []
    ways = list(islice(divisions(sorted(chain(*hands)), setup.players, cards_left, holders), MOST_WORLDS + 1))
    if len(ways) > MOST_WORLDS:
        raise ValueError(f"{cards_left} cards each may lie in more than {MOST_WORLDS} ways; leave fewer.")
    for other in ways:
        names = dict(zip(chain(*hands), chain(*other), strict=True))
        try:
            world = Referee.replay(setup, [*dealer, *(names.get(card, card) for card in pack), *steps])
        except Refusal:
            continue
        if world.text(SPECTATOR) == truth.text(SPECTATOR):
            world.sum_up()
            worlds.append(world)
    return worlds


def divisions(
    cards: list[int], seats: int, size: int, holders: dict[int, list[int]]
) -> Iterator[list[tuple[int, ...]]]:
    """Every way to give so many of these cards to each seat, of those that it may hold."""
    if seats == 0:
        yield []
        return
    seat = seats - 1
    for hand in combinations([card for card in cards if seat in holders[card]], size):
        rest = [card for card in cards if card not in hand]
        for others in divisions(rest, seat, size, holders):
            yield [*others, hand]
