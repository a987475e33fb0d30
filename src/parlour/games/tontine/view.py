"""What a seat of Tontine sees: everything but the order of the pack. There is nothing to infer or to decide."""

from __future__ import annotations

from typing import Any

from ...engine import bitset, encode
from ...engine.core import Seeded, State
from ...engine.fields import SEATS, CardKind, Field, Number, SeatKind, SeatList
from ...engine.types import Seat
from ...engine.view import MANY, View, by_name
from .notation import BOX, CODES, SHEET, TURNING
from .rules import Tontine

FIELDS = (
    Field("dealer", SeatKind(), "the dealer"),
    Field(
        "last_out",
        SeatKind(),
        "the seat that wins if nobody is left alive: the last to pay its last counter (settle: in_turn), or the last in"
        " the order dealt of those who paid (settle: together)",
    ),
    Field("counters", Number(SEATS), "the counters of each seat", score=True),
    Field("living", SeatList(), "the seats that have counters", "seats_living", encoded=False),
    Field(
        "cards",
        CardKind(CODES, SEATS, numbered=True),
        "the card turned up at each seat, numbered from 1; 0 for no card",
        "face",
    ),
    Field("box", Number(), "counters in the box"),
    Field("deal", Number(), "the number of the deal", "deals"),
)

SEAT = (-1, 51)
SIGHT = by_name((SEAT, "dealer last_out"), (MANY, "box"), ((*MANY, 52), "counters"), ((-1, 51, 52), "face"))


class TontineView(View):
    """What everyone knows: the counters, the box, the dealer, and the cards turned up in the last deal."""

    FIELDS = FIELDS
    SIGHT = SIGHT

    def __init__(self, players: int, seat: Seat, options: dict[str, Any]) -> None:
        SHEET.check_players(players)
        super().__init__(players, seat, options)
        self.counters = [0] * 52  # by seat: the counters held
        self.face = [-1] * 52  # by seat: the card turned up in the last deal

    def _attach(self, state: Any) -> None:
        if state is not None and not isinstance(state, Tontine):
            raise TypeError("A view looks at a state of its own game.")
        self._behind = state
        self._world = state  # type: Any  # the same, as a state of this game

    def _look(self) -> None:
        View._look(self)
        self.dealer = self._world.dealer  # the seat that deals
        self.box = self._world.counters[BOX]  # the counters in the box
        self.last_out = self._world.last_out  # the seat that wins if nobody is left alive (TON-14)
        for seat in range(self.players):
            self.counters[seat] = self._world.counters[seat]
            self.face[seat] = -1
        if self.deals and self._world.awaits < 0:
            for at in range(self._world.draws):
                self.face[self._world._order[at]] = self._world._pack[at]

    # observations

    def _encode(self, buffer: Any, at: int) -> int:
        at = View._encode(self, buffer, at)
        at = encode.seat(buffer, at, self.dealer, self.seat, self.players)
        at = encode.seat(buffer, at, self.last_out, self.seat, self.players)
        at = encode.each(buffer, at, self.counters, self.seat, self.players, 0)
        at = encode.each(buffer, at, self.face, self.seat, self.players, 1)  # 0 is no card
        at = encode.number(buffer, at, self.box)
        return encode.number(buffer, at, self.deals)

    # beliefs

    def new_state(self) -> State:
        return Tontine(self.players, self.options)

    def _determinize(self, luck: Seeded) -> bool:
        """Nothing is hidden except the cards still to be dealt, so the only sample is the true position."""
        if self.to_act < 0:
            return False
        self._begin_state()
        self._world.stage = TURNING
        self._world.dealer = self.dealer
        self._world.winner = -1
        self._world.last_out = self.last_out
        self._world.living = 0
        self._world.counters[BOX] = self.box
        self._world.draws = 0
        for seat in range(self.players):
            self._world.counters[seat] = self.counters[seat]
            if self.counters[seat]:
                self._world.living |= bitset.one(seat)
            if self.face[seat] >= 0:
                self._world._order[self._world.draws] = seat
                self._world._pack[self._world.draws] = self.face[seat]
                self._world.draws += 1
        return True

    # computed fields

    @property
    def seats_living(self) -> list[Seat]:
        """The seats that have counters."""
        return [seat for seat in range(self.players) if self.counters[seat]]
