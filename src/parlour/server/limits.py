"""How much one client, one address and all of them together may ask for."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Collection

from ..engine.messages import say
from .clock import now

LARGEST_MESSAGE = 16 * 1024
USUAL_RATE = 20.0  # requests or messages a second
CPU_SHARE = 0.2  # of a core, for the requests of one address, or for expensive ones about one table
CPU_AT_ONCE = 2.0  # seconds of processor time
MOST_ADDRESSES = 10000  # whose requests are counted
TOO_MANY_TABLES = say("many tables", "These are too many tables at once; wait a minute.")


class Bucket:
    """Token bucket: `rate` per second, with bursts up to `size`."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate = rate
        self.size = size
        self.left = size
        self.last = now()

    @property
    def is_full(self) -> bool:
        """Whether it was full when it was last looked at."""
        return self.left >= self.size

    def take(self, number: float = 1) -> bool:
        """Take some tokens, if they are there."""
        at = now()
        self.left = min(self.size, self.left + self.rate * (at - self.last))
        self.last = at
        if self.left < number:
            return False
        self.left -= number
        return True

    def charge(self, number: float) -> None:
        """Take tokens for something that turned out to cost more, even where none are left."""
        self.left -= number

    def lacks(self, number: float) -> float:
        """How many tokens are missing where there should be so many."""
        self.take(0)
        return max(0.0, number - self.left)

    def wait_for(self, number: float = 1) -> float:
        """Take some tokens in any case, and say how many seconds it takes until they are there."""
        self.take(0)
        self.charge(number)
        return max(0.0, -self.left / self.rate)


class Buckets:
    """A bucket for each address; those that were not used for longest are forgotten."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate = rate
        self.size = size
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, number: float = 1) -> bool:
        """Take some tokens of an address, if they are there."""
        return self.of(address).take(number)

    def of(self, address: str) -> Bucket:
        """The bucket of an address."""
        bucket = self.known.pop(address, None) or Bucket(self.rate, self.size)
        self.known[address] = bucket
        if len(self.known) > MOST_ADDRESSES:
            self.known.popitem(last=False)
        return bucket

    def forget(self) -> None:
        """Forget buckets that are full again: a new one would be the same."""
        while self.known and next(iter(self.known.values())).take(0) and next(iter(self.known.values())).is_full:
            self.known.popitem(last=False)


class Limits:
    """What one address, and all of them together, may ask for: requests and messages a second, sockets, tables."""

    def __init__(self, rate: float = USUAL_RATE, per_address: int = 200, in_all: int = 10000) -> None:
        self.messages = rate  # of one socket
        self.at_once = 3 * rate
        self.per_address = per_address
        self.in_all = in_all
        self.sockets = 0
        self.by_address: dict[str, int] = {}  # sockets
        self.connections: dict[str, int] = {}  # of any kind, by address
        self.requests = Buckets(rate, 5 * rate)
        self.came = Buckets(rate / 5, 5 * rate)  # to sockets: they cost more, and all come at once after a restart
        self.said = Buckets(10 * rate, 30 * rate)
        self.opened = Buckets(rate / 100, 2 * rate)
        self.notified = Buckets(rate / 200, rate)  # ways to be told elsewhere: each makes the server call somewhere
        self.sat = Buckets(rate / 1200, 5 * rate)  # by address and table
        share = rate / USUAL_RATE
        self.cpu = Buckets(CPU_SHARE * share, CPU_AT_ONCE * share)
        self.table_cpu = Buckets(CPU_SHARE * share, CPU_AT_ONCE * share)  # by table, and by seat

    def forget(self) -> None:
        """Forget addresses that have not asked for anything lately."""
        asked = (self.requests, self.came, self.said, self.opened, self.notified, self.sat)
        for buckets in (*asked, self.cpu, self.table_cpu):
            buckets.forget()

    def may_ask(self, address: str) -> bool:
        """Whether an address may make a request now."""
        return self.requests.take(address)

    def may_come(self, address: str) -> bool:
        """Whether an address may come to a socket now."""
        return self.came.take(address)

    def wait_to_say(self, address: str) -> float:
        """Count a message of an address; how many seconds it must wait to be answered."""
        return max(self.said.of(address).wait_for(1), self.cpu.of(address).wait_for(0))

    def may_cost(self, address: str) -> bool:
        """Whether an address has processor time left."""
        return self.cpu.take(address, 0)

    def charge_bots(self, addresses: Collection[str], seconds: float) -> float:
        """Charge what a bot did to those who are at its table; how many seconds the next one waits.

        Bots leave each address half of what it may use at once, so that they hold up nothing that people ask.
        """
        if not addresses:
            return 0.0
        for address in addresses:
            self.charge(address, seconds / len(addresses))
        return min(self.cpu.of(address).lacks(self.cpu.size / 2) for address in addresses) / self.cpu.rate

    def table_may_cost(self, table: str) -> bool:
        """Whether there is processor time left for expensive requests about a table, or by one of its seats."""
        return self.table_cpu.take(table, 0)

    def charge(self, address: str, seconds: float) -> None:
        """Charge processor time to an address."""
        self.cpu.of(address).charge(seconds)

    def charge_table(self, table: str, seconds: float) -> None:
        """Charge the processor time of something expensive to the table that it was about, or to one of its seats."""
        self.table_cpu.of(table).charge(seconds)

    def may_open(self, address: str) -> bool:
        """Whether an address may open a table now."""
        return self.opened.take(address)

    def may_notify(self, address: str) -> bool:
        """Whether somebody from an address may set another way to be told elsewhere now."""
        return self.notified.take(address)

    def may_sit(self, address: str, table: str) -> bool:
        """Whether somebody from an address may sit down at a table now."""
        return self.sat.take(f"{address} {table}")

    def allowance(self) -> Bucket:
        """The bytes that the client of one socket may send: far more than playing needs."""
        most = LARGEST_MESSAGE * self.messages / USUAL_RATE
        return Bucket(most, 4 * most)

    def was_wrong(self, address: str) -> None:
        """An address that sent an invalid message may come less often."""
        self.came.take(address, 10)

    def take_connection(self, address: str) -> bool:
        """Count another connection of any kind; False where an address has too many."""
        if self.connections.get(address, 0) >= 2 * self.per_address:
            return False
        self.connections[address] = self.connections.get(address, 0) + 1
        return True

    def give_connection_back(self, address: str) -> None:
        """A connection has ended, or become a socket."""
        self.connections[address] -= 1
        if not self.connections[address]:
            del self.connections[address]

    def may_connect(self, address: str) -> bool:
        """Whether there is room for another socket."""
        return self.sockets < self.in_all and self.by_address.get(address, 0) < self.per_address

    def connected(self, address: str, change: int) -> None:
        """A socket has come (1) or gone (−1)."""
        self.sockets += change
        self.by_address[address] = self.by_address.get(address, 0) + change
        if not self.by_address[address]:
            del self.by_address[address]


def counted_as(address: str) -> str:
    """The address under which a client is counted: of IPv6 a whole network of 64 bits, as one client has all of it.

    Some proxies pass on an address with its port, which is another for each connection.
    """
    bare = address.strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
