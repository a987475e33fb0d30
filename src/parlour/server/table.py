"""A table: who sits there, what they play, and the log from which all of it follows."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..engine.chance import SHUFFLE_VERSION
from ..engine.core import Journal, State
from ..engine.errors import Refusal
from ..engine.game import CHANCE, DECISION, Game
from ..engine.view import View
from ..engine.words import words_of
from ..games import REGISTRY
from ..games import game as game_of
from ..play.sitting import SPECTATOR, Sitting
from ..players.bots import BOTS
from ..records.record import read_decision
from ..records.seal import (
    ENTROPY_BYTES,
    SEAL_VERSION,
    Chain,
    Recorder,
    closing_of,
    commitment_to,
    is_hexadecimal,
    linked,
    opening_of,
)
from . import rows as log
from .rows import Action, Damaged, Row

GATHERING, SEALING, PLAYING, OVER = "gathering", "sealing", "playing", "over"
FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters that look like nothing
BRACKETS = "[]"  # in what is told they are around the codes of cards
TAKEN = {"you", *(name.casefold() for game in REGISTRY.values() for name in words_of(game).CAST)}  # seat names
KEEPER = "steady"  # keeps the seat of a person who is away
LONGEST_NAME = 24
LONGEST = {"games": 20, "deal_limit": 200, "round_limit": 200, "stake": 100}  # options that make sittings long
MOST_UNDOABLE = 2000  # moves of a sitting in which decisions can be taken back, as it is then played again
TAKES_EFFECT = {kind: f"on_{kind}" for kind in log.KINDS}  # made once: names made anew are kept by the interpreter


class Pace(NamedTuple):
    """How long things take at a table, in seconds: 0 is for ever, or at once."""

    person: float = 0.0  # before a silent person's seat is kept by a bot
    bot: float = 0.6  # before a bot's move is seen, whatever it holds
    spectator: float = 0.0  # before spectators are told


USUAL_PACE = Pace()


@dataclass
class Seat:
    """A place at a table: a person's, a bot's, or a person's that is kept by a bot."""

    name: str = ""
    bot: str = ""
    tokens: set[bytes] = field(default_factory=set)
    since: int = -1  # the row by which its person sat down: who comes after is somebody else
    promise: str | None = None  # a commitment to entropy
    entropy: str | None = None

    @property
    def empty(self) -> bool:
        return not self.name and not self.bot


class News(NamedTuple):
    """What a listener missed: what was told of the game, and what of the table."""

    told: list[list[Any]]
    table: list[list[Any]]


class Ahead(NamedTuple):
    """Where some steps of a move lead: to others and a position within it, or, where it is whole, to a decision."""

    legal: list[tuple[int, str]]
    view: dict[str, Any] | None = None
    decision: list[Any] | None = None


def stood(view: View) -> dict[str, Any]:
    """How things stand, by a view; without who may hold which card, which is known only to one that has listened."""
    return {name: value for name, value in view.fields().items() if name not in ("may_hold", "known_to_hold")}


class Mark(NamedTuple):
    """How far things were when nothing was half done."""

    number: int
    public: int
    told: tuple[int, ...]  # how much each listener was told, in the order of the sitting's


def digest(secret: str) -> bytes:
    """What is kept of a token or a code: who steals the log cannot sit down with it."""
    return hashlib.sha256(b"parlour token 1\0" + secret.encode()).digest()


def clean_name(name: str) -> str:
    """A name as all can read it, and take for nobody else's: nothing that controls, fills, piles up or brackets."""
    spaced = "".join(" " if unicodedata.category(each) in ("Zs", "Zl", "Zp") else each for each in name)
    kept: list[str] = []
    for each in unicodedata.normalize("NFC", spaced):
        kind = unicodedata.category(each)
        piled = kind[0] == "M" and len(kept) > 1 and all(unicodedata.category(last)[0] == "M" for last in kept[-2:])
        if kind[0] != "C" and each not in FILLERS and each not in BRACKETS and not piled:
            kept.append(each)
    cleaned = " ".join("".join(kept).split())
    if not 1 <= len(cleaned) <= LONGEST_NAME or all(unicodedata.category(each)[0] in "MZ" for each in cleaned):
        raise Refusal(f"A name has 1 to {LONGEST_NAME} letters.")
    if cleaned.casefold() in TAKEN or re.fullmatch(r"seat \d+", cleaned.casefold()):
        raise Refusal(f"{cleaned} is what the table calls a seat; choose another name.")
    return cleaned


