"""Signed statements: what the server told of a table's log, so that a player can prove it if the log changes later."""

from __future__ import annotations

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

from .store import StoreError

KEY_FILE = "signing.key"
LABEL = b"parlour told 1\0"


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
        """The key in a data directory; a new one is stored there at the first start."""
        path = data / KEY_FILE
        if not path.exists():
            made = cls()
            made._store(path)
            return made
        try:
            private = load_pem_private_key(path.read_bytes(), None)
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(f"The key in {path} cannot be read ({type(error).__name__}).") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise StoreError(f"The key in {path} must be an Ed25519 key.")
        return cls(private)

    def _store(self, path: Path) -> None:
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
