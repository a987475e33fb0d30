"""The page: the browser's part of the table, as it was built into the package, and the faces of the packs."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from ..play.faces import cover, sheet

BUILT = Path(__file__).resolve().parent.parent / "web"
NOTE = "_built.json"  # of what it was built
NOT_BUILT = "There is no page for browsers, as it was not built at installation; `parlour play` plays in the terminal."
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
PACKED = (".woff2", ".png")  # what gains nothing by being compressed
FOR_EVER = "public, max-age=31536000, immutable"  # for what has another name when it has changed
ASK_AGAIN = "no-cache"


def is_built() -> bool:
    return (BUILT / "index.html").is_file()


class Part:
    """One file of the page, ready to be sent."""

    def __init__(self, content: bytes, suffix: str, keep: str) -> None:
        self.headers = {"content-type": TYPES[suffix], "cache-control": keep, "vary": "accept-encoding"}
        self.tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        self.plain = content
        self.packed = None if suffix in PACKED else gzip.compress(content, 9, mtime=0)

    def answer(self, request: Request) -> Response:
        headers = self.headers | {"etag": self.tag}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers=headers | {"content-encoding": "gzip"})
        return Response(self.plain, headers=headers)


def parts() -> dict[str, Part]:
    """Every file of the page by its path, read once: nothing else on this machine can be asked for."""
    found = {}
    for path in sorted(BUILT.rglob("*")):
        if path.suffix in TYPES and path.is_file() and path.name != NOTE:
            name = path.relative_to(BUILT).as_posix()
            keep = FOR_EVER if name.startswith("assets/") else ASK_AGAIN
            found[name] = Part(path.read_bytes(), path.suffix, keep)
    return found


@cache
def faces(game: str, knight: int | None = None) -> Part:
    """The faces of a game's pack, as one drawing."""
    return Part(sheet(game, knight).encode(), ".svg", ASK_AGAIN)


@cache
def lid(game: str) -> Part:
    """Some cards of a game, as on the lid of its box."""
    return Part(cover(game).encode(), ".svg", ASK_AGAIN)
