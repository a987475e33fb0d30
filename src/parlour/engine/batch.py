"""Many sittings of one game stepped together, in arrays of the caller; the next follows one that is over.

For simulation and training: it holds the true states, so nothing that plays at a table may import it.
"""

from __future__ import annotations

from array import array
from typing import Any

from . import bitset, encode
from .bitset import WORD
from .core import Journal, Seeded, State
from .errors import Refusal
from .marginals import Marginals
from .view import View

__all__ = ["Batch"]

# who plays a seat; from POLICY on: a policy of the caller, by its number
LEARNER, THUMB, RANDOM = 0, 1, 2
POLICY = 3
BOTS = {"thumb": THUMB, "random": RANDOM}

ENDLESS = 100_000  # episodes in a row in which no learner was asked for a decision, before a place gives up
HORIZON = 100_000  # steps of a rollout
NAN = float("nan")


class Batch:
    """Some states, the chance of each, and one view that looks at them in turn for the seats that are to decide.

    Each call fills, sitting by sitting: the observation of the seat that decides, a mask of its legal steps, that seat,
    the reward of every seat if an episode has ended, and whether one has. An episode is a whole sitting, unless
    `arrange` makes it a deal; it can also give seats to bots, and have forced steps taken without asking.
    """

    def __init__(self, states: list[State], sight: View, steps: int, wins: bool) -> None:
        self.states = states  # by place: the sitting there
        self.sight = sight  # the view that looks at each of them
        self.count = len(states)  # how many places there are
        self.players = sight.players  # of each sitting
        self.steps = steps  # how many steps the game has
        self.wins = wins  # whether rewards are for winning, not for the score
        self.width = sum(rows * size for _, rows, size in sight.layout())  # of an observation,
        self.seen = self.width  # and of what is seen in it; the rest is remembered
        self.chances = [Seeded() for _ in states]  # by place: its source of chance
        self.luck = Seeded()  # for random steps
        self.seed = 0  # of all sittings
        self.stride = self.count  # from the number of one sitting of a place to that of its next
        self.allowed = array("Q", bytes(8 * self.count))  # by place: the legal steps, as a set
        self.bases = array("i", bytes(4 * self.count))  # by place: the step that the first bit of that set stands for
        self.numbers = array("Q", bytes(8 * self.count))  # by place: the number of the next sitting
        self.rewarded = array("B", bytes(self.count))  # by place: whether its rewards are other than 0
        playing = array("Q", bytes(8 * self.count))
        finished = array("i", bytes(4 * self.count))
        waiting = array("B", bytes(self.count))
        self.shared = (playing, finished, waiting)  # for the caller to read
        self.playing = playing  # by place: the number of its sitting
        self.finished = finished  # by place: episodes that ended in the last step; more than one if nobody was asked
        self.waiting = waiting  # by place: who plays the seat that decides
        self.plain = True  # whether every decision is the caller's, and every episode a sitting
        self.by_deal = False  # whether an episode is a deal
        self.keeping = False  # whether what is seen at the end of an episode is kept
        self.hearing = False  # whether every seat that is asked has a view of its own, which remembers
        self.telling = False  # whether hidden cards are written too
        self.journal = Journal()  # what the sittings write for these views
        self.views = []  # type: list[View | None]  # by place and seat
        self.marginals = None  # type: Marginals | None  # what writes down their beliefs, where that is asked for
        self.secrets = None  # type: Any  # of the game's entries
        self.skipping = False  # whether a learner's only legal step is taken without asking
        self.stuck = False  # whether a place gave up
        self.dealt = array("i", bytes(4 * self.count))  # by place: the deal of the episode
        self.standing = array("d", bytes(8 * self.count * self.players))  # by place and seat: rewarded in this sitting
        self.roles = array("B", bytes(self.count * self.players))  # by place and seat: who plays it
        self.who = array("B", bytes(self.count * self.players))  # the same in this sitting, which may be a fork
        self.lucks = [Seeded() for _ in states]  # by place: the luck of its bots
        self.world = states[0].copy()  # the state that a rollout plays on,
        self.trial = Seeded()  # its chance,
        self.whim = Seeded()  # the luck of its heuristic,
        self.dice = Seeded()  # and the luck of further rollouts

    def bind(self, observations: Any, masks: Any, seats: Any, rewards: Any, ended: Any) -> None:
        """Set the arrays that are filled from now on, each flat."""
        sizes = (self.width, self.steps, 1, self.players, 1)
        for room, size in zip((observations, masks, seats, rewards, ended), sizes, strict=True):
            if len(room) != self.count * size:
                raise ValueError(f"An array of {self.count * size} numbers is needed, not one of {len(room)}.")
        self.held = [memoryview(observations), memoryview(masks)]  # so that they stay where they are
        self.observations = encode.buffer(self.held[0])  # by place: what the seat that decides sees
        self.masks = encode.buffer(self.held[1])  # by place and step: whether it is legal
        self.seats = seats  # by place: the seat that decides
        self.rewards = rewards  # by place and seat: the reward, if an episode has just ended
        self.ended = ended  # by place: whether an episode has just ended

    def bind_finals(self, finals: Any, homes: Any) -> None:
        """Set an array for what a seat of each place sees at the end of an episode, and that seat."""
        if len(finals) != self.count * self.width or len(homes) != self.count:
            raise ValueError(f"Room for {self.count} observations is needed, and a seat for each.")
        held = memoryview(finals)
        self.held.append(held)
        self.finals = encode.buffer(held)  # by place: what that seat saw last
        self.homes = homes  # by place: the seat
        self.plain = False
        self.keeping = True

    def bind_hidden(self, hidden: Any, private: list[tuple[int, int]]) -> None:
        """Set an array for what the other seats see alone: these parts of an observation, each as its first and end."""
        self.hidden_size = len(hidden) // self.count
        held, scratch = memoryview(hidden), memoryview(bytearray(self.seen))
        self.held += [held, scratch]
        self.hidden = encode.buffer(held)  # by place: each part, for one seat after another; then what nobody sees
        self.scratch = encode.buffer(scratch)  # the observation of such a seat
        self.private = array("i", [at for part in private for at in part])
        self.telling = True

    def remember(self, marginals: Marginals | None = None) -> None:
        """From now on observations end with what the seat remembers, and where it believes the hidden cards to be."""
        self.width += sum(rows * size for _, rows, size in self.sight.memory_layout())
        self.known = self.width
        self.marginals = marginals
        if marginals is not None:
            self.width += marginals.width
        self.hearing = True
        self.plain = False
        self.views = [None] * (self.count * self.players)
        for state in self.states:
            state.journal = self.journal
            state._sign()
        self.sight.listen(self.journal)
        self.secrets = self.sight._secrets

    def arrange(self, roles: Any, by_deal: bool, skipping: bool) -> None:
        """Say who plays each seat of each place, whether an episode is a deal, and whether forced steps are skipped."""
        if len(roles) != self.count * self.players:
            raise ValueError(f"{self.count * self.players} roles are needed, one for each seat, not {len(roles)}.")
        self.roles = array("B", roles)
        self.by_deal = by_deal
        self.skipping = skipping
        self.plain = not self.keeping and not self.hearing and not by_deal and not skipping and not any(roles)

    # beginning

    def reset(self, seed: int | None, numbers: Any = None) -> None:
        """Begin all sittings: those that `simulate` plays under the numbers of the places, or the next of each.

        Other numbers can be given. The number of the next sitting of a place is greater by as many as there are from
        the lowest to the highest, so that no place plays what another has begun with.
        """
        if numbers is not None and len(numbers) != self.count:
            raise ValueError(f"{self.count} numbers are needed, one for each sitting, not {len(numbers)}.")
        if seed is not None:
            self.seed = seed & WORD
            self.luck._reseed(self.seed, 1)
            self.dice._reseed(self.seed, 3)
        if numbers is not None:
            self.numbers = array("Q", numbers)
            self.stride = max(numbers) - min(numbers) + 1
        elif seed is not None:
            self.stride = self.count
            for at in range(self.count):
                self.numbers[at] = at
        self.stuck = False
        self.journal.clear()
        for at in range(self.count * self.steps):
            self.masks[at] = 0
        for at in range(self.count * self.players):
            self.rewards[at] = 0
        for at in range(self.count):
            self.ended[at] = 0
            self.rewarded[at] = 0
            self.finished[at] = 0
            self.allowed[at] = 0
            self.bases[at] = 0
            self._begin(at, self.states[at], self.chances[at])
            if not self.plain:
                self._go_on(at, self.states[at], self.chances[at])
            self._show(at, self.states[at])
        self.sight._attach(None)
        self.check_moving()

    def _begin(self, at: int, state: State, chance: Seeded) -> None:
        """The next sitting at a place."""
        self.playing[at] = self.numbers[at]
        self.numbers[at] += self.stride
        chance._reseed(self.seed, 2 * self.playing[at])
        if not self.plain:
            self._seed_luck(self.lucks[at], at)
            for seat in range(self.players):
                place = at * self.players + seat
                self.who[place] = self.roles[place]
                self.standing[place] = 0.0
                if self.hearing:
                    self._new_view(place, seat)
        state._clear()
        state._start()
        chance._serve_all(state)
        self.dealt[at] = state.deals

    def _new_view(self, place: int, seat: int) -> None:
        """A view that has heard nothing, for a seat that is asked for decisions."""
        bot = self.who[place] == THUMB or self.who[place] == RANDOM
        view = None if bot else self.sight.__class__(self.players, seat, self.sight.options)
        if view is not None:
            view._secrets = self.secrets
            if self.marginals is not None:
                view.track_beliefs()
        self.views[place] = view

    def _tell(self, at: int) -> None:
        """Let the views of a place hear what has happened there."""
        for place in range(at * self.players, (at + 1) * self.players):
            view = self.views[place]
            if view is not None:
                view._overhear(self.journal)
        self.journal.clear()

    def _seed_luck(self, luck: Seeded, at: int) -> None:
        """The luck that a bot has in the sitting of a place: that of `simulate`."""
        luck._reseed(self.seed, 2 * self.playing[at] + 1)

    def check_moving(self) -> None:
        """Raise RuntimeError if a place gave up."""
        if self.stuck:
            raise RuntimeError(f"No learner was asked for a decision in {ENDLESS} episodes of a place.")

    # stepping

    def step(self, actions: Any) -> None:
        """Take one step in every sitting; if any is illegal nothing is done, and the refusal says why."""
        if len(actions) != self.count:
            raise ValueError(f"{self.count} steps are needed, one for each sitting, not {len(actions)}.")
        self.actions = actions  # by place: the step to take
        wrong = self._unlawful()
        if wrong < 0:
            self._run()
            self.sight._attach(None)
            self.check_moving()
        else:
            self.refuse(wrong, actions[wrong])

    def step_some(self, places: Any, actions: Any) -> None:
        """Take one step at some places, as part of the last `step` of all: for seats that are played by a policy."""
        for place, action in zip(places, actions, strict=True):
            at = action - self.bases[place]
            if at < 0 or at > 63 or not (self.allowed[place] >> at) & 1:
                self.refuse(place, action)
        for place, action in zip(places, actions, strict=True):
            self._move(place, self.states[place], self.chances[place], action)
        self.sight._attach(None)
        self.check_moving()

    def refuse(self, place: int, step: int) -> None:
        """Raise the refusal of an illegal step at a place."""
        try:
            self.states[place].copy().play(step)
        except Refusal as refusal:
            raise Refusal(f"Sitting {place}: {refusal.sentence}", refusal.clause) from None

    def _unlawful(self) -> int:
        """The first sitting whose step is illegal; −1 if all are legal."""
        for at in range(self.count):
            step = self.actions[at] - self.bases[at]
            if step < 0 or step > 63 or not (self.allowed[at] >> step) & 1:
                return at
        return -1

    def _run(self) -> None:
        for at in range(self.count):
            self.ended[at] = 0
            if self.rewarded[at]:
                self.rewarded[at] = 0
                self.finished[at] = 0
                for seat in range(self.players):
                    self.rewards[at * self.players + seat] = 0
            self._move(at, self.states[at], self.chances[at], self.actions[at])

    def _move(self, at: int, state: State, chance: Seeded, step: int) -> None:
        """Take a step at a place, go on to the next decision that is asked for, and show it."""
        state._apply(step)
        if state.awaits >= 0:
            chance._serve_all(state)
        if not self.plain:
            self._go_on(at, state, chance)
        elif state.over:
            self._end(at, state)
            self._begin(at, state, chance)
        self._show(at, state)

    def _go_on(self, at: int, state: State, chance: Seeded) -> None:
        """Play on to the next decision that is asked for: bots choose, forced steps are taken, episodes end."""
        self.sight._attach(state)
        role = LEARNER
        idle = 0
        while True:
            if self.hearing:
                self._tell(at)
            if state.over or (self.by_deal and state.deals != self.dealt[at]):
                self._end(at, state)
                self.dealt[at] = state.deals
                if state.over:
                    self._begin(at, state, chance)
                idle += 1
                if idle > ENDLESS:
                    self.stuck = True
                    break
                continue
            role = self.who[at * self.players + state.seat]
            if role == LEARNER and not self.skipping:
                break
            steps = state._choices()
            if steps & (steps - 1) == 0:
                state._apply(state.base + bitset.lowest(steps))
            elif role == THUMB:
                self._follow_heuristic(state, self.lucks[at])
            elif role == RANDOM:
                state._apply(state.base + self._any_of(steps, self.lucks[at]))
            else:
                break
            if state.awaits >= 0:
                chance._serve_all(state)
        self.waiting[at] = role

    def _follow_heuristic(self, state: State, luck: Seeded) -> None:
        """Take the step of the heuristic, in the state that the view is attached to."""
        self.sight.seat = state.seat
        self.sight._glance()
        state._apply(self.sight._heuristic(luck))

    def _any_of(self, steps: int, luck: Seeded) -> int:
        """A random step of a set."""
        return bitset.nth(steps, luck._below(bitset.count(steps)))

    # rewards

    def _end(self, at: int, state: State) -> None:
        """An episode has ended: give each seat what it has gained in it."""
        self.ended[at] = 1
        self.rewarded[at] = 1
        self.finished[at] += 1
        if self.keeping:
            self.sight.seat = self.homes[at]
            self._write(self.finals, at)
        total = self._total(state)
        for seat in range(self.players):
            place = at * self.players + seat
            level = self._level(state, seat, total)
            self.rewards[place] += level - self.standing[place]
            self.standing[place] = 0.0 if state.over else level

    def _total(self, state: State) -> float:
        """The scores, or the chances to win, of all seats together."""
        total = 0.0
        for seat in range(self.players):
            total += state._win_chance(seat) if self.wins else state._score_of(seat)
        return total

    def _level(self, state: State, seat: int, total: float) -> float:
        """A seat's score, or share of the win, above the average of all seats, of which the total is given."""
        if self.wins:
            return state._win_chance(seat) / total - 1.0 / self.players
        return state._score_of(seat) - total / self.players

    # showing

    def _show(self, at: int, state: State) -> None:
        """Write the observation and the legal steps of the seat that decides."""
        self.sight._attach(state)
        self.sight.seat = state.seat
        self._write(self.observations, at)
        self.seats[at] = state.seat
        row = at * self.steps
        if self.bases[at] != self.sight.base:
            bitset.blank(self.masks, row, self.steps)
        size = self.steps - self.sight.base
        bitset.spread(self.masks, row + self.sight.base, self.sight.steps, size if size < 64 else 64)
        self.allowed[at] = self.sight.steps
        self.bases[at] = self.sight.base
        if self.telling:
            self._expose(at, state)

    def _write(self, room: Any, at: int) -> None:
        """Write what the seat of the view sees at a place, and remembers."""
        self.sight._look()
        bitset.blank(room, at * self.width, self.width)
        self.sight._encode(room, at * self.width)
        if self.hearing:
            self._recall(room, at, self.views[at * self.players + self.sight.seat], self.states[at])

    def _recall(self, room: Any, at: int, view: View | None, state: State) -> None:
        """Write what the view that has heard everything remembers."""
        if view is not None:
            view._attach(state)
            view._look()
            view._attach(None)
            view._notice()
            view._encode_memory(room, at * self.width + self.seen)
            if self.marginals is not None:
                self.marginals._write(view, room, at * self.width + self.known)

    def _expose(self, at: int, state: State) -> None:
        """Write what nobody but the other seats sees, and what nobody sees."""
        to, parts = at * self.hidden_size, len(self.private)
        bitset.blank(self.hidden, to, self.hidden_size)
        self.sight._attach(state)
        for turn in range(1, self.players):
            self.sight.seat = (state.seat + turn) % self.players
            self.sight._look()
            bitset.blank(self.scratch, 0, self.seen)
            self.sight._encode(self.scratch, 0)
            first = at * self.hidden_size
            for part in range(0, parts, 2):
                size = self.private[part + 1] - self.private[part]
                for place in range(size):
                    self.hidden[first + (turn - 1) * size + place] = self.scratch[self.private[part] + place]
                first += (self.players - 1) * size
                to = first
        state._encode_hidden(self.hidden, to)

    def sample(self, actions: Any) -> None:
        """A random legal step for every sitting."""
        if len(actions) != self.count:
            raise ValueError(f"Room for {self.count} steps is needed, one for each sitting, not for {len(actions)}.")
        self.actions = actions
        for at in range(self.count):
            self.actions[at] = self.bases[at] + bitset.nth(
                self.allowed[at], self.luck._below(bitset.count(self.allowed[at]))
            )

    def suggest(self, actions: Any) -> None:
        """The step of the heuristic for every sitting."""
        if len(actions) != self.count:
            raise ValueError(f"Room for {self.count} steps is needed, one for each sitting, not for {len(actions)}.")
        self.actions = actions
        for at in range(self.count):
            self._suggest(at, self.states[at])
        self.sight._attach(None)

    def _suggest(self, at: int, state: State) -> None:
        self.sight._attach(state)
        self.sight.seat = state.seat
        self.sight._glance()
        self._seed_luck(self.whim, at)
        self.actions[at] = self.sight._heuristic(self.whim)

    # forks and rollouts

    def fork(self, sources: Any, targets: Any) -> None:
        """Copy sittings from some places to others, with the chance that is to come and those who play."""
        for source, target in zip(sources, targets, strict=True):
            self._fork(source, target, self.states[source], self.states[target])
        self.sight._attach(None)

    def _fork(self, at: int, to: int, state: State, other: State) -> None:
        other._fill(state)
        chance, luck = self.chances[to], self.lucks[to]
        chance._copy(self.chances[at])
        luck._copy(self.lucks[at])
        self.playing[to] = self.playing[at]
        self.waiting[to] = self.waiting[at]
        self.dealt[to] = self.dealt[at]
        self.ended[to] = 0
        self.rewarded[to] = 0
        self.finished[to] = 0
        for seat in range(self.players):
            self.rewards[to * self.players + seat] = 0
            self.who[to * self.players + seat] = self.who[at * self.players + seat]
            self.standing[to * self.players + seat] = self.standing[at * self.players + seat]
            if self.hearing:
                self._new_view(to * self.players + seat, seat)
                view, known = self.views[to * self.players + seat], self.views[at * self.players + seat]
                if view is not None and known is not None:
                    view._copy_memory(known)
        self._show(to, other)

    def value_steps(self, values: Any, rollouts: int) -> None:
        """For every place and step: the reward of the seat that decides if it takes it and all go on by the heuristic.

        This plays on from the true state, hidden cards and all: it is for training alone. The first rollout has the
        chance that is to come at the place; further ones reorder the cards that nobody has seen, and have other chance,
        the same for every step.
        """
        if len(values) != self.count * self.steps:
            raise ValueError(f"Room for {self.count * self.steps} values is needed, not for {len(values)}.")
        self.values = values
        self.sight._attach(self.world)
        for at in range(self.count):
            self._value(at, self.states[at], self.chances[at], rollouts)
        self.sight._attach(None)

    def _value(self, at: int, state: State, chance: Seeded, rollouts: int) -> None:
        row = at * self.steps
        for step in range(self.steps):
            self.values[row + step] = NAN
        for rollout in range(rollouts):
            word = self.dice._next() if rollout else 0
            rest = self.allowed[at]
            while rest:
                step = self.bases[at] + bitset.lowest(rest)
                rest &= rest - 1
                self.world._fill(state)
                if rollout:
                    self.trial._reseed(word, 0)
                    self.whim._reseed(word, 1)
                    self.world._shuffle_unseen(self.whim)
                else:
                    self.trial._copy(chance)
                    self._seed_luck(self.whim, at)
                    self.values[row + step] = 0.0
                self.world._apply(step)
                self._play_on(self.dealt[at])
                gained = self._level(self.world, state.seat, self._total(self.world))
                self.values[row + step] += (gained - self.standing[at * self.players + state.seat]) / rollouts

    def _play_on(self, deal: int) -> None:
        """Play the state of a rollout to the end of the episode by the heuristic."""
        for taken in range(HORIZON):
            if self.world.awaits >= 0:
                self.trial._serve_all(self.world)
            if self.world.over or (self.by_deal and self.world.deals != deal):
                break
            self._follow_heuristic(self.world, self.whim)
