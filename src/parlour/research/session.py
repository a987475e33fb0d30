"""A sitting led from outside, draw by draw and step by step, with a transcript of what each seat was told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ..engine.bitset import UNTOLD
from ..engine.core import Journal, Seeded, State
from ..engine.view import View
from ..games import game as game_of
from ..play.sitting import SPECTATOR
from ..sheets.model import Setting

Row = tuple[int, ...]  # of a journal


class Scratch(threading.local):
    """A journal and views that all sessions of a setup share, one set a thread, so that sessions never mix.

    The journal is emptied before each step, and the views see and hear only the moment.
    """

    def __init__(self, setup: Setup) -> None:
        self.journal = Journal()
        self.views = [setup.view(seat) for seat in (*range(setup.players), SPECTATOR)]

    def empty_journal(self) -> Journal:
        """The journal for the next step; an interrupted step may have left rows in it."""
        journal = self.journal
        journal.clear()
        return journal


class Setup:
    """A game as it is played here: players, options, and the deals or moves after which a session ends as it stands."""

    def __init__(self, name: str, players: int, options: dict[str, Setting], most_deals: int, most_moves: int) -> None:
        self.game = game_of(name)
        self.players = players
        self.options = options
        self.most_deals = most_deals
        self.most_moves = most_moves
        self.scratch = Scratch(self)
        # a game tree tells the same rows over and over
        self.line = lru_cache(1 << 16)(self._line)
        self.cards_in = lru_cache(1 << 16)(self._cards_in)

    def view(self, seat: int) -> View:
        """A new view of a seat, which has been told nothing yet."""
        return self.game.view_type(self.players, seat, self.options)

    def _line(self, row: Row) -> str:
        """A told row as a line, in the format of the record."""
        return json.dumps(self.game.told(row)) + "\n"

    def _cards_in(self, row: Row) -> set[int]:
        """The cards named in a told row."""
        fields = self.game.told_fields[row[0]]
        found = {row[1 + field.slot] for field in fields if field.type == "card"}
        return found.union(row[5:]) if any(field.type == "cards" for field in fields) else found

    def steps_line(self, steps: Sequence[int]) -> str:
        """The steps of a seat's own move as a line; the entry of the move does not say their order."""
        return json.dumps(["steps", *(self.game.step_names[step] for step in steps)]) + "\n"

    def key(self) -> tuple[str, int, tuple[tuple[str, Setting], ...], int, int]:
        """The arguments with which `setup_of` returns this setup."""
        return self.game.name, self.players, tuple(self.options.items()), self.most_deals, self.most_moves


@cache
def setup_of(
    name: str, players: int, options: tuple[tuple[str, Setting], ...], most_deals: int, most_moves: int
) -> Setup:
    """The only setup with these arguments."""
    return Setup(name, players, dict(options), most_deals, most_moves)


class Notice:
    """A piece of a transcript: rows that a seat was told at once, and the steps of its own move, where several.

    The text is made when it is first needed.
    """

    __slots__ = ("rows", "steps", "text")

    def __init__(self, rows: Sequence[Row], text: str = "", steps: Sequence[int] = ()) -> None:
        self.rows = rows
        self.text = text
        self.steps = steps


@dataclass(frozen=True, slots=True)
class Origin:
    """What came before a session that starts in a sampled world: the seat that sampled it, its past, and the start."""

    seat: int
    actions: list[int]
    start: Session


