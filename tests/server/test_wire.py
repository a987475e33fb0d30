"""No leaks, shown by twin worlds: two listeners who were told the same are sent the same bytes, whatever they ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cases import Case
from support.twins import TWINS
from support.worlds import twins


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_listeners_who_were_told_the_same_are_sent_the_same(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = twins(case, tmp_path, monkeypatch, 1)
    assert sent > 20 or case.game.name == "tontine"


@pytest.mark.long
@pytest.mark.parametrize("case", TWINS, ids=str)
def test_listeners_who_were_told_the_same_are_sent_the_same_a_hundred_times(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert twins(case, tmp_path, monkeypatch, 100) > 200 or case.game.name == "tontine"
