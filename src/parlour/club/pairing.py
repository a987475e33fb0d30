"""Pairings: who sits where in each round, so that everyone meets many others, and changes seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

BOT = -1  # at a seat that nobody has
TRIES = 60  # exchanges for each player and round
Round = list[list[int]]  # tables of seats: the numbers of players


def tables_for(players: int, seats: int) -> int:
    """How many tables a round needs."""
    return -(-players // seats)


def pairings(players: int, seats: int, rounds: int, seed: str) -> list[Round]:
    """Rounds in which pairs meet as evenly as can be found, and nobody keeps a seat; always the same for a seed."""
    luck = random.Random(f"{seed} {players} {seats} {rounds}")
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    found = []
    for _ in range(rounds):
        best = improved(fresh(players, seats, luck), met, sat, luck)
        for table in best:
            met.update(pairs(table))
            sat.update((player, seat) for seat, player in enumerate(table) if player != BOT)
        found.append(best)
    return found


def fresh(players: int, seats: int, luck: random.Random) -> Round:
    """Any round: people spread evenly over its tables, and bots at the seats that are left."""
    order = luck.sample(range(players), players)
    count = tables_for(players, seats)
    tables = [order[number::count] for number in range(count)]
    return [luck.sample([*table, *[BOT] * (seats - len(table))], seats) for table in tables]


def improved(tables: Round, met: Counter[tuple[int, int]], sat: Counter[tuple[int, int]], luck: random.Random) -> Round:
    """A round in which no exchange that was tried makes it better."""
    places = [(table, seat) for table, row in enumerate(tables) for seat in range(len(row))]
    for _ in range(TRIES * len(places)):
        (one, here), (other, there) = luck.sample(places, 2) if len(places) > 1 else (places[0], places[0])
        first, second = tables[one][here], tables[other][there]
        if one != other and (first == BOT) != (second == BOT):
            continue  # people stay spread evenly
        before = cost(tables[one], met, sat) + (cost(tables[other], met, sat) if one != other else 0)
        tables[one][here], tables[other][there] = second, first
        after = cost(tables[one], met, sat) + (cost(tables[other], met, sat) if one != other else 0)
        if after > before:
            tables[one][here], tables[other][there] = first, second
    return tables


def cost(table: Sequence[int], met: Counter[tuple[int, int]], sat: Counter[tuple[int, int]]) -> int:
    """How much of a table there has been already: pairs count more than seats."""
    again = sum(10 * met[pair] * met[pair] + 10 * met[pair] for pair in pairs(table))
    return again + sum(sat[player, seat] ** 2 + sat[player, seat] for seat, player in enumerate(table) if player != BOT)


def pairs(table: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs of people at a table."""
    return combinations(sorted(player for player in table if player != BOT), 2)
