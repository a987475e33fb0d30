"""Beliefs: a constrained deal sampler for cards that lie still, and a particle filter for cards that move unseen."""

from __future__ import annotations

from . import bitset
from .core import Seeded
from .types import Card, Cards, Seat

TRIES = 400
WORLDS = 128  # particles of a filter
PLACES = 15  # in each of them, at most: eleven hands, and the places on the table
QUEUE = 13  # a place from which items leave in the order in which they came


class DealSampler:
    """Deals items to places of limited room, where some places may not hold some items: every deal equally likely.

    Items are dealt one by one to any free place that may hold them, those with the fewest places first. A deal in which
    few places were open came about too easily, and is rejected with the probability that makes up for it (rejection
    sampling).
    """

    def __init__(self) -> None:
        self.size = 0  # items added
        self.items = [0] * 64  # the items, those with the fewest places first
        self.allowed = [0] * 64  # by item: the places that may hold it
        self.most = [0] * 64  # by item: the most room it can meet
        self.room = [0] * 16  # by place: how many items it takes
        self.left = [0] * 16  # by place: room left in this attempt
        self.got = [0] * 16  # by place: the items dealt to it

    def _clear(self) -> None:
        """Begin again, with no items and no room."""
        self.size = 0
        for place in range(16):
            self.room[place] = 0

    def _add(self, item: int, places: int) -> None:
        """Add an item, with the set of places that may hold it."""
        at = self.size
        while at > 0 and bitset.count(self.allowed[at - 1]) > bitset.count(places):
            self.items[at] = self.items[at - 1]
            self.allowed[at] = self.allowed[at - 1]
            at -= 1
        self.items[at] = item
        self.allowed[at] = places
        self.size += 1

    def _room_in(self, places: int) -> int:
        found = 0
        for place in range(16):
            if (places >> place) & 1:
                found += self.room[place]
        return found

    def _prepare(self) -> None:
        """Find the most room that each item can ever meet when its turn comes."""
        for at in range(self.size):
            inside = 0
            for other in range(at):
                if not self.allowed[other] & ~self.allowed[at]:
                    inside += 1  # this earlier item has surely taken one of its places
            # and so have those for which there is no room elsewhere
            outside = at - self._room_in(~self.allowed[at])
            self.most[at] = self._room_in(self.allowed[at]) - max(inside, outside)

    def _try_once(self, luck: Seeded, fair: bool) -> bool:
        for place in range(16):
            self.left[place] = self.room[place]
            self.got[place] = 0
        for at in range(self.size):
            open = 0
            places = self.allowed[at]
            while places:
                open += self.left[bitset.lowest(places)]
                places &= places - 1
            if open == 0 or (fair and open < self.most[at] and luck._below(self.most[at]) >= open):
                return False
            chosen = luck._below(open)
            places = self.allowed[at]
            place = bitset.lowest(places)
            while chosen >= self.left[place]:
                chosen -= self.left[place]
                places &= places - 1
                place = bitset.lowest(places)
            self.left[place] -= 1
            self.got[place] |= bitset.one(self.items[at])
        return True

    def _sample(self, luck: Seeded) -> bool:
        """Deal into `got`: fairly, or after many failures in any way that can be found; false if there is none."""
        for attempt in range(2 * TRIES):
            if self._try_once(luck, attempt < TRIES):
                return True
        return False


