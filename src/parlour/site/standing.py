"""What stands in for the packages of a server in a browser: structs and JSON, requests and answers; others are absent.

The table's own modules are the same everywhere. Those that name SQLite, signatures or network connections import them
all the same, and never use them there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from . import structs

ABSENT = ("_ssl", "apsw", "cryptography", "ctypes", "h11", "ssl", "subprocess", "uvicorn", "websockets")


class Absent(ModuleType):
    """A module that is not here: whatever is imported from it is a class that nothing is ever an instance of."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = type(name, (Exception,), {})
        setattr(self, name, kind)
        return kind


class Finder:
    """Finds modules that are not here."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.partition(".")[0] in ABSENT else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = Absent(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


class Request:
    """What a page asks for once."""

    def __init__(self, method: str, path: str, body: str | None = None, token: str | None = None) -> None:
        self.method = method
        self.url = urlsplit(path)
        self.query_params = dict(parse_qsl(self.url.query, keep_blank_values=True))
        self.headers = {"host": "here"} | ({"authorization": f"Bearer {token}"} if token else {})
        self.scope = {"address": ""}
        self.path_params: dict[str, Any] = {}
        self._body = (body or "").encode()

    async def stream(self) -> AsyncIterator[bytes]:
        """The body, in one part."""
        yield self._body


class Response:
    """The answer to it."""

    def __init__(
        self,
        content: str | bytes = b"",
        status_code: int = 200,
        headers: dict[str, str] | None = None,
        media_type: str = "",
    ) -> None:
        self.body = content.encode() if isinstance(content, str) else content
        self.status_code = status_code
        self.headers = dict(headers or {})
        if media_type:
            self.headers["content-type"] = media_type


class HTTPException(Exception):
    """A status instead of an answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status_code = status


class Route(SimpleNamespace):
    """Which endpoint answers at which path."""

    def __init__(self, path: str, endpoint: Callable[..., Any], methods: Sequence[str] = ("GET",)) -> None:
        super().__init__(path=path, endpoint=endpoint, methods=methods)


def install() -> None:
    """Let the modules of the table find these."""
    if not hasattr(time, "thread_time"):  # there is one thread, and nobody pays for it
        time.thread_time = time.perf_counter
    sys.modules.update(structs.modules())
    kinds: dict[str, dict[str, Any]] = {
        "starlette": {},
        "starlette.applications": {"Starlette": object},
        "starlette.exceptions": {"HTTPException": HTTPException},
        "starlette.requests": {"Request": Request, "ClientDisconnect": type("ClientDisconnect", (Exception,), {})},
        "starlette.responses": dict.fromkeys(("Response", "PlainTextResponse", "RedirectResponse"), Response),
        "starlette.routing": {"Route": Route},
        "starlette.types": dict.fromkeys(("ASGIApp", "Message", "Receive", "Scope", "Send"), object),
    }
    for name, members in kinds.items():
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(members)
    sys.meta_path.insert(0, Finder())
