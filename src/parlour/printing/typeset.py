"""Typesetting by Typst, in the typefaces that come with the page."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "web" / "assets"
FACES = ("old-standard-tt",)  # the beginnings of the names of their files


class NotInstalled(Exception):
    """What is needed for printing is not installed; the message is one sentence."""


def _typst() -> ModuleType:
    try:
        import fontTools.ttLib  # noqa: F401
        import typst
    except ImportError as error:
        needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[print]'"
        raise NotInstalled(needed) from None
    return typst


def typeset(template: str, data: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """A PDF of a template beside this module, filled with data; it may name these files."""
    with _project(template, data, files) as given:
        found: bytes = _typst().compile(**given)
    return found


def count_pages(template: str, data: Mapping[str, Any], files: Mapping[str, bytes]) -> int:
    """How many pages a template makes of some data."""
    with _project(template, data, files, "\n#context [#metadata(here().page()) <the-end>]") as given:
        return int(_typst().query(selector="<the-end>", field="value", one=True, **given))


@contextmanager
def _project(
    template: str, data: Mapping[str, Any], files: Mapping[str, bytes], end: str = ""
) -> Iterator[dict[str, Any]]:
    """A folder with all that a template needs, as arguments for Typst."""
    _typst()
    with tempfile.TemporaryDirectory(prefix="parlour-print-") as folder:
        root = Path(folder)
        source = (HERE / template).read_text(encoding="utf-8") + end
        whole = {"main.typ": source.encode(), "data.json": json.dumps(data).encode(), **files, **_fonts()}
        for name, content in whole.items():
            (root / name).write_bytes(content)
        yield {"input": root / "main.typ", "root": root, "font_paths": [root], "ignore_system_fonts": True}


@cache
def _fonts() -> dict[str, bytes]:
    """The typefaces of the page as files that Typst reads; where the page was not built, Typst's own serve."""
    from fontTools.ttLib import TTFont

    found = {}
    for number, file in enumerate(sorted(PAGE.glob("*.woff2"))):
        if file.name.startswith(FACES):
            font, written = TTFont(io.BytesIO(file.read_bytes())), io.BytesIO()
            font.flavor = None
            font.save(written)
            found[f"{number}.ttf"] = written.getvalue()
    return found
