"""A sitting that is led from outside, draw by draw and step by step, and what each seat was told of it."""

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


class Desk(threading.local):
    """What all sittings of a setup are led with; each thread has its own, so that none is told of another's sitting.

    The journal is emptied before each step, and the views look and listen for the moment only.
    """

    def __init__(self, setup: Setup) -> None:
        self.journal = Journal()
        self.sights = [setup.view(seat) for seat in (*range(setup.players), SPECTATOR)]

    def empty_journal(self) -> Journal:
        """The journal for the next step: one that was interrupted may have left something in it."""
        journal = self.journal
        journal.clear()
        return journal


class Setup:
    """A game as it is played here: players, options, and after how many deals or moves it ends as it stands."""

    def __init__(self, name: str, players: int, options: dict[str, Setting], most_deals: int, most_moves: int) -> None:
        self.game = game_of(name)
        self.players = players
        self.options = options
        self.most_deals = most_deals
        self.most_moves = most_moves
        self.desk = Desk(self)
        # in a tree of play the same is told over and over
        self.line = lru_cache(1 << 16)(self.write)
        self.cards_in = lru_cache(1 << 16)(self.find_cards)

    def view(self, seat: int) -> View:
        """A new view of a seat, which has heard nothing yet."""
        return self.game.view_type(self.players, seat, self.options)

    def write(self, row: tuple[int, ...]) -> str:
        """A told row as a line, as the record writes it."""
        return json.dumps(self.game.told(row)) + "\n"

    def find_cards(self, row: tuple[int, ...]) -> set[int]:
        """The cards that a told row names."""
        fields = self.game.told_fields[row[0]]
        found = {row[1 + field.slot] for field in fields if field.type == "card"}
        return found.union(row[5:]) if any(field.type == "cards" for field in fields) else found

    def write_steps(self, steps: Sequence[int]) -> str:
        """The steps of a seat's own move as a line, where the entry of the move does not say their order."""
        return json.dumps(["steps", *(self.game.step_names[step] for step in steps)]) + "\n"

    def key(self) -> tuple[str, int, tuple[tuple[str, Setting], ...], int, int]:
        """What `setup_of` makes the same setup of."""
        return self.game.name, self.players, tuple(self.options.items()), self.most_deals, self.most_moves


@cache
def setup_of(
    name: str, players: int, options: tuple[tuple[str, Setting], ...], most_deals: int, most_moves: int
) -> Setup:
    """The one setup of these."""
    return Setup(name, players, dict(options), most_deals, most_moves)


class News:
    """Some rows as a seat was told them, and where they end a move of its own in several steps, these in their order.

    Their text is made when it is first asked for.
    """

    __slots__ = ("rows", "steps", "text")

    def __init__(self, rows: Sequence[tuple[int, ...]], text: str = "", steps: Sequence[int] = ()) -> None:
        self.rows = rows
        self.text = text
        self.steps = steps


@dataclass(frozen=True, slots=True)
class Past:
    """What came before a sitting that a seat imagined: what that seat lived through, and where the others begin."""

    seat: int
    actions: list[int]
    begun: Referee


