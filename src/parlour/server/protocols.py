"""The versions of the protocol: what a client of each is sent.

Protocol 2 is current. Protocol 1 is answered as long as a page of the last version may be open; then `Protocol1` goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.words import with_cards
from ..players.hints import Advice
from . import messages as wire
from .moves import LegalStep
from .table import Table


class Protocol:
    """The current version: cards by name, clauses apart from sentences, and whether a step completes the move."""

    number = wire.PROTOCOL
    codes = False  # whether sentences give the codes of cards
    signed = True  # whether news is signed, and says when the server was set back
    tells_pace = True  # whether the welcome says how much may be asked
    tells_away = True  # whether the welcome says for how long people have been away

    def choices(self, steps: Sequence[LegalStep]) -> list[Any]:
        """Legal steps, as they are sent."""
        return [wire.Choice(*step) for step in steps]

    def described(self, table: Table) -> dict[str, Any]:
        """What everyone may know of a table."""
        return table.described()

    def entry(self, game: Game, entry: list[Any]) -> list[Any]:
        """A told entry, as it is sent."""
        return entry

    def sentence(self, game: Game, refusal: Refusal, options: Mapping[str, Any] | None = None) -> str:
        """Why something is refused; only what the rules refuse speaks of cards."""
        return with_names(game, refusal.sentence, options) if refusal.clause else refusal.sentence

    def advice(self, id: str, game: Game, advice: Advice, options: Mapping[str, Any] | None = None) -> wire.Advice:
        """A hint: the reason in words, and the figures behind it."""
        lines = [
            wire.HintLine(
                *(each.step, each.name, round(each.score, 2), round(each.win_chance, 3)),
                *(round(each.score_within, 2), round(each.win_within, 3)),
            )
            for each in advice.hints
        ]
        claims = [wire.ClaimLine(claim.key, dict(claim.values)) for claim in advice.claims] or None
        return wire.Advice(id, lines, with_names(game, advice.reason, options), advice.clause, claims)


class Choice1(Struct):
    """A legal step, as protocol 1 has it."""

    step: int
    name: str


class Protocol1(Protocol):
    """Version 1: cards by code or with it, and the clause behind a refusal within its sentence too."""

    number = 1
    codes = True
    signed = False
    tells_pace = False
    tells_away = False
    unknown = ("sides", "goal", "scoring", "what_scores", "names", "ended")  # what it does not say of a table

    def choices(self, steps: Sequence[LegalStep]) -> list[Any]:
        return [Choice1(step.step, step.name) for step in steps]

    def described(self, table: Table) -> dict[str, Any]:
        return {name: value for name, value in table.described().items() if name not in self.unknown}

    def entry(self, game: Game, entry: list[Any]) -> list[Any]:
        """Without the seats that only an observer needs to be told, such as the receiver of a card."""
        fields = game.told_fields[game.kinds[entry[0]]]
        known = [value for field, value in zip(fields, entry[1:], strict=True) if field.marks.strip("?!") != "+seat"]
        return [entry[0], *known]

    def sentence(self, game: Game, refusal: Refusal, options: Mapping[str, Any] | None = None) -> str:
        return str(refusal)

    def advice(self, id: str, game: Game, advice: Advice, options: Mapping[str, Any] | None = None) -> wire.Advice:
        """A hint with codes and with the search's own estimates, as ever."""
        lines = [
            wire.HintLine(each.step, each.name, round(each.score if each.tries else 0.0, 2), round(each.estimate, 3))
            for each in advice.hints
        ]
        return wire.Advice(id, lines, advice.reason, advice.clause)


CURRENT = Protocol()
PROTOCOLS: dict[int, Protocol] = {each.number: each for each in (Protocol1(), CURRENT)}


def with_names(game: Game, sentence: str, options: Mapping[str, Any] | None = None) -> str:
    """A sentence with its cards by name instead of by code; the names are those under the options."""
    names = game.card_names if options is None else game.names_for(options)
    return with_cards(game, sentence, lambda code: names[code])
