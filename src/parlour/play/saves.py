"""Where the terminal stores unfinished sittings and records, and how it writes them."""

from __future__ import annotations

import os
from pathlib import Path


def data_home() -> Path:
    """The folder for unfinished sittings, records and tables."""
    home = os.environ.get("PARLOUR_DATA")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "parlour"


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: afterwards it holds the whole text, or what it held before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    with open(new, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def fresh_path(path: Path) -> Path:
    """This path, or one like it with a number, where no file exists yet."""
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
