"""What stands in an observation: the fields of each game by name, their places among the numbers, and their meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"This needs {error.name}: pip install 'parlour[vector]'.", name=error.name) from None

from ..engine.game import Game

Bytes = NDArray[np.uint8]

# Raised whenever the rules of a game, its steps or the layout of its observations change, so that what was learnt on
# one version is never asked to play another unawares.
VERSIONS = {"masquerade": 1, "lost-heir": 1, "sovereign": 1, "heraldry": 1, "tontine": 1}

EVERYWHERE = {
    "to_act": "the seat that decides",
    "dealer": "the dealer",
    "hand_sizes": "how many cards each seat holds",
}
MEANINGS: dict[str, dict[str, str]] = {
    "masquerade": {
        "stage": "divide, deal, lead, play, exchange, return, change or draw; told to the seat that decides alone",
        "leader": "who led the trick",
        "actor": "whose turn in the trick it is, also while a neighbour chooses what to return",
        "hand": "the cards of one's own hand",
        "received": "the card just received in an exchange, which may not be returned",
        "laid": "the card that each seat has laid to the trick",
        "points": "points in this game",
        "totals": "points of the games that are over",
        "games_won": "games won",
        "game": "how many games are over",
        "last_winner": "who won the game before",
        "m1_was_played": "1 once Masquerader No. 1 was played in this game",
    },
    "lost-heir": {
        "stage": "bidding, naming or playing",
        "leader": "who led the trick",
        "namer": "the highest bidder, who names the trump suit",
        "hand": "the cards of one's own hand",
        "laid": "the card that each seat has laid to the trick",
        "gone": "the cards of the tricks that were taken",
        "trump": "the trump suit",
        "led": "the suit to follow",
        "bids": "0 before a seat has bid, 1 for a pass, else its bid and 1",
        "bid": "the highest bid",
        "tricks_left": "tricks still to be taken, with the one on the table",
        "deal": "the number of the deal",
        "points": "128 and the points of each side in this deal",
        "fines": "128 and the fines of each side in this deal, which are below nothing",
        "totals": "128 and the score of each side",
    },
    "sovereign": {
        "stage": "dealer, deal, start, take, after, draw, refill or make up",
        "coins": "how many of each kind of card one's own hand holds",
        "offer": "how many of each kind one has laid down in an offer that is not finished",
        "surplus": "cards in the surplus",
        "aside": "cards thrown out",
        "game": "how many games are over",
        "round": "how many rounds of this game are over",
        "general_pool": "counters in the general pool",
        "penalties_in_it": "how many of these are penalties",
        "sovereign_pool": "counters in the sovereign pool",
        "staked_in_it": "how many of these each seat has staked",
        "counters": "128 and the counters of each seat, which may be below nothing",
        "offered_wrongly": "1 where the seat whose turn it is has offered wrongly in it",
        "neighbour_allowed": "1 where a card may be drawn from the neighbour's hand",
    },
    "heraldry": {
        "last_taker": "who took last",
        "hand": "the cards of one's own hand",
        "table": "the cards on the table",
        "playing": "the card that one is playing, in a move that is not finished",
        "taking": "the cards one is taking with it",
        "grouping": "those of them that are not yet a whole sum",
        "won": "the cards that each seat has won",
        "totals": "the score of each seat",
        "pack": "cards left in the pack",
        "deal": "the number of the deal",
    },
    "tontine": {
        "last_out": "who died last",
        "counters": "the counters of each seat",
        "cards": "the card turned up at each seat in the last deal, from 1 on; 0 is none",
        "box": "counters in the box",
        "deal": "the number of the deal",
    },
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an observation: `rows` rows of `size` numbers, from number `at` on."""

    name: str
    at: int
    rows: int
    size: int
    meaning: str

    @property
    def end(self) -> int:
        """The number after its last."""
        return self.at + self.rows * self.size

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape as an array: a row for each seat, or one alone."""
        return (self.rows, self.size) if self.rows > 1 else (self.size,)


class Fields:
    """The fields of a game's observations with so many players and these options, in order.

    All numbers are from 0 to 255; what is greater is written as 255. Seats and sides stand from one's own on leftwards.
    """

    def __init__(self, game: Game, players: int, options: Mapping[str, Any]) -> None:
        meanings, at, found = EVERYWHERE | MEANINGS[game.name], 0, []
        for name, rows, size in game.view_type(players, 0, dict(options)).layout():
            found.append(Field(name, at, rows, size, meanings[name]))
            at = found[-1].end
        self.fields = tuple(found)
        self.width = at

    def named(self, observations: Bytes) -> dict[str, Bytes]:
        """One observation, or many, as named fields: parts of the same array, not copies."""
        ahead, wide = observations.shape[:-1], observations.shape[-1:]
        if wide != (self.width,):
            raise ValueError(f"An observation here has {self.width} numbers, not {wide[0] if wide else 'none'}.")
        return {
            field.name: observations[..., field.at : field.end].reshape(*ahead, *field.shape) for field in self.fields
        }

    def joined(self, named: Mapping[str, Bytes]) -> Bytes:
        """Named fields as one array again: the way back from `named`."""
        names = [field.name for field in self.fields]
        if set(named) != set(names):
            raise ValueError(f"The fields here are {', '.join(names)}; these are {', '.join(named) or 'none'}.")
        flat = []
        for field in self.fields:
            value = np.asarray(named[field.name], dtype=np.uint8)
            ahead = value.shape[: value.ndim - len(field.shape)]
            if value.shape != (*ahead, *field.shape):
                raise ValueError(f"The field {field.name} ends in the shape {field.shape}, not {value.shape}.")
            flat.append(value.reshape(*ahead, field.rows * field.size))
        return np.concatenate(flat, axis=-1)
