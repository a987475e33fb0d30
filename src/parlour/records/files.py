"""Files of records: plain, or compressed as the name says (.gz, .zst)."""

from __future__ import annotations

import errno
import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any, Protocol, cast

INSTALL = "pip install 'parlour[records]'"


class Readable(Protocol):
    """What lines are read from."""

    def readline(self, size: int, /) -> bytes: ...


class Missing(Exception):
    """What a kind of file needs is not installed; the message is one sentence."""


def _zstd() -> Any:
    """Python's own module for zstd (from 3.14 on), or the same for an earlier Python."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return import_module(name)
    except ImportError:
        raise Missing(f"A .zst file needs {name}: {INSTALL}.") from None


@contextmanager
def open_to_write(path: str) -> Iterator[IO[bytes]]:
    """A new file of records, or of a table of them (.parquet); the same records give the same bytes."""
    if path.endswith(".parquet") and find_spec("pyarrow") is None:
        raise Missing(f"A .parquet file needs pyarrow: {INSTALL}.")
    zstd = _zstd() if path.endswith(".zst") else None
    with open(path, "wb") as file:
        if zstd is not None:
            with zstd.open(file, "wb") as packed:
                yield packed
        elif path.endswith(".gz"):
            with gzip.GzipFile("", "wb", 3, file, 0) as packed:  # without a name and a time
                yield cast(IO[bytes], packed)
        else:
            yield file


class Unpacked:
    """The lines of a compressed file; damage is an OSError that says so."""

    def __init__(self, file: Any, wrong: tuple[type[Exception], ...]) -> None:
        self.file = file
        self.wrong = wrong

    def readline(self, size: int, /) -> bytes:
        try:
            line: bytes = self.file.readline(size)
        except self.wrong as error:
            raise OSError(errno.EIO, "its compressed data is damaged or cut short") from error
        return line


@contextmanager
def open_to_read(path: str) -> Iterator[Readable]:
    """A file of records, to be read line by line."""
    if path.endswith(".parquet"):
        raise Missing(
            "A .parquet file is a table for other programs; records are read from JSON Lines (also .gz, .zst)."
        )
    zstd = _zstd() if path.endswith(".zst") else None
    with open(path, "rb") as file:
        if zstd is not None:
            with zstd.open(file, "rb") as packed:
                yield Unpacked(packed, (EOFError, zstd.ZstdError))
        elif path.endswith(".gz"):
            with gzip.GzipFile("", "rb", fileobj=file) as unpacked:
                yield Unpacked(unpacked, (EOFError, gzip.BadGzipFile, zlib.error))
        else:
            yield file
