"""The engine beside a second reading of the sheets (`support.letter`), under any options, also those seldom chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import parlour
from parlour.sheets.model import Option, Setting
from support.cases import vectors
from support.effort import times
from support.letter import Differs, replay

each_game = pytest.mark.parametrize("name", parlour.GAMES)
SHORT = {"games": 6, "deal_limit": 6, "round_limit": 12, "stake": 9, "penalty": 4}  # the largest that are tried
ODD = {"penalty": 1000, "goal": 100}  # tried now and then
DECISIONS = {"play", "give", "decline", "return", "bid", "trump", "change", "throw", "leave", "capture", "discard"}


def some_value(option: Option, players: int, luck: Random) -> Setting:
    if option.values:
        return luck.choice([value.name for value in option.values if players in value.players])
    if option.name in ODD and luck.random() < 0.1:
        return ODD[option.name]
    return luck.randint(option.low, min(option.high, SHORT.get(option.name, 30)))


def some_record(name: str, luck: Random) -> dict[str, Any]:
    """A sitting played at random under options drawn at random; some are left as they usually are."""
    game = parlour.game(name)
    players = luck.choice(game.sheet.players)
    drawn = {option.name: some_value(option, players, luck) for option in game.sheet.options}
    given = {option: value for option, value in drawn.items() if option in SHORT or luck.random() < 0.8}
    sitting = parlour.Sitting(name, players, seed=luck.random(), **given)
    while not sitting.over:
        sitting.play(luck.choice(sitting.legal()))
    record: dict[str, Any] = json.loads(json.dumps(sitting.record()))
    return record


def reads(record: dict[str, Any]) -> str:
    """What the second reading finds wrong with a record; empty where it agrees."""
    try:
        replay(record)
    except (Differs, AssertionError, ValueError, KeyError, IndexError) as found:
        return f"{type(found).__name__} {found}"
    return ""


@each_game
def test_the_second_reading_agrees_with_the_reference_records(name: str) -> None:
    assert {place: found for place, record in vectors(name) if (found := reads(record))} == {}


@each_game
def test_sittings_under_any_options_are_played_by_the_letter_of_the_sheet(name: str) -> None:
    luck = Random(f"letter {name}")
    for _ in range(times(25, 400)):
        record = some_record(name, luck)
        assert reads(record) == "", (record["players"], record["options"])


def changed(record: dict[str, Any], luck: Random) -> Iterator[tuple[int, dict[str, Any]]]:
    """The record up to a decision, with another decision of the same seat in its place, lawful or not."""
    log = record["log"]
    cards = sorted({card for entry in log for part in entry if isinstance(part, list) for card in map(str, part)})
    places = [at for at, entry in enumerate(log) if entry[0] in DECISIONS]
    for at in luck.sample(places, min(4, len(places))):
        kind, seat = log[at][:2]
        card, first = luck.choice(cards), log[at][-1] if len(log[at]) < 4 else log[at][2]
        others = {
            "play": [["play", seat, card], ["give", seat, card], ["decline", seat]],
            "give": [["give", seat, card], ["decline", seat]],
            "decline": [["give", seat, card], ["play", seat, card]],
            "return": [["return", seat, card]],
            "bid": [["bid", seat, luck.randint(-1, 30)], ["bid", seat, luck.randint(0, 9)]],
            "trump": [["trump", seat, luck.choice("NPBCX")]],
            "capture": [["discard", seat, first], ["capture", seat, first, luck.sample(cards, 2)]],
            "discard": [["discard", seat, card], ["capture", seat, first, [card]]],
        }.get(kind)
        if others is None:  # Sovereign
            others = [["throw", seat, card], ["leave", seat], ["take", seat, "surplus"], ["take", seat, "neighbour"]]
            others.append(["change", seat, luck.sample(cards, min(4, len(cards)))])
        yield at, record | {"log": [*log[:at], luck.choice(others)]}


@pytest.mark.parametrize("name", [name for name in parlour.GAMES if parlour.game(name).steps > 1])
def test_what_may_be_done_is_the_same_in_both(name: str) -> None:
    luck, met = Random(f"lawful {name}"), set()
    for _ in range(times(25, 400)):
        for at, record in changed(some_record(name, luck), luck):
            lawful = reads(record) == f"Differs the log ends after entry {at}"
            found = parlour.check(record)
            assert found is not None
            assert (found.entry is None or found.entry > at) == lawful, (
                record["options"],
                record["log"][-3:],
                str(found),
            )
            met.add(lawful)
    assert met == {True, False}


@each_game
def test_the_second_reading_notices_what_is_wrong(name: str) -> None:
    luck = Random(f"wrong {name}")
    record = some_record(name, luck)
    assert reads(record) == ""
    log = record["log"]
    for at in luck.sample(range(len(log)), min(40, len(log))):
        assert reads(record | {"log": log[:at]})
    for at, entry in enumerate(log[:100]):
        if entry[0] in ("score", "total", "take", "skip", "pay", "pool"):
            other = [entry[0], [999] if entry[0] == "total" else 99, *entry[2:]]
            assert reads(record | {"log": [*log[:at], other, *log[at + 1 :]]})
    assert reads(record | {"result": record["result"] | {"winners": []}})