class Session:
    """One sitting with its full state, which tells each seat what it may know."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.state: State = setup.game.state_type(setup.players, setup.options)
        self.state.journal = setup.scratch.empty_journal()
        self.actions: list[int] = []  # all draws and steps
        self.deal_starts: list[int] = []  # where in them each deal begins
        self.pending: list[int] = []  # the steps of a move that is not finished
        self.notices: list[tuple[Notice, ...]] = []  # for every seat, then for a spectator
        self.views: dict[tuple[int, bool], View] = {}
        self.origin: Origin | None = None  # of a session that starts in a sampled world
        self.state.begin(None)
        self.publish([])

    @classmethod
    def replay(cls, setup: Setup, actions: Iterable[int]) -> Session:
        """A session in which all this happened."""
        return cls(setup).apply_all(actions)

    def apply_all(self, actions: Iterable[int], listener: View | None = None) -> Session:
        """Apply draws and steps in order, and let a view listen to them."""
        if listener is not None:
            self.views[listener.seat, True] = listener
        for action in actions:
            self.apply(action)
        return self

    def copy(self) -> Session:
        """An independent session at the same point."""
        other = Session.__new__(Session)
        other.setup = self.setup
        other.state = self.state.copy()
        other.actions = self.actions[:]
        other.deal_starts = self.deal_starts[:]
        other.pending = self.pending[:]
        other.notices = self.notices[:]
        other.views = {}
        other.origin = self.origin
        return other

    def __deepcopy__(self, memo: object) -> Session:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.origin is not None:
            raise TypeError("A state that was resampled in the middle of a sitting has no history to serialise.")
        return replayed, (self.setup.key(), self.actions)

    # what happens

    @property
    def ended(self) -> bool:
        """Whether the sitting is over, or has reached the limit of the setup."""
        state, setup = self.state, self.setup
        if setup.most_moves and state.moves >= setup.most_moves and state.awaits < 0:
            return True
        return bool(state.over or (setup.most_deals and state.deals > setup.most_deals))

    @property
    def since_deal(self) -> list[int]:
        """All draws and steps since the last deal began."""
        return self.actions[self.deal_starts[-1] if self.deal_starts else 0 :]

    def apply(self, action: int) -> None:
        """Let chance draw an item, or the deciding seat take a step; an impossible action is refused."""
        state = self.state
        state.journal = self.setup.scratch.empty_journal()
        deals, seat = state.deals, state.seat
        finished: list[int] = []
        if state.awaits >= 0:
            state.draw(action)
        else:
            state.play(action)
            self.pending.append(action)
            if not state.unfinished:
                finished, self.pending = self.pending, []
        self.actions.append(action)
        if state.deals != deals:
            self.deal_starts.append(len(self.actions))
        self.publish(finished, seat)

    def publish(self, finished: list[int], seat: int = SPECTATOR) -> None:
        """Tell every seat what it may know; only the seat that finished a move knows the order of its steps."""
        journal = self.state.journal
        assert journal is not None
        if not journal.size:
            return
        *seats, spectator = self.setup.scratch.views
        public = Notice(spectator.listen(journal))
        if any(UNTOLD in row for row in public.rows):
            told = [Notice(view.listen(journal)) for view in seats]
        else:
            told = [public] * len(seats)
        if len(finished) > 1:
            told[seat] = Notice(told[seat].rows, steps=finished)
        self.notices.append((*told, public))
        for view in self.views.values():
            view.listen(journal)

    # what a seat knows

    def glimpse(self, seat: int) -> View:
        """What a seat sees now, without memory; valid until the next call."""
        return self.setup.scratch.views[seat].see(self.state)

    def view(self, seat: int, track_beliefs: bool = False) -> View:
        """What a seat sees now and remembers; with `track_beliefs` it remembers enough to sample worlds well."""
        view = self.views.get((seat, track_beliefs))
        if view is None:
            view = self.setup.view(seat)
            if track_beliefs:
                view.track_beliefs()
            self.replay_to(view)
            self.views[seat, track_beliefs] = view
        return view.see(self.state)

    def replay_to(self, view: View) -> None:
        """Let a view hear everything that its seat was told.

        What came before a sampled world is known to the seat that sampled it, and to a spectator, who knows no more.
        """
        if self.origin is None:
            Session(self.setup).apply_all(self.actions, view)
            return
        if view.seat in (self.origin.seat, SPECTATOR):
            Session(self.setup).apply_all(self.origin.actions, view)
        self.origin.start.copy().apply_all(self.actions, view)

    def rows(self, seat: int) -> list[Row]:
        """All rows that a seat was told."""
        return [row for notice in self.notices for row in notice[seat].rows]

    def transcript(self, seat: int) -> str:
        """All that a seat was told, one entry a line in the format of the record, and the steps of its own moves."""
        for notice in self.notices:
            if not notice[seat].text:
                text = "".join(map(self.setup.line, notice[seat].rows))
                if notice[seat].steps:
                    text += self.setup.steps_line(notice[seat].steps)
                notice[seat].text = text
        return "".join([notice[seat].text for notice in self.notices])

    def compact(self) -> None:
        """Merge all notices so far into one: worthwhile where many continuations are played from here."""
        seats = (*range(self.setup.players), SPECTATOR)
        self.notices = [tuple(Notice(self.rows(seat), self.transcript(seat)) for seat in seats)]

    def information_state(self, seat: int) -> str:
        """All that distinguishes situations for a seat: its transcript, whose turn it is, its steps in a move."""
        state = self.state
        turn = "over" if self.ended else "chance" if state.awaits >= 0 else f"seat {state.seat} to act"
        steps = self.pending if seat == state.seat else []
        names = "".join(f", {self.setup.game.step_names[step]}" for step in steps)
        return f"{self.transcript(seat)}{turn}{names}"

    # sampled worlds

    def sample_world(self, seat: int, luck: Seeded) -> State:
        """A world that agrees with all that a seat knows, with the probability that chance gives it."""
        if self.origin is not None:
            raise ValueError("A resampled state cannot be resampled again; resample the original.")
        return self.view(seat, track_beliefs=True).sample(luck)

    def history_of(self, world: State, seat: int, luck: Seeded) -> list[int]:
        """Draws and steps that lead to a world sampled for a seat, in games where hidden cards stay where they are.

        The cards of the last deal change places as they differ between the truth and that world; cards of earlier
        deals are shuffled where the seat never saw them. The unfinished move of another seat is unknown and left out.
        """
        truth, other = self.state.where(), world.where()
        names: dict[int, int] = {}
        for place in truth:
            if place.startswith("hand") or place == "pack":
                names |= dict(zip(truth[place], other[place], strict=True))
        known = len(self.actions) if seat == self.state.seat else len(self.actions) - len(self.pending)
        actions = self.actions[:known]
        deals = self.deals_seen(seat)
        for start, end, seen in deals[:-1]:
            hidden = [at for at in range(start, end) if actions[at] not in seen]
            left = [actions[at] for at in hidden]
            for at in hidden:
                actions[at] = left.pop(luck.number_below(len(left)))
        for start, end, _ in deals[-1:]:
            actions[start:end] = [names.get(card, card) for card in actions[start:end]]
        return actions

    def deals_seen(self, seat: int) -> list[tuple[int, int, set[int]]]:
        """For each deal, where among the actions its cards begin and end, and which of them a seat was told."""
        deals: list[tuple[int, int, set[int]]] = []
        for row in self.rows(seat):
            if row[0] == self.setup.game.kinds["deal"]:
                start = self.deal_starts[len(deals)]
                deals.append((start, start + len(row) - 5, set()))
            if deals:
                deals[-1][2].update(self.setup.cards_in(row))
        return deals

    def start_in(self, world: State, seat: int) -> Session:
        """A session that starts in a world sampled for a seat.

        That seat keeps its transcript and memory; the others have the public transcript, and see their cards now.
        """
        other = Session.__new__(Session)
        other.setup = self.setup
        other.state = world
        other.actions = []
        other.deal_starts = []
        other.pending = self.pending[:] if seat == self.state.seat else []
        other.views = {}
        other.origin = None
        other.notices = self.notices[:]
        other.compact()
        *told, public = other.notices[0]
        for each in range(self.setup.players):
            if each != seat:
                seen = json.dumps(self.setup.view(each).see(world).fields())
                told[each] = Notice(public.rows, f"{public.text}{seen}\n")
        other.notices = [(*told, public)]
        other.origin = Origin(seat, self.actions[:], other.copy())
        return other


def replayed(key: tuple[str, int, tuple[tuple[str, Setting], ...], int, int], actions: list[int]) -> Session:
    """A session from its serialised form."""
    return Session.replay(setup_of(*key), actions)
