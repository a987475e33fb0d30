"""Sittings begun under an earlier rules version go on under it, wherever they are stored."""

from __future__ import annotations

import json
import pickle
from array import array
from typing import Any

import pytest

import parlour
from parlour import OptionError, Seeded, Sitting
from parlour.engine.game import Game
from parlour.records.seal import verify
from parlour.server.lobby import Lobby
from parlour.server.replays import frames_of
from parlour.server.rows import Damaged, Log
from parlour.server.sealed import SealedSitting
from parlour.server.settings import Settings, new_settings
from parlour.server.thinking import opening_of
from support.cases import SHORT, played

LATER = [game for game in parlour.REGISTRY.values() if game.rules > 1]
each_later = pytest.mark.parametrize("game", LATER, ids=lambda game: game.name)


def of_version_1(game: Game, seed: object = 1) -> Sitting:
    return Sitting(game, game.sheet.usual, seed=seed, rules=1, **SHORT[game.name])


def names_of_version_1(game: Game) -> list[str]:
    return [option.name for option in game.sheet.options if option.since == 1]


@each_later
def test_a_sitting_of_version_1_is_played_and_recorded_as_one(game: Game) -> None:
    sitting = played(of_version_1(game), Seeded(1))
    record = sitting.record()
    assert "rules" not in record and list(record["options"]) == names_of_version_1(game)
    assert list(sitting.state.options) == [option.name for option in game.sheet.options]
    assert parlour.check(json.loads(json.dumps(record))) is None


@each_later
def test_a_sitting_of_version_1_takes_no_later_option(game: Game) -> None:
    for option in game.sheet.options:
        if option.since > 1:
            given: dict[str, Any] = {option.name: option.before}
            with pytest.raises(OptionError, match=rf"^{option.name} came with rules version"):
                Sitting(game, rules=1, **given)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^Tontine has rules version 1, not 2\.$"):
        Sitting("tontine", rules=2)


@each_later
def test_a_saved_sitting_of_version_1_goes_on_under_it(game: Game) -> None:
    sitting = played(of_version_1(game), Seeded(1), limit=9)
    sitting.take_back()
    saved = json.loads(sitting.save())
    assert saved["rules"] == 1 and list(saved["options"]) == names_of_version_1(game)
    again = Sitting.load(json.dumps(saved))
    assert (again.rules, again.log) == (1, sitting.log)
    assert "rules" not in played(again, Seeded(2)).record()
    with pytest.raises(ValueError, match=r"^This is not a saved sitting: .* also needs a value for"):
        Sitting.load(json.dumps(saved | {"rules": game.rules}))


def opened(game: Game) -> dict[str, Any]:
    """The settings of a table that was opened under version 1."""
    chosen = SHORT[game.name]
    row = new_settings("t", bytes(32), game=game.name, players=game.sheet.usual, options=chosen, invite=b"", opened="")
    options = {name: row["options"][name] for name in names_of_version_1(game)}
    return row | {"rules": 1, "options": options}


@each_later
def test_a_table_of_version_1_goes_on_under_it(game: Game) -> None:
    settings = Settings.read(opened(game))
    sealed = SealedSitting("t", bytes(32), settings, Lobby(Log(), game, settings.players, True))
    assert list(settings.options) == [option.name for option in game.sheet.options]
    played(sealed.sitting, Seeded(3))
    while sealed.half_done:
        sealed.chain_next()
    names = ["x"] * settings.players
    sealed.close(names)
    record = json.loads(json.dumps(sealed.record(names)))
    assert "rules" not in record and list(record["options"]) == names_of_version_1(game)
    assert verify(record) is None
    steps = [step for move in sealed.sitting.moves for step in move.steps]
    opening = opening_of(sealed)
    assert pickle.loads(opening)[1] == 1
    assert frames_of(opening, array("I", steps[:20]).tobytes(), names, 0)


@each_later
def test_a_table_whose_options_do_not_fit_its_version_is_damaged(game: Game) -> None:
    row = opened(game)
    with pytest.raises((Damaged, OptionError)):
        Settings.read(row | {"rules": game.rules})
