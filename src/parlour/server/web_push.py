"""Web Push: messages that only one browser can read (RFC 8291), and the key by which the server is known (RFC 8292)."""

from __future__ import annotations

import base64
import json
import logging
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from ..engine.errors import Refusal
from ..engine.messages import say
from .data import PUSH_KEY
from .statements import set_aside, write_privately
from .store import StoreError

RECORD = 4096  # bytes; a message is one record
TOKEN_SECONDS = 12 * 3600
AUTH_BYTES, POINT_BYTES = 16, 65
NOT_A_KEY = say("push key", "These are not the keys of a browser's push subscription.")

note = logging.getLogger("parlour.table")


def encoded(content: bytes) -> str:
    """Base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """What base64 for URLs stands for; ValueError where it is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def check_keys(p256dh: str, auth: str) -> None:
    """Refuse keys that no browser could have made."""
    try:
        point, secret = decoded(p256dh), decoded(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise Refusal(NOT_A_KEY) from None
    if len(point) != POINT_BYTES or len(secret) != AUTH_BYTES:
        raise Refusal(NOT_A_KEY)


def derived(key: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """A key from another (HKDF)."""
    return HKDF(SHA256(), size, salt, info).derive(key)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as a point, uncompressed."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def keys_for(secret: bytes, auth: bytes, salt: bytes, browser: bytes, server: bytes) -> tuple[bytes, bytes]:
    """The key and the nonce of a message, from what both sides share."""
    shared = derived(secret, auth, b"WebPush: info\0" + browser + server, 32)
    return (
        derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16),
        derived(shared, salt, b"Content-Encoding: nonce\0", 12),
    )


def encrypted(
    plain: bytes,
    p256dh: str,
    auth: str,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """A message as only the browser with these keys can read it; a key and a salt of its own are made for each."""
    browser = decoded(p256dh)
    own, salt = own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    server = point_of(own.public_key())
    secret = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser))
    key, nonce = keys_for(secret, decoded(auth), salt, browser, server)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(server)]) + server
    return head + AESGCM(key).encrypt(nonce, plain + b"\2", None)


def decrypted(message: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser reads; ValueError where the message is not for it. For tests and for those who check."""
    salt, server, body = message[:16], message[21 : 21 + message[20]], message[21 + message[20] :]
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), server)
    key, nonce = keys_for(private.exchange(ec.ECDH(), peer), auth, salt, point_of(private.public_key()), server)
    try:
        return AESGCM(key).decrypt(nonce, body, None).rstrip(b"\0")[:-1]
    except InvalidTag:
        raise ValueError("the message is not for this key") from None


class PushKey:
    """The key by which push services know this server (VAPID)."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None) -> None:
        self._private = private or ec.generate_private_key(ec.SECP256R1())
        self.key = encoded(point_of(self._private.public_key()))  # the public part, which a browser is given

    def authorization(self, origin: str, contact: str, now: float) -> str:
        """The header that names this server to the push service at an origin."""
        claims = {"aud": origin, "exp": int(now) + TOKEN_SECONDS, "sub": contact}
        parts = [encoded(json.dumps(each, separators=(",", ":")).encode()) for each in (HEADER, claims)]
        signature = self._private.sign(".".join(parts).encode(), ec.ECDSA(SHA256()))
        both = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))
        return f"vapid t={'.'.join([*parts, encoded(both)])}, k={self.key}"

    @classmethod
    def of(cls, data: Path) -> PushKey:
        """The key in a data directory, made at the first start. With another key every browser must subscribe again."""
        path = data / PUSH_KEY
        try:
            if path.exists():
                private = load_pem_private_key(path.read_bytes(), None)
                if isinstance(private, ec.EllipticCurvePrivateKey) and isinstance(private.curve, ec.SECP256R1):
                    return cls(private)
        except OSError as error:
            raise StoreError(f"The key in {path} cannot be read ({error.strerror}).") from None
        except Exception as error:  # of many kinds, from the libraries that read it
            note.warning("the key for push messages cannot be read: %s", type(error).__name__)
        if path.exists():
            aside = set_aside(path)
            note.error("The key for push messages was damaged and is set aside as %s; a new one is made.", aside.name)
        found = cls()
        write_privately(path, found._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return found


HEADER = {"typ": "JWT", "alg": "ES256"}
