"""A client for served tables: open them, sit by a link, play, watch, and fetch records.

`sit` and `watch` give a `Table`, for programs that do one thing after the other; `AsyncTable` is the same for asyncio.
`messages` has the types of everything that is sent.
"""

from __future__ import annotations

from ..server import messages
from .errors import ClientError, Refused, SetBack, Stale, Unreachable
from .plain import Table, sit, watch
from .server import Link, Place, Server
from .table import AsyncTable

__all__ = [
    "AsyncTable",
    "ClientError",
    "Link",
    "Place",
    "Refused",
    "Server",
    "SetBack",
    "Stale",
    "Table",
    "Unreachable",
    "messages",
    "sit",
    "watch",
]
