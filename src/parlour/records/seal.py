"""Seals: what a table promises before the first deal, the chain that runs along its log, and verifying both.

The secret of a table is committed to before anyone sits, and published when the sitting is over. Chance is drawn from
it (`core.Sealed`). Every entry of the log is committed to under a salt of its own, so that a hidden card cannot be
found by trying them all, and the commitments are chained; each seat is given the head of the chain with what it is
told. Who kept a head can tell whether the log that is published in the end is the one that was played.
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

SEAL_VERSION = 1
ENTROPY_BYTES = 32
SALT_LABEL = b"parlour salt 1\0"
ENTRY_LABEL = b"parlour entry 1\0"
HEAD_LABEL = b"parlour head 1\0"
ENTROPY_LABEL = b"parlour entropy 1\0"


def text_of(value: Any) -> bytes:
    """A value as the one text that stands for it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def commitment_to(entropy: bytes) -> str:
    """What a seat says of its entropy before it shows it."""
    return hashlib.sha256(ENTROPY_LABEL + entropy).hexdigest()


def joined(entropies: Sequence[str | None]) -> bytes:
    """The entropy of all seats, as chance takes it; a seat that gave none gives nothing."""
    parts = [bytes.fromhex(each) if each else b"" for each in entropies]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


class Chain:
    """Heads over salted commitments, one a value; `heads[0]` is over what was settled before the first entry."""

    def __init__(self, secret: bytes, opening: Any) -> None:
        self.secret = secret
        self.heads: list[bytes] = []
        self.add(opening)

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    def add(self, value: Any) -> bytes:
        """Chain a value on; the new head."""
        salt = hashlib.sha256(SALT_LABEL + self.secret + len(self.heads).to_bytes(8, "big")).digest()
        commitment = hashlib.sha256(ENTRY_LABEL + salt + text_of(value)).digest()
        before = self.heads[-1] if self.heads else bytes(32)
        self.heads.append(hashlib.sha256(HEAD_LABEL + before + commitment).digest())
        return self.head

    def rewind(self, entries: int) -> None:
        """Back to where so many entries were chained."""
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
    """What is settled before the first entry; `pack` is the order in which chance counts the cards it draws from."""
    return {
        "game": game.name,
        "players": players,
        "options": options,
        "rules": rules,
        "shuffle": SHUFFLE_VERSION,
        "table": table,
        "commitment": commitment,
        "promises": list(promises),
        "entropy": list(entropy),
        "pack": game.codes,
    }


def linked(entry: Sequence[Any], pool: Sequence[Any] | None) -> Any:
    """What is chained of an entry: itself, and for one of chance what it was drawn from."""
    return list(entry) if pool is None else {"chance": list(entry), "from": list(pool)}


def closing_of(record: dict[str, Any]) -> dict[str, Any]:
    """What is chained last: all of a record but its log and its seal."""
    return {name: value for name, value in record.items() if name not in ("log", "seal")}


class Recorder(Sealed):
    """Sealed luck that remembers what each chance entry was drawn from."""

    def __init__(self, game: Game, secret: bytes, entropy: Sequence[str | None], table: str, rules: int) -> None:
        super().__init__(secret, joined(entropy), table, rules)
        self.game = game
        self.pools: list[list[Any]] = []

    def serve(self, state: State) -> object:
        if state.chances == 0:
            self.pools = []  # a sitting that is begun anew
        kind = self.game.entries[state.awaits].kind
        self.pools.append(self.game.write_items(kind, state.possible()))
        return super().serve(state)


# --- verifying --------------------------------------------------------------------------------------------------------


class SealedReplay(Replay):
    """A record played again, its chance compared with what the secret gives."""

    def __init__(self, record: Any) -> None:
        super().__init__(record)
        seal = member(record, "seal", dict, "the seal of its chance; a sitting that was not played at a table has none")
        if member(seal, "version", int, "the version of the seal") != SEAL_VERSION:
            raise Differs(f"the seal is of version {shown(seal['version'])}; this reads version {SEAL_VERSION}.")
        secret = hexadecimal(seal, "secret", 32)
        commitment = member(seal, "commitment", str, "the commitment to the secret")
        table = member(seal, "table", str, "the table's name")
        entropy = member(seal, "entropy", list, "the entropy of each seat")
        if len(entropy) != self.state.players:
            raise Differs(f'"entropy" must have a member for each of {self.state.players} seats.')
        promises = member(seal, "promises", list, "what each seat promised")
        if len(promises) != self.state.players:
            raise Differs(f'"promises" must have a member for each of {self.state.players} seats.')
        for each, promise in zip(entropy, promises, strict=True):
            if each is not None and commitment_to(hexadecimal({"entropy": each}, "entropy", ENTROPY_BYTES)) != promise:
                raise Differs("the entropy of a seat is not what it promised.")
        if seal.get("pack") != self.game.codes:
            raise Differs("the pack is not that of the game.")
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
                raise Differs(f"{kind} is drawn from {shown(pool)}; the seal says otherwise.", self.at)
            self.drawn += 1
            given = self.chance.given(self.state)
            if kind == entry[0] and self.game.read_items(kind, entry[-1]) != given:
                raise Differs(f"the secret gives {shown(self.game.write_items(kind, given))}, not this.", self.at)
        return super().follow(entry)


def is_hexadecimal(text: str, size: int) -> bool:
    """Whether a text is so many bytes, written in hexadecimal."""
    return len(text) == 2 * size and not set(text) - set("0123456789abcdef")


def hexadecimal(holder: dict[str, Any], name: str, size: int) -> bytes:
    """A member of so many bytes, written in hexadecimal."""
    words = f"{2 * size} hexadecimal digits"
    text = member(holder, name, str, words)
    if not is_hexadecimal(text, size):
        raise Differs(f'"{name}" must be {words}, not {shown(text)}.')
    return bytes.fromhex(text)


def verify(record: Any) -> Difference | None:
    """The first way in which a record departs from the rules, its secret or its chain; None where all holds."""
    try:
        replay = SealedReplay(record)
        for _ in replay.run():
            pass
        if replay.drawn < len(replay.pools):
            raise Differs("the seal speaks of more chance than there was.")
        rest = iter(replay.pools)
        for entry in record["log"]:
            chance = replay.game.entries[replay.game.kinds[entry[0]]].nature == CHANCE
            replay.chain.add(linked(entry, next(rest) if chance else None))
        replay.chain.add(closing_of(record))
        if record["seal"].get("head") != replay.chain.head.hex():
            raise Differs("the head of the chain is not that of this log.")
    except Differs as differs:
        return differs.difference
    return None
