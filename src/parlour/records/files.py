"""Files of records: plain, or compressed as the name says (.gz, .zst)."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any, cast

INSTALL = "pip install 'parlour[records]'"


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


def open_to_read(path: str) -> AbstractContextManager[IO[bytes]]:
    """A file of records, or of anything else, to be read line by line."""
    if path.endswith(".parquet"):
        raise Missing(
            "A .parquet file is a table for other programs; records are read from JSON Lines (also .gz, .zst)."
        )
    file: AbstractContextManager[IO[bytes]]
    if path.endswith(".zst"):
        file = _zstd().open(path, "rb")
    elif path.endswith(".gz"):
        file = gzip.open(path, "rb")  # type: ignore[assignment]
    else:
        file = open(path, "rb")
    return file
