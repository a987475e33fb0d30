"""Small studies, really played, for the tests of reports."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import parlour
from parlour.engine import build
from parlour.lab import study as lab

# Interpreted, few and short ones.
SITTINGS = 60 if build.is_compiled() else 5  # of each row
GAMES = parlour.GAMES if build.is_compiled() else ("heraldry", "tontine")


@cache
def played(game: str, kind: str) -> dict[str, Any]:
    work = lab.study_of(kind, parlour.game(game), sittings=SITTINGS)
    return lab.report(work, lab.play_study(work, lab.by_processes(1)))


def study(game: str, kind: str = "readings") -> dict[str, Any]:
    """The result of a study, which may be changed; it is played once."""
    return deepcopy(played(game, kind))
