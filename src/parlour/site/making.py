"""A static edition: a folder of files that any web server can serve, in which the page plays without a server."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..engine.catalogue import languages
from ..games import REGISTRY
from ..server import http, static
from ..server.replays import lesson
from ..sheets.exports import json_ld_in_page

NOTE = "runtime.json"
NOT_BUILT = "What plays in the browser is not here. From a checkout, `python tools/runtime.py` builds it."


class NotMade(Exception):
    """Why there is no static edition, in a sentence."""


def note() -> dict[str, object]:
    """What plays in the browser; NotMade where it was not built."""
    try:
        found: dict[str, object] = json.loads((static.RUNTIME / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise NotMade(NOT_BUILT) from None
    if not static.is_built():
        raise NotMade(static.NOT_BUILT)
    return found


def answers() -> Iterator[tuple[str, bytes]]:
    """What a server answers to everyone alike, by path, as the page asks for it."""
    games = tuple(REGISTRY.values())
    yield "/api/games?brief=1", http.books(games, True).plain
    for language in languages(None):
        yield f"/api/words?language={language}", http.spoken_words(None, language, False).plain
    for game in games:
        yield f"/api/games/{game.name}", http.book(game, False).plain
        yield f"/api/games/{game.name}?brief", http.book(game, True).plain
        for language in languages(game):
            for asked, brief in (("?", False), ("?brief&", True)):
                yield (
                    f"/api/words/{game.name}{asked}language={language}",
                    http.spoken_words(game, language, brief).plain,
                )
        found = lesson(game.name, "keys")
        if found:
            yield f"/api/lessons/{game.name}?words=keys", static.json_part(found).plain
        yield f"/faces/{game.name}.svg", static.faces(game).plain
        yield f"/covers/{game.name}.svg", static.cover(game).plain


def file_of(path: str) -> str:
    """In which file the answer to a path is; the page knows it as well (web/src/lib/alone.ts)."""
    name = re.sub(r"[^\w.]+", "-", path[1:])
    return f"data/{name}" if path.endswith(".svg") else f"data/{name}.json"


def page(kind: str) -> str:
    """The page itself, with addresses that do not depend on where it lies."""
    text = static.described((static.BUILT / "index.html").read_bytes()).decode()
    text = re.sub(r'(href|src)="/', r'\1="./', text)
    return text.replace("<html ", f'<html data-alone="{kind}" ', 1)


def relative(name: str, text: str) -> str:
    """A script, a style or the manifest of the page, with such addresses, too."""
    if name.endswith(".css"):
        return text.replace("url(/assets/", "url(./")
    if name.endswith(".webmanifest"):
        return text.replace('": "/', '": "./')
    # the one place in which Vite makes an address of a chunk's name
    return re.sub(
        r"function\((\w)\)\{return`/`\+\1\}", r"function(\1){return new URL(`../`+\1,import.meta.url).href}", text
    )


def one_file(path: Path) -> int:
    """Write everything as one page, to be opened from a disk; how many bytes it has."""
    found = note()
    folder = static.RUNTIME / "page"
    script, style = ((folder / f"page.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    # whole books, which are opened later, are left to the Worker
    books = [f"/api/games/{name}" for name in REGISTRY]
    files = {file_of(asked): content for asked, content in answers() if asked not in books}
    names = [NOTE, *found["files"]]  # type: ignore[misc]
    files |= {f"runtime/{name}": (static.RUNTIME / name).read_bytes() for name in names}
    files["alone.js"] = (static.BUILT / "alone.js").read_bytes()
    files["licences.txt"] = (static.BUILT / "licences.txt").read_bytes()
    script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{allowed}' blob: 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; worker-src blob:; connect-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )
    icon = base64.b64encode((static.BUILT / "icon.svg").read_bytes()).decode()
    linked = json_ld_in_page(game.sheet for game in REGISTRY.values())
    parts = [
        '<!doctype html>\n<html lang="en" data-theme="auto" data-alone="file">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">\n<title>Parlour</title>\n{linked}',
        f'<style>{style}</style>\n</head>\n<body>\n<div id="parlour"></div>',
        *(
            f'<script type="text/plain" data-file="{name}">{packed(content)}</script>'
            for name, content in files.items()
        ),
        f'<script type="module">{script}</script>\n</body>\n</html>\n',
    ]
    text = "\n".join(parts)
    path.write_text(text, encoding="utf-8", newline="\n")
    return len(text.encode())


def packed(content: bytes) -> str:
    """A file as text in a page."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def make(folder: Path) -> int:
    """Write the folder; how many bytes it has."""
    note()
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(static.BUILT.rglob("*")):
        name = path.relative_to(static.BUILT).as_posix()
        if path.is_dir() or name in (static.NOTE, "index.html") or path.suffix == ".br":
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".css", ".js", ".webmanifest"):
            target.write_text(relative(name, path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(path, target)
    (folder / "data").mkdir(exist_ok=True)
    data = {file_of(path): content for path, content in answers()}
    for name, content in data.items():
        (folder / name).write_bytes(content)
    kept = json.loads((static.BUILT / "kept.json").read_text(encoding="utf-8"))
    whole = {"files": [*kept["files"], *data], "alone": True}
    (folder / "kept.json").write_text(json.dumps(whole), encoding="utf-8")
    (folder / "runtime").mkdir(exist_ok=True)
    for part in static.RUNTIME.glob("*.*"):
        shutil.copyfile(part, folder / "runtime" / part.name)
    (folder / "index.html").write_text(page("folder"), encoding="utf-8")
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


__all__ = ["NotMade", "make"]
