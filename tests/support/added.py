"""A game from outside the package, installed as another package would be: found by its entry point."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def installed(folder: Path, name: str, where: str) -> dict[str, str]:
    """The environment of a process in which a game under tests/ is installed: `where` is `module:object`."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[parlour.games]\n{name} = {where}\n", encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(TESTS)])}
