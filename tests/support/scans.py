"""The scans of the five documents, which are no part of the project: tests use them where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def seeds() -> Path | None:
    """Their folder: PARLOUR_SCANS, or one called shared/seeds beside the checkout."""
    places = [os.environ.get("PARLOUR_SCANS"), ROOT.parent / "shared/seeds", ROOT.parent.parent / "shared/seeds"]
    return next((Path(place) for place in places if place and Path(place).is_dir()), None)


def scan(game: str) -> str:
    """The text of a game's scan."""
    folder = seeds()
    assert folder
    return (folder / f"{game}.txt").read_text("utf-8")


needs_scans = pytest.mark.skipif(seeds() is None, reason="the scans are not here")
