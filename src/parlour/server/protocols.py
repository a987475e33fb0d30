"""The versions of the protocol: what a client of each is sent.

Protocol 2 is current. Protocol 1 is answered as long as a page of the last version may be open; then `Protocol1` goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..engine.catalogue import catalogue
from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import Message, Speaker, parsed
from ..engine.view import View
from ..engine.words import Claim, Told, with_cards, words_of
from ..play.sentences import Teller, event_key
from ..players.external import shown
from ..players.hints import Advice
from . import messages as wire
from .moves import LegalStep
from .table import Table


class Protocol:
    """The current version: cards by name, clauses apart from sentences, and whether a step completes the move."""

    number = wire.PROTOCOL
    name = "2"  # tells what is sent by one protocol from what is sent by another
    codes = False  # whether sentences give the codes of cards
    signed = True  # whether news is signed, and says when the server was set back
    tells_pace = True  # whether the welcome says how much may be asked
    tells_away = True  # whether the welcome says for how long people have been away
    tells_company = True  # whether who watches, who is ready and what people say is told
    wants: tuple[str, ...] = ()  # what a program is sent where it is its turn

    def asking(self, wants: Sequence[str]) -> Protocol:
        """The same for a client that wants to be sent more."""
        if not wants:
            return self
        found = self.__class__()
        found.wants = tuple(sorted({*wants}))
        found.name = f"{self.name} {' '.join(found.wants)}"
        return found

    def shown(self, game: Game, view: View) -> dict[str, Any]:
        """What a program wants to be sent of the view of a seat whose turn it is."""
        found = shown(view, view.legal(), game, self.wants) if self.wants else {}
        return found | ({"sight": view.sight()} if "sight" in self.wants else {})

    def choices(self, steps: Sequence[LegalStep]) -> list[Any]:
        """Legal steps, as they are sent."""
        return [wire.Choice(*step) for step in steps]

    def described(self, table: Table) -> wire.Described:
        """What everyone may know of a table."""
        return table.described()

    def entry(self, game: Game, entry: list[Any]) -> list[Any]:
        """A told entry, as it is sent."""
        return entry

    def event(self, teller: Teller, told: Told, at: int) -> wire.Event:
        """An entry of all that was told to a seat."""
        game, entry = teller.game, list(told[at])
        return wire.Event(self.entry(game, entry), teller.say_at(told, at), game.clause_of(entry))

    def said(self, sentence: str, game: Game | None = None) -> wire.Sentence:
        """A sentence about anything but cards, such as why a client is disconnected."""
        return str(sentence)

    def sentence(self, game: Game, refusal: Refusal, options: Mapping[str, Any] | None = None) -> wire.Sentence:
        """Why something is refused; only what the rules refuse speaks of cards."""
        said = str(refusal.sentence)
        return with_names(game, said, options) if refusal.clause else said

    def advice(self, id: str, game: Game, advice: Advice, options: Mapping[str, Any] | None = None) -> wire.Advice:
        """A hint: the reason in words, and the figures behind it."""
        lines = [
            wire.HintLine(
                *(each.step, each.name, round(each.score, 2), round(each.win_chance, 3)),
                *(round(each.score_within, 2), round(each.win_within, 3)),
            )
            for each in advice.hints
        ]
        claims = [self.claim(game, claim) for claim in advice.claims] or None
        return wire.Advice(id, lines, self.reason(game, advice, options), advice.clause, claims)

    def reason(self, game: Game, advice: Advice, options: Mapping[str, Any] | None) -> wire.Sentence:
        """The reason of a hint."""
        return with_names(game, str(advice.reason), options)

    def claim(self, game: Game, claim: Claim) -> wire.ClaimLine:
        """A part of a reason: cards by code, except where English has a word of its own for them, such as coins."""
        words = words_of(game)
        speaker, values = Speaker(forms=words.FORMS), dict(claim.values)
        for slot in parsed(words.CLAIMS[claim.key]):
            if slot.form and "" not in words.FORMS.get(slot.form, {"": ""}):
                values[slot.name] = speaker.value(slot, values[slot.name])
        return wire.ClaimLine(claim.key, values)


class Keyed(Protocol):
    """The current version for clients that word sentences themselves."""

    name = "2 keys"

    def event(self, teller: Teller, told: Told, at: int) -> wire.Event:
        key, values = event_key(teller.game, told, at, teller.special)
        entry = list(told[at])
        return wire.Event(entry, wire.Said(key, dict(values)), teller.game.clause_of(entry))

    def said(self, sentence: str, game: Game | None = None) -> wire.Sentence:
        """The key and the values of a message; anything else, such as what a game of another package says, as it is.

        A game of another package may have a key that the catalogue has for something else.
        """
        if isinstance(sentence, Message) and catalogue(game).says.get(sentence.key) == sentence.pattern:
            return wire.Said(sentence.key, sentence.values)
        return str(sentence)

    def sentence(self, game: Game, refusal: Refusal, options: Mapping[str, Any] | None = None) -> wire.Sentence:
        said = self.said(refusal.sentence, game)
        return said if isinstance(said, wire.Said) else super().sentence(game, refusal, options)

    def reason(self, game: Game, advice: Advice, options: Mapping[str, Any] | None) -> wire.Sentence:
        return "" if advice.claims else self.said(advice.reason, game)

    def claim(self, game: Game, claim: Claim) -> wire.ClaimLine:
        return wire.ClaimLine(claim.key, dict(claim.values))


class Choice1(Struct):
    """A legal step, as protocol 1 has it."""

    step: int
    name: str


class Protocol1(Protocol):
    """Version 1: cards by code or with it, and the clause behind a refusal within its sentence too."""

    number = 1
    name = "1"
    codes = True
    signed = False
    tells_pace = False
    tells_away = False
    tells_company = False
    # what it does not say of a table
    unknown = ("sides", "goal", "scoring", "what_scores", "names", "ended", "programs", "phrases", "again")

    def asking(self, wants: Sequence[str]) -> Protocol:
        return self

    def choices(self, steps: Sequence[LegalStep]) -> list[Any]:
        return [Choice1(step.step, step.name) for step in steps]

    def described(self, table: Table) -> wire.Described:
        found: Any = {name: value for name, value in table.described().items() if name not in self.unknown}
        found["seats"] = [
            {name: seat[name] for name in ("name", "called", "bot", "promise")} for seat in found["seats"]
        ]
        return found  # type: ignore[no-any-return]

    def entry(self, game: Game, entry: list[Any]) -> list[Any]:
        """Without the seats that only an observer needs to be told, such as the receiver of a card."""
        fields = game.told_fields[game.kinds[entry[0]]]
        known = [value for field, value in zip(fields, entry[1:], strict=True) if field.marks.strip("?!") != "+seat"]
        return [entry[0], *known]

    def sentence(self, game: Game, refusal: Refusal, options: Mapping[str, Any] | None = None) -> wire.Sentence:
        return str(refusal)

    def advice(self, id: str, game: Game, advice: Advice, options: Mapping[str, Any] | None = None) -> wire.Advice:
        """A hint with codes and with the search's own estimates, as ever."""
        lines = [
            wire.HintLine(each.step, each.name, round(each.score if each.tries else 0.0, 2), round(each.estimate, 3))
            for each in advice.hints
        ]
        return wire.Advice(id, lines, str(advice.reason), advice.clause)


CURRENT, KEYED = Protocol(), Keyed()
PROTOCOLS: dict[int, Protocol] = {each.number: each for each in (Protocol1(), CURRENT)}


def told_by(number: int, words: str, wants: Sequence[str] = ()) -> Protocol:
    """What a client is sent that speaks a protocol, words sentences itself or not, and wants more, perhaps."""
    return (KEYED if words and number == KEYED.number else PROTOCOLS[number]).asking(wants)


def sentence_of(error: Exception) -> str:
    """The sentence of an error: its message, if it has one."""
    if isinstance(error, Refusal):
        return error.sentence
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Message) else str(error)


def with_names(game: Game, sentence: str, options: Mapping[str, Any] | None = None) -> str:
    """A sentence with its cards by name instead of by code; the names are those under the options."""
    names = game.card_names if options is None else game.names_for(options)
    return with_cards(game, sentence, lambda code: names[code])
