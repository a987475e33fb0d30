"""A cache of bytes with a size limit; least recently used entries are dropped first (LRU)."""

from __future__ import annotations

from collections import OrderedDict


class ByteCache:
    """Bytes by key, of a certain size at most in all."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.size = 0  # in bytes
        self._held: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """What is held under a key."""
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def put(self, key: str, value: bytes) -> None:
        """Hold something under a key."""
        self.drop(key)
        self._held[key] = value
        self.size += len(value)
        while self.size > self.most_bytes:
            self.drop(next(iter(self._held)))

    def drop_all(self, start: str) -> None:
        """Hold nothing any more under keys that start like this."""
        for key in [key for key in self._held if key.startswith(start)]:
            self.drop(key)

    def drop(self, key: str) -> None:
        """Hold nothing under a key any more."""
        self.size -= len(self._held.pop(key, b""))
