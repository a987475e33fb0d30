"""The page's files, as they were built into the package, and the drawn faces of the packs."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ..engine.game import Game
from ..games import REGISTRY
from ..play import faces as drawn
from ..sheets.exports import json_ld_in_page
from ..sheets.model import OptionError

BUILT = Path(__file__).resolve().parent.parent / "web"
RUNTIME = BUILT.with_name("runtime")  # what plays in a browser without a server, where that was built
NOTE = "_built.json"  # what it was built from
PLAYING = "alone.js"  # the Worker that does; it alone may compile, and only WebAssembly
PLAYING_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
NOT_BUILT = "There is no page for browsers: it was not built at installation. `parlour play` plays in the terminal."
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
    ".packed": "application/octet-stream",
    ".zip": "application/zip",
}
PACKED = (".woff2", ".png", ".packed", ".zip")  # compressed already
FOREVER = "public, max-age=31536000, immutable"  # for files that get another name when they change
ASK_AGAIN = "no-cache"
UNWANTED = re.compile(r";\s*q=0(\.0*)?\s*$")  # an encoding that the client does not take
Options = tuple[tuple[str, Any], ...]


def is_built() -> bool:
    """Whether the package has the page."""
    return (BUILT / "index.html").is_file()


class Part:
    """One file of the page, ready to be sent."""

    def __init__(self, content: bytes, suffix: str, caching: str, brotli: bytes | None = None) -> None:
        self.headers = {"content-type": TYPES[suffix], "cache-control": caching, "vary": "accept-encoding"}
        self.tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        self.plain = content
        self.packed: dict[str, bytes] = {}  # by encoding, the smallest first
        if brotli is not None:
            self.packed["br"] = brotli
        if suffix not in PACKED:
            self.packed["gzip"] = gzip.compress(content, 9, mtime=0)

    def answer(self, request: Request, status: int = 200) -> Response:
        """The file, compressed where the client can read that, or that it has not changed."""
        headers = self.headers | {"etag": self.tag}
        if status == 200 and self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "").lower().split(",")
        readable = {each.partition(";")[0].strip() for each in accepted if not UNWANTED.search(each)}
        for encoding, packed in self.packed.items():
            if encoding in readable:
                return Response(packed, status, headers | {"content-encoding": encoding})
        return Response(self.plain, status, headers)


def json_part(value: Any) -> Part:
    """What everyone may know and does not change while the server runs, so that it may be compressed."""
    return Part(msgspec.json.encode(value), ".json", ASK_AGAIN)


def parts() -> dict[str, Part]:
    """Every file of the page by its path, read once: nothing else on this machine can be asked for."""
    found = {}
    for path in sorted(BUILT.rglob("*")):
        if path.suffix in TYPES and path.is_file() and path.name != NOTE:
            name = path.relative_to(BUILT).as_posix()
            caching = FOREVER if name.startswith("assets/") else ASK_AGAIN
            patient = path.with_name(f"{path.name}.br")  # made when the page was built
            brotli = patient.read_bytes() if patient.is_file() else None
            content = path.read_bytes()
            if name == "index.html":  # which games are here is known now, not when the page was built
                content, brotli = described(content), None
            found[name] = Part(content, path.suffix, caching, brotli)
            if name == PLAYING:
                found[name].headers["content-security-policy"] = PLAYING_POLICY
    for path in sorted(RUNTIME.glob("*.*")):
        found[f"runtime/{path.name}"] = Part(path.read_bytes(), path.suffix, ASK_AGAIN)
    return found


def described(page: bytes) -> bytes:
    """The page with what catalogues and search engines read about its games."""
    linked = json_ld_in_page(game.sheet for game in REGISTRY.values())
    return page.replace(b"</head>", linked.encode() + b"</head>", 1)


def options_asked(game: Game, query: Iterable[tuple[str, str]]) -> Options:
    """The options in a query such as `?knight=3` by which the game's faces differ; any others are ignored."""
    found = {}
    given = dict(query)
    for option in game.sheet.options:
        if option.name in given and option.name in game.drawn_by:
            try:
                found[option.name] = option.check(option.parse(given[option.name]), game.sheet.usual)
            except OptionError:
                continue
    return tuple(found.items())


@lru_cache(maxsize=64)
def faces(game: Game, options: Options = ()) -> Part:
    """The faces of a game's pack as they are with some options, as one drawing."""
    return Part(drawn.sheet(game.name, dict(options)).encode(), ".svg", ASK_AGAIN)


@cache
def cover(game: Game) -> Part:
    """Some cards of a game, as on the lid of its box."""
    return Part(drawn.cover(game.name).encode(), ".svg", ASK_AGAIN)
