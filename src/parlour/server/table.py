"""A table: an event-sourced object whose seats, sitting and seal all follow from its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from ..engine.chance import SHUFFLE_VERSION
from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..engine.view import View
from ..play.sitting import SPECTATOR, Sitting
from . import lobby as lobbies
from . import messages, rows
from .lobby import Lobby
from .moves import Ahead, look_ahead, step_number, tried
from .rows import Action, Damaged, Log, LogRow
from .sealed import SealedSitting
from .settings import Settings, new_settings

GATHERING, SEALING, PLAYING, OVER = "gathering", "sealing", "playing", "over"
MOST_UNDOABLE = 2000  # moves of a sitting in which decisions can be taken back, as it is then played again
MOST_UNDONE = 20_000  # entries that were taken back,
MOST_REPLAYED = 100_000  # and moves that were played again for that: whenever the table is loaded, all are
MOST_COPIES = 100  # tables with the same cards
BY_HOST, AT_LIMIT = "host", "limit"  # why a sitting was ended before its end
NOT_OVER = say("record later", "The record shows all hands, and the game is not over yet.")
LATE = say("late copy", "The sitting of that table is over, and its cards are known.")
NO_REMATCH = say("no rematch", "A rematch can be asked for once, when the game is over.")


class Missed(NamedTuple):
    """What a listener missed: events of the sitting, and of the table."""

    told: list[list[Any]]
    public: list[list[Any]]


class Bookmark(NamedTuple):
    """How much had been told when the log had a certain size, and no move was half done."""

    size: int
    public: int
    told: tuple[int, ...]  # to each listener, in the order of the sitting's


class Table:
    """One table. Every method that changes it writes rows, which must be stored before anyone is told of them."""

    def __init__(self, name: str, secret: bytes) -> None:
        self.name = name
        self.secret = secret
        self.phase = ""
        self.log = Log()
        self.settings: Settings
        self.lobby: Lobby
        self.sealed: SealedSitting | None = None  # from the start on
        self.bookmarks: list[Bookmark] = []
        self.ended = ""  # why the sitting was ended before its end
        self.copied: list[str] = []  # the names of tables with the same cards, of which this is the first
        self.rematch = ""  # the name of the table at which the same people play again
        self.replayed = 0  # moves that were played again, as decisions were taken back
        self.position = 0  # the number of the last row that changed the position

    def __repr__(self) -> str:
        return f"<Table {self.name} {self.phase} {self.size}>"

    # what it is

    @property
    def size(self) -> int:
        """How many rows its log has."""
        return self.log.size

    @property
    def game(self) -> Game:
        """The game that is played here."""
        return self.settings.game

    @property
    def sitting(self) -> Sitting | None:
        """The sitting, from the start on."""
        return None if self.sealed is None else self.sealed.sitting

    @property
    def solo(self) -> bool:
        """Whether one person plays with bots."""
        return len(self.lobby.named) == 1 and not self.settings.is_open and not self.settings.shared

    @property
    def deciding(self) -> int:
        """The seat that decides; −1 where none does."""
        return self.sealed.sitting.seat if self.sealed is not None and self.phase == PLAYING else SPECTATOR

    @property
    def due(self) -> bool:
        """Whether something will happen here by itself: a bot's move, the end of somebody's time."""
        if self.phase == PLAYING:
            return bool(self.lobby.seats[self.deciding].bot) or self.settings.pace.person > 0
        return self.phase == SEALING

    def begun(self) -> SealedSitting:
        """The sitting and its seal; refused before the start."""
        if self.sealed is None:
            raise Refusal(say("not begun", "The game has not begun."))
        return self.sealed

    def playing(self) -> SealedSitting:
        """The sitting and its seal; refused unless it goes on now."""
        if self.phase == OVER:
            raise Refusal(say("is over", "The game is over."))
        if self.phase != PLAYING:
            raise Refusal(say("not begun", "The game has not begun."))
        return self.begun()

    def described(self) -> messages.Described:
        """What everyone may know of the table."""
        settings, lobby, again = self.settings, self.lobby, self.settings.again
        names = settings.game.other_names(settings.options)
        found: Any = {
            "table": self.name,
            "game": settings.game.name,
            "players": settings.players,
            "sides": settings.sides,
            "goal": settings.goal,
            "scoring": settings.game.scoring_cards(settings.options),
            "what_scores": [asdict(row) for row in settings.game.sheet.what_scores(settings.options)],
            **({"names": names} if names else {}),
            **({"series": settings.series or self.name} if settings.shared else {}),
            "options": settings.options,
            "rules": settings.rules,
            "shuffle": SHUFFLE_VERSION,
            "commitment": settings.commitment,
            "open": settings.is_open,
            "hints": settings.hints,
            "programs": settings.programs,
            "phrases": settings.phrases,
            "deal": settings.deal,
            **({} if again is None else {"again": {name: again[name] for name in ("of", "seat", "moves")}}),
            "pace": settings.pace._asdict(),
            "phase": self.phase,
            "host": lobby.host,
            "seats": [
                {
                    "name": seat.name,
                    "called": called,
                    "bot": seat.bot,
                    "promise": seat.promise,
                    "program": seat.program,
                }
                for seat, called in zip(lobby.seats, lobby.called(), strict=True)
            ],
            "ended": self.ended or None,
            "rematch": self.rematch or None,
            "winners": None if self.phase != OVER else self.begun().sitting.winners(),
        }
        return found  # type: ignore[no-any-return]

    # opening and loading

    @classmethod
    def open(cls, name: str, secret: bytes, **chosen: Any) -> Table:
        """A new table at which nobody sits; `chosen` is what `new_settings` takes."""
        table = cls(name, secret)
        table._write([rows.OPENED, new_settings(name, secret, **chosen)])
        return table

    @classmethod
    def load(cls, name: str, secret: bytes, stored: Iterable[LogRow]) -> Table:
        """A table as its log tells it; a log that is not consistent raises Damaged."""
        table = cls(name, secret)
        try:
            for row in stored:
                if row.number != table.size or (table.size == 0) != (row.entry[0] == rows.OPENED):
                    raise Damaged(f"row {row.number} stands where {table.size} should")
                table._replay(row)
        except (Refusal, KeyError, IndexError, TypeError, ValueError) as error:
            raise Damaged(f"row {table.size} cannot be followed ({type(error).__name__})") from error
        if table.size == 0 or table._half_done:
            raise Damaged(f"the log ends in the middle of a move, at row {table.size}")
        return table

    def _replay(self, row: LogRow) -> None:
        """Let a stored row take effect again."""
        if row.entry[0] in rows.KINDS:
            self._apply(row.entry)
        else:
            if not self.begun().follow(row.entry):
                raise Damaged(f"row {self.size} does not follow from those before it")
            self.position = self.size
        if row.head != self._head_after(row.entry):
            raise Damaged(f"row {self.size} breaks the chain")
        self.log.read(row)
        if not self._half_done:
            self._set_bookmark()

    @property
    def _half_done(self) -> bool:
        return self.sealed is not None and self.sealed.half_done

    def _head_after(self, entry: list[Any]) -> bytes | None:
        """The head of the chain, where this entry has just moved it."""
        chained = entry[0] not in rows.KINDS or entry[0] == rows.CLOSED
        return self.begun().head if chained else None

    # writing

    def _write(self, entry: list[Any], action: Action | None = None) -> None:
        """Let an entry take effect, and write it as a row."""
        self._apply(entry)
        self.log.add(entry, action, self._head_after(entry))

    def _write_play(self, action: Action | None = None) -> None:
        """Write what has happened in the sitting; the first row bears the request that caused it."""
        sealed = self.begun()
        while sealed.half_done:
            self.position = self.size
            self.log.add(sealed.chain_next(), action, sealed.head)
            action = None
        if sealed.sitting.over:
            self._write([rows.CLOSED])
        elif sealed.logged >= self.settings.longest:
            self._end(AT_LIMIT)

    def take_rows(self) -> list[LogRow]:
        """The rows that must be stored now, up to a point at which no move is half done."""
        taken = self.log.take()
        if taken:
            self._set_bookmark()
        return taken

    def _set_bookmark(self) -> None:
        told = () if self.sealed is None else tuple(len(heard) for heard in self.sealed.sitting.told.values())
        self.bookmarks.append(Bookmark(self.size, len(self.log.public), told))

    # effects of entries that are not the lobby's

    def _apply(self, entry: list[Any]) -> None:
        kind = entry[0]
        if kind in lobbies.EFFECTS:
            self.lobby.apply(entry)
        elif kind == rows.OPENED:
            self.settings = Settings.read(entry[1])
            settings = self.settings
            self.lobby = Lobby(self.log, self.game, settings.players, settings.one_person, settings.programs)
            self.lobby.shared = settings.shared
            self.phase = GATHERING
        elif kind == rows.SEALING:
            self.phase = SEALING
            self.lobby.gathering = False
            self.log.tell(rows.SEALING)
        elif kind == rows.STARTED:
            self._on_started()
        elif kind == rows.UNDONE:
            self._on_undone(entry[1])
        elif kind == rows.ENDED:
            self.ended = entry[1]
            self.log.tell(rows.ENDED, entry[1])
        elif kind == rows.CLOSED:
            self.begun().close(self._names(), self.ended)
            self.phase = OVER
            self.log.tell(rows.CLOSED)
        elif kind == rows.COPIED:
            self.copied.append(entry[1])
        elif kind == rows.REMATCH:
            self.rematch = entry[1]
            self.log.tell(rows.REMATCH, entry[1])

    def _on_started(self) -> None:
        self.log.tell(rows.STARTED, self.lobby.entropy)
        self.phase = PLAYING
        self.lobby.gathering = False
        self.sealed = SealedSitting(self.name, self.secret, self.settings, self.lobby)
        self.log.head = self.sealed.head

    def _on_undone(self, seat: int) -> None:
        if not self.begun().undo(seat):
            raise Refusal(say("nothing to undo", "There is nothing of yours to undo yet."))
        self.log.head = self.begun().head
        self.position = self.size
        self.replayed += len(self.begun().sitting.moves)
        # nobody can go on from what was told after that decision
        self.bookmarks = [bookmark for bookmark in self.bookmarks if not bookmark.told]
        self.log.tell(rows.UNDONE, seat)

    # the start

    def begin(self, by: int, action: Action | None = None) -> None:
        """The host starts; where entropy was promised, it must be shown first."""
        self.lobby.check_gathering()
        self.lobby.check_host(by)
        self.lobby.check_full()
        if any(self.lobby.promises):
            self._write([rows.SEALING], action)
        else:
            self.start(action)

    def show(self, seat: int, entropy: str, action: Action | None = None) -> None:
        """A seat shows the entropy that it promised; when all have, the cards are dealt."""
        if self.phase != SEALING:
            raise Refusal(say("no entropy", "No entropy is awaited of this seat."))
        self.lobby.show(seat, entropy, action)
        if all(each.entropy is not None for each in self.lobby.seats if each.promise):
            self.start()

    def start(self, action: Action | None = None) -> None:
        """Deal. Entropy that was promised and not shown in time does not count, as everyone can see."""
        self._write([rows.STARTED], action)
        again = self.settings.again
        if again is not None and again["steps"]:
            for step in again["steps"]:
                self.begun().sitting.play(step)
            self.bookmarks = []  # whoever listens is shown where it goes on, and not how it came to that
        self._write_play()

    # play

    def act(self, seat: int, steps: Sequence[int | str], action: Action | None = None) -> None:
        """A seat makes a whole move."""
        numbers = [step_number(self.game, step) for step in steps]
        sitting = self._on_turn(seat)
        if not numbers or tried(self.game, sitting.state, numbers).unfinished:
            raise Refusal(say("not whole", "The move is not whole: further steps belong to it."))
        for step in numbers:
            sitting.play(step)
        self._write_play(action)

    def following(self, seat: int, prefix: Sequence[int | str]) -> Ahead:
        """Where some steps of a seat's move lead; nothing is written."""
        numbers = [step_number(self.game, step) for step in prefix]
        return look_ahead(self.game, self._on_turn(seat).state, seat, numbers)

    def _on_turn(self, seat: int) -> Sitting:
        sitting = self.playing().sitting
        if seat != sitting.seat:
            raise Refusal(say("your turn", "It is not your turn."))
        return sitting

    def undo(self, seat: int, action: Action | None = None) -> None:
        """A solo player takes the last decision back."""
        sitting = self.playing().sitting
        if not self.solo:
            how = "Decisions are taken back only where one person plays alone with bots."
            raise Refusal(say("no undo", how))
        if len(sitting.moves) > MOST_UNDOABLE:
            raise Refusal(say("long for undo", "This game has become too long for decisions to be taken back."))
        if self.log.played - len(sitting.log) > MOST_UNDONE or self.replayed > MOST_REPLAYED:
            raise Refusal(say("much undone", "Too much has been taken back at this table; play on without."))
        self._write([rows.UNDONE, seat], action)

    def end(self, by: int, action: Action | None = None) -> None:
        """The host ends the sitting before its end; what was scored so far is its result."""
        self.lobby.check_host(by)
        self.playing()
        self._end(BY_HOST, action)

    def _end(self, why: str, action: Action | None = None) -> None:
        self._write([rows.ENDED, why], action)
        self._write([rows.CLOSED])

    def check_rematch(self) -> None:
        """Refuse a rematch unless the sitting is over and nobody has asked for one before."""
        if self.phase != OVER or self.rematch:
            raise Refusal(NO_REMATCH)

    def name_rematch(self, name: str, action: Action | None = None) -> None:
        """The same people play again, at the table of that name."""
        self.check_rematch()
        self._write([rows.REMATCH, name], action)

    def copy(self, name: str) -> None:
        """Another table, of that name, is opened with the same cards."""
        if self.phase == OVER:
            raise Refusal(LATE)
        if len(self.copied) >= MOST_COPIES:
            raise Refusal(say("many copies", "The same cards are played at {most} tables at most.", most=MOST_COPIES))
        self._write([rows.COPIED, name])

    # what is told

    def view(self, seat: int) -> View | None:
        """What a listener sees now; None before the start."""
        return None if self.sealed is None else self.sealed.sitting.view(self.lobby.listener(seat))

    def missed(self, seat: int, since: int) -> Missed | None:
        """What a listener has not been told since the log had a certain size; None where that is not known."""
        if since == self.size:
            return Missed([], [])
        # most listeners were told all but the last rows
        for bookmark in reversed(self.bookmarks):
            if bookmark.size <= since:
                break
        else:
            return None
        if bookmark.size != since:
            return None
        told: list[list[Any]] = []
        if self.sealed is not None:
            heard = self.sealed.sitting.told
            listener = self.lobby.listener(seat)
            before = bookmark.told[list(heard).index(listener)] if bookmark.told else 0
            told = heard[listener][before:]
        return Missed(told, self.log.public[bookmark.public :])

    # the record

    def record(self) -> dict[str, Any]:
        """The record of a sitting that is over, with its seal."""
        if self.phase != OVER:
            raise Refusal(NOT_OVER)
        return self.begun().record(self._names(), self.ended)

    def _names(self) -> list[str]:
        return [seat.name or seat.bot for seat in self.lobby.seats]
