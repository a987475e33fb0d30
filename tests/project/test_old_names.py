"""Names that the docs of an earlier version promised: they still work, and say what they are called now."""

from __future__ import annotations

import importlib
import sys
import warnings

import pytest

import parlour
from parlour import Seeded
from parlour._moved import MOVED
from parlour.engine.search import Candidate


@pytest.mark.parametrize("name", MOVED)
def test_a_module_is_found_by_its_old_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"parlour.{name}", raising=False)
    new = importlib.import_module(f"parlour.{MOVED[name]}")
    with warnings.catch_warnings(action="ignore"):
        importlib.import_module(f"parlour.{name}".rpartition(".")[0])  # which warns by itself
    with pytest.warns(DeprecationWarning, match=f"parlour.{name} has moved: import parlour.{MOVED[name]}."):
        assert importlib.import_module(f"parlour.{name}") is new


def test_methods_are_found_by_their_old_names() -> None:
    sitting = parlour.Sitting("lost-heir", seed=7)
    view = sitting.view(sitting.seat)
    with pytest.warns(DeprecationWarning, match="View.heuristic") as caught:
        assert view.advice(Seeded(1)) == view.heuristic(Seeded(1))
    assert [each.filename for each in caught] == [__file__], "the line that uses the old name is named"
    with pytest.warns(DeprecationWarning, match="View.track_beliefs"):
        view.attend(trusting=True)
    one, other = (bytearray(sum(rows * size for _, rows, size in view.layout())) for _ in range(2))
    view.encode(one)
    with pytest.warns(DeprecationWarning, match="View.encode"):
        view.write(other)
    assert one == other
    with pytest.warns(DeprecationWarning, match="State.serve_chance"):
        sitting.state.settle()
    with pytest.warns(DeprecationWarning, match="Candidate.win_chance") as caught:
        assert Candidate(0, 1, 0.0, 0.0, 0.25, 1.0, 0.5).hope == 0.25
    assert [each.filename for each in caught] == [__file__]