class ParticleFilter:
    """A particle filter: many worlds, each equally likely given all that was seen, of where every item of a pack lies.

    An item that moves unseen moves in each world by that world's own luck. An item that is seen makes some worlds
    unlikely: they are replaced by copies of others (resampling). Two items are *alike* in a world if they have lain
    together since both were last seen (as all have after a deal): whatever happened to one of them since could as well
    have happened to the other, so they may change places to make the world agree with what is seen. `barred` says what
    an item cannot be, because a hand that it was in had none of these. The filter has its own luck: seeing the same
    gives the same filter.
    """

    def __init__(self, kinds: list[int], me: Seat, mixes: int) -> None:
        self.mixes = mixes  # exchanges tried when a world is copied
        self.items = len(kinds)
        self.worlds = WORLDS
        self.me = me  # the seat whose beliefs these are
        self.luck = Seeded()
        self.lost = True  # whether no world agrees with what was seen
        self.kind = [0] * 64  # by item: its kind
        self.of_kind = [0] * 64  # by kind: its items
        for item, kind in enumerate(kinds):
            self.kind[item] = kind
            self.of_kind[kind] |= 1 << item
        self.at = [0] * 1935  # by world (and the sampled one) and place: the items there; (WORLDS + 1) × PLACES
        self.alike = [0] * 8256  # by world and item: the items that it is like; (WORLDS + 1) × 64
        self.barred = [0] * 8256  # by world and item: the kinds that it cannot be
        self.queue = [0] * 8256  # by world: the items of the queue in order
        self.weight = [0.0] * 128  # by world: its likelihood since the last resampling
        self.copies = [0] * 128  # by world: how many copies it gets
        self.head = 0  # of the queue
        self.tail = 0

    def _deal(self, held: Cards, players: int, size: int, rest: int) -> None:
        """A deal: the seat's own items, as many unseen ones for each other seat, and the rest to one place."""
        self.lost = False
        self.head = 0
        self.tail = 0
        self.luck._reseed(self.items, 0)
        for world in range(WORLDS):
            self.weight[world] = 1.0
            for place in range(PLACES):
                self.at[PLACES * world + place] = 0
            left = (bitset.one(self.items) - 1) & ~held
            for item in range(self.items):
                self.barred[64 * world + item] = 0
                self.alike[64 * world + item] = left if (left >> item) & 1 else 0
            self.at[PLACES * world + self.me] = held
            for seat in range(players):
                if seat != self.me:
                    for _ in range(size):
                        item = self._any_of(left)
                        left &= ~bitset.one(item)
                        self.at[PLACES * world + seat] |= bitset.one(item)
            self.at[PLACES * world + rest] |= left

    def _any_of(self, items: Cards) -> Card:
        return bitset.nth(items, self.luck._below(bitset.count(items)))

    # items of one world that change places

    def _exchange(self, world: int, one: Card, other: Card) -> None:
        """Let two items of a world change places, with all that is known of their past."""
        both = bitset.one(one) | bitset.one(other)
        for place in range(PLACES):
            if place != QUEUE and self.at[PLACES * world + place] & both == both:
                return  # they lie together
        for place in range(PLACES):
            if bitset.count(self.at[PLACES * world + place] & both) == 1:
                self.at[PLACES * world + place] ^= both
        for at in range(self.head, self.tail):
            if self.queue[64 * world + (at & 63)] == one:
                self.queue[64 * world + (at & 63)] = other
            elif self.queue[64 * world + (at & 63)] == other:
                self.queue[64 * world + (at & 63)] = one
        bars = self.barred[64 * world + one]
        self.barred[64 * world + one] = self.barred[64 * world + other]
        self.barred[64 * world + other] = bars
        # only items that were like both of them are surely like them still
        rest = (self.alike[64 * world + one] ^ self.alike[64 * world + other]) & ~both
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] &= ~both
            rest &= rest - 1
        ways = self.alike[64 * world + one] & self.alike[64 * world + other]
        self.alike[64 * world + one] = ways | both
        self.alike[64 * world + other] = ways | both

    def _partners(self, world: int, item: int) -> Cards:
        """The items with which an item may change places."""
        found = 0
        rest = self.alike[64 * world + item] & ~bitset.one(item)
        while rest:
            other = bitset.lowest(rest)
            rest &= rest - 1
            if not (
                (self.barred[64 * world + item] >> self.kind[other]) & 1
                or (self.barred[64 * world + other] >> self.kind[item]) & 1
            ):
                found |= bitset.one(other)
        return found

    def _part(self, world: int, item: int) -> None:
        """An item is seen: it is like no other any more."""
        rest = self.alike[64 * world + item]
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] &= ~bitset.one(item)
            rest &= rest - 1
        self.alike[64 * world + item] = 0
        self.barred[64 * world + item] = 0

    def _join(self, world: int, items: Cards, place: int) -> None:
        """Let items lie where nobody sees them: from now on they are like all others there."""
        if place == self.me or place == QUEUE:
            return  # items here are told apart by their order
        here = self.at[PLACES * world + place]
        rest = here
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] |= items
            rest &= rest - 1
        rest = items
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] |= here
            rest &= rest - 1

    # events

    def _source(self, world: int, origin: int) -> Cards:
        """The items of which the next to leave a place is one."""
        if origin == QUEUE:
            return bitset.one(self.queue[64 * world + (self.head & 63)]) if self.head < self.tail else 0
        return self.at[PLACES * world + origin]

    def _move(self, world: int, item: int, origin: int, to: int) -> None:
        self.at[PLACES * world + origin] &= ~bitset.one(item)
        self.at[PLACES * world + to] |= bitset.one(item)
        if to == QUEUE:
            self.queue[64 * world + (self.tail & 63)] = item

    def _moved(self, origin: int, to: int) -> None:
        """One item has left a place for another, in every world."""
        if origin == QUEUE:
            self.head += 1
        if to == QUEUE:
            self.tail += 1

    def _see(self, kind: int, origin: int, to: int, hides: bool) -> None:
        """An item of a kind is seen to go from a place to a place; there it may be hidden again.

        In each world every item of that kind may be the one: it lies there, or would if it had changed places with an
        item that it is like. The share of its possible places that are there is the likelihood of what was seen.
        """
        for world in range(WORLDS):
            if self.weight[world] == 0.0:
                continue
            here = self._source(world, origin)
            likely = 0.0
            chosen = -1
            swap = 0
            rest = self.of_kind[kind]
            while rest:
                item = bitset.lowest(rest)
                rest &= rest - 1
                others = self._partners(world, item)
                inside = bitset.count(others & here) + ((here >> item) & 1)
                if inside:
                    share = inside / (1.0 + bitset.count(others))
                    likely += share
                    # of several candidates each is chosen in proportion to its share
                    if chosen < 0 or self.luck._below(1 << 20) * likely < share * (1 << 20):
                        chosen = item
                        swap = 0 if (here >> item) & 1 else others & here
            self.weight[world] *= likely
            if chosen < 0:
                continue
            if swap:
                self._exchange(world, chosen, self._any_of(swap))
            self._part(world, chosen)
            self._move(world, chosen, origin, to)
            if hides:
                self._join(world, bitset.one(chosen), to)
        self._moved(origin, to)

    def _move_one(self, origin: int, to: int, but: Cards) -> None:
        """An item goes from a place to a place, unseen; `but` are items that it is known not to be."""
        for world in range(WORLDS):
            able = self._source(world, origin) & ~but
            if able:
                self._move_any(world, able, origin, to)
            else:
                self.weight[world] = 0.0
        self._moved(origin, to)

    def _move_any(self, world: int, items: Cards, origin: int, to: int) -> None:
        """In one world a random one of some items goes."""
        item = self._any_of(items)
        self._move(world, item, origin, to)
        self._join(world, bitset.one(item), to)

    def _move_this(self, world: int, item: int, origin: int, to: int) -> None:
        """In one world an item of a place was chosen on purpose, and so is no longer like the others there."""
        self._part(world, item)
        self._move(world, item, origin, to)
        self._join(world, bitset.one(item), to)

    def _move_all(self, origin: int, to: int) -> None:
        """All items of a place go to another, where they are hidden."""
        for world in range(WORLDS):
            items = self.at[PLACES * world + origin]
            self.at[PLACES * world + origin] = 0
            self.at[PLACES * world + to] |= items
            self._join(world, items, to)

    def _lacks(self, place: int, kinds: Cards) -> None:
        """A place is shown to hold none of some kinds; for packs in which every item is a kind of its own."""
        if place == self.me:
            return
        for world in range(WORLDS):
            rest = self.at[PLACES * world + place] & kinds
            while rest:
                item = bitset.lowest(rest)
                rest &= rest - 1
                able = self._partners(world, item) & ~kinds & ~self.at[PLACES * world + place]
                if able:
                    self._exchange(world, item, self._any_of(able))
                else:
                    self.weight[world] = 0.0
            rest = self.at[PLACES * world + place]
            while rest:
                self.barred[64 * world + bitset.lowest(rest)] |= kinds
                rest &= rest - 1

    def _drop(self, world: int) -> None:
        """Rule a world out: it does not agree with what was seen."""
        self.weight[world] = 0.0

    def _resample(self) -> None:
        """Replace unlikely worlds by copies of likely ones, so that all are equally likely again."""
        total = 0.0
        even = True
        for world in range(WORLDS):
            total += self.weight[world]
            even = even and self.weight[world] == self.weight[0]
        if total == 0.0:
            self.lost = True
        if self.lost or even:
            return
        # systematic resampling: as many copies of a world as marks of an evenly spaced ruler fall within its weight
        step = total / WORLDS
        mark = step * (1 + self.luck._below(1 << 16)) / (1 << 16)
        reached = 0.0
        last = 0
        for world in range(WORLDS):
            reached += self.weight[world]
            if self.weight[world] > 0.0:
                last = world
            self.copies[world] = 0
            while mark <= reached:
                self.copies[world] += 1
                mark += step
        origin = 0
        for world in range(WORLDS):
            self.weight[world] = 1.0
            if self.copies[world]:
                continue
            while origin < WORLDS and self.copies[origin] < 2:
                origin += 1
            if origin == WORLDS:
                self._copy(last, world)  # by rounding there may be a mark too few
                continue
            self.copies[origin] -= 1
            self._copy(origin, world)
            self._mix(world, self.luck)

    def _copy(self, world: int, to: int) -> None:
        for place in range(PLACES):
            self.at[PLACES * to + place] = self.at[PLACES * world + place]
        for item in range(self.items):
            self.barred[64 * to + item] = self.barred[64 * world + item]
            self.alike[64 * to + item] = self.alike[64 * world + item]
        for at in range(self.head, self.tail):
            self.queue[64 * to + (at & 63)] = self.queue[64 * world + (at & 63)]

    def _copy_all(self, other: ParticleFilter) -> None:
        """Take over the worlds, and the luck, of another filter of the same pack and seat."""
        self.head = other.head
        self.tail = other.tail
        self.lost = other.lost
        self.luck._copy(other.luck)
        self.at[:] = other.at
        self.alike[:] = other.alike
        self.barred[:] = other.barred
        self.queue[:] = other.queue
        self.weight[:] = other.weight

    def _mix(self, world: int, luck: Seeded) -> None:
        """Let some items of a world change places with others that they are like (rejuvenation)."""
        for _ in range(self.mixes):
            item = luck._below(self.items)
            others = self._partners(world, item)
            if others:
                self._exchange(world, item, bitset.nth(others, luck._below(bitset.count(others))))

    # samples

    def _sample(self, luck: Seeded) -> None:
        """Take a copy of a random world, in which some items change places once more."""
        self._copy(luck._below(WORLDS), WORLDS)
        self._mix(WORLDS, luck)

    def _held(self, world: int, place: int) -> Cards:
        """The items at a place in one of the worlds."""
        return self.at[PLACES * world + place]

    def _sampled(self, place: int) -> Cards:
        """The items at a place in the sampled world."""
        return self.at[PLACES * WORLDS + place]

    def _queued(self, at: int) -> Card:
        """An item of the queue in the sampled world, `at` from `head` to `tail`."""
        return self.queue[64 * WORLDS + (at & 63)]
