"""A sitting led from outside, draw by draw and step by step, with a transcript of what each seat was told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from ..engine.bitset import UNTOLD
from ..engine.core import Journal, Seeded, State
from ..engine.view import View
from ..games import game as game_of
from ..play.sitting import SPECTATOR
from ..sheets.model import Setting

Row = tuple[int, ...]  # of a journal
Item = TypeVar("Item")

CHECKPOINT = 64  # links


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


class Past(Generic[Item]):
    """A list that only grows at its end, as a chain of links: copies share what came before, so copying takes no time.

    `None` stands for an empty one. Some links are checkpoints, which keep what was made of all up to them.
    """

    __slots__ = ("before", "item", "kept", "size")

    def __init__(self, before: Past[Item] | None, item: Item) -> None:
        self.before = before
        self.item = item
        self.size: int = before.size + 1 if before else 1
        self.kept: dict[Any, Any] | None = None if self.size % CHECKPOINT else {}


def items_of(past: Past[Item] | None, size: int = 0) -> list[Item]:
    """The items of a chain in order, without its first `size`."""
    found = []
    while past is not None and past.size > size:
        found.append(past.item)
        past = past.before
    return found[::-1]


def size_of(past: Past[Item] | None) -> int:
    """How many items a chain has."""
    return past.size if past else 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a session that starts in a sampled world comes from: the seat that sampled it."""

    seat: int


