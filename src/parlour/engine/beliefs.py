"""What a view needs to imagine worlds: lots for cards that lie still, and a cloud of worlds for cards that wander."""

from __future__ import annotations

from . import bitset
from .core import Seeded
from .types import Card, Cards, Seat

TRIES = 400
WORLDS = 128  # in a cloud
PLACES = 15  # in each of them, at most: eleven hands, and what lies on the table
QUEUE = 13  # a place from which items leave in the order in which they came


class DealSampler:
    """Deals items to places that each have room for some, and may each not hold others: every way equally likely.

    Items are dealt one by one to any free place that may hold them, those with the fewest places first. A way in which
    few places were open had the more luck in coming about, and is thrown away with the chance that makes up for it.
    """

    def __init__(self) -> None:
        self.size = 0
        self.items = [0] * 64
        self.allowed = [0] * 64
        self.most = [0] * 64
        self.room = [0] * 16
        self.left = [0] * 16
        self.got = [0] * 16

    def _clear(self) -> None:
        """Begin anew, with no items and no room."""
        self.size = 0
        for place in range(16):
            self.room[place] = 0

    def _add(self, item: int, places: int) -> None:
        """An item, and the set of places that may hold it."""
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
        """The most room that each item can ever find when its turn comes."""
        for at in range(self.size):
            inside = 0
            for other in range(at):
                if not self.allowed[other] & ~self.allowed[at]:
                    inside += 1  # this one before it has surely taken a place
            # and so have those for which there is no room elsewhere
            outside = at - self._room_in(~self.allowed[at])
            self.most[at] = self._room_in(self.allowed[at]) - max(inside, outside)

    def _try_once(self, luck: Seeded, fair: int) -> bool:
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
        """Deal into `got`; where that fails many times over, any way that can be found; false where there is none."""
        for attempt in range(2 * TRIES):
            if self._try_once(luck, attempt < TRIES):
                return True
        return False


class ParticleFilter:
    """Many worlds at once, each as likely as the others given all that was seen: where every item of a pack lies.

    What moves unseen moves in each world by its own luck. What is seen makes some worlds unlikely: they give way to
    copies of others. Two items are *alike* in a world if they lay together since both were last seen (as all do after a
    deal): whatever happened to the one since then could as well have happened to the other, so that they may change
    places where this makes the world agree with what is seen. `barred` says what an item cannot be, for a hand that it
    was in had none of these. The cloud's luck is its own: the same seen, the same cloud.
    """

    def __init__(self, kinds: list[int], me: Seat, mixes: int) -> None:
        self.mixes = mixes
        self.items = len(kinds)
        self.worlds = WORLDS
        self.me = me
        self.luck = Seeded()
        self.lost = True
        self.kind = [0] * 64
        self.of_kind = [0] * 64
        for item, kind in enumerate(kinds):
            self.kind[item] = kind
            self.of_kind[kind] |= 1 << item
        self.at = [0] * 1935  # (WORLDS + 1) × PLACES
        self.alike = [0] * 8256  # (WORLDS + 1) × 64
        self.barred = [0] * 8256
        self.queue = [0] * 8256
        self.weight = [0.0] * 128
        self.copies = [0] * 128
        self.head = 0
        self.tail = 0

    def _deal(self, held: Cards, players: int, size: int, rest: int) -> None:
        """A deal: the seat's own items, as many unseen ones for each other seat, and what is left to a place."""
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

    def _exchange(self, world: int, one: int, other: Seat) -> None:
        """Two items of a world change places, and all that is known of their ways."""
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
        # only what was like both of them is surely like them still
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
        """Items come to lie where nobody sees them, and are from now on like all others there."""
        if place == self.me or place == QUEUE:
            return  # where everything has its own place, it is known by it
        here = self.at[PLACES * world + place]
        rest = here
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] |= items
            rest &= rest - 1
        rest = items
        while rest:
            self.alike[64 * world + bitset.lowest(rest)] |= here
            rest &= rest - 1

    # what happens

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

    def _see(self, kind: int, origin: int, to: int, hides: int) -> None:
        """An item of a kind is seen to go from a place to a place; there it may be hidden again.

        In each world every item of that kind may be the one: it lies there, or would if it had changed places with one
        that it is like. The share of its possible places that are there is how likely the world makes what was seen.
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
                    # of several that it may be, each is chosen by its share
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
        """Some item goes from a place to a place, unseen; not one of those that it is known not to be."""
        for world in range(WORLDS):
            able = self._source(world, origin) & ~but
            if able:
                self._move_any(world, able, origin, to)
            else:
                self.weight[world] = 0.0
        self._moved(origin, to)

    def _move_any(self, world: int, items: Cards, origin: int, to: int) -> None:
        """In one world any of some items goes."""
        item = self._any_of(items)
        self._move(world, item, origin, to)
        self._join(world, bitset.one(item), to)

    def _move_this(self, world: int, item: int, origin: int, to: int) -> None:
        """In one world an item of a place was chosen, and so is no longer like the others there."""
        self._part(world, item)
        self._move(world, item, origin, to)
        self._join(world, bitset.one(item), to)

    def _move_all(self, origin: int, to: int) -> None:
        """All that lies at a place goes to another, where it is hidden."""
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
        """A world does not agree with what was seen."""
        self.weight[world] = 0.0

    def _resample(self) -> None:
        """Let unlikely worlds give way to copies of likely ones, so that all are equally likely again."""
        total = 0.0
        even = True
        for world in range(WORLDS):
            total += self.weight[world]
            even = even and self.weight[world] == self.weight[0]
        if total == 0.0:
            self.lost = True
        if self.lost or even:
            return
        # as many copies of each world as there are marks of an evenly spaced ruler within its weight
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

    def _mix(self, world: int, luck: Seeded) -> None:
        """Let some items of a world change places with others that they are like."""
        for _ in range(self.mixes):
            item = luck._below(self.items)
            others = self._partners(world, item)
            if others:
                self._exchange(world, item, bitset.nth(others, luck._below(bitset.count(others))))

    # what is imagined

    def _sample(self, luck: Seeded) -> None:
        """Take a copy of one of the worlds, in which some items once more change places."""
        self._copy(luck._below(WORLDS), WORLDS)
        self._mix(WORLDS, luck)

    def _held(self, world: int, place: int) -> Cards:
        """What lies at a place in one of the worlds."""
        return self.at[PLACES * world + place]

    def _sampled(self, place: int) -> Cards:
        """What lies at a place in the world that was picked."""
        return self.at[PLACES * WORLDS + place]

    def _queued(self, at: int) -> Card:
        """An item of the queue in the world that was picked, `at` from `head` to `tail`."""
        return self.queue[64 * WORLDS + (at & 63)]
