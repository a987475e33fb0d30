"""Sealed deals: the deal matches its commitment, and a record that was changed is rejected."""

from __future__ import annotations

import copy
import json
import random
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.engine.game import CHANCE, DECISION
from parlour.records.record import check
from parlour.records.seal import Chain, closing_of, commitment_to, joined, linked, opening_of, verify
from parlour.server.lobby import digest
from parlour.server.moves import fields_now
from parlour.server.table import Table

VERIFIER = Path(__file__).resolve().parents[2] / "examples" / "verify.py"
EXAMPLE = runpy.run_path(str(VERIFIER))
KINDS = {entry.kind for game in parlour.REGISTRY.values() for entry in game.entries if entry.nature == CHANCE}
TABLES = [
    ("masquerade", 4, {}),
    ("masquerade", 8, {"exchange": "courtesy"}),
    ("lost-heir", 4, {"sides": "two"}),
    ("lost-heir", 3, {"mistakes": "penalised", "deal_limit": 4}),
    ("sovereign", 3, {"mistakes": "penalised", "thrown": "under", "round_limit": 9}),
    ("sovereign", 11, {"games": 3}),
    ("heraldry", 2, {"capture": "choice"}),
    ("heraldry", 4, {}),
    ("tontine", 5, {}),
]
every_table = pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=str)


def opened(game: str, players: int, options: dict[str, Any], persons: int = 2, seed: int = 1) -> Table:
    """A table at which some persons sit, one of whom promised entropy, and bots at the other seats."""
    secret = bytes(range(32)) if seed == 1 else random.Random(seed).randbytes(32)
    table = Table.open(
        "t-1", secret, game=game, players=players, options=options, invite=digest("code"), opened="2026-01-01"
    )
    for seat in range(persons):
        promise = commitment_to(bytes([seat + seed % 200]) * 32) if seat == 1 else None
        table.lobby.sit(f"Person {seat}", digest(f"token {seat}"), promise=promise)
    for seat in range(persons, players):
        table.lobby.put_bot(0, seat, "thumb")
    table.begin(0)
    if persons > 1:
        table.show(1, (bytes([1 + seed % 200]) * 32).hex())
    return table


def whole_move(table: Table, luck: random.Random) -> list[int]:
    """Any whole move of the seat that decides."""
    steps: list[int] = []
    while following := table.following(table.deciding, steps).legal:
        steps.append(luck.choice(following)[0])
    return steps


def play_out(table: Table, luck: random.Random, most: int = 4000) -> None:
    while table.phase == "playing" and most:
        table.act(table.deciding, whole_move(table, luck))
        most -= 1


@every_table
def test_trying_a_step_shows_choices_but_no_consequences(game: str, players: int, options: dict[str, Any]) -> None:
    """Two tables with the same past and different luck to come: trying a move shows the same at both."""
    table, luck = opened(game, players, options), random.Random(5)
    for _ in range(40):
        if table.phase != "playing":
            return
        seat, before = table.deciding, table.begun().sitting
        other = before.state.copy()  # it has no luck at all
        for step, *_ in table.following(seat, []).legal:
            ahead = table.following(seat, [step])
            then = other.copy()
            then.play(step)
            assert (ahead.view is None) == (not then.unfinished) == (ahead.legal == []) == (ahead.decision is not None)
            if ahead.view is not None:
                assert ahead.view["to_act"] == seat and ahead.view == fields_now(before.game.view(then, seat))
        steps = whole_move(table, luck)
        decision = table.following(seat, steps).decision
        heard = len(before.log)
        table.act(seat, steps)
        decisions = {entry.kind for entry in before.game.entries if entry.nature == DECISION}
        made = next(entry for entry in table.begun().sitting.log[heard:] if entry[0] in decisions)
        assert decision is not None and decision[: len(made)] == made


def finished(game: str, players: int, options: dict[str, Any], seed: int = 1) -> dict[str, Any]:
    table = opened(game, players, options, seed=seed)
    play_out(table, random.Random(f"{game} {seed}"))
    record: dict[str, Any] = json.loads(json.dumps(table.record()))
    return record


def independent(record: Any) -> bool:
    """The verdict of the example in the documentation, which does not use parlour."""
    try:
        return bool(EXAMPLE["holds"](record, KINDS))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration, ZeroDivisionError):
        return False


@every_table
def test_an_honest_record_is_accepted(game: str, players: int, options: dict[str, Any]) -> None:
    record = finished(game, players, options)
    assert check(record) is None
    assert verify(record) is None
    assert independent(record)