class Referee:
    """Leads one sitting: knows the whole truth, and tells each seat what it may know."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.state: State = setup.game.state_type(setup.players, setup.options)
        self.state.journal = setup.desk.empty_journal()
        self.actions: list[int] = []  # all draws and steps from the beginning
        self.deals_at: list[int] = []  # where among them each deal begins
        self.laid: list[int] = []  # the steps of an unfinished move
        self.news: list[tuple[News, ...]] = []  # for every seat, and at last for a spectator
        self.views: dict[tuple[int, bool], View] = {}
        self.past: Past | None = None  # of a sitting that was imagined, and so has no beginning of its own
        self.state.begin(None)
        self.publish([])

    @classmethod
    def replay(cls, setup: Setup, actions: Iterable[int]) -> Referee:
        """A sitting in which all this happened."""
        return cls(setup).go_on(actions)

    def go_on(self, actions: Iterable[int], listener: View | None = None) -> Referee:
        """Let all this happen next, and someone listen to it."""
        if listener is not None:
            self.views[listener.seat, True] = listener
        for action in actions:
            self.act(action)
        return self

    def copy(self) -> Referee:
        """An independent sitting at the same point."""
        other = Referee.__new__(Referee)
        other.setup = self.setup
        other.state = self.state.copy()
        other.actions = self.actions[:]
        other.deals_at = self.deals_at[:]
        other.laid = self.laid[:]
        other.news = self.news[:]
        other.views = {}
        other.past = self.past
        return other

    def __deepcopy__(self, memo: object) -> Referee:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.past is not None:
            raise TypeError("A sitting that was imagined from its middle has no beginning that could be written down.")
        return replayed, (self.setup.key(), self.actions)

    # what happens

    @property
    def ended(self) -> bool:
        """Whether it is over, or what is played here is."""
        state, setup = self.state, self.setup
        if setup.most_moves and state.moves >= setup.most_moves and state.awaits < 0:
            return True
        return bool(state.over or (setup.most_deals and state.deals > setup.most_deals))

    @property
    def since_deal(self) -> list[int]:
        """All draws and steps since the last deal began."""
        return self.actions[self.deals_at[-1] if self.deals_at else 0 :]

    def act(self, action: int) -> None:
        """Chance gives an item, or the seat to decide takes a step; what is not possible is refused."""
        state = self.state
        state.journal = self.setup.desk.empty_journal()
        deals, seat = state.deals, state.seat
        finished: list[int] = []
        if state.awaits >= 0:
            state.draw(action)
        else:
            state.play(action)
            self.laid.append(action)
            if not state.unfinished:
                finished, self.laid = self.laid, []
        self.actions.append(action)
        if state.deals != deals:
            self.deals_at.append(len(self.actions))
        self.publish(finished, seat)

    def publish(self, finished: list[int], seat: int = SPECTATOR) -> None:
        """Tell every seat what happened, as it may know it; who finished a move knows its steps in their order."""
        journal = self.state.journal
        assert journal is not None
        if not journal.size:
            return
        *seats, spectator = self.setup.desk.sights
        public = News(spectator.listen(journal))
        if any(UNTOLD in row for row in public.rows):
            told = [News(sight.listen(journal)) for sight in seats]
        else:
            told = [public] * len(seats)
        if len(finished) > 1:
            told[seat] = News(told[seat].rows, steps=finished)
        self.news.append((*told, public))
        for view in self.views.values():
            view.listen(journal)

    # what a seat knows

    def sight(self, seat: int) -> View:
        """What a seat sees now, without what it remembers; good until the next call."""
        return self.setup.desk.sights[seat].see(self.state)

    def view(self, seat: int, attend: bool = False) -> View:
        """What a seat sees now and remembers; who attends remembers what it takes to imagine well."""
        view = self.views.get((seat, attend))
        if view is None:
            view = self.setup.view(seat)
            if attend:
                view.track_beliefs()
            self.let_hear(view)
            self.views[seat, attend] = view
        return view.see(self.state)

    def let_hear(self, view: View) -> None:
        """Let a view hear all that its seat was told.

        What came before an imagined sitting is known to who imagined it, and to a spectator, who knows no more.
        """
        if self.past is None:
            Referee(self.setup).go_on(self.actions, view)
            return
        if view.seat in (self.past.seat, SPECTATOR):
            Referee(self.setup).go_on(self.past.actions, view)
        self.past.begun.copy().go_on(self.actions, view)

    def rows(self, seat: int) -> list[tuple[int, ...]]:
        """All that a seat was told, as rows."""
        return [row for news in self.news for row in news[seat].rows]

    def text(self, seat: int) -> str:
        """All that a seat was told, an entry a line, as the record writes them, and the steps of its own moves."""
        for news in self.news:
            if not news[seat].text:
                text = "".join(map(self.setup.line, news[seat].rows))
                if news[seat].steps:
                    text += self.setup.write_steps(news[seat].steps)
                news[seat].text = text
        return "".join([news[seat].text for news in self.news])

    def sum_up(self) -> None:
        """Make one piece of all news so far: where much is played from here on, it is read often."""
        seats = (*range(self.setup.players), SPECTATOR)
        self.news = [tuple(News(self.rows(seat), self.text(seat)) for seat in seats)]

    def knowledge(self, seat: int) -> str:
        """Everything that tells one situation of a seat from another: what it was told, whose turn it is, and the
        steps that it has laid of an unfinished move."""
        state = self.state
        turn = "over" if self.ended else "chance" if state.awaits >= 0 else f"seat {state.seat} to act"
        steps = self.laid if seat == state.seat else []
        names = "".join(f", {self.setup.game.step_names[step]}" for step in steps)
        return f"{self.text(seat)}{turn}{names}"

    # what a seat imagines

    def told_again(self, seat: int, world: State, luck: Seeded) -> list[int]:
        """The draws and steps that lead to a world which a seat imagined, where hidden cards lie still.

        The cards of the last deal change places as they differ between the truth and that world, those of earlier deals
        where the seat never saw them. Steps of a move that another seat has not finished are unknown, and left out.
        """
        truth, other = self.state.where(), world.where()
        names: dict[int, int] = {}
        for place in truth:
            if place.startswith("hand") or place == "pack":
                names |= dict(zip(truth[place], other[place], strict=True))
        known = len(self.actions) if seat == self.state.seat else len(self.actions) - len(self.laid)
        actions = self.actions[:known]
        deals = self.dealt(seat)
        for start, end, seen in deals[:-1]:
            hidden = [at for at in range(start, end) if actions[at] not in seen]
            left = [actions[at] for at in hidden]
            for at in hidden:
                actions[at] = left.pop(luck.number_below(len(left)))
        for start, end, _ in deals[-1:]:
            actions[start:end] = [names.get(card, card) for card in actions[start:end]]
        return actions

    def dealt(self, seat: int) -> list[tuple[int, int, set[int]]]:
        """Of each deal where among all actions its cards begin and end, and those of which a seat was told."""
        deals: list[tuple[int, int, set[int]]] = []
        for row in self.rows(seat):
            if row[0] == self.setup.game.kinds["deal"]:
                start = self.deals_at[len(deals)]
                deals.append((start, start + len(row) - 5, set()))
            if deals:
                deals[-1][2].update(self.setup.cards_in(row))
        return deals

    def imagine(self, seat: int, luck: Seeded) -> State:
        """A world that agrees with all that a seat knows, as often as chance would bring it."""
        if self.past is not None:
            raise ValueError("From an imagined sitting no other can be imagined: ask the true one.")
        return self.view(seat, attend=True).sample(luck)

    def from_now_on(self, seat: int, world: State) -> Referee:
        """A sitting that begins in a world which a seat imagined.

        That seat was told what it was told, and remembers it; the others were told what all were, and see their cards
        now.
        """
        other = Referee.__new__(Referee)
        other.setup = self.setup
        other.state = world
        other.actions = []
        other.deals_at = []
        other.laid = self.laid[:] if seat == self.state.seat else []
        other.views = {}
        other.past = None
        other.news = self.news[:]
        other.sum_up()
        *told, public = other.news[0]
        for each in range(self.setup.players):
            if each != seat:
                seen = json.dumps(self.setup.view(each).see(world).fields())
                told[each] = News(public.rows, f"{public.text}{seen}\n")
        other.news = [(*told, public)]
        other.past = Past(seat, self.actions[:], other.copy())
        return other


def replayed(key: tuple[str, int, tuple[tuple[str, Setting], ...], int, int], actions: list[int]) -> Referee:
    """A sitting that was written down."""
    return Referee.replay(setup_of(*key), actions)
