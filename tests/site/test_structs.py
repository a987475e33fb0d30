"""What stands in for msgspec in a browser reads and writes the messages of the table as msgspec does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from parlour import check
from parlour.server import messages
from parlour.server.bodies import Opening
from parlour.site import structs

TOLD = Path(__file__).with_name("told.py")


def test_what_a_page_is_told_without_a_server_is_byte_for_byte_what_msgspec_would_write() -> None:
    command = [sys.executable, str(TOLD), "heraldry", "7", "thumb"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    decoder = msgspec.json.Decoder(messages.ToClient)
    assert len(found["told"]) > 20
    for text in found["told"]:
        assert messages.encode(decoder.decode(text)).decode() == text
    assert check(found["record"]) is None


class Inner(structs.Struct, forbid_unknown_fields=True):
    """A struct within another."""

    number: int
    of: list[str] = []  # noqa: RUF012


class One(structs.Struct, tag="one", tag_field="kind"):
    """One of two that are told apart by their tags."""

    inner: Inner
    more: float | None = None


class Two(structs.Struct, tag="two", tag_field="kind"):
    """The other."""


def test_structs_are_read_by_their_tags_and_checked() -> None:
    one = structs.decoded('{"kind":"one","inner":{"number":3},"more":2}', One | Two)
    assert one == One(Inner(3), 2.0)
    assert structs.encoded(one) == b'{"kind":"one","inner":{"number":3,"of":[]},"more":2.0}'
    assert structs.decoded('{"kind":"two","unknown":1}', One | Two) == Two()


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[]",
        '{"kind":"three"}',
        '{"kind":"one"}',
        '{"kind":"one","inner":{"number":true}}',
        '{"kind":"one","inner":{"number":1,"unknown":2}}',
        '{"kind":"one","inner":{"number":1,"of":[2]}}',
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(structs.DecodeError):
        structs.decoded(text, One | Two)


@pytest.mark.parametrize("wrong", [{"players": 1}, {"players": 53}, {"game": 7}, {"deal": 0}, {"unknown": 1}])
def test_bodies_that_msgspec_refuses_are_refused(wrong: dict[str, object]) -> None:
    """The same annotations, read by both."""
    body = json.dumps({"game": "heraldry", "players": 4} | wrong)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=Opening)
    code = (
        "import sys; from parlour.site import standing; standing.install()\n"
        "import msgspec; from parlour.server.bodies import Opening\n"
        "try: msgspec.json.decode(sys.argv[1], type=Opening)\n"
        "except msgspec.ValidationError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code, body], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"