def test_the_independent_verifier_is_short_and_stands_alone(tmp_path: Path) -> None:
    lines = [line for line in VERIFIER.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 48 and "parlour import" not in "".join(lines) and "import parlour" not in "".join(lines)
    path = tmp_path / "record.jsonl"
    path.write_text(json.dumps(finished("heraldry", 2, {})) + "\n", encoding="utf-8")
    command = [sys.executable, str(VERIFIER), str(path)]
    for kinds, said in ((["dealer", "deal"], "1 of 1 seals hold\n"), (["dealer"], "0 of 1 seals hold\n")):
        assert subprocess.run([*command, *kinds], capture_output=True, text=True).stdout.endswith(said)
    assert "FILE.jsonl KIND" in subprocess.run(command, capture_output=True, text=True).stderr


def test_a_pool_in_another_order_cannot_choose_the_deal() -> None:
    """The server knows the secret and can chain any log, but not one drawn from a pack in another order."""
    record = finished("heraldry", 2, {})
    seal = record["seal"]
    secret = bytes.fromhex(seal["secret"])
    at, pool = next((number, pool) for number, pool in enumerate(seal["pools"]) if len(pool) == 48)
    deals = [entry for entry in record["log"] if entry[0] in ("dealer", "deal")]
    parts = (secret, joined(seal["entropy"]), seal["table"].encode(), str(record["rules"]).encode())
    stream = b"parlour stream 1\0" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert EXAMPLE["drawn"](stream + at.to_bytes(4, "big"), pool, 48) == deals[at][1]
    pool.reverse()
    deals[at][1] = EXAMPLE["drawn"](stream + at.to_bytes(4, "big"), pool, 48)
    settled = [seal[name] for name in ("table", "commitment", "promises", "entropy")]
    chain = Chain(secret, opening_of(parlour.game("heraldry"), record["rules"], 2, record["options"], *settled))
    pools = iter(seal["pools"])
    for entry in record["log"]:
        chain.add(linked(entry, next(pools) if entry[0] in ("dealer", "deal") else None))
    seal["head"] = chain.add(closing_of(record)).hex()
    assert not independent(record) and verify(record) is not None
    EXAMPLE["holds"].__globals__["sorted"] = lambda pool, key: pool  # apart from the order, everything holds
    try:
        assert independent(record)
    finally:
        del EXAMPLE["holds"].__globals__["sorted"]


def mutations(value: Any, luck: random.Random) -> Any:
    """Something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + luck.choice((-1, 1))
    if isinstance(value, str):
        at = luck.randrange(len(value)) if value else 0
        return value[:at] + ("1" if value[at : at + 1] == "0" else "0") + value[at + 1 :]
    if value is None:
        return "00" * 32
    if isinstance(value, list):
        return value[:-1] if value else [0]
    return {}


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a record."""
    found = [way] if way else []
    if isinstance(value, dict):
        found += [place for name in value for place in places(value[name], (*way, name))]
    elif isinstance(value, list):
        found += [place for at in range(len(value)) for place in places(value[at], (*way, at))]
    return found


def at_place(value: Any, way: tuple[Any, ...]) -> Any:
    for part in way:
        value = value[part]
    return value


@every_table
@pytest.mark.parametrize("tries", [8, pytest.param(80, marks=pytest.mark.long)])
def test_a_change_anywhere_in_a_record_is_rejected(
    game: str, players: int, options: dict[str, Any], tries: int
) -> None:
    """One change of every kind of place outside the log, and some anywhere; places in a list are of one kind."""
    record = finished(game, players, options)
    luck = random.Random(f"{game} {players}")
    ways = places(record)
    heads = [way for way in ways if way[0] not in ("log",) and way[:2] != ("seal", "pools")]
    luck.shuffle(heads)
    kinds = {tuple(part for part in way if isinstance(part, str)): way for way in heads}
    for way in [*kinds.values(), *luck.sample(ways, min(tries, len(ways)))]:
        touched = copy.deepcopy(record)
        holder = at_place(touched, way[:-1])
        holder[way[-1]] = mutations(holder[way[-1]], luck)
        if touched == record:
            continue
        assert verify(touched) is not None, way
        assert not independent(touched), way
    for name in record:
        touched = copy.deepcopy(record)
        del touched[name]
        assert verify(touched) is not None, name


def test_a_seal_can_be_opened_only_at_the_end() -> None:
    table = opened("heraldry", 4, {})
    with pytest.raises(parlour.Refusal, match="not over yet"):
        table.record()


def test_other_entropy_gives_another_deal() -> None:
    one, other = (opened("heraldry", 4, {}, seed=seed) for seed in (1, 201))
    other_same = opened("heraldry", 4, {}, seed=1)
    assert one.sitting and other.sitting and other_same.sitting
    assert one.sitting.log == other_same.sitting.log != other.sitting.log


def test_entropy_that_was_not_promised_is_refused() -> None:
    table = Table.open("t", bytes(32), game="heraldry", players=2, options={}, invite=b"", opened="")
    table.lobby.sit("One", digest("a"), promise=commitment_to(bytes(32)))
    table.lobby.put_bot(0, 1, "thumb")
    table.begin(0)
    with pytest.raises(parlour.Refusal, match="not the entropy that was promised"):
        table.show(0, "11" * 32)
    assert table.phase == "sealing"
    table.start()
    assert table.phase == "playing" and table.lobby.seats[0].entropy is None


@every_table
def test_a_table_is_restored_from_its_log(game: str, players: int, options: dict[str, Any]) -> None:
    """Loaded from its rows at any moment it is the same table, with the same past and future."""
    table = opened(game, players, options)
    luck = random.Random(game)
    rows = table.take_rows()
    for number in range(60):
        if table.phase != "playing":
            break
        table.act(table.deciding, whole_move(table, luck))
        rows += table.take_rows()
        if number % 10 == 0:
            again = Table.load(table.name, table.secret, rows)
            assert again.described() == table.described()
            assert again.sitting and table.sitting
            assert again.sitting.told == table.sitting.told
            assert again.begun().chain.heads == table.begun().chain.heads
            assert again.size == table.size
    play_out(table, luck)
    again = Table.load(table.name, table.secret, rows + table.take_rows())
    assert again.phase == "over" and again.begun().chain.heads == table.begun().chain.heads
    assert again.record() == table.record()
