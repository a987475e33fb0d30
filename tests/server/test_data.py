"""The small files of a data directory: the signing key and the lock, with any bit flipped."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from parlour.server.data import InUse, held
from parlour.server.statements import KEY_FILE, PUBLIC_FILE, Signer
from parlour.server.store import StoreError
from support.effort import times


def flips(content: bytes, number: int) -> list[bytes]:
    """Some copies of a file, each with one bit flipped."""
    luck = random.Random(1)
    found = []
    for bit in luck.sample(range(8 * len(content)), min(number, 8 * len(content))):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        found.append(bytes(changed))
    return found


def test_a_damaged_key_never_becomes_another_silently(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key = Signer.of(tmp_path).key
    path = tmp_path / KEY_FILE
    good, public = path.read_bytes(), (tmp_path / PUBLIC_FILE).read_bytes()
    replaced = 0
    for damaged in flips(good, times(200, 10_000)):
        caplog.clear()
        path.write_bytes(damaged)
        found = Signer.of(tmp_path).key
        assert Signer.of(tmp_path).key == found, "the new one stays"
        if found != key:
            replaced += 1
            (line,) = caplog.records
            assert line.levelno == logging.ERROR and "set aside" in line.getMessage()
            (aside,) = tmp_path.glob(f"{KEY_FILE}.damaged-*")
            assert aside.read_bytes() == damaged
            assert path.stat().st_mode & 0o777 == aside.stat().st_mode & 0o777 == 0o600
            aside.unlink()
        (tmp_path / PUBLIC_FILE).write_bytes(public)
    assert replaced


def test_damage_to_the_public_part_leaves_the_key_as_it_is(tmp_path: Path) -> None:
    key = Signer.of(tmp_path).key
    path = tmp_path / PUBLIC_FILE
    good = path.read_bytes()
    for damaged in (*flips(good, times(200, 10_000)), b"", b"nonsense"):
        path.write_bytes(damaged)
        assert Signer.of(tmp_path).key == key and path.read_bytes() == good
    path.unlink()
    assert Signer.of(tmp_path).key == key and path.read_bytes() == good, "an earlier version stored none"


def test_a_key_that_may_not_be_read_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        Signer.of(tmp_path)


def test_a_damaged_lock_still_says_that_another_server_is_there(tmp_path: Path) -> None:
    with held(tmp_path) as file:
        file.write("http://127.0.0.1:1/")
        file.flush()
        for damaged in flips((tmp_path / "lock").read_bytes(), 200):
            (tmp_path / "lock").write_bytes(damaged)
            with pytest.raises(InUse), held(tmp_path):
                pass
