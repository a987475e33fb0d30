"""Damaged records: each gives one clear difference in one line, and nothing else is ever raised."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour.records.record import Difference, line_of, read_lines
from parlour.sheets.model import Value
from support.cases import vectors

Record = dict[str, Any]
FIRST = {name: next(record for _, record in vectors(name)) for name in parlour.GAMES}


def fresh(name: str) -> Record:
    return copy.deepcopy(FIRST[name])


def check_line(found: Difference | None) -> str:
    """The difference as text: one short line of printable characters."""
    assert found is not None
    text = str(found)
    text.encode("utf-8")
    assert text.isprintable() and text.endswith((".", ")")) and len(text) < 400, text
    return text


def difference(record: Any) -> str:
    return check_line(parlour.check(record))


def at(record: Record, kind: str, number: int = 0) -> int:
    """The place of an entry of this kind in the log."""
    return [place for place, entry in enumerate(record["log"]) if entry[0] == kind][number]


# --- lines that are no records ---------------------------------------------------------------------------------------

GOOD = line_of(FIRST["tontine"]).encode()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (GOOD[:-20], "not JSON"),
        (b"card games", "not JSON"),
        (b"", "not JSON"),
        (b'{"parlour": NaN}', "not JSON"),
        (b'{"parlour": -Infinity}', "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (GOOD[:30] + b"\xc3" + GOOD[30:].strip(), "not UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"9" * 10_000, "not JSON"),
        (b'"' + b"x" * 20_000 + b'"', "longer than 19,000 bytes"),
    ],
)
def test_a_line_that_is_not_a_record_is_reported(line: bytes, says: str) -> None:
    file = BytesIO(b"\n".join([GOOD.strip(), line, GOOD.strip()]) + b"\n")
    first, wrong, last = read_lines(file, 19_000 if b"xxx" in line else 10**6)
    assert wrong[:2] == (2, None)
    assert says in wrong[2] and wrong[2].endswith(".") and "\n" not in wrong[2]
    assert (first[0], last[0]) == (1, 3)
    assert first[1] == last[1] == FIRST["tontine"]
    assert not first[2] and not last[2]


def test_a_last_line_without_a_line_ending_is_read() -> None:
    assert [entry[1] for entry in read_lines(BytesIO(GOOD + GOOD.strip()))] == [FIRST["tontine"]] * 2
    assert list(read_lines(BytesIO(b""))) == []


@pytest.mark.parametrize("depth", [10, 200, 500, 800, *range(860, 1010, 10)])
def test_deep_nesting_is_refused_anywhere(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    record = fresh("lost-heir")
    for damaged in (
        "DEEP",
        record | {"game": "DEEP"},
        record | {"options": record["options"] | {"sides": "DEEP"}},
        record | {"log": [["dealer", "DEEP"]]},
        record | {"log": "DEEP"},
        record | {"result": {"scores": "DEEP"}},
    ):
        text = json.dumps(damaged).replace('"DEEP"', deep)
        ((_, read, wrong),) = read_lines(BytesIO(text.encode()))
        assert wrong or difference(read)


# --- heads -----------------------------------------------------------------------------------------------------------

HEADS: list[tuple[str, Record, str]] = [
    ("another format", {"parlour": 2}, "format"),
    ("format as text", {"parlour": "1"}, '"parlour" must be'),
    ("format true", {"parlour": True}, '"parlour" must be'),
    ("format 1.0", {"parlour": 1.0}, '"parlour" must be'),
    ("unknown game", {"game": "whist"}, "whist"),
    ("no game", {"game": None}, '"game" must be'),
    ("a list for a game", {"game": ["lost-heir"]}, '"game" must be'),
    ("players as text", {"players": "4"}, '"players" must be'),
    ("players true", {"players": True}, '"players" must be'),
    ("players 4.0", {"players": 4.0}, '"players" must be'),
    ("five players", {"players": 5}, "HEIR-5"),
    ("very many players", {"players": 10**30}, "HEIR-5"),
    ("options as a list", {"options": []}, '"options" must be'),
    ("options none", {"options": {}}, "also needs"),
    ("rules 0", {"rules": 0}, '"rules" is version 0'),
    ("rules of the future", {"rules": 99}, '"rules" is version 99'),
    ("very large rules", {"rules": 10**2000}, '"rules"'),
    ("rules as text", {"rules": "1"}, '"rules" must be'),
    ("shuffle of the future", {"shuffle": 99}, '"shuffle" is version 99'),
    ("shuffle null", {"shuffle": None}, '"shuffle" must be'),
    ("log an object", {"log": {}}, '"log" must be'),
    ("log null", {"log": None}, '"log" must be'),
    ("empty log", {"log": []}, "log ends"),
    ("result null", {"result": None}, '"result" must be'),
    ("result empty", {"result": {}}, "scores should be"),
]


@pytest.mark.parametrize(("change", "says"), [head[1:] for head in HEADS], ids=[head[0] for head in HEADS])
def test_a_wrong_head_is_reported(change: Record, says: str) -> None:
    assert says in difference(fresh("lost-heir") | change)


@pytest.mark.parametrize("name", ["parlour", "game", "players", "options", "log", "result"])
def test_a_missing_member_is_reported(name: str) -> None:
    record = fresh("heraldry")
    del record[name]
    assert f'"{name}" is missing' in difference(record)


@pytest.mark.parametrize("record", [None, True, 0, 1.5, "record", [], [[]], {}, {"parlour": 1}])
def test_a_value_that_is_not_a_record_is_reported(record: Any) -> None:
    difference(record)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("games", 0, "MASQ-20"),
        ("games", 1001, "MASQ-20"),
        ("games", "1", "MASQ-20"),
        ("games", True, "MASQ-20"),
        ("games", 1.0, "MASQ-20"),
        ("games", None, "MASQ-20"),
        ("games", [1], "MASQ-20"),
        ("games", 10**40, "MASQ-20"),
        ("following", "jump", "MASQ-7"),
        ("following", ["climb"], "MASQ-7"),
        ("following", 0, "MASQ-7"),
        ("colour", "red", "no option"),
    ],
)
def test_a_wrong_option_is_reported(name: str, value: Any, says: str) -> None:
    record = fresh("masquerade")
    record["options"][name] = value
    assert says in difference(record)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_missing_option_is_reported(name: str) -> None:
    for option in FIRST[name]["options"]:
        record = fresh(name)
        del record["options"][option]
        assert option in difference(record)


# Games whose rules have a later version; the first record of a game is of version 1.
LATER = [name for name in parlour.GAMES if parlour.game(name).rules > 1]


def latest(name: str) -> Record:
    """A record of the newest rules version."""
    rules = parlour.game(name).rules
    return next(copy.deepcopy(record) for _, record in vectors(name) if record.get("rules", 1) == rules)


@pytest.mark.parametrize("name", LATER)
def test_a_record_has_the_options_of_its_rules_version(name: str) -> None:
    sheet = parlour.sheet(name)
    for record in (fresh(name), latest(name)):
        rules = record.get("rules", 1)
        assert list(record["options"]) == [option.name for option in sheet.options if option.since <= rules]
        assert parlour.check(record) is None
        assert parlour.check(record | {"rules": rules}) is None
        assert '"rules" must be a version number, not null' in difference(record | {"rules": None})
        assert '"rules" must be' in difference(record | {"rules": float(rules)})


@pytest.mark.parametrize("name", LATER)
def test_a_later_option_or_value_is_reported_in_an_earlier_record(name: str) -> None:
    found = 0
    for option in parlour.sheet(name).options:
        for value in option.values or [Value(option.low, "", ())]:
            since = max(option.since, value.since)
            if since > 1:
                record = fresh(name)
                record["options"][option.name] = value.name
                found += 1
                words = f"came with rules version {since}, and this is version 1 ({option.clause})."
                assert difference(record).endswith(words)
    assert found


@pytest.mark.parametrize("name", LATER)
def test_a_record_of_another_version_than_it_says_is_reported(name: str) -> None:
    assert "also needs a value for" in difference(fresh(name) | {"rules": parlour.game(name).rules})
    record = latest(name)
    del record["rules"]
    assert "and this is version 1" in difference(record)
    for option in latest(name)["options"]:
        record = latest(name)
        del record["options"][option]
        assert f"also needs a value for {option}" in difference(record)


def test_an_option_for_another_number_of_players_is_reported() -> None:
    record = next(record for _, record in vectors("lost-heir") if record["players"] == 3)
    assert "HEIR-18" in difference(record | {"options": record["options"] | {"sides": "two"}})


def test_unknown_members_are_ignored() -> None:
    beside = {"date": [1865], "seed": None, "names": {"": 0}, "rules": 1, "shuffle": 1}
    for name in parlour.GAMES:
        assert parlour.check(fresh(name) | beside) is None


# --- logs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_log_that_is_too_short_or_too_long_is_reported(name: str) -> None:
    record = fresh(name)
    whole = record["log"]
    for length in (0, 1, 2, len(whole) // 2, len(whole) - 1):
        text = difference(record | {"log": whole[:length]})
        assert "log ends" in text and f"entry {length}:" in text
    for more in (whole[-1], ["deal", []], None, []):
        assert f"entry {len(whole)}: the sitting is over" in difference(record | {"log": [*whole, more]})


@pytest.mark.parametrize("entry", [None, [], {}, "play", 7, [None], [7], [["play"]], [{}]])
@pytest.mark.parametrize("name", parlour.GAMES)
def test_an_invalid_entry_is_reported(name: str, entry: Any) -> None:
    for place in (0, 1, 2, 5):
        record = fresh(name)
        record["log"][place] = entry
        assert f"entry {place}:" in difference(record)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_an_entry_of_another_kind_or_game_is_reported(name: str) -> None:
    entries = [["whist", 1], ["hand", 0, []], ["first", 0], ["table", []], ["pick", 0, "SH"], ["divide", []]]
    entries += [["turn", 0], ["bid", 0, 1], ["sweep", 0, [], "HER-8"], ["skip", 0, "MASQ-6"], ["redeal", "HEIR-8a"]]
    for place in (0, 2):
        for entry in entries:
            record = fresh(name)
            if record["log"][place][0] != entry[0]:
                record["log"][place] = entry
                assert f"entry {place}:" in difference(record)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_card_dealt_twice_is_reported(name: str) -> None:
    record = fresh(name)
    cards = record["log"][at(record, "deal")][1]
    if name == "sovereign":
        cards[cards.index("HS")] = cards[0] = "SOV"
    else:
        cards[1] = cards[0]
    assert f"entry {at(record, 'deal')}:" in difference(record)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_wrong_member_of_any_entry_is_reported(name: str) -> None:
    """Every kind of entry, every member: another type, another value, one too few, one too many."""
    wrong_values: list[Any] = [None, True, 1.0, "", "XX", "M\n1", "\ud800", -1, 99, 10**30, [], ["XX"], [1], [[]], {}]
    kinds = {entry[0] for entry in FIRST[name]["log"]}
    for kind in kinds:
        place = at(FIRST[name], kind)
        whole = FIRST[name]["log"][place]
        damaged = [[*whole, 0], [*whole, whole[-1]], whole[:-1], [kind]]
        damaged += [
            [*whole[:member], value, *whole[member + 1 :]] for member in range(1, len(whole)) for value in wrong_values
        ]
        for entry in damaged:
            if json.dumps(entry) != json.dumps(whole):
                record = fresh(name)
                record["log"][place] = entry
                assert f"entry {place}:" in difference(record), entry


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_wrong_seat_is_reported(name: str) -> None:
    decisions = ("play", "bid", "throw", "capture", "turn")
    record = fresh(name)
    place = next(at(record, entry[0]) for entry in record["log"] if entry[0] in decisions)
    record["log"][place][1] = (record["log"][place][1] + 1) % record["players"]
    assert "turn of seat" in difference(record)


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_wrong_consequence_is_reported(name: str) -> None:
    kinds = {"masquerade": "score", "lost-heir": "total", "sovereign": "pool", "heraldry": "score", "tontine": "pay"}
    record = fresh(name)
    place = at(record, kinds[name])
    member = record["log"][place]
    if name == "lost-heir":
        member[1][0] += 1
    else:
        member[-2 if name != "sovereign" else 2] += 1
    text = difference(record)
    assert f"entry {place}: expected" in text and "found" in text


@pytest.mark.parametrize("name", parlour.GAMES)
@pytest.mark.parametrize("member", ["scores", "winners"])
def test_a_wrong_result_is_reported(name: str, member: str) -> None:
    for change in (
        lambda values: [value + 1 for value in values],
        lambda values: [float(value) for value in values],
        lambda values: [str(value) for value in values],
        lambda values: [*values, 0],
        lambda values: [],
        lambda values: None,
        lambda values: {},
    ):
        record = fresh(name)
        record["result"][member] = change(record["result"][member])
        text = difference(record)
        assert f"the {member} should be" in text and not text.startswith("entry")


ILLEGAL: list[tuple[str, str, Callable[[Record], list[Any]], str]] = [
    ("masquerade", "play", lambda record: ["play", record["log"][at(record, "play")][1], "M1"], "MASQ-"),
    ("lost-heir", "bid", lambda record: ["bid", record["log"][at(record, "bid")][1], 30], "HEIR-6"),
    ("lost-heir", "bid", lambda record: ["bid", record["log"][at(record, "bid")][1], -1], "HEIR-6"),
    ("lost-heir", "bid", lambda record: ["trump", record["log"][at(record, "bid")][1], "N"], "HEIR-6"),
    ("sovereign", "throw", lambda record: ["change", record["log"][at(record, "throw")][1], ["SOV"]], "SOV-"),
    ("sovereign", "throw", lambda record: ["change", record["log"][at(record, "throw")][1], []], "SOV-4"),
    ("sovereign", "throw", lambda record: ["take", record["log"][at(record, "throw")][1], "surplus"], "SOV-11"),
    ("sovereign", "take", lambda record: ["leave", record["log"][at(record, "take")][1]], "SOV-5"),
    ("heraldry", "capture", lambda record: ["discard", *record["log"][at(record, "capture")][1:3]], "HER-6"),
    ("heraldry", "capture", lambda record: ["capture", *record["log"][at(record, "capture")][1:3], []], "HER-4"),
]


@pytest.mark.parametrize(("name", "kind", "entry", "clause"), ILLEGAL)
def test_an_illegal_decision_is_reported_with_its_clause(
    name: str, kind: str, entry: Callable[[Record], list[Any]], clause: str
) -> None:
    record = fresh(name)
    place = at(record, kind)
    record["log"][place] = entry(record)
    text = difference(record)
    assert f"entry {place}:" in text and "is refused" in text and f"({clause}" in text


def test_a_capture_worth_more_than_the_card_is_reported_with_its_clause() -> None:
    """Captures of the reference records, with another card of the table that is worth too much."""
    worth = {code: min(number // 4 + 1, 10) for number, code in enumerate(parlour.game("heraldry").codes)}
    tried = 0
    for _, record in list(vectors("heraldry"))[:6]:
        replay = parlour.records.record.Replay(copy.deepcopy(record))
        before: list[str] = []
        place = replay.at
        for _ in replay.run():
            entry = next((entry for entry in record["log"][place:] if entry[0] in ("capture", "discard")), None)
            if entry and entry[0] == "capture" and tried < 40:
                heavy = [code for code in before if worth[code] > worth[entry[2]]]
                number = record["log"].index(entry)
                if heavy and record["log"].count(entry) == 1:
                    damaged = copy.deepcopy(record)
                    damaged["log"][number][3].append(heavy[0])
                    assert "(HER-" in difference(damaged)
                    tried += 1
            before = [replay.game.code(card) for card in replay.state.where()["table"]]
            place = replay.at
    assert tried > 10


# --- anything, anywhere ----------------------------------------------------------------------------------------------

TEXTS = st.sampled_from(["", "M1", "LH", "SOV", "6D", "N", "box", "surplus", "a\nb", "\ud800", "\x1b[31m", "\u2028"])
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 7, 64, 255, 2**31, 2**63, 2**64, 10**30, -(2**70), 1.0, 0.5, 1e300])
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=2), max_leaves=6
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a JSON value: what holds it, and its key there."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def mutate(record: Record, draw: Callable[[Any], Any]) -> None:
    """Replace, delete, double, insert or exchange something somewhere."""
    # half of the time near the beginning, or most mutations would fall into a long log's tail
    found = list(places(record))
    near = draw(st.booleans())
    holder, key = found[draw(st.integers(0, min(len(found), 150 if near else len(found)) - 1))]
    how = draw(st.sampled_from(["replace", "delete", "double", "insert", "exchange"]))
    if how == "replace" or (how == "insert" and isinstance(holder, dict)):
        holder[key] = draw(VALUES)
    elif how == "delete":
        del holder[key]
    elif isinstance(holder, list):
        if how == "double":
            holder.insert(key, copy.deepcopy(holder[key]))
        elif how == "insert":
            holder.insert(key, draw(VALUES))
        else:
            other = draw(st.integers(0, len(holder) - 1))
            holder[key], holder[other] = holder[other], holder[key]


SMALL = {
    name: sorted((record for _, record in vectors(name)), key=lambda record: len(record["log"]))[:6]
    for name in parlour.GAMES
}


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_no_damage_raises_an_exception(data: st.DataObject) -> None:
    record = copy.deepcopy(data.draw(st.sampled_from(SMALL[data.draw(st.sampled_from(parlour.GAMES))])))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(record, data.draw)
    found = parlour.check(record)
    if found is not None:
        check_line(found)
    # reading it from a file gives the same
    ((_, read, wrong),) = read_lines(BytesIO(json.dumps(record).encode()))
    assert not wrong and str(parlour.check(read)) == str(found)
