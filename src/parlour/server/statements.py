"""Signed statements: what the server told of a table's log, so that a player can prove it if the log changes later."""

from __future__ import annotations

import hashlib
import itertools
import logging
import os
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from .data import KEYS
from .store import StoreError

KEY_FILE, PUBLIC_FILE = f"{KEYS}.key", f"{KEYS}.pub"
LABEL = b"parlour told 1\0"

note = logging.getLogger("parlour.table")


class Shown(NamedTuple):
    """What a client shows at hello: the number and head that it was last told, and the signature under them."""

    number: int
    head: str | None = None
    signature: str | None = None


def signed_text(table: str, number: int, head: str) -> bytes:
    """The bytes that are signed: a label with the version, the table's name, the number and the head."""
    name = table.encode()
    return LABEL + len(name).to_bytes(4, "big") + name + number.to_bytes(8, "big") + bytes.fromhex(head)


def is_signed(table: str, number: int, head: str, signature: str, key: str) -> bool:
    """Whether a signature under a number and head of a table was made with the private part of a key."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), signed_text(table, number, head))
    except (InvalidSignature, ValueError, OverflowError):
        return False
    return True


class Signer:
    """The server's key, with which it signs what it tells."""

    def __init__(self, private: Ed25519PrivateKey | None = None) -> None:
        self._private = private or Ed25519PrivateKey.generate()
        self.key = self._private.public_key().public_bytes_raw().hex()  # the public part

    def sign(self, table: str, number: int, head: str) -> str:
        """The signature under a number and head of a table."""
        return self._private.sign(signed_text(table, number, head)).hex()

    def has_signed(self, table: str, shown: Shown) -> bool:
        """Whether what a client shows was signed with this key."""
        number, head, signature = shown
        return head is not None and signature is not None and is_signed(table, number, head, signature, self.key)

    @classmethod
    def of(cls, data: Path) -> Signer:
        """The key in a data directory; a new one is stored there at the first start, or where the old one is damaged.

        The public part is stored beside it, with a checksum: a flipped bit in the private part would make it another
        key, and only the public part can tell.
        """
        path, public = data / KEY_FILE, data / PUBLIC_FILE
        try:
            known = None if not public.exists() else checked(public.read_bytes())
            found = None if not path.exists() else cls._read(path.read_bytes())
        except OSError as error:
            raise StoreError(f"The key in {path} cannot be read ({error.strerror}).") from None
        if path.exists() and (found is None or known not in (None, found.key)):
            aside = set_aside(path)
            note.error("The signing key was damaged and is set aside as %s; a new one takes its place.", aside.name)
            found = None
        if found is None:
            found = cls()
            write_privately(path, found._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        if known != found.key:
            write_privately(public, public_text(found.key))
        return found

    @classmethod
    def _read(cls, stored: bytes) -> Signer | None:
        """The key as it is stored; None if that is invalid."""
        try:
            private = load_pem_private_key(stored, None)
        except Exception:  # of many kinds, from the libraries that read it
            return None
        return cls(private) if isinstance(private, Ed25519PrivateKey) else None


def checksum(key: str) -> str:
    """By which damage to a stored public key is noticed."""
    return hashlib.sha256(b"parlour key 1\0" + key.encode()).hexdigest()[:16]


def checked(stored: bytes) -> str | None:
    """A public key as it is stored; None where it is damaged."""
    key = stored.decode("ascii", "replace").partition(" ")[0]
    return key if stored == public_text(key) else None


def public_text(key: str) -> bytes:
    """A public key as it is stored."""
    return f"{key} {checksum(key)}\n".encode()


def set_aside(path: Path) -> Path:
    """Give a damaged file another name, so that nothing is lost."""
    numbers = itertools.count(1)
    aside = next(each for number in numbers if not (each := path.with_name(f"{path.name}.damaged-{number}")).exists())
    path.rename(aside)
    return aside


def write_privately(path: Path, content: bytes) -> None:
    """Write a whole file that is for this user alone, or none."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