class Table:
    """One table. Every method that changes it writes rows, which must be stored before anyone is told of them."""

    def __init__(self, name: str, secret: bytes) -> None:
        self.name = name
        self.secret = secret
        self.phase = ""
        self.rows = 0  # in the log
        self.fresh: list[Row] = []  # rows that are not stored yet
        self.host = -1
        self.seats: list[Seat] = []
        self.carries: dict[bytes, int] = {}  # the seat that a code carries
        self.actions: dict[bytes, tuple[bytes, int]] = {}
        self.public: list[list[Any]] = []  # what all were told of the table
        self.marks: list[Mark] = []
        self.sitting: Sitting | None = None
        self.rematch = ""
        self.position = 0  # the number of the last row that changed the position

    # what it is

    def __repr__(self) -> str:
        return f"<Table {self.name} {self.phase} {self.rows}>"

    @property
    def solo(self) -> bool:
        """Whether one person plays, with bots."""
        return sum(bool(seat.name) for seat in self.seats) == 1 and not self.is_open

    @property
    def deciding(self) -> int:
        """The seat that decides; −1 where none does."""
        return self.sitting.seat if self.sitting is not None and self.phase == PLAYING else -1

    @property
    def promises(self) -> list[str | None]:
        """What each seat said of its entropy before it showed it."""
        return [seat.promise for seat in self.seats]

    @property
    def sealed_as(self) -> str:
        """The name on which chance depends: a numbered deal is the same at every table."""
        return self.name if self.deal is None else f"deal {self.deal}"

    @property
    def due(self) -> bool:
        """Whether something is to happen here by itself: a bot's move, the end of somebody's time."""
        if self.phase == PLAYING:
            return bool(self.seats[self.deciding].bot) or self.pace.person > 0
        return self.phase == SEALING

    def listener(self, seat: int) -> int:
        """As whom a seat listens: persons as themselves, all others as spectators."""
        return seat if 0 <= seat < len(self.seats) and self.seats[seat].name else SPECTATOR

    def seat_of(self, token: bytes) -> int:
        """The seat of a token; −1 where there is none."""
        for number, seat in enumerate(self.seats):
            if any(hmac.compare_digest(token, own) for own in seat.tokens):
                return number
        return SPECTATOR

    def called(self, listener: int = SPECTATOR) -> list[str]:
        """What the seats are called: you, persons by their names, bots after the characters of the pack."""
        cast = iter(words_of(self.game).CAST * self.players)
        names = []
        for number, seat in enumerate(self.seats):
            names.append("you" if number == listener else seat.name or (next(cast) if seat.bot else f"seat {number}"))
        return names

    def described(self) -> dict[str, Any]:
        """What all may know of it."""
        return {
            "table": self.name,
            "game": self.game.name,
            "players": self.players,
            "options": self.options,
            "rules": self.rules,
            "shuffle": SHUFFLE_VERSION,
            "commitment": self.commitment,
            "open": self.is_open,
            "hints": self.hints,
            "deal": self.deal,
            "pace": self.pace._asdict(),
            "phase": self.phase,
            "host": self.host,
            "seats": [
                {"name": seat.name, "called": called, "bot": seat.bot, "promise": seat.promise}
                for seat, called in zip(self.seats, self.called(), strict=True)
            ],
            "rematch": self.rematch or None,
            "winners": None if self.phase != OVER else self.played().winners(),
        }

    # the log

    def write(self, entry: list[Any], action: Action | None = None) -> None:
        """Let an entry take effect, and note it as a row to be stored."""
        self.apply(entry)
        self.number_row(entry, action)

    def number_row(self, entry: list[Any], action: Action | None) -> None:
        if action is not None:
            self.actions[action.key] = (action.body, self.rows)
        self.fresh.append(Row(self.rows, entry, action.mark if action else None, self.head_after(entry)))
        self.rows += 1

    def head_after(self, entry: list[Any]) -> bytes | None:
        """The head of the chain, where this entry has just moved it."""
        chained = entry[0] not in log.KINDS or entry[0] == log.CLOSED
        return self.chain.head if chained else None

    def taken(self) -> list[Row]:
        """The rows that must be stored now; the table is whole again."""
        rows, self.fresh = self.fresh, []
        if rows:
            self.mark()
        return rows

    def mark(self) -> None:
        told = () if self.sitting is None else tuple(len(heard) for heard in self.sitting.told.values())
        self.marks.append(Mark(self.rows, len(self.public), told))

    @classmethod
    def load(cls, name: str, secret: bytes, rows: Iterable[Row]) -> Table:
        """A table as its log tells it; a log that does not hold together raises Damaged."""
        table = cls(name, secret)
        try:
            for row in rows:
                if row.number != table.rows or (table.rows == 0) != (row.entry[0] == log.OPENED):
                    raise Damaged(f"row {row.number} stands where {table.rows} should")
                table.replay(row)
        except (Refusal, KeyError, IndexError, TypeError, ValueError) as error:
            raise Damaged(f"row {table.rows} cannot be followed ({type(error).__name__})") from error
        if table.rows == 0 or table.half_done:
            raise Damaged(f"the log ends in the middle of a move, at {table.rows}")
        return table

    @property
    def half_done(self) -> bool:
        return self.sitting is not None and self.logged < len(self.sitting.log)

    def replay(self, row: Row) -> None:
        """Follow a stored row."""
        if row.action is not None:
            self.actions[row.action[:12]] = (row.action[12:], row.number)
        if row.entry[0] in log.KINDS:
            self.apply(row.entry)
        else:
            self.follow(row.entry)
        if row.head != self.head_after(row.entry):
            raise Damaged(f"row {self.rows} breaks the chain")
        self.rows += 1
        if not self.half_done:
            self.mark()

    def follow(self, entry: list[Any]) -> None:
        """An entry of the record: a decision is made again, and the rest must follow from it."""
        sitting = self.played()
        if not self.half_done:
            for step in read_decision(self.game, sitting.state, entry):
                sitting.play(step)
        if sitting.log[self.logged] != entry:
            raise Damaged(f"row {self.rows} does not follow from those before")
        self.chain_on()
        self.position = self.rows

    def chain_on(self) -> None:
        """Chain the next entry of the record."""
        entry = self.played().log[self.logged]
        chance = self.game.entries[self.game.kinds[entry[0]]].nature == CHANCE
        self.logged += 1
        if chance:
            self.chanced += 1
        self.chain.add(linked(entry, self.chance.pools[self.chanced - 1] if chance else None))

    def note_play(self, action: Action | None) -> None:
        """Note what has happened in the sitting."""
        sitting = self.played()
        while self.logged < len(sitting.log):
            self.position = self.rows
            entry = sitting.log[self.logged]
            self.chain_on()
            self.number_row(entry, action)
            action = None
        if sitting.over:
            self.write([log.CLOSED])

    def played(self) -> Sitting:
        if self.sitting is None:
            raise Refusal("The sitting has not begun.")
        return self.sitting

    # entries beyond the record's, as they take effect

    def apply(self, entry: list[Any]) -> None:
        kind, *values = entry
        getattr(self, TAKES_EFFECT[kind])(*values)

    def on_opened(self, settings: dict[str, Any]) -> None:
        if settings["log"] != log.LOG_FORMAT:
            raise Damaged(f"the log is of format {settings['log']}; this reads {log.LOG_FORMAT}")
        self.game: Game = game_of(settings["game"])
        self.rules: int = settings["rules"]
        if not 1 <= self.rules <= self.game.rules or settings["shuffle"] != SHUFFLE_VERSION:
            raise Damaged("it is played by newer rules than these")
        self.players: int = settings["players"]
        self.options: dict[str, Any] = settings["options"]
        self.is_open: bool = settings["open"]
        self.hints: bool = settings["hints"]
        self.deal: int | None = settings["deal"]
        self.opened: str = settings["opened"]
        self.pace = Pace(**settings["pace"])
        self.invite = bytes.fromhex(settings["invite"])
        self.commitment: str = settings["commitment"]
        self.seats = [Seat() for _ in range(self.players)]
        self.phase = GATHERING

    def on_sat(self, seat: int, name: str, tokens: list[str], promise: str | None) -> None:
        keys = {bytes.fromhex(token) for token in tokens}
        self.seats[seat] = Seat(name, tokens=keys, since=self.rows, promise=promise)
        self.tell(log.SAT, seat, name, promise)
        if self.host < 0:
            self.on_host(seat)

    def on_stood(self, seat: int) -> None:
        self.seats[seat] = Seat()
        self.drop_carries(seat)
        self.tell(log.STOOD, seat)
        if seat == self.host:
            self.on_host(next((number for number, each in enumerate(self.seats) if each.name), -1))

    def on_bot(self, seat: int, level: str) -> None:
        self.seats[seat] = Seat(bot=level) if level else Seat()
        self.tell(log.BOT, seat, level)

    def on_host(self, seat: int) -> None:
        self.host = seat
        self.tell(log.HOST, seat)

    def on_carry(self, seat: int, code: str) -> None:
        self.drop_carries(seat)
        self.carries[bytes.fromhex(code)] = seat

    def drop_carries(self, seat: int) -> None:
        self.carries = {code: carried for code, carried in self.carries.items() if carried != seat}

    def on_carried(self, code: str, token: str) -> None:
        self.seats[self.carries.pop(bytes.fromhex(code))].tokens.add(bytes.fromhex(token))

    def on_alone(self, seat: int, token: str) -> None:
        self.seats[seat].tokens = {bytes.fromhex(token)}
        self.drop_carries(seat)

    def on_sealing(self) -> None:
        self.phase = SEALING
        self.tell(log.SEALING)

    def on_shown(self, seat: int, entropy: str) -> None:
        self.seats[seat].entropy = entropy
        self.tell(log.SHOWN, seat)

    def on_started(self) -> None:
        entropy = [seat.entropy for seat in self.seats]
        self.tell(log.STARTED, entropy)
        self.phase = PLAYING
        self.chance = self.luck()
        settled = (self.players, self.options, self.sealed_as, self.commitment, self.promises, entropy)
        self.chain = Chain(self.secret, opening_of(self.game, self.rules, *settled))
        self.logged = self.chanced = 0
        persons = [number for number, seat in enumerate(self.seats) if seat.name]
        listeners = (SPECTATOR, *persons)
        self.sitting = Sitting(
            self.game, self.players, chance=self.chance, listeners=listeners, rules=self.rules, **self.options
        )

    def luck(self) -> Recorder:
        """The luck of the sitting, from its beginning."""
        entropy = [seat.entropy for seat in self.seats]
        return Recorder(self.game, self.secret, entropy, self.sealed_as, self.rules)

    def on_kept(self, seat: int, level: str, why: str) -> None:
        self.seats[seat].bot = level
        self.tell(log.KEPT, seat, level, why)

    def on_back(self, seat: int) -> None:
        self.seats[seat].bot = ""
        self.tell(log.BACK, seat)

    def on_removed(self, seat: int, level: str) -> None:
        self.seats[seat].tokens = set()
        self.seats[seat].since = -1
        self.seats[seat].bot = level
        self.drop_carries(seat)
        self.tell(log.REMOVED, seat, level)

    def on_failed(self, seat: int) -> None:
        self.seats[seat].bot = "thumb"
        self.tell(log.FAILED, seat)

    def on_undone(self, seat: int) -> None:
        sitting = self.played()
        if not sitting.undo(seat):
            raise Refusal("There is nothing of yours to undo yet.")
        self.logged = len(sitting.log)
        self.chanced = len(self.chance.pools)
        self.chain.rewind(self.logged)
        self.position = self.rows
        # what was told after that decision was never told, as far as the game goes
        self.marks = [mark for mark in self.marks if not mark.told]
        self.tell(log.UNDONE, seat)

    def on_closed(self) -> None:
        self.chain.add(closing_of(self.played().record(**self.beside())))
        self.phase = OVER
        self.tell(log.CLOSED)

    def on_rematch(self, name: str) -> None:
        self.rematch = name
        self.tell(log.REMATCH, name)

    def tell(self, kind: str, *values: Any) -> None:
        self.public.append([kind, *values])

    # gathering

    @classmethod
    def open(
        cls,
        name: str,
        secret: bytes,
        *,
        game: str,
        players: int,
        options: dict[str, Any],
        invite: bytes,
        opened: str,
        is_open: bool = False,
        hints: bool = True,
        deal: int | None = None,
        pace: Pace = USUAL_PACE,
    ) -> Table:
        """A new table, at which nobody sits."""
        table = cls(name, secret)
        if deal is not None and is_open:
            raise Refusal("A numbered deal is for one person alone: the table cannot be open.")
        known = game_of(game)
        known.sheet.check_players(players)
        chosen = known.options_for(players, options)
        for option, most in LONGEST.items():
            if isinstance(chosen.get(option), int) and chosen[option] > most:
                raise Refusal(f"At a table {option} is {most} at most; longer sittings are for simulations.")
        settings = {
            "log": log.LOG_FORMAT,
            "game": known.name,
            "rules": known.rules,
            "shuffle": SHUFFLE_VERSION,
            "players": players,
            "options": chosen,
            "open": is_open,
            "hints": hints,
            "deal": deal,
            "pace": pace._asdict(),
            "invite": invite.hex(),
            "commitment": Recorder(known, secret, (), name, known.rules).commitment,
            "opened": opened,
        }
        table.write([log.OPENED, settings])
        return table

    def gathering(self) -> None:
        if self.phase != GATHERING:
            raise Refusal("The sitting has begun: the seats are settled.")

    def by_host(self, seat: int) -> None:
        if seat != self.host or seat < 0:
            raise Refusal("Only the host arranges the table.")

    def place(self, seat: Any) -> Seat:
        if not isinstance(seat, int) or not 0 <= seat < self.players:
            raise Refusal(f"The seats are 0 to {self.players - 1}.")
        return self.seats[seat]

    def sit(self, name: str, token: bytes, seat: int | None = None, promise: str | None = None) -> int:
        """A person takes a seat, or the first that is free, or that of a bot; the seat."""
        self.gathering()
        name = clean_name(name)
        if any(each.name.casefold() == name.casefold() for each in self.seats):
            raise Refusal(f"Somebody called {name} sits here already; take another name.")
        if self.deal is not None and (promise is not None or any(each.name for each in self.seats)):
            raise Refusal("A numbered deal is for one person alone, and whoever knows the number knows the cards.")
        if promise is not None and not is_hexadecimal(promise, 32):
            raise Refusal("A promise of entropy is a SHA-256 digest, in 64 hexadecimal digits.")
        if seat is None:
            free = [number for number, each in enumerate(self.seats) if each.empty]
            free += [number for number, each in enumerate(self.seats) if each.bot and not each.name]
            if not free:
                raise Refusal("Every seat is taken.")
            seat = free[0]
        elif self.place(seat).name:
            raise Refusal(f"Seat {seat} is taken.")
        self.write([log.SAT, seat, name, [token.hex()], promise])
        return seat

    def sit_again(self, number: int, seat: Seat) -> None:
        """Who sat at a table that is over sits at this one, with the same tokens."""
        self.write([log.SAT, number, seat.name, sorted(token.hex() for token in seat.tokens), None])

    def stand(self, seat: int, action: Action | None = None) -> None:
        """A person leaves the seat, before the start."""
        self.gathering()
        self.write([log.STOOD, seat], action)

    def put_bot(self, by: int, seat: int, level: str, action: Action | None = None) -> None:
        """The host puts a bot at a seat that no person has, or ("") takes it away."""
        self.gathering()
        self.by_host(by)
        if self.place(seat).name:
            raise Refusal(f"{self.seats[seat].name} sits at seat {seat}.")
        if level and level not in BOTS:
            raise Refusal(f"Bots here are {', '.join(BOTS)}.")
        self.write([log.BOT, seat, level], action)

    def hand_on(self, by: int, seat: int, action: Action | None = None) -> None:
        """The host hands the role on."""
        self.by_host(by)
        self.make_host(seat, action)

    def make_host(self, seat: int, action: Action | None = None) -> None:
        """A person becomes the host."""
        if not self.place(seat).tokens:
            raise Refusal("Only a person who sits here can be the host.")
        self.write([log.HOST, seat], action)

    def remove(self, by: int, seat: int, action: Action | None = None) -> None:
        """The host takes a person's seat away: it is free again, or after the start a bot's."""
        self.by_host(by)
        if not self.place(seat).tokens or seat == by:
            raise Refusal("There is no other person at this seat.")
        if self.phase == GATHERING:
            self.write([log.STOOD, seat], action)
        else:
            self.write([log.REMOVED, seat, self.seats[seat].bot or KEEPER], action)

    def carry(self, seat: int, code: bytes, action: Action | None = None) -> None:
        """A code carries this seat to another device, once."""
        if code in self.carries:
            raise Refusal("This code is in use; make another.")
        self.write([log.CARRY, seat, code.hex()], action)

    def alone(self, seat: int, token: bytes, action: Action | None = None) -> None:
        """Of all devices that have this seat only one keeps it."""
        self.write([log.ALONE, seat, token.hex()], action)

    def carried(self, code: bytes, token: bytes) -> int:
        """The code is used; the seat."""
        if code not in self.carries:
            raise Refusal("This link was used already, or another took its place.")
        seat = self.carries[code]
        self.write([log.CARRIED, code.hex(), token.hex()])
        return seat

    # the start

    def begin(self, by: int, action: Action | None = None) -> None:
        """The host starts; where entropy was promised, it is asked for first."""
        self.gathering()
        self.by_host(by)
        free = [str(number) for number, seat in enumerate(self.seats) if seat.empty]
        if free:
            raise Refusal(f"Nobody sits at {', '.join(free)} yet: wait, or put bots there.")
        if any(seat.promise for seat in self.seats):
            self.write([log.SEALING], action)
        else:
            self.start(action)

    def show(self, seat: int, entropy: str, action: Action | None = None) -> None:
        """A seat shows the entropy that it promised."""
        promise = self.seats[seat].promise
        if self.phase != SEALING or promise is None or self.seats[seat].entropy is not None:
            raise Refusal("No entropy is awaited of this seat.")
        if not is_hexadecimal(entropy, ENTROPY_BYTES):
            raise Refusal(f"Entropy is {ENTROPY_BYTES} bytes, in hexadecimal digits.")
        if commitment_to(bytes.fromhex(entropy)) != promise:
            raise Refusal("This is not the entropy that was promised.")
        self.write([log.SHOWN, seat, entropy], action)
        if all(each.entropy is not None for each in self.seats if each.promise):
            self.start()

    def start(self, action: Action | None = None) -> None:
        """Deal. Entropy that was promised and not shown in time counts for nothing, as all can see."""
        self.write([log.STARTED], action)
        self.note_play(None)

    # play

    def act(self, seat: int, steps: Sequence[int | str], action: Action | None = None) -> None:
        """A seat makes a whole move, or none."""
        numbers = [self.step_of(step) for step in steps]
        whole, _ = self.tried(seat, numbers)
        if not whole:
            raise Refusal("The move is not whole: further steps belong to it.")
        for step in numbers:
            self.played().play(step)
        self.note_play(action)

    def tried(self, seat: int, steps: Sequence[int], journal: Journal | None = None) -> tuple[bool, State]:
        """What some steps of a seat would lead to; whether they are a whole move."""
        sitting = self.playing()
        if seat != sitting.seat:
            raise Refusal("It is not your turn.")
        state = sitting.state.copy()
        state.journal = journal
        for at, step in enumerate(steps):
            if at and not state.unfinished:
                raise Refusal(f"The move was whole before {self.game.step_name(step)}.")
            state.play(step)
        return bool(steps) and not state.unfinished, state

    def playing(self) -> Sitting:
        if self.phase != PLAYING:
            raise Refusal("The sitting is over." if self.phase == OVER else "The sitting has not begun.")
        return self.played()

    def following(self, seat: int, prefix: Sequence[int | str]) -> Ahead:
        """Where some steps of a seat's move lead. Of a whole move nothing is said but what was decided: what comes of
        it, such as a card that is drawn, is known when it has been made."""
        journal = Journal()
        whole, state = self.tried(seat, [self.step_of(step) for step in prefix], journal)
        if whole:
            made = next(row for row in journal.rows() if self.game.entries[row[0]].nature == DECISION)
            return Ahead([], decision=self.game.told(made))
        legal = [(step, self.game.step_name(step)) for step in state.legal()]
        return Ahead(legal, stood(self.game.view(state, seat)))

    def step_of(self, step: int | str) -> int:
        """A step, given by number or by name."""
        if isinstance(step, int):
            if step >= len(self.game.step_names):
                raise Refusal(f"{step} is not a step of {self.game.title}.")
            return step
        if step not in self.game.step_names:
            raise Refusal(f"{step!a:.60} is not a step of {self.game.title}.")
        return self.game.step_names.index(step)

    def undo(self, seat: int, action: Action | None = None) -> None:
        """A solo player takes the last decision back."""
        self.playing()
        if not self.solo:
            raise Refusal("Decisions are taken back only where one person plays alone with bots.")
        if len(self.played().moves) > MOST_UNDOABLE:
            raise Refusal("This sitting has become too long for decisions to be taken back.")
        self.write([log.UNDONE, seat], action)

    def keep(self, seat: int, why: str, action: Action | None = None) -> None:
        """A bot keeps a person's seat."""
        if self.seats[seat].name and not self.seats[seat].bot:
            self.write([log.KEPT, seat, KEEPER, why], action)

    def back(self, seat: int) -> None:
        """The person is back."""
        if self.seats[seat].name and self.seats[seat].bot and self.seats[seat].tokens:
            self.write([log.BACK, seat])

    def fail(self, seat: int) -> None:
        """A bot failed: the rules of thumb take its place."""
        self.write([log.FAILED, seat])

    def name_rematch(self, by: int, name: str, action: Action | None = None) -> None:
        self.by_host(by)
        if self.phase != OVER or self.rematch:
            raise Refusal("A rematch is for when the sitting is over, and once.")
        self.write([log.REMATCH, name], action)

    # what bots and hints think with

    def mind(self, seat: int) -> Callable[[], View]:
        """A way to what a seat knows and remembers, for a thread of its own: at hand, or made again from the moves."""
        sitting = self.played()
        state = sitting.state.copy()
        kept = sitting.belief_views.pop(seat, None)
        if kept is not None:
            return lambda: kept.see(state)
        moves, luck = list(sitting.moves), self.luck()
        return lambda: sitting.belief_view(seat, moves, luck).see(state)

    # what is told

    def view(self, seat: int) -> View | None:
        """What a listener sees now."""
        return None if self.sitting is None else self.sitting.view(self.listener(seat))

    def news(self, seat: int, since: int) -> News | None:
        """What a listener was told since a number; None where that is not known any more, or never was."""
        if since == self.rows:
            return News([], [])
        # most were told all but the last
        mark = next((mark for mark in reversed(self.marks) if mark.number <= since), None)
        if mark is None or mark.number != since:
            return None
        told: list[list[Any]] = []
        if self.sitting is not None:
            listener = self.listener(seat)
            before = dict(zip(self.sitting.told, mark.told, strict=False)).get(listener, 0)
            told = self.sitting.told[listener][before:]
        return News(told, self.public[mark.public :])

    # the record

    def beside(self) -> dict[str, Any]:
        """What stands beside the log in the record."""
        numbered = {} if self.deal is None else {"deal": self.deal}
        return numbered | {
            "shuffle": SHUFFLE_VERSION,
            "names": [seat.name or seat.bot for seat in self.seats],
            "opened": self.opened,
        }

    def record(self) -> dict[str, Any]:
        """The record of a sitting that is over, with its seal."""
        if self.phase != OVER:
            raise Refusal("The record shows all hands, and the sitting is not over yet.")
        seal = {
            "version": SEAL_VERSION,
            "table": self.sealed_as,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "promises": self.promises,
            "entropy": [seat.entropy for seat in self.seats],
            "pack": self.game.codes,
            "pools": self.chance.pools,
            "head": self.chain.head.hex(),
        }
        return self.played().record(**self.beside(), seal=seal)
