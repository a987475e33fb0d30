"""How much one client, one address and all together may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict

LARGEST_MESSAGE = 16 * 1024
USUAL_RATE = 20.0  # requests or messages a second
MOST_ADDRESSES = 10000  # of which it is known how much they asked


class Bucket:
    """So many a second, and some more at once."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate = rate
        self.size = size
        self.left = size
        self.last = time.monotonic()

    def take(self, number: float = 1) -> bool:
        now = time.monotonic()
        self.left = min(self.size, self.left + self.rate * (now - self.last))
        self.last = now
        if self.left < number:
            return False
        self.left -= number
        return True

    def charge(self, number: float) -> None:
        """What has cost more than was thought."""
        self.left -= number


class Buckets:
    """One for each address; those that have not been used for longest are forgotten."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate = rate
        self.size = size
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, number: float = 1) -> bool:
        bucket = self.known.pop(address, None) or Bucket(self.rate, self.size)
        self.known[address] = bucket
        if len(self.known) > MOST_ADDRESSES:
            self.known.popitem(last=False)
        return bucket.take(number)

    def forget(self) -> None:
        """Forget those that are full again: they are as good as new ones."""
        old = time.monotonic() - self.size / self.rate
        while self.known and next(iter(self.known.values())).last < old:
            self.known.popitem(last=False)


class Limits:
    """What one address, and all together, may ask for: requests and messages a second, sockets, tables."""

    def __init__(self, rate: float = USUAL_RATE, per_address: int = 200, in_all: int = 10000) -> None:
        self.messages = rate  # of one socket
        self.per_address = per_address
        self.in_all = in_all
        self.sockets = 0
        self.by_address: dict[str, int] = {}
        self.lines: dict[str, int] = {}  # connections of any kind, by address
        self.requests = Buckets(rate, 5 * rate)
        self.came = Buckets(rate / 5, 5 * rate)  # to sockets: they cost more, and come all at once after a restart
        self.said = Buckets(10 * rate, 30 * rate)
        self.opened = Buckets(rate / 100, 2 * rate)

    def forget(self) -> None:
        for buckets in (self.requests, self.came, self.said, self.opened):
            buckets.forget()

    def may_ask(self, address: str) -> bool:
        return self.requests.take(address)

    def may_come(self, address: str) -> bool:
        return self.came.take(address)

    def allowance(self) -> Bucket:
        """The bytes that the client of one socket may send: far more than anyone needs who plays."""
        most = LARGEST_MESSAGE * self.messages / USUAL_RATE
        return Bucket(most, 4 * most)

    def was_wrong(self, address: str) -> None:
        """Who sends what is no message may come less often."""
        self.came.take(address, 10)

    def take_line(self, address: str) -> bool:
        """Take another connection, which may come to nothing; False where an address has too many."""
        if self.lines.get(address, 0) >= 2 * self.per_address:
            return False
        self.lines[address] = self.lines.get(address, 0) + 1
        return True

    def give_line_back(self, address: str) -> None:
        self.lines[address] -= 1
        if not self.lines[address]:
            del self.lines[address]

    def may_say(self, address: str, work: float) -> bool:
        return self.said.take(address, work)

    def may_open(self, address: str) -> bool:
        return self.opened.take(address)

    def may_connect(self, address: str) -> bool:
        return self.sockets < self.in_all and self.by_address.get(address, 0) < self.per_address

    def connected(self, address: str, change: int) -> None:
        self.sockets += change
        self.by_address[address] = self.by_address.get(address, 0) + change
        if not self.by_address[address]:
            del self.by_address[address]


def counted_as(address: str) -> str:
    """Whoever has one address of IPv6 has a whole network of them."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
