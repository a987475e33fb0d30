"""The lobby of a table: its seats, the people and bots who take them, and what the host may arrange."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Any

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..play.sitting import SPECTATOR
from ..players.bots import BOTS, LISTED
from ..records.seal import ENTROPY_BYTES, commitment_to, is_hexadecimal
from . import rows
from .names import cast_of, clean_name, looks_like_any
from .rows import Action, Log

STAND_IN = "steady"  # the bot that plays for a person who is away
FALLBACK = "thumb"  # the bot that takes the place of one that failed
SPARE_ROWS = 500  # that each person may cause besides playing,
SHARED_ROWS = 2  # and so many more for each entry of the sitting, shared by all seats
GUEST_ROWS = 20  # of these before the start, by everyone but the host
MOST_WAYS = 5  # in which a person is told elsewhere: by devices and a webhook
MOST_COMING = 5_000  # rows before the start by which people sat down or left, and by those who have left since
PROMISE_BYTES = 32
EFFECTS = {  # made once: the interpreter keeps every name that is made while it runs
    kind: f"_on_{kind}"
    for kind in (
        *(rows.SAT, rows.STOOD, rows.BOT, rows.HOST, rows.CARRY, rows.CARRIED),
        *(rows.NOTIFY, rows.SILENCED, rows.ALONE, rows.SHOWN, rows.KEPT, rows.BACK, rows.REMOVED, rows.FAILED),
    )
}


@dataclass
class Seat:
    """A place at a table. It is empty, a person's, a bot's, or a person's for whom a bot plays."""

    name: str = ""  # of the person
    bot: str = ""  # the level of the bot that plays
    tokens: set[bytes] = field(default_factory=set)  # digests, one for each device of the person
    since: int = -1  # the row by which the person sat down: the next person at this seat has another
    returned: int = -1  # the row by which the person last came back
    spent: int = 0  # rows that the person caused besides playing
    promise: str | None = None  # a commitment to entropy
    program: str = ""  # what a program that sat down calls itself
    entropy: str | None = None
    ways: dict[str, dict[str, str]] = field(default_factory=dict)  # in which the person is told elsewhere, by id

    @property
    def empty(self) -> bool:
        return not self.name and not self.bot


def digest(secret: str) -> bytes:
    """What is stored of a token or a code, so that a stolen log lets nobody sit down."""
    return hashlib.sha256(b"parlour token 1\0" + secret.encode()).digest()


