"""The folders of the package in the order in which they may import each other, and the modules in them."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "parlour"

# Each folder may import from those before it, and from nothing after.
LAYERS = ("_version", "_moved", "util", "sheets", "engine", "games", "records", "players")
LAYERS += ("play", "printing", "lab", "research", "server", "site", "client", "club", "cli", "__main__")


def module_paths() -> dict[str, Path]:
    """Every module of the package, by its name within it."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        if name != "__init__":
            found[name] = path
    return found


def sentence_of(path: Path) -> str:
    """The sentence that a module opens with."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())
