"""Seals: the commitment that a table makes before the first deal, the hash chain over its log, and verifying both.

The table commits to a secret before anyone sits down, and publishes it when the sitting is over. Chance is drawn from
that secret (`core.Sealed`). Every entry of the log is committed to under a salt of its own, so that nobody can find a
hidden card by trying them all. The commitments form a hash chain; each seat is told the head of the chain along with
its events. A player who stored a head can check that the published log is the one that was played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ..engine.chance import SHUFFLE_VERSION, Sealed
from ..engine.core import State
from ..engine.game import CHANCE, Game
from .record import Difference, Differs, Replay, member, shown

__all__ = ["Chain", "verified", "verify"]

SEAL_VERSION = 1
ENTROPY_BYTES = 32
SALT_LABEL = b"parlour salt 1\0"
ENTRY_LABEL = b"parlour entry 1\0"
HEAD_LABEL = b"parlour head 1\0"
ENTROPY_LABEL = b"parlour entropy 1\0"


def text_of(value: Any) -> bytes:
    """The canonical JSON of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def commitment_to(entropy: bytes) -> str:
    """The commitment of a seat to its entropy, published before the entropy."""
    return hashlib.sha256(ENTROPY_LABEL + entropy).hexdigest()


def joined(entropies: Sequence[str | None]) -> bytes:
    """The entropy of all seats as one byte string; a seat that gave none counts as empty."""
    parts = [bytes.fromhex(each) if each else b"" for each in entropies]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


class Chain:
    """A hash chain over salted commitments, one a value; `heads[0]` covers what was fixed before the first entry."""

    def __init__(self, secret: bytes, opening: Any) -> None:
        self.secret = secret
        self.heads: list[bytes] = []
        self.add(opening)

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    def add(self, value: Any) -> bytes:
        """Append a value to the chain; returns the new head."""
        salt = hashlib.sha256(SALT_LABEL + self.secret + len(self.heads).to_bytes(8, "big")).digest()
        commitment = hashlib.sha256(ENTRY_LABEL + salt + text_of(value)).digest()
        before = self.heads[-1] if self.heads else bytes(32)
        self.heads.append(hashlib.sha256(HEAD_LABEL + before + commitment).digest())
        return self.head

    def rewind(self, entries: int) -> None:
        """Go back to where this many entries were chained."""
        del self.heads[entries + 1 :]


def opening_of(
    game: Game,
    rules: int,
    players: int,
    options: dict[str, Any],
    table: str,
    commitment: str,
    promises: Sequence[str | None],
    entropy: Sequence[str | None],
) -> dict[str, Any]:
    """What is fixed before the first entry; `pack` is the order in which chance counts the cards it draws from."""
    return {
        "game": game.name,
        "players": players,
        "options": game.sheet.recorded(options, rules),
        "rules": rules,
        "shuffle": SHUFFLE_VERSION,
        "table": table,
        "commitment": commitment,
        "promises": list(promises),
        "entropy": list(entropy),
        "pack": game.codes,
    }


def linked(entry: Sequence[Any], pool: Sequence[Any] | None) -> Any:
    """The value to chain for an entry: the entry itself, and for a chance entry also what it was drawn from."""
    return list(entry) if pool is None else {"chance": list(entry), "from": list(pool)}


def closing_of(record: dict[str, Any]) -> dict[str, Any]:
    """The value to chain last: a record without its log and its seal."""
    return {name: value for name, value in record.items() if name not in ("log", "seal")}


class Recorder(Sealed):
    """Sealed chance that remembers what each entry was drawn from."""

    def __init__(self, game: Game, secret: bytes, entropy: Sequence[str | None], table: str, rules: int) -> None:
        super().__init__(secret, joined(entropy), table, rules)
        self.game = game
        self.pools: list[list[Any]] = []

    def serve(self, state: State) -> object:
        if state.chances == 0:
            self.pools = []  # a sitting that begins again
        kind = self.game.entries[state.awaits].kind
        self.pools.append(self.game.write_items(kind, state.possible()))
        return super().serve(state)