class Lobby:
    """The seats of one table.

    A method that changes something checks whether it is allowed, lets it take effect and writes it to the log; a
    refusal changes nothing. `apply` lets an entry of the log take effect when a table is loaded.
    """

    def __init__(self, log: Log, game: Game, players: int, one_person: bool, programs: bool = True) -> None:
        self.log = log
        self.game = game
        self.seats = [Seat() for _ in range(players)]
        self.host = -1
        self.gathering = True  # until the host starts, people may come and go
        self.one_person = one_person  # a numbered deal is for one person and bots
        self.programs = programs  # whether programs may sit down
        self.shared = False  # the same cards are played at several tables
        self.coming = 0  # rows before the start by which somebody sat down or left, and by those who have left since
        self.carries: dict[bytes, int] = {}  # by the digest of a code: the seat that it carries to another device

    # who sits here

    @property
    def people(self) -> int:
        """How many people have a seat."""
        return sum(bool(seat.tokens) for seat in self.seats)

    @property
    def named(self) -> list[int]:
        """The seats that people have taken, whether or not they lost them since."""
        return [number for number, seat in enumerate(self.seats) if seat.name]

    @property
    def promises(self) -> list[str | None]:
        """The commitment of each seat to its entropy."""
        return [seat.promise for seat in self.seats]

    @property
    def entropy(self) -> list[str | None]:
        """The entropy that each seat has shown."""
        return [seat.entropy for seat in self.seats]

    def seat_of(self, token: bytes) -> int:
        """The seat of a token; −1 where it has none."""
        for number, seat in enumerate(self.seats):
            if any(hmac.compare_digest(token, own) for own in seat.tokens):
                return number
        return SPECTATOR

    def listener(self, seat: int) -> int:
        """As whom a seat is told things: people as themselves, all others as spectators."""
        return seat if 0 <= seat < len(self.seats) and self.seats[seat].name else SPECTATOR

    def called(self, listener: int = SPECTATOR) -> list[str]:
        """What the seats are called: you, people by their names, bots after the characters of the pack."""
        cast = iter(cast_of(self.game) * len(self.seats))
        names = []
        for number, seat in enumerate(self.seats):
            given = next(cast, f"bot {number}") if seat.bot and not seat.name else f"seat {number}"
            names.append("you" if number == listener else seat.name or given)
        return names

    # checks

    def check_gathering(self) -> None:
        """Refuse where the seats cannot change any more."""
        if not self.gathering:
            raise Refusal(say("begun", "The game has begun: the seats are settled."))

    def check_host(self, seat: int) -> None:
        """Refuse anyone but the host."""
        if seat != self.host or seat < 0:
            raise Refusal(say("only host", "Only the host arranges the table."))

    def check_spare(self, seat: int) -> None:
        """Refuse where a person has arranged so much that the log would fill up; playing is never refused for that."""
        guest = self.gathering and seat != self.host
        if seat >= 0 and self.seats[seat].spent >= (GUEST_ROWS if guest else self._spare_rows):
            how = "You have arranged too much at this table; play on, and more will be allowed."
            raise Refusal(say("arranged", how))

    @property
    def _spare_rows(self) -> int:
        """The rows that a person may cause besides playing; of all seats together they grow no faster than play."""
        return SPARE_ROWS + SHARED_ROWS * self.log.played // len(self.seats)

    def check_full(self) -> None:
        """Refuse where a seat is empty."""
        free = [number for number, seat in enumerate(self.seats) if seat.empty]
        if free:
            raise Refusal(say("free seats", "Nobody sits at {free:list} yet: wait, or put bots there.", free=free))

    def _place(self, seat: Any) -> Seat:
        if not isinstance(seat, int) or not 0 <= seat < len(self.seats):
            raise Refusal(say("seats", "The seats are 0 to {last}.", last=len(self.seats) - 1))
        return self.seats[seat]

    # people and bots

    def sit(
        self, name: str, token: bytes, seat: int | None = None, promise: str | None = None, program: str = ""
    ) -> int:
        """A person takes a seat: the one asked for, or the first that is free, or that of a bot. Returns the seat.

        A program sits down like a person, and `program` is what it calls itself.
        """
        self.check_gathering()
        if program and not self.programs:
            raise Refusal(say("no programs", "This table is for people: programs cannot sit down here."))
        if self.coming >= MOST_COMING:
            raise Refusal(say("many came", "Too many people have come and gone at this table; open another."))
        name, program = clean_name(name), program and clean_name(program)
        if looks_like_any(name, (each.name for each in self.seats)):
            how = "Somebody whose name looks like {name:text} sits here already; take another name."
            raise Refusal(say("same name", how, name=name))
        if self.one_person and (promise is not None or any(each.name for each in self.seats)):
            how = "A numbered deal, or one that is played again, is for one person alone: others may know the cards."
            raise Refusal(say("numbered alone", how))
        if promise is not None and self.shared:
            how = "The same cards are played at several tables here, so no seat can add entropy of its own."
            raise Refusal(say("shared promise", how))
        if promise is not None and not is_hexadecimal(promise, PROMISE_BYTES):
            raise Refusal(say("promise", "A promise of entropy is a SHA-256 digest, in 64 hexadecimal digits."))
        if seat is None:
            free = [number for number, each in enumerate(self.seats) if each.empty]
            free += [number for number, each in enumerate(self.seats) if each.bot and not each.name]
            if not free:
                raise Refusal(say("all taken", "Every seat is taken."))
            seat = free[0]
        elif self._place(seat).name:
            raise Refusal(say("taken", "Seat {seat:number} is taken.", seat=seat))
        self._write([rows.SAT, seat, name, [token.hex()], promise, *([program] if program else [])])
        return seat

    def sit_again(self, number: int, seat: Seat) -> None:
        """A person from a table that is over sits down at this one, with the same tokens."""
        tokens = sorted(token.hex() for token in seat.tokens)
        self._write([rows.SAT, number, seat.name, tokens, None, *([seat.program] if seat.program else [])])
        for id, way in seat.ways.items():
            self._write([rows.NOTIFY, number, id, way])

    def stand(self, seat: int, action: Action | None = None) -> None:
        """A person leaves the seat before the start."""
        self.check_gathering()
        self._write([rows.STOOD, seat], action)

    def put_bot(self, by: int, seat: int, level: str, action: Action | None = None) -> None:
        """The host puts a bot at a seat that no person has, or takes it away where the level is ""."""
        self.check_gathering()
        self.check_host(by)
        self.check_spare(by)
        if self._place(seat).name:
            how = "{name:text} sits at seat {seat:number}."
            raise Refusal(say("sits there", how, name=self.seats[seat].name, seat=seat))
        if level and level not in BOTS:
            raise Refusal(say("bots", "Bots here are {bots:list}.", bots=list(LISTED)))
        self._write([rows.BOT, seat, level], action)

    def remove(self, by: int, seat: int, action: Action | None = None) -> None:
        """The host takes a person's seat away. Before the start it is free again, later a bot has it."""
        self.check_host(by)
        if not self._place(seat).tokens or seat == by:
            raise Refusal(say("no other person", "There is no other person at this seat."))
        if self.gathering:
            self._write([rows.STOOD, seat], action)
        else:
            self._write([rows.REMOVED, seat, self.seats[seat].bot or STAND_IN], action)

    def hand_on(self, by: int, seat: int, action: Action | None = None) -> None:
        """The host makes another person the host."""
        self.check_host(by)
        self.check_spare(by)
        if not self._place(seat).tokens:
            raise Refusal(say("host sits", "Only a person who sits here can be the host."))
        self._write([rows.HOST, seat], action)

    def claim_host(self, seat: int, action: Action | None = None) -> None:
        """A person becomes the host in the place of one who is away, and pays for it."""
        self.check_spare(seat)
        self._write([rows.HOST, seat, seat], action)

    def covered(self, seat: int) -> bool:
        """Whether a bot plays for the person of a seat; refused where no person has it."""
        if not self._place(seat).tokens:
            raise Refusal(say("no person", "There is no person at this seat."))
        return bool(self.seats[seat].bot)

    def step_aside(self, seat: int, why: str, action: Action | None = None) -> None:
        """A bot plays for a person from now on: the person "left", was "silent" for too long, or is "away"."""
        if self.seats[seat].name and not self.seats[seat].bot:
            self._write([rows.KEPT, seat, STAND_IN, why], action)

    def come_back(self, seat: int) -> None:
        """A person for whom a bot played is back."""
        if self.seats[seat].name and self.seats[seat].bot and self.seats[seat].tokens:
            self.check_spare(seat)  # and so nobody leaves more often either
            self._write([rows.BACK, seat])

    def replace_bot(self, seat: int) -> None:
        """A bot failed: the fallback takes its place."""
        self._write([rows.FAILED, seat])

    # devices

    def carry(self, seat: int, code: bytes, action: Action | None = None) -> None:
        """A code shall carry this seat to another device, once."""
        self.check_spare(seat)
        if code in self.carries:
            raise Refusal(say("code in use", "This code is in use; make another."))
        self._write([rows.CARRY, seat, code.hex()], action)

    def use_code(self, code: bytes, token: bytes) -> int:
        """Another device brings the code of a seat. Returns the seat."""
        if code not in self.carries:
            raise Refusal(say("used link", "This link was used already, or another took its place."))
        seat = self.carries[code]
        self._write([rows.CARRIED, code.hex(), token.hex()])
        return seat

    def keep_one_device(self, seat: int, token: bytes, action: Action | None = None) -> None:
        """All devices but one lose this seat."""
        self.check_spare(seat)
        self._write([rows.ALONE, seat, token.hex()], action)

    # being told elsewhere

    def notify(self, seat: int, id: str, way: dict[str, str]) -> None:
        """A person wants to be told elsewhere, too; a way that is known takes no row."""
        ways = self.seats[seat].ways
        if ways.get(id) == way:
            return
        self.check_spare(seat)
        if id not in ways and len(ways) >= MOST_WAYS:
            how = "A seat has at most {most} devices and addresses for notices; remove one first."
            raise Refusal(say("many ways", how, most=MOST_WAYS))
        self._write([rows.NOTIFY, seat, id, way])

    def silence(self, seat: int, id: str) -> None:
        """A person is no longer told in some way."""
        if id in self.seats[seat].ways:
            self._write([rows.SILENCED, seat, id])

    # entropy

    def show(self, seat: int, entropy: str, action: Action | None = None) -> None:
        """A seat shows the entropy that it promised."""
        promise = self.seats[seat].promise
        if promise is None or self.seats[seat].entropy is not None:
            raise Refusal(say("no entropy", "No entropy is awaited of this seat."))
        if not is_hexadecimal(entropy, ENTROPY_BYTES):
            how = "Entropy is {bytes} bytes, in hexadecimal digits."
            raise Refusal(say("entropy", how, bytes=ENTROPY_BYTES))
        if commitment_to(bytes.fromhex(entropy)) != promise:
            raise Refusal(say("other entropy", "This is not the entropy that was promised."))
        self._write([rows.SHOWN, seat, entropy], action)

    # effects

    def _write(self, entry: list[Any], action: Action | None = None) -> None:
        self.apply(entry)
        self.log.add(entry, action)

    def apply(self, entry: list[Any]) -> None:
        """Let an entry take effect."""
        kind, *values = entry
        getattr(self, EFFECTS[kind])(*values)

    def _on_sat(self, seat: int, name: str, tokens: list[str], promise: str | None, program: str = "") -> None:
        self.coming += 1
        keys = {bytes.fromhex(token) for token in tokens}
        self.seats[seat] = Seat(name, tokens=keys, since=self.log.size, promise=promise, program=program)
        self.log.tell(rows.SAT, seat, name, promise, *([program] if program else []))
        if self.host < 0:
            self._on_host(seat)

    def _on_stood(self, seat: int) -> None:
        self.coming += 1 + self.seats[seat].spent
        self.seats[seat] = Seat()
        self._drop_carries(seat)
        self.log.tell(rows.STOOD, seat)
        if seat == self.host:
            self._on_host(next(iter(self.named), -1))

    def _on_bot(self, seat: int, level: str) -> None:
        self._spend(self.host)
        self.seats[seat] = Seat(bot=level)
        self.log.tell(rows.BOT, seat, level)

    def _spend(self, seat: int) -> None:
        """Count a row that a person caused besides playing."""
        if seat >= 0:
            self.seats[seat].spent += 1

    def _on_host(self, seat: int, by: int | None = None) -> None:
        self._spend(self.host if by is None else by)
        self.host = seat
        self.log.tell(rows.HOST, seat)

    def _on_carry(self, seat: int, code: str) -> None:
        self._spend(seat)
        self._drop_carries(seat)
        self.carries[bytes.fromhex(code)] = seat

    def _on_carried(self, code: str, token: str) -> None:
        seat = self.carries.pop(bytes.fromhex(code))
        self._spend(seat)
        self.seats[seat].tokens.add(bytes.fromhex(token))

    def _on_alone(self, seat: int, token: str) -> None:
        self._spend(seat)
        self.seats[seat].tokens = {bytes.fromhex(token)}
        self.seats[seat].ways = {}
        self._drop_carries(seat)

    def _on_notify(self, seat: int, id: str, way: dict[str, str]) -> None:
        self._spend(seat)
        self.seats[seat].ways[id] = way

    def _on_silenced(self, seat: int, id: str) -> None:
        self.seats[seat].ways.pop(id, None)

    def _drop_carries(self, seat: int) -> None:
        self.carries = {code: carried for code, carried in self.carries.items() if carried != seat}

    def _on_shown(self, seat: int, entropy: str) -> None:
        self.seats[seat].entropy = entropy
        self.log.tell(rows.SHOWN, seat)

    def _on_kept(self, seat: int, level: str, why: str) -> None:
        self._spend(seat)
        self.seats[seat].bot = level
        self.log.tell(rows.KEPT, seat, level, why)

    def _on_back(self, seat: int) -> None:
        self._spend(seat)
        self.seats[seat].returned = self.log.size
        self.seats[seat].bot = ""
        self.log.tell(rows.BACK, seat)

    def _on_removed(self, seat: int, level: str) -> None:
        self.seats[seat].tokens = set()
        self.seats[seat].ways = {}
        self.seats[seat].since = -1
        self.seats[seat].bot = level
        self._drop_carries(seat)
        self.log.tell(rows.REMOVED, seat, level)

    def _on_failed(self, seat: int) -> None:
        self.seats[seat].bot = FALLBACK
        self.log.tell(rows.FAILED, seat)