class Session:
    """One sitting with its full state, which tells each seat what it may know."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.state: State = setup.game.state_type(setup.players, setup.options)
        self.state.journal = setup.scratch.empty_journal()
        self.taken: Past[int] | None = None  # all draws and steps
        self.starts: Past[int] | None = None  # where in them each deal begins
        self.pending: list[int] = []  # the steps of a move that is not finished
        self.notices: Past[tuple[Notice, ...]] | None = None  # for every seat, then for a spectator
        self.texts: dict[int, tuple[int, str]] = {}  # by seat: how many notices its transcript has, and that
        self.views: dict[tuple[int, bool], tuple[View, int]] = {}  # and how many notices each has heard
        self.own: set[tuple[int, bool]] = set()  # the views that no copy shares
        self.origin: Origin | None = None  # of a session that starts in a sampled world
        self.state.begin(None)
        self.publish([])

    @classmethod
    def replay(cls, setup: Setup, actions: Iterable[int]) -> Session:
        """A session in which all this happened."""
        return cls(setup).apply_all(actions)

    def apply_all(self, actions: Iterable[int]) -> Session:
        """Apply draws and steps in order."""
        for action in actions:
            self.apply(action)
        return self

    def copy(self) -> Session:
        """An independent session at the same point."""
        other = Session.__new__(Session)
        other.setup = self.setup
        other.state = self.state.copy()
        other.taken = self.taken
        other.starts = self.starts
        other.pending = self.pending[:]
        other.notices = self.notices
        other.texts = self.texts.copy()
        other.views = self.views.copy()
        other.own = set()
        self.own = set()
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
    def actions(self) -> list[int]:
        """All draws and steps."""
        return items_of(self.taken)

    @property
    def deal_starts(self) -> list[int]:
        """Where among the actions each deal begins."""
        return items_of(self.starts)

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
        return items_of(self.taken, self.starts.item if self.starts else 0)

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
        self.taken = Past(self.taken, action)
        if state.deals != deals:
            self.starts = Past(self.starts, self.taken.size)
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
        self.notices = Past(self.notices, (*told, public))

    # what a seat knows

    def glimpse(self, seat: int) -> View:
        """What a seat sees now, without memory; valid until the next call."""
        return self.setup.scratch.views[seat].see(self.state)

    def view(self, seat: int, track_beliefs: bool = False) -> View:
        """What a seat sees now and remembers; with `track_beliefs` it remembers enough to sample worlds well."""
        key = seat, track_beliefs
        known, heard = self.views.get(key, (None, self.unheard(seat)))
        kept, links = self.links_since(heard, key)
        if known is None or kept is not None or key not in self.own:
            known = self.new_view(seat, track_beliefs, kept or known)
            self.own.add(key)
        for link in links:
            known.hear_rows(link.item[seat].rows)
            if link.kept is not None and not track_beliefs:  # particles would take much room
                link.kept[key] = self.new_view(seat, False, known)
        self.views[key] = known, size_of(self.notices)
        return known.see(self.state)

    def new_view(self, seat: int, track_beliefs: bool, other: View | None) -> View:
        """A view that remembers what another does."""
        view = self.setup.view(seat)
        if track_beliefs:
            view.track_beliefs()
        return view if other is None else view.remember(other)

    def links_since(self, size: int, key: Any) -> tuple[Any, list[Past[tuple[Notice, ...]]]]:
        """The notices after so many in order; or what the last checkpoint among them has kept, and those after it."""
        links, link = [], self.notices
        while link is not None and link.size > size and (link.kept is None or key not in link.kept):
            links.append(link)
            link = link.before
        kept = link.kept[key] if link is not None and link.size > size and link.kept is not None else None
        return kept, links[::-1]

    def unheard(self, seat: int) -> int:
        """How many notices a seat's view never hears.

        What came before a sampled world is known to the seat that sampled it, and to a spectator, who knows no more.
        """
        return 0 if self.origin is None or seat in (self.origin.seat, SPECTATOR) else 1

    def rows(self, seat: int) -> list[Row]:
        """All rows that a seat was told."""
        return [row for notice in items_of(self.notices) for row in notice[seat].rows]

    def last_rows(self, seat: int, most: int) -> list[Row]:
        """The last rows that a seat was told, in order."""
        found: list[Row] = []
        link = self.notices
        while link is not None and len(found) < most:
            found += reversed(link.item[seat].rows)
            link = link.before
        return found[:most][::-1]

    def transcript(self, seat: int) -> str:
        """All that a seat was told, one entry a line in the format of the record, and the steps of its own moves."""
        size, whole = self.texts.get(seat, (0, ""))
        kept, links = self.links_since(size, seat)
        whole = kept or whole
        for link in links:
            whole += self.text_of(link.item[seat])
            if link.kept is not None:
                link.kept[seat] = whole
        self.texts[seat] = size_of(self.notices), whole
        return whole

    def text_of(self, notice: Notice) -> str:
        """A piece of a transcript as text."""
        if not notice.text:
            notice.text = "".join(map(self.setup.line, notice.rows))
            if notice.steps:
                notice.text += self.setup.steps_line(notice.steps)
        return notice.text

    def compact(self) -> None:
        """Merge all notices so far into one: worthwhile where many continuations are played from here."""
        seats = (*range(self.setup.players), SPECTATOR)
        told = tuple(Notice(self.rows(seat), self.transcript(seat)) for seat in seats)
        self.notices, self.texts = Past(None, told), {}
        self.views, self.own = {}, set()

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
        actions = self.actions
        if seat != self.state.seat and self.pending:
            del actions[-len(self.pending) :]
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
        starts = self.deal_starts
        for row in self.rows(seat):
            if row[0] == self.setup.game.kinds["deal"]:
                start = starts[len(deals)]
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
        other.taken = other.starts = None
        other.pending = self.pending[:] if seat == self.state.seat else []
        other.views, other.own, other.texts = {}, set(), {}
        public = Notice(self.rows(SPECTATOR), self.transcript(SPECTATOR))
        told = []
        for each in range(self.setup.players):
            seen = json.dumps(self.setup.view(each).see(world).fields())
            told.append(Notice(public.rows, f"{public.text}{seen}\n"))
        told[seat] = Notice(self.rows(seat), self.transcript(seat))
        other.notices = Past(None, (*told, public))
        other.origin = Origin(seat)
        return other


def replayed(key: tuple[str, int, tuple[tuple[str, Setting], ...], int, int], actions: list[int]) -> Session:
    """A session from its serialised form."""
    return Session.replay(setup_of(*key), actions)
