"""Pieces of Python in processes of their own, without what this one was told by its environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.wait import WAIT

STATUS = "import parlour; print(parlour.engine.build.status())"


def environment(**changes: str) -> dict[str, str]:
    """The environment without anything that is meant for parlour, and with some changes."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PARLOUR_", "PYTHONPATH"))}
    return clean | changes


def done(*command: str | Path, seconds: float = 10 * WAIT, **changes: str) -> tuple[str, str]:
    """Output and errors of a command, which must succeed."""
    ran = subprocess.run(
        [*map(str, command)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(**changes),
        cwd="/",
        timeout=seconds,
        check=False,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
    return ran.stdout, ran.stderr


def python(code: str, *, path: Path | None = None, executable: str = sys.executable, **changes: str) -> tuple[str, str]:
    """Output and errors of a piece of Python, which must succeed."""
    if path is not None:
        changes["PYTHONPATH"] = str(path)
    return done(executable, "-c", code, **changes)