# --- verifying --------------------------------------------------------------------------------------------------------


class SealedReplay(Replay):
    """A replay that compares every chance entry with the one that the secret gives."""

    def __init__(self, record: Any) -> None:
        super().__init__(record)
        seal = member(record, "seal", dict, "the seal of its chance; only sittings played at a table have one")
        if member(seal, "version", int, "the version of the seal") != SEAL_VERSION:
            raise Differs(f"the seal is of version {shown(seal['version'])}; this reads version {SEAL_VERSION}.")
        secret = hexadecimal(seal, "secret", 32)
        commitment = member(seal, "commitment", str, "the commitment to the secret")
        table = member(seal, "table", str, "the table's name")
        entropy = member(seal, "entropy", list, "the entropy of each seat")
        if len(entropy) != self.state.players:
            raise Differs(f'"entropy" must have a member for each of {self.state.players} seats.')
        promises = member(seal, "promises", list, "the promise of each seat")
        if len(promises) != self.state.players:
            raise Differs(f'"promises" must have a member for each of {self.state.players} seats.')
        for each, promise in zip(entropy, promises, strict=True):
            if each is not None and commitment_to(hexadecimal({"entropy": each}, "entropy", ENTROPY_BYTES)) != promise:
                raise Differs("the entropy of a seat does not match its promise.")
        if seal.get("pack") != self.game.codes:
            raise Differs("the pack is not the pack of the game.")
        self.pools = member(seal, "pools", list, "what each chance entry was drawn from")
        self.chance = Recorder(self.game, secret, entropy, table, self.state.rules)
        if self.chance.commitment != commitment:
            raise Differs("the secret is not the one that was committed to.")
        settled = (self.state.players, self.state.options, table, commitment, promises, entropy)
        self.chain = Chain(secret, opening_of(self.game, self.state.rules, *settled))
        self.drawn = 0

    def follow(self, entry: list[Any]) -> list[int]:
        if self.state.awaits >= 0:
            kind = self.game.entries[self.state.awaits].kind
            pool = self.game.write_items(kind, self.state.possible())
            if self.drawn >= len(self.pools) or self.pools[self.drawn] != pool:
                raise Differs(f"{kind} is drawn from {shown(pool)}; the seal says something else.", self.at)
            self.drawn += 1
            given = self.chance.given(self.state)
            if kind == entry[0] and self.game.read_items(kind, entry[-1]) != given:
                raise Differs(f"the secret gives {shown(self.game.write_items(kind, given))}, not this.", self.at)
        return super().follow(entry)


def is_hexadecimal(text: str, size: int) -> bool:
    """Whether a text is this many bytes in hexadecimal."""
    return len(text) == 2 * size and not set(text) - set("0123456789abcdef")


def hexadecimal(holder: dict[str, Any], name: str, size: int) -> bytes:
    """A member of a record that is this many bytes in hexadecimal."""
    words = f"{2 * size} hexadecimal digits"
    text = member(holder, name, str, words)
    if not is_hexadecimal(text, size):
        raise Differs(f'"{name}" must be {words}, not {shown(text)}.')
    return bytes.fromhex(text)


def verified(record: Any) -> Chain:
    """The chain over a record's log; raises Differs at the first difference from the rules, its secret or its chain."""
    replay = SealedReplay(record)
    for _ in replay.run():
        pass
    if replay.drawn < len(replay.pools):
        raise Differs("the seal has more chance entries than the log.")
    rest = iter(replay.pools)
    for entry in record["log"]:
        chance = replay.game.entries[replay.game.kinds[entry[0]]].nature == CHANCE
        replay.chain.add(linked(entry, next(rest) if chance else None))
    replay.chain.add(closing_of(record))
    if record["seal"].get("head") != replay.chain.head.hex():
        raise Differs("the head of the chain does not match this log.")
    return replay.chain


def verify(record: Any) -> Difference | None:
    """The first difference of a record from the rules, its secret or its chain; None where there is none."""
    try:
        verified(record)
    except Differs as differs:
        return differs.difference
    return None
