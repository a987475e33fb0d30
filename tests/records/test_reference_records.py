"""Records on which two independent implementations agree replay without a difference, compiled and interpreted."""

from __future__ import annotations

from types import ModuleType

import pytest

import parlour
from parlour.engine.build import load_interpreted
from support.cases import vectors


@pytest.mark.parametrize("package", [parlour, load_interpreted()], ids=["loaded", "interpreted"])
@pytest.mark.parametrize("name", parlour.GAMES)
def test_every_reference_record_replays(name: str, package: ModuleType) -> None:
    differences = {place: str(found) for place, record in vectors(name) if (found := package.check(record))}
    assert not differences


@pytest.mark.parametrize("name", parlour.GAMES)
def test_reference_records_cover_every_option_value(name: str) -> None:
    met = {(option, value) for _, record in vectors(name) for option, value in record["options"].items()}
    options = parlour.sheet(name).options
    assert {(option.name, value.name) for option in options for value in option.values} <= met


def test_the_interpreted_twin_is_another_package() -> None:
    twin = load_interpreted()
    assert twin.check is not parlour.check
    assert not twin.engine.build.is_compiled()
