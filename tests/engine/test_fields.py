"""The declared fields of a view: the hand-written encoders and the data agree with the declaration."""

from __future__ import annotations

import pytest

from parlour import REGISTRY, Seeded
from parlour.engine.build import load_interpreted
from parlour.engine.fields import OWNER
from parlour.players.bots import Random
from support.cases import Case, remembered, single_cases, written

NAMES = list(REGISTRY)


@pytest.mark.parametrize("case", single_cases(), ids=str)
def test_the_encoder_writes_the_fields_as_declared(case: Case) -> None:
    sitting, bot = case.sitting(3), Random(Seeded(3))
    fields = [field for field in case.game.fields if field.encoded]
    for _ in range(150):
        for seat in (-1, 0, case.players - 1, max(sitting.seat, 0)):
            view = sitting.view(seat)
            declared = bytes(number for field in fields for number in field.write(view))
            assert written(view) == declared
            memory = [field for field in case.game.fields if field.remembered]
            assert remembered(view) == bytes(number for field in memory for number in field.write(view))
        if sitting.over:
            break
        sitting.play(bot.pick(sitting.legal()))


@pytest.mark.parametrize("name", NAMES)
def test_a_spectator_sees_no_private_field(name: str) -> None:
    game = REGISTRY[name]
    owned = [field for field in game.fields if field.seen_by == OWNER and field.encoded]
    sitting, bot = case_sitting(name), Random(Seeded(5))
    for _ in range(100):
        spectator = sitting.view(-1)
        for field in owned:
            assert not any(field.write(spectator)), field.name
        if sitting.over:
            break
        sitting.play(bot.pick(sitting.legal()))


def case_sitting(name: str):  # type: ignore[no-untyped-def]
    from parlour import Sitting

    return Sitting(name, seed=5)


@pytest.mark.parametrize("name", NAMES)
def test_every_field_has_a_meaning_and_a_name_of_its_own(name: str) -> None:
    fields = REGISTRY[name].fields
    assert len({field.name for field in fields}) == len(fields)
    assert all(field.meaning and (field.shown or field.encoded or field.remembered) for field in fields)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_interpreted_show_the_same_names(name: str) -> None:
    """What only C can call begins with an underscore, so that nothing else differs."""
    twin = load_interpreted()
    for mine, other in (
        (REGISTRY[name].new(), twin.game(name).new()),
        (REGISTRY[name].view(REGISTRY[name].new(), 0), twin.game(name).view(twin.game(name).new(), 0)),
    ):
        compiled = {each for each in dir(mine) if not each.startswith("_")}
        interpreted = {each for each in dir(other) if not each.startswith("_")}
        assert compiled == interpreted
